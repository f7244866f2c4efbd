import { ActionIcon, Indicator, Popover, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { send } from '../client/client.ts'
import { useRead } from '../client/data.ts'
import { useMe } from '../client/me.ts'
import type { Notification } from '../client/operations.ts'
import { Icon } from '../shell/icons.tsx'
import { Link } from '../shell/router.tsx'
import { shellTexts } from '../shell/texts.ts'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/i18n.ts'
import { useValueName } from '../texts/names.ts'

/** The page of each kind of notification. */
const PLACES: Record<string, string> = {
  leave_decided: '/leave',
  leave_waiting: '/leave/approvals',
  overtime_decided: '/time',
  overtime_waiting: '/leave/approvals?kind=overtime',
  time_rejected: '/time',
  task_given: '/',
  review_asked: '/performance/reviews',
  reset_asked: '/settings/users',
  hire_waiting: '/candidates',
}

const KINDS = [
  'leave_requests',
  'overtime_requests',
  'timesheet_entries',
  'tasks',
  'review_participants',
  'sign_in_links',
  'applications',
  'candidates',
]

/** Some open the page of the person concerned. */
const placeOf = ({ kind, record_id }: Notification) =>
  ['reset_asked', 'hire_waiting'].includes(kind) ? `${PLACES[kind]}/${record_id}` : (PLACES[kind] ?? '/')

/** One line per notification. Time entries that were sent back together share one line. */
function linesOf(all: readonly Notification[]): Notification[] {
  const seen = new Set<string>()
  return all.filter(({ kind, starts_on }) => {
    const key = `${kind} ${starts_on}`
    if (kind !== 'time_rejected') return true
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** The user's new notifications. */
export function Bell() {
  const t = useTexts(shellTexts)
  const valueName = useValueName()
  const me = useMe().employee?.id
  const { ago, days, day } = useFormats()
  const { answer, refetch } = useRead('GET /me/notifications', {}, { kinds: KINDS })
  const news = linesOf(answer?.data ?? [])
  const unseen = news.filter(({ is_new }) => is_new).length

  const [isOpen, setOpen] = useState(false)
  const see = async () => {
    if (unseen === 0) return
    // Notifications that arrive after this answer were not shown, so they stay new.
    const until = answer?.data.reduce((latest, { at }) => (at > latest ? at : latest), '')
    await send('POST', '/me/notifications/seen', { body: { until } })
    await refetch()
  }
  const close = () => {
    setOpen(false)
    void see().catch(() => undefined)
  }
  const textOf = ({ kind, who, what, state, starts_on, ends_on }: Notification) => {
    const when = starts_on ? (ends_on ? days(starts_on, ends_on) : day(starts_on)) : ''
    const values = { who: who?.full_name ?? t('somebody'), what: what ?? '', when }
    if (kind === 'leave_decided') return t('newsLeaveDecided', { ...values, state: valueName(state ?? '') })
    if (kind === 'leave_waiting') return t('newsLeaveWaiting', values)
    if (kind === 'overtime_decided') return t('newsOvertimeDecided', { ...values, state: valueName(state ?? '') })
    if (kind === 'overtime_waiting') return t('newsOvertimeWaiting', values)
    if (kind === 'time_rejected') return t('newsTimeRejected', values)
    if (kind === 'task_given') return t('newsTaskGiven', values)
    if (kind === 'hire_waiting') return t('newsHireWaiting', values)
    if (kind === 'reset_asked') return t('newsResetAsked', values)
    return who && who.id === me ? t('newsSelfReviewAsked', values) : t('newsReviewAsked', values)
  }
  return (
    <Popover position="bottom-end" width={320} trapFocus opened={isOpen} onDismiss={close}>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" onClick={isOpen ? close : () => setOpen(true)}>
          <VisuallyHidden>{t('notifications')}</VisuallyHidden>
          <Indicator disabled={unseen === 0} label={unseen} size={16} offset={2} inline>
            <Icon name="bell" />
          </Indicator>
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('notifications')} mah="70vh" className="bell">
        {news.length === 0 ? <Text c="dimmed">{t('noNotifications')}</Text> : null}
        <Stack gap="sm">
          {news.map((one) => (
            <div key={`${one.kind} ${one.record_id}`} className="bell-line" data-new={one.is_new || undefined}>
              <Link to={placeOf(one)} className="bell-link" onClick={close}>
                {textOf(one)}
              </Link>
              <Text size="xs" c="dimmed">
                {ago(one.at)}
              </Text>
            </div>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
