import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fc, SEED } from '../chance.ts'
import { type Service, startService } from '../harness.ts'

let service: Service
before(async () => {
  service = await startService({ clock: () => new Date('2036-06-15T12:00:00Z') })
})
after(() => service.stop())

const chart = async (query = '', key = service.key) => {
  const answer = await service.get(`/org_chart${query}`, { key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

const hire = (last_name: string, reporting_to_id?: number, values = {}) =>
  service.hire({
    first_name: 'P',
    last_name,
    hired_on: '2030-01-01',
    ...(reporting_to_id ? { reporting_to_id } : {}),
    ...values,
  })

test('everybody follows their manager, with counts of reports; leavers are skipped', async () => {
  const department_id = (await service.make('/departments', { name: 'Works' })).id
  await service.make('/departments', { name: 'Nobody is here' })
  const top = await hire('Top')
  const middle = await hire('Middle', top.id, { department_id })
  const low = await hire('Low', middle.id)
  const lower = await hire('Lower', low.id)
  const other = await hire('Another root')
  const coming = await hire('Coming', top.id, { hired_on: '2036-07-01' })
  const shape = ({ people }: any) => people.map((one: any) => [one.name, one.manager_id, one.direct, one.all])
  assert.deepEqual(shape(await chart()), [
    ['P Another root', null, 0, 0],
    ['P Top', null, 1, 3],
    ['P Middle', top.id, 1, 2],
    ['P Low', middle.id, 1, 1],
    ['P Lower', low.id, 0, 0],
  ])
  const { departments, people } = await chart()
  assert.deepEqual(departments, [{ id: department_id, name: 'Works' }])
  assert.equal(people[2].department_id, department_id)
  // Both between have left by then, the one of them while the other was there.
  await service.post(`/employees/${low.id}/terminate`, { effective_from: '2036-06-10' })
  await service.post(`/employees/${middle.id}/terminate`, { effective_from: '2036-06-15' })
  assert.deepEqual(shape(await chart()), [
    ['P Another root', null, 0, 0],
    ['P Top', null, 1, 1],
    ['P Lower', top.id, 0, 0],
  ])
  const then = await chart('?as_of=2036-06-12')
  assert.equal(then.people.find((one: any) => one.id === lower.id).manager_id, middle.id)
  const later = await chart('?as_of=2036-07-01')
  assert.equal(later.people.find((one: any) => one.id === coming.id).manager_id, top.id)
  assert.equal(other.id > 0, true)
})

test('the org chart of another date needs employees:read', async () => {
  const key = await service.keyWith({ permissions: ['directory:read'] })
  await chart('', key)
  await chart('?as_of=2036-06-15', key)
  assert.equal((await service.get('/org_chart?as_of=2036-06-14', { key })).status, 403)
  assert.equal((await chart('?as_of=2036-06-16', key)).as_of, '2036-06-15', 'what is to come is shown as of today')
  const both = await service.keyWith({ permissions: ['directory:read', 'employees:read'] })
  assert.equal((await chart('?as_of=2036-06-16', both)).as_of, '2036-06-16')
  for (const day of ['', '2036-02-30', 'tomorrow'])
    assert.equal((await service.get(`/org_chart?as_of=${day}`)).status, 400, day)
})

/** Who stands where, found by walking up from each person. */
function naive(people: { id: number; manager: number | null; from: string; until: string | null }[], day: string) {
  const isHere = (id: number) =>
    people.some((one) => one.id === id && one.from <= day && (!one.until || one.until > day))
  const managerOf = (id: number) => people.find((one) => one.id === id)?.manager ?? null
  const above = (id: number) => {
    let next = managerOf(id)
    while (next !== null && !isHere(next)) next = managerOf(next)
    return next
  }
  const here = people.filter((one) => isHere(one.id)).map((one) => one.id)
  const isBelow = (id: number, top: number): boolean => {
    const next = above(id)
    return next !== null && (next === top || isBelow(next, top))
  }
  return new Map(
    here.map((id) => [
      id,
      {
        manager_id: above(id),
        direct: here.filter((one) => above(one) === id).length,
        all: here.filter((one) => isBelow(one, id)).length,
      },
    ]),
  )
}

test('the chart of any day equals a naive walk up from each person, with subtrees kept together', async () => {
  const { key } = await service.otherAccount()
  const send = async (path: string, json: unknown) => {
    const answer = await service.post(path, json, { key })
    assert.ok(answer.status < 300, answer.text)
    return answer.body.data
  }
  const days = ['2030-01-01', '2031-01-01', '2032-01-01', '2033-01-01', '2034-01-01']
  const known: Parameters<typeof naive>[0] = []
  const person = fc.record({ above: fc.nat(20), from: fc.nat(3), until: fc.option(fc.nat(4)) })
  const staff = fc.sample(person, { numRuns: 14, seed: SEED })
  for (const [index, { above, from, until }] of staff.entries()) {
    const manager = above < 4 || index === 0 ? null : (known[above % index]?.id ?? null)
    const leaves = until !== null && until > from ? (days[until] as string) : null
    const names = { first_name: 'P', last_name: `N${index}`, hired_on: days[from] }
    const { id } = await send('/employees', { ...names, ...(manager ? { reporting_to_id: manager } : {}) })
    known.push({ id, manager, from: days[from] as string, until: leaves })
  }
  for (const { id, until } of known) if (until) await send(`/employees/${id}/terminate`, { effective_from: until })
  for (const day of days) {
    const { people } = await chart(`?as_of=${day}`, key)
    const found = new Map(people.map(({ id, manager_id, direct, all }: any) => [id, { manager_id, direct, all }]))
    const expected = naive(known, day)
    assert.deepEqual(new Map([...found].sort()), new Map([...expected].sort()))
    for (const [place, one] of people.entries()) {
      const below = people.slice(place + 1, place + 1 + one.all).map((report: any) => report.id)
      for (const id of below) assert.ok([one.id, ...below].includes(expected.get(id)?.manager_id as number))
    }
  }
})

test('the chart takes the same number of statements for any number of people', async () => {
  const { key } = await service.otherAccount()
  const count = async () => {
    let n = 0
    service.onStatement = () => void n++
    await chart('', key)
    service.onStatement = undefined
    return n
  }
  await count()
  const before = await count()
  await service.post('/employees', { first_name: 'A', last_name: 'B' }, { key })
  assert.equal(await count(), before)
  assert.ok(before <= 8, String(before))
})
