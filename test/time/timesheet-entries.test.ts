import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Service, startService } from '../harness.ts'

let service: Service
const now = new Date('2036-06-15T12:00:00Z')
before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

const make: Service['make'] = (path, values) => service.make(path, values)
const hire: Service['hire'] = (values) => service.hire(values)

describe('timesheet entries', () => {
  const enter = (employee_id: number, starts_at: string | number, ends_at: string | number, more = {}) =>
    service.post('/time/timesheet_entries', { employee_id, starts_at, ends_at, ...more })

  test('belong to the local day of the employee, from the first hour of employment and around a move', async () => {
    const at = async (time_zone: string) => (await make('/locations', { name: time_zone, time_zone })).id
    const [auckland, angeles, berlin] = [
      await at('Pacific/Auckland'),
      await at('America/Los_Angeles'),
      await at('Europe/Berlin'),
    ]
    const one = await hire({ hired_on: '2036-06-02', location_id: auckland })
    const early = await enter(one.id, '2036-06-01T20:30:00Z', '2036-06-01T23:00:00Z')
    assert.deepEqual(
      [early.status, early.body.data?.date],
      [201, '2036-06-02'],
      'half past eight on their first morning',
    )
    const other = await hire({ hired_on: '2036-06-02', location_id: angeles })
    const before = await enter(other.id, '2036-06-02T01:00:00Z', '2036-06-02T02:00:00Z')
    assert.equal(before.status, 422, 'the evening before their first day')
    const mover = await hire({ hired_on: '2036-01-01', location_id: berlin })
    await make(`/employees/${mover.id}/positions`, { effective_from: '2036-06-09', location_id: auckland })
    const there = await enter(mover.id, '2036-06-08T22:30:00Z', '2036-06-08T23:30:00Z')
    assert.deepEqual([there.status, there.body.data?.date], [201, '2036-06-09'])
  })

  test('accept Unix seconds or ISO times, and compute their day and minutes', async () => {
    const one = await hire()
    const seconds = Date.parse('2036-06-10T08:00:00Z') / 1000
    const made = await enter(one.id, seconds, seconds + 5430)
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(
      [
        made.body.data.starts_at,
        made.body.data.ends_at,
        made.body.data.date,
        made.body.data.minutes,
        made.body.data.type,
        made.body.data.status,
      ],
      ['2036-06-10T08:00:00.000Z', '2036-06-10T09:30:30.000Z', '2036-06-10', 90, 'working', 'unsubmitted'],
    )
    assert.equal((await enter(one.id, '2036-06-10T09:30:00Z', '2036-06-10T10:00:00Z')).body.errors[0].code, 'overlap')
    assert.equal((await enter(one.id, '2036-06-10T09:30:30Z', '2036-06-10T10:00:00Z')).status, 201)
    assert.equal((await enter(one.id, '2036-06-10T12:00:00Z', '2036-06-10T11:00:00Z')).body.errors[0].code, 'too_early')
  })

  test('belong to the day on which they start, where the employee is', async () => {
    const location = await make('/locations', { name: 'Auckland', time_zone: 'Pacific/Auckland' })
    const one = await hire({ location_id: location.id, hired_on: '2036-01-01' })
    const evening = await enter(one.id, '2036-06-10T11:00:00Z', '2036-06-10T12:00:00Z')
    assert.deepEqual([evening.body.data.date, evening.body.data.minutes_after_midnight], ['2036-06-10', 0])
    const morning = await enter(one.id, '2036-06-10T12:00:00Z', '2036-06-10T13:00:00Z')
    assert.equal(morning.body.data.date, '2036-06-11')
  })

  test('of a night are one entry, whose minutes after midnight count on the next day', async () => {
    const one = await hire({ hired_on: '2036-01-01' })
    const night = await enter(one.id, '2036-06-10T22:00:00Z', '2036-06-11T06:30:00Z')
    assert.equal(night.status, 201, night.text)
    const { id, date, minutes, minutes_after_midnight } = night.body.data
    assert.deepEqual([date, minutes, minutes_after_midnight], ['2036-06-10', 510, 390])
    assert.equal((await enter(one.id, '2036-06-11T06:00:00Z', '2036-06-11T07:00:00Z')).body.errors[0].code, 'overlap')
    const daysIn = async (starts_on: string, ends_on: string) => {
      const query = `employee_id=${one.id}&starts_on=${starts_on}&ends_on=${ends_on}&days=true`
      const [sheet] = (await service.get(`/time/timesheets?${query}`)).body.data
      return [sheet.worked_minutes, ...sheet.days.map((day: any) => day.worked_minutes)]
    }
    assert.deepEqual(await daysIn('2036-06-10', '2036-06-11'), [510, 120, 390])
    assert.deepEqual(await daysIn('2036-06-09', '2036-06-10'), [120, 0, 120])
    assert.deepEqual(await daysIn('2036-06-11', '2036-06-12'), [390, 390, 0])
    const shorter = await service.put(`/time/timesheet_entries/${id}`, { ends_at: '2036-06-11T00:00:00Z' })
    assert.deepEqual([shorter.body.data.minutes, shorter.body.data.minutes_after_midnight], [120, 0])
  })

  test('on the last day of employment count entirely on that day, also after midnight', async () => {
    const one = await hire({ hired_on: '2036-01-01' })
    assert.equal((await enter(one.id, '2036-05-31T22:00:00Z', '2036-06-01T06:00:00Z')).status, 201)
    const worked = async (month: number) =>
      (await service.get(`/time/timesheets?employee_id=${one.id}&year=2036&month=${month}`)).body.data[0]
        ?.worked_minutes
    assert.deepEqual([await worked(5), await worked(6)], [120, 360])
    await service.post(`/employees/${one.id}/terminate`, { effective_from: '2036-06-01' })
    assert.deepEqual([await worked(5), await worked(6)], [480, undefined])
  })

  test('end on the next day at the latest, after at most 24 hours', async () => {
    const one = await hire({ hired_on: '2036-01-01' })
    const codeOf = async (from: string, to: string) => (await enter(one.id, from, to)).body.errors?.[0]?.code
    assert.equal(await codeOf('2036-06-10T08:00:00Z', '2036-06-11T08:00:01Z'), 'too_late')
    assert.equal(await codeOf('2036-06-10T08:00:00Z', '2036-06-12T07:00:00Z'), 'too_late')
    assert.equal(await codeOf('2036-06-10T08:00:00Z', '2036-06-11T08:00:00Z'), undefined)
    // A day of 25 hours, from midnight to midnight; and one of 23, from whose evening before 24 hours reach the day after.
    const location = await make('/locations', { name: 'Berlin', time_zone: 'Europe/Berlin' })
    const there = await hire({ location_id: location.id, hired_on: '2036-01-01' })
    const long = await enter(there.id, '2036-10-25T22:00:00Z', '2036-10-26T23:00:00Z')
    assert.deepEqual([long.body.data?.minutes, long.body.data?.minutes_after_midnight], [1500, 0], long.text)
    const night = await enter(there.id, '2036-03-29T21:00:00Z', '2036-03-30T04:00:00Z')
    assert.deepEqual([night.body.data?.minutes, night.body.data?.minutes_after_midnight], [420, 300], night.text)
    const beyond = await enter(there.id, '2035-03-24T22:30:00Z', '2035-03-25T22:30:00Z')
    assert.ok(['too_late', 'before_service'].includes(beyond.body.errors[0].code), beyond.text)
  })

  test('of 32 concurrent overlapping entries exactly one is stored', async () => {
    const one = await hire()
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, n) =>
        enter(one.id, `2036-06-11T08:${String(n).padStart(2, '0')}:00Z`, '2036-06-11T10:00:00Z'),
      ),
    )
    assert.equal(answers.filter((answer) => answer.status === 201).length, 1)
    assert.ok(answers.every((answer) => answer.status === 201 || answer.body.errors[0].code === 'overlap'))
  })

  test('are approved step by step, and then cannot change', async () => {
    const one = await hire()
    const { id } = (await enter(one.id, '2036-06-12T08:00:00Z', '2036-06-12T10:00:00Z')).body.data
    const path = `/time/timesheet_entries/${id}`
    assert.equal((await service.put(path, { status: 'rejected' })).status, 409)
    assert.equal((await service.put(path, { status: 'pending' })).status, 200)
    assert.equal((await service.put(path, { status: 'approved' })).status, 200)
    assert.equal((await service.put(path, { comment: 'x' })).status, 409)
    assert.equal((await service.delete(path)).status, 409)
  })

  test('are rejected with a reason, which is cleared when they are submitted again', async () => {
    const one = await hire()
    const { id } = (await enter(one.id, '2036-06-13T08:00:00Z', '2036-06-13T10:00:00Z')).body.data
    const path = `/time/timesheet_entries/${id}`
    const move = (verb: string, more = {}) =>
      service.post(`/time/timesheet_entries/${verb}`, { timesheet_entry_ids: [id], ...more })
    const reason = async () => (await service.get(path)).body.data.rejection_reason
    await move('submit')
    assert.equal((await move('reject', { reason: 'That was a holiday' })).status, 200)
    assert.equal(await reason(), 'That was a holiday')
    await service.put(path, { comment: 'It was not' })
    assert.equal(await reason(), 'That was a holiday')
    await service.put(path, { status: 'pending' })
    assert.equal(await reason(), null)
    await move('reject', { reason: 'It was' })
    await move('submit')
    assert.equal(await reason(), null)
  })

  test('bulk responses have errors only if something failed, also for project users', async () => {
    const one = await hire()
    const project = await make('/time/projects', { name: 'Faultless', emoji: '✅' })
    const entries = [{ starts_at: '2036-06-12T08:00:00Z', ends_at: '2036-06-12T09:00:00Z' }]
    const enterAll = async () =>
      (await service.post('/time/timesheet_entries/bulk', { data: [{ employee_id: one.id, entries }] })).body
    const first = await enterAll()
    assert.deepEqual([Object.keys(first), first.records.count], [['records'], 1])
    const again = await enterAll()
    assert.deepEqual([Object.keys(again), again.records.count, again.errors.count], [['records', 'errors'], 0, 1])
    assert.deepEqual((await service.post('/time/timesheet_entries/bulk', { data: [] })).body, {
      records: { count: 0, data: [] },
    })
    const join = async (...employee_ids: number[]) =>
      (await service.post(`/time/projects/${project.id}/project_users`, { employee_ids })).body
    assert.deepEqual(Object.keys(await join(one.id)), ['records'])
    assert.deepEqual(
      [(await join(one.id, 888_888)).errors.count, (await join(888_888)).records],
      [1, { count: 0, data: [] }],
    )
  })

  test('are filtered by single ids as by lists of ids', async () => {
    const names = ['position', 'department', 'location', 'division'] as const
    const job: Record<string, number> = {}
    for (const name of names) job[`${name}_id`] = (await make(`/${name}s`, { name: `Own ${name}` })).id
    const one = await hire({ hired_on: '2030-01-01', ...job })
    const team = await make('/teams', { name: 'Own', team_lead_id: (await hire()).id })
    await service.post(`/teams/${team.id}/team_members`, { user_id: one.id })
    const project = await make('/time/projects', { name: 'Own', emoji: '✅' })
    const { id } = await make('/time/timesheet_entries', {
      employee_id: one.id,
      project_id: project.id,
      starts_at: '2036-06-12T08:00:00Z',
      ends_at: '2036-06-12T09:00:00Z',
    })
    const all = { employee_id: one.id, project_id: project.id, team_id: team.id, ...job }
    for (const [name, value] of Object.entries(all))
      for (const query of [`${name}=${value}`, `${name}s[]=${value}`]) {
        const { body } = await service.get(`/time/timesheet_entries?${query}`)
        assert.deepEqual(
          body.data.map((each: any) => each.id),
          [id],
          query,
        )
        assert.deepEqual(
          (await service.get(`/time/timesheet_entries?${query.replace(/=.*/, '=999999')}`)).body.data,
          [],
        )
      }
  })

  test('bulk items succeed or fail one by one; bulk delete keeps approved entries', async () => {
    const [one, two] = [await hire(), await hire()]
    const project = await make('/time/projects', { name: 'Bulk', emoji: '📦' })
    const t = (hour: number) => Date.parse(`2036-06-13T${String(hour).padStart(2, '0')}:00:00Z`) / 1000
    const { body } = await service.post('/time/timesheet_entries/bulk', {
      data: [
        {
          employee_id: one.id,
          entries: [
            { starts_at: t(8), ends_at: t(10), project_id: project.id },
            { starts_at: t(9), ends_at: t(11) },
            { starts_at: t(11), ends_at: t(12) },
          ],
        },
        { employee_id: two.id, entries: [{ starts_at: t(8), ends_at: t(9), project_id: 9999 }] },
        { employee_id: 888_888, entries: [{ starts_at: t(8), ends_at: t(9) }] },
      ],
    })
    assert.deepEqual([body.records.count, body.errors.count], [2, 3])
    assert.deepEqual(
      body.records.data.map((row: any) => [row.employee_id, row.project_id]),
      [
        [one.id, project.id],
        [one.id, null],
      ],
    )
    assert.match(body.errors.data[0].messages[0], /overlaps/)
    const listed = (
      await service.get(
        `/time/timesheet_entries?employee_ids[]=${one.id}&project_ids[]=${project.id}&starts_on=2036-06-13&ends_on=2036-06-13`,
      )
    ).body
    assert.equal(listed.metadata.count, 1)
    await service.put(`/time/timesheet_entries/${body.records.data[0].timesheet_entry_id}`, { status: 'approved' })
    const gone = await service.send('DELETE', '/time/timesheet_entries/bulk', {
      json: { employee_ids: [one.id], starts_at: t(0) },
    })
    assert.deepEqual(gone.body, { count: 1 })
  })
})

describe('bulk delete', () => {
  const DELETED = '/time/timesheet_entries/bulk'
  const remove = (json: Record<string, unknown>) => service.send('DELETE', DELETED, { json })

  test('deletes nothing without a selection: neither a missing nor an empty list means all', async () => {
    const one = await hire()
    const { id } = (
      await service.post('/time/timesheet_entries', {
        employee_id: one.id,
        starts_at: '2036-06-10T08:00:00Z',
        ends_at: '2036-06-10T09:00:00Z',
      })
    ).body.data
    for (const more of [
      {},
      { timesheet_entry_ids: [] },
      { timesheet_entry_ids: null },
      { timesheet_entry_ids: '' },
      { type: 'working' },
    ]) {
      const answer = await remove({ employee_ids: [one.id], ...more })
      assert.equal(answer.status, 422, JSON.stringify(more))
      assert.equal(answer.body.errors[0].field, 'timesheet_entry_ids')
    }
    const form = await service.send('DELETE', DELETED, { form: { employee_ids: [one.id], timesheet_entry_ids: '' } })
    assert.equal(form.status, 422)
    const range = { starts_at: '2036-06-01T00:00:00Z', ends_at: '2036-06-30T00:00:00Z' }
    assert.equal((await remove({ employee_ids: [one.id], timesheet_entry_ids: [], ...range })).status, 422)
    assert.equal((await service.get(`/time/timesheet_entries/${id}`)).status, 200)
    assert.deepEqual((await remove({ employee_ids: [one.id], timesheet_entry_ids: [id] })).body, { count: 1 })
  })

  test('takes a constant number of statements', async () => {
    const one = await hire()
    const entries = Array.from({ length: 40 }, (_, n) => ({
      starts_at: Date.parse('2036-06-11T00:00:00Z') / 1000 + n * 600,
      ends_at: Date.parse('2036-06-11T00:00:00Z') / 1000 + n * 600 + 600,
    }))
    await service.post('/time/timesheet_entries/bulk', { data: [{ employee_id: one.id, entries }] })
    let statements = 0
    service.onStatement = () => void statements++
    const answer = await remove({ employee_ids: [one.id], starts_at: '2036-06-11T00:00:00Z' })
    service.onStatement = undefined
    assert.deepEqual(answer.body, { count: 40 })
    assert.ok(statements < 15, String(statements))
  })
})

describe('entries, location and employment', () => {
  const enter = (employee_id: number, starts_at: string, ends_at: string) =>
    service.post('/time/timesheet_entries', { employee_id, starts_at, ends_at })

  test("the time zone is that of the employee's location on the day of the entry", async () => {
    const auckland = await make('/locations', { name: 'Then', time_zone: 'Pacific/Auckland' })
    const honolulu = await make('/locations', { name: 'Now', time_zone: 'Pacific/Honolulu' })
    const one = await hire()
    await make(`/employees/${one.id}/positions`, { effective_from: '2035-01-01', location_id: auckland.id })
    await make(`/employees/${one.id}/positions`, { effective_from: '2036-03-01', location_id: honolulu.id })
    // Ten in the evening in UTC is the next morning in Auckland, and noon of the same day in Honolulu.
    const then = await enter(one.id, '2035-06-10T22:00:00Z', '2035-06-10T23:30:00Z')
    const now = await enter(one.id, '2036-06-10T22:00:00Z', '2036-06-10T23:30:00Z')
    assert.deepEqual([then.body.data.date, now.body.data.date], ['2035-06-11', '2036-06-10'])
    // Both places, on the days around the move: the last day there, and the first here.
    const leaving = await enter(one.id, '2036-02-28T22:00:00Z', '2036-02-28T23:30:00Z')
    const arrived = await enter(one.id, '2036-03-02T05:00:00Z', '2036-03-02T06:00:00Z')
    assert.deepEqual([leaving.body.data.date, arrived.body.data.date], ['2036-02-29', '2036-03-01'])
    // A comment does not move an entry, though the person was elsewhere after all.
    await make(`/employees/${one.id}/positions`, { effective_from: '2035-06-01', location_id: honolulu.id })
    const noted = await service.put(`/time/timesheet_entries/${then.body.data.id}`, { comment: 'x' })
    assert.equal(noted.body.data.date, '2035-06-11')
  })

  test('no entry outside the employment is accepted, single or in bulk', async () => {
    const one = await hire({ hired_on: '2036-06-02' })
    await service.post(`/employees/${one.id}/terminate`, { effective_from: '2036-06-12' })
    const early = await enter(one.id, '2036-06-01T08:00:00Z', '2036-06-01T09:00:00Z')
    const late = await enter(one.id, '2036-06-12T08:00:00Z', '2036-06-12T09:00:00Z')
    for (const [answer, code] of [
      [early, 'before_service'],
      [late, 'after_service'],
    ] as const) {
      assert.equal(answer.status, 422)
      assert.deepEqual([answer.body.errors[0].field, answer.body.errors[0].code], ['starts_at', code])
    }
    const last = await enter(one.id, '2036-06-11T08:00:00Z', '2036-06-11T09:00:00Z')
    assert.equal(last.status, 201, last.text)
    const moved = await service.put(`/time/timesheet_entries/${last.body.data.id}`, {
      starts_at: '2036-06-12T08:00:00Z',
      ends_at: '2036-06-12T09:00:00Z',
    })
    assert.equal(moved.body.errors[0].code, 'after_service')
    const other = await hire()
    const foreign = (await enter(other.id, '2036-06-13T08:00:00Z', '2036-06-13T09:00:00Z')).body.data
    const given = await service.put(`/time/timesheet_entries/${foreign.id}`, { employee_id: one.id })
    assert.equal(given.body.errors[0].code, 'after_service')
    const bulk = await service.post('/time/timesheet_entries/bulk', {
      data: [
        { employee_id: one.id, entries: [{ starts_at: '2036-05-31T08:00:00Z', ends_at: '2036-05-31T09:00:00Z' }] },
      ],
    })
    assert.deepEqual([bulk.body.records.count, bulk.body.errors.count], [0, 1])
  })

  test('entries outside a changed employment are kept, do not count, and can still be edited', async () => {
    const one = await hire()
    const { id } = (await enter(one.id, '2036-06-12T08:00:00Z', '2036-06-12T10:00:00Z')).body.data
    await enter(one.id, '2036-06-02T08:00:00Z', '2036-06-02T09:00:00Z')
    const worked = async () =>
      (await service.get(`/time/timesheets?employee_ids[]=${one.id}`)).body.data[0].worked_minutes
    assert.equal(await worked(), 180)
    await service.post(`/employees/${one.id}/terminate`, { effective_from: '2036-06-10' })
    assert.equal(await worked(), 60)
    assert.equal((await service.put(`/time/timesheet_entries/${id}`, { status: 'pending' })).status, 200)
    await service.post(`/employees/${one.id}/activate`)
    assert.equal(await worked(), 180)
    await service.put(`/employees/${one.id}`, { hired_on: '2036-06-05' })
    assert.equal(await worked(), 120)
  })
})
