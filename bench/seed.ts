import { commandLine, createAccount, createKey } from '../src/access/accounts.ts'
import { connect } from '../src/database/connect.ts'
import { writeAs } from '../src/database/handle.ts'
import { migrate } from '../src/database/migrate.ts'
import { insertAll } from '../src/engine/records.ts'
import type { Resource } from '../src/engine/resource.ts'
import { departments } from '../src/organisation/departments.ts'
import { locations } from '../src/organisation/locations.ts'
import { positions } from '../src/organisation/names.ts'
import { teamMembers, teams } from '../src/organisation/teams.ts'
import { employees } from '../src/people/employees.ts'
import { employeePositions } from '../src/people/job-history.ts'

export const SEEDED = 20_000

/** The same company every time: 20,000 employees with their jobs, and 200 teams of ten. */
export async function seed(url: string, key: string): Promise<void> {
  const database = connect(url)
  await migrate(database)
  const account = await createAccount(database, { name: 'Benchmark' })
  await createKey(database, account, { name: 'CADRE_API_KEY' }, key)
  const people = Array.from({ length: SEEDED }, (_, n) => ({
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
  const write = (rows: Record<string, unknown>[], of: Resource<any>) =>
    writeAs(
      database,
      commandLine(account, 'seed'),
      () => new Date(),
      (db) => insertAll(db, of, rows),
    )
  await write(named('Position', 40), positions)
  await write(named('Department', 100), departments)
  await write(named('Location', 10), locations)
  await write(people, employees)
  await write(jobRows, employeePositions)
  await write(teamRows, teams)
  await write(memberRows, teamMembers)
  await database.analyse()
  await database.close()
}
