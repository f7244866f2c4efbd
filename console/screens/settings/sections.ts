import { CreateAssetCategory, UpdateAssetCategory } from '../../client/fields/assets.ts'
import * as people from '../../client/fields/employees.ts'
import { CreateExternalUser, UpdateExternalUser } from '../../client/fields/external_users.ts'
import { CreateKnowledgeBaseCategory, UpdateKnowledgeBaseCategory } from '../../client/fields/knowledge.ts'
import * as leave from '../../client/fields/leave.ts'
import * as organisation from '../../client/fields/organisation.ts'
import * as recruitment from '../../client/fields/recruitment.ts'
import { CreateSkill, UpdateSkill } from '../../client/fields/skills.ts'
import { CreateProject, UpdateProject } from '../../client/fields/time.ts'
import type { Fields } from '../../client/fields.ts'
import type { Permission } from '../../client/operations.ts'
import type { ChildKind, RecordKind, SettingsRecord } from '../../parts/records/kinds.ts'
import { LeavePolicyPreview } from './leave-preview.tsx'
import type { SectionName } from './section-texts.ts'

/**
 * All sections in the order of the menu. Plain lists need only a declaration here; the others have a page of their own.
 */

export type CustomSection =
  | 'company'
  | 'hiring'
  | 'users'
  | 'roles'
  | 'keys'
  | 'providers'
  | 'audit'
  | 'reads'
  | 'erasure'
export type Section = { name: SectionName; path: string; needs: readonly Permission[] } & (
  | { kind: RecordKind }
  | { own: CustomSection }
)
/** The props of a section with a page of its own: its title, its path, and the id of the open record. */
export type SectionProps = { title: string; home: string; openId: string }

export type SectionGroup = {
  name: 'company' | 'jobs' | 'records' | 'policies' | 'hiring' | 'work' | 'access' | 'trail'
  sections: readonly Section[]
}

type Area<P> = P extends `${infer A}:write` ? A : never

function plain(
  name: SectionName,
  path: string,
  area: Area<Permission>,
  create: Fields,
  update: Fields,
  more: Partial<RecordKind> = {},
): Section {
  const read: Permission = `${area}:read`
  return {
    name,
    path,
    needs: [read],
    kind: { path, read, write: `${area}:write`, create, update, of: ['name'], ...more },
  }
}

const hasOptions = ({ type }: SettingsRecord) => /select/.test(String(type))
const optionsOf = (path: string, owner: string, create: Fields, update: Fields): ChildKind => ({
  path: `${path}/{${owner}}/options`,
  owner,
  name: (t) => t('options'),
  within: 'options',
  create,
  update,
  of: ['value'],
  title: 'value',
  when: hasOptions,
})

const HOURS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map(
  (day) => `${day}_hours`,
)
const TIME_RULE = [
  'effective_from',
  'break_deductions',
  'overtime_per',
  'overtime_after_minutes',
  'base_factor',
  'night_factor',
  'night_starts_at',
  'night_ends_at',
  'sunday_factor',
  'holiday_factor',
]

/** Factors are of interest only where overtime is calculated. */
function isTimeRuleShown(name: string, values: Record<string, unknown>): boolean {
  if (['effective_from', 'break_deductions', 'overtime_per'].includes(name)) return true
  if (['night_starts_at', 'night_ends_at'].includes(name) && !values.night_factor && !values[name]) return false
  return Boolean(values.overtime_per)
}

const TERMS = [
  'activity_type',
  'paid_percentage',
  'counted_as',
  'floor',
  'yearly_amount',
  'credit',
  'pay_period_starts_on',
  'hours_worked_percentage',
  'credit_at',
  'proration',
  'part_time',
  'full_time_hours',
  'full_time_days',
  'tenure_steps',
  'tenure_steps_from',
  'age_steps',
  'age_steps_from',
  'rounding',
  'rounding_step',
  'maximum_balance',
  'carry_over_limit',
  'carry_over_until',
  'carry_over_months',
  'overtime_factor',
  'overtime_months',
  'on_leaving',
  'waiting_period',
  'waiting_period_unit',
  'allowed_in_probation',
  'notice_days',
  'day_amounts',
  'minimum_amount',
  'maximum_amount',
  'monthly_maximum',
  'yearly_maximum',
  'attachment_from_day',
]
/** Terms that only policies with an accrual have. */
const OF_ACCRUAL = TERMS.slice(TERMS.indexOf('yearly_amount'), TERMS.indexOf('carry_over_limit'))

/** The initial values of new policies. */
const USUAL_TERMS = {
  credit: 'monthly',
  credit_at: 'start_of_period',
  part_time: 'same',
  full_time_hours: '40',
  full_time_days: '5',
  tenure_steps_from: 'anniversary',
  age_steps_from: 'start_of_month',
  proration: 'started_months',
  rounding: 'none',
  rounding_step: '1',
  waiting_period_unit: 'months',
  allowed_in_probation: true,
  day_amounts: 'any',
}

const hasSteps = (steps: unknown) => Array.isArray(steps) && steps.length > 0

/** Is a term needed, given the other values of the policy? */
function isTermShown(name: string, values: Record<string, unknown>): boolean {
  // The length of a day decides how much leave an hour of overtime is.
  if (['full_time_hours', 'full_time_days'].includes(name) && values.overtime_factor && values.type !== 'external')
    return true
  if (OF_ACCRUAL.includes(name) && values.type !== undefined && values.type !== 'accrual') return false
  const isByHours = values.credit === 'hours_worked'
  if (['credit_at', 'part_time', 'proration'].includes(name) && isByHours) return false
  if (name === 'hours_worked_percentage') return isByHours
  if (name === 'pay_period_starts_on') return ['weekly', 'every_two_weeks'].includes(values.credit as string)
  if (name === 'full_time_hours') return values.part_time === 'by_hours' || isByHours
  if (name === 'full_time_days') return values.part_time === 'by_days' || isByHours
  if (name === 'tenure_steps_from') return hasSteps(values.tenure_steps)
  if (name === 'age_steps_from') return hasSteps(values.age_steps)
  if (name === 'paid_percentage')
    return values.activity_type !== 'not_working_unpaid' || Boolean(values.paid_percentage)
  if (['overtime_factor', 'on_leaving'].includes(name)) return values.type !== 'external'
  if (name === 'overtime_months') return values.type !== 'external' && Boolean(values.overtime_factor)
  if (name === 'waiting_period_unit') return Boolean(values.waiting_period)
  if (name === 'rounding_step') return ['up', 'down', 'nearest'].includes(values.rounding as string)
  return true
}

const termHeadings: NonNullable<ChildKind['headings']> = (name) => ({
  part_time: name('of_part_time'),
  tenure_steps: name('of_tenure'),
  age_steps: name('of_age'),
  rounding: name('of_credits'),
  carry_over_limit: name('of_carry_over'),
  overtime_factor: name('of_overtime'),
  waiting_period: name('of_conditions'),
})

const termHints: NonNullable<ChildKind['descriptions']> = (name) => ({
  pay_period_starts_on: name('about_pay_periods'),
  hours_worked_percentage: name('about_hours_worked'),
  age_steps: name('about_age_steps'),
})
const CUSTOM = ['name', 'type', 'protection', 'options']

export const GROUPS: readonly SectionGroup[] = [
  {
    name: 'company',
    sections: [
      { name: 'account', path: '/company', needs: ['organisation:read'], own: 'company' },
      plain(
        'departments',
        '/departments',
        'organisation',
        organisation.CreateDepartment,
        organisation.UpdateDepartment,
        {
          of: ['name', 'parent_id', 'manager_id', 'department_level_id'],
        },
      ),
      plain('locations', '/locations', 'organisation', organisation.CreateLocation, organisation.UpdateLocation, {
        of: ['name', 'country_code', 'time_zone', 'holiday_policy_id', 'region_code', 'address'],
        columns: ['name', 'country_code', 'time_zone', 'holiday_policy_id', 'region_code'],
      }),
      plain('divisions', '/divisions', 'organisation', organisation.CreateDivision, organisation.UpdateDivision),
      plain(
        'legal_entities',
        '/legal_entities',
        'organisation',
        organisation.CreateLegalEntity,
        organisation.UpdateLegalEntity,
      ),
      plain(
        'department_levels',
        '/department_levels',
        'organisation',
        organisation.CreateDepartmentLevel,
        organisation.UpdateDepartmentLevel,
      ),
    ],
  },
  {
    name: 'jobs',
    sections: [
      plain('positions', '/positions', 'organisation', organisation.CreatePosition, organisation.UpdatePosition),
      plain('job_levels', '/job_levels', 'organisation', organisation.CreateJobLevel, organisation.UpdateJobLevel),
      plain('job_groups', '/job_groups', 'organisation', organisation.CreateJobGroup, organisation.UpdateJobGroup, {
        of: ['name', 'description'],
      }),
      plain(
        'job_profiles',
        '/job_profiles',
        'organisation',
        organisation.CreateJobProfile,
        organisation.UpdateJobProfile,
        {
          of: ['name', 'job_group_id'],
        },
      ),
      plain(
        'employment_types',
        '/employment_types',
        'organisation',
        organisation.CreateEmploymentType,
        organisation.UpdateEmploymentType,
      ),
      plain('skills', '/skills', 'skills', CreateSkill, UpdateSkill),
    ],
  },
  {
    name: 'records',
    sections: [
      plain(
        'employee_fields',
        '/employee_fields',
        'employees',
        people.CreateEmployeeField,
        people.UpdateEmployeeField,
        {
          of: ['name', 'type', 'group_id', 'protection', 'historical', 'options'],
          columns: ['name', 'type', 'group_id', 'protection'],
          onlyNew: ['options'],
          parts: [
            optionsOf(
              '/employee_fields',
              'employee_field_id',
              people.CreateEmployeeFieldOption,
              people.UpdateEmployeeFieldOption,
            ),
          ],
        },
      ),
      plain(
        'employee_tables',
        '/employee_tables',
        'employees',
        people.CreateEmployeeTable,
        people.UpdateEmployeeTable,
        {
          of: ['name', 'description', 'group_id', 'protection'],
          columns: ['name', 'group_id', 'protection'],
          parts: [
            {
              path: '/employee_tables/{employee_table_id}/columns',
              owner: 'employee_table_id',
              name: (t) => t('columns'),
              within: 'columns',
              create: people.CreateEmployeeTableColumn,
              update: people.UpdateEmployeeTableColumn,
              of: CUSTOM,
              onlyNew: ['options'],
              parts: [
                optionsOf(
                  '/employee_tables/{employee_table_id}/columns',
                  'employee_table_column_id',
                  people.CreateEmployeeTableColumnOption,
                  people.UpdateEmployeeTableColumnOption,
                ),
              ],
            },
          ],
        },
      ),
      plain(
        'employee_field_groups',
        '/employee_field_groups',
        'employees',
        people.CreateEmployeeFieldGroup,
        people.UpdateEmployeeFieldGroup,
      ),
      plain(
        'document_folders',
        '/document_folders',
        'organisation',
        organisation.CreateDocumentFolder,
        organisation.UpdateDocumentFolder,
        {
          of: ['name', 'description', 'protection'],
        },
      ),
      plain('genders', '/genders', 'organisation', organisation.CreateGender, organisation.UpdateGender, {
        builtIn: ['male', 'female', 'other'],
      }),
      plain(
        'termination_types',
        '/termination_types',
        'organisation',
        organisation.CreateTerminationType,
        organisation.UpdateTerminationType,
      ),
      plain(
        'termination_reasons',
        '/termination_reasons',
        'organisation',
        organisation.CreateTerminationReason,
        organisation.UpdateTerminationReason,
      ),
      plain(
        'compensation_types',
        '/compensation_types',
        'organisation',
        organisation.CreateCompensationType,
        organisation.UpdateCompensationType,
      ),
      plain(
        'pay_schedules',
        '/pay_schedules',
        'organisation',
        organisation.CreatePaySchedule,
        organisation.UpdatePaySchedule,
      ),
    ],
  },
  {
    name: 'policies',
    sections: [
      plain('leave_types', '/leave_types', 'leave', leave.CreateLeaveType, leave.UpdateLeaveType, {
        of: ['name', 'unit', 'hex_color'],
      }),
      plain('leave_policies', '/leave_policies', 'leave', leave.CreateLeavePolicy, leave.UpdateLeavePolicy, {
        of: ['name', 'leave_type_id', 'type', 'visibility', ...TERMS],
        isShown: isTermShown,
        headings: termHeadings,
        descriptions: termHints,
        start: { visibility: true, type: 'accrual', ...USUAL_TERMS },
        columns: ['name', 'leave_type_id', 'type', 'yearly_amount'],
        preview: LeavePolicyPreview,
        parts: [
          {
            path: '/leave_policies/{leave_policy_id}/terms',
            owner: 'leave_policy_id',
            name: (t) => t('terms'),
            create: leave.CreateLeavePolicyTerm,
            update: leave.UpdateLeavePolicyTerm,
            of: ['effective_from', ...TERMS],
            isShown: isTermShown,
            headings: termHeadings,
            descriptions: termHints,
            columns: ['effective_from', 'yearly_amount', 'credit'],
            preview: LeavePolicyPreview,
            title: 'effective_from',
          },
          {
            path: '/leave_policies/{leave_policy_id}/eligible_groups',
            owner: 'leave_policy_id',
            name: (t) => t('eligibleGroups'),
            create: leave.CreateEligibleGroup,
            update: leave.UpdateEligibleGroup,
            of: ['location_id', 'department_id', 'employment_type_id', 'gender_id'],
            columns: ['location_id', 'department_id', 'employment_type_id', 'gender_id'],
          },
        ],
      }),
      plain('blocked_periods', '/blocked_periods', 'leave', leave.CreateBlockedPeriod, leave.UpdateBlockedPeriod, {
        of: ['name', 'starts_on', 'ends_on', 'leave_type_id', 'department_id', 'location_id'],
        sort: 'starts_on',
        columns: ['name', 'starts_on', 'ends_on', 'leave_type_id', 'department_id', 'location_id'],
      }),
      plain(
        'holiday_policies',
        '/holiday_policies',
        'organisation',
        organisation.CreateHolidayPolicy,
        organisation.UpdateHolidayPolicy,
        {
          of: ['name', 'country_code', 'region_code'],
          parts: [
            {
              path: '/holidays',
              owner: 'holiday_policy_id',
              name: (t) => t('holidays'),
              create: organisation.CreateHoliday,
              update: organisation.UpdateHoliday,
              of: [
                'name',
                'occurs_on',
                'ends_on',
                'half_day',
                'region_code',
                'working',
                'observed_on',
                'compensated_on',
              ],
              columns: ['name', 'occurs_on', 'half_day', 'region_code'],
            },
          ],
        },
      ),
      plain(
        'working_patterns',
        '/working_patterns',
        'organisation',
        organisation.CreateWorkingPattern,
        organisation.UpdateWorkingPattern,
        {
          of: ['name', ...HOURS],
          columns: ['name', ...HOURS],
          parts: [
            {
              path: '/working_patterns/{working_pattern_id}/time_rules',
              owner: 'working_pattern_id',
              name: (t) => t('timeRules'),
              create: organisation.CreateTimeRule,
              update: organisation.UpdateTimeRule,
              of: TIME_RULE,
              isShown: isTimeRuleShown,
              headings: (name) => ({ break_deductions: name('of_breaks'), overtime_per: name('of_calculated') }),
              columns: ['effective_from', 'overtime_per', 'base_factor'],
              title: 'effective_from',
              start: { overtime_after_minutes: 0, base_factor: '1' },
            },
          ],
        },
      ),
      plain(
        'probation_policies',
        '/probation_policies',
        'organisation',
        organisation.CreateProbationPolicy,
        organisation.UpdateProbationPolicy,
        {
          of: ['name', 'length', 'length_unit'],
          start: { length_unit: 'months' },
        },
      ),
    ],
  },
  {
    name: 'hiring',
    sections: [
      { name: 'hiring_rules', path: '/recruitment/settings', needs: ['recruitment:read'], own: 'hiring' },
      plain(
        'pipelines',
        '/recruitment/pipelines',
        'recruitment',
        recruitment.CreatePipeline,
        recruitment.UpdatePipeline,
        {
          of: ['name', 'stages'],
          onlyNew: ['stages'],
          parts: [
            {
              path: '/recruitment/pipelines/{pipeline_id}/stages',
              owner: 'pipeline_id',
              name: (t) => t('stages'),
              within: 'stages',
              create: recruitment.CreatePipelineStage,
              update: recruitment.UpdatePipelineStage,
              of: ['name', 'type'],
              isOrdered: true,
            },
          ],
        },
      ),
      plain('sources', '/recruitment/sources', 'recruitment', recruitment.CreateSource, recruitment.UpdateSource),
      plain(
        'disqualify_reasons',
        '/recruitment/disqualify_reasons',
        'recruitment',
        recruitment.CreateDisqualifyReason,
        recruitment.UpdateDisqualifyReason,
      ),
      plain(
        'tags',
        '/recruitment/tags',
        'recruitment',
        recruitment.CreateRecruitmentTag,
        recruitment.UpdateRecruitmentTag,
      ),
      plain(
        'candidate_fields',
        '/recruitment/candidate_fields',
        'recruitment',
        recruitment.CreateCandidateField,
        recruitment.UpdateCandidateField,
        {
          of: CUSTOM,
          onlyNew: ['options'],
          columns: ['name', 'type', 'protection'],
          parts: [
            optionsOf(
              '/recruitment/candidate_fields',
              'candidate_field_id',
              recruitment.CreateCandidateFieldOption,
              recruitment.UpdateCandidateFieldOption,
            ),
          ],
        },
      ),
      plain(
        'vacancy_fields',
        '/recruitment/vacancy_fields',
        'recruitment',
        recruitment.CreateVacancyField,
        recruitment.UpdateVacancyField,
        {
          of: CUSTOM,
          onlyNew: ['options'],
          columns: ['name', 'type', 'protection'],
          parts: [
            optionsOf(
              '/recruitment/vacancy_fields',
              'vacancy_field_id',
              recruitment.CreateVacancyFieldOption,
              recruitment.UpdateVacancyFieldOption,
            ),
          ],
        },
      ),
    ],
  },
  {
    name: 'work',
    sections: [
      plain('projects', '/time/projects', 'time', CreateProject, UpdateProject, { of: ['name', 'emoji'] }),
      plain('asset_categories', '/asset_categories', 'assets', CreateAssetCategory, UpdateAssetCategory, {
        of: ['name', 'icon'],
        columns: ['name'],
      }),
      plain(
        'categories',
        '/knowledge_base/categories',
        'knowledge',
        CreateKnowledgeBaseCategory,
        UpdateKnowledgeBaseCategory,
        {
          of: ['name', 'description', 'emoji', 'hex_color'],
          columns: ['name', 'description'],
        },
      ),
    ],
  },
  {
    name: 'access',
    sections: [
      { name: 'users', path: '/users', needs: ['users:read'], own: 'users' },
      { name: 'roles', path: '/roles', needs: ['users:read'], own: 'roles' },
      { name: 'api_keys', path: '/api_keys', needs: ['keys:read'], own: 'keys' },
      { name: 'identity_providers', path: '/identity_providers', needs: ['users:read'], own: 'providers' },
      plain('external_users', '/external_users', 'external_users', CreateExternalUser, UpdateExternalUser, {
        of: ['first_name', 'last_name', 'email', 'role', 'active'],
        onlyNew: ['role'],
        start: { active: true },
        columns: ['full_name', 'email', 'role', 'active'],
        title: 'full_name',
        sort: 'email',
      }),
    ],
  },
  {
    name: 'trail',
    sections: [
      { name: 'audit', path: '/audits', needs: ['audits:read'], own: 'audit' },
      { name: 'reads', path: '/reads', needs: ['audits:read'], own: 'reads' },
      { name: 'erasure', path: '/erasure', needs: ['employees:write', 'recruitment:write'], own: 'erasure' },
    ],
  },
]
