import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { FileKeeper, Files } from '../engine/operation.ts'
import type { Dutiful } from '../ledger/after-commit.ts'
import type { Writer } from '../ledger/write.ts'

const DRAFTS = '.drafts'

/** A file in the folder that says that it is the one: an unmounted disk must not look like an empty store. */
const MARK = '.cadre-files'

/** Whether these are the names of what lies in a folder of files, or of one that is to become it. */
export const isFileFolder = (names: readonly string[]) => names.length === 0 || names.includes(DRAFTS)

/** Has all files of a part taken away once the write is on disk: until then they may still be needed. */
export const clearAfterCommit = (db: Writer, part: string) => db.afterCommit('clear_files', { part })

/** How what follows a commit is done with files. */
export const fileDuties = (files: FileStore): Dutiful => ({
  clear_files: ({ part }) => files.in(String(part ?? '')).clear(),
})

/** Files under their content's hash: the same bytes are kept once, and a name can never lead out of the folder. */
export class FileStore implements FileKeeper {
  readonly #folder: string
  readonly #part: string

  constructor(folder: string, part = '') {
    this.#folder = folder
    this.#part = part
  }

  /** A part of the store that knows nothing of the others. */
  in(part: string): FileStore {
    return new FileStore(this.#folder, part)
  }

  /**
   * The store as a write sees it. What is saved is on disk, under its name, before the row that names it: no row is
   * without its file. A write that fails takes back what it saved in a part that is its account's alone, while it still
   * has its turn, so that nobody else can have come to rely on it; elsewhere such a file is found by `files check`.
   */
  during(db: Writer): Files {
    return {
      in: (part) => this.in(part).during(db),
      read: (hash) => this.read(hash),
      save: async (bytes) => {
        const hash = hashOf(bytes)
        const target = this.pathOf(hash)
        if (await stat(target).catch(() => undefined)) return hash
        const isOwn = this.#part.includes('/')
        if (isOwn) db.ifItFails(() => rm(target, { force: true }))
        await this.#save(target, bytes)
        return hash
      },
    }
  }

  forReading(): Files {
    return {
      in: (part) => this.in(part).forReading(),
      read: (hash) => this.read(hash),
      save: () => Promise.reject(new Error('A read cannot keep a file')),
    }
  }

  forTrying(): Files {
    return {
      in: (part) => this.in(part).forTrying(),
      read: (hash) => this.read(hash),
      save: async (bytes) => hashOf(bytes),
    }
  }

  /** Takes everything in this part away. */
  async clear(): Promise<void> {
    if (!/^[\w-]+(\/[\w-]+)*$/.test(this.#part)) throw new Error('Only a part of the store can be cleared')
    if (!existsSync(join(this.#folder, MARK)))
      throw new Error(`${this.#folder} is not the folder of files, or not there`)
    await rm(join(this.#folder, this.#part), { recursive: true, force: true })
  }

  /** Takes away drafts that were left by processes which ended while they wrote them. */
  async clearDrafts(olderThan: Date): Promise<number> {
    let cleared = 0
    for (const draft of await readdir(join(this.#folder, DRAFTS)).catch(() => [])) {
      const path = join(this.#folder, DRAFTS, draft)
      const found = await stat(path).catch(() => undefined)
      if (!found || found.mtime > olderThan) continue
      await rm(path, { force: true })
      cleared++
    }
    return cleared
  }

  /** Marks a folder that has files already as the one that it is. */
  async mark(): Promise<void> {
    const entries: string[] = await readdir(this.#folder).catch(() => [])
    if (entries.length > 0 && !entries.includes(MARK)) await writeFile(join(this.#folder, MARK), '', { mode: 0o600 })
  }

  /** The bytes of a hash as a stream with their number, or undefined. */
  async read(hash: string): Promise<{ size: number; stream: Readable } | undefined> {
    if (!/^[0-9a-f]{64}$/.test(hash)) return undefined
    const found = await stat(this.pathOf(hash)).catch(() => undefined)
    return found && { size: found.size, stream: createReadStream(this.pathOf(hash)) }
  }

  /** Every file there is: the part it lies in, and its hash. */
  async *all(): AsyncGenerator<{ part: string; hash: string; path: string }> {
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      if (!entry.isFile() || !/^[0-9a-f]{64}$/.test(entry.name)) continue
      const path = join(entry.parentPath, entry.name)
      const part = dirname(entry.parentPath).slice(this.#folder.length).replaceAll('\\', '/').replace(/^\//, '')
      yield { part, hash: entry.name, path }
    }
  }

  /** Writes a file beside its place, and moves it there when it is whole and on disk. */
  async #save(target: string, bytes: Buffer): Promise<void> {
    const drafts = join(this.#folder, DRAFTS)
    await mkdir(drafts, { recursive: true, mode: 0o700 })
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    if (!existsSync(join(this.#folder, MARK))) await writeFile(join(this.#folder, MARK), '', { mode: 0o600 })
    const draft = join(drafts, randomUUID())
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

  /** Where the bytes of a hash lie, if they are here. */
  pathOf(hash: string): string {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error('That is no name of a file')
    return join(this.#folder, this.#part, hash.slice(0, 2), hash)
  }
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

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
