import Type from 'typebox'
import type { Row } from '../../engine/declaration.ts'
import { get, list, post, put, remove } from '../../engine/derive.ts'
import { choice, date, loaded, longText, readOnly, text } from '../../engine/field.ts'
import { dateRange, isOne } from '../../engine/filter.ts'
import { operation } from '../../engine/operation.ts'
import { conflict, wrongState } from '../../engine/problem.ts'
import { amend, erase, find, type Rule } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { inOrder } from '../../engine/rule.ts'
import { recordId, schemaOf, wrapped } from '../../engine/schema.ts'
import { showOne } from '../../engine/shape.ts'
import type { Reader } from '../../records/reader.ts'
import { PROGRESS, progressBy } from './progress.ts'

const area = 'reviews'

/** Being prepared; answers are taken; no longer; the results are shared with those reviewed. */
const STATES = ['draft', 'opened', 'closed', 'finished'] as const
type CycleState = (typeof STATES)[number]

export const reviewCycles = resource(
  { table: 'review_cycles', one: 'review cycle', area, path: '/performance/review_cycles' },
  {
    name: text({ required: true, example: 'Spring reviews' }),
    description: longText({ nullable: true, example: 'Feedback on the past six months and goals for the next' }),
    state: readOnly(
      choice(STATES, {
        default: 'draft',
        note: 'State of the cycle',
      }),
    ),
    starts_on: date({ required: true, example: '2030-03-01' }),
    ends_on: date({
      required: true,
      note: 'Last day on which participants can submit answers, included',
      example: '2030-03-21',
    }),
    deadline_on: date({
      note: 'Date by which the results are to be shared. For information: they are shared when you finish the cycle',
      example: '2030-03-31',
    }),
    review_period_starts_on: date({
      note: 'First day of the period that the reviews assess; for information',
      example: '2029-09-01',
    }),
    review_period_ends_on: date({
      note: 'Last day of the period that the reviews assess; for information',
      example: '2030-02-28',
    }),
    progress: loaded(PROGRESS, progressBy('review_cycle_id')),
  },
)

export type ReviewCycle = Row<typeof reviewCycles>

const DATES = ['starts_on', 'ends_on', 'deadline_on', 'review_period_starts_on', 'review_period_ends_on'] as const

/** Until when something was answered stays as it was. */
const datesStay: Rule<typeof reviewCycles> = ({ before, changes, problems }) => {
  if (!before || problems.length > 0 || isUnderWay(before)) return
  const moved = DATES.filter((name) => name in changes && changes[name] !== before[name])
  if (moved.length > 0)
    throw conflict(
      `The review cycle is ${before.state}, so its dates can no longer be changed. Leave out ${moved.join(', ')}.`,
    )
}

const rules = [
  inOrder('starts_on', 'ends_on'),
  inOrder('ends_on', 'deadline_on'),
  inOrder('review_period_starts_on', 'review_period_ends_on'),
  datesStay,
]

const isUnderWay = ({ state }: ReviewCycle) => state === 'draft' || state === 'opened'

/** Questions are put together before anybody sees them. */
export async function requireDraft(db: Reader, id: number): Promise<ReviewCycle> {
  const cycle = await find(db, reviewCycles, id)
  if (cycle.state !== 'draft')
    throw conflict(`The review cycle is ${cycle.state}. Its questions can be changed only while it is a draft.`)
  return cycle
}

/** Who takes part is settled until the cycle closes. */
export async function requireUnderWay(db: Reader, id: number): Promise<ReviewCycle> {
  const cycle = await find(db, reviewCycles, id)
  if (!isUnderWay(cycle))
    throw conflict(
      `The review cycle is ${cycle.state}. Its participants can be changed only while it is a draft or opened.`,
    )
  return cycle
}

/** Answers are taken while the cycle is open, up to its last day where the account is. */
export async function requireOpen(db: Reader, id: number): Promise<void> {
  const { state, ends_on } = await find(db, reviewCycles, id)
  if (state !== 'opened')
    throw conflict(`The review cycle is ${state}. Answers can be written only while it is opened.`)
  if (db.today > ends_on)
    throw conflict(
      `The last day to submit answers was ${ends_on}. Ask a review administrator to change ends_on of the review cycle.`,
    )
}

const RECORDS = { review_cycle_id: 'review cycle', review_id: 'review', participant_id: 'participant' }

/** What people have answered is not thrown away while it is waited for. */
export async function refuseWhileAnswered(
  db: Reader,
  cycleId: number,
  column: keyof typeof RECORDS,
  id: number,
): Promise<void> {
  const { state } = await find(db, reviewCycles, cycleId)
  if (state === 'finished') return
  const answer = await db.from('review_answers').select('id').where(column, '=', id).limit(1).executeTakeFirst()
  if (answer)
    throw conflict(
      `This ${RECORDS[column]} has answers, so it can be deleted only when the review cycle is finished. The review cycle is still ${state}.`,
    )
}

type CycleTransition = { action: string; summary: string; note: string; from: CycleState; to: CycleState }

const MOVES: readonly CycleTransition[] = [
  {
    action: 'open',
    summary: 'Open a review cycle',
    note: 'Participants can answer from now on; the questions can no longer change.',
    from: 'draft',
    to: 'opened',
  },
  {
    action: 'close',
    summary: 'Close a review cycle',
    note: 'Participants can no longer answer.',
    from: 'opened',
    to: 'closed',
  },
  {
    action: 'reopen',
    summary: 'Reopen a closed review cycle',
    note: 'Participants can answer again, until the last day `ends_on`.',
    from: 'closed',
    to: 'opened',
  },
  {
    action: 'finish',
    summary: 'Finish a review cycle',
    note: 'The people reviewed can then see the answers about them. This cannot be undone.',
    from: 'closed',
    to: 'finished',
  },
]

async function refuseWithoutQuestions(db: Reader, id: number): Promise<void> {
  const question = db.from('review_questions').select('id').where('review_cycle_id', '=', id).limit(1)
  if (!(await question.executeTakeFirst()))
    throw conflict('This review cycle has no questions, so it cannot be opened. Add a question first.')
}

const moveOf = ({ action, summary, note, from, to }: CycleTransition) =>
  operation(
    {
      id: `${action}ReviewCycle`,
      method: 'POST',
      path: `${reviewCycles.path}/{id}/${action}`,
      summary,
      note,
      area,
      params: Type.Object({ id: recordId('review_cycles') }),
      answer: wrapped(schemaOf(reviewCycles.whole)),
      conflicts: `Only a cycle in the state \`${from}\` can become \`${to}\`${action === 'open' ? ', and only with questions' : ''}`,
    },
    async ({ db, params }) => {
      const before = await find(db, reviewCycles, params.id)
      if (before.state !== from)
        throw wrongState({ one: reviewCycles.one, id: before.id, state: before.state }, to, [from])
      if (action === 'open') await refuseWithoutQuestions(db, before.id)
      await amend(db, reviewCycles, before, { state: to })
      return { body: await showOne(db, reviewCycles.whole, params.id) }
    },
  )

export const reviewCycleOperations = [
  list(reviewCycles, {
    sorts: ['starts_on', 'ends_on'],
    filters: {
      state: isOne(reviewCycles, 'state'),
      starts_on: dateRange(reviewCycles, 'starts_on'),
      ends_on: dateRange(reviewCycles, 'ends_on'),
    },
  }),
  get(reviewCycles),
  post(reviewCycles, { rules, note: 'The cycle starts as a draft, without questions and reviews.' }),
  put(reviewCycles, {
    rules,
    note: 'Omitted fields keep their values. Dates can change until the cycle closes.',
    conflicts: 'Dates cannot change after the cycle is closed or finished',
  }),
  remove(reviewCycles, {
    note: 'Deletes its questions, reviews and answers too.',
    conflicts: 'The cycle has answers and is not finished',
    async store({ db }, before) {
      await refuseWhileAnswered(db, before.id, 'review_cycle_id', before.id)
      await erase(db, reviewCycles, before)
    },
  }),
  ...MOVES.map(moveOf),
]
