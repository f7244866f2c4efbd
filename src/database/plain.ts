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

/** Statements whose text is the same every time: building them anew takes longer than running them. */

const MOST = 2000
const texts = new Map<string, string>()

function once(name: string, make: () => string): string {
  const known = texts.get(name)
  if (known !== undefined) return known
  if (texts.size >= MOST) texts.clear()
  const text = make()
  texts.set(name, text)
  return text
}

/** A statement in which `?` stands for each value, as the engine takes it. */
export function ready(executor: QueryExecutor, statement: string, values: readonly unknown[]): CompiledQuery<any> {
  let number = 0
  const isNumbered = executor.adapter instanceof PostgresAdapter
  const text = isNumbered ? once(statement, () => statement.replace(/\?/g, () => `$${++number}`)) : statement
  return CompiledQuery.raw(text, values as unknown[])
}

const isPostgres = (on: Sql) => on.getExecutor().adapter instanceof PostgresAdapter

/** Is a transaction over when a statement has failed, for all statements that follow? */
export const endsByFailure = isPostgres

/** Runs a statement in which `?` stands for each value. A statement that writes names the table. */
export async function run<R = any>(
  on: Sql,
  statement: string,
  values: readonly unknown[] = [],
  writes?: string,
): Promise<R[]> {
  const executor = on.getExecutor()
  for (const plugin of executor.plugins) if (plugin instanceof WrittenTables) plugin.note(statement, writes)
  return (await executor.executeQuery<R>(ready(executor, statement, values))).rows
}

/** Collects the tables that statements write to. */
export class WrittenTables implements KyselyPlugin {
  readonly tables = new Set<string>()

  /** A statement that is text says which table it writes to. */
  note(statement: string, writes: string | undefined): void {
    if (writes !== undefined) this.tables.add(writes)
    else if (WRITE.test(statement)) throw new Error(`A statement that writes does not say to which table: ${statement}`)
  }

  transformQuery({ node }: { node: RootOperationNode }): RootOperationNode {
    switch (node.kind) {
      case 'InsertQueryNode':
        if (node.into) this.tables.add(nameOf(node.into))
        break
      case 'UpdateQueryNode':
        if (node.table) this.tables.add(nameOf(node.table))
        break
      case 'DeleteQueryNode':
        for (const from of node.from.froms) this.tables.add(nameOf(from))
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

const nameOf = (node: OperationNode): string => {
  if (AliasNode.is(node)) return nameOf(node.node)
  if (TableNode.is(node)) return node.table.identifier.name
  throw new Error(`A statement writes to a ${node.kind}, which is no table`)
}

/** A question mark for each value, with commas between. */
export const questionMarks = (all: readonly unknown[]) => all.map(() => '?').join(', ')

type Row = Readonly<Record<string, unknown>>

/** Inserts rows. Those that have other columns are another statement, so that what is not given is what the schema says. */
export async function insertRows<R = any>(on: Sql, table: string, rows: readonly Row[], rest = ''): Promise<R[]> {
  const [first] = rows
  if (!first) return []
  const columns = Object.keys(first)
  if (rows.every((row) => hasColumns(row, columns))) return insertAlike<R>(on, table, columns, rows, rest)
  const answers: R[] = []
  for (const some of Map.groupBy(rows, (row) => Object.keys(row).join(' ')).values())
    answers.push(...(await insertAlike<R>(on, table, Object.keys(some[0] as Row), some, rest)))
  return answers
}

/** Does a row have these columns, in this order? */
function hasColumns(row: Row, columns: readonly string[]): boolean {
  let at = 0
  for (const name in row) if (name !== columns[at++]) return false
  return at === columns.length
}

async function insertAlike<R>(
  on: Sql,
  table: string,
  columns: readonly string[],
  rows: readonly Row[],
  rest: string,
): Promise<R[]> {
  const text = once(`${table} ${rows.length} ${columns} ${rest}`, () => {
    const names = columns.map((name) => `"${name}"`).join(', ')
    const row = `(${columns.map(() => '?').join(', ')})`
    return `insert into "${table}" (${names}) values ${rows.map(() => row).join(', ')} ${rest}`
  })
  const values: unknown[] = []
  for (const row of rows) for (const name of columns) values.push(row[name])
  return run(on, text, values, table)
}

/**
 * Sets columns of whole rows, to another value in each. SQLite is told the rows, over the ones that there are, which it does
 * in no time; PostgreSQL would take its time over thousands of values, and is told what has changed as JSON. It changes them
 * in an order of its own, unless they are written over the ones that there are, too: so it is where one may take what
 * another gives up.
 */
export async function updateRows(
  on: Sql,
  table: string,
  columns: readonly string[],
  rows: readonly (Row & { account_id: number })[],
  isInOrder: boolean,
): Promise<void> {
  const over = `on conflict (account_id, id) do update set ${columns.map((name) => `"${name}" = excluded."${name}"`).join(', ')}`
  if (isInOrder || !isPostgres(on)) return void (await insertRows(on, table, rows, over))
  const told = `json_populate_recordset(null::"${table}", cast(? as json))`
  const set = columns.map((name) => `"${name}" = told."${name}"`).join(', ')
  const where = `"${table}".account_id = ? and "${table}".id = told.id`
  const changed = rows.map((row) => Object.fromEntries(['id', ...columns].map((name) => [name, row[name]])))
  await run(
    on,
    `update "${table}" set ${set} from ${told} as told where ${where}`,
    [JSON.stringify(changed), rows[0]?.account_id],
    table,
  )
}
