import Type from 'typebox'
import type { Writer } from '../database/write.ts'
import { get, list, listAll, post, put, remove } from '../engine/derive.ts'
import { date, derived, hidden, integer, longText, reference, text } from '../engine/field.ts'
import { operation, recordId, wrapped } from '../engine/operation.ts'
import { conflict, type FieldProblem, invalid } from '../engine/problem.ts'
import { amend, create, erase, existing, find, type Rule } from '../engine/records.ts'
import { type Resource, resource, schemaOf, show } from '../engine/resource.ts'
import { addressOf } from '../files/addresses.ts'
import type { FileStore } from '../files/store.ts'
import { file, readUpload } from '../files/upload.ts'
import { personShort } from '../people/employees.ts'
import { applications, movements } from './applications.ts'
import { candidateSkills, candidates, candidateTags, filesPart, likelyDuplicates } from './candidates.ts'
import { CONSENT_MOVES, type Consent, type ConsentStatus, shownConsent } from './consent.ts'

const area = 'recruitment'
const candidate_id = reference('candidates', { required: true, owner: true })
const of = (table: string, one: string, name: string) => ({
  table,
  one,
  area,
  path: `/recruitment/candidates/{candidate_id}/${name}`,
})

export const candidateNotes = resource(of('candidate_notes', 'candidate note', 'notes'), {
  candidate_id,
  comment: longText({ required: true, example: 'Knows compilers' }),
  created_by_id: { ...reference('employees', { show: () => personShort }), input: null },
})

export const candidateEducations = resource(of('candidate_educations', 'candidate education', 'educations'), {
  candidate_id,
  school: text({ required: true, example: 'Yale' }),
  name: text({ required: true, example: 'Mathematics' }),
  from_year: integer({ required: true, min: 1900, max: 2200, example: 1930 }),
  to_year: integer({ min: 1900, max: 2200, example: 1934 }),
  subject: text({ example: 'Algebra' }),
  description: longText({ nullable: true }),
})

export const candidateExperiences = resource(of('candidate_experiences', 'candidate experience', 'experiences'), {
  candidate_id,
  title: text({ required: true, example: 'Programmer' }),
  company: text({ required: true, example: 'Harvard' }),
  starts_on: date({ required: true, example: '2020-01-01' }),
  ends_on: date({ example: '2022-01-01' }),
  location: text({ example: 'Cambridge' }),
  description: longText({ nullable: true }),
})

const kept = ['candidate_id', 'file_hash', 'filename', 'file_type']
const fileOf = (row: any, account: number) => ({
  part: filesPart(account, row.candidate_id),
  hash: row.file_hash,
  name: row.filename,
  type: row.file_type,
})

export const candidateDocuments = resource(of('candidate_documents', 'candidate document', 'documents'), {
  candidate_id,
  filename: text({ required: true, example: 'references.pdf' }),
  file_hash: hidden(text()),
  file_type: hidden(text()),
  url: derived(Type.String(), kept, (row, db) => addressOf(db, fileOf(row, db.account.id)).url),
  expires_at: derived(
    Type.String({ format: 'date-time' }),
    kept,
    (row, db) => addressOf(db, fileOf(row, db.account.id)).expires_at,
  ),
})

const yearsInOrder: Rule<typeof candidateEducations> = ({ after, fail }) => {
  if (after.to_year !== null && after.from_year && after.to_year < after.from_year)
    fail('to_year', 'too_early', 'cannot be before from_year')
}

const datesInOrder: Rule<typeof candidateExperiences> = ({ after, fail }) => {
  if (after.ends_on && after.starts_on && after.ends_on < after.starts_on)
    fail('ends_on', 'too_early', 'cannot be before starts_on')
}

const five = <R extends Resource<any>>(of: R, rules: Rule<R>[]) => [
  listAll(of),
  get(of),
  post(of, { rules }),
  put(of, { rules }),
  remove(of),
]

/** Keeps a file among those of a candidate. */
export async function keepDocument(
  db: Writer,
  files: FileStore,
  candidateId: number,
  sent: unknown,
  problems: FieldProblem[],
  filename?: string,
): Promise<number> {
  const upload = readUpload(sent)
  if (!upload)
    problems.push({
      field: 'attachment',
      code: 'invalid',
      message: 'attachment must be an uploaded file or a data URI in base64',
    })
  if (!upload || problems.length > 0) throw invalid(problems)
  const file_hash = await files.in(filesPart(db.account.id, candidateId)).save(upload.bytes)
  return create(
    db,
    candidateDocuments,
    { candidate_id: candidateId, filename: filename ?? upload.filename, file_hash, file_type: upload.type },
    { problems },
  )
}

const one = Type.Object({ candidate_id: recordId('candidates') })
const whole = wrapped(schemaOf(candidates.whole))

/** Moves all rows of some tables from one candidate to another. */
async function handOver(db: Writer, tables: Resource<any>[], from: number, to: number): Promise<void> {
  for (const of of tables) {
    const rows = await db.from(of.table).select('id').where('candidate_id', '=', from).execute()
    for (const { id } of rows) await amend(db, of, await find(db, of, id), { candidate_id: to })
  }
}

export const candidateRecordOperations = [
  list(candidateNotes),
  get(candidateNotes),
  post(candidateNotes, {
    store: ({ db, body, problems }) =>
      create(db, candidateNotes, { ...body, created_by_id: db.employeeId }, { problems }),
  }),
  put(candidateNotes),
  remove(candidateNotes),
  ...five(candidateEducations, [yearsInOrder]),
  ...five(candidateExperiences, [datesInOrder]),
  listAll(candidateDocuments),
  get(candidateDocuments),
  post(candidateDocuments, {
    optional: ['filename'],
    more: { attachment: file('The file, as a part of a multipart body or as a data URI; at most 25 MiB') },
    store: ({ db, body, problems, files }) =>
      keepDocument(db, files, body.candidate_id, body.attachment, problems, body.filename),
  }),
  put(candidateDocuments),
  remove(candidateDocuments),
  operation(
    {
      id: 'setCandidateConsent',
      method: 'POST',
      path: '/recruitment/candidates/{candidate_id}/consent',
      summary: 'Ask for, note or withdraw a consent',
      area,
      params: one,
      body: Type.Object(
        {
          kind: Type.Unsafe<'processing' | 'future_recruitment'>({
            type: 'string',
            enum: ['processing', 'future_recruitment'],
            examples: ['processing'],
          }),
          status: Type.Unsafe<'none' | 'pending' | 'consented' | 'rejected'>({
            type: 'string',
            enum: ['none', 'pending', 'consented', 'rejected'],
            examples: ['pending'],
          }),
          expires_on: Type.Optional(
            Type.Unsafe<string | null>({
              type: ['string', 'null'],
              format: 'date',
              examples: ['2030-01-01'],
              description: 'The first day on which a given consent no longer holds',
            }),
          ),
        },
        { title: 'SetConsent' },
      ),
      answer: whole,
      conflicts: 'The consent cannot go there from where it is',
    },
    async ({ db, params, body }) => {
      const before = await find(db, candidates, params.candidate_id)
      const column = body.kind === 'processing' ? 'consent_kept' : 'future_consent_kept'
      const now = before[column] as Consent
      const current = shownConsent(now, db.today).status as ConsentStatus
      if (!CONSENT_MOVES[current].includes(body.status))
        throw conflict(`A consent that is ${current} cannot become ${body.status}`)
      const next: Consent = {
        status: body.status,
        consented_at: body.status === 'consented' ? db.now : now.consented_at,
        rejected_at: body.status === 'rejected' ? db.now : null,
        expires_on: body.status === 'consented' ? (body.expires_on ?? null) : null,
      }
      await amend(db, candidates, before, { [column]: next })
      return { body: { data: (await show(db, candidates.whole, [before.id]))[0] } }
    },
  ),
  operation(
    {
      id: 'listCandidateDuplicates',
      method: 'GET',
      path: '/recruitment/candidates/{candidate_id}/duplicates',
      summary: 'Propose candidates who may be the same person',
      area,
      params: one,
      answer: Type.Object({
        data: Type.Array(
          Type.Object(
            { candidate: schemaOf(candidates.whole), same: Type.Array(Type.String()) },
            { title: 'CandidateDuplicate' },
          ),
        ),
      }) as any,
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
      answer: whole,
      conflicts: 'Both have applied to the same vacancy, or both are employees',
    },
    async ({ db, params, body, files }) => {
      const target = await find(db, candidates, params.candidate_id)
      if (body.duplicate_id === target.id || !(await existing(db, 'candidates', [body.duplicate_id])).size)
        throw invalid([
          {
            field: 'duplicate_id',
            code: 'not_found',
            message: 'duplicate_id must be the id of another existing candidate',
          },
        ])
      const duplicate = await find(db, candidates, body.duplicate_id)
      await merge(db, target.id, duplicate.id, files)
      return { body: { data: (await show(db, candidates.whole, [target.id]))[0] } }
    },
  ),
]

async function merge(db: Writer, targetId: number, duplicateId: number, files: FileStore): Promise<void> {
  const [target, duplicate] = [await find(db, candidates, targetId), await find(db, candidates, duplicateId)]
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
  await files.in(filesPart(db.account.id, duplicate.id)).clear()
}

/** The files of a candidate lie in a place of their own, so they are copied before the place goes. */
async function copyFiles(db: Writer, from: number, to: number, files: FileStore): Promise<void> {
  const [source, target] = [files.in(filesPart(db.account.id, from)), files.in(filesPart(db.account.id, to))]
  const rows = await db
    .from('candidate_documents')
    .select(['id', 'file_hash'])
    .where('candidate_id', '=', from)
    .execute()
  for (const { id, file_hash } of rows) {
    const found = await source.read(file_hash)
    if (found) await target.save(Buffer.concat(await found.stream.toArray()))
    await amend(db, candidateDocuments, await find(db, candidateDocuments, id), { candidate_id: to })
  }
  const [mine, theirs] = [await find(db, candidates, to), await find(db, candidates, from)]
  if (mine.resume_hash !== null || theirs.resume_hash === null) return
  const found = await source.read(theirs.resume_hash)
  if (found) await target.save(Buffer.concat(await found.stream.toArray()))
  const { resume_hash, resume_name, resume_type } = theirs
  await amend(db, candidates, mine, { resume_hash, resume_name, resume_type })
}
