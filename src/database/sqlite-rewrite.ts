import { sql } from 'kysely'
import type { Sql } from './database.ts'
import type { RewriteDialect, RowReplacement } from './rewrite-query.ts'
import { runText } from './sqlite-writer.ts'

/** Types to which values from JSON are cast. Others, such as dates, remain text. */
const CASTS: Record<string, string> = { text: 'text', bigint: 'integer', integer: 'integer', boolean: 'numeric' }

/**
 * Without `main.`, a common table expression with the name of its table would be recursive. SQLite pushes conditions into a
 * union only if its columns have the same affinity on both sides. Date columns have numeric affinity, which would turn text
 * from JSON into numbers, so the unary plus removes the affinity on the side of the table. Those columns lose their indexes.
 */
export const SQLITE_REWRITE: RewriteDialect = {
  table: (name) => `main.${name}`,
  column: (name, type) => (CASTS[type] ? name : `+${name}`),
  day: (parameter) => parameter,
  numbers: (parameter) => `select value from json_each(${parameter})`,
  // A join reads the array again for each row: parsed JSON (`jsonb`) is ten times as fast.
  rows: (_table, parameter) => `jsonb_each(jsonb(${parameter}))`,
  field(name, type) {
    const value = `value ->> '${name}'`
    return CASTS[type] ? `cast(${value} as ${CASTS[type]})` : value
  },
  hasNumberedParameters: false,
}

/**
 * Stores replacement rows in a temporary table of this connection, with the indexes of the original table: a join would read
 * all rows from JSON for each row. The rollback of the transaction removes the table.
 */
export async function materialize(on: Sql, replacement: RowReplacement): Promise<RowReplacement> {
  const { table, accountId, columns, rows } = replacement
  if (rows === null) return replacement
  const { rows: described } = await sql<{ name: string; type: string; pk: number }>`
    select name, type, pk from pragma_table_info(${table}) order by cid`.execute(on)
  const { rows: indexes } = await sql<{ sql: string }>`
    select sql from main.sqlite_schema where type = 'index' and tbl_name = ${table} and sql is not null`.execute(on)
  const key = described.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  const columnTypes = described.map(({ name, type }) => `"${name}" ${type}`)
  const primaryKey = `primary key (${key.map(({ name }) => `"${name}"`).join(', ')})`
  await runText(on, `create temp table "then_${table}" (${[...columnTypes, primaryKey].join(', ')}) without rowid`)
  const all = Object.entries(columns)
  const values = all.map(([name, type]) => (name === 'account_id' ? '?' : SQLITE_REWRITE.field(name, type)))
  await runText(
    on,
    `insert into temp."then_${table}" (${all.map(([name]) => `"${name}"`).join(', ')})
     select ${values.join(', ')} from json_each(?)`,
    [accountId, rows],
  )
  for (const index of indexes)
    await runText(on, index.sql.replace(CREATE_INDEX, `create index temp."then_$1" on "then_${table}"`))
  return { ...replacement, storedIn: `temp."then_${table}"` }
}

const CREATE_INDEX = /^create (?:unique )?index "?(\w+)"? on "?\w+"?/i
