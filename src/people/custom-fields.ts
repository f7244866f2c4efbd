import Type, { type TObject } from 'typebox'
import type { Reader } from '../database/handle.ts'
import type { Writer } from '../database/write.ts'
import { mendEnds } from '../engine/dated.ts'
import { get, list, metadata, PAGE, PAGE_SIZE, pagedAnswer, plain, post, put, remove } from '../engine/derive.ts'
import { boolean, choice, loaded, readOnly, reference, text } from '../engine/field.ts'
import { fold } from '../engine/format.ts'
import { operation, recordId, wrapped } from '../engine/operation.ts'
import { conflict, type FieldProblem, invalid, notFound } from '../engine/problem.ts'
import { amend, create, erase, find, insertAll, type Rule } from '../engine/records.ts'
import { card, resource, schemaOf, show } from '../engine/resource.ts'
import { idAndName } from '../organisation/names.ts'
import {
  employeeFieldValues,
  FIELD_TYPES,
  readCustomValues,
  show as showValue,
  storeCustomValues,
} from './custom-values.ts'

export const employeeFieldGroups = resource(
  { table: 'employee_field_groups', one: 'employee field group', area: 'employees' },
  { name: text({ required: true, unique: true, example: 'Payroll' }) },
)

const groupName = idAndName(employeeFieldGroups)

export const employeeFields = resource(
  { table: 'employee_fields', one: 'employee field', area: 'employees' },
  {
    name: text({ required: true, unique: true, example: 'Tax number' }),
    internal_name: readOnly(text({ required: true, unique: true, note: 'Made from the name; never changes' })),
    type: choice(FIELD_TYPES, { required: true, example: 'text' }),
    group_id: reference('employee_field_groups', { required: true, show: () => groupName, as: 'group' }),
    historical: boolean({ default: false, note: 'Values are kept with the day from which they hold' }),
    options: loaded(Type.Array(Type.Object({ id: Type.Integer(), value: Type.String() })), loadOptions),
  },
)

export const employeeFieldOptions = resource(
  {
    table: 'employee_field_options',
    one: 'employee field option',
    area: 'employees',
    path: '/employee_fields/{employee_field_id}/options',
  },
  {
    employee_field_id: reference('employee_fields', { required: true, owner: true }),
    value: text({ required: true, folded: true, example: 'Blue' }),
  },
)

const optionShape = card(employeeFieldOptions, 'EmployeeFieldOption', ['id', 'value'])

async function loadOptions(db: Reader, ids: number[]): Promise<Map<number, unknown>> {
  const rows = await db
    .from('employee_field_options')
    .select(['id', 'employee_field_id', 'value'])
    .where('employee_field_id', 'in', ids)
    .orderBy('id')
    .execute()
  const lists = new Map<number, unknown[]>(ids.map((id) => [id, []]))
  for (const { id, employee_field_id, value } of rows) lists.get(employee_field_id)?.push({ id, value })
  return lists
}

/** `Tax number` → `tax_number`, with a number behind it when that is taken. */
async function internalName(db: Reader, name: string): Promise<string> {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const base =
    plain
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 60) || 'field'
  const rows = await db
    .from('employee_fields')
    .select('internal_name')
    .where('internal_name', 'like', `${base}%`)
    .execute()
  const taken = new Set([...rows.map((row) => row.internal_name), ...RESERVED])
  let candidate = base
  for (let n = 2; taken.has(candidate); n++) candidate = `${base}_${n}`
  return candidate
}

/** Names that a body of an employee already has a meaning for. */
const RESERVED = ['id', 'fields', 'gender', 'status', 'data', 'page']

const optionTexts = Type.Array(Type.String({ format: 'line', minLength: 1, maxLength: 255 }), {
  maxItems: 500,
  description: 'The options of a select field',
})

const isSelect = (type: string | undefined) => type === 'single_select' || type === 'multi_select'

function checkOptions(type: string | undefined, options: string[] | undefined, problems: FieldProblem[]): void {
  if (!options?.length) return
  const fail = (code: string, message: string) =>
    void problems.push({ field: 'options', code, message: `options ${message}` })
  if (!isSelect(type)) fail('not_allowed', 'are only for single_select and multi_select fields')
  if (new Set(options.map(fold)).size < options.length) fail('taken', 'must differ from each other')
}

const typeStays: Rule<typeof employeeFields> = ({ before, changes, fail }) => {
  if (changes.type && changes.type !== before?.type) fail('type', 'fixed', 'cannot change once the field is made')
  if (changes.historical !== undefined && changes.historical !== before?.historical)
    fail('historical', 'fixed', 'cannot change once the field is made')
}

/** Fields without a group of their own stand in a common one. */
async function commonGroup(db: Writer): Promise<number> {
  const known = await db.from('employee_field_groups').select('id').where('name_key', '=', 'general').executeTakeFirst()
  return known?.id ?? (await insertAll(db, employeeFieldGroups, [{ name: 'General' }]))[0]
}

/** A field by its id or by its internal name. */
async function findField(db: Reader, key: string) {
  const column = /^\d+$/.test(key) ? 'id' : 'internal_name'
  const row = await db
    .from('employee_fields')
    .select('id')
    .where(column, '=', column === 'id' ? Number(key) : key)
    .executeTakeFirst()
  if (!row) throw notFound()
  return find(db, employeeFields, row.id)
}

const fieldKey = Type.String({
  maxLength: 255,
  description: 'The id or the internal name of the field',
  'x-reference': 'employee_fields',
})
const ofField = Type.Object({ employee_field_id: fieldKey })
const ofOption = Type.Object({ employee_field_id: fieldKey, id: recordId('employee_field_options') })
const optionBody = (title: string) => Type.Object({ value: employeeFieldOptions.fields.value.input! }, { title })

async function checkFreeValue(db: Reader, fieldId: number, value: string, except?: number): Promise<void> {
  const twin = await db
    .from('employee_field_options')
    .select('id')
    .where('employee_field_id', '=', fieldId)
    .where('value_key', '=', fold(value))
    .executeTakeFirst()
  if (twin && twin.id !== except)
    throw invalid([{ field: 'value', code: 'taken', message: 'value has already been taken' }])
}

const shared = { area: 'employees' } as const

export const customFieldOperations = [
  ...plain(employeeFieldGroups),
  list(employeeFields),
  get(employeeFields),
  post(employeeFields, {
    optional: ['group_id'],
    more: { options: optionTexts },
    async store({ db, body, problems }) {
      checkOptions(body.type, body.options, problems)
      const group_id = body.group_id ?? (await commonGroup(db))
      const internal_name = body.name ? await internalName(db, body.name) : 'field'
      const id = await create(db, employeeFields, { ...body, group_id, internal_name }, { problems })
      const options = (body.options ?? []) as string[]
      await insertAll(
        db,
        employeeFieldOptions,
        options.map((value) => ({ employee_field_id: id, value })),
      )
      return id
    },
  }),
  put(employeeFields, { rules: [typeStays] }),
  remove(employeeFields),
  operation(
    {
      ...shared,
      id: 'listEmployeeFieldOptions',
      method: 'GET',
      path: employeeFieldOptions.path,
      summary: 'List the options of a select field',
      params: ofField,
      answer: Type.Object({ data: Type.Array(schemaOf(optionShape)) }) as TObject,
    },
    async ({ db, params }) => {
      const field = await findField(db, params.employee_field_id)
      return { body: { data: (await loadOptions(db, [field.id])).get(field.id) } }
    },
  ),
  operation(
    {
      ...shared,
      id: 'createEmployeeFieldOption',
      method: 'POST',
      path: employeeFieldOptions.path,
      summary: 'Add an option to a select field',
      params: ofField,
      body: optionBody('CreateEmployeeFieldOption'),
      status: 201,
      answer: wrapped(schemaOf(optionShape)),
      conflicts: 'The field is no select field',
    },
    async ({ db, params, body }) => {
      const field = await findField(db, params.employee_field_id)
      if (!isSelect(field.type)) throw conflict('Only single_select and multi_select fields have options')
      await checkFreeValue(db, field.id, body.value as string)
      const id = await create(db, employeeFieldOptions, { employee_field_id: field.id, value: body.value })
      const location = `/employee_fields/${field.id}/options/${id}`
      return { body: { data: (await show(db, optionShape, [id]))[0] }, location }
    },
  ),
  operation(
    {
      ...shared,
      id: 'updateEmployeeFieldOption',
      method: 'PUT',
      path: `${employeeFieldOptions.path}/{id}`,
      summary: 'Rename an option',
      note: 'It is renamed on every record that holds it.',
      params: ofOption,
      body: Type.Partial(optionBody('UpdateEmployeeFieldOption'), { title: 'UpdateEmployeeFieldOption' }),
      answer: wrapped(schemaOf(optionShape)),
    },
    async ({ db, params, body }) => {
      const field = await findField(db, params.employee_field_id)
      const option = await find(db, employeeFieldOptions, params.id, { employee_field_id: field.id })
      if (body.value) await checkFreeValue(db, field.id, body.value as string, option.id)
      await amend(db, employeeFieldOptions, option, body)
      return { body: { data: (await show(db, optionShape, [option.id]))[0] } }
    },
  ),
  operation(
    {
      ...shared,
      id: 'deleteEmployeeFieldOption',
      method: 'DELETE',
      path: `${employeeFieldOptions.path}/{id}`,
      summary: 'Delete an option',
      params: ofOption,
      conflicts: 'The option is still in use',
    },
    async ({ db, params }) => {
      const field = await findField(db, params.employee_field_id)
      const option = await find(db, employeeFieldOptions, params.id, { employee_field_id: field.id })
      const use = await db
        .from('employee_field_values')
        .select('employee_id')
        .where('employee_field_id', '=', field.id)
        .where('value', 'like', `%,${option.id},%`)
        .limit(1)
        .executeTakeFirst()
      if (use) throw conflict(`This option is still in use by employee ${use.employee_id}`, 'in_use')
      await erase(db, employeeFieldOptions, option)
      return {}
    },
  ),
]

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
    .innerJoin('employee_fields as f', (on) =>
      on
        .onRef('f.account_id', '=', 'employee_field_values.account_id')
        .onRef('f.id', '=', 'employee_field_values.employee_field_id'),
    )
    .select(['f.type', 'f.internal_name', 'f.historical'])
    .selectAll('employee_field_values')
    .execute()
  const options = await loadOptions(db, [...new Set(rows.map((row) => row.employee_field_id)), 0])
  const texts = new Map(
    ([...options.values()].flat() as { id: number; value: string }[]).map(({ id, value }) => [id, value]),
  )
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
