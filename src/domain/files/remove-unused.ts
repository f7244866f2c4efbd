import type { Database, Sql } from '../../database/database.ts'
import { queryAllAccounts } from '../../database/query-all-accounts.ts'
import { type FileSource, isSameFile, type RecordFile } from '../../engine/file-source.ts'
import { deleteJob, type JobHandlers } from '../../records/after-commit.ts'
import type { Consequence } from '../../records/consequences.ts'
import { blockWriters } from '../../records/write-transaction.ts'
import { recordPendingRemoval, SOON_ENOUGH, UNSETTLED_FILE, UNSETTLED_FOR } from './pending-removals.ts'
import { FilesUnavailable } from './storage.ts'
import { CLEAR_FILES, DROP_FILE, type FileStore, isOfOneAccount } from './store.ts'

/** Files go when the last record that has them goes: after the commit, and whichever way the record went. */

export const dropsFiles = (sources: readonly FileSource[]): Consequence => ({
  of: sources.map(({ table }) => table),
  async follow(db, changes) {
    for (const { resource, record_id, action, before } of changes) {
      const source = sources.find(({ table }) => table === resource)
      if (!source || action === 'create' || !before || !(source.named in before)) continue
      const file = source.fileOf({ account_id: db.account.id, id: record_id, ...before })
      if (file) db.afterCommit(DROP_FILE, { part: file.part, hash: file.hash })
    }
  },
})

type FileLocation = Pick<RecordFile, 'part' | 'hash'>

/** The handlers of after-commit jobs for files. */
export function fileJobHandlers(database: Database, files: FileStore, sources: readonly FileSource[]): JobHandlers {
  const drop = (file: FileLocation, accountId: number) =>
    dropUnused(database, files, sources, file, isOfOneAccount(file.part) ? accountId : null)
  return {
    [DROP_FILE]: async ({ part, hash, at }, accountId) =>
      at !== undefined && isUnsettled(at) ? 'later' : drop({ part, hash }, accountId),
    async [CLEAR_FILES]({ part, isKnown }, accountId) {
      const within = files.in(String(part ?? ''))
      if (isKnown === false && !(await files.isBegun()) && !(await files.isElsewhere())) return undefined
      // A disk that is not there is no empty part.
      await within.refuseElsewhere()
      const outcomes: unknown[] = []
      // Whose record has come back by then keeps its files.
      for (const hash of await within.hashes()) outcomes.push(await drop({ part, hash }, accountId))
      await within.tidy()
      return outcomes.includes('later') ? 'later' : undefined
    },
    [UNSETTLED_FILE]: async ({ at }) => (isUnsettled(at) ? 'later' : undefined),
  }
}

/** Kinds of jobs that a write does not wait long for if the files are in an object store. */
export const FILE_JOBS = [DROP_FILE, CLEAR_FILES, UNSETTLED_FILE]

const isUnsettled = (at: string) => Date.now() - Date.parse(at) < UNSETTLED_FOR

/**
 * Takes a file away that no record has, of any account or of the one whose alone it may be. Says whether it did, or that
 * somebody else is just about to.
 */
export async function dropUnused(
  database: Database,
  files: FileStore,
  sources: readonly FileSource[],
  file: FileLocation,
  accountId: number | null = null,
): Promise<boolean | 'later'> {
  const within = files.in(file.part)
  /** Nobody writes meanwhile: a file that is saved again just now must not go. */
  const whileUnused = <T>(work: (sql: Sql) => Promise<T>) =>
    database.write(
      async (sql) => {
        await blockWriters(sql, accountId)
        return (await isInUse(sql, sources, file, accountId)) ? false : work(sql)
      },
      // A record that goes in the same transaction may come back with it.
      { hasOwnTransaction: true },
    )
  if (!files.isFar)
    return whileUnused(async () => {
      await within.remove(file.hash)
      return true
    })
  // Where there never was a file it has not gone. A store that is away is found out here too, before anybody has to
  // reckon with an order to it.
  await files.refuseElsewhere()
  await within.has(file.hash)
  return files.whileGoing(file.hash, async () => {
    const noted = await whileUnused(
      async (sql) => (await recordPendingRemoval(sql, file, accountId)) ?? ('later' as const),
    )
    if (noted === false || noted === 'later') return noted
    const settle = () => database.write((sql) => deleteJob(sql, noted, noted.at))
    try {
      // Nobody waits for it: the bytes are nobody's as long as that is written down.
      if (Date.now() - Date.parse(noted.at) > SOON_ENOUGH) return 'later'
      await within.remove(file.hash)
    } catch (error) {
      if (error instanceof FilesUnavailable && error.isAnswer) await settle()
      throw error
    }
    await settle()
    return true
  })
}

/** Whether a file is to go, and no record has it: its bytes may still be there. */
export async function isLeaving(
  database: Database,
  sources: readonly FileSource[],
  file: FileLocation,
): Promise<boolean> {
  const { rows: going } = await queryAllAccounts(database, (sql, accounts) =>
    sql
      .selectFrom('after_commit')
      .select('id')
      .where('account_id', 'in', accounts ?? sql.selectFrom('accounts').select('accounts.id'))
      .where('kind', '=', DROP_FILE)
      .where('details', 'like', `%"${file.hash}"%`)
      .limit(1)
      .execute(),
  )
  return going.length > 0 && !(await database.query((sql) => isInUse(sql, sources, file, null)))
}

async function isInUse(sql: Sql, sources: readonly FileSource[], file: FileLocation, accountId: number | null) {
  for (const { table, named, columns, namesFor, fileOf } of sources) {
    const rows = await sql
      .selectFrom(table)
      .select(['account_id', 'id', ...columns])
      .where('account_id', 'in', accountId === null ? sql.selectFrom('accounts').select('accounts.id') : [accountId])
      .where(named, 'in', namesFor?.(file.hash) ?? [file.hash])
      .execute()
    if (rows.some((row) => isSameFile(fileOf(row), file))) return true
  }
  return false
}

/** Whether any record has a file, of those accounts that can be reached. */
export async function hasAnyFile(database: Database, sources: readonly FileSource[]): Promise<boolean> {
  for (const { table, named } of sources) {
    const { rows } = await queryAllAccounts(database, (sql, accounts) =>
      sql
        .selectFrom(table)
        .select('id')
        .where('account_id', 'in', accounts ?? sql.selectFrom('accounts').select('accounts.id'))
        .where(named, 'is not', null)
        .limit(1)
        .execute(),
    )
    if (rows.length > 0) return true
  }
  return false
}
