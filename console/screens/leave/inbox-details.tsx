import { Group, Skeleton, Stack, Text } from '@mantine/core'
import { useRead } from '../../client/data.ts'
import { plusDays } from '../../parts/days.ts'
import { Figure, Panel } from '../../parts/figure.tsx'
import { nameOf } from '../../parts/person.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useValueName } from '../../texts/names.ts'
import { Clashes } from './clashes.tsx'
import type { InboxItem } from './inbox.ts'
import { useItemText } from './item-text.ts'
import { leaveTexts } from './texts.ts'
import { clock, useLeaveWords } from './words.ts'

/** What an approval means: the balance left, who else is away, or the expected hours. */
export function InboxDetails({ item }: { item: InboxItem }) {
  const t = useTexts(leaveTexts)
  const { moment } = useFormats()
  const what = useItemText()
  return (
    <div className="leave-details">
      <Panel title={t('details')}>
        <Stack gap="md">
          <div>
            <Text fw={600}>{nameOf(item.person)}</Text>
            <Text size="sm">{what(item)}</Text>
            <Text size="xs" c="dimmed">
              {t('askedOn', { day: moment(item.askedAt) })}
            </Text>
            {item.comment ? (
              <Text size="sm" mt="xs">
                {item.comment}
              </Text>
            ) : null}
          </div>
          {item.kind === 'leave' ? <LeaveDetails item={item} /> : null}
          {item.kind === 'time' ? <WeekDetails item={item} /> : null}
        </Stack>
      </Panel>
    </div>
  )
}

function LeaveDetails({ item: { employeeId, request } }: { item: Extract<InboxItem, { kind: 'leave' }> }) {
  const t = useTexts(leaveTexts)
  const { day } = useFormats()
  const words = useLeaveWords()
  const { starts_on, ends_on, leave_type_id } = request
  const balances = useRead('GET /employees/{employee_id}/leave_balances', {
    params: { employee_id: employeeId },
    query: { as_of: ends_on },
  })
  const then = balances.answer?.data.find(({ leave_type }) => leave_type.id === leave_type_id)
  return (
    <>
      {request.attachments.length > 0 ? (
        <ul className="leave-clashes">
          {request.attachments.map(({ id, filename, url }) => (
            <li key={id}>
              <a href={new URL(url, location.href).pathname + new URL(url, location.href).search}>{filename}</a>
            </li>
          ))}
        </ul>
      ) : null}
      {balances.error ? null : (
        <Figure name={t('balanceThen', { day: day(ends_on) })}>
          {then ? words.amount(then.balance, then.leave_type.unit) : <Skeleton width={80} height={26} />}
        </Figure>
      )}
      <Clashes employeeId={employeeId} starts_on={starts_on} ends_on={ends_on} />
    </>
  )
}

function WeekDetails({ item }: { item: Extract<InboxItem, { kind: 'time' }> }) {
  const t = useTexts(leaveTexts)
  const valueName = useValueName()
  const { day } = useFormats()
  const sheet = useRead('GET /time/timesheets', {
    query: { employee_id: item.employeeId, starts_on: item.week, ends_on: plusDays(item.week, 6) },
  })
  const row = sheet.answer?.data[0]
  const figure = (minutes: number | undefined) =>
    minutes === undefined ? <Skeleton width={60} height={26} /> : clock(minutes)
  return (
    <>
      <Group gap="xl">
        <Figure name={t('worked')}>{figure(row?.worked_minutes)}</Figure>
        <Figure name={t('expected')}>{figure(row?.expected_minutes)}</Figure>
        <Figure name={t('leaveKind')}>
          {figure(row && row.working_leave_minutes + row.non_working_leave_minutes)}
        </Figure>
        <Figure name={t('difference')}>{figure(row?.difference_minutes)}</Figure>
      </Group>
      <ul className="leave-clashes">
        {item.entries
          .toSorted((one, other) => (one.starts_at < other.starts_at ? -1 : 1))
          .map((one) => (
            <li key={one.id}>
              <span>{day(one.date, { weekday: 'short', day: 'numeric', month: 'short' })}</span>
              <Text span size="sm" c="dimmed">
                {[one.type === 'working' ? '' : valueName(one.type), one.comment].filter(Boolean).join(' · ')}
              </Text>
              <span>{t('clockHours', { amount: clock(one.minutes) })}</span>
            </li>
          ))}
      </ul>
    </>
  )
}
