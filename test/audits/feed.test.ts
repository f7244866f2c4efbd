import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import { createKey } from '../../src/domain/access/accounts.ts'
import type { Operation } from '../../src/engine/operation.ts'
import { operations, resources } from '../../src/operations.ts'
import { openService } from '../../src/service.ts'
import { type Service, startService } from '../harness.ts'
import { Samples } from '../samples.ts'
import { type Listening, listen } from './listen.ts'

let service: Service
let address: string
before(async () => {
  service = await startService()
  address = `${service.url}/api/public/v3`
})
after(() => service.stop())

/** The answer to a request for changes, which must succeed. */
async function changes(query = '', key = service.key): Promise<any> {
  const { status, body, text } = await service.get(`/changes?${query}`, { key })
  assert.equal(status, 200, text)
  return body
}

/** Every change after a number that a key is shown, whatever the size of the answers. */
async function allChanges(query: string, key = service.key, since = 0): Promise<any[]> {
  const all: any[] = []
  for (let last = since; ; ) {
    const { data, metadata } = await changes(`since=${last}&${query}`, key)
    all.push(...data)
    assert.ok(!metadata.more || metadata.last > last)
    last = metadata.last
    if (!metadata.more) return all
  }
}

const lastNumber = async () => Number((await service.get('/genders')).headers.get('cadre-ledger'))

test('the feed returns every change once, in order and without gaps, at any page size', async () => {
  const since = await lastNumber()
  const { id } = await service.make('/divisions', { name: 'First' })
  await service.put(`/divisions/${id}`, { name: 'Second' })
  await service.delete(`/divisions/${id}`)
  const end = await lastNumber()
  assert.equal(end, since + 3)
  const [made, changed, gone] = (await changes(`since=${since}`)).data
  assert.deepEqual(
    [made.action, made.resource, made.record_id, made.before, made.after.name, made.fields],
    ['create', 'divisions', id, null, 'First', ['name']],
  )
  assert.deepEqual(
    [changed.action, changed.before.name, changed.after.name, changed.fields],
    ['update', 'First', 'Second', ['name']],
  )
  assert.deepEqual([gone.action, gone.before.name, gone.after], ['delete', 'Second', null])
  assert.deepEqual(
    [made.operation, changed.operation, gone.operation],
    ['createDivision', 'updateDivision', 'deleteDivision'],
  )
  assert.deepEqual([made.actor.kind, made.actor.name], ['key', 'All'])
  for (const limit of [1, 7, 1000])
    assert.deepEqual(
      (await allChanges(`limit=${limit}`)).map(({ number }) => number),
      Array.from({ length: end }, (_, n) => n + 1),
    )
  const { hash: _, ...position } = (await changes(`since=${end}`)).metadata
  assert.deepEqual(position, { last: end, more: false, omitted: [] })
})

test('the feed filters by resource and record id, and its position moves past filtered changes', async () => {
  const since = await lastNumber()
  const [a, b] = [await service.make('/divisions', { name: 'A' }), await service.make('/divisions', { name: 'B' })]
  const person = await service.hire()
  const end = await lastNumber()
  const ofDivisions = await changes(`since=${since}&resources[]=divisions`)
  assert.deepEqual(
    ofDivisions.data.map((one: any) => one.record_id),
    [a.id, b.id],
  )
  const { hash: _, ...position } = ofDivisions.metadata
  assert.deepEqual(position, { last: end, more: false, omitted: [] })
  const first = await changes(`since=${since}&resources[]=divisions&resources[]=employees&limit=2`)
  assert.deepEqual([first.data.length, first.metadata.last, first.metadata.more], [2, since + 2, true])
  const both = await allChanges('resources[]=divisions&resources[]=employees&limit=2', service.key, since)
  assert.deepEqual(
    both.map((one) => [one.resource, one.record_id]),
    [
      ['divisions', a.id],
      ['divisions', b.id],
      ['employees', person.id],
    ],
  )
  const ofB = await changes(`resources[]=divisions&record_id=${b.id}`)
  assert.deepEqual(
    ofB.data.map((one: any) => one.after.name),
    ['B'],
  )
})

test('the feed shows custom field values and table cells as the API does', async () => {
  const kinds = [
    ['words', 'text', 'Hello', 'Hello'],
    ['figure', 'number', '12.50', 12.5],
    ['agreed', 'boolean', false, false],
    ['size', 'single_select', 'M', 'M'],
    ['sizes', 'multi_select', ['M', 'L'], ['M', 'L']],
  ] as const
  const buddy = await service.hire()
  const sent = { ...Object.fromEntries(kinds.map(([name, , value]) => [name, value])), friend: buddy.id }
  const shown = { ...Object.fromEntries(kinds.map(([name, , , value]) => [name, value])), friend: buddy.id }
  const definitions = [...kinds.map(([name, type]) => ({ name, type })), { name: 'friend', type: 'employee' }]
  const define = async (path: string) => {
    const ids = new Map<number, string>()
    for (const one of definitions) {
      const { id } = await service.make(path, {
        ...one,
        ...(one.type.endsWith('select') ? { options: ['M', 'L'] } : {}),
      })
      ids.set(id, one.name)
    }
    return ids
  }
  const person = await service.hire()
  const candidate = await service.make('/recruitment/candidates', { full_name: 'Grace Hopper' })
  for (const [fields, path, values, via] of [
    ['/employee_fields', `/employees/${person.id}`, 'employee_field_values', 'employee_field_id'],
    [
      '/recruitment/candidate_fields',
      `/recruitment/candidates/${candidate.id}`,
      'candidate_field_values',
      'candidate_field_id',
    ],
  ] as const) {
    const names = await define(fields)
    const since = await lastNumber()
    const told = (data: any[]) =>
      Object.fromEntries(
        data
          .filter(({ resource }) => resource === values)
          .map(({ after, before }) => [names.get((after ?? before)[via]), (after ?? before).value]),
      )
    const { body } = await service.send('PUT', path, { json: sent, headers: { Prefer: 'dry-run' } })
    assert.deepEqual(told(body.changes ?? assert.fail(JSON.stringify(body))), shown)
    assert.equal((await service.put(path, sent)).status, 200)
    const made = (await changes(`since=${since}&resources[]=${values}`)).data
    assert.deepEqual(told(made), shown)
    if (values === 'employee_field_values') assert.ok(made.every(({ after }: any) => after.effective_from === null))
    await service.put(path, { size: 'L' })
    const [change] = (await changes(`since=${made.at(-1).number}&resources[]=${values}`)).data
    assert.deepEqual([change.before.value, change.after.value], ['M', 'L'])
  }
  const table = await service.make('/employee_tables', { name: 'Told', internal_name: 'told' })
  await define(`/employee_tables/${table.id}/columns`)
  const since = await lastNumber()
  const row = await service.make(`/employees/${person.id}/tables/${table.id}/rows`, { columns: sent })
  const cells = (await changes(`since=${since}&resources[]=employee_table_values`)).data.map(
    ({ after }: any) => after.value,
  )
  assert.deepEqual(new Set(cells), new Set(Object.values({ ...row.columns, friend: buddy.id })))
  // So it is when the row goes, which a dry run does not tell the ledger.
  const place = `/employees/${person.id}/tables/${table.id}/rows/${row.id}`
  const end = await lastNumber()
  const deleted = (data: any[]) =>
    new Set(data.filter(({ resource }) => resource === 'employee_table_values').map(({ before }) => before.value))
  const wouldGo = await service.send('DELETE', place, { headers: { Prefer: 'dry-run' } })
  assert.deepEqual(deleted(wouldGo.body.changes ?? assert.fail(wouldGo.text)), new Set(cells))
  assert.equal((await service.delete(place)).status, 204)
  assert.deepEqual(deleted((await changes(`since=${end}`)).data), new Set(cells))
})

test('the feed names stored values differently from computed values in lists', async () => {
  const since = await lastNumber()
  const kpi = await service.make('/performance/key_performance_indicators', {
    title: 'Won',
    metric: 'number',
    kpi_type: 'company',
    start_value: 0,
    target_value: 10,
  })
  const { id } = await service.hire()
  const type = await service.make('/leave_types', { name: 'Away' })
  const policy = await service.make('/leave_policies', { name: 'Away', leave_type_id: type.id })
  const assigned = { leave_type_id: type.id, leave_type_policy_id: policy.id }
  const path = `/employees/${id}/leave_types`
  const first = await service.make(path, { ...assigned, effective_on: '2026-01-01' })
  await service.make(path, { ...assigned, effective_on: '2026-07-01' })
  const shown = (await service.get(`${path}/${first.id}`)).body.data
  assert.equal(shown.ends_on, '2026-06-30')
  assert.ok(kpi.status)
  const told = async (kind: string, record: number) => {
    const all = await allChanges(`resources[]=${kind}&record_id=${record}`, service.key, since)
    return all.filter(({ action }) => action === 'create').map(({ after }) => after)
  }
  const [made] = await told('employee_leave_types', first.id)
  assert.deepEqual([made.ends_on, made.ends_on_set], [undefined, null])
  const [indicator] = await told('key_performance_indicators', kpi.id)
  assert.deepEqual([indicator.status, indicator.status_set], [undefined, null])
})

test('a record has the same id everywhere in the feed and can be filtered by it', async () => {
  const samples = new Samples(service)
  const answer = operations.find(({ id }) => id === 'getReviewAnswer') as Operation
  const place = await samples.params(answer)
  const { number, record_id, after } = (await allChanges('resources[]=review_answers')).at(-1)
  assert.deepEqual([record_id, after.id], [Number(place.id), Number(place.id)])
  const found = await allChanges(`resources[]=review_answers&record_id=${record_id}`)
  assert.deepEqual(
    found.map((one) => one.number),
    [number],
  )
})

test('the feed rejects invalid parameters and forbidden resources with a helpful message', async () => {
  const end = await lastNumber()
  for (const [query, status, words] of [
    ['since=-1', 400, /since/],
    ['since=soon', 400, /since/],
    ['since=', 400, /since/],
    [`since=${end + 1}`, 400, new RegExp(`since must be at most ${end}, the last change number`)],
    ['limit=0', 400, /limit/],
    ['limit=1001', 400, /limit/],
    ['wait=61', 400, /wait/],
    ['wait=-1', 400, /wait/],
    ['wait[a]=1', 400, /wait/],
    ['wait[]=1', 400, /wait/],
    ['resources=', 400, /resources/],
    ['resources[]=', 400, /resources/],
    ['resources[]=people', 400, /must be one of .*employees.*salaries/],
    ['record_id=7', 400, /resources is required/],
    ['resources[]=employees&record_id=0', 400, /record_id/],
    ['employee_id=7', 400, /employee_id/],
  ] as const) {
    const { status: got, body } = await service.get(`/changes?${query}`)
    assert.equal(got, status, query)
    assert.match(body.detail, words)
  }
  const key = await service.keyWith({ permissions: ['audits:read', 'employees:read'], withheld: ['compensation'] })
  for (const [kind, words] of [
    ['tasks', /tasks:read/],
    ['salaries', /salaries, because the field group compensation is hidden/],
  ] as const) {
    const { status, body } = await service.get(`/changes?resources[]=employees&resources[]=${kind}`, { key })
    assert.equal(status, 403)
    assert.match(body.detail, words)
  }
  const blind = await service.keyWith({ permissions: ['employees:*'] })
  assert.equal((await service.get('/changes', { key: blind })).status, 403)
})

test('the feed omits and lists resources that a key may not read, and is complete for the rest', async () => {
  const key = await service.keyWith({ permissions: ['audits:read', 'organisation:read'], withheld: ['notes'] })
  const since = await lastNumber()
  const division = await service.make('/divisions', { name: 'Seen' })
  await service.hire()
  const answer = await service.get(`/changes?since=${since}`, { key })
  assert.deepEqual(
    answer.body.data.map((one: any) => [one.number, one.resource, one.record_id]),
    [[since + 1, 'divisions', division.id]],
  )
  const { omitted, last } = answer.body.metadata
  assert.ok(omitted.includes('employees') && omitted.includes('employee_notes') && !omitted.includes('divisions'))
  assert.equal(last, await lastNumber())
  assert.equal(answer.headers.get('cadre-omitted'), 'notes')
  const seen = resources.map(({ table }) => table).filter((table) => !omitted.includes(table))
  const all = await allChanges('limit=1000')
  for (const limit of [3, 1000])
    assert.deepEqual(
      (await allChanges(`limit=${limit}`, key)).map(({ number }) => number),
      all.filter(({ resource }) => seen.includes(resource)).map(({ number }) => number),
    )
})

test('each account has its own change numbers and changes', async () => {
  const other = await service.otherAccount()
  const since = Number((await service.get('/genders', { key: other.key })).headers.get('cadre-ledger'))
  await service.make('/divisions', { name: 'Ours' })
  await service.post('/divisions', { name: 'Theirs' }, { key: other.key })
  const { data } = await changes(`since=${since}`, other.key)
  assert.deepEqual(
    data.map((one: any) => one.after.name),
    ['Theirs'],
  )
})

test('the feed handles HEAD, If-None-Match and Accept like other lists', async () => {
  const whole = await service.get('/changes?limit=3', {
    headers: { accept: 'text/event-stream;q=0.5, application/json' },
  })
  assert.match(whole.headers.get('content-type') ?? '', /json/)
  assert.match(whole.headers.get('vary') ?? '', /Accept\b/)
  const tag = whole.headers.get('etag') as string
  assert.equal((await service.get('/changes?limit=3', { headers: { 'if-none-match': tag } })).status, 304)
  for (const accept of ['*/*', 'text/event-stream', 'text/html']) {
    const head = await service.send('HEAD', '/changes?limit=3', { headers: { accept } })
    assert.deepEqual([head.status, head.text, head.headers.get('etag')], [200, '', tag])
  }
})

/** Resolves once the service has looked into the ledger for somebody, and has nothing to do but to wait. */
const hasLooked = () =>
  new Promise<void>((resolve) => {
    service.database.onStatement = (statement) => {
      if (!statement.includes('from "ledger"')) return
      service.database.onStatement = undefined
      resolve()
    }
  })

/** Begins to wait for changes, and resolves when it does. */
async function waitFor(query: string, key = service.key) {
  const looked = hasLooked()
  const answer = service.get(`/changes?${query}`, { key })
  await looked
  return { answer }
}

const names = (data: any[]) => data.map((one) => one.after.name)

test('a waiting request returns when this or another process commits a change', async () => {
  const since = await lastNumber()
  const first = await waitFor(`since=${since}&wait=60`)
  const statements: string[] = []
  service.database.onStatement = (statement) => void statements.push(statement)
  await service.make('/divisions', { name: 'News' })
  assert.deepEqual(names((await first.answer).body.data), ['News'])
  service.database.onStatement = undefined
  assert.ok(
    !statements.some((one) => one.startsWith('select "id", "ledger_no"')),
    'it is told, and need not be looked for',
  )

  const second = await waitFor(`since=${since + 1}&wait=60`)
  // Another service on the same database tells this one nothing.
  const elsewhere = connect(service.databaseUrl)
  await createKey(openService({ database: elsewhere, filesAt: '' }).ledger, service.account, { name: 'Elsewhere' })
  await elsewhere.close()
  const { body } = await second.answer
  assert.deepEqual([names(body.data), body.metadata.last], [['Elsewhere'], since + 2])
  assert.deepEqual(names((await changes(`since=${since}&wait=60`)).data), ['News', 'Elsewhere'])
})

test('a hidden change does not end the wait, but the position moves past it', async () => {
  const key = await service.keyWith({ permissions: ['audits:read', 'organisation:read'] })
  const since = await lastNumber()
  const { answer } = await waitFor(`since=${since}&wait=60`, key)
  await service.hire()
  await service.make('/divisions', { name: 'Seen at last' })
  const { body } = await answer
  assert.deepEqual([names(body.data), body.metadata.last], [['Seen at last'], await lastNumber()])

  const again = await waitFor(`since=${body.metadata.last}&wait=1`, key)
  await service.hire()
  const late = (await again.answer).body
  assert.deepEqual([late.data, late.metadata.last], [[], await lastNumber()])
})

test('a waiting or streaming key that is revoked or restricted receives nothing more', async () => {
  const made = await service.make('/api_keys', {
    name: 'Short-lived',
    permissions: ['audits:read', 'organisation:read'],
  })
  const since = await lastNumber()
  const stream = await listen(`${address}/changes?since=${since}`, { 'x-api-key': made.key })
  await stream.until(({ id }) => id !== undefined)
  const narrowed = await waitFor(`since=${since}&wait=60`, made.key)
  await service.put(`/api_keys/${made.id}`, { permissions: ['organisation:read'] })
  const { status, body } = await narrowed.answer
  assert.deepEqual([status, body.detail], [403, 'This API key does not have the permission audits:read.'])
  const last = await stream.next()
  assert.deepEqual([last?.event, last?.data.status, last?.data.type], ['problem', 403, '/problems/forbidden'])
  assert.equal(await stream.next(), undefined)

  await service.put(`/api_keys/${made.id}`, { permissions: ['audits:read'] })
  const revoked = await waitFor(`since=${since}&wait=60`, made.key)
  await service.delete(`/api_keys/${made.id}`)
  assert.equal((await revoked.answer).status, 401)
  assert.equal((await listen(`${address}/changes`, { 'x-api-key': made.key })).status, 401)
})

test('a key that expires during a wait is rejected', async () => {
  const made = await service.make('/api_keys', { name: 'Until now', permissions: ['audits:read'] })
  const waiting = await waitFor(`since=${await lastNumber()}&wait=1`, made.key)
  const ended = { expires_at: '2020-01-01T00:00:00.000Z' }
  await service.database.write((sql) => sql.updateTable('api_keys').set(ended).where('id', '=', made.id).execute())
  assert.equal((await waiting.answer).status, 401)
})

test('a single change looks as in the feed, and is 404 for a key that may not see it', async () => {
  const since = await lastNumber()
  await service.make('/divisions', { name: 'One' })
  const folder = await service.make('/document_folders', { name: 'Hidden', protection: 'compensation' })
  const { id } = await service.hire()
  const link = { name: 'Slip', url: 'https://example.com/x', document_folder_id: folder.id }
  await service.make(`/employees/${id}/documents`, link)
  const all = (await changes(`since=${since}`)).data
  const key = await service.keyWith({ permissions: ['audits:read', 'employees:read'], withheld: ['compensation'] })
  const seen = (await changes(`since=${since}`, key)).data
  for (const change of all) {
    assert.deepEqual((await service.get(`/changes/${change.number}`)).body.data, change)
    const told = await service.get(`/changes/${change.number}`, { key })
    const own = seen.find((one: any) => one.number === change.number)
    assert.deepEqual([told.status, told.body.data], own ? [200, own] : [404, undefined], change.resource)
  }
  assert.ok(!seen.some((one: any) => ['divisions', 'employee_documents'].includes(one.resource)) && seen.length > 0)
  for (const [number, status] of [
    ['0', 400],
    ['x', 400],
    [(await lastNumber()) + 1, 404],
    ['99999999999999999999', 404],
  ])
    assert.equal((await service.get(`/changes/${number}`)).status, status)
})

test('the feed lists resources with possibly hidden records, whether any are hidden or not', async () => {
  const key = await service.keyWith({ permissions: ['*'], withheld: ['compensation'] })
  const since = await lastNumber()
  const { omitted } = (await changes(`since=${since}`, key)).metadata
  assert.ok(omitted.includes('employee_documents') && omitted.includes('salaries') && !omitted.includes('divisions'))
  const asked = await changes(`since=${since}&resources[]=employee_documents&resources[]=divisions`, key)
  assert.deepEqual(asked.metadata.omitted, ['employee_documents'])
  const stream = await listen(`${address}/changes?since=${since}`, { 'x-api-key': key })
  const told = await stream.until(({ event }) => event === 'omitted')
  assert.deepEqual(told.data, omitted)
  stream.hangUp()
})

test('the event stream sends the same changes and resumes after Last-Event-ID', async () => {
  const key = await service.keyWith({ permissions: ['audits:read', 'organisation:read'], withheld: ['notes'] })
  const since = await lastNumber()
  await service.make('/divisions', { name: 'Before' })
  const hears = (headers: object) => listen(`${address}/changes?since=${since}`, { 'x-api-key': key, ...headers })
  const stream = await hears({ accept: 'application/json;q=0.1, text/event-stream', 'accept-encoding': 'gzip, br' })
  assert.equal(stream.status, 200)
  const { 'content-type': type, 'cache-control': cache, 'content-encoding': encoding, vary } = stream.headers
  assert.deepEqual([type, cache, encoding], ['text/event-stream; charset=utf-8', 'no-store', undefined])
  assert.match(String(vary), /Accept\b/)
  assert.deepEqual([stream.headers['x-accel-buffering'], stream.headers['cadre-omitted']], ['no', 'notes'])
  assert.ok(stream.headers['x-request-id'])
  const next = async () => {
    const one = await stream.next()
    return [one?.event, one?.id, one?.data?.after?.name]
  }
  assert.deepEqual(await next(), ['retry', undefined, undefined])
  assert.ok((await stream.next())?.data.includes('employees'), 'what is cut is named')
  assert.deepEqual(await next(), ['change', `${since + 1}`, 'Before'])
  // What is cut moves the position on, and is no event.
  await service.hire()
  const hired = await lastNumber()
  assert.deepEqual(await next(), ['id', `${hired}`, undefined])
  await service.make('/divisions', { name: 'During' })
  assert.deepEqual(await next(), ['change', `${hired + 1}`, 'During'])
  stream.hangUp()
  await service.make('/divisions', { name: 'Meanwhile' })
  const resumed = await hears({ 'last-event-id': `${hired + 1}` })
  await resumed.next()
  await resumed.next()
  assert.deepEqual((await resumed.next())?.data.after.name, 'Meanwhile')
  resumed.hangUp()
  for (const id of ['soon', '-1', '1.5', '9'.repeat(16)])
    assert.equal((await hears({ 'last-event-id': id })).status, 400)
  const beyond = await hears({ 'last-event-id': '999999' })
  assert.deepEqual([beyond.status, beyond.headers['content-type']], [400, 'application/problem+json; charset=utf-8'])
  const fresh = await hears({ 'last-event-id': '' })
  await fresh.next()
  await fresh.next()
  assert.equal((await fresh.next())?.data.after.name, 'Before')
  fresh.hangUp()
})

test('a key may have 20 open waits or streams, and closing one frees its place', async () => {
  const key = await service.keyWith({ permissions: ['audits:read'] })
  const headers = { 'x-api-key': key }
  const end = await lastNumber()
  const hears = () => listen(`${address}/changes`, headers)
  const streams = await Promise.all(Array.from({ length: 19 }, hears))
  assert.ok(streams.every(({ status }) => status === 200))
  const looked = hasLooked()
  const giveUp = new AbortController()
  const waits = fetch(`${address}/changes?since=${end}&wait=60`, { headers, signal: giveUp.signal })
  await looked
  for (const one of [await hears(), await service.get('/changes?wait=1', { key })]) assert.equal(one.status, 429)
  assert.equal((await service.get('/changes', { key })).status, 200)
  giveUp.abort()
  await assert.rejects(waits)
  streams.push(await untilAdmitted(hears))
  streams.shift()?.hangUp()
  streams.push(await untilAdmitted(hears))
  for (const one of streams) one.hangUp()
})

/** Tries again until there is room: when somebody has hung up, the service hears of it a moment later. */
async function untilAdmitted(hears: () => Promise<Listening>): Promise<Listening> {
  // Long before the next sign of life would have found nobody there.
  const until = performance.now() + 10_000
  for (;;) {
    const one = await hears()
    if (one.status === 200) return one
    one.hangUp()
    assert.ok(performance.now() < until, 'there is no room yet')
  }
}

/** Everything that the feed says to a key, as answers and as events. */
async function told(key: string, since: number): Promise<string> {
  const answers = await service.get(`/changes?since=${since}&limit=1000`, { key })
  const stream = await listen(`${address}/changes?since=${since}`, { 'x-api-key': key })
  await stream.until(({ id }) => Number(id) >= answers.body.metadata.last)
  stream.hangUp()
  const head = JSON.stringify([[...answers.headers], stream.headers])
  return answers.text + stream.text() + head
}

test('the feed never contains hidden field groups', async () => {
  const since = await lastNumber()
  const field = await service.make('/employee_fields', { name: 'Bank', type: 'text', protection: 'compensation' })
  const folder = await service.make('/document_folders', { name: 'Sealed', protection: 'notes' })
  const { id } = await service.hire({ nationality: 'DE', hired_on: '2020-01-01' })
  await service.put(`/employees/${id}`, { personal_email: 'zq-personal@example.com', bank: 'zq-bank' })
  await service.put(`/employee_fields/${field.id}`, { protection: 'notes' })
  const pay = {
    effective_on: '2020-01-01',
    amount: '98127.65',
    currency_code: 'EUR',
    per: 'month',
    comment: 'zq-pay',
  }
  const salary = await service.make(`/employees/${id}/salaries`, pay)
  await service.delete(`/employees/${id}/salaries/${salary.id}`)
  await service.make(`/employees/${id}/notes`, { body: 'zq-note' })
  const paper = { name: 'zq-paper', url: 'https://example.com', document_folder_id: folder.id }
  const document = await service.make(`/employees/${id}/documents`, paper)
  await service.delete(`/employees/${id}/documents/${document.id}`)
  const candidate = await service.make('/recruitment/candidates', { full_name: 'zq-candidate' })
  const associated_to = { id: candidate.id, type: 'Candidate' }
  await service.make('/tasks', { name: 'Call somebody', employee_id: id, associated_to })
  const category = await service.make('/knowledge_base/categories', { name: 'Open' })
  const draft = { title: 'zq-draft', body: 'zq-draft', category_id: category.id }
  await service.make('/knowledge_base/articles', draft)

  const everything = await told(service.key, since)
  for (const marker of ['personal', 'bank', 'pay', 'note', 'paper', 'candidate', 'draft'])
    assert.ok(everything.includes(`zq-${marker}`), `${marker} is there for those who may see it`)
  assert.match(everything, /associated_candidate_id/)

  const withheld = ['compensation', 'personal', 'notes']
  const cut = await told(await service.keyWith({ permissions: ['*'], withheld }), since)
  for (const marker of ['zq-personal', 'zq-bank', 'zq-pay', '98127.65', 'zq-note', 'zq-paper'])
    assert.ok(!cut.includes(marker), `${marker} is withheld`)
  assert.match(cut, /zq-candidate/)
  assert.match(cut, /"cadre-omitted","(compensation|personal|notes), /)
  const reader = ['audits:read', 'employees:read', 'organisation:read', 'tasks:read', 'knowledge:read']
  const narrow = await told(await service.keyWith({ permissions: reader }), since)
  assert.match(narrow, /Call somebody/)
  for (const marker of ['zq-candidate', 'associated_candidate_id', 'zq-draft'])
    assert.ok(!narrow.includes(marker), marker)
})

test('the feed contains nothing of an erased person except the erasure', async () => {
  const since = await lastNumber()
  const { id } = await service.hire({ first_name: 'zq-gone', personal_email: 'zq-gone@example.com' })
  await service.make(`/employees/${id}/notes`, { body: 'zq-gone too' })
  assert.match(await told(service.key, since), /zq-gone/)
  assert.equal((await service.delete(`/employees/${id}?erase=true`)).status, 204)
  assert.ok(!(await told(service.key, 0)).includes('zq-gone'))
  const past = await allChanges(`resources[]=employees&record_id=${id}`)
  assert.deepEqual(past.map(({ action, before, after }) => [action, before, after]).at(-1), ['erase', null, null])
  assert.ok(past.every(({ before, after }) => before === null && after === null))
})

test('the stream does not read ahead for a slow client and loses nothing', async () => {
  const category = await service.make('/knowledge_base/categories', { name: 'Long' })
  const { id } = await service.make('/knowledge_base/articles', { title: 'T', body: 'x', category_id: category.id })
  const since = await lastNumber()
  // More than what fits between the two of them on the way.
  const count = 60
  for (let n = 0; n < count; n++) await service.put(`/knowledge_base/articles/${id}`, { body: `${n}`.repeat(30_000) })
  let looks = 0
  service.database.onStatement = (statement) => void (statement.startsWith('select * from "ledger"') && looks++)
  const stream = await listen(`${address}/changes?since=${since}&limit=1`, { 'x-api-key': service.key })
  for (let n = 0; n < count; n++) await service.get('/genders')
  assert.ok(looks < count, `${looks} looks for ${count} changes that nobody has read`)
  await stream.until((event) => event.id === String(since + count))
  service.database.onStatement = undefined
  assert.equal(stream.text().match(/^id: /gm)?.length, count)
  stream.hangUp()
})

test('a stopping service answers waiting requests at once and ends its streams', async () => {
  const stopping = await startService()
  const headers = { 'x-api-key': stopping.key }
  const stream = await listen(`${stopping.url}/api/v3/changes`, headers)
  await stream.until(({ event }) => event === 'change')
  const since = (await stopping.get('/genders')).headers.get('cadre-ledger')
  const looked = new Promise<void>((resolve) => {
    stopping.database.onStatement = (statement) => statement.includes('from "ledger"') && resolve()
  })
  const waiting = stopping.get(`/changes?since=${since}&wait=60`)
  await looked
  const begun = performance.now()
  const stopped = stopping.stop()
  const { status, body } = await waiting
  assert.deepEqual([status, body.data, body.metadata.last], [200, [], Number(since)])
  while (await stream.next());
  await stopped
  assert.ok(performance.now() - begun < 8_000, 'nothing was waited for')
})
