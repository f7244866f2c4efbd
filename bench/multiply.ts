import { type RawBuilder, sql } from 'kysely'
import type { Sql } from '../src/database/database.ts'
import { commandLine } from '../src/domain/access/accounts.ts'
import { employees } from '../src/domain/people/employees.ts'
import { candidates } from '../src/domain/recruitment/candidates.ts'
import { tableOf } from '../src/engine/resource.ts'
import type { Account } from '../src/records/caller.ts'
import { appendEntries, type Columns, ledgerColumns } from '../src/records/entries.ts'
import type { Ledger } from '../src/records/ledger.ts'
import { addSearchWords } from '../src/records/search-words.ts'
import type { Progress } from './progress.ts'
import type { Size } from './seed.ts'

/**
 * Copies of the first people and candidates, with all that belongs to them, until there are as many as wanted: rows by
 * `insert … select`, words and entries of the ledger by the service's own functions. Numbers, addresses and ids are their
 * own, counters are right, and the ledger's chain is whole. Simplified: only the people and candidates themselves have
 * entries in the ledger, their parts do not; names repeat; those who were deleted are missing among the copies too, without
 * an entry about it.
 */

type CopyResult = {
  table: string
  /** Columns that name copied records, and the table of those. */
  moved: Record<string, string>
  /** Whose copy it is a part of: their id among the first. */
  owner: string
  /** Columns whose values no two records share, from the new id. */
  own?: (id: string) => Record<string, string>
}

const text = (id: string) => `cast(${id} as text)`
const address = (who: string, id: string) => `'${who}' || ${text(id)} || '@example.com'`

const PEOPLE: CopyResult[] = [
  {
    table: 'employees',
    moved: {},
    owner: 'id',
    own: (id) => ({
      employee_number: text(id),
      employee_number_key: text(id),
      email: address('person', id),
      email_key: address('person', id),
    }),
  },
  {
    table: 'employee_positions',
    moved: { employee_id: 'employees', reporting_to_id: 'employees' },
    owner: 'employee_id',
  },
  { table: 'employee_field_values', moved: { employee_id: 'employees' }, owner: 'employee_id' },
  { table: 'key_performance_indicators', moved: { user_id: 'employees' }, owner: 'user_id' },
  {
    table: 'kpi_results',
    moved: { key_performance_indicator_id: 'key_performance_indicators' },
    // Every tenth of the people has one.
    owner: '(key_performance_indicator_id * 10 - 9)',
  },
]

const CANDIDATES: CopyResult[] = [
  {
    table: 'candidates',
    moved: {},
    owner: 'id',
    own: (id) => ({ email: address('candidate', id), email_key: address('candidate', id) }),
  },
  { table: 'candidate_skills', moved: { candidate_id: 'candidates' }, owner: 'candidate_id' },
  { table: 'applications', moved: { candidate_id: 'candidates' }, owner: 'candidate_id' },
]

export async function multiply(
  ledger: Ledger,
  account: Account,
  first: Size,
  wanted: Size,
  bar: Progress,
): Promise<void> {
  const there = first.employees + first.candidates
  const isLong = wanted.employees + wanted.candidates > 5 * there
  const putBack = isLong && ledger.database.engine === 'postgres' ? await withoutIndexes(ledger) : undefined
  await copies(ledger, account, PEOPLE, first.employees, wanted.employees, (done) => bar.step(there + done))
  const people = there + wanted.employees - first.employees
  await copies(ledger, account, CANDIDATES, first.candidates, wanted.candidates, (done) => bar.step(people + done))
  await putBack?.()
}

/** PostgreSQL takes half the time when indexes are made at the end. Keys stay: by them the copies are found. */
async function withoutIndexes({ database }: Ledger): Promise<() => Promise<void>> {
  const tables = [...[...PEOPLE, ...CANDIDATES].map(({ table }) => table), 'search_words', 'ledger']
  const query = sql<Index>`select indexname as name, indexdef as text from pg_indexes
    where tablename in (${sql.join(tables)}) and indexname not in (select conname from pg_constraint)`
  const { rows } = await database.query((db) => query.execute(db))
  const inBulk = (statement: (index: Index) => string) =>
    database.withMigrationLock(async (db) => {
      await sql.raw(IN_BULK).execute(db)
      for (const index of rows) await sql.raw(statement(index)).execute(db)
    })
  await inBulk(({ name }) => `drop index ${name}`)
  return () => inBulk(({ text }) => text)
}

type Index = { name: string; text: string }

async function copies(
  ledger: Ledger,
  account: Account,
  tables: CopyResult[],
  first: number,
  wanted: number,
  tell: (done: number) => void,
): Promise<void> {
  if (wanted <= first) return
  const { database } = ledger
  const steps = new Map<string, number>()
  for (const { table } of tables) steps.set(table, await lastId(ledger, account, table))
  for (let round = 1; round * first < wanted; round++) {
    const most = Math.min(first, wanted - round * first)
    await database.withMigrationLock(async (db) => {
      if (database.engine === 'postgres') await sql.raw(IN_BULK).execute(db)
      for (const copied of tables) await copy(db, account, copied, steps, round, most)
      await tellOf(db, account, tables[0]!.table, round * first)
    })
    tell(round * first)
  }
  await database.withMigrationLock(async (db) => {
    if (database.engine === 'postgres') await sql.raw(IN_BULK).execute(db)
    for (const { table } of tables)
      await sql`update counters set
          last_id = (select max(id) from ${sql.table(table)} where account_id = ${account.id}),
          live = (select count(*) from ${sql.table(table)} where account_id = ${account.id})
        where account_id = ${account.id} and resource = ${table}`.execute(db)
  })
}

/** Copies name what was copied too, so nobody need look each of them up. The migration lock has no time-out. */
const IN_BULK =
  "set local session_replication_role = replica; set local statement_timeout = 0; set local maintenance_work_mem = '256MB'; set local synchronous_commit = off"

const lastId = ({ database }: Ledger, { id }: Account, resource: string) =>
  database.query(async (db) => {
    const counter = db.selectFrom('counters').select('last_id').where('account_id', '=', id)
    return (await counter.where('resource', '=', resource).executeTakeFirst())?.last_id ?? 0
  })

/** The rows of those first ones that are copied in this round, under their next ids. */
async function copy(
  db: Sql,
  { id: account }: Account,
  { table, moved, owner, own }: CopyResult,
  steps: Map<string, number>,
  round: number,
  most: number,
): Promise<void> {
  const further = (column: string, of: string) => `${column} + ${(steps.get(of) ?? 0) * round}`
  const id = further('id', table)
  const changed: Record<string, string> = { id, ...own?.(`(${id})`) }
  for (const [column, of] of Object.entries(moved)) changed[column] = further(column, of)
  const [row] = await db.selectFrom(table).selectAll().limit(1).execute()
  if (!row) return
  const columns = Object.keys(row)
  const values = columns.map((name) => changed[name] ?? name)
  await sql`insert into ${sql.table(table)} (${listed(columns)}) select ${listed(values)} from ${sql.table(table)}
    where account_id = ${account} and id <= ${steps.get(table)} and ${sql.raw(owner)} <= ${most}`.execute(db)
}

const listed = (columns: string[]): RawBuilder<unknown> => sql.raw(columns.join(', '))

/** Words and entries of the copies that came after an id, as if the service had made them. */
async function tellOf(db: Sql, account: Account, table: string, after: number): Promise<void> {
  const of = tableOf(table === 'employees' ? employees : candidates)
  const rows = (await db
    .selectFrom(table)
    .selectAll()
    .where('account_id', '=', account.id)
    .where('id', '>', after)
    .orderBy('id')
    .execute()) as (Columns & { id: number })[]
  await addSearchWords(db, account.id, of, rows)
  const { ledger_no, ledger_hash } = await db
    .selectFrom('accounts')
    .select(['ledger_no', 'ledger_hash'])
    .where('id', '=', account.id)
    .executeTakeFirstOrThrow()
  const changes = rows.map((row) => ({
    resource: table,
    record_id: row.id,
    action: 'create' as const,
    before: null,
    after: ledgerColumns(of, row),
    owner: null,
    owner_id: null,
  }))
  const by = { caller: commandLine(account), operation: 'seed', at: new Date().toISOString() }
  const { hash, stored } = appendEntries(db, by, ledger_no + 1, ledger_hash, changes)
  await stored
  await db
    .updateTable('accounts')
    .set({ ledger_no: ledger_no + changes.length, ledger_hash: hash })
    .where('id', '=', account.id)
    .execute()
}
