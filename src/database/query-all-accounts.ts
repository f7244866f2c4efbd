import { type Database, DatabaseUnavailable, type Sql } from './database.ts'
import { nodesOfAccounts } from './distribute.ts'

/** The rows of all accounts that can be reached, and the accounts on nodes that are down. */
export type AllAccountsResult<T> = { readonly rows: T[]; readonly unreachable: readonly number[] }

/** How long a node that did not answer is left out: a start runs many of these queries, one after the other. */
const SKIP_FOR = 30_000

/** Until when nodes are left out, by their names. */
const skippedUntil = new WeakMap<Database, Map<string, number>>()

/**
 * Runs a query over all accounts. If a database node is down, that fails, so the query runs again for each node, with the
 * accounts on it. `accounts` is null if the query is to cover all.
 */
export async function queryAllAccounts<T>(
  database: Database,
  query: (sql: Sql, accounts: readonly number[] | null) => Promise<T[]>,
): Promise<AllAccountsResult<T>> {
  const skipped = skippedUntil.get(database) ?? new Map<string, number>()
  skippedUntil.set(database, skipped)
  for (const [node, until] of skipped) if (until < performance.now()) skipped.delete(node)
  try {
    if (skipped.size === 0) return { rows: await database.query((sql) => query(sql, null)), unreachable: [] }
  } catch (error) {
    // Without nodes, the database itself is down.
    if (!(error instanceof DatabaseUnavailable) || !(await accountsByNode(database))) throw error
  }
  const nodes = [...((await accountsByNode(database)) ?? [])]
  const results = await Promise.all(
    nodes.map(async ([node, accounts]): Promise<AllAccountsResult<T>> => {
      if (skipped.has(node)) return { rows: [], unreachable: accounts }
      try {
        return { rows: await database.query((sql) => query(sql, accounts)), unreachable: [] }
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error
        skipped.set(node, performance.now() + SKIP_FOR)
        return { rows: [], unreachable: accounts }
      }
    }),
  )
  return {
    rows: results.flatMap(({ rows }) => rows),
    unreachable: results.flatMap(({ unreachable }) => unreachable).toSorted((a, b) => a - b),
  }
}

/**
 * The ids of all accounts by node; undefined if there are no nodes. They come from `secret_hashes`, which every node has and in
 * which every account has a key.
 */
async function accountsByNode(database: Database): Promise<Map<string, number[]> | undefined> {
  const rows = await database.query((sql) =>
    sql.selectFrom('secret_hashes').select('account_id').distinct().orderBy('account_id').execute(),
  )
  const ids = rows.map(({ account_id }) => account_id as number)
  const nodes = await nodesOfAccounts(database, ids)
  return nodes && Map.groupBy(ids, (id) => nodes.get(id) ?? '')
}
