import { createHmac } from 'node:crypto'
import { sql as raw } from 'kysely'
import type { Database, Sql } from '../../database/database.ts'
import { networkOf } from '../../engine/network.ts'
import { Problem } from '../../engine/problem.ts'
import type { Account } from '../../records/caller.ts'

/**
 * Attempts to sign in: some are free, then each has to wait longer, up to a longest time; with time they fade. The wait is
 * looked at before any password is. Those of a person count when they begin, so that many at once are as many, and are
 * taken back by success. An address may stand for a whole company, which comes in at nine o'clock: its own count when
 * they have failed, and are looked at again when the work begins.
 */

export type AttemptLimit = {
  readonly name: string
  readonly free: number
  /** The longest wait, in seconds. */
  readonly longest: number
  /** In how many milliseconds one of them is forgotten. */
  readonly fades: number
}

/** Somebody's password or codes, from wherever. Who has signed in here before is counted apart: see `countedFor`. */
export const ofPerson = (name: string): AttemptLimit => ({
  name: `person ${name}`,
  free: 5,
  longest: 900,
  fades: 3_600_000,
})

/** More is free, and the wait stays short; as many fade as may be tried when it is longest. */
export const ofAddress = (address: string | null): AttemptLimit => ({
  name: `address ${networkOf(address ?? '')}`,
  free: 20,
  longest: 60,
  fades: 60_000,
})

const FORGOTTEN_AFTER = 24 * 3_600_000

/** There are a million places at most, whatever names are tried; nobody can tell which share one. */
const placeOf = (account: Account, { name }: AttemptLimit) =>
  createHmac('sha256', account.signing_key).update(`attempts of ${name}`).digest('hex').slice(0, 5)

const tooMany = (ms: number) =>
  new Problem(429, 'too_many_attempts', 'Too many sign-in attempts have failed. Try again later.', {
    retryAfter: Math.max(1, Math.ceil(ms / 1000)),
  })

/** Who waits until when, as this process knows: whoever keeps trying is refused without a look at the database. */
const known = new WeakMap<Database, Map<string, number>>()
const MOST_KNOWN = 10_000

function waitsOf(database: Database): Map<string, number> {
  const waits = known.get(database) ?? new Map<string, number>()
  known.set(database, waits)
  if (waits.size >= MOST_KNOWN) waits.clear()
  return waits
}

/** Refuses an attempt under a name that has to wait, as far as that is known here. */
export function refuseWaiting(database: Database, account: Account, counted: readonly AttemptLimit[], now: Date): void {
  const waits = waitsOf(database)
  for (const one of counted) {
    const left = (waits.get(`${account.id} ${placeOf(account, one)}`) ?? 0) - now.getTime()
    if (left > 0) throw tooMany(left)
  }
}

/** The same, as far as it is known at all. */
async function refuseAllWaiting(database: Database, account: Account, counted: readonly AttemptLimit[], now: Date) {
  refuseWaiting(database, account, counted, now)
  const places = counted.map((one) => placeOf(account, one))
  const waiting = await database.query((sql) =>
    sql
      .selectFrom('sign_in_attempts')
      .select(['place', 'until'])
      .where('account_id', '=', account.id)
      .where('place', 'in', places)
      .where('until', '>', now.getTime())
      .execute(),
  )
  const waits = waitsOf(database)
  for (const { place, until } of waiting) waits.set(`${account.id} ${place}`, Number(until))
  refuseWaiting(database, account, counted, now)
}

/** Counts an attempt that begins, or refuses it when it has to wait, or one of the `others` has. Says how many there were. */
export async function countAttempt(
  database: Database,
  account: Account,
  own: AttemptLimit,
  others: readonly AttemptLimit[],
  now: Date,
): Promise<number> {
  await refuseAllWaiting(database, account, [own, ...others], now)
  const counted = await database.write((sql) => countOne(sql, account, own, now.getTime(), true))
  // Somebody else was counted in between, and made all wait.
  if (counted === null) throw tooMany(1000)
  return counted.failures
}

/** Counts an attempt that has failed, and says how many there were. */
export async function countFailure(
  database: Database,
  account: Account,
  one: AttemptLimit,
  now: Date,
): Promise<number> {
  const counted = await database.write((sql) => countOne(sql, account, one, now.getTime(), false))
  if (counted === null) return 0
  waitsOf(database).set(`${account.id} ${placeOf(account, one)}`, counted.until)
  return counted.failures
}

async function countOne(sql: Sql, account: Account, one: AttemptLimit, at: number, waits: boolean) {
  const { free, longest, fades } = one
  const [now, place] = [raw.lit(at), placeOf(account, one)]
  const faded = raw<number>`(${now} - sign_in_attempts.last_at) / ${raw.lit(fades)}`
  const left = raw<number>`case when ${faded} >= sign_in_attempts.failures then 0 when ${faded} < 0
    then sign_in_attempts.failures else sign_in_attempts.failures - ${faded} end`
  // What has faded in part goes on fading from where it was.
  const since = raw<number>`case when ${faded} >= sign_in_attempts.failures or ${faded} < 0 then ${now}
    else sign_in_attempts.last_at + ${faded} * ${raw.lit(fades)} end`
  const steps = Array.from(
    { length: Math.ceil(Math.log2(longest)) + 1 },
    (_, more) =>
      raw`when ${left} = ${raw.lit(free + more)} then ${now} + ${raw.lit(Math.min(longest, 2 ** more) * 1000)}`,
  )
  // Nobody waits for those who came at the same moment: clocks of processes differ.
  const until = raw<number>`case when ${left} < ${raw.lit(free)} then 0 ${raw.join(steps, raw` `)}
    else ${now} + ${raw.lit(longest * 1000)} end`
  const counted = await sql
    .insertInto('sign_in_attempts')
    .values({ account_id: account.id, place, failures: 1, last_at: at, until: 0 })
    .onConflict((same) =>
      same
        .columns(['account_id', 'place'])
        .doUpdateSet({ failures: raw<number>`${left} + 1`, last_at: since, until })
        .where((eb) => (waits ? eb('sign_in_attempts.until', '<=', at) : eb.lit(true))),
    )
    .returning(['failures', 'until'])
    .executeTakeFirst()
  if (!counted) return null
  if (counted.failures === 1) {
    const old = at - FORGOTTEN_AFTER
    await sql.deleteFrom('sign_in_attempts').where('account_id', '=', account.id).where('last_at', '<', old).execute()
  }
  return { failures: Number(counted.failures), until: Number(counted.until) }
}

/** An attempt has succeeded: they begin anew. */
export async function takeBack(database: Database, account: Account, one: AttemptLimit): Promise<void> {
  const place = placeOf(account, one)
  waitsOf(database).delete(`${account.id} ${place}`)
  await database.write((sql) =>
    sql
      .updateTable('sign_in_attempts')
      .set({ failures: 0, until: 0 })
      .where('account_id', '=', account.id)
      .where('place', '=', place)
      .where('failures', '>', 0)
      .execute(),
  )
}
