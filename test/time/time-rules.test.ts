import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fc } from '../chance.ts'
import { type Service, startService } from '../harness.ts'
import { oneEngineTest, rounds } from '../thorough.ts'

/** Breaks and overtime that follow from the time rules of a working pattern. */

let service: Service
before(async () => {
  service = await startService({ clock: () => new Date('2036-06-16T12:00:00Z') })
})
after(() => service.stop())

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const EIGHT = [0, 8, 8, 8, 8, 8, 0]
/** Section 4 of the German Working Hours Act: 30 minutes after six hours, 45 after nine. */
const GERMAN = [
  { after_minutes: 360, break_minutes: 30 },
  { after_minutes: 540, break_minutes: 45 },
]
let count = 0

type Person = { id: number; patternId: number }

/** Somebody with a working pattern of their own, which has these rules. */
async function person(rules: object[], hours = EIGHT, time_zone?: string): Promise<Person> {
  const { make, hire } = service
  const week = Object.fromEntries(WEEKDAYS.map((day, n) => [`${day}_hours`, hours[n]]))
  const pattern = await make('/working_patterns', { name: `Pattern ${++count}`, ...week })
  for (const rule of rules)
    await make(`/working_patterns/${pattern.id}/time_rules`, { effective_from: '2030-01-01', ...rule })
  const { id } = await hire({ hired_on: '2030-01-01' })
  await make(`/employees/${id}/employment_statuses`, { effective_from: '2030-01-01', working_pattern_id: pattern.id })
  if (time_zone) {
    const location = await make('/locations', { name: `Place ${count}`, time_zone })
    await make(`/employees/${id}/positions`, { effective_from: '2030-01-01', location_id: location.id })
  }
  return { id, patternId: pattern.id }
}

/** `worked(who, '2036-06-02', '08:00', '16:30')`; an end before the start is on the next day. */
const worked = async ({ id }: Person, day: string, from: string, to: string, more: object = {}) => {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
  const sent = { starts_at: `${day}T${from}:00Z`, ends_at: `${to > from ? day : next}T${to}:00Z` }
  return service.make('/time/timesheet_entries', { employee_id: id, ...sent, ...more })
}
const sheet = async ({ id }: Person, query = 'year=2036&month=6') =>
  (await service.get(`/time/timesheets?${query}&days=true&employee_id=${id}`)).body.data[0]
const dayOf = async (who: Person, date: string) => {
  const { days } = await sheet(who)
  const { worked_minutes, deducted_break_minutes } = days.find((one: any) => one.date === date)
  return [worked_minutes, deducted_break_minutes]
}
const overtime = async ({ id }: Person, query = 'year=2036&month=6', key?: string) => {
  const answer = await service.get(`/time/calculated_overtime?${query}&employee_id=${id}`, key ? { key } : {})
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data[0]
}
const daysOf = async (who: Person, query?: string) =>
  (await overtime(who, query)).days.map((one: any) => [one.date, one.minutes, one.credited_minutes])

test('a missing break is deducted, but never more than the time above the limit', async () => {
  const who = await person([{ break_deductions: GERMAN }])
  await worked(who, '2036-06-02', '08:00', '14:00')
  await worked(who, '2036-06-03', '08:00', '14:10')
  await worked(who, '2036-06-04', '08:00', '16:00')
  await worked(who, '2036-06-05', '08:00', '17:20')
  await worked(who, '2036-06-06', '08:00', '18:00', { status: 'pending' })
  assert.deepEqual(await dayOf(who, '2036-06-02'), [360, 0])
  assert.deepEqual(await dayOf(who, '2036-06-03'), [360, 10])
  assert.deepEqual(await dayOf(who, '2036-06-04'), [450, 30])
  assert.deepEqual(await dayOf(who, '2036-06-05'), [530, 30])
  assert.deepEqual(await dayOf(who, '2036-06-06'), [555, 45])
  const { worked_minutes, pending_minutes, deducted_break_minutes, break_minutes, days } = await sheet(who)
  assert.deepEqual([worked_minutes, deducted_break_minutes, break_minutes], [360 + 360 + 450 + 530 + 555, 115, 0])
  assert.equal(pending_minutes, 555)
  assert.equal(
    days.reduce((sum: number, one: any) => sum + one.worked_minutes, 0),
    worked_minutes,
  )
})

test('entered breaks and gaps between entries count as breaks', async () => {
  const who = await person([{ break_deductions: GERMAN }])
  await worked(who, '2036-06-02', '08:00', '12:00')
  await worked(who, '2036-06-02', '12:30', '16:30')
  await worked(who, '2036-06-03', '08:00', '12:00')
  await worked(who, '2036-06-03', '12:00', '12:20', { type: 'break' })
  await worked(who, '2036-06-03', '12:20', '16:20')
  assert.deepEqual(await dayOf(who, '2036-06-02'), [480, 0])
  assert.deepEqual(await dayOf(who, '2036-06-03'), [470, 10])
  // The break of a night belongs to the day on which it starts.
  await worked(who, '2036-06-08', '22:00', '06:00')
  assert.deepEqual(
    [await dayOf(who, '2036-06-08'), await dayOf(who, '2036-06-09')],
    [
      [90, 30],
      [360, 0],
    ].slice(0, 2),
  )
  const { worked_minutes } = await sheet(who, 'starts_on=2036-06-09&ends_on=2036-06-09')
  assert.equal(worked_minutes, 360)
})

test('breaks are deducted from the first day of a rule on, and timesheets of projects deduct none', async () => {
  const who = await person([
    { effective_from: '2036-06-03', break_deductions: GERMAN },
    { effective_from: '2036-06-04', break_deductions: [] },
  ])
  const { id: project_id } = await service.make('/time/projects', { name: 'Breaks' })
  for (const day of ['2036-06-02', '2036-06-03', '2036-06-04']) await worked(who, day, '08:00', '16:00', { project_id })
  const { days } = await sheet(who)
  assert.deepEqual(
    days.slice(1, 4).map((one: any) => one.worked_minutes),
    [480, 450, 480],
  )
  assert.equal((await sheet(who, `year=2036&month=6&project_id=${project_id}`)).worked_minutes, 1440)
})

test('overtime per day, week and month is the last working time above what is expected', async () => {
  const [byDay, byWeek, byMonth] = await Promise.all(
    ['day', 'week', 'month'].map((overtime_per) => person([{ overtime_per }])),
  )
  for (const who of [byDay, byWeek, byMonth] as Person[]) {
    await worked(who, '2036-06-02', '08:00', '18:00')
    await worked(who, '2036-06-03', '08:00', '15:00')
    for (const day of ['04', '05', '06']) await worked(who, `2036-06-${day}`, '08:00', '16:00')
    await worked(who, '2036-06-07', '10:00', '12:00')
  }
  assert.deepEqual(await daysOf(byDay as Person), [
    ['2036-06-02', 120, 120],
    ['2036-06-07', 120, 120],
  ])
  assert.deepEqual(await daysOf(byWeek as Person), [
    ['2036-06-06', 60, 60],
    ['2036-06-07', 120, 120],
  ])
  assert.deepEqual(await daysOf(byMonth as Person), [])
  // A range within the week counts the days of the week before it.
  assert.deepEqual(await daysOf(byWeek as Person, 'starts_on=2036-06-07&ends_on=2036-06-07'), [
    ['2036-06-07', 120, 120],
  ])
})

test('a week is from Monday to Sunday, and a night ends by the clock also when it changes', async () => {
  const who = await person([{ overtime_per: 'week' }], [0, 8, 8, 8, 8, 8, 0])
  await worked(who, '2036-06-01', '08:00', '10:00')
  for (const day of ['26', '27', '28', '29', '30']) await worked(who, `2036-05-${day}`, '08:00', '16:00')
  await worked(who, '2036-06-02', '08:00', '10:00')
  assert.deepEqual(await daysOf(who), [['2036-06-01', 120, 120]])
  const night = { night_starts_at: '22:00', night_ends_at: '06:00', night_factor: 1.5 }
  const other = await person([{ overtime_per: 'day', ...night }], EIGHT, 'America/New_York')
  // On this Sunday clocks go from 2 to 3: 9:00 to 11:00 UTC are 5:00 to 7:00 there.
  await worked(other, '2036-03-09', '09:00', '11:00')
  assert.deepEqual(await daysOf(other, 'year=2036&month=3'), [['2036-03-09', 120, 150]])
})

test('leave lowers what is expected, and minutes below the limit are no overtime', async () => {
  const who = await person([{ overtime_per: 'week', overtime_after_minutes: 30 }])
  const { id: leave_type_id } = await service.make('/leave_types', { name: 'Leave', unit: 'days' })
  const policy = await service.make('/leave_policies', { name: 'Leave', leave_type_id, type: 'external' })
  await service.make(`/employees/${who.id}/leave_types`, {
    ...{ leave_type_id, leave_type_policy_id: policy.id, effective_on: '2036-01-01' },
  })
  await service.make('/leave_requests', {
    ...{ employee_id: who.id, leave_type_id, starts_on: '2036-06-06', ends_on: '2036-06-06', skip_approval: true },
  })
  for (const day of ['02', '03', '04', '05']) await worked(who, `2036-06-${day}`, '08:00', '16:10')
  assert.deepEqual(await daysOf(who), [['2036-06-05', 10, 10]])
})

test('each minute counts with the highest factor: overtime, night, Sunday, holiday', async () => {
  const policy = await service.make('/holiday_policies', { name: 'Own', country_code: 'AQ' })
  await service.make('/holidays', { holiday_policy_id: policy.id, name: 'Midsummer', occurs_on: '2036-06-05' })
  const rule = { overtime_per: 'day', base_factor: 1.25, night_starts_at: '23:00', night_ends_at: '06:00' }
  const who = await person(
    [{ ...rule, night_factor: 1.5, sunday_factor: 1.75, holiday_factor: 2 }],
    EIGHT,
    'Europe/Berlin',
  )
  const location = (await service.get(`/employees/${who.id}/positions`)).body.data[0].location.id
  assert.equal((await service.put(`/locations/${location}`, { holiday_policy_id: policy.id })).status, 200)
  // Berlin is two hours ahead: 12:00 to 24:00, of which the last hour is at night.
  await worked(who, '2036-06-02', '10:00', '22:00')
  // A Saturday night: 22:00 to 24:00, and until 02:00 on Sunday, which counts more than the night.
  await worked(who, '2036-06-07', '20:00', '00:00')
  await worked(who, '2036-06-05', '08:00', '09:00')
  assert.deepEqual(await daysOf(who), [
    ['2036-06-02', 240, 180 * 1.25 + 60 * 1.5],
    ['2036-06-05', 60, 120],
    ['2036-06-07', 120, 60 * 1.25 + 60 * 1.5],
    ['2036-06-08', 120, 210],
  ])
})

test('calculated overtime is requested once, approved like any other, and credited with its factors', async () => {
  const who = await person([{ overtime_per: 'day', base_factor: 1.5 }])
  const { id: leave_type_id } = await service.make('/leave_types', { name: 'Time off in lieu', unit: 'hours' })
  const policy = { name: 'Time off in lieu', leave_type_id, type: 'manual', overtime_factor: 1 }
  const { id: leave_type_policy_id } = await service.make('/leave_policies', policy)
  const assigned = { leave_type_id, leave_type_policy_id, effective_on: '2036-01-01' }
  await service.make(`/employees/${who.id}/leave_types`, assigned)
  await worked(who, '2036-06-02', '08:00', '17:00')
  await worked(who, '2036-06-03', '08:00', '18:00')
  await worked(who, '2036-06-04', '08:00', '18:00')
  await service.make('/time/overtime_requests', { employee_id: who.id, date: '2036-06-04', minutes: 30 })
  const sent = { employee_ids: [who.id], starts_on: '2036-06-01', ends_on: '2036-06-30', comment: 'Stocktaking' }
  const dry = await service.post('/time/calculated_overtime/request', sent, { headers: { prefer: 'dry-run' } })
  assert.deepEqual([dry.status, dry.body.count], [200, 3])
  const { status, body, headers } = await service.post('/time/calculated_overtime/request', sent)
  assert.deepEqual([status, body.count, body.overtime_request_ids.length], [200, 3, 3])
  const made = (await service.get(`/time/overtime_requests/${body.overtime_request_ids[0]}`)).body.data
  assert.deepEqual(
    [made.date, made.minutes, made.credited_minutes, made.state, made.comment],
    ['2036-06-02', 60, 90, 'pending', 'Stocktaking'],
  )
  const { days, minutes, requested_minutes } = await overtime(who)
  assert.deepEqual(
    [minutes, requested_minutes, ...days.map((one: any) => [one.minutes, one.requested_minutes])],
    [300, 300, [60, 60], [120, 120], [120, 120]],
  )
  assert.equal((await service.post('/time/calculated_overtime/request', sent)).body.count, 0)
  const balance = async () => (await service.get(`/employees/${who.id}/leave_balances`)).body.data[0].balance
  const [first] = body.overtime_request_ids
  await service.post(`/time/overtime_requests/${first}/approve`)
  assert.equal(await balance(), 1.5)
  const undone = await service.post(`/requests/${headers.get('x-request-id')}/undo`)
  assert.equal(undone.status, 409)
})

const range = { starts_on: '2036-06-01', ends_on: '2036-06-30' }
const requestFor = (who: Person, sending: object = {}, more: object = {}) =>
  service.post('/time/calculated_overtime/request', { employee_ids: [who.id], ...range, ...more }, sending)
const openOf = async (who: Person) => {
  const { minutes, requested_minutes, open_minutes } = await overtime(who)
  return [minutes, requested_minutes, open_minutes]
}
/** A key of the employee themselves. */
const ownKey = async (who: Person): Promise<string> => {
  const roles = (await service.get('/roles')).body.data
  const role_ids = roles.filter((one: any) => one.standard === 'employee').map((one: any) => one.id)
  const sent = { name: `Own ${who.id}`, permissions: ['*'], employee_id: who.id, role_ids }
  return (await service.make('/api_keys', sent)).key
}

test('overtime is never requested twice, also when it moves to another day of its week, and the rest can be requested', async () => {
  const who = await person([{ overtime_per: 'week' }])
  for (const day of ['02', '03', '04', '05', '06']) await worked(who, `2036-06-${day}`, '08:00', '16:00')
  const saturday = await worked(who, '2036-06-07', '08:00', '12:00')
  assert.equal((await requestFor(who)).body.count, 1)
  assert.equal((await service.delete(`/time/timesheet_entries/${saturday.id}`)).status, 204)
  await worked(who, '2036-06-06', '16:00', '20:00')
  assert.deepEqual(await openOf(who), [240, 240, 0])
  assert.equal((await requestFor(who)).body.count, 0)
  // With two more hours on Monday, two more of Friday are overtime.
  await worked(who, '2036-06-02', '16:00', '18:00')
  assert.deepEqual(await openOf(who), [360, 240, 120])
  assert.equal((await requestFor(who)).body.count, 1)
  assert.deepEqual(await openOf(who), [360, 360, 0])
  const typed = await person([{ overtime_per: 'week' }])
  await worked(typed, '2036-06-02', '08:00', '18:00')
  for (const day of ['03', '04', '05', '06']) await worked(typed, `2036-06-${day}`, '08:00', '16:00')
  await service.make('/time/overtime_requests', { employee_id: typed.id, date: '2036-06-02', minutes: 120 })
  assert.deepEqual(await openOf(typed), [120, 120, 0])
  const night = await person([{ overtime_per: 'day' }], [0, 0, 0, 0, 0, 0, 0])
  await worked(night, '2036-06-02', '20:00', '04:00')
  const times = { starts_at: '2036-06-02T20:00:00Z', ends_at: '2036-06-03T04:00:00Z' }
  await service.make('/time/overtime_requests', { employee_id: night.id, ...times })
  assert.deepEqual(await openOf(night), [480, 480, 0])
})

test('overtime of days after today is calculated, but can only be requested from its day on', async () => {
  const who = await person([{ overtime_per: 'day' }])
  await worked(who, '2036-06-17', '08:00', '17:00')
  await worked(who, '2036-06-21', '08:00', '10:00')
  assert.deepEqual(await daysOf(who), [
    ['2036-06-17', 60, 60],
    ['2036-06-21', 120, 120],
  ])
  assert.deepEqual(await openOf(who), [180, 0, 0])
  const refused = await requestFor(who)
  assert.deepEqual([refused.status, refused.body.errors?.[0].code], [422, 'in_the_future'])
  assert.match(refused.body.errors[0].message, /requested from its day on: the first is 2036-06-17/)
  // Without overtime in the period, nothing is refused.
  const earlier = await requestFor(who, {}, { ends_on: '2036-06-15' })
  assert.deepEqual([earlier.status, earlier.body.count], [200, 0])
  const later = await requestFor(who, {}, { starts_on: '2036-06-24' })
  assert.deepEqual([later.status, later.body.count], [200, 0])
  // Today counts, and so does everything before it.
  await worked(who, '2036-06-16', '08:00', '16:30')
  assert.deepEqual(await openOf(who), [210, 0, 30])
  const { body } = await requestFor(who)
  assert.equal(body.count, 1)
  const { data } = (await service.get(`/time/overtime_requests/${body.overtime_request_ids[0]}`)).body
  assert.deepEqual([data.date, data.minutes], ['2036-06-16', 30])
  assert.equal((await requestFor(who)).status, 422)
})

test('what is planned for later in a month neither opens nor closes overtime of the days before', async () => {
  const months = () => person([{ overtime_per: 'month' }], [0, 0, 0, 0, 0, 0, 0])
  // Two hours worked, and requested for another day: the two planned hours do not open them again.
  const moved = await months()
  await worked(moved, '2036-06-02', '08:00', '10:00')
  await worked(moved, '2036-06-28', '08:00', '10:00')
  await service.make('/time/overtime_requests', { employee_id: moved.id, date: '2036-06-04', minutes: 120 })
  assert.deepEqual(await openOf(moved), [240, 120, 0])
  // The planned hours are requested by hand: what is worked already stays open.
  const planned = await months()
  await worked(planned, '2036-06-02', '08:00', '10:00')
  await worked(planned, '2036-06-28', '08:00', '10:00')
  await service.make('/time/overtime_requests', { employee_id: planned.id, date: '2036-06-28', minutes: 120 })
  assert.deepEqual(await openOf(planned), [240, 120, 120])
})

test('calculated overtime is approved only for as many minutes as are still calculated', async () => {
  const approve = (id: number) => service.post(`/time/overtime_requests/${id}/approve`)
  const who = await person([{ overtime_per: 'day' }])
  const entry = await worked(who, '2036-06-02', '08:00', '18:00')
  const [id] = (await requestFor(who)).body.overtime_request_ids
  const path = `/time/overtime_requests/${id}`
  assert.equal((await service.get(path)).body.data.calculated, true)
  const shorter = await service.put(`/time/timesheet_entries/${entry.id}`, { ends_at: '2036-06-02T17:30:00Z' })
  assert.equal(shorter.status, 200, shorter.text)
  const refused = await approve(id)
  assert.equal(refused.status, 409)
  assert.match(refused.text, /is for 120 minutes, but only 90 minutes of overtime are calculated now\. Withdraw/)
  assert.equal((await service.put(path, { minutes: 90 })).status, 200)
  assert.equal((await approve(id)).status, 200)
  // Nothing is left of it: withdrawn, it can be requested again once there is something.
  const gone = await person([{ overtime_per: 'day' }])
  const saturday = await worked(gone, '2036-06-07', '08:00', '10:00')
  const [other] = (await requestFor(gone)).body.overtime_request_ids
  assert.equal((await service.delete(`/time/timesheet_entries/${saturday.id}`)).status, 204)
  assert.match((await approve(other)).text, /only 0 minutes of overtime are calculated now/)
  assert.equal((await service.post(`/time/overtime_requests/${other}/withdraw`)).status, 200)
  // What is typed by hand is approved as before, also without entries.
  const typed = await service.make('/time/overtime_requests', { employee_id: gone.id, date: '2036-06-07', minutes: 60 })
  assert.equal(typed.calculated, false)
  assert.equal((await approve(typed.id)).status, 200)
})

test('calculated overtime that moved within its week is approved, but all of it together not for more than the week has', async () => {
  const approve = (id: number) => service.post(`/time/overtime_requests/${id}/approve`)
  const who = await person([{ overtime_per: 'week' }], [0, 0, 0, 0, 0, 0, 0])
  const entries = [
    await worked(who, '2036-06-02', '08:00', '10:00'),
    await worked(who, '2036-06-03', '08:00', '11:00'),
    await worked(who, '2036-06-09', '08:00', '18:00'),
  ]
  const [first, second] = (await requestFor(who, {}, { ends_on: '2036-06-08' })).body.overtime_request_ids
  assert.equal((await service.delete(`/time/timesheet_entries/${entries[0].id}`)).status, 204)
  await worked(who, '2036-06-06', '08:00', '10:00')
  assert.equal((await approve(first)).status, 200)
  const shorter = await service.put(`/time/timesheet_entries/${entries[1].id}`, { ends_at: '2036-06-03T10:00:00Z' })
  assert.equal(shorter.status, 200, shorter.text)
  assert.match(
    (await approve(second)).text,
    /is for 180 minutes, but only 240 minutes of overtime are calculated now, of which 120 are approved already/,
  )
  await worked(who, '2036-06-08', '08:00', '09:00')
  assert.equal((await approve(second)).status, 200)
})

test('other factors do not cut a week or month, another employment does', async () => {
  const who = await person([
    { overtime_per: 'week' },
    { overtime_per: 'week', effective_from: '2036-06-04', base_factor: 1.5 },
  ])
  await worked(who, '2036-06-02', '08:00', '18:00')
  for (const day of ['03', '04', '05']) await worked(who, `2036-06-${day}`, '08:00', '16:00')
  await worked(who, '2036-06-06', '08:00', '15:00')
  assert.deepEqual(await daysOf(who), [['2036-06-06', 60, 90]])
  const again = await person([{ overtime_per: 'month' }])
  await worked(again, '2036-06-02', '06:00', '20:00')
  await worked(again, '2036-06-03', '06:00', '20:00')
  await service.post(`/employees/${again.id}/terminate`, { effective_from: '2036-06-04' })
  assert.deepEqual(await daysOf(again), [['2036-06-03', 720, 720]])
  const rehired = await service.post(`/employees/${again.id}/rehire`, { hired_on: '2036-06-10' })
  assert.ok([200, 201].includes(rehired.status), rehired.text)
  assert.deepEqual(await daysOf(again), [['2036-06-03', 720, 720]])
})

test('a request tells nothing of plans that are not announced, nor anything to keys that cannot read time', async () => {
  const who = await person([{ overtime_per: 'day' }])
  await worked(who, '2036-06-02', '08:00', '17:00')
  await worked(who, '2036-06-23', '08:00', '17:00')
  const key = await ownKey(who)
  await service.post(`/employees/${who.id}/terminate`, { effective_from: '2036-06-20', announced_on: '2036-06-19' })
  const dry = { headers: { prefer: 'dry-run' } }
  assert.equal((await requestFor(who, dry)).body.count, 1)
  assert.equal((await requestFor(who, { ...dry, key })).body.count, 1)
  const after = { starts_on: '2036-06-20' }
  const codesFor = async (sending: object) =>
    (await requestFor(who, sending, after)).body.errors.map((one: any) => `${one.field} ${one.code}`)
  assert.deepEqual(await codesFor(dry), ['employee_ids not_found'])
  assert.deepEqual(await codesFor({ ...dry, key }), ['ends_on in_the_future'])
  const { key: enters } = await service.make('/api_keys', { name: `Enters ${who.id}`, permissions: ['time:enter'] })
  assert.equal((await requestFor(who, { ...dry, key: enters })).status, 403)
  const long = await requestFor(who, {}, { starts_on: '2036-01-01' })
  assert.deepEqual([long.status, long.body.errors[0].field], [422, 'ends_on'])
})

test('employees cannot say by which factor their own overtime counts', async () => {
  const who = await person([])
  const key = await ownKey(who)
  const request = { employee_id: who.id, date: '2036-06-02', minutes: 60 }
  const refused = await service.post('/time/overtime_requests', { ...request, credited_minutes: 90 }, { key })
  assert.deepEqual([refused.status, refused.body.errors[0].field], [422, 'credited_minutes'])
  const { body } = await service.post('/time/overtime_requests', request, { key })
  const path = `/time/overtime_requests/${body.data.id}`
  assert.equal((await service.put(path, { credited_minutes: 90 }, { key })).status, 422)
  assert.equal((await service.put(path, { credited_minutes: 90 })).body.data.credited_minutes, 90)
})

test('the part of a night that waits for approval is never more than what was worked on its day', async () => {
  const who = await person([{ break_deductions: GERMAN }])
  await worked(who, '2036-06-02', '23:45', '07:45', { status: 'pending' })
  const { days } = await sheet(who)
  assert.deepEqual(
    days.slice(1, 3).map((one: any) => [one.worked_minutes, one.pending_minutes, one.deducted_break_minutes]),
    [
      [0, 0, 15],
      [450, 450, 15],
    ],
  )
  const { worked_minutes, pending_minutes } = await sheet(who, 'starts_on=2036-06-03&ends_on=2036-06-03')
  assert.deepEqual([worked_minutes, pending_minutes], [450, 450])
})

test('other minutes of a request end its factors, unless new ones are sent', async () => {
  const who = await person([])
  const request = { employee_id: who.id, date: '2036-06-02', minutes: 60, credited_minutes: 90 }
  const { id, credited_minutes } = await service.make('/time/overtime_requests', request)
  const path = `/time/overtime_requests/${id}`
  assert.equal(credited_minutes, 90)
  assert.equal((await service.put(path, { comment: 'Late' })).body.data.credited_minutes, 90)
  assert.equal((await service.put(path, { minutes: 60 })).body.data.credited_minutes, 90)
  assert.equal((await service.put(path, { minutes: 30 })).body.data.credited_minutes, null)
  assert.equal((await service.put(path, { minutes: 40, credited_minutes: 80 })).body.data.credited_minutes, 80)
})

test('employees request their own calculated overtime, and nobody else’s', async () => {
  const [who, other] = [await person([{ overtime_per: 'day' }]), await person([{ overtime_per: 'day' }])]
  for (const one of [who, other]) await worked(one, '2036-06-02', '08:00', '17:00')
  const key = await ownKey(who)
  assert.equal((await overtime(who, undefined, key)).minutes, 60)
  assert.equal(await overtime(other, undefined, key), undefined)
  const ask = (id: number) =>
    service.post('/time/calculated_overtime/request', { employee_ids: [id], ...range }, { key })
  assert.equal((await ask(who.id)).body.count, 1)
  const refused = await ask(other.id)
  assert.deepEqual(
    [refused.status, refused.body.errors[0].field, refused.body.errors[0].code],
    [422, 'employee_ids', 'not_found'],
  )
})

test('rules that do not fit together are refused by name', async () => {
  const { patternId } = await person([])
  const path = `/working_patterns/${patternId}/time_rules`
  const refusal = async (sent: object) => {
    const { status, body } = await service.post(path, { effective_from: '2036-01-01', ...sent })
    return [status, ...(body.errors ?? []).map((one: any) => `${one.field} ${one.code}`)]
  }
  assert.deepEqual(await refusal({ night_starts_at: '22:00' }), [422, 'night_ends_at required'])
  assert.deepEqual(await refusal({ night_factor: 1.5 }), [422, 'night_starts_at required'])
  assert.deepEqual(await refusal({ night_starts_at: '24:00', night_ends_at: '6:00' }), [
    422,
    'night_starts_at invalid',
    'night_ends_at invalid',
  ])
  assert.deepEqual(await refusal({ night_starts_at: '22:00', night_ends_at: '22:00' }), [422, 'night_ends_at mismatch'])
  assert.deepEqual(await refusal({ break_deductions: [GERMAN[0], { after_minutes: 360, break_minutes: 45 }] }), [
    422,
    'break_deductions repeated',
  ])
  assert.deepEqual(await refusal({ base_factor: 0.5, sunday_factor: 11 }), [
    422,
    'base_factor out_of_range',
    'sunday_factor out_of_range',
  ])
  assert.deepEqual(await refusal({}), [201])
  assert.deepEqual(await refusal({}), [422, 'effective_from taken'])
})

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata']
const formats = new Map<string, Intl.DateTimeFormat>()
/** What clocks in a time zone show: `2036-03-30 02:15`. */
function shown(zone: string, moment: number): string {
  const known = formats.get(zone)
  const format = known ?? new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  formats.set(zone, format)
  return format.format(moment)
}
const dateAt = (n: number) => new Date(Date.UTC(2036, 2, 1 + n)).toISOString().slice(0, 10)
const weekday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay()

oneEngineTest(
  'breaks and overtime equal a naive count minute by minute, in all time zones, also when clocks change',
  async () => {
    const factor = fc.option(fc.constantFrom(1, 1.25, 1.5, 2))
    const aRule = fc.record({
      from: fc.integer({ min: 0, max: 40 }),
      breaks: fc.constantFrom([], GERMAN, [{ after_minutes: 240, break_minutes: 20 }]),
      overtime_per: fc.constantFrom(null, 'day', 'week', 'month'),
      overtime_after_minutes: fc.constantFrom(0, 0, 15),
      base_factor: fc.constantFrom(1, 1.25),
      night: fc.constantFrom(['22:00', '06:00'], ['23:30', '02:30'], ['01:00', '05:00']),
      ...{ night_factor: factor, sunday_factor: factor },
    })
    const anEntry = fc.record({
      day: fc.integer({ min: 0, max: 60 }),
      hour: fc.integer({ min: 0, max: 47 }),
      minutes: fc.integer({ min: 1, max: 40 }),
      isBreak: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(aRule, { selector: ({ from }) => from, maxLength: 3 }),
        fc.array(anEntry, { minLength: 5, maxLength: 25 }),
        fc.constantFrom(...ZONES),
        fc.array(fc.constantFrom(0, 4, 6, 8), { minLength: 7, maxLength: 7 }),
        async (rules, entries, zone, hours) => {
          const sorted = rules.toSorted((a, b) => a.from - b.from)
          const sent = sorted.map(({ from, breaks, night: [night_starts_at, night_ends_at], ...rule }) => ({
            ...{ ...rule, effective_from: dateAt(from), break_deductions: breaks, night_starts_at, night_ends_at },
          }))
          const who = await person(sent, hours, zone)
          const ruleOn = (day: string) => sent.findLast((one) => one.effective_from <= day)
          // What is accepted: the service refuses what overlaps or is too long.
          const accepted: { date: string; from: number; until: number; isBreak: boolean }[] = []
          for (const { day, hour, minutes, isBreak } of entries) {
            const from = Date.parse(`${dateAt(day)}T00:00:00Z`) + hour * 1_800_000
            const until = from + minutes * 15 * 60_000
            const answer = await service.post('/time/timesheet_entries', {
              ...{
                employee_id: who.id,
                starts_at: from / 1000,
                ends_at: until / 1000,
                type: isBreak ? 'break' : 'working',
              },
            })
            if (answer.status === 201) accepted.push({ date: answer.body.data.date, from, until, isBreak })
          }
          // Every minute of work, in order, less the missing breaks of the days on which it starts.
          const minutes: { day: string; clock: string }[] = []
          const deductedOn = new Map<string, number>()
          for (const [date, own] of Map.groupBy(
            accepted.toSorted((a, b) => a.from - b.from),
            (one) => one.date,
          )) {
            const working = own.filter(({ isBreak }) => !isBreak)
            const sum = (some: typeof own) => some.reduce((all, one) => all + (one.until - one.from) / 60_000, 0)
            const whole =
              (Math.max(...own.map(({ until }) => until)) - Math.min(...own.map(({ from }) => from))) / 60_000
            const taken = whole - sum(working)
            let missing = 0
            const isEnough = () =>
              (ruleOn(date)?.break_deductions ?? []).every(
                (step) => sum(working) - missing <= step.after_minutes || taken + missing >= step.break_minutes,
              )
            while (!isEnough()) missing++
            let left = missing
            for (const { from, until } of working)
              for (let at = from; at < until; at += 60_000) {
                const [day = '', clock = ''] = shown(zone, at).split(' ')
                if (left-- > 0) deductedOn.set(day, (deductedOn.get(day) ?? 0) + 1)
                else minutes.push({ day, clock })
              }
          }
          for (const month of ['03', '04']) {
            const isIn = ({ day }: { day: string }) => day.slice(0, 7) === `2036-${month}`
            const range = `year=2036&month=${Number(month)}`
            const { worked_minutes, deducted_break_minutes } = await sheet(who, range)
            const deducted = [...deductedOn].reduce((sum, [day, one]) => (isIn({ day }) ? sum + one : sum), 0)
            assert.deepEqual([worked_minutes, deducted_break_minutes], [minutes.filter(isIn).length, deducted])
            const periodOf = (day: string) => {
              const rule = ruleOn(day)
              const monday = Math.floor((Date.parse(day) / 86_400_000 + 3) / 7)
              const period = { day, week: monday, month: day.slice(0, 7) }[rule?.overtime_per as 'day']
              return `${rule?.overtime_per} ${rule?.overtime_after_minutes} ${period}`
            }
            const usual = new Map<string, number>()
            for (let n = -7; n < 80; n++) {
              const day = dateAt(n)
              const before = usual.get(periodOf(day)) ?? ruleOn(day)?.overtime_after_minutes ?? 0
              usual.set(periodOf(day), before + (hours[weekday(day)] as number) * 60)
            }
            const overtimeOn = new Map<string, { minutes: number; credited: number }>()
            for (const { day, clock } of minutes) {
              const rule = ruleOn(day)
              if (!rule?.overtime_per) continue
              const left = usual.get(periodOf(day)) as number
              usual.set(periodOf(day), left - 1)
              if (left > 0) continue
              const { night_starts_at: starts, night_ends_at: ends } = rule as {
                night_starts_at: string
                night_ends_at: string
              }
              const isNight = starts < ends ? starts <= clock && clock < ends : starts <= clock || clock < ends
              const factors = [
                rule.base_factor,
                (isNight && rule.night_factor) || 0,
                (weekday(day) === 0 && rule.sunday_factor) || 0,
              ]
              const sum = overtimeOn.get(day) ?? { minutes: 0, credited: 0 }
              overtimeOn.set(day, { minutes: sum.minutes + 1, credited: sum.credited + Math.max(...factors) })
            }
            assert.deepEqual(
              await daysOf(who, range),
              [...overtimeOn]
                .filter(([day]) => isIn({ day }))
                .sort()
                .map(([day, { minutes, credited }]) => [day, minutes, Math.round(credited)]),
            )
          }
        },
      ),
      { numRuns: rounds(12, 150) },
    )
  },
)
