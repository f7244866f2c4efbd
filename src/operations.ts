import { apiKeyOperations, apiKeys } from './access/api-keys.ts'
import type { Operation } from './engine/operation.ts'
import type { Resource } from './engine/resource.ts'
import { departmentOperations, departments } from './organisation/departments.ts'
import { documentFolderOperations, documentFolders } from './organisation/document-folders.ts'
import { holidayOperations, holidayPolicies, holidayPolicyOperations, holidays } from './organisation/holidays.ts'
import { locationOperations, locations } from './organisation/locations.ts'
import { nameListOperations, nameLists } from './organisation/names.ts'
import { probationPolicies, probationPolicyOperations } from './organisation/probation-policies.ts'
import { teamMembers, teamOperations, teams } from './organisation/teams.ts'
import { workingPatternOperations, workingPatterns } from './organisation/working-patterns.ts'
import { employeeOperations, employees } from './people/employees.ts'

/** The whole service: whoever reads this list has seen every operation there is. */
export const operations: readonly Operation[] = [
  ...employeeOperations,
  ...departmentOperations,
  ...nameListOperations,
  ...locationOperations,
  ...holidayPolicyOperations,
  ...holidayOperations,
  ...workingPatternOperations,
  ...probationPolicyOperations,
  ...documentFolderOperations,
  ...teamOperations,
  ...apiKeyOperations,
]

/** Every kind of record, so that deleting one can look at all that may refer to it. */
export const resources: readonly Resource<any>[] = [
  apiKeys,
  employees,
  departments,
  ...nameLists,
  locations,
  holidayPolicies,
  holidays,
  workingPatterns,
  probationPolicies,
  documentFolders,
  teams,
  teamMembers,
]
