import { chunks } from '../../records/chunks.ts'
import type { Columns, Entry } from '../../records/entries.ts'
import type { Writer } from '../../records/write.ts'
import type { Resource } from '../declaration.ts'
import type { Kinds } from '../protection.ts'
import { fieldOf, knownAs } from '../resource.ts'
import type { UndoGuard, UndoOptions } from './guards.ts'

export type LaterEntry = Pick<Entry, 'number' | 'action' | 'operation' | 'request_id' | 'at' | 'before' | 'after'>

/** The sum of all entries for one record: its columns before and after them; null if there was no record. */
export type NetChange = {
  readonly of: Resource
  readonly id: number
  readonly before: Columns | null
  readonly after: Columns | null
  /** The number of the last entry. */
  readonly lastNumber: number
  /** The columns that changed and that the undo restores. */
  changedColumns: string[]
  /** The record's ledger entries after these. */
  laterEntries: LaterEntry[]
  /** The fields for which the record got a value of its own (`added`), and those for which it gave that up (`removed`). */
  ownFieldChanges: { readonly added: readonly string[]; readonly removed: readonly string[] }
  /** The changed fields that only follow from the record before it (`inherits`). */
  inheritedColumns: string[]
  /** Inherited references to records that no longer exist. */
  readonly lostReferences: Set<string>
}

export type StoredRow = Columns & { id: number }

/** Rows by `recordKey`. */
export type Rows = Map<string, StoredRow>

/** One undo: what all its steps share. */
export type UndoRun = {
  readonly db: Writer
  readonly options: UndoOptions
  readonly nets: ReadonlyMap<string, NetChange>
  /** The records as they are now. The undo updates it as it writes. */
  readonly rows: Rows
}

export const recordKey = (resource: string, id: number) => `${resource} ${id}`
export const keyOf = ({ of, id }: NetChange) => recordKey(of.table, id)

export const byResource = (nets: Iterable<NetChange>) => Map.groupBy(nets, ({ of }) => of)

/** The net changes that leave a difference. */
export const withDifference = ({ nets }: UndoRun): NetChange[] =>
  [...nets.values()].filter(({ before, after, changedColumns }) => (before || after) && changedColumns.length > 0)

/** A stored value in the form in which values are compared: SQLite stores booleans as numbers. */
export const comparable = (of: Resource, name: string, value: unknown) => {
  const field = fieldOf(of, name)
  return field.write(field.read(value))
}

export const differs = (of: Resource, name: string, one: Columns, other: Columns) =>
  comparable(of, name, one[name]) !== comparable(of, name, other[name])

/** The net change of each record, by `recordKey`. */
export function netChangesOf(
  kinds: Kinds,
  guards: readonly UndoGuard[],
  entries: readonly Entry[],
): Map<string, NetChange> {
  const nets = new Map<string, NetChange>()
  for (const [key, ofRecord] of Map.groupBy(entries, ({ resource, record_id }) => recordKey(resource, record_id))) {
    const [first, last] = [ofRecord[0] as Entry, ofRecord.at(-1) as Entry]
    const of = kinds.get(first.resource) as Resource
    const before =
      first.action === 'create' ? null : Object.assign({}, ...ofRecord.map((entry) => entry.before).reverse())
    const after = last.action === 'delete' ? null : Object.assign({}, ...ofRecord.map((entry) => entry.after))
    const derivedColumns = guards.flatMap((guard) =>
      guard.tables.includes(of.table) ? (guard.derivedColumns ?? []) : [],
    )
    const ignored = ['updated_at', ...derivedColumns]
    const changedColumns = Object.keys({ ...before, ...after }).filter(
      (name) => !ignored.includes(name) && (before === null || after === null || differs(of, name, before, after)),
    )
    nets.set(key, {
      of,
      id: first.record_id,
      before,
      after,
      lastNumber: last.number,
      changedColumns,
      laterEntries: [],
      ownFieldChanges: { added: [], removed: [] },
      inheritedColumns: [],
      lostReferences: new Set(),
    })
  }
  return nets
}

/** The records as they are now. */
export async function currentRows(db: Writer, nets: Iterable<NetChange>): Promise<Rows> {
  const rows: Rows = new Map()
  for (const [of, ofResource] of byResource(nets))
    for (const chunk of chunks(ofResource, 1000)) {
      const ids = chunk.map(({ id }) => id)
      const stored = await db.from(of.table).selectAll().where('id', 'in', ids).execute()
      for (const row of stored) rows.set(recordKey(of.table, row.id), row as StoredRow)
    }
  return rows
}

/** The name of a field in errors. If a whole request is undone, the record is part of it. */
export const placeOf = ({ db, options }: UndoRun, { of, id }: NetChange, field?: string) =>
  [options.isWhole || field === undefined ? `${of.table}[${knownAs(db, of, id)}]` : null, field]
    .filter(Boolean)
    .join('.')
