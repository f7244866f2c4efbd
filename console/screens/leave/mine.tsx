import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { usePages, useRead, useWrite } from '../../client/data.ts'
import { useMay, useMayFor, useMe } from '../../client/me.ts'
import type { EmployeeLeaveType, LeaveRequest } from '../../client/operations.ts'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { RecordSelect } from '../../parts/fields.tsx'
import { Panel, StateBadge } from '../../parts/figure.tsx'
import { Empty, Failed, Loading, WhenFresh, WhenLoaded } from '../../parts/states.tsx'
import { useActions } from '../../shell/actions.ts'
import { useShortcuts } from '../../shell/keys.ts'
import { useFilters } from '../../shell/router.tsx'
import { today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useValueName } from '../../texts/names.ts'
import { LeaveForm } from './leave-request-form.tsx'
import { StatementButton, StatementPanel } from './statement.tsx'
import { leaveTexts } from './texts.ts'
import { useLeaveWords } from './words.ts'

const focusAsk = () => document.querySelector<HTMLElement>('[data-leave-ask]')?.focus()

/** Balances, a form for a new request, and earlier requests. Managers can open them for their employees. */
export function Mine() {
  const t = useTexts(leaveTexts)
  const may = useMay()
  const { employee } = useMe()
  const { get, set } = useFilters()
  const employeeId = Number(get('employee_id')) || employee?.id || null
  const isOther = employeeId !== null && employeeId !== employee?.id
  const mayForOthers = may('leave:approve') && may('employees:read')
  const balances = useRead(
    'GET /employees/{employee_id}/leave_balances',
    { params: { employee_id: employeeId ?? 0 }, query: { as_of: today() } },
    { enabled: employeeId !== null, kinds: ['leave_requests', 'leave_adjustments', 'leave_types', 'leave_policies'] },
  )
  const { mayFor, isPending } = useMayFor(employeeId, 'leave:request', 'leave:approve', 'leave:override')
  const mayAsk = mayFor('leave:request')
  const name = t('keyAsk')
  useShortcuts(mayAsk ? [{ keys: 'n', text: name, run: focusAsk }] : [])
  useActions(
    useMemo(() => (mayAsk ? [{ name, icon: 'leave' as const, run: () => setTimeout(focusAsk) }] : []), [mayAsk, name]),
  )
  const person = mayForOthers ? (
    <RecordSelect
      table="employees"
      label={t('askFor')}
      value={employeeId}
      onChange={(id) => set({ employee_id: id === null || id === employee?.id ? undefined : String(id) })}
      required={employee !== null}
    />
  ) : null
  if (employeeId === null) return <Panel title={t('ask')}>{person}</Panel>
  return (
    <WhenLoaded of={isPending ? { error: null } : balances} loading={<Loading rows={6} height={56} />}>
      {({ data }) => (
        <Stack gap="lg">
          <Balances of={data} employeeId={employeeId} />
          {mayAsk && (data.length > 0 || person) ? (
            <Panel title={t('ask')}>
              <LeaveForm
                key={employeeId}
                employeeId={employeeId}
                balances={data}
                mayDecide={isOther && mayFor('leave:approve')}
                mayOverride={isOther && mayFor('leave:override')}
                start={{ starts_on: get('from'), ends_on: get('until') || get('from') }}
                before={person}
              />
            </Panel>
          ) : person ? (
            <Panel title={t('ask')}>{person}</Panel>
          ) : null}
          <Requests
            employeeId={employeeId}
            balances={data}
            mayAsk={mayAsk}
            mayTakeBack={isOther && mayFor('leave:approve')}
            mayOverride={isOther && mayFor('leave:override')}
          />
        </Stack>
      )}
    </WhenLoaded>
  )
}

function Balances({ of, employeeId }: { of: readonly EmployeeLeaveType[]; employeeId: number }) {
  const t = useTexts(leaveTexts)
  const { day } = useFormats()
  const words = useLeaveWords()
  const yearEnd = `${today().slice(0, 4)}-12-31`
  const later = useRead(
    'GET /employees/{employee_id}/leave_balances',
    { params: { employee_id: employeeId }, query: { as_of: yearEnd } },
    { enabled: of.length > 0, kinds: ['leave_requests', 'leave_adjustments'] },
  )
  if (of.length === 0) return <Empty icon="leave" title={t('noBalances')} text={t('noBalancesText')} />
  return (
    <>
      <ul className="leave-balances" aria-label={t('balances')}>
        {of.map(({ id, leave_type, leave_type_policy, balance, on_demand_balance, this_year }) => {
          const then = later.answer?.data.find((one) => one.leave_type.id === leave_type.id)
          // Externally counted leave has no entitlement and no balance, so the card shows the days taken.
          const isTaken = leave_type_policy.type === 'external' && balance <= 0
          return (
            <li key={id} className="leave-balance">
              <Text size="sm" fw={600}>
                <Dot colour={leave_type.hex_color} />
                {leave_type.name}
              </Text>
              <Text fw={700} size="xl">
                {words.amount(isTaken ? Math.abs(balance) : balance, leave_type.unit)}
              </Text>
              <Text size="xs" c="dimmed" mih={18}>
                {isTaken
                  ? t('taken')
                  : then
                    ? t('balanceOn', { amount: words.amount(then.balance, leave_type.unit), day: day(yearEnd) })
                    : ' '}
              </Text>
              {figuresOf({ ...this_year, balance }).map(([key, amount, on]) => (
                <Text key={key} size="xs" c="dimmed">
                  {t(key, { amount: words.amount(amount, leave_type.unit), day: on ? day(on) : '' })}
                </Text>
              ))}
              <StatementButton leaveTypeId={leave_type.id} name={leave_type.name} />
              {on_demand_balance > 0 ? (
                <Text size="xs" c="dimmed">
                  {t('onDemandLeft', { amount: words.amount(on_demand_balance, leave_type.unit) })}
                </Text>
              ) : null}
            </li>
          )
        })}
      </ul>
      <StatementPanel
        employeeId={employeeId}
        name={(id) => of.find(({ leave_type }) => leave_type.id === id)?.leave_type.name ?? ''}
      />
    </>
  )
}

type Figure = readonly ['available' | 'planned' | 'awaiting' | 'expires', number, string?]

/** Further figures: planned, pending and expiring leave. */
function figuresOf({
  available,
  balance,
  planned,
  pending,
  carry_over_expires,
}: EmployeeLeaveType['this_year'] & { balance?: number }): Figure[] {
  const all: Figure[] = [
    ['planned', planned],
    ['awaiting', pending],
    ...carry_over_expires.map(({ on, amount }): Figure => ['expires', amount, on]),
  ]
  const isOther = available !== null && available !== balance
  return [...(isOther ? [['available', available] as const] : []), ...all.filter(([, amount]) => amount !== 0)]
}

/** The colour of a leave type. There is always a label next to it. */
export const Dot = ({ colour }: { colour: string | null | undefined }) => (
  <span className="leave-dot" style={{ background: colour ?? 'var(--mantine-color-cadre-6)' }} aria-hidden="true" />
)

function Requests(props: {
  employeeId: number
  balances: readonly EmployeeLeaveType[]
  mayAsk: boolean
  /** Users who may decide can also withdraw approved leave. */
  mayTakeBack: boolean
  mayOverride: boolean
}) {
  const { employeeId, balances, mayAsk, mayTakeBack, mayOverride } = props
  const t = useTexts(leaveTexts)
  const { employee } = useMe()
  const { get, set } = useFilters()
  const [busy, setBusy] = useState<number>()
  const list = usePages('GET /leave_requests', { query: { employee_id: employeeId, sort: '-starts_on' } }, { size: 20 })
  const said = { done: t('withdrawn'), touches: ['leave_balances', 'calendars', 'directory'] }
  const withdraw = useWrite('POST /leave_requests/{id}/withdraw', said)
  const giveUp = useWrite('POST /leave_requests/{id}/withdraw', { ...said, isFinal: !mayTakeBack })
  const editing = Number(get('edit')) || null
  const title =
    employeeId === employee?.id
      ? t('requests')
      : t('requestsOf', {
          name: list.items[0] ? `${list.items[0].employee.first_name} ${list.items[0].employee.last_name}` : '',
        })
  return (
    <Panel title={title}>
      {list.error ? (
        <Failed error={list.error} onRetry={() => void list.refetch()} />
      ) : list.total === undefined ? (
        <Loading rows={3} height={56} />
      ) : list.total === 0 ? (
        <Empty icon="leave" title={t('noRequests')} text={t('noRequestsText')} />
      ) : (
        <ul className="leave-requests">
          {list.items.map((one) => (
            <Request
              key={one.id}
              of={one}
              colour={balances.find(({ leave_type }) => leave_type.id === one.leave_type_id)?.leave_type.hex_color}
              isBusy={(withdraw.isPending || giveUp.isPending) && busy === one.id}
              {...(mayAsk
                ? {
                    onEdit: () => set({ edit: String(one.id) }),
                    onWithdraw: () => {
                      setBusy(one.id)
                      const way = one.state === 'approved' ? giveUp : withdraw
                      way.mutate({ params: { id: one.id } })
                    },
                  }
                : {})}
            />
          ))}
        </ul>
      )}
      {list.hasNextPage ? (
        <Group justify="center" mt="sm">
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t('more')}
          </Button>
        </Group>
      ) : null}
      {editing ? (
        <Editing
          id={editing}
          balances={balances}
          mayOverride={mayOverride}
          onClose={() => set({ edit: undefined }, { replace: true })}
        />
      ) : null}
    </Panel>
  )
}

function Request(props: {
  of: LeaveRequest
  colour: string | null | undefined
  isBusy: boolean
  onEdit?: () => void
  onWithdraw?: () => void
}) {
  const { of, colour, isBusy, onEdit, onWithdraw } = props
  const t = useTexts(leaveTexts)
  const { day } = useFormats()
  const words = useLeaveWords()
  const valueName = useValueName()
  const [approval] = of.approvals
  const who = approval?.assigned_to?.full_name
  const decided = of.decided_at?.slice(0, 10)
  const fate =
    of.state === 'pending'
      ? who
        ? t('waitsFor', { name: who })
        : t('waits')
      : decided
        ? who
          ? t('decidedBy', { name: who, day: day(decided) })
          : t('decidedOn', { day: day(decided) })
        : ''
  const isOpen = of.state === 'pending' || (of.state === 'approved' && of.starts_on > today())
  return (
    <li className="leave-request">
      <div className="leave-request-words">
        <Text fw={600}>
          <Dot colour={colour} />
          {words.stretch(of.starts_on, of.ends_on)}
        </Text>
        <Text size="sm" c="dimmed">
          {[of.leave_type, words.amount(of.amount, of.tracking_time_in), fate].filter(Boolean).join(' · ')}
        </Text>
        {of.comment ? <Text size="sm">{of.comment}</Text> : null}
        {of.override_reason ? <Text size="sm">{t('exception', { reason: of.override_reason })}</Text> : null}
        {of.rejection_reason ? <Text size="sm">{t('rejectedBecause', { reason: of.rejection_reason })}</Text> : null}
      </div>
      <StateBadge state={of.state} name={valueName(of.state)} />
      <Group gap={4} className="leave-request-actions no-print">
        {onEdit && of.state === 'pending' ? (
          <Button
            size="compact-sm"
            variant="default"
            onClick={onEdit}
            aria-label={`${t('edit')}: ${words.stretch(of.starts_on, of.ends_on)}`}
          >
            {t('edit')}
          </Button>
        ) : null}
        {onWithdraw && isOpen && of.state === 'approved' ? (
          <ConfirmButton
            label={t('withdraw')}
            name={`${t('withdraw')}: ${words.stretch(of.starts_on, of.ends_on)}`}
            title={t('withdrawApproved')}
            text={t('withdrawApprovedText', { when: words.stretch(of.starts_on, of.ends_on) })}
            isBusy={isBusy}
            button={{ size: 'compact-sm' }}
            onConfirm={onWithdraw}
          />
        ) : onWithdraw && isOpen ? (
          <Button
            size="compact-sm"
            variant="default"
            loading={isBusy}
            onClick={onWithdraw}
            aria-label={`${t('withdraw')}: ${words.stretch(of.starts_on, of.ends_on)}`}
          >
            {t('withdraw')}
          </Button>
        ) : null}
      </Group>
    </li>
  )
}

function Editing({
  id,
  balances,
  mayOverride,
  onClose,
}: {
  id: number
  balances: readonly EmployeeLeaveType[]
  mayOverride: boolean
  onClose: () => void
}) {
  const t = useTexts(leaveTexts)
  const read = useRead('GET /leave_requests/{id}', { params: { id } })
  return (
    <Dialog opened onClose={onClose} title={t('change')} size="xl">
      <WhenFresh of={read} loading={<Loader />}>
        {({ data }) => (
          <LeaveForm
            employeeId={data.employee_id}
            balances={balances}
            mayOverride={mayOverride}
            request={data}
            etag={read.etag}
            onDone={onClose}
          />
        )}
      </WhenFresh>
    </Dialog>
  )
}
