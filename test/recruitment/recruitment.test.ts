import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Service, startService } from '../harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'cadre-recruitment-'))
let service: Service
let now = new Date('2036-06-15T12:00:00Z')
let lead: number
const base: Record<string, unknown> = {}

before(async () => {
  service = await startService({ config: { CADRE_FILES: folder }, clock: () => now })
  lead = (await service.post('/employees', { first_name: 'Hiring', last_name: 'Lead', email: 'lead@example.com' })).body
    .data.id
  for (const [path, name, key] of [
    ['departments', 'Engineering', 'department_id'],
    ['locations', 'Berlin', 'location_id'],
    ['employment_types', 'Full-time', 'employment_type_id'],
    ['positions', 'Engineer', 'position_id'],
  ] as const)
    base[key] = (await service.post(`/${path}`, { name })).body.data.id
  const { data } = (
    await service.post('/recruitment/pipelines', {
      name: 'Standard',
      stages: ['Applied', { name: 'Interview' }, { name: 'Hired', type: 'hired' }],
    })
  ).body
  base.recruitment_pipeline_id = data.id
  base.hiring_lead_user_id = lead
  base.description = '<p>Build</p>'
})
after(async () => {
  await service.stop()
  rmSync(folder, { recursive: true })
})

const make: Service['make'] = (path, values) => service.make(path, values)
let count = 0
const vacancy = (values: Record<string, unknown> = {}) =>
  make('/recruitment/vacancies', { title: `Vacancy ${++count}`, state: 'opened', ...base, ...values })
const candidate = (values: Record<string, unknown> = {}) =>
  make('/recruitment/candidates', { full_name: `Candidate ${++count}`, ...values })
const stagesOf = (one: any): any[] => one.recruitment_pipeline.stages

describe('vacancies', () => {
  // Cleaning as many nested tags takes minutes.
  test('a description that is too long is rejected without being cleaned', { timeout: 60_000 }, async () => {
    const answer = await service.post('/recruitment/vacancies', { title: 'Long', description: '<b>'.repeat(600_000) })
    const problem = answer.body.errors.find(({ field }: any) => field === 'description')
    assert.deepEqual([answer.status, problem.code], [422, 'too_long'])
  })

  test('have all documented fields', async () => {
    const made = await vacancy({
      tags: ['Urgent', 'urgent', 'Remote'],
      skills: ['TypeScript'],
      collaborator_ids: [lead],
      min_salary: 50000,
      max_salary: 60000,
      description: '<p onclick="x()">Hi <script>alert(1)</script><a href="javascript:x">a</a></p>',
    })
    const {
      id,
      created_at,
      updated_at,
      opened_at,
      department,
      location,
      employment_type,
      recruitment_pipeline,
      position,
      ...rest
    } = made
    assert.deepEqual(rest, {
      title: made.title,
      description: '<p>Hi <a>a</a></p>',
      state: 'opened',
      next_states: ['held', 'closed', 'cancelled'],
      takes_applications: true,
      priority: 'medium',
      starts_on: null,
      ends_on: null,
      positions: 1,
      currency_code: 'EUR',
      minimum_salary: 50000,
      maximum_salary: 60000,
      post_on_careers: false,
      salary_on_careers: false,
      applications_count: 0,
      hires_count: 0,
      job_level: null,
      division: null,
      legal_entity: null,
      hiring_lead: {
        id: lead,
        full_name: 'Hiring Lead',
        first_name: 'Hiring',
        last_name: 'Lead',
        email: 'lead@example.com',
      },
      collaborators: [{ id: lead, first_name: 'Hiring', last_name: 'Lead', email: 'lead@example.com' }],
      tags: ['urgent', 'Remote'],
      skills: ['TypeScript'],
      custom_fields: [],
    })
    assert.equal(opened_at, now.toISOString())
    assert.deepEqual(Object.keys(department), [
      'id',
      'name',
      'parent_id',
      'manager_id',
      'department_level',
      'fields',
      'created_at',
      'updated_at',
    ])
    assert.deepEqual(Object.keys(location), [
      'id',
      'name',
      'address',
      'country_code',
      'region_code',
      'time_zone',
      'holiday_policy_id',
      'created_at',
      'updated_at',
    ])
    assert.deepEqual(Object.keys(recruitment_pipeline.stages[0]), [
      'id',
      'name',
      'position',
      'type',
      'created_at',
      'updated_at',
    ])
    assert.deepEqual(
      recruitment_pipeline.stages.map((stage: any) => [stage.position, stage.type]),
      [
        [1, 'new'],
        [2, 'in_progress'],
        [3, 'hired'],
      ],
    )
    const renamed = await service.send('PUT', `/recruitment/vacancies/${id}`, { form: { title: 'Renamed' } })
    assert.equal(renamed.body.data.title, 'Renamed')
    assert.deepEqual(renamed.body.data.tags, ['urgent', 'Remote'])
    assert.equal(
      (await service.put(`/recruitment/vacancies/${id}`, { title: 'x'.repeat(101) })).body.errors[0].code,
      'too_long',
    )
  })

  test('follow the allowed state changes, and opened_at is the first opening', async () => {
    const allowed: Record<string, string[]> = {
      drafting: ['opened'],
      opened: ['held', 'closed', 'cancelled'],
      held: ['opened', 'closed', 'cancelled'],
      closed: ['archived', 'opened'],
      cancelled: ['archived', 'opened'],
      archived: [],
    }
    const ways: Record<string, string[]> = {
      drafting: [],
      opened: ['opened'],
      held: ['opened', 'held'],
      closed: ['opened', 'closed'],
      cancelled: ['opened', 'cancelled'],
      archived: ['opened', 'closed', 'archived'],
    }
    for (const from of Object.keys(allowed))
      for (const to of Object.keys(allowed)) {
        const { id } = await vacancy({ state: 'drafting' })
        for (const step of ways[from] ?? [])
          assert.equal((await service.put(`/recruitment/vacancies/${id}`, { state: step })).status, 200)
        const answer = await service.put(`/recruitment/vacancies/${id}`, { state: to })
        assert.equal(answer.status, to === from || allowed[from]?.includes(to) ? 200 : 409, `${from} → ${to}`)
      }
    const { id, opened_at } = await vacancy({ state: 'drafting' })
    assert.equal(opened_at, null)
    const first = (await service.put(`/recruitment/vacancies/${id}`, { state: 'opened' })).body.data.opened_at
    now = new Date(now.getTime() + 60_000)
    await service.put(`/recruitment/vacancies/${id}`, { state: 'held' })
    assert.equal((await service.put(`/recruitment/vacancies/${id}`, { state: 'opened' })).body.data.opened_at, first)
  })

  test('are found with every filter', async () => {
    const one = await vacancy({ priority: 'high', tags: ['Rare'] })
    const found = async (query: string) =>
      (await service.get(`/recruitment/vacancies?${query}`)).body.data.map((each: any) => each.id)
    assert.deepEqual(await found('tags[]=RARE'), [one.id])
    assert.deepEqual(await found('priority[]=high&status[]=opened&tags[]=rare'), [one.id])
    assert.deepEqual(await found('priority[]=low&tags[]=rare'), [])
    const tag = (await service.get('/recruitment/tags')).body.data.find((each: any) => each.name === 'Rare')
    assert.deepEqual(await found(`tag_ids[]=${tag.id}`), [one.id])
    assert.ok(
      (
        await found(`hiring_lead_user_id=${lead}&department_id=${base.department_id}&location_id=${base.location_id}`)
      ).includes(one.id),
    )
    assert.equal((await service.get('/recruitment/vacancies?status[]=asleep')).status, 400)
  })

  test('have custom fields', async () => {
    await make('/recruitment/vacancy_fields', { name: 'Budget code', type: 'text' })
    const one = await vacancy({ budget_code: 'B7' })
    assert.deepEqual(one.custom_fields, [
      { vacancy_field_id: 1, name: 'Budget code', internal_name: 'budget_code', value: 'B7' },
    ])
  })
})

describe('candidates', () => {
  test('have all the documented candidate fields', async () => {
    await make('/recruitment/candidate_fields', {
      name: 'Notice',
      type: 'single_select',
      options: ['1 month', '3 months'],
    })
    const own = (await service.post('/api_keys', { name: 'Own', permissions: ['*'], employee_id: lead })).body.data.key
    const made = (
      await service.send('POST', '/recruitment/candidates', {
        form: {
          full_name: 'Grace Hopper',
          email: 'Grace@example.com',
          skills: ['COBOL', 'cobol', 'Ships'],
          desired_salary: '60000',
          currency_code: 'usd',
          notice: '3 MONTHS',
          phone_numbers: ['+1 202 555 0100'],
        },
        key: own,
      })
    ).body.data
    const { id, created_at, updated_at, ...rest } = made
    const nothing = { status: 'none', consented_at: null, rejected_at: null, expired_at: null }
    assert.deepEqual(rest, {
      full_name: 'Grace Hopper',
      email: 'Grace@example.com',
      phone_numbers: ['+1 202 555 0100'],
      cover_letter: '',
      date_of_birth: null,
      gender: null,
      telegram_username: null,
      skype_username: null,
      last_contacted_at: null,
      languages: [],
      position: null,
      location: null,
      level: null,
      urls: [],
      desired_salary: 60000,
      currency_code: 'USD',
      source: null,
      source_record: null,
      skills: ['cobol', 'Ships'],
      tags: [],
      resume: false,
      resume_url: null,
      created_by: { id: lead, first_name: 'Hiring', last_name: 'Lead', email: 'lead@example.com' },
      employee_id: null,
      applications: [],
      custom_fields: [{ candidate_field_id: 1, name: 'Notice', internal_name: 'notice', value: '3 months' }],
      merged_ids: [],
      consent: nothing,
      future_recruitment_consent: nothing,
    })
    assert.equal(
      (await service.post('/recruitment/candidates', { full_name: 'Twin', email: 'GRACE@example.com' })).body.errors[0]
        .code,
      'taken',
    )
    const empty = await service.send('PUT', `/recruitment/candidates/${id}`, { form: {} })
    assert.equal(empty.status, 200)
    assert.equal(empty.body.data.full_name, 'Grace Hopper')
  })

  test('keep a resume behind a signed URL, and everything is deleted with the candidate', async () => {
    const multipart = new FormData()
    multipart.append('full_name', 'Gone Person')
    multipart.append('email', 'gone.person@example.com')
    multipart.append('resume', new Blob(['my life']), 'cv.pdf')
    const made = (await service.send('POST', '/recruitment/candidates', { multipart })).body.data
    assert.equal(made.resume, true)
    assert.equal(await (await fetch(made.resume_url)).text(), 'my life')
    await make(`/recruitment/candidates/${made.id}/notes`, { comment: 'Gone Person was nice' })
    const one = await vacancy()
    await make(`/recruitment/vacancies/${one.id}/applications`, { applicant_id: made.id })
    await service.put(`/recruitment/candidates/${made.id}`, { location: 'Gone Town' })
    assert.equal((await service.delete(`/recruitment/candidates/${made.id}`)).status, 204)
    assert.equal((await service.get(`/recruitment/candidates/${made.id}`)).status, 404)
    assert.equal((await fetch(made.resume_url)).status, 404)
    assert.ok(!readdirSync(join(folder, 'candidates')).some((name) => name.endsWith(`-${made.id}`)))
    const ledger = await service.database.query((sql) =>
      sql.selectFrom('ledger').selectAll().where('account_id', '=', service.account.id).orderBy('no').execute(),
    )
    assert.ok(
      !/gone/i.test(JSON.stringify(ledger.map(({ before, after }) => [before, after]))),
      'nobody can be told from the ledger',
    )
    assert.ok(
      ledger.some(
        (entry) => entry.resource === 'candidates' && entry.record_id === made.id && entry.action === 'delete',
      ),
    )
    assert.deepEqual(
      ledger.map((entry) => entry.no),
      ledger.map((_, index) => index + 1),
    )
  })

  test('are found with every filter, alone and combined', async () => {
    const [open, other] = [await vacancy(), await vacancy()]
    const one = await candidate({ email: 'find@example.com', skills: ['Rust', 'Go'], tags: ['vip'] })
    const two = await candidate({ skills: ['Rust'] })
    await make(`/recruitment/vacancies/${open.id}/applications`, { applicant_id: one.id })
    await make(`/recruitment/vacancies/${other.id}/applications`, {
      applicant_id: two.id,
      applicant_state_id: stagesOf(other)[1].id,
    })
    const found = async (query: string) =>
      (await service.get(`/recruitment/candidates?${query}`)).body.data.map((each: any) => each.id)
    assert.deepEqual(await found('email=FIND@example.com'), [one.id])
    assert.deepEqual(await found('skills[]=rust'), [one.id, two.id])
    assert.deepEqual(await found('skills[]=rust&skills[]=GO'), [one.id])
    assert.deepEqual(await found(`vacancy_ids[]=${open.id}&vacancy_ids[]=${other.id}`), [one.id, two.id])
    assert.deepEqual(await found(`pipeline_stage_id=${stagesOf(other)[1].id}&skills[]=rust`), [two.id])
    assert.deepEqual(await found(`vacancy_ids[]=${open.id}&pipeline_stage_id=${stagesOf(other)[1].id}`), [])
    assert.deepEqual(await found('tags[]=VIP'), [one.id])
    assert.deepEqual(await found('q=find@'), [one.id])
    const seconds = Math.floor(Date.parse(one.created_at) / 1000)
    assert.deepEqual(await found(`created_at[gte]=${seconds}&skills[]=go`), [one.id])
    assert.deepEqual(await found(`updated_at[lte]=${seconds - 10_000_000}`), [])
  })

  test('consent in the allowed steps, and the consent expires on its date', async () => {
    const { id } = await candidate()
    const set = (status: string, more = {}) =>
      service.post(`/recruitment/candidates/${id}/consent`, { kind: 'processing', status, ...more })
    assert.equal((await set('rejected')).status, 409)
    assert.equal((await set('pending')).body.data.consent.status, 'pending')
    const given = (await set('consented', { expires_on: '2036-12-31' })).body.data
    assert.deepEqual(given.consent, {
      status: 'consented',
      consented_at: now.toISOString(),
      rejected_at: null,
      expired_at: null,
    })
    assert.equal(given.future_recruitment_consent.status, 'none')
    const before = now
    now = new Date('2036-12-31T12:00:00Z')
    const { consent } = (await service.get(`/recruitment/candidates/${id}`)).body.data
    assert.deepEqual([consent.status, consent.expired_at], ['expired', '2036-12-31T00:00:00.000Z'])
    now = before
    const rejected = (await set('rejected')).body.data.consent
    assert.deepEqual([rejected.status, rejected.rejected_at], ['rejected', now.toISOString()])
  })

  test('are suggested as duplicates and merged; a conflict changes nothing', async () => {
    const one = await vacancy()
    const [kept, duplicate] = [
      await candidate({ full_name: 'Same Person', phone_numbers: ['0049 30 1234567'], skills: ['a'] }),
      await candidate({
        full_name: 'same person',
        email: 'twin@example.com',
        phone_numbers: ['+49 (30) 1234567'],
        skills: ['b'],
        location: 'Rome',
      }),
    ]
    const proposed = (await service.get(`/recruitment/candidates/${kept.id}/duplicates`)).body.data
    assert.deepEqual(
      proposed.map((each: any) => [each.candidate.id, each.same]),
      [[duplicate.id, ['name', 'phone']]],
    )
    await make(`/recruitment/candidates/${duplicate.id}/notes`, { comment: 'Note' })
    await make(`/recruitment/candidates/${duplicate.id}/documents`, {
      attachment: `data:text/plain;name=a.txt;base64,${Buffer.from('doc').toString('base64')}`,
    })
    await make(`/recruitment/vacancies/${one.id}/applications`, { applicant_id: duplicate.id })
    await make(`/recruitment/vacancies/${one.id}/applications`, { applicant_id: kept.id })
    const refused = await service.post(`/recruitment/candidates/${kept.id}/merge`, { duplicate_id: duplicate.id })
    assert.equal(refused.status, 409)
    assert.match(refused.body.detail, new RegExp(`${one.title} .*keep_application_ids`))
    assert.equal((await service.get(`/recruitment/candidates/${duplicate.id}`)).status, 200)

    const third = await candidate({ full_name: 'Same Person' })
    const merged = (await service.post(`/recruitment/candidates/${third.id}/merge`, { duplicate_id: duplicate.id }))
      .body.data
    assert.deepEqual(
      [merged.email, merged.location, merged.skills, merged.applications.length],
      ['twin@example.com', 'Rome', ['b'], 1],
    )
    assert.equal((await service.get(`/recruitment/candidates/${third.id}/notes`)).body.metadata.count, 1)
    const [document] = (await service.get(`/recruitment/candidates/${third.id}/documents`)).body.data
    assert.equal(await (await fetch(document.url)).text(), 'doc')
    assert.equal((await service.get(`/recruitment/candidates/${duplicate.id}`)).status, 404)
  })

  test('have paged notes with their authors', async () => {
    const { id } = await candidate()
    for (let n = 0; n < 51; n++) await make(`/recruitment/candidates/${id}/notes`, { comment: `Note ${n}` })
    const { body } = await service.get(`/recruitment/candidates/${id}/notes?page=2`)
    assert.deepEqual(body.metadata.pagination, { page: 2, pages: 2, count: 51, items: 1 })
    assert.deepEqual(Object.keys(body.data[0]), ['id', 'comment', 'created_by', 'created_at', 'updated_at'])
  })
})

describe('applications', () => {
  test('move only within their own pipeline, not while disqualified, and every move is recorded', async () => {
    const one = await vacancy()
    const person = await candidate()
    const stages = stagesOf(one)
    const made = await make(`/recruitment/vacancies/${one.id}/applications`, { applicant_id: person.id })
    assert.deepEqual(Object.keys(made), [
      'id',
      'applicant',
      'candidate_id',
      'pipeline_state',
      'hired_at',
      'employee_id',
      'disqualified_at',
      'disqualify_reason',
      'created_at',
      'updated_at',
      'disqualify_comment',
    ])
    assert.deepEqual(made.applicant, { id: person.id, full_name: person.full_name, email: null, phone_numbers: [] })
    assert.deepEqual(made.pipeline_state, { id: stages[0].id, name: 'Applied' })
    const path = `/recruitment/vacancies/${one.id}/applications/${made.id}`
    assert.equal(
      (await service.post(`/recruitment/vacancies/${one.id}/applications`, { applicant_id: person.id })).body.errors[0]
        .code,
      'taken',
    )
    const moved = await service.send('PUT', path, { form: { applicant_state_id: stages[1].id } })
    assert.equal(moved.body.data.pipeline_state.name, 'Interview')
    const foreign = await make('/recruitment/pipelines', { name: 'Foreign' })
    assert.equal(
      (await service.put(path, { applicant_state_id: foreign.stages[0].id })).body.errors[0].field,
      'applicant_state_id',
    )
    const reason = await make('/recruitment/disqualify_reasons', { name: 'Salary' })
    const out = await service.post(`${path}/disqualify`, { disqualify_reason_id: reason.id, comment: 'Too much' })
    assert.equal(out.body.data.disqualified_at, now.toISOString())
    assert.deepEqual(
      (await service.get(`/recruitment/candidates/${person.id}`)).body.data.applications[0].disqualify_reason,
      { id: reason.id, name: 'Salary' },
    )
    assert.equal((await service.put(path, { applicant_state_id: stages[0].id })).status, 409)
    assert.equal((await service.post(`${path}/disqualify`)).status, 409)
    const board = (await service.get(`/recruitment/vacancies/${one.id}/pipeline`)).body.data
    assert.deepEqual(
      [
        board.qualified_applications_count,
        board.disqualified_applications_count,
        board.stages[1].disqualified_applications_count,
      ],
      [0, 1, 1],
    )
    assert.equal((await service.post(`${path}/requalify`)).body.data.disqualified_at, null)
    now = new Date(now.getTime() + 90_000)
    assert.equal(
      (await service.put(`${path}/move`, { pipeline_stage_id: stages[0].id })).body.data.pipeline_state.id,
      stages[0].id,
    )
    const history = (await service.get(`/recruitment/movements?applicant_ids[]=${person.id}`)).body.data
    assert.deepEqual(
      history.map((each: any) => each.stage.id),
      [stages[0].id, stages[1].id, stages[0].id],
    )
    assert.equal(history[1].duration, 90)
    assert.equal(history[2].exited_at, null)
    assert.equal(
      (await service.delete(`/recruitment/pipelines/${one.recruitment_pipeline.id}/stages/${stages[1].id}`)).status,
      409,
    )
    assert.equal((await service.delete(`/recruitment/vacancies/${one.id}`)).status, 409)
  })

  test('moved by 16 concurrent writers keep every move without gaps, and counts match', async () => {
    const one = await vacancy()
    const stages = stagesOf(one)
    const person = await candidate()
    const { id } = await make(`/recruitment/vacancies/${one.id}/applications`, { applicant_id: person.id })
    const targets = Array.from({ length: 64 }, (_, n) => stages[n % 3].id)
    const answers = await Promise.all(
      Array.from({ length: 16 }, async (_, writer) => {
        const seen = []
        for (const stage of targets.slice(writer * 4, writer * 4 + 4))
          seen.push(
            await service.put(`/recruitment/vacancies/${one.id}/applications/${id}`, { applicant_state_id: stage }),
          )
        return seen
      }),
    )
    assert.ok(answers.flat().every((answer) => answer.status === 200))
    const stays: any[] = []
    for (let page = 1, pages = 1; page <= pages; page++) {
      const { body } = await service.get(`/recruitment/movements?vacancy_ids[]=${one.id}&page=${page}`)
      pages = body.metadata.pages
      stays.push(...body.data)
    }
    const [{ n }] = (await service.database.query((sql) =>
      sql
        .selectFrom('ledger')
        .select((eb) => eb.fn.countAll().as('n'))
        .where('resource', '=', 'applications')
        .where('record_id', '=', id)
        .where('action', '=', 'update')
        .execute(),
    )) as any
    assert.equal(stays.length, Number(n) + 1, 'a stay for each move that changed the stage')
    for (let n = 1; n < stays.length; n++) {
      assert.equal(stays[n - 1].exited_at, stays[n].entered_at)
      assert.notEqual(stays[n - 1].stage.id, stays[n].stage.id)
    }
    const { data } = (await service.get(`/recruitment/vacancies/${one.id}/pipeline`)).body
    assert.equal(data.stages.find((stage: any) => stage.qualified_applications_count === 1).id, stays.at(-1).stage.id)
    assert.equal(data.applications_count, 1)
  })
})

describe('the usual flow of a careers site', () => {
  test('find by e-mail → create → first stage → application → moves → hire → employee', async () => {
    const one = await vacancy({ positions: 2 })
    const email = 'flow@example.com'
    assert.deepEqual((await service.get(`/recruitment/candidates?email=${email}`)).body.data, [])
    const person = await candidate({ full_name: 'Ada King Lovelace', email, phone_numbers: ['+44 1', '+44 2'] })
    const [first, second] = stagesOf(one)
    const application = await make(`/recruitment/vacancies/${one.id}/applications`, {
      applicant_id: person.id,
      applicant_state_id: first.id,
    })
    const path = `/recruitment/vacancies/${one.id}/applications/${application.id}`
    await service.put(path, { applicant_state_id: second.id })
    const wrong = await service.post(`${path}/hire`, { salary: { amount: -5, per: 'year' } })
    assert.equal(wrong.body.errors[0].field, 'salary.amount')
    assert.deepEqual((await service.get(`/employees?emails[]=${email}`)).body.data, [], 'all or nothing')
    const hired = await service.post(`${path}/hire`, {
      hired_on: '2036-09-01',
      salary: { amount: '54000.5', per: 'year' },
    })
    assert.equal(hired.status, 200, hired.text)
    const { employee, application: moved, vacancy_state } = hired.body.data
    assert.deepEqual(
      [
        employee.first_name,
        employee.last_name,
        employee.email,
        employee.personal_email,
        employee.mobile_number,
        employee.home_phone_number,
        employee.work_phone_number,
        employee.hired_on,
        employee.status,
      ],
      ['Ada King', 'Lovelace', null, email, '+44 1', '+44 2', null, '2036-09-01', 'hired'],
    )
    assert.deepEqual(
      [employee.department.id, employee.location.id, employee.employment_type.id, employee.position.id],
      [base.department_id, base.location_id, base.employment_type_id, base.position_id],
    )
    assert.deepEqual([moved.pipeline_state.name, vacancy_state], ['Hired', 'opened'])
    const [salary] = (await service.get(`/employees/${employee.id}/salaries`)).body.data
    assert.deepEqual([salary.amount, salary.currency_code, salary.effective_on], ['54000.5', 'EUR', '2036-09-01'])
    assert.equal((await service.get(`/recruitment/candidates/${person.id}`)).body.data.employee_id, employee.id)
    assert.equal((await service.post(`${path}/hire`)).status, 409)

    const next = await candidate()
    const { id } = await make(`/recruitment/vacancies/${one.id}/applications`, { applicant_id: next.id })
    const full = await service.post(`/recruitment/vacancies/${one.id}/applications/${id}/hire`)
    assert.equal(full.body.data.vacancy_state, 'closed')
    assert.equal((await service.get(`/recruitment/vacancies/${one.id}`)).body.data.state, 'closed')
    const limited = await service.keyWith({ permissions: ['recruitment:read', 'recruitment:write'] })
    assert.equal((await service.post(`${path}/hire`, {}, { key: limited })).status, 403)
  })

  test('public requests list open vacancies, accept applications and do not reveal who is known', async () => {
    const open = await vacancy({ title: 'For everybody', post_on_careers: true })
    await vacancy({ title: 'Internal' })
    const listed = (await service.get('/recruitment/careers/vacancies', { key: null })).body.data
    assert.deepEqual(
      listed.map((each: any) => each.title),
      ['For everybody'],
    )
    assert.ok(!('hiring_lead' in listed[0]))
    const path = `/recruitment/careers/vacancies/${open.id}/applications`
    const known = await candidate({ email: 'known@example.com', full_name: 'Known Person' })
    const same = { headers: { 'x-request-id': 'r' }, key: null }
    const first = await service.post(
      path,
      { full_name: 'Intruder', email: 'known@example.com', cover_letter: 'Hi' },
      same,
    )
    const fresh = await service.post(
      path,
      { full_name: 'Fresh Person', email: 'fresh@example.com', phone: '+1 2 345678', consent: true },
      same,
    )
    const again = await service.post(path, { full_name: 'Intruder', email: 'known@example.com' }, same)
    assert.deepEqual([first.status, fresh.status, again.status], [201, 201, 201])
    assert.equal(first.text, fresh.text)
    assert.equal(again.text, fresh.text)
    const untouched = (await service.get(`/recruitment/candidates/${known.id}`)).body.data
    assert.deepEqual([untouched.full_name, untouched.applications.length], ['Known Person', 1])
    const [made] = (await service.get('/recruitment/candidates?email=fresh@example.com')).body.data
    assert.deepEqual(
      [made.consent.status, made.phone_numbers, made.applications[0].vacancy.id],
      ['consented', ['+1 2 345678'], open.id],
    )
    assert.equal(
      (
        await service.post(
          '/recruitment/careers/vacancies/1/applications',
          { full_name: 'A', email: 'a@b.co' },
          { key: null },
        )
      ).status,
      404,
    )
    const strict = await startService({ config: { PUBLIC_REQUESTS_PER_MINUTE: 3 } })
    const statuses = []
    for (let n = 0; n < 5; n++)
      statuses.push((await strict.get('/recruitment/careers/vacancies', { key: null })).status)
    assert.deepEqual(statuses, [200, 200, 200, 429, 429])
    await strict.stop()
  })
})

describe('pipelines', () => {
  test('stages are added, renamed, reordered and deleted, and stay numbered from 1', async () => {
    const made = await make('/recruitment/pipelines', { name: 'Own', stages: ['A', 'B', 'C'] })
    const path = `/recruitment/pipelines/${made.id}/stages`
    await make(path, { name: 'D', position: 2 })
    await service.put(`${path}/${made.stages[2].id}`, { position: 1, name: 'C2' })
    const order = async () =>
      (await service.get(`/recruitment/pipelines/${made.id}`)).body.data.stages.map((stage: any) => [
        stage.position,
        stage.name,
      ])
    assert.deepEqual(await order(), [
      [1, 'C2'],
      [2, 'A'],
      [3, 'D'],
      [4, 'B'],
    ])
    assert.equal((await service.delete(`${path}/${made.stages[0].id}`)).status, 204)
    assert.deepEqual(await order(), [
      [1, 'C2'],
      [2, 'D'],
      [3, 'B'],
    ])
    const standard = await make('/recruitment/pipelines', { name: 'Bare' })
    assert.deepEqual(
      standard.stages.map((stage: any) => stage.type),
      ['new', 'in_progress', 'in_progress', 'hired'],
    )
    assert.equal((await service.delete(`/recruitment/pipelines/${made.id}`)).status, 204)
  })
})
