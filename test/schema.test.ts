import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connect } from '../src/database/connect.ts'
import type { Database } from '../src/database/database.ts'
import { migrate } from '../src/database/migrate.ts'
import type { Resource } from '../src/engine/declaration.ts'
import { columnsOf, hasKeyColumn, keyColumn } from '../src/engine/resource.ts'
import { operations, resources } from '../src/operations.ts'
import { type CatalogueTable, readCatalogue } from './catalogue.ts'
import { ENGINE, emptyDatabase } from './harness.ts'

let database: Database
let remove: () => Promise<void>
let catalogue: Map<string, CatalogueTable>

before(async () => {
  const fresh = await emptyDatabase()
  remove = fresh.remove
  database = connect(fresh.url)
  await migrate(database)
  catalogue = await readCatalogue(database)
})
after(async () => {
  await database.close()
  await remove()
})

/** Tables that hold no records of their own: the ground on which records stand. */
const GROUND = [
  'accounts',
  'heartbeat',
  'counters',
  'ledger',
  'reads',
  'idempotency',
  'after_commit',
  'api_key_uses',
  'search_words',
  'secret_hashes',
  'passkey_uses',
  'session_uses',
  'sign_in_attempts',
  'spent_tickets',
  'reset_requests',
  'schema_migrations',
]

const same = (one: readonly string[], other: readonly string[]) => one.join() === other.join()
const hasIndex = (table: CatalogueTable, ...columns: string[]) =>
  [table.primaryKey, ...table.indexes.values()].some((index) => same(index.slice(0, columns.length), columns))

/** Columns to sort by that were added to rows: neither engine could be told that they are never null. */
const CAME_LATER = [
  'employees.first_name_key',
  'employees.last_name_key',
  'employee_notes.shared_with_employee',
  'roles.revision',
  'probation_policies.length_unit',
]

/** What the fields of a resource say about its table, and the catalogue does not. */
function differences(of: Resource, table: CatalogueTable | undefined): string[] {
  if (!table) return [`${of.table}: there is no such table`]
  const found: string[] = []
  const say = (column: string, what: string) => void found.push(`${of.table}.${column}: ${what}`)
  const expected = new Map([
    ['account_id', { type: 'bigint', isNeverNull: true }],
    ['id', { type: 'bigint', isNeverNull: true }],
    ['created_at', { type: 'timestamptz', isNeverNull: true }],
    ['updated_at', { type: 'timestamptz', isNeverNull: true }],
  ])
  for (const [name, field] of columnsOf(of)) {
    if (!field.column) continue
    expected.set(name, field.column)
    if (hasKeyColumn(field)) expected.set(keyColumn(name), field.column)
  }
  for (const [name, { type, isNeverNull }] of expected) {
    const column = table.columns.get(name)
    if (!column) say(name, 'has no column')
    else if (column.type !== type) say(name, `is ${column.type}, declared ${type}`)
    else if (column.isNeverNull !== isNeverNull && !CAME_LATER.includes(`${of.table}.${name}`))
      say(name, isNeverNull ? 'may be null, declared never null' : 'is never null, declared nullable')
  }
  for (const [name, { hasDefault }] of table.columns) {
    if (!expected.has(name)) say(name, 'is no field')
    // What a record starts with is for its declaration to say, where the ledger sees it.
    if (hasDefault) say(name, 'has a default of its own')
  }
  // What the database did by itself, the ledger would not know of.
  for (const columns of table.uniques) if (columns[0] !== 'account_id') say(columns.join(), 'is unique across accounts')
  for (const { columns, action } of table.foreignKeys)
    if (action !== 'NO ACTION NO ACTION') say(columns.join(), `does something by itself: ${action}`)
  if (!same(table.primaryKey, ['account_id', 'id'])) say('id', `the primary key is (${table.primaryKey})`)

  const hasKey = (columns: string[], target: string, to: string[]) =>
    table.foreignKeys.some((key) => same(key.columns, columns) && key.table === target && same(key.to, to))
  if (!hasKey(['account_id'], 'accounts', ['id'])) say('account_id', 'is no foreign key to accounts')
  for (const [name, { reference, unique }] of columnsOf(of)) {
    if (reference && !hasKey(['account_id', name], reference.table, ['account_id', 'id']))
      say(name, `is no foreign key to ${reference.table} within the account`)
    if (reference && !hasIndex(table, 'account_id', name)) say(name, 'has no index')
    if (unique && !table.uniques.some((columns) => same(columns, ['account_id', keyColumn(name)])))
      say(keyColumn(name), 'is not unique in the account')
  }
  return found
}

test('every table matches its fields: types, not null, unique, references and indexes', () => {
  assert.deepEqual(
    resources.flatMap((of) => differences(of, catalogue.get(of.table))),
    [],
  )
})

test('every table belongs to a resource', () => {
  const declared = new Set([...GROUND, ...resources.map(({ table }) => table)])
  assert.deepEqual(
    [...catalogue.keys()].filter((table) => !declared.has(table)),
    [],
  )
})

test('every foreign key and every primary key starts with the account', () => {
  for (const [name, { primaryKey, foreignKeys }] of catalogue) {
    if (['accounts', 'heartbeat', 'schema_migrations', 'secret_hashes'].includes(name)) continue
    assert.equal(primaryKey[0], 'account_id', name)
    for (const key of foreignKeys) assert.equal(key.columns[0], 'account_id', `${name} → ${key.table}`)
  }
})

test('every filtered column has an index, after its parent where the path names one', () => {
  const looked = new Set(operations.flatMap((operation) => operation.indexedColumns))
  assert.ok(looked.size > 70, `${looked.size} columns are looked at`)
  const without = [...looked].filter((place) => {
    const [table = '', column = ''] = place.split('.')
    const found = catalogue.get(table)
    // Words of all kinds of records stand in one table.
    const parents =
      table === 'search_words' ? ['resource'] : (resources.find((of) => of.table === table)?.parents ?? [])
    return !found || !(hasIndex(found, 'account_id', column) || hasIndex(found, 'account_id', ...parents, column))
  })
  assert.deepEqual(without, [])
})

test('every filter declares the columns it reads', () => {
  const lists = operations.filter((one) => one.query.properties.page)
  const silent = lists.filter(({ query, indexedColumns }) => {
    const narrowing = Object.keys(query.properties).filter(
      (name) => !['page', 'per_page', 'sort', 'as_of', 'known_at', 'fields'].includes(name),
    )
    return narrowing.length > 0 && indexedColumns.length === 0
  })
  assert.deepEqual(
    silent.map(({ id }) => id),
    [],
  )
})

test('text searched by prefix is compared byte by byte, whatever the database language', () => {
  const searched = { search_words: ['word'] }
  const looked = new Set(operations.flatMap((operation) => operation.indexedColumns))
  for (const [table, columns] of Object.entries(searched))
    for (const column of columns) {
      assert.ok(looked.has(`${table}.${column}`))
      // SQLite compares so by itself.
      if (ENGINE === 'postgres') assert.equal(catalogue.get(table)?.columns.get(column)?.collation, 'C', column)
    }
})

test('every text in a body declares a format that excludes invalid characters', () => {
  const loose: string[] = []
  const walk = (schema: any, place: string): void => {
    const isText = [schema.type].flat().includes('string')
    if (isText && !schema.format && !schema.enum && !schema['x-file']) loose.push(place)
    if (schema.items) walk(schema.items, `${place}[]`)
    for (const [name, inner] of Object.entries(schema.properties ?? {})) walk(inner, `${place}.${name}`)
  }
  for (const { id, body } of operations) if (body) walk(body, id)
  assert.deepEqual(loose, [])
})
