import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AREAS, permits } from '../src/access/permissions.ts'
import { operations } from '../src/operations.ts'

/** Every operation and what a key must hold for it. A change here is a change of who may do what. */
const TABLE = `
listEmployees GET /employees employees:read
listTerminatedEmployees GET /employees/terminated employees:read
listBirthdays GET /employees/birthdays employees:read
listAnniversaries GET /employees/anniversaries employees:read
getEmployee GET /employees/{id} employees:read
createEmployee POST /employees employees:write
bulkUpdateEmployees PATCH /employees/bulk employees:write
updateEmployee PUT /employees/{id} employees:write
terminateEmployee POST /employees/{id}/terminate employees:write
activateEmployee POST /employees/{id}/activate employees:write
updateEmployeeAvatar PUT /employees/{id}/avatar employees:write
listEmployeePositions GET /employees/{employee_id}/positions employees:read
getEmployeePosition GET /employees/{employee_id}/positions/{id} employees:read
createEmployeePosition POST /employees/{employee_id}/positions employees:write
updateEmployeePosition PUT /employees/{employee_id}/positions/{id} employees:write
deleteEmployeePosition DELETE /employees/{employee_id}/positions/{id} employees:write
listEmploymentStatuses GET /employees/{employee_id}/employment_statuses employees:read
getEmploymentStatus GET /employees/{employee_id}/employment_statuses/{id} employees:read
createEmploymentStatus POST /employees/{employee_id}/employment_statuses employees:write
updateEmploymentStatus PUT /employees/{employee_id}/employment_statuses/{id} employees:write
deleteEmploymentStatus DELETE /employees/{employee_id}/employment_statuses/{id} employees:write
listSalaries GET /employees/{employee_id}/salaries employees:read
getSalary GET /employees/{employee_id}/salaries/{id} employees:read
createSalary POST /employees/{employee_id}/salaries employees:write
updateSalary PUT /employees/{employee_id}/salaries/{id} employees:write
deleteSalary DELETE /employees/{employee_id}/salaries/{id} employees:write
listAdditionalCompensations GET /employees/{employee_id}/additional_compensations employees:read
getAdditionalCompensation GET /employees/{employee_id}/additional_compensations/{id} employees:read
createAdditionalCompensation POST /employees/{employee_id}/additional_compensations employees:write
updateAdditionalCompensation PUT /employees/{employee_id}/additional_compensations/{id} employees:write
deleteAdditionalCompensation DELETE /employees/{employee_id}/additional_compensations/{id} employees:write
listEmployeeDocuments GET /employees/{employee_id}/documents employees:read
getEmployeeDocument GET /employees/{employee_id}/documents/{id} employees:read
createEmployeeDocument POST /employees/{employee_id}/documents employees:write
deleteEmployeeDocument DELETE /employees/{employee_id}/documents/{id} employees:write
listEmployeeEducations GET /employees/{employee_id}/educations employees:read
getEmployeeEducation GET /employees/{employee_id}/educations/{id} employees:read
createEmployeeEducation POST /employees/{employee_id}/educations employees:write
updateEmployeeEducation PUT /employees/{employee_id}/educations/{id} employees:write
deleteEmployeeEducation DELETE /employees/{employee_id}/educations/{id} employees:write
listCertifications GET /employees/{employee_id}/certifications employees:read
getCertification GET /employees/{employee_id}/certifications/{id} employees:read
createCertification POST /employees/{employee_id}/certifications employees:write
updateCertification PUT /employees/{employee_id}/certifications/{id} employees:write
deleteCertification DELETE /employees/{employee_id}/certifications/{id} employees:write
listDependents GET /employees/{employee_id}/dependents employees:read
getDependent GET /employees/{employee_id}/dependents/{id} employees:read
createDependent POST /employees/{employee_id}/dependents employees:write
updateDependent PUT /employees/{employee_id}/dependents/{id} employees:write
deleteDependent DELETE /employees/{employee_id}/dependents/{id} employees:write
listEmergencyContacts GET /employees/{employee_id}/emergency_contacts employees:read
getEmergencyContact GET /employees/{employee_id}/emergency_contacts/{id} employees:read
createEmergencyContact POST /employees/{employee_id}/emergency_contacts employees:write
updateEmergencyContact PUT /employees/{employee_id}/emergency_contacts/{id} employees:write
deleteEmergencyContact DELETE /employees/{employee_id}/emergency_contacts/{id} employees:write
listEmployeeNotes GET /employees/{employee_id}/notes employees:read
getEmployeeNote GET /employees/{employee_id}/notes/{id} employees:read
createEmployeeNote POST /employees/{employee_id}/notes employees:write
updateEmployeeNote PUT /employees/{employee_id}/notes/{id} employees:write
deleteEmployeeNote DELETE /employees/{employee_id}/notes/{id} employees:write
listEmployeeFieldGroups GET /employee_field_groups employees:read
getEmployeeFieldGroup GET /employee_field_groups/{id} employees:read
createEmployeeFieldGroup POST /employee_field_groups employees:write
updateEmployeeFieldGroup PUT /employee_field_groups/{id} employees:write
deleteEmployeeFieldGroup DELETE /employee_field_groups/{id} employees:write
listEmployeeFields GET /employee_fields employees:read
getEmployeeField GET /employee_fields/{id} employees:read
createEmployeeField POST /employee_fields employees:write
updateEmployeeField PUT /employee_fields/{id} employees:write
deleteEmployeeField DELETE /employee_fields/{id} employees:write
listEmployeeFieldOptions GET /employee_fields/{employee_field_id}/options employees:read
createEmployeeFieldOption POST /employee_fields/{employee_field_id}/options employees:write
updateEmployeeFieldOption PUT /employee_fields/{employee_field_id}/options/{id} employees:write
deleteEmployeeFieldOption DELETE /employee_fields/{employee_field_id}/options/{id} employees:write
listEmployeeFieldHistories GET /employees/{employee_id}/field_histories employees:read
createEmployeeFieldHistory POST /employees/{employee_id}/field_histories employees:write
deleteEmployeeFieldHistory DELETE /employees/{employee_id}/field_histories/{id} employees:write
listDepartments GET /departments organisation:read
getDepartment GET /departments/{id} organisation:read
createDepartment POST /departments organisation:write
updateDepartment PUT /departments/{id} organisation:write
deleteDepartment DELETE /departments/{id} organisation:write
listDepartmentLevels GET /department_levels organisation:read
getDepartmentLevel GET /department_levels/{id} organisation:read
createDepartmentLevel POST /department_levels organisation:write
updateDepartmentLevel PUT /department_levels/{id} organisation:write
deleteDepartmentLevel DELETE /department_levels/{id} organisation:write
listDivisions GET /divisions organisation:read
getDivision GET /divisions/{id} organisation:read
createDivision POST /divisions organisation:write
updateDivision PUT /divisions/{id} organisation:write
deleteDivision DELETE /divisions/{id} organisation:write
listPositions GET /positions organisation:read
getPosition GET /positions/{id} organisation:read
createPosition POST /positions organisation:write
updatePosition PUT /positions/{id} organisation:write
deletePosition DELETE /positions/{id} organisation:write
listJobLevels GET /job_levels organisation:read
getJobLevel GET /job_levels/{id} organisation:read
createJobLevel POST /job_levels organisation:write
updateJobLevel PUT /job_levels/{id} organisation:write
deleteJobLevel DELETE /job_levels/{id} organisation:write
listJobProfiles GET /job_profiles organisation:read
getJobProfile GET /job_profiles/{id} organisation:read
createJobProfile POST /job_profiles organisation:write
updateJobProfile PUT /job_profiles/{id} organisation:write
deleteJobProfile DELETE /job_profiles/{id} organisation:write
listEmploymentTypes GET /employment_types organisation:read
getEmploymentType GET /employment_types/{id} organisation:read
createEmploymentType POST /employment_types organisation:write
updateEmploymentType PUT /employment_types/{id} organisation:write
deleteEmploymentType DELETE /employment_types/{id} organisation:write
listLegalEntities GET /legal_entities organisation:read
getLegalEntity GET /legal_entities/{id} organisation:read
createLegalEntity POST /legal_entities organisation:write
updateLegalEntity PUT /legal_entities/{id} organisation:write
deleteLegalEntity DELETE /legal_entities/{id} organisation:write
listGenders GET /genders organisation:read
getGender GET /genders/{id} organisation:read
createGender POST /genders organisation:write
updateGender PUT /genders/{id} organisation:write
deleteGender DELETE /genders/{id} organisation:write
listTerminationTypes GET /termination_types organisation:read
getTerminationType GET /termination_types/{id} organisation:read
createTerminationType POST /termination_types organisation:write
updateTerminationType PUT /termination_types/{id} organisation:write
deleteTerminationType DELETE /termination_types/{id} organisation:write
listTerminationReasons GET /termination_reasons organisation:read
getTerminationReason GET /termination_reasons/{id} organisation:read
createTerminationReason POST /termination_reasons organisation:write
updateTerminationReason PUT /termination_reasons/{id} organisation:write
deleteTerminationReason DELETE /termination_reasons/{id} organisation:write
listCompensationTypes GET /compensation_types organisation:read
getCompensationType GET /compensation_types/{id} organisation:read
createCompensationType POST /compensation_types organisation:write
updateCompensationType PUT /compensation_types/{id} organisation:write
deleteCompensationType DELETE /compensation_types/{id} organisation:write
listPaySchedules GET /pay_schedules organisation:read
getPaySchedule GET /pay_schedules/{id} organisation:read
createPaySchedule POST /pay_schedules organisation:write
updatePaySchedule PUT /pay_schedules/{id} organisation:write
deletePaySchedule DELETE /pay_schedules/{id} organisation:write
listLocations GET /locations organisation:read
getLocation GET /locations/{id} organisation:read
createLocation POST /locations organisation:write
updateLocation PUT /locations/{id} organisation:write
deleteLocation DELETE /locations/{id} organisation:write
listHolidayPolicies GET /holiday_policies organisation:read
getHolidayPolicy GET /holiday_policies/{id} organisation:read
createHolidayPolicy POST /holiday_policies organisation:write
updateHolidayPolicy PUT /holiday_policies/{id} organisation:write
deleteHolidayPolicy DELETE /holiday_policies/{id} organisation:write
listHolidays GET /holidays organisation:read
getHoliday GET /holidays/{id} organisation:read
createHoliday POST /holidays organisation:write
updateHoliday PUT /holidays/{id} organisation:write
deleteHoliday DELETE /holidays/{id} organisation:write
listWorkingPatterns GET /working_patterns organisation:read
getWorkingPattern GET /working_patterns/{id} organisation:read
createWorkingPattern POST /working_patterns organisation:write
updateWorkingPattern PUT /working_patterns/{id} organisation:write
deleteWorkingPattern DELETE /working_patterns/{id} organisation:write
listProbationPolicies GET /probation_policies organisation:read
getProbationPolicy GET /probation_policies/{id} organisation:read
createProbationPolicy POST /probation_policies organisation:write
updateProbationPolicy PUT /probation_policies/{id} organisation:write
deleteProbationPolicy DELETE /probation_policies/{id} organisation:write
listDocumentFolders GET /document_folders organisation:read
getDocumentFolder GET /document_folders/{id} organisation:read
createDocumentFolder POST /document_folders organisation:write
updateDocumentFolder PUT /document_folders/{id} organisation:write
deleteDocumentFolder DELETE /document_folders/{id} organisation:write
listTeams GET /teams teams:read
getTeam GET /teams/{id} teams:read
createTeam POST /teams teams:write
updateTeam PUT /teams/{id} teams:write
deleteTeam DELETE /teams/{id} teams:write
addTeamMember POST /teams/{team_id}/team_members teams:write
removeTeamMember DELETE /teams/{team_id}/team_members/{id} teams:write
listVacancies GET /recruitment/vacancies recruitment:read
getVacancy GET /recruitment/vacancies/{id} recruitment:read
createVacancy POST /recruitment/vacancies recruitment:write
updateVacancy PUT /recruitment/vacancies/{id} recruitment:write
deleteVacancy DELETE /recruitment/vacancies/{id} recruitment:write
getVacancyBoard GET /recruitment/vacancies/{vacancy_id}/pipeline recruitment:read
listApplications GET /recruitment/vacancies/{vacancy_id}/applications recruitment:read
getApplication GET /recruitment/vacancies/{vacancy_id}/applications/{id} recruitment:read
createApplication POST /recruitment/vacancies/{vacancy_id}/applications recruitment:write
updateApplication PUT /recruitment/vacancies/{vacancy_id}/applications/{id} recruitment:write
moveApplication PUT /recruitment/vacancies/{vacancy_id}/applications/{id}/move recruitment:write
disqualifyApplication POST /recruitment/vacancies/{vacancy_id}/applications/{id}/disqualify recruitment:write
requalifyApplication POST /recruitment/vacancies/{vacancy_id}/applications/{id}/requalify recruitment:write
hireApplicant POST /recruitment/vacancies/{vacancy_id}/applications/{id}/hire recruitment:write
listMovements GET /recruitment/movements recruitment:read
listCandidates GET /recruitment/candidates recruitment:read
getCandidate GET /recruitment/candidates/{id} recruitment:read
createCandidate POST /recruitment/candidates recruitment:write
updateCandidate PUT /recruitment/candidates/{id} recruitment:write
deleteCandidate DELETE /recruitment/candidates/{id} recruitment:write
listCandidateNotes GET /recruitment/candidates/{candidate_id}/notes recruitment:read
getCandidateNote GET /recruitment/candidates/{candidate_id}/notes/{id} recruitment:read
createCandidateNote POST /recruitment/candidates/{candidate_id}/notes recruitment:write
updateCandidateNote PUT /recruitment/candidates/{candidate_id}/notes/{id} recruitment:write
deleteCandidateNote DELETE /recruitment/candidates/{candidate_id}/notes/{id} recruitment:write
listCandidateEducations GET /recruitment/candidates/{candidate_id}/educations recruitment:read
getCandidateEducation GET /recruitment/candidates/{candidate_id}/educations/{id} recruitment:read
createCandidateEducation POST /recruitment/candidates/{candidate_id}/educations recruitment:write
updateCandidateEducation PUT /recruitment/candidates/{candidate_id}/educations/{id} recruitment:write
deleteCandidateEducation DELETE /recruitment/candidates/{candidate_id}/educations/{id} recruitment:write
listCandidateExperiences GET /recruitment/candidates/{candidate_id}/experiences recruitment:read
getCandidateExperience GET /recruitment/candidates/{candidate_id}/experiences/{id} recruitment:read
createCandidateExperience POST /recruitment/candidates/{candidate_id}/experiences recruitment:write
updateCandidateExperience PUT /recruitment/candidates/{candidate_id}/experiences/{id} recruitment:write
deleteCandidateExperience DELETE /recruitment/candidates/{candidate_id}/experiences/{id} recruitment:write
listCandidateDocuments GET /recruitment/candidates/{candidate_id}/documents recruitment:read
getCandidateDocument GET /recruitment/candidates/{candidate_id}/documents/{id} recruitment:read
createCandidateDocument POST /recruitment/candidates/{candidate_id}/documents recruitment:write
updateCandidateDocument PUT /recruitment/candidates/{candidate_id}/documents/{id} recruitment:write
deleteCandidateDocument DELETE /recruitment/candidates/{candidate_id}/documents/{id} recruitment:write
setCandidateConsent POST /recruitment/candidates/{candidate_id}/consent recruitment:write
listCandidateDuplicates GET /recruitment/candidates/{candidate_id}/duplicates recruitment:read
mergeCandidates POST /recruitment/candidates/{candidate_id}/merge recruitment:write
listPipelines GET /recruitment/pipelines recruitment:read
getPipeline GET /recruitment/pipelines/{id} recruitment:read
createPipeline POST /recruitment/pipelines recruitment:write
updatePipeline PUT /recruitment/pipelines/{id} recruitment:write
deletePipeline DELETE /recruitment/pipelines/{id} recruitment:write
createPipelineStage POST /recruitment/pipelines/{pipeline_id}/stages recruitment:write
updatePipelineStage PUT /recruitment/pipelines/{pipeline_id}/stages/{id} recruitment:write
deletePipelineStage DELETE /recruitment/pipelines/{pipeline_id}/stages/{id} recruitment:write
listSources GET /recruitment/sources recruitment:read
getSource GET /recruitment/sources/{id} recruitment:read
createSource POST /recruitment/sources recruitment:write
updateSource PUT /recruitment/sources/{id} recruitment:write
deleteSource DELETE /recruitment/sources/{id} recruitment:write
listDisqualifyReasons GET /recruitment/disqualify_reasons recruitment:read
getDisqualifyReason GET /recruitment/disqualify_reasons/{id} recruitment:read
createDisqualifyReason POST /recruitment/disqualify_reasons recruitment:write
updateDisqualifyReason PUT /recruitment/disqualify_reasons/{id} recruitment:write
deleteDisqualifyReason DELETE /recruitment/disqualify_reasons/{id} recruitment:write
listRecruitmentTags GET /recruitment/tags recruitment:read
getRecruitmentTag GET /recruitment/tags/{id} recruitment:read
createRecruitmentTag POST /recruitment/tags recruitment:write
updateRecruitmentTag PUT /recruitment/tags/{id} recruitment:write
deleteRecruitmentTag DELETE /recruitment/tags/{id} recruitment:write
listCandidateFields GET /recruitment/candidate_fields recruitment:read
getCandidateField GET /recruitment/candidate_fields/{id} recruitment:read
createCandidateField POST /recruitment/candidate_fields recruitment:write
updateCandidateField PUT /recruitment/candidate_fields/{id} recruitment:write
deleteCandidateField DELETE /recruitment/candidate_fields/{id} recruitment:write
listCandidateFieldOptions GET /recruitment/candidate_fields/{candidate_field_id}/options recruitment:read
createCandidateFieldOption POST /recruitment/candidate_fields/{candidate_field_id}/options recruitment:write
updateCandidateFieldOption PUT /recruitment/candidate_fields/{candidate_field_id}/options/{id} recruitment:write
deleteCandidateFieldOption DELETE /recruitment/candidate_fields/{candidate_field_id}/options/{id} recruitment:write
listVacancyFields GET /recruitment/vacancy_fields recruitment:read
getVacancyField GET /recruitment/vacancy_fields/{id} recruitment:read
createVacancyField POST /recruitment/vacancy_fields recruitment:write
updateVacancyField PUT /recruitment/vacancy_fields/{id} recruitment:write
deleteVacancyField DELETE /recruitment/vacancy_fields/{id} recruitment:write
listVacancyFieldOptions GET /recruitment/vacancy_fields/{vacancy_field_id}/options recruitment:read
createVacancyFieldOption POST /recruitment/vacancy_fields/{vacancy_field_id}/options recruitment:write
updateVacancyFieldOption PUT /recruitment/vacancy_fields/{vacancy_field_id}/options/{id} recruitment:write
deleteVacancyFieldOption DELETE /recruitment/vacancy_fields/{vacancy_field_id}/options/{id} recruitment:write
listCareersVacancies GET /recruitment/careers/vacancies public
applyThroughCareers POST /recruitment/careers/vacancies/{vacancy_id}/applications public
listApiKeys GET /api_keys keys:write
getApiKey GET /api_keys/{id} keys:write
createApiKey POST /api_keys keys:write
revokeApiKey DELETE /api_keys/{id} keys:write
`

test('every operation needs exactly the permission that is written here', () => {
  const actual = operations.map((one) => `${one.id} ${one.method} ${one.path} ${one.permission ?? 'public'}`)
  assert.deepEqual(actual.sort(), TABLE.trim().split('\n').sort())
})

test('operation ids and routes are unique, and every permission is one that a key can hold', () => {
  assert.equal(new Set(operations.map((one) => one.id)).size, operations.length)
  assert.equal(
    new Set(operations.map((one) => `${one.method} ${one.path.replace(/\{\w+\}/g, '{}')}`)).size,
    operations.length,
  )
  for (const { permission } of operations)
    if (permission) assert.ok((AREAS as readonly string[]).includes(permission.split(':')[0] as string))
})

test('* covers everything, area:* its area, and nothing covers more than it says', () => {
  assert.ok(permits(['*'], 'teams:write'))
  assert.ok(permits(['teams:*'], 'teams:write'))
  assert.ok(permits(['teams:read'], 'teams:read'))
  assert.ok(!permits(['teams:read'], 'teams:write'))
  assert.ok(!permits(['teams:*'], 'employees:read'))
  assert.ok(!permits(['teams:*'], '*'))
  assert.ok(!permits([], 'teams:read'))
})
