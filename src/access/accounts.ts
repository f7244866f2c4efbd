import Type, { type TObject } from 'typebox'
import type { Database, Sql } from '../database/database.ts'
import { type Account, type Caller, readAs, writeAs, writeOn } from '../database/handle.ts'
import { invalid } from '../engine/problem.ts'
import { amend, create, find, insertAll } from '../engine/records.ts'
import { bodySchema, fetchShape } from '../engine/resource.ts'
import { check } from '../engine/validate.ts'
import { resources } from '../operations.ts'
import { genders } from '../organisation/names.ts'
import { apiKeys } from './api-keys.ts'
import { hashKey, hintOf, newKey } from './keys.ts'
import { ACCOUNT_COLUMNS } from './stored-accounts.ts'

/** The name of the key that CADRE_API_KEY holds. */
const ENVIRONMENT_KEY = 'CADRE_API_KEY'

/** The account acting on itself from the command line or at start. */
export const commandLine = (account: Account, operation: string): Caller => ({
  resources,
  account,
  actor: 'command line',
  employeeId: null,
  permissions: ['*'],
  withheld: new Set(),
  origin: '',
  requestId: '-',
  operation,
})

export type NewAccount = { name: string; time_zone?: string | undefined; currency_code?: string | undefined }

const clock = () => new Date()

/** A new account with what every account starts with. */
export const createAccount = (database: Database, given: NewAccount): Promise<Account> =>
  database.exclusively((sql) => storeAccount(sql, given))

const NEW_ACCOUNT = Type.Object({
  name: Type.String({ format: 'line', minLength: 1, maxLength: 255 }),
  time_zone: Type.String({ format: 'time-zone' }),
  currency_code: Type.String({ format: 'currency' }),
}) as TObject

async function storeAccount(sql: Sql, given: NewAccount): Promise<Account> {
  const { last } = (await sql
    .selectFrom('accounts')
    .select((eb) => eb.fn.max('id').as('last'))
    .executeTakeFirst()) as any
  const { name, time_zone = 'UTC', currency_code = 'EUR' } = given
  const { values, problems } = check(NEW_ACCOUNT, { name, time_zone, currency_code })
  if (problems.length > 0) throw invalid(problems)
  const account = { id: Number(last ?? 0) + 1, ...values, signing_key: newKey() } as Account
  const now = clock().toISOString()
  await sql
    .insertInto('accounts')
    .values({ ...account, turn_at: now, created_at: now })
    .execute()
  await writeOn(sql, commandLine(account, 'createAccount'), clock, (db) =>
    insertAll(
      db,
      genders,
      ['male', 'female', 'other'].map((gender) => ({ name: gender })),
    ),
  )
  return account
}

export type KeyRights = { name: string; permissions?: string[]; withheld?: string[]; expires_at?: string | undefined }

/** Makes a key for the account and returns it; it can not be shown again. */
export async function createKey(
  database: Database,
  account: Account,
  rights: KeyRights,
  key = newKey(),
): Promise<string> {
  const { values, problems } = check(bodySchema(apiKeys, 'create'), { permissions: ['*'], ...rights })
  await writeAs(database, commandLine(account, 'createApiKey'), clock, (db) =>
    create(db, apiKeys, { ...values, hash: hashKey(key), hint: hintOf(key) }, { problems }),
  )
  return key
}

export const listKeys = (database: Database, account: Account): Promise<any[]> =>
  readAs(database, commandLine(account, 'listApiKeys'), clock(), async (db) => {
    const rows = await fetchShape(db, apiKeys.whole, db.from('api_keys'))
    return rows.map(({ record }) => record)
  })

export async function revokeKey(database: Database, account: Account, id: number): Promise<void> {
  await writeAs(database, commandLine(account, 'revokeApiKey'), clock, async (db) => {
    const before = await find(db, apiKeys, id)
    if (before.revoked_at === null) await amend(db, apiKeys, before, { revoked_at: db.now })
  })
}

/**
 * What a start guarantees: there is an account, and CADRE_API_KEY, if set, opens the first one. Without it a new
 * database gets a key of its own, which is returned to be printed once.
 */
export async function ensureFirstAccount(
  database: Database,
  environmentKey: string | undefined,
): Promise<string | undefined> {
  // Processes that start together must not make an account each.
  const { account, isNew } = await database.exclusively(async (sql) => {
    const first = await sql.selectFrom('accounts').select(ACCOUNT_COLUMNS).orderBy('id').executeTakeFirst()
    return { account: (first as Account) ?? (await storeAccount(sql, { name: 'My company' })), isNew: !first }
  })
  if (environmentKey) await ensureEnvironmentKey(database, account, environmentKey)
  else if (isNew) return createKey(database, account, { name: 'First key' })
  return undefined
}

/** A changed CADRE_API_KEY takes the place of the one before. */
async function ensureEnvironmentKey(database: Database, account: Account, key: string): Promise<void> {
  await writeAs(database, commandLine(account, 'setEnvironmentKey'), clock, async (db) => {
    const rows = await db
      .from('api_keys')
      .select(['id', 'hash'])
      .where('name', '=', ENVIRONMENT_KEY)
      .where('revoked_at', 'is', null)
      .execute()
    for (const row of rows)
      if (row.hash !== hashKey(key)) await amend(db, apiKeys, await find(db, apiKeys, row.id), { revoked_at: db.now })
    const known = await db.from('api_keys').select('id').where('hash', '=', hashKey(key)).executeTakeFirst()
    if (known) await amend(db, apiKeys, await find(db, apiKeys, known.id), { revoked_at: null, expires_at: null })
    else await create(db, apiKeys, { name: ENVIRONMENT_KEY, permissions: ['*'], hash: hashKey(key), hint: hintOf(key) })
  })
}
