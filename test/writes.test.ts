import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ENGINE, type Service, startService } from './harness.ts'

/** Which statements a write runs, and which words it leaves. */

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

/** What a transaction begins and ends with, the key, and that it was used, which is noted once in a while. */
const FRAME =
  /^(begin|commit|savepoint|release|with recursive line|insert into "api_key_uses"|select\b.*"?secret_hashes)/s

async function statementsOf(work: () => Promise<{ status: number; text: string }>) {
  const all: { text: string; values: readonly unknown[] }[] = []
  service.onStatement = (text, values) => all.push({ text, values })
  const { status, text } = await work()
  service.onStatement = undefined
  assert.ok(status < 300, text)
  return all.filter((one) => !FRAME.test(one.text))
}

/** What is done to words: the words alone. */
const wordsIn = (statements: Awaited<ReturnType<typeof statementsOf>>) =>
  statements
    .filter(({ text }) => text.includes('search_words'))
    .map(({ text, values }) => [
      text.slice(0, 6),
      values.filter((value) => typeof value === 'string' && value !== 'employees'),
    ])

test('a create runs exactly the expected statements', async () => {
  const statements = await statementsOf(() => service.post('/divisions', { name: 'North Sea' }))
  assert.deepEqual(
    statements.map(
      ({ text }) =>
        /^(?:update|insert into|select)\b.*?\b(?:from |into |update )?"?(accounts|divisions|counters|search_words|ledger)/s.exec(
          text,
        )?.[1],
    ),
    ['accounts', 'divisions', 'counters', 'divisions', 'search_words', 'divisions', 'ledger', 'accounts'],
  )
})

test('hiring takes at most 16 statements, and a change at most 12', async () => {
  const hired = await statementsOf(() =>
    service.post('/employees', {
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada@example.com',
      hired_on: '2024-01-01',
    }),
  )
  assert.ok(hired.length <= 16, `${hired.length} to hire on ${ENGINE}`)
  const { id } = await service.hire()
  const changed = await statementsOf(() => service.put(`/employees/${id}`, { middle_name: 'Byron' }))
  assert.ok(changed.length <= 12, `${changed.length} to change on ${ENGINE}`)
})

test('only added and removed search words are written', async () => {
  const { id } = await service.hire({ first_name: 'Ada Augusta', last_name: 'Ada', email: 'countess@example.org' })
  const change = (values: object) => statementsOf(() => service.put(`/employees/${id}`, values))
  assert.deepEqual(wordsIn(await change({ hired_on: '2024-02-01' })), [])
  assert.deepEqual(wordsIn(await change({ last_name: 'ADA' })), [], 'the same word in another case')
  assert.deepEqual(wordsIn(await change({ first_name: 'Augusta' })), [], 'it stands in another field as well')
  assert.deepEqual(wordsIn(await change({ first_name: 'Augusta Maria' })), [['insert', ['maria']]])
  assert.deepEqual(wordsIn(await change({ last_name: 'King' })), [
    ['delete', [`${id} ada`]],
    ['insert', ['king']],
  ])
})

test('a changed person is found by their current words only, single and in bulk', async () => {
  const people = []
  for (const n of [1, 2, 3]) people.push(await service.hire({ first_name: 'Quill', last_name: `Old${n} Common` }))
  const found = async (q: string) =>
    (await service.get(`/employees?status=all&q=${q}`)).body.data.map((one: { id: number }) => one.id)
  const ids = people.map(({ id }) => id as number)
  // What one of them loses, another keeps.
  const data = ids.map((id, n) => ({ id, ...(n === 0 ? { first_name: 'Common' } : { last_name: `New${n}` }) }))
  assert.equal((await service.send('PATCH', '/employees/bulk', { json: { data } })).body.records.count, 3)
  assert.deepEqual(await found('quill'), ids.slice(1))
  assert.deepEqual(await found('common'), ids.slice(0, 1))
  assert.deepEqual([await found('old1'), await found('old2'), await found('old3')], [ids.slice(0, 1), [], []])
  assert.deepEqual([await found('new1'), await found('new2')], [[ids[1]], [ids[2]]])
  const kept = await service.database.query((sql) =>
    sql
      .selectFrom('search_words')
      .select(['record_id', 'word'])
      .where('record_id', 'in', ids)
      .where('resource', '=', 'employees')
      .where('word', 'in', ['quill', 'common', 'old1', 'old2', 'new1', 'new2'])
      .orderBy('record_id')
      .orderBy('word')
      .execute(),
  )
  assert.deepEqual(
    kept.map(({ record_id, word }) => `${ids.indexOf(record_id)} ${word}`),
    ['0 common', '0 old1', '1 new1', '1 quill', '2 new2', '2 quill'],
  )
})

test('an existing search word does not block a change', async () => {
  const { id } = await service.hire({ first_name: 'Early' })
  await service.database.write((sql) =>
    sql
      .insertInto('search_words')
      .values({ account_id: service.account.id, resource: 'employees', word: 'bird', record_id: id })
      .execute(),
  )
  assert.equal((await service.put(`/employees/${id}`, { middle_name: 'Bird' })).status, 200)
})
