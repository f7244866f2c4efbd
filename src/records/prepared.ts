import { NoopQueryExecutor, QueryCreator, type RawBuilder, sql } from 'kysely'
import { type Compiled, withTables } from '../database/compile.ts'
import { jsonList, MAX_VALUES, POSTGRES, SQLITE } from '../database/kysely.ts'
import type { Query } from './query.ts'

/** Values for the placeholders of a query: single values, and lists that are not empty. */
export type Params = Readonly<Record<string, unknown>>

/** Selects from a table, bound to the account of the reader. */
type From = (table: string) => Query

/** A query and the values for its placeholders. */
export type BoundQuery<P extends Params = any> = { readonly query: PreparedQuery<P>; readonly params: P }

/** Stands for a value when a query is built; the value is filled in each time the query runs. */
class Placeholder {
  readonly valueIn: (params: Params, accountId: number) => unknown

  constructor(valueIn: Placeholder['valueIn']) {
    this.valueIn = valueIn
  }
}

/** A query that is built and compiled once for each length class of its lists, because that takes longer than running it. */
export class PreparedQuery<P extends Params> {
  readonly build: (from: From, params: P) => Query
  readonly #compiled = new Map<string, Compiled>()

  constructor(build: (from: From, params: P) => Query) {
    this.build = build
  }

  /** The query with its values, as the engine takes it. */
  bind(params: P, accountId: number, isPostgres: boolean): Compiled {
    const compiled = this.#compiledFor(params, isPostgres)
    const parameters = compiled.parameters.map((one) =>
      one instanceof Placeholder ? one.valueIn(params, accountId) : one,
    )
    return { ...compiled, parameters }
  }

  #compiledFor(params: P, isPostgres: boolean): Compiled {
    let key = isPostgres ? 'p' : ''
    for (const name in params) {
      const value = params[name]
      if (!Array.isArray(value)) continue
      if (value.length === 0) throw new Error(`The list ${name} is empty`)
      key += ` ${listSizeFor(value.length)}${typeof value[0] === 'number' ? '' : 't'}`
    }
    const known = this.#compiled.get(key)
    if (known) return known
    const compiled = compile(this.build(fromPlaceholder, placeholdersFor(params, isPostgres)), isPostgres)
    this.#compiled.set(key, compiled)
    return compiled
  }
}

/** Prepares a query. The function that builds it gets placeholders: it may use them as values, and must not look at them. */
export const prepared = <P extends Params>(build: (from: From, params: P) => Query) => new PreparedQuery(build)

const whereIn = new Map<string, PreparedQuery<{ values: readonly unknown[] }>>()

/** The rows of a table that have one of these values in a column: some of their columns, or all. */
export async function selectWhereIn(
  db: { run<P extends Params>(query: PreparedQuery<P>, params: P): Promise<any[]> },
  table: string,
  column: string,
  values: readonly unknown[],
  columns?: readonly string[],
): Promise<any[]> {
  if (values.length === 0) return []
  const key = `${table} ${column} ${columns}`
  let query = whereIn.get(key)
  if (!query) {
    query = prepared((from, { values }) => {
      const rows = from(table).where(`${table}.${column}`, 'in', values)
      return columns ? rows.select(columns) : rows.selectAll()
    })
    whereIn.set(key, query)
  }
  return db.run(query, { values })
}

/**
 * Selects from another query under the name of its table. The text around that query is compiled once; the build function must use
 * no values.
 */
export class Wrapper {
  readonly #build: (source: any) => Query
  readonly #alias: string
  readonly #texts = new Map<boolean, { before: RawBuilder<any>; after: RawBuilder<any> }>()

  constructor(alias: string, build: (source: any) => Query) {
    this.#alias = alias
    this.#build = build
  }

  around(query: Query, isPostgres: boolean): RawBuilder<any> {
    const { before, after } = this.#textFor(isPostgres)
    return sql`${before}${query}${after}`
  }

  /** A prepared query inside, instead of one that is built anew each time. */
  prepared<P extends Params>(inner: (from: From, params: P) => Query): PreparedQuery<P> {
    return prepared((from, params) => this.#build(inner(from, params).as(this.#alias)))
  }

  #textFor(isPostgres: boolean) {
    const known = this.#texts.get(isPostgres)
    if (known) return known
    const inner = sql.raw(INNER).as(this.#alias)
    const { sql: text, tables, parameters } = compile(this.#build(inner), isPostgres)
    const [before, after] = text.split(INNER)
    if (before === undefined || after === undefined || parameters.length > 0)
      throw new Error('A query around another one cannot have values of its own')
    const declared = (part: string) => withTables([...tables], sql.raw(part))
    const made = { before: declared(before), after: declared(after) }
    this.#texts.set(isPostgres, made)
    return made
  }
}

const INNER = '(the inner query)'

const IN_LIST_SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500, MAX_VALUES]

/** Lists are padded to one of a few lengths, so that there are few texts; the longest are sent as one JSON value. */
const listSizeFor = (length: number): number => IN_LIST_SIZES.find((size) => size >= length) ?? Number.POSITIVE_INFINITY

/** The padding repeats the last value. */
const valueAt = (values: readonly unknown[], at: number) => values[Math.min(at, values.length - 1)]

function placeholdersFor<P extends Params>(params: P, isPostgres: boolean): P {
  const one = (name: string) => new Placeholder((values) => values[name])
  const list = (name: string, values: readonly unknown[]) => {
    const size = listSizeFor(values.length)
    if (Number.isFinite(size))
      return Array.from(
        { length: size },
        (_, at) => new Placeholder((all) => valueAt(all[name] as readonly unknown[], at)),
      )
    const whole = new Placeholder((all) => JSON.stringify(all[name]))
    return jsonList(isPostgres ? POSTGRES : SQLITE, typeof values[0] === 'number', whole)
  }
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, Array.isArray(value) ? list(name, value) : one(name)]),
  ) as P
}

const creator = new QueryCreator<any>({ executor: new NoopQueryExecutor() })

const fromPlaceholder: From = (table) => {
  const alias = table.split(' as ').at(-1) as string
  return creator
    .selectFrom(table)
    .where(`${alias}.account_id`, '=', new Placeholder((_, accountId) => accountId)) as Query
}

const compile = (query: Query, isPostgres: boolean): Compiled =>
  (isPostgres ? POSTGRES : SQLITE).compiler.compileQuery(query.toOperationNode(), { queryId: '' }) as Compiled

/** Selects from a source that is not a table of the account. */
export const selectFromSource = (source: any): Query => creator.selectFrom(source) as Query
