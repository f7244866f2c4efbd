import type { Database, Sql } from '../../database/database.ts'
import { type AllAccountsResult, queryAllAccounts } from '../../database/query-all-accounts.ts'
import type { Account } from '../../records/caller.ts'

/** Accounts as they are now: who they are stands in their row, what they are called in their company's. */
export const accountsIn = (sql: Sql) =>
  sql
    .selectFrom('accounts as a')
    .innerJoin('companies as c', 'c.account_id', 'a.id')
    .select(['a.id', 'c.name', 'c.time_zone', 'c.currency_code', 'c.full_time_hours', 'a.signing_key'])
    .orderBy('a.id')
    .$castTo<Account>()

/** All accounts that can be reached, and the ids of the others. */
export async function reachAccounts(database: Database): Promise<AllAccountsResult<Account>> {
  const { rows, unreachable } = await queryAllAccounts(database, (sql, accounts) =>
    accountsIn(sql)
      .$if(accounts !== null, (query) => query.where('a.id', 'in', accounts ?? []))
      .execute(),
  )
  return { rows: rows.toSorted((a, b) => a.id - b.id), unreachable }
}

export const listAccounts = async (database: Database): Promise<Account[]> => (await reachAccounts(database)).rows

/** They are counted from here on, and none is ever removed. */
export const FIRST = 1

/** The account of an id, or the first one. */
export const findAccount = async (database: Database, id = FIRST): Promise<Account | undefined> =>
  Number.isSafeInteger(id)
    ? database.query((sql) => accountsIn(sql).where('a.id', '=', id).executeTakeFirst())
    : undefined
