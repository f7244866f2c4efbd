import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, startService } from './harness.ts'

/** Names, values and addresses under which programs in use know what this interface calls otherwise. */

let service: Service
const now = new Date('2026-06-15T12:00:00Z')
before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

test('calendar events name their person both at the top level and under data', async () => {
  const person = await service.hire({
    first_name: 'Ada',
    last_name: 'Kay',
    hired_on: '2024-03-02',
    date_of_birth: '1990-03-05',
  })
  const { body } = await service.get('/calendars?starts_on=2026-03-01&ends_on=2026-03-31')
  const own = body.data.filter(({ user_id }: any) => user_id === person.id)
  assert.deepEqual(
    own.map(({ type }: any) => type),
    ['anniversary', 'birthday'],
  )
  for (const event of own)
    for (const { user_id, first_name, last_name } of [event, event.data])
      assert.deepEqual({ user_id, first_name, last_name }, { user_id: person.id, first_name: 'Ada', last_name: 'Kay' })
})

test('a holiday event has no person', async () => {
  const policy = await service.make('/holiday_policies', { name: 'Own', country_code: 'DE' })
  await service.make('/holidays', { name: 'Free', holiday_policy_id: policy.id, occurs_on: '2026-02-03' })
  const { body } = await service.get('/calendars?starts_on=2026-02-03&ends_on=2026-02-03&types[]=holiday')
  const [{ title, user_id, first_name, last_name }] = body.data
  assert.deepEqual([title, user_id, first_name, last_name], ['Free (Own)', null, null, null])
})

test('the calendar shows first days of people who do start', async () => {
  const starts = await service.hire({ first_name: 'New', last_name: 'Comer', hired_on: '2026-09-01' })
  const never = await service.hire({ hired_on: '2026-09-02' })
  const gone = await service.post(`/employees/${never.id}/terminate`, { effective_from: '2026-09-02' })
  assert.equal(gone.status, 200, gone.text)
  const oneDay = await service.hire({ hired_on: '2026-09-03' })
  await service.post(`/employees/${oneDay.id}/terminate`, { effective_from: '2026-09-04' })
  const ask = async (more = '') => {
    const { body, text } = await service.get(`/calendars?starts_on=2026-09-01&ends_on=2026-09-30${more}`)
    assert.ok(body.data, text)
    return body.data
  }
  const events = await ask('&types[]=first_day')
  assert.deepEqual(
    events.map(({ type, starts_on, ends_on, user_id }: any) => [type, starts_on, ends_on, user_id]),
    [
      ['first_day', '2026-09-01', '2026-09-01', starts.id],
      ['first_day', '2026-09-03', '2026-09-03', oneDay.id],
    ],
  )
  assert.equal(events[0].title, 'New Comer: First day')
  assert.deepEqual(await ask(), events)
  assert.deepEqual(await ask('&types[]=birthday'), [])
  assert.deepEqual(await ask(`&manager_id=${starts.id}`), [])
})

test('the source of a candidate can be set by name', async () => {
  const fair = await service.make('/recruitment/sources', { name: 'Job fair' })
  const friend = await service.make('/recruitment/sources', { name: 'Friend' })
  const path = '/recruitment/candidates'
  const made = await service.make(path, { full_name: 'One', source: 'job FAIR' })
  assert.deepEqual([made.source, made.source_record.id], ['Job fair', fair.id])
  const changed = await service.put(`${path}/${made.id}`, { source: 'Friend' })
  assert.deepEqual([changed.status, changed.body.data.source], [200, 'Friend'])
  assert.equal((await service.put(`${path}/${made.id}`, { full_name: 'Still' })).body.data.source, 'Friend')
  assert.equal((await service.put(`${path}/${made.id}`, { source: null })).body.data.source, null)
  assert.equal(
    (await service.make(path, { full_name: 'Two', source: 'Friend', source_id: friend.id })).source,
    'Friend',
  )
  for (const [sent, says] of [
    [{ source: 'Jobfair' }, 'source must be the name of an existing source. Did you mean Job fair?'],
    [{ source: 'Billboard' }, 'source must be the name of an existing source: Friend, Job fair'],
    [{ source: 'Friend', source_id: fair.id }, 'source differs from source_id. Send only one of them'],
  ] as const) {
    const { status, body } = await service.post(path, { full_name: 'Three', ...sent })
    assert.deepEqual([status, body.errors.map(({ message }: any) => message)], [422, [says]])
  }
  const { status, body } = await service.send('POST', path, { form: { full_name: 'Four', source: 'Friend' } })
  assert.deepEqual([status, body.data.source], [201, 'Friend'])
})

test('manager_id sets the manager wherever reporting_to_id does', async () => {
  const boss = await service.hire({ hired_on: '2020-01-01' })
  const other = await service.hire({ hired_on: '2020-01-01' })
  const report = await service.hire({ hired_on: '2021-01-01', manager_id: boss.id })
  assert.equal(report.reporting_to.id, boss.id)
  const managerOf = async () => (await service.get(`/employees/${report.id}`)).body.data.reporting_to?.id ?? null
  assert.equal((await service.put(`/employees/${report.id}`, { manager_id: other.id })).status, 200)
  assert.equal(await managerOf(), other.id)
  assert.equal((await service.put(`/employees/${report.id}`, { manager_id: null })).status, 200)
  assert.equal(await managerOf(), null)
  const bulk = await service.send('PATCH', '/employees/bulk', {
    json: { data: [{ id: report.id, manager_id: boss.id }] },
  })
  assert.equal(bulk.body.records.count, 1, bulk.text)
  assert.equal(await managerOf(), boss.id)
  const entry = await service.make(`/employees/${report.id}/positions`, {
    effective_from: '2026-06-10',
    manager_id: other.id,
  })
  assert.equal(entry.reporting_to.id, other.id)
  assert.equal((await service.send('PUT', `/employees/${report.id}`, { form: { manager_id: boss.id } })).status, 200)

  const refused = async (json: object) => {
    const { status, body } = await service.put(`/employees/${report.id}`, json)
    return [status, body.errors[0].field, body.errors[0].code]
  }
  assert.deepEqual(await refused({ manager_id: 'x' }), [422, 'manager_id', 'wrong_type'])
  assert.deepEqual(await refused({ manager_id: boss.id, reporting_to_id: other.id }), [422, 'manager_id', 'ambiguous'])
  assert.deepEqual(await refused({ manager_id: 999_999 }), [422, 'manager_id', 'not_found'])
  assert.deepEqual((await refused({ manager_id: report.id })).slice(0, 2), [422, 'manager_id'])
  const same = await service.put(`/employees/${report.id}`, { manager_id: boss.id, reporting_to_id: boss.id })
  assert.equal(same.status, 200, same.text)
  const strict = { headers: { prefer: 'handling=strict' } }
  assert.equal((await service.put(`/employees/${report.id}`, { manager_id: boss.id }, strict)).status, 200)
  // No custom field can take the name.
  const field = await service.make('/employee_fields', { name: 'Manager id', type: 'text' })
  assert.notEqual(field.internal_name, 'manager_id')
})

test('fields of an employee also contains built-in fields; custom_fields contains only custom ones', async () => {
  const [group] = (await service.get('/employee_field_groups')).body.data
  await service.make('/employee_fields', { name: 'Badge', type: 'text', ...(group ? { group_id: group.id } : {}) })
  const person = await service.hire({
    employee_number: 'E-77',
    mobile_number: '+49 170 1',
    custom_fields: { badge: 'B1' },
  })
  const own = { label: 'Mobile number', group: { id: 0, name: 'Built-in' }, value: '+49 170 1' }
  const valuesOf = (fields: Record<string, any>) =>
    Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value]))
  const all = { badge: 'B1', employee_number: 'E-77', mobile_number: '+49 170 1', work_phone_number: null }
  const { data: one } = (await service.get(`/employees/${person.id}`)).body
  const list = async (query = '', key = service.key) =>
    (await service.get(`/employees?ids[]=${person.id}${query}`, { key })).body.data[0]
  for (const record of [person, one, await list()]) {
    assert.deepEqual(valuesOf(record.fields), { ...all, ...valuesOf(record.custom_fields) })
    assert.deepEqual(record.fields.mobile_number, own)
    assert.equal(record.fields.employee_number.value, record.employee_number)
    assert.equal(record.custom_fields.badge.value, 'B1')
    assert.ok(!('employee_number' in record.custom_fields))
    assert.deepEqual(record.custom_fields.badge, record.fields.badge)
  }
  assert.deepEqual(Object.keys((await list('&fields[]=badge')).fields), ['badge'])
  assert.deepEqual(Object.keys((await list('&custom_fields[]=badge')).fields), ['badge'])
  const named = await list('&fields[]=work_phone_number')
  assert.deepEqual([Object.keys(named.fields), named.custom_fields], [['work_phone_number'], {}])

  const withheld = await service.keyWith({ permissions: ['*'], withheld: ['personal'] })
  const cut = await list('', withheld)
  assert.ok(!('mobile_number' in cut) && !('mobile_number' in cut.fields), JSON.stringify(cut.fields))
  assert.equal(cut.fields.employee_number.value, 'E-77')
  assert.ok(!JSON.stringify(cut).includes('+49 170 1'))
})

test('every read works under the older version prefixes as under v3', async () => {
  const person = await service.hire({ email: 'alias@example.com' })
  const unread = await service.keyWith({ permissions: ['organisation:read'] })
  for (const path of ['/employees', `/employees/${person.id}`, '/recruitment/vacancies?status[]=opened', '/teams/'])
    for (const version of ['v1', 'v2']) {
      const [there, here] = [
        await service.get(`/api/public/${version}${path}`),
        await service.get(`/api/public/v3${path}`),
      ]
      assert.deepEqual([there.status, there.text], [200, here.text], `${version} ${path}`)
      assert.equal(there.headers.get('etag'), here.headers.get('etag'))
      assert.equal((await service.send('HEAD', `/api/public/${version}${path}`)).status, 200)
      assert.equal((await service.get(`/api/public/${version}${path}`, { key: null })).status, 401)
    }
  assert.equal((await service.get('/api/public/v2/employees', { key: unread })).status, 403)
  assert.equal(
    (await service.get('/api/public/v2/employees/999999')).body.detail,
    'There is no such record, or you cannot see it.',
  )
  assert.equal((await service.get('/api/public/v1/calendars')).status, 200)
})

test('only candidates can be created under the older version prefixes', async () => {
  for (const version of ['v1', 'v2']) {
    const path = `/api/public/${version}/recruitment/candidates`
    const made = await service.send('POST', path, { form: { full_name: `Of ${version}` } })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.headers.get('location'), `/api/public/v3/recruitment/candidates/${made.body.data.id}`)
    const multipart = new FormData()
    multipart.set('full_name', 'With a resume')
    multipart.set('resume', new Blob(['%PDF-1.4 resume'], { type: 'application/pdf' }), 'resume.pdf')
    const sent = await service.send('POST', `${path}/?source=`, { multipart })
    assert.deepEqual([sent.status, sent.body?.data?.resume], [201, true], sent.text)
    const reader = await service.keyWith({ permissions: ['recruitment:read'] })
    assert.equal((await service.post(path, { full_name: 'No' }, { key: reader })).status, 403)
    for (const [method, below] of [
      ['POST', '/teams'],
      ['PUT', `/recruitment/candidates/${made.body.data.id}`],
      ['DELETE', `/recruitment/candidates/${made.body.data.id}`],
      ['POST', `/recruitment/candidates/${made.body.data.id}/notes`],
    ] as const) {
      const { status, body } = await service.send(method, `/api/public/${version}${below}`, { json: {} })
      const says = `No such endpoint: ${method} /api/public/${version}${below}. Did you mean /api/public/v3${below}?`
      assert.deepEqual([status, body.detail], [404, says])
    }
  }
  assert.equal((await service.get('/api/public/v0/employees')).status, 404)
})

test('the OpenAPI document mentions the older prefixes once and repeats no operation', async () => {
  const { body } = await service.get(`${service.url}/openapi.json`)
  assert.match(body.info.description, /## Compatibility/)
  assert.match(body.info.description, /`\/api\/public\/v2` and `\/api\/public\/v1`/)
  assert.ok(!Object.keys(body.paths).some((path) => /\/public\/v[12]\b/.test(path)))
  const ids = Object.values(body.paths as Record<string, any>).flatMap((one) =>
    Object.values<any>(one).map(({ operationId }) => operationId),
  )
  assert.equal(new Set(ids).size, ids.length)
})
