import type { Database, Sql } from '../database/database.ts'
import type { Dutiful } from '../ledger/after-commit.ts'
import type { Consequence } from '../ledger/consequences.ts'
import { holdTurns } from '../ledger/turn.ts'
import { type FileSource, isSameFile, type KeptFile } from './source.ts'
import { type FileStore, isOfOneAccount } from './store.ts'

/** Files go when the last record that has them goes: after the commit, and whichever way the record went. */

export const dropsFiles = (sources: readonly FileSource[]): Consequence => ({
  of: sources.map(({ table }) => table),
  async follow(db, changes) {
    for (const { resource, record_id, action, before } of changes) {
      const source = sources.find(({ table }) => table === resource)
      if (!source || action === 'create' || !before || !(source.named in before)) continue
      const file = source.fileOf({ account_id: db.account.id, id: record_id, ...before })
      if (file) db.afterCommit('drop_file', { part: file.part, hash: file.hash })
    }
  },
})

type Place = Pick<KeptFile, 'part' | 'hash'>

export const droppingDuties = (database: Database, files: FileStore, sources: readonly FileSource[]): Dutiful => ({
  drop_file: async ({ part, hash }, accountId) => {
    await dropUnused(database, files, sources, { part, hash }, isOfOneAccount(part) ? accountId : null)
  },
})

/** Takes a file away that no record has, of any account or of the one whose alone it may be; says whether it did. */
export async function dropUnused(
  database: Database,
  files: FileStore,
  sources: readonly FileSource[],
  file: Place,
  accountId: number | null = null,
): Promise<boolean> {
  const within = files.in(file.part)
  // A store that is away is found out here, and not while everybody waits.
  await within.has(file.hash)
  return database.write(async (sql) => {
    // Nobody writes meanwhile: a file that is saved again just now must not go.
    await holdTurns(sql, accountId)
    if (await isInUse(sql, sources, file, accountId)) return false
    await within.remove(file.hash)
    return true
  })
}

async function isInUse(sql: Sql, sources: readonly FileSource[], file: Place, accountId: number | null) {
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
