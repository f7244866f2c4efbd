import Type, { type Static } from 'typebox'
import type { Row } from '../engine/declaration.ts'
import { PAGING, pagedAnswer, pageIn, pageOf } from '../engine/derive.ts'
import { LONGEST_TEXT } from '../engine/field.ts'
import { fold } from '../engine/format.ts'
import { type Files, operation } from '../engine/operation.ts'
import { notFound, refuse, wrong } from '../engine/problem.ts'
import { amend, find, rowsOf } from '../engine/records.ts'
import { recordId, wrapped } from '../engine/schema.ts'
import { file, readUpload } from '../files/upload.ts'
import type { Query, Reader } from '../ledger/reader.ts'
import type { Writer } from '../ledger/write.ts'
import { applicationOf, apply } from './application-moves.ts'
import { type CandidateBody, saveCandidate } from './candidate-changes.ts'
import { keepDocument, writeNotes } from './candidate-records.ts'
import { candidates, phoneKey } from './candidates.ts'
import { givenNow } from './consent.ts'
import { isConsentRequired } from './settings.ts'
import { vacancies } from './vacancies.ts'

/** What a company's own site calls. It needs no key, so it shows little and tells nothing about people. */

const area = 'careers'
const permission = null
const account = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The account, when it is not the first one',
  }),
)
const named = Type.Object({ id: Type.Integer(), name: Type.String() })

const VACANCY = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String(),
    description: Type.String(),
    positions: Type.Integer(),
    department: named,
    location: named,
    employment_type: named,
    skills: Type.Array(Type.String()),
    opened_at: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
  },
  { title: 'CareersVacancy' },
)

const isPublic = (query: Query) =>
  query.where('vacancies.state', '=', 'opened').where('vacancies.post_on_careers', '=', true)

/** The vacancy of a path; there are no others for those who have no key. */
async function openVacancy(db: Reader, id: number): Promise<Row<typeof vacancies>> {
  const [vacancy] = await rowsOf(vacancies, isPublic(db.from('vacancies')).where('vacancies.id', '=', id))
  if (!vacancy) throw notFound()
  return vacancy
}

const APPLICATION = Type.Object(
  {
    full_name: Type.String({ format: 'line', minLength: 1, maxLength: 255, examples: ['Grace Hopper'] }),
    email: Type.String({ format: 'email', maxLength: 255, examples: ['grace@example.com'] }),
    phone: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'line', maxLength: 50 })),
    cover_letter: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'text', maxLength: LONGEST_TEXT }),
    ),
    resume: Type.Optional(file('The resume, at most 25 MiB')),
    consent: Type.Optional(
      Type.Boolean({ description: 'To the processing of these data; the account may require it' }),
    ),
  },
  { title: 'CareersApplication' },
)
type Sent = Static<typeof APPLICATION>

const RECEIVED = wrapped(Type.Object({ status: Type.String() }, { title: 'CareersReceipt' }))

export const careersOperations = [
  operation(
    {
      id: 'listCareersVacancies',
      method: 'GET',
      path: '/recruitment/careers/vacancies',
      summary: 'List the vacancies that are open to everybody',
      area,
      permission,
      query: Type.Object({ ...PAGING, account }),
      answer: pagedAnswer(VACANCY),
      looksAt: ['vacancies.state'],
    },
    async ({ db, query }) => ({ body: await pageOf(db, vacancies, pageIn(query), isPublic) }),
  ),
  operation(
    {
      id: 'applyThroughCareers',
      method: 'POST',
      path: '/recruitment/careers/vacancies/{vacancy_id}/applications',
      summary: 'Apply for a vacancy',
      note: 'The answer is the same whether or not the person is known. What somebody who is known sends is added beside what there is: a note, a document, a phone number, a consent, an application.',
      area,
      permission,
      params: Type.Object({ vacancy_id: recordId('vacancies') }),
      query: Type.Object({ account }),
      body: APPLICATION,
      status: 201,
      answer: RECEIVED,
      look: async ({ db, params }) => void (await openVacancy(db, params.vacancy_id)),
    },
    async ({ db, params, query, body, problems, files }) => {
      const vacancy = await openVacancy(db, params.vacancy_id)
      // Inside JSON or a form a file would have to be held in memory several times over, for anybody who asks.
      if (body.resume && (typeof body.resume === 'string' || !readUpload(body.resume)))
        problems.push(wrong('resume', 'invalid', 'must be an uploaded part of a multipart body, and not empty'))
      if (!body.consent && (await isConsentRequired(db)))
        problems.push(wrong('consent', 'required', 'must be given to apply here'))
      refuse(problems)
      const [known] = await rowsOf(candidates, db.from('candidates').where('email_key', '=', fold(body.email)))
      if (known) await applyAgain(db, vacancy, known, body, files)
      else await applyFirst(db, vacancy, body, files)
      const place = '/recruitment/careers/vacancies'
      return {
        body: { data: { status: 'received' } },
        location: query.account === undefined ? place : `${place}?account=${query.account}`,
      }
    },
  ),
]

/** A candidate with what was sent, and nothing else. */
const save = (db: Writer, body: CandidateBody, before: Row<typeof candidates> | null, files: Files) =>
  saveCandidate({ db, body, extra: {}, ignored: new Set(), problems: [], files }, before)

async function applyFirst(db: Writer, vacancy: Row<typeof vacancies>, sent: Sent, files: Files): Promise<void> {
  const { phone, consent, ...person } = sent
  const id = await save(db, { ...person, phone_numbers: phone ? [phone] : [] }, null, files)
  if (consent) await noteConsent(db, id)
  await apply(db, vacancy, id)
}

/** Nobody can overwrite somebody's record from outside: what they send is added to it or beside it. */
async function applyAgain(
  db: Writer,
  vacancy: Row<typeof vacancies>,
  known: Row<typeof candidates>,
  { full_name, phone, cover_letter, consent, resume }: Sent,
  files: Files,
): Promise<void> {
  const told = [full_name, ...(phone ? [phone] : []), ...(consent ? ['with consent'] : [])].join(', ')
  await writeNotes(db, known.id, [`Applied through the careers site: ${told}`, ...(cover_letter ? [cover_letter] : [])])
  const numbers = known.phone_numbers
  const isNew = phone && !numbers.some((one) => one === phone || phoneKey(one) === phoneKey(phone))
  if (isNew && numbers.length < MOST_NUMBERS) await save(db, { phone_numbers: [...numbers, phone] }, known, files)
  if (consent) await noteConsent(db, known.id)
  if (resume) await keepDocument(db, files, known.id, resume, [])
  if (!(await applicationOf(db, vacancy.id, known.id))) await apply(db, vacancy, known.id)
}

/** As many as can be sent: outsiders must not make a record that cannot be sent back. */
const MOST_NUMBERS = 100

async function noteConsent(db: Writer, candidateId: number): Promise<void> {
  const before = await find(db, candidates, candidateId)
  await amend(db, candidates, before, { consent_kept: givenNow(before.consent_kept, db.now, db.today) })
}
