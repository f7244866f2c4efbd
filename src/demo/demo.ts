import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import { Company } from './company.ts'
import { takeLeave } from './leave.ts'
import { organise } from './organisation.ts'
import { giveThemRecords, hirePeople } from './people.ts'
import { setGoals } from './performance.ts'
import { recruit } from './recruitment.ts'
import { giveTasks } from './tasks.ts'
import { keepTime } from './time.ts'

/** The demo is for an empty database only. */
export async function refusePeople(database: Database): Promise<void> {
  const people = await database.glance((sql) => sql.selectFrom('employees').select('id').limit(1).execute())
  if (people.length > 0) throw new Error('This database already holds people; the demo is only for an empty one')
}

/** A believable company of 200 people, told to the service through its own interface. The same every time. */
export async function fillWithDemo(
  app: FastifyInstance,
  database: Database,
  key: string,
  today: string,
): Promise<void> {
  await refusePeople(database)
  const company = new Company(app, key, today)
  // Each area uses what those before it have made.
  await organise(company)
  await hirePeople(company)
  await giveThemRecords(company)
  await recruit(company)
  await giveTasks(company)
  await setGoals(company)
  await keepTime(company)
  await takeLeave(company)
  await database.analyse()
}
