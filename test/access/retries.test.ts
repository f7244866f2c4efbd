import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, startService } from '../harness.ts'
import { openOffice } from '../reviews/office.ts'

/** An answer is told again only to those of whom it is certain that they still see all that it tells. */

const DAY = 86_400_000

let service: Service
let ahead = 0
before(async () => {
  service = await startService({ clock: () => new Date(Date.now() + ahead) })
})
after(() => service.stop())

const SEES = ['compensation', 'personal', 'notes', 'planned']
const BORN = '1977-07-07'

const again = (key: string, retry: string) => ({ key, headers: { 'idempotency-key': retry } })

/** Somebody with a key of a role of these grants, somebody who reports to them, and the way to let them report to others. */
async function team(grants: object[]) {
  const [boss, next] = [await service.hire(), await service.hire()]
  const report = await service.hire({ hired_on: '2020-01-01', reporting_to_id: boss.id, date_of_birth: BORN })
  const { id } = await service.make('/roles', { name: `Role ${boss.id}`, grants })
  const of = { name: 'Of the boss', permissions: ['*'], employee_id: boss.id, role_ids: [id] }
  const { key } = await service.make('/api_keys', of)
  const moves = async (one: number) => {
    const moved = await service.put(`/employees/${one}`, { reporting_to_id: next.id })
    assert.equal(moved.status, 200, moved.text)
  }
  return { key, boss, next, report, moves }
}

type Answer = Awaited<ReturnType<Service['get']>>

/** It is carried out once, and told again. */
async function isToldAgain(send: () => Promise<Answer>): Promise<Answer> {
  const [first, second] = [await send(), await send()]
  assert.ok(first.status < 300, first.text)
  assert.equal(second.headers.get('idempotency-replayed'), 'true', second.text)
  assert.equal(second.text, first.text)
  return first
}

/** It was carried out, and nothing more is said. */
async function isWithheld(send: () => Promise<Answer>, ...unsaid: string[]): Promise<Answer> {
  const answer = await send()
  assert.equal(answer.status, 409, answer.text)
  assert.equal(answer.body.code, 'answer_withheld')
  for (const one of unsaid) assert.ok(!answer.text.includes(one))
  return answer
}

test("a repeated request does not replay a response about people who left the sender's access scope", async () => {
  const { key, boss, report, moves } = await team([{ scope: 'reports', permissions: ['employees:*'], sees: SEES }])
  const salary = { amount: '1.00', currency_code: 'EUR', effective_on: '2020-01-01', per: 'year' }
  const { id } = await service.make(`/employees/${report.id}/salaries`, salary)
  const change = () => service.put(`/employees/${report.id}`, { middle_name: 'Once' }, again(key, 'change'))
  const paid = () => service.put(`/employees/${report.id}/salaries/${id}`, { amount: '3.00' }, again(key, 'paid'))
  const same = { data: [{ id: report.id, first_name: report.first_name }] }
  const bulk = () => service.send('PATCH', '/employees/bulk', { json: same, ...again(key, 'bulk') })
  const sent = { first_name: 'Hired', last_name: 'By Them', hired_on: '2020-01-01', reporting_to_id: boss.id }
  const hire = () => service.post('/employees', { ...sent, email: 'hired@reach.test' }, again(key, 'hire'))
  const hired = (await isToldAgain(hire)).body.data
  for (const send of [change, paid, bulk]) await isToldAgain(send)
  // What others do meanwhile is no matter, as long as nobody moves.
  await service.put(`/employees/${boss.id}`, { middle_name: 'Boss' })
  await isToldAgain(change)

  for (const one of [report.id, hired.id]) await moves(one)
  for (const send of [change, paid, bulk]) await isWithheld(send, BORN, '3.00')
  const { headers } = await isWithheld(hire, 'By Them')
  assert.equal(headers.get('location'), `/api/public/v3/employees/${hired.id}`)
  assert.equal((await service.get('/employees?email=hired@reach.test')).body.data.length, 1)
})

test('a repeated request does not replay fields that the sender may no longer see', async () => {
  const { key, report, moves } = await team([
    { scope: 'reports', permissions: ['employees:*'], sees: SEES },
    { scope: 'everybody', permissions: ['employees:*'], sees: [] },
  ])
  const change = () => service.put(`/employees/${report.id}`, { middle_name: 'Once' }, again(key, 'partly'))
  assert.ok((await isToldAgain(change)).text.includes(BORN))
  await moves(report.id)
  assert.equal((await service.get(`/employees/${report.id}`, { key })).status, 200)
  await isWithheld(change, BORN)
})

test('a restricted key gets no replay about a record deleted since, but its own deletion is confirmed again', async () => {
  const { key, report } = await team([{ scope: 'reports', permissions: ['employees:*'], sees: SEES }])
  const salary = { amount: '1.00', currency_code: 'EUR', effective_on: '2020-01-01', per: 'year' }
  const later = { ...salary, amount: '7.77', effective_on: '2021-01-01' }
  const [first, second] = [
    await service.make(`/employees/${report.id}/salaries`, salary),
    await service.make(`/employees/${report.id}/salaries`, later),
  ]
  const path = `/employees/${report.id}/salaries`
  const note = () => service.put(`${path}/${second.id}`, { amount: '8.88' }, again(key, 'gone'))
  await isToldAgain(note)
  const remove = () => service.delete(`${path}/${first.id}`, again(key, 'remove'))
  await isToldAgain(remove)
  assert.equal((await service.delete(`${path}/${second.id}`)).status, 204)
  await isWithheld(note, '8.88')
  assert.equal((await remove()).status, 204)
})

test('a repeated request does not replay data that has since joined a hidden field group', async () => {
  const employee = await service.hire({ hired_on: '2020-01-01' })
  const field = await service.make('/employee_fields', { name: 'Rating', type: 'text' })
  const folder = await service.make('/document_folders', { name: 'Slips' })
  await service.put(`/employees/${employee.id}`, { fields: { rating: 'MARKED' } })
  const plain = { permissions: ['employees:*'] }
  const key = await service.keyWith({ ...plain, withheld: ['compensation'] })
  const whole = await service.keyWith(plain)
  const change = (by: string) => () =>
    service.put(`/employees/${employee.id}`, { middle_name: by.slice(-4) }, again(by, 'field'))
  const upload = (by: string) => () => {
    const form = new FormData()
    form.append('document', new Blob(['Paid'], { type: 'text/plain' }), 'slip-of-may.txt')
    form.append('name', 'Slip of May')
    form.append('document_folder_id', String(folder.id))
    return service.send('POST', `/employees/${employee.id}/documents`, { multipart: form, ...again(by, 'document') })
  }
  const all = [change(key), upload(key), change(whole), upload(whole)] as const
  for (const send of all) await isToldAgain(send)
  for (const path of [`/employee_fields/${field.id}`, `/document_folders/${folder.id}`])
    assert.equal((await service.put(path, { protection: 'compensation' })).status, 200)
  for (const send of [change(key), upload(key)]) await isWithheld(send, 'MARKED', 'Slip of May')
  // Whoever sees everything is told all of it as before.
  for (const send of [change(whole), upload(whole)]) await isToldAgain(send)
})

test('a repeated request does not replay a review to somebody who may no longer read it', async () => {
  const office = await openOffice(service)
  const cycle = await office.cycle([{ type: 'text' }])
  const { id } = await service.make(`${cycle.path}/reviews`, { employee_id: office.id('eve') })
  await office.ok('POST', `${cycle.path}/open`)
  const path = `${cycle.path}/reviews/${id}`
  const parts = (await service.get(`${path}/review_participants`)).body.data
  const self = parts.find((one: any) => one.type.endsWith('Self'))
  const answers = [{ review_question_id: cycle.questions[0], text: 'Well' }]
  const handed = { review_participant_id: self.id, answers, submit: true }
  assert.equal((await service.put(`${path}/answers`, handed, { key: office.key('eve') })).status, 200)
  const revise = () =>
    service.post(`${path}/review_participants/${self.id}/revise`, {}, again(office.key('ann'), 'back'))
  await isToldAgain(revise)
  await office.report('carl', 'ben')
  await isWithheld(revise, 'Self')
})

test('a repeated request does not replay data that a planned change has since hidden', async () => {
  const { key, next, report } = await team([{ scope: 'reports', permissions: ['employees:*'], sees: SEES }])
  const tomorrow = new Date(Date.now() + DAY).toISOString().slice(0, 10)
  await service.make(`/employees/${report.id}/positions`, { effective_from: tomorrow, reporting_to_id: next.id })
  const change = () => service.put(`/employees/${report.id}`, { middle_name: 'Today' }, again(key, 'today'))
  await isToldAgain(change)
  ahead = Date.parse(tomorrow) - Date.now() + 1000
  await isWithheld(change, BORN)
  ahead = 0
})
