import {
  AliasNode,
  CompiledQuery,
  type KyselyPlugin,
  type OperationNode,
  PostgresAdapter,
  type QueryExecutor,
  type RootOperationNode,
  TableNode,
} from 'kysely'
import type { Sql } from './database.ts'

/** The statements of the write path as text: the query builder takes longer to build them than the engine to run them. */

const MAX_TEXTS = 2000
const texts = new Map<string, string>()

function cachedText(key: string, make: () => string): string {
  const cached = texts.get(key)
  if (cached !== undefined) return cached
  if (texts.size >= MAX_TEXTS) texts.clear()
  const text = make()
  texts.set(key, text)
  return text
}

/** Compiles a statement in which `?` is the placeholder of each value. */
export function compileText(
  executor: QueryExecutor,
  statement: string,
  values: readonly unknown[],
): CompiledQuery<any> {
  let number = 0
  const isNumbered = executor.adapter instanceof PostgresAdapter
  const text = isNumbered ? cachedText(statement, () => statement.replace(/\?/g, () => `$${++number}`)) : statement
  return CompiledQuery.raw(text, values as unknown[])
}

const isPostgres = (on: Sql) => on.getExecutor().adapter instanceof PostgresAdapter

/** After a statement has failed, do all later statements of the transaction fail too? */
export const failureEndsTransaction = isPostgres

/** Runs a statement in which `?` is the placeholder of each value. A statement that writes must name the table. */
export async function runStatement<R = any>(
  on: Sql,
  statement: string,
  values: readonly unknown[] = [],
  writtenTable?: string,
): Promise<R[]> {
  const executor = on.getExecutor()
  for (const plugin of executor.plugins) if (plugin instanceof WrittenTables) plugin.note(statement, writtenTable)
  return (await executor.executeQuery<R>(compileText(executor, statement, values))).rows
}

/** Collects the tables that statements write to. */
export class WrittenTables implements KyselyPlugin {
  readonly tables = new Set<string>()

  /** Notes the table of a statement that is text. */
  note(statement: string, writtenTable: string | undefined): void {
    if (writtenTable !== undefined) this.tables.add(writtenTable)
    else if (WRITE.test(statement)) throw new Error(`A statement that writes does not say to which table: ${statement}`)
  }

  transformQuery({ node }: { node: RootOperationNode }): RootOperationNode {
    switch (node.kind) {
      case 'InsertQueryNode':
        if (node.into) this.tables.add(tableNameOf(node.into))
        break
      case 'UpdateQueryNode':
        if (node.table) this.tables.add(tableNameOf(node.table))
        break
      case 'DeleteQueryNode':
        for (const from of node.from.froms) this.tables.add(tableNameOf(from))
        break
      case 'RawNode':
        this.note(node.sqlFragments.join('?'), undefined)
    }
    return node
  }

  async transformResult<T>({ result }: { result: T }): Promise<T> {
    return result
  }
}

const WRITE = /\b(?:insert\s+into|update|delete\s+from)\b/i

const tableNameOf = (node: OperationNode): string => {
  if (AliasNode.is(node)) return tableNameOf(node.node)
  if (TableNode.is(node)) return node.table.identifier.name
  throw new Error(`A statement writes to a ${node.kind}, which is no table`)
}

/** One `?` for each value, separated by commas. */
export const placeholders = (values: readonly unknown[]) => values.map(() => '?').join(', ')

type Row = Readonly<Record<string, unknown>>

/** Inserts rows, in one statement for each set of columns, so that a missing column gets the default of the schema. */
export async function insertRows<R = any>(on: Sql, table: string, rows: readonly Row[], suffix = ''): Promise<R[]> {
  const [first] = rows
  if (!first) return []
  const columns = Object.keys(first)
  if (rows.every((row) => hasColumns(row, columns))) return insertSameColumns<R>(on, table, columns, rows, suffix)
  const returned: R[] = []
  for (const alike of Map.groupBy(rows, (row) => Object.keys(row).join(' ')).values())
    returned.push(...(await insertSameColumns<R>(on, table, Object.keys(alike[0] as Row), alike, suffix)))
  return returned
}

/** Does a row have these columns, in this order? */
function hasColumns(row: Row, columns: readonly string[]): boolean {
  let at = 0
  for (const name in row) if (name !== columns[at++]) return false
  return at === columns.length
}

async function insertSameColumns<R>(
  on: Sql,
  table: string,
  columns: readonly string[],
  rows: readonly Row[],
  suffix: string,
): Promise<R[]> {
  const text = cachedText(`${table} ${rows.length} ${columns} ${suffix}`, () => {
    const names = columns.map((name) => `"${name}"`).join(', ')
    const row = `(${placeholders(columns)})`
    return `insert into "${table}" (${names}) values ${rows.map(() => row).join(', ')} ${suffix}`
  })
  const values: unknown[] = []
  for (const row of rows) for (const name of columns) values.push(row[name])
  return runStatement(on, text, values, table)
}

/**
 * Sets columns of rows, each to its own values. SQLite gets an upsert of the whole rows, which it runs fastest. PostgreSQL is
 * slow with thousands of parameters, so it gets the changed columns as JSON. It then updates the rows in an order of its own;
 * `isInOrder` makes it upsert too, for rows that take over a unique value from an earlier one.
 */
export async function updateRows(
  on: Sql,
  table: string,
  columns: readonly string[],
  rows: readonly (Row & { account_id: number })[],
  isInOrder: boolean,
): Promise<void> {
  const upsert = `on conflict (account_id, id) do update set ${columns.map((name) => `"${name}" = excluded."${name}"`).join(', ')}`
  if (isInOrder || !isPostgres(on)) return void (await insertRows(on, table, rows, upsert))
  const source = `json_populate_recordset(null::"${table}", cast(? as json))`
  const set = columns.map((name) => `"${name}" = changed."${name}"`).join(', ')
  const where = `"${table}".account_id = ? and "${table}".id = changed.id`
  const changed = rows.map((row) => Object.fromEntries(['id', ...columns].map((name) => [name, row[name]])))
  await runStatement(
    on,
    `update "${table}" set ${set} from ${source} as changed where ${where}`,
    [JSON.stringify(changed), rows[0]?.account_id],
    table,
  )
}
