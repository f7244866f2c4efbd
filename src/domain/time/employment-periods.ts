import type { UndoneChange } from '../../engine/records.ts'
import { valuesAfter } from '../../engine/undo/guard-queries.ts'
import type { Query, Reader } from '../../records/reader.ts'
import type { EmploymentPeriod } from '../organisation/staff.ts'

/** The employment of each of these people when a change was made that is undone now. */
export const employmentsThen = async (
  db: Reader,
  employeeIds: number[],
  undone: UndoneChange,
): Promise<Map<number, EmploymentPeriod>> =>
  (await valuesAfter(db, 'employees', ['hired_on', 'termination_effective_on'], employeeIds, undone)) as Map<
    number,
    never
  >

/** Narrows a query to days on which the employee of the same row is employed. */
export const inService = (query: Query, day: string, employee: string, db: Reader): Query =>
  query.where((eb) =>
    eb.or([
      eb.and([
        eb.or([eb(`${employee}.hired_on`, 'is', null), eb(day, '>=', eb.ref(`${employee}.hired_on`))]),
        eb.or([
          eb(`${employee}.termination_effective_on`, 'is', null),
          eb(day, '<', eb.ref(`${employee}.termination_effective_on`)),
        ]),
      ]),
      eb.exists(
        db
          .from('former_employments as f')
          .select('f.id')
          .whereRef('f.employee_id', '=', `${employee}.id`)
          .where('f.hired_on', '<=', eb.ref(day))
          .where('f.termination_effective_on', '>', eb.ref(day)),
      ),
    ]),
  )
