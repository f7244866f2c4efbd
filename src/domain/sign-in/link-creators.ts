import { permitsForAll } from '../../engine/permission.ts'
import { rowsOf } from '../../engine/records.ts'
import type { Caller } from '../../records/caller.ts'
import type { Reader } from '../../records/reader.ts'
import { apiKeys } from '../access/api-keys.ts'
import { exceeding, grantsWithin, heldForAll, rightsFrom } from '../access/grants.ts'
import { type AccessDates, mayEnter, returnsOn } from '../access/keys.ts'
import { within } from '../access/permissions.ts'
import { grantsOfRoles } from '../access/roles.ts'
import { grantsOfUser } from '../access/users.ts'
import { personBy } from './people.ts'

/** Whoever lets somebody in by a link could come to act as them: it works for as long as they could make it still. */

type CreatorRights = Pick<Caller, 'permissions' | 'withheld' | 'grants'>

/** True if the creator of a link could still create one for this user. */
export async function mayStillInvite(db: Reader, linkId: number, userId: number): Promise<boolean> {
  const made = await db
    .from('ledger')
    .select(['actor_kind', 'actor_id'])
    .where('resource', '=', 'sign_in_links')
    .where('record_id', '=', linkId)
    .where('action', '=', 'create')
    .executeTakeFirst()
  if (made?.actor_kind !== 'person' && made?.actor_kind !== 'key') return true
  const held = await (made.actor_kind === 'person' ? heldByPerson : heldByKey)(db, made.actor_id)
  if (!held || !permitsForAll(held, 'users:write')) return false
  return exceeding(held, await grantsOfUser(db, userId)).length === 0
}

async function heldByPerson(db: Reader, userId: number): Promise<CreatorRights | undefined> {
  const person = await personBy(db, 'id', userId)
  return person && mayEnter(person, db) ? rightsFrom(await grantsOfUser(db, userId)) : undefined
}

async function isAway(db: Reader, employeeId: number): Promise<boolean> {
  const person = await db
    .from('employees as e')
    .select(['e.termination_effective_on as left_on', returnsOn('e', db.account.id).as('returns_on')])
    .where('e.id', '=', employeeId)
    .executeTakeFirst()
  return person !== undefined && !mayEnter({ disabled_at: null, ...(person as AccessDates) }, db)
}

async function heldByKey(db: Reader, id: number): Promise<CreatorRights | undefined> {
  const [key] = await rowsOf(apiKeys, db.from('api_keys').where('id', '=', id))
  if (!key || key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= db.now)) return undefined
  if (key.employee_id !== null && (await isAway(db, key.employee_id))) return undefined
  const maker = key.made_by_user_id === null ? null : await heldByPerson(db, key.made_by_user_id)
  const above = key.parent_id === null ? null : await heldByKey(db, key.parent_id)
  if (maker === undefined || above === undefined) return undefined
  const bound = { expires_at: null, employee_id: null }
  let { permissions, withheld }: { permissions: readonly string[]; withheld: readonly string[] } = key
  for (const other of [maker, above])
    if (other)
      ({ permissions, withheld } = within({ ...bound, permissions, withheld }, { ...heldForAll(other), ...bound }))
  const roles = await db.from('api_key_roles').select('role_id').where('api_key_id', '=', id).execute()
  if (roles.length === 0) return { permissions, withheld: new Set(withheld) }
  const grants = await grantsOfRoles(
    db,
    roles.map(({ role_id }) => role_id as number),
  )
  return rightsFrom(grantsWithin(grants, permissions, withheld))
}
