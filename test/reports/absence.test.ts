import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { daysAfter } from '../../src/engine/day.ts'
import { type Service, startService } from '../harness.ts'
import { leaveOf } from '../leave/on-leave.ts'

let service: Service
const { person, ask: request } = leaveOf(() => service)
/** Every day of approved leave, as the requests tell it. */
const taken: { request: number; employee: number; type: number; day: string; amount: number }[] = []
let departments: number[] = []
let moved = 0
let types: number[] = []

before(async () => {
  service = await startService({ clock: () => new Date('2036-06-15T12:00:00Z') })
  departments = [
    (await service.make('/departments', { name: 'A' })).id,
    (await service.make('/departments', { name: 'B' })).id,
  ]
  const hired = { hired_on: '2036-01-01', department_id: departments[0] }
  const inDays = await person({ floor: '-99' }, {}, hired)
  const inHours = await person({ floor: '-999' }, { unit: 'hours' }, hired)
  moved = inDays.id
  types = [inDays.leave_type_id, inHours.leave_type_id]
  await service.make(`/employees/${moved}/positions`, { effective_from: '2036-03-05', department_id: departments[1] })
  const asked = [
    await request(inDays, '2036-01-28', '2036-02-05'),
    await request(inDays, '2036-03-03', '2036-03-07', {
      leave_request_entries: [{ occurs_on: '2036-03-03', amount: '0.5' }],
    }),
    await request(inHours, '2036-03-06', '2036-03-10'),
    await request(inHours, '2036-04-01', '2036-04-02'),
    await request(inDays, '2036-05-05', '2036-05-06'),
  ]
  // What is asked for and not granted is no absence.
  for (const [n, { body, status, text }] of asked.entries()) {
    assert.equal(status, 201, text)
    if (n === 4) continue
    assert.equal((await service.post(`/leave_requests/${body.data.id}/approve`)).status, 200)
    for (const { date, amount } of body.data.entries)
      taken.push({
        request: body.data.id,
        employee: body.data.employee.id,
        type: body.data.leave_type_id,
        day: date,
        amount,
      })
  }
})
after(() => service.stop())

const departmentOf = (employee: number, day: string) =>
  employee === moved && day >= '2036-03-05' ? departments[1] : departments[0]

const ask = async (query: string) => {
  const answer = await service.get(`/reports/absence?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

const near = (one: number, other: number) => Math.abs(one - other) < 0.006

test('absence days equal a naive recount by month, type and department, and link to their requests', async () => {
  assert.ok(taken.length > 15)
  for (const [from, to, department] of [
    ['2036-01-01', '2036-06-15', undefined],
    ['2036-01-30', '2036-03-05', undefined],
    ['2036-01-01', '2036-05-31', departments[0]],
    ['2036-01-01', '2036-05-31', departments[1]],
  ] as const) {
    const query = `from=${from}&to=${to}${department ? `&department_id=${department}` : ''}`
    const report = await ask(query)
    const check = async (figure: any, first: string, last: string, type?: number) => {
      const own = taken.filter(
        (one) =>
          one.day >= first &&
          one.day <= last &&
          (!type || one.type === type) &&
          (!department || departmentOf(one.employee, one.day) === department),
      )
      const days = own.reduce((sum, one) => sum + (one.type === types[0] ? one.amount : one.amount / 8), 0)
      assert.ok(near(figure.days, days), `${query} ${first} ${type}: ${figure.days} is not ${days}`)
      if (figure.people !== undefined) assert.equal(figure.people, new Set(own.map((one) => one.employee)).size)
      const { body, text } = await service.get(figure.list)
      assert.deepEqual(
        body.data?.map((one: any) => one.id).sort(),
        [...new Set(own.map((one) => one.request))].sort(),
        `${figure.list}: ${text}`,
      )
      return days
    }
    await check(report, from, to)
    for (const type of report.types) await check(type, from, to, type.id)
    for (const month of report.months) {
      const days = await check(month, month.starts_on, month.ends_on)
      for (const type of month.types) await check(type, month.starts_on, month.ends_on, type.id)
      const weekdays = Array.from({ length: 31 }, (_, n) => daysAfter(month.starts_on, n)).filter(
        (day) => day <= month.ends_on && ![0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay()),
      ).length
      const here = (day: string) =>
        (day < '2036-01-01' ? [] : [moved, 0]).filter((id) => !department || departmentOf(id, day) === department)
          .length
      const workable = ((here(daysAfter(month.starts_on, -1)) + here(month.ends_on)) / 2) * weekdays
      assert.equal(month.rate, workable ? Math.round((days / workable) * 10_000) / 10_000 : null, month.month)
    }
  }
})

test('leave requests are filtered by the days taken and by where people work on those days', async () => {
  const found = async (query: string) =>
    (await service.get(`/leave_requests?${query}`)).body.data.map((one: any) => one.starts_on)
  assert.deepEqual(await found('taken_on[gte]=2036-02-02&taken_on[lte]=2036-02-03'), [], 'a weekend')
  assert.deepEqual(await found('taken_on=2036-02-04'), ['2036-01-28'])
  assert.deepEqual(await found(`department_id=${departments[1]}`), ['2036-03-03', '2036-05-05'])
  assert.deepEqual(await found(`department_id=${departments[1]}&taken_on[lte]=2036-03-04`), [])
  const boss = await service.hire({ hired_on: '2030-01-01' })
  const { employee_id } = (await service.get('/leave_requests?taken_on=2036-02-04')).body.data[0]
  await service.make(`/employees/${employee_id}/positions`, {
    effective_from: '2036-04-01',
    reporting_to_id: boss.id,
  })
  assert.deepEqual(await found(`manager_id=${boss.id}`), ['2036-05-05'])
  assert.deepEqual(await found(`manager_ids[]=${boss.id}&taken_on[lte]=2036-03-31`), [])
  const key = await service.keyWith({ permissions: ['leave:read'] })
  assert.equal((await service.get(`/leave_requests?manager_id=${boss.id}`, { key })).status, 403)
  assert.equal((await service.get(`/leave_requests?department_id=${departments[1]}`, { key })).status, 403)
})
