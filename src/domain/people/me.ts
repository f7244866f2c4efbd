import Type from 'typebox'
import { holdsFor } from '../../engine/access-scope/reader-access.ts'
import { byId } from '../../engine/join.ts'
import { type Operation, operation } from '../../engine/operation.ts'
import { permitsForAll } from '../../engine/permission.ts'
import { amend, find } from '../../engine/records.ts'
import { card } from '../../engine/resource.ts'
import { nullable, recordId, schemaOf, wrapped } from '../../engine/schema.ts'
import { show } from '../../engine/shape.ts'
import type { Reader } from '../../records/reader.ts'
import { FIELD_GROUPS, PERMISSIONS } from '../access/permissions.ts'
import { roleName } from '../access/roles.ts'
import { users } from '../access/users.ts'
import { isCompulsory } from '../sign-in/providers.ts'
import { ownSession, sessions } from '../sign-in/sessions.ts'
import { WAYS_FIELDS, waysOf } from '../sign-in/user-access.ts'
import { employees } from './employees.ts'
import { holdingOn } from './job-entries.ts'

/** Who is signed in, and what they may do here: what a page asks first. */

const ownUser = card(users, 'OwnUser', ['id', 'email', 'name', 'locale', 'employee_id', 'created_at'])
const ownCard = card(employees, 'OwnEmployee', [
  'id',
  'full_name',
  'first_name',
  'last_name',
  'email',
  'avatar_url',
  'employee_number',
  'status',
  'hired_on',
])

const ME = wrapped(
  Type.Object(
    {
      user: schemaOf(ownUser),
      employee: nullable(schemaOf(ownCard)),
      roles: Type.Array(schemaOf(roleName)),
      permissions: Type.Array(Type.String(), {
        description: 'All permissions of the user, including those that apply only to some people',
      }),
      for_everybody: Type.Array(Type.String(), { description: 'Those of the `permissions` that apply to all people' }),
      withheld: Type.Array(Type.String(), {
        description: 'Field groups (such as `compensation`) that are hidden from the user for all people',
      }),
      account: Type.Object(
        { id: Type.Integer(), name: Type.String(), time_zone: Type.String(), currency_code: Type.String() },
        { title: 'OwnAccount' },
      ),
      time_zone: Type.String({
        description:
          'Time zone of the location of the user, otherwise of the account. It decides what date today is for them',
      }),
      sign_in: Type.Object(
        { ...WAYS_FIELDS, sso_compulsory: Type.Boolean() },
        { title: 'OwnSignIn', description: 'Sign-in methods of the user' },
      ),
      session: Type.Object(
        {
          id: Type.Integer(),
          signed_in_at: Type.String({ format: 'date-time' }),
          confirmed_at: Type.String({ format: 'date-time' }),
          expires_at: Type.String({ format: 'date-time' }),
        },
        { title: 'OwnSession' },
      ),
    },
    { title: 'Me' },
  ),
)

async function zoneOf(db: Reader, employeeId: number): Promise<string | undefined> {
  const place = await holdingOn(db.from('employee_positions'), 'employee_positions', db.view)
    .innerJoin('locations', byId('locations', 'employee_positions.location_id'))
    .select('locations.time_zone')
    .where('employee_positions.employee_id', '=', employeeId)
    .executeTakeFirst()
  return place?.time_zone ?? undefined
}

async function me(db: Reader) {
  const { userId, id } = ownSession(db)
  const [own] = await show(db, users.whole, [userId])
  const { roles, ...rest } = own
  const user = Object.fromEntries(ownUser.names.map((name) => [name, rest[name]]))
  const session = await find(db, sessions, id)
  const { account, caller } = db
  const [employee] = rest.employee_id === null ? [] : await show(db, ownCard, [rest.employee_id])
  return {
    data: {
      user,
      employee: employee ?? null,
      roles,
      permissions: [...caller.permissions],
      for_everybody: caller.permissions.filter((one) => permitsForAll(caller, one)),
      withheld: [...caller.withheld],
      account: {
        id: account.id,
        name: account.name,
        time_zone: account.time_zone,
        currency_code: account.currency_code,
      },
      time_zone: (employee && (await zoneOf(db, employee.id))) ?? account.time_zone,
      sign_in: { ...(await waysOf(db, userId)), sso_compulsory: await isCompulsory(db) },
      session: {
        id,
        signed_in_at: session.created_at,
        confirmed_at: session.confirmed_at,
        expires_at: session.expires_at,
      },
    },
  }
}

const RIGHTS = wrapped(
  Type.Object(
    {
      permissions: Type.Array(Type.String(), {
        description: 'Your permissions for this person, without wildcards such as `leave:*`',
      }),
      withheld: Type.Array(Type.String(), {
        description: 'Field groups (such as `compensation`) of this person that are hidden from you',
      }),
    },
    { title: 'RightsOverPerson' },
  ),
)

/** What a caller may do about one person. Of somebody who is not there it is what they may do about just anybody. */
const rightsOver = (db: Reader, id: number) => ({
  permissions: PERMISSIONS.filter((one) => !one.endsWith('*') && holdsFor(db, one, employees.table, id)),
  withheld: FIELD_GROUPS.filter((group) => !holdsFor(db, employees.readWith, employees.table, id, group)),
})

export const meOperations: Operation[] = [
  operation(
    {
      id: 'getRightsOverPerson',
      method: 'GET',
      path: '/me/rights',
      summary: 'List your permissions for a person',
      note: 'Lists what you may do with the employee in `employee_id`. Roles can limit permissions to certain people, such as a department; `GET /me` lists all your permissions.',
      area: 'me',
      query: Type.Object({ employee_id: recordId('employees') }),
      answer: RIGHTS,
    },
    async ({ db, query }) => ({ body: { data: rightsOver(db, query.employee_id) } }),
  ),
  operation(
    {
      id: 'getMe',
      method: 'GET',
      path: '/me',
      summary: 'Get the signed-in user',
      area: 'me',
      answer: ME,
    },
    async ({ db }) => ({ body: await me(db) }),
  ),
  operation(
    {
      id: 'updateMe',
      method: 'PUT',
      path: '/me',
      summary: 'Update your name or language',
      note: 'Omitted fields keep their values.',
      area: 'me',
      body: Type.Object(
        {
          name: Type.Optional(users.fields.name.input as never),
          locale: Type.Optional(users.fields.locale.input as never),
        },
        { title: 'UpdateMe' },
      ),
      answer: ME,
    },
    async ({ db, body }) => {
      await amend(db, users, await find(db, users, ownSession(db).userId), body)
      return { body: await me(db) }
    },
  ),
]
