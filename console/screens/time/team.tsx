import { ActionIcon, Group, Stack, Text } from '@mantine/core'
import { useCallback, useState } from 'react'
import { useListRange } from '../../client/data.ts'
import { useMay } from '../../client/me.ts'
import type { Timesheet } from '../../client/operations.ts'
import { clock, plusMonths } from '../../parts/days.ts'
import { RecordSelect } from '../../parts/fields.tsx'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { type Column, VirtualTable } from '../../parts/table.tsx'
import { Icon } from '../../shell/icons.tsx'
import { navigate, useFilters } from '../../shell/router.tsx'
import { today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName } from '../../texts/names.ts'
import { timeTexts } from './texts.ts'

/** The expected and the actual hours of a month, for all employees that the user may see. */
export function Team() {
  const t = useTexts(timeTexts)
  const fieldName = useFieldName()
  const may = useMay()
  const { get, set } = useFilters()
  const { day } = useFormats()
  const [stretch, setStretch] = useState({ first: 0, last: 0 })
  const onView = useCallback((first: number, last: number) => setStretch({ first, last }), [])
  const month = /^\d{4}-(0[1-9]|1[0-2])$/.test(get('month')) ? get('month') : today().slice(0, 7)
  const [year, number] = month.split('-').map(Number) as [number, number]
  // For the current month, the expected hours until today.
  const isNow = month === today().slice(0, 7)
  const range = isNow ? { starts_on: `${month}-01`, ends_on: today() } : { year, month: number }
  const sort = (get('sort') || 'last_name') as 'last_name'
  const department = Number(get('department_id')) || undefined
  const people = useListRange(
    'GET /time/timesheets',
    { query: { ...range, sort, ...(department ? { department_id: department } : {}) } },
    { ...stretch, kinds: ['timesheet_entries', 'leave_requests', 'overtime_requests'] },
  )
  const minutes = (key: keyof Timesheet & `${string}_minutes`, title: string, isMinor = true): Column<Timesheet> => ({
    key,
    title,
    isMinor,
    align: 'end',
    width: 'minmax(100px, 1fr)',
    show: (row) => clock(row[key] as number),
  })
  const columns: Column<Timesheet>[] = [
    {
      key: 'full_name',
      title: t('person'),
      sort: 'last_name',
      width: 'minmax(min(180px, 30vw), 1.6fr)',
      // The columns leave little room, so there is a full name instead of a picture.
      show: ({ full_name }) => <span className="time-person">{full_name}</span>,
    },
    minutes('worked_minutes', t('worked'), false),
    minutes('pending_minutes', t('awaiting')),
    minutes('expected_minutes', t(isNow ? 'expectedSoFar' : 'expected')),
    minutes('break_minutes', t('breaks')),
    {
      key: 'leave',
      title: t('leave'),
      isMinor: true,
      align: 'end',
      width: 'minmax(90px, 1fr)',
      show: (row) => clock(row.working_leave_minutes + row.non_working_leave_minutes),
    },
    minutes('overtime_minutes', t('overtime')),
    minutes('difference_minutes', t('difference'), false),
  ]
  return (
    <Stack gap="sm">
      <Group gap="xs" className="no-print">
        <ActionIcon
          variant="default"
          size="lg"
          onClick={() => set({ month: plusMonths(month, -1) })}
          aria-label={t('previousMonth')}
        >
          <Icon name="left" />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size="lg"
          onClick={() => set({ month: plusMonths(month, 1) })}
          aria-label={t('nextMonth')}
        >
          <Icon name="right" />
        </ActionIcon>
        <Text component="h2" fw={600} size="lg" miw={160} aria-live="polite">
          {day(`${month}-01`, { month: 'long', year: 'numeric' })}
        </Text>
        {may('employees:read') && may('organisation:read') ? (
          <RecordSelect
            table="departments"
            aria-label={fieldName('department')}
            placeholder={t('anyDepartment')}
            value={department ?? null}
            onChange={(id) => set({ department_id: id === null ? undefined : String(id) })}
          />
        ) : null}
      </Group>
      <Text size="sm" c="dimmed" role="status" mih={22}>
        {people.total === undefined ? '' : t('count', { count: people.total })}
      </Text>
      {people.error ? (
        <Failed error={people.error} onRetry={() => void people.refetch()} />
      ) : people.total === undefined ? (
        <Loading rows={10} height={44} />
      ) : people.total === 0 ? (
        <Empty icon="time" title={t('nobody')} />
      ) : (
        <VirtualTable
          label={t('team')}
          columns={columns}
          total={people.total}
          rowAt={people.itemAt}
          idOf={({ employee_id }) => employee_id}
          onView={onView}
          sort={sort}
          onSort={(next) => set({ sort: next === 'last_name' ? undefined : next })}
          onOpen={({ employee_id }) => navigate(`/time?employee_id=${employee_id}`)}
        />
      )}
    </Stack>
  )
}
