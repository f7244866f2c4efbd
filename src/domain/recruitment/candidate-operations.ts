import Type, { type TSchema, type TUnsafe } from 'typebox'
import type { Row } from '../../engine/declaration.ts'
import { get, list, post, put, remove } from '../../engine/derive.ts'
import { alsoTheGone, eraseForGood } from '../../engine/erasure.ts'
import { orNull } from '../../engine/field.ts'
import { type Filter, hasWords, having, IDS, isRecord, isText, timeRange } from '../../engine/filter.ts'
import { requireWholeSight } from '../../engine/permission.ts'
import { wrong } from '../../engine/problem.ts'
import { find, nameable } from '../../engine/records.ts'
import { recordId } from '../../engine/schema.ts'
import type { Writer } from '../../records/write.ts'
import { apply } from './application-moves.ts'
import { applications } from './applications.ts'
import { candidateInput, saveCandidate } from './candidate-changes.ts'
import { tellingMerged } from './candidate-merges.ts'
import { clearFilesOf } from './candidate-records.ts'
import { candidateSkills, candidates, candidateTags } from './candidates.ts'
import { hiredFilters } from './hired-filters.ts'
import { vacancies } from './vacancies.ts'

/** Takes a candidate away for good, with everything about them. */
export async function eraseCandidate(db: Writer, candidate: Row<typeof candidates>): Promise<void> {
  requireWholeSight(db.caller)
  await clearFilesOf(db, candidate)
  await eraseForGood(db, candidates, candidate.id)
}

/** Those with an application to one of the vacancies, in the stage when that is asked for too: one lookup for both. */
const withVacancies = (schema: TSchema): Filter => ({
  schema,
  indexedColumns: ['applications.vacancy_id'],
  selfContained: true,
  narrow(query, sent, db, { pipeline_stage_id }) {
    const vacancyIds = [sent].flat()
    if (vacancyIds.length === 0) return query
    const found = db.from('applications').where('vacancy_id', 'in', vacancyIds)
    const staged = pipeline_stage_id === undefined ? found : found.where('stage_id', '=', pipeline_stage_id)
    return having(query, db, 'candidates.id', staged, 'applications.candidate_id')
  },
})

const inStage: Filter = {
  schema: isRecord(applications, 'stage_id').schema,
  indexedColumns: ['applications.stage_id'],
  selfContained: true,
  narrow: (query, stageId, db, { vacancy_id, vacancy_ids }) =>
    vacancy_id || vacancy_ids?.length
      ? query
      : having(
          query,
          db,
          'candidates.id',
          db.from('applications').where('stage_id', '=', stageId),
          'applications.candidate_id',
        ),
}

/** By how their applications stand: all of them, or those to the vacancies that are asked for. */
const byState: Filter = {
  schema: Type.Unsafe<string>({
    type: 'string',
    enum: ['active', 'disqualified', 'hired'],
    description:
      'Only candidates with this status. If you also filter by vacancy, the status depends on their applications for those vacancies only',
  }),
  indexedColumns: ['applications.candidate_id', 'candidates.employee_id'],
  selfContained: true,
  narrow(query, state, db, { vacancy_id, vacancy_ids }) {
    if (state === 'hired') return query.where('candidates.employee_id', 'is not', null)
    const vacancyIds = [vacancy_id ?? [], vacancy_ids ?? []].flat()
    const all = db.from('applications')
    const found = vacancyIds.length > 0 ? all.where('vacancy_id', 'in', vacancyIds) : all
    const candidateIds = (is: 'is' | 'is not') => found.where('disqualified_at', is, null).select('candidate_id')
    const open = query.where('candidates.employee_id', 'is', null)
    return state === 'active'
      ? open.where('candidates.id', 'in', candidateIds('is'))
      : open.where('candidates.id', 'in', candidateIds('is not')).where('candidates.id', 'not in', candidateIds('is'))
  },
}

const vacancy_id = Type.Optional(
  orNull({ ...recordId('vacancies'), description: 'ID of the vacancy for which to create an application' }) as TUnsafe<
    number | null
  >,
)

export const candidateOperations = [
  list(candidates, {
    filters: {
      created_at: timeRange(candidates, 'created_at'),
      updated_at: timeRange(candidates, 'updated_at'),
      email: isText(candidates, 'email'),
      pipeline_stage_id: inStage,
      vacancy_ids: withVacancies(IDS),
      vacancy_id: withVacancies(isRecord(applications, 'vacancy_id').schema),
      skills: candidateSkills.all,
      tags: candidateTags.byName,
      source_id: isRecord(candidates, 'source_id'),
      state: byState,
      ...hiredFilters,
      q: hasWords(candidates, 'Words, or beginnings of words, in the name or email address'),
    },
  }),
  get(candidates),
  post(candidates, {
    more: { ...candidateInput, vacancy_id },
    open: true,
    note: 'If you send `vacancy_id`, also creates an application for this vacancy; if one of the two fails, neither is created.',
    conflicts: 'The vacancy is closed, cancelled or archived',
    async store(call) {
      const { vacancy_id: vacancyId, ...body } = call.body
      const { db, problems } = call
      if (vacancyId && !(await nameable(db, 'vacancies', [vacancyId])).size)
        problems.push(wrong('vacancy_id', 'not_found', 'must be the id of an existing vacancy'))
      const id = await saveCandidate({ ...call, body }, null)
      if (vacancyId) await apply(db, await find(db, vacancies, vacancyId), id)
      return id
    },
  }),
  put(candidates, {
    more: candidateInput,
    open: true,
    conflicts: 'A consent cannot change from its current status to the one you sent',
    async store(call, before) {
      await saveCandidate(call, before)
    },
  }),
  alsoTheGone(candidates, {
    ...remove(candidates, {
      note: 'Erases the person and all their data for good; undo cannot restore them. The change history still shows that a candidate was created and erased, but no names or values. Also works after the creation of the candidate was undone.',
      conflicts: null,
      store: ({ db }, before) => eraseCandidate(db, before),
    }),
    summary: 'Erase a candidate',
  }),
].map(tellingMerged)
