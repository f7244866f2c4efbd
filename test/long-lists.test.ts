import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { connect } from '../src/database/connect.ts'
import { chunks } from '../src/records/chunks.ts'
import { IdSet, numbersIn } from '../src/records/id-set.ts'
import type { CacheOptions } from '../src/records/ledger.ts'
import { chances, SEED } from './chance.ts'
import { ENGINE, type Service, sender, startService } from './harness.ts'
import { rounds } from './thorough.ts'

/** Which records a long list has is kept in mind, and is what it would be if everything were counted. */

const today = '2026-03-10'
const clock = () => new Date(`${today}T09:00:00Z`)
let service: Service
const apps: FastifyInstance[] = []
/** Two processes that keep in mind which records any list has, and one that counts. */
let first: ReturnType<typeof sender>
let second: ReturnType<typeof sender>
let counting: ReturnType<typeof sender>

async function another(CACHE_MB: number, caching: CacheOptions, database = connect(service.databaseUrl)) {
  const config = { ...readConfig({}), LOG_LEVEL: 'silent' as const, CACHE_MB }
  const app = await buildApp({ config, database, clock, caching })
  apps.push(app)
  return sender(await app.listen({ host: '127.0.0.1', port: 0 }), service.key)
}

before(async () => {
  service = await startService({ clock })
  first = await another(64, { longFrom: 1 })
  second = await another(0, { longFrom: 1 })
  counting = await another(0, { longFrom: Number.POSITIVE_INFINITY, slowFrom: Number.POSITIVE_INFINITY })
})
after(async () => {
  for (const app of apps) await app.close()
  await service.stop()
})

test('an IdSet behaves like a plain set for every slice', () => {
  const { below, is } = chances(SEED)
  const plain = new Set(Array.from({ length: 300 }, () => 1 + below(5000)))
  const set = IdSet.of(numbersIn([...plain].join(',')), 1e6) as IdSet
  for (let round = 0; round < 400; round++) {
    const id = 1 + below(round < 200 ? 6000 : 20_000)
    if (is(0.5)) {
      plain.add(id)
      set.add(id)
    } else {
      plain.delete(id)
      set.delete(id)
    }
    const sorted = [...plain].sort((a, b) => a - b)
    const [skipped, size] = [below(plain.size + 3), 1 + below(60)]
    assert.equal(set.size, plain.size)
    assert.deepEqual(set.slice(skipped, size, false), sorted.slice(skipped, skipped + size))
    assert.deepEqual(set.slice(skipped, size, true), sorted.reverse().slice(skipped, skipped + size))
  }
  assert.equal(IdSet.of(numbersIn(''), 1e6)?.size, 0)
  assert.equal(IdSet.of([1, 9_000_000], 1e6), null)
})

test('after random writes, pages and totals of long lists equal a recount in every process', async () => {
  const { below, of, is } = chances(SEED + 1)
  const departments = [
    await service.make('/departments', { name: 'A' }),
    await service.make('/departments', { name: 'B' }),
  ]
  const skill = await service.make('/skills', { name: 'Welding' })
  const opening = await vacancy()
  const people: number[] = []
  const candidates: number[] = []
  const day = () => of(['2026-01-01', '2026-03-09', today, '2026-03-11', '2026-06-01'])
  const hire = async () => {
    const name = of(['Ada', 'Adam', 'Bea'])
    const { id } = await service.hire({ first_name: name, hired_on: day(), department_id: of(departments).id })
    people.push(id)
  }
  const apply = async () => {
    const values = { full_name: of(['Ada L', 'Bea M']), email: `c${candidates.length}.${below(1e9)}@example.com` }
    const one = await service.make('/recruitment/candidates', { ...values, skills: of([['x'], ['x', 'y'], []]) })
    candidates.push(one.id)
  }
  const indicators: number[] = []
  const KPIS = '/performance/key_performance_indicators'
  const measure = async () => {
    const values = { title: 'Won', kpi_type: 'company', metric: 'number', start_value: 0, target_value: 100 }
    const { id } = await service.make(KPIS, { ...values, starts_on: '2026-01-01', ends_on: '2026-06-01' })
    indicators.push(id)
  }
  const resultsOf = (id: number) => `${KPIS}/${id}/key_performance_indicator_results`
  const forgetResult = async () => {
    const path = resultsOf(of(indicators))
    const [last] = ((await service.get(path)).body.data ?? []) as { id: number }[]
    return last ? service.delete(`${path}/${last.id}`) : { status: 404, text: 'none' }
  }
  const remove = async (from: number[], path: string) => {
    if (from.length < 4) return
    const at = below(from.length)
    // Who is named elsewhere stays.
    if ((await service.delete(`${path}/${from[at]}`)).status === 204) from.splice(at, 1)
  }
  // What a rule stands against is refused, and some are gone by an undo; how often a kind of write was done is counted, so that none is idle.
  const counts = new Map<string, number>()
  const done = async (what: string, answer: Promise<{ status: number; text: string }>) => {
    const { status, text } = await answer
    assert.ok(status < 300 || [404, 409, 422].includes(status), text)
    if (status < 300) counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  const post = (path: string, json: object) => service.send('POST', path, { json })
  const undo = async () => {
    const { body } = await service.get('/changes?since=0&limit=1000')
    return done('undo', post(`/changes/${of(body.data as { number: number }[]).number}/undo`, {}))
  }
  const writes: (() => Promise<unknown>)[] = [
    hire,
    hire,
    apply,
    apply,
    () => done('rename', service.put(`/employees/${of(people)}`, { last_name: of(['Ada', 'Noether']) })),
    () => done('move', service.put(`/employees/${of(people)}`, { department_id: of(departments).id })),
    () =>
      done(
        'date',
        post(`/employees/${of(people)}/positions`, { department_id: of(departments).id, effective_from: day() }),
      ),
    () => done('leave', post(`/employees/${of(people)}/terminate`, { effective_from: day() })),
    () => done('come back', post(`/employees/${of(people)}/activate`, {})),
    () =>
      done('learn', post(`/employees/${of(people)}/skills`, { skill_id: skill.id, level: of(['basic', 'expert']) })),
    () =>
      done('skills', service.put(`/recruitment/candidates/${of(candidates)}`, { skills: of([['y'], ['x', 'y'], []]) })),
    () => done('apply', post(`/recruitment/vacancies/${opening}/applications`, { candidate_id: of(candidates) })),
    () => done('merge', merge()),
    () => done('department', service.put(`/departments/${of(departments).id}`, { name: `D${below(1000)}` })),
    () =>
      done(
        'result',
        post(resultsOf(of(indicators)), { value: of([0, 24, 35, 90, 100]), occurred_on: of([today, day()]) }),
      ),
    () => done('no result', forgetResult()),
    () =>
      done(
        'target',
        service.put(`${KPIS}/${of(indicators)}`, { target_value: of([40, 100]), status: of([null, 'behind']) }),
      ),
    measure,
    () => remove(indicators, KPIS),
    undo,
    () => remove(people, '/employees'),
    () => remove(candidates, '/recruitment/candidates'),
  ]
  const merge = async () => {
    const [into, from] = [of(candidates), of(candidates)]
    const answer = await post(`/recruitment/candidates/${into}/merge`, { candidate_id: from })
    if (answer.status < 300) candidates.splice(candidates.indexOf(from), 1)
    return answer
  }
  for (let n = 0; n < 8; n++) await hire()
  for (let n = 0; n < 5; n++) await apply()
  for (let n = 0; n < 5; n++) await measure()
  const questions = [
    '/employees?',
    '/employees?status=all&',
    '/employees?status=terminated&',
    '/employees?status=hired&',
    `/employees?department_id=${departments[0].id}&`,
    `/employees?status=all&department_ids[]=${departments[0].id}&department_ids[]=${departments[1].id}&`,
    '/employees?q=ada&',
    '/employees?q=ada n&',
    '/employees?skill_level=proficient&',
    `/employees?joined_on[gte]=${today}&`,
    `/employees?as_of=2026-05-01&department_id=${departments[1].id}&`,
    '/recruitment/candidates?',
    '/recruitment/candidates?skills[]=x&',
    '/recruitment/candidates?skills[]=x&skills[]=y&',
    `/recruitment/candidates?vacancy_id=${opening}&`,
    '/recruitment/candidates?q=ada&',
    ...['none', 'on_track', 'behind', 'at_risk'].map((status) => `${KPIS}?status=${status}&`),
    '/time/timesheets?',
    `/time/timesheets?department_id=${departments[0].id}&month=6&year=2026&`,
  ]
  for (let round = 0; round < rounds(80, 2000); round++) {
    await of(writes)()
    for (let looks = 0; looks < 3; looks++) {
      const question = of(questions)
      const sort = is(0.6) || question.includes('timesheets') ? of(['id', '-id']) : of(['created_at', '-updated_at'])
      const path = `${question}per_page=${1 + below(4)}&page=${1 + below(4)}&sort=${sort}`
      const [kept, counted] = [await of([first, second])('GET', path), await counting('GET', path)]
      assert.equal(counted.status, 200, counted.text)
      assert.deepEqual(dataOf(kept), dataOf(counted), `${path} in round ${round}`)
    }
  }
  assert.ok(counts.size >= 8, `only ${[...counts.keys()]} were ever done`)
})

const dataOf = ({ text }: { text: string }) => JSON.parse(text.replace(/http:\/\/127\.0\.0\.1:\d+/g, ''))

async function vacancy(): Promise<number> {
  const [location, type] = [
    await service.make('/locations', { name: 'Here', time_zone: 'UTC' }),
    await service.make('/employment_types', { name: 'Full' }),
  ]
  const department = await service.make('/departments', { name: 'Hiring' })
  const lead = await service.hire({})
  const pipeline = await service.make('/recruitment/pipelines', { name: 'Usual' })
  const { id } = await service.make('/recruitment/vacancies', {
    title: 'Welder',
    description: 'Joins things',
    department_id: department.id,
    location_id: location.id,
    employment_type_id: type.id,
    hiring_lead_user_id: lead.id,
    recruitment_pipeline_id: pipeline.id,
  })
  return id
}

const asksForAll = (text: string) => /count\(|offset|group_concat|string_agg/.test(text)

test('a cached id list needs no count for its pages or total', async () => {
  const database = connect(service.databaseUrl)
  const send = await another(64, { longFrom: 1 }, database)
  await send('GET', '/employees?per_page=1&page=2')
  const run: string[] = []
  database.onRun = (statement) => void run.push(statement)
  await service.put(`/employees/${(await service.hire({})).id}`, { middle_name: 'Q' })
  const answer = await send('GET', '/employees?per_page=1&page=3')
  assert.equal(answer.status, 200)
  assert.ok(
    run.some((text) => text.includes('from "ledger"')),
    'what has changed is asked of the ledger',
  )
  assert.deepEqual(run.filter(asksForAll), [], ENGINE)
})

test('a short but slow list is cached as well', async () => {
  const paths = [
    '/performance/key_performance_indicators?status=behind',
    '/time/timesheets?per_page=1&page=2',
    '/time/timesheets?department_id=1',
  ]
  for (const slowFrom of [0, Number.POSITIVE_INFINITY]) {
    const database = connect(service.databaseUrl)
    const send = await another(0, { longFrom: Number.POSITIVE_INFINITY, slowFrom }, database)
    for (const path of paths) {
      const before = await send('GET', path)
      assert.equal(before.status, 200, before.text)
      const run: string[] = []
      database.onRun = (statement) => void run.push(statement)
      await service.put(`/employees/${(await service.hire({ department_id: 1 })).id}`, { middle_name: 'Q' })
      const after = await send('GET', path)
      assert.deepEqual(after.body, (await counting('GET', path)).body)
      assert.equal(run.some(asksForAll), slowFrom > 0, `${path}: ${run.filter(asksForAll).join('; ')}`)
      database.onRun = undefined
    }
  }
})

test('a record can refer to more others than an engine accepts parameters', async () => {
  const many = 33_000
  const boss = await service.hire({ first_name: 'Boss' })
  const report = await service.hire({ reporting_to_id: boss.id })
  const rowsOf = (table: string, column: string) =>
    service.database.read((db) => db.selectFrom(table).selectAll().where(column, '=', report.id).execute())
  const [person] = await rowsOf('employees', 'id')
  const [job] = await rowsOf('employee_positions', 'employee_id')
  assert.ok(person && job)
  const ids = Array.from({ length: many - 1 }, (_, n) => report.id + 1 + n)
  for (const some of chunks(ids, 1000)) {
    const people = some.map((id) => ({ ...person, id, employee_number: `${id}`, employee_number_key: `${id}` }))
    const jobs = some.map((id) => ({ ...job, id: job.id + id, employee_id: id }))
    await service.database.write(async (db) => {
      for (const rows of chunks(people, 250)) await db.insertInto('employees').values(rows).execute()
      for (const rows of chunks(jobs, 250)) await db.insertInto('employee_positions').values(rows).execute()
    })
    // Planners believe that tables are as small as they were.
    if (some[0] === ids[0]) await service.database.analyse()
  }
  await service.database.analyse()
  const told = (await counting('GET', `/employees/${boss.id}`)).body.data.direct_reports
  const sorted = told.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b)
  assert.deepEqual(sorted, [report.id, ...ids])
})
