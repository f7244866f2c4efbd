import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { withTables } from '../../database/compile.ts'
import type { Database, QueryRunner } from '../../database/database.ts'
import { type AccountVersion, versionIn } from '../../records/account-version.ts'
import type { Account, Grant } from '../../records/caller.ts'
import type { Ledger } from '../../records/ledger.ts'
import { dateIn } from '../../records/reader.ts'
import { findInAccount } from '../../records/secret-hashes.ts'
import { grantOf, grantsWithin, heldForAll, rightsFrom } from './grants.ts'
import { within } from './permissions.ts'

export type KnownKey = {
  id: number
  account: Account
  permissions: readonly string[]
  withheld: ReadonlySet<string>
  grants?: readonly Grant[]
  /** The person the key belongs to. */
  personId: number | null
  keyCreatorId: number | null
  expiresAt: string | null
  keyHolderIds: readonly number[]
  /** The version of the account's data when the key was read. */
  version: AccountVersion
}

export const hashKey = (key: string) => hash('sha256', key)

/** What roles let somebody do: of a user, or of a key. */
export async function grantsHeld(
  database: QueryRunner,
  table: string,
  holder: string,
  accountId: number,
  id: number,
): Promise<Grant[]> {
  const rows = await database.query((sql) =>
    sql
      .selectFrom(`${table} as held`)
      .innerJoin('role_grants as given', (join) =>
        join.onRef('given.account_id', '=', 'held.account_id').onRef('given.role_id', '=', 'held.role_id'),
      )
      .select(['given.scope', 'given.permissions', 'given.sees', 'given.department_id', 'given.location_id'])
      .where('held.account_id', '=', accountId)
      .where(`held.${holder}`, '=', id)
      .execute(),
  )
  return rows.map((row: any) =>
    grantOf({ ...row, permissions: JSON.parse(row.permissions), sees: JSON.parse(row.sees) }),
  )
}

/** 256 bits of chance behind a word that secret scanners can look for. */
export const newKey = () => `cadre_${randomBytes(32).toString('base64url')}`

/** The last characters, by which people tell their keys apart. */
export const hintOf = (key: string) => `…${key.slice(-4)}`

/** When a user is no longer employed, and from when they are employed again after an earlier employment. */
export type AccessDates = { left_on?: string | null; returns_on?: string | null }
type UserStatus = AccessDates & { disabled_at: string | null }

/** Has somebody left, or not come back yet? */
const isAway = ({ left_on = null, returns_on = null }: AccessDates, today: string) =>
  (left_on !== null && left_on <= today) || (returns_on !== null && returns_on > today)

/** Neither disabled nor away: the same holds for the keys of those who leave. */
export const mayEnter = ({ disabled_at, ...dates }: UserStatus, { today }: { today: string }) =>
  disabled_at === null && !isAway(dates, today)

/** True if the user is disabled or away, and may not sign in. */
export const isLockedOut = (user: UserStatus, timeZone: string, now: Date) =>
  !mayEnter(user, { today: dateIn(timeZone, now) })

/** The first day of somebody who was employed before; null for others. `alias` stands for `employees`. */
export const returnsOn = (alias: string, accountId: number) =>
  withTables<string | null>(
    ['former_employments'],
    sql`case when exists (select 1 from former_employments f where f.account_id = ${accountId} and f.employee_id = ${sql.ref(`${alias}.id`)}) then ${sql.ref(`${alias}.hired_on`)} end`,
  )

/** Is a key revoked, past its time, of a line in which somebody has left, or made by somebody who may not come in any more? */
function hasEnded(row: Record<string, any>, now: Date): boolean {
  const { revoked_at, expires_at, left_on, returns_on, time_zone } = row
  if (revoked_at !== null || (expires_at !== null && expires_at <= now.toISOString())) return true
  if (isLockedOut({ disabled_at: null, left_on, returns_on }, time_zone, now)) return true
  if (row.made_by_user_id === null) return false
  const maker = { disabled_at: row.maker_disabled_at, left_on: row.maker_left_on, returns_on: row.maker_returns_on }
  return row.maker_id === null || isLockedOut(maker, time_zone, now)
}

/** A key with its rights. Whether it has ended depends on the time, too. */
type StoredKey = KnownKey & { readonly hash: string; readonly row: Record<string, any> }

/** The tables that decide whether a key is valid and what it may do. */
export const KEY_TABLES = [
  'api_keys',
  'api_key_roles',
  'users',
  'user_roles',
  'roles',
  'role_grants',
  'employees',
  'former_employments',
  'companies',
] as const

/**
 * Keys, sessions and rights are read again after this time even if no version has changed, in milliseconds. So a change that
 * somebody made with SQL, past the service, takes effect within a second.
 */
export const CREDENTIALS_MAX_AGE = 1000
/** What a key, session or user takes in the cache, roughly. */
export const CREDENTIAL_BYTES = 3000

/** The key's account and rights; undefined for unknown, expired and revoked keys alike. */
export const findKey = (database: QueryRunner, key: string, now: Date): Promise<KnownKey | undefined> =>
  findKeyByHash(hashKey(key), now, (hash) => readKey(database, hash))

/** The same by the hash of the key, with cached keys: the key as it was read, and the version of the account now. */
export async function findCachedKey(
  { database, cache, versions }: Pick<Ledger, 'database' | 'cache' | 'versions'>,
  hash: string,
  now: Date,
): Promise<{ key: KnownKey; version: AccountVersion } | undefined> {
  // When statements are recorded, nothing comes from the cache.
  if (database.onStatement) {
    const key = await findKeyByHash(hash, now, () => readKey(database, hash))
    return key && { key, version: key.version }
  }
  const name = `key ${hash}`
  let version: AccountVersion | undefined
  const key = await findKeyByHash(hash, now, () =>
    findInAccount(database, hash, async (accountId) => {
      version = await versions.current(accountId)
      const storing = { tables: KEY_TABLES, bytes: CREDENTIAL_BYTES, maxAge: CREDENTIALS_MAX_AGE }
      return (
        version &&
        cache.get('credentials', name, version, storing, () => keyWhere(database, accountId, sql`k.hash = ${hash}`))
      )
    }),
  )
  return key && version && { key, version }
}

async function findKeyByHash(
  hash: string,
  now: Date,
  read: (hash: string) => Promise<StoredKey | undefined>,
): Promise<KnownKey | undefined> {
  const found = await read(hash)
  if (!found || !timingSafeEqual(Buffer.from(found.hash), Buffer.from(hash))) return undefined
  return hasEnded(found.row, now) ? undefined : found
}

const readKey = (database: QueryRunner, hash: string) =>
  findInAccount(database, hash, (accountId) => keyWhere(database, accountId, sql`k.hash = ${hash}`))

/** The same by the id of the key. */
export async function findKeyById(database: QueryRunner, accountId: number, id: number, now: Date) {
  const found = await keyWhere(database, accountId, sql`k.id = ${id}`)
  return found && !hasEnded(found.row, now) ? found : undefined
}

/** One statement, however long the line is of keys that it was made with: a row for each person whose they are, who left first first. */
async function keyWhere(
  database: QueryRunner,
  accountId: number,
  condition: RawBuilder<unknown>,
): Promise<StoredKey | undefined> {
  const generation = database.generation()
  const { rows } = await database.query((db) =>
    sql<Record<string, any>>`with recursive line(id, parent_id, employee_id) as (
        select k.id, k.parent_id, k.employee_id from api_keys k where k.account_id = ${accountId} and ${condition}
        union select k.id, k.parent_id, k.employee_id from line
        join api_keys k on k.account_id = ${accountId} and k.id = line.parent_id)
      select k.id, k.hash, k.permissions, k.withheld, k.employee_id, k.expires_at, k.revoked_at,
      k.made_by_user_id, u.id as maker_id, u.employee_id as maker_person_id, u.disabled_at as maker_disabled_at, m.termination_effective_on as maker_left_on, ${returnsOn('m', accountId)} as maker_returns_on,
      a.id as account_id, c.name, c.time_zone, c.currency_code, c.full_time_hours, a.signing_key, a.ledger_no, a.ledger_hash, a.version, a.table_versions, ${database.serverIdentity} as here, held.left_on, held.returns_on,
      exists (select 1 from api_key_roles r where r.account_id = ${accountId} and r.api_key_id = k.id) as has_roles, held.by_id as holder_id,
      exists (select 1 from line join api_key_roles r on r.account_id = ${accountId} and r.api_key_id = line.id where line.id <> k.id) as is_bound
      from api_keys k join accounts a on a.id = k.account_id join companies c on c.account_id = k.account_id
      left join users u on u.account_id = k.account_id and u.id = k.made_by_user_id
      left join employees m on m.account_id = k.account_id and m.id = u.employee_id
      left join (select distinct line.employee_id as by_id, e.termination_effective_on as left_on, ${returnsOn('e', accountId)} as returns_on from line
        left join employees e on e.account_id = ${accountId} and e.id = line.employee_id
        where line.employee_id is not null) held on true
      where k.account_id = ${accountId} and ${condition}
      order by coalesce(held.left_on, '9999-12-31'), coalesce(held.returns_on, '0001-01-01') desc`.execute(db),
  )
  const [row] = rows
  if (!row) return undefined
  return {
    id: row.id,
    hash: row.hash,
    row,
    account: {
      id: row.account_id,
      name: row.name,
      time_zone: row.time_zone,
      currency_code: row.currency_code,
      full_time_hours: row.full_time_hours,
      signing_key: row.signing_key,
    },
    ...(await rightsOfKey(database, row)),
    personId: row.employee_id,
    keyCreatorId: row.maker_person_id,
    expiresAt: row.expires_at,
    keyHolderIds: rows.flatMap(({ holder_id }) => holder_id ?? []),
    version: versionIn(row.account_id, row, generation),
  }
}

async function rightsOfKey(database: QueryRunner, row: Record<string, any>) {
  const { permissions, withheld } = await withinItsLine(database, row, await withinItsMaker(database, row))
  if (!row.has_roles) return { permissions, withheld: new Set(withheld) }
  const grants = await grantsHeld(database, 'api_key_roles', 'api_key_id', row.account_id, row.id)
  return rightsFrom(grantsWithin(grants, permissions, withheld))
}

type KeyRights = { permissions: readonly string[]; withheld: readonly string[] }

const FOR_EVER = { expires_at: null }

/** What a key says that it may do, and of that what the person still may who made it. */
async function withinItsMaker(database: QueryRunner, row: Record<string, any>): Promise<KeyRights> {
  const said: KeyRights = { permissions: JSON.parse(row.permissions), withheld: JSON.parse(row.withheld) }
  if (row.made_by_user_id === null) return said
  const grants = await grantsHeld(database, 'user_roles', 'user_id', row.account_id, row.made_by_user_id)
  return within(
    { ...said, ...FOR_EVER, employee_id: row.employee_id },
    { ...heldForAll(rightsFrom(grants)), ...FOR_EVER, employee_id: row.maker_person_id, arePersons: true },
  )
}

/** Of that, what the keys still may that it was made with: their rows are narrowed with it, their roles are by others. */
async function withinItsLine(database: QueryRunner, row: Record<string, any>, said: KeyRights): Promise<KeyRights> {
  if (!row.is_bound) return said
  const { rows } = await database.query((db) =>
    sql<Record<string, any>>`with recursive line(id, parent_id) as (
        select k.id, k.parent_id from api_keys k where k.account_id = ${row.account_id} and k.id = ${row.id}
        union select k.id, k.parent_id from line
        join api_keys k on k.account_id = ${row.account_id} and k.id = line.parent_id)
      select k.id, k.permissions, k.withheld, k.employee_id from line
      join api_keys k on k.account_id = ${row.account_id} and k.id = line.id
      where k.id <> ${row.id} and exists (select 1 from api_key_roles r where r.account_id = ${row.account_id} and r.api_key_id = k.id)`.execute(
      db,
    ),
  )
  let left = said
  for (const above of rows) {
    const grants = await grantsHeld(database, 'api_key_roles', 'api_key_id', row.account_id, above.id)
    const held = rightsFrom(grantsWithin(grants, JSON.parse(above.permissions), JSON.parse(above.withheld)))
    left = within(
      { ...left, ...FOR_EVER, employee_id: row.employee_id },
      { ...heldForAll(held), ...FOR_EVER, employee_id: above.employee_id },
    )
  }
  return left
}

/** Records when keys or sessions were last used, at most once a minute each, so that a read does not cost a write. */
export class LastUseTracker {
  readonly #database: Database
  readonly #table: string
  readonly #column: string
  readonly #noted = new Map<string, number>()

  constructor(database: Database, table: string, column: string) {
    this.#database = database
    this.#table = table
    this.#column = column
  }

  note(accountId: number, id: number, now: Date): void {
    const name = `${accountId}:${id}`
    if (now.getTime() - (this.#noted.get(name) ?? 0) < 60_000) return
    // What was used longest ago is looked up again: sessions come and go.
    if (this.#noted.size >= 10_000) this.#noted.delete(this.#noted.keys().next().value as string)
    this.#noted.delete(name)
    this.#noted.set(name, now.getTime())
    const last_used_at = now.toISOString()
    this.#database
      .write((sql) =>
        sql
          .insertInto(this.#table)
          .values({ account_id: accountId, [this.#column]: id, last_used_at })
          .onConflict((conflict) => conflict.columns(['account_id', this.#column]).doUpdateSet({ last_used_at }))
          .execute(),
      )
      .catch(() => this.#noted.delete(name))
  }
}
