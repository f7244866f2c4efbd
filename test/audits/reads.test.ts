import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/database.ts'
import { WATCHED } from '../../src/domain/audits/logged-reads.ts'
import { operations, resources } from '../../src/operations.ts'
import { type MonitoredRead, ReadLog } from '../../src/records/reads.ts'
import { type Service, startService } from '../harness.ts'

let service: Service
let folder: string
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cadre-test-'))
  service = await startService({ config: { CADRE_FILES: folder } })
})
after(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Entries are written a moment after the read: asks until there are as many as there must be. */
async function readsOf(query: string, expected: number, key = service.key): Promise<any[]> {
  for (let tries = 0; ; tries++) {
    const { status, body, text } = await service.get(`/reads?per_page=200&${query}`, { key })
    assert.equal(status, 200, text)
    if (body.data.length >= expected || tries > 200) {
      assert.equal(body.data.length, expected, text)
      assert.equal(body.metadata.count, expected)
      return body.data
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const PAID = { effective_on: '2024-01-01', amount: '4200', currency_code: 'EUR', per: 'month' }
const brief = ({ what, resource, record_id, operation }: any) => [what, resource, record_id, operation].join(' ')

/** A key of a name of its own, so that what it reads can be told from all other reads. */
async function reader(rights: { permissions?: string[]; withheld?: string[] } = {}) {
  const name = `Reader ${crypto.randomUUID()}`
  const { data } = (await service.post('/api_keys', { name, permissions: ['*'], ...rights })).body
  return { name, key: data.key as string, id: data.id as number, by: `actor=key:${data.id}` }
}

test('a response with pay records who read it; a response without pay records nothing', async () => {
  const { id } = await service.hire({})
  const path = `/employees/${id}`
  const salary = await service.make(`${path}/salaries`, PAID)
  await service.make('/recruitment/candidates', { full_name: 'Silent' })
  const candidate = await service.make('/recruitment/candidates', { full_name: 'Frank', desired_salary: 60_000 })
  await service.make('/employee_fields', { name: 'Bonus', type: 'number', protection: 'compensation' })
  await service.put(path, { bonus: 7 })
  const { key, by, id: keyId, name } = await reader()
  for (const place of [
    `${path}/salaries`,
    path,
    `${path}?as_of=2025-01-01`,
    `${path}/history?parts=true`,
    '/recruitment/candidates',
    '/divisions',
    `${path}/positions`,
  ])
    assert.equal((await service.get(place, { key })).status, 200, place)
  // What an answer to a write shows is shown as well, also when nothing was to change.
  await service.put(`${path}/salaries/${salary.id}`, {}, { key })
  const found = await readsOf(by, 6)
  const value = found.find((one) => one.resource === 'employee_field_values')
  assert.deepEqual(found.map(brief).toSorted(), [
    `compensation candidates ${candidate.id} listCandidates`,
    `compensation employee_field_values ${value?.record_id} listEmployeeHistory`,
    `compensation employees ${id} getEmployee`,
    `compensation salaries ${salary.id} listEmployeeHistory`,
    `compensation salaries ${salary.id} listSalaries`,
    `compensation salaries ${salary.id} updateSalary`,
  ])
  assert.deepEqual(found.at(-1)?.actor, { kind: 'key', id: keyId, name, employee_id: null })
  assert.deepEqual(found.at(-1)?.owner, { resource: 'employees', id })
  const blind = await reader({ withheld: ['compensation'] })
  for (const place of [path, `${path}?as_of=2025-01-01`, '/recruitment/candidates', `${path}/history?parts=true`])
    await service.get(place, { key: blind.key })
  await service.get(`${path}/salaries`, { key })
  await readsOf(blind.by, 0)
})

test('listing documents and downloading a file are recorded for the key that got the URL', async () => {
  const { id } = await service.hire({})
  const folder = await service.make('/document_folders', { name: 'Contracts' })
  const file = `data:text/plain;base64,${Buffer.from('Hello').toString('base64')}`
  const upload = { name: 'Contract', document_folder_id: folder.id, document: file }
  const document = await service.make(`/employees/${id}/documents`, upload)
  const { key, by } = await reader()
  const [listed] = (await service.get(`/employees/${id}/documents`, { key })).body.data
  assert.equal((await service.get(listed.url, { key: null })).status, 200)
  assert.equal((await service.send('HEAD', listed.url, { key: null })).status, 200)
  assert.equal((await service.get(listed.url, { key: null })).status, 200)
  assert.equal((await service.get(`${listed.url}x`, { key: null })).status, 404)
  const found = await readsOf(by, 3)
  assert.deepEqual(found.map(brief), [
    `file employee_documents ${document.id} downloadFile`,
    `file employee_documents ${document.id} downloadFile`,
    `documents employee_documents ${document.id} listEmployeeDocuments`,
  ])
  assert.ok(found.every((one) => one.owner.id === id))
})

test('every export is recorded, and every export operation is watched', async () => {
  const { id } = await service.hire({})
  await service.make(`/employees/${id}/salaries`, PAID)
  const { key, by } = await reader()
  for (let times = 0; times < 2; times++) await service.get(`/employees/${id}/export`, { key })
  const found = await readsOf(by, 2)
  assert.ok(found.every((one) => brief(one) === `export employees ${id} exportEmployee`))
  const handingOut = operations.filter(({ attaches }) => attaches).map(({ id }) => id)
  assert.deepEqual(handingOut.toSorted(), [...WATCHED.handOuts.keys()].toSorted())
  const tables = resources.map(({ table }) => table)
  for (const table of WATCHED.kinds.keys()) assert.ok(tables.includes(table), table)
})

test('repeated reads within an hour are recorded once, and the access log can be filtered', async () => {
  const { id } = await service.hire({})
  const salary = await service.make(`/employees/${id}/salaries`, PAID)
  const { key, by } = await reader()
  for (let times = 0; times < 5; times++) await service.get(`/employees/${id}/salaries`, { key })
  await service.get(`/employees/${id}/salaries/${salary.id}`, { key })
  await readsOf(by, 2)
  await readsOf(`${by}&operation=getSalary`, 1)
  await readsOf(`${by}&resource=Salary&record_id=${salary.id}`, 2)
  await readsOf(`${by}&resource=employees&record_id=${id}`, 0)
  await readsOf(`${by}&resource=employees&record_id=${id}&parts=true`, 2)
  await readsOf(`${by}&created_at[gt]=4102444800`, 0)
  for (const [query, says] of [
    ['resource=Nonsense', /one of .*salaries/],
    ['record_id=7', /resource is required/],
    ['resource=salaries&parts=true', /record_id is required/],
    ['actor=me', /key:<id>/],
    ['operation=nonsense', /operation/],
  ] as const) {
    const { status, body } = await service.get(`/reads?${query}`)
    assert.equal(status, 400, query)
    assert.match(body.detail, says)
  }
})

test('the access log hides reads of records that the key may not read', async () => {
  const { id } = await service.hire({})
  await service.make(`/employees/${id}/salaries`, PAID)
  const folder = await service.make('/document_folders', { name: 'Hidden', protection: 'notes' })
  const link = { name: 'Link', url: 'https://example.com/x', document_folder_id: folder.id }
  await service.make(`/employees/${id}/documents`, link)
  const { key, by } = await reader()
  await service.get(`/employees/${id}/salaries`, { key })
  await service.get(`/employees/${id}/documents`, { key })
  await readsOf(by, 2)
  const seen = async (rights: { permissions: string[]; withheld?: string[] }) => {
    const { status, body } = await service.get(`/reads?${by}`, { key: (await reader(rights)).key })
    return status === 200 ? body.data.map((one: any) => one.what).toSorted() : status
  }
  const permissions = ['audits:read', 'employees:read']
  assert.deepEqual(await seen({ permissions }), ['compensation', 'documents'])
  assert.deepEqual(await seen({ permissions: ['audits:read', 'tasks:read'] }), [])
  assert.deepEqual(await seen({ permissions, withheld: ['compensation'] }), [])
  assert.deepEqual(await seen({ permissions, withheld: ['notes'] }), ['compensation'])
  assert.equal(await seen({ permissions: ['employees:read'] }), 403)
})

test('recording a read adds no statement to the request and writes only the access log', async () => {
  const { id } = await service.hire({})
  await service.make(`/employees/${id}/salaries`, PAID)
  const { key, by } = await reader()
  await service.get('/divisions', { key })
  const before = (await service.get('/audits?per_page=1')).body.metadata.count
  const statements: string[] = []
  service.onStatement = (statement) => void statements.push(statement)
  await service.get(`/employees/${id}/salaries`, { key })
  const asked = statements.filter((one) => /^(select|with)/.test(one))
  await readsOf(by, 1)
  service.onStatement = undefined
  assert.equal(asked.length, 3, asked.join('\n'))
  const written = statements.filter((one) => /^(insert|update|delete)/.test(one) && !/api_key_uses/.test(one))
  assert.ok(
    written.every((one) => /into "(counters|reads)"/.test(one)),
    written.join('\n'),
  )
  assert.equal((await service.get('/audits?per_page=1')).body.metadata.count, before)
})

test('the access log keeps only ids of an erased person', async () => {
  const person = await service.hire({ first_name: 'ZqReadxMark', last_name: 'ZqLastxMark' })
  await service.make(`/employees/${person.id}/salaries`, PAID)
  await service.get(`/employees/${person.id}/salaries`)
  await readsOf(`resource=employees&record_id=${person.id}&parts=true`, 2)
  assert.equal((await service.delete(`/employees/${person.id}?erase=true`)).status, 204)
  const rows = await service.database.query((sql) => sql.selectFrom('reads').selectAll().execute())
  assert.ok(rows.length > 0 && !/xMark/.test(JSON.stringify(rows)))
  assert.ok(!/xMark/.test((await service.get('/reads?per_page=200')).text))
})

test('pending access log entries are written when the service stops', async () => {
  const short = await startService()
  const { id } = await short.hire({})
  await short.make(`/employees/${id}/salaries`, PAID)
  await short.get(`/employees/${id}/salaries`)
  await short.app.close()
  const database = connect(short.databaseUrl)
  const rows = await database.query((sql) => sql.selectFrom('reads').select('operation').orderBy('id').execute())
  await database.close()
  assert.deepEqual(
    rows.map(({ operation }) => operation),
    ['createSalary', 'listSalaries'],
  )
  await short.stop()
})

test('while the database is away entries wait in bounded memory, and dropped ones are reported', async () => {
  let isAway = true
  const write: Database['write'] = (work) => (isAway ? Promise.reject(new Error('away')) : service.database.write(work))
  const lost: number[] = []
  const log = new ReadLog({
    database: { ...service.database, write } as Database,
    watched: WATCHED,
    clock: () => new Date(),
    onLoss: (n) => void lost.push(n),
  })
  const by = {
    accountId: service.account.id,
    actor: { kind: 'key', id: 77_777 } as const,
    personId: null,
    requestId: 'r',
    operation: 'listSalaries',
  }
  const reads = (from: number, count: number): MonitoredRead[] =>
    Array.from({ length: count }, (_, n) => ({
      what: 'compensation',
      resource: 'salaries',
      record_id: from + n,
      owner: null,
      owner_id: null,
    }))
  log.add(by, reads(1, 3))
  await assert.rejects(log.flush(), /away/)
  log.add(by, reads(4, 2))
  isAway = false
  await log.flush()
  assert.equal((await service.get('/reads?actor=key:77777')).body.metadata.count, 5)
  isAway = true
  log.add({ ...by, actor: { kind: 'key', id: 88_888 } }, reads(1, 100_010))
  await assert.rejects(log.flush(), /away/)
  assert.deepEqual(lost, [])
  await log.close()
  assert.deepEqual(lost, [100_010])
})
