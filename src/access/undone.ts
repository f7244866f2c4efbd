import { conflict } from '../engine/problem.ts'
import type { Guard } from '../engine/undo.ts'
import { apiKeyRoles } from './api-keys.ts'
import { roleGrants, roles } from './roles.ts'
import { userRoles, users } from './users.ts'

/** Whoever undoes could give others, or get back themselves, what they may not give: rights are given anew. */
export const rightsStay: Guard = {
  of: [apiKeyRoles, roles, roleGrants, users, userRoles].map(({ table }) => table),
  async check() {
    throw conflict('What somebody may do is neither given nor taken by undoing: change it')
  },
}
