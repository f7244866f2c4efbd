import type { Row } from '../../engine/declaration.ts'
import { conflict, type FieldProblem, invalid, wrong } from '../../engine/problem.ts'
import { amend, erase, find, insertAll, rowsOf } from '../../engine/records.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { type Application, applications, movements } from './applications.ts'
import { type Hire, hiredFor, hireOf, hires } from './hires.ts'
import { stages } from './pipelines.ts'
import { vacancies } from './vacancies.ts'
import { takesApplications } from './vacancy-states.ts'

/** How applications come into a pipeline and move through it; every stay in a stage is kept. */

type Vacancy = Row<typeof vacancies>
type Stage = Row<typeof stages>

/** The stages of a vacancy's pipeline, in order. */
export const stagesOf = (db: Reader, vacancy: Vacancy): Promise<Stage[]> =>
  rowsOf(stages, db.from('pipeline_stages').where('pipeline_id', '=', vacancy.recruitment_pipeline_id), [
    'position',
    'id',
  ])

/** The stage of a vacancy's pipeline that was asked for, under the name by which it was sent. */
export async function stageIn(
  db: Reader,
  vacancy: Vacancy,
  name: string,
  id: number,
  problems: FieldProblem[],
): Promise<Stage | undefined> {
  const stage = (await stagesOf(db, vacancy)).find((one) => one.id === id)
  if (!stage) problems.push(wrong(name, 'not_found', 'must be the id of a stage in the pipeline of this vacancy'))
  return stage
}

const enter = (db: Writer, id: number, vacancy_id: number, candidate_id: number, stage_id: number) =>
  insertAll(db, movements, [
    { application_id: id, vacancy_id, candidate_id, stage_id, created_by_id: db.caller.personId, entered_at: db.now },
  ])

/** Whoever says where applications stand must be right: what others have moved meanwhile is not moved over. */
export async function refuseElsewhere(db: Reader, found: readonly Application[], from: ReadonlyMap<number, number>) {
  const moved = found.filter(({ id, stage_id }) => from.has(id) && from.get(id) !== stage_id)
  if (moved.length === 0) return
  const names = await rowsOf(
    stages,
    db.from('pipeline_stages').where(
      'id',
      'in',
      moved.map(({ stage_id }) => stage_id),
    ),
  )
  const told = moved.map(
    ({ id, stage_id }) => `application ${id} is now in the stage ${names.find((one) => one.id === stage_id)?.name}`,
  )
  throw conflict(
    `Somebody has moved these applications in the meantime: ${told.join(', ')}. Read the applications again.`,
  )
}

/** Refuses when all positions of a vacancy are filled. */
export async function refuseFull(db: Reader, { id, positions }: Vacancy): Promise<void> {
  if ((await hiredFor(db, id)) >= positions)
    throw conflict(
      `All positions of this vacancy are filled (${positions}). Increase the positions of the vacancy first.`,
    )
}

/** Fills a position of the vacancy; an opened vacancy closes with the last one. */
export async function takePlace(
  db: Writer,
  { id, vacancy_id }: Pick<Application, 'id' | 'vacancy_id'>,
  employee_id: number | null = null,
): Promise<void> {
  const vacancy = await find(db, vacancies, vacancy_id)
  await refuseFull(db, vacancy)
  await insertAll(db, hires, [{ vacancy_id, application_id: id, employee_id }])
  const isFull = (await hiredFor(db, vacancy_id)) >= vacancy.positions
  if (isFull && vacancy.state === 'opened') await amend(db, vacancies, vacancy, { state: 'closed' })
  await db.touch('vacancies', [vacancy_id])
}

/** Makes a position free again; a vacancy that is closed stays so until somebody opens it. */
export async function freePlace(db: Writer, hire: Hire): Promise<void> {
  await erase(db, hires, hire)
  await db.touch('vacancies', [hire.vacancy_id])
}

/**
 * Moves an application; the end of one stay is the beginning of the next. In a stage of the type hired it takes a place of
 * the vacancy, and leaves it free again when it moves back before there is an employee.
 */
export async function move(
  db: Writer,
  application: Application,
  { id: stageId, type }: Pick<Stage, 'id' | 'type'>,
): Promise<void> {
  if (application.disqualified_at !== null)
    throw conflict(`Application ${application.id} is disqualified and cannot be moved. Requalify it first.`)
  if (application.stage_id === stageId) return
  const hire = await hireOf(db, application)
  if (hire && hire.employee_id !== null) throw hiredConflict(application.id, 'cannot be moved')
  if (hire && type !== 'hired') await freePlace(db, hire)
  if (!hire && type === 'hired') await takePlace(db, application)
  const open = db.from('movements').where('application_id', '=', application.id).where('exited_at', 'is', null)
  for (const stay of await rowsOf(movements, open)) await amend(db, movements, stay, { exited_at: db.now })
  await enter(db, application.id, application.vacancy_id, application.candidate_id, stageId)
  await amend(db, applications, application, { stage_id: stageId })
  await db.touch('candidates', [application.candidate_id])
}

const hiredConflict = (id: number, what: string) =>
  conflict(`Application ${id} is hired and ${what}. Undo the hire first.`)

/** An application that led to a hire stays as it is: otherwise a place would look free that is not. */
export async function refuseHired(db: Reader, application: Application, what: string): Promise<void> {
  if (await hireOf(db, application)) throw hiredConflict(application.id, what)
}

/** When and why an application is out of the running from the start. */
export type Disqualification = { disqualified_at: string; disqualify_reason_id: number | null }

/** The first stage in which nobody is hired yet, if the pipeline has one. */
export const firstOf = (all: readonly Stage[]) => all.find(({ type }) => type !== 'hired') ?? (all[0] as Stage)

/** Puts a candidate forward for a vacancy, in the first stage unless another is given. */
export async function apply(
  db: Writer,
  vacancy: Vacancy,
  candidateId: number,
  {
    stage,
    disqualification,
    named = 'applicant_id',
  }: { stage?: Stage | undefined; disqualification?: Disqualification | undefined; named?: string } = {},
): Promise<number> {
  if (!takesApplications(vacancy.state))
    throw conflict(`The vacancy is ${vacancy.state} and does not accept applications.`)
  const duplicate = await applicationOf(db, vacancy.id, candidateId)
  if (duplicate) throw invalid(wrong(named, 'taken', `has already applied, with application ${duplicate.id}`))
  // A pipeline keeps at least one stage.
  const { id: stage_id, type } = stage ?? firstOf(await stagesOf(db, vacancy))
  const [id] = await insertAll(db, applications, [
    { vacancy_id: vacancy.id, candidate_id: candidateId, stage_id, ...disqualification },
  ])
  await enter(db, id as number, vacancy.id, candidateId, stage_id)
  if (type === 'hired' && !disqualification) await takePlace(db, { id: id as number, vacancy_id: vacancy.id })
  await db.touch('candidates', [candidateId])
  await db.touch('vacancies', [vacancy.id])
  return id as number
}

/** The application of a candidate for a vacancy, if there is one. */
export const applicationOf = (db: Reader, vacancyId: number, candidateId: number) =>
  db
    .from('applications')
    .select('id')
    .where('vacancy_id', '=', vacancyId)
    .where('candidate_id', '=', candidateId)
    .executeTakeFirst()
