import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, type Service, startService } from '../harness.ts'

/** When the first day of an employment moves, what began on it moves along: pay, leave and dated custom values. */

let service: Service
const TODAY = '2036-06-15'
const OLD = '2036-03-01'
let type: { id: number }
let policy: { id: number }
let field: { id: number; internal_name: string }

before(async () => {
  service = await startService({ clock: () => new Date(`${TODAY}T12:00:00Z`) })
  type = await service.make('/leave_types', { name: 'Holiday' })
  const terms = { type: 'accrual', yearly_amount: 24, credit: 'monthly' }
  policy = await service.make('/leave_policies', { name: 'Usual', leave_type_id: type.id, ...terms })
  field = await service.make('/employee_fields', { name: 'Grade', type: 'text', historical: true })
})
after(() => service.stop())

const PAY = { amount: 100, currency_code: 'EUR', per: 'month' }

async function person() {
  const { id } = await service.hire({ hired_on: OLD })
  const salary = await service.make(`/employees/${id}/salaries`, { effective_on: OLD, ...PAY })
  await service.make(`/employees/${id}/leave_types`, {
    leave_type_id: type.id,
    leave_type_policy_id: policy.id,
    effective_on: OLD,
  })
  const value = { employee_field_internal_name: field.internal_name, value: 'A', effective_on: OLD }
  const graded = await service.post(`/employees/${id}/field_histories`, value)
  assert.ok(graded.status < 300, graded.text)
  return { id: id as number, salary: salary as { id: number } }
}

/** The days on which everything begins: `[[salaries], [leave], [values]]`. */
async function begins(id: number) {
  const days = async (path: string, name: string) =>
    (await service.get(`/employees/${id}/${path}`)).body.data.map((one: any) => one[name]).sort()
  return [
    await days('salaries', 'effective_on'),
    await days('leave_types', 'effective_on'),
    await days('field_histories', 'effective_on'),
  ]
}
const all = (day: string) => [[day], [day], [day]]
const undo = (answer: Answer) => service.post(`/requests/${answer.headers.get('x-request-id')}/undo`)

describe('salary, leave and historical values that start on the hire date', () => {
  for (const day of ['2036-01-15', '2036-05-01', '2036-09-01'])
    test(`move with it to ${day}, return by undo, and appear in a dry run`, async () => {
      const { id } = await person()
      const change = { hired_on: day }
      const headers = { prefer: 'dry-run' }
      const tried = await service.send('PUT', `/employees/${id}`, { json: change, headers })
      assert.equal(tried.status, 200, tried.text)
      const tables = new Set(JSON.parse(tried.text).changes?.map((one: any) => one.resource) ?? [])
      for (const table of ['employees', 'salaries', 'employee_leave_types', 'employee_field_values'])
        assert.ok(tables.has(table), `${table} in ${[...tables]}`)
      assert.deepEqual(await begins(id), all(OLD))
      const moved = await service.put(`/employees/${id}`, change)
      assert.equal(moved.status, 200, moved.text)
      assert.deepEqual(await begins(id), all(day))
      const back = await undo(moved)
      assert.equal(back.status, 200, back.text)
      assert.deepEqual(await begins(id), all(OLD))
    })

  test('move with it in a bulk change, and cannot be undone one by one', async () => {
    const [one, two] = [await person(), await person()]
    const data = [one, two].map(({ id }) => ({ id, hired_on: '2036-04-01' }))
    const changed = await service.send('PATCH', '/employees/bulk', { json: { data } })
    assert.equal(changed.body.records.count, 2, changed.text)
    for (const { id } of [one, two]) assert.deepEqual(await begins(id), all('2036-04-01'))
    const history = (await service.get(`/employees/${one.id}/salaries/${one.salary.id}/history`)).body.data
    const last = history.map(({ number }: any) => number).reduce((a: number, b: number) => Math.max(a, b))
    assert.equal((await service.post(`/changes/${last}/undo`)).status, 409)
  })

  test('stay if they started on another date, or if the hire date is removed', async () => {
    const { id } = await service.hire({ hired_on: OLD })
    await service.make(`/employees/${id}/salaries`, { effective_on: '2036-04-01', ...PAY })
    const moved = await service.put(`/employees/${id}`, { hired_on: '2036-04-01' })
    await undo(moved)
    assert.deepEqual((await begins(id))[0], ['2036-04-01'], 'an undo moves what had moved, and nothing else')
    const other = await person()
    await service.put(`/employees/${other.id}`, { hired_on: null })
    assert.deepEqual(await begins(other.id), all(OLD))
  })

  test('cannot move past the next salary: the error names it, also for one of many people', async () => {
    const { id, salary } = await person()
    const next = await service.make(`/employees/${id}/salaries`, { effective_on: '2036-04-01', ...PAY })
    const refused = await service.put(`/employees/${id}`, { hired_on: '2036-05-01' })
    assert.equal(refused.status, 422, refused.text)
    const [error] = refused.body.errors
    assert.deepEqual([error.field, error.code], ['hired_on', 'passes_next'])
    assert.match(error.message, new RegExp(`salary ${salary.id}, .* salary ${next.id} starts on 2036-04-01`))
    const other = await person()
    const data = [id, other.id].map((one) => ({ id: one, hired_on: '2036-05-01' }))
    const { body } = await service.send('PATCH', '/employees/bulk', { json: { data } })
    assert.deepEqual([body.records.count, body.errors.count, body.errors.data[0].id], [1, 1, id])
    assert.deepEqual(await begins(other.id), all('2036-05-01'))
    assert.equal((await service.put(`/employees/${id}`, { hired_on: '2036-03-31' })).status, 200)
    assert.deepEqual((await begins(id))[0], ['2036-03-31', '2036-04-01'])
  })

  test('cannot move past the next job entry, and no salary is left before the employment', async () => {
    const { id } = await service.hire({ hired_on: OLD })
    const path = `/employees/${id}`
    await service.make(`${path}/positions`, { effective_from: '2036-04-01' })
    const refused = await service.put(path, { hired_on: '2036-05-01' })
    assert.deepEqual([refused.status, refused.body.errors[0].code], [422, 'passes_next'], refused.text)
    const other = (await service.hire({ hired_on: OLD })).id
    await service.make(`/employees/${other}/salaries`, { effective_on: '2036-04-01', ...PAY })
    const late = await service.put(`/employees/${other}`, { hired_on: '2036-05-01' })
    assert.deepEqual([late.status, late.body.errors[0].code], [422, 'passes_next'], late.text)
    assert.equal((await service.put(`/employees/${other}`, { hired_on: '2036-04-01' })).status, 200)
  })

  test('move with it also for a key that may not see pay', async () => {
    const { id } = await person()
    const { key } = await service.make('/api_keys', {
      name: 'Without pay',
      permissions: ['employees:read', 'employees:write'],
      withheld: ['compensation', 'personal', 'notes', 'planned'],
    })
    const moved = await service.put(`/employees/${id}`, { hired_on: '2036-04-02' }, { key })
    assert.equal(moved.status, 200, moved.text)
    assert.deepEqual(await begins(id), all('2036-04-02'))
  })
})

test('a value sent with the hire date is stored as sent', async () => {
  const { id } = await person()
  const body = { hired_on: '2036-08-01', fields: { [field.internal_name]: 'B' } }
  const answer = await service.put(`/employees/${id}`, body)
  assert.equal(answer.status, 200, answer.text)
  assert.equal((await service.get(`/employees/${id}`)).body.data.fields[field.internal_name].value, 'B')
})
