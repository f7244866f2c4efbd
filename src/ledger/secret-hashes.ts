import type { QueryRunner, Sql } from '../database/database.ts'
import { insertRows, runStatement } from '../database/write-statements.ts'
import { chunks } from './chunks.ts'
import type { Columns } from './entries.ts'
import type { Table } from './tables.ts'

/**
 * Which account a secret is of, by its hash, for whoever comes with nothing but that: the one table in which accounts stand
 * beside each other, so that all others can be spread over several machines by their account. It follows from the records.
 */

const HASHES = 'secret_hashes'

const hashesIn = ({ tellsAccount }: Table, rows: readonly Columns[]) =>
  tellsAccount.flatMap((name) => rows.map((row) => row[name]))

/** Notes of whom the secrets of new records are. One that an account has already stays its own. */
export async function addHashes(sql: Sql, account_id: number, of: Table, rows: readonly Columns[]): Promise<void> {
  for (const some of chunks(hashesIn(of, rows), 1000))
    await insertRows(
      sql,
      HASHES,
      some.map((hash) => ({ hash, account_id })),
    )
}

export async function dropHashes(sql: Sql, accountId: number, of: Table, rows: readonly Columns[]): Promise<void> {
  for (const some of chunks(hashesIn(of, rows), 1000))
    await runStatement(
      sql,
      `delete from ${HASHES} where hash in (${some.map(() => '?').join(', ')}) and account_id = ?`,
      [...some, accountId],
      HASHES,
    )
}

/** The account that has a secret with this hash. */
export const accountOf = async (database: QueryRunner, hash: string): Promise<number | undefined> => {
  const [row] = await database.query((sql) =>
    runStatement(sql, `select account_id from ${HASHES} where hash = ?`, [hash]),
  )
  return row?.account_id
}

/** A secret never comes to another account, so whose it is need not be looked up twice. What is unknown is not kept. */
const known = new WeakMap<QueryRunner, Map<string, number>>()
const MOST_KNOWN = 20_000

function knownTo(database: QueryRunner): Map<string, number> {
  const own = known.get(database) ?? new Map<string, number>()
  known.set(database, own)
  return own
}

/**
 * Finds something by the hash of a secret, in the account that the secret is of. A database that was put back may have it in
 * another one than before, so what is not found where it is expected is looked up anew.
 */
export async function inItsAccount<T>(
  database: QueryRunner,
  hash: string,
  find: (accountId: number) => Promise<T | undefined>,
): Promise<T | undefined> {
  const own = knownTo(database)
  const expected = own.get(hash)
  const there = expected === undefined ? undefined : await find(expected)
  if (there !== undefined) return there
  const accountId = await accountOf(database, hash)
  if (accountId === undefined || accountId === expected) return undefined
  const found = await find(accountId)
  if (found === undefined) return undefined
  // The one that was found longest ago makes room.
  if (own.size >= MOST_KNOWN) own.delete(own.keys().next().value as string)
  own.set(hash, accountId)
  return found
}
