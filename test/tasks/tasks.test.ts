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
  test('have all documented fields', async () => {
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

  test('are completed and reopened, and filtered by state, assignee and date', async () => {
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

  test('cannot be assigned to a leaver', async () => {
    const gone = await hire({ hired_on: '2030-01-01' })
    await service.post(`/employees/${gone.id}/terminate`, { effective_from: '2036-01-01' })
    assert.equal((await service.post('/tasks', { name: 'X', employee_id: gone.id })).body.errors[0].code, 'terminated')
  })

  test('of one person have their own list, open ones by default', async () => {
    const [one, other] = [await hire(), await hire()]
    const mine = [
      await make('/tasks', { name: 'A', employee_id: one.id }),
      await make('/tasks', { name: 'B', employee_id: one.id }),
    ]
    await make('/tasks', { name: 'C', employee_id: other.id, associated_to: { id: one.id, type: 'Employee' } })
    const done = (await service.put(`/tasks/${mine[1].id}/complete`)).body.data
    const path = `/employees/${one.id}/tasks`
    const open = (await service.get(path)).body
    assert.deepEqual([open.data, open.metadata.count], [[mine[0]], 1])
    assert.deepEqual((await service.get(`${path}?completed=true`)).body.data, [done])
    assert.deepEqual((await service.get(`${path}?completed=false`)).body.data, [mine[0]])
    assert.equal((await service.get('/employees/987654/tasks')).status, 404)
    const key = await service.keyWith({ permissions: ['employees:read'] })
    assert.equal((await service.get(path, { key })).status, 403)
  })
})

describe('the associated person of a task', () => {
  const about = (task: any) => task.associated_to

  test('is an employee or a candidate, sent flat or nested, and can be cleared', async () => {
    const [one, ada] = [await hire(), await hire({ first_name: 'Ada', last_name: 'L', email: 'ada@example.com' })]
    const grace = await make('/recruitment/candidates', { full_name: 'Grace Hopper', email: 'grace@example.com' })
    const employee = { id: ada.id, type: 'Employee', full_name: 'Ada L', email: 'ada@example.com' }
    const candidate = { id: grace.id, type: 'Candidate', full_name: 'Grace Hopper', email: 'grace@example.com' }
    const base = { name: 'Greet', employee_id: one.id }
    const nested = await make('/tasks', { ...base, associated_to: { id: ada.id, type: 'Employee' } })
    assert.deepEqual(about(nested), employee)
    const form = { ...base, associated_to_id: grace.id, associated_to_type: 'Candidate' }
    const flat = (await service.send('POST', '/tasks', { form })).body.data
    assert.deepEqual(about(flat), candidate)
    const both = (await service.get(`/tasks?employee_id=${one.id}&completed=false`)).body.data
    assert.deepEqual(
      both.map(about).toSorted((a: any, b: any) => (a.type < b.type ? -1 : 1)),
      [candidate, employee],
    )
    const path = `/tasks/${flat.id}`
    assert.ok(!('associated_to' in (await make('/tasks', base))))
    assert.deepEqual(about((await service.put(path, { name: 'Call' })).body.data), candidate, 'what is not sent stays')
    assert.deepEqual(about((await service.put(path, { associated_to: employee })).body.data), employee)
    assert.equal(about((await service.put(path, { associated_to: null })).body.data), undefined)
    await service.put(path, { associated_to_id: grace.id, associated_to_type: 'Candidate' })
    const cleared = await service.send('PUT', path, { form: { associated_to_id: '' } })
    assert.equal(about(cleared.body.data), undefined)
  })

  test('must exist and be sent completely and without contradiction', async () => {
    const [one, other] = [await hire(), await hire()]
    const { id } = await make('/tasks', { name: 'Bare', employee_id: one.id })
    for (const [body, field, code] of [
      [{ associated_to_id: 987_654, associated_to_type: 'Employee' }, 'associated_to_id', 'not_found'],
      [{ associated_to: { id: 987_654, type: 'Candidate' } }, 'associated_to', 'not_found'],
      [{ associated_to_id: one.id }, 'associated_to_type', 'required'],
      [{ associated_to_type: 'Employee' }, 'associated_to_id', 'required'],
      [{ associated_to_id: one.id, associated_to_type: 'Vacancy' }, 'associated_to_type', 'not_allowed'],
      [{ associated_to: { id: one.id } }, 'associated_to.type', 'required'],
      [{ associated_to: {} }, 'associated_to.id', 'required'],
      [{ associated_to: { id: one.id, type: 'Employee' }, associated_to_id: other.id }, 'associated_to', 'mismatch'],
      [{ associated_to: null, associated_to_id: other.id }, 'associated_to', 'mismatch'],
    ] as const) {
      const refused = await service.put(`/tasks/${id}`, body)
      const found = refused.body.errors?.map((error: any) => `${error.field} ${error.code}`)
      assert.equal(refused.status, 422, JSON.stringify(body))
      assert.ok(found.includes(`${field} ${code}`), `${JSON.stringify(body)}: ${found}`)
    }
    const told = { associated_to_id: one.id, associated_to_type: 'Employee' }
    await service.put(`/tasks/${id}`, told)
    const moved = await service.put(`/tasks/${id}`, { associated_to_id: other.id })
    assert.deepEqual([about(moved.body.data).id, about(moved.body.data).type], [other.id, 'Employee'])
  })

  test('is shown to, and changed by, only keys that may read that resource', async () => {
    const [one, ada] = [await hire(), await hire({ first_name: 'ZqAda' })]
    const grace = await make('/recruitment/candidates', { full_name: 'ZqGrace' })
    const of = (person: any, type: string) =>
      make('/tasks', { name: 'Secret', employee_id: one.id, associated_to: { id: person.id, type } })
    const [employee, candidate] = [await of(ada, 'Employee'), await of(grace, 'Candidate')]
    const tasksOnly = await service.keyWith({ permissions: ['tasks:*'] })
    const noCandidates = await service.keyWith({ permissions: ['tasks:*', 'employees:read'] })
    for (const path of [`/tasks/${candidate.id}`, `/tasks?employee_id=${one.id}`, `/employees/${one.id}/tasks`]) {
      assert.ok(!(await service.get(path, { key: tasksOnly })).text.includes('Zq'), path)
      assert.ok(!(await service.get(path, { key: noCandidates })).text.includes('ZqGrace'), path)
      assert.ok((await service.get(path)).text.includes('ZqGrace'), path)
    }
    assert.match((await service.get(`/tasks/${employee.id}`, { key: noCandidates })).text, /ZqAda/)
    const path = `/tasks/${candidate.id}`
    for (const body of [
      { associated_to: { id: grace.id, type: 'Candidate' } },
      { associated_to: { id: 987_654, type: 'Candidate' } },
      { associated_to: null },
      { associated_to: { id: ada.id, type: 'Employee' } },
    ]) {
      const refused = await service.put(path, body, { key: noCandidates })
      assert.deepEqual([refused.status, refused.body.errors[0].code], [422, 'forbidden'], JSON.stringify(body))
    }
    // Nor is there a way to ask which candidates there are.
    const guess = async (id: number) => {
      const body = { name: 'Guess', employee_id: one.id, associated_to: { id, type: 'Candidate' } }
      return (await service.post('/tasks', body, { key: noCandidates })).body.errors
    }
    assert.equal((await guess(grace.id))[0].code, 'forbidden')
    assert.deepEqual(await guess(987_654), await guess(grace.id))
    const renamed = await service.put(path, { name: 'Renamed' }, { key: noCandidates })
    assert.deepEqual([renamed.status, renamed.text.includes('ZqGrace')], [200, false])
    assert.equal((await service.get(path)).body.data.associated_to.id, grace.id)
    assert.ok(!(await service.put(`${path}/complete`, {}, { key: noCandidates })).text.includes('ZqGrace'))
  })

  test('is removed with an erased person, and moves to the merged candidate', async () => {
    const [one, ada] = [await hire(), await hire()]
    const [grace, duplicate] = [
      await make('/recruitment/candidates', { full_name: 'Grace' }),
      await make('/recruitment/candidates', { full_name: 'Grace H' }),
    ]
    const of = (person: any, type: string) =>
      make('/tasks', { name: 'Kept', employee_id: one.id, associated_to: { id: person.id, type } })
    const [employee, candidate] = [await of(ada, 'Employee'), await of(duplicate, 'Candidate')]
    const shown = async ({ id }: any) => about((await service.get(`/tasks/${id}`)).body.data)
    assert.equal(
      (await service.post(`/recruitment/candidates/${grace.id}/merge`, { duplicate_id: duplicate.id })).status,
      200,
    )
    assert.equal((await shown(candidate)).id, grace.id)
    assert.equal((await service.delete(`/recruitment/candidates/${grace.id}`)).status, 204)
    assert.equal((await service.delete(`/employees/${ada.id}`)).status, 409, 'held by the task')
    assert.equal((await service.delete(`/employees/${ada.id}?erase=true`)).status, 204)
    assert.deepEqual([await shown(employee), await shown(candidate)], [undefined, undefined])
  })
})
