import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect as dial, type Socket } from 'node:net'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { connectionsOf, readConfig, scarcityOf, shareOf, workersOf } from '../src/config.ts'
import { connect } from '../src/database/connect.ts'
import { freshDatabase } from './harness.ts'
import { type ServiceProcess, startProcess } from './process.ts'
import { longTest } from './thorough.ts'

const KEY = 'a-key-for-the-workers-0123456789-abcdef'
const FAILED_KEYS = 6
const FOLLOWERS = 20

let folder: string
let database: Awaited<ReturnType<typeof freshDatabase>>
let service: ServiceProcess
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cadre-workers-'))
  writeFileSync(join(folder, 'environment'), 'CORS_ORIGINS=https://old.example')
  database = await freshDatabase()
  service = await start()
  await service.said(listening(2))
})
after(async () => {
  await service.stop()
  await database.remove()
  rmSync(folder, { recursive: true, force: true })
})

const start = () =>
  startProcess(
    {
      DATABASE_URL: database.url,
      CADRE_API_KEY: KEY,
      CADRE_FILES: join(folder, 'files'),
      WORKERS: '2',
      LOG_LEVEL: 'info',
      FAILED_KEYS_PER_MINUTE: String(FAILED_KEYS),
    },
    [`--env-file=${join(folder, 'environment')}`],
  )

/** So many lines hold these words. */
const times = (count: number, words: string) => (output: string) => output.split(words).length > count

/** So many workers have begun to answer since the start. */
const listening = (count: number) => times(count, 'worker ready')

/** What the log tells, line by line. */
const lines = (of = service) =>
  of
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as { pid: number; msg: string; route?: string; worker?: number; seconds?: number })

/** The workers that are there, the newest last. */
function workers(of = service): number[] {
  const begun = lines(of).flatMap(({ pid, msg }) => (msg === 'worker ready' ? [pid] : []))
  return begun.filter(isAlive)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A request over a connection of its own, or over that of an agent. */
function ask(path: string, { key = KEY, json, agent }: { key?: string; json?: unknown; agent?: Agent } = {}) {
  return new Promise<{ status: number; text: string; retryAfter: string | undefined }>((resolve, reject) => {
    const headers = { 'x-api-key': key, ...(json ? { 'content-type': 'application/json' } : {}) }
    const address = path.startsWith('/api') ? path : `/api/public/v3${path}`
    const sent = request(
      service.url + address,
      { agent: agent ?? false, method: json ? 'POST' : 'GET', headers },
      (answer) => {
        let text = ''
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, text, retryAfter: answer.headers['retry-after'] }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(json ? JSON.stringify(json) : undefined)
  })
}

/** Where no worker is there after so many milliseconds, whoever waits at the port is told to come again. */
const WAITED = 15_000

/** A request that comes again where a busy machine took longer than that to start a worker; sooner, nobody is told so. */
async function askAgain(...given: Parameters<typeof ask>): ReturnType<typeof ask> {
  for (;;) {
    const begun = performance.now()
    const answer = await ask(...given)
    if (answer.status !== 503 || performance.now() - begun < WAITED - 100) return answer
  }
}

/** Somebody who listens to what changes: what they were answered, what they heard, and when they were cut off. */
function follow() {
  const socket = dial(Number(new URL(service.url).port), '127.0.0.1')
  let heard = ''
  socket.on('error', () => undefined)
  socket.write(
    `GET /api/public/v3/changes HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${KEY}\r\nAccept: text/event-stream\r\n\r\n`,
  )
  const tells = new Set<() => void>()
  socket.on('data', (chunk) => {
    heard += chunk
    for (const tell of tells) tell()
  })
  const hears = (pattern: RegExp) =>
    new Promise<string>((resolve) => {
      const tell = () => {
        if (pattern.test(heard)) resolve(heard)
      }
      tells.add(tell)
      tell()
    })
  return { socket, hears, status: async () => Number((await hears(/^HTTP\/1.1 \d+ /)).slice(9, 12)) }
}

const closed = (socket: Socket) =>
  new Promise<void>((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())))

const names = async () => {
  const all: string[] = []
  for (let page = 1; ; page++) {
    const { data, metadata } = JSON.parse((await ask(`/divisions?per_page=200&page=${page}`)).text)
    all.push(...data.map((one: { name: string }) => one.name))
    if (all.length >= metadata.count) return all
  }
}

/** After so many milliseconds without a request, a worker that leaves closes a connection. */
const SILENT = 1_000

/**
 * Writers that each have one request under way, over a connection of their own, until they are told to stop; what was
 * acknowledged, and what failed. A connection that this process has not used for long may be closed while it is used
 * again: on a machine that has much to do, that is nobody's fault.
 */
function writeAlong(writers: number, isKept: (error: any) => boolean) {
  let isOver = false
  const acknowledged: string[] = []
  const failures: string[] = []
  const tag = `along ${performance.now()}`
  const all = Array.from({ length: writers }, async (_, writer) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    let [sent, quiet] = [performance.now(), 0]
    const next = (path: string, json?: unknown) => {
      const now = performance.now()
      ;[sent, quiet] = [now, now - sent]
      return askAgain(path, { agent, json })
    }
    // A little apart: that requests are under way all the time matters, not that they take all there is.
    for (let n = 0; !isOver; n++, await pause(5)) {
      const name = `${tag} ${writer}.${n}`
      try {
        const [made, read] = [await next('/divisions', { name }), await next('/genders')]
        if (made.status === 201) acknowledged.push(name)
        else failures.push(made.text)
        if (read.status !== 200) failures.push(read.text)
      } catch (error: any) {
        if (!isKept(error) && quiet < SILENT) failures.push(String(error))
      }
    }
    agent.destroy()
  })
  const end = async () => {
    isOver = true
    await Promise.all(all)
    const there = new Set(await names())
    return { failures, lost: acknowledged.filter((name) => !there.has(name)), acknowledged }
  }
  return { acknowledged, end }
}

test('SQLite has one process, PostgreSQL one for each core, and they share connections and cache', () => {
  assert.equal(workersOf(readConfig({})), 1)
  assert.ok(workersOf(readConfig({ DATABASE_URL: 'postgres://a/b' })) >= 1)
  const three = readConfig({ WORKERS: '3', DATABASE_CONNECTIONS: '10', CACHE_MB: '64' })
  assert.equal(workersOf(three), 3)
  assert.deepEqual(shareOf(three, 3), { DATABASE_CONNECTIONS: 3, CACHE_MB: 22 })
  assert.deepEqual(shareOf(readConfig({ CACHE_MB: '0' }), 8), { DATABASE_CONNECTIONS: 4, CACHE_MB: 0 })
  assert.throws(() => readConfig({ WORKERS: '0' }), /WORKERS/)
})

test('each worker has enough connections unless the operator set fewer', () => {
  type Row = [cores: number, set: Record<string, string>, workers: number, each: number, all: number, isTold: boolean]
  const rows: Row[] = [
    [1, {}, 1, 10, 10, false],
    [2, {}, 2, 5, 12, false],
    [4, {}, 4, 4, 18, false],
    [8, {}, 8, 4, 34, false],
    [64, {}, 16, 4, 66, false],
    [64, { WORKERS: '64' }, 64, 4, 258, false],
    // Whoever says how many has no more than that, and two for the parent.
    [8, { DATABASE_CONNECTIONS: '10' }, 2, 5, 12, false],
    [8, { DATABASE_CONNECTIONS: '7' }, 1, 7, 7, false],
    [8, { DATABASE_CONNECTIONS: '1' }, 1, 1, 1, true],
    [8, { DATABASE_CONNECTIONS: '100' }, 8, 12, 98, false],
    // Both are what they were said to be, as far as that goes.
    [8, { DATABASE_CONNECTIONS: '12', WORKERS: '4' }, 4, 3, 14, true],
    [8, { DATABASE_CONNECTIONS: '10', WORKERS: '8' }, 8, 2, 18, true],
  ]
  for (const [cores, set, workers, each, all, isTold] of rows) {
    const config = readConfig({ DATABASE_URL: 'postgres://a/b', ...set })
    const count = workersOf(config, cores)
    const own = count === 1 ? connectionsOf(config, 1) : shareOf(config, count).DATABASE_CONNECTIONS
    const found = [count, own, connectionsOf(config, count), scarcityOf(config, count) !== undefined]
    assert.deepEqual(found, [workers, each, all, isTold], `${cores} cores, ${JSON.stringify(set)}`)
  }
})

test('a start prints its messages once, and all workers get requests', async () => {
  for (const words of [/is running at/g, /Set-up link for the first owner/g, /API reference/g, /"started"/g])
    assert.equal(service.output().match(words)?.length, 1, String(words))
  for (let n = 0; n < 6; n++) assert.equal((await ask('/genders')).status, 200)
  await service.said(times(6, 'v3/genders'))
  const counts = Map.groupBy(
    lines().filter(({ route }) => route?.endsWith('/genders')),
    ({ pid }) => pid,
  )
  assert.deepEqual(
    [...counts.values()].map((all) => all.length),
    [3, 3],
  )
  assert.ok(!counts.has(service.child.pid as number))
  for (let n = 0; n < 2; n++) assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
})

test('a rate limit applies to all workers together', async () => {
  const wrong = await Promise.all(Array.from({ length: 2 * FAILED_KEYS }, () => ask('/genders', { key: 'no-key' })))
  const of = (status: number) => wrong.filter((answer) => answer.status === status)
  assert.equal(of(401).length, FAILED_KEYS)
  assert.equal(of(429).length, FAILED_KEYS)
  for (const { retryAfter } of of(429)) assert.ok(Number(retryAfter) > 30 && Number(retryAfter) <= 60)
  assert.equal((await ask('/genders')).status, 200)
})

test('feed clients get changes of other workers, share one limit, and a dead worker frees its places', async () => {
  const followers: ReturnType<typeof follow>[] = []
  // One after the other: of many at once, more would go to the worker that takes them sooner.
  while (followers.length < FOLLOWERS) {
    const one = follow()
    assert.equal(await one.status(), 200)
    followers.push(one)
  }
  const tooMany = follow()
  assert.equal(await tooMany.status(), 429)
  assert.equal((await ask('/divisions', { json: { name: 'Heard by all' } })).status, 201)
  for (const one of followers) await one.hears(/Heard by all/)

  // Who goes makes room.
  followers.shift()?.socket.destroy()
  const next = async (): Promise<ReturnType<typeof follow>> => {
    const one = follow()
    return (await one.status()) === 200 ? one : next()
  }
  followers.push(await next())

  // So does a worker that dies. Connections are given out in turn: of three, one is on its way to that which does not
  // move, and is another's when that is gone.
  const [stuck] = workers() as [number]
  process.kill(stuck, 'SIGSTOP')
  const three = [follow(), follow(), follow()]
  let answered = 0
  await new Promise<void>((resolve) => {
    for (const one of three) one.status().then(() => ++answered === 2 && resolve())
  })
  assert.equal(answered, 2)
  process.kill(stuck, 'SIGKILL')
  for (const one of three) await one.status()
  await service.said(new RegExp(`"worker":${stuck},"seconds":0,"msg":"worker exited \\(SIGKILL\\)`))
  await service.said(listening(3))
  for (let n = 0; n < FOLLOWERS / 4; n++) followers.push(await next())
  for (const { socket } of [...followers, ...three, tooMany]) socket.destroy()
})

test('a killed worker loses no acknowledged write, others continue, and the port never refuses', async () => {
  const load = writeAlong(4, ({ code }) => code !== 'ECONNREFUSED')
  const [killed] = workers().slice(-1) as [number]
  while (load.acknowledged.length < 20) await once(service.child.stdout!, 'data')
  process.kill(killed, 'SIGKILL')
  // It stood in the place of another that was killed: the next one waits.
  await service.said(new RegExp(`"worker":${killed},"seconds":0\\.\\d+,"msg":"worker exited`))
  await service.said(listening(4))
  const { failures, lost, acknowledged } = await load.end()
  assert.deepEqual(failures, [])
  assert.deepEqual(lost, [])
  assert.ok(acknowledged.length > 20)
  assert.equal(workers().length, 2)
})

longTest(
  'when all workers are dead the port stays open, and new clients wait until the next worker has started',
  async () => {
    const begun = service.output().split('worker ready').length - 1
    const all = workers()
    const load = writeAlong(4, ({ code }) => code !== 'ECONNREFUSED')
    while (load.acknowledged.length < 5) await once(service.child.stdout!, 'data')
    for (const pid of all) process.kill(pid, 'SIGKILL')
    for (const pid of all) await service.said(new RegExp(`"worker":${pid},"seconds":[\\d.]+,"msg":"worker exited`))
    const waited = await Promise.all(Array.from({ length: 8 }, () => askAgain('/genders')))
    assert.deepEqual(
      waited.map(({ status }) => status),
      Array(8).fill(200),
    )
    await service.said(listening(begun + 2))
    const { failures, lost } = await load.end()
    assert.deepEqual(failures, [])
    assert.deepEqual(lost, [])
  },
)

longTest(
  'a reload replaces workers one by one without a refused or lost request, and reads the settings again',
  async () => {
    const admits = async (origin: string) =>
      (await fetch(`${service.url}/healthz`, { headers: { origin } })).headers.get('access-control-allow-origin') ===
      origin
    assert.equal(await admits('https://old.example'), true)
    writeFileSync(join(folder, 'environment'), 'CORS_ORIGINS=https://new.example\nPORT=1')
    const old = workers()
    const load = writeAlong(4, () => false)
    while (load.acknowledged.length < 5) await once(service.child.stdout!, 'data')
    process.kill(service.child.pid as number, 'SIGUSR2')
    await service.said(/all workers replaced/)
    const { failures, lost } = await load.end()
    assert.deepEqual(failures, [])
    assert.deepEqual(lost, [])
    assert.deepEqual(old.filter(isAlive), [])
    assert.equal(workers().length, 2)
    assert.equal(await admits('https://old.example'), false)
    assert.equal(await admits('https://new.example'), true)
  },
)

longTest('workers that cannot start do not replace the running ones', async () => {
  const old = workers()
  const own = connect(database.url)
  const row = { number: 9999, name: '9999-future.sql', checksum: 'x', applied_at: new Date().toISOString() }
  await own.write((sql) => sql.insertInto('schema_migrations').values(row).execute())
  process.kill(service.child.pid as number, 'SIGUSR2')
  await service.said(
    /a new worker failed to start, so the restart was stopped and the remaining old workers keep running: /,
  )
  assert.deepEqual(workers(), old)
  assert.equal((await ask('/genders')).status, 200)
  await own.write((sql) => sql.deleteFrom('schema_migrations').where('number', '=', 9999).execute())
  await own.close()
})

longTest(
  'the reload signal ends neither a starting service nor a worker',
  {
    skip: process.platform !== 'linux',
  },
  async () => {
    const [worker] = workers() as [number]
    process.kill(worker, 'SIGUSR2')
    assert.equal((await ask('/genders')).status, 200)
    assert.ok(isAlive(worker))
    const own = await freshDatabase('sqlite')
    const env = { ...process.env, DATABASE_URL: own.url, CADRE_FILES: join(folder, 'other'), PORT: '0', WORKERS: '2' }
    const child = spawn(process.execPath, ['src/main.ts', 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    const hears = () => {
      const [, caught = '0'] = /^SigCgt:\s*(\w+)$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
      return (BigInt(`0x${caught}`) >> BigInt(constants.signals.SIGUSR2 - 1)) & 1n
    }
    while (!hears() && child.exitCode === null) await pause(5)
    // Long before it has anything to say.
    assert.equal(output, '')
    child.kill('SIGUSR2')
    while (!output.includes('is running at') && child.exitCode === null && child.signalCode === null) await pause(20)
    assert.match(output, /is running at/)
    child.kill('SIGTERM')
    assert.deepEqual(await once(child, 'close'), [0, null])
    await own.remove()
  },
)

// Each waits until a service has stopped, another one: they wait together.
describe('on stop', { concurrency: true }, () => {
  longTest(
    'waiting clients that no worker can take get 503',
    {
      skip: process.platform !== 'linux',
    },
    async () => {
      const own = await freshDatabase()
      const other = await startProcess({ DATABASE_URL: own.url, CADRE_API_KEY: KEY, WORKERS: '2', LOG_LEVEL: 'info' })
      await other.said(listening(2))
      for (const pid of workers(other)) process.kill(pid, 'SIGSTOP')
      const all = Array.from({ length: 8 }, () => {
        const socket = dial(Number(new URL(other.url).port), '127.0.0.1')
        const one = { socket, heard: '', isAsked: once(socket, 'connect') }
        socket.on('error', () => undefined)
        socket.on('data', (bytes) => {
          one.heard += bytes
        })
        socket.write(`GET /api/public/v3/genders HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${KEY}\r\n\r\n`)
        return one
      })
      for (const { isAsked } of all) await isAsked
      assert.equal(await other.stop(), 0)
      for (const { socket } of all) await closed(socket)
      assert.deepEqual(
        all.map(({ heard }) => heard.split('\r\n')[0]),
        all.map(() => 'HTTP/1.1 503 Service Unavailable'),
      )
      await own.remove()
    },
  )

  // In the gate, `shutdown` has this.
  longTest('accepted requests are answered, and no worker stays', async () => {
    const old = workers()
    const { port } = new URL(service.url)
    const accepted = await Promise.all(
      old.map(async (_, n) => {
        const socket = dial(Number(port), '127.0.0.1')
        const body = JSON.stringify({ name: `Last ${n}` })
        const head = `POST /api/public/v3/divisions HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${KEY}\r\nExpect: 100-continue\r\n`
        socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`)
        assert.match(String((await once(socket, 'data'))[0]), /100 Continue/)
        return { socket, body }
      }),
    )
    const follower = follow()
    await follower.status()
    const stopped = service.stop()
    // Supervisors signal to all processes of a service.
    for (const pid of old) process.kill(pid, 'SIGTERM')
    for (const { socket, body } of accepted) {
      socket.write(body)
      assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1.1 201 /)
    }
    assert.equal(await stopped, 0)
    await closed(follower.socket)
    assert.deepEqual(old.filter(isAlive), [])
    service = await start()
    await service.said(listening(2))
  })
})

test('workers end with their parent, however it ends', async () => {
  const [left, idle] = [workers(), [follow(), follow()]]
  for (const one of idle) await one.status()
  assert.equal(left.length, 2)
  await service.stop('SIGKILL')
  for (const { socket } of idle) await closed(socket)
  assert.deepEqual(JSON.stringify(await names().catch(({ code }) => code)), '"ECONNREFUSED"')
})
