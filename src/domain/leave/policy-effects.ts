import { setImmediate as breathe } from 'node:timers/promises'
import Type, { type Static } from 'typebox'
import { holdsFor } from '../../engine/access-scope/reader-access.ts'
import { FOREVER } from '../../engine/dated.ts'
import { daysAfter, daysFrom, monthsAfter } from '../../engine/day.ts'
import { orNull } from '../../engine/field.ts'
import { FIRST_DAY } from '../../engine/format.ts'
import { byId } from '../../engine/join.ts'
import type { Effects, Operation } from '../../engine/operation.ts'
import { chunks } from '../../records/chunks.ts'
import type { Reader } from '../../records/reader.ts'
import { linesOf, movementsOf, STILL, termsByPolicy } from './balances.ts'
import {
  allAssignments,
  contains,
  type LeaveTimeline,
  type LeaveUnit,
  type PolicyAssignment,
  type PolicyTerms,
  type WorkedDay,
} from './entitlement.ts'
import { TERM_NAMES } from './leave-policies.ts'
import { yearEnds } from './postings.ts'
import { YearOfCredits } from './year-of-credits.ts'

/** What a change of a leave policy means for people, and for an example person: shown by its dry run. */

const amount = (description: string) => Type.Number({ description, examples: [18.5] })
const day = (description: string) => Type.String({ format: 'date', description })

const PERSON = Type.Object(
  {
    employee_id: Type.Integer(),
    year: Type.Integer({ description: 'Calendar year', examples: [2030] }),
    carried_over_before: amount(
      'Balance at the start of the year, after what is not carried over, as the policy is now',
    ),
    carried_over_after: amount('The same after the change; it may expire during the year'),
    entitled_before: amount('What the year gives as the policy is now'),
    entitled_after: amount('What the year gives after the change'),
    balance_before: amount('Balance at the end of the year as the policy is now'),
    balance_after: amount('Balance at the end of the year after the change'),
  },
  { title: 'LeaveEffect' },
)

const EXAMPLE = Type.Object(
  {
    hired_on: day('First day of employment'),
    year: Type.Integer({ description: 'Calendar year', examples: [2030] }),
    weekly_hours: Type.Number({ description: 'Working hours per week' }),
    working_days: Type.Number({ description: 'Working days per week' }),
    years_of_service: Type.Integer({ description: 'Whole years of service at the end of the year' }),
    age: orNull(Type.Integer({ description: 'Age at the end of the year; null without `example_date_of_birth`' })),
    entitled: amount('What the year gives'),
    unrounded: amount('The same before rounding: the sum of all `parts`'),
    parts: Type.Array(
      Type.Object({
        starts_on: day('First day'),
        ends_on: day('Last day'),
        yearly_amount: orNull(
          amount('Leave per year for full time. For hours worked the most that a year gives; null: no limit'),
        ),
        rate: amount('Leave per year for the working time of the person'),
        months: amount('Months that count; the part gives `rate` × `months` ÷ 12'),
        pay_periods: orNull(amount('Pay periods that count; null if the policy does not credit by pay period')),
        pay_periods_in_year: orNull(Type.Integer({ description: 'Pay periods of the calendar year' })),
        hours_worked: orNull(amount('Hours worked; null if the policy does not credit for hours worked')),
      }),
      { description: 'Periods of the year, each with its own amount' },
    ),
  },
  { title: 'LeaveExample' },
)

const MOST_PEOPLE = 500
/** A change that applies later than this is not calculated. */
const MOST_YEARS_AHEAD = 10

const EFFECTS = Type.Object(
  {
    years: Type.Array(Type.Integer(), { description: 'The years that were calculated', examples: [[2030, 2031]] }),
    gaining: Type.Integer({
      description: 'People who get more leave: the difference in the last of these years counts',
    }),
    losing: Type.Integer({ description: 'People who get less leave, counted in the same way' }),
    people: Type.Array(PERSON, {
      description: `Each person and year with another figure, people with the largest differences first; at most ${MOST_PEOPLE}`,
    }),
    example: orNull(EXAMPLE),
  },
  {
    title: 'LeavePolicyEffects',
    description:
      'Only with `Prefer: dry-run`: how the leave of people with this policy would change, in the year in which the change takes effect (at the earliest this year) and the year after. For changes that apply later than in ten years, `people` is empty. People whose leave the key may not read are left out',
  },
)

const exampleQuery = {
  example_hired_on: Type.Optional(
    Type.String({
      format: 'date',
      description:
        'Only with `Prefer: dry-run`: calculates the leave of an example person hired on this day, by the terms at the end of the year',
      examples: ['2020-01-31'],
    }),
  ),
  example_date_of_birth: Type.Optional(
    Type.String({
      format: 'date',
      description: 'Date of birth of the example person, for `age_steps`; none by default',
      examples: ['1990-12-10'],
    }),
  ),
  example_weekly_hours: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 168,
      description:
        'Weekly hours of the example person; full time by default. For hours worked, the person works them each week from Monday to Friday, without leave and holidays',
    }),
  ),
  example_working_days: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 7,
      description: 'Working days per week of the example person; full time by default',
    }),
  ),
  example_year: Type.Optional(
    Type.Integer({
      minimum: 1900,
      maximum: 2200,
      description: 'Year of the example; by default the year in which the change takes effect',
    }),
  ),
}

type ExampleQuery = Static<ReturnType<typeof Type.Object<typeof exampleQuery>>>

const decimal = (units: number) => Math.round(units) / 10_000
const yearOf = (date: string) => Number(date.slice(0, 4))

/** The same operation: its dry run shows what it means for people. */
export const withLeaveEffects = (operation: Operation): Operation => ({
  ...operation,
  query: operation.body ? Type.Object({ ...operation.query.properties, ...exampleQuery }) : operation.query,
  effects: { schema: EFFECTS, begin },
})

const begin: Effects['begin'] = async ({ db, params, query }, written) => {
  const storedId: number | undefined = params.leave_policy_id ?? params.id
  const policyId = storedId ?? written.data.id
  const terms = await termsOf(db, policyId)
  const policy = await db
    .from('leave_policies as p')
    .innerJoin('leave_types as t', byId('t', 'p.leave_type_id'))
    .select(['p.type', 't.unit'])
    .where('p.id', '=', policyId)
    .executeTakeFirst()
  return async (reader, isGone) => {
    // Nobody has a new policy yet.
    const firstDay = storedId && firstDifference(await termsOf(reader, storedId), terms)
    const year = Math.max(yearOf(firstDay || reader.today), yearOf(reader.today))
    const years = [year, year + 1]
    const isNear = year <= yearOf(reader.today) + MOST_YEARS_AHEAD
    const people = firstDay && isNear ? await effectsOn(reader, storedId, terms, years, isGone) : []
    return {
      years,
      ...countsOf(people),
      people: people.slice(0, MOST_PEOPLE),
      example: policy?.type === 'accrual' ? exampleOf(terms, policy.unit, query, year) : null,
    }
  }
}

const termsOf = async (db: Reader, policyId: number): Promise<PolicyTerms[]> =>
  (await termsByPolicy(db, [policyId])).get(policyId) ?? []

/** The first day on which other terms apply. */
function firstDifference(one: readonly PolicyTerms[], other: readonly PolicyTerms[]): string | undefined {
  const rulesOn = (all: readonly PolicyTerms[], day: string) => {
    const terms = all.find(contains(day)) as Record<string, unknown> | undefined
    return JSON.stringify(TERM_NAMES.map((name) => terms?.[name]))
  }
  const days = [...one, ...other].map(({ from }) => from).sort()
  return one.length === 0 ? undefined : days.find((day) => rulesOn(one, day) !== rulesOn(other, day))
}

const FIGURES = ['carried_over', 'entitled', 'balance'] as const

type PersonEffect = Static<typeof PERSON>

const PEOPLE_AT_ONCE = 100
/** Other requests are answered after this time, in milliseconds. */
const BREATH = 20

async function effectsOn(
  db: Reader,
  policyId: number,
  terms: PolicyTerms[],
  years: readonly number[],
  isGone: () => boolean,
): Promise<PersonEffect[]> {
  const rows = await db
    .from('employee_leave_types')
    .select('employee_id')
    .where('leave_type_policy_id', '=', policyId)
    .distinct()
    .orderBy('employee_id')
    .execute()
  const ids = rows.map(({ employee_id }) => employee_id as number)
  const visible = ids.filter((id) => holdsFor(db, 'leave:read', 'employees', id))
  const people: PersonEffect[][] = []
  let breathedAt = performance.now()
  for (const some of chunks(visible, PEOPLE_AT_ONCE)) {
    const before = await linesOf(db, some)
    const after = await linesOf(db, some, new Map([[policyId, terms]]))
    const movements = await movementsOf(db, some)
    for (const [key, line] of before) {
      const isWithin = (one: PolicyAssignment) => one.policyId === policyId && yearOf(one.until) >= (years[0] as number)
      if (!allAssignments(line).some(isWithin)) continue
      const { balance } = movements.get(key) ?? STILL
      const [now, then] = [line, after.get(key) as LeaveTimeline].map((one) => yearEnds(years, one, balance))
      const own = years.flatMap((year, n) => effectOf(Number(key.split(' ')[0]), year, now?.[n], then?.[n]) ?? [])
      if (own.length > 0) people.push(own)
      if (performance.now() - breathedAt < BREATH) continue
      await breathe()
      breathedAt = performance.now()
      if (isGone()) return []
    }
  }
  // The years of a person stand together.
  const largest = (own: readonly PersonEffect[]) => Math.max(...own.map((one) => Math.abs(differenceOf(one))))
  return people.toSorted((a, b) => largest(b) - largest(a)).flat()
}

type YearEnd = ReturnType<typeof yearEnds>[number]

function effectOf(employee_id: number, year: number, now?: YearEnd, then?: YearEnd): PersonEffect | undefined {
  if (!now || !then || FIGURES.every((name) => now[name] === then[name])) return undefined
  return {
    employee_id,
    year,
    carried_over_before: decimal(now.carried_over),
    carried_over_after: decimal(then.carried_over),
    entitled_before: decimal(now.entitled),
    entitled_after: decimal(then.entitled),
    balance_before: decimal(now.balance),
    balance_after: decimal(then.balance),
  }
}

/** People with more and with less leave: the difference in the last of the years counts. */
function countsOf(people: readonly PersonEffect[]) {
  const differences = [...new Map(people.map((one) => [one.employee_id, differenceOf(one)])).values()]
  return {
    gaining: differences.filter((one) => one > 0).length,
    losing: differences.filter((one) => one < 0).length,
  }
}

/** More or less leave: in the balance, or in what was carried over if that has expired by then, or in what the year gives. */
const differenceOf = (one: PersonEffect) =>
  one.balance_after - one.balance_before ||
  one.carried_over_after - one.carried_over_before ||
  one.entitled_after - one.entitled_before

/** The leave of somebody with this policy from their first day on, by the terms at the end of the year. */
function exampleOf(all: readonly PolicyTerms[], unit: LeaveUnit, query: ExampleQuery, usualYear: number) {
  const { example_hired_on: hiredOn, example_date_of_birth: bornOn = null, example_year: year = usualYear } = query
  if (hiredOn === undefined) return null
  const lastDay = `${year}-12-31`
  const usual = all.find(contains(lastDay))
  const inUnits = (sent: number | undefined, fullTime = 0) => (sent === undefined ? fullTime : sent * 10_000)
  const hours = inUnits(query.example_weekly_hours, usual?.full_time_hours)
  const days = inUnits(query.example_working_days, usual?.full_time_days)
  const always = { from: FIRST_DAY, until: FOREVER }
  const terms = usual ? [{ ...usual, ...always }] : []
  const from = { from: hiredOn, until: FOREVER }
  const line: LeaveTimeline = {
    assignments: [{ ...from, id: 0, policyId: 0, type: 'accrual', unit, terms }],
    service: from,
    ...{ hiredOn, bornOn },
    weeks: [{ ...always, hours, days }],
    overtime: [],
    worked: usual?.credit === 'hours_worked' ? workedInYear(year, hours) : [],
  }
  const credits = new YearOfCredits(line, year)
  const parts = credits.parts()
  return {
    hired_on: hiredOn,
    year,
    weekly_hours: decimal(hours),
    working_days: decimal(days),
    years_of_service: Math.max(0, completeYears(hiredOn, lastDay)),
    age: bornOn === null ? null : Math.max(0, completeYears(bornOn, lastDay)),
    entitled: decimal(credits.until(lastDay)),
    unrounded: decimal(parts.reduce((sum, { rate, months }) => sum + (rate * months) / 12, 0)),
    parts: parts.map((part) => ({
      starts_on: part.from,
      ends_on: daysAfter(part.until, -1),
      yearly_amount: part.amount === null ? null : decimal(part.amount),
      rate: decimal(part.rate),
      months: fourPlaces(part.months),
      pay_periods: part.payPeriods === null ? null : fourPlaces(part.payPeriods),
      pay_periods_in_year: part.payPeriodsInYear,
      hours_worked: part.minutes === null ? null : fourPlaces(part.minutes / 60),
    })),
  }
}

const fourPlaces = (amount: number) => Math.round(amount * 10_000) / 10_000

/** The weekly hours (in ten-thousandths) on the days from Monday to Friday. */
const workedInYear = (year: number, weeklyHours: number): WorkedDay[] =>
  daysFrom(`${year}-01-01`, `${year}-12-31`)
    .filter((day) => ![0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay()))
    .map((day) => ({ day, minutes: (weeklyHours / 10_000 / 5) * 60 }))

const completeYears = (from: string, day: string) =>
  yearOf(day) - yearOf(from) - (monthsAfter(from, (yearOf(day) - yearOf(from)) * 12) > day ? 1 : 0)
