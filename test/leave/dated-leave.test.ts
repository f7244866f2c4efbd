import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Service, startService } from '../harness.ts'
import { leaveOf } from './on-leave.ts'

let service: Service
let now = new Date('2036-06-16T12:00:00Z')
before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

const make: Service['make'] = (path, values) => service.make(path, values)
const { person, ask, balance, days } = leaveOf(() => service)
const MONTHLY = { type: 'accrual', yearly_amount: 24, credit: 'monthly' }
const YEARLY = { type: 'accrual', yearly_amount: 24, credit: 'yearly' }
const HIRED = { hired_on: '2036-01-01' }

const balances = async (id: number, ...asOf: string[]) => {
  const found: number[] = []
  for (const day of asOf) found.push(await balance(id, day))
  return found
}

test('planned terms cannot move to the past, and adjustments and future leave have date limits', async () => {
  const who = await person(MONTHLY, {}, HIRED)
  const path = `/leave_policies/${who.policyId}/terms`
  const terms = await make(path, { effective_from: '2037-01-01', yearly_amount: 36 })
  const moved = await service.put(`${path}/${terms.id}`, { effective_from: '2036-01-15' })
  assert.deepEqual([moved.status, moved.body.errors[0].code], [422, 'in_the_past'])
  assert.equal((await service.put(`${path}/${terms.id}`, { effective_from: '2037-02-01' })).status, 200)
  const adjust = (occurred_on: string) =>
    service.post('/leave_adjustments', {
      employee_id: who.id,
      leave_type_id: who.leave_type_id,
      occurred_on,
      amount: '1',
    })
  await service.post(`/employees/${who.id}/terminate`, { effective_from: '2036-12-24' })
  assert.deepEqual([(await adjust('2036-12-23')).status, (await adjust('2036-12-24')).status], [201, 422])

  const free = await person({ type: 'manual', floor: -10_000 }, {}, HIRED)
  assert.equal((await ask(free, '2036-07-01', '2039-07-01')).status, 201)
  const more = await ask(free, '2040-01-01', '2043-01-01')
  assert.deepEqual([more.status, more.body.errors[0].code], [422, 'out_of_range'])
})

describe('terms of a policy', () => {
  test('change from a date on, and earlier days keep their balances', async () => {
    const who = await person(MONTHLY)
    const before = await balances(who.id, '2036-01-31', '2036-06-16', '2036-06-30')
    assert.deepEqual(before, [2, 12, 12])
    const raised = await service.put(`/leave_policies/${who.policyId}`, { yearly_amount: 36 })
    assert.deepEqual([raised.status, raised.body.data.yearly_amount], [200, 36])
    assert.deepEqual(await balances(who.id, '2036-01-31', '2036-06-16', '2036-06-30'), before)
    assert.deepEqual(await balances(who.id, '2036-07-01', '2036-12-31', '2037-12-31'), [15, 30, 66])
    // Announced, and shown only when it holds.
    const later = await service.put(`/leave_policies/${who.policyId}`, {
      yearly_amount: 12,
      effective_from: '2036-10-01',
      carry_over_limit: 3,
    })
    assert.deepEqual([later.body.data.yearly_amount, later.body.data.carry_over_limit], [36, null])
    assert.deepEqual(await balances(who.id, '2036-09-30', '2036-12-31', '2037-01-01'), [21, 24, 4])
    const { data } = (await service.get(`/leave_policies/${who.policyId}/terms`)).body
    assert.deepEqual(
      data.map((one: any) => [one.effective_from, one.yearly_amount, one.carry_over_limit]),
      [
        ['1900-01-01', 24, null],
        ['2036-06-16', 36, null],
        ['2036-10-01', 12, 3],
      ],
    )
  })

  test('with yearly credit are credited again for the remaining months', async () => {
    const who = await person(YEARLY)
    assert.deepEqual(await balances(who.id, '2036-01-01', '2036-12-31'), [24, 24])
    await service.put(`/leave_policies/${who.policyId}`, { yearly_amount: 30, effective_from: '2036-07-01' })
    assert.deepEqual(await balances(who.id, '2036-06-30', '2036-07-01', '2036-12-31', '2037-01-01'), [24, 27, 27, 57])
    await service.put(`/leave_policies/${who.policyId}`, { credit: 'monthly', effective_from: '2036-10-01' })
    assert.deepEqual(await balances(who.id, '2036-09-30', '2036-10-01', '2036-12-31'), [27, 22, 27])
  })

  test('can be changed and deleted while planned, but not once they apply', async () => {
    const { policyId } = await person(MONTHLY)
    const path = `/leave_policies/${policyId}/terms`
    const next = await make(path, { effective_from: '2036-09-01', yearly_amount: 30 })
    assert.deepEqual([next.yearly_amount, next.credit], [30, 'monthly'], 'what is not sent stays')
    assert.equal((await service.post(path, { effective_from: '2036-09-01' })).body.errors[0].code, 'taken')
    assert.equal((await service.put(`${path}/${next.id}`, { yearly_amount: null })).body.errors[0].code, 'required')
    assert.equal((await service.put(`${path}/${next.id}`, { effective_from: '2036-08-01' })).status, 200)
    const [first] = (await service.get(path)).body.data
    assert.equal((await service.put(`${path}/${first.id}`, { yearly_amount: 1 })).status, 409)
    assert.equal((await service.delete(`${path}/${first.id}`)).status, 409)
    assert.equal((await service.delete(`${path}/${next.id}`)).status, 204)
    assert.equal((await service.get(path)).body.data.length, 1)
  })

  test('all errors of a change are reported together, and nothing changes', async () => {
    const { policyId } = await person(MONTHLY)
    const answer = await service.put(`/leave_policies/${policyId}`, {
      name: '',
      yearly_amount: null,
      floor: 1,
      effective_from: '2036-13-01',
    })
    assert.deepEqual(answer.body.errors.map((error: any) => error.field).sort(), [
      'effective_from',
      'floor',
      'name',
      'yearly_amount',
    ])
    assert.equal((await service.get(`/leave_policies/${policyId}/terms`)).body.data.length, 1)
  })

  test('the policy type and the unit of its leave type cannot change while in use', async () => {
    const who = await person(MONTHLY)
    const other = await make('/leave_types', { name: 'Other kind' })
    for (const change of [{ type: 'manual' }, { leave_type_id: other.id }])
      assert.equal((await service.put(`/leave_policies/${who.policyId}`, change)).status, 409)
    assert.equal((await service.put(`/leave_types/${who.leave_type_id}`, { unit: 'hours' })).status, 409)
    assert.equal((await service.put(`/leave_types/${who.leave_type_id}`, { unit: 'days', name: 'Same' })).status, 200)
    const free = await make('/leave_policies', { name: 'Free', leave_type_id: other.id })
    assert.equal((await service.put(`/leave_policies/${free.id}`, { type: 'accrual' })).status, 422)
    const whole = { type: 'accrual', yearly_amount: 5, credit: 'yearly' }
    // Its first terms, which hold until today, would be none of an accrual.
    assert.equal((await service.put(`/leave_policies/${free.id}`, whole)).status, 422)
    const since = await service.put(`/leave_policies/${free.id}`, { ...whole, effective_from: '1900-01-01' })
    assert.equal(since.status, 200, since.text)
    assert.equal((await service.put(`/leave_types/${other.id}`, { unit: 'hours' })).status, 200)
  })
})

describe('assignments', () => {
  const assign = (who: { id: number; leave_type_id: number }, policyId: number, effective_on: string, more = {}) =>
    service.post(`/employees/${who.id}/leave_types`, {
      leave_type_id: who.leave_type_id,
      leave_type_policy_id: policyId,
      effective_on,
      ...more,
    })
  const policyOf = (who: { leave_type_id: number }, name: string, values: Record<string, unknown>) =>
    make('/leave_policies', { name, leave_type_id: who.leave_type_id, ...values })
  const ends = async (id: number) =>
    (await service.get(`/employees/${id}/leave_types`)).body.data.map((one: any) => [one.effective_on, one.ends_on])

  test('a later assignment ends the previous one the day before, and the balance continues', async () => {
    const who = await person({ ...MONTHLY, carry_over_limit: 5 })
    const better = await policyOf(who, 'Better', { ...MONTHLY, yearly_amount: 36 })
    const next = (await assign(who, better.id, '2036-07-15')).body.data
    assert.deepEqual(await ends(who.id), [
      ['2036-01-01', '2036-07-14'],
      ['2036-07-15', null],
    ])
    // July is given once, by the one that held when it began.
    assert.deepEqual(
      await balances(who.id, '2036-07-14', '2036-07-15', '2036-08-01', '2036-12-31', '2037-01-01'),
      [14, 14, 17, 29, 32],
    )
    const shown = (await service.get(`/employees/${who.id}/leave_balances?as_of=2036-08-01`)).body.data
    assert.deepEqual(
      shown.map((one: any) => [one.id, one.leave_type_policy.id]),
      [[next.id, better.id]],
    )
    const unknown = await assign(who, 99_999, '2036-07-20')
    assert.deepEqual([unknown.status, unknown.body.errors[0].field], [422, 'leave_type_policy_id'])
    // One more between the two, and the same day twice.
    const third = await policyOf(who, 'Third', { type: 'manual' })
    assert.equal((await assign(who, third.id, '2036-07-15')).body.errors[0].code, 'taken')
    assert.equal((await assign(who, third.id, '2036-07-01', { ends_on: '2036-07-15' })).body.errors[0].code, 'too_late')
    assert.equal(
      (await assign(who, third.id, '2036-07-01', { ends_on: '2036-06-30' })).body.errors[0].code,
      'too_early',
    )
    const between = (await assign(who, third.id, '2036-07-01')).body.data
    assert.equal(between.ends_on, '2036-07-14')
    assert.equal((await service.delete(`/employees/${who.id}/leave_types/${between.id}`)).status, 204)
    assert.deepEqual(await ends(who.id), [
      ['2036-01-01', '2036-07-14'],
      ['2036-07-15', null],
    ])
    await service.delete(`/employees/${who.id}/leave_types/${next.id}`)
    assert.deepEqual(await ends(who.id), [['2036-01-01', null]], 'the one before it holds on')
  })

  test('ending an assignment on a last day is refused if leave is taken after it', async () => {
    const who = await person(YEARLY)
    const path = `/employees/${who.id}/leave_types/${who.assigned.id}`
    const { id } = (await ask(who, '2036-07-07', '2036-07-11')).body.data
    assert.equal((await service.put(path, { ends_on: '2036-07-10' })).status, 409)
    assert.equal((await service.put(path, { ends_on: '2035-12-31' })).body.errors[0].code, 'too_early')
    assert.equal((await service.put(path, { ends_on: '2036-07-11' })).body.data.ends_on, '2036-07-11')
    const beyond = (await ask(who, '2036-07-14', '2036-07-15')).body.errors[0]
    assert.deepEqual([beyond.field, beyond.code], ['leave_type_id', 'not_assigned'])
    assert.equal((await service.delete(path)).status, 409)
    const short = await policyOf(who, 'Short', { type: 'manual' })
    const within = await assign(who, short.id, '2036-07-08', { ends_on: '2036-07-09' })
    assert.equal(within.status, 409, 'it would leave the days after it without a policy')
    assert.equal((await service.put(path, { ends_on: null })).body.data.ends_on, null)
    await service.post(`/leave_requests/${id}/withdraw`)
    assert.equal((await service.delete(path)).status, 204)
  })

  test('a request across two assignments is one request whose entries name their policies', async () => {
    const who = await person(YEARLY, {}, HIRED)
    const calendar = await policyOf(who, 'Every day', { ...YEARLY, counted_as: 'calendar_days', floor: -10 })
    await assign(who, calendar.id, '2036-07-05')
    // Friday under the one; Saturday, Sunday and Monday under the other.
    const { data } = (await ask(who, '2036-07-04', '2036-07-07')).body
    assert.deepEqual(
      data.entries.map((one: any) => [one.date, one.leave_type_policy_id]),
      [
        ['2036-07-04', who.policyId],
        ['2036-07-05', calendar.id],
        ['2036-07-06', calendar.id],
        ['2036-07-07', calendar.id],
      ],
    )
    assert.deepEqual([data.amount, data.leave_type_policy.name], [4, (await policyName(who.policyId)) as string])
  })
  const policyName = async (id: number) => (await service.get(`/leave_policies/${id}`)).body.data.name

  test('days of earlier requests move to the new policy, and a gap between assignments cannot be requested', async () => {
    const who = await person(YEARLY, {}, HIRED)
    const { id } = (await ask(who, '2036-07-04', '2036-07-07')).body.data
    assert.deepEqual(await days(id), { '2036-07-04': 1, '2036-07-07': 1 })
    const calendar = await policyOf(who, 'Goes over', { ...YEARLY, counted_as: 'calendar_days' })
    const next = (await assign(who, calendar.id, '2036-07-05')).body.data
    assert.deepEqual(await days(id), { '2036-07-04': 1, '2036-07-05': 1, '2036-07-06': 1, '2036-07-07': 1 })
    assert.equal((await service.delete(`/employees/${who.id}/leave_types/${next.id}`)).status, 409)
    await service.post(`/leave_requests/${id}/reject`)
    await service.put(`/employees/${who.id}/leave_types/${who.assigned.id}`, { ends_on: '2036-07-01' })
    assert.equal((await ask(who, '2036-07-01', '2036-07-08')).body.errors[0].code, 'not_assigned')
  })

  test('the floor applies across assignments, also to credit taken back when one ends', async () => {
    const who = await person(YEARLY, {}, HIRED)
    await service.put(`/employees/${who.id}/leave_types/${who.assigned.id}`, { ends_on: '2036-09-30' })
    // 24 are there, but only nine months of them stay.
    assert.equal((await ask(who, '2036-07-01', '2036-07-25')).body.errors[0].code, 'balance')
    assert.equal((await ask(who, '2036-07-01', '2036-07-24')).status, 201)
    const other = await person({ ...YEARLY, floor: -5 }, {}, HIRED)
    const strict = await policyOf(other, 'Strict', { type: 'manual', floor: -2 })
    await assign(other, strict.id, '2036-07-01')
    // Twelve are earned until July; below -2 under the new policy is too low, though the old one would allow it.
    assert.equal((await ask(other, '2036-06-17', '2036-07-07')).body.errors[0].code, 'balance')
    assert.equal((await ask(other, '2036-06-17', '2036-07-04')).status, 201)
  })

  test('of 32 concurrent requests for the last day, half under the next policy, exactly one succeeds', async () => {
    const who = await person({ type: 'manual' }, {}, HIRED)
    const next = await policyOf(who, 'Next', { type: 'manual' })
    await assign(who, next.id, '2036-10-01')
    await make('/leave_adjustments', {
      employee_id: who.id,
      leave_type_id: who.leave_type_id,
      occurred_on: '2036-01-01',
      amount: 1,
    })
    const mondays = Array.from({ length: 32 }, (_, n) =>
      new Date(Date.UTC(2036, 5, 23 + 7 * n)).toISOString().slice(0, 10),
    )
    const answers = await Promise.all(mondays.map((day) => ask(who, day, day)))
    assert.equal(answers.filter((answer) => answer.status === 201).length, 1)
    assert.ok(answers.every((answer) => answer.status === 201 || answer.body.errors[0].code === 'balance'))
  })

  test('setting the balance of a planned assignment repeatedly creates one adjustment', async () => {
    const who = await person({ type: 'manual' })
    await service.delete(`/employees/${who.id}/leave_types/${who.assigned.id}`)
    const later = (await assign(who, who.policyId, '2036-09-01')).body.data
    const set = (values: object) => service.put(`/employees/${who.id}/update_leave_balance`, { balance: 20, ...values })
    for (const values of [{ leave_type_id: who.leave_type_id }, { employee_leave_type_id: later.id }]) {
      assert.equal((await set(values)).body.data.balance, 20)
      assert.equal((await set(values)).body.data.balance, 20)
    }
    assert.deepEqual(await balances(who.id, '2036-09-01', '2037-01-01'), [20, 20])
    assert.equal(
      (await service.get(`/leave_adjustments`)).body.data.filter((a: any) => a.employee_id === who.id).length,
      1,
    )
  })
})

describe('employment', () => {
  test('leave accrues from the hire date to the last day, and cannot be taken outside', async () => {
    const monthly = await person(MONTHLY, {}, { hired_on: '2036-03-10' })
    assert.deepEqual(await balances(monthly.id, '2036-03-09', '2036-03-10', '2036-12-31'), [0, 2, 20])
    const yearly = await person(YEARLY, {}, { hired_on: '2036-03-10' })
    assert.deepEqual(await balances(yearly.id, '2036-03-10', '2036-12-31'), [20, 20])
    const early = (await ask(yearly, '2036-03-07', '2036-03-11')).body.errors
    assert.deepEqual(
      early.map((error: any) => [error.field, error.code]),
      [['starts_on', 'before_service']],
    )
    for (const who of [monthly, yearly])
      await service.post(`/employees/${who.id}/terminate`, { effective_from: '2036-09-01' })
    assert.deepEqual(await balances(monthly.id, '2036-08-31', '2036-12-31', '2038-01-01'), [12, 12, 12])
    assert.deepEqual(await balances(yearly.id, '2036-03-10', '2036-12-31', '2038-01-01'), [12, 12, 12])
    const late = (await ask(yearly, '2036-08-29', '2036-09-01')).body.errors
    assert.deepEqual(
      late.map((error: any) => [error.field, error.code]),
      [['ends_on', 'after_service']],
    )
    assert.equal((await ask(yearly, '2036-08-29', '2036-08-31')).status, 201)
  })
})

describe('one day', () => {
  const half = (day: string, amount = 0.5) => ({ leave_request_entries: [{ occurs_on: day, amount }] })

  test('can be split between two half-day requests of any type and unit, but never exceeded', async () => {
    const who = await person(YEARLY, {}, HIRED)
    const hours = await make('/leave_types', { name: 'By the hour', unit: 'hours' })
    const policy = await make('/leave_policies', { name: 'By the hour', leave_type_id: hours.id, type: 'external' })
    await make(`/employees/${who.id}/leave_types`, {
      leave_type_id: hours.id,
      leave_type_policy_id: policy.id,
      effective_on: '2036-01-01',
    })
    const byHour = { id: who.id, leave_type_id: hours.id }
    const day = '2036-07-01'
    const first = (await ask(who, day, day, half(day))).body.data
    assert.equal((await ask(who, day, day)).body.errors[0].code, 'overlap', 'the whole day is more than is left')
    assert.equal((await ask(who, day, day, half(day, 0.5001))).body.errors[0].code, 'overlap')
    assert.equal((await ask(byHour, day, day, half(day, 4.0001))).body.errors[0].code, 'overlap')
    assert.equal((await ask(byHour, '2036-06-30', day, half(day, 3))).status, 201)
    assert.equal((await ask(who, day, day, half(day, 0.1251))).body.errors[0].code, 'overlap')
    assert.equal((await ask(who, day, day, half(day, 0.125))).status, 201)
    assert.equal((await ask(who, day, day, half(day, 0.0001))).body.errors[0].code, 'overlap')
    await service.post(`/leave_requests/${first.id}/reject`)
    assert.equal((await ask(who, day, day, half(day))).status, 201)
    const twice = { leave_request_entries: [...half(day).leave_request_entries, ...half(day).leave_request_entries] }
    assert.equal((await ask(who, day, day, twice)).body.errors[0].code, 'repeated')
  })

  test('of 32 concurrent half-day requests exactly two succeed', async () => {
    const who = await person(YEARLY, {}, HIRED)
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => ask(who, '2036-07-02', '2036-07-02', half('2036-07-02'))),
    )
    assert.equal(answers.filter((answer) => answer.status === 201).length, 2)
  })
})

test('requests and timesheets use the policy terms of the day', async () => {
  const who = await person({ ...YEARLY, activity_type: 'not_working_paid' }, {}, HIRED)
  const { id } = (await ask(who, '2036-06-30', '2036-07-01', { skip_approval: true })).body.data
  await service.put(`/leave_policies/${who.policyId}`, { activity_type: 'working_paid', effective_from: '2036-07-01' })
  const minutes = async (month: number) => {
    const [row] = (await service.get(`/time/timesheets?year=2036&month=${month}&employee_ids[]=${who.id}`)).body.data
    return [row.working_leave_minutes, row.non_working_leave_minutes]
  }
  assert.deepEqual(
    [await minutes(6), await minutes(7)],
    [
      [0, 480],
      [480, 0],
    ],
  )
  now = new Date('2036-08-01T12:00:00Z')
  const { data } = (await service.get(`/leave_requests/${id}`)).body
  assert.equal(data.leave_type_policy.activity_type, 'not_working_paid')
  assert.equal((await service.get(`/leave_policies/${who.policyId}`)).body.data.activity_type, 'working_paid')
  now = new Date('2036-06-16T12:00:00Z')
})
