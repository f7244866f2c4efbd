import { type Database, DatabaseUnavailable, type Sql } from './database.ts'
import { nodesOf } from './distribute.ts'

/** Statements about all accounts, where each account may lie on a node of its own and a node may be away. */

/** What the accounts that can be reached have, and which accounts cannot be reached. */
export type FromAll<T> = { readonly found: T[]; readonly away: readonly number[] }

/** So long a node that has not answered is not asked again: a start asks for many things, one after the other. */
const LEFT_ALONE = 30_000

/** Until when nodes are left alone, by their names. */
const silent = new WeakMap<Database, Map<string, number>>()

/**
 * Runs a statement for all accounts at once. While a node is away that fails, so it is run again for the accounts of each
 * node, side by side; those of a node that is away are named. Without accounts to look in, a statement means all.
 */
export async function ofAllAccounts<T>(
  database: Database,
  ask: (sql: Sql, accounts: readonly number[] | null) => Promise<T[]>,
): Promise<FromAll<T>> {
  const leftAlone = silent.get(database) ?? new Map<string, number>()
  silent.set(database, leftAlone)
  for (const [node, until] of leftAlone) if (until < performance.now()) leftAlone.delete(node)
  try {
    if (leftAlone.size === 0) return { found: await database.glance((sql) => ask(sql, null)), away: [] }
  } catch (error) {
    // Without nodes it is the database itself that is away.
    if (!(error instanceof DatabaseUnavailable) || !(await accountsByNode(database))) throw error
  }
  const nodes = [...((await accountsByNode(database)) ?? [])]
  const parts = await Promise.all(
    nodes.map(async ([node, accounts]): Promise<FromAll<T>> => {
      if (leftAlone.has(node)) return { found: [], away: accounts }
      try {
        return { found: await database.glance((sql) => ask(sql, accounts)), away: [] }
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error
        leftAlone.set(node, performance.now() + LEFT_ALONE)
        return { found: [], away: accounts }
      }
    }),
  )
  return {
    found: parts.flatMap(({ found }) => found),
    away: parts.flatMap(({ away }) => away).toSorted((a, b) => a - b),
  }
}

/**
 * The ids of all accounts, a list for each node; undefined where there are no nodes. Every node has the table that says
 * which secret is of which account, and every account has a key.
 */
async function accountsByNode(database: Database): Promise<Map<string, number[]> | undefined> {
  const rows = await database.glance((sql) =>
    sql.selectFrom('secret_hashes').select('account_id').distinct().orderBy('account_id').execute(),
  )
  const ids = rows.map(({ account_id }) => account_id as number)
  const nodes = await nodesOf(database, ids)
  return nodes && Map.groupBy(ids, (id) => nodes.get(id) ?? '')
}
