import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, type Service, startService } from '../harness.ts'

/** Ways by which somebody could come to see, or change, more than their roles hold. */

let service: Service
const roleIds = new Map<string, number>()
let boss: { id: number }
let report: { id: number }
let other: { id: number }

const BOTH = ['manager', 'employee']

before(async () => {
  service = await startService({ clock: () => new Date('2030-05-15T12:00:00Z') })
  for (const { id, standard } of (await service.get('/roles')).body.data) roleIds.set(standard, id)
  boss = await service.hire({ first_name: 'Mary', last_name: 'Manager', hired_on: '2028-01-01' })
  report = await service.hire({
    first_name: 'Rita',
    last_name: 'Report',
    hired_on: '2028-01-01',
    reporting_to_id: boss.id,
  })
  other = await service.hire({ first_name: 'Otto', last_name: 'Other', hired_on: '2028-01-01' })
})
after(() => service.stop())

const keyOf = async (employee_id: number | null, ids: (number | undefined)[]) =>
  (await service.make('/api_keys', { name: 'Key', permissions: ['*'], employee_id, role_ids: ids })).key as string
const standard = (employee_id: number | null, ...names: string[]) =>
  keyOf(
    employee_id,
    names.map((name) => roleIds.get(name)),
  )
let n = 0
const homeMade = async (employee_id: number | null, ...grants: object[]) =>
  keyOf(employee_id, [(await service.make('/roles', { name: `Home-made ${n++}`, grants })).id])

/** Signs in, as somebody with a role. */
async function enter(employee_id: number, ...names: string[]) {
  const email = `somebody${n++}@reach.example`
  const role_ids = names.map((name) => roleIds.get(name))
  const { link, user } = await service.make('/users/invite', { email, name: email, employee_id, role_ids })
  const json = { token: link.url.split('#')[1], password: 'seven grey herons at noon' }
  const same = { origin: service.url, 'sec-fetch-site': 'same-origin' }
  const entered = await service.send('POST', '/sign_in/link_use', { key: null, json, headers: same })
  const cookie = entered.headers.getSetCookie().map((one) => one.split(';')[0])
  const headers = { ...same, cookie: cookie.join('; ') }
  const send = (method: string, path: string, json?: object) =>
    service.send(method as 'POST', path, { key: null, json, headers })
  return { user, send }
}

const ALL = ['compensation', 'personal', 'notes']
const status = async (way: Promise<Answer>) => (await way).status

test('rows and cells of tables are shown by what one sees of the person, and written by nobody else', async () => {
  const secret = await service.make('/employee_tables', { name: 'Vaccinations', protection: 'personal' })
  await service.make(`/employee_tables/${secret.id}/columns`, { name: 'What', type: 'text' })
  const open = await service.make('/employee_tables', { name: 'Sizes' })
  await service.make(`/employee_tables/${open.id}/columns`, { name: 'Shoe', type: 'text' })
  await service.make(`/employee_tables/${open.id}/columns`, { name: 'Bonus', type: 'text', protection: 'compensation' })
  const hidden = await service.make(`/employees/${report.id}/tables/${secret.id}/rows`, { what: 'MARK-rabies' })
  const row = await service.make(`/employees/${report.id}/tables/${open.id}/rows`, { shoe: '43', bonus: 'MARK-4711' })
  const key = await standard(boss.id, ...BOTH)
  for (const path of [
    `/employees/${report.id}/tables`,
    `/employees/${report.id}/tables/${secret.id}/rows`,
    `/employees/${report.id}/tables/${open.id}/rows`,
    `/employee_tables/${secret.id}/rows`,
    `/employee_tables/${open.id}/rows`,
  ]) {
    const answer = await service.get(path, { key })
    assert.equal(answer.status, 200, path)
    assert.ok(!answer.text.includes('MARK'), answer.text)
  }
  const mine = await service.get(`/employees/${report.id}/tables/${open.id}/rows/${row.id}`, { key })
  assert.deepEqual(mine.body.data.columns, { shoe: '43' })

  const writer = await homeMade(
    boss.id,
    { permissions: ['employees:*'], scope: 'everybody', sees: [] },
    { permissions: ['employees:*', 'audits:*'], scope: 'self', sees: ALL },
  )
  const rows = `/employees/${report.id}/tables`
  assert.equal(await status(service.put(`${rows}/${open.id}/rows/${row.id}`, { bonus: 'x' }, { key: writer })), 403)
  assert.equal(await status(service.put(`${rows}/${open.id}/rows/${row.id}`, { shoe: '44' }, { key: writer })), 200)
  assert.equal(await status(service.delete(`${rows}/${secret.id}/rows/${hidden.id}`, { key: writer })), 404)
  const cell = (await service.get(`${rows}/${open.id}/rows/${row.id}`)).body.data.columns
  assert.deepEqual(cell, { shoe: '44', bonus: 'MARK-4711' })
})

test('the ledger tells nothing of what is seen of some people only, nor is that undone', async () => {
  const table = await service.make('/employee_tables', { name: 'Cars' })
  await service.make(`/employee_tables/${table.id}/columns`, { name: 'Plate', type: 'text' })
  const row = await service.make(`/employees/${other.id}/tables/${table.id}/rows`, { plate: 'MARK-plate' })
  await service.put(`/employees/${other.id}`, { date_of_birth: '1977-07-07' })
  const undoable = (await service.get('/changes?limit=1000')).body.data.filter(
    (one: any) => one.resource === 'employee_table_values' || 'date_of_birth' in (one.after ?? {}),
  )
  assert.ok(undoable.length >= 2)
  for (const grants of [
    [{ permissions: ['audits:*', 'employees:*'], scope: 'reports', sees: ALL }],
    [{ permissions: ['*'], scope: 'self', sees: ALL }],
    [
      { permissions: ['audits:*'], scope: 'everybody', sees: ALL },
      { permissions: ['employees:*'], scope: 'self', sees: ALL },
    ],
    [
      { permissions: ['audits:*', 'employees:*'], scope: 'everybody', sees: [] },
      { permissions: ['employees:*'], scope: 'self', sees: ALL },
    ],
  ]) {
    const key = await homeMade(boss.id, ...grants)
    const isWhole = JSON.stringify(grants).includes('"audits:*","employees:*"],"scope":"everybody"')
    for (const path of [
      '/changes?limit=1000',
      `/employees/${other.id}/history?parts=true`,
      '/reads',
      '/audits?page=1',
    ]) {
      const { text } = await service.get(path, { key })
      assert.ok(!text.includes('1977-07-07'), `${path} ${JSON.stringify(grants)}`)
      if (!isWhole) assert.ok(!text.includes('MARK-plate'), `${path} ${JSON.stringify(grants)}`)
    }
    for (const { number } of undoable)
      if (!isWhole) assert.ok((await status(service.post(`/changes/${number}/undo`, {}, { key }))) >= 403, `${number}`)
  }
  const there = await service.get(`/employees/${other.id}/tables/${table.id}/rows/${row.id}`)
  assert.equal(there.body.data.columns.plate, 'MARK-plate')
})

test('custom fields that are kept from somebody are left out of what they read, and cannot be written by them', async () => {
  await service.make('/employee_fields', { name: 'Rating', type: 'text', protection: 'compensation' })
  const set = (value: string) => service.put(`/employees/${other.id}`, { fields: { rating: value } })
  await set('MARK-A')
  const key = await homeMade(
    boss.id,
    { permissions: ['employees:*'], scope: 'everybody', sees: [] },
    { permissions: ['employees:*'], scope: 'self', sees: ALL },
  )
  const shown = (await service.get(`/employees/${other.id}`, { key })).body.data
  assert.ok(!('rating' in shown.fields), JSON.stringify(shown.fields))
  assert.ok('rating' in (await service.get(`/employees/${boss.id}`, { key })).body.data.fields)
  const fields = { rating: 'HACK' }
  assert.equal(await status(service.put(`/employees/${other.id}`, { fields }, { key })), 403)
  const trial = await service.put(`/employees/${other.id}`, { fields }, { key, headers: { prefer: 'dry-run' } })
  assert.ok(trial.status === 403 && !trial.text.includes('MARK'), trial.text)
  const bulk = { data: [{ id: other.id, fields }] }
  assert.notEqual((await service.send('PATCH', '/employees/bulk', { key, json: bulk })).body.records?.count, 1)
  assert.equal((await service.get(`/employees/${other.id}`)).body.data.fields.rating.value, 'MARK-A')
  assert.equal(await status(service.put(`/employees/${boss.id}`, { fields }, { key })), 200)
})

test('candidates are not taken into one’s reach by naming them', async () => {
  const [kind, department, place, pipeline] = [
    await service.make('/employment_types', { name: 'Full' }),
    await service.make('/departments', { name: 'Hiring' }),
    await service.make('/locations', { name: 'Office', country_code: 'DE', time_zone: 'Europe/Berlin' }),
    await service.make('/recruitment/pipelines', { name: 'Usual' }),
  ]
  const usual = {
    state: 'opened',
    description: 'What there is to do',
    employment_type_id: kind.id,
    department_id: department.id,
    location_id: place.id,
    recruitment_pipeline_id: pipeline.id,
  }
  const vacancies = '/recruitment/vacancies'
  const vacancy = await service.make(vacancies, { ...usual, title: 'Own', hiring_lead_user_id: boss.id })
  const mine = await service.make('/recruitment/candidates', { full_name: 'Mine' })
  await service.make(`/recruitment/vacancies/${vacancy.id}/applications`, { candidate_id: mine.id })
  const theirs = await service.make('/recruitment/candidates', {
    full_name: 'MARK-Theirs',
    email: 'mark@reach.example',
  })
  const key = await standard(boss.id, 'hiring_manager', 'employee')
  const say = ({ status, body }: Answer) => [status, body.errors?.map(({ field, code }: any) => [field, code])]
  const ways: ((id: number) => Promise<Answer>)[] = [
    (candidate_id) => service.post(`/recruitment/vacancies/${vacancy.id}/applications`, { candidate_id }, { key }),
    (candidate_id) =>
      service.post(
        `/recruitment/vacancies/${vacancy.id}/applications`,
        { candidate_id },
        { key, headers: { prefer: 'dry-run' } },
      ),
    (duplicate_id) => service.post(`/recruitment/candidates/${mine.id}/merge`, { duplicate_id }, { key }),
  ]
  for (const way of ways) {
    const [known, unknown] = [await way(theirs.id), await way(999_999)]
    assert.deepEqual(say(known), say(unknown))
    assert.ok(known.status === 422 && !known.text.includes('MARK'), known.text)
  }
  // Somebody new comes into one's reach by one's own vacancy, and by no other.
  const foreign = await service.make(vacancies, { ...usual, title: 'MARK-Foreign', hiring_lead_user_id: other.id })
  const add = (more: object) => service.post('/recruitment/candidates', { full_name: 'New', ...more }, { key })
  const [out, none] = [await add({ vacancy_id: foreign.id }), await add({ vacancy_id: 999_999 })]
  assert.deepEqual(say(out), say(none))
  assert.ok(out.status === 422 && !out.text.includes('MARK'), out.text)
  assert.equal((await add({})).status, 403)
  const fresh = await add({ vacancy_id: vacancy.id, resume: 'data:text/plain;base64,aGk=' })
  assert.equal(fresh.status, 201, fresh.text)
  assert.equal(await status(service.get(`/recruitment/candidates/${fresh.body.data.id}`, { key })), 200)
  const taken = await add({ vacancy_id: vacancy.id, email: 'mark@reach.example' })
  assert.deepEqual(taken.body.errors, [{ field: 'email', code: 'taken', message: 'email has already been taken' }])
  // A lead may hand a vacancy over, and then does not see it any more.
  const handed = await service.put(`/recruitment/vacancies/${vacancy.id}`, { hiring_lead_user_id: other.id }, { key })
  assert.ok([200, 403, 422].includes(handed.status), handed.text)
  const made = await service.post('/recruitment/vacancies', { title: 'More', hiring_lead_user_id: boss.id }, { key })
  assert.ok([201, 403, 422].includes(made.status), made.text)
})

test('in bulk, those out of reach are as unknown as those who are not there', async () => {
  const key = await homeMade(boss.id, { permissions: ['employees:*'], scope: 'reports', sees: [] })
  const bulk = async (...data: object[]) => service.send('PATCH', '/employees/bulk', { key, json: { data } })
  const saying = ({ body }: Answer) => body.errors.data.map(({ messages }: { messages: string[] }) => messages)
  for (const more of [{}, { last_name: 'x' }, { email: 'no mail' }, { employee_number: '1' }, { reporting_to_id: 1 }]) {
    const [out, unknown] = [await bulk({ id: other.id, ...more }), await bulk({ id: 999_999, ...more })]
    assert.deepEqual([out.status, saying(out)], [unknown.status, saying(unknown)])
  }
  const both = await bulk({ id: report.id, last_name: 'Changed' }, { id: other.id, last_name: 'Changed' })
  assert.deepEqual([both.body.records.count, both.body.errors.count], [1, 1])
  assert.equal((await service.get(`/employees/${other.id}`)).body.data.last_name, 'Other')
})

test('whoever may hire for a department, or below themselves, can, and nowhere else', async () => {
  const own = await service.make('/departments', { name: 'Theirs' })
  const grant = {
    permissions: ['employees:*', 'organisation:read'],
    scope: 'department',
    department_id: own.id,
    sees: ALL,
  }
  const key = await homeMade(boss.id, grant)
  const hire = (body: object, with_: string) =>
    service.post(
      '/employees',
      { first_name: 'New', last_name: 'Here', hired_on: '2030-01-01', ...body },
      { key: with_ },
    )
  const { status: made, body, text } = await hire({ department_id: own.id, email: 'new@reach.example' }, key)
  assert.equal(made, 201, text)
  assert.equal(await status(service.get(`/employees/${body.data.id}`, { key })), 200)
  assert.equal(await status(hire({ email: 'newer@reach.example' }, key)), 403)
  const lead = await homeMade(boss.id, { permissions: ['employees:*'], scope: 'reports', sees: ALL })
  const below = await hire({ reporting_to_id: boss.id, email: 'below@reach.example' }, lead)
  assert.equal(below.status, 201, below.text)
  assert.equal(await status(hire({ reporting_to_id: other.id, email: 'beside@reach.example' }, lead)), 422)
})

test('a manager decides and gives tasks without any other role', async () => {
  const type = await service.make('/leave_types', { name: 'Holiday' })
  const policy = await service.make('/leave_policies', { name: 'Usual', leave_type_id: type.id, floor: -100 })
  for (const { id } of [boss, report])
    await service.make(`/employees/${id}/leave_types`, {
      leave_type_id: type.id,
      leave_type_policy_id: policy.id,
      effective_on: '2029-01-01',
    })
  const ask = async (employee_id: number, day: string) =>
    (await service.make('/leave_requests', { employee_id, leave_type_id: type.id, starts_on: day, ends_on: day })).id
  const key = await standard(boss.id, 'manager')
  const asked = await ask(report.id, '2030-06-03')
  const approved = await service.post(`/leave_requests/${asked}/approve`, {}, { key })
  assert.equal(approved.status, 200, approved.text)
  const given = await service.post('/tasks', { name: 'Do', employee_id: report.id }, { key })
  assert.equal(given.status, 201, given.text)
})

test('nobody comes to a decision about their own by becoming nobody, or by undoing', async () => {
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

test('whoever holds a key does not become somebody else by it, or by another that it makes or changes', async () => {
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

test('access and keys are for those who look after everybody’s', async () => {
  for (const scope of ['self', 'reports']) {
    const key = await homeMade(boss.id, { permissions: ['users:*', 'keys:*', '*'], scope, sees: ALL })
    for (const path of ['/users', '/api_keys', '/failed_sign_ins', '/identity_providers', '/roles']) {
      const { status, body, text } = await service.get(path, { key })
      assert.ok(status === 403 || body.data.length === 0, `${path} ${text}`)
    }
    const [user] = (await service.get('/users')).body.data
    for (const path of [`/users/${user.id}`, `/users/${user.id}/sessions`, `/users/${user.id}/sign_in`])
      assert.ok([403, 404].includes(await status(service.get(path, { key }))), path)
  }
})

test('what is wrong with a grant names its field, and nothing is no list', async () => {
  const grants = [
    { permissions: ['employees:read'], scope: 'department' },
    { permissions: ['employees:read'], scope: 'self', department_id: 1, sees: null },
  ]
  const { status, body } = await service.post('/roles', { name: 'Wrong', grants })
  assert.equal(status, 422)
  assert.deepEqual(
    body.errors.map(({ message }: { message: string }) => message),
    ['grants[0].department_id is required with this scope', 'grants[1].department_id belongs to the scope department'],
  )
  const good = { name: 'Nothing', grants: [{ permissions: ['employees:read'], scope: 'self', sees: null }] }
  const made = await service.post('/roles', good)
  assert.equal(made.status, 201, made.text)
})

test('a reference out of reach leads no rule to what it names: only that it is unknown is told', async () => {
  const leaver = await service.hire({ first_name: 'Lea', last_name: 'Ver', hired_on: '2028-01-01' })
  const left = await service.post(`/employees/${leaver.id}/terminate`, { effective_from: '2030-09-01' })
  assert.equal(left.status, 200, left.text)
  const [leaveType] = (await service.get('/leave_types')).body.data
  await service.make('/time/clocks', { employee_id: leaver.id, started_at: '2030-05-15T08:00:00Z' })
  const entry = { starts_at: '2030-05-14T08:00:00Z', ends_at: '2030-05-14T10:00:00Z' }
  await service.make('/time/timesheet_entries', { employee_id: leaver.id, ...entry })
  const key = await standard(report.id, 'employee')
  const own = await service.make('/time/timesheet_entries', { employee_id: report.id, ...entry })
  const clock = (await service.post('/time/clocks', { employee_id: report.id }, { key })).body.data
  const ways: [string, string, object][] = [
    ['POST', '/leave_requests', { leave_type_id: leaveType.id, starts_on: '2031-01-04', ends_on: '2031-01-05' }],
    ['POST', '/time/timesheet_entries', { starts_at: '2031-05-14T08:00:00Z', ends_at: '2031-05-14T10:00:00Z' }],
    ['POST', '/time/timesheet_entries', entry],
    ['PUT', `/time/timesheet_entries/${own.id}`, {}],
    ['POST', '/time/clocks', {}],
    ['PUT', `/time/clocks/${clock.id}`, {}],
  ]
  for (const [method, path, json] of ways) {
    const told = await Promise.all(
      [leaver.id, 999_999].map(async (employee_id) => {
        const { status, body } = await service.send(method as 'POST', path, { key, json: { ...json, employee_id } })
        return { status, errors: body.errors }
      }),
    )
    assert.deepEqual(told[0], told[1], `${method} ${path}`)
    assert.ok((told[0]?.status ?? 0) >= 400, JSON.stringify(told))
  }
})

test('those who have left are not found out by naming them', async () => {
  const gone = await service.hire({ first_name: 'Gone', last_name: 'MARK-long-ago', hired_on: '2020-01-01' })
  await service.post(`/employees/${gone.id}/terminate`, { effective_from: '2029-01-01' })
  const key = await standard(report.id, 'employee')
  const about = (id: number) => ({
    name: 'Ask them',
    employee_id: report.id,
    associated_to: { type: 'Employee', id },
  })
  assert.equal(await status(service.post('/tasks', about(other.id), { key })), 201)
  const refused = await service.post('/tasks', about(gone.id), { key })
  assert.equal(refused.status, 422, refused.text)
  assert.ok(!refused.text.includes('MARK'), refused.text)
})

test('a task about a candidate whom one does not reach is there, and does not tell about whom', async () => {
  const candidate = await service.make('/recruitment/candidates', { full_name: 'MARK Candidate' })
  const task = await service.make('/tasks', {
    name: 'Call back',
    employee_id: report.id,
    associated_to: { type: 'Candidate', id: candidate.id },
  })
  const key = await standard(boss.id, ...BOTH, 'hiring_manager')
  for (const path of ['/tasks', `/tasks/${task.id}`]) {
    const answer = await service.get(path, { key })
    assert.equal(answer.status, 200, answer.text)
    assert.ok(answer.text.includes('Call back') && !answer.text.includes('MARK'), answer.text)
  }
})

test('nobody brings others into their own reach by moving a department, or by becoming their manager', async () => {
  const [inner, outer] = [
    await service.make('/departments', { name: 'Inner' }),
    await service.make('/departments', { name: 'Outer' }),
  ]
  const inside = await service.hire({ first_name: 'In', hired_on: '2028-01-01', department_id: inner.id })
  await service.hire({ first_name: 'Out', hired_on: '2028-01-01', department_id: outer.id })
  const below = await service.hire({ first_name: 'Below', hired_on: '2028-01-01', reporting_to_id: inside.id })
  const key = await homeMade(
    boss.id,
    { permissions: ['employees:*'], scope: 'department', department_id: inner.id, sees: ALL },
    { permissions: ['employees:*'], scope: 'reports', sees: ALL },
    { permissions: ['organisation:*'], scope: 'everybody', sees: [] },
  )
  const moved = await service.put(`/departments/${outer.id}`, { parent_id: inner.id }, { key })
  assert.equal(moved.status, 403, moved.text)
  assert.equal((await service.get(`/departments/${outer.id}`)).body.data.parent?.id ?? null, null)
  assert.equal(await status(service.put(`/departments/${outer.id}`, { name: 'Outside' }, { key })), 200)
  const job = { effective_from: '2029-01-01', reporting_to_id: boss.id, department_id: inner.id }
  assert.equal(await status(service.post(`/employees/${inside.id}/positions`, job, { key })), 403)
  assert.equal(await status(service.get(`/employees/${below.id}`, { key })), 404)
})

test('nobody takes a decision about their own away by undoing it', async () => {
  const [leaveType] = (await service.get('/leave_types')).body.data
  const asked = await service.make('/leave_requests', {
    employee_id: report.id,
    leave_type_id: leaveType.id,
    starts_on: '2030-07-09',
    ends_on: '2030-07-10',
  })
  const rejected = await service.post(`/leave_requests/${asked.id}/reject`)
  assert.equal(rejected.status, 200, rejected.text)
  const key = await standard(report.id, 'hr')
  const request = rejected.headers.get('x-request-id')
  const undone = await service.post(`/requests/${request}/undo`, {}, { key })
  assert.equal(undone.status, 403, undone.text)
  assert.equal(await status(service.delete(`/leave_requests/${asked.id}`, { key })), 403)
  assert.equal((await service.get(`/leave_requests/${asked.id}`)).body.data.state, 'rejected')
})

test('one’s own name and language are put back by undoing, and nothing that says what one may do', async () => {
  const somebody = await enter(other.id, 'hr')
  const changed = await somebody.send('PUT', '/me', { locale: 'de' })
  assert.equal(changed.status, 200, changed.text)
  const undone = await somebody.send('POST', `/me/requests/${changed.headers.get('x-request-id')}/undo`)
  assert.equal(undone.status, 204, undone.text)
  assert.equal((await somebody.send('GET', '/me')).body.data.user.locale, null)
})

test('whoever may not manage somebody’s access does not erase them with it', async () => {
  const above = await service.hire({ first_name: 'Olga', last_name: 'Owner', hired_on: '2028-01-01' })
  await enter(above.id, 'owner')
  const hr = await standard(report.id, 'hr')
  const refused = await service.delete(`/employees/${above.id}?erase=true`, { key: hr })
  assert.equal(refused.status, 403, refused.text)
  assert.equal(await status(service.get(`/employees/${above.id}`)), 200)
})

test('reviews are made of those only whom one sees, and nothing of access is looked up for those who hold it for some', async () => {
  const department = await service.make('/departments', { name: 'Reviewed' })
  const key = await homeMade(
    boss.id,
    {
      permissions: ['reviews:*', 'employees:*', 'users:*'],
      scope: 'department',
      department_id: department.id,
      sees: ALL,
    },
    { permissions: ['directory:read'], scope: 'everybody', sees: [] },
  )
  const cycle = await service.make('/performance/review_cycles', {
    name: 'This year',
    starts_on: '2030-01-01',
    ends_on: '2030-12-31',
  })
  const made = await service.post(`/performance/review_cycles/${cycle.id}/reviews`, { employee_id: other.id }, { key })
  assert.equal(made.status, 422, made.text)
  assert.equal((await service.get(`/performance/review_cycles/${cycle.id}/reviews`)).body.metadata.count, 0)
  const answers = await Promise.all(
    [other.id, 999_999].map(async (employee_id) => {
      const { status, body } = await service.post('/users', { employee_id, role_ids: [] }, { key })
      return [status, body.code, body.errors]
    }),
  )
  assert.deepEqual(answers[0], answers[1])
  assert.equal(answers[0]?.[0], 403)
})

test('reviews of those whom a role reaches are made, seen and seen to by it, one by one and in bulk', async () => {
  const department = await service.make('/departments', { name: 'Looked after' })
  const lead = await service.hire({ hired_on: '2028-01-01' })
  const admin = await service.hire({ hired_on: '2028-01-01', department_id: department.id, reporting_to_id: lead.id })
  const own = { hired_on: '2028-01-01', department_id: department.id, reporting_to_id: admin.id }
  const [first, second] = [await service.hire(own), await service.hire(own)]
  const cycle = await service.make('/performance/review_cycles', {
    name: 'Looked after',
    starts_on: '2030-01-01',
    ends_on: '2030-12-31',
  })
  const path = `/performance/review_cycles/${cycle.id}/reviews`
  await service.make(path, { employee_id: lead.id })
  const about = await service.make(path, { employee_id: admin.id })
  await service.make(`${path}/${about.id}/review_participants`, { employee_id: first.id, type: 'peer' })
  const permissions = ['reviews:*', 'employees:read']
  const inDepartment = { permissions, scope: 'department', department_id: department.id, sees: ALL }
  // Whoever looks after a department, from within or without, and whoever looks after their reports.
  for (const [who, grant] of [
    [admin, inDepartment],
    [other, inDepartment],
    [admin, { permissions, scope: 'reports', sees: ALL }],
  ] as const) {
    const key = await homeMade(who.id, grant, KNOWS_ALL)
    const made = await service.post(path, { employee_id: first.id }, { key })
    assert.equal(made.status, 201, made.text)
    const bulk = await service.post(`${path}/bulk`, { employee_ids: [second.id, boss.id, lead.id] }, { key })
    assert.deepEqual(
      [bulk.body.records?.data, bulk.body.errors?.data].map((some) => some?.map((one: any) => one.employee_id)),
      [[second.id], [boss.id, lead.id]],
      bulk.text,
    )
    const one = `${path}/${made.body.data.id}`
    const seen = (await service.get(path, { key })).body.data.map((review: any) => review.employee_id)
    assert.deepEqual(
      seen.filter((id: number) => id !== admin.id),
      [first.id, second.id],
    )
    const peer = await service.post(`${one}/review_participants`, { employee_id: lead.id, type: 'peer' }, { key })
    assert.equal(peer.status, 201, peer.text)
    assert.equal((await service.get(`${one}/review_participants`, { key })).body.metadata.count, 3)
    // Of one’s own review the peers stay unknown.
    if (who === admin)
      assert.equal((await service.get(`${path}/${about.id}/review_participants`, { key })).body.metadata.count, 2)
    for (const id of [made.body.data.id, bulk.body.records.data[0].review_id])
      assert.equal(await status(service.delete(`${path}/${id}`, { key })), 204)
  }
})

/** Somebody above, in the middle and below, each with a review; whoever is in the middle is a peer in the first. */
async function underReview() {
  const chief = await service.hire({ first_name: 'Cleo', hired_on: '2028-01-01' })
  const middle = await service.hire({ first_name: 'Milo', hired_on: '2028-01-01', reporting_to_id: chief.id })
  const below = await service.hire({ first_name: 'Bert', hired_on: '2028-01-01', reporting_to_id: middle.id })
  const dates = { starts_on: '2030-01-01', ends_on: '2030-12-31' }
  const cycle = await service.make('/performance/review_cycles', { name: 'Year', ...dates })
  const path = `/performance/review_cycles/${cycle.id}`
  const question = await service.make(`${path}/questions`, { title: 'How was it?', type: 'text' })
  const of: Record<'chief' | 'own' | 'below', string> = { chief: '', own: '', below: '' }
  for (const [name, { id }] of Object.entries({ chief, own: middle, below }))
    of[name as 'own'] = `${path}/reviews/${(await service.make(`${path}/reviews`, { employee_id: id })).id}`
  await service.make(`${of.chief}/review_participants`, { employee_id: middle.id, type: 'peer' })
  await service.post(`${path}/open`)
  const partOf = async (review: string, employee_id: number) =>
    (await service.get(`${review}/review_participants`)).body.data.find((one: any) => one.employee_id === employee_id)
  return { chief, middle, below, path, question, of, partOf }
}

const TAKES_PART = { permissions: ['reviews:read', 'review_answers:*'], scope: 'self', sees: ALL }
const KNOWS_ALL = { permissions: ['directory:read'], scope: 'everybody', sees: [] }

test('a review that one merely sees is neither changed nor deleted', async () => {
  const { chief, middle, below, path, question, of, partOf } = await underReview()
  for (const scope of ['reports', 'self']) {
    const write = { permissions: ['reviews:*', 'employees:read'], scope, sees: ALL }
    const key = await homeMade(middle.id, write, TAKES_PART, KNOWS_ALL)
    for (const review of [of.chief, of.own]) {
      const refused = review === of.own && scope === 'self' ? 403 : 404
      assert.equal(await status(service.get(review, { key })), 200)
      const parts = (await service.get(`${review}/review_participants`, { key })).body.data
      assert.ok(parts.length > 0)
      for (const { id } of parts) {
        const part = `${review}/review_participants/${id}`
        assert.equal(await status(service.put(part, { state: 'rejected' }, { key })), refused, `${scope} ${part}`)
        assert.equal(await status(service.delete(part, { key })), refused)
      }
      const peer = { employee_id: below.id, type: 'peer' }
      assert.equal(await status(service.post(`${review}/review_participants`, peer, { key })), refused)
      assert.equal(await status(service.delete(review, { key })), refused)
    }
    const next = await service.make('/performance/review_cycles', {
      name: 'Next',
      starts_on: '2030-01-01',
      ends_on: '2030-12-31',
    })
    const reviews = `/performance/review_cycles/${next.id}/reviews`
    for (const { id } of [chief, middle])
      assert.ok((await status(service.post(reviews, { employee_id: id }, { key }))) >= 403, `${scope} ${id}`)
    const bulk = await service.post(`${reviews}/bulk`, { employee_ids: [chief.id, middle.id] }, { key })
    assert.equal(bulk.body.records?.count, 0, bulk.text)
    assert.equal((await service.get(reviews)).body.metadata.count, 0)
    const made = await status(service.post(reviews, { employee_id: below.id }, { key }))
    assert.equal(made, scope === 'reports' ? 201 : 422)
  }
  // What one takes part in is answered, and what is about those whom one reaches is seen to.
  const write = { permissions: ['reviews:*', 'employees:read'], scope: 'reports', sees: ALL }
  const name = `Reviewer ${n++}`
  const role = await service.make('/roles', { name, grants: [write, TAKES_PART, KNOWS_ALL] })
  roleIds.set(name, role.id)
  const key = await keyOf(middle.id, [role.id])
  const answers = [{ review_question_id: question.id, text: 'Well' }]
  const answered = await service.put(`${of.chief}/answers`, { answers, submit: true }, { key })
  assert.equal(answered.status, 200, answered.text)
  const { send } = await enter(middle.id, name)
  const own = `${of.below}/review_participants/${(await partOf(of.below, below.id)).id}`
  const rejected = await send('PUT', own, { state: 'rejected' })
  assert.equal(rejected.status, 200, rejected.text)
  const undone = await send('POST', `/me/requests/${rejected.headers.get('x-request-id')}/undo`)
  assert.equal(undone.status, 204, undone.text)
  const peer = await send('POST', `${of.below}/review_participants`, { employee_id: chief.id, type: 'peer' })
  assert.equal(peer.status, 201, peer.text)
  assert.equal(await status(send('DELETE', `${of.below}/review_participants/${peer.body.data.id}`)), 204)
  await service.put(`${of.own}/answers`, {
    review_participant_id: (await partOf(of.own, chief.id)).id,
    answers,
    submit: true,
  })
  for (const action of ['close', 'finish']) assert.equal(await status(service.post(`${path}/${action}`)), 200)
  assert.equal(await status(service.delete(of.own, { key })), 404)
  assert.equal(await status(service.delete(of.below, { key })), 204)
})

test('what everybody reads is changed by those only who may for everybody, also where drafts are seen by few', async () => {
  const category = await service.make('/knowledge_base/categories', { name: 'House' })
  const article = await service.make('/knowledge_base/articles', { title: 'Keys', category_id: category.id })
  const path = `/knowledge_base/articles/${article.id}`
  for (const scope of ['self', 'reports']) {
    const key = await homeMade(boss.id, { permissions: ['knowledge:*'], scope, sees: ALL }, KNOWS_ALL)
    assert.equal(await status(service.put(path, { title: 'Mine' }, { key })), 403)
    assert.equal(await status(service.delete(path, { key })), 403)
    const more = { title: 'More', category_id: category.id }
    assert.equal(await status(service.post('/knowledge_base/articles', more, { key })), 403)
    assert.equal(await status(service.get(path, { key })), 404, 'a draft')
  }
  const key = await homeMade(boss.id, { permissions: ['knowledge:*'], scope: 'everybody', sees: [] })
  assert.equal(await status(service.put(path, { title: 'Ours' }, { key })), 200)
})

test('leave of one’s own that was approved at once is not taken away by undoing that it was made', async () => {
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

test('an entry of one’s own that was rejected comes back as that by undoing, and what was approved stays', async () => {
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

test('what was decided about is not changed any more by undoing what was changed before', async () => {
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
