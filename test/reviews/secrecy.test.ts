import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fc } from '../chance.ts'
import { type Service, startService } from '../harness.ts'
import { plansOf } from '../plans.ts'
import { type Office, openOffice } from './office.ts'

/** Who sees what of reviews, held against a model so plain that it cannot be wrong in the same way. */

let service: Service
let office: Office
before(async () => {
  service = await startService()
  office = await openOffice(service)
})
after(() => service.stop())

const READING = ['reviews:read', 'review_answers:read']
const TYPES = ['self', 'manager', 'peer', 'report'] as const
type Type = (typeof TYPES)[number]
const DEEDS = ['nothing', 'draft', 'submit', 'send back', 'reject', 'reject submitted'] as const
type ParticipantStatus = (typeof DEEDS)[number]

type Part = { id: number; person: string; type: Type; deed: ParticipantStatus; state: string; texts: string[] }
type Scene = { path: string; cycleId: number; cyclePath: string; reviewId: number; about: string; parts: Part[] }

/** What a person does with two questions, by the hand of who administers. */
async function act(scene: Scene, part: Part, mark: string, questions: number[]): Promise<void> {
  if (part.deed === 'reject') {
    await office.ok('PUT', `${scene.path}/review_participants/${part.id}`, { state: 'rejected' })
    part.state = 'rejected'
  }
  if (part.deed === 'nothing' || part.deed === 'reject') return
  part.texts = questions.map((question) => `${mark} ${part.type} ${part.id} ${question}`)
  const answers = questions.map((review_question_id, n) => ({ review_question_id, text: part.texts[n] }))
  const submit = part.deed !== 'draft'
  await office.ok('PUT', `${scene.path}/answers`, { review_participant_id: part.id, answers, submit })
  part.state = submit ? 'submitted' : 'started'
  if (part.deed === 'send back') {
    await office.ok('POST', `${scene.path}/review_participants/${part.id}/revise`)
    part.state = 'revising'
  }
  if (part.deed === 'reject submitted') {
    await office.ok('PUT', `${scene.path}/review_participants/${part.id}`, { state: 'rejected' })
    part.state = 'rejected'
  }
}

let scenes = 0
async function stage(
  about: string,
  others: [string, Type, ParticipantStatus][],
  own: [ParticipantStatus, ParticipantStatus],
  end: string,
): Promise<Scene> {
  const mark = `Zq${++scenes}`
  const { cycleId, questions } = await office.cycle([{ type: 'text' }, { type: 'text' }])
  const cyclePath = `/performance/review_cycles/${cycleId}`
  const { id: reviewId } = await service.make(`${cyclePath}/reviews`, { employee_id: office.id(about) })
  const path = `${cyclePath}/reviews/${reviewId}`
  const made = (await service.get(`${path}/review_participants`)).body.data as any[]
  for (const [person, type] of others)
    if (!made.some((one) => one.employee_id === office.id(person)))
      made.push(await service.make(`${path}/review_participants`, { employee_id: office.id(person), type }))
  const parts = made.map((one): Part => {
    const person = office.name(one.employee_id)
    const type = one.type.replace('ReviewParticipant', '').toLowerCase() as Type
    const deed = type === 'self' ? own[0] : type === 'manager' ? own[1] : others.find(([name]) => name === person)?.[2]
    return { id: one.id, person, type, deed: deed ?? 'nothing', state: 'approved', texts: [] }
  })
  await office.ok('POST', `${cyclePath}/open`)
  const scene = { path, cycleId, cyclePath, reviewId, about, parts }
  for (const part of parts) await act(scene, part, mark, questions)
  if (end !== 'opened') await office.ok('POST', `${cyclePath}/close`)
  if (end === 'finished') await office.ok('POST', `${cyclePath}/finish`)
  return scene
}

/** The model: which answers somebody sees, and of which they know the author. */
function answersFor(caller: string, { about, parts }: Scene, end: string): [string, number | null][] {
  const isAbove = office.managersOf(about).includes(caller)
  return parts.flatMap((part) => {
    const shown = (author: number | null) => part.texts.map((text): [string, number | null] => [text, author])
    if (office.seesAll(caller) || part.person === caller) return shown(part.id)
    if (part.state !== 'submitted') return []
    if (isAbove) return shown(part.id)
    if (about !== caller || end !== 'finished') return []
    return part.type === 'self' || part.type === 'manager' ? shown(part.id) : shown(null)
  })
}

function partsFor(caller: string, { about, parts }: Scene): Part[] {
  if (office.seesAll(caller) || office.managersOf(about).includes(caller)) return parts
  return parts.filter(
    ({ person, type }) => person === caller || (about === caller && (type === 'self' || type === 'manager')),
  )
}

function progressOf(parts: Part[]) {
  const asked = parts.filter(({ state }) => ['approved', 'started', 'revising', 'submitted'].includes(state))
  const figures = (some: Part[]) => ({
    participants: some.length,
    submitted: some.filter(({ state }) => state === 'submitted').length,
  })
  const byType = TYPES.map((type) => [type, figures(asked.filter((one) => one.type === type))])
  return { ...figures(asked), ...Object.fromEntries(byType) }
}

function stateOf({ parts }: Scene, end: string): string {
  const { participants, submitted } = progressOf(parts)
  if (end === 'finished') return 'shared'
  return submitted === 0 ? 'not_started' : submitted < participants ? 'partially_submitted' : 'submitted'
}

const sorted = (answers: [string, number | null][]) => answers.map((one) => JSON.stringify(one)).sort()

/** Every way to read, by one caller, against the model. */
async function lookAs(caller: string, scene: Scene, end: string, numbers: Map<string, number>): Promise<void> {
  const key = office.key(caller)
  const get = (path: string) => service.get(path, { key })
  const parts = partsFor(caller, scene)
  const answers = answersFor(caller, scene, end)
  const sees = office.seesAll(caller) || scene.about === caller || parts.length > 0
  const who = `${caller} of ${scene.about}, ${end}`

  const cycle = (await get(scene.cyclePath)).body.data
  assert.deepEqual(cycle.progress, progressOf(parts), `${who}: progress of the cycle`)
  const listed = await get(`${scene.cyclePath}/reviews`)
  const state = stateOf({ ...scene, parts }, end)
  assert.deepEqual([listed.body.metadata.count, listed.body.data.length], sees ? [1, 1] : [0, 0], who)
  const asked = await get(`${scene.cyclePath}/reviews?employee_ids[]=${office.id(scene.about)}&state=${state}`)
  assert.equal(asked.body.data.length, sees ? 1 : 0, `${who}: by state`)
  // Whom a review waits for tells who takes part: it is asked for as far as one may know that.
  const isWaiting = ({ state }: Part) => ['approved', 'started', 'revising'].includes(state)
  const nameless = scene.parts.find((one) => ['peer', 'report'].includes(one.type) && isWaiting(one))
  const { person } = nameless ?? (scene.parts[0] as Part)
  const isKnown = parts.some((one) => one.person === person && isWaiting(one))
  const waiting = await get(`${scene.cyclePath}/reviews?waiting_for_id=${office.id(person)}`)
  assert.equal(waiting.body.data.length, isKnown ? 1 : 0, `${who}: waiting for ${person}`)
  const review = await get(scene.path)
  assert.equal(review.status, sees ? 200 : 404, who)
  for (const path of ['review_participants', 'answers', 'questions'])
    assert.equal((await get(`${scene.path}/${path}`)).status, sees ? 200 : 404, `${who}: ${path}`)
  if (sees) {
    assert.deepEqual(review.body.data, listed.body.data[0])
    assert.deepEqual([review.body.data.state, review.body.data.progress], [state, progressOf(parts)], who)
    const shown = (await get(`${scene.path}/review_participants`)).body
    assert.equal(shown.metadata.count, parts.length)
    assert.deepEqual(
      shown.data.map((one: any) => one.id).sort(),
      parts.map(({ id }) => id).sort(),
      `${who}: participants`,
    )
    const told = (await get(`${scene.path}/answers`)).body
    assert.equal(told.metadata.count, answers.length)
    assert.deepEqual(
      sorted(told.data.map((one: any) => [one.text, one.review_participant_id])),
      sorted(answers),
      `${who}: answers`,
    )
  }
  for (const { id } of scene.parts) {
    const isSeen = parts.some((one) => one.id === id)
    assert.equal((await get(`${scene.path}/review_participants/${id}`)).status, isSeen ? 200 : 404, who)
  }
  for (const [text, number] of numbers) {
    const known = answers.find(([one]) => one === text)
    const answer = await get(`${scene.path}/answers/${number}`)
    assert.equal(answer.status, known ? 200 : 404, `${who}: ${text}`)
    if (known) assert.deepEqual([answer.body.data.text, answer.body.data.review_participant_id], known, who)
    if (!known || office.seesAll(caller) || scene.parts.some((one) => one.person === caller)) continue
    assert.equal((await service.put(`${scene.path}/answers/${number}`, { text: 'x' }, { key })).status, 403)
  }
}

/** A review in which something of every kind has happened, and the manager has changed since. */
const RICH = {
  about: 'carl',
  others: [
    ['dora', 'peer', 'submit'],
    ['ben', 'peer', 'draft'],
    ['eve', 'report', 'submit'],
  ] as [string, Type, ParticipantStatus][],
  own: ['submit', 'submit'] as [ParticipantStatus, ParticipantStatus],
  end: 'finished' as const,
  newManager: 'ben',
}

test('every reader sees exactly the answers and authors that a naive model allows, in every way of reading', async () => {
  const person = fc.constantFrom(...office.people)
  const deed = fc.constantFrom(...DEEDS)
  const other = fc.tuple(person, fc.constantFrom<Type>('peer', 'report', 'manager'), deed)
  const scene = fc.record({
    about: person,
    others: fc.uniqueArray(other, { maxLength: 4, selector: ([name]) => name }),
    own: fc.tuple(deed, deed),
    end: fc.constantFrom('opened', 'closed', 'finished', 'finished'),
    newManager: fc.option(person, { nil: null }),
  })
  await fc.assert(
    fc.asyncProperty(scene, async ({ about, others, own, end, newManager }) => {
      const set = await stage(
        about,
        others.filter(([name]) => name !== about),
        own,
        end,
      )
      // Sight follows the reporting line of today, whoever was the manager when the review was made.
      if (newManager !== null) await office.report(about, newManager)
      const all = (await service.get(`${set.path}/answers`)).body.data as any[]
      const numbers = new Map(all.map((one) => [one.text, one.id]))
      await Promise.all(office.callers.map((caller) => lookAs(caller, set, end, numbers)))
    }),
    { numRuns: 5, endOnFailure: true, examples: [[RICH]] },
  )
  await office.restore()
})

test('anonymous answers do not reveal their author or which were written together', async () => {
  const submit = 'submit' as const
  const set = await stage(
    'ann',
    [
      ['carl', 'peer', submit],
      ['dora', 'peer', submit],
      ['eve', 'report', submit],
    ],
    [submit, submit],
    'finished',
  )
  const key = office.key('ann')
  const answer = await service.get(`${set.path}/answers`, { key })
  const nameless = answer.body.data.filter((one: any) => one.review_participant_id === null)
  assert.equal(nameless.length, 6)
  for (const one of nameless)
    assert.deepEqual(
      Object.keys(one).sort(),
      ['comment', 'id', 'option', 'rating', 'review_participant_id', 'review_question_id', 'text', 'type'],
      'no time and no other name',
    )
  const ids = answer.body.data.map((one: any) => one.id)
  assert.ok(
    ids.every((id: number) => id > 1_000_000),
    `numbers that are not counted up: ${ids}`,
  )
  const places = answer.body.data.map((one: any) => [one.review_question_id, one.id])
  assert.deepEqual(
    places,
    places.toSorted(
      (a: number[], b: number[]) => (a[0] as number) - (b[0] as number) || (a[1] as number) - (b[1] as number),
    ),
    'in the order of questions and then of numbers, which are by chance',
  )
  const hidden = set.parts.filter(({ type }) => type === 'peer' || type === 'report')
  for (const path of ['', '/review_participants', '/answers'])
    for (const { person } of hidden) {
      const { text } = await service.get(`${set.path}${path}`, { key })
      assert.ok(!text.includes(`"employee_id":${office.id(person)},`), `${person} ${path}`)
    }
  const filtered = await service.get(`${set.path}/answers?review_participant_id=${hidden[0]?.id}`, { key })
  assert.ok(filtered.status === 400 || filtered.body.metadata.count === answer.body.metadata.count)
})

test('the review state does not reveal to the reviewed person that an anonymous participant submitted', async () => {
  const set = await stage('ann', [['carl', 'peer', 'submit']], ['nothing', 'nothing'], 'opened')
  const stateFor = async (name: string) => (await service.get(set.path, { key: office.key(name) })).body.data.state
  assert.deepEqual([await stateFor('ann'), await stateFor('boss')], ['not_started', 'partially_submitted'])
  const reviews = set.path.replace(/\/\d+$/, '')
  const found = async (name: string, state: string) =>
    (await service.get(`${reviews}?state=${state}`, { key: office.key(name) })).body.data.length
  assert.deepEqual([await found('ann', 'not_started'), await found('ann', 'partially_submitted')], [1, 0])
  assert.deepEqual([await found('boss', 'not_started'), await found('boss', 'partially_submitted')], [0, 1])
})

test('audits show review answers only to those who may see all of them', async () => {
  await stage('ann', [['carl', 'peer', 'submit']], ['nothing', 'nothing'], 'opened')
  const kinds = async (key: string) =>
    new Set((await service.get('/audits?per_page=200', { key })).body.data.map((one: any) => one.record_type))
  assert.ok((await kinds(service.key)).has('ReviewAnswer'))
  for (const key of [
    await office.key('ann', ['audits:read', 'employees:read', ...READING]),
    await service.keyWith({ permissions: ['audits:read', 'employees:read'] }),
  ])
    assert.deepEqual(
      [...(await kinds(key))].filter((kind) => /^Review(Answer|Participant)?$/.test(String(kind))),
      [],
    )
})

test('an export of a person contains their reviews as they see them', async () => {
  const set = await stage('ben', [['dora', 'peer', 'submit']], ['draft', 'submit'], 'closed')
  const written = set.parts.flatMap(({ texts }) => texts)
  const answersIn = (records: any) => records.review_answers.filter((one: any) => written.includes(one.text))
  assert.deepEqual(
    answersIn(await office.exported('ben')).map((one: any) => one.type),
    ['ReviewAnswerSelf', 'ReviewAnswerSelf'],
  )
  await office.ok('POST', `${set.cyclePath}/finish`)
  const late = await office.exported('ben')
  const peer = answersIn(late).filter((one: any) => one.type === 'ReviewAnswerPeer')
  assert.equal(peer.length, 2)
  assert.ok(peer.every((one: any) => one.review_participant_id === null && !('created_at' in one)))
  assert.ok(
    !late.review_participants.some(
      (one: any) => one.review_id === set.reviewId && one.employee_id === office.id('dora'),
    ),
  )
  const key = await office.key('boss', ['employees:read', 'reviews:read', 'review_answers:read'])
  assert.equal((await service.get(`/employees/${office.id('ben')}/export`, { key })).status, 403)
})

test('a conflict does not mention reviews to somebody who may not see them', async () => {
  await stage('ann', [['carl', 'peer', 'submit']], ['submit', 'nothing'], 'opened')
  const key = await office.key('ann', ['employees:*', 'reviews:read'])
  const told = await service.delete(`/employees/${office.id('carl')}`, { key })
  assert.equal(told.status, 409)
  assert.ok(!/review/.test(told.text), told.text)
  assert.match((await service.delete(`/employees/${office.id('carl')}`)).text, /review participants/)
})

test('answer content is hidden with the notes group and cannot be written without it', async () => {
  const set = await stage('ben', [], ['draft', 'nothing'], 'opened')
  const key = await service.keyWith({ permissions: ['*'], withheld: ['notes'] })
  const answer = await service.get(`${set.path}/answers`, { key })
  assert.equal(answer.headers.get('cadre-omitted'), 'notes')
  assert.deepEqual(Object.keys(answer.body.data[0]).sort(), [
    'id',
    'review_participant_id',
    'review_question_id',
    'type',
  ])
  const [part] = set.parts as [Part]
  const one = { review_participant_id: part.id, review_question_id: answer.body.data[0].review_question_id, text: 'x' }
  assert.equal((await service.post(`${set.path}/answers`, one, { key })).status, 403)
  const all = { review_participant_id: part.id, answers: [one] }
  assert.equal((await service.put(`${set.path}/answers`, all, { key })).status, 403)
})

test('a personal key cannot create a key that sees the reviews of others', async () => {
  const rights = ['keys:*', 'reviews:read', 'review_answers:*']
  const own = await office.key('carl', rights)
  const ask = (values: object) => service.post('/api_keys', { name: 'More', ...values }, { key: own })
  for (const employee_id of [null, office.id('boss')]) {
    const refused = await ask({ permissions: ['reviews:read'], employee_id })
    assert.deepEqual([refused.status, refused.body.errors[0]?.field], [422, 'employee_id'], refused.text)
    assert.equal((await ask({ permissions: ['keys:write'], employee_id })).status, 201)
  }
  assert.equal((await ask({ permissions: ['reviews:read'], employee_id: office.id('carl') })).status, 201)
  const itself = (await service.get('/api_keys')).body.data.find((one: any) => one.name === 'carl keys:*')
  assert.equal((await service.put(`/api_keys/${itself.id}`, { employee_id: null }, { key: own })).status, 422)

  const free = await service.make('/api_keys', { name: 'Free', permissions: rights })
  const child = (await service.post('/api_keys', { name: 'Child', permissions: ['reviews:read'] }, { key: free.key }))
    .body.data
  await service.put(`/api_keys/${free.id}`, { employee_id: office.id('carl') })
  assert.deepEqual((await service.get(`/api_keys/${child.id}`)).body.data.permissions, [])
})

test('review queries of a person use indexes', async () => {
  const set = await stage('carl', [['dora', 'peer', 'submit']], ['submit', 'submit'], 'finished')
  const asCarl = { ...service, get: (path: string) => service.get(path, { key: office.key('carl') }) }
  for (const path of ['', '/review_participants', '/answers'])
    for (const { statement, scans } of await plansOf(asCarl, `${set.path}${path}`))
      assert.deepEqual(scans, [], statement)
})
