import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect as dial } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { connect } from '../src/database/connect.ts'
import { describe, logTo } from '../src/surfaces/http/log.ts'
import { ENGINE, freshDatabase, sender } from './harness.ts'
import { startHere } from './in-process.ts'
import { startProcess } from './process.ts'
import { longTest } from './thorough.ts'

const KEY = 'mark-key-of-the-log-0123456789-abcdefg'

/** Has the database itself refuse a row, and say whose it is. */
async function refuseRows(url: string): Promise<void> {
  const database = connect(url)
  const refusal =
    ENGINE === 'sqlite'
      ? `create trigger refusal before insert on divisions when new.name like 'mark-refused%'
         begin select raise(abort, 'not this one: ' || new.name); end`
      : `alter table divisions add constraint refusal check (name not like 'mark-refused%')`
  await database.write((db) => sql.raw(refusal).execute(db))
  await database.close()
}

test('the log contains no request or record data at any level, but what helps an operator', async () => {
  const fresh = await freshDatabase()
  const files = mkdtempSync(join(tmpdir(), 'cadre-log-'))
  const service = await startHere({
    DATABASE_URL: fresh.url,
    CADRE_API_KEY: KEY,
    CADRE_FILES: files,
    LOG_LEVEL: 'trace',
  })
  await refuseRows(fresh.url)
  const send = sender(service.url, KEY)
  const statuses: number[] = []
  const ask = async (...request: Parameters<typeof send>) => {
    const answer = await send(...request)
    statuses.push(answer.status)
    return answer
  }
  const addresses: string[] = []

  // Right and wrong values, in every place that a request has.
  await ask('POST', '/divisions', { json: { name: 'mark-json' } })
  await ask('POST', '/divisions', { form: { name: 'mark-form', 'mark-name': 1 } })
  await ask('POST', '/divisions', { json: '{"name": "mark-broken' })
  await ask('POST', '/divisions', { json: { name: ['mark-list'], parent: 'mark-unknown' } })
  await ask('POST', '/divisions', { json: { name: 'mark-json' } })
  await ask('GET', '/employees?emails[]=mark-query@example.com&status=all&mark-parameter=1&page=1')
  await ask('GET', '/employees?page=mark-page')
  await ask('GET', '/employees/mark-id')
  await ask('GET', '/mark-path/deeper')
  await ask('GET', '/employees/%E0%A4%A/mark-encoding')
  await ask('PATCH', '/divisions?mark-method')
  await ask('GET', '/divisions', { key: 'mark-wrong-key-0123456789-0123456789-0123456789' })
  const names = ['authorization', 'user-agent', 'referer', 'cookie', 'idempotency-key', 'if-match', 'prefer']
  const headers = Object.fromEntries(
    [...names, 'x-correlation-id', 'x-forwarded-for'].map((name) => [name, `mark-${name}`]),
  )
  await ask('PUT', '/divisions/1', { json: { name: 'mark-headers' }, headers })

  // Files: names, tickets, broken bodies.
  const person = (await ask('POST', '/employees', { json: { first_name: 'mark-first', last_name: 'mark-last' } })).body
  await ask('POST', '/document_folders', { json: { name: 'mark-folder' } })
  const upload = () => {
    const form = new FormData()
    form.set('name', 'mark-title')
    form.set('document_folder_id', '1')
    form.set('document', new Blob(['mark-bytes'], { type: 'text/plain' }), 'mark-file.txt')
    return form
  }
  const document = await ask('POST', `/employees/${person.data.id}/documents`, { multipart: upload() })
  assert.equal(document.status, 201, document.text)
  const ticket = new URL(document.body.data.url)
  addresses.push(ticket.pathname.slice(10))
  assert.equal(await (await fetch(ticket)).text(), 'mark-bytes')
  await fetch(`${ticket.href.slice(0, -4)}mark`)
  await ask('POST', `/employees/${person.data.id}/documents`, {
    headers: { 'content-type': 'multipart/form-data; boundary=mark-boundary' },
    json: '--mark-boundary\r\nContent-Disposition: form-data; name="mark-part"; filename="mark-half',
  })
  const feed = new URL((await ask('GET', '/calendars/feed')).body.data.url)
  addresses.push(feed.pathname.split('/').at(-1) as string)
  assert.equal((await fetch(feed)).status, 200)
  await fetch(`${feed.href}mark-feed`)
  await fetch(`${service.url}/avatars/initials/mark.svg`)

  // What fails on our side: the words of the database hold the row.
  const refused = await ask('POST', '/divisions', { json: { name: 'mark-refused' } })
  assert.equal(refused.status, 500)
  assert.ok(!refused.text.includes('mark'))

  // Bytes that are no HTTP, and a request that is given up half-way.
  const { port, hostname } = new URL(service.url)
  for (const bytes of [
    'MARK-VERB /mark-raw HTTP/9.9\r\n\r\n',
    `GET /healthz?mark-overflow HTTP/1.1\r\nHost: x\r\nX-Long: ${'mark'.repeat(10_000)}\r\n\r\n`,
    `POST /api/v3/divisions HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${KEY}\r\nContent-Length: 100\r\n\r\nmark-half`,
  ])
    await new Promise<void>((resolve) => {
      const socket = dial(Number(port), hostname, () => socket.write(bytes, () => socket.end()))
      socket.on('error', () => undefined)
      socket.on('close', () => resolve())
      socket.resume()
    })
  await service.stop()
  await fresh.remove()
  rmSync(files, { recursive: true })

  const log = service.output()
  const found = [KEY, 'mark', ...addresses].flatMap((one) => {
    const at = log.toLowerCase().indexOf(one.toLowerCase())
    return at < 0 ? [] : [log.slice(Math.max(0, at - 200), at + 80)]
  })
  assert.deepEqual(found, [])

  const lines = log.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
  const requests = lines.filter((line) => line.msg === 'request')
  assert.ok(requests.length >= statuses.length, `${requests.length} lines for ${statuses.length} requests`)
  const listing = requests.find((line) => line.query)
  assert.deepEqual(
    { ...listing, query: listing.query.toSorted() },
    { ...listing, method: 'GET', route: '/api/public/v3/employees', query: ['emails', 'page', 'status'], status: 200 },
  )
  const failure = lines.find(
    (line) =>
      line.msg ===
      'An unexpected error happened. Send the request_id to the administrator of this service: the log has the details.',
  )
  assert.ok(failure.request_id)
  if (ENGINE === 'postgres') assert.equal(failure.err.constraint, 'refusal')
  assert.match(failure.err.stack, /\.m?[jt]s:\d+/)
})

test('an error is logged by type, rule and place, and its message only if it contains no data', () => {
  const row = Object.assign(new Error('value "mark" is wrong\n    at mark (file:///mark:1:1)'), {
    code: '23505',
    constraint: 'divisions_name_key',
    detail: 'Key (name)=(mark) already exists.',
    parameters: ['mark'],
  })
  row.cause = new SyntaxError('Unexpected token m in mark')
  const told = describe(row)
  assert.ok(!JSON.stringify(told).includes('mark'), JSON.stringify(told))
  assert.equal(told.constraint, 'divisions_name_key')
  assert.match(told.stack, /log\.test\.ts/)
  assert.equal((told.cause as { type: string }).type, 'SyntaxError')
  const system = Object.assign(new Error("EACCES: permission denied, open '/data/x'"), {
    code: 'EACCES',
    syscall: 'open',
  })
  assert.match(describe(system).message, /permission denied/)
  assert.match(describe(new Error('UNIQUE constraint failed: divisions.name_key')).message, /UNIQUE/)
})

test('a log line contains no error message, quoted text or unlisted field', () => {
  let log = ''
  const stream = {
    write(line: string) {
      log += line
    },
  }
  const app = Fastify({ logger: { ...logTo('trace'), stream } })
  app.log.error(new Error('mark'))
  app.log.warn({ err: new Error('mark') })
  app.log.warn('Reply was already sent in the "/mark?mark" (GET) route')
  app.log.info({ headers: { mark: 'mark' }, err: new Error('mark') }, 'a "mark"')
  assert.equal(log.trim().split('\n').length, 4)
  assert.ok(!log.includes('mark"') && !log.includes('/mark'), log)
  assert.equal(log.match(/mark/g), null, log)
})

test('an error that ends the process is logged in the same way', async () => {
  const { url, remove } = await freshDatabase()
  const script = `process.on('SIGUSR2',()=>{throw Object.assign(new Error('mark'),{detail:'mark'})})`
  const service = await startProcess({
    DATABASE_URL: url,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}`,
  })
  const before = service.output().length
  assert.equal(await service.stop('SIGUSR2'), 1)
  const last = service.output().slice(before)
  assert.match(last, /"level":"fatal",.*uncaught exception/)
  assert.ok(!/"message":"mark|detail|Error: mark/.test(last), last)
  await remove()
})

for (const workers of ['1', '2'])
  (workers === '1' ? test : longTest)(
    `log lines name level, actor and key, and the last one says that the service stopped (workers: ${workers})`,
    async () => {
      const fresh = await freshDatabase()
      const service = await (workers === '1' ? startHere : startProcess)({
        DATABASE_URL: fresh.url,
        CADRE_API_KEY: KEY,
        CADRE_FILES: join(tmpdir(), 'cadre-log-none'),
        LOG_LEVEL: 'info',
        WORKERS: workers,
      })
      const send = sender(service.url, KEY)
      const made = (await send('POST', '/api_keys', { json: { name: 'Few', permissions: ['teams:read'] } })).body.data
      // The first answer is made, the others come from memory.
      for (let times = 0; times < 3; times++) await send('GET', '/teams', { key: made.key })
      assert.equal((await send('GET', '/divisions', { key: made.key })).status, 403)
      assert.equal((await send('GET', '/divisions', { key: 'x'.repeat(40) })).status, 401)
      assert.equal((await send('GET', '/api/careers/v1/vacancies', { key: null })).status, 200)
      assert.equal(await service.stop(), 0)
      await fresh.remove()
      const lines = service
        .output()
        .split('\n')
        .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
      const told = lines
        .filter(({ msg }) => msg === 'request')
        .map(({ level, route, status, account, actor, key }) => [
          level,
          route.split('/').at(-1),
          status,
          account,
          actor,
          key,
        ])
      assert.deepEqual(told.toSorted(), [
        ['info', 'api_keys', 201, 1, 'key', 1],
        ['info', 'divisions', 401, undefined, undefined, undefined],
        ['info', 'divisions', 403, 1, 'key', made.id],
        ['info', 'teams', 200, 1, 'key', made.id],
        ['info', 'teams', 200, 1, 'key', made.id],
        ['info', 'teams', 200, 1, 'key', made.id],
        ['info', 'vacancies', 200, 1, 'anybody', undefined],
      ])
      const last = lines.at(-1)
      assert.deepEqual([last.level, last.msg], ['info', 'stopped'])
      assert.ok(service.output().trimEnd().endsWith('}'))
    },
  )
