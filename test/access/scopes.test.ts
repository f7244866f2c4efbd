import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, type Service, startService } from '../harness.ts'

/** What people with roles reach: the same through every operation, of whichever kind. */

let service: Service
const now = new Date('2030-05-15T12:00:00Z')

type Person = { id: number; key: string }
let boss: Person
let manager: Person
let report: Person
let below: Person
let peer: Person
let hr: Person
let lead: Person
const roleIds = new Map<string, number>()

const keyOf = async (employee_id: number | null, ...roles: string[]) =>
  (
    await service.make('/api_keys', {
      name: 'Key',
      permissions: ['*'],
      employee_id,
      role_ids: roles.map((name) => roleIds.get(name)),
    })
  ).key as string

async function person(first_name: string, reporting_to_id: number | null, ...roles: string[]): Promise<Person> {
  const { id } = await service.hire({
    first_name,
    last_name: `Of${first_name}`,
    email: `${first_name.toLowerCase()}@scopes.example`,
    reporting_to_id,
    hired_on: '2028-01-01',
    date_of_birth: '1990-02-03',
  })
  await service.make(`/employees/${id}/salaries`, {
    effective_on: '2028-01-01',
    amount: 4_000 + id,
    currency_code: 'EUR',
    per: 'month',
    comment: `Pay of ${first_name}`,
  })
  await service.make(`/employees/${id}/notes`, { body: `Remark on ${first_name}` })
  return { id, key: await keyOf(id, ...roles) }
}

before(async () => {
  service = await startService({ clock: () => now })
  for (const { id, standard } of (await service.get('/roles')).body.data) roleIds.set(standard, id)
  boss = await person('Boss', null, 'employee')
  manager = await person('Manager', boss.id, 'manager', 'employee')
  report = await person('Report', manager.id, 'employee')
  below = await person('Below', report.id, 'employee')
  peer = await person('Peer', boss.id, 'employee')
  hr = await person('Human', boss.id, 'hr', 'employee')
  lead = await person('Lead', boss.id, 'hiring_manager', 'employee')
})
after(() => service.stop())

const idsIn = ({ body }: Answer) => body.data.map(({ id }: { id: number }) => id)
const all = () => [boss, manager, report, below, peer, hr, lead].map(({ id }) => id)

describe('access scope', () => {
  test('covers oneself, everybody below, or everybody; other people look like unknown ids', async () => {
    const reached: [Person, number[]][] = [
      [report, [report.id]],
      [manager, [manager.id, report.id, below.id]],
      [hr, all()],
    ]
    for (const [{ key }, ids] of reached) {
      const list = await service.get('/employees?per_page=200', { key })
      assert.deepEqual([idsIn(list), list.body.metadata.count], [ids, ids.length])
      for (const id of all()) {
        const seen = ids.includes(id)
        for (const path of [`/employees/${id}`, `/employees/${id}/positions`, `/employees/${id}/educations`])
          assert.equal((await service.get(path, { key })).status, seen ? 200 : 404, path)
        assert.equal((await service.get(`/employees?q=of${id}`, { key })).status, 200)
      }
    }
    const unknown = await service.get('/employees/987654', { key: report.key })
    const other = await service.get(`/employees/${peer.id}`, { key: report.key })
    const said = ({ status, body }: Answer) => [status, { ...body, request_id: '' }]
    assert.deepEqual(said(other), said(unknown))
  })

  test('filters, sorting and counts reveal nothing about people outside the scope', async () => {
    for (const query of [
      'q=peer',
      'q=ofpeer',
      'email=peer@scopes.example',
      `manager_id=${boss.id}`,
      'hired_on[gte]=2027-01-01',
      'sort=-last_name',
      'status=all',
    ]) {
      const answer = await service.get(`/employees?${query}`, { key: report.key })
      assert.equal(answer.status, 200, query)
      for (const id of idsIn(answer)) assert.equal(id, report.id, query)
      assert.ok(answer.body.metadata.count <= 1, query)
    }
  })

  test('visible fields depend on the grant that covers the person: managers see only their own pay', async () => {
    const list = (await service.get('/employees', { key: manager.key })).body.data
    const [own, theirs] = [manager, report].map(({ id }) => list.find((one: any) => one.id === id))
    assert.equal(own.date_of_birth, '1990-02-03')
    assert.ok(!('date_of_birth' in theirs))
    const pay = async (id: number) => service.get(`/employees/${id}/salaries`, { key: manager.key })
    assert.equal((await pay(manager.id)).body.data.length, 1)
    const cut = await pay(report.id)
    assert.deepEqual([cut.body.data, cut.headers.get('cadre-omitted')], [[], 'compensation, planned'])
    assert.equal((await service.get(`/employees/${report.id}/notes`, { key: manager.key })).body.data.length, 1)
    assert.equal((await service.get(`/employees/${report.id}/dependents`, { key: manager.key })).body.data.length, 0)
    for (const query of ['sort=date_of_birth', 'sort=-date_of_birth']) {
      const { status, body } = await service.get(`/employees?${query}`, { key: manager.key })
      if (status === 200) assert.ok(body.data.filter((one: any) => 'date_of_birth' in one).length <= 1)
    }
  })

  test('responses never contain data that the reader may not see', async () => {
    const paths = [
      '/employees?status=all',
      '/employees/birthdays',
      '/employees/anniversaries',
      '/leave_requests',
      '/tasks',
    ]
    for (const id of all())
      for (const part of [
        '',
        '/salaries',
        '/notes',
        '/positions',
        '/documents',
        '/dependents',
        '/skills',
        '/assets',
        '/tasks',
      ])
        paths.push(`/employees/${id}${part}`)
    for (const path of paths) {
      const { text } = await service.get(path, { key: report.key })
      assert.doesNotMatch(text, /Pay of (?!Report)|Remark on (?!Report)/, path)
      const forManager = (await service.get(path, { key: manager.key })).text
      assert.doesNotMatch(forManager, /Pay of (?!Manager)|Remark on (?!Manager|Report|Below)/, path)
    }
  })

  test('the org chart of a past date needs access to everybody, and future dates show today', async () => {
    for (const { key } of [report, manager, lead]) {
      assert.equal((await service.get('/org_chart', { key })).status, 200)
      assert.equal((await service.get('/org_chart?as_of=2029-06-15', { key })).status, 403)
      const later = await service.get('/org_chart?as_of=2039-06-15', { key })
      assert.equal(later.body.data.as_of, now.toISOString().slice(0, 10), 'what is to come is not told')
    }
    assert.equal((await service.get('/org_chart?as_of=2030-06-15', { key: hr.key })).status, 200)
  })

  test('references show the names of people outside the scope', async () => {
    const { body } = await service.get(`/employees/${report.id}`, { key: report.key })
    assert.equal(body.data.reporting_to.first_name, 'Manager')
  })

  test('ends when a person moves to another manager', async () => {
    const { id } = await person('Mover', manager.id, 'employee')
    assert.equal((await service.get(`/employees/${id}`, { key: manager.key })).status, 200)
    await service.put(`/employees/${id}`, { reporting_to_id: peer.id })
    assert.equal((await service.get(`/employees/${id}`, { key: manager.key })).status, 404)
  })

  test('of a department includes its sub-departments; of a location includes that location only', async () => {
    const above = await service.make('/departments', { name: 'Above' })
    const inside = await service.make('/departments', { name: 'Inside', parent_id: above.id })
    const place = await service.make('/locations', { name: 'Place', country_code: 'DE', time_zone: 'Europe/Berlin' })
    const [one, other, third] = [
      await service.hire({ department_id: above.id }),
      await service.hire({ department_id: inside.id }),
      await service.hire({ location_id: place.id }),
    ]
    const role = async (grant: object) =>
      (
        await service.make('/roles', {
          name: `Role ${JSON.stringify(grant)}`,
          grants: [{ permissions: ['employees:read'], ...grant }],
        })
      ).id
    const keyWith = async (id: number) =>
      (await service.make('/api_keys', { name: 'Place', permissions: ['employees:read'], role_ids: [id] })).key
    const departmental = await keyWith(await role({ scope: 'department', department_id: above.id }))
    const local = await keyWith(await role({ scope: 'location', location_id: place.id }))
    assert.deepEqual(idsIn(await service.get('/employees', { key: departmental })), [one.id, other.id])
    assert.deepEqual(idsIn(await service.get('/employees', { key: local })), [third.id])
  })
})

describe('actions', () => {
  test('are limited to people in the access scope, however a request names them', async () => {
    const status = async (way: Promise<Answer>) => (await way).status
    const { key } = report
    for (const way of [
      service.put(`/employees/${peer.id}`, { first_name: 'No' }, { key }),
      service.put(`/employees/${report.id}`, { first_name: 'No' }, { key }),
      service.post(
        `/employees/${report.id}/salaries`,
        { effective_on: '2030-01-01', amount: 1, currency_code: 'EUR', per: 'month' },
        { key },
      ),
      service.post('/departments', { name: 'Mine' }, { key }),
      service.post('/leave_types', { name: 'Mine' }, { key }),
      service.post('/api_keys', { name: 'Mine', permissions: ['*'] }, { key }),
      service.post('/users', { name: 'Me', email: 'me@scopes.example' }, { key }),
    ])
      assert.equal(await status(way), 403)
    assert.equal((await service.get(`/employees/${report.id}`)).body.data.first_name, 'Report')
    const task = (employee_id: number, key: string) => service.post('/tasks', { name: 'Do it', employee_id }, { key })
    assert.equal(await status(task(report.id, report.key)), 201)
    assert.equal(await status(task(below.id, manager.key)), 201)
    const others = await task(peer.id, manager.key)
    assert.deepEqual(
      [others.status, others.body.errors[0].field, others.body.errors[0].code],
      [422, 'employee_id', 'not_found'],
    )
    const theirs = await service.make('/tasks', { name: 'Theirs', employee_id: peer.id })
    for (const way of [
      service.get(`/tasks/${theirs.id}`, { key: manager.key }),
      service.put(`/tasks/${theirs.id}`, { name: 'Mine' }, { key: manager.key }),
      service.put(`/tasks/${theirs.id}/complete`, {}, { key: manager.key }),
      service.delete(`/tasks/${theirs.id}`, { key: manager.key }),
    ])
      assert.equal(await status(way), 404)
    // Handed on to somebody whom one does not reach, it would be a way to write there.
    const own = await service.make('/tasks', { name: 'Own', employee_id: below.id })
    assert.equal(await status(service.put(`/tasks/${own.id}`, { employee_id: peer.id }, { key: manager.key })), 422)
  })

  test('employees request their own leave, and their managers decide it', async () => {
    const type = await service.make('/leave_types', { name: 'Holiday', tracking_time_in: 'days' })
    const policy = await service.make('/leave_policies', { name: 'Usual', leave_type_id: type.id, type: 'external' })
    for (const { id } of [manager, report, peer])
      await service.make(`/employees/${id}/leave_types`, {
        leave_type_id: type.id,
        leave_type_policy_id: policy.id,
        effective_on: '2030-01-01',
      })
    const ask = (employee_id: number, key: string, more = {}) =>
      service.post(
        '/leave_requests',
        { employee_id, leave_type_id: type.id, starts_on: '2030-07-01', ends_on: '2030-07-02', ...more },
        { key },
      )
    const asked = await ask(report.id, report.key)
    assert.equal(asked.status, 201, asked.text)
    assert.equal(asked.body.data.approvals[0].assigned_to.full_name, 'Manager OfManager')
    assert.equal((await ask(peer.id, report.key)).status, 422)
    assert.equal(
      (await ask(report.id, report.key, { starts_on: '2030-08-01', ends_on: '2030-08-01', skip_approval: true }))
        .status,
      403,
    )
    const decide = async (verb: string, id: number, key: string) =>
      (await service.post(`/leave_requests/${id}/${verb}`, {}, { key })).status
    const { id } = asked.body.data
    assert.equal(await decide('approve', id, report.key), 403)
    assert.equal(await decide('approve', id, peer.key), 403)
    assert.equal(await decide('approve', id, manager.key), 200)
    const own = await ask(manager.id, manager.key)
    assert.equal(own.status, 201)
    assert.equal(await decide('approve', own.body.data.id, manager.key), 404)
    assert.equal(await decide('approve', own.body.data.id, hr.key), 200)
    const others = await ask(peer.id, service.key)
    assert.equal(await decide('approve', others.body.data.id, manager.key), 404)
    assert.deepEqual((await service.get('/leave_requests', { key: report.key })).body.data.length, 1)
    assert.equal(
      (
        await service.post(
          '/leave_adjustments',
          { employee_id: report.id, leave_type_id: type.id, amount: 5 },
          { key: report.key },
        )
      ).status,
      403,
    )
  })

  test('employees enter their own time, and others approve it', async () => {
    const enter = (employee_id: number, key: string, more = {}) =>
      service.post(
        '/time/timesheet_entries',
        { employee_id, starts_at: '2030-05-10T08:00:00Z', ends_at: '2030-05-10T09:00:00Z', ...more },
        { key },
      )
    assert.equal((await enter(report.id, report.key, { status: 'approved' })).status, 422)
    const entry = await enter(report.id, report.key)
    assert.equal(entry.status, 201, entry.text)
    const { id } = entry.body.data
    const approve = (key: string) => service.put(`/time/timesheet_entries/${id}`, { status: 'approved' }, { key })
    assert.equal((await approve(report.key)).status, 422)
    assert.equal((await enter(peer.id, report.key)).status, 422)
    const bulk = await service.send('DELETE', '/time/timesheet_entries/bulk', {
      json: { employee_ids: [report.id], starts_at: '2030-05-01T00:00:00Z' },
      key: peer.key,
    })
    assert.equal(bulk.status, 404)
    assert.equal((await service.get(`/time/timesheet_entries/${id}`)).status, 200)
  })

  test('company-wide records can be read with the permission, and written only by roles that cover everybody', async () => {
    const kpi = (key: string, user_id?: number) =>
      service.post(
        '/performance/key_performance_indicators',
        {
          title: 'Calls',
          metric: 'number',
          goal: 5,
          ...(user_id ? { kpi_type: 'individual', user_id } : { kpi_type: 'company' }),
        },
        { key },
      )
    const whole = await kpi(service.key)
    assert.equal(whole.status, 201, whole.text)
    const path = `/performance/key_performance_indicators/${whole.body.data.id}`
    for (const { key } of [manager, report]) assert.equal((await service.get(path, { key })).status, 200)
    assert.equal((await service.put(path, { title: 'Mine' }, { key: manager.key })).status, 404)
    assert.equal((await kpi(manager.key)).status, 403)
    assert.equal((await kpi(manager.key, report.id)).status, 201)
    assert.equal((await kpi(manager.key, peer.id)).status, 422)
  })

  test('employees submit their own week, and their manager approves it as a whole', async () => {
    const entries = await Promise.all(
      ['05-06', '05-07'].map((date) =>
        service.make('/time/timesheet_entries', {
          employee_id: report.id,
          starts_at: `2030-${date}T08:00:00Z`,
          ends_at: `2030-${date}T09:00:00Z`,
        }),
      ),
    )
    const timesheet_entry_ids = entries.map(({ id }) => id)
    const move = async (verb: string, key: string, ids = timesheet_entry_ids) =>
      (await service.post(`/time/timesheet_entries/${verb}`, { timesheet_entry_ids: ids }, { key })).status
    const unknown = await move('submit', peer.key, [987654])
    assert.equal(unknown, 422)
    assert.equal(await move('submit', peer.key), unknown)
    assert.equal(await move('approve', manager.key), 409)
    assert.equal(await move('submit', report.key), 200)
    assert.equal(await move('submit', report.key), 409)
    assert.equal(await move('approve', report.key), 403)
    assert.equal(await move('approve', manager.key, [...timesheet_entry_ids, 987654]), 422)
    assert.equal(await move('approve', manager.key), 200)
    for (const id of timesheet_entry_ids)
      assert.equal((await service.get(`/time/timesheet_entries/${id}`)).body.data.status, 'approved')
  })

  test('an ETag from a partly hidden response is valid for If-Match', async () => {
    const own = await service.make('/tasks', { name: 'Tagged', employee_id: report.id })
    const { headers } = await service.get(`/tasks/${own.id}`, { key: report.key })
    const answer = await service.put(
      `/tasks/${own.id}`,
      { name: 'Changed' },
      { key: report.key, headers: { 'if-match': headers.get('etag') as string } },
    )
    assert.equal(answer.status, 200, answer.text)
  })

  test('nobody grants permissions that they do not hold for everybody', async () => {
    const give = async (key: string, permissions: string[], scope = 'everybody', sees: string[] = []) =>
      (
        await service.post(
          '/roles',
          { name: `Given ${permissions} ${scope} ${sees}`, grants: [{ scope, permissions, sees }] },
          { key },
        )
      ).status
    assert.equal(await give(hr.key, ['employees:read'], 'everybody', ['compensation']), 201)
    assert.equal(await give(hr.key, ['leave:request'], 'self'), 201)
    assert.equal(await give(hr.key, ['*']), 403)
    assert.equal(await give(hr.key, ['keys:write'], 'self'), 403)
    const owner = await service.make('/users', {
      name: 'Own',
      email: 'own@scopes.example',
      role_ids: [roleIds.get('owner')],
    })
    assert.equal((await service.put(`/users/${owner.id}`, { name: 'Other' }, { key: hr.key })).status, 403)
    assert.equal((await service.delete(`/users/${owner.id}`, { key: hr.key })).status, 403)
    const mine = await service.post(
      '/users',
      { name: 'Up', email: 'up@scopes.example', role_ids: [roleIds.get('owner')] },
      { key: hr.key },
    )
    assert.equal(mine.status, 403)
  })
})

describe('resources that combine many kinds of records', () => {
  test('search finds everybody in the directory and links to the page the reader may open', async () => {
    const found = async ({ key }: Person) =>
      (await service.get('/search?q=of&kinds[]=person&per_kind=20', { key })).body.data.flatMap(
        ({ id, path }: { id: number; path: string }) => (all().includes(id) ? path : []),
      )
    const paths = (own: number[]) =>
      all()
        .map((id) => (own.includes(id) ? `/employees/${id}` : `/directory/${id}`))
        .sort()
    assert.deepEqual((await found(report)).sort(), paths([report.id]))
    assert.deepEqual((await found(manager)).sort(), paths([manager.id, report.id, below.id]))
    assert.deepEqual((await found(hr)).sort(), paths(all()))
    for (const path of await found(manager))
      assert.equal((await service.get(path, { key: manager.key })).status, 200, path)
  })

  test('reports count only the people the reader may read', async () => {
    const { id } = await service.make('/roles', {
      name: 'Figures',
      grants: [
        { permissions: ['reports:read'], scope: 'everybody' },
        { permissions: ['employees:read'], scope: 'reports' },
      ],
    })
    const { key } = await service.make('/api_keys', {
      name: 'Figures',
      permissions: ['*'],
      employee_id: manager.id,
      role_ids: [id],
    })
    const { body } = await service.get('/reports/headcount', { key })
    assert.equal(body.data.headcount.count, 2)
  })
})

describe('vacancies of a hiring team member', () => {
  test('are accessible with their candidates, and other vacancies are not', async () => {
    const [kind, department, place, pipeline] = [
      await service.make('/employment_types', { name: 'Full' }),
      await service.make('/departments', { name: 'Hiring' }),
      await service.make('/locations', { name: 'Office', country_code: 'DE', time_zone: 'Europe/Berlin' }),
      await service.make('/recruitment/pipelines', { name: 'Usual' }),
    ]
    const open = (title: string, hiring_lead_user_id: number) =>
      service.make('/recruitment/vacancies', {
        title,
        hiring_lead_user_id,
        state: 'opened',
        description: 'What there is to do',
        employment_type_id: kind.id,
        department_id: department.id,
        location_id: place.id,
        recruitment_pipeline_id: pipeline.id,
      })
    const [own, other] = [await open('Own', lead.id), await open('Other', peer.id)]
    const apply = async (vacancy_id: number, first_name: string) => {
      const candidate = await service.make('/recruitment/candidates', { full_name: `${first_name} Candidate` })
      const application = await service.make(`/recruitment/vacancies/${vacancy_id}/applications`, {
        applicant_id: candidate.id,
      })
      return { candidate, application }
    }
    const mine = await apply(own.id, 'Mine')
    const theirs = await apply(other.id, 'Theirs')
    await service.make('/recruitment/candidates', { full_name: 'Nowhere' })
    const { key } = lead
    assert.deepEqual(idsIn(await service.get('/recruitment/vacancies', { key })), [own.id])
    assert.deepEqual(idsIn(await service.get('/recruitment/candidates', { key })), [mine.candidate.id])
    assert.equal((await service.get(`/recruitment/candidates/${theirs.candidate.id}`, { key })).status, 404)
    assert.equal((await service.get(`/recruitment/vacancies/${other.id}/applications`, { key })).status, 404)
    const note = (id: number) => service.post(`/recruitment/candidates/${id}/notes`, { comment: 'Good' }, { key })
    assert.equal((await note(mine.candidate.id)).status, 200)
    assert.equal((await note(theirs.candidate.id)).status, 404)
  })
})
