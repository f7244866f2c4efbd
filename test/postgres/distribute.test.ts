import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import { migrate, readMigrations } from '../../src/database/migrate.ts'
import { emptyDatabase, sender } from '../harness.ts'
import { runHere, startHere } from '../in-process.ts'
import { type Call, standIn } from './stand-in.ts'

const KEY = 'a-key-for-accounts-that-are-spread-01'

let database: Awaited<ReturnType<typeof emptyDatabase>>
let citus: Awaited<ReturnType<typeof standIn>>
/** All tables that belong to accounts. */
let tables: string[]

const cadre = (...args: string[]) => runHere(args, { DATABASE_URL: database.url })
const namesOf = (calls: Call[], what = /^by /) => calls.filter((one) => what.test(one.what)).map(({ name }) => name)

before(async () => {
  database = await emptyDatabase('postgres')
})
after(() => database.remove())

test('distribute explains why a database cannot be distributed', async () => {
  const empty = await cadre('distribute')
  assert.deepEqual(
    [empty.code, empty.stderr],
    [1, 'cadre: the database is empty. Start the service first, which creates the schema, or check DATABASE_URL\n'],
  )
  await (await startHere({ DATABASE_URL: database.url, CADRE_API_KEY: KEY })).stop()
  const plain = await cadre('distribute')
  assert.deepEqual([plain.code, plain.stdout], [1, ''])
  assert.match(plain.stderr, /Citus is not installed in this database\. Run "create extension citus" in it/)
  citus = await standIn(database.url)
  await citus.run(
    `create or replace function stand_in.citus_version() returns text language sql as $$ select 'Citus 11.1.2' $$`,
  )
  assert.match(
    (await cadre('distribute')).stderr,
    /the database has Citus 11\.1\.2, but Citus 11\.2 or newer is required/,
  )
  await citus.run(
    `create or replace function stand_in.citus_version() returns text language sql as $$ select 'Citus 12.1.5' $$`,
  )
  const lite = await emptyDatabase('sqlite')
  const small = connect(lite.url)
  await migrate(small)
  await small.close()
  assert.match(
    (await runHere(['distribute'], { DATABASE_URL: lite.url })).stderr,
    /"distribute" needs PostgreSQL with Citus/,
  )
  await lite.remove()
  const last = 'update schema_migrations set number = -number where number in'
  await citus.run(`${last} (select max(number) from schema_migrations)`)
  assert.match(
    (await cadre('distribute')).stderr,
    /the database schema is from an older version of Cadre\. Start the service or run "migrate" first/,
  )
  await citus.run(`${last} (select min(number) from schema_migrations)`)
  assert.deepEqual(await citus.calls(), [])
})

test('a dry run of distribute lists the steps and changes nothing', async () => {
  tables = (
    await citus.ask(
      `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'account_id'
       and table_name <> 'secret_hashes' union select 'accounts' order by 1`,
    )
  ).map(({ name }) => name)
  const { code, stdout } = await cadre('distribute', '--dry-run')
  assert.equal(code, 0)
  const lines = stdout.trim().split('\n')
  assert.equal(lines.length, tables.length + 3)
  assert.ok(stdout.includes(' accounts: by id\n') && stdout.includes(' employees: by account_id\n'), stdout)
  assert.ok(
    stdout.includes(' secret_hashes: on every node\n') && stdout.includes(' schema_migrations: on every node\n'),
  )
  assert.equal(
    lines.at(-1),
    `${tables.length + 2} tables would be distributed. Tables that stay on the coordinator, because their rows belong to no account: heartbeat.`,
  )
  assert.deepEqual(await citus.calls(), [])
  assert.deepEqual(await citus.ask(`select to_regclass('distribution_under_way') as there`), [{ there: null }])
})

test('distribute is refused while the service runs', async () => {
  const service = await startHere({ DATABASE_URL: database.url, CADRE_API_KEY: KEY })
  const { code, stderr } = await cadre('distribute')
  assert.equal(code, 1)
  assert.match(
    stderr,
    /other Cadre processes are still connected to the database \(\d+ connections\)\. Stop the service/,
  )
  assert.equal(await service.stop(), 0)
  assert.deepEqual(await citus.calls(), [])
})

test('an interrupted distribute resumes, and no service starts before it is complete', async () => {
  await citus.fail('employees', 'error')
  const first = await cadre('distribute')
  assert.equal(first.code, 1)
  assert.match(first.stderr, /employees cannot be distributed: connection to the remote node 10\.0\.0\.3:5432 failed/)
  const begun = await citus.calls()
  assert.ok(begun.length > 3 && !namesOf(begun).includes('employees'))
  await assert.rejects(
    startHere({ DATABASE_URL: database.url, CADRE_API_KEY: KEY }),
    /an earlier run of "distribute" was interrupted\. Run "distribute" again first/,
  )
  assert.match(
    (await cadre('migrate')).stderr,
    /an earlier run of "distribute" was interrupted\. Run "distribute" again first/,
  )

  await citus.fail('employees', null)
  await citus.fail('session_uses', 'end')
  const second = await cadre('distribute')
  assert.equal(second.code, 1, second.stdout)
  assert.match(
    second.stderr,
    /^cadre: session_uses cannot be distributed: .*connection.* Run the command again to continue/,
  )
  const more = await citus.calls()
  await citus.fail('session_uses', null)

  const third = await cadre('distribute')
  assert.equal(third.code, 0, third.stderr)
  const rest = await citus.calls()
  assert.ok(more.length > 0 && rest.length > 0)
  const all = [...begun, ...more, ...rest]
  assert.deepEqual(namesOf(all).sort(), tables, 'each table once')
  assert.deepEqual(namesOf(all, /^reference$/).sort(), ['schema_migrations', 'secret_hashes'])
  assert.equal(all.find(({ name }) => name === 'accounts')?.what, 'by id')
  // Once all are spread, and not before: whoever is erased later must not stay on the machine where all were.
  const cleared = namesOf(rest, /^cleared$/)
  assert.deepEqual(cleared.sort(), [...tables, 'schema_migrations', 'secret_hashes'].sort())
  assert.ok(rest.slice(-cleared.length).every(({ what }) => what === 'cleared'))
  const groups = await citus.ask(`select distinct colocationid from stand_in.pg_dist_partition where partmethod = 'h'`)
  assert.equal(groups.length, 1, 'all lie beside accounts')
})

test('a repeated distribute has nothing to do, and the service works', async () => {
  const service = await startHere({ DATABASE_URL: database.url, CADRE_API_KEY: KEY })
  const { code, stdout } = await cadre('distribute')
  assert.deepEqual(
    [code, stdout],
    [
      0,
      'All tables are already distributed. Tables that stay on the coordinator, because their rows belong to no account: heartbeat.\n',
    ],
  )
  assert.deepEqual(await citus.calls(), [])
  assert.deepEqual(await citus.ask(`select to_regclass('distribution_under_way') as there`), [{ there: null }])
  const send = sender(service.url, KEY)
  assert.equal((await send('POST', '/divisions', { json: { name: 'Spread' } })).status, 201)
  assert.equal((await send('GET', '/divisions')).body.data.length, 1)
  assert.equal(await service.stop(), 0)
})

test('distribute names a table that was distributed differently by hand', async () => {
  await citus.run(`update stand_in.pg_dist_partition set colocationid = 77 where logicalrelid = 'teams'::regclass`)
  assert.match(
    (await cadre('distribute')).stderr,
    /teams is already distributed in another way\. Run select undistribute_table\('teams'\)/,
  )
  await citus.run(`update stand_in.pg_dist_partition p set colocationid = a.colocationid from stand_in.pg_dist_partition a
    where p.logicalrelid = 'teams'::regclass and a.logicalrelid = 'accounts'::regclass`)
})

test('a migration distributes its new tables before it fills them', async () => {
  const own = `account_id bigint not null references accounts (id), id bigint not null`
  const statements = [
    `create table sites (${own}, employee_id bigint, primary key (account_id, id),
      foreign key (account_id, employee_id) references employees (account_id, id))`,
    `create table new_tags (${own}, site_id bigint, primary key (account_id, id),
      foreign key (account_id, site_id) references sites (account_id, id))`,
    `insert into new_tags (account_id, id) select id, 1 from accounts`,
    `alter table new_tags rename to tags`,
    `create table notes_of_nobody (id integer primary key)`,
  ]
  const later = { number: 9001, name: '9001-later.sql', checksum: 'x', statements }
  const db = connect(database.url)
  assert.deepEqual(await migrate(db, [...readMigrations(), later]), ['9001-later.sql'])
  const rows = await db.query((sql) => sql.selectFrom('tags').selectAll().execute())
  await db.close()
  assert.equal(rows.length, 1)
  const mode = 'sequential'
  assert.deepEqual(
    (await citus.calls()).map(({ what, name, mode }) => ({ what, name, mode })),
    [
      { what: 'by account_id', name: 'sites', mode },
      { what: 'by account_id', name: 'new_tags', mode },
    ],
  )
})

test('distribute --undo moves all tables back to one node', async () => {
  const own = new Set([...tables, 'sites', 'tags', 'secret_hashes', 'schema_migrations'])
  const isSpread = async () =>
    (await citus.ask('select logicalrelid::text as name from stand_in.pg_dist_partition')).length
  assert.equal(await isSpread(), own.size)
  await citus.run('delete from schema_migrations where number = 9001')
  const trial = await cadre('distribute', '--undo', '--dry-run')
  assert.deepEqual([trial.code, trial.stderr], [0, ''])
  assert.match(
    trial.stdout,
    /^1\/\d+ accounts, together with \d+ tables that reference it or are referenced: .*\bemployees\b/,
  )
  assert.ok(trial.stdout.endsWith(`\n${own.size} tables would be moved back to one machine.\n`), trial.stdout)
  assert.deepEqual(await citus.calls(), [])

  await citus.fail('secret_hashes', 'error')
  const half = await cadre('distribute', '--undo')
  assert.equal(half.code, 1)
  assert.match(
    half.stderr,
    /secret_hashes cannot be moved back: connection to the remote node .*\. Run the command again to continue/,
  )
  await citus.fail('secret_hashes', null)
  const { code, stdout } = await cadre('distribute', '--undo')
  assert.equal(code, 0, stdout)
  assert.match(stdout, /^1\/1 secret_hashes\n1 tables moved back to one machine\.\n$/)
  assert.deepEqual(
    (await citus.calls()).map(({ what, name }) => `${what} ${name}`),
    ['undone accounts', 'undone schema_migrations', 'undone secret_hashes'],
  )
  assert.equal(await isSpread(), 0)
  assert.equal((await cadre('distribute', '--undo')).stdout, 'No tables are distributed.\n')
  const service = await startHere({ DATABASE_URL: database.url, CADRE_API_KEY: KEY })
  assert.equal((await sender(service.url, KEY)('GET', '/divisions')).body.data.length, 1)
  assert.equal(await service.stop(), 0)
})
