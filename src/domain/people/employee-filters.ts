import type { ExpressionBuilder } from 'kysely'
import Type from 'typebox'
import type { ColumnName } from '../../engine/declaration.ts'
import { anyOf, type Lens, narrowed } from '../../engine/derive.ts'
import {
  anyRecordOf,
  anyTextOf,
  byOneOrMany,
  DATE_BOUNDS,
  dateRange,
  type Filter,
  hasWords,
  having,
  isText,
  timeRange,
  withinDates,
} from '../../engine/filter.ts'
import { forbidden } from '../../engine/problem.ts'
import { fieldOf } from '../../engine/resource.ts'
import { like, type Query, type Reader } from '../../records/reader.ts'
import { employees } from './employees.ts'
import { employmentOfDay, employmentSearched, employmentSources } from './employment-sources.ts'
import { type employeePositions, holdingOn } from './job-entries.ts'
import { skillFilters } from './skills.ts'
import { byStatus, isSomebody, STATUS_COLUMNS } from './status.ts'

/** By what employees are found: in their list, and wherever they are counted. */

type EmployeeFilterQuery = Record<string, any>

/**
 * Those who have, or have not, one of some jobs: on the last day of those who left, on the first of those who joined, or
 * on the day that is looked at. Who came or went are few, and their jobs are looked up one by one.
 */
function whoHave(
  query: Query,
  is: boolean,
  db: Reader,
  asked: EmployeeFilterQuery,
  some: (jobs: Query) => Query,
): Query {
  const { left_on, joined_on } = asked
  const employment = employmentSearched(db)
  const jobs = some(db.from('employee_positions'))
  const via = 'employee_positions.employee_id'
  const own = jobs.select(via).whereRef(via, '=', 'employees.id')
  if (!left_on && !joined_on) {
    const { day, asOf, hasFewRecords } = db.view
    const held = holdingOn(jobs, 'employee_positions', db.view)
    if (!is) return query.where('employees.id', 'not in', held.select(via))
    if (asOf) return having(query, db, 'employees.id', held, via)
    // Those who might are found by the index of the jobs, and each of them is asked whether they do.
    const might = jobs.select(via).where('employee_positions.effective_until', '>', day)
    return (hasFewRecords ? query : query.where('employees.id', 'in', might)).where((eb) =>
      eb.exists(ofTheirDay(own, day)),
    )
  }
  const then = left_on
    ? own
        .whereRef('employee_positions.effective_from', '<', `${employment}.termination_effective_on`)
        .whereRef('employee_positions.effective_until', '>=', `${employment}.termination_effective_on`)
    : own
        .whereRef('employee_positions.effective_from', '<=', `${employment}.hired_on`)
        .whereRef('employee_positions.effective_until', '>', `${employment}.hired_on`)
  return query.where((eb) => (is ? eb.exists(then) : eb.not(eb.exists(then))))
}

/**
 * What `holdingOn` asks, of jobs of the row of the list: it tells itself when they begin. With their table joined a
 * second time, a database that has no figures of its tables yet goes through all of it for each pair of the others.
 */
const ofTheirDay = (jobs: Query, day: string): Query =>
  jobs
    .where('employee_positions.effective_until', '>', day)
    .where((eb) =>
      eb.or([
        eb('employees.hired_on', 'is', null),
        eb('employees.hired_on', '<', eb.ref('employee_positions.effective_until')),
      ]),
    )
    .where((eb) =>
      eb.or([
        eb('employee_positions.effective_from', '<=', day),
        eb('employee_positions.effective_from', '<=', eb.ref('employees.hired_on')),
      ]),
    )

/** Those whose job names one of some records. */
export const byJob = (name: string, column: ColumnName<typeof employeePositions>) =>
  byOneOrMany(
    name,
    [`employee_positions.${column}`],
    (query, ids, db, all) =>
      whoHave(query, true, db, all, (jobs) => jobs.where(`employee_positions.${column}`, 'in', ids)),
    { selfContained: true },
  )

/** A range of dates of an employment. */
const employmentRange = (
  name: 'hired_on' | 'probation_ends_on' | 'termination_effective_on',
  of = employmentOfDay,
): Filter => ({
  ...dateRange(employees, name),
  narrow: (query, bounds, db) => withinDates(query, `${of(db)}.${name}`, bounds),
})

/** The first day for tenure in a range. */
const tenureSince: Filter = {
  schema: {
    ...DATE_BOUNDS,
    description: 'Only people whose tenure counts from a day in this range',
  } as Filter['schema'],
  indexedColumns: ['employees.hired_on'],
  selfContained: true,
  narrow: (query, bounds, db) => {
    const since = (eb: ExpressionBuilder<any, any>) =>
      eb.fn.coalesce(`${employmentOfDay(db)}.stored_tenure_since`, `${employmentOfDay(db)}.hired_on`)
    const operators = { gte: '>=', gt: '>', lt: '<', lte: '<=' } as const
    return (Object.keys(operators) as (keyof typeof operators)[]).reduce(
      (rest, bound) =>
        bounds[bound] === undefined ? rest : rest.where((eb) => eb(since(eb), operators[bound], bounds[bound])),
      query,
    )
  },
}

/** Joined or left in a range of days. People who left before they started did neither. */
const inService = (of: 'hired_on' | 'termination_effective_on', description: string): Filter => {
  const range = employmentRange(of, employmentSearched)
  return {
    ...range,
    schema: { ...range.schema, description } as Filter['schema'],
    indexedColumns: STATUS_COLUMNS,
    narrow: async (query, sent, db, all) => {
      const [first, left] = ['hired_on', 'termination_effective_on'].map(
        (name) => `${employmentSearched(db)}.${name}`,
      ) as [string, string]
      return isSomebody(await range.narrow(query, sent, db, all)).where((eb) =>
        eb.or([eb(first, 'is', null), eb(left, 'is', null), eb(first, '<', eb.ref(left))]),
      )
    },
  }
}

const IN_JOBS = ['department_id', 'location_id', 'job_level_id'] as const
const OWN = ['hired_on', 'termination_type_id', 'termination_reason_id'] as const

/** Those of whom something is not known: what nothing names has no id to ask by. */
const without: Filter = {
  schema: Type.Array(Type.Unsafe<string>({ type: 'string', enum: [...IN_JOBS, ...OWN] }), {
    maxItems: IN_JOBS.length + OWN.length,
    description: 'Names of fields: only employees who have no value in any of them',
  }),
  selfContained: true,
  indexedColumns: [...IN_JOBS.map((name) => `employee_positions.${name}`), ...OWN.map((name) => `employees.${name}`)],
  narrow: (query, names: string[], db, all) =>
    names.reduce((rest, name) => {
      if (IN_JOBS.some((one) => one === name))
        return whoHave(rest, false, db, all, (jobs) => jobs.where(`employee_positions.${name}`, 'is not', null))
      const { group } = fieldOf(employees, name)
      if (group && db.caller.withheld.has(group))
        throw forbidden(`You cannot filter by ${name}: the field group ${group} is hidden from you.`)
      return rest.where(`${name === 'hired_on' ? employmentOfDay(db) : employmentSearched(db)}.${name}`, 'is', null)
    }, query),
}

/** The salaries that are paid on a day: of each person the last that has begun. */
export const salariesOn = (db: Reader, day: string): Query =>
  db
    .from('salaries as s')
    .where('s.effective_on', '<=', day)
    .where((eb) =>
      eb.not(
        eb.exists(
          db
            .from('salaries as later')
            .select('later.id')
            .whereRef('later.employee_id', '=', 's.employee_id')
            .where('later.effective_on', '<=', day)
            .where((next) =>
              next.or([
                next('later.effective_on', '>', next.ref('s.effective_on')),
                next.and([
                  next('later.effective_on', '=', next.ref('s.effective_on')),
                  next('later.id', '>', next.ref('s.id')),
                ]),
              ]),
            ),
        ),
      ),
    )

/** Those who are paid in a currency on the day that is looked at. */
const paidIn: Filter = {
  schema: Type.String({
    format: 'currency',
    examples: ['EUR'],
    description: 'Only employees with a salary in this currency today, or on the date `as_of`',
  }),
  indexedColumns: ['salaries.employee_id'],
  group: 'compensation',
  selfContained: true,
  narrow: (query, code, db) =>
    having(query, db, 'employees.id', salariesOn(db, db.view.day).where('s.currency_code', '=', code), 's.employee_id'),
}

const byLeaving = (name: 'termination_type_id' | 'termination_reason_id') =>
  byOneOrMany(
    name,
    [`employees.${name}`],
    (query, ids, db) => query.where(`${employmentSearched(db)}.${name}`, 'in', ids),
    {
      group: fieldOf(employees, name).group as string,
      selfContained: true,
    },
  )

export const employeeFilters: Record<string, Filter> = {
  ids: anyRecordOf(employees, 'id'),
  emails: anyTextOf(employees, 'email'),
  email: isText(employees, 'email'),
  employee_numbers: anyTextOf(employees, 'employee_number'),
  status: byStatus,
  hired_on: employmentRange('hired_on'),
  tenure_since: tenureSince,
  probation_ends_on: employmentRange('probation_ends_on'),
  joined_on: inService(
    'hired_on',
    'Those who came in these days; department, location, level and manager are then those of the first day',
  ),
  left_on: inService(
    'termination_effective_on',
    'Those who were gone from one of these days on; department, location, level and manager are then those of the last day',
  ),
  created_at: timeRange(employees, 'created_at'),
  updated_at: timeRange(employees, 'updated_at'),
  ...byJob('manager_id', 'reporting_to_id'),
  ...byJob('department_id', 'department_id'),
  ...byJob('location_id', 'location_id'),
  ...byJob('job_level_id', 'job_level_id'),
  ...byLeaving('termination_type_id'),
  ...byLeaving('termination_reason_id'),
  without,
  paid_in: paidIn,
  ...skillFilters,
  q: hasWords(employees, 'Words, or beginnings of words, in the name, email address or employee number'),
}

export const asOf: Lens = {
  schema: Type.String({
    format: 'date',
    description:
      'Date for which to show jobs, status, salary and historical fields. If omitted, the response shows today, and no salary',
  }),
  look: (db, day) => like(db, { view: { ...db.view, day, asOf: day !== db.view.day, hasSalary: true } }),
}

/** The employees whom the list shows that is asked for by these parameters. */
export async function employeesMatching(db: Reader, { as_of, ...asked }: EmployeeFilterQuery): Promise<Query> {
  const then = as_of === undefined ? db : await asOf.look(db, as_of)
  return anyOf('employees', db.from('employees'), employmentSources(then, asked, db.from('employees')), (all, by) =>
    narrowed(all, 'employees', employeeFilters, by, asked),
  )
}

/** People and their employments that these parameters find: those who joined or left several times come several times. */
export async function employmentsMatching(
  db: Reader,
  { as_of, ...asked }: EmployeeFilterQuery,
): Promise<{ query: Query; employment: string }[]> {
  const then = as_of === undefined ? db : await asOf.look(db, as_of)
  const found: { query: Query; employment: string }[] = []
  for (const { db: by, all } of employmentSources(then, asked, then.from('employees')))
    found.push({
      query: await narrowed(all, 'employees', employeeFilters, by, asked),
      employment: employmentSearched(by),
    })
  return found
}
