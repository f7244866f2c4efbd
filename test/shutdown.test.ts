import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { readConfig, trustOf } from '../src/config.ts'
import { freshDatabase, sender } from './harness.ts'
import { startProcess } from './process.ts'

const KEY = 'a-key-for-the-shutdown-0123456789-abc'

test('half-sent requests do not keep the service from stopping, and what was accepted is answered', async () => {
  const { url, remove } = await freshDatabase()
  const service = await startProcess({ DATABASE_URL: url, CADRE_API_KEY: KEY })
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
  const code = await service.stop('SIGTERM')
  assert.equal(code, 0)
  // Ten seconds are promised; what is measured here is that it does not wait for the half-sent ones' time-outs.
  assert.ok(performance.now() - begun < 30_000)
  for (const answer of await answers) if (answer.status === 'fulfilled') assert.equal(answer.value.status, 201)
  await remove()
})

for (const workers of ['1', '2'])
  test(`what has reached a busy service before it is told to stop is answered, with ${workers} of them`, async () => {
    const { url, remove } = await freshDatabase()
    const service = await startProcess({ DATABASE_URL: url, CADRE_API_KEY: KEY, WORKERS: workers })
    const { port, hostname } = new URL(service.url)
    const request = `GET /api/public/v3/divisions HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${KEY}\r\n\r\n`
    const dial = () =>
      new Promise<{ ask: () => void; closed: Promise<string> }>((resolve) => {
        let text = ''
        const socket = connect(Number(port), hostname, () => resolve({ ask: () => socket.write(request), closed }))
        const closed = new Promise<string>((end) => {
          socket.on('data', (bytes) => {
            text += bytes
          })
          socket.on('error', (error) => end(String(error)))
          socket.on('close', () => end(text))
        })
      })
    const kept = await Promise.all(Array.from({ length: 5 }, dial))
    for (const one of kept) one.ask()
    await new Promise((resolve) => setTimeout(resolve, 300))
    // As if it had to do: the system takes connections and bytes for it meanwhile.
    service.child.kill('SIGSTOP')
    const fresh = await Promise.all(Array.from({ length: 25 }, dial))
    for (const one of [...kept, ...fresh]) one.ask()
    await new Promise((resolve) => setTimeout(resolve, 50))
    service.child.kill('SIGTERM')
    service.child.kill('SIGCONT')
    const answers = (all: typeof kept) =>
      Promise.all(all.map(async (one) => (await one.closed).split('HTTP/1.1 200').length - 1))
    assert.deepEqual([await answers(kept), await answers(fresh)], [kept.map(() => 2), fresh.map(() => 1)])
    await remove()
  })

test('the word of proxies is taken only from so many, or from their networks', () => {
  assert.equal(trustOf('false'), false)
  assert.equal(trustOf('true'), 1)
  assert.equal(trustOf('2'), 2)
  assert.deepEqual(trustOf('10.0.0.0/8, loopback, fd00::/8'), ['10.0.0.0/8', 'loopback', 'fd00::/8'])
  for (const wrong of ['yes', '0', '10.0.0.0/33', 'everybody', '-1'])
    assert.throws(() => readConfig({ TRUST_PROXY: wrong }), /TRUST_PROXY/, wrong)
})
