import { DatabaseUnavailable, type Reading as Reads } from './database.ts'

/** Who reads: of which account, and whether it may take long. */
type Reading = Pick<Reads, 'of' | 'isLong'>

/** How long somebody waits for a turn to read, in milliseconds. */
const PATIENCE = 5_000

const TOO_MUCH = 'The service is overloaded at the moment. Try again shortly.'

type Waiting = Reading & { begin: () => void }

/**
 * Of the connections, those that may read at the same time. Some are left for finding keys and for writing, one for other
 * accounts than the one that reads the most, and long reads have a part of them only: so nobody holds up all others.
 */
export class Slots {
  readonly #most: number
  readonly #mostOfOne: number
  readonly #mostLong: number
  readonly #held = new Map<number | undefined, number>()
  readonly #queue: Waiting[] = []
  #reading = 0
  #long = 0

  constructor(connections: number) {
    this.#most = connections - (connections >= 8 ? 2 : connections >= 2 ? 1 : 0)
    this.#mostOfOne = this.#most >= 3 ? this.#most - 1 : this.#most
    this.#mostLong = Math.max(1, Math.floor(this.#most / 3))
  }

  get waiting(): number {
    return this.#queue.length
  }

  async use<T>(reading: Reading, work: () => Promise<T>): Promise<T> {
    if (this.#isFreeFor(reading)) this.#take(reading)
    else await this.#turn(reading)
    try {
      return await work()
    } finally {
      this.#giveBack(reading)
    }
  }

  #isFreeFor({ of, isLong }: Reading): boolean {
    if (this.#reading >= this.#most || (isLong && this.#long >= this.#mostLong)) return false
    return of === undefined || (this.#held.get(of) ?? 0) < this.#mostOfOne
  }

  #turn(reading: Reading): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1)
        reject(new DatabaseUnavailable('All read connections are in use', { told: TOO_MUCH }))
      }, PATIENCE)
      const waiting: Waiting = {
        ...reading,
        begin: () => {
          clearTimeout(late)
          resolve()
        },
      }
      this.#queue.push(waiting)
    })
  }

  #take({ of, isLong }: Reading): void {
    this.#reading++
    if (isLong) this.#long++
    this.#held.set(of, (this.#held.get(of) ?? 0) + 1)
  }

  #giveBack({ of, isLong }: Reading): void {
    this.#reading--
    if (isLong) this.#long--
    const left = (this.#held.get(of) ?? 1) - 1
    if (left > 0) this.#held.set(of, left)
    else this.#held.delete(of)
    this.#beginAll()
  }

  /** Whoever fits begins, the longest waiting first: one who ends may make room for two, of the account and of the long. */
  #beginAll(): void {
    for (const one of [...this.#queue])
      if (this.#isFreeFor(one)) {
        this.#queue.splice(this.#queue.indexOf(one), 1)
        this.#take(one)
        one.begin()
      }
  }
}
