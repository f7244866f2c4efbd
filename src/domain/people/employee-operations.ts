import Type from 'typebox'
import { get, type Lens, list, post, put } from '../../engine/derive.ts'
import { orNull } from '../../engine/field.ts'
import { dateRange } from '../../engine/filter.ts'
import { countHeld, type HeldKind } from '../../engine/held.ts'
import { knownAt } from '../../engine/known-at.ts'
import { operation } from '../../engine/operation.ts'
import { conflict, refuse } from '../../engine/problem.ts'
import { amend, find, holdTo, type Rule } from '../../engine/records.ts'
import { recordId, schemaOf, wrapped } from '../../engine/schema.ts'
import { showOne, tablesIn } from '../../engine/shape.ts'
import { like } from '../../records/reader.ts'
import { knownLeaving } from '../organisation/staff.ts'
import { anniversary, birthday } from './celebrations.ts'
import { bulkUpdateEmployees } from './employee-bulk.ts'
import { type ChangeBody, changeEmployees, moreInput } from './employee-changes.ts'
import { asOf, employeeFilters as filters } from './employee-filters.ts'
import { employeeRow, employees } from './employees.ts'
import { employmentSources } from './employment-sources.ts'
import { rehire, requireLeaver } from './employments.ts'
import { formerEmployments } from './former-employments.ts'
import { handoverCounts } from './handover-counts.ts'
import { employeePositions, employmentStatuses } from './job-entries.ts'
import { refusePlaceholder } from './placeholder.ts'
import { announcedInTime } from './planned-changes.ts'
import { salaries } from './salaries.ts'
import { STATUS_COLUMNS, withStatus } from './status.ts'

const sorts = ['hired_on', 'last_name', 'first_name']

const onlyFields: Lens = {
  schema: Type.Array(Type.String({ maxLength: 255 }), {
    maxItems: 200,
    description: 'Which custom fields to include in the response, by `internal_name`; all by default',
    'x-also': ['custom_fields'],
  }),
  look: (db, fields) => like(db, { view: { ...db.view, fields } }),
}

/** An employee is shown from these, and found by them. */
const known_at = knownAt(() => [
  ...[employees, employeePositions, employmentStatuses, salaries].flatMap(({ whole }) => tablesIn(whole)),
  formerEmployments.table,
  ...['employee_field_values', 'employee_fields', 'employee_field_groups', 'employee_field_options'],
  'employee_skills',
])

const lenses = { known_at, as_of: asOf, fields: onlyFields }

const havingStatus = (status: string) => ({
  narrow: (query: Parameters<typeof withStatus>[0], db: { view: { day: string } }) =>
    withStatus(query, status, db.view.day),
  indexedColumns: STATUS_COLUMNS,
})

const leavesAfterHiring: Rule<typeof employees> = ({ changes, after, fail }) => {
  const { termination_effective_on: leaves } = changes
  if (after.hired_on && leaves && leaves < after.hired_on)
    fail('effective_from', 'too_early', `cannot be before hired_on, ${after.hired_on}`)
}
const leaving = [
  leavesAfterHiring,
  announcedInTime('termination_effective_on', 'termination_announced_on', 'announced_on') as Rule<typeof employees>,
]
holdTo(employees, leaving)

const terminationBody = Type.Object(
  {
    effective_from: Type.String({
      format: 'date',
      description: 'First day on which the person is no longer employed',
      examples: ['2030-06-30'],
    }),
    announced_on: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        format: 'date',
        description: 'Date from which the employee can see the termination; `effective_from` by default',
        examples: ['2030-06-01'],
      }),
    ),
    termination_type_id: Type.Optional(orNull(recordId('termination_types'))),
    termination_reason_id: Type.Optional(orNull(recordId('termination_reasons'))),
    eligible_for_rehire: Type.Optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] })),
    comment: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'text', maxLength: 65_535, 'x-group': 'notes' }),
    ),
  },
  { title: 'TerminateEmployee' },
)

const one = {
  area: 'employees',
  params: Type.Object({ id: recordId('employees') }),
  answer: wrapped(schemaOf(employees.whole)),
} as const

/** `held` are the kinds of records of all areas that an employee can hold, to be counted when one is terminated. */
export const employeeOperations = (held: readonly HeldKind[]) => [
  list(employees, {
    shape: employeeRow,
    sorts,
    standard: { status: 'active' },
    filters,
    lenses,
    sources: employmentSources,
  }),
  list(employees, {
    sorts,
    lenses: { known_at },
    filters: { terminated_on: dateRange(employees, 'termination_effective_on') },
    always: havingStatus('terminated'),
    as: { id: 'listTerminatedEmployees', path: '/employees/terminated', summary: 'List terminated employees' },
  }),
  list(employees, {
    sorts,
    lenses: { known_at },
    filters: { date: birthday },
    standard: { date: {} },
    always: havingStatus('active'),
    as: {
      id: 'listBirthdays',
      path: '/employees/birthdays',
      summary: 'List birthdays of employees',
      note: 'Lists the next 30 days, unless you filter by `date`.',
    },
  }),
  list(employees, {
    sorts,
    lenses: { known_at },
    filters: { date: anniversary },
    standard: { date: {} },
    always: havingStatus('active'),
    as: {
      id: 'listAnniversaries',
      path: '/employees/anniversaries',
      summary: 'List work anniversaries of employees',
      note: 'Lists the next 30 days, unless you filter by `date`.',
    },
  }),
  get(employees, { lenses }),
  post(employees, {
    more: moreInput,
    open: true,
    note: 'You can send custom fields at the top level of the body too, under their `internal_name`.',
    async store({ db, body, extra, ignored, problems }) {
      const [id] = await changeEmployees(db, [{ before: null, body: body as ChangeBody, extra, ignored, problems }])
      refuse(problems)
      return id as number
    },
  }),
  bulkUpdateEmployees,
  put(employees, {
    more: moreInput,
    open: true,
    note: 'Omitted fields keep their values. Changes to the job (such as department, manager or position) apply from today; for another date, create a job entry with `/employees/{employee_id}/positions`.',
    async store({ db, body, extra, ignored, problems }, before) {
      refusePlaceholder(before)
      await changeEmployees(db, [{ before, body: body as ChangeBody, extra, ignored, problems }])
      refuse(problems)
    },
  }),
  operation(
    {
      ...one,
      id: 'terminateEmployee',
      method: 'POST',
      path: '/employees/{id}/terminate',
      summary: 'Terminate an employee',
      note: 'With a future date, the person stays employed until then; nothing more needs to be sent on that date. People who report to the employee keep this manager until you change it: `handover` says what is left to hand over, and `POST /employees/{id}/handover` gives it to others.',
      body: terminationBody,
      answer: Type.Object({
        data: schemaOf(employees.whole),
        handover: handoverCounts(held),
      }),
      conflicts: 'The employee has already left',
      gathers: true,
    },
    async ({ db, params, body, problems }) => {
      const before = await find(db, employees, params.id)
      refusePlaceholder(before)
      if (before.termination_effective_on && before.termination_effective_on <= db.today)
        throw conflict(
          `This employee has already left: ${before.termination_effective_on} was the first day after employment. To end the employment on another day, cancel the termination first with POST /employees/${before.id}/activate.`,
        )
      const termination = {
        termination_effective_on: body.effective_from,
        termination_announced_on: body.announced_on ?? null,
        termination_type_id: (body.termination_type_id as number | undefined) ?? null,
        termination_reason_id: (body.termination_reason_id as number | undefined) ?? null,
        termination_eligible_for_rehire: body.eligible_for_rehire ?? null,
        termination_comment: body.comment ?? null,
      }
      await amend(db, employees, before, termination, { rules: leaving, problems })
      const holder = { table: employees.table, id: before.id, day: body.effective_from }
      const shown = await showOne(db, employees.whole, params.id)
      return { body: { ...shown, handover: await countHeld(db, held, holder) } }
    },
  ),
  operation(
    {
      ...one,
      id: 'activateEmployee',
      method: 'POST',
      path: '/employees/{id}/activate',
      summary: 'Cancel the termination of an employee',
      note: 'Send `hired_on` to rehire somebody who has left, as `POST /employees/{id}/rehire` does: the former employment stays. Without it, the employment continues as if it had not been terminated.',
      body: Type.Object(
        {
          hired_on: Type.Optional(
            Type.String({ format: 'date', description: 'First day of a new employment', examples: ['2030-07-01'] }),
          ),
        },
        { title: 'ActivateEmployee' },
      ),
      conflicts:
        'The employee has no termination that could be cancelled, or with `hired_on`: the employee has not left yet',
    },
    async ({ db, params, body }) => {
      const before = await find(db, employees, params.id)
      refusePlaceholder(before)
      if (body.hired_on) {
        requireLeaver(db, before)
        await rehire(db, before, { hired_on: body.hired_on })
        return { body: await showOne(db, employees.whole, params.id) }
      }
      if (knownLeaving(db, before) === null) throw conflict('This employee has no termination that could be cancelled.')
      await amend(db, employees, before, {
        termination_effective_on: null,
        termination_announced_on: null,
        termination_type_id: null,
        termination_reason_id: null,
        termination_eligible_for_rehire: null,
        termination_comment: null,
      })
      return { body: await showOne(db, employees.whole, params.id) }
    },
  ),
]
