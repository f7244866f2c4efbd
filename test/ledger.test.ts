import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { type Service, startService } from './harness.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

const entries = (since = 0): Promise<any[]> =>
  service.database.query((sql) =>
    sql
      .selectFrom('ledger')
      .selectAll()
      .where('account_id', '=', service.account.id)
      .where('no', '>', since)
      .orderBy('no')
      .execute(),
  )

async function newEntries(work: () => Promise<unknown>) {
  const last = (await entries()).at(-1)?.no ?? 0
  await work()
  return entries(last)
}

test('a create, an update and a delete each write one entry with actor, operation, before and after', async () => {
  const made = await newEntries(() =>
    service.post('/divisions', { name: 'Retail' }, { headers: { 'x-request-id': 'req-1' } }),
  )
  assert.equal(made.length, 1)
  const [create] = made
  assert.deepEqual(
    [
      create.actor_kind,
      create.actor_id,
      create.correlation_id,
      create.operation,
      create.resource,
      create.record_id,
      create.action,
    ],
    ['key', 1, 'req-1', 'createDivision', 'divisions', 1, 'create'],
  )
  assert.equal(create.before, null)
  assert.equal(JSON.parse(create.after).name, 'Retail')

  const [update] = await newEntries(() => service.put('/divisions/1', { name: 'Wholesale' }))
  assert.equal(JSON.parse(update.before).name, 'Retail')
  assert.equal(JSON.parse(update.after).name, 'Wholesale')

  const [remove] = await newEntries(() => service.delete('/divisions/1'))
  assert.equal(JSON.parse(remove.before).name, 'Wholesale')
  assert.equal(remove.after, null)
})

test('an entry names the key and its employee', async () => {
  const { id } = await service.hire()
  const { body } = await service.post('/api_keys', { name: 'Own', permissions: ['*'], employee_id: id })
  const [made] = await newEntries(() => service.post('/divisions', { name: 'By Ada' }, { key: body.data.key }))
  assert.deepEqual([made.actor_kind, made.actor_id, made.person_id], ['key', body.data.id, id])
  assert.notEqual(body.data.id, service.account.id)
})

test('an update without changes writes no entry and keeps updated_at', async () => {
  const { body } = await service.post('/divisions', { name: 'Same' })
  const left = await newEntries(() => service.put(`/divisions/${body.data.id}`, { name: 'Same' }))
  assert.equal(left.length, 0)
  assert.equal((await service.get(`/divisions/${body.data.id}`)).body.data.updated_at, body.data.updated_at)
})

test('a rejected write leaves no entry', async () => {
  assert.equal((await newEntries(() => service.post('/divisions', { name: '' }))).length, 0)
  assert.equal((await newEntries(() => service.delete('/divisions/99999'))).length, 0)
})

test('a write of many records writes one entry each under one request id', async () => {
  const left = await newEntries(() => service.post('/holiday_policies', { name: 'Austria', country_code: 'AT' }))
  assert.equal(left[0].resource, 'holiday_policies')
  assert.ok(left.slice(1).every((entry) => entry.resource === 'holidays' && entry.request_id === left[0].request_id))
  assert.ok(left.length > 20)
})

test('concurrent writes leave no gaps in numbers, and time never runs backwards', async () => {
  await Promise.all(Array.from({ length: 40 }, (_, n) => service.post('/positions', { name: `Position ${n % 35}` })))
  const all = await entries()
  assert.deepEqual(
    all.map((entry) => entry.no),
    all.map((_, index) => index + 1),
  )
  for (let n = 1; n < all.length; n++) assert.ok(all[n].at >= all[n - 1].at)
  const { ledger_no } = (await service.database.query((sql) =>
    sql.selectFrom('accounts').select('ledger_no').where('id', '=', service.account.id).executeTakeFirst(),
  )) as any
  assert.equal(ledger_no, all.length)
})

test('secrets are not in the ledger', async () => {
  const left = await newEntries(() => service.post('/api_keys', { name: 'K', permissions: ['teams:read'] }))
  assert.ok(!('hash' in JSON.parse(left[0].after)))
})

test('only the code of records changes records', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const changing = files
    .map((file) => `src/${file.replaceAll('\\', '/')}`)
    .filter((file) => !file.startsWith('src/records/'))
    .filter((file) =>
      /insertInto|updateTable|deleteFrom|replaceInto|mergeInto|sql(<.*>)?`\s*(update|insert|delete)\b/i.test(
        readFileSync(file, 'utf8'),
      ),
    )
  // Beside the ledger: the lists of migrations and of tables that are being spread, the heartbeat, when keys and passkeys were used, the row of a new account,
  // attempts to sign in, tickets that were used up, and that somebody has asked for a link.
  const beside = [
    'database/distribute.ts',
    'database/migrate.ts',
    'database/readiness.ts',
    'domain/access/accounts.ts',
    'domain/access/keys.ts',
    'domain/sign-in/attempts.ts',
    'domain/sign-in/passkeys.ts',
    'domain/sign-in/sign-in.ts',
    'domain/sign-in/tickets.ts',
  ]
  assert.deepEqual(
    changing.sort(),
    beside.map((file) => `src/${file}`),
  )
})
