import Type from 'typebox'
import { inForce } from '../../engine/dated.ts'
import { countDays, daysAfter } from '../../engine/day.ts'
import { columnsOf, PAGING, pageIn, rowsOfPage, sortParameter } from '../../engine/page.ts'
import { requirePermission } from '../../engine/permission.ts'
import { type FieldProblem, malformed, wrong } from '../../engine/problem.ts'
import { recordId } from '../../engine/schema.ts'
import type { Query, Reader } from '../../records/reader.ts'
import { type EmploymentPeriod, periodsIn, withFormerEmployments } from '../organisation/staff.ts'
import { employees } from '../people/employees.ts'
import { hereBetween } from '../people/status.ts'
import { notRejected } from './worked-minutes.ts'

/** Which days and people a list about time is for. */

const LONGEST = 62

/** What the rows can be sorted by. */
const SORTS = ['id', 'employee_number', 'last_name', 'first_name']

/** First or last day of the range. */
const day = (example: string) => Type.Optional(Type.String({ format: 'date', examples: [example] }))
const id = (table: string) => Type.Optional(recordId(table))
const ids = (table: string) => Type.Optional(Type.Array(recordId(table), { minItems: 1, maxItems: 500 }))

export const RANGE = {
  month: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 12,
      description:
        'Month from 1 to 12; the current month by default. Cannot be combined with `starts_on` and `ends_on`',
    }),
  ),
  year: Type.Optional(
    Type.Integer({
      minimum: 1900,
      maximum: 2200,
      description: 'Year of the `month`; the current year by default',
    }),
  ),
  starts_on: day('2026-01-01'),
  ends_on: day('2026-01-31'),
}

export const EMPLOYEES = { employee_id: id('employees'), employee_ids: ids('employees') }
export const PROJECTS = { project_id: id('projects'), project_ids: ids('projects') }
export const PAGE = { department_id: id('departments'), ...PAGING, sort: sortParameter(SORTS, 'id') }

/** The columns by which `peopleOnPage` finds people. */
export const FOUND_BY = ['employees.hired_on', 'employees.termination_effective_on', 'employee_positions.department_id']

type AskedRange = {
  month?: number | undefined
  year?: number | undefined
  starts_on?: string | undefined
  ends_on?: string | undefined
}

/** A month, or the days from one to another. */
export function rangeOf(
  { today }: Reader,
  { year, month, starts_on, ends_on }: AskedRange,
  refused: (problem: FieldProblem) => Error = malformed,
): [string, string] {
  if (starts_on !== undefined || ends_on !== undefined) {
    if (year !== undefined || month !== undefined)
      throw malformed(
        wrong(
          'starts_on',
          'not_allowed',
          'cannot be combined with month and year. Send starts_on and ends_on, or month and year',
        ),
      )
    if (starts_on === undefined) throw malformed(wrong('starts_on', 'required', 'is required when ends_on is sent'))
    if (ends_on === undefined) throw malformed(wrong('ends_on', 'required', 'is required when starts_on is sent'))
    if (ends_on < starts_on || countDays(starts_on, ends_on) > LONGEST)
      throw refused(
        wrong('ends_on', 'out_of_range', `must be on or after starts_on, in a range of at most ${LONGEST} days`),
      )
    return [starts_on, ends_on]
  }
  const [thatYear, thatMonth] = [year ?? Number(today.slice(0, 4)), month ?? Number(today.slice(5, 7))]
  return [
    `${thatYear}-${String(thatMonth).padStart(2, '0')}-01`,
    new Date(Date.UTC(thatYear, thatMonth, 0)).toISOString().slice(0, 10),
  ]
}

type AskedPeople = Parameters<typeof pageIn>[0] & {
  employee_id?: number | undefined
  employee_ids?: number[] | undefined
  project_id?: number | undefined
  project_ids?: number[] | undefined
  department_id?: number | undefined
  sort?: string | undefined
}

export type TimesheetPerson = EmploymentPeriod & {
  employee_number: string
  email: string | null
  first_name: string
  middle_name: string | null
  last_name: string
}

/** The projects of both parameters; a row must match each list. */
export const projectsIn = (query: AskedPeople): number[][] =>
  [query.project_id ? [query.project_id] : [], query.project_ids ?? []].filter(({ length }) => length)

/** The people of a page who were employed between two days, with the first day after their employment, also if it is not announced. */
export async function peopleOnPage(db: Reader, query: AskedPeople, first: string, last: string) {
  if (query.department_id) requirePermission(db.caller, 'employees:read')
  const projects = projectsIn(query)
  const inRange = (all: Query, by: Reader = db) => {
    let people = hereBetween(all, first, last, by)
    if (query.employee_id) people = people.where('employees.id', '=', query.employee_id)
    if (query.employee_ids?.length) people = people.where('employees.id', 'in', query.employee_ids)
    if (query.department_id)
      people = people.where(
        'employees.id',
        'in',
        inForce(by.from('employee_positions'), 'employee_positions', by.today)
          .select('employee_id')
          .where('department_id', '=', query.department_id),
      )
    for (const some of projects)
      people = people.where(
        'employees.id',
        'in',
        notRejected(by.from('timesheet_entries'), 'status')
          .select('employee_id')
          .where('project_id', 'in', some)
          .where('date', '>=', daysAfter(first, -1))
          .where('date', '<=', last)
          .where((eb) => eb.or([eb('date', '>=', first), eb('minutes_after_midnight', '>', 0)])),
      )
    return people
  }
  const page = pageIn(query)
  const order = columnsOf(db, employees, query.sort ?? 'id')
  const { count, rows } = await rowsOfPage(db, employees, page, inRange, { order, isSelfContained: !projects.length })
  const found = await withFormerEmployments(rows)
    .select(
      ['id', 'employee_number', 'first_name', 'middle_name', 'last_name', 'email'].map((name) => `employees.${name}`),
    )
    .select(['hired_on', 'termination_effective_on', 'termination_announced_on'].map((name) => `employees.${name}`))
    .execute()
  const people = periodsIn<TimesheetPerson>(db, found)
  const ends = new Map(found.map((row) => [row.id as number, row.termination_effective_on as string | null]))
  return { people, ends, page, count }
}
