import { connect } from '../src/database/connect.ts'
import { migrate } from '../src/database/migrate.ts'
import { commandLine, createAccount, createKey } from '../src/domain/access/accounts.ts'
import { createDefaultRecords } from '../src/domain/organisation/default-records.ts'
import { departments } from '../src/domain/organisation/departments.ts'
import { locations } from '../src/domain/organisation/locations.ts'
import { employmentTypes, positions } from '../src/domain/organisation/names.ts'
import { employeeFieldGroups, employeeFieldOptions, employeeFields } from '../src/domain/people/custom-fields.ts'
import { employeeFieldValues } from '../src/domain/people/custom-values.ts'
import { employees } from '../src/domain/people/employees.ts'
import { employeePositions } from '../src/domain/people/job-entries.ts'
import { teamMembers, teams } from '../src/domain/people/teams.ts'
import { indicatorResults, indicators } from '../src/domain/performance/indicators.ts'
import { applications } from '../src/domain/recruitment/applications.ts'
import { candidateSkills, candidates } from '../src/domain/recruitment/candidates.ts'
import { pipelines, stages } from '../src/domain/recruitment/pipelines.ts'
import { tags } from '../src/domain/recruitment/reference-data.ts'
import { vacancies } from '../src/domain/recruitment/vacancies.ts'
import { timesheetEntries } from '../src/domain/time/timesheet-entries.ts'
import { ALWAYS } from '../src/engine/dated.ts'
import type { Made, Resource } from '../src/engine/declaration.ts'
import { eraseAll, insertAll, rowsOf } from '../src/engine/records.ts'
import { writeAs } from '../src/records/ledger.ts'
import type { Writer } from '../src/records/write.ts'
import { openService } from '../src/service.ts'
import { multiply } from './multiply.ts'
import { progress } from './progress.ts'

/**
 * The same company every time. The first people and candidates are written by the service's own functions, in one turn for
 * each thousand; those beyond are copies of them, made by the engine (see `multiply.ts`).
 */
export type Size = { employees: number; candidates: number }

/** So many are written by the service's own functions at most. */
export const FIRST = 10_000
const AT_ONCE = 1000

export const COUNTS = { departments: 100, tags: 100, clocked: 500 }
/** The month in which there are entries of time. */
export const MONTH = { year: 2025, month: 6 }

const FIRST_NAMES =
  'Ada Alan Anna Ben Clara David Emma Felix Grace Hugo Ida Jonas Karla Leon Mia Noah Olga Paul Rosa Sven'
const [SYLLABLES, ENDINGS] = [
  'Ber Dor Fal Gar Hol Kal Lin Mar Nor Ost Rei Sal Tal Ul Wen',
  'berg feld gren horst ik mann ner ow son tal',
]
const words = (text: string) => text.split(' ')
const of = <T>(list: readonly T[], n: number) => list[n % list.length] as T
export const firstName = (n: number) => of(words(FIRST_NAMES), n)
export const lastName = (n: number) =>
  of(words(SYLLABLES), Math.floor(n / 20)) + of(words(ENDINGS), Math.floor(n / 300)) + of(['', 's', 'a', 'o'], n)

/** Custom fields, and the value of each person. */
const FIELDS = [
  { name: 'Badge number', type: 'text', value: (n: number) => `B-${n}` },
  { name: 'Shirt size', type: 'single_select', value: (n: number) => `,${1 + (n % 4)},` },
] as const

type Write = <T>(work: (db: Writer) => Promise<T>) => Promise<T>
const many = <T>(size: number, make: (n: number) => T) => Array.from({ length: size }, (_, n) => make(n))
const named = (what: string, size: number) => many(size, (n) => ({ name: `${what} ${n}` }))

/** Those beyond the first are copies. */
export async function seed(url: string, key: string, size: Size, madeFirst = FIRST): Promise<void> {
  const database = connect(url)
  await migrate(database)
  const { ledger } = openService({ database, filesAt: '' })
  const account = await createAccount(ledger, { name: 'Benchmark' }, createDefaultRecords)
  await createKey(ledger, account, { name: 'CADRE_API_KEY' }, key)
  const write: Write = (work) => writeAs(ledger, commandLine(account), 'seed', work)
  const first = { employees: Math.min(size.employees, madeFirst), candidates: Math.min(size.candidates, madeFirst) }
  const bar = progress(
    `Seeding ${size.employees} employees and ${size.candidates} candidates on ${database.engine}`,
    size.employees + size.candidates,
  )
  await write(furniture)
  for (let from = 0; from < first.employees; from += AT_ONCE) {
    await write((db) => someEmployees(db, from, Math.min(from + AT_ONCE, first.employees)))
    // PostgreSQL checks references by any index while it knows nothing of the tables: each check by walking the account.
    if (from === 0) await database.analyse()
    bar.step(from)
  }
  await write((db) => deleteSome(db, first.employees))
  await write((db) => teamsOf(db, first.employees))
  for (let from = 0; from < first.candidates; from += AT_ONCE) {
    await write((db) => someCandidates(db, from, Math.min(from + AT_ONCE, first.candidates)))
    if (from === 0) await database.analyse()
    bar.step(first.employees + from)
  }
  await multiply(ledger, account, first, size, bar)
  await database.close()
  bar.end()
}

async function furniture(db: Writer): Promise<void> {
  const make = <R extends Resource>(resource: R, rows: Made<R>[]) => insertAll(db, resource, rows)
  await make(positions, named('Position', 40))
  await make(departments, named('Department', COUNTS.departments))
  await make(locations, named('Location', 10))
  await make(employmentTypes, named('Type', 1))
  await make(tags, named('Tag', COUNTS.tags))
  const [group_id] = await make(employeeFieldGroups, [{ name: 'Office' }])
  await make(
    employeeFields,
    FIELDS.map(({ name, type }) => ({
      name,
      type,
      internal_name: name.toLowerCase().replaceAll(' ', '_'),
      group_id: group_id as number,
    })),
  )
  await make(
    employeeFieldOptions,
    ['S', 'M', 'L', 'XL'].map((value) => ({ employee_field_id: FIELDS.length, value })),
  )
  await make(pipelines, named('Pipeline', 1))
  await make(stages, [{ name: 'Applied', position: 1, type: 'new', pipeline_id: 1 }])
}

const hiredOn = (n: number) => `20${10 + (n % 15)}-0${1 + (n % 9)}-01`

/** One in ten has left. */
export const hasLeft = (n: number) => n % 10 === 9

const isDeleted = (id: number) => id % 50 === 8

/** One in a hundred was deleted: every fiftieth of the later half, who lead nobody. */
async function deleteSome(db: Writer, count: number): Promise<void> {
  const ids = many(count, (n) => n + 1).filter((id) => id > count / 2 && isDeleted(id))
  if (ids.length === 0) return
  for (const parts of [employeePositions, employeeFieldValues] as Resource[])
    await eraseAll(db, parts, await rowsOf(parts, db.from(parts.table).where('employee_id', 'in', ids)))
  await eraseAll(db, employees, await rowsOf(employees, db.from('employees').where('id', 'in', ids)))
}

async function someEmployees(db: Writer, from: number, until: number): Promise<void> {
  const some = many(until - from, (n) => from + n)
  await insertAll(
    db,
    employees,
    some.map((n) => ({
      first_name: firstName(n),
      last_name: lastName(n),
      email: `person${n + 1}@example.com`,
      employee_number: String(n + 1),
      date_of_birth: `19${60 + (n % 40)}-0${1 + (n % 9)}-2${n % 9}`,
      work_phone_number: `+49 30 ${100000 + n}`,
      hired_on: hiredOn(n),
      termination_effective_on: hasLeft(n) ? `2025-0${1 + (n % 9)}-01` : null,
      access: true,
    })),
  )
  await insertAll(
    db,
    employeePositions,
    some.map((n) => ({
      employee_id: n + 1,
      effective_from: hiredOn(n),
      position_id: 1 + (n % 40),
      department_id: 1 + (n % COUNTS.departments),
      location_id: n % 4 === 0 ? 1 + (n % 10) : null,
      reporting_to_id: n === 0 ? null : 1 + Math.floor((n - 1) / 8),
    })),
  )
  await insertAll(
    db,
    employeeFieldValues,
    some.flatMap((n) =>
      FIELDS.map(({ value }, field) => ({
        employee_id: n + 1,
        employee_field_id: field + 1,
        effective_from: ALWAYS,
        value: value(n),
      })),
    ),
  )
  await indicatorsOf(
    db,
    some.filter((n) => n % 10 === 0),
  )
  await hoursOf(
    db,
    some.filter((n) => n < COUNTS.clocked && !hasLeft(n) && !isDeleted(n + 1)),
  )
}

/** Every tenth has a figure to reach; a third of them are far behind. */
async function indicatorsOf(db: Writer, some: readonly number[]): Promise<void> {
  const ids = await insertAll(
    db,
    indicators,
    some.map((n) => ({
      title: `Customers of ${n}`,
      metric: 'number' as const,
      kpi_type: 'individual' as const,
      starts_on: '2025-01-01',
      ends_on: '2035-12-31',
      start_value: 0,
      target_value: 1_000_000,
      user_id: n + 1,
    })),
  )
  await insertAll(
    db,
    indicatorResults,
    ids.map((id) => ({
      key_performance_indicator_id: id,
      value: [0, 300_000, 1_000_000][id % 3]!,
      occurred_on: '2025-02-01',
    })),
  )
}

/** A month of working days. */
async function hoursOf(db: Writer, some: readonly number[]): Promise<void> {
  const days = many(30, (n) => `2025-06-${String(n + 1).padStart(2, '0')}`)
  await insertAll(
    db,
    timesheetEntries,
    some.flatMap((n) =>
      days.map((date) => ({
        employee_id: n + 1,
        starts_at: `${date}T08:00:00.000Z`,
        ends_at: `${date}T15:30:00.000Z`,
        date,
        minutes: 450,
      })),
    ),
  )
}

/** 200 teams of ten. */
async function teamsOf(db: Writer, people: number): Promise<void> {
  const size = Math.min(200, Math.floor(people / 20))
  await insertAll(
    db,
    teams,
    named('Team', size).map((team, n) => ({ ...team, team_lead_id: n + 1 })),
  )
  await insertAll(
    db,
    teamMembers,
    many(size * 10, (n) => ({ team_id: 1 + Math.floor(n / 10), user_id: n + 1 })),
  )
  const vacancy = { description: '', department_id: 1, location_id: 1, employment_type_id: 1, currency_code: 'EUR' }
  await insertAll(
    db,
    vacancies,
    many(20, (n) => ({ title: `Vacancy ${n}`, ...vacancy, recruitment_pipeline_id: 1, hiring_lead_user_id: 1 })),
  )
}

async function someCandidates(db: Writer, from: number, until: number): Promise<void> {
  const some = many(until - from, (n) => from + n)
  await insertAll(
    db,
    candidates,
    some.map((n) => ({ full_name: `${firstName(n)} ${lastName(n)}`, email: `candidate${n + 1}@example.com` })),
  )
  await insertAll(
    db,
    candidateSkills.rows,
    some.flatMap((n) => [0, 7].map((more) => ({ candidate_id: n + 1, name: `skill ${(n + more) % 50}` }))),
  )
  await insertAll(
    db,
    applications,
    some.map((n) => ({ vacancy_id: 1 + (n % 20), candidate_id: n + 1, stage_id: 1 })),
  )
}
