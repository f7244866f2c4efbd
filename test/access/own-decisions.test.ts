import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Answer } from '../harness.ts'
import { type CompanyOfThree, companyOfThree, status } from './company-of-three.ts'

/** Nobody decides about their own, nor becomes somebody who does, nor undoes what was decided. */

let service: CompanyOfThree['service']
let boss: CompanyOfThree['boss']
let report: CompanyOfThree['report']
let other: CompanyOfThree['other']
let withRoles: CompanyOfThree['withRoles']
let enter: CompanyOfThree['enter']

before(async () => {
  ;({ service, boss, report, other, withRoles, enter } = await companyOfThree())
})
after(() => service.stop())

test('nobody can approve their own request by unlinking their employee or by undo', async () => {
  const hr = await enter(report.id, 'hr')
  const owner = await enter(boss.id, 'owner')
  const [type] = (await service.get('/leave_types')).body.data
  const asked = await service.make('/leave_requests', {
    employee_id: report.id,
    leave_type_id: type.id,
    starts_on: '2030-07-01',
    ends_on: '2030-07-01',
  })
  assert.equal(await status(hr.send('POST', `/leave_requests/${asked.id}/approve`)), 403)
  const nobody = await hr.send('PUT', `/users/${hr.user.id}`, { employee_id: null })
  assert.equal(nobody.status, 422, nobody.text)
  // Nor by a key that one has made for nobody, or for somebody else.
  for (const employee_id of [null, other.id]) {
    const made = await owner.send('POST', '/api_keys', { name: 'Mine', permissions: ['*'], employee_id })
    const { key } = made.body.data
    const own = await service.make('/leave_requests', {
      employee_id: boss.id,
      leave_type_id: type.id,
      starts_on: `2030-08-0${employee_id ? 1 : 2}`,
      ends_on: `2030-08-0${employee_id ? 1 : 2}`,
    })
    assert.equal(await status(service.post(`/leave_requests/${own.id}/approve`, {}, { key })), 403)
  }
  const approved = await owner.send('POST', `/leave_requests/${asked.id}/approve`)
  assert.equal(approved.status, 200, approved.text)
  const undone = await owner.send('POST', `/me/requests/${approved.headers.get('x-request-id')}/undo`)
  assert.equal(undone.status, 204, undone.text)
  const redone = await hr.send('POST', `/requests/${undone.headers.get('x-request-id')}/undo`)
  assert.equal(redone.status, 403, redone.text)
  assert.equal((await service.get(`/leave_requests/${asked.id}`)).body.data.state, 'pending')
  assert.equal(await status(owner.send('POST', `/requests/${undone.headers.get('x-request-id')}/undo`)), 200)
})

test('a key holder cannot become another employee through their key or a key it creates or changes', async () => {
  const person = await service.hire({ hired_on: '2028-01-01' })
  const type = await service.make('/leave_types', { name: 'Their days' })
  const usual = await service.make('/leave_policies', { name: 'Their own', leave_type_id: type.id, floor: -100 })
  await service.make(`/employees/${person.id}/leave_types`, {
    leave_type_id: type.id,
    leave_type_policy_id: usual.id,
    effective_on: '2029-01-01',
  })
  let monday = Date.parse('2030-07-01')
  const approves = async (key: string) => {
    const on = new Date(monday).toISOString().slice(0, 10)
    monday += 7 * 86_400_000
    const ask = { employee_id: person.id, leave_type_id: type.id, starts_on: on, ends_on: on }
    const asked = await service.make('/leave_requests', ask)
    return status(service.post(`/leave_requests/${asked.id}/approve`, {}, { key }))
  }
  const madeWith = async (key: string, employee_id: number | null) => {
    const made = await service.post('/api_keys', { name: 'Next', permissions: ['*'], employee_id }, { key })
    assert.equal(made.status, 201, made.text)
    return made.body.data as { id: number; key: string }
  }

  // A key that somebody has made says nothing of who they are.
  const owner = await enter(person.id, 'owner')
  const made = await owner.send('POST', '/api_keys', { name: 'Mine', permissions: ['*'] })
  const { key } = made.body.data
  const below = await madeWith(key, null)
  for (const one of [key, below.key]) {
    for (const employee_id of [null, other.id])
      assert.equal(await status(service.put(`/users/${owner.user.id}`, { employee_id }, { key: one })), 422)
    assert.equal(await status(service.put(`/users/${owner.user.id}`, { locale: 'de' }, { key: one })), 200)
    assert.equal(await approves(one), 403)
  }
  const changed = await service.put(`/users/${owner.user.id}`, { employee_id: null })
  assert.equal(changed.status, 200, changed.text)
  const linked = await service.put(`/users/${owner.user.id}`, { employee_id: person.id }, { key })
  assert.equal(linked.status, 422, linked.text)
  await service.put(`/users/${owner.user.id}`, { employee_id: person.id })
  const undo = `/requests/${changed.headers.get('x-request-id')}/undo`
  assert.equal(await status(service.post(undo, {}, { key })), 409)

  // A key of a person stays theirs, whatever is made with it and for whom.
  const theirs = await service.make('/api_keys', { name: 'Theirs', permissions: ['*'], employee_id: person.id })
  const second = await service.make('/api_keys', { name: 'Second', permissions: ['*'], employee_id: person.id })
  const first = await madeWith(theirs.key, null)
  const last = await madeWith(first.key, other.id)
  for (const one of [theirs, first, last]) {
    assert.equal(await approves(one.key), 403)
    for (const { id } of [theirs, second])
      assert.ok((await status(service.put(`/api_keys/${id}`, { employee_id: null }, { key: one.key }))) >= 403)
  }
  assert.equal(await status(owner.send('PUT', `/api_keys/${second.id}`, { employee_id: null })), 422)
  const own = await service.put(`/api_keys/${theirs.id}`, { employee_id: null }, { key: theirs.key })
  assert.equal(own.status, 422, own.text)
  assert.equal(await status(service.put(`/api_keys/${theirs.id}`, { name: 'Same' }, { key: theirs.key })), 200)
  // Whoever it is not about decides, and says whose a key is.
  assert.equal(await approves(service.key), 200)
  assert.equal(await status(service.put(`/api_keys/${theirs.id}`, { employee_id: other.id })), 200)
  for (const one of [theirs, first, last]) assert.equal(await approves(one.key), 200)
})

test('nobody can undo or delete a decision about their own leave request', async () => {
  const [leaveType] = (await service.get('/leave_types')).body.data
  const asked = await service.make('/leave_requests', {
    employee_id: report.id,
    leave_type_id: leaveType.id,
    starts_on: '2030-07-09',
    ends_on: '2030-07-10',
  })
  const rejected = await service.post(`/leave_requests/${asked.id}/reject`)
  assert.equal(rejected.status, 200, rejected.text)
  const key = await withRoles(report.id, 'hr')
  const request = rejected.headers.get('x-request-id')
  const undone = await service.post(`/requests/${request}/undo`, {}, { key })
  assert.equal(undone.status, 403, undone.text)
  assert.equal(await status(service.delete(`/leave_requests/${asked.id}`, { key })), 403)
  assert.equal((await service.get(`/leave_requests/${asked.id}`)).body.data.state, 'rejected')
})

test('a user can undo a change to their own language', async () => {
  const somebody = await enter(other.id, 'hr')
  const changed = await somebody.send('PUT', '/me', { locale: 'de' })
  assert.equal(changed.status, 200, changed.text)
  const undone = await somebody.send('POST', `/me/requests/${changed.headers.get('x-request-id')}/undo`)
  assert.equal(undone.status, 204, undone.text)
  assert.equal((await somebody.send('GET', '/me')).body.data.user.locale, null)
})

test('an employee cannot remove or restore their own approved leave by undo', async () => {
  const [type] = (await service.get('/leave_types')).body.data
  const [policy] = (await service.get('/leave_policies')).body.data
  const [above, person] = [
    await service.hire({ hired_on: '2028-01-01' }),
    await service.hire({ hired_on: '2028-01-01' }),
  ]
  await service.make(`/employees/${person.id}/leave_types`, {
    leave_type_id: type.id,
    leave_type_policy_id: policy.id,
    effective_on: '2029-01-01',
  })
  const owner = await enter(above.id, 'owner')
  const hr = await enter(person.id, 'hr')
  const made = await owner.send('POST', '/leave_requests', {
    employee_id: person.id,
    leave_type_id: type.id,
    starts_on: '2030-05-14',
    ends_on: '2030-05-14',
    skip_approval: true,
  })
  assert.equal(made.status, 201, made.text)
  const begun = { path: `/leave_requests/${made.body.data.id}`, request: made.headers.get('x-request-id') }
  const { data } = (await service.get('/changes?limit=1000')).body
  const { number } = data.find((one: any) => one.request_id === begun.request && one.resource === 'leave_requests')
  assert.equal(await status(hr.send('POST', `${begun.path}/withdraw`)), 403)
  assert.equal(await status(hr.send('DELETE', begun.path)), 403)
  assert.equal(await status(hr.send('POST', `/requests/${begun.request}/undo`)), 403)
  assert.equal(await status(hr.send('POST', `/changes/${number}/undo?request=true`)), 403)
  assert.equal((await service.get(begun.path)).body.data.state, 'approved')
  // Whoever has given it takes it back, and whoever it was given to does not bring it back.
  const undone = await owner.send('POST', `/me/requests/${begun.request}/undo`)
  assert.equal(undone.status, 204, undone.text)
  assert.equal(await status(hr.send('POST', `/requests/${undone.headers.get('x-request-id')}/undo`)), 403)
  assert.equal(await status(service.get(begun.path)), 404)
})

test("an employee's own rejected time entry is restored as rejected, and they cannot undo an approval", async () => {
  const [above, person] = [
    await service.hire({ hired_on: '2028-01-01' }),
    await service.hire({ hired_on: '2028-01-01' }),
  ]
  // They may undo whatever they may do, so that only what it is about holds them.
  const worker = await enter(person.id, 'hr')
  const owner = await enter(above.id, 'owner')
  const enterTime = async (hour: string) => {
    const times = { starts_at: `2030-05-13T${hour}:00:00Z`, ends_at: `2030-05-13T${hour}:30:00Z` }
    const made = await worker.send('POST', '/time/timesheet_entries', { employee_id: person.id, ...times })
    assert.equal(made.status, 201, made.text)
    const { id } = made.body.data
    const one = { timesheet_entry_ids: [id] }
    assert.equal(await status(worker.send('POST', '/time/timesheet_entries/submit', one)), 200)
    return { id, one, path: `/time/timesheet_entries/${id}` }
  }
  const undo = (answer: Answer) => {
    assert.ok(answer.status < 300, answer.text)
    return status(worker.send('POST', `/me/requests/${answer.headers.get('x-request-id')}/undo`))
  }
  const stateOf = async (path: string) => (await service.get(path)).body.data.status
  const { one, path, id } = await enterTime('08')
  await service.post('/time/timesheet_entries/reject', one)
  assert.equal(await undo(await worker.send('DELETE', path)), 204)
  assert.equal(await stateOf(path), 'rejected')
  const many = { employee_ids: [person.id], timesheet_entry_ids: [id] }
  assert.equal(await undo(await worker.send('DELETE', '/time/timesheet_entries/bulk', many)), 204)
  assert.equal(await undo(await worker.send('POST', '/time/timesheet_entries/submit', one)), 204)
  assert.equal(await undo(await worker.send('PUT', path, { status: 'unsubmitted', comment: 'Again' })), 204)
  assert.equal(await stateOf(path), 'rejected')

  const settled = await enterTime('10')
  const approved = await owner.send('POST', '/time/timesheet_entries/approve', settled.one)
  const request = approved.headers.get('x-request-id')
  assert.equal(await status(worker.send('POST', `/requests/${request}/undo`)), 403)
  const taken = await owner.send('POST', `/requests/${request}/undo`)
  assert.equal(taken.status, 200, taken.text)
  assert.equal(await status(worker.send('POST', `/requests/${taken.headers.get('x-request-id')}/undo`)), 403)
  assert.equal(await stateOf(settled.path), 'pending')
})

test('undo cannot change a record that has since been decided', async () => {
  const type = await service.make('/leave_types', { name: 'Days off', unit: 'days' })
  const policy = await service.make('/leave_policies', { name: 'Days off', leave_type_id: type.id, floor: -100 })
  const [above, person] = [
    await service.hire({ hired_on: '2028-01-01' }),
    await service.hire({ hired_on: '2028-01-01' }),
  ]
  const employee_id = person.id
  const assigned = { leave_type_id: type.id, leave_type_policy_id: policy.id, effective_on: '2029-01-01' }
  await service.make(`/employees/${employee_id}/leave_types`, assigned)
  const worker = await enter(employee_id, 'employee')
  const owner = await enter(above.id, 'owner')
  const undo = (who: typeof owner, answer: Answer) =>
    status(who.send('POST', `/me/requests/${answer.headers.get('x-request-id')}/undo`))
  const days = ['2030-06-03', '2030-06-04', '2030-06-05']
  const leave = { employee_id, leave_type_id: type.id, starts_on: days[0], ends_on: days[2] }
  const half = days.map((occurs_on, at) => ({ occurs_on, amount: at ? '0' : '0.5' }))
  for (const [path, asked, change] of [
    ['/leave_requests', leave, { leave_request_entries: half }],
    ['/leave_requests', leave, { ends_on: days[0] }],
    ['/time/overtime_requests', { employee_id, date: '2030-05-20', minutes: 300 }, { minutes: 15 }],
  ] as const)
    for (const decision of ['approve', 'reject']) {
      const made = await worker.send('POST', path, asked)
      assert.equal(made.status, 201, made.text)
      const one = `${path}/${made.body.data.id}`
      const changed = await worker.send('PUT', one, change)
      assert.equal(changed.status, 200, changed.text)
      const decided = await owner.send('POST', `${one}/${decision}`)
      assert.equal(decided.status, 200, decided.text)
      const shown = (await service.get(one)).body
      assert.equal(await undo(worker, changed), 409, `${decision} ${JSON.stringify(change)}`)
      assert.deepEqual((await service.get(one)).body, shown)
      // What is only said about it is not decided about; and with the decision taken back it is theirs again.
      const said = await worker.send('PUT', one, { comment: 'Please' })
      assert.equal(await undo(worker, said), 204)
      assert.equal(await undo(owner, decided), 204)
      assert.equal(await undo(worker, changed), 204)
      assert.equal(await status(worker.send('POST', `${one}/withdraw`)), 200)
    }
  const times = { starts_at: '2030-05-14T08:00:00Z', ends_at: '2030-05-14T16:00:00Z' }
  const made = await worker.send('POST', '/time/timesheet_entries', { employee_id, ...times })
  const entry = `/time/timesheet_entries/${made.body.data.id}`
  const changed = await worker.send('PUT', entry, { ends_at: '2030-05-14T09:00:00Z' })
  const one = { timesheet_entry_ids: [made.body.data.id] }
  const handedIn = await worker.send('POST', '/time/timesheet_entries/submit', one)
  assert.equal(handedIn.status, 200, handedIn.text)
  assert.equal(await status(owner.send('POST', '/time/timesheet_entries/approve', one)), 200)
  for (const answer of [made, changed, handedIn]) assert.equal(await undo(worker, answer), 409)
})
