import { PostgresAdapter, QueryCreator, type QueryExecutor } from 'kysely'
import type { Compiled } from '../database/compile.ts'
import type { Database, Sql } from '../database/database.ts'
import type { TableFilter } from '../database/rewrite-query.ts'
import type { AccountVersion } from './account-version.ts'
import { requireVersion } from './account-versions.ts'
import type { Account, Caller } from './caller.ts'
import type { Lookups } from './lookups.ts'
import { countMatches, type ListQuery, type Matches, type MatchingIds } from './matching-ids.ts'
import type { Params, PreparedQuery, Wrapper } from './prepared.ts'
import type { Query } from './query.ts'
import type { ReadSet } from './read-set.ts'
import type { ListMonitoredReads } from './reads.ts'
import type { PastTable, Referrer } from './tables.ts'

export type { Query } from './query.ts'

/**
 * The time of a call. It is a getter, because a response that reads it cannot be cached. Spreading a reader loses the getter, and
 * the compiler reports that: use `like`.
 */
class Momentary {
  declare readonly tellNow: () => string

  get now(): string {
    return this.tellNow()
  }
}

/** The reads of one call: queries that are bound to its account, and its time. */
export interface Reader extends Momentary {
  readonly caller: Caller
  readonly account: Account
  /** The next full hour. Use it instead of `now` where it is precise enough: the response can be cached. */
  readonly hour: string
  /** The date in the account's time zone. */
  readonly today: string
  /** How records are shown: as of which day, and what else the lenses of an operation set. */
  readonly view: Readonly<{ day: string } & Record<string, any>>
  /** Field groups that were left out because they are hidden from the caller. */
  readonly omitted: Set<string>
  /** Functions that tell which monitored data was shown. */
  readonly shown: ListMonitoredReads[]
  /** `from('books')` or `from('books as b')`: only rows of the account. */
  from(table: string): Query
  /** Runs a prepared query. */
  run<P extends Params>(query: PreparedQuery<P>, params: P): Promise<any[]>
  /** Runs a prepared wrapper around a query that is not prepared. */
  wrap(wrapper: Wrapper, query: Query): Promise<any[]>
  /** The matches of a list, with cached ids. Readers of past or filtered rows do not have it. */
  readonly matches?: ((list: ListQuery) => Promise<Matches>) | undefined
  /**
   * Values made from records, by id, cached from one call to the next. The key contains everything besides tables that they
   * depend on. Missing values are made with another reader, which notes the tables that it reads.
   */
  readonly lookUp?:
    | (<T>(
        key: string,
        ids: readonly number[],
        make: (db: Reader, ids: number[]) => Promise<Map<number, T>>,
      ) => Promise<ReadonlyMap<number, T>>)
    | undefined
  /** The result is only written as JSON, so lookup records may come as JSON texts. */
  readonly writes?: true
  /** The text under a name in a column that holds a JSON object: an expression. */
  jsonText: Database['jsonText']
  /** Numbers, however many, to be looked for with `in`. */
  numberList: Database['numberList']
  daysBetween: Database['daysBetween']
  /** The columns that can refer to records of a table. */
  referrersOf(table: string): readonly Referrer[]
  /** These ids and all ids that are reachable from them, by following a table's rows from one column to another. */
  reach(table: string, from: string, to: string, ids: number[]): Promise<number[]>
  /**
   * A reader of these tables as they were at a time in the past. Null if too much has changed since. Writers do not have it: they
   * see the present.
   */
  asKnownAt?(then: Moment, tables: readonly PastTable[]): Promise<Reader | null>
  /** A reader that sees only what a visibility allows. */
  withVisibility(visibility: Visibility): Reader
  /** What this reader sees; undefined: everything. */
  readonly visibility?: Visibility
  /** The reader for the response of a write. The write itself may read more than the caller may see. */
  readonly responseReader?: Reader
}

type Values = Readonly<Record<string, unknown>>
/** A record before and after a planned change. */
type PlannedChange = { readonly before: Values | null; readonly changes: Values; readonly after: Values }

/** Which rows of tables a caller sees, and which of their columns. Code that shows records asks by table. */
export interface Visibility {
  /** The visible part of a table, by its name in statements; undefined: all of it. */
  tableFilterOf(name: string): TableFilter | undefined
  /** The field groups that are hidden in all records of a table (`withheld`), and those that are hidden in some (`partial`). */
  hiddenGroupsOf(table: string): { readonly withheld: ReadonlySet<string>; readonly partial: ReadonlySet<string> }
  /** The ids that a record of the table may refer to in a column. */
  nameable?(db: Reader, table: string, column: string, ids: readonly number[]): Promise<ReadonlySet<number>>
  /** The ids of a table that the caller may know. */
  visibleIds?(db: Reader, table: string, ids: readonly number[]): Promise<ReadonlySet<number>>
  /** Does a permission cover this subject (a record that others are about)? With a group: and does the caller see that group of it? */
  holds?(permission: string, table: string, id: number, group?: string): boolean
  /** Refuses changes of records that are held back from the caller. */
  refuseHeldBack?(table: string, attempts: readonly PlannedChange[]): void
  /** Does the caller see all held-back data of a table? */
  seesHeldBack?(table: string): boolean
  /** Does the caller see all records of a table? */
  seesAll(table: string): boolean
  /** Adds records that this request has created: they may be in scope by now. */
  includeCreated?(db: Reader): Promise<void>
  /** The same visibility with another permission. */
  forPermission?(permission: string): Visibility
  /** Identifies it in caches of query plans. */
  readonly key: string
}

/** A time in the past, the number of the last change before it, and the number of the last change now. */
export type Moment = { readonly at: string; readonly number: number; readonly last: number }

/** The part of a reader that runs statements. */
type Statements = Pick<Reader, 'from' | 'run' | 'wrap' | 'reach'>

export function reader(
  database: Database,
  sql_: Sql,
  caller: Caller,
  now: Date,
  referrers: ReadonlyMap<string, Referrer[]>,
  {
    readSet,
    matchingIds,
    lookups,
    knownVersion,
  }: {
    readSet?: ReadSet | undefined
    matchingIds?: MatchingIds
    lookups?: Lookups | undefined
    /** The version of the snapshot, if it is known without reading it. */
    knownVersion?: AccountVersion | undefined
  } = {},
): Reader {
  const { account } = caller
  const today = dateIn(account.time_zone, now)
  const noted = (statement: Compiled): Compiled => {
    readSet?.add(statement.tables)
    return statement
  }
  const generation = database.generation()
  let version = knownVersion && Promise.resolve(knownVersion)
  const readVersion = () => {
    version ??= requireVersion(sql_, account.id, database, generation)
    return version
  }
  const executor = compiling(sql_.getExecutor(), noted)
  const own: Reader = telling({
    caller,
    account,
    tellNow() {
      if (readSet) readSet.isUncacheable = true
      return now.toISOString()
    },
    hour: hourAfter(now),
    today,
    view: { day: today },
    omitted: new Set(),
    shown: [],
    jsonText: (column, name) => database.jsonText(column, name),
    numberList: (all) => database.numberList(all),
    daysBetween: (from, to) => database.daysBetween(from, to),
    referrersOf: (table) => referrers.get(table) ?? [],
    matches: matchingIds && ((list) => matchingIds.find(sql_, caller.version, readVersion, list)),
    lookUp:
      lookups &&
      (async (key, ids, make) => {
        const makeMissing = (own: ReadSet, missing: number[]) =>
          make(reader(database, sql_, caller, now, referrers, { readSet: own }), missing)
        const { values, tables, isUncacheable } = await lookups.find(key, ids, await readVersion(), makeMissing)
        for (const table of tables) readSet?.tables.add(table)
        if (isUncacheable) readSet?.markUncacheable()
        return values
      }),
    ...statementsOn(executor, account.id, noted),
    withVisibility(visibility) {
      const filter = (statement: Compiled) =>
        noted(database.rewriteQuery(statement, [], tableFiltersIn(statement, visibility, account.id)))
      // `reach` follows references through hidden records too. The filter applies to the records that it finds.
      const isFiltered = ({ all }: ListQuery) =>
        tableFiltersIn(all.compile() as Compiled, visibility, account.id).length > 0
      return like(own, {
        ...statementsOn(compiling(executor, filter), account.id, filter),
        reach: own.reach,
        lookUp: undefined,
        matches: own.matches && ((list: ListQuery) => (isFiltered(list) ? countMatches(list) : own.matches?.(list))),
        visibility,
      })
    },
  })
  return own
}

/** The filters of the tables in a statement. A table without a filter is fully visible. */
export const tableFiltersIn = (statement: Compiled, visibility: Visibility, accountId: number): TableFilter[] =>
  [...statement.tables].flatMap((name) =>
    isWhole(name) ? wholeOf(name, accountId) : (visibility.tableFilterOf(name) ?? []),
  )

const WHOLE = '='
const isWhole = (name: string) => name.startsWith(WHOLE)

/** The table behind a name in a statement. */
export const tableNamed = (name: string, visibility: Visibility | undefined): string =>
  isWhole(name) ? name.slice(WHOLE.length) : (visibility?.tableFilterOf(name)?.table ?? name)

/**
 * The name under which a statement reads all rows of a table, including hidden ones. Use it only to follow references, such as
 * reporting lines: the records at their end are filtered.
 */
export const wholeTable = ({ visibility }: Reader, table: string): string => (visibility ? `${WHOLE}${table}` : table)

const wholeOf = (name: string, accountId: number): TableFilter => {
  return { name, table: name.slice(WHOLE.length), accountId, columns: null, rows: true, masks: {}, flags: {} }
}

const telling = <R>(parts: Omit<R, 'now'>): R => ({ __proto__: Momentary.prototype, ...parts }) as R

/** A copy of a reader with some properties replaced. */
export const like = <R extends Reader, M extends object>(db: R, more: M): R & M => telling<R & M>({ ...db, ...more })

/** A value that depends on tables alone, cached from one call to the next. */
export async function cached<T>(db: Reader, key: string, make: (db: Reader) => Promise<T>): Promise<T> {
  if (!db.lookUp) return make(db)
  const values = await db.lookUp(key, [0], async (own) => new Map([[0, await make(own)]]))
  return values.get(0) as T
}

const HOUR = 3_600_000

/** The next full hour, or the time itself if it is a full hour. */
export const hourAfter = (moment: Date) => new Date(Math.ceil(moment.getTime() / HOUR) * HOUR).toISOString()

/**
 * Changes each whole statement when it is compiled. A statement with a raw fragment that hides tables is refused: neither access
 * scopes nor caches would know of them.
 */
export function compiling(executor: QueryExecutor, change: (statement: Compiled) => Compiled): QueryExecutor {
  const compileQuery: QueryExecutor['compileQuery'] = (node, id) => {
    const compiled = executor.compileQuery(node, id) as Compiled
    if (compiled.undeclared !== undefined)
      throw new Error(`Use sql.table() or withTables(): a raw fragment names a table: ${compiled.undeclared.trim()}`)
    return change(compiled)
  }
  return new Proxy(executor, {
    get(target, name) {
      if (name === 'compileQuery') return compileQuery
      const own = Reflect.get(target, name)
      return typeof own === 'function' ? own.bind(target) : own
    },
  })
}

/** Statements that are bound to an account. Each goes through `change`, whether it is compiled now or was compiled before. */
export function statementsOn(
  executor: QueryExecutor,
  accountId: number,
  change: (statement: Compiled) => Compiled = (statement) => statement,
): Statements {
  const creator = new QueryCreator<any>({ executor })
  const runner = { getExecutor: () => executor }
  const isPostgres = executor.adapter instanceof PostgresAdapter
  return {
    from(table) {
      const alias = table.split(' as ').at(-1) as string
      return creator.selectFrom(table).where(`${alias}.account_id`, '=', accountId) as Query
    },
    async run(query, params) {
      return (await executor.executeQuery<any>(change(query.bind(params, accountId, isPostgres)))).rows
    },
    async wrap(wrapper, query) {
      return (await wrapper.around(query, isPostgres).execute(runner)).rows
    },
    async reach(table, from, to, ids) {
      // Each step uses the index on the column. `union` removes duplicates, so a cycle ends.
      const rows = await creator
        .withRecursive('reached(id)', (all) =>
          all
            .selectFrom(table)
            .select(`${to} as id`)
            .where('account_id', '=', accountId)
            .where(from, 'in', ids)
            .where(to, 'is not', null)
            .union((more) =>
              more
                .selectFrom('reached')
                .innerJoin(`${table} as t`, (join) =>
                  join
                    .on('t.account_id', '=', accountId)
                    .onRef(`t.${from}`, '=', 'reached.id')
                    .on(`t.${to}`, 'is not', null),
                )
                .select(`t.${to} as id`),
            ),
        )
        .selectFrom('reached')
        .select('id')
        .execute()
      return [...new Set([...ids, ...rows.map((row) => row.id as number)])]
    },
  }
}

const formatters = new Map<string, Intl.DateTimeFormat>()

/** The last date in each time zone: most calls need today's. */
const lastDates = new Map<string, { minute: number; date: string }>()

/** Since this time, days begin at a full minute in all time zones. */
const FULL_MINUTES = Date.parse('1973-01-01T00:00:00Z')

/** The date at a time in a time zone. */
export function dateIn(timeZone: string, moment: Date): string {
  const minute = Math.floor(moment.getTime() / 60_000)
  const last = lastDates.get(timeZone)
  if (last?.minute === minute) return last.date
  const date = formattedIn(timeZone, moment)
  if (moment.getTime() > FULL_MINUTES) lastDates.set(timeZone, { minute, date })
  return date
}

function formattedIn(timeZone: string, moment: Date): string {
  let formatter = formatters.get(timeZone)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formatters.set(timeZone, formatter)
  }
  return formatter.format(moment)
}

/** The time at which a day begins in a time zone. It is not midnight if a clock change skips that hour. */
export function startOfDay(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const hour = 3_600_000
  // In no time zone does a day begin earlier or later than this.
  let [before, after] = [midnight - 16 * hour, midnight + 16 * hour]
  while (after - before > 1) {
    const between = Math.floor((before + after) / 2)
    if (dateIn(timeZone, new Date(between)) < day) before = between
    else after = between
  }
  return new Date(after)
}
