import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { daysAfter } from '../../src/engine/day.ts'
import { fc } from '../chance.ts'
import { type Service, startService } from '../harness.ts'
import { rounds } from '../thorough.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

let count = 0
const policy = (length: number, length_unit?: string) =>
  service.make('/probation_policies', { name: `Policy ${++count}`, length, ...(length_unit ? { length_unit } : {}) })
const read = async ({ id }: { id: number }) => (await service.get(`/employees/${id}`)).body.data
const hire = (hired_on: string, { id }: { id: number }) => service.hire({ hired_on, probation_policy_id: id })

const UNITS = ['days', 'weeks', 'months'] as const

/** Goes from day to day until the time is over: the next day is the same day of a month, or comes after a month that has none. */
function naiveEnd(start: string, length: number, unit: (typeof UNITS)[number]): string {
  if (unit !== 'months') return daysAfter(start, length * (unit === 'weeks' ? 7 : 1) - 1)
  const monthOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
  let end = start
  for (;;) {
    const next = daysAfter(end, 1)
    const months = monthOf(next) - monthOf(start)
    if (months > length || (months === length && next.slice(8) >= start.slice(8))) return end
    end = next
  }
}

test('probation in days, weeks or months ends on the last day that belongs to it', async () => {
  for (const [hired_on, length, unit, end] of [
    ['2035-01-01', 84, undefined, '2035-03-25'],
    ['2035-01-01', 12, 'weeks', '2035-03-25'],
    ['2035-01-15', 6, 'months', '2035-07-14'],
    ['2035-01-01', 6, 'months', '2035-06-30'],
    ['2035-01-31', 1, 'months', '2035-02-28'],
    ['2036-01-31', 1, 'months', '2036-02-29'],
    ['2036-01-30', 1, 'months', '2036-02-29'],
    ['2035-01-30', 1, 'months', '2035-02-28'],
    ['2035-08-31', 6, 'months', '2036-02-29'],
    ['2036-02-29', 12, 'months', '2037-02-28'],
    ['2035-03-01', 12, 'months', '2036-02-29'],
  ] as const) {
    const person = await hire(hired_on, await policy(length, unit))
    assert.equal(person.probation_ends_on, end, `${hired_on} ${length} ${unit}`)
  }
})

test('the end of probation equals a naive count, and moves with the hire date', async () => {
  const day = fc.integer({ min: 0, max: 1600 }).map((days) => daysAfter('2034-12-25', days))
  const monthEnd = fc.constantFrom('2035-01-31', '2036-01-30', '2036-02-29', '2035-02-28', '2035-12-31', '2036-03-01')
  const start = fc.oneof(day, monthEnd)
  await fc.assert(
    fc.asyncProperty(
      start,
      start,
      fc.integer({ min: 1, max: 30 }),
      fc.constantFrom(...UNITS),
      async (hired_on, moved, length, unit) => {
        const own = await policy(length, unit)
        const person = await hire(hired_on, own)
        assert.equal(person.probation_ends_on, naiveEnd(hired_on, length, unit))
        // What the policy gave stays as long as it was, whatever length the policy has now.
        await service.put(`/probation_policies/${own.id}`, { length: length + 1 })
        const { status, text } = await service.put(`/employees/${person.id}`, { hired_on: moved })
        assert.equal(status, 200, text)
        assert.equal((await read(person)).probation_ends_on, naiveEnd(moved, length, unit))
      },
    ),
    { numRuns: rounds(25, 300) },
  )
})

test('probation policies have days unless another unit is sent, and at most ten years', async () => {
  const own = await policy(84)
  assert.equal(own.length_unit, 'days')
  const changed = await service.put(`/probation_policies/${own.id}`, { length: 3, length_unit: 'months' })
  assert.deepEqual([changed.body.data.length, changed.body.data.length_unit], [3, 'months'])
  const inQuery = await service.post('/probation_policies?name=In%20query&length=2&length_unit=weeks')
  assert.deepEqual([inQuery.body.data.length, inQuery.body.data.length_unit], [2, 'weeks'])
  for (const [length, length_unit] of [
    [121, 'months'],
    [521, 'weeks'],
    [3651, 'days'],
  ]) {
    const { status, body } = await service.post('/probation_policies', { name: 'Too long', length, length_unit })
    assert.deepEqual([status, body.errors[0].field], [422, 'length'])
    assert.match(body.errors[0].message, new RegExp(`at most ${Number(length) - 1}`))
  }
  const half = await service.put(`/probation_policies/${own.id}`, { length: 400 })
  assert.equal(half.body.errors[0].message, 'length must be at most 120 months')
  const { status, body } = await service.post('/probation_policies', { name: 'No', length: 1, length_unit: 'years' })
  assert.deepEqual([status, body.errors[0].field], [422, 'length_unit'])
})
