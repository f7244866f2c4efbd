import { createHmac } from 'node:crypto'
import Type from 'typebox'
import { dayOfYear, daysAfter, daysFrom, isLeapYear } from '../engine/day.ts'
import { metadata, PAGE, PAGE_SIZE, pagedAnswer } from '../engine/derive.ts'
import { byId } from '../engine/join.ts'
import { operation } from '../engine/operation.ts'
import { malformed, wrong } from '../engine/problem.ts'
import { recordId, schemaOf, wrapped, wrappedList } from '../engine/schema.ts'
import { show } from '../engine/shape.ts'
import type { Account } from '../ledger/caller.ts'
import type { Reader } from '../ledger/reader.ts'
import { holidays } from '../organisation/holidays.ts'
import { requireEmployee } from '../organisation/staff.ts'
import { anniversary, birthday } from '../people/celebrations.ts'
import { fullName } from '../people/person.ts'
import { withStatus } from '../people/status.ts'

const area = 'calendar'
const LONGEST = 366

const EVENT = Type.Object(
  {
    starts_on: Type.String({ format: 'date' }),
    ends_on: Type.String({ format: 'date' }),
    type: Type.Unsafe<string>({ type: 'string', enum: ['leave', 'holiday', 'birthday', 'anniversary'] }),
    title: Type.String(),
    data: Type.Unsafe<unknown>({ type: 'object', additionalProperties: true }),
  },
  { title: 'CalendarEvent' },
)

export type Event = { starts_on: string; ends_on: string; type: string; title: string; data: Record<string, unknown> }

type Named = Parameters<typeof fullName>[0]

/** Who is away, what is celebrated, and which days are free, in the order of their days. */
export async function eventsBetween(db: Reader, from: string, to: string): Promise<Event[]> {
  const events = [...(await leavesBetween(db, from, to)), ...(await holidaysBetween(db, from, to))]
  if (!db.caller.withheld.has('personal')) events.push(...(await returnsBetween(db, from, to, 'birthday')))
  events.push(...(await returnsBetween(db, from, to, 'anniversary')))
  return events.sort((a, b) => (a.starts_on + a.type + a.title < b.starts_on + b.type + b.title ? -1 : 1))
}

async function leavesBetween(db: Reader, from: string, to: string): Promise<Event[]> {
  const rows = await db
    .from('leave_requests as r')
    .innerJoin('employees as e', byId('e', 'r.employee_id'))
    .innerJoin('leave_types as t', byId('t', 'r.leave_type_id'))
    .innerJoin('leave_policies as p', byId('p', 'r.leave_type_policy_id'))
    .select([
      'r.id',
      'r.employee_id',
      'r.starts_on',
      'r.ends_on',
      't.name',
      'p.visibility',
      'e.first_name',
      'e.middle_name',
      'e.last_name',
    ])
    .where('r.state', '=', 'approved')
    .where('r.starts_on', '<=', to)
    .where('r.ends_on', '>=', from)
    .execute()
  return rows.map((row) => ({
    starts_on: row.starts_on,
    ends_on: row.ends_on,
    type: 'leave',
    // A private kind of leave shows that somebody is away, not why.
    title: `${fullName(row as Named)}: ${row.visibility ? row.name : 'Away'}`,
    data: { leave_request_id: row.id, employee_id: row.employee_id },
  }))
}

async function holidaysBetween(db: Reader, from: string, to: string): Promise<Event[]> {
  const rows = await db
    .from('holidays as h')
    .innerJoin('holiday_policies as p', byId('p', 'h.holiday_policy_id'))
    .select(['h.id', 'h.name', 'h.occurs_on', 'h.holiday_policy_id', 'p.name as policy'])
    .where('h.occurs_on', '>=', from)
    .where('h.occurs_on', '<=', to)
    .where('h.working', '=', false)
    .execute()
  return rows.map((row) => ({
    starts_on: row.occurs_on,
    ends_on: row.occurs_on,
    type: 'holiday',
    title: `${row.name} (${row.policy})`,
    data: { holiday_id: row.id, holiday_policy_id: row.holiday_policy_id },
  }))
}

/** Birthdays or anniversaries of those who are here. */
async function returnsBetween(
  db: Reader,
  from: string,
  to: string,
  type: 'birthday' | 'anniversary',
): Promise<Event[]> {
  const [filter, column] =
    type === 'birthday' ? [birthday, 'birth_day_of_year'] : ([anniversary, 'hired_day_of_year'] as const)
  const here = withStatus(db.from('employees'), 'active', from)
  const query = await filter.narrow(here, { gte: from, lte: to }, db, {})
  const rows = await query
    .select(['id', 'first_name', 'middle_name', 'last_name', 'hired_on', `${column} as day`])
    .execute()
  // Who was born on 29 February is celebrated on the 28th when there is no 29th.
  const celebrated = (day: string) =>
    day.endsWith('-02-28') && !isLeapYear(Number(day.slice(0, 4))) ? [dayOfYear(day), 229] : [dayOfYear(day)]
  const occasions = daysFrom(from, to).flatMap((day) => celebrated(day).map((number) => ({ number, day })))
  const daysOf = Map.groupBy(occasions, ({ number }) => number)
  return rows.flatMap((row) => {
    const own = (daysOf.get(row.day) ?? []).map(({ day }) => day)
    const kept = type === 'anniversary' ? own.filter((day) => day > row.hired_on) : own
    return kept.map((day) => ({
      starts_on: day,
      ends_on: day,
      type,
      title: fullName(row as Named),
      data: { employee_id: row.id },
    }))
  })
}

const range = {
  starts_on: Type.Optional(Type.String({ format: 'date' })),
  ends_on: Type.Optional(Type.String({ format: 'date' })),
}

/** The range that was asked for; this month when nothing is said. */
function rangeOf(today: string, { starts_on, ends_on }: { starts_on?: string; ends_on?: string }): [string, string] {
  const from = starts_on ?? `${today.slice(0, 8)}01`
  const to = ends_on ?? daysAfter(`${daysAfter(`${from.slice(0, 8)}01`, 32).slice(0, 8)}01`, -1)
  if (to < from || to > daysAfter(from, LONGEST))
    throw malformed(wrong('ends_on', 'out_of_range', `must be within ${LONGEST} days after starts_on`))
  return [from, to]
}

/** The secret part of the address of an account's feed. */
export const feedKey = (account: Account) =>
  createHmac('sha256', account.signing_key).update('calendar feed').digest('base64url')

export const calendarOperations = [
  operation(
    {
      id: 'listCalendar',
      method: 'GET',
      path: '/calendars',
      summary: 'List who is away, holidays, birthdays and anniversaries in a range of dates',
      note: 'This month when no range is given.',
      area,
      query: Type.Object(range),
      answer: wrappedList(EVENT),
      looksAt: ['leave_requests.state', 'holidays.occurs_on'],
    },
    async ({ db, query }) => ({ body: { data: await eventsBetween(db, ...rangeOf(db.today, query)) } }),
  ),
  operation(
    {
      id: 'getCalendarFeed',
      method: 'GET',
      path: '/calendars/feed',
      summary: 'Show the secret address of the calendar as an iCalendar feed',
      area,
      answer: wrapped(Type.Object({ url: Type.String() }, { title: 'CalendarFeed' })),
    },
    async ({ db }) => ({
      body: { data: { url: `${db.caller.origin}/calendars/${db.account.id}/${feedKey(db.account)}.ics` } },
    }),
  ),
  operation(
    {
      id: 'listEmployeeHolidays',
      method: 'GET',
      path: '/employees/{employee_id}/holidays',
      summary: 'List the public holidays that apply to an employee',
      area: 'employees',
      params: Type.Object({ employee_id: recordId('employees') }),
      query: Type.Object({ ...range, page: PAGE }),
      answer: pagedAnswer(schemaOf(holidays.whole)),
      looksAt: ['employee_positions.employee_id', 'holidays.holiday_policy_id'],
    },
    async ({ db, params, query }) => {
      await requireEmployee(db, params.employee_id)
      const [from, to] = rangeOf(db.today, query)
      const rows = await db
        .from('employee_positions as p')
        .innerJoin('locations as l', byId('l', 'p.location_id'))
        .innerJoin('holidays as h', (on) =>
          on
            .onRef('h.account_id', '=', 'l.account_id')
            .onRef('h.holiday_policy_id', '=', 'l.holiday_policy_id')
            .onRef('h.occurs_on', '>=', 'p.effective_from')
            .onRef('h.occurs_on', '<', 'p.effective_until'),
        )
        .select('h.id')
        .where('p.employee_id', '=', params.employee_id)
        .where('h.occurs_on', '>=', from)
        .where('h.occurs_on', '<=', to)
        .orderBy('h.occurs_on')
        .orderBy('h.id')
        .execute()
      const page = query.page ?? 1
      const ids = rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((row) => row.id)
      return { body: { data: await show(db, holidays.whole, ids), metadata: metadata(page, rows.length, ids.length) } }
    },
  ),
]
