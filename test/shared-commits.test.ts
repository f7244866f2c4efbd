import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Sql } from '../src/database/database.ts'
import { chances, SEED } from './chance.ts'
import { ENGINE, type Service, startService } from './harness.ts'
import { longTest } from './thorough.ts'

/** Writers of an account that wait for each other share a commit: what that must not be seen by. */

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

const TRIED = { headers: { prefer: 'dry-run' } }
const named = async () => (await service.get('/divisions?per_page=200')).body.data.map((one: any) => one.name).sort()

test('concurrent writers each get their own result: stored, rejected or dry run', async () => {
  const { below, is } = chances(SEED)
  const wanted = new Map<string, number>()
  for (let round = 0; round < 6; round++) {
    const asks = Array.from({ length: 30 }, () => ({ name: `Round ${round} no ${below(20)}`, isTried: is(0.2) }))
    const answers = await Promise.all(
      asks.map(({ name, isTried }) => service.post('/divisions', { name }, isTried ? TRIED : {})),
    )
    answers.forEach(({ status, text, body }, at) => {
      const { name, isTried } = asks[at]!
      assert.ok(status === (isTried ? 200 : 201) || status === 422, text)
      if (status === 201) {
        assert.equal(wanted.has(name), false, `${name} was made twice`)
        wanted.set(name, body.data.id)
      }
    })
    // Whoever was refused was so by one who was answered with 201.
    for (const { name, isTried } of asks) assert.ok(isTried || wanted.has(name), name)
    assert.deepEqual(await named(), [...wanted.keys()].sort())
  }
  const { body } = await service.get('/audits?record_type=divisions&per_page=200')
  assert.equal(body.metadata.count, wanted.size)
})

test('concurrent writers share a commit, and other accounts do not wait for them', async () => {
  const { database } = service
  const other = await service.otherAccount()
  const many = 40
  const commits = await watchCommits()
  const release = await holdWrites()
  const write = (_: unknown, n: number) => service.post('/locations', { name: `Place ${n}` })
  const first = write(0, 0)
  if (ENGINE === 'postgres') await waitFor(async () => (await blockedSessions()) > 0)
  const others = Array.from({ length: many - 1 }, (_, n) => write(0, n + 1))
  const ofAnother = service.post('/locations', { name: 'Of another' }, { key: other.key })
  // With SQLite there is one queue for all accounts.
  if (ENGINE === 'postgres') assert.equal((await ofAnother).status, 201)
  const waiting = ENGINE === 'postgres' ? others.length : many + 1
  await waitFor(() => (database.load().waiting.write ?? 0) >= waiting)
  // How long writers share a commit is limited: on a slow machine, each would be too late for the one before.
  const { now } = performance
  const frozen = now.call(performance)
  performance.now = () => frozen
  try {
    release()
    for (const { status, text } of await Promise.all([first, ...others, ofAnother])) assert.equal(status, 201, text)
  } finally {
    performance.now = now
  }
  const count = await commits()
  assert.ok(count >= 2 && count <= 5, `${many} writers, ${count} commits`)
})

/** Keeps the account from writing until it is released. */
async function holdWrites(): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  void service.database.write(
    async (on) => {
      await lockAccount(on)
      hold()
      await released
    },
    { hasOwnTransaction: true },
  )
  await held
  return release
}

/** Sessions of this database that wait for a lock. */
async function blockedSessions(): Promise<number> {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  const { rows } = await client.query(
    "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  await client.end()
  return rows[0].count
}

async function waitFor(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(5)
}

const lockAccount = (on: Sql) =>
  on
    .updateTable('accounts')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', service.account.id)
    .execute()

test('a write that reads only committed data shares a commit with nobody', async () => {
  const { database } = service
  const rename = (name: string) =>
    database.write((on) => on.updateTable('accounts').set({ name }).where('id', '=', service.account.id).execute())
  const look = () =>
    database.write(
      async (on) => {
        // As with a turn: nobody else commits meanwhile.
        await lockAccount(on)
        const names = (from: Sql) => from.selectFrom('accounts').select(['id', 'name']).orderBy('id').execute()
        const [own, others] = [await names(on), await database.query(names)]
        assert.deepEqual(own, others)
      },
      { hasOwnTransaction: true },
    )
  const { name } = service.account
  for (let round = 0; round < 5; round++)
    await Promise.all([rename(`One ${round}`), look(), rename(`Other ${round}`), look(), rename(name)])
})

test('user text that looks like a connection error is not treated as an outage', async () => {
  for (const name of ['Connection terminated', 'query read timeout', 'connection error'])
    assert.equal((await service.post('/genders', { name })).status, 201)
  const refused = () => service.post('/recruitment/candidates', { full_name: 'Ada Lovelace', gender: 'none of them' })
  const answers = await Promise.all([
    ...Array.from({ length: 3 }, (_, n) => service.post('/divisions', { name: `Before ${n}` })),
    refused(),
    ...Array.from({ length: 8 }, (_, n) => service.post('/divisions', { name: `Behind ${n}` })),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map((_, at) => (at === 3 ? 422 : 201)),
  )
  assert.match(answers[3]!.text, /Connection terminated/)
})

longTest(
  'a writer that times out on a lock fails alone',
  {
    skip: ENGINE === 'sqlite' && 'only PostgreSQL locks tables',
  },
  async () => {
    const holder = new pg.Client({ connectionString: service.databaseUrl })
    await holder.connect()
    try {
      await holder.query('begin; lock table job_levels in access exclusive mode')
      const answers = await Promise.all([
        service.post('/divisions', { name: 'First of all' }),
        service.post('/job_levels', { name: 'Nobody gets it' }),
        ...Array.from({ length: 8 }, (_, n) => service.post('/divisions', { name: `After the lock ${n}` })),
      ])
      assert.deepEqual(
        answers.map(({ status }) => status),
        answers.map((_, at) => (at === 1 ? 503 : 201)),
      )
    } finally {
      await holder.end()
    }
  },
)

test('a write that violates the schema fails alone, with its own error', async () => {
  const { body } = await service.post('/positions', { name: 'Not any more' })
  const deleted = await service.delete(`/positions/${body.data.id}`)
  await refusing('positions', 'Not any more')
  const answers = await Promise.all([
    service.post('/divisions', { name: 'Before the refused' }),
    service.post('/positions', { name: 'Not any more' }),
    ...Array.from({ length: 8 }, (_, n) => service.post('/divisions', { name: `After the refused ${n}` })),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map((_, at) => (at === 1 ? 500 : 201)),
  )
  // An undo looks at what the schema says of it, which is what failed first and not what failed by that.
  const undone = await service.post(`/requests/${deleted.headers.get('x-request-id')}/undo`, {})
  assert.equal(undone.status, 409, undone.text)
  assert.match(undone.text, /conflict with a record/)
  assert.equal((await service.get('/positions?per_page=200')).body.data.length, 0)
})

/** Has the schema refuse records of a name. */
const refusing = (table: string, name: string) =>
  service.database.write(async (on) => {
    const [is, when] = [`name = '${name}'`, `new.name = '${name}'`]
    const refusal = sql.raw(
      ENGINE === 'sqlite'
        ? `create trigger refuse before insert on ${table} when ${when} begin select raise(abort, 'no'); end`
        : `alter table ${table} add constraint refuse check (not (${is}))`,
    )
    await sql`${refusal}`.execute(on)
  })

/** How many transactions have written to the ledger from now on. */
async function watchCommits(): Promise<() => Promise<number>> {
  const { database, databaseUrl } = service
  if (ENGINE === 'sqlite') {
    let count = 0
    database.onRun = (statement) => void (statement === 'commit' && count++)
    return async () => {
      database.onRun = undefined
      return count
    }
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`create table seen (id text);
    create function see() returns trigger language plpgsql as $$
      begin insert into seen values (pg_current_xact_id()::text); return null; end $$;
    create trigger see after insert on ledger for each row execute function see()`)
  return async () => {
    const { rows } = await client.query('select count(distinct id)::int as count from seen')
    await client.query('drop trigger see on ledger; drop function see; drop table seen')
    await client.end()
    return rows[0].count
  }
}
