import Type, { type Static, type TUnsafe } from 'typebox'
import { get, list } from '../../engine/derive.ts'
import { orNull } from '../../engine/field.ts'
import { anyRecordOf, type Filter, hasWords, isRecord, isSet, timeRange } from '../../engine/filter.ts'
import { operation } from '../../engine/operation.ts'
import { conflict, type FieldProblem, refuse, wrong } from '../../engine/problem.ts'
import { amend, find, nameable } from '../../engine/records.ts'
import { existingOf } from '../../engine/resource.ts'
import { recordId, schemaOf, wrapped } from '../../engine/schema.ts'
import { showOne } from '../../engine/shape.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { bulkOperations, disqualification, disqualify } from './application-bulk.ts'
import { apply, move, refuseElsewhere, stageIn, stagesOf, takePlace } from './application-moves.ts'
import { applications, movementShape, movements, vacancyApplication } from './applications.ts'
import { candidates, candidateTags } from './candidates.ts'
import { isInFuture } from './future-time.ts'
import { hireOf } from './hires.ts'
import { hireApplicant, undoHire } from './hiring.ts'
import { vacancies } from './vacancies.ts'

const area = 'recruitment'
const inVacancy = Type.Object({ vacancy_id: recordId('vacancies') })
const one = Type.Object({ vacancy_id: recordId('vacancies'), id: recordId('applications') })
const path = `${applications.path}/{id}`
const answer = wrapped(schemaOf(vacancyApplication))
const shown = (db: Reader, id: number) => showOne(db, vacancyApplication, id)
const findIn = (db: Reader, params: { vacancy_id: number; id: number }) =>
  find(db, applications, params.id, { vacancy_id: params.vacancy_id })

/** What goes by two names was sent under either; under both it must be the same. */
function eitherName<N extends string>(
  body: { readonly [K in N]?: number | null | undefined },
  [name, other]: readonly [N, N],
  problems: FieldProblem[],
): { name: N; id: number | undefined } {
  const [id, otherId] = [body[name] ?? undefined, body[other] ?? undefined]
  if (id !== undefined && otherId !== undefined && id !== otherId)
    problems.push(wrong(other, 'mismatch', `differs from ${name}. Send only one of them`))
  return id === undefined && otherId !== undefined ? { name: other, id: otherId } : { name, id }
}

const idOrNull = (table: string) => Type.Optional(orNull(recordId(table)) as TUnsafe<number | null>)

const STAGE = ['applicant_state_id', 'pipeline_stage_id'] as const
const PERSON = ['applicant_id', 'candidate_id'] as const
const stageNames = {
  applicant_state_id: Type.Optional(recordId('pipeline_stages')),
  pipeline_stage_id: Type.Optional(recordId('pipeline_stages')),
}

/** Moves the application of a path to the stage that was sent under a name, from where it is said to stand. */
async function moveTo(
  db: Writer,
  params: Static<typeof one>,
  name: string,
  stageId: number | undefined,
  from: number | undefined,
) {
  const application = await findIn(db, params)
  const problems: FieldProblem[] = []
  const stage =
    stageId === undefined
      ? undefined
      : await stageIn(db, await find(db, vacancies, params.vacancy_id), name, stageId, problems)
  refuse(problems)
  if (from !== undefined) await refuseElsewhere(db, [application], new Map([[application.id, from]]))
  if (stage) await move(db, application, stage)
  return { body: await shown(db, params.id) }
}

async function checkThere(db: Reader, table: string, name: string, id: number, problems: FieldProblem[]) {
  if (!(await nameable(db, table, [id])).size) problems.push(wrong(name, 'not_found', existingOf(table)))
}

/** A filter of candidates, for their applications. */
const ofCandidate = (filter: Filter): Filter => ({
  ...filter,
  async narrow(query, value, db, all) {
    const people = await filter.narrow(db.from('candidates').select('candidates.id'), value, db, all)
    return query.where('applications.candidate_id', 'in', people)
  },
})

const DOES_NOT_MOVE =
  'The application is disqualified, an employee has been created from it, it is not in the stage that you sent as the expected one, or the vacancy has no position left'
const HIRED_STAGE =
  'In a stage of type `hired`, the application fills a position of the vacancy (409 if none is left), gets `hired_at` and appears in reports as a hire. Then create the employee with `POST …/hire`. Until you do, you can move the application back, which frees the position.'
const from_pipeline_stage_id = Type.Optional({
  ...recordId('pipeline_stages'),
  description:
    'ID of the stage in which you expect the application to be. If somebody has moved it to another stage meanwhile, the request fails (409)',
})

export const applicationOperations = [
  list(applications, {
    comesWhole: true,
    shape: vacancyApplication,
    filters: {
      stage_id: isRecord(applications, 'stage_id'),
      pipeline_stage_id: isRecord(applications, 'stage_id'),
      disqualified: isSet(
        applications,
        'disqualified_at',
        '`true`: only disqualified (turned down) applications; `false`: only applications that are not disqualified',
      ),
      source_id: ofCandidate(isRecord(candidates, 'source_id')),
      tag_ids: ofCandidate(candidateTags.byId),
      q: ofCandidate(
        hasWords(candidates, 'Words, or beginnings of words, in the name or email address of the candidate'),
      ),
    },
  }),
  get(applications, { shape: vacancyApplication }),
  operation(
    {
      id: 'createApplication',
      method: 'POST',
      path: applications.path,
      summary: 'Create an application',
      area,
      params: inVacancy,
      note: 'Send the candidate as `candidate_id` or as `applicant_id`, and the stage as `pipeline_stage_id` or as `applicant_state_id`: both names mean the same. If you send `disqualify_reason_id` or `disqualified_at`, the new application is disqualified (turned down).',
      body: Type.Object(
        {
          applicant_id: idOrNull('candidates'),
          candidate_id: idOrNull('candidates'),
          ...stageNames,
          disqualify_reason_id: idOrNull('disqualify_reasons'),
          disqualified_at: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' })),
        },
        { title: 'CreateApplication' },
      ),
      status: 201,
      answer,
      conflicts:
        'The vacancy is closed, cancelled or archived, or the stage is of type `hired` and no position of the vacancy is left',
    },
    async ({ db, params, body, problems }) => {
      const vacancy = await find(db, vacancies, params.vacancy_id)
      const person = eitherName(body, PERSON, problems)
      if (person.id === undefined) problems.push(wrong(person.name, 'required', 'is required'))
      else await checkThere(db, 'candidates', person.name, person.id, problems)
      const { name, id: stageId } = eitherName(body, STAGE, problems)
      const stage = stageId === undefined ? undefined : await stageIn(db, vacancy, name, stageId, problems)
      const { disqualified_at = null, disqualify_reason_id = null } = body
      if (disqualify_reason_id !== null)
        await checkThere(db, 'disqualify_reasons', 'disqualify_reason_id', disqualify_reason_id, problems)
      if (disqualified_at !== null && isInFuture(disqualified_at, db.now))
        problems.push(wrong('disqualified_at', 'in_the_future', 'cannot be in the future'))
      refuse(problems)
      const isOut = disqualified_at !== null || disqualify_reason_id !== null
      const disqualification = isOut ? { disqualified_at: disqualified_at ?? db.now, disqualify_reason_id } : undefined
      const id = await apply(db, vacancy, person.id as number, { stage, disqualification, named: person.name })
      return { body: await shown(db, id), location: `/recruitment/vacancies/${params.vacancy_id}/applications/${id}` }
    },
  ),
  operation(
    {
      id: 'updateApplication',
      method: 'PUT',
      path,
      summary: 'Move an application to another stage',
      note: HIRED_STAGE,
      area,
      params: one,
      body: Type.Object({ ...stageNames, from_pipeline_stage_id }, { title: 'UpdateApplication' }),
      answer,
      conflicts: DOES_NOT_MOVE,
    },
    ({ db, params, body, problems }) => {
      const { name, id } = eitherName(body, STAGE, problems)
      refuse(problems)
      return moveTo(db, params, name, id, body.from_pipeline_stage_id)
    },
  ),
  operation(
    {
      id: 'moveApplication',
      method: 'PUT',
      path: `${path}/move`,
      summary: 'Move an application to another stage',
      note: 'The same as `PUT /recruitment/vacancies/{vacancy_id}/applications/{id}`, with the stage as `pipeline_stage_id`.',
      area,
      params: one,
      body: Type.Object(
        { pipeline_stage_id: recordId('pipeline_stages'), from_pipeline_stage_id },
        { title: 'MoveApplication' },
      ),
      answer,
      conflicts: DOES_NOT_MOVE,
    },
    ({ db, params, body }) =>
      moveTo(db, params, 'pipeline_stage_id', body.pipeline_stage_id, body.from_pipeline_stage_id),
  ),
  operation(
    {
      id: 'disqualifyApplication',
      method: 'POST',
      path: `${path}/disqualify`,
      summary: 'Disqualify an application',
      note: 'Turns the candidate down for this vacancy. The application keeps its stage; `POST …/requalify` reverses it.',
      area,
      params: one,
      body: Type.Object(disqualification, { title: 'DisqualifyApplication' }),
      answer,
      conflicts: 'The application is already disqualified, or has led to a hire',
    },
    async ({ db, params, body }) => {
      await disqualify(db, await findIn(db, params), body)
      return { body: await shown(db, params.id) }
    },
  ),
  operation(
    {
      id: 'requalifyApplication',
      method: 'POST',
      path: `${path}/requalify`,
      summary: 'Requalify an application',
      note: 'Reverses the disqualification: the candidate is considered for the vacancy again, in the same stage.',
      area,
      params: one,
      answer,
      conflicts:
        'The application is not disqualified; or it is in a stage of type `hired` and the vacancy has no position left',
    },
    async ({ db, params }) => {
      const application = await findIn(db, params)
      if (application.disqualified_at === null)
        throw conflict(`Application ${application.id} is not disqualified, so there is nothing to undo.`)
      await amend(db, applications, application, {
        disqualified_at: null,
        disqualify_reason_id: null,
        disqualify_comment: null,
      })
      const vacancy = await find(db, vacancies, application.vacancy_id)
      const stage = (await stagesOf(db, vacancy)).find(({ id }) => id === application.stage_id)
      if (stage?.type === 'hired' && !(await hireOf(db, application))) await takePlace(db, application)
      await db.touch('candidates', [application.candidate_id])
      return { body: await shown(db, params.id) }
    },
  ),
  ...bulkOperations,
  hireApplicant,
  undoHire,
  list(movements, {
    shape: movementShape,
    filters: {
      vacancy_ids: anyRecordOf(movements, 'vacancy_id'),
      applicant_ids: anyRecordOf(movements, 'candidate_id'),
      entered_at: timeRange(movements, 'entered_at'),
    },
  }),
]
