import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { freshDatabase, type Service, startService } from './harness.ts'
import { startHere } from './in-process.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

const multipart = (...parts: string[]) =>
  service.send('POST', '/divisions', {
    json: `${parts.map((part) => `--B\r\n${part}\r\n`).join('')}--B--\r\n`,
    headers: { 'content-type': 'multipart/form-data; boundary=B' },
  })

test('a multipart part without a name is rejected, field or file', async () => {
  for (const head of [
    'content-disposition: form-data',
    'content-disposition: form-data; name=""',
    'content-disposition: form-data; filename="a.txt"\r\ncontent-type: text/plain',
    'content-disposition: form-data; name=""; filename="a.txt"\r\ncontent-type: text/plain',
  ]) {
    const answer = await multipart('content-disposition: form-data; name="name"\r\n\r\nRetail', `${head}\r\n\r\nwords`)
    assert.equal(answer.status, 400, `${head}: ${answer.text}`)
    assert.match(answer.body.detail, /no name|broken/)
  }
})

test('a body with too many names is rejected early in every format', async () => {
  const names = Array.from({ length: 100_000 }, (_, n) => `n${n}`)
  const json = Object.fromEntries(names.map((name) => [name, 1]))
  const spread = {
    name: 'Retail',
    list: Array.from({ length: 100 }, () => Object.fromEntries(names.slice(0, 200).map((one) => [one, 1]))),
  }
  for (const [kind, sent] of Object.entries({ json: { json }, spread: { json: spread }, form: { form: json } })) {
    const answer = await service.send('POST', '/divisions', sent as never)
    assert.equal(answer.status, 413, `${kind}: ${answer.text.slice(0, 300)}`)
    assert.match(answer.body.detail, /10000 fields/)
    assert.equal(answer.headers.get('cadre-ignored'), null)
  }
  // Many values of a few names are another matter.
  const many = await service.post('/divisions', { name: 'Many', list: names.slice(0, 50_000) })
  assert.equal(many.status, 201, many.text.slice(0, 300))
  const some = await service.post('/divisions', {
    name: 'Some',
    ...Object.fromEntries(names.slice(0, 9000).map((one) => [one, 1])),
  })
  assert.equal(some.status, 201, some.text.slice(0, 300))
})

test('a client that disconnects at any time causes no error in the log', async () => {
  const fresh = await freshDatabase()
  const key = 'key-of-one-who-hangs-up-0123456789-abc'
  const own = await startHere({ DATABASE_URL: fresh.url, CADRE_API_KEY: key, LOG_LEVEL: 'info' })
  const { port, hostname } = new URL(own.url)
  const head = (method: string, path: string, ...more: string[]) =>
    [`${method} /api/v3${path} HTTP/1.1`, `Host: ${hostname}:${port}`, `X-API-KEY: ${key}`, ...more, '', ''].join(
      '\r\n',
    )
  const json = 'Content-Type: application/json'
  const form = 'Content-Type: multipart/form-data; boundary=B'
  const part = '--B\r\ncontent-disposition: form-data; name="document"; filename="a.txt"\r\n\r\n'
  const moments: [string, string][] = [
    ['a body with a length', `${head('POST', '/divisions', json, 'Content-Length: 1000')}{"name": "Re`],
    ['a body in chunks', `${head('POST', '/divisions', json, 'Transfer-Encoding: chunked')}5\r\n{"nam\r\n`],
    [
      'a form',
      `${head('POST', '/divisions', 'Content-Type: application/x-www-form-urlencoded', 'Content-Length: 99')}name=`,
    ],
    [
      'a field',
      `${head('POST', '/divisions', form, 'Content-Length: 9999')}--B\r\ncontent-disposition: form-data; name="na`,
    ],
    ['a file', `${head('POST', '/employees/1/documents', form, 'Content-Length: 99999')}${part}${'x'.repeat(5000)}`],
    ['a file in chunks', `${head('POST', '/employees/1/documents', form, 'Transfer-Encoding: chunked')}64\r\n${part}`],
    ['a read', head('GET', '/employees?per_page=200')],
    ['waiting for changes', head('GET', '/changes?since=0&wait=30')],
    ['a stream of changes', head('GET', '/changes?since=0', 'Accept: text/event-stream')],
  ]
  for (const [, bytes] of moments)
    for (const pause of [0, 30]) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () =>
          socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), pause)),
        )
        socket.on('error', () => undefined)
        socket.on('close', () => resolve())
      })
    }
  assert.equal((await fetch(`${own.url}/healthz`)).status, 200)
  await own.stop()
  await fresh.remove()
  const lines = own
    .output()
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
  assert.deepEqual(
    lines.filter(({ level }) => level === 'error' || level >= 40),
    [],
  )
  assert.ok(lines.some(({ status }) => status === 499))
})

test('reusing an X-Request-ID does not block undo, and the sent id is recorded as correlation id', async () => {
  const headers = { 'x-request-id': 'chosen-by-a-caller' }
  const make = (name: string, more: Record<string, string> = {}) =>
    service.post('/divisions', { name }, { headers: { ...headers, ...more } })
  const idOf = (answer: { headers: Headers }) => answer.headers.get('x-request-id') as string
  const first = await make('First of its id')
  // Whoever sees the id of somebody's request can send it, too.
  const taken = await service.post('/divisions', { name: 'Taken' }, { headers: { 'x-request-id': idOf(first) } })
  const second = await make('Second of its id')
  assert.equal(new Set([first, taken, second].map(idOf)).size, 3)
  const told = (await service.get(`/audits?request_id=${idOf(first)}`)).body.data
  assert.deepEqual(
    told.map((one: any) => [one.request_id, one.correlation_id]),
    [[idOf(first), 'chosen-by-a-caller']],
  )
  for (const one of [first, second]) {
    assert.equal((await service.post(`/requests/${idOf(one)}/undo`)).status, 200)
    assert.equal((await service.get(`/divisions/${one.body.data.id}`)).status, 404)
  }
  assert.equal((await service.get(`/divisions/${taken.body.data.id}`)).status, 200)
  // A repeated request is undone by the id of the one that was carried out.
  const done = await make('Repeated', { 'idempotency-key': 'repeated-under-an-id' })
  const again = await make('Repeated', { 'idempotency-key': 'repeated-under-an-id' })
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.equal(idOf(again), idOf(done))
  assert.equal((await service.post(`/requests/${idOf(again)}/undo`)).status, 200)
})

test('HSTS is sent with every response if PUBLIC_URL is https, and not otherwise', async () => {
  const strict = await startService({ config: { PUBLIC_URL: 'https://hr.example.com' } })
  try {
    const paths = [
      '/company',
      '/company',
      '/nowhere',
      `${strict.url}/`,
      `${strict.url}/docs`,
      `${strict.url}/healthz`,
      `${strict.url}/careers`,
    ]
    for (const path of paths) {
      const answer = await strict.get(path)
      assert.equal(answer.headers.get('strict-transport-security'), 'max-age=31536000', path)
    }
    assert.equal(
      (await strict.get('/company', { key: null })).headers.get('strict-transport-security'),
      'max-age=31536000',
    )
  } finally {
    await strict.stop()
  }
  assert.equal((await service.get('/company')).headers.get('strict-transport-security'), null)
})

test('a sign-in link uses PUBLIC_URL or the local host, never another Host header', async () => {
  const invite = (at: Service, email: string, host?: string) =>
    at.post('/users/invite', { email, name: 'Some Body' }, host ? { headers: { host } } : {})
  const port = new URL(service.url).port
  for (const host of ['evil.example', 'localhost.evil.example', `127.0.0.1.evil.example:${port}`, '10.1.2.3']) {
    const refused = await invite(service, 'nobody@example.com', host)
    assert.equal(refused.status, 400, `${host}: ${refused.text}`)
    assert.equal(refused.body.errors[0].field, 'Host')
    assert.match(refused.body.detail, /PUBLIC_URL/)
  }
  assert.equal((await service.get('/users?per_page=200')).text.includes('nobody@example.com'), false)
  for (const [n, host] of [`127.0.0.1:${port}`, `localhost:${port}`, 'cadre.localhost'].entries()) {
    const made = await invite(service, `own${n}@example.com`, host)
    assert.equal(made.status, 201, made.text)
    assert.ok(made.body.data.link.url.startsWith(`http://${host}/sign-in/link#`))
    const again = await service.post(`/users/${made.body.data.user.id}/link`, {}, { headers: { host: 'evil.example' } })
    assert.equal(again.status, 400, again.text)
  }
  const configured = await startService({ config: { PUBLIC_URL: 'https://hr.example.com/cadre' } })
  try {
    const made = await invite(configured, 'ada@example.com', 'evil.example')
    assert.equal(made.status, 201, made.text)
    assert.ok(made.body.data.link.url.startsWith('https://hr.example.com/cadre/sign-in/link#'))
  } finally {
    await configured.stop()
  }
})
