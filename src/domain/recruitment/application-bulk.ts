import Type from 'typebox'
import { operation } from '../../engine/operation.ts'
import { conflict, type FieldProblem, refuse, wrong } from '../../engine/problem.ts'
import { amend, find, rowsOf } from '../../engine/records.ts'
import { recordId, schemaOf, wrappedList } from '../../engine/schema.ts'
import { show } from '../../engine/shape.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { move, refuseElsewhere, refuseHired, stageIn } from './application-moves.ts'
import { type Application, applications, vacancyApplication } from './applications.ts'
import { employeesHired, hiringTimes } from './hires.ts'
import { vacancies } from './vacancies.ts'

/** Moving and disqualifying applications, one or many of a vacancy at once. */

const area = 'recruitment'
const MOST = 200

export const disqualification = {
  disqualify_reason_id: Type.Optional(recordId('disqualify_reasons')),
  comment: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'text', maxLength: 65_535 })),
}

/** Takes an application out of the running. */
export async function disqualify(
  db: Writer,
  application: Application,
  { disqualify_reason_id = null, comment = null }: { disqualify_reason_id?: number | null; comment?: string | null },
): Promise<void> {
  if (application.disqualified_at !== null) throw conflict(`Application ${application.id} is already disqualified.`)
  await refuseHired(db, application, 'cannot be disqualified')
  const changes = { disqualified_at: db.now, disqualify_reason_id, disqualify_comment: comment }
  await amend(db, applications, application, changes)
  await db.touch('candidates', [application.candidate_id])
}

const inVacancy = Type.Object({ vacancy_id: recordId('vacancies') })
const ids = Type.Array(recordId('applications'), { minItems: 1, maxItems: MOST })
const answer = wrappedList(schemaOf(vacancyApplication))
const path = `${applications.path}/bulk`
const note = `Up to ${MOST} applications of the vacancy: all or none.`

/** The applications of a vacancy that were named, each once; which of them are not there is told by their place. */
async function named(db: Reader, vacancyId: number, sent: number[], problems: FieldProblem[]): Promise<Application[]> {
  const wanted = db.from('applications').where('vacancy_id', '=', vacancyId).where('id', 'in', sent)
  const found = await rowsOf(applications, wanted)
  for (const [index, id] of sent.entries())
    if (!found.some((one) => one.id === id))
      problems.push(
        wrong(`application_ids[${index}]`, 'not_found', 'must be the id of an application for this vacancy'),
      )
  return found
}

/** Nothing is done to any of them when some cannot take it: these are told. */
async function refuseSettled(db: Reader, found: Application[], hiredOf: typeof hiringTimes | typeof employeesHired) {
  const hired = await hiredOf(
    db,
    found.map(({ id }) => id),
  )
  const settled = found.filter(({ id, disqualified_at }) => disqualified_at !== null || hired.get(id))
  if (settled.length > 0)
    throw conflict(
      `Nothing was changed. These applications are disqualified or hired: ${settled.map(({ id }) => id).join(', ')}. Leave them out.`,
    )
}

const shown = async (db: Reader, found: Application[]) => ({
  body: {
    data: await show(
      db,
      vacancyApplication,
      found.map(({ id }) => id),
    ),
  },
})

export const bulkOperations = [
  operation(
    {
      id: 'moveApplications',
      method: 'PUT',
      path: `${path}/move`,
      summary: 'Move many applications to another stage',
      note,
      area,
      params: inVacancy,
      body: Type.Object(
        {
          application_ids: ids,
          pipeline_stage_id: recordId('pipeline_stages'),
          from_pipeline_stage_ids: Type.Optional(
            Type.Array(recordId('pipeline_stages'), {
              maxItems: MOST,
              description:
                'IDs of the stages in which you expect the applications to be, in the order of `application_ids`. If one of them is in another stage, none is moved (409)',
            }),
          ),
        },
        { title: 'MoveApplications' },
      ),
      answer,
      conflicts:
        'An application is disqualified, an employee has been created from it, it is not in the stage that you sent as the expected one, or the vacancy has too few positions left. None is moved',
    },
    async ({ db, params, body, problems }) => {
      const vacancy = await find(db, vacancies, params.vacancy_id)
      const found = await named(db, vacancy.id, body.application_ids, problems)
      const stage = await stageIn(db, vacancy, 'pipeline_stage_id', body.pipeline_stage_id, problems)
      const { application_ids, from_pipeline_stage_ids: from } = body
      if (from && from.length !== application_ids.length)
        problems.push(wrong('from_pipeline_stage_ids', 'mismatch', 'must have one id for each of application_ids'))
      refuse(problems)
      await refuseSettled(db, found, employeesHired)
      await refuseElsewhere(db, found, new Map(from?.map((stage, index) => [application_ids[index] as number, stage])))
      if (stage) for (const application of found) await move(db, application, stage)
      return shown(db, found)
    },
  ),
  operation(
    {
      id: 'disqualifyApplications',
      method: 'POST',
      path: `${path}/disqualify`,
      summary: 'Disqualify many applications',
      note,
      area,
      params: inVacancy,
      body: Type.Object({ application_ids: ids, ...disqualification }, { title: 'DisqualifyApplications' }),
      answer,
      conflicts: 'An application is already disqualified, or has led to a hire',
    },
    async ({ db, params, body, problems }) => {
      const { application_ids, ...why } = body
      const vacancy = await find(db, vacancies, params.vacancy_id)
      const found = await named(db, vacancy.id, application_ids, problems)
      refuse(problems)
      await refuseSettled(db, found, hiringTimes)
      for (const application of found) await disqualify(db, application, why)
      return shown(db, found)
    },
  ),
]
