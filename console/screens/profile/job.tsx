import { Badge, Group, Text, Timeline } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useRead } from '../../client/data.ts'
import {
  CreateAdditionalCompensation,
  CreateEmployeePosition,
  CreateEmploymentStatus,
  CreateSalary,
  UpdateAdditionalCompensation,
  UpdateEmployeePosition,
  UpdateEmploymentStatus,
  UpdateSalary,
} from '../../client/fields/employees.ts'
import type { Fields } from '../../client/fields.ts'
import { useMe } from '../../client/me.ts'
import type { EmployeePosition, EmploymentStatus, Salary } from '../../client/operations.ts'
import { nameOf } from '../../parts/person.tsx'
import { Section } from '../../parts/section.tsx'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { Icon, type IconName } from '../../shell/icons.tsx'
import { today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName, useValueName } from '../../texts/names.ts'
import { PayChart } from './pay-chart.tsx'
import { AddDialog, EditButton, EditDialog, RemoveButton } from './records.tsx'
import { startOf, useProfile } from './shared.ts'
import { profileTexts } from './texts.ts'

/** All that ever held of somebody's job and pay, and what is planned, by the days from which it holds. */

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

const KINDS = {
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
type JobEvent = { key: string; day: string; icon: IconName; title: string; text: ReactNode; kind?: Kind; id?: number }

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
  const reads = [positions, statuses, ...(sees('compensation') ? [salaries, others] : [])]
  return { positions, statuses, salaries, others, reads }
}

export function Job() {
  const t = useTexts(profileTexts)
  const { day, money } = useFormats()
  const fieldName = useFieldName()
  const valueName = useValueName()
  const { employee, asOf, mayChange } = useProfile()
  const { positions, statuses, salaries, others, reads } = useHistories()
  const [edited, setEdited] = useState<JobEvent>()
  const payLabels = usePayLabels()
  const failed = reads.find((one) => one.error)
  if (failed) return <Failed error={failed.error} onRetry={() => void failed.refetch()} />
  if (reads.some((one) => !one.answer)) return <Loading rows={8} height={56} />

  const differences = <K extends string>(
    names: readonly K[],
    one: Partial<Record<K, NamedRecord>>,
    before: Partial<Record<K, NamedRecord>> | undefined,
  ) => {
    const changed = names.filter((name) => wordOf(one[name]) !== wordOf(before?.[name]))
    return (
      <ul className="profile-differences">
        {changed.map((name) => (
          <li key={name}>
            <Text span c="dimmed" size="sm">
              {fieldName(name)}:
            </Text>{' '}
            {before?.[name]
              ? t('change', { before: wordOf(before[name]), after: wordOf(one[name]) })
              : wordOf(one[name])}
          </li>
        ))}
      </ul>
    )
  }
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
      text: differences(PLACES, one, jobs[index - 1]),
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
          {differences(TERMS, one, terms[index - 1])}
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
    ...(employee.hired_on
      ? [{ key: 'began', day: employee.hired_on, icon: 'star' as const, title: t('began'), text: null }]
      : []),
    ...(employee.termination_effective_on
      ? [
          {
            key: 'left',
            day: employee.termination_effective_on,
            icon: 'leaveHouse' as const,
            title: employee.termination_effective_on > today() ? t('leaves') : t('left'),
            text: employee.termination_comment ? <Text size="sm">{employee.termination_comment}</Text> : null,
          },
        ]
      : []),
  ].sort((one, other) => other.day.localeCompare(one.day))
  if (events.length === 0) return <Empty icon="history" title={t('timelineEmpty')} />

  const until = asOf || today()
  const ahead = events.findIndex((one) => one.day <= until)
  const isOpenToChange = mayChange('employees:write')
  return (
    <Section title={pays.length > 0 ? t('job') : t('jobOnly')}>
      <PayChart of={pays} until={until} />
      <Timeline active={events.length} bulletSize={30} lineWidth={2} reverseActive className="profile-timeline">
        {events.map((one, index) => (
          <Timeline.Item
            key={one.key}
            bullet={<Icon name={one.icon} size={16} />}
            className={ahead !== -1 && index >= ahead ? '' : 'profile-ahead'}
          >
            <Group justify="space-between" wrap="nowrap" align="start" gap="xs">
              <div className="profile-line-words">
                <Text size="sm" c="dimmed" component="div">
                  <time dateTime={one.day}>{day(one.day)}</time> · {one.title}{' '}
                  {one.day > today() ? <Badge color="blue">{t('planned')}</Badge> : null}
                </Text>
                {one.text}
              </div>
              {isOpenToChange && one.kind && one.id ? (
                <Group gap={0} wrap="nowrap" className="no-print">
                  <EditButton label={t('editEntry', { day: day(one.day) })} onClick={() => setEdited(one)} />
                  <RemoveButton kind={one.kind} recordId={one.id} label={t('removeEntry', { day: day(one.day) })} />
                </Group>
              ) : null}
            </Group>
          </Timeline.Item>
        ))}
      </Timeline>
      {edited?.kind && edited.id ? (
        <EditDialog
          kind={edited.kind}
          recordId={edited.id}
          title={t('editEntry', { day: day(edited.day) })}
          fields={KINDS[edited.kind].fields}
          of={KINDS[edited.kind].of}
          {...(edited.kind === 'additional_compensations' ? { labels: payLabels } : {})}
          onClose={() => setEdited(undefined)}
        />
      ) : null}
    </Section>
  )
}

/** By how much pay changed, where that can be told: in one currency, by one unit. */
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

export type JobDialog = 'job' | 'employment' | 'pay' | 'otherPay'

/** Additional pay is paid from a day until another. */
function usePayLabels() {
  const t = useTexts(profileTexts)
  return { starts_on: t('payFrom'), ends_on: t('payUntil') }
}

/** A change from a day: what is there stays until then. */
export function ChangeDialog({ of, onClose }: { of: JobDialog; onClose: () => void }) {
  const t = useTexts(profileTexts)
  const payLabels = usePayLabels()
  const { day } = useFormats()
  const { account } = useMe()
  const { id, employee } = useProfile()
  const params = { employee_id: id }
  const pay = useRead('GET /employees/{employee_id}/salaries', { params }, { enabled: of === 'pay' })
  const positions = useRead('GET /employees/{employee_id}/positions', { params }, { enabled: of === 'job' })
  const statuses = useRead(
    'GET /employees/{employee_id}/employment_statuses',
    { params, query: { per_page: 200 } },
    { enabled: of === 'employment' },
  )
  const warnOf = (entries: readonly { effective_from: string }[] | undefined) => (values: Record<string, unknown>) => {
    const from = values.effective_from as string | null
    if (!from) return undefined
    const [next] = (entries ?? [])
      .map((one) => one.effective_from)
      .filter((one) => one > from)
      .sort()
    return [
      employee.hired_on && from < employee.hired_on ? t('beforeHired', { day: day(employee.hired_on) }) : '',
      next ? t('laterEntry', { day: day(next) }) : '',
    ]
      .filter(Boolean)
      .join(' ')
  }
  const isSame = (changed: Record<string, unknown>) =>
    Object.keys(changed).every((name) => ['effective_from', 'effective_on', 'announced_on'].includes(name))
  const unchanged = (_: unknown, changed: Record<string, unknown>) => (isSame(changed) ? t('noChange') : undefined)
  const onlyChanged = (values: Record<string, unknown>, changed: Record<string, unknown>) => ({
    ...changed,
    effective_from: values.effective_from,
  })
  if (of === 'job') {
    const names = KINDS.positions.of
    return (
      <AddDialog
        kind="positions"
        title={t('changeJob')}
        note={t('fromDay')}
        fields={CreateEmployeePosition}
        of={names}
        start={{ ...startOf(names, employee), effective_from: today() }}
        compose={onlyChanged}
        missing={unchanged}
        doneFor={(body) => t('jobSaved', { day: day(body.effective_from as string) })}
        warn={warnOf(positions.answer?.data)}
        onClose={onClose}
      />
    )
  }
  if (of === 'employment') {
    const names = KINDS.employment_statuses.of
    return (
      <AddDialog
        kind="employment_statuses"
        title={t('changeEmployment')}
        note={t('fromDay')}
        fields={CreateEmploymentStatus}
        of={names}
        start={{ ...startOf(names, employee), effective_from: today() }}
        compose={onlyChanged}
        missing={unchanged}
        doneFor={(body) => t('jobSaved', { day: day(body.effective_from as string) })}
        warn={warnOf(statuses.answer?.data)}
        onClose={onClose}
      />
    )
  }
  if (of === 'otherPay')
    return (
      <AddDialog
        kind="additional_compensations"
        title={t('addPay')}
        fields={CreateAdditionalCompensation}
        of={KINDS.additional_compensations.of}
        labels={payLabels}
        start={{ type: 'fixed', currency_code: account.currency_code, starts_on: today() }}
        onClose={onClose}
      />
    )
  if (!pay.answer) return null
  const last = pay.answer.data.toSorted((one, other) => one.effective_on.localeCompare(other.effective_on)).at(-1)
  return (
    <AddDialog
      kind="salaries"
      title={t('changePay')}
      note={t('salaryFrom')}
      fields={CreateSalary}
      of={KINDS.salaries.of}
      start={{
        effective_on: today(),
        amount: last?.amount ?? '',
        currency_code: last?.currency_code ?? account.currency_code,
        per: last?.per ?? 'month',
        overtime: last?.overtime ?? false,
        pay_schedule_id: last?.pay_schedule?.id ?? null,
      }}
      // The same pay from an earlier day is a change of that time.
      missing={({ effective_on }, changed) =>
        last && isSame(changed) && String(effective_on) >= last.effective_on ? t('noChange') : undefined
      }
      doneFor={(body) => t('paySaved', { day: day(body.effective_on as string) })}
      onClose={onClose}
    />
  )
}
