import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { AREAS } from '../src/access/permissions.ts'
import type { Operation } from '../src/engine/operation.ts'
import { operations, resources } from '../src/operations.ts'
import { limitsOf } from '../src/surfaces/http/bodies.ts'
import { validatorOf } from './declared.ts'
import { ENGINE, type Sending, type Service, spell, startService, withoutRequestId } from './harness.ts'
import { isForPeople, Samples } from './samples.ts'

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
  other = new Samples(service, key)
  for (const area of AREAS) keys.set(area, await service.keyWith({ permissions: [`${area}:*`] }))
})
after(() => service.stop())

const unknownParams = (operation: Operation) =>
  Object.fromEntries(Object.keys(operation.params.properties).map((name) => [name, 987_654_321]))

const pathOf = ({ path }: Operation, params: Record<string, unknown>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))

type Sample = { params: Record<string, number>; body: Record<string, unknown> }

/** A valid request for an operation. Writes are about a record of their own. */
async function sampleOf(operation: Operation): Promise<Sample> {
  const params = await (operation.method === 'GET' ? samples.unchanged(operation) : samples.params(operation))
  return { params, body: await samples.body(operation) }
}

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

for (const operation of operations) {
  const { properties = {} } = operation.body ?? {}
  const fields = Object.entries(properties as Record<string, any>)
  const texts = fields.filter(([, schema]) => schema.maxLength)
  const isPaged = lists.includes(operation)
  /** With a key one gets no further than that it is for people. */
  const isOwn = operation.permission?.startsWith('me:')

  describe(`${operation.id}: ${operation.method} ${operation.path}`, () => {
    let made: Promise<Sample> | undefined
    /** One for all tests of the operation: only the last of them, the valid request, changes anything. */
    const sample = () => {
      made ??= sampleOf(operation)
      return made
    }
    /** A place that need not exist, unless the operation looks before it reads. */
    const place = async () => (operation.look ? (await sample()).params : unknownParams(operation))

    if (operation.permission !== null && isOnce) {
      test('refuses a missing and a wrong key with the same 401', async () => {
        const params = unknownParams(operation)
        const without = await samples.call(operation, params, {}, { key: null })
        const wrong = await samples.call(operation, params, {}, { key: 'x'.repeat(40) })
        assert.equal(without.status, 401)
        assert.equal(withoutRequestId(wrong.text), withoutRequestId(without.text))
        assert.equal(without.body.code, 'unauthorized')
      })

      test('refuses a key that does not hold the permission', async () => {
        const area = AREAS.find((one) => !operation.permission?.startsWith(`${one}:`)) as string
        const answer = await samples.call(operation, unknownParams(operation), {}, { key: keys.get(area) as string })
        assert.equal(answer.status, 403)
        assert.match(answer.body.detail, new RegExp(operation.permission as string))
      })
    }

    if (Object.keys(operation.params.properties).length > 0 && !isOwn) {
      // Every account has its company, under the same id.
      const skip = operation.id === 'listCompanyHistory'
      test('answers for a record of another account exactly as for one that does not exist', { skip }, async () => {
        const body = operation.body ? (await sample()).body : undefined
        const unknown = await samples.call(operation, unknownParams(operation), body)
        const foreign = await samples.call(operation, await other.unchanged(operation), body)
        assert.equal(unknown.status, 404, unknown.text)
        assert.equal(withoutRequestId(foreign.text), withoutRequestId(unknown.text))
      })

      if (isOnce)
        test('refuses an id that is no number with 400', async () => {
          const entries = Object.entries(operation.params.properties as Record<string, any>)
          const params = Object.fromEntries(entries.map(([name]) => [name, 'seven']))
          const answer = await samples.call(operation, params, operation.body ? (await sample()).body : undefined)
          const numbers = entries.filter(([, schema]) => schema.type === 'integer')
          assert.equal(answer.status, numbers.length > 0 ? 400 : 404)
          assert.equal(answer.body.errors.length, numbers.length)
        })
    }

    if (!isOwn && isOnce)
      test('names what it ignores, and refuses it when asked to be strict', async () => {
        const path = pathOf(operation, await place())
        const ask = (headers: Record<string, string>) =>
          service.send(operation.method, `${path}?nonsense=1`, {
            ...(operation.body ? { json: { rubbish: 2 } } : {}),
            headers,
          })
        const names = operation.body ? 'nonsense, rubbish' : 'nonsense'
        assert.equal((await ask({})).headers.get('cadre-ignored'), names)
        const strict = await ask({ prefer: 'handling=strict' })
        assert.equal(strict.status, 400)
        assert.deepEqual(
          strict.body.errors.map((error: any) => error.field),
          operation.open ? ['nonsense'] : names.split(', '),
        )
      })

    if (operation.body && !isOwn && isOnce) {
      test('says 400 to a broken body, 415 to an unknown kind, 413 to one byte more than it reads', async () => {
        const params = await place()
        const sendText = (text: string, type: string) =>
          samples.call(operation, params, undefined, { json: text, headers: { 'content-type': type } })
        assert.equal((await sendText('{"name": ', 'application/json')).status, 400)
        assert.equal((await sendText('[1]', 'application/json')).status, 400)
        assert.equal((await sendText('a,b', 'text/csv')).status, 415)
        assert.equal(await statusForLength(operation, params, limitsOf(operation).body + 1), 413)
      })

      test('names every field of the wrong type at once', async () => {
        const wrong = Object.fromEntries(fields.map(([name]) => [name, { not: 'this' }]))
        const answer = await samples.call(operation, (await sample()).params, wrong)
        assert.equal(answer.status, 422, answer.text)
        const named = new Set(answer.body.errors.map((error: any) => error.field.replace(/[.[].*/, '')))
        for (const [name, schema] of fields)
          if (schema.type && ![schema.type].flat().includes('object'))
            assert.ok(named.has(name), `${name}: ${answer.text}`)
        assert.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8')
        assert.equal(answer.body.success, false)
        assert.equal(answer.body.detail, answer.body.message)
      })
    }

    // On both engines: only one of them could store such text.
    if (texts.length > 0 && !isOwn)
      test('refuses text that is too long, or holds NUL or half a character', async () => {
        const bad = (make: (max: number) => string) =>
          Object.fromEntries(texts.map(([name, schema]) => [name, make(schema.maxLength)]))
        const tooLong = isOnce ? [bad((max) => 'x'.repeat(max + 1))] : []
        for (const body of [...tooLong, bad(() => 'a\0b'), bad(() => 'a\ud800b')]) {
          const answer = await samples.call(operation, (await sample()).params, body)
          assert.equal(answer.status, 422, answer.text)
          for (const [name] of texts)
            assert.ok(
              answer.body.errors.some((error: any) => error.field === name),
              `${name} ${answer.text}`,
            )
        }
      })

    if (operation.body && !isForPeople(operation) && isOnce)
      test('would give and change the same for a form, JSON and multipart', async () => {
        const { params, body } = await sample()
        const data = new FormData()
        for (const [name, value] of spell(body)) data.append(name, value)
        const tried = async (sending: Sending) => {
          const headers = { prefer: 'dry-run' }
          const answer = await samples.call(operation, params, undefined, { ...sending, headers })
          assert.equal(answer.status, 200, `${Object.keys(sending)}: ${answer.text}`)
          return lasting(answer.body)
        }
        const asJson = await tried({ json: body })
        assert.deepEqual(await tried({ form: body }), asJson)
        assert.deepEqual(await tried({ multipart: data }), asJson)
      })

    if (isPaged && isOnce)
      test('refuses a page that is no page, as every list does', async () => {
        assert.deepEqual(operation.query.properties.page, lists[0]?.query.properties.page)
        assert.equal((await service.get(`${pathOf(operation, unknownParams(operation))}?page=0`)).status, 400)
      })

    test('answers in the declared shape, and no more', { skip: isForPeople(operation) }, async () => {
      const { params, body } = await sample()
      const answer = await samples.call(operation, params, body)
      assert.equal(answer.status, operation.status, answer.text)
      assert.ok(answer.headers.get('x-request-id'))
      if (operation.attaches) return assert.equal(answer.headers.get('content-type'), operation.attaches)
      if (!operation.answer) return assert.equal(answer.text, '')
      const validate = validatorOf(operation.answer)
      assert.ok(validate(answer.body), `${JSON.stringify(validate.errors)} ${answer.text}`)
      const place = answer.headers.get('location')
      if (operation.status === 201) assert.match(place ?? '', /^\/api\/(public\/v3|careers\/v1)\//)
      if (place !== null) assert.equal((await service.get(place)).status, 200, `Location: ${place}`)
    })
  })
}

test('refuses every page that is no page', { skip: !isOnce }, async () => {
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
    test(`says 413 to a body of more than ${limit} bytes that is really sent, as to ${operation?.id}`, async () => {
      assert.ok(operation)
      const params = operation.look ? await samples.params(operation) : unknownParams(operation)
      const answer = await samples.call(operation, params, { a: 'x'.repeat(limit) })
      assert.equal(answer.status, 413, answer.text)
    })

test('the limits of bodies are as documented: 256 KiB for anybody, 2 MiB, and 36 MiB with a file', () => {
  for (const operation of operations) {
    const takesFile = Object.values<any>(operation.body?.properties ?? {}).some((schema) => schema['x-file'])
    const kibibytes = operation.permission === null ? 256 : (takesFile ? 36 : 2) * 1024
    assert.equal(limitsOf(operation).body, kibibytes * 1024, operation.id)
  }
})

/** An answer without what is another each time: the present moment, ids of requests, signed addresses, and secrets. */
function lasting(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => lasting(item))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([part, inner]) => [part, lasting(inner, part)]))
  // Answers of reviews are known by numbers of chance.
  if (name === 'id' && typeof value === 'number' && value > 1_000_000_000) return 'number'
  if (typeof value !== 'string') return value
  if (name === 'expires_at' && Date.parse(value) > Date.now() && Date.parse(value) < Date.now() + 8 * 86_400_000)
    return 'soon'
  if (name === 'key' || name === 'hint' || name === 'url') return 'secret'
  if (name === 'request_id' || name === 'correlation_id') return 'request'
  if (/^\d{4}-\d{2}-\d{2}T/.test(value) && Math.abs(Date.parse(value) - Date.now()) < 600_000) return 'now'
  return value.replace(/\/files\/.*$/, '/files/signed')
}
