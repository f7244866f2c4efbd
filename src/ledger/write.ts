import type { Database } from '../database/database.ts'
import { failureEndsTransaction, insertRows, runStatement, updateRows } from '../database/write-statements.ts'
import { isDue } from './after-commit.ts'
import type { Actor } from './caller.ts'
import { allDone, chunks } from './chunks.ts'
import { type Action, type Change, type Columns, type Entry, entriesOf, ledgered } from './entries.ts'
import { everNamed, everNaming, toldWith } from './forget.ts'
import { like, type Reader, reader } from './reader.ts'
import { addHashes, dropHashes } from './secret-hashes.ts'
import type { Forgotten, Referrer, Table, Told } from './tables.ts'
import { causeOf, type Turn } from './turn.ts'
import { addWords, changeWords, dropWords } from './words.ts'

/** A whole row as it stands, and the columns that are to change. */
export type RowChange = { before: Columns & { id: number }; changes: Columns }

/** The same as it comes to be: what changes really, and the row after it. */
type Changing = { before: Columns; changed: Columns; after: Columns }

/** Does one take what another holds until then? That may be something that only one of them can hold. */
function isHandedOver(name: string, all: readonly Changing[]): boolean {
  const held = new Set(all.map(({ before }) => before[name]))
  return all.some(({ changed }) => name in changed && changed[name] !== null && held.has(changed[name]))
}

/** What writes of one call have: everything a reader has, and the only functions that change records. */
export interface Writer extends Reader {
  /** Stores new records and returns their ids, in order. */
  insert(into: Table, rows: Columns[]): Promise<number[]>
  /** Changes columns of records. What already holds the value is no change; no change at all leaves no trace. */
  update(of: Table, changes: RowChange[]): Promise<void>
  delete(from: Table, rows: (Columns & { id: number })[]): Promise<void>
  /** Stores records that were deleted, whole, under the ids that they had. */
  restore(into: Table, rows: (Columns & { id: number })[]): Promise<void>
  /** Gives records a new `updated_at` when something that they show has changed elsewhere. */
  touch(table: string, ids: number[]): Promise<void>
  /** Does some of the work and waits until all that it wrote is taken; otherwise it fails by what failed first. */
  taken(work: () => Promise<void>): Promise<void>
  /** How many changes this write has made so far. */
  changeCount(): number
  /** Those changes, and as the entries that they become. */
  changes(): readonly Change[]
  entries(): Entry[]
  /** Has it become known who acts: the entries of this write are theirs. */
  attribute(actor: Actor, personId: number | null): void
  /** A table that refers to others, by its name. */
  tableNamed(name: string): Table | undefined
  /** Takes records out of the ledger's past and out of kept answers: that something happened stays, what it said goes. */
  forget(all: readonly Forgotten[]): void
  /** The records of a table that ever named one of these in a column, also those that are long deleted. */
  everNaming(table: string, column: string, ids: readonly number[]): Promise<number[]>
  /** The records that these ever named in a column. */
  everNamed(table: string, column: string, ids: readonly number[]): Promise<number[]>
  /** What was told in the turns in which these records came or went, also of others. */
  toldWith(table: string, ids: readonly number[]): Promise<Told[]>
  /** Has something done after the commit, and again after a crash in between, until it is done. */
  afterCommit(kind: string, details: Record<string, unknown>): void
  /** Whether this was left to be done by whichever account, and not longer than so many milliseconds ago. */
  isDue(id: string, within: number): Promise<boolean>
  /** Has something done if this write fails, once nothing of it is left. */
  ifItFails(kind: string, details: Record<string, unknown>): void
}

/** The one write path. */
export function writer(database: Database, turn: Turn, referrers: Map<string, Referrer[]>): Writer {
  const pen = new Pen(turn)
  const dutyOf = (kind: string, details: Record<string, unknown>) => {
    return { id: crypto.randomUUID(), accountId: turn.caller.account.id, kind, details }
  }
  const own: Omit<Writer, keyof Reader> = {
    changeCount: () => turn.changes.length,
    changes: () => turn.changes,
    entries: () => entriesOf({ ...turn, at: turn.at.toISOString() }, turn.first, turn.changes),
    attribute(actor, personId) {
      turn.caller = { ...turn.caller, actor, personId }
    },
    insert: (into, rows) => pen.insert(into, rows),
    update: (of, changes) => pen.update(of, changes),
    delete: (from, rows) => pen.delete(from, rows),
    restore: (into, rows) => pen.restore(into, rows),
    touch: (table, ids) => pen.touch(table, ids),
    async taken(work) {
      try {
        await work()
        await allDone(turn.sent)
      } catch (error) {
        throw await causeOf(error, turn)
      }
    },
    tableNamed: (name) => [...referrers.values()].flat().find(({ from }) => from.table === name)?.from,
    forget: (all) => void turn.forgotten.push(...all),
    everNaming: (table, column, ids) => everNaming(turn, table, column, ids),
    everNamed: (table, column, ids) => everNamed(turn, table, column, ids),
    toldWith: (table, ids) => toldWith(turn, table, ids),
    isDue: (id, within) => isDue(turn.sql, id, new Date(Date.now() - within)),
    ifItFails: (kind, details) => void turn.ifItFails.push(dutyOf(kind, details)),
    afterCommit: (kind, details) => void turn.duties.push(dutyOf(kind, details)),
  }
  return like(reader(database, turn.sql, turn.caller, turn.at, referrers), own)
}

/** Ids are counted up, and so is how many records there are. */
const COUNTING = `on conflict (account_id, resource) do update
  set last_id = counters.last_id + excluded.last_id, live = counters.live + excluded.live returning last_id`

class Pen {
  readonly #turn: Turn
  readonly #stamp: string
  /** Records whose `updated_at` this turn has set already. */
  readonly #stamped = new Set<string>()

  constructor(turn: Turn) {
    this.#turn = turn
    this.#stamp = turn.at.toISOString()
  }

  get #accountId(): number {
    return this.#turn.caller.account.id
  }

  async insert(into: Table, rows: Columns[]): Promise<number[]> {
    if (rows.length === 0) return []
    const last = await this.#count(into.table, rows.length)
    const full = rows.map((row, index) => ({
      account_id: this.#accountId,
      id: last - rows.length + 1 + index,
      ...row,
      created_at: this.#stamp,
      updated_at: this.#stamp,
    }))
    await this.#store(into, full)
    return full.map((row) => row.id)
  }

  async restore(into: Table, rows: (Columns & { id: number })[]): Promise<void> {
    if (rows.length === 0) return
    await this.#count(into.table, 0, -rows.length)
    await this.#store(
      into,
      rows.map((row) => ({ ...row, account_id: this.#accountId, updated_at: this.#stamp })),
    )
  }

  async #store(into: Table, full: (Columns & { id: number })[]): Promise<void> {
    const perStatement = Math.max(1, Math.floor(30_000 / Object.keys(full[0] as Columns).length))
    await this.#send([
      ...chunks(full, perStatement).map((some) => insertRows(this.#turn.sql, into.table, some)),
      addWords(this.#turn.sql, this.#accountId, into, full),
      addHashes(this.#turn.sql, this.#accountId, into, full),
    ])
    for (const row of full) this.#note(into, row, 'create', null, row)
  }

  async update(of: Table, all: RowChange[]): Promise<void> {
    const real = all.flatMap(({ before, changes }) => {
      const changed: Columns = {}
      for (const name in changes) if (before[name] !== changes[name]) changed[name] = changes[name]
      if (Object.keys(changed).length === 0) return []
      return [{ before, changed, after: { ...before, ...changed, updated_at: this.#stamp } }]
    })
    const [first] = real
    if (!first) return
    // Each would be made of what was before the other: one of them would be lost, and the ledger would tell of both.
    if (new Set(real.map(({ before }) => before.id)).size < real.length)
      throw new Error(`A record of ${of.table} cannot be changed twice in one statement`)
    if (real.some(({ changed }) => of.tellsAccount.some((name) => name in changed)))
      throw new Error(`The account columns of ${of.table} cannot be changed`)
    await this.#send([
      real.length === 1
        ? this.#updateOne(of, first.before.id, { ...first.changed, updated_at: this.#stamp })
        : this.#updateMany(of, real),
      changeWords(this.#turn.sql, this.#accountId, of, real),
    ])
    for (const { before, changed } of real) this.#noteUpdate(of, before, changed)
  }

  async #updateOne(of: Table, id: number, changed: Columns): Promise<void> {
    const columns = Object.keys(changed)
    await runStatement(
      this.#turn.sql,
      `update "${of.table}" set ${columns.map((name) => `"${name}" = ?`).join(', ')} where account_id = ? and id = ?`,
      [...Object.values(changed), this.#accountId, id],
      of.table,
    )
  }

  /** Only what has changed in one of them is set, so that no other index is written. */
  async #updateMany(of: Table, changes: Changing[]): Promise<void> {
    const names = [...new Set(changes.flatMap(({ changed }) => Object.keys(changed)))]
    const full = changes.map(({ after }) => ({ ...after, account_id: this.#accountId }))
    const perStatement = Math.floor(30_000 / Object.keys(full[0] as Columns).length)
    const isInOrder = names.some((name) => isHandedOver(name, changes))
    const columns = [...names, 'updated_at']
    await allDone(
      chunks(full, perStatement).map((some) => updateRows(this.#turn.sql, of.table, columns, some, isInOrder)),
    )
  }

  async delete(from: Table, rows: (Columns & { id: number })[]): Promise<void> {
    if (rows.length === 0) return
    const ids = rows.map(({ id }) => id)
    await this.#send([
      this.#count(from.table, 0, rows.length),
      dropHashes(this.#turn.sql, this.#accountId, from, rows),
      dropWords(this.#turn.sql, this.#accountId, from, ids),
      ...chunks(ids, 1000).map((some) =>
        this.#turn.sql
          .deleteFrom(from.table)
          .where('account_id', '=', this.#accountId)
          .where('id', 'in', some)
          .execute(),
      ),
    ])
    for (const row of rows) {
      const isStamped = this.#stamped.has(`${from.table} ${row.id}`)
      this.#note(from, row, 'delete', isStamped ? { ...row, updated_at: this.#stamp } : row, null)
    }
  }

  async touch(table: string, ids: number[]): Promise<void> {
    const fresh = [...new Set(ids)].filter((id) => !this.#stamped.has(`${table} ${id}`))
    if (fresh.length === 0) return
    const { sql } = this.#turn
    for (const some of chunks(fresh, 1000)) {
      const rows = await sql
        .selectFrom(table)
        .select(['id', 'updated_at'])
        .where('account_id', '=', this.#accountId)
        .where('id', 'in', some)
        .orderBy('id')
        .execute()
      const stamping = sql
        .updateTable(table)
        .set({ updated_at: this.#stamp })
        .where('account_id', '=', this.#accountId)
        .where('id', 'in', some)
      await this.#send([stamping.execute()])
      const plain = {
        unledgered: [],
        keyed: [],
        unique: [],
        texts: [],
        searched: [],
        tellsAccount: [],
        references: [],
        formers: [],
      }
      const of = { table, one: '', owner: null, ...plain }
      for (const row of rows) this.#noteUpdate(of, row as Columns & { id: number }, {})
    }
  }

  /**
   * Statements go one after the other and are answered so: nobody need wait in between. Where one that fails makes all that
   * follow fail, they are not waited for before the turn ends.
   */
  async #send(statements: readonly Promise<unknown>[]): Promise<void> {
    const { sent, sql } = this.#turn
    if (!failureEndsTransaction(sql)) return void (await allDone(statements))
    for (const one of statements) one.catch(() => undefined)
    sent.push(...statements)
  }

  /** Ids come from a plain counter, which also knows how many records there are: lists need not count them. */
  async #count(resource: string, more: number, fewer = 0): Promise<number> {
    const row = { account_id: this.#accountId, resource, last_id: more, live: more - fewer }
    const [{ last_id }] = await insertRows(this.#turn.sql, 'counters', [row], COUNTING)
    return last_id
  }

  /** A record gets its new `updated_at` once in a turn, however often the turn changes it. */
  #noteUpdate(of: Table, before: Columns & { id: number }, changed: Columns): void {
    const old = Object.fromEntries(Object.keys(changed).map((name) => [name, before[name]]))
    const isStamped = this.#stamped.has(`${of.table} ${before.id}`)
    const [from, to] = isStamped ? [{}, {}] : [{ updated_at: before.updated_at }, { updated_at: this.#stamp }]
    this.#note(of, { ...before, ...changed }, 'update', { ...old, ...from }, { ...changed, ...to })
  }

  #note(of: Table, row: Columns & { id: number }, action: Action, before: Columns | null, after: Columns | null): void {
    const owner = of.owner && typeof row[of.owner.column] === 'number' ? of.owner : null
    this.#stamped.add(`${of.table} ${row.id}`)
    this.#turn.changes.push({
      resource: of.table,
      record_id: row.id,
      action,
      before: before && ledgered(of, before),
      after: after && ledgered(of, after),
      owner: owner?.to ?? null,
      owner_id: owner ? (row[owner.column] as number) : null,
    })
  }
}
