import type { Database } from '../database/database.ts'
import { type Actor, actorRef, type Caller } from './caller.ts'
import { chunks } from './chunks.ts'

/** Who has read what is watched over: a stream beside the ledger, which no read waits for. */

/** A record of which something was shown: `what` is the group of data, or the sort of thing, that is watched over. */
export type Sighting = {
  what: string
  resource: string
  record_id: number
  owner: string | null
  owner_id: number | null
}

/** What is watched over. */
export type Watched = {
  /** Groups of data, in whichever records they are. */
  readonly groups: ReadonlySet<string>
  /** Kinds of records by their tables, and what they are called here. */
  readonly kinds: ReadonlyMap<string, string>
  /** Operations that hand out all that there is of the record which their path names. */
  readonly handOuts: ReadonlyMap<string, { what: string; resource: string }>
}

/** Tells which of the records that were read hold something of what is watched over. Asked after the answer is made. */
export type Showing = (watched: Watched) => Iterable<Sighting>

type Row = Sighting & {
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
/** How many sightings of the hour are remembered: the same one again is no news. */
const MOST_REMEMBERED = 200_000

/**
 * Gathers entries in memory and writes them in batches, behind everybody's back: nothing waits for it, fails by it, or
 * takes a turn for it. Whoever reads the same of the same record by the same operation again within an hour leaves one
 * entry, so that a program that asks every minute does not fill the disk.
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
  note(caller: Caller, operation: string, params: Record<string, unknown>, shown: readonly Showing[]): void {
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

  add(by: Reading, sightings: Iterable<Sighting>): void {
    const at = this.#needs.clock().toISOString()
    this.#begin(at.slice(0, 13))
    for (const sighting of sightings) {
      const { what, resource, record_id } = sighting
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
        ...sighting,
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
