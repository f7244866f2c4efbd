import Type from 'typebox'
import type { Reader } from '../database/handle.ts'
import { inForce } from '../engine/dated.ts'
import { metadata, PAGE, PAGE_SIZE, pagedAnswer } from '../engine/derive.ts'
import { operation, recordId } from '../engine/operation.ts'
import { fullName } from '../people/employees.ts'

const ROW = Type.Object(
  {
    employee_id: Type.Integer(),
    employee_number: Type.String(),
    full_name: Type.String(),
    email: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    expected_minutes: Type.Integer(),
    worked_minutes: Type.Integer(),
    break_minutes: Type.Integer(),
    working_leave_minutes: Type.Integer(),
    non_working_leave_minutes: Type.Integer(),
    difference_minutes: Type.Integer({ description: 'Worked and leave minutes less the expected ones' }),
  },
  { title: 'Timesheet' },
)

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

/** Monday to Friday, eight hours: what holds for those who have no pattern. */
const STANDARD: Record<string, number> = Object.fromEntries(
  WEEKDAYS.map((day, n) => [`${day}_hours`, n === 0 || n === 6 ? 0 : 80_000]),
)

/** The days of a month, each with its weekday. */
export function daysOfMonth(year: number, month: number): { day: string; weekday: string }[] {
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return Array.from({ length: last }, (_, n) => {
    const date = new Date(Date.UTC(year, month - 1, n + 1))
    return { day: date.toISOString().slice(0, 10), weekday: WEEKDAYS[date.getUTCDay()] as string }
  })
}

type Person = {
  id: number
  employee_number: string
  email: string | null
  hired_on: string | null
  termination_effective_on: string | null
  first_name: string
  middle_name: string | null
  last_name: string
}

/** Everything that a month of some people needs, in five statements. */
async function loadMonth(db: Reader, people: Person[], first: string, last: string, projectIds: number[]) {
  const ids = people.map(({ id }) => id)
  const overlapping = (table: string) =>
    db
      .from(table)
      .where(`${table}.employee_id`, 'in', ids)
      .where(`${table}.effective_from`, '<=', last)
      .where(`${table}.effective_until`, '>', first)
  const patterns = await overlapping('employment_statuses')
    .innerJoin('working_patterns as w', (on) =>
      on
        .onRef('w.account_id', '=', 'employment_statuses.account_id')
        .onRef('w.id', '=', 'employment_statuses.working_pattern_id'),
    )
    .select([
      'employment_statuses.employee_id',
      'employment_statuses.effective_from',
      'employment_statuses.effective_until',
    ])
    .select(WEEKDAYS.map((day) => `w.${day}_hours`))
    .execute()
  const places = await overlapping('employee_positions')
    .innerJoin('locations as l', (on) =>
      on
        .onRef('l.account_id', '=', 'employee_positions.account_id')
        .onRef('l.id', '=', 'employee_positions.location_id'),
    )
    .select([
      'employee_positions.employee_id',
      'employee_positions.effective_from',
      'employee_positions.effective_until',
      'l.holiday_policy_id',
    ])
    .where('l.holiday_policy_id', 'is not', null)
    .execute()
  const policies = [...new Set(places.map((row) => row.holiday_policy_id))]
  const holidays = policies.length
    ? await db
        .from('holidays')
        .select(['holiday_policy_id', 'occurs_on'])
        .where('holiday_policy_id', 'in', policies)
        .where('occurs_on', '>=', first)
        .where('occurs_on', '<=', last)
        .where('working', '=', false)
        .execute()
    : []
  let entries = db.from('timesheet_entries').select((eb) => ['employee_id', 'type', eb.fn.sum('minutes').as('minutes')])
  entries = entries.where('employee_id', 'in', ids).where('date', '>=', first).where('date', '<=', last)
  if (projectIds.length) entries = entries.where('project_id', 'in', projectIds)
  const sums = await entries.groupBy(['employee_id', 'type']).execute()
  return {
    patterns: Map.groupBy(patterns, (row) => row.employee_id as number),
    places: Map.groupBy(places, (row) => row.employee_id as number),
    holidays: new Set(holidays.map((row) => `${row.holiday_policy_id} ${row.occurs_on}`)),
    minutes: new Map(sums.map((row) => [`${row.employee_id} ${row.type}`, Number(row.minutes)])),
  }
}

type Month = Awaited<ReturnType<typeof loadMonth>>

const holdsOn = (day: string) => (entry: any) => entry.effective_from <= day && entry.effective_until > day

/** The minutes that a person was to work: their pattern on each day in service that is no holiday. */
function expectedMinutes(person: Person, days: { day: string; weekday: string }[], month: Month): number {
  const { hired_on, termination_effective_on } = person
  let units = 0
  for (const { day, weekday } of days) {
    if (hired_on !== null && day < hired_on) continue
    if (termination_effective_on !== null && day >= termination_effective_on) continue
    const place = month.places.get(person.id)?.find(holdsOn(day))
    if (place && month.holidays.has(`${place.holiday_policy_id} ${day}`)) continue
    const pattern = month.patterns.get(person.id)?.find(holdsOn(day)) ?? STANDARD
    units += pattern[`${weekday}_hours`]
  }
  // Ten-thousandths of hours to minutes, rounded once for the month.
  return Math.round((units * 60) / 10_000)
}

const ids = (table: string) => Type.Optional(Type.Array(recordId(table), { maxItems: 500 }))

export const timesheetOperations = [
  operation(
    {
      id: 'listTimesheets',
      method: 'GET',
      path: '/time/timesheets',
      summary: 'List what people were to work and have worked in a month',
      note: 'A row for each employee in service in the month. With `project_ids[]`, only those who worked for the projects, and only that work.',
      area: 'time',
      query: Type.Object({
        month: Type.Optional(Type.Integer({ minimum: 1, maximum: 12, description: 'The current one when not sent' })),
        year: Type.Optional(
          Type.Integer({ minimum: 1900, maximum: 2200, description: 'The current one when not sent' }),
        ),
        employee_ids: ids('employees'),
        project_ids: ids('projects'),
        department_id: Type.Optional(recordId('departments')),
        page: PAGE,
      }),
      answer: pagedAnswer(ROW),
    },
    async ({ db, query }) => {
      const year = query.year ?? Number(db.today.slice(0, 4))
      const month = query.month ?? Number(db.today.slice(5, 7))
      const days = daysOfMonth(year, month)
      const [first, last] = [days[0]?.day as string, days.at(-1)?.day as string]
      let people = db
        .from('employees')
        .where((eb) => eb.or([eb('hired_on', 'is', null), eb('hired_on', '<=', last)]))
        .where((eb) => eb.or([eb('termination_effective_on', 'is', null), eb('termination_effective_on', '>', first)]))
      if (query.employee_ids?.length) people = people.where('employees.id', 'in', query.employee_ids)
      if (query.department_id)
        people = people.where(
          'employees.id',
          'in',
          inForce(db.from('employee_positions'), 'employee_positions', db.today)
            .select('employee_id')
            .where('department_id', '=', query.department_id),
        )
      if (query.project_ids?.length)
        people = people.where(
          'employees.id',
          'in',
          db
            .from('timesheet_entries')
            .select('employee_id')
            .where('project_id', 'in', query.project_ids)
            .where('date', '>=', first)
            .where('date', '<=', last),
        )
      const { n } = await people.select((eb) => eb.fn.countAll().as('n')).executeTakeFirstOrThrow()
      const page = query.page ?? 1
      const rows = (await people
        .select([
          'id',
          'employee_number',
          'first_name',
          'middle_name',
          'last_name',
          'email',
          'hired_on',
          'termination_effective_on',
        ])
        .orderBy('id')
        .limit(PAGE_SIZE)
        .offset((page - 1) * PAGE_SIZE)
        .execute()) as Person[]
      const loaded = rows.length ? await loadMonth(db, rows, first, last, query.project_ids ?? []) : null
      const data = rows.map((person) => {
        const expected_minutes = expectedMinutes(person, days, loaded as Month)
        const worked_minutes = loaded?.minutes.get(`${person.id} working`) ?? 0
        return {
          employee_id: person.id,
          employee_number: person.employee_number,
          full_name: fullName(person),
          email: person.email,
          expected_minutes,
          worked_minutes,
          break_minutes: loaded?.minutes.get(`${person.id} break`) ?? 0,
          working_leave_minutes: 0,
          non_working_leave_minutes: 0,
          difference_minutes: worked_minutes - expected_minutes,
        }
      })
      return { body: { data, metadata: metadata(page, Number(n), data.length) } }
    },
  ),
]
