import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fillWithDemo } from '../src/demo/demo.ts'
import { operations } from '../src/operations.ts'
import { type Service, startService } from './harness.ts'

const YEAR = new Date().getUTCFullYear()
let service: Service
before(async () => {
  service = await startService()
  await fillWithDemo(service.app, service.database, service.key, new Date().toISOString().slice(0, 10))
})
after(() => service.stop())

test('every list operation of the service answers with records in it', async () => {
  const lists = operations.filter(
    (one) => one.method === 'GET' && (one.answer?.properties as any)?.data?.type === 'array',
  )
  assert.ok(lists.length > 50)
  const parents = {
    employee_id: 1,
    candidate_id: 1,
    vacancy_id: 1,
    key_performance_indicator_id: 1,
    project_id: 1,
    leave_policy_id: 1,
    employee_field_id: 'shirt_size',
    candidate_field_id: 'notice_period',
    vacancy_field_id: 'seniority',
  }
  for (const { id, path } of lists) {
    const place = path.replace(/\{(\w+)\}/g, (_, name: string) => String((parents as any)[name]))
    const query =
      id === 'listAnniversaries' || id === 'listBirthdays'
        ? `?date[gte]=${YEAR}-01-01&date[lte]=${YEAR}-12-31`
        : id === 'listEmployeeHolidays'
          ? `?starts_on=${YEAR}-01-01&ends_on=${YEAR}-12-31`
          : ''
    const answer = await service.get(place + query)
    assert.equal(answer.status, 200, `${id}: ${answer.text}`)
    assert.ok(answer.body.data.length > 0, `${id} ${place} is empty`)
  }
})

test('the company is as large as promised, and a second filling is refused', async () => {
  const count = async (path: string) => (await service.get(path)).body.metadata.count
  assert.equal(await count('/employees'), 200)
  assert.equal(await count('/recruitment/vacancies'), 12)
  assert.ok((await count('/recruitment/candidates')) >= 300)
  assert.ok((await count('/employees?status=terminated')) > 3)
  assert.ok((await count('/leave_requests')) > 80)
  assert.ok((await count('/leave_requests/pending')) > 5)
  await assert.rejects(fillWithDemo(service.app, service.database, service.key, '2026-01-01'), /already holds people/)
})

test('the calendar shows who is away, and its feed has a secret address of its own', async () => {
  const { body } = await service.get('/calendars')
  const types = new Set(body.data.map((event: any) => event.type))
  assert.ok(types.has('birthday') || types.has('anniversary') || types.has('leave'))
  const { url } = (await service.get('/calendars/feed')).body.data
  const feed = await fetch(url)
  assert.equal(feed.headers.get('content-type'), 'text/calendar; charset=utf-8')
  const text = await feed.text()
  assert.match(text, /^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\n/)
  assert.ok(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75))
  assert.equal((await fetch(url.replace(/.{4}\.ics$/, 'xxxx.ics'))).status, 404)
})
