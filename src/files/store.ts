import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { FileKeeper, Files } from '../engine/operation.ts'
import type { Dutiful } from '../ledger/after-commit.ts'
import type { Writer } from '../ledger/write.ts'

const DRAFTS = '.drafts'

/** Has all files of a part taken away once the write is on disk: until then they may still be needed. */
export const clearAfterCommit = (db: Writer, part: string) => db.afterCommit('clear_files', { part })

/** How what follows a commit is done with files. */
export const fileDuties = (files: FileStore): Dutiful => ({
  place_file: ({ draft, part, hash }) => files.place(draft, part, hash),
  clear_files: ({ part }) => files.in(part).clear(),
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
   * The store as a write sees it. What is saved lies on disk as a draft until the commit, and takes its place after it:
   * a write that fails leaves no file, and no row is without its file, whatever happens in between.
   */
  during(db: Writer): Files {
    return {
      in: (part) => this.in(part).during(db),
      read: (hash) => this.read(hash),
      save: async (bytes) => {
        const hash = createHash('sha256').update(bytes).digest('hex')
        const draft = randomUUID()
        db.ifItFails(() => rm(this.#draft(draft), { force: true }))
        await this.#write(this.#draft(draft), bytes)
        db.afterCommit('place_file', { draft, part: this.#part, hash })
        return hash
      },
    }
  }

  /** Puts a draft in its place. Done already, it does nothing. */
  async place(draft: string, part: string, hash: string): Promise<void> {
    const target = this.in(part).#path(hash)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    try {
      await rename(this.#draft(draft), target)
    } catch (error) {
      if (!(await stat(target).catch(() => undefined))) throw error
    }
    // Without this, a power cut could take the name away again.
    for (const folder of [dirname(target), dirname(dirname(target))]) await syncFolder(folder)
  }

  /** Takes everything in this part away. */
  async clear(): Promise<void> {
    if (this.#part === '') throw new Error('Only a part of the store can be cleared')
    await rm(join(this.#folder, this.#part), { recursive: true, force: true })
  }

  /** Takes away drafts that were left by processes which ended before their commit. */
  async clearDrafts(isNeeded: (draft: string) => boolean, olderThan: Date): Promise<number> {
    let cleared = 0
    for (const draft of await readdir(join(this.#folder, DRAFTS)).catch(() => [])) {
      const found = await stat(this.#draft(draft)).catch(() => undefined)
      if (!found || found.mtime > olderThan || isNeeded(draft)) continue
      await rm(this.#draft(draft), { force: true })
      cleared++
    }
    return cleared
  }

  /** The bytes of a hash as a stream with their number, or undefined. */
  async read(hash: string): Promise<{ size: number; stream: Readable } | undefined> {
    if (!/^[0-9a-f]{64}$/.test(hash)) return undefined
    const found = await stat(this.#path(hash)).catch(() => undefined)
    return found && { size: found.size, stream: createReadStream(this.#path(hash)) }
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

  async #write(path: string, bytes: Buffer): Promise<void> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await syncFolder(dirname(path))
  }

  #draft(name: string): string {
    return join(this.#folder, DRAFTS, name)
  }

  #path(hash: string): string {
    return join(this.#folder, this.#part, hash.slice(0, 2), hash)
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
