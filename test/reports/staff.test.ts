import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { daysAfter } from '../../src/engine/day.ts'
import { parseDecimal } from '../../src/engine/decimal.ts'
import { fc, SEED } from '../chance.ts'
import { type Service, startService } from '../harness.ts'

/** People of whom all is known that figures are made of, and what a naive recount makes of it. */
type Job = { from: string; department_id: number | null; location_id: number | null; job_level_id: number | null }
type Pay = { effective_on: string; amount: string; currency_code: string; per: string }
type Person = { id: number; hired: string | null; left: string | null; type: number | null; jobs: Job[]; pay: Pay[] }

let service: Service
const staff: Person[] = []
const ids: Record<'department_id' | 'location_id' | 'job_level_id' | 'type', number[]> = {
  department_id: [],
  location_id: [],
  job_level_id: [],
  type: [],
}
const RUNS = Number(process.env.FIGURE_RUNS ?? 6)

/** Days from the beginning of 2034 on: 900 of them, some of which matter. */
const dayOf = (n: number) => daysAfter('2034-01-01', n)
const aDay = fc.oneof(fc.nat(900), fc.constantFrom(30, 31, 58, 59, 181, 364, 365, 789)).map(dayOf)

before(async () => {
  service = await startService({ clock: () => new Date('2036-06-15T12:00:00Z') })
  const { make } = service
  for (const [name, path] of [
    ['department_id', '/departments'],
    ['location_id', '/locations'],
    ['job_level_id', '/job_levels'],
    ['type', '/termination_types'],
  ] as const)
    for (const label of ['One', 'Two']) ids[name].push((await make(path, { name: `${label} of ${path}` })).id)
  const one = (name: keyof typeof ids) => fc.option(fc.constantFrom(...ids[name]), { nil: null })
  const job = fc.record({
    from: aDay,
    department_id: one('department_id'),
    location_id: one('location_id'),
    job_level_id: one('job_level_id'),
  })
  const pay = fc.record({
    effective_on: aDay,
    amount: fc.constantFrom('1000.0', '1200.5', '3000.0', '45.25'),
    currency_code: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD'),
    per: fc.constantFrom('month', 'month', 'year', 'hour', 'week', 'day'),
  })
  const person = fc.record({
    hired: fc.option(aDay, { nil: null, freq: 8 }),
    left: fc.option(aDay, { nil: null, freq: 2 }),
    type: one('type'),
    jobs: fc.uniqueArray(job, { maxLength: 3, selector: ({ from }) => from }),
    pay: fc.uniqueArray(pay, { minLength: 1, maxLength: 3, selector: ({ effective_on }) => effective_on }),
  })
  for (const known of fc.sample(person, { numRuns: 36, seed: SEED })) await employ(known)
})
after(() => service.stop())

async function employ(chance: Omit<Person, 'id'>): Promise<void> {
  const { hired } = chance
  const isInTime = (day: string) => !hired || day >= hired
  const known = {
    ...chance,
    jobs: chance.jobs.filter(({ from }) => isInTime(from)),
    pay: chance.pay.filter(({ effective_on }) => isInTime(effective_on)),
  }
  const left = known.left && hired && known.left < hired ? null : known.left
  const { id } = await service.hire(hired ? { hired_on: hired } : {})
  for (const { from, ...names } of known.jobs) {
    const sent = Object.fromEntries(Object.entries(names).filter(([, value]) => value !== null))
    // The entry that a hire may have made is replaced by the ones that are known.
    const made = await service.post(`/employees/${id}/positions`, { effective_from: from, ...sent })
    assert.ok([201].includes(made.status), made.text)
  }
  for (const one of known.pay) await service.make(`/employees/${id}/salaries`, one)
  if (left) {
    const body = { effective_from: left, termination_type_id: known.type }
    assert.equal((await service.post(`/employees/${id}/terminate`, body)).status, 200)
  }
  const { data } = (await service.get(`/employees/${id}/positions`)).body
  const jobs = data.map((entry: any) => ({
    from: entry.effective_from,
    department_id: entry.department?.id ?? null,
    location_id: entry.location?.id ?? null,
    job_level_id: entry.job_level?.id ?? null,
  }))
  staff.push({ ...known, id, left, type: left ? known.type : null, jobs })
}

const isHere = ({ hired, left }: Person, day: string) => (!hired || hired <= day) && (!left || left > day)
const jobOn = ({ jobs }: Person, day: string): Partial<Job> =>
  jobs.filter((one) => one.from <= day).sort((a, b) => (a.from < b.from ? 1 : -1))[0] ?? {}

type StaffFilter = { department_ids?: number[]; location_ids?: number[] }
const among = ({ department_ids, location_ids }: StaffFilter, job: Partial<Job>) =>
  (!department_ids || department_ids.includes(job.department_id ?? 0)) &&
  (!location_ids || location_ids.includes(job.location_id ?? 0))

const presentOn = (day: string, who: StaffFilter) =>
  staff.filter((one) => isHere(one, day) && among(who, jobOn(one, day)))
const isReal = ({ hired, left }: Person) => !hired || !left || hired < left
const joinedIn = (from: string, to: string, who: StaffFilter) =>
  staff.filter(
    (one) => one.hired && one.hired >= from && one.hired <= to && isReal(one) && among(who, jobOn(one, one.hired)),
  )
const leftIn = (from: string, to: string, who: StaffFilter) =>
  staff.filter(
    (one) =>
      one.left && one.left >= from && one.left <= to && isReal(one) && among(who, jobOn(one, daysAfter(one.left, -1))),
  )

const ask = async (path: string, key = service.key) => {
  const answer = await service.get(path, { key })
  assert.equal(answer.status, 200, `${path}: ${answer.text}`)
  return answer.body.data
}

/** The list of a figure holds those who were counted, and no others. */
async function opens({ count, list }: { count: number; list: string }, expected: readonly Person[], what: string) {
  const { body, status, text } = await service.get(`${list}&per_page=200`)
  assert.equal(status, 200, `${list}: ${text}`)
  assert.equal(count, expected.length, `${what}: ${list}`)
  assert.deepEqual(
    body.data.map((one: any) => one.id).sort((a: number, b: number) => a - b),
    expected.map((one) => one.id).sort((a, b) => a - b),
    `${what}: ${list}`,
  )
}

const spelt = (who: StaffFilter) =>
  Object.entries(who)
    .flatMap(([name, values]) => values.map((value) => `&${name}[]=${value}`))
    .join('')

const questions = () =>
  fc.sample(
    fc.record({
      from: fc.nat(700).map(dayOf),
      length: fc.nat(200),
      who: fc.constantFrom<StaffFilter>(
        {},
        {},
        { department_ids: ids.department_id.slice(0, 1) },
        { location_ids: ids.location_id, department_ids: ids.department_id },
      ),
    }),
    { numRuns: RUNS, seed: SEED },
  )

const mean = (values: number[]) => values.reduce((sum, one) => sum + one, 0) / values.length
const rate = (part: number, whole: number) => (whole > 0 ? Math.round((part / whole) * 10_000) / 10_000 : null)

describe('headcount and turnover', () => {
  test('equal a naive recount every month, whole and filtered, and each figure links to its people', async () => {
    for (const { from, length, who } of questions()) {
      const to = daysAfter(from, length)
      const query = `?from=${from}&to=${to}${spelt(who)}`
      const report = await ask(`/reports/headcount${query}`)
      let before = presentOn(daysAfter(from, -1), who).length
      const ends: number[] = [before]
      assert.deepEqual([report.months[0].starts_on, report.months.at(-1).ends_on], [from, to])
      for (const { starts_on, ends_on, headcount, joined, left, moved } of report.months) {
        assert.equal(starts_on.slice(0, 7), ends_on.slice(0, 7))
        await opens(headcount, presentOn(ends_on, who), `here on ${ends_on}`)
        await opens(joined, joinedIn(starts_on, ends_on, who), `joined ${starts_on} ${ends_on}`)
        await opens(left, leftIn(starts_on, ends_on, who), `left ${starts_on} ${ends_on}`)
        assert.equal(before + joined.count - left.count + moved, headcount.count)
        if (Object.keys(who).length === 0) assert.equal(moved, 0)
        before = headcount.count
        ends.push(before)
      }
      for (const [name, groups] of [
        ['department_id', report.by_department],
        ['location_id', report.by_location],
      ] as const) {
        for (const group of groups)
          await opens(
            group,
            presentOn(to, who).filter((one) => (jobOn(one, to)[name] ?? null) === group.id),
            `${name} ${group.id}`,
          )
        const sum = groups.reduce((total: number, { count }: any) => total + count, 0)
        assert.equal(sum, report.headcount.count)
      }
      const turnover = await ask(`/reports/turnover${query}`)
      const leavers = leftIn(from, to, who)
      await opens(turnover.left, leavers, 'left')
      assert.equal(turnover.average_headcount, Math.round(mean(ends) * 100) / 100)
      assert.equal(turnover.rate, rate(leavers.length, mean(ends)))
      for (const group of turnover.by_type)
        await opens(
          group,
          leavers.filter(({ type }) => type === group.id),
          `type ${group.id}`,
        )
      for (const group of turnover.by_department)
        await opens(
          group,
          leavers.filter((one) => (jobOn(one, daysAfter(one.left as string, -1)).department_id ?? null) === group.id),
          `department ${group.id}`,
        )
      for (const [n, month] of turnover.months.entries())
        assert.equal(month.rate, rate(month.left.count, mean(ends.slice(n, n + 2))))
    }
  })

  test('take a constant number of statements for any number of months and people', async () => {
    const count = async (path: string) => {
      let n = 0
      service.onStatement = () => void n++
      await ask(path)
      service.onStatement = undefined
      return n
    }
    const one = await count('/reports/headcount?from=2036-06-01&to=2036-06-30')
    assert.equal(await count('/reports/headcount?from=2033-07-01&to=2036-06-30'), one)
    assert.ok(one <= 11, String(one))
    for (const name of ['turnover', 'tenure', 'pay', 'absence', 'time_to_hire'])
      assert.ok((await count(`/reports/${name}`)) <= 12, name)
  })

  test('invalid, too long or empty ranges and filters are rejected', async () => {
    const codes = async (query: string) => {
      const { status, body } = await service.get(`/reports/headcount?${query}`)
      return [status, body.errors?.[0]?.field, body.errors?.[0]?.code]
    }
    assert.deepEqual(await codes('from=2036-02-01&to=2036-01-31'), [400, 'to', 'too_early'])
    assert.deepEqual(await codes('from=2033-06-30&to=2036-06-15'), [400, 'to', 'out_of_range'])
    assert.equal((await codes('from=2033-07-01&to=2036-06-15'))[0], 200)
    assert.equal((await codes('from=2036-02-30'))[0], 400)
    assert.equal((await codes('department_ids='))[0], 400)
    assert.equal((await codes('from=1900-01-01&to=1900-01-01'))[0], 200)
    assert.equal((await codes('to=2200-12-31'))[0], 200)
    const all = [...Array(51).keys()].map((id) => `department_ids[]=${id + 1}`).join('&')
    assert.equal((await codes(all))[0], 400)
  })

  test('a department can be counted with its sub-departments, and links to everybody counted', async () => {
    let count = 0
    const make = async (parent_id?: number) =>
      (await service.make('/departments', { name: `Tree ${++count}`, parent_id })).id as number
    const top = await make()
    const middle = await make(top)
    const tree = [top, middle, await make(middle)]
    const beside = await make()
    for (const department_id of [...tree, ...tree, beside])
      await employ({
        hired: '2035-01-01',
        left: null,
        type: null,
        jobs: [{ from: '2035-01-01', department_id, location_id: null, job_level_id: null }],
        pay: [],
      })
    const asked = `from=2035-03-01&to=2035-03-31&department_id=${top}`
    const alone = await ask(`/reports/headcount?${asked}`)
    await opens(alone.headcount, presentOn('2035-03-31', { department_ids: [top] }), 'alone')
    const whole = await ask(`/reports/headcount?${asked}&with_below=true`)
    assert.equal(whole.headcount.count, 6)
    await opens(whole.headcount, presentOn('2035-03-31', { department_ids: tree }), 'with those below')
    assert.deepEqual(whole.by_department.map(({ id }: any) => id).sort(), tree.toSorted())
    const both = `&department_ids[]=${middle}&department_ids[]=${beside}&with_below=true`
    assert.equal((await ask(`/reports/tenure?as_of=2035-03-31&department_id=${top}${both}`)).headcount.count, 4)
    const apart = await ask(`/reports/tenure?department_id=${beside}&department_ids[]=${top}&with_below=true`)
    assert.equal(apart.headcount.count, 0)
    assert.equal((await ask('/reports/headcount?with_below=true')).headcount.count, presentOn('2036-06-15', {}).length)
    for (const name of ['turnover', 'pay', 'absence', 'time_to_hire'])
      await ask(`/reports/${name}?department_id=${top}&with_below=true`)
    assert.equal((await service.get('/reports/headcount?with_below=perhaps')).status, 400)
  })

  test('erased people and their placeholder are in no report of any day', async () => {
    const { key } = await service.otherAccount()
    const make = async (path: string, values: Record<string, unknown>) => {
      const answer = await service.post(path, values, { key })
      assert.equal(answer.status, 201, answer.text)
      return answer.body.data.id as number
    }
    const id = await make('/employees', { first_name: 'A', last_name: 'B' })
    const lead = { team_lead_id: id, name: 'Led' }
    await make('/teams', lead)
    assert.equal((await ask('/reports/headcount', key)).headcount.count, 1)
    assert.equal((await service.delete(`/employees/${id}?erase=true`, { key })).status, 204)
    assert.equal((await service.get('/employees?status=all', { key })).body.metadata.count, 1, 'the stand-in')
    for (const path of ['/reports/headcount', '/reports/headcount?from=2030-01-01&to=2030-02-01', '/reports/tenure'])
      assert.equal((await ask(path, key)).headcount.count, 0, path)
    assert.equal((await ask('/reports/turnover', key)).left.count, 0)
  })
})

describe('tenure', () => {
  /** Whole years, by counting anniversaries. */
  const yearsOf = (hired: string, day: string) => {
    let years = 0
    for (;;) {
      const year = Number(hired.slice(0, 4)) + years + 1
      const isLeap = new Date(Date.UTC(year, 2, 0)).getUTCDate() === 29
      const back = `${year}${hired.endsWith('-02-29') && !isLeap ? '-02-28' : hired.slice(4)}`
      if (back > day) return years
      years++
    }
  }

  test('counts whole years as anniversaries do, also for 29 February', async () => {
    await employ({ hired: '2036-02-29', left: null, type: null, jobs: [], pay: [] })
    for (const day of [
      '2036-06-15',
      '2037-02-27',
      '2037-02-28',
      '2039-02-28',
      '2040-02-28',
      '2040-02-29',
      '2056-02-29',
    ]) {
      const report = await ask(`/reports/tenure?as_of=${day}`)
      const here = presentOn(day, {})
      await opens(report.headcount, here, day)
      await opens(
        report.unknown,
        here.filter(({ hired }) => !hired),
        'unknown',
      )
      const known = here.flatMap((one) => (one.hired ? [{ one, years: yearsOf(one.hired, day) }] : []))
      for (const { from_years, until_years, ...figure } of report.brackets)
        await opens(
          figure,
          known.filter(({ years }) => years >= from_years && years < (until_years ?? 1000)).map(({ one }) => one),
          `${from_years} on ${day}`,
        )
      const days = known
        .map(({ one }) => (Date.parse(day) - Date.parse(one.hired as string)) / 86_400_000)
        .sort((a, b) => a - b)
      const middle =
        ((days[Math.floor((days.length - 1) / 2)] ?? 0) + (days[Math.ceil((days.length - 1) / 2)] ?? 0)) / 2
      assert.equal(report.median_years, Math.round((middle / 365.25) * 10) / 10)
    }
  })
})

describe('pay', () => {
  const TIMES: Record<string, number> = { hour: 2080, day: 260, week: 52, month: 12, year: 1 }
  const payOn = ({ pay }: Person, day: string) =>
    pay.filter((one) => one.effective_on <= day).sort((a, b) => (a.effective_on < b.effective_on ? 1 : -1))[0]

  test('distributions equal a naive recount by group and currency, and hide groups below five people', async () => {
    let told = 0
    for (const by of ['job_level', 'department', 'location'] as const)
      for (const day of ['2035-03-01', '2036-06-15']) {
        const report = await ask(`/reports/pay?as_of=${day}&by=${by}`)
        const paid = presentOn(day, {}).flatMap((one) => {
          const pay = payOn(one, day)
          return pay ? [{ one, pay, id: jobOn(one, day)[`${by}_id`] ?? null }] : []
        })
        const wanted = new Set(paid.map(({ id, pay }) => `${id} ${pay.currency_code}`))
        assert.equal(report.groups.length, wanted.size)
        for (const group of [...report.groups, ...report.currencies]) {
          const own = paid.filter(
            ({ id, pay }) => (group.id === undefined || id === group.id) && pay.currency_code === group.currency_code,
          )
          await opens(
            group,
            own.map(({ one }) => one),
            `${by} ${group.id}`,
          )
          const values = own.map(({ pay }) => parseDecimal(pay.amount) * (TIMES[pay.per] ?? 0)).sort((a, b) => a - b)
          const at = (part: number) => {
            const place = (values.length - 1) * part
            const [low = 0, high = 0] = [values[Math.floor(place)], values[Math.ceil(place)]]
            return Math.round(low + (high - low) * (place - Math.floor(place)))
          }
          const { minimum, lower_quartile, median, upper_quartile, maximum } = group
          const shown = [minimum, lower_quartile, median, upper_quartile, maximum]
          if (own.length < 5) assert.deepEqual(shown, [null, null, null, null, null])
          else {
            told++
            assert.deepEqual(shown.map(parseDecimal), [0, 0.25, 0.5, 0.75, 1].map(at))
          }
        }
      }
    assert.ok(told > 6, String(told))
  })

  test('reports and the list behind them are closed to keys that may not see compensation', async () => {
    const key = await service.keyWith({ permissions: ['*'], withheld: ['compensation'] })
    for (const path of ['/reports/pay', '/employees?paid_in=EUR'])
      assert.equal((await service.get(path, { key })).status, 403, path)
    assert.equal((await service.get('/employees?paid_in=XXQ')).status, 400)
  })
})

test('reports need permission for their source data, and termination reasons need the personal group', async () => {
  const only = await service.keyWith({ permissions: ['reports:read'] })
  for (const name of ['headcount', 'turnover', 'tenure', 'absence', 'time_to_hire', 'pay']) {
    assert.equal((await service.get(`/reports/${name}`, { key: only })).status, 403, name)
    const without = await service.keyWith({ permissions: ['employees:read', 'leave:read', 'recruitment:read'] })
    assert.equal((await service.get(`/reports/${name}`, { key: without })).status, 403, name)
  }
  const staffOnly = await service.keyWith({ permissions: ['reports:read', 'employees:read'] })
  for (const name of ['absence', 'time_to_hire'])
    assert.equal((await service.get(`/reports/${name}`, { key: staffOnly })).status, 403, name)
  const key = await service.keyWith({ permissions: ['reports:read', 'employees:read'], withheld: ['personal'] })
  const answer = await service.get('/reports/turnover', { key })
  assert.equal(answer.status, 200)
  assert.ok(!('by_type' in answer.body.data) && !('by_reason' in answer.body.data))
  assert.match(answer.headers.get('cadre-omitted') ?? '', /personal/)
  for (const query of ['termination_type_id=1', 'termination_reason_ids[]=1', 'without[]=termination_type_id'])
    assert.equal((await service.get(`/employees?status=all&${query}`, { key })).status, 403, query)
})

test('a report never begins before the first date that the API knows', async () => {
  for (const name of ['headcount', 'turnover', 'absence', 'time_to_hire']) {
    const { status, body, text } = await service.get(`/reports/${name}?to=1900-03-15`)
    assert.equal(status, 200, text)
    assert.equal(body.data.from, '1900-01-01', name)
  }
})
