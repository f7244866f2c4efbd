import { CompiledQuery } from 'kysely'
import type { Database, Sql } from '../src/database/database.ts'
import { FOREVER } from '../src/engine/dated.ts'
import { daysAfter } from '../src/engine/day.ts'
import type { Field, Resource } from '../src/engine/declaration.ts'
import { fold } from '../src/engine/format.ts'
import { columnsOf, hasKeyColumn, keyColumn, tableOf } from '../src/engine/resource.ts'
import { resources } from '../src/operations.ts'
import { chunks } from '../src/records/chunks.ts'
import { addSearchWords } from '../src/records/search-words.ts'

/**
 * Fills every table with rows made from its declaration, so that the planners have something to choose between. When
 * they are `aligned`, what has an id names what has the same id, in every table; when they are `marked`, every text
 * says where it stands.
 */
export async function fillTables(
  database: Database,
  accountIds: number[],
  size: number,
  { aligned = false, marked = false } = {},
): Promise<void> {
  const ordered = inOrder(resources)
  const [first = 0, ...others] = accountIds
  await database.write(async (sql) => {
    await skipForeignKeys(database, sql)
    for (const of of ordered)
      for (let from = 0; from < size; from += 200) {
        const rows = Array.from({ length: Math.min(200, size - from) }, (_, n) =>
          rowOf(of, first, from + n, size, aligned, marked),
        )
        await sql
          .insertInto(of.table)
          .values(rows)
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        await addSearchWords(sql, first, tableOf(of), rows)
      }
  })
  // The same rows in each other account, by the database itself, which is much faster.
  for (const accountId of others)
    await database.write(async (sql) => {
      await skipForeignKeys(database, sql)
      for (const of of ordered)
        await copyRows(sql, of.table, Object.keys(rowOf(of, 0, 0, size, false, false)), secretsOf(of))
      await copyRows(sql, 'search_words', ['account_id', 'resource', 'word', 'record_id'], [])

      async function copyRows(sql: Sql, table: string, columns: string[], secrets: string[]): Promise<void> {
        const values = columns.map((name) =>
          name === 'account_id'
            ? `${accountId}`
            : secrets.includes(name)
              ? `'${name} ${accountId} ' || id`
              : `"${name}"`,
        )
        const into = `insert into "${table}" (${columns.map((name) => `"${name}"`).join()})`
        const query = `${into} select ${values.join()} from "${table}" where account_id = ${first} on conflict do nothing`
        await sql.executeQuery(CompiledQuery.raw(query))
      }
    })
  for (const accountId of accountIds)
    await database.write(async (sql) => {
      for (const { table } of resources)
        await sql
          .insertInto('counters')
          .values({ account_id: accountId, resource: table, last_id: size, live: size })
          .onConflict((conflict) =>
            conflict.columns(['account_id', 'resource']).doUpdateSet({ last_id: size, live: size }),
          )
          .execute()
    })
  for (const accountId of accountIds) await fillLedger(database, accountId, size)
  await database.analyse()
}

/** These rows refer to rows that exist: letting PostgreSQL check each reference takes half of the time. */
async function skipForeignKeys({ engine }: Database, sql: Sql): Promise<void> {
  if (engine === 'postgres') await sql.executeQuery(CompiledQuery.raw('set local session_replication_role = replica'))
}

/** Columns whose values are unique in all accounts. */
const secretsOf = (of: Resource) => columnsOf(of).flatMap(([name, { secret }]) => (secret ? [name] : []))

/** A past with many writers, requests and kinds of records, and many who read them. */
async function fillLedger(database: Database, account_id: number, size: number): Promise<void> {
  const rows = Array.from({ length: size }, (_, n) => ({
    account_id,
    at: new Date(Date.UTC(2020, 0, 1) + n * 86_400_000).toISOString(),
    actor_kind: n % 50 === 0 ? 'system' : 'key',
    actor_id: n % 50 === 0 ? null : 1 + (n % 40),
    person_id: 1 + (n % 60),
    request_id: `request ${n}`,
    operation: `operation${n % 30}`,
    resource: n % 3 === 0 ? 'employees' : (resources[n % resources.length]?.table ?? ''),
    record_id: 1 + n,
    owner: 'employees',
    owner_id: 1 + (n % 200),
  }))
  const entry = { correlation_id: 'same', action: 'update', before: '{}', after: '{}', address: null }
  await database.write(async (sql) => {
    const entries = rows.map((row, n) => ({ ...row, ...entry, no: 100_000 + n }))
    for (const some of chunks(entries, 200)) await sql.insertInto('ledger').values(some).execute()
    const reads = rows.map((row, n) => ({ ...row, id: 1 + n, what: 'compensation' }))
    for (const some of chunks(reads, 200)) await sql.insertInto('reads').values(some).execute()
  })
}

/** Tables after those that they cannot be without. */
function inOrder(all: readonly Resource[]): Resource[] {
  const done = new Set<Resource>()
  const visit = (of: Resource): void => {
    if (done.has(of)) return
    done.add(of)
    for (const [, { reference }] of columnsOf(of)) {
      const target = all.find((one) => one.table === reference?.table)
      if (target) visit(target)
    }
    placed.push(of)
  }
  const placed: Resource[] = []
  for (const of of all) visit(of)
  return placed
}

function rowOf(
  of: Resource,
  account_id: number,
  n: number,
  size: number,
  aligned: boolean,
  marked: boolean,
): Record<string, unknown> {
  const stamp = new Date(Date.UTC(2020, 0, 1) + n * 86_400_000).toISOString()
  const row: Record<string, unknown> = { account_id, id: n + 1, created_at: stamp, updated_at: stamp }
  for (const [place, [name, field]] of columnsOf(of).entries()) {
    const sample = sampleOf(of, field, name, n, aligned || isOneToOne(of, name) ? 0 : place, size)
    const value = marked && sample === `${name} ${n}` ? `${of.table}.${name}.${n + 1}` : sample
    row[name] = value === null || typeof value === 'boolean' ? value : field.write(value)
    // What is secret is unique in all accounts.
    if (field.secret) row[name] = `${name} ${account_id} ${n}`
    if (hasKeyColumn(field)) row[keyColumn(name)] = value === null ? null : fold(String(value))
  }
  return row
}

/** An employee is one user at most. */
const isOneToOne = ({ table }: Resource, name: string) => table === 'users' && name === 'employee_id'

function sampleOf(of: Resource, field: Field, name: string, n: number, place: number, size: number): unknown {
  const { reference, column } = field
  if (reference) return reference.table === of.table ? null : 1 + ((n * (place + 1)) % size)
  const values = ((field.input ?? field.output) as { enum?: unknown[] } | null)?.enum?.filter((one) => one !== null)
  // The last of the values is a rare one, so that asking for it is worth an index.
  if (values?.length) return n % 100 === 99 ? values.at(-1) : values[n % Math.max(1, values.length - 1)]
  if (Array.isArray(field.initial)) return []
  // What a custom field may hold depends on its definition.
  if (of.table.endsWith('_field_values') && name === 'value') return null
  if (typeof field.initial === 'object' && field.initial !== null) return field.initial
  switch (column?.type) {
    case 'date':
      if (name === 'effective_until') return FOREVER
      return column.isNeverNull || !ENDS.test(name) || n % 50 === 0 ? dayOf(n) : null
    case 'timestamptz':
      return column.isNeverNull || n % 50 === 0 ? `${dayOf(n)}T08:00:00.000Z` : null
    case 'boolean':
      return n % 2 === 0
    case 'integer':
    case 'bigint':
      return 1 + (n % 365)
    default:
      return `${name} ${n}`
  }
}

const dayOf = (n: number) => daysAfter('2015-01-01', n)

/** Days that most records do not have: few have left, most are past probation. */
const ENDS = /^(termination|probation)/
