import type { Database, ReadOptions, Sql } from '../database/database.ts'
import { queryAllAccounts } from '../database/query-all-accounts.ts'
import { AccountVersions, requireVersion } from './account-versions.ts'
import { AfterCommit, type AfterCommitJob, type JobHandlers } from './after-commit.ts'
import { Cache, type CacheUse } from './cache.ts'
import type { Caller } from './caller.ts'
import { ChangeNotifier } from './change-notifier.ts'
import { detectJumps, MAX_SKEW } from './clock.ts'
import { type Consequence, runConsequences } from './consequences.ts'
import { eraseFromLedger } from './erase.ts'
import { HistoricalReaders } from './historical-readers.ts'
import { Lookups } from './lookups.ts'
import { type CachedLists, MatchingIds } from './matching-ids.ts'
import type { ReadSet } from './read-set.ts'
import { like, type Moment, type Reader, reader, type Visibility } from './reader.ts'
import { type PastTable, type Referrer, referrersAmong, type Table } from './tables.ts'
import { type Writer, writer } from './write.ts'
import { firstFailure, lastNumberOf, lockAccount, storeEntries, type WriteTransaction } from './write-transaction.ts'

/** A database whose records change in one way only: in turn, with an entry for each change. */
export type Ledger = {
  readonly database: Database
  readonly clock: () => Date
  readonly referrers: Map<string, Referrer[]>
  readonly afterCommit: AfterCommit
  readonly consequences: readonly Consequence[]
  readonly changeNotifier: ChangeNotifier
  readonly historicalReaders: HistoricalReaders
  readonly cache: Cache
  readonly versions: AccountVersions
  readonly matchingIds: MatchingIds
  readonly lookups: Lookups
}

/** The size of the cache in bytes, and which lists are cached. */
export type CacheOptions = CachedLists & { maxBytes?: number }

/** The size of the cache if none is configured, in bytes. A smaller one would hold too few keys and lists. */
export const LEAST_CACHE_BYTES = 16 * 2 ** 20

export function openLedger(needs: {
  database: Database
  tables: readonly Table[]
  clock?: () => Date
  consequences?: readonly Consequence[]
  jobHandlers?: JobHandlers
  /** Kinds of jobs that may run after the response. */
  deferrableJobs?: readonly string[]
  onFailure?: (error: unknown, job: AfterCommitJob) => void
  /** Told when the clock has jumped, and by how many milliseconds. */
  onJump?: (milliseconds: number) => void
  caching?: CacheOptions
}): Ledger {
  const {
    database,
    tables,
    consequences = [],
    jobHandlers = {},
    deferrableJobs = [],
    onFailure = () => undefined,
    onJump = () => undefined,
    caching = {},
  } = needs
  const clock = detectJumps(needs.clock ?? (() => new Date()), onJump)
  const afterCommit = new AfterCommit(database, jobHandlers, onFailure, deferrableJobs)
  // When statements are recorded, only rows of the past come from the cache.
  const isOff = (use: CacheUse) => use !== 'history' && database.onStatement !== undefined
  const cache = new Cache(caching.maxBytes ?? LEAST_CACHE_BYTES, () => clock().getTime(), isOff)
  return {
    database,
    clock,
    referrers: referrersAmong(tables),
    afterCommit,
    consequences,
    changeNotifier: new ChangeNotifier(database),
    historicalReaders: new HistoricalReaders(database, cache),
    cache,
    versions: new AccountVersions(database),
    matchingIds: new MatchingIds(database, cache, tables, caching),
    lookups: new Lookups(
      cache,
      tables.map(({ table }) => table),
    ),
  }
}

/** By how many milliseconds the last write of any account lies ahead of the clock: 0, unless one of the two was wrong. */
export async function writtenAhead({ database, clock }: Ledger): Promise<number> {
  const { rows } = await queryAllAccounts(database, (sql, accounts) =>
    sql
      .selectFrom('accounts')
      .select((eb) => eb.fn.max('turn_at').as('at'))
      .$if(accounts !== null, (query) => query.where('id', 'in', accounts))
      .execute(),
  )
  const last = Math.max(0, ...rows.map(({ at }) => (at ? new Date(at).getTime() : 0)))
  const ahead = last > 0 ? last - clock().getTime() : 0
  return ahead > MAX_SKEW ? ahead : 0
}

type HowRead = Pick<ReadOptions, 'isLong' | 'isAbandoned'> & {
  /** Collects the tables that are read. Such reads may use a replica that has everything the caller has seen. */
  readonly readSet?: ReadSet | undefined
}

/** Runs reads for a caller; all of them see the same state of the data. */
export const readAs = <T>(
  { database, clock, referrers, historicalReaders, matchingIds, lookups }: Ledger,
  caller: Caller,
  work: (db: Reader) => Promise<T>,
  { readSet, ...how }: HowRead = {},
): Promise<T> => {
  const { account, version: admitted } = caller
  // A replica that is ahead may have another history: after a failover to a server that lacked the last writes.
  const isUpToDate = async (sql: Sql) => {
    const { version, head } = await requireVersion(sql, account.id, database, database.generation())
    return version === admitted?.version && head === admitted.head
  }
  return database.read(
    (sql, isFollowing) => {
      if (readSet) readSet.isReplica = isFollowing === true
      // A replica is read only if it has exactly the version of the admission.
      const knownVersion = isFollowing ? admitted : undefined
      const withHistory = (db: Reader): Reader =>
        like(db, {
          asKnownAt: (then: Moment, tables: readonly PastTable[]) => {
            if (readSet) readSet.isUncacheable = true
            return historicalReaders.reader(db, sql, then, tables)
          },
          withVisibility: (visibility: Visibility) => withHistory(db.withVisibility(visibility)),
        })
      return work(
        withHistory(reader(database, sql, caller, clock(), referrers, { readSet, matchingIds, lookups, knownVersion })),
      )
    },
    { ...how, isUpToDate: readSet && admitted && isUpToDate, accountId: account.id },
  )
}

type Work<T> = (db: Writer, transaction: WriteTransaction) => Promise<T>

/** Runs one write for a caller: everything or nothing. Resolves once it is on disk. */
export async function writeAs<T>(
  ledger: Ledger,
  caller: Caller,
  operation: string,
  work: Work<T>,
  isAbandoned?: () => boolean,
): Promise<T> {
  const failureJobs: AfterCommitJob[] = []
  try {
    const { result, jobs, last } = await ledger.database.write(
      (sql) => writeOn(ledger, sql, caller, operation, work, { failureJobs }),
      { isAbandoned, accountId: caller.account.id },
    )
    ledger.changeNotifier.notify(caller.account.id, last)
    await ledger.afterCommit.runAfterCommit(jobs)
    return result
  } catch (error) {
    // Whether it was committed all the same is asked by whoever does it.
    await ledger.afterCommit.runAfterFailure(failureJobs)
    throw error
  }
}

/** Runs a write with all its consequences, reads its result and rolls it back. No after-commit job runs. */
export async function dryRunAs<T, S>(
  ledger: Ledger,
  caller: Caller,
  operation: string,
  work: Work<T>,
  look: Look<T, S>,
  isAbandoned?: () => boolean,
): Promise<S> {
  const over = new Error('The dry run has ended')
  let seen: S | undefined
  const perform = (sql: Sql) =>
    writeOn(ledger, sql, caller, operation, work, {
      async atTheEnd(db, transaction, result) {
        seen = await look(db, transaction, result)
        throw over
      },
    })
  await ledger.database.write(perform, { isAbandoned, accountId: caller.account.id }).catch((error) => {
    if (error !== over) throw error
  })
  return seen as S
}

type Look<T, S> = (db: Writer, transaction: WriteTransaction, result: T) => Promise<S>

/** A write inside a transaction that is already open; whoever opened it runs the jobs. */
export async function writeOn<T>(
  ledger: Ledger,
  sql: Sql,
  caller: Caller,
  operation: string,
  work: Work<T>,
  more: {
    /** Called when all is written, while it can still be taken back. */
    atTheEnd?: Look<T, unknown>
    /** Takes up what is to be done if it fails. */
    failureJobs?: AfterCommitJob[]
  } = {},
): Promise<{ result: T; jobs: readonly AfterCommitJob[]; last: number }> {
  const transaction = await lockAccount(sql, caller, operation, ledger.clock(), more.failureJobs)
  try {
    const db = writer(ledger.database, transaction, ledger.referrers)
    const result = await work(db, transaction)
    await runConsequences(ledger.consequences, db, transaction.changes)
    await eraseFromLedger(transaction)
    await storeEntries(transaction)
    await ledger.afterCommit.store(sql, transaction.jobs, transaction.at.toISOString())
    await more.atTheEnd?.(db, transaction, result)
    return { result, jobs: transaction.jobs, last: lastNumberOf(transaction) }
  } catch (error) {
    throw await firstFailure(error, transaction)
  }
}
