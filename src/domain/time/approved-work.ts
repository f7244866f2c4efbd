import { withoutHeldBack } from '../../engine/access-scope/held-back.ts'
import type { Reader } from '../../records/reader.ts'
import type { EmploymentPeriod } from '../organisation/staff.ts'
import { breaksBy, timeRulesOf } from '../organisation/time-rules.ts'
import { patternsWithRulesOf } from './schedule.ts'
import { loadMinutes } from './worked-minutes.ts'

/** Approved working time, for what follows from it, such as leave. */

type WorkedDay = { readonly day: string; readonly minutes: number }

/**
 * Approved working time of these people by day, in order, without missing breaks: three statements. It is the same for all callers, also
 * for those who cannot see time entries.
 */
export async function approvedWorkOf(
  reader: Reader,
  people: ReadonlyMap<number, EmploymentPeriod>,
  first: string,
  last: string,
): Promise<Map<number, WorkedDay[]>> {
  const db = withoutHeldBack(reader)
  const { patterns, patternOn } = await patternsWithRulesOf(db, [...people.keys()], first, last)
  const breaksOn = breaksBy(await timeRulesOf(db, patterns), patternOn)
  const asked = { first, last, projects: [], byDay: true, breaksOn, onlyApproved: true }
  const minutes = await loadMinutes(db, people, new Map(), asked)
  const rows = [...minutes].flatMap(([key, sum]) => {
    const [id, type, day] = key.split(' ')
    return type === 'working' && day !== undefined ? [{ id: Number(id), day, minutes: sum }] : []
  })
  rows.sort((one, other) => (one.day < other.day ? -1 : 1))
  return Map.groupBy(rows, ({ id }) => id)
}
