import Type from 'typebox'
import type { QueryRunner } from '../../database/database.ts'
import { get, list, post, put } from '../../engine/derive.ts'
import {
  email,
  hidden,
  json,
  loaded,
  orNull,
  readOnly,
  reference,
  text,
  timestamp,
  told,
  toldAsThere,
} from '../../engine/field.ts'
import { hasWords, isRecord, isText } from '../../engine/filter.ts'
import type { HeldKind } from '../../engine/held.ts'
import { forbidden } from '../../engine/problem.ts'
import { amend, create, type Rule } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { type Grant, isSelf } from '../../records/caller.ts'
import type { Reader } from '../../records/reader.ts'
import { exceeding, rightsFrom } from './grants.ts'
import { grantsHeld } from './keys.ts'
import { openResets } from './password-reset-requests.ts'
import { giveRoles, grantsOfRoles, roleIds, rolesExist, rolesHeld } from './roles.ts'

/** Somebody who signs in. Most of them are employees. */

const area = 'users'

/** A view of a screen that somebody has named: what stands in its address. */
export type SavedView = { screen: string; name: string; search: string }

export const users = resource(
  { table: 'users', one: 'user', area, about: [] },
  {
    email: email({ required: true, unique: true, searched: true, example: 'ada@example.com' }),
    name: text({ required: true, searched: true, example: 'Ada Lovelace' }),
    employee_id: reference('employees', {
      note: 'ID of the employee who signs in as this user; null if the user is not an employee',
      fate: 'goes',
    }),
    locale: text({ max: 35, example: 'de', note: 'Language of the console; null uses the language of the browser' }),
    disabled_at: readOnly(
      timestamp({ note: 'When the user was disabled and could no longer sign in; null if the user is not disabled' }),
    ),
    notifications_seen_at: hidden(timestamp(), told('notifications_seen_at')),
    saved_views: json<SavedView[] | null>(null, toldAsThere('saved_views')),
    roles: rolesHeld('user_roles', 'user_id'),
    reset_asked_at: loaded(
      orNull(
        Type.String({
          format: 'date-time',
          description: 'When the user asked for a new password; null once they have received a link or set one',
        }),
      ),
      (db, ids) => openResets(db, { userIds: ids }),
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

/** It ends by itself: nobody signs in from the day on which they have left. */
export const ownSignIn: HeldKind = {
  kind: 'sign_in',
  of: users,
  note: 'The login of the employee; the ID is that of the user. It stops working by itself on the first day after the employment',
  otherwise: 'ends',
  role: 'user',
  rows: (db, { id }) =>
    db
      .from('users')
      .select(['id', 'email as name'])
      .where('employee_id', '=', id)
      .where('disabled_at', 'is', null)
      .orderBy('id'),
}

const more = { role_ids: roleIds('IDs of the roles of the user; the permissions of all of them apply') }

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
      `You cannot manage the access of user ${userId}, who has the permission ${tooMuch[0]} for more people or field groups than you. Ask somebody with more access, for example an owner.`,
    )
}

const oneEach: Rule<typeof users> = async ({ db, before, changes, fail }) => {
  if (typeof changes.employee_id !== 'number' || changes.employee_id === before?.employee_id) return
  const other = await db.from('users').select('id').where('employee_id', '=', changes.employee_id).executeTakeFirst()
  if (other) fail('employee_id', 'taken', `belongs to an employee who already has a login: user ${other.id}`)
}

/** Who one is decides what one may not decide oneself, also by a key that one has made. */
const notOneself: Rule<typeof users> = async ({ db, before, changes, fail }) => {
  if (!before || changes.employee_id === undefined || changes.employee_id === before.employee_id) return
  const isOwn = before.employee_id !== null && isSelf(db, before.employee_id)
  if (isOwn || before.id === (await userActing(db)))
    fail(
      'employee_id',
      'not_allowed',
      'of your own user can be changed only by another administrator. Leave this field out',
    )
}

/** The user who acts, or who made the key that does. */
async function userActing(db: Reader): Promise<number | null> {
  const { actor } = db.caller
  if (actor.kind !== 'key') return actor.kind === 'person' ? actor.id : null
  const key = await db.from('api_keys').select('made_by_user_id').where('id', '=', actor.id).executeTakeFirst()
  return key?.made_by_user_id ?? null
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
  list(users, {
    filters: {
      email: isText(users, 'email'),
      employee_id: isRecord(users, 'employee_id'),
      q: hasWords(users, 'Words, or beginnings of words, in the name or email address'),
    },
  }),
  get(users),
  post(users, {
    more,
    optional: ['email', 'name'],
    note: '`email` and `name` default to those of the employee. You cannot assign roles that have more permissions than you have. The user can sign in after you invite them.',
    async store({ db, body, problems }) {
      const values = await namedAs(db, body)
      for (const name of ['email', 'name'] as const)
        if (!values[name] && !problems.some(({ field }) => field === name))
          problems.push({ field: name, code: 'required', message: `${name} is required` })
      const id = await create(db, users, values, {
        rules: [rolesExist<typeof users>(body.role_ids), oneEach],
        problems,
      })
      await giveRoles(db, userRoles, { user_id: id }, body.role_ids)
      return id
    },
  }),
  put(users, {
    more,
    note: 'Omitted fields keep their values. You cannot update the access of a user who has more permissions than you have.',
    async store({ db, body, problems }, before) {
      await refuseStronger(db, before.id)
      await amend(db, users, before, body, {
        rules: [rolesExist<typeof users>(body.role_ids), oneEach, notOneself],
        problems,
      })
      await giveRoles(db, userRoles, { user_id: before.id }, body.role_ids)
    },
  }),
]

/** What somebody may do: the union of their roles. */
export async function rightsOfUser(database: QueryRunner, accountId: number, userId: number) {
  return rightsFrom(await grantsHeld(database, 'user_roles', 'user_id', accountId, userId))
}
