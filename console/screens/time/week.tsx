import { ActionIcon, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useRead, useWrite } from '../../client/data.ts'
import { useMay, useMayFor, useMe } from '../../client/me.ts'
import type { TimesheetDay, TimesheetEntry } from '../../client/operations.ts'
import { clock, daysFrom, isDay, mondayOf, plusDays } from '../../parts/days.ts'
import { RecordSelect } from '../../parts/fields.tsx'
import { Figure, StateBadge } from '../../parts/figure.tsx'
import { cacheChoices } from '../../parts/record-select.tsx'
import { isHolidayAt } from '../../parts/regions.tsx'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { useShortcuts } from '../../shell/keys.ts'
import { useFilters } from '../../shell/router.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useValueName } from '../../texts/names.ts'
import { Clock } from './clock.tsx'
import { EntryDialog } from './entry.tsx'
import { CopyWeek, FillWeek } from './fill-week.tsx'
import { WeekOvertime } from './overtime.tsx'
import { timeTexts } from './texts.ts'
import { onTheWall } from './zone.ts'

/** A week day by day: entered and expected hours. Managers can choose an employee. */
export function Week() {
  const t = useTexts(timeTexts)
  const may = useMay()
  const { employee } = useMe()
  const { get, set } = useFilters()
  // The user's own name is known.
  useState(() => employee && cacheChoices('employees', [employee]))
  const employeeId = Number(get('employee_id')) || employee?.id || null
  const mayChoose = may('employees:read') && (may('time:approve') || employee === null)
  return (
    <Stack gap="md">
      {mayChoose ? (
        <div className="time-whose no-print">
          <RecordSelect
            table="employees"
            label={t('whose')}
            value={employeeId}
            onChange={(id) => set({ employee_id: id === null || id === employee?.id ? undefined : String(id) })}
            required={employee !== null}
          />
        </div>
      ) : null}
      {employeeId === null ? (
        <Empty icon="time" title={t('noPerson')} text={mayChoose ? t('noPersonText') : ''} />
      ) : (
        <WeekOf key={employeeId} employeeId={employeeId} isOwn={employeeId === employee?.id} />
      )}
    </Stack>
  )
}

function WeekOf({ employeeId, isOwn }: { employeeId: number; isOwn: boolean }) {
  const t = useTexts(timeTexts)
  const may = useMay()
  const { mayFor, isPending } = useMayFor(employeeId, 'time:enter')
  const mayEnter = mayFor('time:enter')
  const { account } = useMe()
  const { get, set } = useFilters()
  const { day } = useFormats()
  const card = useRead('GET /directory/{id}', { params: { id: employeeId } }, { enabled: may('directory:read') })
  const zone = card.answer?.data.time_zone ?? account.time_zone
  const thisWeek = mondayOf(onTheWall(Date.now(), zone).day)
  const week = isDay(get('week')) ? mondayOf(get('week')) : thisWeek
  const [first, last] = [week, plusDays(week, 6)]
  const go = (weeks: number) => {
    const next = weeks === 0 ? thisWeek : plusDays(week, 7 * weeks)
    set({ week: next === thisWeek ? undefined : next })
  }
  useShortcuts([
    { keys: '[', text: t('previousWeek'), run: () => go(-1) },
    { keys: ']', text: t('nextWeek'), run: () => go(1) },
    { keys: 't', text: t('thisWeek'), run: () => go(0) },
    ...(mayEnter ? [{ keys: 'n', text: t('addTime'), run: () => set({ entry: 'new', day: '' }) }] : []),
  ])
  const entries = useRead('GET /time/timesheet_entries', {
    // A night shift of the evening before reaches into the week.
    query: { employee_id: employeeId, 'starts_on[gte]': plusDays(first, -1), 'ends_on[lte]': last },
  })
  const sheet = useRead(
    'GET /time/timesheets',
    { query: { employee_id: employeeId, starts_on: first, ends_on: last, days: true } },
    { kinds: ['timesheet_entries', 'leave_requests', 'overtime_requests'] },
  )
  const holidayOn = useHolidays(card.answer?.data.location?.id, first, last)
  const projects = useRead('GET /time/projects', { query: { per_page: 200 } }, { staleTime: 300_000 })
  const row = sheet.answer?.data[0]
  const all = entries.answer?.data ?? []
  const projectNames = useMemo(
    () => new Map((projects.answer?.data ?? []).map(({ id, name }) => [id, name])),
    [projects.answer],
  )
  const error = entries.error ?? sheet.error
  const figure = (minutes: number | undefined) =>
    minutes === undefined ? <Skeleton width={64} height={26} /> : clock(minutes)
  const isWaiting = isPending || card.isLoading || entries.answer === undefined
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Group gap="xs" wrap="nowrap" className="no-print">
          <ActionIcon variant="default" size="lg" onClick={() => go(-1)} aria-label={t('previousWeek')}>
            <Icon name="left" />
          </ActionIcon>
          <ActionIcon variant="default" size="lg" onClick={() => go(1)} aria-label={t('nextWeek')}>
            <Icon name="right" />
          </ActionIcon>
          <Text component="h2" fw={600} aria-live="polite">
            <span className="time-week">{`${day(first, { day: 'numeric', month: 'short' })} – ${day(last)}`}</span>
          </Text>
          {week === thisWeek ? null : (
            <Button variant="default" size="compact-md" onClick={() => go(0)}>
              {t('thisWeek')}
            </Button>
          )}
        </Group>
        {mayEnter && !isWaiting ? (
          <Group gap="xs" className="no-print">
            <Clock employeeId={employeeId} isOwn={isOwn} />
            <CopyWeek employeeId={employeeId} week={week} zone={zone} />
            <FillWeek employeeId={employeeId} zone={zone} days={row?.days ?? []} entries={all} daysOf={daysOf} />
            <Submit entries={all.filter(({ date }) => date >= first)} />
          </Group>
        ) : null}
      </Group>
      <Group gap="xl" className="time-figures">
        <Figure name={t('worked')}>{figure(row?.worked_minutes)}</Figure>
        {row?.pending_minutes ? <Figure name={t('awaiting')}>{clock(row.pending_minutes)}</Figure> : null}
        {row?.deducted_break_minutes ? (
          <Figure name={t('deductedFigure')}>{clock(row.deducted_break_minutes)}</Figure>
        ) : null}
        <Figure name={t('expected')}>{figure(row?.expected_minutes)}</Figure>
        <Figure name={t('leave')}>{figure(row && row.working_leave_minutes + row.non_working_leave_minutes)}</Figure>
        <Figure name={t('difference')}>{figure(row?.difference_minutes)}</Figure>
      </Group>
      <WeekOvertime employeeId={employeeId} week={week} mayEnter={mayEnter} />
      {error ? (
        <Failed error={error} onRetry={() => void Promise.all([entries.refetch(), sheet.refetch()])} />
      ) : isWaiting ? (
        <Loading rows={5} height={56} />
      ) : (
        <div className="time-days">
          {daysFrom(first, 7).map((date) => (
            <Day
              key={date}
              date={date}
              zone={zone}
              entries={all.filter((one) => daysOf(one).includes(date))}
              sheet={row?.days?.find((one) => one.date === date)}
              holiday={holidayOn(date)}
              projectNames={projectNames}
              isToday={date === onTheWall(Date.now(), zone).day}
              onAdd={mayEnter ? () => set({ entry: 'new', day: date }) : undefined}
              onOpen={(id) => set({ entry: String(id) })}
            />
          ))}
        </div>
      )}
      {get('entry') && !isWaiting ? (
        <EntryDialog
          employeeId={employeeId}
          zone={zone}
          id={get('entry') === 'new' ? null : Number(get('entry'))}
          day={isDay(get('day')) ? get('day') : onTheWall(Date.now(), zone).day}
          entries={all}
          mayEnter={mayEnter}
          onClose={() => set({ entry: undefined, day: undefined }, { replace: true })}
        />
      ) : null}
    </Stack>
  )
}

/** The days of an entry: a night shift has two. */
const daysOf = ({ date, minutes_after_midnight }: TimesheetEntry) =>
  minutes_after_midnight > 0 ? [date, plusDays(date, 1)] : [date]

/** Public holidays of the week at the person's location. */
function useHolidays(location: number | undefined, starts_on: string, ends_on: string) {
  const may = useMay()
  const isAsked = location !== undefined && may('calendar:read') && may('organisation:read')
  const place = useRead('GET /locations/{id}', { params: { id: location ?? 0 } }, { enabled: isAsked })
  const id = place.answer?.data.holiday_policy_id ?? 0
  const policy = useRead('GET /holiday_policies/{id}', { params: { id } }, { enabled: id > 0 })
  const holidays = useRead(
    'GET /calendars',
    { query: { starts_on, ends_on, 'types[]': ['holiday'] } },
    { enabled: id > 0, kinds: ['holidays'] },
  )
  const own =
    holidays.answer?.data.filter(({ data }) =>
      isHolidayAt(data, place.answer?.data, policy.answer?.data.region_code),
    ) ?? []
  // The title ends with the policy's name in brackets, which is not needed here.
  return (date: string) =>
    own.find((one) => one.starts_on <= date && date <= one.ends_on)?.title.replace(/ \([^()]*\)$/, '')
}

function Day(props: {
  date: string
  zone: string
  entries: readonly TimesheetEntry[]
  sheet: TimesheetDay | undefined
  /** The public holiday at the person's location. */
  holiday: string | undefined
  projectNames: ReadonlyMap<number, string>
  isToday: boolean
  onAdd: (() => void) | undefined
  onOpen: (id: number) => void
}) {
  const { date, zone, entries, sheet, holiday, projectNames, isToday, onAdd, onOpen } = props
  const t = useTexts(timeTexts)
  const valueName = useValueName()
  const { day } = useFormats()
  const name = day(date, { weekday: 'long', day: 'numeric', month: 'long' })
  const isFree = sheet?.expected_minutes === 0
  return (
    <section className={isFree ? 'time-day time-free' : 'time-day'} aria-label={name} data-today={isToday || undefined}>
      <div className="time-day-head">
        <Text fw={600} size="sm">
          {day(date, { weekday: 'short' })} <span className="time-number">{Number(date.slice(8))}</span>
        </Text>
        <Text size="xs" c="dimmed">
          {sheet && (!isFree || sheet.worked_minutes > 0)
            ? `${clock(sheet.worked_minutes)} ${t('ofExpected', { expected: clock(sheet.expected_minutes) })}`
            : ' '}
        </Text>
      </div>
      {holiday ? <div className="time-leave">{holiday}</div> : null}
      {sheet && sheet.leave_minutes > 0 ? (
        <div className="time-leave">{t('onLeave', { amount: clock(sheet.leave_minutes) })}</div>
      ) : null}
      {sheet && sheet.deducted_break_minutes > 0 ? (
        <Text size="xs" c="dimmed">
          {t('deducted', { amount: clock(sheet.deducted_break_minutes) })}
        </Text>
      ) : null}
      {entries
        .toSorted((one, other) => (one.starts_at < other.starts_at ? -1 : 1))
        .map((one) => {
          // Of a night shift, each day shows its part.
          const isNight = one.minutes_after_midnight > 0
          const from = isNight && one.date < date ? '00:00' : onTheWall(one.starts_at, zone).time
          const until = isNight && one.date === date ? '24:00' : onTheWall(one.ends_at, zone).time
          const what = one.project_id ? (projectNames.get(one.project_id) ?? '') : valueName(one.type)
          return (
            <button
              key={one.id}
              type="button"
              className="time-entry"
              data-type={one.type}
              onClick={() => onOpen(one.id)}
            >
              <span className="time-span">{`${from}–${until}`}</span>
              <span className="time-what">{what}</span>
              {isNight && one.date < date ? (
                <span className="time-comment">{t('nightFrom', { time: onTheWall(one.starts_at, zone).time })}</span>
              ) : null}
              {one.comment ? <span className="time-comment">{one.comment}</span> : null}
              {one.rejection_reason ? (
                <span className="time-comment">{t('rejectedBecause', { reason: one.rejection_reason })}</span>
              ) : null}
              {one.status === 'unsubmitted' ? null : <StateBadge state={one.status} name={valueName(one.status)} />}
            </button>
          )
        })}
      {onAdd ? (
        <Button
          variant="subtle"
          size="compact-sm"
          className="time-add no-print"
          leftSection={<Icon name="plus" size={14} />}
          onClick={onAdd}
          aria-label={t('addOn', { day: name })}
        >
          {t('addTime')}
        </Button>
      ) : null}
    </section>
  )
}

function Submit({ entries }: { entries: readonly TimesheetEntry[] }) {
  const t = useTexts(timeTexts)
  const open = entries.filter(({ status }) => status === 'unsubmitted' || status === 'rejected')
  const submit = useWrite('POST /time/timesheet_entries/submit', {
    done: ({ count }) => t('submitted', { count }),
    touches: ['timesheets'],
  })
  return (
    <Button
      disabled={open.length === 0}
      loading={submit.isPending}
      onClick={() => submit.mutate({ body: { timesheet_entry_ids: open.map(({ id }) => id) } })}
    >
      {t('submit')}
    </Button>
  )
}
