import Type from 'typebox'
import { customFields } from '../custom/definitions.ts'
import { showValue } from '../custom/values.ts'
import type { Reader } from '../database/handle.ts'
import type { Writer } from '../database/write.ts'
import { mendEnds } from '../engine/dated.ts'
import { metadata, PAGE, PAGE_SIZE, pagedAnswer, plain } from '../engine/derive.ts'
import { boolean, reference, text } from '../engine/field.ts'
import { byId } from '../engine/join.ts'
import { operation, recordId, wrapped } from '../engine/operation.ts'
import { invalid, notFound } from '../engine/problem.ts'
import { erase, find, insertAll, type Rule } from '../engine/records.ts'
import { resource } from '../engine/resource.ts'
import { idAndName } from '../organisation/names.ts'
import { employeeFieldValues, readCustomValues, storeCustomValues } from './custom-values.ts'

export const employeeFieldGroups = resource(
  { table: 'employee_field_groups', one: 'employee field group', area: 'employees' },
  { name: text({ required: true, unique: true, example: 'Payroll' }) },
)

const groupName = idAndName(employeeFieldGroups)

const staysAsItIs: Rule<any> = ({ before, changes, fail }) => {
  if (changes.historical !== undefined && changes.historical !== before?.historical)
    fail('historical', 'fixed', 'cannot change once the field is made')
}

const definitions = customFields({
  one: 'employee',
  area: 'employees',
  path: '/employee_fields',
  more: {
    group_id: reference('employee_field_groups', { required: true, show: () => groupName, as: 'group' }),
    historical: boolean({ default: false, note: 'Values are kept with the day from which they hold' }),
  },
  optional: ['group_id'],
  supply: async (db, body) => ({ group_id: body.group_id ?? (await commonGroup(db)) }),
  rules: [staysAsItIs],
})

export const { fields: employeeFields, options: employeeFieldOptions } = definitions
const { loadOptions } = definitions

/** Fields without a group of their own stand in a common one. */
async function commonGroup(db: Writer): Promise<number> {
  const known = await db.from('employee_field_groups').select('id').where('name_key', '=', 'general').executeTakeFirst()
  return known?.id ?? (await insertAll(db, employeeFieldGroups, [{ name: 'General' }]))[0]
}

export const customFieldOperations = [...plain(employeeFieldGroups), ...definitions.operations]

const shared = { area: 'employees' } as const

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

const historyPath = '/employees/{employee_id}/field_histories'
const employeeParam = Type.Object({ employee_id: recordId('employees') })

/** Dated values of historical fields, in the order of their ids. */
async function showHistories(db: Reader, query: ReturnType<Reader['from']>) {
  const rows = await query
    .innerJoin('employee_fields as f', byId('f', 'employee_field_values.employee_field_id'))
    .select(['f.type', 'f.internal_name', 'f.historical'])
    .selectAll('employee_field_values')
    .execute()
  const options = await loadOptions(db, [...new Set(rows.map((row) => row.employee_field_id)), 0])
  const texts = new Map([...options.values()].flat().map(({ id, value }) => [id, value]))
  return rows.map((row) => ({
    id: row.id,
    effective_on: row.effective_from,
    employee_field_id: row.employee_field_id,
    employee_field_internal_name: row.internal_name,
    value: row.type === 'employee' ? Number(row.value) : showValue(row.type, row.value, texts, new Map()).value,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }))
}

export const fieldHistoryOperations = [
  operation(
    {
      ...shared,
      id: 'listEmployeeFieldHistories',
      method: 'GET',
      path: historyPath,
      summary: 'List the dated values of historical fields',
      params: employeeParam,
      query: Type.Object({ page: PAGE, employee_field_internal_name: Type.Optional(Type.String({ maxLength: 255 })) }),
      answer: pagedAnswer(HISTORY),
    },
    async ({ db, params, query }) => {
      await requireEmployee(db, params.employee_id)
      const fields = db.from('employee_fields as h').select('h.id').where('h.historical', '=', true)
      const name = query.employee_field_internal_name
      const wanted = name === undefined ? fields : fields.where('h.internal_name', '=', name)
      const all = db
        .from('employee_field_values')
        .where('employee_field_values.employee_id', '=', params.employee_id)
        .where('employee_field_values.employee_field_id', 'in', wanted)
      const { n } = await all.select((eb) => eb.fn.countAll().as('n')).executeTakeFirstOrThrow()
      const page = query.page ?? 1
      const rows = all
        .orderBy('employee_field_values.id')
        .limit(PAGE_SIZE)
        .offset((page - 1) * PAGE_SIZE)
      const data = await showHistories(db, rows)
      return { body: { data, metadata: metadata(page, Number(n), data.length) } }
    },
  ),
  operation(
    {
      ...shared,
      id: 'createEmployeeFieldHistory',
      method: 'POST',
      path: historyPath,
      summary: 'Set a historical field from a day on',
      note: 'A value that begins on the same day is replaced.',
      params: employeeParam,
      body: Type.Object(
        {
          employee_field_internal_name: Type.String({
            format: 'line',
            minLength: 1,
            maxLength: 255,
            examples: ['tax_number'],
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
      await requireEmployee(db, params.employee_id)
      const name = body.employee_field_internal_name
      const sending = { extra: { [name]: body.value ?? null }, fields: undefined, ignored: new Set([name]), problems }
      const [values = []] = await readCustomValues(db, [sending])
      const field = values[0]?.field
      if (sending.ignored.has(name))
        problems.push({
          field: 'employee_field_internal_name',
          code: 'not_found',
          message: 'employee_field_internal_name is not a custom field',
        })
      else if (field && !field.historical)
        problems.push({
          field: 'employee_field_internal_name',
          code: 'not_allowed',
          message: 'employee_field_internal_name must be a historical field',
        })
      if (problems.length > 0 || !field)
        throw invalid(problems.map((problem) => (problem.field === name ? { ...problem, field: 'value' } : problem)))
      await storeCustomValues(db, [{ employeeId: params.employee_id, values, from: body.effective_on }])
      await db.touch('employees', [params.employee_id])
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
      ...shared,
      id: 'deleteEmployeeFieldHistory',
      method: 'DELETE',
      path: `${historyPath}/{id}`,
      summary: 'Take a dated value away',
      params: Type.Object({ employee_id: recordId('employees'), id: recordId('employee_field_values') }),
    },
    async ({ db, params }) => {
      const value = await find(db, employeeFieldValues, params.id, { employee_id: params.employee_id })
      await erase(db, employeeFieldValues, value)
      await mendEnds(db, employeeFieldValues, 'employee_id', [params.employee_id], ['employee_field_id'])
      await db.touch('employees', [params.employee_id])
      return {}
    },
  ),
]

async function requireEmployee(db: Reader, id: number): Promise<void> {
  if (!(await db.from('employees').select('id').where('id', '=', id).executeTakeFirst())) throw notFound()
}
