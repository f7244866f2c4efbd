import { queryAllAccounts } from '../../database/query-all-accounts.ts'
import { daysAfter } from '../../engine/day.ts'
import type { Row } from '../../engine/declaration.ts'
import { attempt, erase, find, insertAll, rowsOf, storeChanges } from '../../engine/records.ts'
import type { Ledger } from '../../records/ledger.ts'
import { dateIn, type Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { holidayPolicies, holidays, LONGEST } from './holidays.ts'
import { nameAndDay, type PublicHoliday, publicHolidays } from './public-holidays.ts'
import { writeInAccounts } from './system-writes.ts'

/**
 * Which years of its country's holidays a policy has: from the one in which it was made to the next one as records that can
 * be changed. Those of the years before and after are told from the country, until somebody enters them.
 */

type HolidayPolicy = Row<typeof holidayPolicies>

export const yearOf = (day: string) => Number(day.slice(0, 4))

const publicHolidaysFrom = (country: string, first: number, last: number): PublicHoliday[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => publicHolidays(country, first + n)).flat()

/** The last year that a policy has. */
export const lastYearFor = (today: string) => yearOf(today) + 1

/** A new policy gets this year and the next. */
export async function fillNewPolicy(db: Writer, id: number): Promise<void> {
  await fill(db, await find(db, holidayPolicies, id), yearOf(db.today), lastYearFor(db.today))
}

async function fill(db: Writer, policy: HolidayPolicy, first: number, last: number): Promise<void> {
  await insertGenerated(db, policy.id, publicHolidaysFrom(policy.country_code, first, last))
  await storeChanges(db, holidayPolicies, [attempt(db, holidayPolicies, policy, { filled_until: last })])
}

/** Adds holidays, except those that the policy has already. */
async function insertGenerated(db: Writer, holiday_policy_id: number, all: PublicHoliday[]): Promise<void> {
  const held = await rowsOf(holidays, db.from('holidays').where('holiday_policy_id', '=', holiday_policy_id))
  const known = new Set(held.map(nameAndDay))
  const missing = all.filter((days) => !known.has(nameAndDay(days)))
  await insertAll(
    db,
    holidays,
    missing.map((days) => ({ ...days, holiday_policy_id, generated: true, ...whole(days) })),
  )
}

const whole = ({ occurs_on, ends_on }: PublicHoliday) => ({ free_from: occurs_on, free_until: ends_on })

const generatedFrom = (db: Reader, policyId: number, day: string) =>
  rowsOf(
    holidays,
    db
      .from('holidays')
      .where('holiday_policy_id', '=', policyId)
      .where('generated', '=', true)
      .where('occurs_on', '>=', day),
  )

/** Puts the holidays of the policy's country in place of those that came with another one; past years stay. */
export async function replaceGenerated(db: Writer, id: number): Promise<void> {
  const policy = await find(db, holidayPolicies, id)
  const year = yearOf(db.today)
  const wanted = new Map(
    publicHolidaysFrom(policy.country_code, year, lastYearFor(db.today)).map((days) => [nameAndDay(days), days]),
  )
  for (const row of await generatedFrom(db, id, `${year}-01-01`)) {
    const same = wanted.get(nameAndDay(row))
    if (same?.ends_on !== row.ends_on || same.half_day !== row.half_day) await erase(db, holidays, row)
  }
  await fill(db, policy, year, lastYearFor(db.today))
}

/** An earlier version kept every public holiday as one whole day: from today on, they get the days they have. */
async function mend(db: Writer, policy: HolidayPolicy): Promise<number> {
  const last = yearOf(policy.created_at) + 1
  const all = publicHolidaysFrom(policy.country_code, yearOf(db.today), last)
  for (const row of await generatedFrom(db, policy.id, db.today)) {
    const own = all.find((days) => nameAndDay(days) === nameAndDay(row))
    // The half day before a feast goes with the feast: what somebody has deleted does not come back.
    const eve = all.find(
      (days) => days.half_day && days.name === row.name && daysAfter(days.ends_on, 1) === row.occurs_on,
    )
    if (own) {
      const { ends_on, half_day } = own
      await storeChanges(db, holidays, [attempt(db, holidays, row, { ends_on, half_day, ...whole(own) })])
    }
    if (eve) await insertGenerated(db, policy.id, [eve])
  }
  return last
}

/** Sees to it that every policy has the next year too. Whoever comes second finds nothing left to do. */
export async function fillNextYear(ledger: Ledger): Promise<void> {
  const next = ledger.clock().getUTCFullYear() + 1
  const { rows: due } = await queryAllAccounts(ledger.database, (sql, accounts) =>
    sql
      .selectFrom('holiday_policies')
      .select('account_id')
      .distinct()
      .where((eb) => eb.or([eb('filled_until', 'is', null), eb('filled_until', '<', next)]))
      .$if(accounts !== null, (query) => query.where('account_id', 'in', accounts))
      .execute(),
  )
  const ids = new Set(due.map((row) => row.account_id))
  await writeInAccounts(ledger, ids, 'fillNextYear', async (db) => {
    const year = yearOf(db.today)
    for (const policy of await rowsOf(holidayPolicies, db.from('holiday_policies'))) {
      const filled = policy.filled_until ?? (await mend(db, policy))
      if (policy.filled_until === null || filled <= year)
        // Also years in which nobody looked: leave that was taken in them goes on being counted by them.
        await fill(db, policy, filled + 1, Math.max(filled, lastYearFor(db.today)))
    }
  })
}

/** A stretch of free days under a policy; without an id as long as nobody can have changed it. */
export type HolidayPeriod = {
  id: number | null
  holiday_policy_id: number
  policy: string
  name: string
  occurs_on: string
  free_from: string
  free_until: string
  half_day: boolean
}

/**
 * What is free under some policies, or all: their records, and before and after the years of those what their country has.
 * Whatever speaks of holidays asks here.
 */
export async function holidaysBetween(
  db: Reader,
  first: string,
  last: string,
  policyIds?: number[],
): Promise<HolidayPeriod[]> {
  const all = db.from('holiday_policies')
  const policies = await rowsOf(holidayPolicies, policyIds ? all.where('id', 'in', policyIds) : all)
  const nameOf = new Map(policies.map((policy) => [policy.id, policy.name]))
  let kept = db
    .from('holidays')
    .select(['id', 'holiday_policy_id', 'name', 'occurs_on', 'free_from', 'free_until', 'half_day'])
  // The longest holiday bounds how far back the index must be read.
  kept = kept.where('free_from', '>=', daysAfter(first, -LONGEST)).where('free_from', '<=', last)
  if (policyIds) kept = kept.where('holiday_policy_id', 'in', policyIds)
  const rows = await kept.where('free_until', '>=', first).orderBy('id').execute()
  const records = rows.map((row) => ({
    ...row,
    policy: nameOf.get(row.holiday_policy_id),
    half_day: Boolean(row.half_day),
  })) as HolidayPeriod[]
  const others = policies.flatMap((policy) =>
    withoutRecords(db, policy, yearOf(first) - 1, yearOf(last))
      .map((days) => ({ id: null, holiday_policy_id: policy.id, policy: policy.name, ...days, ...whole(days) }))
      .filter(({ free_from, free_until }) => free_from <= last && free_until >= first),
  )
  const byHand = others.length > 0 ? await recordsOn(db, others) : new Set()
  return [...records, ...others.filter((days) => !byHand.has(keyOf(days)))]
}

/** The holidays of a policy in years of which it has no records: before its first one, and after the last. */
function withoutRecords(db: Reader, policy: HolidayPolicy, first: number, last: number): PublicHoliday[] {
  const { country_code, earlier_country_code, filled_until } = policy
  const from = policy.filled_from ?? yearOf(dateIn(db.account.time_zone, new Date(policy.created_at)))
  return [
    ...publicHolidaysFrom(earlier_country_code ?? country_code, first, Math.min(last, from - 1)),
    ...publicHolidaysFrom(country_code, Math.max(first, (filled_until ?? 9999) + 1), last),
  ]
}

const keyOf = (days: { holiday_policy_id: number; name: string; occurs_on: string }) =>
  `${days.holiday_policy_id} ${nameAndDay(days)}`

/** Those of some holidays that somebody has entered: what they say holds, also that the day is worked. */
async function recordsOn(db: Reader, some: readonly HolidayPeriod[]): Promise<Set<string>> {
  const days = some.map(({ occurs_on }) => occurs_on).sort()
  const rows = await db
    .from('holidays')
    .select(['holiday_policy_id', 'name', 'occurs_on'])
    .where('holiday_policy_id', 'in', [...new Set(some.map((one) => one.holiday_policy_id))])
    .where('occurs_on', '>=', days[0] as string)
    .where('occurs_on', '<=', days.at(-1) as string)
    .execute()
  return new Set(rows.map((row) => keyOf(row as HolidayPeriod)))
}
