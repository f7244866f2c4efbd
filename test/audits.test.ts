import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { digestLedger } from './fixtures/fixture.ts'
import { type Service, startService } from './harness.ts'

let service: Service
let ada: number
before(async () => {
  service = await startService()
  ada = (await service.post('/employees', { first_name: 'Ada', last_name: 'Lovelace', date_of_birth: '1990-12-10' }))
    .body.data.id
  for (let n = 1; n <= 60; n++) await service.post('/divisions', { name: `Division ${n}` })
})
after(() => service.stop())

test('every change is in the audits, newest first, with its kind of record, its id, and who did it', async () => {
  const { key } = (await service.post('/api_keys', { name: 'Of Ada', permissions: ['*'], employee_id: ada })).body.data
  await service.put('/divisions/1', { name: 'Renamed' }, { key })
  await service.delete('/divisions/2', { key })
  const { body } = await service.get('/audits')
  const [deleted, renamed] = body.data
  assert.deepEqual([deleted.event, deleted.record_type, deleted.record_id], ['delete', 'Division', 2])
  assert.deepEqual([renamed.event, renamed.record_type, renamed.record_id], ['update', 'Division', 1])
  assert.equal(renamed.employee.full_name, 'Ada Lovelace')
  assert.match(renamed.id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(body.data.at(-1).employee, null)
})

test('paging through the audits meets every change once, from either end', async () => {
  const idsOf = async (query: string) => {
    const seen: string[] = []
    for (let page = 1, pages = 1; page <= pages; page++) {
      const { body } = await service.get(`/audits?page=${page}&${query}`)
      pages = body.metadata.pages
      seen.push(...body.data.map((one: any) => one.id))
    }
    return seen
  }
  const down = await idsOf('per_page=7')
  const { entries } = await digestLedger(service.database)
  assert.deepEqual([down.length, new Set(down).size], [entries, entries])
  assert.deepEqual(await idsOf('per_page=7&sort=created_at'), down.toReversed())
  assert.deepEqual(await idsOf('per_page=20&created_at[gt]=0'), down)
  assert.deepEqual(await idsOf('created_at[gt]=4102444800'), [])
})

test('whoever may not read employees is not told who it was, and what is withheld stays so', async () => {
  const auditor = await service.keyWith({ permissions: ['audits:read', 'organisation:read'] })
  const told = (await service.get('/audits', { key: auditor })).body
  assert.ok(told.data.every((one: any) => one.employee === null))
  // What happened to kinds of records that the key may not read is nobody's business but theirs.
  assert.ok(told.data.some((one: any) => one.record_type === 'Division'))
  assert.ok(!told.data.some((one: any) => /Employee|ApiKey/.test(one.record_type)))
  const whole = (await service.get('/audits')).body.metadata.count
  assert.ok(told.metadata.count < whole)
  const partly = await service.keyWith({
    permissions: ['audits:read', 'employees:read', 'organisation:read'],
    withheld: ['personal'],
  })
  const answer = await service.get('/audits', { key: partly })
  assert.ok(!answer.text.includes('1990-12-10'))
  assert.match(answer.headers.get('cadre-omitted') ?? '', /personal/)
  const other = await service.keyWith({ permissions: ['employees:*'] })
  assert.equal((await service.get('/audits', { key: other })).status, 403)
})
