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
import { plainly, preparing } from './prepared.ts'

/** Told of every statement when it is over. */
export type Log = (event: LogEvent) => void

/** Runs a statement. */
export type Run = (text: string, values: readonly unknown[]) => QueryResult<any> | Promise<QueryResult<any>>

/**
 * Kysely on a connection of Node's built-in driver, which answers at once: so statements are run where they are asked for.
 * Kysely's own way to a driver waits a dozen times for nothing, which takes longer than most of them do.
 */
export function kyselyOn(connection: DatabaseSync, log: Log): Sql {
  const prepare = preparing(connection, adapt)
  return kyselyBy(SQLITE, (text, values) => prepare(text)(values), log)
}

type Kind = {
  readonly compiler: QueryCompiler
  readonly adapter: DialectAdapter
  readonly introspector: new (db: Sql) => DatabaseIntrospector
  /** What selects the numbers or texts of a JSON array. */
  readonly listed: (mark: string, areNumbers: boolean) => string
}
export const SQLITE: Kind = {
  compiler: new (collectingTables(SqliteQueryCompiler))(),
  adapter: new SqliteAdapter(),
  introspector: SqliteIntrospector,
  listed: (mark) => `(select value from json_each(${mark}))`,
}
export const POSTGRES: Kind = {
  compiler: new (collectingTables(PostgresQueryCompiler))(),
  adapter: new PostgresAdapter(),
  introspector: PostgresIntrospector,
  listed: (mark, areNumbers) =>
    `(select value${areNumbers ? '::bigint' : ''} from json_array_elements_text(cast(${mark} as json)))`,
}

/** So many values of a list are told one by one; engines do not take any number of them, and think long over many. */
export const MOST_VALUES = 1000

/** A list to be looked for with `in`, told as one value. What it is made of may stand in its place for now. */
export function listedIn(kind: Kind, areNumbers: boolean, value: unknown): RawBuilder<any> {
  const [before = '', after = ''] = kind.listed('?', areNumbers).split('?')
  return sql`${sql.raw(before)}${value}${sql.raw(after)}`
}

/** Tells long lists as one value each. */
class LongLists extends OperationNodeTransformer {
  readonly #kind: Kind

  constructor(kind: Kind) {
    super()
    this.#kind = kind
  }

  protected override transformRaw(node: DeclaringNode): RawNode {
    const raw: DeclaringNode = { ...super.transformRaw(node), tables: node.tables }
    return raw
  }

  protected override transformPrimitiveValueList(node: PrimitiveValueListNode): PrimitiveValueListNode {
    const { values } = node
    const kinds = new Set(values.map((value) => typeof value))
    const [only] = kinds
    if (values.length <= MOST_VALUES || kinds.size > 1 || (only !== 'number' && only !== 'string')) return node
    const told = listedIn(this.#kind, only === 'number', JSON.stringify(values))
    return told.toOperationNode() as unknown as PrimitiveValueListNode
  }
}

/** Kysely on whatever runs statements. */
export function kyselyBy(kind: Kind, run: Run, log: Log): Sql {
  const driver = new DummyDriver()
  const dialect: Dialect = {
    createDriver: () => driver,
    createQueryCompiler: () => kind.compiler,
    createAdapter: () => kind.adapter,
    createIntrospector: (db) => new kind.introspector(db),
  }
  return new Kysely({ config: { dialect }, dialect, driver, executor: new Executor(kind, run, log) })
}

/** Nobody holds the connection for longer than a statement. */
const noConnection = { provideConnection: () => Promise.reject(new Error('No connection is available')) }

class Executor extends DefaultQueryExecutor {
  readonly #kind: Kind
  readonly #run: Run
  readonly #log: Log

  constructor(kind: Kind, run: Run, log: Log, plugins: readonly KyselyPlugin[] = []) {
    super(kind.compiler, kind.adapter, noConnection, [...plugins])
    this.#kind = kind
    this.#run = run
    this.#log = log
  }

  override compileQuery(node: RootOperationNode, queryId: QueryId): Compiled {
    const compiled = super.compileQuery(node, queryId) as Compiled
    if (compiled.parameters.length <= MOST_VALUES) return compiled
    return super.compileQuery(new LongLists(this.#kind).transformNode(node), queryId) as Compiled
  }

  override async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const begun = performance.now()
    let result: QueryResult<any>
    try {
      const given = this.#run(query.sql, query.parameters)
      result = given instanceof Promise ? await given : given
    } catch (error) {
      this.#log({ level: 'error', error, query, queryDurationMillis: performance.now() - begun })
      throw error
    }
    this.#log({ level: 'query', query, queryDurationMillis: performance.now() - begun })
    for (const plugin of this.plugins) result = await plugin.transformResult({ result, queryId: query.queryId })
    return result
  }

  override withPlugins(plugins: readonly KyselyPlugin[]): Executor {
    return new Executor(this.#kind, this.#run, this.#log, [...this.plugins, ...plugins])
  }

  override withPlugin(plugin: KyselyPlugin): Executor {
    return this.withPlugins([plugin])
  }

  override withPluginAtFront(plugin: KyselyPlugin): Executor {
    return new Executor(this.#kind, this.#run, this.#log, [plugin, ...this.plugins])
  }

  override withoutPlugins(): Executor {
    return new Executor(this.#kind, this.#run, this.#log)
  }
}

type Prepared = (values: readonly unknown[]) => QueryResult<any>

function adapt(statement: StatementSync): Prepared {
  const raw = plainly(statement)
  const { names } = raw
  if (names.length === 0) return (values) => ({ numAffectedRows: BigInt(raw.run(values)), rows: [] })
  const objectOf = rowsNamed(names)
  return (values) => ({ rows: raw.all(values).map(objectOf) })
}

type ObjectOf = (values: unknown[]) => object

/** Statements of all connections that select the same columns share a function: compiling one for each fills the heap. */
const objectsOf = new LruCache<ObjectOf>(1000)

/** Makes an object of each row's values: all of one form, as if it were written out. All names are our own. */
export function rowsNamed(names: readonly string[]): ObjectOf {
  const properties = names.map((name, at) => `${JSON.stringify(name)}: values[${at}]`).join(', ')
  return objectsOf.get(properties, () => new Function('values', `return { ${properties} }`) as ObjectOf)
}
