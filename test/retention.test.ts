import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eraseAllDue } from '../src/domain/privacy/command-line.ts'
import { openService } from '../src/service.ts'
import type { Service } from './harness.ts'
import { type Office, openOffice } from './recruitment/office.ts'

/** How long the data of people is kept, and that nobody is erased who is not due. */

let office: Office
let service: Service
let now = new Date('2030-01-31T12:00:00Z')
const goTo = (day: string) => {
  now = new Date(`${day}T12:00:00Z`)
}
before(async () => {
  office = await openOffice({ clock: () => now })
  service = office.service
})
after(() => service.stop())

async function keep(rules: object): Promise<void> {
  const answer = await service.put('/retention', rules)
  assert.equal(answer.status, 200, answer.text)
}
const due = async (query = '') => (await service.get(`/retention/due${query}`)).body.data as any[]
const idsDue = async (kind: string) => (await due(`?kind=${kind}`)).map(({ id }) => id)
const erase = (kind: string, ids: number[], headers: Record<string, string> = {}) =>
  service.post('/retention/erasures', { kind, ids }, { headers })
const gone = async (id: number, path = '/recruitment/candidates') => (await service.get(`${path}/${id}`)).status === 404

async function leaver(day: string): Promise<number> {
  const { id } = await service.hire({ hired_on: '2020-01-01' })
  const answer = await service.post(`/employees/${id}/terminate`, { effective_from: day })
  assert.equal(answer.status, 200, answer.text)
  return id
}

test('without a retention rule nobody is due or erased', async () => {
  const { id } = await office.candidate()
  const left = await leaver('2021-01-01')
  goTo('2080-01-01')
  assert.deepEqual((await service.get('/retention')).body.data, { candidate_months: null, employee_months: null })
  assert.deepEqual(await due(), [])
  for (const [kind, one] of [
    ['candidates', id],
    ['employees', left],
  ] as const) {
    const { body } = await erase(kind, [one])
    assert.deepEqual([body.records.count, body.errors.data[0].errors[0].code], [0, 'not_due'])
  }
  goTo('2030-01-31')
  await service.delete(`/recruitment/candidates/${id}`)
  await service.delete(`/employees/${left}?erase=true`)
})

test('retention rules are whole months, have a history, and can be undone', async () => {
  for (const candidate_months of [0, -1, 1201, 1.5, 'six', '']) {
    const { status } = await service.put('/retention', { candidate_months, employee_months: 12 })
    assert.equal(status, candidate_months === '' ? 200 : 422, String(candidate_months))
  }
  await keep({ candidate_months: 6, employee_months: null })
  const stale = (await service.get('/retention')).headers.get('etag') as string
  await keep({ candidate_months: 7 })
  assert.equal((await service.put('/retention', {}, { headers: { 'if-match': stale } })).status, 412)
  const last = (await service.get('/changes')).body.metadata.last
  const { record_id } = (await service.get(`/changes/${last}`)).body.data
  assert.match(
    (await service.get(`/retention_rules/${record_id}/history`)).body.data[0].sentence,
    /candidate months 6 → 7/,
  )
  assert.equal((await service.post(`/changes/${last}/undo`)).status, 200)
  assert.deepEqual((await service.get('/retention')).body.data, { candidate_months: 6, employee_months: null })
})

test('undo never creates a second settings record', async () => {
  const other = await service.otherAccount()
  const send = { key: other.key }
  const last = async () => (await service.get('/changes', send)).body.metadata.last
  for (const [path, one, two] of [
    ['/retention', { employee_months: 1 }, { employee_months: 2 }],
    ['/recruitment/settings', { careers_heading: 'A' }, { careers_heading: 'B' }],
  ] as const) {
    await service.put(path, one, send)
    assert.equal((await service.post(`/changes/${await last()}/undo`, {}, send)).status, 200)
    const undo = await last()
    await service.put(path, two, send)
    assert.equal((await service.post(`/changes/${undo}/undo`, {}, send)).status, 409, path)
  }
})

test('candidates are due a number of months after their last application was closed', async () => {
  goTo('2030-01-31')
  await keep({ candidate_months: 1, employee_months: null })
  const vacancy = await office.vacancy()
  const path = await office.apply(vacancy.id, (await office.candidate({ full_name: 'Ada' })).id)
  const { id } = (await office.show(path)).applicant
  goTo('2031-01-31')
  assert.deepEqual(await due(), [], 'while an application is open nobody is due')
  assert.equal((await service.post(`${path}/disqualify`)).status, 200)
  // A later change of the person is none of the application.
  goTo('2031-02-20')
  await service.put(`/recruitment/candidates/${id}`, { position: 'Poet' })
  goTo('2031-02-28')
  assert.deepEqual(await due(), [])
  goTo('2031-03-01')
  assert.deepEqual(await due(), [
    {
      kind: 'candidates',
      id,
      full_name: 'Ada',
      due_on: '2031-03-01',
      reason: 'application_closed',
      reason_on: '2031-01-31',
    },
  ])
  const again = await office.apply((await office.vacancy()).id, id)
  assert.deepEqual(await due(), [])
  assert.equal((await erase('candidates', [id])).body.records.count, 0)
  await service.post(`${again}/disqualify`)
  goTo('2031-04-01')
  assert.deepEqual(await idsDue('candidates'), [id])
})

test('an application is closed with its vacancy, and a hired person is no candidate', async () => {
  await keep({ candidate_months: 1 })
  for (const id of await idsDue('candidates')) await erase('candidates', [id])
  const vacancy = await office.vacancy({ positions: 2 })
  const [one, two] = [await office.candidate(), await office.candidate()]
  await office.apply(vacancy.id, one.id)
  const path = await office.apply(vacancy.id, two.id)
  const hired = await service.post(`${path}/hire`, { hired_on: '2031-04-02' })
  assert.ok(hired.status < 300, hired.text)
  goTo('2031-06-01')
  assert.deepEqual(await due(), [])
  assert.equal((await service.put(`/recruitment/vacancies/${vacancy.id}`, { state: 'cancelled' })).status, 200)
  goTo('2031-06-30')
  assert.deepEqual(await due(), [])
  goTo('2031-07-01')
  assert.deepEqual(await idsDue('candidates'), [one.id])
  goTo('2041-07-01')
  assert.deepEqual(await idsDue('candidates'), [one.id])
  await erase('candidates', [one.id])
})

test('without applications the last change counts, and nobody is due before their consent ends', async () => {
  await keep({ candidate_months: 2 })
  goTo('2042-01-10')
  const plain = await office.candidate()
  const kept = await office.candidate()
  const future = await office.candidate()
  const refused = await office.candidate()
  const forGood = await office.candidate()
  const consent = async (id: number, which: string, json: object) => {
    const answer = await service.post(`/recruitment/candidates/${id}/consent`, { kind: which, ...json })
    assert.ok(answer.status < 300, answer.text)
  }
  const until = { status: 'consented', expires_on: '2042-06-01' }
  await consent(kept.id, 'processing', until)
  await consent(future.id, 'future_recruitment', until)
  await consent(forGood.id, 'processing', { status: 'consented' })
  await consent(forGood.id, 'future_recruitment', { status: 'consented' })
  await consent(refused.id, 'processing', until)
  await consent(refused.id, 'processing', { status: 'rejected' })
  goTo('2042-03-09')
  assert.deepEqual(await due(), [])
  goTo('2042-03-10')
  assert.deepEqual(await idsDue('candidates'), [plain.id, refused.id])
  goTo('2042-05-31')
  assert.deepEqual(await idsDue('candidates'), [plain.id, refused.id])
  goTo('2042-06-01')
  assert.deepEqual(await idsDue('candidates'), [plain.id, kept.id, future.id, refused.id])
  const [first, second] = await due()
  assert.deepEqual([first.due_on, first.reason], ['2042-03-10', 'last_changed'])
  assert.deepEqual([second.due_on, second.reason, second.reason_on], ['2042-06-01', 'consent_ended', '2042-06-01'])
  // To be asked about other vacancies without an end means until it is taken back.
  await consent(forGood.id, 'future_recruitment', { status: 'rejected' })
  goTo('2042-08-02')
  assert.ok((await idsDue('candidates')).includes(forGood.id))
})

test('only people who are due are erased, and a dry run erases nobody', async () => {
  const [one, two, three] = (await idsDue('candidates')) as [number, number, number]
  await service.put(`/recruitment/candidates/${two}`, { position: 'Back' })
  const ids = [one, two, one, 999_999]
  const trial = await erase('candidates', ids, { prefer: 'dry-run' })
  assert.equal(trial.status, 200, trial.text)
  assert.equal(await gone(one), false)
  const { status, body } = await erase('candidates', ids)
  assert.equal(status, 200)
  assert.deepEqual(body.records, { count: 1, data: [{ id: one }] })
  assert.deepEqual(
    body.errors.data.map((error: any) => [error.index, error.id, error.errors[0].code]),
    [
      [1, two, 'not_due'],
      [2, one, 'repeated'],
      [3, 999_999, 'not_due'],
    ],
  )
  assert.deepEqual([await gone(one), await gone(two), await gone(three)], [true, false, false])
  for (const wrong of [
    { kind: 'candidates', ids: [] },
    { kind: 'people', ids: [1] },
    { ids: [1] },
    { kind: 'candidates' },
  ])
    assert.equal((await service.post('/retention/erasures', wrong)).status, 422)
  const many = Array.from({ length: 51 }, (_, n) => n + 1)
  assert.equal((await erase('candidates', many)).status, 422)
  const last = (await service.get('/audits')).body.data[0]
  assert.equal((await service.post(`/changes/${last.number}/undo`)).status, 409)
})

test('former employees are due by their termination date, and rehired ones are not', async () => {
  goTo('2043-08-31')
  await keep({ candidate_months: null, employee_months: 6 })
  const left = await leaver('2043-08-31')
  const back = await leaver('2043-08-29')
  const leaving = await leaver('2044-08-30')
  await service.hire()
  goTo('2044-02-29')
  assert.deepEqual(await idsDue('employees'), [back])
  assert.equal((await service.post(`/employees/${back}/activate`)).status, 200)
  assert.equal((await erase('employees', [back])).body.records.count, 0)
  goTo('2044-03-01')
  assert.deepEqual(
    (await due()).map(({ id, due_on, reason }) => [id, due_on, reason]),
    [[left, '2044-03-01', 'left']],
  )
  assert.equal((await erase('employees', [left, leaving])).body.records.count, 1)
  assert.deepEqual([await gone(left, '/employees'), await gone(leaving, '/employees')], [true, false])
})

test('somebody who may not erase can neither list who is due, set rules nor erase', async () => {
  await keep({ candidate_months: 1, employee_months: 1 })
  const all = ['organisation:*', 'employees:*', 'recruitment:*']
  const key = async (permissions: string[], withheld: string[] = []) => service.keyWith({ permissions, withheld })
  const statusOf = async (sent: string) => [
    (await service.get('/retention/due', { key: sent })).status,
    (await service.get('/retention/due?kind=candidates', { key: sent })).status,
    (await service.get('/retention/due?kind=employees', { key: sent })).status,
    (await service.put('/retention', { candidate_months: 1 }, { key: sent })).status,
    (await service.post('/retention/erasures', { kind: 'employees', ids: [1] }, { key: sent })).status,
  ]
  assert.deepEqual(await statusOf(await key(all)), [200, 200, 200, 200, 200])
  assert.deepEqual(await statusOf(await key(all, ['personal'])), [403, 403, 403, 403, 403])
  assert.deepEqual(await statusOf(await key(['organisation:*', 'recruitment:*'])), [200, 200, 403, 200, 403])
  assert.deepEqual(await statusOf(await key(['organisation:read', 'employees:read'])), [403, 403, 403, 403, 403])
  assert.deepEqual(await statusOf((await service.otherAccount()).key), [200, 200, 200, 200, 200])
})

test('the list of people due takes a constant number of statements and pages over both kinds', async () => {
  goTo('2050-01-01')
  await keep({ candidate_months: 1, employee_months: 1 })
  for (let n = 0; n < 3; n++) await office.candidate()
  for (let n = 0; n < 2; n++) await leaver('2050-01-01')
  goTo('2050-03-01')
  const all = await due('?per_page=200')
  const statements = async (query: string) => {
    let count = 0
    service.onStatement = () => count++
    const { body } = await service.get(`/retention/due${query}`)
    service.onStatement = undefined
    return { count, body }
  }
  const one = await statements('?per_page=1')
  const many = await statements('?per_page=200')
  assert.ok(many.count <= one.count + 2, `${one.count} and ${many.count}`)
  const paged: any[] = []
  for (let page = 1; page <= Math.ceil(all.length / 2); page++) {
    const { body } = await statements(`?per_page=2&page=${page}`)
    assert.equal(body.metadata.count, all.length)
    paged.push(...body.data)
  }
  assert.deepEqual(paged, all)
  assert.deepEqual((await service.get('/retention/due?page=1000000')).body.data, [])
})

test('the retention command erases all who are due, prints no names, resumes, and does nothing twice', async () => {
  goTo('2060-01-01')
  const { ledger } = openService({ database: service.database, filesAt: '', clock: () => now })
  const secret = 'Zzyzx'
  for (let n = 0; n < 3; n++) await office.candidate({ full_name: secret })
  await keep({ candidate_months: 1, employee_months: 1 })
  goTo('2060-03-01')
  const before = await due('?per_page=200')
  const lines: string[] = []
  const run = (isTrial: boolean, tell: (line: string) => void = (line) => void lines.push(line)) =>
    eraseAllDue(ledger, service.account, { isTrial, tell })
  const counts = async (isTrial: boolean) => (await run(isTrial)).map(({ count }) => count)
  const expected = ['candidates', 'employees'].map((kind) => before.filter((one) => one.kind === kind).length)
  assert.deepEqual(await counts(true), expected)
  assert.deepEqual(await due('?per_page=200'), before)
  await assert.rejects(
    run(false, () => {
      throw new Error('killed')
    }),
    /killed/,
  )
  assert.equal((await due('?per_page=200')).length, before.length - 1)
  const [rest] = await counts(false)
  assert.equal(rest, (expected[0] as number) - 1)
  assert.deepEqual(await due(), [])
  assert.deepEqual(await counts(false), [0, 0])
  assert.ok(!lines.join('\n').includes(secret))
  const entries = await service.database.query((sql) => sql.selectFrom('ledger').select(['before', 'after']).execute())
  assert.ok(!JSON.stringify(entries).includes(secret))
})
