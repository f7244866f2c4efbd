import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { type AddressInfo, createServer as createNetServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { tracingOf } from '../src/config.ts'
import { ENGINE, type Service, sender, startService } from './harness.ts'
import { startHere } from './in-process.ts'
import { type Span, spansIn } from './otlp.ts'
import { until } from './postgres/on-servers.ts'
import { freePort } from './postgres-server.ts'
import { type ServiceProcess, startProcess } from './process.ts'
import { longTest } from './thorough.ts'

/** Traces as a collector receives them from a process that an operator has started with the usual variables. */

let service: Service
let traced: ServiceProcess
let send: ReturnType<typeof sender>
let collector: Server
const received: Buffer[] = []
const types = new Set<string | undefined>()
const heard = new Set<() => void>()

before(async () => {
  collector = createServer(async (sent, response) => {
    const bytes = Buffer.concat(await sent.toArray())
    if (sent.url === '/v1/traces') {
      received.push(bytes)
      types.add(sent.headers['content-type'])
    }
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
    for (const tell of heard) tell()
  }).listen(0, '127.0.0.1')
  service = await startService()
  traced = await startProcess({ ...told(), OTEL_SERVICE_NAME: 'people of ours' })
  send = sender(traced.url, service.key)
})
after(async () => {
  await traced.stop()
  collector.close()
  await service.stop()
})

const told = () => ({
  DATABASE_URL: service.databaseUrl,
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
  OTEL_BSP_SCHEDULE_DELAY: '20',
})

/** Resolves with what came of something that the collector has received, once it has. */
const once = <T>(look: () => T | undefined): Promise<T> =>
  new Promise((resolve) => {
    const tell = () => {
      const found = look()
      if (found === undefined) return
      heard.delete(tell)
      resolve(found)
    }
    heard.add(tell)
    tell()
  })

/** The spans of a trace, once that of its request is among them: it ends last. */
const spansOf = (traceId: string) =>
  once(() => {
    const spans = received.flatMap(spansIn).filter((span) => span.traceId === traceId)
    return spans.some(({ kind }) => kind === SERVER) ? spans : undefined
  })

const SERVER = 2
const requestOf = async (traceId: string) => (await spansOf(traceId)).find(({ kind }) => kind === SERVER) as Span

/** A trace that somebody else has begun. */
function begin(flags = '01') {
  const [traceId, parentId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { traceId, parentId, headers: { traceparent: `00-${traceId}-${parentId}-${flags}` } }
}

test('a request continues the trace of its caller, with a child span for each statement', async () => {
  const { traceId, parentId, headers } = begin()
  const answer = await send('GET', '/genders?per_page=3', { headers })
  const spans = await spansOf(traceId)
  const parent = await requestOf(traceId)
  assert.equal(parent.name, 'GET /api/public/v3/genders')
  assert.equal(parent.parentSpanId, parentId)
  assert.deepEqual(parent.attributes, {
    'http.request.method': 'GET',
    'http.route': '/api/public/v3/genders',
    'http.response.status_code': 200,
    'cadre.request_id': answer.headers.get('x-request-id'),
  })
  const children = spans.filter(({ kind }) => kind !== SERVER)
  assert.ok(children.every(({ parentSpanId }) => parentSpanId === parent.spanId))
  const [select] = children.filter(({ name }) => name === 'select genders') as [Span]
  assert.ok(select, children.map(({ name }) => name).join())
  assert.equal(select.attributes['db.system.name'], ENGINE === 'sqlite' ? 'sqlite' : 'postgresql')
  assert.match(String(select.attributes['db.query.text']), /^select .*(\?|\$1)/)
  assert.ok(0n < select.start && select.start <= select.end)
  assert.equal(parent.resource['service.name'], 'people of ours')
})

test('queued writes each have their own statement and wait spans, with a body in any format', async () => {
  const traces = Array.from({ length: 6 }, () => begin())
  const answers = await Promise.all(
    traces.map(({ headers, traceId }, n) => {
      const values = { name: `Traced ${traceId}` }
      const multipart = new FormData()
      multipart.set('name', values.name)
      const bodies = [{ json: values }, { form: values }, { multipart }]
      return send('POST', '/divisions', { headers, ...bodies[n % 3] })
    }),
  )
  for (const answer of answers) assert.equal(answer.status, 201, answer.text)
  for (const { traceId } of traces) {
    const names = (await spansOf(traceId)).map(({ name }) => name)
    for (const name of ['POST /api/public/v3/divisions', 'wait to write', 'update accounts', 'insert divisions'])
      assert.ok(names.includes(name), `${name} among ${names}`)
    assert.equal(names.filter((name) => name === 'insert divisions').length, 1)
  }
})

test('statements after a late body belong to their request', async () => {
  const { traceId, headers } = begin()
  const name = `Late ${traceId}`
  const status = await new Promise((resolve, reject) => {
    const body = JSON.stringify({ name })
    const sending = request(`${traced.url}/api/public/v3/divisions`, {
      method: 'POST',
      headers: {
        ...headers,
        'x-api-key': service.key,
        'content-type': 'application/json',
        'content-length': body.length,
        expect: '100-continue',
      },
    })
    sending.on('error', reject).on('response', (response) => resolve(response.resume().statusCode))
    // The request is being looked at already, and its key was found, when its body comes.
    sending.on('continue', () => sending.end(body))
    sending.flushHeaders()
  })
  assert.equal(status, 201)
  const names = (await spansOf(traceId)).map(({ name }) => name)
  assert.ok(names.includes('insert divisions'), names.join())
})

test('cached responses and unknown paths have spans too', async () => {
  const path = '/divisions?per_page=2'
  await send('GET', path)
  const again = begin()
  await send('GET', path, { headers: again.headers })
  assert.equal((await requestOf(again.traceId)).name, 'GET /api/public/v3/divisions')
  const nowhere = begin()
  await send('DELETE', `${traced.url}/nowhere`, { headers: nowhere.headers })
  const none = await requestOf(nowhere.traceId)
  assert.equal(none.name, 'DELETE')
  assert.equal(none.attributes['http.response.status_code'], 404)
  assert.notEqual(none.status, 2)
})

test('no trace contains a value, id or key', async () => {
  const { traceId, headers } = begin()
  const made = await send('POST', '/employees', { json: { first_name: 'Wilhelmina', last_name: 'Quux' }, headers })
  assert.equal(made.status, 201)
  const looked = begin()
  await send('GET', `/employees/${made.body.data.id}?q=Zzyzx`, { headers: looked.headers })
  assert.equal((await requestOf(looked.traceId)).attributes['http.route'], '/api/public/v3/employees/:id')
  await spansOf(traceId)
  const all = Buffer.concat(received).toString()
  assert.match(all, /insert employees/)
  for (const secret of ['Wilhelmina', 'Quux', 'Zzyzx', service.key, `/employees/${made.body.data.id}`, 'Test company'])
    assert.ok(!all.includes(secret), secret)
})

test('a trace that its caller does not sample is not kept', async () => {
  const [dropped, kept] = [begin('00'), begin()]
  await send('GET', '/genders?page=7', { headers: dropped.headers })
  await send('GET', '/genders?page=8', { headers: kept.headers })
  await spansOf(kept.traceId)
  assert.ok(!received.flatMap(spansIn).some(({ traceId }) => traceId === dropped.traceId))
})

test('traces are sent as protobuf, and the last ones when the service stops', async () => {
  const { OTEL_BSP_SCHEDULE_DELAY: _soon, ...environment } = told()
  const process = await startHere(environment)
  const { traceId, headers } = begin()
  await sender(process.url, service.key)('GET', '/genders', { headers })
  assert.equal(await process.stop(), 0)
  assert.ok((await spansOf(traceId)).some(({ name }) => name === 'select genders'))
  assert.deepEqual([...types], ['application/x-protobuf'])
})

test('an unavailable collector costs one log line and nothing else', async () => {
  const nowhere = `http://127.0.0.1:${await freePort()}`
  const process = await startHere({
    ...told(),
    OTEL_EXPORTER_OTLP_ENDPOINT: nowhere,
    OTEL_EXPORTER_OTLP_TIMEOUT: '200',
  })
  const answer = await sender(process.url, service.key)('GET', '/genders')
  assert.equal(answer.status, 200)
  await until(() => /traces could not be exported/.test(process.output()))
  assert.equal(await process.stop(), 0)
  assert.equal(process.output().match(/traces could not be exported/g)?.length, 1)
})

longTest('a silent collector does not delay a stop beyond its timeout', async () => {
  const held = new Set<Socket>()
  const silent = createNetServer((socket) => held.add(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const process = await startProcess({
    ...told(),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_TIMEOUT: '90000',
    OTEL_BSP_EXPORT_TIMEOUT: '90000',
  })
  assert.equal((await sender(process.url, service.key)('GET', '/genders')).status, 200)
  const begun = performance.now()
  assert.equal(await process.stop(), 0)
  // Two seconds are promised; what is measured here is that it does not wait for the collector.
  assert.ok(performance.now() - begun < 30_000)
  for (const socket of held) socket.destroy()
  silent.close()
})

test('tracing is off unless the OTEL variables enable it, and invalid ones stop the start', () => {
  const on = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
  assert.equal(tracingOf({}), undefined)
  assert.equal(tracingOf({ OTEL_SERVICE_NAME: 'x', OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://x' }), undefined)
  assert.equal(tracingOf({ ...on, OTEL_TRACES_EXPORTER: 'none' }), undefined)
  assert.equal(tracingOf({ ...on, OTEL_SDK_DISABLED: 'TRUE' }), undefined)
  assert.ok(tracingOf({ ...on, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' }))
  assert.ok(
    tracingOf({
      ...on,
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    }),
  )
  assert.equal(tracingOf({ OTEL_TRACES_EXPORTER: 'otlp' })?.sampler, 'parentbased_always_on')
  assert.equal(tracingOf({ ...on, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' })?.ratio, 0.1)
  // It is said to those who take a part, and means nothing to others.
  for (const sampler of ['always_on', 'parentbased_always_off', ''])
    assert.equal(tracingOf({ ...on, OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: 'x' })?.ratio, 1)
  for (const wrong of [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'nonsense' },
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'collector:4318' },
    { OTEL_TRACES_EXPORTER: 'zipkin' },
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
    { OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' },
    { OTEL_TRACES_SAMPLER: 'now_and_then' },
    { OTEL_TRACES_SAMPLER_ARG: '2', OTEL_TRACES_SAMPLER: 'traceidratio' },
    { OTEL_TRACES_SAMPLER_ARG: 'half', OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' },
    { OTEL_BSP_MAX_QUEUE_SIZE: '-1' },
  ])
    assert.throws(
      () => tracingOf({ ...on, ...wrong }),
      new RegExp(`^Error: Configuration: ${Object.keys(wrong)[0]} must`),
    )

  const importing = (pattern: RegExp) =>
    readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && pattern.test(readFileSync(join('src', file), 'utf8')),
    )
  assert.deepEqual(importing(/'@opentelemetry\//), [join('surfaces', 'monitoring', 'traces.ts')])
  assert.deepEqual(importing(/from '.*traces\.ts'/), [])
})
