import { ofAllAccounts } from '../database/all-accounts.ts'
import type { Database, Reading, Sql } from '../database/database.ts'
import { AfterCommit, type Dutiful, type Duty } from './after-commit.ts'
import type { Caller } from './caller.ts'
import { SKEW, watchful } from './clock.ts'
import { type Consequence, drawConsequences } from './consequences.ts'
import type { Footing } from './footing.ts'
import { forgetAll } from './forget.ts'
import { Found, type Lists } from './found.ts'
import { News } from './news.ts'
import { Past } from './past.ts'
import { Pieces, standingOf } from './pieces.ts'
import { like, type Moment, type Reader, reader, type Visibility } from './reader.ts'
import { type PastTable, type Referrer, referrersAmong, type Table } from './tables.ts'
import { causeOf, endTurn, lastOf, type Turn, takeTurn } from './turn.ts'
import { type Writer, writer } from './write.ts'

/** A database whose records change in one way only: in turn, with an entry for each change. */
export type Ledger = {
  readonly database: Database
  readonly clock: () => Date
  readonly referrers: Map<string, Referrer[]>
  readonly afterCommit: AfterCommit
  readonly consequences: readonly Consequence[]
  readonly news: News
  readonly past: Past
  readonly found: Found
  readonly pieces: Pieces | undefined
}

/** What is kept in mind from one call to the next. */
export type InMind = Lists & {
  /** Whether small records that many others name are. */
  pieces?: boolean
}

export function openLedger(needs: {
  database: Database
  tables: readonly Table[]
  clock?: () => Date
  consequences?: readonly Consequence[]
  dutiful?: Dutiful
  /** Kinds of duties that may be done after a write was answered. */
  unhurried?: readonly string[]
  onFailure?: (error: unknown, duty: Duty) => void
  /** Told when the clock has jumped, and by how many milliseconds. */
  onJump?: (milliseconds: number) => void
  inMind?: InMind
}): Ledger {
  const {
    database,
    tables,
    consequences = [],
    dutiful = {},
    unhurried = [],
    onFailure = () => undefined,
    onJump = () => undefined,
    inMind = {},
  } = needs
  const clock = watchful(needs.clock ?? (() => new Date()), onJump)
  const afterCommit = new AfterCommit(database, dutiful, onFailure, unhurried)
  return {
    database,
    clock,
    referrers: referrersAmong(tables),
    afterCommit,
    consequences,
    news: new News(database),
    past: new Past(database),
    found: new Found(database, tables, inMind),
    pieces:
      inMind.pieces === false
        ? undefined
        : new Pieces(
            database,
            tables.map(({ table }) => table),
          ),
  }
}

/** By how many milliseconds the last write of any account lies ahead of the clock: 0, unless one of the two was wrong. */
export async function writtenAhead({ database, clock }: Ledger): Promise<number> {
  const { found } = await ofAllAccounts(database, (sql, accounts) =>
    sql
      .selectFrom('accounts')
      .select((eb) => eb.fn.max('turn_at').as('at'))
      .$if(accounts !== null, (query) => query.where('id', 'in', accounts))
      .execute(),
  )
  const last = Math.max(0, ...found.map(({ at }) => (at ? new Date(at).getTime() : 0)))
  const ahead = last > 0 ? last - clock().getTime() : 0
  return ahead > SKEW ? ahead : 0
}

type HowRead = Pick<Reading, 'isLong' | 'isAbandoned'> & {
  /** Notes what is read. What is noted may come from a copy that follows the database, if it has all that the caller knows of. */
  readonly footing?: Footing | undefined
}

/** Runs reads for a caller; all of them see the same state of the data. */
export const readAs = <T>(
  { database, clock, referrers, past, found, pieces }: Ledger,
  caller: Caller,
  work: (db: Reader) => Promise<T>,
  { footing, ...how }: HowRead = {},
): Promise<T> => {
  const { account, versions } = caller
  // One that is further on may have gone there by another way: a server took over that lacked what it has.
  const isRecent = async (sql: Sql) => {
    const { version, head } = await standingOf(sql, account.id, database, database.generation())
    return version === versions?.version && head === versions.head
  }
  return database.read(
    (sql, isFollowing) => {
      if (footing) footing.isFollowing = isFollowing === true
      const withPast = (db: Reader): Reader =>
        like(db, {
          asKnownAt: (then: Moment, tables: readonly PastTable[]) => {
            if (footing) footing.isPassing = true
            return past.reader(db, sql, then, tables)
          },
          withVisibility: (visibility: Visibility) => withPast(db.withVisibility(visibility)),
        })
      return work(withPast(reader(database, sql, caller, clock(), referrers, { footing, found, pieces })))
    },
    { ...how, isRecent: footing && versions && isRecent, of: account.id },
  )
}

type Work<T> = (db: Writer, turn: Turn) => Promise<T>

/** Runs one ledgered write for a caller: everything or nothing. Resolves once it is on disk. */
export async function writeAs<T>(
  ledger: Ledger,
  caller: Caller,
  operation: string,
  work: Work<T>,
  isAbandoned?: () => boolean,
): Promise<T> {
  const ifItFails: Duty[] = []
  try {
    const { result, duties, last } = await ledger.database.write(
      (sql) => writeOn(ledger, sql, caller, operation, work, { ifItFails }),
      { isAbandoned, inTurn: caller.account.id },
    )
    ledger.news.tell(caller.account.id, last)
    await ledger.afterCommit.follow(duties)
    return result
  } catch (error) {
    // Whether it was committed all the same is asked by whoever does it.
    await ledger.afterCommit.makeUpFor(ifItFails)
    throw error
  }
}

/**
 * Runs a write to its very end, with all that follows from it, looks at what has come of it, and takes everything back:
 * nothing is stored, nothing is done afterwards, nobody is told.
 */
export async function rehearseAs<T, S>(
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
      async atTheEnd(db, turn, result) {
        seen = await look(db, turn, result)
        throw over
      },
    })
  await ledger.database.write(perform, { isAbandoned, inTurn: caller.account.id }).catch((error) => {
    if (error !== over) throw error
  })
  return seen as S
}

type Look<T, S> = (db: Writer, turn: Turn, result: T) => Promise<S>

/** A write inside a transaction that is already open; whoever opened it sees to the duties. */
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
    ifItFails?: Duty[]
  } = {},
): Promise<{ result: T; duties: readonly Duty[]; last: number }> {
  const turn = await takeTurn(sql, caller, operation, ledger.clock(), more.ifItFails)
  try {
    const db = writer(ledger.database, turn, ledger.referrers)
    const result = await work(db, turn)
    await drawConsequences(ledger.consequences, db, turn.changes)
    await forgetAll(turn)
    await endTurn(turn)
    await ledger.afterCommit.keep(sql, turn.duties, turn.at.toISOString())
    await more.atTheEnd?.(db, turn, result)
    return { result, duties: turn.duties, last: lastOf(turn) }
  } catch (error) {
    throw await causeOf(error, turn)
  }
}
