import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Comparison } from './facts/compare.ts'
import { readExceptions, readOperations, readRecords } from './facts/read.ts'

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const document = JSON.parse(read('../openapi.json'))
const records = readRecords(read('./facts/records.txt'))
const exceptions = readExceptions(read('./facts/exceptions.txt'))
const used = new Set<string>()

describe('the API has everything that clients expect', () => {
  for (const file of ['operations', 'clients'])
    for (const { name, operations } of readOperations(read(`./facts/${file}.txt`)))
      test(name, () => {
        const comparison = new Comparison(document, records, { isPartial: file === 'clients' })
        for (const operation of operations) comparison.operation(operation)
        const absent = [...comparison.complaints].filter((complaint) => {
          const excepted = exceptions.filter((one) => matches(one.complaint, complaint))
          for (const one of excepted) used.add(one.complaint)
          return excepted.length === 0
        })
        assert.equal(absent.length, 0, `${absent.length} absent:\n${absent.join('\n')}`)
      })
})

test('every exception is needed and has a reason', () => {
  for (const { complaint, reason } of exceptions) {
    assert.ok(used.has(complaint), `nobody complains: ${complaint}`)
    assert.ok(reason, `there is no reason for: ${complaint}`)
  }
})

test('all 203 operations are listed, and every record is returned by one of them', () => {
  const sections = readOperations(read('./facts/operations.txt'))
  for (const { name, operations } of sections)
    assert.equal(name.match(/\((\d+)\)$/)?.[1], String(operations.length), name)
  assert.equal(sections.flatMap(({ operations }) => operations).length, 203)
  const text = `${read('./facts/operations.txt')}${read('./facts/records.txt')}`
  for (const record of records.keys())
    assert.ok(record === 'Pagination' || new RegExp(`[:\\[ ]${record}\\b`).test(text), record)
})

/** The names of the query parameters of each list. */
const lists = Object.entries<any>(document.paths).flatMap(([path, { get }]) => {
  const names: string[] = (get?.parameters ?? []).flatMap((one: any) => (one.in === 'query' ? [one.name] : []))
  return get ? [{ path, names }] : []
})

test('every paged list accepts sort and per_page', () => {
  const paged = lists.filter(({ names }) => names.includes('page'))
  assert.ok(paged.length > 50)
  for (const name of ['per_page', 'sort'])
    assert.deepEqual(
      paged.flatMap(({ path, names }) => (names.includes(name) ? [] : [`${path} ? ${name}`])),
      [],
    )
})

test('every range filter accepts inclusive and exclusive bounds at both ends', () => {
  const absent = lists.flatMap(({ path, names }) => {
    const ranges = new Set(names.flatMap((name) => name.match(/^(\w+)\[[gl]te?\]$/)?.[1] ?? []))
    const expected = [...ranges].flatMap((name) => ['gt', 'gte', 'lt', 'lte'].map((end) => `${name}[${end}]`))
    return expected.filter((name) => !names.includes(name)).map((name) => `${path} ? ${name}`)
  })
  assert.deepEqual(absent, [])
})

/** `*` in an exception stands for anything. */
function matches(exception: string, complaint: string): boolean {
  return new RegExp(`^${exception.split('*').map(RegExp.escape).join('.*')}$`).test(complaint)
}
