import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, startService } from '../harness.ts'

let service: Service
let now = new Date('2036-06-15T12:00:00Z')
before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

const mary = { first_name: 'Mary', last_name: 'Jackson', email: 'mary@agency.example' }

test('an external user has all documented fields and a unique e-mail address', async () => {
  const made = await service.make('/external_users', mary)
  assert.deepEqual(made, {
    id: made.id,
    active: true,
    access: false,
    first_name: 'Mary',
    last_name: 'Jackson',
    full_name: 'Mary Jackson',
    email: 'mary@agency.example',
    role: { id: 1, name: 'External Recruiter', value: 'external_recruiter' },
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  })
  const duplicate = await service.post('/external_users', { ...mary, email: 'MARY@agency.example' })
  assert.deepEqual([duplicate.status, duplicate.body.errors[0].code], [422, 'taken'])
  // Employees are others: whoever works here may work for an agency, too.
  assert.equal((await service.post('/employees', { ...mary })).status, 201)
  assert.deepEqual((await service.get('/external_users?email=MARY@agency.example')).body.data, [made])
})

test('a role is set by value or id, and conflicting ones are rejected', async () => {
  const { id } = await service.make('/external_users', { ...mary, email: 'role@agency.example', role_id: 2 })
  const path = `/external_users/${id}`
  const role = async (body: object) => (await service.put(path, body)).body.data.role.value
  assert.equal((await service.get(path)).body.data.role.value, 'external_interviewer')
  assert.equal(await role({ role: 'external_consultant' }), 'external_consultant')
  assert.equal(await role({ active: false }), 'external_consultant')
  assert.equal(await role({ role: 'external_recruiter', role_id: 1 }), 'external_recruiter')
  for (const [body, field] of [
    [{ role: 'external_recruiter', role_id: 2 }, 'role_id'],
    [{ role_id: 99 }, 'role_id'],
    [{ role: 'boss' }, 'role'],
    [{ role: null }, 'role'],
  ] as const) {
    const refused = await service.put(path, body)
    assert.deepEqual([refused.status, refused.body.errors?.[0].field], [422, field], JSON.stringify(body))
  }
})

test('external users are filtered by creation time, both ends included', async () => {
  now = new Date('2037-01-01T08:00:00Z')
  const one = await service.make('/external_users', { ...mary, email: 'later@agency.example' })
  const at = now.getTime() / 1000
  const found = async (query: string) =>
    (await service.get(`/external_users?${query}`)).body.data.map((each: any) => each.id)
  assert.deepEqual(await found(`created_at[gte]=${at}`), [one.id])
  assert.deepEqual(await found(`created_at[gte]=${at}&created_at[lte]=${at}`), [one.id])
  assert.deepEqual(await found(`created_at[gte]=${at + 1}`), [])
})

test('external users need their own permission', async () => {
  const key = await service.keyWith({ permissions: ['employees:*', 'organisation:*', 'recruitment:*'] })
  assert.equal((await service.get('/external_users', { key })).status, 403)
  const own = await service.keyWith({ permissions: ['external_users:*'] })
  assert.equal((await service.get('/external_users', { key: own })).status, 200)
  assert.equal((await service.get('/employees', { key: own })).status, 403)
})
