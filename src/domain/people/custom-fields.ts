import { plain } from '../../engine/derive.ts'
import { boolean, reference, text } from '../../engine/field.ts'
import { insertAll } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import type { Writer } from '../../records/write.ts'
import { PROTECTIONS } from '../access/permissions.ts'
import type { DefinitionRule } from '../custom/definition.ts'
import { customFields } from '../custom/definitions.ts'
import { idAndName } from '../organisation/names.ts'
import { employeeReferent } from '../organisation/staff.ts'
import { employeeOperations } from './employee-operations.ts'

export const employeeFieldGroups = resource(
  { table: 'employee_field_groups', one: 'employee field group', area: 'employees' },
  { name: text({ required: true, unique: true, example: 'Equipment' }) },
)

const groupName = idAndName(employeeFieldGroups)

const staysAsItIs: DefinitionRule = ({ before, changes, fail }) => {
  if (changes.historical !== undefined && changes.historical !== before?.historical)
    fail('historical', 'fixed', 'cannot be changed after the field is created. Create a new field instead')
}

const definitions = customFields({
  one: 'employee',
  area: 'employees',
  path: '/employee_fields',
  example: 'Badge number',
  groups: PROTECTIONS,
  referent: employeeReferent,
  more: {
    group_id: reference('employee_field_groups', { required: true, show: () => groupName, as: 'group' }),
    historical: boolean({
      default: false,
      note: 'Whether each value has a start date, so that earlier and future values are kept. Cannot be changed later',
    }),
  },
  optional: ['group_id'],
  supply: async (db, body) => ({ group_id: body.group_id ?? (await commonGroup(db)) }),
  rules: [staysAsItIs],
})

export const { fields: employeeFields, options: employeeFieldOptions, loadOptions } = definitions

/** Fields without a group of their own stand in a common one. */
export async function commonGroup(db: Writer): Promise<number> {
  const known = await db.from('employee_field_groups').select('id').where('name_key', '=', 'general').executeTakeFirst()
  return known?.id ?? (await insertAll(db, employeeFieldGroups, [{ name: 'General' }]))[0]
}

export const customFieldOperations = [
  ...plain(employeeFieldGroups),
  ...definitions.operationsBeside(employeeOperations([])),
]
