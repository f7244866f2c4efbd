import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Service, startService } from '../harness.ts'
import { leaveOf, type OnLeave } from './on-leave.ts'

let service: Service
const now = new Date('2036-06-16T12:00:00Z')
before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

const { person, ask } = leaveOf(() => service)

const setBalance = (who: OnLeave, values: Record<string, unknown>) =>
  service.put(`/employees/${who.id}/update_leave_balance`, { leave_type_id: who.leave_type_id, ...values })
const standing = async (who: OnLeave, day = '2036-12-31') => {
  const [one] = (await service.get(`/employees/${who.id}/leave_balances?as_of=${day}`)).body.data
  return [one.balance, one.on_demand_balance]
}
const adjust = (who: OnLeave, occurred_on: string, amount: number, more = {}) =>
  service.make('/leave_adjustments', {
    employee_id: who.id,
    leave_type_id: who.leave_type_id,
    occurred_on,
    amount,
    ...more,
  })
const problem = ({ status, body }: Awaited<ReturnType<typeof ask>>) => [
  status,
  body.errors?.[0].field,
  body.errors?.[0].code,
]

describe('leave on demand', () => {
  test('is a part of the balance, is set with it, and never exceeds it', async () => {
    const who = await person({ type: 'manual' })
    assert.deepEqual(await standing(who), [0, 0])
    const set = await setBalance(who, { balance: 10, on_demand_balance: 4 })
    assert.deepEqual([set.body.data.balance, set.body.data.on_demand_balance], [10, 4])
    const listed = (await service.get(`/employees/${who.id}/leave_types`)).body.data[0]
    assert.deepEqual([listed.balance, listed.on_demand_balance], [10, 4])
    assert.deepEqual(problem(await setBalance(who, { balance: 3, on_demand_balance: 4 })), [
      422,
      'on_demand_balance',
      'too_large',
    ])
    assert.deepEqual(problem(await setBalance(who, { balance: 3, on_demand_balance: -1 })), [
      422,
      'on_demand_balance',
      'out_of_range',
    ])
    assert.deepEqual(await standing(who), [10, 4], 'what was refused has changed nothing')
    await setBalance(who, { balance: 2.5 })
    assert.deepEqual(await standing(who), [2.5, 2.5])
    const made = (await service.get(`/leave_adjustments?employee_id=${who.id}`)).body.data
    assert.deepEqual(
      made.map((one: any) => [one.amount, one.on_demand]),
      [
        [10, false],
        [4, true],
        [-7.5, false],
      ],
    )
    await setBalance(who, { balance: 2.5, on_demand_balance: 2.5 })
    await setBalance(who, { balance: 9 })
    assert.deepEqual(await standing(who), [9, 2.5], 'it is what was set last, not what there was before')
  })

  test('counts against its own and the whole balance, and returns when it is not taken', async () => {
    const who = await person({ type: 'manual', floor: -5 })
    await setBalance(who, { balance: 3, on_demand_balance: 2 })
    assert.deepEqual(problem(await ask(who, '2036-07-07', '2036-07-09', { on_demand: true })), [
      422,
      'on_demand',
      'balance',
    ])
    const { id, on_demand } = (await ask(who, '2036-07-07', '2036-07-08', { on_demand: true })).body.data
    assert.equal(on_demand, true)
    assert.deepEqual(await standing(who), [1, 0])
    assert.deepEqual(await standing(who, '2036-07-07'), [2, 1])
    assert.equal((await ask(who, '2036-07-14', '2036-07-14', { on_demand: true })).body.errors[0].code, 'balance')
    assert.equal((await ask(who, '2036-07-14', '2036-07-14')).body.data.on_demand, false)
    await service.post(`/leave_requests/${id}/withdraw`)
    assert.deepEqual(await standing(who), [2, 2])
  })

  test('never takes the balance below zero, whatever the floor of the policy', async () => {
    const who = await person({ type: 'manual', floor: -5 })
    await setBalance(who, { balance: 2, on_demand_balance: 2 })
    const usual = (await ask(who, '2036-07-07', '2036-07-08')).body.data
    assert.deepEqual(problem(await ask(who, '2036-07-14', '2036-07-14', { on_demand: true })), [
      422,
      'on_demand',
      'balance',
    ])
    const further = (await ask(who, '2036-07-14', '2036-07-14')).body.data
    // Neither on create nor by a change afterwards.
    assert.deepEqual(problem(await service.put(`/leave_requests/${further.id}`, { on_demand: true })), [
      422,
      'on_demand',
      'balance',
    ])
    // What is taken later, down to the floor, is no matter of the days before.
    assert.equal((await service.put(`/leave_requests/${usual.id}`, { on_demand: true })).body.data.on_demand, true)
  })

  test('cannot be taken before it was granted, and leaves no later day short', async () => {
    const who = await person({ type: 'manual' })
    await adjust(who, '2036-01-01', 10)
    await adjust(who, '2036-05-01', 1, { on_demand: true })
    assert.deepEqual(problem(await ask(who, '2036-04-07', '2036-04-07', { on_demand: true })), [
      422,
      'on_demand',
      'balance',
    ])
    assert.equal((await ask(who, '2036-09-01', '2036-09-01', { on_demand: true })).status, 201)
    assert.equal((await ask(who, '2036-06-02', '2036-06-02', { on_demand: true })).status, 422)
  })

  test('counts only its own balance under a policy with an external balance', async () => {
    const who = await person({ type: 'external' })
    assert.equal((await ask(who, '2036-07-07', '2036-07-07', { on_demand: true })).status, 422)
    assert.equal((await setBalance(who, { balance: 0, on_demand_balance: 1 })).body.data.on_demand_balance, 1)
    assert.equal((await ask(who, '2036-07-07', '2036-07-07', { on_demand: true })).status, 201)
    assert.deepEqual(await standing(who), [-1, 0])
  })

  test('of which 16 requests compete for the last day: exactly one succeeds', async () => {
    const who = await person({ type: 'manual' })
    await setBalance(who, { balance: 20, on_demand_balance: 1 })
    const days = Array.from({ length: 16 }, (_, n) => new Date(Date.UTC(2036, 6, 7 + 7 * n)).toISOString().slice(0, 10))
    const answers = await Promise.all(days.map((day) => ask(who, day, day, { on_demand: true })))
    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  })
})
