import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, startService } from '../harness.ts'

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
  const rows = await service.database.glance((sql) => sql.selectFrom('api_keys').selectAll().execute())
  assert.ok(!JSON.stringify(rows).includes(key))
})

test('a revoked key is refused at once, and its record stays', async () => {
  const { body } = await service.post('/api_keys', { name: 'Short-lived', permissions: ['*'] })
  const { key, id } = body.data
  assert.equal((await service.get('/divisions', { key })).status, 200)
  assert.equal((await service.delete(`/api_keys/${id}`)).status, 204)
  const refused = await service.get('/divisions', { key, headers: { 'x-request-id': 'r' } })
  const unknown = await service.get('/divisions', { key: 'y'.repeat(40), headers: { 'x-request-id': 'r' } })
  assert.equal(refused.status, 401)
  assert.equal(refused.text, unknown.text)
  assert.equal((await service.get(`/api_keys/${id}`)).body.data.revoked_at, now.toISOString())
})

test('a key ends when it expires', async () => {
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

test('the last use of a key is noted', async () => {
  const { body } = await service.post('/api_keys', { name: 'Used', permissions: ['*'] })
  assert.equal(body.data.last_used_at, null)
  await service.get('/divisions', { key: body.data.key })
  await service.put('/divisions/1', {})
  assert.equal((await service.get(`/api_keys/${body.data.id}`)).body.data.last_used_at, now.toISOString())
})

test('nobody can make a key that opens more than their own', async () => {
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

test('an address that fails too often has to wait, and a valid key still works from there', async () => {
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
