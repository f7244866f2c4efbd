import { commandLine, createAccount, createKey } from '../src/access/accounts.ts'
import { connect } from '../src/database/connect.ts'
import { writeAs } from '../src/database/handle.ts'
import { migrate } from '../src/database/migrate.ts'
import { insertAll } from '../src/engine/records.ts'
import { teamMembers, teams } from '../src/organisation/teams.ts'
import { employees } from '../src/people/employees.ts'

export const SEEDED = 20_000

/** The same company every time: 20,000 employees in 200 teams of ten. */
export async function seed(url: string, key: string): Promise<void> {
  const database = connect(url)
  await migrate(database)
  const account = await createAccount(database, { name: 'Benchmark' })
  await createKey(database, account, { name: 'CADRE_API_KEY' }, key)
  const people = Array.from({ length: SEEDED }, (_, n) => ({
    first_name: `First ${n}`,
    last_name: `Last ${n}`,
    email: `person${n}@example.com`,
  }))
  const names = Array.from({ length: 200 }, (_, n) => ({ name: `Team ${n}`, team_lead_id: n + 1 }))
  await writeAs(
    database,
    commandLine(account, 'seed'),
    () => new Date(),
    async (db) => {
      await insertAll(db, employees, people)
      await insertAll(db, teams, names)
      const members = names.flatMap((_, n) =>
        Array.from({ length: 10 }, (_, m) => ({ team_id: n + 1, user_id: 1000 + n * 10 + m })),
      )
      await insertAll(db, teamMembers, members)
    },
  )
  await database.analyse()
  await database.close()
}
