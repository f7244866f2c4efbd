import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Figures, load, type Service } from './load.ts'
import type { Options } from './options.ts'
import type { Row } from './rows.ts'

/**
 * Measures this checkout beside another one, on copies of the same seeded database. Each row is measured on one and on the other
 * by turns, so both meet the same neighbours of the machine; the median of the rounds counts.
 */

const ROUNDS = 3

type Checkout = {
  openDatabases: typeof import('./databases.ts').openDatabases
  startService: typeof import('./load.ts').startService
}

async function checkoutAt(folder: string): Promise<Checkout> {
  const load = (file: string) => import(pathToFileURL(join(resolve(folder), 'bench', file)).href)
  const [{ openDatabases }, { startService }] = [await load('databases.ts'), await load('load.ts')]
  return { openDatabases, startService }
}

type Side = { hot: Service; uncached: Service }

export async function compareWith(folder: string, rows: readonly Row[], options: Options): Promise<void> {
  const { engines, employees, candidates, connections, seconds, keep } = options
  const other = await checkoutAt(folder)
  const own = await checkoutAt(join(import.meta.dirname, '..'))
  console.log(
    'engine    conn.  operation                                  CPU ms there   here  times   requests/s, times',
  )
  for (const engine of engines) {
    // Seeded by the other one, which may know less; the service of this one upgrades its copy when it starts.
    const databases = await other.openDatabases(engine, keep)
    const copies = [
      await databases.seeded({ employees, candidates }),
      await databases.seeded({ employees, candidates }),
    ]
    const sides: Side[] = []
    try {
      for (const [n, { startService }] of [other, own].entries()) {
        const { url } = copies[n] as { url: string }
        sides.push({ hot: await startService(url, {}), uncached: await startService(url, { CACHE_MB: '0' }) })
      }
      for (const row of rows.filter((one) => one.of !== 'workers' && (!one.engine || one.engine === engine)))
        for (const many of row.connections ? [row.connections] : connections) {
          const both = await byTurns(row, sides as [Side, Side], { connections: many, seconds })
          const [there, here] = both as [Measured, Measured]
          const figures = [there.cost, here.cost, here.cost / there.cost].map((one) => one.toFixed(3).padStart(7))
          const rate = (here.rate / there.rate).toFixed(2)
          console.log(
            `${engine.padEnd(9)} ${String(many).padStart(5)}  ${row.name.padEnd(46)} ${figures.join(' ')}   ${rate}`,
          )
        }
    } finally {
      for (const { hot, uncached } of sides) for (const one of [hot, uncached]) await one.stop()
      for (const { remove } of copies) await remove()
      await databases.close()
    }
  }
}

type Measured = Pick<Figures, 'cost' | 'rate'>

async function byTurns(
  row: Row,
  sides: readonly [Side, Side],
  how: { connections: number; seconds: number },
): Promise<Measured[]> {
  const measured: Measured[][] = sides.map(() => [])
  for (let round = 0; round < ROUNDS; round++)
    for (const [n, side] of sides.entries())
      measured[n]?.push(await load(side[row.of === 'hot' ? 'hot' : 'uncached'].url, row.asks, how))
  return measured.map((all) => ({
    cost: median(all.map(({ cost }) => cost)),
    rate: median(all.map(({ rate }) => rate)),
  }))
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number
