import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Service, startService } from '../harness.ts'
import { leaveOf } from './on-leave.ts'

let service: Service
let folder: string
const now = new Date('2036-06-16T12:00:00Z')
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cadre-test-'))
  service = await startService({ clock: () => now, config: { CADRE_FILES: folder } })
})
after(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

const { person, ask, balance, days } = leaveOf(() => service)
const generous = { type: 'accrual', yearly_amount: 30, credit: 'yearly' }
const uri = (text: string, name: string) =>
  `data:text/plain;name=${name};base64,${Buffer.from(text).toString('base64')}`
const get = async (id: number) => (await service.get(`/leave_requests/${id}`)).body.data
const keptFiles = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.startsWith('.'),
  ).length

describe('a leave request', () => {
  test('has the documented fields under their names for reading and writing', async () => {
    const who = await person({ ...generous, visibility: false })
    const made = (await ask(who, '2036-07-07', '2036-07-08', { comment: 'Sea' })).body.data
    assert.deepEqual([made.comment, made.description, made.on_demand], ['Sea', 'Sea', false])
    assert.equal(made.leave_type_policy.visibility, 'private')
    assert.equal((await service.get(`/leave_policies/${who.policyId}`)).body.data.visibility, false)
    assert.deepEqual([made.attachments, made.attachment_url], [[], null])
    assert.equal(
      (await ask(await person(generous), '2036-07-07', '2036-07-08', { description: 'Sea' })).body.data.comment,
      'Sea',
    )
    const both = await ask(who, '2036-07-14', '2036-07-14', { comment: 'Sea', description: 'Hills' })
    assert.deepEqual(
      [both.status, both.body.errors[0].field, both.body.errors[0].code],
      [422, 'description', 'mismatch'],
    )
    const said = (await service.put(`/leave_requests/${made.id}`, { description: '' })).body.data
    assert.deepEqual([said.comment, said.description], ['', ''])
  })

  test('waits for the current manager, then names who decided, and nobody once withdrawn', async () => {
    const [boss, next] = [await service.hire({ first_name: 'Bo' }), await service.hire({ first_name: 'Ne' })]
    const who = await person(generous, {}, { hired_on: '2030-01-01', reporting_to_id: boss.id })
    const { id, approvals } = (await ask(who, '2036-07-07', '2036-07-08')).body.data
    assert.deepEqual(approvals, [{ state: 'pending', assigned_to: { id: boss.id, full_name: boss.full_name } }])
    await service.make(`/employees/${who.id}/positions`, { effective_from: '2036-06-16', reporting_to_id: next.id })
    assert.equal((await get(id)).approvals[0].assigned_to.id, next.id)
    const { key } = await service.make('/api_keys', { name: 'Bo', employee_id: boss.id, permissions: ['*'] })
    await service.post(`/leave_requests/${id}/approve`, {}, { key })
    assert.deepEqual((await get(id)).approvals, [
      { state: 'approved', assigned_to: { id: boss.id, full_name: boss.full_name } },
    ])
    await service.post(`/leave_requests/${id}/withdraw`, {}, { key })
    assert.deepEqual((await get(id)).approvals, [])

    const alone = (await ask(await person(generous), '2036-07-07', '2036-07-08')).body.data
    assert.deepEqual(alone.approvals, [{ state: 'pending', assigned_to: null }], 'there is nobody in HR')
    assert.deepEqual((await service.post(`/leave_requests/${alone.id}/reject`)).body.data.approvals, [
      { state: 'rejected', assigned_to: null },
    ])
    // A manager who has left decides nothing.
    const later = (await ask(who, '2036-08-04', '2036-08-04')).body.data
    await service.post(`/employees/${next.id}/terminate`, { effective_from: '2036-06-16' })
    assert.deepEqual((await get(later.id)).approvals, [{ state: 'pending', assigned_to: null }])
  })

  test('is filtered by one or several people, states and types, also among pending requests', async () => {
    const [one, two] = [await person(generous), await person(generous)]
    const first = (await ask(one, '2036-07-07', '2036-07-08', { skip_approval: true })).body.data.id
    const second = (await ask(one, '2036-07-14', '2036-07-15')).body.data.id
    const third = (await ask(two, '2036-07-07', '2036-07-08')).body.data.id
    const found = async (query: string) =>
      (await service.get(`/leave_requests${query}`)).body.data.map((each: any) => each.id)
    assert.deepEqual(await found(`?employee_id=${one.id}`), [first, second])
    assert.deepEqual(await found(`?employee_id=${one.id}&state=approved`), [first])
    assert.deepEqual(await found(`?leave_type_id=${two.leave_type_id}`), [third])
    assert.deepEqual(
      await found(`?leave_type_ids[]=${two.leave_type_id}&leave_type_ids[]=${one.leave_type_id}&state=pending`),
      [third, second],
    )
    assert.deepEqual(await found(`/pending?employee_id=${one.id}`), [second])
    assert.deepEqual(await found(`/pending?leave_type_id=${two.leave_type_id}`), [third])
    assert.deepEqual(await found(`?employee_id=${one.id}&employee_ids[]=${two.id}`), [])
    assert.equal((await service.get('/leave_requests?state=open')).status, 400)
    assert.equal((await service.get('/leave_requests?employee_id=')).status, 400)
  })
})

describe('the days of a leave request', () => {
  test('are replaced while it is pending, and do not conflict with its own previous days', async () => {
    const who = await person({ type: 'manual' })
    await service.put(`/employees/${who.id}/update_leave_balance`, { balance: 5, leave_type_id: who.leave_type_id })
    const entries = [{ occurs_on: '2036-07-09', amount: 0.5 }]
    const { id } = (await ask(who, '2036-07-07', '2036-07-11', { leave_request_entries: entries })).body.data
    const put = (values: object) => service.put(`/leave_requests/${id}`, values)
    assert.deepEqual((await put({ starts_on: '2036-07-08' })).body.data.amount, 3.5)
    assert.deepEqual(await days(id), { '2036-07-08': 1, '2036-07-09': 0.5, '2036-07-10': 1, '2036-07-11': 1 })
    assert.equal(await balance(who.id, '2036-12-31'), 1.5)
    assert.equal((await put({ ends_on: '2036-07-15' })).body.errors[0].code, 'balance')
    assert.equal((await put({ ends_on: '2036-07-01' })).body.errors[0].code, 'too_early')
    assert.equal(
      (await put({ leave_request_entries: [{ occurs_on: '2036-07-13', amount: 1 }] })).body.errors[0].code,
      'not_allowed',
    )
    assert.deepEqual(await days(id), { '2036-07-08': 1, '2036-07-09': 0.5, '2036-07-10': 1, '2036-07-11': 1 })
    await put({ leave_request_entries: [] })
    assert.equal((await get(id)).amount, 4)
    const other = (await ask(who, '2036-07-14', '2036-07-14')).body.data
    assert.equal(
      (await service.put(`/leave_requests/${other.id}`, { starts_on: '2036-07-11' })).body.errors[0].code,
      'overlap',
    )
    const stranger = await person()
    for (const [name, value] of Object.entries({ employee_id: stranger.id, leave_type_id: stranger.leave_type_id }))
      assert.deepEqual(
        (await put({ [name]: value })).body.errors.map((one: any) => [one.field, one.code]),
        [[name, 'not_allowed']],
      )
  })

  test('cannot change once it is decided; its comment can, and resending the same values changes nothing', async () => {
    const who = await person(generous)
    const leave_request_entries = [{ occurs_on: '2036-07-08', amount: 0.5 }]
    const made = (await ask(who, '2036-07-07', '2036-07-08', { skip_approval: true, leave_request_entries })).body.data
    const moved = await service.put(`/leave_requests/${made.id}`, { ends_on: '2036-07-09', comment: 'More' })
    assert.equal(moved.status, 409)
    const same = await service.put(`/leave_requests/${made.id}`, {
      employee_id: who.id,
      leave_type_id: who.leave_type_id,
      starts_on: made.starts_on,
      ends_on: made.ends_on,
      on_demand: false,
      leave_request_entries,
    })
    assert.deepEqual(same.body.data, made)
    assert.equal((await service.put(`/leave_requests/${made.id}`, { leave_request_entries: [] })).status, 409)
    assert.equal((await service.put(`/leave_requests/${made.id}`, { comment: 'More' })).body.data.comment, 'More')
  })
})

describe('files of a leave request', () => {
  test('are sent with it or later, as data URI or multipart, and downloaded from signed URLs', async () => {
    const who = await person(generous)
    const made = (
      await ask(who, '2036-07-07', '2036-07-08', {
        attachment: uri('one', 'one.txt'),
        attachments: [uri('two', 'two.txt')],
      })
    ).body.data
    assert.deepEqual(
      made.attachments.map((one: any) => [one.filename, Object.keys(one).sort().join()]),
      [
        ['one.txt', 'expires_at,filename,id,url'],
        ['two.txt', 'expires_at,filename,id,url'],
      ],
    )
    assert.equal(made.attachment_url, made.attachments[0].url)
    assert.equal((await service.send('GET', made.attachments[1].url, { key: null })).text, 'two')

    const multipart = new FormData()
    multipart.set('attachment', new File(['three'], 'three.txt', { type: 'text/plain' }))
    const added = await service.send('POST', `/leave_requests/${made.id}/attachments`, { multipart })
    assert.deepEqual([added.status, added.body.data.filename], [201, 'three.txt'])
    const put = await service.put(`/leave_requests/${made.id}`, { attachments: [uri('four', 'four.txt')] })
    assert.deepEqual(
      put.body.data.attachments.map((one: any) => one.filename),
      ['one.txt', 'two.txt', 'three.txt', 'four.txt'],
    )
    const several = new FormData()
    several.set('comment', 'With two')
    for (const name of ['five', 'six']) several.append('attachments[]', new File([name], `${name}.txt`))
    const both = await service.send('PUT', `/leave_requests/${made.id}`, { multipart: several })
    assert.equal(both.status, 200, both.text)
    assert.deepEqual([both.body.data.comment, both.body.data.attachments.length], ['With two', 6])
    assert.notEqual((await get(made.id)).updated_at, undefined)
  })

  test('are deleted with it or one by one, and their URLs stop working', async () => {
    const who = await person(generous)
    const before = keptFiles()
    const made = (
      await ask(who, '2036-07-07', '2036-07-08', { attachments: [uri('gone one', 'a.txt'), uri('gone two', 'b.txt')] })
    ).body.data
    assert.equal(keptFiles(), before + 2)
    const [first, second] = made.attachments
    assert.equal((await service.delete(`/leave_requests/${made.id}/attachments/${first.id}`)).status, 204)
    assert.equal((await service.send('GET', first.url, { key: null })).status, 404)
    assert.equal((await get(made.id)).attachment_url, second.url)
    assert.equal((await service.delete(`/leave_requests/${made.id}`)).status, 204)
    assert.equal((await service.send('GET', second.url, { key: null })).status, 404)
    assert.equal(keptFiles(), before)
    const other = (await ask(who, '2036-07-07', '2036-07-08')).body.data
    assert.equal((await service.delete(`/leave_requests/${other.id}/attachments/${second.id}`)).status, 404)
  })

  test('are rejected and not stored when they are invalid or too many', async () => {
    const who = await person(generous)
    const before = keptFiles()
    const wrong = await ask(who, '2036-07-07', '2036-07-08', { attachments: [uri('sound', 'a.txt'), 'no file'] })
    assert.deepEqual([wrong.status, wrong.body.errors[0].field], [422, 'attachments[1]'])
    const many = await ask(who, '2036-07-07', '2036-07-08', { attachments: Array(11).fill(uri('many', 'a.txt')) })
    assert.deepEqual([many.status, many.body.errors[0].code], [422, 'too_many'])
    const refused = await ask(who, '2036-07-12', '2036-07-13', { attachment: uri('weekend', 'a.txt') })
    assert.equal(refused.body.errors[0].code, 'no_days')
    assert.equal(keptFiles(), before)
    const ten = Array.from({ length: 10 }, (_, n) => uri('ten', `${n}.txt`))
    const { id } = (await ask(who, '2036-07-07', '2036-07-08', { attachments: ten })).body.data
    assert.equal(
      (await service.post(`/leave_requests/${id}/attachments`, { attachment: uri('x', 'a.txt') })).status,
      409,
    )
    assert.equal((await service.put(`/leave_requests/${id}`, { attachment: uri('x', 'a.txt') })).status, 422)
    const again = await service.put(`/leave_requests/${id}`, { attachments: ten.slice(0, 2) })
    assert.deepEqual([again.status, again.body.data.attachments.length], [200, 10], 'what is there is not added again')
  })
})
