import { queryAllAccounts } from '../../database/query-all-accounts.ts'
import { daysAfter } from '../../engine/day.ts'
import type { Row } from '../../engine/declaration.ts'
import { attempt, erase, eraseAll, find, insertAll, rowsOf, storeChanges } from '../../engine/records.ts'
import { alters, type Consequence } from '../../records/consequences.ts'
import type { Change } from '../../records/entries.ts'
import type { Ledger } from '../../records/ledger.ts'
import { dateIn, type Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { holidayPolicies, holidays, LONGEST } from './holidays.ts'
import {
  countryOf,
  hasHoliday,
  identityOf,
  type PublicHoliday,
  publicHolidays,
  regionalHolidays,
} from './public-holidays.ts'
import { writeInAccounts } from './system-writes.ts'

/**
 * Which years of its country's holidays a policy has: from the one in which it was made to the next one as records that can
 * be changed. Those of the years before and after are told from the country, until somebody enters them.
 */

type HolidayPolicy = Row<typeof holidayPolicies>

export const yearOf = (day: string) => Number(day.slice(0, 4))

const yearsFrom = (first: number, last: number) =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n)

/** The public holidays of a country, and those that some of its regions have besides. */
const publicHolidaysFrom = (
  country: string,
  regions: readonly string[],
  first: number,
  last: number,
): PublicHoliday[] => {
  const years = yearsFrom(first, last)
  const own = regions.filter((region) => countryOf(region) === country)
  return [
    ...years.flatMap((year) => publicHolidays(country, year)),
    ...own.flatMap((region) => years.flatMap((year) => regionalHolidays(region, year))),
  ]
}

/** Where a region is set for the holidays of a policy: on the policy itself, or on a location that uses it. */
type RegionUse = { by: string; policyId: number; region: string }

async function regionUses(db: Reader, policies: readonly HolidayPolicy[]): Promise<RegionUse[]> {
  if (policies.length === 0) return []
  const rows = await db
    .from('locations')
    .select(['id', 'holiday_policy_id', 'region_code'])
    .where(
      'holiday_policy_id',
      'in',
      policies.map(({ id }) => id),
    )
    .where('region_code', 'is not', null)
    .execute()
  return [
    ...policies.flatMap(({ id, region_code }) =>
      region_code ? [{ by: `holiday_policies ${id}`, policyId: id, region: region_code }] : [],
    ),
    ...rows.map((row) => ({ by: `locations ${row.id}`, policyId: row.holiday_policy_id, region: row.region_code })),
  ]
}

const regionsUnder = (uses: readonly RegionUse[], { id }: HolidayPolicy): string[] =>
  [...new Set(uses.flatMap(({ policyId, region }) => (policyId === id ? region : [])))].sort()

const regionsOf = async (db: Reader, policy: HolidayPolicy) => regionsUnder(await regionUses(db, [policy]), policy)

/** The last year that a policy has. */
export const lastYearFor = (today: string) => yearOf(today) + 1

/** A new policy gets this year and the next. */
export async function fillNewPolicy(db: Writer, id: number): Promise<void> {
  await fill(db, await find(db, holidayPolicies, id), yearOf(db.today), lastYearFor(db.today))
}

async function fill(db: Writer, policy: HolidayPolicy, first: number, last: number): Promise<void> {
  const regions = await regionsOf(db, policy)
  await insertGenerated(db, policy.id, publicHolidaysFrom(policy.country_code, regions, first, last))
  await storeChanges(db, holidayPolicies, [attempt(db, holidayPolicies, policy, { filled_until: last })])
}

/** Adds holidays, except those that the policy has already. */
async function insertGenerated(db: Writer, holiday_policy_id: number, all: PublicHoliday[]): Promise<void> {
  const held = await rowsOf(holidays, db.from('holidays').where('holiday_policy_id', '=', holiday_policy_id))
  const known = new Set(held.map(identityOf))
  const missing = all.filter((days) => !hasHoliday(known, days))
  await insertAll(
    db,
    holidays,
    missing.map((days) => ({ ...days, holiday_policy_id, generated: true, ...whole(days) })),
  )
}

const whole = ({ occurs_on, ends_on }: Pick<PublicHoliday, 'occurs_on' | 'ends_on'>) => ({
  free_from: occurs_on,
  free_until: ends_on,
})

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
  const regions = await regionsOf(db, policy)
  const wanted = new Map(
    publicHolidaysFrom(policy.country_code, regions, year, lastYearFor(db.today)).map((days) => [
      identityOf(days),
      days,
    ]),
  )
  for (const row of await generatedFrom(db, id, `${year}-01-01`)) {
    const same = wanted.get(identityOf(row))
    if (same?.ends_on !== row.ends_on || same.half_day !== row.half_day) await erase(db, holidays, row)
  }
  await fill(db, policy, year, lastYearFor(db.today))
}

/** An earlier version kept every public holiday as one whole day: from today on, they get the days they have. */
async function mend(db: Writer, policy: HolidayPolicy): Promise<number> {
  const last = yearOf(policy.created_at) + 1
  const all = publicHolidaysFrom(policy.country_code, [], yearOf(db.today), last)
  for (const row of await generatedFrom(db, policy.id, db.today)) {
    const own = all.find((days) => identityOf(days) === identityOf(row))
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
  region_code: string | null
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
    .select(['id', 'holiday_policy_id', 'region_code', 'name', 'occurs_on', 'free_from', 'free_until', 'half_day'])
  // The longest holiday bounds how far back the index must be read.
  kept = kept.where('free_from', '>=', daysAfter(first, -LONGEST)).where('free_from', '<=', last)
  if (policyIds) kept = kept.where('holiday_policy_id', 'in', policyIds)
  const rows = await kept.where('free_until', '>=', first).orderBy('id').execute()
  const records = rows.map((row) => ({
    ...row,
    policy: nameOf.get(row.holiday_policy_id),
    half_day: Boolean(row.half_day),
  })) as HolidayPeriod[]
  const uses = await regionUses(db, policies)
  const others = policies.flatMap((policy) =>
    withoutRecords(db, policy, regionsUnder(uses, policy), yearOf(first) - 1, yearOf(last))
      .map((days) => ({ id: null, holiday_policy_id: policy.id, policy: policy.name, ...days, ...whole(days) }))
      .filter(({ free_from, free_until }) => free_from <= last && free_until >= first),
  )
  const byHand = others.length > 0 ? await recordsOn(db, others) : new Map<number, Set<string>>()
  return [...records, ...others.filter((days) => !hasHoliday(byHand.get(days.holiday_policy_id) ?? NONE, days))]
}

const NONE: ReadonlySet<string> = new Set()

/** The first year of which a policy has records. */
const firstYearOf = (db: Reader, { filled_from, created_at }: HolidayPolicy): number =>
  filled_from ?? yearOf(dateIn(db.account.time_zone, new Date(created_at)))

/** The holidays of a policy in years of which it has no records: before its first one, and after the last. */
function withoutRecords(
  db: Reader,
  policy: HolidayPolicy,
  regions: readonly string[],
  first: number,
  last: number,
): PublicHoliday[] {
  const { country_code, earlier_country_code, filled_until } = policy
  const from = firstYearOf(db, policy)
  return [
    ...publicHolidaysFrom(earlier_country_code ?? country_code, regions, first, Math.min(last, from - 1)),
    ...publicHolidaysFrom(country_code, regions, Math.max(first, (filled_until ?? 9999) + 1), last),
  ]
}

/** Those of some holidays that somebody has entered, by policy: what they say holds, also that the day is worked. */
async function recordsOn(db: Reader, some: readonly HolidayPeriod[]): Promise<Map<number, Set<string>>> {
  const days = some.map(({ occurs_on }) => occurs_on).sort()
  const rows = await db
    .from('holidays')
    .select(['holiday_policy_id', 'region_code', 'name', 'occurs_on'])
    .where('holiday_policy_id', 'in', [...new Set(some.map((one) => one.holiday_policy_id))])
    .where('occurs_on', '>=', days[0] as string)
    .where('occurs_on', '<=', days.at(-1) as string)
    .execute()
  const byPolicy = Map.groupBy(rows as HolidayPeriod[], (row) => row.holiday_policy_id)
  return new Map([...byPolicy].map(([id, own]) => [id, new Set(own.map(identityOf))]))
}

type Place = { holiday_policy_id: number | null; region_code: string | null }
const NOWHERE: Place = { holiday_policy_id: null, region_code: null }

/** The holiday policy and region of changed records, as they are now and as they were before. */
async function placesIn(db: Reader, table: 'locations' | 'holiday_policies', all: readonly Change[]) {
  const changes = all.filter(({ resource }) => resource === table)
  const ids = changes.map(({ record_id }) => record_id)
  const policy = table === 'locations' ? 'holiday_policy_id' : 'id as holiday_policy_id'
  const rows = ids.length
    ? await db.from(table).select(['id', policy, 'region_code']).where('id', 'in', ids).execute()
    : []
  const places = new Map(rows.map((row) => [row.id as number, row as Place]))
  const now = [...places.values()]
  for (const { record_id, action, before } of changes.toReversed())
    if (action === 'create') places.delete(record_id)
    else places.set(record_id, { ...NOWHERE, ...places.get(record_id), ...before })
  return { now, before: [...places.values()] }
}

/**
 * A policy gets the holidays of a region, in all stored years, as soon as the policy or a location has the region. When the last
 * one no longer has it, the policy loses those of this year and later that nobody has changed.
 */
export const holidaysFollowRegions: Consequence = {
  of: ['locations', 'holiday_policies'],
  async follow(db, changes) {
    const moved = changes.filter((change) => alters(change, ['holiday_policy_id', 'region_code']))
    if (moved.length === 0) return
    const [at, own] = [await placesIn(db, 'locations', moved), await placesIn(db, 'holiday_policies', moved)]
    const former = [...at.before, ...own.before]
    const ids = new Set([...at.now, ...own.now, ...former].flatMap((place) => place.holiday_policy_id ?? []))
    if (ids.size === 0) return
    const policies = await rowsOf(holidayPolicies, db.from('holiday_policies').where('id', 'in', [...ids]))
    const uses = await regionUses(db, policies)
    const isMoved = new Set(moved.map(({ resource, record_id }) => `${resource} ${record_id}`))
    const unmoved = uses.filter(({ by }) => !isMoved.has(by))
    for (const policy of policies) {
      const regions = regionsUnder(uses, policy)
      const before = new Set([
        ...regionsUnder(unmoved, policy),
        ...former.flatMap((place) => (place.holiday_policy_id === policy.id ? (place.region_code ?? []) : [])),
      ])
      await eraseRegions(
        db,
        policy,
        [...before].filter((region) => !regions.includes(region)),
      )
      await addRegions(
        db,
        policy,
        regions.filter((region) => !before.has(region)),
      )
    }
  },
}

async function addRegions(db: Writer, policy: HolidayPolicy, regions: readonly string[]): Promise<void> {
  // Also of past years: those without records have them, too.
  const years = yearsFrom(firstYearOf(db, policy), policy.filled_until ?? yearOf(db.today))
  const own = regions.filter((region) => countryOf(region) === policy.country_code)
  const all = own.flatMap((region) => years.flatMap((year) => regionalHolidays(region, year)))
  if (all.length > 0) await insertGenerated(db, policy.id, all)
}

async function eraseRegions(db: Writer, policy: HolidayPolicy, regions: readonly string[]): Promise<void> {
  if (regions.length === 0) return
  const rows = await generatedFrom(db, policy.id, `${yearOf(db.today)}-01-01`)
  await eraseAll(
    db,
    holidays,
    rows.filter(({ region_code }) => region_code !== null && regions.includes(region_code)),
  )
}
