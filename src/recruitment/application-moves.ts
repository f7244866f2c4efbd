import type { Row } from '../engine/declaration.ts'
import { conflict, invalid, wrong } from '../engine/problem.ts'
import { amend, find, insertAll, rowsOf } from '../engine/records.ts'
import type { Reader } from '../ledger/reader.ts'
import type { Writer } from '../ledger/write.ts'
import { type Application, applications, movements } from './applications.ts'
import { notAStage, stages } from './pipelines.ts'
import { vacancies } from './vacancies.ts'

/** How applications come into a pipeline and move through it; every stay in a stage is kept. */

/** The stages of a vacancy's pipeline, in order. */
export async function stagesOf(db: Reader, vacancyId: number): Promise<Row<typeof stages>[]> {
  const { recruitment_pipeline_id } = await find(db, vacancies, vacancyId)
  const ofPipeline = db.from('pipeline_stages').where('pipeline_id', '=', recruitment_pipeline_id)
  return rowsOf(stages, ofPipeline, ['position', 'id'])
}

const enter = (db: Writer, id: number, vacancy_id: number, candidate_id: number, stage_id: number) =>
  insertAll(db, movements, [
    { application_id: id, vacancy_id, candidate_id, stage_id, created_by_id: db.caller.personId, entered_at: db.now },
  ])

/** Moves an application; the end of one stay is the beginning of the next. */
export async function move(db: Writer, application: Application, stageId: number): Promise<void> {
  if (application.disqualified_at !== null)
    throw conflict('A disqualified application does not move until it is requalified')
  if (application.stage_id === stageId) return
  const open = db.from('movements').where('application_id', '=', application.id).where('exited_at', 'is', null)
  for (const stay of await rowsOf(movements, open)) await amend(db, movements, stay, { exited_at: db.now })
  await enter(db, application.id, application.vacancy_id, application.candidate_id, stageId)
  await amend(db, applications, application, { stage_id: stageId })
  await db.touch('candidates', [application.candidate_id])
}

/** Puts a candidate forward for a vacancy. */
export async function apply(
  db: Writer,
  vacancyId: number,
  candidateId: number,
  stageId: number | undefined,
): Promise<number> {
  const stages = await stagesOf(db, vacancyId)
  const stage = stageId === undefined ? stages[0] : stages.find(({ id }) => id === stageId)
  if (!stage) throw notAStage()
  const twin = await db
    .from('applications')
    .select('id')
    .where('vacancy_id', '=', vacancyId)
    .where('candidate_id', '=', candidateId)
    .executeTakeFirst()
  if (twin) throw invalid(wrong('applicant_id', 'taken', `has already applied, with application ${twin.id}`))
  const [id] = await insertAll(db, applications, [
    { vacancy_id: vacancyId, candidate_id: candidateId, stage_id: stage.id },
  ])
  await enter(db, id as number, vacancyId, candidateId, stage.id)
  await db.touch('candidates', [candidateId])
  await db.touch('vacancies', [vacancyId])
  return id as number
}
