import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createKey } from '../../src/domain/access/accounts.ts'
import { hashKey } from '../../src/domain/access/keys.ts'
import { openService } from '../../src/service.ts'
import { type Service, startService, withoutRequestId } from '../harness.ts'

let service: Service
let now = new Date('2036-01-01T00:00:00Z')
before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

test('a key is shown once and stored only as a hash', async () => {
  const { body } = await service.post('/api_keys', { name: 'Sync', permissions: ['organisation:read'] })
  const { key, id } = body.data
  assert.equal((await service.get('/divisions', { key })).status, 200)
  assert.ok(!('key' in (await service.get(`/api_keys/${id}`)).body.data))
  const rows = await service.database.query((sql) => sql.selectFrom('api_keys').selectAll().execute())
  assert.ok(!JSON.stringify(rows).includes(key))
})

test('a revoked key is rejected at once, and its record stays', async () => {
  const { body } = await service.post('/api_keys', { name: 'Short-lived', permissions: ['*'] })
  const { key, id } = body.data
  assert.equal((await service.get('/divisions', { key })).status, 200)
  assert.equal((await service.delete(`/api_keys/${id}`)).status, 204)
  const refused = await service.get('/divisions', { key })
  const unknown = await service.get('/divisions', { key: 'y'.repeat(40) })
  assert.equal(refused.status, 401)
  assert.equal(withoutRequestId(refused.text), withoutRequestId(unknown.text))
  assert.equal((await service.get(`/api_keys/${id}`)).body.data.revoked_at, now.toISOString())
})

test('a key stops working when it expires', async () => {
  const { body } = await service.post('/api_keys', {
    name: 'Until noon',
    permissions: ['*'],
    expires_at: '2036-01-01T12:00:00Z',
  })
  now = new Date('2036-01-01T11:59:59Z')
  assert.equal((await service.get('/divisions', { key: body.data.key })).status, 200)
  now = new Date('2036-01-01T12:00:00Z')
  assert.equal((await service.get('/divisions', { key: body.data.key })).status, 401)
  const past = await service.post('/api_keys', { name: 'Late', permissions: ['*'], expires_at: '2035-01-01T00:00:00Z' })
  assert.equal(past.body.errors[0].code, 'in_the_past')
})

test('the last use of a key is recorded', async () => {
  const { body } = await service.post('/api_keys', { name: 'Used', permissions: ['*'] })
  assert.equal(body.data.last_used_at, null)
  await service.get('/divisions', { key: body.data.key })
  // Stored after the response.
  const lastUse = async () => (await service.get(`/api_keys/${body.data.id}`)).body.data.last_used_at
  for (let tries = 0; tries < 500 && (await lastUse()) === null; tries++) await new Promise(setImmediate)
  assert.equal(await lastUse(), now.toISOString())
})

test('nobody can create a key with more access than their own', async () => {
  const key = await service.keyWith({ permissions: ['keys:*', 'teams:read'], withheld: ['compensation'] })
  const tooMuch = await service.post('/api_keys', { name: 'All', permissions: ['*', 'employees:read'] }, { key })
  assert.equal(tooMuch.status, 422)
  assert.deepEqual(tooMuch.body.errors.map((error: any) => error.field).sort(), ['permissions', 'withheld'])
  const fair = await service.post(
    '/api_keys',
    { name: 'Less', permissions: ['teams:read'], withheld: ['compensation'] },
    { key },
  )
  assert.equal(fair.status, 201)
})

test('removing the last role of a key is rejected, so the key does not gain access', async () => {
  const role_ids = [(await service.get('/roles')).body.data.find((one: any) => one.standard === 'manager').id]
  const { id, key } = await service.make('/api_keys', { name: 'Narrow', permissions: ['*'], role_ids })
  const count = async () => (await service.get('/employees', { key })).body.metadata.count
  assert.equal(await count(), 0)
  const emptied = await service.put(`/api_keys/${id}`, { role_ids: [] })
  assert.deepEqual([emptied.status, emptied.body.errors[0].field], [422, 'role_ids'])
  assert.equal(await count(), 0)
})

test('an address with too many failed keys is rate-limited, but a valid key still works from it', async () => {
  const strict = await startService({ config: { FAILED_KEYS_PER_MINUTE: 5 } })
  const statuses = []
  for (let n = 0; n < 7; n++) statuses.push(await strict.get('/divisions', { key: `wrong-${n}`.padEnd(40) }))
  assert.deepEqual(
    statuses.map((one) => one.status),
    [401, 401, 401, 401, 401, 429, 429],
  )
  assert.ok(Number(statuses[6]?.headers.get('retry-after')) > 0)
  assert.equal((await strict.get('/divisions')).status, 200)
  await strict.stop()
})

const made = async (key: string, rights: Record<string, unknown> = {}) => {
  const answer = await service.post('/api_keys', { name: 'Made', permissions: ['*'], ...rights }, { key })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data as { id: number; key: string; expires_at: string | null; parent_id: number | null }
}

test('a key never outlives its parent key, at any depth', async () => {
  const top = await made(service.key, { expires_at: '2037-01-01T00:00:00Z' })
  const middle = await made(top.key)
  const bottom = await made(middle.key, { expires_at: '2036-06-01T00:00:00Z' })
  assert.equal(middle.expires_at, '2037-01-01T00:00:00.000Z', 'without an end of its own it takes that one')
  assert.equal(middle.parent_id, top.id)
  for (const expires_at of ['2037-01-01T00:00:01Z', null]) {
    const later = await service.post('/api_keys', { name: 'Later', permissions: ['*'], expires_at }, { key: top.key })
    assert.equal(later.body.errors?.[0].field, 'expires_at', later.text)
  }
  assert.equal(
    (await service.put(`/api_keys/${top.id}`, { expires_at: '2036-03-01T00:00:00Z' })).body.data.expires_at,
    '2036-03-01T00:00:00.000Z',
  )
  for (const { id } of [middle, bottom])
    assert.equal((await service.get(`/api_keys/${id}`)).body.data.expires_at, '2036-03-01T00:00:00.000Z')
  assert.equal((await service.get('/divisions', { key: bottom.key })).status, 200)
  assert.equal((await service.delete(`/api_keys/${top.id}`)).status, 204)
  for (const { key } of [top, middle, bottom]) assert.equal((await service.get('/divisions', { key })).status, 401)
})

test('a key cannot change its parent key or a key with more access than itself', async () => {
  const until = '2037-01-01T00:00:00Z'
  const top = await made(service.key, { permissions: ['keys:*', 'teams:*'], expires_at: until })
  const child = await made(top.key, { permissions: ['keys:*', 'teams:*'] })
  const { key } = child
  for (const sent of [{ expires_at: null }, { permissions: ['*'] }, { name: 'Mine' }])
    assert.equal((await service.put(`/api_keys/${top.id}`, sent, { key })).status, 403)
  assert.equal((await service.delete(`/api_keys/${top.id}`, { key })).status, 403)
  assert.equal((await service.put(`/api_keys/${child.id}`, { expires_at: null }, { key })).status, 422)
  // An equal of no relation may be shortened or ended, but not raised.
  const equal = await made(service.key, { permissions: ['keys:*', 'teams:*'], expires_at: until })
  assert.equal((await service.put(`/api_keys/${equal.id}`, { expires_at: null }, { key })).status, 422)
  assert.equal((await service.put(`/api_keys/${equal.id}`, { permissions: ['*'] }, { key })).status, 422)
  assert.equal((await service.delete(`/api_keys/${equal.id}`, { key })).status, 204)
  // Those who may see more are beyond reach, too.
  const blind = await made(service.key, { withheld: ['personal'] })
  const seeing = await made(service.key)
  assert.equal((await service.delete(`/api_keys/${seeing.id}`, { key: blind.key })).status, 403)
  assert.equal((await service.get('/divisions', { key: seeing.key })).status, 200)
})

test('nobody can give a key more access than its parent key has', async () => {
  const top = await made(service.key, { permissions: ['keys:*', 'teams:read'], withheld: ['personal'] })
  const child = await made(top.key, { permissions: ['teams:read'], withheld: ['personal', 'compensation'] })
  const raised = await service.put(`/api_keys/${child.id}`, { permissions: ['*'], withheld: [] })
  assert.deepEqual(raised.body.errors?.map((error: any) => error.field).sort(), ['permissions', 'withheld'])
  assert.equal((await service.put(`/api_keys/${child.id}`, { withheld: ['personal'] })).status, 200)
  assert.equal((await service.put(`/api_keys/${top.id}`, { permissions: ['keys:*'] })).status, 200)
  assert.equal((await service.get('/teams', { key: child.key })).status, 403)
  assert.equal((await service.delete(`/api_keys/${child.id}`)).status, 204)
  assert.equal((await service.put(`/api_keys/${child.id}`, { name: 'Again' })).status, 409)
})

test('a key revoked while it creates others leaves no valid key behind', async () => {
  for (let round = 0; round < 5; round++) {
    const top = await made(service.key)
    const making = Array.from({ length: 6 }, (_, n) =>
      service.post('/api_keys', { name: `Race ${n}`, permissions: ['*'] }, { key: top.key }),
    )
    making.splice(3, 0, service.delete(`/api_keys/${top.id}`))
    for (const { status } of await Promise.all(making)) assert.ok([201, 204, 401].includes(status), String(status))
    const alive = await service.database.query((sql) =>
      sql.selectFrom('api_keys').select('id').where('parent_id', '=', top.id).where('revoked_at', 'is', null).execute(),
    )
    assert.deepEqual(alive, [])
  }
})

test('looking up a key takes one statement, however deep its key tree is', async () => {
  let { key } = await made(service.key)
  for (let depth = 0; depth < 20; depth++) key = (await made(key)).key
  await service.get('/divisions', { key })
  const statements = async (which: string) => {
    const seen: string[] = []
    service.onStatement = (statement) => void seen.push(statement)
    await service.get('/divisions', { key: which })
    service.onStatement = undefined
    return seen
  }
  assert.deepEqual(await statements(key), await statements(service.key))
})

/** The statements that a request says to the database before it begins with what was asked. */
async function lookedUp(key: string): Promise<string[]> {
  const statements: string[] = []
  service.onStatement = (statement) => void statements.push(statement)
  await service.get('/genders', { key })
  service.onStatement = undefined
  return statements
    .filter((one) => /api_keys|secret_hashes/.test(one))
    .map((one) => /secret_hashes|api_keys/.exec(one)?.[0] as string)
}

test('the account of a key is looked up once; an unknown key is looked up in the hash table only', async () => {
  const { key } = await made(service.key)
  assert.deepEqual(await lookedUp(key), ['secret_hashes', 'api_keys'])
  for (let n = 0; n < 3; n++) assert.deepEqual(await lookedUp(key), ['api_keys'])
  for (let n = 0; n < 2; n++) assert.deepEqual(await lookedUp('z'.repeat(40)), ['secret_hashes'])
})

test('a change to a key with SQL, past the service, takes effect within a second', async () => {
  const { id, key } = await made(service.key)
  const status = async () => (await service.get('/genders', { key })).status
  assert.equal(await status(), 200)
  await service.database.write((sql) =>
    sql.updateTable('api_keys').set({ revoked_at: now.toISOString() }).where('id', '=', id).execute(),
  )
  now = new Date(now.getTime() + 1000)
  assert.equal(await status(), 401)
})

test('two accounts cannot have the same key, and a failed key creation leaves nothing behind', async () => {
  const { account, key } = await service.otherAccount()
  const { ledger } = openService({ database: service.database, filesAt: '' })
  await assert.rejects(createKey(ledger, service.account, { name: 'Same' }, key))
  const rows = await service.database.query((sql) =>
    sql.selectFrom('secret_hashes').select('account_id').where('hash', '=', hashKey(key)).execute(),
  )
  assert.deepEqual(rows, [{ account_id: account.id }])
  assert.ok((await service.get('/api_keys?per_page=200')).body.data.every((one: any) => one.name !== 'Same'))
})

test('a key that moved to another account after a restore opens the new account', async () => {
  const { account, key } = await service.otherAccount()
  const name = async () => (await service.get('/company', { key })).body?.data?.name
  assert.equal(await name(), 'Another company')
  const hash = hashKey(key)
  const move = (to: number) =>
    service.database.write(async (sql) => {
      await sql.updateTable('api_keys').set({ account_id: to, id: 9000 }).where('hash', '=', hash).execute()
      await sql.updateTable('secret_hashes').set({ account_id: to }).where('hash', '=', hash).execute()
    })
  // The last use is written after the response. Once it is there, the next minute writes no other.
  const forgotten = () =>
    service.database.write((sql) =>
      sql.deleteFrom('api_key_uses').where('account_id', '=', account.id).returning('key_id').execute(),
    )
  while ((await forgotten()).length === 0) await setTimeout(5)
  await move(service.account.id)
  now = new Date(now.getTime() + 1000)
  assert.equal(await name(), 'Test company')
  assert.equal(await name(), 'Test company')
})
