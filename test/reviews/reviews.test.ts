import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { daysAfter } from '../../src/engine/day.ts'
import { type Answer, type Service, startService } from '../harness.ts'
import { type Office, openOffice } from './office.ts'

let service: Service
let office: Office
/** The service's clock: real time, moved by some days. */
let shift = 0
const now = () => new Date(Date.now() + shift)
const TODAY = new Date().toISOString().slice(0, 10)

before(async () => {
  service = await startService({ clock: now })
  office = await openOffice(service)
})
after(() => service.stop())

const codes = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map((one: any) => `${one.field} ${one.code}`),
]

/** A cycle with a review of somebody, opened. */
async function review(name: string, questions: object[] = [{ type: 'text' }], more: object = {}) {
  const cycle = await office.cycle(questions)
  const made = await service.make(`${cycle.path}/reviews`, { employee_id: office.id(name), ...more })
  await office.ok('POST', `${cycle.path}/open`)
  const path = `${cycle.path}/reviews/${made.id}`
  const parts = (await service.get(`${path}/review_participants`)).body.data as any[]
  const of = (type: string) => parts.find((one) => one.type === `ReviewParticipant${type}`)
  return { ...cycle, cyclePath: cycle.path, path, parts, of, question: cycle.questions[0] as number }
}

test('a competency has ordered levels that keep their ids when sent again', async () => {
  const made = await service.make('/competencies', {
    name: 'Patience',
    type: 'leadership',
    levels: [{ name: 'Some' }, { name: 'Much', description: 'Waits' }],
  })
  assert.deepEqual(
    made.levels.map((one: any) => [one.level, one.name, one.description]),
    [
      [1, 'Some', ''],
      [2, 'Much', 'Waits'],
    ],
  )
  const [some, much] = made.levels
  const changed = await service.put(`/competencies/${made.id}`, {
    levels: [{ name: 'None' }, { id: some.id, name: 'A little' }, { name: 'Much' }],
  })
  assert.deepEqual(
    changed.body.data.levels.map((one: any) => [one.level, one.id, one.name]),
    [
      [1, much.id + 1, 'None'],
      [2, some.id, 'A little'],
      [3, much.id, 'Much'],
    ],
  )
  assert.deepEqual(codes(await service.post('/competencies', { name: 'patience', type: 'other' })), [
    422,
    'type not_allowed',
    'name taken',
  ])
  const twice = { name: 'X', levels: [{ name: 'A', level: 1 }, { name: 'B', level: 1 }, { level: 3 }] }
  assert.deepEqual(codes(await service.post('/competencies', twice)), [
    422,
    'levels[2].name required',
    'levels[1].level taken',
  ])
  const { path } = await office.cycle([{ type: 'text', competency_id: made.id }])
  assert.equal((await service.delete(`/competencies/${made.id}`)).status, 409)
  await office.ok('DELETE', path)
  assert.equal((await service.delete(`/competencies/${made.id}`)).status, 204)
})

test('a cycle moves from draft to opened, closed and finished, back only from closed; other moves are 409', async () => {
  const { path } = await office.cycle([])
  const move = async (action: string) => (await service.post(`${path}/${action}`)).status
  assert.equal(await move('open'), 409, 'without questions')
  await service.make(`${path}/questions`, { type: 'text', title: 'Q' })
  const walk = ['open', 'close', 'reopen', 'close', 'finish']
  const allowed: Record<string, string[]> = {
    draft: ['open'],
    opened: ['close'],
    closed: ['reopen', 'finish'],
    finished: [],
  }
  for (const next of [...walk, null]) {
    const { state } = (await service.get(path)).body.data
    for (const action of ['open', 'close', 'reopen', 'finish'])
      if (!allowed[state]?.includes(action)) assert.equal(await move(action), 409, `${action} from ${state}`)
    if (next) assert.equal(await move(next), 200, `${next} from ${state}`)
  }
  assert.equal((await service.put(path, { state: 'draft' })).body.data.state, 'finished', 'by no other way')
  assert.equal((await service.put(path, { ends_on: '2040-01-01' })).status, 409)
  assert.equal((await service.put(path, { name: 'Renamed', description: null })).body.data.description, null)
})

test('cycle dates must be in order and can be filtered by range; an empty result is a list', async () => {
  const bad = {
    name: 'Bad',
    starts_on: '2031-05-02',
    ends_on: '2031-05-01',
    deadline_on: '2031-04-01',
    review_period_starts_on: '2031-02-01',
    review_period_ends_on: '2031-01-01',
  }
  assert.deepEqual(codes(await service.post('/performance/review_cycles', bad)), [
    422,
    'ends_on too_early',
    'deadline_on too_early',
    'review_period_ends_on too_early',
  ])
  await office.cycle([], { starts_on: '2031-05-01', ends_on: '2031-05-20' })
  const count = async (query: string) => (await service.get(`/performance/review_cycles?${query}`)).body.data.length
  assert.equal(await count('starts_on[gte]=2031-05-01&ends_on[lte]=2031-05-20&state=draft'), 1)
  assert.equal(await count('starts_on[gte]=2031-05-02&ends_on[lte]=2031-05-20'), 0)
  const none = await service.get('/performance/review_cycles?starts_on[gte]=2099-01-01')
  assert.deepEqual([none.body.data, none.body.metadata.count], [[], 0])
})

test('questions are validated by type, accept short and long type names, and cannot change once the cycle is open', async () => {
  const { path, questions } = await office.cycle([{ type: 'text' }])
  const ask = (body: object) => service.post(`${path}/questions`, { title: 'T', ...body })
  const scale = (await ask({ type: 'ReviewTemplateQuestionScale', position: 1 })).body.data
  assert.deepEqual(
    [scale.type, scale.scale_min, scale.scale_max, scale.options],
    ['ReviewTemplateQuestionScale', 1, 5, []],
  )
  const choice = (await ask({ type: 'choice', options: ['a', 'b'], participant_types: ['peer'] })).body.data
  assert.deepEqual([choice.type, choice.position], ['ReviewTemplateQuestionChoice', 2])
  assert.deepEqual(codes(await ask({ type: 'choice', options: ['a', 'a'] })), [422, 'options too_few'])
  assert.deepEqual(codes(await ask({ type: 'scale', scale_min: 5, scale_max: 5 })), [422, 'scale_max too_small'])
  assert.deepEqual(codes(await ask({ type: 'text', scale_max: 5, options: ['a'], participant_types: [] })), [
    422,
    'scale_max not_allowed',
    'options not_allowed',
    'participant_types too_few',
  ])
  const turned = await service.put(`${path}/questions/${scale.id}`, { type: 'text' })
  assert.deepEqual([turned.body.data.type, turned.body.data.scale_min], ['ReviewTemplateQuestionText', null])
  await office.ok('PUT', `${path}/questions/${choice.id}`, { position: 1 })
  const ids = async () => (await service.get(`${path}/questions`)).body.data.map((one: any) => one.id)
  assert.deepEqual(await ids(), [questions[0], scale.id, choice.id])
  await office.ok('POST', `${path}/open`)
  const place = `${path}/questions/${choice.id}`
  assert.deepEqual(
    [
      (await ask({ type: 'text' })).status,
      (await service.put(place, { title: 'U' })).status,
      (await service.delete(place)).status,
    ],
    [409, 409, 409],
  )
})

test("a review adds the employee and their manager on the cycle's date, once, and not for leavers", async () => {
  const boss = await service.hire({ hired_on: '2020-01-01' })
  const next = await service.hire({ hired_on: '2020-01-01' })
  const { id } = await service.hire({ hired_on: '2020-01-01', reporting_to_id: boss.id })
  await service.make(`/employees/${id}/positions`, { effective_from: daysAfter(TODAY, 30), reporting_to_id: next.id })
  const later = await office.cycle([], { starts_on: daysAfter(TODAY, 40), ends_on: daysAfter(TODAY, 60) })
  const sooner = await office.cycle([], { starts_on: daysAfter(TODAY, -40), ends_on: daysAfter(TODAY, 60) })
  const managerIn = async (path: string) => {
    const made = await service.make(`${path}/reviews`, { employee_id: id })
    const parts = (await service.get(`${path}/reviews/${made.id}/review_participants`)).body.data
    assert.deepEqual(
      parts.map((one: any) => [one.type, one.state]),
      [
        ['ReviewParticipantSelf', 'approved'],
        ['ReviewParticipantManager', 'approved'],
      ],
    )
    return parts[1].employee_id
  }
  assert.deepEqual([await managerIn(later.path), await managerIn(sooner.path)], [next.id, boss.id])
  assert.deepEqual(codes(await service.post(`${later.path}/reviews`, { employee_id: id })), [422, 'employee_id taken'])
  const gone = await service.hire({ hired_on: '2020-01-01' })
  await service.post(`/employees/${gone.id}/terminate`, { effective_from: daysAfter(TODAY, 20) })
  assert.deepEqual(codes(await service.post(`${later.path}/reviews`, { employee_id: gone.id })), [
    422,
    'employee_id terminated',
  ])
  assert.equal((await service.post(`${sooner.path}/reviews`, { employee_id: gone.id })).status, 201, 'still here then')
  const coming = await service.hire({ hired_on: daysAfter(TODAY, 100) })
  assert.deepEqual(codes(await service.post(`${later.path}/reviews`, { employee_id: coming.id })), [
    422,
    'employee_id not_hired',
  ])
})

test('adding reviews by name or department takes a constant number of statements', async () => {
  const top = await service.make('/departments', { name: 'Works' })
  const below = await service.make('/departments', { name: 'Line', parent_id: top.id })
  const head = await service.hire({ hired_on: '2020-01-01', department_id: top.id })
  const hands: number[] = []
  for (let n = 0; n < 6; n++)
    hands.push((await service.hire({ hired_on: '2020-01-01', department_id: below.id, reporting_to_id: head.id })).id)
  const { path } = await office.cycle([])
  const add = (body: object) => service.post(`${path}/reviews/bulk`, body)
  let statements = 0
  service.onStatement = () => statements++
  const answer = await add({ department_id: top.id, with_reports: true })
  service.onStatement = undefined
  assert.ok(statements < 30, `${statements} statements`)
  assert.deepEqual([answer.status, answer.body.records.count, 'errors' in answer.body], [200, 7, false])
  const headReview = answer.body.records.data.find((one: any) => one.employee_id === head.id).review_id
  const { progress } = (await service.get(`${path}/reviews/${headReview}`)).body.data
  assert.deepEqual(
    [progress.self, progress.manager, progress.report].map((one) => one.participants),
    [1, 0, 6],
  )
  const again = await add({ employee_ids: [hands[0], 987_654, hands[0]] })
  assert.deepEqual(
    [again.body.records.count, again.body.errors.count, again.body.errors.data[0].employee_id],
    [1, 1, 987_654],
  )
  assert.equal((await service.get(`${path}/reviews`)).body.metadata.count, 7)
  assert.deepEqual(codes(await add({})), [422, 'employee_ids required'])
  assert.equal((await add({ employee_ids: [] })).body.records.count, 0, 'nobody is not everybody')
  assert.deepEqual(codes(await add({ department_id: 987_654 })), [422, 'department_id not_found'])
})

test('each person participates once, and only the reviewed person as self', async () => {
  const { path, parts } = await review('ann')
  const add = (name: string, type: string, more: object = {}) =>
    service.post(`${path}/review_participants`, { employee_id: office.id(name), type, ...more })
  assert.deepEqual(codes(await add('ann', 'peer')), [422, 'type not_allowed', 'employee_id taken'])
  assert.deepEqual(codes(await add('carl', 'self')), [422, 'employee_id not_allowed'])
  assert.deepEqual(codes(await add('boss', 'peer')), [422, 'employee_id taken'])
  assert.deepEqual(codes(await add('carl', 'peer', { state: 'submitted' })), [422, 'state not_allowed'])
  const peer = (await add('carl', 'ReviewParticipantPeer', { state: 'pending' })).body.data
  assert.deepEqual([peer.type, peer.state, peer.review_id], ['ReviewParticipantPeer', 'pending', parts[0].review_id])
  const put = (state: string) => service.put(`${path}/review_participants/${peer.id}`, { state })
  assert.equal((await service.get(path)).body.data.progress.peer.participants, 0, 'who waits is not asked yet')
  for (const [state, status] of [
    ['submitted', 422],
    ['', 422],
    ['approved', 200],
    ['approved', 200],
    ['rejected', 200],
    ['pending', 409],
    ['approved', 200],
  ] as const)
    assert.equal((await put(state)).status, status, state)
  assert.equal((await service.delete(`${path}/review_participants/${peer.id}`)).status, 204)
})

test('an answer must fit its question, is given once, and only by the asked participants', async () => {
  const { path, questions, of } = await review('ann', [
    { type: 'text' },
    { type: 'scale', scale_min: 1, scale_max: 3 },
    { type: 'choice', options: ['Yes', 'No'], required: false },
    { type: 'text', participant_types: ['manager'] },
  ])
  const [text, scale, choice, managers] = questions
  const key = office.key('ann')
  const say = (review_question_id: number | undefined, body: object) =>
    service.post(`${path}/answers`, { review_question_id, ...body }, { key })
  assert.deepEqual(codes(await say(text, { rating: 1 })), [422, 'rating not_allowed', 'text required'])
  assert.deepEqual(codes(await say(text, { text: '  ' })), [422, 'text required'])
  for (const rating of [0, 4]) assert.deepEqual(codes(await say(scale, { rating })), [422, 'rating out_of_range'])
  assert.deepEqual(codes(await say(scale, { rating: 2.5 })), [422, 'rating wrong_type'])
  assert.deepEqual(codes(await say(choice, { option: 'yes' })), [422, 'option not_allowed'])
  assert.deepEqual(codes(await say(managers, { text: 'x' })), [422, 'review_question_id not_allowed'])
  assert.deepEqual(codes(await say(987_654, { text: 'x' })), [422, 'review_question_id not_found'])
  const made = (await say(scale, { rating: 2, comment: 'So' })).body.data
  assert.deepEqual([made.type, made.rating, made.review_participant_id], ['ReviewAnswerSelf', 2, of('Self').id])
  assert.deepEqual(codes(await say(scale, { rating: 2 })), [422, 'review_question_id taken'])
  assert.deepEqual(codes(await service.put(`${path}/answers/${made.id}`, { rating: null }, { key })), [
    422,
    'rating required',
  ])
  assert.equal((await service.put(`${path}/answers/${made.id}`, { rating: 3 }, { key })).body.data.rating, 3)
  const participant = async () => (await service.get(`${path}/review_participants/${of('Self').id}`)).body.data
  assert.equal((await participant()).state, 'started')
  const submit = () => service.post(`${path}/review_participants/${of('Self').id}/submit`, {}, { key })
  assert.deepEqual(
    (await submit()).body.errors.map((one: any) => one.message),
    [`answers must contain an answer to question ${text}`],
  )
  const all = (answers: object[]) => service.put(`${path}/answers`, { answers, submit: true }, { key })
  const broken = [
    { review_question_id: text, text: 'T' },
    { review_question_id: text, text: 'T' },
    { review_question_id: choice },
  ]
  assert.deepEqual(codes(await all(broken)), [422, 'answers[1].review_question_id taken', 'answers[2].option required'])
  const given = await all([
    { review_question_id: text, text: 'T' },
    { review_question_id: scale, rating: 1 },
  ])
  assert.deepEqual(
    given.body.data.map((one: any) => [one.text, one.rating, one.comment]),
    [
      ['T', null, null],
      [null, 1, 'So'],
    ],
  )
  const { state, submitted_by_id, submitted_at } = await participant()
  assert.deepEqual([state, submitted_by_id], ['submitted', office.id('ann')])
  assert.ok(submitted_at)
})

test('a submitted review can be sent back only by an administrator or a manager, not by oneself', async () => {
  const { path, question, of } = await review('carl')
  const say = (name: string, text: string) =>
    service.put(
      `${path}/answers`,
      { answers: [{ review_question_id: question, text }], submit: true },
      { key: office.key(name) },
    )
  assert.equal((await say('carl', 'One')).status, 200)
  const [answer] = (await service.get(`${path}/answers`)).body.data
  const key = office.key('carl')
  assert.equal((await say('carl', 'Two')).status, 409)
  assert.equal((await service.put(`${path}/answers/${answer.id}`, { text: 'Two' }, { key })).status, 409)
  assert.equal((await service.delete(`${path}/answers/${answer.id}`, { key })).status, 409)
  const sendBack = (name: string, type = 'Self') =>
    service.post(`${path}/review_participants/${of(type).id}/revise`, {}, { key: office.key(name) })
  assert.deepEqual([(await sendBack('carl')).status, (await sendBack('dora')).status], [403, 404])
  const program = await service.keyWith({ permissions: ['reviews:read', 'review_answers:*'] })
  const place = `${path}/review_participants/${of('Self').id}`
  assert.equal((await service.post(`${place}/revise`, {}, { key: program })).status, 403, 'nobody is above nobody')
  assert.equal((await service.post(`${place}/submit`, {}, { key: program })).status, 403)
  assert.equal((await sendBack('boss')).body.data.state, 'revising')
  assert.equal((await sendBack('boss')).status, 409)
  assert.equal((await say('carl', 'Two')).status, 200)
  assert.equal((await say('ann', 'Mine')).status, 200)
  assert.equal((await sendBack('ann', 'Manager')).status, 403, 'not one’s own')
  assert.equal((await sendBack('carl', 'Manager')).status, 403, 'nor what is about oneself')
  assert.deepEqual((await service.get(`${path}/answers`)).body.data.map((one: any) => one.text).sort(), ['Mine', 'Two'])
})

test('participants answer for themselves; an administrator may answer for others and is recorded', async () => {
  const { path, question, of } = await review('carl')
  const answers = [{ review_question_id: question, text: 'T' }]
  const put = (name: string, body: object = {}) =>
    service.put(`${path}/answers`, { answers, submit: true, ...body }, { key: office.key(name) })
  const forbidden = 'review_participant_id not_found'
  for (const id of [of('Self').id, 987_654])
    assert.deepEqual(codes(await put('ann', { review_participant_id: id })), [422, forbidden], 'the same for both')
  assert.equal((await put('dora')).status, 404, 'who does not take part does not see it')
  assert.deepEqual(codes(await put('boss')), [422, 'review_participant_id required'])
  assert.equal((await put('nobody', { review_participant_id: of('Self').id })).status, 403)
  assert.equal((await put('hr', { review_participant_id: of('Self').id })).status, 200)
  const part = (await service.get(`${path}/review_participants/${of('Self').id}`)).body.data
  assert.deepEqual([part.employee_id, part.submitted_by_id], [office.id('carl'), office.id('hr')])
  const reading = await office.key('ann', ['reviews:read', 'review_answers:read'])
  assert.equal((await service.put(`${path}/answers`, { answers }, { key: reading })).status, 403)
})

test("answers are accepted until the last day in the account's time zone, while the cycle is open", async () => {
  const { path, cyclePath, question } = await review('carl')
  const say = (text: string) =>
    service.put(`${path}/answers`, { answers: [{ review_question_id: question, text }] }, { key: office.key('carl') })
  await office.ok('PUT', cyclePath, { ends_on: TODAY })
  try {
    // The account is in UTC: its last day ends at midnight there.
    shift = Date.parse(`${TODAY}T23:59:59.000Z`) - Date.now()
    assert.equal((await say('In time')).status, 200)
    shift = Date.parse(`${daysAfter(TODAY, 1)}T00:00:01.000Z`) - Date.now()
    assert.equal((await say('Late')).status, 409)
    assert.equal((await office.ok('PUT', cyclePath, { ends_on: daysAfter(TODAY, 1) })).state, 'opened')
    assert.equal((await say('Again in time')).status, 200)
  } finally {
    shift = 0
  }
  await office.ok('POST', `${cyclePath}/close`)
  assert.equal((await say('Closed')).status, 409)
  await office.ok('POST', `${cyclePath}/reopen`)
  assert.equal((await say('Reopened')).status, 200)
})

test('progress and states always follow the participants', async () => {
  const { path, cyclePath, question, of } = await review('ann')
  const peer = await service.make(`${path}/review_participants`, { employee_id: office.id('eve'), type: 'peer' })
  const look = async () => {
    const { state, progress } = (await service.get(path)).body.data
    const cycle = (await service.get(cyclePath)).body.data.progress
    assert.deepEqual(cycle, progress)
    const found = await service.get(`${cyclePath}/reviews?state=${state}`)
    assert.equal(found.body.data.length, 1, `found by ${state}`)
    return [state, progress.submitted, progress.participants]
  }
  const submit = (review_participant_id: number) =>
    office.ok('PUT', `${path}/answers`, {
      review_participant_id,
      answers: [{ review_question_id: question, text: 'T' }],
      submit: true,
    })
  assert.deepEqual(await look(), ['not_started', 0, 3])
  await submit(of('Self').id)
  assert.deepEqual(await look(), ['partially_submitted', 1, 3])
  await submit(of('Manager').id)
  await office.ok('PUT', `${path}/review_participants/${peer.id}`, { state: 'rejected' })
  assert.deepEqual(await look(), ['submitted', 2, 2])
  await office.ok('POST', `${path}/review_participants/${of('Self').id}/revise`)
  assert.deepEqual(await look(), ['partially_submitted', 1, 2])
  await office.ok('POST', `${cyclePath}/close`)
  assert.equal((await service.post(`${path}/review_participants/${of('Manager').id}/revise`)).status, 409)
  assert.equal((await service.put(`${path}/review_participants/${peer.id}`, { state: 'approved' })).status, 409)
  await office.ok('POST', `${cyclePath}/finish`)
  assert.deepEqual(await look(), ['shared', 1, 2])
})

test('answered parts cannot be deleted before the cycle is finished; a finished cycle can be deleted as a whole', async () => {
  const { path, cyclePath, question, of } = await review('ann')
  await office.ok('PUT', `${path}/answers`, {
    review_participant_id: of('Self').id,
    answers: [{ review_question_id: question, text: 'T' }],
  })
  for (const place of [cyclePath, path, `${path}/review_participants/${of('Self').id}`])
    assert.equal((await service.delete(place)).status, 409, place)
  assert.equal((await service.delete(`${path}/review_participants/${of('Manager').id}`)).status, 204)
  await office.ok('POST', `${cyclePath}/close`)
  await office.ok('POST', `${cyclePath}/finish`)
  // What is shared stays as it was shared.
  assert.equal((await service.delete(`${path}/review_participants/${of('Self').id}`)).status, 409)
  assert.equal((await service.delete(cyclePath)).status, 204)
  for (const place of [cyclePath, path, `${path}/answers`]) assert.equal((await service.get(place)).status, 404)
})

test('erasing a person deletes their reviews and anonymises their answers about others', async () => {
  const people = await Promise.all([1, 2, 3].map(() => service.hire({ hired_on: '2020-01-01' })))
  const [about, one, two] = people.map(({ id }) => id) as [number, number, number]
  const cycle = await office.cycle()
  const paths: string[] = []
  for (const employee_id of [about, one])
    paths.push(`${cycle.path}/reviews/${(await service.make(`${cycle.path}/reviews`, { employee_id })).id}`)
  await office.ok('POST', `${cycle.path}/open`)
  const [kept, gone] = paths as [string, string]
  for (const employee_id of [one, two]) await service.make(`${kept}/review_participants`, { employee_id, type: 'peer' })
  const all = (await service.get(`${kept}/review_participants`)).body.data
  for (const { id } of all)
    await office.ok('PUT', `${kept}/answers`, {
      review_participant_id: id,
      answers: [{ review_question_id: cycle.questions[0], text: `ZqOf${id}` }],
      submit: true,
    })
  const past = async () =>
    JSON.stringify(
      await service.database.query((sql) => sql.selectFrom('ledger').select(['before', 'after']).execute()),
    )
  assert.match(await past(), /ZqOf/)
  for (const id of [one, two]) assert.equal((await service.delete(`/employees/${id}?erase=true`)).status, 204)
  assert.equal((await service.get(gone)).status, 404)
  const left = (await service.get(`${kept}/review_participants`)).body.data
  assert.equal(left.length, 3)
  const names = await Promise.all(
    left.slice(1).map(async (part: any) => (await service.get(`/employees/${part.employee_id}`)).body.data.full_name),
  )
  assert.deepEqual(names, ['Erased person', 'Erased person'])
  assert.equal((await service.get(`${kept}/answers`)).body.data.length, 3)
  assert.equal((await service.delete(`/employees/${about}?erase=true`)).status, 204)
  assert.equal((await service.get(kept)).status, 404)
  assert.doesNotMatch(await past(), /ZqOf/, 'nor does the ledger know what was said of them')
})

test('concurrent answers to one question leave one answer', async () => {
  const { path, question } = await review('dora')
  const say = () =>
    service.post(`${path}/answers`, { review_question_id: question, text: 'T' }, { key: office.key('dora') })
  const answers = await Promise.all([say(), say(), say(), say()])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422, 422])
  const added = await Promise.all(
    [1, 2, 3].map(() => service.post(`${path}/review_participants`, { employee_id: office.id('eve'), type: 'peer' })),
  )
  assert.deepEqual(added.map(({ status }) => status).sort(), [201, 422, 422])
})
