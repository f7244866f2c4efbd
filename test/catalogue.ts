import { sql } from 'kysely'
import type { Database } from '../src/database/database.ts'

/** What a database says of its own tables, in the same words for both engines. */
export type CatalogueTable = {
  columns: Map<string, { type: string; isNeverNull: boolean; collation: string | null; hasDefault: boolean }>
  primaryKey: string[]
  /** Columns that are unique together, whether by a constraint or by an index. */
  uniques: string[][]
  indexes: Map<string, string[]>
  /** `action` is what happens to the rows when the one that they refer to is changed or deleted. */
  foreignKeys: { columns: string[]; table: string; to: string[]; action: string }[]
}

type Catalogue = Map<string, CatalogueTable>

export const readCatalogue = (database: Database): Promise<Catalogue> =>
  database.engine === 'sqlite' ? readSqlite(database) : readPostgres(database)

const rowsOf = async (database: Database, statement: string): Promise<Record<string, any>[]> =>
  (await database.query((db) => sql.raw<Record<string, any>>(statement).execute(db))).rows

async function readSqlite(database: Database): Promise<Catalogue> {
  const catalogue: Catalogue = new Map()
  for (const { name } of await rowsOf(database, `select name from sqlite_master where type = 'table'`)) {
    const columns = await rowsOf(database, `select * from pragma_table_info('${name}')`)
    const indexes = new Map<string, string[]>()
    const uniques: string[][] = []
    for (const index of await rowsOf(database, `select * from pragma_index_list('${name}')`)) {
      // One that holds only some rows holds nobody to anything.
      if (index.partial) continue
      const parts = await rowsOf(database, `select * from pragma_index_info('${index.name}') order by seqno`)
      indexes.set(
        index.name,
        parts.map((part) => part.name),
      )
      if (index.unique) uniques.push(parts.map((part) => part.name))
    }
    const keys = await rowsOf(database, `select * from pragma_foreign_key_list('${name}') order by id, seq`)
    catalogue.set(name, {
      columns: new Map(
        columns.map((one) => [
          one.name,
          {
            type: one.type.toLowerCase(),
            isNeverNull: Boolean(one.notnull),
            collation: null,
            hasDefault: one.dflt_value !== null,
          },
        ]),
      ),
      primaryKey: columns
        .filter((one) => one.pk > 0)
        .sort((a, b) => a.pk - b.pk)
        .map((one) => one.name),
      uniques,
      indexes,
      foreignKeys: [...Map.groupBy(keys, (key) => key.id).values()].map((parts) => ({
        columns: parts.map((part) => part.from),
        table: parts[0]?.table,
        to: parts.map((part) => part.to),
        action: `${parts[0]?.on_update} ${parts[0]?.on_delete}`,
      })),
    })
  }
  return catalogue
}

/** The types of PostgreSQL as migrations spell them. */
const SPELLED: Record<string, string> = { int8: 'bigint', int4: 'integer', bool: 'boolean' }

async function readPostgres(database: Database): Promise<Catalogue> {
  const columns = await rowsOf(
    database,
    `select table_name, column_name, udt_name, is_nullable, collation_name, column_default from information_schema.columns
     where table_schema = 'public'`,
  )
  const names = (list: string, table: string) =>
    `array(select attname::text from unnest(${list}) with ordinality as k (num, place)
      join pg_attribute a on a.attrelid = ${table} and a.attnum = k.num order by k.place)`
  const indexes = await rowsOf(
    database,
    `select t.relname as table, i.relname as name, x.indisunique as unique, x.indisprimary as primary,
      ${names('x.indkey', 't.oid')} as columns
     from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
     join pg_namespace n on n.oid = t.relnamespace where n.nspname = 'public' and x.indpred is null`,
  )
  const keys = await rowsOf(
    database,
    `select c.confupdtype::text || c.confdeltype::text as action, c.conrelid::regclass::text as table, c.confrelid::regclass::text as target,
      ${names('c.conkey', 'c.conrelid')} as columns, ${names('c.confkey', 'c.confrelid')} as to
     from pg_constraint c where c.contype = 'f'`,
  )
  const catalogue: Catalogue = new Map()
  for (const [table, own] of Map.groupBy(columns, (one) => one.table_name as string)) {
    const mine = indexes.filter((index) => index.table === table)
    catalogue.set(table, {
      columns: new Map(
        own.map((one) => [
          one.column_name,
          {
            type: SPELLED[one.udt_name] ?? one.udt_name,
            isNeverNull: one.is_nullable === 'NO',
            collation: one.collation_name,
            hasDefault: one.column_default !== null,
          },
        ]),
      ),
      primaryKey: mine.find((index) => index.primary)?.columns ?? [],
      uniques: mine.filter((index) => index.unique).map((index) => index.columns),
      indexes: new Map(mine.map((index) => [index.name, index.columns])),
      foreignKeys: keys
        .filter((key) => key.table === table)
        .map((key) => ({
          columns: key.columns,
          table: key.target,
          to: key.to,
          action: key.action === 'aa' ? 'NO ACTION NO ACTION' : key.action,
        })),
    })
  }
  return catalogue
}
