import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { connect } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { freshDatabase } from '../harness.ts'

let database: Database
let remove: () => Promise<void>

before(async () => {
  const fresh = await freshDatabase('postgres')
  remove = fresh.remove
  database = connect(fresh.url)
  await migrate(database)
})
after(async () => {
  await database.close()
  await remove()
})

/** Tables that lie on every machine, or on one: they refer to nothing, and nothing refers to them. */
const APART = ['heartbeat', 'schema_migrations', 'secret_hashes']

/** Each names a table, and what of it no database could hold whose accounts lie on several machines. */
const BREACHES = `
with spread as (
  select c.oid, c.relname as name, a.attnum, a.atttypid from pg_class c
  left join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
    and a.attname = case c.relname when 'accounts' then 'id' else 'account_id' end
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> all ($1)
)
select name, 'belongs to no account' as what from spread where attnum is null or atttypid <> 'bigint'::regtype
union all
select name, 'is unique across accounts: ' || x.indexrelid::regclass from spread join pg_index x on x.indrelid = spread.oid
  where x.indisunique and not spread.attnum = any (x.indkey)
union all
select name, 'cannot be moved while it is written to, without a primary key' from spread
  where not exists (select 1 from pg_index x where x.indrelid = spread.oid and x.indisprimary)
union all
select name, 'excludes rows: ' || k.conname from spread join pg_constraint k on k.conrelid = spread.oid where k.contype = 'x'
union all
select name, 'has a trigger: ' || t.tgname from spread join pg_trigger t on t.tgrelid = spread.oid where not t.tgisinternal
union all
select name, 'counts by itself: ' || a.attname from spread join pg_attribute a on a.attrelid = spread.oid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like '%nextval%'
union all
select spread.name, 'refers across accounts: ' || k.conname from spread join pg_constraint k on k.conrelid = spread.oid
  left join spread other on other.oid = k.confrelid
  where k.contype = 'f' and (other.oid is null
    or array_position(k.conkey, spread.attnum) is distinct from array_position(k.confkey, other.attnum)
    or array_position(k.conkey, spread.attnum) is null)
union all
select name, 'changes what refers to it: ' || k.conname from spread join pg_constraint k on k.conrelid = spread.oid
  where k.contype = 'f' and (k.confdeltype not in ('a', 'r', 'c') or k.confupdtype not in ('a', 'r'))
union all
select c.relname, 'refers to others, though it lies apart: ' || k.conname from pg_class c join pg_constraint k on k.conrelid = c.oid
  where k.contype = 'f' and c.relname = any ($1)
order by 1, 2`

async function breaches(): Promise<string[]> {
  const { rows } = await database.query((db) =>
    sql<{
      name: string
      what: string
    }>`${sql.raw(BREACHES.replaceAll('$1', `array[${APART.map((one) => `'${one}'`)}]`))}`.execute(db),
  )
  return [...rows.map(({ name, what }) => `${name} ${what}`), ...(await circles())]
}

/** A table is spread after those that it refers to. */
async function circles(): Promise<string[]> {
  const { rows } = await database.query((db) =>
    sql<{
      from: string
      to: string
    }>`select conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint
      where contype = 'f' and conrelid <> confrelid`.execute(db),
  )
  let rest = rows
  for (let size = -1; size !== rest.length; ) {
    size = rest.length
    const waiting = new Set(rest.map(({ from }) => from))
    rest = rest.filter(({ to }) => waiting.has(to))
  }
  return rest.map(({ from, to }) => `${from} is in a circle with ${to}`)
}

test('every table follows the rules for distributing accounts across nodes', async () => {
  assert.deepEqual(await breaches(), [])
})

test('a table that breaks a rule is named', async () => {
  const bad = [
    `create table bad_apart (id bigint primary key)`,
    `create table bad_type (account_id integer primary key)`,
    `create table bad_unique (account_id bigint, id bigint, hash text unique, primary key (account_id, id))`,
    `create table bad_reference (account_id bigint references accounts (id), parent bigint, primary key (account_id, parent),
      foreign key (parent) references accounts (id))`,
    `create table bad_order (account_id bigint, id bigint, primary key (account_id, id),
      foreign key (id, account_id) references employees (account_id, id))`,
    `create table bad_action (account_id bigint, id bigint, employee_id bigint, primary key (account_id, id),
      foreign key (account_id, employee_id) references employees (account_id, id) on delete set null)`,
    `create table bad_counter (account_id bigint, id bigserial, primary key (account_id, id))`,
    `create table bad_exclusion (account_id bigint, days daterange, primary key (account_id, days), exclude using gist (days with &&))`,
    `create table bad_trigger (account_id bigint primary key)`,
    `create trigger bad before update on bad_trigger for each row execute function suppress_redundant_updates_trigger()`,
    `create table bad_circle (account_id bigint, id bigint, unique (account_id, id))`,
    `alter table bad_circle add foreign key (account_id, id) references bad_order`,
    `alter table bad_order add foreign key (account_id, id) references bad_circle (account_id, id)`,
  ]
  await database.write(async (db) => {
    for (const statement of bad) await sql.raw(statement).execute(db)
  })
  assert.deepEqual(await breaches(), [
    'bad_action changes what refers to it: bad_action_account_id_employee_id_fkey',
    'bad_apart belongs to no account',
    'bad_circle cannot be moved while it is written to, without a primary key',
    'bad_counter counts by itself: id',
    'bad_exclusion excludes rows: bad_exclusion_days_excl',
    'bad_order refers across accounts: bad_order_id_account_id_fkey',
    'bad_reference refers across accounts: bad_reference_parent_fkey',
    'bad_trigger has a trigger: bad',
    'bad_type belongs to no account',
    'bad_unique is unique across accounts: bad_unique_hash_key',
    'bad_circle is in a circle with bad_order',
    'bad_order is in a circle with bad_circle',
  ])
})
