import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, startService } from './harness.ts'

let service: Service
let now = new Date('2036-03-01T12:00:00Z')
before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

const once = (key: string) => ({ headers: { 'idempotency-key': key } })

test('the same idempotency key and body replay the first response and store nothing more', async () => {
  const first = await service.post('/divisions', { name: 'Once' }, once('a'))
  const again = await service.send('POST', '/divisions', { form: { name: 'Once' }, ...once('a') })
  assert.equal(first.status, 201)
  assert.equal(again.status, 201)
  assert.equal(again.text, first.text)
  assert.equal(again.headers.get('location'), first.headers.get('location'))
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.equal(first.headers.get('idempotency-replayed'), null)
  assert.equal((await service.get('/divisions')).body.metadata.count, 1)
})

test('the same idempotency key with another body is rejected', async () => {
  await service.post('/divisions', { name: 'Mismatch' }, once('b'))
  const other = await service.post('/divisions', { name: 'Something else' }, once('b'))
  assert.equal(other.status, 422)
  assert.equal(other.body.code, 'idempotency_mismatch')
})

test('the same idempotency key with another query is rejected', async () => {
  const { id } = await service.make('/divisions', { name: 'Asked' })
  const [change] = (await service.get(`/changes?record_id=${id}&resources[]=divisions`)).body.data
  const undo = `/changes/${change.number}/undo`
  const undone = await service.post(undo, {}, once('query'))
  assert.equal(undone.status, 200, undone.text)
  const other = await service.post(`${undo}?request=true`, {}, once('query'))
  assert.equal(other.status, 422)
  assert.equal(other.body.code, 'idempotency_mismatch')
  assert.equal((await service.post(undo, {}, once('query'))).headers.get('idempotency-replayed'), 'true')
})

test('an idempotency key belongs to one operation and one API key', async () => {
  await service.post('/divisions', { name: 'Scoped' }, once('c'))
  assert.equal(
    (await service.post('/positions', { name: 'Scoped' }, once('c'))).headers.get('idempotency-replayed'),
    null,
  )
  const key = await service.keyWith({ permissions: ['*'] })
  assert.equal((await service.post('/divisions', { name: 'Scoped' }, { ...once('c'), key })).status, 422)
})

test('a failed write is not stored, so a retry may succeed', async () => {
  const wrong = await service.post('/locations', { name: 'Retry', holiday_policy_id: 1 }, once('d'))
  assert.equal(wrong.status, 422)
  await service.post('/holiday_policies', { name: 'Germany', country_code: 'DE' })
  assert.equal((await service.post('/locations', { name: 'Retry', holiday_policy_id: 1 }, once('d'))).status, 201)
})

test('ten concurrent retries make one record, and early ones get 409', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => service.post('/positions', { name: 'At once' }, once('e'))),
  )
  const statuses = answers.map((answer) => answer.status)
  assert.ok(
    statuses.every((status) => status === 201 || status === 409),
    statuses.join(),
  )
  assert.ok(statuses.includes(201))
  const early = answers.find((answer) => answer.status === 409)
  if (early) assert.equal(early.body.code, 'idempotency_in_progress')
  const { body } = await service.get('/positions')
  assert.equal(body.data.filter((one: any) => one.name === 'At once').length, 1)
})

test('a response is stored for 24 hours', async () => {
  await service.post('/job_levels', { name: 'Kept' }, once('f'))
  now = new Date('2036-03-02T11:59:00Z')
  assert.equal(
    (await service.post('/job_levels', { name: 'Kept' }, once('f'))).headers.get('idempotency-replayed'),
    'true',
  )
  now = new Date('2036-03-02T12:01:00Z')
  const late = await service.post('/job_levels', { name: 'Kept' }, once('f'))
  assert.equal(late.body.errors[0].code, 'taken')
})

test('the stored response of a new API key does not contain the key', async () => {
  const first = await service.post('/api_keys', { name: 'K', permissions: ['teams:read'] }, once('g'))
  assert.match(first.body.data.key, /^cadre_/)
  const again = await service.post('/api_keys', { name: 'K', permissions: ['teams:read'] }, once('g'))
  assert.equal(again.body.data.key, '')
  assert.equal(again.body.data.id, first.body.data.id)
})

test('a response about an erased person is not replayed: the retry gets 410', async () => {
  const { id } = await service.hire({ first_name: 'Erika', last_name: 'Zq9' })
  const headers = { 'idempotency-key': 'of-somebody-erased' }
  const change = () => service.put(`/employees/${id}`, { nickname: 'Zq9' }, { headers })
  assert.equal((await change()).status, 200)
  await service.delete(`/employees/${id}?erase=true`)
  const { status, body } = await change()
  assert.deepEqual([status, body.code], [410, 'erased'])
})
