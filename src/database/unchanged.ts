import type { Database } from './database.ts'

/** What is read by its name, and need not be read again while nothing was committed, by whichever process. */
export class WhileUnchanged<T> {
  readonly #database: Pick<Database, 'commitMark'>
  readonly #most: number
  readonly #known = new Map<string, Promise<T>>()
  readonly #reading = new Map<string, Promise<T>>()
  readonly #waiting = new Map<string, Promise<T>>()
  #mark: number | undefined

  constructor(database: Pick<Database, 'commitMark'>, most = 1000) {
    this.#database = database
    this.#most = most
  }

  get(name: string, read: () => Promise<T>): Promise<T> {
    // Taken before reading: what is committed in between makes the next one read again.
    const mark = this.#database.commitMark()
    if (mark === undefined) return this.#next(name, read)
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

  /**
   * Where only reading tells: all who come while one reads share the next reading, which begins after they have come. So
   * nobody is told of less than what was committed before they asked.
   */
  #next(name: string, read: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(name)
    if (waiting) return waiting
    const before: Promise<unknown> = this.#reading.get(name) ?? Promise.resolve()
    const next = before.then(
      () => this.#read(name, read),
      () => this.#read(name, read),
    )
    this.#waiting.set(name, next)
    return next
  }

  #read(name: string, read: () => Promise<T>): Promise<T> {
    this.#waiting.delete(name)
    const reading = read()
    this.#reading.set(name, reading)
    const done = () => void (this.#reading.get(name) === reading && this.#reading.delete(name))
    reading.then(done, done)
    return reading
  }
}
