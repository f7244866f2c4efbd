import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { commandLine } from '../src/domain/access/accounts.ts'
import { FIELD_GROUPS } from '../src/domain/access/permissions.ts'
import type { Operation } from '../src/engine/operation.ts'
import { columnsOf, hasKeyColumn, keyColumn } from '../src/engine/resource.ts'
import { traceOf } from '../src/engine/trace.ts'
import { operations, resources } from '../src/operations.ts'
import type { Caller } from '../src/records/caller.ts'
import { type Entry, entriesSince } from '../src/records/entries.ts'
import { chances, SEED } from './chance.ts'
import { contentsOf, type Tables, tablesOf, watchContents } from './contents.ts'
import { checkAnswer } from './declared.ts'
import { type Sending, type Service, type sender, spell, startService, withoutRequestId } from './harness.ts'
import { bare, headersOf, NOTHING_CACHED, startBeside } from './processes-beside.ts'
import { isForPeople, Samples } from './samples.ts'
import { isLong, isThorough } from './thorough.ts'
import { changesSince, filesIn, ledgerNumber, withActorOf, plain as withoutChance } from './told-changes.ts'

/**
 * Every operation that writes is tried and then done once, and held to what is promised of all of them: the answer has the
 * declared shape; a dry run tells what the request then does, and stores nothing; JSON, forms and multipart mean the same;
 * each row that differs is explained by an entry of the ledger; and other processes answer as if nothing were cached. Making
 * records to write about costs more than any of these, so it is done once for all.
 */

type Row = Record<string, unknown>

const MARKER = 'Zq9marker'

/** Text of groups that can be withheld bears a mark, in every record that is made. */
class Marked extends Samples {
  override async body(operation: Operation): Promise<Record<string, unknown>> {
    const body = await super.body(operation)
    const isGuarded = resources.some(({ path, group }) => group && operation.path.startsWith(path))
    for (const [name, schema] of Object.entries<any>(operation.body?.properties ?? {}))
      if (
        name !== 'gender' &&
        typeof body[name] === 'string' &&
        /^(line|text|html)$/.test(schema.format) &&
        !schema.enum
      )
        if (isGuarded || schema['x-group']) body[name] = `${MARKER} ${body[name]}`.slice(0, schema.maxLength)
    return body
  }
}

const folder = mkdtempSync(join(tmpdir(), 'cadre-files-'))
/** Time stands still while answers are compared, so that they can be to the last letter; otherwise it goes on. */
let stopped: Date | undefined
const clock = () => stopped ?? new Date()
let service: Service
let samples: Samples
/** The tables of records, and all of them. */
let tables: Tables
let allTables: Tables
/** A key that may do everything, and one that may as well, but sees nothing that can be withheld. */
let wide: { key: string; caller: Caller }
let narrow: { key: string; caller: Caller }
/** Other processes on the same database: one caches answers, one does not. */
const apps: FastifyInstance[] = []
let beside: ReturnType<typeof sender>
let afresh: ReturnType<typeof sender>
/** Every table as the ledger tells it, replayed entry by entry from nothing. */
const told = new Map(resources.map(({ table }) => [table, new Map<number, Row>()]))
let last = 0
/** Tables of which the ledger has told something since they were last compared, at first all. */
const touched = new Set(told.keys())
/** What was in the tables when they were last compared. */
let compared: Record<string, string> = {}

before(async () => {
  service = await startService({ config: { CADRE_FILES: folder }, clock })
  samples = new Marked(service)
  allTables = await tablesOf(service.database)
  assert.ok(allTables.size > resources.length)
  tables = new Map([...allTables].filter(([name]) => told.has(name)))
  assert.equal(tables.size, resources.length)
  const rights = { permissions: ['*'], withheld: [...FIELD_GROUPS] }
  const caller = { ...commandLine(service.account), permissions: ['*'] }
  wide = { key: service.key, caller: { ...caller, actor: { kind: 'key', id: 1 } } }
  narrow = { key: await service.keyWith(rights), caller: { ...caller, withheld: new Set(FIELD_GROUPS) } }
  const caching = await startBeside(service, clock, 64)
  const other = await startBeside(service, clock, 0, NOTHING_CACHED)
  beside = caching.send
  afresh = other.send
  apps.push(caching.app, other.app)
})
after(async () => {
  for (const app of apps) await app.close()
  await service.stop()
  rmSync(folder, { recursive: true })
})

const kinds = new Map(resources.map((of) => [of.table, of]))

/** The columns that the ledger has: without the key columns of folded texts, which follow from others, and without secrets. */
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

/** Places to read, whose answers are cached. Who has read what is noted some time later, and may differ between two who ask. */
const places: { operation: Operation; path: string }[] = []

test('every read operation has a readable sample', async () => {
  for (const operation of operations) {
    const { method, permission, attaches, path, query } = operation
    if (method !== 'GET' || isForPeople(operation) || !permission || attaches || path.startsWith('/reads')) continue
    const params = await samples.unchanged(operation)
    const place = path.replace(/\{(\w+)\}/g, (_, name) => String(params[name]))
    places.push({ operation, path: place + (query.properties.per_page ? '?per_page=3' : '') })
  }
  for (const { path } of places) assert.equal((await beside('GET', path)).status, 200, path)
})

async function compareCached({ operation, path }: (typeof places)[number], after: string): Promise<void> {
  const [cached, made] = [await beside('GET', path), await afresh('GET', path)]
  assert.equal(cached.status, made.status, `${path} after ${after}`)
  // A refusal contains the id of its request.
  if (made.status !== 200) return
  assert.equal(bare(cached.text), bare(made.text), `${operation.id} after ${after}`)
  assert.deepEqual(headersOf(cached), headersOf(made), `${operation.id} after ${after}`)
  found.cached++
}

/** Compares some places of any kind, and some that are near: in the gate one or the other. Which ones is chance. */
async function compareSomeCached(operation: Operation): Promise<void> {
  const near = places.filter((place) => place.operation.area === operation.area)
  const groups = near.length > 0 ? [places, near] : [places]
  const chosen = isThorough ? Array.from({ length: 6 }).flatMap(() => groups) : [chance.of(groups)]
  for (const place of new Set(chosen.map((group) => chance.of(group)))) await compareCached(place, operation.id)
}
const chance = chances(SEED)

/** The record that a write is about, and the list that it is in. */
function placesOf({ path, permission }: Operation, params: Record<string, unknown>): typeof places {
  const own = permission === null ? [] : [path, path.replace(/\/\{\w+\}$/, '')]
  return operations.flatMap((operation) => {
    const isOne = operation.method === 'GET' && own.includes(operation.path) && !operation.attaches
    if (!isOne || isForPeople(operation) || !operation.permission || operation.isFeed) return []
    return [{ operation, path: operation.path.replace(/\{(\w+)\}/g, (_, name) => String(params[name])) }]
  })
}

const found = { marked: 0, compared: 0, shown: 0, cached: 0, forms: 0, unchanged: [] as string[] }

/** As the narrow key can send it. */
const seenPart = (operation: Operation, body: Record<string, unknown>) => {
  const schemas = (operation.body?.properties ?? {}) as Record<string, any>
  return Object.fromEntries(Object.entries(body).filter(([name]) => !schemas[name]?.['x-group']))
}

/** A body as a form and as multipart. In the gate, operations are sent one or the other by turns. */
function spellings(body: Row): Sending[] {
  const data = new FormData()
  for (const [name, value] of spell(body)) data.append(name, value)
  const both: Sending[] = [{ form: body }, { multipart: data }]
  return isLong ? both : [both[found.forms++ % 2] as Sending]
}

for (const operation of operations.filter((one) => one.method !== 'GET' && !isForPeople(one)))
  test(`${operation.id}: ${operation.method} ${operation.path} does what its dry run says and records all of it`, async () => {
    stopped = undefined
    const params = await samples.params(operation)
    const body = await samples.body(operation)
    stopped = new Date()
    const isOpen = operation.permission === null
    const sendingOf = (by: typeof wide, prefer?: string) => ({
      key: isOpen ? null : by.key,
      headers: { 'x-correlation-id': 'one', 'idempotency-key': operation.id, ...(prefer ? { prefer } : {}) },
    })
    const ask = (by: typeof wide, json: unknown, prefer?: string) =>
      samples.call(operation, params, json, sendingOf(by, prefer))
    const nowhere = Object.fromEntries(Object.keys(params).map((name) => [name, 987_654_321]))
    const askWrongly = (prefer: string) =>
      samples.call(operation, nowhere, operation.body ? { nonsense: 1 } : undefined, {
        key: isOpen ? null : wide.key,
        headers: { prefer },
      })

    // Neither a dry run nor a refused request leaves anything.
    await hear()
    const number = await ledgerNumber(service)
    const files = filesIn(folder)
    const changed = await watchContents(service.database, service.databaseUrl, allTables)
    const tried = await ask(wide, body, 'dry-run')
    const narrowBody = seenPart(operation, body)
    const triedNarrowly = await ask(narrow, narrowBody, 'dry-run')
    const triedWrongly = await askWrongly('handling=strict, dry-run')
    const refusedWrongly = triedWrongly.status < 400 ? undefined : await askWrongly('handling=strict')
    const spelled = []
    for (const spelling of operation.body ? spellings(body) : [])
      spelled.push(await samples.call(operation, params, undefined, { ...spelling, ...sendingOf(wide, 'dry-run') }))
    assert.deepEqual(await changed(), [], 'these tables have changed')
    assert.deepEqual(filesIn(folder), files)

    if (triedNarrowly.status >= 400) {
      const refused = await ask(narrow, narrowBody)
      assert.deepEqual(
        [triedNarrowly.status, withoutRequestId(triedNarrowly.text)],
        [refused.status, withoutRequestId(refused.text)],
      )
    }
    if (refusedWrongly) {
      assert.equal(triedWrongly.headers.get('preference-applied'), 'dry-run')
      assert.deepEqual(
        [triedWrongly.status, withoutRequestId(triedWrongly.text)],
        [refusedWrongly.status, withoutRequestId(refusedWrongly.text)],
      )
    }
    assert.equal(tried.status, 200, tried.text)
    for (const one of spelled) {
      assert.equal(one.status, 200, one.text)
      assert.deepEqual(lasting(one.body), lasting(tried.body))
    }
    assert.deepEqual(await hear(), [])

    // What is done has the declared shape, is what the dry run said, and every row that differs is explained by an entry.
    const own = placesOf(operation, params)
    for (const { path } of own) await beside('GET', path)
    const done = await ask(wide, body)
    checkAnswer(operation, done)
    assert.equal(done.headers.get('preference-applied'), null)
    assert.equal(done.headers.get('idempotency-replayed'), null)
    const place = done.headers.get('location')
    if (operation.status === 201) assert.match(place ?? '', /^\/api\/(public\/v3|careers\/v1)\//)
    if (place !== null) assert.equal((await service.get(place)).status, 200, `Location: ${place}`)

    const entries = await catchUp()
    for (const entry of entries) {
      assert.equal(entry.operation, operation.id)
      assert.equal(entry.request_id, done.headers.get('x-request-id'))
      assert.equal(entry.correlation_id, 'one')
      assert.equal(entry.address, '127.0.0.1')
      assert.deepEqual(entry.actor, isOpen ? { kind: 'anybody' } : { kind: 'key', id: 1 })
    }
    showsWhatTheAnswerShows(operation, entries, done.body?.data)

    assert.equal(tried.headers.get('preference-applied'), 'dry-run')
    for (const name of ['location', 'etag', 'idempotency-replayed']) assert.equal(tried.headers.get(name), null, name)
    assert.equal(tried.headers.get('cadre-ledger'), isOpen ? null : String(number))
    const shown = isOpen ? [] : await changesSince(service, number, wide.caller)
    found.shown += shown.length
    // Effects are calculated for the dry run alone.
    const { effects, ...triedBody } = tried.body
    assert.equal(effects !== undefined, Boolean(operation.effects))
    assert.deepEqual(
      withoutChance(operation, triedBody),
      withoutChance(operation, { ...done.body, changes: shown, ...(isOpen ? {} : { omitted: [] }) }),
    )

    if (tried.text.includes(MARKER)) found.marked++
    assert.ok(!triedNarrowly.text.includes(MARKER), triedNarrowly.text)
    // What a key does to itself is not what another does.
    const isOfKey = isOpen || operation.id === 'resetCalendarFeed'
    if (triedNarrowly.status === 200 && !isOfKey && Object.keys(narrowBody).length === Object.keys(body).length) {
      const shown = withActorOf(triedNarrowly, await changesSince(service, number, narrow.caller))
      assert.deepEqual(
        withoutChance(operation, { changes: triedNarrowly.body.changes }),
        withoutChance(operation, { changes: shown }),
      )
      found.compared++
    }

    // An update leaves an entry when it changes a value, and none when it sends what is there.
    if (operation.method === 'PUT' && operation.path.endsWith('{id}')) {
      stopped = undefined
      for (const same of [{}, body]) {
        const answer = await samples.call(operation, params, same)
        assert.equal(answer.status, 200, answer.text)
        assert.deepEqual(await hear(), [])
      }
      if (!(await changesSomething(operation, params, body))) found.unchanged.push(operation.id)
      // What was changed without an entry is still there now.
      assert.deepEqual(await catchUp(), [])
    }

    stopped = new Date()
    for (const one of own) await compareCached(one, operation.id)
    await compareSomeCached(operation)
  })

test('the comparisons covered enough changes, hidden values and cached responses', async () => {
  stopped = new Date()
  for (const place of places) await compareCached(place, 'all of them')
  stopped = undefined
  const { marked, compared, shown, cached } = found
  assert.ok(marked > 10 && compared > 100 && shown > 500 && cached > 600, JSON.stringify(found))
  assert.deepEqual(found.unchanged, [], 'these took no other value, or took one without an entry')
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

test('sending the same custom value again writes no ledger entry', async () => {
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

/** As it is stored or shown: the id of a request can contain five digits by chance. */
const AMOUNT = /(54000|61000)(0000|\.0)/

test('hidden field groups are removed from ledger entries and named', async () => {
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
  assert.doesNotMatch(unseen, AMOUNT)
  const cut = traceOf(of, entry, new Set(['compensation']))
  assert.deepEqual(cut.omitted, ['compensation'])
  assert.doesNotMatch(JSON.stringify(cut), AMOUNT)
  assert.equal(cut.after?.effective_on, whole.after?.effective_on)
})

/** An answer without what is another each time: ids of requests, numbers of chance, signed addresses, and secrets. */
function lasting(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => lasting(item))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([part, inner]) => [part, lasting(inner, part)]))
  // Answers of reviews are known by numbers of chance.
  if (name === 'id' && typeof value === 'number' && value > 1_000_000_000) return 'number'
  if (typeof value !== 'string') return value
  if (name === 'key' || name === 'hint' || name === 'url') return 'secret'
  if (name === 'request_id' || name === 'correlation_id') return 'request'
  return value.replace(/\/files\/.*$/, '/files/signed')
}
