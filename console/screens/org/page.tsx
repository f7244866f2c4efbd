import { Skeleton, Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useRead } from '../../client/data.ts'
import { useMay } from '../../client/me.ts'
import type { OrgChart } from '../../client/operations.ts'
import { Page } from '../../parts/page.tsx'
import { Empty, Failed } from '../../parts/states.tsx'
import { PHONE } from '../../parts/table.tsx'
import { useActions } from '../../shell/actions.ts'
import { useFilters } from '../../shell/router.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { Chart, type ChartHandle, type ChartProps } from './chart.tsx'
import { COLOURS, type ColouredBy, colouring } from './colours.ts'
import { type Layout, layOut } from './layout.ts'
import { TreeList } from './list.tsx'
import { PersonPanel } from './person-panel.tsx'
import { usePlan } from './plan.ts'
import { PlanBar, ReportTo, Review } from './planning.tsx'
import { useOpening, useSelection, useTrees } from './shown-people.ts'
import { orgTexts } from './texts.ts'
import { LegendOf, PageActions, ShownCount, Toolbar } from './toolbar.tsx'
import { type Person, visiblePlaces } from './tree.ts'

/** The org chart on a day, and plans to change it. */
export default function OrgChartPage() {
  const t = useTexts(orgTexts)
  const { get } = useFilters()
  const may = useMay()
  const asOf = may('employees:read') ? get('as_of') : ''
  const chart = useRead('GET /org_chart', asOf ? { query: { as_of: asOf } } : {}, {
    kinds: ['employees', 'employee_positions', 'departments', 'locations'],
    keepPrevious: true,
  })
  const whole = chart.answer?.data
  if (whole) return <Organisation chart={whole} isStale={chart.isPlaceholderData} />
  if (!chart.error) return <Waiting title={t('title')} />
  return (
    <Page title={t('title')} isWide>
      <Failed error={chart.error} onRetry={() => void chart.refetch()} />
    </Page>
  )
}

const Waiting = ({ title }: { title: string }) => (
  <Page title={title} isWide>
    <Stack gap="sm">
      <Skeleton height={36} />
      <Skeleton className="org-view" />
    </Stack>
  </Page>
)

function Organisation({ chart, isStale }: { chart: OrgChart; isStale: boolean }) {
  const t = useTexts(orgTexts)
  const { day } = useFormats()
  const { get, set } = useFilters()
  const may = useMay()
  const plan = usePlan()
  const handle = useRef<ChartHandle>(null)
  const mayPlan = may('employees:write')
  const isPlanning = mayPlan && get('plan') === '1'
  const isList = get('view') === 'list'
  const by = (get('colour') || 'department') as ColouredBy
  const top = Number(get('top')) || undefined
  const [isReviewing, setReviewing] = useState(false)
  const [moving, setMoving] = useState<number>()

  const { given, tree, moves, moved } = useTrees(chart, top, plan, isPlanning)
  const opening = useOpening(tree, get('open'))
  const { isOpen, open } = opening
  const places = useMemo(() => visiblePlaces(tree, isOpen), [tree, isOpen])
  const abreast = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false }) ? 1 : 4
  const layout = useMemo(() => {
    if (isList) return undefined
    performance.mark('org-layout')
    return layOut(tree, places, abreast)
  }, [tree, places, isList, abreast])
  const { colourOf, legend } = useMemo(() => colouring(chart, tree, by), [chart, tree, by])

  const { selected, isByKey, select, goTo } = useSelection(tree, open, handle)

  const { move } = plan
  const onMove = useCallback(
    (id: number, to: number | null) => {
      handle.current?.keepInPlace(to ?? id)
      if (to !== null) open([to])
      move(id, to)
    },
    [move, open],
  )
  const startPlan = useCallback(() => set({ plan: '1', as_of: plan.day }), [set, plan.day])
  const closePlan = () => {
    setReviewing(false)
    set({ plan: undefined, as_of: undefined })
  }
  const planName = t('plan')
  const actions = useMemo(
    () => (mayPlan && !isPlanning ? [{ name: planName, icon: 'chart' as const, run: startPlan }] : []),
    [mayPlan, isPlanning, startPlan, planName],
  )
  useActions(actions)

  const person = selected === undefined ? undefined : tree.people[tree.placeOf.get(selected) ?? -1]
  const drawing = () => {
    const shown = layout ?? layOut(tree, places, abreast)
    const colour = (place: number) => COLOURS[colourOf(place)] as string
    return { tree, layout: shown, colourOf: colour, title: `${t('title')} · ${day(chart.as_of)}` }
  }

  return (
    <Page
      title={t('title')}
      isWide
      actions={
        <PageActions isList={isList} drawing={drawing} onPlan={mayPlan && !isPlanning ? startPlan : undefined} />
      }
    >
      <Stack gap="sm" className={isStale ? 'org-stale' : undefined} aria-busy={isStale}>
        {isPlanning ? (
          <PlanBar
            plan={plan}
            moves={moves}
            onDay={(next) => {
              plan.setDay(next)
              set({ as_of: next }, { replace: true })
            }}
            onReview={() => setReviewing(true)}
            onClose={closePlan}
          />
        ) : null}
        <Toolbar
          tree={tree}
          by={by}
          day={chart.as_of}
          hasDay={may('employees:read') && !isPlanning}
          onFind={goTo}
          onOpenAll={opening.all}
        />
        <ShownCount chart={chart} tree={tree} isStale={isStale} />
        <ChartOrList
          top={top}
          ref={handle}
          tree={tree}
          places={places}
          layout={layout}
          colourOf={colourOf}
          selected={selected}
          moved={moved}
          isOpen={isOpen}
          onToggle={opening.toggle}
          onSelect={select}
          onMove={isPlanning ? onMove : undefined}
        />
        <LegendOf legend={legend} />
      </Stack>
      {person ? (
        <PersonPanel
          key={person.id}
          person={person}
          chart={chart}
          tree={tree}
          given={given}
          isPlanned={moves.has(person.id)}
          isByKey={isByKey}
          onGoTo={goTo}
          onClose={() => {
            set({ person: undefined }, { replace: true })
            document.querySelector<HTMLElement>(`[data-person="${person.id}"]`)?.focus({ preventScroll: true })
          }}
          onReportTo={mayPlan ? () => setMoving(person.id) : undefined}
        />
      ) : null}
      {moving !== undefined && tree.placeOf.has(moving) ? (
        <ReportTo
          tree={tree}
          person={tree.people[tree.placeOf.get(moving) as number] as Person}
          onClose={() => setMoving(undefined)}
          onChoose={(to) => {
            setMoving(undefined)
            if (!isPlanning) startPlan()
            onMove(moving, to)
          }}
        />
      ) : null}
      {isReviewing && isPlanning ? (
        <Review given={given} planned={tree} plan={plan} moves={moves} onClose={() => setReviewing(false)} />
      ) : null}
    </Page>
  )
}

/** With `layout` it is a chart, without it a list of the same people. */
function ChartOrList(
  props: Omit<ChartProps, 'layout'> & {
    top: number | undefined
    places: readonly number[]
    layout: Layout | undefined
  },
) {
  const { top, places, layout, ...people } = props
  const t = useTexts(orgTexts)
  if (people.tree.people.length === 0) return <Empty icon="chart" title={t('empty')} text={t('emptyText')} />
  // Start with a new chart for another part of the company.
  if (layout) return <Chart key={top ?? 0} layout={layout} {...people} />
  const { tree, colourOf, selected, moved, isOpen, onToggle, onSelect } = people
  return (
    <TreeList
      tree={tree}
      places={places}
      colourOf={colourOf}
      selected={selected}
      moved={moved}
      isOpen={isOpen}
      onToggle={onToggle}
      onSelect={onSelect}
    />
  )
}
