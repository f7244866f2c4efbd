import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { type Service, startService } from '../harness.ts'

let service: Service
let now = new Date('2036-06-15T12:00:00Z')
before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

const make = async (path: string, values: Record<string, unknown>) => {
  const answer = await service.post(path, values)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data
}
let count = 0
const hire = (values: Record<string, unknown> = {}) =>
  make('/employees', { first_name: 'Person', last_name: `N${++count}`, ...values })

describe('tasks', () => {
  test('have every field of the interface', async () => {
    const [boss, one] = [await hire({ email: `boss${count}@example.com` }), await hire()]
    const key = (await service.post('/api_keys', { name: 'Own', permissions: ['tasks:*'], employee_id: boss.id })).body
      .data.key
    const form = {
      name: 'Order a laptop',
      description: '<p>Fast &amp; <b>light</b></p><script>x()</script><p>Soon</p>',
      employee_id: one.id,
      starts_on: '2036-07-01',
    }
    const made = await service.send('POST', '/tasks', { form, key })
    assert.equal(made.status, 201, made.text)
    const { id, created_at, updated_at, ...rest } = made.body.data
    assert.deepEqual(rest, {
      type: 'general',
      title: 'Order a laptop',
      starts_on: '2036-07-01',
      ends_on: null,
      completed_at: null,
      completed: false,
      description: '<p>Fast &amp; <b>light</b></p><p>Soon</p>',
      description_plain: 'Fast & light\nSoon',
      assigned_to: { id: one.id, full_name: one.full_name, email: null },
      created_by: { id: boss.id, full_name: boss.full_name, email: boss.email },
    })
    const bare = await make('/tasks', { name: 'Bare', employee_id: one.id })
    assert.deepEqual([bare.starts_on, bare.created_by, bare.description], ['2036-06-15', null, ''])
    assert.equal(
      (await service.post('/tasks', { name: 'X', employee_id: one.id, starts_on: '2036-07-01', ends_on: '2036-06-01' }))
        .body.errors[0].field,
      'ends_on',
    )
  })

  test('are completed and reopened, and found by that, by assignee and by date', async () => {
    const one = await hire()
    const [first, second] = [
      await make('/tasks', { name: 'A', employee_id: one.id }),
      await make('/tasks', { name: 'B', employee_id: one.id, starts_on: '2037-01-01' }),
    ]
    const done = (await service.put(`/tasks/${first.id}/complete`)).body.data
    assert.deepEqual([done.completed, done.completed_at], [true, now.toISOString()])
    now = new Date(now.getTime() + 1000)
    assert.equal((await service.put(`/tasks/${first.id}/complete`)).body.data.completed_at, done.completed_at)
    const found = async (query: string) =>
      (await service.get(`/tasks?employee_id=${one.id}&${query}`)).body.data.map((task: any) => task.id)
    assert.deepEqual(
      [await found('completed=true'), await found('completed=false'), await found('')],
      [[first.id], [second.id], [first.id, second.id]],
    )
    assert.deepEqual(await found('starts_on[gte]=2037-01-01'), [second.id])
    assert.equal((await service.put(`/tasks/${first.id}/incomplete`)).body.data.completed, false)
  })

  test('cannot be given to somebody who has left', async () => {
    const gone = await hire({ hired_on: '2030-01-01' })
    await service.post(`/employees/${gone.id}/terminate`, { effective_from: '2036-01-01' })
    assert.equal((await service.post('/tasks', { name: 'X', employee_id: gone.id })).body.errors[0].code, 'terminated')
  })
})

describe('key performance indicators', () => {
  test('have every field of the interface, and need what their type says', async () => {
    const owner = await hire()
    const department = await make('/departments', { name: 'Sales' })
    const kpi = await make('/performance/key_performance_indicators', {
      title: 'Won',
      kpi_type: 'department',
      metric: 'currency',
      currency_code: 'EUR',
      department_id: department.id,
      user_id: owner.id,
      weight: 30,
    })
    const { body } = await service.get('/performance/key_performance_indicators')
    const { id, created_at, updated_at, ...rest } = body.data[0]
    assert.deepEqual(rest, {
      title: 'Won',
      description: null,
      weight: 30,
      currency_code: 'EUR',
      metric: 'currency',
      kpi_type: 'department',
      status: 'none',
      starts_on: null,
      ends_on: null,
      start_value: null,
      target_value: null,
      progress_percentage: null,
      current_value: null,
      location: null,
      division: null,
      department,
      owner: { id: owner.id, first_name: 'Person', last_name: owner.last_name, email: null },
    })
    assert.equal(id, kpi.id)
    for (const [kpi_type, field] of [
      ['individual', 'user_id'],
      ['location', 'location_id'],
      ['division', 'division_id'],
    ])
      assert.equal(
        (await service.post('/performance/key_performance_indicators', { title: 'X', metric: 'number', kpi_type })).body
          .errors[0].field,
        field,
      )
    assert.equal(
      (
        await service.post('/performance/key_performance_indicators', {
          title: 'X',
          metric: 'currency',
          kpi_type: 'company',
        })
      ).body.errors[0].field,
      'currency_code',
    )
  })

  test('follow their results and the date, unless a status is set', async () => {
    const kpi = await make('/performance/key_performance_indicators', {
      title: 'Growth',
      kpi_type: 'company',
      metric: 'number',
      start_value: 100,
      target_value: 200,
      starts_on: '2036-01-01',
      ends_on: '2036-12-31',
    })
    const path = `/performance/key_performance_indicators/${kpi.id}`
    const at = async () => {
      const { progress_percentage, status, current_value } = (await service.get(path)).body.data
      return [progress_percentage, status, current_value]
    }
    assert.deepEqual(await at(), [0, 'at_risk', 100])
    await make(`${path}/key_performance_indicator_results`, { value: 130.5, occurred_on: '2036-06-01' })
    assert.deepEqual(await at(), [30, 'behind', 130.5])
    const last = await make(`${path}/key_performance_indicator_results`, { value: 150, comment: 'Half way' })
    assert.deepEqual(await at(), [50, 'on_track', 150])
    const found = async (status: string) =>
      (await service.get(`/performance/key_performance_indicators?status=${status}`)).body.data.map(
        (one: any) => one.id,
      )
    assert.ok((await found('on_track')).includes(kpi.id))
    await service.put(path, { status: 'at_risk' })
    assert.deepEqual(await at(), [50, 'at_risk', 150])
    assert.deepEqual(
      [(await found('on_track')).includes(kpi.id), (await found('at_risk')).includes(kpi.id)],
      [false, true],
    )
    await service.put(path, { status: null })
    assert.equal((await service.delete(`${path}/key_performance_indicator_results/${last.id}`)).status, 204)
    assert.deepEqual(await at(), [30, 'behind', 130.5])
  })
})

describe('objectives', () => {
  test('come as far as their key results by weight', async () => {
    const made = await make('/performance/objectives', {
      title: 'North',
      starts_on: '2036-01-01',
      ends_on: '2036-12-31',
      key_results: [
        { title: 'Customers', target: 10, current: 5, weight: 3 },
        { title: 'Churn', start: 20, target: 10, current: 20, weight: 1 },
      ],
    })
    assert.deepEqual(
      [made.progress, made.status, made.key_results.map((one: any) => one.progress)],
      [37, 'behind', [50, 0]],
    )
    const [first] = made.key_results
    const changed = (
      await service.put(`/performance/objectives/${made.id}`, {
        key_results: [{ id: first.id, title: 'Customers', target: 10, current: 10 }],
      })
    ).body.data
    assert.deepEqual(
      [changed.progress, changed.status, changed.key_results.map((one: any) => one.id)],
      [100, 'on_track', [first.id]],
    )
    const wrong = await service.post('/performance/objectives', { title: 'X', key_results: [{ target: 'far' }] })
    assert.deepEqual(wrong.body.errors.map((error: any) => error.field).sort(), [
      'key_results[0].target',
      'key_results[0].title',
    ])
  })
})

describe('timesheet entries', () => {
  const enter = (employee_id: number, starts_at: string | number, ends_at: string | number, more = {}) =>
    service.post('/time/timesheet_entries', { employee_id, starts_at, ends_at, ...more })

  test('are given in Unix seconds or ISO, and know their day and minutes', async () => {
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

  test('lie within one local day of the person', async () => {
    const location = await make('/locations', { name: 'Auckland', time_zone: 'Pacific/Auckland' })
    const one = await hire({ location_id: location.id })
    const across = await enter(one.id, '2036-06-10T11:00:00Z', '2036-06-10T13:00:00Z')
    assert.equal(across.body.errors[0].code, 'other_day')
    const evening = await enter(one.id, '2036-06-10T11:00:00Z', '2036-06-10T12:00:00Z')
    assert.equal(evening.body.data.date, '2036-06-10')
    const morning = await enter(one.id, '2036-06-10T12:00:00Z', '2036-06-10T13:00:00Z')
    assert.equal(morning.body.data.date, '2036-06-11')
  })

  test('32 overlapping clock-ins at once: exactly one is stored', async () => {
    const one = await hire()
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, n) =>
        enter(one.id, `2036-06-11T08:${String(n).padStart(2, '0')}:00Z`, '2036-06-11T10:00:00Z'),
      ),
    )
    assert.equal(answers.filter((answer) => answer.status === 201).length, 1)
    assert.ok(answers.every((answer) => answer.status === 201 || answer.body.errors[0].code === 'overlap'))
  })

  test('are approved step by step, and then stay as they are', async () => {
    const one = await hire()
    const { id } = (await enter(one.id, '2036-06-12T08:00:00Z', '2036-06-12T10:00:00Z')).body.data
    const path = `/time/timesheet_entries/${id}`
    assert.equal((await service.put(path, { status: 'rejected' })).status, 409)
    assert.equal((await service.put(path, { status: 'pending' })).status, 200)
    assert.equal((await service.put(path, { status: 'approved' })).status, 200)
    assert.equal((await service.put(path, { comment: 'x' })).status, 409)
    assert.equal((await service.delete(path)).status, 409)
  })

  test('in bulk, each is its own success or failure; bulk delete takes all but the approved', async () => {
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
    const gone = await service.send('DELETE', '/time/timesheet_entries/bulk', { json: { employee_ids: [one.id] } })
    assert.deepEqual(gone.body, { count: 1 })
  })
})

describe('timesheets', () => {
  test('equal a naive day-by-day recount for random people, patterns, holidays, leave and time zones', async () => {
    const policy = await make('/holiday_policies', { name: 'Random', country_code: 'AQ' })
    const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Auckland', 'Asia/Kolkata']
    const locations: Record<string, any> = {}
    for (const time_zone of ZONES)
      locations[time_zone] = await make('/locations', {
        name: `Random ${time_zone}`,
        holiday_policy_id: policy.id,
        time_zone,
      })
    const leaveType = await make('/leave_types', { name: 'Random leave' })
    const kinds: Record<string, any> = {}
    for (const activity_type of ['working_paid', 'not_working_paid', 'not_working_unpaid'])
      kinds[activity_type] = await make('/leave_policies', {
        name: activity_type,
        leave_type_id: leaveType.id,
        type: 'external',
        activity_type,
      })
    /** The local date of a moment, by the runtime's own formatter. */
    const localDate = (zone: string, moment: string) =>
      new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date(moment))
    const HOURS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
    const date = (n: number) => new Date(Date.UTC(2024, 0, 1 + n)).toISOString().slice(0, 10)
    const day = fc.integer({ min: 0, max: 425 })
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          month: fc.integer({ min: 0, max: 13 }),
          hired: fc.option(day),
          left: fc.option(day),
          change: day,
          hours: fc.array(fc.integer({ min: 0, max: 96 }), { minLength: 7, maxLength: 7 }),
          moves: day,
          holidays: fc.array(fc.record({ day, working: fc.boolean() }), { maxLength: 5 }),
          zone: fc.constantFrom(...ZONES),
          work: fc.array(fc.record({ n: day, hour: fc.integer({ min: 0, max: 23 }) }), { maxLength: 8 }),
          leave: fc.record({
            from: day,
            days: fc.integer({ min: 0, max: 20 }),
            kind: fc.constantFrom('working_paid', 'not_working_paid', 'not_working_unpaid'),
          }),
        }),
        async ({ month, hired, left, change, hours, moves, holidays, zone, work, leave }) => {
          const hiredOn = hired === null ? null : date(hired)
          const leftOn = left === null || (hired !== null && left < hired) ? null : date(left)
          const pattern = await make('/working_patterns', {
            name: `Pattern ${++count}`,
            ...Object.fromEntries(HOURS.map((name, n) => [`${name}_hours`, (hours[n] as number) / 4])),
          })
          const one = await hire({ hired_on: hiredOn })
          if (leftOn) await service.post(`/employees/${one.id}/terminate`, { effective_from: leftOn })
          await make(`/employees/${one.id}/employment_statuses`, {
            effective_from: date(change),
            working_pattern_id: pattern.id,
          })
          await make(`/employees/${one.id}/positions`, { effective_from: date(moves), location_id: locations[zone].id })
          const kept = new Map<string, boolean>()
          for (const [n, holiday] of holidays.entries()) {
            if (kept.has(date(holiday.day))) continue
            await make('/holidays', {
              holiday_policy_id: policy.id,
              name: `H${n}`,
              occurs_on: date(holiday.day),
              working: holiday.working,
            })
            kept.set(date(holiday.day), holiday.working)
          }
          // What was worked, by local day: an entry that crosses midnight or overlaps another is refused.
          const accepted: { from: number; to: number }[] = []
          const minutesOn = new Map<string, number>()
          for (const { n, hour } of work) {
            const from = Date.parse(`${date(n)}T${String(hour).padStart(2, '0')}:00:00Z`)
            const to = from + 75 * 60_000
            const local = localDate(zone, new Date(from).toISOString())
            const isWhole = local === localDate(zone, new Date(to - 1).toISOString())
            const isFree = !accepted.some((other) => other.from < to && other.to > from)
            const answer = await service.post('/time/timesheet_entries', {
              employee_id: one.id,
              starts_at: from / 1000,
              ends_at: to / 1000,
            })
            assert.equal(answer.status, isWhole && isFree ? 201 : 422, answer.text)
            if (answer.status !== 201) continue
            accepted.push({ from, to })
            minutesOn.set(local, (minutesOn.get(local) ?? 0) + 75)
          }
          /** What the person is to work on a day, told naively. */
          const expectedOn = (today: string) => {
            if ((hiredOn && today < hiredOn) || (leftOn && today >= leftOn)) return 0
            if (today >= date(moves) && kept.get(today) === false) return 0
            const weekday = new Date(`${today}T00:00:00Z`).getUTCDay()
            return today >= date(change) ? (hours[weekday] as number) * 15 : weekday % 6 === 0 ? 0 : 480
          }
          await make(`/employees/${one.id}/leave_types`, {
            leave_type_id: leaveType.id,
            leave_type_policy_id: kinds[leave.kind].id,
            effective_on: '2024-01-01',
          })
          const away = Array.from({ length: leave.days + 1 }, (_, n) => date(leave.from + n))
          const asked = await service.post('/leave_requests', {
            employee_id: one.id,
            leave_type_id: leaveType.id,
            starts_on: away[0],
            ends_on: away.at(-1),
            skip_approval: true,
          })
          assert.equal(asked.status, away.some((today) => expectedOn(today) > 0) ? 201 : 422, asked.text)

          const [year, number] = [2024 + Math.floor(month / 12), (month % 12) + 1]
          let expected = 0
          let done = 0
          let leaveMinutes = 0
          for (let n = 0; n < 460; n++) {
            const today = date(n)
            if (Number(today.slice(0, 4)) !== year || Number(today.slice(5, 7)) !== number) continue
            done += minutesOn.get(today) ?? 0
            expected += expectedOn(today)
            if (away.includes(today)) leaveMinutes += expectedOn(today)
          }
          const { body } = await service.get(`/time/timesheets?year=${year}&month=${number}&employee_ids[]=${one.id}`)
          const last = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
          const first = `${last.slice(0, 8)}01`
          const inService = !(hiredOn && hiredOn > last) && !(leftOn && leftOn <= first)
          assert.equal(body.data.length, inService ? 1 : 0)
          if (inService)
            assert.deepEqual(body.data[0], {
              employee_id: one.id,
              employee_number: one.employee_number,
              full_name: one.full_name,
              email: null,
              expected_minutes: expected,
              worked_minutes: done,
              break_minutes: 0,
              working_leave_minutes: leave.kind === 'working_paid' ? leaveMinutes : 0,
              non_working_leave_minutes: leave.kind === 'working_paid' ? 0 : leaveMinutes,
              difference_minutes: done + leaveMinutes - expected,
            })
          for (const holiday of (await service.get(`/holidays?holiday_policy_ids[]=${policy.id}`)).body.data)
            await service.delete(`/holidays/${holiday.id}`)
        },
      ),
      { numRuns: 40 },
    )
  })

  test('a page reads only what its people need, whatever the number of employees', async () => {
    const statements = async (path: string) => {
      let n = 0
      service.database.onStatement = (statement) => {
        if (statement.startsWith('select')) n++
      }
      const { body } = await service.get(path)
      service.database.onStatement = undefined
      return { n, body }
    }
    for (let n = 0; n < 60; n++) await hire()
    const first = await statements('/time/timesheets')
    assert.deepEqual([first.body.data.length, first.body.metadata.page], [50, 1])
    assert.ok(first.n <= 9, String(first.n))
    assert.ok((await statements('/time/timesheets?page=2')).n <= first.n)
  })
})
