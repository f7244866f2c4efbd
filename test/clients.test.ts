import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { connect } from '../src/database/connect.ts'
import { migrate } from '../src/database/migrate.ts'
import { fillWithDemo } from '../src/demo/demo.ts'
import { ensureFirstAccount } from '../src/domain/access/accounts.ts'
import { listAccounts } from '../src/domain/access/stored-accounts.ts'
import { createDefaultRecords } from '../src/domain/organisation/default-records.ts'
import { daysAfter } from '../src/engine/day.ts'
import type { Account } from '../src/records/caller.ts'
import { openService } from '../src/service.ts'
import { assetDesk } from './clients/asset-desk.ts'
import { findPeople } from './clients/assistant.ts'
import { newAudits } from './clients/audit-trail.ts'
import { applyFor } from './clients/career-form.ts'
import { applyByPage, openVacancies } from './clients/career-page.ts'
import { formClient } from './clients/form-client.ts'
import { minutesWorked } from './clients/hours.ts'
import { importPeople } from './clients/import-people.ts'
import { mirrorKnowledge } from './clients/knowledge-mirror.ts'
import { leaveAskedFor } from './clients/leave-watch.ts'
import { leaverFigures } from './clients/leavers.ts'
import { ask } from './clients/misspelt.ts'
import { newTasks } from './clients/new-tasks.ts'
import { readReviews } from './clients/review-reader.ts'
import { LEVELS, skillsMatrix } from './clients/skills-matrix.ts'
import { staffByMetadata, staffByPagination } from './clients/staff-pages.ts'
import { tableOf } from './clients/table-sync.ts'
import { staffProject, syncShifts } from './clients/time-sync.ts'
import { everyListHasRecords } from './demo-lists.ts'
import { freshDatabase, sender } from './harness.ts'

const KEY = 'the-key-of-the-clients-0123456789-0123456789'
const TODAY = new Date().toISOString().slice(0, 10)
const inOrder = (ids: number[]) => ids.toSorted((one, other) => one - other)
const idsOf = (records: any[]): number[] => inOrder(records.map(({ id }) => id))

let base: string
let send: ReturnType<typeof sender>
let stop = async () => {}
/** Those who are here, and have been for a while. */
let staff: any[]

before(async () => {
  const filesFolder = mkdtempSync(join(tmpdir(), 'cadre-clients-'))
  const { url, remove } = await freshDatabase()
  const database = connect(url)
  await migrate(database)
  const open = (needs: Pick<Parameters<typeof openService>[0], 'database' | 'clock'>) =>
    openService({ ...needs, filesAt: filesFolder })
  await ensureFirstAccount(open({ database }).ledger, KEY, createDefaultRecords)
  const [account] = (await listAccounts(database)) as [Account]
  await fillWithDemo({ database, account, now: new Date(), open })
  const config = { ...readConfig({ DATABASE_URL: url, CADRE_FILES: filesFolder }), LOG_LEVEL: 'silent' as const }
  const app = await buildApp({ config, database })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  base = `${address}/api/public/v3`
  send = sender(address, KEY)
  stop = async () => {
    await app.close()
    await remove()
    rmSync(filesFolder, { recursive: true, force: true })
  }
  staff = (await all('/employees?status=employed')).filter(({ hired_on }) => hired_on < daysAfter(TODAY, -60))
})
after(() => stop())

async function get(path: string): Promise<any> {
  const answer = await send('GET', path)
  assert.equal(answer.status, 200, `${path}: ${answer.text}`)
  return answer.body
}

async function make(path: string, json: Record<string, unknown>): Promise<any> {
  const answer = await send('POST', path, { json })
  assert.equal(answer.status, 201, `${path}: ${answer.text}`)
  return answer.body.data
}

/** All records of a list, whatever its pages. */
async function all(path: string): Promise<any[]> {
  const page = (n: number) => get(`${path}${path.includes('?') ? '&' : '?'}page=${n}`)
  const { data, metadata } = await page(1)
  for (let n = 2; n <= (metadata?.pages ?? 1); n++) data.push(...(await page(n)).data)
  return data
}

test('every list operation returns records', async () => {
  await everyListHasRecords(get, await all('/leave_requests'), TODAY.slice(0, 4), ['/users'])
})

/** Programs written for this interface, in the habits of those in use, run unchanged: each of these is one. */
test('new tasks: a client pages through open tasks, newest first, until its watermark', async () => {
  const [newest] = await newTasks(base, KEY, '')
  const made: number[] = []
  for (let n = 0; n < 55; n++) made.push((await make('/tasks', { name: `Task ${n}`, employee_id: staff[n % 9].id })).id)
  for (const id of made.splice(10, 2)) await send('PUT', `/tasks/${id}/complete`)
  const found = await newTasks(base, KEY, newest.created_at)
  assert.deepEqual(
    found.map(({ id }) => id),
    made.toReversed(),
  )
})

test('staff: clients read all pages with either pagination format, also 200 per page', async () => {
  const [small, large] = [await staffByPagination(base, KEY), await staffByMetadata(base, KEY)]
  const expected = idsOf(await all('/employees?status=active'))
  assert.ok(expected.length > 100)
  assert.deepEqual(idsOf(small), expected)
  assert.deepEqual(idsOf(large), expected)
})

test('import: people are created with numbers as text, custom fields, jobs and pay', async () => {
  const { position, department, location, employment_type } = staff[0]
  const job = [position.id, department.id, location.id, employment_type.id].join()
  const people = await importPeople(
    base,
    KEY,
    `employee_number,first_name,last_name,email,hired_on,gender,tax_number,amount,currency_code,per,position_id,department_id,location_id,employment_type_id
90421,Ada,Archer,ada.archer@example.com,2024-01-08,female,7701234,54000,EUR,year,${job}
90422,Bela,Baker,bela.baker@example.com,2024-02-01,male,7701235,4100,EUR,month,${job}`,
  )
  for (const [n, { id }] of people.entries()) {
    const { data: person } = await get(`/employees/${id}`)
    assert.equal(person.employee_number, String(90421 + n))
    assert.equal(person.fields.tax_number.value, String(7701234 + n))
    assert.equal(person.gender.name.toLowerCase(), n === 0 ? 'female' : 'male')
    assert.equal(person.active, true)
    for (const [name, shown] of Object.entries({ position, department, location, employment_type }))
      assert.equal(person[name].id, shown.id, name)
    const { data: salaries } = await get(`/employees/${id}/salaries`)
    assert.deepEqual(
      salaries.map(({ amount, per }: any) => [amount, per]),
      [n === 0 ? ['54000.0', 'year'] : ['4100.0', 'month']],
    )
  }
})

test('career form: a candidate with a CV is in the first stage of the vacancy', async () => {
  const vacancy = (await all('/recruitment/vacancies?status[]=opened'))[0]
  const resume = new File(['%PDF-1.4 Cora Clark'], 'cora.pdf', { type: 'application/pdf' })
  const sheet = { full_name: 'Cora Clark', email: 'cora.clark@example.org', phone: '+44 20 7946 0958', resume }
  const made = await applyFor(base, KEY, vacancy.id, { ...sheet, skills: ['Baking', 'Payments'] })
  const { data: application } = await get(`/recruitment/vacancies/${vacancy.id}/applications/${made.id}`)
  assert.equal(application.pipeline_state.name, vacancy.recruitment_pipeline.stages[0].name)
  const { data: candidate } = await get(`/recruitment/candidates/${application.applicant.id}`)
  assert.deepEqual([candidate.email, candidate.resume], [sheet.email, true])
  assert.deepEqual([candidate.skills, candidate.phone_numbers], [['Baking', 'Payments'], [sheet.phone]])
  assert.equal(await (await fetch(candidate.resume_url)).text(), await resume.text())
  assert.deepEqual(idsOf((await get(`/recruitment/candidates?vacancy_id=${vacancy.id}&email=${sheet.email}`)).data), [
    candidate.id,
  ])
})

test('career page: a vacancy is found and applied for without a key from another site', async () => {
  const vacancies = await openVacancies(base)
  const open = new Set(idsOf(await all('/recruitment/vacancies?status[]=opened')))
  assert.ok(vacancies.length > 0 && vacancies.every(({ id }) => open.has(id)))
  const form = new FormData()
  form.append('full_name', 'Elia Evans')
  form.append('email', 'elia.evans@example.org')
  form.append('resume', new File(['%PDF-1.4 Elia Evans'], 'elia.pdf', { type: 'application/pdf' }))
  form.append('consent', 'true')
  await applyByPage(base, vacancies[0].id, form)
  const [candidate] = (await get('/recruitment/candidates?email=elia.evans@example.org')).data
  assert.equal(candidate.resume, true)
  assert.deepEqual(
    candidate.applications.map(({ vacancy }: any) => vacancy.id),
    [vacancies[0].id],
  )
})

test('time clock: shifts and project users are accepted, and a repetition reports errors', async () => {
  const saturday = daysAfter(TODAY, -8 - new Date(`${TODAY}T00:00:00Z`).getUTCDay())
  const project = await make('/time/projects', { name: 'Moving house', emoji: '📦' })
  const people = staff.slice(0, 60).map(({ id }) => id)
  const shifts = people.map((employee_id) => ({
    employee_id,
    starts_at: new Date(`${saturday}T13:00:00Z`),
    ends_at: new Date(`${saturday}T15:30:00Z`),
    project_id: project.id,
  }))
  const newcomers = people.slice(-5)
  const assigned = await staffProject(base, KEY, project.id, newcomers)
  assert.deepEqual(inOrder(assigned.map(({ employee_id }) => employee_id)), inOrder(newcomers))
  assert.equal(await syncShifts(base, KEY, shifts), 60)
  await assert.rejects(syncShifts(base, KEY, shifts.slice(0, 2)), /overlap/i)
  for (const id of [people[0], people[59]]) {
    const stored = await all(`/time/timesheet_entries?employee_id=${id}&starts_on=${saturday}&ends_on=${saturday}`)
    assert.deepEqual(
      stored.map(({ employee_id, minutes, project_id }) => [employee_id, minutes, project_id]),
      [[id, 150, project.id]],
    )
  }
})

test('hours: a client without paging sums all entries of a week', async () => {
  const entries = await all('/time/timesheet_entries?type=working')
  const last = entries
    .map(({ date }) => date)
    .sort()
    .at(-1)
  const inWeek = entries.filter(({ date }) => date >= daysAfter(last, -6))
  assert.ok(inWeek.length > 100)
  const expected = new Map<number, number>()
  for (const { employee_id, minutes } of inWeek) expected.set(employee_id, (expected.get(employee_id) ?? 0) + minutes)
  assert.deepEqual(await minutesWorked(base, KEY, daysAfter(last, -6), last), expected)
})

test('leavers: current, former and all employees add up, with the key as bearer token', async () => {
  const { here, everybody, left } = await leaverFigures(base, KEY)
  assert.ok(left.length > 10)
  assert.ok(here.every(({ status, active }) => status !== 'terminated' && active === true))
  assert.ok(left.every(({ status }) => status === 'terminated'))
  assert.deepEqual(inOrder([...idsOf(here), ...idsOf(left)]), idsOf(everybody))
})

test('forms: numbered arrays, time zone names, PATCH and query values in writes are accepted', async () => {
  const client = formClient(base, KEY)
  const office = await client.openOffice('Kyiv office', 'Kyiv')
  assert.ok(['Europe/Kyiv', 'Europe/Kiev'].includes((await get(`/locations/${office.id}`)).data.time_zone))
  await client.change(`/locations/${office.id}`, [['name', 'Kyiv']])
  assert.equal((await get(`/locations/${office.id}`)).data.name, 'Kyiv')
  await client.change(`/employees/${staff[1].id}`, [['work_phone_number', 49301234]])
  const { data: changed } = await get(`/employees/${staff[1].id}`)
  assert.deepEqual([changed.work_phone_number, changed.last_name], ['49301234', staff[1].last_name])
  const candidate = await client.addCandidate('Dana Doe', ['Welding', 'Sewing'])
  assert.deepEqual((await get(`/recruitment/candidates/${candidate.id}`)).data.skills, ['Welding', 'Sewing'])
  const few = [staff[0].id, staff[2].id]
  assert.deepEqual(idsOf(await client.people(few)), inOrder(few))
  const policy = await client.addProbation('Twelve weeks', 84)
  assert.equal(policy.length, 84)
  await client.changeProbation(policy.id, 90)
  const { data: kept } = await get(`/probation_policies/${policy.id}`)
  assert.deepEqual([kept.name, kept.length], ['Twelve weeks', 90])
})

for (const [path, filter, known] of [
  ['/employees', 'departement_id', 'department_id'],
  ['/employees', 'managers_ids[]', 'manager_id'],
  ['/employees', 'first_name', 'emails'],
  ['/leave_requests', 'employe_id', 'employee_id'],
  ['/recruitment/candidates', 'vacance_ids', 'vacancy_ids'],
  ['/time/timesheet_entries', 'worker_id', 'employee_ids'],
  ['/tasks', 'title', 'completed'],
] as const)
  test(`misspelt: ${path}?${filter}= is rejected with the known filters`, async () => {
    const { status, message } = await ask(base, KEY, path, filter)
    assert.equal(status, 400)
    assert.match(message, new RegExp(`\\b${known}\\b`))
  })

test('misspelt: a parameter that is no filter is ignored and named', async () => {
  const { status, ignored } = await ask(base, KEY, '/employees', 'employee_idz')
  assert.deepEqual([status, ignored], [200, ['employee_idz']])
})

test('leave: requests created between two times, both excluded, sorted by start', async () => {
  const leaves = await all('/leave_requests')
  const times = leaves.map(({ created_at }) => created_at).sort()
  const [from, until] = [times[10], times.at(-10)]
  const found = await leaveAskedFor(base, KEY, new Date(from), new Date(until))
  const expected = leaves.filter(({ created_at }) => created_at > from && created_at < until)
  assert.ok(expected.length > 50)
  assert.deepEqual(idsOf(found), idsOf(expected))
  const order = found.map(({ starts_on, id }) => `${starts_on} ${String(id).padStart(9, '0')}`)
  assert.deepEqual(order, order.toSorted())
})

test('audits: changes since the last run, newest first', async () => {
  const [last] = (await get('/audits')).data
  const { id } = await make('/divisions', { name: 'Watched' })
  await send('PUT', `/divisions/${id}`, { json: { name: 'Still watched' } })
  await send('DELETE', `/divisions/${id}`)
  const found = await newAudits(base, KEY, last.id)
  assert.equal(found.filter(({ record }) => record.endsWith(` ${id}`)).length, 3, JSON.stringify(found))
  const times = found.map(({ at }) => at)
  assert.deepEqual(times, times.toSorted().toReversed())
  for (const { id } of found) assert.match(id, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
})

test('assets: an issued asset has one holder until it is returned, and its history names them', async () => {
  const desk = assetDesk(base, KEY)
  const [one, other] = [staff[3].id, staff[4].id]
  const asset = await desk.buy('Loan laptop', 'LOAN-1')
  const issued = await desk.issue(asset.id, one, daysAfter(TODAY, -9))
  await assert.rejects(desk.issue(asset.id, other, daysAfter(TODAY, -5)))
  assert.ok((await desk.heldBy(one)).some(({ id }: any) => id === asset.id))
  await desk.takeBack(issued.id, daysAfter(TODAY, -4))
  await desk.issue(asset.id, other, daysAfter(TODAY, -3))
  const history: any[] = await desk.history(asset.id)
  assert.deepEqual(
    history.map(({ user_id, issued_on, returned_on }) => [user_id, issued_on, returned_on]).sort(),
    [
      [one, daysAfter(TODAY, -9), daysAfter(TODAY, -4)],
      [other, daysAfter(TODAY, -3), null],
    ].sort(),
  )
})

test('reviews: every answer belongs to a participant and a question of its review', async () => {
  const told = await readReviews(base, KEY)
  assert.ok(told.some(({ cycle }) => cycle.state === 'finished'))
  for (const { cycle, review, participants, questions, answers } of told) {
    assert.equal(review.review_cycle_id, cycle.id)
    for (const one of participants)
      assert.deepEqual([one.review_id, one.type.slice(0, 17)], [review.id, 'ReviewParticipant'])
    for (const { type } of questions) assert.match(type, /^ReviewTemplateQuestion[A-Z]/)
    for (const { by, question, answer } of answers) {
      assert.ok(by || answer.review_participant_id === null, JSON.stringify(answer))
      assert.ok(question || answer.review_question_id === null, JSON.stringify(answer))
      assert.match(answer.type, /^ReviewAnswer[A-Z]/)
    }
  }
  const { participants } = told[0]
  assert.ok(participants.some(({ type }: any) => type === 'ReviewParticipantSelf'))
  assert.ok(told.flatMap(({ answers }) => answers).some(({ said }) => said))
})

test('knowledge: every article is in its category, as text and as HTML', async () => {
  const copy = await mirrorKnowledge(base, KEY)
  const articles = [...copy].flatMap(([name, own]) => own.map((article) => ({ name, article })))
  assert.ok(copy.size > 1 && articles.length > 3)
  for (const { name, article } of articles) {
    assert.equal(article.category.name, name)
    assert.ok(article.body && article.body_html && article.created_by, article.title)
    assert.doesNotMatch(article.body, /<p>/)
  }
})

test('skills: the matrix shows what was set and not what was removed', async () => {
  const matrix = skillsMatrix(base, KEY)
  const people: number[] = staff.slice(0, 20).map(({ id }) => id)
  const before = await matrix.read(people)
  const levels = [...before.values()].flatMap((row) => Object.values(row))
  assert.ok(levels.length > 0 && levels.every((level) => LEVELS.includes(level)), levels.join())
  const skill = await matrix.addSkill('Juggling')
  await matrix.set(people[0] as number, skill.id, 'basic')
  await matrix.set(people[1] as number, skill.id, 'interested')
  await matrix.set(people[0] as number, skill.id, 'expert')
  await matrix.set(people[1] as number, skill.id, null)
  const now = await matrix.read(people)
  assert.deepEqual(now.get(people[0] as number), { ...before.get(people[0] as number), Juggling: 'expert' })
  assert.deepEqual(now.get(people[1] as number), before.get(people[1] as number))
})

test('tables: rows accept option ids as text and return their values', async () => {
  const tables = await all('/employee_tables')
  const found = tables.find(({ columns }) => columns.some(({ type }: any) => type === 'single_select'))
  assert.ok(found, 'the demo has a table with options')
  const table = tableOf(base, KEY, found.internal_name ?? found.id)
  const person = staff[5].id
  const columns = await table.columns()
  const chosen = columns.find(({ type }) => type === 'single_select')
  const option = await table.option(chosen.internal_name, 'Quite new')
  assert.equal(await table.option(chosen.internal_name, 'Quite new'), option)
  const SAMPLES: Record<string, unknown> = { text: 'Some', date: '2024-01-01', number: '3', employee: staff[6].id }
  const row: Record<string, unknown> = {}
  for (const { internal_name, type } of columns)
    row[internal_name] =
      type === 'single_select'
        ? option
        : type === 'multi_select'
          ? [await table.option(internal_name, 'One'), await table.option(internal_name, 'Two')]
          : (SAMPLES[type] ?? true)
  for (const { internal_name, type } of columns)
    if (type === 'single_select' && internal_name !== chosen.internal_name)
      row[internal_name] = await table.option(internal_name, 'Some')
  const before = await table.rows(person)
  const id = await table.add(person, row)
  const written = (await table.rows(person)).find((one) => one.id === id).columns
  assert.deepEqual(written[chosen.internal_name], { id: Number(option), value: 'Quite new' })
  for (const { internal_name, type } of columns)
    if (type === 'multi_select')
      assert.deepEqual(
        written[internal_name].map(({ value }: any) => value),
        ['One', 'Two'],
      )
    else if (type === 'number') assert.equal(Number(written[internal_name]), 3)
    else if (type === 'employee') assert.equal(written[internal_name].full_name, staff[6].full_name)
    else if (type in SAMPLES) assert.equal(written[internal_name], SAMPLES[type])
  await table.change(person, id, { [chosen.internal_name]: await table.option(chosen.internal_name, 'Quite old') })
  const changed = (await table.rows(person)).find((one) => one.id === id).columns
  assert.deepEqual(changed, { ...written, [chosen.internal_name]: changed[chosen.internal_name] })
  assert.equal(changed[chosen.internal_name].value, 'Quite old')
  await table.remove(person, id)
  assert.deepEqual(await table.rows(person), before)
})

test('assistant: people are found by words and e-mail, and an unknown sort order is reported', async () => {
  const wanted = staff[7]
  const byAddress = await findPeople(base, KEY, { email: wanted.email.toUpperCase(), sort: 'relevance' })
  assert.deepEqual(byAddress.people, [{ id: wanted.id, name: wanted.full_name, email: wanted.email }])
  assert.match(byAddress.refused.join(), /sort.*hired_on/)
  const byWords = await findPeople(base, KEY, { q: wanted.full_name, sort: '-hired_on' })
  assert.deepEqual([byWords.refused, byWords.people.some(({ id }) => id === wanted.id)], [[], true])
  const unknown = await findPeople(base, KEY, { status: 'inactive' })
  assert.deepEqual(unknown.people, [])
  assert.match(unknown.refused.join(), /terminated/)
  assert.deepEqual((await findPeople(base, KEY, {})).people.length, (await all('/employees')).length)
})
