import { nameOf } from './caller.ts'
import type { Turn } from './turn.ts'

const REMEMBERED_HOURS = 24

/** The answer of a write, kept beside the write itself so that a repeated request gets it again. */
export type KeptAnswer = { status: number; location: string | null; body: string | null }

const keyOf = ({ caller, operation }: Turn, idempotency_key: string) => ({
  account_id: caller.account.id,
  actor: nameOf(caller.actor),
  operation,
  idempotency_key,
})

/** The answer that was kept under a key, with the fingerprint of the request that it answered. */
export async function recall(turn: Turn, key: string): Promise<(KeptAnswer & { request_hash: string }) | undefined> {
  const oldest = new Date(turn.at.getTime() - REMEMBERED_HOURS * 3_600_000).toISOString()
  const { sql, caller } = turn
  await sql
    .deleteFrom('idempotency')
    .where('account_id', '=', caller.account.id)
    .where('created_at', '<', oldest)
    .execute()
  let query = sql.selectFrom('idempotency').select(['status', 'location', 'body', 'request_hash'])
  for (const [name, value] of Object.entries(keyOf(turn, key))) query = query.where(name, '=', value)
  return (await query.executeTakeFirst()) as (KeptAnswer & { request_hash: string }) | undefined
}

export async function remember(turn: Turn, key: string, request_hash: string, answer: KeptAnswer): Promise<void> {
  const { status, location, body } = answer
  await turn.sql
    .insertInto('idempotency')
    .values({ ...keyOf(turn, key), request_hash, status, location, body, created_at: turn.at.toISOString() })
    .execute()
}
