import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { ENGINE, type Service, startService } from '../harness.ts'
import { until } from './on-servers.ts'

/** Reads that do not come to an end take no more than their part of the connections. */

const only = { skip: ENGINE !== 'postgres' && 'only PostgreSQL has connections to share' }

let service: Service
before(async () => {
  if (ENGINE === 'postgres') service = await startService()
})
after(() => service?.stop())

test(
  'an account whose reads are stuck holds up no other, nor its own writes, nor whoever asks for readiness',
  only,
  async () => {
    const other = await service.otherAccount()
    assert.equal((await service.post('/recruitment/candidates', { full_name: 'Ada Lovelace' })).status, 201)
    const [holder, watcher] = [1, 2].map(() => new pg.Client({ connectionString: service.databaseUrl })) as [
      pg.Client,
      pg.Client,
    ]
    await Promise.all([holder.connect(), watcher.connect()])
    try {
      await holder.query('begin; lock table candidates in access exclusive mode')
      // More than there are connections, each another question.
      const stuck = Array.from({ length: 14 }, (_, n) => service.get(`/recruitment/candidates?per_page=${n + 1}`))
      await until(async () => (await waitingForLocks(watcher)) >= 5)
      const [read, written, own, ready] = await Promise.all([
        service.get('/divisions', { key: other.key }),
        service.post('/divisions', { name: 'Of another account' }, { key: other.key }),
        service.post('/divisions', { name: 'Of the same account' }),
        fetch(`${service.url}/readyz`),
      ])
      assert.deepEqual([read.status, written.status, own.status, ready.status], [200, 201, 201, 200])
      assert.ok((await waitingForLocks(watcher)) >= 5, 'they were still stuck')
      await holder.query('rollback')
      const answers = await Promise.all(stuck)
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    } finally {
      await Promise.all([holder.end(), watcher.end()])
    }
  },
)

/** How many wait for a lock. */
async function waitingForLocks(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  )
  return rows[0].n
}
