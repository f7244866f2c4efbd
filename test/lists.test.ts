import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, startService } from './harness.ts'

let service: Service
before(async () => {
  service = await startService()
  for (let n = 1; n <= 120; n++) await service.post('/divisions', { name: `Division ${n}` })
})
after(() => service.stop())

const figures = (page: number, items: number, count = 120, pages = 3) => ({ page, pages, count, items })

test('120 records come in pages of 50, 50 and 20, in the order of ids', async () => {
  const seen: number[] = []
  for (const [page, items] of [
    [1, 50],
    [2, 50],
    [3, 20],
  ] as const) {
    const { status, body } = await service.get(`/divisions?page=${page}`)
    assert.equal(status, 200)
    assert.equal(body.data.length, items)
    seen.push(...body.data.map((division: any) => division.id))
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 120 }, (_, index) => index + 1),
  )
})

test('the four figures stand under metadata and under metadata.pagination', async () => {
  const { body } = await service.get('/divisions?page=3')
  assert.deepEqual(body.metadata, { ...figures(3, 20), pagination: figures(3, 20) })
})

test('a page past the end is empty and tells the true figures', async () => {
  const { status, body } = await service.get('/divisions?page=4')
  assert.equal(status, 200)
  assert.deepEqual(body, { data: [], metadata: { ...figures(4, 0), pagination: figures(4, 0) } })
})

test('an empty list has one page, so that reading until the last page ends', async () => {
  const { body } = await service.get('/job_levels')
  assert.deepEqual(body.metadata.pagination, figures(1, 0, 0, 1))
})

test('after deletions pages are still full, in order and without gaps or repeats', async () => {
  for (const id of [1, 17, 50, 51, 120]) assert.equal((await service.delete(`/divisions/${id}`)).status, 204)
  const ids: number[] = []
  for (const page of [1, 2, 3])
    ids.push(...(await service.get(`/divisions?page=${page}`)).body.data.map((one: any) => one.id))
  assert.deepEqual(
    ids,
    Array.from({ length: 120 }, (_, index) => index + 1).filter((id) => ![1, 17, 50, 51, 120].includes(id)),
  )
  assert.deepEqual((await service.get('/divisions?page=3')).body.metadata.pagination, figures(3, 15, 115))
})

test('lists of ids are read in all three spellings', async () => {
  for (let n = 1; n <= 3; n++) await service.post('/employees', { first_name: 'A', last_name: `B${n}` })
  for (const query of ['ids[]=1&ids[]=3', 'ids=1&ids=3', 'ids=1,3', 'ids%5B%5D=1&ids%5B%5D=3']) {
    const { body } = await service.get(`/employees?${query}`)
    assert.deepEqual(
      body.data.map((one: any) => one.id),
      [1, 3],
      query,
    )
  }
})

test('a page costs the same number of statements whatever its number and the size of the table', async () => {
  const count = async (path: string) => {
    const statements: string[] = []
    service.database.onStatement = (statement) => statements.push(statement)
    await service.get(path)
    service.database.onStatement = undefined
    return statements.filter((one) => !/^(begin|commit|start transaction)|api_key_uses/.test(one))
  }
  const first = await count('/divisions?page=1')
  assert.equal(first.length, 3, first.join('\n'))
  assert.equal((await count('/divisions?page=3')).length, 3)
  assert.ok(!first.some((statement) => /count\(/.test(statement)), 'an unfiltered list does not count its rows')
})

test('both prefixes answer alike', async () => {
  const one = await service.get('/api/public/v3/divisions?page=2')
  const two = await service.get('/api/v3/divisions?page=2')
  assert.equal(one.text, two.text)
})
