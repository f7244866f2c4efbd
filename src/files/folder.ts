import { randomUUID } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DRAFTS, FilesUnavailable, type Lying, MARK, type Place, type Span } from './place.ts'

/** Whether these are the names of what lies in a folder of files, or of one that is to become it. */
export const isFileFolder = (names: readonly string[]) => names.length === 0 || names.includes(DRAFTS)

/** A folder of this machine. */
export class Folder implements Place {
  readonly isFar = false
  readonly inTurn = this
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  nameOf(key: string): string {
    return join(this.#folder, key)
  }

  /** Marks a folder that has files already as the one that it is. */
  async open(): Promise<string[]> {
    const entries = await ifThere(readdir(this.#folder))
    if (entries?.length && !entries.includes(MARK)) await this.#mark()
    return []
  }

  async sizeOf(key: string): Promise<number | undefined> {
    return (await ifThere(stat(this.nameOf(key))))?.size
  }

  async read(key: string, span?: Span) {
    const size = await this.sizeOf(key)
    return size === undefined ? undefined : { size, stream: createReadStream(this.nameOf(key), span) }
  }

  /** Writes beside the place, and moves it there when it is whole and on disk. */
  async write(key: string, bytes: Buffer): Promise<void> {
    const target = this.nameOf(key)
    await mkdir(join(this.#folder, DRAFTS), { recursive: true, mode: 0o700 })
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    if (!this.#isMarked()) await this.#mark()
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

  async removeAll(under: string): Promise<void> {
    this.#refuseElsewhere()
    await rm(this.nameOf(under), { recursive: true, force: true })
  }

  async *list(under = ''): AsyncGenerator<Lying> {
    const entries = await ifThere(readdir(join(this.#folder, under), { recursive: true, withFileTypes: true }))
    const paths = (entries ?? []).flatMap((entry) => (entry.isFile() ? join(entry.parentPath, entry.name) : []))
    for (const path of paths.sort()) {
      const found = await ifThere(stat(path))
      const key = path.slice(join(this.#folder, '/').length).replaceAll('\\', '/')
      if (found) yield { key, size: found.size, since: found.mtime }
    }
  }

  #isMarked = () => existsSync(join(this.#folder, MARK))
  #mark = () => writeFile(join(this.#folder, MARK), '', { mode: 0o600 })

  #refuseElsewhere(): void {
    if (!this.#isMarked()) throw new FilesUnavailable(`${this.#folder} is not the folder of files, or not there`)
  }
}

/** What is not there is undefined; what cannot be looked at fails. */
async function ifThere<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
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
