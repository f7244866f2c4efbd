import { withoutHeldBack } from '../../engine/access-scope/held-back.ts'
import type { Row } from '../../engine/declaration.ts'
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
    gender_id: reference('genders', {
      group: 'personal',
      note: 'Gender of the people, where the law says so; null: any',
    }),
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

/** The first of some days, in order, on which a person is in none of the groups of the policy. One statement if there are no groups. */
export async function firstIneligibleDay(
  db: Reader,
  employeeId: number,
  days: readonly { day: string; policyId: number }[],
): Promise<{ day: string; policyId: number } | undefined> {
  const [first, last] = [days[0]?.day, days.at(-1)?.day]
  if (!first || !last) return undefined
  const policies = [...new Set(days.map(({ policyId }) => policyId))]
  const own = db.from('eligible_groups').where('leave_policy_id', 'in', policies)
  const groups = Map.groupBy(await rowsOf(eligibleGroups, own), ({ leave_policy_id }) => leave_policy_id)
  if (groups.size === 0) return undefined
  const placeOn = await placesOf(db, employeeId, first, last)
  const statuses = await withoutHeldBack(db)
    .from('employment_statuses')
    .select(['employment_type_id', 'effective_from', 'effective_until'])
    .where('employment_statuses.employee_id', '=', employeeId)
    .where('employment_statuses.effective_from', '<=', last)
    .where('employment_statuses.effective_until', '>', first)
    .execute()
  const person = await db.from('employees').select('gender_id').where('id', '=', employeeId).executeTakeFirst()
  const isIn = (group: Row<typeof eligibleGroups>, day: string) => {
    const place = placeOn(day)
    const status = statuses.find((one) => one.effective_from <= day && day < one.effective_until)
    return (
      (group.location_id === null || group.location_id === place.location) &&
      (group.department_id === null || place.departments.includes(group.department_id)) &&
      (group.employment_type_id === null || group.employment_type_id === status?.employment_type_id) &&
      (group.gender_id === null || group.gender_id === person?.gender_id)
    )
  }
  return days.find(({ day, policyId }) => groups.get(policyId)?.some((group) => isIn(group, day)) === false)
}
