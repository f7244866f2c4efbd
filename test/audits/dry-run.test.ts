import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql as raw } from 'kysely'
import { commandLine } from '../../src/access/accounts.ts'
import { FIELD_GROUPS } from '../../src/access/permissions.ts'
import { kindsByTable, showChanges } from '../../src/audits/shown.ts'
import type { Database } from '../../src/database/database.ts'
import type { Operation } from '../../src/engine/operation.ts'
import type { Caller } from '../../src/ledger/caller.ts'
import { entriesSince } from '../../src/ledger/entries.ts'
import { readAs } from '../../src/ledger/ledger.ts'
import { operations, resources } from '../../src/operations.ts'
import { openService } from '../../src/service.ts'
import { type Answer, type Service, startService } from '../harness.ts'
import { Samples } from '../samples.ts'

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
const now = new Date()
let service: Service
let samples: Samples
let tables: Map<string, string[]>
/** A key that may do everything, and sees nothing that can be withheld. */
let narrow: { key: string; caller: Caller }
let wide: { key: string; caller: Caller }

before(async () => {
  // Time stands still, so that what was tried and what was done can be compared to the last letter.
  service = await startService({ config: { CADRE_FILES: folder }, clock: () => now })
  samples = new Marked(service)
  tables = await tablesOf(service.database)
  assert.ok(tables.size > resources.length)
  const rights = { permissions: ['*'], withheld: [...FIELD_GROUPS] }
  const caller = { ...commandLine(service.account), permissions: ['*'] }
  wide = { key: service.key, caller: { ...caller, actor: { kind: 'key', id: 1 } } }
  narrow = { key: await service.keyWith(rights), caller: { ...caller, withheld: new Set(FIELD_GROUPS) } }
})
after(async () => {
  await service.stop()
  rmSync(folder, { recursive: true })
})

/** Every table there is, but for the notes of who used which key and read what, and the columns of each. */
async function tablesOf(database: Database): Promise<Map<string, string[]>> {
  const { rows } = await database.glance((sql) =>
    (database.engine === 'sqlite'
      ? raw<{ name: string; column: string }>`
          select t.name, c.name as "column" from sqlite_master t, pragma_table_info(t.name) c where t.type = 'table'`
      : raw<{ name: string; column: string }>`
          select table_name as name, column_name as "column" from information_schema.columns where table_schema = 'public'`
    ).execute(sql),
  )
  const tables = Map.groupBy(rows, ({ name }) => name)
  for (const name of ['api_key_uses', 'reads']) tables.delete(name)
  return new Map([...tables].map(([name, columns]) => [name, columns.map(({ column }) => column)]))
}

/** The contents of all tables, to the last byte. */
async function stored(database: Database, tables: Map<string, string[]>): Promise<Record<string, string>> {
  const contents = [...tables].map(([name, columns]) =>
    database.engine === 'sqlite'
      ? `(select json_group_array(json_array(${columns.map((one) => `"${one}"`)})) from "${name}") as "${name}"`
      : `(select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) from "${name}" t) as "${name}"`,
  )
  const { rows } = await database.glance((sql) =>
    raw<Record<string, string>>`select ${raw.raw(contents.join(', '))}`.execute(sql),
  )
  return rows[0] as Record<string, string>
}

/** Every file and folder, with what it holds. */
const kept = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(folder, name)
      return statSync(path).isFile() ? `${name} ${createHash('sha1').update(readFileSync(path)).digest('hex')}` : name
    })

/** What is there now: all of the database, and all files. */
const everything = async () => ({ tables: await stored(service.database, tables), files: kept() })

async function changesSince(number: number, caller: Caller) {
  const entries = await entriesSince(service.database, service.account.id, number, 100_000)
  const { ledger } = openService({ database: service.database, filesFolder: folder })
  return readAs(ledger, caller, (db) => showChanges(db, kindsByTable(resources), entries))
}

const ledgerNumber = async () =>
  (
    await service.database.glance((sql) =>
      sql.selectFrom('accounts').select('ledger_no').orderBy('id').executeTakeFirst(),
    )
  )?.ledger_no as number

/** Without what is made by chance, or shown once only. */
function plain(operation: Operation, body: any): any {
  const copy = JSON.parse(JSON.stringify(body ?? {}))
  if (operation.redact) copy.data = { ...copy.data, hint: '', key: '', url: '' }
  for (const { resource, after } of copy.changes ?? []) if (resource === 'api_keys' && after) after.hint = ''
  return copy
}

const withActorOf = (tried: Answer, shown: object[]) =>
  shown.map((one) => ({ ...one, actor: tried.body.changes[0].actor }))

/** As the narrow key can send it. */
const seenPart = (operation: Operation, body: Record<string, unknown>) => {
  const schemas = (operation.body?.properties ?? {}) as Record<string, any>
  return Object.fromEntries(Object.entries(body).filter(([name]) => !schemas[name]?.['x-group']))
}

const found = { marked: 0, compared: 0, shown: 0 }

for (const operation of operations.filter(({ method }) => method !== 'GET'))
  test(`${operation.id}: what a dry run says is what the request then does; until then nothing is stored`, async () => {
    const params = await samples.params(operation)
    const body = await samples.body(operation)
    const isOpen = operation.permission === null
    const ask = (by: typeof wide, json: unknown, prefer?: string) =>
      samples.call(operation, params, json, {
        key: isOpen ? null : by.key,
        headers: { 'x-request-id': 'one', 'idempotency-key': operation.id, ...(prefer ? { prefer } : {}) },
      })
    const nowhere = Object.fromEntries(Object.keys(params).map((name) => [name, 987_654_321]))
    const askWrongly = (prefer: string) =>
      samples.call(operation, nowhere, operation.body ? { nonsense: 1 } : undefined, {
        key: isOpen ? null : wide.key,
        headers: { 'x-request-id': 'one', prefer },
      })

    const number = await ledgerNumber()
    const was = await everything()
    const tried = await ask(wide, body, 'dry-run')
    const narrowBody = seenPart(operation, body)
    const triedNarrowly = await ask(narrow, narrowBody, 'dry-run')
    const triedWrongly = await askWrongly('handling=strict, dry-run')
    const is = await everything()
    // Thousands of rows are not to be compared letter by letter for the sake of a message.
    for (const [name, rows] of Object.entries(is.tables)) assert.ok(rows === was.tables[name], `${name} has changed`)
    assert.deepEqual(is.files, was.files)

    if (triedNarrowly.status >= 400) {
      const refused = await ask(narrow, narrowBody)
      assert.deepEqual([triedNarrowly.status, triedNarrowly.text], [refused.status, refused.text])
    }
    const done = await ask(wide, body)
    assert.equal(done.status, operation.status, done.text)
    assert.equal(done.headers.get('preference-applied'), null)
    assert.equal(done.headers.get('idempotency-replayed'), null)

    assert.equal(tried.status, 200, tried.text)
    assert.equal(tried.headers.get('preference-applied'), 'dry-run')
    for (const name of ['location', 'etag', 'idempotency-replayed']) assert.equal(tried.headers.get(name), null, name)
    assert.equal(tried.headers.get('cadre-ledger'), isOpen ? null : String(number))
    const shown = isOpen ? [] : await changesSince(number, wide.caller)
    found.shown += shown.length
    assert.deepEqual(plain(operation, tried.body), plain(operation, { ...done.body, changes: shown }))

    if (tried.text.includes(MARKER)) found.marked++
    assert.ok(!triedNarrowly.text.includes(MARKER), triedNarrowly.text)
    // What a key does to itself is not what another does.
    const isOfKey = isOpen || operation.id === 'resetCalendarFeed'
    if (triedNarrowly.status === 200 && !isOfKey && Object.keys(narrowBody).length === Object.keys(body).length) {
      const shown = withActorOf(triedNarrowly, await changesSince(number, narrow.caller))
      assert.deepEqual(plain(operation, { changes: triedNarrowly.body.changes }), plain(operation, { changes: shown }))
      found.compared++
    }

    if (triedWrongly.status < 400) return
    const refused = await askWrongly('handling=strict')
    assert.equal(triedWrongly.headers.get('preference-applied'), 'dry-run')
    assert.deepEqual([triedWrongly.status, triedWrongly.text], [refused.status, refused.text])
  })

test('there was enough to compare: changes, marks for those who see them, and keys that do not', () => {
  assert.ok(found.marked > 10 && found.compared > 100 && found.shown > 500, JSON.stringify(found))
})
