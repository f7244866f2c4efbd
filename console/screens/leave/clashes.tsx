import { Skeleton, Text, Title } from '@mantine/core'
import { useRead } from '../../client/data.ts'
import { useMay } from '../../client/me.ts'
import { daysBetween } from '../../parts/days.ts'
import { nameOf } from '../../parts/person.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { leaveTexts } from './texts.ts'
import { useLeaveWords } from './words.ts'

/** Longer leave is possible, but clashes over years are of no use. */
const LONGEST_LOOK = 366

/** Team members who are away on the same days: people with the same manager, and the person's own reports. */
export function Clashes({
  employeeId,
  starts_on,
  ends_on,
  isSettled = true,
}: {
  employeeId: number
  starts_on: string
  ends_on: string
  isSettled?: boolean
}) {
  const t = useTexts(leaveTexts)
  const words = useLeaveWords()
  const may = useMay()
  const isSound = ends_on >= starts_on && daysBetween(starts_on, ends_on) <= LONGEST_LOOK
  const mayLook = may('calendar:read') && may('directory:read') && isSound
  const card = useRead('GET /directory/{id}', { params: { id: employeeId } }, { enabled: mayLook })
  const manager = card.answer?.data.manager?.id
  const team = { 'manager_ids[]': [...(manager ? [manager] : []), employeeId] }
  const isAsked = isSettled && mayLook && card.answer !== undefined
  const events = useRead(
    'GET /calendars',
    { query: { starts_on, ends_on, 'types[]': ['leave_request'], ...team } },
    { enabled: isAsked, kinds: ['leave_requests'], keepPrevious: true },
  )
  // Only people who may approve leave see the pending requests of others.
  const pending = useRead(
    'GET /leave_requests',
    { query: { state: 'pending', 'starts_on[lte]': ends_on, 'ends_on[gte]': starts_on, per_page: 50, ...team } },
    { enabled: isAsked && may('leave:approve') && may('leave:read') && may('employees:read'), keepPrevious: true },
  )
  if (!mayLook || card.error || events.error) return null
  const others = [
    ...(events.answer?.data ?? []).map(({ data, ...one }) => ({
      ...one,
      id: data.leave_request_id as number,
      employee_id: data.employee_id,
      name: (data.employee as { full_name: string }).full_name,
      isPending: false,
    })),
    ...(pending.answer?.data ?? []).map((one) => ({ ...one, name: nameOf(one.employee), isPending: true })),
  ].filter(({ employee_id }) => employee_id !== employeeId)
  return (
    <div>
      <Title order={3} size="h6" mb={4}>
        {t('clashes')}
      </Title>
      {events.answer === undefined ? (
        <Skeleton height={18} />
      ) : others.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('noClashes')}
        </Text>
      ) : (
        <ul className="leave-clashes">
          {others.slice(0, 8).map((one) => (
            <li key={one.id}>
              <span>{one.name}</span>
              <Text span size="sm" c="dimmed">
                {one.isPending
                  ? t('pendingOf', { what: words.stretch(one.starts_on, one.ends_on) })
                  : words.stretch(one.starts_on, one.ends_on)}
              </Text>
            </li>
          ))}
          {others.length > 8 ? <li>{`+ ${others.length - 8}`}</li> : null}
        </ul>
      )}
    </div>
  )
}
