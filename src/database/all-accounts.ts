import { type Database, DatabaseUnavailable, type Sql } from './database.ts'
import { nodesOf } from './distribute.ts'

/** Statements about all accounts, where each account may lie on a node of its own and a node may be away. */

/** What the accounts that can be reached have, and which accounts cannot be reached. */
export type FromAll<T> = { readonly found: T[]; readonly away: readonly number[] }

/**
 * Runs a statement for all accounts at once. While a node is away that fails, so it is run again for the accounts of each
 * node, side by side; those of a node that is away are named. Without accounts to look in, a statement means all.
 */
export async function ofAllAccounts<T>(
  database: Database,
  ask: (sql: Sql, accounts: readonly number[] | null) => Promise<T[]>,
): Promise<FromAll<T>> {
  try {
    return { found: await database.glance((sql) => ask(sql, null)), away: [] }
  } catch (error) {
    const nodes = error instanceof DatabaseUnavailable ? await accountsByNode(database) : undefined
    // It is the database itself that is away.
    if (!nodes) throw error
    const parts = await Promise.all(
      nodes.map(async (accounts): Promise<FromAll<T>> => {
        try {
          return { found: await database.glance((sql) => ask(sql, accounts)), away: [] }
        } catch (reason) {
          if (!(reason instanceof DatabaseUnavailable)) throw reason
          return { found: [], away: accounts }
        }
      }),
    )
    return {
      found: parts.flatMap(({ found }) => found),
      away: parts.flatMap(({ away }) => away).toSorted((a, b) => a - b),
    }
  }
}

/**
 * The ids of all accounts, a list for each node; undefined where there are no nodes. Every node has the table that says
 * which secret is of which account, and every account has a key.
 */
async function accountsByNode(database: Database): Promise<(readonly number[])[] | undefined> {
  const rows = await database.glance((sql) =>
    sql.selectFrom('secret_hashes').select('account_id').distinct().orderBy('account_id').execute(),
  )
  const ids = rows.map(({ account_id }) => account_id as number)
  const nodes = await nodesOf(database, ids)
  return nodes && [...Map.groupBy(ids, (id) => nodes.get(id)).values()]
}
