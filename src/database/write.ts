import type { Sql } from './database.ts'
import { type Caller, type Reader, reader } from './handle.ts'

/** A table as the write path sees it. */
export type Table = { readonly table: string; readonly unledgered: readonly string[] }

type Columns = Record<string, unknown>
/** A whole row as it stands, and the columns that are to change. */
export type Change = { before: Columns & { id: number }; changes: Columns }

type Entry = {
  resource: string
  record_id: number
  action: 'create' | 'update' | 'delete'
  before: Columns | null
  after: Columns | null
}

/** What writes of one request have: everything a reader has, and the only functions that change records. */
export interface Writer extends Reader {
  readonly resources: Caller['resources']
  /** Stores new records and returns their ids, in order. */
  insert(into: Table, rows: Columns[]): Promise<number[]>
  /** Changes columns of records. What already holds the value is no change; no change at all leaves no trace. */
  update(of: Table, changes: Change[]): Promise<void>
  delete(from: Table, row: Columns & { id: number }): Promise<void>
  /** Gives records a new `updated_at` when something that they show has changed elsewhere, where the ledger has it. */
  touch(table: string, ids: number[]): Promise<void>
  /** Takes what this write has deleted out of the ledger's past: that it happened stays, who it was goes. */
  forgetDeleted(): Promise<void>
  /** Keeps the answer of a write beside the write itself, for retries. */
  remember(answer: RememberedAnswer): Promise<void>
  recall(key: Pick<RememberedAnswer, 'operation' | 'idempotency_key'>): Promise<RememberedAnswer | undefined>
}

export type RememberedAnswer = {
  operation: string
  idempotency_key: string
  request_hash: string
  status: number
  location: string | null
  body: string | null
}

const REMEMBERED_HOURS = 24

/**
 * The one write path. Taking the account's turn locks the account's row until the transaction ends, so writers of
 * one account follow each other: what a rule has looked up stays true, numbers have no gaps, and time never runs
 * backwards from one entry to the next.
 */
export class Ledger {
  readonly #sql: Sql
  readonly #caller: Caller
  readonly #first: number
  readonly #at: Date
  readonly #entries: Entry[] = []

  private constructor(sql: Sql, caller: Caller, first: number, at: Date) {
    this.#sql = sql
    this.#caller = caller
    this.#first = first
    this.#at = at
  }

  static async takeTurn(sql: Sql, caller: Caller, now: Date): Promise<Ledger> {
    const at = now.toISOString()
    const turn = await sql
      .updateTable('accounts')
      .set((eb) => ({
        ledger_no: eb('ledger_no', '+', 1),
        turn_at: eb.case().when('turn_at', '>', at).then(eb.ref('turn_at')).else(at).end(),
      }))
      .where('id', '=', caller.account.id)
      .returning(['ledger_no', 'turn_at'])
      .executeTakeFirstOrThrow()
    return new Ledger(sql, caller, turn.ledger_no, new Date(turn.turn_at))
  }

  writer(): Writer {
    return {
      ...reader(this.#sql, this.#caller, this.#at),
      resources: this.#caller.resources,
      insert: (into, rows) => this.#insert(into, rows),
      update: (of, changes) => this.#update(of, changes),
      delete: (from, row) => this.#delete(from, row),
      forgetDeleted: () => this.#forgetDeleted(),
      touch: (table, ids) => this.#touch(table, ids),
      remember: (answer) => this.#remember(answer),
      recall: (key) => this.#recall(key),
    }
  }

  /** Writes the entries and settles the account's number: one entry is what the turn reckoned with. */
  async close(): Promise<void> {
    const { account, actor, employeeId, requestId, operation } = this.#caller
    if (this.#entries.length > 0) {
      const rows = this.#entries.map((entry, index) => ({
        account_id: account.id,
        no: this.#first + index,
        at: this.#at.toISOString(),
        actor,
        employee_id: employeeId,
        request_id: requestId,
        operation,
        resource: entry.resource,
        record_id: entry.record_id,
        action: entry.action,
        before: entry.before && JSON.stringify(entry.before),
        after: entry.after && JSON.stringify(entry.after),
      }))
      for (const some of chunks(rows, 2500)) await this.#sql.insertInto('ledger').values(some).execute()
    }
    if (this.#entries.length !== 1)
      await this.#sql
        .updateTable('accounts')
        .set({ ledger_no: this.#first - 1 + this.#entries.length })
        .where('id', '=', account.id)
        .execute()
  }

  async #insert(into: Table, rows: Columns[]): Promise<number[]> {
    if (rows.length === 0) return []
    const account_id = this.#caller.account.id
    const last = await this.#count(into.table, rows.length)
    const stamp = this.#at.toISOString()
    const full = rows.map((row, index) => ({
      account_id,
      id: last - rows.length + 1 + index,
      ...row,
      created_at: stamp,
      updated_at: stamp,
    }))
    const perStatement = Math.max(1, Math.floor(30_000 / Object.keys(full[0]!).length))
    for (const some of chunks(full, perStatement)) await this.#sql.insertInto(into.table).values(some).execute()
    for (const row of full) this.#note(into, row.id, 'create', null, row)
    return full.map((row) => row.id)
  }

  async #update(of: Table, all: Change[]): Promise<void> {
    const stamp = this.#at.toISOString()
    const real = all.flatMap(({ before, changes }) => {
      const changed = Object.fromEntries(Object.entries(changes).filter(([name, value]) => before[name] !== value))
      return Object.keys(changed).length > 0 ? [{ before, changed: { ...changed, updated_at: stamp } as Columns }] : []
    })
    if (real.length === 1) await this.#updateOne(of, real[0]!.before.id, real[0]!.changed)
    else if (real.length > 1)
      await this.#updateMany(
        of,
        real.map(({ before, changed }) => ({ ...before, ...changed })),
      )
    for (const { before, changed } of real) {
      const old = Object.fromEntries(Object.keys(changed).map((name) => [name, before[name]]))
      this.#note(of, before.id, 'update', old, changed)
    }
  }

  async #updateOne(of: Table, id: number, changed: Columns): Promise<void> {
    await this.#sql
      .updateTable(of.table)
      .set(changed)
      .where('account_id', '=', this.#caller.account.id)
      .where('id', '=', id)
      .execute()
  }

  /** Whole rows over the ones there are: the one way to update many at once that both engines know. */
  async #updateMany(of: Table, rows: Columns[]): Promise<void> {
    const full = rows.map((row) => ({ ...row, account_id: this.#caller.account.id }))
    const columns = Object.keys(full[0]!).filter((name) => name !== 'account_id' && name !== 'id')
    for (const some of chunks(full, Math.floor(30_000 / (columns.length + 2))))
      await this.#sql
        .insertInto(of.table)
        .values(some)
        .onConflict((conflict) =>
          conflict
            .columns(['account_id', 'id'])
            .doUpdateSet((eb) => Object.fromEntries(columns.map((name) => [name, eb.ref(`excluded.${name}`)]))),
        )
        .execute()
  }

  async #delete(from: Table, row: Columns & { id: number }): Promise<void> {
    await this.#count(from.table, 0, 1)
    await this.#sql
      .deleteFrom(from.table)
      .where('account_id', '=', this.#caller.account.id)
      .where('id', '=', row.id)
      .execute()
    this.#note(from, row.id, 'delete', row, null)
  }

  async #forgetDeleted(): Promise<void> {
    const deleted = Map.groupBy(
      this.#entries.filter((entry) => entry.action === 'delete'),
      (entry) => entry.resource,
    )
    for (const [resource, entries] of deleted) {
      const ids = entries.map((entry) => entry.record_id)
      for (const some of chunks(ids, 1000))
        await this.#sql
          .updateTable('ledger')
          .set({ before: null, after: null })
          .where('account_id', '=', this.#caller.account.id)
          .where('resource', '=', resource)
          .where('record_id', 'in', some)
          .execute()
      for (const entry of this.#entries)
        if (entry.resource === resource && ids.includes(entry.record_id))
          Object.assign(entry, { before: null, after: null })
    }
  }

  async #touch(table: string, ids: number[]): Promise<void> {
    if (ids.length === 0) return
    await this.#sql
      .updateTable(table)
      .set({ updated_at: this.#at.toISOString() })
      .where('account_id', '=', this.#caller.account.id)
      .where('id', 'in', ids)
      .execute()
  }

  /** Ids come from a plain counter, which also knows how many records there are: lists need not count them. */
  async #count(resource: string, more: number, fewer = 0): Promise<number> {
    const { last_id } = await this.#sql
      .insertInto('counters')
      .values({ account_id: this.#caller.account.id, resource, last_id: more, live: more - fewer })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'resource']).doUpdateSet((eb) => ({
          last_id: eb('counters.last_id', '+', more),
          live: eb('counters.live', '+', more - fewer),
        })),
      )
      .returning('last_id')
      .executeTakeFirstOrThrow()
    return last_id
  }

  #note(of: Table, record_id: number, action: Entry['action'], before: Columns | null, after: Columns | null): void {
    const visible = (columns: Columns | null) =>
      columns &&
      Object.fromEntries(
        Object.entries(columns).filter(([name]) => name !== 'account_id' && !of.unledgered.includes(name)),
      )
    this.#entries.push({ resource: of.table, record_id, action, before: visible(before), after: visible(after) })
  }

  #remembered(operation: string, key: string) {
    return { account_id: this.#caller.account.id, actor: this.#caller.actor, operation, idempotency_key: key }
  }

  async #recall(key: { operation: string; idempotency_key: string }): Promise<RememberedAnswer | undefined> {
    const oldest = new Date(this.#at.getTime() - REMEMBERED_HOURS * 3_600_000).toISOString()
    await this.#sql
      .deleteFrom('idempotency')
      .where('account_id', '=', this.#caller.account.id)
      .where('created_at', '<', oldest)
      .execute()
    let query = this.#sql.selectFrom('idempotency').selectAll()
    for (const [name, value] of Object.entries(this.#remembered(key.operation, key.idempotency_key)))
      query = query.where(name, '=', value)
    return (await query.executeTakeFirst()) as RememberedAnswer | undefined
  }

  async #remember(answer: RememberedAnswer): Promise<void> {
    const key = this.#remembered(answer.operation, answer.idempotency_key)
    await this.#sql
      .insertInto('idempotency')
      .values({ ...answer, ...key, created_at: this.#at.toISOString() })
      .execute()
  }
}

function* chunks<T>(all: T[], size: number): Generator<T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size)
}
