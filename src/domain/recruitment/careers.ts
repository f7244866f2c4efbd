import Type, { type Static, type TSchema } from 'typebox'
import type { Row } from '../../engine/declaration.ts'
import { get, list } from '../../engine/derive.ts'
import {
  currency,
  derived,
  hidden,
  html,
  integer,
  LONGEST_TEXT,
  reference,
  text,
  timestamp,
} from '../../engine/field.ts'
import { hasWords, isRecord } from '../../engine/filter.ts'
import { fold } from '../../engine/format.ts'
import { textOf } from '../../engine/html.ts'
import { type Files, type Operation, operation } from '../../engine/operation.ts'
import { type FieldProblem, notFound, refuse, wrong } from '../../engine/problem.ts'
import { amend, find, rowsOf } from '../../engine/records.ts'
import { card, resource } from '../../engine/resource.ts'
import { recordId, wrapped } from '../../engine/schema.ts'
import type { Query, Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { file, readUpload } from '../files/upload.ts'
import { departments } from '../organisation/departments.ts'
import { locations } from '../organisation/locations.ts'
import { divisions, employmentTypes, idAndName, jobLevels } from '../organisation/names.ts'
import { applicationOf, apply } from './application-moves.ts'
import { type CandidateBody, saveCandidate } from './candidate-changes.ts'
import { keepDocument, writeNotes } from './candidate-records.ts'
import { candidates, phoneKey } from './candidates.ts'
import { givenNow } from './consent.ts'
import { isConsentRequired, recruitmentSettings, settingsOf } from './settings.ts'
import { LARGEST_SALARY, vacancies, vacancySkills } from './vacancies.ts'

/** What a company's own site calls. It needs no key, so it shows little and tells nothing about people. */

const area = 'careers'
const account = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      'ID of the account (the company) that the careers page belongs to; by default the first account of the installation',
  }),
)

const named = (of: Parameters<typeof idAndName>[0]) => ({ show: () => idAndName(of) })
const pay = { group: 'compensation', max: LARGEST_SALARY }

type VacancySalary = {
  salary_on_careers: boolean
  minimum_salary: number | null
  maximum_salary: number | null
  currency_code: string
}

const SALARY = Type.Unsafe({
  type: ['object', 'null'],
  title: 'CareersSalary',
  description: 'Yearly salary offered; null unless the vacancy has `salary_on_careers`',
  required: ['minimum', 'maximum', 'currency_code'],
  properties: {
    minimum: Type.Unsafe({
      type: ['integer', 'null'],
      description: 'Lowest yearly salary offered; null if not stated',
    }),
    maximum: Type.Unsafe({
      type: ['integer', 'null'],
      description: 'Highest yearly salary offered; null if not stated',
    }),
    currency_code: Type.String({ format: 'currency', description: 'Currency code (ISO 4217)' }),
  },
})

/** The same rows as vacancies, with nothing but what everybody may see. */
const postings = resource(
  { table: 'vacancies', one: 'posting', area, path: '/api/careers/v1/vacancies', about: ['self'] },
  {
    title: text({ required: true }),
    description: html({ required: true }),
    description_plain: derived(Type.String(), ['description'], (row) => textOf(row.description)),
    positions: integer({ required: true }),
    department_id: reference('departments', { required: true, ...named(departments) }),
    location_id: reference('locations', { required: true, ...named(locations) }),
    employment_type_id: reference('employment_types', { required: true, ...named(employmentTypes) }),
    division_id: reference('divisions', named(divisions)),
    job_level_id: reference('job_levels', named(jobLevels)),
    skills: vacancySkills.field,
    currency_code: hidden(currency({ supplied: true, group: 'compensation' })),
    minimum_salary: hidden(integer(pay)),
    maximum_salary: hidden(integer(pay)),
    salary_on_careers: hidden(vacancies.fields.salary_on_careers),
    salary: derived<VacancySalary>(
      SALARY,
      ['salary_on_careers', 'minimum_salary', 'maximum_salary', 'currency_code'],
      ({ salary_on_careers, minimum_salary: minimum, maximum_salary: maximum, currency_code }) =>
        salary_on_careers && (minimum ?? maximum) !== null ? { minimum, maximum, currency_code } : null,
    ),
    opened_at: timestamp(),
  },
)

const posting = card(postings, 'CareersVacancy', [
  'id',
  'title',
  'description',
  'description_plain',
  'positions',
  'department_id',
  'location_id',
  'employment_type_id',
  'division_id',
  'job_level_id',
  'skills',
  'salary',
  'opened_at',
])

/** Those that are open to everybody, up to their last day. */
const isPublic = (query: Query, { today }: Pick<Reader, 'today'>) =>
  query
    .where('vacancies.state', '=', 'opened')
    .where('vacancies.post_on_careers', '=', true)
    .where((eb) => eb.or([eb('vacancies.ends_on', 'is', null), eb('vacancies.ends_on', '>=', today)]))
const always = { narrow: isPublic, indexedColumns: ['vacancies.state'] }

/** The vacancy of a path; there are no others for those who have no key. */
async function openVacancy(db: Reader, id: number): Promise<Row<typeof vacancies>> {
  const [vacancy] = await rowsOf(vacancies, isPublic(db.from('vacancies'), db).where('vacancies.id', '=', id))
  if (!vacancy) throw notFound()
  return vacancy
}

const line = (maxLength: number, description: string, examples?: string[]) =>
  Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'line',
      maxLength,
      description,
      ...(examples ? { examples } : {}),
    }),
  )
const isGiven = (description: string) => Type.Optional(Type.Boolean({ description }))

const APPLICATION = Type.Object(
  {
    full_name: line(255, 'Full name of the applicant', ['Grace Hopper']),
    first_name: line(100, 'First name, together with `last_name`; alternative to `full_name`'),
    last_name: line(100, 'Last name, together with `first_name`; alternative to `full_name`'),
    email: Type.String({ format: 'email', maxLength: 255, examples: ['grace@example.com'] }),
    phone: line(50, 'Phone number of the applicant'),
    cover_letter: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'text', maxLength: LONGEST_TEXT }),
    ),
    urls: Type.Optional(
      Type.Array(Type.String({ format: 'uri', maxLength: 255 }), { maxItems: 10, examples: [['https://example.com']] }),
    ),
    resume: Type.Optional(file('The résumé, as a part of a multipart body; at most 25 MiB')),
    consent: isGiven(
      'Whether the applicant consents to the processing of their data. Must be true if `consent_required` of the company is true',
    ),
    future_recruitment_consent: isGiven('Whether the applicant consents to being contacted about other vacancies'),
    account,
    contact_me_by_fax_only: line(
      255,
      'Honeypot for spam protection: a form field that people do not see. If it is filled in, the response is the same but nothing is stored',
    ),
  },
  { title: 'CareersApplication' },
)
type ApplicationForm = Static<typeof APPLICATION>
type Applicant = Omit<ApplicationForm, 'full_name'> & { full_name: string }

const RECEIVED = wrapped(Type.Object({ status: Type.String() }, { title: 'CareersReceipt' }))

/** The name by which somebody applies: whole, or in two parts. */
function nameIn({ full_name, first_name, last_name }: ApplicationForm, problems: FieldProblem[]): string {
  if (full_name || problems.some(({ field }) => /_name$/.test(field))) return full_name ?? ''
  const missing = first_name ? ['last_name'] : last_name ? ['first_name'] : ['full_name']
  if (!first_name || !last_name) problems.push(...missing.map((name) => wrong(name, 'required', 'is required')))
  return `${first_name} ${last_name}`
}

/** Inside JSON or a form a file would have to be held in memory several times over, for anybody who asks. */
const isUnreadable = (resume: unknown) => Boolean(resume) && (typeof resume === 'string' || !readUpload(resume))

/** An operation that anybody may call, for one account or another. */
const forAnybody = (one: Operation): Operation => ({
  ...one,
  permission: null,
  query: Type.Object({ ...one.query.properties, account }) as Operation['query'],
})

const kept = (name: keyof typeof recruitmentSettings.fields) => recruitmentSettings.fields[name].output as TSchema

/** Who offers the vacancies, how their page looks, and what they ask of those who apply. */
const COMPANY = wrapped(
  Type.Object(
    {
      name: Type.String({ description: 'Name of the company' }),
      heading: kept('careers_heading'),
      introduction: kept('careers_introduction'),
      color: kept('careers_color'),
      logo: kept('careers_logo'),
      consent_required: kept('consent_required'),
    },
    { title: 'CareersCompany' },
  ),
)

const companyAt = (path: string, id: string): Operation =>
  forAnybody(
    operation(
      {
        id,
        method: 'GET',
        path,
        summary: 'Get the company of the careers page',
        note: 'Returns what a careers page needs: the name of the company, the design of the page, and whether applicants must consent to the processing of their data.',
        area,
        query: Type.Object({ account }),
        answer: COMPANY,
      },
      async ({ db }) => {
        const { consent_required, ...look } = await settingsOf(db)
        const shown = Object.entries(look).map(([name, value]) => [name.replace('careers_', ''), value])
        return { body: { data: { name: db.account.name, ...Object.fromEntries(shown), consent_required } } }
      },
    ),
  )

/** The operations at one of the places where sites look for them. */
const operationsAt = (path: string, ids: { list: string; get: string; apply: string }): Operation[] => [
  forAnybody(
    list(postings, {
      shape: posting,
      always,
      filters: {
        department_id: isRecord(postings, 'department_id'),
        location_id: isRecord(postings, 'location_id'),
        employment_type_id: isRecord(postings, 'employment_type_id'),
        q: hasWords(postings, 'Words, or beginnings of words, in the title'),
      },
      as: { id: ids.list, path, summary: 'List published vacancies' },
    }),
  ),
  forAnybody({
    ...get(postings, { shape: posting, always }),
    id: ids.get,
    path: `${path}/{id}`,
    summary: 'Get a published vacancy',
  }),
  forAnybody(
    operation(
      {
        id: ids.apply,
        method: 'POST',
        path: `${path}/{vacancy_id}/applications`,
        summary: 'Apply for a vacancy',
        note: 'Creates a candidate and an application. If a candidate with this email address exists, the data is added to them: as an application, note, document, phone number and consent. The response is the same in both cases.',
        area,
        params: Type.Object({ vacancy_id: recordId('vacancies') }),
        query: Type.Object({ account }),
        body: APPLICATION,
        status: 201,
        answer: RECEIVED,
        gathers: true,
        precheck: async ({ db, params }) => void (await openVacancy(db, params.vacancy_id)),
      },
      async ({ db, params, query, body, problems, files }) => {
        const vacancy = await openVacancy(db, params.vacancy_id)
        const full_name = nameIn(body, problems)
        if (body.account !== undefined && body.account !== db.account.id)
          problems.push(wrong('account', 'mismatch', `must be sent in the URL: ?account=${body.account}`))
        if (isUnreadable(body.resume))
          problems.push(wrong('resume', 'invalid', 'must be a non-empty file, uploaded as a part of a multipart body'))
        if (!body.consent && (await isConsentRequired(db)))
          problems.push(wrong('consent', 'required', 'is required to apply here'))
        refuse(problems)
        if (!body.contact_me_by_fax_only) await take(db, vacancy, { ...body, full_name }, files)
        const place = `${path}/${vacancy.id}`
        return {
          body: { data: { status: 'received' } },
          location: query.account === undefined ? place : `${place}?account=${query.account}`,
        }
      },
    ),
  ),
]

export const careersOperations = [
  companyAt('/api/careers/v1/company', 'getPostingCompany'),
  companyAt('/recruitment/careers/company', 'getCareersCompany'),
  ...operationsAt(postings.path, { list: 'listPostings', get: 'getPosting', apply: 'applyForPosting' }),
  ...operationsAt('/recruitment/careers/vacancies', {
    list: 'listCareersVacancies',
    get: 'getCareersVacancy',
    apply: 'applyThroughCareers',
  }),
]

async function take(db: Writer, vacancy: Row<typeof vacancies>, sent: Applicant, files: Files): Promise<void> {
  const [known] = await rowsOf(candidates, db.from('candidates').where('email_key', '=', fold(sent.email)))
  if (known) await applyAgain(db, vacancy, known, sent, files)
  else await applyFirst(db, vacancy, sent, files)
}

/** A candidate with what was sent, and nothing else. */
const save = (db: Writer, body: CandidateBody, before: Row<typeof candidates> | null, files: Files) =>
  saveCandidate({ db, body, extra: {}, ignored: new Set(), problems: [], files }, before)

async function applyFirst(db: Writer, vacancy: Row<typeof vacancies>, sent: Applicant, files: Files): Promise<void> {
  const { full_name, email, phone, cover_letter, urls, resume } = sent
  const person = { full_name, email, cover_letter, urls, resume, phone_numbers: phone ? [phone] : [] }
  const given = Object.entries(person).filter(([, value]) => value !== undefined)
  const id = await save(db, Object.fromEntries(given), null, files)
  // Where the one ends and the other begins, whoever applies knows best.
  const { first_name, last_name } = sent
  if (first_name && last_name)
    await amend(db, candidates, await find(db, candidates, id), { given_name: first_name, family_name: last_name })
  await noteConsents(db, id, sent)
  await apply(db, vacancy, id)
}

/** Nobody can overwrite somebody's record from outside: what they send is added to it or beside it. */
async function applyAgain(
  db: Writer,
  vacancy: Row<typeof vacancies>,
  known: Row<typeof candidates>,
  sent: Applicant,
  files: Files,
): Promise<void> {
  const { full_name, phone, cover_letter, urls = [], consent, future_recruitment_consent, resume } = sent
  const told = [
    full_name,
    ...(phone ? [phone] : []),
    ...urls,
    ...(consent ? ['with consent'] : []),
    ...(future_recruitment_consent ? ['with consent to future recruitment'] : []),
  ].join(', ')
  await writeNotes(db, known.id, [`Applied through the careers site: ${told}`, ...(cover_letter ? [cover_letter] : [])])
  const numbers = known.phone_numbers
  const isNew = phone && !numbers.some((one) => one === phone || phoneKey(one) === phoneKey(phone))
  if (isNew && numbers.length < MOST_NUMBERS) await save(db, { phone_numbers: [...numbers, phone] }, known, files)
  await noteConsents(db, known.id, sent)
  if (resume) await keepDocument(db, files, known.id, resume, [])
  if (!(await applicationOf(db, vacancy.id, known.id))) await apply(db, vacancy, known.id)
}

/** As many as can be sent: outsiders must not make a record that cannot be sent back. */
const MOST_NUMBERS = 100

async function noteConsents(
  db: Writer,
  candidateId: number,
  { consent, future_recruitment_consent }: Pick<ApplicationForm, 'consent' | 'future_recruitment_consent'>,
): Promise<void> {
  const before = await find(db, candidates, candidateId)
  // Whoever has refused is not made to consent by somebody outside who knows their address: the note tells of it.
  const given = (kept: typeof before.consent_kept) =>
    kept.status === 'rejected' ? kept : givenNow(kept, db.now, db.today)
  await amend(db, candidates, before, {
    ...(consent ? { consent_kept: given(before.consent_kept) } : {}),
    ...(future_recruitment_consent ? { future_consent_kept: given(before.future_consent_kept) } : {}),
  })
}
