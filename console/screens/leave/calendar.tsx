import { ActionIcon, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useListRange, useRead } from '../../client/data.ts'
import { useMay, useMe } from '../../client/me.ts'
import type { CalendarEvent, DirectoryCard, LeaveRequest } from '../../client/operations.ts'
import { daysOfMonth, plusMonths, weekdayOf } from '../../parts/days.ts'
import { RecordSelect } from '../../parts/fields.tsx'
import { PersonLine } from '../../parts/person.tsx'
import { isHolidayAt } from '../../parts/regions.tsx'
import { SearchBox } from '../../parts/search.tsx'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { type Column, PHONE, VirtualTable } from '../../parts/table.tsx'
import { Icon } from '../../shell/icons.tsx'
import { useShortcuts } from '../../shell/keys.ts'
import { useFilters } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { today, useFormats } from '../../texts/formats.ts'
import { useLocale, useTexts } from '../../texts/i18n.ts'
import { useFieldName } from '../../texts/names.ts'
import { Dot } from './mine.tsx'
import { leaveTexts } from './texts.ts'
import { useLeaveWords } from './words.ts'

type Absence = {
  id: number
  employee: { id: number; full_name: string }
  starts_on: string
  ends_on: string
  /** Null if the user may not see the type. */
  type: { id: number; name: string } | null
  isPending: boolean
}

const ROW = 44
const NAMES = 208

/** Who in the team is away in a month: a row per person, or a list of the absences. */
export function Calendar() {
  const t = useTexts(leaveTexts)
  const may = useMay()
  const { employee } = useMe()
  const { get, set } = useFilters()
  const { day } = useFormats()
  const isPhone = useMediaQuery(PHONE, window.matchMedia(PHONE).matches)
  const month = /^\d{4}-(0[1-9]|1[0-2])$/.test(get('month')) ? get('month') : today().slice(0, 7)
  const go = (months: number) => set({ month: months === 0 ? undefined : plusMonths(month, months) })
  useShortcuts([
    { keys: '[', text: t('previousMonth'), run: () => go(-1) },
    { keys: ']', text: t('nextMonth'), run: () => go(1) },
    { keys: 't', text: t('thisMonth'), run: () => go(0) },
  ])

  const mayList = may('directory:read')
  const isTeam = employee !== null && mayList && get('whose') !== 'all'
  const isList = !mayList || (get('view') || (isPhone ? 'list' : 'grid')) === 'list'
  const own = useRead('GET /directory/{id}', { params: { id: employee?.id ?? 0 } }, { enabled: isTeam })
  const isReady = !isTeam || !own.isPending
  const manager = own.answer?.data.manager?.id
  const whose = {
    ...(isTeam && employee ? { 'manager_ids[]': [...(manager ? [manager] : []), employee.id] } : {}),
    ...(get('department_id') ? { department_id: Number(get('department_id')) } : {}),
    ...(get('location_id') ? { location_id: Number(get('location_id')) } : {}),
  }
  const days = useMemo(() => daysOfMonth(month), [month])
  const [starts_on, ends_on] = [days[0] as string, days.at(-1) as string]
  const events = useRead(
    'GET /calendars',
    { query: { starts_on, ends_on, 'types[]': ['leave_request', 'holiday'], ...whose } },
    { enabled: isReady, kinds: ['leave_requests', 'holidays'] },
  )
  const pending = useRead(
    'GET /leave_requests',
    {
      query: {
        state: 'pending',
        'starts_on[lte]': ends_on,
        'ends_on[gte]': starts_on,
        per_page: 200,
        // Without this permission, only the user's own requests are listed, and filters by department or location do
        // not apply.
        ...(may('employees:read') ? whose : {}),
      },
    },
    { enabled: may('leave:read') && isReady },
  )
  const types = useRead('GET /leave_types', { query: { per_page: 200 } }, { enabled: may('leave:read') })
  const colourOf = (id: number | undefined) => types.answer?.data.find((one) => one.id === id)?.hex_color
  const absences = useMemo(
    () => [...(events.answer?.data ?? []).flatMap(absenceIn), ...(pending.answer?.data ?? []).map(requested)],
    [events.answer, pending.answer],
  )
  const holidays = (events.answer?.data ?? []).filter(({ type }) => type === 'holiday')
  const filterNames = ['whose', 'department_id', 'location_id', 'q']
  const view = { days, absences, holidays, colourOf, month }
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Group gap="xs" wrap="nowrap">
          <ActionIcon
            variant="default"
            size="lg"
            className="no-print"
            onClick={() => go(-1)}
            aria-label={t('previousMonth')}
          >
            <Icon name="left" />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size="lg"
            className="no-print"
            onClick={() => go(1)}
            aria-label={t('nextMonth')}
          >
            <Icon name="right" />
          </ActionIcon>
          <Text component="h2" fw={600} size="lg" miw={150} aria-live="polite">
            {day(starts_on, { month: 'long', year: 'numeric' })}
          </Text>
          {month === today().slice(0, 7) ? null : (
            <Button variant="default" size="compact-md" className="no-print" onClick={() => go(0)}>
              {t('thisMonth')}
            </Button>
          )}
        </Group>
        <Group gap="xs" className="no-print">
          {employee && mayList ? (
            <SegmentedControl
              aria-label={t('whose')}
              value={isTeam ? 'team' : 'all'}
              onChange={(next) => set({ whose: next === 'all' ? 'all' : undefined })}
              data={[
                { value: 'team', label: t('myTeam') },
                { value: 'all', label: t('everybody') },
              ]}
            />
          ) : null}
          {mayList ? (
            <SegmentedControl
              aria-label={t('view')}
              value={isList ? 'list' : 'grid'}
              onChange={(next) => set({ view: next })}
              data={[
                { value: 'grid', label: t('grid') },
                { value: 'list', label: t('list') },
              ]}
            />
          ) : null}
        </Group>
      </Group>
      {isTeam ? null : <CalendarFilters mayOrganisation={may('organisation:read')} isList={isList} />}
      {own.error || events.error ? (
        <Failed error={own.error ?? events.error} onRetry={() => void events.refetch()} />
      ) : events.answer === undefined || !isReady ? (
        <Loading rows={10} height={ROW} />
      ) : isList ? (
        <AbsenceList {...view} />
      ) : (
        <Grid
          {...view}
          whose={whose}
          onClear={() => set(Object.fromEntries(filterNames.map((name) => [name, undefined])))}
        />
      )}
    </Stack>
  )
}

function CalendarFilters({ mayOrganisation, isList }: { mayOrganisation: boolean; isList: boolean }) {
  const t = useTexts(leaveTexts)
  const words = useTexts(common)
  const fieldName = useFieldName()
  const { get, set } = useFilters()
  return (
    <Group gap="xs" className="filters no-print">
      {isList ? null : <SearchBox label={words('search')} />}
      {mayOrganisation
        ? (
            [
              ['department_id', 'departments', fieldName('department'), t('anyDepartment')],
              ['location_id', 'locations', fieldName('location'), t('anyLocation')],
            ] as const
          ).map(([name, table, label, placeholder]) => (
            <RecordSelect
              key={name}
              table={table}
              aria-label={label}
              placeholder={placeholder}
              value={Number(get(name)) || null}
              onChange={(id) => set({ [name]: id === null ? undefined : String(id) })}
            />
          ))
        : null}
    </Group>
  )
}

function absenceIn({ type, starts_on, ends_on, data }: CalendarEvent): Absence[] {
  if (type !== 'leave_request') return []
  return [
    {
      id: data.leave_request_id as number,
      employee: data.employee as Absence['employee'],
      type: data.leave_type as Absence['type'],
      starts_on,
      ends_on,
      isPending: false,
    },
  ]
}

const requested = ({ id, employee, leave_type_id, leave_type, starts_on, ends_on }: LeaveRequest): Absence => ({
  id,
  employee: { id: employee.id, full_name: `${employee.first_name} ${employee.last_name}` },
  type: { id: leave_type_id, name: leave_type },
  starts_on,
  ends_on,
  isPending: true,
})

/** The name of an absence: its type if the user may see it, and whether it is pending. */
function useAbsenceName() {
  const t = useTexts(leaveTexts)
  return ({ type, isPending }: Absence) => {
    const what = type?.name ?? t('away')
    return isPending ? t('pendingOf', { what }) : what
  }
}

type View = {
  days: readonly string[]
  absences: readonly Absence[]
  holidays: readonly CalendarEvent[]
  colourOf: (typeId: number | undefined) => string | null | undefined
  month: string
}

function AbsenceList({ absences, colourOf }: View) {
  const t = useTexts(leaveTexts)
  const words = useLeaveWords()
  const nameOf = useAbsenceName()
  const rows = useMemo(
    () => absences.toSorted((one, other) => (one.starts_on + one.id < other.starts_on + other.id ? -1 : 1)),
    [absences],
  )
  const columns: Column<Absence>[] = [
    {
      key: 'who',
      title: t('person'),
      width: 'minmax(140px, 2fr)',
      show: ({ employee }) => <PersonLine of={employee} />,
      showOnPhone: (one) => (
        <PersonLine of={one.employee} beneath={`${words.stretch(one.starts_on, one.ends_on)} · ${nameOf(one)}`} />
      ),
    },
    {
      key: 'when',
      title: t('when'),
      isMinor: true,
      show: ({ starts_on, ends_on }) => words.stretch(starts_on, ends_on),
    },
    {
      key: 'kind',
      title: t('kind'),
      isMinor: true,
      show: (one) => (
        <>
          <Dot colour={colourOf(one.type?.id)} />
          {nameOf(one)}
        </>
      ),
    },
  ]
  if (rows.length === 0) return <Empty icon="leave" title={t('nobodyAway')} text={t('nobodyAwayText')} />
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {t('awayCount', { count: rows.length })}
      </Text>
      <VirtualTable
        label={t('calendar')}
        columns={columns}
        total={rows.length}
        rowAt={(index) => rows[index]}
        idOf={({ id }) => id}
        onView={nothing}
      />
    </>
  )
}

const nothing = () => undefined

/** The weekend of the user's language. Only the service knows a person's working pattern. */
function useWeekend(): (day: string) => boolean {
  const locale = useLocale()
  return useMemo(() => {
    const known = new Intl.Locale(locale).maximize() as Intl.Locale & {
      getWeekInfo?: () => { weekend: number[] }
      weekInfo?: { weekend: number[] }
    }
    const weekend = known.getWeekInfo?.().weekend ?? known.weekInfo?.weekend ?? [6, 7]
    return (day) => weekend.includes(weekdayOf(day))
  }, [locale])
}

function Grid({ days, absences, holidays, colourOf, whose, onClear }: View & { whose: object; onClear: () => void }) {
  const t = useTexts(leaveTexts)
  const may = useMay()
  const { get } = useFilters()
  const { day } = useFormats()
  const words = useLeaveWords()
  const nameOf = useAbsenceName()
  const isWeekend = useWeekend()
  const [stretch, setStretch] = useState({ first: 0, last: 0 })
  const people = useListRange(
    'GET /directory',
    { query: { sort: 'last_name', ...whose, ...(get('q') ? { q: get('q') } : {}) } },
    stretch,
  )
  const asked = { query: { per_page: 200 } }
  const knowsPlaces = { enabled: holidays.length > 0 && may('organisation:read') }
  const places = useRead('GET /locations', asked, knowsPlaces)
  const policies = useRead('GET /holiday_policies', asked, knowsPlaces)
  const total = people.total ?? 0
  const body = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the position changes when the rows arrive
  useLayoutEffect(() => setTop(body.current?.offsetTop ?? 0), [people.total === undefined])
  const rows = useWindowVirtualizer({ count: total, estimateSize: () => ROW, overscan: 8, scrollMargin: top })
  const items = rows.getVirtualItems()
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  const onView = useCallback((from: number, to: number) => setStretch({ first: from, last: to }), [])
  useLayoutEffect(() => onView(first, last), [first, last, onView])
  const byPerson = useMemo(() => Map.groupBy(absences, ({ employee }) => employee.id), [absences])

  if (people.error) return <Failed error={people.error} onRetry={() => void people.refetch()} />
  if (people.total === undefined) return <Loading rows={10} height={ROW} />
  if (total === 0)
    return <Empty icon="people" isFiltered={Boolean(get('q'))} onClear={onClear} title={t('nobodyHere')} />
  const template = `${NAMES}px repeat(${days.length}, minmax(0, 1fr))`
  const freeOn = (date: string) => holidays.filter(({ starts_on, ends_on }) => starts_on <= date && date <= ends_on)
  const classOf = (date: string) =>
    [isWeekend(date) ? 'leave-free' : '', date === today() ? 'leave-today' : ''].join(' ')
  // A holiday is a day off only for people at a location where it applies.
  const placeOf = new Map(places.answer?.data.map((one) => [one.id, one]))
  const regionOf = new Map(policies.answer?.data.map((one) => [one.id, one.region_code]))
  const holidaysOf = ({ location }: DirectoryCard) => {
    const place = location ? placeOf.get(location.id) : undefined
    return holidays.filter(({ data }) => isHolidayAt(data, place, regionOf.get(place?.holiday_policy_id ?? 0)))
  }
  const [from, to] = [days[0] as string, days.at(-1) as string]
  const column = (date: string) => days.indexOf(date < from ? from : date > to ? to : date) + 2
  return (
    <div className="leave-grid">
      <div className="leave-head" style={{ gridTemplateColumns: template }} aria-hidden="true">
        <span />
        {days.map((date) => (
          <div
            key={date}
            className={`leave-day ${classOf(date)} ${freeOn(date).length > 0 ? 'leave-holiday-mark' : ''}`}
            title={freeOn(date)
              .map(({ title }) => title)
              .join(', ')}
          >
            {day(date, { weekday: 'narrow' })}
            <strong>{Number(date.slice(8))}</strong>
          </div>
        ))}
      </div>
      <ul className="leave-body" ref={body} style={{ height: rows.getTotalSize() }} aria-label={t('calendar')}>
        <li className="leave-backdrop" style={{ gridTemplateColumns: template }} aria-hidden="true">
          <span />
          {days.map((date) => (
            <span key={date} className={classOf(date)} />
          ))}
        </li>
        {items.map(({ index, start }) => {
          const person = people.itemAt(index)
          return (
            <li
              key={index}
              className="leave-row"
              style={{ gridTemplateColumns: template, height: ROW, transform: `translateY(${start - top}px)` }}
            >
              <div className="leave-who">{person ? <PersonLine of={person} size={26} /> : null}</div>
              {(person ? holidaysOf(person) : []).map((one) => (
                <div
                  key={`${one.starts_on} ${one.title}`}
                  role="img"
                  aria-label={one.title}
                  title={one.title}
                  className="leave-holiday"
                  style={{ gridColumn: `${column(one.starts_on)} / ${column(one.ends_on) + 1}` }}
                />
              ))}
              {(person ? (byPerson.get(person.id) ?? []) : []).map((one) => {
                const text = `${nameOf(one)}, ${words.stretch(one.starts_on, one.ends_on)}`
                return (
                  <div
                    key={one.id}
                    role="img"
                    aria-label={text}
                    title={text}
                    className={one.isPending ? 'leave-bar leave-pending' : 'leave-bar'}
                    style={
                      {
                        gridColumn: `${column(one.starts_on)} / ${column(one.ends_on) + 1}`,
                        '--leave-colour': colourOf(one.type?.id) ?? 'var(--mantine-color-cadre-6)',
                      } as React.CSSProperties
                    }
                  >
                    {column(one.ends_on) - column(one.starts_on) >= 2 ? nameOf(one) : ''}
                  </div>
                )
              })}
            </li>
          )
        })}
      </ul>
      {holidays.length > 0 ? (
        <Text size="sm" className="leave-holidays">
          <span className="leave-holiday-key" aria-hidden="true" />
          {holidays.map((one) => `${words.stretch(one.starts_on, one.ends_on)}: ${one.title}`).join(' · ')}
        </Text>
      ) : null}
    </div>
  )
}
