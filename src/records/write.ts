import type { Database } from '../database/database.ts'
import { failureEndsTransaction, insertRows, runStatement, updateRows } from '../database/write-statements.ts'
import { isJobPending } from './after-commit.ts'
import type { Actor } from './caller.ts'
import { chunks, settleAll } from './chunks.ts'
import { type Action, type Change, type Columns, type Entry, ledgerColumns, toEntries } from './entries.ts'
import { entriesWrittenWith, pastReferences, pastReferrers } from './erase.ts'
import { like, type Reader, reader } from './reader.ts'
import { addSearchWords, deleteSearchWords, updateSearchWords } from './search-words.ts'
import { addSecretHashes, deleteSecretHashes } from './secret-hashes.ts'
import type { EntryColumns, LedgerErasure, Referrer, Table } from './tables.ts'
import { firstFailure, type WriteTransaction } from './write-transaction.ts'

/** A whole row, and the columns to change. */
export type RowChange = { before: Columns & { id: number }; changes: Columns }

/** A row before and after an update, and the columns that differ. */
type AppliedChange = { before: Columns; changed: Columns; after: Columns }

/** Does a row get a value that another row has until then? The value may be unique. */
function takesValueOfAnother(name: string, all: readonly AppliedChange[]): boolean {
  const valuesBefore = new Set(all.map(({ before }) => before[name]))
  return all.some(({ changed }) => name in changed && changed[name] !== null && valuesBefore.has(changed[name]))
}

/** Everything a reader has, and the only functions that change records. */
export interface Writer extends Reader {
  /** Stores new records and returns their ids, in order. */
  insert(into: Table, rows: Columns[]): Promise<number[]>
  /** Changes columns of records. Values that stay the same are ignored; an update without any difference has no ledger entry. */
  update(of: Table, changes: RowChange[]): Promise<void>
  delete(from: Table, rows: (Columns & { id: number })[]): Promise<void>
  /** Stores whole records that were deleted, with the ids that they had. */
  restore(into: Table, rows: (Columns & { id: number })[]): Promise<void>
  /** Sets a new `updated_at` on records that show data of another record that has changed. */
  touch(table: string, ids: number[]): Promise<void>
  /** Runs work and waits for all pending statements. Fails with the first failure. */
  runAndWait(work: () => Promise<void>): Promise<void>
  /** How many changes this write has made so far. */
  changeCount(): number
  /** The changes so far. */
  changes(): readonly Change[]
  /** The changes so far, as ledger entries. */
  entries(): Entry[]
  /** Attributes the ledger entries of this write to an actor. */
  attribute(actor: Actor, personId: number | null): void
  /** A table by its name, if it has references. */
  tableWithReferences(name: string): Table | undefined
  /** Erases the contents of ledger entries, and removes them from stored responses. That something happened remains visible. */
  eraseFromLedger(all: readonly LedgerErasure[]): void
  /** The records of a table that ever referenced one of these in a column, including deleted records. */
  pastReferrers(table: string, column: string, ids: readonly number[]): Promise<number[]>
  /** The records that these ever referenced in a column. */
  pastReferences(table: string, column: string, ids: readonly number[]): Promise<number[]>
  /** The entries of all writes that created or deleted one of these records, including entries about other records. */
  entriesWrittenWith(table: string, ids: readonly number[]): Promise<EntryColumns[]>
  /** Runs a job after the commit, and after a crash again until it is done. */
  afterCommit(kind: string, details: Record<string, unknown>): void
  /** Is there a job with this id, in any account, that was stored within this many milliseconds? */
  isJobPending(id: string, within: number): Promise<boolean>
  /** Runs a job if this write fails, after the rollback. */
  afterFailure(kind: string, details: Record<string, unknown>): void
}

export function writer(database: Database, transaction: WriteTransaction, referrers: Map<string, Referrer[]>): Writer {
  const records = new RecordWriter(transaction)
  const jobOf = (kind: string, details: Record<string, unknown>) => {
    return { id: crypto.randomUUID(), accountId: transaction.caller.account.id, kind, details }
  }
  const own: Omit<Writer, keyof Reader> = {
    changeCount: () => transaction.changes.length,
    changes: () => transaction.changes,
    entries: () =>
      toEntries({ ...transaction, at: transaction.at.toISOString() }, transaction.firstNumber, transaction.changes),
    attribute(actor, personId) {
      transaction.caller = { ...transaction.caller, actor, personId }
    },
    insert: (into, rows) => records.insert(into, rows),
    update: (of, changes) => records.update(of, changes),
    delete: (from, rows) => records.delete(from, rows),
    restore: (into, rows) => records.restore(into, rows),
    touch: (table, ids) => records.touch(table, ids),
    async runAndWait(work) {
      try {
        await work()
        await settleAll(transaction.pending)
      } catch (error) {
        throw await firstFailure(error, transaction)
      }
    },
    tableWithReferences: (name) => [...referrers.values()].flat().find(({ from }) => from.table === name)?.from,
    eraseFromLedger: (all) => void transaction.erasures.push(...all),
    pastReferrers: (table, column, ids) => pastReferrers(transaction, table, column, ids),
    pastReferences: (table, column, ids) => pastReferences(transaction, table, column, ids),
    entriesWrittenWith: (table, ids) => entriesWrittenWith(transaction, table, ids),
    isJobPending: (id, within) => isJobPending(transaction.sql, id, new Date(Date.now() - within)),
    afterFailure: (kind, details) => void transaction.failureJobs.push(jobOf(kind, details)),
    afterCommit: (kind, details) => void transaction.jobs.push(jobOf(kind, details)),
  }
  return like(reader(database, transaction.sql, transaction.caller, transaction.at, referrers), own)
}

/** Each table has a counter, with the last id and the number of records. */
const COUNT = `on conflict (account_id, resource) do update
  set last_id = counters.last_id + excluded.last_id, live = counters.live + excluded.live returning last_id`

/** The one write path: writes records with their search words and secret hashes, and collects the changes for the ledger. */
class RecordWriter {
  readonly #transaction: WriteTransaction
  readonly #timestamp: string
  /** Records whose `updated_at` this transaction has already set. */
  readonly #stamped = new Set<string>()

  constructor(transaction: WriteTransaction) {
    this.#transaction = transaction
    this.#timestamp = transaction.at.toISOString()
  }

  get #accountId(): number {
    return this.#transaction.caller.account.id
  }

  async insert(into: Table, rows: Columns[]): Promise<number[]> {
    if (rows.length === 0) return []
    const last = await this.#count(into.table, rows.length)
    const full = rows.map((row, index) => ({
      account_id: this.#accountId,
      id: last - rows.length + 1 + index,
      ...row,
      created_at: this.#timestamp,
      updated_at: this.#timestamp,
    }))
    await this.#store(into, full)
    return full.map((row) => row.id)
  }

  async restore(into: Table, rows: (Columns & { id: number })[]): Promise<void> {
    if (rows.length === 0) return
    await this.#count(into.table, 0, -rows.length)
    await this.#store(
      into,
      rows.map((row) => ({ ...row, account_id: this.#accountId, updated_at: this.#timestamp })),
    )
  }

  async #store(into: Table, full: (Columns & { id: number })[]): Promise<void> {
    const perStatement = Math.max(1, Math.floor(30_000 / Object.keys(full[0] as Columns).length))
    await this.#send([
      ...chunks(full, perStatement).map((batch) => insertRows(this.#transaction.sql, into.table, batch)),
      addSearchWords(this.#transaction.sql, this.#accountId, into, full),
      addSecretHashes(this.#transaction.sql, this.#accountId, into, full),
    ])
    for (const row of full) this.#note(into, row, 'create', null, row)
  }

  async update(of: Table, all: RowChange[]): Promise<void> {
    const applied = all.flatMap(({ before, changes }) => {
      const changed: Columns = {}
      for (const name in changes) if (before[name] !== changes[name]) changed[name] = changes[name]
      if (Object.keys(changed).length === 0) return []
      return [{ before, changed, after: { ...before, ...changed, updated_at: this.#timestamp } }]
    })
    const [first] = applied
    if (!first) return
    // Both changes start from the same row, so one would be lost, but the ledger would have both.
    if (new Set(applied.map(({ before }) => before.id)).size < applied.length)
      throw new Error(`A record of ${of.table} cannot be changed twice in one statement`)
    if (applied.some(({ changed }) => of.secretHashes.some((name) => name in changed)))
      throw new Error(`The account columns of ${of.table} cannot be changed`)
    await this.#send([
      applied.length === 1
        ? this.#updateOne(of, first.before.id, { ...first.changed, updated_at: this.#timestamp })
        : this.#updateMany(of, applied),
      updateSearchWords(this.#transaction.sql, this.#accountId, of, applied),
    ])
    for (const { before, changed } of applied) this.#noteUpdate(of, before, changed)
  }

  async #updateOne(of: Table, id: number, changed: Columns): Promise<void> {
    const columns = Object.keys(changed)
    await runStatement(
      this.#transaction.sql,
      `update "${of.table}" set ${columns.map((name) => `"${name}" = ?`).join(', ')} where account_id = ? and id = ?`,
      [...Object.values(changed), this.#accountId, id],
      of.table,
    )
  }

  /** Sets only the columns that change in one of the rows, so that no other index is written. */
  async #updateMany(of: Table, changes: AppliedChange[]): Promise<void> {
    const names = [...new Set(changes.flatMap(({ changed }) => Object.keys(changed)))]
    const full = changes.map(({ after }) => ({ ...after, account_id: this.#accountId }))
    const perStatement = Math.floor(30_000 / Object.keys(full[0] as Columns).length)
    const isInOrder = names.some((name) => takesValueOfAnother(name, changes))
    const columns = [...names, 'updated_at']
    await settleAll(
      chunks(full, perStatement).map((batch) => updateRows(this.#transaction.sql, of.table, columns, batch, isInOrder)),
    )
  }

  async delete(from: Table, rows: (Columns & { id: number })[]): Promise<void> {
    if (rows.length === 0) return
    const ids = rows.map(({ id }) => id)
    await this.#send([
      this.#count(from.table, 0, rows.length),
      deleteSecretHashes(this.#transaction.sql, this.#accountId, from, rows),
      deleteSearchWords(this.#transaction.sql, this.#accountId, from, ids),
      ...chunks(ids, 1000).map((batch) =>
        this.#transaction.sql
          .deleteFrom(from.table)
          .where('account_id', '=', this.#accountId)
          .where('id', 'in', batch)
          .execute(),
      ),
    ])
    for (const row of rows) {
      const isStamped = this.#stamped.has(`${from.table} ${row.id}`)
      this.#note(from, row, 'delete', isStamped ? { ...row, updated_at: this.#timestamp } : row, null)
    }
  }

  async touch(table: string, ids: number[]): Promise<void> {
    const unstamped = [...new Set(ids)].filter((id) => !this.#stamped.has(`${table} ${id}`))
    if (unstamped.length === 0) return
    const { sql } = this.#transaction
    for (const batch of chunks(unstamped, 1000)) {
      const rows = await sql
        .selectFrom(table)
        .select(['id', 'updated_at'])
        .where('account_id', '=', this.#accountId)
        .where('id', 'in', batch)
        .orderBy('id')
        .execute()
      const update = sql
        .updateTable(table)
        .set({ updated_at: this.#timestamp })
        .where('account_id', '=', this.#accountId)
        .where('id', 'in', batch)
      await this.#send([update.execute()])
      const empty = {
        unledgered: [],
        keyed: [],
        unique: [],
        texts: [],
        searched: [],
        secretHashes: [],
        references: [],
        formers: [],
      }
      const of = { table, one: '', owner: null, ...empty }
      for (const row of rows) this.#noteUpdate(of, row as Columns & { id: number }, {})
    }
  }

  /**
   * Sends statements without waiting in between: they run in order. If a failure makes all later statements fail, the transaction
   * waits for them only at its end.
   */
  async #send(statements: readonly Promise<unknown>[]): Promise<void> {
    const { pending, sql } = this.#transaction
    if (!failureEndsTransaction(sql)) return void (await settleAll(statements))
    for (const one of statements) one.catch(() => undefined)
    pending.push(...statements)
  }

  /** Adds records to the counter of a table and returns the last id. Lists without filters take their total from the counter. */
  async #count(resource: string, created: number, deleted = 0): Promise<number> {
    const row = { account_id: this.#accountId, resource, last_id: created, live: created - deleted }
    const [{ last_id }] = await insertRows(this.#transaction.sql, 'counters', [row], COUNT)
    return last_id
  }

  /** A record gets a new `updated_at` only once in a transaction. */
  #noteUpdate(of: Table, before: Columns & { id: number }, changed: Columns): void {
    const old = Object.fromEntries(Object.keys(changed).map((name) => [name, before[name]]))
    const isStamped = this.#stamped.has(`${of.table} ${before.id}`)
    const [from, to] = isStamped ? [{}, {}] : [{ updated_at: before.updated_at }, { updated_at: this.#timestamp }]
    this.#note(of, { ...before, ...changed }, 'update', { ...old, ...from }, { ...changed, ...to })
  }

  #note(of: Table, row: Columns & { id: number }, action: Action, before: Columns | null, after: Columns | null): void {
    const owner = of.owner && typeof row[of.owner.column] === 'number' ? of.owner : null
    this.#stamped.add(`${of.table} ${row.id}`)
    this.#transaction.changes.push({
      resource: of.table,
      record_id: row.id,
      action,
      before: before && ledgerColumns(of, before),
      after: after && ledgerColumns(of, after),
      owner: owner?.to ?? null,
      owner_id: owner ? (row[owner.column] as number) : null,
    })
  }
}
