import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { connect } from '../src/database/connect.ts'
import type { Database } from '../src/database/database.ts'
import type { Operation } from '../src/engine/operation.ts'
import { COUNTERS, PASSING } from '../src/ledger/footing.ts'
import type { InMind } from '../src/ledger/ledger.ts'
import { operations, resources } from '../src/operations.ts'
import { readCatalogue } from './catalogue.ts'
import { chances, SEED } from './chance.ts'
import { ENGINE, type Service, sender, startService } from './harness.ts'
import { isForPeople, Samples } from './samples.ts'
import { longTest, rounds } from './thorough.ts'

/** Answers that are kept are those that would be made: in every process, after every write. */

const now = new Date()
const clock = () => now
let service: Service
let samples: Samples
const apps: FastifyInstance[] = []
let beside: ReturnType<typeof sender>
let afresh: ReturnType<typeof sender>

/** The service once more on the same database, with connections of its own. */
async function another(CACHE_MB: number, inMind: InMind = { longFrom: 0 }) {
  const connected = connect(service.databaseUrl)
  const asked = { count: 0 }
  const counting =
    <A extends unknown[], T>(work: (...args: A) => T) =>
    (...args: A) => {
      asked.count++
      return work(...args)
    }
  const database = { ...connected, read: counting(connected.read), glance: counting(connected.glance) } as Database
  const config = { ...readConfig({}), LOG_LEVEL: 'silent' as const, CACHE_MB }
  const app = await buildApp({ config, database, clock, inMind })
  apps.push(app)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { asked, send: sender(url, service.key) }
}

before(async () => {
  service = await startService({ clock })
  samples = new Samples(service)
  beside = (await another(64)).send
  afresh = (await another(0, { longFrom: Number.POSITIVE_INFINITY, slowFrom: Number.POSITIVE_INFINITY, pieces: false }))
    .send
})
after(async () => {
  for (const app of apps) await app.close()
  await service.stop()
})

/** Who has read what is noted some time later: two who ask for it one after the other may be told differently. */
const reads = operations.filter(
  (one) =>
    one.method === 'GET' && !isForPeople(one) && one.permission && !one.attaches && !one.path.startsWith('/reads'),
)

/** What is asked: with whatever the records need to be there. */
async function placesToLook(): Promise<{ operation: Operation; path: string }[]> {
  const places = []
  for (const operation of reads) {
    const params = await samples.unchanged(operation)
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => String(params[name]))
    const query = operation.query.properties.per_page ? '?per_page=3' : ''
    places.push({ operation, path: path + query })
  }
  return places
}

/** Addresses begin with where the service was asked; who was shown a file is told by the name of the process' key alone. */
const bare = (text: string) => text.replace(/http:\/\/127\.0\.0\.1:\d+/g, '')

/** Those that are of an answer, not of the moment. The tag is of the bytes, and addresses of files name the process. */
const headersOf = ({ headers, text }: { headers: Headers; text: string }) =>
  [...headers].filter(
    ([name]) =>
      ![
        'date',
        'x-request-id',
        'connection',
        'keep-alive',
        ...(text === bare(text) ? [] : ['etag', 'content-length']),
      ].includes(name),
  )

/** What is kept lies in memory, and is the same on either engine: the gate tries it after each write on one. */
const testOnce = ENGINE === 'sqlite' ? test : longTest

// First, while there is little else to collect.
const notOnBoth = { skip: ENGINE !== 'sqlite' }

longTest(
  'a small answer that is kept takes a small place: neither its request nor what lay beside it stays',
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

testOnce('after every write, whatever is asked of any process is answered as if nothing were kept', async () => {
  const { below, of } = chances(SEED)
  const places = await placesToLook()
  /** How many answers of any kind, and how many that are near, are looked at after each write. Which ones is chance. */
  const looked = rounds(1, 6)
  let same = 0
  const compare = async ({ operation, path }: (typeof places)[number], why: string) => {
    const [kept, made] = [await beside('GET', path), await afresh('GET', path)]
    assert.equal(kept.status, made.status, `${path} ${why}`)
    assert.equal(bare(kept.text), bare(made.text), `${operation.id} after ${why}`)
    assert.deepEqual(headersOf(kept), headersOf(made), `${operation.id} after ${why}`)
    same++
  }
  for (const place of places) await compare(place, 'nothing')
  for (const operation of operations.filter((one) => one.method !== 'GET' && !isForPeople(one))) {
    const params = await samples.params(operation)
    const done = await samples.call(operation, params, await samples.body(operation))
    assert.equal(done.status, operation.status, done.text)
    const near = places.filter((place) => place.operation.area === operation.area)
    const chosen = new Set([
      ...Array.from({ length: looked }, () => of(places)),
      ...Array.from(
        { length: near.length > 0 ? looked : 0 },
        () => near[below(near.length)] as (typeof places)[number],
      ),
    ])
    for (const place of chosen) await compare(place, operation.id)
  }
  for (const place of places) await compare(place, 'all of them')
  assert.ok(same > 600, String(same))
})

test('what is kept is given without asking for a record, and a write elsewhere leaves it', async () => {
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

test('an answer that is given again is the same in every form: whole, compressed, only its head, and not at all', async () => {
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

test('a number of the ledger that is none is refused, also where the answer is kept', async () => {
  for (let times = 0; times < 3; times++) assert.equal((await service.get('/genders')).status, 200)
  for (const sent of ['-1', '1.5', '0x10', '+1', 'last'])
    assert.equal((await service.get('/genders', { headers: { 'cadre-ledger': sent } })).status, 400, sent)
})

test('a key that loses a right, or its life, is told nothing more of what was kept for it', async () => {
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

test('every table is one whose changes are known, or one of which nothing is kept', async () => {
  const known = [...resources.map(({ table }) => table), 'ledger', 'search_words', COUNTERS, ...PASSING]
  assert.deepEqual(
    [...(await readCatalogue(service.database)).keys()].filter((name) => !known.includes(name)),
    [],
  )
})
