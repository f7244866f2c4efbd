import { useState } from 'react'
import { useRead } from '../../client/data.ts'
import { CreateVacancy } from '../../client/fields/recruitment.ts'
import type { Fields } from '../../client/fields.ts'
import { useMe } from '../../client/me.ts'
import type { Vacancy, VacancyField } from '../../client/operations.ts'
import { fieldsUnder, labelsUnder, startUnder, withoutPrefix } from '../../parts/custom.ts'
import { Form } from '../../parts/form.tsx'
import { nameOf } from '../../parts/person.tsx'
import { cacheChoices } from '../../parts/record-select.tsx'
import { Loading, WhenLoaded } from '../../parts/states.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { hiringTexts } from './texts.ts'

const WHAT = ['title', 'positions', 'description'] as const
const WHERE = ['department_id', 'location_id', 'employment_type_id', 'position_id', 'job_level_id'] as const
const MORE = ['division_id', 'legal_entity_id'] as const
const WORDS = ['skills', 'tags'] as const
const WHO = ['hiring_lead_user_id', 'collaborator_ids', 'recruitment_pipeline_id', 'priority'] as const
const WHEN = ['starts_on', 'ends_on'] as const
const PAY = ['min_salary', 'max_salary', 'currency_code'] as const
const SHOWN = ['post_on_careers', 'salary_on_careers'] as const
const ALL = [...WHAT, ...WHERE, ...MORE, ...WORDS, ...WHO, ...WHEN, ...PAY, ...SHOWN] as const

/** The references of a vacancy, by the kind of record. */
const NAMED = {
  departments: 'department',
  locations: 'location',
  employment_types: 'employment_type',
  positions: 'position',
  job_levels: 'job_level',
  divisions: 'division',
  legal_entities: 'legal_entity',
  pipelines: 'recruitment_pipeline',
} as const

/** The initial values of the form. The referenced records are known, so that they need no requests. */
function startOf(vacancy: Vacancy): Record<string, unknown> {
  for (const [table, name] of Object.entries(NAMED)) cacheChoices(table, [vacancy[name as 'department']])
  cacheChoices(
    'employees',
    [vacancy.hiring_lead, ...vacancy.collaborators].map((one) => ({ id: one.id, full_name: nameOf(one) })),
  )
  const named = Object.values(NAMED).map((name) => [`${name}_id`, vacancy[name]?.id ?? null])
  return {
    ...Object.fromEntries(ALL.filter((name) => name in vacancy).map((name) => [name, vacancy[name as 'title']])),
    ...Object.fromEntries(named),
    hiring_lead_user_id: vacancy.hiring_lead.id,
    collaborator_ids: vacancy.collaborators.map(({ id }) => id),
    min_salary: vacancy.minimum_salary ?? null,
    max_salary: vacancy.maximum_salary ?? null,
  }
}

type VacancyFormProps = {
  /** The vacancy to change or copy. */
  of?: Vacancy | undefined
  /** Initial values that replace those of `of`. */
  instead?: Record<string, unknown>
  onSubmit: (values: Record<string, unknown>, changed: Record<string, unknown>) => void
  onCancel: () => void
  error: unknown
  isBusy: boolean
}

/** The form of a vacancy, including the company's custom fields. */
export function VacancyForm(props: VacancyFormProps) {
  const read = useRead('GET /recruitment/vacancy_fields', { query: { per_page: 200 } })
  return (
    <WhenLoaded of={read} loading={<Loading rows={8} height={56} />}>
      {({ data }) => <WithFields {...props} custom={data} />}
    </WhenLoaded>
  )
}

const PREFIX = 'fields'

function WithFields({
  of,
  instead,
  onSubmit,
  onCancel,
  error,
  isBusy,
  custom,
}: VacancyFormProps & { custom: VacancyField[] }) {
  const t = useTexts(hiringTexts)
  const { employee, account, withheld } = useMe()
  const seen = custom.filter(({ protection }) => !withheld.includes(protection ?? ''))
  const names = seen.map(({ internal_name }) => `${PREFIX}.${internal_name}`)
  const fields: Fields = { ...CreateVacancy, ...fieldsUnder(PREFIX, seen) }
  const [start] = useState(() => {
    const values = Object.fromEntries(of?.custom_fields.map(({ internal_name, value }) => [internal_name, value]) ?? [])
    const empty = {
      positions: 1,
      priority: 'medium',
      currency_code: account.currency_code,
      ...(employee ? { hiring_lead_user_id: employee.id } : {}),
    }
    return { ...(of ? startOf(of) : empty), ...startUnder(PREFIX, seen, values), ...instead }
  })
  const sent = (values: Record<string, unknown>) => {
    const all = Object.entries(values).filter(([name]) => !withheld.includes(fields[name]?.group ?? ''))
    const own = withoutPrefix(PREFIX, Object.fromEntries(all.filter(([name]) => names.includes(name))))
    const plain = Object.fromEntries(all.filter(([name]) => !names.includes(name)))
    return Object.keys(own).length > 0 ? { ...plain, [PREFIX]: own } : plain
  }
  return (
    <div className="vacancy-form">
      <Form
        fields={fields}
        of={[...ALL, ...names]}
        start={start}
        isWide
        labels={{
          title: t('fieldTitle'),
          positions: t('positions'),
          hiring_lead_user_id: t('lead'),
          collaborator_ids: t('collaborators'),
          recruitment_pipeline_id: t('pipeline'),
          min_salary: t('minSalary'),
          max_salary: t('maxSalary'),
          starts_on: t('startsOn'),
          ends_on: t('endsOn'),
          post_on_careers: t('onCareers'),
          salary_on_careers: t('salaryOnCareers'),
          tags: t('tags'),
          skills: t('skills'),
          priority: t('priority'),
          ...labelsUnder(PREFIX, seen),
        }}
        headings={{
          department_id: t('groupJob'),
          hiring_lead_user_id: t('groupHiring'),
          min_salary: t('groupPay'),
          // Users who may not see salaries only have the currency field in this group.
          ...(withheld.includes('compensation') ? { currency_code: t('groupPay') } : {}),
          post_on_careers: t('careers'),
          ...(names[0] ? { [names[0]]: t('groupCustom') } : {}),
        }}
        onSubmit={(values, changed) => onSubmit(sent(values), sent(changed))}
        onCancel={onCancel}
        error={error}
        isBusy={isBusy}
      />
    </div>
  )
}
