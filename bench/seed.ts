import { commandLine, createAccount, createKey } from '../src/access/accounts.ts'
import { connect } from '../src/database/connect.ts'
import { migrate } from '../src/database/migrate.ts'
import type { Made, Resource } from '../src/engine/declaration.ts'
import { insertAll } from '../src/engine/records.ts'
import { writeAs } from '../src/ledger/ledger.ts'
import { departments } from '../src/organisation/departments.ts'
import { furnish } from '../src/organisation/furnish.ts'
import { locations } from '../src/organisation/locations.ts'
import { employmentTypes, positions } from '../src/organisation/names.ts'
import { employees } from '../src/people/employees.ts'
import { employeePositions } from '../src/people/job-entries.ts'
import { teamMembers, teams } from '../src/people/teams.ts'
import { applications } from '../src/recruitment/applications.ts'
import { candidateSkills, candidates } from '../src/recruitment/candidates.ts'
import { pipelines, stages } from '../src/recruitment/pipelines.ts'
import { vacancies } from '../src/recruitment/vacancies.ts'
import { openService } from '../src/service.ts'

export const SEEDED = 20_000

/** How many rows a write makes: more would only fill memory. */
const AT_ONCE = 10_000

/** The same company every time: employees with their jobs, 200 teams of ten, and candidates. */
export async function seed(url: string, key: string, size: { employees?: number; candidates?: number } = {}) {
  const { employees: employeeCount = SEEDED, candidates: candidateCount = 0 } = size
  const database = connect(url)
  await migrate(database)
  const { ledger } = openService({ database, filesFolder: '' })
  const account = await createAccount(ledger, { name: 'Benchmark' }, furnish)
  await createKey(ledger, account, { name: 'CADRE_API_KEY' }, key)
  const people = Array.from({ length: employeeCount }, (_, n) => ({
    first_name: `First ${n}`,
    last_name: `Last ${n}`,
    email: `person${n}@example.com`,
    employee_number: String(n + 1),
    hired_on: `20${10 + (n % 15)}-0${1 + (n % 9)}-01`,
    access: true,
  }))
  const named = (what: string, size: number) => Array.from({ length: size }, (_, n) => ({ name: `${what} ${n}` }))
  const teamRows = named('Team', 200).map((team, n) => ({ ...team, team_lead_id: n + 1 }))
  const memberRows = teamRows.flatMap((_, n) =>
    Array.from({ length: 10 }, (_, m) => ({ team_id: n + 1, user_id: 1000 + n * 10 + m })),
  )
  const jobRows = people.map((person, n) => ({
    employee_id: n + 1,
    effective_from: person.hired_on,
    position_id: 1 + (n % 40),
    department_id: 1 + (n % 100),
    location_id: 1 + (n % 10),
    reporting_to_id: n === 0 ? null : 1 + Math.floor((n - 1) / 8),
  }))
  const write = async <R extends Resource>(rows: Made<R>[], of: R) => {
    for (let from = 0; from < rows.length; from += AT_ONCE)
      await writeAs(ledger, commandLine(account), 'seed', (db) => insertAll(db, of, rows.slice(from, from + AT_ONCE)))
  }
  await write(named('Position', 40), positions)
  await write(named('Department', 100), departments)
  await write(named('Location', 10), locations)
  await write(people, employees)
  await write(jobRows, employeePositions)
  await write(teamRows, teams)
  await write(memberRows, teamMembers)
  await write(named('Type', 1), employmentTypes)
  await write(named('Pipeline', 1), pipelines)
  await write([{ name: 'Applied', position: 1, type: 'new', pipeline_id: 1 }], stages)
  const vacancy = { description: '', department_id: 1, location_id: 1, employment_type_id: 1, currency_code: 'EUR' }
  const openings = Array.from({ length: 20 }, (_, n) => ({
    title: `Vacancy ${n}`,
    ...vacancy,
    recruitment_pipeline_id: 1,
    hiring_lead_user_id: 1,
  }))
  await write(openings, vacancies)
  const all = Array.from({ length: candidateCount }, (_, n) => n)
  await write(
    all.map((n) => ({ full_name: `Candidate ${n}`, email: `candidate${n}@example.com` })),
    candidates,
  )
  const skillOf = (n: number, name: number) => ({ candidate_id: n + 1, name: `skill ${name}` })
  await write(
    all.flatMap((n) => [skillOf(n, n % 50), skillOf(n, (n + 7) % 50)]),
    candidateSkills.rows,
  )
  await write(
    all.map((n) => ({ vacancy_id: 1 + (n % 20), candidate_id: n + 1, stage_id: 1 })),
    applications,
  )
  await database.analyse()
  await database.close()
}
