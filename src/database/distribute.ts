import { sql } from 'kysely'
import type { Database, Sql } from './database.ts'

/**
 * Distributes accounts over several nodes with Citus, an extension of PostgreSQL. All rows of an account are on one node, so each
 * statement of a request needs only that node. The columns of a table decide how it is placed.
 */

/** All other tables are colocated with `accounts`, by the column `account_id`. */
const ACCOUNTS = 'accounts'
const ACCOUNT = 'account_id'

/** Small tables that statements of every account read: each node has a copy. */
const REFERENCE_TABLES = ['schema_migrations', 'secret_hashes']

/** Lists the tables that have been distributed, but whose old local rows are still on the coordinator. */
const UNDER_WAY = 'distribution_under_way'

/** Since this version, a transaction has the same isolation level on all nodes, so its reads see one snapshot. */
const MIN_CITUS = [11, 2] as const

export type Distribution = {
  /** Tables that were distributed, or would be in a dry run, in this order. */
  readonly distributed: readonly string[]
  /** Tables that stay on the coordinator because they belong to no account. */
  readonly skipped: readonly string[]
}

/** Distributes all tables, each in a transaction of its own: after an interruption, another run continues. */
export async function distribute(
  database: Database,
  { isDryRun, report }: { isDryRun: boolean; report: (line: string) => void },
): Promise<Distribution> {
  if (database.engine !== 'postgres')
    throw new Error('"distribute" needs PostgreSQL with Citus, but DATABASE_URL names a SQLite database')
  const { all, due, wasInterrupted } = await database.query(async (db) => {
    await refuseWithoutCitus(db)
    const all = await tablesIn(db)
    const placed = await citusTablesIn(db)
    const due = byReferences(all).filter((one) => !isPlaced(one, placed))
    return { all, due, wasInterrupted: await isInterrupted(db) }
  })
  const isDone = due.length === 0 && !wasInterrupted
  if (!isDryRun && !isDone) {
    await database.query(refuseOtherProcesses)
    await createUnderWay(database)
  }
  for (const [index, one] of due.entries()) {
    report(
      `${index + 1}/${due.length} ${one.name}: ${one.placement === 'reference' ? 'on every node' : `by ${columnOf(one)}`}`,
    )
    if (!isDryRun)
      await database
        .withMigrationLock((db) => distributeTable(db, one))
        .catch((error) => refuse(one.name, 'distributed', error))
  }
  if (!isDryRun && !isDone) await deleteLocalRows(database, report)
  return { distributed: due.map(({ name }) => name), skipped: all.flatMap((one) => (one.placement ? [] : [one.name])) }
}

/** Tables that Citus moves back together, because they are connected by foreign keys. */
type ConnectedTables = { readonly table: string; readonly others: readonly string[] }

/**
 * Moves all distributed tables back to the coordinator. Tables that are connected by foreign keys move in one transaction: after
 * an interruption, another run continues.
 */
export async function undistribute(
  database: Database,
  { isDryRun, report }: { isDryRun: boolean; report: (line: string) => void },
): Promise<string[]> {
  if (database.engine !== 'postgres')
    throw new Error('"distribute" needs PostgreSQL with Citus, but DATABASE_URL names a SQLite database')
  const steps = await database.query(async (db) => {
    await refuseWithoutCitus(db)
    const placed = await citusTablesIn(db)
    return connectedTables((await tablesIn(db)).filter(({ name }) => placed.has(name)))
  })
  if (!isDryRun && steps.length > 0) await database.query(refuseOtherProcesses)
  for (const [index, { table, others }] of steps.entries()) {
    const more =
      others.length > 0
        ? `, together with ${others.length} tables that reference it or are referenced: ${others.join(', ')}`
        : ''
    report(`${index + 1}/${steps.length} ${table}${more}`)
    if (isDryRun) continue
    const moveBack = (db: Sql) => sql`select undistribute_table(${table}, cascade_via_foreign_keys => true)`.execute(db)
    await database.withMigrationLock(moveBack).catch((error) => refuse(table, 'moved back', error))
  }
  // An interrupted run of `distribute` may have left it.
  if (!isDryRun) await database.withMigrationLock((db) => sql`drop table if exists ${sql.table(UNDER_WAY)}`.execute(db))
  return steps.flatMap(({ table, others }) => [table, ...others])
}

/** Groups tables that are connected by foreign keys; the group of `accounts` comes first. */
function connectedTables(tables: readonly Table[]): ConnectedTables[] {
  const groups: ConnectedTables[] = []
  const left = new Map(tables.map((one) => [one.name, one]))
  const accountsFirst = tables.toSorted((a, b) => Number(b.name === ACCOUNTS) - Number(a.name === ACCOUNTS))
  for (const { name } of accountsFirst) {
    if (!left.delete(name)) continue
    // The loop also visits the tables that it adds.
    const group = [name]
    for (const table of group)
      for (const other of [...left.values()]) {
        const references = tables.find((one) => one.name === table)?.references ?? []
        if (!other.references.includes(table) && !references.includes(other.name)) continue
        left.delete(other.name)
        group.push(other.name)
      }
    groups.push({ table: name, others: group.slice(1).toSorted() })
  }
  return groups
}

function refuse(table: string, what: 'distributed' | 'moved back', error: unknown): never {
  const { message, detail } = error as { message: string; detail?: string }
  const why = [message, detail].filter(Boolean).join('. ')
  throw new Error(`${table} cannot be ${what}: ${why}. Run the command again to continue`, { cause: error })
}

/** Are the tables of a database distributed? If so, migrations distribute new tables too. */
export async function isDistributed(db: Sql): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('pg_dist_partition') is not null as there`.execute(
    db,
  )
  if (!rows[0]?.there) return false
  if (await isInterrupted(db))
    throw new Error('an earlier run of "distribute" was interrupted. Run "distribute" again first')
  return (await citusTablesIn(db)).has(ACCOUNTS)
}

/** The node of each account; undefined if accounts are not distributed. */
export async function nodesOfAccounts(
  database: Database,
  accounts: readonly number[],
): Promise<Map<number, string> | undefined> {
  if (database.engine !== 'postgres' || !(await database.query(isDistributed))) return undefined
  const { rows } = await database.query((db) =>
    sql<{ id: number; node: string }>`
      select a.id, n.nodename || ':' || n.nodeport as node from unnest(cast(${accounts} as bigint[])) as a (id)
      join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column(${sql.lit(ACCOUNTS)}, a.id)
      join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'`.execute(db),
  )
  return new Map(rows.map(({ id, node }) => [id, node]))
}

/** Distributes a table that a migration has just created. */
export async function distributeNewTable(db: Sql, name: string): Promise<void> {
  const one = (await tablesIn(db)).find((table) => table.name === name)
  if (one?.placement) await place(db, one)
}

/** `reference`: a copy on each node; `distributed`: by account; null: only on the coordinator. */
type Placement = 'reference' | 'distributed' | null
type Table = { readonly name: string; readonly placement: Placement; readonly references: readonly string[] }

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
    placement: placementOf(name, is_of_account),
    references: refers_to,
  }))
}

function placementOf(name: string, isOfAccount: boolean): Placement {
  if (REFERENCE_TABLES.includes(name)) return 'reference'
  return isOfAccount || name === ACCOUNTS ? 'distributed' : null
}

/** Sorts tables after those that they reference: a distributed table cannot reference a local one. */
function byReferences(all: readonly Table[]): Table[] {
  const order: Table[] = []
  const names = new Set<string>()
  for (let rest = all.filter(({ placement }) => placement); rest.length > 0; ) {
    const [next, later] = [[], []] as [Table[], Table[]]
    for (const one of rest) (one.references.every((name) => names.has(name)) ? next : later).push(one)
    if (next.length === 0)
      throw new Error(`these tables reference each other in a cycle: ${later.map(({ name }) => name)}`)
    for (const one of next) names.add(one.name)
    order.push(...next)
    rest = later
  }
  return order
}

type CitusTable = { method: string; colocation: number; copies: string }

/** The tables that Citus has distributed. */
async function citusTablesIn(db: Sql): Promise<Map<string, CitusTable>> {
  const { rows } = await sql<CitusTable & { name: string }>`
    select c.relname as name, p.partmethod as method, p.colocationid as colocation, p.repmodel as copies
    from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where c.relnamespace = current_schema()::regnamespace`.execute(db)
  return new Map(rows.map((row) => [row.name, row]))
}

/** Is a table placed as it should be? Fails if somebody has placed it in another way. */
function isPlaced(one: Table, all: ReadonlyMap<string, CitusTable>): boolean {
  const placed = all.get(one.name)
  if (!placed) return false
  const isCorrect =
    one.placement === 'reference'
      ? placed.method === 'n' && placed.copies === 't'
      : placed.method === 'h' && placed.colocation === all.get(ACCOUNTS)?.colocation
  if (isCorrect) return true
  throw new Error(
    `${one.name} is already distributed in another way. Run select undistribute_table('${one.name}') first`,
  )
}

/** Distributes a table and its rows, unless another process has just done so. */
async function distributeTable(db: Sql, one: Table): Promise<void> {
  if (isPlaced(one, await citusTablesIn(db))) return
  await place(db, one)
  await sql`insert into ${sql.table(UNDER_WAY)} (name) values (${one.name})`.execute(db)
}

async function place(db: Sql, one: Table): Promise<void> {
  const { name, placement } = one
  // Our tables are a colocation group of their own, separate from other tables in the same database.
  const colocated = name === ACCOUNTS ? 'none' : ACCOUNTS
  const statement =
    placement === 'reference'
      ? sql`select create_reference_table(${name})`
      : sql`select create_distributed_table(${name}, ${columnOf(one)}, colocate_with => ${colocated})`
  await statement.execute(db)
}

const createUnderWay = (database: Database) =>
  database.withMigrationLock((db) =>
    sql`create table if not exists ${sql.table(UNDER_WAY)} (name text primary key)`.execute(db),
  )

/** Deletes the old rows that Citus leaves on the coordinator: they would still contain people who are erased later. */
async function deleteLocalRows(database: Database, tell: (line: string) => void): Promise<void> {
  const left = await database.query((db) => db.selectFrom(UNDER_WAY).select('name').orderBy('name').execute())
  for (const { name } of left)
    await database.withMigrationLock(async (db) => {
      await sql`select truncate_local_data_after_distributing_table(${name})`.execute(db)
      await db.deleteFrom(UNDER_WAY).where('name', '=', name).execute()
    })
  if (left.length > 0) tell(`Removed the old local rows of ${left.length} tables.`)
  await database.withMigrationLock((db) => sql`drop table ${sql.table(UNDER_WAY)}`.execute(db))
}

async function refuseWithoutCitus(db: Sql): Promise<void> {
  const { rows } = await sql<{ there: boolean }>`select exists (select 1 from pg_proc
    where proname = 'create_distributed_table' and pg_function_is_visible(oid)) as there`.execute(db)
  if (!rows[0]?.there)
    throw new Error('Citus is not installed in this database. Run "create extension citus" in it as a superuser')
  const version = (await sql<{ version: string }>`select citus_version() as version`.execute(db)).rows[0]?.version ?? ''
  const [, major = 0, minor = 0] = /^Citus (\d+)\.(\d+)/.exec(version)?.map(Number) ?? []
  if (major < MIN_CITUS[0] || (major === MIN_CITUS[0] && minor < MIN_CITUS[1]))
    throw new Error(
      `the database has ${version || 'an unknown version of Citus'}, but Citus ${MIN_CITUS.join('.')} or newer is required. Upgrade Citus first`,
    )
}

/** A running service would find some tables distributed and others not. */
async function refuseOtherProcesses(db: Sql): Promise<void> {
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

/** Did an earlier run of `distribute` stop before the end? */
async function isInterrupted(db: Sql): Promise<boolean> {
  const { rows } = await sql<{ half: boolean }>`select to_regclass(${UNDER_WAY}) is not null as half`.execute(db)
  return rows[0]?.half ?? false
}
