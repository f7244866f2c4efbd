import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { CompiledQuery } from 'kysely'
import { connect } from '../../src/database/connect.ts'
import { type Database, DatabaseUnavailable } from '../../src/database/database.ts'
import { SqliteReaderProcess } from '../../src/database/sqlite-reader-process.ts'
import { emptyDatabase, type Service, startService } from '../harness.ts'

/** Counts to a number, which takes the engine a while. */
const counting = (to: number) =>
  CompiledQuery.raw(
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${to}) select count(*) as counted from n`,
  )
const FOREVER = 1e12

/** The processes that a process has started, the last one last. */
const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)

/** A new database, with a reader process. */
async function withReaderProcess(
  longest: number | undefined,
  work: (reader: SqliteReaderProcess, file: string) => Promise<void>,
): Promise<void> {
  const { url, remove } = await emptyDatabase()
  const database: Database = connect(url)
  const file = url.replace('sqlite:', '')
  const reader = new SqliteReaderProcess(file, () => undefined, longest)
  try {
    await work(reader, file)
  } finally {
    reader.close()
    await database.close()
    await remove()
  }
}

/** Is the process there? One that has ended may still have a place in the list. */
function isRunning(pid: string | undefined): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

test('other requests are answered during a long read', async () => {
  const { database, get, stop } = await startService()
  let isOver = false
  const long = database
    .read((sql) => sql.executeQuery(counting(FOREVER)), { isLong: true })
    .finally(() => {
      isOver = true
    })
  const ended = assert.rejects(long, /The database is closed/)
  try {
    for (let n = 0; n < 20; n++) assert.equal((await get('/divisions')).status, 200)
    assert.equal(isOver, false, 'they were answered before it was over')
  } finally {
    await stop()
  }
  await ended
})

test('an endless series of reads lets other work run', async () => {
  let hasTurned = false
  setImmediate(() => {
    hasTurned = true
  })
  const begun = performance.now()
  while (!hasTurned && performance.now() - begun < 10_000)
    await service.database.read((sql) => sql.executeQuery(counting(10)))
  assert.ok(hasTurned)
})

test('reports run in a separate process and give the same result', async () => {
  await service.hire({ hired_on: '2026-01-01' })
  const { body, status } = await service.get('/reports/headcount?from=2026-01-01&to=2026-06-30')
  assert.equal(status, 200)
  assert.equal(body.data.months.at(-1).count ?? body.data.months.at(-1).headcount?.count, 1)
})

test('reads with known_at run in a separate process', async () => {
  const { id } = await service.hire({})
  const { database } = service
  const { read } = database
  const asked: [string, boolean][] = []
  let path = ''
  database.read = (work, how) => {
    if (path) asked.push([path, how?.isLong === true])
    return read(work, how)
  }
  const known = (await service.get('/genders')).headers.get('cadre-ledger')
  for (path of ['/employees?', `/employees/${id}?`, `/employees/${id}/salaries?`])
    for (const more of ['', `known_at=${known}`]) assert.equal((await service.get(`${path}${more}`)).status, 200)
  database.read = read
  assert.deepEqual(
    asked.map(([, isLong]) => isLong),
    [false, true, false, true, false, true],
  )
})

test('reads of past rows use the same indexes as current rows', async () => {
  const [{ id }, department] = [await service.hire({}), await service.make('/departments', { name: 'Of then' })]
  const { headers } = await service.put(`/employees/${id}`, { department_id: department.id })
  await service.put(`/employees/${id}`, { department_id: null })
  const ran: [string, readonly unknown[]][] = []
  service.database.onStatement = (text, values) => ran.push([text, values])
  const path = `/employees?department_id=${department.id}&known_at=${headers.get('cadre-ledger')}`
  const { body } = await service.get(path)
  service.database.onStatement = undefined
  assert.deepEqual(
    body.data.map((one: any) => one.id),
    [id],
  )
  const asking = ran.filter(([text]) => /then_employee_positions/.test(text))
  assert.ok(asking.some(([text]) => /^with/.test(text)))
  assert.ok(asking.some(([text]) => /^create index temp/.test(text)))
  assert.ok(!ran.some(([text]) => /jsonb_each/.test(text)))
})

test('a statement that takes too long is killed with its process, and the next one gets a new process', () =>
  withReaderProcess(3000, async (reader) => {
    await assert.rejects(reader.sql.executeQuery(counting(FOREVER)), /took too long/)
    const { rows } = await reader.sql.executeQuery<{ counted: number }>(counting(10))
    assert.equal(rows[0]?.counted, 10)
    await assert.rejects(reader.sql.executeQuery(CompiledQuery.raw('select nothing')), /syntax error|no such column/)
  }))

test('a transaction ends with its process', () =>
  withReaderProcess(undefined, async (reader) => {
    const run = (text: string) => reader.sql.executeQuery(CompiledQuery.raw(text))
    await run('begin')
    const [own] = childrenOf(process.pid).slice(-1)
    process.kill(Number(own), 'SIGKILL')
    while (childrenOf(process.pid).includes(own as string)) await new Promise((resolve) => setTimeout(resolve, 10))
    for (const text of ['select 1', 'rollback']) await assert.rejects(run(text), DatabaseUnavailable)
    await run('begin')
    await run('rollback')
  }))

test('a reader process ends with its parent, also during a statement', () =>
  withReaderProcess(undefined, async (_reader, file) => {
    const asking = `
    const reader = import(${JSON.stringify(new URL('../../src/database/sqlite-reader-process.ts', import.meta.url).href)})
    Promise.all([reader, import('kysely')]).then(async ([{ SqliteReaderProcess }, { CompiledQuery }]) => {
      const { sql } = new SqliteReaderProcess(${JSON.stringify(file)}, () => undefined)
      await sql.executeQuery(CompiledQuery.raw('select 1'))
      console.log('begun')
      await sql.executeQuery(CompiledQuery.raw(${JSON.stringify(counting(FOREVER).sql)}))
    })`
    const parent = spawn(process.execPath, ['-e', asking], {
      cwd: new URL('../..', import.meta.url),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await new Promise((resolve) => parent.stdout.once('data', resolve))
    const [reading] = childrenOf(parent.pid as number)
    assert.ok(isRunning(reading))
    parent.kill('SIGKILL')
    while (isRunning(reading)) await new Promise((resolve) => setTimeout(resolve, 50))
  }))

test('a stop signal to all processes does not interrupt a read in progress', () =>
  withReaderProcess(600_000, async (reader) => {
    const before = new Set(childrenOf(process.pid))
    const own = () => childrenOf(process.pid).filter((one) => !before.has(one))
    const signalled = (signal: NodeJS.Signals) => process.kill(Number(own()[0]), signal)
    // It has hardly begun.
    const first = reader.sql.executeQuery<{ counted: number }>(counting(10))
    signalled('SIGTERM')
    assert.equal((await first).rows[0]?.counted, 10)
    assert.equal(own().length, 1)
    const long = reader.sql.executeQuery<{ counted: number }>(counting(5_000_000))
    await new Promise((resolve) => setTimeout(resolve, 100))
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) signalled(signal)
    assert.equal((await long).rows[0]?.counted, 5_000_000)
  }))

test('a long read sees one snapshot, whatever is written meanwhile', async () => {
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
