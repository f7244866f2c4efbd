import type { Database } from '../../database/database.ts'
import { queryAllAccounts } from '../../database/query-all-accounts.ts'
import type { FileSource, RecordFile } from '../../engine/file-source.ts'
import { dropUnused } from './remove-unused.ts'
import { type FileStore, keyOfFile } from './store.ts'

const HOUR = 3_600_000

/** Files that no record has, records whose file is not there, and what was left of unfinished writes. */
export type FileCheck = {
  files: number
  orphans: string[]
  missing: string[]
  drafts: string[]
  /** Accounts that cannot be reached: any file may be theirs, so none is said to be without a record. */
  away: readonly number[]
}

/**
 * Holds the store of files against the records that have them. With `remove`, what no record has goes; what is younger
 * than an hour may belong to a write that is under way, and stays.
 */
export async function checkFiles(
  database: Database,
  files: FileStore,
  sources: readonly FileSource[],
  { remove = false, now = new Date() }: { remove?: boolean; now?: Date } = {},
): Promise<FileCheck> {
  const young = new Date(now.getTime() - HOUR)
  const found = new Map<string, UnreferencedFile>()
  for await (const { key, part, hash, name, since } of files.all()) found.set(key, { part, hash, name, since })
  const { wanted, away } = await lookForFiles(database, sources)
  const orphans: string[] = []
  for (const [place, file] of away.length > 0 ? [] : found) {
    if (wanted.has(place) || file.since > young) continue
    // A record may have come to have it since the records were looked at.
    if (!remove || (await dropUnused(database, files, sources, file)) === true) orphans.push(file.name)
  }
  const missing: string[] = []
  // Where there never was a file none has gone.
  for (const [place, { part, hash, who }] of (await files.isElsewhere()) ? [] : wanted)
    if (!found.has(place) && !(await files.in(part).has(hash))) missing.push(who)
  const drafts = remove ? await files.clearDrafts(young) : (await files.drafts(young)).map(({ name }) => name)
  return { files: found.size, orphans, missing, drafts, away }
}

type ReferencedFile = Pick<RecordFile, 'part' | 'hash'> & { who: string }

/** The files that records have, by their keys. */
export const filesOfRecords = async (database: Database, sources: readonly FileSource[]) =>
  (await lookForFiles(database, sources)).wanted

/** The same, and which accounts could not be reached. A database of an older version may have fewer tables. */
async function lookForFiles(database: Database, sources: readonly FileSource[]) {
  const away = new Set<number>()
  const wanted = new Map<string, ReferencedFile>()
  const tables = await database.query((sql) => sql.introspection.getTables())
  const columnsOf = new Map(tables.map(({ name, columns }) => [name, new Set(columns.map((column) => column.name))]))
  for (const { table, columns, fileOf } of sources) {
    if (!columns.every((name) => columnsOf.get(table)?.has(name))) continue
    const asked = await queryAllAccounts(database, (sql, accounts) =>
      sql
        .selectFrom(table)
        .select(['account_id', 'id', ...columns])
        .$if(accounts !== null, (query) => query.where('account_id', 'in', accounts))
        .execute(),
    )
    for (const id of asked.unreachable) away.add(id)
    for (const row of asked.rows) {
      const file = fileOf(row)
      if (file) wanted.set(keyOfFile(file), { ...file, who: `${table} ${row.id} of account ${row.account_id}` })
    }
  }
  return { wanted, away: [...away].toSorted((a, b) => a - b) }
}

type UnreferencedFile = Pick<RecordFile, 'part' | 'hash' | 'name'> & { since: Date }
