import { FOREVER } from '../../engine/dated.ts'

/** How a balance of leave comes about. Amounts are ten-thousandths of days or hours; a stretch ends before `until`. */

export type Period = { readonly from: string; readonly until: string }

/** The terms of a leave policy during a period. */
export type PolicyTerms = Period & {
  readonly counted_as: string
  readonly yearly_amount: number | null
  readonly credit: string | null
  readonly carry_over_limit: number | null
  readonly floor: number
}

/** A leave policy that applies to a person during a period. */
export type PolicyAssignment = Period & {
  readonly id: number
  readonly policyId: number
  readonly type: string
  /** In order, without gaps. */
  readonly terms: readonly PolicyTerms[]
}

/** All policies of one leave type that apply to a person, in order. One balance runs through all of them. */
export type LeaveTimeline = {
  /** In order; the next one begins when one ends, or later. */
  readonly holdings: readonly PolicyAssignment[]
  readonly service: Period
}

export type BalanceChange = { readonly day: string; readonly amount: number }

const holds =
  (day: string) =>
  ({ from, until }: Period) =>
    from <= day && day < until

/** The holding and the terms in force on a day of service. */
export function inForceOn(
  line: LeaveTimeline,
  day: string,
): { holding: PolicyAssignment; terms: PolicyTerms } | undefined {
  if (!holds(day)(line.service)) return undefined
  const holding = line.holdings.find(holds(day))
  const terms = holding?.terms.find(holds(day))
  return holding && terms && { holding, terms }
}

/** Twelfths, rounded from the whole, so that no rounding adds up. */
const twelfth = (amount: number) => Math.round(amount / 12)

const later = (...days: string[]) => days.reduce((one, other) => (one > other ? one : other))
const earlier = (...days: string[]) => days.reduce((one, other) => (one < other ? one : other))
const firstOf = (year: number, month: number) =>
  month > 12 ? `${year + 1}-01-01` : `${year}-${String(month).padStart(2, '0')}-01`

const yearlyAmount = ({ type }: PolicyAssignment, terms: PolicyTerms | undefined) =>
  type === 'accrual' ? (terms?.yearly_amount ?? 0) : 0

/**
 * What a month gives: a twelfth of the yearly amount, on the first of its days that lie in service and in a holding.
 * That holding gives it, by the terms of the month's first day, so each month is given once. Null when there is no
 * such day until the given one.
 */
function amountOf(line: LeaveTimeline, year: number, month: number, day: string): number | null {
  const first = firstOf(year, month)
  const next = firstOf(year, month + 1)
  for (const holding of line.holdings) {
    const begins = later(first, holding.from, line.service.from)
    if (begins >= earlier(next, holding.until, line.service.until)) continue
    if (begins > day) return null
    return yearlyAmount(holding, holding.terms.find(holds(first)))
  }
  return null
}

/** What is credited in the year of a day until that day. */
function creditsUntil(line: LeaveTimeline, day: string): number {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  let credited = 0
  let sum = 0
  let amount: number | null = null
  for (let one = 1; one <= month; one++) {
    const own = amountOf(line, year, one, day)
    // The months before the first count as if they had given the same: what a year gives in all is thus rounded once.
    if (own !== null && amount === null) sum = own * (one - 1)
    amount = own ?? amount
    if (own !== null) credited += twelfth(sum + own) - twelfth(sum)
    sum += amount ?? 0
  }
  const now = inForceOn(line, day)
  if (now?.terms.credit !== 'yearly') return credited
  // Credited at once: what the rest of the year in service will give, as the terms are now.
  const rest = Array.from({ length: 12 - month }, (_, n) => firstOf(year, month + 1 + n))
  const months = rest.filter((first) => first < line.service.until).length
  return credited + twelfth(sum + months * yearlyAmount(now.holding, now.terms)) - twelfth(sum)
}

/** The balances at the end of some days, which come in order: one walk through all movements and years. */
export function balancesOn(
  days: readonly string[],
  line: LeaveTimeline,
  movements: readonly BalanceChange[],
): number[] {
  const begins = line.holdings[0]?.from
  if (begins === undefined) return days.map(() => 0)
  // What was noted before the first holding began counts from its beginning.
  const inOrder = movements
    .map(({ day, amount }) => ({ day: later(day, begins), amount }))
    .sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
  let year = Number(begins.slice(0, 4))
  let carried = 0
  let moved = 0
  let at = 0
  const moveUntil = (day: string) => {
    for (let next = inOrder[at]; next && next.day <= day; next = inOrder[++at]) moved += next.amount
  }
  return days.map((day) => {
    if (day < begins) return 0
    for (; year < Number(day.slice(0, 4)); year++) {
      const lastDay = `${year}-12-31`
      moveUntil(lastDay)
      const whole = carried + creditsUntil(line, lastDay) + moved
      // The terms of the last day say what is kept; where nothing is in force, nothing is taken.
      const limit = inForceOn(line, lastDay)?.terms.carry_over_limit ?? null
      carried = limit === null ? whole : Math.min(whole, limit)
      moved = 0
    }
    moveUntil(day)
    return carried + creditsUntil(line, day) + moved
  })
}

export const balanceOn = (day: string, line: LeaveTimeline, movements: readonly BalanceChange[]): number =>
  balancesOn([day], line, movements)[0] as number

/** The first day from one on whose balance lies below the floor then in force, as far as anything is known to happen. */
export function firstShortfall(
  line: LeaveTimeline,
  from: string,
  movements: readonly BalanceChange[],
): { day: string; balance: number; floor: number } | undefined {
  const turns = line.holdings.flatMap(({ from, until, terms }) => [from, until, ...terms.map((one) => one.from)])
  const known = [from, ...movements.map(({ day }) => day), ...turns, line.service.until]
  const days = [...new Set(known)].filter((day) => day >= from && day < FOREVER).sort()
  const balances = balancesOn(days, line, movements)
  for (const [index, day] of days.entries()) {
    // After the last day of a holding its floor still holds: what was credited ahead is taken back there.
    const holding = line.holdings.findLast((one) => one.from <= day)
    const terms = holding?.terms.findLast((one) => one.from <= day)
    const balance = balances[index] as number
    if (holding && terms && holding.type !== 'external' && balance < terms.floor)
      return { day, balance, floor: terms.floor }
  }
  return undefined
}
