import Type from 'typebox'
import { daysAfter } from '../../engine/day.ts'
import { orNull } from '../../engine/field.ts'
import { FIRST_DAY } from '../../engine/format.ts'
import { operation } from '../../engine/operation.ts'
import { requirePermission } from '../../engine/permission.ts'
import { wrapped } from '../../engine/schema.ts'
import type { Query, Reader } from '../../records/reader.ts'
import { fullTimeHoursOn, weeklyHoursOn } from '../organisation/working-patterns.ts'
import { yearsEarlier } from '../people/celebrations.ts'
import { employmentsMatching } from '../people/employee-filters.ts'
import {
  AMONG,
  AS_OF,
  amongOf,
  area,
  COUNTED,
  countEmployees,
  countsBy,
  employeesBy,
  FIGURE,
  GROUP,
  MONTH,
  type Month,
  OF_DAY,
  type PeopleFilter,
  type PeopleFilterOn,
  RANGE,
  RATE,
  rangeOf,
  rateOf,
  rounded,
  withJobsOn,
  withStatusesOn,
} from './figures.ts'

/** How many people there are, how that changes, and how long they stay. */

const presentOn = (as_of: string, among: PeopleFilter) => ({ status: 'in_service', as_of, ...among })

const between = (gte: string, lte: string) => ({ gte, lte })

const leftIn = ({ starts_on, ends_on }: Omit<Month, 'month'>, among: PeopleFilter) => ({
  status: 'all',
  left_on: between(starts_on, ends_on),
  ...among,
})

/** Of each month who is here at its end, who came and who went; and who was here before the first: one statement. */
export async function headcountsOf(db: Reader, months: readonly Month[], among: PeopleFilterOn) {
  const [first] = months as readonly [Month]
  const [before, ...rest] = await countEmployees(db, [
    presentOn(daysAfter(first.starts_on, -1), among(daysAfter(first.starts_on, -1))),
    ...months.flatMap((month) => [
      presentOn(month.ends_on, among(month.ends_on)),
      { status: 'all', joined_on: between(month.starts_on, month.ends_on), ...among(month.ends_on) },
      leftIn(month, among(month.ends_on)),
    ]),
  ])
  let known = before?.count ?? 0
  const counted = months.map((month, n) => {
    const [headcount, joined, left] = rest.slice(n * 3, n * 3 + 3) as (typeof rest)[number][] as [
      Figure,
      Figure,
      Figure,
    ]
    const started = known
    known = headcount.count
    const moved = headcount.count - started - joined.count + left.count
    return { ...month, started, headcount, joined, left, moved }
  })
  return { before: before?.count ?? 0, months: counted }
}

type Figure = { count: number; list: string }

const HEADCOUNT = Type.Object(
  {
    ...COUNTED,
    headcount: FIGURE,
    full_time_equivalents: Type.Number({
      description:
        'Sum of `full_time_equivalent` of the people of the headcount on the last day of the range; people without a working pattern count as full-time',
    }),
    months: Type.Array(
      Type.Object(
        {
          ...MONTH,
          headcount: FIGURE,
          joined: FIGURE,
          left: FIGURE,
          moved: Type.Integer({
            description:
              'People who moved into the departments or locations of the report during the month, minus people who moved out. Does not include those who joined or left the company; 0 if the report is not limited to departments or locations',
          }),
        },
        { title: 'HeadcountOfMonth' },
      ),
    ),
    by_department: Type.Array(GROUP, { description: 'Headcount by department on the last day of the range' }),
    by_location: Type.Array(GROUP, { description: 'Headcount by location on the last day of the range' }),
  },
  { title: 'Headcount' },
)

const TURNOVER = Type.Object(
  {
    ...COUNTED,
    left: FIGURE,
    average_headcount: Type.Number({
      description: 'Average of the headcounts on the day before the range and at the end of each month',
    }),
    rate: RATE,
    months: Type.Array(
      Type.Object(
        {
          ...MONTH,
          left: FIGURE,
          average_headcount: Type.Number({
            description:
              'Average of the headcounts on the day before the month (or its part in the report) and on its last day',
          }),
          rate: RATE,
        },
        { title: 'TurnoverOfMonth' },
      ),
    ),
    by_type: Type.Optional(Type.Array(GROUP, { description: 'Leavers by termination type', 'x-group': 'personal' })),
    by_reason: Type.Optional(
      Type.Array(GROUP, { description: 'Leavers by termination reason', 'x-group': 'personal' }),
    ),
    by_department: Type.Array(GROUP, { description: 'Leavers by department on the last day of employment' }),
  },
  { title: 'Turnover' },
)

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length

/** Those who left, by the department of their last day. */
const leaversByDepartment = (db: Reader, asked: Record<string, any>) =>
  employeesBy(db, asked, 'p.department_id', 'departments', (query, employment) =>
    query.leftJoin('employee_positions as p', (on) =>
      on
        .onRef('p.account_id', '=', 'employees.account_id')
        .onRef('p.employee_id', '=', 'employees.id')
        .onRef('p.effective_from', '<', `${employment}.termination_effective_on`)
        .onRef('p.effective_until', '>=', `${employment}.termination_effective_on`),
    ),
  )

/** The sum of what these people work on a day, in full-time equivalents. */
async function fullTimeEquivalents(db: Reader, present: Record<string, any>, day: string): Promise<number> {
  const { counts } = await countsBy(db, present, 's.working_pattern_id', withStatusesOn(day))
  const hours = await weeklyHoursOn(db, day)
  const full = await fullTimeHoursOn(db, day)
  const sum = [...counts].reduce((total, [id, count]) => total + count * (hours.get(id ?? 0) ?? full), 0)
  return rounded(sum / full, 2)
}

/** The first whole year of each bracket of tenure. */
const BRACKETS = [0, 1, 2, 3, 5, 10, 20]

const TENURE = Type.Object(
  {
    ...OF_DAY,
    headcount: FIGURE,
    median_years: orNull(
      Type.Number({ description: 'Median length of service in years of 365.25 days, rounded to one decimal' }),
    ),
    brackets: Type.Array(
      Type.Object(
        {
          from_years: Type.Integer({ description: 'Lowest number of whole years of service in this bracket' }),
          until_years: orNull(
            Type.Integer({
              description:
                'Number of whole years at which the next bracket begins, not included here; null for the last bracket',
            }),
          ),
          ...FIGURE.properties,
        },
        { title: 'TenureBracket' },
      ),
    ),
    unknown: FIGURE,
  },
  { title: 'Tenure' },
)

const notBefore = (day: string) => (day < FIRST_DAY ? FIRST_DAY : day)

/** Whoever has been here for so many whole years, and not for more. */
function servedFor(day: string, from: number, until: number | undefined) {
  const lt = notBefore(daysAfter(yearsEarlier(day, from), 1))
  return until === undefined ? { lt } : { gte: notBefore(daysAfter(yearsEarlier(day, until), 1)), lt }
}

const YEAR = 365.25 * 86_400_000

/** The two in the middle are one where the number is odd. */
async function medianYears(db: Reader, asked: { as_of: string } & Record<string, any>, count: number) {
  if (count === 0) return null
  const [first, ...others] = (await employmentsMatching(db, asked)).map(({ query, employment }) =>
    query
      .select((eb) => eb.fn.coalesce(`${employment}.stored_tenure_since`, `${employment}.hired_on`).as('since'))
      .where(`${employment}.hired_on`, 'is not', null),
  ) as [Query, ...Query[]]
  const rows = await others
    .reduce((all, one) => all.unionAll(one), first)
    .orderBy('since')
    .limit(2 - (count % 2))
    .offset(Math.floor((count - 1) / 2))
    .execute()
  return rounded(mean(rows.map((row) => (Date.parse(asked.as_of) - Date.parse(row.since)) / YEAR)), 1)
}

export const staffReports = [
  operation(
    {
      id: 'getHeadcount',
      takesLong: true,
      method: 'GET',
      path: '/reports/headcount',
      summary: 'Get the headcount and its changes',
      note: 'A person is in service from `hired_on` (or always, if it is not set) until the day before `termination_effective_on`. They join on `hired_on` and leave on `termination_effective_on`; a person who would leave before starting does neither. Somebody who is rehired is in service during each employment, and joins and leaves with each. A department or location includes the people who have it on the date in question. Erased people are not counted on any date. Requires the `reports:read` and `employees:read` permissions.',
      area,
      multiResource: true,
      query: Type.Object({ ...RANGE, ...AMONG }),
      answer: wrapped(HEADCOUNT),
      indexedColumns: ['employees.hired_on', 'employees.termination_effective_on'],
    },
    async ({ db, query }) => {
      requirePermission(db.caller, 'employees:read')
      const { from, to, months } = rangeOf(db, query)
      const among = await amongOf(db, query, daysAfter(from, -1))
      const counted = await headcountsOf(db, months, among)
      const present = presentOn(to, among(to))
      const by = (column: string, table: string) =>
        employeesBy(db, present, `p.${column}`, table, withJobsOn(to, 'employees.id'))
      const data = {
        from,
        to,
        headcount: counted.months.at(-1)?.headcount,
        full_time_equivalents: await fullTimeEquivalents(db, present, to),
        months: counted.months,
        by_department: await by('department_id', 'departments'),
        by_location: await by('location_id', 'locations'),
      }
      return { body: { data } }
    },
  ),
  operation(
    {
      id: 'getTurnover',
      takesLong: true,
      method: 'GET',
      path: '/reports/turnover',
      summary: 'Get staff turnover',
      note: 'The rate is the number of leavers divided by the average headcount, for the whole range and not annualised. A person leaves on `termination_effective_on`, the first day after employment. Erased people are not counted on any date. Callers who may not see the field group `personal` get no figures by termination type or reason. Requires the `reports:read` and `employees:read` permissions.',
      area,
      multiResource: true,
      query: Type.Object({ ...RANGE, ...AMONG }),
      answer: wrapped(TURNOVER),
      indexedColumns: ['employees.hired_on', 'employees.termination_effective_on'],
    },
    async ({ db, query }) => {
      requirePermission(db.caller, 'employees:read')
      const { from, to, months } = rangeOf(db, query)
      const among = await amongOf(db, query, daysAfter(from, -1))
      const counted = await headcountsOf(db, months, among)
      const asked = leftIn({ starts_on: from, ends_on: to }, among(to))
      const [left] = (await countEmployees(db, [asked])) as [Figure]
      const average = mean([counted.before, ...counted.months.map(({ headcount }) => headcount.count)])
      const isTold = !db.caller.withheld.has('personal')
      if (!isTold) db.omitted.add('personal')
      const by = (column: string, table: string) =>
        employeesBy(db, asked, (employment) => `${employment}.${column}`, table)
      const data = {
        from,
        to,
        left,
        average_headcount: rounded(average, 2),
        rate: rateOf(left.count, average),
        months: counted.months.map(({ started, headcount, left: gone, ...month }) => {
          const usual = mean([started, headcount.count])
          return { ...month, left: gone, average_headcount: rounded(usual, 2), rate: rateOf(gone.count, usual) }
        }),
        ...(isTold
          ? {
              by_type: await by('termination_type_id', 'termination_types'),
              by_reason: await by('termination_reason_id', 'termination_reasons'),
            }
          : {}),
        by_department: await leaversByDepartment(db, asked),
      }
      return { body: { data } }
    },
  ),
  operation(
    {
      id: 'getTenure',
      takesLong: true,
      method: 'GET',
      path: '/reports/tenure',
      summary: 'Get the length of service of employees',
      note: 'Length of service is counted in whole years from `tenure_since` to the date. People hired on 29 February complete a year on 28 February if the year has no 29 February. Requires the `reports:read` and `employees:read` permissions.',
      area,
      multiResource: true,
      query: Type.Object({ ...AS_OF, ...AMONG }),
      answer: wrapped(TENURE),
      indexedColumns: ['employees.hired_on'],
    },
    async ({ db, query }) => {
      requirePermission(db.caller, 'employees:read')
      const as_of = query.as_of ?? db.today
      const present = presentOn(as_of, (await amongOf(db, query, as_of))(as_of))
      const [headcount, unknown, ...figures] = (await countEmployees(db, [
        present,
        { ...present, without: ['hired_on'] },
        ...BRACKETS.map((years, n) => ({ ...present, tenure_since: servedFor(as_of, years, BRACKETS[n + 1]) })),
      ])) as [Figure, Figure, ...Figure[]]
      const brackets = BRACKETS.map((from_years, n) => ({
        from_years,
        until_years: BRACKETS[n + 1] ?? null,
        ...(figures[n] as Figure),
      }))
      const median_years = await medianYears(db, present, headcount.count - unknown.count)
      return { body: { data: { as_of, headcount, median_years, brackets, unknown } } }
    },
  ),
]
