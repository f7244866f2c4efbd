import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { connect } from '../../src/database/connect.ts'
import { readMigrations } from '../../src/database/migrate.ts'
import { daysFrom } from '../../src/engine/day.ts'
import { bringUpToDate } from '../../src/service.ts'
import { fc } from '../chance.ts'
import { emptyDatabase, type Service, startService } from '../harness.ts'
import { longTest, oneEngineTest, rounds } from '../thorough.ts'

let service: Service
let now = new Date('2026-06-15T12:00:00Z')
before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

const make: Service['make'] = (path, values) => service.make(path, values)
let count = 0
const policyFor = (country_code: string) => make('/holiday_policies', { name: `Policy ${++count}`, country_code })
const holidaysOf = async (policy: { id: number }, query = '') => {
  const { body } = await service.get(`/holidays?holiday_policy_ids[]=${policy.id}${query}`)
  return body.data
}
const daysOf = (rows: any[]) => rows.map((row) => [row.starts_on, row.ends_on, row.half_day])

/** Somebody who works eight hours from Monday to Friday, where the policy holds. */
async function worker(policy: { id: number }) {
  const location = await make('/locations', { name: `Place ${++count}`, holiday_policy_id: policy.id })
  return service.hire({ hired_on: '2020-01-01', location_id: location.id })
}
const expectedIn = async (employee: { id: number }, year: number, month: number) => {
  const { body } = await service.get(`/time/timesheets?employee_ids[]=${employee.id}&year=${year}&month=${month}`)
  return body.data[0].expected_minutes / 60
}

describe('public holidays', () => {
  test('include all their days in a country, and half days as half', async () => {
    const turkey = await policyFor('TR')
    const feast = (await holidaysOf(turkey)).filter((row: any) => row.name === 'Ramazan Bayramı')
    assert.deepEqual(daysOf(feast.slice(0, 2)), [
      ['2026-03-19', '2026-03-19', true],
      ['2026-03-20', '2026-03-22', false],
    ])
    // Of 22 working days one is free, and the afternoon before it.
    assert.equal(await expectedIn(await worker(turkey), 2026, 3), 22 * 8 - 8 - 4)

    const tet = (await holidaysOf(await policyFor('VN'))).find((row: any) => row.name.startsWith('Giao thừa'))
    assert.deepEqual([tet.starts_on, tet.ends_on], ['2026-02-16', '2026-02-20'])
    const eid = (await holidaysOf(await policyFor('AE'))).filter((row: any) => row.starts_on.startsWith('2026-03'))
    assert.deepEqual(daysOf(eid), [['2026-03-20', '2026-03-22', false]])
    const chuseok = (await holidaysOf(await policyFor('KR'))).find((row: any) => row.starts_on === '2026-09-24')
    assert.equal(chuseok.ends_on, '2026-09-26')
    const eve = (await holidaysOf(await policyFor('IS'))).find((row: any) => row.starts_on === '2026-12-24')
    assert.equal(eve.half_day, true)
    // A day on which the clocks change is one day.
    const easter = (await holidaysOf(await policyFor('PL'))).find((row: any) => row.starts_on === '2027-03-28')
    assert.deepEqual([easter.ends_on, easter.half_day], ['2027-03-28', false])
  })

  test('of a new country replace generated ones; holidays entered or edited by hand stay', async () => {
    const policy = await policyFor('DE')
    const own = await make('/holidays', { holiday_policy_id: policy.id, name: 'Own', occurs_on: '2026-08-08' })
    const [first, second] = await holidaysOf(policy)
    assert.deepEqual([first.generated, own.generated], [true, false])
    await service.put(`/holidays/${first.id}`, { name: 'Renamed' })
    await service.put(`/holidays/${second.id}`, { name: second.name })
    assert.equal((await service.get(`/holidays/${second.id}`)).body.data.generated, true)

    await service.put(`/holiday_policies/${policy.id}`, { country_code: 'AT' })
    const plain = ({ name, starts_on, ends_on }: any) => `${starts_on} ${ends_on} ${name}`
    const austrian = (await holidaysOf(await policyFor('AT'))).map(plain)
    const kept = [own, { ...first, name: 'Renamed' }].map(plain)
    assert.deepEqual((await holidaysOf(policy)).map(plain).sort(), [...austrian, ...kept].sort())

    // What is sent again changes nothing, also not what somebody has taken out.
    await service.delete(`/holidays/${(await holidaysOf(policy)).at(-1).id}`)
    const before = await holidaysOf(policy)
    await service.put(`/holiday_policies/${policy.id}`, { country_code: 'AT', name: `Austria ${policy.id}` })
    assert.deepEqual(await holidaysOf(policy), before)
  })

  test('of past years stay when the country changes', async () => {
    const policy = await policyFor('DE')
    now = new Date('2027-02-01T12:00:00Z')
    try {
      await service.put(`/holiday_policies/${policy.id}`, { country_code: 'FR' })
      const past = await holidaysOf(policy, '&ends_on=2026-12-31')
      assert.ok(past.some((row: any) => row.name === 'Tag der Deutschen Einheit'))
      const names = (await holidaysOf(policy, '&starts_on=2027-01-01')).map((row: any) => row.name)
      assert.ok(names.includes('Fête Nationale de la France') && !names.includes('Tag der Deutschen Einheit'))
      assert.equal((await holidaysOf(policy, '&starts_on=2028-12-25&ends_on=2028-12-25')).length, 1)
    } finally {
      now = new Date('2026-06-15T12:00:00Z')
    }
  })

  test('of later years count before they are stored, and are stored when their year comes near', async () => {
    const policy = await policyFor('DE')
    const person = await worker(policy)
    assert.deepEqual(await holidaysOf(policy, '&starts_on=2028-01-01'), [])
    // Friday 1 and Monday 25 December 2028 to Sunday 31: 21 working days, of which two are free.
    assert.equal(await expectedIn(person, 2028, 12), (21 - 2) * 8)
    const { body } = await service.get('/calendars?starts_on=2028-12-25&ends_on=2028-12-25')
    const ours = body.data.filter((event: any) => event.data.holiday_policy_id === policy.id)
    assert.deepEqual(
      ours.map(({ type, data }: any) => [type, data.holiday_id]),
      [['holiday', null]],
    )

    const config = { ...readConfig({}), LOG_LEVEL: 'silent' as const }
    for (const _ of ['one process', 'another process']) {
      const database = connect(service.databaseUrl)
      const later = await buildApp({ config, database, clock: () => new Date('2027-06-01T12:00:00Z') })
      await later.ready()
      await later.close()
    }
    const next = await holidaysOf(policy, '&starts_on=2028-01-01')
    const again = await holidaysOf(policy, '&starts_on=2027-01-01&ends_on=2027-12-31')
    assert.deepEqual([next.length, again.length], [9, 9])
    assert.ok(next.every((row: any) => row.generated && row.starts_on.startsWith('2028')))
    assert.equal(await expectedIn(person, 2028, 12), (21 - 2) * 8)
    const entry = await service.database.query((db) =>
      db.selectFrom('ledger').select(['actor_kind', 'operation']).orderBy('no', 'desc').executeTakeFirstOrThrow(),
    )
    assert.deepEqual({ ...entry }, { actor_kind: 'system', operation: 'fillNextYear' })
  })
})

describe('the calendar, employee holidays, timesheets and leave days use the same holidays', () => {
  /** What each of them says to be free in a year, Monday to Friday: `{'2025-12-25': 1}`. */
  async function freeIn(policy: { id: number }, person: { id: number }, year: number) {
    const [first, last] = [`${year}-01-01`, `${year}-12-31`]
    const isWorkday = (day: string) => ![0, 6].includes(new Date(day).getUTCDay())
    const collect = (stretches: [string, string, boolean][]) => {
      const free: Record<string, number> = {}
      for (const [from, to, half] of stretches)
        for (const day of daysFrom(from, to))
          if (isWorkday(day) && first <= day && day <= last) free[day] = Math.max(free[day] ?? 0, half ? 0.5 : 1)
      return Object.fromEntries(Object.entries(free).sort(([a], [b]) => (a < b ? -1 : 1)))
    }
    const events = (await service.get(`/calendars?starts_on=${first}&ends_on=${last}&types[]=holiday`)).body.data
    const calendar = collect(
      events
        .filter(({ data }: any) => data.holiday_policy_id === policy.id)
        .map(({ starts_on, ends_on, data }: any) => [starts_on, ends_on, data.half_day]),
    )
    const own = await service.get(`/employees/${person.id}/holidays?starts_on=${first}&ends_on=${last}&per_page=200`)
    assert.equal(own.status, 200, own.text)
    const employee = collect(
      own.body.data.map(({ starts_on, ends_on, half_day, working, observed_on, compensated_on }: any) => {
        const other = working ? compensated_on : observed_on
        return [other ?? starts_on, other ?? ends_on, half_day]
      }),
    )
    const timesheets: Record<string, number> = {}
    for (let month = 1; month <= 12; month++) {
      const query = `employee_ids[]=${person.id}&year=${year}&month=${month}&days=true`
      for (const day of (await service.get(`/time/timesheets?${query}`)).body.data[0].days)
        if (isWorkday(day.date) && day.expected_minutes < 480) timesheets[day.date] = 1 - day.expected_minutes / 480
    }
    return { calendar, employee, timesheets }
  }

  /** The days of leave for a whole year, by a type of leave that anybody may take as much of as they like. */
  async function freeOnLeave(person: { id: number }, year: number) {
    const type = await make('/leave_types', { name: `Leave ${++count}` })
    const policy = await make('/leave_policies', { name: `Leave ${count}`, leave_type_id: type.id, type: 'external' })
    await make(`/employees/${person.id}/leave_types`, {
      leave_type_id: type.id,
      leave_type_policy_id: policy.id,
      effective_on: '2020-01-01',
    })
    const asked = { employee_id: person.id, leave_type_id: type.id }
    const request = await make('/leave_requests', { ...asked, starts_on: `${year}-01-01`, ends_on: `${year}-12-31` })
    const taken = new Map<string, number>(request.entries.map(({ date, amount }: any) => [date, amount]))
    await service.delete(`/leave_requests/${request.id}`)
    const free: Record<string, number> = {}
    for (const day of daysFrom(`${year}-01-01`, `${year}-12-31`))
      if (![0, 6].includes(new Date(day).getUTCDay()) && taken.get(day) !== 1) free[day] = 1 - (taken.get(day) ?? 0)
    return free
  }

  // One country shows it; others have days that move, or that last for several days.
  for (const [country, tried] of [
    ['DE', oneEngineTest],
    ['TR', longTest],
    ['US', longTest],
  ] as const)
    tried(`in ${country}, in years before, during and after the stored holidays`, async () => {
      const policy = await policyFor(country)
      const person = await worker(policy)
      for (const year of [2021, 2025, 2026, 2027, 2028, 2031]) {
        const { calendar, employee, timesheets } = await freeIn(policy, person, year)
        assert.ok(Object.keys(calendar).length >= 4, `${year}: ${JSON.stringify(calendar)}`)
        assert.deepEqual(employee, calendar, `employee ${year}`)
        assert.deepEqual(timesheets, calendar, `timesheets ${year}`)
        assert.deepEqual(await freeOnLeave(person, year), calendar, `leave ${year}`)
      }
    })

  oneEngineTest('a holiday entered for a year without stored holidays replaces that of the country', async () => {
    const policy = await policyFor('DE')
    const person = await worker(policy)
    for (const day of ['2025-12-25', '2029-12-25']) {
      const year = Number(day.slice(0, 4))
      const there = (await freeIn(policy, person, year)).calendar
      assert.equal(there[day], 1)
      const name = '1. Weihnachtstag'
      const made = await make('/holidays', { holiday_policy_id: policy.id, name, occurs_on: day, working: true })
      const { [day]: _, ...without } = there
      const { calendar, employee, timesheets } = await freeIn(policy, person, year)
      assert.deepEqual([calendar, employee, timesheets], [without, without, without])
      await service.put(`/holidays/${made.id}`, { working: false })
      const again = await freeIn(policy, person, year)
      assert.deepEqual([again.calendar, again.employee, again.timesheets], [there, there, there])
      const events = (await service.get(`/calendars?starts_on=${day}&ends_on=${day}&types[]=holiday`)).body.data
      assert.equal(events.filter(({ data }: any) => data.holiday_policy_id === policy.id).length, 1, 'told once')
    }
  })

  test('years before the policy keep their holidays when its country changes', async () => {
    const policy = await policyFor('DE')
    const person = await worker(policy)
    const before = (await freeIn(policy, person, 2025)).calendar
    assert.equal(before['2025-10-03'], 1)
    const changed = await service.put(`/holiday_policies/${policy.id}`, { country_code: 'FR' })
    assert.deepEqual((await freeIn(policy, person, 2025)).calendar, before)
    await service.put(`/holiday_policies/${policy.id}`, { country_code: 'IT' })
    const { calendar, employee, timesheets } = await freeIn(policy, person, 2025)
    assert.deepEqual([calendar, employee, timesheets], [before, before, before])
    const shown = ['country_code', 'created_at', 'id', 'name', 'region_code', 'updated_at']
    assert.deepEqual(Object.keys(changed.body.data).sort(), shown)
  })

  test('an employee has only the holidays within their employment, at their location of that day', async () => {
    const [german, french] = [await policyFor('DE'), await policyFor('FR')]
    const person = await worker(german)
    const paris = await make('/locations', { name: `Paris ${++count}`, holiday_policy_id: french.id })
    await make(`/employees/${person.id}/positions`, { effective_from: '2025-07-01', location_id: paris.id })
    await service.post(`/employees/${person.id}/terminate`, { effective_from: '2025-12-25' })
    const { body } = await service.get(
      `/employees/${person.id}/holidays?starts_on=2025-05-01&ends_on=2026-01-31&per_page=200`,
    )
    assert.deepEqual(
      body.data.map((one: any) => one.occurs_on),
      ['2025-05-01', '2025-05-29', '2025-06-09', '2025-07-14', '2025-08-15', '2025-11-01', '2025-11-11'],
    )
    const back = await service.get(
      `/employees/${person.id}/holidays?starts_on=2025-05-01&ends_on=2026-01-31&sort=-occurs_on&per_page=2&page=2`,
    )
    assert.deepEqual(
      [back.body.data.map((one: any) => one.occurs_on), back.body.metadata.count],
      [['2025-08-15', '2025-07-14'], 7],
    )
  })
})

describe('holidays', () => {
  test('are found by each of their days', async () => {
    const policy = await policyFor('AQ')
    const made = await make('/holidays', {
      holiday_policy_id: policy.id,
      name: 'Long',
      starts_on: '2026-07-06',
      ends_on: '2026-07-10',
    })
    assert.deepEqual(
      [made.occurs_on, made.starts_on, made.ends_on, made.observed_on, made.compensated_on],
      ['2026-07-06', '2026-07-06', '2026-07-10', null, null],
    )
    const found = async (from: string, to: string) =>
      (await holidaysOf(policy, `&starts_on=${from}&ends_on=${to}`)).length === 1
    assert.deepEqual(
      [
        await found('2026-07-01', '2026-07-06'),
        await found('2026-07-08', '2026-07-08'),
        await found('2026-07-10', '2026-07-31'),
        await found('2026-07-01', '2026-07-05'),
        await found('2026-07-11', '2026-07-31'),
      ],
      [true, true, true, false, false],
    )
    const employee = await worker(policy)
    const { body } = await service.get(`/employees/${employee.id}/holidays?starts_on=2026-07-09&ends_on=2026-07-09`)
    assert.deepEqual(
      body.data.map((row: any) => row.id),
      [made.id],
    )
    // Moved by its first day alone, it keeps its length; null makes it a single day again.
    const moved = (await service.put(`/holidays/${made.id}`, { occurs_on: '2026-08-03' })).body.data
    assert.deepEqual([moved.starts_on, moved.ends_on], ['2026-08-03', '2026-08-07'])
    const single = (await service.put(`/holidays/${made.id}`, { ends_on: null })).body.data
    assert.deepEqual([single.starts_on, single.ends_on], ['2026-08-03', '2026-08-03'])
  })

  test('need dates in order, of a sensible length, that fit together', async () => {
    const policy = await policyFor('AQ')
    const refused = async (values: Record<string, unknown>) => {
      const { status, body } = await service.post('/holidays', { holiday_policy_id: policy.id, name: 'No', ...values })
      assert.equal(status, 422)
      return body.errors.map(({ field, code }: any) => `${field} ${code}`)
    }
    assert.deepEqual(await refused({}), ['occurs_on required'])
    assert.deepEqual(await refused({ starts_on: 'soon' }), ['starts_on invalid'])
    const day = '2026-07-06'
    assert.deepEqual(await refused({ starts_on: day, occurs_on: '2026-07-07' }), ['starts_on mismatch'])
    assert.deepEqual(await refused({ occurs_on: day, ends_on: '2026-07-05' }), ['ends_on too_early'])
    assert.deepEqual(await refused({ occurs_on: day, ends_on: '2026-08-06' }), ['ends_on too_late'])
    assert.deepEqual(await refused({ occurs_on: day, ends_on: '2026-07-07', observed_on: '2026-07-09' }), [
      'observed_on not_allowed',
    ])
    assert.deepEqual(await refused({ occurs_on: day, compensated_on: '2026-07-09' }), ['compensated_on not_allowed'])
    assert.deepEqual(await holidaysOf(policy), [])
    const made = await make('/holidays', { holiday_policy_id: policy.id, name: 'Yes', occurs_on: day })
    const { status } = await service.put(`/holidays/${made.id}`, { ends_on: '2026-07-05' })
    assert.equal(status, 422)
  })

  test('give the same expected hours as a naive recount: long, half, worked, observed or compensated', async () => {
    const policy = await policyFor('AQ')
    const person = await worker(policy)
    const date = (n: number) => new Date(Date.UTC(2026, 5, 1 + n)).toISOString().slice(0, 10)
    const day = fc.integer({ min: -35, max: 40 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            first: day,
            length: fc.integer({ min: 1, max: 31 }),
            half_day: fc.boolean(),
            working: fc.boolean(),
            other: fc.option(day),
          }),
          { minLength: 1, maxLength: 4 },
        ),
        async (wanted) => {
          const free = new Map<string, number>()
          const ids: number[] = []
          for (const [n, { first, length, half_day, working, other }] of wanted.entries()) {
            const days = other === null || working ? length : 1
            const stands = other === null ? {} : { [working ? 'compensated_on' : 'observed_on']: date(other) }
            const values = { occurs_on: date(first), ends_on: date(first + days - 1), half_day, working, ...stands }
            const made = await make('/holidays', { holiday_policy_id: policy.id, name: `Day ${n}`, ...values })
            ids.push(made.id)
            const own = Array.from({ length: days }, (_, k) => date(first + k))
            for (const one of other !== null ? [date(other)] : working ? [] : own)
              free.set(one, Math.max(free.get(one) ?? 0, half_day ? 4 : 8))
          }
          let naive = 0
          for (let n = 0; n < 30; n++)
            if (![0, 6].includes(new Date(date(n)).getUTCDay())) naive += 8 - (free.get(date(n)) ?? 0)
          const expected = await expectedIn(person, 2026, 6)
          for (const id of ids) await service.delete(`/holidays/${id}`)
          assert.equal(expected, naive)
        },
      ),
      { numRuns: rounds(8, 50) },
    )
  })
})

test('migration marks generated holidays of earlier versions from the ledger and adds their days from today on', async () => {
  const { url, remove } = await emptyDatabase()
  const database = connect(url)
  try {
    const at = '2026-02-01T00:00:00.000Z'
    const stamps = { created_at: at, updated_at: at }
    await database.write(async (db) => {
      const run = (text: string) => sql.raw(database.ddl(text)).execute(db)
      await run(`create table schema_migrations (
        number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null)`)
      for (const { number, name, checksum, statements } of readMigrations().filter((one) => one.number < 11)) {
        for (const statement of statements) await run(statement)
        await db.insertInto('schema_migrations').values({ number, name, checksum, applied_at: at }).execute()
      }
      const account = { id: 1, name: 'A', time_zone: 'UTC', currency_code: 'EUR', signing_key: 'x' }
      await db
        .insertInto('accounts')
        .values({ ...account, ledger_no: 6, turn_at: at, created_at: at })
        .execute()
      for (const [id, country_code] of [
        [1, 'TR'],
        [2, 'DE'],
      ] as const)
        await db
          .insertInto('holiday_policies')
          .values({ account_id: 1, id, name: country_code, name_key: country_code, country_code, ...stamps })
          .execute()
      const rows = [
        [1, 1, 'Ramazan Bayramı', '2026-03-20'],
        [2, 1, 'Kurban Bayramı', '2026-05-27'],
        [3, 1, 'Kurban Bayramı', '2027-05-16'],
        [4, 1, 'Ours', '2026-06-01'],
        [5, 2, 'Neujahr', '2027-01-01'],
      ] as const
      for (const [id, holiday_policy_id, name, occurs_on] of rows)
        await db
          .insertInto('holidays')
          .values({ account_id: 1, id, holiday_policy_id, name, occurs_on, working: false, ...stamps })
          .execute()
      const entry = { account_id: 1, at, actor_kind: 'key', request_id: '-', correlation_id: '-', resource: 'holidays' }
      for (const [no, record_id, action, operation] of [
        [1, 1, 'create', 'createHolidayPolicy'],
        [2, 2, 'create', 'createHolidayPolicy'],
        [3, 3, 'create', 'createHolidayPolicy'],
        [4, 3, 'update', 'updateHoliday'],
        [5, 4, 'create', 'createHoliday'],
        [6, 5, 'create', 'createHolidayPolicy'],
      ] as const)
        await db
          .insertInto('ledger')
          .values({ ...entry, no, record_id, action, operation })
          .execute()
      await db.insertInto('counters').values({ account_id: 1, resource: 'holidays', last_id: 5, live: 5 }).execute()
    })
    await bringUpToDate(database)
    const all = () =>
      database.query((db) =>
        db.selectFrom('holidays').selectAll().where('occurs_on', '<', '2027-12-01').orderBy('occurs_on').execute(),
      )
    const marked = (await all()).map((row) => [row.id, Boolean(row.generated)])
    assert.deepEqual(Object.fromEntries(marked), { 1: true, 2: true, 3: false, 4: false, 5: true })

    const config = { ...readConfig({}), LOG_LEVEL: 'silent' as const }
    const app = await buildApp({ config, database, clock: () => new Date('2026-04-01T12:00:00Z') })
    await app.ready()
    const shown = (await all()).map((row) => `${row.free_from} ${row.free_until} ${Boolean(row.half_day)} ${row.name}`)
    assert.deepEqual(shown, [
      // What is past was counted so; what was changed or entered by hand stays; what was deleted does not come back.
      '2026-03-20 2026-03-20 false Ramazan Bayramı',
      '2026-05-26 2026-05-26 true Kurban Bayramı',
      '2026-05-27 2026-05-30 false Kurban Bayramı',
      '2026-06-01 2026-06-01 false Ours',
      '2027-01-01 2027-01-01 false Neujahr',
      '2027-05-16 2027-05-16 false Kurban Bayramı',
    ])
  } finally {
    await database.close()
    await remove()
  }
})
