import { conflict } from '../../engine/problem.ts'
import type { UndoGuard } from '../../engine/undo/guards.ts'
import type { Change } from '../../records/entries.ts'
import type { Reader } from '../../records/reader.ts'
import { apiKeyRoles } from './api-keys.ts'
import { roleGrants, roles } from './roles.ts'
import { userRoles, users } from './users.ts'

/** What says nothing of what somebody may do. */
const OF_ONESELF = new Set(['name', 'locale', 'saved_views', 'notifications_seen_at', 'updated_at'])

/** Whoever undoes could give others, or get back themselves, what they may not give: rights are given anew. */
export const rightsStay: UndoGuard = {
  tables: [apiKeyRoles, roles, roleGrants, users, userRoles].map(({ table }) => table),
  async check(_db, changes) {
    const isOfRights = ({ resource, action, before, after }: Change) =>
      resource !== users.table ||
      action !== 'update' ||
      Object.keys({ ...before, ...after }).some((name) => !OF_ONESELF.has(name))
    if (!changes.some(isOfRights)) return
    throw conflict('Changes to roles, users and API keys cannot be undone. Change the role, user or key instead.')
  },
}

/** Has anything changed after an entry of the ledger that tells what the person may do who acts? */
export async function hasOtherRightsSince(db: Reader, number: number): Promise<boolean> {
  const { actor } = db.caller
  const id = 'id' in actor ? actor.id : null
  const rows = await db
    .from('ledger')
    .select(['resource', 'record_id', 'owner_id', 'after'])
    .where('resource', 'in', ['users', 'user_roles', 'role_grants'])
    .where('no', '>', number)
    .execute()
  if (rows.length === 0) return false
  const held = await db.from('user_roles').select('role_id').where('user_id', '=', id).execute()
  const roles = new Set(held.map(({ role_id }) => role_id))
  return rows.some(({ resource, record_id, owner_id, after }) => {
    if (resource === 'user_roles') return owner_id === id
    if (resource === 'role_grants') return roles.has(owner_id)
    return record_id === id && Object.keys(JSON.parse(after ?? '{}')).some((name) => !OF_ONESELF.has(name))
  })
}
