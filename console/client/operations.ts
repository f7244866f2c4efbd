/** Written by console/build/generate.ts from the list of operations: not by hand. */

export type Nothing = Record<never, never>

export type Permission =
  | 'keys:read'
  | 'keys:write'
  | 'organisation:read'
  | 'organisation:write'
  | 'employees:read'
  | 'employees:write'
  | 'directory:read'
  | 'directory:write'
  | 'skills:read'
  | 'skills:write'
  | 'external_users:read'
  | 'external_users:write'
  | 'teams:read'
  | 'teams:write'
  | 'recruitment:read'
  | 'recruitment:write'
  | 'recruitment:hire'
  | 'tasks:read'
  | 'tasks:write'
  | 'performance:read'
  | 'performance:write'
  | 'time:read'
  | 'time:enter'
  | 'time:approve'
  | 'time:write'
  | 'leave:read'
  | 'leave:request'
  | 'leave:approve'
  | 'leave:write'
  | 'calendar:read'
  | 'calendar:write'
  | 'audits:read'
  | 'audits:write'
  | 'assets:read'
  | 'assets:write'
  | 'knowledge:read'
  | 'knowledge:write'
  | 'reviews:read'
  | 'reviews:write'
  | 'review_answers:read'
  | 'review_answers:write'
  | 'users:read'
  | 'users:write'
  | 'reports:read'
  | 'reports:write'

export interface Absence { from: string; to: string; days: number; rate: number | null; list: string; types: AbsenceOfType[]; months: AbsenceOfMonth[] }
export interface AbsenceOfMonth { month: string; starts_on: string; ends_on: string; days: number; rate: number | null; list: string; types: AbsenceOfTypeInMonth[] }
export interface AbsenceOfType { id: number; name: string; days: number; list: string }
export interface AbsenceOfTypeInMonth { id: number; name: string; days: number; list: string; people: number }
export interface AccountName { id: number; name: string }
export interface Actor { kind: "key" | "person" | "command_line" | "anybody" | "system"; id: number | null; name: string | null; employee_id: number | null }
export interface AddPasskey { ticket: string; name: string; response: Record<string, unknown> }
export interface AddReviews { employee_ids?: number[]; department_id?: number; with_reports?: boolean }
export interface AddTeamMember { user_id: number }
export interface AddedReview { employee_id: number; review_id: number }
export interface AdditionalCompensation { id: number; type?: "fixed" | "reoccurring"; description?: string; amount?: string; currency_code?: string; starts_on: string; announced_on: string | null; ends_on: string | null; frequency?: "daily" | "monthly" | "quarterly" | "half_yearly" | "yearly" | null; compensation_type?: CompensationTypeName; created_at: string; updated_at: string }
export interface ApiKey { id: number; name: string; hint: string; permissions: ("*" | "keys:*" | "keys:read" | "keys:write" | "organisation:*" | "organisation:read" | "organisation:write" | "employees:*" | "employees:read" | "employees:write" | "directory:*" | "directory:read" | "directory:write" | "skills:*" | "skills:read" | "skills:write" | "external_users:*" | "external_users:read" | "external_users:write" | "teams:*" | "teams:read" | "teams:write" | "recruitment:*" | "recruitment:read" | "recruitment:write" | "recruitment:hire" | "tasks:*" | "tasks:read" | "tasks:write" | "performance:*" | "performance:read" | "performance:write" | "time:*" | "time:read" | "time:enter" | "time:approve" | "time:write" | "leave:*" | "leave:read" | "leave:request" | "leave:approve" | "leave:write" | "calendar:*" | "calendar:read" | "calendar:write" | "audits:*" | "audits:read" | "audits:write" | "assets:*" | "assets:read" | "assets:write" | "knowledge:*" | "knowledge:read" | "knowledge:write" | "reviews:*" | "reviews:read" | "reviews:write" | "review_answers:*" | "review_answers:read" | "review_answers:write" | "users:*" | "users:read" | "users:write" | "reports:*" | "reports:read" | "reports:write")[]; withheld: ("compensation" | "personal" | "notes" | "planned")[]; parent_id: number | null; made_by_user_id: number | null; employee_id: number | null; expires_at: string | null; revoked_at: string | null; roles: RoleName[]; last_used_at: string | null; created_at: string; updated_at: string }
export interface Applicant { id: number; full_name: string; email: string | null; phone_numbers: string[] }
export interface Application { id: number; applicant: Applicant; candidate_id: number; pipeline_state: PipelineStageName; hired_at: string | null; employee_id: number | null; disqualified_at: string | null; disqualify_reason: DisqualifyReasonName | null; disqualify_comment?: string | null; created_at: string; updated_at: string }
export interface Approval { state: "pending" | "approved" | "rejected" | "withdrawn"; assigned_to: PersonName | null }
export interface ApproveTimesheetEntries { timesheet_entry_ids: number[] }
export interface AskForPasskey { ticket?: string }
export interface AskForReset { email: string }
export interface Asset { id: number; name: string; code: string; serial_number: string | null; description: string; location_id: number; asset_category_id: number; retired_on: string | null; state: "available" | "assigned" | "lost" | "retired"; holder: PersonCard | null; assignment: AssetAssignment | null; loss: AssetLoss | null; asset_assignments: AssetAssignment[]; created_at: string; updated_at: string }
export interface AssetAssignment { id: number; asset_id: number; user: PersonCard; user_id: number; issued_on: string; returned_on: string | null; created_at: string; updated_at: string }
export interface AssetCategory { id: number; name: string; icon: "fas fa-laptop" | "fas fa-desktop" | "far fa-mobile" | "far fa-tv" | "far fa-tablet" | "far fa-watch-smart" | "far fa-print" | "far fa-chair-office" | "far fa-laptop-mobile"; created_at: string; updated_at: string }
export interface AssetLoss { id: number; lost_on: string; found_on: string | null; note?: string; created_at: string; updated_at: string }
export interface AssignProjectUsers { employee_ids: number[] }
export interface AssociatedTo { id: number; type: "Employee" | "Candidate"; full_name: string; email: string | null }
export interface Audit { id: string; number: number; event: "create" | "update" | "delete" | "erase"; record_type: string; record_id: number; name: string | null; fields: string[]; operation: string; request_id: string; correlation_id: string; created_at: string; actor: Actor; employee: EmployeeRow | null }
export interface BulkCreateTimesheetEntries { data: { employee_id: number; entries: Record<string, unknown>[] }[] }
export interface BulkDeleteTimesheetEntries { employee_ids: number[]; starts_at?: string; ends_at?: string; timesheet_entry_ids?: number[]; type?: "working" | "break" }
export interface BulkError { index: number; id: unknown; messages: string[]; errors: { field: string; code: string; message: string }[] }
export interface BulkUpdateEmployees { data: unknown[]; effective_from?: string; announced_on?: string; unchanged_since?: number }
export interface CalendarEvent { starts_on: string; ends_on: string; type: "leave_request" | "holiday" | "birthday" | "anniversary" | "first_day"; title: string; data: Record<string, unknown>; user_id: number | null; first_name: string | null; last_name: string | null }
export interface CalendarFeed { url: string }
export interface Candidate { id: number; full_name: string; email: string | null; phone_numbers: string[]; cover_letter: string; date_of_birth?: string | null; gender?: string | null; position: string | null; location: string | null; level: string | null; urls: string[]; telegram_username: string | null; skype_username: string | null; last_contacted_at: string | null; desired_salary?: number | null; currency_code: string | null; source: string | null; source_record: SourceName | null; languages: CandidateLanguage[]; skills: string[]; tags: string[]; resume: boolean; resume_url: string | null; created_by: PersonShort | null; employee_id: number | null; applications: CandidateApplication[]; custom_fields: CandidateCustomField[]; merged_ids: number[]; consent: Consent; future_recruitment_consent: Consent; created_at: string; updated_at: string }
export interface CandidateApplication { id: number; disqualified_at: string | null; vacancy: VacancyTitle; created_at: string; updated_at: string; pipeline_state: PipelineStageName; disqualify_reason: DisqualifyReasonName | null }
export interface CandidateCustomField { candidate_field_id: number; name: string; internal_name: string; value: unknown }
export interface CandidateDocument { id: number; filename: string; url: string; expires_at: string; created_at: string; updated_at: string }
export interface CandidateDuplicate { candidate: Candidate; same: string[] }
export interface CandidateEducation { id: number; school: string; name: string; from_year: number; to_year: number | null; subject: string | null; description: string | null; created_at: string; updated_at: string }
export interface CandidateExperience { id: number; title: string; company: string; starts_on: string; ends_on: string | null; location: string | null; description: string | null; created_at: string; updated_at: string }
export interface CandidateField { id: number; name: string; internal_name: string; type: "text" | "number" | "date" | "boolean" | "single_select" | "multi_select" | "employee"; protection: "compensation" | "personal" | "notes" | null; options: { id: number; value: string }[]; created_at: string; updated_at: string }
export interface CandidateFieldOption { id: number; value: string }
export interface CandidateLanguage { id: number; code: string; level: "a1" | "a2" | "b1" | "b2" | "c1" | "c2" | "native" | null }
export interface CandidateMerge { id: number; merged_candidate_id: number; full_name: string; email: string | null; date_of_birth?: string | null; gender?: string | null; desired_salary?: number | null; currency_code: string | null; merged_by: PersonShort | null; created_at: string; updated_at: string }
export interface CandidateNote { id: number; comment: string; created_by: PersonShort | null; created_at: string; updated_at: string }
export interface CareersApplication { full_name?: string | null; first_name?: string | null; last_name?: string | null; email: string; phone?: string | null; cover_letter?: string | null; urls?: string[]; resume?: string | Blob; consent?: boolean; future_recruitment_consent?: boolean; account?: number; contact_me_by_fax_only?: string | null }
export interface CareersCompany { name: string; heading: string | null; introduction: string | null; color: string | null; logo: string | null; consent_required: boolean }
export interface CareersReceipt { status: string }
export type CareersSalary = { minimum: number | null; maximum: number | null; currency_code: string } | null
export interface CareersVacancy { id: number; title: string; description: string; description_plain: string; positions: number; department: DepartmentName; location: LocationName; employment_type: EmploymentTypeName; division: DivisionName | null; job_level: JobLevelName | null; skills: string[]; salary: CareersSalary; opened_at: string | null }
export interface Certification { id: number; name: string; issuer: string; issued_on: string | null; expires: boolean; expires_on: string | null; url: string | null; attachment_url: string | null; attachment_expires_at: string | null; created_at: string; updated_at: string }
export interface Change { number: number; resource: string; record_id: number; action: "create" | "update" | "delete" | "erase"; fields: string[]; before: Record<string, unknown> | null; after: Record<string, unknown> | null; omitted: string[]; owner: { resource?: string; id?: number } | null; actor: Actor; operation: string; request_id: string; correlation_id: string; changed_at: string }
export interface ChangeOwnPassword { password: string; current_password?: string | null }
export interface Changes { data: Change[]; metadata: FeedPosition }
export interface Clock { id: number; employee_id: number; starts_at: string; type: "working" | "break"; project_id: number | null; comment: string; created_at: string; updated_at: string }
export interface ClockIn { employee_id?: number; starts_at?: string; type?: "working" | "break"; project_id?: number | null; comment?: string; switch?: boolean }
export interface ClockOut { employee_id?: number; ends_at?: string; project_id?: number | null; comment?: string }
export interface ColumnOfEmployeeTable { id: number; name: string; internal_name: string; type: "text" | "number" | "date" | "boolean" | "single_select" | "multi_select" | "employee"; protection: "compensation" | "personal" | "notes" | null; options?: { id: number; value: string }[] }
export interface Company { id: number; name: string; time_zone: string; currency_code: string; created_at: string; updated_at: string }
export interface CompensationType { id: number; name: string; created_at: string; updated_at: string }
export interface CompensationTypeName { id: number; name: string }
export interface Competency { id: number; name: string; description: string; type: "core" | "functional" | "leadership"; levels: CompetencyLevel[]; created_at: string; updated_at: string }
export interface CompetencyLevel { id: number; level: number | null; name: string; description: string }
export interface ConfirmOneself { password?: string; code?: string; ticket?: string; response?: Record<string, unknown> }
export interface ConfirmTotp { code: string }
export interface Consent { status: "none" | "pending" | "consented" | "rejected" | "expired"; consented_at: string | null; rejected_at: string | null; expired_at: string | null }
export interface CreateAdditionalCompensation { type: "fixed" | "reoccurring"; description?: string | null; amount: string; currency_code: string; starts_on: string; announced_on?: string | null; ends_on?: string | null; frequency?: "daily" | "monthly" | "quarterly" | "half_yearly" | "yearly" | null; compensation_type_id: number }
export interface CreateApiKey { name: string; permissions: ("*" | "keys:*" | "keys:read" | "keys:write" | "organisation:*" | "organisation:read" | "organisation:write" | "employees:*" | "employees:read" | "employees:write" | "directory:*" | "directory:read" | "directory:write" | "skills:*" | "skills:read" | "skills:write" | "external_users:*" | "external_users:read" | "external_users:write" | "teams:*" | "teams:read" | "teams:write" | "recruitment:*" | "recruitment:read" | "recruitment:write" | "recruitment:hire" | "tasks:*" | "tasks:read" | "tasks:write" | "performance:*" | "performance:read" | "performance:write" | "time:*" | "time:read" | "time:enter" | "time:approve" | "time:write" | "leave:*" | "leave:read" | "leave:request" | "leave:approve" | "leave:write" | "calendar:*" | "calendar:read" | "calendar:write" | "audits:*" | "audits:read" | "audits:write" | "assets:*" | "assets:read" | "assets:write" | "knowledge:*" | "knowledge:read" | "knowledge:write" | "reviews:*" | "reviews:read" | "reviews:write" | "review_answers:*" | "review_answers:read" | "review_answers:write" | "users:*" | "users:read" | "users:write" | "reports:*" | "reports:read" | "reports:write")[]; withheld?: ("compensation" | "personal" | "notes" | "planned")[] | null; employee_id?: number | null; expires_at?: string | null; role_ids?: number[] }
export interface CreateApplication { applicant_id?: number | null; candidate_id?: number | null; applicant_state_id?: number; pipeline_stage_id?: number; disqualify_reason_id?: number | null; disqualified_at?: string | null }
export interface CreateArticleOfCategory { title: string; body?: string | null; body_html?: string | null; position?: number | null; state?: "draft" | "published" }
export interface CreateAsset { name: string; code: string; serial_number?: string | null; description?: string | null; location_id: number; asset_category_id: number; retired_on?: string | null }
export interface CreateAssetAssignment { asset_id: number; user_id: number; issued_on: string; returned_on?: string | null }
export interface CreateAssetCategory { name: string; icon: "fas fa-laptop" | "fas fa-desktop" | "far fa-mobile" | "far fa-tv" | "far fa-tablet" | "far fa-watch-smart" | "far fa-print" | "far fa-chair-office" | "far fa-laptop-mobile" }
export interface CreateAssetLoss { lost_on: string; found_on?: string | null; note?: string | null }
export interface CreateCandidate { full_name: string; email?: string | null; phone_numbers?: string[] | null; cover_letter?: string | null; date_of_birth?: string | null; gender?: string | number | null; position?: string | null; location?: string | null; level?: string | null; urls?: string[] | null; telegram_username?: string | null; skype_username?: string | null; last_contacted_at?: string | null; desired_salary?: number | null; currency_code?: string | null; source_id?: number | null; languages?: ({ code: string; level?: string | null })[]; consent?: { status?: "none" | "pending" | "consented" | "rejected" | "expired"; consented_at?: string | null; rejected_at?: string | null; expired_at?: string | null } | null; future_recruitment_consent?: { status?: "none" | "pending" | "consented" | "rejected" | "expired"; consented_at?: string | null; rejected_at?: string | null; expired_at?: string | null } | null; consented_at?: string | null; rejected_at?: string | null; expired_at?: string | null; skills?: string[]; tags?: string[]; resume?: string | Blob; fields?: Record<string, unknown>; source?: string | null; vacancy_id?: number | null }
export interface CreateCandidateDocument { filename?: string; attachment?: string | Blob }
export interface CreateCandidateEducation { school: string; name: string; from_year: number; to_year?: number | null; subject?: string | null; description?: string | null }
export interface CreateCandidateExperience { title: string; company: string; starts_on: string; ends_on?: string | null; location?: string | null; description?: string | null }
export interface CreateCandidateField { name: string; type: "text" | "number" | "date" | "boolean" | "single_select" | "multi_select" | "employee"; protection?: "compensation" | "personal" | "notes" | null; options?: string[] }
export interface CreateCandidateFieldOption { value: string }
export interface CreateCandidateNote { comment: string }
export interface CreateCertification { name: string; issuer: string; issued_on?: string | null; expires?: boolean | null; expires_on?: string | null; url?: string | null; attachment?: string | Blob }
export interface CreateCompensationType { name: string }
export interface CreateCompetency { name: string; description?: string | null; type?: "core" | "functional" | "leadership"; levels?: Record<string, unknown>[] }
export interface CreateDepartment { name: string; parent_id?: number | null; manager_id?: number | null; department_level_id?: number | null }
export interface CreateDepartmentLevel { name: string }
export interface CreateDependent { first_name: string; last_name: string; relationship?: string | null; date_of_birth?: string | null; gender?: "male" | "female" | "other" | null }
export interface CreateDisqualifyReason { name: string }
export interface CreateDivision { name: string }
export interface CreateDocumentFolder { name: string; description?: string | null; protection?: "compensation" | "personal" | "notes" | null }
export interface CreateEmergencyContact { name: string; relationship?: string | null; email?: string | null; work_phone_number?: string | null; home_phone_number?: string | null; mobile_phone_number?: string | null }
export interface CreateEmployee { access?: boolean | null; employee_number?: string | null; first_name: string; middle_name?: string | null; last_name: string; email?: string | null; personal_email?: string | null; mobile_number?: string | null; home_phone_number?: string | null; work_phone_number?: string | null; slack_username?: string | null; linkedin_url?: string | null; skype_username?: string | null; twitter_username?: string | null; facebook_url?: string | null; date_of_birth?: string | null; probation_ends_on?: string | null; hired_on?: string | null; gender_id?: number | null; position_id?: number | null; job_level_id?: number | null; location_id?: number | null; division_id?: number | null; department_id?: number | null; job_profile_id?: number | null; legal_entity_id?: number | null; employment_type_id?: number | null; working_pattern_id?: number | null; probation_policy_id?: number | null; reporting_to_id?: number | null; gender?: string | null; fields?: Record<string, unknown> }
export interface CreateEmployeeDocument { name: string; document_folder_id: number; url?: string; document?: string | Blob }
export interface CreateEmployeeEducation { school: string; degree: string; from_year?: string | null; to_year?: string | null; grade?: string | null }
export interface CreateEmployeeField { name: string; type: "text" | "number" | "date" | "boolean" | "single_select" | "multi_select" | "employee"; protection?: "compensation" | "personal" | "notes" | null; group_id?: number; historical?: boolean | null; options?: string[] }
export interface CreateEmployeeFieldGroup { name: string }
export interface CreateEmployeeFieldHistory { employee_field_internal_name: string; effective_on: string; value?: unknown }
export interface CreateEmployeeFieldOption { value: string }
export interface CreateEmployeeJobProfile { job_profile_id: number; effective_from: string }
export interface CreateEmployeeLeaveType { leave_type_id: number; leave_type_policy_id: number; effective_on?: string; ends_on?: string | null }
export interface CreateEmployeeNote { body: string; created_by_id?: number | null; shared_with_employee?: boolean | null }
export interface CreateEmployeePosition { effective_from: string; announced_on?: string | null; position_id?: number | null; job_level_id?: number | null; location_id?: number | null; division_id?: number | null; department_id?: number | null; job_profile_id?: number | null; legal_entity_id?: number | null; reporting_to_id?: number | null }
export interface CreateEmployeeSkill { level: "interested" | "basic" | "proficient" | "expert"; skill_id: number }
export interface CreateEmployeeTable { name: string; description?: string | null; group_id?: number; protection?: "compensation" | "personal" | "notes" | null; internal_name?: string | null }
export interface CreateEmployeeTableColumn { name: string; type: "text" | "number" | "date" | "boolean" | "single_select" | "multi_select" | "employee"; protection?: "compensation" | "personal" | "notes" | null; options?: string[] }
export interface CreateEmployeeTableColumnOption { value: string }
export interface CreateEmployeeTableRow { columns?: Record<string, unknown> }
export interface CreateEmploymentStatus { effective_from: string; announced_on?: string | null; employment_type_id?: number | null; working_pattern_id?: number | null; probation_policy_id?: number | null; comment?: string | null }
export interface CreateEmploymentType { name: string }
export interface CreateExternalUser { active?: boolean; access?: boolean; first_name: string; last_name: string; email: string; role?: "external_recruiter" | "external_interviewer" | "external_consultant"; role_id?: 1 | 2 | 3 }
export interface CreateGender { name: string }
export interface CreateHoliday { holiday_policy_id: number; region_code?: string | null; name: string; occurs_on?: string; ends_on?: string | null; half_day?: boolean | null; working?: boolean | null; observed_on?: string | null; compensated_on?: string | null; starts_on?: string }
export interface CreateHolidayPolicy { name: string; country_code: string; region_code?: string | null }
export interface CreateIdentityProvider { name: string; issuer: string; client_id: string; scopes?: string; enabled?: boolean; compulsory?: boolean; makes_users?: boolean; trusts_email?: boolean; client_secret?: string }
export interface CreateJobGroup { name: string; description?: string | null }
export interface CreateJobLevel { name: string }
export interface CreateJobProfile { name: string; job_group_id?: number | null }
export interface CreateKeyPerformanceIndicator { title: string; description?: string | null; weight?: number | null; currency_code?: string | null; metric: "percentage" | "number" | "currency"; kpi_type: "individual" | "department" | "location" | "division" | "company"; starts_on?: string | null; ends_on?: string | null; start_value?: string | null; target_value?: string | null; location_id?: number | null; division_id?: number | null; department_id?: number | null; user_id?: number | null; status?: "none" | "on_track" | "behind" | "at_risk" | null }
export interface CreateKeyPerformanceIndicatorResult { value: string; occurred_on?: string; comment?: string | null }
export interface CreateKnowledgeBaseArticle { title: string; body?: string | null; body_html?: string | null; position?: number | null; state?: "draft" | "published"; category_id: number }
export interface CreateKnowledgeBaseCategory { name: string; description?: string | null; css_class?: string | null; emoji?: string | null; hex_color?: string | null; position?: number | null }
export interface CreateLeaveAdjustment { employee_id: number; leave_type_id: number; occurred_on: string; amount: string; description?: string | null; on_demand?: boolean | null }
export interface CreateLeaveAttachment { filename?: string; attachment?: string | Blob }
export interface CreateLeavePolicy { name: string; leave_type_id: number; type?: "accrual" | "manual" | "external" | null; visibility?: boolean | null; activity_type?: "not_working_paid" | "not_working_unpaid" | "working_paid" | null; counted_as?: "working_days" | "calendar_days" | null; yearly_amount?: string | null; part_time?: "same" | "by_hours" | "by_days" | null; full_time_hours?: string | null; full_time_days?: string | null; tenure_steps?: { years: number; yearly_amount: string }[] | null; tenure_steps_from?: "anniversary" | "start_of_month" | "start_of_year" | null; credit?: "monthly" | "yearly" | null; credit_at?: "start_of_period" | "end_of_period" | null; proration?: "started_months" | "full_months" | "half_months" | "fifteen_days" | "by_day" | null; rounding?: "none" | "up" | "down" | "nearest" | null; rounding_step?: string | null; carry_over_until?: string | null; carry_over_months?: number | null; maximum_balance?: string | null; carry_over_limit?: string | null; floor?: string | null }
export interface CreateLeavePolicyTerm { effective_from: string; activity_type?: "not_working_paid" | "not_working_unpaid" | "working_paid" | null; counted_as?: "working_days" | "calendar_days" | null; yearly_amount?: string | null; part_time?: "same" | "by_hours" | "by_days" | null; full_time_hours?: string | null; full_time_days?: string | null; tenure_steps?: { years: number; yearly_amount: string }[] | null; tenure_steps_from?: "anniversary" | "start_of_month" | "start_of_year" | null; credit?: "monthly" | "yearly" | null; credit_at?: "start_of_period" | "end_of_period" | null; proration?: "started_months" | "full_months" | "half_months" | "fifteen_days" | "by_day" | null; rounding?: "none" | "up" | "down" | "nearest" | null; rounding_step?: string | null; carry_over_until?: string | null; carry_over_months?: number | null; maximum_balance?: string | null; carry_over_limit?: string | null; floor?: string | null }
export interface CreateLeaveRequest { employee_id: number; leave_type_id: number; starts_on: string; ends_on: string; on_demand?: boolean | null; comment?: string | null; description?: string | null; leave_request_entries?: { occurs_on: string; amount: string }[]; attachment?: string | Blob; attachments?: (string | Blob)[]; skip_approval?: boolean }
export interface CreateLeaveType { name: string; unit?: "days" | "hours" | null; hex_color?: string | null; fa_class?: string | null }
export interface CreateLegalEntity { name: string }
export interface CreateLocation { name: string; address?: string | null; country_code?: string | null; region_code?: string | null; time_zone?: string | null; holiday_policy_id?: number | null }
export interface CreateObjective { title: string; description?: string | null; starts_on?: string | null; ends_on?: string | null; owner_id?: number | null; key_results?: Record<string, unknown>[] }
export interface CreateOvertimeRequest { employee_id: number; date?: string; minutes?: number; starts_at?: string | null; ends_at?: string | null; comment?: string | null }
export interface CreatePaySchedule { name: string }
export interface CreatePipeline { name: string; stages?: (string | { name?: string; type?: "new" | "in_progress" | "hired" })[] }
export interface CreatePipelineStage { name: string; position?: number | null; type?: "new" | "in_progress" | "hired" }
export interface CreatePosition { name: string }
export interface CreateProbationPolicy { name: string; length: number; length_unit?: "days" | "weeks" | "months" | null }
export interface CreateProject { name: string; emoji?: string | null }
export interface CreateRecruitmentTag { name: string }
export interface CreateReview { employee_id: number; with_reports?: boolean }
export interface CreateReviewAnswer { review_participant_id?: number; review_question_id: number; text?: string | null; comment?: string | null; rating?: number | null; option?: string | null }
export interface CreateReviewCycle { name: string; description?: string | null; starts_on: string; ends_on: string; deadline_on?: string | null; review_period_starts_on?: string | null; review_period_ends_on?: string | null }
export interface CreateReviewParticipant { employee_id: number; type: "self" | "manager" | "peer" | "report" | "ReviewParticipantSelf" | "ReviewParticipantManager" | "ReviewParticipantPeer" | "ReviewParticipantReport"; state?: "pending" | "approved" | "started" | "revising" | "rejected" | "submitted" }
export interface CreateReviewQuestion { type: "text" | "scale" | "choice" | "ReviewTemplateQuestionText" | "ReviewTemplateQuestionScale" | "ReviewTemplateQuestionChoice"; title: string; title_self?: string | null; title_manager?: string | null; competency_id?: number | null; options?: string[] | null; scale_min?: number | null; scale_max?: number | null; position?: number | null; required?: boolean; participant_types?: ("self" | "manager" | "peer" | "report")[] | null }
export interface CreateRole { name: string; description?: string | null; grants?: Record<string, unknown>[] }
export interface CreateSalary { effective_on: string; announced_on?: string | null; amount: string; currency_code: string; per: "hour" | "day" | "week" | "month" | "year"; overtime?: boolean | null; comment?: string | null; pay_schedule_id?: number | null }
export interface CreateSkill { name: string }
export interface CreateSource { name: string }
export interface CreateTask { type?: "general" | "onboarding" | "offboarding" | null; name: string; starts_on?: string; ends_on?: string | null; description?: string | null; employee_id: number; associated_to_id?: number | null; associated_to_type?: "Employee" | "Candidate" | null; associated_to?: { id: number; type: "Employee" | "Candidate" } | null }
export interface CreateTeam { name: string; description?: string | null; team_lead_id: number; user_ids?: number[] }
export interface CreateTerminationReason { name: string }
export interface CreateTerminationType { name: string }
export interface CreateTimesheetEntry { employee_id: number; starts_at: string; ends_at: string; type?: "working" | "break" | null; project_id?: number | null; comment?: string | null; status?: "unsubmitted" | "pending" | "approved" | "rejected" | null }
export interface CreateUser { email?: string; name?: string; employee_id?: number | null; locale?: string | null; role_ids?: number[] }
export interface CreateVacancy { title: string; description: string; state?: "drafting" | "opened" | "held" | "closed" | "cancelled" | "archived"; priority?: "low" | "medium" | "high"; starts_on?: string | null; ends_on?: string | null; positions?: number; currency_code?: string | null; post_on_careers?: boolean; salary_on_careers?: boolean; position_id?: number | null; job_level_id?: number | null; division_id?: number | null; employment_type_id: number; department_id: number; location_id: number; legal_entity_id?: number | null; recruitment_pipeline_id: number; hiring_lead_user_id: number; min_salary?: number | null; max_salary?: number | null; collaborator_ids?: number[]; tags?: string[]; skills?: string[]; fields?: Record<string, unknown> }
export interface CreateVacancyField { name: string; type: "text" | "number" | "date" | "boolean" | "single_select" | "multi_select" | "employee"; protection?: "compensation" | "personal" | "notes" | null; options?: string[] }
export interface CreateVacancyFieldOption { value: string }
export interface CreateWorkingPattern { name: string; monday_hours?: string | null; tuesday_hours?: string | null; wednesday_hours?: string | null; thursday_hours?: string | null; friday_hours?: string | null; saturday_hours?: string | null; sunday_hours?: string | null }
export type CustomFields = Record<string, unknown>
export interface Department { id: number; name: string; parent_id: number | null; manager_id: number | null; department_level: DepartmentLevel | null; fields: Record<string, unknown>; created_at: string; updated_at: string }
export interface DepartmentLevel { id: number; name: string; created_at: string; updated_at: string }
export interface DepartmentName { id: number; name: string }
export interface Dependent { id: number; first_name?: string; last_name?: string; relationship?: string | null; date_of_birth?: string | null; gender?: "male" | "female" | "other" | null; created_at: string; updated_at: string }
export type DirectoryAbsence = { until: string } | null
export interface DirectoryCard { id: number; full_name: string; first_name: string; middle_name: string | null; last_name: string; avatar_url: string; email: string | null; work_phone_number: string | null; hired_on: string | null; position: DirectoryPosition; department: DirectoryDepartment; location: DirectoryLocation; division: DirectoryDivision; manager: DirectoryManager; time_zone: string; away: DirectoryAbsence }
export type DirectoryDepartment = { id: number; name: string } | null
export type DirectoryDivision = { id: number; name: string } | null
export type DirectoryLocation = { id: number; name: string } | null
export type DirectoryManager = { id: number; full_name: string; email: string | null } | null
export type DirectoryPosition = { id: number; name: string } | null
export interface DisqualifyApplication { disqualify_reason_id?: number; comment?: string | null }
export interface DisqualifyApplications { application_ids: number[]; disqualify_reason_id?: number; comment?: string | null }
export interface DisqualifyReason { id: number; name: string; created_at: string; updated_at: string }
export interface DisqualifyReasonName { id: number; name: string }
export interface Division { id: number; name: string; created_at: string; updated_at: string }
export interface DivisionName { id: number; name: string }
export interface DocumentFolder { id: number; name: string; description: string | null; protection: "compensation" | "personal" | "notes" | null; created_at: string; updated_at: string }
export interface DueForErasure { kind: "candidates" | "employees"; id: number; full_name: string; due_on: string; reason: "left" | "application_closed" | "last_changed" | "consent_ended"; reason_on: string }
export interface EmergencyContact { id: number; name?: string; relationship?: string | null; email?: string | null; work_phone_number?: string | null; home_phone_number?: string | null; mobile_phone_number?: string | null; created_at: string; updated_at: string }
export interface Employee { id: number; status: "hired" | "probation" | "employed" | "terminated"; active: boolean; access: boolean; employee_number: string | null; full_name: string; first_name: string; middle_name: string | null; last_name: string; avatar_url: string; email: string | null; personal_email?: string | null; mobile_number?: string | null; home_phone_number?: string | null; work_phone_number: string | null; slack_username: string | null; linkedin_url: string | null; skype_username: string | null; twitter_username?: string | null; facebook_url?: string | null; date_of_birth?: string | null; probation_ends_on: string | null; hired_on: string | null; gender?: GenderName | null; position: Position | null; job_level: JobLevel | null; location: Location | null; division: Division | null; department: Department | null; job_profile: JobProfile | null; legal_entity: LegalEntityName | null; employment_type: EmploymentType | null; working_pattern: WorkingPattern | null; reporting_to: PersonShort | null; termination_effective_on: string | null; termination_announced_on: string | null; termination_comment?: string | null; termination_eligible_for_rehire?: boolean | null; termination_type?: TerminationTypeName | null; termination_reason?: TerminationReasonName | null; fields: CustomFields; custom_fields: CustomFields; direct_reports: PersonShort[] | null; salary?: Salary | null; created_at: string; updated_at: string }
export interface EmployeeDocument { id: number; name: string; type: "link" | "file"; url: string; expires_at: string | null; document_folder: FolderOfDocument; document_folder_id: number; created_at: string; updated_at: string }
export interface EmployeeEducation { id: number; school: string; degree: string; from_year: string | null; to_year: string | null; grade: string | null; created_at: string; updated_at: string }
export interface EmployeeField { id: number; name: string; internal_name: string; type: "text" | "number" | "date" | "boolean" | "single_select" | "multi_select" | "employee"; protection: "compensation" | "personal" | "notes" | null; group: EmployeeFieldGroupName; historical: boolean; options: { id: number; value: string }[]; created_at: string; updated_at: string }
export interface EmployeeFieldGroup { id: number; name: string; created_at: string; updated_at: string }
export interface EmployeeFieldGroupName { id: number; name: string }
export interface EmployeeFieldHistory { id: number; effective_on: string; employee_field_id: number; employee_field_internal_name: string; value: unknown; created_at: string; updated_at: string }
export interface EmployeeFieldOption { id: number; value: string }
export interface EmployeeHoliday { id: number; holiday_policy_id: number; region_code: string | null; name: string; occurs_on: string; starts_on: string; ends_on: string | null; half_day: boolean; working: boolean; observed_on: string | null; compensated_on: string | null; generated: boolean; created_at: string | null; updated_at: string | null }
export interface EmployeeJobProfile { id: number; effective_from: string; effective_to: string | null; job_profile: JobProfile }
export interface EmployeeLeaveType { id: number; leave_type: LeaveType; leave_type_policy: LeavePolicy; effective_on: string; ends_on: string | null; balance: number; on_demand_balance: number; this_year: LeaveFigures; created_at: string; updated_at: string }
export interface EmployeeNote { id: number; body: string; created_by: PersonShort | null; shared_with_employee: boolean; created_at: string; updated_at: string }
export interface EmployeePosition { id: number; effective_from: string; effective_on: string; announced_on: string | null; position: Position | null; job_level: JobLevel | null; location: Location | null; division: Division | null; department: Department | null; job_profile: JobProfile | null; legal_entity: LegalEntityName | null; reporting_to: PersonShort | null; created_at: string; updated_at: string }
export interface EmployeeRow { id: number; status: "hired" | "probation" | "employed" | "terminated"; active: boolean; access: boolean; employee_number: string | null; full_name: string; first_name: string; middle_name: string | null; last_name: string; avatar_url: string; email: string | null; personal_email?: string | null; mobile_number?: string | null; home_phone_number?: string | null; work_phone_number: string | null; slack_username: string | null; linkedin_url: string | null; skype_username: string | null; twitter_username?: string | null; facebook_url?: string | null; date_of_birth?: string | null; probation_ends_on: string | null; hired_on: string | null; gender?: GenderName | null; position: Position | null; job_level: JobLevel | null; location: Location | null; division: Division | null; department: Department | null; job_profile: JobProfile | null; legal_entity: LegalEntityName | null; employment_type: EmploymentType | null; working_pattern: WorkingPattern | null; reporting_to: PersonShort | null; termination_effective_on: string | null; termination_announced_on: string | null; termination_comment?: string | null; termination_eligible_for_rehire?: boolean | null; termination_type?: TerminationTypeName | null; termination_reason?: TerminationReasonName | null; fields: CustomFields; custom_fields: CustomFields; salary?: Salary | null; created_at: string; updated_at: string }
export interface EmployeeSkill { id: number; level: "interested" | "basic" | "proficient" | "expert"; skill: SkillName; created_at: string; updated_at: string }
export interface EmployeeTable { id: number; name: string; internal_name: string; description: string; group: EmployeeFieldGroupName; protection: "compensation" | "personal" | "notes" | null; columns: ColumnOfEmployeeTable[]; created_at: string; updated_at: string }
export type EmployeeTableCells = Record<string, unknown>
export interface EmployeeTableColumn { id: number; name: string; internal_name: string; type: "text" | "number" | "date" | "boolean" | "single_select" | "multi_select" | "employee"; protection: "compensation" | "personal" | "notes" | null; options?: { id: number; value: string }[]; created_at: string; updated_at: string }
export interface EmployeeTableColumnOption { id: number; value: string }
export interface EmployeeTableName { id: number; name: string }
export interface EmployeeTableRow { id: number; table: EmployeeTableName; columns: EmployeeTableCells; created_at: string; updated_at: string }
export interface EmployeeTableRowOfEmployee { id: number; employee: PersonCard; columns: EmployeeTableCells; created_at: string; updated_at: string }
export interface EmployeeTableWithRows { id: number; internal_name: string; name: string; description: string; rows: RowOfEmployeeTable[] }
export interface EmploymentStatus { id: number; effective_from: string; effective_on: string; announced_on: string | null; employment_type: EmploymentType | null; working_pattern: WorkingPattern | null; probation_policy: ProbationPolicy | null; comment?: string; created_at: string; updated_at: string }
export interface EmploymentType { id: number; name: string; created_at: string; updated_at: string }
export interface EmploymentTypeName { id: number; name: string }
export interface EraseDue { kind: "candidates" | "employees"; ids: number[] }
export interface Erased { id: number }
export interface ErasurePart { what: string; as: string; count: number; why?: string; reason?: "statistics" | "required" | "cleared" | "ledger" }
export interface ErasurePreview { goes: ErasurePart[]; stays: ErasurePart[] }
export interface ExternalUser { id: number; active: boolean; access: boolean; first_name: string; last_name: string; full_name: string; email: string; role: ExternalUserRole; created_at: string; updated_at: string }
export interface ExternalUserRole { id: number; name: string; value: "external_recruiter" | "external_interviewer" | "external_consultant" }
export interface FailedSignIns { id: number; user_id: number | null; address: string | null; attempts: number; created_at: string; updated_at: string }
export interface FeedPosition { last: number; hash: string | null; more: boolean; omitted: string[] }
export interface Figure { count: number; list: string }
export interface FigureOfGroup { id: number | null; name: string | null; count: number; list: string }
export interface FolderOfDocument { id: number; name: string; description: string | null; created_at: string; updated_at: string }
export interface Found { kind: "person" | "candidate" | "vacancy" | "article" | "task" | "team" | "asset" | "project" | "department" | "location" | "division" | "position" | "job_level" | "job_profile" | "job_group" | "employment_type" | "legal_entity" | "leave_type" | "leave_policy" | "holiday_policy" | "working_pattern" | "probation_policy" | "pipeline" | "category" | "employee_field" | "employee_table" | "candidate_field" | "vacancy_field"; id: number; title: string; subtitle: string | null; path: string }
export interface Gender { id: number; name: string; created_at: string; updated_at: string }
export interface GenderName { id: number; name: string }
export interface GivenRecords { kind: "direct_reports" | "departments" | "teams" | "vacancies" | "vacancy_collaborators" | "tasks" | "review_answers" | "overtime_approvals" | "timesheet_approvals" | "leave_approvals" | "leave_requests" | "assets" | "sign_in" | "api_keys"; ids: number[]; to_employee_id: number | null; return_to: number | null; applies_from: string; task_ids: number[] }
export interface HandOver { on?: string; assignments: ({ kind: "direct_reports" | "departments" | "teams" | "vacancies" | "vacancy_collaborators" | "tasks" | "assets"; ids?: number[]; all?: boolean; to_employee_id?: number; return_to?: number; task_name?: string; at_once?: boolean })[] }
export interface HandoverCounts { direct_reports?: number; departments?: number; teams?: number; vacancies?: number; vacancy_collaborators?: number; tasks?: number; review_answers?: number; overtime_approvals?: number; timesheet_approvals?: number; leave_approvals?: number; leave_requests?: number; assets?: number; sign_in?: number; api_keys?: number }
export interface HandoverMetadata { on: string; omitted: ("direct_reports" | "departments" | "teams" | "vacancies" | "vacancy_collaborators" | "tasks" | "review_answers" | "overtime_approvals" | "timesheet_approvals" | "leave_approvals" | "leave_requests" | "assets" | "sign_in" | "api_keys")[] }
export interface HandoverResult { on: string; given: GivenRecords[]; handover?: HandoverCounts }
export interface Headcount { from: string; to: string; headcount: Figure; months: HeadcountOfMonth[]; by_department: FigureOfGroup[]; by_location: FigureOfGroup[] }
export interface HeadcountOfMonth { month: string; starts_on: string; ends_on: string; headcount: Figure; joined: Figure; left: Figure; moved: number }
export interface HeldRecord { id: number; name: string; role: string; state: string | null; starts_on: string | null; ends_on: string | null }
export interface HeldRecords { kind: "direct_reports" | "departments" | "teams" | "vacancies" | "vacancy_collaborators" | "tasks" | "review_answers" | "overtime_approvals" | "timesheet_approvals" | "leave_approvals" | "leave_requests" | "assets" | "sign_in" | "api_keys"; total: number; can_be_given: boolean; can_be_collected: boolean; is_dated: boolean; otherwise: "stays" | "moves" | "ends"; records: HeldRecord[] }
export interface HireApplicant { hired_on?: string; first_name?: string; last_name?: string; email?: string | null; work_phone_number?: string | null; salary?: { amount?: string; currency_code?: string; per?: "hour" | "day" | "week" | "month" | "year" } | null; employee_id?: number }
export interface Hiring { application: Application; employee: Employee; vacancy_state: string }
export interface HistoryEntry { number: number; resource: string; record_id: number; action: "create" | "update" | "delete" | "erase"; fields: string[]; before: Record<string, unknown> | null; after: Record<string, unknown> | null; omitted: string[]; owner: { resource?: string; id?: number } | null; actor: Actor; operation: string; request_id: string; correlation_id: string; changed_at: string; sentence: string }
export interface Holiday { id: number; holiday_policy_id: number; region_code: string | null; name: string; occurs_on: string; starts_on: string; ends_on: string | null; half_day: boolean; working: boolean; observed_on: string | null; compensated_on: string | null; generated: boolean; created_at: string; updated_at: string }
export interface HolidayPolicy { id: number; name: string; country_code: string; region_code: string | null; created_at: string; updated_at: string }
export interface HolidayRegion { code: string; name: string; country_code: string }
export interface Identity { id: number; provider: IdentityProviderName; email: string | null; created_at: string }
export interface IdentityProvider { id: number; name: string; issuer: string; client_id: string; scopes: string; enabled: boolean; compulsory: boolean; makes_users: boolean; trusts_email: boolean; confirmed_at: string | null; redirect_uri: string; has_client_secret: boolean; created_at: string; updated_at: string }
export interface IdentityProviderName { id: number; name: string }
export interface Invitation { user: User; link: NewSignInLink }
export interface InviteUser { email?: string; name?: string; employee_id?: number | null; locale?: string | null; role_ids?: number[] }
export interface JobGroup { id: number; name: string; description: string; created_at: string; updated_at: string }
export interface JobGroupName { id: number; name: string }
export interface JobLevel { id: number; name: string; created_at: string; updated_at: string }
export interface JobLevelName { id: number; name: string }
export interface JobProfile { id: number; name: string; job_group: JobGroupName | null; created_at: string; updated_at: string }
export interface KeyPerformanceIndicator { id: number; title: string; description: string | null; weight: number | null; currency_code: string | null; metric: "percentage" | "number" | "currency"; kpi_type: "individual" | "department" | "location" | "division" | "company"; starts_on: string | null; ends_on: string | null; start_value: number | null; target_value: number | null; status: "none" | "on_track" | "behind" | "at_risk"; progress_percentage: number | null; current_value: number | null; location: Location | null; division: Division | null; department: Department | null; owner: PersonShort | null; created_at: string; updated_at: string }
export interface KeyPerformanceIndicatorResult { id: number; value: number; occurred_on: string; comment: string; key_performance_indicator: KeyPerformanceIndicator; created_at: string; updated_at: string }
export interface KeyResult { id: number; title: string; metric: "percentage" | "number" | "currency" | "boolean"; currency_code: string | null; start: number; target: number; current: number; weight: number; progress: number; status: "none" | "on_track" | "behind" | "at_risk"; created_at: string; updated_at: string }
export interface KnowledgeBaseArticle { id: number; title: string; body: string; body_html: string; position: number | null; state: "draft" | "published"; published_at: string | null; category: KnowledgeBaseCategoryName; created_by: PersonShort | null; created_at: string; updated_at: string }
export interface KnowledgeBaseCategory { id: number; name: string; description: string; css_class: string | null; emoji: string | null; hex_color: string | null; position: number | null; created_by: PersonShort | null; created_at: string; updated_at: string }
export interface KnowledgeBaseCategoryName { id: number; name: string }
export interface LeaveAdjustment { id: number; employee_id: number; leave_type_id: number; occurred_on: string; amount: number; description: string; on_demand: boolean; created_at: string; updated_at: string }
export interface LeaveAttachment { id: number; filename: string; url: string; expires_at: string; created_at: string; updated_at: string }
export interface LeaveAttachmentCard { id: number; filename: string; url: string; expires_at: string }
export interface LeaveEntry { date: string; amount: number; starts_at: unknown | null; ends_at: unknown | null; leave_type_policy_id: number }
export interface LeaveFigures { carried_over: number; carry_over_expires: { on: string; amount: number }[]; expired: number; entitled: number; accrued: number; adjusted: number; taken: number; planned: number; pending: number; available: number | null }
export interface LeaveMovement { date: string; reason: "credit" | "recalculation" | "above_maximum" | "not_carried_over" | "carry_over_expired" | "adjustment" | "leave"; amount: number; balance: number; leave_policy_id: number | null; leave_adjustment_id: number | null; leave_request_id: number | null; state: string | null }
export interface LeavePolicy { id: number; name: string; leave_type_id: number; type: "accrual" | "manual" | "external"; visibility: boolean; activity_type: "not_working_paid" | "not_working_unpaid" | "working_paid"; counted_as: "working_days" | "calendar_days"; yearly_amount: number | null; part_time: "same" | "by_hours" | "by_days"; full_time_hours: number; full_time_days: number; tenure_steps: { years: number; yearly_amount: number }[]; tenure_steps_from: "anniversary" | "start_of_month" | "start_of_year"; credit: "monthly" | "yearly" | null; credit_at: "start_of_period" | "end_of_period"; proration: "started_months" | "full_months" | "half_months" | "fifteen_days" | "by_day"; rounding: "none" | "up" | "down" | "nearest"; rounding_step: number; carry_over_until: string | null; carry_over_months: number | null; maximum_balance: number | null; carry_over_limit: number | null; floor: number; created_at: string; updated_at: string }
export interface LeavePolicyShort { name: string; visibility: "public" | "private"; activity_type: string }
export interface LeavePolicyTerm { id: number; effective_from: string; activity_type: "not_working_paid" | "not_working_unpaid" | "working_paid"; counted_as: "working_days" | "calendar_days"; yearly_amount: number | null; part_time: "same" | "by_hours" | "by_days"; full_time_hours: number; full_time_days: number; tenure_steps: { years: number; yearly_amount: number }[]; tenure_steps_from: "anniversary" | "start_of_month" | "start_of_year"; credit: "monthly" | "yearly" | null; credit_at: "start_of_period" | "end_of_period"; proration: "started_months" | "full_months" | "half_months" | "fifteen_days" | "by_day"; rounding: "none" | "up" | "down" | "nearest"; rounding_step: number; carry_over_until: string | null; carry_over_months: number | null; maximum_balance: number | null; carry_over_limit: number | null; floor: number; created_at: string; updated_at: string }
export interface LeaveRequest { id: number; employee: PersonShort; employee_id: number; leave_type_id: number; leave_type: string; tracking_time_in: "days" | "hours"; leave_type_policy: LeavePolicyShort; state: "pending" | "approved" | "rejected" | "withdrawn"; approvals: Approval[]; decided_by: PersonShort | null; decided_at: string | null; rejection_reason: string | null; starts_on: string; ends_on: string; amount: number; on_demand: boolean; comment: string; description: string; entries: LeaveEntry[]; attachments: LeaveAttachmentCard[]; attachment_url: string | null; created_at: string; updated_at: string }
export interface LeaveStatement { leave_type_id: number; unit: "days" | "hours"; starts_on: string; ends_on: string; opening_balance: number; closing_balance: number; movements: LeaveMovement[] }
export interface LeaveType { id: number; name: string; unit: "days" | "hours"; hex_color: string | null; fa_class: string | null; created_at: string; updated_at: string }
export interface LegalEntity { id: number; name: string; created_at: string; updated_at: string }
export interface LegalEntityName { id: number; name: string }
export interface LinkToken { token: string }
export interface Location { id: number; name: string; address: string | null; country_code: string | null; region_code: string | null; time_zone: string; holiday_policy_id: number | null; created_at: string; updated_at: string }
export interface LocationName { id: number; name: string }
export interface Me { user: OwnUser; employee: OwnEmployee | null; roles: RoleName[]; permissions: string[]; for_everybody: string[]; withheld: string[]; account: OwnAccount; time_zone: string; sign_in: OwnSignIn; session: OwnSession }
export interface MergeCandidates { duplicate_id: number; keep_application_ids?: number[] }
export interface Metadata { page: number; pages: number; count: number; items: number; pagination: { page: number; pages: number; count: number; items: number } }
export interface MoveApplication { pipeline_stage_id: number; from_pipeline_stage_id?: number }
export interface MoveApplications { application_ids: number[]; pipeline_stage_id: number; from_pipeline_stage_ids?: number[] }
export interface Movement { id: number; vacancy_application: { id: number; applicant_id: number; vacancy_id: number }; stage: PipelineStageName; created_by: PersonCard | null; entered_at: string; exited_at: string | null; duration: number; created_at: string }
export interface NewApiKey { id: number; name: string; hint: string; permissions: ("*" | "keys:*" | "keys:read" | "keys:write" | "organisation:*" | "organisation:read" | "organisation:write" | "employees:*" | "employees:read" | "employees:write" | "directory:*" | "directory:read" | "directory:write" | "skills:*" | "skills:read" | "skills:write" | "external_users:*" | "external_users:read" | "external_users:write" | "teams:*" | "teams:read" | "teams:write" | "recruitment:*" | "recruitment:read" | "recruitment:write" | "recruitment:hire" | "tasks:*" | "tasks:read" | "tasks:write" | "performance:*" | "performance:read" | "performance:write" | "time:*" | "time:read" | "time:enter" | "time:approve" | "time:write" | "leave:*" | "leave:read" | "leave:request" | "leave:approve" | "leave:write" | "calendar:*" | "calendar:read" | "calendar:write" | "audits:*" | "audits:read" | "audits:write" | "assets:*" | "assets:read" | "assets:write" | "knowledge:*" | "knowledge:read" | "knowledge:write" | "reviews:*" | "reviews:read" | "reviews:write" | "review_answers:*" | "review_answers:read" | "review_answers:write" | "users:*" | "users:read" | "users:write" | "reports:*" | "reports:read" | "reports:write")[]; withheld: ("compensation" | "personal" | "notes" | "planned")[]; parent_id: number | null; made_by_user_id: number | null; employee_id: number | null; expires_at: string | null; revoked_at: string | null; roles: RoleName[]; last_used_at: string | null; created_at: string; updated_at: string; key: string }
export interface NewPasskey { id: number; name: string; transports: string[]; created_at: string; last_used_at: string | null; recovery_codes: string[] }
export interface NewSignInLink { id: number; purpose: "invitation" | "reset" | "set_up"; url: string; expires_at: string }
export interface Notification { kind: "leave_decided" | "leave_waiting" | "overtime_decided" | "overtime_waiting" | "time_rejected" | "task_given" | "review_asked" | "reset_asked" | "hire_waiting"; at: string; resource: string; record_id: number; who: NotificationPerson | null; what: string | null; state: string | null; starts_on: string | null; ends_on: string | null; is_new: boolean }
export interface NotificationMetadata { unseen: number }
export interface NotificationPerson { id: number; full_name: string }
export interface Notifications { data: Notification[]; metadata: NotificationMetadata }
export interface Objective { id: number; title: string; description: string; starts_on: string | null; ends_on: string | null; owner: PersonShort | null; progress: number; status: "none" | "on_track" | "behind" | "at_risk"; key_results: KeyResult[]; created_at: string; updated_at: string }
export interface OrgChart { as_of: string; people: OrgChartPerson[]; departments: OrgChartDepartment[]; locations: OrgChartLocation[] }
export interface OrgChartDepartment { id: number; name: string }
export interface OrgChartLocation { id: number; name: string }
export interface OrgChartPerson { id: number; name: string; position: string | null; department_id: number | null; location_id: number | null; manager_id: number | null; photo: string | null; direct: number; all: number }
export interface OvertimeRequest { id: number; employee: PersonShort; employee_id: number; date: string; minutes: number; starts_at: string | null; ends_at: string | null; comment: string; state: "pending" | "approved" | "rejected" | "withdrawn"; approvals: Approval[]; decided_by: PersonShort | null; decided_at: string | null; rejection_reason: string | null; created_at: string; updated_at: string }
export interface OwnAccount { id: number; name: string; time_zone: string; currency_code: string }
export interface OwnChange { number: number; resource: string; record_id: number; action: "create" | "update" | "delete" | "erase"; owner: string | null; request_id: string; correlation_id: string }
export interface OwnChanges { data: OwnChange[]; metadata: OwnFeedPosition }
export interface OwnEmployee { id: number; full_name: string; first_name: string; last_name: string; email: string | null; avatar_url: string; employee_number: string | null; status: "hired" | "probation" | "employed" | "terminated"; hired_on: string | null }
export interface OwnFeedPosition { last: number; more: boolean; omitted: string[] }
export interface OwnSession { id: number; signed_in_at: string; confirmed_at: string; expires_at: string }
export interface OwnSignIn { password: boolean; totp: boolean; recovery_codes: number; passkeys: number; identities: number; sso_compulsory: boolean }
export interface OwnUser { id: number; email: string; name: string; locale: string | null; employee_id: number | null; created_at: string }
export interface Passkey { id: number; name: string; transports: string[]; created_at: string; last_used_at: string | null }
export interface PasskeyOffer { ticket: string; options: Record<string, unknown> }
export interface PasskeyQuestion { ticket: string; options: Record<string, unknown> }
export interface PayOfAll { currency_code: string; count: number; minimum: string | null; lower_quartile: string | null; median: string | null; upper_quartile: string | null; maximum: string | null; list: string }
export interface PayOfGroup { id: number | null; name: string | null; currency_code: string; count: number; minimum: string | null; lower_quartile: string | null; median: string | null; upper_quartile: string | null; maximum: string | null; list: string }
export interface PaySchedule { id: number; name: string; created_at: string; updated_at: string }
export interface PayScheduleName { id: number; name: string }
export interface PaySpread { as_of: string; by: "job_level" | "department" | "location"; fewest: number; groups: PayOfGroup[]; currencies: PayOfAll[] }
export interface PersonCard { id: number; full_name: string; email: string | null }
export interface PersonName { id: number; full_name: string }
export interface PersonNames { id: number; full_name: string; first_name: string; last_name: string; email: string | null }
export interface PersonShort { id: number; first_name: string; last_name: string; email: string | null }
export interface Pipeline { id: number; name: string; stages: PipelineStage[]; created_at: string; updated_at: string }
export interface PipelineStage { id: number; name: string; position: number | null; type: "new" | "in_progress" | "hired"; created_at: string; updated_at: string }
export interface PipelineStageName { id: number; name: string }
export interface Position { id: number; name: string; created_at: string; updated_at: string }
export interface ProbationPolicy { id: number; name: string; length: number; length_unit: "days" | "weeks" | "months"; created_at: string; updated_at: string }
export interface Project { id: number; name: string; emoji: string | null; created_at: string; updated_at: string }
export interface ProjectUser { id: number; employee: PersonCard; created_at: string; updated_at: string }
export interface ProviderAddress { url: string }
export interface ProviderAnswer { query: string }
export interface ProviderTestAnswer { query: string }
export type ProviderTestPerson = { name: string; email: string | null } | null
export interface ProviderTestReport { passed: boolean; steps: ProviderTestStep[]; person: ProviderTestPerson }
export interface ProviderTestStart { url: string | null; steps: ProviderTestStep[] }
export interface ProviderTestStep { step: "discovery" | "authorization" | "token" | "id_token" | "email_match"; result: "passed" | "failed" | "not_reached"; code: "unreachable" | "insecure_address" | "too_large" | "wrong_answer" | "refused" | "ended" | "changed" | "no_email" | "unverified" | "unknown" | "taken" | "not_allowed" | null; detail: string | null }
export interface Read { id: number; what: "compensation" | "documents" | "file" | "export"; resource: string; record_id: number; name: string | null; owner: { resource?: string; id?: number } | null; actor: Actor; operation: string; request_id: string; created_at: string }
export interface RecoveryCodes { recovery_codes: string[] }
export interface RecruitmentSettings { consent_required: boolean; careers_heading: string | null; careers_introduction: string | null; careers_color: string | null; careers_logo: string | null }
export interface RecruitmentTag { id: number; name: string; created_at: string; updated_at: string }
export interface RejectLeaveRequest { reason?: string | null }
export interface RejectOvertimeRequest { reason?: string | null }
export interface RejectTimesheetEntries { timesheet_entry_ids: number[]; reason?: string | null }
export interface ResetAsked { asked: boolean }
export interface RetentionError { index: number; id: number; messages: string[]; errors: { field: string; code: string; message: string }[] }
export interface RetentionRules { candidate_months: number | null; employee_months: number | null }
export interface ReturnAsset { returned_on?: string }
export interface Review { id: number; employee_id: number; review_cycle_id: number; state: "not_started" | "partially_submitted" | "submitted" | "shared"; progress: ReviewProgress; created_at: string; updated_at: string }
export interface ReviewAnswer { id: number; review_participant_id: number | null; type: "ReviewAnswerSelf" | "ReviewAnswerManager" | "ReviewAnswerPeer" | "ReviewAnswerReport"; review_question_id: number; text?: string | null; comment?: string | null; rating?: number | null; option?: string | null }
export interface ReviewCycle { id: number; name: string; description: string | null; state: "draft" | "opened" | "closed" | "finished"; starts_on: string; ends_on: string; deadline_on: string | null; review_period_starts_on: string | null; review_period_ends_on: string | null; progress: ReviewProgress; created_at: string; updated_at: string }
export interface ReviewParticipant { id: number; employee_id: number; review_id: number; type: "ReviewParticipantSelf" | "ReviewParticipantManager" | "ReviewParticipantPeer" | "ReviewParticipantReport"; state: "pending" | "approved" | "started" | "revising" | "rejected" | "submitted"; submitted_at: string | null; submitted_by_id: number | null; created_at: string; updated_at: string }
export interface ReviewProgress { participants: number; submitted: number; self: ReviewProgressPart; manager: ReviewProgressPart; peer: ReviewProgressPart; report: ReviewProgressPart }
export interface ReviewProgressPart { participants: number; submitted: number }
export interface ReviewQuestion { id: number; type: "ReviewTemplateQuestionText" | "ReviewTemplateQuestionScale" | "ReviewTemplateQuestionChoice"; title: string; title_self: string | null; title_manager: string | null; competency_id: number | null; options: string[]; scale_min: number | null; scale_max: number | null; position: number | null; required: boolean; participant_types: ("self" | "manager" | "peer" | "report")[]; created_at: string; updated_at: string }
export interface RightsOverPerson { permissions: string[]; withheld: string[] }
export interface Role { id: number; name: string; description: string | null; standard: string | null; grants: RoleGrant[]; created_at: string; updated_at: string }
export interface RoleGrant { id: number; scope: "self" | "reports" | "department" | "location" | "vacancies" | "everybody"; permissions: ("*" | "keys:*" | "keys:read" | "keys:write" | "organisation:*" | "organisation:read" | "organisation:write" | "employees:*" | "employees:read" | "employees:write" | "directory:*" | "directory:read" | "directory:write" | "skills:*" | "skills:read" | "skills:write" | "external_users:*" | "external_users:read" | "external_users:write" | "teams:*" | "teams:read" | "teams:write" | "recruitment:*" | "recruitment:read" | "recruitment:write" | "recruitment:hire" | "tasks:*" | "tasks:read" | "tasks:write" | "performance:*" | "performance:read" | "performance:write" | "time:*" | "time:read" | "time:enter" | "time:approve" | "time:write" | "leave:*" | "leave:read" | "leave:request" | "leave:approve" | "leave:write" | "calendar:*" | "calendar:read" | "calendar:write" | "audits:*" | "audits:read" | "audits:write" | "assets:*" | "assets:read" | "assets:write" | "knowledge:*" | "knowledge:read" | "knowledge:write" | "reviews:*" | "reviews:read" | "reviews:write" | "review_answers:*" | "review_answers:read" | "review_answers:write" | "users:*" | "users:read" | "users:write" | "reports:*" | "reports:read" | "reports:write")[]; sees: ("compensation" | "personal" | "notes" | "planned")[]; department_id: number | null; location_id: number | null }
export interface RoleName { id: number; name: string; standard: string | null }
export interface RowOfEmployeeTable { id: number; columns: EmployeeTableCells; created_at: string; updated_at: string }
export interface Salary { id: number; effective_on: string; announced_on: string | null; amount?: string; currency_code?: string; per?: "hour" | "day" | "week" | "month" | "year"; overtime?: boolean; comment?: string; pay_schedule?: PayScheduleName | null; created_at: string; updated_at: string }
export interface SaveView { screen: string; name: string; search: string | null }
export interface SavedView { screen: string; name: string; search: string }
export interface SeeNotifications { until?: string }
export interface Session { id: number; way: "password" | "passkey" | "sso" | "link"; address: string | null; browser: string | null; current: boolean; signed_in_at: string; last_seen_at: string | null; confirmed_at: string; expires_at: string }
export interface SetConsent { kind: "processing" | "future_recruitment"; status: "none" | "pending" | "consented" | "rejected"; expires_on?: string | null }
export interface SignIn { account: AccountName; ways: string[]; providers: SignInProvider[]; compulsory: boolean }
export interface SignInByCode { ticket: string; code: string }
export interface SignInByPasskey { ticket: string; response: Record<string, unknown> }
export interface SignInByPassword { email: string; password: string }
export interface SignInByProvider { provider_id: number; return_to?: string | null; again?: boolean }
export interface SignInLinkContent { purpose: "invitation" | "reset" | "set_up"; email: string | null; name: string | null; expires_at: string; account: AccountName }
export interface SignInOutcome { status: "signed_in" | "second_factor"; user?: SignedInUser; return_to?: string | null; ticket?: string; ways?: string[] }
export interface SignInProvider { id: number; name: string; compulsory: boolean }
export interface SignedInUser { id: number; name: string; email: string }
export interface Skill { id: number; name: string; created_at: string; updated_at: string }
export interface SkillName { id: number; name: string }
export interface Source { id: number; name: string; created_at: string; updated_at: string }
export interface SourceName { id: number; name: string }
export interface SubmitTimesheetEntries { timesheet_entry_ids: number[] }
export interface Task { id: number; type: "general" | "onboarding" | "offboarding"; title: string; starts_on: string; ends_on: string | null; completed_at: string | null; completed: boolean; description: string; description_plain: string; assigned_to: PersonCard; created_by: PersonCard | null; associated_to?: AssociatedTo; created_at: string; updated_at: string }
export interface Team { id: number; name: string; description: string; team_lead: PersonCard; team_members: TeamMember[]; created_at: string; updated_at: string }
export interface TeamMember { id: number; user: PersonCard }
export interface TeamMembership { id: number; team_id: number; user_id: number; user: PersonCard; created_at: string; updated_at: string }
export interface Tenure { as_of: string; headcount: Figure; median_years: number | null; brackets: TenureBracket[]; unknown: Figure }
export interface TenureBracket { from_years: number; until_years: number | null; count: number; list: string }
export interface TerminateEmployee { effective_from: string; announced_on?: string | null; termination_type_id?: number | null; termination_reason_id?: number | null; eligible_for_rehire?: boolean | null; comment?: string | null }
export interface TerminationReason { id: number; name: string; created_at: string; updated_at: string }
export interface TerminationReasonName { id: number; name: string }
export interface TerminationType { id: number; name: string; created_at: string; updated_at: string }
export interface TerminationTypeName { id: number; name: string }
export interface TimeInStage { id: number; name: string | null; applications: number; average_days: number | null; median_days: number | null }
export interface TimeToFill { average_days: number | null; median_days: number | null }
export interface TimeToHire { from: string; to: string; hires: number; timed: number; average_days: number | null; median_days: number | null; list: string; to_fill: TimeToFill; by_department: TimeToHireOfDepartment[]; by_vacancy: TimeToHireOfVacancy[]; stages: TimeInStage[] }
export interface TimeToHireOfDepartment { id: number; name: string | null; hires: number; timed: number; average_days: number | null; median_days: number | null; list: string }
export interface TimeToHireOfVacancy { id: number; name: string | null; hires: number; timed: number; average_days: number | null; median_days: number | null; list: string }
export interface Timesheet { employee_id: number; employee_number: string; full_name: string; email: string | null; expected_minutes: number; worked_minutes: number; pending_minutes: number; break_minutes: number; working_leave_minutes: number; non_working_leave_minutes: number; overtime_minutes: number; difference_minutes: number; days?: TimesheetDay[] }
export interface TimesheetDay { date: string; expected_minutes: number; worked_minutes: number; pending_minutes: number; break_minutes: number; leave_minutes: number; overtime_minutes: number }
export interface TimesheetEntry { id: number; employee_id: number; starts_at: string; ends_at: string; date: string; minutes: number; type: "working" | "break"; project_id: number | null; comment: string; status: "unsubmitted" | "pending" | "approved" | "rejected"; rejection_reason: string | null; created_at: string; updated_at: string }
export interface ToldMetadata { page: number; pages: number; count: number; items: number; pagination: { page: number; pages: number; count: number; items: number }; omitted: string[] }
export interface TotpSecret { secret: string; uri: string }
export interface Turnover { from: string; to: string; left: Figure; average_headcount: number; rate: number | null; months: TurnoverOfMonth[]; by_type?: FigureOfGroup[]; by_reason?: FigureOfGroup[]; by_department: FigureOfGroup[] }
export interface TurnoverOfMonth { month: string; starts_on: string; ends_on: string; left: Figure; average_headcount: number; rate: number | null }
export interface UndoHire { applicant_state_id?: number }
export interface Undone { data: { changes: Change[] } }
export interface UpdateAdditionalCompensation { type?: "fixed" | "reoccurring"; description?: string | null; amount?: string; currency_code?: string; starts_on?: string; announced_on?: string | null; ends_on?: string | null; frequency?: "daily" | "monthly" | "quarterly" | "half_yearly" | "yearly" | null; compensation_type_id?: number }
export interface UpdateApiKey { name?: string; permissions?: ("*" | "keys:*" | "keys:read" | "keys:write" | "organisation:*" | "organisation:read" | "organisation:write" | "employees:*" | "employees:read" | "employees:write" | "directory:*" | "directory:read" | "directory:write" | "skills:*" | "skills:read" | "skills:write" | "external_users:*" | "external_users:read" | "external_users:write" | "teams:*" | "teams:read" | "teams:write" | "recruitment:*" | "recruitment:read" | "recruitment:write" | "recruitment:hire" | "tasks:*" | "tasks:read" | "tasks:write" | "performance:*" | "performance:read" | "performance:write" | "time:*" | "time:read" | "time:enter" | "time:approve" | "time:write" | "leave:*" | "leave:read" | "leave:request" | "leave:approve" | "leave:write" | "calendar:*" | "calendar:read" | "calendar:write" | "audits:*" | "audits:read" | "audits:write" | "assets:*" | "assets:read" | "assets:write" | "knowledge:*" | "knowledge:read" | "knowledge:write" | "reviews:*" | "reviews:read" | "reviews:write" | "review_answers:*" | "review_answers:read" | "review_answers:write" | "users:*" | "users:read" | "users:write" | "reports:*" | "reports:read" | "reports:write")[]; withheld?: ("compensation" | "personal" | "notes" | "planned")[] | null; employee_id?: number | null; expires_at?: string | null; role_ids?: number[] }
export interface UpdateApplication { applicant_state_id?: number; pipeline_stage_id?: number; from_pipeline_stage_id?: number }
export interface UpdateAsset { name?: string; code?: string; serial_number?: string | null; description?: string | null; location_id?: number; asset_category_id?: number; retired_on?: string | null }
export interface UpdateAssetAssignment { asset_id?: number; user_id?: number; issued_on?: string; returned_on?: string | null }
export interface UpdateAssetCategory { name?: string; icon?: "fas fa-laptop" | "fas fa-desktop" | "far fa-mobile" | "far fa-tv" | "far fa-tablet" | "far fa-watch-smart" | "far fa-print" | "far fa-chair-office" | "far fa-laptop-mobile" }
export interface UpdateAssetLoss { lost_on?: string; found_on?: string | null; note?: string | null }
export interface UpdateCandidate { full_name?: string; email?: string | null; phone_numbers?: string[] | null; cover_letter?: string | null; date_of_birth?: string | null; gender?: string | number | null; position?: string | null; location?: string | null; level?: string | null; urls?: string[] | null; telegram_username?: string | null; skype_username?: string | null; last_contacted_at?: string | null; desired_salary?: number | null; currency_code?: string | null; source_id?: number | null; languages?: ({ code: string; level?: string | null })[]; consent?: { status?: "none" | "pending" | "consented" | "rejected" | "expired"; consented_at?: string | null; rejected_at?: string | null; expired_at?: string | null } | null; future_recruitment_consent?: { status?: "none" | "pending" | "consented" | "rejected" | "expired"; consented_at?: string | null; rejected_at?: string | null; expired_at?: string | null } | null; consented_at?: string | null; rejected_at?: string | null; expired_at?: string | null; skills?: string[]; tags?: string[]; resume?: string | Blob; fields?: Record<string, unknown>; source?: string | null }
export interface UpdateCandidateDocument { filename?: string }
export interface UpdateCandidateEducation { school?: string; name?: string; from_year?: number; to_year?: number | null; subject?: string | null; description?: string | null }
export interface UpdateCandidateExperience { title?: string; company?: string; starts_on?: string; ends_on?: string | null; location?: string | null; description?: string | null }
export interface UpdateCandidateField { name?: string; type?: "text" | "number" | "date" | "boolean" | "single_select" | "multi_select" | "employee"; protection?: "compensation" | "personal" | "notes" | null }
export interface UpdateCandidateFieldOption { value?: string }
export interface UpdateCandidateNote { comment?: string }
export interface UpdateCertification { name?: string; issuer?: string; issued_on?: string | null; expires?: boolean | null; expires_on?: string | null; url?: string | null; attachment?: string | Blob }
export interface UpdateClock { employee_id?: number; starts_at?: string; type?: "working" | "break"; project_id?: number | null; comment?: string | null }
export interface UpdateCompany { name?: string; time_zone?: string; currency_code?: string }
export interface UpdateCompensationType { name?: string }
export interface UpdateCompetency { name?: string; description?: string | null; type?: "core" | "functional" | "leadership"; levels?: Record<string, unknown>[] }
export interface UpdateDepartment { name?: string; parent_id?: number | null; manager_id?: number | null; department_level_id?: number | null }
export interface UpdateDepartmentLevel { name?: string }
export interface UpdateDependent { first_name?: string; last_name?: string; relationship?: string | null; date_of_birth?: string | null; gender?: "male" | "female" | "other" | null }
export interface UpdateDisqualifyReason { name?: string }
export interface UpdateDivision { name?: string }
export interface UpdateDocumentFolder { name?: string; description?: string | null; protection?: "compensation" | "personal" | "notes" | null }
export interface UpdateEmergencyContact { name?: string; relationship?: string | null; email?: string | null; work_phone_number?: string | null; home_phone_number?: string | null; mobile_phone_number?: string | null }
export interface UpdateEmployee { access?: boolean | null; employee_number?: string | null; first_name?: string; middle_name?: string | null; last_name?: string; email?: string | null; personal_email?: string | null; mobile_number?: string | null; home_phone_number?: string | null; work_phone_number?: string | null; slack_username?: string | null; linkedin_url?: string | null; skype_username?: string | null; twitter_username?: string | null; facebook_url?: string | null; date_of_birth?: string | null; probation_ends_on?: string | null; hired_on?: string | null; gender_id?: number | null; position_id?: number | null; job_level_id?: number | null; location_id?: number | null; division_id?: number | null; department_id?: number | null; job_profile_id?: number | null; legal_entity_id?: number | null; employment_type_id?: number | null; working_pattern_id?: number | null; probation_policy_id?: number | null; reporting_to_id?: number | null; gender?: string | null; fields?: Record<string, unknown> }
export interface UpdateEmployeeAvatar { avatar: string | Blob }
export interface UpdateEmployeeEducation { school?: string; degree?: string; from_year?: string | null; to_year?: string | null; grade?: string | null }
export interface UpdateEmployeeField { name?: string; type?: "text" | "number" | "date" | "boolean" | "single_select" | "multi_select" | "employee"; protection?: "compensation" | "personal" | "notes" | null; group_id?: number; historical?: boolean | null }
export interface UpdateEmployeeFieldGroup { name?: string }
export interface UpdateEmployeeFieldOption { value?: string }
export interface UpdateEmployeeLeaveType { ends_on?: string | null }
export interface UpdateEmployeeNote { body?: string; created_by_id?: number | null; shared_with_employee?: boolean | null }
export interface UpdateEmployeePosition { effective_from?: string; announced_on?: string | null; position_id?: number | null; job_level_id?: number | null; location_id?: number | null; division_id?: number | null; department_id?: number | null; job_profile_id?: number | null; legal_entity_id?: number | null; reporting_to_id?: number | null }
export interface UpdateEmployeeSkill { level?: "interested" | "basic" | "proficient" | "expert"; skill_id?: number }
export interface UpdateEmployeeTable { name?: string; description?: string | null; group_id?: number; protection?: "compensation" | "personal" | "notes" | null }
export interface UpdateEmployeeTableColumn { name?: string; type?: "text" | "number" | "date" | "boolean" | "single_select" | "multi_select" | "employee"; protection?: "compensation" | "personal" | "notes" | null }
export interface UpdateEmployeeTableColumnOption { value?: string }
export interface UpdateEmployeeTableRow { columns?: Record<string, unknown> }
export interface UpdateEmploymentStatus { effective_from?: string; announced_on?: string | null; employment_type_id?: number | null; working_pattern_id?: number | null; probation_policy_id?: number | null; comment?: string | null }
export interface UpdateEmploymentType { name?: string }
export interface UpdateExternalUser { active?: boolean; access?: boolean; first_name?: string; last_name?: string; email?: string; role?: "external_recruiter" | "external_interviewer" | "external_consultant"; role_id?: 1 | 2 | 3 }
export interface UpdateGender { name?: string }
export interface UpdateHoliday { holiday_policy_id?: number; region_code?: string | null; name?: string; occurs_on?: string; ends_on?: string | null; half_day?: boolean | null; working?: boolean | null; observed_on?: string | null; compensated_on?: string | null; starts_on?: string }
export interface UpdateHolidayPolicy { name?: string; country_code?: string; region_code?: string | null }
export interface UpdateIdentityProvider { name?: string; issuer?: string; client_id?: string; scopes?: string; enabled?: boolean; compulsory?: boolean; makes_users?: boolean; trusts_email?: boolean; client_secret?: string }
export interface UpdateJobGroup { name?: string; description?: string | null }
export interface UpdateJobLevel { name?: string }
export interface UpdateJobProfile { name?: string; job_group_id?: number | null }
export interface UpdateKeyPerformanceIndicator { title?: string; description?: string | null; weight?: number | null; currency_code?: string | null; metric?: "percentage" | "number" | "currency"; kpi_type?: "individual" | "department" | "location" | "division" | "company"; starts_on?: string | null; ends_on?: string | null; start_value?: string | null; target_value?: string | null; location_id?: number | null; division_id?: number | null; department_id?: number | null; user_id?: number | null; status?: "none" | "on_track" | "behind" | "at_risk" | null }
export interface UpdateKeyPerformanceIndicatorResult { value?: string; occurred_on?: string; comment?: string | null }
export interface UpdateKnowledgeBaseArticle { title?: string; body?: string | null; body_html?: string | null; position?: number | null; state?: "draft" | "published"; category_id?: number }
export interface UpdateKnowledgeBaseCategory { name?: string; description?: string | null; css_class?: string | null; emoji?: string | null; hex_color?: string | null; position?: number | null }
export interface UpdateLeaveBalance { balance: string; on_demand_balance?: string; leave_type_id?: number; employee_leave_type_id?: number }
export interface UpdateLeavePolicy { name?: string; leave_type_id?: number; type?: "accrual" | "manual" | "external" | null; visibility?: boolean | null; activity_type?: "not_working_paid" | "not_working_unpaid" | "working_paid" | null; counted_as?: "working_days" | "calendar_days" | null; yearly_amount?: string | null; part_time?: "same" | "by_hours" | "by_days" | null; full_time_hours?: string | null; full_time_days?: string | null; tenure_steps?: { years: number; yearly_amount: string }[] | null; tenure_steps_from?: "anniversary" | "start_of_month" | "start_of_year" | null; credit?: "monthly" | "yearly" | null; credit_at?: "start_of_period" | "end_of_period" | null; proration?: "started_months" | "full_months" | "half_months" | "fifteen_days" | "by_day" | null; rounding?: "none" | "up" | "down" | "nearest" | null; rounding_step?: string | null; carry_over_until?: string | null; carry_over_months?: number | null; maximum_balance?: string | null; carry_over_limit?: string | null; floor?: string | null; effective_from?: string }
export interface UpdateLeavePolicyTerm { effective_from?: string; activity_type?: "not_working_paid" | "not_working_unpaid" | "working_paid" | null; counted_as?: "working_days" | "calendar_days" | null; yearly_amount?: string | null; part_time?: "same" | "by_hours" | "by_days" | null; full_time_hours?: string | null; full_time_days?: string | null; tenure_steps?: { years: number; yearly_amount: string }[] | null; tenure_steps_from?: "anniversary" | "start_of_month" | "start_of_year" | null; credit?: "monthly" | "yearly" | null; credit_at?: "start_of_period" | "end_of_period" | null; proration?: "started_months" | "full_months" | "half_months" | "fifteen_days" | "by_day" | null; rounding?: "none" | "up" | "down" | "nearest" | null; rounding_step?: string | null; carry_over_until?: string | null; carry_over_months?: number | null; maximum_balance?: string | null; carry_over_limit?: string | null; floor?: string | null }
export interface UpdateLeaveRequest { employee_id?: number; leave_type_id?: number; starts_on?: string; ends_on?: string; on_demand?: boolean | null; comment?: string | null; description?: string | null; leave_request_entries?: { occurs_on: string; amount: string }[]; attachment?: string | Blob; attachments?: (string | Blob)[] }
export interface UpdateLeaveType { name?: string; unit?: "days" | "hours" | null; hex_color?: string | null; fa_class?: string | null }
export interface UpdateLegalEntity { name?: string }
export interface UpdateLocation { name?: string; address?: string | null; country_code?: string | null; region_code?: string | null; time_zone?: string | null; holiday_policy_id?: number | null }
export interface UpdateMe { name?: string; locale?: string | null }
export interface UpdateObjective { title?: string; description?: string | null; starts_on?: string | null; ends_on?: string | null; owner_id?: number | null; key_results?: Record<string, unknown>[] }
export interface UpdateOvertimeRequest { employee_id?: number; date?: string; minutes?: number; starts_at?: string | null; ends_at?: string | null; comment?: string | null }
export interface UpdatePasskey { name?: string }
export interface UpdatePaySchedule { name?: string }
export interface UpdatePipeline { name?: string }
export interface UpdatePipelineStage { name?: string; position?: number | null; type?: "new" | "in_progress" | "hired" }
export interface UpdatePosition { name?: string }
export interface UpdateProbationPolicy { name?: string; length?: number; length_unit?: "days" | "weeks" | "months" | null }
export interface UpdateProject { name?: string; emoji?: string | null }
export interface UpdateRecruitmentSettings { consent_required?: boolean; careers_heading?: string | null; careers_introduction?: string | null; careers_color?: string | null; careers_logo?: string | null }
export interface UpdateRecruitmentTag { name?: string }
export interface UpdateRetentionRules { candidate_months?: number | null; employee_months?: number | null }
export interface UpdateReviewAnswer { text?: string | null; comment?: string | null; rating?: number | null; option?: string | null }
export interface UpdateReviewAnswers { review_participant_id?: number; answers: ({ review_question_id: number; text?: string | null; comment?: string | null; rating?: number | null; option?: string | null })[]; submit?: boolean }
export interface UpdateReviewCycle { name?: string; description?: string | null; starts_on?: string; ends_on?: string; deadline_on?: string | null; review_period_starts_on?: string | null; review_period_ends_on?: string | null }
export interface UpdateReviewParticipant { state?: "pending" | "approved" | "rejected" }
export interface UpdateReviewQuestion { type?: "text" | "scale" | "choice" | "ReviewTemplateQuestionText" | "ReviewTemplateQuestionScale" | "ReviewTemplateQuestionChoice"; title?: string; title_self?: string | null; title_manager?: string | null; competency_id?: number | null; options?: string[] | null; scale_min?: number | null; scale_max?: number | null; position?: number | null; required?: boolean; participant_types?: ("self" | "manager" | "peer" | "report")[] | null }
export interface UpdateRole { name?: string; description?: string | null; grants?: Record<string, unknown>[] }
export interface UpdateSalary { effective_on?: string; announced_on?: string | null; amount?: string; currency_code?: string; per?: "hour" | "day" | "week" | "month" | "year"; overtime?: boolean | null; comment?: string | null; pay_schedule_id?: number | null }
export interface UpdateSkill { name?: string }
export interface UpdateSource { name?: string }
export interface UpdateTask { type?: "general" | "onboarding" | "offboarding" | null; name?: string; starts_on?: string; ends_on?: string | null; description?: string | null; employee_id?: number; associated_to_id?: number | null; associated_to_type?: "Employee" | "Candidate" | null; associated_to?: { id: number; type: "Employee" | "Candidate" } | null }
export interface UpdateTeam { name?: string; description?: string | null; team_lead_id?: number; user_ids?: number[] }
export interface UpdateTerminationReason { name?: string }
export interface UpdateTerminationType { name?: string }
export interface UpdateTimesheetEntry { employee_id?: number; starts_at?: string; ends_at?: string; type?: "working" | "break" | null; project_id?: number | null; comment?: string | null; status?: "unsubmitted" | "pending" | "approved" | "rejected" | null }
export interface UpdateUser { email?: string; name?: string; employee_id?: number | null; locale?: string | null; role_ids?: number[] }
export interface UpdateVacancy { title?: string; description?: string; state?: "drafting" | "opened" | "held" | "closed" | "cancelled" | "archived"; priority?: "low" | "medium" | "high"; starts_on?: string | null; ends_on?: string | null; positions?: number; currency_code?: string | null; post_on_careers?: boolean; salary_on_careers?: boolean; position_id?: number | null; job_level_id?: number | null; division_id?: number | null; employment_type_id?: number; department_id?: number; location_id?: number; legal_entity_id?: number | null; recruitment_pipeline_id?: number; hiring_lead_user_id?: number; min_salary?: number | null; max_salary?: number | null; collaborator_ids?: number[]; tags?: string[]; skills?: string[]; fields?: Record<string, unknown> }
export interface UpdateVacancyField { name?: string; type?: "text" | "number" | "date" | "boolean" | "single_select" | "multi_select" | "employee"; protection?: "compensation" | "personal" | "notes" | null }
export interface UpdateVacancyFieldOption { value?: string }
export interface UpdateWorkingPattern { name?: string; monday_hours?: string | null; tuesday_hours?: string | null; wednesday_hours?: string | null; thursday_hours?: string | null; friday_hours?: string | null; saturday_hours?: string | null; sunday_hours?: string | null; effective_from?: string }
export interface UseLink { token: string; password: string; email?: string | null; name?: string | null }
export interface User { id: number; email: string; name: string; employee_id: number | null; locale: string | null; disabled_at: string | null; roles: RoleName[]; reset_asked_at: string | null; created_at: string; updated_at: string }
export interface UserSignIn { password: boolean; totp: boolean; recovery_codes: number; passkeys: number; identities: number; last_signed_in_at: string | null; reset_asked_at: string | null; link: { purpose?: string; expires_at?: string } | null }
export interface Vacancy { id: number; title: string; description: string; state: "drafting" | "opened" | "held" | "closed" | "cancelled" | "archived"; priority: "low" | "medium" | "high"; starts_on: string | null; ends_on: string | null; positions: number; currency_code: string | null; minimum_salary?: number | null; maximum_salary?: number | null; post_on_careers: boolean; salary_on_careers?: boolean; applications_count: number; hires_count: number; position: Position | null; job_level: JobLevel | null; division: Division | null; employment_type: EmploymentType; department: Department; location: Location; legal_entity: LegalEntityName | null; recruitment_pipeline: Pipeline; hiring_lead: PersonNames; collaborators: PersonShort[]; tags: string[]; skills: string[]; custom_fields: VacancyCustomField[]; opened_at: string | null; next_states: ("drafting" | "opened" | "held" | "closed" | "cancelled" | "archived")[]; takes_applications: boolean; created_at: string; updated_at: string }
export interface VacancyBoard { vacancy_id: number; pipeline_id: number; applications_count: number; qualified_applications_count: number; disqualified_applications_count: number; stages: { id: number; name: string; type: string; qualified_applications_count: number; disqualified_applications_count: number }[] }
export interface VacancyCustomField { vacancy_field_id: number; name: string; internal_name: string; value: unknown }
export interface VacancyField { id: number; name: string; internal_name: string; type: "text" | "number" | "date" | "boolean" | "single_select" | "multi_select" | "employee"; protection: "compensation" | "personal" | "notes" | null; options: { id: number; value: string }[]; created_at: string; updated_at: string }
export interface VacancyFieldOption { id: number; value: string }
export interface VacancyTitle { id: number; title: string }
export interface WorkingPattern { id: number; name: string; monday_hours: string; tuesday_hours: string; wednesday_hours: string; thursday_hours: string; friday_hours: string; saturday_hours: string; sunday_hours: string; created_at: string; updated_at: string }

export interface Operations {
  'GET /employees': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "employee_number" | "-employee_number" | "email" | "-email" | "hired_on" | "-hired_on" | "last_name" | "-last_name" | "first_name" | "-first_name"; 'ids[]'?: number[]; 'emails[]'?: string[]; email?: string; 'employee_numbers[]'?: string[]; status?: "hired" | "probation" | "employed" | "terminated" | "active" | "in_service" | "all"; 'hired_on[gte]'?: string; 'hired_on[lte]'?: string; 'hired_on[gt]'?: string; 'hired_on[lt]'?: string; 'probation_ends_on[gte]'?: string; 'probation_ends_on[lte]'?: string; 'probation_ends_on[gt]'?: string; 'probation_ends_on[lt]'?: string; 'joined_on[gte]'?: string; 'joined_on[lte]'?: string; 'joined_on[gt]'?: string; 'joined_on[lt]'?: string; 'left_on[gte]'?: string; 'left_on[lte]'?: string; 'left_on[gt]'?: string; 'left_on[lt]'?: string; 'created_at[gte]'?: string; 'created_at[lte]'?: string; 'created_at[gt]'?: string; 'created_at[lt]'?: string; 'updated_at[gte]'?: string; 'updated_at[lte]'?: string; 'updated_at[gt]'?: string; 'updated_at[lt]'?: string; manager_id?: number; 'manager_ids[]'?: number[]; department_id?: number; 'department_ids[]'?: number[]; location_id?: number; 'location_ids[]'?: number[]; job_level_id?: number; 'job_level_ids[]'?: number[]; termination_type_id?: number; 'termination_type_ids[]'?: number[]; termination_reason_id?: number; 'termination_reason_ids[]'?: number[]; 'without[]'?: ("department_id" | "location_id" | "job_level_id" | "hired_on" | "termination_type_id" | "termination_reason_id")[]; paid_in?: string; 'skill_ids[]'?: number[]; skill_level?: "interested" | "basic" | "proficient" | "expert"; q?: string; known_at?: string; as_of?: string; 'fields[]'?: string[] }; body: Nothing; answer: { data: EmployeeRow[]; metadata: Metadata } }
  'GET /employees/terminated': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "employee_number" | "-employee_number" | "email" | "-email" | "hired_on" | "-hired_on" | "last_name" | "-last_name" | "first_name" | "-first_name"; 'terminated_on[gte]'?: string; 'terminated_on[lte]'?: string; 'terminated_on[gt]'?: string; 'terminated_on[lt]'?: string; known_at?: string }; body: Nothing; answer: { data: Employee[]; metadata: Metadata } }
  'GET /employees/birthdays': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "employee_number" | "-employee_number" | "email" | "-email" | "hired_on" | "-hired_on" | "last_name" | "-last_name" | "first_name" | "-first_name"; 'date[gte]'?: string; 'date[lte]'?: string; 'date[gt]'?: string; 'date[lt]'?: string; known_at?: string }; body: Nothing; answer: { data: Employee[]; metadata: Metadata } }
  'GET /employees/anniversaries': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "employee_number" | "-employee_number" | "email" | "-email" | "hired_on" | "-hired_on" | "last_name" | "-last_name" | "first_name" | "-first_name"; 'date[gte]'?: string; 'date[lte]'?: string; 'date[gt]'?: string; 'date[lt]'?: string; known_at?: string }; body: Nothing; answer: { data: Employee[]; metadata: Metadata } }
  'GET /employees/{id}': { params: { id: number | string }; query: { known_at?: string; as_of?: string; 'fields[]'?: string[] }; body: Nothing; answer: { data: Employee } }
  'POST /employees': { params: Nothing; query: Nothing; body: CreateEmployee & Record<string, unknown>; answer: { data: Employee } }
  'PATCH /employees/bulk': { params: Nothing; query: Nothing; body: BulkUpdateEmployees & Record<string, unknown>; answer: { records: { count: number; data: Employee[] }; errors: { count: number; data: BulkError[] } } }
  'PUT /employees/{id}': { params: { id: number | string }; query: Nothing; body: UpdateEmployee & Record<string, unknown>; answer: { data: Employee } }
  'POST /employees/{id}/terminate': { params: { id: number | string }; query: Nothing; body: TerminateEmployee; answer: { data: Employee; handover?: HandoverCounts } }
  'POST /employees/{id}/activate': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: Employee } }
  'PUT /employees/{id}/avatar': { params: { id: number | string }; query: Nothing; body: UpdateEmployeeAvatar; answer: { data: Employee } }
  'GET /employees/{id}/handover': { params: { id: number | string }; query: { on?: string }; body: Nothing; answer: { data: HeldRecords[]; metadata: HandoverMetadata } }
  'POST /employees/{id}/handover': { params: { id: number | string }; query: Nothing; body: HandOver; answer: { data: HandoverResult } }
  'GET /directory': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "email" | "-email" | "last_name" | "-last_name" | "first_name" | "-first_name" | "hired_on" | "-hired_on"; coming?: boolean; 'ids[]'?: number[]; department_id?: number; 'department_ids[]'?: number[]; location_id?: number; 'location_ids[]'?: number[]; manager_id?: number; 'manager_ids[]'?: number[]; q?: string }; body: Nothing; answer: { data: DirectoryCard[]; metadata: Metadata } }
  'GET /directory/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: DirectoryCard } }
  'GET /org_chart': { params: Nothing; query: { as_of?: string }; body: Nothing; answer: { data: OrgChart } }
  'GET /search': { params: Nothing; query: { q?: string; 'kinds[]'?: ("person" | "candidate" | "vacancy" | "article" | "task" | "team" | "asset" | "project" | "department" | "location" | "division" | "position" | "job_level" | "job_profile" | "job_group" | "employment_type" | "legal_entity" | "leave_type" | "leave_policy" | "holiday_policy" | "working_pattern" | "probation_policy" | "pipeline" | "category" | "employee_field" | "employee_table" | "candidate_field" | "vacancy_field")[]; per_kind?: number }; body: Nothing; answer: { data: Found[] } }
  'GET /employees/{employee_id}/positions': { params: { employee_id: number | string }; query: { known_at?: string }; body: Nothing; answer: { data: EmployeePosition[] } }
  'GET /employees/{employee_id}/positions/{id}': { params: { employee_id: number | string; id: number | string }; query: { known_at?: string }; body: Nothing; answer: { data: EmployeePosition } }
  'POST /employees/{employee_id}/positions': { params: { employee_id: number | string }; query: Nothing; body: CreateEmployeePosition; answer: { data: EmployeePosition } }
  'PUT /employees/{employee_id}/positions/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: UpdateEmployeePosition; answer: { data: EmployeePosition } }
  'DELETE /employees/{employee_id}/positions/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /employees/{employee_id}/employment_statuses': { params: { employee_id: number | string }; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at"; known_at?: string }; body: Nothing; answer: { data: EmploymentStatus[]; metadata: Metadata } }
  'GET /employees/{employee_id}/employment_statuses/{id}': { params: { employee_id: number | string; id: number | string }; query: { known_at?: string }; body: Nothing; answer: { data: EmploymentStatus } }
  'POST /employees/{employee_id}/employment_statuses': { params: { employee_id: number | string }; query: Nothing; body: CreateEmploymentStatus; answer: { data: EmploymentStatus } }
  'PUT /employees/{employee_id}/employment_statuses/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: UpdateEmploymentStatus; answer: { data: EmploymentStatus } }
  'DELETE /employees/{employee_id}/employment_statuses/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /employees/{employee_id}/job_profiles': { params: { employee_id: number | string }; query: Nothing; body: Nothing; answer: { data: EmployeeJobProfile[] } }
  'POST /employees/{employee_id}/job_profiles': { params: { employee_id: number | string }; query: Nothing; body: CreateEmployeeJobProfile; answer: { data: EmployeeJobProfile } }
  'GET /employees/{employee_id}/salaries': { params: { employee_id: number | string }; query: { known_at?: string }; body: Nothing; answer: { data: Salary[] } }
  'GET /employees/{employee_id}/salaries/{id}': { params: { employee_id: number | string; id: number | string }; query: { known_at?: string }; body: Nothing; answer: { data: Salary } }
  'POST /employees/{employee_id}/salaries': { params: { employee_id: number | string }; query: Nothing; body: CreateSalary; answer: { data: Salary } }
  'PUT /employees/{employee_id}/salaries/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: UpdateSalary; answer: { data: Salary } }
  'DELETE /employees/{employee_id}/salaries/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /employees/{employee_id}/additional_compensations': { params: { employee_id: number | string }; query: { known_at?: string }; body: Nothing; answer: { data: AdditionalCompensation[] } }
  'GET /employees/{employee_id}/additional_compensations/{id}': { params: { employee_id: number | string; id: number | string }; query: { known_at?: string }; body: Nothing; answer: { data: AdditionalCompensation } }
  'POST /employees/{employee_id}/additional_compensations': { params: { employee_id: number | string }; query: Nothing; body: CreateAdditionalCompensation; answer: { data: AdditionalCompensation } }
  'PUT /employees/{employee_id}/additional_compensations/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: UpdateAdditionalCompensation; answer: { data: AdditionalCompensation } }
  'DELETE /employees/{employee_id}/additional_compensations/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /employees/{employee_id}/documents': { params: { employee_id: number | string }; query: { document_folder_id?: number }; body: Nothing; answer: { data: EmployeeDocument[] } }
  'GET /employees/{employee_id}/documents/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: EmployeeDocument } }
  'POST /employees/{employee_id}/documents': { params: { employee_id: number | string }; query: Nothing; body: CreateEmployeeDocument; answer: { data: EmployeeDocument } }
  'DELETE /employees/{employee_id}/documents/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /employees/{employee_id}/educations': { params: { employee_id: number | string }; query: Nothing; body: Nothing; answer: { data: EmployeeEducation[] } }
  'GET /employees/{employee_id}/educations/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: EmployeeEducation } }
  'POST /employees/{employee_id}/educations': { params: { employee_id: number | string }; query: Nothing; body: CreateEmployeeEducation; answer: { data: EmployeeEducation } }
  'PUT /employees/{employee_id}/educations/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: UpdateEmployeeEducation; answer: { data: EmployeeEducation } }
  'DELETE /employees/{employee_id}/educations/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /employees/{employee_id}/dependents': { params: { employee_id: number | string }; query: Nothing; body: Nothing; answer: { data: Dependent[] } }
  'GET /employees/{employee_id}/dependents/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: Dependent } }
  'POST /employees/{employee_id}/dependents': { params: { employee_id: number | string }; query: Nothing; body: CreateDependent; answer: { data: Dependent } }
  'PUT /employees/{employee_id}/dependents/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: UpdateDependent; answer: { data: Dependent } }
  'DELETE /employees/{employee_id}/dependents/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /employees/{employee_id}/emergency_contacts': { params: { employee_id: number | string }; query: Nothing; body: Nothing; answer: { data: EmergencyContact[] } }
  'GET /employees/{employee_id}/emergency_contacts/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: EmergencyContact } }
  'POST /employees/{employee_id}/emergency_contacts': { params: { employee_id: number | string }; query: Nothing; body: CreateEmergencyContact; answer: { data: EmergencyContact } }
  'PUT /employees/{employee_id}/emergency_contacts/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: UpdateEmergencyContact; answer: { data: EmergencyContact } }
  'DELETE /employees/{employee_id}/emergency_contacts/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /employees/{employee_id}/notes': { params: { employee_id: number | string }; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" }; body: Nothing; answer: { data: EmployeeNote[]; metadata: Metadata } }
  'GET /employees/{employee_id}/notes/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: EmployeeNote } }
  'POST /employees/{employee_id}/notes': { params: { employee_id: number | string }; query: Nothing; body: CreateEmployeeNote; answer: { data: EmployeeNote } }
  'PUT /employees/{employee_id}/notes/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: UpdateEmployeeNote; answer: { data: EmployeeNote } }
  'DELETE /employees/{employee_id}/notes/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /employees/{employee_id}/certifications': { params: { employee_id: number | string }; query: Nothing; body: Nothing; answer: { data: Certification[] } }
  'GET /employees/{employee_id}/certifications/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: Certification } }
  'POST /employees/{employee_id}/certifications': { params: { employee_id: number | string }; query: Nothing; body: CreateCertification; answer: { data: Certification } }
  'PUT /employees/{employee_id}/certifications/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: UpdateCertification; answer: { data: Certification } }
  'DELETE /employees/{employee_id}/certifications/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /skills': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: Skill[]; metadata: Metadata } }
  'GET /skills/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: Skill } }
  'POST /skills': { params: Nothing; query: Nothing; body: CreateSkill; answer: { data: Skill } }
  'PUT /skills/{id}': { params: { id: number | string }; query: Nothing; body: UpdateSkill; answer: { data: Skill } }
  'DELETE /skills/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /employees/{employee_id}/skills': { params: { employee_id: number | string }; query: Nothing; body: Nothing; answer: { data: EmployeeSkill[] } }
  'GET /employees/{employee_id}/skills/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: EmployeeSkill } }
  'POST /employees/{employee_id}/skills': { params: { employee_id: number | string }; query: Nothing; body: CreateEmployeeSkill; answer: { data: EmployeeSkill } }
  'PUT /employees/{employee_id}/skills/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: UpdateEmployeeSkill; answer: { data: EmployeeSkill } }
  'DELETE /employees/{employee_id}/skills/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /external_users': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "email" | "-email"; 'created_at[gte]'?: string; 'created_at[lte]'?: string; 'created_at[gt]'?: string; 'created_at[lt]'?: string; email?: string }; body: Nothing; answer: { data: ExternalUser[]; metadata: Metadata } }
  'GET /external_users/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: ExternalUser } }
  'POST /external_users': { params: Nothing; query: Nothing; body: CreateExternalUser; answer: { data: ExternalUser } }
  'PUT /external_users/{id}': { params: { id: number | string }; query: Nothing; body: UpdateExternalUser; answer: { data: ExternalUser } }
  'DELETE /external_users/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /employee_field_groups': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: EmployeeFieldGroup[]; metadata: Metadata } }
  'GET /employee_field_groups/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: EmployeeFieldGroup } }
  'POST /employee_field_groups': { params: Nothing; query: Nothing; body: CreateEmployeeFieldGroup; answer: { data: EmployeeFieldGroup } }
  'PUT /employee_field_groups/{id}': { params: { id: number | string }; query: Nothing; body: UpdateEmployeeFieldGroup; answer: { data: EmployeeFieldGroup } }
  'DELETE /employee_field_groups/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /employee_fields': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" | "internal_name" | "-internal_name" }; body: Nothing; answer: { data: EmployeeField[]; metadata: Metadata } }
  'GET /employee_fields/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: EmployeeField } }
  'POST /employee_fields': { params: Nothing; query: Nothing; body: CreateEmployeeField; answer: { data: EmployeeField } }
  'PUT /employee_fields/{id}': { params: { id: number | string }; query: Nothing; body: UpdateEmployeeField; answer: { data: EmployeeField } }
  'DELETE /employee_fields/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /employee_fields/{employee_field_id}/options': { params: { employee_field_id: number | string }; query: Nothing; body: Nothing; answer: { data: EmployeeFieldOption[]; metadata: Metadata } }
  'POST /employee_fields/{employee_field_id}/options': { params: { employee_field_id: number | string }; query: Nothing; body: CreateEmployeeFieldOption; answer: { data: EmployeeFieldOption } }
  'GET /employee_fields/{employee_field_id}/options/{id}': { params: { employee_field_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: EmployeeFieldOption } }
  'PUT /employee_fields/{employee_field_id}/options/{id}': { params: { employee_field_id: number | string; id: number | string }; query: Nothing; body: UpdateEmployeeFieldOption; answer: { data: EmployeeFieldOption } }
  'DELETE /employee_fields/{employee_field_id}/options/{id}': { params: { employee_field_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /employees/{employee_id}/field_histories': { params: { employee_id: number | string }; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at"; employee_field_internal_name?: string }; body: Nothing; answer: { data: EmployeeFieldHistory[]; metadata: Metadata } }
  'POST /employees/{employee_id}/field_histories': { params: { employee_id: number | string }; query: Nothing; body: CreateEmployeeFieldHistory; answer: { data: EmployeeFieldHistory } }
  'GET /employees/{employee_id}/field_histories/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: EmployeeFieldHistory } }
  'DELETE /employees/{employee_id}/field_histories/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /employee_tables': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" | "internal_name" | "-internal_name" }; body: Nothing; answer: { data: EmployeeTable[]; metadata: Metadata } }
  'GET /employee_tables/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: EmployeeTable } }
  'POST /employee_tables': { params: Nothing; query: Nothing; body: CreateEmployeeTable; answer: { data: EmployeeTable } }
  'PUT /employee_tables/{id}': { params: { id: number | string }; query: Nothing; body: UpdateEmployeeTable; answer: { data: EmployeeTable } }
  'DELETE /employee_tables/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /employee_tables/{employee_table_id}/columns': { params: { employee_table_id: number | string }; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" }; body: Nothing; answer: { data: EmployeeTableColumn[]; metadata: Metadata } }
  'GET /employee_tables/{employee_table_id}/columns/{id}': { params: { employee_table_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: EmployeeTableColumn } }
  'POST /employee_tables/{employee_table_id}/columns': { params: { employee_table_id: number | string }; query: Nothing; body: CreateEmployeeTableColumn; answer: { data: EmployeeTableColumn } }
  'PUT /employee_tables/{employee_table_id}/columns/{id}': { params: { employee_table_id: number | string; id: number | string }; query: Nothing; body: UpdateEmployeeTableColumn; answer: { data: EmployeeTableColumn } }
  'DELETE /employee_tables/{employee_table_id}/columns/{id}': { params: { employee_table_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /employee_tables/{employee_table_id}/columns/{employee_table_column_id}/options': { params: { employee_table_id: number | string; employee_table_column_id: number | string }; query: Nothing; body: Nothing; answer: { data: EmployeeTableColumnOption[]; metadata: Metadata } }
  'POST /employee_tables/{employee_table_id}/columns/{employee_table_column_id}/options': { params: { employee_table_id: number | string; employee_table_column_id: number | string }; query: Nothing; body: CreateEmployeeTableColumnOption; answer: { data: EmployeeTableColumnOption } }
  'GET /employee_tables/{employee_table_id}/columns/{employee_table_column_id}/options/{id}': { params: { employee_table_id: number | string; employee_table_column_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: EmployeeTableColumnOption } }
  'PUT /employee_tables/{employee_table_id}/columns/{employee_table_column_id}/options/{id}': { params: { employee_table_id: number | string; employee_table_column_id: number | string; id: number | string }; query: Nothing; body: UpdateEmployeeTableColumnOption; answer: { data: EmployeeTableColumnOption } }
  'DELETE /employee_tables/{employee_table_id}/columns/{employee_table_column_id}/options/{id}': { params: { employee_table_id: number | string; employee_table_column_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /employees/{employee_id}/tables': { params: { employee_id: number | string }; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" | "internal_name" | "-internal_name" }; body: Nothing; answer: { data: EmployeeTableWithRows[]; metadata: Metadata } }
  'GET /employees/{employee_id}/tables/{employee_table_id}': { params: { employee_id: number | string; employee_table_id: number | string }; query: Nothing; body: Nothing; answer: { data: EmployeeTableWithRows; id: number; internal_name: string; name: string; description: string; rows: RowOfEmployeeTable[] } }
  'GET /employees/{employee_id}/tables/{employee_table_id}/rows': { params: { employee_id: number | string; employee_table_id: number | string }; query: Nothing; body: Nothing; answer: { data: EmployeeTableRow[] } }
  'GET /employees/{employee_id}/tables/{employee_table_id}/rows/{id}': { params: { employee_id: number | string; employee_table_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: EmployeeTableRow } }
  'POST /employees/{employee_id}/tables/{employee_table_id}/rows': { params: { employee_id: number | string; employee_table_id: number | string }; query: Nothing; body: CreateEmployeeTableRow & Record<string, unknown>; answer: { data: EmployeeTableRow } }
  'PUT /employees/{employee_id}/tables/{employee_table_id}/rows/{id}': { params: { employee_id: number | string; employee_table_id: number | string; id: number | string }; query: Nothing; body: UpdateEmployeeTableRow & Record<string, unknown>; answer: { data: EmployeeTableRow } }
  'DELETE /employees/{employee_id}/tables/{employee_table_id}/rows/{id}': { params: { employee_id: number | string; employee_table_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /employee_tables/{employee_table_id}/rows': { params: { employee_table_id: number | string }; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at"; employee_id?: number; 'employee_ids[]'?: number[] }; body: Nothing; answer: { data: EmployeeTableRowOfEmployee[]; metadata: Metadata } }
  'GET /company': { params: Nothing; query: Nothing; body: Nothing; answer: { data: Company } }
  'PUT /company': { params: Nothing; query: Nothing; body: UpdateCompany; answer: { data: Company } }
  'GET /departments': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: Department[]; metadata: Metadata } }
  'GET /departments/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: Department } }
  'POST /departments': { params: Nothing; query: Nothing; body: CreateDepartment; answer: { data: Department } }
  'PUT /departments/{id}': { params: { id: number | string }; query: Nothing; body: UpdateDepartment; answer: { data: Department } }
  'DELETE /departments/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /department_levels': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: DepartmentLevel[]; metadata: Metadata } }
  'GET /department_levels/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: DepartmentLevel } }
  'POST /department_levels': { params: Nothing; query: Nothing; body: CreateDepartmentLevel; answer: { data: DepartmentLevel } }
  'PUT /department_levels/{id}': { params: { id: number | string }; query: Nothing; body: UpdateDepartmentLevel; answer: { data: DepartmentLevel } }
  'DELETE /department_levels/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /divisions': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: Division[]; metadata: Metadata } }
  'GET /divisions/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: Division } }
  'POST /divisions': { params: Nothing; query: Nothing; body: CreateDivision; answer: { data: Division } }
  'PUT /divisions/{id}': { params: { id: number | string }; query: Nothing; body: UpdateDivision; answer: { data: Division } }
  'DELETE /divisions/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /positions': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: Position[]; metadata: Metadata } }
  'GET /positions/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: Position } }
  'POST /positions': { params: Nothing; query: Nothing; body: CreatePosition; answer: { data: Position } }
  'PUT /positions/{id}': { params: { id: number | string }; query: Nothing; body: UpdatePosition; answer: { data: Position } }
  'DELETE /positions/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /job_levels': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: JobLevel[]; metadata: Metadata } }
  'GET /job_levels/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: JobLevel } }
  'POST /job_levels': { params: Nothing; query: Nothing; body: CreateJobLevel; answer: { data: JobLevel } }
  'PUT /job_levels/{id}': { params: { id: number | string }; query: Nothing; body: UpdateJobLevel; answer: { data: JobLevel } }
  'DELETE /job_levels/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /job_groups': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: JobGroup[]; metadata: Metadata } }
  'GET /job_groups/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: JobGroup } }
  'POST /job_groups': { params: Nothing; query: Nothing; body: CreateJobGroup; answer: { data: JobGroup } }
  'PUT /job_groups/{id}': { params: { id: number | string }; query: Nothing; body: UpdateJobGroup; answer: { data: JobGroup } }
  'DELETE /job_groups/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /employment_types': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: EmploymentType[]; metadata: Metadata } }
  'GET /employment_types/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: EmploymentType } }
  'POST /employment_types': { params: Nothing; query: Nothing; body: CreateEmploymentType; answer: { data: EmploymentType } }
  'PUT /employment_types/{id}': { params: { id: number | string }; query: Nothing; body: UpdateEmploymentType; answer: { data: EmploymentType } }
  'DELETE /employment_types/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /legal_entities': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: LegalEntity[]; metadata: Metadata } }
  'GET /legal_entities/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: LegalEntity } }
  'POST /legal_entities': { params: Nothing; query: Nothing; body: CreateLegalEntity; answer: { data: LegalEntity } }
  'PUT /legal_entities/{id}': { params: { id: number | string }; query: Nothing; body: UpdateLegalEntity; answer: { data: LegalEntity } }
  'DELETE /legal_entities/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /genders': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: Gender[]; metadata: Metadata } }
  'GET /genders/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: Gender } }
  'POST /genders': { params: Nothing; query: Nothing; body: CreateGender; answer: { data: Gender } }
  'PUT /genders/{id}': { params: { id: number | string }; query: Nothing; body: UpdateGender; answer: { data: Gender } }
  'DELETE /genders/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /termination_types': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: TerminationType[]; metadata: Metadata } }
  'GET /termination_types/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: TerminationType } }
  'POST /termination_types': { params: Nothing; query: Nothing; body: CreateTerminationType; answer: { data: TerminationType } }
  'PUT /termination_types/{id}': { params: { id: number | string }; query: Nothing; body: UpdateTerminationType; answer: { data: TerminationType } }
  'DELETE /termination_types/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /termination_reasons': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: TerminationReason[]; metadata: Metadata } }
  'GET /termination_reasons/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: TerminationReason } }
  'POST /termination_reasons': { params: Nothing; query: Nothing; body: CreateTerminationReason; answer: { data: TerminationReason } }
  'PUT /termination_reasons/{id}': { params: { id: number | string }; query: Nothing; body: UpdateTerminationReason; answer: { data: TerminationReason } }
  'DELETE /termination_reasons/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /compensation_types': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: CompensationType[]; metadata: Metadata } }
  'GET /compensation_types/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: CompensationType } }
  'POST /compensation_types': { params: Nothing; query: Nothing; body: CreateCompensationType; answer: { data: CompensationType } }
  'PUT /compensation_types/{id}': { params: { id: number | string }; query: Nothing; body: UpdateCompensationType; answer: { data: CompensationType } }
  'DELETE /compensation_types/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /pay_schedules': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: PaySchedule[]; metadata: Metadata } }
  'GET /pay_schedules/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: PaySchedule } }
  'POST /pay_schedules': { params: Nothing; query: Nothing; body: CreatePaySchedule; answer: { data: PaySchedule } }
  'PUT /pay_schedules/{id}': { params: { id: number | string }; query: Nothing; body: UpdatePaySchedule; answer: { data: PaySchedule } }
  'DELETE /pay_schedules/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /job_profiles': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name"; job_group_id?: number }; body: Nothing; answer: { data: JobProfile[]; metadata: Metadata } }
  'GET /job_profiles/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: JobProfile } }
  'POST /job_profiles': { params: Nothing; query: Nothing; body: CreateJobProfile; answer: { data: JobProfile } }
  'PUT /job_profiles/{id}': { params: { id: number | string }; query: Nothing; body: UpdateJobProfile; answer: { data: JobProfile } }
  'DELETE /job_profiles/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /locations': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: Location[]; metadata: Metadata } }
  'GET /locations/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: Location } }
  'POST /locations': { params: Nothing; query: Nothing; body: CreateLocation; answer: { data: Location } }
  'PUT /locations/{id}': { params: { id: number | string }; query: Nothing; body: UpdateLocation; answer: { data: Location } }
  'DELETE /locations/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /holiday_policies': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: HolidayPolicy[]; metadata: Metadata } }
  'GET /holiday_policies/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: HolidayPolicy } }
  'POST /holiday_policies': { params: Nothing; query: Nothing; body: CreateHolidayPolicy; answer: { data: HolidayPolicy } }
  'PUT /holiday_policies/{id}': { params: { id: number | string }; query: Nothing; body: UpdateHolidayPolicy; answer: { data: HolidayPolicy } }
  'DELETE /holiday_policies/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /holidays': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at"; holiday_policy_id?: number; 'holiday_policy_ids[]'?: number[]; location_id?: number; 'location_ids[]'?: number[]; 'starts_on[gte]'?: string; 'starts_on[lte]'?: string; 'starts_on[gt]'?: string; 'starts_on[lt]'?: string; 'ends_on[gte]'?: string; 'ends_on[lte]'?: string; 'ends_on[gt]'?: string; 'ends_on[lt]'?: string }; body: Nothing; answer: { data: Holiday[]; metadata: Metadata } }
  'GET /holidays/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: Holiday } }
  'POST /holidays': { params: Nothing; query: Nothing; body: CreateHoliday; answer: { data: Holiday } }
  'PUT /holidays/{id}': { params: { id: number | string }; query: Nothing; body: UpdateHoliday; answer: { data: Holiday } }
  'DELETE /holidays/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /holiday_regions': { params: Nothing; query: { country_code?: string }; body: Nothing; answer: { data: HolidayRegion[] } }
  'GET /working_patterns': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: WorkingPattern[]; metadata: Metadata } }
  'GET /working_patterns/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: WorkingPattern } }
  'POST /working_patterns': { params: Nothing; query: Nothing; body: CreateWorkingPattern; answer: { data: WorkingPattern } }
  'PUT /working_patterns/{id}': { params: { id: number | string }; query: Nothing; body: UpdateWorkingPattern; answer: { data: WorkingPattern } }
  'DELETE /working_patterns/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /probation_policies': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: ProbationPolicy[]; metadata: Metadata } }
  'GET /probation_policies/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: ProbationPolicy } }
  'POST /probation_policies': { params: Nothing; query: Nothing; body: CreateProbationPolicy; answer: { data: ProbationPolicy } }
  'PUT /probation_policies/{id}': { params: { id: number | string }; query: Nothing; body: UpdateProbationPolicy; answer: { data: ProbationPolicy } }
  'DELETE /probation_policies/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /document_folders': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: DocumentFolder[]; metadata: Metadata } }
  'GET /document_folders/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: DocumentFolder } }
  'POST /document_folders': { params: Nothing; query: Nothing; body: CreateDocumentFolder; answer: { data: DocumentFolder } }
  'PUT /document_folders/{id}': { params: { id: number | string }; query: Nothing; body: UpdateDocumentFolder; answer: { data: DocumentFolder } }
  'DELETE /document_folders/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /teams': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: Team[]; metadata: Metadata } }
  'GET /teams/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: Team } }
  'POST /teams': { params: Nothing; query: Nothing; body: CreateTeam; answer: { data: Team } }
  'PUT /teams/{id}': { params: { id: number | string }; query: Nothing; body: UpdateTeam; answer: { data: Team } }
  'DELETE /teams/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'POST /teams/{team_id}/team_members': { params: { team_id: number | string }; query: Nothing; body: AddTeamMember; answer: { data: TeamMembership } }
  'DELETE /teams/{team_id}/team_members/{id}': { params: { team_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /recruitment/vacancies': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at"; 'status[]'?: ("drafting" | "opened" | "held" | "closed" | "cancelled" | "archived")[]; 'priority[]'?: ("low" | "medium" | "high")[]; 'tag_ids[]'?: number[]; 'tags[]'?: string[]; department_id?: number; location_id?: number; hiring_lead_user_id?: number; q?: string }; body: Nothing; answer: { data: Vacancy[]; metadata: Metadata } }
  'GET /recruitment/vacancies/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: Vacancy } }
  'POST /recruitment/vacancies': { params: Nothing; query: Nothing; body: CreateVacancy & Record<string, unknown>; answer: { data: Vacancy } }
  'PUT /recruitment/vacancies/{id}': { params: { id: number | string }; query: Nothing; body: UpdateVacancy & Record<string, unknown>; answer: { data: Vacancy } }
  'DELETE /recruitment/vacancies/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /recruitment/vacancies/{vacancy_id}/pipeline': { params: { vacancy_id: number | string }; query: Nothing; body: Nothing; answer: { data: VacancyBoard; vacancy_id: number; pipeline_id: number; applications_count: number; qualified_applications_count: number; disqualified_applications_count: number; stages: { id: number; name: string; type: string; qualified_applications_count: number; disqualified_applications_count: number }[] } }
  'GET /recruitment/vacancies/{vacancy_id}/applications': { params: { vacancy_id: number | string }; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at"; stage_id?: number; pipeline_stage_id?: number; disqualified?: true | false | "all"; source_id?: number; 'tag_ids[]'?: number[]; q?: string }; body: Nothing; answer: { data: Application[]; metadata: Metadata } }
  'GET /recruitment/vacancies/{vacancy_id}/applications/{id}': { params: { vacancy_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: Application } }
  'POST /recruitment/vacancies/{vacancy_id}/applications': { params: { vacancy_id: number | string }; query: Nothing; body: CreateApplication; answer: { data: Application } }
  'PUT /recruitment/vacancies/{vacancy_id}/applications/{id}': { params: { vacancy_id: number | string; id: number | string }; query: Nothing; body: UpdateApplication; answer: { data: Application } }
  'PUT /recruitment/vacancies/{vacancy_id}/applications/{id}/move': { params: { vacancy_id: number | string; id: number | string }; query: Nothing; body: MoveApplication; answer: { data: Application } }
  'POST /recruitment/vacancies/{vacancy_id}/applications/{id}/disqualify': { params: { vacancy_id: number | string; id: number | string }; query: Nothing; body: DisqualifyApplication; answer: { data: Application } }
  'POST /recruitment/vacancies/{vacancy_id}/applications/{id}/requalify': { params: { vacancy_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: Application } }
  'PUT /recruitment/vacancies/{vacancy_id}/applications/bulk/move': { params: { vacancy_id: number | string }; query: Nothing; body: MoveApplications; answer: { data: Application[] } }
  'POST /recruitment/vacancies/{vacancy_id}/applications/bulk/disqualify': { params: { vacancy_id: number | string }; query: Nothing; body: DisqualifyApplications; answer: { data: Application[] } }
  'POST /recruitment/vacancies/{vacancy_id}/applications/{id}/hire': { params: { vacancy_id: number | string; id: number | string }; query: Nothing; body: HireApplicant; answer: { data: Hiring } }
  'POST /recruitment/vacancies/{vacancy_id}/applications/{id}/undo_hire': { params: { vacancy_id: number | string; id: number | string }; query: Nothing; body: UndoHire; answer: { data: Application } }
  'GET /recruitment/movements': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at"; 'vacancy_ids[]'?: number[]; 'applicant_ids[]'?: number[]; 'entered_at[gte]'?: string; 'entered_at[lte]'?: string; 'entered_at[gt]'?: string; 'entered_at[lt]'?: string }; body: Nothing; answer: { data: Movement[]; metadata: Metadata } }
  'GET /recruitment/candidates': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "email" | "-email"; 'created_at[gte]'?: string; 'created_at[lte]'?: string; 'created_at[gt]'?: string; 'created_at[lt]'?: string; 'updated_at[gte]'?: string; 'updated_at[lte]'?: string; 'updated_at[gt]'?: string; 'updated_at[lt]'?: string; email?: string; pipeline_stage_id?: number; 'vacancy_ids[]'?: number[]; vacancy_id?: number; 'skills[]'?: string[]; 'tags[]'?: string[]; source_id?: number; state?: "active" | "disqualified" | "hired"; 'hired_at[gte]'?: string; 'hired_at[lte]'?: string; 'hired_at[gt]'?: string; 'hired_at[lt]'?: string; department_id?: number; 'department_ids[]'?: number[]; location_id?: number; 'location_ids[]'?: number[]; q?: string }; body: Nothing; answer: { data: Candidate[]; metadata: Metadata } }
  'GET /recruitment/candidates/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: Candidate } }
  'POST /recruitment/candidates': { params: Nothing; query: Nothing; body: CreateCandidate & Record<string, unknown>; answer: { data: Candidate } }
  'PUT /recruitment/candidates/{id}': { params: { id: number | string }; query: Nothing; body: UpdateCandidate & Record<string, unknown>; answer: { data: Candidate } }
  'DELETE /recruitment/candidates/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /recruitment/candidates/{candidate_id}/notes': { params: { candidate_id: number | string }; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" }; body: Nothing; answer: { data: CandidateNote[]; metadata: Metadata } }
  'GET /recruitment/candidates/{candidate_id}/notes/{id}': { params: { candidate_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: CandidateNote } }
  'POST /recruitment/candidates/{candidate_id}/notes': { params: { candidate_id: number | string }; query: Nothing; body: CreateCandidateNote; answer: { data: CandidateNote } }
  'PUT /recruitment/candidates/{candidate_id}/notes/{id}': { params: { candidate_id: number | string; id: number | string }; query: Nothing; body: UpdateCandidateNote; answer: { data: CandidateNote } }
  'DELETE /recruitment/candidates/{candidate_id}/notes/{id}': { params: { candidate_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /recruitment/candidates/{candidate_id}/educations': { params: { candidate_id: number | string }; query: Nothing; body: Nothing; answer: { data: CandidateEducation[] } }
  'GET /recruitment/candidates/{candidate_id}/educations/{id}': { params: { candidate_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: CandidateEducation } }
  'POST /recruitment/candidates/{candidate_id}/educations': { params: { candidate_id: number | string }; query: Nothing; body: CreateCandidateEducation; answer: { data: CandidateEducation } }
  'PUT /recruitment/candidates/{candidate_id}/educations/{id}': { params: { candidate_id: number | string; id: number | string }; query: Nothing; body: UpdateCandidateEducation; answer: { data: CandidateEducation } }
  'DELETE /recruitment/candidates/{candidate_id}/educations/{id}': { params: { candidate_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /recruitment/candidates/{candidate_id}/experiences': { params: { candidate_id: number | string }; query: Nothing; body: Nothing; answer: { data: CandidateExperience[] } }
  'GET /recruitment/candidates/{candidate_id}/experiences/{id}': { params: { candidate_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: CandidateExperience } }
  'POST /recruitment/candidates/{candidate_id}/experiences': { params: { candidate_id: number | string }; query: Nothing; body: CreateCandidateExperience; answer: { data: CandidateExperience } }
  'PUT /recruitment/candidates/{candidate_id}/experiences/{id}': { params: { candidate_id: number | string; id: number | string }; query: Nothing; body: UpdateCandidateExperience; answer: { data: CandidateExperience } }
  'DELETE /recruitment/candidates/{candidate_id}/experiences/{id}': { params: { candidate_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /recruitment/candidates/{candidate_id}/documents': { params: { candidate_id: number | string }; query: Nothing; body: Nothing; answer: { data: CandidateDocument[] } }
  'GET /recruitment/candidates/{candidate_id}/documents/{id}': { params: { candidate_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: CandidateDocument } }
  'POST /recruitment/candidates/{candidate_id}/documents': { params: { candidate_id: number | string }; query: Nothing; body: CreateCandidateDocument; answer: { data: CandidateDocument; id: number; filename: string; url: string; expires_at: string; created_at: string; updated_at: string } }
  'PUT /recruitment/candidates/{candidate_id}/documents/{id}': { params: { candidate_id: number | string; id: number | string }; query: Nothing; body: UpdateCandidateDocument; answer: { data: CandidateDocument } }
  'DELETE /recruitment/candidates/{candidate_id}/documents/{id}': { params: { candidate_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'POST /recruitment/candidates/{candidate_id}/consent': { params: { candidate_id: number | string }; query: Nothing; body: SetConsent; answer: { data: Candidate } }
  'GET /recruitment/candidates/{candidate_id}/duplicates': { params: { candidate_id: number | string }; query: Nothing; body: Nothing; answer: { data: CandidateDuplicate[] } }
  'POST /recruitment/candidates/{candidate_id}/merge': { params: { candidate_id: number | string }; query: Nothing; body: MergeCandidates; answer: { data: Candidate } }
  'GET /recruitment/candidates/{candidate_id}/merges': { params: { candidate_id: number | string }; query: Nothing; body: Nothing; answer: { data: CandidateMerge[] } }
  'GET /recruitment/pipelines': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: Pipeline[]; metadata: Metadata } }
  'GET /recruitment/pipelines/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: Pipeline } }
  'POST /recruitment/pipelines': { params: Nothing; query: Nothing; body: CreatePipeline; answer: { data: Pipeline } }
  'PUT /recruitment/pipelines/{id}': { params: { id: number | string }; query: Nothing; body: UpdatePipeline; answer: { data: Pipeline } }
  'DELETE /recruitment/pipelines/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /recruitment/pipelines/{pipeline_id}/stages/{id}': { params: { pipeline_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: PipelineStage } }
  'POST /recruitment/pipelines/{pipeline_id}/stages': { params: { pipeline_id: number | string }; query: Nothing; body: CreatePipelineStage; answer: { data: PipelineStage } }
  'PUT /recruitment/pipelines/{pipeline_id}/stages/{id}': { params: { pipeline_id: number | string; id: number | string }; query: Nothing; body: UpdatePipelineStage; answer: { data: PipelineStage } }
  'DELETE /recruitment/pipelines/{pipeline_id}/stages/{id}': { params: { pipeline_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /recruitment/sources': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: Source[]; metadata: Metadata } }
  'GET /recruitment/sources/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: Source } }
  'POST /recruitment/sources': { params: Nothing; query: Nothing; body: CreateSource; answer: { data: Source } }
  'PUT /recruitment/sources/{id}': { params: { id: number | string }; query: Nothing; body: UpdateSource; answer: { data: Source } }
  'DELETE /recruitment/sources/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /recruitment/disqualify_reasons': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: DisqualifyReason[]; metadata: Metadata } }
  'GET /recruitment/disqualify_reasons/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: DisqualifyReason } }
  'POST /recruitment/disqualify_reasons': { params: Nothing; query: Nothing; body: CreateDisqualifyReason; answer: { data: DisqualifyReason } }
  'PUT /recruitment/disqualify_reasons/{id}': { params: { id: number | string }; query: Nothing; body: UpdateDisqualifyReason; answer: { data: DisqualifyReason } }
  'DELETE /recruitment/disqualify_reasons/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /recruitment/tags': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: RecruitmentTag[]; metadata: Metadata } }
  'GET /recruitment/tags/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: RecruitmentTag } }
  'POST /recruitment/tags': { params: Nothing; query: Nothing; body: CreateRecruitmentTag; answer: { data: RecruitmentTag } }
  'PUT /recruitment/tags/{id}': { params: { id: number | string }; query: Nothing; body: UpdateRecruitmentTag; answer: { data: RecruitmentTag } }
  'DELETE /recruitment/tags/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /recruitment/vacancy_fields': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" | "internal_name" | "-internal_name" }; body: Nothing; answer: { data: VacancyField[]; metadata: Metadata } }
  'GET /recruitment/vacancy_fields/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: VacancyField } }
  'POST /recruitment/vacancy_fields': { params: Nothing; query: Nothing; body: CreateVacancyField; answer: { data: VacancyField } }
  'PUT /recruitment/vacancy_fields/{id}': { params: { id: number | string }; query: Nothing; body: UpdateVacancyField; answer: { data: VacancyField } }
  'DELETE /recruitment/vacancy_fields/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /recruitment/vacancy_fields/{vacancy_field_id}/options': { params: { vacancy_field_id: number | string }; query: Nothing; body: Nothing; answer: { data: VacancyFieldOption[]; metadata: Metadata } }
  'POST /recruitment/vacancy_fields/{vacancy_field_id}/options': { params: { vacancy_field_id: number | string }; query: Nothing; body: CreateVacancyFieldOption; answer: { data: VacancyFieldOption } }
  'GET /recruitment/vacancy_fields/{vacancy_field_id}/options/{id}': { params: { vacancy_field_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: VacancyFieldOption } }
  'PUT /recruitment/vacancy_fields/{vacancy_field_id}/options/{id}': { params: { vacancy_field_id: number | string; id: number | string }; query: Nothing; body: UpdateVacancyFieldOption; answer: { data: VacancyFieldOption } }
  'DELETE /recruitment/vacancy_fields/{vacancy_field_id}/options/{id}': { params: { vacancy_field_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /recruitment/candidate_fields': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" | "internal_name" | "-internal_name" }; body: Nothing; answer: { data: CandidateField[]; metadata: Metadata } }
  'GET /recruitment/candidate_fields/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: CandidateField } }
  'POST /recruitment/candidate_fields': { params: Nothing; query: Nothing; body: CreateCandidateField; answer: { data: CandidateField } }
  'PUT /recruitment/candidate_fields/{id}': { params: { id: number | string }; query: Nothing; body: UpdateCandidateField; answer: { data: CandidateField } }
  'DELETE /recruitment/candidate_fields/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /recruitment/candidate_fields/{candidate_field_id}/options': { params: { candidate_field_id: number | string }; query: Nothing; body: Nothing; answer: { data: CandidateFieldOption[]; metadata: Metadata } }
  'POST /recruitment/candidate_fields/{candidate_field_id}/options': { params: { candidate_field_id: number | string }; query: Nothing; body: CreateCandidateFieldOption; answer: { data: CandidateFieldOption } }
  'GET /recruitment/candidate_fields/{candidate_field_id}/options/{id}': { params: { candidate_field_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: CandidateFieldOption } }
  'PUT /recruitment/candidate_fields/{candidate_field_id}/options/{id}': { params: { candidate_field_id: number | string; id: number | string }; query: Nothing; body: UpdateCandidateFieldOption; answer: { data: CandidateFieldOption } }
  'DELETE /recruitment/candidate_fields/{candidate_field_id}/options/{id}': { params: { candidate_field_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /recruitment/settings': { params: Nothing; query: Nothing; body: Nothing; answer: { data: RecruitmentSettings } }
  'PUT /recruitment/settings': { params: Nothing; query: Nothing; body: UpdateRecruitmentSettings; answer: { data: RecruitmentSettings } }
  'GET /recruitment/careers/company': { params: Nothing; query: { account?: number }; body: Nothing; answer: { data: CareersCompany } }
  'GET /recruitment/careers/vacancies': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at"; department_id?: number; location_id?: number; employment_type_id?: number; q?: string; account?: number }; body: Nothing; answer: { data: CareersVacancy[]; metadata: Metadata } }
  'GET /recruitment/careers/vacancies/{id}': { params: { id: number | string }; query: { account?: number }; body: Nothing; answer: { data: CareersVacancy } }
  'POST /recruitment/careers/vacancies/{vacancy_id}/applications': { params: { vacancy_id: number | string }; query: { account?: number }; body: CareersApplication; answer: { data: CareersReceipt } }
  'GET /tasks': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "starts_on" | "-starts_on" | "ends_on" | "-ends_on" | "completed_at" | "-completed_at"; completed?: true | false | "all"; employee_id?: number; candidate_id?: number; 'starts_on[gte]'?: string; 'starts_on[lte]'?: string; 'starts_on[gt]'?: string; 'starts_on[lt]'?: string }; body: Nothing; answer: { data: Task[]; metadata: Metadata } }
  'GET /employees/{employee_id}/tasks': { params: { employee_id: number | string }; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "starts_on" | "-starts_on" | "ends_on" | "-ends_on" | "completed_at" | "-completed_at"; completed?: true | false | "all" }; body: Nothing; answer: { data: Task[]; metadata: Metadata } }
  'GET /tasks/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: Task } }
  'POST /tasks': { params: Nothing; query: Nothing; body: CreateTask; answer: { data: Task } }
  'PUT /tasks/{id}': { params: { id: number | string }; query: Nothing; body: UpdateTask; answer: { data: Task } }
  'DELETE /tasks/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'PUT /tasks/{id}/complete': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: Task } }
  'PUT /tasks/{id}/incomplete': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: Task } }
  'GET /performance/key_performance_indicators': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at"; kpi_type?: "individual" | "department" | "location" | "division" | "company"; owner_id?: number; status?: "none" | "on_track" | "behind" | "at_risk" }; body: Nothing; answer: { data: KeyPerformanceIndicator[]; metadata: Metadata } }
  'GET /performance/key_performance_indicators/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: KeyPerformanceIndicator } }
  'POST /performance/key_performance_indicators': { params: Nothing; query: Nothing; body: CreateKeyPerformanceIndicator; answer: { data: KeyPerformanceIndicator } }
  'PUT /performance/key_performance_indicators/{id}': { params: { id: number | string }; query: Nothing; body: UpdateKeyPerformanceIndicator; answer: { data: KeyPerformanceIndicator } }
  'DELETE /performance/key_performance_indicators/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /performance/key_performance_indicators/{key_performance_indicator_id}/key_performance_indicator_results': { params: { key_performance_indicator_id: number | string }; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" }; body: Nothing; answer: { data: KeyPerformanceIndicatorResult[]; metadata: Metadata } }
  'GET /performance/key_performance_indicators/{key_performance_indicator_id}/key_performance_indicator_results/{id}': { params: { key_performance_indicator_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: KeyPerformanceIndicatorResult } }
  'POST /performance/key_performance_indicators/{key_performance_indicator_id}/key_performance_indicator_results': { params: { key_performance_indicator_id: number | string }; query: Nothing; body: CreateKeyPerformanceIndicatorResult; answer: { data: KeyPerformanceIndicatorResult } }
  'PUT /performance/key_performance_indicators/{key_performance_indicator_id}/key_performance_indicator_results/{id}': { params: { key_performance_indicator_id: number | string; id: number | string }; query: Nothing; body: UpdateKeyPerformanceIndicatorResult; answer: { data: KeyPerformanceIndicatorResult } }
  'DELETE /performance/key_performance_indicators/{key_performance_indicator_id}/key_performance_indicator_results/{id}': { params: { key_performance_indicator_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /performance/objectives': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at"; owner_id?: number }; body: Nothing; answer: { data: Objective[]; metadata: Metadata } }
  'GET /performance/objectives/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: Objective } }
  'POST /performance/objectives': { params: Nothing; query: Nothing; body: CreateObjective; answer: { data: Objective } }
  'PUT /performance/objectives/{id}': { params: { id: number | string }; query: Nothing; body: UpdateObjective; answer: { data: Objective } }
  'DELETE /performance/objectives/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /competencies': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: Competency[]; metadata: Metadata } }
  'GET /competencies/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: Competency } }
  'POST /competencies': { params: Nothing; query: Nothing; body: CreateCompetency; answer: { data: Competency } }
  'PUT /competencies/{id}': { params: { id: number | string }; query: Nothing; body: UpdateCompetency; answer: { data: Competency } }
  'DELETE /competencies/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /performance/review_cycles': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "starts_on" | "-starts_on" | "ends_on" | "-ends_on"; state?: "draft" | "opened" | "closed" | "finished"; 'starts_on[gte]'?: string; 'starts_on[lte]'?: string; 'starts_on[gt]'?: string; 'starts_on[lt]'?: string; 'ends_on[gte]'?: string; 'ends_on[lte]'?: string; 'ends_on[gt]'?: string; 'ends_on[lt]'?: string }; body: Nothing; answer: { data: ReviewCycle[]; metadata: Metadata } }
  'GET /performance/review_cycles/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: ReviewCycle } }
  'POST /performance/review_cycles': { params: Nothing; query: Nothing; body: CreateReviewCycle; answer: { data: ReviewCycle } }
  'PUT /performance/review_cycles/{id}': { params: { id: number | string }; query: Nothing; body: UpdateReviewCycle; answer: { data: ReviewCycle } }
  'DELETE /performance/review_cycles/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'POST /performance/review_cycles/{id}/open': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: ReviewCycle } }
  'POST /performance/review_cycles/{id}/close': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: ReviewCycle } }
  'POST /performance/review_cycles/{id}/reopen': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: ReviewCycle } }
  'POST /performance/review_cycles/{id}/finish': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: ReviewCycle } }
  'GET /performance/review_cycles/{review_cycle_id}/questions': { params: { review_cycle_id: number | string }; query: { page?: number; per_page?: number; sort?: "position" | "-position" | "id" | "-id" }; body: Nothing; answer: { data: ReviewQuestion[]; metadata: Metadata } }
  'GET /performance/review_cycles/{review_cycle_id}/questions/{id}': { params: { review_cycle_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: ReviewQuestion } }
  'POST /performance/review_cycles/{review_cycle_id}/questions': { params: { review_cycle_id: number | string }; query: Nothing; body: CreateReviewQuestion; answer: { data: ReviewQuestion } }
  'PUT /performance/review_cycles/{review_cycle_id}/questions/{id}': { params: { review_cycle_id: number | string; id: number | string }; query: Nothing; body: UpdateReviewQuestion; answer: { data: ReviewQuestion } }
  'DELETE /performance/review_cycles/{review_cycle_id}/questions/{id}': { params: { review_cycle_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /performance/review_cycles/{review_cycle_id}/reviews': { params: { review_cycle_id: number | string }; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at"; employee_id?: number; 'employee_ids[]'?: number[]; state?: "not_started" | "partially_submitted" | "submitted" | "shared"; waiting_for_id?: number }; body: Nothing; answer: { data: Review[]; metadata: Metadata } }
  'GET /performance/review_cycles/{review_cycle_id}/reviews/{id}': { params: { review_cycle_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: Review } }
  'POST /performance/review_cycles/{review_cycle_id}/reviews': { params: { review_cycle_id: number | string }; query: Nothing; body: CreateReview; answer: { data: Review } }
  'POST /performance/review_cycles/{review_cycle_id}/reviews/bulk': { params: { review_cycle_id: number | string }; query: Nothing; body: AddReviews; answer: { records: { count: number; data: AddedReview[] }; errors?: { count: number; data: { employee_id: number; messages: string[] }[] } } }
  'DELETE /performance/review_cycles/{review_cycle_id}/reviews/{id}': { params: { review_cycle_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /performance/review_cycles/{review_cycle_id}/reviews/{review_id}/questions': { params: { review_cycle_id: number | string; review_id: number | string }; query: { page?: number; per_page?: number; sort?: "position" | "-position" | "id" | "-id" }; body: Nothing; answer: { data: ReviewQuestion[]; metadata: Metadata } }
  'GET /performance/review_cycles/{review_cycle_id}/reviews/{review_id}/review_participants': { params: { review_cycle_id: number | string; review_id: number | string }; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" }; body: Nothing; answer: { data: ReviewParticipant[]; metadata: Metadata } }
  'GET /performance/review_cycles/{review_cycle_id}/reviews/{review_id}/review_participants/{id}': { params: { review_cycle_id: number | string; review_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: ReviewParticipant } }
  'POST /performance/review_cycles/{review_cycle_id}/reviews/{review_id}/review_participants': { params: { review_cycle_id: number | string; review_id: number | string }; query: Nothing; body: CreateReviewParticipant; answer: { data: ReviewParticipant } }
  'PUT /performance/review_cycles/{review_cycle_id}/reviews/{review_id}/review_participants/{id}': { params: { review_cycle_id: number | string; review_id: number | string; id: number | string }; query: Nothing; body: UpdateReviewParticipant; answer: { data: ReviewParticipant } }
  'DELETE /performance/review_cycles/{review_cycle_id}/reviews/{review_id}/review_participants/{id}': { params: { review_cycle_id: number | string; review_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /performance/review_cycles/{review_cycle_id}/reviews/{review_id}/answers': { params: { review_cycle_id: number | string; review_id: number | string }; query: { page?: number; per_page?: number; sort?: "position" | "-position" | "id" | "-id" }; body: Nothing; answer: { data: ReviewAnswer[]; metadata: Metadata } }
  'GET /performance/review_cycles/{review_cycle_id}/reviews/{review_id}/answers/{id}': { params: { review_cycle_id: number | string; review_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: ReviewAnswer } }
  'POST /performance/review_cycles/{review_cycle_id}/reviews/{review_id}/answers': { params: { review_cycle_id: number | string; review_id: number | string }; query: Nothing; body: CreateReviewAnswer; answer: { data: ReviewAnswer } }
  'PUT /performance/review_cycles/{review_cycle_id}/reviews/{review_id}/answers': { params: { review_cycle_id: number | string; review_id: number | string }; query: Nothing; body: UpdateReviewAnswers; answer: { data: ReviewAnswer[] } }
  'PUT /performance/review_cycles/{review_cycle_id}/reviews/{review_id}/answers/{id}': { params: { review_cycle_id: number | string; review_id: number | string; id: number | string }; query: Nothing; body: UpdateReviewAnswer; answer: { data: ReviewAnswer } }
  'DELETE /performance/review_cycles/{review_cycle_id}/reviews/{review_id}/answers/{id}': { params: { review_cycle_id: number | string; review_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'POST /performance/review_cycles/{review_cycle_id}/reviews/{review_id}/review_participants/{id}/submit': { params: { review_cycle_id: number | string; review_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: ReviewParticipant } }
  'POST /performance/review_cycles/{review_cycle_id}/reviews/{review_id}/review_participants/{id}/revise': { params: { review_cycle_id: number | string; review_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: ReviewParticipant } }
  'GET /time/projects': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: Project[]; metadata: Metadata } }
  'GET /time/projects/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: Project } }
  'POST /time/projects': { params: Nothing; query: Nothing; body: CreateProject; answer: { data: Project } }
  'PUT /time/projects/{id}': { params: { id: number | string }; query: Nothing; body: UpdateProject; answer: { data: Project } }
  'DELETE /time/projects/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /time/projects/{project_id}/project_users': { params: { project_id: number | string }; query: Nothing; body: Nothing; answer: { data: ProjectUser[] } }
  'GET /time/projects/{project_id}/project_users/{id}': { params: { project_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: ProjectUser } }
  'POST /time/projects/{project_id}/project_users': { params: { project_id: number | string }; query: Nothing; body: AssignProjectUsers; answer: { records: { count: number; data: { employee_id: number; project_user_id: number }[] }; errors?: { count: number; data: { employee_id: number; messages: string[] }[] } } }
  'DELETE /time/projects/{project_id}/project_users/{id}': { params: { project_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /time/timesheet_entries': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at"; 'starts_on[gte]'?: string; 'starts_on[lte]'?: string; 'starts_on[gt]'?: string; 'starts_on[lt]'?: string; 'ends_on[gte]'?: string; 'ends_on[lte]'?: string; 'ends_on[gt]'?: string; 'ends_on[lt]'?: string; employee_id?: number; 'employee_ids[]'?: number[]; project_id?: number; 'project_ids[]'?: number[]; position_id?: number; 'position_ids[]'?: number[]; department_id?: number; 'department_ids[]'?: number[]; location_id?: number; 'location_ids[]'?: number[]; division_id?: number; 'division_ids[]'?: number[]; team_id?: number; 'team_ids[]'?: number[]; type?: "working" | "break"; 'status[]'?: ("unsubmitted" | "pending" | "approved" | "rejected")[] }; body: Nothing; answer: { data: TimesheetEntry[]; metadata: Metadata } }
  'GET /time/timesheet_entries/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: TimesheetEntry } }
  'POST /time/timesheet_entries': { params: Nothing; query: Nothing; body: CreateTimesheetEntry; answer: { data: TimesheetEntry } }
  'PUT /time/timesheet_entries/{id}': { params: { id: number | string }; query: Nothing; body: UpdateTimesheetEntry; answer: { data: TimesheetEntry } }
  'DELETE /time/timesheet_entries/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'POST /time/timesheet_entries/submit': { params: Nothing; query: Nothing; body: SubmitTimesheetEntries; answer: { count: number } }
  'POST /time/timesheet_entries/approve': { params: Nothing; query: Nothing; body: ApproveTimesheetEntries; answer: { count: number } }
  'POST /time/timesheet_entries/reject': { params: Nothing; query: Nothing; body: RejectTimesheetEntries; answer: { count: number } }
  'POST /time/timesheet_entries/bulk': { params: Nothing; query: Nothing; body: BulkCreateTimesheetEntries; answer: { records: { count: number; data: ({ timesheet_entry_id: number; employee_id: number; project_id: number | null })[] }; errors?: { count: number; data: { employee_id: unknown; starts_at: unknown; ends_at: unknown; project_id: unknown; messages: string[] }[] } } }
  'DELETE /time/timesheet_entries/bulk': { params: Nothing; query: Nothing; body: BulkDeleteTimesheetEntries; answer: { count: number } }
  'GET /time/clocks': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at"; employee_id?: number; 'employee_ids[]'?: number[]; project_id?: number }; body: Nothing; answer: { data: Clock[]; metadata: Metadata } }
  'GET /time/clocks/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: Clock } }
  'POST /time/clocks': { params: Nothing; query: Nothing; body: ClockIn; answer: { data: Clock } }
  'POST /time/clocks/clock_out': { params: Nothing; query: Nothing; body: ClockOut; answer: { data: TimesheetEntry[] } }
  'PUT /time/clocks/{id}': { params: { id: number | string }; query: Nothing; body: UpdateClock; answer: { data: Clock } }
  'DELETE /time/clocks/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /time/timesheets': { params: Nothing; query: { month?: number; year?: number; starts_on?: string; ends_on?: string; days?: boolean; employee_id?: number; 'employee_ids[]'?: number[]; project_id?: number; 'project_ids[]'?: number[]; department_id?: number; page?: number; per_page?: number; sort?: "id" | "-id" | "employee_number" | "-employee_number" | "last_name" | "-last_name" | "first_name" | "-first_name" }; body: Nothing; answer: { data: Timesheet[]; metadata: Metadata } }
  'GET /time/overtime_requests': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "date" | "-date"; employee_id?: number; 'employee_ids[]'?: number[]; state?: "pending" | "approved" | "rejected" | "withdrawn"; 'states[]'?: ("pending" | "approved" | "rejected" | "withdrawn")[]; 'starts_on[gte]'?: string; 'starts_on[lte]'?: string; 'starts_on[gt]'?: string; 'starts_on[lt]'?: string; 'ends_on[gte]'?: string; 'ends_on[lte]'?: string; 'ends_on[gt]'?: string; 'ends_on[lt]'?: string }; body: Nothing; answer: { data: OvertimeRequest[]; metadata: Metadata } }
  'GET /time/overtime_requests/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: OvertimeRequest } }
  'POST /time/overtime_requests': { params: Nothing; query: Nothing; body: CreateOvertimeRequest; answer: { data: OvertimeRequest } }
  'PUT /time/overtime_requests/{id}': { params: { id: number | string }; query: Nothing; body: UpdateOvertimeRequest; answer: { data: OvertimeRequest } }
  'POST /time/overtime_requests/{id}/approve': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: OvertimeRequest } }
  'POST /time/overtime_requests/{id}/reject': { params: { id: number | string }; query: Nothing; body: RejectOvertimeRequest; answer: { data: OvertimeRequest } }
  'POST /time/overtime_requests/{id}/withdraw': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: OvertimeRequest } }
  'DELETE /time/overtime_requests/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /leave_types': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: LeaveType[]; metadata: Metadata } }
  'GET /leave_types/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: LeaveType } }
  'POST /leave_types': { params: Nothing; query: Nothing; body: CreateLeaveType; answer: { data: LeaveType } }
  'PUT /leave_types/{id}': { params: { id: number | string }; query: Nothing; body: UpdateLeaveType; answer: { data: LeaveType } }
  'DELETE /leave_types/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /leave_policies': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name"; leave_type_id?: number }; body: Nothing; answer: { data: LeavePolicy[]; metadata: Metadata } }
  'GET /leave_policies/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: LeavePolicy } }
  'POST /leave_policies': { params: Nothing; query: Nothing; body: CreateLeavePolicy; answer: { data: LeavePolicy } }
  'PUT /leave_policies/{id}': { params: { id: number | string }; query: Nothing; body: UpdateLeavePolicy; answer: { data: LeavePolicy } }
  'DELETE /leave_policies/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /leave_policies/{leave_policy_id}/terms': { params: { leave_policy_id: number | string }; query: Nothing; body: Nothing; answer: { data: LeavePolicyTerm[] } }
  'GET /leave_policies/{leave_policy_id}/terms/{id}': { params: { leave_policy_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: LeavePolicyTerm } }
  'POST /leave_policies/{leave_policy_id}/terms': { params: { leave_policy_id: number | string }; query: Nothing; body: CreateLeavePolicyTerm; answer: { data: LeavePolicyTerm } }
  'PUT /leave_policies/{leave_policy_id}/terms/{id}': { params: { leave_policy_id: number | string; id: number | string }; query: Nothing; body: UpdateLeavePolicyTerm; answer: { data: LeavePolicyTerm } }
  'DELETE /leave_policies/{leave_policy_id}/terms/{id}': { params: { leave_policy_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /employees/{employee_id}/leave_types': { params: { employee_id: number | string }; query: Nothing; body: Nothing; answer: { data: EmployeeLeaveType[] } }
  'GET /employees/{employee_id}/leave_types/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: EmployeeLeaveType } }
  'POST /employees/{employee_id}/leave_types': { params: { employee_id: number | string }; query: Nothing; body: CreateEmployeeLeaveType; answer: { data: EmployeeLeaveType } }
  'PUT /employees/{employee_id}/leave_types/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: UpdateEmployeeLeaveType; answer: { data: EmployeeLeaveType } }
  'DELETE /employees/{employee_id}/leave_types/{id}': { params: { employee_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /employees/{employee_id}/leave_balances': { params: { employee_id: number | string }; query: { as_of?: string }; body: Nothing; answer: { data: EmployeeLeaveType[] } }
  'PUT /employees/{employee_id}/update_leave_balance': { params: { employee_id: number | string }; query: Nothing; body: UpdateLeaveBalance; answer: { data: EmployeeLeaveType } }
  'GET /leave_adjustments': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at"; employee_id?: number; leave_type_id?: number }; body: Nothing; answer: { data: LeaveAdjustment[]; metadata: Metadata } }
  'GET /leave_adjustments/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: LeaveAdjustment } }
  'POST /leave_adjustments': { params: Nothing; query: Nothing; body: CreateLeaveAdjustment; answer: { data: LeaveAdjustment } }
  'DELETE /leave_adjustments/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /employees/{employee_id}/leave_balances/{leave_type_id}/statement': { params: { employee_id: number | string; leave_type_id: number | string }; query: { starts_on?: string; ends_on?: string }; body: Nothing; answer: { data: LeaveStatement } }
  'GET /leave_requests': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "starts_on" | "-starts_on" | "ends_on" | "-ends_on"; 'created_at[gte]'?: string; 'created_at[lte]'?: string; 'created_at[gt]'?: string; 'created_at[lt]'?: string; 'updated_at[gte]'?: string; 'updated_at[lte]'?: string; 'updated_at[gt]'?: string; 'updated_at[lt]'?: string; employee_id?: number; 'employee_ids[]'?: number[]; leave_type_id?: number; 'leave_type_ids[]'?: number[]; 'starts_on[gte]'?: string; 'starts_on[lte]'?: string; 'starts_on[gt]'?: string; 'starts_on[lt]'?: string; 'ends_on[gte]'?: string; 'ends_on[lte]'?: string; 'ends_on[gt]'?: string; 'ends_on[lt]'?: string; 'taken_on[gte]'?: string; 'taken_on[lte]'?: string; 'taken_on[gt]'?: string; 'taken_on[lt]'?: string; department_id?: number; 'department_ids[]'?: number[]; location_id?: number; 'location_ids[]'?: number[]; manager_id?: number; 'manager_ids[]'?: number[]; state?: "pending" | "approved" | "rejected" | "withdrawn"; 'states[]'?: ("pending" | "approved" | "rejected" | "withdrawn")[] }; body: Nothing; answer: { data: LeaveRequest[]; metadata: Metadata } }
  'GET /leave_requests/pending': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "starts_on" | "-starts_on" | "ends_on" | "-ends_on"; 'created_at[gte]'?: string; 'created_at[lte]'?: string; 'created_at[gt]'?: string; 'created_at[lt]'?: string; 'updated_at[gte]'?: string; 'updated_at[lte]'?: string; 'updated_at[gt]'?: string; 'updated_at[lt]'?: string; employee_id?: number; 'employee_ids[]'?: number[]; leave_type_id?: number; 'leave_type_ids[]'?: number[]; 'starts_on[gte]'?: string; 'starts_on[lte]'?: string; 'starts_on[gt]'?: string; 'starts_on[lt]'?: string; 'ends_on[gte]'?: string; 'ends_on[lte]'?: string; 'ends_on[gt]'?: string; 'ends_on[lt]'?: string; 'taken_on[gte]'?: string; 'taken_on[lte]'?: string; 'taken_on[gt]'?: string; 'taken_on[lt]'?: string; department_id?: number; 'department_ids[]'?: number[]; location_id?: number; 'location_ids[]'?: number[]; manager_id?: number; 'manager_ids[]'?: number[] }; body: Nothing; answer: { data: LeaveRequest[]; metadata: Metadata } }
  'GET /leave_requests/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: LeaveRequest } }
  'POST /leave_requests': { params: Nothing; query: Nothing; body: CreateLeaveRequest; answer: { data: LeaveRequest } }
  'PUT /leave_requests/{id}': { params: { id: number | string }; query: Nothing; body: UpdateLeaveRequest; answer: { data: LeaveRequest } }
  'POST /leave_requests/{id}/approve': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: LeaveRequest } }
  'POST /leave_requests/{id}/reject': { params: { id: number | string }; query: Nothing; body: RejectLeaveRequest; answer: { data: LeaveRequest } }
  'POST /leave_requests/{id}/withdraw': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: LeaveRequest } }
  'DELETE /leave_requests/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /leave_requests/{leave_request_id}/attachments': { params: { leave_request_id: number | string }; query: Nothing; body: Nothing; answer: { data: LeaveAttachment[] } }
  'GET /leave_requests/{leave_request_id}/attachments/{id}': { params: { leave_request_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: LeaveAttachment } }
  'POST /leave_requests/{leave_request_id}/attachments': { params: { leave_request_id: number | string }; query: Nothing; body: CreateLeaveAttachment; answer: { data: LeaveAttachment } }
  'DELETE /leave_requests/{leave_request_id}/attachments/{id}': { params: { leave_request_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /calendars': { params: Nothing; query: { starts_on?: string; ends_on?: string; 'types[]'?: ("leave_request" | "holiday" | "birthday" | "anniversary" | "first_day")[]; manager_id?: number; 'manager_ids[]'?: number[]; department_id?: number; 'department_ids[]'?: number[]; location_id?: number; 'location_ids[]'?: number[] }; body: Nothing; answer: { data: CalendarEvent[] } }
  'GET /employees/{employee_id}/holidays': { params: { employee_id: number | string }; query: { starts_on?: string; ends_on?: string; page?: number; per_page?: number; sort?: "occurs_on" | "-occurs_on" }; body: Nothing; answer: { data: EmployeeHoliday[]; metadata: Metadata } }
  'GET /asset_categories': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: AssetCategory[]; metadata: Metadata } }
  'GET /asset_categories/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: AssetCategory } }
  'POST /asset_categories': { params: Nothing; query: Nothing; body: CreateAssetCategory; answer: { data: AssetCategory } }
  'PUT /asset_categories/{id}': { params: { id: number | string }; query: Nothing; body: UpdateAssetCategory; answer: { data: AssetCategory } }
  'DELETE /asset_categories/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /assets': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "code" | "-code"; asset_category_id?: number; 'asset_category_ids[]'?: number[]; location_id?: number; 'location_ids[]'?: number[]; code?: string; serial_number?: string; state?: "available" | "assigned" | "lost" | "retired"; user_id?: number; holder_status?: "active" | "terminated"; q?: string; on?: string }; body: Nothing; answer: { data: Asset[]; metadata: Metadata } }
  'GET /assets/{id}': { params: { id: number | string }; query: { on?: string }; body: Nothing; answer: { data: Asset } }
  'POST /assets': { params: Nothing; query: Nothing; body: CreateAsset; answer: { data: Asset } }
  'PUT /assets/{id}': { params: { id: number | string }; query: Nothing; body: UpdateAsset; answer: { data: Asset } }
  'DELETE /assets/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /employees/{employee_id}/assets': { params: { employee_id: number | string }; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "name" | "-name" | "code" | "-code" | "created_at" | "-created_at" | "updated_at" | "-updated_at"; on?: string }; body: Nothing; answer: { data: Asset[]; metadata: Metadata } }
  'GET /asset_assignments': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at"; asset_id?: number; 'asset_ids[]'?: number[]; user_id?: number; 'user_ids[]'?: number[]; 'issued_on[gte]'?: string; 'issued_on[lte]'?: string; 'issued_on[gt]'?: string; 'issued_on[lt]'?: string; 'returned_on[gte]'?: string; 'returned_on[lte]'?: string; 'returned_on[gt]'?: string; 'returned_on[lt]'?: string; returned?: true | false | "all"; held_on?: string }; body: Nothing; answer: { data: AssetAssignment[]; metadata: Metadata } }
  'GET /asset_assignments/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: AssetAssignment } }
  'POST /asset_assignments': { params: Nothing; query: Nothing; body: CreateAssetAssignment; answer: { data: AssetAssignment } }
  'PUT /asset_assignments/{id}': { params: { id: number | string }; query: Nothing; body: UpdateAssetAssignment; answer: { data: AssetAssignment } }
  'DELETE /asset_assignments/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'POST /asset_assignments/{id}/return': { params: { id: number | string }; query: Nothing; body: ReturnAsset; answer: { data: AssetAssignment } }
  'GET /assets/{asset_id}/losses': { params: { asset_id: number | string }; query: Nothing; body: Nothing; answer: { data: AssetLoss[] } }
  'GET /assets/{asset_id}/losses/{id}': { params: { asset_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: { data: AssetLoss } }
  'POST /assets/{asset_id}/losses': { params: { asset_id: number | string }; query: Nothing; body: CreateAssetLoss; answer: { data: AssetLoss } }
  'PUT /assets/{asset_id}/losses/{id}': { params: { asset_id: number | string; id: number | string }; query: Nothing; body: UpdateAssetLoss; answer: { data: AssetLoss } }
  'DELETE /assets/{asset_id}/losses/{id}': { params: { asset_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /knowledge_base/categories': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" | "position" | "-position" }; body: Nothing; answer: { data: KnowledgeBaseCategory[]; metadata: Metadata } }
  'GET /knowledge_base/categories/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: KnowledgeBaseCategory } }
  'POST /knowledge_base/categories': { params: Nothing; query: Nothing; body: CreateKnowledgeBaseCategory; answer: { data: KnowledgeBaseCategory } }
  'PUT /knowledge_base/categories/{id}': { params: { id: number | string }; query: Nothing; body: UpdateKnowledgeBaseCategory; answer: { data: KnowledgeBaseCategory } }
  'DELETE /knowledge_base/categories/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /knowledge_base/articles': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at"; category_id?: number; 'category_ids[]'?: number[]; state?: "draft" | "published"; q?: string }; body: Nothing; answer: { data: KnowledgeBaseArticle[]; metadata: Metadata } }
  'GET /knowledge_base/categories/{category_id}/articles': { params: { category_id: number | string }; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "position" | "-position"; state?: "draft" | "published"; q?: string }; body: Nothing; answer: { data: KnowledgeBaseArticle[]; metadata: Metadata } }
  'GET /knowledge_base/articles/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: KnowledgeBaseArticle } }
  'POST /knowledge_base/articles': { params: Nothing; query: Nothing; body: CreateKnowledgeBaseArticle; answer: { data: KnowledgeBaseArticle } }
  'POST /knowledge_base/categories/{category_id}/articles': { params: { category_id: number | string }; query: Nothing; body: CreateArticleOfCategory; answer: { data: KnowledgeBaseArticle } }
  'PUT /knowledge_base/articles/{id}': { params: { id: number | string }; query: Nothing; body: UpdateKnowledgeBaseArticle; answer: { data: KnowledgeBaseArticle } }
  'DELETE /knowledge_base/articles/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'DELETE /employees/{id}': { params: { id: number | string }; query: { erase?: boolean }; body: Nothing; answer: null }
  'GET /employees/{id}/erasure': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: ErasurePreview } }
  'GET /recruitment/candidates/{id}/erasure': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: ErasurePreview } }
  'DELETE /users/{id}': { params: { id: number | string }; query: { erase?: boolean }; body: Nothing; answer: null }
  'GET /users/{id}/erasure': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: ErasurePreview } }
  'GET /employees/{id}/export': { params: { id: number | string }; query: Nothing; body: Nothing; answer: Blob }
  'GET /recruitment/candidates/{id}/export': { params: { id: number | string }; query: Nothing; body: Nothing; answer: Blob }
  'GET /retention': { params: Nothing; query: Nothing; body: Nothing; answer: { data: RetentionRules } }
  'PUT /retention': { params: Nothing; query: Nothing; body: UpdateRetentionRules; answer: { data: RetentionRules } }
  'GET /retention/due': { params: Nothing; query: { kind?: "candidates" | "employees"; page?: number; per_page?: number; sort?: "kind" | "-kind" }; body: Nothing; answer: { data: DueForErasure[]; metadata: Metadata } }
  'POST /retention/erasures': { params: Nothing; query: Nothing; body: EraseDue; answer: { records: { count: number; data: Erased[] }; errors: { count: number; data: RetentionError[] } } }
  'GET /calendars/feed': { params: Nothing; query: Nothing; body: Nothing; answer: { data: CalendarFeed } }
  'POST /calendars/feed/reset': { params: Nothing; query: Nothing; body: Nothing; answer: { data: CalendarFeed } }
  'GET /roles': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: Role[]; metadata: Metadata } }
  'GET /roles/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: Role } }
  'POST /roles': { params: Nothing; query: Nothing; body: CreateRole; answer: { data: Role } }
  'PUT /roles/{id}': { params: { id: number | string }; query: Nothing; body: UpdateRole; answer: { data: Role } }
  'DELETE /roles/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /users': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "email" | "-email"; email?: string; employee_id?: number; q?: string }; body: Nothing; answer: { data: User[]; metadata: Metadata } }
  'GET /users/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: User } }
  'POST /users': { params: Nothing; query: Nothing; body: CreateUser; answer: { data: User } }
  'PUT /users/{id}': { params: { id: number | string }; query: Nothing; body: UpdateUser; answer: { data: User } }
  'POST /users/invite': { params: Nothing; query: Nothing; body: InviteUser; answer: { data: Invitation } }
  'POST /users/{user_id}/link': { params: { user_id: number | string }; query: Nothing; body: Nothing; answer: { data: NewSignInLink } }
  'GET /users/{user_id}/sign_in': { params: { user_id: number | string }; query: Nothing; body: Nothing; answer: { data: UserSignIn } }
  'GET /users/{user_id}/sessions': { params: { user_id: number | string }; query: Nothing; body: Nothing; answer: { data: Session[] } }
  'DELETE /users/{user_id}/sessions/{id}': { params: { user_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'DELETE /users/{user_id}/sessions': { params: { user_id: number | string }; query: Nothing; body: Nothing; answer: null }
  'DELETE /users/{user_id}/second_factors': { params: { user_id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /users/{user_id}/identities': { params: { user_id: number | string }; query: Nothing; body: Nothing; answer: { data: Identity[] } }
  'DELETE /users/{user_id}/identities/{id}': { params: { user_id: number | string; id: number | string }; query: Nothing; body: Nothing; answer: null }
  'POST /users/{id}/disable': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: User } }
  'POST /users/{id}/enable': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: User } }
  'GET /identity_providers': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" }; body: Nothing; answer: { data: IdentityProvider[]; metadata: Metadata } }
  'GET /identity_providers/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: IdentityProvider } }
  'POST /identity_providers': { params: Nothing; query: Nothing; body: CreateIdentityProvider; answer: { data: IdentityProvider } }
  'PUT /identity_providers/{id}': { params: { id: number | string }; query: Nothing; body: UpdateIdentityProvider; answer: { data: IdentityProvider } }
  'DELETE /identity_providers/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'POST /identity_providers/{id}/test': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: ProviderTestStart } }
  'POST /identity_providers/{id}/test_result': { params: { id: number | string }; query: Nothing; body: ProviderTestAnswer; answer: { data: ProviderTestReport } }
  'GET /failed_sign_ins': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" }; body: Nothing; answer: { data: FailedSignIns[]; metadata: Metadata } }
  'GET /sign_in': { params: Nothing; query: { account?: number }; body: Nothing; answer: { data: SignIn } }
  'POST /sign_in': { params: Nothing; query: { account?: number }; body: SignInByPassword; answer: { data: SignInOutcome } }
  'POST /sign_in/code': { params: Nothing; query: { account?: number }; body: SignInByCode; answer: { data: SignInOutcome } }
  'POST /sign_in/passkey_options': { params: Nothing; query: { account?: number }; body: AskForPasskey; answer: { data: PasskeyQuestion } }
  'POST /sign_in/passkey': { params: Nothing; query: { account?: number }; body: SignInByPasskey; answer: { data: SignInOutcome } }
  'POST /sign_in/sso': { params: Nothing; query: { account?: number }; body: SignInByProvider; answer: { data: ProviderAddress } }
  'POST /sign_in/sso_answer': { params: Nothing; query: { account?: number }; body: ProviderAnswer; answer: { data: SignInOutcome } }
  'POST /sign_in/link': { params: Nothing; query: { account?: number }; body: LinkToken; answer: { data: SignInLinkContent } }
  'POST /sign_in/link_use': { params: Nothing; query: { account?: number }; body: UseLink; answer: { data: SignInOutcome } }
  'POST /sign_in/reset': { params: Nothing; query: { account?: number }; body: AskForReset; answer: { data: ResetAsked } }
  'POST /sign_out': { params: Nothing; query: Nothing; body: Nothing; answer: null }
  'GET /me/rights': { params: Nothing; query: { employee_id: number }; body: Nothing; answer: { data: RightsOverPerson } }
  'GET /me': { params: Nothing; query: Nothing; body: Nothing; answer: { data: Me } }
  'PUT /me': { params: Nothing; query: Nothing; body: UpdateMe; answer: { data: Me } }
  'GET /me/views': { params: Nothing; query: Nothing; body: Nothing; answer: { data: SavedView[] } }
  'PUT /me/views': { params: Nothing; query: Nothing; body: SaveView; answer: { data: SavedView[] } }
  'PUT /me/password': { params: Nothing; query: Nothing; body: ChangeOwnPassword; answer: null }
  'POST /me/confirmation': { params: Nothing; query: Nothing; body: ConfirmOneself; answer: null }
  'POST /me/totp': { params: Nothing; query: Nothing; body: Nothing; answer: { data: TotpSecret } }
  'PUT /me/totp': { params: Nothing; query: Nothing; body: ConfirmTotp; answer: { data: RecoveryCodes } }
  'DELETE /me/totp': { params: Nothing; query: Nothing; body: Nothing; answer: null }
  'POST /me/recovery_codes': { params: Nothing; query: Nothing; body: Nothing; answer: { data: RecoveryCodes } }
  'GET /me/passkeys': { params: Nothing; query: Nothing; body: Nothing; answer: { data: Passkey[] } }
  'POST /me/passkeys/options': { params: Nothing; query: Nothing; body: Nothing; answer: { data: PasskeyOffer } }
  'POST /me/passkeys': { params: Nothing; query: Nothing; body: AddPasskey; answer: { data: NewPasskey } }
  'PUT /me/passkeys/{id}': { params: { id: number | string }; query: Nothing; body: UpdatePasskey; answer: { data: Passkey } }
  'DELETE /me/passkeys/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /me/identities': { params: Nothing; query: Nothing; body: Nothing; answer: { data: Identity[] } }
  'DELETE /me/identities/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /me/sessions': { params: Nothing; query: Nothing; body: Nothing; answer: { data: Session[] } }
  'DELETE /me/sessions/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'DELETE /me/sessions': { params: Nothing; query: Nothing; body: Nothing; answer: null }
  'GET /api_keys': { params: Nothing; query: { page?: number; per_page?: number; sort?: "id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at" }; body: Nothing; answer: { data: ApiKey[]; metadata: Metadata } }
  'GET /api_keys/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: { data: ApiKey } }
  'POST /api_keys': { params: Nothing; query: Nothing; body: CreateApiKey; answer: { data: NewApiKey } }
  'PUT /api_keys/{id}': { params: { id: number | string }; query: Nothing; body: UpdateApiKey; answer: { data: ApiKey } }
  'DELETE /api_keys/{id}': { params: { id: number | string }; query: Nothing; body: Nothing; answer: null }
  'GET /reports/headcount': { params: Nothing; query: { from?: string; to?: string; department_id?: number; 'department_ids[]'?: number[]; location_id?: number; 'location_ids[]'?: number[]; with_below?: boolean }; body: Nothing; answer: { data: Headcount } }
  'GET /reports/turnover': { params: Nothing; query: { from?: string; to?: string; department_id?: number; 'department_ids[]'?: number[]; location_id?: number; 'location_ids[]'?: number[]; with_below?: boolean }; body: Nothing; answer: { data: Turnover } }
  'GET /reports/tenure': { params: Nothing; query: { as_of?: string; department_id?: number; 'department_ids[]'?: number[]; location_id?: number; 'location_ids[]'?: number[]; with_below?: boolean }; body: Nothing; answer: { data: Tenure } }
  'GET /reports/absence': { params: Nothing; query: { from?: string; to?: string; department_id?: number; 'department_ids[]'?: number[]; location_id?: number; 'location_ids[]'?: number[]; with_below?: boolean }; body: Nothing; answer: { data: Absence } }
  'GET /reports/time_to_hire': { params: Nothing; query: { from?: string; to?: string; department_id?: number; 'department_ids[]'?: number[]; location_id?: number; 'location_ids[]'?: number[]; with_below?: boolean; 'vacancy_ids[]'?: number[] }; body: Nothing; answer: { data: TimeToHire } }
  'GET /reports/pay': { params: Nothing; query: { as_of?: string; by?: "job_level" | "department" | "location"; department_id?: number; 'department_ids[]'?: number[]; location_id?: number; 'location_ids[]'?: number[]; with_below?: boolean }; body: Nothing; answer: { data: PaySpread } }
  'GET /audits': { params: Nothing; query: { page?: number; per_page?: number; sort?: "created_at" | "-created_at"; 'created_at[gte]'?: string; 'created_at[lte]'?: string; 'created_at[gt]'?: string; 'created_at[lt]'?: string; record_type?: string; record_id?: number; actor?: string; employee_id?: number; operation?: string; request_id?: string }; body: Nothing; answer: { data: Audit[]; metadata: ToldMetadata } }
  'GET /changes': { params: Nothing; query: { since?: number; hash?: string; 'resources[]'?: ("api_keys" | "api_key_roles" | "roles" | "role_grants" | "users" | "user_roles" | "user_credentials" | "recovery_codes" | "passkeys" | "identity_providers" | "user_identities" | "sessions" | "sign_in_links" | "failed_sign_ins" | "employees" | "employee_positions" | "employment_statuses" | "salaries" | "additional_compensations" | "employee_documents" | "employee_educations" | "certifications" | "dependents" | "emergency_contacts" | "employee_notes" | "skills" | "employee_skills" | "external_users" | "employee_field_groups" | "employee_fields" | "employee_field_options" | "employee_field_values" | "employee_tables" | "employee_table_columns" | "employee_table_column_options" | "employee_table_rows" | "employee_table_values" | "companies" | "departments" | "department_levels" | "divisions" | "positions" | "job_levels" | "job_groups" | "employment_types" | "legal_entities" | "genders" | "termination_types" | "termination_reasons" | "compensation_types" | "pay_schedules" | "job_profiles" | "locations" | "holiday_policies" | "holidays" | "working_patterns" | "probation_policies" | "document_folders" | "teams" | "team_members" | "pipelines" | "pipeline_stages" | "sources" | "disqualify_reasons" | "recruitment_tags" | "vacancies" | "vacancy_collaborators" | "vacancy_skills" | "vacancy_tags" | "vacancy_fields" | "vacancy_field_options" | "vacancy_field_values" | "candidates" | "candidate_phones" | "candidate_skills" | "candidate_languages" | "candidate_tags" | "candidate_fields" | "candidate_field_options" | "candidate_field_values" | "applications" | "hires" | "movements" | "candidate_notes" | "candidate_educations" | "candidate_experiences" | "candidate_documents" | "candidate_merges" | "recruitment_settings" | "retention_rules" | "tasks" | "key_performance_indicators" | "kpi_results" | "objectives" | "key_results" | "competencies" | "competency_levels" | "review_cycles" | "review_answers" | "review_participants" | "reviews" | "review_questions" | "projects" | "project_users" | "timesheet_entries" | "clocks" | "overtime_requests" | "leave_types" | "leave_policies" | "leave_policy_terms" | "employee_leave_types" | "leave_adjustments" | "leave_requests" | "leave_entries" | "leave_attachments" | "calendar_feeds" | "asset_categories" | "assets" | "asset_assignments" | "asset_losses" | "knowledge_base_categories" | "knowledge_base_articles")[]; record_id?: number; limit?: number; wait?: number }; body: Nothing; answer: Changes }
  'GET /changes/{number}': { params: { number: number | string }; query: Nothing; body: Nothing; answer: { data: Change } }
  'GET /me/changes': { params: Nothing; query: { since?: number; limit?: number; wait?: number }; body: Nothing; answer: OwnChanges }
  'GET /me/notifications': { params: Nothing; query: Nothing; body: Nothing; answer: Notifications }
  'POST /me/notifications/seen': { params: Nothing; query: Nothing; body: SeeNotifications; answer: null }
  'GET /api_keys/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /api_key_roles/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /roles/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /roles/{role_id}/grants/{id}/history': { params: { role_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /users/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /user_roles/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /users/{user_id}/credentials/{id}/history': { params: { user_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /users/{user_id}/recovery_codes/{id}/history': { params: { user_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /users/{user_id}/passkeys/{id}/history': { params: { user_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /identity_providers/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /users/{user_id}/identities/{id}/history': { params: { user_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /users/{user_id}/sessions/{id}/history': { params: { user_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /sign_in_links/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /failed_sign_ins/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /employees/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /employees/{employee_id}/positions/{id}/history': { params: { employee_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /employees/{employee_id}/employment_statuses/{id}/history': { params: { employee_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /employees/{employee_id}/salaries/{id}/history': { params: { employee_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /employees/{employee_id}/additional_compensations/{id}/history': { params: { employee_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /employees/{employee_id}/documents/{id}/history': { params: { employee_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /employees/{employee_id}/educations/{id}/history': { params: { employee_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /employees/{employee_id}/certifications/{id}/history': { params: { employee_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /employees/{employee_id}/dependents/{id}/history': { params: { employee_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /employees/{employee_id}/emergency_contacts/{id}/history': { params: { employee_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /employees/{employee_id}/notes/{id}/history': { params: { employee_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /skills/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /employees/{employee_id}/skills/{id}/history': { params: { employee_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /external_users/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /employee_field_groups/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /employee_fields/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /employee_fields/{employee_field_id}/options/{id}/history': { params: { employee_field_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /employees/{employee_id}/field_histories/{id}/history': { params: { employee_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /employee_tables/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /employee_tables/{employee_table_id}/columns/{id}/history': { params: { employee_table_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /employee_tables/{employee_table_id}/columns/{employee_table_column_id}/options/{id}/history': { params: { employee_table_id: number | string; employee_table_column_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /employees/{employee_id}/tables/{employee_table_id}/rows/{id}/history': { params: { employee_id: number | string; employee_table_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /employee_table_values/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /companies/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /departments/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /department_levels/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /divisions/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /positions/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /job_levels/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /job_groups/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /employment_types/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /legal_entities/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /genders/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /termination_types/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /termination_reasons/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /compensation_types/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /pay_schedules/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /job_profiles/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /locations/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /holiday_policies/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /holidays/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /working_patterns/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /probation_policies/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /document_folders/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /teams/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /teams/{team_id}/team_members/{id}/history': { params: { team_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /recruitment/pipelines/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /recruitment/pipelines/{pipeline_id}/stages/{id}/history': { params: { pipeline_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /recruitment/sources/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /recruitment/disqualify_reasons/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /recruitment/tags/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /recruitment/vacancies/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /vacancy_collaborators/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /vacancy_skills/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /vacancy_tags/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /recruitment/vacancy_fields/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /recruitment/vacancy_fields/{vacancy_field_id}/options/{id}/history': { params: { vacancy_field_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /recruitment/vacancy_fields/values/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /recruitment/candidates/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /candidate_phones/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /candidate_skills/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /candidate_languages/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /candidate_tags/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /recruitment/candidate_fields/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /recruitment/candidate_fields/{candidate_field_id}/options/{id}/history': { params: { candidate_field_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /recruitment/candidate_fields/values/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /recruitment/vacancies/{vacancy_id}/applications/{id}/history': { params: { vacancy_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /hires/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /recruitment/movements/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /recruitment/candidates/{candidate_id}/notes/{id}/history': { params: { candidate_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /recruitment/candidates/{candidate_id}/educations/{id}/history': { params: { candidate_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /recruitment/candidates/{candidate_id}/experiences/{id}/history': { params: { candidate_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /recruitment/candidates/{candidate_id}/documents/{id}/history': { params: { candidate_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /recruitment/candidates/{candidate_id}/merges/{id}/history': { params: { candidate_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /recruitment_settings/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /retention_rules/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /tasks/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /performance/key_performance_indicators/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /performance/key_performance_indicators/{key_performance_indicator_id}/key_performance_indicator_results/{id}/history': { params: { key_performance_indicator_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /performance/objectives/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /performance/objectives/{objective_id}/key_results/{id}/history': { params: { objective_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /competencies/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /competencies/{competency_id}/levels/{id}/history': { params: { competency_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /performance/review_cycles/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /performance/review_cycles/{review_cycle_id}/reviews/{review_id}/answers/{id}/history': { params: { review_cycle_id: number | string; review_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /performance/review_cycles/{review_cycle_id}/reviews/{review_id}/review_participants/{id}/history': { params: { review_cycle_id: number | string; review_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /performance/review_cycles/{review_cycle_id}/reviews/{id}/history': { params: { review_cycle_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /performance/review_cycles/{review_cycle_id}/questions/{id}/history': { params: { review_cycle_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /time/projects/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /time/projects/{project_id}/project_users/{id}/history': { params: { project_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /time/timesheet_entries/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /time/clocks/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /time/overtime_requests/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /leave_types/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /leave_policies/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /leave_policies/{leave_policy_id}/terms/{id}/history': { params: { leave_policy_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /employees/{employee_id}/leave_types/{id}/history': { params: { employee_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /leave_adjustments/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /leave_requests/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /leave_entries/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /leave_requests/{leave_request_id}/attachments/{id}/history': { params: { leave_request_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /calendar_feeds/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /asset_categories/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /assets/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /asset_assignments/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /assets/{asset_id}/losses/{id}/history': { params: { asset_id: number | string; id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /knowledge_base/categories/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /knowledge_base/articles/{id}/history': { params: { id: number | string }; query: { page?: number; per_page?: number; sort?: "changed_at" | "-changed_at"; parts?: boolean }; body: Nothing; answer: { data: HistoryEntry[]; metadata: ToldMetadata } }
  'GET /reads': { params: Nothing; query: { page?: number; per_page?: number; sort?: "created_at" | "-created_at"; resource?: string; record_id?: number; parts?: boolean; actor?: string; operation?: string; 'created_at[gte]'?: string; 'created_at[lte]'?: string; 'created_at[gt]'?: string; 'created_at[lt]'?: string }; body: Nothing; answer: { data: Read[]; metadata: ToldMetadata } }
  'POST /changes/{number}/undo': { params: { number: number | string }; query: { request?: boolean }; body: Nothing; answer: Undone }
  'POST /requests/{request_id}/undo': { params: { request_id: number | string }; query: Nothing; body: Nothing; answer: Undone }
  'POST /me/requests/{request_id}/undo': { params: { request_id: number | string }; query: Nothing; body: Nothing; answer: null }
}
