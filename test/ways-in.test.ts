import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { RAILS_ZONES } from '../src/engine/rails-zones.ts'
import { operations } from '../src/operations.ts'
import { type Service, startService } from './harness.ts'

/** The ways in which programs written for other servers of this interface send what they have to say. */

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

const form = (pairs: string) => ({ json: pairs, headers: { 'content-type': 'application/x-www-form-urlencoded' } })

test('a key is accepted as a bearer token', async () => {
  const bearer = (authorization: string) => service.get('/genders', { key: null, headers: { authorization } })
  assert.equal((await bearer(`Bearer ${service.key}`)).status, 200)
  assert.equal((await bearer(`bearer  ${service.key}`)).status, 200)
  for (const wrong of [`Bearer ${'x'.repeat(40)}`, 'Bearer ', service.key, `Basic ${btoa(`key:${service.key}`)}`]) {
    const refused = await bearer(wrong)
    assert.equal(refused.status, 401, wrong)
    assert.match(refused.headers.get('www-authenticate') ?? '', /Bearer realm="Cadre"/)
  }
  // A key that is sent as a key counts, also when it is a wrong one.
  const both = { authorization: `Bearer ${service.key}`, 'x-api-key': 'x'.repeat(40) }
  assert.equal((await service.get('/genders', { key: null, headers: both })).status, 401)
})

test('PATCH works like PUT on every path', async () => {
  const { body } = await service.post('/locations', { name: 'Patched', address: 'Here' })
  const path = `/locations/${body.data.id}`
  const changed = await service.send('PATCH', path, { json: '{"address": "There"}' })
  assert.deepEqual([changed.status, changed.body.data.name, changed.body.data.address], [200, 'Patched', 'There'])
  const tag = changed.headers.get('etag') ?? ''
  assert.equal((await service.send('PATCH', path, { json: '{"name": ""}' })).status, 422)
  assert.equal((await service.send('PATCH', path, { json: '{}', headers: { 'if-match': '"other"' } })).status, 412)
  assert.equal((await service.send('PATCH', path, { json: '{}', headers: { 'if-match': tag } })).status, 200)
  const places = operations
    .filter(({ method }) => method === 'PUT')
    .map(({ path }) => path.replace(/\{\w+\}/g, '999999'))
  for (const place of new Set(places)) {
    const [put, patch] = [await service.put(place, {}), await service.send('PATCH', place, { json: '{}' })]
    assert.equal(patch.status, put.status, place)
    assert.notEqual(patch.status, 405, place)
  }
  const { headers } = await service.send('DELETE', '/employees', {})
  assert.equal(headers.get('allow'), 'GET, HEAD, POST')
})

test('body fields can be sent in the query of a write; those in the body win', async () => {
  const made = await service.send('POST', '/probation_policies?name=Twelve+weeks&length=84', {})
  assert.deepEqual([made.status, made.body.data.name, made.body.data.length], [201, 'Twelve weeks', 84])
  assert.equal(made.headers.get('cadre-ignored'), null)
  const path = `/probation_policies/${made.body.data.id}`
  const changed = await service.put(`${path}?length=90&name=Other`, { name: 'Both' })
  assert.deepEqual([changed.body.data.name, changed.body.data.length], ['Both', 90])
  assert.equal(changed.headers.get('cadre-ignored'), 'name')
  const wrong = await service.put(`${path}?length=soon`, {})
  assert.deepEqual([wrong.status, wrong.body.errors[0].field], [422, 'length'])
  assert.equal((await service.put(`${path}?colour=red`, {})).headers.get('cadre-ignored'), 'colour')
})

test('retries with fields in the query are told apart', async () => {
  const retry = { 'idempotency-key': 'in-the-query' }
  const send = (query: string) => service.send('POST', `/divisions?${query}`, { headers: retry })
  assert.equal((await send('name=Queried')).status, 201)
  assert.equal((await send('name=Queried')).headers.get('idempotency-replayed'), 'true')
  assert.equal((await send('name=Another')).status, 422)
})

test('numbered lists like a[0]=…&a[1]=… are accepted in forms and queries', async () => {
  const candidate = await service.send(
    'POST',
    '/recruitment/candidates',
    form('full_name=Ann&skills[1]=b&skills[0]=a&skills[10]=c'),
  )
  assert.deepEqual(candidate.body.data.skills, ['a', 'b', 'c'])
  const pipeline = await service.send(
    'POST',
    '/recruitment/pipelines',
    form('name=Short&stages[0][name]=One&stages[0][type]=new&stages[1][name]=Two&stages[1][type]=hired'),
  )
  assert.equal(pipeline.status, 201, pipeline.text)
  const names = pipeline.body.data.stages.map((stage: any) => stage.name)
  assert.deepEqual([names[0], names.at(-1)], ['One', 'Two'])
  const found = await service.get(`/recruitment/candidates?skills[0]=a&skills[1]=b`)
  assert.equal(found.body.data.length, 1)
  const mixed = await service.send('POST', '/recruitment/candidates', form('full_name=Bo&skills[0]=a&skills[x]=b'))
  assert.deepEqual([mixed.status, mixed.body.errors[0].field], [422, 'skills'])
})

test('integers are accepted as text, also in custom fields; other values are not', async () => {
  await service.post('/employee_fields', { name: 'Tax number', type: 'text' })
  const made = await service.post('/employees', {
    first_name: 'Nu',
    last_name: 'Meral',
    employee_number: 104_242,
    mobile_number: 49_309_018,
    tax_number: 7701,
  })
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(
    [made.body.data.employee_number, made.body.data.mobile_number, made.body.data.fields.tax_number.value],
    ['104242', '49309018', '7701'],
  )
  for (const last_name of [1.5, true, ['x'], { a: 1 }, 2 ** 60])
    assert.equal((await service.post('/employees', { first_name: 'A', last_name })).status, 422, String(last_name))
})

test('Rails time zone names are accepted and stored as IANA names', async () => {
  const { body } = await service.post('/locations', { name: 'Office', time_zone: 'Kyiv' })
  assert.equal(body.data.time_zone, 'Europe/Kyiv')
  for (const zone of RAILS_ZONES.values()) assert.ok(new Intl.DateTimeFormat('en', { timeZone: zone }))
  const { status, body: refused } = await service.post('/locations', { name: 'Nowhere', time_zone: 'Atlantis' })
  assert.deepEqual([status, refused.errors[0].field], [422, 'time_zone'])
})

test('list parameters can be sent in the body of a GET', async () => {
  await service.hire({ hired_on: '2020-01-07' })
  const events = async (json: object) =>
    await new Promise<any>((resolve, reject) => {
      const sent = JSON.stringify(json)
      const headers = { 'x-api-key': service.key, 'content-type': 'application/json', 'content-length': sent.length }
      const asked = request(`${service.url}/api/v3/calendars`, { method: 'GET', headers }, (answer) => {
        let text = ''
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => resolve({ status: answer.statusCode, body: JSON.parse(text) }))
      })
      asked.on('error', reject).end(sent)
    })
  const { body } = await events({ starts_on: '2024-01-01', ends_on: '2024-01-31' })
  assert.ok(body.data.some((one: any) => one.type === 'anniversary' && one.starts_on === '2024-01-07'))
  assert.equal((await events({ starts_on: 'soon' })).status, 400)
  // Most clients name the type of a body that they do not send.
  assert.equal((await service.get('/calendars', { headers: { 'content-type': 'application/json' } })).status, 200)
})

test('an unexpected file is rejected with a hint how to send files', async () => {
  const candidate = await service.make('/recruitment/candidates', { full_name: 'Cy' })
  for (const [path, name] of [
    ['/recruitment/candidates', 'cv'],
    [`/recruitment/candidates/${candidate.id}/documents`, 'files[]'],
    ['/divisions', 'logo'],
  ] as const) {
    const multipart = new FormData()
    for (const field of ['full_name', 'name']) multipart.append(field, `Dee ${path}`)
    multipart.append(name, new Blob(['%PDF-1.4 x'], { type: 'application/pdf' }), 'cv.pdf')
    const { status, body } = await service.send('POST', path, { multipart })
    assert.deepEqual([status, body.errors?.[0].field], [422, name.replace('[]', '')], path)
    assert.match(body.message, /is not a file field of this operation|is a file, but/)
  }
  assert.equal((await service.get('/recruitment/candidates?q=dee')).body.metadata.count, 0)
})

test('a misspelt filter of a bulk deletion deletes nothing', async () => {
  const { id } = await service.hire({ hired_on: '2020-01-01' })
  const times = { starts_at: '2026-01-05T09:00:00Z', ends_at: '2026-01-05T10:00:00Z' }
  const entry = await service.make('/time/timesheet_entries', { employee_id: id, ...times })
  const path = `/time/timesheet_entries/bulk?employee_ids[]=${id}&starts_at=1&timesheet_entry_id=999`
  const { status, body } = await service.send('DELETE', path)
  assert.deepEqual([status, body.errors[0].field], [400, 'timesheet_entry_id'])
  assert.equal((await service.get(`/time/timesheet_entries?employee_id=${id}`)).body.data[0].id, entry.id)
})

test('a stored response is not replayed to a key that now belongs to another employee', async () => {
  const [one, other] = [await service.hire(), await service.hire()]
  const made = (
    await service.post('/api_keys', { name: 'Theirs', permissions: ['teams:*', 'employees:*'], employee_id: one.id })
  ).body.data
  const ask = () =>
    service.post('/divisions', { name: 'x' }, { key: made.key, headers: { 'idempotency-key': 'theirs' } })
  const note = () =>
    service.post(
      `/employees/${one.id}/notes`,
      { body: 'Private' },
      { key: made.key, headers: { 'idempotency-key': 'theirs' } },
    )
  assert.equal((await note()).status, 201)
  assert.equal((await note()).headers.get('idempotency-replayed'), 'true')
  await service.put(`/api_keys/${made.id}`, { employee_id: other.id })
  assert.equal((await note()).body.code, 'idempotency_mismatch')
  assert.equal((await ask()).status, 403)
})
