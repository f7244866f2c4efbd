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

/** Whoever sees all that is known of everybody never has it. */
const Directory = lazy(async () => ({ default: (await import('./directory.tsx')).Directory }))

/**
 * The people of the company. Whoever sees all that is known of everybody has one list of them; others have everybody's
 * cards, and beside them their own people if they have any.
 */
export default function PeoplePage() {
  const t = useTexts(peopleTexts)
  const may = useMay()
  const { for_everybody, employee } = useMe()
  const { get, set } = useFilters()
  const isWhole = permits(for_everybody, 'employees:read') || !may('directory:read')
  const isPart = !isWhole && may('employees:read')
  // Two tell whether there is anybody besides oneself.
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
