import Type from 'typebox'
import type { Field, Resource, Row } from '../engine/declaration.ts'
import { fold } from '../engine/format.ts'
import { type Files, operation } from '../engine/operation.ts'
import { conflict, invalid, wrong } from '../engine/problem.ts'
import { amend, erase, existing, find, rowsOf } from '../engine/records.ts'
import { recordId, schemaOf, wrapped, wrappedList } from '../engine/schema.ts'
import { show, showOne } from '../engine/shape.ts'
import type { Reader } from '../ledger/reader.ts'
import type { Writer } from '../ledger/write.ts'
import { applications, movements } from './applications.ts'
import {
  candidateDocuments,
  candidateEducations,
  candidateExperiences,
  candidateNotes,
  clearFilesOf,
} from './candidate-records.ts'
import { candidateSkills, candidates, candidateTags, filesPart, phoneKey } from './candidates.ts'

/** Finding candidates who are the same person, and making one of two. */

const area = 'recruitment'
const one = Type.Object({ candidate_id: recordId('candidates') })

type Candidate = Row<typeof candidates>
type Owned = Resource<{ candidate_id: Field<number> }>

/** Those who may be the same person: the same name or phone number. E-mail addresses are unique anyway. */
export async function likelyDuplicates(db: Reader, id: number): Promise<{ id: number; by: string[] }[]> {
  const person = await find(db, candidates, id)
  const numbers = person.phone_numbers.map(phoneKey)
  const byName = await db
    .from('candidates')
    .select('id')
    .where('full_name_key', '=', fold(person.full_name))
    .where('id', '!=', id)
    .limit(50)
    .execute()
  const byPhone = numbers.length
    ? await db
        .from('candidate_phones')
        .select('candidate_id as id')
        .where('number_key', 'in', numbers)
        .where('candidate_id', '!=', id)
        .limit(50)
        .execute()
    : []
  const found = new Map<number, Set<string>>()
  for (const [by, rows] of [
    ['name', byName],
    ['phone', byPhone],
  ] as const)
    for (const row of rows) found.set(row.id, (found.get(row.id) ?? new Set()).add(by))
  return [...found].map(([other, by]) => ({ id: other, by: [...by] }))
}

/** Moves all rows of some tables from one candidate to another. */
async function handOver(db: Writer, tables: readonly Owned[], from: number, to: number): Promise<void> {
  for (const of of tables) {
    const rows = await rowsOf(of, db.from(of.table).where('candidate_id', '=', from))
    for (const row of rows) await amend(db, of, row, { candidate_id: to })
  }
}

async function merge(db: Writer, target: Candidate, duplicate: Candidate, files: Files): Promise<void> {
  if (target.employee_id !== null && duplicate.employee_id !== null)
    throw conflict(`Both are employees: ${target.employee_id} and ${duplicate.employee_id}`)
  const vacancies = (id: number) => db.from('applications').select('vacancy_id').where('candidate_id', '=', id)
  const both = await vacancies(duplicate.id).where('vacancy_id', 'in', vacancies(target.id)).execute()
  if (both.length > 0) throw conflict(`Both have applied to vacancy ${both.map((row) => row.vacancy_id).join(', ')}`)

  const [shownTarget, shownDuplicate] = await show(db, candidates.whole, [target.id, duplicate.id])
  const names = [
    'date_of_birth',
    'position',
    'location',
    'level',
    'desired_salary',
    'currency_code',
    'source_id',
    'employee_id',
  ] as const
  const missing = Object.fromEntries(
    names.filter((name) => target[name] === null).map((name) => [name, duplicate[name]]),
  )
  const email = target.email ?? duplicate.email
  const union = (name: 'phone_numbers' | 'urls') => [...new Set([...target[name], ...duplicate[name]])]

  await handOver(
    db,
    [applications, movements, candidateNotes, candidateEducations, candidateExperiences],
    duplicate.id,
    target.id,
  )
  await clearFilesOf(db, duplicate)
  await copyFiles(db, duplicate.id, target.id, files)
  await candidateSkills.set(db, target.id, [...shownTarget.skills, ...shownDuplicate.skills])
  await candidateTags.set(db, target.id, [...shownTarget.tags, ...shownDuplicate.tags])
  await erase(db, candidates, await find(db, candidates, duplicate.id))
  const merged = {
    ...missing,
    email,
    phone_numbers: union('phone_numbers'),
    urls: union('urls'),
    cover_letter: target.cover_letter || duplicate.cover_letter,
  }
  await amend(db, candidates, await find(db, candidates, target.id), merged)
}

/** The files of a candidate lie in a place of their own, so they are copied before the place goes. */
async function copyFiles(db: Writer, from: number, to: number, files: Files): Promise<void> {
  const [source, target] = [files.in(filesPart(db.account.id, from)), files.in(filesPart(db.account.id, to))]
  const copy = async (hash: string | null) => {
    if (hash === null) return
    const found = await source.read(hash)
    // Without its file a document would be lost for good when the place goes: then nothing is merged.
    if (!found) throw conflict('A file of the duplicate is missing; nothing was merged')
    await target.save(Buffer.concat(await found.stream.toArray()))
  }
  const documents = db.from('candidate_documents').where('candidate_id', '=', from)
  for (const row of await rowsOf(candidateDocuments, documents)) {
    await copy(row.file_hash)
    await amend(db, candidateDocuments, row, { candidate_id: to })
  }
  const [mine, theirs] = [await find(db, candidates, to), await find(db, candidates, from)]
  if (mine.resume_hash !== null || theirs.resume_hash === null) return
  await copy(theirs.resume_hash)
  const { resume_hash, resume_name, resume_type } = theirs
  await amend(db, candidates, mine, { resume_hash, resume_name, resume_type })
}

export const duplicateOperations = [
  operation(
    {
      id: 'listCandidateDuplicates',
      method: 'GET',
      path: '/recruitment/candidates/{candidate_id}/duplicates',
      summary: 'Propose candidates who may be the same person',
      area,
      params: one,
      answer: wrappedList(
        Type.Object(
          { candidate: schemaOf(candidates.whole), same: Type.Array(Type.String()) },
          { title: 'CandidateDuplicate' },
        ),
      ),
      looksAt: ['candidates.full_name_key', 'candidate_phones.number_key'],
    },
    async ({ db, params }) => {
      const found = await likelyDuplicates(db, params.candidate_id)
      const records = await show(
        db,
        candidates.whole,
        found.map(({ id }) => id),
      )
      return { body: { data: found.map(({ by }, index) => ({ candidate: records[index], same: by })) } }
    },
  ),
  operation(
    {
      id: 'mergeCandidates',
      method: 'POST',
      path: '/recruitment/candidates/{candidate_id}/merge',
      summary: 'Merge a duplicate into a candidate',
      note: 'Applications, notes, documents, skills and tags move over; what the candidate does not have is taken from the duplicate, which is then gone.',
      area,
      params: one,
      body: Type.Object({ duplicate_id: recordId('candidates') }, { title: 'MergeCandidates' }),
      answer: wrapped(schemaOf(candidates.whole)),
      conflicts: 'Both have applied to the same vacancy, or both are employees',
    },
    async ({ db, params, body, files }) => {
      const target = await find(db, candidates, params.candidate_id)
      if (body.duplicate_id === target.id || !(await existing(db, 'candidates', [body.duplicate_id])).size)
        throw invalid(wrong('duplicate_id', 'not_found', 'must be the id of another existing candidate'))
      await merge(db, target, await find(db, candidates, body.duplicate_id), files)
      return { body: await showOne(db, candidates.whole, target.id) }
    },
  ),
]
