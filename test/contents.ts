import { DatabaseSync } from 'node:sqlite'
import { sql as raw } from 'kysely'
import type { Database } from '../src/database/database.ts'

/** Tables and their columns. */
export type Tables = Map<string, string[]>

/** Every table there is, but for the notes of who used which key and read what: they are written when there is time. */
export async function tablesOf(database: Database): Promise<Tables> {
  const { rows } = await database.query((sql) =>
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
  const { rows } = await database.query((sql) =>
    raw<Record<string, string>>`${raw.raw(selectContents(database.engine, tables))}`.execute(sql),
  )
  return rows[0] as Record<string, string>
}

function selectContents(engine: Database['engine'], tables: Tables): string {
  // Notes of who read what are counted, and written when there is time.
  const of = (name: string) => (name === 'counters' ? `"counters" t where t.resource <> 'reads'` : `"${name}" t`)
  const contents = [...tables].map(([name, columns]) =>
    engine === 'sqlite'
      ? `(select json_group_array(json_array(${columns.map((one) => `"${one}"`)})) from ${of(name)}) as "${name}"`
      : `(select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) from ${of(name)}) as "${name}"`,
  )
  return `/* of a test */ select ${contents.join(', ')}`
}

/**
 * Says whether everything in the database is as it was when this was called. On SQLite that is nearly free: the file is looked
 * into only if something was committed meanwhile, and what was there before is read from a snapshot.
 */
export async function watchContents(database: Database, url: string, tables: Tables): Promise<() => Promise<string[]>> {
  const differing = (was: Record<string, string>, is: Record<string, string>) =>
    // Thousands of rows are not to be compared letter by letter for the sake of a message.
    Object.keys(is).filter((name) => is[name] !== was[name])
  if (database.engine !== 'sqlite') {
    const was = await contentsOf(database, tables)
    return async () => differing(was, await contentsOf(database, tables))
  }
  const open = () => new DatabaseSync(url.replace('sqlite:', ''), { readOnly: true })
  const [before, now] = [open(), open()]
  const version = () => now.prepare('pragma data_version').get()?.data_version
  before.exec('begin')
  before.prepare('select count(*) from accounts').get()
  const first = version()
  return async () => {
    try {
      if (version() === first) return []
      const read = (from: DatabaseSync) =>
        from.prepare(selectContents('sqlite', tables)).get() as Record<string, string>
      return differing(read(before), read(now))
    } finally {
      before.close()
      now.close()
    }
  }
}
