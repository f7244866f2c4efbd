import { chunks } from '../../records/chunks.ts'
import { type Columns, readEntry } from '../../records/entries.ts'
import type { Reader } from '../../records/reader.ts'
import type { Resource } from '../declaration.ts'
import { type FieldProblem, wrong } from '../problem.ts'
import { fieldOf, isShown, toldName } from '../resource.ts'
import { hasOwnValue, separateInherited } from './inherited-fields.ts'
import { changedSince } from './messages.ts'
import {
  byResource,
  comparable,
  differs,
  keyOf,
  type LaterEntry,
  type NetChange,
  placeOf,
  recordKey,
  type StoredRow,
  type UndoRun,
  withDifference,
} from './net-changes.ts'
import { isUndoOperation } from './undoable.ts'

/** Reads what happened to the records after the changes that are undone. */
export async function loadLaterEntries(run: UndoRun): Promise<void> {
  const changed = withDifference(run)
  const laterEntries = await entriesAfter(run.db, changed)
  for (const net of changed) {
    net.laterEntries = laterEntries.get(keyOf(net)) ?? []
    separateInherited(net, run.rows.get(keyOf(net)))
  }
}

async function entriesAfter(db: Reader, nets: readonly NetChange[]): Promise<Map<string, LaterEntry[]>> {
  const entries = new Map<string, LaterEntry[]>()
  for (const [of, ofResource] of byResource(nets))
    for (const chunk of chunks(ofResource, 1000)) {
      const lastNumbers = new Map(chunk.map((net) => [net.id, net.lastNumber]))
      const rows = await db
        .from('ledger')
        .select(['no', 'record_id', 'action', 'operation', 'request_id', 'at', 'before', 'after'])
        .where('resource', '=', of.table)
        .where('record_id', 'in', [...lastNumbers.keys()])
        .where('no', '>', Math.min(...lastNumbers.values()))
        .orderBy('no')
        .execute()
      for (const row of rows) {
        if (row.no <= (lastNumbers.get(row.record_id) as number)) continue
        const key = recordKey(of.table, row.record_id)
        const ofRecord = entries.get(key)
        if (ofRecord) ofRecord.push(readEntry(row))
        else entries.set(key, [readEntry(row)])
      }
    }
  return entries
}

/** 409 for everything that was changed again since, even if it holds the same value now. */
export function refuseChangedSince(run: UndoRun): void {
  const problems = withDifference(run).flatMap((net) => laterChangesOf(run, net, run.rows.get(keyOf(net))))
  if (problems.length > 0) throw changedSince(problems)
}

function laterChangesOf(run: UndoRun, net: NetChange, row: StoredRow | undefined): FieldProblem[] {
  const problem = (why: string, name?: string) => wrong(placeOf(run, net, name), 'changed_since', why)
  if (net.after === null) {
    const number = lastChange(net.of, null, net.laterEntries)
    if (row) return [problem('was restored again later')]
    return number === null ? [] : [problem(`was restored and deleted again later, by change ${number}`)]
  }
  if (!row) return [problem('was deleted later')]
  const numbers = new Map<string, number | null>()
  for (const name of net.changedColumns.filter((one) => !net.inheritedColumns.includes(one))) {
    const number = lastChange(net.of, name, net.laterEntries)
    const isInherited = net.of.inherits.includes(name) && !hasOwnValue(row, name)
    if (number === null && (isInherited || !differs(net.of, name, row, net.after))) continue
    const shown = shownNameOf(net.of, name)
    numbers.set(shown, Math.max(number ?? 0, numbers.get(shown) ?? 0) || null)
  }
  return [...numbers].map(([name, number]) =>
    problem(`was changed again later${number === null ? '' : `, by change ${number}`}`, name),
  )
}

/** The name of a column in errors; `record` for a column that clients do not know. */
const shownNameOf = (of: Resource, column: string) => {
  const field = fieldOf(of, column)
  if (field.reference && !isShown(field) && !field.input) return 'record'
  return toldName(column, field) ?? 'record'
}

/** One step of a column's history: the value before it, its change number and its request. */
type Step = { readonly request: string; readonly from: unknown; readonly number: number }

/**
 * The number of the last later change of a column that has not been undone itself; null if there is none. The name null
 * stands for the existence of the record. Only the last change of a column can be undone. So an undo that restores the value
 * before the last change, or before the last request, has undone that change or request.
 */
function lastChange(of: Resource, name: string | null, laterEntries: readonly LaterEntry[]): number | null {
  const remaining: Step[] = []
  const requestOf = ({ request_id, at, operation }: LaterEntry) => `${at} ${operation} ${request_id}`
  for (const [request, entries] of Map.groupBy(laterEntries, requestOf)) {
    const steps = entries.flatMap(({ action, before, after, number }) => {
      // An erasure entry describes what remains of a record, and changes nothing.
      if (action === 'erase') return []
      const concerns = action === 'create' || action === 'delete' || (name !== null && name in (after ?? {}))
      return concerns ? [{ request, from: valueIn(of, name, before), to: valueIn(of, name, after), number }] : []
    })
    const [first, last] = [steps[0], steps.at(-1)]
    if (!first || !last || first.from === last.to) continue
    const isUndo = isUndoOperation((entries[0] as LaterEntry).operation)
    const undone = isUndo ? undoneStep(remaining, last.to) : -1
    if (undone >= 0) remaining.splice(undone)
    else remaining.push(...steps)
  }
  return remaining.at(-1)?.number ?? null
}

/** The first of the steps that an undo to this value has undone: the last request or its last change; -1 if neither. */
function undoneStep(steps: readonly Step[], value: unknown): number {
  const last = steps.at(-1)
  const ends = [steps.findIndex(({ request }) => request === last?.request), steps.length - 1]
  return ends.find((at) => steps[at]?.from === value) ?? -1
}

/** A column's value in an entry, in comparable form; undefined if there was no record. */
const valueIn = (of: Resource, name: string | null, columns: Columns | null) =>
  columns === null ? undefined : name === null ? true : comparable(of, name, columns[name] ?? null)
