import { DatabaseUnavailable, type Sql } from '../database/database.ts'
import { KNOWN_SCHEMA } from '../database/migrate.ts'
import { runStatement, WrittenTables } from '../database/write-statements.ts'
import type { Duty } from './after-commit.ts'
import type { Caller } from './caller.ts'
import { beginningOf } from './chain.ts'
import { allDone } from './chunks.ts'
import { SKEW } from './clock.ts'
import { appendEntries, type Change } from './entries.ts'
import { changedSince, FORGOTTEN, versionsWith } from './footing.ts'
import type { Forgotten } from './tables.ts'

/**
 * The time in which one writer has an account to itself. Taking it locks the account's row until the transaction
 * ends, so writers of one account follow each other: what a rule has looked up stays true, and numbers have no gaps.
 */
export type Turn = {
  readonly sql: Sql
  /** On whose behalf; who that is may become known in its course. */
  caller: Caller
  readonly operation: string
  readonly at: Date
  /** The ledger's number for the first change of this turn. */
  readonly first: number
  /** The hash of the entry before it, or of the beginning; null as long as there is none. */
  readonly tip: string
  readonly hash: string | null
  readonly changes: Change[]
  /** The tables that it has written to, and when those that others have written to last changed. */
  readonly touched: Set<string>
  readonly version: number
  readonly versions: string
  /** Writes whose answers nobody has waited for yet. */
  readonly sent: Promise<unknown>[]
  /** Records of which the past is to say nothing any more, once the work is done. */
  readonly forgotten: Forgotten[]
  /** What is to be done once the turn's changes are on disk. */
  readonly duties: Duty[]
  /** What is to be done if its work fails. */
  readonly ifItFails: Duty[]
}

/**
 * Between processes whose clocks differ a little, time does not run backwards. A clock that was far ahead and is set right
 * is believed: otherwise every record would bear its wrong time from then on. A process that was left running while a
 * newer version changed the schema has no turn any more.
 */
const TAKE = `update accounts set ledger_no = ledger_no + 1,
  turn_at = case when turn_at > ? and turn_at < ? then turn_at else ? end
  where id = ? and (select max(number) from schema_migrations) <= ?
  returning ledger_no, ledger_hash, turn_at, version, table_versions`

const END = `update accounts set ledger_no = ?, ledger_hash = ?, version = ?, table_versions = ? where id = ?`

/** For so many milliseconds nobody asks whether what ends by itself has ended, but for an end that is known beforehand. */
const SOON = 1000
const FOREVER = '9999'

export async function takeTurn(
  sql: Sql,
  caller: Caller,
  operation: string,
  now: Date,
  ifItFails: Duty[] = [],
): Promise<Turn> {
  const at = now.toISOString()
  const soon = new Date(now.getTime() + SKEW).toISOString()
  const [turn] = await runStatement(sql, TAKE, [at, soon, at, caller.account.id, KNOWN_SCHEMA])
  if (!turn)
    throw new DatabaseUnavailable(
      'A newer version of Cadre has migrated the database schema. Stop this process and start the newer version',
    )
  // Versions before this one left entries that are to be chained first; later on, somebody has removed the hash.
  if (turn.ledger_hash === null && turn.ledger_no > 1)
    throw new DatabaseUnavailable('The ledger is being migrated. Try again in a moment')
  const { admitted, versions } = caller
  // Whoever was let in while their request was still coming may have been put out since.
  const isOld = admitted && (now.getTime() - admitted.at.getTime() >= SOON || (admitted.until ?? FOREVER) <= at)
  if (admitted && versions && (isOld || changedSince(turn.table_versions, admitted.by, versions.version)))
    await admitted.confirm(sql)
  const touched = new WrittenTables()
  return {
    sql: sql.withPlugin(touched),
    caller,
    operation,
    at: new Date(turn.turn_at),
    first: turn.ledger_no,
    hash: turn.ledger_hash,
    tip: turn.ledger_hash ?? beginningOf(caller.account.id),
    version: turn.version + 1,
    versions: turn.table_versions,
    touched: touched.tables,
    changes: [],
    sent: [],
    forgotten: [],
    duties: [],
    ifItFails,
  }
}

/** Writes the entries, and settles the account's number and the hash of its last entry. */
export async function endTurn(turn: Turn): Promise<void> {
  const { sql, caller, operation, at, first, tip, changes, version } = turn
  const { hash, stored } = appendEntries(sql, { caller, operation, at: at.toISOString() }, first, tip, changes)
  const touched = [...turn.touched]
  const ended = runStatement(
    sql,
    END,
    [
      lastOf(turn),
      changes.length > 0 ? hash : turn.hash,
      touched.length > 0 ? version : version - 1,
      touched.length > 0 ? versionsWith(turn.versions, touched, version) : turn.versions,
      caller.account.id,
    ],
    'accounts',
  )
  await allDone([...turn.sent, stored, ended])
}

/** When all that was sent is over: the error of the first that failed, by which whatever followed failed, or else this one. */
export async function causeOf(error: unknown, { sent }: Turn): Promise<unknown> {
  // Whoever is told of it makes of it what they will.
  const first = (await Promise.allSettled(sent.splice(0))).find(({ status }) => status === 'rejected')
  return first ? (first as PromiseRejectedResult).reason : error
}

/** Notes that tables have changed by something of which the ledger does not tell. */
export async function noteChanged(sql: Sql, accountId: number, tables: readonly string[]): Promise<void> {
  const { version, table_versions } = await sql
    .updateTable('accounts')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', accountId)
    .returning(['version', 'table_versions'])
    .executeTakeFirstOrThrow()
  await sql
    .updateTable('accounts')
    .set({ table_versions: versionsWith(table_versions, [...tables, FORGOTTEN], version) })
    .where('id', '=', accountId)
    .execute()
}

/** The ledger's number when the turn's changes are in it. */
export const lastOf = ({ first, changes }: Turn) => first - 1 + changes.length

/** Waits until no account has a writer, or not this one, and lets none begin before the transaction ends. */
export async function holdTurns(sql: Sql, accountId: number | null): Promise<void> {
  await sql
    .updateTable('accounts')
    .set((eb) => ({ ledger_no: eb.ref('ledger_no') }))
    .$if(accountId !== null, (update) => update.where('id', '=', accountId))
    .execute()
}
