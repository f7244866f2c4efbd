import type { Database, Sql } from '../database/database.ts'

/** Something that must happen outside the transaction, once its changes are on disk. */
export type Duty = { id: string; accountId: number; kind: string; details: Record<string, any> }

/** How each kind of duty is done. It may be done twice, after a crash say, and must then do no harm. */
export type Dutiful = Record<string, (details: Record<string, any>, accountId: number) => Promise<void>>

/**
 * What is registered during a write is stored with it and done after the commit. A process that ends in between
 * leaves it in the table, and `takeUp` finds it there.
 */
export class AfterCommit {
  readonly #database: Database
  readonly #dutiful: Dutiful
  readonly #onFailure: (error: unknown, duty: Duty) => void

  constructor(database: Database, dutiful: Dutiful, onFailure: (error: unknown, duty: Duty) => void) {
    this.#database = database
    this.#dutiful = dutiful
    this.#onFailure = onFailure
  }

  /** Stores duties beside the changes that they follow from. */
  async keep(sql: Sql, duties: readonly Duty[], at: string): Promise<void> {
    if (duties.length === 0) return
    for (const { kind } of duties) if (!this.#dutiful[kind]) throw new Error(`Nothing does ${kind} after a commit`)
    const rows = duties.map(({ id, accountId, kind, details }) => ({
      account_id: accountId,
      id,
      kind,
      details: JSON.stringify(details),
      created_at: at,
    }))
    await sql.insertInto('after_commit').values(rows).execute()
  }

  /** Does duties. What fails stays in the table; whoever waits for the write is not troubled by it. */
  async perform(duties: readonly Duty[]): Promise<void> {
    for (const duty of duties) {
      try {
        const work = this.#dutiful[duty.kind]
        if (!work) throw new Error(`Nothing does ${duty.kind} after a commit: it may be of a newer version`)
        await work(duty.details, duty.accountId)
        await this.#database.write((sql) =>
          sql.deleteFrom('after_commit').where('account_id', '=', duty.accountId).where('id', '=', duty.id).execute(),
        )
      } catch (error) {
        this.#onFailure(error, duty)
      }
    }
  }

  /** Does what earlier processes left undone, or what failed. */
  async takeUp(): Promise<void> {
    await this.perform(await this.waiting())
  }

  /** What is still to be done, the oldest first. */
  async waiting(): Promise<Duty[]> {
    const rows = await this.#database.glance((sql) =>
      sql.selectFrom('after_commit').selectAll().orderBy('created_at').limit(1000).execute(),
    )
    return rows.map((row) => ({
      id: row.id,
      accountId: row.account_id,
      kind: row.kind,
      details: readDetails(row.details),
    }))
  }
}

/** What cannot be read fails by itself when it is done, and keeps nothing else from being done. */
function readDetails(text: string): Record<string, any> {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
