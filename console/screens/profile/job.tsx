import { Badge, Group, Text, Timeline } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../client/data.ts'
import {
  CreateAdditionalCompensation,
  CreateEmployeePosition,
  CreateEmploymentStatus,
  CreateSalary,
} from '../../client/fields/employees.ts'
import { useMe } from '../../client/me.ts'
import { Section } from '../../parts/section.tsx'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { type JobEvent, KINDS, useJobEvents } from './job-events.tsx'
import { PayChart } from './pay-chart.tsx'
import { AddDialog, EditButton, EditDialog, RemoveButton } from './records.tsx'
import { startOf, useProfile } from './shared.ts'
import { profileTexts } from './texts.ts'

/** Past, current and planned entries of job and pay, by their first day. */

export function Job() {
  const t = useTexts(profileTexts)
  const { day } = useFormats()
  const { asOf, mayChange } = useProfile()
  const { events, pays, reads } = useJobEvents()
  const [edited, setEdited] = useState<JobEvent>()
  const payLabels = usePayLabels()
  const failed = reads.find((one) => one.error)
  if (failed) return <Failed error={failed.error} onRetry={() => void failed.refetch()} />
  if (reads.some((one) => !one.answer)) return <Loading rows={8} height={56} />

  if (events.length === 0) return <Empty icon="history" title={t('timelineEmpty')} />

  const until = asOf || today()
  const ahead = events.findIndex((one) => one.day <= until)
  const isOpenToChange = mayChange('employees:write')
  const editLabel = (one: JobEvent) =>
    one.employment ? t('editFormer', one.employment) : t('editEntry', { day: day(one.day) })
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
                  <EditButton label={editLabel(one)} onClick={() => setEdited(one)} />
                  <RemoveButton
                    kind={one.kind}
                    recordId={one.id}
                    {...(one.employment
                      ? { label: t('removeFormer', one.employment), text: t('removeFormerText') }
                      : { label: t('removeEntry', { day: day(one.day) }) })}
                  />
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
          title={editLabel(edited)}
          fields={KINDS[edited.kind].fields}
          of={KINDS[edited.kind].of}
          {...(edited.kind === 'additional_compensations' ? { labels: payLabels } : {})}
          onClose={() => setEdited(undefined)}
        />
      ) : null}
    </Section>
  )
}

export type JobDialog = 'job' | 'employment' | 'pay' | 'otherPay'

/** Additional pay has a first and a last day. */
function usePayLabels() {
  const t = useTexts(profileTexts)
  return { starts_on: t('payFrom'), ends_on: t('payUntil') }
}

/** Adds an entry from a day on. The current one ends the day before. */
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
      // The same pay from an earlier day is a real change.
      missing={({ effective_on }, changed) =>
        last && isSame(changed) && String(effective_on) >= last.effective_on ? t('noChange') : undefined
      }
      doneFor={(body) => t('paySaved', { day: day(body.effective_on as string) })}
      onClose={onClose}
    />
  )
}
