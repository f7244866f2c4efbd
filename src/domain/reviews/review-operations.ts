import Type, { type TObject } from 'typebox'
import { holdsFor } from '../../engine/access-scope/reader-access.ts'
import type { Made } from '../../engine/declaration.ts'
import { get, list, post, remove } from '../../engine/derive.ts'
import { anyRecordOf, type Filter, IDS, isRecord } from '../../engine/filter.ts'
import { operation } from '../../engine/operation.ts'
import { pagedAnswer } from '../../engine/page.ts'
import { refuse, wrong } from '../../engine/problem.ts'
import { attempt, checkAll, erase, existing, insertAll, nameable, type Rule } from '../../engine/records.ts'
import { recordId, schemaOf } from '../../engine/schema.ts'
import { isSelf } from '../../records/caller.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { holdingOn } from '../people/job-entries.ts'
import { WRITING } from './answering.ts'
import { absences, dayOf, linesOn } from './attendance.ts'
import { type ReviewCycle, refuseWhileAnswered, requireUnderWay } from './cycles.ts'
import { type Participant, reviewParticipants } from './participants.ts'
import { ASKED, REVIEW_STATES } from './progress.ts'
import { BY_POSITION, pageInOrder, questionsOf, reviewQuestions } from './questions.ts'
import { requireAboutOther, reviewAt, reviews } from './reviews.ts'
import { participantRowPolicy } from './visibility.ts'

const area = 'reviews'

/** Reviews for people, each with the one reviewed, their manager and, if wanted, those who report to them. */
async function addReviews(
  db: Writer,
  cycle: ReviewCycle,
  ids: readonly number[],
  withReports: boolean,
): Promise<number[]> {
  const made = await insertAll(
    db,
    reviews,
    ids.map((employee_id) => ({ review_cycle_id: cycle.id, employee_id })),
  )
  const reviewOf = new Map(ids.map((id, index) => [id, made[index] as number]))
  const managers = await linesOn(db, cycle, 'employee_id', ids)
  const reports = withReports ? await linesOn(db, cycle, 'reporting_to_id', ids) : []
  const one = (about: number, employee_id: number, type: Participant['type']): Made<typeof reviewParticipants> => ({
    review_cycle_id: cycle.id,
    review_id: reviewOf.get(about) as number,
    employee_id,
    type,
  })
  await insertAll(db, reviewParticipants, [
    ...ids.map((id) => one(id, id, 'self')),
    ...managers.map(({ report, manager }) => one(report, manager, 'manager')),
    ...reports.map(({ report, manager }) => one(manager, report, 'report')),
  ])
  return made
}

const reviewedIn = async (db: Reader, cycleId: number): Promise<Map<number, number>> => {
  const rows = await db.from('reviews').select(['id', 'employee_id']).where('review_cycle_id', '=', cycleId).execute()
  return new Map(rows.map((row) => [row.employee_id, row.id]))
}

/** Somebody is reviewed once in a cycle, and only if they are here. */
const canBeReviewed =
  (cycle: ReviewCycle): Rule<typeof reviews> =>
  async ({ db, changes: { employee_id: id }, fail }) => {
    if (!id) return
    const why = (await absences(db, cycle, [id])).get(id)
    if (why) fail('employee_id', why.code, why.message)
    if ((await reviewedIn(db, cycle.id)).has(id)) fail('employee_id', 'taken', 'already has a review in this cycle')
  }

const withReports = Type.Boolean({
  description: 'Whether to add the direct reports of the person reviewed as participants too; false by default',
})

const WAITING = ASKED.filter((state) => state !== 'submitted')

/** The state follows from those who take part: no column holds it. */
const byState: Filter = {
  schema: Type.Unsafe<string>({ type: 'string', enum: [...REVIEW_STATES] }),
  indexedColumns: ['review_participants.review_id', 'review_cycles.state'],
  narrow(query, wanted, db) {
    const finished = db.from('review_cycles').select('review_cycles.id').where('review_cycles.state', '=', 'finished')
    if (wanted === 'shared') return query.where('reviews.review_cycle_id', 'in', finished)
    const all = db.from('review_participants')
    const known = participantRowPolicy.seesAll(db.caller) ? all : participantRowPolicy.narrow(all, db)
    const own = known.select('review_participants.id').whereRef('review_participants.review_id', '=', 'reviews.id')
    const handedIn = own.where('review_participants.state', '=', 'submitted')
    const waiting = own.where('review_participants.state', 'in', WAITING)
    return query.where('reviews.review_cycle_id', 'not in', finished).where(({ and, exists, not }) => {
      if (wanted === 'not_started') return not(exists(handedIn))
      return and([exists(handedIn), wanted === 'submitted' ? not(exists(waiting)) : exists(waiting)])
    })
  },
}

const ADDED = Type.Object({ employee_id: Type.Integer(), review_id: Type.Integer() }, { title: 'AddedReview' })
const NOT_ADDED = Type.Object({ employee_id: Type.Integer(), messages: Type.Array(Type.String()) })
const BULK = Type.Object({
  records: Type.Object({ count: Type.Integer(), data: Type.Array(ADDED) }),
  errors: Type.Optional(Type.Object({ count: Type.Integer(), data: Type.Array(NOT_ADDED) })),
}) as TObject

/** Everybody of a department, and of those below it, who can be reviewed. */
async function peopleOf(db: Reader, cycle: ReviewCycle, departmentId: number): Promise<number[]> {
  const below = await db.reach('departments', 'parent_id', 'id', [departmentId])
  const day = dayOf(cycle, db.today)
  const rows = await holdingOn(db.from('employee_positions'), 'employee_positions', { day })
    .select('employee_positions.employee_id')
    .where('employee_positions.department_id', 'in', below)
    .orderBy('employee_positions.employee_id')
    .execute()
  const ids = rows.map((row) => row.employee_id as number)
  const away = await absences(db, cycle, ids)
  return ids.filter((id) => !away.get(id))
}

const addMany = operation(
  {
    id: 'addReviews',
    method: 'POST',
    path: `${reviews.path}/bulk`,
    summary: 'Create reviews for many employees',
    note: 'Creates reviews for the employees in `employee_ids`, and for everybody in the department `department_id` and the departments below it. Each review succeeds or fails on its own; adding an employee a second time changes nothing. You cannot add yourself.',
    area,
    kind: reviews.table,
    params: Type.Object({ review_cycle_id: recordId('review_cycles') }),
    body: Type.Object(
      {
        employee_ids: Type.Optional({ ...IDS, items: recordId('employees') }),
        department_id: Type.Optional(recordId('departments')),
        with_reports: Type.Optional(withReports),
      },
      { title: 'AddReviews' },
    ),
    answer: BULK,
    conflicts: 'The cycle is closed or finished',
  },
  async ({ db, params, body }) => {
    const cycle = await requireUnderWay(db, params.review_cycle_id)
    if (body.employee_ids === undefined && body.department_id === undefined)
      refuse([wrong('employee_ids', 'required', 'is required, unless department_id is sent')])
    const named = [...new Set(body.employee_ids as number[] | undefined)]
    // Others are as unknown as those who are not there.
    const isReached = (id: number) => holdsFor(db, `${area}:write`, 'employees', id)
    const members = body.department_id ? await membersOf(db, cycle, body.department_id as number) : []
    const inDepartment = members.filter(isReached)
    const known = new Set([...(await nameable(db, 'employees', named)), ...inDepartment].filter(isReached))
    const away = await absences(db, cycle, named)
    const there = await reviewedIn(db, cycle.id)
    const wanted = [...new Set([...named, ...inDepartment])]
    const errors = wanted.flatMap((employee_id) => {
      const isOwn = isSelf(db, employee_id)
      const unfit = isOwn ? 'is yourself: somebody else has to add your review' : away.get(employee_id)?.message
      const why = known.has(employee_id) ? unfit : 'must be the id of an existing employee'
      return why && !(known.has(employee_id) && there.has(employee_id))
        ? [{ employee_id, messages: [`employee_id ${why}`] }]
        : []
    })
    const refused = new Set(errors.map(({ employee_id }) => employee_id))
    const fresh = wanted.filter((id) => !there.has(id) && !refused.has(id))
    const made = await addReviews(db, cycle, fresh, body.with_reports ?? false)
    for (const [index, id] of fresh.entries()) there.set(id, made[index] as number)
    const data = wanted.flatMap((employee_id) => {
      const review_id = known.has(employee_id) ? there.get(employee_id) : undefined
      return review_id ? [{ employee_id, review_id }] : []
    })
    return {
      body: {
        records: { count: data.length, data },
        ...(errors.length > 0 ? { errors: { count: errors.length, data: errors } } : {}),
      },
    }
  },
)

async function membersOf(db: Reader, cycle: ReviewCycle, departmentId: number): Promise<number[]> {
  if (!(await existing(db, 'departments', [departmentId])).has(departmentId))
    refuse([wrong('department_id', 'not_found', 'must be the id of an existing department')])
  return peopleOf(db, cycle, departmentId)
}

/** `waiting_for_id=7`: those in which somebody has something to answer still, as far as the caller may know of it. */
const waitingFor: Filter = {
  schema: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Only reviews in which this employee takes part and has not submitted yet',
  }),
  indexedColumns: ['review_participants.employee_id'],
  narrow(query, id, db) {
    const all = db.from('review_participants')
    const known = participantRowPolicy.seesAll(db.caller) ? all : participantRowPolicy.narrow(all, db)
    const waiting = known
      .select('review_participants.review_id')
      .where('review_participants.employee_id', '=', id)
      .where('review_participants.state', 'in', WRITING)
    return query.where('reviews.id', 'in', waiting)
  },
}

export const reviewOperations = [
  list(reviews, {
    filters: {
      employee_id: isRecord(reviews, 'employee_id'),
      employee_ids: anyRecordOf(reviews, 'employee_id'),
      state: byState,
      waiting_for_id: waitingFor,
    },
  }),
  get(reviews),
  post(reviews, {
    more: { with_reports: withReports },
    note: 'Adds the person reviewed and their manager as participants. The manager is that of today; before the cycle starts, of its first day; after its end, of its last day. You cannot create a review of yourself.',
    conflicts: 'The cycle is closed or finished',
    async store({ db, body, problems }) {
      const cycle = await requireUnderWay(db, body.review_cycle_id as number)
      const one = attempt(db, reviews, null, body, problems)
      await checkAll(db, reviews, [one], [canBeReviewed(cycle)])
      refuse(problems)
      requireAboutOther(db, one.after.employee_id)
      const [id] = await addReviews(db, cycle, [one.after.employee_id], body.with_reports ?? false)
      return id as number
    },
  }),
  addMany,
  remove(reviews, {
    note: 'Deletes its participants and answers too. You cannot delete a review of yourself.',
    conflicts: 'The review has answers and the cycle is not finished',
    async store({ db }, before) {
      requireAboutOther(db, before.employee_id)
      await refuseWhileAnswered(db, before.review_cycle_id, 'review_id', before.id)
      await erase(db, reviews, before)
    },
  }),
  operation(
    {
      id: 'listReviewQuestions',
      method: 'GET',
      path: `${reviews.path}/{review_id}/questions`,
      summary: 'List the questions of a review',
      note: 'Returns the questions of the review cycle, ordered by `position`. `participant_types` of a question says who is asked to answer it.',
      area,
      params: Type.Object({ review_cycle_id: recordId('review_cycles'), review_id: recordId('reviews') }),
      query: BY_POSITION,
      answer: pagedAnswer(schemaOf(reviewQuestions.whole)),
    },
    async ({ db, params, query }) => {
      const { review_cycle_id } = await reviewAt(db, params)
      const ids = (await questionsOf(db, review_cycle_id)).map(({ id }) => id)
      return { body: await pageInOrder(db, reviewQuestions.whole, ids, query) }
    },
  ),
]
