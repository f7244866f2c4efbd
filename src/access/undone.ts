import { conflict } from '../engine/problem.ts'
import type { Guard } from '../engine/undo.ts'
import type { Change } from '../ledger/entries.ts'
import { apiKeyRoles } from './api-keys.ts'
import { roleGrants, roles } from './roles.ts'
import { userRoles, users } from './users.ts'

/** What says nothing of what somebody may do. */
const OF_ONESELF = new Set(['name', 'locale', 'saved_views', 'notifications_seen_at', 'updated_at'])

/** Whoever undoes could give others, or get back themselves, what they may not give: rights are given anew. */
export const rightsStay: Guard = {
  of: [apiKeyRoles, roles, roleGrants, users, userRoles].map(({ table }) => table),
  async check(_db, changes) {
    const isOfRights = ({ resource, action, before, after }: Change) =>
      resource !== users.table ||
      action !== 'update' ||
      Object.keys({ ...before, ...after }).some((name) => !OF_ONESELF.has(name))
    if (!changes.some(isOfRights)) return
    throw conflict('What somebody may do is neither given nor taken by undoing: change it')
  },
}
