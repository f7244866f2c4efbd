import { apiKeyOperations, apiKeys } from './access/api-keys.ts'
import { calendarOperations } from './calendar/calendar.ts'
import { calendarFeedOperations, calendarFeeds } from './calendar/feeds.ts'
import type { Resource } from './engine/declaration.ts'
import type { Operation } from './engine/operation.ts'
import type { FileSource } from './files/source.ts'
import { employeeLeaveOperations, employeeLeaveTypes, leaveAdjustments } from './leave/employee-leave.ts'
import { leavePolicies, leavePolicyOperations, leavePolicyTerms } from './leave/leave-policies.ts'
import { leaveEntries, leaveRequestOperations, leaveRequests } from './leave/leave-requests.ts'
import { leaveTypeOperations, leaveTypes } from './leave/leave-types.ts'
import { recountLeave } from './leave/recount.ts'
import type { Consequence } from './ledger/consequences.ts'
import { departmentOperations, departments } from './organisation/departments.ts'
import { documentFolderOperations, documentFolders } from './organisation/document-folders.ts'
import { holidayOperations, holidayPolicyOperations } from './organisation/holiday-operations.ts'
import { holidayPolicies, holidays } from './organisation/holidays.ts'
import { locationOperations, locations } from './organisation/locations.ts'
import { nameListOperations, nameLists } from './organisation/names.ts'
import { probationPolicies, probationPolicyOperations } from './organisation/probation-policies.ts'
import { workingPatternOperations, workingPatterns } from './organisation/working-patterns.ts'
import { additionalCompensationOperations, additionalCompensations } from './people/additional-compensations.ts'
import { avatarFiles, avatarOperations } from './people/avatars.ts'
import {
  customFieldOperations,
  employeeFieldGroups,
  employeeFieldOptions,
  employeeFields,
} from './people/custom-fields.ts'
import { employeeFieldValues } from './people/custom-values.ts'
import { documentFiles, documentOperations, employeeDocuments } from './people/documents.ts'
import { employeeOperations } from './people/employee-operations.ts'
import { employees } from './people/employees.ts'
import { fieldHistoryOperations } from './people/field-histories.ts'
import { employeePositions, employmentStatuses } from './people/job-entries.ts'
import { jobHistoryOperations } from './people/job-history.ts'
import {
  certifications,
  dependents,
  educations,
  emergencyContacts,
  employeeNotes,
  recordOperations,
} from './people/records.ts'
import { salaries, salaryOperations } from './people/salaries.ts'
import { teamMembers, teamOperations, teams } from './people/teams.ts'
import { indicatorOperations, indicatorResults, indicators } from './performance/indicators.ts'
import { keyResults, objectiveOperations, objectives } from './performance/objectives.ts'
import { erasingOperations } from './privacy/erasing.ts'
import { exportOperations } from './privacy/exporting.ts'
import { applicationOperations } from './recruitment/application-operations.ts'
import { applications, movements } from './recruitment/applications.ts'
import { consentOperations } from './recruitment/candidate-consent.ts'
import { candidateLanguages } from './recruitment/candidate-languages.ts'
import { candidateMergeOperations, candidateMerges } from './recruitment/candidate-merges.ts'
import { duplicateOperations } from './recruitment/candidate-merging.ts'
import { candidateOperations } from './recruitment/candidate-operations.ts'
import {
  candidateDocumentFiles,
  candidateDocuments,
  candidateEducations,
  candidateExperiences,
  candidateNotes,
  candidateRecordOperations,
} from './recruitment/candidate-records.ts'
import { candidatePhones, candidateSkills, candidates, candidateTags, resumeFiles } from './recruitment/candidates.ts'
import { careersOperations } from './recruitment/careers.ts'
import { hires } from './recruitment/hires.ts'
import {
  candidateFields,
  disqualifyReasons,
  recruitmentListOperations,
  sources,
  tags,
  vacancyFields,
} from './recruitment/lists.ts'
import { pipelineOperations, pipelines, stages } from './recruitment/pipelines.ts'
import { recruitmentSettingOperations, recruitmentSettings } from './recruitment/settings.ts'
import { vacancies, vacancyCollaborators, vacancySkills, vacancyTags } from './recruitment/vacancies.ts'
import { vacancyOperations } from './recruitment/vacancy-operations.ts'
import { taskOperations, tasks } from './tasks/tasks.ts'
import { projectOperations, projects, projectUsers } from './time/projects.ts'
import { timesheetEntries, timesheetEntryOperations } from './time/timesheet-entries.ts'
import { timesheetOperations } from './time/timesheets.ts'

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
  ...consentOperations,
  ...duplicateOperations,
  ...candidateMergeOperations,
  ...pipelineOperations,
  ...recruitmentListOperations,
  ...vacancyFields.operationsBeside(vacancyOperations),
  ...candidateFields.operationsBeside(candidateOperations),
  ...recruitmentSettingOperations,
  ...careersOperations,
  ...taskOperations,
  ...indicatorOperations,
  ...objectiveOperations,
  ...projectOperations,
  ...timesheetEntryOperations,
  ...timesheetOperations,
  ...leaveTypeOperations,
  ...leavePolicyOperations,
  ...employeeLeaveOperations,
  ...leaveRequestOperations,
  ...calendarOperations,
  ...erasingOperations,
  ...exportOperations,
  ...calendarFeedOperations,
  ...apiKeyOperations,
]

/** Every kind of record, so that deleting one can look at all that may refer to it. */
export const resources: readonly Resource[] = [
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
  candidateLanguages,
  candidateTags.rows,
  candidateFields.fields,
  candidateFields.options,
  candidateFields.values,
  applications,
  hires,
  movements,
  candidateNotes,
  candidateEducations,
  candidateExperiences,
  candidateDocuments,
  candidateMerges,
  recruitmentSettings,
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
  leavePolicyTerms,
  employeeLeaveTypes,
  leaveAdjustments,
  leaveRequests,
  leaveEntries,
  calendarFeeds,
]

/** Everything that has a file, so that the folder of files can be held against the records. */
export const fileSources: readonly FileSource[] = [documentFiles, avatarFiles, resumeFiles, candidateDocumentFiles]

/** What follows from changes of records below, in the order in which it is drawn. */
export const consequences: readonly Consequence[] = [recountLeave]
