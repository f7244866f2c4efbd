import { Button, Group, Menu, Paper, SegmentedControl, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useRead } from '../../client/data.ts'
import { useMay } from '../../client/me.ts'
import { notifyDone } from '../../client/notices.ts'
import type { OrgChart } from '../../client/operations.ts'
import { Filters } from '../../parts/filters.tsx'
import { Page } from '../../parts/page.tsx'
import { Face } from '../../parts/person.tsx'
import { Empty, Failed } from '../../parts/states.tsx'
import { PHONE } from '../../parts/table.tsx'
import { useActions } from '../../shell/actions.ts'
import { Icon } from '../../shell/icons.tsx'
import { Link, useFilters } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { Chart, type ChartHandle } from './chart.tsx'
import { COLOURS, type ColouredBy, colouring, type Legend } from './colours.ts'
import { layOut } from './layout.ts'
import { TreeList } from './list.tsx'
import { movesOf, usePlan } from './plan.ts'
import { PlanBar, ReportTo, Review } from './planning.tsx'
import { orgTexts } from './texts.ts'
import { chainOf, type Person, seen, type Tree, treeOf } from './tree.ts'

/** Companies up to this size are shown whole at first; larger ones with the teams of those at the top. */
const SMALL = 150

/** Everybody and whom they report to, on a day; and as it could become. */
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
  const selected = Number(get('person')) || undefined
  const top = Number(get('top')) || undefined
  const [isReviewing, setReviewing] = useState(false)
  const [moving, setMoving] = useState<number>()
  const [isByKey, setByKey] = useState(false)

  const people = useMemo(() => partOf(chart.people, top), [chart, top])
  const given = useMemo(() => treeOf(people), [people])
  const moves = useMemo(() => (isPlanning ? movesOf(plan, people) : new Map()), [isPlanning, plan, people])
  const tree = useMemo(() => (moves.size > 0 ? treeOf(people, moves) : given), [people, moves, given])
  const moved = useMemo(() => new Set(moves.keys()), [moves])

  const opening = useOpening(tree, get('open'))
  const { isOpen } = opening
  const places = useMemo(() => seen(tree, isOpen), [tree, isOpen])
  const abreast = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false }) ? 1 : 4
  const layout = useMemo(() => {
    if (isList) return undefined
    performance.mark('org-layout')
    return layOut(tree, places, abreast)
  }, [tree, places, isList, abreast])
  const { colourOf, legend } = useMemo(() => colouring(chart, tree, by), [chart, tree, by])

  const select = useCallback(
    (id: number, isByKeyboard: boolean) => {
      setByKey(isByKeyboard)
      set({ person: String(id) }, { replace: true })
    },
    [set],
  )
  const { open } = opening
  const goTo = useCallback(
    (id: number) => {
      const place = tree.placeOf.get(id)
      if (place === undefined) return
      open(chainOf(tree, place).map((one) => (tree.people[one] as Person).id))
      setByKey(false)
      set({ person: String(id) })
      handle.current?.flyTo(id)
    },
    [tree, open, set],
  )
  // Whoever comes by a link finds the person, whatever is closed above.
  const arrived = useRef<number>(undefined)
  useEffect(() => {
    if (selected === undefined || arrived.current === selected) return
    arrived.current = selected
    const place = tree.placeOf.get(selected)
    if (place !== undefined) open(chainOf(tree, place).map((one) => (tree.people[one] as Person).id))
  }, [selected, tree, open])

  const { move } = plan
  const onMove = useCallback(
    (id: number, to: number | null) => {
      handle.current?.hold(to ?? id)
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
  const topPerson = top === undefined ? undefined : chart.people.find(({ id }) => id === top)
  const isOtherDay = chart.as_of !== today()
  // For a day to come, those who may not see plans are shown today.
  const asked = get('as_of')
  const isWithheld = !isStale && asked > today() && chart.as_of < asked
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
        <>
          <SegmentedControl
            aria-label={t('view')}
            value={isList ? 'list' : 'chart'}
            onChange={(view) => set({ view: view === 'list' ? 'list' : undefined })}
            data={[
              { value: 'chart', label: t('chart') },
              { value: 'list', label: t('list') },
            ]}
          />
          <ExportMenu drawing={drawing} />
          {mayPlan && !isPlanning ? (
            <Button leftSection={<Icon name="edit" />} onClick={startPlan}>
              {t('plan')}
            </Button>
          ) : null}
        </>
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
        <Filters
          search={<Find tree={tree} onFind={goTo} />}
          count={['colour', 'as_of'].filter((one) => get(one)).length}
        >
          <Select
            aria-label={t('colour')}
            data={[
              { value: 'department', label: t('byDepartment') },
              { value: 'location', label: t('byLocation') },
              { value: 'none', label: t('noColour') },
            ]}
            value={by}
            onChange={(colour) => set({ colour: colour === 'department' ? undefined : (colour ?? undefined) })}
            allowDeselect={false}
          />
          {may('employees:read') && !isPlanning ? (
            <TextInput
              type="date"
              aria-label={t('asOf')}
              value={get('as_of') || chart.as_of}
              onChange={(event) => set({ as_of: event.currentTarget.value || undefined }, { replace: true })}
            />
          ) : null}
          <Group gap="xs" className="org-openers">
            <Button variant="default" onClick={() => opening.all(true)}>
              {t('openAll')}
            </Button>
            <Button variant="default" onClick={() => opening.all(false)}>
              {t('closeAll')}
            </Button>
          </Group>
        </Filters>
        <Group justify="space-between" gap="xs" mih={22}>
          <Text size="sm" c="dimmed" role="status" aria-live="polite">
            {isOtherDay
              ? t('peopleOn', { count: tree.people.length, day: day(chart.as_of) })
              : t('people', { count: tree.people.length })}
            {topPerson ? ` · ${t('partOf', { name: topPerson.name })}` : ''}
            {isWithheld ? ` · ${t('plansHidden', { day: day(asked) })}` : ''}
          </Text>
          {top === undefined ? null : (
            <Button variant="subtle" size="compact-sm" onClick={() => set({ top: undefined })}>
              {t('wholeCompany')}
            </Button>
          )}
        </Group>
        {tree.people.length === 0 ? (
          <Empty icon="chart" title={t('empty')} text={t('emptyText')} />
        ) : isList ? (
          <TreeList
            tree={tree}
            places={places}
            colourOf={colourOf}
            selected={selected}
            moved={moved}
            isOpen={isOpen}
            onToggle={opening.toggle}
            onSelect={select}
          />
        ) : layout ? (
          <Chart
            // Another part of the company is another chart.
            key={top ?? 0}
            ref={handle}
            tree={tree}
            layout={layout}
            colourOf={colourOf}
            selected={selected}
            isOpen={isOpen}
            onToggle={opening.toggle}
            onSelect={select}
            moved={moved}
            onMove={isPlanning ? onMove : undefined}
          />
        ) : null}
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

/** Somebody and all below them: they stand together. */
function partOf(people: readonly Person[], top: number | undefined): readonly Person[] {
  const at = top === undefined ? -1 : people.findIndex(({ id }) => id === top)
  const head = people[at]
  return head ? [{ ...head, manager_id: null }, ...people.slice(at + 1, at + 1 + head.all)] : people
}

/** Who is open: by the size of the company at first, all or none when that was asked for, and whatever was pressed since. */
function useOpening(tree: Tree, asked: string) {
  const { set } = useFilters()
  const [own, setOwn] = useState<ReadonlyMap<number, boolean>>(new Map())
  const isSmall = tree.people.length <= SMALL
  const { depth } = tree
  const isOpen = useCallback(
    (person: Person, place: number) =>
      own.get(person.id) ?? (asked === 'all' || (asked !== 'none' && (isSmall || (depth[place] as number) < 1))),
    [own, asked, isSmall, depth],
  )
  return {
    isOpen,
    toggle: useCallback(
      (id: number) =>
        setOwn((now) => {
          const place = tree.placeOf.get(id)
          const person = place === undefined ? undefined : tree.people[place]
          return person ? new Map(now).set(id, !isOpen(person, place as number)) : now
        }),
      [tree, isOpen],
    ),
    open: useCallback(
      (ids: readonly number[]) =>
        setOwn((now) => {
          const closed = ids.filter((id) => {
            const place = tree.placeOf.get(id)
            const person = place === undefined ? undefined : tree.people[place]
            return person && !(now.get(id) ?? isOpen(person, place as number))
          })
          return closed.length > 0 ? new Map([...now, ...closed.map((id) => [id, true] as const)]) : now
        }),
      [tree, isOpen],
    ),
    all: (isWanted: boolean) => {
      setOwn(new Map())
      set({ open: isWanted ? 'all' : 'none' }, { replace: true })
    },
  }
}

function Find({ tree, onFind }: { tree: Tree; onFind: (id: number) => void }) {
  const t = useTexts(orgTexts)
  const words = useTexts(common)
  const [text, setText] = useState('')
  const data = useMemo(
    () =>
      tree.people.map(({ id, name, position }) => ({
        value: String(id),
        label: position ? `${name}, ${position}` : name,
      })),
    [tree],
  )
  const hits = (typed: string) => {
    const wanted = typed.trim().toLocaleLowerCase()
    return data.filter(({ label }) => label.toLocaleLowerCase().includes(wanted))
  }
  return (
    <Select
      data-page-search
      className="search-box"
      aria-label={t('find')}
      placeholder={t('findHint')}
      leftSection={<Icon name="search" />}
      rightSection={<span />}
      data={data}
      limit={12}
      searchable
      searchValue={text}
      onSearchChange={setText}
      onKeyDown={(event) => {
        // Whoever has typed enough of a name does not have to choose it too.
        if (event.key !== 'Enter' || event.currentTarget.getAttribute('aria-activedescendant')) return
        const hit = text.trim() ? hits(text) : []
        if (hit.length !== 1) return
        event.preventDefault()
        setText('')
        onFind(Number(hit[0]?.value))
      }}
      value={null}
      onChange={(id) => {
        setText('')
        if (id) onFind(Number(id))
      }}
      nothingFoundMessage={words('nothingFound')}
    />
  )
}

function ExportMenu({ drawing }: { drawing: () => import('./export.ts').Drawing }) {
  const t = useTexts(orgTexts)
  const [isBusy, setBusy] = useState(false)
  const save = async (kind: 'png' | 'pdf') => {
    setBusy(true)
    try {
      const { download, pdfOf, pngOf } = await import('./export.ts')
      const own = drawing()
      download(await (kind === 'png' ? pngOf(own) : pdfOf(own)), `org-chart.${kind}`)
      notifyDone(t('exported'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="download" />} loading={isBusy}>
          {t('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void save('png')}>{t('png')}</Menu.Item>
        <Menu.Item onClick={() => void save('pdf')}>{t('pdf')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function LegendOf({ legend }: { legend: Legend }) {
  const t = useTexts(orgTexts)
  const { number } = useFormats()
  if (legend.length === 0) return null
  return (
    <ul className="org-legend" aria-label={t('colour')}>
      {legend.map(({ colour, id, name, count }) => (
        <li key={id ?? -1}>
          <span className={`org-dot org-c${colour}`} />
          {name ?? t(id === null ? 'without' : 'others')} <span className="org-dimmed">{number(count)}</span>
        </li>
      ))}
    </ul>
  )
}

function PersonPanel(props: {
  person: Person
  chart: OrgChart
  tree: Tree
  given: Tree
  isPlanned: boolean
  isByKey: boolean
  onGoTo: (id: number) => void
  onClose: () => void
  onReportTo: (() => void) | undefined
}) {
  const { person, chart, tree, given, isPlanned, isByKey, onGoTo, onClose, onReportTo } = props
  const t = useTexts(orgTexts)
  const words = useTexts(common)
  const may = useMay()
  const { get, set } = useFilters()
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isByKey) panel.current?.focus({ preventScroll: true })
  }, [isByKey])
  const at = (all: Tree, id: number | null) => (id === null ? undefined : all.people[all.placeOf.get(id) ?? -1])
  const manager = at(tree, person.manager_id)
  const before = at(given, at(given, person.id)?.manager_id ?? null)
  const named = (list: readonly { id: number; name: string }[], id: number | null) =>
    list.find((one) => one.id === id)?.name
  const facts = [
    [t('department'), named(chart.departments, person.department_id)],
    [t('location'), named(chart.locations, person.location_id)],
    [t('reports'), person.all > 0 ? t('counts', { direct: person.direct, all: person.all }) : undefined],
  ]
  return (
    <Paper
      ref={panel}
      withBorder
      shadow="md"
      p="md"
      className="org-panel no-print"
      component="section"
      aria-label={person.name}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <Stack gap="sm">
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <Face of={{ full_name: person.name, avatar_url: person.photo }} size={48} />
          <div className="org-panel-words">
            <Text fw={600}>{person.name}</Text>
            <Text size="sm" c="dimmed">
              {person.position}
            </Text>
          </div>
          <Button variant="subtle" color="gray" size="compact-sm" aria-label={words('close')} onClick={onClose}>
            <Icon name="close" size={16} />
          </Button>
        </Group>
        <dl className="org-facts">
          <dt>{t('manager')}</dt>
          <dd>
            {manager ? (
              <Button variant="subtle" size="compact-sm" className="org-manager" onClick={() => onGoTo(manager.id)}>
                {manager.name}
              </Button>
            ) : (
              t('nobody')
            )}
            {isPlanned ? (
              <Text size="xs" c="dimmed">
                {t('wasReporting', { name: before?.name ?? t('nobody') })}
              </Text>
            ) : null}
          </dd>
          {facts.map(([name, value]) =>
            value ? (
              <div key={name} className="org-fact">
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ) : null,
          )}
        </dl>
        <Group gap="xs">
          {may('employees:read') ? (
            <Button variant="default" size="xs" renderRoot={(own) => <Link {...own} to={`/people/${person.id}`} />}>
              {t('openProfile')}
            </Button>
          ) : null}
          {person.all > 0 && get('top') !== String(person.id) ? (
            <Button variant="default" size="xs" onClick={() => set({ top: String(person.id) })}>
              {t('branch')}
            </Button>
          ) : null}
          {onReportTo ? (
            <Button size="xs" onClick={onReportTo}>
              {t('reportTo')}
            </Button>
          ) : null}
        </Group>
      </Stack>
    </Paper>
  )
}
