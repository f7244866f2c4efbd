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
export function balanceOn(day: string, policy: Accrual, effectiveOn: string, movements: Movement[]): number {
  const firstYear = Number(effectiveOn.slice(0, 4))
  const lastYear = Number(day.slice(0, 4))
  let balance = 0
  for (let year = firstYear; year <= lastYear; year++) {
    if (year > firstYear && policy.carry_over_limit !== null) balance = Math.min(balance, policy.carry_over_limit)
    balance += creditsIn(year, day, policy, effectiveOn)
    for (const { day: on, amount } of movements) {
      // What was noted before the policy began counts from its beginning.
      const counted = on < effectiveOn ? effectiveOn : on
      if (counted <= day && Number(counted.slice(0, 4)) === year) balance += amount
    }
  }
  return day < effectiveOn ? 0 : balance
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
