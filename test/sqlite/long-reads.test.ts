import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { CompiledQuery } from 'kysely'
import { connect } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/database.ts'
import { Aside } from '../../src/database/sqlite-aside.ts'
import { freshDatabase, type Service, startService } from '../harness.ts'

/** Counts to a number, which takes the engine a while. */
const counting = (to: number) =>
  CompiledQuery.raw(
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${to}) select count(*) as counted from n`,
  )
const FOREVER = 1e12

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

test('while a long read goes on, others are answered', async () => {
  let isOver = false
  const long = service.database
    .read((sql) => sql.executeQuery<{ counted: number }>(counting(20_000_000)), { isLong: true })
    .finally(() => {
      isOver = true
    })
  let answered = 0
  while (!isOver && answered < 20) {
    assert.equal((await service.get('/divisions')).status, 200)
    answered++
  }
  assert.equal(answered, 20, 'they were answered before it was over')
  assert.equal((await long).rows[0]?.counted, 20_000_000)
})

test('figures are read aside, and are the same as elsewhere', async () => {
  await service.hire({ hired_on: '2026-01-01' })
  const { body, status } = await service.get('/reports/headcount?from=2026-01-01&to=2026-06-30')
  assert.equal(status, 200)
  assert.equal(body.data.months.at(-1).count ?? body.data.months.at(-1).headcount?.count, 1)
})

test('a statement that takes too long is given up with its process, and the next one finds another', async () => {
  const { url, remove } = await freshDatabase()
  const database: Database = connect(url)
  const aside = new Aside(url.replace('sqlite:', ''), () => undefined, 3000)
  try {
    await assert.rejects(aside.sql.executeQuery(counting(FOREVER)), /taken too long/)
    const { rows } = await aside.sql.executeQuery<{ counted: number }>(counting(10))
    assert.equal(rows[0]?.counted, 10)
    await assert.rejects(aside.sql.executeQuery(CompiledQuery.raw('select nothing')), /syntax error|no such column/)
  } finally {
    aside.close()
    await database.close()
    await remove()
  }
})

test('a signal to stop that all processes get leaves a read under way to whoever waits for it', async () => {
  const { url, remove } = await freshDatabase()
  const database: Database = connect(url)
  const processes = () =>
    readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  const before = new Set(processes())
  const aside = new Aside(url.replace('sqlite:', ''), () => undefined)
  try {
    const own = () => processes().filter((one) => !before.has(one))
    const signalled = (signal: NodeJS.Signals) => process.kill(Number(own()[0]), signal)
    // It has hardly begun.
    const first = aside.sql.executeQuery<{ counted: number }>(counting(10))
    signalled('SIGTERM')
    assert.equal((await first).rows[0]?.counted, 10)
    assert.equal(own().length, 1)
    const long = aside.sql.executeQuery<{ counted: number }>(counting(5_000_000))
    await new Promise((resolve) => setTimeout(resolve, 100))
    for (const signal of ['SIGTERM', 'SIGINT'] as const) signalled(signal)
    assert.equal((await long).rows[0]?.counted, 5_000_000)
  } finally {
    aside.close()
    await database.close()
    await remove()
  }
})

test('a long read sees one state of the data, whatever is written meanwhile', async () => {
  const count = (sql: any) =>
    sql
      .selectFrom('divisions')
      .select((eb: any) => eb.fn.countAll().as('n'))
      .executeTakeFirst()
  const seen = await service.database.read(
    async (sql) => {
      const before = await count(sql)
      await service.make('/divisions', { name: 'Meanwhile' })
      return [before.n, (await count(sql)).n]
    },
    { isLong: true },
  )
  assert.equal(seen[0], seen[1])
  const now = await service.database.read(count, { isLong: true })
  assert.equal((now as any).n, seen[0] + 1)
})
