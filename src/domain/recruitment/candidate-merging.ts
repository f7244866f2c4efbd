import Type from 'typebox'
import type { Row } from '../../engine/declaration.ts'
import { fold } from '../../engine/format.ts'
import { byId } from '../../engine/join.ts'
import { type Files, operation } from '../../engine/operation.ts'
import { requireWholeSight } from '../../engine/permission.ts'
import { conflict, invalid, refuse, wrong } from '../../engine/problem.ts'
import { amend, erase, find, insertAll, nameable, rowsOf } from '../../engine/records.ts'
import { recordId, schemaOf, wrapped, wrappedList } from '../../engine/schema.ts'
import { show, showOne } from '../../engine/shape.ts'
import { chunks, settleAll } from '../../records/chunks.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { type Application, applications } from './applications.ts'
import { candidateMerges, tellingMerged } from './candidate-merges.ts'
import { candidateDocuments, clearFilesOf, writeNotes } from './candidate-records.ts'
import { candidates, filesPart, phoneKey } from './candidates.ts'
import { stricter } from './consent.ts'
import { hireOf } from './hires.ts'
import { disqualifyReasons } from './reference-data.ts'

/** Finding candidates who are the same person, and making one of two. */

const area = 'recruitment'
const one = Type.Object({ candidate_id: recordId('candidates') })

type Candidate = Row<typeof candidates>
/** A candidate as responses show them. */
type CandidateResponse = Record<string, any>

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

/** Where the target may have the same already, and by what it is the same: then the duplicate's goes with it. */
const SAME: Record<string, string> = {
  candidate_phones: 'number_key',
  candidate_languages: 'code',
  candidate_skills: 'name_key',
  candidate_tags: 'tag_id',
  candidate_field_values: 'candidate_field_id',
}

/** Everything that refers to the duplicate refers to the target from now on, but for what the target has too. */
async function handOver(db: Writer, from: number, to: number): Promise<void> {
  for (const { from: of, column } of db.referrersOf('candidates')) {
    const same = SAME[of.table]
    const rowsFor = (id: number) => db.from(of.table).selectAll().where(column, '=', id).orderBy('id').execute()
    const has = new Set(same ? (await rowsFor(to)).map((row) => row[same]) : [])
    const moving = (await rowsFor(from)).filter((row) => !same || !has.has(row[same]))
    for (const row of moving) await db.update(of, [{ before: row as { id: number }, changes: { [column]: to } }])
  }
}

/** What a merge makes of the target, and what of the duplicate it could not take: in words, for a note. */
function bringTogether(target: Candidate, duplicate: Candidate, today: string) {
  const alone = [
    'date_of_birth',
    'gender',
    'position',
    'location',
    'level',
    'telegram_username',
    'skype_username',
    'source_id',
    'employee_id',
  ] as const
  const missing = Object.fromEntries(alone.flatMap((name) => (target[name] === null ? [[name, duplicate[name]]] : [])))
  // An amount and its currency belong together.
  const pay = [target, duplicate].find((one) => one.desired_salary !== null) ?? target
  const union = (name: 'phone_numbers' | 'urls') => [...new Set([...target[name], ...duplicate[name]])]
  return {
    ...missing,
    desired_salary: pay.desired_salary,
    currency_code: pay.currency_code ?? (pay.desired_salary === null ? duplicate.currency_code : null),
    email: target.email ?? duplicate.email,
    phone_numbers: union('phone_numbers'),
    urls: union('urls'),
    last_contacted_at: later(target.last_contacted_at, duplicate.last_contacted_at),
    cover_letter: target.cover_letter || duplicate.cover_letter,
    consent_kept: stricter(target.consent_kept, duplicate.consent_kept, today),
    future_consent_kept: stricter(target.future_consent_kept, duplicate.future_consent_kept, today),
  }
}

const later = (one: string | null, other: string | null) => ((one ?? '') > (other ?? '') ? one : other)

/** What of the duplicate the merged record does not hold, in words. What can be withheld is not among it: notes cannot. */
function notTaken(
  merged: CandidateResponse,
  duplicate: CandidateResponse,
  isProtected: (fieldId: number) => boolean,
): string[] {
  const words: string[] = []
  const tell = (label: string, value: unknown, kept: unknown) => {
    const [said, known] = [value, kept].map((one) => [one ?? ''].flat().join(', '))
    // A long value stands alone: with its label it might not fit.
    if (said && said !== known) words.push(...(said.length > 1000 ? [`${label}:`, said] : [`${label}: ${said}`]))
  }
  if (fold(merged.full_name) !== fold(duplicate.full_name)) tell('Name', duplicate.full_name, '')
  tell('E-mail', duplicate.email, merged.email)
  for (const name of ['position', 'location', 'level'] as const)
    tell(name.charAt(0).toUpperCase() + name.slice(1), duplicate[name], merged[name])
  tell('Telegram', duplicate.telegram_username, merged.telegram_username)
  tell('Skype', duplicate.skype_username, merged.skype_username)
  tell('Source', duplicate.source, merged.source)
  for (const { code, level } of duplicate.languages)
    tell(`Language ${code}`, level, merged.languages.find((one: CandidateResponse) => one.code === code)?.level)
  for (const { candidate_field_id: id, name, value } of duplicate.custom_fields)
    if (!isProtected(id))
      tell(name, value, merged.custom_fields.find((one: CandidateResponse) => one.candidate_field_id === id)?.value)
  for (const [label, name] of [
    ['Consent', 'consent'],
    ['Consent to future recruitment', 'future_recruitment_consent'],
  ] as const)
    if (duplicate[name].status !== 'none') tell(label, saidOf(duplicate[name]), saidOf(merged[name]))
  tell('Cover letter', duplicate.cover_letter, merged.cover_letter)
  return words
}

const saidOf = ({ status, consented_at, rejected_at }: CandidateResponse) =>
  [status, rejected_at ?? consented_at].filter(Boolean).join(' ')

/** Two applications to the same vacancy. Only one can stay; the request says which. */
type ApplicationPair = { title: string; own: Application; other: Application }

async function applicationPairsOf(db: Reader, target: Candidate, duplicate: Candidate): Promise<ApplicationPair[]> {
  const of = ({ id }: Candidate) => rowsOf(applications, db.from('applications').where('candidate_id', '=', id))
  const [mine, theirs] = [await of(target), await of(duplicate)]
  const pairs = theirs.flatMap((other) => {
    const own = mine.find(({ vacancy_id }) => vacancy_id === other.vacancy_id)
    return own ? [{ own, other }] : []
  })
  const ids = pairs.map(({ own }) => own.vacancy_id)
  const named = ids.length ? await db.from('vacancies').select(['id', 'title']).where('id', 'in', ids).execute() : []
  const titles = new Map(named.map(({ id, title }) => [id, title as string]))
  return pairs.map(({ own, other }) => ({ own, other, title: titles.get(own.vacancy_id) ?? '' }))
}

/** What the applications were that did not stay, by whose they were. */
type DroppedApplications = { own: string[]; other: string[] }

/** Drops the application of each pair that is not kept, and returns what it was. */
async function dropUnkept(
  db: Writer,
  pairs: readonly ApplicationPair[],
  kept: readonly number[],
): Promise<DroppedApplications> {
  const problems = kept.flatMap((id, index) =>
    pairs.some(({ own, other }) => own.id === id || other.id === id)
      ? []
      : [
          wrong(
            `keep_application_ids[${index}]`,
            'not_found',
            'must be the id of an application for a vacancy for which both candidates have applied',
          ),
        ],
  )
  refuse(problems)
  const open = pairs.filter(({ own, other }) => kept.includes(own.id) === kept.includes(other.id))
  if (open.length > 0) {
    const named = open.map(({ own, other, title }) => `${title} (applications ${own.id} and ${other.id})`)
    throw conflict(
      `Both candidates have applied for ${named.join(', ')}. Send the ids of the applications to keep in keep_application_ids.`,
    )
  }
  const words: DroppedApplications = { own: [], other: [] }
  for (const { own, other, title } of pairs) {
    const gone = kept.includes(own.id) ? other : own
    if (await hireOf(db, gone))
      throw conflict(`Application ${gone.id} is hired and must be kept. Send its id in keep_application_ids.`)
    words[gone === own ? 'own' : 'other'].push(await toldOf(db, gone, title))
    await erase(db, applications, gone)
  }
  return words
}

/** An application in words: where it stood and since when, and why it was out of the running. */
async function toldOf(db: Reader, gone: Application, title: string): Promise<string> {
  const stays = await db
    .from('movements')
    .innerJoin('pipeline_stages as s', byId('s', 'movements.stage_id'))
    .select(['s.name', 'movements.entered_at'])
    .where('movements.application_id', '=', gone.id)
    .orderBy('movements.entered_at')
    .orderBy('movements.id')
    .execute()
  const reason = gone.disqualify_reason_id && (await find(db, disqualifyReasons, gone.disqualify_reason_id)).name
  const out = gone.disqualified_at && ['disqualified', gone.disqualified_at, reason, gone.disqualify_comment]
  return [
    `Application for ${title}, ${gone.created_at}`,
    ...stays.map(({ name, entered_at }) => `${name} since ${entered_at}`),
    ...(out ? [out.filter(Boolean).join(' ')] : []),
  ].join('; ')
}

async function merge(
  db: Writer,
  target: Candidate,
  duplicate: Candidate,
  keptApplications: readonly number[],
  files: Files,
): Promise<void> {
  requireWholeSight(db.caller, 'recruitment:write')
  if (target.employee_id !== null && duplicate.employee_id !== null)
    throw conflict(
      `These candidates cannot be merged, because both are employees: ${target.employee_id} and ${duplicate.employee_id}.`,
    )
  const dropped = await dropUnkept(db, await applicationPairsOf(db, target, duplicate), keptApplications)

  const [, shownBefore] = await show(db, candidates.whole, [target.id, duplicate.id])
  await clearFilesOf(db, duplicate)
  await copyFiles(db, duplicate, target, files)
  await handOver(db, duplicate.id, target.id)
  await erase(db, candidates, await find(db, candidates, duplicate.id))
  await amend(db, candidates, await find(db, candidates, target.id), bringTogether(target, duplicate, db.today))
  const { full_name, email, date_of_birth, gender, desired_salary, currency_code } = duplicate
  await insertAll(db, candidateMerges, [
    {
      candidate_id: target.id,
      merged_candidate_id: duplicate.id,
      full_name,
      email,
      date_of_birth,
      gender,
      desired_salary,
      currency_code,
      merged_by_id: db.caller.personId,
    },
  ])
  await db.touch('candidates', [target.id])
  const { data: merged } = await showOne(db, candidates.whole, target.id)
  const guarded = await db.from('candidate_fields').select('id').where('protection', 'is not', null).execute()
  const lost = [...notTaken(merged, shownBefore, (id) => guarded.some((field) => field.id === id)), ...dropped.other]
  const told = [
    ...(lost.length > 0 ? [`Merged with candidate ${duplicate.id}. Data that was not taken over:`, ...lost] : []),
    ...(dropped.own.length > 0
      ? [`Merged with candidate ${duplicate.id}. Applications that were replaced:`, ...dropped.own]
      : []),
  ]
  if (told.length > 0) await writeNotes(db, target.id, told)
}

/** So many files are copied at a time. */
const AT_ONCE = 10

/** The files of a candidate lie in a place of their own, so they are copied before the place goes. */
async function copyFiles(db: Writer, duplicate: Candidate, target: Candidate, files: Files): Promise<void> {
  const [from, to] = [duplicate, target].map(({ id }) => filesPart(db.account.id, id)) as [string, string]
  const documents = db.from('candidate_documents').where('candidate_id', '=', duplicate.id)
  const { resume_hash, resume_name, resume_type } = duplicate
  const hashes = (await rowsOf(candidateDocuments, documents)).map((row) => row.file_hash)
  const all = [...new Set([...hashes, ...(resume_hash === null ? [] : [resume_hash])])]
  // Several at a time: others wait meanwhile, and a store may be far away.
  for (const some of chunks(all, AT_ONCE)) {
    const copied = await settleAll(some.map((hash) => files.in(to).copy(hash, from)))
    // Without its file a document would be lost for good when the place goes: then nothing is merged.
    if (copied.includes(false))
      throw conflict(
        'Nothing was merged, because a file of the duplicate is missing in the file storage. Replace or delete that file first.',
      )
  }
  if (resume_hash === null || resume_hash === target.resume_hash) return
  if (target.resume_hash === null) await amend(db, candidates, target, { resume_hash, resume_name, resume_type })
  else
    await insertAll(db, candidateDocuments, [
      {
        candidate_id: target.id,
        filename: resume_name as string,
        file_hash: resume_hash,
        file_type: resume_type as string,
      },
    ])
}

export const duplicateOperations = [
  operation(
    {
      id: 'listCandidateDuplicates',
      method: 'GET',
      path: '/recruitment/candidates/{candidate_id}/duplicates',
      summary: 'List possible duplicates of candidates',
      note: 'Returns other candidates with the same name or the same phone number.',
      area,
      params: one,
      answer: wrappedList(
        Type.Object(
          { candidate: schemaOf(candidates.whole), same: Type.Array(Type.String()) },
          { title: 'CandidateDuplicate' },
        ),
      ),
      indexedColumns: ['candidates.full_name_key', 'candidate_phones.number_key'],
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
      note: 'Moves everything from the duplicate to the candidate, then deletes the duplicate. Empty fields of the candidate are filled. Where both have a value, the candidate keeps its own, and a note records the value of the duplicate (values of protected custom fields stay in the change history only). A second résumé becomes a document. Of two consents, the first in this order applies: rejected, expired, pending, consented, none. Later requests for the duplicate return 404 with the ID of the candidate; `GET …/merges` of the candidate lists the duplicate.',
      area,
      params: one,
      body: Type.Object(
        {
          duplicate_id: recordId('candidates'),
          keep_application_ids: Type.Optional(
            Type.Array(recordId('applications'), {
              maxItems: 200,
              description:
                'If both have applied for the same vacancy: ID of the application to keep, for each such vacancy. The other application is deleted, and a note records it',
            }),
          ),
        },
        { title: 'MergeCandidates' },
      ),
      answer: wrapped(schemaOf(candidates.whole)),
      conflicts:
        'Both have applied for the same vacancy and `keep_application_ids` does not say which application to keep, or both have become employees',
    },
    async ({ db, params, body, files }) => {
      const target = await find(db, candidates, params.candidate_id)
      if (body.duplicate_id === target.id || !(await nameable(db, 'candidates', [body.duplicate_id])).size)
        throw invalid(wrong('duplicate_id', 'not_found', 'must be the id of another existing candidate'))
      await merge(db, target, await find(db, candidates, body.duplicate_id), body.keep_application_ids ?? [], files)
      return { body: await showOne(db, candidates.whole, target.id) }
    },
  ),
].map(tellingMerged)
