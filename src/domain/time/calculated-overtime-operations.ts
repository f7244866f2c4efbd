import Type, { type TObject } from 'typebox'
import { holdsFor } from '../../engine/access-scope/reader-access.ts'
import { operation } from '../../engine/operation.ts'
import { metadata, pagedAnswer } from '../../engine/page.ts'
import { invalid, refuse, wrong } from '../../engine/problem.ts'
import { attempt, checkAll, insertAll } from '../../engine/records.ts'
import { recordId } from '../../engine/schema.ts'
import type { Reader } from '../../records/reader.ts'
import { fullName } from '../people/person.ts'
import { OPEN } from './approvals.ts'
import { calculateOvertime } from './calculated-overtime.ts'
import { overtimeRequests } from './overtime-requests.ts'
import { EMPLOYEES, FOUND_BY, PAGE, peopleOnPage, RANGE, rangeOf } from './timesheet-people.ts'

/** Overtime that Cadre calculates from time entries, and requests for it. */

const requested = Type.Integer({ description: 'Pending and approved overtime requests, in minutes' })

const ROW = Type.Object(
  {
    employee_id: Type.Integer(),
    employee_number: Type.String(),
    full_name: Type.String(),
    minutes: Type.Integer({ description: 'Calculated overtime in minutes' }),
    credited_minutes: Type.Integer({ description: '`minutes` times the factors of the time rules' }),
    requested_minutes: requested,
    days: Type.Array(
      Type.Object(
        {
          date: Type.String({ format: 'date' }),
          minutes: Type.Integer(),
          credited_minutes: Type.Integer({ description: '`minutes` times the factors of the time rules' }),
          requested_minutes: requested,
        },
        { title: 'CalculatedOvertimeDay' },
      ),
      { description: 'Days with calculated or requested overtime' },
    ),
  },
  { title: 'CalculatedOvertime' },
)

/** Minutes of overtime that is requested already, by person and day. */
async function requestedMinutes(db: Reader, ids: readonly number[], first: string, last: string) {
  const rows = await db
    .from('overtime_requests')
    .select(['employee_id', 'date', 'minutes'])
    .where('employee_id', 'in', [...ids])
    .where('date', '>=', first)
    .where('date', '<=', last)
    .where('state', 'in', OPEN)
    .orderBy('date')
    .execute()
  const minutes = new Map<number, Map<string, number>>()
  for (const row of rows) {
    const own = minutes.get(row.employee_id) ?? new Map<string, number>()
    minutes.set(row.employee_id, own.set(row.date, (own.get(row.date) ?? 0) + row.minutes))
  }
  return minutes
}

const MOST_PEOPLE = 100

export const calculatedOvertimeOperations = [
  operation(
    {
      id: 'listCalculatedOvertime',
      takesLong: true,
      method: 'GET',
      path: '/time/calculated_overtime',
      summary: 'List calculated overtime',
      note: 'Calculates overtime from time entries that are not rejected, the expected time and the time rules of working patterns. One row for each employee who was employed in the month, or from `starts_on` to `ends_on`. The overtime is the last working time of the day, week or month. To have it approved, request it (`POST /time/calculated_overtime/request`).',
      area: 'time',
      query: Type.Object({ ...RANGE, ...EMPLOYEES, ...PAGE }),
      answer: pagedAnswer(ROW),
      indexedColumns: FOUND_BY,
    },
    async ({ db, query }) => {
      const [first, last] = rangeOf(db, query)
      const { people, ends, page, count } = await peopleOnPage(db, query, first, last)
      const overtime = await calculateOvertime(db, people, ends, first, last)
      const asked = people.size > 0 ? await requestedMinutes(db, [...people.keys()], first, last) : new Map()
      const data = [...people.values()].map((person) => {
        const own = new Map((overtime.get(person.id) ?? []).map((one) => [one.date, one]))
        const requested: Map<string, number> = asked.get(person.id) ?? new Map()
        const days = [...new Set([...own.keys(), ...requested.keys()])].sort().map((date) => ({
          date,
          minutes: own.get(date)?.minutes ?? 0,
          credited_minutes: own.get(date)?.credited_minutes ?? 0,
          requested_minutes: requested.get(date) ?? 0,
        }))
        const sum = (name: 'minutes' | 'credited_minutes' | 'requested_minutes') =>
          days.reduce((total, day) => total + day[name], 0)
        return {
          employee_id: person.id,
          employee_number: person.employee_number,
          full_name: fullName(person),
          minutes: sum('minutes'),
          credited_minutes: sum('credited_minutes'),
          requested_minutes: sum('requested_minutes'),
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
      note: 'Creates an overtime request for each day with calculated overtime, all or nothing. Days with a pending or approved overtime request are left out. The requests are then approved or rejected like any other.',
      area: 'time',
      permission: 'time:enter',
      body: Type.Object(
        {
          employee_ids: Type.Array(recordId('employees'), { minItems: 1, maxItems: MOST_PEOPLE, examples: [[1]] }),
          starts_on: Type.String({ format: 'date', description: 'First day', examples: ['2026-01-01'] }),
          ends_on: Type.String({ format: 'date', description: 'Last day', examples: ['2026-01-31'] }),
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
      const [first, last] = rangeOf(db, { starts_on, ends_on })
      const wanted = [...new Set(employee_ids)]
      const asked = { employee_ids: wanted, per_page: MOST_PEOPLE }
      const { people, ends } = await peopleOnPage(db, asked, first, last)
      const isReached = (id: number) => id === db.caller.personId || holdsFor(db, 'time:enter', 'employees', id)
      const missing = wanted.filter((id) => !people.has(id) || !isReached(id))
      if (missing.length > 0)
        throw invalid(
          wrong(
            'employee_ids',
            'not_found',
            `contains ids of employees who do not exist or were not employed in this period: ${missing.join(', ')}`,
          ),
        )
      const overtime = await calculateOvertime(db, people, ends, first, last)
      const requested = await requestedMinutes(db, wanted, first, last)
      const open = [...overtime].flatMap(([employee_id, days]) =>
        days.flatMap((day) => (requested.get(employee_id)?.has(day.date) ? [] : { employee_id, ...day })),
      )
      // These people were employed on these days, and no other overtime of the day is open.
      const attempts = open.map((one) =>
        attempt(db, overtimeRequests, null, { ...one, ...(comment === undefined ? {} : { comment }) }, problems),
      )
      await checkAll(db, overtimeRequests, attempts)
      refuse(problems)
      const ids = await insertAll(
        db,
        overtimeRequests,
        attempts.map(({ after }) => after),
      )
      return { body: { count: ids.length, overtime_request_ids: ids } }
    },
  ),
]
