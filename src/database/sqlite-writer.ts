import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery, sql } from 'kysely'
import { DatabaseUnavailable, type Sql } from './database.ts'
import type { SharedTransaction } from './group-commit.ts'
import type { RunStatement } from './kysely.ts'
import { isLocked } from './sqlite-errors.ts'

/** How long to wait while another process has locked the file, in milliseconds. */
const LOCK_TIMEOUT = 10_000

export const runText = (on: Sql, statement: string, values: readonly unknown[] = []) =>
  on.executeQuery(CompiledQuery.raw(statement, [...values]))

/** For so many milliseconds the statements of a write may follow each other before other requests get their turn. */
const MAX_STRETCH = 10

/**
 * The driver is synchronous. Without breaks between its statements, a write that changes thousands of records would block all
 * reads of this process. Statements keep their order: those that come during a break wait for the same turn.
 */
export function withBreaks(run: RunStatement): RunStatement {
  let stretchStart: number | undefined
  return (text, values) => {
    if (stretchStart === undefined) {
      stretchStart = performance.now()
      setImmediate(() => {
        stretchStart = undefined
      })
    } else if (performance.now() - stretchStart > MAX_STRETCH)
      return new Promise<void>((resolve) => setImmediate(resolve)).then(() => run(text, values))
    return run(text, values)
  }
}

/** Begins transactions on the one connection that writes. */
export function transactionsOn(connection: DatabaseSync, writer: Sql): () => Promise<SharedTransaction> {
  const transaction: SharedTransaction = {
    sql: writer,
    savepoint: () => runText(writer, 'savepoint job'),
    async rollbackToSavepoint(error) {
      // A full or broken disk ends the whole transaction, so all its writers fail with this error.
      if (!connection.isTransaction) throw error
      await runText(writer, 'rollback to job')
      await runText(writer, 'release job')
    },
    releaseSavepoint: () => runText(writer, 'release job'),
    commit: () => runText(writer, 'commit'),
    rollback: async () => void (connection.isTransaction && (await runText(writer, 'rollback'))),
  }
  return async () => {
    // Waits for the write lock without blocking this process.
    const until = Date.now() + LOCK_TIMEOUT
    for (let delay = 1; ; delay = Math.min(50, delay * 2)) {
      try {
        await runText(writer, 'begin immediate')
        return transaction
      } catch (error) {
        if (!isLocked(error) || Date.now() > until) throw error
        await pause(delay)
      }
    }
  }
}

/** Opens a connection. At the start nothing else runs in this process, so it may block while another has locked the file. */
export function openBlocking<T>(open: () => T): T {
  const until = Date.now() + LOCK_TIMEOUT
  for (;;) {
    try {
      return open()
    } catch (error) {
      if (!isLocked(error) || Date.now() > until) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    }
  }
}

/** A file up to this size is rewritten quickly. With a larger one, writers would wait too long. */
const MAX_REWRITE = 64 * 1024 * 1024

/** Removes deleted rows from the file and its log. */
export async function scrub(db: Sql): Promise<void> {
  await rewriteFile(db)
  await truncateLog(db)
}

/** When a full page is split, copies of the moved rows remain in its free space, and deleting the rows does not overwrite them. */
async function rewriteFile(db: Sql): Promise<void> {
  const { rows } = await sql<{ size: number }>`
    select page_count * page_size as size from pragma_page_count(), pragma_page_size()`.execute(db)
  if ((rows[0]?.size ?? 0) <= MAX_REWRITE) await sql`vacuum`.execute(db)
}

/** Writes the log into the file and empties it, as soon as nobody reads from it. */
async function truncateLog(db: Sql): Promise<void> {
  // Writers wait meanwhile, so this gives up soon; the after-commit job runs again later.
  const until = Date.now() + 300
  for (;;) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db)
    if (rows[0]?.busy === 0) return
    if (Date.now() > until)
      throw new DatabaseUnavailable('The write-ahead log could not be truncated because it is being read')
    await pause(20)
  }
}
