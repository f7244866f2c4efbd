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
