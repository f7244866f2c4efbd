import Type, { type TObject, type TSchema } from 'typebox'
import { hiddenGroupPredicate } from '../../engine/access-scope/reader-access.ts'
import { get, list, listAll, MOST_OWNED, post, put, remove } from '../../engine/derive.ts'
import { loaded, loadedTogether, reference } from '../../engine/field.ts'
import { anyRecordOf, isRecord } from '../../engine/filter.ts'
import { byId } from '../../engine/join.ts'
import { type Call, type Operation, operation } from '../../engine/operation.ts'
import { calledByName } from '../../engine/path-names.ts'
import { refuse } from '../../engine/problem.ts'
import { type Attempt, attempt, erase, eraseAll, insertAll, rowsOf, storeChanges } from '../../engine/records.ts'
import { card, resource } from '../../engine/resource.ts'
import { recordId, schemaOf } from '../../engine/schema.ts'
import { fetchShape, listsFor, show } from '../../engine/shape.ts'
import { like, type Query, type Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { readCustomFields } from '../custom/field-input.ts'
import { registerReferences, storedValueField } from '../custom/record-references.ts'
import { isSelect, isWithheld, noteProtected, type Option, showCell } from '../custom/values.ts'
import { employeeReferent, requireEmployee } from '../organisation/staff.ts'
import { CALLED, columnOptions, requireSightOfTable, requireWholeTable, tableFields } from './employee-tables.ts'
import { personCard } from './person.ts'

/** What employees have in the tables of the account. */

const area = 'employees'
const path = '/employees/{employee_id}/tables'

const CELLS = {
  type: 'object',
  title: 'EmployeeTableCells',
  description: 'Values of the row by `internal_name` of the column; null if empty',
  additionalProperties: {
    description:
      'Value of the cell. Depends on the type of the column: a text, number, date, or true or false; for `single_select`: `{id, value}`; for `multi_select`: a list of `{id, value}`; for `employee`: `{id, full_name, email}`',
  },
} as unknown as TSchema

export const employeeTableRows = resource(
  { table: 'employee_table_rows', one: 'employee table row', area, path: `${path}/{employee_table_id}/rows` },
  {
    employee_id: reference('employees', { required: true, owner: true }),
    employee_table_id: reference('employee_tables', { required: true }),
    ...loadedTogether(
      {
        table: () => Type.Object({ id: Type.Integer(), name: Type.String() }, { title: 'EmployeeTableName' }),
        columns: () => CELLS,
      },
      loadRows,
    ),
  },
)

/** A row among those of its table. */
const rowOfTable = card(employeeTableRows, 'RowOfEmployeeTable', ['id', 'columns', 'created_at', 'updated_at'])

/** A row among those of everybody. */
const rowsOfEverybody = resource(
  {
    table: 'employee_table_rows',
    one: 'row of an employee table',
    area,
    path: '/employee_tables/{employee_table_id}/rows',
    title: 'EmployeeTableRowOfEmployee',
  },
  {
    employee_table_id: employeeTableRows.fields.employee_table_id,
    employee_id: reference('employees', { required: true, show: () => personCard }),
    columns: employeeTableRows.fields.columns,
  },
)

const belonging = { fields: 'employee_table_columns', via: 'employee_table_column_id', referent: employeeReferent }

/** What a row holds in one column; nothing is not kept. */
export const employeeTableValues = resource(
  { table: 'employee_table_values', one: 'employee table value', area },
  {
    employee_table_row_id: reference('employee_table_rows', { required: true, owner: true, part: true }),
    employee_table_column_id: reference('employee_table_columns', { required: true }),
    /** As text, as the values of custom fields are kept. */
    value: storedValueField(belonging),
  },
)

registerReferences({ values: employeeTableValues, ...belonging, isCell: true })

/** A table with the rows of the employee that is looked at. */
const tablesOfEmployee = resource(
  { table: 'employee_tables', one: 'table of an employee', area, title: 'EmployeeTableWithRows' },
  {
    ...tableFields,
    rows: loaded(
      () => Type.Array(schemaOf(rowOfTable)),
      async (db, ids) => {
        const rows = db
          .from('employee_table_rows')
          .where('employee_id', '=', db.view.employeeId)
          .where('employee_table_id', 'in', ids)
        const found = await fetchShape(db, rowOfTable, rows, { also: ['employee_table_id'] })
        return listsFor(
          ids,
          found.map(({ row, record }) => [row.employee_table_id, record]),
        )
      },
    ),
  },
)
const tableOfEmployee = card(tablesOfEmployee, 'EmployeeTableWithRows', [
  'id',
  'internal_name',
  'name',
  'description',
  'rows',
])

type TableColumn = {
  id: number
  internal_name: string
  type: string
  protection: string | null
  employee_table_id: number
}
type CellValue = { employee_table_row_id: number; employee_table_column_id: number; value: string }

const columnsOf = (db: Reader, tableIds: number[]): Promise<TableColumn[]> =>
  db
    .from('employee_table_columns')
    .select(['id', 'internal_name', 'type', 'protection', 'employee_table_id'])
    .where('employee_table_id', 'in', tableIds)
    .orderBy('id')
    .execute() as Promise<TableColumn[]>

/** The options of those columns that have some, by column. */
async function optionsOf(db: Reader, columns: TableColumn[]): Promise<Map<number, Option[]>> {
  const selects = columns.filter(({ type }) => isSelect(type)).map(({ id }) => id)
  return selects.length > 0 ? columnOptions.load(db, selects) : new Map()
}

/** What rows hold, and of which tables they are: a handful of statements, however many rows and columns these are. */
async function loadRows(db: Reader, ids: number[]): Promise<Map<number, unknown>> {
  const rows = await db
    .from('employee_table_rows as r')
    .innerJoin('employee_tables as t', byId('t', 'r.employee_table_id'))
    .select(['r.id', 't.id as table_id', 't.name', 't.protection', 'r.employee_id'])
    .where('r.id', 'in', ids)
    .execute()
  const all = await columnsOf(db, [...new Set(rows.map((row) => row.table_id as number))])
  const columns = all.filter(({ protection }) => !isWithheld(db, protection))
  const values = (await db
    .from('employee_table_values')
    .select(['employee_table_row_id', 'employee_table_column_id', 'value'])
    .where('employee_table_row_id', 'in', ids)
    .execute()) as CellValue[]
  const tables = new Map(rows.map((row) => [row.table_id, row.protection as string | null]))
  const employees = new Map<number, number>(rows.map((row) => [row.id, row.employee_id]))
  noteProtected(
    db,
    'employee_table_rows',
    columns.map(({ id, protection, employee_table_id }) => ({
      id,
      protection: protection ?? tables.get(employee_table_id) ?? null,
    })),
    () =>
      values.map((one) => ({
        record: one.employee_table_row_id,
        field: one.employee_table_column_id,
        value: one.value,
      })),
    { table: 'employees', of: (id) => employees.get(id) ?? null },
  )
  const known = {
    options: new Map([...(await optionsOf(db, columns)).values()].flat().map(({ id, value }) => [id, value])),
    records: await peopleIn(db, columns, values),
  }
  const kept = new Map(values.map((one) => [`${one.employee_table_row_id} ${one.employee_table_column_id}`, one.value]))
  const byTable = Map.groupBy(columns, (column) => column.employee_table_id)
  const isUnseen = await hiddenGroupPredicate(db, 'employee_table_rows', ids)
  const cellsOf = (row: number, table: number) =>
    Object.fromEntries(
      (byTable.get(table) ?? [])
        .filter(({ protection }) => !isUnseen(row, protection))
        .map(({ id, internal_name, type }) => [
          internal_name,
          showCell(type, kept.get(`${row} ${id}`) ?? null, employeeReferent, known),
        ]),
    )
  return new Map(
    rows.map(({ id, table_id, name }) => [id, { table: { id: table_id, name }, columns: cellsOf(id, table_id) }]),
  )
}

/** The people whom values name, as they are shown. */
async function peopleIn(db: Reader, columns: TableColumn[], values: CellValue[]): Promise<Map<number, unknown>> {
  const naming = new Set(columns.filter(({ type }) => type === employeeReferent.type).map(({ id }) => id))
  const named = values.filter((one) => naming.has(one.employee_table_column_id)).map(({ value }) => Number(value))
  const people = await show(db, personCard, [...new Set(named)])
  return new Map(people.filter(Boolean).map((person) => [person.id, person]))
}

const cellsInput = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  description:
    'Values of the row by `internal_name` of the column. You can also send them at the top level of the body',
})

/** The cells that a body sends, each as it is kept. */
async function readCells({ db, body, extra, ignored, problems, params }: Call<Writer>) {
  const under = { name: 'columns', one: 'a column of this table' }
  const sending = { extra, fields: body.columns, under, ignored, problems }
  const columns = await columnsOf(db, [params.employee_table_id])
  const [cells = []] = await readCustomFields(
    db,
    [sending],
    columns,
    (some) => optionsOf(db, some),
    employeeReferent,
    'id',
  )
  refuse(problems)
  return cells.map(({ field, value }) => ({ employee_table_column_id: field.id, value }))
}

/** Makes a row hold what was sent; other cells stay as they are. */
async function storeCells(db: Writer, rowId: number, cells: Awaited<ReturnType<typeof readCells>>): Promise<void> {
  const own = await rowsOf(
    employeeTableValues,
    db.from('employee_table_values').where('employee_table_row_id', '=', rowId),
  )
  const there = new Map(own.map((value) => [value.employee_table_column_id, value]))
  const changed: Attempt<typeof employeeTableValues>[] = []
  for (const { employee_table_column_id, value } of cells) {
    const before = there.get(employee_table_column_id)
    if (before && value !== null) changed.push(attempt(db, employeeTableValues, before, { value }))
  }
  const fresh = cells.filter((one) => one.value !== null && !there.has(one.employee_table_column_id))
  const gone = cells.flatMap((one) => (one.value === null ? (there.get(one.employee_table_column_id) ?? []) : []))
  await storeChanges(db, employeeTableValues, changed)
  await eraseAll(db, employeeTableValues, gone)
  await insertAll(
    db,
    employeeTableValues,
    fresh.map((one) => ({ ...one, employee_table_row_id: rowId })),
  )
}

/** The same operation, for those who see the table. */
const inSight = (operation: Operation): Operation => ({
  ...operation,
  async handle(call) {
    await requireSightOfTable(call.db, call.params.employee_table_id)
    return operation.handle(call)
  },
})

const SENT_NOTE =
  'Send values at the top level of the body or under `columns`, by internal name: `{"shoe_size": 43, "jacket": "L"}`. For a column with options, send the ID or the value of an option; for an employee column, send the ID of the employee. Objects as in responses work too. A value of digits only is read as the ID of an option, or as its value if the column has no option with that ID.'

/** The operations on rows, in whose bodies cells stand by their names. */
export const rowOperations = [
  listAll(employeeTableRows),
  get(employeeTableRows),
  post(employeeTableRows, {
    note: SENT_NOTE,
    most: MOST_OWNED,
    conflicts: `The employee already has ${MOST_OWNED} rows in this table, the maximum`,
    open: true,
    more: { columns: cellsInput },
    async store(call) {
      const { employee_id, employee_table_id } = call.params
      const cells = await readCells(call)
      const [id] = await insertAll(call.db, employeeTableRows, [{ employee_id, employee_table_id }])
      await storeCells(call.db, id as number, cells)
      return id as number
    },
  }),
  put(employeeTableRows, {
    note: `${SENT_NOTE} Omitted fields keep their values; an empty value clears one.`,
    open: true,
    more: { columns: cellsInput },
    store: async (call, before) => storeCells(call.db, before.id, await readCells(call)),
  }),
  remove(employeeTableRows, {
    conflicts: null,
    async store({ db }, before) {
      await requireWholeTable(db, before.employee_table_id)
      await erase(db, employeeTableRows, before)
    },
  }),
]

/** Looks at tables as those of an employee. */
const asOf = (db: Reader, employeeId: number): Reader => like(db, { view: { ...db.view, employeeId } })

/** Tables that are withheld are left out, and named as such. */
const seen = {
  async narrow(query: Query, db: Reader) {
    const { withheld } = db.caller
    if (withheld.size === 0) return query
    const hidden = await db
      .from('employee_tables')
      .select(['id', 'protection'])
      .where('protection', 'in', [...withheld])
      .execute()
    for (const { protection } of hidden) db.omitted.add(protection)
    const ids = hidden.map(({ id }) => id as number)
    return ids.length > 0 ? query.where('employee_tables.id', 'not in', ids) : query
  },
  indexedColumns: [],
}

const allOfEmployee = list(tablesOfEmployee, {
  always: seen,
  shape: tableOfEmployee,
  as: { id: 'listTablesOfEmployee', path, summary: 'List all tables with the rows of an employee' },
})

const whole = schemaOf(tableOfEmployee)

export const employeeTableRowOperations = calledByName(CALLED, [
  {
    ...allOfEmployee,
    params: Type.Object({ employee_id: recordId('employees') }) as TObject,
    async handle(call) {
      await requireEmployee(call.db, call.params.employee_id)
      return allOfEmployee.handle({ ...call, db: asOf(call.db, call.params.employee_id) })
    },
  },
  inSight(
    operation(
      {
        id: 'getTableOfEmployee',
        method: 'GET',
        path: `${path}/{employee_table_id}`,
        summary: 'Get a table with the rows of an employee',
        note: 'Returns the columns of the table and the rows of this employee: under `data`, and a second time at the top level for older clients.',
        area,
        params: Type.Object({ employee_id: recordId('employees'), employee_table_id: recordId('employee_tables') }),
        answer: Type.Object({ data: whole, ...whole.properties }) as TObject,
      },
      async ({ db, params }) => {
        await requireEmployee(db, params.employee_id)
        const [data] = await show(asOf(db, params.employee_id), tableOfEmployee, [params.employee_table_id])
        return { body: { data, ...data } }
      },
    ),
  ),
  ...rowOperations.map(inSight),
  inSight(
    list(rowsOfEverybody, {
      filters: {
        employee_id: isRecord(rowsOfEverybody, 'employee_id'),
        employee_ids: anyRecordOf(rowsOfEverybody, 'employee_id'),
      },
      as: {
        id: 'listRowsOfEmployeeTable',
        path: rowsOfEverybody.path,
        summary: 'List the rows of all employees in a table',
      },
    }),
  ),
])
