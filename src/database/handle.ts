import { type SelectQueryBuilder, sql } from 'kysely'
import type { Resource } from '../engine/resource.ts'
import type { Database, Sql } from './database.ts'
import { Ledger, type Writer } from './write.ts'

export type Account = { id: number; name: string; time_zone: string; currency_code: string; signing_key: string }

/** On whose behalf the database is used, and what may not be shown to them. */
export type Caller = {
  /** All kinds of records, to know what refers to what. */
  resources: readonly Resource<any>[]
  account: Account
  /** `key:7`, or `command line`. */
  actor: string
  /** The employee the key belongs to. */
  employeeId: number | null
  permissions: readonly string[]
  withheld: ReadonlySet<string>
  origin: string
  requestId: string
  operation: string
}

/** What reads of one request have: selects that are bound to its account, and its moment. */
export interface Reader {
  readonly account: Account
  readonly employeeId: number | null
  readonly now: string
  /** The calendar date of that moment where the account is. */
  readonly today: string
  readonly permissions: readonly string[]
  /** How the caller looks at records: as of which day, and whatever else an operation's lenses set. */
  readonly view: Readonly<{ day: string } & Record<string, any>>
  /** Where the service is reached, for addresses in answers. */
  readonly origin: string
  /** Field groups that the caller may not see, and those that were left out because of it. */
  readonly withheld: ReadonlySet<string>
  readonly omitted: Set<string>
  /** `from('teams')` or `from('teams as t')`: only rows of the account. */
  from(table: string): SelectQueryBuilder<any, any, any>
  /** Runs a statement that is text around a query: the text must be made of our own names only. */
  around(before: string, query: SelectQueryBuilder<any, any, any>, after: string): Promise<any[]>
  /** These ids and all that can be reached from them, following a table's rows from one column to another. */
  reach(table: string, from: string, to: string, ids: number[]): Promise<number[]>
}

export function reader(sql_: Sql, caller: Caller, now: Date): Reader {
  const { account } = caller
  const today = dateIn(account.time_zone, now)
  return {
    account,
    employeeId: caller.employeeId,
    now: now.toISOString(),
    today,
    view: { day: today },
    origin: caller.origin,
    permissions: caller.permissions,
    withheld: caller.withheld,
    omitted: new Set(),
    from(table) {
      const alias = table.split(' as ').at(-1) as string
      return sql_.selectFrom(table).where(`${alias}.account_id`, '=', account.id)
    },
    async around(before, query, after) {
      return (await sql`${sql.raw(before)}${query}${sql.raw(after)}`.execute(sql_)).rows
    },
    async reach(table, from, to, ids) {
      // What leads on from a row is found by the index on its column; a circle ends where it began.
      const { rows } = await sql<{ id: number }>`
        with recursive reached (id) as (
          select ${sql.ref(to)} from ${sql.table(table)}
          where account_id = ${account.id} and ${sql.ref(from)} in (${sql.join(ids)}) and ${sql.ref(to)} is not null
          union
          select ${sql.ref(`t.${to}`)} from reached join ${sql.table(table)} t
            on t.account_id = ${account.id} and ${sql.ref(`t.${from}`)} = reached.id and ${sql.ref(`t.${to}`)} is not null
        ) select id from reached`.execute(sql_)
      return [...new Set([...ids, ...rows.map((row) => row.id)])]
    },
  }
}

/** Runs reads for a caller; all of them see the same state of the data. */
export const readAs = <T>(database: Database, caller: Caller, now: Date, work: (db: Reader) => Promise<T>) =>
  database.read((sql_) => work(reader(sql_, caller, now)))

/** Runs one ledgered write for a caller: everything or nothing. */
export const writeAs = <T>(
  database: Database,
  caller: Caller,
  clock: () => Date,
  work: (db: Writer) => Promise<T>,
  isAbandoned?: () => boolean,
) => database.write((sql_) => writeOn(sql_, caller, clock, work), isAbandoned)

/** The same inside a transaction that is already open. */
export async function writeOn<T>(
  sql_: Sql,
  caller: Caller,
  clock: () => Date,
  work: (db: Writer) => Promise<T>,
): Promise<T> {
  const ledger = await Ledger.takeTurn(sql_, caller, clock())
  const result = await work(ledger.writer())
  await ledger.close()
  return result
}

const formatters = new Map<string, Intl.DateTimeFormat>()

/** The calendar date at a moment in a time zone. */
export function dateIn(timeZone: string, moment: Date): string {
  let formatter = formatters.get(timeZone)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formatters.set(timeZone, formatter)
  }
  return formatter.format(moment)
}
