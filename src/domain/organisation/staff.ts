import { holdsFor } from '../../engine/access-scope/reader-access.ts'
import type { With } from '../../engine/declaration.ts'
import { type FieldProblem, notFound, wrong } from '../../engine/problem.ts'
import { existing, nameable, type Rule, type UndoneChange } from '../../engine/records.ts'
import { valuesAfter } from '../../engine/undo/guard-queries.ts'
import { dateIn, type Reader } from '../../records/reader.ts'
import { PLANNED } from '../access/permissions.ts'
import type { RecordType } from '../custom/values.ts'

/** What any record asks of the employees that it names: that they exist, and that they are still here. */

/** Who has left cannot become anybody's lead, manager or assignee; who was one before they left may stay it. */
export const stillHere =
  <N extends string>(field: N): Rule<With<N, number | null>> =>
  async ({ db, before, changes, undone, fail }) => {
    const id = (changes as Partial<Record<N, number | null>>)[field]
    if (typeof id !== 'number' || id === (before as Partial<Record<N, number | null>> | null)?.[field]) return
    if ((await leaversAmong(db, [id])).length === 0 || (undone && (await leftAlready(db, id, undone)))) return
    fail(field, 'terminated', 'is an employee who has left')
  }

/** A day of an employee's record lies in their employment: from the day they are hired until the day before they have left. */
export const inEmployment =
  <N extends string>(field: N): Rule<With<N | 'employee_id', string | number | null>> =>
  async ({ db, before, after, undone, fail }) => {
    const { [field]: day, employee_id } = after as Record<string, string | number | null | undefined>
    const known = (before as Record<string, unknown> | null)?.[field]
    if (typeof day !== 'string' || typeof employee_id !== 'number' || day === known || undone) return
    const person = await db
      .from('employees')
      .select(['id', 'hired_on', 'termination_effective_on', 'termination_announced_on'])
      .where('id', '=', employee_id)
      .executeTakeFirst()
    if (person?.hired_on && day < person.hired_on)
      fail(field, 'too_early', `cannot be before the employment starts on ${person.hired_on}`)
    const left = person ? knownLeaving(db, person) : null
    if (left && day >= left) fail(field, 'too_late', `must be before ${left}, the first day after employment`)
  }

/** Had somebody left when a change was made that is undone now? Then they may stay what they were. */
export async function leftAlready(
  db: Reader,
  id: number,
  undone: UndoneChange,
  day = dateIn(db.account.time_zone, new Date(undone.at)),
): Promise<boolean> {
  const then = (await valuesAfter(db, 'employees', ['termination_effective_on'], [id], undone)).get(id)
  return typeof then?.termination_effective_on === 'string' && then.termination_effective_on <= day
}

/** Those of the employees who have left by a day, as far as the caller may know of it. */
export async function leaversAmong(db: Reader, ids: readonly number[], day = db.today): Promise<number[]> {
  if (ids.length === 0) return []
  const gone = await db
    .from('employees')
    .select(['id', 'termination_effective_on', 'termination_announced_on'])
    .where('id', 'in', [...ids])
    .where('termination_effective_on', '<=', day)
    .orderBy('id')
    .execute()
  return gone.flatMap((row) => (knownLeaving(db, row as TerminationDates) === null ? [] : row.id))
}

/** The employee of a path must exist, or be one of whom something new can be kept. */
export async function requireEmployee(db: Reader, id: number, known = existing): Promise<void> {
  if ((await known(db, 'employees', [id])).size === 0) throw notFound()
}

/** The employees of a list must exist. */
export async function checkEmployees(
  db: Reader,
  field: string,
  ids: readonly number[] | undefined,
  problems: FieldProblem[],
): Promise<void> {
  const known = await nameable(db, 'employees', ids ?? [])
  const unknown = [...new Set(ids)].filter((id) => !known.has(id))
  if (unknown.length === 0) return
  const which = unknown.join(', ')
  problems.push(wrong(field, 'not_found', `contains ids of employees that do not exist: ${which}`))
}

/** Custom fields may name an employee. */
export const employeeReferent: RecordType = { type: 'employee', table: 'employees', one: 'employee', idName: 'user_id' }

export type TerminationDates = {
  id: number
  termination_effective_on: string | null
  termination_announced_on: string | null
}

/** The first day on which somebody is no longer employed, as far as the caller may know of it. */
export function knownLeaving(db: Reader, person: TerminationDates): string | null {
  const { id, termination_effective_on: leaves, termination_announced_on: announced } = person
  const isKnown = leaves === null || leaves <= db.today || (announced !== null && announced <= db.today)
  return isKnown || holdsFor(db, 'employees:read', 'employees', id, PLANNED) ? leaves : null
}
