import type { Database } from '../database/database.ts'
import type { Account } from '../database/handle.ts'

export const ACCOUNT_COLUMNS = ['id', 'name', 'time_zone', 'currency_code', 'signing_key']

export const listAccounts = (database: Database): Promise<Account[]> =>
  database.glance((sql) => sql.selectFrom('accounts').select(ACCOUNT_COLUMNS).orderBy('id').execute()) as Promise<
    Account[]
  >
