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
import { makeFolder, tighten } from './privacy.ts'

/**
 * Puts a copy in the place of a SQLite database. At every moment the place holds the old database or the new one, whole;
 * the old one is kept aside, and its name is returned.
 */
export function restoreSqlite(file: string, copy: string, now = new Date()): string | undefined {
  refuseUnsound(copy)
  const isThere = existsSync(file)
  if (isThere) takeToItself(file, `the database ${file} is in use. Stop the service, then run "restore" again`)
  makeFolder(dirname(file))
  const draft = `${file}.restoring`
  copyFileSync(copy, draft)
  tighten(draft)
  sync(draft)
  const aside = `${file}.replaced-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`
  if (isThere) linkSync(file, aside)
  // A log that could not be folded into the old database goes aside with it: it must never meet the new one.
  for (const rest of ['-wal', '-shm'])
    if (existsSync(file + rest)) {
      if (isThere) renameSync(file + rest, aside + rest)
      else rmSync(file + rest)
    }
  renameSync(draft, file)
  sync(dirname(file))
  return isThere ? aside : undefined
}

/** Refuses what is no copy of a database of ours, or a damaged one. */
export function refuseUnsound(copy: string): void {
  if (!existsSync(copy)) throw new Error(`the backup file ${copy} does not exist`)
  let verdict: unknown
  try {
    const database = new DatabaseSync(copy, { readOnly: true })
    verdict = Object.values(database.prepare('pragma integrity_check').get() ?? {})[0]
    database.prepare('select number from schema_migrations limit 1').get()
    database.close()
  } catch (error) {
    throw new Error(
      `${copy} cannot be read as a Cadre database: ${error instanceof Error ? error.message : error}. Choose a file that "backup" wrote`,
    )
  }
  if (verdict !== 'ok') throw new Error(`${copy} is damaged: ${verdict}. Restore another backup`)
}

/** Only an earlier backup may be replaced: not another program's file, and not the database of another service. */
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
  takeToItself(target, `${target} is a database that is in use, so it was not overwritten. ${hint}`)
}

/** Refuses while anybody else has the database open, and folds its log into it. One that is broken is left as it is. */
function takeToItself(file: string, refusal: string): void {
  try {
    const database = new DatabaseSync(file, { timeout: 0 })
    try {
      database.exec('pragma locking_mode = exclusive; begin immediate; commit; pragma wal_checkpoint(truncate)')
      // Only without a log of its own does closing leave one file.
      database.exec('pragma journal_mode = delete')
    } finally {
      database.close()
    }
  } catch (error) {
    if (/locked|busy/i.test(String(error))) throw new Error(refusal)
  }
}

function sync(path: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
