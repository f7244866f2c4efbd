import Type, { type Static } from 'typebox'
import type { Row, Sent, Shape } from '../../engine/declaration.ts'
import { get, post, put, remove } from '../../engine/derive.ts'
import { boolean, integer, neverBlank, reference, text, textList } from '../../engine/field.ts'
import { operation } from '../../engine/operation.ts'
import { metadata, PAGING, pagedAnswer, pageIn, sortParameter } from '../../engine/page.ts'
import { amend, create, erase, find, holdTo, type Rule, rowsOf } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { recordId, schemaOf } from '../../engine/schema.ts'
import { show } from '../../engine/shape.ts'
import type { Reader } from '../../records/reader.ts'
import { requireDraft, reviewCycles } from './cycles.ts'
import { kindOf, QUESTION_KINDS, ROLES } from './review-types.ts'

const area = 'reviews'

/** What a review asks of one person must fit into an evening. */
const MOST_QUESTIONS = 100

const DEFAULT_SCALE = { scale_min: 1, scale_max: 5 }

export const reviewQuestions = resource(
  {
    table: 'review_questions',
    one: 'review question',
    area,
    path: '/performance/review_cycles/{review_cycle_id}/questions',
  },
  {
    review_cycle_id: reference('review_cycles', { required: true, owner: true }),
    type: kindOf('ReviewTemplateQuestion', QUESTION_KINDS, 'scale'),
    title: text({ required: true, max: 1000, example: 'How clearly does this person communicate?' }),
    title_self: text({
      max: 1000,
      note: 'Question as shown to the person reviewed; null: the same as `title`',
      example: 'How clearly do you communicate?',
    }),
    title_manager: text({ max: 1000, note: 'Question as shown to the manager; null: the same as `title`' }),
    competency_id: reference('competencies', {
      note: 'ID of the competency that the question is about; null: not about a competency',
    }),
    options: textList({ note: 'Options to choose from; only for the type `choice`' }),
    scale_min: integer({ min: 0, max: 100, example: 1, note: 'Lowest rating of a `scale` question; 1 by default' }),
    scale_max: integer({ min: 1, max: 100, example: 5, note: 'Highest rating of a `scale` question; 5 by default' }),
    position: integer({
      supplied: true,
      min: 1,
      max: 10_000,
      note: 'Position of the question, starting at 1; last by default',
    }),
    required: neverBlank(
      boolean({ default: true, note: 'Whether participants must answer it before they can submit' }),
    ),
    participant_types: textList({
      values: ROLES,
      default: [...ROLES],
      note: 'Which participants are asked this question; all by default',
      example: ['self', 'manager'],
    }),
  },
)

export type ReviewQuestion = Row<typeof reviewQuestions>

/** A scale has two ends, a choice has options, and a text has neither. */
const fitsItsType: Rule<typeof reviewQuestions> = ({ after, fail }) => {
  const { type, options, scale_min, scale_max, participant_types } = after
  if (type === 'scale' && scale_min !== null && scale_max !== null && scale_max <= scale_min)
    fail('scale_max', 'too_small', 'must be greater than scale_min')
  for (const name of ['scale_min', 'scale_max'] as const)
    if (type && type !== 'scale' && after[name] !== null)
      fail(name, 'not_allowed', `is not allowed for a ${type} question`)
  if (type === 'choice' && options.length < 2)
    fail('options', 'too_few', 'must have at least two items for a choice question')
  if (type && type !== 'choice' && options.length > 0)
    fail('options', 'not_allowed', `are not allowed for a ${type} question`)
  if (participant_types.length === 0) fail('participant_types', 'too_few', 'must contain at least one participant type')
}

const rules = [fitsItsType]
holdTo(reviewQuestions, rules)

/** What follows from the type where nothing was sent: a scale has ends, and what was another kind keeps nothing of it. */
function supplied(sent: Sent<typeof reviewQuestions>, before: ReviewQuestion | null): Sent<typeof reviewQuestions> {
  const type = sent.type ? reviewQuestions.fields.type.parse(sent.type) : before?.type
  const own = type === 'scale' ? DEFAULT_SCALE : { scale_min: null, scale_max: null }
  const ends = Object.entries(own).map(([name, value]) => {
    const given = sent[name as keyof typeof own]
    const kept = given === undefined && type === 'scale' ? before?.[name as keyof typeof own] : given
    return [name, kept ?? value]
  })
  const options = type === 'choice' || sent.options !== undefined ? {} : { options: [] }
  return { ...sent, ...Object.fromEntries(ends), ...options }
}

/** The questions of a cycle in their order. */
export const questionsOf = (db: Reader, cycleId: number): Promise<ReviewQuestion[]> =>
  rowsOf(reviewQuestions, db.from('review_questions').where('review_cycle_id', '=', cycleId), ['position', 'id'])

/** The parameters of a list in the order of the questions. */
export const BY_POSITION = Type.Object({ ...PAGING, sort: sortParameter(['position', 'id'], 'position') })

/** A page of records that are few enough to be put in order here. */
export async function pageInOrder(db: Reader, shape: Shape, ids: number[], query: Static<typeof BY_POSITION>) {
  const page = pageIn(query)
  const upwards = query.sort?.endsWith('id') ? ids.toSorted((a, b) => a - b) : ids
  const ordered = query.sort?.startsWith('-') ? upwards.toReversed() : upwards
  const some = ordered.slice(page.skipped, page.skipped + page.size)
  return { data: await show(db, shape, some), metadata: metadata(page, ids.length, some.length) }
}

/** Behind all other questions of the cycle. */
const lastPosition = async (db: Reader, cycleId: number, self?: number) =>
  1 + Math.max(0, ...(await questionsOf(db, cycleId)).map(({ id, position }) => (id === self ? 0 : position)))

const conflicts = 'The cycle is no longer a draft'

export const reviewQuestionOperations = [
  operation(
    {
      id: 'listReviewCycleQuestions',
      method: 'GET',
      path: reviewQuestions.path,
      summary: 'List review questions',
      note: 'Returns the questions of the cycle, ordered by `position`.',
      area,
      params: Type.Object({ review_cycle_id: recordId('review_cycles') }),
      query: BY_POSITION,
      answer: pagedAnswer(schemaOf(reviewQuestions.whole)),
    },
    async ({ db, params, query }) => {
      await find(db, reviewCycles, params.review_cycle_id)
      const ids = (await questionsOf(db, params.review_cycle_id)).map(({ id }) => id)
      return { body: await pageInOrder(db, reviewQuestions.whole, ids, query) }
    },
  ),
  get(reviewQuestions),
  post(reviewQuestions, {
    note: 'Possible only while the cycle is a draft.',
    most: MOST_QUESTIONS,
    conflicts: `${conflicts}, or already has ${MOST_QUESTIONS} questions`,
    async store({ db, body, problems }) {
      const cycle = await requireDraft(db, body.review_cycle_id as number)
      const position = body.position ?? (await lastPosition(db, cycle.id))
      return create(db, reviewQuestions, { ...supplied(body, null), position }, { rules, problems })
    },
  }),
  put(reviewQuestions, {
    note: 'Omitted fields keep their values. Possible only while the cycle is a draft.',
    conflicts,
    async store({ db, body, problems }, before) {
      const cycle = await requireDraft(db, before.review_cycle_id)
      const moved = body.position === null ? { position: await lastPosition(db, cycle.id, before.id) } : {}
      await amend(db, reviewQuestions, before, { ...supplied(body, before), ...moved }, { rules, problems })
    },
  }),
  remove(reviewQuestions, {
    note: 'Possible only while the cycle is a draft.',
    conflicts,
    async store({ db }, before) {
      await requireDraft(db, before.review_cycle_id)
      await erase(db, reviewQuestions, before)
    },
  }),
]
