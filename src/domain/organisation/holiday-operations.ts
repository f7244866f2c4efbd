import Type from 'typebox'
import { countDays, daysAfter } from '../../engine/day.ts'
import type { Sent } from '../../engine/declaration.ts'
import { type Body, get, list, post, put, remove } from '../../engine/derive.ts'
import { anyRecordOf, byOneOrMany, from, isRecord, until } from '../../engine/filter.ts'
import { byId } from '../../engine/join.ts'
import { type FieldProblem, wrong } from '../../engine/problem.ts'
import { amend, attempt, create, holdTo, type Rule } from '../../engine/records.ts'
import { inOrder } from '../../engine/rule.ts'
import { regionProblem } from './holiday-regions.ts'
import { fillNewPolicy, lastYearFor, replaceGenerated, yearOf } from './holiday-years.ts'
import { EXAMPLE, freeRange, type Holiday, holidayPolicies, holidays, LONGEST } from './holidays.ts'
import { countryOf } from './public-holidays.ts'

/** One policy has a day under one name once. */
const onceInPolicy: Rule<typeof holidays> = async ({ db, after, fail }) => {
  const duplicate = await db
    .from('holidays')
    .select('id')
    .where('holiday_policy_id', '=', after.holiday_policy_id ?? 0)
    .where('occurs_on', '=', after.occurs_on ?? null)
    .where('name', '=', after.name ?? '')
    .where('region_code', after.region_code ? '=' : 'is', after.region_code ?? null)
    .executeTakeFirst()
  if (duplicate && duplicate.id !== after.id)
    fail(
      'occurs_on',
      'taken',
      `already has a holiday with this name in this holiday policy${after.region_code ? ` and region ${after.region_code}` : ''}`,
    )
}

const regionIsInCountry: Rule<typeof holidays> = async ({ db, before, after, fail }) => {
  const { region_code, holiday_policy_id } = after
  if (!region_code) return
  if (region_code === before?.region_code && holiday_policy_id === before.holiday_policy_id) return
  const policy = await db
    .from('holiday_policies')
    .select('country_code')
    .where('id', '=', holiday_policy_id ?? 0)
    .executeTakeFirst()
  const problem = regionProblem(region_code, policy?.country_code ?? null, 'the country of the holiday policy')
  if (problem) fail('region_code', ...problem)
}

const policyRegionIsInCountry: Rule<typeof holidayPolicies> = ({ before, after, fail }) => {
  const { region_code, country_code } = after
  if (!region_code || (region_code === before?.region_code && country_code === before.country_code)) return
  const problem = regionProblem(region_code, country_code, 'the country of the holiday policy')
  if (problem) fail('region_code', ...problem)
}

/** The regions of locations are in the country of their policy. */
const countryFitsLocations: Rule<typeof holidayPolicies> = async ({ db, before, after, fail }) => {
  if (!before || after.country_code === before.country_code) return
  const there = await db
    .from('locations')
    .select(['name', 'region_code'])
    .where('holiday_policy_id', '=', before.id)
    .where('region_code', 'is not', null)
    .orderBy('id')
    .execute()
  const others = there.filter((row) => countryOf(row.region_code) !== after.country_code).map((row) => row.name)
  if (others.length > 0) {
    const names =
      others.length > 3 ? `${others.slice(0, 3).join(', ')} and ${others.length - 3} more` : others.join(', ')
    fail(
      'country_code',
      'not_allowed',
      `cannot change while locations have a region of another country: ${names}. Set their region_code to null first`,
    )
  }
}

const daysMakeSense: Rule<typeof holidays> = ({ after, fail }) => {
  const { occurs_on, ends_on, working, observed_on, compensated_on } = after
  if (occurs_on && ends_on && countDays(occurs_on, ends_on) > LONGEST)
    fail('ends_on', 'too_late', `must be at most ${LONGEST} days after occurs_on`)
  if (observed_on && ends_on > occurs_on)
    fail('observed_on', 'not_allowed', 'is only allowed for a one-day holiday. Add each day as its own holiday instead')
  if (compensated_on && !working) fail('compensated_on', 'not_allowed', 'is only allowed when working is true')
}

const rules = [onceInPolicy, inOrder('occurs_on', 'ends_on'), daysMakeSense, regionIsInCountry]
holdTo(holidays, rules)
const policyRules = [policyRegionIsInCountry, countryFitsLocations]
holdTo(holidayPolicies, policyRules)

const more = {
  starts_on: Type.String({
    format: 'date',
    description: 'First day of the holiday; the same as `occurs_on`',
    examples: [EXAMPLE],
  }),
}

/** The first day under its one name, and a last day that goes with it: a holiday that is moved keeps its length. */
function readDays(
  { starts_on, ...body }: Body<typeof holidays, typeof more>,
  before: Holiday | null,
  problems: FieldProblem[],
): Sent<typeof holidays> {
  if (starts_on && body.occurs_on && starts_on !== body.occurs_on)
    problems.push(wrong('starts_on', 'mismatch', 'must be the same as occurs_on. Send only one of them'))
  const first = body.occurs_on ?? starts_on ?? before?.occurs_on
  if (!first) {
    if (!problems.some(({ field }) => field === 'occurs_on' || field === 'starts_on'))
      problems.push(wrong('occurs_on', 'required', 'is required'))
    return body
  }
  const length = before && body.ends_on === undefined ? countDays(before.occurs_on, before.ends_on) : 1
  return { ...body, occurs_on: first, ends_on: body.ends_on ?? daysAfter(first, length - 1) }
}

/** Those of the whole country, or of the region that people at one of the locations have. */
const atLocations = byOneOrMany('location_id', ['holidays.holiday_policy_id'], (query, ids, db) => {
  const places = db.from('locations as l').where('l.id', 'in', ids)
  const inRegion = places
    .innerJoin('holiday_policies as p', byId('p', 'l.holiday_policy_id'))
    .select('l.id')
    .whereRef('l.holiday_policy_id', '=', 'holidays.holiday_policy_id')
    .where((eb) => eb(eb.fn.coalesce('l.region_code', 'p.region_code'), '=', eb.ref('holidays.region_code')))
  return query
    .where('holidays.holiday_policy_id', 'in', places.select('l.holiday_policy_id'))
    .where((eb) => eb.or([eb('holidays.region_code', 'is', null), eb.exists(inRegion)]))
})

export const holidayPolicyOperations = [
  list(holidayPolicies),
  get(holidayPolicies),
  post(holidayPolicies, {
    note: `Also creates records for the public holidays of the country in this year and the next; Cadre adds later years in time. Public
holidays of other years have no records, but leave and working time already take them into account. To change one of them, create a
holiday with the same name and date.

The public holidays of a region are created as soon as the policy, or a location that uses it, has this region. So one policy can serve
locations in several regions of a country.`,
    async store({ db, body, problems }) {
      const years = { filled_from: yearOf(db.today), filled_until: lastYearFor(db.today) }
      const id = await create(db, holidayPolicies, { ...body, ...years }, { rules: policyRules, problems })
      await fillNewPolicy(db, id)
      return id
    },
  }),
  put(holidayPolicies, {
    note: `Omitted fields keep their values. If you change the country, the public holidays of this year and the next are replaced. Past years
stay as they are, and so do holidays that somebody entered or changed. If you change the region, the missing public holidays of the new
region are added, also to past years, and this year's and later ones of a region that no location has any more are deleted.`,
    async store({ db, body, problems }, before) {
      const isOther = body.country_code && body.country_code !== before.country_code
      // The years before its first one keep the country that they had until now.
      const earlier = isOther && { earlier_country_code: before.earlier_country_code ?? before.country_code }
      await amend(db, holidayPolicies, before, { ...body, ...earlier }, { rules: policyRules, problems })
      if (isOther) await replaceGenerated(db, before.id)
    },
  }),
  remove(holidayPolicies),
]

export const holidayOperations = [
  list(holidays, {
    filters: {
      holiday_policy_id: isRecord(holidays, 'holiday_policy_id'),
      holiday_policy_ids: anyRecordOf(holidays, 'holiday_policy_id'),
      ...atLocations,
      // Those that have a day in the range.
      starts_on: from(holidays, 'ends_on'),
      ends_on: until(holidays, 'occurs_on'),
    },
  }),
  get(holidays),
  post(holidays, {
    more,
    optional: ['occurs_on'],
    async store({ db, body, problems }) {
      const sent = readDays(body, null, problems)
      const { after } = attempt(db, holidays, null, sent)
      return create(db, holidays, { ...sent, ...freeRange(after) }, { rules, problems })
    },
  }),
  put(holidays, {
    more,
    note: 'Omitted fields keep their values. If you send a new first day without `ends_on`, the holiday keeps its length.',
    async store({ db, body, problems }, before) {
      const sent = readDays(body, before, problems)
      const { after, changes } = attempt(db, holidays, before, sent)
      const isChanged = Object.entries(changes).some(([name, value]) => before[name as keyof Holiday] !== value)
      // Who changes what came with the country has entered it by hand.
      const byHand = isChanged ? { generated: false } : {}
      await amend(db, holidays, before, { ...sent, ...freeRange(after), ...byHand }, { rules, problems })
    },
  }),
  remove(holidays),
]
