import Type, { type TSchema } from 'typebox'
import type { Reader } from '../database/handle.ts'
import type { Writer } from '../database/write.ts'
import { inForce, mendEnds } from '../engine/dated.ts'
import { fold } from '../engine/format.ts'
import type { FieldProblem } from '../engine/problem.ts'
import { type Attempt, attempt, checkAll, insertAll, type Rule, storeChanges } from '../engine/records.ts'
import { decode, type Resource, type Row } from '../engine/resource.ts'
import { type NewValue, readCustomValues, storeCustomValues } from './custom-values.ts'
import { employees } from './employees.ts'
import { positionFields, statusFields } from './job-fields.ts'
import { employeePositions, employmentStatuses, refuseFormerManagers, timeline } from './job-history.ts'
import { ReportingLines } from './reporting-lines.ts'

/** One employee that is to be created or changed, by everything that a body may hold. */
export type EmployeeChange = {
  before: Row<typeof employees> | null
  body: Record<string, any>
  extra: Record<string, unknown>
  ignored: Set<string>
  problems: FieldProblem[]
}

const optional = (fields: Record<string, { input: TSchema | null }>) =>
  Object.fromEntries(Object.entries(fields).map(([name, { input }]) => [name, input as TSchema]))

/** What a body may hold beside the employee's own fields. */
export const moreInput: Record<string, TSchema> = {
  ...optional(positionFields),
  ...optional(statusFields),
  reporting_to_id: employeePositions.fields.reporting_to_id.input as TSchema,
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

const datesAreInOrder: Rule<typeof employees> = ({ db, after, changes, fail }) => {
  if (changes.date_of_birth && changes.date_of_birth > db.today)
    fail('date_of_birth', 'in_the_future', 'cannot be in the future')
  if (after.hired_on && after.probation_ends_on && after.probation_ends_on < after.hired_on)
    fail('probation_ends_on', 'too_early', 'cannot be before hired_on')
}

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
    const entry = <R extends Resource<any>>(of: R, names: string[], known: Map<number, Row<R>>) => {
      const sent = pick(body, names)
      if (Object.keys(sent).length === 0) return null
      return attempt(db, of, (before && known.get(before.id)) ?? null, sent, problems)
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
    [datesAreInOrder],
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

const pick = (body: Record<string, any>, names: string[]) =>
  Object.fromEntries(names.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]))

/** Month and day as one number, so that birthdays and anniversaries have an index: 10 December is 1210. */
export const dayOfYear = (day: string) => Number(day.slice(5, 7)) * 100 + Number(day.slice(8, 10))

function withDaysOfYear(body: Record<string, any>): Record<string, any> {
  const number = (day: string | null | undefined) => (day ? dayOfYear(day) : day)
  return { ...body, birth_day_of_year: number(body.date_of_birth), hired_day_of_year: number(body.hired_on) }
}

async function readGenders(db: Reader, changes: EmployeeChange[]): Promise<void> {
  const named = changes.filter(({ body }) => body.gender !== undefined && body.gender_id === undefined)
  if (named.length === 0) return
  const rows = await db.from('genders').select(['id', 'name_key']).execute()
  const ids = new Map(rows.map((row) => [row.name_key, row.id]))
  for (const { body, problems } of named) {
    body.gender_id = body.gender === null ? null : ids.get(fold(body.gender))
    if (body.gender_id !== undefined) continue
    problems.push({
      field: 'gender',
      code: 'not_found',
      message: `gender must be one of ${[...ids.keys()].join(', ')}`,
    })
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
  const lengths = new Map(rows.map((row) => [row.id, row.length]))
  for (const { before, body } of given) {
    const begins = body.hired_on === undefined ? before?.hired_on : body.hired_on
    const length = lengths.get(body.probation_policy_id)
    if (begins && length) body.probation_ends_on = daysAfter(begins, length)
  }
}

export const daysAfter = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** Those who come without a number get the next free whole one. */
async function numberNewcomers(db: Reader, changes: EmployeeChange[]): Promise<void> {
  const newcomers = changes.filter(({ before, body }) => !before && !body.employee_number)
  const cleared = changes.filter(({ before, body }) => before && body.employee_number === null)
  for (const { problems } of cleared)
    problems.push({ field: 'employee_number', code: 'blank', message: 'employee_number cannot be blank' })
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
async function entriesInForce<R extends Resource<any>>(
  db: Reader,
  of: R,
  ids: number[],
  changes: EmployeeChange[],
  names: string[],
): Promise<Map<number, Row<R>>> {
  if (ids.length === 0 || !changes.some(({ body }) => names.some((name) => body[name] !== undefined))) return new Map()
  const rows = await inForce(db.from(of.table), of.table, db.today)
    .selectAll()
    .where('employee_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.employee_id, decode(of, row)]))
}

/** In the order of the changes: each is looked at as if those before it had been carried out. */
async function refuseCircles(db: Reader, steps: Step[]): Promise<void> {
  const moves = steps.filter(
    (step) => step.before && step.problems.length === 0 && typeof step.position?.changes.reporting_to_id === 'number',
  )
  if (moves.length === 0) return
  const people = moves.flatMap(({ before, position }) => [before!.id, position!.changes.reporting_to_id as number])
  const lines = await ReportingLines.above(db, people)
  for (const { before, position } of moves) {
    const others = lines.of(before!.id).filter((line) => line.effective_from !== db.today)
    const fresh = {
      reporting_to_id: position!.changes.reporting_to_id as number,
      effective_from: db.today,
      effective_until: '',
    }
    const all = timeline([...others, fresh])
    if (lines.wouldCircle(before!.id, all))
      position!.fail('reporting_to_id', 'cycle', 'cannot be the person themselves or one who reports to them')
    else lines.set(before!.id, all)
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
  const idOf = new Map<Step, number>(
    sound.map((step) => [step, step.before?.id ?? (made[newcomers.indexOf(step)] as number)]),
  )
  await storeChanges(
    db,
    employees,
    sound.filter(({ before }) => before).map(({ employee }) => employee),
  )

  const moved = await storeEntries(
    db,
    employeePositions,
    sound.map((step) => [idOf.get(step)!, step.position, beginOf(db, step)]),
  )
  const restated = await storeEntries(
    db,
    employmentStatuses,
    sound.map((step) => [idOf.get(step)!, step.status, beginOf(db, step)]),
  )
  const valued = sound.filter(({ values }) => values.length > 0)
  await storeCustomValues(
    db,
    valued.map((step) => ({ employeeId: idOf.get(step)!, values: step.values, from: beginOf(db, step) })),
  )
  await db.touch('employees', [...new Set([...moved, ...restated, ...valued.map((step) => idOf.get(step)!)])])
  return steps.map((step) => idOf.get(step) ?? null)
}

/** A change of a job holds from today; a first one from the day of hiring, when that has passed. */
function beginOf(db: Reader, { before, employee }: Step): string {
  const hired = employee.after.hired_on
  return !before && hired && hired < db.today ? hired : db.today
}

/** Writes what changes a job as entries of the day: into the one that begins then, or as a new one. */
async function storeEntries<R extends Resource<any>>(
  db: Writer,
  of: R,
  all: [number, Attempt<R> | null, string][],
): Promise<number[]> {
  const fresh: Record<string, unknown>[] = []
  const changed: Attempt<R>[] = []
  const moved: number[] = []
  for (const [employee_id, entry, begin] of all) {
    if (!entry) continue
    const before = entry.before as any
    const isChange = Object.entries(entry.changes).some(([name, value]) => (before?.[name] ?? null) !== value)
    if (!isChange) continue
    moved.push(employee_id)
    if (before?.effective_from === begin) changed.push(entry)
    else fresh.push({ ...(entry.after as any), employee_id, effective_from: begin, comment: '' })
  }
  await insertAll(db, of, fresh)
  await storeChanges(db, of, changed)
  if (fresh.length > 0) await mendEnds(db, of, 'employee_id', moved)
  return moved
}
