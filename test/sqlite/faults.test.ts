import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { freshDatabase, type Service, sender, startService } from '../harness.ts'
import { startHere } from '../in-process.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

const file = () => service.databaseUrl.replace('sqlite:', '')

test('failing readers return their connections', async () => {
  // What a broken reader does: it ends its transaction behind the back of the one who began it.
  const broken = () => service.database.read((db) => sql`commit`.execute(db))
  for (let n = 0; n < 10; n++) await assert.rejects(broken)
  for (let n = 0; n < 10; n++) await assert.rejects(service.database.read(() => Promise.reject(new Error('no'))))
  assert.equal((await service.get('/divisions')).status, 200)
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
})

test('a write whose transaction ends early fails with its own error, and the next one works', async () => {
  const ended = service.database.write(async (db) => {
    await sql`rollback`.execute(db)
    throw new Error('the disk is gone')
  })
  await assert.rejects(ended, /the disk is gone/)
  assert.equal((await service.post('/divisions', { name: 'After the fault' })).status, 201)
})

test('while another process holds the write lock, a write waits while reads and health checks work', async () => {
  const other = new DatabaseSync(file())
  other.exec('begin immediate')
  let isDone = false
  const write = service.post('/divisions', { name: 'Patient' }).then((answer) => {
    isDone = true
    return answer
  })
  // Had the write blocked the process, none of these could be answered before it.
  for (let n = 0; n < 5; n++) {
    assert.equal((await service.get('/divisions')).status, 200)
    assert.equal((await fetch(`${service.url}/healthz`)).status, 200)
  }
  assert.equal(isDone, false)
  other.exec('rollback')
  other.close()
  assert.equal((await write).status, 201)
})

test('/readyz fails when the database can be read but not written', async () => {
  const { url, remove } = await freshDatabase()
  const one = await startHere({ DATABASE_URL: url, LOG_LEVEL: 'silent' })
  const other = new DatabaseSync(url.replace('sqlite:', ''))
  // The row it would write to is gone, in the most thorough way.
  other.exec('drop table heartbeat')
  other.close()
  assert.equal((await fetch(`${one.url}/healthz`)).status, 200)
  assert.notEqual((await fetch(`${one.url}/readyz`)).status, 200)
  await one.stop()
  await remove()
})

test('a stopped service leaves one database file and no write-ahead log', async () => {
  const { url, remove } = await freshDatabase()
  const KEY = 'a-key-for-the-faults-0123456789-abcdef'
  const one = await startHere({ DATABASE_URL: url, CADRE_API_KEY: KEY })
  assert.equal((await sender(one.url, KEY)('POST', '/divisions', { json: { name: 'Kept' } })).status, 201)
  assert.equal(await one.stop(), 0)
  assert.deepEqual(readdirSync(dirname(url.replace('sqlite:', ''))), ['cadre.db'])
  await remove()
})

test('commits are durable before they are acknowledged: WAL with synchronous=FULL', async () => {
  const settings = await service.database.write(async (db) => {
    const one = async (name: string) =>
      Object.values((await sql.raw<object>(`pragma ${name}`).execute(db)).rows[0] ?? {})[0]
    return [await one('journal_mode'), await one('synchronous'), await one('foreign_keys')]
  })
  assert.deepEqual(settings, ['wal', 2, 1])
})
