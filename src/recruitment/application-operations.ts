import Type from 'typebox'
import { get, list } from '../engine/derive.ts'
import { anyRecordOf, isRecord, isSet, timeRange } from '../engine/filter.ts'
import { operation } from '../engine/operation.ts'
import { conflict, invalid, wrong } from '../engine/problem.ts'
import { amend, existing, find } from '../engine/records.ts'
import { recordId, schemaOf, wrapped } from '../engine/schema.ts'
import { showOne } from '../engine/shape.ts'
import type { Reader } from '../ledger/reader.ts'
import { apply, move, stagesOf } from './application-moves.ts'
import { applications, movementShape, movements, vacancyApplication } from './applications.ts'
import { hireApplicant } from './hiring.ts'
import { notAStage } from './pipelines.ts'
import { vacancies } from './vacancies.ts'

const area = 'recruitment'
const inVacancy = Type.Object({ vacancy_id: recordId('vacancies') })
const one = Type.Object({ vacancy_id: recordId('vacancies'), id: recordId('applications') })
const path = `${applications.path}/{id}`
const answer = wrapped(schemaOf(vacancyApplication))
const shown = (db: Reader, id: number) => showOne(db, vacancyApplication, id)
const findIn = (db: Reader, params: { vacancy_id: number; id: number }) =>
  find(db, applications, params.id, { vacancy_id: params.vacancy_id })

const moveOperation = (id: string, subpath: string, name: string, summary: string, note?: string) =>
  operation(
    {
      id,
      method: 'PUT',
      path: `${path}${subpath}`,
      summary,
      ...(note ? { note } : {}),
      area,
      params: one,
      body: Type.Object({ [name]: Type.Optional(recordId('pipeline_stages')) }, { title: pascalOf(id) }),
      answer,
      conflicts: 'The application is disqualified',
    },
    async ({ db, params, body }) => {
      const application = await findIn(db, params)
      const stageId = body[name]
      if (stageId !== undefined) {
        if (!(await stagesOf(db, params.vacancy_id)).some((stage) => stage.id === stageId)) throw notAStage()
        await move(db, application, stageId)
      }
      return { body: await shown(db, params.id) }
    },
  )

const pascalOf = (id: string) => id.charAt(0).toUpperCase() + id.slice(1)

export const applicationOperations = [
  list(applications, {
    shape: vacancyApplication,
    filters: {
      stage_id: isRecord(applications, 'stage_id'),
      pipeline_stage_id: isRecord(applications, 'stage_id'),
      disqualified: isSet(applications, 'disqualified_at', 'Only the disqualified ones, or only the others'),
    },
  }),
  get(applications, { shape: vacancyApplication }),
  operation(
    {
      id: 'createApplication',
      method: 'POST',
      path: applications.path,
      summary: 'Put a candidate forward for a vacancy',
      area,
      params: inVacancy,
      body: Type.Object(
        { applicant_id: recordId('candidates'), applicant_state_id: Type.Optional(recordId('pipeline_stages')) },
        { title: 'CreateApplication' },
      ),
      status: 201,
      answer,
    },
    async ({ db, params, body }) => {
      await find(db, vacancies, params.vacancy_id)
      if (!(await existing(db, 'candidates', [body.applicant_id])).size)
        throw invalid(wrong('applicant_id', 'not_found', 'must be the id of an existing record of candidates'))
      const id = await apply(db, params.vacancy_id, body.applicant_id, body.applicant_state_id)
      return { body: await shown(db, id), location: `/recruitment/vacancies/${params.vacancy_id}/applications/${id}` }
    },
  ),
  moveOperation('updateApplication', '', 'applicant_state_id', 'Move an application to another stage'),
  moveOperation(
    'moveApplication',
    '/move',
    'pipeline_stage_id',
    'Move an application to another stage',
    'As the update does, by the name of the stage that newer clients send.',
  ),
  operation(
    {
      id: 'disqualifyApplication',
      method: 'POST',
      path: `${path}/disqualify`,
      summary: 'Disqualify an application',
      area,
      params: one,
      body: Type.Object(
        {
          disqualify_reason_id: Type.Optional(recordId('disqualify_reasons')),
          comment: Type.Optional(
            Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'text', maxLength: 65_535 }),
          ),
        },
        { title: 'DisqualifyApplication' },
      ),
      answer,
      conflicts: 'The application is already disqualified',
    },
    async ({ db, params, body }) => {
      const application = await findIn(db, params)
      if (application.disqualified_at !== null) throw conflict('The application is already disqualified')
      await amend(db, applications, application, {
        disqualified_at: db.now,
        disqualify_reason_id: body.disqualify_reason_id ?? null,
        disqualify_comment: body.comment ?? null,
      })
      await db.touch('candidates', [application.candidate_id])
      return { body: await shown(db, params.id) }
    },
  ),
  operation(
    {
      id: 'requalifyApplication',
      method: 'POST',
      path: `${path}/requalify`,
      summary: 'Take back a disqualification',
      area,
      params: one,
      answer,
      conflicts: 'The application is not disqualified',
    },
    async ({ db, params }) => {
      const application = await findIn(db, params)
      if (application.disqualified_at === null) throw conflict('The application is not disqualified')
      await amend(db, applications, application, {
        disqualified_at: null,
        disqualify_reason_id: null,
        disqualify_comment: null,
      })
      await db.touch('candidates', [application.candidate_id])
      return { body: await shown(db, params.id) }
    },
  ),
  hireApplicant,
  list(movements, {
    shape: movementShape,
    filters: {
      vacancy_ids: anyRecordOf(movements, 'vacancy_id'),
      applicant_ids: anyRecordOf(movements, 'candidate_id'),
      entered_at: timeRange(movements, 'entered_at'),
    },
  }),
]
