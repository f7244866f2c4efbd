import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Sql } from '../../src/database/database.ts'
import { tableOf } from '../../src/engine/resource.ts'
import { resources } from '../../src/operations.ts'
import { chainOldEntries } from '../../src/records/chain.ts'
import { type LedgerHead, verifyLedger } from '../../src/records/verify.ts'
import { ENGINE, type Service, startService } from '../harness.ts'
import { runHere } from '../in-process.ts'
import { rounds } from '../thorough.ts'

let service: Service
/** An entry in the middle, of a record that was changed twice. */
let victim: number
/** The last entry when the tests begin. */
let end: LedgerHead

before(async () => {
  service = await startService()
  const { id } = await service.hire({ hired_on: '2020-01-01' })
  const salary = { effective_on: '2020-01-01', amount: '4200', currency_code: 'EUR', per: 'month' }
  const made = await service.make(`/employees/${id}/salaries`, salary)
  victim = Number(
    (await service.put(`/employees/${id}/salaries/${made.id}`, { amount: '4500' })).headers.get('cadre-ledger'),
  )
  await service.make('/divisions', { name: 'One' })
  await service.make('/divisions', { name: 'Two' })
  end = await whole()
})
after(() => service.stop())

const verify = (kept: LedgerHead[] = []) => verifyLedger(service.database, service.account.id, kept)

async function whole(): Promise<LedgerHead> {
  const { head, broken } = await verify()
  assert.equal(broken, null)
  return head
}

const write = (work: (db: Sql) => Promise<unknown>) => service.database.write(work)
const rowOf = async (no: number) =>
  (await service.database.query((db) =>
    db.selectFrom('ledger').selectAll().where('account_id', '=', service.account.id).where('no', '=', no).execute(),
  )) as Record<string, any>[]

const set = (no: number, values: Record<string, unknown>) =>
  write((db) =>
    db.updateTable('ledger').set(values).where('account_id', '=', service.account.id).where('no', '=', no).execute(),
  )

/** Somebody's hand in the table: the first break is named, and gone again once everything is as it was. */
async function tampered(work: () => Promise<unknown>, back: () => Promise<unknown>, number: number, reason: RegExp) {
  await work()
  try {
    const { head, broken } = await verify()
    assert.equal(broken?.number, number)
    assert.match(broken?.reason ?? '', reason)
    assert.equal(head.number, number - 1)
  } finally {
    await back()
  }
  assert.deepEqual(await whole(), end)
}

describe('verification finds a manual change to the ledger and names the entry', () => {
  test('when any column of an entry is changed', async () => {
    const [row = {}] = await rowOf(victim)
    const columns = Object.keys(row).filter((name) => !['account_id', 'no'].includes(name))
    assert.ok(columns.length >= 18, columns.join())
    for (const name of columns) {
      const old = row[name]
      const other: unknown =
        name === 'at'
          ? new Date(new Date(old).getTime() + 1).toISOString()
          : typeof old === 'number'
            ? old + 1
            : typeof old === 'string'
              ? `${old.slice(0, -1)}${old.endsWith('x') ? 'y' : 'x'}`
              : name.endsWith('_id')
                ? 1
                : 'x'
      const reason = ['before', 'after', 'digest', 'salt'].includes(name)
        ? /its data has been changed/
        : /it has been changed/
      const change = () => set(victim, { [name]: other })
      await tampered(change, () => set(victim, { [name]: old }), victim, reason)
    }
  })

  test("when one byte of an entry's values is changed", async () => {
    const [row = {}] = await rowOf(victim)
    const after = row.after.replace('45000000', '46000000')
    assert.notEqual(after, row.after)
    await tampered(
      () => set(victim, { after }),
      () => set(victim, { after: row.after }),
      victim,
      /its data has been changed/,
    )
  })

  test('when a time gets a fraction of a second that no entry has', async (t) => {
    if (ENGINE === 'sqlite') return t.skip('its times are text')
    const [row = {}] = await rowOf(victim)
    const later: RawBuilder<unknown> = sql`at + interval '1 microsecond'`
    await tampered(
      () => set(victim, { at: later }),
      () => set(victim, { at: row.at }),
      victim,
      /it has been changed/,
    )
  })

  test('when an entry is removed at any position', async () => {
    for (const no of [1, victim, end.number]) {
      const rows = await rowOf(no)
      const remove = () => write((db) => db.deleteFrom('ledger').where('no', '=', no).execute())
      await tampered(remove, () => write((db) => db.insertInto('ledger').values(rows).execute()), no, /missing/)
    }
  })

  test("when the last entries are removed and the account's head is reset to match", async () => {
    const rows = [...(await rowOf(end.number - 1)), ...(await rowOf(end.number))]
    const setAccount = (db: Sql, ledger_no: number, ledger_hash: string) =>
      db.updateTable('accounts').set({ ledger_no, ledger_hash }).where('id', '=', service.account.id).execute()
    const [before = {}] = await rowOf(end.number - 2)
    await write(async (db) => {
      await db
        .deleteFrom('ledger')
        .where('no', '>', end.number - 2)
        .execute()
      await setAccount(db, end.number - 2, before.hash)
    })
    // Nothing that is there contradicts it: only who has kept the head can tell.
    assert.equal((await verify()).broken, null)
    const { broken } = await verify([end])
    await write(async (db) => {
      await db.insertInto('ledger').values(rows).execute()
      await setAccount(db, end.number, end.hash)
    })
    assert.deepEqual(broken, {
      number: end.number - 1,
      reason: `it is missing: --head says that there was an entry ${end.number}`,
    })
    await whole()
  })

  test('when two entries are swapped', async () => {
    const swap = async () => {
      const [[one = {}], [other = {}]] = [await rowOf(end.number - 1), await rowOf(end.number)]
      const { no: first, ...rest } = one
      const { no: second, ...others } = other
      await set(first, others)
      await set(second, rest)
    }
    await tampered(swap, swap, end.number - 1, /does not follow/)
  })

  test('when an entry is appended', async () => {
    const [row = {}] = await rowOf(end.number)
    const no = end.number + 1
    await tampered(
      () =>
        write((db) =>
          db
            .insertInto('ledger')
            .values({ ...row, no })
            .execute(),
        ),
      () => write((db) => db.deleteFrom('ledger').where('no', '=', no).execute()),
      no,
      /added after the last/,
    )
  })

  test('when an entry is inserted before the first', async () => {
    const [row = {}] = await rowOf(end.number)
    await write((db) =>
      db
        .insertInto('ledger')
        .values({ ...row, no: 0 })
        .execute(),
    )
    const { broken } = await verify([end])
    await write((db) => db.deleteFrom('ledger').where('no', '=', 0).execute())
    assert.deepEqual(broken, { number: 0, reason: 'entry numbers start at 1' })
    await whole()
  })

  test('when a time is not a valid time', async (t) => {
    if (ENGINE === 'sqlite') return t.skip('its times are text')
    const [row = {}] = await rowOf(victim)
    for (const at of ['infinity', '0044-01-01 BC'])
      await tampered(
        () => set(victim, { at }),
        () => set(victim, { at: row.at }),
        victim,
        /it has been changed/,
      )
  })

  test('when one of two saved heads does not match', async () => {
    const other = { number: end.number, hash: 'x'.repeat(43) }
    const { head, broken } = await verify([end, other])
    assert.deepEqual([head.number, broken?.number], [end.number - 1, end.number])
  })

  test('when an entry is emptied as if its record had been erased', async () => {
    const [row = {}] = await rowOf(victim)
    const { before, after, salt } = row
    await tampered(
      () => set(victim, { before: null, after: null, salt: null }),
      () => set(victim, { before, after, salt }),
      victim,
      /never erased/,
    )
  })

  test('a fully rewritten chain contradicts a saved head', async () => {
    const [row = {}] = await rowOf(victim)
    await set(victim, { after: row.after.replace('45000000', '99000000') })
    const [account] = await service.database.query((db) =>
      db.selectFrom('accounts').select(['ledger_hash']).where('id', '=', service.account.id).execute(),
    )
    const links = await service.database.query((db) =>
      db
        .selectFrom('ledger')
        .select(['no', 'owner', 'owner_id', 'salt', 'digest', 'hash'])
        .where('no', '>=', victim)
        .execute(),
    )
    await write((db) => db.updateTable('ledger').set({ hash: null }).where('no', '>=', victim).execute())
    await write((db) => db.updateTable('accounts').set({ ledger_hash: null }).execute())
    // The service does not sign again what somebody has taken the hashes from, unless they pretend to upgrade.
    assert.deepEqual(await chainOldEntries(service.database, []), [])
    assert.deepEqual((await verify()).broken, { number: victim, reason: 'it has no hash' })
    await write((db) => db.updateTable('accounts').set({ is_unchained: true }).execute())
    const [chained] = await chainOldEntries(service.database, [])
    assert.equal(chained?.entries, end.number - victim + 1)
    assert.equal((await verify()).broken, null)
    assert.deepEqual((await verify([end])).broken, {
      number: end.number,
      reason: 'its hash differs from the one in --head',
    })
    await write(async (db) => {
      await db.updateTable('ledger').set({ after: row.after }).where('no', '=', victim).execute()
      for (const { no, ...link } of links) await db.updateTable('ledger').set(link).where('no', '=', no).execute()
      await db.updateTable('accounts').set({ ledger_hash: account?.ledger_hash }).execute()
    })
    assert.deepEqual(await whole(), end)
  })
})

test('concurrent writers leave one intact chain, and each account has its own chain', async () => {
  const other = await service.otherAccount()
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      service.post('/divisions', { name: `Division ${n}` }, n % 2 ? { key: other.key } : {}),
    ),
  )
  await whole()
  assert.equal((await verifyLedger(service.database, other.account.id)).broken, null)
})

test('erasing a person keeps the chain intact and records the erasure without the erased data', async () => {
  const { id } = await service.hire({ first_name: 'Zaphodia', last_name: 'Beeblebrox', hired_on: '2020-01-01' })
  await service.make(`/employees/${id}/notes`, { body: 'Zaphodia has two heads' })
  await service.put(`/employees/${id}`, { middle_name: 'Zaphodette' })
  const kept = await whole()
  assert.equal((await service.delete(`/employees/${id}?erase=true`)).status, 204)
  await whole()
  assert.equal((await verify([kept])).broken, null)
  const rows = await service.database.query((db) => db.selectFrom('ledger').selectAll().execute())
  assert.ok(!JSON.stringify(rows).includes('Zaphod'))
  const own = rows.filter((row) => row.resource === 'employees' && row.record_id === id)
  const erased = own.find(({ action }) => action === 'erase')
  assert.ok(erased)
  for (const row of own) assert.deepEqual([row.before, row.after], [null, null])
  for (const row of own.filter(({ no }) => no <= kept.number)) assert.equal(row.salt, null)
})

/** So many that they are chained in several steps. */
const ENTRIES = rounds(100, 400)

test('the start chains entries of an earlier version, with one process or two, also after a kill half-way', async () => {
  const names = Array.from({ length: ENTRIES }, (_, n) => ({ name: `Skill ${n}` }))
  for (let n = 0; n < names.length; n += 20)
    await Promise.all(names.slice(n, n + 20).map((one) => service.make('/skills', one)))
  const { number } = await whole()
  const before = await owners()
  const clear = { salt: null, digest: null, hash: null, owner: null, owner_id: null }
  await write((db) => db.updateTable('ledger').set(clear).execute())
  await write((db) => db.updateTable('accounts').set({ ledger_hash: null, is_unchained: true }).execute())
  assert.equal((await service.post('/divisions', { name: 'Too early' })).status, 503)

  const tables = resources.map(tableOf)
  let pages = 0
  const killed: Database = {
    ...service.database,
    withMigrationLock: (work) =>
      ++pages > 2 ? Promise.reject(new Error('killed')) : service.database.withMigrationLock(work),
  }
  await assert.rejects(chainOldEntries(killed, tables, ENTRIES / 4), /killed/)
  assert.equal((await service.post('/divisions', { name: 'Still too early' })).status, 503)
  await Promise.all([
    chainOldEntries(service.database, tables, ENTRIES / 4),
    chainOldEntries(service.database, tables, ENTRIES / 5),
  ])
  assert.equal((await whole()).number, number)
  assert.deepEqual(await owners(), before)
  assert.equal((await service.post('/divisions', { name: 'In time' })).status, 201)
  await whole()
})

/** Of what was erased nobody can tell any more whose part it was. */
const owners = () =>
  service.database.query((db) =>
    db
      .selectFrom('ledger')
      .select(['no', 'owner', 'owner_id'])
      .where('owner', 'is not', null)
      .where((eb) => eb.or([eb('before', 'is not', null), eb('after', 'is not', null)]))
      .orderBy('no')
      .execute(),
  )

test('audit verify prints the head of each intact account, or names the first broken entry and fails', async () => {
  const cadre = (...args: string[]) => runHere(args, { DATABASE_URL: service.databaseUrl })
  const { number, hash } = await whole()
  const head = `${service.account.id}:${number}:${hash}`
  const sound = await cadre('audit', 'verify')
  assert.deepEqual([sound.code, sound.stderr], [0, ''])
  assert.match(
    sound.stdout,
    new RegExp(`^Account 1, Test company: ${number} ledger entries, all intact\\. .*:\n${head}\n`),
  )
  assert.equal((await cadre('audit', 'verify', '--account', '1', '--head', head)).code, 0)

  const [row = {}] = await rowOf(victim)
  await set(victim, { operation: 'nothing' })
  const broken = await cadre('audit', 'verify')
  await set(victim, { operation: row.operation })
  assert.equal(broken.code, 1)
  assert.match(
    broken.stdout,
    new RegExp(`Account 1, Test company: BROKEN at ledger entry ${victim}: it has been changed`),
  )

  const misspelt = await cadre('audit', 'verify', '--head', 'abc')
  assert.deepEqual([misspelt.code, misspelt.stdout], [1, ''])
  assert.match(misspelt.stderr, /^cadre: --head must be <account>:<number>:<hash>/)
  assert.equal((await cadre('audit', 'verify', '--account', '99')).code, 1)
})

test('a change feed client that sends its last hash notices a replaced ledger', async () => {
  const { metadata } = (await service.get('/changes?limit=5')).body
  const row = (await rowOf(metadata.last))[0]
  assert.deepEqual([metadata.last, metadata.hash], [5, row?.hash])
  const next = await service.get(`/changes?since=5&hash=${metadata.hash}&limit=1`)
  assert.equal(next.body.data[0].number, 6)
  const end = (await service.get('/changes?since=5&limit=1000')).body.metadata
  assert.equal(end.hash, (await whole()).hash)
  assert.equal((await service.get(`/changes?since=${end.last}&hash=${end.hash}&wait=1`)).status, 200)
  const other = await service.get(`/changes?since=6&hash=${metadata.hash}`)
  assert.deepEqual([other.status, other.body.errors[0].field, other.body.errors[0].code], [400, 'hash', 'mismatch'])
})
