import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Service, startService } from '../harness.ts'
import { leaveOf } from './on-leave.ts'

let service: Service
const now = new Date('2036-06-16T12:00:00Z')
before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

const make: Service['make'] = (path, values) => service.make(path, values)
const { person, ask, balance } = leaveOf(() => service)

describe('balances', () => {
  test('can be read as of any day, adjusted and set', async () => {
    const who = await person({ type: 'accrual', yearly_amount: 24, credit: 'monthly', carry_over_limit: 5 })
    assert.deepEqual(
      [
        await balance(who.id, '2036-01-01'),
        await balance(who.id, '2036-06-30'),
        await balance(who.id, '2036-12-31'),
        await balance(who.id, '2037-01-01'),
      ],
      [2, 12, 24, 7],
    )
    await make('/leave_adjustments', {
      employee_id: who.id,
      leave_type_id: who.leave_type_id,
      occurred_on: '2036-02-01',
      amount: '1.5',
      description: 'Thanks',
    })
    assert.equal(await balance(who.id), 13.5)
    const set = await service.put(`/employees/${who.id}/update_leave_balance`, {
      balance: 20,
      leave_type_id: who.leave_type_id,
    })
    assert.equal(set.body.data.balance, 20)
    assert.equal(
      (await service.post('/leave_policies', { name: 'Half', leave_type_id: who.leave_type_id, type: 'accrual' })).body
        .errors.length,
      2,
    )
  })
})

describe('requests', () => {
  const generous = { type: 'accrual', yearly_amount: 30, credit: 'yearly' }

  test('take their days from the working pattern and holidays of the employee, including half days', async () => {
    const policy = await make('/holiday_policies', { name: 'Own', country_code: 'AQ' })
    await make('/holidays', { holiday_policy_id: policy.id, name: 'Free', occurs_on: '2036-07-02' })
    const location = await make('/locations', { name: 'Own', holiday_policy_id: policy.id })
    const pattern = await make('/working_patterns', {
      name: 'No Friday',
      monday_hours: 8,
      tuesday_hours: 8,
      wednesday_hours: 8,
      thursday_hours: 6,
    })
    const who = await person(
      generous,
      {},
      { location_id: location.id, working_pattern_id: pattern.id, hired_on: '2036-01-01' },
    )
    const made = (
      await ask(who, '2036-06-30', '2036-07-06', {
        leave_request_entries: [{ occurs_on: '2036-07-03', amount: 0.5 }],
        description: 'Sea',
      })
    ).body.data
    assert.deepEqual(
      [made.state, made.amount, made.comment, made.entries],
      [
        'pending',
        2.5,
        'Sea',
        [
          { date: '2036-06-30', amount: 1, leave_type_policy_id: who.policyId, starts_at: null, ends_at: null },
          { date: '2036-07-01', amount: 1, leave_type_policy_id: who.policyId, starts_at: null, ends_at: null },
          { date: '2036-07-03', amount: 0.5, leave_type_policy_id: who.policyId, starts_at: null, ends_at: null },
        ],
      ],
    )
    assert.equal(await balance(who.id, '2036-12-31'), 27.5)
    await service.post(`/leave_requests/${made.id}/approve`)
    const [july] = (await service.get(`/time/timesheets?year=2036&month=7&employee_ids[]=${who.id}`)).body.data
    assert.deepEqual([july.working_leave_minutes, july.non_working_leave_minutes], [0, 480 + 180])
    assert.equal((await ask(who, '2036-07-01', '2036-07-06')).body.errors[0].code, 'overlap')
    assert.equal((await ask(who, '2036-07-11', '2036-07-13')).body.errors[0].code, 'no_days')
    assert.equal(
      (await ask(who, '2036-08-04', '2036-08-04', { leave_request_entries: [{ occurs_on: '2036-08-04', amount: 2 }] }))
        .body.errors[0].code,
      'out_of_range',
    )
  })

  test('are approved, rejected or withdrawn, and leave not taken returns to the balance', async () => {
    const who = await person(generous)
    const { id } = (await ask(who, '2036-07-07', '2036-07-11')).body.data
    assert.deepEqual(
      (await service.get('/leave_requests/pending')).body.data.map((one: any) => one.id).includes(id),
      true,
    )
    assert.equal(await balance(who.id, '2036-12-31'), 25)
    assert.equal((await service.post(`/leave_requests/${id}/reject`)).body.data.state, 'rejected')
    assert.equal(await balance(who.id, '2036-12-31'), 30)
    assert.equal((await service.post(`/leave_requests/${id}/approve`)).status, 409)
    const again = (await ask(who, '2036-07-07', '2036-07-11', { skip_approval: true })).body.data
    assert.equal(again.state, 'approved')
    assert.equal((await service.post(`/leave_requests/${again.id}/withdraw`)).body.data.state, 'withdrawn')
    assert.equal(
      (await service.get(`/leave_requests?employee_ids[]=${who.id}&states[]=withdrawn`)).body.data[0].id,
      again.id,
    )
  })

  test('show the rejection reason to the employee until the rejection is undone', async () => {
    const who = await person(generous)
    const { id } = (await ask(who, '2036-07-07', '2036-07-11')).body.data
    const path = `/leave_requests/${id}`
    const refused = await service.post(`${path}/reject`, { reason: 'x'.repeat(70_000) })
    assert.deepEqual([refused.status, refused.body.errors[0].field], [422, 'reason'])
    const rejected = await service.post(`${path}/reject`, { reason: 'Two others are away' })
    assert.equal(rejected.body.data.rejection_reason, 'Two others are away')
    const request = rejected.headers.get('x-request-id')
    assert.equal((await service.post(`/requests/${request}/undo`)).status, 200)
    const again = (await service.get(path)).body.data
    assert.deepEqual([again.state, again.rejection_reason], ['pending', null])
    assert.equal((await service.post(`${path}/reject`)).body.data.rejection_reason, null)
  })

  test('never take the balance below the floor on any later day', async () => {
    const who = await person({ type: 'manual', floor: -1 })
    await make('/leave_adjustments', {
      employee_id: who.id,
      leave_type_id: who.leave_type_id,
      occurred_on: '2036-01-01',
      amount: 3,
    })
    assert.equal((await ask(who, '2036-09-01', '2036-09-05')).body.errors[0].code, 'balance')
    assert.equal((await ask(who, '2036-09-01', '2036-09-04')).status, 201)
    assert.equal(
      (await ask(who, '2036-08-04', '2036-08-04')).body.errors[0].code,
      'balance',
      'an earlier day would take what the later one has',
    )
    assert.equal(
      (
        await service.post('/leave_requests', {
          employee_id: who.id,
          leave_type_id: 1,
          starts_on: '2036-08-04',
          ends_on: '2036-08-04',
        })
      ).body.errors[0].code,
      'not_assigned',
    )
  })

  test('of which 32 compete for the last day of leave: exactly one succeeds', async () => {
    const who = await person({ type: 'manual' })
    await make('/leave_adjustments', {
      employee_id: who.id,
      leave_type_id: who.leave_type_id,
      occurred_on: '2036-01-01',
      amount: 1,
    })
    const days = Array.from({ length: 32 }, (_, n) => new Date(Date.UTC(2036, 6, 7 + 7 * n)).toISOString().slice(0, 10))
    const answers = await Promise.all(days.map((day) => ask(who, day, day)))
    assert.equal(answers.filter((answer) => answer.status === 201).length, 1)
    assert.ok(answers.every((answer) => answer.status === 201 || answer.body.errors[0].code === 'balance'))
  })
})
