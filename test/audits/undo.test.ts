import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { operations, resources } from '../../src/operations.ts'
import { type Answer, type Service, startService } from '../harness.ts'
import { Samples } from '../samples.ts'

let service: Service
let samples: Samples

before(async () => {
  service = await startService()
  samples = new Samples(service)
})
after(() => service.stop())

type Row = Record<string, unknown>

/** Every row of every table of the account, apart from when it was last changed. */
async function stored(): Promise<Record<string, Row[]>> {
  const tables: Record<string, Row[]> = {}
  await service.database.read(async (sql) => {
    for (const { table } of resources) {
      const rows = await sql
        .selectFrom(table)
        .selectAll()
        .where('account_id', '=', service.account.id)
        .orderBy('id')
        .execute()
      tables[table] = rows.map(({ updated_at: _, ...row }) => row)
    }
    tables.words = await sql
      .selectFrom('search_words')
      .selectAll()
      .where('account_id', '=', service.account.id)
      .orderBy('resource')
      .orderBy('record_id')
      .orderBy('word')
      .execute()
    tables.live = await sql
      .selectFrom('counters')
      .select(['resource', 'live'])
      .where('account_id', '=', service.account.id)
      .where('live', '>', 0)
      .orderBy('resource')
      .execute()
  })
  return tables
}

function same(one: Record<string, Row[]>, other: Record<string, Row[]>, what: string): void {
  for (const table of Object.keys(one)) assert.deepEqual(one[table], other[table], `${what}: ${table}`)
}

const undo = (request: string) => service.post(`/requests/${request}/undo`)
const idOf = (answer: Answer) => answer.headers.get('x-request-id') as string

describe('every operation that writes', () => {
  for (const operation of operations.filter(({ method }) => method !== 'GET'))
    test(`${operation.id}: ${operation.method} ${operation.path}`, async () => {
      const params = await samples.params(operation)
      const body = await samples.body(operation)
      const first = await stored()
      const key = operation.permission === null ? { key: null } : {}
      const answer = await samples.call(operation, params, body, key)
      assert.equal(answer.status, operation.status, answer.text)
      const second = await stored()
      const back = await undo(idOf(answer))
      assert.equal(back.status, 200, back.text)
      same(await stored(), first, 'undone')
      const again = await undo(idOf(back))
      assert.equal(again.status, 200, again.text)
      same(await stored(), second, 'done again')
      const third = await undo(idOf(again))
      assert.equal(third.status, 200, third.text)
      same(await stored(), first, 'undone again')
    })
})
