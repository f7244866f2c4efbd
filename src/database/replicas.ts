import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { NotOnReplica, type ReplicaLoad, type ReplicaSkipReason, type Sql } from './database.ts'
import { describePostgres } from './postgres-address.ts'
import { isCausedByWork, isFromServer, isOutage, isPoolExhausted } from './postgres-errors.ts'
import { type PoolOptions, PostgresPools } from './postgres-pools.ts'
import { runReadOnly, runSingle } from './postgres-transactions.ts'

/** How often an unreachable replica is tried, and how long one that is behind or busy is skipped, in milliseconds. */
const RETRY_INTERVAL = 5_000
const SHORT_SKIP = 1_000

/** After this many reads in a row that it was not up to date for, a replica counts as behind. */
const MAX_MISSES = 10

/** How long `close` waits for connections to end: a server that no longer responds never ends them. */
const CLOSE_TIMEOUT = 1_000

/** A replica that answered no read for this long causes a warning, at most one per interval. */
const WARN_AFTER = 5_000
const WARN_INTERVAL = 60_000

const WARNINGS: Record<ReplicaSkipReason, string> = {
  behind: 'it lags behind',
  other_history: 'it is not a replica of this server',
  away: 'it is unreachable',
  busy: 'all its connections are in use',
}

type Replica = {
  readonly place: string
  readonly pools: PostgresPools
  /** Not read before this time. While it is unreachable: the largest number; after `close`: infinity. */
  skippedUntil: number
  isRetrying: boolean
  /** A warning was given since it was last read. */
  isWarned: boolean
  warnedAt: number
  /** Reads in a row that it was not up to date for. */
  misses: number
  /** When the first of those was. */
  missingSince: number | undefined
  /** Why it is skipped, while it is. */
  skipReason: ReplicaSkipReason
  readonly reads: Record<'answered' | ReplicaSkipReason, number>
}

/** The read replicas. Reads go to them in turn, if they are up to date. */
export class Replicas {
  readonly #replicas: readonly Replica[]
  readonly #systemOfPrimary: () => Promise<string>
  #last = 0

  /** Replicas have the same system identifier as their primary. */
  constructor(addresses: readonly string[], options: PoolOptions, systemOfPrimary: () => Promise<string>) {
    this.#systemOfPrimary = systemOfPrimary
    this.#replicas = addresses.map((address) => ({
      place: describePostgres(address),
      pools: new PostgresPools(address, { ...options, connectTimeout: 1_000, allowsStandby: true }),
      skippedUntil: 0,
      isRetrying: false,
      isWarned: false,
      warnedAt: Number.NEGATIVE_INFINITY,
      misses: 0,
      missingSince: undefined,
      skipReason: 'behind',
      reads: { answered: 0, behind: 0, other_history: 0, away: 0, busy: 0 },
    }))
  }

  load(): ReplicaLoad[] {
    return this.#replicas.map(({ pools, reads }) => {
      const { busy, idle } = pools.load()
      return { busy, idle, reads }
    })
  }

  /** Reads from a replica; undefined if the primary must be read instead. */
  async read<T>(
    begin: string,
    isUpToDate: (sql: Sql) => Promise<boolean>,
    work: (sql: Sql, isReplica: boolean) => Promise<T>,
  ): Promise<{ value: T } | undefined> {
    const replica = this.#next()
    if (!replica) return undefined
    let hasBegun = false
    try {
      // Short, because the primary can answer instead.
      const connection = await replica.pools.connection('short')
      const value = await runReadOnly(connection, begin, async (sql) => {
        if (!(await isUpToDate(connection.withTimeout('brief')))) throw new NotOnReplica()
        hasBegun = true
        return work(sql, true)
      })
      Object.assign(replica, { misses: 0, isWarned: false, missingSince: undefined, skipReason: 'behind' })
      replica.reads.answered++
      return { value }
    } catch (error) {
      if (error instanceof NotOnReplica) {
        if (!hasBegun) this.#noteMiss(replica)
      } else if (hasBegun && !isFromServer(error) && !isOutage(error)) throw error
      else if (isPoolExhausted(error)) skipShortly(replica, 'busy')
      else if (!hasBegun || !isCausedByWork(error)) this.#skipUntilReachable(replica, error)
      return undefined
    }
  }

  async close(): Promise<void> {
    for (const replica of this.#replicas) replica.skippedUntil = Number.POSITIVE_INFINITY
    const closed = Promise.all(this.#replicas.map(({ pools }) => pools.close()))
    const timer = new AbortController()
    await Promise.race([closed, pause(CLOSE_TIMEOUT, undefined, { signal: timer.signal }).catch(() => undefined)])
    timer.abort()
  }

  #next(): Replica | undefined {
    const now = Date.now()
    for (const _ of this.#replicas) {
      this.#last = (this.#last + 1) % this.#replicas.length
      const replica = this.#replicas[this.#last] as Replica
      if (replica.skippedUntil <= now) return replica
      replica.reads[replica.skipReason]++
    }
    return undefined
  }

  /** A replica was not up to date for a read. If that continues, checks whether it ever will be. */
  #noteMiss(replica: Replica): void {
    const now = Date.now()
    replica.missingSince ??= now
    const reason = replica.skipReason === 'other_history' ? replica.skipReason : 'behind'
    if (++replica.misses % MAX_MISSES !== 0) return void replica.reads[reason]++
    skipShortly(replica, reason)
    if (now - replica.missingSince < WARN_AFTER || replica.isWarned) return
    this.#isOfOtherPrimary(replica).then((isOfOtherPrimary) => {
      if (replica.missingSince === undefined) return
      if (isOfOtherPrimary) replica.skipReason = 'other_history'
      warnOnce(replica, WARNINGS[replica.skipReason])
    })
  }

  /** Does it replicate another server, or none? */
  async #isOfOtherPrimary({ pools }: Replica): Promise<boolean> {
    try {
      const connection = await pools.connection('brief')
      const state = await runSingle(connection, async (on) => (await REPLICATION_STATE.execute(on)).rows[0])
      return !state?.is_standby || state.system !== (await this.#systemOfPrimary())
    } catch {
      return false
    }
  }

  /** Skips a replica, and tries in the background until it responds. */
  #skipUntilReachable(replica: Replica, reason: unknown): void {
    if (replica.skippedUntil === Number.POSITIVE_INFINITY) return
    replica.reads.away++
    replica.skipReason = 'away'
    replica.skippedUntil = Number.MAX_SAFE_INTEGER
    if (replica.isRetrying) return
    replica.isRetrying = true
    replica.pools.useNextHost()
    warnOnce(replica, reason)
    const timer = setInterval(async () => {
      const responds = await isResponding(replica.pools)
      if (replica.skippedUntil !== Number.POSITIVE_INFINITY && !responds) return
      clearInterval(timer)
      replica.isRetrying = false
      if (replica.skippedUntil !== Number.POSITIVE_INFINITY) replica.skippedUntil = 0
    }, RETRY_INTERVAL)
    timer.unref()
  }
}

async function isResponding(pools: PostgresPools): Promise<boolean> {
  try {
    const connection = await pools.connection('brief')
    const responds = await connection.send('select 1').then(
      () => true,
      () => false,
    )
    connection.release(!responds)
    return responds
  } catch {
    return false
  }
}

/** Warns that a replica is skipped, once until it is read again. */
function warnOnce(replica: Replica, reason: unknown): void {
  const now = Date.now()
  if (replica.isWarned || now - replica.warnedAt < WARN_INTERVAL) return
  Object.assign(replica, { isWarned: true, warnedAt: now })
  process.emitWarning(
    `Reads go to the primary instead of the read replica ${replica.place.replace(/,$/, '')}: ${reason}`,
    'DatabaseWarning',
  )
}

/** The cluster of a server, and whether the server is a standby. */
export const REPLICATION_STATE = sql<{ is_standby: boolean; system: string }>`
  select pg_is_in_recovery() as is_standby, system_identifier::text as system from pg_control_system()`

function skipShortly(replica: Replica, reason: ReplicaSkipReason): void {
  replica.reads[reason]++
  replica.skipReason = reason
  replica.skippedUntil = Math.max(replica.skippedUntil, Date.now() + SHORT_SKIP)
}
