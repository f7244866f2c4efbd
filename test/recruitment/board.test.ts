import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Office, openOffice } from './office.ts'

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.service.stop())

/** A vacancy with three who applied, and the ids of their applications. */
async function board() {
  const { id } = await office.vacancy({ positions: 2 })
  const applications: number[] = []
  for (let n = 0; n < 3; n++) {
    const path = await office.apply(id, (await office.candidate()).id)
    applications.push(Number(path.split('/').at(-1)))
  }
  const path = office.applicationsOf(id)
  const stagesNow = async () =>
    (await office.service.get(`${path}?sort=id`)).body.data.map((one: any) => one.pipeline_state.id)
  return { id, path, applications, stagesNow }
}

test('a bulk move records a movement for each application, and one undo reverts all', async () => {
  const { service, stages } = office
  const { id, path, applications, stagesNow } = await board()
  const sent = { application_ids: [...applications, applications[0]], pipeline_stage_id: stages[1] }
  const moved = await service.put(`${path}/bulk/move`, sent)
  assert.equal(moved.status, 200, moved.text)
  assert.deepEqual(
    moved.body.data.map((one: any) => one.id),
    applications,
  )
  assert.deepEqual(await stagesNow(), [stages[1], stages[1], stages[1]])
  const stays = (await service.get(`/recruitment/movements?vacancy_ids[]=${id}`)).body.data
  assert.equal(stays.length, 6)
  const undone = await service.post(`/requests/${moved.headers.get('x-request-id')}/undo`)
  assert.equal(undone.status, 200, undone.text)
  assert.deepEqual(await stagesNow(), [stages[0], stages[0], stages[0]])
})

test('a bulk move fails as a whole if one application or the stage is not allowed', async () => {
  const { service, stages } = office
  const { path, applications, stagesNow } = await board()
  const other = await board()
  const before = await stagesNow()
  const foreign = (await service.make('/recruitment/pipelines', { name: 'Far away' })).stages[0].id
  const wrong = await service.put(`${path}/bulk/move`, {
    application_ids: [applications[0], other.applications[0]],
    pipeline_stage_id: foreign,
  })
  assert.deepEqual(
    [wrong.status, wrong.body.errors.map((one: any) => one.field)],
    [422, ['application_ids[1]', 'pipeline_stage_id']],
  )
  assert.equal((await service.put(`${path}/bulk/move`, { application_ids: [] })).status, 422)
  await service.post(`${path}/${applications[1]}/disqualify`)
  await service.post(`${path}/${applications[2]}/hire`)
  for (const settled of [applications[1], applications[2]]) {
    const ids = { application_ids: [applications[0], settled] }
    const moved = await service.put(`${path}/bulk/move`, { ...ids, pipeline_stage_id: stages[1] })
    assert.deepEqual([moved.status, moved.body.detail?.includes(String(settled))], [409, true], moved.text)
    assert.equal((await service.post(`${path}/bulk/disqualify`, ids)).status, 409)
  }
  assert.equal((await stagesNow())[0], before[0])
})

test('a bulk disqualification applies one reason and comment to all', async () => {
  const { service } = office
  const { path, applications } = await board()
  const reason = await service.make('/recruitment/disqualify_reasons', { name: 'Too far away' })
  const sent = { application_ids: applications.slice(0, 2), disqualify_reason_id: reason.id, comment: 'On the moon' }
  const out = await service.post(`${path}/bulk/disqualify`, sent)
  assert.deepEqual(
    out.body.data.map((one: any) => [one.disqualify_reason.id, one.disqualify_comment, Boolean(one.disqualified_at)]),
    [
      [reason.id, 'On the moon', true],
      [reason.id, 'On the moon', true],
    ],
  )
  assert.equal((await service.get(`${path}?disqualified=false`)).body.data.length, 1)
})

test('applications are filtered by data of their candidates', async () => {
  const { service } = office
  const { id } = await office.vacancy()
  const source = await service.make('/recruitment/sources', { name: 'Referral' })
  const tag = await service.make('/recruitment/tags', { name: 'Remote' })
  const grace = await office.candidate({ full_name: 'Grace Hopper', source_id: source.id })
  const alan = await office.candidate({ full_name: 'Alan Turing', tags: ['Remote'] })
  for (const one of [grace, alan]) await office.apply(id, one.id)
  const found = async (query: string) =>
    (await service.get(`${office.applicationsOf(id)}?${query}`)).body.data.map((one: any) => one.candidate_id)
  assert.deepEqual(await found('q=hop'), [grace.id])
  assert.deepEqual(await found(`source_id=${source.id}`), [grace.id])
  assert.deepEqual(await found(`tag_ids[]=${tag.id}`), [alan.id])
  assert.deepEqual(await found(`q=hop&tag_ids[]=${tag.id}`), [])
})

test('from_pipeline_stage_ids stops a bulk move if somebody else has moved an application', async () => {
  const { service, stages } = office
  const { path, applications, stagesNow } = await board()
  const [first, second] = applications as [number, number]
  await service.put(`${path}/${first}/move`, { pipeline_stage_id: stages[2] })
  const many = (from: unknown) =>
    service.put(`${path}/bulk/move`, {
      application_ids: [second, first],
      pipeline_stage_id: stages[1],
      from_pipeline_stage_ids: from,
    })
  const late = await many([stages[0], stages[0]])
  assert.deepEqual([late.status, late.body.code], [409, 'conflict'], late.text)
  assert.match(late.body.detail, new RegExp(`application ${first} is now in the stage Hired\\.`))
  for (const way of ['', '/move']) {
    const sent = { pipeline_stage_id: stages[1], from_pipeline_stage_id: stages[0] }
    assert.equal((await service.put(`${path}/${first}${way}`, sent)).status, 409)
  }
  assert.deepEqual(await stagesNow(), [stages[2], stages[0], stages[0]], 'none was moved')
  const few = await many([stages[0]])
  assert.deepEqual([few.status, few.body.errors[0].field], [422, 'from_pipeline_stage_ids'])
  assert.equal((await many([stages[0], stages[2]])).status, 200)
  assert.deepEqual(await stagesNow(), [stages[1], stages[1], stages[0]])
})

test('a new candidate and their application are created together or not at all', async () => {
  const { service } = office
  const open = await office.vacancy()
  const closed = await office.vacancy()
  assert.equal(closed.takes_applications, true)
  const over = await service.put(`/recruitment/vacancies/${closed.id}`, { state: 'closed' })
  assert.equal(over.body.data.takes_applications, false)
  const add = (vacancy_id: unknown, email: string, more = {}) =>
    service.post('/recruitment/candidates', { full_name: 'Rosa Both', email, vacancy_id }, more)
  const countNow = async () => (await service.get('/recruitment/candidates?q=rosa')).body.metadata.count
  assert.equal((await add(closed.id, 'rosa@example.com')).status, 409)
  const nowhere = await add(999_999, 'no address')
  assert.deepEqual(
    [nowhere.status, nowhere.body.errors.map(({ field }: any) => field).sort()],
    [422, ['email', 'vacancy_id']],
  )
  assert.equal(await countNow(), 0)
  const made = await add(open.id, 'rosa@example.com')
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(
    made.body.data.applications.map(({ vacancy }: any) => vacancy.id),
    [open.id],
  )
  assert.equal((await add(open.id, 'rosa@example.com')).body.errors[0].field, 'email')
  assert.equal((await add(null, 'rosa2@example.com')).body.data.applications.length, 0)
})
