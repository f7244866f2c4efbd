import Type from 'typebox'
import type { Row } from '../../engine/declaration.ts'
import { get, list, post, remove } from '../../engine/derive.ts'
import { choice, neverBlank, readOnly, reference, timestamp } from '../../engine/field.ts'
import { operation } from '../../engine/operation.ts'
import { canBecome, conflict, type FieldProblem, wrong } from '../../engine/problem.ts'
import { amend, create, erase, find, type Rule } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { recordId, schemaOf, wrapped } from '../../engine/schema.ts'
import { showOne } from '../../engine/shape.ts'
import type { Reader } from '../../records/reader.ts'
import { absences } from './attendance.ts'
import { type ReviewCycle, refuseWhileAnswered, requireUnderWay } from './cycles.ts'
import { kindOf, ROLES } from './review-types.ts'
import { BY_OTHERS, decidableAt, type ReviewParams, reviewAt, reviews, underReview } from './reviews.ts'
import { participantRowPolicy } from './visibility.ts'

const area = 'reviews'

const PARTICIPANT_STATES = ['pending', 'approved', 'started', 'revising', 'rejected', 'submitted'] as const
type ParticipantState = (typeof PARTICIPANT_STATES)[number]

export const reviewParticipants = resource(
  {
    table: 'review_participants',
    one: 'review participant',
    area,
    path: `${reviews.path}/{review_id}/review_participants`,
    rowPolicy: participantRowPolicy,
  },
  {
    review_cycle_id: reference('review_cycles', { required: true, owner: true }),
    review_id: reference('reviews', { required: true, owner: true }),
    employee_id: reference('employees', { required: true, fate: 'stays', note: 'ID of the participating employee' }),
    type: kindOf('ReviewParticipant', ROLES, 'peer'),
    state: neverBlank(
      choice(PARTICIPANT_STATES, {
        default: 'approved',
        note: 'State of the participant. You can send `pending`, `approved` and `rejected`; Cadre sets the others as the participant answers',
      }),
    ),
    submitted_at: readOnly(timestamp({ note: 'When the answers were last submitted' })),
    submitted_by_id: readOnly(
      reference('employees', {
        note: 'ID of the employee who submitted the answers; null if not submitted, or submitted with an API key that belongs to no employee',
      }),
    ),
  },
  ['id', 'employee_id', 'review_id', 'type', 'state', 'submitted_at', 'submitted_by_id', 'created_at', 'updated_at'],
)

export type Participant = Row<typeof reviewParticipants>

export const oneParticipant = Type.Object({
  review_cycle_id: recordId('review_cycles'),
  review_id: recordId('reviews'),
  id: recordId('review_participants'),
})

/** The participant of a path: of those that the caller sees. */
export async function participantAt(db: Reader, params: ReviewParams & { id: number }): Promise<Participant> {
  const { id: review_id } = await reviewAt(db, params)
  return find(db, reviewParticipants, params.id, { review_id })
}

/** How many may take part in one review. */
const MOST_PARTICIPANTS = 100

/** Everybody takes part once; about themselves those who are reviewed, and nobody else. */
const canTakePart =
  (cycle: ReviewCycle, about: number): Rule<typeof reviewParticipants> =>
  async ({ db, after, changes: { employee_id: id }, fail }) => {
    if (!id) return
    const why = (await absences(db, cycle, [id])).get(id)
    if (why) fail('employee_id', why.code, why.message)
    if (after.type === 'self' && id !== about)
      fail('employee_id', 'not_allowed', 'must be the reviewed person when type is self')
    if (after.type && after.type !== 'self' && id === about)
      fail('type', 'not_allowed', 'must be self, because employee_id is the reviewed person')
    const known = db.from('review_participants').select('id').where('review_id', '=', after.review_id)
    if (await known.where('employee_id', '=', id).executeTakeFirst())
      fail('employee_id', 'taken', 'is already a participant of this review')
  }

/** Where somebody who takes part can be moved to; what else happens follows from what they answer. */
const SET: readonly ParticipantState[] = ['pending', 'approved', 'rejected']
const MOVES: Record<ParticipantState, readonly ParticipantState[]> = {
  pending: ['approved', 'rejected'],
  approved: ['pending', 'rejected'],
  started: ['rejected'],
  revising: ['rejected'],
  submitted: ['rejected'],
  rejected: ['approved'],
}

function checkState(state: ParticipantState | null | undefined, problems: FieldProblem[]): void {
  if (state && !SET.includes(state)) problems.push(wrong('state', 'not_allowed', `must be one of ${SET.join(', ')}`))
}

const PARTICIPANT_STATE = Type.Object(
  { state: Type.Optional(Type.Unsafe<ParticipantState>({ type: 'string', enum: [...SET], examples: ['approved'] })) },
  { title: 'UpdateReviewParticipant' },
)

export const reviewParticipantOperations = [
  underReview(list(reviewParticipants)),
  underReview(get(reviewParticipants)),
  post(reviewParticipants, {
    most: MOST_PARTICIPANTS,
    note: `A person can take part once in a review. \`pending\` participants wait for approval. ${BY_OTHERS}`,
    conflicts: `The cycle is closed or finished, or the review already has ${MOST_PARTICIPANTS} participants`,
    async store({ db, body, problems }) {
      const review = await decidableAt(db, body as ReviewParams)
      const cycle = await requireUnderWay(db, review.review_cycle_id)
      checkState(body.state, problems)
      return create(db, reviewParticipants, body, { rules: [canTakePart(cycle, review.employee_id)], problems })
    },
  }),
  operation(
    {
      id: 'updateReviewParticipant',
      method: 'PUT',
      path: `${reviewParticipants.path}/{id}`,
      summary: 'Approve or reject a review participant',
      note: `The answers of a rejected participant are stored, but the results do not include them. ${BY_OTHERS}`,
      area,
      params: oneParticipant,
      body: PARTICIPANT_STATE,
      answer: wrapped(schemaOf(reviewParticipants.whole)),
      conflicts:
        'The participant cannot change from the current state to the one you sent, or the cycle is closed or finished',
    },
    async ({ db, params, body }) => {
      await decidableAt(db, params)
      const before = await participantAt(db, params)
      const { state = before.state } = body
      if (state !== before.state) {
        await requireUnderWay(db, before.review_cycle_id)
        if (!MOVES[before.state].includes(state))
          throw conflict(
            `The participant is ${before.state} and cannot become ${state}. ${canBecome(MOVES[before.state])}`,
          )
        await amend(db, reviewParticipants, before, { state })
      }
      return { body: await showOne(db, reviewParticipants.whole, params.id) }
    },
  ),
  remove(reviewParticipants, {
    note: BY_OTHERS,
    conflicts: 'The cycle is closed or finished, or the participant has answers',
    async store({ db }, before) {
      await decidableAt(db, before)
      await requireUnderWay(db, before.review_cycle_id)
      await refuseWhileAnswered(db, before.review_cycle_id, 'participant_id', before.id)
      await erase(db, reviewParticipants, before)
    },
  }),
]
