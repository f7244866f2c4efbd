import { hash, randomUUID } from 'node:crypto'
import { basename } from 'node:path/posix'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { FileKeeper, Files } from '../../engine/operation.ts'
import type { Writer } from '../../records/write.ts'
import { RemovalPending, UNSETTLED_FOR, unsettledAs } from './pending-removals.ts'
import {
  type ByteRange,
  DRAFTS,
  type FileStorage,
  FilesUnavailable,
  filesAmong,
  noMarker,
  type StoredObject,
  unmarked,
} from './storage.ts'
import { readUpload } from './upload.ts'

/**
 * Has the files of a part taken away that no record has, once the write is on disk: until then they may still be needed.
 * Of some it is known that they are there, others would be what an unfinished write has left.
 */
export const clearAfterCommit = (db: Writer, part: string, { isKnown }: { isKnown: boolean }) =>
  db.afterCommit(CLEAR_FILES, { part, isKnown })
export const CLEAR_FILES = 'clear_files'

/** What is to be done once a record has gone that had a file: has no other it, it goes. */
export const DROP_FILE = 'drop_file'

/** Whether a part of the store is an account's alone. */
export const isOfOneAccount = (part: string) => part.includes('/')

/** So long somebody is waited for who is done in a moment, as a rule. */
const SOON = 200

/** So long whoever sends bytes waits until the same ones are gone that are just being taken away. */
const UNTIL_GONE = 5_000

const isHash = (text: string) => /^[0-9a-f]{64}$/.test(text)

export const hashOf = (bytes: Buffer) => hash('sha256', bytes)

type StoreContext = {
  part: string
  /** What was brought for a write that is to come, by its hash. */
  brought: ReadonlyMap<string, string>
  /** What is just being taken away by this process, by its hash. */
  going: Map<string, Promise<unknown>>
  /** Whether any record has a file. */
  isNeeded: () => Promise<boolean>
}

/** Files under their content's hash: the same bytes are kept once, and a name can never lead out of the store. */
export class FileStore implements FileKeeper {
  readonly #place: FileStorage
  readonly #more: StoreContext

  constructor(place: FileStorage, more: Partial<StoreContext> = {}) {
    this.#place = place
    this.#more = { part: '', brought: new Map(), going: new Map(), isNeeded: async () => false, ...more }
  }

  get isFar(): boolean {
    return this.#place.isFar
  }

  /** A part of the store that knows nothing of the others. */
  in(part: string): FileStore {
    return new FileStore(this.#place, { ...this.#more, part })
  }

  /** Does what ends with bytes being taken away: whoever in this process sends the same ones waits for it. */
  async whileGoing<T>(hash: string, work: () => Promise<T>): Promise<T> {
    const { going } = this.#more
    const done = Promise.withResolvers<void>()
    going.set(hash, done.promise)
    try {
      return await work()
    } finally {
      if (going.get(hash) === done.promise) going.delete(hash)
      done.resolve()
    }
  }

  /** Whether anything was ever kept, as far as can be seen. */
  isBegun(): Promise<boolean> {
    return this.#place.isBegun()
  }

  async refuseElsewhere(): Promise<void> {
    if (!(await this.isBegun())) throw unmarked(this.#place)
  }

  /**
   * Whether this is the place of the files that records have. Versions before 0.3 set no marker: a place in which a file of a
   * record lies is the right one, and gets it now. Anything else may lie where a disk is to be mounted.
   */
  async recognise(keysOfRecords: () => Promise<Iterable<string>>, { isTrial = false } = {}): Promise<boolean> {
    if (await this.isBegun()) return true
    let isNeeded = false
    for (const key of await keysOfRecords()) {
      isNeeded = true
      if (this.isFar) break
      if ((await this.#place.sizeOf(key)) === undefined) continue
      if (!isTrial) await this.#place.mark()
      return true
    }
    return !isNeeded
  }

  /** What to do about a place that is not recognised. */
  get advice(): string {
    return noMarker(this.#place)
  }

  /** Fails while every upload would be refused until somebody mends it. */
  async check(): Promise<void> {
    await this.#place.check()
    if (await this.isElsewhere()) throw unmarked(this.#place)
  }

  /** Where there never was a file though records have some, they lie elsewhere: a disk is not mounted, say. */
  async isElsewhere(): Promise<boolean> {
    return !(await this.#place.isBegun()) && (await this.#more.isNeeded())
  }

  /**
   * Brings what a request has sent to a place that is far before its turn: within it nobody may wait for a line. Whoever
   * is killed then leaves a draft.
   */
  async upload(sent: readonly unknown[]) {
    const brought = new Map<string, string>()
    const cleanUp = async () => {
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
      await cleanUp()
      throw error
    }
    const shouldRetry = async (error: unknown) => {
      if (!(error instanceof RemovalPending)) return false
      // If this process does not remove them, it has just finished, or another process does.
      const going = this.#more.going.get(error.hash) ?? pause(SOON, undefined, { ref: false })
      await Promise.race([going, pause(UNTIL_GONE, undefined, { ref: false })])
      return true
    }
    return Object.assign(new FileStore(this.#place, { ...this.#more, brought }), { cleanUp, shouldRetry })
  }

  /**
   * The store as a write sees it. What is saved is kept, under its name, before the row that names it: no row is
   * without its file. Of a write that fails it is looked afterwards whether anybody has what it saved. Whoever is killed
   * in between leaves a file that `files check` finds.
   */
  during(db: Writer, place = this.#place.inTurn): Files {
    const { part, brought } = this.#more
    const refuseGoing = async (hash: string) => {
      if (place.isFar && (await db.isJobPending(unsettledAs({ part, hash }), UNSETTLED_FOR)))
        throw new RemovalPending({ part, hash })
    }
    const isThere = async (hash: string) => (await place.sizeOf(this.keyOf(hash))) !== undefined
    const put = async (hash: string, write: (key: string) => Promise<boolean>) => {
      await refuseGoing(hash)
      db.afterFailure(DROP_FILE, { part, hash })
      if (await this.isElsewhere()) throw unmarked(place)
      try {
        // Also where something lies already: it may be damaged, and to look would take as long.
        return await write(this.keyOf(hash))
      } catch (error) {
        // What was not answered may still be carried out, after what it was has been taken away.
        if (place.isFar && !(error instanceof FilesUnavailable && error.isAnswer))
          db.afterFailure(DROP_FILE, { part, hash, at: new Date().toISOString() })
        throw error
      }
    }
    return {
      ...this.#looking((part) => this.in(part).during(db, place)),
      has: async (hash) => {
        await refuseGoing(hash)
        return (await this.#unlessElsewhere((await isThere(hash)) || undefined)) ?? false
      },
      save: async (bytes) => {
        const hash = hashOf(bytes)
        const draft = brought.get(hash)
        await put(hash, async (key) => {
          if (!draft) await this.#place.write(key, bytes)
          else if (!(await place.copy(draft, key)))
            throw new FilesUnavailable(
              'The uploaded file disappeared from the file storage before it was saved. Upload it again',
            )
          return true
        })
        return hash
      },
      copy: (hash, from) =>
        put(hash, async (key) => (await place.copy(this.in(from).keyOf(hash), key)) || (await isThere(hash))),
    }
  }

  forReading(): Files {
    const refused = () => Promise.reject(new Error('A read cannot store a file'))
    return { ...this.#looking((part) => this.in(part).forReading()), save: refused, copy: refused }
  }

  forDryRun(): Files {
    return {
      ...this.#looking((part) => this.in(part).forDryRun()),
      save: async (bytes) => hashOf(bytes),
      copy: (hash, from) => this.in(from).has(hash),
    }
  }

  #looking = (partOf: (part: string) => Files) => ({
    in: partOf,
    has: (hash: string) => this.has(hash),
    read: (hash: string) => this.read(hash),
  })

  tidy(): Promise<void> {
    return this.#place.tidy(this.#more.part)
  }

  /** What lies in this part. */
  async hashes(): Promise<string[]> {
    const { part } = this.#more
    if (!/^[\w-]+(\/[\w-]+)*$/.test(part)) throw new Error('Listing needs a part of the file storage')
    const found: string[] = []
    for await (const { key } of this.#place.list(part)) found.push(basename(key))
    return found.filter(isHash)
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
    return isHash(hash) ? this.#unlessElsewhere(await this.#place.sizeOf(this.keyOf(hash))) : undefined
  }

  /** The bytes of a hash, or some of them, as a stream with the number of all, or undefined. */
  async read(hash: string, span?: ByteRange): Promise<{ size: number; stream: Readable } | undefined> {
    return isHash(hash) ? this.#unlessElsewhere(await this.#place.read(this.keyOf(hash), span)) : undefined
  }

  /** What is not where no file ever was is not gone. */
  async #unlessElsewhere<T>(found: T | undefined): Promise<T | undefined> {
    if (found === undefined && (await this.isElsewhere())) throw unmarked(this.#place)
    return found
  }

  /** Keeps bytes for no write: those of a copy. */
  put(bytes: Buffer): Promise<void> {
    return this.#place.write(this.keyOf(hashOf(bytes)), bytes)
  }

  /** Takes a file away of which it is known that nobody needs it. */
  remove(hash: string): Promise<void> {
    return this.#place.remove(this.keyOf(hash))
  }

  /** Every file there is: the part it lies in, its hash, and how people call its place. */
  async *all(): AsyncGenerator<StoredObject & { part: string; hash: string; name: string }> {
    const fileAt = filesAmong()
    for await (const lying of this.#place.list()) {
      const file = fileAt(lying.key)
      if (file) yield { ...lying, ...file, name: this.#place.nameOf(lying.key) }
    }
  }

  /** Where the bytes of a hash lie, if they are here. */
  keyOf(hash: string): string {
    return keyOfFile({ part: this.#more.part, hash })
  }
}

/** Under what key the bytes of a hash lie in a part. */
export function keyOfFile({ part, hash }: { part: string; hash: string }): string {
  if (!isHash(hash)) throw new Error('Invalid file name')
  return [part, hash.slice(0, 2), hash].filter(Boolean).join('/')
}
