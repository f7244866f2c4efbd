import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { sender } from '../harness.ts'
import { runHere, startHere } from '../in-process.ts'
import { hasPooler, pooler } from '../pooler.ts'
import { type PostgresServer, postgresServer } from '../postgres-server.ts'
import { startProcess } from '../process.ts'
import { isThorough, rounds } from '../thorough.ts'

const KEY = 'a-key-for-the-pooler-0123456789-abcdef'

if (!hasPooler) console.error('NOT TESTED behind a pooler: pgbouncer is not installed on this machine')

describe('behind a transaction pooler', {
  // In the long run it must be there.
  skip: !hasPooler && !isThorough && 'no pgbouncer',
}, () => {
  let server: PostgresServer
  let between: Awaited<ReturnType<typeof pooler>>
  before(async () => {
    server = await postgresServer()
    between = await pooler(server.url())
  })
  after(async () => {
    await between?.stop()
    await server?.remove()
  })

  test('a start without DATABASE_POOLER fails at once and names the setting', async () => {
    await assert.rejects(
      startHere({ DATABASE_URL: between.url, CADRE_API_KEY: KEY, DATABASE_WAIT: '60', LOG_LEVEL: 'silent' }),
      /DATABASE_POOLER=transaction/,
    )
  })

  test('a start behind a pooler in statement mode fails at once and names the mode to set', async () => {
    const without = await pooler(server.url(), 'statement')
    const environment = { DATABASE_URL: without.url, DATABASE_POOLER: 'transaction', DATABASE_WAIT: '60' }
    const { code, stdout, stderr } = await runHere(['serve'], environment)
    await without.stop()
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(
      stderr,
      /^cadre: PostgreSQL at .* is behind a connection pooler .*\. Set pool_mode = transaction in the pooler\n$/,
    )
  })

  test('migrations, concurrent writes and reads work, and times are in UTC', async () => {
    const client = new pg.Client({ connectionString: server.url() })
    await client.connect()
    // What a connection would know by itself is another thing.
    await client.query("alter database postgres set timezone to 'Asia/Tokyo'")
    await client.query("alter database postgres set datestyle to 'SQL, DMY'")
    const service = await (isThorough ? startProcess : startHere)({
      DATABASE_URL: between.url,
      DATABASE_POOLER: 'transaction',
      CADRE_API_KEY: KEY,
      LOG_LEVEL: 'silent',
      WORKERS: isThorough ? '2' : '1',
    })
    const send = sender(service.url, KEY)
    try {
      const people = await Promise.all(
        Array.from({ length: rounds(12, 24) }, async (_, n) => {
          const json = { first_name: `F${n}`, last_name: `L${n}`, date_of_birth: '1990-02-03' }
          const made = await send('POST', '/employees', { json })
          assert.equal(made.status, 201, made.text)
          const { id } = made.body.data
          const changed = await send('PUT', `/employees/${id}`, { json: { first_name: `G${n}` } })
          assert.deepEqual([changed.status, changed.body.data.first_name], [200, `G${n}`])
          const shown = await send('GET', `/employees/${id}`)
          assert.deepEqual([shown.body.data.first_name, shown.body.data.date_of_birth], [`G${n}`, '1990-02-03'])
          const list = await send('GET', `/employees?q=L${n}&per_page=10&sort=-id`)
          assert.equal(list.status, 200)
          assert.ok(Math.abs(Date.parse(shown.body.data.created_at) - Date.now()) < 3_600_000)
          return id
        }),
      )
      const { body } = await send('GET', '/employees?per_page=200')
      assert.deepEqual(
        body.data.map((one: any) => one.id).toSorted((a: number, b: number) => a - b),
        people.toSorted((a, b) => a - b),
      )
      const { rows } = await client.query("select count(*) from pg_stat_activity where datname = 'postgres'")
      assert.ok(Number(rows[0].count) <= 4, `${rows[0].count} connections behind the pooler`)
    } finally {
      await service.stop()
      await client.end()
    }
  })
})
