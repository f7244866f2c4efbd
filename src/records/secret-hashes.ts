import type { QueryRunner, Sql } from '../database/database.ts'
import { insertRows, placeholders, runStatement } from '../database/write-statements.ts'
import { chunks } from './chunks.ts'
import type { Columns } from './entries.ts'
import type { Table } from './tables.ts'

/**
 * The accounts of secrets, by their hashes: a caller sends only a key or a token. This is the one table that is not read within an
 * account, so that all others can be distributed by account. Its rows are derived from the records.
 */

const HASHES = 'secret_hashes'

const hashesIn = ({ secretHashes }: Table, rows: readonly Columns[]) =>
  secretHashes.flatMap((name) => rows.map((row) => row[name]))

/** Stores the account of the secrets of new records. Fails if an account already has one of them. */
export async function addSecretHashes(
  sql: Sql,
  account_id: number,
  of: Table,
  rows: readonly Columns[],
): Promise<void> {
  for (const batch of chunks(hashesIn(of, rows), 1000))
    await insertRows(
      sql,
      HASHES,
      batch.map((hash) => ({ hash, account_id })),
    )
}

export async function deleteSecretHashes(
  sql: Sql,
  accountId: number,
  of: Table,
  rows: readonly Columns[],
): Promise<void> {
  for (const batch of chunks(hashesIn(of, rows), 1000))
    await runStatement(
      sql,
      `delete from ${HASHES} where hash in (${placeholders(batch)}) and account_id = ?`,
      [...batch, accountId],
      HASHES,
    )
}

/** The account that has a secret with this hash. */
export const accountOfSecret = async (database: QueryRunner, hash: string): Promise<number | undefined> => {
  const [row] = await database.query((sql) =>
    runStatement(sql, `select account_id from ${HASHES} where hash = ?`, [hash]),
  )
  return row?.account_id
}

/** The accounts of secrets that have been found. A secret never moves to another account. */
const accountCaches = new WeakMap<QueryRunner, Map<string, number>>()
const MAX_CACHED = 20_000

function accountCacheOf(database: QueryRunner): Map<string, number> {
  const cache = accountCaches.get(database) ?? new Map<string, number>()
  accountCaches.set(database, cache)
  return cache
}

/**
 * Finds something by the hash of a secret, in the account of the secret. After a restore the secret may be in another account, so if
 * nothing is found in the cached account, the account is read again.
 */
export async function findInAccount<T>(
  database: QueryRunner,
  hash: string,
  find: (accountId: number) => Promise<T | undefined>,
): Promise<T | undefined> {
  const cache = accountCacheOf(database)
  const cached = cache.get(hash)
  const inCached = cached === undefined ? undefined : await find(cached)
  if (inCached !== undefined) return inCached
  const accountId = await accountOfSecret(database, hash)
  if (accountId === undefined || accountId === cached) return undefined
  const found = await find(accountId)
  if (found === undefined) return undefined
  // Drops the oldest entry.
  if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value as string)
  cache.set(hash, accountId)
  return found
}
