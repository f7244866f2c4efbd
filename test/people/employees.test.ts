import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Service, startService } from '../harness.ts'

let service: Service
let now = new Date('2036-06-15T12:00:00Z')
const names: Record<string, number> = {}

before(async () => {
  service = await startService({ clock: () => now })
  for (const [path, name] of [
    ['positions', 'Engineer'],
    ['job_levels', 'Senior'],
    ['divisions', 'Retail'],
    ['job_profiles', 'Maker'],
    ['legal_entities', 'Example GmbH'],
    ['employment_types', 'Full-time'],
    ['departments', 'Engineering'],
    ['locations', 'Berlin'],
    ['termination_types', 'Voluntary'],
    ['termination_reasons', 'Moved away'],
  ] as const)
    names[path] = (await service.post(`/${path}`, { name })).body.data.id
  names.working_patterns = (await service.post('/working_patterns', { name: 'Standard', monday_hours: 8 })).body.data.id
  names.probation_policies = (
    await service.post('/probation_policies', { name: 'Twelve weeks', length: 84 })
  ).body.data.id
})
after(() => service.stop())

let people = 0
const hire = async (values: Record<string, unknown> = {}) => {
  const answer = await service.post('/employees', { first_name: 'Person', last_name: `Number ${++people}`, ...values })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data
}
const ids = (answer: { body: any }) => answer.body.data.map((one: any) => one.id)

describe('an employee record', () => {
  test('has all documented fields, with objects for references', async () => {
    const builtIn = { group: { id: 0, name: 'Built-in' } }
    const boss = await hire({ email: 'boss@example.com' })
    const made = await hire({
      employee_number: 'E-7',
      first_name: 'Ada',
      middle_name: 'King',
      last_name: 'Lovelace',
      email: 'Ada@example.com',
      personal_email: 'ada@example.net',
      mobile_number: '+1',
      work_phone_number: '+2',
      slack_username: 'ada',
      linkedin_url: 'https://www.linkedin.com/in/ada',
      skype_username: 'live:ada',
      twitter_username: 'ada_k',
      facebook_url: 'https://www.facebook.com/ada',
      date_of_birth: '1990-12-10',
      hired_on: '2036-01-01',
      probation_ends_on: '2036-06-30',
      access: true,
      gender: 'Female',
      position_id: names.positions,
      job_level_id: names.job_levels,
      location_id: names.locations,
      employment_type_id: names.employment_types,
      division_id: names.divisions,
      job_profile_id: names.job_profiles,
      department_id: names.departments,
      legal_entity_id: names.legal_entities,
      working_pattern_id: names.working_patterns,
      reporting_to_id: boss.id,
    })
    const { avatar_url, created_at, updated_at, department, location, working_pattern, ...rest } = made
    const named = (value: any) => value && { id: value.id, name: value.name }
    assert.deepEqual(
      {
        ...rest,
        ...Object.fromEntries(
          ['position', 'job_level', 'division', 'employment_type', 'job_profile', 'legal_entity'].map((name) => [
            name,
            named(rest[name]),
          ]),
        ),
      },
      {
        id: made.id,
        status: 'probation',
        active: true,
        access: true,
        employee_number: 'E-7',
        full_name: 'Ada King Lovelace',
        first_name: 'Ada',
        middle_name: 'King',
        last_name: 'Lovelace',
        email: 'Ada@example.com',
        personal_email: 'ada@example.net',
        mobile_number: '+1',
        home_phone_number: null,
        work_phone_number: '+2',
        slack_username: 'ada',
        linkedin_url: 'https://www.linkedin.com/in/ada',
        skype_username: 'live:ada',
        twitter_username: 'ada_k',
        facebook_url: 'https://www.facebook.com/ada',
        date_of_birth: '1990-12-10',
        hired_on: '2036-01-01',
        probation_ends_on: '2036-06-30',
        gender: { id: 2, name: 'female' },
        position: { id: names.positions, name: 'Engineer' },
        job_level: { id: names.job_levels, name: 'Senior' },
        division: { id: names.divisions, name: 'Retail' },
        employment_type: { id: names.employment_types, name: 'Full-time' },
        job_profile: { id: names.job_profiles, name: 'Maker' },
        legal_entity: { id: names.legal_entities, name: 'Example GmbH' },
        reporting_to: { id: boss.id, first_name: 'Person', last_name: boss.last_name, email: 'boss@example.com' },
        weekly_hours: 8,
        full_time_equivalent: 0.2,
        tenure_since: '2036-01-01',
        termination_effective_on: null,
        termination_announced_on: null,
        termination_comment: null,
        termination_eligible_for_rehire: null,
        termination_type: null,
        termination_reason: null,
        fields: {
          employee_number: { ...builtIn, label: 'Employee number', value: 'E-7' },
          mobile_number: { ...builtIn, label: 'Mobile number', value: '+1' },
          work_phone_number: { ...builtIn, label: 'Work phone number', value: '+2' },
        },
        custom_fields: {},
        direct_reports: null,
      },
    )
    assert.equal(department.name, 'Engineering')
    assert.deepEqual(department.fields, {})
    assert.equal(location.time_zone, 'UTC')
    assert.equal(working_pattern.monday_hours, '8.0')
    assert.match(avatar_url, /^http:\/\/127\.0\.0\.1:\d+\/avatars\/initials\/AL\.svg$/)
    const picture = await fetch(avatar_url)
    assert.equal(picture.headers.get('content-type'), 'image/svg+xml; charset=utf-8')
    assert.match(await picture.text(), />AL<\/text>/)
    const manager = (await service.get(`/employees/${boss.id}`)).body.data
    assert.deepEqual(manager.direct_reports, [
      { id: made.id, first_name: 'Ada', last_name: 'Lovelace', email: 'Ada@example.com' },
    ])
    const [row] = (await service.get(`/employees?ids[]=${boss.id}`)).body.data
    assert.ok(!('direct_reports' in row))
    assert.deepEqual([row.active, row.slack_username, row.facebook_url], [true, null, null])
  })

  test('is active until the termination date, also with as_of', async () => {
    const { id } = await hire({ hired_on: '2036-01-01' })
    const active = async (query = '') => (await service.get(`/employees/${id}${query}`)).body.data.active
    await service.post(`/employees/${id}/terminate`, { effective_from: '2036-06-16' })
    assert.deepEqual(
      [await active(), await active('?as_of=2036-06-16'), await active('?as_of=2036-06-15')],
      [true, false, true],
    )
    const [row] = (await service.get(`/employees?ids[]=${id}&as_of=2036-06-16`)).body.data
    assert.equal(row?.active ?? false, false)
  })

  test('accepts only web URLs for profile pages, and clears fields in every format', async () => {
    const { id } = await hire({ slack_username: 'old', linkedin_url: 'https://example.com/me' })
    const bad = await service.put(`/employees/${id}`, { linkedin_url: 'javascript:alert(1)', facebook_url: 'me' })
    assert.deepEqual(
      bad.body.errors.map((error: any) => error.field),
      ['linkedin_url', 'facebook_url'],
    )
    const json = { data: [{ id, twitter_username: 'new', linkedin_url: null }] }
    assert.equal((await service.send('PATCH', '/employees/bulk', { json })).body.records.count, 1)
    const cleared = (await service.send('PUT', `/employees/${id}`, { form: { slack_username: '' } })).body.data
    assert.deepEqual([cleared.slack_username, cleared.linkedin_url, cleared.twitter_username], [null, null, 'new'])
  })

  test('gets the next free number by default', async () => {
    const first = await hire()
    assert.equal(first.employee_number, String(first.id))
    await hire({ employee_number: String(first.id + 2) })
    const next = await hire()
    assert.equal(next.employee_number, String(first.id + 3))
    assert.equal((await service.put(`/employees/${first.id}`, { employee_number: null })).body.errors[0].code, 'blank')
  })

  test('keeps e-mail and number unique in any case, and needs no e-mail', async () => {
    await hire({ email: 'one@example.com', employee_number: 'X1' })
    const duplicate = await service.post('/employees', {
      first_name: 'A',
      last_name: 'B',
      email: 'ONE@example.com',
      employee_number: 'x1',
    })
    assert.deepEqual(
      duplicate.body.errors.map((error: any) => [error.field, error.code]),
      [
        ['employee_number', 'taken'],
        ['email', 'taken'],
      ],
    )
    assert.equal((await hire()).email, null)
    assert.equal((await hire()).email, null)
  })

  test('is found by words in the name, parts of the e-mail address, and the number', async () => {
    const ids = async (q: string) =>
      (await service.get(`/employees?q=${encodeURIComponent(q)}`)).body.data.map((one: any) => one.id)
    const ursula = await hire({
      first_name: 'Anna Maria',
      last_name: 'von der Zeyen',
      email: 'am.zeyen@quixotic.example',
      employee_number: 'ZZ-4711',
    })
    const accents = await hire({ first_name: 'Zoë', last_name: 'Müllerzq' })
    const han = await hire({ first_name: '小明', last_name: '王' })
    for (const q of [
      'Zeyen',
      'zey',
      'Anna Maria',
      'maria zeyen',
      'von zeyen',
      'am.zeyen@quix',
      'quixotic',
      '4711',
      'zz-47',
    ])
      assert.deepEqual(await ids(q), [ursula.id], q)
    for (const q of ['zoe mullerzq', 'ZOË', 'müllerzq']) assert.deepEqual(await ids(q), [accents.id], q)
    for (const q of ['小明', '明', '王']) assert.deepEqual(await ids(q), [han.id], q)
    for (const q of ['eyen', 'Zeyen Peter', '%', '_', '---']) assert.deepEqual(await ids(q), [], q)
    await service.put(`/employees/${ursula.id}`, { last_name: 'Umbenannt' })
    assert.deepEqual([await ids('umben'), await ids('Zeyen')], [[ursula.id], [ursula.id]], 'the e-mail still says it')
    await service.put(`/employees/${ursula.id}`, { email: null })
    assert.deepEqual(await ids('Zeyen'), [])
    await service.delete(`/employees/${ursula.id}`)
    assert.deepEqual(await ids('umben'), [])
  })

  test('gets the end of probation from the policy unless it is sent', async () => {
    const byPolicy = await hire({ hired_on: '2036-06-01', probation_policy_id: names.probation_policies })
    assert.equal(byPolicy.probation_ends_on, '2036-08-23')
    const sent = await hire({
      hired_on: '2036-06-01',
      probation_policy_id: names.probation_policies,
      probation_ends_on: '2036-07-01',
    })
    assert.equal(sent.probation_ends_on, '2036-07-01')
    const late = await service.post('/employees', {
      first_name: 'A',
      last_name: 'B',
      hired_on: '2036-06-01',
      probation_ends_on: '2036-05-01',
    })
    assert.equal(late.body.errors[0].code, 'too_early')
  })

  test('keeps both of two concurrent changes', async () => {
    const { id } = await hire()
    await Promise.all([
      service.put(`/employees/${id}`, { first_name: 'Left' }),
      service.put(`/employees/${id}`, { last_name: 'Right' }),
      service.put(`/employees/${id}`, { position_id: names.positions }),
      service.put(`/employees/${id}`, { location_id: names.locations }),
    ])
    const { first_name, last_name, position, location } = (await service.get(`/employees/${id}`)).body.data
    assert.deepEqual(
      [first_name, last_name, position.id, location.id],
      ['Left', 'Right', names.positions, names.locations],
    )
  })

  test('stores unusual text exactly or rejects it', async () => {
    for (const first_name of [
      'שלום',
      '👩🏽‍🚀',
      'Zoe\u0308',
      '𝔘𝔫𝔦',
      "Robert'; DROP TABLE employees;--",
      '=HYPERLINK("http://x","y")',
      '\u200fRTL',
    ])
      assert.equal((await hire({ first_name })).first_name, first_name)
    for (const first_name of ['a\0', '\udfff', 'two\nlines'])
      assert.equal(
        (await service.post('/employees', { first_name, last_name: 'B' })).body.errors[0].field,
        'first_name',
      )
  })
})

describe('status', () => {
  const statusOf = async (id: number) => (await service.get(`/employees/${id}`)).body.data.status

  test('follows from the dates', async () => {
    const { id } = await hire({ hired_on: '2036-07-01', probation_ends_on: '2036-09-30' })
    await service.post(`/employees/${id}/terminate`, { effective_from: '2036-12-01' })
    const expected = {
      '2036-06-30': 'hired',
      '2036-07-01': 'probation',
      '2036-09-30': 'probation',
      '2036-10-01': 'employed',
      '2036-11-30': 'employed',
      '2036-12-01': 'terminated',
    }
    for (const [day, status] of Object.entries(expected)) {
      assert.equal((await service.get(`/employees/${id}?as_of=${day}`)).body.data.status, status, day)
      now = new Date(`${day}T12:00:00Z`)
      assert.equal(await statusOf(id), status, day)
      assert.deepEqual(ids(await service.get(`/employees?status=${status}&ids=${id}`)), [id], day)
      assert.deepEqual(
        ids(await service.get(`/employees?status=active&ids=${id}`)),
        status === 'terminated' ? [] : [id],
      )
    }
    now = new Date('2036-06-15T12:00:00Z')
    assert.equal((await service.get('/employees?status=resting')).status, 400)
  })

  test('filters return exactly the people who show that status', async () => {
    const { body } = await service.get('/employees?status=all')
    for (const status of ['hired', 'probation', 'employed', 'terminated'])
      assert.deepEqual(
        ids(await service.get(`/employees?status=${status}`)),
        body.data.filter((one: any) => one.status === status).map((one: any) => one.id),
      )
    const active = body.data.filter((one: any) => one.status !== 'terminated').map((one: any) => one.id)
    assert.deepEqual(ids(await service.get('/employees')), active)
    assert.deepEqual(ids(await service.get('/employees?status=active')), active)
  })
})

describe('termination', () => {
  test('is in every response, keeps its reasons, and can be reversed', async () => {
    const { id } = await hire({ hired_on: '2036-01-01' })
    assert.equal((await service.post(`/employees/${id}/activate`)).status, 409)
    assert.equal(
      (await service.post(`/employees/${id}/terminate`, { effective_from: '2035-12-31' })).body.errors[0].field,
      'effective_from',
    )
    const body = {
      effective_from: '2036-06-15',
      termination_type_id: names.termination_types,
      termination_reason_id: names.termination_reasons,
      eligible_for_rehire: true,
      comment: 'All the best',
    }
    const left = (await service.send('POST', `/employees/${id}/terminate`, { form: body })).body.data
    assert.equal(left.status, 'terminated')
    const expected = [
      '2036-06-15',
      'All the best',
      true,
      { id: names.termination_types, name: 'Voluntary' },
      { id: names.termination_reasons, name: 'Moved away' },
    ]
    for (const one of [left, (await service.get(`/employees?status=all&ids=${id}`)).body.data[0]])
      assert.deepEqual(
        [
          one.termination_effective_on,
          one.termination_comment,
          one.termination_eligible_for_rehire,
          one.termination_type,
          one.termination_reason,
        ],
        expected,
      )
    assert.equal((await service.post(`/employees/${id}/terminate`, body)).status, 409)
    assert.deepEqual(
      ids(await service.get('/employees/terminated?terminated_on[gte]=2036-06-15&terminated_on[lte]=2036-06-15')),
      [id],
    )
    assert.equal((await service.delete(`/termination_types/${names.termination_types}`)).status, 409)

    const back = (await service.post(`/employees/${id}/activate`)).body.data
    assert.equal(back.status, 'employed')
    assert.equal(back.termination_type, null)
  })

  test('a leaver cannot become team lead, manager or department head', async () => {
    const gone = await hire({ hired_on: '2036-01-01' })
    await service.post(`/employees/${gone.id}/terminate`, { effective_from: '2036-06-01' })
    const { id } = await hire()
    for (const answer of [
      await service.put(`/employees/${id}`, { reporting_to_id: gone.id }),
      await service.post(`/employees/${id}/positions`, { effective_from: '2036-07-01', reporting_to_id: gone.id }),
      await service.post('/teams', { name: 'Ghosts', team_lead_id: gone.id }),
      await service.post('/departments', { name: 'Ghosts', manager_id: gone.id }),
    ]) {
      assert.equal(answer.status, 422)
      assert.equal(answer.body.errors[0].code, 'terminated')
    }
  })
})

describe('lists', () => {
  test('apply every filter, alone and combined', async () => {
    const boss = await hire({
      first_name: 'Grace',
      last_name: 'Hopper',
      email: 'grace@example.com',
      employee_number: 'G-1',
      hired_on: '2030-03-01',
      department_id: names.departments,
    })
    const one = await hire({
      first_name: 'Alan',
      last_name: 'van Dijk',
      email: 'alan@example.com',
      employee_number: 'G-2',
      hired_on: '2031-03-01',
      reporting_to_id: boss.id,
      location_id: names.locations,
    })
    const found = async (query: string) => ids(await service.get(`/employees?${query}`))
    assert.deepEqual(await found('emails[]=GRACE@example.com&emails[]=alan@example.com'), [boss.id, one.id])
    assert.deepEqual(await found('employee_numbers[]=g-2'), [one.id])
    assert.deepEqual(await found('hired_on[gte]=2030-03-01&hired_on[lte]=2030-03-01'), [boss.id])
    assert.deepEqual(await found(`manager_id=${boss.id}`), [one.id])
    assert.ok((await found(`department_id=${names.departments}`)).includes(boss.id))
    assert.deepEqual(await found(`location_id=${names.locations}&manager_id=${boss.id}`), [one.id])
    assert.deepEqual(await found(`department_id=${names.departments}&manager_id=${boss.id}`), [])
    assert.deepEqual(await found('q=gra'), [boss.id])
    assert.deepEqual(await found('q=HOPPER grace'), [boss.id])
    assert.deepEqual(await found('q=van'), [one.id])
    assert.deepEqual(await found('q=alan@'), [one.id])
    assert.deepEqual(await found('q=g-2'), [one.id])
    assert.deepEqual(await found("q=%25' or 1=1"), [])
    const seconds = Math.floor(Date.parse(boss.created_at) / 1000)
    assert.ok((await found(`created_at[gte]=${seconds}&created_at[lte]=${seconds}`)).includes(boss.id))
    assert.ok((await found(`updated_at[gte]=${encodeURIComponent(boss.updated_at)}`)).includes(boss.id))
    assert.deepEqual(await found(`created_at[gte]=${seconds + 86_400}`), [])
    assert.equal((await service.get('/employees?hired_on[gte]=2030-02-30')).status, 400)
    assert.equal((await service.get('/employees?created_at[gte]=soon')).status, 400)
  })

  test('of birthdays move 29 February to the 28th in common years and cross the new year', async () => {
    const leap = await hire({ date_of_birth: '2000-02-29' })
    const eve = await hire({ date_of_birth: '1999-12-31' })
    const early = await hire({ date_of_birth: '1980-01-02' })
    const on = async (gte: string, lte: string) =>
      ids(await service.get(`/employees/birthdays?date[gte]=${gte}&date[lte]=${lte}`))
    assert.deepEqual(await on('2037-02-28', '2037-02-28'), [leap.id])
    assert.deepEqual(await on('2037-03-01', '2037-03-01'), [])
    assert.deepEqual(await on('2036-02-28', '2036-02-28'), [])
    assert.deepEqual(await on('2036-02-29', '2036-02-29'), [leap.id])
    assert.deepEqual(await on('2036-12-30', '2037-01-05'), [eve.id, early.id])
    assert.deepEqual(await on('2036-12-30', '2036-12-31'), [eve.id])
    const year = await on('2036-06-15', '2037-06-14')
    for (const { id } of [leap, eve, early]) assert.ok(year.includes(id))
    assert.deepEqual(ids(await service.get('/employees/birthdays')), [])
  })

  test('of anniversaries contain returns of the hire date, not the hire date itself', async () => {
    const old = await hire({ hired_on: '2020-08-20' })
    const leap = await hire({ hired_on: '2024-02-29' })
    const fresh = await hire({ hired_on: '2036-08-20' })
    const on = async (gte: string, lte: string) =>
      ids(await service.get(`/employees/anniversaries?date[gte]=${gte}&date[lte]=${lte}`))
    assert.deepEqual(await on('2036-08-19', '2036-08-21'), [old.id])
    assert.deepEqual(await on('2037-08-20', '2037-08-20'), [old.id, fresh.id])
    assert.deepEqual(await on('2037-02-28', '2037-02-28'), [leap.id])
  })
})
