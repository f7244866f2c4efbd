import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { Badge, Button, Group, Skeleton, Text, Title } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { QueryOf } from '../../client/client.ts'
import { usePages } from '../../client/data.ts'
import { Failed } from '../../parts/states.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { Card, type CardActions } from './card.tsx'
import { LIST, type SeenStages, type Stage } from './moves.ts'
import { hiringTexts } from './texts.ts'

const SIZE = 20

/** A stage with its applications. More are loaded on request. */
export function Column(props: { stage: Stage; vacancyId: number; query: QueryOf<typeof LIST>; doing: CardActions }) {
  const { stage, vacancyId, query, doing } = props
  const t = useTexts(hiringTexts)
  const { number } = useFormats()
  const asked = { params: { vacancy_id: vacancyId }, query: { ...query, stage_id: stage.id } }
  const list = usePages(LIST, asked, { size: SIZE, kinds: ['hires'] })
  const element = useRef<HTMLElement>(null)
  const [isOver, setOver] = useState(false)
  const { move } = doing
  useEffect(() => {
    if (!element.current) return
    return dropTargetForElements({
      element: element.current,
      canDrop: ({ source }) => source.data.applications instanceof Map,
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source }) => {
        setOver(false)
        move(source.data.applications as SeenStages, stage.id)
      },
    })
  }, [move, stage.id])
  const total = list.total
  const left = (total ?? 0) - list.items.length
  const heading = `stage-${stage.id}`
  return (
    <section ref={element} className="board-column" aria-labelledby={heading} data-over={isOver || undefined}>
      <Group justify="space-between" wrap="nowrap" className="board-column-head">
        <Title order={2} size="h6" id={heading} className="board-column-name">
          {stage.name}
        </Title>
        <Badge color="gray" className="board-count">
          {total === undefined ? '…' : number(total)}
        </Badge>
      </Group>
      {list.error ? (
        <Failed error={list.error} onRetry={() => void list.refetch()} />
      ) : total === undefined ? (
        <div className="board-cards" aria-busy="true">
          {[0, 1, 2].map((n) => (
            <Skeleton key={n} height={58} radius="md" />
          ))}
        </div>
      ) : (
        <ul className="board-cards" aria-labelledby={heading}>
          {list.items.map((one) => (
            <Card key={one.id} of={one} stage={stage} vacancyId={vacancyId} doing={doing} />
          ))}
        </ul>
      )}
      {total === 0 ? (
        <Text size="sm" c="dimmed" ta="center" py="md">
          {t('columnEmpty')}
        </Text>
      ) : null}
      {left > 0 && list.hasNextPage ? (
        <Button variant="default" size="xs" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('more', { count: left })}
        </Button>
      ) : null}
    </section>
  )
}
