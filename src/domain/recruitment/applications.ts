import Type from 'typebox'
import type { Row } from '../../engine/declaration.ts'
import { derived, loaded, longText, orNull, readOnly, reference, timestamp } from '../../engine/field.ts'
import { card, resource } from '../../engine/resource.ts'
import { idAndName } from '../organisation/names.ts'
import { personCard } from '../people/person.ts'
import { applicantCard } from './applicants.ts'
import { employeesHired, hiringTimes } from './hires.ts'
import { stageName } from './pipelines.ts'
import { disqualifyReasons } from './reference-data.ts'
import { vacancyTitle } from './vacancies.ts'

const area = 'recruitment'
const reasonName = idAndName(disqualifyReasons)

export const applications = resource(
  {
    table: 'applications',
    one: 'application',
    area,
    path: '/recruitment/vacancies/{vacancy_id}/applications',
    about: [{ column: 'vacancy_id' }],
  },
  {
    vacancy_id: reference('vacancies', { required: true, show: () => vacancyTitle }),
    candidate_id: {
      ...reference('candidates', { required: true, owner: true, show: () => applicantCard, as: 'applicant' }),
      input: null,
    },
    person: derived(Type.Integer(), ['candidate_id'], (row) => row.candidate_id, { as: 'candidate_id' }),
    stage_id: {
      ...reference('pipeline_stages', { required: true, show: () => stageName, as: 'pipeline_state' }),
      input: null,
    },
    hired_at: loaded(
      orNull(
        Type.String({
          format: 'date-time',
          description: 'When the candidate was hired for this vacancy; null if not hired',
        }),
      ),
      hiringTimes,
    ),
    employee_id: loaded(
      orNull(
        Type.Integer({
          description: 'ID of the employee who was hired through the application; null if there is none yet',
        }),
      ),
      employeesHired,
    ),
    disqualified_at: readOnly(timestamp()),
    disqualify_reason_id: readOnly(reference('disqualify_reasons', { show: () => reasonName })),
    disqualify_comment: readOnly(longText({ nullable: true, group: 'notes' })),
  },
)

/** An application as its vacancy shows it. */
export const vacancyApplication = card(applications, 'Application', [
  'id',
  'candidate_id',
  'person',
  'stage_id',
  'hired_at',
  'employee_id',
  'disqualified_at',
  'disqualify_reason_id',
  'disqualify_comment',
  'created_at',
  'updated_at',
])

/** An application as its candidate shows it. */
export const candidateApplication = card(applications, 'CandidateApplication', [
  'id',
  'disqualified_at',
  'vacancy_id',
  'created_at',
  'updated_at',
  'stage_id',
  'employee_id',
  'disqualify_reason_id',
])

const applicationName = card(applications, 'ApplicationName', ['id'])

/** Where an application stood and for how long. */
export const movements = resource(
  { table: 'movements', one: 'movement', area, path: '/recruitment/movements', about: [{ column: 'vacancy_id' }] },
  {
    application_id: reference('applications', { required: true, owner: true, show: () => applicationName }),
    vacancy_id: reference('vacancies', { required: true, owner: true }),
    candidate_id: reference('candidates', { required: true, owner: true }),
    vacancy_application: derived(
      Type.Object({ id: Type.Integer(), applicant_id: Type.Integer(), vacancy_id: Type.Integer() }),
      ['application_id', 'candidate_id', 'vacancy_id'],
      (row) => ({ id: row.application_id, applicant_id: row.candidate_id, vacancy_id: row.vacancy_id }),
    ),
    stage_id: reference('pipeline_stages', { required: true, show: () => stageName }),
    created_by_id: reference('employees', { show: () => personCard }),
    entered_at: timestamp({ required: true }),
    exited_at: timestamp(),
    duration: derived(
      Type.Integer({ description: 'Time in the stage, in seconds; for the current stage, the time until now' }),
      ['entered_at', 'exited_at'],
      (row, db) => Math.max(0, Math.floor((Date.parse(row.exited_at ?? db.now) - Date.parse(row.entered_at)) / 1000)),
    ),
  },
)

export const movementShape = card(movements, 'Movement', [
  'id',
  'vacancy_application',
  'stage_id',
  'created_by_id',
  'entered_at',
  'exited_at',
  'duration',
  'created_at',
])

export type Application = Row<typeof applications>
