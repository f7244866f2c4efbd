import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../src/database/database.ts'
import { type AccountVersion, codeOf } from '../src/records/account-version.ts'
import { AccountVersions } from '../src/records/account-versions.ts'
import { Cache } from '../src/records/cache.ts'
import { fc } from './chance.ts'
import { rounds } from './thorough.ts'

const TABLES = ['books', 'authors', 'shelves']
const KEYS = ['a', 'b']

/** Versions of two accounts, as their rows would say. */
class Accounts {
  readonly history = new Map<number, AccountVersion[]>([
    [1, [versionOf(1, 0, new Map())]],
    [2, [versionOf(2, 0, new Map())]],
  ])

  current(accountId: number): AccountVersion {
    return this.history.get(accountId)?.at(-1) as AccountVersion
  }

  at(accountId: number, back: number): AccountVersion {
    const all = this.history.get(accountId) as AccountVersion[]
    return all[Math.max(0, all.length - 1 - back)] as AccountVersion
  }

  write(accountId: number, tables: readonly string[]): void {
    const { version, changed } = this.current(accountId)
    const next = new Map([...changed, ...tables.map((table) => [codeOf(table), version + 1] as const)])
    this.history.get(accountId)?.push(versionOf(accountId, version + 1, next))
  }
}

function versionOf(accountId: number, version: number, changed: ReadonlyMap<string, number>): AccountVersion {
  return { accountId, version, ledgerNumber: version, changed, generation: '0 here', head: null, text: '' }
}

const someTables = fc.uniqueArray(fc.constantFrom(...TABLES), { minLength: 1 })
const account = fc.constantFrom(1, 2)
const key = fc.constantFrom(...KEYS)
const back = fc.nat(3)
const step = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: fc.constant('write' as const), account, tables: someTables }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('store' as const), account, key, tables: someTables, back }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('find' as const), account, key, back }) },
)

/** What somebody reads from these tables at a version: the versions in which they last changed. */
const read = (at: AccountVersion, tables: readonly string[]) =>
  `${at.accountId}: ${[...tables].sort().map((table) => `${table} ${at.changed.get(codeOf(table)) ?? 0}`)}`

test('the cache returns only what a fresh read at that version returns, in every order of reads and writes', () => {
  let found = 0
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      const accounts = new Accounts()
      const cache = new Cache(1_000_000)
      for (const one of steps) {
        if (one.do === 'write') accounts.write(one.account, one.tables)
        else if (one.do === 'store') {
          const at = accounts.at(one.account, one.back)
          const value = { text: read(at, one.tables), tables: one.tables }
          cache.store('responses', one.key, at, value, { tables: one.tables, bytes: 10 })
        } else {
          const at = accounts.at(one.account, one.back)
          const value = cache.find<{ text: string; tables: string[] }>('responses', one.key, at)
          if (!value) continue
          found++
          assert.equal(value.text, read(at, value.tables))
        }
      }
    }),
    { numRuns: rounds(300, 5000) },
  )
  assert.ok(found > 300, `only ${found} values were found`)
})

test('the cache never exceeds its size, and keeps the values that were used last', () => {
  const cache = new Cache(100_000)
  const at = versionOf(1, 0, new Map())
  for (let n = 0; n < 500; n++) {
    cache.store('records', `key ${n}`, at, n, { tables: [], bytes: 1000 })
    cache.find('records', 'key 0', at)
    assert.ok(cache.size.bytes <= 100_000)
  }
  assert.equal(cache.find('records', 'key 0', at), 0)
  assert.equal(cache.find('records', 'key 499', at), 499)
  assert.equal(cache.find('records', 'key 100', at), undefined)
  cache.store('records', 'huge', at, 'huge', { tables: [], bytes: 50_000 })
  assert.equal(cache.find('records', 'huge', at), undefined, 'one value must not evict most others')
  assert.equal(cache.find('records', 'key 499', at), 499)
})

test('a value with a maximum age is read again after it, also if the clock is set back', async () => {
  let now = 1_000_000
  const cache = new Cache(100_000, () => now)
  const at = versionOf(1, 0, new Map())
  let reads = 0
  const get = () => cache.get('credentials', 'key', at, { tables: [], bytes: 100, maxAge: 1000 }, async () => ++reads)
  assert.deepEqual(await Promise.all([get(), get(), get()]), [1, 1, 1], 'those who ask together share one read')
  now += 999
  assert.equal(await get(), 1)
  now += 1
  assert.equal(await get(), 2)
  now -= 5000
  assert.equal(await get(), 3)
  now += 500
  assert.equal(await get(), 3)
})

test('a failed read is not cached', async () => {
  const cache = new Cache(100_000)
  const at = versionOf(1, 0, new Map())
  let reads = 0
  const get = () =>
    cache.get('credentials', 'key', at, { tables: [], bytes: 100 }, async () => {
      reads++
      if (reads === 1) throw new Error('The database is away')
      return reads === 2 ? undefined : 'found'
    })
  await assert.rejects(get())
  assert.equal(await get(), undefined)
  assert.equal(await get(), 'found')
  assert.equal(await get(), 'found')
  assert.equal(reads, 3)
})

test('on PostgreSQL, requests that arrive during a read of the version share the next one, which starts after they arrived', async () => {
  const waiting: ((version: number) => void)[] = []
  const row = (version: number) => ({ version, ledger_no: version, ledger_hash: null, table_versions: '', here: '' })
  const database = {
    commitMark: () => undefined,
    generation: () => 0,
    query: () =>
      new Promise((resolve) => {
        waiting.push((version) => resolve({ accountId: 1, ...row(version) }))
      }),
  } as unknown as Database
  const versions = new AccountVersions(database)
  const first = versions.current(1)
  const others = [versions.current(1), versions.current(1), versions.current(1)]
  assert.equal(waiting.length, 1, 'a read that began before a request may be too old for it')
  waiting[0]?.(5)
  assert.equal((await first)?.version, 5)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(waiting.length, 2, 'all others share one read')
  waiting[1]?.(6)
  for (const other of others) assert.equal((await other)?.version, 6)
  const last = versions.current(1)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(waiting.length, 3)
  waiting[2]?.(7)
  assert.equal((await last)?.version, 7)
})

test('on SQLite, requests that name accounts which do not exist leave nothing in memory', async () => {
  let reads = 0
  const database = {
    commitMark: () => 1,
    generation: () => 0,
    query: async () => void reads++,
  } as unknown as Database
  const versions = new AccountVersions(database)
  for (let round = 0; round < 2; round++)
    for (let id = 1; id <= 3; id++) assert.equal(await versions.current(id), undefined)
  assert.equal(reads, 6)
})

test('a value that the fast path uses stays in the cache like any other that is used', () => {
  const cache = new Cache(100_000)
  const at = versionOf(1, 0, new Map())
  const page = { text: 'page' }
  assert.ok(cache.store('responses', 'page', at, page, { tables: [], bytes: 1000 }))
  for (let n = 0; n < 500; n++) {
    cache.store('responses', `other ${n}`, at, n, { tables: [], bytes: 1000 })
    assert.ok(cache.holds('responses', 'page', at, page))
  }
  assert.ok(!cache.store('responses', 'huge', at, 'huge', { tables: [], bytes: 50_000 }))
})
