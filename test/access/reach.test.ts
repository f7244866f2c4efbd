import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Answer } from '../harness.ts'
import { ALL, type CompanyOfThree, companyOfThree, KNOWS_ALL, status } from './company-of-three.ts'

/** Ways by which somebody could come to see, or change, more than their roles hold. */

let service: CompanyOfThree['service']
let boss: CompanyOfThree['boss']
let report: CompanyOfThree['report']
let other: CompanyOfThree['other']
let withRoles: CompanyOfThree['withRoles']
let homeMade: CompanyOfThree['homeMade']
let enter: CompanyOfThree['enter']

before(async () => {
  ;({ service, boss, report, other, withRoles, homeMade, enter } = await companyOfThree())
})
after(() => service.stop())

const BOTH = ['manager', 'employee']

test('table rows and columns follow the field groups a role sees of the person, for reads and writes', async () => {
  const secret = await service.make('/employee_tables', { name: 'Vaccinations', protection: 'personal' })
  await service.make(`/employee_tables/${secret.id}/columns`, { name: 'What', type: 'text' })
  const open = await service.make('/employee_tables', { name: 'Sizes' })
  await service.make(`/employee_tables/${open.id}/columns`, { name: 'Shoe', type: 'text' })
  await service.make(`/employee_tables/${open.id}/columns`, { name: 'Bonus', type: 'text', protection: 'compensation' })
  const hidden = await service.make(`/employees/${report.id}/tables/${secret.id}/rows`, { what: 'MARK-rabies' })
  const row = await service.make(`/employees/${report.id}/tables/${open.id}/rows`, { shoe: '43', bonus: 'MARK-4711' })
  const key = await withRoles(boss.id, ...BOTH)
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

test('feed, history, audits and access log hide what a role sees for some people only; undo refuses it', async () => {
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

test('hidden custom fields are left out of responses and cannot be written', async () => {
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
  const fields = { rating: 'not theirs to give' }
  assert.equal(await status(service.put(`/employees/${other.id}`, { fields }, { key })), 403)
  const trial = await service.put(`/employees/${other.id}`, { fields }, { key, headers: { prefer: 'dry-run' } })
  assert.ok(trial.status === 403 && !trial.text.includes('MARK'), trial.text)
  const bulk = { data: [{ id: other.id, fields }] }
  assert.notEqual((await service.send('PATCH', '/employees/bulk', { key, json: bulk })).body.records?.count, 1)
  assert.equal((await service.get(`/employees/${other.id}`)).body.data.fields.rating.value, 'MARK-A')
  assert.equal(await status(service.put(`/employees/${boss.id}`, { fields }, { key })), 200)
})

test('nobody gains access to a candidate by naming them in a request', async () => {
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
  const key = await withRoles(boss.id, 'hiring_manager', 'employee')
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

test('bulk updates report people outside the access scope as unknown', async () => {
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

test('a role scoped to a department or to reports can hire there and nowhere else', async () => {
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

test('a manager decides leave and assigns tasks without another role', async () => {
  const [type] = (await service.get('/leave_types')).body.data
  const ask = async (employee_id: number, day: string) =>
    (await service.make('/leave_requests', { employee_id, leave_type_id: type.id, starts_on: day, ends_on: day })).id
  const key = await withRoles(boss.id, 'manager')
  const asked = await ask(report.id, '2030-06-03')
  const approved = await service.post(`/leave_requests/${asked}/approve`, {}, { key })
  assert.equal(approved.status, 200, approved.text)
  const given = await service.post('/tasks', { name: 'Do', employee_id: report.id }, { key })
  assert.equal(given.status, 201, given.text)
})

test('users and API keys are closed to roles that do not cover everybody', async () => {
  const { user } = await enter(report.id, 'hr')
  for (const scope of ['self', 'reports']) {
    const key = await homeMade(boss.id, { permissions: ['users:*', 'keys:*', '*'], scope, sees: ALL })
    for (const path of ['/users', '/api_keys', '/failed_sign_ins', '/identity_providers', '/roles']) {
      const { status, body, text } = await service.get(path, { key })
      assert.ok(status === 403 || body.data.length === 0, `${path} ${text}`)
    }
    for (const path of [`/users/${user.id}`, `/users/${user.id}/sessions`, `/users/${user.id}/sign_in`])
      assert.ok([403, 404].includes(await status(service.get(path, { key }))), path)
  }
})

test('errors in a grant name its field, and null counts as an empty list', async () => {
  const grants = [
    { permissions: ['employees:read'], scope: 'department' },
    { permissions: ['employees:read'], scope: 'self', department_id: 1, sees: null },
  ]
  const { status, body } = await service.post('/roles', { name: 'Wrong', grants })
  assert.equal(status, 422)
  assert.deepEqual(
    body.errors.map(({ message }: { message: string }) => message),
    [
      'grants[0].department_id is required when scope is department',
      'grants[1].department_id is allowed only when scope is department',
    ],
  )
  const good = { name: 'Nothing', grants: [{ permissions: ['employees:read'], scope: 'self', sees: null }] }
  const made = await service.post('/roles', good)
  assert.equal(made.status, 201, made.text)
})

test('naming a person outside the access scope gives the same error as naming an unknown person', async () => {
  const leaver = await service.hire({ first_name: 'Lea', last_name: 'Ver', hired_on: '2028-01-01' })
  const left = await service.post(`/employees/${leaver.id}/terminate`, { effective_from: '2030-09-01' })
  assert.equal(left.status, 200, left.text)
  const [leaveType] = (await service.get('/leave_types')).body.data
  await service.make('/time/clocks', { employee_id: leaver.id, started_at: '2030-05-15T08:00:00Z' })
  const entry = { starts_at: '2030-05-14T08:00:00Z', ends_at: '2030-05-14T10:00:00Z' }
  await service.make('/time/timesheet_entries', { employee_id: leaver.id, ...entry })
  const key = await withRoles(report.id, 'employee')
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

test('naming a former employee in a task does not reveal them', async () => {
  const gone = await service.hire({ first_name: 'Gone', last_name: 'MARK-long-ago', hired_on: '2020-01-01' })
  await service.post(`/employees/${gone.id}/terminate`, { effective_from: '2029-01-01' })
  const key = await withRoles(report.id, 'employee')
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

test('a task about a candidate outside the access scope is shown without naming the candidate', async () => {
  const candidate = await service.make('/recruitment/candidates', { full_name: 'MARK Candidate' })
  const task = await service.make('/tasks', {
    name: 'Call back',
    employee_id: report.id,
    associated_to: { type: 'Candidate', id: candidate.id },
  })
  const key = await withRoles(boss.id, ...BOTH, 'hiring_manager')
  for (const path of ['/tasks', `/tasks/${task.id}`]) {
    const answer = await service.get(path, { key })
    assert.equal(answer.status, 200, answer.text)
    assert.ok(answer.text.includes('Call back') && !answer.text.includes('MARK'), answer.text)
  }
})

test("nobody extends their access scope by moving a department or becoming somebody's manager", async () => {
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

test("a user who may not manage somebody's access cannot erase that person", async () => {
  const above = await service.hire({ first_name: 'Olga', last_name: 'Owner', hired_on: '2028-01-01' })
  await enter(above.id, 'owner')
  const hr = await withRoles(report.id, 'hr')
  const refused = await service.delete(`/employees/${above.id}?erase=true`, { key: hr })
  assert.equal(refused.status, 403, refused.text)
  assert.equal(await status(service.get(`/employees/${above.id}`)), 200)
})

test('only a role that covers everybody can change knowledge base articles', async () => {
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

test('naming a leaver as a manager does not reveal their last day', async () => {
  const leaver = await service.hire({ hired_on: '2028-01-01', first_name: 'Lea', last_name: 'Leaver' })
  await service.post(`/employees/${leaver.id}/terminate`, { effective_from: '2030-09-01' })
  const key = await homeMade(boss.id, { permissions: ['employees:*'], scope: 'reports', sees: [] }, KNOWS_ALL)
  const named = (effective_from: string, by: object) =>
    service.send('PATCH', '/employees/bulk', {
      ...by,
      json: { data: [{ id: report.id, reporting_to_id: leaver.id }], effective_from },
      headers: { prefer: 'dry-run' },
    })
  const refused = async (day: string, by: object) => (await named(day, by)).text.includes('has left by')
  for (const by of [{ key }, {}])
    assert.deepEqual(
      [await refused('2030-08-31', by), await refused('2030-09-01', by)],
      [false, !('key' in by)],
      JSON.stringify(by),
    )
  assert.equal((await service.get(`/employees/${leaver.id}`, { key })).status, 404)
})
