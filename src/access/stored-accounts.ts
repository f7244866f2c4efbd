import type { Database, Sql } from '../database/database.ts'
import type { Account } from '../ledger/caller.ts'

/** Accounts as they are now: who they are stands in their row, what they are called in their company's. */
export const accountsIn = (sql: Sql) =>
  sql
    .selectFrom('accounts as a')
    .innerJoin('companies as c', 'c.account_id', 'a.id')
    .select(['a.id', 'c.name', 'c.time_zone', 'c.currency_code', 'a.signing_key'])
    .orderBy('a.id')
    .$castTo<Account>()

export const listAccounts = (database: Database): Promise<Account[]> =>
  database.glance((sql) => accountsIn(sql).execute())

/** They are counted from here on, and none is ever removed. */
const FIRST = 1

/** The account of an id, or the first one. */
export const findAccount = async (database: Database, id = FIRST): Promise<Account | undefined> =>
  Number.isSafeInteger(id)
    ? database.glance((sql) => accountsIn(sql).where('a.id', '=', id).executeTakeFirst())
    : undefined
