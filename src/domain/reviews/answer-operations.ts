import Type from 'typebox'
import type { Field } from '../../engine/declaration.ts'
import { operation } from '../../engine/operation.ts'
import { pagedAnswer } from '../../engine/page.ts'
import { conflict, type FieldProblem, refuse, wrong } from '../../engine/problem.ts'
import { amend, create, erase } from '../../engine/records.ts'
import { recordId, schemaOf, wrapped, wrappedList } from '../../engine/schema.ts'
import { show, showOne } from '../../engine/shape.ts'
import { numberOf } from './answer-numbers.ts'
import {
  answerAll,
  answerAt,
  authorIn,
  authorOf,
  begun,
  problemsOf,
  questionFor,
  requireSenderBack,
  requireWritable,
  rowFor,
  submit,
} from './answering.ts'
import { answersSeen, group, reviewAnswers } from './answers.ts'
import { requireOpen } from './cycles.ts'
import { oneParticipant, participantAt, reviewParticipants } from './participants.ts'
import { BY_POSITION, pageInOrder, questionsOf, type ReviewQuestion } from './questions.ts'
import { type ReviewParams, reviewAt } from './reviews.ts'

const area = 'review_answers'

/** What the body's schema has said of a field is not said again. */
const isNew =
  (problems: readonly FieldProblem[]) =>
  ({ field }: FieldProblem) =>
    !problems.some((one) => one.field === field)

const placeOf = ({ review_cycle_id, review_id }: ReviewParams) =>
  reviewAnswers.path.replace('{review_cycle_id}', String(review_cycle_id)).replace('{review_id}', String(review_id))

const takes = <T>({ input }: Field<T>) => Type.Optional(Type.Unsafe<T>({ ...input }))
const { text, comment, rating, option } = reviewAnswers.fields
const inputs = { text: takes(text), comment: takes(comment), rating: takes(rating), option: takes(option) }

const review_participant_id = Type.Optional({
  ...recordId('review_participants'),
  description:
    'ID of the participant whose answer it is; yourself by default. Callers with `reviews:write` for all employees can answer for others',
})
const review_question_id = recordId('review_questions')

const ITEM = Type.Object({ review_question_id, ...inputs })
const inReview = Type.Object({ review_cycle_id: recordId('review_cycles'), review_id: recordId('reviews') })
const oneAnswer = Type.Object({
  review_cycle_id: recordId('review_cycles'),
  review_id: recordId('reviews'),
  id: recordId('review_answers'),
})
const ANSWER = wrapped(schemaOf(reviewAnswers.whole))
const conflicts = 'The cycle is not open, its last day is over, or the participant has submitted'

export const reviewAnswerOperations = [
  operation(
    {
      id: 'listReviewAnswers',
      method: 'GET',
      path: reviewAnswers.path,
      summary: 'List review answers',
      note: 'Returns the answers you may see, in the order of the questions. The person reviewed sees the answers when the cycle is finished, with the author only for their own answers and those of their managers; peers and reports stay anonymous.',
      area,
      params: inReview,
      query: BY_POSITION,
      answer: pagedAnswer(schemaOf(reviewAnswers.whole)),
    },
    async ({ db, params, query }) => {
      const review = await reviewAt(db, params)
      const ids = await answersSeen(db, review.id, review.review_cycle_id)
      return { body: await pageInOrder(db, reviewAnswers.whole, ids, query) }
    },
  ),
  operation(
    {
      id: 'getReviewAnswer',
      method: 'GET',
      path: `${reviewAnswers.path}/{id}`,
      summary: 'Get a review answer',
      area,
      params: oneAnswer,
      answer: ANSWER,
    },
    async ({ db, params }) => {
      const { id } = await answerAt(db, params)
      return { body: await showOne(db, reviewAnswers.whole, id) }
    },
  ),
  operation(
    {
      id: 'createReviewAnswer',
      method: 'POST',
      path: reviewAnswers.path,
      summary: 'Answer a review question',
      note: 'A participant has one answer per question. Answering again replaces it, until the participant submits. In the review of yourself, you cannot answer for others.',
      area,
      checksScopeItself: true,
      params: inReview,
      body: Type.Object({ review_participant_id, review_question_id, ...inputs }, { title: 'CreateReviewAnswer' }),
      status: 201,
      answer: ANSWER,
      conflicts,
      gathers: true,
    },
    async ({ db, params, body, problems }) => {
      const review = await reviewAt(db, params)
      if (problems.some(({ field }) => field.startsWith('review_'))) refuse(problems)
      const participant = await authorIn(db, params, body.review_participant_id)
      const question = questionFor(
        await questionsOf(db, review.review_cycle_id),
        body.review_question_id,
        participant,
        problems,
      )
      if (question) problems.push(...problemsOf(question, body).filter(isNew(problems)))
      const known = db.from('review_answers').select('id').where('participant_id', '=', participant.id)
      if (question && (await known.where('review_question_id', '=', question.id).executeTakeFirst()))
        problems.push(
          wrong('review_question_id', 'taken', 'already has an answer of this participant. Update that answer instead'),
        )
      refuse(problems)
      const id = await create(db, reviewAnswers, rowFor(participant, body))
      await begun(db, participant)
      const number = numberOf(db.account, id)
      return { body: await showOne(db, reviewAnswers.whole, id), location: `${placeOf(params)}/${number}` }
    },
  ),
  operation(
    {
      id: 'updateReviewAnswers',
      method: 'PUT',
      path: reviewAnswers.path,
      summary: 'Answer several review questions',
      note: 'All or nothing. Answers that you omit keep their values. With `submit`, the answers of the participant are submitted too. In the review of yourself, you cannot answer for others.',
      area,
      checksScopeItself: true,
      params: inReview,
      body: Type.Object(
        {
          review_participant_id,
          answers: Type.Array(ITEM, {
            maxItems: 100,
            'x-group': group,
            examples: [[{ review_question_id: 1, text: 'Asks for help early when a deadline is at risk' }]],
          }),
          submit: Type.Optional(
            Type.Boolean({ description: 'Whether to also submit all answers of the participant; false by default' }),
          ),
        },
        { title: 'UpdateReviewAnswers' },
      ),
      answer: wrappedList(schemaOf(reviewAnswers.whole)),
      conflicts,
    },
    async ({ db, params, body }) => {
      const review = await reviewAt(db, params)
      const participant = await authorIn(db, params, body.review_participant_id)
      const questions = await questionsOf(db, review.review_cycle_id)
      const ids = await answerAll(db, participant, questions, body.answers)
      if (body.submit) await submit(db, participant, questions)
      return { body: { data: await show(db, reviewAnswers.whole, ids) } }
    },
  ),
  operation(
    {
      id: 'updateReviewAnswer',
      method: 'PUT',
      path: `${reviewAnswers.path}/{id}`,
      summary: 'Update a review answer',
      note: 'Omitted fields keep their values.',
      area,
      checksScopeItself: true,
      params: oneAnswer,
      body: Type.Object(inputs, { title: 'UpdateReviewAnswer' }),
      answer: ANSWER,
      conflicts,
      gathers: true,
    },
    async ({ db, params, body, problems }) => {
      const before = await answerAt(db, params)
      const participant = await authorOf(db, before)
      const questions = await questionsOf(db, before.review_cycle_id)
      const question = questions.find(({ id }) => id === before.review_question_id) as ReviewQuestion
      problems.push(...problemsOf(question, { ...before, ...body }).filter(isNew(problems)))
      await amend(db, reviewAnswers, before, body, { problems })
      await begun(db, participant)
      return { body: await showOne(db, reviewAnswers.whole, before.id) }
    },
  ),
  operation(
    {
      id: 'deleteReviewAnswer',
      method: 'DELETE',
      path: `${reviewAnswers.path}/{id}`,
      summary: 'Delete a review answer',
      area,
      checksScopeItself: true,
      params: oneAnswer,
      conflicts,
    },
    async ({ db, params }) => {
      const before = await answerAt(db, params)
      await authorOf(db, before)
      await erase(db, reviewAnswers, before)
      return {}
    },
  ),
  operation(
    {
      id: 'submitReview',
      method: 'POST',
      path: `${reviewParticipants.path}/{id}/submit`,
      summary: 'Submit the answers of a participant',
      note: 'The participant can do this. Callers with `reviews:write` for all employees can do it for the participant, except in the review of themselves. Submitted answers cannot change until they are returned with `POST …/revise`.',
      area,
      checksScopeItself: true,
      params: oneParticipant,
      answer: wrapped(schemaOf(reviewParticipants.whole)),
      conflicts,
    },
    async ({ db, params }) => {
      const participant = await participantAt(db, params)
      await requireWritable(db, participant)
      await submit(db, participant, await questionsOf(db, participant.review_cycle_id))
      return { body: await showOne(db, reviewParticipants.whole, participant.id) }
    },
  ),
  operation(
    {
      id: 'reviseReview',
      method: 'POST',
      path: `${reviewParticipants.path}/{id}/revise`,
      summary: 'Return submitted answers to a participant',
      note: 'The participant can then change the answers and submit them again. Callers with `reviews:write` for all employees and the managers above the person reviewed can do this, but neither the participant nor the person reviewed can.',
      area,
      checksScopeItself: true,
      params: oneParticipant,
      answer: wrapped(schemaOf(reviewParticipants.whole)),
      conflicts: 'Nothing has been submitted, the cycle is not open, or its last day is over',
    },
    async ({ db, params }) => {
      const participant = await participantAt(db, params)
      await requireSenderBack(db, participant)
      await requireOpen(db, participant.review_cycle_id)
      if (participant.state !== 'submitted')
        throw conflict(
          `This participant is ${participant.state}. Answers can be returned for changes only after the participant has submitted them.`,
        )
      await amend(db, reviewParticipants, participant, { state: 'revising' })
      return { body: await showOne(db, reviewParticipants.whole, participant.id) }
    },
  ),
]
