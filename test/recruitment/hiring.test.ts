import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { migrate, readMigrations } from '../../src/database/migrate.ts'
import { chances, SEED } from '../chance.ts'
import { oneEngineTest, rounds } from '../thorough.ts'
import { type Office, openOffice } from './office.ts'

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.service.stop())

const positionsOf = async (id: number) => {
  const { state, positions, hires_count } = await office.show(`/recruitment/vacancies/${id}`)
  return { state, positions, hires_count }
}
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()

test('a hired application cannot move until the hire is undone, which frees the position and keeps the employee', async () => {
  const { service, stages } = office
  const { id } = await office.vacancy({ positions: 1 })
  const person = await office.candidate({ email: 'undone@example.com' })
  const path = await office.apply(id, person.id)
  await service.put(path, { applicant_state_id: stages[1] })
  assert.equal((await service.post(`${path}/undo_hire`)).status, 409)
  const hired = (await service.post(`${path}/hire`)).body.data
  assert.ok(hired.application.hired_at)
  assert.deepEqual(await positionsOf(id), { state: 'closed', positions: 1, hires_count: 1 })

  assert.equal((await service.put(path, { applicant_state_id: stages[0] })).status, 409)
  assert.equal((await service.put(`${path}/move`, { pipeline_stage_id: stages[0] })).status, 409)
  assert.equal((await service.put(path, { applicant_state_id: stages[2] })).status, 200, 'where it stands')
  assert.equal((await service.post(`${path}/disqualify`)).status, 409)
  assert.equal((await service.put(`/recruitment/vacancies/${id}`, { state: 'opened' })).status, 409, 'it is full')

  const foreign = (await service.make('/recruitment/pipelines', { name: 'Elsewhere' })).stages[0].id
  const wrong = await service.post(`${path}/undo_hire`, { applicant_state_id: foreign })
  assert.deepEqual([wrong.status, wrong.body.errors[0].field], [422, 'applicant_state_id'])
  const undone = (await service.post(`${path}/undo_hire`)).body.data
  assert.deepEqual([undone.hired_at, undone.pipeline_state.id], [null, stages[1]])
  assert.deepEqual(await positionsOf(id), { state: 'closed', positions: 1, hires_count: 0 }, 'nobody opened it')
  assert.equal((await office.show(`/recruitment/candidates/${person.id}`)).employee_id, null)
  assert.equal((await office.show(`/employees/${hired.employee.id}`)).personal_email, 'undone@example.com')
  assert.equal((await service.post(`${path}/undo_hire`)).status, 409)

  assert.equal((await service.put(`/recruitment/vacancies/${id}`, { state: 'opened' })).status, 200)
  const again = await service.post(`${path}/hire`)
  assert.deepEqual([again.status, again.body.errors[0].code], [422, 'taken'], 'the employee has the address')
  await service.put(`/recruitment/candidates/${person.id}`, { email: 'again@example.com' })
  assert.equal((await service.post(`${path}/hire`)).status, 200)
})

test('an application in a hired stage fills a position and counts in reports; hire creates the employee', async () => {
  const own = await openOffice()
  const { service, stages } = own
  try {
    const { id } = await own.vacancy({ positions: 1 })
    const [first, second, third] = [await own.candidate(), await own.candidate(), await own.candidate()]
    const path = await own.apply(id, first.id)
    const other = await own.apply(id, second.id)
    const board = () => own.show(`/recruitment/vacancies/${id}`)
    const moved = await service.put(path, { applicant_state_id: stages[2] })
    assert.equal(moved.status, 200)
    assert.ok(moved.body.data.hired_at)
    assert.equal(moved.body.data.employee_id, null)
    assert.deepEqual([(await board()).hires_count, (await board()).state], [1, 'closed'])
    const report = () => own.show('/reports/time_to_hire')
    assert.equal((await report()).hires, 1)
    const listed = await service.get(`/recruitment/candidates?hired_at[gte]=2020-01-01T00:00:00Z&vacancy_id=${id}`)
    assert.deepEqual(
      listed.body.data.map((one: { id: number }) => one.id),
      [first.id],
    )

    const bulk = (ids: number[]) =>
      service.put(`${own.applicationsOf(id)}/bulk/move`, { application_ids: ids, pipeline_stage_id: stages[2] })
    for (const full of [
      await service.put(other, { applicant_state_id: stages[2] }),
      await service.put(`${other}/move`, { pipeline_stage_id: stages[2] }),
      await bulk([Number(other.split('/').at(-1))]),
      await service.post(`${other}/hire`),
    ])
      assert.equal(full.status, 409, full.text)
    assert.match(
      (await service.put(other, { applicant_state_id: stages[2] })).body.detail,
      /All positions.*filled \(1\)/,
    )
    assert.equal((await service.put(`/recruitment/vacancies/${id}`, { state: 'opened' })).status, 409, 'it is full')
    assert.equal((await service.post(`${path}/disqualify`)).status, 409)

    // Back before there is an employee: the place is free again.
    const back = await service.put(path, { applicant_state_id: stages[1] })
    assert.deepEqual([back.status, back.body.data.hired_at], [200, null])
    assert.deepEqual([(await board()).hires_count, (await report()).hires], [0, 0])
    assert.equal((await service.put(`/recruitment/vacancies/${id}`, { state: 'opened' })).status, 200)
    await service.put(path, { applicant_state_id: stages[2] })

    const { hired_at } = await own.show(path)
    const hired = await service.post(`${path}/hire`)
    assert.equal(hired.status, 200, hired.text)
    const { application, employee, vacancy_state } = hired.body.data
    assert.deepEqual(
      [application.hired_at, application.employee_id, vacancy_state],
      [hired_at, employee.id, 'closed'],
      'the hire is the one that it was',
    )
    assert.equal((await board()).hires_count, 1)
    assert.equal((await service.put(path, { applicant_state_id: stages[1] })).status, 409)

    await service.put(`/recruitment/vacancies/${id}`, { positions: 2, state: 'opened' })
    const straight = { applicant_id: third.id, applicant_state_id: stages[2] }
    assert.equal((await service.post(own.applicationsOf(id), straight)).status, 201)
    assert.deepEqual([(await board()).hires_count, (await board()).state], [2, 'closed'])
  } finally {
    await service.stop()
  }
})

test('a stage can change its hired type only while no application is in it', async () => {
  const { service } = office
  const pipeline = await service.make('/recruitment/pipelines', { name: 'Typed', stages: ['One', 'Two', 'Done'] })
  const [one, two, done] = pipeline.stages.map((stage: { id: number }) => stage.id)
  const { id } = await office.vacancy({ recruitment_pipeline_id: pipeline.id })
  const path = await office.apply(id, (await office.candidate()).id)
  const type = (stage: number, to: string) =>
    service.put(`/recruitment/pipelines/${pipeline.id}/stages/${stage}`, { type: to })
  assert.equal((await type(one, 'hired')).status, 409)
  assert.equal((await type(two, 'hired')).status, 200)
  await service.put(path, { applicant_state_id: done })
  assert.equal((await type(done, 'in_progress')).status, 409)
  assert.equal((await type(done, 'hired')).status, 200)
  const undone = await service.post(`${path}/undo_hire`, { applicant_state_id: two })
  assert.deepEqual([undone.status, undone.body.errors[0].field], [422, 'applicant_state_id'])
  assert.equal((await service.post(`${path}/undo_hire`)).body.data.pipeline_state.id, one)
})

test('recruiters can complete a hire without employee permissions; recruitment:write alone is not enough', async () => {
  const own = await openOffice()
  const { service } = own
  try {
    const roles = (await service.get('/roles')).body.data
    const keyOf = async (permissions: string[], standard?: string) => {
      const role_ids = roles.flatMap((one: any) => (one.standard === standard ? one.id : []))
      const { key } = await service.make('/api_keys', { name: 'Key', permissions, ...(standard ? { role_ids } : {}) })
      return { key: key as string }
    }
    const { id } = await own.vacancy({ positions: 9 })
    const apply = async (person = {}) => `${await own.apply(id, (await own.candidate(person)).id)}/hire`
    const recruiter = await keyOf(['*'], 'recruiter')
    const hired = await service.post(await apply({ email: 'known@example.com' }), {}, recruiter)
    assert.equal(hired.status, 200, hired.text)
    const employee = hired.body.data.employee.id
    assert.equal((await service.get(`/employees/${employee}`, recruiter)).status, 403)
    assert.equal((await service.put(`/employees/${employee}`, { first_name: 'No' }, recruiter)).status, 403)
    assert.equal((await service.post('/employees', { first_name: 'No', last_name: 'No' }, recruiter)).status, 403)
    // They learn nothing of those who are employed already.
    assert.equal((await service.post(await apply(), { employee_id: own.lead }, recruiter)).status, 403)
    await service.put(`/employees/${own.lead}`, { personal_email: 'lead@example.com' })
    const duplicate = await service.post(await apply({ email: 'lead@example.com' }), {}, recruiter)
    assert.deepEqual([duplicate.status, /employee \d/.test(duplicate.text)], [422, false], duplicate.text)

    const small = await keyOf(['recruitment:read', 'recruitment:write', 'recruitment:hire'])
    assert.equal((await service.post(await apply(), {}, small)).status, 200)
    const both = await keyOf(['recruitment:write', 'employees:write'])
    assert.equal((await service.post(await apply(), {}, both)).status, 200, 'as it always was')
    for (const held of [['recruitment:write'], ['recruitment:read', 'recruitment:hire']])
      assert.equal((await service.post(await apply(), {}, await keyOf(held))).status, 403, held.join())
  } finally {
    await service.stop()
  }
})

test('erasing or merging a hired candidate frees no position, and a vacancy with hires cannot be deleted', async () => {
  const { service } = office
  const { id } = await office.vacancy({ positions: 2 })
  const [gone, duplicate, kept] = [await office.candidate(), await office.candidate(), await office.candidate()]
  await service.post(`${await office.apply(id, gone.id)}/hire`)
  await service.delete(`/recruitment/candidates/${gone.id}`)
  assert.deepEqual(await positionsOf(id), { state: 'opened', positions: 2, hires_count: 1 })
  assert.equal((await service.delete(`/recruitment/vacancies/${id}`)).status, 409)
  const pipeline = await service.make('/recruitment/pipelines', { name: 'Without end', stages: ['Only'] })
  await service.put(`/recruitment/vacancies/${id}`, { recruitment_pipeline_id: pipeline.id })
  assert.equal((await positionsOf(id)).hires_count, 1, 'another pipeline')
  await service.put(`/recruitment/vacancies/${id}`, { recruitment_pipeline_id: office.base.recruitment_pipeline_id })

  const path = await office.apply(id, duplicate.id)
  assert.equal((await service.post(`${path}/hire`)).body.data.vacancy_state, 'closed')
  await service.post(`/recruitment/candidates/${kept.id}/merge`, { duplicate_id: duplicate.id })
  assert.deepEqual(await positionsOf(id), { state: 'closed', positions: 2, hires_count: 2 })
  assert.ok((await office.show(path)).hired_at, 'the hire is that of the one who is left')
  assert.equal((await service.put(path, { applicant_state_id: office.stages[0] })).status, 409)
})

test('positions cannot be fewer than hires, and as many close the vacancy', async () => {
  const { service } = office
  const { id } = await office.vacancy({ positions: 3 })
  for (let n = 0; n < 2; n++) await service.post(`${await office.apply(id, (await office.candidate()).id)}/hire`)
  const put = (values: object) => service.put(`/recruitment/vacancies/${id}`, values)
  const fewer = await put({ positions: 1 })
  assert.deepEqual(
    [fewer.status, fewer.body.errors[0].field, fewer.body.errors[0].code],
    [422, 'positions', 'too_small'],
  )
  assert.equal((await put({ positions: 2, state: 'opened' })).status, 409)
  assert.equal((await put({ positions: 2 })).body.data.state, 'closed')
  assert.equal((await put({ positions: 3, state: 'opened' })).body.data.state, 'opened')
})

test('concurrent hires never exceed the positions', async () => {
  const { service } = office
  const { id } = await office.vacancy({ positions: 2 })
  const paths = []
  for (let n = 0; n < 6; n++) paths.push(await office.apply(id, (await office.candidate()).id))
  const answers = await Promise.all(paths.map((path) => service.post(`${path}/hire`)))
  assert.deepEqual(statusesOf(answers), [200, 200, 409, 409, 409, 409])
  assert.deepEqual(await positionsOf(id), { state: 'closed', positions: 2, hires_count: 2 })

  const one = await office.vacancy({ positions: 5 })
  const path = await office.apply(one.id, (await office.candidate()).id)
  assert.deepEqual(statusesOf(await Promise.all([1, 2, 3].map(() => service.post(`${path}/hire`)))), [200, 409, 409])
  assert.deepEqual(
    statusesOf(await Promise.all([1, 2, 3].map(() => service.post(`${path}/undo_hire`)))),
    [200, 409, 409],
  )
})

test('of concurrent applications of one candidate one is accepted', async () => {
  const { id } = await office.vacancy()
  const body = { applicant_id: (await office.candidate()).id }
  const answers = await Promise.all([1, 2, 3].map(() => office.service.post(office.applicationsOf(id), body)))
  assert.deepEqual(statusesOf(answers), [201, 422, 422])
})

type Vacancy = { id: number; state: string; positions: number; hires: number }
type Person = { id: number; isEmployee: boolean; isGone: boolean }
type Applied = {
  path: string
  vacancy: Vacancy
  person: Person
  isOut: boolean
  /** It has a place; with an employee it stays there. */
  isHired: boolean
  hasEmployee: boolean
  stage: number
}

const MOVES: Record<string, string[]> = {
  opened: ['held', 'closed', 'cancelled'],
  held: ['opened', 'closed', 'cancelled'],
  closed: ['opened', 'archived'],
  cancelled: ['opened', 'archived'],
  archived: [],
}

for (const seed of Array.from({ length: rounds(1, 30) }, (_, n) => SEED + n))
  oneEngineTest(
    `the number of filled positions matches a naive model after random operations, seed ${seed}`,
    async () => {
      const { service, stages } = office
      const { below, of: any } = chances(seed)
      const vacancies: Vacancy[] = []
      for (const positions of [1, 2, 3]) {
        const { id } = await office.vacancy({ positions })
        vacancies.push({ id, state: 'opened', positions, hires: 0 })
      }
      const people: Person[] = []
      for (let n = 0; n < 12; n++) people.push({ id: (await office.candidate()).id, isEmployee: false, isGone: false })
      let applied: Applied[] = []
      const isFull = ({ hires, positions }: Vacancy) => hires >= positions

      const take = (one: Applied) => {
        if (!one.isHired) one.vacancy.hires++
        one.isHired = true
        if (isFull(one.vacancy) && one.vacancy.state === 'opened') one.vacancy.state = 'closed'
      }
      const free = (one: Applied) => {
        if (one.isHired) one.vacancy.hires--
        one.isHired = false
      }

      /** Each does one thing to the model, and says what the service should answer and how it is asked. */
      const acts: Record<string, () => Promise<[expected: number, answer: { status: number; body: any }]>> = {
        async apply() {
          const [vacancy, person] = [any(vacancies), any(people)]
          const answer = await service.post(office.applicationsOf(vacancy.id), { applicant_id: person.id })
          if (person.isGone) return [422, answer]
          if (!['opened', 'held'].includes(vacancy.state)) return [409, answer]
          if (applied.some((one) => one.vacancy === vacancy && one.person === person)) return [422, answer]
          const path = `${office.applicationsOf(vacancy.id)}/${answer.body.data?.id}`
          applied.push({
            path,
            vacancy,
            person,
            isOut: false,
            isHired: false,
            hasEmployee: false,
            stage: stages[0] as number,
          })
          return [201, answer]
        },
        async hire() {
          const one = any(applied)
          const answer = await service.post(`${one.path}/hire`)
          const { vacancy, person } = one
          if (person.isEmployee || one.isOut) return [409, answer]
          if (!one.isHired && (vacancy.state !== 'opened' || isFull(vacancy))) return [409, answer]
          take(one)
          Object.assign(one, { hasEmployee: true, stage: stages[2] })
          person.isEmployee = true
          return [200, answer]
        },
        async undo() {
          const one = any(applied)
          const answer = await service.post(`${one.path}/undo_hire`)
          if (!one.isHired) return [409, answer]
          if (one.hasEmployee) one.person.isEmployee = false
          free(one)
          Object.assign(one, { hasEmployee: false, stage: answer.body.data?.pipeline_state.id })
          return [200, answer]
        },
        async move() {
          const [one, stage] = [any(applied), any(stages)]
          const answer = await service.put(one.path, { applicant_state_id: stage })
          if (one.isOut || (one.hasEmployee && stage !== one.stage)) return [409, answer]
          if (stage === stages[2] && !one.isHired && stage !== one.stage && isFull(one.vacancy)) return [409, answer]
          if (stage !== one.stage) stage === stages[2] ? take(one) : free(one)
          one.stage = stage
          return [200, answer]
        },
        async disqualify() {
          const one = any(applied)
          const answer = await service.post(`${one.path}/disqualify`)
          if (one.isOut || one.isHired) return [409, answer]
          one.isOut = true
          return [200, answer]
        },
        async requalify() {
          const one = any(applied)
          const answer = await service.post(`${one.path}/requalify`)
          if (!one.isOut) return [409, answer]
          one.isOut = false
          return [200, answer]
        },
        async erase() {
          const person = any(people)
          const answer = await service.delete(`/recruitment/candidates/${person.id}`)
          if (person.isGone) return [404, answer]
          person.isGone = true
          applied = applied.filter((one) => one.person !== person)
          return [204, answer]
        },
        async merge() {
          const [target, duplicate] = [any(people), any(people)]
          const answer = await service.post(`/recruitment/candidates/${target.id}/merge`, {
            duplicate_id: duplicate.id,
          })
          if (target.isGone) return [404, answer]
          if (duplicate.isGone || target === duplicate) return [422, answer]
          const of = (person: Person) => applied.filter((one) => one.person === person)
          const shared = of(target).some(({ vacancy }) => of(duplicate).some((one) => one.vacancy === vacancy))
          if (shared || (target.isEmployee && duplicate.isEmployee)) return [409, answer]
          for (const one of of(duplicate)) one.person = target
          target.isEmployee ||= duplicate.isEmployee
          duplicate.isGone = true
          return [200, answer]
        },
        async resize() {
          const [vacancy, positions] = [any(vacancies), 1 + below(4)]
          const answer = await service.put(`/recruitment/vacancies/${vacancy.id}`, { positions })
          if (positions === vacancy.positions) return [200, answer]
          if (positions < vacancy.hires) return [422, answer]
          vacancy.positions = positions
          if (vacancy.state === 'opened' && isFull(vacancy)) vacancy.state = 'closed'
          return [200, answer]
        },
        async turn() {
          const [vacancy, state] = [any(vacancies), any(['opened', 'opened', 'opened', 'held', 'closed', 'cancelled'])]
          const answer = await service.put(`/recruitment/vacancies/${vacancy.id}`, { state })
          if (state === vacancy.state) return [200, answer]
          if (!MOVES[vacancy.state]?.includes(state) || (state === 'opened' && isFull(vacancy))) return [409, answer]
          vacancy.state = state
          return [200, answer]
        },
        async join() {
          people.push({ id: (await office.candidate()).id, isEmployee: false, isGone: false })
          return [200, { status: 200, body: undefined }]
        },
      }
      const often = ['apply', 'apply', 'apply', 'hire', 'hire', 'hire', 'turn', 'resize', 'undo', 'join', 'join']
      const seen = new Set<string>()
      // As long as it takes: whatever chance chooses, these have been tried in the end.
      const needed = ['hire 200', 'hire 409', 'undo 200', 'move 200', 'move 409', 'merge 200', 'erase 204']
      for (let step = 0; step < 150 || (step < 2000 && needed.some((one) => !seen.has(one))); step++) {
        const act = any([...often, ...Object.keys(acts)])
        if (applied.length === 0 && !['apply', 'turn', 'resize', 'join'].includes(act)) continue
        const [expected, answer] = await (acts[act] as () => Promise<[number, { status: number; body: any }]>)()
        assert.equal(answer.status, expected, `step ${step}: ${act} ${JSON.stringify(answer.body)}`)
        seen.add(`${act} ${expected}`)
        for (const { id, state, positions, hires } of vacancies)
          assert.deepEqual(await positionsOf(id), { state, positions, hires_count: hires }, `step ${step}: ${act}`)
      }
      for (const { path, isHired } of applied) assert.equal((await office.show(path)).hired_at !== null, isHired, path)
      assert.deepEqual(
        needed.filter((one) => !seen.has(one)),
        [],
      )
    },
  )

test('a person whose hire was undone can be hired again as the same employee', async () => {
  const own = await openOffice()
  const { service } = own
  try {
    const vacancy = await own.vacancy({ positions: 2 })
    const person = await own.candidate({ email: 'again@example.com' })
    const path = await own.apply(vacancy.id, person.id)
    const first = (await service.post(`${path}/hire`)).body.data.employee.id
    assert.equal((await service.post(`${path}/hire`, { employee_id: first })).status, 409)
    await service.post(`${path}/undo_hire`)
    assert.equal((await service.post(`${path}/hire`)).body.errors[0].field, 'email')
    assert.equal((await service.post(`${path}/hire`, { employee_id: 9999 })).body.errors[0].field, 'employee_id')
    const again = await service.post(`${path}/hire`, { employee_id: first })
    assert.deepEqual([again.status, again.body.data?.employee.id], [200, first])
    assert.equal((await own.show(`/recruitment/vacancies/${vacancy.id}`)).hires_count, 1)
    const other = await own.apply(vacancy.id, (await own.candidate()).id)
    assert.equal((await service.post(`${other}/hire`, { employee_id: first })).status, 409, 'hired once is hired')
  } finally {
    await service.stop()
  }
})

test('the migration finds and counts hires from before hires were stored', async () => {
  const own = await openOffice()
  const { service } = own
  try {
    const [one, two] = [await own.vacancy({ positions: 3 }), await own.vacancy({ positions: 2 })]
    const [hired, sent, waiting] = [await own.candidate(), await own.candidate(), await own.candidate()]
    await service.post(`${await own.apply(one.id, hired.id)}/hire`)
    // Somebody who stood in the hired stage already, and in that of another vacancy, too.
    const path = await own.apply(two.id, sent.id)
    await service.put(path, { applicant_state_id: own.stages[2] })
    await service.post(`${path}/hire`)
    await service.put(await own.apply(one.id, waiting.id), { applicant_state_id: own.stages[2] })
    // Then that was no hire.
    await service.database.write((db) => db.deleteFrom('hires').where('employee_id', 'is', null).execute())
    const counts = async () => [
      (await own.show(`/recruitment/vacancies/${one.id}`)).hires_count,
      (await own.show(`/recruitment/vacancies/${two.id}`)).hires_count,
    ]
    assert.deepEqual(await counts(), [1, 1])
    const hiresIn = () =>
      service.database.query((db) =>
        db
          .selectFrom('hires')
          .select(['account_id', 'vacancy_id', 'application_id', 'employee_id'])
          .orderBy('employee_id')
          .execute(),
      )
    const before = await hiresIn()
    await service.database.write(async (db) => {
      for (const table of ['hires', 'candidate_merges', 'recruitment_settings'])
        await sql.raw(`drop table ${table}`).execute(db)
      await db.deleteFrom('counters').where('resource', '=', 'hires').execute()
      await db.deleteFrom('schema_migrations').where('number', '=', 13).execute()
    })
    assert.deepEqual(await migrate(service.database), ['0013-recruitment.sql'])
    const later = readMigrations().find(({ number }) => number === 38)?.statements ?? []
    await service.database.write(async (db) => {
      for (const one of later.filter((text) => /\b(new_)?hires\b/.test(text)))
        await sql.raw(service.database.ddl(one)).execute(db)
    })
    assert.deepEqual(await hiresIn(), before)
    assert.deepEqual(await counts(), [1, 1])
    const next = await service.post(`${await own.apply(one.id, (await own.candidate()).id)}/hire`)
    assert.deepEqual([next.status, next.body.data?.vacancy_state], [200, 'opened'])
  } finally {
    await service.stop()
  }
})

test('private contact data stays private after a hire; work contact data comes from the hire request', async () => {
  const { service } = office
  const { id } = await office.vacancy({ positions: 10 })
  const hire = async (person: object, body = {}) => {
    const candidate = await office.candidate({ phone_numbers: ['+49 151 1', '+49 30 2'], ...person })
    const answer = await service.post(`${await office.apply(id, candidate.id)}/hire`, body)
    return { answer, candidate }
  }
  const { answer } = await hire({ email: 'own@example.net' }, { email: 'new@company.example' })
  const { employee } = answer.body.data
  assert.deepEqual(
    [employee.email, employee.personal_email, employee.mobile_number, employee.home_phone_number],
    ['new@company.example', 'own@example.net', '+49 151 1', '+49 30 2'],
  )
  assert.equal(employee.work_phone_number, null)
  const card = (await service.get(`/directory/${employee.id}`)).text
  assert.match(card, /new@company\.example/)
  assert.doesNotMatch(card, /own@example\.net|\+49/)

  const names = async (full_name: string, body = {}) => {
    const { answer } = await hire({ full_name }, body)
    const found = answer.body.data?.employee
    return found ? [found.first_name, found.last_name] : answer.body.errors.map((one: any) => one.field)
  }
  assert.deepEqual(await names('Ludwig van Beethoven'), ['Ludwig', 'van Beethoven'])
  assert.deepEqual(await names('Maria Anna de la Cruz'), ['Maria Anna', 'de la Cruz'])
  assert.deepEqual(await names('Nguyen Van An'), ['Nguyen Van', 'An'])
  assert.deepEqual(await names('Madonna'), ['last_name'])
  assert.deepEqual(await names('Madonna', { last_name: 'Ciccone' }), ['Madonna', 'Ciccone'])
  assert.deepEqual(await names('Grace Hopper', { first_name: 'Grace Brewster' }), ['Grace Brewster', 'Hopper'])
})
