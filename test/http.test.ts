import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { type Service, startService } from './harness.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

test('a known path with a wrong method gets 405 with the allowed methods', async () => {
  const answer = await service.send('PATCH', '/divisions')
  assert.equal(answer.status, 405)
  assert.equal(answer.headers.get('allow'), 'GET, HEAD, POST')
  assert.equal((await service.send('POST', '/divisions/1')).headers.get('allow'), 'GET, HEAD, PUT, PATCH, DELETE')
})

test('of two matching paths the more exact one decides the allowed methods', async () => {
  // Not taken for an employee of this name, by methods that an employee has.
  for (const method of ['GET', 'HEAD', 'DELETE', 'POST', 'OPTIONS']) {
    const answer = await service.send(method, '/employees/bulk')
    assert.deepEqual([method, answer.status, answer.headers.get('allow')], [method, 405, 'PATCH'])
  }
  // Also where pages are shown to people.
  const page = await service.get('/sign_in/link_use', { key: null, headers: { accept: 'text/html' } })
  assert.deepEqual([page.status, page.headers.get('allow')], [405, 'POST'])
  assert.equal((await service.send('DELETE', '/employ%65es/5/terminate?x=1')).status, 405)
  assert.equal((await service.send('DELETE', '/employees//terminate')).status, 404)
  assert.equal((await service.send('DELETE', '/no_such_thing')).status, 404)
})

test('a trailing slash is accepted for every method and both prefixes', async () => {
  for (const prefix of ['/api/public/v3', '/api/v3']) {
    const made = await service.post(`${prefix}/divisions/`, { name: `Slash ${prefix}` })
    assert.equal(made.status, 201)
    const path = `${prefix}/divisions/${made.body.data.id}/`
    assert.equal((await service.get(`${path}?page=`)).body.data.id, made.body.data.id)
    assert.equal((await service.send('HEAD', path)).status, 200)
    assert.equal((await service.put(path, { name: `Slashed ${prefix}` })).status, 200)
    assert.equal((await service.send('POST', path)).headers.get('allow'), 'GET, HEAD, PUT, PATCH, DELETE')
    assert.equal((await service.delete(path)).status, 204)
    const bulk = await service.send('PATCH', `${prefix}/employees/bulk/`, { json: { data: [] } })
    assert.equal(bulk.status, 200, bulk.text)
  }
})

test('a body that is not JSON, form or multipart gets 415', async () => {
  for (const type of ['text/plain', 'text/csv', 'application/xml', 'application/octet-stream', 'nonsense'])
    for (const [method, path] of [
      ['POST', '/divisions'],
      ['PUT', '/divisions/1'],
      ['DELETE', '/divisions/1'],
    ] as const) {
      const answer = await service.send(method, path, { json: 'name=x', headers: { 'content-type': type } })
      assert.equal(answer.status, 415, `${method} ${type}: ${answer.text}`)
      assert.equal(answer.body.code, 'unsupported_media_type')
    }
  assert.equal((await service.get('/divisions?page=1')).body.data.filter((one: any) => one.name === 'x').length, 0)
})

test('an empty JSON body counts as an empty object', async () => {
  const { id } = await service.hire()
  const headers = { 'content-type': 'application/json' }
  const task = await service.make('/tasks', { name: 'Sign', employee_id: id, starts_on: '2026-01-01' })
  for (const body of ['', ' \n']) {
    assert.equal((await service.send('PUT', `/tasks/${task.id}/complete`, { json: body, headers })).status, 200)
    const missing = await service.send('POST', '/divisions', { json: body, headers })
    assert.equal(missing.status, 422)
    assert.equal(missing.body.errors[0].code, 'required')
  }
  assert.equal((await service.send('DELETE', `/tasks/${task.id}`, { json: '', headers })).status, 204)
  // Nothing has no type either: some clients always name one.
  for (const type of ['text/plain;charset=UTF-8', 'multipart/form-data; boundary=x', 'application/octet-stream'])
    assert.equal(
      (await service.send('POST', '/divisions', { json: '', headers: { 'content-type': type } })).body.code,
      'validation_failed',
    )
  for (const broken of ['{', 'null x', '{"__proto__": {}}'])
    assert.equal((await service.send('POST', '/divisions', { json: broken, headers })).status, 400, broken)
})

test('a rejected key gets WWW-Authenticate', async () => {
  for (const key of [null, 'x'.repeat(40)]) {
    const answer = await service.get('/genders', { key })
    assert.equal(answer.status, 401)
    assert.match(answer.headers.get('www-authenticate') ?? '', /^\w+ realm="Cadre"/)
  }
  const limited = await service.keyWith({ permissions: ['tasks:read'] })
  assert.equal((await service.get('/genders', { key: limited })).headers.get('www-authenticate'), null)
})

test('an unknown path returns a problem document', async () => {
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

test('each request has its own id in header and problem document, whatever the caller sends', async () => {
  const ids = new Set<string>()
  for (const sent of [undefined, 'abc-123', 'abc-123', 'a b{}']) {
    const answer = await service.get('/nowhere', { headers: sent === undefined ? {} : { 'x-request-id': sent } })
    const id = answer.headers.get('x-request-id') ?? ''
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.equal(answer.body.request_id, id)
    ids.add(id)
  }
  assert.equal(ids.size, 4)
})

test('a broken URL and broken HTTP return problem documents too', async () => {
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

test('a PUT keeps fields that are not sent; null or an empty form value clears them', async () => {
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

test('all errors of a body are reported at once: types, formats, references and taken values', async () => {
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

test('If-None-Match returns 304, and If-Match prevents overwriting a newer state', async () => {
  const { body } = await service.post('/positions', { name: 'Analyst' })
  const path = `/positions/${body.data.id}`
  const etag = (await service.get(path)).headers.get('etag') as string
  for (const seen of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
    assert.equal((await service.get(path, { headers: { 'if-none-match': seen } })).status, 304, seen)
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
  const { server } = service.app
  for (const limit of [server.requestTimeout, server.headersTimeout, server.keepAliveTimeout, server.timeout])
    assert.ok(limit > 0)
})

test('text is stored exactly or rejected', async () => {
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

test('an internal error reveals nothing but the request id', async () => {
  await service.database.write((sql) => sql.schema.alterTable('pay_schedules').renameTo('pay_schedules_gone').execute())
  const answer = await service.post('/pay_schedules', { name: 'Weekly' })
  assert.equal(answer.status, 500)
  assert.ok(!/pay_schedules_gone|SQL|at /i.test(answer.text.replace(/"detail":"[^"]*"|"message":"[^"]*"/g, '')))
  assert.equal(
    answer.body.detail,
    'An unexpected error happened. Send the request_id to the administrator of this service: the log has the details.',
  )
})

test('text that is not UTF-8 is rejected in every format', async () => {
  const send = (type: string, body: Buffer) =>
    fetch(`${service.url}/api/v3/divisions`, {
      method: 'POST',
      headers: { 'x-api-key': service.key, 'content-type': type },
      body: body as any,
    })
  const latin = Buffer.from('{"name":"M\xfcller"}', 'latin1')
  assert.equal((await send('application/json', latin)).status, 400)
  assert.equal((await send('application/json; charset=iso-8859-1', latin)).status, 415)
  assert.equal((await send('application/x-www-form-urlencoded', Buffer.from('name=M%FCller'))).status, 400)
  assert.equal((await send('application/x-www-form-urlencoded', Buffer.from('name=100% M%C3%BCller'))).status, 201)
  assert.equal((await send('application/json; charset=utf-8', Buffer.from('{"name":"Müller"}'))).status, 201)
})

test('unknown names in nested objects are reported, and rejected in strict mode', async () => {
  const body = { name: 'Typo', stages: [{ name: 'One' }, { name: 'Two', tpye: 'hired' }] }
  const answer = await service.post('/recruitment/pipelines', body)
  assert.equal(answer.headers.get('cadre-ignored'), 'stages[1][tpye]')
  const strict = await service.post('/recruitment/pipelines', body, { headers: { prefer: 'handling=strict' } })
  assert.equal(strict.status, 400)
})

test('an unknown path is reported with a suggestion', async () => {
  for (const [method, path, says] of [
    ['GET', '/employes', 'No such endpoint: GET /employes. Did you mean /employees?'],
    ['GET', '/employes?page=2', 'No such endpoint: GET /employes. Did you mean /employees?'],
    ['GET', '/employees/7/salary', 'No such endpoint: GET /employees/7/salary'],
    ['GET', '/employees/7/salarys', 'No such endpoint: GET /employees/7/salarys. Did you mean /employees/7/salaries?'],
    ['POST', '/leave-requests', 'No such endpoint: POST /leave-requests. Did you mean /leave_requests?'],
    ['DELETE', '/no_such_thing', 'No such endpoint: DELETE /no_such_thing'],
    [
      'GET',
      '/api/public/v4/employees',
      'No such endpoint: GET /api/public/v4/employees. Did you mean /api/public/v3/employees?',
    ],
    ['GET', '/api/nothing', 'No such endpoint: GET /api/nothing'],
  ] as const) {
    const { status, body } = await service.send(method, path)
    assert.deepEqual([status, body.code, body.detail], [404, 'not_found', says], path)
  }
  const unprefixed = await service.send('POST', `${service.url}/employees`, { json: {} })
  assert.match(
    unprefixed.body.detail,
    /^No such endpoint: POST \/employees. Did you mean \/api\/public\/v3\/employees\?$/,
  )
  const unknown = await service.get('/employees/999999')
  assert.deepEqual([unknown.status, unknown.body.detail], [404, 'There is no such record, or you cannot see it.'])
})

test('a misspelt name in a body is reported with a suggestion', async () => {
  const strict = { headers: { prefer: 'handling=strict' } }
  const said = async (json: object, sending = {}) =>
    (await service.post('/employees', json, sending)).body.errors.map(({ message }: any) => message)
  assert.deepEqual(await said({ first_name: 'Ada', last_name: 'Kay', hiredOn: '2024-01-01' }, strict), [
    'hiredOn is not a known field or parameter. Did you mean hired_on?',
  ])
  assert.deepEqual(await said({ first_name: 'Ada', last_name: 'Kay', sparkle: 1 }, strict), [
    'sparkle is not a known field or parameter',
  ])
  assert.deepEqual(await said({ fist_name: 'Ada', last_name: 'Kay' }), [
    'first_name is required. Did you send it as fist_name?',
  ])
  const { body } = await service.get('/employees?verbos=1&per_pge=3', strict)
  assert.deepEqual(
    body.errors.map(({ message }: any) => message),
    ['verbos is not a known field or parameter', 'per_pge is not a known field or parameter. Did you mean per_page?'],
  )
})

test('URLs in responses include the path of PUBLIC_URL', async () => {
  const below = await startService({ config: { PUBLIC_URL: 'https://example.com/hr' } })
  try {
    const make = (path: string, headers = {}) => below.send('POST', path, { json: { name: `At ${path}` }, headers })
    // A proxy may leave the path or take it away.
    for (const path of ['/api/public/v3/divisions', '/api/v3/teams']) {
      const missing = await below.get(`${below.url}/hr${path}/999`)
      assert.match(missing.body.type, /^\/hr\/problems\/(not_found|method_not_allowed)$/)
    }
    const made = await make(`${below.url}/hr/api/public/v3/divisions`, { 'idempotency-key': 'once' })
    assert.equal(made.headers.get('location'), `/hr/api/public/v3/divisions/${made.body.data.id}`)
    const again = await make(`${below.url}/hr/api/public/v3/divisions`, { 'idempotency-key': 'once' })
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.equal(again.headers.get('location'), made.headers.get('location'))
    assert.equal((await make('/divisions')).headers.get('location'), '/hr/api/public/v3/divisions/2')
    const refused = await below.post('/divisions', {})
    assert.equal(refused.body.type, '/hr/problems/validation_failed')
    assert.equal((await below.get(`${below.url}${refused.body.type}`)).status, 200)
    assert.equal((await below.get('/divisions', { key: null })).body.type, '/hr/problems/unauthorized')
    assert.equal((await below.get('/nothing')).body.type, '/hr/problems/not_found')
    assert.equal((await below.post('/divisions', '{')).body.type, '/hr/problems/malformed')
  } finally {
    await below.stop()
  }
  assert.equal((await service.get('/nothing')).body.type, '/problems/not_found')
})
