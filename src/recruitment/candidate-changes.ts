import { fieldsInput } from '../custom/plain-values.ts'
import type { Row } from '../engine/declaration.ts'
import type { Body } from '../engine/derive.ts'
import type { Call, Files } from '../engine/operation.ts'
import type { FieldProblem } from '../engine/problem.ts'
import { amend, create, find, replaceOwned } from '../engine/records.ts'
import { file, notAFile, readUpload, type Upload } from '../files/upload.ts'
import type { Writer } from '../ledger/write.ts'
import { candidatePhones, candidateSkills, candidates, candidateTags, filesPart, phoneKey } from './candidates.ts'
import { candidateFields } from './lists.ts'
import { wordsInput } from './word-lists.ts'

/** The one path of all changes of candidates. */

/** The numbers as they are compared; what is too short to tell anybody is not. */
const storePhones = (db: Writer, id: number, numbers: string[]) =>
  replaceOwned(
    db,
    candidatePhones,
    { candidate_id: id },
    numbers
      .map(phoneKey)
      .filter((key) => key.length >= 5)
      .map((number_key) => ({ number_key })),
    'number_key',
  )

export const candidateInput = {
  skills: wordsInput,
  tags: wordsInput,
  resume: file('The resume, as a part of a multipart body or as a data URI; at most 25 MiB'),
  fields: fieldsInput,
}

export type CandidateBody = Body<typeof candidates, typeof candidateInput>

/** The upload that a body holds, if it holds one. */
function resumeIn(body: CandidateBody, problems: FieldProblem[]): Upload | null | undefined {
  if (body.resume === undefined) return undefined
  if (body.resume === null || body.resume === '') return null
  const upload = readUpload(body.resume)
  if (!upload) problems.push(notAFile('resume'))
  return upload
}

/** Creates or changes a candidate with everything that a body may hold. */
export async function saveCandidate(
  {
    db,
    body,
    extra,
    ignored,
    problems,
    files,
  }: Omit<Call<Writer, unknown, unknown, CandidateBody>, 'params' | 'query'>,
  before: Row<typeof candidates> | null,
): Promise<number> {
  const earlier = db.changeCount()
  const values = await candidateFields.read(db, { extra, fields: body.fields, ignored, problems })
  const upload = resumeIn(body, problems)
  const { resume: _resume, skills, tags, fields: _fields, ...row } = body
  let id: number
  if (before) {
    id = before.id
    await amend(db, candidates, before, row, { problems })
  } else {
    id = await create(db, candidates, { created_by_id: db.caller.personId, ...row }, { problems })
  }
  await candidateSkills.set(db, id, skills)
  await candidateTags.set(db, id, tags)
  await candidateFields.store(db, id, values)
  if (row.phone_numbers !== undefined) await storePhones(db, id, row.phone_numbers ?? [])
  if (upload !== undefined) await keepResume(db, id, upload, files)
  if (db.changeCount() > earlier) await db.touch('candidates', [id])
  return id
}

async function keepResume(db: Writer, id: number, upload: Upload | null, files: Files): Promise<void> {
  const kept = upload
    ? {
        resume_hash: await files.in(filesPart(db.account.id, id)).save(upload.bytes),
        resume_name: upload.filename,
        resume_type: upload.type,
      }
    : { resume_hash: null, resume_name: null, resume_type: null }
  await amend(db, candidates, await find(db, candidates, id), kept)
}
