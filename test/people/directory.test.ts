import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { directoryCard } from '../../src/domain/directory/directory.ts'
import { fieldOf } from '../../src/engine/resource.ts'
import { type Service, startService } from '../harness.ts'
import { leaveOf } from '../leave/on-leave.ts'

let service: Service
let key: string
const { person, ask: request } = leaveOf(() => service)
const places: Record<string, number> = {}
before(async () => {
  service = await startService({ clock: () => new Date('2036-06-15T12:00:00Z') })
  key = await service.keyWith({ permissions: ['directory:read'] })
  for (const [name, path] of Object.entries({
    department_id: '/departments',
    location_id: '/locations',
    division_id: '/divisions',
    position_id: '/positions',
  }))
    places[name] = (
      await service.make(path, {
        name: `The ${path}`,
        ...(name === 'location_id' ? { time_zone: 'Asia/Kolkata' } : {}),
      })
    ).id
})
after(() => service.stop())

const ask = async (query = '') => {
  const answer = await service.get(`/directory${query}`, { key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data as any[]
}
const idsOf = (rows: any[]) => rows.map((one) => one.id)

/** Every field that a person can have, each with a value that is nowhere else. */
const SECRETS = {
  personal_email: 'Zq1@example.net',
  mobile_number: '+49 4711001',
  home_phone_number: '+49 4711002',
  date_of_birth: '1977-03-09',
  probation_ends_on: '2036-09-17',
  linkedin_url: 'https://example.com/zq3',
  twitter_username: 'zq4',
}

test('a directory card shows contact data, job and manager', async () => {
  const boss = await service.hire({
    first_name: 'Big',
    last_name: 'Boss',
    hired_on: '2020-01-01',
    email: 'boss@example.com',
  })
  const { id } = await service.hire({
    first_name: 'Ada',
    middle_name: 'King',
    last_name: 'Lovelace',
    email: 'ada@example.com',
    work_phone_number: '+49 30 1',
    hired_on: '2030-01-01',
    reporting_to_id: boss.id,
    ...places,
  })
  const answer = await service.get(`/directory/${id}`, { key })
  assert.equal(answer.status, 200, answer.text)
  const { avatar_url, ...card } = answer.body.data
  assert.match(avatar_url, /\/avatars\/initials\/AL\.svg$/)
  assert.deepEqual(card, {
    id,
    full_name: 'Ada King Lovelace',
    first_name: 'Ada',
    middle_name: 'King',
    last_name: 'Lovelace',
    email: 'ada@example.com',
    work_phone_number: '+49 30 1',
    hired_on: '2030-01-01',
    position: { id: places.position_id, name: 'The /positions' },
    department: { id: places.department_id, name: 'The /departments' },
    location: { id: places.location_id, name: 'The /locations' },
    division: { id: places.division_id, name: 'The /divisions' },
    manager: { id: boss.id, full_name: 'Big Boss', email: 'boss@example.com' },
    time_zone: 'Asia/Kolkata',
    away: null,
  })
  for (const query of [
    `department_id=${places.department_id}`,
    `location_ids[]=${places.location_id}`,
    `manager_id=${boss.id}`,
    'q=lovel ada',
  ])
    assert.deepEqual(idsOf(await ask(`?${query}`)), [id], query)
  assert.deepEqual(idsOf(await ask('?sort=-hired_on&per_page=1')), [id])
})

test('a directory card contains no other data and no field of a hidden group', async () => {
  for (const name of directoryCard.names) {
    const field = fieldOf(directoryCard.resource, name)
    assert.equal(field.group, undefined, name)
    assert.ok(!field.reference, `${name} would bring a shape of its own`)
  }
  await service.make('/employee_fields', { name: 'Shoe size', type: 'text' })
  const { id } = await service.hire({ ...SECRETS, shoe_size: 'Zq5', hired_on: '2030-01-01' })
  await service.make(`/employees/${id}/salaries`, {
    effective_on: '2030-01-01',
    amount: '4711.5',
    currency_code: 'CHF',
    per: 'month',
  })
  for (const path of [
    '/directory?per_page=200',
    `/directory/${id}`,
    `/directory/${id}?as_of=2030-01-01&fields[]=shoe_size`,
  ]) {
    const { text } = await service.get(path)
    for (const secret of [...Object.values(SECRETS), 'Zq5', '4711', 'CHF'])
      assert.ok(!text.includes(secret), `${path}: ${secret}`)
  }
  const asked = await service.get('/directory?personal_email=Zq1@example.net', { key })
  assert.deepEqual(asked.body.data, await ask(), 'it narrows nothing, so it tells nothing')
  assert.equal(asked.headers.get('cadre-ignored'), 'personal_email')
  for (const sort of ['date_of_birth', 'employee_number', 'probation_ends_on'])
    assert.equal((await service.get(`/directory?sort=${sort}`, { key })).status, 400, sort)
})

test('the directory lists current employees: no leavers or erased people, and future ones on request', async () => {
  const gone = await service.hire({ hired_on: '2030-01-01', last_name: 'Gone' })
  await service.post(`/employees/${gone.id}/terminate`, { effective_from: '2036-06-15' })
  const leaving = await service.hire({ hired_on: '2030-01-01', last_name: 'Leaving' })
  await service.post(`/employees/${leaving.id}/terminate`, { effective_from: '2036-06-16' })
  const coming = await service.hire({ hired_on: '2036-06-16', last_name: 'Coming', ...places })
  const below = await service.hire({ hired_on: '2030-01-01', reporting_to_id: leaving.id })
  await service.put(`/employees/${below.id}`, { reporting_to_id: coming.id })
  const listed = idsOf(await ask('?per_page=200'))
  assert.ok(!listed.includes(gone.id) && listed.includes(leaving.id) && !listed.includes(coming.id))
  const asked = await ask('?coming=true&per_page=200')
  assert.ok(!idsOf(asked).includes(gone.id) && idsOf(asked).includes(coming.id))
  assert.equal(asked.find((one) => one.id === coming.id).department.id, places.department_id)
  assert.deepEqual(await ask('?q=coming'), [])
  assert.equal((await service.get(`/directory/${gone.id}`, { key })).status, 404)
  assert.equal((await service.get(`/directory/${below.id}`, { key })).body.data.manager, null)
})

test("a card shows the last day of today's absence, and never the leave type", async () => {
  const who = await person({ name: 'Zq9', floor: '-50' }, { name: 'Zq8sick' }, { hired_on: '2030-01-01' })
  const { id } = who
  const made = (await request(who, '2036-06-12', '2036-06-20')).body.data
  const away = async () => (await service.get(`/directory/${id}`, { key })).body.data.away
  assert.equal(await away(), null)
  assert.equal((await service.post(`/leave_requests/${made.id}/approve`)).status, 200)
  assert.deepEqual(await away(), { until: '2036-06-20' })
  const { text } = await service.get(`/directory/${id}`, { key })
  assert.ok(!/Zq8|Zq9/.test(text))
})

test('a page of cards takes the same number of statements at any size', async () => {
  const count = async (path: string) => {
    let n = 0
    // What is noted beside, when a key was used say, is not counted.
    service.onStatement = (statement) => void (/^(select|with) .*"employees"/s.test(statement) && n++)
    await service.get(path, { key })
    service.onStatement = undefined
    return n
  }
  assert.equal(await count('/directory?per_page=1'), await count('/directory?per_page=200'))
})
