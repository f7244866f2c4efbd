import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, startService } from '../harness.ts'

/** As of today, people are shown as they are shown without a day; the salary comes on top. */

let service: Service
const TODAY = '2036-06-15'
before(async () => {
  service = await startService({ clock: () => new Date(`${TODAY}T12:00:00Z`) })
})
after(() => service.stop())

test('as_of=today equals no as_of for current, future and former employees', async () => {
  const department = await service.make('/departments', { name: 'Bakery' })
  const pattern = await service.make('/working_patterns', { name: 'Mornings', monday_hours: 4 })
  const boss = await service.hire({ first_name: 'Boss', hired_on: '2030-01-01' })
  const job = { department_id: department.id, reporting_to_id: boss.id, working_pattern_id: pattern.id }
  const hire = (values: object) => service.hire({ ...job, ...values })
  const here = await hire({ first_name: 'Here', hired_on: '2031-01-01' })
  const soon = await hire({ first_name: 'Soon', hired_on: '2036-07-01', probation_ends_on: '2036-12-31' })
  const gone = await hire({ first_name: 'Gone', hired_on: '2031-01-01' })
  const always = await hire({ first_name: 'Always', hired_on: null })
  const starter = await hire({ first_name: 'Starter', hired_on: TODAY })
  await service.post(`/employees/${gone.id}/terminate`, { effective_from: '2036-06-01' })
  // Somebody who has not begun changes department after the first day, and gets more pay.
  const other = await service.make('/departments', { name: 'Shop' })
  await service.make(`/employees/${soon.id}/positions`, { effective_from: '2036-09-01', department_id: other.id })
  const pay = { amount: 100, currency_code: 'EUR', per: 'month' }
  await service.make(`/employees/${soon.id}/salaries`, { effective_on: '2036-07-01', ...pay })
  await service.make(`/employees/${soon.id}/salaries`, { effective_on: '2036-09-01', ...pay, amount: 200 })
  await service.make(`/employees/${here.id}/salaries`, { effective_on: '2031-01-01', ...pay, amount: 50 })

  const strip = ({ salary, ...rest }: any) => rest
  for (const { id } of [boss, here, soon, gone, always, starter]) {
    const plain = (await service.get(`/employees/${id}`)).body.data
    const dated = (await service.get(`/employees/${id}?as_of=${TODAY}`)).body.data
    assert.deepEqual(strip(dated), plain)
  }
  const dated = async (id: number, day = TODAY) => (await service.get(`/employees/${id}?as_of=${day}`)).body.data
  assert.deepEqual([(await dated(soon.id)).department.name, (await dated(soon.id)).salary.amount], ['Bakery', '100.0'])
  assert.equal((await dated(here.id)).salary.amount, '50.0')
  assert.equal((await dated(soon.id, '2036-09-01')).salary.amount, '200.0')
  // Of any other day it is what holds then: before the first day nothing does.
  assert.deepEqual(
    [(await dated(soon.id, '2036-06-14')).department, (await dated(soon.id, '2036-06-16')).department],
    [null, null],
  )
  for (const query of [
    'status=all',
    'status=active',
    'status=hired',
    'status=in_service',
    `department_id=${department.id}&status=all`,
    `manager_id=${boss.id}`,
    `department_id=${other.id}`,
    'without=department&status=all',
  ]) {
    const plain = (await service.get(`/employees?${query}`)).body
    const same = (await service.get(`/employees?${query}&as_of=${TODAY}`)).body
    assert.equal(same.metadata?.count, plain.metadata?.count, query)
    assert.deepEqual(same.data?.map(strip), plain.data, query)
  }
})
