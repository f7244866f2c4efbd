import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Service, startService } from '../harness.ts'

let service: Service
let now = new Date('2036-06-15T12:00:00Z')
before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

const make: Service['make'] = (path, values) => service.make(path, values)
const hire: Service['hire'] = (values) => service.hire(values)

describe('tasks', () => {
  test('have every field of the interface', async () => {
    const [boss, one] = [await hire({ email: 'boss@example.com' }), await hire()]
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
      [await found('completed=true'), await found('completed=false'), await found(''), await found('completed=all')],
      [[first.id], [second.id], [second.id], [second.id, first.id]],
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
