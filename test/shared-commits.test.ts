import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { chances, SEED } from './chance.ts'
import { ENGINE, type Service, startService } from './harness.ts'

/** Writers of an account that wait for each other share a commit: what that must not be seen by. */

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

const TRIED = { headers: { prefer: 'dry-run' } }
const named = async () => (await service.get('/divisions?per_page=200')).body.data.map((one: any) => one.name).sort()

test('of many writers at once each is answered with what came of its own: stored, refused, or only tried', async () => {
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

test('those who wait together share a commit, and nobody of another account waits for them', async () => {
  const commits = await watchCommits()
  const other = await service.otherAccount()
  const many = 40
  const answers = await Promise.all([
    ...Array.from({ length: many }, (_, n) => service.post('/locations', { name: `Place ${n}` })),
    service.post('/locations', { name: 'Of another' }, { key: other.key }),
  ])
  for (const { status, text } of answers) assert.equal(status, 201, text)
  const count = await commits()
  assert.ok(count >= 2 && count <= many / 2, `${many} writers, ${count} commits`)
})

test('words that somebody sent are no outage, whatever they say', async () => {
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

test('whoever waits in vain for a lock is refused alone', {
  skip: ENGINE === 'sqlite' && 'only PostgreSQL locks tables',
}, async () => {
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
