import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'

/** Only the user who runs the service may read its files, whatever the umask was when they were created. */

const FILE = 0o600
const FOLDER = 0o700
const STICKY = 0o1000

/** Makes a path readable by its owner only, if this user may do that. */
export function restrict(path: string): void {
  try {
    chmodSync(path, statSync(path).isDirectory() ? FOLDER : FILE)
  } catch {
    // It does not exist, or belongs to another user: `exposedPaths` reports that.
  }
}

/** Creates a file before another program does. An existing file keeps its mode: it may be anything. */
export function createPrivateFile(file: string): void {
  createPrivateFolder(dirname(file))
  closeSync(openSync(file, 'a', FILE))
}

/** Creates one folder after the other: in a folder that accepts none, such as `/proc`, `mkdirSync` with `recursive` never ends. */
export function createPrivateFolder(folder: string): void {
  if (existsSync(folder)) return
  createPrivateFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: FOLDER })
  } catch (error) {
    // Another process has just created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Restricts a folder if its contents show that only Cadre uses it. A shared one, such as `/tmp`, keeps its mode. */
export function restrictFolder(folder: string, isOurs: (names: string[]) => boolean): void {
  try {
    if ((statSync(folder).mode & STICKY) === 0 && isOurs(readdirSync(folder))) restrict(folder)
  } catch {
    // It does not exist yet.
  }
}

/** Restricts a SQLite database, its log, the copies that `restore` left next to it, and its folder. */
export function restrictDatabase(file: string, ownFolders: readonly string[]): void {
  const [folder, base] = [dirname(resolve(file)), basename(file)]
  const own = ownFolders.map((one) => resolve(one))
  const isPart = (name: string) => name === base || name.startsWith(`${base}-`) || name.startsWith(`${base}.`)
  for (const name of readdirSync(folder).filter(isPart)) restrict(resolve(folder, name))
  restrictFolder(folder, (names) => names.every((name) => isPart(name) || own.includes(resolve(folder, name))))
}

/** The paths that other users can read or enter. Windows has no such modes. */
export const exposedPaths = (paths: readonly string[]): string[] =>
  process.platform === 'win32' ? [] : paths.filter((path) => (modeOf(path) & 0o077) !== 0)

function modeOf(path: string): number {
  try {
    return statSync(path).mode
  } catch {
    return 0
  }
}
