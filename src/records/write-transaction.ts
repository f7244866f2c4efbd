import { DatabaseUnavailable, type Sql } from '../database/database.ts'
import { KNOWN_SCHEMA } from '../database/migrate.ts'
import { runStatement, WrittenTables } from '../database/write-statements.ts'
import { FORGOTTEN, hasChangedAfter, textWithChanges } from './account-version.ts'
import type { AfterCommitJob } from './after-commit.ts'
import type { Caller } from './caller.ts'
import { chainStart } from './chain.ts'
import { settleAll } from './chunks.ts'
import { MAX_SKEW } from './clock.ts'
import { appendEntries, type Change } from './entries.ts'
import type { LedgerErasure } from './tables.ts'

/**
 * A transaction that holds the write lock of an account: the lock on the account's row, until the transaction ends. Writers of an
 * account run one after the other, so what a rule has read remains true, and change numbers have no gaps.
 */
export type WriteTransaction = {
  readonly sql: Sql
  /** A handler can replace it when it finds out who acts, as sign-in does. */
  caller: Caller
  readonly operation: string
  readonly at: Date
  /** The change number of the first change. */
  readonly firstNumber: number
  /** The hash that the first entry follows: of the last entry, or the start of the chain. */
  readonly previousHash: string
  /** The hash of the last entry; null if there is none. */
  readonly ledgerHash: string | null
  readonly changes: Change[]
  /** The tables that it has written to. */
  readonly writtenTables: Set<string>
  /** The version of the account after this transaction. */
  readonly version: number
  /** When tables last changed, before this transaction. */
  readonly tableVersions: string
  /** Statements that have been sent and not awaited yet. */
  readonly pending: Promise<unknown>[]
  /** What to erase from the ledger at the end. */
  readonly erasures: LedgerErasure[]
  /** Jobs for after the commit. */
  readonly jobs: AfterCommitJob[]
  /** Jobs for the case that the transaction fails. */
  readonly failureJobs: AfterCommitJob[]
}

/**
 * Timestamps of an account never go back, even if the clocks of two processes differ a little. If the last timestamp is far
 * ahead, a wrong clock has been corrected, so the new time counts. If a newer version has migrated the schema, no row is found.
 */
const LOCK = `update accounts set ledger_no = ledger_no + 1,
  turn_at = case when turn_at > ? and turn_at < ? then turn_at else ? end
  where id = ? and (select max(number) from schema_migrations) <= ?
  returning ledger_no, ledger_hash, turn_at, version, table_versions`

const UPDATE_ACCOUNT = `update accounts set ledger_no = ?, ledger_hash = ?, version = ?, table_versions = ? where id = ?`

/** After this many milliseconds the caller's rights are confirmed again, in case a session or role has expired since. */
const CONFIRM_AFTER = 1000
const FOREVER = '9999'

/** Takes the write lock of the caller's account and confirms the caller's rights if they may have changed. */
export async function lockAccount(
  sql: Sql,
  caller: Caller,
  operation: string,
  now: Date,
  failureJobs: AfterCommitJob[] = [],
): Promise<WriteTransaction> {
  const at = now.toISOString()
  const latest = new Date(now.getTime() + MAX_SKEW).toISOString()
  const [account] = await runStatement(sql, LOCK, [at, latest, at, caller.account.id, KNOWN_SCHEMA])
  if (!account)
    throw new DatabaseUnavailable(
      'A newer version of Cadre has migrated the database schema. Stop this process and start the newer version',
    )
  // Entries of earlier versions are being chained. After that, a missing hash means that somebody has removed it.
  if (account.ledger_hash === null && account.ledger_no > 1)
    throw new DatabaseUnavailable('The ledger is being migrated. Try again in a moment')
  const { admitted, version: admittedVersion } = caller
  // A slow upload may have begun before the caller lost their rights.
  const isOld =
    admitted && (now.getTime() - admitted.checkedAt.getTime() >= CONFIRM_AFTER || (admitted.expiresAt ?? FOREVER) <= at)
  if (
    admitted &&
    admittedVersion &&
    (isOld || hasChangedAfter(account.table_versions, admitted.tables, admittedVersion.version))
  )
    await admitted.confirm(sql)
  const written = new WrittenTables()
  return {
    sql: sql.withPlugin(written),
    caller,
    operation,
    at: new Date(account.turn_at),
    firstNumber: account.ledger_no,
    ledgerHash: account.ledger_hash,
    previousHash: account.ledger_hash ?? chainStart(caller.account.id),
    version: account.version + 1,
    tableVersions: account.table_versions,
    writtenTables: written.tables,
    changes: [],
    pending: [],
    erasures: [],
    jobs: [],
    failureJobs,
  }
}

/** Stores the ledger entries, and the new change number, hash and versions of the account. */
export async function storeEntries(transaction: WriteTransaction): Promise<void> {
  const { sql, caller, operation, at, firstNumber, previousHash, changes, version, tableVersions } = transaction
  const by = { caller, operation, at: at.toISOString() }
  const { hash, stored } = appendEntries(sql, by, firstNumber, previousHash, changes)
  const tables = [...transaction.writtenTables]
  const updated = runStatement(
    sql,
    UPDATE_ACCOUNT,
    [
      lastNumberOf(transaction),
      changes.length > 0 ? hash : transaction.ledgerHash,
      tables.length > 0 ? version : version - 1,
      tables.length > 0 ? textWithChanges(tableVersions, tables, version) : tableVersions,
      caller.account.id,
    ],
    'accounts',
  )
  await settleAll([...transaction.pending, stored, updated])
}

/** Waits for all pending statements and returns the first failure, which made those that follow fail; otherwise the error. */
export async function firstFailure(error: unknown, { pending }: WriteTransaction): Promise<unknown> {
  // Emptied, because the caller handles the failure.
  const first = (await Promise.allSettled(pending.splice(0))).find(({ status }) => status === 'rejected')
  return first ? (first as PromiseRejectedResult).reason : error
}

/** Marks tables as changed by something that has no ledger entries, so that caches read them again. */
export async function markTablesChanged(sql: Sql, accountId: number, tables: readonly string[]): Promise<void> {
  const { version, table_versions } = await sql
    .updateTable('accounts')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', accountId)
    .returning(['version', 'table_versions'])
    .executeTakeFirstOrThrow()
  await sql
    .updateTable('accounts')
    .set({ table_versions: textWithChanges(table_versions, [...tables, FORGOTTEN], version) })
    .where('id', '=', accountId)
    .execute()
}

/** The change number of the last change. */
export const lastNumberOf = ({ firstNumber, changes }: WriteTransaction) => firstNumber - 1 + changes.length

/** Waits for the writers of one account, or of all, and lets none begin before the transaction ends. */
export async function blockWriters(sql: Sql, accountId: number | null): Promise<void> {
  await sql
    .updateTable('accounts')
    .set((eb) => ({ ledger_no: eb.ref('ledger_no') }))
    .$if(accountId !== null, (update) => update.where('id', '=', accountId))
    .execute()
}
