import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, startService } from '../harness.ts'

const LENGTH = 1000
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

test('a chain of 1,000 managers can be closed to a circle at no length', async () => {
  for (const below of [0, 1, 2, 3, 5, 8, 13, 21, 50, 100, 250, 500, 750, 998, 999]) {
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

test('the check costs the same number of statements however long the chain is', async () => {
  const count = async (person: number, reporting_to_id: number) => {
    let statements = 0
    service.database.onStatement = () => statements++
    await service.put(`/employees/${person}`, { reporting_to_id })
    service.database.onStatement = undefined
    return statements
  }
  assert.equal(
    await count(chain[0] as number, chain[1] as number),
    await count(chain[0] as number, chain[999] as number),
  )
})

test('a subtree moves with its root, and then its old place may report to it', async () => {
  const [top, middle, last] = [chain[0], chain[500], chain[999]] as [number, number, number]
  assert.equal((await service.put(`/employees/${middle}`, { reporting_to_id: null })).status, 200)
  assert.equal((await service.put(`/employees/${top}`, { reporting_to_id: last })).status, 200)
  assert.equal(
    (await service.put(`/employees/${middle}`, { reporting_to_id: chain[499] })).body.errors[0].code,
    'cycle',
  )
})

test('a line that is over, or not yet there, makes no circle; one that overlaps on a single day does', async () => {
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

test('two people who take each other as manager at once: one of them is refused', async () => {
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
