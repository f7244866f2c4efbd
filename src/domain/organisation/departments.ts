import Type from 'typebox'
import { plain } from '../../engine/derive.ts'
import { derived, reference, text } from '../../engine/field.ts'
import { givenByColumn, type HeldKind } from '../../engine/held.ts'
import type { Rule } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { departmentLevels } from './names.ts'
import { stillHere } from './staff.ts'

export const departments = resource(
  { table: 'departments', one: 'department', area: 'organisation', isLookup: true },
  {
    name: text({ required: true, unique: true, searched: true, example: 'Field service' }),
    parent_id: reference('departments', {
      note: 'ID of the department above this one; null for a department at the top',
    }),
    manager_id: reference('employees'),
    department_level_id: reference('department_levels', { show: () => departmentLevels.whole }),
    // Part of the record's shape; departments have no custom fields yet.
    fields: derived(Type.Object({}, { additionalProperties: true }), [], () => ({})),
  },
)

const notItsOwnAncestor: Rule<typeof departments> = async ({ db, before, changes, fail }) => {
  if (!before || !changes.parent_id) return
  const above = await db.reach('departments', 'id', 'parent_id', [changes.parent_id])
  if (above.includes(before.id))
    fail('parent_id', 'cycle', 'cannot be the department itself or one of its sub-departments')
}

const rules = [notItsOwnAncestor, stillHere('manager_id')]

export const departmentOperations = plain(departments, { rules })

export const headedDepartments: HeldKind = {
  kind: 'departments',
  of: departments,
  note: 'Departments that the employee heads',
  otherwise: 'stays',
  role: 'department_head',
  rows: (db, { id }) => db.from('departments').select(['id', 'name']).where('manager_id', '=', id).orderBy('id'),
  giving: {
    permission: 'organisation:write',
    isDated: false,
    field: 'manager_id',
    give: givenByColumn(departments, 'manager_id', rules),
  },
}
