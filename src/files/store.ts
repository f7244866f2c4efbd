import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Files } from '../engine/operation.ts'
import type { Dutiful } from '../ledger/after-commit.ts'
import type { Writer } from '../ledger/write.ts'

/** Has all files of a part taken away once the write is on disk: until then they may still be needed. */
export const clearAfterCommit = (db: Writer, part: string) => db.afterCommit('clear_files', { part })

/** How what `clearAfterCommit` asks for is done. */
export const clearFiles = (files: FileStore): Dutiful => ({
  clear_files: ({ part }) => files.in(part).clear(),
})

/** Files under their content's hash: the same bytes are kept once, and a name can never lead out of the folder. */
export class FileStore implements Files {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** A part of the store that knows nothing of the others. */
  in(part: string): FileStore {
    return new FileStore(join(this.#folder, part))
  }

  /** Takes everything in this part away. */
  async clear(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Keeps the bytes; when it resolves they are on disk. */
  async save(bytes: Buffer): Promise<string> {
    const hash = createHash('sha256').update(bytes).digest('hex')
    const target = this.#path(hash)
    if (await stat(target).catch(() => undefined)) return hash
    await mkdir(join(target, '..'), { recursive: true })
    const draft = `${target}.${randomUUID()}`
    const file = await open(draft, 'w')
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, target)
    return hash
  }

  /** The bytes of a hash as a stream with their number, or undefined. */
  async read(hash: string): Promise<{ size: number; stream: Readable } | undefined> {
    if (!/^[0-9a-f]{64}$/.test(hash)) return undefined
    const found = await stat(this.#path(hash)).catch(() => undefined)
    return found && { size: found.size, stream: createReadStream(this.#path(hash)) }
  }

  #path(hash: string): string {
    return join(this.#folder, hash.slice(0, 2), hash)
  }
}
