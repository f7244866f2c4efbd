import type { Resource } from '../engine/declaration.ts'
import { conflict } from '../engine/problem.ts'
import { rowsOf } from '../engine/records.ts'
import { type Guard, valuesThen } from '../engine/undo.ts'
import { chunks } from '../ledger/chunks.ts'
import type { Change } from '../ledger/entries.ts'
import type { Writer } from '../ledger/write.ts'
import { missingOf } from './answering.ts'
import { reviewAnswers } from './answers.ts'
import { reviewCycles } from './cycles.ts'
import { reviewParticipants } from './participants.ts'
import { reviewQuestions } from './questions.ts'
import { reviews } from './reviews.ts'

/** In which states of its cycle each kind of record changes. */
const STATES: readonly [of: Resource, states: readonly string[], what: string][] = [
  [reviewQuestions, ['draft'], 'its questions stay as they are'],
  [reviews, ['draft', 'opened'], 'those who take part stay as they are'],
  [reviewParticipants, ['draft', 'opened'], 'those who take part stay as they are'],
  [reviewAnswers, ['opened'], 'answers are written while it is opened'],
]

/** As long as a cycle is where it was then, all may be as it was then; from where it went since, only what goes there. */
const cycleAllows: Guard = {
  of: [reviewCycles.table, ...STATES.map(([of]) => of.table)],
  async check(db, changes, undone) {
    for (const [of, states, what] of STATES) {
      const ids = await cyclesOf(db, of, changes)
      const then = await valuesThen(db, reviewCycles.table, ['state'], ids, undone)
      for (const some of chunks(ids, 1000))
        for (const { id, state } of await rowsOf(reviewCycles, db.from(reviewCycles.table).where('id', 'in', some)))
          if (state !== then.get(id)?.state && !states.includes(state) && !changedHere(changes, id))
            throw conflict(`The cycle is ${state} by now: ${what}`)
    }
    await refuseEmpty(db, changes)
    await refuseSubmitted(db, changes)
    await refuseIncomplete(db, changes)
  },
}

const changedHere = (changes: readonly Change[], id: number) =>
  changes.some(({ resource, record_id, after }) => resource === reviewCycles.table && record_id === id && after?.state)

async function cyclesOf(db: Writer, of: Resource, changes: readonly Change[]): Promise<number[]> {
  const own = changes.filter(({ resource }) => resource === of.table)
  const told = own.flatMap(({ before, after }) => [before?.review_cycle_id, after?.review_cycle_id])
  for (const some of chunks([...new Set(own.map(({ record_id }) => record_id))], 1000))
    for (const row of await db.from(of.table).select('review_cycle_id').where('id', 'in', some).execute())
      told.push(row.review_cycle_id)
  return [...new Set(told.filter((id) => typeof id === 'number'))]
}

/** States that only answering leads to. */
const BEGUN = ['started', 'revising', 'submitted']

/** A cycle that is answered has questions, and what was answered is not thrown back into a draft. */
async function refuseEmpty(db: Writer, changes: readonly Change[]): Promise<void> {
  for (const { resource, record_id, after } of changes) {
    if (resource !== reviewCycles.table || typeof after?.state !== 'string') continue
    const named = (table: string) =>
      db.from(table).select('id').where('review_cycle_id', '=', record_id).limit(1).executeTakeFirst()
    if (after.state === 'draft' && (await named(reviewAnswers.table)))
      throw conflict('There are answers already: the cycle is no draft any more')
    const begun = db.from(reviewParticipants.table).select('id').where('review_cycle_id', '=', record_id)
    if (after.state === 'draft' && (await begun.where('state', 'in', BEGUN).limit(1).executeTakeFirst()))
      throw conflict('Somebody has begun to answer, or handed in already: the cycle is no draft any more')
    if (after.state !== 'draft' && !(await named(reviewQuestions.table)))
      throw conflict('A cycle without questions cannot be opened')
  }
}

/** What was handed in stays as it is, unless that it was is what is undone. */
async function refuseSubmitted(db: Writer, changes: readonly Change[]): Promise<void> {
  const settled = new Set(
    changes.flatMap(({ resource, record_id, after }) =>
      resource === reviewParticipants.table && after?.state ? record_id : [],
    ),
  )
  const answered = changes.filter(({ resource }) => resource === reviewAnswers.table)
  const told = answered.flatMap(({ before, after }) => [before?.participant_id, after?.participant_id])
  for (const some of chunks([...new Set(answered.map(({ record_id }) => record_id))], 1000))
    for (const row of await db.from(reviewAnswers.table).select('participant_id').where('id', 'in', some).execute())
      told.push(row.participant_id)
  const ids = [...new Set(told.filter((id) => typeof id === 'number' && !settled.has(id)))]
  for (const some of chunks(ids, 1000)) {
    const done = db.from(reviewParticipants.table).select('id').where('id', 'in', some)
    if (await done.where('state', '=', 'submitted').limit(1).executeTakeFirst())
      throw conflict('The participant is submitted: nothing is answered for them')
  }
}

/** What is handed in again lacks nothing that must be answered. */
async function refuseIncomplete(db: Writer, changes: readonly Change[]): Promise<void> {
  const ids = changes.flatMap(({ resource, record_id, after }) =>
    resource === reviewParticipants.table && after?.state === 'submitted' ? record_id : [],
  )
  for (const some of chunks([...new Set(ids)], 1000)) {
    const submitted = db.from(reviewParticipants.table).where('id', 'in', some).where('state', '=', 'submitted')
    const participants = await rowsOf(reviewParticipants, submitted)
    const cycles = [...new Set(participants.map(({ review_cycle_id }) => review_cycle_id))]
    const asked = db.from(reviewQuestions.table).where('review_cycle_id', 'in', [0, ...cycles])
    const questions = Map.groupBy(await rowsOf(reviewQuestions, asked), ({ review_cycle_id }) => review_cycle_id)
    const given = await db
      .from(reviewAnswers.table)
      .select(['participant_id', 'review_question_id'])
      .where('participant_id', 'in', some)
      .execute()
    const answered = Map.groupBy(given, ({ participant_id }) => participant_id)
    for (const participant of participants) {
      const own = new Set(answered.get(participant.id)?.map(({ review_question_id }) => review_question_id))
      const [missing] = missingOf(participant, questions.get(participant.review_cycle_id) ?? [], own)
      if (missing)
        throw conflict(`Question ${missing.id}, which must be answered, is not answered any more: nothing is handed in`)
    }
  }
}

export const reviewGuards = [cycleAllows]
