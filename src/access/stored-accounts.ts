import type { Database } from '../database/database.ts'
import type { Account } from '../ledger/caller.ts'

export const ACCOUNT_COLUMNS = ['id', 'name', 'time_zone', 'currency_code', 'signing_key']

export const listAccounts = (database: Database): Promise<Account[]> =>
  database.glance((sql) => sql.selectFrom('accounts').select(ACCOUNT_COLUMNS).orderBy('id').execute()) as Promise<
    Account[]
  >

/** The account of an id, or the first one. */
export const findAccount = async (database: Database, id: number | undefined): Promise<Account | undefined> =>
  id !== undefined && !Number.isSafeInteger(id)
    ? undefined
    : (database.glance((sql) => {
        const first = sql.selectFrom('accounts').select((eb) => eb.fn.min('id').as('id'))
        return sql
          .selectFrom('accounts')
          .select(ACCOUNT_COLUMNS)
          .where('id', '=', id ?? first)
          .executeTakeFirst()
      }) as Promise<Account | undefined>)
