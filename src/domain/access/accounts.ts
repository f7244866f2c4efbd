import Type, { type TObject } from 'typebox'
import { DatabaseUnavailable, type Sql } from '../../database/database.ts'
import { queryAllAccounts } from '../../database/query-all-accounts.ts'
import { refuse } from '../../engine/problem.ts'
import { amend, create, find, initialOf, insertAll, rowsOf } from '../../engine/records.ts'
import { bodySchema } from '../../engine/schema.ts'
import { fetchShape } from '../../engine/shape.ts'
import { check } from '../../engine/validate.ts'
import type { Account, Caller } from '../../records/caller.ts'
import { type Ledger, readAs, writeAs, writeOn } from '../../records/ledger.ts'
import { accountOfSecret } from '../../records/secret-hashes.ts'
import type { Writer } from '../../records/write.ts'
import { apiKeys, expiresInTheFuture, revoke } from './api-keys.ts'
import { companies } from './companies.ts'
import { hashKey, hintOf, newKey } from './keys.ts'
import { makeReadyRoles, reviseRoles } from './ready-made-roles.ts'
import { REVISION } from './roles.ts'
import { accountsIn, FIRST, listAccounts, reachAccounts } from './stored-accounts.ts'

/** The name of the key that CADRE_API_KEY holds. */
const ENVIRONMENT_KEY = 'CADRE_API_KEY'

/** The name of the key that a first start makes and prints. */
const FIRST_KEY = 'First key'

/** The account acting on itself from the command line or at start. */
export const commandLine = (account: Account): Caller => ({
  account,
  actor: { kind: 'command_line' },
  personId: null,
  permissions: ['*'],
  withheld: new Set(),
  origin: '',
  address: null,
  requestId: '-',
  correlationId: '-',
})

export type NewAccount = { name: string; time_zone?: string | undefined; currency_code?: string | undefined }

/** Creates the records that every new account starts with. */
export type CreateDefaultRecords = (db: Writer) => Promise<void>

/** A new account with what every account starts with. */
export const createAccount = (
  ledger: Ledger,
  given: NewAccount,
  createDefaultRecords: CreateDefaultRecords,
): Promise<Account> =>
  ledger.database.withMigrationLock((sql) => storeAccount(ledger, sql, given, createDefaultRecords))

const NEW_ACCOUNT = Type.Object({
  name: Type.String({ format: 'line', minLength: 1, maxLength: 255 }),
  time_zone: Type.String({ format: 'time-zone' }),
  currency_code: Type.String({ format: 'currency' }),
}) as TObject

async function storeAccount(
  ledger: Ledger,
  sql: Sql,
  given: NewAccount,
  createDefaultRecords: CreateDefaultRecords,
): Promise<Account> {
  const last = await sql
    .selectFrom('accounts')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst()
  const { name, time_zone = 'UTC', currency_code = 'EUR' } = given
  const { values, problems } = check(NEW_ACCOUNT, { name, time_zone, currency_code })
  refuse(problems)
  const stored = { id: Number(last?.id ?? 0) + 1, ...values, signing_key: newKey() }
  const account = { ...stored, full_time_hours: initialOf(companies).full_time_hours } as Account
  const now = ledger.clock().toISOString()
  await sql
    .insertInto('accounts')
    .values({ ...stored, turn_at: now, created_at: now })
    .execute()
  await writeOn(ledger, sql, commandLine(account), 'createAccount', async (db) => {
    await insertAll(db, companies, [
      { name: account.name, time_zone: account.time_zone, currency_code: account.currency_code },
    ])
    await createDefaultRecords(db)
  })
  return account
}

export type NewKey = { name: string; permissions?: string[]; withheld?: string[]; expires_at?: string | undefined }

/** Makes a key for the account and returns it; it can not be shown again. */
export async function createKey(ledger: Ledger, account: Account, rights: NewKey, key = newKey()): Promise<string> {
  const { values, problems } = check(bodySchema(apiKeys, 'create'), { permissions: ['*'], ...rights })
  await writeAs(ledger, commandLine(account), 'createApiKey', (db) =>
    create(
      db,
      apiKeys,
      { ...values, hash: hashKey(key), hint: hintOf(key) },
      { problems, rules: [expiresInTheFuture] },
    ),
  )
  return key
}

/** The keys of an account, as the interface shows them. */
export const listKeys = (ledger: Ledger, account: Account): Promise<Record<string, any>[]> =>
  readAs(ledger, commandLine(account), async (db) => {
    const rows = await fetchShape(db, apiKeys.whole, db.from('api_keys'))
    return rows.map(({ record }) => record)
  })

/** Ends a key and all that were made with it, and says which they were. */
export const revokeKey = (ledger: Ledger, account: Account, id: number): Promise<number[]> =>
  writeAs(ledger, commandLine(account), 'revokeApiKey', async (db) => revoke(db, await find(db, apiKeys, id)))

/**
 * What a start guarantees: there is an account, and CADRE_API_KEY, if set, opens the first one, unless it was revoked.
 * Without it a new database gets a key of its own, which is returned to be printed once. What an operator should know
 * of CADRE_API_KEY is the notice.
 */
export async function ensureFirstAccount(
  ledger: Ledger,
  environmentKey: string | undefined,
  createDefaultRecords: CreateDefaultRecords,
): Promise<{ firstKey?: string; notice?: string }> {
  const { rows, unreachable } = await reachAccounts(ledger.database)
  for (const one of rows) await ensureRoles(ledger, one)
  // Whether it has a key cannot be told, and while a node is away no key is made.
  if (unreachable.length > 0 && (unreachable.includes(FIRST) || !environmentKey)) return {}
  // Processes that start together must not make an account each.
  const { account, isNew } = await ledger.database.withMigrationLock(async (sql) => {
    const first = rows[0] ?? (await accountsIn(sql).executeTakeFirst())
    if (first) return { account: first, isNew: false }
    return { account: await storeAccount(ledger, sql, { name: 'My company' }, createDefaultRecords), isNew: true }
  })
  if (isNew) await ensureRoles(ledger, account)
  if (environmentKey)
    return ensureEnvironmentKey(ledger, account, environmentKey).catch((error) => {
      if (unreachable.length === 0 || !(error instanceof DatabaseUnavailable)) throw error
      return {
        notice:
          'The key in CADRE_API_KEY is not accepted yet: it is new, and storing a new key needs all database nodes. Restart the service when all nodes are available',
      }
    })
  const isShown = isNew || (await isFirstKeyUnseen(ledger, account))
  return isShown ? { firstKey: await createKey(ledger, account, { name: FIRST_KEY }) } : {}
}

/** Accounts that versions without roles have made get the ready-made ones: once, whatever becomes of those. */
async function ensureRoles(ledger: Ledger, account: Account): Promise<void> {
  const hasHadSome = (sql: Sql) =>
    sql
      .selectFrom('counters')
      .select('last_id')
      .where('account_id', '=', account.id)
      .where('resource', '=', 'roles')
      .executeTakeFirst()
  if (await ledger.database.query(hasHadSome)) return
  await writeAs(ledger, commandLine(account), 'makeReadyRoles', async (db, { sql }) => {
    if (!(await hasHadSome(sql))) await makeReadyRoles(db)
  })
}

/** Roles that an earlier version has made are brought up to date, once, before anybody is served; the ledger tells how. */
export async function ensureNewRoles(ledger: Ledger): Promise<void> {
  const { rows } = await queryAllAccounts(ledger.database, (sql, accounts) =>
    sql
      .selectFrom('roles')
      .select('account_id')
      .where('revision', '<', REVISION)
      .$if(accounts !== null, (query) => query.where('account_id', 'in', accounts))
      .execute(),
  )
  const ids = new Set(rows.map(({ account_id }) => account_id))
  for (const account of await listAccounts(ledger.database))
    if (ids.has(account.id)) await writeAs(ledger, commandLine(account), 'reviseRoles', reviseRoles)
}

/**
 * Whether the first key was made but never used, and there is no other: then nobody may have seen it, because a start
 * failed before it was printed. It is revoked, and another can be shown in its place.
 */
async function isFirstKeyUnseen(ledger: Ledger, account: Account): Promise<boolean> {
  return writeAs(ledger, commandLine(account), 'replaceFirstKey', async (db) => {
    const keys = await rowsOf(apiKeys, db.from('api_keys').where('revoked_at', 'is', null))
    const [only] = keys
    if (!only) return (await db.from('api_keys').select('id').executeTakeFirst()) === undefined
    if (keys.length > 1 || only.name !== FIRST_KEY) return false
    if (await db.from('api_key_uses').select('key_id').executeTakeFirst()) return false
    await amend(db, apiKeys, only, { revoked_at: db.now })
    return true
  })
}

/** A changed CADRE_API_KEY takes the place of the one before. What was revoked, or has expired, stays so. */
async function ensureEnvironmentKey(ledger: Ledger, account: Account, key: string): Promise<{ notice?: string }> {
  const hash = hashKey(key)
  const holder = await accountOfSecret(ledger.database, hash)
  if (holder !== undefined && holder !== account.id)
    throw new Error(
      `The value of CADRE_API_KEY is already an API key of account ${holder}. Set CADRE_API_KEY to another value`,
    )
  return writeAs(ledger, commandLine(account), 'setEnvironmentKey', async (db) => {
    const [known] = await rowsOf(apiKeys, db.from('api_keys').where('hash', '=', hash))
    const end = known?.revoked_at
      ? 'was revoked'
      : known?.expires_at && known.expires_at <= db.now
        ? 'has expired'
        : null
    if (end)
      return {
        notice: `The key in CADRE_API_KEY ${end}, so requests with it are rejected. Set CADRE_API_KEY to another value`,
      }
    // Whatever it was made with, from here on it is the operator who vouches for it.
    if (known) await amend(db, apiKeys, known, { parent_id: null, made_by_user_id: null })
    else await create(db, apiKeys, { name: ENVIRONMENT_KEY, permissions: ['*'], hash, hint: hintOf(key) })

    const named = db.from('api_keys').where('name', '=', ENVIRONMENT_KEY).where('revoked_at', 'is', null)
    const replaced = await rowsOf(apiKeys, named.where('hash', '!=', hash))
    let ended = 0
    for (const { id } of replaced) ended += (await revoke(db, await find(db, apiKeys, id))).length
    if (ended === 0) return {}
    const others = ended - replaced.length
    const more = others > 0 ? `, together with ${others} ${others === 1 ? 'key' : 'keys'} created with it` : ''
    return { notice: `CADRE_API_KEY has changed: the previous key is revoked${more}` }
  })
}
