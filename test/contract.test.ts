import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { AREAS } from '../src/domain/access/permissions.ts'
import type { Operation } from '../src/engine/operation.ts'
import { operations, resources } from '../src/operations.ts'
import { limitsOf } from '../src/surfaces/http/bodies.ts'
import { checkAnswer } from './declared.ts'
import { ENGINE, type Service, startService, withoutRequestId } from './harness.ts'
import { isForPeople, Samples } from './samples.ts'
import { isLong } from './thorough.ts'

/**
 * Refusals that are made before a handler is called, and the ways to spell a body, have nothing to do with the
 * database: they are tested on one engine. What reads or writes records is tested on both: on PostgreSQL this file runs in
 * the proofs, and `postgres/one-node.test.ts` calls every operation in the gate.
 */
const isOnce = ENGINE === 'sqlite'

let service: Service
let samples: Samples
let other: Samples
const keys = new Map<string, string>()

before(async () => {
  service = await startService()
  samples = new Samples(service)
  const { account, key } = await service.otherAccount()
  // Ids are counted in each account: the other's begin where the first account has none.
  const counters = resources.map(({ table }) => ({
    account_id: account.id,
    resource: table,
    last_id: 5_000_000,
    live: 0,
  }))
  await service.database.write(async (sql) => {
    await sql.deleteFrom('counters').where('account_id', '=', account.id).execute()
    await sql.insertInto('counters').values(counters).execute()
    await sql.updateTable('accounts').set({ ledger_no: 5_000_000 }).where('id', '=', account.id).execute()
  })
  // Some bodies name one that was made before.
  samples.lastApplication = (await samples.make('applications')).id
  other = new Samples(service, key)
  for (const area of AREAS) keys.set(area, await service.keyWith({ permissions: [`${area}:*`] }))
})
after(() => service.stop())

const unknownParams = (operation: Operation) =>
  Object.fromEntries(Object.keys(operation.params.properties).map((name) => [name, 987_654_321]))

const pathOf = ({ path }: Operation, params: Record<string, unknown>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))

/** The answer to a body that is announced to be so long, of which nothing is sent. */
function statusForLength(operation: Operation, params: Record<string, unknown>, length: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': service.key, 'content-type': 'application/json', 'content-length': length }
    const path = pathOf(operation, params)
    const address = new URL(path.startsWith('/api/') ? path : `/api/public/v3${path}`, service.url)
    const sent = request(address, { method: operation.method, headers, agent: false }, (answer) => {
      resolve(answer.statusCode ?? 0)
      sent.destroy()
    })
    sent.on('error', reject)
    sent.flushHeaders()
  })
}

/** Lists in pages: what a page is, all of them declare alike. */
const lists = operations.filter((one) => one.query.properties.page)

/**
 * What is refused before a handler is called, one function refuses for all operations, by what they declare. The gate asks
 * one operation of each area and method, and of those that declare something special; the proofs ask all of them.
 */
const isExample = (() => {
  const seen = new Set<string>()
  return ({ area, method, permission, precheck, open, body, attaches }: Operation) => {
    const kind = JSON.stringify([area, method, permission === null, !precheck, !open, !body, !attaches])
    return isLong || (!seen.has(kind) && seen.add(kind).size > 0)
  }
})()

/** Text that is refused, for a field of this length. Each operation is sent one of them in each field, by turns. */
const BAD_TEXTS = [(max: number) => 'x'.repeat(max + 1), () => 'a\0b', () => 'a\ud800b']
let badTexts = 0

for (const operation of operations) {
  const { properties = {} } = operation.body ?? {}
  const fields = Object.entries(properties as Record<string, any>)
  const texts = fields.filter(([, schema]) => schema.maxLength)
  const hasParams = Object.keys(operation.params.properties).length > 0
  /** With a key one gets no further than that it is for people. */
  const isOwn = operation.permission?.startsWith('me:')
  const isAsked = isExample(operation)
  const names = operation.body ? 'nonsense, rubbish' : 'nonsense'
  const title = `${operation.id}: ${operation.method} ${operation.path}`

  const send = (params: Record<string, unknown>, query: string, json: unknown, headers = {}) =>
    service.send(operation.method, `${pathOf(operation, params)}${query}`, {
      ...(operation.body ? { json } : {}),
      headers,
    })
  /** A place that need not exist, unless the operation looks before it reads. */
  const place = async () => (operation.precheck ? samples.unchanged(operation) : unknownParams(operation))

  if (operation.permission !== null && isOnce)
    test(`${title} rejects a missing and a wrong key alike, and a key without the permission`, async () => {
      const params = unknownParams(operation)
      const without = await samples.call(operation, params, {}, { key: null })
      assert.equal(without.status, 401)
      assert.equal(without.body.code, 'unauthorized')
      if (isAsked) {
        const wrong = await samples.call(operation, params, {}, { key: 'x'.repeat(40) })
        assert.equal(withoutRequestId(wrong.text), withoutRequestId(without.text))
      }
      const area = AREAS.find((one) => !operation.permission?.startsWith(`${one}:`)) as string
      const answer = await samples.call(operation, params, {}, { key: keys.get(area) as string })
      assert.equal(answer.status, 403)
      assert.match(answer.body.detail, new RegExp(operation.permission as string))
    })

  // Every account has its company, under the same id.
  if (hasParams && !isOwn && operation.id !== 'listCompanyHistory')
    test(`${title} answers for a record of another account as for an unknown one`, async () => {
      const body = operation.body ? await samples.body(operation) : undefined
      const foreign = await samples.call(operation, await other.unchanged(operation), body)
      // A body of a deletion is refused when it says what nothing makes use of.
      const isPlain = operation.precheck || (operation.method === 'DELETE' && operation.body)
      const unknown = await (isPlain
        ? samples.call(operation, unknownParams(operation), body)
        : send(unknownParams(operation), '?nonsense=1', { ...body, rubbish: 2 }))
      assert.equal(unknown.status, 404, unknown.text)
      assert.equal(withoutRequestId(foreign.text), withoutRequestId(unknown.text))
      if (!isPlain) assert.equal(unknown.headers.get('cadre-ignored'), names)
    })

  if (!isOwn && isOnce && (isAsked || !hasParams))
    test(`${title} names ignored parameters, and rejects them in strict mode`, async () => {
      const params = await place()
      assert.equal((await send(params, '?nonsense=1', { rubbish: 2 })).headers.get('cadre-ignored'), names)
      const strict = await send(params, '?nonsense=1', { rubbish: 2 }, { prefer: 'handling=strict' })
      assert.equal(strict.status, 400)
      assert.deepEqual(
        strict.body.errors.map((error: any) => error.field),
        operation.open ? ['nonsense'] : names.split(', '),
      )
    })

  if (hasParams && !isOwn && isOnce && isAsked)
    test(`${title} rejects an id that is not a number with 400`, async () => {
      const entries = Object.entries(operation.params.properties as Record<string, any>)
      const params = Object.fromEntries(entries.map(([name]) => [name, 'seven']))
      const answer = await samples.call(operation, params, operation.body ? await samples.body(operation) : undefined)
      const numbers = entries.filter(([, schema]) => schema.type === 'integer')
      assert.equal(answer.status, numbers.length > 0 ? 400 : 404)
      assert.equal(answer.body.errors.length, numbers.length)
    })

  if (operation.body && !isOwn && isOnce && isAsked)
    test(`${title} returns 400 for a broken body, 415 for an unknown type, 413 for one byte too many`, async () => {
      const params = await place()
      const sendText = (text: string, type: string) =>
        samples.call(operation, params, undefined, { json: text, headers: { 'content-type': type } })
      assert.equal((await sendText('{"name": ', 'application/json')).status, 400)
      assert.equal((await sendText('[1]', 'application/json')).status, 400)
      assert.equal((await sendText('a,b', 'text/csv')).status, 415)
      assert.equal(await statusForLength(operation, params, limitsOf(operation).body + 1), 413)
    })

  if (operation.body && !isOwn && isOnce)
    test(`${title} reports every field of the wrong type at once`, async () => {
      const wrong = Object.fromEntries(fields.map(([name]) => [name, { not: 'this' }]))
      const answer = await samples.call(operation, await samples.unchanged(operation), wrong)
      assert.equal(answer.status, 422, answer.text)
      const named = new Set(answer.body.errors.map((error: any) => error.field.replace(/[.[].*/, '')))
      for (const [name, schema] of fields)
        if (schema.type && ![schema.type].flat().includes('object'))
          assert.ok(named.has(name), `${name}: ${answer.text}`)
      assert.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8')
      assert.equal(answer.body.success, false)
      assert.equal(answer.body.detail, answer.body.message)
    })

  // On both engines: only one of them could store such text.
  if (texts.length > 0 && !isOwn)
    test(`${title} rejects text that is too long or has NUL or half a character`, async () => {
      const first = badTexts++
      const badIn = (turn: number) => BAD_TEXTS[turn % BAD_TEXTS.length] as (max: number) => string
      for (const turn of isLong ? BAD_TEXTS.keys() : [first]) {
        const body = Object.fromEntries(texts.map(([name, schema], n) => [name, badIn(turn + n)(schema.maxLength)]))
        const answer = await samples.call(operation, await samples.unchanged(operation), body)
        assert.equal(answer.status, 422, answer.text)
        for (const [name] of texts)
          assert.ok(
            answer.body.errors.some((error: any) => error.field === name),
            `${name} ${answer.text}`,
          )
      }
    })

  if (lists.includes(operation) && isOnce)
    test(`${title} declares the same page parameter as every list`, async () => {
      assert.deepEqual(operation.query.properties.page, lists[0]?.query.properties.page)
      if (!isAsked) return
      assert.equal((await service.get(`${pathOf(operation, unknownParams(operation))}?page=0`)).status, 400)
    })

  // Writes are done, and held to their declared shape, by `every-write.test.ts`.
  if (operation.method === 'GET' && !isForPeople(operation))
    test(`${title} answers with exactly the declared fields`, async () => {
      checkAnswer(operation, await samples.call(operation, await samples.unchanged(operation)))
    })
}

test('an invalid page number is rejected', { skip: !isOnce }, async () => {
  const [list] = lists
  assert.ok(list && lists.length > 200)
  for (const page of ['0', '-1', '1.5', 'two', ''])
    assert.equal((await service.get(`${pathOf(list, unknownParams(list))}?page=${page}`)).status, 400, page)
})

if (isOnce)
  for (const [limit, [operation]] of Map.groupBy(
    operations.filter((one) => one.body && !one.permission?.startsWith('me:')),
    (one) => limitsOf(one).body,
  ))
    test(`a body of more than ${limit} bytes gets 413, as for ${operation?.id}`, async () => {
      assert.ok(operation)
      const params = operation.precheck ? await samples.params(operation) : unknownParams(operation)
      const answer = await samples.call(operation, params, { a: 'x'.repeat(limit) })
      assert.equal(answer.status, 413, answer.text)
    })

test('body limits are as documented: 256 KiB without a key, 2 MiB, and 36 MiB with a file', () => {
  for (const operation of operations) {
    const takesFile = Object.values<any>(operation.body?.properties ?? {}).some((schema) => schema['x-file'])
    const kibibytes = operation.permission === null ? 256 : (takesFile ? 36 : 2) * 1024
    assert.equal(limitsOf(operation).body, kibibytes * 1024, operation.id)
  }
})
