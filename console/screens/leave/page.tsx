import { useMay, useMe } from '../../client/me.ts'
import { Page } from '../../parts/page.tsx'
import { Forbidden, NotFound } from '../../parts/states.tsx'
import { PartLinks } from '../../parts/tabs.tsx'
import type { ScreenProps } from '../../shell/screens.ts'
import { useTexts } from '../../texts/i18n.ts'
import { Approvals } from './approvals.tsx'
import { Calendar } from './calendar.tsx'
import { Mine } from './mine.tsx'
import { leaveTexts } from './texts.ts'

/** Leave: the user's own, the team's, and pending approvals. Each has its own address. */
export default function LeavePage({ params: { part = '' } }: ScreenProps) {
  const t = useTexts(leaveTexts)
  const may = useMay()
  const { employee } = useMe()
  const isOwn = may('leave:read') && (employee !== null || may('leave:write'))
  const parts = [
    ...(isOwn ? [{ part: '', to: '/leave', name: t('mine') }] : []),
    ...(may('calendar:read') ? [{ part: 'calendar', to: '/leave/calendar', name: t('calendar') }] : []),
    ...(may('leave:approve') || may('time:approve')
      ? [{ part: 'approvals', to: '/leave/approvals', name: t('approvals') }]
      : []),
  ]
  // Users without leave of their own start with the next tab.
  const open = parts.find((one) => one.part === part) ?? (part === '' ? parts[0] : undefined)
  const isKnown = ['', 'calendar', 'approvals'].includes(part)
  return (
    <Page title={t('title')} isWide={open?.part === 'calendar'}>
      <PartLinks label={t('parts')} parts={parts} at={open?.to ?? ''} />
      {open?.part === '' ? <Mine /> : null}
      {open?.part === 'calendar' ? <Calendar /> : null}
      {open?.part === 'approvals' ? <Approvals /> : null}
      {open ? null : isKnown ? <Forbidden /> : <NotFound />}
    </Page>
  )
}
