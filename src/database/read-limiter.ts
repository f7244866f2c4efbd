import { DatabaseUnavailable, type ReadOptions } from './database.ts'

type Read = Pick<ReadOptions, 'accountId' | 'isLong'>

/** How long a read waits for a connection, in milliseconds. */
const MAX_WAIT = 5_000

const OVERLOADED = 'The service is overloaded at the moment. Try again shortly.'

type WaitingRead = Read & { begin: () => void }

/**
 * Limits how many connections reads use at the same time. A few remain for key lookups and writes, one for accounts other
 * than the busiest one, and long reads get only a third. So nobody can block everybody else.
 */
export class ReadLimiter {
  readonly #max: number
  readonly #maxOfOneAccount: number
  readonly #maxLong: number
  readonly #readsByAccount = new Map<number | undefined, number>()
  readonly #queue: WaitingRead[] = []
  #reads = 0
  #longReads = 0

  constructor(connections: number) {
    this.#max = connections - (connections >= 8 ? 2 : connections >= 2 ? 1 : 0)
    this.#maxOfOneAccount = this.#max >= 3 ? this.#max - 1 : this.#max
    this.#maxLong = Math.max(1, Math.floor(this.#max / 3))
  }

  get waiting(): number {
    return this.#queue.length
  }

  async run<T>(read: Read, work: () => Promise<T>): Promise<T> {
    if (this.#mayBegin(read)) this.#count(read)
    else await this.#wait(read)
    try {
      return await work()
    } finally {
      this.#end(read)
    }
  }

  #mayBegin({ accountId, isLong }: Read): boolean {
    if (this.#reads >= this.#max || (isLong && this.#longReads >= this.#maxLong)) return false
    return accountId === undefined || (this.#readsByAccount.get(accountId) ?? 0) < this.#maxOfOneAccount
  }

  #wait(read: Read): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1)
        reject(new DatabaseUnavailable('All read connections are in use', { publicMessage: OVERLOADED }))
      }, MAX_WAIT)
      const waiting: WaitingRead = {
        ...read,
        begin: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      this.#queue.push(waiting)
    })
  }

  #count({ accountId, isLong }: Read): void {
    this.#reads++
    if (isLong) this.#longReads++
    this.#readsByAccount.set(accountId, (this.#readsByAccount.get(accountId) ?? 0) + 1)
  }

  #end({ accountId, isLong }: Read): void {
    this.#reads--
    if (isLong) this.#longReads--
    const left = (this.#readsByAccount.get(accountId) ?? 1) - 1
    if (left > 0) this.#readsByAccount.set(accountId, left)
    else this.#readsByAccount.delete(accountId)
    this.#beginWaiting()
  }

  /** Begins every waiting read that may begin, the oldest first: one that ends may make room for two. */
  #beginWaiting(): void {
    for (const read of [...this.#queue])
      if (this.#mayBegin(read)) {
        this.#queue.splice(this.#queue.indexOf(read), 1)
        this.#count(read)
        read.begin()
      }
  }
}
