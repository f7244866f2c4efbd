import Type from 'typebox'
import type { Database } from '../database/database.ts'
import { get, list, post, put, remove } from '../engine/derive.ts'
import { email, loaded, readOnly, reference, text, timestamp } from '../engine/field.ts'
import { isText } from '../engine/filter.ts'
import { forbidden } from '../engine/problem.ts'
import { amend, create, erase, existing, type Rule, replaceOwned } from '../engine/records.ts'
import { resource } from '../engine/resource.ts'
import { recordId, schemaOf } from '../engine/schema.ts'
import { listsFor, show } from '../engine/shape.ts'
import type { Grant } from '../ledger/caller.ts'
import type { Reader } from '../ledger/reader.ts'
import type { Writer } from '../ledger/write.ts'
import { exceeding, grantOf, rightsFrom } from './grants.ts'
import { grantsOfRoles, refuseExcess, roleName } from './roles.ts'

/** Somebody who signs in. Most of them are employees. */

const area = 'users'

export const users = resource(
  { table: 'users', one: 'user', area },
  {
    email: email({ required: true, unique: true, example: 'ada@example.com' }),
    name: text({ required: true, example: 'Ada Lovelace' }),
    employee_id: reference('employees', { note: 'The employee who it is', fate: 'goes' }),
    locale: text({ max: 35, example: 'de', note: 'The language of the pages, when it is not that of the browser' }),
    disabled_at: readOnly(timestamp({ note: 'Since when they cannot sign in' })),
    roles: loaded(
      () => Type.Array(schemaOf(roleName)),
      async (db, ids) => {
        const rows = await db
          .from('user_roles')
          .select(['user_id', 'role_id'])
          .where('user_id', 'in', ids)
          .orderBy('id')
          .execute()
        const named = await show(db, roleName, [...new Set(rows.map((row) => row.role_id as number))])
        const byId = new Map(named.filter(Boolean).map((one) => [one.id, one]))
        return listsFor(
          ids,
          rows.map((row) => [row.user_id, byId.get(row.role_id)] as const),
        )
      },
    ),
  },
)

export const userRoles = resource(
  { table: 'user_roles', one: 'role of a user', title: 'UserRole', area },
  {
    user_id: reference('users', { required: true, owner: true, part: true }),
    role_id: reference('roles', { required: true }),
  },
)

const more = {
  role_ids: Type.Array(recordId('roles'), {
    maxItems: 50,
    description: 'What they may do: all of these roles together',
  }),
}

/** What somebody's roles let them do, of whom. */
export async function grantsOfUser(db: Reader, userId: number): Promise<Grant[]> {
  const held = await db.from('user_roles').select('role_id').where('user_id', '=', userId).execute()
  return grantsOfRoles(
    db,
    held.map((row) => row.role_id as number),
  )
}

/** Whoever manages somebody's access could come to act as them: so it takes at least what they hold. */
export async function refuseStronger(db: Reader, userId: number): Promise<void> {
  const tooMuch = exceeding(db.caller, await grantsOfUser(db, userId))
  if (tooMuch.length > 0)
    throw forbidden(
      `User ${userId} holds what you do not hold for everybody (${tooMuch[0]}): you cannot manage their access`,
    )
}

async function setRoles(db: Writer, userId: number, roleIds: readonly number[] | undefined): Promise<void> {
  if (!roleIds) return
  refuseExcess(db.caller, await grantsOfRoles(db, roleIds), 'One of the roles')
  await replaceOwned(
    db,
    userRoles,
    { user_id: userId },
    [...new Set(roleIds)].map((role_id) => ({ role_id })),
    'role_id',
  )
}

const rolesExist =
  (roleIds: readonly number[] | undefined): Rule<typeof users> =>
  async ({ db, fail }) => {
    if (!roleIds) return
    const found = await existing(db, 'roles', roleIds)
    const unknown = roleIds.filter((id) => !found.has(id))
    if (unknown.length > 0) fail('role_ids', 'not_found', `must be ids of roles, which ${unknown.join(', ')} is not`)
  }

const oneEach: Rule<typeof users> = async ({ db, before, changes, fail }) => {
  if (typeof changes.employee_id !== 'number' || changes.employee_id === before?.employee_id) return
  const other = await db.from('users').select('id').where('employee_id', '=', changes.employee_id).executeTakeFirst()
  if (other) fail('employee_id', 'taken', `is user ${other.id} already`)
}

/** What is not sent of somebody who is an employee is what the employee is called. */
async function namedAs(db: Reader, body: { employee_id?: number | null; email?: string | null; name?: string | null }) {
  if (!body.employee_id || (body.email && body.name)) return body
  const person = await db
    .from('employees')
    .select(['first_name', 'last_name', 'email'])
    .where('id', '=', body.employee_id)
    .executeTakeFirst()
  if (!person) return body
  return { ...body, email: body.email ?? person.email, name: body.name ?? `${person.first_name} ${person.last_name}` }
}

export const userOperations = [
  list(users, { filters: { email: isText(users, 'email') }, sorts: [] }),
  get(users),
  post(users, {
    more,
    optional: ['email', 'name'],
    note: 'Without e-mail and name they are those of the employee. Nobody gives roles that hold more than they do. To let them in, invite them.',
    async store({ db, body, problems }) {
      const values = await namedAs(db, body)
      for (const name of ['email', 'name'] as const)
        if (!values[name] && !problems.some(({ field }) => field === name))
          problems.push({ field: name, code: 'required', message: `${name} is required` })
      const id = await create(db, users, values, { rules: [rolesExist(body.role_ids), oneEach], problems })
      await setRoles(db, id, body.role_ids ?? [])
      return id
    },
  }),
  put(users, {
    more,
    note: 'What is not sent stays. Nobody changes the access of somebody who holds more than they do.',
    async store({ db, body, problems }, before) {
      await refuseStronger(db, before.id)
      await amend(db, users, before, body, { rules: [rolesExist(body.role_ids), oneEach], problems })
      await setRoles(db, before.id, body.role_ids)
    },
  }),
  remove(users, {
    conflicts: null,
    async store({ db }, before) {
      await refuseStronger(db, before.id)
      await erase(db, users, before)
    },
  }),
]

/** What somebody may do: the union of their roles. */
export async function rightsOfUser(database: Database, accountId: number, userId: number) {
  const rows = await database.glance((sql) =>
    sql
      .selectFrom('user_roles as held')
      .innerJoin('role_grants as given', (join) =>
        join.onRef('given.account_id', '=', 'held.account_id').onRef('given.role_id', '=', 'held.role_id'),
      )
      .select(['given.scope', 'given.permissions', 'given.sees', 'given.department_id', 'given.location_id'])
      .where('held.account_id', '=', accountId)
      .where('held.user_id', '=', userId)
      .execute(),
  )
  return rightsFrom(
    rows.map((row: any) => grantOf({ ...row, permissions: JSON.parse(row.permissions), sees: JSON.parse(row.sees) })),
  )
}
