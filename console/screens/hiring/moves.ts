import type { InfiniteData } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answered, AnswerOf } from '../../client/client.ts'
import { queries, useWrite } from '../../client/data.ts'
import type { Application, VacancyBoard } from '../../client/operations.ts'
import { useTexts } from '../../texts/i18n.ts'
import { hiringTexts } from './texts.ts'

/** What is done to applications on a board, one or many; a move is seen at once. */

export const LIST = 'GET /recruitment/vacancies/{vacancy_id}/applications'
export type Stage = VacancyBoard['stages'][number]
type Column = InfiniteData<Answered<AnswerOf<typeof LIST>>, number>
type Asked = { params?: { vacancy_id?: number }; query?: { stage_id?: number } }

/** Takes applications out of their columns and puts them to the top of another; gives back how to undo that. */
function moveKept(vacancyId: number, ids: ReadonlySet<number>, stage: Stage): () => void {
  const before = queries
    .getQueriesData<Column>({ queryKey: [LIST] })
    .filter(([key, kept]) => kept?.pages && (key[1] as Asked).params?.vacancy_id === vacancyId)
  const all = before.flatMap(([, kept]) => kept?.pages ?? []).flatMap(({ body }) => body.data)
  const moved = new Map(all.filter(({ id }) => ids.has(id)).map((one) => [one.id, one]))
  const arrived = [...moved.values()].map((one) => ({ ...one, pipeline_state: { id: stage.id, name: stage.name } }))
  for (const [key, kept] of before) {
    if (!kept) continue
    const isTarget = (key[1] as Asked).query?.stage_id === stage.id
    const gone = kept.pages.flatMap(({ body }) => body.data).filter(({ id }) => moved.has(id)).length
    const change = (isTarget ? arrived.length : 0) - gone
    const pages = kept.pages.map((page, index) => {
      const rest = page.body.data.filter(({ id }) => !moved.has(id))
      const data = isTarget && index === 0 ? [...arrived, ...rest] : rest
      const metadata = { ...page.body.metadata, count: page.body.metadata.count + change }
      return { ...page, body: { ...page.body, data, metadata } }
    })
    queries.setQueryData(key, { ...kept, pages })
  }
  return () => {
    for (const [key, kept] of before) queries.setQueryData(key, kept)
  }
}

/** Where the keyboard goes on when the card that had it has gone to another column. */
function focusCard(id: number | undefined, tries = 10): void {
  requestAnimationFrame(() => {
    const button = document.querySelector<HTMLElement>(`[data-application="${id}"] [data-card-menu]`)
    button?.focus()
    if (!button && tries > 0) focusCard(id, tries - 1)
  })
}

export function useMoves(vacancyId: number, stages: readonly Stage[]) {
  const t = useTexts(hiringTexts)
  // Said to those who do not see the cards.
  const [said, setSaid] = useState('')
  const touches = ['movements', 'candidates']
  const nameIn = (data: readonly Application[]) => data[0]?.applicant.full_name ?? ''
  const many = useWrite('PUT /recruitment/vacancies/{vacancy_id}/applications/bulk/move', {
    touches,
    done: ({ data }) => {
      const stage = data[0]?.pipeline_state.name ?? ''
      const text =
        data.length === 1 ? t('moved', { name: nameIn(data), stage }) : t('movedMany', { count: data.length, stage })
      setSaid(text)
      return text
    },
    optimistic: ({ body }) => {
      const stage = stages.find(({ id }) => id === body.pipeline_stage_id)
      return stage ? moveKept(vacancyId, new Set(body.application_ids), stage) : () => undefined
    },
  })
  const back = useWrite('POST /recruitment/vacancies/{vacancy_id}/applications/{id}/requalify', {
    touches,
    done: ({ data }) => t('requalified', { name: data.applicant.full_name }),
  })
  const params = { vacancy_id: vacancyId }
  return {
    said,
    move: (ids: readonly number[], stageId: number) => {
      many.mutate({ params, body: { application_ids: [...ids], pipeline_stage_id: stageId } })
      focusCard(ids[0])
    },
    requalify: (id: number) => back.mutate({ params: { ...params, id } }),
  }
}
