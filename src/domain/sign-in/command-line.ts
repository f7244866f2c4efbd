import { fold } from '../../engine/format.ts'
import { refuse } from '../../engine/problem.ts'
import { amend, create, insertAll, rowsOf } from '../../engine/records.ts'
import { bodySchema } from '../../engine/schema.ts'
import { check } from '../../engine/validate.ts'
import type { Account } from '../../records/caller.ts'
import { type Ledger, writeAs } from '../../records/ledger.ts'
import type { Writer } from '../../records/write.ts'
import { commandLine } from '../access/accounts.ts'
import { roles } from '../access/roles.ts'
import { userRoles, users } from '../access/users.ts'
import { type LinkPurpose, makeLink } from './links.ts'
import { hasOwner } from './owners.ts'
import { personBy } from './people.ts'
import { refuseVainLink } from './sign-in-steps.ts'
import { employeeBy, readyRoles } from './sso.ts'

/** What the operator does about people: whoever runs the service lets in whom they like. */

/** The token of a link by which an owner comes in; null while there is one. Each start makes a new one. */
export const setUpLink = (ledger: Ledger, account: Account): Promise<string | null> =>
  writeAs(ledger, commandLine(account), 'setUpAccount', async (db) => {
    if (await hasOwner(db)) return null
    return (await makeLink(db, null, 'set_up')).token
  })

/** Makes somebody a user, if they are none yet, gives them a role, and returns the token of a link. */
export const invitePerson = (
  ledger: Ledger,
  account: Account,
  given: { email: string; name?: string | undefined; role?: string | undefined },
): Promise<string> =>
  writeAs(ledger, commandLine(account), 'invitePerson', async (db) => {
    const employee = await employeeBy(db, given.email)
    const name = given.name ?? employee?.name ?? given.email.split('@')[0]
    const { values, problems } = check(bodySchema(users, 'create'), { email: given.email, name })
    refuse(problems)
    const known = await personBy(db, 'email_key', fold(given.email))
    const isFree = employee && !(await personBy(db, 'employee_id', employee.id))
    const id = known?.id ?? (await create(db, users, { ...values, employee_id: isFree ? employee.id : null }))
    if (given.role || !known) await addRole(db, id, given.role ?? 'employee')
    await refuseVainLink(db, id)
    return (await makeLink(db, id, known ? 'reset' : 'invitation')).token
  })

/** The token of a link by which somebody sets a new password. Whoever was disabled comes in again: the operator says so. */
export const resetPerson = (ledger: Ledger, account: Account, email: string): Promise<string> =>
  writeAs(ledger, commandLine(account), 'resetPerson', async (db) => {
    const person = await personBy(db, 'email_key', fold(email))
    if (!person) throw new Error(`there is no user ${email}. Use "person invite" to invite them`)
    if (person.disabled_at !== null) await amend(db, users, person, { disabled_at: null })
    await refuseVainLink(db, person.id)
    return (await makeLink(db, person.id, 'reset' satisfies LinkPurpose)).token
  })

/** A role by what it is called, or by which of the ready-made ones it is. */
async function addRole(db: Writer, userId: number, called: string): Promise<void> {
  await readyRoles(db)
  const all = await rowsOf(roles, db.from('roles'))
  const role = all.find(({ standard }) => standard === called) ?? all.find(({ name }) => fold(name) === fold(called))
  if (!role) throw new Error(`there is no role ${called}. Roles: ${all.map(({ name }) => name).join(', ')}`)
  const held = await rowsOf(userRoles, db.from('user_roles').where('user_id', '=', userId))
  if (!held.some(({ role_id }) => role_id === role.id))
    await insertAll(db, userRoles, [{ user_id: userId, role_id: role.id }])
}
