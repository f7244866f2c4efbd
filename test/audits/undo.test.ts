import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { entriesSince } from '../../src/records/entries.ts'
import { type Answer, type Service, startService } from '../harness.ts'
import { PICTURE, Samples } from '../samples.ts'
import { oneEngineTest } from '../thorough.ts'

let service: Service
let samples: Samples

before(async () => {
  service = await startService()
  samples = new Samples(service)
})
after(() => service.stop())

const idOf = (answer: Answer) => answer.headers.get('x-request-id') as string

/** As versions before 0.6 kept requests: by whichever id their callers sent. */
const bearOne = (request_id: string, ...answers: Answer[]) =>
  service.database.write((sql) =>
    sql.updateTable('ledger').set({ request_id }).where('request_id', 'in', answers.map(idOf)).execute(),
  )
const numberOf = (answer: Answer) => Number(answer.headers.get('cadre-ledger'))
const undoRequest = (answer: Answer, sending = {}) => service.post(`/requests/${idOf(answer)}/undo`, {}, sending)
const undoChange = (number: number, sending = {}) => service.post(`/changes/${number}/undo`, {}, sending)

/** The answer to a write that must succeed. */
async function done(answer: Promise<Answer>): Promise<Answer> {
  const { status, text } = await answer
  assert.ok(status < 300, text)
  return answer
}

async function refused(answer: Promise<Answer>, status: number, words?: RegExp): Promise<Answer> {
  const got = await answer
  assert.equal(got.status, status, got.text)
  if (words) assert.match(got.text, words)
  return got
}

const lastEntry = async () => {
  const number = numberOf(await service.get('/divisions'))
  return (await entriesSince(service.database, service.account.id, number - 1))[0] as { number: number }
}

let count = 0
const name = (what: string) => `${what} ${++count}`
const division = () => service.make('/divisions', { name: name('Division') })
const hire = (values = {}) => service.hire({ hired_on: '2020-01-01', ...values })

describe('one change', () => {
  test('undo restores fields and returns the changes as the feed shows them', async () => {
    const { id, name: old } = await division()
    const changed = await done(service.put(`/divisions/${id}`, { name: name('Renamed') }))
    const { body } = await done(undoChange(numberOf(changed)))
    assert.equal((await service.get(`/divisions/${id}`)).body.data.name, old)
    const [change] = body.data.changes
    assert.equal(body.data.changes.length, 1)
    assert.deepEqual(
      [change.resource, change.record_id, change.action, change.fields, change.after.name, change.operation],
      ['divisions', id, 'update', ['name'], old, 'undoChange'],
    )
    assert.equal(change.number, numberOf(changed) + 1)
  })

  test('undo deletes a created record and restores a deleted one with its id, creation time and search entry', async () => {
    const person = await hire({ first_name: 'Zebulon' })
    const team = await service.make('/teams', { name: name('Team'), team_lead_id: person.id })
    const deleted = await done(service.delete(`/teams/${team.id}`))
    await done(undoChange(numberOf(deleted)))
    const { updated_at: _, ...back } = (await service.get(`/teams/${team.id}`)).body.data
    const { updated_at: __, ...was } = team
    assert.deepEqual(back, was)
    const other = await service.make('/teams', { name: name('Team'), team_lead_id: person.id })
    assert.ok(other.id > team.id)
    const article = await service.make('/knowledge_base/categories', { name: name('Rooms') })
    const made = await done(
      service.post('/knowledge_base/articles', { title: 'Quagga', body: 'Stripes', category_id: article.id }),
    )
    const found = async () => (await service.get('/knowledge_base/articles?q=quagga')).body.metadata.count
    const gone = await done(undoRequest(made))
    assert.equal(await found(), 0)
    await done(undoRequest(gone))
    assert.equal(await found(), 1)
  })

  test('a second undo is refused and names the change in between; an undo can be undone', async () => {
    const { id } = await division()
    const changed = await done(service.put(`/divisions/${id}`, { name: name('Once') }))
    const back = await done(undoChange(numberOf(changed)))
    const { body } = await refused(undoChange(numberOf(changed)), 409)
    assert.deepEqual(
      body.errors.map(({ field, code }: any) => [field, code]),
      [['name', 'changed_since']],
    )
    assert.match(body.errors[0].message, new RegExp(`by change ${numberOf(back)}$`))
    await done(undoChange(numberOf(back)))
    assert.match((await service.get(`/divisions/${id}`)).body.data.name, /^Once/)
  })

  test('a refused undo names every field changed since, also fields changed back, and changes nothing', async () => {
    const { id } = await service.make('/locations', { name: name('Place'), country_code: 'PT', address: 'A 1' })
    const at = `/locations/${id}`
    const changed = await done(service.put(at, { name: name('Place'), country_code: 'ES', address: 'B 2' }))
    await done(service.put(at, { country_code: 'FR', address: 'C 3' }))
    const named = async () => {
      const { body } = await refused(undoChange(numberOf(changed)), 409)
      return body.errors.map(({ field }: any) => field).sort()
    }
    assert.deepEqual(await named(), ['address', 'country_code'])
    const back = await done(service.put(at, { country_code: 'ES' }))
    assert.deepEqual(await named(), ['address', 'country_code'])
    const { body } = await refused(undoChange(numberOf(changed)), 409)
    const told = body.errors.find(({ field }: any) => field === 'country_code')
    assert.match(told.message, new RegExp(`by change ${numberOf(back)}$`))
    assert.equal((await service.get(at)).body.data.country_code, 'ES')
  })

  test('changes that were undone since do not block an undo', async () => {
    const { id, name: first } = await division()
    const at = `/divisions/${id}`
    const rename = () => done(service.put(at, { name: name('Other') }))
    const changed = await rename()
    const [one, two] = [await rename(), await rename()]
    await refused(undoRequest(one), 409, /changed_since/)
    const back = await done(undoRequest(two))
    const again = await done(undoRequest(back))
    await refused(undoRequest(two), 200)
    await refused(undoRequest(changed), 409, /changed_since/)
    await refused(undoRequest(again), 409, /changed_since/)
    await done(undoChange(numberOf(one)))
    const deleted = await done(service.delete(at))
    await refused(undoRequest(changed), 409, /was deleted later/)
    await done(undoRequest(deleted))
    await done(undoRequest(changed))
    assert.equal((await service.get(at)).body.data.name, first)
  })

  test('a record deleted twice cannot be restored to its first state', async () => {
    const { id } = await division()
    const gone = await done(service.delete(`/divisions/${id}`))
    await done(undoRequest(gone))
    const renamed = await done(service.put(`/divisions/${id}`, { name: name('Later') }))
    const again = await done(service.delete(`/divisions/${id}`))
    await refused(undoRequest(gone), 409, new RegExp(`restored and deleted again later, by change ${numberOf(again)}`))
    await done(undoRequest(again))
    assert.equal((await service.get(`/divisions/${id}`)).body.data.name, renamed.body.data.name)
  })

  test('a created record that is used or changed cannot be undone, nor can one already deleted or restored', async () => {
    const level = await done(service.post('/department_levels', { name: name('Level') }))
    const made = await done(service.post('/divisions', { name: name('Division') }))
    const { id } = made.body.data
    await done(service.put(`/divisions/${id}`, { name: name('Other') }))
    await refused(undoChange(numberOf(made)), 409, /changed_since/)
    const pipeline = await done(service.post('/recruitment/pipelines', { name: name('Pipeline') }))
    const vacancy = await samples.make('vacancies', { recruitment_pipeline_id: pipeline.body.data.id })
    const { body } = await refused(undoRequest(pipeline), 409)
    assert.equal(body.code, 'in_use')
    assert.match(body.detail, new RegExp(`vacancy ${vacancy.id} `))
    const gone = await done(service.delete(`/department_levels/${level.body.data.id}`))
    await refused(undoRequest(level), 409, /was deleted later/)
    await done(undoRequest(gone))
    await refused(undoRequest(gone), 409, /was restored again later/)
  })

  test('undo is rejected when a unique value is taken or a reference no longer exists', async () => {
    const taken = name('Taken')
    const { id } = await service.make('/divisions', { name: taken })
    const gone = await done(service.delete(`/divisions/${id}`))
    await service.make('/divisions', { name: taken.toUpperCase() })
    const { body } = await refused(undoChange(numberOf(gone)), 422)
    assert.deepEqual([body.errors[0].field, body.errors[0].code], ['name', 'taken'])
    const parent = await service.make('/departments', { name: name('Parent') })
    const child = await service.make('/departments', { name: name('Child'), parent_id: parent.id })
    const moved = await done(service.put(`/departments/${child.id}`, { parent_id: null }))
    await done(service.delete(`/departments/${parent.id}`))
    await refused(undoChange(numberOf(moved)), 422, /parent_id.*not_found/)
  })

  test('a change that only reflects a related record cannot be undone', async () => {
    const lead = await hire()
    const team = await service.make('/teams', { name: name('Team'), team_lead_id: lead.id })
    await done(service.post(`/teams/${team.id}/team_members`, { user_id: (await hire()).id }))
    const { number } = await lastEntry()
    await refused(undoChange(number), 409, /only related records changed/)
  })
})

describe('one request', () => {
  oneEngineTest('undo reverts a whole request in a constant number of statements', async () => {
    const people: any[] = []
    for (let n = 0; n < 120; n++) people.push(await hire({ email: `${name('p').replace(' ', '')}@example.com` }))
    const department = await service.make('/departments', { name: name('Department') })
    const boss = await hire()
    await service.make('/employee_fields', { name: 'Cap size', type: 'single_select', options: ['S', 'M'] })
    const work = async (some: any[]) => {
      const data = some.map(({ id }) => ({
        id,
        first_name: `New ${id}`,
        department_id: department.id,
        reporting_to_id: boss.id,
        cap_size: 'M',
      }))
      const changed = await done(service.send('PATCH', '/employees/bulk', { json: { data } }))
      let statements = 0
      service.onStatement = () => statements++
      const answer = await done(undoRequest(changed))
      service.onStatement = undefined
      assert.ok(answer.body.data.changes.length >= 3 * some.length)
      for (const { id, first_name } of some.slice(0, 3)) {
        const { data: now } = (await service.get(`/employees/${id}`)).body
        assert.deepEqual(
          [now.first_name, now.department, now.reporting_to, now.fields.cap_size.value],
          [first_name, null, null, null],
        )
      }
      return statements
    }
    const few = await work(people.slice(0, 10))
    const many = await work(people)
    assert.ok(many <= few + 2 && many < 80, `${few} statements for 10, ${many} for 120`)
  })

  test('undo by change number works when several requests share one id, including an undo', async () => {
    const candidate = (full_name: string, more = {}) =>
      service.make('/recruitment/candidates', { full_name, level: full_name, ...more })
    const [keeper, duplicate] = [await candidate('Keeper'), await candidate('Twin', { position: 'Cook' })]
    const path = `/recruitment/candidates/${keeper.id}`
    const merge = (sending = {}) => service.post(`${path}/merge`, { duplicate_id: duplicate.id }, sending)
    const other = await done(service.post('/divisions', { name: name('Division') }))
    const first = numberOf(await service.get('/divisions')) + 1
    const merged = await done(merge())
    await bearOne('twice', other, merged)
    const there = async () => (await service.get(`/recruitment/candidates/${duplicate.id}`)).status
    await refused(service.post('/requests/twice/undo'), 409, new RegExp(`first changes are \\d+, ${first}\\.`))
    await refused(undoChange(first), 409, /request=true/)
    const undoWhole = (number: number) => service.post(`/changes/${number}/undo?request=true`, {})
    const before = numberOf(await service.get('/divisions'))
    await done(undoWhole(numberOf(merged)))
    assert.equal(await there(), 200)
    assert.equal((await service.get(path)).body.data.position, null)
    await done(undoWhole(before + 1))
    assert.deepEqual([await there(), (await service.get(path)).body.data.position], [404, 'Cook'])
    await done(undoWhole(first))
    assert.equal(await there(), 200)
  })

  test('undo of an id shared by several requests is refused and lists their first changes', async () => {
    const first = await done(service.post('/divisions', { name: name('Division') }))
    await division()
    const second = await done(service.post('/divisions', { name: name('Division') }))
    await bearOne('same-one', first, second)
    const { body } = await refused(service.post('/requests/same-one/undo'), 409)
    assert.match(body.detail, new RegExp(`first changes are ${numberOf(first)}, ${numberOf(second)}\\.`))
  })

  test('a request id of digits only works like any other', async () => {
    const made = await done(service.post('/divisions', { name: name('Division') }))
    await bearOne('12345678901234567890', made)
    await done(service.post('/requests/12345678901234567890/undo'))
  })

  test('a repeated undo with the same Idempotency-Key runs once', async () => {
    const { id, name: old } = await division()
    const changed = await done(service.put(`/divisions/${id}`, { name: name('Once') }))
    const headers = { 'idempotency-key': 'undo-once' }
    const first = await done(undoRequest(changed, { headers }))
    const again = await done(undoRequest(changed, { headers }))
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(again.body, first.body)
    assert.equal((await service.get(`/divisions/${id}`)).body.data.name, old)
  })

  test('an undo racing with other writers is applied completely or refused', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await service.make('/locations', { name: name('Place'), country_code: 'PT', address: 'A' })
      const changed = await done(service.put(`/locations/${id}`, { country_code: 'ES', address: 'B' }))
      const writers = [
        () => undoRequest(changed),
        () => service.put(`/locations/${id}`, { country_code: 'FR' }),
        () => service.put(`/locations/${id}`, { name: name('Place') }),
      ]
      // Whoever is sent first comes first more often.
      const isLater = round % 2 === 1
      const sent = await Promise.all((isLater ? writers.toReversed() : writers).map((write) => write()))
      const [undone, written] = (isLater ? sent.toReversed() : sent) as [Answer, Answer]
      assert.equal(written.status, 200)
      const { country_code, address } = (await service.get(`/locations/${id}`)).body.data
      if (undone.status === 200) assert.deepEqual([country_code, address], ['FR', 'A'])
      else {
        assert.equal(undone.status, 409, undone.text)
        assert.deepEqual([country_code, address], ['FR', 'B'])
      }
    }
  })
})

describe('permission to undo', () => {
  test('unknown changes and requests, and those of another account, give 404', async () => {
    const { key } = await service.otherAccount()
    const made = await done(service.post('/divisions', { name: name('Division') }))
    const plain = ({ text }: Answer) => text.replace(/"request_id":"[^"]*"/, '')
    const unknown = plain(await refused(undoChange(99_999_999), 404))
    assert.equal(plain(await refused(undoChange(numberOf(made), { key }), 404)), unknown)
    assert.equal(plain(await refused(undoRequest(made, { key }), 404)), unknown)
    await refused(service.post('/requests/never-sent/undo'), 404)
    await refused(service.post('/changes/0/undo'), 400)
  })

  test('undo needs write permission and visibility for everything it changes, and reveals nothing hidden', async () => {
    const marker = 'Xylophone-4711'
    const person = await hire()
    const salary = {
      amount: '98127.65',
      currency_code: 'EUR',
      per: 'year',
      effective_on: '2024-01-01',
      comment: marker,
    }
    const paid = await done(service.post(`/employees/${person.id}/salaries`, salary))
    const named = await done(
      service.put(`/employees/${person.id}`, { first_name: 'Ada', personal_email: `x@${marker}.example.com` }),
    )
    const key = (permissions: string[], withheld: string[] = []) => service.keyWith({ permissions, withheld })
    const reader = await key(['audits:*', 'employees:read'])
    const blind = await key(['audits:*', 'divisions:read'].slice(0, 1))
    const unpaid = await key(['*'], ['compensation'])
    const impersonal = await key(['*'], ['personal'])
    const silent = await key(['employees:*', 'audits:read'])
    const heard: Answer[] = [
      await refused(undoChange(numberOf(named), { key: reader }), 403),
      await refused(undoRequest(named, { key: reader }), 403),
      await refused(undoChange(numberOf(named), { key: blind }), 404),
      await refused(undoRequest(named, { key: blind }), 404),
      await refused(undoChange(numberOf(paid), { key: unpaid }), 404),
      await refused(undoRequest(paid, { key: unpaid }), 404),
      await refused(undoRequest(named, { key: impersonal }), 403),
      await refused(undoRequest(named, { key: silent }), 403),
    ]
    for (const { text } of heard) assert.ok(!text.includes(marker) && !text.includes('98127.65'), text)
    assert.equal((await service.get(`/employees/${person.id}`)).body.data.first_name, 'Ada')
  })

  test('undo of a shared request id ignores the requests that the key may not see', async () => {
    const rooms = () => done(service.post('/divisions', { name: name('Division') }))
    const [first, , second] = [await rooms(), await division(), await rooms()]
    await bearOne('unseen-twice', first, second)
    const undoTwice = (sending = {}) => service.post('/requests/unseen-twice/undo', {}, sending)
    const key = await service.keyWith({ permissions: ['audits:*', 'teams:*'] })
    const { body } = await refused(undoTwice({ key }), 404)
    const unknown = (await service.post('/requests/never-sent/undo', {}, { key })).body
    assert.deepEqual({ ...body, request_id: '' }, { ...unknown, request_id: '' })
    const { id: team_lead_id } = await hire()
    const team = await done(service.post('/teams', { name: name('Team'), team_lead_id }))
    await bearOne('unseen-twice', team)
    await done(undoTwice({ key }))
    await refused(service.get(`/teams/${team.body.data.id}`), 404)
    await refused(undoTwice(), 409, /Several requests/)
  })

  test('undo cannot remove records from a hidden field group', async () => {
    const field = await done(
      service.post('/employee_fields', { name: name('Diet'), type: 'text', protection: 'personal' }),
    )
    const { id } = field.body.data
    await done(service.put(`/employee_fields/${id}`, { protection: null }))
    const closed = await done(service.put(`/employee_fields/${id}`, { protection: 'personal' }))
    const key = await service.keyWith({ permissions: ['*'], withheld: ['personal'] })
    await refused(undoRequest(closed, { key }), 403)
    const folder = await service.make('/document_folders', { name: name('Folder'), protection: 'personal' })
    const opened = await done(service.put(`/document_folders/${folder.id}`, { protection: null }))
    await refused(undoRequest(opened, { key }), 403)
    await done(undoRequest(opened))
  })

  test('undo is refused for resources that the key sees in part', async () => {
    const cycle = await service.make('/performance/review_cycles', {
      name: 'Spring',
      starts_on: '2030-01-01',
      ends_on: '2030-02-01',
    })
    const person = await hire()
    const review = await done(
      service.post(`/performance/review_cycles/${cycle.id}/reviews`, { employee_id: person.id }),
    )
    const { key } = await service.make('/api_keys', {
      name: 'Own',
      permissions: ['audits:*', 'reviews:read', 'review_answers:*'],
      employee_id: person.id,
    })
    await refused(undoRequest(review, { key }), 404)
  })
})

describe('undo never restores permanently deleted data', () => {
  test('such as keys, feed URLs, erased people and files', async () => {
    const key = await done(service.post('/api_keys', { name: 'Key', permissions: ['teams:read'] }))
    const revoked = await done(service.delete(`/api_keys/${key.body.data.id}`))
    for (const one of [key, revoked]) await refused(undoRequest(one), 409, /secret/)
    await refused(undoRequest(await done(service.post('/calendars/feed/reset'))), 409, /stays invalid/)
    const person = await hire()
    const changed = await done(service.put(`/employees/${person.id}`, { first_name: 'Wilhelmina' }))
    const erased = await done(service.delete(`/employees/${person.id}`))
    for (const one of [changed, erased]) await refused(undoRequest(one), 409, /has been erased/)
    const other = await hire()
    const certificate = { name: 'First aid', issuer: 'Red Cross', attachment: PICTURE }
    const held = await done(service.post(`/employees/${other.id}/certifications`, certificate))
    const gone = await done(service.delete(`/employees/${other.id}/certifications/${held.body.data.id}`))
    await refused(undoRequest(gone), 409, /file/)
    assert.equal((await service.get(`/employees/${other.id}/certifications`)).body.data.length, 0)
  })

  test('such as references to an erased person, in fields or custom values', async () => {
    const [lead, next] = [await hire(), await hire()]
    const team = await service.make('/teams', { name: name('Team'), team_lead_id: lead.id })
    const moved = await done(service.put(`/teams/${team.id}`, { team_lead_id: next.id }))
    const field = name('Buddy')
    await service.make('/employee_fields', { name: field, type: 'employee' })
    const internal = field.toLowerCase().replace(' ', '_')
    await done(service.put(`/employees/${next.id}`, { fields: { [internal]: lead.id } }))
    const cleared = await done(service.put(`/employees/${next.id}`, { fields: { [internal]: null } }))
    await done(service.delete(`/employees/${lead.id}`))
    await refused(undoRequest(moved), 422, /not_found/)
    await refused(undoRequest(cleared), 422, /not_found/)
  })
})

test('undoing the creation of an employee is refused while a custom field or a table cell names them', async () => {
  const own = await startService()
  try {
    const holder = await own.hire()
    const made = await own.post('/employees', { first_name: 'Buddy', last_name: 'Named', hired_on: '2024-01-01' })
    const { id } = made.body.data
    const again = () => own.post(`/requests/${idOf(made)}/undo`)
    const field = await own.make('/employee_fields', { name: 'Buddy', type: 'employee' })
    const table = await own.make('/employee_tables', { name: 'Mentors' })
    await own.make(`/employee_tables/${table.id}/columns`, { name: 'Who', type: 'employee' })
    const ways: [string, (value: number | null) => Promise<Answer>][] = [
      ['field', (value) => own.put(`/employees/${holder.id}`, { fields: { [field.internal_name]: value } })],
      [
        'cell',
        async (value) =>
          value === null
            ? own.delete(`/employees/${holder.id}/tables/${table.id}/rows/1`)
            : own.post(`/employees/${holder.id}/tables/${table.id}/rows`, { who: value }),
      ],
    ]
    for (const [what, name] of ways) {
      await done(name(id))
      const answer = await refused(again(), 409)
      assert.equal(answer.body.code, 'in_use', what)
      await done(name(null))
    }
    assert.equal((await again()).status, 200)
  } finally {
    await own.stop()
  }
})
