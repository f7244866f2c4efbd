import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { sqliteFileOf } from '../../database/connect.ts'
import type { Database } from '../../database/database.ts'
import { restrictFolder } from '../../database/file-modes.ts'
import { refuseInvalidBackup, refuseToReplace, restoreSqlite } from '../../database/restore.ts'
import type { FileSource } from '../../engine/file-source.ts'
import { folderOf, storageAt } from './address.ts'
import { filesOfRecords } from './check.ts'
import { awaitFiles, type CopyOptions, type CopyResult, copyFiles } from './copy.ts'
import { isFileFolder } from './folder.ts'
import { DRAFTS, filesAmong, MARK } from './storage.ts'
import { FileStore, keyOfFile } from './store.ts'

/** Copies of a SQLite database and of the uploaded files, and how they are put back. */

type PrintLine = (line: string) => void

/** What is backed up: the database and the file storage, as configured. */
export type BackupSource = { DATABASE_URL: string; CADRE_FILES: string }

type BackupOptions = { target: string; folder?: string | undefined; force?: boolean | undefined; say: PrintLine }

/** Copies the database while it is in use, and then the files: one that came later is one that no record of the copy has. */
export async function backUp(
  of: BackupSource,
  { database, files, sources }: { database: Database; files: FileStore; sources: readonly FileSource[] },
  { target, folder: named, force = false, say }: BackupOptions,
): Promise<boolean> {
  if (existsSync(target) && !force) throw new Error(`${target} already exists. Use --force to overwrite it`)
  if (named !== undefined && folderOf(named) === undefined)
    throw new Error(`--files must be a folder. To copy files to ${named}, use "files copy"`)
  // Whatever links lead there, and without a slash at its end.
  const folder = named === undefined ? undefined : really(named)
  if (folder !== undefined && existsSync(folder) && !force)
    throw new Error(`${named} already exists. Use --force to overwrite it`)
  refusePlaces(of, target, folder)
  refuseToReplace(target)
  if (folder !== undefined) {
    // The copy that is there is better than one of a disk that is not mounted.
    if (!(await files.recognise(async () => (await filesOfRecords(database, sources)).keys())))
      throw new Error(files.advice)
  }
  await database.backup(target)
  say(`Backed up the database to ${target}.`)
  if (folder === undefined) return true

  // Anew, not on top: what was erased meanwhile must not live on in the copy. Of no files it is an empty folder.
  const [, draft, before] = placesOf(folder)
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true })
  const copied = await copyTo(of.CADRE_FILES, draft, say)
  // Whoever was killed between the two has left it there.
  const earlier = existsSync(folder) ? folder : before
  const isWhole = await fillUp({ draft, earlier, copied, wanted: await wantedStill(target), say })
  if (existsSync(folder)) {
    await rm(before, { recursive: true, force: true })
    await rename(folder, before)
  }
  await rename(draft, folder)
  await rm(before, { recursive: true, force: true })
  restrictFolder(folder, isFileFolder)
  say(`Backed up the files to ${named}.`)
  return isWhole

  /** What the records of the copy have; those that have gone since then took their files with them. */
  async function wantedStill(copy: string): Promise<Map<string, string>> {
    const still = await filesOfRecords(database, sources)
    return new Map([...filesIn(copy, sources)].filter(([key]) => still.has(key)))
  }
}

/** What the copies take the place of goes: of all that is copied nothing may lie there, and nothing but copies of files. */
function refusePlaces({ DATABASE_URL, CADRE_FILES }: BackupSource, target: string, folder: string | undefined): void {
  const [file, store] = [sqliteFileOf(DATABASE_URL), folderOf(CADRE_FILES)]
  if (file !== undefined && really(target) === really(file))
    throw new Error(`${target} is the database itself. Choose another file for the backup`)
  const isOfDatabase = file !== undefined && ['-wal', '-shm'].some((rest) => really(target) === really(file) + rest)
  if (isOfDatabase || (store !== undefined && isWithin(target, store)))
    throw new Error(
      `${target} belongs to the database or the file storage that is backed up. Choose another file for the backup`,
    )
  if (folder === undefined) return
  const own = { 'the database backup': target, 'the database': file, 'the files': store }
  for (const place of placesOf(folder)) {
    for (const [what, path] of Object.entries(own))
      if (path !== undefined && isWithin(path, place))
        throw new Error(
          `${what} would be inside ${place}, which this backup replaces. Choose another folder for --files`,
        )
    if (store !== undefined && isWithin(place, store))
      throw new Error(`${place} is inside CADRE_FILES, the folder that is backed up. Choose another folder for --files`)
    if (existsSync(place) && !isCopyOfFiles(place))
      throw new Error(
        `the folder ${place} contains files that "backup" did not write, so it is not replaced. Choose another folder for --files`,
      )
  }
}

/** Where copied files come to lie, where they lie until they are whole, and where the copy before is put meanwhile. */
const placesOf = (folder: string) => [folder, `${folder}.part`, `${folder}.replaced-by-cadre`] as const

function isCopyOfFiles(folder: string): boolean {
  if (!statSync(folder).isDirectory()) return false
  const fileAt = filesAmong()
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => !one.isDirectory())
    .map((one) => join(one.parentPath, one.name).slice(join(folder, '/').length).replaceAll('\\', '/'))
    .every((key) => key === MARK || key.startsWith(`${DRAFTS}/`) || fileAt(key) !== undefined)
}

/** Whether a path is another one, or lies below it, whatever links lead there. */
function isWithin(path: string, other: string): boolean {
  const [inner, outer] = [really(path), really(other)]
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep)
}

/** Where a path leads to, also if it is not there yet. */
function really(path: string): string {
  const whole = resolve(path)
  if (existsSync(whole)) return realpathSync(whole)
  return dirname(whole) === whole ? whole : join(really(dirname(whole)), basename(whole))
}

type FillOptions = { draft: string; earlier: string; copied: CopyResult; wanted: Map<string, string>; say: PrintLine }

/** What could not be copied, though a record has it, is taken from the copy before. Says whether nothing was wrong. */
async function fillUp({ draft, earlier, copied, wanted, say }: FillOptions): Promise<boolean> {
  const missing = new Map([...wanted].filter(([key]) => !copied.keys.has(key)))
  if (missing.size === 0) return copied.damaged.length === 0
  const [from, to] = [earlier, draft].map((one) => new FileStore(storageAt(one))) as [FileStore, FileStore]
  const { keys } = existsSync(earlier)
    ? await copyFiles(from, to, { isWanted: (key) => missing.has(key) })
    : { keys: new Set<string>() }
  for (const [key, who] of missing)
    say(
      keys.has(key)
        ? `file missing in the file storage, copied from the previous backup instead: the file of ${who}`
        : `file missing: the file of ${who}`,
    )
  return false
}

/** Puts a copy in place, and the files that belong to it. Says whether all of them came. */
export async function restore(
  { DATABASE_URL, CADRE_FILES }: BackupSource,
  sources: readonly FileSource[],
  { copy, folder, say }: { copy: string; folder: string | undefined; say: PrintLine },
): Promise<boolean> {
  const file = sqliteFileOf(DATABASE_URL)
  if (file === undefined)
    throw new Error('"restore" is for SQLite only. Restore PostgreSQL with its own tools, for example pg_restore')
  if (folder !== undefined) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new Error(`the folder ${folder} of --files does not exist`)
    // Before anything is changed.
    refuseInvalidBackup(copy)
    const some = await new FileStore(storageAt(folder)).all().next()
    if (some.done && filesIn(copy, sources).size > 0)
      throw new Error(
        `${folder} contains no files, but the database in ${copy} refers to uploaded files. Pass the folder that was backed up together with ${copy}`,
      )
    await awaitFiles(new FileStore(storageAt(CADRE_FILES)), { seconds: 0, say })
  }
  const aside = restoreSqlite(file, copy)
  say(`Restored ${copy} to ${file}.${aside ? ` The previous database is now ${aside}.` : ''}`)
  if (folder === undefined) return true
  // What is there already may be what the copy is needed for.
  const { damaged } = await copyTo(folder, CADRE_FILES, say, { isDoubted: true })
  restrictFolder(CADRE_FILES, isFileFolder)
  say(`Restored the files from ${folder} to ${CADRE_FILES}.`)
  const missing = filesIn(copy, sources)
  for await (const { key } of new FileStore(storageAt(CADRE_FILES)).all()) missing.delete(key)
  for (const who of missing.values()) say(`file missing: the file of ${who}`)
  return damaged.length === 0 && missing.size === 0
}

/** Copies all files to another place, and says of those that are damaged. */
export async function copyTo(from: string, to: string, say: PrintLine, how: CopyOptions = {}): Promise<CopyResult> {
  const [source, target] = [from, to].map((one) => new FileStore(storageAt(one))) as [FileStore, FileStore]
  await awaitFiles(target, { seconds: 0, say })
  const result = await copyFiles(source, target, { tell: (seen) => say(`${seen} files …`), ...how })
  for (const name of result.damaged)
    say(`file not copied, because its content does not match its name (damaged): ${name}`)
  return result
}

/** The files that records of a copy have, by their keys, and whose they are. Of an older version it may have fewer tables. */
function filesIn(copy: string, sources: readonly FileSource[]): Map<string, string> {
  // Nobody writes to a copy: it is read without a log beside it.
  const database = new DatabaseSync(new URL(`${pathToFileURL(copy)}?immutable=1`), { readOnly: true })
  try {
    const found = new Map<string, string>()
    for (const { table, named, columns, fileOf } of sources) {
      const there = new Set(
        database
          .prepare('select name from pragma_table_info(?)')
          .all(table)
          .map(({ name }) => name),
      )
      if (!columns.every((column) => there.has(column))) continue
      const rows = database.prepare(
        `select account_id, id, ${columns.join(', ')} from ${table} where ${named} is not null`,
      )
      for (const row of rows.iterate() as Iterable<Record<string, any>>) {
        const file = fileOf(row)
        if (file) found.set(keyOfFile(file), `${table} ${row.id} of account ${row.account_id}`)
      }
    }
    return found
  } finally {
    database.close()
  }
}
