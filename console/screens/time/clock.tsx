import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../client/client.ts'
import { ownRequest, refresh } from '../../client/data.ts'
import { useMe } from '../../client/me.ts'
import { tellDone, tellFailed } from '../../client/telling.ts'
import { plusDays } from '../../parts/days.ts'
import { Icon } from '../../shell/icons.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { clock } from '../leave/words.ts'
import { timeTexts } from './texts.ts'
import { momentOf, onTheWall } from './zone.ts'

const KINDS = ['timesheet_entries', 'timesheets']

/**
 * Clocks in and out. That somebody is clocked in is kept in their browser until they clock out: the service knows
 * entries with an end only. Over midnight it becomes an entry for each day.
 */
export function Clock({ employeeId, zone }: { employeeId: number; zone: string }) {
  const t = useTexts(timeTexts)
  const { user } = useMe()
  const key = `cadre-clocked-in-${user.id}`
  const [since, setSince] = useState(() => localStorage.getItem(key))
  const [isBusy, setBusy] = useState(false)
  const keep = (at: string | null) => {
    if (at === null) localStorage.removeItem(key)
    else localStorage.setItem(key, at)
    setSince(at)
  }
  const clockOut = async (from: string) => {
    setBusy(true)
    const until = new Date().toISOString()
    try {
      const { body, requestId } = await call('POST /time/timesheet_entries/bulk', {
        body: { data: [{ employee_id: employeeId, entries: byDay(from, until, zone) }] } as never,
        requestId: ownRequest(KINDS),
      })
      const failed = body.errors?.data[0]?.messages[0]
      if (failed) throw new Error(failed)
      keep(null)
      refresh(KINDS)
      const minutes = Math.floor((Date.parse(until) - Date.parse(from)) / 60_000)
      tellDone(t('clockedOut', { amount: clock(minutes) }), { requestId, kinds: KINDS })
    } catch (error) {
      tellFailed(error)
    } finally {
      setBusy(false)
    }
  }
  if (since === null)
    return (
      <Button
        variant="default"
        leftSection={<Icon name="time" />}
        onClick={() => keep(new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString())}
      >
        {t('clockIn')}
      </Button>
    )
  return (
    <Group gap="xs">
      <Text size="sm" role="status">
        {t('clockedIn', { time: onTheWall(since, zone).time })}
      </Text>
      <Button color="red" leftSection={<Icon name="time" />} loading={isBusy} onClick={() => void clockOut(since)}>
        {t('clockOut')}
      </Button>
      <Button variant="subtle" color="gray" size="compact-sm" onClick={() => keep(null)}>
        {t('discard')}
      </Button>
    </Group>
  )
}

function byDay(from: string, until: string, zone: string): { starts_at: string; ends_at: string }[] {
  const found: { starts_at: string; ends_at: string }[] = []
  let at = from
  // Longer than this nobody works: who forgot to clock out discards it.
  for (let n = 0; n < 3 && at < until; n++) {
    const midnight = momentOf(plusDays(onTheWall(at, zone).day, 1), '00:00', zone)
    const isLast = until < midnight
    found.push({
      starts_at: at,
      ends_at: isLast ? until : new Date(Date.parse(midnight) - 1000).toISOString(),
    })
    at = isLast ? until : midnight
  }
  return found
}
