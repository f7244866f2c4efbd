import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import {
  type CompiledQuery,
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  type KyselyPlugin,
  type LogEvent,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
  SqliteQueryCompiler,
} from 'kysely'
import type { Sql } from './database.ts'

/** Told of every statement when it is over. */
export type Log = (event: LogEvent) => void

/**
 * Kysely on a connection of Node's built-in driver, which answers at once: so statements are run where they are asked for.
 * Kysely's own way to a driver waits a dozen times for nothing, which takes longer than most of them do.
 */
export function kyselyOn(connection: DatabaseSync, log: Log): Sql {
  const prepared = new Map<string, Prepared>()
  const prepare = (text: string): Prepared => {
    let statement = prepared.get(text)
    if (!statement) {
      if (prepared.size > 500) prepared.clear()
      statement = adapt(connection.prepare(text))
      prepared.set(text, statement)
    }
    return statement
  }
  const dialect = new SqliteDialect({
    database: () => Promise.reject(new Error('Statements are run by the executor alone')),
  })
  const executor = new Executor({ prepare, log })
  return new Kysely({ config: { dialect }, dialect, driver: new DummyDriver(), executor })
}

type Prepared = (values: readonly unknown[]) => QueryResult<any>
type Connected = { prepare: (text: string) => Prepared; log: Log }

const compiler = new SqliteQueryCompiler()
const adapter = new SqliteAdapter()
/** Nobody holds the connection for longer than a statement. */
const noConnection = { provideConnection: () => Promise.reject(new Error('There is no connection to be had')) }

class Executor extends DefaultQueryExecutor {
  readonly #connected: Connected

  constructor(connected: Connected, plugins: readonly KyselyPlugin[] = []) {
    super(compiler, adapter, noConnection, [...plugins])
    this.#connected = connected
  }

  override async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { prepare, log } = this.#connected
    const begun = performance.now()
    let result: QueryResult<any>
    try {
      result = prepare(query.sql)(query.parameters)
    } catch (error) {
      log({ level: 'error', error, query, queryDurationMillis: performance.now() - begun })
      throw error
    }
    log({ level: 'query', query, queryDurationMillis: performance.now() - begun })
    for (const plugin of this.plugins) result = await plugin.transformResult({ result, queryId: query.queryId })
    return result
  }

  override withPlugins(plugins: readonly KyselyPlugin[]): Executor {
    return new Executor(this.#connected, [...this.plugins, ...plugins])
  }

  override withPlugin(plugin: KyselyPlugin): Executor {
    return this.withPlugins([plugin])
  }

  override withPluginAtFront(plugin: KyselyPlugin): Executor {
    return new Executor(this.#connected, [plugin, ...this.plugins])
  }

  override withoutPlugins(): Executor {
    return new Executor(this.#connected)
  }
}

function adapt(statement: StatementSync): Prepared {
  const bound = (values: readonly unknown[]) =>
    values.map((value) => (typeof value === 'boolean' ? Number(value) : (value as SQLInputValue)))
  const names = statement.columns().map(({ name }) => name)
  if (names.length === 0)
    return (values) => ({ numAffectedRows: BigInt(statement.run(...bound(values)).changes), rows: [] })
  // Rows as the driver makes them, name by name, take half as long again.
  statement.setReturnArrays(true)
  const objectOf = rowsNamed(names)
  return (values) => ({ rows: (statement.all(...bound(values)) as unknown as unknown[][]).map(objectOf) })
}

/** Makes an object of each row's values: all of one form, as if it were written out. All names are our own. */
function rowsNamed(names: readonly string[]): (values: unknown[]) => object {
  const properties = names.map((name, at) => `${JSON.stringify(name)}: values[${at}]`)
  return new Function('values', `return { ${properties.join(', ')} }`) as (values: unknown[]) => object
}
