import { Button, Group, Menu, SegmentedControl, Select, Text, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { notifyDone } from '../../client/notices.ts'
import type { OrgChart } from '../../client/operations.ts'
import { Filters } from '../../parts/filters.tsx'
import { Icon } from '../../shell/icons.tsx'
import { useFilters } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import type { ColouredBy, Legend } from './colours.ts'
import type { Drawing } from './export.ts'
import { orgTexts } from './texts.ts'
import type { Tree } from './tree.ts'

/** The parts around the chart: search, colours and day above it, the number of people, and the legend below. */

/** Switch between chart and list, export, and start a plan. */
export function PageActions(props: { isList: boolean; drawing: () => Drawing; onPlan: (() => void) | undefined }) {
  const { isList, drawing, onPlan } = props
  const t = useTexts(orgTexts)
  const { set } = useFilters()
  return (
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
      {onPlan ? (
        <Button leftSection={<Icon name="edit" />} onClick={onPlan}>
          {t('plan')}
        </Button>
      ) : null}
    </>
  )
}

export function Toolbar(props: {
  tree: Tree
  by: ColouredBy
  /** The chosen day. */
  day: string
  /** May the user choose another day? */
  hasDay: boolean
  onFind: (id: number) => void
  onOpenAll: (isWanted: boolean) => void
}) {
  const { tree, by, day, hasDay, onFind, onOpenAll } = props
  const t = useTexts(orgTexts)
  const { get, set } = useFilters()
  return (
    <Filters search={<Find tree={tree} onFind={onFind} />} count={['colour', 'as_of'].filter((one) => get(one)).length}>
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
      {hasDay ? (
        <TextInput
          type="date"
          aria-label={t('asOf')}
          value={get('as_of') || day}
          onChange={(event) => set({ as_of: event.currentTarget.value || undefined }, { replace: true })}
        />
      ) : null}
      <Group gap="xs" className="org-openers">
        <Button variant="default" onClick={() => onOpenAll(true)}>
          {t('openAll')}
        </Button>
        <Button variant="default" onClick={() => onOpenAll(false)}>
          {t('closeAll')}
        </Button>
      </Group>
    </Filters>
  )
}

/** How many people are shown, of which day and which part of the company. */
export function ShownCount({ chart, tree, isStale }: { chart: OrgChart; tree: Tree; isStale: boolean }) {
  const t = useTexts(orgTexts)
  const { day } = useFormats()
  const { get, set } = useFilters()
  const top = Number(get('top')) || undefined
  const topPerson = top === undefined ? undefined : chart.people.find(({ id }) => id === top)
  const isOtherDay = chart.as_of !== today()
  // Users who may not see plans see today instead of a later day.
  const asked = get('as_of')
  const isWithheld = !isStale && asked > today() && chart.as_of < asked
  return (
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
  )
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
        // Enter takes the only match, without choosing it in the list.
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

function ExportMenu({ drawing }: { drawing: () => Drawing }) {
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

export function LegendOf({ legend }: { legend: Legend }) {
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
