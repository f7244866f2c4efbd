import assert from 'node:assert/strict'
import { connect, createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { sender } from '../harness.ts'
import { type ServiceHere, startHere } from '../in-process.ts'
import { type PostgresServer, postgresServer } from '../postgres-server.ts'
import { longTest } from '../thorough.ts'
import { on, until } from './on-servers.ts'

const KEY = 'a-key-for-broken-lines-0123456789-abcdef'

let server: PostgresServer
let proxy: Awaited<ReturnType<typeof proxyTo>>
let service: ServiceHere
let send: ReturnType<typeof sender>

before(async () => {
  server = await postgresServer()
  proxy = await proxyTo(Number(new URL(server.url()).port))
  const url = new URL(server.url())
  url.port = String(proxy.port)
  service = await startHere({ DATABASE_URL: url.href, CADRE_API_KEY: KEY, LOG_LEVEL: 'silent', CACHE_MB: '0' })
  send = sender(service.url, KEY)
})

after(async () => {
  await service?.stop()
  proxy?.close()
  await server?.remove()
})

/** Stands between, and can fall silent without a word, as a network does that has forgotten a connection. */
async function proxyTo(port: number) {
  const pairs = new Set<[Socket, Socket]>()
  const listening = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    near.on('data', (chunk) => void (pairs.has(pair) && far.write(chunk)))
    far.on('data', (chunk) => void (pairs.has(pair) && near.write(chunk)))
    for (const one of pair) {
      one.on('error', () => undefined)
      one.on('close', () => {
        near.destroy()
        far.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  return {
    port: (listening.address() as { port: number }).port,
    silence: () => pairs.clear(),
    close: () => listening.close(),
  }
}

longTest('silent connections are dropped: waiting requests get 503, then the service recovers', async () => {
  assert.equal((await send('POST', '/divisions', { json: { name: 'Before' } })).status, 201)
  await Promise.all(Array.from({ length: 8 }, () => send('GET', '/divisions')))
  proxy.silence()
  const statuses = new Set<number>()
  await until(async () => {
    const { status } = await send('GET', '/divisions')
    statuses.add(status)
    return status === 200
  })
  assert.deepEqual([...statuses], [503, 200])
  assert.equal((await send('POST', '/divisions', { json: { name: 'After' } })).status, 201)
})

longTest('a changed table costs at most one 503', async () => {
  const ask = async () => (await send('GET', '/divisions')).status
  await Promise.all(Array.from({ length: 8 }, ask))
  await on(server.url('postgres'), 'alter table divisions add column later text')
  const statuses = await Promise.all(Array.from({ length: 8 }, ask))
  for (const status of statuses) assert.ok(status === 200 || status === 503, String(status))
  await until(async () => (await ask()) === 200)
  assert.deepEqual(new Set(await Promise.all(Array.from({ length: 8 }, ask))), new Set([200]))
})

test('the service recovers after the database refused connections for a while', async () => {
  await on(server.url('postgres'), 'create database aside')
  await on(server.url('aside'), 'alter database postgres allow_connections false')
  await on(server.url('aside'), "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'postgres'")
  await until(async () => (await send('GET', '/divisions')).status !== 200)
  const refused = await send('POST', '/divisions', { json: { name: 'Never' } })
  assert.deepEqual([refused.status, Boolean(refused.headers.get('retry-after'))], [503, true])
  assert.equal((await fetch(`${service.url}/readyz`)).status, 503)
  await on(server.url('aside'), 'alter database postgres allow_connections true')
  await until(async () => (await send('GET', '/divisions')).status === 200)
})
