import Type from 'typebox'
import { listAll } from '../../engine/derive.ts'
import { currency, date, email, former, integer, loaded, reference, text } from '../../engine/field.ts'
import type { Operation } from '../../engine/operation.ts'
import { Problem } from '../../engine/problem.ts'
import { resource } from '../../engine/resource.ts'
import { listsFor } from '../../engine/shape.ts'
import type { Reader } from '../../records/reader.ts'
import { personShort } from '../people/person.ts'
import { CANDIDATES } from './applicants.ts'

/** Which candidates were merged into one, and what they were called. */
export const candidateMerges = resource(
  {
    table: 'candidate_merges',
    one: 'candidate merge',
    area: CANDIDATES.area,
    path: `${CANDIDATES.path}/{candidate_id}/merges`,
  },
  {
    candidate_id: reference(CANDIDATES.table, { required: true, owner: true }),
    merged_candidate_id: former('candidates'),
    full_name: text({ required: true }),
    email: email(),
    date_of_birth: date({ group: 'personal' }),
    gender: text({ group: 'personal' }),
    desired_salary: integer({ max: Number.MAX_SAFE_INTEGER, money: true, group: 'compensation' }),
    currency_code: currency(),
    merged_by_id: reference('employees', { show: () => personShort }),
  },
)

export const mergedIds = loaded(
  Type.Array(Type.Integer(), { description: 'IDs of the duplicates that were merged into this candidate' }),
  load,
)

async function load(db: Reader, ids: number[]): Promise<Map<number, number[]>> {
  const rows = await db
    .from('candidate_merges')
    .select(['candidate_id', 'merged_candidate_id'])
    .where('candidate_id', 'in', ids)
    .orderBy('id')
    .execute()
  return listsFor(
    ids,
    rows.map((row) => [row.candidate_id, row.merged_candidate_id]),
  )
}

/** The same operation; whoever asks for a candidate who was merged is told into whom. */
export const tellingMerged = (operation: Operation): Operation => ({
  ...operation,
  async handle(call) {
    try {
      return await operation.handle(call)
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'not_found')) throw error
      const id = call.params.candidate_id ?? call.params.id
      const found = await (call.db as Reader)
        .from('candidate_merges')
        .select('candidate_id')
        .where('merged_candidate_id', '=', id)
        .executeTakeFirst()
      if (!found) throw error
      throw new Problem(
        404,
        'merged',
        `Candidate ${id} was merged into candidate ${found.candidate_id}. Use candidate ${found.candidate_id}.`,
      )
    }
  },
})

export const candidateMergeOperations = [tellingMerged(listAll(candidateMerges))]
