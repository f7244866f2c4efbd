import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Operation } from '../src/engine/operation.ts'
import { operations } from '../src/operations.ts'
import { type Answer, type Service, spell, startService } from './harness.ts'
import { isForPeople, Samples } from './samples.ts'

const folder = mkdtempSync(join(tmpdir(), 'cadre-files-'))
let service: Service
let samples: Samples
let document: any

before(async () => {
  service = await startService({ config: { CADRE_FILES: folder } })
  samples = new Samples(service)
  document = await (await fetch(`${service.url}/openapi.json`)).json()
})
after(async () => {
  await service.stop()
  rmSync(folder, { recursive: true })
})

const described = ({ path, method }: Operation) => document.paths[path][method.toLowerCase()]
const takingBodies = operations.filter((one) => one.body && !isForPeople(one))

/** The example with real records wherever it names one: which there are, no document can know. */
async function withRecords(schema: any, example: any, real: any): Promise<any> {
  if (schema['x-reference']) return real ?? (await samples.shared(schema['x-reference'])).id
  if (Array.isArray(example))
    return Promise.all(example.map((one, n) => withRecords(schema.items ?? {}, one, real?.[n])))
  if (example === null || typeof example !== 'object') return example
  const fields = Object.entries(example).map(async ([name, value]) => [
    name,
    await withRecords(schema.properties?.[name] ?? {}, value, real?.[name]),
  ])
  return Object.fromEntries(await Promise.all(fields))
}

async function sendExample(operation: Operation, type: string): Promise<Answer> {
  const params = await samples.params(operation)
  const { example } = described(operation).requestBody.content[type]
  const body = await withRecords(operation.body, example, await samples.body(operation))
  const data = new FormData()
  for (const [name, value] of spell(body)) data.append(name, value)
  const sending =
    type === 'application/json' ? { json: body } : type === 'multipart/form-data' ? { multipart: data } : { form: body }
  return samples.call(operation, params, undefined, sending)
}

test('every example body is accepted', async () => {
  const failed: string[] = []
  for (const operation of takingBodies) {
    const answer = await sendExample(operation, 'application/json')
    if (answer.status !== operation.status) failed.push(`${operation.id}: ${answer.text}`)
  }
  assert.deepEqual(failed, [])
})

/** Parameters that belong together: both ends of a range, month and year, a record and its kind. */
const TOGETHER = {
  search: /^(q|kinds\[\])$/,
  days: /^(starts|ends)_on$|^types\[\]$/,
  month: /^(month|year)$/,
  record: /^(resources\[\]|resource|record_type|record_id|parts)$/,
}
const together = (name: string) =>
  Object.entries(TOGETHER).find(([, names]) => names.test(name))?.[0] ?? name.replace(/\[\w+\]$/, '')

test('every example query is accepted and finds records', async () => {
  const failed: string[] = []
  for (const operation of operations.filter((one) => one.method === 'GET' && !isForPeople(one))) {
    const params = await samples.unchanged(operation)
    // When what was made here was known, no document can know.
    const ledgerNumber = operation.query.properties.known_at
      ? (await service.get('/genders')).headers.get('cadre-ledger')
      : null
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
    const parameters = (described(operation).parameters ?? []).filter((one: any) => one.in === 'query')
    const groups = [...Map.groupBy<string, any>(parameters, (one) => together(one.name)).values()].map((group) =>
      group.flatMap(({ name, examples }) =>
        [name === 'known_at' ? ledgerNumber : examples.example.value].flat().map((value) => [name, String(value)]),
      ),
    )
    const ask = (pairs: string[][]) => service.get(`${path}?${new URLSearchParams(pairs)}`)
    const isText = ([first]: string[][]) =>
      first?.[0] !== 'sort' && /^[a-z]/i.test(first?.[1] ?? '') && !operation.path.includes('{')
    // What need not find anything can be asked for in one request, if its parameters go together.
    const others = groups.filter((pairs) => !isText(pairs))
    const isAnswered = others.length > 1 && (await ask(others.flat())).status === 200
    for (const pairs of groups) {
      if (isAnswered && others.includes(pairs)) continue
      const answer = await ask(pairs)
      // Nobody is due who has just been made.
      const isEmpty = isText(pairs) && operation.id !== 'listDueForErasure' && answer.body.data?.length === 0
      if (answer.status !== 200 || isEmpty) failed.push(`${operation.id} ${pairs}: ${answer.text}`)
    }
  }
  assert.deepEqual(failed, [])
})

test('the example status finds people in an ordinary company', async () => {
  const { key } = await service.otherAccount()
  await service.post('/employees', { first_name: 'Ada', last_name: 'King', hired_on: '2020-01-01' }, { key })
  const status = document.paths['/employees'].get.parameters.find((one: any) => one.name === 'status')
  const answer = await service.get(`/employees?status=${status.examples.example.value}`, { key })
  assert.equal(answer.body.metadata.count, 1)
})
