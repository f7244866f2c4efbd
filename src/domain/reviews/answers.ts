import Type from 'typebox'
import type { Row } from '../../engine/declaration.ts'
import { derived, hidden, integer, loadedTogether, longText, orNull, reference, text } from '../../engine/field.ts'
import { byId } from '../../engine/join.ts'
import { whereVisible } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import type { Reader } from '../../records/reader.ts'
import { idOf, numberOf } from './answer-numbers.ts'
import { questionsOf } from './questions.ts'
import { longName, ROLES } from './review-types.ts'
import { reviews } from './reviews.ts'
import { answerRowPolicy, withKnownAuthor } from './visibility.ts'

/** What was answered, as those see it who may. Whatever hands out answers does so in this shape and through this sight. */

const area = 'review_answers'

/** What people write about others. */
export const group = 'notes'

export const reviewAnswers = resource(
  {
    table: 'review_answers',
    one: 'review answer',
    area,
    path: `${reviews.path}/{review_id}/answers`,
    rowPolicy: answerRowPolicy,
    numbers: { numberOf, idOf },
  },
  {
    review_cycle_id: reference('review_cycles', { required: true, owner: true }),
    review_id: reference('reviews', { required: true, owner: true }),
    participant_id: hidden(reference('review_participants', { required: true, owner: true })),
    number: derived(
      Type.Integer({
        description:
          'ID of the answer. IDs are not in the order of creation, so that they reveal neither the author nor the time',
        examples: [1],
      }),
      ['id'],
      ({ id }, db) => numberOf(db.account, id),
      { as: 'id' },
    ),
    ...loadedTogether(
      {
        review_participant_id: () =>
          orNull(Type.Integer({ description: 'ID of the participant who answered; null if you may not see it' })),
        type: () => Type.Unsafe({ type: 'string', enum: ROLES.map((role) => longName('ReviewAnswer', role)) }),
      },
      loadAuthors,
    ),
    review_question_id: reference('review_questions', { required: true, owner: true }),
    text: longText({
      nullable: true,
      group,
      note: 'Answer to a question of type `text`',
      example: 'Asks for help early when a deadline is at risk',
    }),
    comment: longText({
      nullable: true,
      group,
      note: 'Comment on the rating or option; not for questions of type `text`',
    }),
    rating: integer({
      min: 0,
      max: 100,
      group,
      note: 'Answer to a question of type `scale`: a number from `scale_min` to `scale_max` of the question',
    }),
    option: text({ group, note: 'Answer to a question of type `choice`: one of the `options` of the question' }),
  },
  // Without times: they would tell who wrote it.
  ['number', 'review_participant_id', 'type', 'review_question_id', 'text', 'comment', 'rating', 'option'],
)

export type ReviewAnswer = Row<typeof reviewAnswers>

type Author = { review_participant_id: number | null; type: string }

/** In which way the authors of answers take part, and who they are if the caller may know. */
async function loadAuthors(db: Reader, ids: number[]): Promise<Map<number, Author>> {
  const some = () => db.from('review_answers').where('review_answers.id', 'in', ids)
  const known = await withKnownAuthor(some(), db).select(['review_answers.id', 'participant_id']).execute()
  const authors = new Map(known.map((row) => [row.id, row.participant_id]))
  const types = await some()
    .innerJoin('review_participants as author', byId('author', 'review_answers.participant_id'))
    .select(['review_answers.id', 'author.type'])
    .execute()
  return new Map(
    types.map(({ id, type }) => [
      id,
      { review_participant_id: authors.get(id) ?? null, type: longName('ReviewAnswer', type) },
    ]),
  )
}

/** The answers of a review that the caller sees, in an order that tells nothing of their authors. */
export async function answersSeen(db: Reader, reviewId: number, cycleId: number): Promise<number[]> {
  const all = db.from('review_answers').where('review_answers.review_id', '=', reviewId)
  const rows = await whereVisible(reviewAnswers, all, db).select(['review_answers.id', 'review_question_id']).execute()
  const places = new Map((await questionsOf(db, cycleId)).map(({ id }, place) => [id, place]))
  return rows
    .map((row) => ({
      id: row.id,
      place: places.get(row.review_question_id) ?? 0,
      number: numberOf(db.account, row.id),
    }))
    .sort((one, other) => one.place - other.place || one.number - other.number)
    .map(({ id }) => id)
}
