import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, startService } from '../harness.ts'

const TODAY = '2036-06-15'
let service: Service
let kind: { asset_category_id: number; location_id: number }
let ada: any
let bob: any
before(async () => {
  service = await startService({ clock: () => new Date(`${TODAY}T12:00:00Z`) })
  const category = await service.make('/asset_categories', { name: 'Laptops', icon: 'fas fa-laptop' })
  kind = { asset_category_id: category.id, location_id: (await service.make('/locations', { name: 'Porto' })).id }
  ada = await service.hire()
  bob = await service.hire()
})
after(() => service.stop())

let count = 0
const asset = async (values: object = {}): Promise<number> =>
  (await service.make('/assets', { name: 'ThinkPad', code: `LS-${++count}`, ...kind, ...values })).id
const issue = (asset_id: number, user: any, issued_on: string, returned_on: string | null = null) =>
  service.make('/asset_assignments', { asset_id, user_id: user.id, issued_on, returned_on })
const endOf = async ({ id }: any) => (await service.get(`/asset_assignments/${id}`)).body.data.returned_on
const show = async (id: number, on = TODAY) => (await service.get(`/assets/${id}?on=${on}`)).body.data
const codes = ({ status, body }: { status: number; body: any }) => [
  status,
  ...(body?.errors ?? []).map(({ field, code }: any) => `${field} ${code}`).sort(),
]

test('deleting a loss restores the assignment until its planned return', async () => {
  for (const planned of [null, '2036-12-31']) {
    const id = await asset()
    const held = await issue(id, ada, '2036-01-01', planned)
    const loss = await service.make(`/assets/${id}/losses`, { lost_on: '2036-05-05' })
    assert.equal(await endOf(held), '2036-05-05')
    assert.equal((await service.delete(`/assets/${id}/losses/${loss.id}`)).status, 204)
    assert.equal(await endOf(held), planned)
    assert.equal((await show(id)).holder.id, ada.id)
  }
})

test('deleting a loss leaves a return that was changed since or came before it', async () => {
  const id = await asset()
  const held = await issue(id, ada, '2036-01-01')
  const loss = await service.make(`/assets/${id}/losses`, { lost_on: '2036-05-05' })
  await service.put(`/asset_assignments/${held.id}`, { returned_on: '2036-04-01' })
  await service.delete(`/assets/${id}/losses/${loss.id}`)
  assert.equal(await endOf(held), '2036-04-01')
  const again = await service.make(`/assets/${id}/losses`, { lost_on: '2036-04-01' })
  await service.delete(`/assets/${id}/losses/${again.id}`)
  assert.equal(await endOf(held), '2036-04-01', 'it came back on the day on which it was lost')
})

test('deleting a loss does not restore an asset that was reissued or retired', async () => {
  const id = await asset()
  const held = await issue(id, ada, '2036-01-01')
  const loss = await service.make(`/assets/${id}/losses`, { lost_on: '2036-02-01', found_on: '2036-03-01' })
  const next = await issue(id, bob, '2036-03-01')
  assert.equal((await service.put(`/assets/${id}/losses/${loss.id}`, { lost_on: '2036-02-10' })).status, 200)
  assert.equal(await endOf(held), '2036-02-10', 'up to the loss it was still with her')
  await service.delete(`/assets/${id}/losses/${loss.id}`)
  assert.deepEqual([await endOf(held), await endOf(next)], ['2036-02-10', null])
  const old = await asset()
  const last = await issue(old, ada, '2036-01-01')
  const gone = await service.make(`/assets/${old}/losses`, { lost_on: '2036-02-01' })
  await service.put(`/assets/${old}`, { retired_on: '2036-06-01' })
  await service.delete(`/assets/${old}/losses/${gone.id}`)
  assert.equal(await endOf(last), '2036-02-01')
})

test('the end of an assignment moves with the date of the loss that ended it', async () => {
  const id = await asset()
  const held = await issue(id, ada, '2036-01-01', '2036-12-31')
  const loss = await service.make(`/assets/${id}/losses`, { lost_on: '2036-05-05' })
  const move = (change: object) => service.put(`/assets/${id}/losses/${loss.id}`, change)
  for (const lost_on of ['2036-04-01', '2036-06-01', '2036-01-01']) {
    assert.equal((await move({ lost_on })).status, 200)
    assert.equal(await endOf(held), lost_on)
  }
  assert.deepEqual(codes(await move({ lost_on: '2035-12-31' })), [422, 'lost_on overlap'])
  assert.equal(await endOf(held), '2036-01-01', 'what is refused changes nothing')
  assert.equal((await move({ lost_on: '2035-11-01', found_on: '2035-12-01' })).status, 200)
  assert.equal(await endOf(held), '2036-12-31', 'lost before she had it, and found')
  assert.equal((await move({ lost_on: '2036-05-05', found_on: '2036-05-06' })).status, 200)
  assert.equal(await endOf(held), '2036-05-05')
  await service.delete(`/assets/${id}/losses/${loss.id}`)
  assert.equal(await endOf(held), '2036-12-31')
})

test('a lost asset cannot be returned, and an assignment ended by a loss can be deleted', async () => {
  const id = await asset()
  const held = await issue(id, ada, '2036-01-01')
  await service.make(`/assets/${id}/losses`, { lost_on: '2036-05-05' })
  const back = await service.post(`/asset_assignments/${held.id}/return`)
  assert.deepEqual(
    [back.status, back.body.detail ?? back.body.message],
    [409, 'The asset was already lost on 2036-05-05.'],
  )
  assert.equal((await service.delete(`/asset_assignments/${held.id}`)).status, 204)
  assert.equal((await show(id)).state, 'lost')
})

test('a loss can come before a planned return, but not before a past one', async () => {
  const id = await asset()
  const held = await issue(id, ada, '2036-01-01', '2037-01-01')
  const lost = await service.post(`/assets/${id}/losses`, { lost_on: '2036-02-01' })
  assert.equal(lost.status, 201, lost.text)
  assert.equal(await endOf(held), '2036-02-01')
  const other = await asset()
  await issue(other, ada, '2036-01-01', TODAY)
  const refused = await service.post(`/assets/${other}/losses`, { lost_on: '2036-02-01' })
  assert.deepEqual(codes(refused), [422, 'lost_on overlap'])
})

test('an assignment planned for later stays while the asset is lost and starts when it is found', async () => {
  let now = TODAY
  const later = await startService({ clock: () => new Date(`${now}T12:00:00Z`) })
  try {
    const category = await later.make('/asset_categories', { name: 'Laptops', icon: 'fas fa-laptop' })
    const { id: location_id } = await later.make('/locations', { name: 'Porto' })
    const { id } = await later.make('/assets', { name: 'X', code: 'X', asset_category_id: category.id, location_id })
    const [eve, max] = [await later.hire(), await later.hire()]
    const give = (user: any, issued_on: string) =>
      later.post('/asset_assignments', { asset_id: id, user_id: user.id, issued_on })
    const booked = (await give(eve, '2036-08-01')).body.data
    const lost = await later.post(`/assets/${id}/losses`, { lost_on: '2036-06-01' })
    assert.equal(lost.status, 201, lost.text)
    const loss = `/assets/${id}/losses/${lost.body.data.id}`
    const look = async (on: string) => {
      const { state, holder, assignment } = (await later.get(`/assets/${id}?on=${on}`)).body.data
      const lists = [
        `/assets?state=assigned&on=${on}`,
        `/assets?user_id=${eve.id}&on=${on}`,
        `/assets?holder_status=active&on=${on}`,
        `/employees/${eve.id}/assets?on=${on}`,
        `/asset_assignments?held_on=${on}`,
      ]
      const counts = []
      for (const path of lists) counts.push((await later.get(path)).body.data.length)
      assert.equal(new Set(counts).size, 1, `${counts}`)
      return [state, holder?.id ?? null, assignment?.id ?? null, counts[0]]
    }
    assert.deepEqual(await look('2036-09-01'), ['lost', null, null, 0])
    assert.deepEqual(codes(await give(max, '2036-07-01')), [422, 'issued_on overlap'], 'it cannot be booked now')
    now = '2036-09-01'
    assert.deepEqual(await look(now), ['lost', null, null, 0])
    const rebook = (issued_on: string) => later.put(`/asset_assignments/${booked.id}`, { issued_on })
    assert.equal((await rebook('2036-08-15')).status, 200, 'a booking can be moved in the loss')
    assert.deepEqual(codes(await rebook('2036-05-31')), [422, 'issued_on overlap'], 'but not before it')
    assert.equal((await later.put(loss, { note: 'Looked for everywhere' })).status, 200)
    assert.equal((await later.put(loss, { found_on: '2036-08-20' })).status, 200)
    assert.deepEqual(await look('2036-08-19'), ['lost', null, null, 0])
    assert.deepEqual(await look('2036-08-20'), ['assigned', eve.id, booked.id, 1])
  } finally {
    await later.stop()
  }
})

test('a retired asset cannot be lost or found, and cannot be retired before its loss ended', async () => {
  const id = await asset({ retired_on: '2036-03-01' })
  const lose = (lost_on: string, found_on: string | null = null) =>
    service.post(`/assets/${id}/losses`, { lost_on, found_on })
  assert.deepEqual(codes(await lose('2036-03-02')), [422, 'lost_on too_late'])
  assert.deepEqual(codes(await lose('2036-03-01')), [422, 'lost_on too_late'])
  assert.deepEqual(codes(await lose('2036-02-01', '2036-03-02')), [422, 'found_on too_late'])
  const lost = await lose('2036-02-01')
  assert.equal(lost.status, 201)
  const change = (values: object) => service.put(`/assets/${id}/losses/${lost.body.data.id}`, values)
  assert.deepEqual(codes(await change({ found_on: '2036-03-02' })), [422, 'found_on too_late'])
  assert.deepEqual(codes(await change({ lost_on: '2036-04-01' })), [422, 'lost_on too_late'])
  assert.equal((await change({ found_on: '2036-02-20' })).status, 200)
  const retire = (retired_on: string) => service.put(`/assets/${id}`, { retired_on })
  assert.deepEqual(codes(await retire('2036-02-19')), [422, 'retired_on in_use'])
  assert.deepEqual(codes(await retire('2036-01-01')), [422, 'retired_on in_use'])
  assert.equal((await retire('2036-02-20')).status, 200)
})

test('the note of a loss is hidden with the notes group', async () => {
  const id = await asset()
  const loss = await service.make(`/assets/${id}/losses`, { lost_on: '2036-02-01', note: 'Zqtrain' })
  const key = await service.keyWith({ permissions: ['assets:*'], withheld: ['notes'] })
  for (const path of [`/assets/${id}`, '/assets', `/assets/${id}/losses`, `/assets/${id}/losses/${loss.id}`]) {
    const answer = await service.get(path, { key })
    assert.equal(answer.status, 200, answer.text)
    assert.ok(!answer.text.includes('Zqtrain'), path)
  }
})
