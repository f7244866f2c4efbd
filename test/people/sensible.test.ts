import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, type Service, startService } from '../harness.ts'

/** What cannot be true of a person is refused, and says why. */

let service: Service
before(async () => {
  service = await startService({ clock: () => new Date('2026-06-15T12:00:00Z') })
})
after(() => service.stop())

const problem = ({ status, body }: Answer) => [status, body.errors?.[0]?.field, body.errors?.[0]?.code]
const pay = { amount: '1000', currency_code: 'EUR', per: 'month' }

test('two salaries or two job entries of one person on one date are rejected', async () => {
  const [one, other] = [await service.hire(), await service.hire()]
  const path = `/employees/${one.id}/salaries`
  const first = await service.make(path, { ...pay, effective_on: '2025-01-01' })
  assert.deepEqual(problem(await service.post(path, { ...pay, effective_on: '2025-01-01' })), [
    422,
    'effective_on',
    'taken',
  ])
  const second = await service.make(path, { ...pay, effective_on: '2025-02-01' })
  assert.deepEqual(problem(await service.put(`${path}/${second.id}`, { effective_on: '2025-01-01' })), [
    422,
    'effective_on',
    'taken',
  ])
  assert.equal((await service.put(`${path}/${first.id}`, { effective_on: '2025-01-01', amount: '1001' })).status, 200)
  assert.equal(
    (await service.post(`/employees/${other.id}/salaries`, { ...pay, effective_on: '2025-01-01' })).status,
    201,
  )
})

test('amounts cannot have more decimals than their currency', async () => {
  const { id } = await service.hire()
  const { id: type } = await service.make('/compensation_types', { name: 'Allowance' })
  const extra = { type: 'fixed', starts_on: '2025-01-01', compensation_type_id: type }
  let month = 1
  for (const [amount, currency_code, status] of [
    ['1000.55', 'EUR', 201],
    ['1000.555', 'EUR', 422],
    ['1000.500', 'EUR', 201],
    ['1000.5', 'JPY', 422],
    ['1000.0', 'JPY', 201],
    ['1000.555', 'KWD', 201],
    ['1000.5555', 'KWD', 422],
  ] as const) {
    const effective_on = `2025-${String(month++).padStart(2, '0')}-01`
    for (const answer of [
      await service.post(`/employees/${id}/salaries`, { ...pay, amount, currency_code, effective_on }),
      await service.post(`/employees/${id}/additional_compensations`, { ...extra, amount, currency_code }),
    ]) {
      assert.equal(answer.status, status, `${amount} ${currency_code} ${answer.text}`)
      if (status === 422) assert.deepEqual(problem(answer), [422, 'amount', 'too_precise'])
    }
  }
  const [salary] = (await service.get(`/employees/${id}/salaries`)).body.data
  const path = `/employees/${id}/salaries/${salary.id}`
  assert.deepEqual(problem(await service.put(path, { currency_code: 'JPY' })), [422, 'amount', 'too_precise'])
})

test('a name of invisible characters counts as blank', async () => {
  for (const name of ['\u200b', '\u2800\u2800', '\u3164', '\u00ad \u2060', '\ufeff'])
    for (const [path, field, more] of [
      ['/divisions', 'name', {}],
      ['/employees', 'first_name', { last_name: 'Seen' }],
      ['/recruitment/candidates', 'full_name', {}],
    ] as const) {
      const [status, where, code] = problem(await service.post(path, { ...more, [field]: name }))
      assert.deepEqual([status, where, code], [422, field, 'blank'], `${path} ${JSON.stringify(name)}`)
    }
  // Joiners belong to some names.
  assert.equal((await service.make('/divisions', { name: 'علی\u200cرضا' })).name, 'علی\u200cرضا')
})

test('salaries, job entries and assets outside the employment are rejected', async () => {
  const { id } = await service.hire({ hired_on: '2024-03-01' })
  const { id: category } = await service.make('/asset_categories', { name: 'Laptops', icon: 'fas fa-laptop' })
  const { id: location_id } = await service.make('/locations', { name: 'Store' })
  const asset = await service.make('/assets', { name: 'L1', code: 'L1', asset_category_id: category, location_id })
  await service.post(`/employees/${id}/terminate`, { effective_from: '2026-09-01' })
  const ways: Record<string, (day: string) => Promise<Answer>> = {
    effective_on: (day) => service.post(`/employees/${id}/salaries`, { ...pay, effective_on: day }),
    effective_from: (day) => service.post(`/employees/${id}/positions`, { effective_from: day }),
    issued_on: (day) =>
      service.post('/asset_assignments', { asset_id: asset.id, user_id: id, issued_on: day, returned_on: day }),
  }
  for (const [field, write] of Object.entries(ways)) {
    assert.deepEqual(problem(await write('2024-02-29')), [422, field, 'too_early'])
    const late = await write('2026-09-01')
    assert.equal(late.status, 422, `${field} ${late.text}`)
    assert.equal((await write('2024-06-01')).status, 201, field)
    assert.equal((await write('2026-08-31')).status, 201, field)
  }
  const status = await service.post(`/employees/${id}/employment_statuses`, { effective_from: '2024-02-29' })
  assert.deepEqual(problem(status), [422, 'effective_from', 'too_early'])
  const unknown = await service.hire()
  assert.equal(
    (await service.post(`/employees/${unknown.id}/salaries`, { ...pay, effective_on: '1999-01-01' })).status,
    201,
  )
})

test('a rejected hire date does not reveal a hidden date of birth', async () => {
  const key = await service.keyWith({ permissions: ['employees:*'], withheld: ['personal'] })
  const { id } = await service.hire({ hired_on: '2024-03-01', date_of_birth: '1990-05-05' })
  assert.equal((await service.put(`/employees/${id}`, { hired_on: '1990-05-04' }, { key })).status, 200)
})

test('a hire date before the date of birth is rejected', async () => {
  const born = { date_of_birth: '2000-05-05' }
  const answer = await service.post('/employees', { first_name: 'A', last_name: 'B', ...born, hired_on: '2000-05-05' })
  assert.deepEqual(problem(answer), [422, 'date_of_birth', 'too_late'])
  const { id } = await service.hire({ ...born, hired_on: '2020-01-01' })
  assert.deepEqual(problem(await service.put(`/employees/${id}`, { hired_on: '1999-01-01' })), [
    422,
    'hired_on',
    'too_early',
  ])
  assert.deepEqual(problem(await service.put(`/employees/${id}`, { date_of_birth: '2020-01-01' })), [
    422,
    'date_of_birth',
    'too_late',
  ])
})

test('a bulk change cannot give anybody a job after their termination', async () => {
  const { id } = await service.hire({ hired_on: '2024-01-01' })
  const location_id = (await service.make('/locations', { name: 'Too late' })).id
  assert.equal((await service.post(`/employees/${id}/terminate`, { effective_from: '2026-12-15' })).status, 200)
  const bulk = async (effective_from: string) =>
    (await service.send('PATCH', '/employees/bulk', { json: { effective_from, data: [{ id, location_id }] } })).body
  assert.equal((await bulk('2026-12-15')).errors.data[0]?.errors[0].code, 'too_late')
  assert.equal((await bulk('2026-12-14')).records.count, 1)
})
