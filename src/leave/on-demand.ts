import type { Field } from '../engine/declaration.ts'
import { boolean } from '../engine/field.ts'
import type { Holding, Movement, Shortfall } from './accrual.ts'

/**
 * Leave on demand is a part of the balance that somebody may take without asking in time. How much that is, is set and
 * adjusted: no month adds to it and no year ends it. What is taken on demand counts against both, the part and the
 * balance, and leads neither below nothing; whatever floor the policy has, only what there is can be taken on demand.
 */

/** The column came after the records, and may hold nothing therefore; the migration made it say no. */
export const onDemand = (note: string): Field<boolean> => ({
  ...boolean({ default: false, note }),
  column: { type: 'boolean', isNeverNull: false },
  read: Boolean,
})

/** What has been set, adjusted and taken until the end of a day. */
export const sumUntil = (day: string, movements: readonly Movement[]): number =>
  movements.reduce((sum, one) => (one.day <= day ? sum + one.amount : sum), 0)

/** The part that can be taken: never more than there is, where the balance is kept here at all. */
export const onDemandWithin = (part: number, balance: number, { type }: Holding): number =>
  type === 'external' ? part : Math.min(part, Math.max(balance, 0))

/** The first day from one on at whose end more has been taken on demand than could be. */
export function firstOverdraft(from: string, movements: readonly Movement[]): Shortfall | undefined {
  const days = [...new Set([from, ...movements.map(({ day }) => day)])].filter((day) => day >= from).sort()
  const day = days.find((one) => sumUntil(one, movements) < 0)
  return day === undefined ? undefined : { day, balance: sumUntil(day, movements), floor: 0 }
}
