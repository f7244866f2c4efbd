import type { Sent } from '../../engine/declaration.ts'
import { conflict, type FieldProblem, forbidden, refuse, within, wrong } from '../../engine/problem.ts'
import { amend, attempt, find, insertAll, rowsOf, storeChanges } from '../../engine/records.ts'
import { isSelf } from '../../records/caller.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { idOf } from './answer-numbers.ts'
import { type ReviewAnswer, reviewAnswers } from './answers.ts'
import { requireOpen } from './cycles.ts'
import { type Participant, reviewParticipants } from './participants.ts'
import type { ReviewQuestion } from './questions.ts'
import { type ReviewParams, requireAboutOther, reviewAt, reviews } from './reviews.ts'
import { administers } from './visibility.ts'

/** Writing answers: by whom, when, and what a question takes. */

export type AnswerInput = {
  text?: string | null
  comment?: string | null
  rating?: number | null
  option?: string | null
}

/** What each kind of question takes. */
const TAKEN: Record<ReviewQuestion['type'], { value: keyof AnswerInput; beside: (keyof AnswerInput)[] }> = {
  text: { value: 'text', beside: [] },
  scale: { value: 'rating', beside: ['comment'] },
  choice: { value: 'option', beside: ['comment'] },
}

const VALUES = ['text', 'comment', 'rating', 'option'] as const

/** What is wrong with an answer to a question. */
export function problemsOf(question: ReviewQuestion, given: AnswerInput): FieldProblem[] {
  const { value, beside } = TAKEN[question.type]
  const isThere = (name: keyof AnswerInput) => given[name] !== null && given[name] !== undefined && given[name] !== ''
  const found = VALUES.filter((name) => isThere(name) && name !== value && !beside.includes(name)).map((name) =>
    wrong(name, 'not_allowed', `is not allowed for a ${question.type} question`),
  )
  if (!isThere(value)) found.push(wrong(value, 'required', `is required for a ${question.type} question`))
  const { scale_min, scale_max, options } = question
  const { rating, option } = given
  if (
    question.type === 'scale' &&
    typeof rating === 'number' &&
    !(rating >= (scale_min ?? 0) && rating <= (scale_max ?? 0))
  )
    found.push(wrong('rating', 'out_of_range', `must be from ${scale_min} to ${scale_max}`))
  if (question.type === 'choice' && isThere('option') && !options.includes(option as string))
    found.push(wrong('option', 'not_allowed', `must be one of ${options.join(', ')}`))
  return found
}

/** The states in which somebody can still write. */
export const WRITING: readonly Participant['state'][] = ['approved', 'started', 'revising']

/** Whoever writes is the participant, or administers reviews and acts for them, but not about themselves. */
export function requireAuthorAbout(db: Reader, author: number, about: number): void {
  if (author !== about) requireAboutOther(db, about)
  if (author !== db.caller.personId && !administers(db.caller))
    throw forbidden('Only the participant or a review administrator may write and submit these answers.')
}

export async function requireWritable(db: Reader, participant: Participant): Promise<void> {
  const { employee_id: about } = await find(db, reviews, participant.review_id)
  requireAuthorAbout(db, participant.employee_id, about)
  await requireOpen(db, participant.review_cycle_id)
  if (!WRITING.includes(participant.state))
    throw conflict(
      `The state of this participant is ${participant.state}, so answers cannot be written or changed. It must be ${WRITING.slice(0, -1).join(', ')} or ${WRITING.at(-1)}.`,
    )
}

/** For whom answers are written: whom the body names, or else the caller's own part in the review. */
export async function authorIn(db: Reader, params: ReviewParams, named: number | undefined): Promise<Participant> {
  const review = await reviewAt(db, params)
  const part = db.from('review_participants').where('review_id', '=', review.id)
  const own = part.where('employee_id', '=', db.caller.personId ?? 0)
  const mine =
    named === undefined ? own : administers(db.caller) ? part.where('id', '=', named) : own.where('id', '=', named)
  const [found] = await rowsOf(reviewParticipants, mine)
  if (!found && named === undefined)
    refuse([wrong('review_participant_id', 'required', 'is required, because you do not take part in this review')])
  if (!found)
    refuse([
      wrong(
        'review_participant_id',
        'not_found',
        'must be the id of a participant of this review for which you may answer',
      ),
    ])
  const participant = found as Participant
  await requireWritable(db, participant)
  return participant
}

/** The question of an answer, if it is asked of those who take part in this way. */
export function questionFor(
  questions: readonly ReviewQuestion[],
  id: number,
  { type }: Participant,
  problems: FieldProblem[],
) {
  const question = questions.find((one) => one.id === id)
  if (question?.participant_types.includes(type)) return question
  const why = question
    ? `is not a question for participants of type ${type}`
    : 'must be the id of a question of this cycle'
  problems.push(wrong('review_question_id', question ? 'not_allowed' : 'not_found', why))
  return undefined
}

export const begun = async (db: Writer, participant: Participant) => {
  if (participant.state === 'approved') await amend(db, reviewParticipants, participant, { state: 'started' })
}

/** The answer of a path: of those that the caller sees. */
export async function answerAt(db: Reader, params: ReviewParams & { id: number }): Promise<ReviewAnswer> {
  const { id: review_id } = await reviewAt(db, params)
  return find(db, reviewAnswers, idOf(db.account, params.id), { review_id })
}

/** Whose answer it is, if they can still change it. */
export async function authorOf(db: Reader, answer: ReviewAnswer): Promise<Participant> {
  const [participant] = await rowsOf(
    reviewParticipants,
    db.from('review_participants').where('id', '=', answer.participant_id),
  )
  await requireWritable(db, participant as Participant)
  return participant as Participant
}

/** What must be answered by a participant and is not. */
export const missingOf = ({ type }: Participant, questions: readonly ReviewQuestion[], answered: ReadonlySet<number>) =>
  questions.filter(
    ({ id, required, participant_types }) => required && participant_types.includes(type) && !answered.has(id),
  )

/** Hands in what somebody has answered: nothing that must be answered may be missing. */
export async function submit(
  db: Writer,
  participant: Participant,
  questions: readonly ReviewQuestion[],
): Promise<void> {
  const rows = await db
    .from('review_answers')
    .select('review_question_id')
    .where('participant_id', '=', participant.id)
    .execute()
  const missing = missingOf(participant, questions, new Set(rows.map((row) => row.review_question_id)))
  refuse(missing.map(({ id }) => wrong('answers', 'required', `must contain an answer to question ${id}`)))
  const [now] = await rowsOf(reviewParticipants, db.from('review_participants').where('id', '=', participant.id))
  await amend(db, reviewParticipants, now as Participant, {
    state: 'submitted',
    submitted_at: db.now,
    submitted_by_id: db.caller.personId,
  })
}

/** Whether somebody has to go on is for others to say. */
export function requireOthersPart(db: Reader, author: number): void {
  if (isSelf(db, author)) throw forbidden('You cannot send back your own answers. Somebody else has to do it.')
}

/** Who administers reviews or is above the one reviewed may send back, but nobody their own. */
export async function requireSenderBack(db: Reader, participant: Participant): Promise<void> {
  const { caller } = db
  requireAboutOther(db, (await find(db, reviews, participant.review_id)).employee_id)
  requireOthersPart(db, participant.employee_id)
  // Whoever else sees the participant is one above.
  if (!administers(caller) && caller.personId === null)
    throw forbidden('Only a review administrator or a manager of the reviewed person may send answers back.')
}

/** Stores answers to questions, each new or over the one that is there. */
export async function answerAll(
  db: Writer,
  participant: Participant,
  questions: readonly ReviewQuestion[],
  sent: readonly (AnswerInput & { review_question_id: number })[],
): Promise<number[]> {
  const problems: FieldProblem[] = []
  const known = new Map(
    (await rowsOf(reviewAnswers, db.from('review_answers').where('participant_id', '=', participant.id))).map((row) => [
      row.review_question_id,
      row,
    ]),
  )
  const seenBefore = new Set<number>()
  for (const [index, one] of sent.entries()) {
    const found: FieldProblem[] = []
    const question = questionFor(questions, one.review_question_id, participant, found)
    if (seenBefore.has(one.review_question_id))
      found.push(wrong('review_question_id', 'taken', 'occurs more than once'))
    seenBefore.add(one.review_question_id)
    if (question) found.push(...problemsOf(question, { ...known.get(question.id), ...one }))
    problems.push(...within(`answers[${index}]`, found))
  }
  refuse(problems)
  const fresh = sent.filter((one) => !known.has(one.review_question_id))
  const changed = sent.flatMap((one) => {
    const before = known.get(one.review_question_id)
    return before ? [attempt(db, reviewAnswers, before, one)] : []
  })
  await storeChanges(db, reviewAnswers, changed)
  const made = fresh.map((one) => attempt(db, reviewAnswers, null, rowFor(participant, one)).after)
  const ids = await insertAll(db, reviewAnswers, made)
  if (sent.length > 0) await begun(db, participant)
  const idOfNew = new Map(fresh.map((one, index) => [one.review_question_id, ids[index] as number]))
  return sent.map((one) => known.get(one.review_question_id)?.id ?? (idOfNew.get(one.review_question_id) as number))
}

export const rowFor = (participant: Participant, given: Sent<typeof reviewAnswers>) => ({
  ...given,
  review_cycle_id: participant.review_cycle_id,
  review_id: participant.review_id,
  participant_id: participant.id,
})
