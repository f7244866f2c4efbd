import { Button } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../client/client.ts'
import { ownRequest, refresh } from '../../client/data.ts'
import { notifyDone, notifyFailed, notifyInfo } from '../../client/notices.ts'
import type { TimesheetDay, TimesheetEntry } from '../../client/operations.ts'
import { plusDays } from '../../parts/days.ts'
import { useProblemText } from '../../parts/problems.ts'
import { useTexts } from '../../texts/i18n.ts'
import { timeTexts } from './texts.ts'
import { momentOf, onTheWall } from './zone.ts'

/** Buttons that fill a week: with the entries of the last one, or with the hours of the working pattern. */

const KINDS = ['timesheet_entries', 'timesheets']
/** The most entries in one request. */
const MOST = 50

type NewEntry = { starts_at: string; ends_at: string; type?: string; project_id?: number; comment?: string }

/** Adds entries with one request. Those that overlap with existing ones are left out, and reported. */
function useAddEntries(employeeId: number, zone: string) {
  const t = useTexts(timeTexts)
  const say = useProblemText(zone)
  return async (entries: readonly NewEntry[], done: 'copied' | 'filled') => {
    const packs = Array.from({ length: Math.ceil(entries.length / MOST) }, (_, n) => ({
      employee_id: employeeId,
      entries: entries.slice(n * MOST, (n + 1) * MOST),
    }))
    const { body: made, requestId } = await call('POST /time/timesheet_entries/bulk', {
      body: { data: packs } as never,
      requestId: ownRequest(KINDS),
    })
    refresh(KINDS)
    const { records, errors } = made
    if (records.count > 0) notifyDone(t(done, { count: records.count }), { requestId, kinds: KINDS })
    const why = errors?.data[0]?.messages[0]?.replace(/^\w+_at /, '') ?? ''
    if (errors) notifyInfo(t('notCopied', { count: errors.count, why: say({ field: '', code: '', message: why }) }))
  }
}

/** A button that is busy while its work runs. */
function BusyButton({ label, run }: { label: string; run: () => Promise<void> }) {
  const [isBusy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    await run()
      .catch(notifyFailed)
      .finally(() => setBusy(false))
  }
  return (
    <Button variant="default" loading={isBusy} onClick={() => void press()}>
      {label}
    </Button>
  )
}

/**
 * Copies the entries of the last week to the same weekdays and times. It keeps existing entries, and leaves out leave
 * and days off.
 */
export function CopyWeek({ employeeId, week, zone }: { employeeId: number; week: string; zone: string }) {
  const t = useTexts(timeTexts)
  const add = useAddEntries(employeeId, zone)
  const copy = async () => {
    const before = plusDays(week, -7)
    const [{ body }, sheet] = await Promise.all([
      call('GET /time/timesheet_entries', {
        query: { employee_id: employeeId, 'starts_on[gte]': before, 'ends_on[lte]': plusDays(before, 6) },
      }),
      call('GET /time/timesheets', {
        query: { employee_id: employeeId, starts_on: before, ends_on: plusDays(week, 6), days: true },
      }),
    ])
    if (body.data.length === 0) return notifyInfo(t('nothingToCopy'))
    const days = sheet.body.data[0]?.days ?? []
    // Without a working pattern, no day is known to be a day off.
    const hasPattern = days.some(({ expected_minutes }) => expected_minutes > 0)
    const isFree = ({ leave_minutes, expected_minutes }: TimesheetDay) =>
      leave_minutes > 0 || (hasPattern && expected_minutes === 0)
    const free = new Set(days.filter(isFree).map(({ date }) => date))
    const onLeave = new Set(days.filter(({ leave_minutes }) => leave_minutes > 0).map(({ date }) => date))
    const kept = body.data.filter(
      ({ date, minutes_after_midnight: after }) =>
        !free.has(plusDays(date, 7)) && !(after > 0 && onLeave.has(plusDays(date, 8))),
    )
    const leftOut = body.data.length - kept.length
    if (leftOut > 0) notifyInfo(t('leftOut', { count: leftOut }))
    if (kept.length === 0) return
    const moved = (at: string) => {
      const { day, time } = onTheWall(at, zone)
      return momentOf(plusDays(day, 7), time, zone)
    }
    const entries = kept.map(({ starts_at, ends_at, type, project_id, comment }) => ({
      starts_at: moved(starts_at),
      ends_at: moved(ends_at),
      type,
      ...(project_id ? { project_id } : {}),
      ...(comment ? { comment } : {}),
    }))
    await add(entries, 'copied')
  }
  return <BusyButton label={t('copyWeek')} run={copy} />
}

const FIRST_MINUTE = 9 * 60

/** Adds the expected hours of each day without entries, less its leave, from nine o'clock, with the break that they need. */
export function FillWeek(props: {
  employeeId: number
  zone: string
  days: readonly TimesheetDay[]
  entries: readonly TimesheetEntry[]
  daysOf: (entry: TimesheetEntry) => readonly string[]
}) {
  const { employeeId, zone, days, entries, daysOf } = props
  const t = useTexts(timeTexts)
  const add = useAddEntries(employeeId, zone)
  const taken = new Set(entries.flatMap(daysOf))
  /** What is left to work on a day with half a day of leave. */
  const minutesOn = (one: TimesheetDay) => one.expected_minutes - one.leave_minutes
  const empty = days.filter((one) => minutesOn(one) > 0 && !taken.has(one.date))
  if (empty.length === 0) return null
  const at = (date: string, minutes: number) => {
    const clock = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
    return minutes >= 24 * 60 ? momentOf(plusDays(date, 1), '00:00', zone) : momentOf(date, clock, zone)
  }
  const fill = () =>
    add(
      empty.flatMap((one) => {
        const minutes = minutesOn(one)
        // Half a day needs no break.
        const pause = minutes === one.expected_minutes ? one.expected_break_minutes : 0
        const first = Math.min(FIRST_MINUTE, Math.max(0, 24 * 60 - minutes - pause))
        const span = (from: number, until: number) => ({
          starts_at: at(one.date, first + from),
          ends_at: at(one.date, first + until),
        })
        if (pause === 0) return span(0, minutes)
        const half = Math.floor(minutes / 2)
        return [span(0, half), span(half + pause, minutes + pause)]
      }),
      'filled',
    )
  return <BusyButton label={t('fillWeek')} run={fill} />
}
