import Type, { type TSchema } from 'typebox'
import { fieldsInput } from '../custom/plain-values.ts'
import type { Reader } from '../database/handle.ts'
import type { Writer } from '../database/write.ts'
import { type Filter, get, list, post, put } from '../engine/derive.ts'
import {
  currency,
  date,
  derived,
  email,
  hidden,
  integer,
  json,
  loaded,
  longText,
  orNull,
  readOnly,
  reference,
  text,
  textList,
} from '../engine/field.ts'
import { anyRecordOf, isRecord, timeRange } from '../engine/filter.ts'
import { fold } from '../engine/format.ts'
import { operation, recordId } from '../engine/operation.ts'
import type { FieldProblem } from '../engine/problem.ts'
import { amend, create, erase, find, insertAll } from '../engine/records.ts'
import { card, decode, many, resource } from '../engine/resource.ts'
import { addressOf } from '../files/addresses.ts'
import type { FileStore } from '../files/store.ts'
import { file, readUpload, type Upload } from '../files/upload.ts'
import { idAndName } from '../organisation/names.ts'
import { personShort } from '../people/employees.ts'
import { applications, candidateApplication } from './applications.ts'
import { CONSENT, type Consent, NO_CONSENT, shownConsent } from './consent.ts'
import { candidateFields, sources } from './lists.ts'
import { skillsOf, tagsOf, wordsInput } from './word-lists.ts'

const area = 'recruitment'
const sourceName = idAndName(sources)

export const candidateSkills = skillsOf('candidate', 'candidates')
export const candidateTags = tagsOf('candidate', 'candidates')

/** The place of a candidate's files, so that all of them can go when the person goes. */
export const filesPart = (accountId: number, candidateId: number) => `candidates/${accountId}-${candidateId}`

export const candidates = resource(
  { table: 'candidates', one: 'candidate', area, path: '/recruitment/candidates' },
  {
    full_name: text({ required: true, folded: true, example: 'Grace Hopper' }),
    email: email({ unique: true, example: 'grace@example.com' }),
    phone_numbers: textList({ example: ['+1 202 555 0100'] }),
    cover_letter: longText({ example: 'I would like to join.' }),
    date_of_birth: date({ group: 'personal' }),
    position: text({ example: 'Engineer' }),
    location: text({ example: 'Arlington' }),
    level: text({ example: 'Senior' }),
    urls: textList({ example: ['https://example.com/grace'] }),
    desired_salary: integer({ min: 0, max: 99_999_999_999, group: 'compensation', example: 60_000 }),
    currency_code: currency(),
    source_id: reference('sources', { show: () => sourceName }),
    skills: candidateSkills.field,
    tags: candidateTags.field,
    resume_hash: hidden(text()),
    resume_name: hidden(text()),
    resume_type: hidden(text()),
    resume: derived(Type.Boolean(), ['resume_hash'], (row) => row.resume_hash !== null),
    resume_url: derived(orNull(Type.String()), ['id', 'resume_hash', 'resume_name', 'resume_type'], (row, db) =>
      row.resume_hash === null
        ? null
        : addressOf(db, {
            part: filesPart(db.account.id, row.id),
            hash: row.resume_hash,
            name: row.resume_name,
            type: row.resume_type,
          }).url,
    ),
    created_by_id: readOnly(reference('employees', { show: () => personShort })),
    employee_id: readOnly(reference('employees', { note: 'The employee that they became' })),
    applications: many(
      () => applications,
      'candidate_id',
      () => candidateApplication,
    ),
    custom_fields: loaded(candidateFields.output, candidateFields.load),
    consent_kept: json<Consent>(NO_CONSENT),
    future_consent_kept: json<Consent>(NO_CONSENT),
    consent: derived(CONSENT, ['consent_kept'], (row, db) => shownConsent(row.consent_kept, db.today)),
    future_recruitment_consent: derived(CONSENT, ['future_consent_kept'], (row, db) =>
      shownConsent(row.future_consent_kept, db.today),
    ),
  },
)

/** `{id, full_name, email, phone_numbers}` */
export const applicantCard = card(candidates, 'Applicant', ['id', 'full_name', 'email', 'phone_numbers'])

/** The numbers of candidates as they are compared: digits only. */
export const candidatePhones = resource(
  { table: 'candidate_phones', one: 'candidate phone', area },
  { candidate_id: reference('candidates', { required: true, owner: true }), number_key: text({ required: true }) },
)

export const phoneKey = (number: string) => number.replace(/\D/g, '').replace(/^0+/, '').slice(-10)

async function storePhones(db: Writer, id: number, numbers: string[]): Promise<void> {
  const rows = await db.from('candidate_phones').selectAll().where('candidate_id', '=', id).execute()
  const missing = new Set(numbers.map(phoneKey).filter((key) => key.length >= 5))
  for (const row of rows)
    if (!missing.delete(row.number_key)) await erase(db, candidatePhones, decode(candidatePhones, row))
  await insertAll(
    db,
    candidatePhones,
    [...missing].map((number_key) => ({ candidate_id: id, number_key })),
  )
}

export const candidateInput: Record<string, TSchema> = {
  skills: wordsInput,
  tags: wordsInput,
  resume: file('The resume, as a part of a multipart body or as a data URI; at most 25 MiB'),
  fields: fieldsInput,
}

type Sent = {
  db: Writer
  body: any
  extra: Record<string, unknown>
  ignored: Set<string>
  problems: FieldProblem[]
  files: FileStore
}

/** The upload that a body holds, if it holds one. */
function resumeIn(body: any, problems: FieldProblem[]): Upload | null | undefined {
  if (body.resume === undefined) return undefined
  if (body.resume === null || body.resume === '') return null
  const upload = readUpload(body.resume)
  if (!upload)
    problems.push({
      field: 'resume',
      code: 'invalid',
      message: 'resume must be an uploaded file or a data URI in base64',
    })
  return upload
}

/** Creates or changes a candidate with everything that a body may hold. */
export async function saveCandidate(
  { db, body, extra, ignored, problems, files }: Sent,
  before: any | null,
): Promise<number> {
  const values = await candidateFields.read(db, { extra, fields: body.fields, ignored, problems })
  const upload = resumeIn(body, problems)
  const { resume: _resume, skills, tags, fields: _fields, ...row } = body
  let id: number
  if (before) {
    id = before.id
    await amend(db, candidates, before, row, { problems })
  } else {
    id = await create(db, candidates, { created_by_id: db.employeeId, ...row }, { problems })
  }
  await candidateSkills.set(db, id, skills)
  await candidateTags.set(db, id, tags)
  await candidateFields.store(db, id, values)
  if (row.phone_numbers !== undefined) await storePhones(db, id, row.phone_numbers ?? [])
  if (upload !== undefined) await keepResume(db, id, upload, files)
  if (before) await db.touch('candidates', [id])
  return id
}

async function keepResume(db: Writer, id: number, upload: Upload | null, files: FileStore): Promise<void> {
  const kept = upload
    ? {
        resume_hash: await files.in(filesPart(db.account.id, id)).save(upload.bytes),
        resume_name: upload.filename,
        resume_type: upload.type,
      }
    : { resume_hash: null, resume_name: null, resume_type: null }
  await amend(db, candidates, await find(db, candidates, id), kept)
}

/** Those with an application to one of the vacancies, in the stage when that is asked for too: one lookup for both. */
const withVacancies: Filter = {
  ...anyRecordOf('vacancy_id'),
  narrow(query, vacancyIds, db, { pipeline_stage_id }) {
    if (vacancyIds.length === 0) return query
    const found = db.from('applications').select('candidate_id').where('vacancy_id', 'in', vacancyIds)
    const staged = pipeline_stage_id === undefined ? found : found.where('stage_id', '=', pipeline_stage_id)
    return query.where('candidates.id', 'in', staged)
  },
}

const inStage: Filter = {
  ...isRecord('stage_id'),
  narrow: (query, stageId, db, { vacancy_ids }) =>
    vacancy_ids?.length
      ? query
      : query.where(
          'candidates.id',
          'in',
          db.from('applications').select('candidate_id').where('stage_id', '=', stageId),
        ),
}

const search: Filter = {
  schema: Type.String({
    format: 'line',
    maxLength: 255,
    description: 'The beginning of the name or of the e-mail address',
  }),
  narrow: (query, words) =>
    query.where((eb) =>
      eb.or(
        ['full_name_key', 'email_key'].map((name) =>
          eb.and([
            eb(`candidates.${name}`, '>=', fold(words)),
            eb(`candidates.${name}`, '<', `${fold(words)}\u{10ffff}`),
          ]),
        ),
      ),
    ),
}

export const candidateOperations = [
  list(candidates, {
    filters: {
      created_at: timeRange('candidates.created_at'),
      updated_at: timeRange('candidates.updated_at'),
      email: {
        schema: Type.String({ maxLength: 255 }),
        narrow: (query, address) => query.where('candidates.email_key', '=', fold(address)),
      },
      pipeline_stage_id: inStage,
      vacancy_ids: withVacancies,
      skills: candidateSkills.all,
      tags: candidateTags.byName,
      source_id: isRecord('candidates.source_id'),
      q: search,
    },
  }),
  get(candidates),
  post(candidates, { more: candidateInput, open: true, store: (call) => saveCandidate(call, null) }),
  put(candidates, {
    more: candidateInput,
    open: true,
    async store(call, before) {
      await saveCandidate(call, before)
    },
  }),
  operation(
    {
      id: 'deleteCandidate',
      method: 'DELETE',
      path: '/recruitment/candidates/{id}',
      summary: 'Erase a candidate',
      note: 'With everything about the person; the ledger keeps that it happened, not who it was.',
      area,
      params: Type.Object({ id: recordId('candidates') }),
    },
    async ({ db, params, files }) => {
      await erase(db, candidates, await find(db, candidates, params.id))
      await db.forgetDeleted()
      await files.in(filesPart(db.account.id, params.id)).clear()
      return {}
    },
  ),
]

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
