import Type, { type TSchema } from 'typebox'
import { type Dated, inForce, mendEnds } from '../engine/dated.ts'
import { dayOfYear, daysAfter } from '../engine/day.ts'
import type { Field, Fields, Made, Resource, Row, Sent } from '../engine/declaration.ts'
import { fold } from '../engine/format.ts'
import { type FieldProblem, wrong } from '../engine/problem.ts'
import { type Attempt, attempt, checkAll, insertAll, type Rule, rowsOf, storeChanges } from '../engine/records.ts'
import { inOrder } from '../engine/rule.ts'
import type { Reader } from '../ledger/reader.ts'
import type { Writer } from '../ledger/write.ts'
import { type NewValue, readCustomValues, storeCustomValues } from './custom-values.ts'
import { employees } from './employees.ts'
import { employeePositions, employmentStatuses, positionFields, statusFields } from './job-entries.ts'
import { ReportingLines, refuseFormerManagers, timeline } from './reporting-lines.ts'

/** What a body says about an employee: the person, their position and employment status from today on, and more. */
export type ChangeBody = Sent<typeof employees> &
  Sent<Resource<typeof positionFields & typeof statusFields & { reporting_to_id: Field<number | null> }>> & {
    gender?: string | null
    fields?: Record<string, unknown>
  }

/** One employee that is to be created or changed, by everything that a body may hold. */
export type EmployeeChange = {
  before: Row<typeof employees> | null
  body: ChangeBody
  extra: Record<string, unknown>
  ignored: Set<string>
  problems: FieldProblem[]
}

const inputs = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, { input }]) => (input ? [[name, input]] : [])))

/** What a body may hold beside the employee's own fields. */
export const moreInput: Record<string, TSchema> = {
  ...inputs(positionFields),
  ...inputs(statusFields),
  ...inputs({ reporting_to_id: employeePositions.fields.reporting_to_id }),
  gender: Type.Unsafe({
    type: ['string', 'null'],
    maxLength: 255,
    format: 'line',
    description: 'The name of a gender, in place of gender_id',
    'x-group': 'personal',
    examples: ['female'],
  }),
  fields: Type.Unsafe({
    type: 'object',
    description: 'Custom fields by their internal names; they may also stand beside the other fields',
  }),
}

const POSITION_NAMES = [...Object.keys(positionFields), 'reporting_to_id']
const STATUS_NAMES = Object.keys(statusFields)

const isBorn: Rule<typeof employees> = ({ db, changes, fail }) => {
  if (changes.date_of_birth && changes.date_of_birth > db.today)
    fail('date_of_birth', 'in_the_future', 'cannot be in the future')
}

type Entry = Dated & Resource<{ employee_id: Field<number> }>

/** A change on its way: what it makes of the employee and of the entries that are in force today. */
type Step = EmployeeChange & {
  employee: Attempt<typeof employees>
  position: Attempt<typeof employeePositions> | null
  status: Attempt<typeof employmentStatuses> | null
  values: NewValue[]
}

/**
 * Checks changes of employees together and stores those that have no problems, in a number of statements that does
 * not grow with them. Returns the id of each that was stored.
 */
export async function changeEmployees(db: Writer, changes: EmployeeChange[]): Promise<(number | null)[]> {
  await readGenders(db, changes)
  await readProbation(db, changes)
  await numberNewcomers(db, changes)
  const current = changes.flatMap(({ before }) => (before ? [before.id] : []))
  const positions = await entriesInForce(db, employeePositions, current, changes, POSITION_NAMES)
  const statuses = await entriesInForce(db, employmentStatuses, current, changes, STATUS_NAMES)

  const steps: Step[] = changes.map((change) => {
    const { before, body, problems } = change
    const entry = <R extends Resource>(of: R, names: string[], known: Map<number, Row<R>>) => {
      const sent = pick(body, names)
      if (Object.keys(sent).length === 0) return null
      return attempt(db, of, (before && known.get(before.id)) ?? null, sent as Sent<R>, problems)
    }
    return {
      ...change,
      employee: attempt(db, employees, before, withDaysOfYear(body), problems),
      position: entry(employeePositions, POSITION_NAMES, positions),
      status: entry(employmentStatuses, STATUS_NAMES, statuses),
      values: [],
    }
  })
  await checkAll(
    db,
    employees,
    steps.map((step) => step.employee),
    [isBorn, inOrder('hired_on', 'probation_ends_on')],
  )
  const positionAttempts = steps.flatMap(({ position }) => position ?? [])
  await checkAll(db, employeePositions, positionAttempts)
  await checkAll(
    db,
    employmentStatuses,
    steps.flatMap(({ status }) => status ?? []),
  )
  await refuseFormerManagers(db, positionAttempts)
  const values = await readCustomValues(
    db,
    steps.map((step) => ({ ...step, fields: step.body.fields })),
  )
  for (const [index, step] of steps.entries()) step.values = values[index] ?? []
  await refuseCircles(db, steps)

  return store(db, steps)
}

const pick = (body: ChangeBody, names: string[]) =>
  Object.fromEntries(Object.entries(body).filter(([name, value]) => names.includes(name) && value !== undefined))

function withDaysOfYear(body: ChangeBody): ChangeBody {
  const number = (day: string | null | undefined) => (day ? dayOfYear(day) : day === null ? null : undefined)
  return { ...body, birth_day_of_year: number(body.date_of_birth), hired_day_of_year: number(body.hired_on) }
}

async function readGenders(db: Reader, changes: EmployeeChange[]): Promise<void> {
  const named = changes.filter(({ body }) => body.gender !== undefined && body.gender_id === undefined)
  if (named.length === 0) return
  const rows = await db.from('genders').select(['id', 'name_key']).execute()
  const ids = new Map(rows.map((row) => [row.name_key, row.id]))
  for (const { body, problems } of named) {
    body.gender_id = body.gender ? ids.get(fold(body.gender)) : null
    if (body.gender_id !== undefined) continue
    problems.push(wrong('gender', 'not_found', `must be one of ${[...ids.keys()].join(', ')}`))
  }
}

/** A probation policy sets the end of the probation, unless that is sent too. */
async function readProbation(db: Reader, changes: EmployeeChange[]): Promise<void> {
  const given = changes.filter(
    ({ body }) => typeof body.probation_policy_id === 'number' && body.probation_ends_on === undefined,
  )
  if (given.length === 0) return
  const ids = [...new Set(given.map(({ body }) => body.probation_policy_id))]
  const rows = await db.from('probation_policies').select(['id', 'length']).where('id', 'in', ids).execute()
  const lengths = new Map<unknown, number>(rows.map((row) => [row.id, row.length]))
  for (const { before, body } of given) {
    const begins = body.hired_on === undefined ? before?.hired_on : body.hired_on
    const length = lengths.get(body.probation_policy_id)
    if (begins && length) body.probation_ends_on = daysAfter(begins, length)
  }
}

/** Those who come without a number get the next free whole one. */
async function numberNewcomers(db: Reader, changes: EmployeeChange[]): Promise<void> {
  const newcomers = changes.filter(({ before, body }) => !before && !body.employee_number)
  const cleared = changes.filter(({ before, body }) => before && body.employee_number === null)
  for (const { problems } of cleared) problems.push(wrong('employee_number', 'blank', 'cannot be blank'))
  for (const { body } of cleared) delete body.employee_number
  if (newcomers.length === 0) return
  const counter = await db.from('counters').select('last_id').where('resource', '=', 'employees').executeTakeFirst()
  const wanted = new Set(changes.map(({ body }) => body.employee_number))
  let next = (counter?.last_id ?? 0) + 1
  for (const { body } of newcomers) {
    while (wanted.has(String(next)) || (await isTaken(db, String(next)))) next++
    body.employee_number = String(next++)
  }
}

const isTaken = async (db: Reader, number: string) =>
  Boolean(await db.from('employees').select('id').where('employee_number_key', '=', number).executeTakeFirst())

/** The entries in force today of those whose job is to change. */
async function entriesInForce<R extends Resource & Entry>(
  db: Reader,
  of: R,
  ids: number[],
  changes: EmployeeChange[],
  names: string[],
): Promise<Map<number, Row<R>>> {
  if (ids.length === 0 || !changes.some(({ body }) => Object.keys(pick(body, names)).length > 0)) return new Map()
  const rows = await rowsOf(of, inForce(db.from(of.table), of.table, db.today).where('employee_id', 'in', ids))
  return new Map(rows.map((row) => [(row as Row<Entry>).employee_id, row]))
}

/** In the order of the changes: each is looked at as if those before it had been carried out. */
async function refuseCircles(db: Reader, steps: Step[]): Promise<void> {
  const moves = steps.flatMap(({ before, position, problems }) => {
    const managerId = position?.changes.reporting_to_id
    return before && problems.length === 0 && typeof managerId === 'number' ? [{ before, position, managerId }] : []
  })
  if (moves.length === 0) return
  const lines = await ReportingLines.above(
    db,
    moves.flatMap(({ before, managerId }) => [before.id, managerId]),
  )
  for (const { before, position, managerId } of moves) {
    const others = lines.of(before.id).filter((line) => line.effective_from !== db.today)
    const all = timeline([...others, { reporting_to_id: managerId, effective_from: db.today, effective_until: '' }])
    if (lines.wouldCircle(before.id, all))
      position?.fail('reporting_to_id', 'cycle', 'cannot be the person themselves or one who reports to them')
    else lines.set(before.id, all)
  }
}

async function store(db: Writer, steps: Step[]): Promise<(number | null)[]> {
  const sound = steps.filter((step) => step.problems.length === 0)
  const newcomers = sound.filter(({ before }) => !before)
  const made = await insertAll(
    db,
    employees,
    newcomers.map(({ employee }) => employee.after),
  )
  await storeChanges(
    db,
    employees,
    sound.filter(({ before }) => before).map(({ employee }) => employee),
  )
  const stored = sound.map((step) => ({
    step,
    id: step.before?.id ?? (made[newcomers.indexOf(step)] as number),
    from: beginOf(db, step),
  }))
  const moved = await storeEntries(
    db,
    employeePositions,
    stored.map(({ step, id, from }) => ({ employeeId: id, entry: step.position, from })),
  )
  const restated = await storeEntries(
    db,
    employmentStatuses,
    stored.map(({ step, id, from }) => ({ employeeId: id, entry: step.status, from })),
  )
  const revalued = await storeCustomValues(
    db,
    stored.map(({ step, id, from }) => ({ employeeId: id, values: step.values, from })),
  )
  await db.touch('employees', [...moved, ...restated, ...revalued])
  const ids = new Map(stored.map(({ step, id }) => [step, id]))
  return steps.map((step) => ids.get(step) ?? null)
}

/** A change of a job holds from today; a first one from the day of hiring, when that has passed. */
function beginOf(db: Reader, { before, employee }: Step): string {
  const hired = employee.after.hired_on
  return !before && hired && hired < db.today ? hired : db.today
}

/** Writes what changes a job as entries of the day: into the one that begins then, or as a new one. */
async function storeEntries<R extends Resource & Entry>(
  db: Writer,
  of: R,
  all: { employeeId: number; entry: Attempt<R> | null; from: string }[],
): Promise<number[]> {
  const fresh: Made<R>[] = []
  const changed: Attempt<R>[] = []
  const moved: number[] = []
  for (const { employeeId, entry, from } of all) {
    if (!entry) continue
    const before: Record<string, unknown> | null = entry.before
    const isChange = Object.entries(entry.changes).some(([name, value]) => (before?.[name] ?? null) !== value)
    if (!isChange) continue
    moved.push(employeeId)
    if (before?.effective_from === from) changed.push(entry)
    else fresh.push({ ...entry.after, employee_id: employeeId, effective_from: from, comment: '' } as Made<R>)
  }
  await insertAll(db, of, fresh)
  await storeChanges(db, of, changed)
  if (fresh.length > 0) await mendEnds(db, of, 'employee_id', moved)
  return moved
}
