import Type from 'typebox'
import type { Query, Reader } from '../../records/reader.ts'
import { type ParticipantRole, ROLES } from './review-types.ts'
import { participantRowPolicy } from './visibility.ts'

/** How far reviews have come, counted from those who take part each time that somebody looks. */

/** Those who were asked to answer: not those who wait to be approved, nor those who were rejected. */
export const ASKED = ['approved', 'started', 'revising', 'submitted']

const FIGURES = { participants: Type.Integer(), submitted: Type.Integer() }
const PART = Type.Object(FIGURES, { title: 'ReviewProgressPart' })

export const PROGRESS = Type.Object(
  { ...FIGURES, self: PART, manager: PART, peer: PART, report: PART },
  {
    title: 'ReviewProgress',
    description: 'Number of participants, and how many of them have submitted; includes only participants you may see',
  },
)

const byState = (db: Reader, via: string, ids: number[]): Query =>
  db
    .from('review_participants')
    .where(`review_participants.${via}`, 'in', ids)
    .where('review_participants.state', 'in', ASKED)

/** Figures for each of the cycles or reviews that the participants name. */
export const progressBy = (via: 'review_cycle_id' | 'review_id') => async (db: Reader, ids: number[]) => {
  const asked = byState(db, via, ids)
  const known = participantRowPolicy.seesAll(db.caller) ? asked : participantRowPolicy.narrow(asked, db)
  const rows = await known
    .select([`review_participants.${via} as of`, 'type', 'state', (eb) => eb.fn.countAll().as('n')])
    .groupBy([`review_participants.${via}`, 'type', 'state'])
    .execute()
  const own = Map.groupBy(rows, (row) => row.of as number)
  return new Map(ids.map((id) => [id, figuresOf(own.get(id) ?? [])]))
}

type ParticipantCount = { type: ParticipantRole; state: string; n: number | string }

function figuresOf(rows: readonly any[]) {
  const count = (some: readonly ParticipantCount[]) => some.reduce((sum, { n }) => sum + Number(n), 0)
  const figures = (some: readonly ParticipantCount[]) => ({
    participants: count(some),
    submitted: count(some.filter(({ state }) => state === 'submitted')),
  })
  return {
    ...figures(rows),
    ...Object.fromEntries(ROLES.map((role) => [role, figures(rows.filter(({ type }) => type === role))])),
  }
}

export const REVIEW_STATES = ['not_started', 'partially_submitted', 'submitted', 'shared'] as const
type ReviewState = (typeof REVIEW_STATES)[number]

/** Where reviews stand: it follows from all who take part, as far as the caller may know them, and from whether the results of the cycle are shared. */
export async function loadReviewStates(db: Reader, ids: number[]): Promise<Map<number, ReviewState>> {
  const shared = await db
    .from('reviews')
    .innerJoin('review_cycles as cycle', (on) =>
      on.onRef('cycle.account_id', '=', 'reviews.account_id').onRef('cycle.id', '=', 'reviews.review_cycle_id'),
    )
    .select('reviews.id')
    .where('reviews.id', 'in', ids)
    .where('cycle.state', '=', 'finished')
    .execute()
  // To the one reviewed, that somebody nameless has handed in would tell when, and so whom.
  const all = byState(db, 'review_id', ids)
  const known = participantRowPolicy.seesAll(db.caller) ? all : participantRowPolicy.narrow(all, db)
  const rows = await known.select(['review_id', 'review_participants.state']).execute()
  const asked = Map.groupBy(rows, (row) => row.review_id as number)
  const isShared = new Set(shared.map((row) => row.id))
  return new Map(ids.map((id) => [id, isShared.has(id) ? 'shared' : stateOf(asked.get(id) ?? [])]))
}

function stateOf(asked: readonly any[]): ReviewState {
  const submitted = asked.filter(({ state }) => state === 'submitted').length
  if (submitted === 0) return 'not_started'
  return submitted < asked.length ? 'partially_submitted' : 'submitted'
}
