/** How a balance of leave comes about. Amounts are ten-thousandths of days or hours. */

export type Accrual = {
  type: string
  yearly_amount: number | null
  credit: string | null
  carry_over_limit: number | null
}
export type Movement = { day: string; amount: number }

/** What is credited up to the end of a month of the year: counted from the whole, so that no rounding adds up. */
const creditedBy = (yearly: number, month: number) => Math.round((yearly * month) / 12)

/**
 * The balance at the end of a day: credits of the policy from its first day on, adjustments and leave taken. At the
 * turn of a year no more than the carry-over limit is kept. A first year that is not whole is credited in part.
 */
export const balanceOn = (day: string, policy: Accrual, effectiveOn: string, movements: Movement[]): number =>
  balancesOn([day], policy, effectiveOn, movements)[0] as number

/** The balances at the end of some days, which come in order: one walk through all movements and years. */
export function balancesOn(
  days: readonly string[],
  policy: Accrual,
  effectiveOn: string,
  movements: readonly Movement[],
): number[] {
  // What was noted before the policy began counts from its beginning.
  const counted = movements.map(({ day, amount }) => ({ day: day < effectiveOn ? effectiveOn : day, amount }))
  const inOrder = counted.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
  let year = Number(effectiveOn.slice(0, 4))
  let carried = 0
  let moved = 0
  let at = 0
  const moveUntil = (day: string) => {
    for (let next = inOrder[at]; next && next.day <= day; next = inOrder[++at]) moved += next.amount
  }
  return days.map((day) => {
    if (day < effectiveOn) return 0
    for (; year < Number(day.slice(0, 4)); year++) {
      const lastDay = `${year}-12-31`
      moveUntil(lastDay)
      const whole = carried + creditsIn(year, lastDay, policy, effectiveOn) + moved
      carried = policy.carry_over_limit === null ? whole : Math.min(whole, policy.carry_over_limit)
      moved = 0
    }
    moveUntil(day)
    return carried + creditsIn(year, day, policy, effectiveOn) + moved
  })
}

function creditsIn(year: number, day: string, policy: Accrual, effectiveOn: string): number {
  const { type, yearly_amount: yearly, credit } = policy
  if (type !== 'accrual' || yearly === null || day < effectiveOn) return 0
  const beganThisYear = Number(effectiveOn.slice(0, 4)) === year
  const from = beganThisYear ? Number(effectiveOn.slice(5, 7)) : 1
  const skipped = creditedBy(yearly, from - 1)
  if (credit === 'yearly') return yearly - skipped
  const until = Number(day.slice(0, 4)) === year ? Number(day.slice(5, 7)) : 12
  return creditedBy(yearly, until) - skipped
}
