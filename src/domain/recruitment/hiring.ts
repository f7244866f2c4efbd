import Type from 'typebox'
import { holdsFor } from '../../engine/access-scope/reader-access.ts'
import type { Row } from '../../engine/declaration.ts'
import { fold } from '../../engine/format.ts'
import { operation } from '../../engine/operation.ts'
import { permits, requirePermission } from '../../engine/permission.ts'
import { conflict, type FieldProblem, forbidden, invalid, refuse, within, wrong } from '../../engine/problem.ts'
import { amend, create, find, nameable, rowsOf } from '../../engine/records.ts'
import { bodySchema, recordId, schemaOf, wrapped } from '../../engine/schema.ts'
import { showOne } from '../../engine/shape.ts'
import { check } from '../../engine/validate.ts'
import type { Writer } from '../../records/write.ts'
import { type ChangeBody, changeEmployees } from '../people/employee-changes.ts'
import { employees } from '../people/employees.ts'
import { firstSalary, hasLeft, type Rehiring, rehire } from '../people/employments.ts'
import { salaries, salaryRules } from '../people/salaries.ts'
import { freePlace, move, refuseFull, stageIn, stagesOf, takePlace } from './application-moves.ts'
import { type Application, applications, movements, vacancyApplication } from './applications.ts'
import { candidates } from './candidates.ts'
import { hireOf, hires } from './hires.ts'
import type { stages } from './pipelines.ts'
import { vacancies } from './vacancies.ts'

const area = 'recruitment'

type Stage = Row<typeof stages>

const salaryInput = firstSalary(
  'First salary of the employee, from `hired_on` on: `amount`, `currency_code` (by default that of the vacancy) and `per`',
)

/** Words that belong to the family name behind them, where they are written small: Ludwig van Beethoven. */
const PARTICLES =
  /^(af|al|av|ben|bin|d['’]|da|das|de|dei|del|della|den|der|des|di|do|dos|du|el|ibn|la|las|le|los|van|vom|von|zu|zum|zur|te|ten|ter)$/

/** First and last name as somebody has sent them; otherwise the last word is the last name, with what belongs to it. */
function namesOf({ full_name, given_name, family_name }: Row<typeof candidates>) {
  if (given_name && family_name && `${given_name} ${family_name}` === full_name)
    return { first_name: given_name, last_name: family_name }
  const words = full_name.split(/\s+/)
  if (words.length === 1) return { first_name: full_name }
  let at = words.length - 1
  while (at > 1 && PARTICLES.test(words[at - 1] as string)) at--
  return { first_name: words.slice(0, at).join(' '), last_name: words.slice(at).join(' ') }
}

/** What is said of the new employee when they are hired, besides what the candidate's record has. */
const AT_WORK = ['first_name', 'last_name', 'email', 'work_phone_number'] as const

type HireBody = {
  hired_on?: string
  salary?: Record<string, unknown> | null
  employee_id?: number
} & Partial<Record<(typeof AT_WORK)[number], string | null>>

const ofEmployee = (name: (typeof AT_WORK)[number], description: string, example: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({ ...(employees.fields[name].input as object), description, examples: [example] }),
  )

const HIRED = wrapped(
  Type.Object(
    { application: schemaOf(vacancyApplication), employee: schemaOf(employees.whole), vacancy_state: Type.String() },
    { title: 'Hiring' },
  ),
)

/** Makes an employee of the candidate, and everything that goes with it: all or nothing. */
async function hire(db: Writer, application: Application, body: HireBody) {
  const vacancy = await find(db, vacancies, application.vacancy_id)
  const candidate = await find(db, candidates, application.candidate_id)
  const linked = candidate.employee_id === null ? null : await find(db, employees, candidate.employee_id)
  if (linked && !hasLeft(db, linked)) throw conflict(`The candidate is already employee ${linked.id}.`)
  if (linked && body.employee_id && body.employee_id !== linked.id)
    throw conflict(`The candidate is employee ${linked.id}, who can be hired again. Leave employee_id out.`)
  // One that stands in a hired stage has its place already, whatever became of the vacancy since.
  if (!(await hireOf(db, application))) {
    if (vacancy.state !== 'opened') throw conflict(`The vacancy is ${vacancy.state}. Open it first.`)
    await refuseFull(db, vacancy)
  }
  const last = (await stagesOf(db, vacancy)).findLast(({ type }) => type === 'hired')
  if (!last) throw conflict('The pipeline of this vacancy has no stage of the type hired. Add one first.')

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
  const atWork = Object.fromEntries(AT_WORK.flatMap((name) => (body[name] ? [[name, body[name]]] : [])))
  const person = {
    ...namesOf(candidate),
    // How somebody was reached when they applied is their own; at work they are reached by what they get there.
    personal_email: candidate.email,
    mobile_number: candidate.phone_numbers[0],
    home_phone_number: candidate.phone_numbers[1],
    date_of_birth: candidate.date_of_birth,
    gender_id: await genderOf(db, candidate.gender),
    skype_username: candidate.skype_username,
    hired_on,
    ...atWork,
  }
  const sent = Object.fromEntries(
    Object.entries({ ...person, ...job }).filter(([, value]) => value !== null && value !== undefined),
  )
  const returning = linked ?? (body.employee_id ? await existingEmployee(db, body.employee_id) : null)
  if (!returning) {
    if (!sent.last_name)
      throw invalid(
        wrong(
          'last_name',
          'required',
          `is required: the name of the candidate is a single word, ${candidate.full_name}`,
        ),
      )
    await refuseDuplicate(db, candidate)
  }
  const isRehired = returning !== null && hasLeft(db, returning)
  if (isRehired) await rehireFor(db, returning, { ...job, ...atWork, hired_on, salary: body.salary ?? null }, vacancy)
  const [employeeId] = returning
    ? [returning.id]
    : await changeEmployees(db, [{ before: null, body: sent as ChangeBody, extra: {}, ignored: new Set(), problems }])
  refuse(problems)
  if (!employeeId) throw new Error('The hire created no employee')
  if (body.salary && !isRehired) {
    const salary = check(bodySchema(salaries, 'create'), {
      effective_on: hired_on,
      currency_code: vacancy.currency_code,
      ...body.salary,
    })
    refuse(within('salary', salary.problems))
    await create(db, salaries, { ...salary.values, employee_id: employeeId }, { rules: salaryRules })
  }
  await move(db, application, last)
  await amend(db, candidates, await find(db, candidates, candidate.id), { employee_id: employeeId })
  const held = await hireOf(db, application)
  if (held) await amend(db, hires, held, { employee_id: employeeId })
  else await takePlace(db, application, employeeId)
  await db.touch('vacancies', [vacancy.id])
  return { employeeId, state: (await find(db, vacancies, vacancy.id)).state }
}

/** Nobody becomes an employee twice: whoever was here before, or whose hire was undone, is hired as who they are. */
async function refuseDuplicate(db: Writer, { email }: Row<typeof candidates>): Promise<void> {
  if (!email) return
  const all = db.from('employees').select('id')
  const duplicate =
    (await all.where('personal_email', '=', email).executeTakeFirst()) ??
    (await all.where('email_key', '=', fold(email)).executeTakeFirst())
  if (!duplicate) return
  const { id } = duplicate
  const isTold = permits(db.caller.permissions, 'employees:write') && (await nameable(db, 'employees', [id])).has(id)
  const who = !isTold
    ? 'an employee. Ask somebody who may change employees to hire them again'
    : hasLeft(db, await find(db, employees, id))
      ? `employee ${id}, who has left. Send employee_id to hire them again`
      : `employee ${id}, who works here. Send employee_id to link the candidate to them`
  throw invalid(wrong('email', 'taken', `of the candidate belongs to ${who}`))
}

/** The gender of the account's list that is called so; one that was renamed since cannot be told. */
async function genderOf(db: Writer, name: string | null): Promise<number | null> {
  if (name === null) return null
  const found = await db.from('genders').select('id').where('name_key', '=', fold(name)).executeTakeFirst()
  return found?.id ?? null
}

/** A new employment of somebody who was here before, in the job of the vacancy. */
async function rehireFor(
  db: Writer,
  person: Row<typeof employees>,
  { salary, ...job }: Rehiring,
  { currency_code }: Row<typeof vacancies>,
): Promise<void> {
  requirePermission(db.caller, 'employees:write')
  const known = Object.fromEntries(Object.entries(job).filter(([, value]) => value !== null))
  const pay = salary ? { salary: { ...(currency_code ? { currency_code } : {}), ...salary } } : {}
  await rehire(db, person, { ...known, ...pay, hired_on: job.hired_on })
}

/** An employee who has left, or who is linked to no hire and no candidate. */
async function existingEmployee(db: Writer, id: number): Promise<Row<typeof employees>> {
  if ((await nameable(db, 'employees', [id])).size === 0)
    throw invalid(wrong('employee_id', 'not_found', 'must be the id of an existing employee'))
  const person = await find(db, employees, id)
  if (hasLeft(db, person)) return person
  for (const table of ['hires', 'candidates'])
    if (await db.from(table).select('id').where('employee_id', '=', id).executeTakeFirst())
      throw conflict(
        `Employee ${id} was already hired from another application, or belongs to another candidate. Send the id of another employee, or leave employee_id out.`,
      )
  return person
}

/** Takes a hire back: the place is free again, and the application stands where it stood before. */
async function undo(db: Writer, application: Application, stage: Stage | undefined): Promise<void> {
  const hire = await hireOf(db, application)
  if (!hire) throw conflict('The application is not hired, so there is no hire to undo.')
  await freePlace(db, hire)
  const isElsewhere =
    (await rowsOf(hires, db.from('hires').where('employee_id', '=', hire.employee_id ?? 0))).length > 0
  if (hire.employee_id !== null && !isElsewhere)
    await amend(db, candidates, await find(db, candidates, application.candidate_id), { employee_id: null })
  const back = stage ?? (await stageBefore(db, application))
  if (application.disqualified_at === null && back) await move(db, application, back)
}

/** The stage in which an application stood before it was hired; otherwise the first. */
async function stageBefore(db: Writer, application: Application): Promise<Stage | undefined> {
  const all = await stagesOf(db, await find(db, vacancies, application.vacancy_id))
  const others = all.filter(({ id, type }) => type !== 'hired' && id !== application.stage_id)
  const stays = await rowsOf(movements, db.from('movements').where('application_id', '=', application.id))
  const last = stays.findLast(({ stage_id }) => others.some(({ id }) => id === stage_id))
  return others.find(({ id }) => id === last?.stage_id) ?? others[0]
}

const one = Type.Object({ vacancy_id: recordId('vacancies'), id: recordId('applications') })

export const undoHire = operation(
  {
    id: 'undoHire',
    method: 'POST',
    path: `${applications.path}/{id}/undo_hire`,
    summary: 'Cancel a hire',
    note: 'Frees the position and moves the application back to its previous stage, or to the stage in `applicant_state_id`. The employee is not deleted, only unlinked from the candidate. If the vacancy has been closed, it stays closed until you open it.',
    area,
    params: one,
    body: Type.Object({ applicant_state_id: Type.Optional(recordId('pipeline_stages')) }, { title: 'UndoHire' }),
    answer: wrapped(schemaOf(vacancyApplication)),
    conflicts: 'The application is not hired, so there is no hire to cancel',
  },
  async ({ db, params, body, problems }) => {
    const application = await find(db, applications, params.id, { vacancy_id: params.vacancy_id })
    const { applicant_state_id: stageId } = body
    const vacancy = await find(db, vacancies, params.vacancy_id)
    const stage =
      stageId === undefined ? undefined : await stageIn(db, vacancy, 'applicant_state_id', stageId, problems)
    if (stage?.type === 'hired')
      problems.push(wrong('applicant_state_id', 'not_allowed', 'cannot be a stage of the type hired'))
    refuse(problems)
    await undo(db, application, stage)
    return { body: await showOne(db, vacancyApplication, params.id) }
  },
)

export const hireApplicant = operation(
  {
    id: 'hireApplicant',
    method: 'POST',
    path: `${applications.path}/{id}/hire`,
    summary: 'Create an employee from a candidate',
    note: 'Creates the employee, or hires them again if the candidate is an employee who has left (requires `employees:write`). Moves the application to the stage of type `hired`, fills a position of the vacancy, and closes the vacancy if that was the last position: all or nothing. An application that is already in such a stage keeps its position and `hired_at`. Requires `recruitment:write`, and `recruitment:hire` or `employees:write`.',
    area,
    params: one,
    body: Type.Object(
      {
        hired_on: Type.Optional(Type.String({ format: 'date', examples: ['2030-01-01'] })),
        first_name: ofEmployee('first_name', 'First word of the name of the candidate by default', 'Grace'),
        last_name: ofEmployee(
          'last_name',
          'Last word of the name of the candidate by default; required if the name is a single word',
          'Hopper',
        ),
        email: ofEmployee(
          'email',
          'Work email address. The address of the candidate becomes `personal_email`',
          'grace.hopper@example.com',
        ),
        work_phone_number: ofEmployee(
          'work_phone_number',
          'Work phone number. The numbers of the candidate become private numbers',
          '+49 30 901820',
        ),
        salary: Type.Optional(salaryInput),
        employee_id: Type.Optional({
          ...recordId('employees'),
          description:
            'ID of an existing employee to link to the candidate instead of creating a new one. Somebody who has left is hired again, as with `POST /employees/{id}/rehire`; the record of others does not change. Requires `employees:write`',
        }),
      },
      { title: 'HireApplicant' },
    ),
    answer: HIRED,
    conflicts:
      'The vacancy is not open, has no position left, or has no stage of type `hired`; the application is disqualified; or the candidate, or the employee in `employee_id`, is employed and already belongs to a hire',
  },
  async ({ db, params, body }) => {
    const { permissions } = db.caller
    if (!permits(permissions, 'employees:write')) {
      requirePermission(db.caller, 'recruitment:hire')
      if (!holdsFor(db, 'recruitment:hire', vacancies.table, params.vacancy_id))
        throw forbidden('Your permission recruitment:hire does not cover this vacancy.')
      // It makes employees, and tells nothing of those who are there.
      if (body.employee_id) requirePermission(db.caller, 'employees:write')
    }
    const before = await find(db, applications, params.id, { vacancy_id: params.vacancy_id })
    const { employeeId, state } = await hire(db, before, body)
    const { data: application } = await showOne(db, vacancyApplication, params.id)
    const { data: employee } = await showOne(db, employees.whole, employeeId)
    return { body: { data: { application, employee, vacancy_state: state } } }
  },
)
