import { CompiledQuery, type Kysely, type LogEvent, type RawBuilder } from 'kysely'
import type { Compiled } from './compile.ts'
import type { RowReplacement, TableFilter } from './rewrite-query.ts'

/** Tables are declared in higher layers, so statements have no row types here. Tests compare the declarations with the schema. */
export type Sql = Kysely<any>

/** A database of either engine. Everything that differs between the engines is behind this interface. */
export interface Database {
  readonly engine: 'sqlite' | 'postgres'
  /** Runs reads on one snapshot. If a replica fails, `work` runs a second time on the primary. */
  read<T>(work: (sql: Sql, isReplica?: boolean) => Promise<T>, options?: ReadOptions): Promise<T>
  /** Runs a single statement without a transaction. */
  query<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** A number that changes with every commit of any process; undefined if finding out would take a statement. */
  commitMark(): number | undefined
  /**
   * A number that changes when the database was unreachable. A server that took over may lack the last writes, so callers no
   * longer use what they read before.
   */
  generation(): number
  /**
   * SQL expression, over `accounts` as `a`, that differs between servers, and before and after a restore. Behind a pooler, each
   * statement may reach another server.
   */
  readonly serverIdentity: RawBuilder<string>
  /** Runs writes in one transaction; resolves once they are on disk. */
  write<T>(work: (sql: Sql) => Promise<T>, options?: WriteOptions): Promise<T>
  /** Runs a transaction while no other process runs one this way. Migrations use it. */
  withMigrationLock<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** Stores replacement rows in an indexed temporary table if that makes reading them faster. They last for the transaction. */
  materialize(on: Sql, replacement: RowReplacement): Promise<RowReplacement>
  /** The same statement, reading replacement rows and only the rows and columns that filters show. */
  rewriteQuery<R>(
    statement: Compiled<R>,
    replacements: readonly RowReplacement[],
    filters?: readonly TableFilter[],
  ): Compiled<R>
  /** SQL expression for the text under a key in a column that contains a JSON object. */
  jsonText(column: string, key: string): RawBuilder<string | null>
  /** A list of numbers of any length for `in`, as one parameter. */
  numberList(numbers: readonly number[]): RawBuilder<number>
  /** SQL expression for the number of days between two dates. */
  daysBetween(from: RawBuilder<string>, to: RawBuilder<string>): RawBuilder<number>
  /** The ids that a statement selects, separated by commas. */
  selectIds(on: Sql, statement: CompiledQuery<any>): Promise<string>
  /** Translates portable DDL for this engine. */
  ddl(statement: string): string
  /** Updates the planner's statistics. After a bulk load it would substitutes guess. */
  analyse(): Promise<void>
  /** Removes what the engine still stores of deleted rows of these tables, as far as it can. */
  scrubDeletedRows(tables: readonly string[]): Promise<void>
  backup(file: string): Promise<void>
  close(): Promise<void>
  load(): DatabaseLoad
  /** True for a while after a write failed because the disk was full, until a write succeeds. */
  isDiskFull(): boolean
  /** Metrics and traces. */
  readonly observers: Set<DatabaseObserver>
  /** Called after each statement, with its duration and the tables that a query declares. */
  onRun: ((statement: string, milliseconds: number, tables?: ReadonlySet<string>) => void) | undefined
  /** Called after each statement, with its parameters. While it is set, caches are off, so that it sees every statement. */
  onStatement: ((statement: string, parameters: readonly unknown[]) => void) | undefined
}

export type ReadOptions = {
  /** Allows reading from a replica for which this returns true. */
  readonly isUpToDate?: ((sql: Sql) => Promise<boolean>) | undefined
  /** The read may take long, so it must not delay others. */
  readonly isLong?: boolean | undefined
  /** The account whose records are read. One account cannot use all connections. */
  readonly accountId?: number | undefined
  /** If true when the work is about to begin, the work is skipped. */
  readonly isAbandoned?: (() => boolean) | undefined
}

export type WriteOptions = {
  /** If true when the work is about to begin, the work is skipped. */
  readonly isAbandoned?: (() => boolean) | undefined
  /** The account that the work locks. Writers of one account wait for each other, so they share a commit. */
  readonly accountId?: number
  /** The work shares its transaction with nobody, so it sees only committed rows. */
  readonly hasOwnTransaction?: boolean
}

/** Runs single statements: on the database, or in one of its transactions. */
export type QueryRunner = Pick<Database, 'query' | 'generation' | 'serverIdentity'>

/** Connections of a process, and how much work waits, by what it waits for. */
export type DatabaseLoad = {
  max: number
  busy: number
  idle: number
  waiting: Readonly<Record<string, number>>
  /** In the order of the configuration. */
  replicas?: readonly ReplicaLoad[]
}

/** Connections to a replica, and how many reads it answered or was skipped for. */
export type ReplicaLoad = {
  busy: number
  idle: number
  reads: Readonly<Record<'answered' | ReplicaSkipReason, number>>
}

/** `behind`: lacks the last writes. `other_history`: replicates another database. `away`: unreachable. `busy`: no connection free. */
export type ReplicaSkipReason = 'behind' | 'other_history' | 'away' | 'busy'

/** Called in the asynchronous context of the work, so that it can find out which request the work belongs to. */
export type DatabaseObserver = {
  readonly ran: (statement: string, milliseconds: number) => void
  /** Work has waited this long before it began, or before it failed without beginning. */
  readonly waited: (work: 'read' | 'write', milliseconds: number) => void
}

export function reportStatement({ onRun, onStatement, observers }: Database, event: LogEvent): void {
  const { query, queryDurationMillis } = event
  onStatement?.(query.sql, query.parameters)
  const { tables, undeclared } = query as Partial<Compiled>
  onRun?.(query.sql, queryDurationMillis, undeclared === undefined ? tables : undefined)
  for (const { ran } of observers) ran(query.sql, queryDurationMillis)
}

/** Runs work and tells the observers how long it waited. */
export function reportWait<T, Work extends (sql: Sql, isReplica?: boolean) => Promise<T>>(
  { observers }: Database,
  kind: 'read' | 'write',
  work: Work,
  run: (work: Work) => Promise<T>,
): Promise<T> {
  if (observers.size === 0) return run(work)
  const started = performance.now()
  let isWaiting = true
  const stopWaiting = () => {
    if (isWaiting) for (const { waited } of observers) waited(kind, performance.now() - started)
    isWaiting = false
  }
  const observedWork = (sql: Sql, isReplica?: boolean) => {
    stopWaiting()
    return work(sql, isReplica)
  }
  return run(observedWork as Work).finally(stopWaiting)
}

/** Selects one text from the rows of a statement; empty if there are none. */
export async function selectText(on: Sql, select: string, { sql, parameters }: CompiledQuery<any>): Promise<string> {
  const whole = CompiledQuery.raw(`${select} from (${sql}) as found`, [...parameters])
  const { rows } = await on.executeQuery<{ text: string | null }>(whole)
  return rows[0]?.text ?? ''
}

/** The database is unreachable or gave up on the work. The caller did nothing wrong and can try again. */
export class DatabaseUnavailable extends Error {
  /** The disk is full. Trying again helps only after somebody has freed space. */
  readonly isFull: boolean
  /** The message for the caller, if "the database is unavailable" would be wrong. */
  readonly publicMessage: string | undefined

  constructor(
    message: string,
    {
      cause,
      isFull = false,
      publicMessage,
    }: { cause?: unknown; isFull?: boolean; publicMessage?: string | undefined } = {},
  ) {
    super(message, cause === undefined ? {} : { cause })
    this.isFull = isFull
    this.publicMessage = publicMessage
  }
}

/** The database does not support a statement. Trying again does not help. */
export class UnsupportedStatement extends Error {
  constructor(cause: { message?: string; detail?: string; hint?: string }) {
    const text = [cause.message, cause.detail, cause.hint].filter(Boolean).join('. ')
    super(`The database does not support this statement: ${text}`, { cause })
  }
}

export const TOO_LONG = 'The database took too long. Request less data at once, or try again later.'

const FULL_FOR = 15_000

/** Remembers that a write failed because the disk was full. Smaller writes may still succeed meanwhile. */
export class DiskSpace {
  #fullSince = Number.NEGATIVE_INFINITY

  get isFull(): boolean {
    return performance.now() - this.#fullSince < FULL_FOR
  }

  async track<T>(write: Promise<T>): Promise<T> {
    try {
      const result = await write
      this.#fullSince = Number.NEGATIVE_INFINITY
      return result
    } catch (error) {
      if (error instanceof DatabaseUnavailable && error.isFull) this.#fullSince = performance.now()
      throw error
    }
  }
}

/** A replica cannot answer this read; the primary can. */
export class NotOnReplica extends Error {}

/** Did a write violate a constraint of the schema? SQLite has one code for this, PostgreSQL a class of codes. */
export function violatesConstraint(error: unknown): boolean {
  const { errcode, code } = (error ?? {}) as { errcode?: number; code?: unknown }
  return (Number(errcode) & 0xff) === 19 || /^23\d{3}$/.test(String(code))
}

/** The work was skipped because its caller no longer waits for the result. */
export class RequestAbandoned extends DatabaseUnavailable {
  constructor() {
    super('The caller has disconnected, or the request has timed out')
  }
}
