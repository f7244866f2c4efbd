import { AsyncLocalStorage } from 'node:async_hooks'
import { RequestAbandoned, type Sql } from './database.ts'

/** How many writers share one commit at most. */
const MAX_SHARED = 32
/** After this many milliseconds a shared transaction takes no more writers, so that those already done get their answer. */
const MAX_SHARED_TIME = 50

/** An open transaction in which several writers work, one after the other. */
export type SharedTransaction = {
  readonly sql: Sql
  savepoint(): Promise<unknown>
  /** Undoes the writes since the savepoint, which failed with this error. Throws if the whole transaction is lost. */
  rollbackToSavepoint(error: unknown): Promise<unknown>
  releaseSavepoint(): Promise<unknown>
  /** All writes are on disk when it resolves, and none if it fails. */
  commit(): Promise<unknown>
  rollback(): Promise<unknown>
}

/** Runs the queue outside the asynchronous context of the request that started it. */
const outsideRequests = AsyncLocalStorage.snapshot()

type QueuedWork = {
  work: (sql: Sql) => Promise<unknown>
  isOutsideTransaction?: boolean
  hasOwnTransaction?: boolean
  isAbandoned?: (() => boolean) | undefined
  resolve: (value: any) => void
  reject: (error: unknown) => void
}

type Options = {
  begin: () => Promise<SharedTransaction>
  /** For work outside a transaction. */
  sql?: Sql
  /** Turns a failure of the database into `DatabaseUnavailable`, and returns any other error as it is. */
  outage: (error: unknown) => unknown
  whenIdle?: () => void
}

/**
 * A queue of writers: one works at a time. Those that wait at the same moment run in one transaction, each after a savepoint
 * of its own, and share the commit. Each gets its answer only after that commit.
 */
export class GroupCommit {
  readonly #options: Options
  readonly #queue: QueuedWork[] = []
  #running: Promise<void> | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** How many writers wait, without those at work. */
  get waiting(): number {
    return this.#queue.length
  }

  add<T>(work: (sql: Sql) => Promise<T>, isAbandoned?: () => boolean, hasOwnTransaction = false): Promise<T> {
    // The queue may have been started by another request.
    const inCallerContext = AsyncLocalStorage.snapshot()
    return this.#enqueue({ work: (sql: Sql) => inCallerContext(work, sql), isAbandoned, hasOwnTransaction })
  }

  /** Runs work between two transactions. */
  runBetween<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#enqueue({ work, isOutsideTransaction: true })
  }

  async untilIdle(): Promise<void> {
    while (this.#running) await this.#running
  }

  #enqueue<T>(queued: Omit<QueuedWork, 'resolve' | 'reject'>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ ...queued, resolve, reject })
      this.#running ??= outsideRequests(() => this.#run())
    })
  }

  async #run(): Promise<void> {
    // Writers that arrive in the same turn of the event loop share a transaction.
    await new Promise(setImmediate)
    while (this.#queue.length > 0) {
      const [first] = this.#queue as [QueuedWork]
      if (first.isOutsideTransaction) {
        this.#queue.shift()
        await first.work(this.#options.sql as Sql).then(first.resolve, first.reject)
        continue
      }
      const separate = this.#queue.findIndex(
        ({ isOutsideTransaction, hasOwnTransaction }) => isOutsideTransaction || hasOwnTransaction,
      )
      const count = separate < 0 ? MAX_SHARED : Math.min(separate, MAX_SHARED)
      await this.#commitGroup(this.#queue.splice(0, Math.max(count, 1)))
    }
    // No `await` between the check above and this line: work added in between would wait forever.
    this.#running = undefined
    this.#options.whenIdle?.()
  }

  async #commitGroup(group: QueuedWork[]): Promise<void> {
    const { begin, outage } = this.#options
    let transaction: SharedTransaction | undefined
    try {
      transaction = await begin()
      const { settle, hasWrites } = await this.#runGroup(group, transaction)
      await (hasWrites ? transaction.commit() : transaction.rollback())
      settle()
    } catch (error) {
      await transaction?.rollback().catch(() => undefined)
      for (const { reject } of group) reject(outage(error))
    }
  }

  /** Runs the work of a group. Work for which there is no time goes back to the front of the queue. */
  async #runGroup(
    group: QueuedWork[],
    transaction: SharedTransaction,
  ): Promise<{ settle: () => void; hasWrites: boolean }> {
    const { outage } = this.#options
    const isShared = group.length > 1
    const answers: (() => void)[] = []
    let hasWrites = false
    const until = performance.now() + MAX_SHARED_TIME
    for (let at = 0; at < group.length; at++) {
      const { work, isAbandoned, resolve, reject } = group[at] as QueuedWork
      if (at > 0 && performance.now() > until) {
        this.#queue.unshift(...group.splice(at))
        break
      }
      if (isAbandoned?.()) {
        reject(new RequestAbandoned())
        continue
      }
      if (isShared) await transaction.savepoint()
      try {
        const value = await work(transaction.sql)
        answers.push(() => resolve(value))
        hasWrites = true
      } catch (error) {
        const reason = outage(error)
        answers.push(() => reject(reason))
        if (!isShared) break
        // The writers that follow can still succeed.
        await transaction.rollbackToSavepoint(error)
        continue
      }
      if (isShared) await transaction.releaseSavepoint()
    }
    return { settle: () => answers.forEach((answer) => void answer()), hasWrites }
  }
}
