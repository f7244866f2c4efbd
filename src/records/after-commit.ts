import { setTimeout as pause } from 'node:timers/promises'
import type { Database, Sql } from '../database/database.ts'
import { queryAllAccounts } from '../database/query-all-accounts.ts'

/** Work outside the database that follows from a write, such as deleting a file. It runs after the commit. */
export type AfterCommitJob = { id: string; accountId: number; kind: string; details: Record<string, any> }

/**
 * Runs jobs, by their kind. A job may run twice, for example after a crash, and must then do no harm. A handler returns `later` if
 * the job cannot run yet.
 */
export type JobHandlers = Record<string, (details: Record<string, any>, accountId: number) => Promise<unknown>>

const PAGE = 1000

/** How long a rejected request waits for the jobs that clean up after it. */
const MAX_FAILURE_WAIT = 2_000

/** How long a write waits for its deferrable jobs. */
const MAX_DEFERRABLE_WAIT = 5_000

/**
 * Stores the jobs of a write in its transaction and runs them after the commit. If a process ends in between, they remain in the
 * table and `runPending` runs them.
 */
export class AfterCommit {
  readonly #database: Database
  readonly #handlers: JobHandlers
  readonly #onFailure: (error: unknown, job: AfterCommitJob) => void
  readonly #deferrable: readonly string[]
  #runningPending: Promise<void> | undefined

  constructor(
    database: Database,
    handlers: JobHandlers,
    onFailure: (error: unknown, job: AfterCommitJob) => void,
    deferrable: readonly string[] = [],
  ) {
    this.#database = database
    this.#handlers = handlers
    this.#onFailure = onFailure
    this.#deferrable = deferrable
  }

  /** Stores jobs in the transaction of the write. */
  async store(sql: Sql, jobs: readonly AfterCommitJob[], at: string): Promise<void> {
    for (const { kind } of jobs) if (!this.#handlers[kind]) throw new Error(`Unknown background job ${kind}`)
    await storeJobs(sql, jobs, at)
  }

  /** Runs the jobs of a committed write. It waits only a short time for deferrable ones. */
  async runAfterCommit(jobs: readonly AfterCommitJob[]): Promise<void> {
    const isDeferrable = ({ kind }: AfterCommitJob) => this.#deferrable.includes(kind)
    await this.run(jobs.filter((job) => !isDeferrable(job)))
    const deferrable = jobs.filter(isDeferrable)
    if (deferrable.length === 0) return
    await Promise.race([this.run(deferrable), pause(MAX_DEFERRABLE_WAIT, undefined, { ref: false })])
  }

  /** Runs jobs. One that fails stays in the table; the write is not affected. */
  async run(jobs: readonly AfterCommitJob[]): Promise<void> {
    for (const job of jobs) {
      try {
        const handler = this.#handlers[job.kind]
        if (!handler)
          throw new Error(
            `Unknown background job ${job.kind}. A newer version of Cadre probably added it. Run that version or a later one to finish it`,
          )
        if ((await handler(job.details, job.accountId)) === 'later') continue
        await this.#database.write((sql) => deleteJob(sql, job))
      } catch (error) {
        this.#onFailure(error, job)
      }
    }
  }

  /** Stores and runs the jobs of a failed write. The rejected request waits only a short time for them. */
  async runAfterFailure(jobs: readonly AfterCommitJob[]): Promise<void> {
    if (jobs.length === 0) return
    const done = this.#database
      .write((sql) => storeJobs(sql, jobs, new Date().toISOString()))
      .then(
        () => this.run(jobs),
        (error) => jobs.forEach((job) => void this.#onFailure(error, job)),
      )
    await Promise.race([done, pause(MAX_FAILURE_WAIT, undefined, { ref: false })])
  }

  /** Runs jobs that failed or that an earlier process left. Those that fail again do not stop the others. */
  runPending(): Promise<void> {
    this.#runningPending ??= this.#runPending().finally(() => {
      this.#runningPending = undefined
    })
    return this.#runningPending
  }

  async #runPending(): Promise<void> {
    let last: Position | undefined
    do {
      const page = await this.#pending(last)
      await this.run(page.jobs)
      last = page.last
    } while (last)
  }

  /** The oldest jobs that have not run yet. */
  async pending(): Promise<AfterCommitJob[]> {
    return (await this.#pending()).jobs
  }

  async #pending(after?: Position): Promise<{ jobs: AfterCommitJob[]; last: Position | undefined }> {
    const { rows: found } = await queryAllAccounts(this.#database, (sql, accounts) =>
      sql
        .selectFrom('after_commit')
        .selectAll()
        .$if(accounts !== null, (query) => query.where('account_id', 'in', accounts))
        .$if(after !== undefined, (query) =>
          query.where((eb) =>
            eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(after?.created_at ?? '', after?.id ?? '')),
          ),
        )
        .orderBy('created_at')
        .orderBy('id')
        .limit(PAGE)
        .execute(),
    )
    const sortKey = ({ created_at, id }: Position) => `${created_at} ${id}`
    const rows = (found as Position[] as Record<string, any>[])
      .toSorted((a, b) => (sortKey(a as Position) < sortKey(b as Position) ? -1 : 1))
      .slice(0, PAGE)
    const jobs = rows.map((row) => ({
      id: row.id,
      accountId: row.account_id,
      kind: row.kind,
      details: readDetails(row.details),
    }))
    return { jobs, last: rows.length < PAGE ? undefined : (rows.at(-1) as Position) }
  }
}

/** The position of a job in the list. */
type Position = { created_at: string; id: string }

/** Stores jobs. One that is already stored counts from now on. */
export async function storeJobs(sql: Sql, jobs: readonly AfterCommitJob[], at: string): Promise<void> {
  if (jobs.length === 0) return
  const rows = jobs.map(({ id, accountId, kind, details }) => ({
    account_id: accountId,
    id,
    kind,
    details: JSON.stringify(details),
    created_at: at,
  }))
  await sql
    .insertInto('after_commit')
    .values(rows)
    .onConflict((same) =>
      same
        .columns(['account_id', 'id'])
        .doUpdateSet((eb) => ({ details: eb.ref('excluded.details'), created_at: eb.ref('excluded.created_at') })),
    )
    .execute()
}

/** Deletes a job; with `at`, only if it was not stored again since. */
export const deleteJob = (sql: Sql, { id, accountId }: Pick<AfterCommitJob, 'id' | 'accountId'>, at?: string) =>
  sql
    .deleteFrom('after_commit')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .$if(at !== undefined, (query) => query.where('created_at', '=', at))
    .execute()

/** Is there a job with this id, in any account, that was stored after this time? */
export async function isJobPending(sql: Sql, id: string, since: Date): Promise<boolean> {
  const found = await sql
    .selectFrom('after_commit')
    .select('id')
    .where('account_id', 'in', sql.selectFrom('accounts').select('accounts.id'))
    .where('id', '=', id)
    .where('created_at', '>', since.toISOString())
    .limit(1)
    .execute()
  return found.length > 0
}

/** A job with unreadable details fails when it runs, and does not stop the others. */
function readDetails(text: string): Record<string, any> {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
