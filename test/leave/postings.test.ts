import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LeaveTimeline, PolicyAssignment, PolicyTerms } from '../../src/domain/leave/entitlement.ts'
import {
  availableOn,
  type BalanceChange,
  balanceOn,
  balancesOn,
  firstShortfall,
  postingsUntil,
} from '../../src/domain/leave/postings.ts'
import { daysFrom, monthsAfter } from '../../src/engine/day.ts'
import { fc } from '../chance.ts'
import { rounds } from '../thorough.ts'

const date = (n: number) => new Date(Date.UTC(2024, 0, 1 + n)).toISOString().slice(0, 10)
/** `HISTORY_DAYS=500 HISTORIES=10000` compares many short histories, as one of the proofs does. */
const LAST = Number(process.env.HISTORY_DAYS ?? 1300)
const histories = (usual: number) => Number(process.env.HISTORIES ?? usual)
const FEW_WEEKS = Math.floor(LAST * 0.4)
/** Any day, and often one of the same few weeks, so that much happens within a month. */
const day = fc.oneof(fc.integer({ min: 0, max: LAST }), fc.integer({ min: FEW_WEEKS, max: FEW_WEEKS + 40 }))

/** What terms mean that say nothing more. */
const PLAIN = {
  counted_as: 'working_days',
  part_time: 'same',
  full_time_hours: 400_000,
  full_time_days: 50_000,
  tenure_steps: [],
  tenure_steps_from: 'anniversary',
  age_steps: [],
  age_steps_from: 'start_of_month',
  pay_period_starts_on: null,
  hours_worked_percentage: null,
  credit_at: 'start_of_period',
  proration: 'started_months',
  rounding: 'none',
  rounding_step: 10_000,
  carry_over_until: null,
  carry_over_months: null,
  maximum_balance: null,
  overtime_factor: null,
  overtime_months: null,
  on_leaving: null,
}

const plainTerms = fc.record({
  yearly_amount: fc.integer({ min: 0, max: 400_000 }),
  credit: fc.constantFrom('monthly', 'yearly'),
  carry_over_limit: fc.option(fc.integer({ min: 0, max: 100_000 })),
  floor: fc.integer({ min: -60_000, max: 0 }),
})

const usually = <T>(usual: T, ...others: T[]) => fc.constantFrom(usual, usual, ...others)

const PAY_PERIODS = ['weekly', 'every_two_weeks', 'twice_a_month']

const forPayPeriods = (proration: string) =>
  ['half_months', 'fifteen_days'].includes(proration) ? 'started_months' : proration

const fullTerms = fc
  .record({
    plain: plainTerms,
    credit: fc.constantFrom('monthly', 'yearly', ...PAY_PERIODS, 'hours_worked'),
    pay_period_starts_on: fc.constantFrom('2024-01-01', '2024-01-08', '2024-01-13', '2019-06-03', '2031-02-28'),
    hours_worked_percentage: fc.constantFrom(80_000, 120_700, 1_000_000),
    has_limit: fc.boolean(),
    age_steps: fc.uniqueArray(
      fc.record({
        age: fc.integer({ min: 19, max: 22 }),
        yearly_amount: fc.integer({ min: 0, max: 50 }).map((n) => n * 10_000),
      }),
      { maxLength: 2, selector: ({ age }) => age },
    ),
    age_steps_from: fc.constantFrom('start_of_month', 'start_of_next_month', 'start_of_year'),
    part_time: usually('same', 'by_hours', 'by_days'),
    full_time_hours: usually(400_000, 385_000),
    full_time_days: usually(50_000, 60_000),
    tenure_steps: fc.uniqueArray(
      fc.record({
        years: fc.integer({ min: 1, max: 4 }),
        yearly_amount: fc.integer({ min: 0, max: 50 }).map((n) => n * 10_000),
      }),
      { maxLength: 2, selector: ({ years }) => years },
    ),
    tenure_steps_from: fc.constantFrom('anniversary', 'start_of_month', 'start_of_year'),
    credit_at: usually('start_of_period', 'end_of_period'),
    proration: fc.constantFrom('started_months', 'full_months', 'half_months', 'fifteen_days', 'by_day'),
    rounding: fc.constantFrom('none', 'up', 'down', 'nearest'),
    rounding_step: fc.constantFrom(2_500, 5_000, 10_000),
    expiry: fc.constantFrom(
      {},
      { carry_over_until: '03-31' },
      { carry_over_until: '02-28' },
      { carry_over_months: 1 },
      { carry_over_months: 15 },
      { carry_over_until: '02-28', carry_over_months: 3 },
    ),
    maximum_balance: fc.option(fc.integer({ min: 0, max: 400_000 })),
    overtime_factor: usually(null, 10_000, 15_000),
    overtime_months: fc.option(fc.integer({ min: 1, max: 14 })),
    on_leaving: usually(null, 'paid_out'),
  })
  .map(({ plain, expiry, has_limit, ...terms }) => {
    const proration = PAY_PERIODS.includes(terms.credit) ? forPayPeriods(terms.proration) : terms.proration
    const yearly_amount = terms.credit === 'hours_worked' && !has_limit ? null : plain.yearly_amount
    return { ...PLAIN, ...plain, ...terms, ...expiry, proration, yearly_amount }
  })

/** Terms that follow each other from the beginning of time. */
const termsInOrder = (some: fc.Arbitrary<Omit<PolicyTerms, 'from' | 'until'>>, on = day) =>
  fc
    .tuple(some, fc.uniqueArray(fc.tuple(on, some), { maxLength: 2, selector: ([n]) => n }))
    .map(([first, further]): PolicyTerms[] => {
      const all = [
        { from: '1900-01-01', ...first },
        ...further.sort(([a], [b]) => a - b).map(([n, terms]) => ({ from: date(n), ...terms })),
      ]
      return all.map((one, n) => ({ ...one, until: all[n + 1]?.from ?? '9999-12-31' }))
    })

/** Many people leave at the end of a year. */
const lastly = (day: string, stays: number) => (stays % 4 === 0 ? `${Number(day.slice(0, 4)) + 1}-01-01` : day)

const lineWith = (
  some: fc.Arbitrary<Omit<PolicyTerms, 'from' | 'until'>>,
  { on = day, types: kinds = ['accrual', 'accrual', 'manual', 'external'], mostWorked = 6 } = {},
) =>
  fc
    .record({
      begins: fc.uniqueArray(on, { minLength: 1, maxLength: 3 }),
      ends: fc.array(fc.option(fc.integer({ min: 1, max: 600 })), { minLength: 3, maxLength: 3 }),
      types: fc.array(fc.constantFrom(...kinds), { minLength: 3, maxLength: 3 }),
      terms: fc.array(termsInOrder(some, on), { minLength: 3, maxLength: 3 }),
      hired: fc.option(on),
      stays: fc.option(fc.integer({ min: 1, max: 900 })),
      weeks: fc.uniqueArray(
        fc.record({ n: on, hours: fc.constantFrom(400_000, 240_000, 190_000), days: fc.integer({ min: 1, max: 6 }) }),
        { maxLength: 3, selector: ({ n }) => n },
      ),
      overtime: fc.array(fc.record({ n: on, minutes: fc.integer({ min: 1, max: 600 }) }), { maxLength: 4 }),
      worked: fc.uniqueArray(fc.record({ n: on, minutes: fc.integer({ min: 1, max: 1440 }) }), {
        ...{ minLength: mostWorked / 2, maxLength: mostWorked, selector: ({ n }) => n },
      }),
      bornOn: fc.constantFrom(null, '2004-02-29', '2004-08-31', '2005-01-16', '2005-12-31'),
      unit: fc.constantFrom('days', 'hours'),
    })
    .map(({ begins, ends, types, terms, hired, stays, weeks, overtime, worked, bornOn, unit }): LeaveTimeline => {
      const weeksInOrder = weeks.sort((a, b) => a.n - b.n)
      const inOrder = begins.sort((a, b) => a - b)
      return {
        assignments: inOrder.map((n, index) => {
          const length = ends[index] ?? null
          const next = inOrder[index + 1]
          const until = length === null ? 100_000 : n + length
          const last = next === undefined ? until : Math.min(until, next)
          return {
            id: index,
            policyId: index,
            type: types[index] as string,
            unit: unit as 'days' | 'hours',
            from: date(n),
            until: last === 100_000 ? '9999-12-31' : date(last),
            terms: terms[index] as PolicyTerms[],
          }
        }),
        service: {
          from: hired === null ? '1900-01-01' : date(hired),
          until: stays === null ? '9999-12-31' : lastly(date((hired ?? 0) + stays), stays),
        },
        hiredOn: hired === null ? null : date(hired),
        bornOn,
        worked: worked.sort((a, b) => a.n - b.n).map(({ n, minutes }) => ({ day: date(n), minutes })),
        overtime: overtime.sort((a, b) => a.n - b.n).map(({ n, minutes }, id) => ({ id, day: date(n), minutes })),
        weeks: weeksInOrder.map(({ n, hours, days }, index) => {
          const next = weeksInOrder[index + 1]
          return { from: date(n), until: next ? date(next.n) : '9999-12-31', hours, days: days * 10_000 }
        }),
      }
    })

const line = lineWith(plainTerms.map((terms) => ({ ...PLAIN, ...terms })))
const fullLine = lineWith(fullTerms)

/** Short histories in which steps by age, pay periods and hours worked meet. */
const SHORT = 500
const dayOfShort = fc.oneof(fc.integer({ min: 0, max: SHORT }), fc.integer({ min: 340, max: 400 }))
const accrualLine = lineWith(
  fc
    .tuple(fullTerms, fc.constantFrom(...PAY_PERIODS, 'hours_worked', 'hours_worked', 'monthly'))
    .map(([terms, credit]) => {
      const proration = PAY_PERIODS.includes(credit) ? forPayPeriods(terms.proration) : terms.proration
      const yearly_amount = credit === 'hours_worked' ? terms.yearly_amount : (terms.yearly_amount ?? 120_000)
      return { ...terms, credit, proration, yearly_amount, maximum_balance: null, carry_over_limit: null }
    }),
  { on: dayOfShort, types: ['accrual'], mostWorked: 80 },
)

const movements = fc.array(fc.record({ n: day, amount: fc.integer({ min: -50_000, max: 50_000 }) }), { maxLength: 5 })

/** The naive model of plain terms: every day by itself, in the order in which things happen. */
function naive(line: LeaveTimeline, moves: BalanceChange[]): Map<string, number> {
  const balances = new Map<string, number>()
  const holdingOn = (today: string) =>
    today >= line.service.from && today < line.service.until
      ? line.assignments.find(({ from, until }) => from <= today && today < until)
      : undefined
  const termsOn = (terms: readonly PolicyTerms[], today: string) =>
    terms.find(({ from, until }) => from <= today && today < until) as PolicyTerms
  const begins = line.assignments[0]?.from as string
  let carried = 0
  let year = ''
  /** What each month so far gave a twelfth of, or null. */
  let months: (number | null)[] = []
  let moved = 0
  let yesterday = ''
  for (let n = 0; n <= LAST; n++) {
    const today = date(n)
    if (today < begins) continue
    if (today.slice(0, 4) !== year) {
      if (year) {
        const held = holdingOn(yesterday)
        const limit = held ? termsOn(held.terms, yesterday).carry_over_limit : null
        carried = balances.get(yesterday) as number
        if (limit !== null) carried = Math.min(carried, limit)
      }
      year = today.slice(0, 4)
      months = Array.from({ length: Number(today.slice(5, 7)) - 1 }, () => null)
      moved = 0
    }
    const month = Number(today.slice(5, 7))
    if (months.length < month) months.push(null)
    const held = holdingOn(today)
    if (held && months[month - 1] === null) {
      const { yearly_amount } = termsOn(held.terms, `${today.slice(0, 8)}01`)
      months[month - 1] = held.type === 'accrual' ? (yearly_amount as number) : 0
    }
    for (const move of moves) if (move.day === today || (today === begins && move.day < today)) moved += move.amount
    // The months of the year so far, and those to come that are credited already.
    const given = [...months]
    const terms = held && termsOn(held.terms, today)
    if (held?.type === 'accrual' && terms?.credit === 'yearly')
      for (let next = month + 1; next <= 12; next++)
        if (`${year}-${String(next).padStart(2, '0')}-01` < line.service.until)
          given.push(terms.yearly_amount as number)
    const first = given.find((amount) => amount !== null) ?? 0
    let [sum, last, credited] = [0, first, 0]
    for (const amount of given) {
      const own = amount ?? last
      if (amount !== null) credited += Math.round((sum + own) / 12) - Math.round(sum / 12)
      sum += own
      last = own
    }
    balances.set(today, carried + credited + moved)
    yesterday = today
  }
  return balances
}

/** The naive model of all terms: day after day, and every month anew from each of its days. */
function naiveFull(line: LeaveTimeline, moves: BalanceChange[], end = LAST): Map<string, number> {
  const isServed = (today: string) => today >= line.service.from && today < line.service.until
  const assignmentOn = (today: string) =>
    isServed(today) ? line.assignments.find(({ from, until }) => from <= today && today < until) : undefined
  const termsOn = (one: PolicyAssignment, today: string) =>
    one.terms.find(({ from, until }) => from <= today && today < until) as PolicyTerms
  const isSince = (since: string, years: number, from: string, today: string) => {
    const parts = { start_of_month: 7, start_of_next_month: 7, start_of_year: 4 }[from] ?? 10
    const [now, then] = [today, monthsAfter(since, 12 * years)].map((day) => day.slice(0, parts)) as [string, string]
    return from === 'start_of_next_month' ? now > then : now >= then
  }
  const fullTime = (terms: PolicyTerms, today: string): number | null => {
    const byTenure = line.hiredOn === null ? [] : terms.tenure_steps.toSorted((x, y) => y.years - x.years)
    const byAge = line.bornOn === null ? [] : terms.age_steps.toSorted((x, y) => y.age - x.age)
    const amounts = [
      byTenure.find(({ years }) => isSince(line.hiredOn as string, years, terms.tenure_steps_from, today)),
      byAge.find(({ age }) => isSince(line.bornOn as string, age, terms.age_steps_from, today)),
    ].flatMap((step) => step?.yearly_amount ?? [])
    return amounts.length > 0 ? Math.max(...amounts) : terms.yearly_amount
  }
  const yearly = (one: PolicyAssignment, terms: PolicyTerms, today: string): number => {
    if (one.type !== 'accrual' || terms.credit === 'hours_worked') return 0
    const amount = fullTime(terms, today) as number
    const week = line.weeks.find(({ from, until }) => from <= today && today < until)
    if (!week || terms.part_time === 'same') return amount
    return terms.part_time === 'by_hours'
      ? amount * (week.hours / terms.full_time_hours)
      : amount * (week.days / terms.full_time_days)
  }
  const part = (terms: PolicyTerms, present: string[], days: string[]): number => {
    const isThere = (one: string) => present.includes(one)
    const early = days.filter((one) => Number(one.slice(8)) <= 15)
    const late = days.filter((one) => Number(one.slice(8)) > 15)
    return {
      started_months: present.length > 0 ? 1 : 0,
      full_months: days.every(isThere) ? 1 : 0,
      half_months: (early.every(isThere) ? 0.5 : 0) + (late.every(isThere) ? 0.5 : 0),
      fifteen_days: present.length >= 15 ? 1 : 0,
      by_day: present.length / days.length,
    }[terms.proration] as number
  }
  const rounded = (value: number, { rounding, rounding_step }: PolicyTerms) => {
    if (rounding === 'none') return Math.round(value + 1e-6)
    const at = { up: Math.ceil(value / rounding_step - 1e-6), down: Math.floor(value / rounding_step + 1e-6) }[rounding]
    return (at ?? Math.floor(value / rounding_step + 0.5 + 1e-6)) * rounding_step
  }
  const daysOf = (year: string, month: number) => {
    const first = `${year}-${String(month).padStart(2, '0')}-01`
    const next = monthsAfter(first, 1)
    return daysFrom(first, next).slice(0, -1)
  }
  const lasts = new Map<string, string | undefined>()
  const lastServed = (year: string) => {
    if (!lasts.has(year)) lasts.set(year, daysFrom(`${year}-01-01`, `${year}-12-31`).findLast(assignmentOn))
    return lasts.get(year)
  }
  /** A month as it is known on a day: later days of it count like that day. */
  type NaivePortion = { terms: PolicyTerms; amount: number; due: string; month: number | null }
  const monthOf = (year: string, number: number, today: string): NaivePortion | null => {
    const days = daysOf(year, number)
    const present = days.filter(assignmentOn)
    const [first] = present
    if (!first) return null
    const known = (one: string) => (one > today && today >= (days[0] as string) ? today : one)
    const own = assignmentOn(first) as PolicyAssignment
    const terms = termsOn(own, days[0] as string)
    if (isByHours({ own, terms })) return null
    const rates = present.map((one) => yearly(own, terms, known(one)))
    const whole = rates.reduce((sum, one) => sum + one, 0) / rates.length
    const byDay = present.map((one) => {
      const at = assignmentOn(known(one)) ? known(one) : one
      const its = assignmentOn(at) as PolicyAssignment
      return yearly(its, termsOn(its, at), at) / days.length
    })
    const amount =
      terms.proration === 'by_day' ? byDay.reduce((sum, one) => sum + one, 0) : whole * part(terms, present, days)
    const isAtEnd = own.type === 'accrual' && terms.credit_at === 'end_of_period'
    const due = !isAtEnd ? first : terms.credit === 'yearly' ? lastServed(year) : present.at(-1)
    return { terms, amount, due: due as string, month: number }
  }
  /** The first assignment in a month, and the terms of its first day. */
  const rules = new Map<string, { own: PolicyAssignment; terms: PolicyTerms } | undefined>()
  const rulesIn = (month: string) => {
    if (rules.has(month)) return rules.get(month)
    const first = daysOf(month.slice(0, 4), Number(month.slice(5))).find(assignmentOn)
    const own = first === undefined ? undefined : assignmentOn(first)
    rules.set(month, own && { own, terms: termsOn(own, `${month}-01`) })
    return rules.get(month)
  }
  const isByHours = ({ own, terms }: { own: PolicyAssignment; terms: PolicyTerms }) =>
    own.type === 'accrual' && terms.credit === 'hours_worked'
  const monthName = (year: string, m: number) => `${year}-${String(m).padStart(2, '0')}`
  /** The days of a month that give leave for hours worked: by their own terms, or by those of a month that begins with such. */
  const hourDays = (year: string, m: number) => {
    const governing = rulesIn(monthName(year, m))
    return daysOf(year, m).flatMap((one) => {
      const own = assignmentOn(one)
      if (!own) return []
      const terms = termsOn(own, one)
      if (isByHours({ own, terms })) return [{ day: one, own, terms }]
      return governing && isByHours(governing) ? [{ day: one, ...governing }] : []
    })
  }
  /** What the months of a year give for hours worked, times twelve. */
  const hoursOf = (year: string) => {
    let sum = 0
    return Array.from({ length: 12 }, (_, n) => hourDays(year, n + 1)).flatMap((days) => {
      const last = days.at(-1)
      if (!last) return []
      let amount = 0
      for (const { day, own, terms } of days) {
        const minutes = line.worked.find((one) => one.day === day)?.minutes ?? 0
        const hours = (minutes / 60) * ((terms.hours_worked_percentage as number) / 1_000_000) * 10_000
        amount += 12 * (own.unit === 'hours' ? hours : hours / (terms.full_time_hours / terms.full_time_days))
      }
      const most = fullTime(last.terms, last.day)
      if (most !== null) amount = Math.max(0, Math.min(amount, 12 * most - sum))
      sum += amount
      return [{ first: days[0]?.day as string, own: { terms: last.terms, amount, due: last.day, month: null } }]
    })
  }
  const hoursOfYears = new Map<string, ReturnType<typeof hoursOf>>()
  const hoursWorkedIn = (year: string) => {
    if (!hoursOfYears.has(year)) hoursOfYears.set(year, hoursOf(year))
    return hoursOfYears.get(year) as ReturnType<typeof hoursOf>
  }
  const number = (day: string) => Date.parse(day) / 86_400_000
  /** The first day of the pay period of a day; undefined if its month has other rules, null if it has none. */
  const payPeriodOf = (day: string): string | undefined | null => {
    const governing = rulesIn(day.slice(0, 7))
    if (!governing) return null
    if (governing.own.type !== 'accrual' || !PAY_PERIODS.includes(governing.terms.credit as string)) return undefined
    return firstDayOf(day, governing.terms)
  }
  const firstDayOf = (day: string, { credit, pay_period_starts_on }: PolicyTerms): string => {
    if (credit === 'twice_a_month') return `${credit} ${day.slice(0, 8)}${day.slice(8) < '16' ? '01' : '16'}`
    const length = credit === 'weekly' ? 7 : 14
    let at = number(day)
    while ((at - number(pay_period_starts_on as string)) % length !== 0) at--
    return `${credit} ${new Date(at * 86_400_000).toISOString().slice(0, 10)}`
  }
  const isByPayPeriod = (day: string) => typeof payPeriodOf(day) === 'string'
  const counts = new Map<string, number>()
  /** How many pay periods start in a year, or end in it. */
  const countOf = (year: string, kind: PolicyTerms, isAtEnd: boolean) => {
    const key = `${year} ${firstDayOf(`${year}-01-01`, kind)} ${isAtEnd}`
    const starts = (one: string) => firstDayOf(one, kind) === `${kind.credit} ${one}`
    const inYear = () => daysFrom(`${year}-01-01`, `${year}-12-31`).map((one) => (isAtEnd ? next(one) : one))
    if (!counts.has(key)) counts.set(key, inYear().filter(starts).length)
    return counts.get(key) as number
  }
  const next = (day: string) => new Date((number(day) + 1) * 86_400_000).toISOString().slice(0, 10)
  /** The pay periods whose credit is due in a year. */
  const payPeriodsOf = (year: string) => {
    const [before, after] = [String(Number(year) - 1), String(Number(year) + 1)]
    const around = daysFrom(`${before}-11-01`, `${after}-02-28`)
    const keys = [...new Set(around.map(payPeriodOf))].filter((key) => typeof key === 'string')
    return keys.flatMap((key) => {
      const [credit, from] = key.split(' ') as [string, string]
      const kind = { credit, pay_period_starts_on: from } as PolicyTerms
      const days = daysFrom(from, monthsAfter(from, 1)).filter((one) => firstDayOf(one, kind) === key)
      const belonging = days.filter((one) => payPeriodOf(one) === null || payPeriodOf(one) === key)
      const present = belonging.filter(assignmentOn)
      const first = present[0]
      if (!first) return []
      const held = assignmentOn(first) as PolicyAssignment
      const ofDay = { own: held, terms: termsOn(held, first) }
      const isSame = held.type === 'accrual' && ofDay.terms.credit === credit && firstDayOf(first, ofDay.terms) === key
      const ofMonth = rulesIn(first.slice(0, 7)) as { own: PolicyAssignment; terms: PolicyTerms }
      const { own, terms } = isSame ? ofDay : ofMonth
      const isAtEnd = terms.credit_at === 'end_of_period'
      const due = isAtEnd ? (present.at(-1) as string) : first
      if (due.slice(0, 4) !== year || (!isAtEnd && (days[0] as string) < `${year}-01-01`)) return []
      const count = countOf(year, kind, isAtEnd)
      const on = (today: string) => {
        const lastOfYear = `${year}-12-31`
        const known = (one: string) => {
          const ahead = one > today && days.includes(today) ? today : one
          return !isAtEnd && ahead > lastOfYear ? lastOfYear : ahead
        }
        const byDay = present.map((one) => {
          const at = assignmentOn(known(one)) ? known(one) : one
          const its = assignmentOn(at) as PolicyAssignment
          return yearly(its, termsOn(its, at), at) / days.length
        })
        const rates = present.map((one) => yearly(own, terms, known(one)))
        const mean = rates.reduce((sum, one) => sum + one, 0) / rates.length
        const isWhole = terms.proration === 'started_months' || present.length === belonging.length
        const amount =
          terms.proration === 'by_day'
            ? byDay.reduce((sum, one) => sum + one, 0)
            : isWhole
              ? (mean * belonging.length) / days.length
              : 0
        return { terms, amount: (amount * 12) / count, due, month: null }
      }
      return [{ first, days, on, last: on(days.at(-1) as string) }]
    })
  }
  const begins = line.assignments[0]?.from as string
  const balances = new Map<string, number>()
  /** What is left of each year; what was taken too much stands under "debt". */
  const left = new Map<string, { amount: number; gone: string }>()
  let debt = 0
  const balance = () => [...left.values()].reduce((sum, { amount }) => sum + amount, 0) - debt
  const add = (amount: number, key: string, gone = '9999') => {
    const paid = Math.min(debt, amount)
    debt -= paid
    if (amount === paid) return
    const own = left.get(key) ?? { amount: 0, gone }
    left.set(key, { ...own, amount: own.amount + amount - paid })
  }
  const take = (amount: number, years: string[]) => {
    let open = amount
    for (const year of years) {
      const own = left.get(year) as { amount: number; gone: string }
      const taken = Math.min(open, own.amount)
      left.set(year, { ...own, amount: own.amount - taken })
      open -= taken
    }
    debt += open
  }
  const isOvertime = (key: string) => key.includes('overtime')
  const keys = () => [...left.keys()]
  const expiry = (key: string) => (left.get(key) as { gone: string }).gone
  /** What goes first: by the day on which it expires, then in the order in which it came. */
  const first = () => keys().sort((a, b) => (expiry(a) < expiry(b) ? -1 : expiry(a) > expiry(b) ? 1 : 0))
  const usual = () => keys().filter((key) => !isOvertime(key))
  const extra = () => keys().filter(isOvertime)
  const ofUsual = () => usual().reduce((sum, key) => sum + (left.get(key)?.amount ?? 0), 0) - debt
  let months: ReturnType<typeof monthOf>[] = []
  let payPeriods: ReturnType<typeof payPeriodsOf> = []
  let credited = 0
  let yesterday = ''
  for (let n = 0; n <= end; n++) {
    const today = date(n)
    if (today < begins) continue
    const year = today.slice(0, 4)
    if (year !== yesterday.slice(0, 4)) {
      const before = yesterday ? assignmentOn(yesterday) : undefined
      const terms = before ? termsOn(before, yesterday) : undefined
      // What is paid out on the same day is not carried over.
      const isPaidOut = today === line.service.until && before?.type !== 'external' && terms?.on_leaving === 'paid_out'
      if (terms && terms.carry_over_limit !== null && !isPaidOut)
        take(Math.max(0, ofUsual() - terms.carry_over_limit), usual())
      const own = yesterday && left.get(yesterday.slice(0, 4))
      const ends = [
        terms?.carry_over_until ? [date(daysFrom(date(0), `${year}-${terms.carry_over_until}`).length)] : [],
        terms?.carry_over_months ? [monthsAfter(`${year}-01-01`, terms.carry_over_months)] : [],
      ].flat()
      if (own) own.gone = ends.sort()[0] ?? '9999'
      months = Array.from({ length: 12 }, () => null)
      // Those before the first day of the line.
      for (let m = 1; m < Number(today.slice(5, 7)); m++) months[m - 1] = monthOf(year, m, today)
      payPeriods = payPeriodsOf(year)
      credited = 0
    }
    if (assignmentOn(today)) for (const own of left.values()) if (own.gone === today) own.amount = 0
    // The sum of the months so far; those before the first count like it where nothing is rounded.
    let sum = 0
    let last: (typeof months)[number] = null
    let now = 0
    const month = Number(today.slice(5, 7))
    months[month - 1] = monthOf(year, month, today)
    const firstOf = (m: number) => `${year}-${String(m).padStart(2, '0')}-01`
    const portions = [
      ...months.slice(0, month).map((own, m) => ({ first: firstOf(m + 1), own })),
      ...payPeriods
        .filter(({ first }) => first.slice(0, 7) <= today.slice(0, 7))
        .map(({ first, days, on, last }) => ({ first, own: days.includes(today) ? on(today) : last })),
      ...hoursWorkedIn(year).filter(({ first }) => first.slice(0, 7) <= today.slice(0, 7)),
    ]
    for (const { first, own } of portions.sort((a, b) => (a.first < b.first ? -1 : 1))) {
      if (first === firstOf(Number(first.slice(5, 7))) && own?.month && isByPayPeriod(first)) continue
      // Such a month gives nothing else, and is not one without leave.
      const governing = own === null ? rulesIn(first.slice(0, 7)) : undefined
      if (governing && isByHours(governing)) continue
      const isExact = (own ?? last)?.terms.rounding === 'none'
      if (own?.month && !last && isExact) sum = own.amount * (own.month - 1)
      if (own && own.due <= today) now += rounded((sum + own.amount) / 12, own.terms) - rounded(sum / 12, own.terms)
      sum += own ? own.amount : isExact && last?.month ? last.amount : 0
      last = own ?? last
    }
    const held = assignmentOn(today)
    const terms = held && termsOn(held, today)
    if (held && terms?.credit === 'yearly' && terms.credit_at === 'start_of_period') {
      let whole = sum
      for (let m = month + 1; m <= 12; m++) {
        const days = daysOf(year, m)
        whole +=
          yearly(held, terms, today) *
          part(
            terms,
            days.filter((one) => one < line.service.until),
            days,
          )
      }
      now += rounded(whole / 12, terms) - rounded(sum / 12, terms)
    }
    const more = now - credited
    credited = now
    if (more > 0) add(more, year)
    else take(-more, [...usual().reverse(), ...extra().reverse()])
    const lose = (given: number, from: string[]) => {
      if (given > 0 && terms && terms.maximum_balance !== null)
        take(Math.max(0, Math.min(given, balance() - terms.maximum_balance)), from)
    }
    lose(more, [...usual().reverse(), ...extra().reverse()])
    // The day after the last one.
    const heldBefore = today === line.service.until && yesterday ? assignmentOn(yesterday) : undefined
    if (heldBefore && heldBefore.type !== 'external' && termsOn(heldBefore, yesterday).on_leaving === 'paid_out')
      take(Math.max(0, balance()), first())
    for (const { day: on, minutes, id } of line.overtime) {
      if (on !== today || !held || !terms?.overtime_factor || held.type === 'external') continue
      const hours = (minutes / 60) * terms.overtime_factor
      const hoursOfDay = terms.full_time_hours / terms.full_time_days
      const given = Math.round((held.unit === 'hours' ? hours : hours / hoursOfDay) + 1e-6)
      if (terms.overtime_months === null) add(given, year)
      else add(given, `${year} overtime ${id}`, monthsAfter(today, terms.overtime_months))
      lose(given, [...extra().reverse(), ...usual().reverse()])
    }
    for (const move of moves)
      if (move.day === today || (today === begins && move.day < today)) {
        if (move.amount > 0) add(move.amount, year)
        else take(-move.amount, first())
      }
    balances.set(today, balance())
    yesterday = today
  }
  return balances
}

const always = { from: '1900-01-01', until: '9999-12-31' }

test('balances equal a naive day-by-day replay for random terms, assignments and employments', () => {
  fc.assert(
    fc.property(line, movements, (one, moves) => {
      const moved = moves.map(({ n, amount }) => ({ day: date(n), amount }))
      const expected = naive(one, moved)
      const days = [...expected.keys()]
      assert.deepEqual(balancesOn(days, one, moved), [...expected.values()])
      const last = days.at(-1) as string
      assert.equal(balanceOn(last, one, moved), expected.get(last), 'also when nothing before it is asked for')
    }),
    { numRuns: rounds(40, histories(200)) },
  )
})

test('balances equal a naive day-by-day replay for part-time, tenure, proration, rounding, expiry and maximum', () => {
  fc.assert(
    fc.property(fullLine, movements, (one, moves) => {
      const moved = moves.map(({ n, amount }) => ({ day: date(n), amount }))
      const expected = naiveFull(one, moved)
      const days = [...expected.keys()]
      assert.deepEqual(balancesOn(days, one, moved), [...expected.values()])
      const last = days.at(-1) as string
      const postings = postingsUntil(last, one, moved)
      assert.equal(
        postings.reduce((sum, { amount }) => sum + amount, 0),
        expected.get(last),
        'the postings sum up to the balance',
      )
    }),
    { numRuns: rounds(12, histories(400)) },
  )
})

test('balances equal a naive day-by-day replay for steps by age, pay periods and hours worked', () => {
  fc.assert(
    fc.property(accrualLine, (one) => {
      const expected = naiveFull(one, [], SHORT)
      assert.deepEqual(balancesOn([...expected.keys()], one, []), [...expected.values()])
    }),
    { numRuns: rounds(40, histories(1000)) },
  )
})

test('what is available can be taken, and a ten-thousandth more cannot', () => {
  fc.assert(
    fc.property(fullLine, movements, day, (one, moves, from) => {
      const moved = moves.map(({ n, amount }) => ({ day: date(n), amount }))
      const begins = one.assignments[0]?.from as string
      const on = date(from) < begins ? begins : date(from)
      const available = availableOn(on, one, moved)
      if (available === null) return
      const taking = (amount: number) => firstShortfall(one, on, [...moved, { day: on, amount: -amount }])
      const short = firstShortfall(one, on, moved)
      if (short) assert.equal(available, 0)
      else assert.equal(taking(available), undefined)
      assert.ok(taking(available + 1), `${available} is not the most`)
    }),
    { numRuns: rounds(100, 1000) },
  )
})

test('the first day below the floor is the one a naive search finds', () => {
  fc.assert(
    fc.property(line, movements, day, (one, moves, from) => {
      const moved = moves.map(({ n, amount }) => ({ day: date(n), amount }))
      const naively = [...naive(one, moved)].find(([today, balance]) => {
        const holding = one.assignments.findLast((held) => held.from <= today)
        const terms = holding?.terms.findLast((some) => some.from <= today)
        return today >= date(from) && holding?.type !== 'external' && terms && balance < terms.floor
      })
      const found = firstShortfall(one, date(from), moved)
      assert.equal(found && found.day <= date(LAST) ? found.day : undefined, naively?.[0])
      if (naively) assert.equal(found?.balance, naively[1])
    }),
    { numRuns: rounds(50, 300) },
  )
})

test('yearly credit at the end is due on the last day with the policy, also if the next one begins after the employment', () => {
  const rules = { ...always, ...PLAIN, floor: 0, carry_over_limit: null, yearly_amount: 120_000, credit: 'yearly' }
  const policy = (from: string, until: string, more: object): PolicyAssignment => ({
    ...{ id: 1, policyId: 1, type: 'accrual', unit: 'days', from, until, terms: [{ ...rules, ...more }] },
  })
  const one: LeaveTimeline = {
    assignments: [
      policy('2025-01-01', '2026-01-02', { credit_at: 'end_of_period' }),
      policy('2026-01-03', '9999-12-31', { yearly_amount: 0 }),
    ],
    ...{
      service: { from: '1900-01-01', until: '2026-01-03' },
      hiredOn: null,
      bornOn: null,
      weeks: [],
      overtime: [],
      worked: [],
    },
  }
  assert.deepEqual(balancesOn(['2025-12-31', '2026-01-01', '2026-01-02'], one, []), [120_000, 130_000, 130_000])
})

test('rounding errors do not add up: ten years of 10 days in monthly parts are 100 days', () => {
  const terms = [{ ...always, ...PLAIN, floor: 0, carry_over_limit: null, yearly_amount: 100_000, credit: 'monthly' }]
  const holding: PolicyAssignment = {
    ...{ id: 1, policyId: 1, type: 'accrual', unit: 'days', from: '2024-01-01', until: '9999-12-31', terms },
  }
  assert.equal(
    balanceOn(
      '2033-12-31',
      { assignments: [holding], service: always, hiredOn: null, bornOn: null, weeks: [], overtime: [], worked: [] },
      [],
    ),
    1_000_000,
  )
})
