/** A cache of so many entries at most: the one that was used longest ago makes room for a new one. */
export class LruCache<T> {
  readonly #most: number
  readonly #onEvict: ((value: T) => void) | undefined
  /** The one that was used longest ago comes first. */
  readonly #entries = new Map<string, T>()

  constructor(most: number, onEvict?: (value: T) => void) {
    this.#most = most
    this.#onEvict = onEvict
  }

  get size(): number {
    return this.#entries.size
  }

  /** The entry of a key, made now if there is none. */
  get(key: string, make: () => T): T {
    const known = this.#entries.get(key)
    if (known !== undefined) {
      this.#entries.delete(key)
      this.#entries.set(key, known)
      return known
    }
    const made = make()
    for (const [oldest, value] of this.#entries) {
      if (this.#entries.size < this.#most) break
      this.#entries.delete(oldest)
      this.#onEvict?.(value)
    }
    this.#entries.set(key, made)
    return made
  }
}
