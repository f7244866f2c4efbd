import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { type Service, startService } from './harness.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

test('a known path with another method says 405 and which methods it has', async () => {
  const answer = await service.send('PATCH', '/divisions')
  assert.equal(answer.status, 405)
  assert.equal(answer.headers.get('allow'), 'GET, HEAD, POST')
  assert.equal((await service.send('POST', '/divisions/1')).headers.get('allow'), 'GET, HEAD, PUT, DELETE')
})

test('an unknown path is a problem document', async () => {
  const answer = await service.get('/nowhere')
  assert.equal(answer.status, 404)
  assert.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8')
  assert.deepEqual(Object.keys(answer.body), [
    'type',
    'title',
    'status',
    'code',
    'detail',
    'message',
    'success',
    'errors',
    'request_id',
  ])
})

test('the request id of the caller is kept when it is sensible, and is in the header and the problem', async () => {
  const kept = await service.get('/nowhere', { headers: { 'x-request-id': 'abc-123' } })
  assert.equal(kept.headers.get('x-request-id'), 'abc-123')
  assert.equal(kept.body.request_id, 'abc-123')
  const replaced = await service.get('/nowhere', { headers: { 'x-request-id': 'a b{}' } })
  assert.match(replaced.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
})

test('a broken address and broken HTTP get problem documents too', async () => {
  const raw = await new Promise<string>((resolve) => {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname, () => socket.write('GET / NONSENSE\r\n\r\n'))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
  })
  assert.match(raw, /^HTTP\/1.1 400 /)
  assert.match(raw, /application\/problem\+json/)
  assert.equal((await service.get(`${service.url}/api/v3/%zz`)).status, 400)
})

test('what stays out of a PUT stays; null and an empty form value clear', async () => {
  const { body } = await service.post('/locations', { name: 'Berlin', address: 'Here', time_zone: 'Europe/Berlin' })
  const path = `/locations/${body.data.id}`
  assert.equal((await service.put(path, { name: 'Berlin Mitte' })).body.data.address, 'Here')
  assert.equal((await service.put(path, { address: null })).body.data.address, null)
  await service.put(path, { address: 'There' })
  const cleared = await service.send('PUT', path, { form: { address: '', time_zone: '' } })
  assert.equal(cleared.body.data.address, null)
  assert.equal(cleared.body.data.time_zone, 'UTC')
  assert.equal(cleared.body.data.name, 'Berlin Mitte')
  assert.equal((await service.put(path, { name: null })).body.errors[0].code, 'blank')
})

test('all problems of a body come at once: types, formats, references and what is taken', async () => {
  await service.post('/departments', { name: 'Taken' })
  const answer = await service.post('/departments', {
    name: 'TAKEN',
    parent_id: 99,
    manager_id: 'x',
    department_level_id: 98,
  })
  assert.equal(answer.status, 422)
  const codes = Object.fromEntries(answer.body.errors.map((error: any) => [error.field, error.code]))
  assert.deepEqual(codes, {
    name: 'taken',
    parent_id: 'not_found',
    manager_id: 'wrong_type',
    department_level_id: 'not_found',
  })
  for (const error of answer.body.errors) assert.ok(answer.body.detail.includes(error.message))
})

test('an ETag saves reading again, and If-Match guards against overwriting a newer state', async () => {
  const { body } = await service.post('/positions', { name: 'Analyst' })
  const path = `/positions/${body.data.id}`
  const etag = (await service.get(path)).headers.get('etag') as string
  assert.equal((await service.get(path, { headers: { 'if-none-match': etag } })).status, 304)
  const changed = await service.put(path, { name: 'Senior analyst' }, { headers: { 'if-match': etag } })
  assert.equal(changed.status, 200)
  const stale = await service.put(path, { name: 'Junior analyst' }, { headers: { 'if-match': etag } })
  assert.equal(stale.status, 412)
  assert.equal((await service.delete(path, { headers: { 'if-match': etag } })).status, 412)
  assert.equal((await service.get(path)).body.data.name, 'Senior analyst')
  assert.equal(
    (await service.delete(path, { headers: { 'if-match': changed.headers.get('etag') as string } })).status,
    204,
  )
})

test('HEAD answers as GET without a body', async () => {
  const answer = await service.send('HEAD', '/genders')
  assert.equal(answer.status, 200)
  assert.equal(answer.text, '')
})

test('all time-outs are set', () => {
  const { server, initialConfig } = service.app
  for (const limit of [server.requestTimeout, server.headersTimeout, server.keepAliveTimeout, server.timeout])
    assert.ok(limit > 0)
  assert.ok(Number((initialConfig as any).handlerTimeout) > 0)
})

test('text is kept exactly or refused clearly', async () => {
  for (const name of [
    'مرحبا',
    '👩‍👩‍👧‍👦 家族',
    'e\u0301clair',
    '𝒜𝒹𝒶',
    "'; DROP TABLE divisions; --",
    '=HYPERLINK("x")',
    '\u202Ertl',
    '<script>',
  ])
    assert.equal((await service.post('/divisions', { name })).body.data.name, name)
  for (const name of ['a\0b', 'a\nb', '\ud83d']) {
    const refused = await service.post('/divisions', { name })
    assert.equal(refused.status, 422, JSON.stringify(name))
    assert.equal(refused.body.errors[0].code, 'invalid')
  }
  assert.equal((await service.post('/divisions', { name: '  trimmed  ' })).body.data.name, 'trimmed')
})

test('an internal failure says nothing but the request id', async () => {
  await service.database.write((sql) => sql.schema.alterTable('pay_schedules').renameTo('pay_schedules_gone').execute())
  const answer = await service.post('/pay_schedules', { name: 'Weekly' })
  assert.equal(answer.status, 500)
  assert.ok(!/pay_schedules_gone|SQL|at /i.test(answer.text.replace(/"detail":"[^"]*"|"message":"[^"]*"/g, '')))
  assert.equal(answer.body.detail, 'Something went wrong on our side')
})
