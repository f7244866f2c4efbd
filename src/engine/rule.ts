import { DECIMAL_SCALE } from './decimal.ts'
import type { With } from './declaration.ts'
import type { Rule } from './records.ts'

/** Rules that many kinds of records share. */

/** The end of a stretch of time is not before its beginning: `inOrder('starts_on', 'ends_on')`. */
export const inOrder =
  <S extends string, E extends string>(start: S, end: E): Rule<With<S | E, string | number | null>> =>
  ({ after, fail }) => {
    const { [start]: from, [end]: to } = after as Record<S | E, string | number | null>
    if (from !== null && from !== undefined && to !== null && to !== undefined && to < from)
      fail(end, 'too_early', `cannot be before ${start}`)
  }

/** Only one record of an owner has this day: `oneADay(entries, 'owner_id', 'starts_on', 'is taken')`. */
export const oneADay =
  <O extends string, D extends string>(
    of: { readonly table: string },
    owner: O,
    day: D,
    message: string,
  ): Rule<With<O | D, string | number | null>> =>
  async ({ db, before, after, fail }) => {
    const { [owner]: whose, [day]: on, id } = after as Record<string, unknown>
    if (!on || !whose || on === (before as Record<string, unknown> | null)?.[day]) return
    const duplicates = db
      .from(of.table)
      .select('id')
      .where(owner as string, '=', whose)
      .where(day as string, '=', on)
      .limit(2)
    if ((await duplicates.execute()).some((duplicate) => duplicate.id !== id)) fail(day, 'taken', message)
  }

const digits = new Map<string, number>()

/** How many decimals amounts of a currency have: two of most, none of JPY, three of KWD. */
export function decimalsOf(currency: string): number {
  const known = digits.get(currency)
  if (known !== undefined) return known
  const found =
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  digits.set(currency, found)
  return found
}

/** An amount has no more decimals than its currency. */
export const inUnitsOf =
  <A extends string, C extends string>(amount: A, currency: C): Rule<With<A | C, string | number | null>> =>
  ({ changes, after, fail }) => {
    const sent = changes as Record<string, unknown>
    const { [amount]: value, [currency]: code } = after as Record<string, unknown>
    if ((sent[amount] === undefined && sent[currency] === undefined) || typeof code !== 'string') return
    if (typeof value !== 'number') return
    const most = decimalsOf(code)
    if (value % (DECIMAL_SCALE / 10 ** Math.min(most, 4)) !== 0)
      fail(
        amount,
        'too_precise',
        most === 0 ? `cannot have decimals in ${code}` : `can have at most ${most} decimals in ${code}`,
      )
  }
