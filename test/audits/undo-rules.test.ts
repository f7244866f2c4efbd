import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, type Service, startService } from '../harness.ts'
import { Samples } from '../samples.ts'

/** What an undo would break that others have built on since is refused; what follows from it is mended. */

let service: Service
let samples: Samples

before(async () => {
  service = await startService()
  samples = new Samples(service)
})
after(() => service.stop())

const undo = (answer: Answer) => service.post(`/requests/${answer.headers.get('x-request-id')}/undo`)

async function done(answer: Promise<Answer>): Promise<Answer> {
  const { status, text } = await answer
  assert.ok(status < 300, text)
  return answer
}

async function refused(answer: Promise<Answer>, status: number, words: RegExp): Promise<void> {
  const got = await answer
  assert.equal(got.status, status, got.text)
  assert.match(got.text, words)
}

let count = 0
const name = (what: string) => `${what} ${++count}`
const hire = (values = {}) => service.hire({ hired_on: '2020-01-01', ...values })
const leave = (id: number, day = '2021-01-01') =>
  done(service.post(`/employees/${id}/terminate`, { effective_from: day }))

describe('jobs', () => {
  const position = (id: number, values: object) => service.post(`/employees/${id}/positions`, values)

  test('undoing one job entry keeps the others adjacent', async () => {
    const { id } = await hire()
    const entries = async () =>
      (await service.get(`/employees/${id}?as_of=2022-06-01`)).body.data.department?.name ?? null
    const [a, b] = [
      await service.make('/departments', { name: name('A') }),
      await service.make('/departments', { name: name('B') }),
    ]
    const first = await done(position(id, { effective_from: '2021-01-01', department_id: a.id }))
    const second = await done(position(id, { effective_from: '2022-01-01', department_id: b.id }))
    assert.equal(await entries(), b.name)
    // The first was cut short by the second since: it still goes, and the second stays whole.
    const gone = await done(undo(first))
    assert.equal(await entries(), b.name)
    await done(undo(gone))
    await done(undo(second))
    assert.equal(await entries(), a.name)
    const rows = (await service.get(`/employees/${id}/positions`)).body.data
    assert.deepEqual(
      rows.map((row: any) => row.effective_from),
      ['2021-01-01'],
    )
  })

  test('undo never makes somebody their own manager, on any date', async () => {
    const [a, b] = [await hire(), await hire()]
    const under = await done(position(a.id, { effective_from: '2021-01-01', reporting_to_id: b.id }))
    const free = await done(
      service.put(`/employees/${a.id}/positions/${under.body.data.id}`, { reporting_to_id: null }),
    )
    await done(position(b.id, { effective_from: '2021-06-01', reporting_to_id: a.id }))
    await refused(undo(free), 409, /report to themselves/)
    const gone = await done(service.delete(`/employees/${a.id}/positions/${under.body.data.id}`))
    await done(undo(gone))
  })

  test('undo does not restore a manager who has left since, but keeps one who had left before', async () => {
    const [boss, other, person] = [await hire(), await hire(), await hire()]
    const entry = await done(position(person.id, { effective_from: '2022-01-01', reporting_to_id: boss.id }))
    const path = `/employees/${person.id}/positions/${entry.body.data.id}`
    const moved = await done(service.put(path, { reporting_to_id: other.id }))
    const left = await leave(boss.id)
    await refused(undo(moved), 422, /terminated/)
    await done(undo(left))
    await done(undo(moved))
    await leave(boss.id)
    const again = await done(service.put(path, { reporting_to_id: other.id }))
    await done(undo(again))
    assert.equal((await service.get(`/employees/${person.id}`)).body.data.reporting_to.id, boss.id)
  })

  test('undo does not move the hire date after the termination', async () => {
    const { id } = await hire({ hired_on: '2022-01-01' })
    const moved = await done(service.put(`/employees/${id}`, { hired_on: '2020-01-01' }))
    await leave(id, '2021-01-01')
    await refused(undo(moved), 422, /hired_on/)
  })

  test('undo reverts a hire date and the job entry moved with it together, and other changes alone', async () => {
    const { id: department_id } = await service.make('/departments', { name: name('Moved') })
    const { id: employment_type_id } = await service.make('/employment_types', { name: name('Moved') })
    const { id } = await hire({ hired_on: '2022-01-01', department_id, employment_type_id })
    const other = await hire({ hired_on: '2022-01-01' })
    const begins = async () => {
      const days = async (part: string) =>
        (await service.get(`/employees/${id}/${part}`)).body.data.map((one: any) => one.effective_from)
      const { hired_on } = (await service.get(`/employees/${id}`)).body.data
      return [hired_on, ...(await days('positions')), ...(await days('employment_statuses'))]
    }
    const [old, early] = [Array(3).fill('2022-01-01'), Array(3).fill('2021-01-01')]
    const undoOne = ({ number }: { number: number }, how = '') => service.post(`/changes/${number}/undo${how}`)
    const move = (more = {}) => done(service.put(`/employees/${id}`, { hired_on: '2021-01-01', ...more }))
    const parts = await feed(await move())
    assert.deepEqual(await begins(), early)
    for (const table of ['employees', 'employee_positions', 'employment_statuses']) {
      const half = parts.find(({ resource }) => resource === table)
      assert.ok(half, table)
      await refused(undoOne(half), 409, /whole request/)
      assert.deepEqual(await begins(), early)
      const back = await done(undoOne(half, '?request=true'))
      assert.deepEqual(await begins(), old)
      await refused(undoOne((await feed(back))[0] as { number: number }), 409, /whole request/)
      await done(undo(back))
    }
    await done(service.put(`/employees/${id}`, { hired_on: '2022-01-01' }))
    await done(undo(await move()))
    assert.deepEqual(await begins(), old)
    // What begins today has not moved.
    const since = await service.make('/departments', { name: name('Since') })
    const both = await move({ department_id: since.id, last_name: 'Moved' })
    const entries = await feed(both)
    const fresh = entries.find(({ resource, action }) => resource === 'employee_positions' && action === 'create')
    assert.ok(fresh)
    const gone = await done(undoOne(fresh))
    assert.deepEqual(await begins(), early)
    await done(undo(gone))
    await done(undo(both))
    assert.deepEqual(await begins(), old)
    // Of many, only what moved with the hiring of the same person belongs to it.
    const first = (await service.get(`/employees/${other.id}/positions`)).body.data
    for (const one of first) await done(service.delete(`/employees/${other.id}/positions/${one.id}`))
    const data = [id, other.id].map((one) => ({ id: one, hired_on: '2021-01-01' }))
    const many = await feed(await done(service.send('PATCH', '/employees/bulk', { json: { data } })))
    const alone = many.find(({ resource, record_id }) => resource === 'employees' && record_id === other.id)
    assert.ok(alone)
    await done(undoOne(alone))
    const together = many.find(({ resource, record_id }) => resource === 'employees' && record_id === id)
    assert.ok(together)
    await refused(undoOne(together), 409, /whole request/)
  })

  test('undo recomputes the end of probation from the policy that applies again', async () => {
    const policy = await service.make('/probation_policies', { name: name('Policy'), length: 30 })
    const { id } = await hire({ hired_on: '2026-01-01' })
    const status = await done(
      service.post(`/employees/${id}/employment_statuses`, {
        effective_from: '2026-01-01',
        probation_policy_id: policy.id,
      }),
    )
    const ends = async () => (await service.get(`/employees/${id}`)).body.data.probation_ends_on
    assert.equal(await ends(), '2026-01-30')
    // The entry alone, by its number: what followed from it goes with it.
    const first = (await feed(status)).find(({ resource }) => resource === 'employment_statuses')
    await done(service.post(`/changes/${first?.number}/undo`))
    assert.equal(await ends(), null)
  })
})

type Part = { number: number; resource: string; record_id: number; action: string }

/** The entries of a request. */
async function feed(answer: Answer): Promise<Part[]> {
  const rows = await service.database.read((sql) =>
    sql
      .selectFrom('ledger')
      .select(['no as number', 'resource', 'record_id', 'action'])
      .where('account_id', '=', service.account.id)
      .where('request_id', '=', answer.headers.get('x-request-id'))
      .orderBy('no')
      .execute(),
  )
  return rows as Part[]
}

describe('people in other records', () => {
  test('undo does not make a leaver team lead or assignee again', async () => {
    const [one, other] = [await hire(), await hire()]
    const team = await service.make('/teams', { name: name('Team'), team_lead_id: one.id })
    const task = await service.make('/tasks', { name: 'Order', employee_id: one.id })
    const changed = [
      await done(service.put(`/teams/${team.id}`, { team_lead_id: other.id })),
      await done(service.put(`/tasks/${task.id}`, { employee_id: other.id })),
    ]
    const deleted = await done(
      service.delete(`/tasks/${(await service.make('/tasks', { name: 'Pay', employee_id: one.id })).id}`),
    )
    await leave(one.id)
    for (const answer of [...changed, deleted]) await refused(undo(answer), 422, /terminated/)
  })

  test('undo does not make a team member also its lead', async () => {
    const [one, other] = [await hire(), await hire()]
    const team = await service.make('/teams', { name: name('Team'), team_lead_id: one.id })
    const moved = await done(service.put(`/teams/${team.id}`, { team_lead_id: other.id }))
    await done(service.post(`/teams/${team.id}/team_members`, { user_id: one.id }))
    await refused(undo(moved), 409, /lead/)
  })

  test('undo does not make a department its own ancestor', async () => {
    const [a, b] = [
      await service.make('/departments', { name: name('A') }),
      await service.make('/departments', { name: name('B') }),
    ]
    await done(service.put(`/departments/${a.id}`, { parent_id: b.id }))
    const free = await done(service.put(`/departments/${a.id}`, { parent_id: null }))
    await done(service.put(`/departments/${b.id}`, { parent_id: a.id }))
    await refused(undo(free), 422, /parent_id/)
  })

  test('undo does not assign an asset to two people at once', async () => {
    const { id: asset_id } = await samples.make('assets')
    const [one, other] = [await hire(), await hire()]
    const held = await service.make('/asset_assignments', { asset_id, user_id: one.id, issued_on: '2024-01-01' })
    const back = await done(service.post(`/asset_assignments/${held.id}/return`, { returned_on: '2024-02-01' }))
    await service.make('/asset_assignments', { asset_id, user_id: other.id, issued_on: '2024-03-01' })
    await refused(undo(back), 422, /overlap/)
  })

  test('an asset loss and the assignment it ended are undone only together', async () => {
    const { id: asset_id } = await samples.make('assets')
    const held = await service.make('/asset_assignments', {
      asset_id,
      user_id: (await hire()).id,
      issued_on: '2024-01-01',
    })
    const lost = await done(service.post(`/assets/${asset_id}/losses`, { lost_on: '2024-02-01' }))
    const parts = await feed(lost)
    for (const table of ['asset_losses', 'asset_assignments']) {
      const half = parts.find(({ resource }) => resource === table)
      await refused(service.post(`/changes/${half?.number}/undo`), 409, /whole request/)
    }
    await done(undo(lost))
    assert.equal((await service.get(`/asset_assignments/${held.id}`)).body.data.returned_on, null)
  })
})

describe('recruitment', () => {
  async function application() {
    const { id, params } = await samples.make('applications')
    const { data: vacancy } = (await service.get(`/recruitment/vacancies/${params.vacancy_id}`)).body
    const pipeline = (
      await service.get(`/recruitment/pipelines/${vacancy.recruitment_pipeline_id ?? vacancy.pipeline?.id}`)
    ).body
    return { id, vacancy, pipeline, path: `/recruitment/vacancies/${params.vacancy_id}/applications/${id}` }
  }

  test('undo moves an application back with its movement, but not in part or while it is disqualified', async () => {
    const { id, path } = await application()
    const { data: before } = (await service.get(path)).body
    const stages = await stagesFor(path)
    const other = stages.find((one: any) => one.id !== before.pipeline_state.id && one.type !== 'hired')
    const moved = await done(service.put(path, { applicant_state_id: other?.id }))
    const half = (await feed(moved)).find(({ resource }) => resource === 'applications')
    await refused(service.post(`/changes/${half?.number}/undo`), 409, /whole request/)
    const out = await done(service.post(`${path}/disqualify`, {}))
    await refused(undo(moved), 409, /disqualified/)
    await done(undo(out))
    await done(undo(moved))
    assert.equal((await service.get(path)).body.data.pipeline_state.id, before.pipeline_state.id)
    const all = (await service.get('/recruitment/movements?per_page=200')).body.data
    assert.equal(all.filter((one: any) => one.vacancy_application.id === id).length, 1)
  })

  async function stagesFor(path: string) {
    const vacancyId = path.split('/')[3]
    const rows = await service.database.read((sql) =>
      sql
        .selectFrom('pipeline_stages')
        .selectAll()
        .where('account_id', '=', service.account.id)
        .where('pipeline_id', 'in', (eb: any) =>
          eb
            .selectFrom('vacancies')
            .select('recruitment_pipeline_id')
            .where('account_id', '=', service.account.id)
            .where('id', '=', Number(vacancyId)),
        )
        .orderBy('position')
        .execute(),
    )
    return rows
  }

  test('undo never makes more hires than positions or opens a filled vacancy', async () => {
    const { path, vacancy } = await application()
    await done(service.put(`/recruitment/vacancies/${vacancy.id}`, { positions: 1, state: 'opened' }))
    await done(service.post(`${path}/hire`, {}))
    const freed = await done(service.post(`${path}/undo_hire`, {}))
    await done(service.put(`/recruitment/vacancies/${vacancy.id}`, { state: 'opened' }))
    const { id: candidate } = await samples.make('candidates')
    const second = await done(
      service.post(`/recruitment/vacancies/${vacancy.id}/applications`, { applicant_id: candidate }),
    )
    const hired = await done(
      service.post(`/recruitment/vacancies/${vacancy.id}/applications/${second.body.data.id}/hire`, {}),
    )
    await refused(undo(freed), 409, /2 hires but only 1 position/)
    await done(undo(hired))
    await refused(undo(freed), 409, /all its positions are filled/)
  })

  test('no part of a hire can be undone alone', async () => {
    const { path, vacancy } = await application()
    await done(service.put(`/recruitment/vacancies/${vacancy.id}`, { positions: 1, state: 'opened' }))
    const hired = await done(service.post(`${path}/hire`, {}))
    for (const { number, resource } of await feed(hired))
      if (['candidates', 'hires', 'movements'].includes(resource))
        await refused(service.post(`/changes/${number}/undo`), 409, /whole request|only related records/)
    await done(undo(hired))
  })

  test('undo does not restore a hire for a cancelled vacancy', async () => {
    const { path, vacancy } = await application()
    const at = `/recruitment/vacancies/${vacancy.id}`
    await done(service.put(at, { positions: 2, state: 'opened' }))
    await done(service.post(`${path}/hire`, {}))
    const freed = await done(service.post(`${path}/undo_hire`, {}))
    const cancelled = await done(service.put(at, { state: 'cancelled' }))
    await refused(undo(freed), 409, /is now cancelled/)
    await done(undo(cancelled))
    await done(undo(freed))
    assert.ok((await service.get(path)).body.data.hired_at)
  })

  test('a merge cannot be undone once its applications have changed', async () => {
    const bare = { resume: undefined }
    const [target, duplicate] = [await samples.make('candidates', bare), await samples.make('candidates', bare)]
    const { id: vacancyId } = await samples.make('vacancies', { state: 'opened', positions: 1 })
    const made = await done(
      service.post(`/recruitment/vacancies/${vacancyId}/applications`, { applicant_id: duplicate.id }),
    )
    const path = `/recruitment/vacancies/${vacancyId}/applications/${made.body.data.id}`
    const merged = await done(
      service.post(`/recruitment/candidates/${target.id}/merge`, { duplicate_id: duplicate.id }),
    )
    const other = (await stagesFor(path)).find(
      (one: any) => one.id !== made.body.data.pipeline_state.id && one.type !== 'hired',
    )
    const moved = await done(service.put(path, { applicant_state_id: other?.id }))
    await refused(undo(merged), 409, /go back to its previous candidate/)
    await done(undo(moved))
    const hired = await done(service.post(`${path}/hire`, {}))
    await refused(undo(merged), 409, /go back to its previous candidate|without an application/)
    await done(undo(hired))
    await done(undo(merged))
    assert.equal((await service.get(path)).body.data.applicant.id, duplicate.id)
    // Who stood among the hired already when they were merged has no move since.
    const last = (await stagesFor(path)).find((one: any) => one.type === 'hired')
    const stood = await done(service.put(path, { applicant_state_id: last?.id }))
    const joined = await done(
      service.post(`/recruitment/candidates/${target.id}/merge`, { duplicate_id: duplicate.id }),
    )
    const chosen = await done(service.post(`${path}/hire`, {}))
    await refused(undo(joined), 409, /without an application/)
    for (const answer of [chosen, joined, stood]) await done(undo(answer))
    // Who was hired before goes back with the hire.
    const before = await done(service.post(`${path}/hire`, {}))
    const again = await done(service.post(`/recruitment/candidates/${target.id}/merge`, { duplicate_id: duplicate.id }))
    await done(undo(again))
    assert.ok((await service.get(path)).body.data.hired_at)
    await done(undo(before))
  })

  test('a vacancy with applications cannot be undone to a draft', async () => {
    const { id: vacancyId } = await samples.make('vacancies', { state: 'drafting' })
    const opened = await done(service.put(`/recruitment/vacancies/${vacancyId}`, { state: 'opened' }))
    const { id: candidate } = await samples.make('candidates')
    const applied = await done(
      service.post(`/recruitment/vacancies/${vacancyId}/applications`, { applicant_id: candidate }),
    )
    await refused(undo(opened), 409, /no longer be a draft/)
    await done(undo(applied))
    await done(undo(opened))
  })

  test('undo restores a pipeline stage at its place without gaps in the order', async () => {
    const pipeline = await done(
      service.post('/recruitment/pipelines', { name: name('P'), stages: ['One', 'Two', 'Three'] }),
    )
    const { id, stages } = pipeline.body.data
    const gone = await done(service.delete(`/recruitment/pipelines/${id}/stages/${stages[1].id}`))
    await done(service.post(`/recruitment/pipelines/${id}/stages`, { name: 'Four' }))
    await done(undo(gone))
    const now = (await service.get(`/recruitment/pipelines/${id}`)).body.data.stages
    assert.deepEqual(
      now.map((one: any) => [one.name, one.position]).sort((a: any, b: any) => a[1] - b[1]),
      [
        ['One', 1],
        ['Two', 2],
        ['Three', 3],
        ['Four', 4],
      ],
    )
  })

  test('a merge is undone as a whole or not at all', async () => {
    const bare = { resume: undefined }
    const [target, duplicate] = [await samples.make('candidates', bare), await samples.make('candidates', bare)]
    const before = (await service.get(`/recruitment/candidates/${duplicate.id}`)).body.data
    const merged = await done(
      service.post(`/recruitment/candidates/${target.id}/merge`, { duplicate_id: duplicate.id }),
    )
    const half = (await feed(merged)).find(({ resource }) => resource === 'candidate_merges')
    await refused(service.post(`/changes/${half?.number}/undo`), 409, /whole request/)
    await done(undo(merged))
    const { updated_at: _, ...now } = (await service.get(`/recruitment/candidates/${duplicate.id}`)).body.data
    const { updated_at: __, ...was } = before
    assert.deepEqual(now, was)
  })
})

describe('time and leave', () => {
  test('undo never makes time or overtime overlap or changes an approved entry', async () => {
    const { id: employee_id } = await hire()
    const at = (from: string, to: string) => ({
      employee_id,
      starts_at: `2030-01-02T${from}:00Z`,
      ends_at: `2030-01-02T${to}:00Z`,
    })
    const entry = await service.make('/time/timesheet_entries', at('08:00', '10:00'))
    const moved = await done(service.put(`/time/timesheet_entries/${entry.id}`, at('12:00', '14:00')))
    const other = await done(service.post('/time/timesheet_entries', at('09:00', '11:00')))
    await refused(undo(moved), 422, /overlap/)
    await done(undo(other))
    const said = await done(service.put(`/time/timesheet_entries/${entry.id}`, { comment: 'Yes' }))
    for (const status of ['pending', 'approved'])
      await done(service.put(`/time/timesheet_entries/${entry.id}`, { status }))
    await refused(undo(said), 409, /approved/)
    const settled = await done(service.post('/time/timesheet_entries', { ...at('18:00', '19:00'), status: 'approved' }))
    await refused(undo(settled), 409, /approved/)
    const extra = await service.make('/time/overtime_requests', { employee_id, date: '2030-01-05', minutes: 60 })
    const withdrawn = await done(service.post(`/time/overtime_requests/${extra.id}/withdraw`))
    await service.make('/time/overtime_requests', { employee_id, date: '2030-01-05', minutes: 30 })
    await refused(undo(withdrawn), 422, /overlap/)
  })

  test('undo takes no leave day twice and never exceeds the balance', async () => {
    const { id: leave_type_id } = await service.make('/leave_types', { name: name('Leave') })
    const none = { type: 'manual', floor: '0', yearly_amount: null, credit: null, carry_over_limit: null }
    const policy = await samples.make('leave_policies', { leave_type_id, ...none })
    const { id: employee_id } = await hire()
    const assignment = { leave_type_id, leave_type_policy_id: policy.id, effective_on: '2030-01-01' }
    await done(service.post(`/employees/${employee_id}/leave_types`, assignment))
    await done(service.put(`/employees/${employee_id}/update_leave_balance`, { balance: '5', leave_type_id }))
    const ask = (starts_on: string, ends_on: string) =>
      service.post('/leave_requests', { employee_id, leave_type_id, starts_on, ends_on })
    const first = await done(ask('2030-07-01', '2030-07-05'))
    const withdrawn = await done(service.post(`/leave_requests/${first.body.data.id}/withdraw`))
    const second = await done(ask('2030-07-04', '2030-07-05'))
    await refused(undo(withdrawn), 422, /overlap/)
    await done(undo(second))
    const third = await done(ask('2030-08-01', '2030-08-02'))
    await refused(undo(withdrawn), 422, /balance/)
    await done(undo(third))
    await done(undo(withdrawn))
    assert.equal((await service.get(`/leave_requests/${first.body.data.id}`)).body.data.state, 'pending')
    const half = (await feed(first)).find(({ resource }) => resource === 'leave_entries')
    await refused(service.post(`/changes/${half?.number}/undo`), 409, /whole request/)
  })

  test('a balance that is already too low does not block an undo, but taking more than is left does', async () => {
    const { id: leave_type_id } = await service.make('/leave_types', { name: name('Leave') })
    const none = { type: 'manual', floor: '0', yearly_amount: null, credit: null, carry_over_limit: null }
    const policy = await samples.make('leave_policies', { leave_type_id, ...none })
    const { id: employee_id } = await hire()
    await done(
      service.post(`/employees/${employee_id}/leave_types`, {
        leave_type_id,
        leave_type_policy_id: policy.id,
        effective_on: '2030-01-01',
      }),
    )
    const credit = (amount: string) =>
      service.post('/leave_adjustments', { employee_id, leave_type_id, occurred_on: '2030-01-01', amount })
    const given = await done(credit('5'))
    const asked = await done(
      service.post('/leave_requests', { employee_id, leave_type_id, starts_on: '2030-07-01', ends_on: '2030-07-05' }),
    )
    const at = `/leave_requests/${asked.body.data.id}`
    await done(service.delete(`/leave_adjustments/${given.body.data.id}`))
    const approved = await done(service.post(`${at}/approve`))
    await done(service.put(`/employees/${(await hire()).id}`, { first_name: 'Other' }))
    await done(undo(approved))
    // Taken again, with nothing else than before; then with less than before.
    const withdrawn = await done(service.post(`${at}/withdraw`))
    const more = await done(credit('1'))
    await done(undo(more))
    await done(service.put(`/employees/${employee_id}`, { first_name: 'Same' }))
    const back = await done(undo(withdrawn))
    await done(undo(back))
    const less = await done(credit('-1'))
    await refused(undo(withdrawn), 422, /balance/)
    await done(undo(less))
    await done(undo(withdrawn))
  })

  describe('leave restored by undo is recalculated with the current calendar', () => {
    const LEAVE = { starts_on: '2030-07-01', ends_on: '2030-07-05' }

    /** Somebody with five days of leave, 1 to 5 July 2030, at a place with holidays of its own. */
    async function away() {
      const policy = await service.make('/holiday_policies', { name: name('Holidays'), country_code: 'AQ' })
      const place = await service.make('/locations', { name: name('Place'), holiday_policy_id: policy.id })
      const { id: leave_type_id } = await service.make('/leave_types', { name: name('Leave') })
      const terms = { type: 'manual', floor: '0', yearly_amount: null, credit: null, carry_over_limit: null }
      const rules = await samples.make('leave_policies', { leave_type_id, ...terms })
      const { id: employee_id } = await hire({ location_id: place.id })
      const assignment = { leave_type_id, leave_type_policy_id: rules.id, effective_on: '2030-01-01' }
      await done(service.post(`/employees/${employee_id}/leave_types`, assignment))
      await done(service.put(`/employees/${employee_id}/update_leave_balance`, { balance: '5', leave_type_id }))
      const { id } = await service.make('/leave_requests', { employee_id, leave_type_id, ...LEAVE })
      const holiday = (occurs_on: string) =>
        service.make('/holidays', { name: name('Feast'), occurs_on, holiday_policy_id: policy.id })
      const taken = async () => {
        const { amount, entries } = (await service.get(`/leave_requests/${id}`)).body.data
        const days = entries.map((entry: any) => entry.date)
        assert.equal(amount, days.length)
        return days
      }
      return { id, employee_id, leave_type_id, holiday, taken }
    }
    const WITHOUT_WEDNESDAY = ['2030-07-01', '2030-07-02', '2030-07-04', '2030-07-05']

    for (const verb of ['reject', 'withdraw', 'delete'])
      test(`after ${verb} and a new holiday`, async () => {
        const { id, holiday, taken } = await away()
        const gone = await done(
          verb === 'delete' ? service.delete(`/leave_requests/${id}`) : service.post(`/leave_requests/${id}/${verb}`),
        )
        await holiday('2030-07-03')
        await done(undo(gone))
        assert.deepEqual(await taken(), WITHOUT_WEDNESDAY)
        assert.equal((await service.get(`/leave_requests/${id}`)).body.data.state, 'pending')
      })

    test('after undoing a rejection repeatedly', async () => {
      const { id, holiday, taken } = await away()
      const gone = await done(service.post(`/leave_requests/${id}/reject`))
      const feast = await holiday('2030-07-03')
      const back = await done(undo(gone))
      assert.deepEqual(await taken(), WITHOUT_WEDNESDAY)
      const again = await done(undo(back))
      assert.equal((await service.get(`/leave_requests/${id}`)).body.data.state, 'rejected')
      await done(service.delete(`/holidays/${feast.id}`))
      await done(undo(again))
      assert.deepEqual(await taken(), ['2030-07-01', '2030-07-02', '2030-07-03', '2030-07-04', '2030-07-05'])
    })

    test('and never exceeds the balance', async () => {
      const { id, employee_id, leave_type_id, holiday } = await away()
      const feast = await holiday('2030-07-03')
      const gone = await done(service.post(`/leave_requests/${id}/withdraw`))
      const other = { starts_on: '2030-08-01', ends_on: '2030-08-01' }
      await done(service.post('/leave_requests', { employee_id, leave_type_id, ...other }))
      await done(service.delete(`/holidays/${feast.id}`))
      await refused(undo(gone), 422, /balance/)
    })

    test('and takes no day that another request has taken since', async () => {
      const { id, employee_id, leave_type_id, holiday, taken } = await away()
      const feast = await holiday('2030-07-03')
      const gone = await done(service.post(`/leave_requests/${id}/withdraw`))
      await done(service.delete(`/holidays/${feast.id}`))
      const other = { starts_on: '2030-07-03', ends_on: '2030-07-03' }
      const second = await done(service.post('/leave_requests', { employee_id, leave_type_id, ...other }))
      await refused(undo(gone), 422, /overlap/)
      await done(undo(second))
      await done(undo(gone))
      assert.equal((await taken()).length, 5)
    })
  })

  test('past days keep their amounts when an undo restores leave', async () => {
    const policy = await service.make('/holiday_policies', { name: name('Holidays'), country_code: 'PT' })
    const place = await service.make('/locations', { name: name('Place'), holiday_policy_id: policy.id })
    const { id: leave_type_id } = await service.make('/leave_types', { name: name('Leave') })
    const none = { type: 'manual', floor: '-100', yearly_amount: null, credit: null, carry_over_limit: null }
    const rules = await samples.make('leave_policies', { leave_type_id, ...none })
    const { id: employee_id } = await hire({ location_id: place.id })
    const assignment = { leave_type_id, leave_type_policy_id: rules.id, effective_on: '2024-01-01' }
    await done(service.post(`/employees/${employee_id}/leave_types`, assignment))
    const days = { starts_on: '2025-09-01', ends_on: '2025-09-05' }
    const asked = await done(service.post('/leave_requests', { employee_id, leave_type_id, ...days }))
    const taken = async () => {
      const { amount, entries } = (await service.get(`/leave_requests/${asked.body.data.id}`)).body.data
      return [amount, entries]
    }
    const before = await taken()
    // Of a day gone by: what was taken on it stays, and is back when somebody turns out not to have left before.
    await service.make('/holidays', { name: name('Feast'), occurs_on: '2025-09-03', holiday_policy_id: policy.id })
    assert.deepEqual(await taken(), before)
    const left = await leave(employee_id, '2025-09-02')
    assert.notDeepEqual(await taken(), before)
    await done(undo(left))
    assert.deepEqual(await taken(), before)
  })

  test('undo does not end a leave assignment before leave that was requested under it', async () => {
    const { employee_id, leave_type_id } = await samples.assignedLeave()
    const [assigned] = (await service.get(`/employees/${employee_id}/leave_types`)).body.data
    const ended = await done(
      service.put(`/employees/${employee_id}/leave_types/${assigned.id}`, { ends_on: '2030-05-31' }),
    )
    const open = await done(service.put(`/employees/${employee_id}/leave_types/${assigned.id}`, { ends_on: null }))
    await done(service.put(`/employees/${employee_id}/update_leave_balance`, { balance: '5', leave_type_id }))
    await done(
      service.post('/leave_requests', { employee_id, leave_type_id, starts_on: '2030-07-01', ends_on: '2030-07-02' }),
    )
    await refused(undo(open), 409, /in_use|takes leave/)
    assert.ok(ended)
  })
})

describe('custom fields, reviews, knowledge', () => {
  test('undo keeps an option that is in use and does not select a deleted one', async () => {
    const title = name('Shirt')
    const field = title.toLowerCase().replace(' ', '_')
    const { id } = await service.make('/employee_fields', { name: title, type: 'single_select', options: ['S', 'M'] })
    const person = await hire()
    const added = await done(service.post(`/employee_fields/${id}/options`, { value: 'L' }))
    await done(service.put(`/employees/${person.id}`, { fields: { [field]: 'L' } }))
    await refused(undo(added), 409, /in_use/)
    const changed = await done(service.put(`/employees/${person.id}`, { fields: { [field]: 'M' } }))
    await done(service.delete(`/employee_fields/${id}/options/${added.body.data.id}`))
    await refused(undo(changed), 422, /option/)
  })

  test('review cycle changes can be undone only while the cycle is in the same state', async () => {
    const cycle = await service.make('/performance/review_cycles', {
      name: 'Spring',
      starts_on: '2030-01-01',
      ends_on: '2030-02-01',
    })
    const path = `/performance/review_cycles/${cycle.id}`
    await service.make(`${path}/questions`, { type: 'text', title: 'What is next?', required: false })
    const more = await done(service.post(`${path}/questions`, { type: 'text', title: 'And then?', required: false }))
    const opened = await done(service.post(`${path}/open`))
    await refused(undo(more), 409, /is now opened/)
    const review = await done(service.post(`${path}/reviews`, { employee_id: (await hire()).id }))
    const closed = await done(service.post(`${path}/close`))
    await refused(undo(review), 409, /is now closed/)
    for (const answer of [closed, review, opened, more]) await done(undo(answer))
  })

  test('undo never submits a review with missing answers or turns an answered cycle into a draft', async () => {
    const cycle = await service.make('/performance/review_cycles', {
      name: 'Autumn',
      starts_on: '2025-01-01',
      ends_on: '2099-01-01',
    })
    const path = `/performance/review_cycles/${cycle.id}`
    const question = await service.make(`${path}/questions`, { type: 'text', title: 'What is next?', required: true })
    const opened = await done(service.post(`${path}/open`))
    const review = (await done(service.post(`${path}/reviews`, { employee_id: (await hire()).id }))).body.data
    const at = `${path}/reviews/${review.id}`
    const part = await service.make(`${at}/review_participants`, { employee_id: (await hire()).id, type: 'peer' })
    const said = await done(
      service.post(`${at}/answers`, {
        review_participant_id: part.id,
        review_question_id: question.id,
        text: 'More of the same',
      }),
    )
    await done(service.post(`${at}/review_participants/${part.id}/submit`))
    const revised = await done(service.post(`${at}/review_participants/${part.id}/revise`))
    const gone = await done(service.delete(`${at}/answers/${said.body.data.id}`))
    await refused(undo(revised), 409, /required question/)
    await refused(undo(opened), 409, /cannot become a draft again/)
    await done(undo(gone))
    await done(undo(revised))
  })

  test('a refused undo names review answers by the id that the API shows', async () => {
    const cycle = await service.make('/performance/review_cycles', {
      name: 'Winter',
      starts_on: '2025-01-01',
      ends_on: '2099-01-01',
    })
    const path = `/performance/review_cycles/${cycle.id}`
    const asked = await done(
      service.post(`${path}/questions`, { type: 'text', title: 'What is next?', required: true }),
    )
    await done(service.post(`${path}/open`))
    const review = (await done(service.post(`${path}/reviews`, { employee_id: (await hire()).id }))).body.data
    const at = `${path}/reviews/${review.id}`
    const part = await service.make(`${at}/review_participants`, { employee_id: (await hire()).id, type: 'peer' })
    const said = await service.make(`${at}/answers`, {
      review_participant_id: part.id,
      review_question_id: asked.body.data.id,
      text: 'One',
    })
    const changed = await done(service.put(`${at}/answers/${said.id}`, { text: 'Two' }))
    await done(service.put(`${at}/answers/${said.id}`, { text: 'Three' }))
    await refused(undo(changed), 409, new RegExp(`review_answers\\[${said.id}\\]\\.text`))
    await refused(undo(asked), 409, new RegExp(`by review answer ${said.id} `))
  })

  test('undo restores articles and categories without gaps in their order', async () => {
    const category = await service.make('/knowledge_base/categories', { name: name('Category') })
    const article = (title: string) =>
      service.make('/knowledge_base/articles', { title, body: 'Text', category_id: category.id })
    const [first] = [await article('One'), await article('Two')]
    const gone = await done(service.delete(`/knowledge_base/articles/${first.id}`))
    await article('Three')
    await done(undo(gone))
    const list = (await service.get(`/knowledge_base/categories/${category.id}/articles`)).body.data
    assert.deepEqual(
      list.map((one: any) => [one.title, one.position]),
      [
        ['One', 1],
        ['Two', 2],
        ['Three', 3],
      ],
    )
  })
})
