import type { ScopeFinder, Scopes } from '../../engine/access-scope/scopes.ts'
import { inForce } from '../../engine/dated.ts'
import type { Reader } from '../../records/reader.ts'
import { peopleBelow } from './reporting-lines.ts'

/** The people in a scope on the day of the request. */

const JOBS = 'employee_positions'

const self: ScopeFinder['find'] = async ({ caller }) => ({
  employees: caller.personId === null ? [] : [caller.personId],
})

const reports: ScopeFinder['find'] = async (db) => {
  const { personId } = db.caller
  if (personId === null) return { employees: [] }
  const rows = await db.from('employees').select('id').where('id', 'in', peopleBelow(db, personId)).execute()
  return { employees: rows.map(({ id }) => id) }
}

/** The people whose job is in one of these departments or locations today. */
async function whoseJobIs(db: Reader, column: string, places: readonly number[]) {
  if (places.length === 0) return { employees: [] }
  const rows = await inForce(db.from(JOBS), JOBS, db.today)
    .select('employee_id')
    .where(column, 'in', [...places])
    .execute()
  return { employees: [...new Set(rows.map((row) => row.employee_id as number))] }
}

/** A department and all departments below it. */
const department: ScopeFinder['find'] = async (db, { id }) =>
  id === null ? {} : whoseJobIs(db, 'department_id', await db.reach('departments', 'parent_id', 'id', [id]))

const location: ScopeFinder['find'] = async (db, { id }) => (id === null ? {} : whoseJobIs(db, 'location_id', [id]))

export const peopleScopes: Scopes = {
  self: { find: self, dependsOn: [] },
  reports: { find: reports, dependsOn: [JOBS] },
  department: { find: department, dependsOn: [JOBS, 'departments'] },
  location: { find: location, dependsOn: [JOBS] },
}
