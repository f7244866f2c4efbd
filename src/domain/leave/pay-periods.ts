import { daysAfter, monthsAfter } from '../../engine/day.ts'
import type { Period, PolicyTerms } from './entitlement.ts'

/** How leave policies divide the calendar into pay periods. */

export const PAY_PERIODS = ['weekly', 'every_two_weeks', 'twice_a_month'] as const

/** `days` is the length of a period; null: from the 1st and from the 16th of each month. `startsOn` is the first day of any of them. */
export type PaySchedule = { readonly days: number | null; readonly startsOn: string }

const DAY = 86_400_000
const numberOf = (day: string) => Date.parse(day) / DAY
/** The remainder is never negative. */
const remainder = (one: number, by: number) => ((one % by) + by) % by

/** The pay periods of some terms; undefined if they credit by other periods. */
export function payScheduleOf({ credit, pay_period_starts_on: startsOn }: PolicyTerms): PaySchedule | undefined {
  if (credit === 'twice_a_month') return { days: null, startsOn: '' }
  if (startsOn === null) return undefined
  return credit === 'weekly' ? { days: 7, startsOn } : credit === 'every_two_weeks' ? { days: 14, startsOn } : undefined
}

/** The pay period that a day is in. */
export function payPeriodAround(day: string, { days, startsOn }: PaySchedule): Period {
  if (days !== null) {
    const from = daysAfter(day, -remainder(numberOf(day) - numberOf(startsOn), days))
    return { from, until: daysAfter(from, days) }
  }
  const [first, middle] = [`${day.slice(0, 7)}-01`, `${day.slice(0, 7)}-16`]
  return day < middle ? { from: first, until: middle } : { from: middle, until: monthsAfter(first, 1) }
}

/** How many pay periods start in a year, or end in it. */
export function payPeriodsIn(year: number, schedule: PaySchedule, counts: 'starts' | 'ends'): number {
  const { days, startsOn } = schedule
  if (days === null) return 24
  const [first, last] = [numberOf(`${year}-01-01`), numberOf(`${year}-12-31`)]
  const counted = numberOf(startsOn) - (counts === 'ends' ? 1 : 0)
  return Math.floor((last - first - remainder(counted - first, days)) / days) + 1
}

/** Do the same days start pay periods of both? */
export const isSameSchedule = (one: PaySchedule, other: PaySchedule): boolean =>
  one.days === other.days &&
  (one.days === null || remainder(numberOf(one.startsOn) - numberOf(other.startsOn), one.days) === 0)
