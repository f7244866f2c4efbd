import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { connect } from '../../src/database/connect.ts'
import type { Operation } from '../../src/engine/operation.ts'
import { operations } from '../../src/operations.ts'
import { watchStatements } from '../gate/statements.ts'
import { ENGINE, type Service, startService } from '../harness.ts'
import { isThorough, oneEngineTest } from '../thorough.ts'

/** Each plan has a day and a word of its own, by which it is found in any answer. */
const DAYS = {
  position: '2031-03-03',
  status: '2031-03-04',
  salary: '2031-03-05',
  compensation: '2031-03-06',
  termination: '2031-03-07',
}
const SECRETS = [...Object.values(DAYS), 'Golden handshake', '31415.27', '27182.81']
const DAYS_AND_AMOUNTS = new RegExp(SECRETS.join('|'))
const MARKS = new RegExp([...SECRETS, 'Liquidator', 'Skeleton crew'].join('|'))
const LATER = '2031-12-31'

let now = new Date('2030-05-15T12:00:00Z')
let service: Service
let ada: number
let boss: number
/** Keys by who holds them. */
const keys: Record<string, string> = {}

async function keyOf(employee_id: number, ...standards: string[]): Promise<string> {
  const roles = (await service.get('/roles')).body.data
  const role_ids = standards.map((name) => roles.find((one: any) => one.standard === name).id)
  return (await service.make('/api_keys', { name: 'Key', permissions: ['*'], employee_id, role_ids })).key
}

const plans = {
  positions: { effective_from: DAYS.position },
  employment_statuses: { effective_from: DAYS.status, comment: 'Golden handshake' },
  salaries: { effective_on: DAYS.salary, amount: '31415.27', currency_code: 'EUR', per: 'year' },
  additional_compensations: { starts_on: DAYS.compensation, type: 'fixed', amount: '27182.81', currency_code: 'EUR' },
}
const made: Record<string, number> = {}

before(async () => {
  service = await startService({ clock: () => now })
  const hire = (first_name: string, more = {}) =>
    service.hire({ first_name, last_name: 'Tried', hired_on: '2028-01-01', ...more })
  boss = (await hire('Mary')).id
  const [before, then] = [
    await service.make('/departments', { name: 'Engines' }),
    await service.make('/departments', { name: 'Skeleton crew' }),
  ]
  ada = (await hire('Ada', { reporting_to_id: boss, department_id: before.id })).id
  const other = (await hire('Otto')).id
  await service.make(`/employees/${ada}/salaries`, { ...plans.salaries, effective_on: '2028-01-01', amount: '90000' })
  const position = await service.make('/positions', { name: 'Liquidator' })
  const type = await service.make('/compensation_types', { name: 'Bonus' })
  const more: Record<string, object> = {
    positions: { position_id: position.id, department_id: then.id, reporting_to_id: other },
    employment_statuses: { employment_type_id: (await service.make('/employment_types', { name: 'Part' })).id },
    additional_compensations: { compensation_type_id: type.id },
  }
  for (const [name, plan] of Object.entries(plans))
    made[name] = (await service.make(`/employees/${ada}/${name}`, { ...plan, ...more[name] })).id
  const ended = await service.post(`/employees/${ada}/terminate`, { effective_from: DAYS.termination })
  assert.equal(ended.status, 200, ended.text)
  keys.self = await keyOf(ada, 'employee')
  keys.manager = await keyOf(boss, 'manager', 'employee')
  keys.colleague = await keyOf(other, 'employee')
  keys.hr = await keyOf(other, 'hr')
  keys.program = await service.keyWith({ permissions: ['*'], withheld: ['planned'] })
})
after(() => service.stop())

/** Every question about Ada, and every list, as far as they need no other record; on a day to come where one can be named. */
function questions(): string[] {
  const about = (path: string) => path.replace(/\{(employee_id|id)\}/, String(ada))
  const asks = ({ query }: Operation, name: string) => name in query.properties
  return operations.flatMap((one) => {
    if (one.method !== 'GET' || one.attaches) return []
    const isAboutEmployees = /^\/(employees|directory)\//.test(one.path)
    const path = isAboutEmployees ? about(one.path) : one.path
    if (path.includes('{')) return []
    const more = [
      asks(one, 'as_of') ? `as_of=${LATER}` : '',
      asks(one, 'status') && one.path === '/employees' ? 'status=all' : '',
      asks(one, 'employee_id') ? `employee_id=${ada}` : '',
      asks(one, 'q') ? 'q=ada' : '',
    ]
    return [path, `${path}?${more.filter(Boolean).join('&')}`]
  })
}

async function tellsOfPlans(key: string | undefined): Promise<string[]> {
  const told: string[] = []
  for (const path of questions()) {
    const { text } = await service.get(path, key ? { key } : {})
    // That there are such departments and positions is no secret.
    if (/^\/(departments|positions|employment_types|compensation_types)\b/.test(path)) continue
    const mark = (/^\/(audits|changes)/.test(path) ? DAYS_AND_AMOUNTS : MARKS).exec(text)
    if (mark) told.push(`${path}: …${text.slice(Math.max(0, mark.index - 80), mark.index + 60)}…`)
  }
  return told
}

oneEngineTest('no response reveals a planned change to somebody who may not see it', async () => {
  // What is seen of a table is written into statements in one way; SQLite shows it for everybody.
  const others = ENGINE === 'sqlite' || isThorough ? ['manager', 'colleague'] : []
  for (const who of ['self', 'program', ...others]) assert.deepEqual(await tellsOfPlans(keys[who]), [], who)
})

oneEngineTest('roles that may see planned changes see them in every list and on every date', async () => {
  for (const key of [undefined, keys.hr]) {
    const told = (await tellsOfPlans(key)).join('\n')
    for (const [name, day] of Object.entries(DAYS)) assert.ok(told.includes(day), name)
  }
})

test("as_of a future date shows today's job to somebody who may not see planned changes", async () => {
  const seen = async (key: string | undefined, path: string) =>
    (await service.get(`/employees/${ada}${path}`, key ? { key } : {})).body.data
  for (const who of ['self', 'manager', 'program']) {
    const [today, later] = [await seen(keys[who], ''), await seen(keys[who], `?as_of=${LATER}`)]
    assert.equal(later.department.name, 'Engines', who)
    assert.equal(later.reporting_to.id, boss, who)
    assert.equal(later.status, 'employed', who)
    assert.equal(today.termination_effective_on, null, who)
  }
  assert.equal((await seen(undefined, `?as_of=${LATER}`)).status, 'terminated')
  const chart = (key: string | undefined) => service.get(`/org_chart?as_of=${LATER}`, key ? { key } : {})
  const shown = (await chart(keys.self)).body.data
  assert.equal(shown.as_of, '2030-05-15')
  assert.equal(shown.people.find((one: any) => one.id === ada).manager_id, boss)
  assert.equal((await chart(undefined)).body.data.as_of, LATER)
})

test('leave or time after an unannounced last day is not rejected because of it', async () => {
  const type = await service.make('/leave_types', { name: 'Time off' })
  const policy = await service.make('/leave_policies', { name: 'Usual', leave_type_id: type.id, floor: -100 })
  await service.make(`/employees/${ada}/leave_types`, {
    leave_type_id: type.id,
    leave_type_policy_id: policy.id,
    effective_on: '2029-01-01',
  })
  const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']
  const hours = Object.fromEntries(weekdays.map((day) => [`${day}_hours`, '8']))
  const pattern = await service.make('/working_patterns', { name: 'Full', ...hours })
  await service.put(`/employees/${ada}`, { working_pattern_id: pattern.id })
  const days = { starts_on: '2031-03-10', ends_on: '2031-03-11' }
  const body = { employee_id: ada, leave_type_id: type.id, ...days }
  const own = await service.post('/leave_requests', body, { key: keys.self })
  assert.doesNotMatch(own.text, /after_service|2031-03-07/)
  assert.equal(own.status, 201, own.text)
  const hr = await service.post('/leave_requests', { ...body, starts_on: '2031-03-12', ends_on: '2031-03-12' })
  assert.equal(hr.status, 422)
  assert.match(hr.text, /2031-03-07/)
})

test('somebody who may not see planned changes can neither create nor detect one', async () => {
  const role = await service.make('/roles', {
    name: 'Pays',
    grants: [
      { scope: 'everybody', permissions: ['employees:write', 'employees:read'], sees: ['compensation', 'personal'] },
    ],
  })
  const body = { name: 'Key', permissions: ['*'], employee_id: boss, role_ids: [role.id] }
  const { key } = await service.make('/api_keys', body)
  const path = `/employees/${ada}/salaries`
  assert.equal((await service.post(path, { ...plans.salaries, effective_on: '2031-05-05' }, { key })).status, 403)
  assert.equal((await service.put(`${path}/${made.salaries}`, { amount: '1' }, { key })).status, 404)
  assert.equal((await service.delete(`${path}/${made.salaries}`, { key })).status, 404)
  assert.equal((await service.get(`${path}/${made.salaries}/history`, { key })).status, 403)
  assert.equal((await service.post(path, { ...plans.salaries, effective_on: '2030-05-15' }, { key })).status, 201)
})

test('a write about a person with planned changes gives the same response as without them', async () => {
  const { id: role } = await service.make('/roles', {
    name: 'Writes',
    grants: [
      { scope: 'everybody', permissions: ['employees:write', 'employees:read'], sees: ['compensation', 'personal'] },
    ],
  })
  const body = { name: 'Key', permissions: ['*'], employee_id: boss, role_ids: [role] }
  const { key: byRole } = await service.make('/api_keys', body)
  const hired = { last_name: 'Compared', hired_on: '2028-01-01' }
  const [planned, plain] = [(await service.hire(hired)).id, (await service.hire(hired)).id]
  const type = (await service.get('/compensation_types')).body.data[0].id
  const bonus = { ...plans.additional_compensations, compensation_type_id: type }
  for (const [name, plan] of Object.entries({ ...plans, additional_compensations: bonus }))
    await service.make(`/employees/${planned}/${name}`, plan)
  assert.equal((await service.post(`/employees/${planned}/terminate`, { effective_from: LATER })).status, 200)
  const attempts: [string, string, object][] = [
    ...Object.entries({ ...plans, additional_compensations: bonus }).map(
      ([name, plan]) => ['POST', `/${name}`, plan] as [string, string, object],
    ),
    ['POST', '/positions', { effective_from: '2032-01-01' }],
    ['POST', '/salaries', { ...plans.salaries, effective_on: '2032-01-01' }],
    ['POST', '/activate', {}],
    ['POST', '/terminate', { effective_from: DAYS.termination }],
    ['POST', '/terminate', { effective_from: LATER }],
    ['POST', '/terminate', { effective_from: '2030-05-15' }],
    ['PUT', '', { hired_on: '2031-03-05' }],
    ['PUT', '', { hired_on: '2032-01-01' }],
    ['PUT', '', { job_title: 'Same' }],
    ['PUT', '', { department_id: (await service.get('/departments')).body.data[0].id }],
  ]
  for (const key of [byRole, keys.program])
    for (const [method, path, json] of attempts) {
      const answers = []
      for (const id of [planned, plain]) {
        const headers = { Prefer: 'dry-run' }
        const answer = await service.send(method, `/employees/${id}${path}`, { key: key as string, json, headers })
        answers.push([answer.status, answer.body.detail, answer.body.errors])
      }
      assert.deepEqual(answers[0], answers[1], `${method} ${path} ${JSON.stringify(json)}`)
    }
  // What others do that names them.
  const category = await service.make('/asset_categories', { name: 'Things', icon: 'fas fa-laptop' })
  const place = await service.make('/locations', { name: 'Store' })
  const thing = { name: 'Thing', code: 'T1', location_id: place.id, asset_category_id: category.id }
  const asset = (await service.make('/assets', thing)).id
  const { id: equips } = await service.make('/roles', {
    name: 'Equips',
    grants: [{ scope: 'everybody', permissions: ['assets:*', 'directory:read'], sees: [] }],
  })
  const equipping = { name: 'Key', permissions: ['*'], employee_id: boss, role_ids: [equips] }
  const { key: byAssets } = await service.make('/api_keys', equipping)
  const naming = (id: number): [string, object][] => [
    ['/asset_assignments', { asset_id: asset, user_id: id, issued_on: '2032-01-01' }],
    ['/employees', { last_name: 'New', first_name: 'New', hired_on: '2032-01-01', reporting_to_id: id }],
  ]
  for (const key of [byAssets, byRole, keys.program] as string[])
    for (const n of [0, 1]) {
      const answers = []
      for (const id of [planned, plain]) {
        const [path, json] = naming(id)[n] as [string, object]
        const answer = await service.post(path, json, { key, headers: { Prefer: 'dry-run' } })
        answers.push([answer.status, answer.body.detail, answer.body.errors])
      }
      assert.deepEqual(answers[0], answers[1], `POST ${naming(plain)[n]?.[0]}`)
    }
})

test('a future employee sees their first job and pay, and nothing planned for later', async () => {
  const { id: crew } = await service.make('/departments', { name: 'First crew' })
  const { id: later } = await service.make('/departments', { name: 'Later crew' })
  const begins = { first_name: 'Nils', last_name: 'Tried', hired_on: '2030-07-01', department_id: crew }
  const { id } = await service.hire(begins)
  const pay = { ...plans.salaries, amount: '1000' }
  await service.make(`/employees/${id}/salaries`, { ...pay, effective_on: '2030-07-01' })
  await service.make(`/employees/${id}/salaries`, { ...pay, effective_on: '2030-10-01' })
  await service.make(`/employees/${id}/positions`, { effective_from: '2030-09-01', department_id: later })
  const key = await keyOf(id, 'employee')
  const seen = async (path: string) => (await service.get(`/employees/${id}${path}`, { key })).body.data
  assert.deepEqual(
    (await seen('/salaries')).map((one: any) => one.effective_on),
    ['2030-07-01'],
  )
  const entries = await seen('/positions')
  assert.deepEqual(
    entries.map((one: any) => [one.effective_from, one.department.id]),
    [['2030-07-01', crew]],
  )
  assert.equal((await seen('?as_of=2030-09-02')).department.id, crew)
})

test('audits, feed and history do not reveal a planned change', async () => {
  const { id } = await service.hire({ last_name: 'Audited', hired_on: '2028-01-01' })
  const path = `/employees/${id}`
  const key = keys.program as string
  const about = async (sending = {}) => {
    const told = async (path: string) =>
      (await service.get(path, sending)).body.data.filter((one: any) => one.record_id === id).length
    const { data, metadata } = (await service.get(`${path}/history`, sending)).body
    return [
      await told('/audits?per_page=200'),
      await told('/changes?since=0&limit=1000&resources[]=employees'),
      data.length,
      metadata.count,
    ]
  }
  const before = await about({ key })
  assert.deepEqual(before.slice(1), [1, 1, 1])
  await service.make(`${path}/positions`, plans.positions)
  await service.make(`${path}/salaries`, plans.salaries)
  assert.equal((await service.post(`${path}/terminate`, { effective_from: LATER })).status, 200)
  assert.deepEqual(await about({ key }), before)
  assert.ok(Number((await about())[1]) > 1)
  await service.put(path, { first_name: 'Renamed' })
  assert.deepEqual((await about({ key })).slice(1), [2, 2, 2])
  assert.ok((await service.get('/audits', { key })).body.metadata.omitted.includes('employees'))
})

test('a planned value of a historical field is visible from its date on', async () => {
  const field = await service.make('/employee_fields', { name: 'Pay grade', type: 'text', historical: true })
  const { id } = await service.hire({ last_name: 'Graded', hired_on: '2028-01-01' })
  const key = await keyOf(id, 'employee')
  const enter = async (value: string, effective_on: string) => {
    const body = { employee_field_internal_name: field.internal_name, value, effective_on }
    const answer = await service.post(`/employees/${id}/field_histories`, body)
    assert.ok(answer.status < 300, answer.text)
  }
  await enter('Junior', '2029-01-01')
  await enter('Senior', '2030-09-01')
  const path = `/employees/${id}`
  const own = async (sending = {}) => {
    const { text } = await service.get(`${path}/field_histories`, sending)
    const then = (await service.get(`${path}?as_of=2030-09-02`, sending)).body.data.fields[field.internal_name].value
    return [text.includes('Junior'), text.includes('Senior'), then]
  }
  assert.deepEqual(await own({ key }), [true, false, 'Junior'])
  assert.deepEqual(await own(), [true, true, 'Senior'])
  now = new Date('2030-09-01T12:00:00Z')
  assert.deepEqual(await own({ key }), [true, true, 'Senior'])
  now = new Date('2030-05-15T12:00:00Z')
})

test('the changes of a dry run do not include a planned entry', async () => {
  const place = async (name: string) => (await service.make('/locations', { name })).id
  const [here, there] = [await place('Here'), await place('There')]
  const hired = { last_name: 'Followed', hired_on: '2028-01-01', location_id: here }
  const { id } = await service.hire(hired)
  const position = await service.make('/positions', { name: 'Next' })
  const path = `/employees/${id}/positions`
  const plan = await service.make(path, { ...plans.positions, position_id: position.id })
  const headers = { prefer: 'dry-run' }
  const tried = await service.send('PUT', `/employees/${id}`, {
    key: keys.program as string,
    json: { location_id: there },
    headers,
  })
  assert.equal(tried.status, 200, tried.text)
  const named = tried.body.changes.filter((one: any) => one.resource === 'employee_positions')
  assert.ok(!named.some((one: any) => one.record_id === plan.id), tried.text)
})

test('an announced change is visible from its announcement date, other changes from their own date', async () => {
  const salaries = async () =>
    (await service.get(`/employees/${ada}/salaries`, { key: keys.self })).body.data.map((one: any) => one.effective_on)
  const at = (path: string) => `/employees/${ada}/${path}`
  const late = await service.put(at(`salaries/${made.salaries}`), { announced_on: '2031-03-06' })
  assert.deepEqual([late.status, late.body.errors[0].code], [422, 'too_late'])
  await service.put(at(`salaries/${made.salaries}`), { announced_on: '2030-06-01' })
  await service.put(at(`positions/${made.positions}`), { announced_on: '2030-06-01' })
  assert.ok(!(await salaries()).includes(DAYS.salary))
  now = new Date('2030-06-01T12:00:00Z')
  assert.ok((await salaries()).includes(DAYS.salary))
  const later = await service.get(`/employees/${ada}?as_of=2031-03-03`, { key: keys.self })
  assert.equal(later.body.data.department.name, 'Skeleton crew')
  // The others still wait for their day.
  const compensations = async () =>
    (await service.get(at('additional_compensations'), { key: keys.self })).body.data.length
  assert.equal(await compensations(), 0)
  now = new Date(`${DAYS.compensation}T12:00:00Z`)
  assert.equal(await compensations(), 1)
})

test('a bulk change is visible to the people concerned from its announcement date', async () => {
  now = new Date('2030-05-15T12:00:00Z')
  const { id: crew } = await service.make('/departments', { name: 'New crew' })
  const { id } = await service.hire({ first_name: 'Nora', last_name: 'Tried', hired_on: '2028-01-01' })
  const key = await keyOf(id, 'employee')
  const bulk = (announced_on: string) =>
    service.send('PATCH', '/employees/bulk', {
      json: { effective_from: '2030-09-01', announced_on, data: [{ id, department_id: crew }] },
    })
  const refused = await bulk('2030-09-02')
  assert.equal(refused.status, 422, refused.text)
  assert.equal(refused.body.errors[0].field, 'announced_on')
  assert.equal((await bulk('2030-07-01')).status, 200)
  const seen = async () => (await service.get(`/employees/${id}?as_of=2030-10-01`, { key })).body.data.department?.id
  assert.equal(await seen(), undefined)
  now = new Date('2030-07-01T12:00:00Z')
  assert.equal(await seen(), crew)
})

test('an announced entry reveals nothing of an earlier unannounced one, and one entry applies each day', async () => {
  now = new Date('2030-05-15T12:00:00Z')
  const [open, secret] = [
    await service.make('/departments', { name: 'Open' }),
    await service.make('/departments', { name: 'Secret' }),
  ]
  const place = await service.make('/locations', { name: 'Announced' })
  const hired = { first_name: 'Ines', last_name: 'Tried', hired_on: '2028-01-01', department_id: open.id }
  const { id } = await service.hire(hired)
  const key = await keyOf(id, 'employee')
  await service.make(`/employees/${id}/positions`, { effective_from: '2030-09-01', department_id: secret.id })
  const told = { effective_from: '2030-10-01', announced_on: '2030-05-15', location_id: place.id }
  await service.make(`/employees/${id}/positions`, told)
  const seen = async () => {
    const { text, body } = await service.get(`/employees/${id}/positions`, { key })
    const in_force = async (department_id: number) =>
      (await service.get(`/employees?as_of=2030-10-02&department_id=${department_id}`, { key })).body.metadata.count
    return [text.includes('"Secret"'), body.data.length, await in_force(open.id), await in_force(secret.id)]
  }
  assert.deepEqual(await seen(), [false, 1, 1, 0])
  now = new Date('2030-09-01T12:00:00Z')
  assert.deepEqual(await seen(), [true, 3, 0, 1])
})

test('a termination cannot be announced after its date', async () => {
  now = new Date('2030-05-15T12:00:00Z')
  const { id } = await service.hire({ first_name: 'Olga', last_name: 'Tried', hired_on: '2028-01-01' })
  const late = { effective_from: '2030-09-01', announced_on: '2030-09-02' }
  const refused = await service.post(`/employees/${id}/terminate`, late)
  assert.deepEqual([refused.status, refused.body.errors?.[0]?.field], [422, 'announced_on'])
})

/** What the service does by itself when a day begins. */
async function beginDay(): Promise<void> {
  const config = { ...readConfig({}), LOG_LEVEL: 'silent' as const }
  const database = connect(service.databaseUrl)
  watchStatements(database)
  const app = await buildApp({ config, database, clock: () => now })
  await app.ready()
  await app.close()
}

test('granted leave does not reveal a planned change: its days are recalculated once the change is known', async () => {
  now = new Date('2030-05-15T12:00:00Z')
  const type = (await service.make('/leave_types', { name: 'Days off' })).id
  const policy = { name: 'Granted', leave_type_id: type, floor: -100 }
  const leave_type_policy_id = (await service.make('/leave_policies', policy)).id
  const half = (
    await service.make('/working_patterns', {
      name: 'Monday only',
      monday_hours: 8,
      tuesday_hours: 0,
      wednesday_hours: 0,
      thursday_hours: 0,
      friday_hours: 0,
    })
  ).id
  // Two weeks from a Monday on.
  const days = { starts_on: '2030-09-02', ends_on: '2030-09-13' }
  const granted = async (plan: (id: number) => Promise<unknown>) => {
    const { id } = await service.hire({ first_name: 'Lea', last_name: 'Tried', hired_on: '2028-01-01' })
    await service.make(`/employees/${id}/leave_types`, {
      leave_type_id: type,
      leave_type_policy_id,
      effective_on: '2030-01-01',
    })
    const asked = { employee_id: id, leave_type_id: type, ...days }
    const request = (await service.make('/leave_requests', asked)).id
    await plan(id)
    const late = { ...asked, starts_on: '2030-09-16', ends_on: '2030-09-17' }
    const key = await keyOf(id, 'employee')
    return {
      amount: async (isOwn = true) =>
        Number((await service.get(`/leave_requests/${request}`, isOwn ? { key } : {})).body.data.amount),
      ask: async () => (await service.post('/leave_requests', late, { key })).body.data?.amount,
    }
  }
  const leaves = (more: object) => (id: number) =>
    service.post(`/employees/${id}/terminate`, { effective_from: '2030-09-09', ...more })
  const secret = await granted(leaves({}))
  const announced = await granted(leaves({ announced_on: '2030-07-01' }))
  const parted = await granted((id) =>
    service.make(`/employees/${id}/employment_statuses`, { effective_from: '2030-09-09', working_pattern_id: half }),
  )
  const amounts = (isOwn = true) => Promise.all([secret, announced, parted].map(({ amount }) => amount(isOwn)))
  assert.deepEqual(await amounts(), [10, 10, 10])
  assert.equal(Number(await secret.ask()), 2)
  now = new Date('2030-07-01T12:00:00Z')
  await beginDay()
  assert.deepEqual(await amounts(), [10, 5, 10])
  now = new Date('2030-09-09T12:00:00Z')
  await beginDay()
  assert.deepEqual(await amounts(false), [5, 5, 6])
})
