import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { operations } from '../src/operations.ts'
import { type Service, startService } from './harness.ts'
import { plansOf } from './plans.ts'
import { fillTables } from './seeded.ts'

/** Requests, and the index by which each finds its rows on both engines, among rows of several accounts. */
const INDEXES = `
/employees?emails[]=email 7                            employees(email_key)
/employees?employee_numbers[]=employee_number 7        employees(employee_number_key)
/employees?status=terminated                           employees_by_status
/employees?hired_on[gte]=2016-01-01&hired_on[lte]=2016-01-03                  employees_by_hiring
/employees?created_at[gte]=2020-03-01T00:00:00Z&created_at[lte]=2020-03-03T00:00:00Z   employees_by_creation
/employees?updated_at[gte]=2020-03-01T00:00:00Z&updated_at[lte]=2020-03-03T00:00:00Z   employees_by_change
/employees?manager_id=7                                employee_positions_by_reporting_to
/employees?department_id=7                             employee_positions_by_department
/employees?location_id=7                               employee_positions_by_location
/employees?location_id=7&as_of=2030-01-01              employee_positions_by_location
/employees?q=first_name 7                              search_words_by_word
/employees/7                                           employee_positions(employee_id,effective_from)
/employees/7                                           employment_statuses(employee_id,effective_from)
/employees/7                                           employee_field_values(employee_id,employee_field_id,effective_from)
/employees/7                                           employee_positions_by_reporting_to
/employees/7?as_of=2030-01-01                          salaries_by_employee
/employees/terminated?terminated_on[gte]=2016-01-01&terminated_on[lte]=2016-01-03      employees_by_status
/employees/birthdays?date[gte]=2016-01-01&date[lte]=2016-01-03                employees_by_birthday
/employees/anniversaries?date[gte]=2016-01-01&date[lte]=2016-01-03            employees_by_anniversary
/employees/7/positions                                 employee_positions(employee_id,effective_from)
/employees/7/employment_statuses                       employment_statuses(employee_id,effective_from)
/employees/7/salaries                                  salaries_by_employee
/employees/7/additional_compensations                  additional_compensations_by_employee
/employees/7/documents                                 employee_documents_by_employee
/employees/7/educations                                employee_educations_by_employee
/employees/7/certifications                            certifications_by_employee
/employees/7/dependents                                dependents_by_employee
/employees/7/emergency_contacts                        emergency_contacts_by_employee
/employees/7/notes                                     employee_notes_by_employee
/employees/7/field_histories                           employee_field_values(employee_id,employee_field_id,effective_from)
/employees/7/leave_types                               employee_leave_types(employee_id,leave_type_id,effective_on)
/employees/7/leave_balances                            employee_leave_types(employee_id,leave_type_id,effective_on)
/employees/7/leave_balances                            leave_policy_terms(leave_policy_id,effective_from)
/employees/7/leave_balances                            leave_adjustments_by_employee
/employees/7/leave_balances                            leave_entries_by_employee
/employees/7/holidays                                  employee_positions(employee_id,effective_from)
/employee_fields/7/options                             employee_field_options(employee_field_id,value_key)
/teams?page=2                                          team_members(team_id,user_id)
/holidays?holiday_policy_ids[]=7                       holidays(holiday_policy_id,occurs_on,name)
/holidays?location_ids[]=7                             holidays(holiday_policy_id,occurs_on,name)
/holidays?starts_on=2016-08-01                         holidays_by_end
/holidays?ends_on=2015-01-09                           holidays_by_date
/recruitment/vacancies?status[]=archived               vacancies_by_state
/recruitment/vacancies?priority[]=high                 vacancies_by_priority
/recruitment/vacancies?tag_ids[]=7                     vacancy_tags_by_tag
/recruitment/vacancies?tags[]=name 7                   recruitment_tags(name_key)
/recruitment/vacancies?department_id=7                 vacancies_by_department
/recruitment/vacancies?location_id=7                   vacancies_by_location
/recruitment/vacancies?hiring_lead_user_id=7           vacancies_by_hiring_lead_user
/recruitment/vacancies/7/pipeline                      pipeline_stages_by_pipeline
/recruitment/vacancies?q=title 77                      search_words_by_word
/recruitment/careers/vacancies                         vacancies_by_state
/api/careers/v1/vacancies                              vacancies_by_state
/api/careers/v1/vacancies?department_id=7              vacancies_by_department
/api/careers/v1/vacancies?location_id=7                vacancies_by_location
/api/careers/v1/vacancies?employment_type_id=7         vacancies_by_employment_type
/api/careers/v1/vacancies?q=title 77                   search_words_by_word
/recruitment/movements?vacancy_ids[]=7                 movements_by_vacancy
/recruitment/movements?applicant_ids[]=7               movements_by_candidate
/recruitment/movements?entered_at[gte]=2016-01-01T00:00:00Z&entered_at[lte]=2016-01-03T00:00:00Z   movements_by_entry
/recruitment/candidates?created_at[gte]=2020-03-01T00:00:00Z&created_at[lte]=2020-03-03T00:00:00Z  candidates_by_creation
/recruitment/candidates?updated_at[gte]=2020-03-01T00:00:00Z&updated_at[lte]=2020-03-03T00:00:00Z  candidates_by_change
/recruitment/candidates?email=email 7                  candidates(email_key)
/recruitment/candidates?pipeline_stage_id=7            applications_by_stage
/recruitment/candidates?vacancy_ids[]=7                applications(vacancy_id,candidate_id)
/recruitment/candidates?vacancy_ids[]=7                applications_by_candidate
/recruitment/candidates?vacancy_id=7                   applications(vacancy_id,candidate_id)
/recruitment/candidates?page=1                         candidate_languages(candidate_id,code)
/recruitment/candidates?skills[]=name 7&skills[]=name 8     candidate_skills_by_skill
/recruitment/candidates?tags[]=name 7                  candidate_tags_by_tag
/recruitment/candidates?source_id=7                    candidates_by_source
/recruitment/candidates?q=full_name 77                 search_words_by_word
/recruitment/candidates/7/notes                        candidate_notes_by_candidate
/recruitment/candidates/7/educations                   candidate_educations_by_candidate
/recruitment/candidates/7/experiences                  candidate_experiences_by_candidate
/recruitment/candidates/7/documents                    candidate_documents_by_candidate
/recruitment/candidates/7/duplicates                   candidates_by_name
/recruitment/candidates/7/merges                       candidate_merges_by_candidate
/recruitment/candidate_fields/7/options                candidate_field_options(candidate_field_id,value_key)
/recruitment/vacancy_fields/7/options                  vacancy_field_options(vacancy_field_id,value_key)
/tasks?completed=true                                  tasks_by_completion
/tasks?employee_id=7                                   tasks_by_employee
/tasks?starts_on[gte]=2016-01-01&starts_on[lte]=2016-01-03                    tasks_by_start
/performance/key_performance_indicators?kpi_type=company   key_performance_indicators_by_type
/performance/key_performance_indicators?owner_id=7     key_performance_indicators_by_user
/performance/key_performance_indicators/7/key_performance_indicator_results   kpi_results_by_indicator
/performance/objectives?owner_id=7                     objectives_by_owner
/performance/objectives?page=1                         key_results_by_objective
/time/projects/7/project_users                         project_users(project_id,employee_id)
/time/timesheet_entries?starts_on=2016-08-01           timesheet_entries_by_date
/time/timesheet_entries?ends_on=2015-01-09             timesheet_entries_by_date
/time/timesheet_entries?employee_ids[]=7               timesheet_entries_by_employee
/time/timesheet_entries?project_ids[]=7                timesheet_entries_by_project
/time/timesheet_entries?position_ids[]=7               employee_positions_by_position
/time/timesheet_entries?department_ids[]=7             employee_positions_by_department
/time/timesheet_entries?location_ids[]=7               employee_positions_by_location
/time/timesheet_entries?division_ids[]=7               employee_positions_by_division
/time/timesheet_entries?team_ids[]=7                   team_members(team_id,user_id)
/time/timesheet_entries?type=break                     timesheet_entries_by_type
/time/timesheet_entries?status[]=rejected              timesheet_entries_by_status
/time/timesheets?department_id=7                       employee_positions_by_department
/leave_requests?created_at[gt]=2020-03-01T00:00:00Z&created_at[lt]=2020-03-03T00:00:00Z   leave_requests_by_creation
/leave_requests?updated_at[gt]=2020-03-01T00:00:00Z&updated_at[lt]=2020-03-03T00:00:00Z   leave_requests_by_change
/leave_requests?employee_ids[]=7                       leave_requests_by_employee
/leave_requests?employee_ids[]=7                       leave_entries(leave_request_id,date)
/leave_requests?states[]=withdrawn                     leave_requests_by_state
/leave_requests?starts_on=2016-08-01                   leave_requests_by_start
/leave_requests?ends_on=2015-01-09                     leave_requests_by_end
/leave_requests/pending                                leave_requests_by_state
/calendars?starts_on=2016-01-01&ends_on=2016-01-03     holidays_by_free_days
/calendars/feed                                        calendar_feeds(api_key_id)
/leave_policies/7/terms                                leave_policy_terms(leave_policy_id,effective_from)
/calendars?starts_on=2016-01-01&ends_on=2016-01-03     employees_by_birthday
/calendars?starts_on=2016-01-01&ends_on=2016-01-03     employees_by_anniversary
`
const rows = INDEXES.trim()
  .split('\n')
  .map((line) => line.split(/ {2,}/) as [string, string])

let service: Service
before(async () => {
  service = await startService()
  const others = [await service.otherAccount(), await service.otherAccount()]
  await fillTables(service.database, [service.account.id, ...others.map(({ account }) => account.id)], 600)
})
after(() => service.stop())

for (const [path, group] of Map.groupBy(rows, ([path]) => path)) {
  const expected = group.map(([, index]) => index)
  test(`GET ${path} finds its rows by ${expected.join(', ')}`, async () => {
    const plans = await plansOf(service, path)
    const used = new Set(plans.flatMap(({ indexes }) => indexes))
    for (const index of expected) assert.ok(used.has(index), `${index} is not among ${[...used].join(', ')}`)
    for (const { statement, scans } of plans) assert.deepEqual(scans, [], `reads from end to end: ${statement}`)
  })
}

test('a page further on is found by the key, whatever its number', async () => {
  for (const { statement, scans } of await plansOf(service, '/employees?page=9')) assert.deepEqual(scans, [], statement)
})

test('every list that can be narrowed is among these requests', () => {
  const asked = rows.map(([path]) => path.split('?')[0]?.replace(/\/7(?=\/|$)/g, '/{id}'))
  const lists = operations.filter((one) => one.query.properties.page && Object.keys(one.query.properties).length > 1)
  const missing = lists.filter(({ path }) => !asked.includes(path.replace(/\{\w+\}/g, '{id}')))
  // Found by their parent's index, which the narrowing within it need not better.
  assert.deepEqual(
    missing.map(({ id }) => id),
    ['listApplications'],
  )
})
