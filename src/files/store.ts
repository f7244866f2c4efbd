import { hash, randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { FileKeeper, Files } from '../engine/operation.ts'
import type { Dutiful } from '../ledger/after-commit.ts'
import type { Writer } from '../ledger/write.ts'
import { DRAFTS, FilesUnavailable, type Lying, MARK, type Place, type Span } from './place.ts'
import { readUpload } from './upload.ts'

/** Has all files of a part taken away once the write is on disk: until then they may still be needed. */
export const clearAfterCommit = (db: Writer, part: string) => db.afterCommit('clear_files', { part })

/** How what follows a commit is done with files. */
export const fileDuties = (files: FileStore): Dutiful => ({
  clear_files: ({ part }) => files.in(String(part ?? '')).clear(),
})

/** Whether a part of the store is an account's alone. */
export const isOfOneAccount = (part: string) => part.includes('/')

/** So long somebody is waited for who is done in a moment, as a rule. */
const SOON = 200

const isHash = (text: string) => /^[0-9a-f]{64}$/.test(text)

export const hashOf = (bytes: Buffer) => hash('sha256', bytes)

/** Files under their content's hash: the same bytes are kept once, and a name can never lead out of the store. */
export class FileStore implements FileKeeper {
  readonly #place: Place
  readonly #part: string
  /** What was brought for a write that is to come, by its hash. */
  readonly #brought: ReadonlyMap<string, string>

  constructor(place: Place, part = '', brought: ReadonlyMap<string, string> = new Map()) {
    this.#place = place
    this.#part = part
    this.#brought = brought
  }

  /** A part of the store that knows nothing of the others. */
  in(part: string): FileStore {
    return new FileStore(this.#place, part, this.#brought)
  }

  /**
   * Brings what a request has sent to a place that is far before its turn: within it nobody may wait for a line. Whoever
   * is killed then leaves a draft.
   */
  async bring(sent: readonly unknown[]): Promise<FileStore & { leave(): Promise<void> }> {
    const brought = new Map<string, string>()
    const leave = async () => {
      // What cannot be taken away now is taken away later: nobody who has asked waits for that.
      const left = Promise.allSettled([...brought.values()].map((draft) => this.#place.remove(draft)))
      await Promise.race([left, pause(SOON, undefined, { ref: false })])
    }
    try {
      for (const value of this.#place.isFar ? sent : []) {
        const upload = readUpload(value)
        const hash = upload && hashOf(upload.bytes)
        if (!hash || brought.has(hash)) continue
        const draft = `${DRAFTS}/${randomUUID()}`
        brought.set(hash, draft)
        await this.#place.write(draft, upload.bytes)
      }
    } catch (error) {
      await leave()
      throw error
    }
    return Object.assign(new FileStore(this.#place, this.#part, brought), { leave })
  }

  /**
   * The store as a write sees it. What is saved is kept, under its name, before the row that names it: no row is
   * without its file. A write that fails takes back what it saved in a part that is its account's alone, while it still
   * has its turn, so that nobody else can have come to rely on it; elsewhere such a file is found by `files check`.
   */
  during(db: Writer): Files {
    const place = this.#place.inTurn
    const put = async (hash: string, write: (key: string) => Promise<boolean>) => {
      const key = this.keyOf(hash)
      if ((await place.sizeOf(key)) !== undefined) return true
      if (isOfOneAccount(this.#part)) db.ifItFails(() => place.remove(key))
      return write(key)
    }
    return {
      ...this.#looking((part) => this.in(part).during(db)),
      save: async (bytes) => {
        const hash = hashOf(bytes)
        const draft = this.#brought.get(hash)
        await put(hash, async (key) => {
          if (!draft) await this.#place.write(key, bytes)
          else if (!(await place.copy(draft, key))) throw new FilesUnavailable('What was brought for a write is gone')
          return true
        })
        return hash
      },
      copy: (hash, from) => put(hash, (key) => place.copy(this.in(from).keyOf(hash), key)),
    }
  }

  forReading(): Files {
    const refused = () => Promise.reject(new Error('A read cannot keep a file'))
    return { ...this.#looking((part) => this.in(part).forReading()), save: refused, copy: refused }
  }

  forTrying(): Files {
    return {
      ...this.#looking((part) => this.in(part).forTrying()),
      save: async (bytes) => hashOf(bytes),
      copy: (hash, from) => this.in(from).has(hash),
    }
  }

  #looking = (partOf: (part: string) => Files) => ({
    in: partOf,
    has: (hash: string) => this.has(hash),
    read: (hash: string) => this.read(hash),
  })

  /** Takes everything in this part away. */
  async clear(): Promise<void> {
    if (!/^[\w-]+(\/[\w-]+)*$/.test(this.#part)) throw new Error('Only a part of the store can be cleared')
    await this.#place.removeAll(this.#part)
  }

  /** Drafts that were left by processes which ended while they wrote them, or which could not reach the place any more. */
  async drafts(olderThan: Date): Promise<{ key: string; name: string }[]> {
    const found: { key: string; name: string }[] = []
    for await (const { key, since } of this.#place.list(DRAFTS))
      if (since <= olderThan) found.push({ key, name: this.#place.nameOf(key) })
    return found
  }

  async clearDrafts(olderThan: Date): Promise<string[]> {
    const drafts = await this.drafts(olderThan)
    for (const { key } of drafts) await this.#place.remove(key)
    return drafts.map(({ name }) => name)
  }

  /** Is anything there at all? */
  async isEmpty(): Promise<boolean> {
    for await (const _ of this.#place.list()) return false
    return true
  }

  /** Makes sure that files can be kept, or says what is wrong. */
  open(): Promise<string[]> {
    return this.#place.open()
  }

  async has(hash: string): Promise<boolean> {
    return (await this.sizeOf(hash)) !== undefined
  }

  async sizeOf(hash: string): Promise<number | undefined> {
    return isHash(hash) ? this.#place.sizeOf(this.keyOf(hash)) : undefined
  }

  /** The bytes of a hash, or some of them, as a stream with the number of all, or undefined. */
  async read(hash: string, span?: Span): Promise<{ size: number; stream: Readable } | undefined> {
    return isHash(hash) ? this.#place.read(this.keyOf(hash), span) : undefined
  }

  /** Keeps bytes for no write: those of a copy. */
  put(bytes: Buffer): Promise<void> {
    return this.#place.write(this.keyOf(hashOf(bytes)), bytes)
  }

  /** Takes a file away while others wait until it is known that nobody needs it. */
  remove(hash: string): Promise<void> {
    return this.#place.inTurn.remove(this.keyOf(hash))
  }

  /** Every file there is: the part it lies in, its hash, and how people call its place. */
  async *all(): AsyncGenerator<Lying & { part: string; hash: string; name: string }> {
    const others: string[] = []
    for await (const lying of this.#place.list()) {
      // Another store that lies within this one is none of ours. Its mark comes before the rest of it.
      if (lying.key.endsWith(`/${MARK}`)) others.push(lying.key.slice(0, -MARK.length))
      if (others.some((other) => lying.key.startsWith(other))) continue
      const [, part, hash] = /^(.*)\/[0-9a-f]{2}\/([0-9a-f]{64})$/.exec(lying.key) ?? []
      if (part && hash) yield { ...lying, part, hash, name: this.#place.nameOf(lying.key) }
    }
  }

  /** Where the bytes of a hash lie, if they are here. */
  keyOf(hash: string): string {
    if (!isHash(hash)) throw new Error('That is no name of a file')
    return [this.#part, hash.slice(0, 2), hash].filter(Boolean).join('/')
  }
}
