import Type from 'typebox'
import { daysAfter, daysFrom } from '../../engine/day.ts'
import { operation } from '../../engine/operation.ts'
import { metadata, pagedAnswer } from '../../engine/page.ts'
import { breaksBy, neededBreak, timeRulesOf } from '../organisation/time-rules.ts'
import { fullName } from '../people/person.ts'
import { Schedule } from './schedule.ts'
import { EMPLOYEES, FOUND_BY, PAGE, PROJECTS, peopleOnPage, projectsIn, RANGE, rangeOf } from './timesheet-people.ts'
import { loadMinutes } from './worked-minutes.ts'

const DEDUCTED =
  'Missing breaks in minutes, deducted from `worked_minutes` by the time rule of the working pattern; 0 if the timesheet is limited to projects'

const PENDING = 'Part of `worked_minutes` that waits for approval'

const DAY = Type.Object(
  {
    date: Type.String({ format: 'date' }),
    expected_minutes: Type.Integer(),
    expected_break_minutes: Type.Integer({
      description: 'Break that `expected_minutes` of work need by the time rule of the working pattern',
    }),
    worked_minutes: Type.Integer(),
    pending_minutes: Type.Integer({ description: PENDING }),
    break_minutes: Type.Integer(),
    deducted_break_minutes: Type.Integer({ description: DEDUCTED }),
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
      description:
        'Worked time in minutes: all entries of the type `working` that are not rejected, without `deducted_break_minutes`',
    }),
    pending_minutes: Type.Integer({ description: PENDING }),
    break_minutes: Type.Integer({ description: 'Breaks in minutes, without rejected entries' }),
    deducted_break_minutes: Type.Integer({ description: DEDUCTED }),
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

const LEAVE = ['working_paid', 'not_working_paid', 'not_working_unpaid']

/** Ten-thousandths of hours. */
const inMinutes = (units: number) => Math.round((units * 60) / 10_000)

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
        ...RANGE,
        days: Type.Optional(
          Type.Boolean({ description: 'Whether each row also lists the single days, under `days`; false by default' }),
        ),
        ...EMPLOYEES,
        ...PROJECTS,
        ...PAGE,
      }),
      answer: pagedAnswer(ROW),
      indexedColumns: [...FOUND_BY, 'timesheet_entries.project_id'],
    },
    async ({ db, query }) => {
      const [first, last] = rangeOf(db, query)
      const days = daysFrom(first, last)
      const projects = projectsIn(query)
      const { people, ends, page, count } = await peopleOnPage(db, query, first, last)
      const rows = [...people.values()]
      const on = [...people.keys()]
      const schedule = on.length ? await Schedule.load(db, on, daysAfter(first, -1), last) : null
      const rules = schedule && projects.length === 0 ? await timeRulesOf(db, schedule.patternsWithRules) : null
      const breaksOn = rules && breaksBy(rules, (id, day) => schedule?.patternOn(id, day))
      const asked = { first, last, projects, byDay: query.days ?? false, breaksOn }
      const minutes = on.length ? await loadMinutes(db, people, ends, asked) : new Map<string, number>()
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
            expected_break_minutes: neededBreak(breaksOn?.(person.id, date) ?? [], inMinutes(unitsOn(date))),
            worked_minutes: sumOf(['working'], date),
            pending_minutes: sumOf(['pending'], date),
            break_minutes: sumOf(['break'], date),
            deducted_break_minutes: sumOf(['deducted'], date),
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
          deducted_break_minutes: sum('deducted'),
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
