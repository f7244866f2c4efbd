import Type from 'typebox'
import { inForce } from '../../engine/dated.ts'
import { countDays, daysAfter, daysFrom } from '../../engine/day.ts'
import { byId } from '../../engine/join.ts'
import { operation } from '../../engine/operation.ts'
import { columnsOf, metadata, PAGING, pagedAnswer, pageIn, rowsOfPage, sortParameter } from '../../engine/page.ts'
import { requirePermission } from '../../engine/permission.ts'
import { malformed, wrong } from '../../engine/problem.ts'
import { recordId } from '../../engine/schema.ts'
import type { Query, Reader } from '../../records/reader.ts'
import { type EmploymentPeriod, periodsIn, whyNotEmployed, withFormerEmployments } from '../organisation/staff.ts'
import { employees } from '../people/employees.ts'
import { fullName } from '../people/person.ts'
import { hereBetween } from '../people/status.ts'
import { inService } from './employment-periods.ts'
import { Schedule } from './schedule.ts'

const LONGEST = 62

const PENDING = 'Part of `worked_minutes` that waits for approval'

const DAY = Type.Object(
  {
    date: Type.String({ format: 'date' }),
    expected_minutes: Type.Integer(),
    worked_minutes: Type.Integer(),
    pending_minutes: Type.Integer({ description: PENDING }),
    break_minutes: Type.Integer(),
    leave_minutes: Type.Integer({ description: 'Approved leave of any type, in minutes' }),
    overtime_minutes: Type.Integer({ description: 'Approved overtime in minutes' }),
  },
  { title: 'TimesheetDay' },
)

const ROW = Type.Object(
  {
    employee_id: Type.Integer(),
    employee_number: Type.String(),
    full_name: Type.String(),
    email: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    expected_minutes: Type.Integer(),
    worked_minutes: Type.Integer({
      description: 'Worked time in minutes: all entries of the type `working` that are not rejected',
    }),
    pending_minutes: Type.Integer({ description: PENDING }),
    break_minutes: Type.Integer({ description: 'Breaks in minutes, without rejected entries' }),
    working_leave_minutes: Type.Integer(),
    non_working_leave_minutes: Type.Integer(),
    overtime_minutes: Type.Integer({
      description:
        'Approved overtime requests in minutes. `difference_minutes` does not include them; overtime that was also entered as working time is part of `worked_minutes`',
    }),
    difference_minutes: Type.Integer({
      description:
        '`worked_minutes` plus both kinds of leave, minus `expected_minutes`; negative if the employee worked too little',
    }),
    days: Type.Optional(
      Type.Array(DAY, {
        description: 'The same figures for each day of the range; only if the parameter `days` is true',
      }),
    ),
  },
  { title: 'Timesheet' },
)

type TimesheetPerson = EmploymentPeriod & {
  employee_number: string
  email: string | null
  first_name: string
  middle_name: string | null
  last_name: string
}

/** Entries that count. */
const notRejected = (entries: Query, status: string) => entries.where(status, '!=', 'rejected')

/**
 * Minutes by person and kind, and by day where that is asked: worked, the part of it that waits for approval, break, the
 * kinds of leave, and overtime.
 */
async function loadMinutes(
  db: Reader,
  people: ReadonlyMap<number, EmploymentPeriod>,
  /** The first day after the employment, also if it is not announced. */
  ends: ReadonlyMap<number, string | null>,
  first: string,
  last: string,
  projects: number[][],
  byDay: boolean,
): Promise<Map<string, number>> {
  const days = (column: string) => (byDay ? [column] : [])
  const ids = [...people.keys()]
  // What was entered before the day of hiring or the last day was moved is kept, but belongs to no service.
  const between = (table: string, from: string) =>
    inService(db.from(`${table} as t`).innerJoin('employees as e', byId('e', 't.employee_id')), 't.date', 'e', db)
      .where('t.employee_id', 'in', ids)
      .where('t.date', '>=', from)
      .where('t.date', '<=', last)
  const dayBefore = daysAfter(first, -1)
  let entries = notRejected(between('timesheet_entries', dayBefore), 't.status').where((eb) =>
    eb.or([eb('t.date', '>', dayBefore), eb('t.minutes_after_midnight', '>', 0)]),
  )
  for (const some of projects) entries = entries.where('t.project_id', 'in', some)
  const night = <T>(eb: T & any) =>
    eb.case().when('t.minutes_after_midnight', '>', eb.lit(0)).then(eb.ref('t.date')).end()
  const worked = await entries
    .select((eb) => [
      ...['t.employee_id', 't.type', 't.status', ...days('t.date')],
      eb.fn.sum('t.minutes').as('minutes'),
      eb.fn.sum('t.minutes_after_midnight').as('after_midnight'),
      night(eb).as('night'),
    ])
    .groupBy((eb) => ['t.employee_id', 't.type', 't.status', ...days('t.date'), night(eb)])
    .execute()
  const leave = await db
    .from('leave_entries as e')
    .innerJoin('leave_requests as r', byId('r', 'e.leave_request_id'))
    .innerJoin('leave_policy_terms as p', (on) =>
      on
        .onRef('p.account_id', '=', 'e.account_id')
        .onRef('p.leave_policy_id', '=', 'e.leave_type_policy_id')
        .onRef('p.effective_from', '<=', 'e.date')
        .onRef('p.effective_until', '>', 'e.date'),
    )
    .select((eb) => [
      'e.employee_id',
      'p.activity_type as type',
      eb.fn.sum('e.minutes').as('minutes'),
      ...days('e.date'),
    ])
    .where('e.employee_id', 'in', ids)
    .where('e.date', '>=', first)
    .where('e.date', '<=', last)
    .where('r.state', '=', 'approved')
    .groupBy(['e.employee_id', 'p.activity_type', ...days('e.date')])
    .execute()
  const overtime = await between('overtime_requests', first)
    .select((eb) => [
      't.employee_id',
      eb.val('overtime').as('type'),
      eb.fn.sum('t.minutes').as('minutes'),
      ...days('t.date'),
    ])
    .where('t.state', '=', 'approved')
    .groupBy(['t.employee_id', ...days('t.date')])
    .execute()
  const sums = new Map<string, number>()
  const add = (key: string, minutes: number) => sums.set(key, (sums.get(key) ?? 0) + minutes)
  const pending = worked
    .filter(({ type, status }) => type === 'working' && status === 'pending')
    .map((row): typeof row => ({ ...row, type: 'pending' }))
  const addOn = (row: Record<string, any>, date: string, minutes: number) => {
    if (date < first || date > last) return
    add(`${row.employee_id} ${row.type}`, minutes)
    if (byDay) add(`${row.employee_id} ${row.type} ${date}`, minutes)
  }
  for (const row of [...worked, ...pending, ...leave, ...overtime]) {
    const minutes = Number(row.minutes)
    if (row.night) {
      // What was worked after midnight counts on the next day, unless the last day of employment was the day before.
      const next = daysAfter(row.night, 1)
      const isEmployed = ends.get(row.employee_id) !== next && !whyNotEmployed(people.get(row.employee_id), next)
      const ofNext = isEmployed ? Number(row.after_midnight) : 0
      addOn(row, row.night, minutes - ofNext)
      addOn(row, next, ofNext)
    } else {
      add(`${row.employee_id} ${row.type}`, minutes)
      if (byDay) add(`${row.employee_id} ${row.type} ${row.date}`, minutes)
    }
  }
  return sums
}

const LEAVE = ['working_paid', 'not_working_paid', 'not_working_unpaid']

/** By whom the rows are: the employee's id, number or name. */
const SORTS = ['id', 'employee_number', 'last_name', 'first_name']

/** A day of the range that is asked for. */
const day = (example: string) => Type.Optional(Type.String({ format: 'date', examples: [example] }))

type TimesheetRange = { year?: number; month?: number; starts_on?: string; ends_on?: string }

/** A month, or the days from one to another. */
function rangeOf({ today }: Reader, { year, month, starts_on, ends_on }: TimesheetRange): [string, string] {
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
      throw malformed(
        wrong('ends_on', 'out_of_range', `must be on or after starts_on, and at most ${LONGEST} days after it`),
      )
    return [starts_on, ends_on]
  }
  const [thatYear, thatMonth] = [year ?? Number(today.slice(0, 4)), month ?? Number(today.slice(5, 7))]
  return [
    `${thatYear}-${String(thatMonth).padStart(2, '0')}-01`,
    new Date(Date.UTC(thatYear, thatMonth, 0)).toISOString().slice(0, 10),
  ]
}

/** Ten-thousandths of hours. */
const inMinutes = (units: number) => Math.round((units * 60) / 10_000)

const id = (table: string) => Type.Optional(recordId(table))
const ids = (table: string) => Type.Optional(Type.Array(recordId(table), { minItems: 1, maxItems: 500 }))

export const timesheetOperations = [
  operation(
    {
      id: 'listTimesheets',
      takesLong: true,
      method: 'GET',
      path: '/time/timesheets',
      summary: 'List timesheets',
      note: 'Returns one row for each employee who was employed in the month, or from `starts_on` to `ends_on`, with the expected and worked time. With `project_id` or `project_ids[]`, only employees who worked on these projects appear, and worked time includes only these projects.',
      area: 'time',
      query: Type.Object({
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
        days: Type.Optional(
          Type.Boolean({ description: 'Whether each row also lists the single days, under `days`; false by default' }),
        ),
        employee_id: id('employees'),
        employee_ids: ids('employees'),
        project_id: id('projects'),
        project_ids: ids('projects'),
        department_id: id('departments'),
        ...PAGING,
        sort: sortParameter(SORTS, 'id'),
      }),
      answer: pagedAnswer(ROW),
      indexedColumns: [
        'employees.hired_on',
        'employees.termination_effective_on',
        'employee_positions.department_id',
        'timesheet_entries.project_id',
      ],
    },
    async ({ db, query }) => {
      const [first, last] = rangeOf(db, query)
      const days = daysFrom(first, last)
      if (query.department_id) requirePermission(db.caller, 'employees:read')
      // What one parameter asks for, and what the other does.
      const projects = [query.project_id ? [query.project_id] : [], query.project_ids ?? []].filter(
        ({ length }) => length,
      )
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
      const { count, rows: asked } = await rowsOfPage(db, employees, page, inRange, {
        order,
        isSelfContained: !projects.length,
      })
      const found = await withFormerEmployments(asked)
        .select(
          ['id', 'employee_number', 'first_name', 'middle_name', 'last_name', 'email'].map(
            (name) => `employees.${name}`,
          ),
        )
        .select(['hired_on', 'termination_effective_on', 'termination_announced_on'].map((name) => `employees.${name}`))
        .execute()
      const people = periodsIn<TimesheetPerson>(db, found)
      const ends = new Map(found.map((row) => [row.id as number, row.termination_effective_on as string | null]))
      const rows = [...people.values()]
      const on = [...people.keys()]
      const schedule = on.length ? await Schedule.load(db, on, first, last) : null
      const minutes = on.length
        ? await loadMinutes(db, people, ends, first, last, projects, query.days ?? false)
        : new Map<string, number>()
      const data = rows.map((person) => {
        const sumOf = (kinds: readonly string[], day = '') =>
          kinds.reduce((total, kind) => total + (minutes.get(`${person.id} ${kind}${day && ` ${day}`}`) ?? 0), 0)
        const sum = (...kinds: string[]) => sumOf(kinds)
        const unitsOn = (day: string) => schedule?.hoursOn(person, day) ?? 0
        // Rounded once for the whole range.
        const expected_minutes = inMinutes(days.reduce((total, day) => total + unitsOn(day), 0))
        const byDay = query.days && {
          days: days.map((date) => ({
            date,
            expected_minutes: inMinutes(unitsOn(date)),
            worked_minutes: sumOf(['working'], date),
            pending_minutes: sumOf(['pending'], date),
            break_minutes: sumOf(['break'], date),
            leave_minutes: sumOf(LEAVE, date),
            overtime_minutes: sumOf(['overtime'], date),
          })),
        }
        const worked_minutes = sum('working')
        const working_leave_minutes = sum('working_paid')
        const non_working_leave_minutes = sum('not_working_paid', 'not_working_unpaid')
        return {
          employee_id: person.id,
          employee_number: person.employee_number,
          full_name: fullName(person),
          email: person.email,
          expected_minutes,
          worked_minutes,
          pending_minutes: sum('pending'),
          break_minutes: sum('break'),
          working_leave_minutes,
          non_working_leave_minutes,
          overtime_minutes: sum('overtime'),
          difference_minutes: worked_minutes + working_leave_minutes + non_working_leave_minutes - expected_minutes,
          ...byDay,
        }
      })
      return { body: { data, metadata: metadata(page, count, data.length) } }
    },
  ),
]
