import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { readConfig, trustOf } from '../src/config.ts'
import { connect as connectTo } from '../src/database/connect.ts'
import { leave, stop } from '../src/surfaces/http/server.ts'
import { ENGINE, freshDatabase, type Service, sender, startService } from './harness.ts'
import { startHere } from './in-process.ts'
import { startProcess } from './process.ts'
import { longTest } from './thorough.ts'

const KEY = 'a-key-for-the-shutdown-0123456789-abc'

/** Has writes wait within their transaction until they are let go on. */
function hold({ database }: Service) {
  const held = Promise.withResolvers<void>()
  const isBegun = Promise.withResolvers<void>()
  const { write } = database
  database.write = (work, settings) =>
    write(async (sql) => {
      isBegun.resolve()
      await held.promise
      return work(sql)
    }, settings)
  return { isBegun: isBegun.promise, open: held.resolve }
}

/** Has everybody wait for the look at their key until they are let go on. */
function holdKeys({ database }: Service) {
  const held = Promise.withResolvers<void>()
  const isBegun = Promise.withResolvers<void>()
  const { query, commitMark } = database
  database.commitMark = () => undefined
  database.query = async (work) => {
    isBegun.resolve()
    await held.promise
    return query(work)
  }
  const open = () => {
    Object.assign(database, { query, commitMark })
    held.resolve()
  }
  return { isBegun: isBegun.promise, open }
}

/** A connection: what is asked over it, and all that was heard when it was closed. */
const dial = (port: string, hostname = '127.0.0.1') =>
  new Promise<{ ask: (request: string) => void; closed: Promise<string> }>((resolve) => {
    let text = ''
    const socket = connect(Number(port), hostname, () => resolve({ ask: (request) => socket.write(request), closed }))
    const closed = new Promise<string>((end) => {
      socket.on('data', (bytes) => {
        text += bytes
      })
      socket.on('error', (error) => end(text + String(error)))
      socket.on('close', () => end(text))
    })
  })

/** The gate tries each engine as it is usually run. */
const testWith = (workers: string) => (workers === (ENGINE === 'sqlite' ? '1' : '2') ? test : longTest)
/** What does not depend on the engine is tried on SQLite; how long a database is waited for, on PostgreSQL. */
const testHttp = ENGINE === 'sqlite' ? test : longTest
const testWaiting = ENGINE === 'postgres' ? test : longTest

testHttp('half-sent requests do not delay a stop, and accepted requests are answered', async () => {
  const { url, remove } = await freshDatabase()
  const service = await startHere({ DATABASE_URL: url, CADRE_API_KEY: KEY })
  const { port, hostname } = new URL(service.url)
  const half = (text: string) =>
    new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write(text, () => resolve()))
      socket.on('error', () => undefined)
    })
  await half('GET /healthz HTTP/1.1\r\nHost: x\r\n')
  const head = `POST /api/public/v3/divisions HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${KEY}\r\n`
  await half(`${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"name": `)
  await half(`${head}Content-Type: multipart/form-data; boundary=B\r\nContent-Length: 1000\r\n\r\n--B\r\n`)
  const send = sender(service.url, KEY)
  const accepted = Array.from({ length: 20 }, (_, n) => send('POST', '/divisions', { json: { name: `Division ${n}` } }))
  // From here on somebody looks at each of them, also at those that fail while the service stops.
  const answers = Promise.allSettled(accepted)
  await accepted[0]
  const begun = performance.now()
  const code = await service.stop()
  assert.equal(code, 0)
  // Ten seconds are promised; what is measured here is that it does not wait for the half-sent ones' time-outs.
  assert.ok(performance.now() - begun < 30_000)
  for (const answer of await answers) if (answer.status === 'fulfilled') assert.equal(answer.value.status, 201)
  await remove()
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

for (const [workers, order] of [
  ['1', 'SIGTERM'],
  ['2', 'SIGHUP'],
] as const)
  testWith(workers)(
    `requests sent to a busy service before a stop are answered, and no process stays, with ${workers} workers`,
    async () => {
      const { url, remove } = await freshDatabase()
      const settings = { DATABASE_URL: url, CADRE_API_KEY: KEY, WORKERS: workers, LOG_LEVEL: 'info' }
      const service = await startProcess(settings)
      const own = () => [...service.output().matchAll(/"pid":(\d+),.*"worker ready"/g)].map(([, pid]) => Number(pid))
      if (workers !== '1') await service.said(() => own().length === Number(workers))
      const { port, hostname } = new URL(service.url)
      const head = ` /api/public/v3/divisions HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${KEY}\r\n`
      const posting = `POST${head}Content-Type: application/json\r\nContent-Length: `
      const made = (n: number) =>
        [`{"name":"Division ${n}"}`].map((json) => `${posting}${json.length}\r\n\r\n${json}`).join()
      const kept = await Promise.all(Array.from({ length: 5 }, () => dial(port, hostname)))
      const read = `GET${head}\r\n`
      for (const one of kept) one.ask(read)
      await new Promise((resolve) => setTimeout(resolve, 300))
      // As if it had to do: the system takes connections and bytes for it meanwhile.
      service.child.kill('SIGSTOP')
      const fresh = await Promise.all(Array.from({ length: 60 }, () => dial(port, hostname)))
      for (const one of kept) one.ask(read)
      for (const [n, one] of fresh.entries()) one.ask(made(n))
      await new Promise((resolve) => setTimeout(resolve, 50))
      service.child.kill(order)
      service.child.kill('SIGCONT')
      const ended = once(service.child, 'exit')
      // A terminal that closes is told of by the shell and by the system; supervisors signal to all processes of a service.
      if (order === 'SIGHUP') setTimeout(() => service.child.kill(order), 50)
      for (const pid of own()) process.kill(pid, order)
      const answers = (all: typeof kept) =>
        Promise.all(all.map(async (one) => (await one.closed).split('HTTP/1.1 20').length - 1))
      assert.deepEqual([await answers(kept), await answers(fresh)], [kept.map(() => 2), fresh.map(() => 1)])
      assert.deepEqual(await ended, [0, null])
      assert.deepEqual(own().filter(isAlive), [])
      await remove()
    },
  )

/** A database whose writes somebody else keeps from going on, from when it is told to. */
async function locked() {
  const { url, remove } = await freshDatabase()
  if (ENGINE === 'sqlite') {
    const other = new DatabaseSync(url.replace('sqlite:', ''))
    return { url, begin: async () => other.exec('begin immediate'), end: async () => other.close(), remove }
  }
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  const begin = async () => void (await other.query('begin; select * from accounts for update'))
  return { url, begin, end: () => other.end(), remove }
}

/** A server that is there, and answers nothing any more from when it is told to. */
async function silent() {
  const { url, remove } = await freshDatabase()
  const { hostname, port } = new URL(url)
  const through = new URL(url)
  const sockets = new Set<Socket>()
  const between = createServer((socket) => {
    const inner = connect(Number(port), hostname)
    for (const one of [socket, inner]) sockets.add(one.on('error', () => undefined))
    socket.pipe(inner).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(between, 'listening')
  through.host = `127.0.0.1:${(between.address() as AddressInfo).port}`
  return {
    url: through.href,
    async begin() {
      for (const one of sockets) one.unpipe().pause()
      between.removeAllListeners('connection').on('connection', (socket) => void sockets.add(socket))
    },
    async end() {
      for (const one of sockets) one.destroy()
      between.close()
    },
    remove,
  }
}

// Each waits for ten seconds, for a database of its own: they wait together.
describe('while the database does not answer', { concurrency: true }, () => {
  // On PostgreSQL the gate tries the worse of the two.
  for (const [how, make] of Object.entries(ENGINE === 'sqlite' ? { locked } : { locked, silent }))
    for (const workers of ['1', '2'])
      (how === 'locked' && ENGINE === 'postgres' ? longTest : testWith(workers))(
        `a ${how} database does not block a stop, and waiting requests get 503, with ${workers} workers`,
        async () => {
          const { url, begin, end, remove } = await make()
          // Several at once stop as processes: in this one they would wait for each other.
          const start = ENGINE === 'sqlite' && workers === '1' ? startHere : startProcess
          const service = await start({ DATABASE_URL: url, CADRE_API_KEY: KEY, WORKERS: workers })
          const { port } = new URL(service.url)
          assert.equal((await sender(service.url, KEY)('POST', '/divisions', { json: { name: 'Before' } })).status, 201)
          await begin()
          const json = JSON.stringify({ name: 'Waiting' })
          const head = `POST /api/public/v3/divisions HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${KEY}\r\nContent-Type: application/json\r\n`
          const all = await Promise.all(Array.from({ length: 6 }, () => dial(port)))
          for (const { ask } of all) ask(`${head}Content-Length: ${json.length}\r\n\r\n${json}`)
          const begun = performance.now()
          assert.equal(await service.stop(), 0)
          // Ten seconds are promised.
          assert.ok(performance.now() - begun < 30_000)
          for (const { closed } of all) {
            const answer = await closed
            for (const line of [
              /^HTTP\/1\.1 503 /,
              /^retry-after: \d+\r$/im,
              /^connection: close\r$/im,
              /"code":"unavailable"/,
            ])
              assert.match(answer, line)
          }
          await end()
          await remove()
        },
      )

  testWaiting(
    'a request not answered in time during a stop gets a 503 that says whether it may have been done',
    async () => {
      const service = await startService()
      const gate = hold(service)
      const made = service.post('/divisions', { name: 'In flight' })
      await gate.isBegun
      const keys = holdKeys(service)
      const read = service.get('/divisions?per_page=3')
      await keys.isBegun
      const ended = stop(service.app)
      for (const [{ status, headers, body }, detail] of [
        [
          await made,
          /it is unknown whether this request was carried out\. It is safe to repeat it with the same Idempotency-Key/,
        ],
        [await read, /could not finish this request\. Send it again/],
      ] as const) {
        assert.deepEqual([status, body.code, headers.get('connection')], [503, 'unavailable', 'close'])
        assert.match(headers.get('retry-after') ?? '', /^\d+$/)
        assert.match(body.detail, detail)
      }
      keys.open()
      // The database still has to do for somebody.
      await ended
      gate.open()
      await service.stop()
    },
  )
})

// With several workers, the gate has that above.
for (const workers of ['1', '2'])
  (workers === '1' ? testHttp : longTest)(
    `SIGHUP stops the service like any other stop signal, with ${workers} workers`,
    async () => {
      const { url, remove } = await freshDatabase()
      const service = await startProcess({ DATABASE_URL: url, CADRE_API_KEY: KEY, WORKERS: workers })
      const send = sender(service.url, KEY)
      const last = (await send('GET', '/changes')).body.metadata.last
      const waiting = send('GET', `/changes?since=${last}&wait=20`)
      await new Promise((resolve) => setTimeout(resolve, 300))
      // The shell says it, and the system.
      service.child.kill('SIGHUP')
      setTimeout(() => service.child.kill('SIGHUP'), 50)
      assert.equal(await service.stop('SIGHUP'), 0)
      assert.equal((await waiting).status, 200)
      await remove()
    },
  )

for (const both of [
  ['SIGTERM', 'SIGINT'],
  ['SIGINT', 'SIGTERM'],
] as const)
  (both[0] === 'SIGTERM' ? testHttp : longTest)(`${both.join(' and ')} end the service at once`, async () => {
    const { url, remove } = await freshDatabase()
    const service = await startProcess({ DATABASE_URL: url, CADRE_API_KEY: KEY })
    const { port } = new URL(service.url)
    const head = `POST /api/public/v3/divisions HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${KEY}\r\nExpect: 100-continue\r\n`
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`)
    assert.match(String((await once(socket, 'data'))[0]), /100 Continue/)
    // It goes on arriving, and is waited for, unless somebody is in haste.
    const arriving = setInterval(() => socket.write(' '), 20)
    const exit = once(service.child, 'exit')
    for (const signal of both) service.child.kill(signal)
    const [code, by] = await exit
    clearInterval(arriving)
    socket.destroy()
    assert.equal(code, null)
    assert.ok(both.includes(by))
    await remove()
  })

for (const [how, end] of Object.entries({ stop, leave }))
  testHttp(`a request in flight at ${how} is answered with Connection: close`, async () => {
    const service = await startService()
    const gate = hold(service)
    const made = service.post('/divisions', { name: 'In flight' })
    await gate.isBegun
    const ended = end(service.app)
    gate.open()
    const { status, headers } = await made
    assert.deepEqual([status, headers.get('connection')], [201, 'close'])
    await ended
    await service.stop()
  })

for (const [how, end] of Object.entries({ stop, leave }))
  testHttp(
    `pipelined requests are all answered after ${how}, and a request after the last response is not run`,
    async () => {
      const service = await startService()
      const gate = hold(service)
      const seen: ServerResponse[] = []
      service.app.server.on('request', (_request, response) => void seen.push(response))
      const { port } = new URL(service.url)
      const head = ` /api/public/v3/divisions HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${service.key}\r\n`
      const made = (n: number) => {
        const json = JSON.stringify({ name: `Division ${n}` })
        return `POST${head}Content-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`
      }
      const several = await dial(port)
      several.ask(made(1) + made(2) + made(3))
      const late = await dial(port)
      late.ask(made(4))
      while (seen.length < 4) await pause(5)
      const ended = end(service.app)
      late.ask(`GET${head}\r\n`)
      // Its answer is made, and waits for the one before it.
      while (!seen.some(({ req, headersSent }) => req.method === 'GET' && headersSent)) await pause(5)
      late.ask(made(5))
      while (seen.length < 6) await pause(5)
      gate.open()
      const answers = (text: string) =>
        text.split(/(?=HTTP\/1\.1 )/).map((one) => [Number(one.slice(9, 12)), /^connection: (\S+)/im.exec(one)?.[1]])
      assert.deepEqual(answers(await several.closed), [
        [201, 'keep-alive'],
        [201, 'keep-alive'],
        [201, 'close'],
      ])
      assert.deepEqual(
        answers(await late.closed).map(([, connection]) => connection),
        ['keep-alive', 'close'],
      )
      await ended
      const own = connectTo(service.databaseUrl)
      const rows = await own.query((sql) => sql.selectFrom('divisions').select('name').orderBy('name').execute())
      assert.deepEqual(
        rows.map(({ name }) => name),
        [1, 2, 3, 4].map((n) => `Division ${n}`),
      )
      await own.close()
      await service.stop()
    },
  )

testHttp('a request whose key is looked up during a stop is answered too, also from the cache', async () => {
  const service = await startService()
  const [hot, cold] = ['/divisions?per_page=3', '/divisions?per_page=4']
  for (let n = 0; n < 3; n++) assert.equal((await service.get(hot)).status, 200)
  const keys = holdKeys(service)
  const answers = Promise.all([hot, cold].map((path) => service.get(path)))
  await keys.isBegun
  // The other one has come by then; who asks with the same key waits for the same.
  await new Promise((resolve) => setTimeout(resolve, 300))
  const ended = stop(service.app)
  // Longer than it waits for requests that do not arrive.
  await new Promise((resolve) => setTimeout(resolve, 2500))
  keys.open()
  for (const { status, headers } of await answers) assert.deepEqual([status, headers.get('connection')], [200, 'close'])
  await ended
  await service.stop()
})

test('TRUST_PROXY accepts a number of proxies or their networks', () => {
  assert.equal(trustOf('false'), false)
  assert.equal(trustOf('true'), 1)
  assert.equal(trustOf('2'), 2)
  assert.deepEqual(trustOf('10.0.0.0/8, loopback, fd00::/8'), ['10.0.0.0/8', 'loopback', 'fd00::/8'])
  for (const wrong of ['yes', '0', '10.0.0.0/33', 'everybody', '-1'])
    assert.throws(() => readConfig({ TRUST_PROXY: wrong }), /TRUST_PROXY/, wrong)
})
