import Type from 'typebox'
import type { Resource } from '../../engine/declaration.ts'
import { get, list, listAll, MOST_OWNED, plainOwned, post, put, remove } from '../../engine/derive.ts'
import { date, derived, integer, LONGEST_TEXT, longText, reference, text } from '../../engine/field.ts'
import type { FileSource } from '../../engine/file-source.ts'
import type { Files, Operation } from '../../engine/operation.ts'
import { type FieldProblem, invalid } from '../../engine/problem.ts'
import { create, insertAll } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { inOrder } from '../../engine/rule.ts'
import { schemaOf, wrappedAndBare } from '../../engine/schema.ts'
import type { Writer } from '../../records/write.ts'
import { ownFileColumns } from '../files/columns.ts'
import { clearAfterCommit } from '../files/store.ts'
import { addressOf } from '../files/tickets.ts'
import { FILE_GOES } from '../files/undo-guards.ts'
import { file, notAFile, readUpload } from '../files/upload.ts'
import { personShort } from '../people/person.ts'
import { tellingMerged } from './candidate-merges.ts'
import { filesPart } from './candidates.ts'

/** What is kept about a candidate in records of their own: notes, educations, experiences, documents. */

const area = 'recruitment'
const candidate_id = reference('candidates', { required: true, owner: true })
const of = (table: string, one: string, name: string) => ({
  table,
  one,
  area,
  path: `/recruitment/candidates/{candidate_id}/${name}`,
})

export const candidateNotes = resource(
  { ...of('candidate_notes', 'candidate note', 'notes'), group: 'notes' },
  {
    candidate_id,
    comment: longText({ required: true, example: 'Strong background in compilers' }),
    created_by_id: { ...reference('employees', { show: () => personShort }), input: null },
  },
)

export const candidateEducations = resource(of('candidate_educations', 'candidate education', 'educations'), {
  candidate_id,
  school: text({ required: true, example: 'Yale' }),
  name: text({ required: true, example: 'Mathematics' }),
  from_year: integer({ required: true, min: 1900, max: 2200, example: 2005 }),
  to_year: integer({ min: 1900, max: 2200, example: 2009 }),
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

const kept = ['id', 'file_hash']
type CandidateFile = { id: number; file_hash: string }

const fileOf = ({ id, file_hash }: CandidateFile) => ({ of: 'candidate_documents', id, hash: file_hash })

export const candidateDocuments = resource(of('candidate_documents', 'candidate document', 'documents'), {
  candidate_id,
  filename: text({ required: true, example: 'references.pdf' }),
  ...ownFileColumns,
  url: derived(Type.String(), kept, (row, db) => addressOf(db, fileOf(row)).url),
  expires_at: derived(Type.String({ format: 'date-time' }), kept, (row, db) => addressOf(db, fileOf(row)).expires_at),
})

export const candidateDocumentFiles: FileSource = {
  table: 'candidate_documents',
  named: 'file_hash',
  columns: ['candidate_id', 'file_hash', 'filename', 'file_type'],
  fileOf: ({ account_id, candidate_id, file_hash, filename, file_type }) => ({
    part: filesPart(account_id, candidate_id),
    hash: file_hash,
    name: filename,
    type: file_type,
  }),
}

/** Has the files of a candidate who goes taken away, also those that an unfinished write has left. */
export async function clearFilesOf(db: Writer, candidate: { id: number; resume_hash: string | null }): Promise<void> {
  const documents = db.from('candidate_documents').select('id').where('candidate_id', '=', candidate.id)
  const isKnown = candidate.resume_hash !== null || (await documents.executeTakeFirst()) !== undefined
  clearAfterCommit(db, filesPart(db.account.id, candidate.id), { isKnown })
}

/** Writes texts into notes: together where they fit, since each note must be one that can be sent back. */
export async function writeNotes(db: Writer, candidateId: number, texts: readonly string[]): Promise<void> {
  const comments: string[] = []
  for (const text of texts) {
    const last = comments.at(-1)
    if (last !== undefined && last.length + 2 + text.length <= LONGEST_TEXT)
      comments.push(`${comments.pop()}\n\n${text}`)
    else comments.push(text)
  }
  await insertAll(
    db,
    candidateNotes,
    comments.map((comment) => ({ candidate_id: candidateId, comment, created_by_id: db.caller.personId })),
  )
}

/** Keeps a file among those of a candidate. */
export async function keepDocument(
  db: Writer,
  files: Files,
  candidateId: number,
  sent: unknown,
  problems: FieldProblem[],
  filename?: string | null,
): Promise<number> {
  const upload = readUpload(sent)
  if (!upload) problems.push(notAFile('attachment'))
  if (!upload || problems.length > 0) throw invalid(problems)
  const file_hash = await files.in(filesPart(db.account.id, candidateId)).save(upload.bytes)
  return create(
    db,
    candidateDocuments,
    { candidate_id: candidateId, filename: filename ?? upload.filename, file_hash, file_type: upload.type },
    { problems },
  )
}

/** The same operation; its record also stands beside `data`, where some clients look for it. */
const alsoBare = (operation: Operation, of: Resource): Operation => ({
  ...operation,
  answer: wrappedAndBare(schemaOf(of.whole)),
  async handle(call) {
    const answer = await operation.handle(call)
    const { data } = answer.body as { data: object }
    return { ...answer, body: { data, ...data } }
  },
})

export const candidateRecordOperations = [
  list(candidateNotes),
  get(candidateNotes),
  post(candidateNotes, {
    // Programs test for it, and store the note again after anything else.
    status: 200,
    store: ({ db, body, problems }) =>
      create(db, candidateNotes, { ...body, created_by_id: db.caller.personId }, { problems }),
  }),
  put(candidateNotes),
  remove(candidateNotes),
  ...plainOwned(candidateEducations, [inOrder('from_year', 'to_year')]),
  ...plainOwned(candidateExperiences, [inOrder('starts_on', 'ends_on')]),
  listAll(candidateDocuments),
  get(candidateDocuments),
  alsoBare(
    post(candidateDocuments, {
      most: MOST_OWNED,
      optional: ['filename'],
      more: { attachment: file('The file, as a part of a multipart body or as a data URI; at most 25 MiB') },
      store: ({ db, body, params, problems, files }) =>
        keepDocument(db, files, params.candidate_id, body.attachment, problems, body.filename),
    }),
    candidateDocuments,
  ),
  put(candidateDocuments),
  remove(candidateDocuments, { note: FILE_GOES }),
].map(tellingMerged)
