import Type from 'typebox'
import { plain } from '../../engine/derive.ts'
import { derived, reference, text } from '../../engine/field.ts'
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

export const departmentOperations = plain(departments, { rules: [notItsOwnAncestor, stillHere('manager_id')] })
