import type { Engine } from '../test/harness.ts'
import { type Grown, type Growth, START } from './growth.ts'
import type { Measured, Result } from './report.ts'
import type { ComparedWith } from './rows.ts'

/** What we want to reach, and what a run has reached. */
export type Line = { what: string; wanted: string; reached: string; isReached: boolean | null }

/** A figure that was measured, what it must reach, and where that was. */
type Figure = { value: number; at: string; wanted: number; isLimit: boolean; byCost?: number | undefined }

const ENGINES: Engine[] = ['sqlite', 'postgres']
const NAMES = { sqlite: 'SQLite', postgres: 'PostgreSQL' }
const LISTED = 'list of 50'
/** Measured at both sizes, but neither a page of a long list nor a filter. */
const BESIDES = /^(get|teams|timesheets|start|memory)/

export function wantedLines({ results, starts, growth, size }: Measured): Line[] {
  const least = (operation: string, beside: ComparedWith, wanted: number | Record<Engine, number>) =>
    ENGINES.flatMap((engine) =>
      ratios(results, engine, operation, beside).map(({ connections, ratio, byCost }) => ({
        value: ratio as number,
        byCost,
        at: `${NAMES[engine]}, ${connections}`,
        wanted: typeof wanted === 'number' ? wanted : wanted[engine],
        isLimit: false,
      })),
    )
  // Of fewer people only half are changed.
  const bulk = (size.employees < 1000 ? [] : ENGINES).flatMap((engine) =>
    ratios(results, engine, 'change 500 at once, one caller', 'one change').map(({ ratio, byCost }) => ({
      ...most(ratio!, NAMES[engine], 20),
      byCost,
    })),
  )
  return [
    line(
      `${LISTED} employees, cached: share of the bare server, SQLite / PostgreSQL`,
      '≥ 0.6 / ≥ 0.2',
      least(`${LISTED}, hot`, 'bare', { sqlite: 0.6, postgres: 0.2 }),
    ),
    line(
      'the same, while 10 % of the requests change other records',
      '≥ 0.3',
      least('90 % lists, 10 % change other records', 'bare', 0.3),
    ),
    line(
      'the same, while 10 % of the requests change employees',
      '≥ 0.1',
      least('90 % lists, 10 % change employees', 'bare', 0.1),
    ),
    line(
      `${LISTED}, uncached: times the hand-written endpoint, SQLite / PostgreSQL`,
      '≥ 1.5 / ≥ 1',
      least(`${LISTED}, uncached`, 'hand-written', { sqlite: 1.5, postgres: 1 }),
    ),
    line('one employee, cached: share of the bare server', '≥ 0.6', least('get one, hot', 'bare', 0.6)),
    line('one employee, uncached: share of the bare server', '≥ 0.2', least('get one, uncached', 'bare', 0.2)),
    line(`${LISTED}, cached: times Directus`, '≥ 200', least(`${LISTED}, hot`, 'Directus', 200)),
    line(`${LISTED}, uncached: times Directus`, '≥ 10', least(`${LISTED}, uncached`, 'Directus', 10)),
    line(
      'create, committed to disk, 16 connections: share of what the database driver alone commits',
      '≥ 0.4',
      least('create', 'engine alone', 0.4),
    ),
    line(growthName(growth), '≤ 1.5 times', grown(growth)),
    line('changing 500 employees in one request: times changing one', '≤ 20', bulk),
    line(
      `start with ${sizesOf(growth)[1]} records, until the first response`,
      '≤ 1.5 s',
      largest(growth, START, 1500),
      seconds,
    ),
    line(
      'memory after the run',
      '≤ 250 MB',
      starts.map(({ engine, memory }) => most(memory, NAMES[engine], 250)),
      whole,
    ),
    line(
      'two workers on PostgreSQL: times one worker',
      '≥ 1.6',
      least(`${LISTED}, uncached, two workers`, 'one worker', 1.6),
    ),
  ]
}

const most = (value: number, at: string, wanted: number): Figure => ({ value, at, wanted, isLimit: true })

const ratios = (results: readonly Result[], engine: Engine, operation: string, beside: ComparedWith) =>
  results.filter((one) => one.engine === engine && one.operation === operation && one.beside === beside)

const sizesOf = (growth: Grown | undefined) =>
  (growth?.sizes ?? [10_000, 1_000_000]).map((size) => size.toLocaleString('en'))

const growthName = (growth: Grown | undefined) => {
  const [small, large] = sizesOf(growth)
  return `each page and filter of long lists: latency with ${large} records, times that with ${small}`
}

/** The worst of each engine is what counts. */
const grown = (growth: Grown | undefined): Figure[] =>
  ENGINES.flatMap((engine) => {
    const lines = (growth?.lines ?? []).filter((one) => one.engine === engine && !BESIDES.test(one.what))
    const ratioOf = ({ ratio, failed }: Growth) => (failed ? Number.POSITIVE_INFINITY : ratio)
    const [worst] = lines.toSorted((a, b) => ratioOf(b) - ratioOf(a))
    if (!worst) return []
    const within = lines.filter((one) => ratioOf(one) <= 1.5).length
    const at = `${NAMES[engine]}, ${worst.what}; ${within} of ${lines.length} within`
    return [most(ratioOf(worst), at, 1.5)]
  })

const largest = (growth: Grown | undefined, what: string, wanted: number): Figure[] =>
  (growth?.lines ?? [])
    .filter((one) => one.what === what)
    .map(({ large, engine }) => most(large, NAMES[engine], wanted))

const seconds = (value: number) => `${(value / 1000).toFixed(2)} s`
const whole = (value: number) => `${value.toFixed(0)} MB`
const plain = (value: number) =>
  value === Number.POSITIVE_INFINITY
    ? 'failed'
    : value >= 10
      ? value.toFixed(0)
      : value >= 1
        ? value.toFixed(1)
        : value.toFixed(2)

function line(what: string, wanted: string, figures: Figure[], tell: (value: number) => string = plain): Line {
  if (figures.length === 0) return { what, wanted, reached: 'not measured', isReached: null }
  const isReached = figures.every(({ value, wanted: than, isLimit }) => (isLimit ? value <= than : value >= than))
  const told = ({ value, byCost, at }: Figure) =>
    `${tell(value)} (${at}${byCost === undefined ? '' : `; ${tell(byCost)} by CPU`})`
  return { what, wanted, reached: figures.map(told).join(', '), isReached }
}
