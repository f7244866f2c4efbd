import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { operations } from '../src/operations.ts'
import { type CatalogueTable, readCatalogue } from './catalogue.ts'
import { type Service, startService } from './harness.ts'
import { assertLines } from './lines.ts'
import { type Planned, plansOf } from './plans.ts'
import { fillTables } from './seeded.ts'
import { isLong, longTest } from './thorough.ts'

/** Requests, and the index by which each finds its rows on both engines, among rows of several accounts. */
const INDEXES = `
/employees?emails[]=email 7                            employees(email_key)
/employees?email=email 7                               employees(email_key)
/employees?skill_ids[]=7                               employee_skills_by_skill
/employees?skill_ids[]=7&skill_level=expert            employee_skills_by_skill
/employees?skill_level=expert                          employee_skills_by_level
/employees?employee_numbers[]=employee_number 7        employees(employee_number_key)
/employees?status=terminated                           employees_by_status
/employees?hired_on[gte]=2016-01-01&hired_on[lte]=2016-01-03                  employees_by_hiring
/employees?created_at[gte]=2020-03-01T00:00:00Z&created_at[lte]=2020-03-03T00:00:00Z   employees_by_creation
/employees?updated_at[gte]=2020-03-01T00:00:00Z&updated_at[lte]=2020-03-03T00:00:00Z   employees_by_change
/employees?manager_id=7                                employee_positions_by_reporting_to
/employees?department_id=7                             employee_positions_by_department
/employees?location_id=7                               employee_positions_by_location
/employees?location_id=7&as_of=2030-01-01              employee_positions_by_location
/employees?manager_ids[]=7                             employee_positions_by_reporting_to
/employees?department_ids[]=7&department_ids[]=8       employee_positions_by_department
/employees?location_ids[]=7                            employee_positions_by_location
/employees?job_level_id=7                              employee_positions_by_job_level
/employees?job_level_ids[]=7                           employee_positions_by_job_level
/employees?probation_ends_on[gte]=2016-01-01&probation_ends_on[lte]=2016-01-03   employees_by_probation
/employees?status=all&joined_on[gte]=2016-01-01&joined_on[lte]=2016-01-03     employees_by_hiring
/employees?status=all&left_on[gte]=2016-01-01&left_on[lte]=2016-01-03         employees_by_status
/employees?status=all&left_on[gte]=2016-01-01&left_on[lte]=2016-01-03&department_id=7   employees_by_status
/employees?termination_type_id=7                       employees_by_termination_type
/employees?termination_reason_ids[]=7                  employees_by_termination_reason
/employees?paid_in=EUR                                 salaries_by_employee
/employees?q=first_name 7                              search_words_by_word
/directory?department_id=7                             employee_positions_by_department
/directory?location_ids[]=7                            employee_positions_by_location
/directory?manager_id=7                                employee_positions_by_reporting_to
/directory?ids[]=7                                     employee_positions(employee_id,effective_from)
/directory?q=first_name 7                              search_words_by_word
/directory/7                                           employee_positions(employee_id,effective_from)
/search?q=name 7                                       search_words_by_word
/employees/7                                           employee_positions(employee_id,effective_from)
/employees/7                                           employment_statuses(employee_id,effective_from)
/employees/7                                           employee_field_values(employee_id,employee_field_id,effective_from)
/employees/7                                           employee_positions_by_reporting_to
/employees/7?as_of=2030-01-01                          salaries_by_employee
/retention/due?kind=candidates                         candidates_by_employee
/retention/due?kind=candidates                         applications_by_candidate
/retention/due?kind=employees                          employees_by_status
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
/employees/7/skills                                    employee_skills(employee_id,skill_id)
/employees/7/tasks                                     tasks_by_employee
/employees/7/job_profiles                              employee_positions(employee_id,effective_from)
/job_profiles?job_group_id=7                           job_profiles_by_job_group
/external_users?created_at[gte]=2020-03-01T00:00:00Z&created_at[lte]=2020-03-03T00:00:00Z   external_users_by_creation
/external_users?email=email 7                          external_users(email_key)
/users?email=email 7                                   users(email_key)
/users?q=name 7                                         search_words_by_word
/users?employee_id=7                                   users(employee_id)
/users/7                                               user_roles(user_id,role_id)
/roles/7                                               role_grants_by_role
/api_keys/7                                            api_key_roles(api_key_id,role_id)
/employees/7/notes                                     employee_notes_by_employee
/employees/7/field_histories                           employee_field_values(employee_id,employee_field_id,effective_from)
/employees/7/leave_types                               employee_leave_types(employee_id,leave_type_id,effective_on)
/employees/7/leave_balances                            employee_leave_types(employee_id,leave_type_id,effective_on)
/employees/7/leave_balances                            leave_policy_terms(leave_policy_id,effective_from)
/employees/7/leave_balances                            leave_adjustments_by_employee
/employees/7/leave_balances                            leave_entries_by_employee
/employees/7/holidays                                  employee_positions(employee_id,effective_from)
/employee_fields/7/options                             employee_field_options(employee_field_id,value_key)
/employees/7/tables                                    employee_table_rows_by_employee
/employee_tables/7/rows                                employee_table_values(employee_table_row_id,employee_table_column_id)
/employees/7/tables/7/rows                             employee_table_rows_by_employee
/employee_tables/7/rows                                employee_table_rows_by_table
/employee_tables/7/rows?employee_id=7                  employee_table_rows_by_employee
/employee_tables/7/rows?employee_ids[]=7               employee_table_rows_by_employee
/employee_tables/internal_name 7/columns               employee_tables(internal_name_key)
/employee_tables/7/columns                             employee_table_columns(employee_table_id,internal_name_key)
/employee_tables/7/columns/7/options                   employee_table_column_options(employee_table_column_id,value_key)
/teams?page=2                                          team_members(team_id,user_id)
/holidays?holiday_policy_ids[]=7                       holidays_once
/holidays?holiday_policy_id=7                          holidays_once
/holidays?location_id=7                                holidays_once
/holidays?location_ids[]=7                             holidays_once
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
/recruitment/vacancies/7/applications?q=full_name 77    search_words_by_word
/recruitment/vacancies/7/applications?source_id=7      applications(vacancy_id,candidate_id)
/recruitment/vacancies/7/applications?tag_ids[]=7      applications(vacancy_id,candidate_id)
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
/tasks?candidate_id=7                                  tasks_by_associated_candidate
/tasks?starts_on[gte]=2016-01-01&starts_on[lte]=2016-01-03                    tasks_by_start
/performance/key_performance_indicators?kpi_type=company   key_performance_indicators_by_type
/performance/key_performance_indicators?status=behind  kpi_results_by_indicator
/performance/key_performance_indicators?owner_id=7     key_performance_indicators_by_user
/performance/key_performance_indicators/7/key_performance_indicator_results   kpi_results_by_indicator
/performance/objectives?owner_id=7                     objectives_by_owner
/performance/objectives?page=1                         key_results_by_objective
/performance/review_cycles?state=finished              review_cycles_by_state
/performance/review_cycles?starts_on[gte]=2016-01-01&starts_on[lte]=2016-01-03   review_cycles_by_start
/performance/review_cycles?ends_on[gte]=2016-01-01&ends_on[lte]=2016-01-03       review_cycles_by_end
/performance/review_cycles?page=1                      review_participants_by_cycle
/performance/review_cycles/7/questions                 review_questions_by_cycle
/performance/review_cycles/7/reviews?employee_ids[]=7  reviews(review_cycle_id,employee_id)
/performance/review_cycles/7/reviews?waiting_for_id=7  review_participants_by_employee
/performance/review_cycles/7/reviews?state=submitted   review_participants_by_review
/performance/review_cycles/7/reviews/7/review_participants   review_participants_by_review
/performance/review_cycles/7/reviews/7/answers         review_answers_by_review
/competencies?page=1                                   competency_levels_by_competency
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
/time/timesheet_entries?employee_id=7                  timesheet_entries_by_employee
/time/timesheet_entries?project_id=7                   timesheet_entries_by_project
/time/timesheet_entries?position_id=7                  employee_positions_by_position
/time/timesheet_entries?department_id=7                employee_positions_by_department
/time/timesheet_entries?location_id=7                  employee_positions_by_location
/time/timesheet_entries?division_id=7                  employee_positions_by_division
/time/timesheet_entries?team_id=7                      team_members(team_id,user_id)
/time/clocks?employee_id=7                             clocks(employee_id)
/time/clocks?employee_ids[]=7                          clocks(employee_id)
/time/clocks?project_id=7                              clocks_by_project
/time/overtime_requests?employee_id=7                  overtime_requests_by_employee
/time/overtime_requests?employee_ids[]=7               overtime_requests_by_employee
/time/overtime_requests?state=withdrawn                overtime_requests_by_state
/time/overtime_requests?states[]=withdrawn             overtime_requests_by_state
/time/overtime_requests?starts_on=2016-08-01           overtime_requests_by_date
/time/overtime_requests?ends_on=2015-01-09             overtime_requests_by_date
/time/timesheets?department_id=7                       employee_positions_by_department
/time/calculated_overtime?department_id=7              employee_positions_by_department
/leave_requests?created_at[gt]=2020-03-01T00:00:00Z&created_at[lt]=2020-03-03T00:00:00Z   leave_requests_by_creation
/leave_requests?updated_at[gt]=2020-03-01T00:00:00Z&updated_at[lt]=2020-03-03T00:00:00Z   leave_requests_by_change
/leave_requests?employee_ids[]=7                       leave_requests_by_employee
/leave_requests?employee_ids[]=7                       leave_entries(leave_request_id,date)
/leave_requests?states[]=withdrawn                     leave_requests_by_state
/leave_requests?starts_on=2016-08-01                   leave_requests_by_start
/leave_requests?ends_on=2015-01-09                     leave_requests_by_end
/leave_requests?employee_id=7                          leave_requests_by_employee
/leave_requests?employee_id=7                          leave_attachments_by_leave_request
/leave_requests?leave_type_id=7                        leave_requests_by_leave_type
/leave_requests?leave_type_ids[]=7                     leave_requests_by_leave_type
/leave_requests?state=withdrawn                        leave_requests_by_state
/leave_requests/pending?employee_id=7                  leave_requests_by_employee
/leave_requests/7/attachments                          leave_attachments_by_leave_request
/leave_adjustments?employee_id=7                       leave_adjustments_by_employee
/leave_adjustments?leave_type_id=7                     leave_adjustments_by_leave_type
/leave_policies?leave_type_id=7                        leave_policies_by_leave_type
/leave_requests/pending                                leave_requests_by_state
/calendars?starts_on=2016-01-01&ends_on=2016-01-03     holidays_by_free_days
/audits?created_at[gt]=2020-03-01T00:00:00Z&created_at[lt]=2020-03-03T00:00:00Z   ledger_by_time
/changes?since=3&resources[]=genders&resources[]=divisions   ledger_by_resource
/changes?resources[]=genders&record_id=1               ledger_by_record
/audits?record_type=Employee&record_id=7               ledger_by_record
/audits?record_type=employees                          ledger_by_resource
/audits?actor=key:7                                    ledger_by_actor
/audits?actor=system                                   ledger_by_actor
/audits?employee_id=7                                  ledger_by_person
/audits?operation=createEmployee                       ledger_by_operation
/audits?request_id=7                                   ledger_by_request
/employees/7/history                                   ledger_by_record
/employees/7/history?parts=true                        ledger_by_record
/employees/7/history?parts=true                        ledger_by_owner
/employees/7/salaries/7/history                        ledger_by_record|ledger_by_resource
/reads?resource=employees&record_id=7                  reads_by_record
/reads?resource=employees&record_id=7&parts=true       reads_by_owner
/reads?actor=key:7                                     reads_by_actor
/reads?operation=listSalaries                          reads_by_operation
/reads?created_at[gt]=2020-03-01T00:00:00Z&created_at[lt]=2020-03-03T00:00:00Z     reads_by_time
/calendars/feed                                        calendar_feeds(api_key_id)
/assets?asset_category_id=7                            assets_by_category
/assets?asset_category_ids[]=7                         assets_by_category
/assets?location_id=7                                  assets_by_location
/assets?location_ids[]=7                               assets_by_location
/assets?code=code 7                                    assets(code_key)
/assets?serial_number=serial_number 7                  assets_by_serial_number
/assets?state=retired&on=2015-01-03                    assets_by_retirement
/assets?state=assigned                                 asset_assignments_by_return
/assets?state=lost                                     asset_losses_by_finding
/assets?state=available                                asset_assignments_by_return
/assets?user_id=7                                      asset_assignments_by_user
/assets?user_id=7&on=2016-01-01                        asset_assignments_by_user
/assets?holder_status=terminated&on=2016-01-01         employees_by_status
/assets?q=name 77                                      search_words_by_word
/assets/7                                              asset_assignments_by_asset
/assets/7                                              asset_losses_by_asset
/assets/7/losses                                       asset_losses_by_asset
/employees/7/assets                                    asset_assignments_by_user
/asset_assignments?asset_id=7                          asset_assignments_by_asset
/asset_assignments?asset_ids[]=7                       asset_assignments_by_asset
/asset_assignments?user_id=7                           asset_assignments_by_user
/asset_assignments?user_ids[]=7                        asset_assignments_by_user
/asset_assignments?issued_on[gte]=2016-01-01&issued_on[lte]=2016-01-03      asset_assignments_by_issue
/asset_assignments?returned_on[gte]=2016-01-01&returned_on[lte]=2016-01-03  asset_assignments_by_return
/asset_assignments?returned=false                      asset_assignments_by_return
/asset_assignments?held_on=2016-08-01                  asset_assignments_by_return
/knowledge_base/articles?category_id=7                 knowledge_base_articles_by_category
/knowledge_base/articles?category_ids[]=7              knowledge_base_articles_by_category
/knowledge_base/articles?state=published               knowledge_base_articles_by_state
/knowledge_base/articles?q=title 77                    search_words_by_word
/knowledge_base/categories/7/articles                  knowledge_base_articles_by_category
/blocked_periods?leave_type_id=7                        blocked_periods_by_type
/blocked_periods?department_id=7                        blocked_periods_by_department
/blocked_periods?location_id=7                          blocked_periods_by_location
/leave_policies/7/eligible_groups                       eligible_groups_by_policy
/working_patterns/7/time_rules                          time_rules(working_pattern_id,effective_from)
/leave_policies/7/terms                                leave_policy_terms(leave_policy_id,effective_from)
/calendars?starts_on=2016-01-01&ends_on=2016-01-03     employees_by_birthday
/calendars?starts_on=2016-01-01&ends_on=2016-01-03     employees_by_anniversary
/leave_requests?taken_on[gte]=2016-01-01&taken_on[lte]=2016-01-03             leave_entries_by_date
/leave_requests?department_id=7&taken_on[gte]=2016-01-01&taken_on[lte]=2016-01-03   leave_entries_by_date|leave_entries_by_employee
/leave_requests?location_ids[]=7                       employee_positions_by_location
/leave_requests?manager_id=7                           employee_positions_by_reporting_to
/leave_requests?manager_ids[]=7                        employee_positions_by_reporting_to
/recruitment/candidates?hired_at[gte]=2020-03-01&hired_at[lte]=2020-03-03     hires_by_creation
/recruitment/candidates?department_id=7                vacancies_by_department
/recruitment/candidates?location_ids[]=7               vacancies_by_location
/reports/headcount?from=2016-01-01&to=2016-01-03       employees_by_hiring
/reports/headcount?from=2016-01-01&to=2016-01-03&department_id=7   employee_positions_by_department
/reports/turnover?from=2016-01-01&to=2016-01-03        employees_by_status
/reports/tenure?as_of=2016-01-01                       employees_by_hiring
/reports/absence?from=2016-01-01&to=2016-01-03         leave_entries_by_date
/reports/time_to_hire?from=2020-03-01&to=2020-03-03    hires_by_creation
/reports/time_to_hire?from=2020-03-01&to=2020-03-03    movements_by_application
`
const rows = INDEXES.trim()
  .split('\n')
  .map((line) => line.split(/ {2,}/) as [string, string])

let service: Service
before(async () => {
  service = await startService()
  const { account: other } = await service.otherAccount()
  await fillTables(service.database, [service.account.id, other.id], 600)
})
after(() => service.stop())

/** How many lists were taken at once. */
let atOnce = 0

/** Indexes that a request above has asked for. */
const asked = new Set<string>()

for (const [path, group] of Map.groupBy(rows, ([path]) => path)) {
  const expected = group.map(([, index]) => index)
  // The gate makes the plans of searches, of lists without filters, and one for each index; the proofs make all.
  const isNew = !path.includes('?') || /[?&]q=/.test(path) || expected.some((index) => !asked.has(index))
  for (const index of expected) asked.add(index)
  const testOfIndex = isNew ? test : longTest
  testOfIndex(`GET ${path} uses the index ${expected.join(', ')}`, async () => {
    const plans = await plansOf(service, path)
    const used = new Set(plans.flatMap(({ indexes }) => indexes))
    // Where two are as good, which one is taken is for the database to say.
    for (const index of expected)
      assert.ok(
        index.split('|').some((one) => used.has(one)),
        `${index} is not among ${[...used].join(', ')}: see the line of INDEXES for ${path}`,
      )
    for (const { statement, scans } of plans) assert.deepEqual(scans, [], `reads from end to end: ${statement}`)
    const of = (which: Planned['about']) => plans.filter(({ about }) => about === which)
    const ids = of('ids')
    atOnce += ids.length
    const counting = new Set(of('count').flatMap(({ indexes }) => indexes))
    const taking = new Set(ids.flatMap(({ indexes }) => indexes))
    for (const index of expected.filter((one) => ids.length > 0 && counting.has(one)))
      assert.ok(taking.has(index), `${index} is not among ${[...taking].join(', ')} of ids at once`)
  })
}

test('many of these lists are also read as id lists with the same indexes', () => {
  assert.ok(atOnce > (isLong ? 50 : 25), `${atOnce} are`)
})

test('every sort order of a list has an index', async () => {
  const catalogue = await readCatalogue(service.database)
  const missing: string[] = []
  for (const { path, sortsBy } of operations)
    for (const column of sortsBy) {
      const [table = '', name = ''] = column.split('.')
      const { indexes, primaryKey } = catalogue.get(table) as CatalogueTable
      if (![primaryKey, ...indexes.values()].some((columns) => columns[1] === name)) missing.push(`${path}: ${column}`)
    }
  assert.deepEqual(missing, [])
})

/** Lists that are much used, in orders that are: the rows of a page are the first that the index leads to. */
const SORTED = `
/employees?status=all&sort=-hired_on          employees_by_hiring
/employees?status=all&sort=last_name          employees_by_last_name
/employees?status=all&sort=-created_at        employees_by_creation
/employees?status=all&sort=email              employees(email_key)
/recruitment/candidates?sort=-updated_at      candidates_by_change
/tasks?completed=all                          tasks_by_creation
/tasks?completed=all&sort=-ends_on            tasks_by_end
/leave_requests                               leave_requests_by_start
/divisions?sort=-name                         divisions(name_key)
/divisions?sort=created_at                    divisions_by_creation
`

for (const line of SORTED.trim().split('\n')) {
  const [path = '', index = ''] = line.split(/ {2,}/)
  test(`GET ${path} is sorted by ${index}`, async () => {
    const walked = (await plansOf(service, path, true)).flatMap(({ walks }) => walks)
    assert.ok(walked.includes(index), `${index} is not among ${walked.join(', ')}: see the line of SORTED for ${path}`)
  })
}

test('GET /tasks reads open tasks by index, newest first', async () => {
  const plans = await plansOf(service, '/tasks', true)
  const used = plans.flatMap(({ walks, indexes }) => [...walks, ...indexes])
  // SQLite takes nothing for a value like any other, and PostgreSQL does not.
  const index = service.database.engine === 'sqlite' ? 'tasks_by_completion' : 'tasks_open_by_creation'
  assert.ok(used.includes(index), used.join(', '))
})

test('later pages and the change feed use the primary key', async () => {
  for (const path of ['/employees?page=9', '/changes?since=3'])
    for (const { statement, scans } of await plansOf(service, path)) assert.deepEqual(scans, [], statement)
})

test('every list with filters is in this table', () => {
  const asked = rows.map(([path]) => path.split('?')[0]?.replace(/\/7(?=\/|$)/g, '/{id}'))
  const lists = operations.filter((one) => one.query.properties.page && Object.keys(one.query.properties).length > 3)
  // Histories are all found in the same way, as those above are.
  const others = lists.filter(({ path }) => !path.endsWith('/history'))
  const missing = others.filter(({ path }) => !asked.includes(path.replace(/\{\w+\}/g, '{id}')))
  const lines = missing.map(({ id, path }) => `${path} (${id})`)
  assertLines(lines, [], 'INDEXES in test/plans.test.ts has no line for these lists. Add one for each, with its index:')
})

/** The same of the past, when some records of every table that is read have changed since. */
const PAST = `
/employees?emails[]=email 7                   employees(email_key)
/employees?employee_numbers[]=employee_number 7   employees(employee_number_key)
/employees?q=first_name 7                     search_words_by_word
/employees?department_id=7                    employee_positions_by_department
/employees?department_id=7&as_of=2030-01-01   employee_positions_by_department
/employees?skill_ids[]=7                      employee_skills_by_skill
/employees/7                                  employee_positions(employee_id,effective_from)
/employees/7                                  employment_statuses(employee_id,effective_from)
/employees/7                                  employee_field_values(employee_id,employee_field_id,effective_from)
/employees/7?as_of=2030-01-01                 salaries_by_employee
/employees/7/positions                        employee_positions(employee_id,effective_from)
/employees/7/employment_statuses              employment_statuses(employee_id,effective_from)
/employees/7/salaries                         salaries_by_employee
/employees/7/additional_compensations         additional_compensations_by_employee
`

const LATER = { effective_from: '2031-01-01' }

test('reads with known_at use the same indexes for unchanged rows', async () => {
  const hired = { hired_on: '2030-01-01', department_id: 8, employment_type_id: 8 }
  const { id } = await service.hire(hired)
  const pay = { amount: 1, currency_code: 'EUR' }
  await service.make(`/employees/${id}/salaries`, { effective_on: '2031-01-01', per: 'month', ...pay })
  const once = { type: 'fixed', starts_on: '2031-01-01', compensation_type_id: 1, ...pay }
  await service.make(`/employees/${id}/additional_compensations`, once)
  const known = Number((await service.get('/genders')).headers.get('cadre-ledger'))
  const parts = ['positions', 'employment_statuses', 'salaries', 'additional_compensations'].map(async (part) => {
    const [one] = (await service.get(`/employees/${id}/${part}`)).body.data
    return `/employees/${id}/${part}/${one.id}`
  })
  for (const path of [...(await Promise.all(parts)), '/departments/8', `/employees/${id}`]) {
    const { status, text } = await service.put(path, { name: 'Changed', first_name: 'Changed', amount: 2, ...LATER })
    assert.equal(status, 200, text)
  }
  for (const line of PAST.trim().split('\n')) {
    const [path = '', index = ''] = line.split(/ {2,}/)
    const plans = await plansOf(service, `${path}${path.includes('?') ? '&' : '?'}known_at=${known}`)
    const used = plans.flatMap(({ indexes }) => indexes)
    assert.ok(used.includes(index), `${index} is not among ${used.join(', ')}: see the line of PAST for ${path}`)
    for (const { statement, scans } of plans) assert.deepEqual(scans, [], `reads from end to end: ${statement}`)
  }
})
