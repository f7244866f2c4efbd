import { Button, Group, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { useListRange } from '../../client/data.ts'
import { useMay } from '../../client/me.ts'
import { Icon } from '../../shell/icons.tsx'
import { Link, navigate, useFilters } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName } from '../../texts/names.ts'
import { Empty, Failed, Loading } from '../states.tsx'
import { type Column, PHONE, VirtualTable } from '../table.tsx'
import type { AnyList, Preset, RecordKind, SettingsRecord } from './kinds.ts'
import { RecordPanel } from './panel.tsx'
import { shownOf, useRecordName, useReferenceNames, useShownValue } from './values.tsx'

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** The list of a kind, with a panel for the record in the address: `/settings/departments/7`, `…/new`. */
export function Records(props: {
  kind: RecordKind
  title: string
  home: string
  openId: string
  /** May the user write them, if the kind's permission does not decide it alone? */
  mayWrite?: boolean
  /** The text of an empty list: what is missing, and what to do next for people who may add a record. */
  empty?: { title: string; next: string } | undefined
  /** The text of the button that adds a record. */
  addLabel?: string | undefined
  /** Shown below the form of a record. */
  children?: (record: SettingsRecord) => ReactNode
  /** Shown above the form of a new record, for the chosen preset. */
  aboveNew?: (preset: Preset | undefined) => ReactNode
}) {
  const { kind, title, home, openId, empty, addLabel, children, aboveNew } = props
  const { path, columns = kind.of.slice(0, 5), sort: usual = 'name' } = kind
  const { get, set } = useFilters()
  // The field by which the API sorts such a list, in either direction.
  const sort = get('sort') === `-${usual}` ? `-${usual}` : usual
  const t = useTexts(common)
  const fieldName = useFieldName()
  const shown = useShownValue()
  const recordName = useRecordName()
  const { day } = useFormats()
  const may = useMay()
  const [stretch, setStretch] = useState({ first: 0, last: 0 })
  const onView = useCallback((first: number, last: number) => setStretch({ first, last }), [])
  const all = useListRange(`GET ${path}` as AnyList, { query: { sort } as never }, stretch)
  const rowAt = all.itemAt as unknown as (index: number) => SettingsRecord | undefined
  const rows = useMemo(() => {
    const known = Array.from({ length: Math.min(all.total ?? 0, stretch.last + 20) }, (_, index) => rowAt(index))
    return known.filter((row) => row !== undefined)
  }, [all.total, stretch.last, rowAt])
  const nameFor = useReferenceNames(kind.create, columns, rows)
  const { mayWrite = may(kind.write) } = props
  const add = mayWrite ? (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => navigate(`${home}/new`, { keepScroll: true })}>
      {addLabel ?? t('add')}
    </Button>
  ) : null

  const isPhone = useMediaQuery(PHONE)
  const hours = columns.filter((name) => WEEKDAYS.includes(name.replace('_hours', '')))
  // 1 January 2024 was a Monday, so day n has weekday n.
  const weekdayName = (number: number) => day(`2024-01-0${number}`, { weekday: 'short' })
  const listed = isPhone ? columns.filter((name) => !hours.includes(name) || name === hours[0]) : columns
  const shownColumns = listed.map((name, index): Column<SettingsRecord> => {
    const field = kind.create[name] ?? kind.update[name]
    const title = fieldName(name)
    const sorted = name === usual ? { sort: name } : {}
    const weekday = WEEKDAYS.indexOf(name.replace('_hours', ''))
    if (index > 0)
      return {
        key: name,
        ...sorted,
        // Seven narrow columns, or a single one on a phone.
        title: weekday < 0 ? title : isPhone ? `${weekdayName(1)}–${weekdayName(7)}` : weekdayName(weekday + 1),
        width: columns.length > 3 ? 'minmax(0px, 1fr)' : 'minmax(0px, 1.4fr)',
        show: (row) => shown(field, shownOf(row, name), nameFor),
        showOnPhone: (row) =>
          weekday < 0
            ? shown(field, shownOf(row, name), nameFor)
            : hours.map((one) => shown(kind.create[one], shownOf(row, one)) || '–').join(' '),
        isMinor: index > 1,
        ...(field?.type === 'integer' && !field.reference ? { align: 'end' as const } : {}),
      }
    return {
      key: name,
      title,
      ...sorted,
      width: hours.length > 0 ? 'minmax(96px, 1.2fr)' : 'minmax(160px, 1.6fr)',
      show: (row) => (
        <Link to={`${home}/${row.id}`} keepScroll className="person-name">
          {recordName(kind, row)}
        </Link>
      ),
    }
  })

  return (
    <Stack gap="sm">
      <Group justify="space-between" mih={36}>
        <Text size="sm" c="dimmed" role="status" aria-live="polite">
          {all.total === undefined ? '' : t('entries', { count: all.total })}
        </Text>
        {add}
      </Group>
      {all.error ? (
        <Failed error={all.error} onRetry={() => void all.refetch()} />
      ) : all.total === undefined ? (
        <Loading rows={8} height={44} />
      ) : all.total === 0 ? (
        <Empty icon="table" {...(empty ? { title: empty.title, text: mayWrite ? empty.next : '' } : {})} />
      ) : (
        <VirtualTable
          label={title}
          columns={shownColumns}
          total={all.total}
          rowAt={rowAt}
          idOf={({ id }) => id}
          onView={onView}
          sort={sort}
          onSort={(next) => set({ sort: next === usual ? undefined : next })}
          onOpen={({ id }) => navigate(`${home}/${id}`, { keepScroll: true })}
        />
      )}
      {openId ? (
        <RecordPanel
          key={openId}
          kind={kind}
          title={title}
          id={openId}
          mayWrite={mayWrite}
          onClose={() => navigate(home, { keepScroll: true })}
          aboveNew={aboveNew}
        >
          {children}
        </RecordPanel>
      ) : null}
    </Stack>
  )
}
