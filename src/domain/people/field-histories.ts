import Type from 'typebox'
import { mendEntries } from '../../engine/dated.ts'
import { byId } from '../../engine/join.ts'
import { operation } from '../../engine/operation.ts'
import { columnsOf, metadata, PAGING, pagedAnswer, pageIn, sortParameter } from '../../engine/page.ts'
import { invalid, notFound, wrong } from '../../engine/problem.ts'
import { erase, find, nameable } from '../../engine/records.ts'
import { recordId, wrapped } from '../../engine/schema.ts'
import { orderedBy } from '../../engine/shape.ts'
import type { Query, Reader } from '../../records/reader.ts'
import { isWithheld, noteProtected, showValue } from '../custom/values.ts'
import { employeeReferent, requireEmployee } from '../organisation/staff.ts'
import { employeeFields, loadOptions } from './custom-fields.ts'
import { employeeFieldValues, readCustomValues, storeCustomValues } from './custom-values.ts'

/** The dated values of historical custom fields. */

const area = 'employees'

const HISTORY = Type.Object(
  {
    id: Type.Integer(),
    effective_on: Type.String({ format: 'date' }),
    employee_field_id: Type.Integer(),
    employee_field_internal_name: Type.String(),
    value: Type.Unsafe<unknown>({}),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { title: 'EmployeeFieldHistory' },
)

const { path } = employeeFieldValues
const employeeParam = Type.Object({ employee_id: recordId('employees') })

const oneParam = Type.Object({ employee_id: recordId('employees'), id: recordId('employee_field_values') })

/** A dated value. What is not historical has no history to look at or to take from. */
async function findHistory(db: Reader, { id, employee_id }: { id: number; employee_id: number }) {
  const value = await find(db, employeeFieldValues, id, { employee_id })
  const field = await find(db, employeeFields, value.employee_field_id)
  if (!field.historical || isWithheld(db, field.protection)) throw notFound()
  return value
}

/** Dated values of historical fields. */
async function showHistories(db: Reader, query: Query) {
  const rows = await query
    .innerJoin('employee_fields as f', byId('f', 'employee_field_values.employee_field_id'))
    .select(['f.type', 'f.internal_name', 'f.historical', 'f.protection'])
    .selectAll('employee_field_values')
    .execute()
  noteProtected(
    db,
    'employee_field_values',
    rows.map(({ employee_field_id: id, protection }) => ({ id, protection })),
    () => rows.map(({ id: record, employee_field_id: field, value }) => ({ record, field, value })),
    { table: 'employees', of: (id) => rows.find((row) => row.id === id)?.employee_id ?? null },
  )
  const lists = await loadOptions(db, [...new Set(rows.map((row) => row.employee_field_id)), 0])
  const options = new Map([...lists.values()].flat().map(({ id, value }) => [id, value]))
  const shownValue = (row: Record<string, any>) =>
    row.type === employeeReferent.type
      ? row.value && Number(row.value)
      : showValue(row.type, row.value, employeeReferent, { options, records: new Map() }).value
  return rows.map((row) => ({
    id: row.id,
    effective_on: row.effective_from,
    employee_field_id: row.employee_field_id,
    employee_field_internal_name: row.internal_name,
    value: shownValue(row),
    created_at: row.created_at,
    updated_at: row.updated_at,
  }))
}

export const fieldHistoryOperations = [
  operation(
    {
      id: 'listEmployeeFieldHistories',
      method: 'GET',
      path,
      summary: 'List dated values of historical fields',
      note: 'Past, current and planned values of all historical fields of the employee. A historical field is a custom field whose values have a start date.',
      area,
      params: employeeParam,
      query: Type.Object({
        ...PAGING,
        sort: sortParameter(['id', 'created_at', 'updated_at'], 'id'),
        employee_field_internal_name: Type.Optional(Type.String({ maxLength: 255 })),
      }),
      answer: pagedAnswer(HISTORY),
      indexedColumns: ['employee_field_values.employee_id'],
    },
    async ({ db, params, query }) => {
      await requireEmployee(db, params.employee_id)
      const historical = await db
        .from('employee_fields')
        .select(['id', 'protection'])
        .where('historical', '=', true)
        .execute()
      const seen = historical.filter(({ protection }) => !isWithheld(db, protection)).map(({ id }) => id)
      const fields = db
        .from('employee_fields as h')
        .select('h.id')
        .where('h.id', 'in', [0, ...seen])
      const name = query.employee_field_internal_name
      const wanted = name === undefined ? fields : fields.where('h.internal_name', '=', name)
      const all = db
        .from('employee_field_values')
        .where('employee_field_values.employee_id', '=', params.employee_id)
        .where('employee_field_values.employee_field_id', 'in', wanted)
      const { n } = await all.select((eb) => eb.fn.countAll().as('n')).executeTakeFirstOrThrow()
      const page = pageIn(query)
      const order = columnsOf(db, employeeFieldValues, query.sort ?? 'id')
      const rows = orderedBy(all, 'employee_field_values', order).limit(page.size).offset(page.skipped)
      const data = await showHistories(db, rows)
      return { body: { data, metadata: metadata(page, Number(n), data.length) } }
    },
  ),
  operation(
    {
      id: 'createEmployeeFieldHistory',
      method: 'POST',
      path,
      summary: 'Set a historical field from a date on',
      note: 'A historical field is a custom field whose values have a start date. The value applies until a later value begins. If a value already begins on this date, it is replaced.',
      area,
      params: employeeParam,
      body: Type.Object(
        {
          employee_field_internal_name: Type.String({
            format: 'line',
            minLength: 1,
            maxLength: 255,
            examples: ['badge_number'],
          }),
          effective_on: Type.String({ format: 'date', examples: ['2024-02-01'] }),
          value: Type.Optional(Type.Unsafe<unknown>({})),
        },
        { title: 'CreateEmployeeFieldHistory' },
      ),
      status: 201,
      answer: wrapped(HISTORY),
    },
    async ({ db, params, body, problems }) => {
      await requireEmployee(db, params.employee_id, nameable)
      const name = body.employee_field_internal_name
      const sending = { extra: { [name]: body.value ?? null }, fields: undefined, ignored: new Set([name]), problems }
      const [values = []] = await readCustomValues(db, [sending])
      const field = values[0]?.field
      if (sending.ignored.has(name))
        problems.push(wrong('employee_field_internal_name', 'not_found', 'is not the internal name of a custom field'))
      else if (field && !field.historical)
        problems.push(
          wrong(
            'employee_field_internal_name',
            'not_allowed',
            'must name a custom field that keeps its history (historical is true)',
          ),
        )
      if (problems.length > 0 || !field)
        throw invalid(problems.map((one) => (one.field === name ? { ...one, field: 'value' } : one)))
      const change = { employeeId: params.employee_id, values, from: body.effective_on, isEntry: true }
      await db.touch('employees', await storeCustomValues(db, [change]))
      const [data] = await showHistories(
        db,
        db
          .from('employee_field_values')
          .where('employee_id', '=', params.employee_id)
          .where('employee_field_id', '=', field.id)
          .where('effective_from', '=', body.effective_on),
      )
      return { body: { data }, location: `/employees/${params.employee_id}/field_histories/${data?.id}` }
    },
  ),
  operation(
    {
      id: 'getEmployeeFieldHistory',
      method: 'GET',
      path: `${path}/{id}`,
      summary: 'Get a dated value',
      area,
      params: oneParam,
      answer: wrapped(HISTORY),
    },
    async ({ db, params }) => {
      const value = await findHistory(db, params)
      const [data] = await showHistories(
        db,
        db.from('employee_field_values').where('employee_field_values.id', '=', value.id),
      )
      return { body: { data } }
    },
  ),
  operation(
    {
      id: 'deleteEmployeeFieldHistory',
      method: 'DELETE',
      path: `${path}/{id}`,
      summary: 'Delete a dated value',
      area,
      params: oneParam,
    },
    async ({ db, params }) => {
      const value = await findHistory(db, params)
      await erase(db, employeeFieldValues, value)
      await mendEntries(db, employeeFieldValues, 'employee_id', [params.employee_id], ['employee_field_id'])
      await db.touch('employees', [params.employee_id])
      return {}
    },
  ),
]
