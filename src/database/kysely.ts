import type { DatabaseSync, StatementSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseIntrospector,
  DefaultQueryExecutor,
  type Dialect,
  type DialectAdapter,
  DummyDriver,
  Kysely,
  type KyselyPlugin,
  type LogEvent,
  OperationNodeTransformer,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type PrimitiveValueListNode,
  type QueryCompiler,
  type QueryId,
  type QueryResult,
  type RawBuilder,
  type RawNode,
  type RootOperationNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import { type Compiled, collectingTables, type DeclaringNode } from './compile.ts'
import type { Sql } from './database.ts'
import { LruCache } from './lru.ts'
import { statementCache, withArrayRows } from './sqlite-statements.ts'

/** Called after each statement. */
export type StatementLog = (event: LogEvent) => void

export type RunStatement = (text: string, values: readonly unknown[]) => QueryResult<any> | Promise<QueryResult<any>>

/** Kysely on a connection of Node's built-in driver, which is synchronous. */
export function kyselyOnSqlite(
  connection: DatabaseSync,
  log: StatementLog,
  change: (run: RunStatement) => RunStatement = (run) => run,
): Sql {
  const prepare = statementCache(connection, toQueryResult)
  return kyselyWith(
    SQLITE,
    change((text, values) => prepare(text)(values)),
    log,
  )
}

type EngineDialect = {
  readonly compiler: QueryCompiler
  readonly adapter: DialectAdapter
  readonly introspector: new (db: Sql) => DatabaseIntrospector
  /** Selects the numbers or texts of a JSON array. */
  readonly selectFromJson: (placeholder: string, areNumbers: boolean) => string
}
export const SQLITE: EngineDialect = {
  compiler: new (collectingTables(SqliteQueryCompiler))(),
  adapter: new SqliteAdapter(),
  introspector: SqliteIntrospector,
  selectFromJson: (placeholder) => `(select value from json_each(${placeholder}))`,
}
export const POSTGRES: EngineDialect = {
  compiler: new (collectingTables(PostgresQueryCompiler))(),
  adapter: new PostgresAdapter(),
  introspector: PostgresIntrospector,
  selectFromJson: (placeholder, areNumbers) =>
    `(select value${areNumbers ? '::bigint' : ''} from json_array_elements_text(cast(${placeholder} as json)))`,
}

/** How many values of a list become parameters. Engines limit the number of parameters, and plan long lists slowly. */
export const MAX_VALUES = 1000

/** A list for `in` as one parameter: a JSON array, or a placeholder for one. */
export function jsonList(dialect: EngineDialect, areNumbers: boolean, value: unknown): RawBuilder<any> {
  const [before = '', after = ''] = dialect.selectFromJson('?', areNumbers).split('?')
  return sql`${sql.raw(before)}${value}${sql.raw(after)}`
}

/** Turns each long list into one parameter. */
class LongListsAsJson extends OperationNodeTransformer {
  readonly #dialect: EngineDialect

  constructor(dialect: EngineDialect) {
    super()
    this.#dialect = dialect
  }

  protected override transformRaw(node: DeclaringNode): RawNode {
    const raw: DeclaringNode = { ...super.transformRaw(node), tables: node.tables }
    return raw
  }

  protected override transformPrimitiveValueList(node: PrimitiveValueListNode): PrimitiveValueListNode {
    const { values } = node
    const types = new Set(values.map((value) => typeof value))
    const [type] = types
    if (values.length <= MAX_VALUES || types.size > 1 || (type !== 'number' && type !== 'string')) return node
    const list = jsonList(this.#dialect, type === 'number', JSON.stringify(values))
    return list.toOperationNode() as unknown as PrimitiveValueListNode
  }
}

/** Kysely on any function that runs statements. */
export function kyselyWith(engine: EngineDialect, run: RunStatement, log: StatementLog): Sql {
  const driver = new DummyDriver()
  const dialect: Dialect = {
    createDriver: () => driver,
    createQueryCompiler: () => engine.compiler,
    createAdapter: () => engine.adapter,
    createIntrospector: (db) => new engine.introspector(db),
  }
  return new Kysely({ config: { dialect }, dialect, driver, executor: new Executor(engine, run, log) })
}

const noConnection = { provideConnection: () => Promise.reject(new Error('No connection is available')) }

/**
 * Runs statements directly. Kysely's own executor acquires a connection for each, in a dozen asynchronous steps that take longer
 * than most statements.
 */
class Executor extends DefaultQueryExecutor {
  readonly #dialect: EngineDialect
  readonly #run: RunStatement
  readonly #log: StatementLog

  constructor(dialect: EngineDialect, run: RunStatement, log: StatementLog, plugins: readonly KyselyPlugin[] = []) {
    super(dialect.compiler, dialect.adapter, noConnection, [...plugins])
    this.#dialect = dialect
    this.#run = run
    this.#log = log
  }

  override compileQuery(node: RootOperationNode, queryId: QueryId): Compiled {
    const compiled = super.compileQuery(node, queryId) as Compiled
    if (compiled.parameters.length <= MAX_VALUES) return compiled
    return super.compileQuery(new LongListsAsJson(this.#dialect).transformNode(node), queryId) as Compiled
  }

  override async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const started = performance.now()
    let result: QueryResult<any>
    try {
      const returned = this.#run(query.sql, query.parameters)
      result = returned instanceof Promise ? await returned : returned
    } catch (error) {
      this.#log({ level: 'error', error, query, queryDurationMillis: performance.now() - started })
      throw error
    }
    this.#log({ level: 'query', query, queryDurationMillis: performance.now() - started })
    for (const plugin of this.plugins) result = await plugin.transformResult({ result, queryId: query.queryId })
    return result
  }

  override withPlugins(plugins: readonly KyselyPlugin[]): Executor {
    return new Executor(this.#dialect, this.#run, this.#log, [...this.plugins, ...plugins])
  }

  override withPlugin(plugin: KyselyPlugin): Executor {
    return this.withPlugins([plugin])
  }

  override withPluginAtFront(plugin: KyselyPlugin): Executor {
    return new Executor(this.#dialect, this.#run, this.#log, [plugin, ...this.plugins])
  }

  override withoutPlugins(): Executor {
    return new Executor(this.#dialect, this.#run, this.#log)
  }
}

type RunPrepared = (values: readonly unknown[]) => QueryResult<any>

function toQueryResult(statement: StatementSync): RunPrepared {
  const prepared = withArrayRows(statement)
  const { names } = prepared
  if (names.length === 0) return (values) => ({ numAffectedRows: BigInt(prepared.run(values)), rows: [] })
  const toObject = rowFactory(names)
  return (values) => ({ rows: prepared.all(values).map(toObject) })
}

type RowFactory = (values: unknown[]) => object

/** Shared by all connections: one function per connection and statement would fill the heap. */
const rowFactories = new LruCache<RowFactory>(1000)

/** A function that makes an object of the values of a row, as fast as an object literal. All column names are our own. */
export function rowFactory(names: readonly string[]): RowFactory {
  const properties = names.map((name, at) => `${JSON.stringify(name)}: values[${at}]`).join(', ')
  return rowFactories.get(properties, () => new Function('values', `return { ${properties} }`) as RowFactory)
}
