import { randomUUID } from 'node:crypto'
import { constants, createReadStream, existsSync } from 'node:fs'
import { access, open, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { createPrivateFolder } from '../../database/file-modes.ts'
import {
  type ByteRange,
  DRAFTS,
  type FileStorage,
  FilesUnavailable,
  MARK,
  type StoredObject,
  UNUSABLE,
  unmarked,
} from './storage.ts'

/** Whether these are the names of what lies in a folder of files, or of one that is to become it. */
export const isFileFolder = (names: readonly string[]) =>
  names.length === 0 || names.includes(MARK) || names.includes(DRAFTS)

/** A folder of this machine. */
export class Folder implements FileStorage {
  readonly isFar = false
  readonly inTurn = this
  readonly #folder: string
  /** It was here, seen by this process: from then on it does not begin anew. */
  #wasMarked = false

  constructor(folder: string) {
    this.#folder = folder
    this.#wasMarked = this.#isMarked()
  }

  async isBegun(): Promise<boolean> {
    return this.#isMarked()
  }

  nameOf(key: string): string {
    return key === '' ? this.#folder : join(this.#folder, key)
  }

  async open(): Promise<string[]> {
    this.#wasMarked ||= this.#isMarked()
    await this.#requireWritable()
    return []
  }

  async check(): Promise<void> {
    if (this.#wasMarked) this.#refuseElsewhere()
    await this.#requireWritable()
  }

  /** It is made with the first file: until then that is up to the folder it will lie in. */
  async #requireWritable(): Promise<void> {
    try {
      let there = resolve(this.#folder)
      while (!(await ifThere(stat(there)))) there = dirname(there)
      await access(there + sep, constants.W_OK | constants.X_OK)
    } catch (error) {
      const { message } = error as Error
      throw new FilesUnavailable(
        `Cannot write files to ${this.#folder}: ${message}. Set CADRE_FILES to a folder that this user can write to`,
        { cause: error, isAway: false, isAnswer: true, told: UNUSABLE },
      )
    }
  }

  async mark(): Promise<void> {
    await writeFile(join(this.#folder, MARK), '', { mode: 0o600 })
    this.#wasMarked = true
  }

  async sizeOf(key: string): Promise<number | undefined> {
    const found = await ifThere(stat(this.nameOf(key)))
    if (!found && this.#wasMarked) this.#refuseElsewhere()
    return found?.isFile() ? found.size : undefined
  }

  async read(key: string, span?: ByteRange) {
    const size = await this.sizeOf(key)
    // Whoever reads knows of a file: where there never was one it is not gone, but elsewhere.
    if (size === undefined) this.#refuseElsewhere()
    return size === undefined ? undefined : { size, stream: createReadStream(this.nameOf(key), span) }
  }

  /** Writes beside the place, and moves it there when it is whole and on disk. */
  write(key: string, bytes: Buffer): Promise<void> {
    return this.#reaching(this.#write(key, bytes))
  }

  async #write(key: string, bytes: Buffer): Promise<void> {
    const target = this.nameOf(key)
    // A disk that was taken away is not made anew: what is kept in its place would be hidden when it is back.
    if (this.#wasMarked) this.#refuseElsewhere()
    createPrivateFolder(join(this.#folder, DRAFTS))
    createPrivateFolder(dirname(target))
    if (!this.#isMarked()) await this.mark()
    this.#wasMarked = true
    const draft = join(this.#folder, DRAFTS, randomUUID())
    try {
      const file = await open(draft, 'wx', 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, target)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    // Without this, a power cut could take the name away again.
    for (const folder of [dirname(target), dirname(dirname(target)), this.#folder]) await syncFolder(folder)
  }

  async copy(from: string, to: string): Promise<boolean> {
    const bytes = await ifThere(readFile(this.nameOf(from)))
    if (bytes) await this.write(to, bytes)
    return bytes !== undefined
  }

  async remove(key: string): Promise<void> {
    this.#refuseElsewhere()
    await rm(this.nameOf(key), { force: true })
  }

  async tidy(under: string): Promise<void> {
    const top = this.nameOf(under)
    const within = (await ifThere(readdir(top))) ?? []
    // Those in which something lies stay: it is said that they do.
    for (const folder of [...within.map((name) => join(top, name)), top]) await rmdir(folder).catch(() => undefined)
  }

  async *list(under = ''): AsyncGenerator<StoredObject> {
    const entries = await ifThere(readdir(join(this.#folder, under), { recursive: true, withFileTypes: true }))
    const paths = (entries ?? []).flatMap((entry) => (entry.isFile() ? join(entry.parentPath, entry.name) : []))
    for (const path of paths.sort()) {
      const found = await ifThere(stat(path))
      const key = path.slice(join(this.#folder, '/').length).replaceAll('\\', '/')
      if (found) yield { key, size: found.size, since: found.mtime }
    }
  }

  #isMarked = () => existsSync(join(this.#folder, MARK))

  #refuseElsewhere(): void {
    if (!this.#isMarked()) throw unmarked(this)
  }

  async #reaching<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      // A folder that cannot be made is said not to be there.
      const { code, message } = error as NodeJS.ErrnoException
      if (!UNREACHED.includes(code ?? '')) throw error
      throw new FilesUnavailable(`cannot store files in ${this.#folder}: ${message}`, { cause: error, isAnswer: true })
    }
  }
}

const UNREACHED = ['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM', 'EROFS', 'EIO']

/** What is not there is undefined; what cannot be looked at fails. */
async function ifThere<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Windows has no such thing.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
