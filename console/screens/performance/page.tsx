import { useMay } from '../../client/me.ts'
import { Page } from '../../parts/page.tsx'
import { NotFound } from '../../parts/states.tsx'
import type { ScreenProps } from '../../shell/screens.ts'
import { useTexts } from '../../texts/i18n.ts'
import { Indicator } from './indicator.tsx'
import { Indicators } from './indicators.tsx'
import { Objectives } from './objectives.tsx'
import { Review } from './review.tsx'
import { Cycle, Reviews } from './reviews.tsx'
import { performanceTexts } from './texts.ts'

/** Indicators, objectives and reviews, as far as the user may see them. */
export default function PerformancePage({ params }: ScreenProps) {
  const t = useTexts(performanceTexts)
  const may = useMay()
  const [part = '', id, review] = (params.rest ?? '').split('/')
  const first = may('performance:read') ? 'indicators' : 'reviews'
  switch (part || first) {
    case 'indicators':
      return id ? <Indicator id={Number(id)} /> : <Indicators />
    case 'objectives':
      return <Objectives />
    case 'reviews':
      return review ? <Review cycleId={Number(id)} id={Number(review)} /> : id ? <Cycle id={Number(id)} /> : <Reviews />
    default:
      return (
        <Page title={t('title')}>
          <NotFound />
        </Page>
      )
  }
}
