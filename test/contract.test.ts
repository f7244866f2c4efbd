import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { TObject } from 'typebox'
import { AREAS } from '../src/access/permissions.ts'
import { FORMATS } from '../src/engine/format.ts'
import type { Operation } from '../src/engine/operation.ts'
import { operations, resources } from '../src/operations.ts'
import { type Service, spell, startService } from './harness.ts'
import { isForPeople, Samples, strictly } from './samples.ts'

const ajv = new Ajv2020({ allErrors: true, strict: false })
for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format.test)

const validators = new WeakMap<object, ReturnType<typeof ajv.compile>>()

/** Checks answers: histories of all kinds have one shape, which is compiled once. */
function validatorOf(answer: TObject) {
  const known = validators.get(answer) ?? ajv.compile(strictly(answer))
  validators.set(answer, known)
  return known
}

/** The same id for two requests, so that answers can be compared byte for byte. */
const SAME_ID = { 'x-request-id': 'the-same-request' }

let service: Service
let samples: Samples
let other: Samples
/** An account for each kind of body: the same requests in the same order give the same records, ids and all. */
let ways: Record<'json' | 'form' | 'multipart', Samples>
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
  const newAccount = async () => new Samples(service, (await service.otherAccount()).key)
  ways = { json: await newAccount(), form: await newAccount(), multipart: await newAccount() }
  for (const area of AREAS) keys.set(area, await service.keyWith({ permissions: [`${area}:*`] }))
})
after(() => service.stop())

const unknownParams = (operation: Operation) =>
  Object.fromEntries(Object.keys(operation.params.properties).map((name) => [name, 987_654_321]))

/** A place that need not exist, unless the operation looks before it reads. */
const placeOf = async (operation: Operation): Promise<Record<string, number>> =>
  operation.look ? samples.params(operation) : unknownParams(operation)

for (const operation of operations) {
  const { properties = {} } = operation.body ?? {}
  const fields = Object.entries(properties as Record<string, any>)
  const takesFile = fields.some(([, schema]) => schema['x-file'])
  const isPaged = Boolean(operation.query.properties.page)
  /** With a key one gets no further than that it is for people. */
  const isOwn = operation.permission?.startsWith('me:')

  describe(`${operation.id}: ${operation.method} ${operation.path}`, () => {
    test('answers in the declared shape, and no more', { skip: isForPeople(operation) }, async () => {
      const params = await samples.params(operation)
      const answer = await samples.call(operation, params, await samples.body(operation))
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

    if (operation.permission !== null) {
      test('refuses a missing and a wrong key with the same 401', async () => {
        const params = unknownParams(operation)
        const without = await samples.call(operation, params, {}, { key: null, headers: SAME_ID })
        const wrong = await samples.call(operation, params, {}, { key: 'x'.repeat(40), headers: SAME_ID })
        assert.equal(without.status, 401)
        assert.equal(wrong.text, without.text)
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
        const body = operation.body ? await samples.body(operation) : undefined
        const sending = { headers: SAME_ID }
        const unknown = await samples.call(operation, unknownParams(operation), body, sending)
        const foreign = await samples.call(operation, await other.params(operation), body, sending)
        assert.equal(unknown.status, 404, unknown.text)
        assert.equal(foreign.text, unknown.text)
      })

      test('refuses an id that is no number with 400', async () => {
        const entries = Object.entries(operation.params.properties as Record<string, any>)
        const params = Object.fromEntries(entries.map(([name]) => [name, 'seven']))
        const answer = await samples.call(operation, params, await samples.body(operation))
        const numbers = entries.filter(([, schema]) => schema.type === 'integer')
        assert.equal(answer.status, numbers.length > 0 ? 400 : 404)
        assert.equal(answer.body.errors.length, numbers.length)
      })
    }

    test('names what it ignores, and refuses it when asked to be strict', { skip: isOwn }, async () => {
      const params = await placeOf(operation)
      const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
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

    if (operation.body && !isOwn) {
      test('says 400 to a broken body, 415 to an unknown kind, 413 to a huge one', async () => {
        const params = await placeOf(operation)
        const sendText = (text: string, type: string) =>
          samples.call(operation, params, undefined, { json: text, headers: { 'content-type': type } })
        assert.equal((await sendText('{"name": ', 'application/json')).status, 400)
        assert.equal((await sendText('[1]', 'application/json')).status, 400)
        assert.equal((await sendText('a,b', 'text/csv')).status, 415)
        assert.equal(
          (await sendText(JSON.stringify({ a: 'x'.repeat(takesFile ? 38_000_000 : 2_200_000) }), 'application/json'))
            .status,
          413,
        )
      })

      test('names every field of the wrong type at once', async () => {
        const params = await samples.params(operation)
        const wrong = Object.fromEntries(fields.map(([name]) => [name, { not: 'this' }]))
        const answer = await samples.call(operation, params, wrong)
        assert.equal(answer.status, 422, answer.text)
        const named = new Set(answer.body.errors.map((error: any) => error.field.replace(/[.[].*/, '')))
        for (const [name, schema] of fields)
          if (schema.type && ![schema.type].flat().includes('object'))
            assert.ok(named.has(name), `${name}: ${answer.text}`)
        assert.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8')
        assert.equal(answer.body.success, false)
        assert.equal(answer.body.detail, answer.body.message)
      })

      test('refuses text that is too long, or holds NUL or half a character', async () => {
        const params = await samples.params(operation)
        const texts = fields.filter(([, schema]) => schema.maxLength)
        const bad = (make: (max: number) => string) =>
          Object.fromEntries(texts.map(([name, schema]) => [name, make(schema.maxLength)]))
        for (const body of [bad((max) => 'x'.repeat(max + 1)), bad(() => 'a\0b'), bad(() => 'a\ud800b')]) {
          const answer = await samples.call(operation, params, body)
          if (texts.length === 0) continue
          assert.equal(answer.status, 422, answer.text)
          for (const [name] of texts)
            assert.ok(
              answer.body.errors.some((error: any) => error.field === name),
              `${name} ${answer.text}`,
            )
        }
      })

      test('gives the same result for a form, JSON and multipart', { skip: isForPeople(operation) }, async () => {
        const results: Record<string, unknown> = {}
        for (const [way, account] of Object.entries(ways)) {
          const params = await account.params(operation)
          const body = await account.body(operation)
          const data = new FormData()
          for (const [name, value] of spell(body)) data.append(name, value)
          const sending = { json: { json: body }, form: { form: body }, multipart: { multipart: data } }[way]
          const answer = await account.call(operation, params, undefined, sending)
          assert.equal(answer.status, operation.status, `${way}: ${answer.text}`)
          results[way] = lasting(answer.body)
        }
        assert.deepEqual(results.form, results.json)
        assert.deepEqual(results.multipart, results.json)
      })
    }

    if (isPaged) {
      test('refuses a page that is no page', async () => {
        const path = operation.path.replace(/\{(\w+)\}/g, '1')
        for (const page of ['0', '-1', '1.5', 'two', ''])
          assert.equal((await service.get(`${path}?page=${page}`)).status, 400, page)
      })
    }
  })
}

/** An answer without what is another each time: the present moment, signed addresses, and secrets. */
function lasting(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => lasting(item))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([part, inner]) => [part, lasting(inner, part)]))
  // Answers of reviews are known by numbers that are another in every account.
  if (name === 'id' && typeof value === 'number' && value > 1_000_000_000) return 'number'
  if (typeof value !== 'string') return value
  if (name === 'expires_at' && Date.parse(value) > Date.now() && Date.parse(value) < Date.now() + 8 * 86_400_000)
    return 'soon'
  if (name === 'key' || name === 'hint' || name === 'url') return 'secret'
  if (/^\d{4}-\d{2}-\d{2}T/.test(value) && Math.abs(Date.parse(value) - Date.now()) < 600_000) return 'now'
  return value.replace(/\/files\/.*$/, '/files/signed')
}
