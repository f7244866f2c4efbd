import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { fc } from '../chance.ts'
import { type Service, spell, startService } from '../harness.ts'
import { rounds } from '../thorough.ts'

/** What a dry run of a leave policy says about people, against what the real change does to them. */

let service: Service
before(async () => {
  service = await startService({ clock: () => new Date('2036-06-16T12:00:00Z') })
})
after(() => service.stop())

const DRY = { headers: { prefer: 'dry-run' } }
const ACCRUAL = { type: 'accrual', yearly_amount: 24, credit: 'yearly' }
const MONDAY_TO_FRIDAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']
const YEARS = [2036, 2037]
let count = 0

const pattern = async (hours: readonly number[]): Promise<number> =>
  (
    await service.make('/working_patterns', {
      name: `Pattern ${++count}`,
      ...Object.fromEntries(hours.map((one, n) => [`${MONDAY_TO_FRIDAY[n]}_hours`, one])),
    })
  ).id

async function policyOf(terms: object): Promise<any> {
  const { id: leave_type_id } = await service.make('/leave_types', { name: `Type ${++count}` })
  return service.make('/leave_policies', { name: `Policy ${count}`, leave_type_id, ...terms })
}

async function person(policy: any, employee: object, effective_on = '2036-01-01'): Promise<number> {
  const { id } = await service.hire({ first_name: 'P', last_name: `${++count}`, ...employee })
  await service.make(`/employees/${id}/leave_types`, {
    ...{ leave_type_id: policy.leave_type_id, leave_type_policy_id: policy.id, effective_on },
  })
  return id
}

type YearEnd = { entitled: number; carried_over: number; balance: number }

/** What the years give, and the balances at their end. */
async function yearEnds(id: number): Promise<YearEnd[]> {
  const ends = YEARS.map(async (year) => {
    const { balance, this_year } = (await service.get(`/employees/${id}/leave_balances?on=${year}-12-31`)).body.data[0]
    const { entitled, carried_over } = this_year
    return { entitled, carried_over, balance } as YearEnd
  })
  return Promise.all(ends)
}

const effectsOf = async (answer: { status: number; text: string; body: any }) => {
  assert.equal(answer.status, 200, answer.text)
  return answer.body.effects
}

const rounded = (amount: number) => Math.round(amount * 10_000) / 10_000

test('a dry run of a policy shows who gains or loses leave, this year and the next, and stores nothing', async () => {
  const policy = await policyOf({ ...ACCRUAL, part_time: 'by_days' })
  const threeDays = await pattern([8, 8, 8])
  const fresh = await person(policy, { hired_on: '2036-01-01' })
  const senior = await person(policy, { hired_on: '2025-01-01' })
  const partTime = await person(policy, { hired_on: '2025-01-01', working_pattern_id: threeDays })
  const gone = await person(policy, { hired_on: '2025-01-01' }, '2035-01-01')
  const left = await service.post(`/employees/${gone}/terminate`, { effective_from: '2035-07-01' })
  assert.equal(left.status, 200, left.text)
  const change = { effective_from: '2037-01-01', yearly_amount: 20, tenure_steps: [{ years: 10, yearly_amount: 30 }] }
  const tried = await service.put(`/leave_policies/${policy.id}`, change, DRY)
  const effects = await effectsOf(tried)
  assert.deepEqual([effects.years, effects.gaining, effects.losing, effects.example], [[2037, 2038], 2, 1, null])
  const row = (employee_id: number, year: number, entitled: [number, number], balance: [number, number]) => ({
    ...{ employee_id, year, entitled_before: entitled[0], entitled_after: entitled[1] },
    ...{
      carried_over_before: rounded(balance[0] - entitled[0]),
      carried_over_after: rounded(balance[1] - entitled[1]),
    },
    ...{ balance_before: balance[0], balance_after: balance[1] },
  })
  assert.deepEqual(effects.people, [
    row(senior, 2037, [24, 30], [48, 54]),
    row(senior, 2038, [24, 30], [72, 84]),
    row(fresh, 2037, [24, 20], [48, 44]),
    row(fresh, 2038, [24, 20], [72, 64]),
    row(partTime, 2037, [14.4, 18], [28.8, 32.4]),
    row(partTime, 2038, [14.4, 18], [43.2, 50.4]),
  ])
  assert.equal((await service.get(`/leave_policies/${policy.id}/terms`)).body.data.length, 1)
  const real = await service.put(`/leave_policies/${policy.id}`, change)
  assert.equal(real.body.effects, undefined)
  assert.deepEqual((await yearEnds(senior))[1], { entitled: 30, carried_over: 24, balance: 54 })
})

test('a limit for carrying over shows in the balance of the next year', async () => {
  const policy = await policyOf(ACCRUAL)
  const id = await person(policy, { hired_on: '2030-01-01' })
  const { people } = await effectsOf(await service.put(`/leave_policies/${policy.id}`, { carry_over_limit: 5 }, DRY))
  assert.deepEqual(people, [
    {
      ...{ employee_id: id, year: 2037, entitled_before: 24, entitled_after: 24 },
      ...{ carried_over_before: 24, carried_over_after: 5, balance_before: 48, balance_after: 29 },
    },
  ])
  // What expires during the year is lost, too, and can be used until then.
  const expiring = { carry_over_until: '03-31' }
  assert.equal((await service.put(`/leave_policies/${policy.id}`, expiring)).status, 200)
  const { losing, people: rows } = await effectsOf(
    await service.put(`/leave_policies/${policy.id}`, { carry_over_limit: 5 }, DRY),
  )
  assert.deepEqual(
    [losing, rows.map((one: any) => [one.carried_over_before, one.carried_over_after, one.balance_after])],
    [1, [[24, 5, 24]]],
  )
})

test('terms that are added, changed and deleted show their effects too', async () => {
  const policy = await policyOf(ACCRUAL)
  await person(policy, { hired_on: '2030-01-01' })
  const path = `/leave_policies/${policy.id}/terms`
  const added = { effective_from: '2037-01-01', yearly_amount: 26 }
  const gains = async (answer: any) => {
    const { people } = await effectsOf(answer)
    return people.map((one: any) => [one.year, one.entitled_after - one.entitled_before]).toSorted()
  }
  assert.deepEqual(await gains(await service.post(path, added, DRY)), [
    [2037, 2],
    [2038, 2],
  ])
  const { id } = await service.make(path, added)
  assert.deepEqual(await gains(await service.put(`${path}/${id}`, { yearly_amount: 30 }, DRY)), [
    [2037, 4],
    [2038, 4],
  ])
  assert.deepEqual(await gains(await service.delete(`${path}/${id}`, DRY)), [
    [2037, -2],
    [2038, -2],
  ])
  // The years of the change, not only this one and the next; but not those in which nobody can know what will be.
  const far = await service.post(path, { effective_from: '2090-01-01', yearly_amount: 28 }, DRY)
  assert.deepEqual(await gains(far), [])
  const late = await service.post(path, { effective_from: '2041-01-01', yearly_amount: 28 }, DRY)
  assert.deepEqual(await gains(late), [
    [2041, 2],
    [2042, 2],
  ])
})

describe('effects', () => {
  test('show only people whose leave the caller may read', async () => {
    const policy = await policyOf(ACCRUAL)
    const one = await person(policy, { hired_on: '2030-01-01' })
    await person(policy, { hired_on: '2030-01-01' })
    const role = await service.make('/roles', {
      name: 'Policies',
      grants: [
        { scope: 'everybody', permissions: ['leave:write'] },
        { scope: 'self', permissions: ['leave:read'] },
      ],
    })
    const { key } = await service.make('/api_keys', {
      ...{ name: 'Policies', permissions: ['leave:*'], employee_id: one, role_ids: [role.id] },
    })
    const tried = await service.put(`/leave_policies/${policy.id}`, { yearly_amount: 30 }, { ...DRY, key })
    const { gaining, people } = await effectsOf(tried)
    assert.deepEqual([gaining, [...new Set(people.map((shown: any) => shown.employee_id))]], [1, [one]])
    const writer = await service.make('/api_keys', { name: 'Writer', permissions: ['leave:write'] })
    const blind = await service.put(`/leave_policies/${policy.id}`, { yearly_amount: 30 }, { ...DRY, key: writer.key })
    assert.deepEqual((await effectsOf(blind)).people, [])
  })

  test('do not reveal a termination that is not announced', async () => {
    const policy = await policyOf(ACCRUAL)
    const id = await person(policy, { hired_on: '2030-01-01' })
    const planned = await service.post(`/employees/${id}/terminate`, {
      ...{ effective_from: '2036-10-01', announced_on: '2036-09-01' },
    })
    assert.equal(planned.status, 200, planned.text)
    const change = { yearly_amount: 12 }
    const seenBy = async (key?: string) => {
      const tried = await service.put(`/leave_policies/${policy.id}`, change, { ...DRY, ...(key ? { key } : {}) })
      return (await effectsOf(tried)).people.map((one: any) => [one.year, one.entitled_before])
    }
    const { key } = await service.make('/api_keys', {
      ...{ name: 'No plans', permissions: ['leave:*', 'employees:read'], withheld: ['planned'] },
    })
    assert.deepEqual((await seenBy(key)).toSorted(), [
      [2036, 24],
      [2037, 24],
    ])
    assert.deepEqual((await seenBy()).find(([year]: any) => year === 2036)?.[1], 18)
  })
})

const terms = fc.record(
  {
    yearly_amount: fc.integer({ min: 0, max: 40 }),
    credit: fc.constantFrom('monthly', 'yearly', 'weekly', 'every_two_weeks', 'twice_a_month'),
    pay_period_starts_on: fc.constantFrom('2035-12-31', '2036-01-03'),
    credit_at: fc.constantFrom('start_of_period', 'end_of_period'),
    part_time: fc.constantFrom('same', 'by_hours', 'by_days'),
    proration: fc.constantFrom('started_months', 'full_months', 'by_day'),
    rounding: fc.constantFrom('none', 'up', 'down', 'nearest'),
    rounding_step: fc.constantFrom(0.25, 0.5, 1),
    tenure_steps: fc.uniqueArray(
      fc.record({ years: fc.integer({ min: 1, max: 8 }), yearly_amount: fc.integer({ min: 0, max: 40 }) }),
      { maxLength: 2, selector: ({ years }) => years },
    ),
    tenure_steps_from: fc.constantFrom('anniversary', 'start_of_month', 'start_of_year'),
    age_steps: fc.uniqueArray(
      fc.record({ age: fc.integer({ min: 19, max: 21 }), yearly_amount: fc.integer({ min: 0, max: 40 }) }),
      { maxLength: 2, selector: ({ age }) => age },
    ),
    carry_over_limit: fc.option(fc.integer({ min: 0, max: 10 })),
    maximum_balance: fc.option(fc.integer({ min: 0, max: 60 })),
  },
  { requiredKeys: [] },
)
const BORN = ['2016-02-29', '2016-09-30', '2017-01-16']
const HIRED = ['2026-03-31', '2029-02-15', '2031-07-01', '2035-10-16', '2036-02-29', '2036-09-10', '2037-05-20']

test('random changes of random policies do to people exactly what their dry run said', async () => {
  const weeks = [await pattern([8, 8, 8, 8, 8]), await pattern([8, 8, 8]), await pattern([4, 4, 4, 4, 4])]
  const day = fc.constantFrom('2036-06-16', '2036-07-01', '2036-09-20', '2037-01-01', '2037-03-15')
  const job = fc.record({
    ...{ hired_on: fc.constantFrom(...HIRED), working_pattern_id: fc.constantFrom(...weeks) },
    date_of_birth: fc.constantFrom(null, ...BORN),
  })
  await fc.assert(
    fc.asyncProperty(
      terms,
      terms,
      day,
      fc.array(job, { minLength: 1, maxLength: 3 }),
      async (first, then, from, jobs) => {
        const policy = await policyOf({ ...ACCRUAL, pay_period_starts_on: '2036-01-01', ...first })
        const people = []
        for (const one of jobs) people.push(await person(policy, one, '2036-01-01'))
        const before = new Map(await Promise.all(people.map(async (id) => [id, await yearEnds(id)] as const)))
        const change = { ...then, effective_from: from }
        const effects = await effectsOf(await service.put(`/leave_policies/${policy.id}`, change, DRY))
        assert.equal((await service.put(`/leave_policies/${policy.id}`, change)).status, 200)
        for (const id of people) {
          const [old, now] = [before.get(id) ?? [], await yearEnds(id)]
          for (const [n, year] of YEARS.entries()) {
            const shown = effects.people.find((one: any) => one.employee_id === id && one.year === year)
            const expected = {
              ...{ employee_id: id, year, entitled_before: old[n]?.entitled, entitled_after: now[n]?.entitled },
              ...{ carried_over_before: old[n]?.carried_over, carried_over_after: now[n]?.carried_over },
              ...{ balance_before: old[n]?.balance, balance_after: now[n]?.balance },
            }
            assert.deepEqual(shown, isDeepStrictEqual(old[n], now[n]) ? undefined : expected, JSON.stringify(change))
          }
        }
      },
    ),
    { numRuns: rounds(12, 150) },
  )
})

const BY_MONTH = { pay_periods: null, pay_periods_in_year: null, hours_worked: null }

describe('an example person', () => {
  test('gets the leave of the year, and the figures that explain it', async () => {
    const { id: leave_type_id } = await service.make('/leave_types', { name: 'Example' })
    const policy = {
      ...{ name: 'Example', leave_type_id, ...ACCRUAL, yearly_amount: 28, part_time: 'by_hours', rounding: 'nearest' },
      ...{ rounding_step: 0.5, proration: 'full_months', tenure_steps: [{ years: 7, yearly_amount: 30 }] },
    }
    const query = '?example_hired_on=2029-01-31&example_weekly_hours=24&example_year=2036'
    const { example, ...rest } = await effectsOf(await service.post(`/leave_policies${query}`, policy, DRY))
    assert.deepEqual(rest, { years: [2036, 2037], gaining: 0, losing: 0, people: [] })
    assert.deepEqual(example, {
      ...{ hired_on: '2029-01-31', year: 2036, weekly_hours: 24, working_days: 5, years_of_service: 7, age: null },
      ...{ entitled: 18, unrounded: 17.9032 },
      parts: [
        { starts_on: '2036-01-01', ends_on: '2036-01-31', yearly_amount: 28, rate: 16.8387, months: 1, ...BY_MONTH },
        { starts_on: '2036-02-01', ends_on: '2036-12-31', yearly_amount: 30, rate: 18, months: 11, ...BY_MONTH },
      ],
    })
    assert.equal(
      (await service.get('/leave_policies?q=Example')).body.data.filter((one: any) => one.name === 'Example').length,
      0,
    )
  })

  test('gets exactly what a person with the same dates and hours gets, for random policies', async () => {
    const weeks = [
      { id: await pattern([8, 8, 8, 8, 8]), hours: 40, days: 5 },
      { id: await pattern([8, 7.5, 8]), hours: 23.5, days: 3 },
    ]
    await fc.assert(
      fc.asyncProperty(
        ...([terms, fc.constantFrom(...HIRED), fc.constantFrom(...weeks), fc.constantFrom(...YEARS)] as const),
        fc.constantFrom(...BORN),
        async (some, hired_on, week, year, date_of_birth) => {
          // What is lost above a maximum depends on the leave that somebody took.
          const policy = await policyOf({
            ...{ ...ACCRUAL, pay_period_starts_on: '2036-01-01', ...some, maximum_balance: null },
          })
          const id = await person(policy, { hired_on, date_of_birth, working_pattern_id: week.id }, '2026-01-01')
          const query = spell({
            ...{ example_hired_on: hired_on, example_weekly_hours: week.hours, example_working_days: week.days },
            ...{ example_year: year, example_date_of_birth: date_of_birth },
          })
          const path = `/leave_policies/${policy.id}?${new URLSearchParams(query)}`
          const { example } = await effectsOf(await service.put(path, {}, DRY))
          const real = (await yearEnds(id))[YEARS.indexOf(year)]?.entitled
          assert.equal(example.entitled, real)
          const sum = example.parts.reduce((total: number, { rate, months }: any) => total + (rate * months) / 12, 0)
          assert.ok(Math.abs(sum - example.unrounded) < 0.01, `${sum} is not ${example.unrounded}`)
          if (policy.rounding === 'none') assert.ok(Math.abs(example.unrounded - example.entitled) < 0.0002)
          else assert.ok(Math.abs(example.unrounded - example.entitled) <= policy.rounding_step)
        },
      ),
      { numRuns: rounds(25, 300) },
    )
  })

  test('explains steps by age, pay periods and hours worked', async () => {
    const example = async (terms: object, query: string) => {
      const { id: leave_type_id } = await service.make('/leave_types', { name: `Type ${++count}`, unit: 'hours' })
      const policy = { name: `Policy ${count}`, leave_type_id, type: 'accrual', ...terms }
      return (await effectsOf(await service.post(`/leave_policies?example_hired_on=${query}`, policy, DRY))).example
    }
    const steps = { yearly_amount: 200, credit: 'monthly', age_steps: [{ age: 20, yearly_amount: 160 }] }
    const young = await example(steps, '2035-01-01&example_date_of_birth=2016-07-01')
    assert.deepEqual([young.age, young.entitled, young.date_of_birth], [20, 180, undefined])
    assert.deepEqual(
      young.parts.map((part: any) => [part.starts_on, part.yearly_amount, part.months]),
      [
        ['2036-01-01', 200, 6],
        ['2036-07-01', 160, 6],
      ],
    )
    const weekly = { yearly_amount: 104, credit: 'weekly', pay_period_starts_on: '2036-01-07' }
    const [part, ...others] = (await example(weekly, '2036-07-07')).parts
    assert.deepEqual([part.pay_periods, part.pay_periods_in_year, part.rate, others], [26, 52, 104, []])
    // The last pay period ends in the next year, with another amount, and was credited by the amount of this year.
    const across = await example(
      {
        ...{ yearly_amount: 26, credit: 'every_two_weeks', pay_period_starts_on: '2036-12-22' },
        ...{ tenure_steps: [{ years: 7, yearly_amount: 52 }], tenure_steps_from: 'start_of_year' },
      },
      '2030-06-01&example_year=2036',
    )
    assert.deepEqual([across.entitled, across.unrounded, across.parts.length], [26, 26, 1])
    const hours = await example(
      { credit: 'hours_worked', hours_worked_percentage: 8 },
      '2036-12-01&example_weekly_hours=20',
    )
    const [worked] = hours.parts
    // 23 days of four hours from Monday to Friday.
    assert.deepEqual([worked.hours_worked, worked.yearly_amount, hours.entitled], [92, null, 7.36])
  })

  test('with an invalid date, hours or days is refused by name', async () => {
    const policy = await policyOf(ACCRUAL)
    for (const [name, value] of [
      ['example_hired_on', '2036-02-30'],
      ['example_date_of_birth', '2036-02-30'],
      ['example_weekly_hours', '200'],
      ['example_working_days', '-1'],
      ['example_year', 'soon'],
    ]) {
      const { status, body } = await service.put(`/leave_policies/${policy.id}?${name}=${value}`, {}, DRY)
      assert.deepEqual([status, body.errors?.[0]?.field], [400, name])
    }
  })
})
