import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startService } from '../harness.ts'
import { type Office, openOffice } from './office.ts'

/** The interface for careers pages, as a page on another site speaks to it: without a key, from any origin. */

const folder = mkdtempSync(join(tmpdir(), 'cadre-pages-'))
const VACANCIES = '/api/careers/v1/vacancies'
const ORIGIN = 'https://jobs.example.org'
let office: Office
before(async () => {
  office = await openOffice({ config: { CADRE_FILES: folder } })
})
after(async () => {
  await office.service.stop()
  rmSync(folder, { recursive: true })
})

const look = (path: string) => office.service.get(path, { key: null, headers: { origin: ORIGIN } })
const applyTo = (id: number, json: Record<string, unknown>, headers = {}) =>
  office.service.post(`${VACANCIES}/${id}/applications`, json, {
    key: null,
    headers: { 'x-request-id': 'r', ...headers },
  })
const found = async (email: string) => (await office.service.get(`/recruitment/candidates?email=${email}`)).body.data[0]
const errorsOf = ({ body }: { body: any }) => body.errors.map((error: any) => `${error.field} ${error.code}`)

test('lists only open public vacancies, also one by one, without internal data', async () => {
  const { service } = office
  const level = await service.make('/job_levels', { name: 'Senior level' })
  await service.make('/recruitment/vacancy_fields', { name: 'Budget', type: 'text' })
  const secrets = { tags: ['Secret tag'], budget: 'Secret budget', collaborator_ids: [office.lead] }
  const pay = { min_salary: 50_123, max_salary: 70_123, currency_code: 'EUR' }
  const shown = { title: 'Shown to all', job_level_id: level.id, skills: ['Patience'], ...pay, ...secrets }
  const open = await office.vacancy({ ...shown, post_on_careers: true })
  const hidden = [
    await office.vacancy({ title: 'Internal' }),
    await office.vacancy({ post_on_careers: true, state: 'drafting' }),
    await office.vacancy({ post_on_careers: true, title: 'Past its last day', ends_on: '2000-01-01' }),
  ]
  const held = await office.vacancy({ post_on_careers: true })
  await service.put(`/recruitment/vacancies/${held.id}`, { state: 'held' })
  const { data, metadata } = (await look(VACANCIES)).body
  assert.deepEqual([data.length, metadata.count], [1, 1])
  assert.deepEqual(data[0], {
    id: open.id,
    title: 'Shown to all',
    description: '<p>Build</p>',
    description_plain: 'Build',
    positions: 1,
    department: { id: office.base.department_id, name: 'Engineering' },
    location: { id: office.base.location_id, name: 'Berlin' },
    employment_type: { id: office.base.employment_type_id, name: 'Full-time' },
    division: null,
    job_level: { id: level.id, name: 'Senior level' },
    skills: ['Patience'],
    salary: null,
    opened_at: open.opened_at,
  })
  const one = await look(`${VACANCIES}/${open.id}`)
  assert.deepEqual([one.status, one.body.data], [200, data[0]])
  assert.ok(!/Secret|50123|70123|count|lead|created_at/.test(one.text), one.text)
  for (const { id } of [...hidden, held, { id: 987_654 }]) {
    const answer = await look(`${VACANCIES}/${id}`)
    assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'])
    assert.equal((await applyTo(id, { full_name: 'A', email: 'a@example.com' })).status, 404)
  }

  const { other } = { other: await service.keyWith({ permissions: ['recruitment:*'], withheld: ['compensation'] }) }
  const place = `/recruitment/vacancies/${open.id}`
  assert.equal((await service.put(place, { salary_on_careers: true }, { key: other })).status, 403, 'a way around')
  assert.equal((await service.put(place, { salary_on_careers: true })).body.data.salary_on_careers, true)
  const paid = { minimum: 50_123, maximum: 70_123, currency_code: 'EUR' }
  assert.deepEqual((await look(`${VACANCIES}/${open.id}`)).body.data.salary, paid)
  await service.put(place, { min_salary: null, max_salary: null })
  assert.equal((await look(`${VACANCIES}/${open.id}`)).body.data.salary, null)
  await service.put(place, { state: 'closed' })
  assert.equal((await look(`${VACANCIES}/${open.id}`)).status, 404)
})

test('filters vacancies by department, location, employment type and words of the title', async () => {
  const { service } = office
  const named = async (path: string, name: string) => (await service.make(path, { name })).id
  const base = { post_on_careers: true, title: 'Gärtner in Rome' }
  const [department_id, location_id, employment_type_id] = [
    await named('/departments', 'Gardens'),
    await named('/locations', 'Rome'),
    await named('/employment_types', 'Seasonal'),
  ]
  const all = [
    await office.vacancy({ ...base, department_id }),
    await office.vacancy({ ...base, title: 'Cook', location_id }),
    await office.vacancy({ ...base, title: 'Cook', employment_type_id }),
    await office.vacancy({ ...base, department_id, post_on_careers: false }),
  ].map(({ id }) => id)
  const ids = async (query: string) => (await look(`${VACANCIES}?${query}`)).body.data.map((one: any) => one.id)
  assert.deepEqual(await ids(`department_id=${department_id}`), [all[0]])
  assert.deepEqual(await ids(`location_id=${location_id}`), [all[1]])
  assert.deepEqual(await ids(`employment_type_id=${employment_type_id}&q=coo`), [all[2]])
  assert.deepEqual(await ids('q=rome gartner'), [all[0]])
  assert.deepEqual(await ids(`department_id=${department_id}&location_id=${location_id}`), [])
  assert.equal((await look(`${VACANCIES}?page=0`)).status, 400)
  assert.equal((await look(`${VACANCIES}?department_id=x`)).status, 400)
})

test('accepts an application with a file, a name in one or two parts, links and consents', async () => {
  const { id } = await office.vacancy({ post_on_careers: true })
  const form = new FormData()
  for (const [name, value] of [
    ['full_name', ''],
    ['first_name', 'Grace'],
    ['last_name', 'Hopper'],
    ['email', 'page@example.com'],
    ['phone', '+1 202 555 0177'],
    ['urls[]', 'https://example.com/a'],
    ['urls[]', 'https://example.com/b'],
    ['cover_letter', 'Hello there'],
    ['consent', 'on'],
    ['future_recruitment_consent', 'true'],
    ['contact_me_by_fax_only', ''],
  ] as const)
    form.append(name, value)
  form.append('resume', new Blob(['my life'], { type: 'application/pdf' }), 'cv.pdf')
  const path = `${VACANCIES}/${id}/applications`
  const answer = await office.service.send('POST', path, { key: null, multipart: form })
  assert.deepEqual([answer.status, answer.body], [201, { data: { status: 'received' } }], answer.text)
  assert.equal(answer.headers.get('location'), `${VACANCIES}/${id}`)
  const one = await found('page@example.com')
  assert.deepEqual(
    [one.full_name, one.phone_numbers, one.urls, one.cover_letter, one.consent.status],
    [
      'Grace Hopper',
      ['+1 202 555 0177'],
      ['https://example.com/a', 'https://example.com/b'],
      'Hello there',
      'consented',
    ],
  )
  assert.equal(one.future_recruitment_consent.status, 'consented')
  assert.equal(one.applications[0].vacancy.id, id)
  assert.equal(await (await fetch(one.resume_url)).text(), 'my life')
})

test('reports all errors at once, for known and unknown people alike', async () => {
  const { id } = await office.vacancy({ post_on_careers: true })
  await office.service.put('/recruitment/settings', { consent_required: true })
  try {
    const wrong = await applyTo(id, { email: 'nobody', urls: ['javascript:alert(1)'], resume: 'data:,x' })
    assert.deepEqual(errorsOf(wrong), [
      'email invalid',
      'urls[0] invalid',
      'full_name required',
      'resume invalid',
      'consent required',
    ])
    const half = await applyTo(id, { email: 'half@example.com', first_name: 'Half', consent: true })
    assert.deepEqual([half.status, errorsOf(half)], [422, ['last_name required']])
    assert.equal(await found('half@example.com'), undefined)
  } finally {
    await office.service.put('/recruitment/settings', { consent_required: false })
  }
})

test('gives the same response for known, unknown and repeated applicants, and overwrites nothing', async () => {
  const { id } = await office.vacancy({ post_on_careers: true })
  const before = await office.candidate({
    email: 'known@example.com',
    full_name: 'Known',
    urls: ['https://mine.example'],
  })
  const sent = { full_name: 'Intruder', urls: ['https://example.com/x'], future_recruitment_consent: true }
  const answers = [
    await applyTo(id, { ...sent, email: 'KNOWN@example.com' }),
    await applyTo(id, { ...sent, email: 'unknown@example.com' }),
    await applyTo(id, { ...sent, email: 'known@example.com' }),
  ]
  for (const { status, text, headers } of answers)
    assert.deepEqual(
      [status, text, headers.get('location')],
      [201, answers[0]?.text, answers[0]?.headers.get('location')],
    )
  const now = await found('known@example.com')
  assert.deepEqual([now.id, now.full_name, now.urls], [before.id, 'Known', before.urls])
  assert.deepEqual([now.applications.length, now.future_recruitment_consent.status], [1, 'consented'])
  const notes = await office.show(`/recruitment/candidates/${before.id}/notes`)
  assert.equal(notes.length, 2)
  assert.match(notes[0].comment, /Intruder, https:\/\/example\.com\/x/)
})

test('discards applications that fill in the honeypot field, with the usual response', async () => {
  const { id } = await office.vacancy({ post_on_careers: true })
  const person = await applyTo(id, { full_name: 'P', email: 'person@example.com', contact_me_by_fax_only: '' })
  const machine = await applyTo(id, { full_name: 'M', email: 'machine@example.com', contact_me_by_fax_only: '1' })
  assert.deepEqual([machine.status, machine.text], [person.status, person.text])
  assert.ok(await found('person@example.com'))
  assert.equal(await found('machine@example.com'), undefined)
  assert.equal((await office.show(`/recruitment/vacancies/${id}`)).applications_count, 1)
})

test('allows cross-origin calls without credentials, for the careers API only', async () => {
  const { service } = office
  const { id } = await office.vacancy({ post_on_careers: true })
  const path = `${VACANCIES}/${id}/applications`
  const preflight = await service.send('OPTIONS', path, {
    key: null,
    headers: {
      origin: ORIGIN,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
  })
  assert.equal(preflight.status, 204)
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Content-Type/)
  assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /POST/)
  const answers = [
    preflight,
    await look(VACANCIES),
    await look(`${VACANCIES}/987654`),
    await applyTo(id, {}, { origin: ORIGIN }),
    await applyTo(id, { full_name: 'A', email: 'cors@example.com' }, { origin: ORIGIN }),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [204, 200, 404, 422, 201],
  )
  for (const { headers } of answers) {
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('access-control-allow-credentials'), null)
  }
  for (const closed of ['/genders', '/recruitment/vacancies', '/recruitment/careers/vacancies']) {
    const { headers } = await service.get(closed, { headers: { origin: ORIGIN } })
    assert.equal(headers.get('access-control-allow-origin'), null, closed)
  }
})

test('rate-limits each address, and lets its page read Retry-After', async () => {
  const strict = await startService({ config: { PUBLIC_REQUESTS_PER_MINUTE: 3 } })
  try {
    const ask = (path: string) => strict.get(path, { key: null, headers: { origin: ORIGIN } })
    for (let n = 0; n < 3; n++) assert.equal((await ask(VACANCIES)).status, 200)
    const answer = await ask(VACANCIES)
    assert.deepEqual([answer.status, answer.body.code], [429, 'too_many_requests'])
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    assert.match(answer.headers.get('access-control-expose-headers') ?? '', /Retry-After/)
    assert.equal((await ask('/recruitment/careers/vacancies')).status, 429, 'one count for all that needs no key')
  } finally {
    await strict.stop()
  }
})

test('limits uploads for each vacancy, whatever address they come from', async () => {
  const strict = await openOffice({ config: { CADRE_FILES: folder, PUBLIC_UPLOADS_PER_HOUR: 1, TRUST_PROXY: '1' } })
  try {
    const { id } = await strict.vacancy({ post_on_careers: true })
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) {
      const multipart = new FormData()
      multipart.append('full_name', 'A')
      multipart.append('email', `a${n}@example.com`)
      const place = n % 2 ? VACANCIES : '/recruitment/careers/vacancies'
      const headers = { 'x-forwarded-for': `10.0.0.${n + 1}` }
      const sending = { key: null, multipart, headers }
      statuses.push((await strict.service.send('POST', `${place}/${id}/applications`, sending)).status)
    }
    assert.deepEqual(statuses, [...Array(10).fill(201), 429, 429])
  } finally {
    await strict.service.stop()
  }
})

test("an account is chosen by id, the first by default, and none sees another's vacancies", async () => {
  const { service } = office
  const { id } = await office.vacancy({ post_on_careers: true, title: 'First account only' })
  const { account } = await service.otherAccount()
  assert.ok((await look(`${VACANCIES}?account=${service.account.id}&q=first account`)).body.data.length > 0)
  assert.deepEqual((await look(`${VACANCIES}?account=${account.id}`)).body.data, [])
  assert.equal((await look(`${VACANCIES}/${id}?account=${account.id}`)).status, 404)
  assert.equal((await look(`${VACANCIES}?account=987654`)).status, 404)
  const sent = { full_name: 'A', email: 'account@example.com' }
  const path = `${VACANCIES}/${id}/applications?account=${service.account.id}`
  const answer = await service.post(path, sent, { key: null })
  assert.equal(answer.headers.get('location'), `${VACANCIES}/${id}?account=${service.account.id}`)
  assert.equal((await look(answer.headers.get('location') as string)).status, 200)
  // A form that names another company in its body does not end up with this one.
  const elsewhere = await service.post(
    `${VACANCIES}/${id}/applications`,
    { ...sent, account: account.id },
    { key: null },
  )
  assert.deepEqual([elsewhere.status, elsewhere.body.errors[0].field], [422, 'account'])
  assert.match(elsewhere.body.message, new RegExp(`account=${account.id}`))
})

test('other methods and paths give the usual errors', async () => {
  const { service } = office
  const wrong = await service.send('PUT', VACANCIES, { key: null, json: {} })
  assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'GET, HEAD'])
  assert.equal((await look('/api/careers/v1/nothing')).status, 404)
  assert.equal((await look(`${VACANCIES}/`)).status, 200)
  assert.equal((await service.get(`/api/public/v3${VACANCIES}`)).status, 404)
})

test('shows the company and its design; a logo must be an image', async () => {
  const { service } = office
  const set = (json: object) => service.put('/recruitment/settings', json)
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]).toString('base64')
  const svg = Buffer.from('<svg onload="alert(1)"/>').toString('base64')
  for (const logo of [
    'https://example.org/logo.png',
    `data:image/png;base64,${svg}`,
    `data:image/svg+xml;base64,${svg}`,
  ])
    assert.deepEqual(errorsOf(await set({ careers_logo: logo, careers_color: 'red' })), [
      'careers_color invalid',
      'careers_logo invalid',
    ])
  const logo = `data:image/png;base64,${png}`
  const settings = { careers_heading: 'Work with us', careers_color: '#123456', careers_logo: logo }
  assert.equal((await set(settings)).status, 200)
  for (const path of ['/api/careers/v1/company', '/recruitment/careers/company']) {
    const { name, ...shown } = (await look(path)).body.data
    assert.ok(name)
    assert.deepEqual(shown, {
      heading: 'Work with us',
      introduction: null,
      color: '#123456',
      logo,
      consent_required: false,
    })
  }
  await set({ careers_logo: null })
  const { data } = (await look('/api/careers/v1/company')).body
  assert.deepEqual([data.logo, data.color], [null, '#123456'])
})
