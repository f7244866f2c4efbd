import Type from 'typebox'
import { permits } from '../access/permissions.ts'
import type { Reader } from '../database/handle.ts'
import type { Writer } from '../database/write.ts'
import { type Filter, get, list } from '../engine/derive.ts'
import { derived, longText, readOnly, reference, timestamp } from '../engine/field.ts'
import { anyRecordOf, isRecord, timeRange } from '../engine/filter.ts'
import { operation, recordId, wrapped } from '../engine/operation.ts'
import { conflict, type FieldProblem, invalid, Problem } from '../engine/problem.ts'
import { amend, create, find, insertAll } from '../engine/records.ts'
import { bodySchema, card, decode, type Row, resource, schemaOf, show } from '../engine/resource.ts'
import { check } from '../engine/validate.ts'
import { idAndName } from '../organisation/names.ts'
import { changeEmployees } from '../people/employee-changes.ts'
import { employees, personCard } from '../people/employees.ts'
import { salaries } from '../people/salaries.ts'
import { applicantCard, candidates } from './candidates.ts'
import { disqualifyReasons } from './lists.ts'
import { notAStage, stageName } from './pipelines.ts'
import { vacancies, vacancyTitle } from './vacancies.ts'

const area = 'recruitment'
const reasonName = idAndName(disqualifyReasons)

export const applications = resource(
  { table: 'applications', one: 'application', area, path: '/recruitment/vacancies/{vacancy_id}/applications' },
  {
    vacancy_id: reference('vacancies', { required: true, show: () => vacancyTitle }),
    candidate_id: {
      ...reference('candidates', { required: true, owner: true, show: () => applicantCard, as: 'applicant' }),
      input: null,
    },
    stage_id: {
      ...reference('pipeline_stages', { required: true, show: () => stageName, as: 'pipeline_state' }),
      input: null,
    },
    disqualified_at: readOnly(timestamp()),
    disqualify_reason_id: readOnly(reference('disqualify_reasons', { show: () => reasonName })),
    disqualify_comment: readOnly(longText({ nullable: true })),
  },
)

/** An application as its vacancy shows it. */
const vacancyApplication = card(applications, 'Application', [
  'id',
  'candidate_id',
  'stage_id',
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
  'disqualify_reason_id',
])

const applicationName = card(applications, 'ApplicationName', ['id'])

/** Where an application stood and for how long. */
export const movements = resource(
  { table: 'movements', one: 'movement', area, path: '/recruitment/movements' },
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
      Type.Integer({ description: 'Seconds in the stage, until now when it stands there' }),
      ['entered_at', 'exited_at'],
      (row, db) => Math.max(0, Math.floor((Date.parse(row.exited_at ?? db.now) - Date.parse(row.entered_at)) / 1000)),
    ),
  },
)

const movementShape = card(movements, 'Movement', [
  'id',
  'vacancy_application',
  'stage_id',
  'created_by_id',
  'entered_at',
  'exited_at',
  'duration',
  'created_at',
])

type Application = Row<typeof applications>

/** The stages of a vacancy's pipeline, in order. */
const stagesOf = async (db: Reader, vacancyId: number): Promise<{ id: number; type: string }[]> => {
  const { recruitment_pipeline_id } = await find(db, vacancies, vacancyId)
  const query = db.from('pipeline_stages').select(['id', 'type']).where('pipeline_id', '=', recruitment_pipeline_id)
  return query.orderBy('position').orderBy('id').execute() as any
}

const enter = (db: Writer, id: number, vacancy_id: number, candidate_id: number, stage_id: number) =>
  insertAll(db, movements, [
    { application_id: id, vacancy_id, candidate_id, stage_id, created_by_id: db.employeeId, entered_at: db.now },
  ])

/** Moves an application; the end of one stay is the beginning of the next. */
async function move(db: Writer, application: Application, stageId: number): Promise<void> {
  if (application.disqualified_at !== null)
    throw conflict('A disqualified application does not move until it is requalified')
  if (application.stage_id === stageId) return
  const stay = await db
    .from('movements')
    .selectAll()
    .where('application_id', '=', application.id)
    .where('exited_at', 'is', null)
    .executeTakeFirst()
  if (stay) await amend(db, movements, decode(movements, stay), { exited_at: db.now })
  await enter(db, application.id, application.vacancy_id, application.candidate_id, stageId)
  await amend(db, applications, application, { stage_id: stageId })
  await db.touch('candidates', [application.candidate_id])
}

/** Puts a candidate forward for a vacancy. */
export async function apply(
  db: Writer,
  vacancyId: number,
  candidateId: number,
  stageId: number | undefined,
): Promise<number> {
  const stages = await stagesOf(db, vacancyId)
  const stage = stageId === undefined ? stages[0] : stages.find(({ id }) => id === stageId)
  if (!stage) throw notAStage()
  const twin = await db
    .from('applications')
    .select('id')
    .where('vacancy_id', '=', vacancyId)
    .where('candidate_id', '=', candidateId)
    .executeTakeFirst()
  if (twin)
    throw invalid([
      {
        field: 'applicant_id',
        code: 'taken',
        message: `applicant_id has already applied, with application ${twin.id}`,
      },
    ])
  const [id] = await insertAll(db, applications, [
    { vacancy_id: vacancyId, candidate_id: candidateId, stage_id: stage.id },
  ])
  await enter(db, id as number, vacancyId, candidateId, stage.id)
  await db.touch('candidates', [candidateId])
  await db.touch('vacancies', [vacancyId])
  return id as number
}

const inVacancy = Type.Object({ vacancy_id: recordId('vacancies') })
const one = Type.Object({ vacancy_id: recordId('vacancies'), id: recordId('applications') })
const path = `${applications.path}/{id}`
const answer = wrapped(schemaOf(vacancyApplication))
const shown = async (db: Reader, id: number) => ({ data: (await show(db, vacancyApplication, [id]))[0] })
const findIn = (db: Reader, params: { vacancy_id: number; id: number }) =>
  find(db, applications, params.id, { vacancy_id: params.vacancy_id })

const byDisqualified: Filter = {
  schema: Type.Boolean({ description: 'Only the disqualified ones, or only the others' }),
  narrow: (query, out) => query.where('applications.disqualified_at', out ? 'is not' : 'is', null),
}

const stageBody = (name: string, title: string) =>
  Type.Object({ [name]: Type.Optional(recordId('pipeline_stages')) }, { title }) as any

const moveOperation = (id: string, subpath: string, name: string, summary: string, note?: string) =>
  operation(
    {
      id,
      method: 'PUT',
      path: `${path}${subpath}`,
      summary,
      ...(note ? { note } : {}),
      area,
      params: one,
      body: stageBody(name, pascalOf(id)),
      answer,
      conflicts: 'The application is disqualified',
    },
    async ({ db, params, body }) => {
      const application = await findIn(db, params)
      const stageId = (body as any)[name] as number | undefined
      if (stageId !== undefined) {
        if (!(await stagesOf(db, params.vacancy_id)).some((stage) => stage.id === stageId)) throw notAStage()
        await move(db, application, stageId)
      }
      return { body: await shown(db, params.id) }
    },
  )

const pascalOf = (id: string) => id.charAt(0).toUpperCase() + id.slice(1)

const salaryInput = Type.Unsafe<any>({
  type: ['object', 'null'],
  description: 'amount, currency_code and per of the first salary',
  'x-group': 'compensation',
  properties: {
    amount: salaries.fields.amount.input,
    currency_code: salaries.fields.currency_code.input,
    per: salaries.fields.per.input,
  },
})

/** The last word of a name is the last name. */
function splitName(fullName: string) {
  const words = fullName.split(/\s+/)
  return words.length === 1
    ? { first_name: fullName, last_name: fullName }
    : { first_name: words.slice(0, -1).join(' '), last_name: words.at(-1) as string }
}

const HIRED = Type.Object({
  data: Type.Object(
    { application: schemaOf(vacancyApplication), employee: schemaOf(employees.whole), vacancy_state: Type.String() },
    { title: 'Hiring' },
  ),
})

/** Makes an employee of the candidate, and everything that goes with it: all or nothing. */
async function hire(db: Writer, application: Application, body: { hired_on?: string; salary?: any }) {
  const vacancy = await find(db, vacancies, application.vacancy_id)
  const candidate = await find(db, candidates, application.candidate_id)
  if (vacancy.state !== 'opened') throw conflict(`The vacancy is ${vacancy.state}, not opened`)
  if (candidate.employee_id !== null) throw conflict(`The candidate is already employee ${candidate.employee_id}`)
  const stages = await stagesOf(db, vacancy.id)
  const last = stages.findLast(({ type }) => type === 'hired')
  if (!last) throw conflict("The vacancy's pipeline has no stage of the type hired")

  const problems: FieldProblem[] = []
  const hired_on = body.hired_on ?? db.today
  const { department_id, position_id, location_id, employment_type_id, job_level_id, division_id, legal_entity_id } =
    vacancy
  const job = {
    department_id,
    position_id,
    location_id,
    employment_type_id,
    job_level_id,
    division_id,
    legal_entity_id,
  }
  const person = {
    ...splitName(candidate.full_name),
    email: candidate.email,
    mobile_number: candidate.phone_numbers[0],
    work_phone_number: candidate.phone_numbers[1],
    date_of_birth: candidate.date_of_birth,
    hired_on,
  }
  const sent = Object.fromEntries(
    Object.entries({ ...person, ...job }).filter(([, value]) => value !== null && value !== undefined),
  )
  const [employeeId] = await changeEmployees(db, [
    { before: null, body: sent, extra: {}, ignored: new Set(), problems },
  ])
  if (problems.length > 0 || !employeeId) throw invalid(problems)
  if (body.salary) {
    const salary = check(bodySchema(salaries, 'create'), {
      effective_on: hired_on,
      currency_code: vacancy.currency_code,
      ...body.salary,
    })
    const named = salary.problems.map((problem) => ({
      ...problem,
      field: `salary.${problem.field}`,
      message: `salary.${problem.message}`,
    }))
    if (named.length > 0) throw invalid(named)
    await create(db, salaries, { ...salary.values, employee_id: employeeId })
  }
  await move(db, application, last.id)
  await amend(db, candidates, await find(db, candidates, candidate.id), { employee_id: employeeId })
  const filled = await db
    .from('applications')
    .select((eb) => eb.fn.countAll().as('n'))
    .where('vacancy_id', '=', vacancy.id)
    .where('disqualified_at', 'is', null)
    .where(
      'stage_id',
      'in',
      stages.filter(({ type }) => type === 'hired').map(({ id }) => id),
    )
    .executeTakeFirstOrThrow()
  const isFull = Number(filled.n) >= vacancy.positions
  if (isFull) await amend(db, vacancies, vacancy, { state: 'closed' })
  return { employeeId, state: isFull ? 'closed' : vacancy.state }
}

export const applicationOperations = [
  list(applications, {
    shape: vacancyApplication,
    filters: {
      stage_id: isRecord('applications.stage_id'),
      pipeline_stage_id: isRecord('applications.stage_id'),
      disqualified: byDisqualified,
    },
  }),
  get(applications, { shape: vacancyApplication }),
  operation(
    {
      id: 'createApplication',
      method: 'POST',
      path: applications.path,
      summary: 'Put a candidate forward for a vacancy',
      area,
      params: inVacancy,
      body: Type.Object(
        { applicant_id: recordId('candidates'), applicant_state_id: Type.Optional(recordId('pipeline_stages')) },
        { title: 'CreateApplication' },
      ),
      status: 201,
      answer,
    },
    async ({ db, params, body }) => {
      await find(db, vacancies, params.vacancy_id)
      const known = await db.from('candidates').select('id').where('id', '=', body.applicant_id).executeTakeFirst()
      if (!known)
        throw invalid([
          {
            field: 'applicant_id',
            code: 'not_found',
            message: 'applicant_id must be the id of an existing record of candidates',
          },
        ])
      const id = await apply(db, params.vacancy_id, body.applicant_id, body.applicant_state_id)
      return { body: await shown(db, id), location: `/recruitment/vacancies/${params.vacancy_id}/applications/${id}` }
    },
  ),
  moveOperation('updateApplication', '', 'applicant_state_id', 'Move an application to another stage'),
  moveOperation(
    'moveApplication',
    '/move',
    'pipeline_stage_id',
    'Move an application to another stage',
    'As the update does, by the name of the stage that newer clients send.',
  ),
  operation(
    {
      id: 'disqualifyApplication',
      method: 'POST',
      path: `${path}/disqualify`,
      summary: 'Disqualify an application',
      area,
      params: one,
      body: Type.Object(
        {
          disqualify_reason_id: Type.Optional(recordId('disqualify_reasons')),
          comment: Type.Optional(
            Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'text', maxLength: 65_535 }),
          ),
        },
        { title: 'DisqualifyApplication' },
      ),
      answer,
      conflicts: 'The application is already disqualified',
    },
    async ({ db, params, body }) => {
      const application = await findIn(db, params)
      if (application.disqualified_at !== null) throw conflict('The application is already disqualified')
      await amend(db, applications, application, {
        disqualified_at: db.now,
        disqualify_reason_id: body.disqualify_reason_id ?? null,
        disqualify_comment: body.comment ?? null,
      })
      await db.touch('candidates', [application.candidate_id])
      return { body: await shown(db, params.id) }
    },
  ),
  operation(
    {
      id: 'requalifyApplication',
      method: 'POST',
      path: `${path}/requalify`,
      summary: 'Take back a disqualification',
      area,
      params: one,
      answer,
      conflicts: 'The application is not disqualified',
    },
    async ({ db, params }) => {
      const application = await findIn(db, params)
      if (application.disqualified_at === null) throw conflict('The application is not disqualified')
      await amend(db, applications, application, {
        disqualified_at: null,
        disqualify_reason_id: null,
        disqualify_comment: null,
      })
      await db.touch('candidates', [application.candidate_id])
      return { body: await shown(db, params.id) }
    },
  ),
  operation(
    {
      id: 'hireApplicant',
      method: 'POST',
      path: `${path}/hire`,
      summary: 'Make an employee of the candidate',
      note: 'Moves the application to the hired stage, fills a position of the vacancy and closes it when all are filled: all or nothing. The key must also hold `employees:write`.',
      area,
      params: one,
      body: Type.Object(
        {
          hired_on: Type.Optional(Type.String({ format: 'date', examples: ['2030-01-01'] })),
          salary: Type.Optional(salaryInput),
        },
        { title: 'HireApplicant' },
      ),
      answer: HIRED as any,
      conflicts: 'The vacancy, the application or the candidate is not in a state for it',
    },
    async ({ db, params, body }) => {
      if (!permits(db.permissions, 'employees:write'))
        throw new Problem(403, 'forbidden', 'This key does not hold the permission employees:write')
      const { employeeId, state } = await hire(db, await findIn(db, params), body)
      const [employee] = await show(db, employees.whole, [employeeId])
      return { body: { data: { application: (await shown(db, params.id)).data, employee, vacancy_state: state } } }
    },
  ),
  list(movements, {
    shape: movementShape,
    filters: {
      vacancy_ids: anyRecordOf('movements.vacancy_id'),
      applicant_ids: anyRecordOf('movements.candidate_id'),
      entered_at: timeRange('movements.entered_at'),
    },
  }),
]
