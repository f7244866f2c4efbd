import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { type Database, DatabaseUnavailable, noteRun, type Sql, textOf, timed } from './database.ts'
import { type OverlayDialect, overlaid } from './overlay.ts'

/** An arbitrary constant that all processes of this service agree on. */
const MIGRATION_LOCK = 70_237_001

const BIGINT = 20
const DATE = 1082
const TIMESTAMPTZ = 1184

const DISK_FULL = '53100'

/** The driver's values as the rest of the code has them: numbers, `YYYY-MM-DD`, ISO 8601. */
const types = {
  getTypeParser(oid: number, format?: any): any {
    if (oid === BIGINT) return Number
    if (oid === DATE) return (value: string) => value
    if (oid === TIMESTAMPTZ) return (value: string) => new Date(value).toISOString()
    return pg.types.getTypeParser(oid, format)
  },
}

/** An expression does not see itself: in it, the name is the table's. */
const OVERLAYS: OverlayDialect = {
  table: (name) => name,
  column: (name) => name,
  numbers: (parameter) => `select value::bigint from json_array_elements_text(cast(${parameter} as json))`,
  rows: (table, parameter) => `json_populate_recordset(null::${table}, cast(${parameter} as json))`,
  field: (name) => `"${name}"`,
  numbered: true,
}

export function openPostgres(address: string, connections: number): Database {
  if (!URL.canParse(address)) throw new Error('DATABASE_URL is no address like postgres://user:password@host:5432/name')
  const pool = new pg.Pool({
    connectionString: address,
    max: connections,
    types,
    application_name: 'cadre',
    connectionTimeoutMillis: 5_000,
    statement_timeout: 15_000,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 30_000,
    keepAlive: true,
    // One stays, by which it is noticed when the server goes away.
    min: 1,
    options: '-c timezone=UTC -c datestyle=ISO',
  })
  // Without listeners, a lost connection would end the process. Whoever uses it next is told.
  let generation = 0
  const lost = () => void generation++
  pool.on('error', lost)
  pool.on('connect', (client) => {
    // While there was none, nobody could have told that the server went away.
    if (pool.totalCount <= 1) lost()
    client.on('error', lost)
    prepareByName(client)
  })
  const kysely: Sql = new Kysely({
    log: (event) => noteRun(self, event),
    dialect: new PostgresDialect({ pool }),
  })

  const self: Database = {
    engine: 'postgres',
    onRun: undefined,
    onStatement: undefined,
    watchers: new Set(),
    load: () => ({
      most: connections,
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: { connection: pool.waitingCount },
    }),
    read: (work) =>
      reachable(() =>
        kysely
          .transaction()
          .setIsolationLevel('repeatable read')
          .setAccessMode('read only')
          .execute(timed(self, 'read', work)),
      ),
    mark: () => undefined,
    generation: () => generation,
    glance: (work) => reachable(() => work(kysely)),
    write: (work, isAbandoned) => {
      const begun = timed(self, 'write', work)
      return reachable(() =>
        kysely.transaction().execute((transaction) => {
          if (isAbandoned?.()) throw new DatabaseUnavailable('The request timed out while waiting to write')
          return begun(transaction)
        }),
      )
    },
    exclusively: (work) =>
      reachable(() =>
        kysely.connection().execute(async (one) => {
          // Another process may be migrating a large table: wait for as long as it takes.
          await sql`set lock_timeout = 0; set statement_timeout = 0`.execute(one)
          await sql`select pg_advisory_lock(${sql.lit(MIGRATION_LOCK)})`.execute(one)
          try {
            return await one.transaction().execute(work)
          } finally {
            await sql`select pg_advisory_unlock(${sql.lit(MIGRATION_LOCK)})`.execute(one)
            await sql`reset lock_timeout; reset statement_timeout`.execute(one)
          }
        }),
      ),
    overlaid: (statement, overlays, narrowings) => overlaid(OVERLAYS, statement, overlays, narrowings),
    textIn: (column, name) => sql`(${sql.ref(column)}::json ->> ${sql.lit(name)})`,
    numbers: (all) => sql`(select value::bigint from json_array_elements_text(cast(${JSON.stringify(all)} as json)))`,
    idsIn: (on, statement) => textOf(on, "select string_agg(id::text, ',') as text", statement),
    ddl: (statement) => statement,
    analyse: async () => void (await sql`analyze`.execute(kysely)),
    // Frees the places of dead rows for the next ones; what the log and its copies keep, only time takes away.
    async scrub(tables) {
      for (const table of tables) await sql`vacuum ${sql.table(table)}`.execute(kysely)
    },
    backup: () => Promise.reject(new Error('Back up PostgreSQL with its own tools, for example pg_dump')),
    close: () => kysely.destroy(),
  }
  return self
}

/** Which database an address means, in words that hold no password. */
export function postgresAt(address: string): string {
  const { host, port, database } = new pg.Client({ connectionString: address })
  return `PostgreSQL at ${host}:${port}, database ${database},`
}

const names = new Map<string, string>()

/** Statements get names, so that the server parses and plans each of them once for a connection, not every time. */
function prepareByName(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: any[]) => any
  client.query = ((text: unknown, values: unknown, ...rest: unknown[]) => {
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return query(text, values, ...rest)
    if (!names.has(text) && names.size < 2000) names.set(text, `s${names.size}`)
    const name = names.get(text)
    return name ? query({ name, text, values }, ...rest) : query(text, values, ...rest)
  }) as typeof client.query
}

async function reachable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isFull = (error as { code?: string } | null)?.code === DISK_FULL
    throw isOutage(error) ? new DatabaseUnavailable(String(error), { cause: error, isFull }) : error
  }
}

/** Lost or refused connections, a server that is starting or stopping, time-outs, and orders to try again. */
function isOutage(error: unknown): boolean {
  const { code = '', message = '', severity } = (error ?? {}) as { code?: string; message?: string; severity?: string }
  if (/^(08|53|57|40|55P03|25P0[23])/.test(code)) return true
  if (/^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOENT)/.test(code)) return true
  // What the server says has a code; its words may repeat what somebody sent.
  if (severity !== undefined) return false
  return /connection terminated|timeout exceeded when trying to connect|not queryable|connection error/i.test(message)
}
