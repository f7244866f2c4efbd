import Type, { type TObject } from 'typebox'
import { inForce } from '../engine/dated.ts'
import { type Filter, get, type Lens, list, post, put } from '../engine/derive.ts'
import { anyRecordOf, anyTextOf, dateRange, timeRange } from '../engine/filter.ts'
import { fold } from '../engine/format.ts'
import { operation, recordId, wrapped } from '../engine/operation.ts'
import { conflict, type FieldProblem, invalid } from '../engine/problem.ts'
import { amend, find, type Rule } from '../engine/records.ts'
import { bodySchema, decode, schemaOf, show } from '../engine/resource.ts'
import { check } from '../engine/validate.ts'
import { changeEmployees, dayOfYear, daysAfter, type EmployeeChange, moreInput } from './employee-changes.ts'
import { employeeRow, employees } from './employees.ts'
import { byStatus, withStatus } from './status.ts'

/** Those whose position in force names a record. */
const byPosition = (column: string): Filter => ({
  schema: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  narrow: (query, id, db) =>
    query.where(
      'employees.id',
      'in',
      inForce(db.from('employee_positions'), 'employee_positions', db.view.day)
        .select('employee_id')
        .where(column, '=', id),
    ),
})

const SEARCHED = ['first_name', 'middle_name', 'last_name', 'email', 'employee_number']

/** Every word must begin one of the names, the e-mail address or the number. */
const search: Filter = {
  schema: Type.String({
    format: 'line',
    maxLength: 255,
    description: 'Words that begin a name, the e-mail address or the number',
  }),
  narrow(query, text) {
    const words = fold(text).split(/\s+/).filter(Boolean).slice(0, 8)
    return words.reduce(
      (narrowed, word) =>
        narrowed.where((eb) =>
          eb.or(
            SEARCHED.map((name) =>
              eb.and([eb(`employees.${name}_key`, '>=', word), eb(`employees.${name}_key`, '<', `${word}\u{10ffff}`)]),
            ),
          ),
        ),
      query,
    )
  },
}

const filters: Record<string, Filter> = {
  ids: anyRecordOf('employees.id'),
  emails: anyTextOf('employees.email'),
  employee_numbers: anyTextOf('employees.employee_number'),
  status: byStatus,
  hired_on: dateRange('employees.hired_on'),
  created_at: timeRange('employees.created_at'),
  updated_at: timeRange('employees.updated_at'),
  manager_id: byPosition('reporting_to_id'),
  department_id: byPosition('department_id'),
  location_id: byPosition('location_id'),
  q: search,
}

const asOf: Lens = {
  schema: Type.String({
    format: 'date',
    description: 'Show jobs, status, salary and historical fields as of this day',
  }),
  look: (db, day) => ({ ...db, view: { ...db.view, day, asOf: true } }),
}

const onlyFields: Lens = {
  schema: Type.Array(Type.String({ maxLength: 255 }), {
    maxItems: 200,
    description: 'Internal names of the custom fields to show',
  }),
  look: (db, fields) => ({ ...db, view: { ...db.view, fields } }),
}

const lenses = { as_of: asOf, fields: onlyFields }

/** The days of a range, as far as birthdays and anniversaries need them. */
function daysOfRange(today: string, { gte, lte }: { gte?: string; lte?: string }) {
  const from = gte ?? (lte && lte < today ? lte : today)
  const until = lte ?? daysAfter(from, 30)
  const isLeapYear = (year: number) => new Date(Date.UTC(year, 2, 0)).getUTCDate() === 29
  // Who was born on 29 February is celebrated on the 28th when there is no 29th.
  const last = until.endsWith('-02-28') && !isLeapYear(Number(until.slice(0, 4))) ? 229 : dayOfYear(until)
  return { from, until, first: dayOfYear(from), last, isWholeYear: until >= daysAfter(from, 365) }
}

/** Narrows to those whose day of the year comes up in a range of dates. */
export const comesUp = (column: string): Filter => ({
  schema: Type.Object({
    gte: Type.Optional(Type.String({ format: 'date' })),
    lte: Type.Optional(Type.String({ format: 'date' })),
  }),
  narrow(query, range, db) {
    const { from, until, first, last, isWholeYear } = daysOfRange(db.today, range)
    if (until < from) return query.where(column, '=', -1)
    if (isWholeYear) return query.where(column, 'is not', null)
    if (first <= last) return query.where(column, '>=', first).where(column, '<=', last)
    return query.where((eb) => eb.or([eb(column, '>=', first), eb(column, '<=', last)]))
  },
})

/** An anniversary is a return of the day, not the day itself. */
export const anniversary: Filter = {
  ...comesUp('employees.hired_day_of_year'),
  narrow(query, range, db) {
    const { from, until, isWholeYear } = daysOfRange(db.today, range)
    const returns = comesUp('employees.hired_day_of_year').narrow(query, range, db, {})
    return isWholeYear
      ? returns.where('employees.hired_on', '<=', daysAfter(until, -365))
      : returns.where('employees.hired_on', '<', from)
  },
}

/** What a key may not see it may not set either, item by item. */
function refuseWithheld(withheld: ReadonlySet<string>, body: Record<string, unknown>, problems: FieldProblem[]): void {
  for (const name of Object.keys(body))
    if (withheld.has((updateBody.properties as any)[name]?.['x-group']))
      problems.push({ field: name, code: 'forbidden', message: `${name} may not be set by this key` })
}

const leavesAfterHiring: Rule<typeof employees> = ({ after, fail }) => {
  if (after.hired_on && after.termination_effective_on && after.termination_effective_on < after.hired_on)
    fail('effective_from', 'too_early', 'cannot be before hired_on')
}

const terminationBody = Type.Object(
  {
    effective_from: Type.String({
      format: 'date',
      description: 'The first day on which they are no longer employed',
      examples: ['2030-06-30'],
    }),
    termination_type_id: Type.Optional(recordId('termination_types')),
    termination_reason_id: Type.Optional(recordId('termination_reasons')),
    eligible_for_rehire: Type.Optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] })),
    comment: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'text', maxLength: 65_535 })),
  },
  { title: 'TerminateEmployee' },
)

const BULK_LIMIT = 500
const updateBody = bodySchema(employees, 'update', moreInput)
const bulkItem = {
  ...updateBody,
  properties: { ...updateBody.properties, id: recordId('employees') },
  required: ['id'],
} as unknown as TObject

const BULK_ANSWER = Type.Object({
  records: Type.Object({ count: Type.Integer(), data: Type.Array(schemaOf(employees.whole)) }),
  errors: Type.Object({
    count: Type.Integer(),
    data: Type.Array(
      Type.Object(
        {
          index: Type.Integer({ description: 'The place of the item in the request, from 0' }),
          id: Type.Unsafe<unknown>({}),
          messages: Type.Array(Type.String()),
          errors: Type.Array(Type.Object({ field: Type.String(), code: Type.String(), message: Type.String() })),
        },
        { title: 'BulkError' },
      ),
    ),
  }),
}) as TObject

export const employeeOperations = [
  list(employees, { shape: employeeRow, filters, lenses }),
  list(employees, {
    shape: employeeRow,
    filters: { terminated_on: dateRange('employees.termination_effective_on') },
    always: (query, db) => withStatus(query, 'terminated', db.view.day),
    as: { id: 'listTerminatedEmployees', path: '/employees/terminated', summary: 'List employees who have left' },
  }),
  list(employees, {
    shape: employeeRow,
    filters: { date: comesUp('employees.birth_day_of_year') },
    standard: { date: {} },
    always: (query, db) => withStatus(query, 'active', db.view.day),
    as: {
      id: 'listBirthdays',
      path: '/employees/birthdays',
      summary: 'List employees whose birthday is in a range of dates',
      note: 'The next 30 days when no range is given.',
    },
  }),
  list(employees, {
    shape: employeeRow,
    filters: { date: anniversary },
    standard: { date: {} },
    always: (query, db) => withStatus(query, 'active', db.view.day),
    as: {
      id: 'listAnniversaries',
      path: '/employees/anniversaries',
      summary: 'List employees whose day of hiring returns in a range of dates',
      note: 'The next 30 days when no range is given.',
    },
  }),
  get(employees, { lenses }),
  post(employees, {
    more: moreInput,
    open: true,
    note: 'Custom fields may stand beside the other fields, by their internal names.',
    async store({ db, body, extra, ignored, problems }) {
      const [id] = await changeEmployees(db, [{ before: null, body, extra, ignored, problems }])
      if (problems.length > 0) throw invalid(problems)
      return id as number
    },
  }),
  operation(
    {
      id: 'bulkUpdateEmployees',
      method: 'PATCH',
      path: '/employees/bulk',
      summary: 'Change many employees',
      note: `Up to ${BULK_LIMIT} items, each its own success or failure.`,
      area: 'employees',
      body: Type.Object(
        {
          data: Type.Array(
            Type.Unsafe<Record<string, unknown>>({ type: 'object', examples: [{ id: 1, hired_on: '2024-02-01' }] }),
            { maxItems: BULK_LIMIT, examples: [[{ id: 1, hired_on: '2024-02-01' }]] },
          ),
        },
        { title: 'BulkUpdateEmployees' },
      ),
      open: true,
      answer: BULK_ANSWER,
    },
    async ({ db, body, ignored }) => {
      const items = body.data.map((sent) => ({ sent, ...check(bulkItem, sent) }))
      const seen = new Set<unknown>()
      for (const { values, problems } of items) {
        if (seen.has(values.id))
          problems.push({ field: 'id', code: 'repeated', message: 'id stands in the request more than once' })
        if (values.id !== undefined) seen.add(values.id)
      }
      const ids = [...seen] as number[]
      const rows = ids.length ? await db.from('employees').selectAll().where('id', 'in', ids).execute() : []
      const known = new Map(rows.map((row) => [row.id, decode(employees, row)]))
      for (const { values, problems } of items)
        if (values.id !== undefined && !known.has(values.id))
          problems.push({ field: 'id', code: 'not_found', message: 'id must be the id of an existing employee' })

      const possible = items.filter(
        ({ values, problems }) => known.has(values.id) && !problems.some(({ code }) => code === 'repeated'),
      )
      const changes: EmployeeChange[] = possible.map((item) => {
        const { id, ...values } = item.values
        const extra = Object.fromEntries(item.ignored.map((name) => [name, (item.sent as any)[name]]))
        return { before: known.get(id), body: values, extra, ignored: new Set(item.ignored), problems: item.problems }
      })
      for (const { body, problems } of changes) refuseWithheld(db.withheld, body, problems)
      await changeEmployees(db, changes)
      for (const [index, change] of changes.entries())
        for (const name of change.ignored) ignored.add(`data[${items.indexOf(possible[index]!)}].${name}`)

      const changed = possible.filter(({ problems }) => problems.length === 0).map(({ values }) => values.id)
      const data = await show(db, employees.whole, changed)
      const errors = items.flatMap(({ sent, problems }, index) =>
        problems.length
          ? [
              {
                index,
                id: (sent as any).id ?? null,
                messages: problems.map(({ message }) => message),
                errors: problems,
              },
            ]
          : [],
      )
      return { body: { records: { count: data.length, data }, errors: { count: errors.length, data: errors } } }
    },
  ),
  put(employees, {
    more: moreInput,
    open: true,
    note: 'What is not sent stays. A change of the job holds from today.',
    async store({ db, body, extra, ignored, problems }, before) {
      await changeEmployees(db, [{ before, body, extra, ignored, problems }])
      if (problems.length > 0) throw invalid(problems)
    },
  }),
  operation(
    {
      id: 'terminateEmployee',
      method: 'POST',
      path: '/employees/{id}/terminate',
      summary: 'Record that an employee leaves',
      note: 'A day in the future takes effect by itself.',
      area: 'employees',
      params: Type.Object({ id: recordId('employees') }),
      body: terminationBody,
      answer: wrapped(schemaOf(employees.whole)),
      conflicts: 'The employee has already left',
    },
    async ({ db, params, body }) => {
      const before = await find(db, employees, params.id)
      if (before.termination_effective_on && before.termination_effective_on <= db.today)
        throw conflict(`This employee has left on ${before.termination_effective_on}`)
      const termination = {
        termination_effective_on: body.effective_from,
        termination_type_id: body.termination_type_id ?? null,
        termination_reason_id: body.termination_reason_id ?? null,
        termination_eligible_for_rehire: body.eligible_for_rehire ?? null,
        termination_comment: body.comment ?? null,
      }
      await amend(db, employees, before, termination, { rules: [leavesAfterHiring] })
      return { body: { data: (await show(db, employees.whole, [params.id]))[0] } }
    },
  ),
  operation(
    {
      id: 'activateEmployee',
      method: 'POST',
      path: '/employees/{id}/activate',
      summary: 'Undo a termination',
      area: 'employees',
      params: Type.Object({ id: recordId('employees') }),
      answer: wrapped(schemaOf(employees.whole)),
      conflicts: 'No termination is recorded',
    },
    async ({ db, params }) => {
      const before = await find(db, employees, params.id)
      if (before.termination_effective_on === null) throw conflict('No termination is recorded for this employee')
      const names = ['effective_on', 'type_id', 'reason_id', 'eligible_for_rehire', 'comment']
      await amend(db, employees, before, Object.fromEntries(names.map((name) => [`termination_${name}`, null])))
      return { body: { data: (await show(db, employees.whole, [params.id]))[0] } }
    },
  ),
]
