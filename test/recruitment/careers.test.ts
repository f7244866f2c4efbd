import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Office, openOffice } from './office.ts'

const folder = mkdtempSync(join(tmpdir(), 'cadre-careers-'))
let office: Office
let path: string
before(async () => {
  office = await openOffice({ config: { CADRE_FILES: folder }, clock: () => new Date('2036-06-15T12:00:00Z') })
  path = `/recruitment/careers/vacancies/${(await office.vacancy({ post_on_careers: true })).id}/applications`
})
after(async () => {
  await office.service.stop()
  rmSync(folder, { recursive: true })
})

const outside = (json: Record<string, unknown>) =>
  office.service.post(path, json, { key: null, headers: { 'x-request-id': 'r' } })
const withFile = (fields: Record<string, string>, file: Blob | string, name?: string) => {
  const multipart = new FormData()
  for (const [key, value] of Object.entries(fields)) multipart.append(key, value)
  if (typeof file === 'string') multipart.append('resume', file)
  else multipart.append('resume', file, name)
  return office.service.send('POST', path, { key: null, multipart, headers: { 'x-request-id': 'r' } })
}
const found = async (email: string) => (await office.service.get(`/recruitment/candidates?email=${email}`)).body.data[0]
const notesOf = async (id: number) => (await office.service.get(`/recruitment/candidates/${id}/notes`)).body.data

test('an unreadable file is rejected for known and unknown people, and nothing of the request is stored', async () => {
  const known = await office.candidate({ email: 'known.file@example.com' })
  for (const email of ['known.file@example.com', 'new.file@example.com']) {
    const person = { full_name: 'A', email }
    for (const answer of [
      await outside({ ...person, resume: { not: 'a file' } }),
      await outside({ ...person, resume: 'data:text/plain;base64,aGk=' }),
      await withFile(person, 'just text'),
      await withFile(person, new Blob([]), 'cv.pdf'),
    ])
      assert.deepEqual([answer.status, answer.body.errors?.[0].field], [422, 'resume'], answer.text)
    // A browser's form without a chosen file has a part without a name.
    const boundary = 'x'
    const part = (name: string, value: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const empty = `--${boundary}\r\nContent-Disposition: form-data; name="resume"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n`
    const body = `${part('full_name', 'A')}${part('email', `none.${email}`)}${empty}--${boundary}--\r\n`
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
    assert.equal((await office.service.send('POST', path, { key: null, json: body, headers })).status, 201)
  }
  assert.equal(await found('new.file@example.com'), undefined)
  assert.deepEqual(await notesOf(known.id), [])
  assert.equal((await office.show(`/recruitment/candidates/${known.id}`)).applications.length, 0)
})

test('an application of a known person adds phone, consent, letter and file, and overwrites nothing', async () => {
  const before = await office.candidate({
    full_name: 'Known Person',
    email: 'known@example.com',
    phone_numbers: ['+1 1'],
    cover_letter: 'Mine',
    location: 'Rome',
  })
  const place = `/recruitment/candidates/${before.id}`
  const sent = {
    full_name: 'Intruder',
    email: 'KNOWN@example.com',
    phone: '+49 30 1234567',
    cover_letter: 'Theirs',
    consent: 'true',
  }
  const first = await withFile(sent, new Blob(['cv']), 'cv.txt')
  const fresh = await withFile({ ...sent, email: 'fresh@example.com' }, new Blob(['cv']), 'cv.txt')
  assert.deepEqual(
    [first.status, first.text, first.headers.get('location')],
    [201, fresh.text, fresh.headers.get('location')],
  )
  const now = await office.show(place)
  for (const name of ['full_name', 'email', 'cover_letter', 'location', 'resume', 'created_by'])
    assert.deepEqual(now[name], before[name], name)
  assert.deepEqual(now.phone_numbers, ['+1 1', '+49 30 1234567'])
  assert.deepEqual([now.consent.status, now.consent.consented_at], ['consented', '2036-06-15T12:00:00.000Z'])
  assert.equal(now.applications.length, 1)
  const [note] = await notesOf(before.id)
  for (const told of ['Intruder', '+49 30 1234567', 'Theirs']) assert.ok(note.comment.includes(told), note.comment)
  assert.equal((await office.show(`${place}/documents`))[0].filename, 'cv.txt')
  const fromPhone = await office.show(`/recruitment/candidates/${(await found('fresh@example.com')).id}/duplicates`)
  assert.ok(fromPhone.some((one: any) => one.candidate.id === before.id && one.same.includes('phone')))
  await outside({ ...sent, consent: true, phone: '0049 (30) 1234567' })
  assert.equal((await office.show(place)).phone_numbers.length, 2, 'the same number is not added again')
})

test('a repeated consent counts from then on and keeps its expiry; a public form cannot reverse a refusal', async () => {
  const { service } = office
  const email = 'again@example.com'
  const { id } = await office.candidate({ email })
  const place = `/recruitment/candidates/${id}`
  const set = (status: string, more = {}) => service.post(`${place}/consent`, { kind: 'processing', status, ...more })
  const consent = async () => (await office.show(place)).consent
  const kept = () =>
    service.database.query((sql) =>
      sql.selectFrom('candidates').select('consent_kept').where('id', '=', id).executeTakeFirstOrThrow(),
    )
  await set('consented', { expires_on: '2037-01-01' })
  await outside({ full_name: 'A', email })
  assert.equal((await consent()).status, 'consented')
  await outside({ full_name: 'A', email, consent: true })
  assert.equal(JSON.parse((await kept()).consent_kept).expires_on, '2037-01-01')
  await set('rejected')
  await outside({ full_name: 'A', email, consent: false })
  assert.equal((await consent()).status, 'rejected')
  await outside({ full_name: 'A', email, consent: true })
  assert.equal((await consent()).status, 'rejected')
  assert.match(JSON.stringify(await office.show(`${place}/notes`)), /with consent/)
})

test('an account that requires consent rejects applications without it', async () => {
  const { service } = office
  const person = { full_name: 'A', email: 'consent@example.com' }
  assert.equal((await office.show('/recruitment/settings')).consent_required, false)
  const set = await service.put('/recruitment/settings', { consent_required: true })
  assert.equal(set.body.data.consent_required, true)
  try {
    await office.candidate({ email: 'consent.known@example.com' })
    for (const email of ['consent@example.com', 'consent.known@example.com'])
      for (const consent of [undefined, false]) {
        const answer = await outside({ ...person, email, consent, resume: 'nonsense' })
        assert.equal(answer.status, 422)
        assert.deepEqual(
          answer.body.errors.map((one: any) => one.field),
          ['resume', 'consent'],
        )
      }
    assert.equal(await found(person.email), undefined)
    assert.equal((await outside({ ...person, consent: true })).status, 201)
    assert.equal((await found(person.email)).consent.status, 'consented')
    const { key } = await service.otherAccount()
    assert.equal((await service.get('/recruitment/settings', { key })).body.data.consent_required, false)
  } finally {
    await service.put('/recruitment/settings', { consent_required: false })
  }
})

test('a cover letter of maximum length can be read and sent back, as letter and as note', async () => {
  const { service } = office
  const letter = `ä${'x'.repeat(65_534)}`
  const email = 'letter@example.com'
  assert.equal((await outside({ full_name: 'A', email, cover_letter: letter })).status, 201)
  const one = await found(email)
  const place = `/recruitment/candidates/${one.id}`
  assert.equal(one.cover_letter, letter)
  assert.equal((await service.put(place, { cover_letter: one.cover_letter })).status, 200)
  assert.equal((await outside({ full_name: 'A', email, cover_letter: letter })).status, 201)
  const notes = await notesOf(one.id)
  assert.ok(notes.some((note: any) => note.comment === letter))
  for (const { id, comment } of notes) {
    const back = await service.put(`${place}/notes/${id}`, { comment })
    assert.deepEqual([back.status, back.body.data?.comment], [200, comment])
  }
  assert.equal((await outside({ full_name: 'A', email, cover_letter: `${letter}x` })).status, 422)
})

test('concurrent applications of a new person create one candidate with one application', async () => {
  const email = 'atonce@example.com'
  const answers = await Promise.all(
    [1, 2, 3, 4].map((n) => outside({ full_name: `A ${n}`, email, phone: `+1 202 555 000${n}` })),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201, 201],
  )
  assert.equal((await office.service.get(`/recruitment/candidates?email=${email}`)).body.data.length, 1)
  const { applications, phone_numbers } = await found(email)
  assert.deepEqual([applications.length, phone_numbers.length], [1, 4])
})

test('a consent must expire after the day it is given, and only a given consent can expire', async () => {
  const { id } = await office.candidate()
  const set = async (values: object) =>
    office.service.post(`/recruitment/candidates/${id}/consent`, { kind: 'processing', ...values })
  for (const expires_on of ['2036-06-14', '2036-06-15']) {
    const { status, body } = await set({ status: 'consented', expires_on })
    assert.deepEqual([status, body.errors?.[0].field, body.errors?.[0].code], [422, 'expires_on', 'too_early'])
  }
  const early = await set({ status: 'pending', expires_on: '2037-01-01' })
  assert.deepEqual([early.status, early.body.errors?.[0].code], [422, 'not_allowed'])
  assert.equal((await set({ status: 'pending', expires_on: null })).status, 200)
  assert.equal((await set({ status: 'consented', expires_on: '2036-06-16' })).status, 200)
})
