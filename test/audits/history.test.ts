import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Resource } from '../../src/engine/declaration.ts'
import type { Operation } from '../../src/engine/operation.ts'
import { spoken } from '../../src/engine/sentence.ts'
import { operations, resources } from '../../src/operations.ts'
import { type Service, startService } from '../harness.ts'
import { Samples } from '../samples.ts'

let service: Service
let samples: Samples
/** A service with few records, all of which can be looked at. */
let office: Service
before(async () => {
  service = await startService()
  samples = new Samples(service)
  office = await startService()
})
after(async () => {
  await service.stop()
  await office.stop()
})

const operationAt = (method: string, path: string) =>
  operations.find((one) => one.method === method && one.path === path) as Operation
const historyOf = ({ path }: Resource) => operationAt('GET', `${path}/{id}/history`)

const sentencesAt = async (path: string, key?: string, at = service): Promise<string[]> => {
  const { status, body, text } = await at.get(path, key ? { key } : {})
  assert.equal(status, 200, text)
  return body.data.map((entry: any) => entry.sentence)
}

test('every resource has a history at a unique path', () => {
  for (const of of resources) assert.ok(historyOf(of), of.table)
  const places = operations.filter(({ method }) => method === 'GET').map(({ path }) => path.replace(/\{\w+\}/g, '{}'))
  assert.equal(new Set(places).size, places.length)
})

test('every column declares the name its changes are shown under, or why they are hidden', () => {
  for (const of of resources)
    for (const [name, { column, input, output, reference, secret, tells }] of Object.entries(of.fields)) {
      if (!column || secret || input !== null || output !== null || reference) continue
      assert.ok(tells && ('notInFeed' in tells ? tells.notInFeed : tells.as), `${of.table}.${name}`)
    }
})

test('the history shows changes to nested and computed values, and never a hash', async () => {
  const { id } = await service.hire({})
  const path = `/employees/${id}`
  const last = async (place: string) => {
    const { status, body, text } = await service.get(`${place}/history`)
    assert.equal(status, 200, text)
    assert.doesNotMatch(text, /[0-9a-f]{40}/)
    return body.data[0]
  }
  const folder = await service.make('/document_folders', { name: 'Told papers' })
  const link = { name: 'Contract', url: 'https://example.com/contract', document_folder_id: folder.id }
  const document = await service.make(`${path}/documents`, link)
  assert.equal((await last(`${path}/documents/${document.id}`)).after.url, link.url)
  const job = await service.make(`${path}/positions`, { effective_from: '2024-01-01' })
  assert.equal((await last(`${path}/positions/${job.id}`)).after.effective_until, null)
  await service.make(`${path}/positions`, { effective_from: '2025-01-01' })
  const ended = await last(`${path}/positions/${job.id}`)
  assert.deepEqual(
    [ended.fields, ended.before.effective_until, ended.after.effective_until],
    [['effective_until'], null, '2025-01-01'],
  )
  assert.match(ended.sentence, /effective until nothing → 2025-01-01/)
  const text = (words: string, name = 'a.txt') =>
    `data:text/plain;name=${name};base64,${Buffer.from(words).toString('base64')}`
  const certified = { name: 'First aid', issuer: 'Red Cross', issued_on: '2024-01-01', attachment: text('one') }
  const certificate = await service.make(`${path}/certifications`, certified)
  const made = await last(`${path}/certifications/${certificate.id}`)
  assert.deepEqual([made.after.file, made.after.file_type], [true, 'text/plain'])
  await service.put(`${path}/certifications/${certificate.id}`, { attachment: text('two') })
  const replaced = await last(`${path}/certifications/${certificate.id}`)
  assert.deepEqual([replaced.fields, replaced.before.file, replaced.after.file], [['file'], true, true])
  assert.match(replaced.sentence, /: file yes → another, by/)
  await service.put(`${path}/certifications/${certificate.id}`, { attachment: null })
  assert.equal((await last(`${path}/certifications/${certificate.id}`)).after.file, false)
  const candidate = await service.make('/recruitment/candidates', { full_name: 'Grace Hopper' })
  await service.put(`/recruitment/candidates/${candidate.id}`, { consent: { status: 'pending' } })
  const asked = await last(`/recruitment/candidates/${candidate.id}`)
  assert.deepEqual([asked.before.consent.status, asked.after.consent.status], ['none', 'pending'])
  const shown = (await service.get(`/recruitment/candidates/${candidate.id}`)).body.data
  assert.deepEqual(asked.after.consent, { ...shown.consent, expires_on: null })
  assert.match(asked.sentence, /consent status none → status pending/)
})

test('the history leaves out an update that changed only derived columns', async () => {
  const policy = await service.make('/probation_policies', { name: 'Twelve weeks', length: 84 })
  const { id, probation_ends_on } = await service.hire({ hired_on: '2030-01-01', probation_policy_id: policy.id })
  assert.equal(probation_ends_on, '2030-03-25')
  const since = (await service.put(`/employees/${id}`, { probation_ends_on })).headers.get('cadre-ledger')
  const changed = (await service.get(`/changes?since=${Number(since) - 1}&resources[]=employees`)).body.data
  assert.deepEqual([changed[0].record_id, changed[0].fields], [id, []])
  const told = async () => (await service.get(`/employees/${id}/history?parts=true`)).body
  for (const { fields } of (await told()).data) assert.ok(fields.length > 0)
  assert.equal((await service.get(`/employees/${id}/history`)).body.metadata.count, 1)
  await service.put(`/employees/${id}`, { probation_ends_on: '2030-04-01', middle_name: 'King' })
  assert.deepEqual((await told()).data[0].fields, ['middle_name', 'probation_ends_on'])
})

/** How a value may stand in a sentence, told by a naive reader: undefined where it cannot tell. */
function naive(value: any, isReference: boolean): RegExp | undefined {
  const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  if (value === null || value === undefined || value === '' || value?.length === 0) return /nothing/
  if (typeof value === 'boolean') return value ? /yes/ : /no/
  if (isReference) return /\S+/
  if (typeof value === 'number' || /^-?\d+\.\d+$/.test(value))
    return new RegExp(String(Number(value)).split('').map(escaped).join(',?'))
  if (Array.isArray(value))
    return typeof value[0] === 'object' ? undefined : new RegExp(escaped(String(value[0])).slice(0, 30))
  if (typeof value !== 'string' || /[<&]/.test(value)) return undefined
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return new RegExp(value.slice(0, 16).replace('T', ' '))
  if (/^[A-Z][a-z]+[A-Z]\w+$/.test(value)) return new RegExp(value.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase())
  if (/^[a-z]+(_[a-z]+)+$/.test(value)) return new RegExp(value.replaceAll('_', '[_ ]'))
  return new RegExp(escaped(value.replace(/\s+/g, ' ').trim().slice(0, 40)))
}

/** Every field that an entry says has changed is in its sentence, with what it was and what it is. */
function checkSentence(of: Resource, entry: any): void {
  const parts = entry.sentence.replace(/, (by|on) [^;]*$/, '')
  // What people do themselves when they sign in is planted here.
  assert.match(entry.sentence, /, (by API key All|from the command line)$/)
  assert.ok(entry.sentence.startsWith(of.one), entry.sentence)
  for (const name of entry.fields) {
    const isReference = Boolean(of.fields[name]?.reference ?? of.fields[name]?.former)
    const [was, is] = [entry.before?.[name], entry.after?.[name]].map((value) => naive(value, isReference))
    const word = spoken(name)
    // Said with the amount.
    if (name === 'currency_code' && entry.action !== 'update') continue
    const say = `${name} in ${entry.sentence}`
    if (entry.action === 'update') {
      const [, from = '', to = ''] = new RegExp(`(?:: |; )${word} (.*?) → (.*?)(?:; |$)`).exec(parts) ?? []
      if (was) assert.match(from, was, say)
      const isReplaced = entry.before?.[name] === true && entry.after?.[name] === true
      if (is) assert.match(to, isReplaced ? /^another$/ : is, say)
      assert.ok(from && to, say)
    } else {
      const value = entry.action === 'create' ? is : was
      if (value && String(value) !== '/nothing/') assert.match(parts, new RegExp(`${word} .*?${value.source}`), say)
    }
  }
}

test('every history entry of every resource names the changed fields, both values and the actor', async () => {
  let updates = 0
  let deletions = 0
  for (const of of resources) {
    const history = historyOf(of)
    const place = await samples.params(history)
    const update = operationAt('PUT', `${of.path}/{id}`)
    // Others are told of in the past of what they belong to, so each is changed where it can be.
    if (update) await samples.call(update, place, await samples.body(update))
    const { status, body, text } = await samples.call(history, place)
    assert.equal(status, 200, `${of.table}: ${text}`)
    assert.ok(body.data.length > 0, of.table)
    assert.equal(body.metadata.count, body.data.length)
    for (const entry of body.data) {
      assert.equal(entry.resource, of.table)
      checkSentence(of, entry)
      if (entry.action === 'update') updates++
    }
  }
  for (const of of resources.toReversed()) {
    const remove = operationAt('DELETE', `${of.path}/{id}`)
    const place = await samples.params(historyOf(of))
    if (!remove || remove.body || (await samples.call(remove, place)).status !== 204) continue
    // That is when people ask.
    const { status, body, text } = await samples.call(historyOf(of), place)
    assert.equal(status, 200, `${of.table}: ${text}`)
    const [last] = body.data
    if (last.action !== 'delete') continue
    checkSentence(of, last)
    deletions++
  }
  assert.ok(updates > 40 && deletions > 20, `${updates} updates, ${deletions} deletions`)
})

test('a history sentence reads naturally', async () => {
  const ada = await service.hire({ first_name: 'Ada', last_name: 'Lovelace' })
  const path = `/employees/${ada.id}`
  const salary = { effective_on: '2024-01-01', amount: '4200', currency_code: 'EUR', per: 'month' }
  const { id } = await service.make(`${path}/salaries`, salary)
  const payroll = (await service.post('/api_keys', { name: 'Payroll', permissions: ['*'], employee_id: ada.id })).body
  const key = payroll.data.key
  const change = (values: object) => service.put(`${path}/salaries/${id}`, values, { key })
  await change({ amount: '4500.5' })
  await change({ amount: '1234567', currency_code: 'USD' })
  await change({ amount: '9', comment: 'x'.repeat(200), overtime: true })
  assert.deepEqual((await sentencesAt(`${path}/salaries/${id}/history`)).slice(0, 3), [
    `salary of Ada Lovelace: amount 1,234,567 → 9 USD; overtime no → yes; comment nothing → “${'x'.repeat(80)}…”, by API key Payroll`,
    'salary of Ada Lovelace: amount 4,500.5 EUR → 1,234,567 USD; currency code EUR → USD, by API key Payroll',
    'salary of Ada Lovelace: amount 4,200 → 4,500.5 EUR, by API key Payroll',
  ])
  const [sales, marketing] = [
    await service.make('/departments', { name: 'Sales' }),
    await service.make('/departments', { name: 'Marketing' }),
  ]
  const job = await service.make(`${path}/positions`, { effective_from: '2024-01-01', department_id: sales.id })
  await service.put(`${path}/positions/${job.id}`, { department_id: marketing.id })
  const jobs = `${path}/positions/${job.id}/history`
  assert.equal(
    (await sentencesAt(jobs))[0],
    'employee position of Ada Lovelace: department Sales → Marketing, by API key All',
  )
  // By number for those who may not read departments, and by its last name when it is gone.
  const narrow = await service.keyWith({ permissions: ['audits:read', 'employees:read'] })
  assert.equal(
    (await sentencesAt(jobs, narrow))[0],
    `employee position of Ada Lovelace: department #${sales.id} → #${marketing.id}, by API key All`,
  )
  assert.equal((await service.delete(`/departments/${sales.id}`)).status, 204)
  assert.match((await sentencesAt(jobs))[0] as string, /department Sales → Marketing/)
  await service.make('/employee_fields', { name: 'Shirt', type: 'single_select', options: ['M', 'L'] })
  await service.make('/employee_fields', { name: 'Buddy', type: 'employee' })
  await service.put(path, { shirt: 'M', buddy: ada.id })
  await service.put(path, { shirt: 'L' })
  const [size, ...others] = await sentencesAt(`${path}/history?parts=true`)
  assert.equal(size, 'employee field value Shirt of Ada Lovelace: value M → L, by API key All')
  assert.match(others[0] as string, /employee field Buddy.*value Ada Lovelace/)
})

test('history sentences name their record, state each fact once and format values for people', async () => {
  const { id } = await office.hire({ first_name: 'Mary', last_name: 'Somerville' })
  const paid = { effective_on: '2024-01-01', amount: '4200', currency_code: 'EUR', per: 'month' }
  const salary = await office.make(`/employees/${id}/salaries`, paid)
  const [made] = await sentencesIn(`/employees/${id}/salaries/${salary.id}/history`)
  assert.match(made as string, /amount 4,200 EUR/)
  assert.doesNotMatch(made as string, /currency code/)
  const task = await office.make('/tasks', { name: 'Order a laptop', employee_id: id })
  await office.put(`/tasks/${task.id}/complete`)
  assert.match(
    (await sentencesIn(`/tasks/${task.id}/history`))[0] as string,
    /^task Order a laptop: completed at nothing → \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, by API key All$/,
  )
  await office.put(`/employees/${id}`, { middle_name: 'Fairfax' })
  assert.match((await sentencesIn(`/employees/${id}/history`))[0] as string, /^employee Mary Somerville: middle name/)
  // By number to who may not read people.
  const reader = await office.keyWith({ permissions: ['audits:read', 'tasks:read'] })
  assert.ok(!(await sentencesAt(`/tasks/${task.id}/history`, reader, office)).join().includes('Mary'))
  const phoned = await office.make('/recruitment/candidates', {
    full_name: 'Ida Rhodes',
    phone_numbers: ['+1 202 555 0100'],
  })
  const told = (await sentencesIn(`/recruitment/candidates/${phoned.id}/history?parts=true`)).join('\n')
  assert.match(told, /candidate phone created with candidate Ida Rhodes; number “?2025550100/)
})

test('a history with parts includes all nested records, newest first and in pages', async () => {
  const { id } = await service.hire({})
  const path = `/employees/${id}`
  const table = await service.make('/employee_tables', { name: 'Kit', internal_name: 'kit' })
  await service.make(`/employee_tables/${table.id}/columns`, { name: 'Size', type: 'text' })
  const row = await service.make(`${path}/tables/${table.id}/rows`, { columns: { size: 'Small' } })
  await service.put(`${path}/tables/${table.id}/rows/${row.id}`, { columns: { size: 'Large' } })
  await service.make(`${path}/educations`, { school: 'Yale', degree: 'Mathematics' })
  const whole = (await service.get(`${path}/history?parts=true&per_page=100`)).body
  const told = whole.data.map((one: any) => one.sentence).join('\n')
  for (const part of [/school “Yale”/, /employee table row created/, /value “Small” → “Large”/, /^employee created/m])
    assert.match(told, part)
  const numbers = whole.data.map((one: any) => one.number)
  assert.deepEqual(
    numbers,
    numbers.toSorted((a: number, b: number) => b - a),
  )
  // A record that was touched because of a part has nothing to say itself.
  assert.ok(whole.data.every((one: any) => one.fields.length > 0))
  const inPages: number[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { body } = await service.get(`${path}/history?parts=true&per_page=2&page=${page}`)
    pages = body.metadata.pages
    inPages.push(...body.data.map((one: any) => one.number))
  }
  assert.deepEqual(inPages, numbers)
  const oldest = (await service.get(`${path}/history?parts=true&sort=changed_at`)).body.data
  assert.deepEqual(
    oldest.map((one: any) => one.number),
    numbers.toReversed(),
  )
  assert.equal((await service.get(`${path}/history`)).body.metadata.count, 1)
})

test('the history of an unknown, foreign or misplaced record is 404, deleted or not', async () => {
  const [one, other] = [await service.hire({}), await service.hire({})]
  const paid = { effective_on: '2024-01-01', amount: '1', currency_code: 'EUR', per: 'month' }
  const salary = await service.make(`/employees/${one.id}/salaries`, paid)
  const stranger = (await service.otherAccount()).key
  const statusOf = async (path: string, key?: string) => (await service.get(path, key ? { key } : {})).status
  const options = await service.make('/employee_tables', { name: 'Tools', internal_name: 'tools' })
  const column = await service.make(`/employee_tables/${options.id}/columns`, { name: 'Kind', type: 'single_select' })
  const option = await service.make(`/employee_tables/${options.id}/columns/${column.id}/options`, { value: 'Saw' })
  const elsewhere = await service.make('/employee_tables', { name: 'Other tools', internal_name: 'other_tools' })
  for (const isGone of [false, true]) {
    if (isGone) {
      await service.delete(`/employees/${one.id}/salaries/${salary.id}`)
      await service.delete(`/employee_tables/${options.id}`)
    }
    assert.equal(await statusOf(`/employees/${one.id}/salaries/${salary.id}/history`), 200)
    assert.equal(await statusOf(`/employees/${other.id}/salaries/${salary.id}/history`), 404)
    assert.equal(await statusOf(`/employees/${one.id}/salaries/${salary.id}/history`, stranger), 404)
    const place = (table: number) => `/employee_tables/${table}/columns/${column.id}/options/${option.id}/history`
    assert.equal(await statusOf(place(options.id)), 200)
    assert.equal(await statusOf(place(elsewhere.id)), 404)
  }
  assert.equal(await statusOf(`/employees/${one.id}/salaries/99999/history`), 404)
  assert.equal(await statusOf('/employees/99999/history'), 404)
})

test('the history lists parts that a key may not fully see, whether there are any or not', async () => {
  const { id } = await service.hire()
  const path = `/employees/${id}/history`
  const told = async (key: string, query = '?parts=true') =>
    (await service.get(`${path}${query}`, { key })).body.metadata.omitted
  assert.deepEqual(await told(service.key), [])
  const narrow = await service.keyWith({ permissions: ['audits:*', 'employees:*'] })
  const before = await told(narrow)
  assert.ok(before.includes('employee_leave_types') && !before.includes('employee_notes'), before.join())
  assert.deepEqual(await told(narrow, ''), [])
  const leave_type_id = (await service.make('/leave_types', { name: 'Told of' })).id
  const policy = await service.make('/leave_policies', { name: 'Told of', leave_type_id, type: 'external' })
  await service.make(`/employees/${id}/leave_types`, { leave_type_id, leave_type_policy_id: policy.id })
  assert.deepEqual(await told(narrow), before)
  const withheld = await service.keyWith({ permissions: ['*'], withheld: ['compensation'] })
  assert.ok((await told(withheld)).includes('salaries'))
})

test('a key that may not read a record may not read its history', async () => {
  const { id } = await service.hire({})
  const paid = { effective_on: '2024-01-01', amount: '1', currency_code: 'EUR', per: 'month' }
  const salary = await service.make(`/employees/${id}/salaries`, paid)
  const path = `/employees/${id}/salaries/${salary.id}/history`
  const refused = async (rights: { permissions: string[]; withheld?: string[] }, place = path) => {
    const { status, body } = await service.get(place, { key: await service.keyWith(rights) })
    assert.equal(status, 403)
    return body.detail
  }
  assert.match(await refused({ permissions: ['employees:*'] }), /audits:read/)
  assert.match(await refused({ permissions: ['audits:*'] }), /employees:read/)
  assert.match(await refused({ permissions: ['*'], withheld: ['compensation'] }), /compensation/)
  assert.match(await refused({ permissions: ['audits:read', 'keys:read'] }, '/api_keys/1/history'), /keys:write/)
})

let count = 0
const mark = (what: string) => `Zq${what}${++count}xMark`

const sentencesIn = (path: string) => sentencesAt(path, undefined, office)

/** Every history and every page of audits that a key can read, as one text. */
async function allTold(key: string): Promise<string> {
  const entries = await office.database.query((sql) =>
    sql.selectFrom('ledger').selectAll().where('account_id', '=', office.account.id).orderBy('no').execute(),
  )
  const texts: string[] = []
  const known = new Map<string, Record<string, any>>()
  for (const { resource, record_id, before, after } of entries) {
    const name = `${resource} ${record_id}`
    const was = { ...JSON.parse(before ?? '{}'), ...JSON.parse(after ?? '{}') }
    known.set(name, { ...known.get(name), ...was, resource, id: record_id })
  }
  for (const record of known.values()) {
    const of = resources.find(({ table }) => table === record.resource)
    const place = of?.path.replace(/\{(\w+)\}/g, (_, name: string) => String(record[name] ?? 1))
    for (const query of ['', '?parts=true']) {
      const { text, headers } = await office.get(`${place}/${record.id}/history${query}`, { key })
      texts.push(text, headers.get('cadre-omitted') ?? '')
    }
  }
  texts.push((await office.get('/audits?per_page=200', { key })).text)
  return texts.join('\n')
}

test('history and audits contain no hidden field groups and no names that the key may not read', async () => {
  const marks: Record<string, string> = {}
  const word = (what: string, name: string) => {
    marks[name] = mark(what)
    return marks[name]
  }
  const gender = await office.make('/genders', { name: word('Gender', 'personal gender') })
  const { id } = await office.hire({ personal_email: `${word('Mail', 'personal')}@x.org`, gender_id: gender.id })
  const path = `/employees/${id}`
  const schedule = await office.make('/pay_schedules', { name: 'Monthly' })
  const paid = { effective_on: '2024-01-01', amount: '777123', currency_code: 'EUR', per: 'month' }
  const salary = await office.make(`${path}/salaries`, {
    ...paid,
    comment: word('Pay', 'compensation'),
    pay_schedule_id: schedule.id,
  })
  await office.put(`${path}/salaries/${salary.id}`, { amount: '888123' })
  await office.make('/employee_fields', { name: 'Bank', type: 'text', protection: 'compensation' })
  await office.put(path, { bank: word('Bank', 'compensation custom') })
  await office.put(path, { bank: word('Bank', 'compensation custom again') })
  const folder = await office.make('/document_folders', { name: 'Secret', protection: 'notes' })
  const document = {
    name: word('Doc', 'notes document'),
    url: 'https://example.com/x',
    document_folder_id: folder.id,
  }
  const kept = await office.make(`${path}/documents`, document)
  await office.delete(`${path}/documents/${kept.id}`)
  await office.make(`${path}/notes`, { body: word('Note', 'notes') })
  await office.make('/recruitment/candidate_fields', { name: 'Verdict', type: 'text', protection: 'notes' })
  const verdict = word('Verdict', 'notes candidate')
  const candidate = await office.make('/recruitment/candidates', { full_name: mark('Cand'), verdict })
  const about = { associated_to_id: candidate.id, associated_to_type: 'Candidate' }
  await office.make('/tasks', { name: 'Call them', employee_id: id, ...about })
  await office.make('/tasks', {
    name: 'See them',
    employee_id: id,
    associated_to_id: id,
    associated_to_type: 'Employee',
  })
  const category = await office.make('/knowledge_base/categories', { name: 'General' })
  const draft = { title: word('Draft', 'draft'), body: 'x', category_id: category.id }
  await office.make('/knowledge_base/articles', { ...draft, state: 'draft' })
  const everything = await allTold(office.key)
  for (const [name, marker] of Object.entries(marks)) assert.ok(everything.includes(marker), name)
  for (const withheld of ['compensation', 'personal', 'notes']) {
    const told = await allTold(await office.keyWith({ permissions: ['*'], withheld: [withheld] }))
    for (const [name, marker] of Object.entries(marks))
      if (name === 'personal gender') continue
      else assert.equal(told.includes(marker), !name.startsWith(withheld), `${name} without ${withheld}`)
    assert.ok(told.includes(`\n${withheld}\n`), `${withheld} is named`)
    const key = await office.keyWith({ permissions: ['*'], withheld: [withheld] })
    const { data, metadata } = (await office.get(`${path}/history?parts=true`, { key })).body
    assert.equal(metadata.count, data.length, 'what is left out is not counted either')
    if (withheld === 'compensation') assert.doesNotMatch(told, /777,?123|888,?123/)
  }
  // A gender has its name in the list of genders; whose it is stays with the person.
  const impersonal = await office.keyWith({ permissions: ['*'], withheld: ['personal'] })
  assert.ok(
    !(await office.get(`${path}/history?parts=true`, { key: impersonal })).text.includes(
      marks['personal gender'] as string,
    ),
  )
  // Whom a task is about, and whose it is, is not told by name nor number to who may not read people.
  const reader = await office.keyWith({ permissions: ['audits:read', 'tasks:read', 'knowledge:read'] })
  const told = await allTold(reader)
  assert.ok(told.includes('Call them'))
  // That something was cut is said of each, whomever it is about.
  for (const { action, omitted } of (await office.get('/changes?resources[]=tasks', { key: reader })).body.data)
    if (action === 'create') assert.deepEqual(omitted.toSorted(), ['candidates', 'employees'])
  assert.match(told, /fields hidden from you \(employees, candidates\)/)
  for (const hidden of [marks.draft as string, candidate.full_name, 'Person N', 'associated'])
    assert.ok(!told.includes(hidden), hidden)
})

test('an erased person appears in no history, as record, actor or reference', async () => {
  const [first, last, pay, doc] = ['First', 'Last', 'Pay', 'Doc'].map(mark) as [string, string, string, string]
  const person = await office.hire({ first_name: first, last_name: last })
  const path = `/employees/${person.id}`
  const paid = { effective_on: '2024-01-01', amount: '1', currency_code: 'EUR', per: 'month', comment: pay }
  const salary = await office.make(`${path}/salaries`, paid)
  await office.put(`${path}/salaries/${salary.id}`, { amount: '2' })
  await office.delete(`${path}/salaries/${salary.id}`)
  const folder = await office.make('/document_folders', { name: 'Papers' })
  await office.make(`${path}/documents`, { name: doc, url: 'https://example.com/x', document_folder_id: folder.id })
  const team = await office.make('/teams', { name: 'Theirs', team_lead_id: person.id })
  const own = (await office.post('/api_keys', { name: mark('Key'), permissions: ['*'], employee_id: person.id })).body
  await office.put(`/teams/${team.id}`, { description: 'By them' }, { key: own.data.key })
  const job = await office.make(`/employees/${(await office.hire({})).id}/positions`, {
    effective_from: '2024-01-01',
    reporting_to_id: person.id,
  })
  assert.ok(job.id)
  assert.ok((await sentencesIn(`/teams/${team.id}/history`)).join().includes(first))
  assert.equal((await office.delete(`${path}?erase=true`)).status, 204)
  const told = await allTold(office.key)
  for (const marker of [first, last, pay, doc]) assert.ok(!told.includes(marker), marker)
  assert.match((await sentencesIn(`/teams/${team.id}/history`)).join('\n'), /#\d+|Erased person/)
  assert.match((await sentencesIn(`${path}/history`))[0] as string, /^employee: erased/)
  assert.match((await sentencesIn(`${path}/salaries/${salary.id}/history`)).join('\n'), /values erased since/)
})

test('a history takes the same number of statements at any length', async () => {
  const { id } = await service.hire({})
  const table = `/employees/${id}`
  const countFor = async () => {
    let statements = 0
    service.onStatement = (statement) => {
      if (/^(select|with)/.test(statement)) statements++
    }
    assert.equal((await service.get(`${table}/history?parts=true&per_page=200`)).status, 200)
    service.onStatement = undefined
    return statements
  }
  const paid = { currency_code: 'EUR', per: 'month', amount: '1' }
  await service.make(`${table}/salaries`, { ...paid, effective_on: '2020-01-01' })
  const few = await countFor()
  for (let n = 1; n <= 20; n++) {
    const { id } = await service.make(`${table}/salaries`, {
      ...paid,
      effective_on: `2024-02-${String(n).padStart(2, '0')}`,
    })
    if (n === 1) continue
    await service.put(`${table}/salaries/${id}`, { comment: `Comment ${n}` })
  }
  assert.ok((await countFor()) <= few, `${few} at first`)
  assert.ok(few <= 12, `${few} statements`)
})
