import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandLine } from '../src/domain/access/accounts.ts'
import { departments } from '../src/domain/organisation/departments.ts'
import { divisions } from '../src/domain/organisation/names.ts'
import { tableOf } from '../src/engine/resource.ts'
import { resources } from '../src/operations.ts'
import { alters, type Consequence } from '../src/records/consequences.ts'
import { type Change, entriesSince } from '../src/records/entries.ts'
import { openLedger, writeAs } from '../src/records/ledger.ts'
import type { Writer } from '../src/records/write.ts'
import { type Service, startService } from './harness.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

/** A write on a ledger beside the service's, from which follows what the test says. */
const writing = (consequences: Consequence[], work: (db: Writer) => Promise<unknown>) =>
  writeAs(
    openLedger({ database: service.database, tables: resources.map(tableOf), consequences }),
    commandLine(service.account),
    'test',
    work,
  )

let count = 0
const named = () => ({ name: `N${++count}`, name_key: `n${count}` })
const addDivision = (db: Writer) => db.insert(tableOf(divisions), [named()])
const lastNumber = async () =>
  (await entriesSince(service.database, service.account.id, 0, 1_000_000)).at(-1)?.number ?? 0

test('a consequence gets all changes of its tables once and writes in the same transaction', async () => {
  const told: Change[][] = []
  const follows: Consequence = {
    of: ['divisions'],
    async follow(db, changes) {
      told.push([...changes])
      await db.touch('divisions', [changes[0]?.record_id as number])
    },
  }
  const first = await lastNumber()
  const [id] = (await writing([follows], async (db) => {
    const ids = await addDivision(db)
    await addDivision(db)
    return ids
  })) as number[]
  assert.deepEqual(
    told.map((changes) => changes.map(({ resource, action }) => `${action} ${resource}`)),
    [['create divisions', 'create divisions']],
  )
  const row = await service.database.query((sql) =>
    sql.selectFrom('divisions').selectAll().where('account_id', '=', service.account.id).where('id', '=', id).execute(),
  )
  await writing([follows], (db) => db.delete(tableOf(divisions), row as { id: number }[]))
  assert.equal(told[1]?.[0]?.action, 'delete')
  await writing([follows], async () => undefined)
  assert.equal(told.length, 2)
  const numbers = (await entriesSince(service.database, service.account.id, first)).map(({ number }) => number)
  assert.deepEqual(
    numbers,
    Array.from({ length: numbers.length }, (_, n) => first + 1 + n),
  )
})

test('a failing consequence fails the write', async () => {
  const before = await lastNumber()
  const refuses: Consequence = { of: ['divisions'], follow: () => Promise.reject(new Error('not so')) }
  await assert.rejects(writing([refuses], addDivision), /not so/)
  assert.equal(await lastNumber(), before)
})

test('a consequence sees changes of earlier consequences, not of later ones', async () => {
  const told: string[] = []
  const makes: Consequence = {
    of: ['divisions', 'departments'],
    async follow(db, changes) {
      told.push(`first: ${changes.map(({ resource }) => resource)}`)
      await db.insert(tableOf(departments), [{ ...named(), parent_id: null }])
    },
  }
  const hears: Consequence = {
    of: ['departments'],
    async follow(db, changes) {
      told.push(`second: ${changes.map(({ resource }) => resource)}`)
      await addDivision(db)
    },
  }
  await writing([makes, hears], addDivision)
  assert.deepEqual(told, ['first: divisions', 'second: departments'])
})

test('a record with only a new updated_at has no changed column', () => {
  const after = { updated_at: 'x' }
  const change = { resource: 'divisions', record_id: 1, before: {}, after, owner: null, owner_id: null }
  assert.equal(alters({ ...change, action: 'update' }, ['name']), false)
  assert.equal(alters({ ...change, action: 'update', after: { name: 'x' } }, ['name']), true)
  assert.equal(alters({ ...change, action: 'delete', after: null }, ['name']), true)
})
