import type { InfiniteData } from '@tanstack/react-query'
import { useState } from 'react'
import { type AnswerOf, type ApiAnswer, call, Problem } from '../../client/client.ts'
import { queries, refresh, useWrite } from '../../client/data.ts'
import { useMayHire } from '../../client/me.ts'
import { notifyFailed, notifyInfo } from '../../client/notices.ts'
import type { Application, VacancyBoard } from '../../client/operations.ts'
import { useTexts } from '../../texts/i18n.ts'
import { hiringTexts } from './texts.ts'

/** Changes of one or many applications on a board. Moves are shown before the service confirms them. */

export const LIST = 'GET /recruitment/vacancies/{vacancy_id}/applications'
export type Stage = VacancyBoard['stages'][number]
type Column = InfiniteData<ApiAnswer<AnswerOf<typeof LIST>>, number>
type BoardQuery = { params?: { vacancy_id?: number }; query?: { stage_id?: number } }

/** Applications, and the stage in which the user saw each. */
export type SeenStages = ReadonlyMap<number, number>

/** The applications on the board. */
export const shownOn = (vacancyId: number): Application[] =>
  queries
    .getQueriesData<Column>({ queryKey: [LIST], type: 'active' })
    .filter(([key]) => (key[1] as BoardQuery).params?.vacancy_id === vacancyId)
    .flatMap(([, kept]) => kept?.pages ?? [])
    .flatMap(({ body }) => body.data)

/** The current stage of each application on the board. One that is no longer on it keeps its earlier stage. */
export function currentStages(vacancyId: number, before: SeenStages): SeenStages {
  const now = new Map(shownOn(vacancyId).map(({ id, pipeline_state }) => [id, pipeline_state.id]))
  return new Map([...before].map(([id, stageId]) => [id, now.get(id) ?? stageId]))
}

/** Moves applications to the top of another column in the cache. Returns a function that reverts it. */
function moveInCache(vacancyId: number, ids: ReadonlySet<number>, stage: Stage): () => void {
  const before = queries
    .getQueriesData<Column>({ queryKey: [LIST] })
    .filter(([key, kept]) => kept?.pages && (key[1] as BoardQuery).params?.vacancy_id === vacancyId)
  const all = before.flatMap(([, kept]) => kept?.pages ?? []).flatMap(({ body }) => body.data)
  const moved = new Map(all.filter(({ id }) => ids.has(id)).map((one) => [one.id, one]))
  const arrived = [...moved.values()].map((one) => ({ ...one, pipeline_state: { id: stage.id, name: stage.name } }))
  for (const [key, kept] of before) {
    if (!kept) continue
    const isTarget = (key[1] as BoardQuery).query?.stage_id === stage.id
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

/** Moves the focus back to a card after it has changed columns. */
function focusCard(id: number | undefined, tries = 10): void {
  requestAnimationFrame(() => {
    const button = document.querySelector<HTMLElement>(`[data-application="${id}"] [data-card-menu]`)
    button?.focus()
    if (!button && tries > 0) focusCard(id, tries - 1)
  })
}

export function useMoves(vacancyId: number, stages: readonly Stage[]) {
  const t = useTexts(hiringTexts)
  const mayHire = useMayHire()
  // Announced to screen readers.
  const [said, setSaid] = useState('')
  const touches = ['movements', 'candidates']
  const nameIn = (data: readonly Application[]) => data[0]?.applicant.full_name ?? ''
  const params = { vacancy_id: vacancyId }
  const many = useWrite('PUT /recruitment/vacancies/{vacancy_id}/applications/bulk/move', {
    touches,
    isQuiet: true,
    done: ({ data }, { body }) => {
      const stage = data[0]?.pipeline_state.name ?? ''
      const text =
        data.length === 1 ? t('moved', { name: nameIn(data), stage }) : t('movedMany', { count: data.length, stage })
      const isHire = stages.some(({ id, type }) => id === body.pipeline_stage_id && type === 'hired')
      const whole = isHire && !mayHire ? `${text}. ${t('hireWaits')}` : text
      setSaid(whole)
      return whole
    },
    optimistic: ({ body }) => {
      const stage = stages.find(({ id }) => id === body.pipeline_stage_id)
      return stage ? moveInCache(vacancyId, new Set(body.application_ids), stage) : () => undefined
    },
  })
  const back = useWrite('POST /recruitment/vacancies/{vacancy_id}/applications/{id}/requalify', {
    touches,
    done: ({ data }) => t('requalified', { name: data.applicant.full_name }),
  })
  /** Explains a conflict: the candidate's name and current stage. */
  const explain = async (error: unknown, seen: SeenStages) => {
    refresh(['applications'])
    if (!(error instanceof Problem && error.status === 409)) return notifyFailed(error)
    for (const [id, stageId] of seen) {
      const route = 'GET /recruitment/vacancies/{vacancy_id}/applications/{id}'
      const found = await call(route, { params: { ...params, id } }).catch(() => undefined)
      if (!found) continue
      const { applicant, disqualified_at, employee_id, pipeline_state } = found.body.data
      const name = applicant.full_name
      if (disqualified_at) return notifyInfo(t('outMeanwhile', { name }))
      if (employee_id) return notifyInfo(t('hiredMeanwhile', { name }))
      if (pipeline_state.id !== stageId) return notifyInfo(t('movedMeanwhile', { name, stage: pipeline_state.name }))
    }
    notifyFailed(error)
  }
  return {
    said,
    move: (seen: SeenStages, stageId: number) => {
      const from = [...seen].filter(([, stage]) => stage !== stageId)
      if (from.length === 0) return
      const body = {
        application_ids: from.map(([id]) => id),
        from_pipeline_stage_ids: from.map(([, stage]) => stage),
        pipeline_stage_id: stageId,
      }
      many.mutate({ params, body }, { onError: (error) => void explain(error, new Map(from)) })
      focusCard(from[0]?.[0])
    },
    requalify: (id: number) => back.mutate({ params: { ...params, id } }),
  }
}
