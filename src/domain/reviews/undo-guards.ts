import type { Resource } from '../../engine/declaration.ts'
import { conflict } from '../../engine/problem.ts'
import { rowsOf } from '../../engine/records.ts'
import { changedRecords, valuesAfter } from '../../engine/undo/guard-queries.ts'
import type { UndoGuard } from '../../engine/undo/guards.ts'
import { chunks } from '../../records/chunks.ts'
import type { Change, Columns } from '../../records/entries.ts'
import type { Writer } from '../../records/write.ts'
import { missingOf, requireAuthorAbout, requireOthersPart } from './answering.ts'
import { reviewAnswers } from './answers.ts'
import { reviewCycles } from './cycles.ts'
import { reviewParticipants } from './participants.ts'
import { reviewQuestions } from './questions.ts'
import { requireAboutOther, reviews } from './reviews.ts'

/** In which states of its cycle each kind of record changes. */
const STATES: readonly [of: Resource, states: readonly string[], what: string][] = [
  [reviewQuestions, ['draft'], 'its questions can be changed only while it is a draft'],
  [reviews, ['draft', 'opened'], 'its participants can be changed only while it is a draft or opened'],
  [reviewParticipants, ['draft', 'opened'], 'its participants can be changed only while it is a draft or opened'],
  [reviewAnswers, ['opened'], 'answers can be written only while it is opened'],
]

/** As long as a cycle is where it was then, all may be as it was then; from where it went since, only what goes there. */
const cycleAllows: UndoGuard = {
  tables: [reviewCycles.table, ...STATES.map(([of]) => of.table)],
  async check(db, changes, undone) {
    for (const [of, states, what] of STATES) {
      const ids = await cyclesOf(db, of, changes)
      const then = await valuesAfter(db, reviewCycles.table, ['state'], ids, undone)
      for (const some of chunks(ids, 1000))
        for (const { id, state } of await rowsOf(reviewCycles, db.from(reviewCycles.table).where('id', 'in', some)))
          if (state !== then.get(id)?.state && !states.includes(state) && !changedHere(changes, id))
            throw conflict(`This cannot be undone: the review cycle is now ${state}, and ${what}.`)
    }
    await refuseEmpty(db, changes)
    await refuseSubmitted(db, changes)
    await refuseIncomplete(db, changes)
  },
}

const changedHere = (changes: readonly Change[], id: number) =>
  changes.some(({ resource, record_id, after }) => resource === reviewCycles.table && record_id === id && after?.state)

const cyclesOf = async (db: Writer, of: Resource, changes: readonly Change[]): Promise<number[]> => [
  ...new Set([...(await changedRecords(db, of.table, changes)).values()].map((row) => row.review_cycle_id as number)),
]

/** States that only answering leads to. */
const BEGUN = ['started', 'revising', 'submitted']

/** A cycle that is answered has questions, and what was answered is not thrown back into a draft. */
async function refuseEmpty(db: Writer, changes: readonly Change[]): Promise<void> {
  for (const { resource, record_id, after } of changes) {
    if (resource !== reviewCycles.table || typeof after?.state !== 'string') continue
    const named = (table: string) =>
      db.from(table).select('id').where('review_cycle_id', '=', record_id).limit(1).executeTakeFirst()
    if (after.state === 'draft' && (await named(reviewAnswers.table)))
      throw conflict('This cannot be undone: there are already answers, so the review cycle can no longer be a draft.')
    const begun = db.from(reviewParticipants.table).select('id').where('review_cycle_id', '=', record_id)
    if (after.state === 'draft' && (await begun.where('state', 'in', BEGUN).limit(1).executeTakeFirst()))
      throw conflict(
        'The review cycle cannot become a draft again, because a participant has already started to answer.',
      )
    if (after.state !== 'draft' && !(await named(reviewQuestions.table)))
      throw conflict('This cannot be undone: a review cycle that is not a draft needs a question.')
  }
}

/** What was handed in stays as it is, unless that it was is what is undone. */
async function refuseSubmitted(db: Writer, changes: readonly Change[]): Promise<void> {
  const settled = new Set(
    changes.flatMap(({ resource, record_id, after }) =>
      resource === reviewParticipants.table && after?.state ? record_id : [],
    ),
  )
  const answered = [...(await changedRecords(db, reviewAnswers.table, changes)).values()]
  const ids = [...new Set(answered.map((row) => row.participant_id as number))].filter((id) => !settled.has(id))
  for (const some of chunks(ids, 1000)) {
    const done = db.from(reviewParticipants.table).select('id').where('id', 'in', some)
    if (await done.where('state', '=', 'submitted').limit(1).executeTakeFirst())
      throw conflict('This cannot be undone: the participant has already submitted the answers.')
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
        throw conflict(
          `This cannot be undone: the required question ${missing.id} no longer has an answer, so the answers cannot be submitted.`,
        )
    }
  }
}

/** States that somebody comes to by answering, or leaves by it. */
const ANSWERING: readonly unknown[] = ['approved', ...BEGUN]

/**
 * In a review of oneself only what one has answered oneself is undone. A cycle that goes again, or comes back, does so
 * as a whole: it is not about anybody alone.
 */
const othersDecide: UndoGuard = {
  tables: cycleAllows.tables,
  async check(db, changes) {
    const whole = new Set(
      changes.flatMap(({ resource, action, record_id }) =>
        resource === reviewCycles.table && action !== 'update' ? record_id : [],
      ),
    )
    const concerned = async (of: Resource) =>
      [...(await changedRecords(db, of.table, changes)).values()].filter(
        (row) => !whole.has(row.review_cycle_id as number),
      )
    const [own, parts, answers] = [
      await concerned(reviews),
      await concerned(reviewParticipants),
      await concerned(reviewAnswers),
    ]
    const aboutWhom = await peopleOf(db, reviews, own, 'review_id', [...parts, ...answers])
    const byWhom = await peopleOf(db, reviewParticipants, parts, 'participant_id', answers)
    for (const row of own) requireAboutOther(db, row.employee_id as number)
    for (const row of parts) {
      if (isSentBack(changes, row)) requireOthersPart(db, row.employee_id as number)
      if (row.employee_id !== aboutWhom(row) || !hasAnswered(changes, row)) requireAboutOther(db, aboutWhom(row))
    }
    for (const row of answers) requireAuthorAbout(db, byWhom(row), aboutWhom(row))
  },
}

const changesOf = (changes: readonly Change[], { id }: Columns) =>
  changes.filter(({ resource, record_id }) => resource === reviewParticipants.table && record_id === id)

/** Is all that is undone of a participant what they did by answering? */
const hasAnswered = (changes: readonly Change[], participant: Columns) =>
  !isSentBack(changes, participant) &&
  changesOf(changes, participant).every(
    ({ action, before, after }) =>
      action === 'update' &&
      [before?.state, after?.state].every((state) => state === undefined || ANSWERING.includes(state)),
  )

/** Is it undone, or done again, that what somebody had handed in was sent back? That keeps when they handed it in. */
const isSentBack = (changes: readonly Change[], participant: Columns) =>
  changesOf(changes, participant).some(
    ({ action, before, after }) =>
      action === 'update' &&
      [before?.state, after?.state].includes('submitted') &&
      before?.submitted_at === after?.submitted_at,
  )

/** Who it is in the record that rows name by a column: one of those known, or one that is there. */
async function peopleOf(
  db: Writer,
  { table }: Resource,
  known: readonly Columns[],
  column: string,
  rows: readonly Columns[],
): Promise<(row: Columns) => number> {
  const people = new Map(known.map(({ id, employee_id }) => [id, employee_id as number]))
  const ids = new Set(rows.map((row) => row[column] as number).filter((id) => !people.has(id)))
  for (const some of chunks([...ids], 1000))
    for (const row of await db.from(table).select(['id', 'employee_id']).where('id', 'in', some).execute())
      people.set(row.id, row.employee_id)
  return (row) => people.get(row[column]) as number
}

export const reviewGuards = [cycleAllows, othersDecide]
