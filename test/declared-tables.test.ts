import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type Compiled, withTables } from '../src/database/compile.ts'
import { SQLITE } from '../src/database/kysely.ts'
import { insertRows, runStatement, WrittenTables } from '../src/database/write-statements.ts'
import { commandLine } from '../src/domain/access/accounts.ts'
import { readAs } from '../src/records/ledger.ts'
import { prepared, selectFromSource, Wrapper } from '../src/records/prepared.ts'
import type { Query, Reader } from '../src/records/reader.ts'
import { openService } from '../src/service.ts'
import { ENGINE, type Service, startService } from './harness.ts'

/** Access scopes, history and cached responses depend on which tables a query reads. */

let service: Service
let read: <T>(work: (db: Reader) => Promise<T>) => Promise<T>
before(async () => {
  service = await startService()
  const { ledger } = openService({ database: service.database, filesAt: '' })
  read = (work) => readAs(ledger, commandLine(service.account), work)
})
after(() => service.stop())

const tablesOf = (query: Query) =>
  [...(SQLITE.compiler.compileQuery(query.toOperationNode(), { queryId: '' }) as Compiled).tables].sort()

test('a query knows the tables of its joins, subqueries and declared fragments, but not its aliases', () =>
  read(async (db) => {
    const inner = db.from('teams').select('id').whereRef('teams.team_lead_id', '=', 'e.id')
    const query = db
      .from('employees as e')
      .innerJoin('departments as d', 'd.id', 'e.id')
      .where((eb) => eb.exists(inner))
      .where(withTables(['genders'], sql<boolean>`exists (select 1 from "genders" g where g.id = e.gender_id)`))
      .select('e.id')
    assert.deepEqual(tablesOf(query), ['departments', 'employees', 'genders', 'teams'])
  }))

test('nothing is in an empty list', async () => {
  await service.make('/locations', { name: 'One' })
  await read(async (db) => {
    assert.deepEqual(await db.from('locations').select('id').where('id', 'in', []).execute(), [])
    assert.equal((await db.from('locations').select('id').where('id', 'not in', []).execute()).length, 1)
  })
})

test('the names that a query defines itself are no tables', async () => {
  const compiled = await service.database.query(async (on) =>
    on
      .with('below', (all) => all.selectFrom('teams').select('id'))
      .selectFrom('below')
      .innerJoin('departments', 'departments.id', 'below.id')
      .select('below.id')
      .compile(),
  )
  assert.deepEqual([...(compiled as Compiled).tables].sort(), ['departments', 'teams'])
})

test('a reader refuses a raw fragment that names a table without declaring it', () =>
  read(async (db) => {
    for (const hidden of [
      sql<boolean>`exists (select 1 from genders)`,
      sql<boolean>`exists (select 1 from "genders" where id = ${1})`,
      sql<boolean>`employees.id in (select id from (select 1) x left join genders on true)`,
    ])
      await assert.rejects(
        async () => db.from('employees').where(hidden).select('id').execute(),
        /a raw fragment names a table: .*genders/,
      )
    const named = sql<boolean>`exists (select 1 from ${sql.table('genders')})`
    assert.equal((await db.from('employees').where(named).select('id').execute()).length, 0)
  }))

test('a wrapper around a query and a prepared query know the tables on both sides', () =>
  read(async (db) => {
    const wrapper = new Wrapper('t', (source) =>
      selectFromSource(source).leftJoin('divisions as d', 'd.id', 't.id').select('t.id'),
    )
    const isPostgres = ENGINE === 'postgres'
    const byIds = wrapper.prepared<{ ids: number[] }>((from, { ids }) =>
      from('teams').where('id', 'in', ids).selectAll(),
    )
    assert.deepEqual([...byIds.bind({ ids: [1, 2] }, 1, isPostgres).tables].sort(), ['divisions', 'teams'])
    assert.deepEqual(await db.run(byIds, { ids: [1, 2] }), [])
    const around = selectFromSource(wrapper.around(db.from('teams').selectAll(), isPostgres).as('w')).select('w.id')
    assert.deepEqual(tablesOf(around), ['divisions', 'teams'])
    assert.deepEqual(await db.wrap(wrapper, db.from('teams').selectAll()), [])
  }))

test('a prepared query is compiled once for lists of similar length, and refuses an empty one', () => {
  const byIds = prepared<{ ids: readonly unknown[] }>((from, { ids }) =>
    from('teams').where('id', 'in', ids).select('id'),
  )
  const textFor = (ids: unknown[]) => byIds.bind({ ids }, 1, false).sql
  assert.equal(textFor([1, 2, 3]), textFor([1, 2, 3, 4, 5]))
  assert.deepEqual(byIds.bind({ ids: [7, 8, 9] }, 1, false).parameters, [1, 7, 8, 9, 9, 9])
  assert.notEqual(textFor([1, 2, 3]), textFor([1, 2, 3, 4, 5, 6]))
  assert.throws(() => textFor([]), /The list ids is empty/)
})

test('a write says to which table, also when it is text', async () => {
  const rollback = new Error('taken back')
  const noted = new WrittenTables()
  await assert.rejects(
    service.database.write(async (whole) => {
      const on = whole.withPlugin(noted)
      await insertRows(on, 'secret_hashes', [{ hash: 'h', account_id: service.account.id }])
      await on.updateTable('accounts').set({ version: 1 }).where('id', '=', -1).execute()
      await on.deleteFrom('teams').where('id', '=', -1).execute()
      await runStatement(on, 'delete from counters where account_id = ?', [-1], 'counters')
      await assert.rejects(
        runStatement(on, 'delete from counters where account_id = ?', [-1]),
        /does not say to which table/,
      )
      await assert.rejects(
        async () => sql`update teams set name = ${'x'} where id = -1`.execute(on),
        /does not say to which table/,
      )
      throw rollback
    }),
    rollback,
  )
  assert.deepEqual([...noted.tables].sort(), ['accounts', 'counters', 'secret_hashes', 'teams'])
})
