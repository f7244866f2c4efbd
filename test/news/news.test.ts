import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, type Service, startService } from '../harness.ts'
import { oneEngineTest } from '../thorough.ts'

/** What people are told of what happens, as far as it is for them. */

let service: Service
let now = new Date('2030-05-15T12:00:00Z')
before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

type Person = {
  id: number
  get: (path: string) => Promise<Answer>
  post: (path: string, json?: object) => Promise<Answer>
  put: (path: string, json: object) => Promise<Answer>
}

async function enter(first_name: string, reporting_to_id: number | null, ...standards: string[]): Promise<Person> {
  const roles = (await service.get('/roles')).body.data as { id: number; standard: string }[]
  const role_ids = roles.flatMap(({ id, standard }) => (standards.includes(standard) ? id : []))
  const { id } = await service.hire({ first_name, last_name: 'Told', reporting_to_id, hired_on: '2029-01-01' })
  const email = `${first_name.toLowerCase()}@news.example`
  const { link } = await service.make('/users/invite', { email, name: first_name, employee_id: id, role_ids })
  const json = { token: link.url.split('#')[1], password: 'seven grey herons at noon' }
  const same = { origin: service.url, 'sec-fetch-site': 'same-origin' }
  const entered = await service.send('POST', '/sign_in/link_use', { key: null, json, headers: same })
  const cookie = entered.headers.getSetCookie().map((one) => one.split(';')[0])
  const headers = { ...same, cookie: cookie.join('; ') }
  return {
    id,
    get: (path) => service.get(path, { key: null, headers }),
    post: (path, json = {}) => service.send('POST', path, { key: null, json, headers }),
    put: (path, json) => service.send('PUT', path, { key: null, json, headers }),
  }
}

const later = () => {
  now = new Date(now.getTime() + 60_000)
}
const told = async (person: Person) => {
  later()
  const { status, body, text } = await person.get('/me/notifications')
  assert.equal(status, 200, text)
  const lines = body.data.map((one: any) => [one.kind, one.record_id, one.who?.full_name ?? null, one.what, one.state])
  return { lines, unseen: body.metadata.unseen as number }
}

test('notifications list decisions, pending approvals and assigned tasks until they are done', async () => {
  const manager = await enter('Mary', null, 'manager', 'employee')
  const report = await enter('Rita', manager.id, 'employee')
  const other = await enter('Otto', null, 'manager', 'employee')
  const hr = await enter('Henning', null, 'hr', 'employee')
  const type = await service.make('/leave_types', { name: 'Holiday' })
  const policy = await service.make('/leave_policies', { name: 'Usual', leave_type_id: type.id, floor: -100 })
  await service.make(`/employees/${report.id}/leave_types`, {
    leave_type_id: type.id,
    leave_type_policy_id: policy.id,
    effective_on: '2029-01-01',
  })
  const ask = async (day: string) => {
    const asked = await report.post('/leave_requests', {
      employee_id: report.id,
      leave_type_id: type.id,
      starts_on: day,
      ends_on: day,
    })
    assert.equal(asked.status, 201, asked.text)
    return asked.body.data.id as number
  }
  const first = await ask('2030-06-03')
  later()
  const second = await ask('2030-06-04')
  assert.deepEqual((await told(manager)).lines, [
    ['leave_waiting', second, 'Rita Told', 'Holiday', null],
    ['leave_waiting', first, 'Rita Told', 'Holiday', null],
  ])
  // Who is to decide is told, not all who might.
  assert.deepEqual((await told(hr)).lines, [])
  assert.deepEqual((await told(other)).lines, [])
  assert.deepEqual((await told(report)).lines, [])

  assert.equal((await manager.post(`/leave_requests/${first}/approve`)).status, 200)
  later()
  assert.equal((await manager.post(`/leave_requests/${second}/reject`)).status, 200)
  assert.deepEqual((await told(manager)).lines, [])
  assert.deepEqual(await told(report), {
    lines: [
      ['leave_decided', second, 'Mary Told', 'Holiday', 'rejected'],
      ['leave_decided', first, 'Mary Told', 'Holiday', 'approved'],
    ],
    unseen: 2,
  })
  // What has come since the page was read stays new.
  const [newest, older] = (await report.get('/me/notifications')).body.data
  assert.equal((await report.post('/me/notifications/seen', { until: older.at })).status, 204)
  assert.equal((await told(report)).unseen, 1)
  assert.equal((await report.post('/me/notifications/seen', { until: newest.at })).status, 204)
  assert.equal((await report.post('/me/notifications/seen', { until: older.at })).status, 204)
  assert.equal((await told(report)).unseen, 0)
  const task = await service.make('/tasks', { name: 'Hand in the forms', employee_id: report.id })
  assert.deepEqual(
    [(await told(report)).lines[0], (await told(report)).unseen],
    [['task_given', task.id, null, 'Hand in the forms', null], 1],
  )
  await service.put(`/tasks/${task.id}/complete`)
  assert.equal((await told(report)).lines[0]?.[0], 'leave_decided')
})

test('a candidate in the hired stage is announced to those who may hire, until they are an employee', async () => {
  const [hr, recruiter] = [await enter('Hedwig', null, 'hr', 'employee'), await enter('Roland', null, 'recruiter')]
  const lead = await enter('Xaver', null, 'hiring_manager')
  const pipeline = await service.make('/recruitment/pipelines', { name: 'Short', stages: ['Applied', 'Hired'] })
  const vacancy = await service.make('/recruitment/vacancies', {
    title: 'Cook',
    state: 'opened',
    positions: 2,
    description: 'Cooking',
    department_id: (await service.make('/departments', { name: 'Kitchen' })).id,
    location_id: (await service.make('/locations', { name: 'Cellar' })).id,
    employment_type_id: (await service.make('/employment_types', { name: 'Whole' })).id,
    recruitment_pipeline_id: pipeline.id,
    hiring_lead_user_id: hr.id,
  })
  const cook = await service.make('/recruitment/candidates', { full_name: 'Carl Cook', vacancy_id: vacancy.id })
  const place = `/recruitment/vacancies/${vacancy.id}/applications/${cook.applications[0].id}`
  assert.deepEqual((await told(hr)).lines, [])
  await service.put(`${place}/move`, { pipeline_stage_id: pipeline.stages[1].id })
  assert.deepEqual((await told(hr)).lines, [['hire_waiting', cook.id, null, 'Carl Cook', null]])
  assert.deepEqual((await told(recruiter)).lines, (await told(hr)).lines)
  assert.deepEqual((await told(lead)).lines, [])
  assert.equal((await service.post(`${place}/hire`)).status, 200)
  assert.deepEqual((await told(hr)).lines, [])
})

test('/me/changes reports only changes to data that the user may see', async () => {
  const manager = await enter('Max', null, 'manager', 'employee')
  const report = await enter('Rupert', manager.id, 'employee')
  const hr = await enter('Hugo', null, 'hr')
  const start = (await report.get('/me/changes')).body.metadata.last as number
  const since = async (person: Person) => {
    const { status, body, text } = await person.get(`/me/changes?since=${start}`)
    assert.equal(status, 200, text)
    assert.ok(body.metadata.last > start)
    return body.data.map(({ resource, record_id }: any) => `${resource} ${record_id}`)
  }
  const department = await service.make('/departments', { name: 'New' })
  const own = await service.make('/tasks', { name: 'Own', employee_id: report.id })
  const theirs = await service.make('/tasks', { name: 'Theirs', employee_id: manager.id })
  const note = await service.make(`/employees/${report.id}/notes`, { body: 'Secret' })
  const pay = await service.make(`/employees/${report.id}/salaries`, {
    effective_on: '2030-01-01',
    amount: 4_000,
    currency_code: 'EUR',
    per: 'month',
  })
  const shared = `departments ${department.id}`
  assert.deepEqual(await since(report), [shared, `tasks ${own.id}`, `salaries ${pay.id}`])
  assert.deepEqual(await since(manager), [shared, `tasks ${own.id}`, `tasks ${theirs.id}`, `employee_notes ${note.id}`])
  assert.deepEqual((await since(hr)).length, 5)
  // What is planned for somebody is not told to them, nor that something is.
  const plan = await service.make(`/employees/${report.id}/positions`, { effective_from: '2098-01-01' })
  assert.equal((await service.post(`/employees/${report.id}/terminate`, { effective_from: '2099-01-01' })).status, 200)
  assert.deepEqual(await since(report), [shared, `tasks ${own.id}`, `salaries ${pay.id}`])
  assert.ok((await since(hr)).includes(`employee_positions ${plan.id}`))
  const { text } = await report.get(`/me/changes?since=${start}`)
  for (const secret of ['Secret', '4000', 'actor']) assert.ok(!text.includes(secret), secret)
  assert.equal((await report.get('/me/changes?since=999999999')).status, 400)
  assert.equal((await service.get('/me/changes')).status, 403)
})

test('saved views belong to their user, also when two are saved concurrently', async () => {
  const [vera, wim] = [await enter('Vera', null, 'employee'), await enter('Wim', null, 'employee')]
  assert.deepEqual((await vera.get('/me/views')).body.data, [])
  const view = (name: string, search: string | null) => ({ screen: 'people', name, search })
  const both = await Promise.all([vera.put('/me/views', view('One', 'q=1')), vera.put('/me/views', view('Two', 'q=2'))])
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  )
  await vera.put('/me/views', view('One', ''))
  const names = async (person: Person) =>
    (await person.get('/me/views')).body.data.map((one: any) => `${one.name} ${one.search}`).sort()
  assert.deepEqual(await names(vera), ['One ', 'Two q=2'])
  assert.deepEqual(await names(wim), [])
  await vera.put('/me/views', view('Two', null))
  assert.deepEqual(await names(vera), ['One '])
  const refused = await vera.put('/me/views', { screen: '', name: 'x'.repeat(101), search: {} })
  assert.equal(refused.status, 422)
  assert.deepEqual(refused.body.errors.map(({ field }: any) => field).sort(), ['name', 'screen', 'search'])
})

test("/me shows the time zone of the employee's location", async () => {
  const place = await service.make('/locations', { name: 'Auckland', time_zone: 'Pacific/Auckland' })
  const nora = await enter('Nora', null, 'employee')
  const { time_zone, account } = (await nora.get('/me')).body.data
  assert.equal(time_zone, account.time_zone)
  await service.put(`/employees/${nora.id}`, { location_id: place.id })
  assert.equal((await nora.get('/me')).body.data.time_zone, 'Pacific/Auckland')
})

oneEngineTest(
  'a request goes to the manager, else the manager above, else HR, and never to the requester',
  async () => {
    const [hr, other] = [await enter('Hedi', null, 'hr', 'employee'), await enter('Heda', null, 'hr', 'employee')]
    const top = await enter('Tara', null, 'manager', 'employee')
    const middle = await enter('Mina', top.id, 'manager', 'employee')
    const report = await enter('Remo', middle.id, 'employee')
    const type = await service.make('/leave_types', { name: 'Always decided' })
    const policy = await service.make('/leave_policies', { name: 'Always', leave_type_id: type.id, floor: -100 })
    for (const { id } of [report, middle, hr])
      await service.make(`/employees/${id}/leave_types`, {
        leave_type_id: type.id,
        leave_type_policy_id: policy.id,
        effective_on: '2030-01-01',
      })
    const ask = async (who: Person) => {
      const days = { starts_on: '2030-07-01', ends_on: '2030-07-02' }
      const leave = await who.post('/leave_requests', { employee_id: who.id, leave_type_id: type.id, ...days })
      assert.equal(leave.status, 201, leave.text)
      const extra = { employee_id: who.id, date: '2030-05-10', minutes: 30 }
      const overtime = await service.make('/time/overtime_requests', extra)
      return [`/leave_requests/${leave.body.data.id}`, `/time/overtime_requests/${overtime.id}`]
    }
    const approvers = async (path: string, by: Person) => {
      const { status, body, text } = await by.get(path)
      assert.equal(status, 200, text)
      return body.data.approvals.map(({ assigned_to }: any) => assigned_to?.id ?? null)
    }
    const waitFor = async (paths: string[], asker: Person, ...wanted: Person[]) => {
      const ids = wanted.map(({ id }) => id).sort((a, b) => a - b)
      for (const path of paths) {
        assert.deepEqual((await approvers(path, asker)).sort(), ids)
        assert.deepEqual((await approvers(path, hr)).sort(), ids, 'the same for HR')
      }
      for (const person of here) {
        const lines = (await told(person)).lines.filter(
          ([kind, id]: any[]) => /waiting/.test(kind) && paths.some((path) => path.endsWith(`/${id}`)),
        )
        assert.equal(lines.length, ids.includes(person.id) ? paths.length : 0, `${person.id} of ${ids}`)
      }
    }
    let here = [hr, other, top, middle, report]
    const leave = async (...people: { id: number }[]) => {
      for (const { id } of people)
        assert.equal((await service.post(`/employees/${id}/terminate`, { effective_from: '2030-05-15' })).status, 200)
      here = here.filter(({ id }) => !people.some((one) => one.id === id))
    }
    const before: { id: number }[] = (await service.get('/employees?per_page=200')).body.data
    await leave(...before.filter(({ id }) => !here.some((one) => one.id === id)))
    const asked = await ask(report)
    await waitFor(asked, report, middle)
    await leave(middle)
    await waitFor(asked, report, top)
    assert.equal((await top.post(`${asked[1]}/approve`)).status, 200)
    await leave(top)
    await waitFor(asked.slice(0, 1), report, hr, other)
    // HR asks for leave: it is for somebody else in HR.
    const own = await ask(hr)
    await waitFor(own, hr, other)
    assert.equal((await hr.post(`${own[0]}/approve`)).status, 403)
    assert.equal((await other.post(`${own[0]}/approve`)).status, 200)
    // The last one of HR leaves: whoever may decide about everybody.
    await leave(other)
    assert.deepEqual(await approvers(own[1] as string, hr), [null])
    const owner = await enter('Olga', null, 'owner')
    assert.deepEqual(await approvers(own[1] as string, hr), [owner.id])
  },
)

test('a participant is notified of a review while its cycle is open', async () => {
  const reviewer = await enter('Vesna', null, 'employee')
  const { id: employee_id } = await service.hire({ first_name: 'Paul', last_name: 'Peck', hired_on: '2029-01-01' })
  const cycle = await service.make('/performance/review_cycles', {
    name: 'Spring',
    starts_on: '2030-01-01',
    ends_on: '2030-12-31',
  })
  const place = `/performance/review_cycles/${cycle.id}`
  await service.make(`${place}/questions`, { title: 'What went well?', type: 'text' })
  const review = await service.make(`${place}/reviews`, { employee_id })
  const participant = { employee_id: reviewer.id, type: 'peer' }
  const { id } = await service.make(`${place}/reviews/${review.id}/review_participants`, participant)
  assert.deepEqual((await told(reviewer)).lines, [])
  assert.equal((await service.post(`${place}/open`)).status, 200)
  assert.deepEqual((await told(reviewer)).lines, [['review_asked', id, 'Paul Peck', 'Spring', null]])
  assert.equal((await service.post(`${place}/close`)).status, 200)
  assert.deepEqual((await told(reviewer)).lines, [])
})
