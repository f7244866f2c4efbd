import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { digestLedger } from './fixtures/fixture.ts'
import { type Service, startService } from './harness.ts'

let service: Service
let ada: number
before(async () => {
  service = await startService()
  ada = (await service.post('/employees', { first_name: 'Ada', last_name: 'Lovelace', date_of_birth: '1990-12-10' }))
    .body.data.id
  for (let n = 1; n <= 60; n++) await service.post('/divisions', { name: `Division ${n}` })
})
after(() => service.stop())

test('every change is in the audits, newest first, with record type, id and actor', async () => {
  const { key } = (await service.post('/api_keys', { name: 'Of Ada', permissions: ['*'], employee_id: ada })).body.data
  await service.put('/divisions/1', { name: 'Renamed' }, { key })
  await service.delete('/divisions/2', { key })
  const { body } = await service.get('/audits')
  const [deleted, renamed] = body.data
  assert.deepEqual([deleted.event, deleted.record_type, deleted.record_id], ['delete', 'Division', 2])
  assert.deepEqual([renamed.event, renamed.record_type, renamed.record_id], ['update', 'Division', 1])
  assert.equal(renamed.employee.full_name, 'Ada Lovelace')
  assert.match(renamed.id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(body.data.at(-1).employee, null)
})

test('an audit entry of a nameless record is named after its owner or first reference', async () => {
  const entry = await service.post('/time/timesheet_entries', {
    employee_id: ada,
    starts_at: '2024-05-06T08:00:00Z',
    ends_at: '2024-05-06T09:00:00Z',
  })
  assert.equal(entry.status, 201, entry.text)
  await service.delete(`/time/timesheet_entries/${entry.body.data.id}`)
  const names = async (key?: string) =>
    (await service.get('/audits?record_type=TimesheetEntry', key ? { key } : {})).body.data.map((one: any) => one.name)
  assert.deepEqual(await names(), ['Ada Lovelace', 'Ada Lovelace'])
  const { key } = (await service.post('/api_keys', { name: 'Time', permissions: ['audits:read', 'time:read'] })).body
    .data
  assert.deepEqual(await names(key), [null, null])
})

test('paging through the audits returns every change once, in either order', async () => {
  const idsOf = async (query: string) => {
    const seen: string[] = []
    for (let page = 1, pages = 1; page <= pages; page++) {
      const { body } = await service.get(`/audits?page=${page}&${query}`)
      pages = body.metadata.pages
      seen.push(...body.data.map((one: any) => one.id))
    }
    return seen
  }
  const down = await idsOf('per_page=7')
  const { entries } = await digestLedger(service.database)
  assert.deepEqual([down.length, new Set(down).size], [entries, entries])
  assert.deepEqual(await idsOf('per_page=7&sort=created_at'), down.toReversed())
  assert.deepEqual(await idsOf('per_page=20&created_at[gt]=0'), down)
  assert.deepEqual(await idsOf('created_at[gt]=4102444800'), [])
})

test('audits hide the actor without employees:read, and hide field groups', async () => {
  const auditor = await service.keyWith({ permissions: ['audits:read', 'organisation:read'] })
  const told = (await service.get('/audits', { key: auditor })).body
  assert.ok(told.data.every((one: any) => one.employee === null))
  // What happened to kinds of records that the key may not read is nobody's business but theirs.
  assert.ok(told.data.some((one: any) => one.record_type === 'Division'))
  assert.ok(!told.data.some((one: any) => /Employee|ApiKey/.test(one.record_type)))
  const whole = (await service.get('/audits')).body.metadata.count
  assert.ok(told.metadata.count < whole)
  const partly = await service.keyWith({
    permissions: ['audits:read', 'employees:read', 'organisation:read'],
    withheld: ['personal'],
  })
  const answer = await service.get('/audits', { key: partly })
  assert.ok(!answer.text.includes('1990-12-10'))
  assert.match(answer.headers.get('cadre-omitted') ?? '', /personal/)
  const other = await service.keyWith({ permissions: ['employees:*'] })
  assert.equal((await service.get('/audits', { key: other })).status, 403)
})

test('audits are filtered by record, actor, employee, operation, request and time, combined', async () => {
  const made = await service.post('/api_keys', { name: 'Of Ada too', permissions: ['*'], employee_id: ada })
  const { key, id } = made.body.data
  const renamed = await service.put('/divisions/5', { name: 'Five' }, { key })
  await service.delete('/divisions/6', { key })
  const asked = async (query: string, sent = service.key) => {
    const { status, body, text } = await service.get(`/audits?${query}`, { key: sent })
    assert.equal(status, 200, text)
    assert.equal(body.metadata.count, body.data.length)
    return body.data.map((one: any) => `${one.event} ${one.record_type} ${one.record_id}`)
  }
  const five = ['update Division 5', 'create Division 5']
  assert.deepEqual(await asked('record_type=Division&record_id=5'), five)
  assert.deepEqual(await asked('record_type=divisions&record_id=5'), five)
  assert.deepEqual(await asked(`actor=key:${id}`), ['delete Division 6', 'update Division 5'])
  assert.deepEqual(await asked(`employee_id=${ada}&record_type=Division&record_id=5`), ['update Division 5'])
  assert.deepEqual(await asked(`actor=key:${id}&operation=deleteDivision`), ['delete Division 6'])
  assert.deepEqual(await asked(`request_id=${renamed.headers.get('x-request-id')}`), ['update Division 5'])
  assert.deepEqual(await asked(`actor=key:${id}&created_at[gt]=4102444800`), [])
  assert.ok((await asked('actor=command_line&operation=createApiKey')).includes('create ApiKey 1'))
  const oldest = await asked(`actor=key:${id}&sort=created_at`)
  assert.deepEqual(oldest, ['update Division 5', 'delete Division 6'])
})

test('invalid audit filters are rejected with the valid values, and forbidden record types with 403', async () => {
  for (const [query, says] of [
    ['record_type=Nonsense', /Division/],
    ['record_type=', /Division/],
    ['record_id=5', /record_type is required/],
    ['actor=ada', /key:<id>, person:<id> or one of command_line, anybody, system/],
    ['actor=key:', /key:<id>/],
    ['operation=nonsense', /createDivision/],
    ['employee_id=x', /employee_id/],
    ['record_type=Division&record_id=0', /record_id/],
    ['request_id=', /request_id cannot be blank/],
  ] as const) {
    const { status, body } = await service.get(`/audits?${query}`)
    assert.equal(status, 400, query)
    assert.match(body.detail, says, query)
  }
  const auditor = await service.keyWith({ permissions: ['audits:read', 'organisation:read'] })
  for (const query of ['record_type=Employee', `employee_id=${ada}`, `actor=person:${ada}`, 'record_type=ApiKey'])
    assert.equal((await service.get(`/audits?${query}`, { key: auditor })).status, 403, query)
  const unpaid = await service.keyWith({ permissions: ['*'], withheld: ['compensation'] })
  assert.equal((await service.get('/audits?record_type=Salary', { key: unpaid })).status, 403)
})

test('all errors of a query are reported at once', async () => {
  for (const [query, fields] of [
    ['/audits?actor=foo&record_id=1&operation=nope&created_at[gte]=x', 'actor created_at[gte] operation record_type'],
    ['/audits?record_type=Nope&employee_id=x&request_id=', 'employee_id record_type request_id'],
    ['/reads?actor=foo&record_id=1&operation=nope&created_at[gte]=x', 'actor created_at[gte] operation resource'],
    ['/reads?resource=salaries&parts=true&sort=x', 'record_id sort'],
  ] as const) {
    const { status, body } = await service.get(query)
    assert.equal(status, 400, query)
    assert.equal(
      body.errors
        .map((one: any) => one.field)
        .toSorted()
        .join(' '),
      fields,
    )
  }
})

test('an audit entry has the same number and actor as the change feed', async () => {
  const { data } = (await service.get('/audits?per_page=5')).body
  for (const one of data) {
    const [change] = (await service.get(`/changes?since=${one.number - 1}&limit=1`)).body.data
    assert.deepEqual([one.number, one.actor, one.record_id], [change.number, change.actor, change.record_id])
  }
})

test('records of hidden field groups are neither listed nor counted, and the omission is named', async () => {
  const folder = await service.make('/document_folders', { name: 'Pay slips', protection: 'compensation' })
  const open = await service.make('/document_folders', { name: 'Open' })
  const key = await service.keyWith({ permissions: ['*'], withheld: ['compensation'] })
  /** What a new document in a folder adds to what the key is told. */
  const toldOf = async (folderId: number) => {
    const count = async (query: string) => (await service.get(`/audits?${query}`, { key })).body.metadata.count
    const all = async () => [await count(''), await count('created_at[gte]=0')]
    const before = await all()
    const link = { name: 'Link', url: 'https://example.com/x', document_folder_id: folderId }
    const made = await service.post(`/employees/${ada}/documents`, link)
    const grown = (await all()).map((n, at) => n - (before[at] as number))
    return { id: made.body.data.id, told: [...grown, await count(`request_id=${made.headers.get('x-request-id')}`)] }
  }
  const hidden = await toldOf(folder.id)
  assert.deepEqual(hidden.told, (await toldOf(open.id)).told)
  for (const query of [`record_type=EmployeeDocument&record_id=${hidden.id}`, 'record_type=employee_table_rows'])
    assert.equal((await service.get(`/audits?${query}`, { key })).status, 403, query)
  const kinds = ['employee_documents', 'employee_table_rows', 'employee_table_values', 'employee_field_values']
  for (const path of [
    '/audits?per_page=200',
    '/audits?operation=createSalary',
    '/reads',
    '/reads?operation=getSalary',
  ]) {
    const { body, headers } = await service.get(path, { key })
    assert.match(headers.get('cadre-omitted') ?? '', /compensation/, path)
    for (const kind of [...kinds, 'salaries']) assert.ok(body.metadata.omitted.includes(kind), `${path} ${kind}`)
    assert.ok(
      !body.data.some((one: any) => /EmployeeDocument|Table(Row|Value)|FieldValue|Salary/.test(one.record_type)),
    )
  }
  assert.deepEqual((await service.get('/audits?record_type=Division', { key })).body.metadata.omitted, [])
  assert.deepEqual((await service.get('/audits')).body.metadata.omitted, [])
})
