import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import type Holidays from 'date-holidays'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { connect } from '../../src/database/connect.ts'
import { daysFrom } from '../../src/engine/day.ts'
import { fc } from '../chance.ts'
import { type Service, startService } from '../harness.ts'
import { oneEngineTest, rounds } from '../thorough.ts'

const Library = createRequire(import.meta.url)('date-holidays') as typeof Holidays

let service: Service
let now = new Date('2026-06-01T12:00:00Z')
before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

const make: Service['make'] = (path, values) => service.make(path, values)
let count = 0
type Place = { id: number }
const policyFor = (country_code: string, region_code: string | null = null) =>
  make('/holiday_policies', { name: `Policy ${++count}`, country_code, region_code })
const locationFor = (policy: Place | null, region_code: string | null = null) =>
  make('/locations', { name: `Place ${++count}`, holiday_policy_id: policy?.id ?? null, region_code })
const workerAt = (location: Place) => service.hire({ hired_on: '2020-01-01', location_id: location.id })
const done = async (answer: Promise<any>) => {
  const result = await answer
  assert.ok(result.status < 300, result.text)
  return result
}
const change = async (path: string, values: object) => (await done(service.put(path, values))).body.data
const undo = (answer: any) => done(service.post(`/requests/${answer.headers.get('x-request-id')}/undo`))
const recordsOf = async (policy: Place, query = '') => {
  const { body } = await service.get(`/holidays?holiday_policy_id=${policy.id}&per_page=200${query}`)
  return body.data as any[]
}
const regionsOf = async (policy: Place) => {
  const rows = (await recordsOf(policy)).filter((row) => row.region_code)
  return [...new Set(rows.map((row) => `${row.region_code} ${row.occurs_on.slice(0, 4)}`))].sort()
}
const errorsOf = ({ status, body, text }: any) => {
  assert.equal(status, 422, text)
  return body.errors.map(({ field, code, message }: any) => [field, code, message])
}

const isWorkday = (day: string) => ![0, 6].includes(new Date(day).getUTCDay())

/** What the library itself says to be free in a country or a region. */
const publicIn = (year: number, ...place: [country: string, state?: string]) =>
  new Set(
    new Library(...(place as [string, string]))
      .getHolidays(year)
      .filter(({ type }) => type === 'public')
      .map(({ date }) => date.slice(0, 10)),
  )

/** Of these, Monday to Friday. */
const publicDays = (country: string, state: string | null, year: number) =>
  [...publicIn(year, country, ...(state ? [state] : []))].filter(isWorkday)

/** The days that timesheets say to be free for a person. */
async function freeDays(person: Place, year: number) {
  const free: string[] = []
  for (let month = 1; month <= 12; month++) {
    const query = `employee_ids[]=${person.id}&year=${year}&month=${month}&days=true`
    for (const day of (await service.get(`/time/timesheets?${query}`)).body.data[0].days)
      if (isWorkday(day.date) && day.expected_minutes === 0) free.push(day.date)
  }
  return free
}

const ownDays = async (person: Place, from: string, to: string) => {
  const { body } = await service.get(`/employees/${person.id}/holidays?starts_on=${from}&ends_on=${to}&per_page=200`)
  return body.data as any[]
}

async function leaveOf(person: Place, starts_on: string, ends_on: string) {
  const type = await make('/leave_types', { name: `Leave ${++count}` })
  const policy = await make('/leave_policies', { name: `Leave ${count}`, leave_type_id: type.id, type: 'external' })
  await make(`/employees/${person.id}/leave_types`, {
    leave_type_id: type.id,
    leave_type_policy_id: policy.id,
    effective_on: '2020-01-01',
  })
  return make('/leave_requests', { employee_id: person.id, leave_type_id: type.id, starts_on, ends_on })
}
const amountOf = async ({ id }: Place) => (await service.get(`/leave_requests/${id}`)).body.data.amount

describe('regions', () => {
  test('of a country are listed with their names', async () => {
    const { body } = await service.get('/holiday_regions?country_code=de')
    assert.equal(body.data.length, 16)
    assert.deepEqual(
      body.data.find(({ code }: any) => code === 'DE-BY'),
      { code: 'DE-BY', name: 'Bayern', country_code: 'DE' },
    )
    assert.deepEqual((await service.get('/holiday_regions?country_code=PL')).body.data, [])
    const all = (await service.get('/holiday_regions')).body.data.map(({ code }: any) => code)
    assert.ok(all.length > 300 && all.includes('DE-BY') && all.includes('US-CA'))
    assert.equal((await service.get('/holiday_regions?country_code=XX')).status, 400)
  })

  test('must be known, and in the country of the holiday policy', async () => {
    const policy = (values: object) => service.post('/holiday_policies', { name: `No ${++count}`, ...values })
    const [[field, code, message]] = errorsOf(await policy({ country_code: 'DE', region_code: 'DE-XX' }))
    assert.deepEqual([field, code], ['region_code', 'not_found'])
    assert.match(message, /DE-BB, DE-BE,.*\/holiday_regions\?country_code=DE/)
    const [[, other, why]] = errorsOf(await policy({ country_code: 'DE', region_code: 'AT-9' }))
    assert.deepEqual([other, /must be a region of DE/.test(why)], ['mismatch', true])
    const [[, , none]] = errorsOf(await policy({ country_code: 'PL', region_code: 'PL-14' }))
    assert.match(none, /PL has no regions with public holidays of their own: send null/)
    assert.deepEqual(errorsOf(await policy({ country_code: 'DE', region_code: 'Bayern' }))[0].slice(0, 2), [
      'region_code',
      'invalid',
    ])

    const german = await policyFor('DE')
    const place = (values: object) => service.post('/locations', { name: `No ${++count}`, ...values })
    for (const values of [
      { holiday_policy_id: german.id, region_code: 'AT-9' },
      { country_code: 'DE', region_code: 'AT-9' },
      { holiday_policy_id: german.id, region_code: 'DE-XX' },
      { region_code: 'DE-XX' },
    ])
      assert.deepEqual(
        errorsOf(await place(values)).map(([name]: any) => name),
        ['region_code'],
        JSON.stringify(values),
      )
    const munich = await locationFor(german, 'de-by')
    assert.equal(munich.region_code, 'DE-BY')
    const austrian = await policyFor('AT')
    assert.equal(
      errorsOf(await service.put(`/locations/${munich.id}`, { holiday_policy_id: austrian.id }))[0][1],
      'mismatch',
    )
    await change(`/locations/${munich.id}`, { holiday_policy_id: austrian.id, region_code: null })

    const day = { holiday_policy_id: german.id, name: 'Ours', occurs_on: '2026-08-03' }
    assert.equal(errorsOf(await service.post('/holidays', { ...day, region_code: 'AT-9' }))[0][1], 'mismatch')
    await make('/holidays', { ...day, region_code: 'DE-BY' })
    await make('/holidays', { ...day, region_code: 'DE-BE' })
    await make('/holidays', day)
    assert.equal(errorsOf(await service.post('/holidays', { ...day, region_code: 'DE-BY' }))[0][1], 'taken')
    assert.equal(errorsOf(await service.post('/holidays', day))[0][1], 'taken')
  })

  test('hold the country of their policy', async () => {
    const policy = await policyFor('DE', 'DE-BY')
    const changed = await service.put(`/holiday_policies/${policy.id}`, { country_code: 'AT' })
    assert.deepEqual(errorsOf(changed)[0].slice(0, 2), ['region_code', 'mismatch'])
    const berlin = await locationFor(policy, 'DE-BE')
    const refused = await service.put(`/holiday_policies/${policy.id}`, { country_code: 'AT', region_code: null })
    const [[field, code, message]] = errorsOf(refused)
    assert.deepEqual([field, code], ['country_code', 'not_allowed'])
    assert.match(message, new RegExp(`of another country: ${berlin.name}\\. Set their region_code to null`))
    await change(`/locations/${berlin.id}`, { region_code: null })
    const moved = await done(service.put(`/holiday_policies/${policy.id}`, { country_code: 'AT', region_code: null }))
    assert.deepEqual(await regionsOf(policy), [])
    assert.ok((await recordsOf(policy)).some(({ name }) => name === 'Nationalfeiertag'))
    await undo(moved)
    assert.deepEqual(await regionsOf(policy), ['DE-BY 2026', 'DE-BY 2027'])
    assert.ok(!(await recordsOf(policy)).some(({ name }) => name === 'Nationalfeiertag'))
  })
})

describe('one holiday policy for several regions', () => {
  oneEngineTest('gives everybody the days of the country and those of their own region, in all years', async () => {
    const policy = await policyFor('DE')
    const people = {
      BY: await workerAt(await locationFor(policy, 'DE-BY')),
      BE: await workerAt(await locationFor(policy, 'DE-BE')),
      none: await workerAt(await locationFor(policy)),
    }
    assert.deepEqual(await regionsOf(policy), ['DE-BE 2026', 'DE-BE 2027', 'DE-BY 2026', 'DE-BY 2027'])
    for (const year of [2025, 2026, 2027, 2029])
      for (const [state, person] of Object.entries(people)) {
        const expected = publicDays('DE', state === 'none' ? null : state, year)
        assert.deepEqual(await freeDays(person, year), expected, `timesheets ${state} ${year}`)
        const own = await ownDays(person, `${year}-01-01`, `${year}-12-31`)
        assert.deepEqual(own.map((one) => one.occurs_on).filter(isWorkday), expected, `employee ${state} ${year}`)
        assert.equal(new Set(own.map((one) => one.id)).size, own.length)
        const request = await leaveOf(person, `${year}-01-01`, `${year}-12-31`)
        const workdays = daysFrom(`${year}-01-01`, `${year}-12-31`).filter(isWorkday)
        assert.equal(request.amount, workdays.length - expected.length, `leave ${state} ${year}`)
        await service.delete(`/leave_requests/${request.id}`)
      }
    const calendar = async (day: string) =>
      (await service.get(`/calendars?starts_on=${day}&ends_on=${day}&types[]=holiday`)).body.data
        .filter(({ data }: any) => data.holiday_policy_id === policy.id)
        .map(({ title, data }: any) => [title, data.region_code])
    for (const day of ['2027-01-06', '2025-01-06'])
      assert.deepEqual(await calendar(day), [[`Heilige Drei Könige (${policy.name}, Bayern)`, 'DE-BY']])
    assert.deepEqual(await calendar('2029-05-01'), [[`Maifeiertag (${policy.name})`, null]])
  })

  test('uses the region of the policy where a location has none', async () => {
    const policy = await policyFor('DE', 'DE-BY')
    const [munich, berlin] = [await locationFor(policy), await locationFor(policy, 'DE-BE')]
    assert.deepEqual(await freeDays(await workerAt(munich), 2027), publicDays('DE', 'BY', 2027))
    assert.deepEqual(await freeDays(await workerAt(berlin), 2027), publicDays('DE', 'BE', 2027))
    const found = async (place: Place) => {
      const rows = (await service.get(`/holidays?location_id=${place.id}&per_page=200`)).body.data
      return [...new Set(rows.map((row: any) => row.region_code))].sort()
    }
    assert.deepEqual([await found(munich), await found(berlin)], [['DE-BY', null].sort(), ['DE-BE', null].sort()])
  })

  test('has no second record for a holiday of the country that a region calls by another name', async () => {
    const policy = await policyFor('CH', 'CH-GE')
    const rows = await recordsOf(policy, '&starts_on=2027-01-01&ends_on=2027-01-01')
    assert.deepEqual(
      rows.map(({ name, region_code }) => [name, region_code]),
      [['Neujahr', null]],
    )
    assert.ok((await recordsOf(policy)).some(({ region_code }) => region_code === 'CH-GE'))
  })

  test('is filled with the days of its regions when the next year comes near', async () => {
    const policy = await policyFor('DE')
    await locationFor(policy, 'DE-BE')
    const config = { ...readConfig({}), LOG_LEVEL: 'silent' as const }
    const database = connect(service.databaseUrl)
    const later = await buildApp({ config, database, clock: () => new Date('2027-06-01T12:00:00Z') })
    await later.ready()
    await later.close()
    assert.deepEqual(await regionsOf(policy), ['DE-BE 2026', 'DE-BE 2027', 'DE-BE 2028'])
  })
})

describe('a region that is set later', () => {
  oneEngineTest('applies to past years too, whether they are stored or not', async (t) => {
    const earlier = now
    t.after(() => {
      now = earlier
    })
    const policy = await policyFor('DE')
    const place = await locationFor(policy, 'DE-BE')
    const person = await workerAt(place)
    now = new Date('2028-06-01T12:00:00Z')
    await change(`/locations/${place.id}`, { region_code: 'DE-BY' })
    for (const year of [2025, 2026, 2027, 2028])
      assert.deepEqual(await freeDays(person, year), publicDays('DE', 'BY', year), String(year))
  })

  test('adds its days to all stored years, and recounts leave', async () => {
    const policy = await policyFor('DE')
    const place = await locationFor(policy)
    const person = await workerAt(place)
    // Corpus Christi is on Thursday 4 June 2026, and on 14 June 2029, when nothing is stored yet.
    const soon = await leaveOf(person, '2026-06-01', '2026-06-05')
    const far = await leaveOf(person, '2029-05-28', '2029-06-01')
    assert.deepEqual([await amountOf(soon), await amountOf(far)], [5, 5])
    const set = await done(service.put(`/locations/${place.id}`, { region_code: 'DE-BY' }))
    assert.deepEqual([await amountOf(soon), await amountOf(far)], [4, 4])
    assert.deepEqual(await regionsOf(policy), ['DE-BY 2026', 'DE-BY 2027'])
    const added = (await recordsOf(policy)).filter(({ region_code }) => region_code)
    assert.ok(added.every(({ generated }) => generated))

    await undo(set)
    assert.deepEqual([await amountOf(soon), await amountOf(far), await regionsOf(policy)], [5, 5, []])
    const own = await done(service.put(`/holiday_policies/${policy.id}`, { region_code: 'DE-BY' }))
    assert.deepEqual([await amountOf(soon), await amountOf(far)], [4, 4])
    const { body } = await service.get(`/holiday_policies/${policy.id}/history`)
    assert.ok(JSON.stringify(body.data[0]).includes('DE-BY'))
    await undo(own)
    assert.deepEqual([await amountOf(soon), await amountOf(far), await regionsOf(policy)], [5, 5, []])
  })

  test('keeps what somebody entered, changed or deleted', async () => {
    const policy = await policyFor('DE')
    const mine = { holiday_policy_id: policy.id, name: 'Fronleichnam', occurs_on: '2026-06-04', half_day: true }
    await make('/holidays', mine)
    const [first, second] = [await locationFor(policy, 'DE-BY'), await locationFor(policy)]
    const regional = (await recordsOf(policy)).filter(({ region_code }) => region_code === 'DE-BY')
    assert.ok(!regional.some(({ occurs_on }) => occurs_on === mine.occurs_on), 'not a second time')
    const on = (day: string) => regional.find(({ occurs_on }) => occurs_on === day)
    await change(`/holidays/${on('2027-01-06').id}`, { name: 'Epiphany' })
    await done(service.delete(`/holidays/${on('2026-11-01').id}`))

    // Another location in the same region brings nothing back.
    await change(`/locations/${second.id}`, { region_code: 'DE-BY' })
    const kept = (await recordsOf(policy)).filter(({ region_code }) => region_code === 'DE-BY')
    assert.deepEqual(
      kept.map(({ id }) => id),
      regional.filter(({ occurs_on }) => occurs_on !== '2026-11-01').map(({ id }) => id),
    )
    // The last location that leaves the region takes the generated days along.
    await change(`/locations/${first.id}`, { region_code: null })
    assert.deepEqual(await regionsOf(policy), ['DE-BY 2026', 'DE-BY 2027'])
    await done(service.delete(`/locations/${second.id}`))
    const rest = (await recordsOf(policy)).filter(({ region_code }) => region_code)
    assert.deepEqual(
      rest.map(({ name }) => name),
      ['Epiphany'],
    )
  })

  oneEngineTest(
    'a policy always has the days of exactly the regions in use, whatever is changed or undone',
    async () => {
      const region = fc.constantFrom(null, 'DE-BY', 'DE-BE', 'DE-SN')
      const step = fc.oneof(
        fc.record({ kind: fc.constant('policy' as const), region }),
        fc.record({ kind: fc.constant('region' as const), at: fc.nat(2), region }),
        fc.record({ kind: fc.constant('use' as const), at: fc.nat(2), isUsed: fc.boolean() }),
        fc.record({ kind: fc.constant('undo' as const) }),
      )
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
          const policy = await policyFor('DE')
          const places = [await locationFor(policy), await locationFor(policy), await locationFor(null)]
          const undoable: any[] = []
          for (const one of steps) {
            if (one.kind === 'undo') {
              const last = undoable.pop()
              if (last) await undo(last)
            } else {
              const [path, values] =
                one.kind === 'policy'
                  ? [`/holiday_policies/${policy.id}`, { region_code: one.region }]
                  : one.kind === 'region'
                    ? [`/locations/${places[one.at].id}`, { region_code: one.region }]
                    : [`/locations/${places[one.at].id}`, { holiday_policy_id: one.isUsed ? policy.id : null }]
              const before = (await service.get(path)).body.data
              const answer = await done(service.put(path, values))
              if (Object.entries(values).some(([name, value]) => before[name] !== value)) undoable.push(answer)
            }
            const all = await Promise.all(
              places.map(async ({ id }) => (await service.get(`/locations/${id}`)).body.data),
            )
            const using = all.filter((place) => place.holiday_policy_id === policy.id)
            const own = (await service.get(`/holiday_policies/${policy.id}`)).body.data
            const inUse = new Set([own, ...using].flatMap((place) => place.region_code ?? []))
            const expected = [...inUse].flatMap((code) =>
              [2026, 2027].flatMap((year) =>
                [...publicIn(year, 'DE', code.slice(3)).difference(publicIn(year, 'DE'))].map(
                  (day) => `${code} ${day}`,
                ),
              ),
            )
            const stored = (await recordsOf(policy)).filter((row) => row.region_code)
            assert.deepEqual(stored.map((row) => `${row.region_code} ${row.occurs_on}`).sort(), expected.sort())
          }
        }),
        { numRuns: rounds(6, 60) },
      )
    },
  )
})

test('a day off of the company is for everybody or for one region, whole or half', async () => {
  const policy = await policyFor('DE')
  const [munich, berlin] = [await locationFor(policy, 'DE-BY'), await locationFor(policy, 'DE-BE')]
  const people = [await workerAt(munich), await workerAt(berlin)] as const
  const requests = [
    await leaveOf(people[0], '2026-07-06', '2026-07-10'),
    await leaveOf(people[1], '2026-07-06', '2026-07-10'),
  ] as const
  const amounts = () => Promise.all(requests.map(amountOf))
  const day = { holiday_policy_id: policy.id, name: 'Bridge day' }
  await make('/holidays', { ...day, occurs_on: '2026-07-06' })
  assert.deepEqual(await amounts(), [4, 4])
  const half = await make('/holidays', { ...day, occurs_on: '2026-07-07', half_day: true, region_code: 'DE-BY' })
  assert.deepEqual(await amounts(), [3.5, 4])
  const expected = async (person: Place) => {
    const query = `employee_ids[]=${person.id}&year=2026&month=7&days=true`
    const { days } = (await service.get(`/time/timesheets?${query}`)).body.data[0]
    return days.slice(5, 8).map((one: any) => one.expected_minutes)
  }
  assert.deepEqual(
    [await expected(people[0]), await expected(people[1])],
    [
      [0, 240, 480],
      [0, 480, 480],
    ],
  )
  const { body } = await service.get('/calendars?starts_on=2026-07-07&ends_on=2026-07-07&types[]=holiday')
  const ours = body.data.filter(({ data }: any) => data.holiday_policy_id === policy.id)
  assert.deepEqual(
    ours.map(({ data }: any) => data),
    [{ holiday_id: half.id, holiday_policy_id: policy.id, region_code: 'DE-BY', half_day: true }],
  )
  // Two halves on one day are still one half: of the region and of everybody.
  await make('/holidays', { ...day, name: 'Afternoon off', occurs_on: '2026-07-07', half_day: true })
  assert.deepEqual(await amounts(), [3.5, 3.5])
  await change(`/holidays/${half.id}`, { region_code: 'DE-BE', half_day: false })
  assert.deepEqual(await amounts(), [3.5, 3])
})
