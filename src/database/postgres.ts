import { type LogEvent, sql } from 'kysely'
import { type Database, DiskSpace, RequestAbandoned, reportStatement, reportWait, selectText } from './database.ts'
import { jsonList, POSTGRES } from './kysely.ts'
import type { Pooler } from './postgres-driver.ts'
import { PostgresPrimary } from './postgres-primary.ts'
import { beginStatement, runReadOnly, runSingle, runTransaction } from './postgres-transactions.ts'
import { ReadLimiter } from './read-limiter.ts'
import { REPLICATION_STATE, Replicas } from './replicas.ts'
import { type RewriteDialect, rewriteQuery } from './rewrite-query.ts'

/** An arbitrary constant that all processes of this service share. */
const MIGRATION_LOCK = 70_237_001

/** In a common table expression with the name of a table, the name refers to the table itself. */
const REWRITE: RewriteDialect = {
  table: (name) => name,
  day: (parameter) => `cast(${parameter} as date)`,
  column: (name) => name,
  numbers: (parameter) => `select value::bigint from json_array_elements_text(cast(${parameter} as json))`,
  rows: (table, parameter) => `json_populate_recordset(null::${table}, cast(${parameter} as json))`,
  field: (name) => `"${name}"`,
  hasNumberedParameters: true,
}

type PostgresSql = Pick<
  Database,
  | 'engine'
  | 'commitMark'
  | 'serverIdentity'
  | 'materialize'
  | 'rewriteQuery'
  | 'jsonText'
  | 'numberList'
  | 'daysBetween'
  | 'selectIds'
  | 'ddl'
>

/** The parts of the database that need no connection of their own. */
const POSTGRES_SQL: PostgresSql = {
  engine: 'postgres',
  commitMark: () => undefined,
  // A restore replaces the file of the table, so what was read before it is never taken for what the database has now.
  serverIdentity: sql`(pg_postmaster_start_time()::text || ' ' || coalesce(pg_relation_filenode(a.tableoid), 0)::text)`,
  materialize: async (_on, replacement) => replacement,
  rewriteQuery: (statement, replacements, filters) => rewriteQuery(REWRITE, statement, replacements, filters),
  jsonText: (column, key) => sql`(${sql.ref(column)}::json ->> ${sql.lit(key)})`,
  numberList: (numbers) => jsonList(POSTGRES, true, JSON.stringify(numbers)),
  daysBetween: (from, to) => sql`(cast(${to} as date) - cast(${from} as date))`,
  selectIds: (on, statement) => selectText(on, "select string_agg(id::text, ',') as text", statement),
  ddl: (statement) => statement,
}

export type PostgresOptions = {
  readonly connections: number
  readonly pooler?: Pooler
  /** Addresses of read replicas. */
  readonly replicas?: readonly string[]
}

export function openPostgres(
  address: string,
  { connections, pooler = 'none', replicas: replicaAddresses = [] }: PostgresOptions,
): Database {
  const log = (event: LogEvent) => reportStatement(self, event)
  const primary = new PostgresPrimary(address, { connections, pooler, log })
  const systemOfPrimary = async () => (await self.query((on) => REPLICATION_STATE.execute(on))).rows[0]?.system ?? ''
  const replicas = new Replicas(replicaAddresses, { connections, pooler, log }, systemOfPrimary)
  const reads = new ReadLimiter(connections)
  const diskSpace = new DiskSpace()
  const beginRead = beginStatement(pooler, 'isolation level repeatable read read only')
  const beginWrite = beginStatement(pooler, '')
  const beginMigration = beginStatement(pooler, '', { lock_timeout: 0, statement_timeout: 0 })

  const self: Database = {
    ...POSTGRES_SQL,
    onRun: undefined,
    onStatement: undefined,
    observers: new Set(),
    load() {
      const { waiting, ...load } = primary.pools.load()
      const queued = { read: reads.waiting, write: primary.waitingWriters }
      return { ...load, waiting: { ...waiting, ...queued }, replicas: replicas.load() }
    },
    read: (work, { isUpToDate, isLong, accountId, isAbandoned } = {}) =>
      reportWait(self, 'read', work, async (observed) => {
        const fromReplica = isUpToDate && (await replicas.read(beginRead, isUpToDate, observed))
        if (fromReplica) return fromReplica.value
        return reads.run({ accountId, isLong }, async () => {
          if (isAbandoned?.()) throw new RequestAbandoned()
          return primary.run((connection) => runReadOnly(connection, beginRead, observed))
        })
      }),
    isDiskFull: () => diskSpace.isFull,
    generation: () => primary.generation,
    query: (work) => primary.run((connection) => runSingle(connection, work), 'short'),
    write: (work, { isAbandoned, accountId } = {}) =>
      reportWait(self, 'write', work, (observed) => {
        if (accountId !== undefined) return diskSpace.track(primary.queueOf(accountId).add(observed, isAbandoned))
        return primary.run((connection) => {
          if (!isAbandoned?.()) return runTransaction(connection, beginWrite, observed)
          connection.release()
          throw new RequestAbandoned()
        })
      }),
    withMigrationLock: (work) =>
      primary.run(
        (connection) =>
          runTransaction(connection, beginMigration, async (on) => {
            // Another process may be migrating a large table, so there is no time-out.
            await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(on)
            return work(on)
          }),
        'none',
      ),
    analyse: () =>
      primary.run((connection) => runSingle(connection, async (on) => void (await sql`analyze`.execute(on)))),
    // Lets new rows overwrite the deleted ones. The write-ahead log and its copies contain them until they expire.
    async scrubDeletedRows(tables) {
      for (const table of tables)
        await primary.run((connection) => runSingle(connection, (on) => sql`vacuum ${sql.table(table)}`.execute(on)))
    },
    backup: () =>
      Promise.reject(
        new Error('"backup" is for SQLite only. Back up PostgreSQL with its own tools, for example pg_dump'),
      ),
    async close() {
      await primary.untilIdle()
      await Promise.all([primary.pools.close(), replicas.close()])
    },
  }
  return self
}
