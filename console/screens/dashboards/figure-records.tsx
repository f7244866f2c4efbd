import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { QueryOf } from '../../client/client.ts'
import { usePages } from '../../client/data.ts'
import { SidePanel } from '../../parts/dialog.tsx'
import { nameOf, PersonLine } from '../../parts/person.tsx'
import { Failed, Loading } from '../../parts/states.tsx'
import { Link, useFilters } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { dashboardTexts } from './texts.ts'

/** Opens the records behind a figure: people in their own screen, other records next to the figure. */
export function FigureRecords({ list, children }: { list: string; children: ReactNode }) {
  const { text } = useFilters()
  const [path, query] = list.split('?')
  if (path === '/employees') return <Link to={`/people?${query ?? ''}`}>{children}</Link>
  const here = new URLSearchParams(text)
  here.set('behind', list)
  return <Link to={`?${here}`}>{children}</Link>
}

/** `/books?ids[]=1&ids[]=2` → the path and the query of the request. */
const askedIn = (list: string) => {
  const given = new URLSearchParams(list.split('?')[1] ?? '')
  return Object.fromEntries(
    [...new Set(given.keys())].map((name) => [name, name.endsWith('[]') ? given.getAll(name) : given.get(name)]),
  )
}

export function FigureRecordsPanel() {
  const t = useTexts(dashboardTexts)
  const { get, set } = useFilters()
  const list = get('behind')
  const [path] = list.split('?')
  const asked = askedIn(list)
  if (path !== '/leave_requests' && path !== '/recruitment/candidates') return null
  return (
    <SidePanel
      opened
      onClose={() => set({ behind: undefined })}
      title={`${t('behind')}: ${t(path === '/leave_requests' ? 'absence' : 'timeToHire')}`}
    >
      {path === '/leave_requests' ? (
        <Requests query={asked as QueryOf<'GET /leave_requests'>} />
      ) : (
        <Candidates query={asked as QueryOf<'GET /recruitment/candidates'>} />
      )}
    </SidePanel>
  )
}

type RecordPages = {
  error: unknown
  total: number | undefined
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

function Listed({ pages, children }: { pages: RecordPages; children: ReactNode }) {
  const t = useTexts(dashboardTexts)
  const words = useTexts(common)
  if (pages.error) return <Failed error={pages.error} />
  if (pages.total === undefined) return <Loading />
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed" role="status">
        {t('behindCount', { count: pages.total })}
      </Text>
      {children}
      {pages.hasNextPage ? (
        <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          {words('more')}
        </Button>
      ) : null}
    </Stack>
  )
}

function Requests({ query }: { query: QueryOf<'GET /leave_requests'> }) {
  const { day } = useFormats()
  const pages = usePages('GET /leave_requests', { query })
  return (
    <Listed pages={pages}>
      {pages.items.map(({ id, employee, leave_type, starts_on, ends_on }) => (
        <PersonLine
          key={id}
          of={employee}
          beneath={`${leave_type} · ${starts_on === ends_on ? day(starts_on) : `${day(starts_on)} – ${day(ends_on)}`}`}
        />
      ))}
    </Listed>
  )
}

function Candidates({ query }: { query: QueryOf<'GET /recruitment/candidates'> }) {
  const pages = usePages('GET /recruitment/candidates', { query })
  return (
    <Listed pages={pages}>
      {pages.items.map(({ id, full_name, position, employee_id }) => (
        <PersonLine
          key={id}
          of={{ full_name: nameOf({ full_name }), ...(employee_id === null ? {} : { id: employee_id }) }}
          beneath={position}
        />
      ))}
    </Listed>
  )
}
