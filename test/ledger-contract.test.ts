import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Operation } from '../src/engine/operation.ts'
import { columnsOf, hasKeyColumn, keyColumn } from '../src/engine/resource.ts'
import { traceOf } from '../src/engine/trace.ts'
import { type Entry, entriesSince } from '../src/ledger/entries.ts'
import { operations, resources } from '../src/operations.ts'
import { contentsOf, type Tables, tablesOf } from './contents.ts'
import { type Service, startService } from './harness.ts'
import { isForPeople, Samples } from './samples.ts'

type Row = Record<string, unknown>

let service: Service
let samples: Samples
let tables: Tables
/** Every table as the ledger tells it, replayed entry by entry from nothing. */
const told = new Map(resources.map(({ table }) => [table, new Map<number, Row>()]))
let last = 0
/** Tables of which the ledger has told something since they were last compared, at first all. */
const touched = new Set(told.keys())
/** What was in the tables when they were last compared. */
let compared: Record<string, string> = {}

before(async () => {
  service = await startService()
  samples = new Samples(service)
  tables = new Map([...(await tablesOf(service.database))].filter(([name]) => told.has(name)))
  assert.equal(tables.size, resources.length)
})
after(() => service.stop())

const kinds = new Map(resources.map((of) => [of.table, of]))

/** The columns that the ledger has: not the folded twins, which follow from others, nor secrets. */
const ledgered = new Map(
  resources.map((of) => {
    const left = columnsOf(of).flatMap(([name, field]) => [
      ...(hasKeyColumn(field) ? [keyColumn(name)] : []),
      ...(field.secret ? [name] : []),
    ])
    return [of.table, (name: string) => name !== 'account_id' && !left.includes(name)]
  }),
)

/** SQLite has numbers for truth values. */
const plain = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value)

/** Carries out one entry on what was told so far; what it says was there must have been there. */
function replay(entry: Entry): void {
  const { resource, record_id: id, action, before: was, after: is } = entry
  const rows = told.get(resource)
  touched.add(resource)
  assert.ok(rows, `the ledger speaks of ${resource}, which no resource declares`)
  // That a past was emptied changes no record; it tells what stays of one.
  if (action === 'erase') {
    assert.equal(was, null)
    if (is) rows.set(id, is)
    else assert.equal(rows.has(id), false, `${resource} ${id} is still there`)
    return
  }
  const row = rows.get(id)
  const at = `${resource} ${id}, entry ${entry.number}`
  assert.equal(row === undefined, action === 'create', at)
  for (const [name, value] of Object.entries(was ?? {}))
    assert.deepEqual(plain(row?.[name]), plain(value), `${at} ${name}`)
  if (action === 'update') assert.notDeepEqual(is, was, `${at} changes nothing`)
  // Of somebody erased the ledger keeps only that it happened.
  if (action === 'delete' && was) assert.deepEqual(Object.keys(was).sort(), Object.keys(row ?? {}).sort(), at)
  if (action === 'delete') rows.delete(id)
  else rows.set(id, { ...row, ...is })
}

/** Reads what the ledger has new. */
async function hear(): Promise<Entry[]> {
  const fresh: Entry[] = []
  for (let some = await entriesSince(service.database, service.account.id, last); some.length > 0; ) {
    for (const entry of some) replay(entry)
    fresh.push(...some)
    last = some.at(-1)?.number ?? last
    some = await entriesSince(service.database, service.account.id, last)
  }
  return fresh
}

/** Reads what the ledger has new, and holds all tables against all that it has told. */
async function catchUp(): Promise<Entry[]> {
  const fresh = await hear()
  const contents = await contentsOf(service.database, tables)
  // A table that is as it was, and of which nothing was told, is still what was told of it.
  for (const { table } of resources)
    if (touched.has(table) || contents[table] !== compared[table]) await compareTable(table)
  touched.clear()
  compared = contents
  return fresh
}

async function compareTable(table: string): Promise<void> {
  const rows: Row[] = await service.database.read((sql) =>
    sql.selectFrom(table).selectAll().where('account_id', '=', service.account.id).execute(),
  )
  const known = told.get(table) as Map<number, Row>
  const isLedgered = ledgered.get(table) as (name: string) => boolean
  const ids = (all: Iterable<unknown>) => [...all].sort()
  if (rows.length !== known.size || rows.some(({ id }) => !known.has(id as number)))
    assert.deepEqual(ids(rows.map(({ id }) => id)), ids(known.keys()), `the records of ${table}`)
  for (const row of rows) {
    const names = Object.keys(row).filter(isLedgered)
    const one = known.get(row.id as number)
    if (names.every((name) => plain(row[name]) === plain(one?.[name]))) continue
    // What differs at first sight may be alike still, and if not, this says where.
    assert.deepEqual(
      names.map((name) => [name, plain(row[name])]),
      names.map((name) => [name, plain(one?.[name])]),
      `${table} ${row.id}`,
    )
  }
}

for (const operation of operations.filter((one) => one.method !== 'GET' && !isForPeople(one)))
  describe(`${operation.id}: ${operation.method} ${operation.path}`, () => {
    test('every row that differs is explained by an entry, and nothing else is', async () => {
      const params = await samples.params(operation)
      const body = await samples.body(operation)
      await hear()
      const key = operation.permission === null ? { key: null } : {}
      const answer = await samples.call(operation, params, body, {
        ...key,
        headers: { 'x-correlation-id': 'all-of-it' },
      })
      assert.equal(answer.status, operation.status, answer.text)
      const entries = await catchUp()
      for (const entry of entries) {
        assert.equal(entry.operation, operation.id)
        assert.equal(entry.request_id, answer.headers.get('x-request-id'))
        assert.equal(entry.correlation_id, 'all-of-it')
        assert.equal(entry.address, '127.0.0.1')
        assert.deepEqual(entry.actor, operation.permission === null ? { kind: 'anybody' } : { kind: 'key', id: 1 })
      }
      showsWhatTheAnswerShows(operation, entries, answer.body?.data)
    })

    test('a refused request leaves no entry and no change', async () => {
      await hear()
      const params = Object.fromEntries(Object.keys(operation.params.properties).map((name) => [name, 987_654_321]))
      const strict = { headers: { prefer: 'handling=strict' } }
      const answer = await samples.call(operation, params, operation.body ? { nonsense: 1 } : undefined, strict)
      if (answer.status < 400) return
      assert.deepEqual(await catchUp(), [])
    })
  })

/** A new record's entries, decoded, have the values that the answer has. */
function showsWhatTheAnswerShows({ answer }: Operation, entries: Entry[], shown: Row | undefined): void {
  const { title } = ((answer?.properties as any)?.data ?? {}) as { title?: string }
  const created = entries.find(
    // Records of several kinds may have the same id.
    ({ action, record_id, resource }) =>
      action === 'create' && record_id === shown?.id && kinds.get(resource)?.title === title,
  )
  const of = created && kinds.get(created.resource)
  if (!created || !of || !shown) return
  const now = told.get(created.resource)?.get(created.record_id) ?? null
  const { after: values } = traceOf(of, { ...created, after: now }, new Set())
  for (const [name, value] of Object.entries(values ?? {}))
    if (name in shown && (shown[name] === null || typeof shown[name] !== 'object') && name !== 'updated_at')
      assert.deepEqual(value, shown[name], `${created.resource} ${name}`)
}

test('an update leaves an entry when it changes a value, and none when it sends what is there, for every kind of record', async () => {
  const unchanged: string[] = []
  for (const put of operations.filter(
    (one) => one.method === 'PUT' && one.path.endsWith('{id}') && !isForPeople(one),
  )) {
    const params = await samples.params(put)
    const body = await samples.body(put)
    assert.equal((await samples.call(put, params, body)).status, 200, put.id)
    await hear()
    for (const same of [{}, body]) {
      const answer = await samples.call(put, params, same)
      assert.equal(answer.status, 200, `${put.id}: ${answer.text}`)
      assert.deepEqual(await hear(), [], put.id)
    }
    if (!(await changesSomething(put, params, body))) unchanged.push(put.id)
    // What was changed without an entry is still there now.
    assert.deepEqual(await catchUp(), [], put.id)
  }
  assert.deepEqual(unchanged, [], 'these took no other value, or took one without an entry')
})

/** Sends one other value after another, until one of them leaves an entry. */
async function changesSomething(put: Operation, params: Record<string, number>, body: Row): Promise<boolean> {
  for (const [name, schema] of Object.entries((put.body?.properties ?? {}) as Record<string, any>)) {
    const value = name === 'columns' ? await newCell(params) : await anotherValue(schema, body[name])
    if (value === undefined || value === body[name]) continue
    await hear()
    const answer = await samples.call(put, params, { [name]: value })
    const entries = await hear()
    if (answer.status === 200 && entries.length > 0) return true
  }
  return false
}

/** A value in a new column of the table that a row is of. */
async function newCell({ employee_table_id }: Record<string, number>): Promise<Row> {
  const column = operations.find(({ id }) => id === 'createEmployeeTableColumn') as Operation
  const made = await samples.call(column, { employee_table_id } as Record<string, number>, {
    name: 'Colour',
    type: 'text',
  })
  return { [made.body.data.internal_name]: 'Blue' }
}

/** A value that differs from the one that was sent, where its schema allows another. */
async function anotherValue(schema: any, value: unknown): Promise<unknown> {
  if (schema['x-reference']) return (await samples.make(schema['x-reference'])).id
  if (schema.enum) return schema.enum.find((one: unknown) => one !== null && one !== value)
  if (schema.format === 'date') return String(value).endsWith('27') ? undefined : `${String(value).slice(0, 8)}27`
  if (schema.format === 'decimal') return value === '3' ? '4' : '3'
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (typeof value === 'string' && ['line', 'text', undefined].includes(schema.format)) return `${value}x`
  return undefined
}

test('a custom value that is sent again leaves no entry, on an employee, in bulk and in its history', async () => {
  const field = (name: string, historical: boolean) =>
    samples.make('employee_fields', { name, type: 'text', historical, options: [] })
  await field('Shoe', false)
  await field('Band', true)
  const { id } = await service.hire()
  const calls = [
    () => service.put(`/employees/${id}`, { shoe: '42', fields: { band: 'B' } }),
    () => service.send('PATCH', '/employees/bulk', { json: { data: [{ id, shoe: '42', band: 'B' }] } }),
    () =>
      service.post(`/employees/${id}/field_histories`, {
        employee_field_internal_name: 'band',
        effective_on: '2020-01-01',
        value: 'A',
      }),
  ]
  for (const call of calls) {
    assert.ok((await call()).status < 300)
    await catchUp()
    assert.ok((await call()).status < 300)
    assert.deepEqual(await catchUp(), [])
  }
})

test('withheld groups are cut out of entries, and named', async () => {
  const { id, params } = await samples.make('salaries')
  const entries = await entriesSince(service.database, service.account.id, 0, 1_000_000)
  const entry = entries.find((one) => one.resource === 'salaries' && one.record_id === id) as Entry
  const of = kinds.get('salaries')
  assert.ok(of)
  const whole = traceOf(of, entry, new Set())
  assert.equal(whole.after?.amount, '54000.0')
  assert.equal(whole.after?.employee_id, params.employee_id)
  await service.put(`/employees/${params.employee_id}/salaries/${id}`, { amount: '61000' })
  const change = (await entriesSince(service.database, service.account.id, entries.length)).at(-1) as Entry
  assert.equal(traceOf(of, change, new Set()).before?.amount, '54000.0')
  const unseen = JSON.stringify(traceOf(of, change, new Set(['compensation'])))
  assert.ok(!unseen.includes('54000') && !unseen.includes('61000'))
  const cut = traceOf(of, entry, new Set(['compensation']))
  assert.deepEqual(cut.omitted, ['compensation'])
  assert.ok(!JSON.stringify(cut).includes('54000'))
  assert.equal(cut.after?.effective_on, whole.after?.effective_on)
})
