import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { daysAfter, monthsAfter } from '../../src/engine/day.ts'
import { chances, SEED } from '../chance.ts'
import { type Answer, type Service, startService } from '../harness.ts'
import { openOffice } from '../recruitment/office.ts'
import { rounds } from '../thorough.ts'

/** People who leave and come back: several employments, one record. */

let service: Service
const now = new Date('2036-06-15T12:00:00Z')
const TODAY = '2036-06-15'

before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

const done = (answer: Answer) => {
  assert.ok(answer.status < 300, answer.text)
  return answer.body?.data
}
const read = async (path: string) => done(await service.get(path))
const undo = async ({ headers }: Answer) => service.post(`/requests/${headers.get('x-request-id')}/undo`)
const employmentsOf = (id: number) => read(`/employees/${id}/employments`)

/** Somebody who was employed in a department from 2030-03-01 and left on 2034-07-01. */
async function formerEmployee(values: object = {}) {
  const boss = await service.hire({ first_name: 'Boss', hired_on: '2029-01-01' })
  const department = await service.make('/departments', { name: `Bakery ${boss.id}` })
  const type = await service.make('/employment_types', { name: `Permanent ${boss.id}` })
  const entity = await service.make('/legal_entities', { name: `Bread ${boss.id}` })
  const reason = await service.make('/termination_types', { name: `Resignation ${boss.id}` })
  const person = await service.hire({
    first_name: 'Rita',
    hired_on: '2030-03-01',
    probation_ends_on: '2030-08-31',
    department_id: department.id,
    employment_type_id: type.id,
    legal_entity_id: entity.id,
    reporting_to_id: boss.id,
    ...values,
  })
  const pay = { amount: '3000', currency_code: 'EUR', per: 'month' }
  await service.make(`/employees/${person.id}/salaries`, { effective_on: person.hired_on, ...pay })
  const left = {
    effective_from: '2034-07-01',
    termination_type_id: reason.id,
    comment: 'Moved',
    eligible_for_rehire: true,
  }
  done(await service.post(`/employees/${person.id}/terminate`, left))
  return { id: person.id as number, boss: boss.id as number, department, type, entity, reason }
}

test('rehire starts a new employment and keeps the former one with its dates, reasons, job and pay', async () => {
  const { id, boss, department, type, entity, reason } = await formerEmployee()
  const other = await service.make('/departments', { name: 'Shop' })
  const answer = await service.post(`/employees/${id}/rehire`, {
    hired_on: '2036-02-01',
    department_id: other.id,
    salary: { amount: '3500' },
  })
  const person = done(answer)
  assert.deepEqual(
    [person.status, person.hired_on, person.probation_ends_on, person.termination_effective_on, person.department.name],
    ['employed', '2036-02-01', null, null, 'Shop'],
  )
  assert.equal(person.reporting_to.id, boss)
  const employments = await employmentsOf(id)
  assert.deepEqual(
    employments.map((one: any) => [one.current, one.hired_on, one.termination_effective_on, one.probation_ends_on]),
    [
      [false, '2030-03-01', '2034-07-01', '2030-08-31'],
      [true, '2036-02-01', null, null],
    ],
  )
  const [first, second] = employments
  assert.deepEqual([first.termination_type.id, first.termination_comment], [reason.id, 'Moved'])
  assert.deepEqual([first.employment_type.id, first.legal_entity.id], [type.id, entity.id])
  assert.deepEqual([second.id, second.employment_type.id], [null, type.id])

  const on = async (day: string) => {
    const { status, active, department, hired_on, termination_effective_on, salary } = await read(
      `/employees/${id}?as_of=${day}`,
    )
    return [status, active, department?.name ?? null, hired_on, termination_effective_on, salary?.amount ?? null]
  }
  const bakery = department.name
  assert.deepEqual(await on('2030-02-28'), ['hired', true, null, '2036-02-01', null, null])
  assert.deepEqual(await on('2030-05-01'), ['probation', true, bakery, '2030-03-01', '2034-07-01', '3000.0'])
  assert.deepEqual(await on('2033-05-01'), ['employed', true, bakery, '2030-03-01', '2034-07-01', '3000.0'])
  assert.deepEqual((await on('2034-07-01')).slice(0, 2), ['terminated', false])
  assert.deepEqual((await on('2036-01-31')).slice(0, 2), ['terminated', false])
  assert.deepEqual(await on('2036-02-01'), ['employed', true, 'Shop', '2036-02-01', null, '3500.0'])

  const undone = await undo(answer)
  assert.equal(undone.status, 200, undone.text)
  const again = await read(`/employees/${id}`)
  assert.deepEqual(
    [again.status, again.hired_on, again.termination_effective_on, again.termination_type.id, again.department.name],
    ['terminated', '2030-03-01', '2034-07-01', reason.id, bakery],
  )
  assert.equal((await employmentsOf(id)).length, 1)
  assert.equal((await read(`/employees/${id}/salaries`)).length, 1)
  const redone = await undo(undone)
  assert.equal(redone.status, 200, redone.text)
  assert.equal((await employmentsOf(id)).length, 2)
})

test('lists find former employments by their end, its reason and the probation of the day', async () => {
  const { id, reason } = await formerEmployee()
  done(await service.post(`/employees/${id}/rehire`, { hired_on: '2036-02-01', probation_ends_on: '2036-05-31' }))
  const finds = async (query: string) => (await read(`/employees?status=all&ids[]=${id}&${query}`)).length === 1
  const left = `left_on[gte]=2034-06-01&left_on[lte]=2034-08-01&termination_type_ids[]=${reason.id}`
  assert.equal(await finds(left), true)
  assert.equal(await finds(`${left}&termination_reason_ids[]=1`), false)
  assert.equal(await finds(`termination_type_ids[]=${reason.id}`), false, 'the current employment has no end')
  assert.deepEqual(
    [await finds('as_of=2033-01-01&probation_ends_on[lt]=2031-01-01'), await finds('probation_ends_on[lt]=2031-01-01')],
    [true, false],
  )
})

test('only somebody who has left can be rehired, from the day after the last one', async () => {
  const { id } = await formerEmployee()
  const early = await service.post(`/employees/${id}/rehire`, { hired_on: '2034-06-30' })
  assert.deepEqual([early.status, early.body.errors[0].field], [422, 'hired_on'])
  const missing = await service.post(`/employees/${id}/rehire`, {})
  assert.deepEqual([missing.status, missing.body.errors[0].field], [422, 'hired_on'])
  const wrong = await service.post(`/employees/${id}/rehire`, { hired_on: '2034-07-01', department_id: 999_999 })
  assert.deepEqual([wrong.status, wrong.body.errors[0].field], [422, 'department_id'])
  const pay = await service.post(`/employees/${id}/rehire`, { hired_on: '2034-07-01', salary: { amount: 'much' } })
  assert.deepEqual([pay.status, pay.body.errors[0].field], [422, 'salary.amount'], pay.text)
  assert.equal((await employmentsOf(id)).length, 1, 'nothing has changed')
  const tried = await service.post(
    `/employees/${id}/rehire`,
    { hired_on: '2036-09-01' },
    { headers: { prefer: 'dry-run' } },
  )
  assert.equal(tried.status, 200, tried.text)
  assert.equal((await employmentsOf(id)).length, 1)

  const person = done(await service.post(`/employees/${id}/rehire`, { hired_on: '2036-09-01' }))
  assert.deepEqual([person.status, person.active], ['hired', true])
  assert.equal((await service.post(`/employees/${id}/rehire`, { hired_on: '2036-10-01' })).status, 409)
  const soon = await service.hire({ first_name: 'Soon', hired_on: '2030-01-01' })
  done(await service.post(`/employees/${soon.id}/terminate`, { effective_from: '2036-12-01' }))
  assert.equal((await service.post(`/employees/${soon.id}/rehire`, { hired_on: '2037-01-01' })).status, 409)
})

test('activate with hired_on rehires; without it, the employment goes on', async () => {
  const { id } = await formerEmployee()
  const back = done(await service.post(`/employees/${id}/activate`, { hired_on: '2036-01-01' }))
  assert.deepEqual([back.hired_on, back.termination_effective_on], ['2036-01-01', null])
  assert.equal((await employmentsOf(id)).length, 2)
  const other = await formerEmployee()
  const on = done(await service.post(`/employees/${other.id}/activate`))
  assert.deepEqual([on.hired_on, on.termination_effective_on], ['2030-03-01', null])
  assert.equal((await employmentsOf(other.id)).length, 1)
})

test('rehire: plans that never applied are gone, a manager who has left too, and probation follows the policy', async () => {
  const policy = await service.make('/probation_policies', { name: 'Half a year', length: 6, length_unit: 'months' })
  const { id, boss } = await formerEmployee({ probation_policy_id: policy.id })
  const { id: late, boss: chief } = await formerEmployee()
  done(await service.post(`/employees/${late}/activate`))
  const department = await service.make('/departments', { name: 'Never' })
  await service.make(`/employees/${late}/positions`, { effective_from: '2035-01-01', department_id: department.id })
  const pay = { amount: '9000', currency_code: 'EUR', per: 'month' }
  await service.make(`/employees/${late}/salaries`, { effective_on: '2035-01-01', ...pay })
  done(await service.post(`/employees/${late}/terminate`, { effective_from: '2034-07-01' }))
  done(await service.post(`/employees/${chief}/terminate`, { effective_from: '2035-01-01' }))
  const back = done(await service.post(`/employees/${late}/rehire`, { hired_on: '2036-01-01' }))
  assert.notEqual(back.department.name, 'Never')
  assert.equal(back.reporting_to, null)
  assert.equal((await read(`/employees/${late}?as_of=2036-02-01`)).salary.amount, '3000.0')

  const person = done(await service.post(`/employees/${id}/rehire`, { hired_on: '2036-03-10' }))
  assert.equal(person.probation_ends_on, '2036-09-09')
  assert.equal(person.status, 'probation')
  assert.equal(person.reporting_to.id, boss)
})

test('former employments can be added, corrected and deleted, and never overlap', async () => {
  const { id } = await service.hire({ first_name: 'Old', hired_on: '2034-01-01' })
  const path = `/employees/${id}/employments`
  const add = (hired_on: string, termination_effective_on: string) =>
    service.post(path, { hired_on, termination_effective_on })
  const first = done(await add('2020-01-01', '2022-01-01'))
  for (const [from, to, field] of [
    ['2021-12-31', '2023-01-01', 'hired_on'],
    ['2019-01-01', '2020-01-02', 'hired_on'],
    ['2033-01-01', '2034-01-02', 'termination_effective_on'],
    ['2023-01-01', '2022-12-31', 'termination_effective_on'],
  ] as const) {
    const answer = await add(from, to)
    assert.deepEqual([answer.status, answer.body.errors?.[0].field], [422, field], answer.text)
  }
  const second = done(await add('2022-01-01', '2034-01-01'))
  assert.equal((await service.put(`${path}/${first.id}`, { termination_effective_on: '2022-01-02' })).status, 422)
  done(await service.put(`${path}/${first.id}`, { termination_effective_on: '2021-06-01' }))
  assert.equal((await service.put(`/employees/${id}`, { hired_on: '2033-12-31' })).status, 422)
  assert.equal((await service.put(`/employees/${id}`, { hired_on: null })).status, 422)
  done(await service.put(`/employees/${id}`, { hired_on: '2034-02-01' }))
  assert.equal((await read(`/employees/${id}?as_of=2021-07-01`)).status, 'terminated')
  const gone = await service.delete(`${path}/${second.id}`)
  assert.equal(gone.status, 204)
  assert.equal((await employmentsOf(id)).length, 2)
  done(await service.put(`/employees/${id}`, { hired_on: '2030-01-01' }))
  const back = await undo(gone)
  assert.equal(back.status, 409, back.text)
  done(await service.put(`/employees/${id}`, { hired_on: '2034-01-01' }))
  assert.equal((await undo(gone)).status, 200)
})

test('a candidate who was here before is hired again', async () => {
  const office = await openOffice({ clock: () => now })
  const own = office.service
  try {
    const vacancy = await office.vacancy({ positions: 3 })
    const candidate = await office.candidate({ full_name: 'Rita Back', email: 'rita@example.com' })
    const path = await office.apply(vacancy.id, candidate.id)
    const { employee } = done(await own.post(`${path}/hire`, { hired_on: '2030-01-01' }))
    const another = await office.vacancy({ positions: 3 })
    const next = await office.apply(another.id, candidate.id)
    const refused = await own.post(`${next}/hire`, { hired_on: '2036-01-01' })
    assert.equal(refused.status, 409, 'who is here is not hired again')
    done(await own.post(`/employees/${employee.id}/terminate`, { effective_from: '2033-01-01' }))
    const key = await own.keyWith({ permissions: ['recruitment:read', 'recruitment:write', 'recruitment:hire'] })
    assert.equal((await own.post(`${next}/hire`, { hired_on: '2036-01-01' }, { key })).status, 403)
    const hired = done(
      await own.post(`${next}/hire`, {
        hired_on: '2036-01-01',
        salary: { amount: '1', currency_code: 'EUR', per: 'month' },
      }),
    )
    assert.deepEqual(
      [hired.employee.id, hired.employee.hired_on, hired.employee.first_name],
      [employee.id, '2036-01-01', 'Rita'],
    )
    assert.equal((await office.show(`/employees/${employee.id}/employments`)).length, 2)
    const { applications } = await office.show(`/recruitment/candidates/${candidate.id}`)
    const waiting = await office.vacancy()
    await office.apply(waiting.id, candidate.id)
    const all = (await office.show(`/recruitment/candidates/${candidate.id}`)).applications
    assert.deepEqual([applications.length, all.length], [2, 3])
    for (const one of all)
      assert.equal(one.employee_id, one.vacancy.id === waiting.id ? null : employee.id, 'who was hired through it')
    done(await own.post(`${next}/undo_hire`))
    assert.equal((await office.show(`/recruitment/candidates/${candidate.id}`)).employee_id, employee.id)

    // Without a link, by the id of the employee.
    const leaver = await own.hire({ first_name: 'Lea', hired_on: '2031-01-01' })
    done(await own.post(`/employees/${leaver.id}/terminate`, { effective_from: '2034-01-01' }))
    const lea = await office.apply(another.id, (await office.candidate({ full_name: 'Lea Again' })).id)
    const again = done(await own.post(`${lea}/hire`, { hired_on: '2036-02-01', employee_id: leaver.id }))
    assert.deepEqual([again.employee.id, again.employee.status], [leaver.id, 'employed'])

    // By their e-mail address the service knows them, and says whether they have left.
    for (const isGone of [true, false]) {
      const email = `gone-${isGone}@example.com`
      const { id } = await own.hire({ hired_on: '2031-01-01', personal_email: email })
      if (isGone) done(await own.post(`/employees/${id}/terminate`, { effective_from: '2034-01-01' }))
      const applied = await office.apply(vacancy.id, (await office.candidate({ email })).id)
      const { status, body } = await own.post(`${applied}/hire`, { hired_on: '2036-02-01' })
      const who = isGone ? 'who has left. Send employee_id to hire' : 'who works here. Send employee_id to link'
      assert.equal(status, 422)
      assert.ok(body.errors[0].message.startsWith(`email of the candidate belongs to employee ${id}, ${who}`))
    }
  } finally {
    await own.stop()
  }
})

test('leave starts at zero in each employment, and leave that was taken stays as it was counted', async () => {
  const { make } = service
  const leaveType = await make('/leave_types', { name: 'Vacation of employments' })
  const policy = await make('/leave_policies', {
    name: 'Twelve',
    leave_type_id: leaveType.id,
    type: 'accrual',
    yearly_amount: '12',
    credit: 'monthly',
  })
  const monday = await make('/working_patterns', { name: 'Mondays', monday_hours: 8 })
  const week = await make('/working_patterns', { name: 'Week', monday_hours: 8, tuesday_hours: 8, wednesday_hours: 8 })
  const { id } = await service.hire({ first_name: 'Leave', hired_on: '2035-01-01', working_pattern_id: week.id })
  const assignment = { leave_type_id: leaveType.id, leave_type_policy_id: policy.id, effective_on: '2035-01-01' }
  await make(`/employees/${id}/leave_types`, assignment)
  const asked = await make('/leave_requests', {
    employee_id: id,
    leave_type_id: leaveType.id,
    starts_on: '2035-03-05',
    ends_on: '2035-03-07',
    skip_approval: true,
  })
  assert.equal(asked.amount, 3)
  done(await service.post(`/employees/${id}/terminate`, { effective_from: '2035-07-01' }))
  const balance = async (day: string) => (await read(`/employees/${id}/leave_balances?as_of=${day}`))[0].balance
  assert.equal(await balance('2035-06-30'), 3)
  done(await service.post(`/employees/${id}/rehire`, { hired_on: '2036-03-01', working_pattern_id: monday.id }))
  assert.deepEqual(
    [
      await balance('2035-06-30'),
      await balance('2036-02-29'),
      await balance('2036-03-01'),
      await balance('2036-05-31'),
    ],
    [3, 3, 1, 3],
  )
  assert.equal((await read(`/leave_requests/${asked.id}`)).amount, 3, 'days of the former employment stay')
  const statement = await read(
    `/employees/${id}/leave_balances/${leaveType.id}/statement?starts_on=2035-01-01&ends_on=2036-12-31`,
  )
  const sum = statement.movements.reduce((total: number, one: any) => total + one.amount, 0)
  assert.equal(statement.opening_balance + sum, statement.closing_balance)
  const ended = statement.movements.filter((one: any) => one.reason === 'employment_ended')
  assert.deepEqual(
    ended.map((one: any) => [one.date, one.amount, one.balance]),
    [['2036-03-01', -3, 0]],
  )
  const [{ this_year }] = await read(`/employees/${id}/leave_balances?as_of=2036-06-15`)
  assert.deepEqual([this_year.carried_over, this_year.accrued, this_year.entitled], [0, 4, 10])
  const between = await service.post('/leave_requests', {
    employee_id: id,
    leave_type_id: leaveType.id,
    starts_on: '2035-12-03',
    ends_on: '2035-12-03',
  })
  assert.equal(between.status, 422, 'nobody takes leave between two employments')
})

describe('a former employment', () => {
  const rehired = async (values: object = {}, back: object = {}) => {
    const one = await formerEmployee(values)
    done(await service.post(`/employees/${one.id}/rehire`, { hired_on: '2036-02-01', ...back }))
    const [{ id: former }] = await employmentsOf(one.id)
    return { ...one, former: former as number }
  }
  const refused = ({ status, body }: Answer) => [status, body.errors?.[0]?.field, body.errors?.[0]?.code]

  test('is corrected without changing job and pay of the current one', async () => {
    const { id, department } = await rehired()
    const other = await service.make('/departments', { name: 'Corrected' })
    await service.make(`/employees/${id}/positions`, { effective_from: '2034-06-01', department_id: other.id })
    const pay = { amount: '9999', currency_code: 'EUR', per: 'month' }
    await service.make(`/employees/${id}/salaries`, { effective_on: '2034-06-01', ...pay })
    const now = await read(`/employees/${id}?as_of=2036-06-15`)
    assert.deepEqual([now.department.name, now.salary.amount], [department.name, '3000.0'])
    const then = await read(`/employees/${id}?as_of=2034-06-15`)
    assert.deepEqual([then.department.name, then.salary.amount], ['Corrected', '9999.0'])
  })

  test('ends by today, and keeps all entries of its job and pay', async () => {
    const { id, former } = await rehired({}, { hired_on: '2037-06-01' })
    const change = (values: object) => service.put(`/employees/${id}/employments/${former}`, values)
    assert.deepEqual(refused(await change({ termination_effective_on: '2036-12-01' })), [
      422,
      'termination_effective_on',
      'in_the_future',
    ])
    const place = await service.make('/departments', { name: 'Later' })
    await service.make(`/employees/${id}/positions`, { effective_from: '2033-03-01', department_id: place.id })
    assert.deepEqual(refused(await change({ termination_effective_on: '2032-07-01' })), [
      422,
      'termination_effective_on',
      'passes_next',
    ])
    assert.deepEqual(refused(await change({ hired_on: '2030-04-01' })), [422, 'hired_on', 'passes_next'])
    done(await change({ termination_effective_on: '2033-03-02', hired_on: '2030-02-01' }))
  })

  test('is not passed by the first day of the current one when it is deleted', async () => {
    for (const hired_on of ['2030-03-01', '2030-02-01']) {
      const { id, former } = await rehired({}, { salary: { amount: '4000' } })
      done(await service.delete(`/employees/${id}/employments/${former}`))
      assert.deepEqual(refused(await service.put(`/employees/${id}`, { hired_on })), [422, 'hired_on', 'passes_next'])
      assert.equal((await read(`/employees/${id}?as_of=2036-06-15`)).salary.amount, '4000.0')
    }
  })

  test('has leave that can be recorded later, and days that count across a gap', async () => {
    const { id } = await formerEmployee()
    done(await service.post(`/employees/${id}/rehire`, { hired_on: '2034-07-07' }))
    const leaveType = await service.make('/leave_types', { name: 'Recorded later' })
    const type = { leave_type_id: leaveType.id }
    const policy = await service.make('/leave_policies', { name: 'Recorded later', type: 'external', ...type })
    const assignment = { ...type, leave_type_policy_id: policy.id, effective_on: '2034-01-01' }
    await service.make(`/employees/${id}/leave_types`, assignment)
    const ask = (starts_on: string, ends_on: string) =>
      service.make('/leave_requests', { employee_id: id, ...type, starts_on, ends_on, skip_approval: true })
    assert.equal((await ask('2034-03-06', '2034-03-07')).amount, 2)
    const across = await ask('2034-06-29', '2034-07-10')
    assert.deepEqual(
      across.entries.map(({ date }: any) => date),
      ['2034-06-29', '2034-06-30', '2034-07-07', '2034-07-10'],
    )
    const [{ id: former }] = await employmentsOf(id)
    done(await service.delete(`/employees/${id}/employments/${former}`))
    assert.equal((await read(`/leave_requests/${across.id}`)).amount, 2, 'only days of an employment count')
  })

  test('lets nobody in before the next one starts', async () => {
    const { id } = await formerEmployee()
    const { key } = await service.make('/api_keys', { name: 'Own', employee_id: id, permissions: ['employees:read'] })
    const status = async () => (await service.get('/employees', { key })).status
    done(await service.post(`/employees/${id}/rehire`, { hired_on: '2036-06-16' }))
    assert.equal(await status(), 401)
    done(await service.put(`/employees/${id}`, { hired_on: '2036-06-15' }))
    assert.equal(await status(), 200)
  })

  test('is followed by a gap without birthdays and anniversaries', async () => {
    const { id } = await formerEmployee({ date_of_birth: '1990-06-25', hired_on: '2030-06-20' })
    done(await service.put('/company', { tenure_from: 'first_hire' }))
    const shown = async (list: string) =>
      (await read(`/employees/${list}?date[gte]=2036-06-15&date[lte]=2036-07-14`)).some((one: any) => one.id === id)
    done(await service.post(`/employees/${id}/rehire`, { hired_on: '2036-07-10' }))
    assert.deepEqual([await shown('birthdays'), await shown('anniversaries')], [false, false])
    done(await service.put(`/employees/${id}`, { hired_on: '2036-06-22' }))
    assert.deepEqual([await shown('birthdays'), await shown('anniversaries')], [true, false])
    done(await service.put('/company', { tenure_from: 'last_hire' }))
  })
})

type Job = { from: string; left: string | null }
type Person = { id: number; jobs: Job[] }

describe('employments of random people', () => {
  const people: Person[] = []
  const chance = chances(SEED)
  const dayOf = (n: number) => daysAfter('2033-01-01', n)
  let department: number

  before(async () => {
    department = (await service.make('/departments', { name: 'Random people' })).id
    for (let n = 0; n < rounds(14, 80); n++) {
      const jobs: Job[] = []
      let day = chance.below(400)
      for (let count = 1 + chance.below(3); count > 0; count--) {
        const from = dayOf(day)
        day += 1 + chance.below(300)
        const hasLeft = dayOf(day) <= TODAY && (count > 1 || chance.is(0.5))
        jobs.push({ from, left: hasLeft ? dayOf(day) : null })
        if (!hasLeft) break
        day += chance.of([0, 1, 30, 90, 200])
      }
      const [first, ...others] = jobs as [Job, ...Job[]]
      const { id } = await service.hire({ first_name: 'R', hired_on: first.from, department_id: department })
      const leave = async ({ left }: Job) =>
        left && done(await service.post(`/employees/${id}/terminate`, { effective_from: left }))
      await leave(first)
      for (const job of others) {
        done(await service.post(`/employees/${id}/rehire`, { hired_on: job.from }))
        await leave(job)
      }
      people.push({ id, jobs })
    }
  })

  const isEmployed = ({ jobs }: Person, day: string) =>
    jobs.some(({ from, left }) => from <= day && (left === null || day < left))
  const days = () => Array.from({ length: rounds(12, 60) }, () => dayOf(chance.below(1500)))
  const listed = async (query: string) =>
    ((await service.get(`/employees?department_id=${department}&per_page=100&${query}`)).body.data as any[])
      .map(({ id }) => id as number)
      .sort((a, b) => a - b)
  const idsOf = (found: Person[]) => found.map(({ id }) => id).sort((a, b) => a - b)

  test('as_of shows each person in the employment of the day, and lists find them by it', async () => {
    for (const day of days().filter((one) => one < TODAY)) {
      const before = people.filter(({ jobs }) => (jobs[0] as Job).from <= day)
      for (const person of before.slice(0, rounds(4, 20))) {
        const shown = await read(`/employees/${person.id}?as_of=${day}`)
        const job = person.jobs.findLast(({ from }) => from <= day) as Job
        assert.deepEqual(
          [shown.status === 'terminated', shown.hired_on, shown.termination_effective_on],
          [!isEmployed(person, day), job.from, job.left],
          `${person.id} on ${day}`,
        )
      }
      assert.deepEqual(
        await listed(`status=in_service&as_of=${day}`),
        idsOf(people.filter((person) => isEmployed(person, day))),
        day,
      )
      assert.deepEqual(
        await listed(`status=terminated&as_of=${day}`),
        idsOf(before.filter((person) => !isEmployed(person, day))),
        day,
      )
    }
  })

  test('reports count employments, and lists of who joined or left show each person once', async () => {
    const query = `department_id=${department}`
    const matches = (kind: 'from' | 'left', from: string, to: string) => (job: Job) =>
      job[kind] !== null && job[kind] >= from && job[kind] <= to
    const opens = async ({ count, list }: { count: number; list: string }, found: Person[], expected: number) => {
      const shown = (await service.get(`${list}&per_page=100`)).body.data.map(({ id }: any) => id)
      assert.deepEqual([count, shown.sort((a: number, b: number) => a - b)], [expected, idsOf(found)], list)
    }
    for (const from of days().filter((day) => daysAfter(day, 90) <= TODAY)) {
      const to = daysAfter(from, chance.below(90))
      const { months } = await read(`/reports/headcount?from=${from}&to=${to}&${query}`)
      for (const { starts_on, ends_on, headcount, joined, left } of months) {
        const here = people.filter((person) => isEmployed(person, ends_on))
        await opens(headcount, here, here.length)
        for (const [figure, kind] of [
          [joined, 'from'],
          [left, 'left'],
        ] as const) {
          const isIn = matches(kind, starts_on, ends_on)
          const found = people.filter(({ jobs }) => jobs.some(isIn))
          await opens(figure, found, people.flatMap(({ jobs }) => jobs.filter(isIn)).length)
        }
      }
    }
  })

  test('tenure counts since the last hire, since the first, or across short gaps', async () => {
    const rule = async (values: object) => done(await service.put('/company', values))
    const expected = ({ jobs }: Person, gap: number) =>
      jobs.reduce((since, { from }, index) => {
        const end = jobs[index - 1]?.left
        return end && from <= monthsAfter(end, gap) ? since : from
      }, '')
    const since = async () => {
      const shown = new Map<number, string>()
      for (const { id } of people) shown.set(id, (await read(`/employees/${id}`)).tenure_since)
      return shown
    }
    const wrong = await service.put('/company', { tenure_from: 'bridged' })
    assert.deepEqual([wrong.status, wrong.body.errors[0].field], [422, 'tenure_gap_months'])
    for (const [values, gap] of [
      [{ tenure_from: 'first_hire' }, 10_000],
      [{ tenure_from: 'bridged', tenure_gap_months: 2 }, 2],
      [{ tenure_from: 'last_hire' }, -10_000],
    ] as const) {
      await rule(values)
      assert.deepEqual(
        await since(),
        new Map(people.map((one) => [one.id, expected(one, gap)])),
        JSON.stringify(values),
      )
    }
  })
})
