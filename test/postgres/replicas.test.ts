import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { sender } from '../harness.ts'
import { type PostgresServer, postgresServer } from '../postgres-server.ts'
import { startProcess } from '../process.ts'

const KEY = 'a-key-for-the-replica-0123456789-abcdef'

let first: PostgresServer
let second: PostgresServer
let service: Awaited<ReturnType<typeof startProcess>>
let send: ReturnType<typeof sender>

before(async () => {
  first = await postgresServer()
  second = await first.follow()
  service = await startProcess({
    DATABASE_URL: first.url(),
    DATABASE_REPLICAS: second.url(),
    CADRE_API_KEY: KEY,
    LOG_LEVEL: 'silent',
    // Every answer is made anew.
    CACHE_MB: '0',
  })
  send = sender(service.url, KEY)
})

after(async () => {
  await service?.stop()
  await second?.remove()
  await first?.remove()
})

async function on(server: PostgresServer, statement: string): Promise<any[]> {
  const client = new pg.Client({ connectionString: server.url() })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** How often a server has looked at divisions. */
async function looksAt(server: PostgresServer): Promise<number> {
  await on(server, 'select pg_stat_force_next_flush()').catch(() => undefined)
  const [row] = await on(
    server,
    "select coalesce(seq_scan, 0) + coalesce(idx_scan, 0) as looks from pg_stat_user_tables where relname = 'divisions'",
  )
  return Number(row.looks)
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('It did not happen within a minute')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** The other one has all that this one has. */
const caughtUp = async () => {
  const [{ at }] = await on(first, 'select pg_current_wal_lsn() as at')
  await until(
    async () => (await on(second, `select pg_last_wal_replay_lsn() >= '${at}'::pg_lsn as is_there`))[0].is_there,
  )
}

test('reads go to the server that follows, once it has what there is', async () => {
  await send('POST', '/divisions', { json: { name: 'First' } })
  await caughtUp()
  const [here, there] = [await looksAt(first), await looksAt(second)]
  for (let n = 0; n < 100; n++) assert.equal((await send('GET', '/divisions?per_page=5')).status, 200)
  await until(async () => (await looksAt(second)) >= there + 100)
  // Servers tell with some delay what they have done.
  assert.ok((await looksAt(first)) < here + 50, 'the server that takes writes was asked for records')
})

test('who has written sees it at once, whichever server is asked', async () => {
  for (let n = 0; n < 60; n++) {
    const { status, body } = await send('POST', '/divisions', { json: { name: `d${n}` } })
    assert.equal(status, 201)
    const shown = await send('GET', `/divisions/${body.data.id}`)
    assert.deepEqual([shown.status, shown.body?.data?.name], [200, `d${n}`])
    const all = await send('GET', '/divisions?sort=-id&per_page=1')
    assert.deepEqual([all.body.data[0].id, all.body.metadata.count], [body.data.id, n + 2])
  }
})

test('a server that is behind is not believed', async () => {
  await on(second, 'select pg_wal_replay_pause()')
  try {
    for (let n = 0; n < 30; n++) {
      const made = await send('POST', '/divisions', { json: { name: `behind ${n}` } })
      const { body } = await send('GET', '/divisions?sort=-id&per_page=1')
      assert.equal(body.data[0].id, made.body.data.id)
    }
  } finally {
    await on(second, 'select pg_wal_replay_resume()')
  }
})

test('what nobody counts in the ledger is read where it is written', async () => {
  const { body: hired } = await send('POST', '/employees', { json: { first_name: 'Ada', last_name: 'Lovelace' } })
  const salary = { amount: '4000', currency_code: 'EUR', per: 'month', effective_on: '2024-02-01' }
  const paid = await send('POST', `/employees/${hired.data.id}/salaries`, { json: salary })
  assert.equal(paid.status, 201, paid.text)
  const noted = async () => (await send('GET', '/reads')).body.metadata.count as number
  await caughtUp()
  await on(second, 'select pg_wal_replay_pause()')
  try {
    const [{ count }] = await on(second, 'select count(*) from reads')
    // Whoever looks at pay is noted, without a number.
    assert.equal((await send('GET', `/employees/${hired.data.id}`)).status, 200)
    await until(async () => (await noted()) > Number(count))
  } finally {
    await on(second, 'select pg_wal_replay_resume()')
  }
})

test('a number that the ledger has come to is answered; one beyond it is refused, and nothing is done', async () => {
  const { headers } = await send('GET', '/divisions')
  const number = Number(headers.get('cadre-ledger'))
  const sent = (value: number | string) => ({ headers: { 'cadre-ledger': String(value) } })
  assert.equal((await send('GET', '/divisions', sent(number))).status, 200)
  const ahead = await send('GET', '/divisions', sent(number + 1))
  assert.deepEqual([ahead.status, ahead.body.code], [412, 'ledger_behind'])
  const written = await send('POST', '/divisions', { json: { name: 'Never' }, ...sent(number + 1) })
  assert.equal(written.status, 412)
  assert.equal((await send('GET', '/divisions', sent('soon'))).status, 400)
  assert.equal(Number((await send('GET', '/divisions')).headers.get('cadre-ledger')), number)
})

test('a server that goes away is left out without an error, and taken back when it is there again', async () => {
  const statuses = new Set<number>()
  let isRunning = true
  const readers = Array.from({ length: 4 }, async () => {
    while (isRunning) statuses.add((await send('GET', '/divisions?per_page=5')).status)
  })
  try {
    await second.stop('kill')
    const made = await send('POST', '/divisions', { json: { name: 'Alone' } })
    assert.equal((await send('GET', `/divisions/${made.body.data.id}`)).status, 200)
    await second.start()
    await caughtUp()
    const there = await looksAt(second)
    await until(async () => (await looksAt(second)) > there)
  } finally {
    isRunning = false
    await Promise.all(readers)
  }
  assert.deepEqual([...statuses], [200])
})
