import { Button, Group, Text } from '@mantine/core'
import { useRead, useWrite } from '../../client/data.ts'
import { clock, plusDays } from '../../parts/days.ts'
import { useTexts } from '../../texts/i18n.ts'
import { timeTexts } from './texts.ts'

/** The overtime of a week by the rules of the working pattern, with a button that requests it. Nothing if there is none. */
export function WeekOvertime(props: { employeeId: number; week: string; mayEnter: boolean }) {
  const { employeeId, week, mayEnter } = props
  const t = useTexts(timeTexts)
  const range = { starts_on: week, ends_on: plusDays(week, 6) }
  const { answer } = useRead(
    'GET /time/calculated_overtime',
    { query: { employee_id: employeeId, ...range } },
    { kinds: ['timesheet_entries', 'overtime_requests', 'leave_requests', 'time_rules', 'working_patterns'] },
  )
  const request = useWrite('POST /time/calculated_overtime/request', {
    done: ({ count }) => t('overtimeRequested', { count }),
    touches: ['overtime_requests', 'timesheets'],
  })
  const row = answer?.data[0]
  if (!row || row.minutes === 0) return null
  const [amount, credited] = [clock(row.minutes), clock(row.credited_minutes)]
  return (
    <Group gap="sm" className="time-overtime" role="status">
      <Text size="sm">
        {amount === credited ? t('calculated', { amount }) : t('calculatedAs', { amount, credited })}
      </Text>
      {row.requested_minutes > 0 ? (
        <Text size="sm" c="dimmed">
          {t('requestedSoFar', { amount: clock(row.requested_minutes) })}
        </Text>
      ) : null}
      {mayEnter && row.open_minutes > 0 ? (
        <Button
          variant="default"
          size="compact-md"
          className="no-print"
          loading={request.isPending}
          onClick={() => request.mutate({ body: { employee_ids: [employeeId], ...range } })}
        >
          {t('requestOvertime')}
        </Button>
      ) : null}
    </Group>
  )
}
