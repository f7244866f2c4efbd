import type { ExpressionBuilder } from 'kysely'
import Type from 'typebox'
import { DATE_RANGE, dateRange } from '../../engine/date-range.ts'
import { daysAfter } from '../../engine/day.ts'
import { filterParameters, narrowed } from '../../engine/derive.ts'
import { orNull } from '../../engine/field.ts'
import { FIRST_DAY, LAST_DAY } from '../../engine/format.ts'
import { byId } from '../../engine/join.ts'
import { operation } from '../../engine/operation.ts'
import { wrappedList } from '../../engine/schema.ts'
import type { Query, Reader } from '../../records/reader.ts'
import { holidaysBetween } from '../organisation/holiday-years.ts'
import { regionName } from '../organisation/public-holidays.ts'
import { withFormerEmployments } from '../organisation/staff.ts'
import { anniversary, birthday, returnsOf } from '../people/celebrations.ts'
import { byJob } from '../people/employee-filters.ts'
import { fullName } from '../people/person.ts'
import { isSomebody, withStatus } from '../people/status.ts'

const area = 'calendar'
const TYPES = ['leave_request', 'holiday', 'birthday', 'anniversary', 'first_day'] as const

const EVENT = Type.Object(
  {
    starts_on: Type.String({ format: 'date' }),
    ends_on: Type.String({ format: 'date' }),
    type: Type.Unsafe<string>({ type: 'string', enum: [...TYPES] }),
    title: Type.String(),
    data: Type.Unsafe<unknown>({
      type: 'object',
      additionalProperties: true,
      description:
        'Details of the event. For events of an employee: `employee_id`, `employee`, `user_id` (the same ID), `first_name`, `last_name`. For leave also: `leave_request_id`, and `leave_type`, which is null if colleagues may not see it. For holidays: `holiday_id`, `holiday_policy_id`, `region_code` (null: the whole country), `half_day`',
    }),
    user_id: orNull(Type.Integer({ description: 'ID of the employee; null for a holiday' })),
    first_name: orNull(Type.String({ description: 'First name of the employee; null for a holiday' })),
    last_name: orNull(Type.String({ description: 'Last name of the employee; null for a holiday' })),
  },
  { title: 'CalendarEvent' },
)

type PersonName = Parameters<typeof fullName>[0]

/** The person of an event, with the field names of the API. */
type EventPerson = { user_id: number | null; first_name: string | null; last_name: string | null }

export type CalendarEvent = EventPerson & {
  starts_on: string
  ends_on: string
  type: string
  title: string
  data: Record<string, unknown>
}

const NOBODY: EventPerson = { user_id: null, first_name: null, last_name: null }

/** What an event tells of its person, beside its data and within. */
function personOf(id: number, row: PersonName): { person: EventPerson; data: Record<string, unknown> } {
  const person = { user_id: id, first_name: row.first_name, last_name: row.last_name }
  return { person, data: { employee_id: id, employee: { id, full_name: fullName(row) }, ...person } }
}

/** Of whom events are told: by their job of today. */
const WHOSE = {
  ...byJob('manager_id', 'reporting_to_id'),
  ...byJob('department_id', 'department_id'),
  ...byJob('location_id', 'location_id'),
}
type CalendarQuery = { types?: readonly string[]; [whose: string]: unknown }

/** Who is away, what is celebrated, and which days are free, in the order of their days. */
export async function eventsBetween(
  db: Reader,
  from: string,
  to: string,
  asked: CalendarQuery = {},
): Promise<CalendarEvent[]> {
  const { types = TYPES, ...whose } = asked
  const isAsked = (type: (typeof TYPES)[number]) => types.includes(type)
  const people = Object.keys(whose).some((name) => name in WHOSE)
    ? await narrowed(db.from('employees'), 'employees', WHOSE, db, whose)
    : null
  const events: CalendarEvent[] = []
  if (isAsked('leave_request')) events.push(...(await leavesBetween(db, from, to, people)))
  if (isAsked('holiday')) events.push(...(await freeDaysBetween(db, from, to)))
  if (isAsked('birthday') && !db.caller.withheld.has('personal'))
    events.push(...(await returnsBetween(db, from, to, 'birthday', people)))
  if (isAsked('anniversary')) events.push(...(await returnsBetween(db, from, to, 'anniversary', people)))
  if (isAsked('first_day')) events.push(...(await firstDaysBetween(db, from, to, people)))
  return events.sort((a, b) => (a.starts_on + a.type + a.title < b.starts_on + b.type + b.title ? -1 : 1))
}

/** The calendar shows people from their first day until the day their employment ends. */
type EmploymentDates = { hired_on: string | null; termination_effective_on: string | null }

const firstDayOf = ({ hired_on }: EmploymentDates) => hired_on ?? FIRST_DAY
const lastDayOf = ({ termination_effective_on: left }: EmploymentDates) =>
  left === null ? LAST_DAY : daysAfter(left, -1)
const later = (one: string, other: string) => (one > other ? one : other)
const earlier = (one: string, other: string) => (one < other ? one : other)

async function leavesBetween(db: Reader, from: string, to: string, people: Query | null): Promise<CalendarEvent[]> {
  const all = db
    .from('leave_requests as r')
    .where('r.state', '=', 'approved')
    .where('r.starts_on', '<=', to)
    .where('r.ends_on', '>=', from)
  const granted = people ? all.where('r.employee_id', 'in', people.select('employees.id')) : all
  const rows = await granted
    .innerJoin('employees', byId('employees', 'r.employee_id'))
    .innerJoin('leave_types as t', byId('t', 'r.leave_type_id'))
    .innerJoin('leave_policies as p', byId('p', 'r.leave_type_policy_id'))
    .$call(withFormerEmployments)
    .select([
      'r.id',
      'r.employee_id',
      'r.leave_type_id',
      'r.starts_on',
      'r.ends_on',
      't.name',
      'p.visibility',
      'employees.first_name',
      'employees.middle_name',
      'employees.last_name',
      'employees.hired_on',
      'employees.termination_effective_on',
    ])
    .execute()
  const withheld = await db
    .from('leave_entries as d')
    .innerJoin('leave_policies as p', byId('p', 'd.leave_type_policy_id'))
    .select('d.leave_request_id as id')
    .distinct()
    .where('p.visibility', '=', false)
    .where('d.leave_request_id', 'in', granted.select('r.id'))
    .execute()
  const isPrivate = new Set(withheld.map(({ id }) => id))
  const seen = new Set<number>()
  const events = rows.flatMap((row) => {
    // A private kind of leave shows that somebody is away, not why: on all of its days, if only one is private.
    const isTold = Boolean(row.visibility) && !isPrivate.has(row.id)
    const { person, data } = personOf(row.employee_id, row as PersonName)
    const former = { hired_on: row.former_hired_on, termination_effective_on: row.former_left_on }
    // A row for each former employment: the current one comes with the first of them.
    const isFirst = !seen.has(row.id)
    seen.add(row.id)
    const employments = [...(isFirst ? [row as EmploymentDates] : []), ...(former.hired_on ? [former] : [])]
    return employments.map((employment) => ({
      ...person,
      starts_on: later(row.starts_on, firstDayOf(employment)),
      ends_on: earlier(row.ends_on, lastDayOf(employment)),
      type: 'leave_request',
      title: `${fullName(row as PersonName)}: ${isTold ? row.name : 'Away'}`,
      data: {
        leave_request_id: row.id,
        ...data,
        leave_type: isTold ? { id: row.leave_type_id, name: row.name } : null,
      },
    }))
  })
  return events.filter((event) => event.starts_on <= earlier(event.ends_on, to) && event.ends_on >= from)
}

async function freeDaysBetween(db: Reader, from: string, to: string): Promise<CalendarEvent[]> {
  const free = await holidaysBetween(db, from, to)
  return free.map(({ id, holiday_policy_id, policy, region_code, name, free_from, free_until, half_day }) => ({
    ...NOBODY,
    starts_on: free_from,
    ends_on: free_until,
    type: 'holiday',
    title: `${name} (${[policy, ...(region_code ? [regionName(region_code)] : [])].join(', ')})`,
    data: { holiday_id: id, holiday_policy_id, region_code, half_day },
  }))
}

/** Birthdays or anniversaries of those who are here on the day. */
async function returnsBetween(
  db: Reader,
  from: string,
  to: string,
  type: 'birthday' | 'anniversary',
  people: Query | null,
): Promise<CalendarEvent[]> {
  const filter = type === 'birthday' ? birthday : anniversary
  const all = withStatus(db.from('employees'), 'active', from)
  const here = people ? all.where('employees.id', 'in', people.select('employees.id')) : all
  const query = await filter.narrow(here, { gte: from, lte: to }, db, {})
  const current = await query
    .select(PERSON.map((name) => `employees.${name}`))
    .select(['employees.hired_on', 'employees.termination_effective_on'])
    .select((eb) => (type === 'birthday' ? eb.ref('employees.date_of_birth') : tenureIn(eb, 'employees')).as('day'))
    .execute()
  const former = await formerEmployments(db, from, to, people, (eb) =>
    type === 'birthday' ? eb.ref('employees.date_of_birth') : tenureIn(eb, 'former'),
  )
  return [...current, ...former].flatMap((row) => {
    if (row.day === null) return []
    const [first, last] = [
      later(from, firstDayOf(row as EmploymentDates)),
      earlier(to, lastDayOf(row as EmploymentDates)),
    ]
    const { person, data } = personOf(row.id, row as PersonName)
    return returnsOf(row.day, first, last).map(({ day, years }) => ({
      ...person,
      starts_on: day,
      ends_on: day,
      type,
      title: fullName(row as PersonName),
      // How old somebody becomes is for nobody else to know.
      data: { ...data, ...(type === 'anniversary' ? { years } : {}) },
    }))
  })
}

const PERSON = ['id', 'first_name', 'middle_name', 'last_name']

const tenureIn = (eb: ExpressionBuilder<any, any>, employment: string) =>
  eb.fn.coalesce(`${employment}.stored_tenure_since`, `${employment}.hired_on`)

/** Former employments with a day in a past range, with their people. */
async function formerEmployments(
  db: Reader,
  from: string,
  to: string,
  people: Query | null,
  day: (eb: ExpressionBuilder<any, any>) => any,
): Promise<Record<string, any>[]> {
  if (from >= db.today) return []
  const all = db
    .from('former_employments as former')
    .innerJoin('employees', byId('employees', 'former.employee_id'))
    .where('former.hired_on', '<=', to)
    .where('former.termination_effective_on', '>', from)
  return (people ? all.where('employees.id', 'in', people.select('employees.id')) : all)
    .select(PERSON.map((name) => `employees.${name}`))
    .select(['former.hired_on', 'former.termination_effective_on'])
    .select((eb) => day(eb).as('day'))
    .execute()
}

/** First days of employments in a range. People who left before they started never did. */
async function firstDaysBetween(db: Reader, from: string, to: string, people: Query | null): Promise<CalendarEvent[]> {
  const all = isSomebody(db.from('employees')).where('hired_on', '>=', from).where('hired_on', '<=', to)
  const some = people ? all.where('employees.id', 'in', people.select('employees.id')) : all
  const current = await some.select([...PERSON, 'hired_on', 'termination_effective_on']).execute()
  const former = await formerEmployments(db, from, to, people, (eb) => eb.ref('former.hired_on'))
  return [...current, ...former].flatMap((row) => {
    if (row.hired_on < from || row.hired_on > to) return []
    if (lastDayOf(row as EmploymentDates) < row.hired_on) return []
    const { person, data } = personOf(row.id, row as PersonName)
    const title = `${fullName(row as PersonName)}: First day`
    return { ...person, starts_on: row.hired_on, ends_on: row.hired_on, type: 'first_day', title, data }
  })
}

export const calendarOperations = [
  operation(
    {
      id: 'listCalendar',
      method: 'GET',
      path: '/calendars',
      summary: 'List calendar events',
      note: 'Returns leave, public holidays, birthdays, work anniversaries and first days of new employees; of the current month by default. `manager_id`, `department_id` and `location_id` limit the events of employees to those who have this manager, department or location today; holidays are always included.',
      area,
      query: Type.Object({
        ...DATE_RANGE,
        types: Type.Optional(
          Type.Array(Type.Unsafe<string>({ type: 'string', enum: [...TYPES] }), {
            minItems: 1,
            maxItems: TYPES.length,
            description: 'Types of events to return; all types by default',
            examples: [['anniversary']],
          }),
        ),
        ...filterParameters(WHOSE),
      }),
      answer: wrappedList(EVENT),
      indexedColumns: [
        'leave_requests.state',
        'holidays.free_from',
        'employees.hired_on',
        ...Object.values(WHOSE).flatMap(({ indexedColumns }) => indexedColumns),
      ],
    },
    async ({ db, query: { starts_on, ends_on, ...asked } }) => ({
      body: { data: await eventsBetween(db, ...dateRange(db.today, { starts_on, ends_on }), asked) },
    }),
  ),
]
