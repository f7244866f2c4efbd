import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { operations } from '../src/operations.ts'
import { type Service, startService } from './harness.ts'

let service: Service
let hired: any
let employed: any
let gone: any
before(async () => {
  service = await startService()
  hired = await service.hire({ hired_on: '2090-01-01' })
  employed = await service.hire({ hired_on: '2020-01-01', email: 'here@example.com' })
  gone = await service.hire({ hired_on: '2019-01-01', email: 'gone@example.com' })
  const [type] = (await service.get('/termination_types')).body.data
  const [reason] = (await service.get('/termination_reasons')).body.data
  const leaving = { termination_type_id: type?.id, termination_reason_id: reason?.id, eligible_for_rehire: true }
  const left = await service.post(`/employees/${gone.id}/terminate`, { effective_from: '2024-01-01', ...leaving })
  assert.equal(left.status, 200, left.text)
})
after(() => service.stop())

async function idsOf(path: string): Promise<number[]> {
  const { status, body, text } = await service.get(path)
  assert.equal(status, 200, `${path}: ${text}`)
  return body.data.map(({ id }: any) => id)
}

test('a single-value filter accepts a list and matches any of its values', async () => {
  for (const query of [
    'status[]=hired&status[]=terminated',
    'status=hired&status=terminated',
    'status=hired,terminated',
    'status[0]=hired&status[1]=terminated',
    'state[]=hired&state[]=terminated',
    'status[]=hired&status[]=terminated&status[]=hired',
  ])
    assert.deepEqual(await idsOf(`/employees?${query}`), [hired.id, gone.id], query)
  assert.deepEqual(await idsOf('/employees?status[]=active'), [hired.id, employed.id])
  assert.deepEqual(await idsOf('/employees?status[]=employed&status[]=terminated&q=person&sort=-id'), [
    gone.id,
    employed.id,
  ])
  assert.deepEqual(await idsOf('/employees?status=all&email[]=here@example.com&email[]=GONE@example.com'), [
    employed.id,
    gone.id,
  ])
  assert.equal((await service.get('/employees?status[]=hired&status[]=terminated&per_page=1')).body.metadata.pages, 2)
})

test('a list of values can be sent in the body of a GET', async () => {
  const { body } = await service.send('GET', '/employees', { json: { status: ['hired', 'terminated'] } })
  assert.deepEqual(
    body.data.map(({ id }: any) => id),
    [hired.id, gone.id],
  )
  const none = await service.send('GET', '/employees', { json: { status: [] } })
  assert.deepEqual([none.status, none.body.errors[0].field], [400, 'status'])
})

test('an invalid list value is rejected under the parameter name that was sent', async () => {
  for (const [query, field] of [
    ['status[]=hired&status[]=nope', 'status[]'],
    ['status[]=nope&status[]=hired', 'status[]'],
    ['status=hired,nope', 'status'],
    ['status=', 'status'],
    ['status[]=', 'status[]'],
    ['state=nope', 'state'],
    ['ids[]=1&ids[]=x', 'ids[]'],
    ['ids=1,x', 'ids'],
    ['manager_id[]=x', 'manager_id[]'],
    ['hired_on[gte]=soon', 'hired_on[gte]'],
    ['hired_on=soon', 'hired_on'],
    ['created_at[lt]=soon', 'created_at[lt]'],
  ] as const) {
    const { status, body, text } = await service.get(`/employees?${query}`)
    assert.deepEqual([status, body.errors?.map((one: any) => one.field)], [400, [field]], `${query}: ${text}`)
    assert.ok(body.errors[0].message.startsWith(`${field} `), text)
  }
  const { status, body } = await service.get('/employees?status=hired&state=terminated')
  assert.deepEqual([status, body.errors[0].field], [400, 'state'])
  assert.deepEqual(await idsOf('/employees?status=hired&state=hired'), [hired.id])
})

test('status and state are the same filter on leave requests, vacancies, candidates and tasks', async () => {
  const vacancyParts = {
    department_id: (await service.make('/departments', { name: 'Sales' })).id,
    location_id: (await service.make('/locations', { name: 'Here' })).id,
    employment_type_id: (await service.make('/employment_types', { name: 'Any' })).id,
    recruitment_pipeline_id: (await service.make('/recruitment/pipelines', { name: 'Usual', stages: ['New', 'Hired'] }))
      .id,
    hiring_lead_user_id: employed.id,
    description: 'Work',
  }
  const drafted = await service.make('/recruitment/vacancies', { title: 'One', ...vacancyParts })
  const opened = await service.make('/recruitment/vacancies', { title: 'Two', ...vacancyParts, state: 'opened' })
  for (const name of ['state', 'status', 'states', 'state[]', 'status[]', 'statuses[]']) {
    assert.deepEqual(await idsOf(`/recruitment/vacancies?${name}=drafting`), [drafted.id], name)
    assert.deepEqual(await idsOf(`/recruitment/vacancies?${name}=opened`), [opened.id], name)
  }
  assert.deepEqual(await idsOf('/recruitment/vacancies?state=opened,drafting'), [drafted.id, opened.id])

  const candidate = async (full_name: string, vacancy_id?: number) =>
    (await service.make('/recruitment/candidates', { full_name, vacancy_id })).id
  const [active, out, nowhere] = [
    await candidate('Active', opened.id),
    await candidate('Out', opened.id),
    await candidate('Nowhere'),
  ]
  const reason = await service.make('/recruitment/disqualify_reasons', { name: 'Other plans' })
  const applications = (await service.get(`/recruitment/vacancies/${opened.id}/applications`)).body.data
  const application = applications.find(({ applicant }: any) => applicant.id === out)
  const path = `/recruitment/vacancies/${opened.id}/applications/${application.id}/disqualify`
  assert.equal((await service.post(path, { disqualify_reason_id: reason.id })).status, 200)
  for (const name of ['state', 'status', 'state[]', 'status[]']) {
    assert.deepEqual(await idsOf(`/recruitment/candidates?${name}=active`), [active], name)
    assert.deepEqual(await idsOf(`/recruitment/candidates?${name}=disqualified`), [out], name)
    assert.deepEqual(await idsOf(`/recruitment/candidates?${name}=hired`), [], name)
  }
  assert.deepEqual(await idsOf('/recruitment/candidates?status=active,disqualified'), [active, out])
  assert.deepEqual(await idsOf(`/recruitment/candidates?status=active&vacancy_ids[]=${drafted.id}`), [])
  assert.deepEqual(await idsOf('/recruitment/candidates'), [active, out, nowhere])

  const open = await service.make('/tasks', { name: 'Open', employee_id: employed.id })
  const done = await service.make('/tasks', { name: 'Done', employee_id: employed.id })
  await service.put(`/tasks/${done.id}/complete`)
  for (const name of ['state', 'status', 'status[]']) {
    assert.deepEqual(await idsOf(`/tasks?${name}=completed`), [done.id], name)
    assert.deepEqual(await idsOf(`/tasks?${name}=open`), [open.id], name)
    assert.deepEqual((await idsOf(`/tasks?${name}=all`)).sort(), [open.id, done.id].sort(), name)
  }
  assert.deepEqual((await idsOf('/tasks?status[]=open&status[]=completed')).sort(), [open.id, done.id].sort())

  for (const name of ['state', 'status', 'states', 'statuses', 'state[]', 'status[]'])
    assert.deepEqual(await idsOf(`/leave_requests?${name}=pending`), [], name)
})

test('an unknown date filter is rejected with a suggestion', async () => {
  for (const [path, name, meant] of [
    ['/leave_requests?start_date=2024-01-01', 'start_date', 'starts_on'],
    ['/leave_requests?end_date=2024-01-01', 'end_date', 'ends_on'],
    ['/leave_requests?start_date[gte]=2024-01-01', 'start_date', 'starts_on'],
    ['/leave_requests?month=3', 'month', ''],
    ['/leave_requests?year=2024', 'year', ''],
    ['/leave_requests?from=2024-01-01', 'from', ''],
    ['/time/timesheet_entries?date=2024-01-01', 'date', ''],
    ['/holidays?start_date=2024-01-01', 'start_date', 'starts_on'],
    ['/employees?updated_since=2024-01-01', 'updated_since', ''],
    ['/employees?statu=active', 'statu', 'status'],
    ['/employees?hiredOn[gte]=2024-01-01', 'hiredOn', 'hired_on'],
  ] as const) {
    const { status, body, text } = await service.get(path)
    assert.deepEqual([status, body.errors?.[0].field, body.errors?.[0].code], [400, name, 'unknown'], `${path} ${text}`)
    const { message } = body.errors[0]
    if (meant) assert.match(message, new RegExp(`Did you mean ${meant}\\b`), message)
    // All names are listed once at most, and not beside a suggestion.
    assert.equal(/can be filtered by/.test(body.detail), !meant, body.detail)
    assert.doesNotMatch(message, /can be filtered by/)
  }
})

test('every enum filter accepts a list of all its values', async () => {
  const lists = operations.filter(
    ({ method, path, query }) => method === 'GET' && !path.includes('{') && query.properties.page,
  )
  let tried = 0
  for (const { path, query } of lists)
    for (const [name, schema] of Object.entries(query.properties as Record<string, any>)) {
      const { enum: values } = schema
      if (!values || name === 'sort') continue
      const { status, text } = await service.get(
        `${path}?${values.map((one: unknown) => `${name}[]=${one}`).join('&')}`,
      )
      assert.equal(status, 200, `${path} ${name}: ${text}`)
      const other = await service.get(`${path}?${name}=${values.join()}`)
      assert.equal(other.text, text, `${path} ${name}`)
      tried++
    }
  assert.ok(tried > 10, String(tried))
})
