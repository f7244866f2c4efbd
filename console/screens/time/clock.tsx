import { ActionIcon, Button, Group, Menu, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { problemsOf, useRead, useWrite } from '../../client/data.ts'
import { ClockOut, UpdateClock } from '../../client/fields/time.ts'
import type { Clock as Running } from '../../client/operations.ts'
import { clock } from '../../parts/days.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { useSettled } from '../../parts/settled.ts'
import { Icon } from '../../shell/icons.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { timeTexts } from './texts.ts'

const CLOCKS = 'GET /time/clocks'
const TOUCHES = ['timesheet_entries', 'timesheets']

export const useClockOf = (employeeId: number) =>
  // Another device may have stopped the clock.
  useRead(CLOCKS, { query: { employee_id: employeeId } }, { isWatched: true })

/** The current time, updated every second while a clock runs. */
function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}

/** 8:05:09 */
const elapsed = (milliseconds: number) => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  return `${clock(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`
}

/** Clocks in and out. The service keeps the clock, so it runs on every device, and managers see it too. */
export function Clock({ employeeId, isOwn = true }: { employeeId: number; isOwn?: boolean }) {
  const t = useTexts(timeTexts)
  const { moment } = useFormats()
  const read = useClockOf(employeeId)
  const running = read.answer?.data[0]
  const now = useNow(Boolean(running))
  const isSettled = useSettled(read.answer ? `${running?.id} ${running?.type}` : null)
  const [asking, setAsking] = useState<'end' | 'edit'>()
  const close = () => setAsking(undefined)
  const clockIn = useWrite('POST /time/clocks', {
    touches: TOUCHES,
    done: ({ data }) => t(data.type === 'break' ? 'breakBegun' : 'begun'),
  })
  const clockOut = useWrite('POST /time/clocks/clock_out', {
    touches: TOUCHES,
    done: ({ data }) => t('clockedOut', { amount: clock(data.reduce((sum, { minutes }) => sum + minutes, 0)) }),
    onSuccess: close,
  })
  const discard = useWrite('DELETE /time/clocks/{id}', { done: t('discarded') })
  if (!read.answer || (!running && !isOwn)) return null
  if (!running)
    return (
      <Button
        leftSection={<Icon name="time" />}
        loading={clockIn.isPending}
        disabled={!isSettled}
        onClick={() => clockIn.mutate({ body: { employee_id: employeeId } })}
      >
        {t('clockIn')}
      </Button>
    )
  const isBreak = running.type === 'break'
  const stop = () =>
    clockOut.mutate(
      { body: { employee_id: employeeId } },
      // The clock was forgotten, or overlaps another entry. The user enters when the work ended.
      { onError: (error) => problemsOf(error).ends_at && setAsking('end') },
    )
  return (
    <Group gap="xs" className="clock">
      <Text size="sm" component="div">
        {t(isBreak ? 'onBreak' : 'clockedIn', { time: moment(running.starts_at, since(running, now)) })}{' '}
        <Text span fw={700} role="timer" className="clock-total">
          {elapsed(now - Date.parse(running.starts_at))}
        </Text>
      </Text>
      <Button
        variant="default"
        loading={clockIn.isPending}
        disabled={!isSettled}
        onClick={() =>
          clockIn.mutate({
            body: { employee_id: employeeId, type: isBreak ? 'working' : 'break', switch: true },
          })
        }
      >
        {t(isBreak ? 'backToWork' : 'takeBreak')}
      </Button>
      <Button
        color="red.9"
        leftSection={<Icon name="time" />}
        loading={clockOut.isPending}
        disabled={!isSettled}
        onClick={stop}
      >
        {t('clockOut')}
      </Button>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('clockActions')}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="edit" size={16} />} onClick={() => setAsking('edit')}>
            {t('editClock')}
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name="trash" size={16} />}
            onClick={() => discard.mutate({ params: { id: running.id } })}
          >
            {t('discard')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asking === 'end' ? (
        <Dialog opened onClose={close} title={t('whenEnded')}>
          <Stack gap="sm">
            <Text size="sm">{t('whenEndedText', { since: moment(running.starts_at) })}</Text>
            <Form
              fields={ClockOut}
              of={['ends_at', 'comment']}
              labels={{ ends_at: t('endedAt') }}
              start={{ comment: running.comment }}
              error={clockOut.error}
              isBusy={clockOut.isPending}
              submitLabel={t('clockOut')}
              onCancel={close}
              onSubmit={(_, changed) => clockOut.mutate({ body: { employee_id: employeeId, ...changed } })}
            />
          </Stack>
        </Dialog>
      ) : null}
      {asking === 'edit' ? <EditClock of={running} onClose={close} /> : null}
    </Group>
  )
}

const TIME: Intl.DateTimeFormatOptions = { timeStyle: 'short' }
/** The time of day is enough, unless the clock runs for more than a day. */
const since = ({ starts_at }: Running, now: number): Intl.DateTimeFormatOptions =>
  now - Date.parse(starts_at) < 20 * 3_600_000 ? TIME : { dateStyle: 'medium', timeStyle: 'short' }

function EditClock({ of, onClose }: { of: Running; onClose: () => void }) {
  const t = useTexts(timeTexts)
  const save = useWrite('PUT /time/clocks/{id}', { done: t('clockSaved'), onSuccess: onClose })
  const { starts_at, project_id, comment } = of
  return (
    <Dialog opened onClose={onClose} title={t('editClock')}>
      <Form
        fields={UpdateClock}
        of={['starts_at', 'project_id', 'comment']}
        labels={{ starts_at: t('begunAt') }}
        start={{ starts_at, project_id, comment }}
        error={save.error}
        isBusy={save.isPending}
        onCancel={onClose}
        onSubmit={(_, changed) =>
          Object.keys(changed).length > 0 ? save.mutate({ params: { id: of.id }, body: changed }) : onClose()
        }
      />
    </Dialog>
  )
}
