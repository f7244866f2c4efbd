import type { Area } from '../../engine/area.ts'
import { departmentOperations, departments, headedDepartments } from './departments.ts'
import { documentFolderOperations, documentFolders } from './document-folders.ts'
import { holidayOperations, holidayPolicyOperations } from './holiday-operations.ts'
import { holidayRegionOperations } from './holiday-regions.ts'
import { holidaysFollowRegions } from './holiday-years.ts'
import { holidayPolicies, holidays } from './holidays.ts'
import { locationOperations, locations } from './locations.ts'
import { nameListOperations, nameLists } from './names.ts'
import { probationPolicies, probationPolicyOperations } from './probation-policies.ts'
import { timeRuleOperations, timeRules } from './time-rules.ts'
import { workingPatternOperations, workingPatterns } from './working-patterns.ts'

export const organisation: Area = {
  resources: [
    departments,
    ...nameLists,
    locations,
    holidayPolicies,
    holidays,
    workingPatterns,
    timeRules,
    probationPolicies,
    documentFolders,
  ],
  operations: [
    ...departmentOperations,
    ...nameListOperations,
    ...locationOperations,
    ...holidayPolicyOperations,
    ...holidayOperations,
    ...holidayRegionOperations,
    ...workingPatternOperations,
    ...timeRuleOperations,
    ...probationPolicyOperations,
    ...documentFolderOperations,
  ],
  consequences: [holidaysFollowRegions],
  held: [headedDepartments],
}
