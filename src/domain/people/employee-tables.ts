import type { Fields } from '../../engine/declaration.ts'
import { loaded, longText, readOnly, reference, text } from '../../engine/field.ts'
import { find } from '../../engine/records.ts'
import { card, resource } from '../../engine/resource.ts'
import { many } from '../../engine/shape.ts'
import type { Reader } from '../../records/reader.ts'
import { PROTECTIONS } from '../access/permissions.ts'
import { type DefinitionFields, definitionFields, protectionBy } from '../custom/definition.ts'
import { optionsIn, optionsOf } from '../custom/options.ts'
import { isSelect, OPTIONS, requireSight } from '../custom/values.ts'
import { idAndName } from '../organisation/names.ts'
import { employeeReferent } from '../organisation/staff.ts'
import { employeeFieldGroups } from './custom-fields.ts'

/** Tables of the account's own, whose rows belong to employees: what they are called, and which columns they have. */

const area = 'employees'
const groupName = idAndName(employeeFieldGroups)

const loadOptions = optionsIn('employee_table_column_options', 'employee_table_column_id')

export const employeeTableColumns = resource(
  {
    table: 'employee_table_columns',
    one: 'employee table column',
    area,
    path: '/employee_tables/{employee_table_id}/columns',
  },
  {
    employee_table_id: reference('employee_tables', { required: true, owner: true, part: true }),
    ...definitionFields({
      groups: PROTECTIONS,
      referent: employeeReferent,
      what: 'values of the column',
      example: 'Shoe size',
      named: { folded: true },
    }),
    options: loaded(OPTIONS, loadOptionsOfSelects, { sometimes: true }),
  } as DefinitionFields & Fields,
)

/** Only select columns have options, if none as yet. */
async function loadOptionsOfSelects(db: Reader, ids: number[]) {
  const columns = await db.from('employee_table_columns').select(['id', 'type']).where('id', 'in', ids).execute()
  const selects = columns.filter(({ type }) => isSelect(type)).map(({ id }) => id as number)
  return selects.length > 0 ? loadOptions(db, selects) : new Map()
}

const columnOfTable = card(employeeTableColumns, 'ColumnOfEmployeeTable', [
  'id',
  'name',
  'internal_name',
  'type',
  'protection',
  'options',
])

export const tableFields = {
  name: text({ required: true, unique: true, searched: true, example: 'Equipment sizes' }),
  internal_name: readOnly(
    text({
      required: true,
      unique: true,
      note: 'Name that programs use in paths and bodies. Derived from `name` by default; never changes',
    }),
  ),
  description: longText({ example: 'Sizes for ordering work clothing' }),
}

export const employeeTables = resource(
  { table: 'employee_tables', one: 'employee table', area },
  {
    ...tableFields,
    group_id: reference('employee_field_groups', { required: true, show: () => groupName, as: 'group' }),
    protection: protectionBy(PROTECTIONS, 'rows of the table'),
    columns: many(
      () => employeeTableColumns,
      'employee_table_id',
      () => columnOfTable,
    ),
  },
)

/** Who does not see a table changes nothing in it, whichever of its columns it is about. */
export async function requireSightOfTable(db: Reader, id: number) {
  const table = await find(db, employeeTables, id)
  requireSight(db, table.protection)
  return table
}

/** What is to be taken whole must be seen whole: the table and all of its columns. */
export async function requireWholeTable(db: Reader, id: number): Promise<void> {
  await requireSightOfTable(db, id)
  const columns = await db
    .from('employee_table_columns')
    .select('protection')
    .where('employee_table_id', '=', id)
    .execute()
  for (const { protection } of columns) requireSight(db, protection)
}

export const columnOptions = optionsOf(employeeTableColumns, {
  via: 'employee_table_column_id',
  values: { table: 'employee_table_values', owner: 'employee_table_row_id' },
  async requireSight(db, column) {
    await requireSightOfTable(db, column.employee_table_id)
    requireSight(db, column.protection)
  },
})

/** Paths call tables and columns by their ids or by their internal names. */
export const CALLED = {
  employee_tables: { by: 'internal_name' },
  employee_table_columns: { by: 'internal_name', within: 'employee_table_id' },
}
