import { apiKeyOperations, apiKeyRoles, apiKeys } from './access/api-keys.ts'
import { companies, companyOperations, companyStays } from './access/companies.ts'
import { roleGrants, roleOperations, roles } from './access/roles.ts'
import { rightsStay } from './access/undo-guards.ts'
import { userOperations, userRoles, users } from './access/users.ts'
import { assetAssignmentOperations } from './assets/asset-assignments.ts'
import { assetCategories, assetCategoryOperations } from './assets/asset-categories.ts'
import { assetLossOperations, lossesEndAssignments } from './assets/asset-losses.ts'
import { assetOperations, assets } from './assets/assets.ts'
import { assetAssignments, assetLosses } from './assets/custody.ts'
import { readOperations } from './audits/access-log.ts'
import { auditOperations } from './audits/audits.ts'
import { kindsByTable } from './audits/change-responses.ts'
import { changeOperations } from './audits/changes.ts'
import { historyOperations } from './audits/history.ts'
import { undoOperations } from './audits/undo.ts'
import { calendarOperations } from './calendar/calendar.ts'
import { addressesStayGone, calendarFeedOperations, calendarFeeds } from './calendar/feeds.ts'
import { valuesNameWhatIs } from './custom/undo-guards.ts'
import { directoryOperations } from './directory/directory.ts'
import { orgChartOperations } from './directory/org-chart.ts'
import type { Scopes } from './engine/access-scope/scopes.ts'
import type { Resource } from './engine/declaration.ts'
import type { Operation } from './engine/operation.ts'
import { theKinds } from './engine/resource.ts'
import { onlyOne } from './engine/single.ts'
import type { UndoGuard } from './engine/undo/guards.ts'
import type { FileSource } from './files/source.ts'
import { keepsFiles } from './files/undo-guards.ts'
import { articleOperations, articles } from './knowledge/articles.ts'
import { categories, categoryOperations } from './knowledge/categories.ts'
import { orderHolds } from './knowledge/undo-guards.ts'
import { leaveAttachmentOperations, leaveAttachments, leaveFiles } from './leave/attachments.ts'
import {
  employeeLeaveOperations,
  employeeLeaveTypes,
  leaveAdjustments,
  leaveMovesWithHiring,
} from './leave/employee-leave.ts'
import { leavePolicies, leavePolicyOperations, leavePolicyTerms } from './leave/leave-policies.ts'
import { leaveEntries, leaveRequestOperations, leaveRequests } from './leave/leave-requests.ts'
import { leaveTypeOperations, leaveTypes } from './leave/leave-types.ts'
import { recountLeave } from './leave/recount.ts'
import { leaveGuards } from './leave/undo-guards.ts'
import type { Consequence } from './ledger/consequences.ts'
import { notificationOperations } from './notifications/notifications.ts'
import { ownChangeOperations } from './notifications/own-changes.ts'
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
import { certificationFiles, certificationOperations, certifications } from './people/certifications.ts'
import {
  customFieldOperations,
  employeeFieldGroups,
  employeeFieldOptions,
  employeeFields,
} from './people/custom-fields.ts'
import { employeeFieldValues } from './people/custom-values.ts'
import { documentFiles, documentOperations, employeeDocuments } from './people/documents.ts'
import { employeeOperations } from './people/employee-operations.ts'
import { employeeTableOperations } from './people/employee-table-operations.ts'
import { employeeTableRows, employeeTableValues } from './people/employee-table-rows.ts'
import { columnOptions, employeeTableColumns, employeeTables } from './people/employee-tables.ts'
import { employees } from './people/employees.ts'
import { externalUserOperations, externalUsers } from './people/external-users.ts'
import { fieldHistoryOperations } from './people/field-histories.ts'
import { payMovesWithHiring } from './people/first-day.ts'
import { employeePositions, employmentStatuses } from './people/job-entries.ts'
import { jobHistoryOperations } from './people/job-history.ts'
import { employeeJobProfileOperations } from './people/job-profiles.ts'
import { meOperations } from './people/me.ts'
import { dependents, educations, emergencyContacts, employeeNotes, recordOperations } from './people/records.ts'
import { salaries, salaryOperations } from './people/salaries.ts'
import { savedViewOperations } from './people/saved-views.ts'
import { peopleScopes } from './people/scopes.ts'
import { employeeSkills, skillOperations, skills } from './people/skills.ts'
import { teamMembers, teamOperations, teams } from './people/teams.ts'
import { peopleGuards } from './people/undo-guards.ts'
import { indicatorOperations, indicatorResults, indicators } from './performance/indicators.ts'
import { keyResults, objectiveOperations, objectives } from './performance/objectives.ts'
import { erasingOperations } from './privacy/erasing.ts'
import { exportOperations } from './privacy/exporting.ts'
import { retentionOperations, retentionRules } from './privacy/retention.ts'
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
import { pipelineOperations, pipelines, stages } from './recruitment/pipelines.ts'
import {
  candidateFields,
  disqualifyReasons,
  recruitmentListOperations,
  sources,
  tags,
  vacancyFields,
} from './recruitment/reference-data.ts'
import { vacancyScopes } from './recruitment/scopes.ts'
import { recruitmentSettingOperations, recruitmentSettings } from './recruitment/settings.ts'
import { recruitmentGuards } from './recruitment/undo-guards.ts'
import { vacancies, vacancyCollaborators, vacancySkills, vacancyTags } from './recruitment/vacancies.ts'
import { vacancyOperations } from './recruitment/vacancy-operations.ts'
import { absenceReports } from './reports/absence.ts'
import { hiringReports } from './reports/hiring.ts'
import { payReports } from './reports/pay.ts'
import { staffReports } from './reports/staff.ts'
import { reviewAnswerOperations } from './reviews/answer-operations.ts'
import { reviewAnswers } from './reviews/answers.ts'
import { competencies, competencyLevels, competencyOperations } from './reviews/competencies.ts'
import { reviewCycleOperations, reviewCycles } from './reviews/cycles.ts'
import { reviewParticipantOperations, reviewParticipants } from './reviews/participants.ts'
import { reviewQuestionOperations, reviewQuestions } from './reviews/questions.ts'
import { reviewOperations } from './reviews/review-operations.ts'
import { reviews } from './reviews/reviews.ts'
import { reviewGuards } from './reviews/undo-guards.ts'
import { searchOperations } from './search/search.ts'
import { recoveryCodes, userCredentials } from './sign-in/credentials.ts'
import { linksEndWithTheAddress, signInLinks } from './sign-in/links.ts'
import { ownOperations } from './sign-in/my-sign-in.ts'
import { ownersStay, secondFactorStays } from './sign-in/owners.ts'
import { passkeys } from './sign-in/passkeys.ts'
import { providerTestOperations } from './sign-in/provider-tests.ts'
import { identityProviders, providerOperations, userIdentities } from './sign-in/providers.ts'
import { sessions, sessionsEndWithTheJob } from './sign-in/sessions.ts'
import { signInOperations } from './sign-in/sign-in.ts'
import { attemptsStayTold, failedSignInOperations, failedSignIns } from './sign-in/sign-in-steps.ts'
import { accessOperations } from './sign-in/user-access.ts'
import { taskOperations, tasks } from './tasks/tasks.ts'
import { nobodyDecidesByUndoing } from './time/approvals.ts'
import { clockOperations, clocks, clocksHold } from './time/clocks.ts'
import { employeeHolidayOperations } from './time/employee-holidays.ts'
import { overtimeHolds, overtimeRequestOperations, overtimeRequests } from './time/overtime-requests.ts'
import { projectOperations, projects, projectUsers } from './time/projects.ts'
import { entriesHold, timesheetEntries, timesheetEntryOperations } from './time/timesheet-entries.ts'
import { timesheetOperations } from './time/timesheets.ts'

/** Everything that has a file: what is erased takes it along, an archive holds it, and the folder is held against it. */
export const fileSources: readonly FileSource[] = [
  documentFiles,
  certificationFiles,
  avatarFiles,
  resumeFiles,
  candidateDocumentFiles,
  leaveFiles,
]

/** Every kind of record, so that deleting one can look at all that may refer to it. */
export const resources: readonly Resource[] = theKinds([
  apiKeys,
  apiKeyRoles,
  roles,
  roleGrants,
  users,
  userRoles,
  userCredentials,
  recoveryCodes,
  passkeys,
  identityProviders,
  userIdentities,
  sessions,
  signInLinks,
  failedSignIns,
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
  skills,
  employeeSkills,
  externalUsers,
  employeeFieldGroups,
  employeeFields,
  employeeFieldOptions,
  employeeFieldValues,
  employeeTables,
  employeeTableColumns,
  columnOptions.options,
  employeeTableRows,
  employeeTableValues,
  companies,
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
  retentionRules,
  tasks,
  indicators,
  indicatorResults,
  objectives,
  keyResults,
  competencies,
  competencyLevels,
  reviewCycles,
  reviewAnswers,
  reviewParticipants,
  reviews,
  reviewQuestions,
  projects,
  projectUsers,
  timesheetEntries,
  clocks,
  overtimeRequests,
  leaveTypes,
  leavePolicies,
  leavePolicyTerms,
  employeeLeaveTypes,
  leaveAdjustments,
  leaveRequests,
  leaveEntries,
  leaveAttachments,
  calendarFeeds,
  assetCategories,
  assets,
  assetAssignments,
  assetLosses,
  categories,
  articles,
])

/** The whole service: whoever reads this list has seen every operation there is. */
export const operations: readonly Operation[] = [
  ...employeeOperations,
  ...avatarOperations,
  ...directoryOperations,
  ...orgChartOperations,
  ...searchOperations,
  ...jobHistoryOperations,
  ...employeeJobProfileOperations,
  ...salaryOperations,
  ...additionalCompensationOperations,
  ...documentOperations,
  ...recordOperations,
  ...certificationOperations,
  ...skillOperations,
  ...externalUserOperations,
  ...customFieldOperations,
  ...fieldHistoryOperations,
  ...employeeTableOperations,
  ...companyOperations,
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
  ...competencyOperations,
  ...reviewCycleOperations,
  ...reviewQuestionOperations,
  ...reviewOperations,
  ...reviewParticipantOperations,
  ...reviewAnswerOperations,
  ...projectOperations,
  ...timesheetEntryOperations,
  ...clockOperations,
  ...timesheetOperations,
  ...overtimeRequestOperations,
  ...leaveTypeOperations,
  ...leavePolicyOperations,
  ...employeeLeaveOperations,
  ...leaveRequestOperations,
  ...leaveAttachmentOperations,
  ...calendarOperations,
  ...employeeHolidayOperations,
  ...assetCategoryOperations,
  ...assetOperations,
  ...assetAssignmentOperations,
  ...assetLossOperations,
  ...categoryOperations,
  ...articleOperations,
  ...erasingOperations,
  ...exportOperations(fileSources),
  ...retentionOperations,
  ...calendarFeedOperations,
  ...roleOperations,
  ...userOperations,
  ...accessOperations,
  ...providerOperations,
  ...providerTestOperations,
  ...failedSignInOperations,
  ...signInOperations,
  ...meOperations,
  ...savedViewOperations,
  ...ownOperations,
  ...apiKeyOperations,
  ...staffReports,
  ...absenceReports,
  ...hiringReports,
  ...payReports,
  ...auditOperations(
    () => resources,
    () => operations,
  ),
  ...changeOperations(resources),
  ...ownChangeOperations(() => kindsByTable(resources)),
  ...notificationOperations,
  ...historyOperations(() => resources),
  ...readOperations(
    () => resources,
    () => operations,
  ),
  ...undoOperations(
    () => resources,
    () => guards,
    () => operations,
  ),
]

/** What follows from changes of records below, in the order in which it is drawn. */
export const consequences: readonly Consequence[] = [
  payMovesWithHiring,
  leaveMovesWithHiring,
  recountLeave,
  linksEndWithTheAddress,
  sessionsEndWithTheJob,
  ownersStay,
  secondFactorStays,
]

/** What kinds of records with a behaviour of their own see to when changes are undone, in the order in which they do. */
export const guards: readonly UndoGuard[] = [
  keepsFiles(fileSources),
  rightsStay,
  companyStays,
  onlyOne(recruitmentSettings, retentionRules),
  addressesStayGone,
  attemptsStayTold,
  valuesNameWhatIs(),
  ...peopleGuards,
  lossesEndAssignments,
  ...recruitmentGuards,
  ...reviewGuards,
  orderHolds,
  nobodyDecidesByUndoing,
  entriesHold,
  clocksHold,
  overtimeHolds,
  ...leaveGuards,
]

/** Of whom grants of roles can hold, besides everybody. */
export const scopes: Scopes = { ...peopleScopes, ...vacancyScopes }
