import Type, { type TObject } from 'typebox'
import { withoutHeldBack } from '../../engine/access-scope/held-back.ts'
import { holdsFor } from '../../engine/access-scope/reader-access.ts'
import { daysAfter } from '../../engine/day.ts'
import { operation } from '../../engine/operation.ts'
import { metadata, pagedAnswer } from '../../engine/page.ts'
import { requirePermission } from '../../engine/permission.ts'
import { invalid, refuse, wrong } from '../../engine/problem.ts'
import { attempt, checkAll, insertAll } from '../../engine/records.ts'
import { recordId } from '../../engine/schema.ts'
import type { Reader } from '../../records/reader.ts'
import { PLANNED } from '../access/permissions.ts'
import { fullName } from '../people/person.ts'
import { OPEN } from './approvals.ts'
import { calculateOvertime, type OvertimeDay, openOvertime, wholePeriods } from './calculated-overtime.ts'
import { localZones, timesIn } from './local-time.ts'
import { overtimeRequests } from './overtime-requests.ts'
import { EMPLOYEES, FOUND_BY, PAGE, peopleOnPage, RANGE, rangeOf } from './timesheet-people.ts'

/** Overtime that Cadre calculates from time entries, and requests for it. */

const requested = Type.Integer({ description: 'Pending and approved overtime requests, in minutes' })
const open = Type.Integer({
  description:
    'Calculated overtime that is not requested yet: of each day, week or month what is calculated less what is requested. 0 on days after today',
})

const ROW = Type.Object(
  {
    employee_id: Type.Integer(),
    employee_number: Type.String(),
    full_name: Type.String(),
    minutes: Type.Integer({ description: 'Calculated overtime in minutes' }),
    credited_minutes: Type.Integer({ description: '`minutes` times the factors of the time rules' }),
    requested_minutes: requested,
    open_minutes: open,
    days: Type.Array(
      Type.Object(
        {
          date: Type.String({ format: 'date' }),
          minutes: Type.Integer(),
          credited_minutes: Type.Integer({ description: '`minutes` times the factors of the time rules' }),
          requested_minutes: requested,
          open_minutes: open,
        },
        { title: 'CalculatedOvertimeDay' },
      ),
      { description: 'Days with calculated or requested overtime' },
    ),
  },
  { title: 'CalculatedOvertime' },
)

/** Minutes of overtime that is requested already in these weeks and months, by person and day; a night counts on both days. */
async function requestedMinutes(db: Reader, ids: readonly number[], first: string, last: string) {
  const minutes = new Map<number, Map<string, number>>()
  if (ids.length === 0) return minutes
  const [from, until] = wholePeriods(first, last)
  const rows = await db
    .from('overtime_requests')
    .select(['employee_id', 'date', 'minutes', 'starts_at', 'ends_at'])
    .where('employee_id', 'in', [...ids])
    .where('date', '>=', daysAfter(from, -1))
    .where('date', '<', until)
    .where('state', 'in', OPEN)
    .execute()
  const timed = rows.filter(({ starts_at }) => starts_at !== null)
  const zoneOf =
    timed.length > 0 ? await localZones(db, [...ids], `${from}T00:00:00Z`, `${until}T00:00:00Z`) : undefined
  const add = (id: number, day: string, amount: number) => {
    const own = minutes.get(id) ?? new Map<string, number>()
    minutes.set(id, own.set(day, (own.get(day) ?? 0) + amount))
  }
  for (const { employee_id: id, date, minutes, starts_at, ends_at } of rows) {
    const times = zoneOf && starts_at ? timesIn(zoneOf(id, starts_at), starts_at, ends_at) : undefined
    const ofNext = times?.minutes_after_midnight ?? 0
    add(id, date, minutes - ofNext)
    if (ofNext > 0) add(id, daysAfter(date, 1), ofNext)
  }
  return minutes
}

/** Overtime that is not requested yet, and the first day after today with overtime that is open from then on. People whose plans the caller cannot see are read without planned changes. */
async function openOvertimeOf(db: Reader, ids: readonly number[], first: string, last: string) {
  const seesPlans = (id: number) => holdsFor(db, 'employees:read', 'employees', id, PLANNED)
  const open = new Map<number, { days: OvertimeDay[]; later: string | undefined }>()
  for (const [view, own] of [
    [db, ids.filter(seesPlans)],
    [withoutHeldBack(db), ids.filter((id) => !seesPlans(id))],
  ] as const) {
    if (own.length === 0) continue
    const { people, ends } = await peopleOnPage(view, { employee_ids: own, per_page: MOST_PEOPLE }, first, last)
    const overtime = await calculateOvertime(view, people, ends, first, last)
    const requested = await requestedMinutes(view, own, first, last)
    for (const id of people.keys()) {
      const all = overtime.get(id)
      const asked = requested.get(id) ?? new Map<string, number>()
      const openAsOf = (today: string) =>
        (all ? openOvertime(all, asked, today) : []).filter(({ date }) => first <= date && date <= last)
      open.set(id, {
        days: openAsOf(db.today),
        later: openAsOf(last).find(({ date }) => date > db.today)?.date,
      })
    }
  }
  return open
}

const MOST_PEOPLE = 100
/** The longest overtime request: a day has 25 hours once a year. */
const MOST_MINUTES = 24 * 60

export const calculatedOvertimeOperations = [
  operation(
    {
      id: 'listCalculatedOvertime',
      takesLong: true,
      method: 'GET',
      path: '/time/calculated_overtime',
      summary: 'List calculated overtime',
      note: 'Calculates overtime from time entries that are not rejected, the expected time and the time rules of working patterns. One row for each employee who was employed in the month, or from `starts_on` to `ends_on`. The overtime is the last working time of the day, week or month. Entries that change later change it, but not the requests that exist. Days after today are calculated from the entries that they have already, but nothing is open on them. To have it approved, request it (`POST /time/calculated_overtime/request`).',
      area: 'time',
      query: Type.Object({ ...RANGE, ...EMPLOYEES, ...PAGE }),
      answer: pagedAnswer(ROW),
      indexedColumns: FOUND_BY,
    },
    async ({ db, query }) => {
      const [first, last] = rangeOf(db, query)
      const { people, ends, page, count } = await peopleOnPage(db, query, first, last)
      const overtime = await calculateOvertime(db, people, ends, first, last)
      const requested = await requestedMinutes(db, [...people.keys()], first, last)
      const data = [...people.values()].map((person) => {
        const all = overtime.get(person.id)
        const asked = requested.get(person.id) ?? new Map<string, number>()
        const byDay = (some: readonly OvertimeDay[]) => new Map(some.map((one) => [one.date, one]))
        const own = byDay(all?.days ?? [])
        const open = byDay(all ? openOvertime(all, asked, db.today) : [])
        const days = [...new Set([...own.keys(), ...asked.keys()])]
          .filter((date) => first <= date && date <= last)
          .sort()
          .map((date) => ({
            date,
            minutes: own.get(date)?.minutes ?? 0,
            credited_minutes: own.get(date)?.credited_minutes ?? 0,
            requested_minutes: asked.get(date) ?? 0,
            open_minutes: open.get(date)?.minutes ?? 0,
          }))
        const sum = (name: Exclude<keyof (typeof days)[number], 'date'>) =>
          days.reduce((total, day) => total + day[name], 0)
        return {
          employee_id: person.id,
          employee_number: person.employee_number,
          full_name: fullName(person),
          minutes: sum('minutes'),
          credited_minutes: sum('credited_minutes'),
          requested_minutes: sum('requested_minutes'),
          open_minutes: sum('open_minutes'),
          days,
        }
      })
      return { body: { data, metadata: metadata(page, count, data.length) } }
    },
  ),
  operation(
    {
      id: 'requestCalculatedOvertime',
      method: 'POST',
      path: '/time/calculated_overtime/request',
      summary: 'Create requests for calculated overtime',
      note: 'Creates an overtime request for each day with calculated overtime that is not requested yet (`open_minutes` of `GET /time/calculated_overtime`), all or nothing. A day counts from itself on: overtime of days after today is left out, and if there is no other, the answer is 422. Overtime that is requested already in the same day, week or month is subtracted. The requests are then approved or rejected like any other, but not approved for more minutes than are calculated by then. Also needs `time:read`.',
      area: 'time',
      permission: 'time:enter',
      body: Type.Object(
        {
          employee_ids: Type.Array(recordId('employees'), { minItems: 1, maxItems: MOST_PEOPLE, examples: [[1]] }),
          starts_on: Type.String({ format: 'date', description: 'First day', examples: ['2026-01-01'] }),
          ends_on: Type.String({
            format: 'date',
            description: 'Last day; the range can have at most 62 days',
            examples: ['2026-01-31'],
          }),
          comment: Type.Optional(
            Type.String({ format: 'text', maxLength: 65_535, description: 'Comment of all requests' }),
          ),
        },
        { title: 'RequestCalculatedOvertime' },
      ),
      answer: Type.Object({
        count: Type.Integer({ description: 'Number of overtime requests created' }),
        overtime_request_ids: Type.Array(Type.Integer()),
      }) as TObject,
    },
    async ({ db, body: { employee_ids, starts_on, ends_on, comment }, problems }) => {
      requirePermission(db.caller, 'time:read')
      const [first, last] = rangeOf(db, { starts_on, ends_on }, invalid)
      const wanted = [...new Set(employee_ids)]
      const mayRequest = (id: number) =>
        id === db.caller.personId ||
        ['time:enter', 'time:read'].every((permission) => holdsFor(db, permission, 'employees', id))
      const open = await openOvertimeOf(db, wanted.filter(mayRequest), first, last)
      const missing = wanted.filter((id) => !open.has(id))
      if (missing.length > 0)
        throw invalid(
          wrong(
            'employee_ids',
            'not_found',
            `contains ids of employees who do not exist or were not employed in this period: ${missing.join(', ')}`,
          ),
        )
      const later = [...open.values()].flatMap((one) => one.later ?? []).sort()[0]
      if (later && [...open.values()].every(({ days }) => days.length === 0))
        throw invalid(
          wrong(
            'ends_on',
            'in_the_future',
            `is after today, and so is all overtime that is not requested yet. Overtime can be requested from its day on: the first is ${later}`,
          ),
        )
      // These people were employed on these days. What is requested already is left out, so nothing is requested twice.
      const attempts = [...open].flatMap(([employee_id, { days }]) =>
        days.map(({ date, minutes, credited_minutes }) => {
          const sent = {
            employee_id,
            date,
            minutes: Math.min(minutes, MOST_MINUTES),
            credited_minutes: Math.min(credited_minutes, 10 * MOST_MINUTES),
          }
          return attempt(db, overtimeRequests, null, comment === undefined ? sent : { ...sent, comment }, problems)
        }),
      )
      await checkAll(db, overtimeRequests, attempts)
      refuse(problems)
      const ids = await insertAll(
        db,
        overtimeRequests,
        attempts.map(({ after }) => ({ ...after, calculated: true })),
      )
      return { body: { count: ids.length, overtime_request_ids: ids } }
    },
  ),
]
