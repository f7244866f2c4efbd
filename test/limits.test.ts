import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { operations } from '../src/operations.ts'
import { type Service, startService } from './harness.ts'
import { Samples } from './samples.ts'

let service: Service
let vacancyId: number
before(async () => {
  service = await startService()
  const { id } = await new Samples(service).make('vacancies', { post_on_careers: true })
  vacancyId = id
})
after(() => service.stop())

const MEBIBYTE = 1024 * 1024
const careers = () => `/api/public/v3/recruitment/careers/vacancies/${vacancyId}/applications`

/** Sends parts of a multipart body one after the other until the service has had enough, and tells how much it took. */
function pour(path: string, part: (n: number) => string, most: number, key?: string) {
  return new Promise<{ status: number; sent: number }>((resolve, reject) => {
    let sent = 0
    const headers = { 'content-type': 'multipart/form-data; boundary=B', ...(key ? { 'x-api-key': key } : {}) }
    const out = request(service.url + path, { method: 'POST', headers }, (answer) => {
      answer.resume()
      resolve({ status: answer.statusCode ?? 0, sent })
      out.destroy()
    })
    // Who goes on sending after the refusal may find the line cut before it has read the answer.
    out.on('error', (error) =>
      /EPIPE|ECONNRESET|socket/.test(String(error)) ? resolve({ status: 0, sent }) : reject(error),
    )
    let n = 0
    const more = () => {
      while (sent < most && !out.destroyed) {
        const text = part(n++)
        sent += text.length
        if (!out.write(text)) return void out.once('drain', more)
      }
      if (!out.destroyed) out.end('--B--\r\n')
    }
    more()
  })
}

const field = (name: string, size: number) =>
  `--B\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${'x'.repeat(size)}\r\n`

test('a multipart body is limited while it is read, with and without a key', async () => {
  const large = (n: number) => field(`f${n}`, 60 * 1024)
  const anybody = await pour(careers(), large, 200 * MEBIBYTE)
  assert.ok([413, 0].includes(anybody.status))
  assert.ok(anybody.sent < 40 * MEBIBYTE, `${anybody.sent} bytes were taken`)
  const holder = await pour('/api/public/v3/divisions', large, 200 * MEBIBYTE, service.key)
  assert.ok([413, 0].includes(holder.status))
  assert.ok(holder.sent < 10 * MEBIBYTE, `${holder.sent} bytes were taken`)
  assert.equal((await service.get('/divisions')).status, 200)
})

test('a client that sends a body to its end reads 413, and the connection remains usable', async () => {
  const port = Number(new URL(service.url).port)
  const json = { type: 'application/json', path: '/api/public/v3/divisions', body: Buffer.alloc(3 * MEBIBYTE, 'x') }
  const parts = [field('name', 10), ...Array.from({ length: 50 }, (_, n) => field(`f${n}`, 60 * 1024)), '--B--\r\n']
  const multipart = { ...json, type: 'multipart/form-data; boundary=B', body: Buffer.from(parts.join('')) }
  for (const { type, path, body } of [json, multipart]) {
    const socket = connect(port, '127.0.0.1')
    let read = ''
    socket.setEncoding('utf8').on('data', (text) => {
      read += text
    })
    const head = `host: 127.0.0.1:${port}\r\nx-api-key: ${service.key}\r\n`
    socket.write(`POST ${path} HTTP/1.1\r\n${head}content-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n`)
    for (let from = 0; from < body.length; from += 65_536) {
      assert.ok(!socket.destroyed, `${type}: the connection was closed after ${from} bytes`)
      if (!socket.write(body.subarray(from, from + 65_536))) await once(socket, 'drain')
    }
    socket.write(`GET /api/public/v3/divisions HTTP/1.1\r\n${head}connection: close\r\n\r\n`)
    await once(socket, 'close')
    assert.match(read, /^HTTP\/1\.1 413 /, type)
    assert.match(read, /HTTP\/1\.1 200 OK/, type)
  }
})

test('a multipart field may have at most 64 KiB unless it is declared larger', async () => {
  const send = async (name: string, size: number) => {
    const multipart = new FormData()
    multipart.append('name', `Team ${size}`)
    multipart.append('team_lead_id', String((await service.hire()).id))
    multipart.append(name, 'x'.repeat(size))
    return (await service.send('POST', '/teams', { multipart })).status
  }
  assert.equal(await send('nonsense', 64 * 1024), 201)
  assert.equal(await send('nonsense', 64 * 1024 + 1), 413)
  assert.equal(await send('description', 65_535), 201)
})

test('requests without a key may send 256 KiB of JSON or form, and files only as multipart', async () => {
  const person = { full_name: 'Grace', email: 'grace@example.com' }
  const anybody = (json: unknown) => service.send('POST', careers(), { key: null, json })
  assert.equal((await anybody({ ...person, cover_letter: 'x'.repeat(60_000) })).status, 201)
  assert.equal((await anybody({ ...person, nonsense: 'x'.repeat(260 * 1024) })).status, 413)
  const inside = await anybody({ ...person, resume: 'data:text/plain;base64,aGVsbG8=' })
  assert.equal(inside.status, 422)
  assert.equal(inside.body.errors[0].field, 'resume')
  const multipart = new FormData()
  for (const [name, value] of Object.entries(person)) multipart.append(name, value)
  multipart.append('resume', new Blob(['hello'], { type: 'text/plain' }), 'cv.txt')
  assert.equal((await service.send('POST', careers(), { key: null, multipart })).status, 201)
})

test('an unknown vacancy is rejected before the body is read', async () => {
  const path = '/api/public/v3/recruitment/careers/vacancies/987654/applications'
  const { status, sent } = await pour(path, (n) => field(`f${n}`, 60 * 1024), 50 * MEBIBYTE)
  assert.ok([404, 0].includes(status))
  assert.ok(sent < 10 * MEBIBYTE)
})

test('uploads without a key have a quota', async () => {
  const other = await startService({ config: { PUBLIC_UPLOADS_PER_HOUR: 3 } })
  try {
    const { id } = await new Samples(other).make('vacancies', { post_on_careers: true })
    const apply = async (n: number) => {
      const multipart = new FormData()
      multipart.append('full_name', 'Grace')
      multipart.append('email', `grace${n}@example.com`)
      multipart.append('resume', new Blob(['hello']), 'cv.txt')
      const path = `/recruitment/careers/vacancies/${id}/applications`
      return other.send('POST', path, { key: null, multipart })
    }
    for (let n = 0; n < 3; n++) assert.equal((await apply(n)).status, 201)
    const refused = await apply(4)
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 3000)
  } finally {
    await other.stop()
  }
})

test('a vacancy has one upload quota, however its URL is written', async () => {
  const other = await startService({ config: { PUBLIC_UPLOADS_PER_HOUR: 1, TRUST_PROXY: '1' } })
  try {
    const { id } = await new Samples(other).make('vacancies', { post_on_careers: true })
    const spellings = [`${id}`, `0${id}`, `%3${id}`].flatMap((one) => [one, `${one}/`])
    const apply = (n: number) => {
      const multipart = new FormData()
      multipart.append('full_name', 'Grace')
      multipart.append('email', `grace${n}@example.com`)
      const [place = '', slash = ''] = (spellings[n % spellings.length] as string).split(/(?=\/)/)
      const path = `/recruitment/careers/vacancies/${place}/applications${slash}`
      return other.send('POST', path, { key: null, multipart, headers: { 'x-forwarded-for': `192.0.2.${n}` } })
    }
    for (let n = 0; n < 10; n++) assert.equal((await apply(n)).status, 201, String(n))
    assert.equal((await apply(10)).status, 429)
  } finally {
    await other.stop()
  }
})

test('a list with too many items is rejected with a short response', async () => {
  for (const json of [
    { name: 'T', team_lead_id: 1, user_ids: Array.from({ length: 400_000 }, () => 'x') },
    { name: 'T', team_lead_id: 1, user_ids: 'x,'.repeat(400_000) },
  ]) {
    const answer = await service.post('/teams', json)
    assert.equal(answer.status, 422)
    assert.match(answer.text, /user_ids can have at most 500 items/)
    assert.ok(answer.text.length < 2000)
  }
  const field = await service.make('/employee_fields', { name: 'Colours', type: 'multi_select', options: ['red'] })
  const many = await service.post('/employees', {
    first_name: 'A',
    last_name: 'B',
    [field.internal_name]: Array.from({ length: 100_000 }, () => 'red'),
  })
  assert.equal(many.status, 422, many.text.slice(0, 300))
})

test('a response reports at most 100 errors', async () => {
  const names = Array.from({ length: 9000 }, (_, n) => [`n${n}`, 1])
  const strict = { headers: { prefer: 'handling=strict' } }
  const answer = await service.post('/divisions', Object.fromEntries(names), strict)
  assert.equal(answer.status, 400)
  assert.equal(answer.body.errors.length, 100)
  assert.match(answer.body.detail, /and 8900 more$/)
})

test('JSON nested deeper than 64 levels is rejected, also with an idempotency key', async () => {
  const deep = (levels: number) => `{"name": "D", "x": ${'['.repeat(levels)}${']'.repeat(levels)}}`
  const headers = { 'idempotency-key': 'deep' }
  assert.equal((await service.post('/divisions', deep(60))).status, 201)
  for (const levels of [65, 5000, 100_000])
    assert.equal((await service.post('/divisions', deep(levels), { headers })).status, 400, `${levels}`)
})

test('every list in a body or query declares its maximum number of items', () => {
  const unbounded: string[] = []
  const walk = (schema: any, at: string): void => {
    if (schema?.type === 'array' && schema.maxItems === undefined) unbounded.push(at)
    for (const [name, inner] of Object.entries(schema?.properties ?? {})) walk(inner, `${at}.${name}`)
    if (schema?.items) walk(schema.items, `${at}[]`)
  }
  for (const { id, body, query } of operations) {
    walk(body, `${id} body`)
    walk(query, `${id} query`)
  }
  assert.deepEqual(unbounded, [])
})

test('every integer in a body, query or path declares its maximum', () => {
  const unbounded: string[] = []
  const walk = (schema: any, at: string): void => {
    const isNumber = [schema?.type].flat().includes('integer')
    if (isNumber && !(schema.maximum <= Number.MAX_SAFE_INTEGER)) unbounded.push(at)
    for (const [name, inner] of Object.entries(schema?.properties ?? {})) walk(inner, `${at}.${name}`)
    if (schema?.items) walk(schema.items, `${at}[]`)
  }
  for (const { id, body, query, params } of operations)
    for (const [place, schema] of Object.entries({ body, query, params })) walk(schema, `${id} ${place}`)
  assert.deepEqual(unbounded, [])
})

test('hostile names never make a committed write fail', async () => {
  for (const name of [
    '\ud800',
    'a\udfff',
    '\0',
    '__proto__',
    'constructor',
    '💥'.repeat(60),
    'x'.repeat(5000),
    '%',
    '\r\n',
  ]) {
    const json = JSON.stringify({ name: `Division ${encodeURIComponent(name.toWellFormed()).slice(0, 60)}`, [name]: 1 })
    const before = (await service.get('/divisions')).body.metadata.count
    const { status, text } = await service.post('/divisions', json)
    const made = (await service.get('/divisions')).body.metadata.count - before
    assert.ok(status < 500, `${JSON.stringify(name.slice(0, 20))} ${text}`)
    assert.equal(made, status === 201 ? 1 : 0)
  }
})

test('an id that no record can have gets 404, and an invalid one 400', async () => {
  assert.equal((await service.get(`/divisions/${'9'.repeat(20)}`)).status, 404)
  assert.equal((await service.get('/divisions/%00')).status, 404)
  assert.equal((await service.get('/divisions/seven')).status, 400)
  assert.equal((await service.get('/divisions?page=%00')).status, 400)
})

test('odd URLs and values are rejected without a server error', async () => {
  const cases: [string, string, unknown?][] = [
    ['GET', '/employee_fields/%00/options'],
    ['GET', `/employee_fields/${'9'.repeat(20)}/options`],
    ['GET', '/employees/1/field_histories?employee_field_internal_name=%00'],
    ['GET', '/recruitment/candidates?email=%00&q=%00'],
    ['GET', '/holidays?location_ids='],
    ['GET', '/employees?ids=&emails[]='],
    ['GET', '/employees?hired_on[gte]=0000-01-01'],
    ['GET', '/recruitment/careers/vacancies?account[a]=1'],
    ['GET', '/recruitment/careers/vacancies?account=x'],
    ['GET', `${service.url}/avatars/${'a'.repeat(64)}.constructor`],
    ['POST', '/time/timesheet_entries/bulk', { data: [{ employee_id: 1e300, entries: [{}] }] }],
    ['POST', '/time/timesheet_entries/bulk', { data: [{ employee_id: 1, entries: [{ project_id: 1e300 }] }] }],
    ['POST', '/employees', { first_name: 'A', last_name: 'B', email: `${'a'.repeat(500_000)}@b.co` }],
    ['POST', '/employees', { first_name: 'A', last_name: 'B', email: `a@${'b.'.repeat(300_000)}co` }],
    ['PUT', '/employees/1/avatar', { avatar: `data:${';a=b'.repeat(300_000)};base64,AAAA` }],
    ['PUT', '/employees/1/avatar', { avatar: `data:image/png;base64,${'A'.repeat(8_000_000)}` }],
  ]
  for (const [method, path, json] of cases) {
    const answer = await service.send(method, path, json === undefined ? {} : { json })
    assert.ok(answer.status < 500, `${method} ${path.slice(0, 80)}: ${answer.text.slice(0, 200)}`)
  }
})
