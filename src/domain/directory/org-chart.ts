import Type from 'typebox'
import { columnHistory } from '../../engine/column-history.ts'
import { inForce } from '../../engine/dated.ts'
import { orNull } from '../../engine/field.ts'
import { fold } from '../../engine/format.ts'
import { byId } from '../../engine/join.ts'
import { operation } from '../../engine/operation.ts'
import { permits, requireForAll } from '../../engine/permission.ts'
import { wrapped } from '../../engine/schema.ts'
import { type Caller, EVERYBODY } from '../../records/caller.ts'
import type { Reader } from '../../records/reader.ts'
import { PLANNED } from '../access/permissions.ts'
import { formerlyHiredBy } from '../people/employment-sources.ts'
import { fullName } from '../people/person.ts'
import { employedOn } from '../people/status.ts'

/** Everybody who is in service on a day and to whom they report, in one answer. */

const id = (description: string) => orNull(Type.Integer({ description }))
const NAMES = (title: string) =>
  Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() }, { title }), {
    description: 'Departments that appear in the chart',
  })

const PERSON = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    position: orNull(Type.String()),
    department_id: id('Department on that date'),
    location_id: id('Location on that date'),
    manager_id: id('ID of the closest manager above who is employed on that date; null at the top'),
    photo: orNull(Type.String({ description: 'Address of the picture; null if there is none' })),
    direct: Type.Integer({ description: 'Number of direct reports' }),
    all: Type.Integer({ description: 'Number of direct and indirect reports' }),
  },
  { title: 'OrgChartPerson' },
)

const CHART = Type.Object(
  {
    as_of: Type.String({ format: 'date', description: 'The date shown' }),
    people: Type.Array(PERSON, {
      description:
        'People in depth-first order: each manager is followed by everybody below them. The field `all` of a manager says how many entries these are',
    }),
    departments: NAMES('OrgChartDepartment'),
    locations: NAMES('OrgChartLocation'),
  },
  { title: 'OrgChart' },
)

type ChartPerson = {
  id: number
  name: string
  position: string | null
  department_id: number | null
  location_id: number | null
  manager_id: number | null
  photo: string | null
  direct: number
  all: number
}

/** Everybody in service on the day, with what their job says then. */
async function peopleOn(db: Reader, day: string): Promise<ChartPerson[]> {
  const rows = await employedOn(db, day)
    .leftJoin('employee_positions as p', (on) =>
      on
        .onRef('p.account_id', '=', 'employees.account_id')
        .onRef('p.employee_id', '=', 'employees.id')
        .on('p.effective_from', '<=', day)
        .on('p.effective_until', '>', day),
    )
    .leftJoin('positions', byId('positions', 'p.position_id'))
    .select(['employees.id', 'employees.first_name', 'employees.middle_name', 'employees.last_name'])
    .select(['employees.avatar', 'employees.last_name_key', 'employees.first_name_key'])
    .select(['p.department_id', 'p.location_id', 'p.reporting_to_id', 'p.position_id', 'positions.name as position'])
    .execute()
  if (day < db.today) await nameAsThen(db, rows, day)
  const inOrder = rows.sort((a, b) => compare(key(a), key(b)) || a.id - b.id)
  return inOrder.map((row) => ({
    id: row.id,
    name: fullName(row as never),
    position: row.position,
    department_id: row.department_id,
    location_id: row.location_id,
    manager_id: row.reporting_to_id,
    photo: row.avatar ? `${db.caller.origin}/avatars/${row.avatar}` : null,
    direct: 0,
    all: 0,
  }))
}

/** On a day that is past, people and positions are called as they were called then. */
async function nameAsThen(db: Reader, rows: Record<string, any>[], day: string): Promise<void> {
  const people = await columnHistory(db, 'employees', ['first_name', 'middle_name', 'last_name'], {
    since: day,
    ids: rows.map(({ id }) => id),
  })
  const positions = await columnHistory(db, 'positions', ['name'], { since: day })
  for (const row of rows) {
    const { first_name, middle_name, last_name } = people.on(day, row.id) ?? row
    const keys = { first_name_key: fold(String(first_name)), last_name_key: fold(String(last_name)) }
    const isSame = first_name === row.first_name && last_name === row.last_name
    Object.assign(row, { first_name, middle_name, last_name }, isSame ? {} : keys)
    if (row.position_id !== null) row.position = positions.on(day, row.position_id)?.name ?? row.position
  }
}

const key = (row: Record<string, any>) => `${row.last_name_key}\u0000${row.first_name_key}`
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** To whom those report who have left or not begun, and to whom somebody reports nevertheless. */
async function linesOfAbsent(db: Reader, day: string): Promise<Map<number, number | null>> {
  const managers = inForce(db.from('employee_positions'), 'employee_positions', day)
    .select('employee_positions.reporting_to_id')
    .where('employee_positions.reporting_to_id', 'is not', null)
  const rows = await db
    .from('employee_positions as p')
    .innerJoin('employees as e', byId('e', 'p.employee_id'))
    .select(['p.employee_id', 'p.reporting_to_id'])
    .where('p.employee_id', 'in', managers)
    .where((eb) =>
      eb.or([
        // Whoever has not begun stands where they will on their first day.
        eb.and([
          eb('e.hired_on', '>', day),
          eb('e.id', 'not in', formerlyHiredBy(db, day)),
          eb('p.effective_from', '<=', eb.ref('e.hired_on')),
          eb('p.effective_until', '>', eb.ref('e.hired_on')),
        ]),
        eb.and([
          eb.or([
            eb('e.termination_effective_on', '<=', day),
            // Before they were hired again.
            eb.and([eb('e.hired_on', '>', day), eb('e.id', 'in', formerlyHiredBy(db, day))]),
          ]),
          eb('p.effective_from', '<=', day),
          eb('p.effective_until', '>', day),
        ]),
      ]),
    )
    .execute()
  return new Map(rows.map((row) => [row.employee_id, row.reporting_to_id]))
}

/** Puts everybody after whom they report to, with the counts of those below. */
function inTree(people: readonly ChartPerson[], absent: ReadonlyMap<number, number | null>): ChartPerson[] {
  const here = new Set(people.map((one) => one.id))
  const above = (manager: number | null): number | null => {
    const seen = new Set<number>()
    let next = manager
    while (next !== null && !here.has(next)) {
      if (seen.has(next)) return null
      seen.add(next)
      next = absent.get(next) ?? null
    }
    return next
  }
  for (const one of people) one.manager_id = above(one.manager_id)
  const reports = Map.groupBy(people, (one) => one.manager_id)
  const placed: ChartPerson[] = []
  const done = new Set<number>()
  const place = (root: ChartPerson) => {
    // Not by calls that call themselves: a chain may be as long as there are people.
    const open = [{ one: root, isLeft: false }]
    const path: { one: ChartPerson; at: number }[] = []
    for (let step = open.pop(); step; step = open.pop()) {
      if (step.isLeft) {
        const { one, at } = path.pop() as { one: ChartPerson; at: number }
        one.all = placed.length - at - 1
        continue
      }
      const { one } = step
      if (done.has(one.id)) continue
      done.add(one.id)
      const below = (reports.get(one.id) ?? []).filter((report) => !done.has(report.id))
      one.direct = below.length
      path.push({ one, at: placed.length })
      placed.push(one)
      open.push({ one, isLeft: true }, ...below.map((report) => ({ one: report, isLeft: false })).reverse())
    }
  }
  for (const root of reports.get(null) ?? []) place(root)
  // No rule lets anybody report to themselves through others; whoever did would still be shown, at the top.
  for (const one of people)
    if (!done.has(one.id)) {
      one.manager_id = null
      place(one)
    }
  return placed
}

/** What those of a table were called on a day. */
async function namesOf(db: Reader, table: string, ids: readonly (number | null)[], day: string) {
  const past = await columnHistory(db, table, ['name'], { since: day })
  const known = [...new Set(ids)].flatMap((id) => id ?? []).sort((one, other) => one - other)
  return known.flatMap((id) => past.on(day, id) ?? [])
}

/** Is somebody shown what is planned for everybody? */
const seesPlans = (caller: Caller) =>
  (caller.grants ?? [{ permissions: caller.permissions, withheld: caller.withheld, scope: EVERYBODY }]).some(
    ({ permissions, withheld, scope }) =>
      scope.kind === EVERYBODY.kind && permits(permissions, 'employees:read') && !withheld.has(PLANNED),
  )

export const orgChartOperations = [
  operation(
    {
      id: 'getOrgChart',
      takesLong: true,
      method: 'GET',
      path: '/org_chart',
      summary: 'Get the org chart',
      note: 'Everybody employed on the date, in one response. If a manager is not employed on that date, the people who report to them appear under the next manager above. Dates in the past also require `employees:read`. For a date in the future, callers who may not see planned changes get the chart of today.',
      area: 'directory',
      query: Type.Object({
        as_of: Type.Optional(Type.String({ format: 'date', description: 'Date to show; today by default' })),
      }),
      answer: wrapped(CHART),
      indexedColumns: ['employees.termination_effective_on', 'employee_positions.reporting_to_id'],
    },
    async ({ db, query }) => {
      // Who will have gone next month, or had what job last year, is no public matter.
      const isAhead = (query.as_of ?? db.today) > db.today
      const as_of = isAhead && !seesPlans(db.caller) ? db.today : (query.as_of ?? db.today)
      if (as_of < db.today) requireForAll(db.caller, 'employees:read')
      const people = inTree(await peopleOn(db, as_of), await linesOfAbsent(db, as_of))
      const named = (name: 'department_id' | 'location_id', table: string) =>
        namesOf(
          db,
          table,
          people.map((one) => one[name]),
          as_of,
        )
      const [departments, locations] = [
        await named('department_id', 'departments'),
        await named('location_id', 'locations'),
      ]
      return { body: { data: { as_of, people, departments, locations } } }
    },
  ),
]
