import { parseArgs } from 'node:util'
import type { Engine } from '../test/harness.ts'

export const HELP = `Usage: npm run bench -- [options]

Seeds a company, starts the service on it as its operator would, and measures it beside a bare server of node:http that
writes the same bytes, as a process of its own, in the same minutes on the same machine: ratios can be compared between
machines, requests a second cannot.

  --employees 20000       how many people, one in ten of whom has left and one in a hundred was deleted
  --candidates <n>        how many candidates; as many as people otherwise
  --engine sqlite         only on this engine, sqlite or postgres; both otherwise. PostgreSQL is started by the benchmark
  --connections 8,32      how many callers at once, each asking again as soon as it is answered
  --seconds 4             how long each row is measured
  --rows <word>           only rows whose name contains it; "none" for none
  --workers <n>           start the service with WORKERS=n
  --peers                 beside a hand-written Fastify endpoint on the same database that gives the same list, and beside
                          Directus on SQLite, which is installed to a temporary folder (minutes, once)
  --growth [10000,1000000]
                          what one caller waits for each list at two sizes, nothing kept: first, middle and last page, each
                          filter; the time of a start, and memory
  --against <folder>      beside another checkout of Cadre, with its packages installed: each row by turns on both, three
                          times, on copies of the same database; says the median of the processor time of each, and how
                          many times that of the other one this one takes
  --keep <folder>         keep seeded databases there and begin with copies of them: seeding a million takes minutes
  --write                 write bench/results.json, docs/benchmarks.md and the summary in README.md
  --help

For a first look: npm run bench -- --employees 200 --seconds 1 --connections 8 --engine sqlite

Rows: "hot" is answered by a service as it is, "uncached" by one with CACHE_MB=0 on the same database. "engine alone" is
what the engine's driver commits without a service: the same rows, in groups of as many records as there are callers.
"CPU ms" is what the processors worked for a request, all but the one who asks; "by CPU" is the ratio of that: it holds on a
machine whose neighbours are loud, and where the one who asks is the slowest.
People and candidates beyond the first 10,000 are copies made by the engine; see bench/multiply.ts for what that leaves out.`

export type Options = {
  employees: number
  candidates: number
  engines: Engine[]
  connections: number[]
  seconds: number
  rows: string
  workers: number | undefined
  peers: boolean
  growth: [number, number] | undefined
  against: string | undefined
  keep: string | undefined
  write: boolean
}

/** Said to whoever has called it wrongly. */
export class UsageError extends Error {}

const GROWTH = '10000,1000000'

export function readOptions(args: readonly string[]): Options | 'help' {
  const values = read(
    args.flatMap((word, n) => (word === '--growth' && !isValue(args[n + 1]) ? [word, GROWTH] : [word])),
  )
  if (values.help) return 'help'
  const { engine } = values
  if (engine !== undefined && engine !== 'sqlite' && engine !== 'postgres')
    throw new UsageError(`--engine is sqlite or postgres, not ${engine}`)
  const growth = values.growth === undefined ? undefined : numbers('growth', values.growth, 100)
  if (growth && (growth.length !== 2 || growth[0]! >= growth[1]!))
    throw new UsageError(`--growth takes two sizes, the smaller first: ${GROWTH}`)
  return {
    employees: number('employees', values.employees, 100),
    candidates: number('candidates', values.candidates ?? values.employees, 0),
    engines: engine ? [engine] : ['sqlite', 'postgres'],
    connections: numbers('connections', values.connections, 1),
    seconds: number('seconds', values.seconds, 1),
    rows: values.rows ?? '',
    workers: values.workers === undefined ? undefined : number('workers', values.workers, 1),
    peers: values.peers ?? false,
    growth: growth as [number, number] | undefined,
    against: values.against,
    keep: values.keep,
    write: values.write ?? false,
  }
}

const isValue = (word: string | undefined) => word !== undefined && !word.startsWith('-')

function read(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        employees: { type: 'string', default: '20000' },
        candidates: { type: 'string' },
        engine: { type: 'string' },
        connections: { type: 'string', default: '8,32' },
        seconds: { type: 'string', default: '4' },
        rows: { type: 'string' },
        workers: { type: 'string' },
        peers: { type: 'boolean' },
        growth: { type: 'string' },
        against: { type: 'string' },
        keep: { type: 'string' },
        write: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function number(name: string, text: string, least: number): number {
  const value = /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN
  if (!(value >= least)) throw new UsageError(`--${name} is a whole number, ${least} or more, not "${text}"`)
  return value
}

const numbers = (name: string, text: string, least: number) => text.split(',').map((one) => number(name, one, least))
