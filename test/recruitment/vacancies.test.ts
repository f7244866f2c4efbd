import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { everyWay, type Office, openOffice } from './office.ts'

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.service.stop())

const statusOf = (answer: { status: number }) => answer.status

test('null or an empty value for a vacancy field with a default is rejected in every format', async () => {
  const { service, base } = office
  const { id } = await office.vacancy({ positions: 3, priority: 'high', post_on_careers: true })
  for (const name of ['state', 'priority', 'positions', 'post_on_careers'])
    for (const nothing of [null, '']) {
      const made = {
        title: 'Blank',
        ...Object.fromEntries(Object.entries(base).map(([key, one]) => [key, String(one)])),
      }
      const answers = [
        ...(await everyWay(service, 'PUT', `/recruitment/vacancies/${id}`, { [name]: nothing })),
        ...(await everyWay(service, 'POST', '/recruitment/vacancies', { ...made, [name]: nothing })),
      ]
      assert.deepEqual(answers.map(statusOf), Array(6).fill(422), name)
      for (const { body } of answers) assert.deepEqual([body.errors[0].field, body.errors[0].code], [name, 'blank'])
    }
  const { state, priority, positions, post_on_careers } = await office.show(`/recruitment/vacancies/${id}`)
  assert.deepEqual([state, priority, positions, post_on_careers], ['opened', 'high', 3, true])
  assert.equal((await service.get('/recruitment/vacancies')).body.metadata.count, 1, 'nothing was made')
})

test('null or an empty stage, consent or stage type is rejected in every format', async () => {
  const { service } = office
  const { id } = await office.vacancy()
  const person = await office.candidate()
  const path = await office.apply(id, person.id)
  const pipeline = await office.service.make('/recruitment/pipelines', { name: 'Other' })
  const stage = `/recruitment/pipelines/${pipeline.id}/stages/${pipeline.stages[0].id}`
  const consent = `/recruitment/candidates/${person.id}/consent`
  const given = { kind: 'processing', status: 'pending' }
  for (const nothing of [null, ''])
    for (const [method, place, body, name] of [
      ['PUT', path, {}, 'applicant_state_id'],
      ['PUT', `${path}/move`, {}, 'pipeline_stage_id'],
      ['POST', office.applicationsOf(id), { applicant_id: String(person.id) }, 'applicant_state_id'],
      ['POST', office.applicationsOf(id), {}, 'applicant_id'],
      ['POST', consent, given, 'status'],
      ['POST', consent, given, 'kind'],
      ['PUT', stage, {}, 'type'],
      ['PUT', stage, {}, 'name'],
      ['PUT', '/recruitment/settings', {}, 'consent_required'],
    ] as const)
      for (const { status, body: told } of await everyWay(service, method, place, { ...body, [name]: nothing })) {
        assert.equal(status, 422, name)
        assert.equal(told.errors[0].field, name)
      }
  assert.equal((await service.put(`${path}/move`)).body.errors[0].code, 'required')
  assert.equal((await office.show(stage)).type, 'new')
})

test('a finished vacancy accepts no applications; a draft or held one accepts those of recruiters', async () => {
  const { service } = office
  const ways: Record<string, string[]> = {
    drafting: [],
    held: ['opened', 'held'],
    opened: ['opened'],
    closed: ['opened', 'closed'],
    cancelled: ['opened', 'cancelled'],
    archived: ['opened', 'closed', 'archived'],
  }
  for (const [state, steps] of Object.entries(ways)) {
    const { id } = await office.vacancy({ state: 'drafting', post_on_careers: true })
    for (const step of steps) await service.put(`/recruitment/vacancies/${id}`, { state: step })
    const isOver = ['closed', 'cancelled', 'archived'].includes(state)
    const applied = await service.post(office.applicationsOf(id), { applicant_id: (await office.candidate()).id })
    assert.equal(applied.status, isOver ? 409 : 201, state)
    const outside = `/recruitment/careers/vacancies/${id}/applications`
    const from = await service.post(outside, { full_name: 'A', email: `${state}@example.com` }, { key: null })
    assert.equal(from.status, state === 'opened' ? 201 : 404, state)
    if (state !== 'opened' && !isOver)
      assert.equal((await service.post(`${office.applicationsOf(id)}/${applied.body.data.id}/hire`)).status, 409)
  }
})

test('an error about an invalid stage uses the parameter name that was sent', async () => {
  const { service } = office
  const { id } = await office.vacancy()
  const foreign = (await service.make('/recruitment/pipelines', { name: 'Foreign' })).stages[0].id
  const person = await office.candidate()
  const path = await office.apply(id, person.id)
  const told = async (method: string, place: string, json: object) =>
    (await service.send(method, place, { json })).body.errors.map((one: any) => one.field)
  assert.deepEqual(await told('PUT', path, { applicant_state_id: foreign }), ['applicant_state_id'])
  assert.deepEqual(await told('PUT', `${path}/move`, { pipeline_stage_id: foreign }), ['pipeline_stage_id'])
  assert.deepEqual(
    await told('POST', office.applicationsOf(id), { applicant_id: 987_654, applicant_state_id: foreign }),
    ['applicant_id', 'applicant_state_id'],
    'all at once',
  )
})

test('skills, tags and collaborators keep their order, and an empty list clears them', async () => {
  const { service, lead } = office
  const other = (await service.hire()).id
  const { id } = await office.vacancy({ skills: ['a', 'b', 'c'], tags: ['x', 'y'], collaborator_ids: [lead, other] })
  const person = await office.candidate({ skills: ['a', 'b', 'c'], tags: ['x', 'y'], phone_numbers: ['1', '2'] })
  const [one, two] = [`/recruitment/vacancies/${id}`, `/recruitment/candidates/${person.id}`]
  const put = async (path: string, form: Record<string, unknown>) => {
    const answer = await service.send('PUT', path, { form })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }
  for (const path of [one, two])
    for (const skills of [
      ['c', 'a', 'b'],
      ['a', 'b'],
      ['b', 'z', 'a'],
      ['B', 'a'],
    ]) {
      assert.deepEqual((await put(path, { skills })).skills, skills)
      assert.deepEqual((await office.show(path)).skills, skills)
      assert.deepEqual(
        (await put(path, { tags: skills })).tags.map((tag: string) => tag.toLowerCase()),
        skills.map((tag) => tag.toLowerCase()),
      )
    }
  const turned = await put(one, { collaborator_ids: [other, lead, other] })
  assert.deepEqual(
    turned.collaborators.map((each: any) => each.id),
    [other, lead],
  )
  for (const path of [one, two]) {
    const { skills, tags } = await put(path, { skills: [''], tags: [''] })
    assert.deepEqual([skills, tags], [[], []])
  }
  assert.deepEqual((await put(two, { phone_numbers: [''] })).phone_numbers, [])
  assert.deepEqual((await put(one, { collaborator_ids: [''] })).collaborators, [])
  assert.equal((await service.put(two, { skills: ['a', ''] })).status, 422)
})

test('a description must have text after sanitising, and can be sent back as stored', async () => {
  const { service } = office
  const { id } = await office.vacancy()
  const path = `/recruitment/vacancies/${id}`
  const send = async (description: string) => service.put(path, { description })
  for (const empty of ['<script>alert(1)</script>', '<p></p>', '<p>&nbsp; </p>', '<style>p {}</style><img src=x>']) {
    const { status, body } = await send(empty)
    assert.deepEqual([status, body.errors?.[0].code], [422, 'blank'], empty)
  }
  assert.equal(
    (await send('&'.repeat(60_000))).body.errors?.[0].code,
    'too_long',
    'it would be kept five times as long',
  )
  const longest = `<p>${'x'.repeat(65_535 - 7)}</p>`
  const kept = (await send(longest)).body.data.description
  assert.equal(kept, longest)
  assert.equal((await send(kept)).status, 200)
  const wide = '😀'.repeat(65_535)
  assert.equal((await send(wide)).body.data?.description, wide, 'characters are counted, not their halves')
})

test('a leaver cannot join a vacancy, but stays lead and collaborator where they were', async () => {
  const { service } = office
  const leaver = await service.hire({ hired_on: '2020-01-01' })
  const before = { hiring_lead_user_id: leaver.id, collaborator_ids: [leaver.id] }
  const { id } = await office.vacancy(before)
  const left = await service.post(`/employees/${leaver.id}/terminate`, { effective_from: '2024-01-01' })
  assert.equal(left.status, 200, left.text)
  assert.equal((await service.put(`/recruitment/vacancies/${id}`, { ...before, title: 'The same' })).status, 200)
  const made = await service.post('/recruitment/vacancies', { title: 'New', ...office.base, ...before })
  assert.deepEqual(
    made.body.errors?.map((one: any) => [one.field, one.code]),
    [
      ['collaborator_ids', 'terminated'],
      ['hiring_lead_user_id', 'terminated'],
    ],
  )
  const other = await office.vacancy()
  assert.equal((await service.put(`/recruitment/vacancies/${other.id}`, before)).body.errors?.length, 2)
})

test('a state change is checked only after the fields are valid', async () => {
  const { id } = await office.vacancy()
  const put = (values: object) => office.service.put(`/recruitment/vacancies/${id}`, values)
  const wrong = await put({ state: 'archived', title: '', hiring_lead_user_id: 987_654 })
  assert.deepEqual(
    [wrong.status, wrong.body.errors.map((one: any) => one.field)],
    [422, ['title', 'hiring_lead_user_id']],
  )
  assert.equal((await put({ state: 'archived', title: 'Right' })).status, 409)
  assert.notEqual((await office.show(`/recruitment/vacancies/${id}`)).title, 'Right')
})

test('a vacancy lists its next states and accepts exactly those', async () => {
  const { service } = office
  const path = '/recruitment/vacancies'
  const known = ['drafting', 'opened', 'held', 'closed', 'cancelled', 'archived']
  const seen = new Set<string>()
  const waiting: string[][] = [[]]
  // Every way through the states, each from a vacancy of its own.
  for (let steps = waiting.shift(); steps; steps = waiting.shift()) {
    const walked = async () => {
      const { id } = await office.vacancy({ state: 'drafting' })
      for (const state of steps) assert.equal((await service.put(`${path}/${id}`, { state })).status, 200)
      return office.show(`${path}/${id}`)
    }
    const { id, state, next_states } = await walked()
    if (seen.has(state)) continue
    seen.add(state)
    const headers = { prefer: 'dry-run' }
    for (const next of known.filter((one) => one !== state)) {
      const { status } = await service.send('PUT', `${path}/${id}`, { json: { state: next }, headers })
      assert.equal(status, next_states.includes(next) ? 200 : 409, `${state} to ${next}`)
    }
    waiting.push(...next_states.map((next: string) => [...steps, next]))
  }
  assert.deepEqual([...seen].toSorted(), known.toSorted())
  const full = await office.vacancy({ positions: 1 })
  const hired = await office.apply(full.id, (await office.candidate()).id)
  await service.post(`${hired}/hire`, {})
  assert.deepEqual((await office.show(`${path}/${full.id}`)).next_states, ['archived'], 'all places are filled')
})

test('recruiters create vacancies; hiring managers change only those they lead', async () => {
  const { service, base, lead } = office
  const roles = (await service.get('/roles')).body.data
  const keyOf = async (standard: string, employee_id: number) => {
    const { id } = roles.find((one: any) => one.standard === standard)
    return (await service.make('/api_keys', { name: standard, employee_id, permissions: ['*'], role_ids: [id] })).key
  }
  const other = (await service.hire()).id
  const recruiter = await keyOf('recruiter', other)
  const manager = await keyOf('hiring_manager', lead)
  const change = (of: { id: number }) =>
    service.send('PUT', `/recruitment/vacancies/${of.id}`, { json: { title: 'Changed', ...base }, key: manager })
  const make = (hiring_lead_user_id: number) =>
    service.post('/recruitment/vacancies', { title: 'Made', ...base, hiring_lead_user_id }, { key: recruiter })
  const [own, others] = [await make(lead), await make(other)]
  assert.deepEqual([own.status, others.status], [201, 201], own.text)
  assert.equal((await change(own.body.data)).status, 200)
  assert.equal((await change(others.body.data)).status, 404)
})
