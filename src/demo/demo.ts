import type { Database, Sql } from '../database/database.ts'
import { daysAfter } from '../engine/day.ts'
import type { Account } from '../records/caller.ts'
import { planAssets } from './assets.ts'
import { DemoCompany, type Open } from './company.ts'
import { planEmployment } from './employment.ts'
import { planKnowledge } from './knowledge.ts'
import { planLeave } from './leave.ts'
import { planOrganisation } from './organisation.ts'
import { isHere, NamePool, Staff } from './people.ts'
import { planGoals } from './performance.ts'
import { planRecords } from './records.ts'
import { planRecruitment, soughtPeople } from './recruitment.ts'
import { planReviews } from './reviews.ts'
import { planTables } from './tables.ts'
import { planTasks } from './tasks.ts'
import { planTeams } from './teams.ts'
import { monthOfTime, planTime } from './time.ts'

/** The demo is for an empty database only. */
export async function refusePeople(database: Database): Promise<void> {
  const people = await database.query((sql) => sql.selectFrom('employees').select('id').limit(1).execute())
  if (people.length > 0) throw new Error('This database already contains people. The demo needs an empty database')
}

/**
 * A believable company of 200 people, told to the service by its own operations, so that every rule holds. The same
 * for the same day, but for who is at work. All of it is one transaction: it is there as a whole or not at all, and is brought to disk once.
 */
export async function fillWithDemo(needs: {
  database: Database
  account: Account
  now: Date
  open: Open
  say?: (line: string) => void
}): Promise<void> {
  const { database, account, now, open, say = () => undefined } = needs
  await refusePeople(database)
  // Its statements go through what is not committed yet, so they are given all the time they need.
  await database.withMigrationLock(async (sql) => {
    const onIt = <T>(work: (on: Sql) => Promise<T>) => work(sql)
    const company = new DemoCompany(open, { ...database, read: onIt, query: onIt, write: onIt }, account, now)
    const names = new NamePool()
    const founded = planOrganisation(company)
    const staff = new Staff(company, names, founded, soughtPeople(company))
    // Each area plans with what those before it have planned.
    planEmployment(company, staff)
    planRecords(company, staff)
    planTables(company, staff, founded)
    planTeams(company, staff)
    planRecruitment(company, staff, names)
    planTasks(company, staff)
    planGoals(company, staff)
    planLeave(company, staff, founded)
    planTime(company, staff)
    planAssets(company, staff, founded)
    planKnowledge(company, staff)
    planReviews(company, staff)
    await company.live((year) => {
      const end = [company.today, `${year}-12-31`].sort()[0] as string
      say(`${year}: ${staff.people.filter((one) => isHere(one, end)).length} people`)
    })
  })
  await database.analyse()
}

/** Requests that show what the company has to show, whichever day it is. */
export function worthTrying(today: string): string[] {
  const [year, month] = monthOfTime(today).split('-').map(Number)
  return [
    '/employees?status=probation',
    `/employees/2?as_of=${daysAfter(today, -400)}`,
    '/recruitment/vacancies/1/pipeline',
    '/leave_requests/pending',
    `/time/timesheets?year=${year}&month=${month}`,
    '/performance/objectives',
    '/assets?holder_status=terminated',
    '/knowledge_base/articles?q=laptop',
    '/performance/review_cycles',
    '/employee_tables/equipment_sizes/rows',
    '/calendars',
  ]
}
