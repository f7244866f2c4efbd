import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Service, startService } from '../harness.ts'
import { approvedWork, leaveOf } from './on-leave.ts'

let service: Service
before(async () => {
  service = await startService({ clock: () => new Date('2036-06-16T12:00:00Z') })
})
after(() => service.stop())

const { person, ask, balance } = leaveOf(() => service)
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

let count = 0
/** A working pattern with so many hours on each of the first days of the week. */
async function pattern(days: number, hours = 8): Promise<number> {
  const week = Object.fromEntries(DAYS.map((day, n) => [`${day}_hours`, n < days ? hours : 0]))
  return (await service.make('/working_patterns', { name: `Pattern ${++count}`, ...week })).id
}

type Case = {
  source: string
  policy: Record<string, unknown>
  hired: string
  on: string
  expected: number
  /** Working days per week, and hours on each. */
  week?: [number, number]
  unit?: 'hours'
  born?: string
  /** Approved working time: so many days in a row, and hours on each. */
  worked?: [firstDay: string, days: number, hours: number]
}

const yearly = (yearly_amount: number, more: object = {}) => ({
  ...{ type: 'accrual', yearly_amount, credit: 'yearly' },
  ...more,
})
const monthly = (yearly_amount: number, more: object = {}) => yearly(yearly_amount, { credit: 'monthly', ...more })
// Germany: a twelfth for each full month; a fraction of at least half a day is rounded up.
const GERMAN = { proration: 'full_months', rounding: 'nearest', part_time: 'by_days' }

const BY_HOURS = { type: 'accrual', credit: 'hours_worked' }

const PUBLISHED: Case[] = [
  // Bundesurlaubsgesetz § 5: hired on 1 September, four of twelve months.
  ...([30, 28, 25, 23] as const).map((amount, n) => ({
    ...{ source: `BUrlG § 5, ${amount} days`, policy: yearly(amount, GERMAN), hired: '2036-09-01', on: '2036-12-31' },
    expected: [10, 9, 8, 8][n] as number,
  })),
  // Bundesurlaubsgesetz § 3 and the courts: part-time by days per week.
  {
    ...{ source: 'BUrlG § 3, three days a week', policy: yearly(30, GERMAN), hired: '2030-01-01', on: '2036-03-01' },
    ...{ week: [3, 8], expected: 18 },
  },
  // The statutory 24 days are for a six-day week.
  {
    ...{ source: 'BUrlG § 3, six-day week', policy: yearly(24, { ...GERMAN, full_time_days: 6 }), hired: '2030-01-01' },
    ...{ on: '2036-03-01', week: [5, 8], expected: 20 },
  },
  // Kodeks pracy art. 153: the first job earns a twelfth at the end of each month.
  {
    ...{ source: 'Kodeks pracy art. 153', policy: monthly(20, { credit_at: 'end_of_period' }), hired: '2036-04-01' },
    ...{ on: '2036-12-31', expected: 15 },
  },
  // Kodeks pracy art. 154: 26 days from ten years of service on; part-time in proportion, a started day is rounded up.
  ...(
    [
      [20, 13],
      [24, 16],
    ] as const
  ).map(([hours, expected]) => ({
    ...{ source: `Kodeks pracy art. 154, ${hours} hours a week`, hired: '2024-01-01', on: '2036-02-01', expected },
    policy: yearly(20, {
      ...{ part_time: 'by_hours', rounding: 'up', tenure_steps_from: 'start_of_year' },
      tenure_steps: [{ years: 10, yearly_amount: 26 }],
    }),
    week: [5, hours / 5] as [number, number],
  })),
  // Code du travail L3141-3: 2.5 working days a month; L3141-7: fractions are rounded up.
  {
    ...{ source: 'Code du travail L3141-3', policy: monthly(30, { credit_at: 'end_of_period' }), hired: '2036-06-01' },
    ...{ on: '2036-09-30', expected: 10 },
  },
  {
    ...{ source: 'Code du travail L3141-7', hired: '2036-06-16', on: '2036-09-30', expected: 9 },
    policy: monthly(30, { credit_at: 'end_of_period', proration: 'half_months', rounding: 'up' }),
  },
  // Working Time Regulations 1998 reg. 13 and 13A: 5.6 weeks, so 28 days for five days a week; no rounding down.
  {
    ...{ source: 'WTR reg. 13A, three days a week', policy: yearly(28, { part_time: 'by_days' }), hired: '2030-01-01' },
    ...{ on: '2036-03-01', week: [3, 8], expected: 16.8 },
  },
  // Working Time Regulations 1998 reg. 15A: in the first year, a twelfth at the start of each month.
  {
    ...{ source: 'WTR reg. 15A', policy: monthly(24), hired: '2036-03-10', on: '2036-06-16', expected: 8 },
  },
  // BW 7:634: four times the weekly hours.
  {
    ...{ source: 'BW 7:634, 24 hours a week', policy: yearly(160, { part_time: 'by_hours' }), hired: '2030-01-01' },
    ...{ on: '2036-03-01', week: [3, 8], unit: 'hours', expected: 96 },
  },
  // Urlaubsgesetz § 2: in the first half-year in proportion to the service.
  {
    ...{ source: 'Urlaubsgesetz § 2', policy: monthly(25, { credit_at: 'end_of_period' }), hired: '2036-04-01' },
    ...{ on: '2036-06-30', expected: 6.25 },
  },
  // Código do Trabalho art. 239: in the year of hiring two days for each full month, at most 20.
  {
    ...{ source: 'Código do Trabalho art. 239', hired: '2036-01-01', on: '2036-12-31', expected: 20 },
    policy: monthly(24, { proration: 'full_months', maximum_balance: 20 }),
  },
  // D.Lgs. 66/2003 and collective agreements: at least 15 days count as a month.
  ...(
    [
      ['2036-01-17', 24],
      ['2036-01-18', 22],
    ] as const
  ).map(([hired, expected]) => ({
    ...{ source: `D.Lgs. 66/2003, hired ${hired}`, policy: monthly(24, { proration: 'fifteen_days' }), hired },
    ...{ on: '2036-12-31', expected },
  })),
  // Canada Labour Code s. 184: two weeks, three from five years, four from ten years on.
  ...([2, 5, 10] as const).map((years, n) => ({
    ...{ source: `Canada Labour Code s. 184, ${years} years`, hired: `${2036 - years}-01-01`, on: '2036-06-16' },
    policy: yearly(10, {
      tenure_steps: [
        { years: 5, yearly_amount: 15 },
        { years: 10, yearly_amount: 20 },
      ],
    }),
    expected: [10, 15, 20][n] as number,
  })),
  // Obligationenrecht art. 329a: five weeks until the completed 20th year, then four.
  ...(
    [
      ['2016-07-01', 22.5],
      ['2017-01-01', 25],
      ['2010-03-05', 20],
    ] as const
  ).map(([born, expected]) => ({
    ...{ source: `Obligationenrecht art. 329a, born ${born}`, hired: '2030-01-01', on: '2036-12-31', born, expected },
    policy: monthly(25, { age_steps: [{ age: 20, yearly_amount: 20 }] }),
  })),
  // 5 U.S.C. § 6303: in the first three years half a day for each full biweekly pay period, so 13 days for 26 of them.
  ...(
    [
      ['2036-01-18', 0],
      ['2036-01-19', 0.5],
      ['2036-05-24', 5],
    ] as const
  ).map(([on, expected]) => ({
    ...{ source: `5 U.S.C. § 6303, on ${on}`, hired: '2035-01-01', on, expected },
    policy: yearly(13, {
      ...{ credit: 'every_two_weeks', pay_period_starts_on: '2036-01-06', credit_at: 'end_of_period' },
      proration: 'full_months',
    }),
  })),
  // A usual policy in the USA: 15 days a year in 26 pay periods.
  ...(
    [
      ['2036-01-03', 0.5769],
      ['2036-12-31', 15],
    ] as const
  ).map(([on, expected]) => ({
    ...{ source: `15 days in 26 pay periods, on ${on}`, hired: '2035-01-01', on, expected },
    policy: yearly(15, { credit: 'every_two_weeks', pay_period_starts_on: '2036-01-03', proration: 'full_months' }),
  })),
  // Organisation of Working Time Act 1997 s. 19: 8 % of the hours worked, at most four weeks a year.
  {
    ...{ source: 'OWTA 1997 s. 19', hired: '2035-01-01', on: '2036-02-29', unit: 'hours', expected: 80 },
    ...{ policy: { ...BY_HOURS, hours_worked_percentage: 8, yearly_amount: 160 }, worked: ['2036-01-01', 50, 20] },
  },
  {
    ...{ source: 'OWTA 1997 s. 19, at most', hired: '2035-01-01', on: '2036-02-29', unit: 'hours', expected: 72 },
    ...{ policy: { ...BY_HOURS, hours_worked_percentage: 8, yearly_amount: 72 }, worked: ['2036-01-01', 50, 20] },
  },
  // Working Time Regulations 1998 reg. 15B: 12.07 % of the hours worked, and half an hour is rounded up.
  {
    ...{ source: 'WTR reg. 15B, 68 hours', hired: '2035-01-01', on: '2036-01-31', unit: 'hours', expected: 8 },
    ...{ policy: { ...BY_HOURS, hours_worked_percentage: 12.07, rounding: 'nearest' }, worked: ['2036-01-02', 8, 8.5] },
  },
]

test('published examples of labour law are computed right', async () => {
  for (const { source, policy, hired, on, expected, week, unit, born, worked } of PUBLISHED) {
    const job = week ? { working_pattern_id: await pattern(...week) } : {}
    const who = await person(policy, unit ? { unit } : {}, {
      ...{ hired_on: hired, ...(born ? { date_of_birth: born } : {}), ...job },
    })
    if (worked) await approvedWork(service, who.id, ...worked)
    assert.equal(await balance(who.id, on), expected, source)
  }
})

describe('a change of the working pattern', () => {
  test('changes the leave of the year from that day on, and earlier days keep their balance', async () => {
    const [full, half] = [await pattern(5), await pattern(5, 4)]
    const who = await person(
      yearly(24, { part_time: 'by_hours' }),
      {},
      { hired_on: '2030-01-01', working_pattern_id: full },
    )
    const changed = await service.post(`/employees/${who.id}/employment_statuses`, {
      effective_from: '2036-07-01',
      working_pattern_id: half,
    })
    assert.equal(changed.status, 201, changed.text)
    assert.equal(await balance(who.id, '2036-06-30'), 24)
    assert.equal(await balance(who.id, '2036-07-01'), 18)
    const { movements } = await statement(who)
    assert.deepEqual(
      movements.map(({ date, reason, amount }: any) => [date, reason, amount]),
      [
        ['2036-01-01', 'credit', 24],
        ['2036-07-01', 'recalculation', -6],
      ],
    )
  })
})

test('a change within a month leaves earlier days alone, and is named for what it is', async () => {
  const [full, half] = [await pattern(5), await pattern(5, 4)]
  const who = await person(
    yearly(24, { part_time: 'by_hours' }),
    {},
    { hired_on: '2030-01-01', working_pattern_id: half },
  )
  await service.make(`/employees/${who.id}/employment_statuses`, {
    ...{ effective_from: '2036-07-16', working_pattern_id: full },
  })
  assert.deepEqual([await balance(who.id, '2036-07-15'), await balance(who.id, '2036-09-01')], [12, 17.5161])
  const raised = await service.make(`/employees/${who.id}/employment_statuses`, {
    ...{ effective_from: '2036-10-01', working_pattern_id: half },
  })
  assert.ok(raised.id)
  const { movements } = await statement(who)
  assert.deepEqual(
    movements.map(({ date, reason }: any) => [date, reason]),
    [
      ['2036-01-01', 'credit'],
      ['2036-07-16', 'recalculation'],
      ['2036-10-01', 'recalculation'],
    ],
  )
})

test('what would not be carried over is still available, and can be taken', async () => {
  const who = await person(yearly(24, { carry_over_limit: 0 }), {}, { hired_on: '2030-01-01' })
  assert.equal((await ask(who, '2037-01-04', '2037-01-05')).status, 201)
  assert.equal((await figures(who, '2036-06-16')).available, 24)
})

const statement = async (who: { id: number; leave_type_id: number }, query = '') => {
  const answer = await service.get(`/employees/${who.id}/leave_balances/${who.leave_type_id}/statement${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}
const figures = async (who: { id: number }, day: string) =>
  (await service.get(`/employees/${who.id}/leave_balances?on=${day}`)).body.data[0].this_year

describe('leave carried over', () => {
  test('expires after its last day, the oldest leave is taken first, and the figures say how much expires when', async () => {
    const who = await person(
      yearly(20, { carry_over_limit: 5, carry_over_until: '03-31' }),
      {},
      { hired_on: '2030-01-01' },
    )
    assert.equal((await ask(who, '2036-07-07', '2036-07-18', { skip_approval: true })).status, 201)
    assert.equal((await ask(who, '2037-03-02', '2037-03-03')).status, 201)
    const shown = (await statement(who, '?starts_on=2036-12-01&ends_on=2037-12-31')) as any
    assert.deepEqual(
      shown.movements.map(({ date, reason, amount, balance }: any) => [date, reason, amount, balance]),
      [
        ['2037-01-01', 'not_carried_over', -5, 5],
        ['2037-01-01', 'credit', 20, 25],
        ['2037-03-02', 'leave', -1, 24],
        ['2037-03-03', 'leave', -1, 23],
        ['2037-04-01', 'carry_over_expired', -3, 20],
      ],
    )
    assert.deepEqual([shown.opening_balance, shown.closing_balance], [10, 20])
    const then = await figures(who, '2037-02-01')
    assert.deepEqual(
      [then.carried_over, then.carry_over_expires, then.entitled, then.accrued, then.pending, then.available],
      [5, [{ on: '2037-04-01', amount: 5 }], 20, 20, 2, 23],
    )
    assert.deepEqual((await figures(who, '2036-07-10')).planned, 6)
    // What is taken does not expire.
    assert.equal((await ask(who, '2037-06-01', '2037-06-01')).status, 201)
    assert.equal((await figures(who, '2037-02-01')).available, 22)
  })

  test('expires after a number of months', async () => {
    const who = await person(yearly(10, { carry_over_months: 15 }), {}, { hired_on: '2030-01-01' })
    assert.deepEqual(
      [await balance(who.id, '2038-03-31'), await balance(who.id, '2038-04-01')],
      [30, 20],
      'the leave of 2036 expires at the end of March 2038',
    )
  })

  test('cannot be planned after the day on which it expires', async () => {
    const who = await person({ type: 'manual', carry_over_until: '03-31' }, {}, { hired_on: '2030-01-01' })
    await service.make('/leave_adjustments', {
      ...{ employee_id: who.id, leave_type_id: who.leave_type_id, occurred_on: '2036-02-01', amount: '2' },
    })
    assert.equal((await ask(who, '2037-03-31', '2037-03-31')).status, 201)
    const late = await ask(who, '2037-04-01', '2037-04-01')
    assert.deepEqual([late.status, late.body.errors[0].code], [422, 'balance'])
  })
})

test('terms that do not fit together are refused at their field, and nothing is stored', async () => {
  const { id: leave_type_id } = await service.make('/leave_types', { name: 'Refused' })
  const base = { name: 'Refused', leave_type_id, ...yearly(20) }
  const refused: [Record<string, unknown>, string, string][] = [
    [{ carry_over_until: '02-29' }, 'carry_over_until', 'invalid'],
    [{ carry_over_until: '31.3.' }, 'carry_over_until', 'invalid'],
    [
      {
        tenure_steps: [
          { years: 5, yearly_amount: 22 },
          { years: 5, yearly_amount: 24 },
        ],
      },
      'tenure_steps',
      'repeated',
    ],
    [{ rounding_step: 0 }, 'rounding_step', 'out_of_range'],
    [{ full_time_days: 8 }, 'full_time_days', 'out_of_range'],
    [{ proration: 'weeks' }, 'proration', 'not_allowed'],
  ]
  for (const [more, field, code] of refused) {
    const { status, body, text } = await service.post('/leave_policies', { ...base, ...more })
    assert.deepEqual([status, body.errors?.[0]?.field, body.errors?.[0]?.code], [422, field, code], text)
  }
  const unknown = await service.post('/leave_policies', { ...base, tenure_steps: [{ years: 5 }] })
  assert.equal(unknown.status, 422, unknown.text)
  assert.equal((await service.get(`/leave_policies?leave_type_id=${leave_type_id}`)).body.metadata.count, 0)
})

test('a statement names the request and the adjustment behind each movement', async () => {
  const who = await person({ type: 'manual', floor: -5 }, {}, { hired_on: '2030-01-01' })
  const given = await service.make('/leave_adjustments', {
    ...{ employee_id: who.id, leave_type_id: who.leave_type_id, occurred_on: '2036-02-01', amount: '2.5' },
  })
  const asked = await ask(who, '2036-06-20', '2036-06-20')
  const { movements, closing_balance } = await statement(who)
  assert.deepEqual(movements, [
    {
      ...{ date: '2036-02-01', reason: 'adjustment', amount: 2.5, balance: 2.5, leave_policy_id: null },
      ...{ leave_adjustment_id: given.id, leave_request_id: null, overtime_request_id: null, state: null },
    },
    {
      ...{ date: '2036-06-20', reason: 'leave', amount: -1, balance: 1.5, leave_policy_id: null },
      ...{
        leave_adjustment_id: null,
        leave_request_id: asked.body.data.id,
        overtime_request_id: null,
        state: 'pending',
      },
    },
  ])
  assert.equal(closing_balance, await balance(who.id, '2036-12-31'))
  const none = await service.get(`/employees/${who.id}/leave_balances/${who.leave_type_id + 1000}/statement`)
  assert.equal(none.status, 404)
  const long = await service.get(
    `/employees/${who.id}/leave_balances/${who.leave_type_id}/statement?starts_on=2000-01-01&ends_on=2036-01-01`,
  )
  assert.deepEqual([long.status, long.body.errors[0].code], [400, 'out_of_range'])
})
