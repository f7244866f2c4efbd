import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createPrivateFolder, restrict } from './file-modes.ts'

/**
 * Replaces a SQLite database by a backup. At every moment the file is the complete old or the complete new database. The old one
 * is kept under another name, which is returned.
 */
export function restoreSqlite(file: string, backup: string, now = new Date()): string | undefined {
  refuseInvalidBackup(backup)
  const exists = existsSync(file)
  if (exists) takeOver(file, `the database ${file} is in use. Stop the service, then run "restore" again`)
  createPrivateFolder(dirname(file))
  const draft = `${file}.restoring`
  copyFileSync(backup, draft)
  restrict(draft)
  sync(draft)
  const replaced = `${file}.replaced-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`
  if (exists) linkSync(file, replaced)
  // A log that could not be merged into the old database stays with it: it must not be applied to the new one.
  for (const suffix of ['-wal', '-shm'])
    if (existsSync(file + suffix)) {
      if (exists) renameSync(file + suffix, replaced + suffix)
      else rmSync(file + suffix)
    }
  renameSync(draft, file)
  sync(dirname(file))
  return exists ? replaced : undefined
}

/** Throws if a file is not a Cadre database, or a damaged one. */
export function refuseInvalidBackup(backup: string): void {
  if (!existsSync(backup)) throw new Error(`the backup file ${backup} does not exist`)
  let verdict: unknown
  try {
    const database = new DatabaseSync(backup, { readOnly: true })
    verdict = Object.values(database.prepare('pragma integrity_check').get() ?? {})[0]
    database.prepare('select number from schema_migrations limit 1').get()
    database.close()
  } catch (error) {
    throw new Error(
      `${backup} cannot be read as a Cadre database: ${error instanceof Error ? error.message : error}. Choose a file that "backup" wrote`,
    )
  }
  if (verdict !== 'ok') throw new Error(`${backup} is damaged: ${verdict}. Restore another backup`)
}

/** Throws unless a file can be overwritten with a backup: it is an earlier backup that nobody uses. */
export function refuseToReplace(target: string): void {
  if (!existsSync(target) || statSync(target).size === 0) return
  const hint = 'Choose another file for the backup'
  try {
    const database = new DatabaseSync(target, { readOnly: true })
    database.prepare('select number from schema_migrations limit 1').get()
    database.close()
  } catch {
    throw new Error(
      `${target} already exists and is not a Cadre database, so it was not overwritten, not even with --force. ${hint}`,
    )
  }
  takeOver(target, `${target} is a database that is in use, so it was not overwritten. ${hint}`)
}

/** Throws if another process has the database open, and merges its log into it. A damaged database stays as it is. */
function takeOver(file: string, refusal: string): void {
  try {
    const database = new DatabaseSync(file, { timeout: 0 })
    try {
      database.exec('pragma locking_mode = exclusive; begin immediate; commit; pragma wal_checkpoint(truncate)')
      // Without a write-ahead log, closing leaves a single file.
      database.exec('pragma journal_mode = delete')
    } finally {
      database.close()
    }
  } catch (error) {
    if (/locked|busy/i.test(String(error))) throw new Error(refusal)
  }
}

/** Waits until a file or folder is on disk. */
function sync(path: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
