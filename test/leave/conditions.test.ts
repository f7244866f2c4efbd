import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { daysAfter, daysFrom, monthsAfter } from '../../src/engine/day.ts'
import { chances, SEED } from '../chance.ts'
import { type Answer, type Service, startService } from '../harness.ts'
import { rounds } from '../thorough.ts'
import { leaveOf } from './on-leave.ts'

/** A Monday. */
const TODAY = '2036-06-16'
let service: Service
before(async () => {
  service = await startService({ clock: () => new Date(`${TODAY}T12:00:00Z`) })
})
after(() => service.stop())
const { person, ask } = leaveOf(() => service)

/** Somebody whose leave has no balance, under these conditions. */
const under = (conditions: Record<string, unknown>, employee: Record<string, unknown> = { hired_on: '2036-02-15' }) =>
  person({ type: 'external', ...conditions }, {}, employee)
const codes = ({ status, body }: Answer): [string, string][] =>
  status === 201 ? [] : (body.errors ?? []).map(({ field, code }: any) => [field, code])
const message = ({ body }: Answer): string => body.errors[0].message
const done = (answer: Answer) => {
  assert.ok(answer.status < 300, answer.text)
  return answer.body?.data
}

describe('a condition refuses a request and says when or how much leave is possible', () => {
  const refuses = async (
    conditions: Record<string, unknown>,
    request: [string, string, Record<string, unknown>?],
    [field, code]: [string, string],
    says: RegExp,
    possible: [string, string, Record<string, unknown>?],
    employee?: Record<string, unknown>,
  ) => {
    const who = await under(conditions, employee)
    const refused = await ask(who, ...request)
    assert.deepEqual(codes(refused), [[field, code]], refused.text)
    assert.match(message(refused), says)
    const { body } = await service.get(`/leave_requests?employee_id=${who.id}`)
    assert.equal(body.data.length, 0, 'nothing is stored')
    assert.deepEqual(codes(await ask(who, ...possible)), [])
  }

  test('a waiting period in months, weeks or days after the hiring', async () => {
    const field: [string, string] = ['starts_on', 'waiting_period']
    await refuses({ waiting_period: 6 }, ['2036-08-14', '2036-08-14'], field, /from 2036-08-15 on/, [
      '2036-08-15',
      '2036-08-15',
    ])
    const weeks = { waiting_period: 3, waiting_period_unit: 'weeks' }
    const start = { hired_on: '2036-06-16' }
    await refuses(weeks, ['2036-07-04', '2036-07-04'], field, /from 2036-07-07 on/, ['2036-07-07', '2036-07-07'], start)
    const days = { waiting_period: 1, waiting_period_unit: 'days' }
    await refuses(days, ['2036-06-16', '2036-06-16'], field, /from 2036-06-17 on/, ['2036-06-17', '2036-06-17'], start)
  })

  test('the waiting period starts again with each employment', async () => {
    const who = await under({ waiting_period: 2 }, { hired_on: '2034-01-01' })
    done(await service.post(`/employees/${who.id}/terminate`, { effective_from: '2036-05-01' }))
    done(await service.post(`/employees/${who.id}/rehire`, { hired_on: '2036-06-02' }))
    assert.deepEqual(codes(await ask(who, '2036-08-01', '2036-08-01')), [['starts_on', 'waiting_period']])
    assert.deepEqual(codes(await ask(who, '2036-08-04', '2036-08-04')), [])
    assert.deepEqual(codes(await ask(who, '2036-03-03', '2036-03-03')), [], 'in the former employment')
  })

  test('probation', () =>
    refuses(
      { allowed_in_probation: false },
      ['2036-08-29', '2036-09-01'],
      ['starts_on', 'in_probation'],
      /from 2036-09-01 on/,
      ['2036-09-01', '2036-09-01'],
      { hired_on: '2036-03-01', probation_ends_on: '2036-08-31' },
    ))

  test('notice', () =>
    refuses(
      { notice_days: 14 },
      ['2036-06-27', '2036-07-04'],
      ['starts_on', 'short_notice'],
      /14 days before .* from 2036-06-30 on/,
      ['2036-06-30', '2036-07-04'],
    ))

  test('half and whole days', async () => {
    const field: [string, string] = ['leave_request_entries', 'not_allowed']
    const of = (amount: number): [string, string, Record<string, unknown>] => [
      '2036-07-01',
      '2036-07-02',
      { leave_request_entries: [{ occurs_on: '2036-07-01', amount }] },
    ]
    await refuses({ day_amounts: 'whole_days' }, of(0.5), field, /2036-07-01 must be 1: .* whole days/, of(1))
    await refuses({ day_amounts: 'half_days' }, of(0.25), field, /must be 0.5 or 1: .* half and whole/, of(0.5))
  })

  test('a minimum and a maximum in a row', async () => {
    await refuses(
      { minimum_amount: 2 },
      ['2036-07-01', '2036-07-01'],
      ['ends_on', 'too_short'],
      /1 day of leave in a row: at least 2 days/,
      ['2036-07-01', '2036-07-02'],
    )
    await refuses(
      { maximum_amount: 5 },
      ['2036-07-04', '2036-07-11'],
      ['ends_on', 'too_long'],
      /6 days of leave in a row: at most 5 days/,
      ['2036-07-04', '2036-07-10'],
    )
  })

  test('a maximum per month and per year', async () => {
    const monthly = await under({ monthly_maximum: 2 })
    assert.deepEqual(codes(await ask(monthly, '2036-07-30', '2036-08-01')), [])
    const over = await ask(monthly, '2036-08-04', '2036-08-05')
    assert.deepEqual(codes(over), [['ends_on', 'monthly_maximum']])
    assert.match(message(over), /3 days in 2036-08: at most 2 days .* 1 day is left/)
    const yearly = await under({ yearly_maximum: 3 })
    assert.deepEqual(codes(await ask(yearly, '2036-12-30', '2037-01-02')), [])
    assert.deepEqual(codes(await ask(yearly, '2036-07-01', '2036-07-02')), [['ends_on', 'yearly_maximum']])
    assert.deepEqual(codes(await ask(yearly, '2036-07-01', '2036-07-01')), [])
  })

  test('all unmet conditions are named at once', async () => {
    const who = await under({ waiting_period: 9, notice_days: 30, minimum_amount: 3 })
    assert.deepEqual(codes(await ask(who, '2036-06-17', '2036-06-17')), [
      ['starts_on', 'waiting_period'],
      ['starts_on', 'short_notice'],
      ['ends_on', 'too_short'],
    ])
  })
})

test('leave in a row counts as one, however many requests it has, and across weekends and holidays', async () => {
  const policy = await service.make('/holiday_policies', { name: 'Row', country_code: 'AQ' })
  await service.make('/holidays', { holiday_policy_id: policy.id, name: 'Free', occurs_on: '2036-07-07' })
  const location = await service.make('/locations', { name: 'Row', holiday_policy_id: policy.id })
  const who = await under({ maximum_amount: 5 }, { hired_on: '2036-01-01', location_id: location.id })
  assert.deepEqual(codes(await ask(who, '2036-07-02', '2036-07-04')), [])
  const long = await ask(who, '2036-07-08', '2036-07-10')
  assert.deepEqual(codes(long), [['ends_on', 'too_long']])
  assert.match(message(long), /6 days of leave in a row, together with the leave directly before or after it/)
  assert.deepEqual(codes(await ask(who, '2036-07-09', '2036-07-11')), [], 'a working day lies between')
  assert.deepEqual(codes(await ask(who, '2036-07-08', '2036-07-08')), [['ends_on', 'too_long']], 'it would join both')
})

test('an exception needs a permission and a reason, is in the history, and does not touch the balance', async () => {
  const who = await person({ notice_days: 30, floor: -1 }, {}, { hired_on: '2036-02-15' })
  const reason = { override_reason: 'Funeral' }
  const manager = await service.keyWith({ permissions: ['leave:read', 'leave:request', 'leave:approve'] })
  const hr = await service.keyWith({ permissions: ['leave:read', 'leave:request', 'leave:override'] })
  const { key: own } = await service.make('/api_keys', { name: 'Own', employee_id: who.id, permissions: ['*'] })
  const body = { employee_id: who.id, leave_type_id: who.leave_type_id, starts_on: '2036-06-17', ...reason }
  const post = (key: string, ends_on: string) => service.post('/leave_requests', { ...body, ends_on }, { key })
  assert.equal((await post(manager, '2036-06-17')).status, 403)
  assert.equal((await post(own, '2036-06-17')).status, 403, 'nobody allows it to themselves')
  assert.deepEqual(codes(await post(hr, '2036-06-18')), [['ends_on', 'balance']])
  const made = done(await post(hr, '2036-06-17'))
  assert.equal(made.override_reason, 'Funeral')
  const history = (await service.get(`/leave_requests/${made.id}/history`)).body.data
  assert.ok(JSON.stringify(history).includes('Funeral'))
  const taken = await service.put(`/leave_requests/${made.id}`, { override_reason: 'Other' }, { key: manager })
  assert.equal(taken.status, 403)
  const said = await service.put(`/leave_requests/${made.id}`, { comment: 'Thanks' }, { key: manager })
  assert.equal(said.status, 200, said.text)
})

test('long leave is approved only with an attachment, and requests in a row count together', async () => {
  const who = await under({ attachment_from_day: 4 })
  const approve = ({ id }: { id: number }) => service.post(`/leave_requests/${id}/approve`)
  const first = done(await ask(who, '2036-06-17', '2036-06-19'))
  const second = done(await ask(who, '2036-06-20', '2036-06-20'))
  assert.deepEqual(codes(await approve(first)), [['attachments', 'required']])
  const refused = await approve(second)
  assert.deepEqual(codes(refused), [['attachments', 'required']])
  assert.match(message(refused), /lasts 4 days in a row, and from day 4 on/)
  const attachment = 'data:text/plain;base64,aGVsbG8='
  done(await service.put(`/leave_requests/${second.id}`, { attachment }))
  assert.equal((await approve(second)).status, 200)
  const apart = done(await ask(who, '2036-07-01', '2036-07-03'))
  assert.equal((await approve(apart)).status, 200, 'three days need none')
  const at = { skip_approval: true }
  assert.deepEqual(codes(await ask(who, '2036-08-04', '2036-08-07', at)), [['attachments', 'required']])
  assert.deepEqual(codes(await ask(who, '2036-08-04', '2036-08-07', { ...at, attachment })), [])
  assert.deepEqual(codes(await ask(who, '2036-09-01', '2036-09-04', { ...at, override_reason: 'Known to HR' })), [])
})

test('blocked periods apply to a leave type, a department with those below it, or a location, by the job of the day', async () => {
  const shop = await service.make('/departments', { name: 'Shop' })
  const till = await service.make('/departments', { name: 'Till', parent_id: shop.id })
  const office = await service.make('/departments', { name: 'Office' })
  const place = await service.make('/locations', { name: 'Station' })
  const who = await under({}, { hired_on: '2036-01-01', department_id: till.id })
  await service.make(`/employees/${who.id}/positions`, {
    effective_from: '2036-12-20',
    announced_on: '2036-06-01',
    department_id: office.id,
  })
  const period = { name: 'Christmas', starts_on: '2036-12-15', ends_on: '2036-12-31' }
  const blocked = await service.make('/blocked_periods', { ...period, department_id: shop.id })
  const refused = await ask(who, '2036-12-12', '2036-12-22')
  assert.deepEqual(codes(refused), [['starts_on', 'blocked']])
  assert.match(message(refused), /2036-12-15: no leave .* from 2036-12-15 until 2036-12-31 \(Christmas\)/)
  assert.deepEqual(codes(await ask(who, '2036-12-22', '2036-12-23')), [], 'they work in the office by then')
  const wrong = await service.put(`/blocked_periods/${blocked.id}`, { ends_on: '2036-12-01' })
  assert.deepEqual(codes(wrong), [['ends_on', 'too_early']])
  done(await service.put(`/blocked_periods/${blocked.id}`, { department_id: null, location_id: place.id }))
  assert.deepEqual(codes(await ask(who, '2036-12-15', '2036-12-15')), [])
  done(await service.put(`/blocked_periods/${blocked.id}`, { location_id: null, leave_type_id: who.leave_type_id }))
  assert.deepEqual(codes(await ask(who, '2036-12-16', '2036-12-16')), [['starts_on', 'blocked']])
  const other = await under({})
  assert.deepEqual(codes(await ask(other, '2036-12-16', '2036-12-16')), [])
  assert.equal((await service.delete(`/departments/${shop.id}`)).status, 409, 'it has a department below it')
})

test('a policy with eligible groups is for people who match all fields of one of them', async () => {
  const place = await service.make('/locations', { name: 'Warsaw' })
  const gender = await service.make('/genders', { name: 'Eligible' })
  const type = await service.make('/employment_types', { name: 'Permanent' })
  const who = await under({}, { hired_on: '2036-01-01', location_id: place.id })
  const groups = `/leave_policies/${who.policyId}/eligible_groups`
  await service.make(groups, { location_id: place.id, gender_id: gender.id })
  const refused = await ask(who, '2036-07-01', '2036-07-01')
  assert.deepEqual(codes(refused), [['leave_type_id', 'not_eligible']])
  done(await service.put(`/employees/${who.id}`, { gender_id: gender.id }))
  assert.deepEqual(codes(await ask(who, '2036-07-01', '2036-07-01')), [])
  const assignTo = async (employee: object) => {
    const { id } = await service.hire({ hired_on: '2036-01-01', ...employee })
    const assignment = { leave_type_id: who.leave_type_id, leave_type_policy_id: who.policyId }
    return codes(await service.post(`/employees/${id}/leave_types`, { ...assignment, effective_on: '2036-03-01' }))
  }
  const not = [['leave_type_policy_id', 'not_eligible']]
  assert.deepEqual(await assignTo({ location_id: place.id }), not)
  assert.deepEqual(await assignTo({ employment_type_id: type.id }), not)
  await service.make(groups, { employment_type_id: type.id })
  assert.deepEqual(await assignTo({ employment_type_id: type.id }), [])
})

test('conditions apply from the first day of their terms, also to leave that is not approved yet', async () => {
  const who = await under({})
  const kept = done(await ask(who, '2036-09-01', '2036-09-10'))
  done(await service.put(`/leave_policies/${who.policyId}`, { effective_from: '2036-09-01', maximum_amount: 3 }))
  assert.deepEqual(codes(await ask(who, '2036-08-18', '2036-08-22')), [])
  assert.deepEqual(codes(await ask(who, '2036-10-06', '2036-10-10')), [['ends_on', 'too_long']])
  const approve = () => service.post(`/leave_requests/${kept.id}/approve`)
  assert.deepEqual(codes(await approve()), [['ends_on', 'too_long']], 'what is not approved yet needs an exception now')
  done(await service.put(`/leave_requests/${kept.id}`, { override_reason: 'Requested before' }))
  assert.equal((await approve()).status, 200)
  const wrong = await service.put(`/leave_policies/${who.policyId}`, { minimum_amount: 4 })
  assert.deepEqual(codes(wrong), [['maximum_amount', 'too_small']], 'the terms from September inherit it')
  assert.match(wrong.body.errors[0].message, /also in the terms from 2036-09-01/)
  const crossed = await service.put(`/leave_policies/${who.policyId}`, {
    effective_from: '2036-09-01',
    minimum_amount: 4,
  })
  assert.deepEqual(codes(crossed), [['maximum_amount', 'too_small']])
  const unpaid = await service.put(`/leave_policies/${who.policyId}`, {
    activity_type: 'not_working_unpaid',
    paid_percentage: 50,
  })
  assert.deepEqual(codes(unpaid), [['paid_percentage', 'mismatch']])
})

test('an undo does not lead past a limit that other requests have used since', async () => {
  const who = await under({ monthly_maximum: 2 })
  const first = done(await ask(who, '2036-07-01', '2036-07-02'))
  const withdrawn = await service.post(`/leave_requests/${first.id}/withdraw`)
  done(await ask(who, '2036-07-07', '2036-07-08'))
  const undo = await service.post(`/requests/${withdrawn.headers.get('x-request-id')}/undo`)
  assert.equal(undo.status, 422, undo.text)
  assert.deepEqual(codes(undo), [['ends_on', 'monthly_maximum']])
})

describe('a condition cannot be avoided', () => {
  const approve = ({ id }: { id: number }) => service.post(`/leave_requests/${id}/approve`)
  const undo = ({ headers }: Answer) => service.post(`/requests/${headers.get('x-request-id')}/undo`)
  const entry = (occurs_on: string, amount: number) => ({ leave_request_entries: [{ occurs_on, amount }] })

  test('by a first day under earlier terms', async () => {
    const who = await under({})
    const later = { effective_from: '2036-09-01', maximum_amount: 2, notice_days: 100, attachment_from_day: 1 }
    done(await service.put(`/leave_policies/${who.policyId}`, later))
    const both = [
      ['starts_on', 'short_notice'],
      ['ends_on', 'too_long'],
    ]
    assert.deepEqual(codes(await ask(who, '2036-08-29', '2036-09-12', entry('2036-08-29', 0))), both)
    assert.deepEqual(codes(await ask(who, '2036-08-29', '2036-09-12', entry('2036-08-29', 0.5))), both)
    assert.deepEqual(codes(await ask(who, '2036-08-30', '2036-09-12')), both, 'from a Saturday')
  })

  test('by an exception for other days, and only somebody who may allow exceptions takes one back', async () => {
    const who = await under({ notice_days: 30, maximum_amount: 2 })
    const employee = await service.keyWith({ permissions: ['leave:read', 'leave:request'] })
    const made = done(await ask(who, '2036-06-17', '2036-06-17', { override_reason: 'Funeral' }))
    const change = (values: object, key = service.key) => service.put(`/leave_requests/${made.id}`, values, { key })
    assert.equal((await change({ ends_on: '2036-08-29' }, employee)).status, 403)
    assert.equal((await change({ override_reason: null }, employee)).status, 403)
    assert.equal((await change({ override_reason: null })).status, 200)
    assert.equal((await service.get(`/leave_requests/${made.id}`)).body.data.override_reason, null)
  })

  test('by an exception that is taken back while its limits are passed', async () => {
    const who = await under({ maximum_amount: 2 })
    const made = done(await ask(who, '2036-07-07', '2036-07-11', { override_reason: 'Wedding' }))
    assert.deepEqual(codes(await service.put(`/leave_requests/${made.id}`, { override_reason: null })), [
      ['ends_on', 'too_long'],
    ])
    assert.equal((await approve(made)).status, 200)
  })

  test('by weekends between requests under a policy of calendar days', async () => {
    const who = await under({ counted_as: 'calendar_days', maximum_amount: 7, attachment_from_day: 8 })
    assert.deepEqual(codes(await ask(who, '2036-07-07', '2036-07-11')), [])
    assert.deepEqual(codes(await ask(who, '2036-07-14', '2036-07-18')), [['ends_on', 'too_long']])
  })

  test('by days that are left out of one request', async () => {
    const who = await under({ minimum_amount: 3, maximum_amount: 5 })
    const mondays = ['07-08', '07-09', '07-10', '07-11'].map((day) => ({ occurs_on: `2036-${day}`, amount: 0 }))
    const single = await ask(who, '2036-07-07', '2036-07-14', { leave_request_entries: mondays })
    assert.deepEqual(codes(single), [['ends_on', 'too_short']])
    assert.deepEqual(codes(await ask(who, '2036-08-04', '2036-08-15', entry('2036-08-11', 0))), [], '5 and 4 days')
  })

  test('by an undo into a blocked period, or of a file that was needed', async () => {
    const who = await under({ attachment_from_day: 1 })
    const attachment = 'data:text/plain;base64,aGVsbG8='
    const made = done(await ask(who, '2036-10-06', '2036-10-07', { attachment, skip_approval: true }))
    const [file] = made.attachments
    const remove = () => service.delete(`/leave_requests/${made.id}/attachments/${file.id}`)
    assert.equal((await remove()).status, 422, 'approved leave keeps the file that it needs')
    const withdrawn = await service.post(`/leave_requests/${made.id}/withdraw`)
    await service.make('/blocked_periods', { name: 'Fair', starts_on: '2036-10-07', ends_on: '2036-10-09' })
    assert.deepEqual(codes(await undo(withdrawn)), [['starts_on', 'blocked']])
  })
})

test('what was asked for in time can be shortened later', async () => {
  let today = new Date('2036-06-16T12:00:00Z')
  const own = await startService({ clock: () => today })
  try {
    const { person, ask } = leaveOf(() => own)
    const who = await person({ type: 'external', notice_days: 14 })
    const made = done(await ask(who, '2036-06-30', '2036-07-04'))
    today = new Date('2036-06-24T12:00:00Z')
    done(await own.put(`/leave_requests/${made.id}`, { ends_on: '2036-07-03' }))
    const longer = await own.put(`/leave_requests/${made.id}`, { ends_on: '2036-07-07' })
    assert.deepEqual(codes(longer), [['starts_on', 'short_notice']])
  } finally {
    await own.stop()
  }
})

test('the day that a refusal names is possible, also under the terms of that day', async () => {
  const who = await under({ waiting_period: 6, notice_days: 10 }, { hired_on: '2036-02-15' })
  done(await service.put(`/leave_policies/${who.policyId}`, { effective_from: '2036-08-01', waiting_period: 9 }))
  const refused = await ask(who, '2036-07-15', '2036-07-15')
  assert.match(message(refused), /from 2036-11-15 on/)
  assert.deepEqual(codes(await ask(who, '2036-11-17', '2036-11-17')), [])
})

describe('random requests', () => {
  const isWeekend = (day: string) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())

  test('meet the same conditions as a model that looks at every day', async () => {
    const chance = chances(SEED)
    const maybe = <T>(value: T) => (chance.is(0.5) ? value : null)
    for (let round = 0; round < rounds(12, 150); round++) {
      const hiredOn = daysAfter('2036-01-01', chance.below(150))
      const conditions = {
        waiting_period: maybe(1 + chance.below(3)),
        notice_days: maybe(1 + chance.below(20)),
        minimum_amount: maybe(1 + chance.below(3)),
        maximum_amount: maybe(3 + chance.below(5)),
        monthly_maximum: maybe(4 + chance.below(6)),
        yearly_maximum: maybe(8 + chance.below(10)),
      }
      const who = await under(conditions, { hired_on: hiredOn })
      const taken = new Set<string>()
      for (let n = 0; n < rounds(12, 25); n++) {
        const starts = daysAfter('2036-06-16', chance.below(80))
        const days = daysFrom(starts, daysAfter(starts, chance.below(10)))
        const own = days.filter((day) => !isWeekend(day))
        if (own.length === 0 || own.some((day) => taken.has(day))) continue
        const [first] = own as [string]
        const all = new Set([...taken, ...own])
        const isOff = (day: string) => isWeekend(day) || all.has(day)
        let [from, to] = [first, own.at(-1) as string]
        while (isOff(daysAfter(from, -1))) from = daysAfter(from, -1)
        while (isOff(daysAfter(to, 1))) to = daysAfter(to, 1)
        const row = daysFrom(from, to).filter((day) => all.has(day)).length
        const isOver = (most: number | null, size: number) =>
          most !== null && own.some((day) => [...all].filter((one) => one.startsWith(day.slice(0, size))).length > most)
        const { waiting_period: months, notice_days: notice } = conditions
        const expected = [
          months !== null && first < monthsAfter(hiredOn, months) ? 'waiting_period' : [],
          notice !== null && first < daysAfter(TODAY, notice) ? 'short_notice' : [],
          conditions.minimum_amount !== null && row < conditions.minimum_amount ? 'too_short' : [],
          conditions.maximum_amount !== null && row > conditions.maximum_amount ? 'too_long' : [],
          isOver(conditions.monthly_maximum, 7) ? 'monthly_maximum' : [],
          isOver(conditions.yearly_maximum, 4) ? 'yearly_maximum' : [],
        ].flat()
        const answer = await ask(who, starts, days.at(-1) as string)
        assert.deepEqual(
          codes(answer).map(([, code]) => code),
          expected,
          JSON.stringify({ hiredOn, conditions, starts, ends: days.at(-1), taken: [...taken] }),
        )
        if (expected.length === 0) for (const day of own) taken.add(day)
      }
    }
  })
})
