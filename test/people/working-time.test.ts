import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { chances, SEED } from '../chance.ts'
import { type Service, startService } from '../harness.ts'

/** Weekly hours and full-time equivalents of employees, and of reports. */

let service: Service
const TODAY = '2036-06-15'
before(async () => {
  service = await startService({ clock: () => new Date(`${TODAY}T12:00:00Z`) })
})
after(() => service.stop())

const read = async (path: string) => {
  const { status, body, text } = await service.get(path)
  assert.equal(status, 200, text)
  return body.data
}
let patternCount = 0
const WEEK = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']
const pattern = async (days: number, hours: number): Promise<number> => {
  const named = Object.fromEntries(WEEK.slice(0, days).map((day) => [`${day}_hours`, hours]))
  return (await service.make('/working_patterns', { name: `${days} × ${hours} ${patternCount++}`, ...named })).id
}

test('weekly hours and full-time equivalent follow the pattern of the day and the full time of the company', async () => {
  const three = await pattern(3, 8)
  const none = await service.hire({ hired_on: '2030-01-01' })
  assert.deepEqual([none.weekly_hours, none.full_time_equivalent], [null, null])
  const { id } = await service.hire({ hired_on: '2030-01-01', working_pattern_id: three })
  const on = async (query = '') => {
    const { weekly_hours, full_time_equivalent } = await read(`/employees/${id}${query}`)
    return [weekly_hours, full_time_equivalent]
  }
  assert.deepEqual(await on(), [24, 0.6])
  await service.put(`/working_patterns/${three}`, { thursday_hours: 6, effective_from: '2036-06-01' })
  assert.deepEqual(
    [await on(), await on('?as_of=2036-05-31'), await on('?as_of=2036-06-01')],
    [
      [30, 0.75],
      [24, 0.6],
      [30, 0.75],
    ],
  )
  const five = await pattern(5, 7.5)
  await service.make(`/employees/${id}/employment_statuses`, { effective_from: '2036-07-01', working_pattern_id: five })
  assert.deepEqual(
    [await on(), await on('?as_of=2036-07-01')],
    [
      [30, 0.75],
      [37.5, 0.9375],
    ],
  )
  const [row] = await read(`/employees?ids[]=${id}`)
  assert.deepEqual([row.weekly_hours, row.full_time_equivalent], [30, 0.75])
  assert.equal((await service.put('/company', { full_time_hours: '0' })).status, 422)
  assert.equal((await service.put('/company', { full_time_hours: '37.5' })).status, 200)
  assert.deepEqual(await on(), [30, 0.8])
  assert.equal((await service.put('/company', { full_time_hours: '40' })).status, 200)
})

test('the headcount report adds up full-time equivalents as of its last day', async () => {
  const department = (await service.make('/departments', { name: 'Shifts' })).id
  const chance = chances(SEED)
  const patterns: { id: number; hours: number }[] = []
  for (const [days, hours] of [
    [5, 8],
    [2, 8],
    [4, 5],
  ] as const)
    patterns.push({ id: await pattern(days, hours), hours: days * hours })
  const staff: { from: string; statuses: { from: string; hours: number | null }[] }[] = []
  for (let n = 0; n < 20; n++) {
    const from = `203${chance.below(6)}-0${1 + chance.below(9)}-01`
    const first = chance.is(0.2) ? null : chance.of(patterns)
    const job = { department_id: department, ...(first ? { working_pattern_id: first.id } : {}) }
    const { id } = await service.hire({ hired_on: from, ...job })
    const statuses = [{ from, hours: first?.hours ?? null }]
    if (chance.is(0.5)) {
      const next = chance.of(patterns)
      const status = { effective_from: '2036-02-01', working_pattern_id: next.id }
      await service.make(`/employees/${id}/employment_statuses`, status)
      statuses.push({ from: status.effective_from, hours: next.hours })
    }
    staff.push({ from, statuses })
  }
  for (const day of ['2033-03-31', '2035-12-31', '2036-02-29', TODAY]) {
    const { full_time_equivalents, headcount } = await read(`/reports/headcount?to=${day}&department_id=${department}`)
    const here = staff.filter(({ from }) => from <= day)
    const hours = here.map(({ statuses }) => statuses.findLast(({ from }) => from <= day)?.hours ?? 40)
    const expected = Math.round((hours.reduce((sum, one) => sum + one, 0) / 40) * 100) / 100
    assert.deepEqual([headcount.count, full_time_equivalents], [here.length, expected], day)
  }
})
