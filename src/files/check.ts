import { rm, stat } from 'node:fs/promises'
import type { Database } from '../database/database.ts'
import type { FileSource } from './source.ts'
import type { FileStore } from './store.ts'

const HOUR = 3_600_000

/** Files that no record has, and records whose file is not there. */
export type FileCheck = { files: number; orphans: string[]; missing: string[]; drafts: number }

/**
 * Holds the folder of files against the records that have them. With `remove`, what no record has goes; what is younger
 * than an hour may belong to a write that is under way, and stays.
 */
export async function checkFiles(
  database: Database,
  files: FileStore,
  sources: readonly FileSource[],
  { remove = false, now = new Date() }: { remove?: boolean; now?: Date } = {},
): Promise<FileCheck> {
  const young = new Date(now.getTime() - HOUR)
  const found = new Map<string, string>()
  for await (const { part, hash, path } of files.all()) found.set(`${part}/${hash}`, path)
  const wanted = new Map<string, string>()
  for (const { table, columns, fileOf } of sources) {
    const rows = await database.glance((sql) =>
      sql
        .selectFrom(table)
        .select(['account_id', 'id', ...columns])
        .execute(),
    )
    for (const row of rows) {
      const file = fileOf(row)
      if (file) wanted.set(`${file.part}/${file.hash}`, `${table} ${row.id} of account ${row.account_id}`)
    }
  }
  const orphans: string[] = []
  for (const [place, path] of found) {
    if (wanted.has(place)) continue
    const { mtime } = await stat(path)
    if (mtime <= young) orphans.push(path)
  }
  const missing = [...wanted].filter(([place]) => !found.has(place)).map(([, who]) => who)
  if (remove) for (const path of orphans) await rm(path, { force: true })
  const drafts = remove ? await files.clearDrafts(young) : 0
  return { files: found.size, orphans, missing, drafts }
}
