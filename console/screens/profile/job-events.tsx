import { Badge, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useRead } from '../../client/data.ts'
import {
  UpdateAdditionalCompensation,
  UpdateEmployeePosition,
  UpdateEmployment,
  UpdateEmploymentStatus,
  UpdateSalary,
} from '../../client/fields/employees.ts'
import type { Fields } from '../../client/fields.ts'
import type { EmployeePosition, EmploymentEntry, EmploymentStatus, Salary } from '../../client/operations.ts'
import { nameOf } from '../../parts/person.tsx'
import type { IconName } from '../../shell/icons.tsx'
import { dayBefore, today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName, useValueName } from '../../texts/names.ts'
import { useProfile } from './shared.ts'
import { profileTexts } from './texts.ts'

const PLACES = [
  'position',
  'department',
  'location',
  'division',
  'job_level',
  'job_profile',
  'legal_entity',
  'reporting_to',
] as const
const TERMS = ['employment_type', 'working_pattern', 'probation_policy'] as const
const PER = { hour: 'hourly', day: 'daily', week: 'weekly', month: 'monthly', year: 'yearly' } as const

export const KINDS = {
  employments: {
    fields: UpdateEmployment as Fields,
    of: [
      'hired_on',
      'probation_ends_on',
      'termination_effective_on',
      'termination_type_id',
      'termination_reason_id',
      'termination_eligible_for_rehire',
      'termination_comment',
    ],
  },
  positions: {
    fields: UpdateEmployeePosition as Fields,
    of: ['effective_from', 'announced_on', ...PLACES.map((one) => `${one}_id`)],
  },
  employment_statuses: {
    fields: UpdateEmploymentStatus as Fields,
    of: ['effective_from', 'announced_on', ...TERMS.map((one) => `${one}_id`), 'comment'],
  },
  salaries: {
    fields: UpdateSalary as Fields,
    of: ['effective_on', 'announced_on', 'amount', 'currency_code', 'per', 'overtime', 'pay_schedule_id', 'comment'],
  },
  additional_compensations: {
    fields: UpdateAdditionalCompensation as Fields,
    of: [
      'compensation_type_id',
      'type',
      'amount',
      'currency_code',
      'starts_on',
      'announced_on',
      'ends_on',
      'frequency',
      'description',
    ],
  },
} as const

type Kind = keyof typeof KINDS
export type JobEvent = {
  key: string
  day: string
  icon: IconName
  title: string
  text: ReactNode
  kind?: Kind
  id?: number
  /** The first and the last day of the former employment that the event is about, as shown. */
  employment?: { from: string; to: string }
}

type NamedRecord = { name?: string; full_name?: string; first_name?: string | null; last_name?: string | null } | null
const wordOf = (one: NamedRecord | undefined) => (one ? (one.name ?? nameOf(one)) : '–')

function useHistories() {
  const { id, sees } = useProfile()
  const params = { employee_id: id }
  const sees_pay = { enabled: sees('compensation') }
  const positions = useRead('GET /employees/{employee_id}/positions', { params })
  const statuses = useRead('GET /employees/{employee_id}/employment_statuses', { params, query: { per_page: 200 } })
  const salaries = useRead('GET /employees/{employee_id}/salaries', { params }, sees_pay)
  const others = useRead('GET /employees/{employee_id}/additional_compensations', { params }, sees_pay)
  const employments = useRead('GET /employees/{employee_id}/employments', { params })
  const reads = [positions, statuses, employments, ...(sees('compensation') ? [salaries, others] : [])]
  return { positions, statuses, salaries, others, employments, reads }
}

/** Events of the employee's job and pay, newest first. */
export function useJobEvents() {
  const t = useTexts(profileTexts)
  const { day, money } = useFormats()
  const valueName = useValueName()
  const { positions, statuses, salaries, others, employments, reads } = useHistories()
  const payOf = ({ amount, currency_code, per }: Salary) =>
    t(PER[per ?? 'year'], { amount: money(amount, currency_code ?? 'EUR') })

  const byDay = <T extends { effective_on: string }>(all: T[]) =>
    all.toSorted((one, other) => one.effective_on.localeCompare(other.effective_on))
  const jobs = byDay<EmployeePosition>(positions.answer?.data ?? [])
  const terms = byDay<EmploymentStatus>(statuses.answer?.data ?? [])
  const pays = byDay<Salary>(salaries.answer?.data ?? [])
  const events: JobEvent[] = [
    ...jobs.map((one, index) => ({
      key: `job ${one.id}`,
      day: one.effective_from,
      icon: 'chart' as const,
      title: t('jobEntry'),
      text: <Differences names={PLACES} one={one} before={jobs[index - 1]} />,
      kind: 'positions' as const,
      id: one.id,
    })),
    ...terms.map((one, index) => ({
      key: `terms ${one.id}`,
      day: one.effective_from,
      icon: 'time' as const,
      title: t('employmentEntry'),
      text: (
        <>
          <Differences names={TERMS} one={one} before={terms[index - 1]} />
          {one.comment ? <Text size="sm">{one.comment}</Text> : null}
        </>
      ),
      kind: 'employment_statuses' as const,
      id: one.id,
    })),
    ...pays.map((one, index) => ({
      key: `pay ${one.id}`,
      day: one.effective_on,
      icon: 'money' as const,
      title: t('payEntry'),
      text: (
        <>
          <Text fw={600}>
            {payOf(one)} <Raise of={one} before={pays[index - 1]} />
          </Text>
          {one.comment ? (
            <Text size="sm" c="dimmed">
              {one.comment}
            </Text>
          ) : null}
        </>
      ),
      kind: 'salaries' as const,
      id: one.id,
    })),
    ...(others.answer?.data ?? []).map((one) => ({
      key: `other ${one.id}`,
      day: one.starts_on,
      icon: 'plus' as const,
      title: t('otherPay'),
      text: (
        <>
          <Text fw={600}>
            {one.compensation_type?.name}: {money(one.amount, one.currency_code ?? 'EUR')}
            {one.frequency ? ` · ${valueName(one.frequency)}` : ''}
            {one.ends_on ? ` · ${t('until', { day: day(one.ends_on) })}` : ''}
          </Text>
          {one.description && one.description !== one.compensation_type?.name ? (
            <Text size="sm" c="dimmed">
              {one.description}
            </Text>
          ) : null}
        </>
      ),
      kind: 'additional_compensations' as const,
      id: one.id,
    })),
    ...(employments.answer?.data ?? []).flatMap((one, index): JobEvent[] => {
      const { id, hired_on, termination_effective_on: left } = one
      const began = (hired_on ?? '') > today() ? t('begins') : index > 0 ? t('returned') : t('began')
      const changed =
        id === null || !left
          ? {}
          : { kind: 'employments' as const, id, employment: { from: day(hired_on), to: day(dayBefore(left)) } }
      return [
        ...(hired_on ? [{ key: `began ${id}`, day: hired_on, icon: 'star' as const, title: began, text: null }] : []),
        ...(left
          ? [
              {
                key: `left ${id}`,
                day: left,
                icon: 'leaveHouse' as const,
                title: left > today() ? t('leaves') : t('left'),
                text: <Termination of={one} />,
                ...changed,
              },
            ]
          : []),
      ]
    }),
  ].sort((one, other) => other.day.localeCompare(one.day))
  return { events, pays, reads }
}

/** How and why an employment ended, as far as the user may see it. */
function Termination({ of }: { of: EmploymentEntry }) {
  const { termination_type: type, termination_reason: reason, termination_comment: comment } = of
  const how = [type?.name, reason?.name].filter(Boolean).join(' · ')
  return (
    <>
      {how ? <Text size="sm">{how}</Text> : null}
      {comment ? (
        <Text size="sm" c="dimmed">
          {comment}
        </Text>
      ) : null}
    </>
  )
}

/** The differences to the entry before. */
function Differences<K extends string>(props: {
  names: readonly K[]
  one: Partial<Record<K, NamedRecord>>
  before: Partial<Record<K, NamedRecord>> | undefined
}) {
  const { names, one, before } = props
  const t = useTexts(profileTexts)
  const fieldName = useFieldName()
  const changed = names.filter((name) => wordOf(one[name]) !== wordOf(before?.[name]))
  return (
    <ul className="profile-differences">
      {changed.map((name) => (
        <li key={name}>
          <Text span c="dimmed" size="sm">
            {fieldName(name)}:
          </Text>{' '}
          {before?.[name] ? t('change', { before: wordOf(before[name]), after: wordOf(one[name]) }) : wordOf(one[name])}
        </li>
      ))}
    </ul>
  )
}

/** The raise in per cent, if currency and period are the same. */
function Raise({ of, before }: { of: Salary; before: Salary | undefined }) {
  const { percent } = useFormats()
  if (!before || before.currency_code !== of.currency_code || before.per !== of.per || !Number(before.amount))
    return null
  const change = Number(of.amount) / Number(before.amount) - 1
  return (
    <Badge color={change < 0 ? 'red' : 'cadre'}>
      {change > 0 ? '+' : ''}
      {percent(change)}
    </Badge>
  )
}
