import { ActionIcon, Button, Checkbox, Group, Popover, SegmentedControl, Stack, Text } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { useMayForAll } from '../../client/me.ts'
import { notifyFailed } from '../../client/notices.ts'
import { Filters } from '../../parts/filters.tsx'
import { Page } from '../../parts/page.tsx'
import { FilterPills } from '../../parts/pills.tsx'
import { RecordSelect } from '../../parts/record-select.tsx'
import { SearchBox } from '../../parts/search.tsx'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { type Column, MOST_PRINTED, type TableProps, VirtualTable } from '../../parts/table.tsx'
import { SavedViews } from '../../parts/views.tsx'
import { useActions } from '../../shell/actions.ts'
import { Icon } from '../../shell/icons.tsx'
import { Link, navigate, useFilters } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName } from '../../texts/names.ts'
import { type CardOf, Cards } from './cards.tsx'
import { peopleTexts } from './texts.ts'

/** People as a table of any size, or as cards. The address keeps all filters. */

/** The filters of every list of people. */
export const FILTER_NAMES = ['q', 'department_id', 'location_id', 'manager_id']

type PeopleListProps<Row> = {
  people: {
    total: number | undefined
    error: Error | null
    refetch: () => unknown
    itemAt: (index: number) => Row | undefined
  }
  onView: (first: number, last: number) => void
  columns: readonly Column<Row>[]
  /** The number of people, and who is counted. */
  counted: (count: number) => string
  /** Another number, of people who are not counted. */
  beside?: ReactNode
  /** The columns that are shown by default. */
  usual: readonly string[]
  sort: string
  /** Reads up to this many people, for printing. */
  readAll: (total: number) => Promise<Row[]>
  /** Further filters, and the names of all filters. */
  firstFilters?: ReactNode
  moreFilters?: ReactNode
  names: readonly string[]
  /** Filters from links, without an input. */
  further?: readonly string[]
  /** A choice between lists, if there is one. */
  choice?: ReactNode
  selection?: TableProps<Row>['selection']
  /** The actions for the selected people. */
  selected?: ReactNode
}

export function PeopleList<Row extends CardOf>(props: PeopleListProps<Row>) {
  const { people, onView, columns, usual, sort, readAll, names, further = [], choice, selection, selected } = props
  const t = useTexts(peopleTexts)
  const words = useTexts(common)
  const { get, all, set } = useFilters()
  const chosen = all('column').length > 0 ? all('column') : usual
  const isCards = get('view') === 'cards'
  const filterNames = [...names, ...further]
  const isFiltered = filterNames.some((name) => get(name))
  const clear = () => set(Object.fromEntries(filterNames.map((name) => [name, undefined])))
  const [printed, setPrinted] = useState<readonly Row[]>()
  const print = async () => {
    setPrinted(await readAll(Math.min(people.total ?? 0, MOST_PRINTED)))
    // After the loaded rows have been drawn.
    requestAnimationFrame(() => {
      window.print()
      setPrinted(undefined)
    })
  }
  const count = selection?.ids.size ?? 0
  const mayAdd = useMayForAll()('employees:write')
  const add = mayAdd ? (
    <Button component={Link} to="/people/new" leftSection={<Icon name="plus" size={16} />}>
      {t('add')}
    </Button>
  ) : null
  const addName = t('add')
  useActions(
    useMemo(
      () => (mayAdd ? [{ name: addName, icon: 'plus', run: () => navigate('/people/new') }] : []),
      [mayAdd, addName],
    ),
  )
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
              onClick={() => void print().catch(notifyFailed)}
            >
              <Icon name="print" />
            </ActionIcon>
          )}
          {isCards ? null : (
            <ColumnChoice columns={columns.map(({ key, title }) => ({ key, title }))} chosen={chosen} />
          )}
          {choice}
          <SegmentedControl
            aria-label={t('view')}
            value={isCards ? 'cards' : 'table'}
            onChange={(view) => set({ view: view === 'cards' ? 'cards' : undefined })}
            data={[
              { value: 'table', label: t('table') },
              { value: 'cards', label: t('cards') },
            ]}
          />
          {add}
        </>
      }
    >
      <Stack gap="sm">
        <PeopleFilters names={names} first={props.firstFilters} last={props.moreFilters} />
        <FilterPills names={further} />
        <Group mih={36} gap="sm" className="no-print">
          <Text size="sm" c="dimmed" role="status" aria-live="polite">
            {count > 0 ? words('selected', { count }) : people.total === undefined ? '' : props.counted(people.total)}
          </Text>
          {count > 0 ? selected : props.beside}
        </Group>
        {people.error ? (
          <Failed error={people.error} onRetry={() => void people.refetch()} />
        ) : people.total === undefined ? (
          <Loading rows={12} height={44} />
        ) : people.total === 0 ? (
          <Empty
            icon="people"
            isFiltered={isFiltered}
            onClear={clear}
            {...(isFiltered ? {} : { title: t('empty'), text: t('emptyText'), action: add })}
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
            onOpen={(row) => navigate(`/people/${row.id}`)}
            printed={printed}
            {...(selection ? { selection } : {})}
          />
        )}
      </Stack>
    </Page>
  )
}

function PeopleFilters({ names, first, last }: { names: readonly string[]; first?: ReactNode; last?: ReactNode }) {
  const t = useTexts(peopleTexts)
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
      search={<SearchBox label={t('search')} hint={t('searchHint')} />}
      count={names.filter((one) => one !== 'q' && get(one)).length}
    >
      {first}
      {reference('department_id', 'departments', fieldName('department'), t('anyDepartment'))}
      {reference('location_id', 'locations', fieldName('location'), t('anyLocation'))}
      {reference('manager_id', 'employees', fieldName('reporting_to'), t('anyManager'))}
      {last}
    </Filters>
  )
}

type ChoiceProps = { columns: { key: string; title: string }[]; chosen: readonly string[] }

function ColumnChoice({ columns, chosen }: ChoiceProps) {
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
        <Checkbox.Group value={[...chosen]} onChange={(next) => set({ column: next })} aria-label={t('columns')}>
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
