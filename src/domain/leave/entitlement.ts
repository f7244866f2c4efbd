import { FOREVER } from '../../engine/dated.ts'
import { daysAfter, monthsAfter } from '../../engine/day.ts'
import type { WorkingWeek } from '../time/working-weeks.ts'

/** What a leave policy gives in a year, and when. Amounts are ten-thousandths of days or hours; a period ends before `until`. */

export type Period = { readonly from: string; readonly until: string }

/** From so many whole years of service on, the yearly amount is another one. */
export type TenureStep = { readonly years: number; readonly yearly_amount: number }

/** Conditions for requests. Null: none. */
export type LeaveConditions = {
  readonly waiting_period: number | null
  readonly waiting_period_unit: 'days' | 'weeks' | 'months'
  readonly allowed_in_probation: boolean
  readonly notice_days: number | null
  readonly day_amounts: string
  readonly minimum_amount: number | null
  readonly maximum_amount: number | null
  readonly monthly_maximum: number | null
  readonly yearly_maximum: number | null
  readonly attachment_from_day: number | null
}

/** The terms of a leave policy during a period. */
export type PolicyTerms = Period & {
  readonly counted_as: string
  readonly yearly_amount: number | null
  readonly credit: string | null
  readonly credit_at: string
  readonly proration: string
  readonly rounding: string
  readonly rounding_step: number
  readonly part_time: string
  readonly full_time_hours: number
  readonly full_time_days: number
  readonly tenure_steps: readonly TenureStep[]
  readonly tenure_steps_from: string
  readonly carry_over_limit: number | null
  readonly carry_over_until: string | null
  readonly carry_over_months: number | null
  readonly maximum_balance: number | null
  readonly floor: number
  /** Approved overtime is credited times this; null: it is not. */
  readonly overtime_factor: number | null
  readonly overtime_months: number | null
  /** `paid_out`: what is left is paid out when the employment ends. Null: it stays. */
  readonly on_leaving: string | null
  /** Not for credits and balances. */
  readonly conditions?: LeaveConditions
}

/** A leave policy that applies to a person during a period. */
export type PolicyAssignment = Period & {
  readonly id: number
  readonly policyId: number
  readonly type: string
  readonly unit: LeaveUnit
  /** In order, without gaps. */
  readonly terms: readonly PolicyTerms[]
}

export type LeaveUnit = 'days' | 'hours'

/** Approved overtime. */
export type Overtime = { readonly id: number; readonly day: string; readonly minutes: number }

/** All policies of one leave type that apply to a person in one employment, in order. One balance runs through all of them. */
export type LeaveTimeline = {
  /** The same of the employment before. */
  readonly former?: LeaveTimeline | undefined
  /** In order; the next one begins when one ends, or later. */
  readonly assignments: readonly PolicyAssignment[]
  readonly service: Period
  readonly hiredOn: string | null
  /** In order; full time where there is none. */
  readonly weeks: readonly WorkingWeek[]
  /** In order. */
  readonly overtime: readonly Overtime[]
}

export const contains =
  (day: string) =>
  ({ from, until }: Period) =>
    from <= day && day < until

/** The timeline of the last employment that started by a day, or of the first one. */
export const timelineOn = (line: LeaveTimeline, day: string): LeaveTimeline =>
  line.former && day < line.service.from ? timelineOn(line.former, day) : line

/** The assignments of all employments in order: one that runs on in the next employment is in both. */
export const allAssignments = ({ former, assignments }: LeaveTimeline): PolicyAssignment[] => [
  ...(former ? allAssignments(former) : []),
  ...assignments,
]

/** The assignment and the terms in force on a day of service. */
export function inForceOn(
  person: LeaveTimeline,
  day: string,
): { assignment: PolicyAssignment; terms: PolicyTerms } | undefined {
  const line = timelineOn(person, day)
  if (!contains(day)(line.service)) return undefined
  const assignment = line.assignments.find(contains(day))
  const terms = assignment?.terms.find(contains(day))
  return assignment && terms && { assignment, terms }
}

/** Overtime as leave, and the first day on which it can no longer be taken. */
export type OvertimeCredit = Overtime & { readonly amount: number; readonly expires: string; readonly policyId: number }

/** What the overtime of an employment gives by the terms of its days, in order. */
export function overtimeCredits(line: LeaveTimeline): OvertimeCredit[] {
  return line.overtime.flatMap((one) => {
    const now = contains(one.day)(line.service) ? inForceOn(line, one.day) : undefined
    const factor = now?.terms.overtime_factor ?? null
    if (!now || factor === null || now.assignment.type === 'external') return []
    const { unit, policyId } = now.assignment
    const { full_time_hours: hours, full_time_days: days, overtime_months: months } = now.terms
    const inHours = (one.minutes * factor) / 60
    const amount = Math.round((unit === 'hours' ? inHours : (inHours * days) / hours) + TINY)
    return [{ ...one, amount, policyId, expires: months === null ? FOREVER : monthsAfter(one.day, months) }]
  })
}

export const later = (...days: string[]) => days.reduce((one, other) => (one > other ? one : other))
export const earlier = (...days: string[]) => days.reduce((one, other) => (one < other ? one : other))
const firstOf = (year: number, month: number) =>
  month > 12 ? `${year + 1}-01-01` : `${year}-${String(month).padStart(2, '0')}-01`

const lengthOf = ({ from, until }: Period) => (Date.parse(until) - Date.parse(from)) / 86_400_000

/** The day from which a step applies to somebody. */
function stepDay(hiredOn: string, { tenure_steps_from: from }: PolicyTerms, { years }: TenureStep): string {
  const day = monthsAfter(hiredOn, years * 12)
  return from === 'start_of_year'
    ? `${day.slice(0, 4)}-01-01`
    : from === 'start_of_month'
      ? `${day.slice(0, 7)}-01`
      : day
}

/** The yearly amount for full time: that of the last step that was reached. */
function fullTimeAmount({ hiredOn }: LeaveTimeline, terms: PolicyTerms, day: string): number {
  const usual = terms.yearly_amount ?? 0
  if (hiredOn === null) return usual
  const reached = terms.tenure_steps.filter((step) => stepDay(hiredOn, terms, step) <= day)
  return reached.reduce((last, step) => (step.years > last.years ? step : last), { years: -1, yearly_amount: usual })
    .yearly_amount
}

/** What a year would give by the terms if every day were like this one. */
function rateOn(line: LeaveTimeline, { type }: PolicyAssignment, terms: PolicyTerms | undefined, day: string): number {
  if (type !== 'accrual' || !terms) return 0
  const amount = fullTimeAmount(line, terms, day)
  const week = terms.part_time === 'same' ? undefined : line.weeks.find(contains(day))
  if (!week) return amount
  return terms.part_time === 'by_hours'
    ? (amount * week.hours) / terms.full_time_hours
    : (amount * week.days) / terms.full_time_days
}

/** The days on which a rate may change, besides those of assignments and service. */
function rateTurns({ assignments, weeks, hiredOn }: LeaveTimeline): string[] {
  const all = assignments.flatMap(({ terms }) => terms)
  const isScaled = all.some(({ part_time }) => part_time !== 'same')
  return [
    ...(isScaled ? weeks.flatMap(({ from, until }) => [from, until]) : []),
    ...all.flatMap((terms) => (hiredOn ? terms.tenure_steps.map((step) => stepDay(hiredOn, terms, step)) : [])),
  ]
}

/** Cuts a period at some days. */
function cut(period: Period, days: readonly string[]): Period[] {
  const inside = [...new Set(days)].filter((day) => period.from < day && day < period.until).sort()
  return [period.from, ...inside].map((from, n) => ({ from, until: inside[n] ?? period.until }))
}

/** The part of a month's twelfth that these days of the month earn. */
function partOfMonth(proration: string, present: readonly Period[], month: Period): number {
  if (proration === 'started_months') return present.length > 0 ? 1 : 0
  const count = (within: Period) =>
    present.reduce((sum, one) => {
      const shared = { from: later(one.from, within.from), until: earlier(one.until, within.until) }
      return sum + Math.max(0, lengthOf(shared))
    }, 0)
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

/** Tiny errors of division must not decide where to round. */
const TINY = 1e-6

/** Rounds as the terms say, by default to a ten-thousandth. */
function round(amount: number, { rounding, rounding_step }: PolicyTerms): number {
  const step = rounding_step
  if (rounding === 'up') return Math.ceil(amount / step - TINY) * step
  if (rounding === 'down') return Math.floor(amount / step + TINY) * step
  if (rounding === 'nearest') return Math.floor(amount / step + 0.5 + TINY) * step
  return Math.round(amount + TINY)
}

type Month = {
  readonly period: Period
  /** What twelve such months would give. */
  readonly yearly: number
  /** The part of the month that counts, and its days. */
  readonly share: number
  readonly present: Period
  readonly terms: PolicyTerms
  readonly due: string
  /** Changes of the rate within the month? Then it depends on the day what is known of it. */
  readonly changes: boolean
}

/** Months that count with the same amount: for full time a year, and for the working time of the person. */
export type YearPart = { from: string; until: string; amount: number; rate: number; months: number }

type Present = Period & { readonly assignment: PolicyAssignment }

/**
 * What is credited in one year. Each month gives a twelfth by the terms of its first day; the first assignment with a day in
 * it gives it. Only the sum of the year is rounded, so the rounding errors of months do not add up. Days to come count as
 * things are now, so a change moves no earlier balance.
 */
export class YearOfCredits {
  readonly #line: LeaveTimeline
  readonly #year: number
  /** As they are on their last day. */
  readonly #months: (Month | null)[]
  /** The sums at the end of each month. */
  readonly #sums: number[] = []
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
    this.#months = Array.from({ length: 12 }, (_, n) => this.#monthOf(n + 1))
    for (const [n, month] of this.#months.entries()) {
      const isExact = (month ?? this.#lastBefore(n))?.terms.rounding === 'none'
      const filled = isExact ? (this.#lastBefore(n)?.yearly ?? 0) : 0
      this.#sums.push(this.#sumBefore(n, month) + (month ? month.yearly : filled))
    }
  }

  #lastBefore = (n: number): Month | null => this.#months.slice(0, n).findLast((month) => month !== null) ?? null

  /** The months before the first count as if they had given the same: what a whole year gives is thus rounded once. */
  #sumBefore(n: number, month: Month | null): number {
    if (month?.terms.rounding === 'none' && !this.#lastBefore(n)) return month.yearly * n
    return this.#sums[n - 1] ?? 0
  }

  /** A month, as it is known at the end of a day of it. */
  #monthOf(number: number, day?: string): Month | null {
    const line = this.#line
    const period = { from: firstOf(this.#year, number), until: firstOf(this.#year, number + 1) }
    const present: Present[] = line.assignments.flatMap((assignment) => {
      const from = later(period.from, assignment.from, line.service.from)
      const until = earlier(period.until, assignment.until, line.service.until)
      return from < until ? { assignment, from, until } : []
    })
    const [first] = present
    const terms = first?.assignment.terms.find(contains(period.from))
    if (!first || !terms) return null
    const isAtEnd = first.assignment.type === 'accrual' && terms.credit_at === 'end_of_period'
    const lastDay = daysAfter((present.at(-1) as Period).until, -1)
    const isByDay = terms.proration === 'by_day'
    const inside = ({ from }: Period) => period.from < from && from < period.until
    return {
      period,
      terms,
      due: !isAtEnd ? first.from : terms.credit === 'yearly' ? this.#lastDay : lastDay,
      yearly: isByDay
        ? this.#byDays(present, period, day)
        : this.#byMonth(first.assignment, present, terms, period, day),
      share: partOfMonth(terms.proration, present, period),
      present: { from: first.from, until: (present.at(-1) as Period).until },
      changes:
        this.#turns.some((turn) => inside({ from: turn, until: turn })) ||
        (isByDay && (present.length > 1 || present.some(({ assignment }) => assignment.terms.some(inside)))),
    }
  }

  /** Every day gives its part, by its own assignment and terms; days to come as the day that is looked at. */
  #byDays(present: readonly Present[], month: Period, day?: string): number {
    const rateOf = (assignment: PolicyAssignment, at: string) =>
      rateOn(this.#line, assignment, assignment.terms.find(contains(at)), at)
    const now = day === undefined ? undefined : present.find(contains(day))?.assignment
    const parts = present.flatMap(({ assignment, ...period }) => {
      const turns = [...this.#turns, ...assignment.terms.map(({ from }) => from), ...(day ? [daysAfter(day, 1)] : [])]
      return cut(period, turns).map((part) => {
        const isAhead = day !== undefined && now !== undefined && part.from > day
        return (isAhead ? rateOf(now, day) : rateOf(assignment, part.from)) * lengthOf(part)
      })
    })
    return parts.reduce((sum, one) => sum + one, 0) / lengthOf(month)
  }

  #byMonth(
    assignment: PolicyAssignment,
    present: readonly Period[],
    terms: PolicyTerms,
    month: Period,
    day?: string,
  ): number {
    const turns = day === undefined ? this.#turns : [...this.#turns, daysAfter(day, 1)]
    const parts = present.flatMap((period) => cut(period, turns))
    const rates = parts.map(({ from }) =>
      rateOn(this.#line, assignment, terms, day !== undefined && from > day ? day : from),
    )
    const isSame = rates.every((rate) => rate === rates[0])
    const days = parts.reduce((sum, part) => sum + lengthOf(part), 0)
    const mean = isSame
      ? (rates[0] as number)
      : parts.reduce((sum, part, n) => sum + (rates[n] as number) * lengthOf(part), 0) / days
    return mean * partOfMonth(terms.proration, present, month)
  }

  /** What is credited from the beginning of the year until the end of a day. */
  until(day: string): number {
    const number = Number(day.slice(5, 7))
    const known = this.#months[number - 1] ?? null
    const current = known?.changes ? this.#monthOf(number, day) : known
    let credited = 0
    for (let n = 0; n < number; n++) {
      const month = n === number - 1 ? current : (this.#months[n] ?? null)
      if (!month || month.due > day) continue
      const before = this.#sumBefore(n, month)
      credited += round((before + month.yearly) / 12, month.terms) - round(before / 12, month.terms)
    }
    const now = inForceOn(this.#line, day)
    if (now?.terms.credit !== 'yearly' || now.terms.credit_at === 'end_of_period') return credited
    // Credited at once: what the rest of the year in service will give, as things are now.
    const { assignment, terms } = now
    const rate = rateOn(this.#line, assignment, terms, day)
    const rest = Array.from({ length: 12 - number }, (_, n) => {
      const period = { from: firstOf(this.#year, number + 1 + n), until: firstOf(this.#year, number + 2 + n) }
      const until = earlier(period.until, this.#line.service.until)
      return period.from < until ? rate * partOfMonth(terms.proration, [{ from: period.from, until }], period) : 0
    })
    const sum = current ? this.#sumBefore(number - 1, current) + current.yearly : (this.#sums[number - 1] as number)
    const whole = sum + rest.reduce((total, one) => total + one, 0)
    return credited + round(whole / 12, terms) - round(sum / 12, terms)
  }

  /** How the sum of the year comes about: months in a row with the same amount, as they are on their last day. */
  parts(): YearPart[] {
    const parts: YearPart[] = []
    for (const month of this.#months) {
      if (!month || month.share === 0) continue
      const { present, share, terms, yearly } = month
      const amount = fullTimeAmount(this.#line, terms, present.from)
      const rate = yearly / share
      const last = parts.at(-1)
      const isSame = last?.until === present.from && last.amount === amount && Math.abs(last.rate - rate) < TINY
      if (last && isSame) Object.assign(last, { until: present.until, months: last.months + share })
      else parts.push({ ...present, amount, rate, months: share })
    }
    return parts
  }

  /** Is a part due on this day? With yearly credit at the start, all is due at once. */
  isDue = (day: string, creditedBefore: number): boolean =>
    this.#months.some(
      (one) =>
        one?.due === day &&
        (one.terms.credit !== 'yearly' || one.terms.credit_at === 'end_of_period' || creditedBefore === 0),
    )

  /** The days of the year on which what is credited may change, in order. */
  days(): string[] {
    const [first, last] = [`${this.#year}-01-01`, `${this.#year}-12-31`]
    const { assignments, service } = this.#line
    const turns = [
      ...this.#months.flatMap((one) => (one ? [one.period.from, one.due] : [])),
      ...assignments.flatMap(({ from, until, terms }) => [from, until, ...terms.map((one) => one.from)]),
      service.from,
      service.until,
      ...this.#turns,
    ]
    return [...new Set(turns)].filter((day) => day >= first && day <= last).sort()
  }
}
