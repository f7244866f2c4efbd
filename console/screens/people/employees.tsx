import { Button, Select, Text } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import { call, type QueryOf } from '../../client/client.ts'
import { useListRange, useRead } from '../../client/data.ts'
import { useMay, useMe } from '../../client/me.ts'
import { notifyFailed } from '../../client/notices.ts'
import type { EmployeeRow } from '../../client/operations.ts'
import { nameOf } from '../../parts/person.tsx'
import { Icon } from '../../shell/icons.tsx'
import { useFilters } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { today } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName, useValueName } from '../../texts/names.ts'
import { USUAL, useColumns } from './columns.tsx'
import { FILTER_NAMES, PeopleList } from './list.tsx'
import { peopleTexts } from './texts.ts'

/** Loaded when needed, because most users only read the list. */
const BulkEdit = lazy(async () => ({ default: (await import('./bulk.tsx')).BulkEdit }))

/** The most people in one change. */
const MOST = 500

type EmployeesQuery = QueryOf<'GET /employees'>

/** The filter by status. The default is people in service. The console adds `leaving`. */
const STATUSES = ['in_service', 'hired', 'leaving', 'probation', 'employed', 'terminated', 'active', 'all'] as const
type Status = (typeof STATUSES)[number]
const statusIn = (get: (name: string) => string): Status =>
  STATUSES.find((one) => one === get('status')) ?? 'in_service'
const NAMES = [...FILTER_NAMES, 'status']
/** Filters that links from other screens use. */
const FURTHER = [
  'as_of',
  'job_level_id',
  'termination_type_id',
  'termination_reason_id',
  'paid_in',
  ...['department_ids', 'location_ids', 'without'].map((name) => `${name}[]`),
  ...['joined_on', 'left_on', 'hired_on', 'probation_ends_on'].flatMap((name) =>
    ['gte', 'gt', 'lte', 'lt'].map((bound) => `${name}[${bound}]`),
  ),
]

/** The employees that the user may see, to filter, select and change. */
export function Employees({ choice }: { choice?: ReactNode }) {
  const { get, all } = useFilters()
  const [stretch, setStretch] = useState({ first: 0, last: 0 })
  const onView = useCallback((first: number, last: number) => setStretch({ first, last }), [])
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [isEditing, setEditing] = useState(false)
  const may = useMay()
  const sort = get('sort') || 'last_name'
  const status = statusIn(get)
  const activeFilters = {
    ...Object.fromEntries(FILTER_NAMES.map((name) => [name, get(name)]).filter(([, value]) => value)),
    ...Object.fromEntries(FURTHER.filter(get).map((name) => [name, name.endsWith('[]') ? all(name) : get(name)])),
  }
  const query = {
    sort,
    ...activeFilters,
    ...(status === 'leaving' ? { status: 'in_service', 'left_on[gt]': today() } : { status }),
  } as EmployeesQuery
  const people = useListRange('GET /employees', { query }, stretch)
  const t = useTexts(peopleTexts)
  const nameOfStatus = useStatusName()
  return (
    <>
      <PeopleList
        people={people}
        counted={(count) => t('count', { what: nameOfStatus(status), count })}
        beside={status === 'in_service' ? <NotStartedYet query={activeFilters as EmployeesQuery} /> : null}
        onView={onView}
        columns={useColumns()}
        usual={USUAL}
        sort={sort}
        readAll={(total) => readAll(query, total)}
        firstFilters={<StatusSelect />}
        names={NAMES}
        further={FURTHER}
        choice={choice}
        {...(may('employees:write') ? { selection: { ids: selected, change: setSelected, nameOf } } : {})}
        selected={
          <Selected
            ids={selected}
            onChange={setSelected}
            query={query}
            total={people.total ?? 0}
            onEdit={() => setEditing(true)}
          />
        }
      />
      {isEditing ? (
        <Suspense>
          <BulkEdit
            ids={[...selected]}
            onClose={(isDone) => {
              setEditing(false)
              if (isDone) setSelected(new Set())
            }}
          />
        </Suspense>
      ) : null}
    </>
  )
}

/** Reads all people, in as few requests as possible. */
async function readAll(query: EmployeesQuery, total: number): Promise<EmployeeRow[]> {
  const size = 200
  const pages = Array.from({ length: Math.ceil(total / size) }, (_, index) => index + 1)
  const read = pages.map((page) => call('GET /employees', { query: { ...query, page, per_page: size } }))
  return (await Promise.all(read)).flatMap(({ body }) => body.data)
}

/** The actions for the selected people. */
function Selected(props: {
  ids: ReadonlySet<number>
  onChange: (ids: ReadonlySet<number>) => void
  query: EmployeesQuery
  total: number
  onEdit: () => void
}) {
  const { ids, onChange, query, total, onEdit } = props
  const t = useTexts(peopleTexts)
  const words = useTexts(common)
  const takeAll = async () => onChange(new Set((await readAll(query, total)).map(({ id }) => id)))
  return (
    <>
      {ids.size < total && total <= MOST ? (
        <Button variant="default" size="xs" onClick={() => void takeAll().catch(notifyFailed)}>
          {t('selectAll', { count: total })}
        </Button>
      ) : null}
      <Button variant="default" size="xs" onClick={() => onChange(new Set())}>
        {words('clearSelection')}
      </Button>
      <Button size="xs" onClick={onEdit} disabled={ids.size > MOST} leftSection={<Icon name="edit" size={14} />}>
        {t('edit')}
      </Button>
      {ids.size > MOST ? <Text size="sm">{t('tooMany', { count: MOST })}</Text> : null}
    </>
  )
}

/** The number of people who have not started yet, as a link to them. */
function NotStartedYet({ query }: { query: EmployeesQuery }) {
  const t = useTexts(peopleTexts)
  const { set } = useFilters()
  const read = useRead('GET /employees', { query: { ...query, status: 'hired', per_page: 1 } })
  const count = read.answer?.metadata.count ?? 0
  if (count === 0) return null
  return (
    <Button variant="subtle" size="compact-sm" onClick={() => set({ status: 'hired' })}>
      {`${t('starting')}: ${count}`}
    </Button>
  )
}

/** The names of the status filter, which say who is counted. */
function useStatusName(): (status: Status) => string {
  const t = useTexts(peopleTexts)
  const valueName = useValueName()
  const own = { hired: t('starting'), leaving: t('leavingSoon'), active: t('serviceOrStarting') }
  return (status) => own[status as keyof typeof own] ?? valueName(status)
}

function StatusSelect() {
  const nameOfStatus = useStatusName()
  const fieldName = useFieldName()
  const { get, set } = useFilters()
  const { withheld } = useMe()
  return (
    <Select
      aria-label={fieldName('status')}
      data={STATUSES.filter((one) => one !== 'leaving' || !withheld.includes('planned')).map((value) => ({
        value,
        label: nameOfStatus(value),
      }))}
      value={statusIn(get)}
      onChange={(status) => set({ status: status === 'in_service' ? undefined : (status ?? undefined) })}
      allowDeselect={false}
    />
  )
}
