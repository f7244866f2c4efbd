import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, type Service, startService } from '../harness.ts'
import { type Office, openOffice } from './office.ts'

/** Whoever administers reviews is reviewed as well: nobody decides about a review of themselves. */

let service: Service
let office: Office
before(async () => {
  service = await startService()
  office = await openOffice(service)
  await office.report('hr', 'boss')
})
after(() => service.stop())

const status = async (way: Promise<Answer>) => (await way).status
const ADMINISTERS = ['reviews:*', 'review_answers:*', 'audits:*']

/** Signs in as an owner. */
async function signIn(name: string): Promise<Record<string, string>> {
  const role = (await service.get('/roles')).body.data.find((one: any) => one.standard === 'owner')
  const email = `${name}@own.example`
  const invited = { email, name, employee_id: office.id(name), role_ids: [role.id] }
  const { link } = await service.make('/users/invite', invited)
  const json = { token: link.url.split('#')[1], password: 'seven grey herons at noon' }
  const same = { origin: service.url, 'sec-fetch-site': 'same-origin' }
  const entered = await service.send('POST', '/sign_in/link_use', { key: null, json, headers: same })
  const cookies = entered.headers.getSetCookie().map((one) => one.split(';')[0])
  return { ...same, cookie: cookies.join('; ') }
}

/** A review with a peer, in a cycle that is open. */
async function review(about: string) {
  const { path: cycle, questions } = await office.cycle()
  const path = `${cycle}/reviews/${(await service.make(`${cycle}/reviews`, { employee_id: office.id(about) })).id}`
  await service.make(`${path}/review_participants`, { employee_id: office.id('dora'), type: 'peer' })
  await office.ok('POST', `${cycle}/open`)
  const parts = (await service.get(`${path}/review_participants`)).body.data as { id: number; type: string }[]
  const of = (type: string) => parts.find((one) => one.type.endsWith(type))?.id as number
  const answers = [{ review_question_id: questions[0], text: 'Well' }]
  return { cycle, path, of, answers }
}

test('review administrators manage the reviews of others, but not their own', async () => {
  const own = await office.key('hr', ADMINISTERS)
  for (const [about, mine, key] of [
    ['ann', false, own],
    ['hr', true, own],
  ] as const) {
    const { path, of, answers } = await review(about)
    const expected = (usual: number) => (mine ? 403 : usual)
    const manager = of('Manager')
    const part = `${path}/review_participants`
    const answer = { review_participant_id: manager, ...answers[0] }
    assert.equal(await status(service.post(`${path}/answers`, answer, { key })), expected(201), about)
    const submit = { review_participant_id: manager, answers, submit: true }
    assert.equal(await status(service.put(`${path}/answers`, submit, { key })), expected(200))
    assert.equal(await status(service.post(`${part}/${of('Peer')}/submit`, {}, { key })), expected(422))
    await service.put(`${path}/answers`, submit)
    assert.equal(await status(service.post(`${part}/${manager}/revise`, {}, { key })), expected(200))
    for (const state of ['rejected', 'approved'])
      assert.equal(await status(service.put(`${part}/${manager}`, { state }, { key })), expected(200))
    const peer = { employee_id: office.id('ben'), type: 'peer' }
    assert.equal(await status(service.post(part, peer, { key })), expected(201))
    assert.equal(await status(service.delete(`${part}/${of('Peer')}`, { key })), expected(204))
    assert.equal(await status(service.delete(path, { key })), expected(409))
    // What they are asked themselves they answer, also about themselves.
    if (!mine) continue
    const self = await service.put(`${path}/answers`, { answers, submit: true }, { key })
    assert.equal(self.status, 200, self.text)
    assert.equal(await status(service.post(`${part}/${of('Self')}/revise`, {}, { key })), 403)
  }
})

test('nobody can create their own review, or delete it once it is shared', async () => {
  const key = await office.key('hr', [...ADMINISTERS, 'employees:*'])
  const { id: department_id } = await service.make('/departments', { name: 'People' })
  for (const name of ['hr', 'dora']) await office.ok('PUT', `/employees/${office.id(name)}`, { department_id })
  const { path } = await office.cycle()
  assert.equal(await status(service.post(`${path}/reviews`, { employee_id: office.id('hr') }, { key })), 403)
  for (const body of [{ department_id }, { employee_ids: [office.id('hr'), office.id('dora')] }]) {
    const { body: answer } = await service.post(`${path}/reviews/bulk`, body, { key })
    assert.deepEqual(
      [answer.records.data, answer.errors.data].map((some) => some.map((one: any) => one.employee_id)),
      [[office.id('dora')], [office.id('hr')]],
    )
  }
  // Whoever is added already is there.
  const { body } = await service.post(`${path}/reviews/bulk`, { department_id })
  const again = await service.post(`${path}/reviews/bulk`, { department_id }, { key })
  assert.deepEqual(again.body, body)

  const shared = await review('hr')
  await service.put(`${shared.path}/answers`, {
    review_participant_id: shared.of('Manager'),
    answers: shared.answers,
    submit: true,
  })
  for (const action of ['close', 'finish']) await office.ok('POST', `${shared.cycle}/${action}`)
  assert.equal(await status(service.delete(shared.path, { key })), 403)
  assert.equal(await status(service.delete(shared.path)), 204)
})

test('nobody manages their own review through another key or by undo', async () => {
  const { path, of, answers } = await review('hr')
  const part = `${path}/review_participants`
  const key = await office.key('hr', ADMINISTERS)
  const headers = await signIn('hr')
  for (const employee_id of [null, office.id('boss')]) {
    const json = { name: 'Mine', permissions: ADMINISTERS, employee_id }
    const made = await service.send('POST', '/api_keys', { key: null, headers, json })
    assert.equal(made.status, 201, made.text)
    const others = { key: made.body.data.key }
    const submit = { review_participant_id: of('Manager'), answers, submit: true }
    assert.equal(await status(service.put(`${path}/answers`, submit, others)), 403, `${employee_id}`)
    assert.equal(await status(service.put(`${part}/${of('Peer')}`, { state: 'rejected' }, others)), 403)
  }
  const boss = { key: office.key('boss') }
  const undo = (answer: Answer, sending: object) => {
    assert.ok(answer.status < 300, answer.text)
    return status(service.post(`/requests/${answer.headers.get('x-request-id')}/undo`, {}, sending))
  }
  const handedIn = await service.put(`${path}/answers`, { answers, submit: true }, boss)
  assert.equal(await undo(handedIn, { key }), 403)
  assert.equal(await undo(await service.put(`${part}/${of('Peer')}`, { state: 'rejected' }), { key }), 403)
  assert.equal(await undo(await service.put(`${part}/${of('Self')}`, { state: 'rejected' }), { key }), 403)
  await office.ok('PUT', `${part}/${of('Self')}`, { state: 'approved' })
  const peer = { employee_id: office.id('carl'), type: 'peer' }
  assert.equal(await undo(await service.post(part, peer), { key }), 403)
  const next = await office.cycle()
  const added = await service.post(`${next.path}/reviews`, { employee_id: office.id('hr') })
  assert.equal(await undo(added, { key }), 403)
  assert.equal(await undo(added, {}), 200)
  // One's own answers are one's own to take back, and what somebody else decided is theirs.
  assert.equal(await undo(await service.put(`${path}/answers`, { answers, submit: true }, { key }), { key }), 200)
  assert.equal(await undo(handedIn, {}), 200)
})

test('sending a review back is undone only by somebody who may send it back, and never their own', async () => {
  const revise = (path: string, part: number, sending = {}) =>
    service.post(`${path}/review_participants/${part}/revise`, {}, sending)
  const undo = (answer: Answer, sending = {}) => {
    assert.ok(answer.status < 300, answer.text)
    return service.post(`/requests/${answer.headers.get('x-request-id')}/undo`, {}, sending)
  }
  const hr = { key: await office.key('hr', ADMINISTERS) }
  const own = await review('hr')
  const handedIn = { answers: own.answers, submit: true }
  assert.equal(await status(service.put(`${own.path}/answers`, handedIn, hr)), 200)
  const back = await revise(own.path, own.of('Self'), { key: office.key('boss') })
  assert.equal(await status(undo(back, hr)), 403)
  const undone = await undo(back)
  assert.equal(undone.status, 200, undone.text)
  assert.equal(await status(undo(undone, hr)), 403)
  assert.equal(await status(undo(undone)), 200)
  // What they hand in again is theirs to take back.
  assert.equal(await status(undo(await service.put(`${own.path}/answers`, handedIn, hr), hr)), 200)

  const others = await review('ann')
  const part = `${others.path}/review_participants`
  const { id } = await service.make(part, { employee_id: office.id('hr'), type: 'peer' })
  const handIn = { review_participant_id: id, answers: others.answers, submit: true }
  assert.equal(await status(service.put(`${others.path}/answers`, handIn, hr)), 200)
  assert.equal(await status(revise(others.path, id, hr)), 403)
  const sent = await revise(others.path, id)
  assert.equal(await status(undo(sent, hr)), 403)
  assert.equal(await status(undo(sent)), 200)
})

test('an administrator can delete and restore a cycle that includes themselves', async () => {
  const key = await office.key('hr', ADMINISTERS)
  const { path } = await office.cycle()
  await service.make(`${path}/reviews`, { employee_id: office.id('hr') })
  const gone = await service.delete(path, { key })
  assert.equal(gone.status, 204, gone.text)
  const back = await service.post(`/requests/${gone.headers.get('x-request-id')}/undo`, {}, { key })
  assert.equal(back.status, 200, back.text)
  assert.equal((await service.get(`${path}/reviews`)).body.metadata.count, 1)
})
