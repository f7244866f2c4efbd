import type { Field } from '../../engine/declaration.ts'
import { boolean } from '../../engine/field.ts'
import { inForceOn, type LeaveTimeline, type PolicyAssignment } from './entitlement.ts'
import { type BalanceChange, balancesOn, changesIn } from './postings.ts'

/**
 * Leave on demand is a part of the balance that somebody may take without asking in time. How much that is, is set and
 * adjusted: no month adds to it and no year ends it. What is taken on demand counts against both: it leads the part
 * below nothing on no day to come, and the balance on none of its own days, however low the floor of the policy is.
 */

/** Changes of the balance of a leave type, and of the part that may be taken on demand. */
export type BalanceChanges = { readonly balance: readonly BalanceChange[]; readonly onDemand: readonly BalanceChange[] }

/** The column came after the records, and may hold nothing therefore; the migration made it say no. */
export const onDemand = (note: string): Field<boolean> => ({
  ...boolean({ default: false, note }),
  column: { type: 'boolean', isNeverNull: false },
  read: Boolean,
})

/** What has been set, adjusted and taken in an employment until the end of a day. */
export const sumUntil = (day: string, line: LeaveTimeline, movements: readonly BalanceChange[]): number =>
  changesIn(line, day, movements).reduce((sum, one) => (one.day <= day ? sum + one.amount : sum), 0)

/** The part that can be taken: never more than there is, where the balance is kept here at all. */
export const onDemandWithin = (part: number, balance: number, { type }: PolicyAssignment): number =>
  type === 'external' ? part : Math.min(part, Math.max(balance, 0))

/** Why some days cannot be taken on demand, given all that the line goes through with them; undefined when they can. */
export function whyNotOnDemand(
  line: LeaveTimeline,
  taken: readonly BalanceChange[],
  { balance, onDemand }: BalanceChanges,
) {
  const own = taken.map(({ day }) => day).sort()
  const later = onDemand.map(({ day }) => day).filter((day) => day > (own[0] as string))
  const overdrawn = [...new Set([...own, ...later])].sort().find((day) => sumUntil(day, line, onDemand) < 0)
  if (overdrawn)
    return `would exceed the on-demand balance by ${-sumUntil(overdrawn, line, onDemand) / 10_000} on ${overdrawn}. Request less leave, or send on_demand=false`
  const balances = balancesOn(own, line, balance)
  const at = own.findIndex(
    (day, index) => (balances[index] as number) < 0 && inForceOn(line, day)?.assignment.type !== 'external',
  )
  return at === -1
    ? undefined
    : `would let the leave balance fall to ${(balances[at] as number) / 10_000} on ${own[at]}. Leave on demand cannot lead below 0, whatever the leave policy allows`
}
