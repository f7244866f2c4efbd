import { Alert, Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { call, preview } from '../../client/client.ts'
import { ownRequest, refresh, useRead } from '../../client/data.ts'
import { TerminateEmployee } from '../../client/fields/employees.ts'
import { useMay, useMe } from '../../client/me.ts'
import { notifyDone, notifyFailed, notifyRefused } from '../../client/notices.ts'
import type { BulkError } from '../../client/operations.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { nameOf } from '../../parts/person.tsx'
import { useProblemText } from '../../parts/problems.ts'
import { RecordSelect } from '../../parts/record-select.tsx'
import { Failed, Loading, useFailureText } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useList } from '../../texts/lists.ts'
import { useFieldName } from '../../texts/names.ts'
import { peopleTexts } from '../people/texts.ts'
import { leavingTexts } from './leaving-texts.ts'
import { announceable, seenOf, useProfile, withoutHidden } from './shared.ts'
import { profileTexts } from './texts.ts'

const OF = [
  'effective_from',
  'announced_on',
  'termination_type_id',
  'termination_reason_id',
  'eligible_for_rehire',
  'comment',
] as const

/** The kinds of records that somebody who leaves, or stays after all, changes. */
export const KINDS = [
  'employees',
  'positions',
  'departments',
  'teams',
  'asset_assignments',
  'assets',
  'leave_requests',
  'tasks',
]
/** As many of a kind are named; of the others there is a figure. */
const NAMED = 6

/** A termination is known from its day on, or from the day on which it is announced. */
const isKnown = ({ effective_from, announced_on }: TerminationValues) =>
  String(effective_from ?? '') <= today() || Boolean(announced_on && String(announced_on) <= today())

/** The end of somebody's employment, with what it means for others, and who takes over. */
export function EndDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(leavingTexts)
  const words = useTexts(profileTexts)
  const fieldName = useFieldName()
  const { employee, sees } = useProfile()
  const [from, setFrom] = useState(today())
  const left = useLeft(from)
  const [successor, setSuccessor] = useState<number | null>(null)
  const [keeps, setKeeps] = useState(false)
  const { save, error, isBusy } = useSave(onClose)
  const name = employee.full_name
  const fields = seenOf(TerminateEmployee, OF, sees)
  return (
    <Dialog opened onClose={onClose} isBusy={isBusy} title={words('endEmployment')} size="lg">
      <Form
        fields={TerminateEmployee}
        of={announceable(fields)}
        labels={{ effective_from: fieldName('termination_effective_on'), announced_on: words('announceOn', { name }) }}
        descriptions={{ announced_on: words('announceText', { name }) }}
        start={{ effective_from: today() }}
        isTouched={successor !== null || keeps}
        error={error}
        isBusy={isBusy}
        isWaiting={left.isPending}
        submitLabel={t('terminate')}
        onCancel={onClose}
        onSubmit={(values) =>
          void save(withoutHidden(fields, values, values), left, {
            successor,
            returned: keeps ? [] : left.assets,
          })
        }
      >
        {(values) => (
          <>
            <Follow day={String(values.effective_from ?? '')} onDay={setFrom} />
            {isKnown(values) ? null : <NoReminder />}
            <Consequences
              day={from}
              of={left}
              isKnown={isKnown(values)}
              successor={successor}
              onSuccessor={setSuccessor}
              keeps={keeps}
              onKeeps={setKeeps}
            />
          </>
        )}
      </Form>
    </Dialog>
  )
}

/** What is asked for follows the day, once it is whole. */
function Follow({ day, onDay }: { day: string; onDay: (day: string) => void }) {
  const [known, setKnown] = useState(day)
  if (day !== known) {
    setKnown(day)
    if (/^\d{4}-\d\d-\d\d$/.test(day) && day > '1900') queueMicrotask(() => onDay(day))
  }
  return null
}

/** A task is seen by others, perhaps by the leaver: what is not known yet has none. */
function NoReminder() {
  const t = useTexts(leavingTexts)
  const people = useTexts(peopleTexts)
  const { sees } = useProfile()
  return (
    <Text size="sm" role="status">
      {t('noReminder')}
      {sees('planned') ? ` ${t('whereFound', { people: people('title'), filter: people('leavingSoon') })}` : ''}
    </Text>
  )
}

type OpenMatters = ReturnType<typeof useLeft>

/** What somebody leaves behind who is gone from this day on, as far as it may be seen. */
function useLeft(day: string) {
  const may = useMay()
  const { id, may: mayOf } = useProfile()
  const reports = useRead(
    'GET /employees',
    { query: { manager_id: id, status: 'active', per_page: 200, ...(day === today() ? {} : { as_of: day }) } },
    { keepPrevious: true },
  )
  const departments = useRead('GET /departments', { query: { per_page: 200 } }, { enabled: may('organisation:read') })
  const teams = useRead('GET /teams', { query: { per_page: 200 } }, { enabled: may('teams:read') })
  const held = useRead(
    'GET /assets',
    { query: { user_id: id, on: day, per_page: 200 } },
    { enabled: mayOf('assets:read'), keepPrevious: true },
  )
  const leave = useRead(
    'GET /leave_requests',
    { query: { employee_id: id, 'ends_on[gte]': day, 'states[]': ['pending', 'approved'], per_page: 200 } },
    { enabled: mayOf('leave:read'), keepPrevious: true },
  )
  const waiting = useRead(
    'GET /leave_requests',
    { query: { manager_id: id, state: 'pending', per_page: 1 } },
    { enabled: may('leave:read') },
  )
  // Overtime and time are approved by the manager of today.
  const own = useRead('GET /employees', { query: { manager_id: id, status: 'active', per_page: 200 } })
  const people = (own.answer?.data ?? []).map((one) => one.id)
  const isAsked = may('time:read') && people.length > 0
  const overtime = useRead(
    'GET /time/overtime_requests',
    { query: { 'employee_ids[]': people, state: 'pending', per_page: 1 } },
    { enabled: isAsked },
  )
  const time = useRead(
    'GET /time/timesheet_entries',
    { query: { 'employee_ids[]': people, 'status[]': ['pending'], per_page: 1 } },
    { enabled: isAsked },
  )
  const reads = [
    reports,
    own,
    ...(isAsked ? [overtime, time] : []),
    ...(may('organisation:read') ? [departments] : []),
    ...(may('teams:read') ? [teams] : []),
    ...(mayOf('assets:read') ? [held] : []),
    ...(mayOf('leave:read') ? [leave] : []),
    ...(may('leave:read') ? [waiting] : []),
  ]
  const failed = reads.find((one) => one.error)
  return {
    /** Also while what is shown is still that of another day. */
    isPending: reads.some((one) => (!one.answer && !one.error) || one.isPlaceholderData),
    isThere: reads.every((one) => one.answer),
    error: failed?.error,
    refetch: () => reads.forEach((one) => void one.refetch()),
    reports: (reports.answer?.data ?? []).filter((one) => one.id !== id),
    departments: (departments.answer?.data ?? []).filter((one) => one.manager_id === id),
    teams: (teams.answer?.data ?? []).filter((one) => one.team_lead?.id === id),
    assets: (held.answer?.data ?? []).filter(({ assignment }) => assignment && !assignment.returned_on),
    leave: leave.answer?.data ?? [],
    waiting: [waiting, overtime, time].reduce((sum, one) => sum + (one.answer?.metadata.count ?? 0), 0),
  }
}

function Consequences(props: {
  day: string
  of: OpenMatters
  isKnown: boolean
  successor: number | null
  onSuccessor: (id: number | null) => void
  keeps: boolean
  onKeeps: (keeps: boolean) => void
}) {
  const { day, of, successor, onSuccessor, keeps, onKeeps } = props
  const t = useTexts(leavingTexts)
  const { day: shown, days } = useFormats()
  const { employee } = useProfile()
  const isReminded = useMayRemind() && props.isKnown
  const isAhead = day > today()
  if (of.error) return <Failed error={of.error} onRetry={of.refetch} />
  if (!of.isThere) return <Loading rows={3} />
  const name = employee.full_name
  const names = (all: readonly string[]) =>
    [...all.slice(0, NAMED), ...(all.length > NAMED ? [t('more', { count: all.length - NAMED })] : [])].join(' · ')
  const led = [...of.departments, ...of.teams].map((one) => one.name)
  const isHandedOver = of.reports.length > 0 || led.length > 0
  const lines = [
    of.reports.length > 0
      ? { key: 'reports', title: t('reports', { count: of.reports.length }), text: names(of.reports.map(nameOf)) }
      : undefined,
    led.length > 0 ? { key: 'led', title: t('leads', { count: led.length }), text: names(led) } : undefined,
    of.waiting > 0 ? { key: 'waiting', title: t('waiting', { count: of.waiting }), text: t('waitingText') } : undefined,
    of.leave.length > 0
      ? {
          key: 'leave',
          title: t('leave', { count: of.leave.length, day: shown(day) }),
          text: (
            <>
              {names(of.leave.map((one) => `${one.leave_type} ${days(one.starts_on, one.ends_on)}`))}
              <br />
              {t('leaveSeen', { name })}
            </>
          ),
        }
      : undefined,
    of.assets.length > 0
      ? {
          key: 'assets',
          title: t('assets', { count: of.assets.length }),
          text: names(of.assets.map((one) => one.name)),
        }
      : undefined,
  ].filter((one) => one !== undefined)
  if (lines.length === 0) return null
  return (
    <Alert
      color="yellow"
      icon={<Icon name="warning" />}
      title={t('follows', { name })}
      role="group"
      aria-label={t('follows', { name })}
    >
      <Stack gap="sm">
        <ul className="profile-follows">
          {lines.map(({ key, title, text }) => (
            <li key={key}>
              <Text fw={600} size="sm">
                {title}
              </Text>
              <Text size="sm">{text}</Text>
            </li>
          ))}
        </ul>
        {isHandedOver ? (
          <div>
            <RecordSelect table="employees" label={t('successor')} value={successor} onChange={onSuccessor} />
            <Text size="sm" mt={4} role="status">
              {successor === null
                ? t('nobody', { name })
                : [
                    of.reports.length > 0 ? t('reportsFrom', { day: shown(day) }) : '',
                    led.length > 0
                      ? t(!isAhead ? 'ledNow' : isReminded ? 'ledLater' : 'ledByHand', { day: shown(day) })
                      : '',
                  ]
                    .filter(Boolean)
                    .join(' ')}
            </Text>
          </div>
        ) : null}
        {of.assets.length > 0 && (isReminded || !isAhead) ? (
          <Checkbox
            label={t(isAhead ? 'takeBackLater' : 'takeBack', { day: shown(day) })}
            checked={!keeps}
            onChange={(event) => onKeeps(!event.currentTarget.checked)}
          />
        ) : null}
      </Stack>
    </Alert>
  )
}

/** Can the person who enters it have a task for that day? */
function useMayRemind(): boolean {
  const may = useMay()
  return Boolean(useMe().employee) && may('tasks:write')
}

/** Whose change of many was refused, and why. */
export function useRefusals() {
  const fieldName = useFieldName()
  const say = useProblemText()
  return (errors: readonly BulkError[], people: readonly Parameters<typeof nameOf>[0][]) =>
    errors.map(({ index, errors: all }) => {
      const why = all.map((one) => `${fieldName(one.field)}: ${say(one)}`).join(' ')
      return `${nameOf(people[index] ?? {})}: ${why}`
    })
}

type TerminationValues = Readonly<Record<string, unknown>>
type HandOver = { successor: number | null; returned: OpenMatters['assets'] }

/** Tries what may be refused before anything is done; then does it all, to be undone together. */
function useSave(onClose: () => void) {
  const t = useTexts(leavingTexts)
  const list = useList()
  const { day: shown } = useFormats()
  const { id, employee } = useProfile()
  const { employee: me } = useMe()
  const mayRemind = useMayRemind()
  const failure = useFailureText()
  const refusals = useRefusals()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()

  const save = async (values: TerminationValues, left: OpenMatters, { successor, returned }: HandOver) => {
    const day = String(values.effective_from)
    const ending = { params: { id }, body: values as never }
    const lines = {
      body: {
        data: left.reports.map((one) => ({ id: one.id, reporting_to_id: successor })),
        ...(day === today() ? {} : { effective_from: day }),
      },
    }
    const hasLines = successor !== null && left.reports.length > 0
    setBusy(true)
    setError(undefined)
    const requestIds: string[] = []
    const keep = ({ requestId }: { requestId: string }) => void requestIds.push(requestId)
    const requestId = () => ownRequest(KINDS)
    try {
      await preview('POST /employees/{id}/terminate', ending)
      if (hasLines) {
        const { errors } = await preview('PATCH /employees/bulk', lines)
        const refused = refusals(errors.data, left.reports)
        if (refused.length > 0) return notifyRefused(t('notHandedOver'), refused)
      }
      keep(await call('POST /employees/{id}/terminate', { ...ending, requestId: requestId() }))
      const further = [
        ...(hasLines ? [() => call('PATCH /employees/bulk', { ...lines, requestId: requestId() })] : []),
        ...(successor === null ? [] : leads(left, successor, values, requestId)),
        ...returns(returned, values, requestId),
      ]
      const failed: string[] = []
      for (const step of further) await step().then(keep, (one) => failed.push(failure(one)))
      notifyDone(t('ended', { name: employee.full_name, day: shown(day) }), { requestId: requestIds, kinds: KINDS })
      if (failed.length > 0) notifyRefused(t('notHandedOver'), [...new Set(failed)])
      onClose()
    } catch (one) {
      setError(one)
      if (requestIds.length > 0) notifyFailed(one)
    } finally {
      setBusy(false)
      refresh(KINDS)
    }
  }

  /** Who leads a department or a team holds from now on: of a day to come, somebody has to be reminded. */
  const leads = (left: OpenMatters, successor: number, values: TerminationValues, requestId: () => string) => {
    if (String(values.effective_from) <= today())
      return [
        ...left.departments.map((one) => () => {
          const sent = { params: { id: one.id }, body: { manager_id: successor } }
          return call('PUT /departments/{id}', { ...sent, requestId: requestId() })
        }),
        ...left.teams.map((one) => () => {
          const sent = { params: { id: one.id }, body: { team_lead_id: successor } }
          return call('PUT /teams/{id}', { ...sent, requestId: requestId() })
        }),
      ]
    const led = [...left.departments, ...left.teams]
    return remind('task', led, values, requestId)
  }

  /** Whoever holds an asset sees when it goes back: until they may know that they leave, that is a task for others. */
  const returns = (assets: OpenMatters['assets'], values: TerminationValues, requestId: () => string) => {
    const day = String(values.effective_from)
    return day > today()
      ? remind('taskAssets', assets, values, requestId)
      : assets.map(({ assignment }) => () => {
          const sent = { params: { id: assignment?.id ?? 0 }, body: { returned_on: day } }
          return call('POST /asset_assignments/{id}/return', { ...sent, requestId: requestId() })
        })
  }

  const remind = (
    key: 'task' | 'taskAssets',
    of: readonly { name: string }[],
    values: TerminationValues,
    requestId: () => string,
  ): (() => Promise<{ requestId: string }>)[] => {
    if (of.length === 0 || !me || !mayRemind || !isKnown(values)) return []
    const names = list(of.map((one) => one.name))
    const name = t(key, { name: employee.full_name, names }).slice(0, 255)
    const day = String(values.effective_from)
    const about = { associated_to: { id, type: 'Employee' } } as const
    const body = { name, type: 'offboarding', starts_on: day, ends_on: day, employee_id: me.id, ...about } as const
    return [() => call('POST /tasks', { body, requestId: requestId() })]
  }
  return { save, error, isBusy }
}
