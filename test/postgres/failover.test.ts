import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sender } from '../harness.ts'
import { startHere } from '../in-process.ts'
import { postgresServer } from '../postgres-server.ts'
import { longTest } from '../thorough.ts'
import { on, until } from './on-servers.ts'

const KEY = 'a-key-for-the-failover-0123456789-abcdef'

test('a failover causes 503 for a while, then the service continues and shows nothing that the new server lacks', async () => {
  const first = await postgresServer()
  const second = await first.follow()
  const [{ host: one }, { host: two }] = [new URL(first.url()), new URL(second.url())]
  const service = await startHere({
    DATABASE_URL: `postgres://cadre@${two},${one}/postgres`,
    CADRE_API_KEY: KEY,
    LOG_LEVEL: 'silent',
  })
  const send = sender(service.url, KEY)
  try {
    const names = async () => (await send('GET', '/divisions?per_page=200')).body?.data?.map((each: any) => each.name)
    assert.equal((await send('POST', '/divisions', { json: { name: 'Both' } })).status, 201)
    const [{ at }] = await on(first.url(), 'select pg_current_wal_lsn() as at')
    const hasCome = `select pg_last_wal_replay_lsn() >= '${at}'::pg_lsn as is_there`
    await until(async () => (await on(second.url(), hasCome))[0].is_there)
    // What the second has not got yet is lost with the first.
    await on(second.url(), 'select pg_wal_replay_pause()')
    await on(first.url(), 'select pg_terminate_backend(pid) from pg_stat_replication')
    assert.equal((await send('POST', '/divisions', { json: { name: 'Lost' } })).status, 201)
    assert.deepEqual(await names(), ['Both', 'Lost'])
    assert.deepEqual(await names(), ['Both', 'Lost'], 'now from memory')

    const statuses: number[] = []
    const ask = async () => {
      const { status } = await send('GET', '/divisions?per_page=200')
      statuses.push(status)
      return status
    }
    await first.stop('kill')
    await until(async () => (await ask()) === 503)
    await on(second.url(), 'select pg_wal_replay_resume()')
    await on(second.url(), 'select pg_promote()')
    await until(async () => (await ask()) === 200)
    assert.deepEqual(new Set(statuses), new Set([200, 503]))
    assert.deepEqual(await names(), ['Both'])
    // It counts on from where it stands: the next change has the number of the one that is lost.
    assert.equal((await send('POST', '/divisions', { json: { name: 'Other' } })).status, 201)
    assert.deepEqual(await names(), ['Both', 'Other'])
  } finally {
    await service.stop()
    await second.remove()
    await first.remove()
  }
})

longTest('a server that became read-only is not used again while another one accepts writes', async () => {
  const first = await postgresServer()
  const second = await first.follow()
  const [{ host: one }, { host: two }] = [new URL(first.url()), new URL(second.url())]
  const service = await startHere({
    DATABASE_URL: `postgres://cadre@${one},${two}/postgres`,
    CADRE_API_KEY: KEY,
    LOG_LEVEL: 'silent',
  })
  const send = sender(service.url, KEY)
  try {
    const write = async (name: string) => (await send('POST', '/divisions', { json: { name } })).status
    await Promise.all(Array.from({ length: 8 }, (_, n) => write(`before ${n}`)))
    await on(second.url(), 'select pg_promote()')
    // As a server that was set to follow, its connections stay.
    await on(first.url(), 'alter system set default_transaction_read_only = on')
    await on(first.url(), 'select pg_reload_conf()')
    await until(async () => (await write('again')) === 201)
    const [{ count }] = await on(second.url(), "select count(*) from divisions where name = 'again'")
    assert.equal(Number(count), 1)
    const statuses = await Promise.all(Array.from({ length: 8 }, (_, n) => write(`after ${n}`)))
    assert.deepEqual(new Set(statuses), new Set([201]))
  } finally {
    await service.stop()
    await second.remove()
    await first.remove()
  }
})
