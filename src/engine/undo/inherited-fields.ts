import type { Columns } from '../../records/entries.ts'
import { tableOf } from '../resource.ts'
import { onlyInherited } from './messages.ts'
import {
  byResource,
  differs,
  keyOf,
  type LaterEntry,
  type NetChange,
  type StoredRow,
  type UndoRun,
} from './net-changes.ts'
import { applyTo, completeRow } from './put-back.ts'

/**
 * Dated records can inherit fields from the record before them (`inherits`). Their column `stated` lists the fields for which
 * they have a value of their own. An undo restores own values. Inherited ones follow from the record before.
 */

/** The names of the stated fields; null: all fields; undefined: the columns do not hold `stated`. */
type StatedNames = readonly string[] | null | undefined

const statedIn = (columns: Columns | null | undefined): StatedNames => {
  const stored = columns?.stated
  return typeof stored === 'string' ? JSON.parse(stored) : (stored as StatedNames)
}

const includesField = (names: StatedNames, field: string) => names?.includes(field) ?? true

/** Does a record have a value of its own for a field? */
export const isStated = (columns: Columns | null | undefined, field: string) => includesField(statedIn(columns), field)

/** Tells a record's own values from those that it inherits. An undo neither restores nor compares inherited values. */
export function separateInherited(net: NetChange, row: StoredRow | undefined): void {
  const { of, before, after } = net
  if (of.inherits.length === 0) return
  const statedAfterUndone = forgetInherited(net, row)
  if (before === null || after === null) return
  const namesAfter = 'stated' in after ? statedIn(after) : statedAfterUndone
  const namesBefore = 'stated' in before ? statedIn(before) : namesAfter
  const onlyIn = (names: StatedNames, others: StatedNames) =>
    of.inherits.filter((field) => includesField(names, field) && !includesField(others, field))
  net.stated = { added: onlyIn(namesAfter, namesBefore), removed: onlyIn(namesBefore, namesAfter) }
  const isOwn = (field: string) =>
    !of.inherits.includes(field) || includesField(namesBefore, field) || includesField(namesAfter, field)
  const changed = net.changedColumns.filter((field) => field !== 'stated')
  net.inheritedColumns = changed.filter((field) => !isOwn(field))
  const isUnchangedSince = (field: string) => row && !isStated(row, field) && !differs(of, field, row, after)
  net.changedColumns = [...changed.filter(isOwn), ...net.inheritedColumns.filter(isUnchangedSince)]
}

/**
 * Removes inherited values from the later entries. It goes back from the current row, and returns the stated fields right
 * after the changes that are undone.
 */
function forgetInherited({ of, laterEntries }: NetChange, row: StoredRow | undefined): StatedNames {
  let names = statedIn(row)
  for (const entry of laterEntries.toReversed()) {
    const [namesBefore, namesAfter] = [statedIn(entry.before), names]
    if (namesBefore !== undefined) names = namesBefore
    if (entry.action !== 'update') continue
    for (const field of of.inherits)
      if (!includesField(names, field) && !includesField(namesAfter, field)) forget(entry, field)
  }
  return names
}

function forget(entry: LaterEntry, field: string): void {
  for (const columns of [entry.before, entry.after]) if (columns) delete columns[field]
}

/** Is a restored value of a record only inherited? */
export const isInherited = ({ of, before, after, inheritedColumns }: NetChange, field: string) =>
  inheritedColumns.includes(field) || (after === null && of.inherits.includes(field) && !isStated(before, field))

/** 409 for a change that only followed from the record before. */
export function refuseInheritedOnly({ nets }: UndoRun): void {
  for (const { of, changedColumns, inheritedColumns, stated } of nets.values())
    if (
      inheritedColumns.length > 0 &&
      changedColumns.every((name) => inheritedColumns.includes(name)) &&
      stated.added.length === 0
    )
      throw onlyInherited(of)
}

/** Restores which fields records state themselves. */
export async function restoreStated({ db, nets, rows }: UndoRun): Promise<void> {
  const changed = [...nets.values()].filter(({ stated }) => stated.added.length + stated.removed.length > 0)
  for (const [of, ofResource] of byResource(changed)) {
    const changes = ofResource.flatMap((net) => {
      const { added, removed } = net.stated
      const row = rows.get(keyOf(net))
      const names = statedIn(row)
      if (!row || !names) return []
      const stated = of.inherits.filter(
        (field) => removed.includes(field) || (names.includes(field) && !added.includes(field)),
      )
      return [{ before: completeRow(of, row), changes: { stated: JSON.stringify(stated) } }]
    })
    await db.update(tableOf(of), changes)
    applyTo(rows, of, changes)
  }
}
