import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect as connectTo } from 'node:net'
import { after, before, test } from 'node:test'
import { together } from '../src/surfaces/monitoring/registry.ts'
import { ENGINE, type Service, startService } from './harness.ts'
import { freePort } from './postgres-server.ts'
import { runCommand } from './process.ts'
import { isThorough, longTest } from './thorough.ts'

/** What operators watch: every request is counted once, whichever way it was answered, and nothing of anybody is told. */

let service: Service
let port: number
before(async () => {
  port = await freePort()
  service = await startService({ config: { METRICS_PORT: port } })
})
after(() => service.stop())

const scrape = async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  return parse(await answer.text())
}

type Figures = { types: Map<string, string>; values: Map<string, number> }

/** The text format, read strictly: each name is explained once, before its values, and each series is there once. */
function parse(text: string): Figures {
  const [types, values] = [new Map<string, string>(), new Map<string, number>()]
  assert.ok(text.endsWith('\n'))
  let explained = ''
  for (const line of text.slice(0, -1).split('\n')) {
    const [, help] = /^# HELP ([a-z_]\w*) \S.*$/.exec(line) ?? []
    const [, name, type] = /^# TYPE ([a-z_]\w*) (counter|gauge|histogram)$/.exec(line) ?? []
    if (help) explained = help
    else if (name && type) {
      assert.ok(name === explained && !types.has(name), line)
      types.set(name, type)
    } else {
      const [, series = '', of = '', value] =
        /^((\w+)(?:\{(?:\w+="(?:[^"\\]|\\[\\"n])*",?)+\})?) (-?\d+(?:\.\d+)?(?:e[+-]\d+)?)$/.exec(line) ?? []
      const suffix = types.get(explained) === 'histogram' ? '(?:_bucket|_sum|_count)' : ''
      assert.match(of, new RegExp(`^${explained}${suffix}$`), line)
      assert.ok(!values.has(series), line)
      values.set(series, Number(value))
    }
  }
  return { types, values }
}

const total = ({ values }: Figures, ...parts: string[]) =>
  [...values].reduce((sum, [series, value]) => sum + (parts.every((part) => series.includes(part)) ? value : 0), 0)

/** How much more there is of something after some work. */
async function growth(work: () => Promise<unknown>): Promise<(...parts: string[]) => number> {
  const earlier = await scrape()
  await work()
  const later = await scrape()
  return (...parts) => total(later, ...parts) - total(earlier, ...parts)
}

const REQUESTS = 'cadre_http_requests_total{'

test('every request is counted once by route, method and status, however it is answered', async () => {
  const { id } = await service.make('/divisions', { name: 'Counted' })
  const one = `/divisions/${id}`
  const more = await growth(async () => {
    const first = await service.get(one)
    // The same words again: from memory, below the routes.
    for (let n = 0; n < 3; n++) assert.equal((await service.get(one)).status, 200)
    const etag = first.headers.get('etag') as string
    assert.equal((await service.get(one, { headers: { 'if-none-match': etag } })).status, 304)
    assert.equal((await service.get('/divisions/999999')).status, 404)
    assert.equal((await service.get(one, { key: 'nobody' })).status, 401)
    assert.equal((await service.put(one, { name: '' })).status, 422)
    assert.equal((await service.send('POST', one)).status, 405)
    assert.equal((await fetch(`${service.url}/healthz`)).status, 200)
    assert.equal((await fetch(`${service.url}/nothing/there`)).status, 404)
    assert.equal((await fetch(`${service.url}/%zz`)).status, 400)
  })
  const of = (method: string, status: number) =>
    more(REQUESTS, 'route="/api/public/v3/divisions/:id"', `method="${method}"`, `status="${status}"`)
  assert.equal(of('GET', 200), 4)
  assert.equal(of('GET', 304), 1)
  assert.equal(of('GET', 404), 1)
  assert.equal(of('GET', 401), 1)
  assert.equal(of('PUT', 422), 1)
  assert.equal(more(REQUESTS, 'method="POST"', 'status="405"'), 1)
  assert.equal(more(REQUESTS, 'route="/*"'), 1)
  assert.equal(more(REQUESTS, 'route="none"'), 1)
  assert.equal(more(REQUESTS), 12)
  assert.equal(more('cadre_http_request_duration_seconds_count{'), 12)
  assert.equal(more('cadre_http_request_duration_seconds_bucket{', 'le="+Inf"'), 12)
})

test('metrics name no person, record, value or address, and their number does not grow with requests', async () => {
  const { id } = await service.hire({ first_name: 'Wilhelmina', last_name: 'Quux' })
  const ask = (n: number) =>
    Promise.all([
      service.get(`/employees/${id}?q=Wilhelmina${n}`),
      service.get(`/employees/4711${n}`),
      service.get(`/departments?sort=-name&page=${n + 1}`),
      service.send('BREW', '/departments').catch(() => undefined),
      fetch(`${service.url}/invented/${n}?name=Wilhelmina`, { method: 'PROPFIND' }),
    ])
  await ask(1)
  const earlier = await scrape()
  for (let n = 2; n < 12; n++) await ask(n)
  const later = await scrape()
  assert.deepEqual([...later.values.keys()].sort(), [...earlier.values.keys()].sort())
  const text = [...later.values.keys()].join('\n')
  assert.doesNotMatch(text, /Wilhelmina|Quux|4711|127\.0\.0\.1|invented|PROPFIND/)
  assert.ok(total(later, REQUESTS, 'route="none",method="other"') >= 11)
})

test('clients that disconnect early are counted as 499', async () => {
  const { port: there } = new URL(service.url)
  const socket = connectTo(Number(there), '127.0.0.1')
  const { last } = (await service.get('/changes')).body.metadata
  const path = `/api/public/v3/changes?since=${last}&wait=30`
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${service.key}\r\n\r\n`)
  // It is looked for as long as the service takes to notice that it has come and gone.
  await new Promise((resolve) => service.app.server.once('request', resolve))
  socket.destroy()
  while (total(await scrape(), REQUESTS, 'route="/api/public/v3/changes"', 'status="499"') === 0);
})

test('cached responses are counted separately from computed ones', async () => {
  await service.make('/divisions', { name: 'Kept' })
  const path = '/divisions?per_page=7'
  const more = await growth(async () => {
    for (let n = 0; n < 5; n++) await service.get(path)
    // In other words, so that it takes the long way, and still from memory.
    await service.get(path, { headers: { prefer: 'handling=strict' } })
  })
  assert.equal(more('cadre_cache_lookups_total{use="responses",result="miss"}'), 1)
  assert.equal(more('cadre_cache_lookups_total{use="responses",result="hit"}'), 5)
  assert.ok(total(await scrape(), 'cadre_cache_bytes') > 0)
})

test('statements, and waits of reads and writes, are counted with their time', async () => {
  const seen: string[] = []
  const more = await growth(async () => {
    service.database.onRun = (statement) => void seen.push(statement)
    await service.make('/divisions', { name: 'Statements' })
    await service.get('/divisions?per_page=3')
    service.database.onRun = undefined
  })
  const counted = (word: string) => more(`cadre_statement_duration_seconds_count{statement="${word}"}`)
  for (const word of ['select', 'insert', 'update', 'commit'])
    assert.equal(counted(word), seen.filter((one) => one.startsWith(word)).length, word)
  assert.ok(counted('insert') > 0 && more('cadre_statement_duration_seconds_sum') > 0)
  assert.equal(more('cadre_database_wait_seconds_count{work="write"}'), 1)
  assert.ok(more('cadre_database_wait_seconds_count{work="read"}') >= 1)
})

test('abandoned waits are counted too', async () => {
  const more = await growth(async () => {
    const isAbandoned = () => true
    await assert.rejects(service.database.write(async () => undefined, { isAbandoned, accountId: 1 }))
    await assert.rejects(service.database.read(async () => undefined, { isAbandoned }))
  })
  assert.equal(more('cadre_database_wait_seconds_count{work="write"}'), 1)
  assert.equal(more('cadre_database_wait_seconds_count{work="read"}'), 1)
})

test('requests waiting for the database are reported while they wait', async () => {
  const waiting =
    ENGINE === 'sqlite' ? 'cadre_database_waiting{for="write"}' : 'cadre_database_waiting{for="connection"}'
  const most = ENGINE === 'sqlite' ? 1 : 10
  assert.equal(total(await scrape(), waiting), 0)
  let letGo = () => {}
  const gate = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const held = Array.from({ length: most }, () => {
    let begun = () => {}
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve
    })
    return {
      isBegun,
      done: service.database.write(async () => {
        begun()
        await gate
      }),
    }
  })
  await Promise.all(held.map(({ isBegun }) => isBegun))
  const more = Array.from({ length: 3 }, () => service.database.write(async () => undefined))
  const figures = await scrape()
  letGo()
  await Promise.all([...held.map(({ done }) => done), ...more])
  assert.equal(total(figures, waiting), 3)
  assert.equal(total(figures, 'cadre_database_connections_max'), ENGINE === 'sqlite' ? 4 : 10)
  if (ENGINE === 'postgres') assert.equal(total(figures, 'cadre_database_connections{state="busy"}'), 10)
  assert.equal(total(await scrape(), waiting), 0)
})

test('the process reports event loop, memory and CPU', async () => {
  const { values, types } = await scrape()
  assert.equal(types.get('process_cpu_seconds_total'), 'counter')
  for (const name of [
    'process_resident_memory_bytes',
    'cadre_eventloop_busy_seconds_total',
    'process_cpu_seconds_total',
  ])
    assert.ok((values.get(name) ?? 0) > 0, name)
  for (const name of ['p50', 'p99', 'max']) assert.ok((values.get(`nodejs_eventloop_lag_${name}_seconds`) ?? -1) >= 0)
  assert.match([...values.keys()].join('\n'), new RegExp(`cadre_info\\{version="[\\d.]+",engine="${ENGINE}"`))
})

test('metrics are served on their own port only, and only if one is set', async () => {
  const at = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method })
  assert.equal((await at('/')).status, 404)
  assert.equal((await at('//')).status, 404)
  assert.equal((await at('/metrics', 'POST')).status, 405)
  const head = await at('/metrics', 'HEAD')
  assert.ok(head.status === 200 && (await head.text()) === '')
  for (const path of ['/metrics', '/api/public/v3/metrics'])
    assert.equal((await service.get(service.url + path)).status, 404, path)
  const without = await startService()
  assert.equal(without.database.observers.size, 0)
  assert.equal((await without.get(`${without.url}/metrics`)).status, 404)
  await without.stop()
})

test('a start fails and names the port if METRICS_PORT or PORT is taken', async () => {
  const environment = { DATABASE_URL: service.databaseUrl, METRICS_PORT: String(port), PORT: String(await freePort()) }
  const { code, stderr } = await runCommand(['serve'], { ...environment, LOG_LEVEL: 'silent' })
  assert.equal(code, 1)
  assert.match(
    stderr,
    new RegExp(
      `^cadre: METRICS_PORT: port ${port} on 127.0.0.1 is already in use. Set METRICS_PORT to another port\n$`,
    ),
  )
  // In the gate, `start` has the other one.
  if (!isThorough) return
  const other = { ...environment, METRICS_PORT: environment.PORT, PORT: new URL(service.url).port }
  const refused = await runCommand(['serve'], { ...other, LOG_LEVEL: 'silent' })
  assert.equal(refused.code, 1)
  assert.match(
    refused.stderr,
    /^cadre: port \d+ on 127.0.0.1 is already in use\. Stop the other program, or set PORT\n$/,
  )
})

test('a parent process reports all its workers together', async () => {
  const theirs = await freePort()
  const parent = spawn(process.execPath, ['test/metrics-cluster.ts'], {
    env: { ...process.env, DATABASE_URL: service.databaseUrl, METRICS_PORT: String(theirs), LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(parent.stdout, 'data')
  const workers: { url: string }[] = JSON.parse(String(line))
  for (const [n, { url }] of workers.entries())
    for (let times = 0; times <= n; times++) assert.equal((await fetch(`${url}/healthz`)).status, 200)
  const figures = parse(await (await fetch(`http://127.0.0.1:${theirs}/metrics`)).text())
  assert.equal(total(figures, REQUESTS, 'route="/healthz"'), 3)
  assert.equal(total(figures, 'cadre_processes'), 2)
  assert.equal(total(figures, 'cadre_info'), 1)
  parent.kill()
  await once(parent, 'close')
})

longTest('counts of a worker are kept when it hangs or dies', async () => {
  const theirs = await freePort()
  const parent = spawn(process.execPath, ['test/metrics-cluster.ts'], {
    env: { ...process.env, DATABASE_URL: service.databaseUrl, METRICS_PORT: String(theirs), LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(parent.stdout, 'data')
  const workers: { url: string; pid: number }[] = JSON.parse(String(line))
  for (const { url } of workers) assert.equal((await fetch(`${url}/healthz`)).status, 200)
  const look = async () => parse(await (await fetch(`http://127.0.0.1:${theirs}/metrics`)).text())
  const counts = (figures: Figures) => [
    total(figures, REQUESTS, 'route="/healthz"'),
    total(figures, 'cadre_http_request_duration_seconds_count', 'route="/healthz"'),
  ]
  assert.deepEqual(counts(await look()), [2, 2])
  const [stuck] = workers as [{ url: string; pid: number }]
  process.kill(stuck.pid, 'SIGSTOP')
  const without = await look()
  assert.deepEqual(counts(without), [2, 2])
  assert.equal(total(without, 'cadre_processes'), 1)
  process.kill(stuck.pid, 'SIGKILL')
  await once(parent.stdout, 'data')
  const left = await look()
  assert.deepEqual(counts(left), [2, 2])
  assert.equal(total(left, 'cadre_processes'), 1)
  parent.kill()
  await once(parent, 'close')
})

test('metrics of several processes are combined by sum or maximum', () => {
  const family = (name: string, how: 'sum' | 'max', samples: [string, number][]) =>
    ({ name, help: 'h', type: 'gauge', together: how, samples }) as const
  const of = (a: number, b: number) => [family('a', 'sum', [['a{x="1"}', a]]), family('b', 'max', [['b', b]])]
  assert.deepEqual(
    together([of(1, 7), of(2, 5), [family('a', 'sum', [['a{x="2"}', 4]])]]).map(({ samples }) => samples),
    [
      [
        ['a{x="1"}', 3],
        ['a{x="2"}', 4],
      ],
      [['b', 7]],
    ],
  )
})
