import type { Database, Sql } from '../database/database.ts'
import type { Actor, Caller } from './caller.ts'

export type Columns = Record<string, unknown>
export type Action = 'create' | 'update' | 'delete'

/** What one write did to one record: columns as they are kept. What did not change is in neither. */
export type Change = {
  resource: string
  record_id: number
  action: Action
  before: Columns | null
  after: Columns | null
}

/** A change as the ledger keeps it: numbered without gaps, and by whom, when, from where and in the course of what. */
export type Entry = Change & {
  number: number
  at: string
  actor: Actor
  /** The person who acted, or to whom the key belonged. */
  person_id: number | null
  address: string | null
  request_id: string
  correlation_id: string
  operation: string
}

export function* chunks<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size)
}

/** Appends changes to the ledger, numbered from the given one on. */
export async function appendEntries(
  sql: Sql,
  by: { caller: Caller; operation: string; at: string },
  first: number,
  changes: readonly Change[],
): Promise<void> {
  const { account, actor, personId, address, requestId, correlationId } = by.caller
  const rows = changes.map((change, index) => ({
    account_id: account.id,
    no: first + index,
    at: by.at,
    actor_kind: actor.kind,
    actor_id: 'id' in actor ? actor.id : null,
    person_id: personId,
    address,
    request_id: requestId,
    correlation_id: correlationId,
    operation: by.operation,
    resource: change.resource,
    record_id: change.record_id,
    action: change.action,
    before: change.before && JSON.stringify(change.before),
    after: change.after && JSON.stringify(change.after),
  }))
  for (const some of chunks(rows, 2000)) await sql.insertInto('ledger').values(some).execute()
}

/** The entries of an account after a number, in order. */
export async function entriesSince(
  database: Database,
  accountId: number,
  since: number,
  limit = 1000,
): Promise<Entry[]> {
  const rows = await database.glance((sql) =>
    sql
      .selectFrom('ledger')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('no', '>', since)
      .orderBy('no')
      .limit(limit)
      .execute(),
  )
  return rows.map(readEntry)
}

/** A row of the ledger as an entry. */
export function readEntry(row: Record<string, any>): Entry {
  const { account_id: _, no, actor_kind: kind, actor_id, before, after, ...rest } = row
  return {
    ...(rest as Omit<Entry, 'number' | 'actor' | 'before' | 'after'>),
    number: no,
    actor: actor_id === null ? { kind } : { kind, id: actor_id },
    before: before === null ? null : JSON.parse(before),
    after: after === null ? null : JSON.parse(after),
  }
}
