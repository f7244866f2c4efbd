import { NoopQueryExecutor, PostgresAdapter, QueryCreator, type QueryExecutor } from 'kysely'
import { listedIn, MOST_VALUES, POSTGRES, SQLITE } from '../database/statements.ts'
import type { Query } from './query.ts'

/** The values that a statement is told each time: single ones, and lists of which none is empty. */
export type Told = Readonly<Record<string, unknown>>

/** Selects from a table, bound to the account that is asked for. */
type From = (table: string) => Query

/** What stands around a statement that selects all columns of a table: text of our own names only. */
export type Frame = { readonly before: string; readonly table: string; readonly after: string }

/** A statement, and what it is told. */
export type Posed<T extends Told = any> = { readonly statement: Statement<T>; readonly told: T }

/** Where a value comes in each time the statement is run. */
class Hole {
  readonly valueIn: (told: Told, accountId: number) => unknown

  constructor(valueIn: Hole['valueIn']) {
    this.valueIn = valueIn
  }
}

type Text = { readonly sql: string; readonly parameters: readonly unknown[] }

/** A statement that is built once: as text it is the same each time, and only told other values. */
export class Statement<T extends Told> {
  readonly #build: (from: From, told: T) => Query
  /** By what stands around them, and then by the room that their lists have. */
  readonly #texts = new WeakMap<object, Map<string, Text>>()

  constructor(build: (from: From, told: T) => Query) {
    this.#build = build
  }

  /** The statement with its values, as an engine takes it. */
  with(told: T, accountId: number, { adapter }: QueryExecutor, frame?: Frame): { text: string; values: unknown[] } {
    const isPostgres = adapter instanceof PostgresAdapter
    const { sql, parameters } = this.#textFor(told, isPostgres, frame)
    const values = parameters.map((one) => (one instanceof Hole ? one.valueIn(told, accountId) : one))
    return { text: sql, values }
  }

  #textFor(told: T, isPostgres: boolean, frame: Frame | undefined): Text {
    const known = this.#texts.get(frame ?? BARE) ?? new Map<string, Text>()
    this.#texts.set(frame ?? BARE, known)
    let key = isPostgres ? 'p' : ''
    for (const name in told) {
      const value = told[name]
      if (!Array.isArray(value)) continue
      if (value.length === 0) throw new Error(`The list ${name} is empty`)
      key += ` ${roomFor(value.length)}`
    }
    let text = known.get(key)
    if (!text) {
      text = compiled(this.#build(fromTold, holesFor(told, isPostgres)), isPostgres, frame)
      known.set(key, text)
    }
    return text
  }
}

/**
 * A statement that is built once, since building it takes longer than running it. What builds it is shown stand-ins for
 * the values: it may put them where values go, and must not look at them.
 */
export const asking = <T extends Told>(build: (from: From, told: T) => Query) => new Statement(build)

const BARE = {}

const ROOMS = [1, 2, 5, 10, 20, 50, 100, 200, 500, MOST_VALUES]

/** Lists have room for a few more values, so that there are not as many texts as lengths; the longest are told as one value. */
export const roomFor = (length: number): number => ROOMS.find((room) => room >= length) ?? Number.POSITIVE_INFINITY

/** What a list is told as: in the room that is left, the last value stands again. */
export function toldIn(values: readonly unknown[]): unknown[] {
  const room = roomFor(values.length)
  return Number.isFinite(room) ? Array.from({ length: room }, (_, at) => valueAt(values, at)) : [JSON.stringify(values)]
}

const valueAt = (values: readonly unknown[], at: number) => values[Math.min(at, values.length - 1)]

const holesFor = <T extends Told>(told: T, isPostgres: boolean): T => {
  const holes = Object.entries(told).map(([name, value]) => [
    name,
    Array.isArray(value) ? list(name, value, isPostgres) : one(name),
  ])
  return Object.fromEntries(holes)
}
const one = (name: string) => new Hole((told) => told[name])
const list = (name: string, values: readonly unknown[], isPostgres: boolean) => {
  const room = roomFor(values.length)
  if (Number.isFinite(room))
    return Array.from({ length: room }, (_, at) => new Hole((told) => valueAt(told[name] as readonly unknown[], at)))
  const whole = new Hole((told) => JSON.stringify(told[name]))
  return listedIn(isPostgres ? POSTGRES : SQLITE, typeof values[0] === 'number', whole)
}

const creator = new QueryCreator<any>({ executor: new NoopQueryExecutor() })

const fromTold: From = (table) => {
  const alias = table.split(' as ').at(-1) as string
  return creator.selectFrom(table).where(`${alias}.account_id`, '=', new Hole((_, accountId) => accountId)) as Query
}

function compiled(query: Query, isPostgres: boolean, frame: Frame | undefined): Text {
  const { compiler } = isPostgres ? POSTGRES : SQLITE
  const whole = frame ? query.selectAll(frame.table) : query
  const { sql, parameters } = compiler.compileQuery(whole.toOperationNode(), { queryId: '' })
  return { sql: frame ? `${frame.before}${sql}${frame.after}` : sql, parameters }
}
