import type { Reader } from '../../records/reader.ts'
import { type EmploymentPeriod, employmentsOf, lastStarted } from '../organisation/staff.ts'
import { holdingOn } from '../people/job-entries.ts'
import type { ReviewCycle } from './cycles.ts'

/** Who is here during a cycle, and who reports to whom then. */

/** The day of the cycle that is nearest to today: on it, managers are managers and people are here. */
export const dayOf = ({ starts_on, ends_on }: ReviewCycle, today: string) =>
  today < starts_on ? starts_on : today > ends_on ? ends_on : today

/** Why somebody cannot take part on a day of a cycle. */
export async function absences(db: Reader, cycle: ReviewCycle, ids: readonly number[]) {
  const day = dayOf(cycle, db.today)
  const people = await employmentsOf(db, ids)
  const whyNot = (person: EmploymentPeriod) => {
    const { hired_on, termination_effective_on: left_on } = lastStarted(person, cycle.ends_on)
    if (left_on && left_on <= day) return { code: 'terminated', message: `is an employee who has left by ${day}` }
    if (hired_on && hired_on > cycle.ends_on)
      return { code: 'not_hired', message: `is an employee who starts after the review cycle ends on ${cycle.ends_on}` }
    return null
  }
  return new Map([...people].map(([id, person]) => [id, whyNot(person)]))
}

/** Who reports to whom on a day of a cycle: of those who are still here. */
export async function linesOn(
  db: Reader,
  cycle: ReviewCycle,
  column: 'employee_id' | 'reporting_to_id',
  ids: readonly number[],
) {
  const day = dayOf(cycle, db.today)
  const lines = (await holdingOn(db.from('employee_positions'), 'employee_positions', { day })
    .select(['employee_positions.employee_id as report', 'employee_positions.reporting_to_id as manager'])
    .where(`employee_positions.${column}`, 'in', [...ids, 0])
    .where('employee_positions.reporting_to_id', 'is not', null)
    .orderBy('employee_positions.employee_id')
    .execute()) as { report: number; manager: number }[]
  const away = await absences(
    db,
    cycle,
    lines.flatMap(({ report, manager }) => [report, manager]),
  )
  return lines.filter(({ report, manager }) => !away.get(report) && !away.get(manager))
}
