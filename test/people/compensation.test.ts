import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { operations } from '../../src/operations.ts'
import { type Service, startService, withoutRequestId } from '../harness.ts'

let service: Service
let id: number
before(async () => {
  service = await startService()
  await service.post('/compensation_types', { name: 'Bonus' })
  await service.post('/pay_schedules', { name: 'Monthly' })
  id = (
    await service.post('/employees', {
      first_name: 'Ada',
      last_name: 'L',
      personal_email: 'secret@example.net',
      date_of_birth: '1990-01-01',
      gender: 'female',
    })
  ).body.data.id
})
after(() => service.stop())

describe('salaries', () => {
  test('have all documented fields and exact amounts', async () => {
    const form = {
      effective_on: '2024-02-01',
      amount: '1500',
      currency_code: 'eur',
      per: 'month',
      overtime: 'true',
      comment: 'Start',
    }
    const made = await service.send('POST', `/employees/${id}/salaries`, { form })
    assert.equal(made.status, 201, made.text)
    const { id: salary, created_at, updated_at, ...rest } = made.body.data
    assert.deepEqual(rest, {
      announced_on: null,
      effective_on: '2024-02-01',
      amount: '1500.0',
      currency_code: 'EUR',
      per: 'month',
      overtime: true,
      comment: 'Start',
      pay_schedule: null,
    })
    const changed = await service.put(`/employees/${id}/salaries/${salary}`, { amount: 1234.56, pay_schedule_id: 1 })
    assert.deepEqual(
      [changed.body.data.amount, changed.body.data.pay_schedule],
      ['1234.56', { id: 1, name: 'Monthly' }],
    )
    for (const amount of ['1.23456', -1, 'much', 1e21, '999999999999'])
      assert.equal((await service.put(`/employees/${id}/salaries/${salary}`, { amount })).status, 422, String(amount))
    const wrong = await service.post(`/employees/${id}/salaries`, { currency_code: 'QQQ', per: 'decade' })
    assert.deepEqual(wrong.body.errors.map((error: any) => error.field).sort(), [
      'amount',
      'currency_code',
      'effective_on',
      'per',
    ])
    assert.equal((await service.get(`/employees/${id}/salaries`)).body.metadata, undefined)
  })
})

describe('additional compensations', () => {
  const send = (form: Record<string, unknown>) =>
    service.send('POST', `/employees/${id}/additional_compensations`, {
      form: { compensation_type_id: 1, starts_on: '2024-01-01', amount: '100', currency_code: 'EUR', ...form },
    })

  test('have all documented fields, and a frequency if they recur', async () => {
    const made = await send({
      type: 'reoccurring',
      frequency: 'half_yearly',
      ends_on: '2025-12-31',
      description: 'Car',
    })
    const { id: _, created_at, updated_at, ...rest } = made.body.data
    assert.deepEqual(rest, {
      announced_on: null,
      type: 'reoccurring',
      description: 'Car',
      amount: '100.0',
      currency_code: 'EUR',
      starts_on: '2024-01-01',
      ends_on: '2025-12-31',
      frequency: 'half_yearly',
      compensation_type: { id: 1, name: 'Bonus' },
    })
    assert.equal((await send({ type: 'reoccurring' })).body.errors[0].field, 'frequency')
    assert.equal((await send({ type: 'fixed', ends_on: '2025-01-01' })).body.errors[0].field, 'ends_on')
    assert.equal(
      (await send({ type: 'reoccurring', frequency: 'daily', ends_on: '2023-01-01' })).body.errors[0].code,
      'too_early',
    )
    assert.equal((await send({ type: 'fixed' })).body.data.ends_on, null)
  })
})

describe('a key that may not see compensation', () => {
  /** An amount that stands nowhere else. */
  const AMOUNT = '73519.25'
  let key: string

  before(async () => {
    key = await service.keyWith({ permissions: ['*'], withheld: ['compensation'] })
    await service.post(`/employees/${id}/salaries`, {
      effective_on: '2024-03-01',
      amount: AMOUNT,
      currency_code: 'EUR',
      per: 'year',
      comment: `was ${AMOUNT}`,
    })
    await service.post(`/employees/${id}/additional_compensations`, {
      compensation_type_id: 1,
      type: 'fixed',
      starts_on: '2024-01-01',
      amount: AMOUNT,
      currency_code: 'EUR',
      description: AMOUNT,
    })
  })

  test('sees no amount in any response of any read operation', async () => {
    for (const operation of operations.filter((one) => one.method === 'GET')) {
      for (const record of [1, 2, 3]) {
        const path = operation.path.replace('{employee_id}', String(id)).replace(/\{\w+\}/g, String(record))
        for (const query of ['', '?as_of=2030-01-01', `?q=${AMOUNT}`]) {
          const { text } = await service.get(path + query, { key })
          // The id of the request can contain the digits by chance.
          assert.ok(!withoutRequestId(text).includes('73519'), `${operation.id}${query}`)
        }
      }
    }
    // Neither how often somebody got a raise, nor when.
    for (const part of ['salaries', 'salaries/2', 'additional_compensations'])
      assert.equal((await service.get(`/employees/${id}/${part}`, { key })).status, 403)
    assert.equal((await service.get(`/employees/${id}?as_of=2030-01-01`)).body.data.salary.amount, AMOUNT)
  })

  test('cannot write compensation, and the error reveals nothing', async () => {
    const refused = await service.put(`/employees/${id}/salaries/2`, { amount: '1' }, { key })
    assert.equal(refused.status, 403)
    assert.ok(!withoutRequestId(refused.text).includes('73519'))
    const moved = await service.put(`/employees/${id}/salaries/2`, { effective_on: '2024-03-02' }, { key })
    assert.equal(moved.status, 403)
    assert.equal((await service.delete(`/employees/${id}/salaries/2`, { key })).status, 403)
    assert.equal((await service.delete(`/employees/${id}/additional_compensations/1`, { key })).status, 403)
    assert.equal((await service.get(`/employees/${id}/salaries/2`)).body.data.amount, AMOUNT)
  })
})

test('a key that may not see personal fields neither reads nor writes them', async () => {
  const key = await service.keyWith({ permissions: ['*'], withheld: ['personal'] })
  await service.post(`/employees/${id}/emergency_contacts`, { name: 'Secret Contact' })
  for (const path of ['emergency_contacts', 'dependents'])
    assert.equal((await service.get(`/employees/${id}/${path}`, { key })).status, 403)
  for (const path of [`/employees/${id}`, '/employees']) {
    const { text, headers } = await service.get(path, { key })
    for (const word of ['secret@example.net', '1990-01-01', 'female', 'Secret Contact'])
      assert.ok(!text.includes(word), `${path} ${word}`)
    assert.equal(headers.get('cadre-omitted'), 'personal')
  }
  assert.equal((await service.put(`/employees/${id}`, { date_of_birth: '1991-01-01' }, { key })).status, 403)
  const bulk = await service.send('PATCH', '/employees/bulk', { json: { data: [{ id, gender: 'male' }] }, key })
  assert.equal(bulk.body.errors.data[0].errors[0].code, 'forbidden')
})

describe('educations and notes', () => {
  test('educations have the documented fields and come without metadata', async () => {
    const made = await service.post(`/employees/${id}/educations`, {
      school: 'London',
      degree: 'Maths',
      from_year: 2008,
      to_year: '2012',
    })
    assert.equal(made.status, 201, made.text)
    const { body } = await service.get(`/employees/${id}/educations`)
    assert.deepEqual(Object.keys(body), ['data'])
    const { id: _, created_at, updated_at, ...rest } = body.data[0]
    assert.deepEqual(rest, { school: 'London', degree: 'Maths', from_year: '2008', to_year: '2012', grade: null })
    assert.equal(
      (
        await service.post(`/employees/${id}/educations`, {
          school: 'A',
          degree: 'B',
          from_year: '2012',
          to_year: '2008',
        })
      ).body.errors[0].field,
      'to_year',
    )
    assert.equal(
      (await service.post(`/employees/${id}/educations`, { school: 'A', degree: 'B', from_year: '12' })).body.errors[0]
        .code,
      'invalid',
    )
  })

  test('the author of a note is the employee of the key', async () => {
    const own = (await service.post('/api_keys', { name: 'Own', permissions: ['employees:*'], employee_id: id })).body
      .data.key
    const { body } = await service.post(`/employees/${id}/notes`, { body: 'Hello' }, { key: own })
    assert.deepEqual(body.data.created_by, { id, first_name: 'Ada', last_name: 'L', email: null })
    assert.equal((await service.post(`/employees/${id}/notes`, { body: 'Hello' })).body.data.created_by, null)
  })
})
