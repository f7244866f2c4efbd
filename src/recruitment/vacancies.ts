import Type from 'typebox'
import { fieldsInput } from '../custom/plain-values.ts'
import type { Reader } from '../database/handle.ts'
import type { Writer } from '../database/write.ts'
import { type Filter, get, list, post, put, remove } from '../engine/derive.ts'
import {
  boolean,
  choice,
  currency,
  date,
  html,
  integer,
  loaded,
  readOnly,
  reference,
  text,
  timestamp,
} from '../engine/field.ts'
import { isRecord } from '../engine/filter.ts'
import { operation, recordId, wrapped } from '../engine/operation.ts'
import { conflict, type FieldProblem } from '../engine/problem.ts'
import { amend, create, erase, existing, find, insertAll, type Rule } from '../engine/records.ts'
import { card, decode, resource, schemaOf, show } from '../engine/resource.ts'
import { departments } from '../organisation/departments.ts'
import { locations } from '../organisation/locations.ts'
import { divisions, employmentTypes, idAndName, jobLevels, legalEntities, positions } from '../organisation/names.ts'
import { personShort } from '../people/employees.ts'
import { stillHere } from '../people/still-here.ts'
import { vacancyFields } from './lists.ts'
import { pipelines } from './pipelines.ts'
import { skillsOf, tagsOf, wordsInput } from './word-lists.ts'

const area = 'recruitment'
const legalEntityName = idAndName(legalEntities)

export const STATES = ['drafting', 'opened', 'held', 'closed', 'cancelled', 'archived'] as const
const PRIORITIES = ['low', 'medium', 'high'] as const

/** Where a vacancy can go from each state. */
const MOVES: Record<string, readonly string[]> = {
  drafting: ['opened'],
  opened: ['held', 'closed', 'cancelled'],
  held: ['opened', 'closed', 'cancelled'],
  closed: ['archived', 'opened'],
  cancelled: ['archived', 'opened'],
  archived: [],
}

export const vacancySkills = skillsOf('vacancy', 'vacancies')
export const vacancyTags = tagsOf('vacancy', 'vacancies')

export const vacancyCollaborators = resource(
  { table: 'vacancy_collaborators', one: 'vacancy collaborator', area },
  {
    vacancy_id: reference('vacancies', { required: true, owner: true }),
    user_id: reference('employees', { required: true, show: () => personShort, as: 'user' }),
  },
)

export const vacancies = resource(
  { table: 'vacancies', one: 'vacancy', area, path: '/recruitment/vacancies' },
  {
    title: text({ required: true, max: 100, example: 'Backend engineer' }),
    description: html({ required: true, example: '<p>Build the core.</p>' }),
    state: choice(STATES, { default: 'drafting' }),
    priority: choice(PRIORITIES, { default: 'medium', example: 'high' }),
    starts_on: date(),
    ends_on: date(),
    positions: integer({ min: 1, max: 10_000, default: 1, note: 'How many people are wanted', example: 2 }),
    currency_code: currency(),
    minimum_salary: readOnly(integer({ group: 'compensation' })),
    maximum_salary: readOnly(integer({ group: 'compensation' })),
    post_on_careers: boolean({ default: false }),
    applications_count: loaded(Type.Integer(), countApplications),
    position_id: reference('positions', { show: () => positions.whole }),
    job_level_id: reference('job_levels', { show: () => jobLevels.whole }),
    division_id: reference('divisions', { show: () => divisions.whole }),
    employment_type_id: reference('employment_types', { required: true, show: () => employmentTypes.whole }),
    department_id: reference('departments', { required: true, show: () => departments.whole }),
    location_id: reference('locations', { required: true, show: () => locations.whole }),
    legal_entity_id: reference('legal_entities', { show: () => legalEntityName }),
    recruitment_pipeline_id: reference('pipelines', { required: true, show: () => pipelines.whole }),
    hiring_lead_user_id: reference('employees', { required: true, show: () => personShort, as: 'hiring_lead' }),
    collaborators: loaded(() => Type.Array(schemaOf(personShort)), loadCollaborators),
    tags: vacancyTags.field,
    skills: vacancySkills.field,
    custom_fields: loaded(vacancyFields.output, vacancyFields.load),
    opened_at: readOnly(timestamp()),
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
  const lists = new Map<number, unknown[]>(ids.map((id) => [id, []]))
  for (const { vacancy_id, user_id } of rows) lists.get(vacancy_id)?.push(byId.get(user_id))
  return lists
}

const datesAndSalariesInOrder: Rule<typeof vacancies> = ({ after, fail }) => {
  if (after.starts_on && after.ends_on && after.ends_on < after.starts_on)
    fail('ends_on', 'too_early', 'cannot be before starts_on')
  if (after.minimum_salary !== null && after.maximum_salary !== null && after.maximum_salary < after.minimum_salary)
    fail('max_salary', 'too_small', 'cannot be less than min_salary')
}

/** A pipeline cannot change under applications, whose stages it has. */
const pipelineStays: Rule<typeof vacancies> = async ({ db, before, changes, fail }) => {
  if (!before || !changes.recruitment_pipeline_id || changes.recruitment_pipeline_id === before.recruitment_pipeline_id)
    return
  const used = await db
    .from('applications')
    .select('id')
    .where('vacancy_id', '=', before.id)
    .limit(1)
    .executeTakeFirst()
  if (used) fail('recruitment_pipeline_id', 'in_use', 'cannot change while there are applications')
}

const rules = [datesAndSalariesInOrder, pipelineStays, stillHere('hiring_lead_user_id')]

const salary = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: 0,
  maximum: 99_999_999_999,
  'x-group': 'compensation',
  examples: [50_000],
})

const more = {
  min_salary: salary,
  max_salary: salary,
  collaborator_ids: Type.Array(recordId('employees'), { maxItems: 100 }),
  tags: wordsInput,
  skills: wordsInput,
  fields: fieldsInput,
}

/** A body's own names as the record's. */
function columnsOf(body: Record<string, any>): Record<string, any> {
  const { min_salary, max_salary, ...rest } = body
  return { ...rest, minimum_salary: min_salary, maximum_salary: max_salary }
}

async function checkCollaborators(db: Reader, ids: number[] | undefined, problems: FieldProblem[]): Promise<void> {
  if (!ids?.length) return
  const known = await existing(db, 'employees', ids)
  if (ids.some((id) => !known.has(id)))
    problems.push({
      field: 'collaborator_ids',
      code: 'not_found',
      message: 'collaborator_ids must be ids of existing employees',
    })
}

/** Everything of a vacancy that is kept in tables of its own. */
async function storeLists(db: Writer, id: number, body: Record<string, any>, values: any[]): Promise<void> {
  await vacancyTags.set(db, id, body.tags)
  await vacancySkills.set(db, id, body.skills)
  await vacancyFields.store(db, id, values)
  if (body.collaborator_ids === undefined) return
  const rows = await db.from('vacancy_collaborators').selectAll().where('vacancy_id', '=', id).execute()
  const missing = new Set<number>(body.collaborator_ids)
  for (const row of rows)
    if (!missing.delete(row.user_id)) await erase(db, vacancyCollaborators, decode(vacancyCollaborators, row))
  await insertAll(
    db,
    vacancyCollaborators,
    [...missing].map((user_id) => ({ vacancy_id: id, user_id })),
  )
}

/** Which moment a change of state opens the vacancy for the first time. */
const openedAt = (db: Reader, before: string | null, state: string | undefined) =>
  state === 'opened' && before === null ? { opened_at: db.now } : {}

const anyOf = (column: string, values: readonly string[]): Filter => ({
  schema: Type.Array(Type.Unsafe<string>({ type: 'string', enum: [...values] }), { maxItems: 20 }),
  narrow: (query, wanted) => (wanted.length ? query.where(column, 'in', wanted) : query),
})

const BOARD = Type.Object(
  {
    vacancy_id: Type.Integer(),
    pipeline_id: Type.Integer(),
    applications_count: Type.Integer(),
    qualified_applications_count: Type.Integer(),
    disqualified_applications_count: Type.Integer(),
    stages: Type.Array(
      Type.Object({
        id: Type.Integer(),
        name: Type.String(),
        type: Type.String(),
        qualified_applications_count: Type.Integer(),
        disqualified_applications_count: Type.Integer(),
      }),
    ),
  },
  { title: 'VacancyBoard' },
)

export const vacancyOperations = [
  list(vacancies, {
    filters: {
      status: anyOf('vacancies.state', STATES),
      priority: anyOf('vacancies.priority', PRIORITIES),
      tag_ids: vacancyTags.byId,
      tags: vacancyTags.byName,
      department_id: isRecord('vacancies.department_id'),
      location_id: isRecord('vacancies.location_id'),
      hiring_lead_user_id: isRecord('vacancies.hiring_lead_user_id'),
    },
  }),
  get(vacancies),
  post(vacancies, {
    more,
    open: true,
    async store({ db, body, extra, ignored, problems }) {
      await checkCollaborators(db, body.collaborator_ids, problems)
      const values = await vacancyFields.read(db, { extra, fields: body.fields, ignored, problems })
      if (body.state && !['drafting', 'opened'].includes(body.state))
        problems.push({
          field: 'state',
          code: 'not_allowed',
          message: 'state of a new vacancy must be drafting or opened',
        })
      const currency_code = body.currency_code ?? db.account.currency_code
      const row = { ...columnsOf(body), currency_code, ...openedAt(db, null, body.state) }
      const id = await create(db, vacancies, row, { rules, problems })
      await storeLists(db, id, body, values)
      return id
    },
  }),
  put(vacancies, {
    more,
    open: true,
    async store({ db, body, extra, ignored, problems }, before) {
      await checkCollaborators(db, body.collaborator_ids, problems)
      const values = await vacancyFields.read(db, { extra, fields: body.fields, ignored, problems })
      if (body.currency_code === null) body.currency_code = db.account.currency_code
      const from = before.state as string
      if (body.state && body.state !== from && !MOVES[from]?.includes(body.state))
        throw conflict(`A vacancy that is ${from} cannot become ${body.state}`)
      await amend(
        db,
        vacancies,
        before,
        { ...columnsOf(body), ...openedAt(db, before.opened_at, body.state) },
        { rules, problems },
      )
      await storeLists(db, before.id, body, values)
      await db.touch('vacancies', [before.id])
    },
  }),
  remove(vacancies),
  operation(
    {
      id: 'getVacancyBoard',
      method: 'GET',
      path: '/recruitment/vacancies/{vacancy_id}/pipeline',
      summary: 'Show the board of a vacancy in figures',
      area,
      params: Type.Object({ vacancy_id: recordId('vacancies') }),
      answer: wrapped(BOARD),
    },
    async ({ db, params }) => {
      const vacancy = await find(db, vacancies, params.vacancy_id)
      const stages = await db
        .from('pipeline_stages')
        .select(['id', 'name', 'type'])
        .where('pipeline_id', '=', vacancy.recruitment_pipeline_id)
        .orderBy('position')
        .orderBy('id')
        .execute()
      const rows = await db
        .from('applications')
        .select((eb) => ['stage_id', eb.fn.countAll().as('n'), eb.fn.count('disqualified_at').as('out')])
        .where('vacancy_id', '=', vacancy.id)
        .groupBy('stage_id')
        .execute()
      const counts = new Map(rows.map((row) => [row.stage_id, { all: Number(row.n), out: Number(row.out) }]))
      const sum = (which: 'all' | 'out') => [...counts.values()].reduce((total, count) => total + count[which], 0)
      const data = {
        vacancy_id: vacancy.id,
        pipeline_id: vacancy.recruitment_pipeline_id,
        applications_count: sum('all'),
        qualified_applications_count: sum('all') - sum('out'),
        disqualified_applications_count: sum('out'),
        stages: stages.map((stage) => {
          const { all = 0, out = 0 } = counts.get(stage.id) ?? {}
          return { ...stage, qualified_applications_count: all - out, disqualified_applications_count: out }
        }),
      }
      return { body: { data } }
    },
  ),
]
