import Type from 'typebox'
import type { Resource, Row, With } from '../../engine/declaration.ts'
import { get, list, post, put, remove } from '../../engine/derive.ts'
import {
  choice,
  hidden,
  integer,
  loaded,
  longText,
  notInFeed,
  readOnly,
  reference,
  text,
  textList,
} from '../../engine/field.ts'
import { partsOf } from '../../engine/parts.ts'
import { type FieldProblem, forbidden, refuse, within, wrong } from '../../engine/problem.ts'
import { amend, create, erase, existing, type Rule, replaceOwned, rowsOf } from '../../engine/records.ts'
import { card, resource } from '../../engine/resource.ts'
import { recordId, schemaOf } from '../../engine/schema.ts'
import { listsFor, many, show } from '../../engine/shape.ts'
import type { Caller, Grant } from '../../records/caller.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { exceeding, grantOf, SCOPES, type StoredGrant } from './grants.ts'
import { FIELD_GROUPS, PERMISSIONS, PERMISSIONS_NOTE } from './permissions.ts'

const area = 'users'

/** What the grants of roles mean has changed so often: those that an earlier version has made are brought up to date. */
export const REVISION = 1

export const roles = resource(
  { table: 'roles', one: 'role', area, about: [] },
  {
    name: text({ required: true, unique: true, example: 'Office manager' }),
    description: longText({ nullable: true, example: 'Manages an office and supports the people there' }),
    standard: readOnly(text({ note: 'Name of the built-in role, such as `owner` or `hr`; null for custom roles' })),
    revision: hidden(
      integer({ default: REVISION }),
      notInFeed('Which version of the service has last looked at its grants'),
    ),
    grants: many(
      () => roleGrants,
      'role_id',
      () => grantCard,
    ),
  },
)

export const roleGrants = resource(
  { table: 'role_grants', one: 'grant of a role', title: 'RoleGrant', area, path: '/roles/{role_id}/grants' },
  {
    role_id: reference('roles', { required: true, owner: true, part: true }),
    scope: choice(SCOPES, {
      required: true,
      note: 'People the permissions of the grant apply to',
      example: 'reports',
    }),
    permissions: textList({
      required: true,
      values: PERMISSIONS,
      note: PERMISSIONS_NOTE,
      example: ['leave:read', 'leave:approve'],
    }),
    sees: textList({
      values: FIELD_GROUPS,
      note: 'Field groups of these people that the role shows; the others are hidden',
      example: ['notes'],
    }),
    department_id: reference('departments', {
      note: 'ID of the department to whose people the grant applies; required with the scope `department`',
    }),
    location_id: reference('locations', {
      note: 'ID of the location to whose people the grant applies; required with the scope `location`',
    }),
  },
)

const grantCard = card(roleGrants, 'RoleGrant', ['id', 'scope', 'permissions', 'sees', 'department_id', 'location_id'])

/** `{id, name}` */
export const roleName = card(roles, 'RoleName', ['id', 'name', 'standard'])

const grantParts = partsOf(roleGrants, {
  name: 'grants',
  owner: 'role_id',
  same: 'scope',
  most: 20,
  example: { scope: 'reports', permissions: ['leave:read', 'leave:approve'], sees: [] },
})

type GrantInput = Partial<StoredGrant>

/** A scope of a place names that place, and no other. */
function checkPlaces(grants: readonly GrantInput[], problems: FieldProblem[]): void {
  for (const [index, { scope, department_id, location_id }] of grants.entries()) {
    const say = (field: string, code: string, message: string) =>
      problems.push(...within(`grants[${index}]`, [wrong(field, code, message)]))
    if (scope === 'department' && !department_id)
      say('department_id', 'required', 'is required when scope is department')
    if (scope === 'location' && !location_id) say('location_id', 'required', 'is required when scope is location')
    if (scope !== 'department' && department_id)
      say('department_id', 'not_allowed', 'is allowed only when scope is department')
    if (scope !== 'location' && location_id) say('location_id', 'not_allowed', 'is allowed only when scope is location')
  }
}

/** Nobody gives what they do not have. */
export function refuseExcess(caller: Caller, grants: readonly Grant[], what: string): void {
  const [tooMuch] = exceeding(caller, grants)
  if (tooMuch)
    throw forbidden(
      `${what} includes the permission ${tooMuch} for people or field groups for which you do not have this permission yourself. Give less access, or ask somebody with more access.`,
    )
}

export async function grantsOfRoles(db: Reader, ids: readonly number[]): Promise<Grant[]> {
  if (ids.length === 0) return []
  const kept = await rowsOf(roleGrants, db.from('role_grants').where('role_id', 'in', [...ids]))
  return kept.map((one) => grantOf(one as StoredGrant))
}

async function readGrants(
  db: Writer,
  role: number | null,
  sent: readonly unknown[] | undefined,
  problems: FieldProblem[],
) {
  const read = await grantParts.read(db, role, sent, problems)
  if (!read) return undefined
  checkPlaces(read as GrantInput[], problems)
  return read
}

const asGrants = (sent: readonly unknown[]) =>
  (sent as Partial<StoredGrant>[]).map((one) =>
    grantOf({ department_id: null, location_id: null, ...one, sees: one.sees ?? [] } as StoredGrant),
  )

/** The roles of those who hold some, by the table that says so. */
export const rolesHeld = (table: string, holder: string) =>
  loaded(
    () => Type.Array(schemaOf(roleName)),
    async (db, ids) => {
      const rows = await db.from(table).select([holder, 'role_id']).where(holder, 'in', ids).orderBy('id').execute()
      const named = await show(db, roleName, [...new Set(rows.map((row) => row.role_id as number))])
      const byId = new Map(named.filter(Boolean).map((one) => [one.id, one]))
      return listsFor(
        ids,
        rows.map((row) => [row[holder], byId.get(row.role_id)] as const),
      )
    },
  )

/** Roles as they are given in a body. */
export const roleIds = (description: string) => Type.Array(recordId('roles'), { maxItems: 50, description })

export const rolesExist =
  <R extends Resource>(ids: readonly number[] | undefined): Rule<R> =>
  async ({ db, fail }) => {
    const found = await existing(db, 'roles', ids ?? [])
    const unknown = (ids ?? []).filter((id) => !found.has(id))
    if (unknown.length > 0)
      fail('role_ids', 'not_found', `contains ids of roles that do not exist: ${unknown.join(', ')}`)
  }

/** Makes the roles of somebody exactly these, if they are given. Nobody gives what they do not have. */
export async function giveRoles<R extends With<'role_id', number>>(
  db: Writer,
  of: R,
  holder: Partial<Row<R>>,
  ids: readonly number[] | undefined,
): Promise<void> {
  if (!ids) return
  refuseExcess(db.caller, await grantsOfRoles(db, ids), 'One of the roles')
  const wanted: { role_id: number }[] = [...new Set(ids)].map((role_id) => ({ role_id }))
  await replaceOwned(db, of as With<'role_id', number>, holder as object, wanted, 'role_id')
}

export const roleOperations = [
  list(roles),
  get(roles),
  post(roles, {
    more: { grants: grantParts.input },
    note: 'You cannot create a role that has more permissions than you have.',
    async store({ db, body, problems }) {
      const grants = (await readGrants(db, null, body.grants ?? [], problems)) ?? []
      refuse(problems)
      refuseExcess(db.caller, asGrants(grants), 'The role')
      const id = await create(db, roles, body, { problems })
      await grantParts.store(db, id, grants)
      return id
    },
  }),
  put(roles, {
    more: { grants: grantParts.input },
    note: 'Omitted fields keep their values. You cannot update a role that has more permissions than you have.',
    async store({ db, body, problems }, before) {
      const grants = await readGrants(db, before.id, body.grants, problems)
      refuse(problems)
      refuseExcess(db.caller, await grantsOfRoles(db, [before.id]), 'The role')
      if (grants) refuseExcess(db.caller, asGrants(grants), 'The role')
      await amend(db, roles, before, body, { problems })
      await grantParts.store(db, before.id, grants)
    },
  }),
  remove(roles, {
    note: 'Undo cannot restore a deleted role.',
    conflicts: 'The role is still assigned to a user or key',
    async store({ db }, before) {
      refuseExcess(db.caller, await grantsOfRoles(db, [before.id]), 'The role')
      await erase(db, roles, before)
    },
  }),
]
