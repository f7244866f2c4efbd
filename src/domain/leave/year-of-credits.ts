import { daysAfter, monthsAfter } from '../../engine/day.ts'
import {
  contains,
  earlier,
  fullTimeAmount,
  inForceOn,
  type LeaveTimeline,
  later,
  lengthOf,
  minutesWorked,
  type Period,
  type PolicyAssignment,
  type PolicyTerms,
  rateOn,
  rateTurns,
  TINY,
} from './entitlement.ts'
import { isSameSchedule, type PaySchedule, payPeriodAround, payPeriodsIn, payScheduleOf } from './pay-periods.ts'

/** What leave policies credit in a calendar year: by months, by pay periods, or for hours worked. */

const firstOf = (year: number, month: number) =>
  month > 12 ? `${year + 1}-01-01` : `${year}-${String(month).padStart(2, '0')}-01`

/** Cuts a period at some days. */
function cut(period: Period, days: readonly string[]): Period[] {
  const inside = [...new Set(days)].filter((day) => period.from < day && day < period.until).sort()
  return [period.from, ...inside].map((from, n) => ({ from, until: inside[n] ?? period.until }))
}

const shared = (one: Period, other: Period): Period => ({
  from: later(one.from, other.from),
  until: earlier(one.until, other.until),
})

const daysOf = (periods: readonly Period[]) => periods.reduce((sum, one) => sum + lengthOf(one), 0)

/** The part of a month's twelfth that these days of the month earn. */
function partOfMonth(proration: string, present: readonly Period[], month: Period): number {
  if (proration === 'started_months') return present.length > 0 ? 1 : 0
  const count = (within: Period) => present.reduce((sum, one) => sum + Math.max(0, lengthOf(shared(one, within))), 0)
  const all = lengthOf(month)
  if (proration === 'full_months') return count(month) === all ? 1 : 0
  if (proration === 'fifteen_days') return count(month) >= 15 ? 1 : 0
  if (proration === 'by_day') return count(month) / all
  const middle = `${month.from.slice(0, 8)}16`
  const halves = [
    { from: month.from, until: middle },
    { from: middle, until: month.until },
  ]
  return halves.filter((half) => count(half) === lengthOf(half)).length / 2
}

/** The part of a pay period that these days earn. `own` is what belongs to it: the rest is in a month with other rules. */
function partOfPayPeriod(proration: string, present: readonly Period[], own: Period, payPeriod: Period): number {
  const [counted, all] = [daysOf(present), lengthOf(own)]
  if (proration === 'by_day') return counted / lengthOf(payPeriod)
  return proration === 'full_months' && counted < all ? 0 : all / lengthOf(payPeriod)
}

/** Rounds as the terms say, by default to a ten-thousandth. */
function round(amount: number, { rounding, rounding_step }: PolicyTerms): number {
  const step = rounding_step
  if (rounding === 'up') return Math.ceil(amount / step - TINY) * step
  if (rounding === 'down') return Math.floor(amount / step + TINY) * step
  if (rounding === 'nearest') return Math.floor(amount / step + 0.5 + TINY) * step
  return Math.round(amount + TINY)
}

type Present = Period & { readonly assignment: PolicyAssignment }

/** The days of a period on which somebody is employed and has the leave type. */
const presentIn = ({ assignments, service }: LeaveTimeline, period: Period): Present[] =>
  assignments.flatMap((assignment) => {
    const { from, until } = shared(shared(period, assignment), service)
    return from < until ? [{ assignment, from, until }] : []
  })

/** What decides about the leave of a calendar month: its first assignment, and the terms of its first day. */
type MonthRules = {
  readonly period: Period
  readonly present: readonly Present[]
  readonly assignment: PolicyAssignment
  readonly terms: PolicyTerms
  readonly schedule: PaySchedule | undefined
}

function rulesOf(line: LeaveTimeline, from: string): MonthRules | undefined {
  const period = { from, until: monthsAfter(from, 1) }
  const present = presentIn(line, period)
  const assignment = present[0]?.assignment
  const terms = assignment?.terms.find(contains(from))
  if (!assignment || !terms) return undefined
  const schedule = assignment.type === 'accrual' ? payScheduleOf(terms) : undefined
  return { period, present, assignment, terms, schedule }
}

/** A month, pay period or month of hours worked that gives a part of the year's leave. */
type Portion = {
  /** Its first day that counts. Portions are in this order. */
  readonly begins: string
  readonly period: Period
  /** What twelve such portions would give. */
  readonly yearly: number
  /** The same as it is known at the end of a day of the period. */
  readonly yearlyOn: (day: string) => number
  /** Does the rate change within the period? Then it depends on the day what is known of it. */
  readonly changes: boolean
  /** The part of the period that counts, and its days. */
  readonly share: number
  readonly present: Period
  readonly terms: PolicyTerms
  readonly due: string
  /** How much of a year the whole period is, in months. */
  readonly months: number
  /** The months of the year before it; undefined unless it gives a twelfth. */
  readonly monthsBefore?: number
  readonly payPeriodsInYear?: number
  readonly minutes?: number
}

/** A portion, or a month without leave, and the sums of the year before and after it. */
type Entry = {
  readonly begins: string
  readonly portion?: Portion | undefined
  before: number
  after: number
  isFirst: boolean
}

/** Portions that count with the same amount: for full time a year, and for the working time of the person. */
export type YearPart = {
  from: string
  until: string
  /** Null: hours worked without a limit. */
  amount: number | null
  rate: number
  months: number
  payPeriods: number | null
  payPeriodsInYear: number | null
  minutes: number | null
}

/**
 * What is credited in one year. Each month gives a twelfth by the terms of its first day; the first assignment with a day in
 * it gives it. These terms can also say that the pay periods in the month give leave. Hours worked give leave by the terms of their
 * own day, at the end of the month. Only the sum of the year is rounded, so the rounding errors of portions do not add up. Days to come count as things are now, so a change moves no earlier balance.
 */
export class YearOfCredits {
  readonly #line: LeaveTimeline
  readonly #year: number
  readonly #entries: readonly Entry[]
  readonly #turns: readonly string[]
  readonly #lastDay: string

  constructor(line: LeaveTimeline, year: number) {
    this.#line = line
    this.#year = year
    this.#turns = rateTurns(line)
    const ends = line.assignments
      .filter(({ from }) => from <= `${year}-12-31` && from < line.service.until)
      .map(({ until }) => daysAfter(earlier(until, line.service.until, `${year + 1}-01-01`), -1))
    this.#lastDay = ends.length > 0 ? later(...ends) : `${year}-12-31`
    this.#entries = this.#entriesOf()
    let [sum, last] = [0, undefined as Portion | undefined]
    for (const entry of this.#entries) {
      const { portion } = entry
      entry.isFirst = last === undefined
      entry.before = portion ? this.#sumBefore(entry, portion.yearly, sum) : sum
      // A month without leave counts like the one before it where nothing is rounded.
      const isFilled = last?.terms.rounding === 'none' && last.monthsBefore !== undefined
      entry.after = entry.before + (portion ? portion.yearly : isFilled ? (last?.yearly ?? 0) : 0)
      sum = entry.after
      last = portion ?? last
    }
  }

  /** The months before the first count as if they had given the same: what a whole year gives is thus rounded once. */
  #sumBefore({ portion, isFirst }: Entry, yearly: number, sum: number): number {
    const isFilled = isFirst && portion?.terms.rounding === 'none' && portion.monthsBefore !== undefined
    return isFilled ? yearly * (portion.monthsBefore ?? 0) : sum
  }

  /** In order. */
  #entriesOf(): Entry[] {
    const firstDays = Array.from({ length: 14 }, (_, n) => monthsAfter(`${this.#year}-01-01`, n - 1))
    const months = firstDays.map((from) => rulesOf(this.#line, from))
    const entries: Omit<Entry, 'before' | 'after' | 'isFirst'>[] = this.#payPeriods(months)
    let hours = 0
    for (let n = 0; n < 12; n++) {
      const rules = months[n + 1]
      const ofHours = rules && this.#hoursWorked(rules, hours)
      if (ofHours) {
        hours += ofHours.yearly
        entries.push({ begins: ofHours.begins, portion: ofHours })
      }
      if (rules?.schedule || (rules && creditsHours(rules))) continue
      entries.push({ begins: firstDays[n + 1] as string, portion: rules && this.#twelfth(rules, n) })
    }
    const inOrder = entries.toSorted((a, b) => (a.begins < b.begins ? -1 : a.begins > b.begins ? 1 : 0))
    return inOrder.map((one) => ({ ...one, before: 0, after: 0, isFirst: false }))
  }

  #twelfth({ period, present, assignment, terms }: MonthRules, monthsBefore: number): Portion {
    const isAtEnd = assignment.type === 'accrual' && terms.credit_at === 'end_of_period'
    const lastDay = daysAfter((present.at(-1) as Present).until, -1)
    const share = partOfMonth(terms.proration, present, period)
    const isByDay = terms.proration === 'by_day'
    const yearlyOn = (day?: string) =>
      isByDay ? this.#byDays(present, period, day) : this.#meanRate({ assignment, present, terms }, day) * share
    return {
      ...{ begins: period.from, period, terms, share, yearlyOn, yearly: yearlyOn(), months: 1, monthsBefore },
      due: !isAtEnd ? (present[0] as Present).from : terms.credit === 'yearly' ? this.#lastDay : lastDay,
      present: { from: (present[0] as Present).from, until: (present.at(-1) as Present).until },
      changes: this.#changesIn(period, present, isByDay),
    }
  }

  /** The pay periods whose credit is due in the year. `months` begin with the December before it and end with the January after it. */
  #payPeriods(months: readonly (MonthRules | undefined)[]): { begins: string; portion: Portion }[] {
    const monthOf = (day: string) => months[(Number(day.slice(0, 4)) - this.#year) * 12 + Number(day.slice(5, 7))]
    return months.flatMap((month) => {
      const { schedule } = month ?? {}
      if (!month || !schedule) return []
      return payPeriodsAcross(month.period, schedule).flatMap((payPeriod) => {
        const own = ownPart(payPeriod, schedule, monthOf)
        const present = presentIn(this.#line, own)
        const begins = present[0]?.from
        // A pay period across two months belongs to the one of its first day that counts.
        if (begins === undefined || !contains(begins)(month.period)) return []
        const portion = this.#payPeriod(
          { ...month, ...rulesOn(present[0] as Present, month), present, schedule },
          payPeriod,
          own,
        )
        // Of one that began in the year before, somebody who comes later gets nothing: the year gives what its own pay periods give.
        const isAtStart = portion.terms.credit_at !== 'end_of_period'
        const isOfYearBefore = isAtStart && payPeriod.from < `${this.#year}-01-01`
        return portion.due.startsWith(`${this.#year}-`) && !isOfYearBefore ? [{ begins, portion }] : []
      })
    })
  }

  #payPeriod(rules: MonthRules & { schedule: PaySchedule }, period: Period, own: Period): Portion {
    const { present, assignment, terms, schedule } = rules
    const isAtEnd = terms.credit_at === 'end_of_period'
    const [from, until] = [(present[0] as Present).from, (present.at(-1) as Present).until]
    const due = isAtEnd ? daysAfter(until, -1) : from
    const payPeriodsInYear = payPeriodsIn(Number(due.slice(0, 4)), schedule, isAtEnd ? 'ends' : 'starts')
    const months = 12 / payPeriodsInYear
    const share = partOfPayPeriod(terms.proration, present, own, period)
    const isByDay = terms.proration === 'by_day'
    const yearlyOn = (day?: string) =>
      (isByDay ? this.#byDays(present, period, day) : this.#meanRate({ assignment, present, terms }, day) * share) *
      months
    const lastDay = `${this.#year}-12-31`
    // What is credited in a year does not change in the next one.
    const yearly = yearlyOn(due <= lastDay && lastDay < daysAfter(until, -1) ? lastDay : undefined)
    return {
      ...{ begins: from, period, terms, share, yearlyOn, yearly, months, payPeriodsInYear, due },
      present: { from, until },
      changes: this.#changesIn(period, present, isByDay),
    }
  }

  /**
   * Leave for the hours worked in a month: each day by its own terms, and in a month that begins with such terms all of its days.
   * `before` is twelve times what the months before it gave for hours worked.
   */
  #hoursWorked(month: MonthRules, before: number): Portion | undefined {
    const days = month.present.flatMap(({ assignment, ...present }) =>
      cut(
        present,
        assignment.terms.map(({ from }) => from),
      ).flatMap((period) => {
        const terms = assignment.terms.find(contains(period.from))
        if (terms && creditsHours({ assignment, terms })) return [{ ...period, assignment, terms }]
        return creditsHours(month) ? [{ ...period, assignment: month.assignment, terms: month.terms }] : []
      }),
    )
    const [first, last] = [days[0], days.at(-1)]
    if (!first || !last) return undefined
    const due = daysAfter(last.until, -1)
    const minutes = minutesWorked(this.#line, days)
    const amount = days.reduce((sum, one) => sum + amountOfHours(minutesWorked(this.#line, [one]), one), 0)
    const most = fullTimeAmount(this.#line, last.terms, due)
    const yearly = most === null ? amount * 12 : Math.max(0, Math.min(amount * 12, most * 12 - before))
    return {
      ...{
        begins: first.from,
        period: month.period,
        terms: last.terms,
        yearly,
        yearlyOn: () => yearly,
        changes: false,
        due,
      },
      ...{ share: minutes > 0 ? 1 : 0, present: { from: first.from, until: last.until }, minutes, months: 1 },
    }
  }

  #changesIn(period: Period, present: readonly Present[], isByDay: boolean): boolean {
    const inside = (day: string) => period.from < day && day < period.until
    return (
      this.#turns.some(inside) ||
      (isByDay &&
        (present.length > 1 || present.some(({ assignment }) => assignment.terms.some(({ from }) => inside(from)))))
    )
  }

  /** Every day gives its part, by its own assignment and terms; days to come as the day that is looked at. */
  #byDays(present: readonly Present[], period: Period, day?: string): number {
    const rateOf = (assignment: PolicyAssignment, at: string) =>
      rateOn(this.#line, assignment, assignment.terms.find(contains(at)), at)
    const now = day === undefined ? undefined : present.find(contains(day))?.assignment
    const parts = present.flatMap(({ assignment, ...one }) => {
      const turns = [...this.#turns, ...assignment.terms.map(({ from }) => from), ...(day ? [daysAfter(day, 1)] : [])]
      return cut(one, turns).map((part) => {
        const isAhead = day !== undefined && now !== undefined && part.from > day
        return (isAhead ? rateOf(now, day) : rateOf(assignment, part.from)) * lengthOf(part)
      })
    })
    return parts.reduce((sum, one) => sum + one, 0) / lengthOf(period)
  }

  /** The mean rate of some days; days to come count as the day that is looked at. */
  #meanRate(
    { assignment, present, terms }: Pick<MonthRules, 'assignment' | 'present' | 'terms'>,
    day?: string,
  ): number {
    const turns = day === undefined ? this.#turns : [...this.#turns, daysAfter(day, 1)]
    const parts = present.flatMap((period) => cut(period, turns))
    const rates = parts.map(({ from }) =>
      rateOn(this.#line, assignment, terms, day !== undefined && from > day ? day : from),
    )
    if (rates.every((rate) => rate === rates[0])) return rates[0] as number
    return parts.reduce((sum, part, n) => sum + (rates[n] as number) * lengthOf(part), 0) / daysOf(parts)
  }

  /** What a portion gives, and what the year gave before it, as it is known at the end of a day. */
  #knownOn(entry: Entry, portion: Portion, day: string): { before: number; yearly: number } {
    if (!portion.changes || !contains(day)(portion.period)) return { before: entry.before, yearly: portion.yearly }
    const yearly = portion.yearlyOn(day)
    return { yearly, before: this.#sumBefore(entry, yearly, entry.before) }
  }

  /** What is credited from the beginning of the year until the end of a day. */
  until(day: string): number {
    let credited = 0
    for (const entry of this.#entries) {
      const { portion } = entry
      if (!portion || portion.due > day) continue
      const { before, yearly } = this.#knownOn(entry, portion, day)
      credited += round((before + yearly) / 12, portion.terms) - round(before / 12, portion.terms)
    }
    const now = inForceOn(this.#line, day)
    if (now?.terms.credit !== 'yearly' || now.terms.credit_at === 'end_of_period') return credited
    // Credited at once: what the rest of the year in service will give, as things are now.
    const { assignment, terms } = now
    const rate = rateOn(this.#line, assignment, terms, day)
    const number = Number(day.slice(5, 7))
    const rest = Array.from({ length: 12 - number }, (_, n) => {
      const period = { from: firstOf(this.#year, number + 1 + n), until: firstOf(this.#year, number + 2 + n) }
      const until = earlier(period.until, this.#line.service.until)
      return period.from < until ? rate * partOfMonth(terms.proration, [{ from: period.from, until }], period) : 0
    })
    const sum = this.#sumOfMonths(day)
    const whole = sum + rest.reduce((total, one) => total + one, 0)
    return credited + round(whole / 12, terms) - round(sum / 12, terms)
  }

  /** Twelve times what the months until that of a day give, as it is known at the end of the day. */
  #sumOfMonths(day: string): number {
    const next = firstOf(this.#year, Number(day.slice(5, 7)) + 1)
    const entries = this.#entries.filter(({ begins }) => begins < next)
    // The portions of today may be known otherwise than on their last day.
    const otherwise = entries.map((entry) => {
      const { portion } = entry
      if (!portion || !contains(day)(portion.period)) return 0
      const { before, yearly } = this.#knownOn(entry, portion, day)
      return before + yearly - (entry.before + portion.yearly)
    })
    return otherwise.reduce((sum, one) => sum + one, entries.at(-1)?.after ?? 0)
  }

  /** How the sum of the year comes about: portions in a row with the same amount, as they are on their last day. */
  parts(): YearPart[] {
    const parts: YearPart[] = []
    for (const { portion } of this.#entries) {
      if (!portion || portion.share === 0) continue
      const { present, share, terms, yearly, payPeriodsInYear = null, minutes = null } = portion
      const amount = fullTimeAmount(this.#line, terms, minutes === null ? present.from : portion.due)
      const months = share * portion.months
      const last = parts.at(-1)
      const part = {
        ...{ ...present, amount: minutes === null ? (amount ?? 0) : amount, rate: yearly / months, months, minutes },
        ...{ payPeriods: payPeriodsInYear === null ? null : share, payPeriodsInYear },
      }
      if (last && continues(last, part)) Object.assign(last, joined(last, part))
      else parts.push(part)
    }
    return parts
  }

  /** Is a part due on this day? With yearly credit at the start, all is due at once. */
  isDue = (day: string, creditedBefore: number): boolean =>
    this.#entries.some(
      ({ portion: one }) =>
        one?.due === day &&
        (one.terms.credit !== 'yearly' || one.terms.credit_at === 'end_of_period' || creditedBefore === 0),
    )

  /** The days of the year on which what is credited may change, in order. */
  days(): string[] {
    const [first, last] = [`${this.#year}-01-01`, `${this.#year}-12-31`]
    const { assignments, service } = this.#line
    const turns = [
      ...this.#entries.flatMap(({ portion: one }) => (one ? [one.period.from, one.due] : [])),
      ...assignments.flatMap(({ from, until, terms }) => [from, until, ...terms.map((one) => one.from)]),
      service.from,
      service.until,
      ...this.#turns,
    ]
    return [...new Set(turns)].filter((day) => day >= first && day <= last).sort()
  }
}

/** A pay period gives its amount by the terms of its first day that counts, unless these have other pay periods than its month. */
function rulesOn(
  { assignment, from }: Present,
  { schedule, ...month }: MonthRules,
): Pick<MonthRules, 'assignment' | 'terms'> {
  const terms = assignment.type === 'accrual' ? assignment.terms.find(contains(from)) : undefined
  const own = terms && payScheduleOf(terms)
  return terms && own && schedule && isSameSchedule(own, schedule) ? { assignment, terms } : month
}

const creditsHours = ({ assignment, terms }: Pick<MonthRules, 'assignment' | 'terms'>): boolean =>
  assignment.type === 'accrual' && terms.credit === 'hours_worked'

/** The leave for so many minutes worked, in its unit. */
function amountOfHours(minutes: number, { assignment, terms }: Pick<MonthRules, 'assignment' | 'terms'>): number {
  const inHours = ((minutes / 60) * (terms.hours_worked_percentage ?? 0)) / 100
  return assignment.unit === 'hours' ? inHours : (inHours * terms.full_time_days) / terms.full_time_hours
}

/** The pay periods with a day in a month. */
function payPeriodsAcross(month: Period, schedule: PaySchedule): Period[] {
  const all: Period[] = []
  for (let day = month.from; day < month.until; day = (all.at(-1) as Period).until)
    all.push(payPeriodAround(day, schedule))
  return all
}

/** The part of a pay period that does not lie in a month with other rules. */
function ownPart(payPeriod: Period, schedule: PaySchedule, monthOf: (day: string) => MonthRules | undefined): Period {
  const [first, last] = [monthOf(payPeriod.from), monthOf(daysAfter(payPeriod.until, -1))]
  const isOther = (rules: MonthRules | undefined) =>
    rules !== undefined && !(rules.schedule && isSameSchedule(rules.schedule, schedule))
  return {
    from: first && isOther(first) ? first.period.until : payPeriod.from,
    until: last && isOther(last) ? last.period.from : payPeriod.until,
  }
}

/** Do two parts of a year follow each other with the same amounts? Of hours worked, months may give different amounts. */
function continues(last: YearPart, next: YearPart): boolean {
  if (last.until !== next.from || last.amount !== next.amount || last.payPeriodsInYear !== next.payPeriodsInYear)
    return false
  if (last.minutes === null || next.minutes === null)
    return last.minutes === next.minutes && isNear(last.rate, next.rate)
  return true
}

const isNear = (one: number, other: number) => Math.abs(one - other) < TINY

function joined(last: YearPart, { until, rate, months, payPeriods, minutes }: YearPart): Partial<YearPart> {
  const all = last.months + months
  return {
    ...{
      until,
      months: all,
      rate: last.minutes === null ? last.rate : (last.rate * last.months + rate * months) / all,
    },
    payPeriods: payPeriods === null ? null : (last.payPeriods ?? 0) + payPeriods,
    minutes: minutes === null ? null : (last.minutes ?? 0) + minutes,
  }
}

/** A timeline never changes, and one request often replays it many times. */
const yearsOf = new WeakMap<LeaveTimeline, Map<number, YearOfCredits>>()

/** The credits of a year, calculated once for each timeline. */
export function creditsOf(line: LeaveTimeline, year: number): YearOfCredits {
  const known = yearsOf.get(line) ?? new Map<number, YearOfCredits>()
  yearsOf.set(line, known)
  const own = known.get(year) ?? new YearOfCredits(line, year)
  known.set(year, own)
  return own
}
