import Type from 'typebox'
import type { Row } from '../../engine/declaration.ts'
import { loaded, reference } from '../../engine/field.ts'
import type { Operation } from '../../engine/operation.ts'
import { forbidden } from '../../engine/problem.ts'
import { find } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { isSelf } from '../../records/caller.ts'
import type { Reader } from '../../records/reader.ts'
import { reviewCycles } from './cycles.ts'
import { loadReviewStates, PROGRESS, progressBy, REVIEW_STATES } from './progress.ts'
import { reviewRowPolicy } from './visibility.ts'

export const reviews = resource(
  {
    table: 'reviews',
    one: 'review',
    area: 'reviews',
    path: `${reviewCycles.path}/{review_cycle_id}/reviews`,
    rowPolicy: reviewRowPolicy,
    about: [{ column: 'employee_id' }],
  },
  {
    review_cycle_id: reference('review_cycles', { required: true, owner: true }),
    employee_id: reference('employees', { required: true, note: 'ID of the person reviewed' }),
    state: loaded(
      Type.Unsafe({
        type: 'string',
        enum: [...REVIEW_STATES],
        description: 'State of the review: how many of its participants have submitted their answers',
      }),
      loadReviewStates,
    ),
    progress: loaded(PROGRESS, progressBy('review_id')),
  },
  ['id', 'employee_id', 'review_cycle_id', 'state', 'progress', 'created_at', 'updated_at'],
)

/** Whether there is a review of somebody, who takes part and what others answer there, is not for themselves to say. */
export function requireAboutOther(db: Reader, employeeId: number): void {
  if (isSelf(db, employeeId)) throw forbidden('You cannot do this in your own review. Somebody else has to do it.')
}

/** What the notes of operations say of that. */
export const BY_OTHERS = 'You cannot do this in a review of yourself.'

export type ReviewParams = { review_cycle_id: number; review_id: number }

/** The review of a path: of those that the caller sees. */
export const reviewAt = (db: Reader, { review_cycle_id, review_id }: ReviewParams): Promise<Row<typeof reviews>> =>
  find(db, reviews, review_id, { review_cycle_id })

/** The review of a path, for those who decide about it. */
export async function decidableAt(db: Reader, params: ReviewParams): Promise<Row<typeof reviews>> {
  const review = await reviewAt(db, params)
  requireAboutOther(db, review.employee_id)
  return review
}

/** What belongs to a review is there only for those who see the review. */
export const underReview = (one: Operation): Operation => ({
  ...one,
  async handle(call) {
    await reviewAt(call.db, call.params)
    return one.handle(call)
  },
})
