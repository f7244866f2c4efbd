import { Badge, Select, Stack, Text } from '@mantine/core'
import { useCallback, useState } from 'react'
import type { QueryOf } from '../../client/client.ts'
import { useStretch } from '../../client/data.ts'
import { CreateVacancy } from '../../client/fields/recruitment.ts'
import type { Vacancy } from '../../client/operations.ts'
import { RecordSelect } from '../../parts/fields.tsx'
import { Filters } from '../../parts/filters.tsx'
import { Page } from '../../parts/page.tsx'
import { nameOf } from '../../parts/person.tsx'
import { SearchBox } from '../../parts/search.tsx'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { type Column, VirtualTable } from '../../parts/table.tsx'
import { Link, navigate, useFilters } from '../../shell/router.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName, useValueName } from '../../texts/names.ts'
import { hiringTexts } from './texts.ts'

const NARROWING = ['q', 'state', 'department_id', 'location_id']
/** What one works on; the others are asked for. */
const USUAL = 'opened'

/** The vacancies that somebody may see; each opens its board. */
export default function HiringPage() {
  const t = useTexts(hiringTexts)
  const { get, set } = useFilters()
  const [stretch, setStretch] = useState({ first: 0, last: 0 })
  const onView = useCallback((first: number, last: number) => setStretch({ first, last }), [])
  const state = get('state') || USUAL
  const query = {
    sort: '-created_at',
    ...(state === 'all' ? {} : { 'status[]': [state] }),
    ...Object.fromEntries(
      ['q', 'department_id', 'location_id'].map((name) => [name, get(name)]).filter(([, value]) => value),
    ),
  } as QueryOf<'GET /recruitment/vacancies'>
  const vacancies = useStretch(
    'GET /recruitment/vacancies',
    { query },
    { ...stretch, kinds: ['applications', 'hires'] },
  )
  const columns = useColumns()
  const isNarrowed = NARROWING.some((name) => get(name))
  const { total } = vacancies
  return (
    <Page title={t('title')} isWide>
      <Stack gap="sm">
        <Narrowing state={state} />
        <Text size="sm" c="dimmed" role="status" aria-live="polite" mih={22}>
          {total === undefined ? '' : t('count', { count: total })}
        </Text>
        {vacancies.error ? (
          <Failed error={vacancies.error} onRetry={() => void vacancies.refetch()} />
        ) : total === undefined ? (
          <Loading rows={8} height={44} />
        ) : total === 0 ? (
          <Empty
            icon="board"
            isFiltered={isNarrowed}
            onClear={() => set(Object.fromEntries(NARROWING.map((name) => [name, undefined])))}
            {...(isNarrowed ? {} : { title: t('empty'), text: t('emptyText') })}
          />
        ) : (
          <VirtualTable
            label={t('title')}
            columns={columns}
            total={total}
            rowAt={vacancies.itemAt}
            idOf={({ id }) => id}
            onView={onView}
            onOpen={({ id }) => navigate(`/hiring/${id}`)}
          />
        )}
      </Stack>
    </Page>
  )
}

const COLOURS: Record<Vacancy['state'], string> = {
  drafting: 'gray',
  opened: 'cadre',
  held: 'yellow',
  closed: 'blue',
  cancelled: 'gray',
  archived: 'gray',
}

export function VacancyState({ state }: { state: Vacancy['state'] }) {
  const valueName = useValueName()
  return <Badge color={COLOURS[state]}>{valueName(state)}</Badge>
}

function useColumns(): Column<Vacancy>[] {
  const t = useTexts(hiringTexts)
  const valueName = useValueName()
  const { day, number } = useFormats()
  const title = ({ id, title }: Vacancy, beneath?: string) => (
    <div className="person-words">
      <Link to={`/hiring/${id}`} className="person-name">
        {title}
      </Link>
      {beneath ? (
        <Text size="xs" c="dimmed" truncate>
          {beneath}
        </Text>
      ) : null}
    </div>
  )
  const hires = ({ hires_count, positions }: Vacancy) => t('hiresOf', { hired: hires_count, positions })
  return [
    {
      key: 'title',
      title: t('vacancy'),
      width: 'minmax(180px, 2fr)',
      show: (row) => title(row, [row.department.name, row.location.name].join(' · ')),
      showOnPhone: (row) =>
        title(row, [valueName(row.state), `${t('applications')}: ${number(row.applications_count)}`].join(' · ')),
    },
    { key: 'lead', title: t('lead'), isMinor: true, show: ({ hiring_lead }) => nameOf(hiring_lead) },
    {
      key: 'state',
      title: t('state'),
      width: '130px',
      isMinor: true,
      show: ({ state }) => <VacancyState state={state} />,
    },
    {
      key: 'applications',
      title: t('applications'),
      width: '130px',
      align: 'end',
      isMinor: true,
      show: ({ applications_count }) => number(applications_count),
    },
    { key: 'hires', title: t('hires'), width: '120px', align: 'end', isMinor: true, show: hires },
    { key: 'opened', title: t('opened'), width: '130px', isMinor: true, show: ({ opened_at }) => day(opened_at) },
  ]
}

function Narrowing({ state }: { state: string }) {
  const t = useTexts(hiringTexts)
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
        aria-label={t('state')}
        data={[
          ...CreateVacancy.state.values.map((value) => ({ value: String(value), label: valueName(value) })),
          { value: 'all', label: t('anyState') },
        ]}
        value={state}
        onChange={(next) => set({ state: next === USUAL ? undefined : (next ?? undefined) })}
        allowDeselect={false}
      />
      {reference('department_id', 'departments', fieldName('department'), t('anyDepartment'))}
      {reference('location_id', 'locations', fieldName('location'), t('anyLocation'))}
    </Filters>
  )
}
