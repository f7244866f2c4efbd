import Type from 'typebox'
import {
  boolean,
  choice,
  currency,
  date,
  derived,
  html,
  integer,
  loaded,
  neverBlank,
  readOnly,
  reference,
  text,
  timestamp,
} from '../../engine/field.ts'
import { card, resource } from '../../engine/resource.ts'
import { schemaOf } from '../../engine/schema.ts'
import { listsFor, show } from '../../engine/shape.ts'
import type { Reader } from '../../records/reader.ts'
import { departments } from '../organisation/departments.ts'
import { locations } from '../organisation/locations.ts'
import { divisions, employmentTypes, idAndName, jobLevels, legalEntities, positions } from '../organisation/names.ts'
import { personNames, personShort } from '../people/person.ts'
import { countHires } from './hires.ts'
import { pipelines } from './pipelines.ts'
import { vacancyFields } from './reference-data.ts'
import { skillsOf, tagsOf } from './skills-and-tags.ts'
import { nextStates, STATES, takesApplications } from './vacancy-states.ts'

const area = 'recruitment'
export const LARGEST_SALARY = 99_999_999_999
const legalEntityName = idAndName(legalEntities)

const PRIORITIES = ['low', 'medium', 'high'] as const

export const vacancySkills = skillsOf('vacancy', 'vacancies')
export const vacancyTags = tagsOf('vacancy', 'vacancies')

export const vacancyCollaborators = resource(
  { table: 'vacancy_collaborators', one: 'vacancy collaborator', area },
  {
    vacancy_id: reference('vacancies', { required: true, owner: true, part: true }),
    user_id: reference('employees', { required: true, show: () => personShort, as: 'user' }),
  },
)

export const vacancies = resource(
  { table: 'vacancies', one: 'vacancy', area, path: '/recruitment/vacancies', about: ['self'] },
  {
    title: text({ required: true, max: 100, searched: true, example: 'Backend engineer' }),
    description: html({ required: true, example: '<p>Build and run the services behind our product.</p>' }),
    state: neverBlank(choice(STATES, { default: 'drafting' })),
    priority: neverBlank(choice(PRIORITIES, { default: 'medium', example: 'high' })),
    starts_on: date(),
    ends_on: date({
      note: 'Last day on which the careers page shows the vacancy and accepts applications; null: no end',
      example: '2040-12-31',
    }),
    positions: neverBlank(
      integer({ min: 1, max: 10_000, default: 1, note: 'Number of positions to fill', example: 2 }),
    ),
    currency_code: currency({ supplied: true }),
    minimum_salary: readOnly(integer({ min: 0, max: LARGEST_SALARY, money: true, group: 'compensation' })),
    maximum_salary: readOnly(integer({ min: 0, max: LARGEST_SALARY, money: true, group: 'compensation' })),
    post_on_careers: neverBlank(boolean({ default: false })),
    // Whoever is kept from pay must not put it where everybody reads it.
    salary_on_careers: {
      ...neverBlank(boolean({ default: false, group: 'compensation' })),
      column: { type: 'boolean', isNeverNull: false },
      read: Boolean,
    },
    applications_count: loaded(Type.Integer(), countApplications),
    hires_count: loaded(Type.Integer({ description: 'Number of filled positions' }), countHires),
    position_id: reference('positions', { show: () => positions.whole }),
    job_level_id: reference('job_levels', { show: () => jobLevels.whole }),
    division_id: reference('divisions', { show: () => divisions.whole }),
    employment_type_id: reference('employment_types', { required: true, show: () => employmentTypes.whole }),
    department_id: reference('departments', { required: true, show: () => departments.whole }),
    location_id: reference('locations', { required: true, show: () => locations.whole }),
    legal_entity_id: reference('legal_entities', { show: () => legalEntityName }),
    recruitment_pipeline_id: reference('pipelines', { required: true, show: () => pipelines.whole }),
    hiring_lead_user_id: reference('employees', {
      required: true,
      fate: 'stays',
      show: () => personNames,
      as: 'hiring_lead',
    }),
    collaborators: loaded(() => Type.Array(schemaOf(personShort)), loadCollaborators),
    tags: vacancyTags.field,
    skills: vacancySkills.field,
    custom_fields: loaded(vacancyFields.output, vacancyFields.load),
    opened_at: readOnly(timestamp()),
    next_states: loaded(
      Type.Array(Type.Unsafe<string>({ type: 'string', enum: [...STATES] }), {
        description: 'States to which the vacancy can change now',
      }),
      nextStates,
    ),
    takes_applications: derived(
      Type.Boolean({ description: 'Whether you can create applications for the vacancy in its current state' }),
      ['state'],
      ({ state }) => takesApplications(state),
    ),
  },
)

export const vacancyTitle = card(vacancies, 'VacancyTitle', ['id', 'title'])

async function countApplications(db: Reader, ids: number[]): Promise<Map<number, number>> {
  const rows = await db
    .from('applications')
    .select((eb) => ['vacancy_id', eb.fn.countAll().as('n')])
    .where('vacancy_id', 'in', ids)
    .groupBy('vacancy_id')
    .execute()
  return new Map([...ids.map((id) => [id, 0] as const), ...rows.map((row) => [row.vacancy_id, Number(row.n)] as const)])
}

async function loadCollaborators(db: Reader, ids: number[]): Promise<Map<number, unknown>> {
  const rows = await db
    .from('vacancy_collaborators')
    .select(['vacancy_id', 'user_id'])
    .where('vacancy_id', 'in', ids)
    .orderBy('id')
    .execute()
  const people = await show(db, personShort, [...new Set(rows.map((row) => row.user_id))])
  const byId = new Map(people.map((person) => [person.id, person]))
  return listsFor(
    ids,
    rows.map(({ vacancy_id, user_id }) => [vacancy_id, byId.get(user_id)]),
  )
}
