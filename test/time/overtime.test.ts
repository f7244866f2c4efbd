import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Service, startService } from '../harness.ts'

let service: Service
const now = new Date('2036-06-16T12:00:00Z')
before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

const LONG = 'x'.repeat(70_000)
const PATH = '/time/overtime_requests'
const ask = (person: { id: number }, values: Record<string, unknown>) =>
  service.post(PATH, { employee_id: person.id, ...values })
const wrongIn = ({ status, body }: Awaited<ReturnType<typeof ask>>) => [
  status,
  ...body.errors.map((one: any) => `${one.field} ${one.code}`),
]
const at = (hour: number, minute = 0, day = '2036-06-10') =>
  `${day}T${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}:00.000Z`

describe('overtime requests', () => {
  test('have minutes on a day, or a start and end that give the day and minutes', async () => {
    const boss = await service.hire()
    const one = await service.hire({ hired_on: '2030-01-01', reporting_to_id: boss.id })
    const made = (await ask(one, { date: '2036-06-09', minutes: 45, comment: 'Stocktaking' })).body.data
    assert.deepEqual(
      { ...made, id: 0, created_at: '', updated_at: '' },
      {
        id: 0,
        employee_id: one.id,
        employee: { id: one.id, first_name: one.first_name, last_name: one.last_name, email: null },
        date: '2036-06-09',
        minutes: 45,
        credited_minutes: null,
        starts_at: null,
        ends_at: null,
        comment: 'Stocktaking',
        calculated: false,
        state: 'pending',
        approvals: [{ state: 'pending', assigned_to: { id: boss.id, full_name: boss.full_name } }],
        decided_by: null,
        decided_at: null,
        rejection_reason: null,
        created_at: '',
        updated_at: '',
      },
    )
    const timed = (await ask(one, { starts_at: Date.parse(at(17)) / 1000, ends_at: at(18, 30) })).body.data
    assert.deepEqual([timed.date, timed.minutes, timed.starts_at], ['2036-06-10', 90, at(17)])
    assert.equal((await ask(one, { starts_at: at(19), ends_at: at(20), minutes: 60, date: '2036-06-10' })).status, 201)
  })

  test('are rejected with all errors at once', async () => {
    const one = await service.hire()
    assert.deepEqual(wrongIn(await ask(one, {})), [422, 'date required', 'minutes required'])
    assert.deepEqual(wrongIn(await ask(one, { date: '2036-06-09', minutes: 0 })), [422, 'minutes too_small'])
    assert.deepEqual(wrongIn(await ask(one, { date: '2036-06-09', minutes: 1441 })), [422, 'minutes too_large'])
    assert.deepEqual(wrongIn(await ask(one, { starts_at: at(17) })), [422, 'ends_at required'])
    assert.deepEqual(wrongIn(await ask(one, { date: '2036-06-09', ends_at: at(17) })), [422, 'starts_at required'])
    assert.deepEqual(wrongIn(await ask(one, { starts_at: at(17), ends_at: at(17) })), [422, 'ends_at too_early'])
    assert.deepEqual(wrongIn(await ask(one, { starts_at: at(8), ends_at: at(8, 1, '2036-06-11') })), [
      422,
      'ends_at too_late',
    ])
    assert.deepEqual(
      wrongIn(await ask(one, { starts_at: at(17), ends_at: at(18), date: '2036-06-11', minutes: 30, comment: LONG })),
      [422, 'comment too_long', 'date mismatch', 'minutes mismatch'],
    )
    assert.deepEqual(wrongIn(await ask({ id: 999_999 }, { date: '2036-06-09', minutes: 30 })), [
      422,
      'employee_id not_found',
    ])
  })

  test('must be within the employment, on the local day of the employee', async () => {
    const place = await service.make('/locations', { name: 'Far east', time_zone: 'Pacific/Auckland' })
    const one = await service.hire({ hired_on: '2036-06-11', location_id: place.id })
    await service.post(`/employees/${one.id}/terminate`, { effective_from: '2036-06-20' })
    assert.deepEqual(wrongIn(await ask(one, { date: '2036-06-10', minutes: 30 })), [422, 'date before_service'])
    assert.deepEqual(wrongIn(await ask(one, { date: '2036-06-20', minutes: 30 })), [422, 'date after_service'])
    // What waits for a day after somebody has left meanwhile is not approved.
    const late = (await ask(one, { date: '2036-06-15', minutes: 30 })).body.data.id
    await service.post(`/employees/${one.id}/activate`)
    await service.post(`/employees/${one.id}/terminate`, { effective_from: '2036-06-14' })
    assert.equal((await service.post(`${PATH}/${late}/approve`)).status, 409)
    assert.equal((await service.post(`${PATH}/${late}/reject`)).status, 200)
    // Late in UTC it is the next day there.
    assert.equal((await ask(one, { starts_at: at(20), ends_at: at(21) })).body.data.date, '2036-06-11')
    const night = await ask(one, {
      starts_at: at(11, 30, '2036-06-11'),
      ends_at: at(12, 30, '2036-06-11'),
    })
    assert.equal(night.body.data?.date, '2036-06-11', night.text)
    assert.deepEqual(
      wrongIn(await ask(one, { starts_at: at(12, 0, '2036-06-11'), ends_at: at(13, 0, '2036-06-11') })),
      [422, 'starts_at overlap'],
    )
  })

  test('cannot overlap on a day; rejected ones do not count, and adjacent ones are allowed', async () => {
    const one = await service.hire()
    const first = (await ask(one, { starts_at: at(17), ends_at: at(18) })).body.data
    assert.equal((await ask(one, { starts_at: at(18), ends_at: at(19) })).status, 201)
    const across = { starts_at: at(16), ends_at: at(17, 1) }
    assert.deepEqual(wrongIn(await ask(one, across)), [422, 'starts_at overlap'])
    assert.deepEqual(wrongIn(await ask(one, { date: '2036-06-10', minutes: 30 })), [422, 'date overlap'])
    assert.equal((await ask(await service.hire(), across)).status, 201)
    const whole = (await ask(one, { date: '2036-06-12', minutes: 30 })).body.data
    const then = { starts_at: at(17, 0, '2036-06-12'), ends_at: at(18, 0, '2036-06-12') }
    assert.deepEqual(wrongIn(await ask(one, then)), [422, 'starts_at overlap'])
    // Nor by a change.
    assert.deepEqual(wrongIn(await service.put(`${PATH}/${whole.id}`, { date: '2036-06-10' })), [422, 'date overlap'])
    await service.post(`${PATH}/${first.id}/reject`)
    assert.equal((await ask(one, across)).status, 201)
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(one, { date: '2036-06-13', minutes: 30 })))
    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  })

  test('can change while pending; later only the comment can', async () => {
    const one = await service.hire()
    const { id } = (await ask(one, { starts_at: at(17), ends_at: at(18) })).body.data
    const put = (values: object) => service.put(`${PATH}/${id}`, values)
    assert.deepEqual((await put({ ends_at: at(19) })).body.data.minutes, 120)
    assert.deepEqual(wrongIn(await put({ minutes: 30 })), [422, 'minutes mismatch'])
    assert.deepEqual(wrongIn(await put({ starts_at: null })), [422, 'starts_at required'])
    const free = (await put({ starts_at: null, ends_at: null, minutes: 30 })).body.data
    assert.deepEqual([free.date, free.minutes, free.starts_at], ['2036-06-10', 30, null])
    assert.equal((await service.post(`${PATH}/${id}/approve`)).body.data.state, 'approved')
    assert.equal((await put({ minutes: 40 })).status, 409)
    assert.equal((await put({ minutes: 30, comment: 'Agreed' })).body.data.comment, 'Agreed')
    assert.equal((await service.post(`${PATH}/${id}/approve`)).status, 409)
    assert.equal((await service.post(`${PATH}/${id}/withdraw`)).body.data.state, 'withdrawn')
    assert.equal((await service.post(`${PATH}/${id}/approve`)).status, 409)
    assert.equal((await service.delete(`${PATH}/${id}`)).status, 204)
    assert.equal((await service.get(`${PATH}/${id}`)).status, 404)
  })

  test('are filtered by employee, state and day; a timesheet shows the approved ones of the month', async () => {
    const [one, two] = [await service.hire(), await service.hire()]
    const made = async (who: { id: number }, date: string, minutes: number, verb?: string) => {
      const { id } = (await ask(who, { date, minutes })).body.data
      if (verb) await service.post(`${PATH}/${id}/${verb}`)
      return id
    }
    const a = await made(one, '2036-05-31', 10, 'approve')
    const b = await made(one, '2036-06-01', 20, 'approve')
    const c = await made(one, '2036-06-02', 40)
    const d = await made(one, '2036-06-30', 80, 'approve')
    await made(one, '2036-06-03', 160, 'reject')
    const e = await made(two, '2036-06-01', 5)
    const found = async (query: string) => (await service.get(`${PATH}?${query}`)).body.data.map((each: any) => each.id)
    assert.deepEqual(await found(`employee_id=${one.id}&state=approved`), [a, b, d])
    assert.deepEqual(await found(`employee_ids[]=${one.id}&employee_ids[]=${two.id}&state=pending`), [c, e])
    assert.deepEqual(await found(`employee_id=${one.id}&starts_on=2036-06-01&ends_on=2036-06-02`), [b, c])
    assert.equal((await service.get(`${PATH}?state=unsubmitted`)).status, 400)
    const row = async (query: string) => (await service.get(`/time/timesheets?year=2036&${query}`)).body.data
    assert.equal((await row(`month=6&employee_id=${one.id}`))[0].overtime_minutes, 100)
    assert.equal((await row(`month=5&employee_id=${one.id}`))[0].overtime_minutes, 10)
    assert.deepEqual((await row(`month=6&employee_id=${one.id}`)).length, 1)
    // What lies after the service that was shortened since counts no more.
    await service.post(`/employees/${one.id}/terminate`, { effective_from: '2036-06-20' })
    assert.equal((await row(`month=6&employee_id=${one.id}`))[0].overtime_minutes, 20)
  })
})
