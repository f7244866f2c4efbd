import { setTimeout as pause } from 'node:timers/promises'
import type { Database, Sql } from '../database/database.ts'
import { queryAllAccounts } from '../database/query-all-accounts.ts'

/** Something that must happen outside the transaction, once its changes are on disk. */
export type Duty = { id: string; accountId: number; kind: string; details: Record<string, any> }

/**
 * How each kind of duty is done. It may be done twice, after a crash say, and must then do no harm. What cannot be done yet,
 * and is no failure, answers `later`.
 */
export type Dutiful = Record<string, (details: Record<string, any>, accountId: number) => Promise<unknown>>

/** So many are looked at together. */
const SOME = 1000

/** So long whoever was refused waits for what a failed write has left to be taken away. */
const SOON = 2_000

/** So long whoever has written waits for what nobody has to wait for. */
const A_WHILE = 5_000

/**
 * What is registered during a write is stored with it and done after the commit. A process that ends in between
 * leaves it in the table, and `takeUp` finds it there.
 */
export class AfterCommit {
  readonly #database: Database
  readonly #dutiful: Dutiful
  readonly #onFailure: (error: unknown, duty: Duty) => void
  readonly #unhurried: readonly string[]
  #takingUp: Promise<void> | undefined

  constructor(
    database: Database,
    dutiful: Dutiful,
    onFailure: (error: unknown, duty: Duty) => void,
    unhurried: readonly string[] = [],
  ) {
    this.#database = database
    this.#dutiful = dutiful
    this.#onFailure = onFailure
    this.#unhurried = unhurried
  }

  /** Stores duties beside the changes that they follow from. */
  async keep(sql: Sql, duties: readonly Duty[], at: string): Promise<void> {
    for (const { kind } of duties) if (!this.#dutiful[kind]) throw new Error(`Unknown background job ${kind}`)
    await noteDuties(sql, duties, at)
  }

  /** Does what follows a write that is on disk. For kinds that need not be done when it is answered nobody waits long. */
  async follow(duties: readonly Duty[]): Promise<void> {
    const isUnhurried = ({ kind }: Duty) => this.#unhurried.includes(kind)
    await this.perform(duties.filter((duty) => !isUnhurried(duty)))
    const others = duties.filter(isUnhurried)
    if (others.length > 0) await Promise.race([this.perform(others), pause(A_WHILE, undefined, { ref: false })])
  }

  /** Does duties. What fails stays in the table; whoever waits for the write is not troubled by it. */
  async perform(duties: readonly Duty[]): Promise<void> {
    for (const duty of duties) {
      try {
        const work = this.#dutiful[duty.kind]
        if (!work)
          throw new Error(
            `Unknown background job ${duty.kind}. A newer version of Cadre probably added it. Run that version or a later one to finish it`,
          )
        if ((await work(duty.details, duty.accountId)) === 'later') continue
        await this.#database.write((sql) => doneDuty(sql, duty))
      } catch (error) {
        this.#onFailure(error, duty)
      }
    }
  }

  /**
   * What is to be done since a write has failed: written down by itself, and done. Where not even that succeeds it is told,
   * and whoever was refused does not wait for long.
   */
  async makeUpFor(duties: readonly Duty[]): Promise<void> {
    if (duties.length === 0) return
    const done = this.#database
      .write((sql) => noteDuties(sql, duties, new Date().toISOString()))
      .then(
        () => this.perform(duties),
        (error) => duties.forEach((duty) => void this.#onFailure(error, duty)),
      )
    await Promise.race([done, pause(SOON, undefined, { ref: false })])
  }

  /** Does what earlier processes left undone, or what failed; those that fail again keep none behind them from being done. */
  takeUp(): Promise<void> {
    this.#takingUp ??= this.#takeUp().finally(() => {
      this.#takingUp = undefined
    })
    return this.#takingUp
  }

  async #takeUp(): Promise<void> {
    let seen: Place | undefined
    do {
      const { duties, last } = await this.#waiting(seen)
      await this.perform(duties)
      seen = last
    } while (seen)
  }

  /** What is still to be done, the oldest first. */
  async waiting(): Promise<Duty[]> {
    return (await this.#waiting()).duties
  }

  async #waiting(after?: Place): Promise<{ duties: Duty[]; last: Place | undefined }> {
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
        .limit(SOME)
        .execute(),
    )
    const orderOf = ({ created_at, id }: Place) => `${created_at} ${id}`
    const rows = (found as Place[] as Record<string, any>[])
      .toSorted((a, b) => (orderOf(a as Place) < orderOf(b as Place) ? -1 : 1))
      .slice(0, SOME)
    const duties = rows.map((row) => ({
      id: row.id,
      accountId: row.account_id,
      kind: row.kind,
      details: readDetails(row.details),
    }))
    return { duties, last: rows.length < SOME ? undefined : (rows.at(-1) as Place) }
  }
}

/** Where one has come to among duties. */
type Place = { created_at: string; id: string }

/** Writes down what is to be done; what was written down already counts from now on. */
export async function noteDuties(sql: Sql, duties: readonly Duty[], at: string): Promise<void> {
  if (duties.length === 0) return
  const rows = duties.map(({ id, accountId, kind, details }) => ({
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

/** Takes off the list what is done; what was written down anew since then stays. */
export const doneDuty = (sql: Sql, { id, accountId }: Pick<Duty, 'id' | 'accountId'>, at?: string) =>
  sql
    .deleteFrom('after_commit')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .$if(at !== undefined, (gone) => gone.where('created_at', '=', at))
    .execute()

/** Whether this is still to be done, by whichever account, and was written down since then. */
export async function isDue(sql: Sql, id: string, since: Date): Promise<boolean> {
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

/** What cannot be read fails by itself when it is done, and keeps nothing else from being done. */
function readDetails(text: string): Record<string, any> {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
