import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fc } from '../chance.ts'
import { type Service, startService } from '../harness.ts'
import { rounds } from '../thorough.ts'

const LENGTH = rounds(300, 1000)
let service: Service
const chain: number[] = []

before(async () => {
  service = await startService()
  for (let n = 0; n < LENGTH; n++) {
    const answer = await service.post('/employees', {
      first_name: 'Link',
      last_name: String(n),
      ...(n ? { reporting_to_id: chain[n - 1] } : {}),
    })
    assert.equal(answer.status, 201, answer.text)
    chain.push(answer.body.data.id)
  }
})
after(() => service.stop())

test(`a chain of ${LENGTH} managers cannot be closed to a cycle at any length`, async () => {
  for (const below of [0, 1, 2, 3, 5, 8, 13, 21, 50, 100, 250, 500, 750, LENGTH - 2, LENGTH - 1]) {
    if (below >= LENGTH) continue
    const answer = await service.put(`/employees/${chain[0]}`, { reporting_to_id: chain[below] })
    assert.equal(answer.status, 422, `length ${below + 1}`)
    assert.equal(answer.body.errors[0].code, 'cycle')
    const dated = await service.post(`/employees/${chain[0]}/positions`, {
      effective_from: '2050-01-01',
      reporting_to_id: chain[below],
    })
    assert.equal(dated.body.errors?.[0].code, 'cycle', `length ${below + 1}, dated`)
  }
})

test('the cycle check takes the same number of statements at any chain length', async () => {
  const count = async (person: number, reporting_to_id: number) => {
    let statements = 0
    service.onStatement = () => statements++
    await service.put(`/employees/${person}`, { reporting_to_id })
    service.onStatement = undefined
    return statements
  }
  assert.equal(
    await count(chain[0] as number, chain[1] as number),
    await count(chain[0] as number, chain.at(-1) as number),
  )
})

test('a subtree moves with its root, and then its old place may report to it', async () => {
  const half = LENGTH / 2
  const [top, middle, last] = [chain[0], chain[half], chain.at(-1)] as [number, number, number]
  assert.equal((await service.put(`/employees/${middle}`, { reporting_to_id: null })).status, 200)
  assert.equal((await service.put(`/employees/${top}`, { reporting_to_id: last })).status, 200)
  assert.equal(
    (await service.put(`/employees/${middle}`, { reporting_to_id: chain[half - 1] })).body.errors[0].code,
    'cycle',
  )
})

test('reporting lines that do not overlap in time make no cycle; an overlap of one day does', async () => {
  const [a, b] = [
    (await service.post('/employees', { first_name: 'A', last_name: 'A' })).body.data.id,
    (await service.post('/employees', { first_name: 'B', last_name: 'B' })).body.data.id,
  ]
  const enter = (who: number, effective_from: string, reporting_to_id: number | null) =>
    service.post(`/employees/${who}/positions`, { effective_from, reporting_to_id })
  assert.equal((await enter(a, '2050-01-01', b)).status, 201)
  assert.equal((await enter(a, '2050-02-01', null)).status, 201)
  assert.equal((await enter(b, '2050-01-31', a)).body.errors?.[0].code, 'cycle')
  assert.equal((await enter(b, '2050-02-01', a)).status, 201)
  assert.equal((await enter(a, '2050-03-01', b)).body.errors?.[0].code, 'cycle')
})

test('of two people who concurrently make each other manager, one is rejected', async () => {
  for (let round = 0; round < 10; round++) {
    const [a, b] = [
      (await service.post('/employees', { first_name: 'A', last_name: 'A' })).body.data.id,
      (await service.post('/employees', { first_name: 'B', last_name: 'B' })).body.data.id,
    ]
    const answers = await Promise.all([
      service.put(`/employees/${a}`, { reporting_to_id: b }),
      service.put(`/employees/${b}`, { reporting_to_id: a }),
    ])
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 422])
  }
})

test('no random change, move, deletion or bulk update makes anybody report to themselves on any day', async () => {
  const day = (n: number) => `2051-01-${String(n + 1).padStart(2, '0')}`
  type Lines = Map<number, Map<string, number | null>>
  const managerOn = (lines: Lines, who: number, on: string) => {
    const days = [...(lines.get(who)?.keys() ?? [])].filter((from) => from <= on).sort()
    return days.length > 0 ? (lines.get(who)?.get(days.at(-1) as string) ?? null) : null
  }
  const hasCircle = (lines: Lines) =>
    [...lines.keys()].some((who) =>
      Array.from({ length: 8 }, (_, n) => day(n)).some((on) => {
        const seen = new Set<number>()
        for (let up: number | null = who; up !== null; up = managerOn(lines, up, on)) {
          if (seen.has(up)) return true
          seen.add(up)
        }
        return false
      }),
    )
  const actions = fc.array(
    fc.record({
      kind: fc.constantFrom('add', 'add', 'move', 'change', 'drop'),
      who: fc.nat(2),
      manager: fc.option(fc.nat(2)),
      at: fc.nat(5),
      to: fc.nat(5),
    }),
    { minLength: 5, maxLength: 12 },
  )
  await fc.assert(
    fc.asyncProperty(actions, async (all) => {
      const people = [await service.hire(), await service.hire(), await service.hire()].map((one) => one.id as number)
      const lines: Lines = new Map(people.map((id) => [id, new Map()]))
      const ids = new Map<string, number>()
      for (const { kind, who, manager, at, to } of all) {
        const id = people[who] as number
        const reporting_to_id = manager === null ? null : (people[manager] as number)
        const own = lines.get(id) as Map<string, number | null>
        const slot = `${id} ${day(at)}`
        const exists = own.has(day(at))
        if ((kind === 'add') === exists || (kind === 'move' && own.has(day(to)))) continue
        const next: Lines = new Map([...lines].map(([key, value]) => [key, new Map(value)]))
        const changed = next.get(id) as Map<string, number | null>
        const old = changed.get(day(at)) ?? null
        if (kind === 'drop' || kind === 'move') changed.delete(day(at))
        if (kind === 'add' || kind === 'change') changed.set(day(at), reporting_to_id)
        if (kind === 'move') changed.set(day(to), old)
        const path = `/employees/${id}/positions`
        const answer =
          kind === 'add'
            ? await service.post(path, { effective_from: day(at), reporting_to_id })
            : kind === 'change'
              ? await service.put(`${path}/${ids.get(slot)}`, { reporting_to_id })
              : kind === 'move'
                ? await service.put(`${path}/${ids.get(slot)}`, { effective_from: day(to) })
                : await service.delete(`${path}/${ids.get(slot)}`)
        const isRefused = hasCircle(next)
        const status = isRefused ? (kind === 'drop' ? 409 : 422) : ({ add: 201, drop: 204 }[kind as string] ?? 200)
        assert.equal(answer.status, status, `${kind} ${slot}: ${answer.text}`)
        if (isRefused) continue
        for (const [key, value] of next) lines.set(key, value)
        if (kind === 'add') ids.set(slot, answer.body.data.id)
        if (kind === 'move') ids.set(`${id} ${day(to)}`, ids.get(slot) as number)
      }
    }),
    { numRuns: rounds(15, 1000) },
  )
})
