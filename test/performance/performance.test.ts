import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Service, startService } from '../harness.ts'

let service: Service
const now = new Date('2036-06-15T12:00:00Z')
before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

const make: Service['make'] = (path, values) => service.make(path, values)

describe('key performance indicators', () => {
  test('have every field of the interface, and need what their type says', async () => {
    const owner = await make('/employees', { first_name: 'Person', last_name: 'N1' })
    const department = await make('/departments', { name: 'Sales' })
    const kpi = await make('/performance/key_performance_indicators', {
      title: 'Won',
      kpi_type: 'department',
      metric: 'currency',
      currency_code: 'EUR',
      department_id: department.id,
      user_id: owner.id,
      weight: 30,
    })
    const { body } = await service.get('/performance/key_performance_indicators')
    const { id, created_at, updated_at, ...rest } = body.data[0]
    assert.deepEqual(rest, {
      title: 'Won',
      description: null,
      weight: 30,
      currency_code: 'EUR',
      metric: 'currency',
      kpi_type: 'department',
      status: 'none',
      starts_on: null,
      ends_on: null,
      start_value: null,
      target_value: null,
      progress_percentage: null,
      current_value: null,
      location: null,
      division: null,
      department,
      owner: { id: owner.id, first_name: 'Person', last_name: owner.last_name, email: null },
    })
    assert.equal(id, kpi.id)
    for (const [kpi_type, field] of [
      ['individual', 'user_id'],
      ['location', 'location_id'],
      ['division', 'division_id'],
    ])
      assert.equal(
        (await service.post('/performance/key_performance_indicators', { title: 'X', metric: 'number', kpi_type })).body
          .errors[0].field,
        field,
      )
    assert.equal(
      (
        await service.post('/performance/key_performance_indicators', {
          title: 'X',
          metric: 'currency',
          kpi_type: 'company',
        })
      ).body.errors[0].field,
      'currency_code',
    )
  })

  test('follow their results and the date, unless a status is set', async () => {
    const kpi = await make('/performance/key_performance_indicators', {
      title: 'Growth',
      kpi_type: 'company',
      metric: 'number',
      start_value: 100,
      target_value: 200,
      starts_on: '2036-01-01',
      ends_on: '2036-12-31',
    })
    const path = `/performance/key_performance_indicators/${kpi.id}`
    const at = async () => {
      const { progress_percentage, status, current_value } = (await service.get(path)).body.data
      return [progress_percentage, status, current_value]
    }
    assert.deepEqual(await at(), [0, 'at_risk', 100])
    await make(`${path}/key_performance_indicator_results`, { value: 130.5, occurred_on: '2036-06-01' })
    assert.deepEqual(await at(), [30, 'behind', 130.5])
    const last = await make(`${path}/key_performance_indicator_results`, { value: 150, comment: 'Half way' })
    assert.deepEqual(await at(), [50, 'on_track', 150])
    const found = async (status: string) =>
      (await service.get(`/performance/key_performance_indicators?status=${status}`)).body.data.map(
        (one: any) => one.id,
      )
    assert.ok((await found('on_track')).includes(kpi.id))
    await service.put(path, { status: 'at_risk' })
    assert.deepEqual(await at(), [50, 'at_risk', 150])
    assert.deepEqual(
      [(await found('on_track')).includes(kpi.id), (await found('at_risk')).includes(kpi.id)],
      [false, true],
    )
    await service.put(path, { status: null })
    assert.equal((await service.delete(`${path}/key_performance_indicator_results/${last.id}`)).status, 204)
    assert.deepEqual(await at(), [30, 'behind', 130.5])
  })
})

describe('objectives', () => {
  test('come as far as their key results by weight', async () => {
    const made = await make('/performance/objectives', {
      title: 'North',
      starts_on: '2036-01-01',
      ends_on: '2036-12-31',
      key_results: [
        { title: 'Customers', target: 10, current: 5, weight: 3 },
        { title: 'Churn', start: 20, target: 10, current: 20, weight: 1 },
      ],
    })
    assert.deepEqual(
      [made.progress, made.status, made.key_results.map((one: any) => one.progress)],
      [37, 'behind', [50, 0]],
    )
    const [first] = made.key_results
    const changed = (
      await service.put(`/performance/objectives/${made.id}`, {
        key_results: [{ id: first.id, title: 'Customers', target: 10, current: 10 }],
      })
    ).body.data
    assert.deepEqual(
      [changed.progress, changed.status, changed.key_results.map((one: any) => one.id)],
      [100, 'on_track', [first.id]],
    )
    const wrong = await service.post('/performance/objectives', { title: 'X', key_results: [{ target: 'far' }] })
    assert.deepEqual(wrong.body.errors.map((error: any) => error.field).sort(), [
      'key_results[0].target',
      'key_results[0].title',
    ])
  })
})
