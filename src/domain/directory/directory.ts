import Type from 'typebox'
import type { Resource } from '../../engine/declaration.ts'
import { get, list } from '../../engine/derive.ts'
import { loaded, loadedTogether, orNull } from '../../engine/field.ts'
import { type Filter, hasWords, IDS } from '../../engine/filter.ts'
import { byId } from '../../engine/join.ts'
import { card } from '../../engine/resource.ts'
import type { Query, Reader } from '../../records/reader.ts'
import { byJob } from '../people/employee-filters.ts'
import { employees } from '../people/employees.ts'
import { holdingOn } from '../people/job-entries.ts'
import { fullName } from '../people/person.ts'
import { isSomebody, STATUS_COLUMNS, withStatus } from '../people/status.ts'

/**
 * The public card of everybody who is here. It is a kind of record of its own on the same table, with the fields that
 * are for everybody and no others: what is in a group of data cannot come in by a further parameter or shape.
 */

const named = (title: string) =>
  Type.Unsafe({
    type: ['object', 'null'],
    title,
    properties: { id: Type.Integer(), name: Type.String() },
    required: ['id', 'name'],
  })

const MANAGER = Type.Unsafe({
  type: ['object', 'null'],
  title: 'DirectoryManager',
  description: 'The manager; null if there is none, or if they are not employed today',
  properties: { id: Type.Integer(), full_name: Type.String(), email: orNull(Type.String()) },
  required: ['id', 'full_name', 'email'],
})

const AWAY = Type.Unsafe({
  type: ['object', 'null'],
  title: 'DirectoryAbsence',
  description: 'Leave of today; null if the person is not on leave. The leave type is never included',
  properties: { until: Type.String({ format: 'date', description: 'Last day of the leave' }) },
  required: ['until'],
})

const PLACES = ['position', 'department', 'location', 'division'] as const

/** Where everybody stands today, and to whom they report: one statement. */
async function loadPlaces(db: Reader, ids: number[]): Promise<Map<number, unknown>> {
  const entries = holdingOn(db.from('employee_positions'), 'employee_positions', db.view)
    .leftJoin('employees as m', byId('m', 'employee_positions.reporting_to_id'))
    .select(['employee_positions.employee_id as owner', 'm.id as manager_id', 'm.email'])
    .select(['m.first_name', 'm.middle_name', 'm.last_name', 'm.hired_on', 'm.termination_effective_on'])
    .where('employee_positions.employee_id', 'in', ids)
  const joined = PLACES.reduce(
    (query, one) =>
      query
        .leftJoin(`${one}s as ${one}`, byId(one, `employee_positions.${one}_id`))
        .select([`${one}.id as ${one}_id`, `${one}.name as ${one}_name`]),
    entries,
  )
  const rows: Record<string, any>[] = await joined.select('location.time_zone').execute()
  const { day } = db.view
  return new Map([
    ...ids.map((id) => [id, { time_zone: db.account.time_zone }] as const),
    ...rows.map((row) => {
      const isHere =
        row.manager_id !== null &&
        (row.hired_on === null || row.hired_on <= day) &&
        (row.termination_effective_on === null || row.termination_effective_on > day)
      const manager = { id: row.manager_id, full_name: isHere && fullName(row as never), email: row.email }
      const places = PLACES.map((one) => [
        one,
        row[`${one}_id`] === null ? null : { id: row[`${one}_id`], name: row[`${one}_name`] },
      ])
      return [
        row.owner,
        {
          ...Object.fromEntries(places),
          manager: isHere ? manager : null,
          time_zone: row.time_zone ?? db.account.time_zone,
        },
      ] as const
    }),
  ])
}

/** Until when those who are away today have leave. */
async function loadAway(db: Reader, ids: number[]): Promise<Map<number, unknown>> {
  const rows = await db
    .from('leave_requests')
    .select((eb) => ['employee_id', eb.fn.max('ends_on').as('until')])
    .where('employee_id', 'in', ids)
    .where('state', '=', 'approved')
    .where('starts_on', '<=', db.today)
    .where('ends_on', '>=', db.today)
    .groupBy('employee_id')
    .execute()
  return new Map([
    ...ids.map((id) => [id, null] as const),
    ...rows.map(({ employee_id, until }) => [employee_id, { until }] as const),
  ])
}

const own = employees.fields

const fields = {
  full_name: own.full_name,
  first_name: own.first_name,
  middle_name: own.middle_name,
  last_name: own.last_name,
  avatar: own.avatar,
  avatar_url: own.avatar_url,
  email: own.email,
  work_phone_number: own.work_phone_number,
  hired_on: own.hired_on,
  ...loadedTogether(
    {
      position: () => named('DirectoryPosition'),
      department: () => named('DirectoryDepartment'),
      location: () => named('DirectoryLocation'),
      division: () => named('DirectoryDivision'),
      manager: () => MANAGER,
      time_zone: () =>
        Type.String({ description: 'Time zone of the location of the person; without a location, of the company' }),
    },
    loadPlaces,
  ),
  away: loaded(AWAY, loadAway),
}

/** Not declared as a kind of its own: the records are employees. */
const cards: Resource = {
  ...employees,
  one: 'person',
  title: 'DirectoryCard',
  area: 'directory',
  readWith: 'directory:read',
  path: '/directory',
  fields,
  standIn: null,
}

const shown = Object.keys(fields).filter((name) => name !== 'avatar')

export const directoryCard = card(cards, 'DirectoryCard', ['id', ...shown])

/** What is not on the card is not sorted by either. */
const people: Resource = { ...cards, whole: directoryCard }

/** Those who are here; who begins later is left out unless they are asked for. */
const here = (query: Query, db: Reader, hired = false): Query =>
  hired ? isSomebody(withStatus(query, 'active', db.today)) : withStatus(query, 'in_service', db.today)

const filters: Record<string, Filter> = {
  coming: {
    schema: Type.Boolean({
      description: 'Whether to include people who are hired but have not started; false by default',
    }),
    indexedColumns: STATUS_COLUMNS,
    narrow: (query, coming, db) => here(query, db, coming),
  },
  ids: {
    schema: IDS,
    indexedColumns: ['employees.id'],
    narrow: (query, ids) => query.where('employees.id', 'in', ids),
  },
  ...byJob('department_id', 'department_id'),
  ...byJob('location_id', 'location_id'),
  ...byJob('manager_id', 'reporting_to_id'),
  q: hasWords(employees, 'Words, or beginnings of words, in the name, email address or employee number'),
}

export const directoryOperations = [
  list(people, {
    shape: directoryCard,
    order: 'last_name',
    sorts: ['last_name', 'first_name', 'hired_on'],
    standard: { coming: false },
    filters,
    as: {
      id: 'listDirectory',
      path: people.path,
      summary: 'List people in the directory',
      note: 'Name, work contact details, position, department, location, manager, start date, and whether the person is on leave today. Never includes protected fields or the leave type.',
    },
  }),
  get(people, { shape: directoryCard, always: { narrow: (query, db) => here(query, db, true), indexedColumns: [] } }),
]
