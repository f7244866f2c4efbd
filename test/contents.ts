import { sql as raw } from 'kysely'
import type { Database } from '../src/database/database.ts'

/** Tables and their columns. */
export type Tables = Map<string, string[]>

/** Every table there is, but for the notes of who used which key and read what: they are written when there is time. */
export async function tablesOf(database: Database): Promise<Tables> {
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

/** A text for each table that is another as soon as a byte of its rows is. Read in one statement: this is called often. */
export async function contentsOf(database: Database, tables: Tables): Promise<Record<string, string>> {
  // Notes of who read what are counted, and written when there is time.
  const of = (name: string) => (name === 'counters' ? `"counters" t where t.resource <> 'reads'` : `"${name}" t`)
  const contents = [...tables].map(([name, columns]) =>
    database.engine === 'sqlite'
      ? `(select json_group_array(json_array(${columns.map((one) => `"${one}"`)})) from ${of(name)}) as "${name}"`
      : `(select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) from ${of(name)}) as "${name}"`,
  )
  const { rows } = await database.glance((sql) =>
    raw<Record<string, string>>`/* of a test */ select ${raw.raw(contents.join(', '))}`.execute(sql),
  )
  return rows[0] as Record<string, string>
}
