import Type, { type TSchema } from 'typebox'
import { hasOwnField } from '../../engine/dated.ts'
import { dayOfYear } from '../../engine/day.ts'
import type { Field, Fields, Resource, Row, Sent } from '../../engine/declaration.ts'
import { fold } from '../../engine/format.ts'
import { seesGroup } from '../../engine/permission.ts'
import { type FieldProblem, wrong } from '../../engine/problem.ts'
import {
  type Attempt,
  attempt,
  checkAll,
  checkButUnique,
  claimsOf,
  holdTo,
  insertAll,
  type Rule,
  storeChanges,
} from '../../engine/records.ts'
import { inOrder } from '../../engine/rule.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { knownLeaving } from '../organisation/staff.ts'
import { type NewEmployeeValue, readCustomValues, storeCustomValues } from './custom-values.ts'
import { employees } from './employees.ts'
import { checkFirstDays } from './first-day.ts'
import { formerEnds } from './former-employments.ts'
import { type EntryPlan, entriesOf, planEntry, storeEntries } from './job-changes.ts'
import { employeePositions, employmentStatuses, positionFields, statusFields } from './job-entries.ts'
import { deriveProbation, policyAmong } from './probation.ts'
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
  /** The day from which what changes of the job holds, in place of today. */
  effectiveFrom?: string | undefined
  /** The day from which those whom it concerns see a change of the job that is to come. */
  announcedOn?: string | undefined
}

const inputs = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, { input }]) => (input ? [[name, input]] : [])))

/** What a body may hold of somebody's job. */
export const jobInput: Record<string, TSchema> = {
  ...inputs(positionFields),
  ...inputs(statusFields),
  ...inputs({ reporting_to_id: employeePositions.fields.reporting_to_id }),
}

/** What a body may hold beside the employee's own fields. */
export const moreInput: Record<string, TSchema> = {
  ...jobInput,
  gender: Type.Unsafe({
    type: ['string', 'null'],
    maxLength: 255,
    format: 'line',
    description: 'Name of a gender from `/genders`; send this or `gender_id`',
    'x-group': 'personal',
    examples: ['female'],
  }),
  fields: Type.Unsafe({
    type: 'object',
    description:
      'Values of custom fields, by `internal_name` of the field. You can also send them at the top level of the body',
    'x-also': ['custom_fields'],
  }),
}

const POSITION_NAMES = [...Object.keys(positionFields), 'reporting_to_id']
const STATUS_NAMES = Object.keys(statusFields)

/** Nobody leaves before they come. */
const comesBeforeLeaving: Rule<typeof employees> = ({ db, before, changes, after, fail }) => {
  const { hired_on } = after
  const leaves = before && knownLeaving(db, { ...after, id: before.id })
  if (changes.hired_on && hired_on && leaves && hired_on > leaves)
    fail('hired_on', 'too_late', `cannot be after ${leaves}, the first day after employment`)
}

const isBorn: Rule<typeof employees> = ({ db, changes, after, fail }) => {
  const { date_of_birth: born, hired_on } = after
  if ((changes.date_of_birth || changes.hired_on) && born && hired_on && born >= hired_on) {
    if (changes.date_of_birth) fail('date_of_birth', 'too_late', 'must be before hired_on')
    else if (seesGroup(db.caller, 'personal')) fail('hired_on', 'too_early', 'must be after date_of_birth')
  }
  if (changes.date_of_birth && changes.date_of_birth > db.today)
    fail('date_of_birth', 'in_the_future', 'cannot be in the future')
}

const rules = [isBorn, inOrder('hired_on', 'probation_ends_on'), comesBeforeLeaving]
holdTo(employees, rules)

/** A change in progress: what it does to the employee and to their job. */
type PlannedChange = EmployeeChange & {
  employee: Attempt<typeof employees>
  position: EntryPlan<typeof employeePositions>
  status: EntryPlan<typeof employmentStatuses>
  values: NewEmployeeValue[]
  /** The day from which a change of the job holds. */
  from: string
}

/**
 * Checks changes of employees together and stores those that have no problems, in a number of statements that does
 * not grow with them. Returns the id of each that was stored.
 */
export async function changeEmployees(db: Writer, changes: EmployeeChange[]): Promise<(number | null)[]> {
  await readGenders(db, changes)
  await numberNewcomers(db, changes)
  const positions = await entriesOf(db, employeePositions, concerned(changes, [...POSITION_NAMES, 'hired_on']))
  const statuses = await entriesOf(db, employmentStatuses, concerned(changes, [...STATUS_NAMES, 'hired_on']))
  await readProbation(db, changes, statuses)
  const steps: PlannedChange[] = changes.map((change) => {
    const { before, body, problems } = change
    const employee = attempt(db, employees, before, withDaysOfYear(body), problems)
    const from = beginOf(change.effectiveFrom ?? db.today, before, employee.after.hired_on)
    refuseAfterLeaving(db, change)
    const moved = movedHiring(before, body)
    const job = <R extends typeof employeePositions | typeof employmentStatuses>(
      of: R,
      names: string[],
      known: ReadonlyMap<number, Row<R>[]>,
    ) => planEntry(db, of, known.get(before?.id ?? 0) ?? [], { from, moved, sent: pick(body, names), problems })
    return {
      ...change,
      employee,
      position: job(employeePositions, POSITION_NAMES, positions),
      status: job(employmentStatuses, STATUS_NAMES, statuses),
      values: [],
      from,
    }
  })
  const people = steps.map((step) => step.employee)
  await checkButUnique(db, employees, people, rules)
  await checkAll(
    db,
    employeePositions,
    steps.flatMap(({ position }) => position.entry ?? []),
  )
  await checkAll(
    db,
    employmentStatuses,
    steps.flatMap(({ status }) => status.entry ?? []),
  )
  await refuseFormerManagers(db, steps.flatMap(beginnings))
  const values = await readCustomValues(
    db,
    steps.map((step) => ({ ...step, fields: step.body.fields })),
  )
  for (const [index, step] of steps.entries()) step.values = values[index] ?? []
  await checkFirstDays(db, firstDays(steps))
  await refuseBeforeFormerEnd(db, steps)
  await checkInOrder(db, steps)
  return store(db, steps)
}

/** What began with the employment begins with it on another day, too. */
const firstDays = (steps: PlannedChange[]) =>
  steps.flatMap(({ before, body, employee }) => {
    const moved = movedHiring(before, body)
    const fail = (code: string, message: string) => employee.fail('hired_on', code, message)
    return before && moved?.from ? [{ employeeId: before.id, from: moved.from, to: moved.to, fail }] : []
  })

/** The current employment starts when the former one has ended. */
async function refuseBeforeFormerEnd(db: Reader, steps: PlannedChange[]): Promise<void> {
  const moved = steps.flatMap(({ before, body, employee }) =>
    before && body.hired_on !== undefined && body.hired_on !== before.hired_on ? [{ id: before.id, employee }] : [],
  )
  if (moved.length === 0) return
  const ends = await formerEnds(
    db,
    moved.map(({ id }) => id),
  )
  for (const { id, employee } of moved) {
    const end = ends.get(id)
    if (end && (employee.after.hired_on ?? '') < end)
      employee.fail('hired_on', 'too_early', `must not be before ${end}, when the former employment ended`)
  }
}

/** Nobody gets a job from a day on which they have left; when that is, is told to those who may know. */
function refuseAfterLeaving(db: Reader, { before, body, effectiveFrom, problems }: EmployeeChange): void {
  const left = before && effectiveFrom && knownLeaving(db, before)
  if (!left || effectiveFrom < left) return
  if (Object.keys(pick(body, [...POSITION_NAMES, ...STATUS_NAMES])).length > 0)
    problems.push(wrong('effective_from', 'too_late', `must be before ${left}, the first day after employment`))
}

/** Whom somebody would begin to report to: who is named, and who is already, when that begins on another day now. */
function beginnings({ employee, position: { move, entry }, from }: PlannedChange) {
  const named = entry ? [{ ...entry, day: from, known: entry.before?.reporting_to_id }] : []
  const redated = move ?? (entry?.changes.effective_from ? entry : null)
  if (!redated?.before) return named
  const { reporting_to_id } = redated.before
  const fail: typeof employee.fail = (_, code) =>
    employee.fail(
      'hired_on',
      code,
      `cannot be ${redated.after.effective_from}: the manager (reporting_to_id) has left by that day`,
    )
  const isReplaced = redated === entry && redated.after.reporting_to_id !== reporting_to_id
  return isReplaced
    ? named
    : [...named, { changes: { reporting_to_id }, fail, day: String(redated.after.effective_from), known: null }]
}

/** Those who are there already and whose change says any of these. */
const concerned = (changes: EmployeeChange[], names: string[]) =>
  changes.flatMap(({ before, body }) => (before && Object.keys(pick(body, names)).length > 0 ? [before.id] : []))

const pick = (body: ChangeBody, names: string[]) =>
  Object.fromEntries(Object.entries(body).filter(([name, value]) => names.includes(name) && value !== undefined))

function withDaysOfYear(body: ChangeBody): ChangeBody {
  const number = (day: string | null | undefined) => (day ? dayOfYear(day) : day === null ? null : undefined)
  return { ...body, birth_day_of_year: number(body.date_of_birth), hired_day_of_year: number(body.hired_on) }
}

/** A change of a job holds from its day, or from the day on which they begin; a first one from that day in any case. */
function beginOf(day: string, before: unknown, hiredOn: string | null | undefined): string {
  if (!hiredOn) return day
  return hiredOn > day || !before ? hiredOn : day
}

function movedHiring(before: EmployeeChange['before'], { hired_on: to }: ChangeBody) {
  return before && to && before.hired_on !== to ? { from: before.hired_on, to } : null
}

async function readGenders(db: Reader, changes: EmployeeChange[]): Promise<void> {
  const named = changes.filter(({ body }) => body.gender !== undefined && body.gender_id === undefined)
  if (named.length === 0) return
  const rows = await db.from('genders').select(['id', 'name_key']).orderBy('id').execute()
  const ids = new Map(rows.map((row) => [row.name_key, row.id]))
  for (const { body, problems } of named) {
    body.gender_id = body.gender ? ids.get(fold(body.gender)) : null
    if (body.gender_id !== undefined) continue
    problems.push(wrong('gender', 'not_found', `must be one of ${[...ids.keys()].join(', ')}`))
  }
}

/** The end of the probation follows from the policy and the day of hiring, unless it is sent. */
async function readProbation(
  db: Reader,
  changes: EmployeeChange[],
  statuses: ReadonlyMap<number, Row<typeof employmentStatuses>[]>,
): Promise<void> {
  const moves = changes.map(({ before, body, effectiveFrom }) => {
    const day = beginOf(db.today, before, before?.hired_on)
    const entries = statuses.get(before?.id ?? 0) ?? []
    const now = policyAmong(entries, day)
    // What begins later, or was followed by another policy since, is not the policy of today.
    const isSince = (from: string) => effectiveFrom !== undefined && from > effectiveFrom && from <= day
    const isFollowed = entries.some((one) => isSince(one.effective_from) && hasOwnField(one, 'probation_policy_id'))
    const isOfToday = !effectiveFrom || (effectiveFrom <= day && !isFollowed)
    const told = isOfToday ? body.probation_policy_id : undefined
    return {
      before: before && { ...before, policyId: now },
      hired_on: body.hired_on === undefined ? (before?.hired_on ?? null) : body.hired_on,
      policyId: told === undefined ? now : told,
      isSent: body.probation_ends_on !== undefined,
    }
  })
  const ends = await deriveProbation(db, moves)
  for (const [index, { body }] of changes.entries()) Object.assign(body, ends[index])
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

/** What one change may do depends on those before it: each is looked at as if these had been carried out. */
async function checkInOrder(db: Reader, steps: PlannedChange[]): Promise<void> {
  const claims = await claimsOf(
    db,
    employees,
    steps.map((step) => step.employee),
  )
  const lines = await linesOf(db, steps)
  for (const step of steps) {
    claims.take(step.employee)
    const lineAfter = lines && lineOf(step, lines)
    if (!lineAfter || step.problems.length > 0) continue
    const { before, body, employee } = step
    const field = typeof body.reporting_to_id === 'number' ? 'reporting_to_id' : 'hired_on'
    if (!lines.wouldCircle(before?.id ?? 0, lineAfter)) lines.set(before?.id ?? 0, lineAfter)
    else {
      employee.fail(
        field,
        'cycle',
        field === 'hired_on'
          ? 'is not possible: the person would report to themselves, directly or through others'
          : 'cannot be the person themselves or somebody who reports to them',
      )
      claims.giveBack(employee)
    }
  }
}

/** Do they report to somebody else by this, or to the same one from another day on? */
const movesLine = ({ position: { entry, move } }: PlannedChange) =>
  move !== null || entry?.changes.reporting_to_id !== undefined || entry?.changes.effective_from !== undefined

/** The reporting lines above all whose line changes. Who is new has nobody below them. */
async function linesOf(db: Reader, steps: PlannedChange[]): Promise<ReportingLines | null> {
  const people = steps.flatMap((step) => {
    const { before, position } = step
    return before && movesLine(step) ? [before.id, position.entry?.after.reporting_to_id ?? before.id] : []
  })
  return people.length > 0 ? ReportingLines.above(db, people) : null
}

/** The line of a person as a change would make it; null when it stays. */
function lineOf(step: PlannedChange, lines: ReportingLines) {
  const { before, from } = step
  const { entry, move } = step.position
  if (!before || !movesLine(step)) return null
  const old = entry?.before?.effective_from
  const isInPlace = entry?.after.effective_from === from
  const kept = lines
    .of(before.id)
    .map((line) =>
      line.effective_from === move?.before?.effective_from
        ? { ...line, effective_from: move.after.effective_from }
        : line,
    )
    .filter((line) => !entry || !(line.effective_from === from || (isInPlace && line.effective_from === old)))
  return timeline(entry ? [...kept, { ...entry.after, effective_from: from }] : kept)
}

async function store(db: Writer, steps: PlannedChange[]): Promise<(number | null)[]> {
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
    employeeId: step.before?.id ?? (made[newcomers.indexOf(step)] as number),
    from: step.from,
    announced: step.announcedOn ?? null,
  }))
  const moved = await storeEntries(
    db,
    employeePositions,
    stored.map((one) => ({ ...one, plan: one.step.position })),
  )
  const ownFieldsAfter = await storeEntries(
    db,
    employmentStatuses,
    stored.map((one) => ({ ...one, plan: one.step.status })),
  )
  const revalued = await storeCustomValues(
    db,
    stored.map(({ step: { values, effectiveFrom }, employeeId, from }) => ({
      employeeId,
      values,
      // Without a day, what is known of somebody who has not begun yet is known today.
      from: effectiveFrom === undefined && from > db.today ? db.today : from,
    })),
  )
  await db.touch('employees', [...moved, ...ownFieldsAfter, ...revalued])
  const ids = new Map(stored.map(({ step, employeeId }) => [step, employeeId]))
  return steps.map((step) => ids.get(step) ?? null)
}
