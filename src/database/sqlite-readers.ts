import { RequestAbandoned, type Sql } from './database.ts'
import { sqliteOutage } from './sqlite-errors.ts'
import { runText } from './sqlite-writer.ts'

/** A pool of read connections, each for one reader at a time. */
export class SqliteReaders {
  readonly #idle: Sql[]
  readonly #end: string
  readonly #waiting: ((reader: Sql) => void)[] = []

  /** Use `rollback` as the end of transactions in which replacement rows are materialized, so that those go away. */
  constructor(idle: Sql[], end: 'commit' | 'rollback' = 'commit') {
    this.#idle = idle
    this.#end = end
  }

  get idle(): number {
    return this.#idle.length
  }

  get waiting(): number {
    return this.#waiting.length
  }

  async use<T>(work: (sql: Sql) => Promise<T>, isAbandoned?: () => boolean): Promise<T> {
    const reader = this.#idle.pop() ?? (await new Promise<Sql>((resolve) => this.#waiting.push(resolve)))
    try {
      await yieldToOthers()
      if (isAbandoned?.()) throw new RequestAbandoned()
      await runText(reader, 'begin')
      const result = await work(reader)
      await runText(reader, this.#end)
      return result
    } catch (error) {
      // Without an open transaction this fails, which is fine.
      await runText(reader, 'rollback').catch(() => undefined)
      throw sqliteOutage(error)
    } finally {
      const next = this.#waiting.shift()
      if (next) next(reader)
      else this.#idle.push(reader)
      continueStretch()
    }
  }
}

/** For this many milliseconds reads may follow each other before the event loop handles anything else. */
const MAX_STRETCH = 10

let stretchStart: number | undefined
const queue: (() => void)[] = []

const isStretchOver = () => stretchStart !== undefined && performance.now() - stretchStart > MAX_STRETCH

/**
 * The driver is synchronous. Without this, work with many reads would block the event loop: no other request, timer or signal
 * would be handled. Also, each turn of the event loop accepts only one new connection, so with long turns many concurrent
 * callers would wait for each other's responses before their requests are even read.
 */
async function yieldToOthers(): Promise<void> {
  if (stretchStart === undefined) startStretch()
  else if (queue.length > 0 || isStretchOver()) await new Promise<void>((resolve) => queue.push(resolve))
}

function startStretch(): void {
  stretchStart = performance.now()
  setImmediate(() => {
    stretchStart = undefined
    if (queue.length === 0) return
    startStretch()
    queue.shift()?.()
  })
}

/** While there is time left, a reader that is done lets the next one begin. */
function continueStretch(): void {
  if (queue.length > 0 && !isStretchOver()) queue.shift()?.()
}
