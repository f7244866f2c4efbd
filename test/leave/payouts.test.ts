import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, startService } from '../harness.ts'
import { HIRED, leaveOf } from './on-leave.ts'

/** Leave that is paid out when somebody leaves. */

let service: Service
before(async () => {
  service = await startService({ clock: () => new Date('2036-06-16T12:00:00Z') })
})
after(() => service.stop())

const { person, ask, balance, movementsOf } = leaveOf(() => service)
const POLICY = { type: 'accrual', yearly_amount: 24, credit: 'monthly', on_leaving: 'paid_out' }

const payoutsOf = async (id: number, query = 'starts_on=2036-01-01&ends_on=2036-12-31', key?: string) => {
  const answer = await service.get(`/leave_payouts?${query}`, key ? { key } : {})
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.filter((one: any) => one.employee_id === id).map((one: any) => [one.date, one.amount])
}
const terminate = async (id: number, effective_from: string, more: object = {}) => {
  const answer = await service.post(`/employees/${id}/terminate`, { effective_from, ...more })
  assert.equal(answer.status, 200, answer.text)
  return answer.headers.get('x-request-id') as string
}

test('what is left on the last day is listed for payroll, and the balance is 0 from then on', async () => {
  const who = await person(POLICY, {}, HIRED)
  assert.equal((await ask(who, '2036-06-23', '2036-06-24', { skip_approval: true })).status, 201)
  assert.deepEqual(await payoutsOf(who.id), [])
  const request = await terminate(who.id, '2036-09-01')
  assert.deepEqual(await payoutsOf(who.id), [['2036-09-01', 14]])
  assert.deepEqual([await balance(who.id, '2036-08-31'), await balance(who.id, '2036-09-01')], [14, 0])
  const last = (await movementsOf(who)).at(-1)
  assert.deepEqual([last.date, last.reason, last.amount, last.balance], ['2036-09-01', 'paid_out', -14, 0])
  const { this_year } = (await service.get(`/employees/${who.id}/leave_balances?on=2036-09-01`)).body.data[0]
  assert.equal(this_year.paid_out, 14)
  // Leave that is taken after all is not paid out, and all that is left can still be taken.
  const before = (await service.get(`/employees/${who.id}/leave_balances?on=2036-06-30`)).body.data[0].this_year
  assert.equal(before.available, 10)
  assert.equal((await ask(who, '2036-08-25', '2036-08-29', { skip_approval: true })).status, 201)
  assert.deepEqual(await payoutsOf(who.id), [['2036-09-01', 9]])
  assert.equal((await service.post(`/requests/${request}/undo`)).status, 200)
  assert.deepEqual(await payoutsOf(who.id), [])
})

test('debt is not paid out, nor leave of policies that keep it', async () => {
  const debtor = await person({ ...POLICY, yearly_amount: 0, floor: -5 }, {}, HIRED)
  assert.equal((await ask(debtor, '2036-06-23', '2036-06-24', { skip_approval: true })).status, 201)
  await terminate(debtor.id, '2036-07-01')
  const keeper = await person({ ...POLICY, on_leaving: null }, {}, HIRED)
  await terminate(keeper.id, '2036-07-01')
  assert.deepEqual([await payoutsOf(debtor.id), await payoutsOf(keeper.id)], [[], []])
  assert.deepEqual([await balance(debtor.id, '2036-07-01'), await balance(keeper.id, '2036-07-01')], [-2, 12])
})

test('somebody who is rehired keeps the payout of the former employment, and starts at 0', async () => {
  const who = await person({ ...POLICY, credit: 'yearly' }, {}, HIRED)
  await terminate(who.id, '2036-05-01')
  const rehired = await service.post(`/employees/${who.id}/rehire`, { hired_on: '2036-06-01' })
  assert.ok([200, 201].includes(rehired.status), rehired.text)
  assert.deepEqual(await payoutsOf(who.id), [['2036-05-01', 8]])
  const reasons = (await movementsOf(who)).map(({ reason }) => reason)
  assert.ok(!reasons.includes('employment_ended'), reasons.join())
})

test('all is paid out to somebody who leaves at the end of the year, whatever can be carried over', async () => {
  for (const carry_over_limit of [0, 5, null]) {
    const who = await person({ ...POLICY, carry_over_limit }, {}, HIRED)
    await terminate(who.id, '2037-01-01', { announced_on: '2036-06-01' })
    assert.deepEqual(await payoutsOf(who.id, 'starts_on=2037-01-01&ends_on=2037-01-31'), [['2037-01-01', 24]])
  }
})

test('the payout stays when somebody is rehired on the next day', async () => {
  for (const credit of ['monthly', 'yearly']) {
    const who = await person({ ...POLICY, credit }, {}, HIRED)
    await terminate(who.id, '2036-06-01')
    assert.deepEqual(await payoutsOf(who.id), [['2036-06-01', 10]])
    const rehired = await service.post(`/employees/${who.id}/rehire`, { hired_on: '2036-06-01' })
    assert.ok([200, 201].includes(rehired.status), rehired.text)
    assert.deepEqual(await payoutsOf(who.id), [['2036-06-01', 10]])
    assert.equal(await balance(who.id, '2036-06-01'), credit === 'yearly' ? 14 : 2)
  }
})

test('payouts are listed by the day after the employment, for people whose leave the caller may read', async () => {
  const [one, other] = [await person(POLICY, {}, HIRED), await person(POLICY, {}, HIRED)]
  await terminate(one.id, '2036-06-20')
  await terminate(other.id, '2036-10-01', { announced_on: '2036-09-01' })
  assert.deepEqual(await payoutsOf(one.id, ''), [['2036-06-20', 12]])
  assert.deepEqual(await payoutsOf(one.id, 'starts_on=2036-06-21&ends_on=2036-12-31'), [])
  assert.deepEqual(await payoutsOf(other.id), [['2036-10-01', 18]])
  const { key } = await service.make('/api_keys', {
    ...{ name: 'No plans', permissions: ['leave:read', 'employees:read'], withheld: ['planned'] },
  })
  assert.deepEqual(await payoutsOf(other.id, undefined, key), [])
  const role = await service.make('/roles', { name: 'Own', grants: [{ scope: 'self', permissions: ['leave:read'] }] })
  const own = await service.make('/api_keys', {
    ...{ name: 'Own', permissions: ['leave:read'], employee_id: other.id, role_ids: [role.id] },
  })
  assert.deepEqual(await payoutsOf(one.id, undefined, own.key), [])
})

test('ranges that are too long or end before they start are refused by name', async () => {
  for (const query of ['starts_on=2036-01-01&ends_on=2037-01-05', 'starts_on=2036-02-01&ends_on=2036-01-01']) {
    const { status, body } = await service.get(`/leave_payouts?${query}`)
    assert.deepEqual([status, body.errors[0].field], [400, 'ends_on'])
  }
})
