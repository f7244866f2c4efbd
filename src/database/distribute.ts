import { sql } from 'kysely'
import type { Database, Sql } from './database.ts'

/**
 * Accounts on several machines, by Citus, an extension of PostgreSQL: rows lie where their account lies, so that every
 * statement of a request is for one machine. How a table is to lie follows from its columns.
 */

/** The table beside which all others lie, and by which column; and by which those do. */
const ACCOUNTS = 'accounts'
const ACCOUNT = 'account_id'

/** Small ones that statements of any account look into: every machine has all of them. */
const EVERYWHERE = ['schema_migrations', 'secret_hashes']

/** Names the tables whose rows have gone to where they belong, and still lie where they were. */
const UNDER_WAY = 'distribution_under_way'

/** From this version on a transaction is as isolated on every machine as it was begun: an answer is of one state. */
const OLDEST = [11, 2] as const

export type Distribution = {
  /** Tables that were spread, or would be, in this order. */
  readonly spread: readonly string[]
  /** Those that are not spread, as they belong to no account. */
  readonly left: readonly string[]
}

/**
 * Spreads all accounts over the machines that Citus knows of. Each table is a transaction of its own: broken off and run again,
 * it goes on from there.
 */
export async function distribute(
  database: Database,
  { isTrial, tell }: { isTrial: boolean; tell: (line: string) => void },
): Promise<Distribution> {
  if (database.engine !== 'postgres')
    throw new Error('"distribute" needs PostgreSQL with Citus, but DATABASE_URL names a SQLite database')
  const { all, due, isHalf } = await database.glance(async (db) => {
    await refuseWithoutCitus(db)
    const all = await tablesIn(db)
    const known = await knownIn(db)
    return { all, due: inOrder(all).filter((one) => !isAsItShould(one, known)), isHalf: await isBrokenOff(db) }
  })
  const isDone = due.length === 0 && !isHalf
  if (!isTrial && !isDone) {
    await database.glance(refuseOthers)
    await begin(database)
  }
  for (const [index, one] of due.entries()) {
    tell(
      `${index + 1}/${due.length} ${one.name}: ${one.lies === 'everywhere' ? 'on every node' : `by ${columnOf(one)}`}`,
    )
    if (!isTrial) await database.exclusively((db) => spread(db, one)).catch((error) => giveUp(one, error))
  }
  if (!isTrial && !isDone) await clearUp(database, tell)
  return { spread: due.map(({ name }) => name), left: all.flatMap((one) => (one.lies ? [] : [one.name])) }
}

/** One step back to one machine: a table, with all that are tied to it by references. */
type Gathering = { readonly table: string; readonly along: readonly string[] }

/**
 * Brings all tables back to the coordinator, whatever part of them was spread. Tables that refer to each other go together,
 * in a transaction of their own: broken off and run again, it goes on from there.
 */
export async function gather(
  database: Database,
  { isTrial, tell }: { isTrial: boolean; tell: (line: string) => void },
): Promise<string[]> {
  if (database.engine !== 'postgres')
    throw new Error('"distribute" needs PostgreSQL with Citus, but DATABASE_URL names a SQLite database')
  const steps = await database.glance(async (db) => {
    await refuseWithoutCitus(db)
    const known = await knownIn(db)
    return tiedTogether((await tablesIn(db)).filter(({ name }) => known.has(name)))
  })
  if (!isTrial && steps.length > 0) await database.glance(refuseOthers)
  for (const [index, { table, along }] of steps.entries()) {
    const more =
      along.length > 0
        ? `, together with ${along.length} tables that reference it or are referenced: ${along.join(', ')}`
        : ''
    tell(`${index + 1}/${steps.length} ${table}${more}`)
    if (isTrial) continue
    const bringBack = (db: Sql) =>
      sql`select undistribute_table(${table}, cascade_via_foreign_keys => true)`.execute(db)
    await database.exclusively(bringBack).catch((error) => giveUp({ name: table }, error, 'moved back'))
  }
  // What a spreading that was broken off has noted is over with it.
  if (!isTrial) await database.exclusively((db) => sql`drop table if exists ${sql.table(UNDER_WAY)}`.execute(db))
  return steps.flatMap(({ table, along }) => [table, ...along])
}

/** Tables by the references between them; the one that most others refer to comes first. */
function tiedTogether(tables: readonly Table[]): Gathering[] {
  const steps: Gathering[] = []
  const left = new Map(tables.map((one) => [one.name, one]))
  const inTheirOrder = tables.toSorted((a, b) => Number(b.name === ACCOUNTS) - Number(a.name === ACCOUNTS))
  for (const { name } of inTheirOrder) {
    if (!left.delete(name)) continue
    // It grows while it is gone through.
    const group = [name]
    for (const table of group)
      for (const other of [...left.values()]) {
        const refersTo = tables.find((one) => one.name === table)?.refersTo ?? []
        if (!other.refersTo.includes(table) && !refersTo.includes(other.name)) continue
        left.delete(other.name)
        group.push(other.name)
      }
    steps.push({ table: name, along: group.slice(1).toSorted() })
  }
  return steps
}

function giveUp({ name }: Pick<Table, 'name'>, error: unknown, what = 'distributed'): never {
  const { message, detail } = error as { message: string; detail?: string }
  const why = [message, detail].filter(Boolean).join('. ')
  throw new Error(`${name} cannot be ${what}: ${why}. Run the command again to continue`, { cause: error })
}

/** Has a database been spread? A migration on it asks, and has its new tables lie like the others. */
export async function isDistributed(db: Sql): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('pg_dist_partition') is not null as there`.execute(
    db,
  )
  if (!rows[0]?.there) return false
  if (await isBrokenOff(db))
    throw new Error('an earlier run of "distribute" was interrupted. Run "distribute" again first')
  return (await knownIn(db)).has(ACCOUNTS)
}

/** On which node each of these accounts lies; undefined where accounts are not spread. */
export async function nodesOf(
  database: Database,
  accounts: readonly number[],
): Promise<Map<number, string> | undefined> {
  if (database.engine !== 'postgres' || !(await database.glance(isDistributed))) return undefined
  const { rows } = await database.glance((db) =>
    sql<{ id: number; node: string }>`
      select a.id, n.nodename || ':' || n.nodeport as node from unnest(cast(${accounts} as bigint[])) as a (id)
      join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column(${sql.lit(ACCOUNTS)}, a.id)
      join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'`.execute(db),
  )
  return new Map(rows.map(({ id, node }) => [id, node]))
}

/** Spreads a table that is new, before it holds anything. */
export async function spreadNew(db: Sql, name: string): Promise<void> {
  const one = (await tablesIn(db)).find((table) => table.name === name)
  if (one?.lies) await place(db, one)
}

type Lying = 'everywhere' | 'by account'
type Table = { readonly name: string; readonly lies: Lying | null; readonly refersTo: readonly string[] }

const columnOf = ({ name }: Table) => (name === ACCOUNTS ? 'id' : ACCOUNT)

async function tablesIn(db: Sql): Promise<Table[]> {
  const { rows } = await sql<{ name: string; is_of_account: boolean; refers_to: string[] }>`
    select c.relname as name,
      exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = ${ACCOUNT} and not a.attisdropped) as is_of_account,
      array(select distinct t.relname::text from pg_constraint k join pg_class t on t.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as refers_to
    from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> ${UNDER_WAY}
    order by c.relname`.execute(db)
  return rows.map(({ name, is_of_account, refers_to }) => ({
    name,
    lies: lyingOf(name, is_of_account),
    refersTo: refers_to,
  }))
}

function lyingOf(name: string, isOfAccount: boolean): Lying | null {
  if (EVERYWHERE.includes(name)) return 'everywhere'
  return isOfAccount || name === ACCOUNTS ? 'by account' : null
}

/** A table comes after those that it refers to: Citus keeps no reference to what is not spread. */
function inOrder(all: readonly Table[]): Table[] {
  const order: Table[] = []
  const names = new Set<string>()
  for (let rest = all.filter(({ lies }) => lies); rest.length > 0; ) {
    const [next, later] = [[], []] as [Table[], Table[]]
    for (const one of rest) (one.refersTo.every((name) => names.has(name)) ? next : later).push(one)
    if (next.length === 0)
      throw new Error(`these tables reference each other in a cycle: ${later.map(({ name }) => name)}`)
    for (const one of next) names.add(one.name)
    order.push(...next)
    rest = later
  }
  return order
}

type Known = { method: string; colocation: number; copies: string }

/** What Citus knows of tables. */
async function knownIn(db: Sql): Promise<Map<string, Known>> {
  const { rows } = await sql<Known & { name: string }>`
    select c.relname as name, p.partmethod as method, p.colocationid as colocation, p.repmodel as copies
    from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where c.relnamespace = current_schema()::regnamespace`.execute(db)
  return new Map(rows.map((row) => [row.name, row]))
}

function isAsItShould(one: Table, all: ReadonlyMap<string, Known>): boolean {
  const known = all.get(one.name)
  if (!known) return false
  const isRight =
    one.lies === 'everywhere'
      ? known.method === 'n' && known.copies === 't'
      : known.method === 'h' && known.colocation === all.get(ACCOUNTS)?.colocation
  if (isRight) return true
  throw new Error(
    `${one.name} is already distributed in another way. Run select undistribute_table('${one.name}') first`,
  )
}

/** Spreads a table that holds rows, unless another process has done so meanwhile. */
async function spread(db: Sql, one: Table): Promise<void> {
  if (isAsItShould(one, await knownIn(db))) return
  await place(db, one)
  await sql`insert into ${sql.table(UNDER_WAY)} (name) values (${one.name})`.execute(db)
}

async function place(db: Sql, one: Table): Promise<void> {
  const { name, lies } = one
  // A group of its own: whoever has other tables in the same database moves them by themselves.
  const beside = name === ACCOUNTS ? 'none' : ACCOUNTS
  const statement =
    lies === 'everywhere'
      ? sql`select create_reference_table(${name})`
      : sql`select create_distributed_table(${name}, ${columnOf(one)}, colocate_with => ${beside})`
  await statement.execute(db)
}

const begin = (database: Database) =>
  database.exclusively((db) =>
    sql`create table if not exists ${sql.table(UNDER_WAY)} (name text primary key)`.execute(db),
  )

/** Takes away what Citus leaves of the rows where they were: whoever is erased from now on would stay there. */
async function clearUp(database: Database, tell: (line: string) => void): Promise<void> {
  const left = await database.glance((db) => db.selectFrom(UNDER_WAY).select('name').orderBy('name').execute())
  for (const { name } of left)
    await database.exclusively(async (db) => {
      await sql`select truncate_local_data_after_distributing_table(${name})`.execute(db)
      await db.deleteFrom(UNDER_WAY).where('name', '=', name).execute()
    })
  if (left.length > 0) tell(`Removed the old local rows of ${left.length} tables.`)
  await database.exclusively((db) => sql`drop table ${sql.table(UNDER_WAY)}`.execute(db))
}

async function refuseWithoutCitus(db: Sql): Promise<void> {
  const { rows } = await sql<{ there: boolean }>`select exists (select 1 from pg_proc
    where proname = 'create_distributed_table' and pg_function_is_visible(oid)) as there`.execute(db)
  if (!rows[0]?.there)
    throw new Error('Citus is not installed in this database. Run "create extension citus" in it as a superuser')
  const version = (await sql<{ version: string }>`select citus_version() as version`.execute(db)).rows[0]?.version ?? ''
  const [, major = 0, minor = 0] = /^Citus (\d+)\.(\d+)/.exec(version)?.map(Number) ?? []
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
    throw new Error(
      `the database has ${version || 'an unknown version of Citus'}, but Citus ${OLDEST.join('.')} or newer is required. Upgrade Citus first`,
    )
}

/** Between two tables the service would find one of them here and one there. */
async function refuseOthers(db: Sql): Promise<void> {
  const { rows } = await sql<{ sessions: number }>`select count(*)::integer as sessions from pg_stat_activity
    where datname = current_database() and application_name = current_setting('application_name') and pid <> pg_backend_pid()`.execute(
    db,
  )
  const sessions = rows[0]?.sessions ?? 0
  if (sessions > 0)
    throw new Error(
      `other Cadre processes are still connected to the database (${sessions} connections). Stop the service and all other commands first`,
    )
}

async function isBrokenOff(db: Sql): Promise<boolean> {
  const { rows } = await sql<{ half: boolean }>`select to_regclass(${UNDER_WAY}) is not null as half`.execute(db)
  return rows[0]?.half ?? false
}
