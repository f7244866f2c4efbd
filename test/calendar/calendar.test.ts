import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { markTablesChanged } from '../../src/records/write-transaction.ts'
import { fc } from '../chance.ts'
import { type Service, startService } from '../harness.ts'
import { oneEngineTest, rounds } from '../thorough.ts'

let service: Service
let now = new Date('2026-06-15T12:00:00Z')
before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

const make: Service['make'] = (path, values) => service.make(path, values)
const leave = async (person: { id: number }, effective_from: string) =>
  assert.equal((await service.post(`/employees/${person.id}/terminate`, { effective_from })).status, 200)

type Event = { starts_on: string; ends_on: string; type: string; title: string; data: Record<string, any> }

const events = async (from: string, to: string, key = service.key): Promise<Event[]> => {
  const { body } = await service.get(`/calendars?starts_on=${from}&ends_on=${to}`, { key })
  return body.data
}
const eventsOf = async (person: { id: number }, from: string, to: string) =>
  (await events(from, to)).filter(({ data }) => data.employee_id === person.id)
const told = (all: Event[]) => all.map(({ type, starts_on, ends_on }) => `${type} ${starts_on} ${ends_on}`)

const date = (n: number) => new Date(Date.UTC(2019, 0, 1 + n)).toISOString().slice(0, 10)

/** The n-th return of a day, as one reckons who looks at a calendar: year by year, the 28th where there is no 29th. */
function nthReturn(day: string, n: number): string {
  const [year, month, number] = day.split('-').map(Number) as [number, number, number]
  const found = new Date(Date.UTC(year + n, month - 1, number))
  if (found.getUTCMonth() !== month - 1) found.setUTCDate(0)
  return found.toISOString().slice(0, 10)
}
const returnsBetween = (day: string, from: string, to: string) =>
  Array.from({ length: 30 }, (_, n) => ({ day: nthReturn(day, n + 1), years: n + 1 })).filter(
    (one) => one.day >= from && one.day <= to,
  )

describe('anniversaries', () => {
  test('are the yearly returns of the hire date, as a naive calendar computes them, also in the list', async () => {
    const hirings = ['2020-02-29', '2024-02-29', '2023-02-28', '2024-02-28', '2024-03-01', '2023-12-31', '2024-01-01']
    const others = fc.sample(fc.integer({ min: 0, max: 2600 }), 25).map(date)
    const people = new Map<number, string>()
    for (const hired_on of [...hirings, ...others]) people.set((await service.hire({ hired_on })).id, hired_on)
    const near = fc.constantFrom('2024-02-28', '2024-02-29', '2024-03-01', '2025-02-28', '2025-03-01', '2023-02-28')
    const first = fc.oneof(near, fc.integer({ min: 365, max: 3000 }).map(date))
    const length = fc.oneof(fc.constantFrom(0, 1, 364, 365, 366), fc.integer({ min: 0, max: 366 }))
    const later = (day: string, days: number) =>
      new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
    await fc.assert(
      fc.asyncProperty(first, length, async (from, days) => {
        const to = later(from, days)
        const shown = (await events(from, to)).filter(({ type }) => type === 'anniversary')
        const naive = [...people].flatMap(([id, day]) =>
          returnsBetween(day, from, to).map((one) => `${one.day} ${id} ${one.years}`),
        )
        assert.deepEqual(
          shown.map(({ starts_on, data }) => `${starts_on} ${data.employee_id} ${data.years}`).sort(),
          naive.sort(),
        )
      }),
      { numRuns: rounds(20, 120) },
    )
    // The list has no bound: ranges of several years.
    const span = fc.oneof(fc.constantFrom(364, 365, 366, 730, 731), fc.integer({ min: 0, max: 1500 }))
    const listed = async (from: string, to: string) => {
      const { body } = await service.get(`/employees/anniversaries?date[gte]=${from}&date[lte]=${to}`)
      assert.deepEqual(
        body.data.map(({ id }: any) => id),
        [...people].flatMap(([id, day]) => (returnsBetween(day, from, to).length > 0 ? [id] : [])),
        `${from} ${to}`,
      )
    }
    await fc.assert(
      fc.asyncProperty(first, span, (from, days) => listed(from, later(from, days))),
      { numRuns: rounds(15, 80) },
    )
    // Whoever is hired within the range has their day a year later, to the day.
    for (const day of hirings)
      for (const offset of [-1, 0, 1]) await listed(later(day, -3), later(nthReturn(day, 1), offset))
  })
})

oneEngineTest(
  'anniversaries and birthdays of leavers are listed until they leave, over ranges of any length',
  async () => {
    const own = await startService({ clock: () => now })
    try {
      const people: { id: number; hired: string; born: string; left: string }[] = []
      const hirings = fc.sample(fc.integer({ min: 0, max: 3200 }), 24).map(date)
      const stays = fc.sample(fc.integer({ min: 1, max: 1500 }), 24)
      for (const [index, hired] of [...hirings, '2024-02-29', '2026-02-28', '2024-12-20'].entries()) {
        const left = date(2725 + (stays[index] ?? 200 + index))
        if (left <= hired) continue
        const born = `1990${(hirings[(index * 7) % hirings.length] as string).slice(4).replace('02-29', '02-28')}`
        const { id } = await own.hire({ hired_on: hired, date_of_birth: born })
        const { status, text } = await own.post(`/employees/${id}/terminate`, { effective_from: left })
        assert.equal(status, 200, text)
        people.push({ id, hired, born, left })
      }
      const before = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
      const ids = async (path: string, from: string, to: string) =>
        (await own.get(`/employees/${path}?date[gte]=${from}&date[lte]=${to}&per_page=100`)).body.data.map(
          (one: any) => one.id,
        )
      const naive = (origin: 'hired' | 'born', from: string, to: string) =>
        people.flatMap((one) => {
          const last = before(one.left) < to ? before(one.left) : to
          return Array.from({ length: 60 }, (_, n) => nthReturn(one[origin], n + 1)).some(
            (day) => day >= from && day <= last,
          )
            ? [one.id]
            : []
        })
      const first = fc.integer({ min: 2000, max: 3600 }).map(date)
      const days = fc.oneof(fc.constantFrom(0, 364, 365, 366, 730, 731, 1000), fc.integer({ min: 0, max: 1800 }))
      const leap = fc.constantFrom('2027-02-28', '2028-02-29', '2027-03-01')
      await fc.assert(
        fc.asyncProperty(fc.oneof(first, leap), days, async (from, length) => {
          const to = new Date(Date.parse(from) + length * 86_400_000).toISOString().slice(0, 10)
          assert.deepEqual(await ids('anniversaries', from, to), naive('hired', from, to), `hired ${from} ${to}`)
          assert.deepEqual(await ids('birthdays', from, to), naive('born', from, to), `born ${from} ${to}`)
        }),
        { numRuns: rounds(20, 160) },
      )
    } finally {
      await own.stop()
    }
  },
)

describe('the calendar', () => {
  test('shows people from their first day until the day they leave', async () => {
    const leaver = await service.hire({ hired_on: '2020-07-10', date_of_birth: '1990-08-20' })
    await leave(leaver, '2026-08-10')
    assert.deepEqual(told(await eventsOf(leaver, '2026-07-01', '2026-08-31')), ['anniversary 2026-07-10 2026-07-10'])
    const stayer = await service.hire({ hired_on: '2020-07-10', date_of_birth: '1990-08-20' })
    assert.equal((await eventsOf(stayer, '2026-07-01', '2026-08-31')).length, 2)
    const newcomer = await service.hire({ hired_on: '2026-08-21', date_of_birth: '1990-08-20' })
    assert.deepEqual(told(await eventsOf(newcomer, '2026-07-01', '2027-06-30')), ['first_day 2026-08-21 2026-08-21'])
    assert.deepEqual(told(await eventsOf(newcomer, '2027-08-01', '2027-08-31')), [
      'birthday 2027-08-20 2027-08-20',
      'anniversary 2027-08-21 2027-08-21',
    ])
    const starter = await service.hire({ hired_on: '2026-08-20', date_of_birth: '1990-08-20' })
    assert.deepEqual(told(await eventsOf(starter, '2026-08-01', '2026-08-31')), [
      'birthday 2026-08-20 2026-08-20',
      'first_day 2026-08-20 2026-08-20',
    ])
  })

  test('shows leave up to the last day of employment', async () => {
    const type = await make('/leave_types', { name: 'Away' })
    const policy = await make('/leave_policies', { name: 'Any', leave_type_id: type.id, type: 'external' })
    const person = await service.hire({ hired_on: '2020-01-01' })
    await make(`/employees/${person.id}/leave_types`, {
      leave_type_id: type.id,
      leave_type_policy_id: policy.id,
      effective_on: '2020-01-01',
    })
    const ask = (starts_on: string, ends_on: string) =>
      make('/leave_requests', {
        employee_id: person.id,
        leave_type_id: type.id,
        starts_on,
        ends_on,
        skip_approval: true,
      })
    await ask('2026-09-07', '2026-09-18')
    await ask('2026-09-21', '2026-09-25')
    await leave(person, '2026-09-16')
    assert.deepEqual(told(await eventsOf(person, '2026-09-01', '2026-09-30')), ['leave_request 2026-09-07 2026-09-15'])
    assert.deepEqual(told(await eventsOf(person, '2026-09-16', '2026-09-30')), [])
  })

  test('shows who is away with the leave type, unless a day of it is under a private policy', async () => {
    const type = await make('/leave_types', { name: 'Rest' })
    const [open, secret] = await Promise.all(
      [true, false].map((visibility) =>
        make('/leave_policies', { name: `Rest ${visibility}`, leave_type_id: type.id, type: 'external', visibility }),
      ),
    )
    const person = await service.hire({ hired_on: '2020-01-01', first_name: 'Rosa', last_name: 'Rest' })
    for (const [policy, effective_on] of [
      [open, '2020-01-01'],
      [secret, '2026-11-11'],
    ])
      await make(`/employees/${person.id}/leave_types`, {
        leave_type_id: type.id,
        leave_type_policy_id: policy.id,
        effective_on,
      })
    const ask = async (starts_on: string, ends_on: string) => {
      const body = { employee_id: person.id, leave_type_id: type.id, starts_on, ends_on, skip_approval: true }
      return (await make('/leave_requests', body)).id
    }
    const [told_, half, untold] = [
      await ask('2026-11-02', '2026-11-03'),
      // Its first days are under the open policy, the others are not.
      await ask('2026-11-09', '2026-11-12'),
      await ask('2026-11-16', '2026-11-17'),
    ]
    const events = await eventsOf(person, '2026-11-01', '2026-11-30')
    const employee = { id: person.id, full_name: 'Rosa Rest' }
    const names = { user_id: person.id, first_name: 'Rosa', last_name: 'Rest' }
    const data = { employee_id: person.id, employee, ...names }
    assert.deepEqual(
      events.map(({ type, title, data }: any) => ({ type, title, data })),
      [
        {
          type: 'leave_request',
          title: 'Rosa Rest: Rest',
          data: { ...data, leave_request_id: told_, leave_type: { id: type.id, name: 'Rest' } },
        },
        {
          type: 'leave_request',
          title: 'Rosa Rest: Away',
          data: { ...data, leave_request_id: half, leave_type: null },
        },
        {
          type: 'leave_request',
          title: 'Rosa Rest: Away',
          data: { ...data, leave_request_id: untold, leave_type: null },
        },
      ],
    )
  })

  test('shows holidays on their free days', async () => {
    const policy = await make('/holiday_policies', { name: 'Shown', country_code: 'AQ' })
    const day = { holiday_policy_id: policy.id }
    await make('/holidays', { ...day, name: 'Long', occurs_on: '2026-10-05', ends_on: '2026-10-07' })
    await make('/holidays', { ...day, name: 'Moved', occurs_on: '2026-10-10', observed_on: '2026-10-12' })
    await make('/holidays', { ...day, name: 'Worked', occurs_on: '2026-10-14', working: true })
    const half = { ...day, name: 'Half', occurs_on: '2026-10-16', half_day: true }
    await make('/holidays', half)
    const shown = async (from: string, to: string) =>
      (await events(from, to))
        .filter(({ type }) => type === 'holiday')
        .map(({ starts_on, ends_on, title, data }) => `${starts_on} ${ends_on} ${title} ${data.half_day}`)
    assert.deepEqual(await shown('2026-10-06', '2026-10-31'), [
      '2026-10-05 2026-10-07 Long (Shown) false',
      '2026-10-12 2026-10-12 Moved (Shown) false',
      '2026-10-16 2026-10-16 Half (Shown) true',
    ])
    assert.deepEqual(await shown('2026-10-08', '2026-10-11'), [])
  })
})

describe('a calendar feed', () => {
  const addressFor = async (key: string) => (await service.get('/calendars/feed', { key })).body.data.url as string
  const read = async (url: string) => {
    const answer = await fetch(url)
    return { status: answer.status, text: await answer.text() }
  }

  test('shows what its key may see, and no leavers', async () => {
    const ada = await service.hire({ first_name: 'Ada', hired_on: '2021-07-01', date_of_birth: '1990-07-02' })
    const gone = await service.hire({ first_name: 'Gone', hired_on: '2021-07-01', date_of_birth: '1990-07-02' })
    await leave(gone, '2026-06-20')
    const [all, some] = [
      await addressFor(service.key),
      await addressFor(await service.keyWith({ withheld: ['personal'] })),
    ]
    assert.notEqual(all, some)
    const [whole, impersonal] = [(await read(all)).text, (await read(some)).text]
    assert.ok(whole.includes(`UID:birthday-${ada.id}-2026-07-02@cadre`))
    assert.ok(whole.includes(`UID:anniversary-${ada.id}-2026-07-01@cadre`))
    assert.ok(!impersonal.includes('BIRTHDAY') && impersonal.includes(`UID:anniversary-${ada.id}-`))
    assert.ok(!whole.includes('Gone'))
  })

  test('gets a new URL on reset, the old one stops at once, and feeds of other keys stay', async () => {
    const readOnly = await service.keyWith({ permissions: ['calendar:read'] })
    const [old, other] = [await addressFor(readOnly), await addressFor(service.key)]
    assert.equal((await read(old)).status, 200)
    const answer = await service.post('/calendars/feed/reset', {}, { key: readOnly })
    assert.equal(answer.status, 200)
    const { url } = answer.body.data
    assert.notEqual(url, old)
    assert.equal(await addressFor(readOnly), url)
    const again = (await service.post('/calendars/feed/reset', {}, { key: readOnly })).body.data.url
    const statuses = async () => Promise.all([old, url, again, other].map(async (one) => (await read(one)).status))
    assert.deepEqual(await statuses(), [404, 404, 200, 200])
    assert.deepEqual(
      (await read(old)).text.replace(/"request_id":"[^"]*"/, ''),
      (await read(url)).text.replace(/"request_id":"[^"]*"/, ''),
    )
  })

  test('ends when its key is revoked, expires or loses calendar permission', async () => {
    const made = await make('/api_keys', { name: 'Short', permissions: ['calendar:read'] })
    const revoked = await addressFor(made.key)
    assert.equal((await read(revoked)).status, 200)
    await service.delete(`/api_keys/${made.id}`)
    assert.equal((await read(revoked)).status, 404)

    const expiring = await addressFor(
      (await make('/api_keys', { name: 'Brief', permissions: ['*'], expires_at: '2026-06-16T12:00:00.000Z' })).key,
    )
    assert.equal((await read(expiring)).status, 200)
    now = new Date('2026-06-16T12:00:00Z')
    const { status } = await read(expiring)
    now = new Date('2026-06-15T12:00:00Z')
    assert.equal(status, 404)

    const narrowed = await make('/api_keys', { name: 'Narrowed', permissions: ['calendar:read'] })
    const url = await addressFor(narrowed.key)
    await service.database.write(async (sql) => {
      await sql.updateTable('api_keys').set({ permissions: '["tasks:read"]' }).where('id', '=', narrowed.id).execute()
      await markTablesChanged(sql, service.account.id, ['api_keys'])
    })
    assert.equal((await read(url)).status, 404)
    assert.equal((await service.get('/calendars/feed', { key: narrowed.key })).status, 403)

    // A key that sees some people only has no address that shows everybody.
    const scoped = await make('/api_keys', { name: 'Scoped', permissions: ['calendar:read'] })
    const shared = await addressFor(scoped.key)
    assert.equal((await read(shared)).status, 200)
    const [role] = (await service.get('/roles')).body.data.filter((one: any) => one.standard === 'manager')
    const given = await service.put(`/api_keys/${scoped.id}`, { role_ids: [role.id] })
    assert.equal(given.status, 200, given.text)
    assert.equal((await read(shared)).status, 404)
  })

  test('is 404 for another key, account or invalid id', async () => {
    const url = new URL(await addressFor(service.key))
    const [, , account, key, secret] = url.pathname.split('/')
    const other = await service.otherAccount()
    for (const path of [
      `/calendars/${account}/2/${secret}`,
      `/calendars/${other.account.id}/${key}/${secret}`,
      `/calendars/${account}/${key}/x${secret}`,
      `/calendars/${account}/0/${secret}`,
      `/calendars/x/${key}/${secret}`,
      `/calendars/${account}/99999999999999999999/${secret}`,
      `/calendars/99999999999999999999/${key}/${secret}`,
      `/calendars/${account}/%00/${secret}`,
      `/calendars/${account}/${secret}`,
    ])
      assert.equal((await fetch(new URL(path, url))).status, 404, path)
  })
})

test('the lists of birthdays and anniversaries include leavers until they leave', async () => {
  const year = now.getUTCFullYear() + 1
  const on = (day: string) => `${year}-${day}`
  const early = await service.hire({ date_of_birth: '1980-03-05', hired_on: '2010-03-05' })
  const late = await service.hire({ date_of_birth: '1980-03-20', hired_on: '2010-03-20' })
  const turn = await service.hire({ date_of_birth: '1980-01-02', hired_on: '2010-01-02' })
  for (const { id } of [early, late, turn])
    await service.post(`/employees/${id}/terminate`, { effective_from: on('03-10') })
  const found = async (list: string, from: string, until: string) =>
    (await service.get(`/employees/${list}?date[gte]=${from}&date[lte]=${until}`)).body.data
      .map((one: any) => one.id)
      .filter((id: number) => [early.id, late.id, turn.id].includes(id))
  for (const list of ['birthdays', 'anniversaries']) {
    assert.deepEqual(await found(list, on('03-01'), on('03-31')), [early.id], list)
    assert.deepEqual(await found(list, on('03-11'), on('12-31')), [], list)
    assert.deepEqual(await found(list, `${year - 1}-12-01`, on('03-31')), [early.id, turn.id], list)
    assert.deepEqual(await found(list, on('12-01'), `${year + 1}-03-31`), [], list)
  }
})
