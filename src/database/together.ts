import { AsyncLocalStorage } from 'node:async_hooks'
import { Abandoned, type Sql } from './database.ts'

/** How many waiting writers share one commit at most. */
const SHARED_COMMIT = 32
/** For so many milliseconds those that are done wait for others; then they are answered. */
const LONGEST_SHARE = 50

/** A transaction that has begun, in which several writers work, one after the other. */
export type Transaction = {
  readonly sql: Sql
  /** What is written from here on can be taken back by itself. */
  mark(): Promise<unknown>
  /** Takes back what was written since the mark, after this error; fails if the whole transaction is lost. */
  takeBack(error: unknown): Promise<unknown>
  /** What was written since the mark stays. */
  unmark(): Promise<unknown>
  /** Everything is on disk when it resolves; when it fails, nothing is. */
  commit(): Promise<unknown>
  /** Takes back everything. */
  end(): Promise<unknown>
}

/** What runs here belongs to nobody's request. */
const onNobodysBehalf = AsyncLocalStorage.snapshot()

type Job = {
  work: (sql: Sql) => Promise<unknown>
  /** It runs by itself, in no transaction. */
  isAlone?: boolean
  /** It shares its transaction with nobody. */
  isOwn?: boolean
  isAbandoned?: (() => boolean) | undefined
  resolve: (value: any) => void
  reject: (error: unknown) => void
}

type Needs = {
  begin: () => Promise<Transaction>
  /** For those who work in no transaction. */
  sql?: Sql
  /** What the database is to blame for, as its callers are told; any other error as it is. */
  outage: (error: unknown) => unknown
  /** Called when nobody works or waits any more. */
  whenIdle?: () => void
}

/**
 * One writer at a time. Those that wait together run one after the other in one transaction, each behind a mark of its own,
 * and share the commit; each is answered only after that commit.
 */
export class Together {
  readonly #needs: Needs
  readonly #jobs: Job[] = []
  #running: Promise<void> | undefined

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** How many wait, those that are under way not among them. */
  get waiting(): number {
    return this.#jobs.length
  }

  add<T>(work: (sql: Sql) => Promise<T>, isAbandoned?: () => boolean, isOwn = false): Promise<T> {
    // Whoever set the queue going, work runs on behalf of those who asked for it.
    const asAsked = AsyncLocalStorage.snapshot()
    return this.#enter({ work: (sql: Sql) => asAsked(work, sql), isAbandoned, isOwn })
  }

  /** Runs work between the transactions of others. */
  alone<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#enter({ work, isAlone: true })
  }

  async drained(): Promise<void> {
    while (this.#running) await this.#running
  }

  #enter<T>(job: Omit<Job, 'resolve' | 'reject'>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({ ...job, resolve, reject })
      this.#running ??= onNobodysBehalf(() => this.#run())
    })
  }

  async #run(): Promise<void> {
    // Writers that arrive in the same turn of the event loop are found waiting together.
    await new Promise(setImmediate)
    while (this.#jobs.length > 0) {
      const [first] = this.#jobs as [Job]
      if (first.isAlone) {
        this.#jobs.shift()
        await first.work(this.#needs.sql as Sql).then(first.resolve, first.reject)
        continue
      }
      const next = this.#jobs.findIndex(({ isAlone, isOwn }) => isAlone || isOwn)
      const most = next < 0 ? SHARED_COMMIT : Math.min(next, SHARED_COMMIT)
      await this.#commitTogether(this.#jobs.splice(0, Math.max(most, 1)))
    }
    // In the same step as the last look at the queue, or a job added in between would wait for ever.
    this.#running = undefined
    this.#needs.whenIdle?.()
  }

  async #commitTogether(jobs: Job[]): Promise<void> {
    const { begin, outage } = this.#needs
    let transaction: Transaction | undefined
    try {
      transaction = await begin()
      const { settle, isWorth } = await this.#work(jobs, transaction)
      await (isWorth ? transaction.commit() : transaction.end())
      settle()
    } catch (error) {
      await transaction?.end().catch(() => undefined)
      for (const job of jobs) job.reject(outage(error))
    }
  }

  /** Has jobs work in a transaction; those for whom there is no time go back into the queue, to its front. */
  async #work(jobs: Job[], transaction: Transaction): Promise<{ settle: () => void; isWorth: boolean }> {
    const { outage } = this.#needs
    const isShared = jobs.length > 1
    const settling: (() => void)[] = []
    let isWorth = false
    const until = performance.now() + LONGEST_SHARE
    for (let at = 0; at < jobs.length; at++) {
      const { work, isAbandoned, resolve, reject } = jobs[at] as Job
      if (at > 0 && performance.now() > until) {
        this.#jobs.unshift(...jobs.splice(at))
        break
      }
      if (isAbandoned?.()) {
        reject(new Abandoned())
        continue
      }
      if (isShared) await transaction.mark()
      try {
        const value = await work(transaction.sql)
        settling.push(() => resolve(value))
        isWorth = true
      } catch (error) {
        const told = outage(error)
        settling.push(() => reject(told))
        if (!isShared) break
        // Where that succeeds, those behind it may: whoever has waited for too long by then begins anew.
        await transaction.takeBack(error)
        continue
      }
      if (isShared) await transaction.unmark()
    }
    return { settle: () => settling.forEach((one) => void one()), isWorth }
  }
}
