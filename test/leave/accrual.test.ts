import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Service, startService } from '../harness.ts'
import { approvedWork, HIRED, leaveOf } from './on-leave.ts'

/** Steps by age, leave by pay period, and leave for hours worked. */

let service: Service
before(async () => {
  service = await startService({ clock: () => new Date('2036-06-16T12:00:00Z') })
})
after(() => service.stop())

const { person, ask, balance, movementsOf } = leaveOf(() => service)

const monthly = (yearly_amount: number, more: object = {}) => ({
  ...{ type: 'accrual', yearly_amount, credit: 'monthly' },
  ...more,
})
const BY_HOURS = { type: 'accrual', credit: 'hours_worked', hours_worked_percentage: 10 }
const IN_HOURS = { unit: 'hours' }
const SWISS = monthly(25, { age_steps: [{ age: 20, yearly_amount: 20 }] })

const balanceFor = async (id: number, key: string, day = '2036-12-31') => {
  const { body, text } = await service.get(`/employees/${id}/leave_balances?as_of=${day}`, { key })
  assert.ok(body.data?.[0], text)
  return body.data[0].balance
}

test('terms of accrual that do not fit together are refused at their field', async () => {
  const { id: leave_type_id } = await service.make('/leave_types', { name: 'Refused' })
  const refused: [Record<string, unknown>, string, string, RegExp][] = [
    [{ credit: 'weekly' }, 'pay_period_starts_on', 'required', /credit is weekly: the first day of any pay period/],
    [{ credit: 'every_two_weeks' }, 'pay_period_starts_on', 'required', /credit is every_two_weeks/],
    [{ credit: 'hours_worked' }, 'hours_worked_percentage', 'required', /credit is hours_worked/],
    [{ credit: 'hours_worked', hours_worked_percentage: 0 }, 'hours_worked_percentage', 'out_of_range', /0\.0001/],
    [{ credit: 'hours_worked', hours_worked_percentage: 101 }, 'hours_worked_percentage', 'out_of_range', /100/],
    [
      { credit: 'twice_a_month', proration: 'half_months' },
      'proration',
      'mismatch',
      /started_months, full_months or by_day/,
    ],
    [{ credit: 'twice_a_month', proration: 'fifteen_days' }, 'proration', 'mismatch', /credit is twice_a_month/],
    [{ credit: 'twice_a_month', yearly_amount: null }, 'yearly_amount', 'required', /unless credit is hours_worked/],
    [{ age_steps: [{ age: 0, yearly_amount: 5 }] }, 'age_steps', 'too_small', /age/],
    [
      {
        age_steps: [
          { age: 50, yearly_amount: 5 },
          { age: 50, yearly_amount: 6 },
        ],
      },
      ...(['age_steps', 'repeated', /the same age twice/] as const),
    ],
  ]
  for (const [more, field, code, message] of refused) {
    const { status, body, text } = await service.post('/leave_policies', {
      ...{ name: 'Refused', leave_type_id, ...monthly(20), ...more },
    })
    const [error] = body.errors ?? []
    assert.deepEqual([status, error?.code], [422, code], text)
    assert.ok(error.field.startsWith(field) && message.test(error.message), text)
  }
  // Later terms inherit what they do not set, and are checked as a whole.
  const { id } = await service.make('/leave_policies', { name: 'Checked', leave_type_id, ...monthly(20) })
  const later = { effective_from: '2037-01-01', credit: 'hours_worked' }
  const { status, body } = await service.post(`/leave_policies/${id}/terms`, later)
  assert.deepEqual([status, body.errors[0].field], [422, 'hours_worked_percentage'])
  const policy = await service.make('/leave_policies', { name: 'Unlimited', leave_type_id, ...BY_HOURS })
  assert.deepEqual(
    [policy.yearly_amount, policy.age_steps, policy.age_steps_from, policy.pay_period_starts_on],
    [null, [], 'start_of_month', null],
  )
})

describe('steps by age', () => {
  test('give the same balance to callers who cannot see dates of birth, and tell them nothing more', async () => {
    const who = await person(SWISS, {}, { ...HIRED, date_of_birth: '2016-07-01' })
    const { key } = await service.make('/api_keys', { name: 'Impersonal', permissions: ['*'], withheld: ['personal'] })
    const { key: narrow } = await service.make('/api_keys', { name: 'Leave', permissions: ['leave:read'] })
    const shown = (await service.get(`/employees/${who.id}`, { key })).body.data
    assert.equal(shown.date_of_birth, undefined)
    assert.equal(await balance(who.id, '2036-12-31'), 22.5)
    const role = await service.make('/roles', {
      name: 'Planner',
      grants: [{ scope: 'everybody', permissions: ['leave:read', 'employees:read'], withheld: ['personal'] }],
    })
    const planner = await service.make('/employees', { first_name: 'Plan', last_name: 'Er', ...HIRED })
    const { key: scoped } = await service.make('/api_keys', {
      ...{ name: 'Planner', permissions: ['*'], employee_id: planner.id, role_ids: [role.id] },
    })
    for (const one of [key, narrow, scoped]) assert.equal(await balanceFor(who.id, one), 22.5)
    const path = `/employees/${who.id}/leave_balances/${who.leave_type_id}/statement`
    const [own, others] = [await service.get(path), await service.get(path, { key: narrow })]
    assert.deepEqual(others.body, own.body)
    assert.ok(!others.text.includes('2016-07-01'))
  })

  test('follow a corrected date of birth, also for days that have passed', async () => {
    const who = await person(SWISS, {}, { ...HIRED, date_of_birth: '2016-07-01' })
    assert.equal(await balance(who.id, '2036-06-30'), 12.5)
    const corrected = await service.put(`/employees/${who.id}`, { date_of_birth: '2015-04-01' })
    assert.equal(corrected.status, 200, corrected.text)
    assert.equal(await balance(who.id, '2036-06-30'), 10)
    assert.equal((await service.put(`/employees/${who.id}`, { date_of_birth: null })).status, 200)
    assert.equal(await balance(who.id, '2036-06-30'), 12.5)
  })

  test('apply from the month or year of the birthday, or the next month; of tenure and age, the higher amount applies', async () => {
    const steps = { age_steps: [{ age: 50, yearly_amount: 36 }], proration: 'by_day' }
    const at = async (from: string, more: object = {}) => {
      const who = await person(
        monthly(24, { ...steps, age_steps_from: from, ...more }),
        {},
        {
          ...{ ...HIRED, date_of_birth: '1986-04-16' },
        },
      )
      return balance(who.id, '2036-12-31')
    }
    assert.deepEqual(
      [await at('start_of_next_month'), await at('start_of_month'), await at('start_of_year')],
      [32, 33, 36],
    )
    const tenure = [{ years: 3, yearly_amount: 30 }]
    assert.equal(await at('start_of_year', { tenure_steps: tenure }), 36)
    assert.equal(await at('start_of_year', { tenure_steps: [{ years: 3, yearly_amount: 48 }] }), 48)
    const unborn = await person(monthly(24, { ...steps, tenure_steps: tenure }), {}, HIRED)
    assert.equal(await balance(unborn.id, '2036-12-31'), 30)
  })

  test('of people born on 29 February apply from February in other years', async () => {
    const steps = { age_steps: [{ age: 21, yearly_amount: 12 }] }
    const who = await person(monthly(0, steps), {}, { ...HIRED, date_of_birth: '2016-02-29' })
    assert.deepEqual([await balance(who.id, '2037-01-31'), await balance(who.id, '2037-02-01')], [0, 1])
  })

  test('can neither be set nor tried by callers who cannot see dates of birth', async () => {
    const who = await person(SWISS, {}, { ...HIRED, date_of_birth: '1996-07-15' })
    const { key } = await service.make('/api_keys', { name: 'No ages', permissions: ['*'], withheld: ['personal'] })
    const grants = [{ scope: 'everybody', permissions: ['leave:*', 'employees:read'], withheld: ['personal'] }]
    const role = await service.make('/roles', { name: 'Leave without ages', grants })
    const { id } = await service.make('/employees', { first_name: 'No', last_name: 'Ages', ...HIRED })
    const { key: scoped } = await service.make('/api_keys', {
      ...{ name: 'No ages either', permissions: ['*'], employee_id: id, role_ids: [role.id] },
    })
    const path = `/leave_policies/${who.policyId}`
    const steps = { age_steps: [{ age: 40, yearly_amount: 4000 }] }
    for (const one of [key, scoped])
      for (const prefer of ['dry-run', 'return=representation']) {
        const sending = { key: one, headers: { prefer } }
        assert.equal((await service.put(path, steps, sending)).status, 403)
        const later = { effective_from: '2037-01-01', age_steps_from: 'start_of_year' }
        assert.equal((await service.post(`${path}/terms`, later, sending)).status, 403)
      }
    // What they change otherwise keeps the steps.
    const changed = { yearly_amount: 26, effective_from: '2036-06-01' }
    assert.equal((await service.put(path, changed, { key: scoped })).status, 200)
    const terms = (await service.get(`${path}/terms`)).body.data
    assert.deepEqual(
      terms.map((one: any) => one.age_steps.length),
      [1, 1],
    )
  })

  test('show in the dry run of a policy', async () => {
    const who = await person(monthly(25), {}, { ...HIRED, date_of_birth: '2010-01-01' })
    const steps = { age_steps: [{ age: 20, yearly_amount: 20 }] }
    const dry = { headers: { prefer: 'dry-run' } }
    const { effects } = (await service.put(`/leave_policies/${who.policyId}`, steps, dry)).body
    assert.deepEqual(
      effects.people.map((one: any) => [one.year, one.entitled_before, one.entitled_after]),
      [
        [2036, 25, 22.5],
        [2037, 25, 20],
      ],
    )
  })
})

describe('leave by pay period', () => {
  test('is credited at the start or end of each period, and a year gives exactly the yearly amount', async () => {
    const twice = await person(monthly(24, { credit: 'twice_a_month' }), {}, HIRED)
    assert.deepEqual(
      (await movementsOf(twice)).slice(0, 3).map(({ date, reason, amount }: any) => [date, reason, amount]),
      [
        ['2036-01-01', 'credit', 1],
        ['2036-01-16', 'credit', 1],
        ['2036-02-01', 'credit', 1],
      ],
    )
    const weekly = { credit: 'weekly', pay_period_starts_on: '2030-01-07', proration: 'by_day' }
    const atEnd = await person(monthly(10, { ...weekly, credit_at: 'end_of_period' }), {}, HIRED)
    const ends = await movementsOf(atEnd)
    assert.deepEqual([ends[0].date, ends.at(-1).date, ends.length], ['2036-01-06', '2036-12-28', 52])
    // The first week began in the year before the assignment: six of its seven days count.
    assert.equal(await balance(atEnd.id, '2036-12-31'), 9.9725)
    assert.equal(await balance(atEnd.id, '2037-12-31'), 19.9725)
  })

  test('of somebody hired on 1 January is not more than the yearly amount, and follows a change with the next pay period', async () => {
    const weekly = { credit: 'weekly', pay_period_starts_on: '2036-01-07' }
    const first = await person(monthly(27, { ...weekly, rounding: 'up' }), {}, { hired_on: '2036-01-01' })
    assert.deepEqual([await balance(first.id, '2036-12-31'), await balance(first.id, '2037-12-31')], [27, 54])
    const who = await person(monthly(52, weekly), {}, HIRED)
    const changed = { yearly_amount: 104, effective_from: '2036-02-12' }
    assert.equal((await service.put(`/leave_policies/${who.policyId}`, changed)).status, 200)
    const credits = (await movementsOf(who)).filter(({ date }: any) => date >= '2036-02-05' && date <= '2036-02-29')
    assert.deepEqual(
      credits.map(({ date, amount }: any) => [date, amount]),
      [
        ['2036-02-11', 1],
        ['2036-02-18', 2],
        ['2036-02-25', 2],
      ],
    )
  })

  test('is checked in later terms too, which inherit it', async () => {
    const who = await person(monthly(52), {}, HIRED)
    const path = `/leave_policies/${who.policyId}`
    const change = (values: object) => service.put(path, values)
    assert.equal((await change({ proration: 'half_months', effective_from: '2037-01-01' })).status, 200)
    const refused = await change({ credit: 'twice_a_month', effective_from: '2036-12-01' })
    assert.deepEqual([refused.status, refused.body.errors[0].field], [422, 'proration'])
    assert.match(refused.body.errors[0].message, /also in the terms from 2037-01-01/)
    assert.equal((await service.get(`${path}/terms`)).body.data.length, 2)
  })

  test('changes with the terms of months: a pay period counts only with its days in them', async () => {
    const who = await person(monthly(12), {}, HIRED)
    const change = await service.put(`/leave_policies/${who.policyId}`, {
      ...{ credit: 'every_two_weeks', pay_period_starts_on: '2036-06-23', effective_from: '2036-07-01' },
    })
    assert.equal(change.status, 200, change.text)
    const movements = (await movementsOf(who)).filter(({ date }: any) => date >= '2036-06-01')
    assert.deepEqual(
      movements.slice(0, 3).map(({ date, amount }: any) => [date, amount]),
      [
        ['2036-06-01', 1],
        // 6 of 14 days, and the year has 26 pay periods.
        ['2036-07-01', 0.1978],
        ['2036-07-07', 0.4615],
      ],
    )
  })

  test('of a period across two years stays as it was credited in the first', async () => {
    const steps = { tenure_steps: [{ years: 7, yearly_amount: 52 }], proration: 'full_months' }
    const policy = monthly(26, { ...steps, credit: 'every_two_weeks', pay_period_starts_on: '2036-12-22' })
    const who = await person(policy, {}, { hired_on: '2030-01-01' })
    const [last] = (await movementsOf(who)).slice(-1)
    assert.deepEqual([last.date, last.amount], ['2036-12-22', 1])
    const [first] = await movementsOf(who, 2037)
    assert.deepEqual([first.date, first.reason, first.amount], ['2037-01-05', 'credit', 2])
  })
})

describe('leave for hours worked', () => {
  test('follows the approval of time, on the last day of the month', async () => {
    const who = await person(BY_HOURS, IN_HOURS, HIRED)
    const starts_at = '2036-05-05T08:00:00Z'
    const { id } = await service.make('/time/timesheet_entries', {
      ...{ employee_id: who.id, starts_at, ends_at: '2036-05-05T18:00:00Z', status: 'pending' },
    })
    const decide = async (verb: string) => {
      const answer = await service.post(`/time/timesheet_entries/${verb}`, { timesheet_entry_ids: [id] })
      assert.equal(answer.status, 200, answer.text)
      return answer.headers.get('x-request-id')
    }
    assert.equal(await balance(who.id), 0)
    await decide('reject')
    assert.equal(await balance(who.id), 0)
    await decide('submit')
    const approval = await decide('approve')
    assert.deepEqual([await balance(who.id, '2036-05-30'), await balance(who.id, '2036-05-31')], [0, 1])
    const [movement] = await movementsOf(who)
    assert.deepEqual([movement.date, movement.reason, movement.amount], ['2036-05-31', 'credit', 1])
    const { this_year } = (await service.get(`/employees/${who.id}/leave_balances`)).body.data[0]
    assert.deepEqual([this_year.entitled, this_year.accrued, this_year.available], [1, 1, 1])
    assert.equal((await service.post(`/requests/${approval}/undo`)).status, 200)
    assert.equal(await balance(who.id), 0)
  })

  test('counts working time like timesheets: without missing breaks, and nights on both days', async () => {
    const pattern = await service.make('/working_patterns', { name: 'With breaks', monday_hours: 8 })
    await service.make(`/working_patterns/${pattern.id}/time_rules`, {
      ...{ effective_from: '2030-01-01', break_deductions: [{ after_minutes: 360, break_minutes: 60 }] },
    })
    const who = await person(BY_HOURS, IN_HOURS, { ...HIRED, working_pattern_id: pattern.id })
    await approvedWork(service, who.id, '2036-03-03', 1, 11)
    assert.equal(await balance(who.id, '2036-03-31'), 1)
    const night = { starts_at: '2036-03-31T22:00:00Z', ends_at: '2036-04-01T03:00:00Z', status: 'approved' }
    await service.make('/time/timesheet_entries', { employee_id: who.id, ...night })
    assert.deepEqual([await balance(who.id, '2036-03-31'), await balance(who.id, '2036-04-30')], [1.2, 1.5])
    // Breaks and time that is not approved give nothing.
    for (const more of [{ type: 'break', status: 'approved' }, { status: 'pending' }]) {
      const day = more.type ? '2036-04-07' : '2036-04-08'
      await service.make('/time/timesheet_entries', {
        ...{ employee_id: who.id, starts_at: `${day}T08:00:00Z`, ends_at: `${day}T09:00:00Z`, ...more },
      })
    }
    assert.equal(await balance(who.id, '2036-04-30'), 1.5)
  })

  test('becomes days by the length of a full-time day, and ends at the yearly amount', async () => {
    const days = await person({ ...BY_HOURS, full_time_hours: 30, full_time_days: 4, yearly_amount: 2 }, {}, HIRED)
    await approvedWork(service, days.id, '2036-01-01', 10, 15)
    assert.equal(await balance(days.id, '2036-02-01'), 2)
    await approvedWork(service, days.id, '2036-02-01', 10, 15)
    assert.equal(await balance(days.id, '2036-03-01'), 2)
    // The next year starts anew.
    await approvedWork(service, days.id, '2037-01-01', 5, 15)
    assert.equal(await balance(days.id, '2037-01-31'), 3)
  })

  test('gives the same balance to callers without time:read', async () => {
    const who = await person(BY_HOURS, IN_HOURS, HIRED)
    await approvedWork(service, who.id, '2036-05-05', 5, 8)
    const { key } = await service.make('/api_keys', { name: 'Only leave', permissions: ['leave:read'] })
    assert.equal(await balanceFor(who.id, key, '2036-06-16'), 4)
    assert.equal((await service.get(`/time/timesheet_entries?employee_id=${who.id}`, { key })).status, 403)
  })

  test('time whose leave is taken is unapproved only by somebody who decides about leave', async () => {
    const who = await person(BY_HOURS, IN_HOURS, HIRED)
    const approval = await approvedWork(service, who.id, '2036-05-05', 10, 8)
    assert.equal((await ask(who, '2036-07-01', '2036-07-01', { skip_approval: true })).status, 201)
    const lead = await service.make('/employees', { first_name: 'Lead', last_name: 'Er', ...HIRED })
    const role = await service.make('/roles', {
      ...{
        name: 'Time',
        grants: [{ scope: 'everybody', permissions: ['time:*', 'leave:read', 'employees:read', 'audits:*'] }],
      },
    })
    const { key } = await service.make('/api_keys', {
      ...{ name: 'Time', permissions: ['*'], employee_id: lead.id, role_ids: [role.id] },
    })
    const refused = await service.post(`/requests/${approval}/undo`, {}, { key })
    assert.deepEqual([refused.status, refused.body.code], [409, 'in_use'], refused.text)
    assert.match(refused.body.message, /working time has been credited as leave/)
    assert.equal((await service.post(`/requests/${approval}/undo`)).status, 200)
    assert.equal(await balance(who.id, '2036-07-01'), -8)
  })

  test('leave does not come back by undo when the time that it was credited for is gone', async () => {
    const who = await person(BY_HOURS, IN_HOURS, HIRED)
    const approval = await approvedWork(service, who.id, '2036-05-05', 10, 8)
    const leave = await ask(who, '2036-07-01', '2036-07-01', { skip_approval: true })
    const gone = await service.post(`/leave_requests/${leave.body.data.id}/withdraw`)
    const undo = (id: string | null) => service.post(`/requests/${id}/undo`)
    assert.equal((await undo(approval)).status, 200)
    const back = await undo(gone.headers.get('x-request-id'))
    assert.deepEqual([back.status, back.body.errors?.[0]?.code], [422, 'balance'])
  })
})

test('dates of birth and working time are read only if a policy needs them, in as many statements for one person as for four', async () => {
  const { id: leave_type_id } = await service.make('/leave_types', { name: 'Counted', ...IN_HOURS })
  /** The statements of a dry run that calculates the leave of so many people before and after. */
  const statementsFor = async (terms: object, people: number) => {
    const policy = await service.make('/leave_policies', { name: `Counted ${++counted}`, leave_type_id, ...terms })
    for (let n = 0; n < people; n++) {
      const { id } = await service.make('/employees', { first_name: 'C', last_name: `${n}`, ...HIRED })
      const assigned = { leave_type_id, leave_type_policy_id: policy.id, effective_on: '2036-01-01' }
      await service.make(`/employees/${id}/leave_types`, assigned)
    }
    const statements: string[] = []
    service.onStatement = (text) => void statements.push(text)
    const dry = { headers: { prefer: 'dry-run' } }
    const tried = await service.put(`/leave_policies/${policy.id}`, { carry_over_limit: 1 }, dry)
    service.onStatement = undefined
    assert.equal(tried.status, 200, tried.text)
    return ['select "id", "date_of_birth"', 'timesheet_entries', 'time_rules'].map(
      (name) => statements.filter((text) => text.includes(name) && !text.startsWith('insert')).length,
    )
  }
  let counted = 0
  assert.deepEqual(await statementsFor(monthly(20), 1), [0, 0, 0])
  for (const [terms, expected] of [
    [SWISS, [2, 0, 0]],
    [BY_HOURS, [0, 2, 2]],
  ] as const) {
    assert.deepEqual(await statementsFor(terms, 1), expected)
    assert.deepEqual(await statementsFor(terms, 4), expected)
  }
})
