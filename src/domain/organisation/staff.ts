import { holdsFor } from '../../engine/access-scope/reader-access.ts'
import type { With } from '../../engine/declaration.ts'
import { type FieldProblem, notFound, wrong } from '../../engine/problem.ts'
import { existing, nameable, type Rule, type UndoneChange } from '../../engine/records.ts'
import { valuesAfter } from '../../engine/undo/guard-queries.ts'
import { dateIn, type Query, type Reader } from '../../records/reader.ts'
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

/** One employment: from `hired_on` until the day before `termination_effective_on`. Null: no limit. */
export type Employment = {
  hired_on: string | null
  termination_effective_on: string | null
  tenure_since?: string | null
}

/** When a person is employed: the current employment, and the former ones in order. */
export type EmploymentPeriod = Employment & { id: number; former: readonly Employment[] }

const contains = ({ hired_on, termination_effective_on: left }: Employment, day: string) =>
  (hired_on === null || hired_on <= day) && (left === null || left > day)

/** Is the person employed on a day? */
export const isEmployedOn = (person: EmploymentPeriod, day: string): boolean =>
  contains(person, day) || person.former.some((one) => contains(one, day))

/** The last employment that had started by a day, or the first one. */
export function lastStarted({ former, ...current }: EmploymentPeriod, day: string): Employment {
  const all = [...former, current]
  return all.findLast(({ hired_on }) => hired_on === null || hired_on <= day) ?? (all[0] as Employment)
}

/** When these people are employed, as far as the caller may know of the end: one statement. */
export async function employmentsOf(db: Reader, ids: readonly number[]): Promise<Map<number, EmploymentPeriod>> {
  if (ids.length === 0) return new Map()
  const rows = await withFormerEmployments(db.from('employees'))
    .select(['employees.id', 'employees.hired_on', 'employees.termination_effective_on'])
    .select(['employees.termination_announced_on', 'employees.stored_tenure_since'])
    .where('employees.id', 'in', [...new Set(ids)])
    .execute()
  return periodsIn(db, rows)
}

/** Joins the former employments of `employees`: `periodsIn` reads them. */
export const withFormerEmployments = (query: Query): Query =>
  query
    .leftJoin('former_employments as former', (on) =>
      on.onRef('former.account_id', '=', 'employees.account_id').onRef('former.employee_id', '=', 'employees.id'),
    )
    .select(['former.hired_on as former_hired_on', 'former.termination_effective_on as former_left_on'])
    .select('former.stored_tenure_since as former_tenure_since')

/** The people of such rows, each with its former employments in order. */
export function periodsIn<P extends EmploymentPeriod>(
  db: Reader,
  rows: readonly Record<string, any>[],
): Map<number, P> {
  const people = new Map<number, P>()
  for (const [id, own] of Map.groupBy(rows, (row) => row.id as number)) {
    const [first] = own as [Record<string, any>]
    const former = own
      .flatMap((row): Employment[] =>
        row.former_hired_on === null
          ? []
          : [
              {
                hired_on: row.former_hired_on,
                termination_effective_on: row.former_left_on,
                tenure_since: row.former_tenure_since,
              },
            ],
      )
      .sort((a, b) => ((a.hired_on as string) < (b.hired_on as string) ? -1 : 1))
    const termination_effective_on = knownLeaving(db, first as TerminationDates)
    people.set(id, { ...first, tenure_since: first.stored_tenure_since, termination_effective_on, former } as never)
  }
  return people
}

/** Why a day is outside the employments of a person; undefined if it is not. */
export function whyNotEmployed(
  person: EmploymentPeriod | undefined,
  day: string,
): { code: string; message: string } | undefined {
  if (!person || isEmployedOn(person, day)) return undefined
  const { hired_on, termination_effective_on: left, former } = person
  const before = former.findLast((one) => (one.hired_on as string) <= day)
  if (hired_on !== null && day < hired_on) {
    const starts = former[0] && !before ? former[0].hired_on : hired_on
    return {
      code: before ? 'between_employments' : 'before_service',
      message: before
        ? `must not be between two employments: the former one ended before ${before.termination_effective_on}, and the next one starts on ${hired_on}`
        : `must not be before ${starts}, when the employment starts`,
    }
  }
  return { code: 'after_service', message: `must be before ${left}, the first day after employment` }
}

/** A day of an employee's record lies in one of their employments. */
export const inEmployment =
  <N extends string>(field: N): Rule<With<N | 'employee_id', string | number | null>> =>
  async ({ db, before, after, undone, fail }) => {
    const { [field]: day, employee_id } = after as Record<string, string | number | null | undefined>
    const known = (before as Record<string, unknown> | null)?.[field]
    if (typeof day !== 'string' || typeof employee_id !== 'number' || day === known || undone) return
    const outside = whyNotEmployed((await employmentsOf(db, [employee_id])).get(employee_id), day)
    if (outside) fail(field, outside.code === 'after_service' ? 'too_late' : 'too_early', outside.message)
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
  const gone = [...(await employmentsOf(db, ids)).values()].filter((person) => {
    const { termination_effective_on: left } = lastStarted(person, day)
    return left !== null && left <= day
  })
  return gone.map(({ id }) => id).sort((one, other) => one - other)
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
