import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { connect } from '../../src/database/connect.ts'
import { type Answer, type Service, sender } from '../harness.ts'
import { type Office, openOffice } from '../recruitment/office.ts'

/** What an account is called, where it is and what it pays in, which every request reads. */

let office: Office
let service: Service
let now = new Date('2030-05-15T12:00:00Z')
before(async () => {
  office = await openOffice({ clock: () => now })
  service = office.service
})
after(() => service.stop())

const company = async () => (await service.get('/company')).body.data
async function change(values: object): Promise<Answer> {
  const answer = await service.put('/company', values)
  assert.equal(answer.status, 200, answer.text)
  return answer
}
const lastNumber = async () => (await service.get('/changes')).body.metadata.last as number

async function roleKey(standard: string): Promise<string> {
  const roles = (await service.get('/roles')).body.data
  const { id } = roles.find((one: any) => one.standard === standard)
  return (await service.make('/api_keys', { name: standard, permissions: ['*'], role_ids: [id] })).key
}

test('every process shows a changed company name on the next request, also on the sign-in and careers pages', async () => {
  const database = connect(service.databaseUrl)
  const config = { ...readConfig({}), LOG_LEVEL: 'silent' as const }
  const app = await buildApp({ config, database, clock: () => now })
  try {
    const there = sender(await app.listen({ host: '127.0.0.1', port: 0 }), service.key)
    assert.equal((await there('GET', '/company')).body.data.name, 'Test company')
    const { body } = await change({ name: '  Acme & Söhne ', time_zone: 'Pacific/Auckland', currency_code: 'NZD' })
    assert.equal(body.data.name, 'Acme & Söhne')
    assert.deepEqual((await there('GET', '/company')).body, body)
    for (const send of [there, service.send]) {
      assert.equal((await send('GET', '/recruitment/careers/company', { key: null })).body.data.name, 'Acme & Söhne')
      assert.equal((await send('GET', '/sign_in', { key: null })).body.data.account.name, 'Acme & Söhne')
    }
  } finally {
    await app.close()
  }
})

test('an invalid name, time zone or currency is rejected with all errors at once and changes nothing', async () => {
  const before = await service.get('/company')
  const codes = async (values: object) => {
    const { status, body } = await service.put('/company', values)
    return [status, ...body.errors.map((one: any) => `${one.field} ${one.code}`)]
  }
  const all = ['name', 'time_zone', 'currency_code']
  const nothing = await codes({ name: null, time_zone: null, currency_code: null })
  assert.deepEqual([nothing[0], nothing.length], [422, 4])
  const blank = await codes({ name: ' ', time_zone: '', currency_code: '' })
  assert.deepEqual([blank[0], blank.length], [422, 4])
  const wrong = await codes({ name: 'a\nb', time_zone: 'Mars/Olympus', currency_code: 'XYZ1' })
  assert.deepEqual(
    wrong.slice(1).map((one) => String(one).split(' ')[0]),
    all,
  )
  assert.equal((await codes({ name: 'x'.repeat(256) }))[0], 422)
  assert.equal((await service.get('/company')).text, before.text)
  const number = await lastNumber()
  const { name } = before.body.data
  await change({ name })
  await change({})
  assert.equal(await lastNumber(), number)
})

test('every role with organisation:read reads the company; only owner and HR change it', async () => {
  for (const [role, mayRead, mayWrite] of [
    ['owner', 200, 200],
    ['hr', 200, 200],
    ['payroll', 200, 403],
    ['recruiter', 200, 403],
    ['employee', 200, 403],
    ['manager', 403, 403],
  ] as const) {
    const key = await roleKey(role)
    assert.equal((await service.get('/company', { key })).status, mayRead, role)
    assert.equal((await service.put('/company', { name: role }, { key })).status, mayWrite, role)
  }
  const { id: location_id } = await service.make('/locations', { name: 'Here' })
  const grants = [{ scope: 'location', location_id, permissions: ['organisation:*'], sees: [] }]
  const { id } = await service.make('/roles', { name: 'Of a place', grants })
  const { key } = await service.make('/api_keys', { name: 'K', permissions: ['*'], role_ids: [id] })
  assert.equal((await service.put('/company', { name: 'Mine' }, { key })).status, 403)
  assert.equal((await company()).name, 'hr')
  const { key: other } = await service.otherAccount()
  assert.equal((await service.get('/company', { key: other })).body.data.name, 'Another company')
})

test('a new time zone changes what today is, but no stored or past date', async () => {
  await change({ time_zone: 'UTC' })
  now = new Date('2030-06-01T22:00:00Z')
  const person = await service.hire({ hired_on: '2030-01-01', probation_ends_on: '2030-06-01' })
  const entry = await service.make('/time/timesheet_entries', {
    employee_id: person.id,
    starts_at: '2030-05-30T20:00:00Z',
    ends_at: '2030-05-30T23:30:00Z',
  })
  const status = async (more = '') => (await service.get(`/employees/${person.id}${more}`)).body.data.status
  const then = await lastNumber()
  assert.equal(await status(), 'probation')
  await change({ time_zone: 'Asia/Tokyo' })
  assert.equal(await status(), 'employed')
  assert.equal(await status(`?known_at=${then}`), 'probation')
  assert.equal(await status(`?known_at=${await lastNumber()}`), 'employed')
  const place = `/time/timesheet_entries/${entry.id}`
  assert.equal((await service.get(place)).body.data.date, '2030-05-30')
  const { body } = await service.put(place, { comment: 'Late' })
  assert.deepEqual([body.data.date, body.data.minutes], ['2030-05-30', 210])
  assert.equal((await service.get(`/employees/${person.id}`)).body.data.probation_ends_on, '2030-06-01')
  await change({ time_zone: 'Pacific/Honolulu' })
  assert.equal(await status(), 'probation')
})

test('a new company currency applies to new amounts only', async () => {
  await change({ currency_code: 'EUR' })
  const old = await office.vacancy({ currency_code: undefined })
  await change({ currency_code: 'UAH' })
  assert.equal((await office.vacancy({ currency_code: undefined })).currency_code, 'UAH')
  assert.equal((await service.get(`/recruitment/vacancies/${old.id}`)).body.data.currency_code, 'EUR')
})

test('a company change is in the history and can be undone; creating the company cannot be undone', async () => {
  await change({ name: 'One', time_zone: 'Europe/Kyiv' })
  const { etag } = Object.fromEntries((await service.get('/company')).headers) as { etag: string }
  await change({ name: 'Two' })
  const late = await service.put('/company', { name: 'Three' }, { headers: { 'if-match': etag } })
  assert.equal(late.status, 412)
  const { id } = await company()
  const history = (await service.get(`/companies/${id}/history`)).body.data
  assert.match(history[0].sentence, /name “One” → “Two”/)
  assert.equal(history.at(-1).action, 'create')
  const undone = await service.post(`/changes/${history[0].number}/undo`)
  assert.equal(undone.status, 200, undone.text)
  assert.equal((await company()).name, 'One')
  const again = await service.post(`/changes/${await lastNumber()}/undo`)
  assert.equal(again.status, 200, again.text)
  assert.equal((await company()).name, 'Two')
  const answer = await service.put('/company', { name: 'Trial' }, { headers: { prefer: 'dry-run' } })
  assert.equal(answer.status, 200)
  assert.equal((await company()).name, 'Two')
  const { key, account } = await service.otherAccount()
  const [made] = (await service.get(`/companies/${id}/history`, { key })).body.data
  assert.equal(made.after.name, account.name)
  assert.equal((await service.post(`/changes/${made.number}/undo`, {}, { key })).status, 409)
  assert.equal((await service.get('/company', { key })).body.data.name, account.name)
})
