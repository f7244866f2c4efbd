import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { chances, SEED } from '../chance.ts'
import { type Service, startService } from '../harness.ts'

/** A clock that runs is a fact of the service: of one person, until it is stopped into entries. */

let service: Service
let now = new Date('2036-01-07T08:00:30Z')
before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

const pass = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000)
}
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString()
const person = async (time_zone = 'UTC', more = {}) => {
  const place = await service.make('/locations', { name: `Place ${++places}`, time_zone })
  return (await service.hire({ hired_on: '2030-01-01', location_id: place.id, ...more })).id as number
}
let places = 0
const clockIn = (employee_id: number, more = {}) => service.post('/time/clocks', { employee_id, ...more })
const clockOut = (employee_id: number, more = {}) => service.post('/time/clocks/clock_out', { employee_id, ...more })
const running = async (id: number) => (await service.get(`/time/clocks?employee_id=${id}`)).body.data
const entriesOf = async (id: number) => (await service.get(`/time/timesheet_entries?employee_id=${id}`)).body.data
const wrongIn = ({ status, body }: Awaited<ReturnType<typeof clockIn>>) => [
  status,
  ...(body.errors ?? []).map((one: any) => `${one.field} ${one.code}`),
]

describe('a clock', () => {
  test('runs for one employee until it is stopped, and becomes an entry in whole minutes', async () => {
    const id = await person()
    const project = await service.make('/time/projects', { name: 'Engine' })
    const begun = await clockIn(id, { project_id: project.id })
    assert.equal(begun.status, 201, begun.text)
    assert.equal(begun.headers.get('location'), `/api/public/v3/time/clocks/${begun.body.data.id}`)
    assert.equal(begun.body.data.starts_at, '2036-01-07T08:00:00.000Z')
    assert.deepEqual(
      (await running(id)).map((one: any) => one.id),
      [begun.body.data.id],
    )
    pass(95)
    const stopped = await clockOut(id, { comment: 'Notes' })
    assert.equal(stopped.status, 200, stopped.text)
    const [entry] = stopped.body.data
    assert.deepEqual(
      [entry.starts_at, entry.ends_at, entry.minutes, entry.project_id, entry.comment, entry.status],
      ['2036-01-07T08:00:00.000Z', '2036-01-07T09:35:00.000Z', 95, project.id, 'Notes', 'unsubmitted'],
    )
    assert.deepEqual(await running(id), [])
    // Again within the same minute: nothing overlaps, and a moment leaves no entry.
    assert.equal((await clockIn(id)).status, 201)
    assert.deepEqual((await clockOut(id)).body.data, [])
    assert.deepEqual(await entriesOf(id), [entry])
  })

  test('can run only once for each employee, also with concurrent requests', async () => {
    const id = await person()
    const answers = await Promise.all(Array.from({ length: 8 }, () => clockIn(id)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, ...Array(7).fill(409)])
    pass(10)
    const ends = await Promise.all(Array.from({ length: 8 }, () => clockOut(id)))
    assert.deepEqual(ends.map(({ status }) => status).toSorted(), [200, ...Array(7).fill(409)])
    assert.equal((await entriesOf(id)).length, 1)
  })

  test('switches to a break and back without a gap', async () => {
    const id = await person()
    await clockIn(id)
    pass(60)
    assert.equal((await clockIn(id, { type: 'break', switch: true })).status, 201)
    pass(30)
    assert.equal((await clockIn(id, { switch: true })).body.data.type, 'working')
    pass(15)
    await clockOut(id)
    const entries = await entriesOf(id)
    assert.deepEqual(
      entries.map((one: any) => [one.type, one.minutes]),
      [
        ['working', 60],
        ['break', 30],
        ['working', 15],
      ],
    )
    assert.deepEqual([entries[0].ends_at, entries[1].ends_at], [entries[1].starts_at, entries[2].starts_at])
  })

  test('that was forgotten needs an end time when stopped, and the error names the latest one', async () => {
    const id = await person()
    const { starts_at } = (await clockIn(id)).body.data
    pass(3 * 24 * 60)
    const refused = await clockOut(id)
    assert.deepEqual(wrongIn(refused), [422, 'ends_at required'])
    assert.match(refused.body.message, new RegExp(`since ${starts_at}.*at the latest`))
    assert.deepEqual(wrongIn(await clockIn(id, { switch: true })), [422, 'starts_at required'])
    assert.deepEqual(wrongIn(await clockOut(id, { ends_at: ago(60) })), [422, 'ends_at too_late'])
    assert.deepEqual(wrongIn(await clockOut(id, { ends_at: ago(-1) })), [422, 'ends_at in_the_future'])
    assert.deepEqual(wrongIn(await clockOut(id, { ends_at: starts_at })), [422, 'ends_at too_early'])
    assert.equal((await running(id)).length, 1, 'nothing was changed')
    const right = new Date(Date.parse(starts_at) + 8 * 3_600_000).toISOString()
    assert.equal((await clockOut(id, { ends_at: right })).body.data[0].minutes, 480)
  })

  test('runs only within the employment, without overlapping entries, from a time in the past', async () => {
    const later = await person('UTC', { hired_on: '2036-03-01' })
    assert.deepEqual(wrongIn(await clockIn(later)), [422, 'starts_at before_service'])
    const id = await person()
    assert.deepEqual(wrongIn(await clockIn(id, { starts_at: ago(-5) })), [422, 'starts_at in_the_future'])
    assert.deepEqual(wrongIn(await clockIn(id, { starts_at: ago(25 * 60) })), [422, 'starts_at too_early'])
    assert.deepEqual(wrongIn(await clockIn(id, { project_id: 9_999 })), [422, 'project_id not_found'])
    assert.deepEqual(wrongIn(await clockIn(9_999)), [422, 'employee_id not_found'])
    assert.deepEqual(wrongIn(await clockOut(9_999)), [409])
    assert.deepEqual(wrongIn(await service.post('/time/clocks', {})), [422, 'employee_id required'])
    const entered = { employee_id: id, starts_at: ago(60), ends_at: ago(30) }
    await service.make('/time/timesheet_entries', entered)
    assert.deepEqual(wrongIn(await clockIn(id, { starts_at: ago(45) })), [422, 'starts_at overlap'])
    const { body } = await clockIn(id, { starts_at: ago(20) })
    assert.deepEqual(wrongIn(await service.put(`/time/clocks/${body.data.id}`, { starts_at: ago(45) })), [
      422,
      'starts_at overlap',
    ])
    assert.equal((await service.put(`/time/clocks/${body.data.id}`, { starts_at: ago(25) })).status, 200)
    // Somebody enters by hand what the clock is running over.
    await service.make('/time/timesheet_entries', { employee_id: id, starts_at: ago(10), ends_at: ago(5) })
    const refused = await clockOut(id)
    assert.deepEqual(wrongIn(refused), [422, 'ends_at overlap'])
    assert.equal((await clockOut(id, { ends_at: ago(10) })).body.data[0].minutes, 15)
    const leaving = await person()
    await clockIn(leaving)
    const day = now.toISOString().slice(0, 10)
    const left = await service.post(`/employees/${leaving}/terminate`, { effective_from: day })
    assert.equal(left.status, 200, left.text)
    pass(5)
    assert.deepEqual(wrongIn(await clockOut(leaving)), [422, 'ends_at after_service'])
  })

  test('runs again when its stop is undone, unless another one is running', async () => {
    const id = await person()
    await clockIn(id)
    pass(20)
    const stopped = await clockOut(id)
    const undo = (answer: typeof stopped) => service.post(`/requests/${answer.headers.get('x-request-id')}/undo`)
    const back = await undo(stopped)
    assert.equal(back.status, 200, back.text)
    assert.deepEqual([(await running(id)).length, (await entriesOf(id)).length], [1, 0])
    const again = await clockOut(id)
    await clockIn(id)
    const refused = await undo(again)
    assert.ok([409, 422].includes(refused.status), refused.text)
    assert.deepEqual([(await running(id)).length, (await entriesOf(id)).length], [1, 1])
    const [clock] = await running(id)
    assert.equal((await service.delete(`/time/clocks/${clock.id}`)).status, 204)
    assert.deepEqual(wrongIn(await clockOut(id)), [409])
  })

  test('is started only by its employee, and seen by those who may read their time', async () => {
    const roles = (await service.get('/roles')).body.data
    const keyOf = async (employee_id: number, ...names: string[]) =>
      (
        await service.make('/api_keys', {
          name: 'Key',
          permissions: ['*'],
          employee_id,
          role_ids: roles.filter((one: any) => names.includes(one.standard)).map((one: any) => one.id),
        })
      ).key as string
    const boss = await person()
    const id = await person('UTC', { reporting_to_id: boss })
    const [own, manager, hr] = [
      await keyOf(id, 'employee'),
      await keyOf(boss, 'manager', 'employee'),
      await keyOf(boss, 'hr'),
    ]
    now = new Date(Math.ceil(now.getTime() / 60_000) * 60_000)
    const begun = await service.post('/time/clocks', {}, { key: own })
    assert.equal(begun.body.data?.employee_id, id, begun.text)
    const path = `/time/clocks/${begun.body.data.id}`
    assert.deepEqual(wrongIn(await service.post('/time/clocks', { employee_id: boss }, { key: own })), [
      422,
      'employee_id not_found',
    ])
    assert.deepEqual(wrongIn(await service.post('/time/clocks/clock_out', { employee_id: id }, { key: manager })), [
      422,
      'employee_id not_found',
    ])
    assert.equal((await service.get(path, { key: manager })).status, 200)
    assert.equal((await service.get(path, { key: await keyOf(await person(), 'employee') })).status, 404)
    const kept = await service.put(path, { comment: 'x' }, { key: manager })
    assert.equal(kept.status, 404, kept.text)
    const corrected = await service.put(path, { starts_at: ago(30) }, { key: hr })
    assert.equal(corrected.status, 200, corrected.text)
    assert.equal(
      (await service.post('/time/clocks/clock_out', { employee_id: id }, { key: hr })).body.data[0].minutes,
      30,
    )
  })
})

/** Days on which clocks change, at midnight too, and half an hour; and zones of odd offsets. */
const CHANGES: [zone: string, day: string][] = [
  ['Europe/Berlin', '2036-03-30'],
  ['Australia/Lord_Howe', '2036-04-06'],
  ['America/Santiago', '2036-04-06'],
  ['Asia/Kathmandu', '2036-07-01'],
  ['America/Santiago', '2036-09-07'],
  ['Europe/Berlin', '2036-10-26'],
  ['America/New_York', '2036-11-02'],
]

test('a clock that runs past midnight becomes one entry, split as a minute-by-minute count says', async () => {
  const { below } = chances(SEED)
  const runs = Number(process.env.CLOCK_RUNS ?? 2)
  const cases = CHANGES.flatMap(([zone, day]) =>
    Array.from({ length: runs }, () => {
      const start = Date.parse(`${day}T12:00:00Z`) - (below(42 * 60) - 12 * 60) * 60_000
      const minutes = 1 + below(24 * 60)
      // Seconds are cut off at both ends: of a whole hour none are lost at midnight.
      return { zone, start, end: start + minutes * 60_000, seconds: below(60) * 1000 }
    }),
  )
  for (const { zone, start, end, seconds } of cases.toSorted((one, other) => one.end - other.end)) {
    const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone: zone })
    now = new Date(end + seconds)
    const id = await person(zone)
    const begun = await clockIn(id, { starts_at: new Date(start + seconds).toISOString() })
    assert.equal(begun.status, 201, begun.text)
    const stopped = await clockOut(id, { ends_at: now.toISOString() })
    const { body, text } = stopped
    const expected = new Map<string, number>()
    for (let at = start; at < end; at += 60_000)
      expected.set(dayOf.format(at), (expected.get(dayOf.format(at)) ?? 0) + 1)
    const [[day] = [], [, afterMidnight = 0] = []] = [...expected]
    // In 24 hours, a day of 23 hours and the nights around it make three days.
    if (expected.size > 2) {
      assert.deepEqual(wrongIn(stopped), [422, 'ends_at too_late'])
      continue
    }
    assert.deepEqual(
      body.data?.map((one: any) => [one.date, one.minutes, one.minutes_after_midnight]),
      [[day, (end - start) / 60_000, afterMidnight]],
      `${zone} ${new Date(start).toISOString()} until ${now.toISOString()}: ${text}`,
    )
  }
})
