import type { Database } from '../database/database.ts'
import { type Actor, actorRef, type Caller } from './caller.ts'
import { chunks } from './chunks.ts'

/** The access log: who has read monitored data. It is written beside the ledger, and no read waits for it. */

/** A record whose monitored data a response showed. `what` is the field group, or the name of the kind, that is monitored. */
export type MonitoredRead = {
  what: string
  resource: string
  record_id: number
  owner: string | null
  owner_id: number | null
}

/** What is monitored. */
export type Watched = {
  /** Groups of data, in whichever records they are. */
  readonly groups: ReadonlySet<string>
  /** Kinds of records by their tables, and what they are called here. */
  readonly kinds: ReadonlyMap<string, string>
  /** Operations that hand out all that there is of the record which their path names. */
  readonly handOuts: ReadonlyMap<string, { what: string; resource: string }>
}

/** Lists the records in a response that hold monitored data. It runs after the response is made. */
export type ListMonitoredReads = (watched: Watched) => Iterable<MonitoredRead>

type Row = MonitoredRead & {
  account_id: number
  at: string
  actor_kind: string
  actor_id: number | null
  person_id: number | null
  request_id: string
  operation: string
}

type Reading = {
  accountId: number
  actor: Actor
  personId: number | null
  requestId: string
  operation: string
  /** Noted however often it happens. */
  isAlwaysNoted?: boolean
}

/** How soon entries are written, and how soon it is tried again when that failed. */
const SOON = 200
const AGAIN = 1000
/** How long a stop waits for a database that does not answer. */
const PATIENCE = 3000
/** What waits in memory while the database is away. */
const MOST_WAITING = 100_000
const MOST_AT_ONCE = 2000
/** How many reads of the current hour are remembered, so that repeated ones are not logged again. */
const MOST_REMEMBERED = 200_000

/**
 * Collects entries in memory and writes them in batches. No request waits for it or fails because of it. If the same caller
 * reads the same data again by the same operation within an hour, only one entry is written: a program that reads every
 * minute must not fill the disk.
 */
export class ReadLog {
  readonly #needs: { database: Database; watched: Watched; clock: () => Date; onLoss: (lost: number) => void }
  #waiting: Row[] = []
  #lost = 0
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  #hour = ''
  readonly #seen = new Set<string>()

  constructor(needs: { database: Database; watched: Watched; clock: () => Date; onLoss: (lost: number) => void }) {
    this.#needs = needs
  }

  /** Notes what an answer has shown, and to whom. */
  note(caller: Caller, operation: string, params: Record<string, unknown>, shown: readonly ListMonitoredReads[]): void {
    const { watched } = this.#needs
    const by = {
      accountId: caller.account.id,
      actor: caller.actor,
      personId: caller.personId,
      requestId: caller.requestId,
      operation,
    }
    const handOut = watched.handOuts.get(operation)
    if (handOut) {
      const whole = { ...handOut, record_id: Number(params.id), owner: null, owner_id: null }
      this.add({ ...by, isAlwaysNoted: true }, [whole])
      return
    }
    for (const showing of shown)
      try {
        this.add(by, showing(watched))
      } catch {
        // Whatever goes wrong here, the answer is right.
        this.#lost++
      }
  }

  add(by: Reading, reads: Iterable<MonitoredRead>): void {
    const at = this.#needs.clock().toISOString()
    this.#begin(at.slice(0, 13))
    for (const read of reads) {
      const { what, resource, record_id } = read
      const key = `${by.accountId} ${actorRef(by.actor)} ${by.operation} ${what} ${resource} ${record_id}`
      if (!by.isAlwaysNoted && this.#seen.has(key)) continue
      if (this.#waiting.length >= MOST_WAITING) {
        this.#lost++
        continue
      }
      this.#seen.add(key)
      this.#waiting.push({
        account_id: by.accountId,
        at,
        actor_kind: by.actor.kind,
        actor_id: 'id' in by.actor ? by.actor.id : null,
        person_id: by.personId,
        request_id: by.requestId,
        operation: by.operation,
        ...read,
      })
    }
    if (this.#waiting.length > 0) this.#schedule(SOON)
  }

  #begin(hour: string): void {
    if (hour === this.#hour && this.#seen.size < MOST_REMEMBERED) return
    this.#hour = hour
    this.#seen.clear()
  }

  #schedule(milliseconds: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.flush().catch(() => this.#schedule(AGAIN))
    }, milliseconds).unref()
  }

  /** Writes what waits. What cannot be written waits on. */
  flush(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
    })
    return this.#writing
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST_AT_ONCE)
      try {
        await this.#write(batch)
      } catch (error) {
        this.#waiting = [...batch, ...this.#waiting]
        throw error
      }
    }
    if (this.#lost > 0) this.#needs.onLoss(this.#lost)
    this.#lost = 0
  }

  async #write(batch: readonly Row[]): Promise<void> {
    await this.#needs.database.write(async (sql) => {
      for (const [account_id, rows] of Map.groupBy(batch, (row) => row.account_id)) {
        const { last_id } = await sql
          .insertInto('counters')
          .values({ account_id, resource: 'reads', last_id: rows.length, live: rows.length })
          .onConflict((conflict) =>
            conflict.columns(['account_id', 'resource']).doUpdateSet((eb) => ({
              last_id: eb('counters.last_id', '+', rows.length),
              live: eb('counters.live', '+', rows.length),
            })),
          )
          .returning('last_id')
          .executeTakeFirstOrThrow()
        const numbered = rows.map((row, index) => ({ ...row, id: last_id - rows.length + 1 + index }))
        for (const some of chunks(numbered, 1000)) await sql.insertInto('reads').values(some).execute()
      }
    })
  }

  /** The last chance to write: a database that is away does not hold up a stop. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    const late = new Promise<void>((resolve) => void setTimeout(resolve, PATIENCE).unref())
    await Promise.race([this.flush().catch(() => undefined), late])
    const lost = this.#lost + this.#waiting.length
    if (lost > 0) this.#needs.onLoss(lost)
  }
}
