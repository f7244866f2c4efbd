import Type from 'typebox'
import { PAGE, pagedAnswer, pageOf } from '../engine/derive.ts'
import { fold } from '../engine/format.ts'
import { operation } from '../engine/operation.ts'
import { invalid, notFound, wrong } from '../engine/problem.ts'
import { amend, create, find } from '../engine/records.ts'
import { recordId, wrapped } from '../engine/schema.ts'
import { file, readUpload } from '../files/upload.ts'
import type { Query, Reader } from '../ledger/reader.ts'
import type { Writer } from '../ledger/write.ts'
import { apply } from './application-moves.ts'
import { saveCandidate } from './candidate-changes.ts'
import { candidateNotes, keepDocument } from './candidate-records.ts'
import { candidates } from './candidates.ts'
import { type Consent, NO_CONSENT } from './consent.ts'
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

/** There is no other vacancy for those who have no key. */
async function requireOpen(db: Reader, vacancyId: number): Promise<void> {
  const open = await isPublic(db.from('vacancies'))
    .select('vacancies.id')
    .where('vacancies.id', '=', vacancyId)
    .executeTakeFirst()
  if (!open) throw notFound()
}

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
      query: Type.Object({ page: PAGE, account }),
      answer: pagedAnswer(VACANCY),
      looksAt: ['vacancies.state'],
    },
    async ({ db, query }) => ({ body: await pageOf(db, vacancies, query.page ?? 1, isPublic) }),
  ),
  operation(
    {
      id: 'applyThroughCareers',
      method: 'POST',
      path: '/recruitment/careers/vacancies/{vacancy_id}/applications',
      summary: 'Apply for a vacancy',
      note: 'The answer is the same whether or not the person is known.',
      area,
      permission,
      params: Type.Object({ vacancy_id: recordId('vacancies') }),
      query: Type.Object({ account }),
      body: Type.Object(
        {
          full_name: Type.String({ format: 'line', minLength: 1, maxLength: 255, examples: ['Grace Hopper'] }),
          email: Type.String({ format: 'email', maxLength: 255, examples: ['grace@example.com'] }),
          phone: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'line', maxLength: 50 })),
          cover_letter: Type.Optional(
            Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'text', maxLength: 65_535 }),
          ),
          resume: Type.Optional(file('The resume, at most 25 MiB')),
          consent: Type.Optional(Type.Boolean({ description: 'To the processing of these data' })),
        },
        { title: 'CareersApplication' },
      ),
      status: 201,
      answer: RECEIVED,
      look: ({ db, params }) => requireOpen(db, params.vacancy_id),
    },
    async ({ db, params, body, files }) => {
      await requireOpen(db, params.vacancy_id)
      // Inside JSON or a form a file would have to be held in memory several times over, for anybody who asks.
      if (typeof body.resume === 'string' && body.resume !== '')
        throw invalid(wrong('resume', 'invalid', 'must be an uploaded part of a multipart body'))
      const known = await db
        .from('candidates')
        .select('id')
        .where('email_key', '=', fold(body.email))
        .executeTakeFirst()
      const upload = readUpload(body.resume)
      if (known) await applyAgain(db, params.vacancy_id, known.id, body.cover_letter)
      else {
        const { phone, consent, ...rest } = body
        const person = { ...rest, ...(phone ? { phone_numbers: [phone] } : {}), resume: upload && body.resume }
        const id = await saveCandidate({ db, body: person, extra: {}, ignored: new Set(), problems: [], files }, null)
        const given: Consent = { ...NO_CONSENT, status: 'consented', consented_at: db.now }
        if (consent) await amend(db, candidates, await find(db, candidates, id), { consent_kept: given })
        await apply(db, params.vacancy_id, id, undefined)
      }
      if (known && upload) await keepDocument(db, files, known.id, body.resume, [])
      return { body: { data: { status: 'received' } }, location: '/recruitment/careers/vacancies' }
    },
  ),
]

/** Nobody can overwrite somebody's record from outside: what they send is added beside it. */
async function applyAgain(
  db: Writer,
  vacancyId: number,
  candidateId: number,
  letter: string | null | undefined,
): Promise<void> {
  const comment = ['Applied through the careers site.', letter].filter(Boolean).join('\n\n')
  await create(db, candidateNotes, { candidate_id: candidateId, comment, created_by_id: null })
  const applied = await db
    .from('applications')
    .select('id')
    .where('vacancy_id', '=', vacancyId)
    .where('candidate_id', '=', candidateId)
    .executeTakeFirst()
  if (!applied) await apply(db, vacancyId, candidateId, undefined)
}
