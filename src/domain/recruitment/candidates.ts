import Type from 'typebox'
import {
  currency,
  date,
  derived,
  hidden,
  integer,
  json,
  loaded,
  longText,
  nameOf,
  notInFeed,
  orNull,
  readOnly,
  reference,
  text,
  textList,
  timestamp,
  told,
  toldAsThere,
} from '../../engine/field.ts'
import type { FileSource } from '../../engine/file-source.ts'
import { resource } from '../../engine/resource.ts'
import { many } from '../../engine/shape.ts'
import { addressOf } from '../files/tickets.ts'
import { idAndName } from '../organisation/names.ts'
import { personShort } from '../people/person.ts'
import { applicantFields, CANDIDATES } from './applicants.ts'
import { applications, candidateApplication } from './applications.ts'
import { languagesField } from './candidate-languages.ts'
import { mergedIds } from './candidate-merges.ts'
import { CONSENT, type Consent, NO_CONSENT, shownConsent, toldConsent } from './consent.ts'
import { candidateFields, sources } from './reference-data.ts'
import { skillsOf, tagsOf } from './skills-and-tags.ts'

const { area } = CANDIDATES
const sourceName = idAndName(sources)

export const candidateSkills = skillsOf('candidate', 'candidates')
export const candidateTags = tagsOf('candidate', 'candidates')

/** The name of one of the account's genders, or its id: what is kept and shown is the name that it has then. */
const genderInput = Type.Unsafe<string | null>({
  type: ['string', 'integer', 'null'],
  format: 'line',
  maxLength: 255,
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Name or ID of a gender',
  'x-group': 'personal',
  examples: ['female'],
})

/** The place of a candidate's files, so that all of them can go when the person goes. */
export const filesPart = (accountId: number, candidateId: number) => `candidates/${accountId}-${candidateId}`

export const candidates = resource(CANDIDATES, {
  ...applicantFields,
  given_name: hidden(text(), notInFeed('A part of full_name, where it was sent by itself')),
  family_name: hidden(text(), notInFeed('A part of full_name, where it was sent by itself')),
  cover_letter: longText({ example: 'I have built compilers for ten years and would like to join your team.' }),
  date_of_birth: date({ group: 'personal' }),
  gender: { ...text({ group: 'personal' }), input: genderInput },
  position: text({ example: 'Engineer' }),
  location: text({ example: 'Arlington' }),
  level: text({ example: 'Senior' }),
  urls: textList({ example: ['https://example.com/grace'] }),
  telegram_username: text({ example: 'gracehopper' }),
  skype_username: text({ example: 'live:grace' }),
  last_contacted_at: timestamp(),
  desired_salary: integer({ min: 0, max: 99_999_999_999, money: true, group: 'compensation', example: 60_000 }),
  currency_code: currency(),
  source: nameOf('source_id', 'sources'),
  source_id: reference('sources', { show: () => sourceName, as: 'source_record' }),
  languages: languagesField,
  skills: candidateSkills.field,
  tags: candidateTags.field,
  resume_hash: hidden(text(), toldAsThere('resume')),
  resume_name: hidden(text(), told('resume_name')),
  resume_type: hidden(text(), told('resume_type')),
  resume: derived(Type.Boolean(), ['resume_hash'], (row) => row.resume_hash !== null),
  resume_url: derived(orNull(Type.String()), ['id', 'resume_hash'], (row, db) =>
    row.resume_hash === null ? null : addressOf(db, { of: 'candidates', id: row.id, hash: row.resume_hash }).url,
  ),
  created_by_id: readOnly(reference('employees', { show: () => personShort })),
  employee_id: readOnly(
    reference('employees', {
      fate: 'goes',
      same: true,
      note: 'ID of the employee that the candidate has become; null if not hired',
    }),
  ),
  applications: many(
    () => applications,
    'candidate_id',
    () => candidateApplication,
  ),
  custom_fields: loaded(candidateFields.output, candidateFields.load),
  merged_ids: mergedIds,
  consent_kept: json<Consent>(NO_CONSENT, told('consent', toldConsent)),
  future_consent_kept: json<Consent>(NO_CONSENT, told('future_recruitment_consent', toldConsent)),
  consent: derived(CONSENT, ['consent_kept'], (row, db) => shownConsent(row.consent_kept, db.today)),
  future_recruitment_consent: derived(CONSENT, ['future_consent_kept'], (row, db) =>
    shownConsent(row.future_consent_kept, db.today),
  ),
})

/** The numbers of candidates as they are compared: digits only. */
export const candidatePhones = resource(
  { table: 'candidate_phones', one: 'candidate phone', area },
  {
    candidate_id: reference('candidates', { required: true, owner: true }),
    number_key: { ...text({ required: true }), as: 'number' },
  },
)

export const phoneKey = (number: string) => number.replace(/\D/g, '').replace(/^0+/, '').slice(-10)

export const resumeFiles: FileSource = {
  table: 'candidates',
  named: 'resume_hash',
  columns: ['resume_hash', 'resume_name', 'resume_type'],
  fileOf: ({ account_id, id, resume_hash, resume_name, resume_type }) =>
    resume_hash && { part: filesPart(account_id, id), hash: resume_hash, name: resume_name, type: resume_type },
}
