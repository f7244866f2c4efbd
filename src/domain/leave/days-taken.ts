import { byOneOrMany, DATE_BOUNDS, type Filter, withinDates } from '../../engine/filter.ts'
import { byId } from '../../engine/join.ts'
import type { Query, Reader } from '../../records/reader.ts'

/** Days of leave that were taken, and by people of which departments, locations and managers on each of those days. */

type LeaveFilterQuery = Record<string, any>

/** By what those who take leave are found, and the column of their job that holds it. */
const PLACES = { department_id: 'department_id', location_id: 'location_id', manager_id: 'reporting_to_id' } as const

/** The days of leave `d` that are asked for: what is asked of where people work holds on the day itself. */
export function daysTaken(db: Reader, asked: LeaveFilterQuery): Query {
  const days = withinDates(db.from('leave_entries as d'), 'd.date', asked.taken_on ?? {})
  const wanted = Object.entries(PLACES).flatMap(([name, column]) =>
    [asked[name], asked[`${name}s`]].flatMap((ids) => (ids === undefined ? [] : [{ column, ids: [ids].flat() }])),
  )
  if (wanted.length === 0) return days
  const placed = days.innerJoin('employee_positions as p', (on) =>
    on
      .onRef('p.account_id', '=', 'd.account_id')
      .onRef('p.employee_id', '=', 'd.employee_id')
      .onRef('p.effective_from', '<=', 'd.date')
      .onRef('p.effective_until', '>', 'd.date'),
  )
  return wanted.reduce((query, { column, ids }) => query.where(`p.${column}`, 'in', ids), placed)
}

/** All that is asked of the days is asked of the same days, by whichever of the parameters. */
const withDays = (query: Query, db: Reader, all: LeaveFilterQuery) =>
  query.where('leave_requests.id', 'in', daysTaken(db, all).select('d.leave_request_id'))

const byPlace = (name: keyof typeof PLACES) =>
  byOneOrMany(name, [`employee_positions.${PLACES[name]}`], (query, _, db, all) => withDays(query, db, all), {
    permission: 'employees:read',
  })

export const byDaysTaken: Record<string, Filter> = {
  taken_on: {
    schema: { ...DATE_BOUNDS, description: 'Those that take one of these days' } as Filter['schema'],
    indexedColumns: ['leave_entries.date'],
    narrow: (query, _, db, all) => withDays(query, db, all),
  },
  ...byPlace('department_id'),
  ...byPlace('location_id'),
  ...byPlace('manager_id'),
}

/** The days of leave `d` that were taken, with their requests `r` and types `t`. */
export const approvedDays = (db: Reader, asked: LeaveFilterQuery): Query =>
  daysTaken(db, asked)
    .innerJoin('leave_requests as r', byId('r', 'd.leave_request_id'))
    .innerJoin('leave_types as t', byId('t', 'r.leave_type_id'))
    .where('r.state', '=', 'approved')
