import { SegmentedControl } from '@mantine/core'
import { lazy, type ReactNode, Suspense } from 'react'
import { useRead } from '../../client/data.ts'
import { permits, useMay, useMe } from '../../client/me.ts'
import { Page } from '../../parts/page.tsx'
import { Loading } from '../../parts/states.tsx'
import { useFilters } from '../../shell/router.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { Employees } from './employees.tsx'
import { peopleTexts } from './texts.ts'

/** Loaded when needed: users who may see all employees do not need it. */
const Directory = lazy(async () => ({ default: (await import('./directory.tsx')).Directory }))

/**
 * The people of the company. Users who may see all data of all employees have one list. Others have the directory, and
 * a second list if they manage employees.
 */
export default function PeoplePage() {
  const t = useTexts(peopleTexts)
  const may = useMay()
  const { for_everybody, employee } = useMe()
  const { get, set } = useFilters()
  const isWhole = permits(for_everybody, 'employees:read') || !may('directory:read')
  const isPart = !isWhole && may('employees:read')
  // Two are enough to know whether the user may see anybody else.
  const seen = useRead('GET /employees', { query: { per_page: 2 } }, { enabled: isPart })
  if (isWhole) return <Employees />
  const waiting = (
    <Page title={t('title')} isWide>
      <Loading rows={12} height={44} />
    </Page>
  )
  if (isPart && seen.isPending) return waiting
  const directory = (choice?: ReactNode) => (
    <Suspense fallback={waiting}>
      <Directory choice={choice} />
    </Suspense>
  )
  if (!seen.answer?.data.some(({ id }) => id !== employee?.id)) return directory()
  const isEverybody = get('of') === 'everybody'
  const choice = (
    <SegmentedControl
      aria-label={t('of')}
      value={isEverybody ? 'everybody' : 'mine'}
      onChange={(of) => set({ of: of === 'everybody' ? of : undefined, column: undefined })}
      data={[
        { value: 'mine', label: t('mine') },
        { value: 'everybody', label: t('everybody') },
      ]}
    />
  )
  return isEverybody ? directory(choice) : <Employees choice={choice} />
}
