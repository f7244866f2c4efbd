import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { ActionIcon, Badge, Button, Checkbox, Menu, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useMay, useMayHire } from '../../client/me.ts'
import type { Application } from '../../client/operations.ts'
import { Face } from '../../parts/person.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Link, navigate } from '../../shell/router.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { currentStages, type SeenStages, type Stage } from './moves.ts'
import { hiringTexts } from './texts.ts'

export type CardActions = {
  stages: readonly Stage[]
  selected: SeenStages
  select: (of: Application) => void
  /** `seen`: the stages on screen. An application that somebody else has moved meanwhile is not moved. */
  move: (seen: SeenStages, stageId: number) => void
  disqualify: (ids: readonly number[], name: string) => void
  requalify: (id: number) => void
}

/** An application on the board. Dragging a selected card moves all selected ones. */
export function Card(props: { of: Application; stage: Stage; vacancyId: number; doing: CardActions }) {
  const { of, stage, vacancyId, doing } = props
  const t = useTexts(hiringTexts)
  const { ago, moment } = useFormats()
  const may = useMay()
  const { id, applicant, disqualified_at, disqualify_reason, employee_id, created_at } = of
  const { selected, select } = doing
  const name = applicant.full_name
  const isSettled = Boolean(disqualified_at || employee_id)
  const mayMove = may('recruitment:write') && !isSettled
  const isSelected = selected.has(id)
  const element = useRef<HTMLLIElement>(null)
  const [isDragged, setDragged] = useState(false)
  useEffect(() => {
    if (!element.current || !mayMove) return
    return draggable({
      element: element.current,
      getInitialData: () => ({
        applications: isSelected ? currentStages(vacancyId, selected) : new Map([[id, stage.id]]),
      }),
      onDragStart: () => setDragged(true),
      onDrop: () => setDragged(false),
    })
  }, [id, mayMove, isSelected, selected, stage.id, vacancyId])
  return (
    <li
      ref={element}
      className="board-card"
      data-application={id}
      data-dragged={isDragged || undefined}
      data-selected={isSelected || undefined}
      data-movable={mayMove || undefined}
    >
      <div className="board-card-top">
        <Face of={applicant} size={28} />
        <div className="person-words board-card-words">
          <Link to={`/candidates/${applicant.id}?vacancy=${vacancyId}`} className="person-name" draggable={false}>
            {name}
          </Link>
          <Text
            size="xs"
            c="dimmed"
            truncate
            title={
              disqualified_at ? t('out', { when: moment(disqualified_at) }) : t('applied', { when: moment(created_at) })
            }
          >
            {ago(disqualified_at ?? created_at)}
          </Text>
        </div>
        {mayMove ? (
          <Checkbox
            size="xs"
            data-card-select
            aria-label={t('selectOne', { name })}
            checked={isSelected}
            onChange={() => select(of)}
          />
        ) : null}
        {may('recruitment:write') ? <CardMenu of={of} vacancyId={vacancyId} doing={doing} mayMove={mayMove} /> : null}
      </div>
      {employee_id ? <Badge color="cadre">{t('hired')}</Badge> : null}
      {stage.type === 'hired' && !isSettled ? <NotYetEmployee of={of} vacancyId={vacancyId} /> : null}
      {disqualify_reason ? <Badge color="gray">{disqualify_reason.name}</Badge> : null}
    </li>
  )
}

/** The candidate is in the hired stage, but there is no employee record yet. Users who may create it can do so here. */
function NotYetEmployee({ of: { applicant }, vacancyId }: { of: Application; vacancyId: number }) {
  const t = useTexts(hiringTexts)
  if (!useMayHire()) return <Badge color="yellow">{t('notYetEmployee')}</Badge>
  return (
    <Button
      size="compact-xs"
      variant="light"
      component={Link}
      to={`/candidates/${applicant.id}?vacancy=${vacancyId}&hire=1`}
      aria-label={t('makeEmployeeOf', { name: applicant.full_name })}
      draggable={false}
    >
      {t('makeEmployee')}
    </Button>
  )
}

function CardMenu(props: { of: Application; vacancyId: number; doing: CardActions; mayMove: boolean }) {
  const { of, vacancyId, doing, mayMove } = props
  const { id, applicant, disqualified_at, pipeline_state } = of
  const t = useTexts(hiringTexts)
  const name = applicant.full_name
  const mayHire = useMayHire()
  // Users who may hire do not move candidates to the hired stage: hiring does it.
  const stages = doing.stages.filter(({ id, type }) => !(mayHire && type === 'hired') || id === pipeline_state.id)
  const next = stages.find((stage) => stage.id !== pipeline_state.id)?.id
  const open = (more = '') => navigate(`/candidates/${applicant.id}?vacancy=${vacancyId}${more}`)
  return (
    <Menu position="bottom-end" width={240} shadow="md">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={26} aria-label={t('actionsOf', { name })} data-card-menu>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayMove ? (
          <>
            <Menu.Label>{t('moveTo')}</Menu.Label>
            {stages.map((stage) => (
              <Menu.Item
                key={stage.id}
                disabled={stage.id === pipeline_state.id}
                data-autofocus={stage.id === next || undefined}
                leftSection={<Icon name={stage.id === pipeline_state.id ? 'check' : 'right'} size={14} />}
                onClick={() => doing.move(new Map([[id, pipeline_state.id]]), stage.id)}
              >
                {stage.name}
              </Menu.Item>
            ))}
            <Menu.Divider />
          </>
        ) : null}
        <Menu.Item leftSection={<Icon name="candidate" size={16} />} onClick={() => open()}>
          {t('open')}
        </Menu.Item>
        {mayMove && mayHire ? (
          <Menu.Item leftSection={<Icon name="person" size={16} />} onClick={() => open('&hire=1')}>
            {t('hire')}
          </Menu.Item>
        ) : null}
        {mayMove ? (
          <Menu.Item
            leftSection={<Icon name="close" size={16} />}
            data-card-disqualify
            onClick={() => doing.disqualify([id], name)}
          >
            {t('disqualify')}
          </Menu.Item>
        ) : null}
        {disqualified_at ? (
          <Menu.Item leftSection={<Icon name="undo" size={16} />} onClick={() => doing.requalify(id)}>
            {t('requalify')}
          </Menu.Item>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  )
}
