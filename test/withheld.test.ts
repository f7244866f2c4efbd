import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandLine } from '../src/domain/access/accounts.ts'
import { employees } from '../src/domain/people/employees.ts'
import { reference } from '../src/engine/field.ts'
import { card, resource } from '../src/engine/resource.ts'
import { fetchShape } from '../src/engine/shape.ts'
import { readAs } from '../src/records/ledger.ts'
import { openService } from '../src/service.ts'
import { type Service, startService } from './harness.ts'

let service: Service
let impersonal: string
before(async () => {
  service = await startService()
  impersonal = await service.keyWith({ permissions: ['*'], withheld: ['personal'] })
  await service.post('/employees', { first_name: 'Ada', last_name: 'L', date_of_birth: '1990-12-10' })
  await service.post('/tasks', { name: 'Order a laptop', employee_id: 1 })
})
after(() => service.stop())

test('a list based on a hidden field group is rejected and names the group', async () => {
  for (const path of ['/employees/birthdays', '/employees/birthdays?date[gte]=2026-12-01&date[lte]=2026-12-31']) {
    assert.equal((await service.get(path)).status, 200)
    const refused = await service.get(path, { key: impersonal })
    assert.equal(refused.status, 403)
    assert.match(refused.body.detail, /date.*personal/)
  }
  assert.equal((await service.get('/employees/anniversaries', { key: impersonal })).status, 200)
})

test('nested records hide the same field groups as their parent, and the group is named', async () => {
  const { ledger } = openService({ database: service.database, filesAt: '' })
  const birth = card(employees, 'Birth', ['id', 'first_name', 'date_of_birth', 'gender_id'])
  const assigned = resource(
    { table: 'tasks', one: 'task', area: 'tasks' },
    { employee_id: reference('employees', { required: true, show: () => birth }) },
  )
  const look = (withheld: string[]) =>
    readAs(ledger, { ...commandLine(service.account), withheld: new Set(withheld) }, async (db) => {
      const [found] = await fetchShape(db, assigned.whole, db.from('tasks'))
      return { employee: found?.record.employee, omitted: [...db.omitted] }
    })
  assert.deepEqual(await look([]), {
    employee: { id: 1, first_name: 'Ada', date_of_birth: '1990-12-10', gender: null },
    omitted: [],
  })
  assert.deepEqual(await look(['personal']), { employee: { id: 1, first_name: 'Ada' }, omitted: ['personal'] })
})

test('a conflict reveals neither hidden values nor records that the key may not read', async () => {
  const gender = await service.make('/genders', { name: 'Rare' })
  const { id } = await service.hire({ gender_id: gender.id })
  const open = await service.delete(`/genders/${gender.id}`)
  assert.match(open.body.detail, new RegExp(`employee ${id} `))
  const hidden = await service.delete(`/genders/${gender.id}`, { key: impersonal })
  assert.equal(hidden.status, 409)
  assert.ok(!hidden.body.detail.includes(String(id)), hidden.body.detail)

  const schedule = await service.make('/pay_schedules', { name: 'Weekly' })
  const salary = { effective_on: '2024-01-01', amount: '1', currency_code: 'EUR', per: 'month' }
  await service.make(`/employees/${id}/salaries`, { ...salary, pay_schedule_id: schedule.id })
  const unpaid = await service.keyWith({ permissions: ['*'], withheld: ['compensation'] })
  const told = (await service.delete(`/pay_schedules/${schedule.id}`, { key: unpaid })).body.detail
  assert.match(told, /by a record that you cannot see/)
  const onlyPlaces = await service.keyWith({ permissions: ['organisation:*'] })
  assert.match((await service.delete(`/genders/${gender.id}`, { key: onlyPlaces })).body.detail, /cannot see/)
})

test('custom fields in a field group can be neither read, written nor searched by keys without it', async () => {
  const salt = 'Zq4711secret'
  await service.make('/employee_fields', { name: 'Bank', type: 'text', historical: true, protection: 'compensation' })
  await service.make('/recruitment/candidate_fields', { name: 'Verdict', type: 'text', protection: 'notes' })
  const { id } = await service.hire({ bank: salt })
  const candidate = await service.make('/recruitment/candidates', { full_name: 'C', verdict: salt })
  const key = await service.keyWith({ permissions: ['*'], withheld: ['compensation', 'notes'] })
  for (const path of [
    `/employees/${id}`,
    '/employees?status=all',
    `/employees/${id}/field_histories`,
    `/employees/${id}?fields[]=bank`,
    `/recruitment/candidates/${candidate.id}`,
    '/recruitment/candidates',
  ]) {
    assert.ok((await service.get(path)).text.includes(salt), path)
    const answer = await service.get(path, { key })
    assert.equal(answer.status, 200)
    assert.ok(!answer.text.includes(salt) && !answer.text.includes('bank"'), path)
    assert.match(answer.headers.get('cadre-omitted') ?? '', /compensation|notes/)
  }
  const history = (await service.get(`/employees/${id}/field_histories`)).body.data[0].id
  for (const send of ['get', 'delete'] as const)
    assert.equal((await service[send](`/employees/${id}/field_histories/${history}`, { key })).status, 404)
  for (const body of [{ bank: 'x' }, { fields: { bank: 'x' } }]) {
    const answer = await service.put(`/employees/${id}`, body, { key })
    assert.deepEqual([answer.status, answer.body.errors[0].code], [422, 'forbidden'])
  }
  assert.equal((await service.get(`/employees/${id}`)).body.data.fields.bank.value, salt)
})

test('a payroll key sees pay and payroll documents, but no notes', async () => {
  const key = await service.keyWith({ permissions: ['employees:read', 'organisation:read'], withheld: ['notes'] })
  const { id } = await service.hire({ hired_on: '2020-01-01' })
  await service.make(`/employees/${id}/notes`, { body: 'Private remark' })
  const pay = { effective_on: '2020-01-01', amount: '100.0', currency_code: 'EUR', per: 'month' }
  await service.make(`/employees/${id}/salaries`, pay)
  const open = await service.make('/document_folders', { name: 'Payslips' })
  const closed = await service.make('/document_folders', { name: 'Warnings', protection: 'notes' })
  const upload = (document_folder_id: number) =>
    service.make(`/employees/${id}/documents`, { name: 'Paper', url: 'https://example.com', document_folder_id })
  const [seen, hidden] = [await upload(open.id), await upload(closed.id)]
  await service.post(`/employees/${id}/terminate`, { effective_from: '2024-01-01', comment: 'Private reason' })

  assert.equal((await service.get(`/employees/${id}/salaries`, { key })).body.data[0].amount, '100.0')
  assert.equal((await service.get(`/employees/${id}/notes`, { key })).status, 403)
  assert.ok(!('termination_comment' in (await service.get(`/employees/${id}`, { key })).body.data))
  const documents = await service.get(`/employees/${id}/documents`, { key })
  assert.deepEqual(
    documents.body.data.map((one: any) => one.id),
    [seen.id],
  )
  assert.equal(documents.headers.get('cadre-omitted'), 'notes')
  assert.equal((await service.get(`/employees/${id}/documents/${hidden.id}`, { key })).status, 404)
  const writer = await service.keyWith({ permissions: ['*'], withheld: ['notes'] })
  assert.equal((await service.delete(`/employees/${id}/documents/${hidden.id}`, { key: writer })).status, 404)
  const into = { name: 'X', url: 'https://example.com', document_folder_id: closed.id }
  assert.equal(
    (await service.post(`/employees/${id}/documents`, into, { key: writer })).body.errors[0].code,
    'forbidden',
  )
  assert.equal((await service.delete(`/employees/${id}`, { key: writer })).status, 403)
})

test('an export and an erasure preview need permission for every area they contain', async () => {
  const { id } = await service.hire()
  const key = await service.keyWith({ permissions: ['employees:*'] })
  assert.equal((await service.get(`/employees/${id}/export`, { key })).status, 200)
  await service.make('/tasks', { name: 'Order a laptop', employee_id: id })
  for (const what of ['export', 'erasure'])
    assert.equal((await service.get(`/employees/${id}/${what}`, { key })).status, 403)
})

test('a key that may not see a group can neither remove its protection nor change what is in it', async () => {
  const field = await service.make('/employee_fields', {
    name: 'Salt',
    type: 'single_select',
    options: ['a'],
    protection: 'personal',
  })
  const folder = await service.make('/document_folders', { name: 'Sealed', protection: 'personal' })
  const option = `/employee_fields/${field.id}/options/${field.options[0].id}`
  const attempts: [string, string, unknown?][] = [
    ['PUT', `/employee_fields/${field.id}`, { protection: null }],
    ['PUT', `/employee_fields/${field.id}`, { name: 'Pepper' }],
    ['DELETE', `/employee_fields/${field.id}`],
    ['POST', `/employee_fields/${field.id}/options`, { value: 'b' }],
    ['PUT', option, { value: 'c' }],
    ['DELETE', option],
    ['PUT', `/document_folders/${folder.id}`, { protection: 'notes' }],
    ['DELETE', `/document_folders/${folder.id}`],
  ]
  for (const [method, path, json] of attempts) {
    const answer = await service.send(method, path, { key: impersonal, ...(json ? { json } : {}) })
    assert.equal(answer.status, 403, `${method} ${path}`)
  }
  const candidate = await service.make('/recruitment/candidates', { full_name: 'Kept' })
  assert.equal((await service.delete(`/recruitment/candidates/${candidate.id}`, { key: impersonal })).status, 403)
})

test('a stored response is not replayed to a key with less access than before', async () => {
  const made = await service.make('/api_keys', { name: 'Narrowed', permissions: ['*'] })
  const { id } = await service.hire()
  const retry = { key: made.key, headers: { 'idempotency-key': 'once' } }
  const body = { date_of_birth: '1980-02-03' }
  assert.match((await service.put(`/employees/${id}`, body, retry)).text, /1980-02-03/)
  await service.put(`/api_keys/${made.id}`, { withheld: ['personal'] })
  assert.ok(!(await service.put(`/employees/${id}`, body, retry)).text.includes('1980-02-03'))
  const division = { name: 'Replayed' }
  const first = await service.post('/divisions', division, { key: made.key, headers: { 'idempotency-key': 'other' } })
  await service.put(`/api_keys/${made.id}`, { withheld: ['personal', 'notes'] })
  const again = await service.post('/divisions', division, { key: made.key, headers: { 'idempotency-key': 'other' } })
  assert.deepEqual([first.status, again.body.code], [201, 'idempotency_mismatch'])
  // What a key may read decides what it is told of whom a task is about.
  await service.put(`/api_keys/${made.id}`, { withheld: [] })
  const candidate = await service.make('/recruitment/candidates', { full_name: 'Zq4711 candidate' })
  const task = { name: 'Call', employee_id: id, associated_to: { id: candidate.id, type: 'Candidate' } }
  const ask = () => service.post('/tasks', task, { key: made.key, headers: { 'idempotency-key': 'task' } })
  assert.match((await ask()).text, /Zq4711/)
  await service.put(`/api_keys/${made.id}`, { permissions: ['tasks:*'] })
  assert.ok(!(await ask()).text.includes('Zq4711'))
})

test('comments on other records are hidden with the notes group', async () => {
  const remark = 'Zq815remark'
  const { id } = await service.hire({ hired_on: '2020-01-01' })
  await service.make(`/employees/${id}/employment_statuses`, { effective_from: '2021-01-01', comment: remark })
  await service.post(`/employees/${id}/terminate`, { effective_from: '2024-01-01', comment: remark })
  const key = await service.keyWith({ permissions: ['*'], withheld: ['notes'] })
  for (const path of [`/employees/${id}`, `/employees/${id}/employment_statuses`]) {
    assert.ok((await service.get(path)).text.includes(remark), path)
    const answer = await service.get(path, { key })
    assert.deepEqual([answer.status, answer.text.includes(remark)], [200, false], path)
    assert.equal(answer.headers.get('cadre-omitted'), 'notes')
  }
})
