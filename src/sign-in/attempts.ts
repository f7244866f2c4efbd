import { createHmac } from 'node:crypto'
import { sql as raw } from 'kysely'
import type { Database, Sql } from '../database/database.ts'
import { Problem } from '../engine/problem.ts'
import type { Account } from '../ledger/caller.ts'

/**
 * Attempts to sign in, by person and by address: some are free, then each has to wait longer, up to a longest time. The
 * wait is looked at before any password is. An attempt counts when it begins, so that many at once are as many, and is
 * taken back when it succeeds.
 */

export type Counted = { readonly name: string; readonly free: number; readonly longest: number }

/** Somebody's password or codes, from wherever. Who has signed in here before is counted apart: see `deviceOf`. */
export const ofPerson = (name: string): Counted => ({ name: `person ${name}`, free: 5, longest: 900 })

/** An address may stand for a whole company: more is free, and the wait stays short. */
export const ofAddress = (address: string | null): Counted => ({
  name: `address ${networkOf(address ?? '')}`,
  free: 20,
  longest: 60,
})

/** Of IPv6 everybody has a whole network. */
const networkOf = (address: string) => (address.includes(':') ? address.split(':').slice(0, 4).join(':') : address)

const FORGOTTEN_AFTER = 24 * 3_600_000

/** There are a million places at most, whatever names are tried; nobody can tell which share one. */
const placeOf = (account: Account, { name }: Counted) =>
  createHmac('sha256', account.signing_key).update(`attempts of ${name}`).digest('hex').slice(0, 5)

const tooMany = (ms: number) =>
  new Problem(429, 'too_many_attempts', 'Too many attempts to sign in have failed; try again later', {
    retryAfter: Math.max(1, Math.ceil(ms / 1000)),
  })

/** Who waits until when, as this process knows: whoever keeps trying is refused without a look at the database. */
const known = new WeakMap<Database, Map<string, number>>()
const MOST_KNOWN = 10_000

const waitsOf = (database: Database) => {
  const waits = known.get(database) ?? new Map<string, number>()
  known.set(database, waits)
  return waits
}

/** Refuses an attempt under a name that has to wait, as far as that is known here. */
export function refuseWaiting(database: Database, account: Account, counted: readonly Counted[], now: Date): void {
  const waits = waitsOf(database)
  for (const one of counted) {
    const left = (waits.get(`${account.id} ${placeOf(account, one)}`) ?? 0) - now.getTime()
    if (left > 0) throw tooMany(left)
  }
}

/** Counts an attempt under each of the names, or refuses it when one of them has to wait. Says how many there were. */
export async function countAttempt(
  database: Database,
  account: Account,
  counted: readonly Counted[],
  now: Date,
): Promise<number> {
  const at = now.getTime()
  const places = counted.map((one) => ({ ...one, place: placeOf(account, one) }))
  refuseWaiting(database, account, counted, now)
  const waiting = await database.glance((sql) =>
    sql
      .selectFrom('sign_in_attempts')
      .select(['place', 'until'])
      .where('account_id', '=', account.id)
      .where(
        'place',
        'in',
        places.map(({ place }) => place),
      )
      .where('until', '>', at)
      .execute(),
  )
  const waits = waitsOf(database)
  if (waits.size >= MOST_KNOWN) waits.clear()
  for (const { place, until } of waiting) waits.set(`${account.id} ${place}`, Number(until))
  refuseWaiting(database, account, counted, now)
  return database.write(async (sql) => {
    let most = 0
    // Always in the same order, so that no two wait for each other.
    for (const one of places.toSorted((a, b) => (a.place < b.place ? -1 : 1)))
      most = Math.max(most, await countOne(sql, account, one, at))
    return most
  })
}

async function countOne(sql: Sql, account: Account, { place, free, longest }: Counted & { place: string }, at: number) {
  const old = at - FORGOTTEN_AFTER
  const waits = Array.from(
    { length: Math.ceil(Math.log2(longest)) + 1 },
    (_, more) => Math.min(longest, 2 ** more) * 1000,
  )
  const count = raw<number>`case when sign_in_attempts.last_at < ${old} then 1 else sign_in_attempts.failures + 1 end`
  const steps = waits.map((wait, more) => raw`when ${count} = ${raw.lit(free + 1 + more)} then ${raw.lit(wait)}`)
  const wait = raw<number>`case when ${count} <= ${raw.lit(free)} then 0 ${raw.join(steps, raw` `)} else ${raw.lit(longest * 1000)} end`
  const row = { account_id: account.id, place, failures: 1, last_at: at, until: at }
  const counted = await sql
    .insertInto('sign_in_attempts')
    .values(row)
    .onConflict((same) =>
      same
        .columns(['account_id', 'place'])
        .doUpdateSet({ failures: count, last_at: at, until: raw<number>`${raw.lit(at)} + ${wait}` })
        .where('sign_in_attempts.until', '<=', at),
    )
    .returning('failures')
    .executeTakeFirst()
  // Somebody else was counted in between, and made all wait.
  if (!counted) throw tooMany(1000)
  if (counted.failures === 1)
    await sql.deleteFrom('sign_in_attempts').where('account_id', '=', account.id).where('last_at', '<', old).execute()
  return Number(counted.failures)
}

/** An attempt has succeeded: the person begins anew, the address is given this one back. */
export const takeBack = (database: Database, account: Account, counted: readonly Counted[]): Promise<void> =>
  database.write(async (sql) => {
    for (const one of counted) {
      waitsOf(database).delete(`${account.id} ${placeOf(account, one)}`)
      const row = sql
        .updateTable('sign_in_attempts')
        .where('account_id', '=', account.id)
        .where('place', '=', placeOf(account, one))
      await row
        .set((eb) => ({
          failures: one.name.startsWith('address ') ? eb('failures', '-', 1) : 0,
          until: 0,
        }))
        .where('failures', '>', 0)
        .execute()
    }
  })
