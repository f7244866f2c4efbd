import { nameOf } from './caller.ts'
import { type Entry, readEntry } from './entries.ts'
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

type Kept = KeptAnswer & { request_hash: string; created_at: string }

/** The answer that was kept under a key, with the fingerprint of the request that it answered. */
export async function recall(turn: Turn, key: string): Promise<Kept | undefined> {
  const oldest = new Date(turn.at.getTime() - REMEMBERED_HOURS * 3_600_000).toISOString()
  const { sql, caller } = turn
  await sql
    .deleteFrom('idempotency')
    .where('account_id', '=', caller.account.id)
    .where('created_at', '<', oldest)
    .execute()
  let query = sql.selectFrom('idempotency').select(['status', 'location', 'body', 'request_hash', 'created_at'])
  for (const [name, value] of Object.entries(keyOf(turn, key))) query = query.where(name, '=', value)
  return (await query.executeTakeFirst()) as Kept | undefined
}

/** What the request changed that was answered then. */
export async function changedThen({ sql, caller, operation }: Turn, at: string): Promise<Entry[]> {
  const { account, actor } = caller
  const rows = await sql
    .selectFrom('ledger')
    .selectAll()
    .where('account_id', '=', account.id)
    .where('at', '=', at)
    .where('operation', '=', operation)
    .where('actor_kind', '=', actor.kind)
    .where('actor_id', 'id' in actor ? '=' : 'is', 'id' in actor ? actor.id : null)
    .orderBy('no')
    .execute()
  return rows.map(readEntry)
}

export async function remember(turn: Turn, key: string, request_hash: string, answer: KeptAnswer): Promise<void> {
  const { status, location, body } = answer
  await turn.sql
    .insertInto('idempotency')
    .values({ ...keyOf(turn, key), request_hash, status, location, body, created_at: turn.at.toISOString() })
    .execute()
}
