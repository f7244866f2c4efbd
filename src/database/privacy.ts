import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'

/** What is kept is for the eyes of the user alone who runs the service, whatever the umask was when it was made. */

const FILE = 0o600
const FOLDER = 0o700
const STICKY = 0o1000

/** Makes a path of ours readable for its owner only, where that is possible. */
export function tighten(path: string): void {
  try {
    chmodSync(path, statSync(path).isDirectory() ? FOLDER : FILE)
  } catch {
    // It is not there, or somebody else's: `exposed` tells.
  }
}

/** Makes a file before anybody else does. One that is there already may be anything: it is left alone. */
export function makePrivate(file: string): void {
  makeFolder(dirname(file))
  closeSync(openSync(file, 'a', FILE))
}

/** Step by step: below a folder that takes no others, as `/proc`, the system's own way to make all of them never ends. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: FOLDER })
  } catch (error) {
    // Somebody else was there first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/**
 * Tightens a folder, if what lies in it shows that it is ours alone. One that others use, too, or that was named by
 * mistake, is not ours to close: `/tmp`, say.
 */
export function tightenFolder(folder: string, isOurs: (names: string[]) => boolean): void {
  try {
    if ((statSync(folder).mode & STICKY) === 0 && isOurs(readdirSync(folder))) tighten(folder)
  } catch {
    // It is not there yet.
  }
}

/** Tightens a database of ours, with its log and what restoring has put aside, and its folder. */
export function tightenDatabase(file: string, ownFolders: readonly string[]): void {
  const [folder, base] = [dirname(resolve(file)), basename(file)]
  const own = ownFolders.map((one) => resolve(one))
  const isPart = (name: string) => name === base || name.startsWith(`${base}-`) || name.startsWith(`${base}.`)
  for (const name of readdirSync(folder).filter(isPart)) tighten(resolve(folder, name))
  tightenFolder(folder, (names) => names.every((name) => isPart(name) || own.includes(resolve(folder, name))))
}

/** Those of the paths that others than the owner can read or enter. Windows has other means. */
export const exposed = (paths: readonly string[]): string[] =>
  process.platform === 'win32' ? [] : paths.filter((path) => (modeOf(path) & 0o077) !== 0)

function modeOf(path: string): number {
  try {
    return statSync(path).mode
  } catch {
    return 0
  }
}
