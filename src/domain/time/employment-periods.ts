import type { UndoneChange } from '../../engine/records.ts'
import { valuesAfter } from '../../engine/undo/guard-queries.ts'
import type { Query, Reader } from '../../records/reader.ts'
import { knownLeaving } from '../organisation/staff.ts'
import type { EmploymentPeriod } from './schedule.ts'

/** Somebody's service: from the day of hiring to the day before they are no longer employed. */

/** The service of each of these people, as far as the caller may know of its end. */
export async function servicesOf(db: Reader, employeeIds: number[]): Promise<Map<number, EmploymentPeriod>> {
  const rows = (await db
    .from('employees')
    .select(['id', 'hired_on', 'termination_effective_on', 'termination_announced_on'])
    .where('id', 'in', employeeIds)
    .execute()) as (EmploymentPeriod & { termination_announced_on: string | null })[]
  return new Map(
    rows.map((row) => [
      row.id,
      { id: row.id, hired_on: row.hired_on, termination_effective_on: knownLeaving(db, row) },
    ]),
  )
}

/** Why a day lies outside somebody's service; undefined when it does not. */
export function whyNotInService(
  service: EmploymentPeriod | undefined,
  day: string,
): { code: string; message: string } | undefined {
  const { hired_on, termination_effective_on } = service ?? { hired_on: null, termination_effective_on: null }
  if (hired_on !== null && day < hired_on)
    return { code: 'before_service', message: `must not be before ${hired_on}, when the employment starts` }
  if (termination_effective_on !== null && day >= termination_effective_on)
    return {
      code: 'after_service',
      message: `must be before ${termination_effective_on}, the first day after employment`,
    }
  return undefined
}

/** The service of each of these people when a change was made that is undone now. */
export const servicesThen = async (
  db: Reader,
  employeeIds: number[],
  undone: UndoneChange,
): Promise<Map<number, EmploymentPeriod>> =>
  (await valuesAfter(db, 'employees', ['hired_on', 'termination_effective_on'], employeeIds, undone)) as Map<
    number,
    never
  >

/** Narrows a query to the days that lie in the service of the employee of the same row. */
export const inService = (query: Query, day: string, employee: string): Query =>
  query
    .where((eb) => eb.or([eb(`${employee}.hired_on`, 'is', null), eb(day, '>=', eb.ref(`${employee}.hired_on`))]))
    .where((eb) =>
      eb.or([
        eb(`${employee}.termination_effective_on`, 'is', null),
        eb(day, '<', eb.ref(`${employee}.termination_effective_on`)),
      ]),
    )
