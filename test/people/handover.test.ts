import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, type Service, startService } from '../harness.ts'
import { oneEngineTest } from '../thorough.ts'

/** What somebody holds, and giving it to others. */

let service: Service
const now = new Date('2030-05-15T12:00:00Z')
const today = '2030-05-15'
const later = '2030-07-01'

before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

const person = async (first_name: string, values = {}): Promise<number> =>
  (await service.hire({ first_name, last_name: 'Person', hired_on: '2028-01-01', ...values })).id

let made = 0
/** Somebody who holds one or two records of nearly every kind. */
async function leaver() {
  const n = ++made
  const boss = await person(`Boss${n}`)
  const id = await person(`Leaver${n}`, { reporting_to_id: boss })
  const reports = [
    await person(`Report${n}a`, { reporting_to_id: id }),
    await person(`Report${n}b`, { reporting_to_id: id }),
  ] as [number, number]
  const successor = await person(`Successor${n}`)
  const member = await person(`Member${n}`)
  const team = await service.make('/teams', { name: `Team ${n}`, team_lead_id: id, user_ids: [successor, member] })
  const department = await service.make('/departments', { name: `Department ${n}`, manager_id: id })
  const location = await service.make('/locations', { name: `Location ${n}` })
  const category = await service.make('/asset_categories', { name: `Category ${n}`, icon: 'fas fa-laptop' })
  const asset = async (name: string) => {
    const { id: asset_id } = await service.make('/assets', {
      name,
      code: `${name}-${n}`,
      asset_category_id: category.id,
      location_id: location.id,
    })
    await service.make('/asset_assignments', { asset_id, user_id: id, issued_on: '2029-01-01' })
    return asset_id as number
  }
  const assets = [await asset('Laptop'), await asset('Phone')] as [number, number]
  const pipeline = await service.make('/recruitment/pipelines', { name: `Pipeline ${n}`, stages: ['Applied', 'Hired'] })
  const employmentType = await service.make('/employment_types', { name: `Type ${n}` })
  const vacancy = async (title: string, values: object) =>
    (
      await service.make('/recruitment/vacancies', {
        title,
        description: '<p>Work</p>',
        employment_type_id: employmentType.id,
        department_id: department.id,
        location_id: location.id,
        recruitment_pipeline_id: pipeline.id,
        ...values,
      })
    ).id as number
  const led = await vacancy('Led', { hiring_lead_user_id: id, state: 'opened' })
  const joined = await vacancy('Joined', { hiring_lead_user_id: boss, collaborator_ids: [id, member] })
  const doubled = await vacancy('Doubled', { hiring_lead_user_id: boss, collaborator_ids: [id, successor] })
  const task = await service.make('/tasks', { name: `Task ${n}`, employee_id: id })
  const done = await service.make('/tasks', { name: `Done ${n}`, employee_id: id })
  await service.put(`/tasks/${done.id}/complete`)
  const kind = await service.make('/leave_types', { name: `Leave ${n}` })
  const policy = await service.make('/leave_policies', { name: `Any ${n}`, leave_type_id: kind.id, type: 'manual' })
  for (const one of [id, reports[0]]) {
    const own = { leave_type_id: kind.id, leave_type_policy_id: policy.id, effective_on: '2028-01-01' }
    await service.make(`/employees/${one}/leave_types`, own)
    await service.put(`/employees/${one}/update_leave_balance`, { leave_type_id: kind.id, balance: '30' })
  }
  const leave = (employee_id: number, starts_on: string, ends_on: string) =>
    service.make('/leave_requests', { employee_id, leave_type_id: kind.id, starts_on, ends_on })
  const ahead = await leave(id, '2030-08-05', '2030-08-09')
  const waiting = await leave(reports[0], '2030-06-03', '2030-06-04')
  return {
    ...{ n, id, boss, reports, successor, member, assets, led, joined, doubled },
    ...{ team: team.id, department: department.id, task: task.id, ahead: ahead.id, waiting: waiting.id },
  }
}

const held = async (id: number, on?: string, sending = {}) => {
  const { status, body, text } = await service.get(`/employees/${id}/handover${on ? `?on=${on}` : ''}`, sending)
  assert.equal(status, 200, text)
  return body as {
    data: { kind: string; total: number; records: any[] }[]
    metadata: { on: string; omitted: string[] }
  }
}
const idsHeld = ({ data }: Awaited<ReturnType<typeof held>>) =>
  Object.fromEntries(
    data.filter(({ total }) => total > 0).map(({ kind, records }) => [kind, records.map((one) => one.id)]),
  )
const give = (id: number, assignments: object[], values: object = {}, sending = {}) =>
  service.post(`/employees/${id}/handover`, { assignments, ...values }, sending)
const errorsOf = ({ body }: Answer) => (body.errors ?? []).map(({ field, code }: any) => [field, code])
const managerOn = async (id: number, day: string) =>
  (await service.get(`/employees/${id}?as_of=${day}`)).body.data.reporting_to?.id ?? null

describe('the list of what an employee holds', () => {
  test('names everything by kind, with what the employee is there', async () => {
    const one = await leaver()
    const list = await held(one.id)
    assert.deepEqual(idsHeld(list), {
      direct_reports: one.reports,
      departments: [one.department],
      teams: [one.team],
      vacancies: [one.led],
      vacancy_collaborators: [one.joined, one.doubled],
      tasks: [one.task],
      leave_approvals: [one.waiting],
      leave_requests: [one.ahead],
      assets: one.assets,
    })
    assert.deepEqual(list.metadata, { on: today, omitted: [] })
    const of = (kind: string) => list.data.find((group) => group.kind === kind)
    assert.deepEqual(of('direct_reports')?.records[0], {
      id: one.reports[0],
      name: `Report${one.n}a Person`,
      role: 'manager',
      state: null,
      starts_on: '2028-01-01',
      ends_on: null,
    })
    assert.deepEqual(
      [of('assets')?.records[0].name, of('leave_requests')?.records[0].state, of('vacancies')?.records[0].role],
      [`Laptop (Laptop-${one.n})`, 'pending', 'hiring_lead'],
    )
    assert.equal((await service.get('/employees/987654/handover')).status, 404)
    assert.equal((await service.get(`/employees/${one.id}/handover?on=soon`)).status, 400)
  })

  oneEngineTest('follows the date: planned managers, planned returns, and leave that is over by then', async () => {
    const one = await leaver()
    const [first, second] = one.reports
    await service.make(`/employees/${first}/positions`, { effective_from: later, reporting_to_id: one.boss })
    const starter = await person('Starter', { hired_on: '2030-09-01', reporting_to_id: one.id })
    await service.put(`/tasks/${one.task}/complete`)
    const [assignment] = (await service.get(`/asset_assignments?asset_id=${one.assets[0]}`)).body.data
    await service.post(`/asset_assignments/${assignment.id}/return`, { returned_on: '2030-06-30' })
    const then = idsHeld(await held(one.id, '2030-08-10'))
    assert.deepEqual(
      [then.direct_reports, then.assets, then.leave_requests, then.tasks],
      [[second, starter], [one.assets[1]], undefined, undefined],
    )
    assert.deepEqual(idsHeld(await held(one.id)).direct_reports, [first, second, starter])
  })

  test('lists open review answers, the login and API keys, which end by themselves', async () => {
    const id = await person('Writer')
    const about = await person('Reviewed')
    const dates = { starts_on: '2030-04-01', ends_on: '2030-12-31' }
    const cycle = await service.make('/performance/review_cycles', { name: 'Spring', ...dates })
    const path = `/performance/review_cycles/${cycle.id}`
    await service.make(`${path}/questions`, { type: 'text', title: 'What went well?' })
    const review = await service.make(`${path}/reviews`, { employee_id: about })
    const participants = `${path}/reviews/${review.id}/review_participants`
    const participant = await service.make(participants, { employee_id: id, type: 'peer' })
    const key = await service.make('/api_keys', { name: 'Own', permissions: ['employees:read'], employee_id: id })
    const user = await service.make('/users', { name: 'Writer', email: 'writer@example.com', employee_id: id })
    assert.equal((await service.post(`${path}/open`)).status, 200)
    const list = await held(id)
    const of = (kind: string) => list.data.find((group) => group.kind === kind) as any
    assert.deepEqual([of('api_keys').records[0].id, of('sign_in').records[0].id], [key.id, user.id])
    assert.deepEqual([of('api_keys').otherwise, of('sign_in').otherwise], ['ends', 'ends'])
    const { id: written, name, role } = of('review_answers').records[0]
    assert.deepEqual([written, name, role], [participant.id, 'Reviewed Person, Spring', 'peer'])
    // They end with the employment.
    const ended = await service.post(`/employees/${id}/terminate`, { effective_from: today })
    assert.equal(ended.status, 200)
    assert.equal((await service.get('/employees', { key: key.key })).status, 401)
    await service.delete(`/api_keys/${key.id}`)
    assert.equal(idsHeld(await held(id)).api_keys, undefined)
  })
})

describe('handing over', () => {
  test('gives every kind to others, all or nothing, and one undo takes all of it back', async () => {
    const one = await leaver()
    const { id, successor, boss, reports } = one
    const [first, second] = reports
    const before = await held(id)
    const assignments = [
      { kind: 'direct_reports', ids: [first], to_employee_id: boss },
      { kind: 'direct_reports', all: true, to_employee_id: first },
      ...['teams', 'departments', 'vacancies', 'vacancy_collaborators', 'tasks', 'assets'].map((kind) => ({
        kind,
        all: true,
        to_employee_id: successor,
      })),
    ]
    const tried = await give(id, assignments, {}, { headers: { prefer: 'dry-run' } })
    assert.equal(tried.status, 200, tried.text)
    const changed = new Set(tried.body.changes.map(({ resource }: any) => resource))
    for (const resource of ['employee_positions', 'teams', 'departments', 'vacancies', 'tasks', 'asset_assignments'])
      assert.ok(changed.has(resource), resource)
    assert.deepEqual(await held(id), before)

    const done = await give(id, assignments)
    assert.equal(done.status, 200, done.text)
    const { data } = done.body
    assert.deepEqual(
      data.given.map(({ kind, ids, to_employee_id, applies_from }: any) => [kind, ids, to_employee_id, applies_from]),
      [
        ['direct_reports', [first], boss, today],
        ['direct_reports', [second], first, today],
        ['teams', [one.team], successor, today],
        ['departments', [one.department], successor, today],
        ['vacancies', [one.led], successor, today],
        ['vacancy_collaborators', [one.joined, one.doubled], successor, today],
        ['tasks', [one.task], successor, today],
        ['assets', one.assets, successor, today],
      ],
    )
    assert.equal(data.handover.direct_reports, 0)
    // Approvals follow the reporting lines; leave stays with the person.
    assert.deepEqual(idsHeld(await held(id)), { leave_requests: [one.ahead] })
    assert.deepEqual(idsHeld(await held(boss)).leave_approvals, [one.ahead, one.waiting])
    assert.deepEqual([await managerOn(first, today), await managerOn(second, today)], [boss, first])
    const team = (await service.get(`/teams/${one.team}`)).body.data
    assert.deepEqual([team.team_lead.id, team.team_members.map((each: any) => each.user.id)], [successor, [one.member]])
    const doubled = (await service.get(`/recruitment/vacancies/${one.doubled}`)).body.data
    assert.deepEqual(
      doubled.collaborators.map((each: any) => each.id),
      [successor],
    )
    assert.equal((await service.get(`/assets/${one.assets[0]}`)).body.data.holder.id, successor)

    const undone = await service.post(`/requests/${done.headers.get('x-request-id')}/undo`)
    assert.equal(undone.status, 200, undone.text)
    assert.deepEqual(await held(id), before)
  })

  oneEngineTest(
    'plans reporting lines and assets for a future date, and changes records without dates only if asked to',
    async () => {
      const one = await leaver()
      const { id, successor, reports } = one
      const [first, second] = reports
      // A planned entry that names the leaver too must not bring the old manager back.
      await service.make(`/employees/${first}/positions`, { effective_from: '2030-10-01', reporting_to_id: one.boss })
      await service.make(`/employees/${first}/positions`, { effective_from: '2030-12-01', reporting_to_id: id })
      const starter = await person('Starter', { hired_on: '2030-09-01', reporting_to_id: id })
      const dated = [
        { kind: 'direct_reports', all: true, to_employee_id: successor },
        { kind: 'assets', ids: [one.assets[0]], to_employee_id: successor },
      ]
      const refused = await give(id, [...dated, { kind: 'teams', all: true, to_employee_id: successor }], { on: later })
      assert.deepEqual([refused.status, errorsOf(refused)], [422, [['assignments[2].at_once', 'required']]])
      assert.equal(await managerOn(second, later), id)

      const sent = [...dated, { kind: 'teams', all: true, at_once: true, to_employee_id: successor }]
      const done = await give(id, sent, { on: later })
      assert.equal(done.status, 200, done.text)
      assert.deepEqual(
        done.body.data.given.map(({ kind, applies_from }: any) => [kind, applies_from]),
        [
          ['direct_reports', later],
          ['assets', later],
          ['teams', today],
        ],
      )
      assert.deepEqual(
        await Promise.all(['2030-06-30', later, '2030-10-15', '2030-12-15'].map((day) => managerOn(first, day))),
        [id, successor, one.boss, successor],
      )
      assert.deepEqual([await managerOn(second, '2030-06-30'), await managerOn(second, later)], [id, successor])
      assert.equal(await managerOn(starter, '2030-09-01'), successor)
      const holderOn = async (day: string) =>
        (await service.get(`/assets/${one.assets[0]}?on=${day}`)).body.data.holder?.id
      assert.deepEqual([await holderOn('2030-06-30'), await holderOn(later)], [id, successor])
      assert.deepEqual(idsHeld(await held(id, later)).direct_reports, undefined)
    },
  )

  oneEngineTest('asks somebody to collect the assets: one task each, due on the last day', async () => {
    const one = await leaver()
    await service.post(`/employees/${one.id}/terminate`, { effective_from: later })
    const sent = [{ kind: 'assets', all: true, return_to: one.boss }]
    const done = await give(one.id, sent, { on: later })
    assert.equal(done.status, 200, done.text)
    const [{ ids, return_to, to_employee_id, task_ids }] = done.body.data.given
    assert.deepEqual([ids, return_to, to_employee_id, task_ids.length], [one.assets, one.boss, null, 2])
    const task = (await service.get(`/tasks/${task_ids[0]}`)).body.data
    assert.deepEqual(
      [task.title, task.type, task.ends_on, task.assigned_to.id, task.associated_to.id],
      [`Collect Laptop (Laptop-${one.n})`, 'offboarding', '2030-06-30', one.boss, one.id],
    )
    // Until it is collected, the leaver has it.
    assert.equal(idsHeld(await held(one.id)).assets?.length, 2)
    const named = { kind: 'assets', ids: [one.assets[1]], return_to: one.boss, task_name: '{asset} abholen' }
    const again = (await give(one.id, [named])).body.data.given[0].task_ids
    assert.equal((await service.get(`/tasks/${again[0]}`)).body.data.title, `Phone (Phone-${one.n}) abholen`)
  })

  oneEngineTest('refuses what cannot be given, and names the field', async () => {
    const one = await leaver()
    const { id, successor } = one
    const gone = await person('Gone')
    await service.post(`/employees/${gone}/terminate`, { effective_from: '2030-06-01' })
    const erased = await person('Erased')
    await service.make('/teams', { name: 'Of the erased', team_lead_id: erased })
    assert.equal((await service.delete(`/employees/${erased}?erase=true`)).status, 204)
    const all = (await service.get('/employees?status=all&per_page=200&q=ERASED')).body.data
    const placeholder = all.find((each: any) => each.employee_number === 'ERASED')
    const to = { to_employee_id: successor }
    const cases: [object[], [string, string][], object?][] = [
      [[], [['assignments', 'too_few']]],
      [[{ kind: 'nothing', all: true, ...to }], [['assignments[0].kind', 'not_allowed']]],
      [[{ kind: 'leave_requests', all: true, ...to }], [['assignments[0].kind', 'not_allowed']]],
      [[{ kind: 'tasks', all: true }], [['assignments[0].to_employee_id', 'required']]],
      [[{ kind: 'tasks', ...to }], [['assignments[0].ids', 'required']]],
      [[{ kind: 'tasks', all: true, ids: [one.task], ...to }], [['assignments[0].ids', 'not_allowed']]],
      [[{ kind: 'tasks', ids: [], ...to }], [['assignments[0].ids', 'too_few']]],
      [[{ kind: 'tasks', all: true, to_employee_id: id }], [['assignments[0].to_employee_id', 'not_allowed']]],
      [[{ kind: 'tasks', all: true, to_employee_id: 987_654 }], [['assignments[0].to_employee_id', 'not_found']]],
      [
        [{ kind: 'direct_reports', all: true, to_employee_id: gone }],
        [['assignments[0].to_employee_id', 'terminated']],
        { on: later },
      ],
      [
        [{ kind: 'tasks', all: true, to_employee_id: placeholder.id }],
        [['assignments[0].to_employee_id', 'not_found']],
      ],
      [[{ kind: 'tasks', ids: [one.task, 987_654], ...to }], [['assignments[0].ids', 'not_found']]],
      [[{ kind: 'tasks', ids: [one.task, one.task], ...to }], [['assignments[0].ids', 'repeated']]],
      [
        [
          { kind: 'tasks', ids: [one.task], ...to },
          { kind: 'tasks', ids: [one.task], to_employee_id: one.boss },
        ],
        [['assignments[1].ids', 'repeated']],
      ],
      [
        [
          { kind: 'tasks', all: true, ...to },
          { kind: 'tasks', all: true, to_employee_id: one.boss },
        ],
        [['assignments[1].all', 'repeated']],
      ],
      [[{ kind: 'tasks', all: true, return_to: successor }], [['assignments[0].return_to', 'not_allowed']]],
      [
        [{ kind: 'direct_reports', all: true, to_employee_id: one.reports[0] }],
        [['assignments[0].to_employee_id', 'cycle']],
      ],
    ]
    const before = await held(id)
    for (const [assignments, errors, values] of cases) {
      const answer = await give(id, [...assignments], values)
      assert.deepEqual([answer.status, errorsOf(answer)], [422, errors], answer.text)
    }
    // What is sound beside it is not given either.
    const mixed = [
      { kind: 'teams', all: true, ...to },
      { kind: 'direct_reports', all: true, to_employee_id: one.reports[0] },
    ]
    assert.equal((await give(id, mixed)).status, 422)
    assert.deepEqual(await held(id), before)
    assert.equal((await give(placeholder.id, [{ kind: 'tasks', all: true, ...to }])).status, 409)
    assert.equal((await give(987_654, [{ kind: 'tasks', all: true, ...to }])).status, 404)
  })
})

describe('rights', () => {
  test('a caller sees the kinds that they may read, and the others are named', async () => {
    const one = await leaver()
    const key = await service.keyWith({ permissions: ['employees:read', 'tasks:read'] })
    const seen = await held(one.id, undefined, { key })
    assert.deepEqual(
      seen.data.map(({ kind }) => kind),
      ['direct_reports', 'tasks'],
    )
    assert.deepEqual(seen.metadata.omitted.includes('assets'), true)
    const counted = await service.keyWith({ permissions: ['employees:*', 'assets:read'] })
    const ended = await service.post(`/employees/${one.id}/terminate`, { effective_from: later }, { key: counted })
    assert.deepEqual([ended.status, ended.body.handover], [200, { direct_reports: 2, assets: 2 }])
    assert.equal(ended.body.data.termination_effective_on, later)
  })

  test('giving a kind takes the permission that changing such a record takes', async () => {
    const one = await leaver()
    const to = { to_employee_id: one.successor }
    const key = await service.keyWith({ permissions: ['employees:*', 'tasks:*', 'assets:read'] })
    const try_ = async (kind: string, more: object = to) =>
      (await give(one.id, [{ kind, all: true, ...more }], {}, { key })).status
    assert.deepEqual(
      [await try_('teams'), await try_('departments'), await try_('vacancies'), await try_('assets')],
      [403, 403, 403, 403],
    )
    assert.equal(await try_('assets', { return_to: one.boss }), 200)
    assert.deepEqual([await try_('direct_reports'), await try_('tasks')], [200, 200])
    const reader = await service.keyWith({ permissions: ['employees:read', 'tasks:*'] })
    assert.equal((await give(one.id, [{ kind: 'tasks', all: true, ...to }], {}, { key: reader })).status, 403)
  })

  test('a manager lists and hands over within their role, and others look like unknown ids', async () => {
    const one = await leaver()
    const grants = [
      {
        scope: 'reports',
        permissions: ['employees:read', 'employees:write', 'tasks:read', 'tasks:write', 'teams:write'],
        sees: ['planned'],
      },
      { scope: 'self', permissions: ['leave:read'], sees: [] },
    ]
    const role = await service.make('/roles', { name: `Managing ${one.n}`, grants })
    const rights = { name: 'Key', permissions: ['*'], employee_id: one.boss, role_ids: [role.id] }
    const { key } = await service.make('/api_keys', rights)
    const seen = await held(one.id, undefined, { key })
    assert.deepEqual(idsHeld(seen), { direct_reports: one.reports, tasks: [one.task] })
    // Their own leave is all that they may read: that of others is left out, not empty.
    assert.ok(seen.metadata.omitted.includes('leave_requests') && !seen.metadata.omitted.includes('tasks'))
    assert.equal((await service.get(`/employees/${one.successor}/handover`, { key })).status, 404)
    const to = (to_employee_id: number) => [{ kind: 'tasks', all: true, to_employee_id }]
    assert.equal((await give(one.successor, to(one.reports[0]), {}, { key })).status, 404)
    const outside = await give(one.id, to(one.successor), {}, { key })
    assert.deepEqual([outside.status, errorsOf(outside)], [422, [['assignments[0].to_employee_id', 'not_found']]])
    // A team is about nobody: changing it takes the permission for everybody.
    const team = { kind: 'teams', all: true, to_employee_id: one.reports[0] }
    assert.equal((await give(one.id, [team], {}, { key })).status, 403)
    assert.equal((await service.get(`/teams/${one.team}`)).body.data.team_lead.id, one.id)
    const inside = await give(one.id, to(one.reports[0]), {}, { key })
    assert.equal(inside.status, 200, inside.text)
  })

  test('who may not see plans can neither see nor plan a future manager', async () => {
    const one = await leaver()
    await service
      .make('/employees', {
        ...{ first_name: 'Planned', last_name: 'Report', hired_on: '2028-01-01' },
      })
      .then(({ id }) => service.make(`/employees/${id}/positions`, { effective_from: later, reporting_to_id: one.id }))
    const key = await service.keyWith({ permissions: ['*'], withheld: ['planned'] })
    assert.deepEqual(idsHeld(await held(one.id, undefined, { key })).direct_reports, one.reports)
    assert.equal(idsHeld(await held(one.id)).direct_reports?.length, 3)
    const sent = [{ kind: 'direct_reports', all: true, to_employee_id: one.successor }]
    assert.equal((await give(one.id, sent, { on: later }, { key })).status, 403)
  })
})

test('a task that the caller can only read cannot be handed over', async () => {
  const one = await leaver()
  const self = await person('Taker')
  const grants = [
    { scope: 'everybody', permissions: ['employees:read', 'employees:write', 'tasks:read'], sees: ['planned'] },
    { scope: 'self', permissions: ['tasks:write'], sees: [] },
  ]
  const role = await service.make('/roles', { name: `Reading ${one.n}`, grants })
  const rights = { name: 'Reader', permissions: ['*'], employee_id: self, role_ids: [role.id] }
  const { key } = await service.make('/api_keys', rights)
  assert.equal((await service.get(`/tasks/${one.task}`, { key })).status, 200)
  assert.equal((await service.put(`/tasks/${one.task}`, { name: 'Mine' }, { key })).status, 404)
  const named = await give(one.id, [{ kind: 'tasks', ids: [one.task], to_employee_id: self }], {}, { key })
  assert.deepEqual([named.status, errorsOf(named)], [422, [['assignments[0].ids', 'not_found']]])
  await give(one.id, [{ kind: 'tasks', all: true, to_employee_id: self }], {}, { key })
  assert.deepEqual(idsHeld(await held(one.id)).tasks, [one.task])
})

oneEngineTest('terminating says what is left to hand over, with zero for what is not', async () => {
  const one = await leaver()
  const { status, body } = await service.post(`/employees/${one.id}/terminate`, { effective_from: later })
  assert.equal(status, 200)
  const { direct_reports, teams, departments, assets, review_answers, leave_requests } = body.handover
  assert.deepEqual([direct_reports, teams, departments, assets, review_answers], [2, 1, 1, 2, 0])
  // Leave after the employment, which the termination removes.
  assert.equal(leave_requests, 1)
})

test('a long list is cut off, with its total, and is given in parts', async () => {
  const [id, successor] = [await person('Busy'), await person('Fresh')]
  for (let n = 0; n < 103; n++) await service.make('/tasks', { name: `Task ${n}`, employee_id: id })
  const all = (await service.get(`/tasks?employee_id=${id}&sort=id&per_page=200`)).body.data
  const last = all.at(-1).id
  const one = await give(id, [{ kind: 'tasks', ids: [last], to_employee_id: successor }])
  assert.deepEqual([one.status, one.body.data.given[0].ids], [200, [last]])
  const tasks = (await held(id)).data.find(({ kind }) => kind === 'tasks')
  assert.deepEqual([tasks?.total, tasks?.records.length], [102, 100])
  const done = await give(id, [{ kind: 'tasks', all: true, to_employee_id: successor }])
  assert.equal(done.body.data.given[0].ids.length, 102)
})
