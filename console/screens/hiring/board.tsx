import { Button, Group, Menu, SegmentedControl, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useCallback, useMemo, useState } from 'react'
import type { QueryOf } from '../../client/client.ts'
import { useRead } from '../../client/data.ts'
import { useMay, useMayHire } from '../../client/me.ts'
import { notifyInfo } from '../../client/notices.ts'
import type { Application, Vacancy, VacancyBoard } from '../../client/operations.ts'
import { RecordSelect } from '../../parts/fields.tsx'
import { Filters } from '../../parts/filters.tsx'
import { Page } from '../../parts/page.tsx'
import { nameOf } from '../../parts/person.tsx'
import { SearchBox } from '../../parts/search.tsx'
import { Loading, WhenLoaded } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { useShortcuts } from '../../shell/keys.ts'
import { useFilters } from '../../shell/router.tsx'
import type { ScreenProps } from '../../shell/screens.ts'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/i18n.ts'
import { AllVacancies, VacancyActions, VacancyParts } from './actions.tsx'
import { AddCandidate } from './add.tsx'
import type { CardActions } from './card.tsx'
import { Column } from './column.tsx'
import { Disqualify } from './disqualify.tsx'
import { Hire } from './hire.tsx'
import { currentStages, type LIST, type SeenStages, shownOn, useMoves } from './moves.ts'
import { VacancyState } from './page.tsx'
import { hiringTexts } from './texts.ts'

/** A vacancy as a board: a column per stage with its candidates. The address keeps the filters. */
export default function BoardPage({ params }: ScreenProps) {
  const id = Number(params.id)
  const t = useTexts(hiringTexts)
  const may = useMay()
  const vacancy = useRead('GET /recruitment/vacancies/{id}', { params: { id } }, { kinds: ['hires'] })
  const board = useRead(
    'GET /recruitment/vacancies/{vacancy_id}/pipeline',
    { params: { vacancy_id: id } },
    { kinds: ['applications', 'pipelines', 'pipeline_stages'] },
  )
  const [isAdding, setAdding] = useState(false)
  const shown = vacancy.answer?.data
  return (
    <Page
      title={shown?.title ?? t('title')}
      isWide
      before={<AllVacancies />}
      actions={
        shown ? (
          <>
            {may('recruitment:write') && shown.takes_applications ? (
              <Button leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
                {t('add')}
              </Button>
            ) : null}
            <VacancyActions of={shown} etag={vacancy.etag} />
          </>
        ) : null
      }
    >
      <WhenLoaded of={vacancy} loading={<Loading rows={8} height={56} />}>
        {({ data }) => (
          <Stack gap="sm">
            <VacancyParts id={id} at="board" />
            <About vacancy={data} />
            <WhenLoaded of={board} loading={<Loading rows={8} height={56} />}>
              {({ data: figures }) => <Board vacancy={data} figures={figures} />}
            </WhenLoaded>
          </Stack>
        )}
      </WhenLoaded>
      {isAdding && shown ? <AddCandidate vacancyId={shown.id} onClose={() => setAdding(false)} /> : null}
    </Page>
  )
}

function About({ vacancy }: { vacancy: Vacancy }) {
  const t = useTexts(hiringTexts)
  const { department, location, hiring_lead, hires_count, positions } = vacancy
  return (
    <Group gap="sm" className="board-about">
      <VacancyState state={vacancy.state} />
      <Text size="sm" c="dimmed">
        {[
          department.name,
          location.name,
          `${t('lead')}: ${nameOf(hiring_lead)}`,
          t('hiredSoFar', { hired: hires_count, count: positions }),
        ].join(' · ')}
      </Text>
    </Group>
  )
}

/** Finds an element in the focused card. */
const inFocus = (part: string) =>
  document.activeElement?.closest('[data-application]')?.querySelector<HTMLElement>(part) ?? undefined

const STEPS: Record<string, [number, number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}

/**
 * Arrow keys move the focus between cards: up and down within a column, left and right to the next column with cards.
 */
function step(event: React.KeyboardEvent<HTMLElement>): void {
  const wanted = STEPS[event.key]
  const card = (event.target as HTMLElement).closest<HTMLElement>('[data-application]')
  // Menus are elsewhere in the document, but React sends their key events here.
  if (!wanted || !card || !event.currentTarget.contains(card)) return
  const [aside, down] = document.dir === 'rtl' ? [-wanted[0], wanted[1]] : wanted
  const columns = [...event.currentTarget.querySelectorAll('.board-column')]
    .map((column) => [...column.querySelectorAll<HTMLElement>('[data-application]')])
    .filter((cards) => cards.length > 0)
  const column = columns.findIndex((cards) => cards.includes(card))
  const row = columns[column]?.indexOf(card) ?? 0
  const cards = columns[column + aside] ?? []
  const next = aside === 0 ? columns[column]?.[row + down] : cards[Math.min(row, cards.length - 1)]
  if (!next) return
  event.preventDefault()
  next.querySelector<HTMLElement>('a')?.focus()
}

function Board({ vacancy, figures }: { vacancy: Vacancy; figures: VacancyBoard }) {
  const t = useTexts(hiringTexts)
  const words = useTexts(common)
  const may = useMay()
  const mayHire = useMayHire()
  const { get, set } = useFilters()
  const { stages } = figures
  const isOut = get('show') === 'disqualified'
  const [selected, setSelected] = useState<SeenStages>(new Map())
  const [hiring, setHiring] = useState<Application>()
  const [leaving, setLeaving] = useState<{ ids: readonly number[]; name: string }>()
  const { said, move: send, requalify } = useMoves(vacancy.id, stages)
  const clear = useCallback(() => setSelected(new Map()), [])
  const move = (seen: SeenStages, stageId: number) => {
    const isHire = mayHire && stages.some(({ id, type }) => id === stageId && type === 'hired')
    const hired = isHire ? [...seen.keys()].filter((id) => seen.get(id) !== stageId) : []
    clear()
    if (hired.length > 1) return notifyInfo(t('hireOneByOne'))
    if (hired.length === 1) return setHiring(shownOn(vacancy.id).find(({ id }) => id === hired[0]))
    send(seen, stageId)
  }
  const doing: CardActions = {
    stages,
    selected,
    select: ({ id, pipeline_state }) =>
      setSelected((before) => {
        const next = new Map(before)
        if (!next.delete(id)) next.set(id, pipeline_state.id)
        return next
      }),
    move,
    disqualify: (ids, name) => setLeaving({ ids, name }),
    requalify,
  }
  const query = useMemo(
    () =>
      ({
        disqualified: isOut,
        sort: '-updated_at',
        ...(get('q') ? { q: get('q') } : {}),
        ...(get('source_id') ? { source_id: Number(get('source_id')) } : {}),
        ...(get('tag_id') ? { 'tag_ids[]': [Number(get('tag_id'))] } : {}),
      }) as QueryOf<typeof LIST>,
    [isOut, get],
  )
  useShortcuts(
    may('recruitment:write')
      ? [
          { keys: 'm', text: t('keyMove'), run: () => inFocus('[data-card-menu]')?.click() },
          { keys: 'x', text: t('keySelect'), run: () => inFocus('[data-card-select]')?.click() },
        ]
      : [],
  )
  const reference = (name: string, table: string, label: string, placeholder: string) => (
    <RecordSelect
      table={table}
      aria-label={label}
      placeholder={placeholder}
      value={Number(get(name)) || null}
      onChange={(id) => set({ [name]: id === null ? undefined : String(id) })}
    />
  )
  return (
    <>
      <Filters
        search={<SearchBox label={t('searchPeople')} />}
        count={['source_id', 'tag_id'].filter((one) => get(one)).length}
      >
        {reference('source_id', 'sources', t('source'), t('anySource'))}
        {reference('tag_id', 'recruitment_tags', t('tag'), t('anyTag'))}
      </Filters>
      <Group justify="space-between" gap="sm" mih={36}>
        <SegmentedControl
          aria-label={t('which')}
          value={isOut ? 'disqualified' : 'running'}
          onChange={(next) => {
            clear()
            set({ show: next === 'disqualified' ? next : undefined })
          }}
          data={[
            { value: 'running', label: t('running', { count: figures.qualified_applications_count }) },
            { value: 'disqualified', label: t('disqualified', { count: figures.disqualified_applications_count }) },
          ]}
        />
        {selected.size > 0 ? (
          <Group gap="xs">
            <Text size="sm" role="status">
              {words('selected', { count: selected.size })}
            </Text>
            <Menu position="bottom-end" width={220} shadow="md">
              <Menu.Target>
                <Button size="xs">{t('moveTo')}</Button>
              </Menu.Target>
              <Menu.Dropdown>
                {stages.map((stage) => (
                  <Menu.Item key={stage.id} onClick={() => move(currentStages(vacancy.id, selected), stage.id)}>
                    {stage.name}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
            <Button size="xs" variant="default" onClick={() => setLeaving({ ids: [...selected.keys()], name: '' })}>
              {t('disqualify')}
            </Button>
            <Button size="xs" variant="default" onClick={clear}>
              {words('clearSelection')}
            </Button>
          </Group>
        ) : null}
      </Group>
      <VisuallyHidden role="status" aria-live="polite">
        {said}
      </VisuallyHidden>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className="board" aria-label={t('board', { name: vacancy.title })} tabIndex={0} onKeyDown={step}>
        {stages.map((stage) => (
          <Column key={stage.id} stage={stage} vacancyId={vacancy.id} query={query} doing={doing} />
        ))}
      </section>
      {hiring ? (
        <Hire
          name={hiring.applicant.full_name}
          vacancy={vacancy}
          applicationId={hiring.id}
          onClose={() => setHiring(undefined)}
        />
      ) : null}
      {leaving ? (
        <Disqualify
          vacancyId={vacancy.id}
          {...leaving}
          onClose={(isDone) => {
            setLeaving(undefined)
            if (isDone) clear()
          }}
        />
      ) : null}
    </>
  )
}
