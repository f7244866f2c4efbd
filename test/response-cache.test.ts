import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { connect } from '../src/database/connect.ts'
import { resources } from '../src/operations.ts'
import { COUNTERS, UNVERSIONED } from '../src/records/account-version.ts'
import { Browser, person } from './browser.ts'
import { readCatalogue } from './catalogue.ts'
import { ENGINE, type Service, sender, startService } from './harness.ts'
import { bare, headersOf, startBeside } from './processes-beside.ts'
import { longTest } from './thorough.ts'

/** Answers that are kept are those that would be made. `every-write.test.ts` compares them after every write. */

const now = new Date()
const clock = () => now
let service: Service
const apps: FastifyInstance[] = []
let beside: ReturnType<typeof sender>

async function another(CACHE_MB: number) {
  const started = await startBeside(service, clock, CACHE_MB)
  apps.push(started.app)
  return started
}

before(async () => {
  service = await startService({ clock })
  beside = (await another(64)).send
})
after(async () => {
  for (const app of apps) await app.close()
  await service.stop()
})

// First, while there is little else to collect.
const notOnBoth = { skip: ENGINE !== 'sqlite' }

longTest(
  'a small cached response takes little memory: neither its request nor the buffers around it are kept',
  notOnBoth,
  async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const taken = async () => {
      for (let n = 0; n < 5; n++) {
        collect()
        await new Promise((resolve) => setImmediate(resolve))
      }
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      return heapUsed + arrayBuffers
    }
    const database = connect(service.databaseUrl)
    const app = await buildApp({ config: { ...readConfig({}), LOG_LEVEL: 'silent' }, database, clock })
    apps.push(app)
    const send = sender(await app.listen({ host: '127.0.0.1', port: 0 }), service.key)
    const read = async (from: number, to: number) => {
      for (let page = from; page < to; page++) assert.equal((await send('GET', `/divisions?page=${page}`)).status, 200)
    }
    // Code that has run for a while takes no more, and what others have left in this process is gone after some time.
    await read(1, 400)
    let before = await taken()
    for (let [now, times] = [0, 0]; Math.abs(now - before) > 50_000 && times < 50; times++) {
      if (now) before = now
      await pause(100)
      now = await taken()
    }
    await read(400, 1400)
    const each = ((await taken()) - before) / 1000
    assert.ok(each > 500 && each < 5000, `${each} bytes for each`)
  },
)

test('a cached response needs no query, and an unrelated write keeps it', async () => {
  const { send, asked: reads } = await another(64)
  const asked = async (path: string, headers = {}) => {
    reads.count = 0
    const answer = await send('GET', path, { headers })
    return { ...answer, reads: reads.count }
  }
  // Who uses a key is noted once a minute.
  await asked('/employees')
  await asked('/employees')
  const forKey = ENGINE === 'sqlite' ? 0 : 1
  // What processes note of those who read is committed when it comes, and has keys looked up once more.
  const quietly = async (path: string, headers = {}) => {
    let answer = await asked(path, headers)
    for (let tries = 0; tries < 20 && answer.reads > forKey; tries++) answer = await asked(path, headers)
    return answer
  }
  const again = await quietly('/employees')
  assert.equal(again.reads, forKey)
  const seen = await quietly('/employees', { 'if-none-match': again.headers.get('etag') as string })
  assert.deepEqual([seen.status, seen.reads], [304, forKey])

  await service.make('/time/projects', { name: 'Elsewhere' })
  assert.equal((await asked('/employees')).reads, 1)
  const { id } = await service.hire({ first_name: 'Just', last_name: 'Come' })
  const anew = await asked('/employees?sort=-id&per_page=1')
  assert.equal(anew.body.data[0].id, id)
  await service.put(`/employees/${id}`, { first_name: 'Only' })
  assert.equal((await asked('/employees?sort=-id&per_page=1')).body.data[0].first_name, 'Only')
})

test('a signed-in user gets cached responses, until their rights, their session or the data change', async () => {
  const { app, send, asked: reads } = await another(64)
  const { port } = app.server.address() as AddressInfo
  const { browser, id } = await person(service, { email: 'cached@example.com', role: 'hr' })
  const here = new Browser({ url: `http://127.0.0.1:${port}` })
  for (const [name, value] of browser.cookies) here.cookies.set(name, value)
  const asked = async (path: string) => {
    reads.count = 0
    const { status, body } = await here.get(path)
    return { status, body, reads: reads.count }
  }
  const forSession = ENGINE === 'sqlite' ? 0 : 1
  let again = await asked('/employees?per_page=3')
  assert.equal(again.status, 200)
  for (let tries = 0; tries < 20 && again.reads > forSession; tries++) again = await asked('/employees?per_page=3')
  assert.equal(again.reads, forSession)

  const { id: hired } = await service.hire({ first_name: 'New', last_name: 'Data' })
  const anew = await asked('/employees?sort=-id&per_page=1')
  assert.equal(anew.body.data[0].id, hired)
  for (let times = 0; times < 3; times++) assert.equal((await asked('/employees?per_page=3')).status, 200)
  const strange = await here.send('GET', '/employees?per_page=3', undefined, { 'sec-fetch-site': 'cross-site' })
  assert.equal(strange.status, 403)
  const other = await here.send('GET', '/employees?per_page=3', undefined, { 'cadre-user': '1 999999' })
  assert.equal(other.body.code, 'other_person')

  const roles = (await send('GET', '/roles')).body.data
  const employee = roles.find((one: any) => one.standard === 'employee').id
  assert.equal((await service.put(`/users/${id}`, { role_ids: [employee] })).status, 200)
  const { status, body } = await asked('/employees?per_page=3')
  assert.ok(status === 403 || body.metadata.count < again.body.metadata.count, 'employees do not see everybody')
  for (let times = 0; times < 3; times++) assert.equal((await asked('/directory?per_page=3')).status, 200)
  assert.equal((await browser.post('/sign_out')).status, 204)
  assert.equal((await asked('/directory?per_page=3')).status, 401)
})

test('a cached response is the same in every form: full, compressed, HEAD and 304', async () => {
  const [again, plain] = [await another(64), await another(0)]
  const forms: [string, Record<string, string>][] = [
    ['GET', {}],
    ['GET', { 'accept-encoding': 'gzip' }],
    ['GET', { 'accept-encoding': 'zstd, br;q=0.5' }],
    ['GET', { authorization: `Bearer ${service.key}`, 'x-api-key': '' }],
    ['GET', { 'x-request-id': 'my-own' }],
    ['GET', { prefer: 'handling=lenient' }],
    ['GET', { 'x-forwarded-for': '10.1.2.3', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'hr.example.com' }],
    ['GET', { origin: 'https://elsewhere.example' }],
  ]
  const asked = async (send: typeof beside, method: string, path: string, headers: Record<string, string>) => {
    const { status, headers: given, text } = await send(method, path, { headers })
    return { status, text: bare(text), headers: headersOf({ headers: given, text }) }
  }
  for (const path of ['/company', '/departments?per_page=2&page=1', '/leave_policies?fnord=1'])
    for (const [method, headers] of forms) {
      const made = await asked(plain.send, method, path, headers)
      assert.equal(made.status, 200, made.text)
      for (let time = 0; time < 3; time++)
        assert.deepEqual(await asked(again.send, method, path, headers), made, `${method} ${path}`)
      const head = await asked(again.send, 'HEAD', path, headers)
      assert.deepEqual(head, { ...made, text: '' }, `HEAD ${path}`)
      const tag = made.headers.find(([name]) => name === 'etag')?.[1] as string
      const unchanged = { ...headers, 'if-none-match': tag }
      assert.deepEqual(
        await asked(again.send, method, path, unchanged),
        await asked(plain.send, method, path, unchanged),
      )
    }
})

test('an invalid Cadre-Ledger header is rejected, also for a cached response', async () => {
  for (let times = 0; times < 3; times++) assert.equal((await service.get('/genders')).status, 200)
  for (const sent of ['-1', '1.5', '0x10', '+1', 'last'])
    assert.equal((await service.get('/genders', { headers: { 'cadre-ledger': sent } })).status, 400, sent)
})

test('a key that loses access gets no cached response', async () => {
  const made = await service.make('/api_keys', { name: 'To be narrowed', permissions: ['employees:read'] })
  const { id: person } = await service.hire({ date_of_birth: '1990-01-02' })
  const look = () => beside('GET', `/employees/${person}`, { key: made.key })
  assert.equal((await look()).body.data.date_of_birth, '1990-01-02')
  assert.equal((await look()).body.data.date_of_birth, '1990-01-02')
  assert.equal((await service.put(`/api_keys/${made.id}`, { withheld: ['personal'] })).status, 200)
  assert.ok(!('date_of_birth' in (await look()).body.data))
  assert.equal((await service.delete(`/api_keys/${made.id}`)).status, 204)
  assert.equal((await look()).status, 401)
})

test('every table either has tracked changes or is never cached', async () => {
  const known = [...resources.map(({ table }) => table), 'ledger', 'search_words', COUNTERS, ...UNVERSIONED]
  assert.deepEqual(
    [...(await readCatalogue(service.database)).keys()].filter((name) => !known.includes(name)),
    [],
  )
})
