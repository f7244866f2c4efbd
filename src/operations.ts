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
import { additionalCompensationOperations, additionalCompensations } from './people/additional-compensations.ts'
import { avatarOperations } from './people/avatars.ts'
import {
  customFieldOperations,
  employeeFieldGroups,
  employeeFieldOptions,
  employeeFields,
  fieldHistoryOperations,
} from './people/custom-fields.ts'
import { employeeFieldValues } from './people/custom-values.ts'
import { documentOperations, employeeDocuments } from './people/documents.ts'
import { employeeOperations } from './people/employee-operations.ts'
import { employees } from './people/employees.ts'
import { employeePositions, employmentStatuses, jobHistoryOperations } from './people/job-history.ts'
import {
  certifications,
  dependents,
  educations,
  emergencyContacts,
  employeeNotes,
  recordOperations,
} from './people/records.ts'
import { salaries, salaryOperations } from './people/salaries.ts'
import { applicationOperations, applications, movements } from './recruitment/applications.ts'
import {
  candidateDocuments,
  candidateEducations,
  candidateExperiences,
  candidateNotes,
  candidateRecordOperations,
} from './recruitment/candidate-records.ts'
import {
  candidateOperations,
  candidatePhones,
  candidateSkills,
  candidates,
  candidateTags,
} from './recruitment/candidates.ts'
import { careersOperations } from './recruitment/careers.ts'
import {
  candidateFields,
  disqualifyReasons,
  recruitmentListOperations,
  sources,
  tags,
  vacancyFields,
} from './recruitment/lists.ts'
import { pipelineOperations, pipelines, stages } from './recruitment/pipelines.ts'
import {
  vacancies,
  vacancyCollaborators,
  vacancyOperations,
  vacancySkills,
  vacancyTags,
} from './recruitment/vacancies.ts'
import { calendarOperations } from './work/calendar.ts'
import { employeeLeaveTypes, leaveAdjustments, leaveOperations, leavePolicies, leaveTypes } from './work/leave.ts'
import { leaveEntries, leaveRequestOperations, leaveRequests } from './work/leave-requests.ts'
import { indicatorResults, indicators, keyResults, objectives, performanceOperations } from './work/performance.ts'
import { projectOperations, projects, projectUsers } from './work/projects.ts'
import { taskOperations, tasks } from './work/tasks.ts'
import { timesheetEntries, timesheetEntryOperations } from './work/timesheet-entries.ts'
import { timesheetOperations } from './work/timesheets.ts'

/** The whole service: whoever reads this list has seen every operation there is. */
export const operations: readonly Operation[] = [
  ...employeeOperations,
  ...avatarOperations,
  ...jobHistoryOperations,
  ...salaryOperations,
  ...additionalCompensationOperations,
  ...documentOperations,
  ...recordOperations,
  ...customFieldOperations,
  ...fieldHistoryOperations,
  ...departmentOperations,
  ...nameListOperations,
  ...locationOperations,
  ...holidayPolicyOperations,
  ...holidayOperations,
  ...workingPatternOperations,
  ...probationPolicyOperations,
  ...documentFolderOperations,
  ...teamOperations,
  ...vacancyOperations,
  ...applicationOperations,
  ...candidateOperations,
  ...candidateRecordOperations,
  ...pipelineOperations,
  ...recruitmentListOperations,
  ...careersOperations,
  ...taskOperations,
  ...performanceOperations,
  ...projectOperations,
  ...timesheetEntryOperations,
  ...timesheetOperations,
  ...leaveOperations,
  ...leaveRequestOperations,
  ...calendarOperations,
  ...apiKeyOperations,
]

/** Every kind of record, so that deleting one can look at all that may refer to it. */
export const resources: readonly Resource<any>[] = [
  apiKeys,
  employees,
  employeePositions,
  employmentStatuses,
  salaries,
  additionalCompensations,
  employeeDocuments,
  educations,
  certifications,
  dependents,
  emergencyContacts,
  employeeNotes,
  employeeFieldGroups,
  employeeFields,
  employeeFieldOptions,
  employeeFieldValues,
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
  pipelines,
  stages,
  sources,
  disqualifyReasons,
  tags,
  vacancies,
  vacancyCollaborators,
  vacancySkills.rows,
  vacancyTags.rows,
  vacancyFields.fields,
  vacancyFields.options,
  vacancyFields.values,
  candidates,
  candidatePhones,
  candidateSkills.rows,
  candidateTags.rows,
  candidateFields.fields,
  candidateFields.options,
  candidateFields.values,
  applications,
  movements,
  candidateNotes,
  candidateEducations,
  candidateExperiences,
  candidateDocuments,
  tasks,
  indicators,
  indicatorResults,
  objectives,
  keyResults,
  projects,
  projectUsers,
  timesheetEntries,
  leaveTypes,
  leavePolicies,
  employeeLeaveTypes,
  leaveAdjustments,
  leaveRequests,
  leaveEntries,
]
