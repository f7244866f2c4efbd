import type { Engine } from '../test/harness.ts'
import type { Databases } from './databases.ts'
import { memoryOf, startService, waiting, waitingAtFirst } from './load.ts'
import { grows, IN_TURN, rowsFor } from './rows.ts'

/** What one caller waits at two sizes, in milliseconds; the last lines are of the start and of memory, in ms and MB. */
export type Growth = { engine: Engine; what: string; small: number; large: number; ratio: number; failed?: string }
export type Grown = { sizes: [number, number]; lines: Growth[] }

type Needs = {
  engine: Engine
  databases: Databases
  sizes: [number, number]
  seconds: number
  word: string
  say: (line: string) => void
  environment: Record<string, string>
}

export const START = 'start until the first answer, ms'
export const MEMORY = 'memory after these, MB'

export async function measureGrowth(needs: Needs): Promise<Growth[]> {
  const { engine, sizes } = needs
  const small = await measureAt(needs, sizes[0])
  const large = await measureAt(needs, sizes[1])
  return [...small].map(([what, before]) => {
    const after = large.get(what) ?? { time: Number.NaN }
    const failed = before.failed ?? after.failed
    return {
      engine,
      what,
      small: before.time,
      large: after.time,
      ratio: after.time / before.time,
      ...(failed ? { failed } : {}),
    }
  })
}

type Time = { time: number; failed?: string }

async function measureAt(
  { engine, databases, seconds, word, environment, say }: Needs,
  count: number,
): Promise<Map<string, Time>> {
  const size = { employees: count, candidates: count }
  const { url, remove } = await databases.seeded(size)
  const times = new Map<string, Time>()
  try {
    // The first start finds the files on disk, the second as they are in use: the slower of the two counts.
    const first = await startService(url, { ...environment, CACHE_MB: '0' })
    await first.stop()
    const service = await startService(url, { ...environment, CACHE_MB: '0' })
    for (const { name, asks, isInTurn } of rowsFor(size).filter((row) => grows(row) && row.name.includes(word)))
      try {
        if (isInTurn) times.set(`${name}, first asked`, { time: await waitingAtFirst(service.url, asks, IN_TURN) })
        const { p50 } = await waiting(service.url, asks, seconds)
        say(`${engine}, ${count}: ${name}, ${p50.toFixed(1)} ms`)
        times.set(name, { time: p50 })
      } catch (error) {
        times.set(name, { time: Number.NaN, failed: error instanceof Error ? error.message : String(error) })
      }
    times.set(START, { time: Math.max(first.startedIn, service.startedIn) })
    times.set(MEMORY, { time: memoryOf(service) })
    await service.stop()
  } finally {
    await remove()
  }
  return times
}
