import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ALL, type CompanyOfThree, companyOfThree, KNOWS_ALL, status } from './company-of-three.ts'

/** Reviews of those whom a role reaches, and of others. */

let service: CompanyOfThree['service']
let boss: CompanyOfThree['boss']
let other: CompanyOfThree['other']
let withRoles: CompanyOfThree['withRoles']
let homeMade: CompanyOfThree['homeMade']
let enter: CompanyOfThree['enter']

before(async () => {
  ;({ service, boss, other, withRoles, homeMade, enter } = await companyOfThree())
})
after(() => service.stop())

test('a scoped role creates reviews only for people it covers and learns nothing about user accounts', async () => {
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

test('a scoped role creates, reads and manages the reviews of people it covers, one by one and in bulk', async () => {
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

test('a role that may only read a review cannot change or delete it', async () => {
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
  const role = await service.make('/roles', { name: 'Reviewer', grants: [write, TAKES_PART, KNOWS_ALL] })
  const key = await withRoles(middle.id, role.id)
  const answers = [{ review_question_id: question.id, text: 'Well' }]
  const answered = await service.put(`${of.chief}/answers`, { answers, submit: true }, { key })
  assert.equal(answered.status, 200, answered.text)
  const { send } = await enter(middle.id, role.id)
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
