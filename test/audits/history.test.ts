import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { spoken } from '../../src/engine/sentence.ts'
import { operations, resources } from '../../src/operations.ts'
import { type Service, startService } from '../harness.ts'
import { Samples } from '../samples.ts'

let service: Service
let samples: Samples
before(async () => {
  service = await startService()
  samples = new Samples(service)
})
after(() => service.stop())

const historyOf = (table: string) =>
  operations.find(({ path }) => path === `${resources.find((of) => of.table === table)?.path}/{id}/history`)

test('every kind of record has a history, each at an address of its own', () => {
  for (const { table } of resources) assert.ok(historyOf(table), table)
  const places = operations.filter(({ method }) => method === 'GET').map(({ path }) => path.replace(/\{\w+\}/g, '{}'))
  assert.equal(new Set(places).size, places.length)
})

for (const { table } of resources)
  test(`${table}`, async () => {
    const operation = historyOf(table) as any
    const params = await samples.params(operation)
    const { status, body, text } = await samples.call(operation, params)
    assert.equal(status, 200, text)
    assert.ok(body.data.length > 0)
    for (const entry of body.data) {
      if (process.env.SHOW) console.log(entry.sentence)
      for (const name of entry.fields) {
        const value = (entry.after ?? entry.before)[name]
        const isNothing = value === null || value === '' || (Array.isArray(value) && value.length === 0)
        if (entry.action === 'update' || !isNothing)
          assert.ok(entry.sentence.includes(spoken(name)), `${name}: ${entry.sentence}`)
      }
    }
  })
