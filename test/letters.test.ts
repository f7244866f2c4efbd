import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tableOf } from '../src/engine/resource.ts'
import { resources } from '../src/operations.ts'
import { textJobHandlers } from '../src/records/search-words.ts'
import { fold, foldCase } from '../src/records/text-folding.ts'
import { type Service, startService } from './harness.ts'

/** Names are sorted and found by their letters, with accents or without, in the same order on both engines. */

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

const SORTED = [
  'Aalto',
  'abel',
  'Angstrom',
  'Ångström',
  'Ångström b',
  'Anna',
  'Łaski',
  'Lukas',
  'Łukasz',
  'Lux',
  'Öztürk',
  'Ozu',
  'Strasse',
  'Straße',
  'Zoë',
  'Zorn',
  'Ґалаґан',
  'Еней',
  'Єва',
  'Ива',
  'Іван',
  'Їжак',
  'Йосип',
  'Кий',
]

test('names are sorted by letter first, then by accent', async () => {
  const mixed = [...SORTED].sort((a, b) => (a.length % 3) - (b.length % 3) || (a < b ? 1 : -1))
  for (const name of mixed) {
    await service.make('/divisions', { name })
    await service.hire({ first_name: name, last_name: name })
  }
  const names = async (path: string, name: string) =>
    (await service.get(path)).body.data.map((one: Record<string, string>) => one[name])
  assert.deepEqual(await names('/divisions?sort=name', 'name'), SORTED)
  assert.deepEqual(await names('/divisions?sort=-name', 'name'), [...SORTED].reverse())
  assert.deepEqual(await names('/employees?sort=last_name', 'last_name'), SORTED)
  assert.deepEqual(await names('/employees?sort=first_name', 'first_name'), SORTED)
})

test('uniqueness respects accents and ignores case', async () => {
  assert.equal((await service.post('/divisions', { name: 'ångström' })).status, 422)
  assert.equal((await service.post('/divisions', { name: 'Lukasz' })).status, 201)
  const texts = [...SORTED, 'lukasz', 'ŁUKASZ', 'İ', 'i', 'ﬁ', 'fi', 'Ａ', 'a', 'ß', 'ss', 'é', 'e\u0301', 'й', 'и']
  for (const one of texts)
    for (const other of texts)
      assert.equal(fold(one) === fold(other), foldCase(one) === foldCase(other), `${one} ${other}`)
})

test('search matches letters without their accents', async () => {
  for (const [q, name] of [
    ['luk', 'Łukasz'],
    ['ŁUK', 'Lukas'],
    ['angs', 'Ångström'],
    ['strasse', 'Straße'],
    ['straß', 'Strasse'],
    ['ozt', 'Öztürk'],
  ] as const) {
    const { body } = await service.get(`/employees?q=${encodeURIComponent(q)}&per_page=100`)
    assert.ok(
      body.data.some((one: any) => one.last_name === name),
      `${q} finds ${name}`,
    )
  }
  const all = (await service.get('/employees?status=all')).body.metadata.count
  assert.equal((await service.get('/employees?status=all&q=')).body.metadata.count, all, 'nothing narrows nothing')
})

test('sort keys and search words of an earlier version are rebuilt', async () => {
  const { database, account } = service
  const before = (await service.get('/divisions?sort=name')).body.data
  await database.write(async (sql) => {
    for (const { id, name } of before)
      await sql
        .updateTable('divisions')
        .set({ name_key: foldCase(name) })
        .where('id', '=', id)
        .execute()
    await sql.deleteFrom('search_words').where('word', 'like', 'luk%').execute()
  })
  const handlers = textJobHandlers(database, resources.map(tableOf))
  await handlers.fold_keys?.({}, account.id)
  await handlers.index_words?.({}, account.id)
  assert.deepEqual((await service.get('/divisions?sort=name&per_page=99')).body.data, before)
  assert.ok((await service.get('/employees?q=luk&per_page=98')).body.metadata.count >= 2)
})
