import { hasChangedAfter } from './account-version.ts'
import { actorRef } from './caller.ts'
import { dateIn } from './reader.ts'
import type { WriteTransaction } from './write-transaction.ts'

const STORED_FOR_HOURS = 24

/** The response of a write, stored with the write under its idempotency key, so that a retry gets it again. */
export type StoredResponse = { status: number; location: string | null; body: string | null }

/** A stored response with its request. `request_id` and the account's version at that time are null for versions before 0.6. */
type StoredRequest = StoredResponse & {
  request_hash: string
  request_id: string | null
  created_at: string
  version: number | null
}

const keyColumns = ({ caller, operation }: WriteTransaction, idempotency_key: string) => ({
  account_id: caller.account.id,
  actor: actorRef(caller.actor),
  operation,
  idempotency_key,
})

/** The response that was stored under a key. Also deletes expired responses of the account. */
export async function findStoredResponse(
  transaction: WriteTransaction,
  key: string,
): Promise<StoredRequest | undefined> {
  const oldest = new Date(transaction.at.getTime() - STORED_FOR_HOURS * 3_600_000).toISOString()
  const { sql, caller } = transaction
  await sql
    .deleteFrom('idempotency')
    .where('account_id', '=', caller.account.id)
    .where('created_at', '<', oldest)
    .execute()
  let query = sql
    .selectFrom('idempotency')
    .select(['status', 'location', 'body', 'request_hash', 'created_at', 'version', 'request_id'])
  for (const [name, value] of Object.entries(keyColumns(transaction, key))) query = query.where(name, '=', value)
  return (await query.executeTakeFirst()) as StoredRequest | undefined
}

/** Have these tables not changed since a response was stored, on the same day? On another day the same rows may mean more. */
export function isUnchangedSince(
  { tableVersions, caller, at }: WriteTransaction,
  { version, created_at }: StoredRequest,
  tables: readonly string[],
) {
  const dayOf = (moment: Date) => dateIn(caller.account.time_zone, moment)
  return (
    version !== null && !hasChangedAfter(tableVersions, tables, version) && dayOf(new Date(created_at)) === dayOf(at)
  )
}

export async function storeResponse(
  transaction: WriteTransaction,
  key: string,
  request_hash: string,
  { status, location, body }: StoredResponse,
): Promise<void> {
  const { sql, version, at, caller } = transaction
  await sql
    .insertInto('idempotency')
    .values({
      ...keyColumns(transaction, key),
      request_hash,
      version,
      status,
      location,
      body,
      created_at: at.toISOString(),
      request_id: caller.requestId,
    })
    .execute()
}
