import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, startService } from '../harness.ts'

const NOW = new Date('2036-06-15T12:00:00Z')
const TODAY = '2036-06-15'
let service: Service
let category: any
let location: any
before(async () => {
  service = await startService({ clock: () => NOW })
  category = await service.make('/asset_categories', { name: 'Laptops', icon: 'fas fa-laptop' })
  location = await service.make('/locations', { name: 'Porto' })
})
after(() => service.stop())

let count = 0
const asset = (values: Record<string, unknown> = {}) =>
  service.make('/assets', {
    name: 'ThinkPad',
    code: `LT-${++count}`,
    asset_category_id: category.id,
    location_id: location.id,
    ...values,
  })
const issue = (asset_id: number, user_id: number, issued_on: string, returned_on?: string) =>
  service.post('/asset_assignments', { asset_id, user_id, issued_on, ...(returned_on ? { returned_on } : {}) })
const issued = async (...given: Parameters<typeof issue>) => {
  const answer = await issue(...given)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data
}
const show = async (id: number, query = '') => (await service.get(`/assets/${id}${query}`)).body.data
const codes = ({ status, body }: { status: number; body: any }) => [
  status,
  ...(body.errors ?? []).map(({ field, code }: any) => `${field} ${code}`).sort(),
]
const ids = async (path: string) => {
  const answer = await service.get(path)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.metadata.count, answer.body.data.length)
  return answer.body.data.map((one: any) => one.id)
}

test('an asset has all documented fields and its assignments', async () => {
  const [ada, bob] = [await service.hire({ email: 'ada@example.com' }), await service.hire()]
  const form = {
    name: 'ThinkPad X1',
    code: 'X1-7',
    asset_category_id: category.id,
    location_id: location.id,
    serial_number: 'SN-1',
    description: 'Black',
  }
  const made = await service.send('POST', '/assets', { form })
  assert.equal(made.status, 201, made.text)
  const { id, created_at, updated_at, ...rest } = made.body.data
  const nothing = { retired_on: null, holder: null, assignment: null, loss: null }
  assert.deepEqual(rest, { ...form, ...nothing, state: 'available', asset_assignments: [] })
  const second = await issued(id, bob.id, '2030-01-01')
  const first = await issued(id, ada.id, '2028-01-01', '2029-12-31')
  assert.deepEqual(Object.keys(first).sort(), [
    'asset_id',
    'created_at',
    'id',
    'issued_on',
    'returned_on',
    'updated_at',
    'user',
    'user_id',
  ])
  assert.deepEqual(first.user, { id: ada.id, full_name: ada.full_name, email: ada.email })
  assert.equal(first.user_id, ada.id)
  const shown = await show(id)
  assert.deepEqual(shown.asset_assignments, [first, second], 'all of them, the oldest first')
  assert.deepEqual([shown.state, shown.holder.id, shown.assignment], ['assigned', bob.id, second])
  assert.deepEqual((await service.get(`/asset_assignments/${first.id}`)).body.data, first)
})

test('codes are unique in any case, icons come from a list, and records in use cannot be deleted', async () => {
  const { id, code } = await asset()
  const duplicate = { name: 'X', code: code.toLowerCase(), asset_category_id: category.id, location_id: location.id }
  assert.deepEqual(codes(await service.post('/assets', duplicate)), [422, 'code taken'])
  assert.deepEqual(codes(await service.post('/assets', { code: ' ', location_id: 99_999 })), [
    422,
    'asset_category_id required',
    'code blank',
    'location_id not_found',
    'name required',
  ])
  assert.deepEqual(codes(await service.post('/asset_categories', { name: 'laptops', icon: 'fas fa-skull' })), [
    422,
    'icon not_allowed',
    'name taken',
  ])
  for (const path of [`/asset_categories/${category.id}`, `/locations/${location.id}`])
    assert.equal((await service.delete(path)).body.code, 'in_use')
  assert.equal((await service.delete(`/assets/${id}`)).status, 204)
})

test('an asset with assignments can be retired but not deleted', async () => {
  const one = await service.hire()
  const { id } = await asset()
  const assignment = await issued(id, one.id, '2030-01-01')
  const refused = await service.delete(`/assets/${id}`)
  assert.deepEqual([refused.status, refused.body.code], [409, 'in_use'])
  assert.deepEqual(codes(await service.put(`/assets/${id}`, { retired_on: '2036-01-01' })), [422, 'retired_on in_use'])
  await service.put(`/asset_assignments/${assignment.id}`, { returned_on: '2035-01-01' })
  assert.deepEqual(codes(await service.put(`/assets/${id}`, { retired_on: '2034-12-31' })), [422, 'retired_on in_use'])
  assert.equal((await service.put(`/assets/${id}`, { retired_on: '2035-01-01' })).body.data.state, 'retired')
  for (const [from, to] of [
    ['2036-01-01', undefined],
    ['2035-01-01', undefined],
    ['2035-01-01', '2035-01-02'],
    ['2040-01-01', '2040-01-01'],
  ] as const)
    assert.deepEqual(codes(await issue(id, one.id, from, to)), [422, 'returned_on too_late'])
  const again = await service.put(`/asset_assignments/${assignment.id}`, { returned_on: null })
  assert.deepEqual(codes(again), [422, 'returned_on too_late'])
  assert.equal((await show(id, '?on=2034-06-01')).holder.id, one.id)
  assert.equal((await service.put(`/assets/${id}`, { retired_on: '' })).body.data.state, 'available')
  assert.equal((await issue(id, one.id, '2036-01-01')).status, 201)
})

test('an asset has one holder at a time; a return and a new issue on one day are allowed', async () => {
  const [ada, bob] = [await service.hire(), await service.hire()]
  const { id } = await asset()
  const other = await asset()
  const first = await issued(id, ada.id, '2030-02-01', '2030-02-10')
  for (const [from, to] of [
    ['2030-02-09', '2030-02-20'],
    ['2030-01-01', '2030-02-02'],
    ['2030-01-01', undefined],
    ['2030-02-03', '2030-02-03'],
    ['2030-02-01', '2030-02-10'],
  ] as const)
    assert.deepEqual(codes(await issue(id, bob.id, from, to)), [422, 'issued_on overlap'], `${from} to ${to}`)
  const second = await issued(id, bob.id, '2030-02-10', '2030-03-01')
  assert.equal((await show(id, '?on=2030-02-10')).holder.id, bob.id, 'on the day it changes hands the new one has it')
  assert.equal((await show(id, '?on=2030-02-09')).holder.id, ada.id)
  assert.equal((await show(id, '?on=2030-03-01')).state, 'available', 'on the day it came back it is at hand')
  for (const change of [{ issued_on: '2030-02-09' }, { asset_id: id, issued_on: '2030-01-01', returned_on: null }])
    assert.deepEqual(codes(await service.put(`/asset_assignments/${second.id}`, change)), [422, 'issued_on overlap'])
  const open = await service.put(`/asset_assignments/${first.id}`, { returned_on: '' })
  assert.deepEqual(codes(open), [422, 'issued_on overlap'])
  const elsewhere = await issued(other.id, ada.id, '2030-02-05')
  const moved = await service.put(`/asset_assignments/${elsewhere.id}`, { asset_id: id })
  assert.deepEqual(codes(moved), [422, 'issued_on overlap'])
  assert.deepEqual(codes(await issue(id, ada.id, '2031-02-01', '2031-01-31')), [422, 'returned_on too_early'])
  const bad = await service.post('/asset_assignments', { asset_id: id, user_id: 99_999, issued_on: '2030-02-30' })
  assert.deepEqual(codes(bad), [422, 'issued_on invalid', 'user_id not_found'])
  assert.equal((await service.delete(`/asset_assignments/${first.id}`)).status, 204)
  assert.equal((await service.put(`/asset_assignments/${second.id}`, { issued_on: '2030-02-09' })).status, 200)
})

test('of two concurrent issues one is rejected', async () => {
  for (let round = 0; round < 5; round++) {
    const [one, two, { id }] = [await service.hire(), await service.hire(), await asset()]
    const answers = await Promise.all([one, two].map((who) => issue(id, who.id, '2036-01-01')))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422])
  }
})

test('a leaver cannot be issued an asset, and assets they still hold can be found', async () => {
  const leaver = await service.hire({ hired_on: '2030-01-01' })
  const stayer = await service.hire()
  const [kept, back, theirs] = [await asset(), await asset(), await asset()]
  await issued(kept.id, leaver.id, '2031-01-01')
  await issued(back.id, leaver.id, '2031-01-01', '2033-12-20')
  await issued(theirs.id, stayer.id, '2031-01-01')
  await service.post(`/employees/${leaver.id}/terminate`, { effective_from: '2034-01-01' })
  const { id } = await asset()
  assert.deepEqual(codes(await issue(id, leaver.id, '2034-01-01')), [422, 'user_id terminated'])
  assert.deepEqual(codes(await issue(id, leaver.id, '2035-05-05')), [422, 'user_id terminated'])
  const past = await issued(id, leaver.id, '2033-12-31', '2034-02-01')
  assert.deepEqual(codes(await service.put(`/asset_assignments/${past.id}`, { issued_on: '2034-01-15' })), [
    422,
    'user_id terminated',
  ])
  const late = await service.put(`/asset_assignments/${past.id}`, { user_id: leaver.id, returned_on: '2034-03-01' })
  assert.equal(late.status, 200, 'what they had they may bring back after they left')
  const still = await ids('/assets?holder_status=terminated')
  assert.deepEqual([still.includes(kept.id), still.includes(back.id), still.includes(theirs.id)], [true, false, false])
  assert.ok((await ids('/assets?holder_status=active')).includes(theirs.id))
  assert.ok(!(await ids('/assets?holder_status=terminated&on=2033-12-31')).includes(kept.id))
  const planned = await service.hire({ hired_on: '2030-01-01' })
  await service.post(`/employees/${planned.id}/terminate`, { effective_from: '2037-01-01' })
  const soon = await asset()
  assert.deepEqual(codes(await issue(soon.id, planned.id, '2037-01-01')), [422, 'user_id terminated'])
  assert.equal((await issue(soon.id, planned.id, TODAY)).status, 201)
})

test('a return is today or on a given date, can be before a planned one, and happens once', async () => {
  const [ada, bob] = [await service.hire(), await service.hire()]
  const { id } = await asset()
  const first = await issued(id, ada.id, '2036-01-01')
  const back = (of: any, body?: object) => service.post(`/asset_assignments/${of.id}/return`, body)
  const early = await back(first, { returned_on: '2035-12-31' })
  assert.deepEqual(codes(early), [422, 'returned_on too_early'])
  assert.equal((await back(first)).body.data.returned_on, TODAY)
  assert.equal((await show(id)).state, 'available')
  assert.equal((await back(first)).status, 409)
  const second = await issued(id, bob.id, TODAY, '2036-12-31')
  assert.equal((await show(id)).holder.id, bob.id)
  assert.equal((await back(second, { returned_on: '2036-07-01' })).body.data.returned_on, '2036-07-01')
  assert.equal((await back(second, { returned_on: '2036-08-01' })).status, 409)
})

test('a lost asset has no holder and cannot be issued until it is found', async () => {
  const [ada, bob] = [await service.hire(), await service.hire()]
  const { id } = await asset()
  const held = await issued(id, ada.id, '2034-01-01')
  const losses = `/assets/${id}/losses`
  assert.deepEqual(codes(await service.post(losses, { lost_on: '2036-06-16' })), [422, 'lost_on in_the_future'])
  assert.deepEqual(codes(await service.post(losses, { lost_on: '2033-12-31' })), [422, 'lost_on overlap'])
  const loss = await service.make(losses, { lost_on: '2035-05-05', note: 'Left on a train' })
  assert.equal((await service.get(`/asset_assignments/${held.id}`)).body.data.returned_on, '2035-05-05')
  const shown = await show(id)
  assert.deepEqual([shown.state, shown.holder, shown.loss.note], ['lost', null, 'Left on a train'])
  assert.equal((await show(id, '?on=2035-05-04')).holder.id, ada.id)
  assert.equal((await show(id, '?on=2035-05-05')).state, 'lost')
  for (const [from, to] of [
    ['2036-01-01', undefined],
    ['2035-05-04', '2035-05-06'],
  ] as const)
    assert.deepEqual(codes(await issue(id, bob.id, from, to)), [422, 'issued_on overlap'])
  const reopened = await service.put(`/asset_assignments/${held.id}`, { returned_on: null })
  assert.deepEqual(codes(reopened), [422, 'issued_on overlap'])
  assert.deepEqual(codes(await service.post(losses, { lost_on: '2035-06-01' })), [422, 'lost_on overlap'])
  const found = await service.put(`${losses}/${loss.id}`, { found_on: '2035-05-04' })
  assert.deepEqual(codes(found), [422, 'found_on too_early'])
  assert.equal((await service.put(`${losses}/${loss.id}`, { found_on: '2035-08-01' })).status, 200)
  const next = await issued(id, bob.id, '2035-08-01')
  assert.equal((await show(id, '?on=2035-07-31')).state, 'lost', 'that it was lost stays true')
  for (const change of [{ found_on: null }, { found_on: '2035-08-02' }, { lost_on: '2033-12-31' }])
    assert.deepEqual(codes(await service.put(`${losses}/${loss.id}`, change)), [422, 'lost_on overlap'])
  assert.equal((await service.put(`${losses}/${loss.id}`, { note: 'It was in the cellar' })).status, 200)
  assert.equal((await show(id)).assignment.id, next.id, 'and ends nothing that came later')
  assert.equal((await service.delete(`${losses}/${loss.id}`)).status, 204)
  assert.equal((await service.get(`/asset_assignments/${held.id}`)).body.data.returned_on, '2035-05-05')
})

test('assets are found by location, category, code, serial number, state, holder and words, on any date', async () => {
  const [ada, bob] = [await service.hire(), await service.hire()]
  const phones = await service.make('/asset_categories', { name: 'Phones', icon: 'far fa-mobile' })
  const lyon = await service.make('/locations', { name: 'Lyon' })
  const at = { asset_category_id: phones.id, location_id: lyon.id }
  const red = await asset({ ...at, name: 'Red phone', code: 'PH-1', serial_number: 'ZX-Ünique' })
  const blue = await asset({ ...at, name: 'Blue phone', code: 'PH-2' })
  const grey = await asset({ ...at, name: 'Grey phone', code: 'PH-3', retired_on: '2036-01-01' })
  const gone = await asset({ ...at, name: 'White phone', code: 'PH-4' })
  await issued(red.id, ada.id, '2035-01-01', '2036-01-01')
  await issued(red.id, bob.id, '2036-01-01')
  await service.make(`/assets/${gone.id}/losses`, { lost_on: '2036-02-01' })
  const all = [red.id, blue.id, grey.id, gone.id]
  const found = (query: string) => ids(`/assets?${query}`)
  for (const query of [
    `asset_category_id=${phones.id}`,
    `asset_category_ids=${phones.id},99999`,
    `location_id=${lyon.id}`,
    `location_ids[]=${lyon.id}`,
  ])
    assert.deepEqual(await found(query), all, query)
  assert.deepEqual(await found('code=ph-2'), [blue.id])
  assert.deepEqual(await found('serial_number=zx-ünique'), [red.id])
  assert.deepEqual(
    [await found('q=zx unique'), await found('q=phon gre'), await found('q=PH 4')],
    [[red.id], [grey.id], [gone.id]],
  )
  const states = (query = '') =>
    Promise.all(
      ['available', 'assigned', 'lost', 'retired'].map((state) =>
        found(`location_id=${lyon.id}&state=${state}${query}`),
      ),
    )
  assert.deepEqual(await states(), [[blue.id], [red.id], [gone.id], [grey.id]])
  assert.deepEqual(await states('&on=2035-06-01'), [[blue.id, grey.id, gone.id], [red.id], [], []])
  assert.deepEqual(await states('&on=2034-06-01'), [all, [], [], []])
  assert.deepEqual([await found(`user_id=${bob.id}`), await found(`user_id=${ada.id}`)], [[red.id], []])
  assert.deepEqual(await found(`user_id=${ada.id}&on=2035-12-31`), [red.id])
  const theirs = await service.get(`/employees/${ada.id}/assets?on=2035-12-31`)
  assert.deepEqual(
    theirs.body.data.map((one: any) => [one.id, one.assignment.issued_on, one.holder.id]),
    [[red.id, '2035-01-01', ada.id]],
  )
  assert.deepEqual((await service.get(`/employees/${ada.id}/assets`)).body.data, [])
  assert.equal((await service.get('/employees/99999/assets')).status, 404)
  assert.equal((await service.get('/assets?on=2035-02-30')).status, 400)
  assert.equal((await service.get('/assets?state=')).status, 400)
})

test('assignments are filtered by asset, person, dates and holder on a date', async () => {
  const [ada, bob, one, two] = [await service.hire(), await service.hire(), await asset(), await asset()]
  const first = await issued(one.id, ada.id, '2010-01-01', '2010-02-01')
  const second = await issued(one.id, bob.id, '2010-02-01')
  const third = await issued(two.id, ada.id, '2010-03-01', '2010-04-01')
  const found = (query: string) => ids(`/asset_assignments?${query}`)
  assert.deepEqual(await found(`asset_id=${one.id}`), [first.id, second.id])
  assert.deepEqual(await found(`asset_ids=${one.id},${two.id}&user_id=${ada.id}`), [first.id, third.id])
  assert.deepEqual(await found(`user_ids[]=${bob.id}`), [second.id])
  assert.deepEqual(await found('issued_on[gte]=2010-02-01&issued_on[lte]=2010-03-01'), [second.id, third.id])
  assert.deepEqual(await found('returned_on[gte]=2010-02-01&returned_on[lte]=2010-04-01'), [first.id, third.id])
  assert.deepEqual(await found('held_on=2010-02-01'), [second.id])
  assert.deepEqual(await found('held_on=2010-03-31'), [second.id, third.id])
  assert.deepEqual(await found(`asset_id=${one.id}&returned=false`), [second.id])
})

test('erasing a person keeps the assignment of an asset without their name', async () => {
  const one = await service.hire({ first_name: 'Zqerased' })
  const [kept, back] = [await asset(), await asset()]
  await issued(kept.id, one.id, '2035-01-01')
  await issued(back.id, one.id, '2035-01-01', '2035-02-01')
  assert.equal((await service.delete(`/employees/${one.id}`)).status, 409)
  const { stays } = (await service.get(`/employees/${one.id}/erasure`)).body.data
  assert.equal(stays.find((part: any) => part.what === 'asset_assignments').count, 2)
  assert.equal((await service.delete(`/employees/${one.id}?erase=true`)).status, 204)
  const shown = await show(kept.id)
  assert.deepEqual([shown.state, shown.holder.full_name], ['assigned', 'Erased person'])
  assert.equal((await show(back.id)).asset_assignments[0].user.full_name, 'Erased person')
  assert.ok((await ids('/assets?holder_status=terminated')).includes(kept.id), 'it is still to come back')
  assert.ok(!JSON.stringify(await show(back.id)).includes(one.full_name))
})

test('assets need their own permission, and read permission does not allow writes', async () => {
  const { id } = await asset()
  const reader = await service.keyWith({ permissions: ['assets:read'] })
  const tasks = await service.keyWith({ permissions: ['tasks:*', 'employees:*'] })
  assert.equal((await service.get(`/assets/${id}`, { key: reader })).status, 200)
  assert.equal((await service.put(`/assets/${id}`, { name: 'X' }, { key: reader })).status, 403)
  const { id: someone } = await service.hire()
  for (const path of ['/assets', `/employees/${someone}/assets`, '/asset_assignments'])
    assert.equal((await service.get(path, { key: tasks })).status, 403)
})
