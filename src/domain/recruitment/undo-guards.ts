import { byId } from '../../engine/join.ts'
import { renumber } from '../../engine/order.ts'
import { conflict, invalid, wrong } from '../../engine/problem.ts'
import { existing, rowsOf, type UndoneChange } from '../../engine/records.ts'
import { valuesAfter } from '../../engine/undo/guard-queries.ts'
import type { UndoGuard } from '../../engine/undo/guards.ts'
import { chunks } from '../../records/chunks.ts'
import type { Change } from '../../records/entries.ts'
import type { Reader } from '../../records/reader.ts'
import { applications, movements } from './applications.ts'
import { storePhones } from './candidate-changes.ts'
import { candidates } from './candidates.ts'
import { countHires, hiredApplications } from './hires.ts'
import { refuseStanding, stages } from './pipelines.ts'
import { vacancies } from './vacancies.ts'

/** What holds of vacancies, applications and candidates, also when changes of them are undone. */

const WHOLE = 'Send request=true to undo the whole request.'

const idsOf = (changes: readonly Change[], of: { table: string }) => [
  ...new Set(changes.flatMap(({ resource, record_id }) => (resource === of.table ? record_id : []))),
]

/** The values of a column of changed records, as they were and as they are. */
async function valuesOf(db: Reader, of: { table: string }, column: string, changes: readonly Change[]) {
  const own = changes.filter(({ resource }) => resource === of.table)
  const told = own.flatMap(({ before, after }) => [before?.[column], after?.[column]])
  const ids = idsOf(own, of)
  for (const some of chunks(ids, 1000))
    for (const row of await db.from(of.table).select(`${column} as value`).where('id', 'in', some).execute())
      told.push(row.value)
  return [...new Set(told.filter((value) => typeof value === 'number'))]
}

/** Hires have their places, and a vacancy whose places are all filled is not open; with applications it is no draft. */
const placesHold: UndoGuard = {
  tables: ['vacancies', 'hires'],
  async check(db, changes, undone) {
    await refuseLateHires(db, changes, undone)
    const ids = [...idsOf(changes, vacancies), ...(await valuesOf(db, { table: 'hires' }, 'vacancy_id', changes))]
    for (const some of chunks([...new Set(ids)], 1000)) {
      const hired = await countHires(db, some)
      for (const { id, positions, state } of await rowsOf(vacancies, db.from('vacancies').where('id', 'in', some))) {
        const filled = hired.get(id) ?? 0
        if (filled > positions)
          throw conflict(
            `This cannot be undone: vacancy ${id} would have ${filled} hires but only ${positions} ${positions === 1 ? 'position' : 'positions'}.`,
          )
        if (filled > 0 && filled === positions && state === 'opened')
          throw conflict(`This cannot be undone: vacancy ${id} would be open although all its positions are filled.`)
      }
    }
    const drafted = changes.flatMap(({ resource, record_id, after }) =>
      resource === 'vacancies' && after?.state === 'drafting' ? record_id : [],
    )
    if (drafted.length === 0) return
    const use = await db.from('applications').select('vacancy_id').where('vacancy_id', 'in', drafted).executeTakeFirst()
    if (use)
      throw conflict(`This cannot be undone: vacancy ${use.vacancy_id} has applications and can no longer be a draft.`)
  },
}

/** For a vacancy that was cancelled or put on hold since, nobody is hired again. */
async function refuseLateHires(db: Reader, changes: readonly Change[], undone: UndoneChange): Promise<void> {
  const back = changes.filter(({ resource, action }) => resource === 'hires' && action === 'create')
  const ownFieldsAfter = new Set(
    changes.flatMap(({ resource, record_id, after }) => (resource === 'vacancies' && after?.state ? record_id : [])),
  )
  const ids = (await valuesOf(db, { table: 'hires' }, 'vacancy_id', back)).filter((id) => !ownFieldsAfter.has(id))
  const then = await valuesAfter(db, 'vacancies', ['state'], ids, undone)
  for (const some of chunks(ids, 1000))
    for (const { id, state } of await rowsOf(vacancies, db.from('vacancies').where('id', 'in', some)))
      if (state !== 'opened' && state !== then.get(id)?.state)
        throw conflict(`This cannot be undone: vacancy ${id} is now ${state}, so nobody can be hired for it.`)
}

/** An application stands in a stage of its vacancy's pipeline, where its last stay is; hired or disqualified it stays there. */
const staysHold: UndoGuard = {
  tables: ['applications', 'movements', 'candidates', 'hires', 'candidate_merges'],
  undoneTogether: true,
  async check(db, changes) {
    const ids = [...idsOf(changes, applications), ...(await valuesOf(db, movements, 'application_id', changes))]
    const moved = new Set(
      changes.flatMap(({ resource, record_id, action, after }) =>
        resource === 'applications' && action === 'update' && 'stage_id' in (after ?? {}) ? record_id : [],
      ),
    )
    const requalified = new Set(
      changes.flatMap(({ resource, record_id, after }) =>
        resource === 'applications' && 'disqualified_at' in (after ?? {}) ? record_id : [],
      ),
    )
    const isHiring = changes.some(({ resource }) => resource === 'hires')
    for (const some of chunks([...new Set(ids)], 1000)) {
      const rows = await db
        .from('applications as a')
        .innerJoin('vacancies as v', byId('v', 'a.vacancy_id'))
        .innerJoin('pipeline_stages as s', byId('s', 'a.stage_id'))
        .innerJoin('candidates as c', byId('c', 'a.candidate_id'))
        .leftJoin('hires as h', (on) =>
          on.onRef('h.account_id', '=', 'a.account_id').onRef('h.application_id', '=', 'a.id'),
        )
        .select([
          'a.id',
          'a.stage_id',
          'a.disqualified_at',
          's.pipeline_id',
          'v.recruitment_pipeline_id',
          'h.id as hire',
        ])
        .where('a.id', 'in', some)
        .execute()
      const stays = await rowsOf(movements, db.from('movements').where('application_id', 'in', some))
      const staysOf = Map.groupBy(stays, ({ application_id }) => application_id)
      for (const { id, stage_id, disqualified_at, pipeline_id, recruitment_pipeline_id, hire } of rows) {
        if (pipeline_id !== recruitment_pipeline_id)
          throw invalid(
            wrong('pipeline_stage_id', 'not_found', 'must be the id of a stage in the pipeline of this vacancy'),
          )
        const open = (staysOf.get(id) ?? []).filter(({ exited_at }) => exited_at === null)
        if (open.length !== 1 || open[0]?.stage_id !== stage_id)
          throw conflict(
            `This cannot be undone alone: the stage of application ${id} would not match its history. ${WHOLE}`,
          )
        if (!moved.has(id)) continue
        if (disqualified_at !== null && !requalified.has(id))
          throw conflict(
            `This cannot be undone: application ${id} is disqualified and cannot be moved. Requalify it first.`,
          )
        if (hire && !isHiring)
          throw conflict(`This cannot be undone: application ${id} is hired and cannot be moved. Undo the hire first.`)
      }
    }
    await refuseDisqualifiedHires(db, [...requalified])
  },
}

/** Who was hired is not disqualified. */
async function refuseDisqualifiedHires(db: Reader, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const both = await hiredApplications(db)
    .select('a.id')
    .where('a.id', 'in', ids)
    .where('a.disqualified_at', 'is not', null)
    .executeTakeFirst()
  if (both)
    throw conflict(
      `This cannot be undone: application ${both.id} is hired and cannot be disqualified. Undo the hire first.`,
    )
}

/** A hire is that of the candidate who became the employee, and who has applied; of an employee there is one candidate. */
const hiresHold: UndoGuard = {
  tables: ['hires', 'candidates', 'applications'],
  async check(db, changes) {
    const people = [
      ...(await valuesOf(db, { table: 'hires' }, 'employee_id', changes)),
      ...changes.flatMap(({ resource, before, after }) =>
        resource === 'candidates' && typeof (after?.employee_id ?? before?.employee_id) === 'number'
          ? ((after?.employee_id ?? before?.employee_id) as number)
          : [],
      ),
      ...(await becomeOf(db, await valuesOf(db, applications, 'candidate_id', changes))),
    ]
    for (const some of chunks([...new Set(people)], 1000)) {
      const claims = await db
        .from('candidates')
        .select(['id', 'employee_id'])
        .where('employee_id', 'in', some)
        .execute()
      const twice = [...Map.groupBy(claims, (row) => row.employee_id)].find(([, own]) => own.length > 1)
      if (twice)
        throw conflict(
          `This cannot be undone: employee ${twice[0]} would then belong to the candidates ${twice[1].map(({ id }) => id).join(' and ')}. Undo the hire of one of them first.`,
        )
      const unasked = await db
        .from('hires as h')
        .innerJoin('candidates as c', (on) =>
          on.onRef('c.account_id', '=', 'h.account_id').onRef('c.employee_id', '=', 'h.employee_id'),
        )
        .leftJoin('applications as a', (on) =>
          on
            .onRef('a.account_id', '=', 'h.account_id')
            .onRef('a.candidate_id', '=', 'c.id')
            .onRef('a.id', '=', 'h.application_id'),
        )
        .select(['h.vacancy_id', 'c.id'])
        .where('h.employee_id', 'in', some)
        .where('a.id', 'is', null)
        .executeTakeFirst()
      if (unasked)
        throw conflict(
          `This cannot be undone: candidate ${unasked.id} would be hired for vacancy ${unasked.vacancy_id} without an application. Undo the hire first.`,
        )
    }
  },
}

/** The employees whom candidates became. */
async function becomeOf(db: Reader, ids: readonly number[]): Promise<number[]> {
  const found: number[] = []
  for (const some of chunks(ids, 1000))
    for (const { employee_id } of await db.from('candidates').select('employee_id').where('id', 'in', some).execute())
      if (employee_id !== null) found.push(employee_id)
  return found
}

/** What is compared of phone numbers follows from them; a candidate is either there or merged into another. */
const candidatesHold: UndoGuard = {
  tables: ['candidates', 'candidate_phones', 'candidate_merges'],
  async check(db, changes) {
    const phoned = changes.flatMap(({ resource, record_id, after, owner_id }) =>
      resource === 'candidate_phones' ? (owner_id ?? []) : 'phone_numbers' in (after ?? {}) ? record_id : [],
    )
    for (const some of chunks([...new Set(phoned)], 1000))
      for (const { id, phone_numbers } of await rowsOf(candidates, db.from('candidates').where('id', 'in', some)))
        await storePhones(db, id, phone_numbers)
    const merges = changes.filter(({ resource }) => resource === 'candidate_merges')
    const merged = merges.flatMap(({ before, after }) => [before?.merged_candidate_id, after?.merged_candidate_id])
    const back = changes.flatMap(({ resource, record_id, action }) =>
      resource === 'candidates' && action !== 'update' ? record_id : [],
    )
    const ids = [...new Set([...(merged.filter(Boolean) as number[]), ...back])]
    if (ids.length === 0) return
    const there = await existing(db, 'candidates', ids)
    const told = await db
      .from('candidate_merges')
      .select('merged_candidate_id as id')
      .where('merged_candidate_id', 'in', ids)
      .execute()
    if (told.some(({ id }) => there.has(id)))
      throw conflict(`This cannot be undone alone: candidate ${told[0]?.id} was merged into another one. ${WHOLE}`)
    const lost = merges.find(
      ({ action, before }) => action === 'delete' && !there.has(before?.merged_candidate_id as number),
    )
    if (lost) throw conflict(`This cannot be undone alone: the merged data would be lost. ${WHOLE}`)
  },
}

/**
 * Of a merge and of a hire nothing is undone alone: a note that tells of the duplicate would come back to the candidate, or
 * somebody would be an employee without having been hired.
 */
const mergesAndHiresAreWhole: UndoGuard = { tables: ['candidate_merges', 'hires'], wholeRequestOnly: true }

/** A pipeline keeps at least one stage, and counts them without gaps. */
const stagesHold: UndoGuard = {
  tables: ['pipeline_stages'],
  async check(db, changes) {
    const retyped = changes.flatMap(({ resource, action, record_id, before, after }) =>
      resource === stages.table && action === 'update' && [before?.type, after?.type].includes('hired')
        ? record_id
        : [],
    )
    if (retyped.length > 0) await refuseStanding(db, retyped)
    for (const id of await valuesOf(db, stages, 'pipeline_id', changes)) {
      if (!(await existing(db, 'pipelines', [id])).has(id)) continue
      const own = db.from('pipeline_stages').where('pipeline_id', '=', id)
      if (!(await own.select('id').limit(1).executeTakeFirst()))
        throw conflict('This cannot be undone: a pipeline needs at least one stage.')
      await renumber(db, stages, own)
    }
  },
}

export const recruitmentGuards = [stagesHold, placesHold, hiresHold, candidatesHold, staysHold, mergesAndHiresAreWhole]
