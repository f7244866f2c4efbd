import Type, { type TSchema } from 'typebox'
import { FOREVER, mendEntries } from '../../engine/dated.ts'
import { daysAfter } from '../../engine/day.ts'
import type { Made, Row, Sent, Shape } from '../../engine/declaration.ts'
import { get, MOST_OWNED, post, put, remove } from '../../engine/derive.ts'
import { orNull } from '../../engine/field.ts'
import { operation } from '../../engine/operation.ts'
import { conflict, type FieldProblem, notFound, refuse, within, wrong } from '../../engine/problem.ts'
import { amend, create, eraseAll, find, insertAll, rowsOf } from '../../engine/records.ts'
import { card } from '../../engine/resource.ts'
import { bodySchema, recordId, schemaOf, schemaWith, wrapped, wrappedList } from '../../engine/schema.ts'
import { fetchShape, showOne } from '../../engine/shape.ts'
import { check } from '../../engine/validate.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { knownLeaving, leaversAmong } from '../organisation/staff.ts'
import { type ChangeBody, changeEmployees, jobInput } from './employee-changes.ts'
import { employees } from './employees.ts'
import { formerEmploymentRules, formerEmployments } from './former-employments.ts'
import { entriesOf, holdingAmong } from './job-changes.ts'
import { employeePositions, employmentStatuses } from './job-entries.ts'
import { refusePlaceholder } from './placeholder.ts'
import { deriveProbation, policyAmong } from './probation.ts'
import { salaries, salaryRules } from './salaries.ts'

/** The employments of a person, and hiring somebody again. */

const salaryFields = salaries.fields

export const firstSalary = (note: string) =>
  Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    description: note,
    'x-group': 'compensation',
    properties: {
      amount: salaryFields.amount.input,
      currency_code: salaryFields.currency_code.input,
      per: salaryFields.per.input,
    },
  })

/** What is sent for a new employment of somebody who was here before. */
export type Rehiring = { hired_on: string; salary?: Record<string, unknown> | null } & Partial<
  Pick<ChangeBody, 'probation_ends_on' | 'probation_policy_id'>
> &
  Record<string, unknown>

/** Can this person be hired again? */
export const hasLeft = (db: Reader, person: Row<typeof employees>): boolean => {
  const left = knownLeaving(db, person)
  return left !== null && left <= db.today
}

const TERMINATION = [
  'termination_effective_on',
  'termination_type_id',
  'termination_reason_id',
  'termination_eligible_for_rehire',
  'termination_comment',
] as const

/**
 * Starts a new employment of somebody who has left, and keeps the one before. Job and pay go on as they were on the last day,
 * apart from what is sent. What was planned for days after leaving never applied, so it is deleted.
 */
export async function rehire(db: Writer, person: Row<typeof employees>, sent: Rehiring): Promise<void> {
  const { salary, ...body } = sent
  const { hired_on } = body
  const left = person.termination_effective_on as string
  const problems: FieldProblem[] = []
  if (hired_on < left)
    problems.push(wrong('hired_on', 'too_early', `must not be before ${left}, the first day after the employment`))
  if (person.hired_on === null)
    problems.push(
      wrong('hired_on', 'not_allowed', 'is not possible: the former employment has no hired_on. Set it first'),
    )
  refuse(problems)
  await deleteNeverApplied(db, person.id, left)
  const statuses = (await entriesOf(db, employmentStatuses, [person.id])).get(person.id) ?? []
  const policyId = body.probation_policy_id === undefined ? policyAmong(statuses, hired_on) : body.probation_policy_id
  const isSent = body.probation_ends_on !== undefined
  const [probation] = await deriveProbation(db, [{ before: null, hired_on, policyId, isSent }])
  await amend(
    db,
    employees,
    person,
    {
      hired_on,
      probation_ends_on: body.probation_ends_on ?? null,
      probation_end_is_derived: false,
      ...probation,
      ...Object.fromEntries(TERMINATION.map((name) => [name, null])),
      termination_announced_on: null,
    } as Sent<typeof employees>,
    { problems },
  )
  const former = Object.fromEntries(TERMINATION.map((name) => [name, person[name]]))
  const { probation_ends_on, stored_tenure_since } = person
  await create(
    db,
    formerEmployments,
    { employee_id: person.id, hired_on: person.hired_on, probation_ends_on, stored_tenure_since, ...former } as Sent<
      typeof formerEmployments
    >,
    { rules: formerEmploymentRules },
  )
  await restateJob(db, person.id, hired_on)
  const job = { ...(await withoutLeaver(db, person.id, hired_on)), ...body } as unknown as ChangeBody
  const { hired_on: _, ...changes } = job
  await changeEmployees(db, [
    {
      before: await find(db, employees, person.id),
      body: changes,
      extra: {},
      ignored: new Set(),
      problems,
      effectiveFrom: hired_on,
    },
  ])
  refuse(problems)
  await payFrom(db, person.id, hired_on, salary ?? null)
}

/** The job of a new employment is its own: a correction of the former one does not change it. */
async function restateJob(db: Writer, id: number, hired_on: string): Promise<void> {
  await restate(db, employeePositions, id, hired_on)
  await restate(db, employmentStatuses, id, hired_on)
}

async function restate(db: Writer, of: typeof employeePositions | typeof employmentStatuses, id: number, day: string) {
  const { id: _, ...last } = ((await entriesOf(db, of, [id])).get(id) ?? []).at(-1) ?? { id: 0, effective_from: day }
  if (last.effective_from === day) return
  const dates = {
    effective_from: day,
    effective_until: FOREVER,
    known_on: day,
    announced_on: null,
    end_announced_on: null,
  }
  await insertAll(db, of, [
    { ...last, ...dates, ...('comment' in last ? { comment: '' } : {}), stated: of.inherits } as Made<typeof of>,
  ])
  await mendEntries(db, of, 'employee_id', [id])
}

/** Entries of job and pay from the day of leaving on. */
async function deleteNeverApplied(db: Writer, id: number, left: string): Promise<void> {
  for (const entries of [employeePositions, employmentStatuses]) {
    const planned = db.from(entries.table).where('employee_id', '=', id).where('effective_from', '>=', left)
    const rows = await rowsOf(entries, planned)
    if (rows.length === 0) continue
    await eraseAll(db, entries, rows as never[])
    await mendEntries(db, entries, 'employee_id', [id])
  }
  const pay = db.from(salaries.table).where('employee_id', '=', id).where('effective_on', '>=', left)
  await eraseAll(db, salaries, await rowsOf(salaries, pay))
}

/** Nobody starts with a manager who has left by then. */
async function withoutLeaver(db: Reader, id: number, day: string): Promise<{ reporting_to_id?: null }> {
  const entries = (await entriesOf(db, employeePositions, [id])).get(id) ?? []
  const manager = holdingAmong(entries, day)?.reporting_to_id ?? null
  return manager !== null && (await leaversAmong(db, [manager], day)).length > 0 ? { reporting_to_id: null } : {}
}

/** The salary from the first day on: the one that is sent, or the last one again. */
async function payFrom(db: Writer, id: number, hired_on: string, sent: Record<string, unknown> | null): Promise<void> {
  const paid = await rowsOf(salaries, db.from(salaries.table).where('employee_id', '=', id), ['effective_on'])
  const last = paid.at(-1)
  if (!sent) {
    const { id: _, ...again } = last ?? { id: 0 }
    if (last) await insertAll(db, salaries, [{ ...again, effective_on: hired_on, announced_on: null, comment: '' }])
    return
  }
  const salary = check(bodySchema(salaries, 'create'), {
    effective_on: hired_on,
    ...(last ? { currency_code: last.currency_code, per: last.per } : {}),
    ...sent,
  })
  refuse(within('salary', salary.problems))
  await create(db, salaries, { ...salary.values, employee_id: id } as Sent<typeof salaries>, { rules: salaryRules })
}

/** Somebody who can be rehired; 409 for others. */
export function requireLeaver(db: Reader, person: Row<typeof employees>): void {
  refusePlaceholder(person)
  if (!hasLeft(db, person))
    throw conflict(
      knownLeaving(db, person) === null
        ? 'This employee has not left. Only somebody whose employment has ended can be rehired.'
        : `This employee is employed until before ${person.termination_effective_on} and can be rehired from then on. To continue the employment, cancel the termination with POST /employees/${person.id}/activate.`,
    )
}

const shown = ['hired_on', 'probation_ends_on', 'tenure_since', ...TERMINATION]
const currentShape = card(employees, 'CurrentEmployment', shown)
const formerShape = card(formerEmployments, 'FormerEmployment', ['id', ...shown])
const typeShape = card(employmentStatuses, 'EmploymentTypeThen', ['employment_type_id'])
const entityShape = card(employeePositions, 'LegalEntityThen', ['legal_entity_id'])

const EMPLOYMENT = schemaWith('EmploymentEntry', [currentShape, typeShape, entityShape], {
  id: orNull(Type.Integer({ description: 'ID of a former employment; null for the current one' })),
  current: Type.Boolean({
    description: 'True for the employment that the employee record shows: the last one, also if it has ended',
  }),
})

type Shown = { hired_on: string | null; termination_effective_on: string | null }

/** The last day of an employment so far, or its first one if it is still to come. */
function dayToShow({ hired_on, termination_effective_on: end }: Shown, today: string): string {
  const last = end !== null && end <= today ? daysAfter(end, -1) : today
  return hired_on !== null && hired_on > last ? hired_on : last
}

/** What the entries of somebody show on a day. */
async function entryOn(db: Reader, shape: Shape, id: number): Promise<(day: string) => Record<string, unknown>> {
  const { table } = shape.resource
  const query = db.from(table).where(`${table}.employee_id`, '=', id)
  const entries = await fetchShape(db, shape, query, { order: ['effective_from'], also: ['effective_from'] })
  const none = Object.fromEntries(Object.keys(schemaOf(shape).properties).map((name) => [name, null]))
  return (day) => entries.findLast(({ row }) => (row.effective_from as string) <= day)?.record ?? none
}

const rehireBody = Type.Object(
  {
    hired_on: Type.String({
      format: 'date',
      description: 'First day of the new employment, on or after the first day that the person was no longer employed',
      examples: ['2030-07-01'],
    }),
    probation_ends_on: Type.Optional({
      ...(employees.fields.probation_ends_on.input as TSchema),
      description: 'Last day of the probation period; by default it follows from the probation policy. Null: none',
      examples: ['2030-12-31'],
    } as TSchema),
    ...Object.fromEntries(Object.entries(jobInput).map(([name, input]) => [name, Type.Optional(input)])),
    salary: Type.Optional(
      firstSalary(
        'Salary from `hired_on` on: `amount`, `currency_code` and `per`, both by default those of the last salary. Without it, the last salary applies again',
      ),
    ),
  },
  { title: 'RehireEmployee' },
)

export const employmentOperations = [
  operation(
    {
      id: 'listEmployments',
      method: 'GET',
      path: formerEmployments.path,
      summary: 'List the employments of an employee',
      note: 'Oldest first. The last one is the current employment, which you change with the employee. Former employments are changed here. Type and legal entity are those of the last day of the employment, or of today.',
      area: 'employees',
      params: Type.Object({ employee_id: recordId('employees') }),
      answer: wrappedList(EMPLOYMENT),
      indexedColumns: ['former_employments.employee_id'],
    },
    async ({ db, params: { employee_id: id } }) => {
      const [current] = await fetchShape(db, currentShape, [id])
      if (!current) throw notFound()
      const ownFormer = db.from(formerEmployments.table).where('former_employments.employee_id', '=', id)
      const former = await fetchShape(db, formerShape, ownFormer, { order: ['hired_on'] })
      const typeOn = await entryOn(db, typeShape, id)
      const entityOn = await entryOn(db, entityShape, id)
      const all = [...former.map(({ record }) => record), { ...current.record, id: null }] as (Shown & {
        id: unknown
      })[]
      const data = all.map((one) => {
        const day = dayToShow(one, db.today)
        return { ...one, current: one.id === null, ...typeOn(day), ...entityOn(day) }
      })
      return { body: { data } }
    },
  ),
  get(formerEmployments),
  post(formerEmployments, {
    rules: formerEmploymentRules,
    most: MOST_OWNED,
    note: 'Adds a former employment, for example one from before Cadre was used. To hire somebody again, use `POST /employees/{id}/rehire`.',
  }),
  put(formerEmployments, { rules: formerEmploymentRules }),
  remove(formerEmployments, {
    conflicts: null,
    note: 'Job history, pay and leave of that time stay.',
  }),
  operation(
    {
      id: 'rehireEmployee',
      method: 'POST',
      path: '/employees/{id}/rehire',
      summary: 'Rehire an employee',
      note: 'Starts a new employment of somebody who has left. The former one stays with its dates and reasons, see `GET /employees/{employee_id}/employments`. The new employment has job entries and a salary of its own from `hired_on` on: what you omit is as it was on the last day, but a manager who has left is removed. Entries of job and pay that were planned for a time after leaving are deleted: they never applied. Leave starts again at 0.',
      area: 'employees',
      params: Type.Object({ id: recordId('employees') }),
      body: rehireBody,
      answer: wrapped(schemaOf(employees.whole)),
      conflicts: 'The employee has not left yet',
      gathers: true,
    },
    async ({ db, params, body, problems }) => {
      const before = await find(db, employees, params.id)
      refuse(problems)
      requireLeaver(db, before)
      await rehire(db, before, body as unknown as Rehiring)
      return { body: await showOne(db, employees.whole, params.id) }
    },
  ),
]
