import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ensureNewRoles } from '../../src/domain/access/accounts.ts'
import { openService } from '../../src/service.ts'
import { type CompanyOfThree, companyOfThree } from '../access/company-of-three.ts'

let company: CompanyOfThree
let own: string
let manager: string
let notes: string

before(async () => {
  company = await companyOfThree()
  own = await company.withRoles(company.report.id, 'employee')
  manager = await company.withRoles(company.boss.id, 'manager', 'employee')
  notes = `/employees/${company.report.id}/notes`
})
after(() => company.service.stop())

const bodies = async (key: string) =>
  (await company.service.get(notes, { key })).body.data.map(({ body }: { body: string }) => body)

test('employees read notes about themselves only if they are shared', async () => {
  const { service, report, other } = company
  const kept = await service.make(notes, { body: 'May not pass probation' })
  assert.equal(kept.shared_with_employee, false)
  assert.deepEqual(await bodies(own), [])
  assert.deepEqual(await bodies(manager), ['May not pass probation'])

  const shared = await service.make(notes, { body: 'Thank you for the talk', shared_with_employee: true })
  assert.deepEqual(await bodies(own), ['Thank you for the talk'])
  const one = (id: number) => service.get(`${notes}/${id}`, { key: own })
  assert.deepEqual([(await one(kept.id)).status, (await one(shared.id)).status], [404, 200])
  const list = await service.get(notes, { key: own })
  assert.equal(list.body.metadata?.total_count ?? list.body.data.length, 1)
  assert.equal(list.headers.get('cadre-omitted'), 'notes')

  // A note that is shared with one is shared with nobody else.
  const payroll = await company.withRoles(other.id, 'payroll')
  assert.equal((await service.get(notes, { key: payroll })).status, 403)
  const peer = await company.withRoles(other.id, 'employee')
  assert.equal((await service.get(notes, { key: peer })).status, 404)
  assert.equal((await service.get(notes, { key: await keyWithout('notes') })).status, 403)

  // And nobody shares it with themselves.
  const share = { shared_with_employee: true }
  assert.equal((await service.put(`${notes}/${kept.id}`, share, { key: own })).status, 403)
  assert.equal((await service.put(`${notes}/${kept.id}`, share)).status, 200)
  assert.deepEqual((await bodies(own)).sort(), ['May not pass probation', 'Thank you for the talk'])
  await service.put(`${notes}/${kept.id}`, { shared_with_employee: false })
  assert.deepEqual(await bodies(own), ['Thank you for the talk'])
  assert.equal((await service.get(`/employees/${report.id}`, { key: own })).status, 200)
})

test('employees do not see the comments of their termination and employment status', async () => {
  const { service, other } = company
  const key = await company.withRoles(other.id, 'employee')
  const { id: employment_type_id } = await service.make('/employment_types', { name: 'Permanent' })
  await service.make(`/employees/${other.id}/employment_statuses`, {
    effective_from: '2030-01-01',
    employment_type_id,
    comment: 'On trial',
  })
  const ended = await service.post(`/employees/${other.id}/terminate`, {
    effective_from: '2030-05-14',
    comment: 'Never on time',
  })
  assert.ok(ended.status < 300, ended.text)
  const paths = [`/employees/${other.id}`, `/employees/${other.id}/employment_statuses`]
  for (const path of paths) {
    assert.doesNotMatch((await service.get(path, { key })).text, /Never on time|On trial/, path)
    assert.match((await service.get(path)).text, /Never on time|On trial/, path)
  }
})

test('an upgrade hides notes from the employee role once and keeps later changes', async () => {
  const { service } = company
  const { database } = service
  const { ledger } = openService({ database, filesAt: '' })
  const employee = async () =>
    (await service.get('/roles')).body.data.find(({ standard }: { standard: string }) => standard === 'employee')
  const role = await employee()
  const reviews = ['reviews:read', 'review_answers:read', 'review_answers:write']
  const all = ['compensation', 'personal', 'notes']
  const before = { scope: 'self', permissions: ['employees:read', 'leave:request', ...reviews], sees: all }
  await service.put(`/roles/${role.id}`, { grants: [before] })
  await database.write((sql) => sql.updateTable('roles').set({ revision: 0 }).execute())
  await ensureNewRoles(ledger)
  const now = (await employee()).grants.map(({ id: _, department_id: __, location_id: ___, ...grant }: any) => grant)
  assert.deepEqual(now, [
    { scope: 'self', permissions: ['employees:read', 'leave:request'], sees: ['compensation', 'personal'] },
    { scope: 'self', permissions: reviews, sees: all },
  ])
  const told = (await service.get('/changes?resources[]=role_grants&since=0&per_page=200')).body.data
  assert.ok(told.some(({ operation }: { operation: string }) => operation === 'reviseRoles'))

  await service.put(`/roles/${role.id}`, { grants: [before] })
  await ensureNewRoles(ledger)
  assert.deepEqual((await employee()).grants[0].sees, all)
})

async function keyWithout(group: string): Promise<string> {
  const body = { name: 'Key', permissions: ['*'], withheld: [group] }
  return (await company.service.make('/api_keys', body)).key
}
