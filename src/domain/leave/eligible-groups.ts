import { withoutHeldBack } from '../../engine/access-scope/held-back.ts'
import { inForce } from '../../engine/dated.ts'
import { get, listAll, post, put, remove } from '../../engine/derive.ts'
import { reference } from '../../engine/field.ts'
import { rowsOf } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import type { Reader } from '../../records/reader.ts'
import { placesOf } from './blocked-periods.ts'

/** Who can get a leave policy: people who match all fields of at least one group. Without groups it is for everybody. */

export const eligibleGroups = resource(
  {
    table: 'eligible_groups',
    one: 'eligible group',
    area: 'leave',
    path: '/leave_policies/{leave_policy_id}/eligible_groups',
  },
  {
    leave_policy_id: reference('leave_policies', { required: true, owner: true }),
    location_id: reference('locations', { note: 'Location of the people; null: any' }),
    department_id: reference('departments', {
      note: 'Department of the people, with the departments below it; null: any',
    }),
    employment_type_id: reference('employment_types', { note: 'Employment type of the people; null: any' }),
    gender_id: reference('genders', { note: 'Gender of the people, where the law says so; null: any' }),
  },
)

/** A policy has a few groups: each request reads all of them. */
const MOST_GROUPS = 100

export const eligibleGroupOperations = [
  listAll(eligibleGroups),
  get(eligibleGroups),
  post(eligibleGroups, {
    most: MOST_GROUPS,
    note: 'The policy can then be assigned and requested only by people in one of its groups. Existing assignments and requests stay.',
  }),
  put(eligibleGroups),
  remove(eligibleGroups),
]

/** Is a leave policy for a person, as they are on a day? One statement if it is for everybody. */
export async function isEligible(db: Reader, policyId: number, employeeId: number, day: string): Promise<boolean> {
  const groups = await rowsOf(eligibleGroups, db.from('eligible_groups').where('leave_policy_id', '=', policyId))
  if (groups.length === 0) return true
  const place = (await placesOf(db, employeeId, day))(day)
  const status = await inForce(
    withoutHeldBack(db).from('employment_statuses').where('employee_id', '=', employeeId),
    'employment_statuses',
    day,
  )
    .select('employment_type_id')
    .executeTakeFirst()
  const person = await db.from('employees').select('gender_id').where('id', '=', employeeId).executeTakeFirst()
  return groups.some(
    (group) =>
      (group.location_id === null || group.location_id === place.location) &&
      (group.department_id === null || place.departments.includes(group.department_id)) &&
      (group.employment_type_id === null || group.employment_type_id === status?.employment_type_id) &&
      (group.gender_id === null || group.gender_id === person?.gender_id),
  )
}
