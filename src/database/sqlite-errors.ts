import { dirname } from 'node:path'
import { DatabaseUnavailable } from './database.ts'

/** SQLite's primary result codes. */
const [BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB] = [5, 6, 8, 10, 11, 13, 14, 26] as const
const OUTAGES: readonly number[] = [BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB]

/** The primary result code is the first byte of an error's code. */
const resultCode = (error: unknown) => Number((error as { errcode?: number } | null)?.errcode) & 0xff

export const isLocked = (error: unknown) => resultCode(error) === BUSY || resultCode(error) === LOCKED

/** Turns a failure of the file or its disk into `DatabaseUnavailable`, and returns any other error as it is. */
export function sqliteOutage(error: unknown): unknown {
  const code = resultCode(error)
  return OUTAGES.includes(code)
    ? new DatabaseUnavailable(String(error), { cause: error, isFull: code === FULL })
    : error
}

/** Why a file cannot be opened, and what to do about it. */
export function openFailure(error: unknown, file: string): string {
  const { code = '' } = error as { code?: string }
  const result = resultCode(error)
  if (code === 'EISDIR') return 'it is a folder. Set DATABASE_URL to a file'
  if (code === 'ENOTDIR' || code === 'EEXIST') return `${dirname(file)} is not a folder`
  if (code === 'ENOENT') return `its folder ${dirname(file)} cannot be created. Set DATABASE_URL to another folder`
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || result === READONLY || result === CANTOPEN)
    return `this user cannot write to it or to its folder ${dirname(file)}. Make this user the owner of both (chown)`
  if (code === 'ENOSPC' || result === FULL) return 'the disk is full'
  if (result === NOTADB) return 'it is not a SQLite database. Set DATABASE_URL to another file, or restore a backup'
  if (result === CORRUPT) return 'it is damaged. Restore a backup'
  if (isLocked(error)) return 'another process has locked it'
  return error instanceof Error ? error.message : String(error)
}
