import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { VERSION } from '../src/version.ts'
import type { Engine } from '../test/harness.ts'
import type { Grown } from './growth.ts'
import type { Result } from './measure.ts'
import type { Size } from './seed.ts'
import { wantedLines } from './wanted.ts'

/** Reports a run: on the terminal, in results.json, in docs/benchmarks.md, and in one line of the README. */
export type { Result }
export type Start = { engine: Engine; milliseconds: number; memory: number }
export type Measured = {
  machine: ReturnType<typeof machine>
  size: Size
  seconds: number
  results: Result[]
  starts: Start[]
  growth?: Grown
}

const ROOT = join(import.meta.dirname, '..')
const RESULTS = join(import.meta.dirname, 'results.json')

export const machine = () => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
  system: `${process.platform} ${process.arch}`,
  node: process.version,
  cadre: VERSION,
  date: new Date().toISOString().slice(0, 10),
})

const number = (value: number) => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1))
const ratioOf = (ratio: number) => (ratio >= 100 ? ratio.toFixed(0) : ratio >= 1 ? ratio.toFixed(1) : ratio.toFixed(3))
const time = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0))

const HEADS = [
  'engine',
  'connections',
  'operation',
  'req/s',
  'p50 ms',
  'p99 ms',
  'CPU ms',
  'compared with',
  'its req/s',
  'ratio',
  'by CPU',
]
const WIDTHS = [9, 12, 40, 9, 8, 8, 8, 15, 10, 9, 9]

const aligned = (cells: string[], widths: number[], left: number[]) =>
  cells
    .map((cell, n) => (left.includes(n) ? cell.padEnd(widths[n]! + 1) : `${cell.padStart(widths[n]!)} `))
    .join('')
    .trimEnd()

function cellsOf(result: Result): string[] {
  const { engine, connections, operation, rate, p50, p99, cost, beside, besideRate, ratio, byCost, failed } = result
  const about = [engine, String(connections), operation]
  if (failed) return [...about, 'failed', '', '', '', '', '', '', '']
  return [
    ...about,
    number(rate),
    time(p50),
    time(p99),
    cost === undefined ? '' : cost < 10 ? cost.toFixed(2) : cost.toFixed(0),
    beside ?? '',
    besideRate === undefined ? '' : number(besideRate),
    ratio === undefined ? '' : ratioOf(ratio),
    byCost === undefined ? '' : ratioOf(byCost),
  ]
}

export const sayHeads = () => console.log(aligned(HEADS, WIDTHS, [0, 2, 7]))

export function sayResult(result: Result): void {
  console.log(aligned(cellsOf(result), WIDTHS, [0, 2, 7]))
  if (result.failed) console.log(`          ${result.failed}`)
}

const GROWTH_HEADS = (sizes: readonly number[]) => [
  'engine',
  'operation',
  ...sizes.map((size) => `${size.toLocaleString('en')}`),
  'times',
]
const growthCells = (growth: Grown) =>
  growth.lines.map(({ engine, what, small, large, ratio, failed }) => [
    engine,
    what,
    ...(failed ? ['', '', 'failed'] : [time(small), time(large), ratio.toFixed(2)]),
  ])

export function sayGrowth(growth: Grown): void {
  const widths = [9, 40, 11, 11, 8]
  console.log(`\n${aligned(GROWTH_HEADS(growth.sizes), widths, [0, 1])}`)
  for (const cells of growthCells(growth)) console.log(aligned(cells, widths, [0, 1]))
  for (const { what, failed } of growth.lines) if (failed) console.log(`${what}: ${failed}`)
}

export function sayWanted(measured: Measured): void {
  console.log(`\n${aligned(['ratio', 'target', 'measured'], [90, 15, 40], [0, 1, 2])}`)
  for (const { what, wanted, reached, isReached } of wantedLines(measured))
    console.log(aligned([what, wanted, `${mark(isReached)}${reached}`], [90, 15, 40], [0, 1, 2]))
}

const mark = (isReached: boolean | null) => (isReached === null ? '' : isReached ? 'yes: ' : 'no: ')

export function writeResults(measured: Measured): void {
  const { machine, size, seconds, ...rest } = measured
  const lines = (list: readonly object[]) => list.map((one) => `    ${JSON.stringify(one)}`).join(',\n')
  const parts = [
    `  "machine": ${JSON.stringify(machine)}`,
    `  "size": ${JSON.stringify(size)}`,
    `  "seconds": ${seconds}`,
    `  "results": [\n${lines(rest.results)}\n  ]`,
    `  "starts": [\n${lines(rest.starts)}\n  ]`,
    ...(rest.growth
      ? [
          `  "growth": {\n  "sizes": ${JSON.stringify(rest.growth.sizes)},\n  "lines": [\n${lines(rest.growth.lines)}\n  ]}`,
        ]
      : []),
    `  "wanted": [\n${lines(wantedLines(measured))}\n  ]`,
  ]
  writeFileSync(RESULTS, `{\n${parts.join(',\n')}\n}\n`)
  fill('docs/benchmarks.md', 'bench', tables(measured))
  fill('docs/benchmarks.md', 'sizing', sizing(measured))
  fill('README.md', 'bench', summary(measured))
}

/** Replaces the text between two marks of a document. */
function fill(document: string, mark: string, text: string): void {
  const [begins, ends] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`]
  const path = join(ROOT, document)
  const before = readFileSync(path, 'utf8')
  const [from, to] = [before.indexOf(begins) + begins.length, before.indexOf(ends)]
  if (from < begins.length || to < from) throw new Error(`${document} has no ${begins} … ${ends} to write into`)
  writeFileSync(path, `${before.slice(0, from)}\n\n${text}\n\n${before.slice(to)}`)
}

const row = (cells: string[]) => `| ${cells.join(' | ')} |`
const table = (heads: string[], rows: string[][]) =>
  [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n')

const folded = (summary: string, text: string) => `<details>\n<summary>${summary}</summary>\n\n${text}\n\n</details>`

const onEach = ([sqlite, postgres]: string[]) => `${sqlite} (SQLite) and ${postgres} (PostgreSQL)`

/** The ratios that the README shows, at the largest number of connections. */
export function summary({ machine, results }: Measured): string {
  const most = Math.max(...results.map(({ connections }) => connections))
  const ratios = (operation: string, beside: string) =>
    (['sqlite', 'postgres'] as const).map((engine) => {
      const found = results.find(
        (one) =>
          one.engine === engine &&
          one.operation === operation &&
          one.beside === beside &&
          one.connections === most &&
          !one.failed,
      )
      return found?.ratio === undefined ? 'not measured' : `${Number(found.ratio.toPrecision(2))}`
    })
  const [bare, written, directus] = [
    ratios('list of 50, hot', 'bare'),
    ratios('list of 50, uncached', 'hand-written'),
    ratios('list of 50, uncached', 'Directus'),
  ]
  return [
    `On ${machine.cores} cores with ${most} connections, a cached list of 50 employees reaches ${onEach(bare)} of the rate of a bare \`node:http\``,
    `server that sends the same bytes. An uncached list is ${written.join(' and ')} times as fast as a hand-written Fastify endpoint, and`,
    `${directus.join(' and ')} times as fast as Directus. [Details](docs/benchmarks.md).`,
  ].join('\n')
}

/** The rate of each row at the largest number of connections, once for each row. */
export function sizing({ machine, size, results, starts }: Measured): string {
  const most = Math.max(...results.map(({ connections }) => connections))
  // Rows with another number of workers are only there to be compared.
  const found = results.filter(
    ({ connections, failed, beside }) => connections === most && !failed && beside !== 'one worker',
  )
  const once = new Map(found.map((one) => [`${one.engine} ${one.operation}`, one]))
  const gives = [...once.values()].map(({ engine, operation, rate, p99 }) => [
    engine,
    operation,
    Math.round(rate).toLocaleString('en'),
    p99.toFixed(0),
  ])
  const needs = starts.map(({ engine, milliseconds, memory }) => [
    engine,
    (milliseconds / 1000).toFixed(2),
    memory.toFixed(0),
  ])
  return [
    `${machine.date}, ${machine.cores} cores of ${machine.cpu} shared by Cadre, the database and the load generator; ${size.employees.toLocaleString('en')} employees, ${most} connections.`,
    table(['engine', 'operation', 'requests/s', 'p99 ms'], gives),
    table(['engine', 'start, s', 'memory after the run, MB'], needs),
  ].join('\n\n')
}

function tables(measured: Measured): string {
  const { machine, size, seconds, results, growth, starts } = measured
  const { cpu, cores, memory, node, cadre, date } = machine
  const wanted = wantedLines(measured).map((one) => [one.what, one.wanted, mark(one.isReached) + one.reached])
  const sizes = `${size.employees.toLocaleString('en')} employees, ${size.candidates.toLocaleString('en')} candidates`
  const started = starts.map(({ engine, milliseconds }) => `${engine} ${(milliseconds / 1000).toFixed(2)} s`).join(', ')
  return [
    `${date}, version ${cadre}, Node ${node.slice(1)}, ${cores} cores of ${cpu}, ${memory}; ${sizes}, ${seconds} s per row; time from start to first response: ${started}.`,
    table(['ratio', 'target', 'measured'], wanted),
    folded('All rows', table(HEADS, results.map(cellsOf))),
    ...(growth
      ? [
          folded(
            'Latency for one client without cache, in ms, for two database sizes; “first asked” is the first request after the start',
            table(GROWTH_HEADS(growth.sizes), growthCells(growth)),
          ),
        ]
      : []),
  ].join('\n\n')
}
