/** A cache of limited size: a new entry replaces the one that was least recently used. */
export class LruCache<T> {
  readonly #max: number
  readonly #onEvict: ((value: T) => void) | undefined
  /** Least recently used first. */
  readonly #entries = new Map<string, T>()

  constructor(max: number, onEvict?: (value: T) => void) {
    this.#max = max
    this.#onEvict = onEvict
  }

  get size(): number {
    return this.#entries.size
  }

  /** Returns the entry of a key, and makes it if there is none. */
  get(key: string, make: () => T): T {
    const cached = this.#entries.get(key)
    if (cached !== undefined) {
      this.#entries.delete(key)
      this.#entries.set(key, cached)
      return cached
    }
    const made = make()
    for (const [oldest, value] of this.#entries) {
      if (this.#entries.size < this.#max) break
      this.#entries.delete(oldest)
      this.#onEvict?.(value)
    }
    this.#entries.set(key, made)
    return made
  }
}
