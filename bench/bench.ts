import { compareWith } from './against.ts'
import { type Databases, openDatabases } from './databases.ts'
import { type Grown, measureGrowth } from './growth.ts'
import { measureRows } from './measure.ts'
import { HELP, type Options, readOptions, UsageError } from './options.ts'
import { noPeers, startPeers } from './peers.ts'
import { type Measured, machine, sayGrowth, sayHeads, sayResult, sayWanted, writeResults } from './report.ts'
import { rowsFor } from './rows.ts'

/** Measures the real service beside others, in the same run on the same machine. */

async function main(options: Options): Promise<void> {
  const { engines, employees, candidates, seconds, growth: sizes, against, keep, write } = options
  if (against !== undefined) return compareWith(against, chosen(options), options)
  const about = machine()
  const measured: Measured = { machine: about, size: { employees, candidates }, seconds, results: [], starts: [] }
  const growth: Grown | undefined = sizes && { sizes, lines: [] }
  console.log(`${about.cores} cores of ${about.cpu}, ${about.memory}, Node ${about.node}; ${seconds} s a row\n`)
  for (const engine of engines) {
    const databases = await openDatabases(engine, keep)
    try {
      await measureEngine(engine, databases, options, measured)
      if (growth && sizes) {
        const word = options.rows === 'none' ? '' : options.rows
        const needs = { engine, databases, sizes, seconds, word, environment: environment(options), say }
        growth.lines.push(...(await measureGrowth(needs)))
      }
    } finally {
      await databases.close()
    }
  }
  if (growth) {
    measured.growth = growth
    sayGrowth(growth)
  }
  sayWanted(measured)
  if (write) writeResults(measured)
  const failed = [...measured.results, ...(growth?.lines ?? [])].filter((one) => one.failed).length
  if (failed === 0) return
  console.error(`${failed} rows have failed, and are not measured`)
  process.exitCode = 1
}

const say = (line: string) => console.error(line)

const environment = ({ workers }: Options): Record<string, string> => (workers ? { WORKERS: String(workers) } : {})

async function measureEngine(
  engine: Options['engines'][number],
  databases: Databases,
  options: Options,
  measured: Measured,
): Promise<void> {
  const { connections, seconds, peers: withPeers } = options
  const rows = chosen(options).filter((row) => !row.engine || row.engine === engine)
  if (rows.length === 0) return
  const { url, remove } = await databases.seeded(measured.size)
  const peers = withPeers ? await startPeers(engine, url, say) : noPeers
  try {
    sayHeads()
    const needs = { engine, url, rows, connections, seconds, environment: environment(options), peers, tell: sayResult }
    const { results, start, memory } = await measureRows(needs)
    measured.results.push(...results)
    measured.starts.push({ engine, milliseconds: start, memory })
    console.log(
      `${engine}: ${(start / 1000).toFixed(2)} s from start to first answer, ${memory.toFixed(0)} MB at the end\n`,
    )
  } finally {
    await peers.close()
    await remove()
  }
}

function chosen({ employees, candidates, rows: word }: Options) {
  const all = rowsFor({ employees, candidates })
  if (word === 'none') return []
  const some = all.filter(({ name }) => name.includes(word))
  if (some.length > 0) return some
  throw new UsageError(`--rows ${word}: no row is called so. There are:\n  ${all.map(({ name }) => name).join('\n  ')}`)
}

try {
  const options = readOptions(process.argv.slice(2))
  if (options === 'help') console.log(HELP)
  else {
    chosen(options)
    // What was started ends with this process, also when somebody loses patience.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
    await main(options)
  }
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`${error.message}\n\nnpm run bench -- --help tells of all options.`)
  process.exitCode = 2
}
