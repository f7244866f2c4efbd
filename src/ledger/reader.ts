import { PostgresAdapter, QueryCreator, type QueryExecutor } from 'kysely'
import type { Compiled } from '../database/compile.ts'
import type { Database, Sql } from '../database/database.ts'
import type { Narrowing } from '../database/rewrite-query.ts'
import type { AccountVersion } from './account-version.ts'
import { requireVersion } from './account-versions.ts'
import type { Account, Caller } from './caller.ts'
import type { Lookups } from './lookups.ts'
import { countMatches, type ListQuery, type Matches, type MatchingIds } from './matching-ids.ts'
import type { Params, PreparedQuery, Wrapper } from './prepared.ts'
import type { Query } from './query.ts'
import type { ReadSet } from './read-set.ts'
import type { Showing } from './reads.ts'
import type { PastTable, Referrer } from './tables.ts'

export type { Query } from './query.ts'

/**
 * The moment of a call, told when it is asked for: an answer that holds it cannot be given again. The compiler knows that it is
 * lost to whoever spreads a reader instead of making one that is like it.
 */
class Momentary {
  declare readonly tellNow: () => string

  get now(): string {
    return this.tellNow()
  }
}

/** What reads of one call have: selects that are bound to its account, and its moment. */
export interface Reader extends Momentary {
  readonly caller: Caller
  readonly account: Account
  /** The full hour after it: whoever needs no more than that looks at this. */
  readonly hour: string
  /** The calendar date of that moment where the account is. */
  readonly today: string
  /** How the caller looks at records: as of which day, and whatever else an operation's lenses set. */
  readonly view: Readonly<{ day: string } & Record<string, any>>
  /** Field groups that were left out of what was read because they are withheld from the caller. */
  readonly omitted: Set<string>
  /** What was read to be shown: tells who watches over some of it. */
  readonly shown: Showing[]
  /** `from('books')` or `from('books as b')`: only rows of the account. */
  from(table: string): Query
  /** Runs a prepared query. */
  run<P extends Params>(query: PreparedQuery<P>, params: P): Promise<any[]>
  /** Runs a prepared wrapper around a query that is built anew. */
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
  /** What is read is only to be written down: small records that others name may come as texts. */
  readonly writes?: true
  /** The text under a name in a column that holds a JSON object: an expression. */
  jsonText: Database['jsonText']
  /** Numbers, however many, to be looked for with `in`. */
  numberList: Database['numberList']
  daysBetween: Database['daysBetween']
  /** Who may refer to records of a table. */
  referrersOf(table: string): readonly Referrer[]
  /** These ids and all that can be reached from them, following a table's rows from one column to another. */
  reach(table: string, from: string, to: string, ids: number[]): Promise<number[]>
  /**
   * The same records as they were at a moment of the past, and no others may be asked for. Null when more has happened
   * since than can be taken back. Whoever writes looks at the present.
   */
  asKnownAt?(then: Moment, tables: readonly PastTable[]): Promise<Reader | null>
  /** The same records, of which some are not there, or in part only. */
  narrowedTo(eyes: Eyes): Reader
  /** What this one is narrowed to. */
  readonly eyes?: Eyes
  /** What is shown to a caller who does not see all of what a write must look at. */
  readonly shownTo?: Reader
}

/** Which rows of tables are seen, and what of them; those who show records ask by their tables. */
type Values = Readonly<Record<string, unknown>>
/** What is to become of a record. */
type Attempted = { readonly before: Values | null; readonly changes: Values; readonly after: Values }

export interface Eyes {
  /** What is seen of a table, by the name that statements give it; undefined: all of it. */
  narrowingOf(name: string): Narrowing | undefined
  /** Field groups of a table's records that are never seen, and those that are seen in some records only. */
  sightOf(table: string): { readonly withheld: ReadonlySet<string>; readonly partial: ReadonlySet<string> }
  /** Those of the ids that may be named in a column of a table's records. */
  nameable?(db: Reader, table: string, column: string, ids: readonly number[]): Promise<ReadonlySet<number>>
  /** Those of the ids of a table that a caller may know of. */
  known?(db: Reader, table: string, ids: readonly number[]): Promise<ReadonlySet<number>>
  /** Does a permission hold for a record that others are about, with sight of a group of its data? */
  holds?(permission: string, table: string, id: number, group?: string): boolean
  /** Refuses attempts that are about what is held back from a caller. */
  refuseHeldBack?(table: string, attempts: readonly Attempted[]): void
  /** Is what is held back of a table's records seen of all of them? */
  seesHeldBack?(table: string): boolean
  /** Are all records of a table seen? */
  seesAll(table: string): boolean
  /** Looks at what this request itself has changed: those who have come by it may be reached now. */
  meet?(db: Reader): Promise<void>
  /** What is seen by another permission. */
  by?(permission: string): Eyes
  /** What plans of statements differ by. */
  readonly key: string
}

/** A moment of the past: its time, the ledger's number by then, and the number by now. */
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
  }: { readSet?: ReadSet | undefined; matchingIds?: MatchingIds; lookups?: Lookups | undefined } = {},
): Reader {
  const { account } = caller
  const today = dateIn(account.time_zone, now)
  const noted = (statement: Compiled): Compiled => {
    readSet?.add(statement.tables)
    return statement
  }
  const generation = database.generation()
  let version: Promise<AccountVersion> | undefined
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
    narrowedTo(eyes) {
      const narrow = (statement: Compiled) =>
        noted(database.rewriteQuery(statement, [], narrowingsIn(statement, eyes, account.id)))
      // Ways from record to record are followed as they are; what they lead to is seen or not.
      const isNarrowed = ({ all }: ListQuery) => narrowingsIn(all.compile() as Compiled, eyes, account.id).length > 0
      return like(own, {
        ...statementsOn(compiling(executor, narrow), account.id, narrow),
        reach: own.reach,
        lookUp: undefined,
        matches: own.matches && ((list: ListQuery) => (isNarrowed(list) ? countMatches(list) : own.matches?.(list))),
        eyes,
      })
    },
  })
  return own
}

/** What is seen of the tables that a statement speaks of, where that is not all. */
export const narrowingsIn = (statement: Compiled, eyes: Eyes, accountId: number): Narrowing[] =>
  [...statement.tables].flatMap((name) => (isWhole(name) ? wholeOf(name, accountId) : (eyes.narrowingOf(name) ?? [])))

const WHOLE = '='
const isWhole = (name: string) => name.startsWith(WHOLE)

/** The table behind a name that statements use. */
export const tableNamed = (name: string, eyes: Eyes | undefined): string =>
  isWhole(name) ? name.slice(WHOLE.length) : (eyes?.narrowingOf(name)?.table ?? name)

/**
 * The name by which a statement reads all rows of a table, also those that the caller may not see: only to follow ways from record
 * to record, such as reporting lines. What they lead to is seen or not.
 */
export const wholeTable = ({ eyes }: Reader, table: string): string => (eyes ? `${WHOLE}${table}` : table)

const wholeOf = (name: string, accountId: number): Narrowing => {
  return { name, table: name.slice(WHOLE.length), accountId, columns: null, rows: true, masks: {}, marks: {} }
}

const telling = <R>(parts: Omit<R, 'now'>): R => ({ __proto__: Momentary.prototype, ...parts }) as R

/** The same reader but for some of it. */
export const like = <R extends Reader, M extends object>(db: R, more: M): R & M => telling<R & M>({ ...db, ...more })

/** A value that depends on tables alone, cached from one call to the next. */
export async function cached<T>(db: Reader, key: string, make: (db: Reader) => Promise<T>): Promise<T> {
  if (!db.lookUp) return make(db)
  const values = await db.lookUp(key, [0], async (own) => new Map([[0, await make(own)]]))
  return values.get(0) as T
}

const HOUR = 3_600_000

/** The full hour after a moment, or the moment itself when it is one. */
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

/** Statements that are bound to an account. Each goes through `change` when it is compiled, or when it was compiled before. */
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
      // What leads on from a row is found by the index on its column; a circle ends where it began.
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

/** The last one that was asked for in each time zone: most ask for today. */
const lastDates = new Map<string, { minute: number; date: string }>()

/** Since then, days begin with a full minute everywhere. */
const FULL_MINUTES = Date.parse('1973-01-01T00:00:00Z')

/** The calendar date at a moment in a time zone. */
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

/** The moment at which a calendar date begins in a time zone: not at midnight where that hour is left out. */
export function startOfDay(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const hour = 3_600_000
  // Nowhere on earth does a day begin earlier or later than this.
  let [before, after] = [midnight - 16 * hour, midnight + 16 * hour]
  while (after - before > 1) {
    const between = Math.floor((before + after) / 2)
    if (dateIn(timeZone, new Date(between)) < day) before = between
    else after = between
  }
  return new Date(after)
}
