import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { type Service, startService } from './harness.ts'

/** Between the commit and the answer nothing may fail: whoever is told of a failure takes it that nothing was done. */

let service: Service
/** The header that cannot be written just now. */
let broken: string | undefined

before(async () => {
  service = await startService({
    onApp: (app) =>
      app.addHook('preHandler', async (_request, reply) => {
        const own = reply.header.bind(reply)
        reply.header = (name: string, value?: unknown) => {
          if (name.toLowerCase() === broken) throw new Error(`${name} cannot be written`)
          return own(name, value)
        }
      }),
  })
})
after(() => service.stop())

const count = async () => (await service.get('/divisions?per_page=1')).body.metadata.count

/** Either it is done and said to be, or it is neither. */
async function isDoneAsSaid(send: () => Promise<{ status: number }>, how: string): Promise<void> {
  broken = undefined
  const earlier = await count()
  broken = how
  const { status } = await send()
  broken = undefined
  assert.equal((await count()) - earlier, status < 300 ? 1 : 0, `${how}: ${status}`)
}

test('a write succeeds even if a response header fails', async () => {
  const first = await service.post('/divisions', { name: 'First', misspelt: 1 })
  const names = [...first.headers.keys(), 'set-cookie', 'cadre-omitted', 'idempotency-replayed', 'content-encoding']
  assert.ok(names.includes('location') && names.includes('etag') && names.includes('cadre-ledger'))
  let made = 0
  for (const name of new Set(names))
    await isDoneAsSaid(() => service.post('/divisions', { name: `Number ${++made}`, misspelt: 1 }), name)
  // None of them was refused because of it.
  broken = 'location'
  assert.equal((await service.post('/divisions', { name: 'Last' })).status, 201)
  broken = undefined
})

/** Sends a division with any Host. */
const withHost = (host: string, name: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(service.url)
    const sent = { host, 'x-api-key': service.key, 'content-type': 'application/json', ...headers }
    const asked = request(
      { hostname, port, method: 'POST', path: '/api/public/v3/divisions', headers: sent },
      (answer) => {
        let text = ''
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      },
    )
    asked.on('error', reject)
    asked.end(JSON.stringify({ name }))
  })

test('an invalid Host header is rejected before anything is done', async () => {
  let made = 0
  for (const host of ['%', 'a b', '[', 'a/b', 'me@a', 'a?b', ':x', 'a:99999', '']) {
    const send = () => withHost(host, `Host ${++made}`)
    await isDoneAsSaid(send, host)
    const { status, text } = await withHost(host, `Host again ${++made}`, { cookie: 'cadre_session=x' })
    assert.ok(status < 500, `${host}: ${text}`)
  }
  assert.equal((await withHost('%', 'Refused')).status, 400)
  assert.match((await withHost('%', 'Refused')).text, /"field":"Host"/)
  assert.equal((await withHost('cadre.example.com:8080', 'Taken')).status, 201)
})

test('requests without a key and with an invalid Host never cause a server error', async () => {
  const { hostname, port } = new URL(service.url)
  const paths = [
    '/api/careers/v1/vacancies',
    '/api/public/v3/sign_in/ways',
    '/sign-in',
    '/openapi.json',
    '/careers',
    '/',
  ]
  for (const path of paths) {
    const status = await new Promise<number>((resolve, reject) =>
      request({ hostname, port, path, headers: { host: '%', cookie: 'cadre_session=x' } }, (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
        .on('error', reject)
        .end(),
    )
    // Without a build, pages say how to make one.
    const isUnbuilt = status === 503 && ['/sign-in', '/careers', '/'].includes(path)
    assert.ok((status > 0 && status < 500) || isUnbuilt, `${path}: ${status}`)
  }
})
