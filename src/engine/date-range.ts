import Type from 'typebox'
import { daysAfter } from './day.ts'
import { malformed, wrong } from './problem.ts'

/** Lists of what lies between two days. */

const LONGEST = 366

export const DATE_RANGE = {
  starts_on: Type.Optional(
    Type.String({ format: 'date', description: 'First day to show; by default the first of the current month' }),
  ),
  ends_on: Type.Optional(
    Type.String({
      format: 'date',
      description: `Last day to show, at most ${LONGEST} days after \`starts_on\`; by default the last day of the month of \`starts_on\``,
    }),
  ),
}

/** The days that were asked for: this month when neither was sent, the rest of its month when only the first was. */
export function dateRange(today: string, sent: { starts_on?: string; ends_on?: string }): [string, string] {
  const from = sent.starts_on ?? `${today.slice(0, 8)}01`
  const to = sent.ends_on ?? daysAfter(`${daysAfter(`${from.slice(0, 8)}01`, 32).slice(0, 8)}01`, -1)
  if (to < from || to > daysAfter(from, LONGEST))
    throw malformed(
      wrong('ends_on', 'out_of_range', `must be on or after starts_on, and at most ${LONGEST} days after it`),
    )
  return [from, to]
}
