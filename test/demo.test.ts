import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { connect } from '../src/database/connect.ts'
import type { Database } from '../src/database/database.ts'
import { migrate } from '../src/database/migrate.ts'
import { fillWithDemo, worthTrying } from '../src/demo/demo.ts'
import { PLACES } from '../src/demo/places.ts'
import { ensureFirstAccount } from '../src/domain/access/accounts.ts'
import { listAccounts } from '../src/domain/access/stored-accounts.ts'
import { createDefaultRecords } from '../src/domain/organisation/default-records.ts'
import { daysAfter, daysFrom } from '../src/engine/day.ts'
import type { Account } from '../src/records/caller.ts'
import { openService } from '../src/service.ts'
import { everyListHasRecords } from './demo-lists.ts'
import { freshDatabase, sender } from './harness.ts'
import { runCommand } from './process.ts'
import { isThorough } from './thorough.ts'

/** The company as the command makes it today; `DEMO_DAY=2028-02-29` or `DEMO_DAY=2028-02-29T22:50` looks at the one of another time. */
const DAY = process.env.DEMO_DAY
const NOW = DAY ? new Date(`${DAY.includes('T') ? DAY : `${DAY}T18:00`}:00Z`) : new Date()
const TODAY = NOW.toISOString().slice(0, 10)
const YEAR = TODAY.slice(0, 4)
const KEY = 'the-key-of-the-demo-0123456789-0123456789'
const filesFolder = mkdtempSync(join(tmpdir(), 'cadre-demo-'))
const open = (needs: Pick<Parameters<typeof openService>[0], 'database' | 'clock'>) =>
  openService({ ...needs, filesAt: filesFolder })

let send: ReturnType<typeof sender>
let said: string[]
let again: () => Promise<{ code: number | null; stderr: string }>
let database: Database
let stop: () => Promise<void>

const get = async (path: string): Promise<any> => {
  const answer = await send('GET', path)
  assert.equal(answer.status, 200, `${path}: ${answer.text}`)
  return answer.body
}

/** All records of a list, whatever its pages. */
async function all(path: string): Promise<any[]> {
  const page = (n: number) => get(`${path}${path.includes('?') ? '&' : '?'}page=${n}`)
  const first = await page(1)
  const more = Array.from({ length: (first.metadata?.pages ?? 1) - 1 }, (_, n) => n + 2)
  const rest: any[][] = []
  for (const n of more) rest.push((await page(n)).data)
  return [...first.data, ...rest.flat()]
}

/** Everybody as they stood on a day, and those of them who were here. */
async function peopleOn(day: string): Promise<any[]> {
  const people = await all(`/employees?status=all&as_of=${day}`)
  return people.filter(({ status }) => status === 'employed' || status === 'probation')
}

const isHere = (one: any, day: string) =>
  one.hired_on <= day && (one.termination_effective_on === null || day < one.termination_effective_on)

let people: any[]
let byId: Map<number, any>
let departments: Map<number, any>
let leaves: any[]
const free = new Map<number, Set<string>>()
/** Whether people work on a day where somebody is. */
const isWorkday = (one: any, day: string) =>
  new Date(`${day}T00:00:00Z`).getUTCDay() % 6 !== 0 && !free.get(one.location.holiday_policy_id)?.has(day)
const placeOf = (one: any) => PLACES.find(({ city }) => city === one.location.name) as (typeof PLACES)[number]
/** Days of the company's past, to look at it as it was. */
const SOME_DAYS = [0, 130, 400, 800].map((days) => daysAfter(TODAY, -days))

/** A database with an account and nobody in it. */
async function emptyCompany(database: Database): Promise<Parameters<typeof fillWithDemo>[0]> {
  await migrate(database)
  await ensureFirstAccount(open({ database }).ledger, KEY, createDefaultRecords)
  const [account] = (await listAccounts(database)) as [Account]
  return { database, account, now: NOW, open }
}

before(async () => {
  const { url, remove } = await freshDatabase()
  const environment = { DATABASE_URL: url, CADRE_FILES: filesFolder, CADRE_API_KEY: KEY }
  database = connect(url)
  if (DAY) {
    await fillWithDemo(await emptyCompany(database))
    said = worthTrying(TODAY)
  } else {
    const { code, stdout, stderr } = await runCommand(['demo'], environment)
    assert.equal(code, 0, stderr)
    said = stdout.trim().split('\n')
  }
  again = () => runCommand(['demo'], environment)
  const config = { ...readConfig(environment), LOG_LEVEL: 'silent' as const }
  const app = await buildApp({ config, database, ...(DAY ? { clock: () => NOW } : {}) })
  send = sender(await app.listen({ host: '127.0.0.1', port: 0 }), KEY)
  stop = async () => {
    await app.close()
    await remove()
    rmSync(filesFolder, { recursive: true, force: true })
  }
  people = await all('/employees?status=all')
  byId = new Map(people.map((one) => [one.id, one]))
  departments = new Map((await all('/departments')).map((one) => [one.id, one]))
  leaves = await all('/leave_requests')
  for (const { holiday_policy_id, occurs_on, working } of await all('/holidays'))
    if (!working) free.set(holiday_policy_id, (free.get(holiday_policy_id) ?? new Set()).add(occurs_on))
})
after(() => stop())

test('the demo command prints its progress, and every printed request returns data', async () => {
  const requests = said.flatMap((line) => /\/api\/public\/v3(\/[^']*)'?$/.exec(line)?.[1] ?? (DAY ? [line] : []))
  assert.ok(requests.length >= 5, said.join('\n'))
  if (!DAY) assert.ok(said.filter((line) => /^20\d\d: \d+ people$/.test(line)).length >= 4, said.join('\n'))
  for (const path of requests) {
    const { data } = await get(path)
    if (Array.isArray(data)) assert.ok(data.length > 0, `${path} is empty`)
    else if (path.includes('as_of')) assert.ok(data.position && data.salary && data.department, path)
    else assert.ok(data.stages.filter((stage: any) => stage.qualified_applications_count > 0).length > 1, path)
    if (path.startsWith('/time/timesheets'))
      assert.ok(
        data.some((row: any) => row.worked_minutes > 0),
        path,
      )
  }
})

test('every list operation returns records', async () => {
  // Those who can sign in are made by the command alone.
  await everyListHasRecords(get, leaves, YEAR, DAY ? ['/users'] : [])
})

test('the demo company has the promised size, and a second run is refused', async () => {
  assert.equal(people.length, 200)
  const count = async (path: string) => (await get(path)).metadata.count
  assert.equal(await count('/recruitment/vacancies'), 12)
  assert.ok((await count('/recruitment/candidates')) >= 200)
  assert.ok((await count('/employees?status=terminated')) > 8)
  assert.ok((await count('/employees?status=hired')) > 1)
  assert.ok((await count('/employees?status=probation')) > 3)
  assert.ok(leaves.length > 150)
  assert.ok((await count('/leave_requests/pending')) > 5)
  const { code, stderr } = await again()
  assert.equal(code, 1)
  assert.match(stderr, /already contains people/)
})

test('on every day everybody but one has a current manager in or above their department, hired earlier', async () => {
  for (const day of SOME_DAYS) {
    const here = new Map((await peopleOn(day)).map((one) => [one.id, one]))
    assert.equal([...here.values()].filter((one) => one.reporting_to === null).length, 1, day)
    for (const one of here.values()) {
      const who = `${one.full_name} on ${day}`
      const chain = new Set<number>()
      for (let at = one; at.reporting_to; at = here.get(at.reporting_to.id)) {
        assert.ok(!chain.has(at.id), `${who} is their own manager`)
        chain.add(at.id)
        assert.ok(here.has(at.reporting_to.id), `${who}: a manager is not here`)
      }
      if (!one.reporting_to) continue
      const manager = here.get(one.reporting_to.id)
      assert.ok(manager.hired_on < one.hired_on, `${who} came before ${manager.full_name}`)
      const above = new Set<number>()
      for (let id = one.department.id; id; id = departments.get(id).parent_id) above.add(id)
      assert.ok(above.has(manager.department.id), `${who}: ${manager.full_name} is of ${manager.department.name}`)
    }
  }
  for (const { name, manager_id } of departments.values()) {
    const manager = byId.get(manager_id)
    assert.ok(isHere(manager, TODAY) && manager.department.name === name, `${name} is led by ${manager?.full_name}`)
  }
})

test('pay rises with the level, fits the country, and never falls', async () => {
  const LEVELS = ['Junior', 'Professional', 'Senior', 'Lead', 'Head', 'Executive']
  const CURRENCIES: Record<string, string> = { DE: 'EUR', FR: 'EUR', GB: 'GBP', US: 'USD' }
  const earned = new Map<number, number>()
  for (const day of SOME_DAYS.toReversed()) {
    const pay = new Map<string, number[]>()
    for (const one of await peopleOn(day)) {
      const { code } = placeOf(one)
      const { amount, currency_code, per } = one.salary
      assert.equal(currency_code, CURRENCIES[code], one.full_name)
      assert.equal(per, 'year')
      assert.equal(one.fields.pay_band.value, `B${1 + LEVELS.indexOf(one.job_level.name)}`, one.full_name)
      assert.ok(Number(amount) >= (earned.get(one.id) ?? 0), `${one.full_name} earns less on ${day}`)
      earned.set(one.id, Number(amount))
      const hours = Object.entries(one.working_pattern).filter(([name]) => name.endsWith('_hours'))
      const share = hours.reduce((sum, [, value]) => sum + Number(value), 0) / 40
      const band = `${code} ${one.job_level.name}`
      pay.set(band, [...(pay.get(band) ?? []), Number(amount) / share])
    }
    for (const code of Object.keys(CURRENCIES)) {
      const bands = LEVELS.flatMap((level) => (pay.has(`${code} ${level}`) ? [pay.get(`${code} ${level}`)] : []))
      for (const [n, band] of bands.slice(1).entries())
        assert.ok(Math.max(...(bands[n] as number[])) < Math.min(...(band as number[])), `${code} on ${day}`)
    }
    // The same level is paid differently from one country to the next, in its own currency.
    const means = Object.keys(CURRENCIES).map((code) => {
      const band = pay.get(`${code} Professional`) ?? []
      return Math.round(band.reduce((sum, one) => sum + one, 0) / Math.max(1, band.length) / 1000)
    })
    assert.equal(new Set(means).size, means.length, `${means}`)
  }
})

const plain = (name: string) =>
  [...name.toLowerCase()]
    .map((letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' })[letter] ?? letter.normalize('NFD').charAt(0))
    .join('')

const NUMBERS: Record<string, Record<'mobile' | 'phone' | 'tax' | 'address', RegExp>> = {
  DE: {
    mobile: /^\+49 1[57]\d \d{7,8}$/,
    phone: /^\+49 30 \d{8}$/,
    tax: /^\d{2} \d{9}$/,
    address: /^\S+ \d+, 1\d{4} Berlin$/,
  },
  FR: {
    mobile: /^\+33 [67]( \d\d){4}$/,
    phone: /^\+33 1( \d\d){4}$/,
    tax: /^\d{2} \d{8} \d{3}$/,
    address: /^\d+ (rue|avenue|boulevard) .+, 750\d\d Paris$/,
  },
  GB: {
    mobile: /^\+44 7\d{3} \d{6}$/,
    phone: /^\+44 20 \d{4} \d{4}$/,
    tax: /^\d{5} \d{5}$/,
    address: /^\d+ .+, London E\d+ \d[A-Z]{2}$/,
  },
  US: {
    mobile: /^\+1 [2-9]\d\d 555 01\d\d$/,
    phone: /^\+1 [2-9]\d\d 555 01\d\d$/,
    tax: /^9\d\d-\d\d-\d{4}$/,
    address: /^\d+ .+, New York, NY 1\d{4}$/,
  },
}

test('names fit gender and country, and addresses, numbers and birthdays are plausible', async () => {
  const both = PLACES.flatMap(({ first }) => first.female.filter((name) => first.male.includes(name)))
  assert.deepEqual(both, [])
  for (const one of people) {
    const { full_name: who, first_name, last_name, fields } = one
    const { code, first, last, language } = placeOf(one)
    const is = NUMBERS[code] as (typeof NUMBERS)[string]
    const gender = one.gender.name as 'female' | 'male'
    assert.ok(first[gender]?.includes(first_name) && last.includes(last_name), `${who}, ${gender}, ${code}`)
    assert.equal(one.email, `${plain(first_name)}.${plain(last_name)}@example.com`)
    assert.equal(one.personal_email, `${plain(first_name)}.${plain(last_name)}@example.net`)
    assert.match(one.mobile_number, is.mobile)
    assert.match(one.work_phone_number, is.phone)
    assert.match(fields.tax_number.value, is.tax)
    assert.match(fields.home_address.value, is.address)
    assert.ok(fields.shirt_size.value && fields.languages.value.includes('English'))
    assert.ok(fields.languages.value.includes(language), `${who} does not speak ${language}`)
    const age = (Date.parse(one.hired_on) - Date.parse(one.date_of_birth)) / 31_557_600_000
    assert.ok(age >= 18 && age < 60, `${who} was hired at ${age}`)
  }
  for (const name of ['full_name', 'email', 'mobile_number', 'work_phone_number', 'employee_number'])
    assert.equal(new Set(people.map((one) => one[name])).size, people.length, name)
  assert.equal(new Set(people.map((one) => one.fields.tax_number.value)).size, people.length)
})

test('people start on working days and have access while employed', async () => {
  for (const one of people) {
    assert.ok(isWorkday(one, one.hired_on), `${one.full_name} began on ${one.hired_on}`)
    assert.equal(one.access, isHere(one, TODAY), one.full_name)
    assert.ok(one.created_at.slice(0, 10) <= one.hired_on, `${one.full_name} is on file since ${one.created_at}`)
  }
})

test('personal records fit the person', async () => {
  let papers = 0
  for (const one of people.filter(({ hired_on }) => hired_on < TODAY)) {
    const born = Number(one.date_of_birth.slice(0, 4))
    const at = `/employees/${one.id}`
    for (const { from_year, to_year } of await all(`${at}/educations`))
      assert.ok(
        Number(from_year) >= born + 17 && (to_year === null || Number(to_year) > Number(from_year)),
        one.full_name,
      )
    const [contact] = await all(`${at}/emergency_contacts`)
    assert.ok(contact.name.endsWith(one.last_name) && contact.name !== one.full_name, one.full_name)
    assert.match(contact.mobile_phone_number, (NUMBERS[placeOf(one).code] as any).phone)
    for (const { last_name, date_of_birth } of await all(`${at}/dependents`))
      assert.ok(last_name === one.last_name && date_of_birth > `${born + 16}`, one.full_name)
    papers += (await all(`${at}/documents`)).length
  }
  assert.ok(papers > 50)
  for (const one of people.filter(({ hired_on }) => hired_on < TODAY).slice(0, 60)) {
    for (const { body, created_by, created_at } of await all(`/employees/${one.id}/notes`))
      assert.ok(body.length > 40 && created_by && created_at.slice(0, 10) < TODAY, one.full_name)
    for (const extra of await all(`/employees/${one.id}/additional_compensations`))
      assert.ok(extra.currency_code === placeOf(one).currency && extra.starts_on >= one.hired_on, one.full_name)
  }
})

test('table rows fit the person and the date', async () => {
  const sizes = await all('/employee_tables/equipment_sizes/rows')
  assert.ok(sizes.length > 100, `${sizes.length} people have sizes`)
  for (const { employee, columns } of sizes) {
    const person = byId.get(employee.id)
    assert.equal(columns.jacket.value, person.fields.shirt_size.value, person.full_name)
    assert.ok(columns.shoe_size >= 36 && columns.shoe_size < 46, person.full_name)
  }
  const given = await all('/employee_tables/vaccinations/rows')
  assert.ok(new Set(given.map(({ employee }) => employee.id)).size > 40)
  for (const { columns, created_at } of given)
    assert.ok(columns.given_on <= created_at.slice(0, 10) && columns.due_again_on > columns.given_on)
  const permits = await all('/employee_tables/work_permits/rows')
  assert.ok(permits.length > 10 && permits.some(({ columns }) => columns.checked_by))
  for (const { employee, columns } of permits) assert.ok(columns.valid_until > byId.get(employee.id).hired_on)
})

test('leavers hold nothing any more and have a reason that fits the termination type', async () => {
  const REASONS: Record<string, string[]> = {
    Voluntary: ['Better offer', 'Moved away', 'Career change', 'Further studies'],
    Involuntary: ['Performance', 'Position eliminated'],
  }
  for (const one of people.filter((one) => one.termination_effective_on)) {
    assert.ok(REASONS[one.termination_type.name]?.includes(one.termination_reason.name), one.full_name)
    assert.ok(one.termination_comment && one.termination_eligible_for_rehire !== null, one.full_name)
  }
  const left = people.filter(({ status }) => status === 'terminated')
  const gone = new Set(left.map(({ id }) => id))
  assert.ok(
    left.some((one) => one.job_profile.name === 'Manager'),
    'a manager has left, too',
  )
  const holding = (kind: string, ids: (number | undefined)[]) =>
    assert.deepEqual(
      ids.filter((id) => id !== undefined && gone.has(id)).map((id) => byId.get(id as number).full_name),
      [],
      kind,
    )
  const teams = await all('/teams')
  holding(
    'lead',
    teams.map(({ team_lead }) => team_lead.id),
  )
  holding(
    'member',
    teams.flatMap(({ team_members }) => team_members.map(({ user }: any) => user.id)),
  )
  holding(
    'department',
    [...departments.values()].map(({ manager_id }) => manager_id),
  )
  holding(
    'reports',
    people.filter((one) => isHere(one, TODAY)).map((one) => one.reporting_to?.id),
  )
  const open = (await all('/tasks?completed=all')).filter(({ completed }) => !completed)
  holding(
    'task',
    open.map(({ assigned_to }) => assigned_to.id),
  )
  holding(
    'objective',
    (await all('/performance/objectives')).map(({ owner }) => owner.id),
  )
  holding(
    'indicator',
    (await all('/performance/key_performance_indicators')).map(({ owner }) => owner.id),
  )
  const vacancies = await all('/recruitment/vacancies')
  holding(
    'vacancy',
    vacancies.flatMap(({ hiring_lead, collaborators }) => [hiring_lead, ...collaborators].map((one) => one.id)),
  )
  for (const { id, name } of await all('/time/projects'))
    holding(
      name,
      (await all(`/time/projects/${id}/project_users`)).map(({ employee }) => employee.id),
    )
  for (const { id, full_name, termination_effective_on } of left) {
    const own = leaves.filter(({ employee_id }) => employee_id === id)
    assert.ok(
      own.every(({ state, ends_on }) => state !== 'pending' && ends_on < termination_effective_on),
      full_name,
    )
    const pays = await all(`/employees/${id}/salaries`)
    assert.ok(
      pays.every(({ effective_on }) => effective_on < termination_effective_on),
      full_name,
    )
  }
})

test('people have skills of their level, grouped jobs, and some certificates with files', async () => {
  const experts = await all('/employees?skill_level=expert')
  assert.ok(experts.length > 20)
  assert.ok(experts.every(({ job_level }) => !['Junior'].includes(job_level.name)))
  for (const { id } of await all('/skills'))
    assert.ok((await get(`/employees?skill_ids[]=${id}`)).data.length > 0, `nobody has skill ${id}`)
  for (const { job_group } of await all('/job_profiles')) assert.ok(job_group.name)
  const attached = (await Promise.all(people.slice(0, 40).map(({ id }) => all(`/employees/${id}/certifications`))))
    .flat()
    .filter(({ attachment_url }) => attachment_url)
  assert.ok(attached.length > 2)
  assert.match(await (await fetch(attached[0].attachment_url)).text(), /a course of/)
  assert.deepEqual([...new Set((await all('/external_users')).map(({ active }) => active))].sort(), [false, true])
})

test('tasks belong to current people, are due after their start, and say what to do', async () => {
  const tasks = await all('/tasks?completed=all')
  assert.ok(tasks.length > 60)
  const open = tasks.filter(({ completed }) => !completed).map(({ title }) => title)
  assert.equal(new Set(open).size, open.length, 'two people are to do the same')
  const about = tasks.flatMap(({ associated_to }) => associated_to ?? [])
  for (const kind of ['Employee', 'Candidate']) assert.ok(about.filter(({ type }) => type === kind).length > 2, kind)
  for (const { title, associated_to } of tasks)
    if (associated_to) assert.ok(title.endsWith(associated_to.full_name), `${title}: ${associated_to.full_name}`)
  for (const { title, description_plain, starts_on, ends_on, completed_at, assigned_to, created_by, type } of tasks) {
    assert.ok(isHere(byId.get(assigned_to.id), starts_on), title)
    assert.ok(created_by && description_plain.length > 20 && starts_on <= ends_on, title)
    if (completed_at) assert.ok(completed_at.slice(0, 10) >= starts_on && completed_at.slice(0, 10) < TODAY, title)
    if (type !== 'general')
      assert.ok(
        people.some(({ full_name }) => title.endsWith(full_name)),
        title,
      )
  }
})

test('objectives have a purpose, and their key results name a figure', async () => {
  const objectives = await all('/performance/objectives')
  assert.equal(new Set(objectives.map(({ title }) => title)).size, objectives.length)
  for (const { title, description, key_results, owner, starts_on, ends_on } of objectives) {
    assert.ok(title.length > 20 && description.length > 30 && !/\d/.test(title), title)
    assert.ok(byId.get(owner.id).job_profile.name === 'Manager' && starts_on < TODAY && TODAY < ends_on, title)
    assert.ok(key_results.length >= 2, title)
    for (const { title: result, start, target, current } of key_results) {
      assert.ok(result.includes(String(target)) && start !== target, result)
      assert.ok(Math.min(start, target) <= current && current <= Math.max(start, target), result)
    }
    assert.ok(
      key_results.some(({ start, current }: any) => start !== current),
      `${title}: nothing has happened`,
    )
  }
  for (const { id, title, start_value, target_value } of await all('/performance/key_performance_indicators')) {
    const results = await all(`/performance/key_performance_indicators/${id}/key_performance_indicator_results`)
    const way = results.map(({ value }) => (value - start_value) / (target_value - start_value))
    assert.ok(way.length > 1 && way.every((part, n) => part >= (way[n - 1] ?? 0) && part <= 1), `${title}: ${way}`)
  }
})

test('one review cycle is finished and one is open, both answered by current people', async () => {
  const [over, open] = (await all('/performance/review_cycles')) as [any, any]
  assert.deepEqual([over.state, open.state], ['finished', 'opened'])
  assert.ok(open.starts_on < TODAY && TODAY <= open.ends_on && over.deadline_on < TODAY)
  assert.ok(over.progress.submitted > 100 && over.progress.peer.submitted >= 40, JSON.stringify(over.progress))
  const { self, manager } = open.progress
  assert.ok(self.participants > 150 && self.submitted > 30 && self.submitted < self.participants)
  assert.ok(manager.submitted > 5 && manager.participants >= self.participants - 2)
  const reviews = await all(`/performance/review_cycles/${over.id}/reviews`)
  assert.ok(reviews.length >= 40 && reviews.every(({ state }) => state === 'shared'))
  for (const { id, employee_id } of reviews.slice(0, 5)) {
    const place = `/performance/review_cycles/${over.id}/reviews/${id}`
    const parts = await all(`${place}/review_participants`)
    assert.ok(parts.every((one) => isHere(byId.get(one.employee_id), over.starts_on)))
    assert.equal(parts.find(({ type }) => type === 'ReviewParticipantSelf').employee_id, employee_id)
    assert.ok((await all(`${place}/answers`)).length >= 8)
  }
  const competencies = await all('/competencies')
  assert.ok(competencies.length > 3 && competencies.every(({ levels }) => levels.length === 3))
})

test('leave is requested in time, decided by a manager before it starts, and within the balance', async () => {
  for (const {
    employee_id,
    leave_type,
    state,
    starts_on,
    ends_on,
    created_at,
    decided_at,
    decided_by,
    entries,
    on_demand,
  } of leaves) {
    const one = byId.get(employee_id)
    const what = `${leave_type} of ${one.full_name} from ${starts_on}`
    assert.ok(isHere(one, starts_on) && isHere(one, ends_on) && isHere(one, created_at.slice(0, 10)), what)
    assert.ok(isWorkday(one, starts_on) && isWorkday(one, ends_on), what)
    assert.ok(
      entries.every(({ date }: any) => isWorkday(one, date)),
      what,
    )
    if (state === 'pending') {
      assert.ok(starts_on > TODAY && decided_at === null, what)
      continue
    }
    const isSudden = leave_type === 'Sick leave' || on_demand
    // Nobody knows of an illness before its first morning, nor of what makes people stay at home at once.
    assert.ok(decided_at < (isSudden ? `${starts_on}T13` : starts_on), `${what} was decided at ${decided_at}`)
    assert.ok(isSudden ? created_at === decided_at : created_at < decided_at, what)
    assert.equal(decided_by.id === one.id, state === 'withdrawn', what)
    assert.ok(isHere(byId.get(decided_by.id), decided_at.slice(0, 10)), what)
  }
  const states = new Set(leaves.map(({ state }) => state))
  assert.deepEqual([...states].sort(), ['approved', 'pending', 'rejected', 'withdrawn'])
  for (const one of people.filter((one) => isHere(one, TODAY)))
    for (const day of [TODAY, `${YEAR}-12-31`, daysAfter(TODAY, 120)])
      for (const { balance, on_demand_balance, leave_type } of (
        await get(`/employees/${one.id}/leave_balances?as_of=${day}`)
      ).data)
        if (leave_type.name === 'Vacation') {
          assert.ok(balance >= 0, `${one.full_name} on ${day}: ${balance}`)
          assert.ok(
            on_demand_balance >= 0 && on_demand_balance <= 4,
            `${one.full_name} on ${day}: ${on_demand_balance}`,
          )
        }
  const sudden = leaves.filter(({ on_demand }) => on_demand)
  const certified = leaves.filter(({ attachments }) => attachments.length > 0)
  assert.ok(sudden.length > 2 && certified.length > 2, `${sudden.length} on demand, ${certified.length} with a file`)
})

test('overtime is requested on working days and decided by another current person', async () => {
  const requests = await all('/time/overtime_requests')
  for (const { employee_id, date, created_at, state, decided_at, decided_by } of requests) {
    const one = byId.get(employee_id)
    const what = `${one.full_name} on ${date}`
    assert.ok(isHere(one, date) && isWorkday(one, date) && created_at.slice(0, 10) === date, what)
    if (state === 'pending') assert.ok(date >= daysAfter(TODAY, -12), what)
    else assert.ok(decided_at > created_at && decided_by.id !== one.id && isHere(byId.get(decided_by.id), date), what)
  }
  assert.ok(new Set(requests.map(({ state }) => state)).size >= 2 && requests.length > 10, String(requests.length))
})

test('time is entered on every working day without leave, and days differ', async () => {
  const entries = await all('/time/timesheet_entries')
  const away = new Set(
    leaves.flatMap(({ state, employee_id, entries }) =>
      state === 'approved' ? entries.map(({ date }: any) => `${employee_id} ${date}`) : [],
    ),
  )
  const asked = new Set(
    leaves.flatMap(({ employee_id, entries }) => entries.map(({ date }: any) => `${employee_id} ${date}`)),
  )
  const days = Map.groupBy(entries, ({ employee_id, date }) => `${employee_id} ${date}`)
  const clocks = new Map(
    PLACES.map(({ zone }) => [zone, new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' })]),
  )
  const minuteOf = (at: string, zone: string) => {
    const [hour, minute] = (clocks.get(zone) as Intl.DateTimeFormat).format(new Date(at)).split(':')
    return Number(hour) * 60 + Number(minute)
  }
  const told = new Map<number, string[]>()
  for (const [key, own] of days) {
    const [id, date] = key.split(' ') as [string, string]
    const one = byId.get(Number(id))
    const what = `${one.full_name} on ${date}`
    assert.ok(isHere(one, date) && isWorkday(one, date) && !away.has(key) && date < TODAY, what)
    const inOrder = own.toSorted((a, b) => (a.starts_at < b.starts_at ? -1 : 1))
    const worked = own.filter(({ type }) => type === 'working').reduce((sum, { minutes }) => sum + minutes, 0)
    const breaks = own.filter(({ type }) => type === 'break')
    assert.ok(worked >= 3 * 60 && worked <= 10 * 60, `${what} worked ${worked} minutes`)
    assert.ok(breaks.length === (worked > 6 * 60 ? 1 : 0), what)
    for (const { minutes } of breaks) assert.ok(minutes >= 30 && minutes <= 75, `${what}: ${minutes}`)
    const times = inOrder.flatMap(({ starts_at, ends_at }) =>
      [starts_at, ends_at].map((at) => minuteOf(at, one.location.time_zone)),
    )
    assert.ok((times[0] as number) >= 7 * 60 && (times.at(-1) as number) <= 20 * 60, `${what}: ${times}`)
    assert.ok(
      inOrder.every(({ starts_at }, n) => n === 0 || starts_at === inOrder[n - 1].ends_at),
      what,
    )
    const before = told.get(one.id) ?? []
    assert.notEqual(before.at(-1), times.join(), what)
    told.set(one.id, [...before, times.join()])
  }
  const whole = [...told.values()].filter((days) => days.length > 1).map((days) => days.join(' '))
  assert.equal(new Set(whole).size, whole.length, 'two people had the very same days')
  const first = entries.map(({ date }) => date).sort()[0] as string
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' })
  const hours = (one: any, day: string) =>
    Number(one.working_pattern[`${weekday.format(new Date(day)).toLowerCase()}_hours`])
  for (const one of people)
    for (const day of daysFrom(first, daysAfter(TODAY, -1)))
      if (isHere(one, day) && isWorkday(one, day) && hours(one, day) > 0 && !asked.has(`${one.id} ${day}`))
        assert.ok(days.has(`${one.id} ${day}`), `${one.full_name} noted nothing on ${day}`)
})

test('clocks run since today for current people, after their last entry', async () => {
  const clocks = await all('/time/clocks')
  assert.ok(clocks.length >= 2, String(clocks.length))
  for (const { employee_id, starts_at } of clocks) {
    const one = byId.get(employee_id)
    const [from, hours] = [Date.parse(starts_at), (NOW.getTime() - Date.parse(starts_at)) / 3_600_000]
    // The command told the time a little later than this file.
    assert.ok(hours > -0.1 && hours < 10 && isHere(one, TODAY), `${one.full_name} since ${starts_at}`)
    const entries = await all(`/time/timesheet_entries?employee_ids[]=${employee_id}`)
    assert.ok(entries.length > 0 && entries.every(({ ends_at }) => Date.parse(ends_at) <= from), one.full_name)
  }
})

test('applications move stage by stage while the vacancy is open, and hires are employees', async () => {
  const candidates = new Map((await all('/recruitment/candidates')).map((one) => [one.id, one]))
  const stays = Map.groupBy(await all('/recruitment/movements'), (stay) => stay.vacancy_application.id)
  const hired = new Set<number>()
  for (const vacancy of await all('/recruitment/vacancies')) {
    const applications = await all(`/recruitment/vacancies/${vacancy.id}/applications`)
    const { title, state, positions, opened_at, recruitment_pipeline } = vacancy
    assert.equal(applications.length === 0, state === 'drafting', title)
    assert.ok(vacancy.description.length > 80 && vacancy.skills.length > 1, title)
    const stages: string[] = recruitment_pipeline.stages.map(({ name }: any) => name)
    const ends: string[] = []
    for (const one of applications) {
      const what = `${one.applicant.full_name} for ${title}`
      const own = stays.get(one.id) as any[]
      assert.deepEqual(
        own.map(({ stage }) => stage.name),
        stages.slice(0, own.length),
        what,
      )
      assert.equal(own.at(-1).stage.name, one.pipeline_state.name, what)
      assert.ok(one.created_at >= opened_at, what)
      for (const [n, { entered_at, exited_at }] of own.entries()) {
        assert.ok(entered_at.slice(0, 10) < TODAY && (exited_at === null || exited_at > entered_at), what)
        if (n > 0) assert.equal(entered_at, own[n - 1].exited_at, what)
      }
      if (one.disqualified_at) {
        assert.ok(one.disqualified_at > own.at(-1).entered_at, what)
        assert.ok(one.disqualify_reason && one.disqualify_comment.length > 10, what)
      }
      if (own.at(-1).stage.name !== 'Hired') continue
      ends.push(own.at(-1).entered_at)
      const person = byId.get(candidates.get(one.applicant.id).employee_id)
      assert.equal(person.full_name, one.applicant.full_name)
      assert.ok(person.hired_on > own.at(-1).entered_at.slice(0, 10), what)
      for (const name of ['department', 'location', 'position', 'job_level', 'legal_entity', 'division'])
        assert.equal(person[name].id, vacancy[name].id, `${what}: ${name}`)
      hired.add(person.id)
    }
    assert.equal(state === 'closed', ends.length === positions, title)
    if (state === 'closed') {
      const end = ends.sort().at(-1) as string
      assert.ok(
        applications.every(({ created_at }) => created_at < end),
        `${title} was filled at ${end}`,
      )
      assert.ok(
        applications.every((one) => one.pipeline_state.name === 'Hired' || one.disqualified_at),
        title,
      )
    }
  }
  const became = [...candidates.values()].flatMap(({ employee_id }) => employee_id ?? [])
  assert.deepEqual(new Set(became), hired)
  assert.ok(hired.size > 5)
  let notes = 0
  for (const one of candidates.values()) {
    const [first, last] = one.full_name.split(' ')
    if (one.email) assert.match(one.email, new RegExp(`^${plain(first)}\\.${plain(last)}@example\\.(org|net)$`))
    assert.ok(one.created_by && one.phone_numbers.length === 1, one.full_name)
    for (const { comment, created_by, created_at } of await all(`/recruitment/candidates/${one.id}/notes`)) {
      assert.ok(comment.length > 30 && created_by && created_at >= one.created_at, comment)
      notes++
    }
  }
  assert.ok(notes > 40)
})

test('everybody has one laptop, leavers returned theirs, and lost or retired assets have no holder', async () => {
  const assets = await all('/assets')
  const laptops = assets.filter(({ code }) => code.startsWith('LT-'))
  const states = new Set(assets.map(({ state }) => state))
  assert.deepEqual([...states].sort(), ['assigned', 'available', 'lost', 'retired'])
  for (const one of people.filter((one) => isHere(one, TODAY)))
    assert.equal(laptops.filter(({ holder }) => holder?.id === one.id).length, 1, one.full_name)
  for (const { asset_assignments, location_id } of assets)
    for (const { user_id, issued_on } of asset_assignments) {
      const person = byId.get(user_id)
      assert.ok(isHere(person, issued_on) && location_id === person.location.id && isWorkday(person, issued_on))
    }
  assert.ok(laptops.filter((one) => one.asset_assignments.length > 1).length > 3, 'what comes back is issued again')
  const left = assets.filter(({ holder }) => holder && byId.get(holder.id).status === 'terminated')
  assert.deepEqual(
    left.map(({ code }) => code.slice(0, 2)),
    ['PH'],
    'one phone is still to come back',
  )
})

test('the knowledge base has useful articles and one draft', async () => {
  const articles = await all('/knowledge_base/articles')
  assert.ok(articles.filter(({ state }) => state === 'published').length >= 10)
  assert.equal(articles.filter(({ state }) => state === 'draft').length, 1)
  for (const { title, body, created_by, published_at, state } of articles)
    assert.ok(body.length > 40 && created_by && (published_at !== null) === (state === 'published'), title)
  assert.ok((await get('/knowledge_base/articles?q=badge keys')).data.length > 0)
})

test('the calendar shows absences, and its feed has a secret URL', async () => {
  const { data } = await get('/calendars')
  const types = new Set(data.map((event: any) => event.type))
  assert.ok(types.has('leave_request') && types.has('birthday'), [...types].join())
  const { url } = (await get('/calendars/feed')).data
  const feed = await fetch(url)
  assert.equal(feed.headers.get('content-type'), 'text/calendar; charset=utf-8')
  const text = await feed.text()
  assert.match(text, /^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\n/)
  assert.ok(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75))
  assert.equal((await fetch(url.replace(/.{4}\.ics$/, 'xxxx.ics'))).status, 404)
})

/** All that the demo has told, entry by entry. Keys are secrets, and so by chance; who is at work depends on the hour. */
async function story(database: Database): Promise<string[]> {
  const columns = ['no', 'at', 'person_id', 'operation', 'request_id', 'resource', 'record_id', 'action', 'after']
  const rows = await database.query((sql) =>
    sql.selectFrom('ledger').select(columns).where('request_id', 'like', 'demo-%').orderBy('no').execute(),
  )
  return rows
    .filter(({ resource }) => resource !== 'api_keys' && resource !== 'clocks')
    .map((row) => JSON.stringify(columns.map((name) => row[name])))
}

test('a failed demo run leaves nothing behind', async () => {
  const { url, remove } = await freshDatabase('sqlite')
  const other = connect(url)
  const needs = await emptyCompany(other)
  const years: string[] = []
  const fails = { ...needs, say: (line: string) => assert.ok(years.push(line) < 2, 'The power is gone') }
  await assert.rejects(fillWithDemo(fails), /The power is gone/)
  assert.deepEqual(await story(other), [])
  await other.close()
  await remove()
})

test('the demo ledger is in chronological order', async () => {
  const all = await story(database)
  assert.ok(all.length > 10_000)
  const times = all.map((entry) => JSON.parse(entry)[1])
  assert.deepEqual(times, times.toSorted())
})

test('the demo is the same for the same day and written in one transaction', {
  skip: isThorough ? false : 'a second filling takes long',
}, async () => {
  const { url, remove } = await freshDatabase('sqlite')
  const other = connect(url)
  const needs = await emptyCompany(other)
  const statements: string[] = []
  other.onStatement = (statement) => void statements.push(statement)
  await fillWithDemo(needs)
  const [once, twice] = [await story(database), await story(other)]
  await other.close()
  await remove()
  assert.equal(statements.filter((statement) => statement === 'commit').length, 2, 'one for all of it, one to analyse')
  assert.equal(twice.length, once.length)
  for (const [n, entry] of once.entries()) assert.equal(twice[n], entry)
})
