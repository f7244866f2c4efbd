import { Badge, Progress, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useRead } from '../../client/data.ts'
import { useMay } from '../../client/me.ts'
import { Page } from '../../parts/page.tsx'
import { PartLinks } from '../../parts/tabs.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Link } from '../../shell/router.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useValueName } from '../../texts/names.ts'
import { performanceTexts } from './texts.ts'

/** Parts that the tabs of this screen share. */

const PARTS = [
  { name: 'indicators', to: '/performance/indicators', needs: 'performance:read' },
  { name: 'objectives', to: '/performance/objectives', needs: 'performance:read' },
  { name: 'reviews', to: '/performance/reviews', needs: 'reviews:read' },
] as const

/** One of the three lists, with links to the others. */
export function Section(props: { part: (typeof PARTS)[number]['name']; actions?: ReactNode; children: ReactNode }) {
  const t = useTexts(performanceTexts)
  const may = useMay()
  return (
    <Page title={t('title')} actions={props.actions}>
      <PartLinks
        label={t('sections')}
        parts={PARTS.filter(({ needs }) => may(needs)).map(({ name, to }) => ({ to, name: t(name) }))}
        at={`/performance/${props.part}`}
      />
      {props.children}
    </Page>
  )
}

export const Back = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} className="performance-back no-print">
    <Icon name="left" size={14} /> {children}
  </Link>
)

const COLOURS: Record<string, string> = {
  on_track: 'cadre',
  behind: 'orange',
  at_risk: 'red',
  draft: 'gray',
  opened: 'blue',
  closed: 'orange',
  finished: 'cadre',
  submitted: 'cadre',
  shared: 'cadre',
  partially_submitted: 'blue',
  started: 'blue',
  revising: 'orange',
}

export function State({ of, label }: { of: string; label?: string | undefined }) {
  const valueName = useValueName()
  // Without dates nothing can be behind schedule.
  if (of === 'none') return null
  return (
    <Badge color={COLOURS[of] ?? 'gray'} className="performance-state">
      {label ?? valueName(of)}
    </Badge>
  )
}

export function Bar({ label, percent, status = 'none' }: { label: string; percent: number | null; status?: string }) {
  const { percent: shown } = useFormats()
  return (
    <div className="performance-bar">
      <Progress.Root size="md" radius="xl">
        <Progress.Section
          value={Math.max(0, Math.min(100, percent ?? 0))}
          color={COLOURS[status] ?? 'cadre'}
          aria-label={label}
        />
      </Progress.Root>
      <Text size="sm" fw={600} className="performance-percent">
        {percent === null ? '–' : shown(percent / 100)}
      </Text>
    </div>
  )
}

/** Formats an amount by its metric. */
export function useAmount(): (value: number | null, metric: string, currency: string | null) => string {
  const { number, percent, money } = useFormats()
  return (value, metric, currency) => {
    if (value === null) return '–'
    if (metric === 'percentage') return percent(value / 100)
    return metric === 'currency' && currency ? money(value, currency) : number(value)
  }
}

/** The same, shortened: $2M. */
export function useShortAmount(): (value: number, metric: string, currency: string | null) => string {
  const { number } = useFormats()
  const amount = useAmount()
  return (value, metric, currency) => {
    if (metric === 'percentage') return amount(value, metric, currency)
    const money = metric === 'currency' && currency ? ({ style: 'currency', currency } as const) : {}
    return number(value, { notation: 'compact', maximumFractionDigits: 2, minimumFractionDigits: 0, ...money })
  }
}

/** Names of people by id, from one request to the directory. */
export function useEmployeeNames(ids: readonly number[]): (id: number) => string {
  const t = useTexts(performanceTexts)
  const may = useMay()
  const asked = [...new Set(ids)].sort((one, other) => one - other)
  const read = useRead(
    'GET /directory',
    { query: { 'ids[]': asked, per_page: 200, coming: true } },
    { enabled: asked.length > 0 && may('directory:read'), keepPrevious: true },
  )
  const names = new Map(read.answer?.data.map(({ id, full_name }) => [id, full_name]))
  return (id) => names.get(id) ?? (read.isFetching ? '…' : t('someone', { id: String(id) }))
}

/** Is a lower value better? */
export const isDown = (start: number | null, target: number | null) =>
  start !== null && target !== null && target < start
