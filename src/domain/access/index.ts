import type { Area } from '../../engine/area.ts'
import { apiKeyOperations, apiKeyRoles, apiKeys, ownKeys } from './api-keys.ts'
import { companies, companyOperations, companyStays } from './companies.ts'
import { roleGrants, roleOperations, roles } from './roles.ts'
import { rightsStay } from './undo-guards.ts'
import { ownSignIn, userOperations, userRoles, users } from './users.ts'

export const access = {
  company: { resources: [companies], operations: companyOperations, guards: [companyStays] },
  users: {
    resources: [roles, roleGrants, users, userRoles],
    operations: [...roleOperations, ...userOperations],
    guards: [rightsStay],
    held: [ownSignIn],
  },
  apiKeys: { resources: [apiKeys, apiKeyRoles], operations: apiKeyOperations, held: [ownKeys] },
} satisfies Record<string, Area>
