import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { chances, fc, SEED } from '../chance.ts'
import { type Service, startService } from '../harness.ts'
import { rounds } from '../thorough.ts'

let service: Service
let now = new Date('2036-06-15T12:00:00Z')
before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

const make: Service['make'] = (path, values) => service.make(path, values)

describe('key performance indicators', () => {
  test('have all documented fields and the required fields of their type', async () => {
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

  test('are shown with each result in a constant number of statements', async () => {
    const indicator = await make('/performance/key_performance_indicators', {
      title: 'Shown',
      metric: 'number',
      kpi_type: 'company',
      start_value: 0,
      target_value: 100,
    })
    const path = `/performance/key_performance_indicators/${indicator.id}`
    const statements = async () => {
      let n = 0
      service.onStatement = () => n++
      const { body } = await service.get(`${path}/key_performance_indicator_results`)
      service.onStatement = undefined
      return { n, body }
    }
    const result = await make(`${path}/key_performance_indicator_results`, { value: 10 })
    assert.deepEqual(result.key_performance_indicator, (await service.get(path)).body.data)
    const one = await statements()
    for (let n = 0; n < 9; n++) await make(`${path}/key_performance_indicator_results`, { value: 20 + n })
    const ten = await statements()
    assert.equal(ten.n, one.n)
    assert.deepEqual(
      [...new Set(ten.body.data.map((each: any) => each.key_performance_indicator.progress_percentage))],
      [28],
    )
  })

  test('compute their status from results and date, unless one is set', async () => {
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
  test('progress by the weight of their key results', async () => {
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

  test('reject a key result of another objective or a repeated one, and change nothing', async () => {
    const key_results = [{ title: 'Customers', target: 10 }]
    const one = await make('/performance/objectives', { title: 'One', key_results })
    const other = await make('/performance/objectives', { title: 'Other', key_results })
    const { id } = one.key_results[0]
    const refused = async (method: string, path: string, ids: number[]) => {
      const json = { title: 'New', key_results: ids.map((id) => ({ id, title: 'Same', target: 1 })) }
      const { status, body } = await service.send(method, `/performance/objectives${path}`, { json })
      assert.equal(status, 422)
      return body.errors.map(({ field, code }: any) => `${field} ${code}`)
    }
    const path = `/${one.id}`
    assert.deepEqual(await refused('PUT', path, [id, 987_654]), ['key_results[1].id not_found'])
    assert.deepEqual(await refused('PUT', path, [other.key_results[0].id]), ['key_results[0].id not_found'])
    assert.deepEqual(await refused('PUT', path, [id, id]), ['key_results[1].id not_found'])
    assert.deepEqual(await refused('POST', '', [id]), ['key_results[0].id not_found'])
    assert.deepEqual((await service.get(`/performance/objectives${path}`)).body.data, one)
  })
})

describe('progress', () => {
  const kpi = async (values: Record<string, unknown>, value: unknown) => {
    const made = await make('/performance/key_performance_indicators', {
      title: 'Exact',
      kpi_type: 'company',
      metric: 'number',
      ...values,
    })
    const path = `/performance/key_performance_indicators/${made.id}`
    await make(`${path}/key_performance_indicator_results`, { value })
    const { progress_percentage, status } = (await service.get(path)).body.data
    return [progress_percentage, status]
  }

  test('is exact for indicators, also for the largest numbers and at status limits', async () => {
    assert.equal((await kpi({ start_value: 0, target_value: 100 }, 29))[0], 29)
    assert.equal((await kpi({ start_value: 0, target_value: 100 }, 57))[0], 57)
    assert.equal((await kpi({ start_value: 1, target_value: '1.1' }, '1.07'))[0], 70)
    const far = '99999999999.9999'
    assert.equal((await kpi({ start_value: `-${far}`, target_value: far }, '99999999999.9998'))[0], 99)
    // Of 1000 days 570 have gone by: 51.3 % are nine tenths of that, 34.2 % six.
    const dates = { starts_on: '2034-11-23', ends_on: '2037-08-19' }
    const at = (value: number) => kpi({ start_value: 0, target_value: 100, ...dates }, value)
    assert.deepEqual(await at(52), [52, 'on_track'])
    assert.deepEqual(await at(51), [51, 'behind'])
    assert.deepEqual(await at(35), [35, 'behind'])
    assert.deepEqual(await at(34), [34, 'at_risk'])
  })

  test('filters by status find exactly what shows that status, on every day', async (t) => {
    const noon = now
    t.after(() => {
      now = noon
    })
    const { of, below, is } = chances(SEED)
    const figure = () => of([null, 0, 1, -1, '0.0001', 29, 57, 100, -100, '99999999999.9999', '-99999999999.9999'])
    const day = () => of([null, '2034-11-23', '2036-06-14', '2036-06-15', '2036-06-16', '2037-08-19'])
    for (let n = 0; n < 120; n++) {
      const [starts_on, ends_on] = [day(), day()].sort()
      const { id } = await make('/performance/key_performance_indicators', {
        ...{ title: `Status ${n}`, kpi_type: 'company', metric: 'number' },
        ...{ start_value: figure(), target_value: figure(), starts_on, ends_on },
        ...(is(0.1) ? { status: of(['none', 'on_track', 'behind', 'at_risk']) } : {}),
      })
      const results = `/performance/key_performance_indicators/${id}/key_performance_indicator_results`
      for (let left = below(4); left > 0; left--)
        await make(results, { value: figure() ?? 35, occurred_on: day() ?? '2036-06-15' })
    }
    const seen = new Map<string, number>()
    for (const day of ['2036-06-15', '2036-06-16', '2037-08-18', '2037-08-19']) {
      now = new Date(`${day}T12:00:00Z`)
      const list = async (asked: string) =>
        (await service.get(`/performance/key_performance_indicators?per_page=200${asked}`)).body.data
      const all: { id: number; status: string }[] = await list('')
      for (const status of ['none', 'on_track', 'behind', 'at_risk']) {
        const found: { id: number }[] = await list(`&status=${status}`)
        const expected = all.filter((one) => one.status === status)
        seen.set(status, (seen.get(status) ?? 0) + expected.length)
        assert.deepEqual(
          found.map(({ id }) => id),
          expected.map(({ id }) => id),
        )
      }
    }
    for (const [status, count] of seen) assert.ok(count > 2, `${count} are ${status}`)
  })

  test('of objectives is the exact weighted mean of their key results', async () => {
    const way = fc.record({
      // Each divides 5040, so that every part is a whole number of them.
      length: fc.constantFrom(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 60, 63, 80),
      start: fc.integer({ min: -50, max: 50 }),
      done: fc.integer({ min: -20, max: 100 }),
      isDown: fc.boolean(),
      weight: fc.integer({ min: 1, max: 100 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(way, { minLength: 1, maxLength: 20 }), async (ways) => {
        const key_results = ways.map(({ length, start, done, isDown, weight }, n) => {
          const sign = isDown ? -1 : 1
          return { title: `Result ${n}`, start, target: start + sign * length, current: start + sign * done, weight }
        })
        const parts = ways.map(({ length, done }) => (Math.max(0, Math.min(done, length)) * 5040) / length)
        const made = await make('/performance/objectives', { title: 'Mean', key_results })
        const whole = (sum: number, of: number) => {
          let n = 100
          while (n * of > sum * 100) n--
          return n
        }
        const weights = ways.reduce((sum, { weight }) => sum + weight, 0)
        const sum = ways.reduce((total, { weight }, n) => total + weight * (parts[n] as number), 0)
        assert.deepEqual(
          made.key_results.map((one: any) => one.progress),
          parts.map((part) => whole(part, 5040)),
        )
        assert.equal(made.progress, whole(sum, weights * 5040))
      }),
      { numRuns: rounds(8, 40) },
    )
  })
})
