import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { person } from '../browser.ts'
import { cheapPasswords } from '../cheap-passwords.ts'
import { type Service, startService } from '../harness.ts'

cheapPasswords()
let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

const roleOf = async (standard: string) =>
  (await service.get('/roles')).body.data.find((one: any) => one.standard === standard).id

test('a key created by a user has no more access than the user, and ends with them, as do its child keys', async () => {
  const maker = await person(service, { email: 'maker@example.com', role: 'owner' })
  await person(service, { email: 'stays@example.com', role: 'owner' })
  const made = await maker.browser.post('/api_keys', { name: 'Theirs', permissions: ['*'] })
  assert.equal(made.status, 201, made.text)
  assert.equal(made.body.data.made_by_user_id, maker.id)
  const { key } = made.body.data
  const child = (await service.post('/api_keys', { name: 'Child', permissions: ['*'] }, { key })).body.data
  assert.equal(child.made_by_user_id, maker.id)
  const { data: feed } = (await service.get('/calendars/feed', { key })).body
  const employee = await service.hire()
  const reads = async (used: string, path = `/employees/${employee.id}/salaries`) =>
    (await service.get(path, { key: used })).status
  for (const used of [key, child.key]) assert.equal(await reads(used), 200)
  assert.equal((await fetch(feed.url)).status, 200)
  // Another role, another reach.
  await service.put(`/users/${maker.id}`, { role_ids: [await roleOf('recruiter')] })
  for (const used of [key, child.key]) {
    assert.equal(await reads(used), 403)
    assert.equal((await service.post('/api_keys', { name: 'More', permissions: ['*'] }, { key: used })).status, 403)
  }
  await service.put(`/users/${maker.id}`, { role_ids: [await roleOf('owner')] })
  assert.equal(await reads(child.key), 200)
  await service.post(`/users/${maker.id}/disable`)
  for (const used of [key, child.key]) assert.equal(await reads(used), 401)
  assert.equal((await fetch(feed.url)).status, 404)
  await service.post(`/users/${maker.id}/enable`)
  assert.equal(await reads(key), 200)
  await service.delete(`/users/${maker.id}`)
  for (const used of [key, child.key]) assert.equal(await reads(used), 401)
  // The operator's own keys are nobody's.
  assert.equal((await service.get('/api_keys')).status, 200)
})

test('a file URL works only while the person who received it may read the file', async () => {
  const holder = await person(service, { email: 'holder@example.com', role: 'hr' })
  const employee = await service.hire()
  const form = () => {
    const sent = new FormData()
    sent.set('name', 'Contract')
    sent.set('document_folder_id', String(folder.id))
    sent.set('document', new Blob(['Zq9 of a document']), 'contract.txt')
    return sent
  }
  const folder = await service.make('/document_folders', { name: 'Contracts' })
  const uploaded = await service.send('POST', `/employees/${employee.id}/documents`, { multipart: form() })
  assert.equal(uploaded.status, 201, uploaded.text)
  const { id } = uploaded.body.data
  const addressFor = async (get: (path: string) => Promise<any>): Promise<string> =>
    (await get(`/employees/${employee.id}/documents`)).body.data.find((one: any) => one.id === id).url
  const opens = async (url: string) => (await fetch(url)).status
  const theirs = await addressFor((path) => holder.browser.get(path))
  assert.equal(await opens(theirs), 200)
  await service.put(`/users/${holder.id}`, { role_ids: [await roleOf('recruiter')] })
  assert.equal(await opens(theirs), 404)
  await service.put(`/users/${holder.id}`, { role_ids: [await roleOf('hr')] })
  assert.equal(await opens(theirs), 200)
  await service.post(`/users/${holder.id}/disable`)
  assert.equal(await opens(theirs), 404)
  // The same for keys, also when what they see is narrowed.
  const key = await service.make('/api_keys', { name: 'Reader', permissions: ['employees:read'] })
  const keys = await addressFor((path) => service.get(path, { key: key.key }))
  assert.equal(await opens(keys), 200)
  const closed = await service.put(`/document_folders/${folder.id}`, { protection: 'personal' })
  assert.equal(closed.status, 200, closed.text)
  assert.equal(await opens(keys), 200)
  await service.put(`/api_keys/${key.id}`, { withheld: ['personal'] })
  assert.equal(await opens(keys), 404)
  const other = await service.make('/api_keys', { name: 'Other', permissions: ['employees:read'] })
  const url = await addressFor((path) => service.get(path, { key: other.key }))
  assert.equal(await opens(url), 200)
  await service.delete(`/api_keys/${other.id}`)
  assert.equal(await opens(url), 404)
})

test('the last owner who can sign in cannot be removed, disabled, demoted or terminated', async () => {
  const own = await startService()
  try {
    const role = (standard: string) => async () =>
      (await own.get('/roles')).body.data.find((one: any) => one.standard === standard)
    const [owners, employees] = [await role('owner')(), await role('employee')()]
    const employee = await own.hire({ hired_on: '2020-01-01', email: 'last@example.com' })
    const last = await person(own, { email: 'last@example.com', role: 'owner', employee_id: employee.id })
    const refused = async (method: string, path: string, json?: unknown) => {
      const answer = await own.send(method, path, json === undefined ? {} : { json })
      assert.equal(answer.status, 409, `${method} ${path}: ${answer.text}`)
      assert.match(answer.body.detail, /owner/)
    }
    const ways: [string, string, unknown?][] = [
      ['PUT', `/users/${last.id}`, { role_ids: [employees.id] }],
      ['DELETE', `/users/${last.id}`],
      ['DELETE', `/users/${last.id}?erase=true`],
      ['PUT', `/roles/${owners.id}`, { grants: [] }],
      ['POST', `/users/${last.id}/disable`, {}],
      ['POST', `/employees/${employee.id}/terminate`, { effective_from: '2024-01-01' }],
      ['POST', `/employees/${employee.id}/terminate`, { effective_from: '2099-01-01' }],
      ['DELETE', `/employees/${employee.id}?erase=true`],
    ]
    for (const [method, path, json] of ways) await refused(method, path, json)
    assert.equal((await last.browser.get('/me')).status, 200)
    // What has nothing to do with it is done.
    assert.equal((await own.put(`/users/${last.id}`, { name: 'The Last' })).status, 200)
    const second = await person(own, { email: 'second@example.com', role: 'owner' })
    assert.equal((await own.post(`/users/${last.id}/disable`)).status, 200)
    await refused('POST', `/users/${second.id}/disable`, {})
    await refused('DELETE', `/users/${second.id}`)
    assert.equal((await own.delete(`/users/${last.id}`)).status, 204)
  } finally {
    await own.stop()
  }
})
