import type { Database, Sql } from '../database/database.ts'
import { insertRows } from '../database/write-statements.ts'
import type { Actor, Caller } from './caller.ts'
import { chainEntry, type EntryHead } from './chain.ts'
import { chunks, settleAll } from './chunks.ts'
import type { Table } from './tables.ts'

export type Columns = Record<string, unknown>
/** `erase`: the contents of the record's earlier entries have been erased. */
export type Action = 'create' | 'update' | 'delete' | 'erase'

/** What a write did to a record, in stored columns. `before` and `after` have only the columns that differ. */
export type Change = {
  resource: string
  record_id: number
  action: Action
  before: Columns | null
  after: Columns | null
  /** The table and id of the record that it is a part of. */
  owner: string | null
  owner_id: number | null
}

/** A change in the ledger: with a change number without gaps, and who made it, when, from where and in which request. */
export type Entry = Change & {
  number: number
  at: string
  actor: Actor
  /** The person who acted, or the person that the key belonged to. */
  person_id: number | null
  address: string | null
  request_id: string
  correlation_id: string
  operation: string
}

/** The columns of a row that its ledger entries contain. */
export const ledgerColumns = ({ unledgered }: Pick<Table, 'unledgered'>, row: Columns): Columns =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'account_id' && !unledgered.includes(name)))

type WriteContext = { caller: Caller; operation: string; at: string }

/**
 * Appends changes to the ledger, with numbers from `first` on, chained to the entry with the hash `previous`. Returns the last hash
 * at once; `stored` resolves when the entries are stored.
 */
export function appendEntries(
  sql: Sql,
  by: WriteContext,
  first: number,
  previous: string,
  changes: readonly Change[],
): { hash: string; stored: Promise<unknown> } {
  let last = previous
  const rows = changes.map((change, index) => {
    const head = entryHead(by, first + index, change)
    const contents = {
      before: change.before && JSON.stringify(change.before),
      after: change.after && JSON.stringify(change.after),
    }
    const link = chainEntry(last, head, contents)
    last = link.hash
    return { ...head, ...contents, ...link }
  })
  return { hash: last, stored: settleAll(chunks(rows, 1500).map((batch) => insertRows(sql, 'ledger', batch))) }
}

const entryHead = ({ caller, operation, at }: WriteContext, no: number, change: Change): EntryHead => ({
  account_id: caller.account.id,
  no,
  at,
  actor_kind: caller.actor.kind,
  actor_id: 'id' in caller.actor ? caller.actor.id : null,
  person_id: caller.personId,
  address: caller.address,
  request_id: caller.requestId,
  correlation_id: caller.correlationId,
  operation,
  resource: change.resource,
  record_id: change.record_id,
  action: change.action,
  owner: change.owner,
  owner_id: change.owner_id,
})

/** The ledger entries of changes, as a write stores them and a dry run shows them. */
export const toEntries = (by: WriteContext, first: number, changes: readonly Change[]): Entry[] =>
  changes.map((change, index) =>
    readEntry({
      ...entryHead(by, first + index, change),
      // Through JSON, as in the ledger: it omits undefined values.
      before: change.before && JSON.stringify(change.before),
      after: change.after && JSON.stringify(change.after),
    }),
  )

/** The entries of an account after a number, in order. */
export async function entriesSince(
  database: Database,
  accountId: number,
  since: number,
  limit = 1000,
): Promise<Entry[]> {
  const rows = await database.query((sql) =>
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

/** Turns a row of the ledger into an entry. */
export function readEntry(row: Record<string, any>): Entry {
  const { account_id: _, no, actor_kind: kind, actor_id, before, after, salt: _s, digest: _d, hash: _h, ...rest } = row
  return {
    ...(rest as Omit<Entry, 'number' | 'actor' | 'before' | 'after'>),
    number: no,
    actor: actor_id === null ? { kind } : { kind, id: actor_id },
    before: before === null ? null : JSON.parse(before),
    after: after === null ? null : JSON.parse(after),
  }
}
