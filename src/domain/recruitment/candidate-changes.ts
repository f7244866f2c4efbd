import Type from 'typebox'
import type { Row } from '../../engine/declaration.ts'
import type { Body } from '../../engine/derive.ts'
import { fold } from '../../engine/format.ts'
import { didYouMean } from '../../engine/nearest.ts'
import type { Call, Files } from '../../engine/operation.ts'
import { canBecome, conflict, type FieldProblem, type Problem, wrong } from '../../engine/problem.ts'
import { amend, create, find, holdTo, type Rule, replaceOwned } from '../../engine/records.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { fieldsInput } from '../custom/plain-values.ts'
import { file, notAFile, readUpload, type Upload } from '../files/upload.ts'
import { languagesInput, readLanguages, storeLanguages } from './candidate-languages.ts'
import { candidatePhones, candidateSkills, candidates, candidateTags, filesPart, phoneKey } from './candidates.ts'
import { CONSENT_MOVES, type Consent, NO_CONSENT, shownConsent } from './consent.ts'
import { consentBy, consentInput, consentMoments, sentConsent } from './consent-input.ts'
import { isInFuture } from './future-time.ts'
import { candidateFields } from './reference-data.ts'
import { wordsInput } from './skills-and-tags.ts'

/** The one path of all changes of candidates. */

/** The numbers as they are compared; what is too short to tell anybody is not. */
export const storePhones = (db: Writer, id: number, numbers: string[]) =>
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
  languages: languagesInput,
  consent: consentInput,
  future_recruitment_consent: consentInput,
  ...consentMoments,
  skills: wordsInput,
  tags: wordsInput,
  resume: file('The résumé, as a part of a multipart body or as a data URI; at most 25 MiB'),
  fields: fieldsInput,
  source: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: 255,
    format: 'line',
    description: 'Name of a source; alternative to `source_id`',
  }),
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

type Candidate = Row<typeof candidates>

/** The gender that was sent, as the account's list calls it: by its name or its id. What is kept may be sent again. */
async function genderIn(
  db: Reader,
  sent: string | number | null | undefined,
  before: Candidate | null,
  problems: FieldProblem[],
): Promise<string | null | undefined> {
  const said = typeof sent === 'string' ? sent.trim() : sent
  if (said === undefined || said === null || said === '') return said === '' ? null : said
  if (said === before?.gender) return before.gender
  const genders = await db.from('genders').select(['id', 'name', 'name_key']).orderBy('id').execute()
  const found =
    genders.find(({ name_key }) => name_key === fold(String(said))) ??
    genders.find(({ id }) => String(id) === `${said}`)
  if (!found)
    problems.push(wrong('gender', 'not_found', `must be one of ${genders.map(({ name }) => name).join(', ')}`))
  return found?.name
}

/** The source that was sent, by its id or by its name. */
async function sourceIn(
  db: Reader,
  { source, source_id }: CandidateBody,
  problems: FieldProblem[],
): Promise<{ source_id?: number | null }> {
  if (source === undefined) return source_id === undefined ? {} : { source_id }
  if (source === null) return { source_id: source_id ?? null }
  const sources = await db.from('sources').select(['id', 'name', 'name_key']).orderBy('name_key').execute()
  const found = sources.find(({ name_key }) => name_key === fold(source))
  const names = sources.map(({ name }) => name as string)
  const like = didYouMean(source, names)
  const known = like || (names.length > 0 && names.length <= MOST_NAMES ? `: ${names.join(', ')}` : '')
  if (!found) problems.push(wrong('source', 'not_found', `must be the name of an existing source${known}`))
  else if (source_id !== undefined && source_id !== found.id)
    problems.push(wrong('source', 'ambiguous', 'differs from source_id. Send only one of them'))
  return found ? { source_id: found.id } : {}
}

/** So many names are listed when none of them is near. */
const MOST_NAMES = 20

/** What a body makes of the consents, and why it cannot: once something was said, they go step by step. */
function consentsIn(db: Reader, body: CandidateBody, before: Candidate | null, problems: FieldProblem[]) {
  const kept: { consent_kept?: Consent; future_consent_kept?: Consent } = {}
  let refusal: Problem | undefined
  const fail = (field: string, code: string, message: string) => void problems.push(wrong(field, code, message))
  for (const [name, column, sent] of [
    ['consent', 'consent_kept', sentConsent(body.consent, body, fail)],
    ['future_recruitment_consent', 'future_consent_kept', body.future_recruitment_consent],
  ] as const) {
    if (sent === undefined) continue
    const earlier = before?.[column] ?? NO_CONSENT
    const place = body[name] ? `${name}.` : ''
    const next = consentBy(sent, earlier, db, (moment, code, message) => fail(place + moment, code, message))
    const [from, to] = [shownConsent(earlier, db.today).status, shownConsent(next, db.today).status]
    if (from !== to && from !== 'none' && !CONSENT_MOVES[from].includes(to))
      refusal ??= conflict(
        `The status of ${name} is ${from} and cannot become ${to}. ${canBecome(CONSENT_MOVES[from].filter((one) => one !== from))}`,
      )
    kept[column] = next
  }
  return { kept, refusal }
}

const contactIsOver: Rule<typeof candidates> = ({ db, changes, fail }) => {
  if (changes.last_contacted_at && isInFuture(changes.last_contacted_at, db.now))
    fail('last_contacted_at', 'in_the_future', 'cannot be in the future')
}
holdTo(candidates, [contactIsOver])

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
  before: Candidate | null,
): Promise<number> {
  const earlier = db.changeCount()
  const values = await candidateFields.read(db, { extra, fields: body.fields, ignored, problems })
  const upload = resumeIn(body, problems)
  const languages = readLanguages(body.languages, problems)
  const gender = await genderIn(db, body.gender, before, problems)
  const { kept, refusal } = consentsIn(db, body, before, problems)
  const { resume: _resume, skills, tags, fields: _fields, source: _source, source_id: _id, ...sent } = body
  const row = { ...sent, ...(await sourceIn(db, body, problems)), gender, ...kept }
  // What is wrong with the fields is told first, all of it.
  const reachable: Rule<typeof candidates> = (attempt) => {
    if (refusal && attempt.problems.length === 0) throw refusal
  }
  const checks = { rules: [contactIsOver, reachable], problems }
  let id: number
  if (before) {
    id = before.id
    await amend(db, candidates, before, row, checks)
  } else {
    id = await create(db, candidates, { created_by_id: db.caller.personId, ...row }, checks)
  }
  await storeLanguages(db, id, languages)
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
