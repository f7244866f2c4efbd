import { Badge, Button, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { call, type QueryOf } from '../../client/client.ts'
import { keyOf, useListRange, usePages } from '../../client/data.ts'
import { CreateVacancy } from '../../client/fields/recruitment.ts'
import { useMayForAll } from '../../client/me.ts'
import type { Vacancy } from '../../client/operations.ts'
import { RecordSelect } from '../../parts/fields.tsx'
import { Filters } from '../../parts/filters.tsx'
import { Page } from '../../parts/page.tsx'
import { nameOf } from '../../parts/person.tsx'
import { SearchBox } from '../../parts/search.tsx'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { type Column, PHONE, VirtualTable } from '../../parts/table.tsx'
import { PartLinks } from '../../parts/tabs.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Link, navigate, useFilters } from '../../shell/router.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName, useValueName } from '../../texts/names.ts'
import { hiringTexts } from './texts.ts'

const FILTERS_WITHOUT_STATE = ['q', 'department_id', 'location_id'] as const
const FILTER_NAMES = ['state', ...FILTERS_WITHOUT_STATE]
/** The state that is shown by default. */
const USUAL = 'opened'

/** The vacancies that the user may see. Each opens its board. */
export default function HiringPage() {
  const t = useTexts(hiringTexts)
  const mayForAll = useMayForAll()
  const { get, set } = useFilters()
  const isPhone = useMediaQuery(PHONE)
  const state = get('state') || USUAL
  const activeFilters = Object.fromEntries(
    FILTERS_WITHOUT_STATE.map((name) => [name, get(name)]).filter(([, value]) => value),
  )
  const query = { sort: '-created_at', ...(state === 'all' ? {} : { 'status[]': [state] }), ...activeFilters } as Query
  const isFiltered = FILTER_NAMES.some((name) => get(name))
  const empty = (
    <Empty
      icon="board"
      isFiltered={isFiltered}
      onClear={() => set(Object.fromEntries(FILTER_NAMES.map((name) => [name, undefined])))}
      {...(isFiltered ? {} : { title: t('empty'), text: t('emptyText') })}
    />
  )
  return (
    <Page
      title={t('title')}
      isWide
      actions={
        mayForAll('recruitment:write') ? (
          <Button component={Link} to="/hiring/new" leftSection={<Icon name="plus" />}>
            {t('newVacancy')}
          </Button>
        ) : null
      }
    >
      <States state={state} activeFilters={activeFilters} />
      <Stack gap="sm">
        <VacancyFilters />
        {isPhone ? <VacancyCards query={query} empty={empty} /> : <VacancyTable query={query} empty={empty} />}
      </Stack>
    </Page>
  )
}

type Query = QueryOf<'GET /recruitment/vacancies'>
type VacancyListProps = { query: Query; empty: ReactNode }
const LIST = 'GET /recruitment/vacancies'

function Count({ total }: { total: number | undefined }) {
  const t = useTexts(hiringTexts)
  return (
    <Text size="sm" c="dimmed" role="status" aria-live="polite" mih={22}>
      {total === undefined ? '' : t('count', { count: total })}
    </Text>
  )
}

function VacancyTable({ query, empty }: VacancyListProps) {
  const t = useTexts(hiringTexts)
  const [stretch, setStretch] = useState({ first: 0, last: 0 })
  const onView = useCallback((first: number, last: number) => setStretch({ first, last }), [])
  const vacancies = useListRange(LIST, { query }, { ...stretch, kinds: ['applications', 'hires'] })
  const columns = useColumns()
  const { total } = vacancies
  return (
    <>
      <Count total={total} />
      {vacancies.error ? (
        <Failed error={vacancies.error} onRetry={() => void vacancies.refetch()} />
      ) : total === undefined ? (
        <Loading rows={8} height={44} />
      ) : total === 0 ? (
        empty
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
    </>
  )
}

/** On a phone: one card per vacancy, and a button to load more. */
function VacancyCards({ query, empty }: VacancyListProps) {
  const t = useTexts(hiringTexts)
  const { number } = useFormats()
  const vacancies = usePages(LIST, { query }, { size: 20, kinds: ['applications', 'hires'] })
  const { items, total } = vacancies
  return (
    <>
      <Count total={total} />
      {vacancies.error ? (
        <Failed error={vacancies.error} onRetry={() => void vacancies.refetch()} />
      ) : total === undefined ? (
        <Loading rows={4} height={112} />
      ) : total === 0 ? (
        empty
      ) : (
        <ul className="vacancy-cards" aria-label={t('title')}>
          {items.map((one) => (
            <li key={one.id} className="vacancy-card">
              <div className="vacancy-card-head">
                <Link to={`/hiring/${one.id}`} className="vacancy-card-title">
                  {one.title}
                </Link>
                <VacancyState state={one.state} />
              </div>
              <Text size="sm" c="dimmed">
                {[one.department.name, one.location.name, nameOf(one.hiring_lead)].join(' · ')}
              </Text>
              <Text size="sm">
                {[
                  `${t('applications')}: ${number(one.applications_count)}`,
                  `${t('hires')}: ${t('hiresOf', { hired: one.hires_count, positions: one.positions })}`,
                ].join(' · ')}
              </Text>
            </li>
          ))}
        </ul>
      )}
      {vacancies.hasNextPage ? (
        <Button variant="default" loading={vacancies.isFetchingNextPage} onClick={() => void vacancies.fetchNextPage()}>
          {t('more', { count: (total ?? 0) - items.length })}
        </Button>
      ) : null}
    </>
  )
}

/** The states as tabs, each with its number of matching vacancies. */
function States({ state, activeFilters }: { state: string; activeFilters: Record<string, string> }) {
  const t = useTexts(hiringTexts)
  const valueName = useValueName()
  const counted = useQueries({
    queries: CreateVacancy.state.values.map((one) => {
      const query = { ...activeFilters, 'status[]': [one], per_page: 1 } as Query
      return {
        queryKey: keyOf(LIST, { query }),
        queryFn: ({ signal }: { signal: AbortSignal }) => call(LIST, { query }, signal),
        meta: { kinds: ['vacancies'] },
        placeholderData: keepPreviousData,
      }
    }),
  })
  const to = (value: string) => {
    const given = new URLSearchParams({ ...activeFilters, ...(value === USUAL ? {} : { state: value }) })
    return given.size > 0 ? `/hiring?${given}` : '/hiring'
  }
  const parts = [
    ...CreateVacancy.state.values.map((value, index) => ({
      to: to(value),
      name: valueName(value),
      count: counted[index]?.data?.body.metadata.count,
    })),
    { to: to('all'), name: t('anyState') },
  ]
  return <PartLinks label={t('state')} parts={parts} at={to(state)} />
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
    },
    { key: 'lead', title: t('lead'), show: ({ hiring_lead }) => nameOf(hiring_lead) },
    {
      key: 'state',
      title: t('state'),
      width: '130px',
      show: ({ state }) => <VacancyState state={state} />,
    },
    {
      key: 'applications',
      title: t('applications'),
      width: '130px',
      align: 'end',
      show: ({ applications_count }) => number(applications_count),
    },
    { key: 'hires', title: t('hires'), width: '120px', align: 'end', show: hires },
    { key: 'opened', title: t('opened'), width: '150px', show: ({ opened_at }) => day(opened_at) },
  ]
}

function VacancyFilters() {
  const t = useTexts(hiringTexts)
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
      count={['department_id', 'location_id'].filter((one) => get(one)).length}
    >
      {reference('department_id', 'departments', fieldName('department'), t('anyDepartment'))}
      {reference('location_id', 'locations', fieldName('location'), t('anyLocation'))}
    </Filters>
  )
}
