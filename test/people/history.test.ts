import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { daysAfter } from '../../src/engine/day.ts'
import { fc } from '../chance.ts'
import { type Service, startService } from '../harness.ts'
import { rounds } from '../thorough.ts'

let service: Service
let now = new Date('2036-06-15T12:00:00Z')
before(async () => {
  service = await startService({ clock: () => now })
  for (const name of ['P1', 'P2', 'P3']) await service.post('/positions', { name })
  for (const name of ['D1', 'D2', 'D3']) await service.post('/departments', { name })
  for (const name of ['T1', 'T2']) await service.post('/employment_types', { name })
  await service.post('/employee_fields', { name: 'Grade', type: 'text', historical: true })
})
after(() => service.stop())

const hire = async (values: Record<string, unknown> = {}) =>
  (await service.post('/employees', { first_name: 'A', last_name: 'B', ...values })).body.data

/** Days 0 to 60 around today. */
const dayOf = (n: number) => new Date(Date.UTC(2036, 4, 20 + n)).toISOString().slice(0, 10)

describe('job history', () => {
  test('changing an employee adds a job entry from today, and changes of one day share one entry', async () => {
    now = new Date('2036-06-15T12:00:00Z')
    const { id } = await hire({ hired_on: '2036-01-01', position_id: 1, department_id: 1, employment_type_id: 1 })
    await service.put(`/employees/${id}`, { position_id: 2 })
    await service.put(`/employees/${id}`, { department_id: 2 })
    const entries = (await service.get(`/employees/${id}/positions`)).body.data
    assert.deepEqual(
      entries.map((one: any) => [one.effective_from, one.effective_on, one.position.id, one.department.id]),
      [
        ['2036-01-01', '2036-01-01', 1, 1],
        ['2036-06-15', '2036-06-15', 2, 2],
      ],
    )
    const then = (await service.get(`/employees/${id}?as_of=2036-06-14`)).body.data
    assert.deepEqual([then.position.id, then.department.id, then.employment_type.id], [1, 1, 1])
    assert.equal((await service.get(`/employees/${id}?as_of=2035-12-31`)).body.data.position, null)
    const { metadata } = (await service.get(`/employees/${id}/employment_statuses`)).body
    assert.equal(metadata.count, 1)
  })

  test('a planned job entry takes effect on its date, also in filters', async () => {
    now = new Date('2036-06-15T12:00:00Z')
    const { id } = await hire({ hired_on: '2036-01-01', department_id: 1 })
    const made = await service.post(`/employees/${id}/positions`, { effective_from: '2036-07-01', department_id: 3 })
    assert.equal(made.status, 201)
    assert.equal((await service.get(`/employees/${id}`)).body.data.department.id, 1)
    assert.deepEqual((await service.get('/employees?department_id=3')).body.data, [])
    assert.deepEqual(
      (await service.get('/employees?department_id=3&as_of=2036-07-01')).body.data.map((one: any) => one.id),
      [id],
    )
    now = new Date('2036-07-01T12:00:00Z')
    assert.equal((await service.get(`/employees/${id}`)).body.data.department.id, 3)
    assert.equal(
      (await service.post(`/employees/${id}/positions`, { effective_from: '2036-07-01' })).body.errors[0].code,
      'taken',
    )
    assert.equal((await service.delete(`/departments/3`)).status, 409)
    assert.equal((await service.delete(`/employees/${id}/positions/${made.body.data.id}`)).status, 204)
    assert.equal((await service.get(`/employees/${id}`)).body.data.department.id, 1)
  })

  test('a historical field shows the latest value entered on or before each day', async () => {
    const entry = fc.record({
      day: fc.integer({ min: 0, max: 60 }),
      value: fc.option(fc.constantFrom('G1', 'G2', 'G3')),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 8 }), async (entries) => {
        const { id } = await hire()
        const grades = new Map<string, string | null>()
        for (const { day, value } of entries) {
          const body = { employee_field_internal_name: 'grade', effective_on: dayOf(day), value }
          assert.equal((await service.post(`/employees/${id}/field_histories`, body)).status, 201)
          grades.set(dayOf(day), value)
        }
        for (const day of [...grades.keys()].flatMap((one) => [-1, 0, 1].map((step) => daysAfter(one, step)))) {
          const { fields } = (await service.get(`/employees/${id}?as_of=${day}`)).body.data
          const last = [...grades.keys()]
            .filter((from) => from <= day)
            .sort()
            .at(-1)
          assert.equal(fields.grade.value, last === undefined ? null : grades.get(last), day)
        }
      }),
      { numRuns: rounds(8, 40) },
    )
  })
})

describe('salaries', () => {
  test('as_of shows the salary of that day', async () => {
    const { id } = await hire()
    for (const [effective_on, amount] of [
      ['2036-01-01', '1000'],
      ['2036-03-01', '1100.5'],
      ['2036-09-01', 1200],
    ] as const)
      assert.equal(
        (await service.post(`/employees/${id}/salaries`, { effective_on, amount, currency_code: 'EUR', per: 'month' }))
          .status,
        201,
      )
    const at = async (day: string) => (await service.get(`/employees/${id}?as_of=${day}`)).body.data.salary?.amount
    assert.deepEqual(
      [
        await at('2035-12-31'),
        await at('2036-01-01'),
        await at('2036-02-29'),
        await at('2036-03-01'),
        await at('2036-08-31'),
        await at('2036-09-01'),
      ],
      [undefined, '1000.0', '1000.0', '1100.5', '1100.5', '1200.0'],
    )
    assert.ok(!('salary' in (await service.get(`/employees/${id}`)).body.data))
  })
})
