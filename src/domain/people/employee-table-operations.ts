import Type from 'typebox'
import { get, list, post, put, remove } from '../../engine/derive.ts'
import { orNull } from '../../engine/field.ts'
import { fold } from '../../engine/format.ts'
import { calledByName } from '../../engine/path-names.ts'
import { wrong } from '../../engine/problem.ts'
import { amend, create, erase, holdTo } from '../../engine/records.ts'
import type { Reader } from '../../records/reader.ts'
import { type DefinitionRule, internalName, namesIn, typeStays } from '../custom/definition.ts'
import { checkOptions, optionsInput } from '../custom/options.ts'
import { requireSight } from '../custom/values.ts'
import { commonGroup } from './custom-fields.ts'
import { employeeTableRowOperations, rowOperations } from './employee-table-rows.ts'
import {
  CALLED,
  columnOptions,
  employeeTableColumns,
  employeeTables,
  requireSightOfTable,
  requireWholeTable,
} from './employee-tables.ts'

/** Defining tables and their columns. */

/** More than anybody reads side by side. */
const MOST_COLUMNS = 100

/** What a table may be called in paths: never what could be taken for an id. */
const NAME = /^(?!\d+$)[a-z0-9]+(_[a-z0-9]+)*$/

const tableOperations = [
  list(employeeTables),
  get(employeeTables),
  post(employeeTables, {
    optional: ['group_id'],
    more: {
      internal_name: orNull(
        Type.String({
          format: 'line',
          maxLength: 60,
          description:
            'Name that programs use in paths: lower-case letters, digits and underscores. Derived from `name` by default; cannot be changed later',
          examples: ['equipment_sizes'],
        }),
      ),
    },
    async store({ db, body, problems }) {
      if (body.internal_name && !NAME.test(body.internal_name))
        problems.push(
          wrong('internal_name', 'invalid', 'must consist of lower-case letters, digits and single underscores'),
        )
      const internal_name =
        body.internal_name || (await internalName(db.from('employee_tables'), body.name ?? '', 'table'))
      const group_id = body.group_id ?? (await commonGroup(db))
      return create(db, employeeTables, { ...body, group_id, internal_name }, { problems })
    },
  }),
  put(employeeTables, {
    async store({ db, body, problems }, before) {
      requireSight(db, before.protection)
      await amend(db, employeeTables, before, body, { problems })
    },
  }),
  remove(employeeTables, {
    note: 'Deletes its columns too. A table with rows cannot be deleted.',
    async store({ db }, before) {
      await requireWholeTable(db, before.id)
      await erase(db, employeeTables, before)
    },
  }),
]

const columnsIn = (db: Reader, tableId: number) =>
  db.from('employee_table_columns').where('employee_table_id', '=', tableId)

const nameIsFree: DefinitionRule = async ({ db, changes, after, fail }) => {
  if (!changes.name) return
  const duplicate = await columnsIn(db, after.employee_table_id)
    .select('id')
    .where('name_key', '=', fold(changes.name))
    .executeTakeFirst()
  if (duplicate && duplicate.id !== after.id) fail('name', 'taken', 'has already been taken')
}
holdTo(employeeTableColumns, [nameIsFree])

const columnOperations = [
  list(employeeTableColumns),
  get(employeeTableColumns),
  post(employeeTableColumns, {
    most: MOST_COLUMNS,
    more: { options: optionsInput },
    async store({ db, body, params, problems }) {
      const { id: employee_table_id } = await requireSightOfTable(db, params.employee_table_id)
      checkOptions(body.type, body.options, problems)
      const reserved = namesIn(rowOperations)
      const internal_name = await internalName(columnsIn(db, employee_table_id), body.name ?? '', 'column', reserved)
      const id = await create(db, employeeTableColumns, { ...body, internal_name }, { rules: [nameIsFree], problems })
      await columnOptions.add(db, id, body.options)
      return id
    },
  }),
  put(employeeTableColumns, {
    async store({ db, body, problems }, before) {
      await requireSightOfTable(db, before.employee_table_id)
      requireSight(db, before.protection)
      await amend(db, employeeTableColumns, before, body, { rules: [typeStays, nameIsFree], problems })
    },
  }),
  remove(employeeTableColumns, {
    note: 'A column with values cannot be deleted.',
    async store({ db }, before) {
      await requireSightOfTable(db, before.employee_table_id)
      requireSight(db, before.protection)
      await erase(db, employeeTableColumns, before)
    },
  }),
]

export const employeeTableOperations = [
  ...calledByName(CALLED, [...tableOperations, ...columnOperations, ...columnOptions.operations]),
  ...employeeTableRowOperations,
]
