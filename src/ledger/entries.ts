import type { Database, Sql } from '../database/database.ts'
import { insertRows } from '../database/write-statements.ts'
import type { Actor, Caller } from './caller.ts'
import { type Head, linked } from './chain.ts'
import { allDone, chunks } from './chunks.ts'
import type { Table } from './tables.ts'

export type Columns = Record<string, unknown>
/** `erase`: what was known of the record until then has been taken out of the ledger for good. */
export type Action = 'create' | 'update' | 'delete' | 'erase'

/** What one write did to one record: columns as they are kept. What did not change is in neither. */
export type Change = {
  resource: string
  record_id: number
  action: Action
  before: Columns | null
  after: Columns | null
  /** The record that it is a part of. */
  owner: string | null
  owner_id: number | null
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

/** The columns of a row that the ledger keeps. */
export const ledgered = ({ unledgered }: Pick<Table, 'unledgered'>, row: Columns): Columns =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'account_id' && !unledgered.includes(name)))

type By = { caller: Caller; operation: string; at: string }

/**
 * Appends changes to the ledger, numbered from the given one on and chained to the one before. The last hash is known at
 * once, so that what follows need not wait.
 */
export function appendEntries(
  sql: Sql,
  by: By,
  first: number,
  tip: string,
  changes: readonly Change[],
): { hash: string; stored: Promise<unknown> } {
  let last = tip
  const rows = changes.map((change, index) => {
    const head = headOf(by, first + index, change)
    const contents = {
      before: change.before && JSON.stringify(change.before),
      after: change.after && JSON.stringify(change.after),
    }
    const link = linked(last, head, contents)
    last = link.hash
    return { ...head, ...contents, ...link }
  })
  return { hash: last, stored: allDone(chunks(rows, 1500).map((some) => insertRows(sql, 'ledger', some))) }
}

const headOf = ({ caller, operation, at }: By, no: number, change: Change): Head => ({
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

/** Changes as the entries that they become, or would have become. */
export const entriesOf = (by: By, first: number, changes: readonly Change[]): Entry[] =>
  changes.map((change, index) =>
    readEntry({
      ...headOf(by, first + index, change),
      // As the ledger reads them back: what JSON does not know is not there.
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

/** A row of the ledger as an entry. */
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
