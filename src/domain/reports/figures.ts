import { sql } from 'kysely'
import Type from 'typebox'
import { type ColumnHistory, columnHistory } from '../../engine/column-history.ts'
import { countDays, daysAfter } from '../../engine/day.ts'
import { orNull } from '../../engine/field.ts'
import { FIRST_DAY } from '../../engine/format.ts'
import { malformed, wrong } from '../../engine/problem.ts'
import { recordId } from '../../engine/schema.ts'
import type { Query, Reader } from '../../records/reader.ts'
import { employmentsMatching } from '../people/employee-filters.ts'

/**
 * A figure is the number of records in a list of this interface, with a link to that list. Both use the same filters. Figures of
 * people who joined or left count employments: the list shows somebody once who left twice.
 */

export const area = 'reports'

/** So many departments or locations can be asked for at once: each month asks for all of them. */
const MOST_PLACES = 50
const MOST_MONTHS = 36

const ids = (table: string, what: string) =>
  Type.Optional(
    Type.Array(recordId(table), {
      minItems: 1,
      maxItems: MOST_PLACES,
      description: `Only people in one of these ${what}`,
    }),
  )

/** Parameters that say of whom figures are: those of the list of employees. */
export const AMONG = {
  department_id: Type.Optional(recordId('departments')),
  department_ids: ids('departments', 'departments'),
  location_id: Type.Optional(recordId('locations')),
  location_ids: ids('locations', 'locations'),
  with_below: Type.Optional(
    Type.Boolean({
      description:
        'Whether to include the departments below those in `department_id` and `department_ids[]`. Figures of a month use the departments of its last day, figures of the whole range those of the last day of the range',
    }),
  ),
}

export type PeopleFilter = Partial<Record<Exclude<keyof typeof AMONG, 'with_below'>, number | number[]>>

/** So many departments are counted together: each month asks for all of them. */
const MOST_BELOW = 200

/** The filter for a figure, by day. */
export type PeopleFilterOn = (day: string) => PeopleFilter

/**
 * Of whom figures are, as the list of employees is asked for them, from a day on: departments below are named one by one, by
 * the tree of the day that figures are about.
 */
export async function amongOf(
  db: Reader,
  { with_below, ...query }: Record<string, any>,
  since: string,
): Promise<PeopleFilterOn> {
  const asked = Object.fromEntries(
    Object.keys(AMONG).flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
  )
  const { department_id, department_ids, ...places } = asked
  const trees = [department_id, department_ids].filter((one) => one !== undefined).map((one) => [one].flat())
  if (!with_below || trees.length === 0) return () => asked
  const past = await columnHistory(db, 'departments', ['parent_id'], { since })
  const amongOn = (day: string): PeopleFilter => {
    const reached = trees.map((tree) => belowOn(past, day, tree))
    const all = reached.reduce((some, others) => some.filter((id) => others.includes(id)))
    // Trees that have nothing in common are nobody's, and so are departments that differ.
    if (all.length === 0) return asked
    if (all.length > MOST_BELOW)
      throw malformed(
        wrong(
          'with_below',
          'out_of_range',
          `covers more than ${MOST_BELOW} departments. Choose a department with fewer departments below it`,
        ),
      )
    return { ...places, department_ids: all }
  }
  const known = new Map<string, PeopleFilter>()
  return (day) => {
    const among = known.get(day) ?? amongOn(day)
    known.set(day, among)
    return among
  }
}

/** Departments and all that were below them on a day. */
function belowOn(past: ColumnHistory, day: string, tops: readonly number[]): number[] {
  const children = Map.groupBy(past.ids, (id) => past.on(day, id)?.parent_id as number | null | undefined)
  const found = new Set(tops)
  for (const id of found) for (const child of children.get(id) ?? []) found.add(child)
  return [...found]
}

const day = (description: string) => Type.Optional(Type.String({ format: 'date', description }))

export const RANGE = {
  from: day(
    'First day of the report, included; by default the first day of the month eleven months before that of `to`',
  ),
  to: day(
    'Last day of the report, included; by default today, or the last day of the twelfth month from `from` on if that is earlier',
  ),
}
export const AS_OF = { as_of: day('Date to report on; today by default') }

const told = (description: string) => Type.String({ format: 'date', description })

export const COUNTED = { from: told('First day of the report'), to: told('Last day of the report') }
export const OF_DAY = { as_of: told('Date of the report') }

export const LIST = Type.String({
  description: 'Link to the records behind this number: path and query of a list, relative to the API prefix',
})

export const FIGURE = Type.Object(
  {
    count: Type.Integer({
      description: 'Number of records in the `list`; somebody who joined or left several times counts each time',
    }),
    list: LIST,
  },
  { title: 'Figure' },
)

export const GROUP = Type.Object(
  {
    id: orNull(
      Type.Integer({
        description: 'ID of the group, such as a department; null for the group of people who have none',
      }),
    ),
    name: orNull(Type.String()),
    count: Type.Integer({ description: 'Number of records in the `list`' }),
    list: LIST,
  },
  { title: 'FigureOfGroup' },
)

export const RATE = orNull(
  Type.Number({
    description:
      'The rate as a fraction, rounded to four decimals: 0.125 is 12.5 percent. Null if it cannot be calculated, because there is nobody to count',
  }),
)

export const rateOf = (part: number, whole: number) => (whole > 0 ? Math.round((part / whole) * 10_000) / 10_000 : null)

export const rounded = (value: number, places: number) => Math.round(value * 10 ** places) / 10 ** places

export type Month = { month: string; starts_on: string; ends_on: string }

export const MONTH = {
  month: Type.String({ description: 'Year and month', examples: ['2026-01'] }),
  starts_on: Type.String({ format: 'date', description: 'First day of the part of the month that is in the report' }),
  ends_on: Type.String({ format: 'date', description: 'Last day of the part of the month that is in the report' }),
}

const firstOf = (date: string) => `${date.slice(0, 7)}-01`
const nextMonth = (first: string) => firstOf(daysAfter(first, 31))

/** The range that was asked for, and the months that it is made of: the first and the last may be parts of one. */
export function rangeOf({ today }: Reader, asked: { from?: string; to?: string }) {
  const { from, to = from && endOfYearFrom(from) < today ? endOfYearFrom(from) : today } = asked
  const yearAgo = monthsBefore(to, 11)
  const first = from ?? (yearAgo < FIRST_DAY ? FIRST_DAY : yearAgo)
  if (to < first) throw malformed(wrong('to', 'too_early', 'cannot be before from'))
  const months: Month[] = []
  for (let start = firstOf(first); start <= to && months.length <= MOST_MONTHS; start = nextMonth(start)) {
    const last = daysAfter(nextMonth(start), -1)
    months.push({ month: start.slice(0, 7), starts_on: start < first ? first : start, ends_on: last > to ? to : last })
  }
  if (months.length > MOST_MONTHS)
    throw malformed(wrong('to', 'out_of_range', `must be at most ${MOST_MONTHS} months after from`))
  return { from: first, to, months }
}

/** The last day of the twelfth month, the one of that day included. */
function endOfYearFrom(date: string): string {
  let first = firstOf(date)
  for (let n = 0; n < 12; n++) first = nextMonth(first)
  return daysAfter(first, -1)
}

function monthsBefore(date: string, months: number): string {
  let first = firstOf(date)
  for (let n = 0; n < months; n++) first = firstOf(daysAfter(first, -1))
  return first
}

/** Monday to Friday. */
export function weekdaysIn({ starts_on, ends_on }: Month): number {
  const days = Array.from({ length: countDays(starts_on, ends_on) }, (_, n) => daysAfter(starts_on, n))
  return days.filter((one) => ![0, 6].includes(new Date(`${one}T00:00:00Z`).getUTCDay())).length
}

/** `2026-01` of a column that holds dates. */
export const monthOf = (column: string) => sql<string>`substr(cast(${sql.ref(column)} as text), 1, 7)`

/** The address of a list: `/books?ids[]=1&ids[]=2&made_on[gte]=2026-01-01`. */
export function listAt(path: string, asked: Record<string, any>): string {
  const pairs = Object.entries(asked).flatMap(([name, value]): [string, unknown][] =>
    Array.isArray(value)
      ? value.map((one) => [`${name}[]`, one])
      : value !== null && typeof value === 'object'
        ? Object.entries(value).map(([part, one]) => [`${name}[${part}]`, one])
        : [[name, value]],
  )
  const query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')
  return query ? `${path}?${query}` : path
}

export const employeesAt = (asked: Record<string, any>) => listAt('/employees', asked)

/** Counts many questions about employees in one statement, whatever their number. */
export async function countEmployees(db: Reader, questions: readonly Record<string, any>[]) {
  const counting: Query[] = []
  for (const [place, asked] of questions.entries()) {
    for (const { query } of await employmentsMatching(db, asked))
      counting.push(query.select((eb) => [sql.lit(place).as('place'), eb.fn.countAll().as('n')]))
  }
  const [first, ...others] = counting
  if (!first) return []
  const rows = await others.reduce((all, one) => all.unionAll(one), first).execute()
  const counts = new Map<number, number>()
  for (const row of rows) counts.set(Number(row.place), (counts.get(Number(row.place)) ?? 0) + Number(row.n))
  return questions.map((asked, place) => ({ count: counts.get(place) ?? 0, list: employeesAt(asked) }))
}

type GroupCount = { id: number | null; n: number }

/** Figures of groups, the largest first, with their names. */
export async function named<G extends GroupCount>(db: Reader, table: string, groups: readonly G[]) {
  const ids = groups.flatMap(({ id }) => id ?? [])
  const rows = ids.length ? await db.from(table).select(['id', 'name']).where('id', 'in', ids).execute() : []
  const names = new Map(rows.map((row) => [row.id, row.name as string]))
  return groups
    .map((group) => ({ ...group, name: group.id === null ? null : (names.get(group.id) ?? null) }))
    .sort((a, b) => b.n - a.n || (a.id ?? Number.MAX_SAFE_INTEGER) - (b.id ?? Number.MAX_SAFE_INTEGER))
}

type GroupColumn = string | ((employment: string) => string)
type Join = (query: Query, employment: string) => Query

/** How many people and employments have each value of a column: one of the employment, or of what is joined. One statement. */
export async function countsBy(db: Reader, asked: Record<string, any>, column: GroupColumn, join: Join) {
  const sources = (await employmentsMatching(db, asked)).map(({ query, employment }) => ({
    query: join(query, employment),
    column: typeof column === 'string' ? column : column(employment),
  }))
  const [first, ...others] = sources.map(({ query, column }) =>
    query.select((eb) => [`${column} as id`, eb.fn.countAll().as('n')]).groupBy(column),
  ) as [Query, ...Query[]]
  const rows = await others.reduce((all, one) => all.unionAll(one), first).execute()
  const counts = new Map<number | null, number>()
  for (const { id, n } of rows) counts.set(id, (counts.get(id) ?? 0) + Number(n))
  return { counts, name: sources[0]?.column.split('.').at(-1) as string }
}

/** The same as figures of groups: each with its name and a link to its list. */
export async function employeesBy(
  db: Reader,
  asked: Record<string, any>,
  column: GroupColumn,
  table: string,
  join: Join = (query) => query,
) {
  const { counts, name } = await countsBy(db, asked, column, join)
  const groups = await named(
    db,
    table,
    [...counts].map(([id, n]) => ({ id, n })),
  )
  return groups.map(({ id, name: label, n }) => ({
    id,
    name: label,
    count: n,
    list: employeesAt({ ...asked, ...(id === null ? { without: [name] } : { [name]: id }) }),
  }))
}

/** Joins the job that people have on a day, as `p`. */
export const withJobsOn = (day: string, person: string) => (query: Query) =>
  query.leftJoin('employee_positions as p', (on) =>
    on
      .onRef('p.account_id', '=', `${person.split('.')[0]}.account_id`)
      .onRef('p.employee_id', '=', person)
      .on('p.effective_from', '<=', day)
      .on('p.effective_until', '>', day),
  )

/** Joins the employment status that people have on a day, as `s`. */
export const withStatusesOn = (day: string) => (query: Query) =>
  query.leftJoin('employment_statuses as s', (on) =>
    on
      .onRef('s.account_id', '=', 'employees.account_id')
      .onRef('s.employee_id', '=', 'employees.id')
      .on('s.effective_from', '<=', day)
      .on('s.effective_until', '>', day),
  )
