import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fc } from '../chance.ts'
import { type Service, startService } from '../harness.ts'
import { oneEngineTest, rounds } from '../thorough.ts'

let service: Service
const now = new Date('2036-06-15T12:00:00Z')
before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

const make: Service['make'] = (path, values) => service.make(path, values)
const hire: Service['hire'] = (values) => service.hire(values)
let patterns = 0

describe('timesheets', () => {
  oneEngineTest(
    'equal a naive day-by-day recount for random people, patterns, holidays, leave and time zones',
    async () => {
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
            work: fc.array(
              fc.record({
                n: day,
                hour: fc.integer({ min: 0, max: 23 }),
                status: fc.constantFrom('unsubmitted', 'pending', 'approved', 'rejected'),
              }),
              { maxLength: 8 },
            ),
            overtime: fc.array(
              fc.record({ n: day, minutes: fc.integer({ min: 1, max: 90 }), isGranted: fc.boolean() }),
              {
                maxLength: 6,
              },
            ),
            leave: fc.record({
              from: day,
              days: fc.integer({ min: 0, max: 20 }),
              kind: fc.constantFrom('working_paid', 'not_working_paid', 'not_working_unpaid'),
            }),
          }),
          async ({ month, hired, left, hours, holidays, zone, work, overtime, leave, ...chance }) => {
            // Nothing is entered before the first day.
            const [change, moves] = [chance.change, chance.moves].map((n) => Math.max(n, hired ?? 0)) as [
              number,
              number,
            ]
            const hiredOn = hired === null ? null : date(hired)
            const leftOn = left === null || (hired !== null && left < hired) ? null : date(left)
            const pattern = await make('/working_patterns', {
              name: `Pattern ${++patterns}`,
              ...Object.fromEntries(HOURS.map((name, n) => [`${name}_hours`, (hours[n] as number) / 4])),
            })
            const one = await hire({ hired_on: hiredOn })
            await make(`/employees/${one.id}/employment_statuses`, {
              effective_from: date(change),
              working_pattern_id: pattern.id,
            })
            await make(`/employees/${one.id}/positions`, {
              effective_from: date(moves),
              location_id: locations[zone].id,
            })
            if (leftOn) await service.post(`/employees/${one.id}/terminate`, { effective_from: leftOn })
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
            // What was worked, by local day: an entry that overlaps another is refused.
            const accepted: { from: number; to: number }[] = []
            const minutesOn = new Map<string, number>()
            const pendingOn = new Map<string, number>()
            for (const { n, hour, status } of work) {
              const from = Date.parse(`${date(n)}T${String(hour).padStart(2, '0')}:00:00Z`)
              const to = from + 75 * 60_000
              // Until the move they were nowhere in particular, and so where the account is.
              const isThere = localDate(zone, new Date(from).toISOString()) >= date(moves)
              const isHome = localDate('UTC', new Date(from).toISOString()) < date(moves)
              // Around the move it is both or neither, and either will do.
              if (isThere === isHome) continue
              const where = isThere ? zone : 'UTC'
              const local = localDate(where, new Date(from).toISOString())
              const isInService = !(hiredOn && local < hiredOn) && !(leftOn && local >= leftOn)
              const isFree = !accepted.some((other) => other.from < to && other.to > from)
              const answer = await service.post('/time/timesheet_entries', {
                employee_id: one.id,
                starts_at: from / 1000,
                ends_at: to / 1000,
                status: status === 'rejected' ? 'pending' : status,
              })
              assert.equal(answer.status, isFree && isInService ? 201 : 422, answer.text)
              if (answer.status !== 201) continue
              accepted.push({ from, to })
              if (status === 'rejected') {
                await service.put(`/time/timesheet_entries/${answer.body.data.id}`, { status })
                continue
              }
              for (let minute = from; minute < to; minute += 60_000) {
                const today = localDate(where, new Date(minute).toISOString())
                // The last day of employment has the whole night.
                const counted = leftOn && today >= leftOn ? local : today
                minutesOn.set(counted, (minutesOn.get(counted) ?? 0) + 1)
                if (status === 'pending') pendingOn.set(counted, (pendingOn.get(counted) ?? 0) + 1)
              }
            }
            // Of a day one request for so many minutes is enough; only what is approved is shown.
            const overtimeOn = new Map<string, number>()
            const askedOn = new Set<string>()
            for (const { n, minutes, isGranted } of overtime) {
              const on = date(n)
              const isInService = !(hiredOn && on < hiredOn) && !(leftOn && on >= leftOn)
              const answer = await service.post('/time/overtime_requests', { employee_id: one.id, date: on, minutes })
              assert.equal(answer.status, isInService && !askedOn.has(on) ? 201 : 422, answer.text)
              if (answer.status !== 201) continue
              askedOn.add(on)
              if (!isGranted) continue
              await service.post(`/time/overtime_requests/${answer.body.data.id}/approve`)
              overtimeOn.set(on, minutes)
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
            const isInService = !away.some((today) => (hiredOn && today < hiredOn) || (leftOn && today >= leftOn))
            const isGranted = isInService && away.some((today) => expectedOn(today) > 0)
            assert.equal(asked.status, isGranted ? 201 : 422, asked.text)

            const [year, number] = [2024 + Math.floor(month / 12), (month % 12) + 1]
            let expected = 0
            let done = 0
            let waiting = 0
            let leaveMinutes = 0
            let overtimeMinutes = 0
            for (let n = 0; n < 460; n++) {
              const today = date(n)
              if (Number(today.slice(0, 4)) !== year || Number(today.slice(5, 7)) !== number) continue
              done += minutesOn.get(today) ?? 0
              waiting += pendingOn.get(today) ?? 0
              overtimeMinutes += overtimeOn.get(today) ?? 0
              expected += expectedOn(today)
              if (isGranted && away.includes(today)) leaveMinutes += expectedOn(today)
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
                pending_minutes: waiting,
                break_minutes: 0,
                deducted_break_minutes: 0,
                working_leave_minutes: leave.kind === 'working_paid' ? leaveMinutes : 0,
                non_working_leave_minutes: leave.kind === 'working_paid' ? 0 : leaveMinutes,
                overtime_minutes: overtimeMinutes,
                difference_minutes: done + leaveMinutes - expected,
              })
            for (const holiday of (await service.get(`/holidays?holiday_policy_ids[]=${policy.id}`)).body.data)
              await service.delete(`/holidays/${holiday.id}`)
          },
        ),
        { numRuns: rounds(12, 80) },
      )
    },
  )

  test('a page takes a constant number of statements, whatever the number of employees', async () => {
    const statements = async (path: string) => {
      let n = 0
      service.onStatement = (statement) => {
        if (statement.startsWith('select')) n++
      }
      const { body } = await service.get(path)
      service.onStatement = undefined
      return { n, body }
    }
    for (let n = 0; n < 60; n++) await hire()
    const first = await statements('/time/timesheets')
    assert.deepEqual([first.body.data.length, first.body.metadata.page], [50, 1])
    assert.ok(first.n <= 10, String(first.n))
    assert.ok((await statements('/time/timesheets?page=2')).n <= first.n)
  })

  test('rejected time never counts, also by project; pending time counts and is listed separately', async () => {
    const { id: employee_id } = await hire({ hired_on: '2036-06-01' })
    const project = await make('/time/projects', { name: 'Bridge' })
    const enter = async (date: string, values: object = {}) =>
      (
        await make('/time/timesheet_entries', {
          employee_id,
          starts_at: `${date}T08:00:00Z`,
          ends_at: `${date}T09:00:00Z`,
          ...values,
        })
      ).id as number
    const decide = async (id: number, ...statuses: string[]) => {
      for (const status of statuses)
        assert.equal((await service.put(`/time/timesheet_entries/${id}`, { status })).status, 200)
    }
    await enter('2036-06-02')
    await decide(await enter('2036-06-03'), 'pending')
    await decide(await enter('2036-06-04', { type: 'break' }), 'pending', 'rejected')
    await decide(await enter('2036-06-05'), 'pending', 'approved')
    const refused = await enter('2036-06-06', { project_id: project.id })
    await decide(refused, 'pending', 'rejected')
    const sheet = async (more = '') =>
      (await service.get(`/time/timesheets?employee_id=${employee_id}&year=2036&month=6${more}`)).body.data
    const [{ days, ...row }] = await sheet('&days=true')
    assert.deepEqual([row.worked_minutes, row.pending_minutes, row.break_minutes], [180, 60, 0])
    assert.equal(row.difference_minutes, 180 - row.expected_minutes)
    assert.deepEqual(
      days.slice(1, 6).map((one: any) => [one.worked_minutes, one.pending_minutes, one.break_minutes]),
      [
        [60, 0, 0],
        [60, 60, 0],
        [0, 0, 0],
        [60, 0, 0],
        [0, 0, 0],
      ],
    )
    assert.deepEqual(await sheet(`&project_id=${project.id}`), [], 'nothing was worked for the project')
    // Handed in once more, it counts.
    await decide(refused, 'pending')
    const [again] = await sheet(`&project_id=${project.id}`)
    assert.deepEqual([again.worked_minutes, again.pending_minutes], [60, 60])
  })

  test('cover any date range, and show single days', async () => {
    const { id } = await hire({ hired_on: '2036-06-01' })
    const enter = (date: string, hours: number, type = 'working') =>
      make('/time/timesheet_entries', {
        employee_id: id,
        starts_at: `${date}T08:00:00Z`,
        ends_at: `${date}T${String(8 + hours).padStart(2, '0')}:00:00Z`,
        type,
      })
    await enter('2036-06-02', 8)
    await enter('2036-06-04', 1, 'break')
    await enter('2036-06-09', 5)
    const path = `/time/timesheets?employee_id=${id}`
    const { body } = await service.get(`${path}&starts_on=2036-06-02&ends_on=2036-06-08&days=true`)
    const [{ days, ...week }] = body.data
    assert.deepEqual(
      [week.worked_minutes, week.break_minutes, week.expected_minutes, week.difference_minutes],
      [480, 60, 2400, -1920],
    )
    assert.deepEqual(
      days.map((one: any) => [one.date.slice(8), one.expected_minutes, one.worked_minutes, one.break_minutes]),
      [
        ['02', 480, 480, 0],
        ['03', 480, 0, 0],
        ['04', 480, 0, 60],
        ['05', 480, 0, 0],
        ['06', 480, 0, 0],
        ['07', 0, 0, 0],
        ['08', 0, 0, 0],
      ],
    )
    assert.equal((await service.get(`${path}&year=2036&month=6`)).body.data[0].worked_minutes, 780)
    for (const wrong of [
      'starts_on=2036-06-02',
      'ends_on=2036-06-02',
      'starts_on=2036-06-02&ends_on=2036-06-01',
      'starts_on=2036-06-02&ends_on=2036-09-01',
      'starts_on=2036-06-02&ends_on=2036-06-03&month=6',
    ])
      assert.equal((await service.get(`${path}&${wrong}`)).status, 400, wrong)
  })
})
