import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, startService } from '../harness.ts'
import { HIRED, leaveOf } from './on-leave.ts'

/** Overtime that leave policies credit. */

let service: Service
before(async () => {
  service = await startService({ clock: () => new Date('2036-06-16T12:00:00Z') })
})
after(() => service.stop())

const { person, ask, balance, movementsOf } = leaveOf(() => service)

const requested = async (employee_id: number, date: string, minutes: number): Promise<number> =>
  (await service.make('/time/overtime_requests', { employee_id, date, minutes })).id
const approve = async (id: number) => {
  const answer = await service.post(`/time/overtime_requests/${id}/approve`)
  assert.equal(answer.status, 200, answer.text)
  return answer.headers.get('x-request-id') as string
}
const approved = async (employee_id: number, date: string, minutes: number): Promise<number> => {
  const id = await requested(employee_id, date, minutes)
  await approve(id)
  return id
}
test('approved overtime is credited times the factor from its day on, and not before it is approved', async () => {
  const who = await person({ type: 'manual', overtime_factor: 1.5 }, { unit: 'hours' }, HIRED)
  const id = await requested(who.id, '2036-06-10', 120)
  assert.equal(await balance(who.id, '2036-06-10'), 0)
  const request = await approve(id)
  assert.deepEqual([await balance(who.id, '2036-06-09'), await balance(who.id, '2036-06-10')], [0, 3])
  const [movement] = await movementsOf(who)
  assert.deepEqual(
    [movement.date, movement.reason, movement.amount, movement.overtime_request_id, movement.leave_policy_id],
    ['2036-06-10', 'overtime', 3, id, who.policyId],
  )
  const { this_year } = (await service.get(`/employees/${who.id}/leave_balances`)).body.data[0]
  assert.deepEqual([this_year.overtime, this_year.adjusted, this_year.accrued, this_year.available], [3, 0, 0, 3])
  assert.equal((await service.post(`/requests/${request}/undo`)).status, 200)
  assert.equal(await balance(who.id, '2036-06-10'), 0)
})

test('overtime becomes days by the length of a full-time day, and can be taken', async () => {
  const who = await person({ type: 'manual', overtime_factor: 1 }, {}, HIRED)
  await approved(who.id, '2036-06-02', 240)
  await approved(who.id, '2036-06-03', 240)
  assert.equal(await balance(who.id, '2036-06-16'), 1)
  assert.equal((await ask(who, '2036-07-01', '2036-07-02')).status, 422)
  assert.equal((await ask(who, '2036-07-01', '2036-07-01')).status, 201)
  const short = await person({ type: 'manual', overtime_factor: 1, full_time_hours: 30, full_time_days: 4 }, {}, HIRED)
  await approved(short.id, '2036-06-02', 450)
  assert.equal(await balance(short.id, '2036-06-16'), 1)
})

test('overtime expires after its months, what was taken does not, and the balance says how much when', async () => {
  const who = await person({ type: 'manual', overtime_factor: 1, overtime_months: 2 }, { unit: 'hours' }, HIRED)
  await approved(who.id, '2036-06-10', 600)
  await approved(who.id, '2036-06-20', 300)
  const { this_year } = (await service.get(`/employees/${who.id}/leave_balances?on=2036-06-30`)).body.data[0]
  assert.deepEqual(this_year.carry_over_expires, [
    { on: '2036-08-10', amount: 10 },
    { on: '2036-08-20', amount: 5 },
  ])
  assert.equal((await ask(who, '2036-07-01', '2036-07-01', { skip_approval: true })).status, 201)
  assert.deepEqual(
    (await movementsOf(who)).map(({ date, reason, amount }: any) => [date, reason, amount]),
    [
      ['2036-06-10', 'overtime', 10],
      ['2036-06-20', 'overtime', 5],
      ['2036-07-01', 'leave', -8],
      ['2036-08-10', 'overtime_expired', -2],
      ['2036-08-20', 'overtime_expired', -5],
    ],
  )
})

test('only overtime on days with the policy and the factor is credited', async () => {
  const who = await person({ type: 'manual' }, { unit: 'hours' }, HIRED)
  await approved(who.id, '2035-12-31', 60)
  await approved(who.id, '2036-06-10', 60)
  await approved(who.id, '2036-07-02', 60)
  const from = await service.put(`/leave_policies/${who.policyId}`, {
    overtime_factor: 2,
    effective_from: '2036-07-01',
  })
  assert.equal(from.status, 200, from.text)
  assert.deepEqual([await balance(who.id, '2036-06-30'), await balance(who.id, '2036-07-02')], [0, 2])
  const dry = { headers: { prefer: 'dry-run' } }
  const tried = await service.put(
    `/leave_policies/${who.policyId}`,
    { overtime_factor: 3, effective_from: '2036-07-01' },
    dry,
  )
  assert.deepEqual(
    tried.body.effects.people.map((one: any) => [one.year, one.balance_before, one.balance_after]),
    [
      [2036, 2, 3],
      [2037, 2, 3],
    ],
  )
})

test('a policy without a balance cannot credit overtime', async () => {
  const { id: leave_type_id } = await service.make('/leave_types', { name: 'External' })
  const sent = { name: 'External', leave_type_id, type: 'external', overtime_factor: 1 }
  const { status, body } = await service.post('/leave_policies', sent)
  assert.deepEqual([status, body.errors[0].field, body.errors[0].code], [422, 'overtime_factor', 'mismatch'])
})

test('an employee cannot take back overtime after requesting the leave, by withdrawal or by undo; HR can', async () => {
  const who = await person({ type: 'manual', overtime_factor: 1 }, { unit: 'hours' }, HIRED)
  const overtime = await approved(who.id, '2036-06-20', 480)
  const roles = (await service.get('/roles')).body.data
  const { key } = await service.make('/api_keys', {
    ...{ name: 'Own', permissions: ['*'], employee_id: who.id },
    role_ids: roles.filter((one: any) => one.standard === 'employee').map((one: any) => one.id),
  })
  const leave = await ask(who, '2036-07-01', '2036-07-01', { skip_approval: true })
  assert.equal(leave.status, 201, leave.text)
  const withdraw = (as?: string) =>
    service.post(`/time/overtime_requests/${overtime}/withdraw`, {}, as ? { key: as } : {})
  const refused = await withdraw(key)
  assert.deepEqual([refused.status, refused.body.code], [409, 'in_use'])
  // Without the leave it may go, and the leave then cannot come back by undo.
  const gone = await service.post(`/leave_requests/${leave.body.data.id}/withdraw`)
  assert.equal(gone.status, 200, gone.text)
  assert.equal((await withdraw(key)).status, 200)
  const back = await service.post(`/requests/${gone.headers.get('x-request-id')}/undo`)
  assert.deepEqual([back.status, back.body.errors?.[0]?.code], [422, 'balance'])
  const other = await person({ type: 'manual', overtime_factor: 1 }, { unit: 'hours' }, HIRED)
  const theirs = await approved(other.id, '2036-06-20', 480)
  assert.equal((await ask(other, '2036-07-01', '2036-07-01', { skip_approval: true })).status, 201)
  assert.equal((await service.post(`/time/overtime_requests/${theirs}/withdraw`)).status, 200)
  assert.equal(await balance(other.id, '2036-07-01'), -8)
})

test('the limit for carrying over and corrections leave overtime alone, which expires on its own day', async () => {
  const policy = { type: 'accrual', yearly_amount: 5, credit: 'yearly', carry_over_limit: 5, overtime_factor: 1 }
  const who = await person({ ...policy, overtime_months: 3 }, {}, HIRED)
  await approved(who.id, '2036-10-02', 960)
  assert.deepEqual(
    (await movementsOf(who, 2037)).map(({ date, reason, amount }: any) => [date, reason, amount]),
    [
      ['2037-01-01', 'credit', 5],
      ['2037-01-02', 'overtime_expired', -2],
    ],
  )
  const changed = await person({ ...policy, yearly_amount: 24, overtime_months: 1 }, {}, HIRED)
  await approved(changed.id, '2036-06-20', 480)
  const less = { yearly_amount: 12, effective_from: '2036-07-01' }
  assert.equal((await service.put(`/leave_policies/${changed.policyId}`, less)).status, 200)
  assert.deepEqual(
    (await movementsOf(changed)).map(({ date, reason, amount }: any) => [date, reason, amount]),
    [
      ['2036-01-01', 'credit', 24],
      ['2036-06-20', 'overtime', 1],
      ['2036-07-01', 'recalculation', -6],
      ['2036-07-20', 'overtime_expired', -1],
    ],
  )
})

test('overtime above the maximum balance is lost, and does not lower what the year gives', async () => {
  const policy = { type: 'accrual', yearly_amount: 24, credit: 'yearly', maximum_balance: 24, overtime_factor: 1 }
  const who = await person(policy, {}, HIRED)
  await approved(who.id, '2036-06-10', 480)
  const { balance: now, this_year } = (await service.get(`/employees/${who.id}/leave_balances`)).body.data[0]
  assert.deepEqual([now, this_year.entitled, this_year.overtime], [24, 24, 0])
})
