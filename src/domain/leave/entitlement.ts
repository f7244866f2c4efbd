import { FOREVER } from '../../engine/dated.ts'
import { monthsAfter } from '../../engine/day.ts'
import type { WorkingWeek } from '../time/working-weeks.ts'

/** What a leave policy gives in a year, and when. Amounts are ten-thousandths of days or hours; a period ends before `until`. */

export type Period = { readonly from: string; readonly until: string }

/** From so many whole years of service on, the yearly amount is another one. */
export type TenureStep = { readonly years: number; readonly yearly_amount: number }

/** From so many whole years of age on, the yearly amount is another one. */
export type AgeStep = { readonly age: number; readonly yearly_amount: number }

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
  readonly age_steps: readonly AgeStep[]
  readonly age_steps_from: string
  /** The first day of any pay period. */
  readonly pay_period_starts_on: string | null
  /** The part of the hours worked that is credited as leave. */
  readonly hours_worked_percentage: number | null
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

/** Approved working time of a day, without missing breaks. */
export type WorkedDay = { readonly day: string; readonly minutes: number }

/** All policies of one leave type that apply to a person in one employment, in order. One balance runs through all of them. */
export type LeaveTimeline = {
  /** The same of the employment before. */
  readonly former?: LeaveTimeline | undefined
  /** In order; the next one begins when one ends, or later. */
  readonly assignments: readonly PolicyAssignment[]
  readonly service: Period
  readonly hiredOn: string | null
  /** Null where no terms need it. */
  readonly bornOn: string | null
  /** In order; full time where there is none. */
  readonly weeks: readonly WorkingWeek[]
  /** In order. */
  readonly overtime: readonly Overtime[]
  /** In order, one for each day; empty where no terms need it. */
  readonly worked: readonly WorkedDay[]
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
export const lengthOf = ({ from, until }: Period) => (Date.parse(until) - Date.parse(from)) / 86_400_000

type Step = { readonly years: number; readonly day: string; readonly amount: number }

/** The day from which a step applies to somebody: so many years after a date, or the first day of that month, the next one or that year. */
function stepDay(since: string, years: number, from: string): string {
  const day = monthsAfter(since, years * 12)
  if (from === 'start_of_year') return `${day.slice(0, 4)}-01-01`
  const month = `${day.slice(0, 7)}-01`
  if (from === 'start_of_next_month') return monthsAfter(month, 1)
  return from === 'start_of_month' ? month : day
}

const tenureSteps = ({ hiredOn }: LeaveTimeline, terms: PolicyTerms): Step[] =>
  hiredOn === null
    ? []
    : terms.tenure_steps.map(({ years, yearly_amount: amount }) => ({
        ...{ years, amount, day: stepDay(hiredOn, years, terms.tenure_steps_from) },
      }))

const ageSteps = ({ bornOn }: LeaveTimeline, terms: PolicyTerms): Step[] =>
  bornOn === null
    ? []
    : terms.age_steps.map(({ age, yearly_amount: amount }) => ({
        ...{ years: age, amount, day: stepDay(bornOn, age, terms.age_steps_from) },
      }))

/** The amount of the last step that somebody has reached on a day. */
const amountReached = (steps: readonly Step[], day: string): number | undefined =>
  steps
    .filter((step) => step.day <= day)
    .toSorted((a, b) => a.years - b.years)
    .at(-1)?.amount

/** The yearly amount for full time: that of the last step that was reached. Of tenure and age, the higher amount applies. */
export function fullTimeAmount(line: LeaveTimeline, terms: PolicyTerms, day: string): number | null {
  const ofTenure = amountReached(tenureSteps(line, terms), day)
  const ofAge = amountReached(ageSteps(line, terms), day)
  if (ofTenure !== undefined && ofAge !== undefined) return Math.max(ofTenure, ofAge)
  return ofTenure ?? ofAge ?? terms.yearly_amount
}

/** What a year would give by the terms if every day were like this one. Hours worked give no amount per year. */
export function rateOn(
  line: LeaveTimeline,
  { type }: PolicyAssignment,
  terms: PolicyTerms | undefined,
  day: string,
): number {
  if (type !== 'accrual' || !terms || terms.credit === 'hours_worked') return 0
  const amount = fullTimeAmount(line, terms, day) ?? 0
  const week = terms.part_time === 'same' ? undefined : line.weeks.find(contains(day))
  if (!week) return amount
  return terms.part_time === 'by_hours'
    ? (amount * week.hours) / terms.full_time_hours
    : (amount * week.days) / terms.full_time_days
}

/** The days on which a rate may change, besides those of assignments and service. */
export function rateTurns(line: LeaveTimeline): string[] {
  const all = line.assignments.flatMap(({ terms }) => terms)
  const isScaled = all.some(({ part_time }) => part_time !== 'same')
  return [
    ...(isScaled ? line.weeks.flatMap(({ from, until }) => [from, until]) : []),
    ...all.flatMap((terms) => [...tenureSteps(line, terms), ...ageSteps(line, terms)].map(({ day }) => day)),
  ]
}

/** Minutes worked in some periods. */
export function minutesWorked({ worked }: LeaveTimeline, periods: readonly Period[]): number {
  return periods.reduce((sum, period) => {
    let total = 0
    for (let n = firstWorkedFrom(worked, period.from); n < worked.length; n++) {
      const { day, minutes } = worked[n] as WorkedDay
      if (day >= period.until) break
      total += minutes
    }
    return sum + total
  }, 0)
}

/** The index of the first worked day from a day on. */
function firstWorkedFrom(worked: readonly WorkedDay[], from: string): number {
  let [low, high] = [0, worked.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((worked[middle] as WorkedDay).day < from) low = middle + 1
    else high = middle
  }
  return low
}

/** Tiny errors of division must not decide where to round. */
export const TINY = 1e-6
