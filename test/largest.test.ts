import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Operation } from '../src/engine/operation.ts'
import { operations } from '../src/operations.ts'
import { type Service, startService } from './harness.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

/** More than any call may need, however much it is sent: what grows with the number of items goes far beyond it. */
const MOST_STATEMENTS = 150
const LONGEST_ANSWER = 2 * 1024 * 1024

type Json = Record<string, any>

/** The largest value that a schema allows: lists full to the brim, texts to the last character, the widest ranges. */
function largest(schema: Json, name: string, n = 0): unknown {
  const [type] = [schema.type].flat()
  if (schema['x-file']) return `data:text/plain;base64,${Buffer.alloc(1024, 97).toString('base64')}`
  if (schema['x-reference']) return 1 + n
  if (schema.enum) return schema.enum[n % schema.enum.length]
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as Json).map(([part, one]) => [part, largest(one, part, n)]),
      )
    case 'array':
      return Array.from({ length: schema.maxItems ?? 1000 }, (_, item) => largest(schema.items ?? {}, name, item))
    case 'integer':
    case 'number':
      return schema.maximum ?? 1_000_000
    case 'boolean':
      return true
    case undefined:
      return { id: n + 1, first_name: 'x'.repeat(255), email: `a${n}@example.com` }
  }
  switch (schema.format) {
    case 'date':
      return /^(starts|from|effective)/.test(name) ? '1900-01-01' : '2200-12-31'
    case 'date-time':
      return /^(starts|from)/.test(name) ? '1900-01-01T00:00:00Z' : '2200-12-31T00:00:00Z'
    case 'decimal':
      return '9999'
    case 'currency':
      return 'EUR'
    case 'country':
      return 'DE'
    case 'region':
      return 'DE-BY'
    case 'time-zone':
      return 'Europe/Berlin'
    case 'email':
      return `${'a'.repeat(60)}${n}@${'b'.repeat(60)}.com`
    case 'uri':
      return `https://example.com/${'a'.repeat(2000)}`
    default:
      return `${String(n).padStart(5, '0')}${'ü'.repeat((schema.maxLength ?? 255) - 5)}`
  }
}

const place = ({ path }: Operation) => path.replace(/\{\w+\}/g, '1')

/** What a call does, counted: the time it takes is the machine's. */
async function workOf(run: () => Promise<{ status: number; text: string }>) {
  let statements = 0
  service.onStatement = () => statements++
  const answer = await run()
  service.onStatement = undefined
  return { statements, ...answer }
}

for (const operation of operations)
  test(`${operation.id} runs at most ${MOST_STATEMENTS} statements for the largest allowed request`, async () => {
    const json = operation.body ? largest(operation.body, 'body') : undefined
    const query = Object.entries(operation.query.properties as Json).flatMap(([name, schema]) => {
      const value = name === 'page' ? 1_000_000_000 : largest(schema, name)
      return [value]
        .flat()
        .map((one) => `${name}${Array.isArray(value) ? '[]' : ''}=${encodeURIComponent(String(one))}`)
    })
    const asked = query
      .filter((one) => !one.includes('object'))
      .join('&')
      .slice(0, 8000)
    const send = () => service.send(operation.method, `${place(operation)}?${asked}`, json ? { json } : {})
    // A write finds what the first has left; a read would be given its answer again.
    const times = operation.method === 'GET' ? 1 : 2
    for (let time = 0; time < times; time++) {
      const { status, statements, text } = await workOf(send)
      assert.ok(status < 500, `${status} ${text.slice(0, 300)}`)
      assert.ok(statements <= MOST_STATEMENTS, `${statements} statements, ${status}`)
      assert.ok(text.length < LONGEST_ANSWER, `an answer of ${text.length} bytes, ${status}`)
    }
  })
