import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { ReadLimiter } from '../../src/database/read-limiter.ts'
import { ENGINE, type Service, startService } from '../harness.ts'
import { until } from './on-servers.ts'

/** Reads that do not come to an end take no more than their part of the connections. */

const only = { skip: ENGINE !== 'postgres' && 'only PostgreSQL has connections to share' }

/** Has a service of so many connections, and holds a table that all who read candidates wait for. */
async function whileStuck(
  connections: number,
  work: (
    service: Service,
    other: string,
    waiting: () => Promise<number>,
    release: () => Promise<unknown>,
  ) => Promise<void>,
): Promise<void> {
  const service = await startService({ config: { DATABASE_CONNECTIONS: connections } })
  const clients = [1, 2].map(() => new pg.Client({ connectionString: service.databaseUrl }))
  const [holder, watcher] = clients as [pg.Client, pg.Client]
  await Promise.all([holder.connect(), watcher.connect()])
  try {
    const { key } = await service.otherAccount()
    for (const one of [{}, { key }])
      assert.equal((await service.post('/recruitment/candidates', { full_name: 'Ada Lovelace' }, one)).status, 201)
    await holder.query('begin; lock table candidates in access exclusive mode')
    const release = () => holder.query('rollback')
    await work(service, key, () => waitingForLocks(watcher), release)
  } finally {
    await Promise.all([holder.end(), watcher.end()])
    await service.stop()
  }
}

/** More than there are connections, each another question. */
const manyReads = (service: Service, key?: string) =>
  Array.from({ length: 14 }, (_, n) =>
    service.get(`/recruitment/candidates?per_page=${n + 1}`, key === undefined ? {} : { key }),
  )

test('a finished read admits all waiting reads that fit, in order', async () => {
  const limiter = new ReadLimiter(10)
  const begun: string[] = []
  const use = (name: string, accountId: number, isLong = false) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    limiter.run({ accountId, isLong }, () => {
      begun.push(name)
      return promise
    })
    return resolve
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  // All that one account may have, two of them long, which is all that may be long.
  const [end] = [use('long', 1, true), use('long', 1, true), ...[1, 2, 3, 4, 5].map(() => use('short', 1))]
  await settled()
  begun.length = 0
  use('another of the same account', 1)
  use('a long one of another', 2, true)
  await settled()
  assert.deepEqual(begun, [])
  end?.()
  await settled()
  assert.deepEqual(begun, ['another of the same account', 'a long one of another'])
})

// Four is what a worker has at least, unless somebody has asked for fewer.
for (const [connections, stuck] of [
  [10, 7],
  [4, 2],
] as const)
  test(
    `with ${connections} connections, stuck reads of one account block no other account, its writes or /readyz`,
    only,
    () =>
      whileStuck(connections, async (service, other, waiting, release) => {
        const reads = manyReads(service)
        await until(async () => (await waiting()) >= stuck)
        const [read, written, own, ready] = await Promise.all([
          service.get('/divisions', { key: other }),
          service.post('/divisions', { name: 'Of another account' }, { key: other }),
          service.post('/divisions', { name: 'Of the same account' }),
          fetch(`${service.url}/readyz`),
        ])
        assert.deepEqual([read.status, written.status, own.status, ready.status], [200, 201, 201, 200])
        assert.equal(await waiting(), stuck, 'they were still stuck')
        await release()
        const answers = await Promise.all(reads)
        assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
      }),
  )

for (const [connections, stuck] of [
  [10, 8],
  [4, 3],
  [2, 1],
] as const)
  test(
    `with ${connections} connections, stuck reads of several accounts leave room for keys, writes and /readyz`,
    only,
    () =>
      whileStuck(connections, async (service, other, waiting, release) => {
        const reads = [...manyReads(service), ...manyReads(service, other)]
        await until(async () => (await waiting()) >= stuck)
        const [written, own, ready, unknown] = await Promise.all([
          service.post('/divisions', { name: 'Of another account' }, { key: other }),
          service.post('/divisions', { name: 'Of the same account' }),
          fetch(`${service.url}/readyz`),
          service.get('/divisions', { key: 'nobody-has-this-key-0123456789-0123456789' }),
        ])
        assert.deepEqual([written.status, own.status, ready.status, unknown.status], [201, 201, 200, 401])
        assert.equal(await waiting(), stuck, 'they were still stuck')
        await release()
        await Promise.all(reads)
      }),
  )

/** How many wait for a lock. */
async function waitingForLocks(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  )
  return rows[0].n
}
