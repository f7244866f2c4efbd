import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { verifyLedger } from '../src/records/verify.ts'
import { readCatalogue } from './catalogue.ts'
import { ENGINE, type Service } from './harness.ts'
import { type Office, openOffice } from './recruitment/office.ts'
import { unzip } from './unzip.ts'

let service: Service
let office: Office
let folder: string
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cadre-test-'))
  office = await openOffice({ config: { CADRE_FILES: folder } })
  service = office.service
})
after(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Every text and every byte that is kept of anybody: the database as it lies on the disk, and all files. */
async function everything(): Promise<string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
  if (ENGINE === 'sqlite') {
    const file = service.databaseUrl.replace(/^sqlite:/, '')
    for (const name of [file, `${file}-wal`]) files.push(readFileSync(name, 'latin1'))
    return files.join('\n')
  }
  for (const table of (await readCatalogue(service.database)).keys()) {
    const { rows } = await service.database.query((db) =>
      sql`select t::text as row from ${sql.table(table)} t`.execute(db),
    )
    files.push(...rows.map((row: any) => row.row))
  }
  return files.join('\n')
}

const LEAVE = ['1 leave_requests', '1 leave_attachments', '1 overtime_requests']

let count = 0
/** A word that stands nowhere else. */
const mark = (what: string) => `Zq${what}${++count}xMark`
const pdf = (word: string) => `data:application/pdf;base64,${Buffer.from(`%PDF-1.4 ${word}`).toString('base64')}`
const retry = () => ({ headers: { 'idempotency-key': `retry-${++count}` } })

test('erasing an employee leaves nothing in records, history, stored responses, files or log', async () => {
  const marks: string[] = []
  const word = (what: string) => {
    marks.push(mark(what))
    return marks.at(-1) as string
  }
  const old = word('Old')
  const made = await service.post(
    '/employees',
    { first_name: old, last_name: word('Last'), email: `${word('mail')}@example.com`, hired_on: '2020-01-01' },
    retry(),
  )
  const { id } = made.body.data
  const path = `/employees/${id}`
  await service.put(path, { first_name: word('First'), personal_email: `${word('own')}@example.com` }, retry())
  await service.make('/employee_fields', { name: 'Passport', type: 'text', historical: true })
  await service.put(path, { passport: word('Pass') })
  const folderId = (await service.make('/document_folders', { name: 'Contracts' })).id
  const upload = { name: word('Doc'), document_folder_id: folderId }
  const document = await service.make(`${path}/documents`, { ...upload, document: pdf(word('Bytes')) })
  const lost = await service.make(`${path}/documents`, { ...upload, document: pdf(word('Gone')) })
  await service.delete(`${path}/documents/${lost.id}`)
  const skill = await service.make('/skills', { name: 'Welding' })
  await service.make(`${path}/skills`, { skill_id: skill.id, level: 'expert' })
  const certificate = await service.make(`${path}/certifications`, {
    name: word('Cert'),
    issuer: 'I',
    attachment: pdf(word('Paper')),
  })
  await service.put(path, { slack_username: word('Slack'), facebook_url: `https://example.com/${word('face')}` })
  const note = await service.make(`${path}/notes`, { body: word('Note') })
  await service.delete(`${path}/notes/${note.id}`)
  await service.make(`${path}/notes`, { body: word('Kept') })
  await service.make(`${path}/emergency_contacts`, { name: word('Aunt'), phone_number: '1', relationship: 'aunt' })
  const key = await service.make('/api_keys', { name: word('Key'), permissions: ['*'], employee_id: id })
  assert.equal((await service.get('/teams', { key: key.key })).status, 200)
  await service.post(`${path}/terminate`, { effective_from: '2024-01-01', comment: word('Why') })
  assert.equal((await service.get('/teams', { key: key.key })).status, 401, 'a key ends when its owner leaves')
  const boss = await service.hire()
  const report = await service.hire({ reporting_to_id: boss.id })
  await service.post(`/employees/${report.id}/positions`, { effective_from: '2022-01-01', reporting_to_id: id })
  const project = await service.make('/time/projects', { name: 'Bridge' })
  const worked = await service.make('/time/timesheet_entries', {
    employee_id: id,
    starts_at: '2023-05-02T08:00:00Z',
    ends_at: '2023-05-02T09:00:00Z',
    project_id: project.id,
    comment: word('Work'),
  })
  const leave_type_id = (await service.make('/leave_types', { name: 'Rest' })).id
  const policy = await service.make('/leave_policies', { name: 'Rest', leave_type_id, type: 'external' })
  const assigned = { leave_type_id, leave_type_policy_id: policy.id, effective_on: '2020-01-01' }
  await service.make(`${path}/leave_types`, assigned)
  const rest = await service.make('/leave_requests', {
    employee_id: id,
    leave_type_id,
    starts_on: '2023-05-03',
    ends_on: '2023-05-03',
    comment: word('Rest'),
    attachment: pdf(word('Certificate')),
  })
  await service.make('/time/overtime_requests', {
    employee_id: id,
    date: '2023-05-02',
    minutes: 30,
    comment: word('Overtime'),
  })
  const decider = await service.make('/api_keys', { name: 'Decider', permissions: ['*'], employee_id: boss.id })
  await service.post(`/leave_requests/${rest.id}/approve`, {}, { key: decider.key })
  await service.make('/employee_fields', { name: 'Godparent', type: 'employee' })
  await service.put(`/employees/${boss.id}`, { godparent: id })
  const here = await everything()
  for (const one of marks) if (one !== lost.name && !/Gone/.test(one)) assert.ok(here.includes(one), `${one} is there`)

  const refused = await service.delete(path)
  assert.equal(refused.status, 409)
  assert.match(refused.body.detail, /1 employee documents .*erase=true/)
  const { goes, stays } = (await service.get(`${path}/erasure`)).body.data
  const kinds = (list: any[]) => list.map(({ what, count }) => `${count} ${what}`)
  for (const kind of [
    '1 employees',
    '1 employee_documents',
    '1 employee_notes',
    '1 emergency_contacts',
    '1 employee_skills',
    '1 certifications',
    ...LEAVE,
  ])
    assert.ok(kinds(goes).includes(kind), kind)
  assert.ok(kinds(stays).includes('1 timesheet_entries') && stays.every((one: any) => one.why))

  const address = document.url
  assert.equal((await service.get(address)).status, 200)
  assert.equal((await service.delete(`${path}?erase=true`)).status, 204)
  assert.equal((await service.get(rest.attachment_url)).status, 404)
  for (const one of [path, `${path}/documents`, `${path}/skills`, address, certificate.attachment_url])
    assert.equal((await service.get(one)).status, 404, one)
  assert.equal((await service.get('/teams', { key: key.key })).status, 401)
  const left = await everything()
  for (const one of marks) assert.ok(!left.includes(one), `${one} is gone`)

  const figure = (await service.get(`/time/timesheet_entries/${worked.id}`)).body.data
  assert.deepEqual([figure.minutes, figure.project_id ?? figure.project?.id, figure.comment], [60, project.id, ''])
  const standIn = (await service.get(`/employees/${figure.employee_id}`)).body.data
  assert.deepEqual([standIn.full_name, standIn.status], ['Erased person', 'terminated'])
  assert.equal((await service.get(`/employees/${boss.id}`)).body.data.fields.godparent.user_id, null)
  assert.equal((await service.delete(`/employees/${standIn.id}?erase=true`)).status, 409)
  const again = await service.post('/employees', { first_name: old, last_name: 'x' }, retry())
  assert.equal(again.status, 201, 'others live on')
})

test('deleting an employee leaves nothing either, and is refused if they have more than a first job', async () => {
  const [name, mail] = [mark('Slip'), mark('mail')]
  const slip = await service.hire({ first_name: name, email: `${mail}@example.com`, date_of_birth: '1990-01-01' })
  assert.equal((await service.delete(`/employees/${slip.id}`)).status, 204)
  const left = await everything()
  assert.ok(!left.includes(name) && !left.includes(mail))
  await service.make('/employee_fields', { name: 'Buddy', type: 'employee' })
  const named = await service.hire()
  const other = await service.hire({ buddy: named.id })
  const refused = await service.delete(`/employees/${named.id}`)
  assert.deepEqual([refused.status, refused.body.errors[0].field], [409, 'employee_field_values'])
  const { stays } = (await service.get(`/employees/${named.id}/erasure`)).body.data
  assert.ok(stays.some((one: any) => one.what === 'employee_field_values'))
  assert.equal((await service.delete(`/employees/${other.id}`)).status, 409, 'custom values are more than a first job')
})

test('erasing a person deletes their goals and leaves the placeholder unlinked', async () => {
  const marks = [mark('Kpi'), mark('Goal'), mark('Company'), mark('Result'), mark('Dropped')]
  const [kpi, goal, company, result, dropped] = marks as [string, string, string, string, string]
  const { id } = await service.hire()
  const indicator = { metric: 'number', starts_on: '2026-01-01', ends_on: '2026-12-31', target: '1', initial: '0' }
  const own = { ...indicator, title: kpi, kpi_type: 'individual', user_id: id }
  const kept = { ...indicator, title: company, kpi_type: 'company', user_id: id }
  const made = [
    await service.post('/performance/key_performance_indicators', own),
    await service.post('/performance/key_performance_indicators', kept),
  ]
  const objective = await service.post('/performance/objectives', {
    title: goal,
    owner_id: id,
    starts_on: '2026-01-01',
    ends_on: '2026-12-31',
    key_results: [
      { title: result, target: 1 },
      { title: dropped, target: 1 },
    ],
  })
  // A part that went before what it was a part of.
  const { key_results } = objective.body.data
  await service.put(`/performance/objectives/${objective.body.data.id}`, { key_results: key_results.slice(0, 1) })
  assert.deepEqual(
    [...made, objective].map((one) => one.status),
    [201, 201, 201],
    made.map((one) => one.text).join(),
  )
  assert.equal((await service.delete(`/employees/${id}?erase=true`)).status, 204)
  const left = await everything()
  assert.deepEqual(
    marks.map((one) => left.includes(one)),
    [false, false, true, false, false],
  )
  const standIn = (await service.get('/employees?status=all&employee_numbers[]=ERASED')).body.data[0]
  for (const [method, path, json] of [
    ['PUT', '', { first_name: 'Somebody' }],
    ['POST', '/activate', {}],
    ['POST', '/terminate', { effective_from: '2030-01-01' }],
  ] as const)
    assert.equal((await service.send(method, `/employees/${standIn.id}${path}`, { json })).status, 409)
  const bulk = await service.send('PATCH', '/employees/bulk', { json: { data: [{ id: standIn.id, first_name: 'X' }] } })
  assert.equal(bulk.body.errors.count, 1)
})

test('an unused employee can be deleted; erasing a team or vacancy lead leaves a placeholder', async () => {
  const mistake = await service.hire({ department_id: (await service.make('/departments', { name: 'D' })).id })
  assert.equal((await service.delete(`/employees/${mistake.id}`)).status, 204)
  const lead = await service.hire({ last_name: mark('Lead') })
  const team = await service.make('/teams', { name: 'Crew', team_lead_id: lead.id })
  const refused = await service.delete(`/employees/${lead.id}`)
  assert.deepEqual(
    refused.body.errors.map((error: any) => [error.field, error.code]),
    [['teams', 'in_use']],
  )
  assert.equal((await service.delete(`/employees/${lead.id}?erase=true`)).status, 204)
  assert.equal((await service.get(`/teams/${team.id}`)).body.data.team_lead.full_name, 'Erased person')
  assert.ok(!(await everything()).includes(lead.last_name))
})

test('erasing a candidate leaves nothing, including what was deleted before', async () => {
  const marks = [mark('Name'), mark('Letter'), mark('Note'), mark('File'), mark('Cv'), mark('Chat'), mark('Call')]
  const [name, letter, remark, file, cv, ...handles] = marks as [string, string, string, string, string, ...string[]]
  const [telegram_username, skype_username] = handles
  const body = {
    full_name: name,
    email: `${name}@example.com`,
    cover_letter: letter,
    resume: pdf(cv),
    telegram_username,
    skype_username,
    languages: [{ code: 'eo', level: 'native' }],
  }
  const { id } = (await service.post('/recruitment/candidates', body, retry())).body.data
  const path = `/recruitment/candidates/${id}`
  const note = await service.make(`${path}/notes`, { comment: remark })
  await service.delete(`${path}/notes/${note.id}`)
  const document = await service.make(`${path}/documents`, { attachment: pdf(file) })
  const replaced = (await service.get(path)).body.data.resume_url
  await service.put(path, { resume: pdf(mark('Newer')) })
  assert.equal((await service.get(replaced)).status, 404, 'the address of a replaced file opens nothing')
  assert.ok(!(await everything()).includes(cv), 'its bytes are gone')
  await service.delete(`${path}/documents/${document.id}`)
  assert.equal((await service.get(document.url)).status, 404)
  assert.equal((await service.delete(path)).status, 204)
  const left = await everything()
  for (const one of marks) assert.ok(!left.includes(one), `${one} is gone`)
})

test("erasing covers merged duplicates, and an employee's candidate record", async () => {
  const marks = [mark('Twin'), mark('Note'), mark('Letter')]
  const [name, remark, letter] = marks as [string, string, string]
  const duplicate = await service.make('/recruitment/candidates', { full_name: name, cover_letter: letter })
  const note = await service.make(`/recruitment/candidates/${duplicate.id}/notes`, { comment: remark })
  await service.delete(`/recruitment/candidates/${duplicate.id}/notes/${note.id}`)
  const kept = await service.make('/recruitment/candidates', {
    full_name: mark('Kept'),
    email: 'kept@example.com',
    resume: pdf(mark('Cv')),
  })
  marks.push(kept.full_name)
  const merged = await service.post(`/recruitment/candidates/${kept.id}/merge`, { duplicate_id: duplicate.id })
  assert.equal(merged.status, 200, merged.text)
  const vacancy = await office.vacancy({ positions: 1 })
  const hired = await service.post(`${await office.apply(vacancy.id, kept.id)}/hire`, {
    hired_on: '2030-01-01',
    last_name: 'Kept',
  })
  assert.equal(hired.status, 200, hired.text)
  const { id } = hired.body.data.employee
  assert.equal((await service.delete(`/employees/${id}?erase=true`)).status, 204)
  assert.equal((await service.get(`/recruitment/candidates/${kept.id}`)).status, 404)
  const after = (await service.get(`/recruitment/vacancies/${vacancy.id}`)).body.data
  assert.deepEqual([after.hires_count, after.state], [1, 'closed'], 'the place stays filled')
  const left = await everything()
  for (const one of marks) assert.ok(!left.includes(one), `${one} is gone`)
})

const requestOf = (answer: { headers: Headers }) => answer.headers.get('x-request-id')

test('erasing a candidate whose merge was undone leaves nothing of them with the other candidate', async () => {
  const [name, letter, remark, chat] = [mark('Dup'), mark('Letter'), mark('Note'), mark('Chat')]
  const keeper = await office.candidate({ telegram_username: 'keeper' })
  const path = `/recruitment/candidates/${keeper.id}`
  const before = (await service.get('/divisions')).headers.get('cadre-ledger')
  const renamed = await service.put(path, { position: 'Baker' })
  const duplicate = await office.candidate({
    full_name: name,
    email: `${name}@example.com`,
    cover_letter: letter,
    telegram_username: chat,
    phone_numbers: ['+49 30 7654321'],
  })
  await service.make(`/recruitment/candidates/${duplicate.id}/notes`, { comment: remark })
  const merge = () => service.post(`${path}/merge`, { duplicate_id: duplicate.id }, retry())
  const merged = await merge()
  const undone = await service.post(`/requests/${requestOf(merged)}/undo`, {}, retry())
  assert.equal(undone.status, 200, undone.text)
  const [note] = undone.body.data.changes.filter(({ resource, action, before }: any) => {
    return resource === 'candidate_notes' && action === 'delete' && before.comment.includes(name)
  })
  const alone = await service.post(`/changes/${note.number}/undo`)
  assert.equal(alone.status, 409, 'the note does not come back without the merge')
  assert.match(alone.body.detail, /undo the whole request/i)
  // Merged and parted once more, the other way in between.
  const again = await service.post(`/requests/${requestOf(undone)}/undo`, {}, retry())
  assert.equal(again.status, 200, again.text)
  const parted = await service.post(`/requests/${requestOf(again)}/undo`, {}, retry())
  assert.equal(parted.status, 200, parted.text)

  const shown = (await service.get(path)).body.data
  assert.equal((await service.delete(`/recruitment/candidates/${duplicate.id}?erase=true`)).status, 204)
  const left = await everything()
  for (const one of [name, letter, remark, chat, '7654321']) assert.ok(!left.includes(one), `${one} is gone`)
  assert.deepEqual((await service.get(path)).body.data, shown)
  for (const request of [merged, undone, again, parted])
    assert.equal((await service.post(`/requests/${requestOf(request)}/undo`)).status, 409)
  const told = (await service.get(`/changes?since=${before}&record_id=${keeper.id}&resources[]=candidates`)).body.data
  assert.deepEqual([told[0].after.position, told.at(-1).action], ['Baker', 'erase'])
  assert.equal(told.at(-1).after.full_name, keeper.full_name, 'whoever mirrors the records is told what stays')
  const { broken } = await verifyLedger(service.database, service.account.id)
  assert.equal(broken, null)
  const taken = await service.post(`/requests/${requestOf(renamed)}/undo`)
  assert.equal(taken.status, 200, taken.text)
})

test('a person whose creation was undone can be erased, even if their e-mail is reused', async () => {
  const undo = async (answer: { headers: Headers }) => {
    const undone = await service.post(`/requests/${requestOf(answer)}/undo`, {}, retry())
    assert.equal(undone.status, 200, undone.text)
    return undone
  }
  for (const [path, query, body] of [
    ['/employees', '?erase=true', { first_name: 'F', last_name: 'L', hired_on: '2020-01-01' }],
    ['/recruitment/candidates', '', { full_name: 'F', resume: pdf(mark('Cv')) }],
    ['/external_users', '', { first_name: 'F', last_name: 'L' }],
  ] as const) {
    const name = mark('Gone')
    const email = `${name}@example.com`
    const sent = { ...body, [path === '/recruitment/candidates' ? 'full_name' : 'first_name']: name, email }
    const made = await service.post(path, sent, retry())
    const { id } = made.body.data
    const undone = await undo(made)
    const one = `${path}/${id}`
    if (path !== '/external_users') {
      const { goes, stays } = (await service.get(`${one}/erasure`)).body.data
      assert.deepEqual([goes, stays.at(-1).what], [[{ what: path.split('/').at(-1), as: 'id', count: 0 }], 'ledger'])
    }
    const again = await service.make(path, { ...sent, ...body })
    const limited = await service.keyWith({ permissions: ['*'], withheld: ['personal'] })
    assert.equal((await service.delete(`${one}${query}`, { key: limited })).status, 403, path)
    const erased = await service.delete(`${one}${query}`)
    assert.equal(erased.status, 204, `${path} ${erased.text}`)
    assert.equal((await service.delete(`${one}${query}`)).status, 404, 'once')
    assert.equal((await service.get(`${path}/${again.id}`)).body.data.email.toLowerCase(), email.toLowerCase())
    assert.equal((await service.delete(`${path}/${again.id}${query}`)).status, 204)
    assert.ok(!(await everything()).toLowerCase().includes(name.toLowerCase()), `${path}: ${name} is gone`)
    assert.equal((await service.post(`/requests/${requestOf(undone)}/undo`)).status, 409)
    assert.equal((await service.delete(`${path}/987654${query}`)).status, 404)
  }
})

test('erasing a candidate also erases the employee of an undone hire', async () => {
  const [name, last] = [mark('First'), mark('Last')]
  const person = await office.candidate({ full_name: `${name} ${last}`, email: `${name}@example.com` })
  const vacancy = await office.vacancy({ positions: 1 })
  const hired = await service.post(`${await office.apply(vacancy.id, person.id)}/hire`, { hired_on: '2030-01-01' })
  assert.equal(hired.status, 200, hired.text)
  const undone = await service.post(`/requests/${requestOf(hired)}/undo`, {}, retry())
  assert.equal(undone.status, 200, undone.text)
  for (const { number, resource } of undone.body.data.changes.filter(({ fields }: any) => fields.length > 0)) {
    const alone = await service.post(`/changes/${number}/undo`)
    assert.deepEqual([resource, alone.status], [resource, 409], alone.text)
  }
  assert.equal((await service.delete(`/recruitment/candidates/${person.id}`)).status, 204)
  const left = await everything()
  for (const one of [name, last]) assert.ok(!left.toLowerCase().includes(one.toLowerCase()), `${one} is gone`)
  const { broken } = await verifyLedger(service.database, service.account.id)
  assert.equal(broken, null)
})

test('deleting an external user leaves nothing of them', async () => {
  const marks = [mark('First'), mark('Older'), mark('mail')]
  const [first_name, older, mail] = marks as [string, string, string]
  const body = { first_name, last_name: older, email: `${mail}@agency.example` }
  const { id } = (await service.post('/external_users', body, retry())).body.data
  await service.put(`/external_users/${id}`, { last_name: 'Newer' }, retry())
  assert.equal((await service.delete(`/external_users/${id}`)).status, 204)
  const left = await everything()
  for (const one of marks) assert.ok(!left.toLowerCase().includes(one.toLowerCase()), `${one} is gone`)
})

test('a file shared by two records stays until the last one is deleted', async () => {
  const folderId = (await service.make('/document_folders', { name: 'Twins' })).id
  const bytes = mark('Twin')
  const upload = { name: 'twin', document_folder_id: folderId, document: pdf(bytes) }
  const [one, other] = [await service.hire(), await service.hire()]
  const first = await service.make(`/employees/${one.id}/documents`, upload)
  const second = await service.make(`/employees/${other.id}/documents`, upload)
  await service.delete(`/employees/${one.id}/documents/${first.id}`)
  assert.deepEqual([(await service.get(first.url)).status, (await service.get(second.url)).status], [404, 200])
  await service.delete(`/employees/${other.id}/documents/${second.id}`)
  assert.ok(!(await everything()).includes(bytes))
})

test('erasing a person deletes their table rows, cleared values and deleted rows', async () => {
  const table = await service.make('/employee_tables', { name: 'Permits' })
  const columns = `/employee_tables/${table.id}/columns`
  await service.make(columns, { name: 'Number', type: 'text' })
  await service.make(columns, { name: 'Checked by', type: 'employee' })
  const { id } = await service.hire()
  const colleague = await service.hire()
  const rows = (person: number) => `/employees/${person}/tables/permits/rows`
  const [kept, cleared, gone] = [mark('Kept'), mark('Cleared'), mark('Gone')]
  await service.post(rows(id), { number: kept, checked_by: id }, retry())
  const emptied = await service.make(rows(id), { number: cleared })
  await service.put(`${rows(id)}/${emptied.id}`, { number: null }, retry())
  const deleted = await service.make(rows(id), { number: gone })
  assert.equal((await service.delete(`${rows(id)}/${deleted.id}`)).status, 204)
  const theirs = await service.make(rows(colleague.id), { number: 'P 1', checked_by: id })
  const { goes, stays } = (await service.get(`/employees/${id}/erasure`)).body.data
  const counts = (list: any[]) => Object.fromEntries(list.map(({ what, count }) => [what, count]))
  assert.deepEqual([counts(goes).employee_table_rows, counts(stays).employee_table_values], [2, 2])
  assert.match((await service.delete(`/employees/${id}`)).body.detail, /2 employee table rows/)

  assert.equal((await service.delete(`/employees/${id}?erase=true`)).status, 204)
  const left = await everything()
  for (const one of [kept, cleared, gone]) assert.ok(!left.includes(one), `${one} is gone`)
  const row = (await service.get(`${rows(colleague.id)}/${theirs.id}`)).body.data
  assert.deepEqual(row.columns, { number: 'P 1', checked_by: null })
  assert.equal((await service.delete(`${columns}/checked_by`)).status, 204, 'nothing is left in the column')
})

test('an export is one archive of everything about a person, and of nobody else', async () => {
  const folderId = (await service.make('/document_folders', { name: 'Exported' })).id
  const [name, remark, bytes] = [mark('Name'), mark('Note'), mark('Bytes')]
  const { id } = await service.hire({ first_name: name })
  await service.make(`/employees/${id}/notes`, { body: remark })
  await service.make(`/employees/${id}/documents`, {
    name: 'Papers',
    document_folder_id: folderId,
    document: pdf(bytes),
  })
  const leave_type_id = (await service.make('/leave_types', { name: 'Exported' })).id
  const policy = await service.make('/leave_policies', { name: 'Exported', leave_type_id, type: 'external' })
  await service.make(`/employees/${id}/leave_types`, { leave_type_id, leave_type_policy_id: policy.id })
  const certificate = mark('Certificate')
  await service.make('/leave_requests', {
    employee_id: id,
    leave_type_id,
    starts_on: '2030-07-01',
    ends_on: '2030-07-01',
    attachment: pdf(certificate),
  })
  const vaccines = await service.make('/employee_tables', { name: 'Vaccines' })
  await service.make(`/employee_tables/${vaccines.id}/columns`, { name: 'Against', type: 'text' })
  await service.make(`/employees/${id}/tables/vaccines/rows`, { against: 'Tetanus' })
  const paper = mark('Paper')
  await service.make(`/employees/${id}/certifications`, { name: 'C', issuer: 'I', attachment: pdf(paper) })
  const other = await service.hire({ first_name: mark('Other') })
  const answer = await fetch(`${service.url}/api/v3/employees/${id}/export`, { headers: { 'x-api-key': service.key } })
  assert.deepEqual(
    [answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')],
    [200, 'application/zip', `attachment; filename="employee-${id}.zip"`],
  )
  const entries = unzip(Buffer.from(await answer.arrayBuffer()))
  const { records, files } = JSON.parse((entries.get('records.json') as Buffer).toString())
  assert.equal(records.employees[0].first_name, name)
  assert.equal(records.employee_notes[0].body, remark)
  const [row] = records.employee_table_rows
  assert.deepEqual([row.table.name, row.columns], ['Vaccines', { against: 'Tetanus' }])
  assert.ok(!JSON.stringify(records).includes(other.first_name))
  const fileOf = (what: string) => entries.get(files.find(({ table }: any) => table === what)?.file) as Buffer
  assert.ok(fileOf('employee_documents').includes(bytes) && fileOf('leave_attachments').includes(certificate))
  const inside = files.map(({ file }: any) => entries.get(file)?.toString()).join()
  assert.ok(inside.includes(bytes) && inside.includes(paper))
  const limited = await service.keyWith({ permissions: ['*'], withheld: ['compensation'] })
  for (const what of ['export', 'erasure'])
    assert.equal((await service.get(`/employees/${id}/${what}`, { key: limited })).status, 403)
  assert.equal((await service.delete(`/employees/${id}?erase=true`, { key: limited })).status, 403)
})

test('erasing needs permission to read everything that is erased, as the preview does', async () => {
  const { id } = await service.hire({ hired_on: '2020-01-01' })
  await service.make('/tasks', { name: 'Held', employee_id: id })
  const key = await service.keyWith({ permissions: ['employees:*'] })
  for (const [method, path] of [
    ['GET', `/employees/${id}/erasure`],
    ['DELETE', `/employees/${id}?erase=true`],
  ] as const) {
    const { status, body } = await service.send(method, path, { key })
    assert.deepEqual([status, body.code], [403, 'forbidden'], method)
    assert.match(body.message, /tasks:read/)
  }
  const enough = await service.keyWith({
    permissions: ['employees:*', 'tasks:read', 'reviews:read', 'review_answers:read'],
  })
  assert.equal((await service.delete(`/employees/${id}?erase=true`, { key: enough })).status, 204)
})

test('the change feed tells which records of an erased person stay', async () => {
  const { id } = await service.hire({ hired_on: '2020-01-01' })
  const project = await service.make('/time/projects', { name: 'Mirrored' })
  const entry = await service.make('/time/timesheet_entries', {
    employee_id: id,
    project_id: project.id,
    starts_at: '2024-03-04T09:00:00Z',
    ends_at: '2024-03-04T11:00:00Z',
    note: 'Quetzalcoatlus',
  })
  const since = Number((await service.get('/genders')).headers.get('cadre-ledger'))
  assert.equal((await service.delete(`/employees/${id}?erase=true`)).status, 204)
  const { body, text } = await service.get(`/changes?since=${since}&limit=1000`)
  assert.ok(!text.includes('Quetzalcoatlus'))
  const told = body.data.findLast((one: any) => one.resource === 'timesheet_entries' && one.record_id === entry.id)
  const kept = (await service.get(`/time/timesheet_entries/${entry.id}`)).body.data
  assert.equal(told.action, 'erase')
  assert.equal(told.after.project_id, project.id)
  assert.equal(told.after.employee_id, kept.employee_id ?? kept.employee?.id)
  assert.notEqual(told.after.employee_id, id)
  const person = body.data.findLast((one: any) => one.resource === 'employees' && one.record_id === id)
  assert.deepEqual([person.action, person.after], ['erase', null])
})
