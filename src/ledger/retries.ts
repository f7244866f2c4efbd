import { nameOf } from './caller.ts'
import { changedSince } from './footing.ts'
import { dateIn } from './reader.ts'
import type { WriteTransaction } from './write-transaction.ts'

const REMEMBERED_HOURS = 24

/** The answer of a write, kept beside the write itself so that a repeated request gets it again. */
export type KeptAnswer = { status: number; location: string | null; body: string | null }

/** The request that it answered; versions before 0.6 did not say. */
type Answered = { request_id: string | null }

const keyOf = ({ caller, operation }: WriteTransaction, idempotency_key: string) => ({
  account_id: caller.account.id,
  actor: nameOf(caller.actor),
  operation,
  idempotency_key,
})

/** With the account's version when it was kept; versions before 0.6 did not say. */
type Kept = KeptAnswer & Answered & { request_hash: string; created_at: string; version: number | null }

/** The answer that was kept under a key, with the fingerprint of the request that it answered. */
export async function recall(turn: WriteTransaction, key: string): Promise<Kept | undefined> {
  const oldest = new Date(turn.at.getTime() - REMEMBERED_HOURS * 3_600_000).toISOString()
  const { sql, caller } = turn
  await sql
    .deleteFrom('idempotency')
    .where('account_id', '=', caller.account.id)
    .where('created_at', '<', oldest)
    .execute()
  let query = sql
    .selectFrom('idempotency')
    .select(['status', 'location', 'body', 'request_hash', 'created_at', 'version', 'request_id'])
  for (const [name, value] of Object.entries(keyOf(turn, key))) query = query.where(name, '=', value)
  return (await query.executeTakeFirst()) as Kept | undefined
}

/** Do tables stand as they stood when an answer was kept? What follows from them may be another thing on another day. */
export function standsSince(
  { tableVersions, caller, at }: WriteTransaction,
  { version, created_at }: Kept,
  tables: readonly string[],
) {
  const dayOf = (moment: Date) => dateIn(caller.account.time_zone, moment)
  return version !== null && !changedSince(tableVersions, tables, version) && dayOf(new Date(created_at)) === dayOf(at)
}

export async function remember(
  turn: WriteTransaction,
  key: string,
  request_hash: string,
  answer: KeptAnswer,
): Promise<void> {
  const { status, location, body } = answer
  const { version } = turn
  const kept = { status, location, body, created_at: turn.at.toISOString(), request_id: turn.caller.requestId }
  await turn.sql
    .insertInto('idempotency')
    .values({ ...keyOf(turn, key), request_hash, version, ...kept })
    .execute()
}
