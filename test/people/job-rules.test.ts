import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, startService } from '../harness.ts'

let service: Service
const now = new Date('2036-06-15T12:00:00Z')
before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

const read = async (id: number) => (await service.get(`/employees/${id}`)).body.data
const positionsOf = async (id: number) =>
  (await service.get(`/employees/${id}/positions`)).body.data.map((one: any) => [
    one.effective_from,
    one.department?.id ?? null,
  ])

test('a hire date and a department sent together apply separately, and one undo reverts both', async () => {
  const [before, since] = await Promise.all(
    ['Before', 'Since'].map(async (name) => (await service.make('/departments', { name: `${name} the move` })).id),
  )
  const expected = [
    ['2019-01-01', before],
    ['2036-06-15', since],
  ]
  const alone = await service.hire({ hired_on: null, department_id: before })
  assert.deepEqual(await positionsOf(alone.id), [['2036-06-15', before]])
  const moved = await service.put(`/employees/${alone.id}`, { hired_on: '2019-01-01', department_id: since })
  assert.deepEqual([moved.status, moved.body.data.department.id], [200, since])
  assert.deepEqual(await positionsOf(alone.id), expected)
  const undone = await service.post(`/requests/${moved.headers.get('x-request-id')}/undo`)
  assert.equal(undone.status, 200, undone.text)
  assert.deepEqual(await positionsOf(alone.id), [['2036-06-15', before]])

  const [other, late] = [
    await service.hire({ hired_on: '2019-01-01', department_id: before }),
    await service.hire({ hired_on: '2036-06-15', department_id: before }),
  ]
  const data = [
    { id: other.id, hired_on: '2018-01-01' },
    { id: late.id, hired_on: '2019-01-01', department_id: since },
  ]
  const together = await service.send('PATCH', '/employees/bulk', { json: { data } })
  assert.deepEqual([together.status, together.body.errors.count], [200, 0], together.text)
  assert.deepEqual(await positionsOf(late.id), expected)
})

test('whether a manager has left is checked on the date of the entry, and only if the manager changes', async () => {
  const leaver = await service.hire({ hired_on: '2030-01-01' })
  const report = await service.hire({ hired_on: '2030-01-01', reporting_to_id: leaver.id })
  await service.post(`/employees/${leaver.id}/terminate`, { effective_from: '2036-01-01' })
  const enter = (who: number, effective_from: string, more = {}) =>
    service.post(`/employees/${who}/positions`, { effective_from, reporting_to_id: leaver.id, ...more })

  const other = await service.hire({ hired_on: '2030-01-01' })
  assert.equal((await enter(other.id, '2032-01-01')).status, 201, 'they were there in 2032')
  const late = await enter((await service.hire()).id, '2036-01-01')
  assert.equal(late.body.errors[0].code, 'terminated', 'they are not on the day they leave')
  const leaves = await service.hire()
  await service.post(`/employees/${leaves.id}/terminate`, { effective_from: '2037-01-01' })
  const ahead = await service.post(`/employees/${report.id}/positions`, {
    effective_from: '2037-06-01',
    reporting_to_id: leaves.id,
  })
  assert.equal(ahead.body.errors[0].code, 'terminated', 'they are here today, but not then')

  assert.equal((await service.put(`/employees/${report.id}`, { reporting_to_id: leaver.id })).status, 200)
  assert.equal((await service.put(`/employees/${report.id}`, { first_name: 'New' })).status, 200)
  assert.equal((await enter(report.id, '2036-06-20')).status, 201, 'whom they report to already can be sent again')
  const inherited = await service.post(`/employees/${report.id}/positions`, { effective_from: '2036-07-01' })
  assert.equal(inherited.body.data.reporting_to.id, leaver.id)

  const department = await service.make('/departments', { name: 'Old', manager_id: report.id })
  await service.post(`/employees/${report.id}/terminate`, { effective_from: '2036-06-01' })
  const again = { name: 'Older', manager_id: report.id }
  assert.equal((await service.put(`/departments/${department.id}`, again)).status, 200)
  assert.equal((await service.post('/departments', { ...again, name: 'New' })).body.errors[0].code, 'terminated')
})

test('the end of probation follows from policy and hire date, and moves with the hire date', async () => {
  const policy = await service.make('/probation_policies', { name: 'Twelve weeks', length: 84 })
  const other = await service.make('/probation_policies', { name: 'Four weeks', length: 28 })
  const one = await service.hire({ hired_on: '2036-01-01', probation_policy_id: policy.id })
  assert.equal(one.probation_ends_on, '2036-03-24', '84 days, the last one included, in a leap year')
  await service.put(`/employees/${one.id}`, { hired_on: '2036-02-01' })
  assert.equal((await read(one.id)).probation_ends_on, '2036-04-24')

  const late = await service.hire({ hired_on: null, probation_policy_id: policy.id })
  assert.equal(late.probation_ends_on, null)
  await service.put(`/employees/${late.id}`, { hired_on: '2037-01-01' })
  assert.equal((await read(late.id)).probation_ends_on, '2037-03-25')

  const byStatus = await service.hire({ hired_on: '2036-06-01' })
  const status = await service.make(`/employees/${byStatus.id}/employment_statuses`, {
    effective_from: '2036-06-01',
    probation_policy_id: policy.id,
  })
  assert.equal((await read(byStatus.id)).probation_ends_on, '2036-08-23')
  await service.put(`/employees/${byStatus.id}/employment_statuses/${status.id}`, { probation_policy_id: other.id })
  assert.equal((await read(byStatus.id)).probation_ends_on, '2036-06-28')
  await service.delete(`/employees/${byStatus.id}/employment_statuses/${status.id}`)
  assert.equal((await read(byStatus.id)).probation_ends_on, null)

  const said = await service.hire({
    hired_on: '2036-01-01',
    probation_policy_id: policy.id,
    probation_ends_on: '2036-12-31',
  })
  await service.send('PATCH', '/employees/bulk', { json: { data: [{ id: said.id, hired_on: '2036-02-01' }] } })
  assert.equal((await read(said.id)).probation_ends_on, '2036-12-31', 'what somebody said stays')
  await service.put(`/probation_policies/${policy.id}`, { length: 10 })
  await service.put(`/employees/${one.id}`, { first_name: 'Same' })
  assert.equal((await read(one.id)).probation_ends_on, '2036-04-24', 'a policy does not rewrite what has been')
})

test('nobody can be hired after their termination, single or in bulk', async () => {
  const { id } = await service.hire({ hired_on: '2036-01-01' })
  const early = await service.post(`/employees/${id}/terminate`, { effective_from: '2035-12-31' })
  assert.equal(early.body.errors[0].field, 'effective_from')
  await service.post(`/employees/${id}/terminate`, { effective_from: '2036-03-01' })
  const answer = await service.put(`/employees/${id}`, { hired_on: '2036-03-02' })
  assert.deepEqual([answer.status, answer.body.errors[0].field], [422, 'hired_on'])
  const bulk = await service.send('PATCH', '/employees/bulk', { json: { data: [{ id, hired_on: '2036-03-02' }] } })
  assert.equal(bulk.body.errors.data[0].errors[0].field, 'hired_on')
  assert.equal((await service.put(`/employees/${id}`, { hired_on: '2036-02-28' })).status, 200)
  assert.equal((await service.put(`/employees/${id}`, { first_name: 'Still' })).status, 200)
})

test('a future hire has their first job from the hire date, shown today, and it moves with the hire date', async () => {
  const [a, b] = [await service.make('/departments', { name: 'A' }), await service.make('/departments', { name: 'B' })]
  const boss = await service.hire()
  const one = await service.hire({ hired_on: '2036-09-01', department_id: a.id, reporting_to_id: boss.id })
  assert.deepEqual(await positionsOf(one.id), [['2036-09-01', a.id]])
  assert.equal(one.department.id, a.id)
  assert.deepEqual(
    (await service.get(`/employees?department_id=${a.id}`)).body.data.map((each: any) => each.id),
    [one.id],
  )
  assert.deepEqual(
    (await read(boss.id)).direct_reports.map((each: any) => each.id),
    [one.id],
  )
  assert.equal((await service.get(`/employees/${one.id}?as_of=2036-08-31`)).body.data.department, null)

  await service.put(`/employees/${one.id}`, { department_id: b.id })
  assert.deepEqual(await positionsOf(one.id), [['2036-09-01', b.id]], 'a change before the first day is no second job')
  await service.put(`/employees/${one.id}`, { hired_on: '2036-10-01', department_id: a.id })
  assert.deepEqual(await positionsOf(one.id), [['2036-10-01', a.id]])
  await service.put(`/employees/${one.id}`, { hired_on: '2036-01-01' })
  assert.deepEqual(await positionsOf(one.id), [['2036-01-01', a.id]])
  await service.put(`/employees/${one.id}`, { hired_on: '2036-02-01', department_id: b.id })
  assert.deepEqual(await positionsOf(one.id), [
    ['2036-02-01', a.id],
    ['2036-06-15', b.id],
  ])
  await service.put(`/employees/${one.id}`, { hired_on: '2036-09-01' })
  assert.deepEqual((await positionsOf(one.id))[0], ['2036-02-01', a.id], 'never past the next entry')
})

test('a first job entered before the hire date starts with it, and a planned policy sets the probation', async () => {
  const a = await service.make('/departments', { name: 'Known' })
  const one = await service.hire({ hired_on: null, department_id: a.id })
  await service.put(`/employees/${one.id}`, { hired_on: '2037-05-01' })
  assert.deepEqual(await positionsOf(one.id), [['2037-05-01', a.id]])
  const policy = await service.make('/probation_policies', { name: 'A month', length: 30 })
  const other = await service.hire({ hired_on: '2036-06-01' })
  await service.make(`/employees/${other.id}/employment_statuses`, {
    effective_from: '2036-07-01',
    probation_policy_id: policy.id,
  })
  assert.equal((await read(other.id)).probation_ends_on, '2036-06-30')
  await service.put(`/probation_policies/${policy.id}`, { length: 60 })
  await service.put(`/employees/${other.id}`, { hired_on: '2036-06-02' })
  assert.equal((await read(other.id)).probation_ends_on, '2036-07-01', 'what a policy gave moves as it is')
})

test('a job entry cannot move to a date on which the manager has left', async () => {
  const leaver = await service.hire({ hired_on: '2030-01-01' })
  const { id } = await service.hire({ hired_on: '2030-01-01' })
  const path = `/employees/${id}/positions`
  const entry = await service.make(path, { effective_from: '2034-01-01', reporting_to_id: leaver.id })
  await service.post(`/employees/${leaver.id}/terminate`, { effective_from: '2035-01-01' })
  const late = await service.put(`${path}/${entry.id}`, { effective_from: '2035-06-01' })
  assert.equal(late.body.errors[0].code, 'terminated')
  assert.equal((await service.put(`${path}/${entry.id}`, { effective_from: '2034-06-01' })).status, 200)
})

test('a hire date cannot move to a date on which the manager has left, single or in bulk', async () => {
  const leaver = await service.hire({ hired_on: '2030-01-01' })
  const heir = await service.hire({ hired_on: '2030-01-01' })
  const { id } = await service.hire({ hired_on: '2036-06-15', reporting_to_id: leaver.id })
  await service.post(`/employees/${leaver.id}/terminate`, { effective_from: '2036-06-20' })
  const late = { hired_on: '2036-06-25' }
  const wrong = async (answer: Promise<any>) =>
    (await answer).body.errors.map(({ field, code }: any) => `${field} ${code}`)
  assert.deepEqual(await wrong(service.put(`/employees/${id}`, late)), ['hired_on terminated'])
  assert.deepEqual(await wrong(service.put(`/employees/${id}`, { ...late, department_id: null })), [
    'hired_on terminated',
  ])
  const many = await service.send('PATCH', '/employees/bulk', { json: { data: [{ id, ...late }] } })
  assert.match(many.text, /the manager \(reporting_to_id\) has left by that day/)
  assert.equal((await read(id)).hired_on, '2036-06-15')
  const handedOver = await service.put(`/employees/${id}`, { ...late, reporting_to_id: heir.id })
  assert.equal(handedOver.status, 200, handedOver.text)
  assert.equal((await service.put(`/employees/${id}`, { hired_on: '2036-06-26' })).status, 200)
})

test('moving a hire date never makes a management cycle, single or in bulk', async () => {
  const department = await service.make('/departments', { name: 'Round' })
  const head = await service.hire({ hired_on: '2030-01-01' })
  const below = await service.hire({ hired_on: '2030-01-01' })
  const { id } = await service.hire({ hired_on: '2036-09-01', reporting_to_id: below.id })
  for (const [effective_from, reporting_to_id] of [
    ['2036-08-15', head.id],
    ['2036-07-01', id],
  ])
    await service.make(`/employees/${below.id}/positions`, { effective_from, reporting_to_id })
  const early = { hired_on: '2036-07-10' }
  for (const more of [{}, { department_id: department.id }, { reporting_to_id: below.id, department_id: null }]) {
    const field = 'reporting_to_id' in more ? 'reporting_to_id' : 'hired_on'
    const one = await service.put(`/employees/${id}`, { ...early, ...more })
    assert.equal(one.status, 422, one.text)
    assert.deepEqual([one.body.errors[0].field, one.body.errors[0].code], [field, 'cycle'])
    const many = await service.send('PATCH', '/employees/bulk', { json: { data: [{ id, ...early, ...more }] } })
    assert.equal(many.body.errors.data[0]?.errors[0].code, 'cycle', many.text)
  }
  assert.equal((await read(id)).hired_on, '2036-09-01')
  // The days on which it would have been one are left out, or the manager is.
  const later = await service.put(`/employees/${id}`, { hired_on: '2036-08-20', department_id: department.id })
  assert.equal(later.status, 200, later.text)
  const free = await service.put(`/employees/${id}`, { ...early, department_id: null, reporting_to_id: null })
  assert.equal(free.status, 200, free.text)
})

test('as_of works up to the last supported date', async () => {
  const department = await service.make('/departments', { name: 'Last' })
  const { id } = await service.hire({ hired_on: '2036-01-01', department_id: department.id })
  assert.equal((await service.get(`/employees/${id}?as_of=2200-12-31`)).body.data.department.id, department.id)
  assert.equal((await service.get(`/employees/${id}?as_of=2201-01-01`)).status, 400)
})

test('a termination reports all errors at once and accepts empty optional fields', async () => {
  const { id } = await service.hire({ hired_on: '2036-01-01' })
  const wrong = await service.post(`/employees/${id}/terminate`, {
    effective_from: '2035-01-01',
    termination_type_id: 999,
    termination_reason_id: 999,
    eligible_for_rehire: 'perhaps',
    comment: 7.5,
  })
  assert.deepEqual(wrong.body.errors.map((error: any) => error.field).sort(), [
    'comment',
    'effective_from',
    'eligible_for_rehire',
    'termination_reason_id',
    'termination_type_id',
  ])
  const bare = { effective_from: '2036-12-31', termination_type_id: null, termination_reason_id: null, comment: null }
  assert.equal((await service.post(`/employees/${id}/terminate`, bare)).status, 200)
  const form = { effective_from: '2036-12-30', termination_type_id: '', termination_reason_id: '', comment: '' }
  assert.equal((await service.send('POST', `/employees/${id}/terminate`, { form })).status, 200)
})

test('a stale If-Match stops every change of a record: actions, pictures and parts', async () => {
  const { id } = await service.hire({ hired_on: '2036-01-01' })
  const person = `/employees/${id}`
  const tagOf = async (path: string) => (await service.get(path)).headers.get('etag') as string
  const stale = await tagOf(person)
  await service.put(person, { first_name: 'Newer' })
  const salary = await service.make(`${person}/salaries`, {
    effective_on: '2036-01-01',
    amount: '1',
    currency_code: 'EUR',
    per: 'month',
  })
  const field = await service.make('/employee_fields', { name: 'Size', type: 'single_select', options: ['S'] })
  const attempts: [string, string, unknown?][] = [
    ['POST', `${person}/terminate`, { effective_from: '2036-12-31' }],
    ['POST', `${person}/activate`],
    ['PUT', `${person}/avatar`, { avatar: null }],
    ['POST', `${person}/salaries`, { effective_on: '2036-02-01', amount: '2', currency_code: 'EUR', per: 'month' }],
    ['PUT', `${person}/salaries/${salary.id}`, { amount: '3' }],
    ['DELETE', `${person}/salaries/${salary.id}`],
    ['PUT', `/employee_fields/${field.id}/options/${field.options[0].id}`, { value: 'XS' }],
    ['POST', `/employee_fields/${field.id}/options`, { value: 'M' }],
    ['POST', `/employees`, { first_name: 'A', last_name: 'B' }],
    ['PATCH', '/employees/bulk', { data: [{ id, first_name: 'Bulk' }] }],
  ]
  for (const [method, path, json] of attempts) {
    const answer = await service.send(method, path, { json, headers: { 'if-match': stale } })
    assert.equal(answer.status, 412, `${method} ${path}`)
  }
  const fresh = { headers: { 'if-match': await tagOf(person) } }
  assert.equal((await service.post(`${person}/terminate`, { effective_from: '2036-12-31' }, fresh)).status, 200)
  const own = { headers: { 'if-match': await tagOf(`${person}/salaries/${salary.id}`) } }
  assert.equal((await service.put(`${person}/salaries/${salary.id}`, { amount: '3' }, own)).status, 200)
  const any = { headers: { 'if-match': '*' } }
  assert.equal((await service.post(`${person}/activate`, {}, any)).status, 200)
})

test('a fixed compensation cannot have a frequency', async () => {
  const { id } = await service.hire()
  const type = await service.make('/compensation_types', { name: 'Bonus' })
  const bonus = {
    type: 'fixed',
    amount: '1',
    currency_code: 'EUR',
    starts_on: '2036-01-01',
    compensation_type_id: type.id,
  }
  const path = `/employees/${id}/additional_compensations`
  const refused = await service.post(path, { ...bonus, frequency: 'monthly' })
  assert.deepEqual([refused.status, refused.body.errors[0].field], [422, 'frequency'])
  const made = await service.make(path, { ...bonus, frequency: null })
  assert.equal((await service.put(`${path}/${made.id}`, { frequency: 'monthly' })).body.errors[0].field, 'frequency')
  const changed = await service.put(`${path}/${made.id}`, { type: 'reoccurring', frequency: 'monthly' })
  assert.equal(changed.status, 200)
  assert.equal((await service.put(`${path}/${made.id}`, { type: 'fixed' })).body.errors[0].field, 'frequency')
  assert.equal((await service.put(`${path}/${made.id}`, { type: 'fixed', frequency: null })).status, 200)
})
