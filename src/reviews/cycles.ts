import Type from 'typebox'
import type { Row } from '../engine/declaration.ts'
import { get, list, post, put, remove } from '../engine/derive.ts'
import { choice, date, loaded, longText, readOnly, text } from '../engine/field.ts'
import { dateRange, isOne } from '../engine/filter.ts'
import { operation } from '../engine/operation.ts'
import { conflict } from '../engine/problem.ts'
import { amend, erase, find, type Rule } from '../engine/records.ts'
import { resource } from '../engine/resource.ts'
import { inOrder } from '../engine/rule.ts'
import { recordId, schemaOf, wrapped } from '../engine/schema.ts'
import { showOne } from '../engine/shape.ts'
import type { Reader } from '../ledger/reader.ts'
import { PROGRESS, progressBy } from './progress.ts'

const area = 'reviews'

/** Being prepared; answers are taken; no longer; the results are shared with those reviewed. */
const STATES = ['draft', 'opened', 'closed', 'finished'] as const
type State = (typeof STATES)[number]

export const reviewCycles = resource(
  { table: 'review_cycles', one: 'review cycle', area, path: '/performance/review_cycles' },
  {
    name: text({ required: true, example: 'Spring reviews' }),
    description: longText({ nullable: true, example: 'What went well, and what is next' }),
    state: readOnly(
      choice(STATES, {
        default: 'draft',
        note: 'Being prepared (`draft`), answered (`opened`), no longer answered (`closed`), shared with those reviewed (`finished`)',
      }),
    ),
    starts_on: date({ required: true, example: '2030-03-01' }),
    ends_on: date({ required: true, note: 'The last day to submit', example: '2030-03-21' }),
    deadline_on: date({ note: 'The day by which results are shared', example: '2030-03-31' }),
    review_period_starts_on: date({ note: 'The first day that is looked back on', example: '2029-09-01' }),
    review_period_ends_on: date({ note: 'The last day that is looked back on', example: '2030-02-28' }),
    progress: loaded(PROGRESS, progressBy('review_cycle_id')),
  },
)

export type Cycle = Row<typeof reviewCycles>

const DATES = ['starts_on', 'ends_on', 'deadline_on', 'review_period_starts_on', 'review_period_ends_on'] as const

/** Until when something was answered stays as it was. */
const datesStay: Rule<typeof reviewCycles> = ({ before, changes, problems }) => {
  if (!before || problems.length > 0 || isUnderWay(before)) return
  const moved = DATES.filter((name) => name in changes && changes[name] !== before[name])
  if (moved.length > 0)
    throw conflict(`The dates of a review cycle that is ${before.state} cannot be changed: ${moved.join(', ')}.`)
}

const rules = [
  inOrder('starts_on', 'ends_on'),
  inOrder('ends_on', 'deadline_on'),
  inOrder('review_period_starts_on', 'review_period_ends_on'),
  datesStay,
]

const isUnderWay = ({ state }: Cycle) => state === 'draft' || state === 'opened'

/** Questions are put together before anybody sees them. */
export async function requireDraft(db: Reader, id: number): Promise<Cycle> {
  const cycle = await find(db, reviewCycles, id)
  if (cycle.state !== 'draft')
    throw conflict(`The review cycle is ${cycle.state}. Its questions can be changed only while it is a draft.`)
  return cycle
}

/** Who takes part is settled until the cycle closes. */
export async function requireUnderWay(db: Reader, id: number): Promise<Cycle> {
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
  if (db.today > ends_on) throw conflict(`The last day to submit answers was ${ends_on}.`)
}

/** What people have answered is not thrown away while it is waited for. */
export async function refuseWhileAnswered(
  db: Reader,
  cycleId: number,
  column: 'review_cycle_id' | 'review_id' | 'participant_id',
  id: number,
): Promise<void> {
  const { state } = await find(db, reviewCycles, cycleId)
  if (state === 'finished') return
  const answer = await db.from('review_answers').select('id').where(column, '=', id).limit(1).executeTakeFirst()
  if (answer)
    throw conflict(
      `There are already answers. This can be deleted only after the review cycle is finished; it is ${state}.`,
    )
}

type Move = { action: string; summary: string; note: string; from: State; to: State }

const MOVES: readonly Move[] = [
  {
    action: 'open',
    summary: 'Open a review cycle',
    note: 'Those who take part can answer from then on, and the questions stay as they are.',
    from: 'draft',
    to: 'opened',
  },
  {
    action: 'close',
    summary: 'Close a review cycle',
    note: 'Nothing is answered any more.',
    from: 'opened',
    to: 'closed',
  },
  {
    action: 'reopen',
    summary: 'Reopen a review cycle that is closed',
    note: 'Answers are taken again, up to `ends_on`.',
    from: 'closed',
    to: 'opened',
  },
  {
    action: 'finish',
    summary: 'Finish a review cycle',
    note: 'The results are shared with those reviewed, for good.',
    from: 'closed',
    to: 'finished',
  },
]

async function refuseWithoutQuestions(db: Reader, id: number): Promise<void> {
  const question = db.from('review_questions').select('id').where('review_cycle_id', '=', id).limit(1)
  if (!(await question.executeTakeFirst()))
    throw conflict('A review cycle without questions cannot be opened. Add a question first.')
}

const moveOf = ({ action, summary, note, from, to }: Move) =>
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
      conflicts: `Only what is ${from} can become ${to}${action === 'open' ? ', and only with questions' : ''}`,
    },
    async ({ db, params }) => {
      const before = await find(db, reviewCycles, params.id)
      if (before.state !== from) throw conflict(`A review cycle that is ${before.state} cannot become ${to}.`)
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
  post(reviewCycles, { rules, note: 'It begins as a draft, without questions and without anybody to review.' }),
  put(reviewCycles, {
    rules,
    note: 'What is not sent stays. Dates change until the cycle closes.',
    conflicts: 'Dates are sent, and the cycle is closed or finished',
  }),
  remove(reviewCycles, {
    note: 'With its questions, reviews and answers.',
    conflicts: 'There are answers, and the cycle is not finished',
    async store({ db }, before) {
      await refuseWhileAnswered(db, before.id, 'review_cycle_id', before.id)
      await erase(db, reviewCycles, before)
    },
  }),
  ...MOVES.map(moveOf),
]
