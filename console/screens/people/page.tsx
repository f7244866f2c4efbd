import { ActionIcon, Button, Checkbox, Group, Popover, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useCallback, useState } from 'react'
import { call, type QueryOf } from '../../client/client.ts'
import { useStretch } from '../../client/data.ts'
import { useMay } from '../../client/me.ts'
import type { EmployeeRow } from '../../client/operations.ts'
import { tellFailed } from '../../client/telling.ts'
import { RecordSelect } from '../../parts/fields.tsx'
import { Filters } from '../../parts/filters.tsx'
import { Page } from '../../parts/page.tsx'
import { nameOf } from '../../parts/person.tsx'
import { FilterPills } from '../../parts/pills.tsx'
import { SearchBox } from '../../parts/search.tsx'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { MOST_PRINTED, VirtualTable } from '../../parts/table.tsx'
import { SavedViews } from '../../parts/views.tsx'
import { Icon } from '../../shell/icons.tsx'
import { navigate, useFilters } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName, useValueName } from '../../texts/names.ts'
import { BulkEdit, MOST } from './bulk.tsx'
import { Cards } from './cards.tsx'
import { USUAL, useColumns } from './columns.tsx'
import { peopleTexts } from './texts.ts'

type Asked = QueryOf<'GET /employees'>

const STATUSES = ['active', 'in_service', 'hired', 'probation', 'employed', 'terminated', 'all'] as const
const NARROWING = ['q', 'status', 'department_id', 'location_id', 'manager_id']
/** What other screens ask for, by links. */
const FURTHER = [
  'as_of',
  'job_level_id',
  'termination_type_id',
  'termination_reason_id',
  'paid_in',
  ...['department_ids', 'location_ids', 'without'].map((name) => `${name}[]`),
  ...['joined_on', 'left_on', 'hired_on'].flatMap((name) =>
    ['gte', 'gt', 'lte', 'lt'].map((bound) => `${name}[${bound}]`),
  ),
]

/** Everybody: a table of any size, or cards with their pictures. All that narrows it stands in the address. */
export default function PeoplePage() {
  const t = useTexts(peopleTexts)
  const words = useTexts(common)
  const { get, all, set } = useFilters()
  const [stretch, setStretch] = useState({ first: 0, last: 0 })
  const onView = useCallback((first: number, last: number) => setStretch({ first, last }), [])
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [isEditing, setEditing] = useState(false)
  const columns = useColumns()

  const sort = get('sort') || 'last_name'
  const chosen = all('column').length > 0 ? all('column') : USUAL
  const isCards = get('view') === 'cards'
  const query = {
    sort,
    ...Object.fromEntries(NARROWING.map((name) => [name, get(name)]).filter(([, value]) => value)),
    ...Object.fromEntries(FURTHER.filter(get).map((name) => [name, name.endsWith('[]') ? all(name) : get(name)])),
  } as Asked
  const people = useStretch('GET /employees', { query }, stretch)
  const isNarrowed = [...NARROWING, ...FURTHER].some((name) => get(name))
  const clear = () => set(Object.fromEntries([...NARROWING, ...FURTHER].map((name) => [name, undefined])))
  const [printed, setPrinted] = useState<readonly EmployeeRow[]>()
  const total = people.total ?? 0
  const print = async () => {
    setPrinted(await readAll(query, Math.min(total, MOST_PRINTED)))
    // When what was read is there to be drawn.
    requestAnimationFrame(() => {
      window.print()
      setPrinted(undefined)
    })
  }
  const open = (row: EmployeeRow) => navigate(`/people/${row.id}`)

  return (
    <Page
      title={t('title')}
      isWide
      actions={
        <>
          <SavedViews screen="people" />
          {isCards ? null : (
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={words('print')}
              visibleFrom="sm"
              onClick={() => void print().catch(tellFailed)}
            >
              <Icon name="print" />
            </ActionIcon>
          )}
          {isCards ? null : (
            <ColumnChoice columns={columns.map(({ key, title }) => ({ key, title }))} chosen={chosen} />
          )}
          <SegmentedControl
            aria-label={t('view')}
            value={isCards ? 'cards' : 'table'}
            onChange={(view) => set({ view: view === 'cards' ? 'cards' : undefined })}
            data={[
              { value: 'table', label: t('table') },
              { value: 'cards', label: t('cards') },
            ]}
          />
        </>
      }
    >
      <Stack gap="sm">
        <Narrowing />
        <FilterPills names={FURTHER} />
        <Group mih={36} gap="sm" className="no-print">
          <Text size="sm" c="dimmed" role="status" aria-live="polite">
            {selected.size > 0
              ? words('selected', { count: selected.size })
              : people.total === undefined
                ? ''
                : t('count', { count: people.total })}
          </Text>
          {selected.size > 0 ? (
            <Selected
              ids={selected}
              onChange={setSelected}
              query={query}
              total={people.total ?? 0}
              onEdit={() => setEditing(true)}
            />
          ) : null}
        </Group>
        {people.error ? (
          <Failed error={people.error} onRetry={() => void people.refetch()} />
        ) : people.total === undefined ? (
          <Loading rows={12} height={44} />
        ) : people.total === 0 ? (
          <Empty
            icon="people"
            isFiltered={isNarrowed}
            onClear={clear}
            {...(isNarrowed ? {} : { title: t('empty'), text: t('emptyText') })}
          />
        ) : isCards ? (
          <Cards total={people.total} rowAt={people.itemAt} onView={onView} />
        ) : (
          <VirtualTable
            label={t('title')}
            columns={columns.filter(({ key }) => key === 'full_name' || chosen.includes(key))}
            total={people.total}
            rowAt={people.itemAt}
            idOf={({ id }) => id}
            onView={onView}
            sort={sort}
            onSort={(next) => set({ sort: next === 'last_name' ? undefined : next })}
            onOpen={open}
            printed={printed}
            selection={{ ids: selected, change: setSelected, nameOf }}
          />
        )}
      </Stack>
      {isEditing ? (
        <BulkEdit
          ids={[...selected]}
          onClose={(isDone) => {
            setEditing(false)
            if (isDone) setSelected(new Set())
          }}
        />
      ) : null}
    </Page>
  )
}

/** All of them, in as few requests as they take. */
async function readAll(query: Asked, total: number): Promise<EmployeeRow[]> {
  const size = 200
  const pages = Array.from({ length: Math.ceil(total / size) }, (_, index) => index + 1)
  const read = pages.map((page) => call('GET /employees', { query: { ...query, page, per_page: size } }))
  return (await Promise.all(read)).flatMap(({ body }) => body.data)
}

/** What can be done with those who are selected. */
function Selected(props: {
  ids: ReadonlySet<number>
  onChange: (ids: ReadonlySet<number>) => void
  query: Asked
  total: number
  onEdit: () => void
}) {
  const { ids, onChange, query, total, onEdit } = props
  const t = useTexts(peopleTexts)
  const words = useTexts(common)
  const may = useMay()
  const takeAll = async () => onChange(new Set((await readAll(query, total)).map(({ id }) => id)))
  return (
    <>
      {ids.size < total && total <= MOST ? (
        <Button variant="default" size="xs" onClick={() => void takeAll().catch(tellFailed)}>
          {t('selectAll', { count: total })}
        </Button>
      ) : null}
      <Button variant="default" size="xs" onClick={() => onChange(new Set())}>
        {words('clear')}
      </Button>
      {may('employees:write') ? (
        <Button size="xs" onClick={onEdit} disabled={ids.size > MOST} leftSection={<Icon name="edit" size={14} />}>
          {t('edit')}
        </Button>
      ) : null}
      {ids.size > MOST ? <Text size="sm">{t('tooMany', { count: MOST })}</Text> : null}
    </>
  )
}

function Narrowing() {
  const t = useTexts(peopleTexts)
  const valueName = useValueName()
  const fieldName = useFieldName()
  const { get, set } = useFilters()
  const reference = (name: string, table: string, label: string, placeholder: string) => (
    <RecordSelect
      table={table}
      aria-label={label}
      placeholder={placeholder}
      value={Number(get(name)) || null}
      onChange={(id) => set({ [name]: id === null ? undefined : String(id) })}
    />
  )
  return (
    <Filters
      search={<SearchBox label={t('search')} />}
      count={NARROWING.filter((one) => one !== 'q' && get(one)).length}
    >
      <Select
        aria-label={fieldName('status')}
        data={STATUSES.map((value) => ({ value, label: valueName(value) }))}
        value={get('status') || 'active'}
        onChange={(status) => set({ status: status === 'active' ? undefined : (status ?? undefined) })}
        allowDeselect={false}
      />
      {reference('department_id', 'departments', fieldName('department'), t('anyDepartment'))}
      {reference('location_id', 'locations', fieldName('location'), t('anyLocation'))}
      {reference('manager_id', 'employees', fieldName('reporting_to'), t('anyManager'))}
    </Filters>
  )
}

function ColumnChoice({ columns, chosen }: { columns: { key: string; title: string }[]; chosen: string[] }) {
  const t = useTexts(common)
  const { set } = useFilters()
  return (
    <Popover position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<Icon name="columns" />} visibleFrom="sm">
          {t('columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('columns')}>
        <Checkbox.Group value={chosen} onChange={(next) => set({ column: next })} aria-label={t('columns')}>
          <Stack gap="xs">
            {columns.slice(1).map(({ key, title }) => (
              <Checkbox key={key} value={key} label={title} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  )
}
