import { useEffect } from 'react'
import { useMay, useMe } from '../../client/me.ts'
import { Page } from '../../parts/page.tsx'
import { Forbidden, NotFound } from '../../parts/states.tsx'
import { PartLinks } from '../../parts/tabs.tsx'
import { navigate } from '../../shell/router.tsx'
import type { ScreenProps } from '../../shell/screens.ts'
import { useTexts } from '../../texts/i18n.ts'
import { Team } from './team.tsx'
import { timeTexts } from './texts.ts'
import { Week } from './week.tsx'

/** Working time: the user's week, the team's months, and a link to pending approvals. */
export default function TimePage({ params: { part = '' } }: ScreenProps) {
  const t = useTexts(timeTexts)
  const may = useMay()
  const { employee } = useMe()
  const isOverOthers = may('time:approve') || (may('time:read') && employee === null)
  const parts = [
    { part: '', to: '/time', name: t('mine') },
    ...(isOverOthers ? [{ part: 'team', to: '/time/team', name: t('team') }] : []),
    ...(may('time:approve') ? [{ part: 'approvals', to: '/leave/approvals?kind=time', name: t('approvals') }] : []),
  ]
  const open = parts.find((one) => one.part === part)
  const elsewhere = open && !open.to.startsWith('/time') ? open.to : undefined
  useEffect(() => {
    if (elsewhere) navigate(elsewhere, { replace: true })
  }, [elsewhere])
  return (
    <Page title={t('title')} isWide>
      <PartLinks label={t('parts')} parts={parts} at={open?.to ?? ''} />
      {open?.part === '' ? <Week /> : null}
      {open?.part === 'team' ? <Team /> : null}
      {open ? null : part === 'team' ? <Forbidden /> : <NotFound />}
    </Page>
  )
}
