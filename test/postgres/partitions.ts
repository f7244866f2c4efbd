import pg from 'pg'

/**
 * A stand-in for a database whose accounts lie on several machines: the same tables, each in parts by the hash of the account.
 * PostgreSQL leaves out parts by the same means by which Citus leaves out machines, so that a plan shows which are asked.
 */

/** So many parts a table has: a statement that names its account is for one of them. */
export const PARTS = 2

/** `employees__1` is the second part of the employees. */
export const partOf = (relation: string): { table: string; part: number } | undefined => {
  const [, table, part] = /^(\w+)__(\d+)$/.exec(relation) ?? []
  return table === undefined ? undefined : { table, part: Number(part) }
}

/** Has all tables of accounts, which are empty, lie in parts. */
export async function partition(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const tables = await client.query<{ name: string; key: string }>(
    `select c.relname as name, case c.relname when 'accounts' then 'id' else 'account_id' end as key from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'secret_hashes' and (c.relname = 'accounts' or
       exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id'))`,
  )
  const references = await client.query<{ table: string; name: string }>(
    `select conrelid::regclass::text as table, conname as name from pg_constraint where contype = 'f'`,
  )
  const make = tables.rows.flatMap(({ name, key }) => [
    `create table ${name}__whole (like ${name} including all) partition by hash (${key})`,
    `drop table ${name}`,
    `alter table ${name}__whole rename to ${name}`,
    ...Array.from(
      { length: PARTS },
      (_, part) =>
        `create table ${name}__${part} partition of ${name} for values with (modulus ${PARTS}, remainder ${part})`,
    ),
  ])
  const statements = [
    ...references.rows.map(({ table, name }) => `alter table ${table} drop constraint ${name}`),
    ...make,
  ]
  // All in one would hold more locks than a server has room for.
  for (let at = 0; at < statements.length; at += 50) await client.query(statements.slice(at, at + 50).join(';\n'))
  await client.end()
}
