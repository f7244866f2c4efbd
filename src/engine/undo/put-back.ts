import { violatesConstraint } from '../../database/database.ts'
import type { Columns, Entry } from '../../records/entries.ts'
import type { Resource } from '../declaration.ts'
import { fold } from '../format.ts'
import type { Kinds } from '../protection.ts'
import { encode, initialOf, touchOwners } from '../records.ts'
import { columnsOf, hasKeyColumn, keyColumn, tableOf } from '../resource.ts'
import { againstSchema } from './messages.ts'
import {
  byResource,
  comparable,
  keyOf,
  type NetChange,
  type Rows,
  recordKey,
  type StoredRow,
  type UndoRun,
} from './net-changes.ts'

/** Writes the values from before the undone changes. */

/** One write of the undo. */
type UndoStep = {
  readonly net: NetChange
  readonly action: 'restore' | 'update' | 'delete'
  readonly columns: Columns
}

/**
 * Goes back through the entries, the last first, so that references and unique texts are valid after every step. One statement
 * writes consecutive steps of the same action on the same table.
 */
export async function putBack(run: UndoRun, entries: readonly Entry[]): Promise<void> {
  const referenced = recordsReferredToBy(run.options.kinds, entries)
  const steps = entries.toReversed().flatMap((entry) => {
    const key = recordKey(entry.resource, entry.record_id)
    const step = stepFor(run.nets.get(key) as NetChange, entry, referenced.has(key))
    return step ? [step] : []
  })
  try {
    await run.db.runAndWait(async () => {
      for (const batch of batchesOf(steps)) await write(run, batch)
    })
  } catch (error) {
    if (!violatesConstraint(error)) throw error
    throw againstSchema()
  }
}

/** The keys of all records that the entries refer to. They may include records that were created and deleted again. */
function recordsReferredToBy(kinds: Kinds, entries: readonly Entry[]): Set<string> {
  const keys = new Set<string>()
  for (const { resource, before, after } of entries)
    for (const [name, { reference }] of columnsOf(kinds.get(resource) as Resource))
      for (const id of [before?.[name], after?.[name]])
        if (reference && typeof id === 'number') keys.add(recordKey(reference.table, id))
  return keys
}

function stepFor(net: NetChange, { action, before }: Entry, isReferenced: boolean): UndoStep | null {
  const { of, changedColumns, lostReferences } = net
  // A record that was created and deleted again leaves nothing to undo, unless other entries refer to it.
  if (net.before === null && net.after === null && !isReferenced) return null
  if (action === 'create') return { net, action: 'delete', columns: {} }
  // References and unique texts go back step by step, other columns go to their final value at once.
  const isStepwise = (name: string) => Boolean(of.fields[name]?.reference || of.fields[name]?.unique)
  const valueFor = (name: string, value: unknown) => {
    if (lostReferences.has(name)) return null
    return net.before === null || isStepwise(name) ? value : net.before[name]
  }
  const values = Object.entries(before ?? {}).map(([name, value]) => [name, valueFor(name, value)] as const)
  if (action === 'delete') return { net, action: 'restore', columns: Object.fromEntries(values) }
  const existedThroughout = net.before !== null && net.after !== null
  const columns = values.filter(([name]) => (existedThroughout ? changedColumns.includes(name) : isStepwise(name)))
  return columns.length > 0 ? { net, action: 'update', columns: Object.fromEntries(columns) } : null
}

/** Consecutive steps that one statement can write, no record twice. */
function batchesOf(steps: readonly UndoStep[]): UndoStep[][] {
  const batches: UndoStep[][] = []
  for (const step of steps) {
    const batch = batches.at(-1)
    const first = batch?.[0]
    const fits =
      first?.action === step.action && first.net.of === step.net.of && !batch?.some(({ net }) => net === step.net)
    if (batch && fits) batch.push(step)
    else batches.push([step])
  }
  return batches
}

async function write({ db, rows }: UndoRun, steps: readonly UndoStep[]): Promise<void> {
  const {
    net: { of },
    action,
  } = steps[0] as UndoStep
  const table = tableOf(of)
  const currentRow = (net: NetChange) => completeRow(of, rows.get(keyOf(net)) as StoredRow)
  if (action === 'delete') {
    await db.delete(
      table,
      steps.map(({ net }) => currentRow(net)),
    )
    for (const { net } of steps) rows.delete(keyOf(net))
    return
  }
  if (action === 'restore') {
    const restored = steps.map(({ net, columns }) => completeRow(of, { ...columns, id: net.id }))
    await db.restore(table, restored)
    for (const row of restored) rows.set(recordKey(of.table, row.id), row)
    return
  }
  const changes = steps.map(({ net, columns }) => {
    const values = Object.fromEntries(
      Object.entries(columns).map(([name, value]) => [name, comparable(of, name, value)]),
    )
    return { before: currentRow(net), changes: { ...values, ...keyColumnsOf(of, values) } }
  })
  await db.update(table, changes)
  applyTo(rows, of, changes)
}

/** Updates the current rows after a statement that changed them. */
export function applyTo(rows: Rows, of: Resource, changes: readonly { before: StoredRow; changes: Columns }[]): void {
  for (const { before, changes: columns } of changes)
    rows.set(recordKey(of.table, before.id), { ...before, ...columns })
}

/** A row with all columns, including the folded copies of its texts. */
export const completeRow = (of: Resource, row: StoredRow): StoredRow => {
  const { id, created_at, updated_at } = row
  const values = Object.fromEntries(
    columnsOf(of).flatMap(([name, field]) => (name in row ? [[name, field.read(row[name])]] : [])),
  )
  return { id, created_at, updated_at, ...encode(of, { ...initialOf(of), ...values }) }
}

/** The folded copies of texts. */
const keyColumnsOf = (of: Resource, columns: Columns): Columns =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([name, value]) => {
      const field = of.fields[name]
      return field && hasKeyColumn(field) ? [[keyColumn(name), value === null ? null : fold(String(value))]] : []
    }),
  )

/** Marks the records that show the changed ones as their parts, before or after the undo. */
export async function touchOwnersOf({ db, nets, rows }: UndoRun, rowsBefore: Rows): Promise<void> {
  for (const [of, ofResource] of byResource(nets.values()))
    await touchOwners(
      db,
      of,
      ofResource.flatMap((net) =>
        net.changedColumns.length > 0 ? [rowsBefore, rows].flatMap((all) => all.get(keyOf(net)) ?? []) : [],
      ),
    )
}
