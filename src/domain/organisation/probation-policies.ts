import { countDays, daysAfter } from '../../engine/day.ts'
import { get, list, post, put, remove } from '../../engine/derive.ts'
import { choice, integer, text } from '../../engine/field.ts'
import type { Rule } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'

/** The units of a length, each with the longest one: about ten years. */
const LONGEST = { days: 3650, weeks: 520, months: 120 } as const
type ProbationUnit = keyof typeof LONGEST
export type ProbationLength = { length: number; length_unit: ProbationUnit }

export const probationPolicies = resource(
  { table: 'probation_policies', one: 'probation policy', area: 'organisation' },
  {
    name: text({ required: true, unique: true, searched: true, example: 'Twelve weeks' }),
    length: integer({
      required: true,
      min: 1,
      max: LONGEST.days,
      note: `Length of the probation period in \`length_unit\`; at most ${LONGEST.days} days, ${LONGEST.weeks} weeks or ${LONGEST.months} months`,
      example: 84,
    }),
    length_unit: choice(Object.keys(LONGEST) as ProbationUnit[], {
      default: 'days',
      note: 'Unit of `length`. A probation of 6 months that starts on 15 January ends on 14 July. One of 1 month that starts on 31 January ends on the last day of February',
    }),
  },
)

const isNotTooLong: Rule<typeof probationPolicies> = ({ after: { length, length_unit }, fail }) => {
  const most = LONGEST[length_unit]
  if (length > most) fail('length', 'out_of_range', `must be at most ${most} ${length_unit}`)
}

/** The last day of a period of some days, weeks or months, such as a probation, that starts on a day. */
export function lastDayOfPeriod(start: string, { length, length_unit }: ProbationLength): string {
  if (length_unit === 'months') return lastDayOfMonths(start, length)
  return daysAfter(start, length * (length_unit === 'weeks' ? 7 : 1) - 1)
}

/** The day before the same day of a later month, or the last day of that month if it has no such day. */
function lastDayOfMonths(start: string, months: number): string {
  const [year, month, day] = start.split('-').map(Number) as [number, number, number]
  const lastOfMonth = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day - 1, lastOfMonth))).toISOString().slice(0, 10)
}

/** How long a probation was from its first to its last day: in whole months if it is to be in months and was. */
export function probationLength(start: string, end: string, unit: ProbationUnit): ProbationLength {
  const [from, until] = [start, end].map((day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))) as [
    number,
    number,
  ]
  // What starts on the first of a month ends in the month before.
  const months = until - from + (start.endsWith('-01') ? 1 : 0)
  if (unit === 'months' && months > 0 && lastDayOfMonths(start, months) === end)
    return { length: months, length_unit: 'months' }
  return { length: countDays(start, end), length_unit: 'days' }
}

const inQuery = ['name', 'length', 'length_unit']
const rules = [isNotTooLong]

export const probationPolicyOperations = [
  list(probationPolicies),
  get(probationPolicies),
  post(probationPolicies, { inQuery, rules }),
  put(probationPolicies, { inQuery, rules }),
  remove(probationPolicies),
]
