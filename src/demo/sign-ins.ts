import { commandLine } from '../domain/access/accounts.ts'
import { users } from '../domain/access/users.ts'
import { setCredentials } from '../domain/sign-in/credentials.ts'
import { hashPassword } from '../domain/sign-in/passwords.ts'
import { giveRole } from '../domain/sign-in/sso.ts'
import { create } from '../engine/records.ts'
import type { Account } from '../records/caller.ts'
import { type Ledger, writeAs } from '../records/ledger.ts'
import type { Query, Reader } from '../records/reader.ts'

/** Four people of the demo company who can sign in, so that a newcomer sees what each of them sees. */

/** Easy to type, and of no worth: the company is made up. */
export const DEMO_PASSWORD = 'lantern-otter-meadow'

export type DemoSignIn = { as: string; name: string; email: string }

/** Who has a job today, by the order in which they came. */
const working = (db: Reader): Query =>
  db
    .from('employee_positions as job')
    .innerJoin('employees as e', (on) =>
      on.onRef('e.account_id', '=', 'job.account_id').onRef('e.id', '=', 'job.employee_id'),
    )
    .innerJoin('positions as p', (on) =>
      on.onRef('p.account_id', '=', 'job.account_id').onRef('p.id', '=', 'job.position_id'),
    )
    .select(['e.id', 'e.first_name', 'e.last_name', 'e.email', 'job.reporting_to_id'])
    .where('job.effective_from', '<=', db.today)
    .where('job.effective_until', '>=', db.today)
    .where('e.termination_effective_on', 'is', null)
    .where('e.email', 'is not', null)
    .orderBy('e.id')

/** Somebody in HR, a recruiter, and an ordinary employee with the manager whom they report to. */
async function chosen(db: Reader) {
  const titled = (title: string) => working(db).where('p.name', '=', title).executeTakeFirst()
  const [hr, recruiter] = [await titled('Head of People'), await titled('Recruiter')]
  const people = await working(db).execute()
  const others = people.filter(({ id }) => id !== hr?.id && id !== recruiter?.id)
  const leading = new Set(people.map((one) => one.reporting_to_id))
  const boss = new Map(others.map((one) => [one.id, one]))
  // Not the head of all, who would see everybody anyway: somebody who has a manager, and people.
  const manager = others.find((one) => leading.has(one.id) && boss.get(one.reporting_to_id)?.reporting_to_id)
  const employee = others.find((one) => one.reporting_to_id === manager?.id && !leading.has(one.id))
  return [
    { as: 'HR', roles: ['hr', 'employee'], person: hr },
    { as: 'Manager', roles: ['manager', 'employee'], person: manager },
    { as: 'Employee', roles: ['employee'], person: employee },
    { as: 'Recruiter', roles: ['recruiter', 'employee'], person: recruiter },
  ]
}

export async function makeDemoSignIns(ledger: Ledger, account: Account): Promise<DemoSignIn[]> {
  const password_hash = await hashPassword(DEMO_PASSWORD)
  return writeAs(ledger, commandLine(account), 'demo', async (db) => {
    const made: DemoSignIn[] = []
    for (const { as, roles, person } of await chosen(db)) {
      if (!person) throw new Error(`The demo company has no person for the ${as} login`)
      const { id: employee_id, email } = person
      const name = `${person.first_name} ${person.last_name}`
      const id = await create(db, users, { email, name, employee_id })
      for (const role of roles) await giveRole(db, id, role)
      await setCredentials(db, id, { password_hash, password_set_at: db.now })
      made.push({ as, name, email })
    }
    return made
  })
}
