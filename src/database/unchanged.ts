import type { Database } from './database.ts'

/** What is read by its name, and need not be read again while nothing was committed, by whichever process. */
export class WhileUnchanged<T> {
  readonly #database: Pick<Database, 'mark'>
  readonly #most: number
  readonly #known = new Map<string, Promise<T>>()
  #mark: number | undefined

  constructor(database: Pick<Database, 'mark'>, most = 1000) {
    this.#database = database
    this.#most = most
  }

  get(name: string, read: () => Promise<T>): Promise<T> {
    // Taken before reading: what is committed in between makes the next one read again.
    const mark = this.#database.mark()
    if (mark === undefined) return read()
    if (mark !== this.#mark || this.#known.size >= this.#most) {
      this.#known.clear()
      this.#mark = mark
    }
    const known = this.#known.get(name)
    if (known) return known
    const reading = read()
    this.#known.set(name, reading)
    reading.catch(() => this.#known.delete(name))
    return reading
  }
}
