import type { Reader } from '../../records/reader.ts'
import { countHires } from './hires.ts'

export const STATES = ['drafting', 'opened', 'held', 'closed', 'cancelled', 'archived'] as const
export type VacancyState = (typeof STATES)[number]

/** Vacancies that take nobody any more; one that is drafted or held may still be filled by hand. */
export const takesApplications = (state: VacancyState) => !['closed', 'cancelled', 'archived'].includes(state)

/** Where a vacancy can go from each state. */
export const MOVES: Record<VacancyState, readonly VacancyState[]> = {
  drafting: ['opened'],
  opened: ['held', 'closed', 'cancelled'],
  held: ['opened', 'closed', 'cancelled'],
  closed: ['archived', 'opened'],
  cancelled: ['archived', 'opened'],
  archived: [],
}

/** Where each of the vacancies can go now: one whose places are all filled does not open. */
export async function nextStates(db: Reader, ids: number[]): Promise<Map<number, VacancyState[]>> {
  const rows = (await db.from('vacancies').select(['id', 'state', 'positions']).where('id', 'in', ids).execute()) as {
    id: number
    state: VacancyState
    positions: number
  }[]
  const hires = await countHires(db, ids)
  return new Map(
    rows.map(({ id, state, positions }) => [
      id,
      MOVES[state].filter((next) => next !== 'opened' || (hires.get(id) ?? 0) < positions),
    ]),
  )
}
