import { type AccountVersion, codeOf } from './account-version.ts'

/** What is cached: each use has its own keys, and is counted separately. */
export type CacheUse = 'responses' | 'records' | 'ids' | 'credentials' | 'history'

type Entry = {
  readonly value: unknown
  /** The version of the account that the value was read at. */
  readonly version: number
  /** Codes of the tables that the value was read from. */
  readonly tables: readonly string[]
  readonly bytes: number
  /** The value is read again after `maxAge` milliseconds, whatever the versions say. */
  readonly storedAt: Moment
  readonly maxAge: number
}

/** By the clock, and by a timer that nobody can set back. */
type Moment = { readonly clock: number; readonly timer: number }

type Storing = {
  readonly tables: Iterable<string>
  /** Estimated size in memory. */
  readonly bytes: number
  /** Milliseconds after which the value is read again, and no longer kept in memory. */
  readonly maxAge?: number
}

/** What an entry needs besides its key and value, roughly. */
const OVERHEAD = 400

const FOREVER = Number.POSITIVE_INFINITY

/** The largest value: a larger one would evict too many others. In a small cache it may take a quarter. */
const largestIn = (maxBytes: number) => Math.max(maxBytes / 8, Math.min(4 * 2 ** 20, maxBytes / 4))

/** How often expired values are dropped, in milliseconds. */
const SWEEP_EVERY = 15_000

/**
 * Values that were made from the records of an account. A value is valid while none of its tables has a newer version, so it
 * is never stale, whichever process wrote. The least recently used values make room when the cache is full.
 */
export class Cache {
  readonly #entries = new Map<string, Entry>()
  readonly #pending = new Map<string, { version: AccountVersion; value: Promise<unknown> }>()
  /** Names of the entries with a maximum age. */
  readonly #expiring = new Set<string>()
  readonly #maxBytes: number
  readonly #now: () => number
  readonly #isOff: (use: CacheUse) => boolean
  #bytes = 0
  #sweep: NodeJS.Timeout | undefined
  /** Lookups by use. */
  readonly counts: Readonly<Record<CacheUse, { hits: number; misses: number }>> = {
    responses: { hits: 0, misses: 0 },
    records: { hits: 0, misses: 0 },
    ids: { hits: 0, misses: 0 },
    credentials: { hits: 0, misses: 0 },
    history: { hits: 0, misses: 0 },
  }

  /** While a use is off, nothing is found and nothing is stored. */
  constructor(maxBytes: number, now: () => number = Date.now, isOff: (use: CacheUse) => boolean = () => false) {
    this.#maxBytes = maxBytes
    this.#now = now
    this.#isOff = isOff
  }

  get size(): { entries: number; bytes: number } {
    return { entries: this.#entries.size, bytes: this.#bytes }
  }

  /** A value that is valid at this version, or undefined. */
  find<T>(use: CacheUse, key: string, at: AccountVersion): T | undefined {
    const name = entryName(use, key, at)
    const entry = this.#isOff(use) ? undefined : this.#entries.get(name)
    const isValid = entry !== undefined && this.#isValidAt(entry, at)
    this.counts[use][isValid ? 'hits' : 'misses']++
    if (!isValid) return undefined
    this.#noteUse(name, entry)
    return entry.value as T
  }

  /** A value of whichever version: for values that can be brought up to date. Whether it was of use, the caller counts. */
  peek<T>(use: CacheUse, key: string, at: AccountVersion): T | undefined {
    const entry = this.#isOff(use) ? undefined : this.#entries.get(entryName(use, key, at))
    return entry?.value as T | undefined
  }

  /** Is this value still there and valid? Does not count as a lookup. */
  holds(use: CacheUse, key: string, at: AccountVersion, value: unknown): boolean {
    const entry = this.#isOff(use) ? undefined : this.#entries.get(entryName(use, key, at))
    if (entry === undefined || entry.value !== value || !this.#isValidAt(entry, at)) return false
    this.#noteUse(entryName(use, key, at), entry)
    return true
  }

  /** Stores a value that was read at this version, and says whether it did. A value of a newer version stays. */
  store(
    use: CacheUse,
    key: string,
    at: AccountVersion,
    value: unknown,
    { tables, bytes, maxAge = FOREVER }: Storing,
    storedAt = this.#moment(),
  ): boolean {
    const name = entryName(use, key, at)
    const size = bytes + name.length * 2 + OVERHEAD
    const before = this.#entries.get(name)
    if (this.#isOff(use) || (before && before.version > at.version)) return false
    this.#drop(name)
    if (size > largestIn(this.#maxBytes)) return false
    this.#entries.set(name, {
      value,
      version: at.version,
      tables: [...tables].map(codeOf),
      bytes: size,
      storedAt,
      maxAge,
    })
    this.#bytes += size
    if (maxAge !== FOREVER) {
      this.#expiring.add(name)
      this.#sweep ??= setInterval(() => this.#dropExpired(), SWEEP_EVERY).unref()
    }
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.#drop(oldest)
    }
    return true
  }

  /** Finds a value or makes it. Callers who come while it is made for the same version share it. */
  async get<T>(use: CacheUse, key: string, at: AccountVersion, storing: Storing, make: () => Promise<T>): Promise<T> {
    const known = this.find<T>(use, key, at)
    if (known !== undefined) return known
    const name = entryName(use, key, at)
    const pending = this.#pending.get(name)
    if (pending?.version === at && !this.#isOff(use)) return pending.value as Promise<T>
    const begun = this.#moment()
    const value = make()
    this.#pending.set(name, { version: at, value })
    try {
      const made = await value
      if (made !== undefined) this.store(use, key, at, made, storing, begun)
      return made
    } finally {
      if (this.#pending.get(name)?.value === value) this.#pending.delete(name)
    }
  }

  #dropExpired(): void {
    for (const name of this.#expiring) if (this.#hasExpired(this.#entries.get(name) as Entry)) this.#drop(name)
    if (this.#expiring.size > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }

  /** An older snapshot must not see newer values, nor a newer one values whose tables have changed since. */
  #isValidAt(entry: Entry, at: AccountVersion): boolean {
    const { version, tables } = entry
    if (version > at.version || this.#hasExpired(entry)) return false
    if (version < at.version) for (const table of tables) if ((at.changed.get(table) ?? 0) > version) return false
    return true
  }

  /** A clock that was set back does not make values live longer. */
  #hasExpired({ storedAt, maxAge }: Entry): boolean {
    if (maxAge === FOREVER) return false
    const now = this.#moment()
    const age = now.clock - storedAt.clock
    return age < 0 || age >= maxAge || now.timer - storedAt.timer >= maxAge
  }

  #moment(): Moment {
    return { clock: this.#now(), timer: performance.now() }
  }

  /** The least recently used entry comes first. */
  #noteUse(name: string, entry: Entry): void {
    this.#entries.delete(name)
    this.#entries.set(name, entry)
  }

  #drop(name: string): void {
    this.#bytes -= this.#entries.get(name)?.bytes ?? 0
    this.#entries.delete(name)
    this.#expiring.delete(name)
  }
}

/** Accounts and servers never share an entry. */
const entryName = (use: CacheUse, key: string, { accountId, generation }: AccountVersion) =>
  `${use} ${accountId} ${generation} ${key}`
