import { Anchor, Badge, Checkbox } from '@mantine/core'
import { type ReactNode, useCallback, useState } from 'react'
import { call, type QueryOf } from '../../client/client.ts'
import { useListRange } from '../../client/data.ts'
import type { DirectoryCard } from '../../client/operations.ts'
import { PersonLine } from '../../parts/person.tsx'
import type { Column } from '../../parts/table.tsx'
import { useFilters } from '../../shell/router.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName, useValueName } from '../../texts/names.ts'
import { FILTER_NAMES, PeopleList } from './list.tsx'
import { peopleTexts } from './texts.ts'

type DirectoryQuery = QueryOf<'GET /directory'>

const NAMES = [...FILTER_NAMES, 'coming']
const USUAL = ['full_name', 'position', 'department', 'location', 'email', 'away']
const SORTS = ['last_name', 'email', 'hired_on'].flatMap((name) => [name, `-${name}`])

/** The directory: all current employees, as every user may see them. */
export function Directory({ choice }: { choice?: ReactNode }) {
  const t = useTexts(peopleTexts)
  const valueName = useValueName()
  const { get } = useFilters()
  const [stretch, setStretch] = useState({ first: 0, last: 0 })
  const onView = useCallback((first: number, last: number) => setStretch({ first, last }), [])
  // The sort order of a saved view or of the other list may not exist here.
  const sort = SORTS.includes(get('sort')) ? get('sort') : 'last_name'
  const query = { sort, ...Object.fromEntries(NAMES.filter(get).map((name) => [name, get(name)])) } as DirectoryQuery
  return (
    <PeopleList
      people={useListRange('GET /directory', { query }, { ...stretch, kinds: ['employees', 'leave_requests'] })}
      onView={onView}
      counted={(count) =>
        t('count', { what: get('coming') === 'true' ? t('serviceOrStarting') : valueName('in_service'), count })
      }
      columns={useColumns()}
      usual={USUAL}
      sort={sort}
      readAll={(total) => readAll(query, total)}
      moreFilters={<Coming />}
      names={NAMES}
      choice={choice}
    />
  )
}

/** Reads all people, in as few requests as possible. */
async function readAll(query: DirectoryQuery, total: number): Promise<DirectoryCard[]> {
  const size = 200
  const pages = Array.from({ length: Math.ceil(total / size) }, (_, index) => index + 1)
  const read = pages.map((page) => call('GET /directory', { query: { ...query, page, per_page: size } }))
  return (await Promise.all(read)).flatMap(({ body }) => body.data)
}

function Coming() {
  const t = useTexts(peopleTexts)
  const { get, set } = useFilters()
  return (
    <Checkbox
      className="people-coming"
      label={t('coming')}
      checked={get('coming') === 'true'}
      onChange={(event) => set({ coming: event.currentTarget.checked ? 'true' : undefined })}
    />
  )
}

const Way = ({ to, name }: { to: string; name: string }) => (
  <Anchor href={to} inherit>
    {name}
  </Anchor>
)

function useColumns(): Column<DirectoryCard>[] {
  const t = useTexts(peopleTexts)
  const name = useFieldName()
  const { day } = useFormats()
  const until = ({ away }: DirectoryCard) => (away ? t('awayUntil', { day: day(away.until) }) : '')
  const column = (
    key: string,
    show: Column<DirectoryCard>['show'],
    more: Partial<Column<DirectoryCard>> = {},
  ): Column<DirectoryCard> => ({ key, title: name(key), isMinor: true, show, ...more })
  return [
    column('full_name', (row) => <PersonLine of={row} />, {
      sort: 'last_name',
      width: 'minmax(180px, 2fr)',
      isMinor: false,
      showOnPhone: (row) => (
        <PersonLine
          of={row}
          beneath={[row.position?.name ?? row.department?.name, until(row)].filter(Boolean).join(' · ')}
        />
      ),
    }),
    column('position', (row) => row.position?.name ?? ''),
    column('department', (row) => row.department?.name ?? ''),
    column('location', (row) => row.location?.name ?? ''),
    column('division', (row) => row.division?.name ?? ''),
    column('reporting_to', (row) => row.manager?.full_name ?? ''),
    column('email', (row) => (row.email ? <Way to={`mailto:${row.email}`} name={row.email} /> : ''), {
      sort: 'email',
      width: 'minmax(190px, 1.6fr)',
    }),
    column('work_phone_number', (row) =>
      row.work_phone_number ? <Way to={`tel:${row.work_phone_number}`} name={row.work_phone_number} /> : '',
    ),
    column('hired_on', (row) => day(row.hired_on), { sort: 'hired_on', width: '130px' }),
    column('away', (row) => (row.away ? <Badge color="yellow">{until(row)}</Badge> : ''), {
      title: t('away'),
      width: '150px',
    }),
  ]
}
