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

/** The names of the fields with own values; null: all fields; undefined: the columns do not hold `stated`. */
type OwnFieldNames = readonly string[] | null | undefined

const ownFieldsIn = (columns: Columns | null | undefined): OwnFieldNames => {
  const stored = columns?.stated
  return typeof stored === 'string' ? JSON.parse(stored) : (stored as OwnFieldNames)
}

const includesField = (names: OwnFieldNames, field: string) => names?.includes(field) ?? true

/** Does a record have a value of its own for a field? */
export const hasOwnValue = (columns: Columns | null | undefined, field: string) =>
  includesField(ownFieldsIn(columns), field)

/** Tells a record's own values from those that it inherits. An undo neither restores nor compares inherited values. */
export function separateInherited(net: NetChange, row: StoredRow | undefined): void {
  const { of, before, after } = net
  if (of.inherits.length === 0) return
  const namesAfterUndone = forgetInherited(net, row)
  if (before === null || after === null) return
  const namesAfter = 'stated' in after ? ownFieldsIn(after) : namesAfterUndone
  const namesBefore = 'stated' in before ? ownFieldsIn(before) : namesAfter
  const onlyIn = (names: OwnFieldNames, others: OwnFieldNames) =>
    of.inherits.filter((field) => includesField(names, field) && !includesField(others, field))
  net.ownFieldChanges = { added: onlyIn(namesAfter, namesBefore), removed: onlyIn(namesBefore, namesAfter) }
  const isOwn = (field: string) =>
    !of.inherits.includes(field) || includesField(namesBefore, field) || includesField(namesAfter, field)
  const changed = net.changedColumns.filter((field) => field !== 'stated')
  net.inheritedColumns = changed.filter((field) => !isOwn(field))
  const isUnchangedSince = (field: string) => row && !hasOwnValue(row, field) && !differs(of, field, row, after)
  net.changedColumns = [...changed.filter(isOwn), ...net.inheritedColumns.filter(isUnchangedSince)]
}

/**
 * Removes inherited values from the later entries. It goes back from the current row, and returns the names of the own fields
 * right after the changes that are undone.
 */
function forgetInherited({ of, laterEntries }: NetChange, row: StoredRow | undefined): OwnFieldNames {
  let names = ownFieldsIn(row)
  for (const entry of laterEntries.toReversed()) {
    const [namesBefore, namesAfter] = [ownFieldsIn(entry.before), names]
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
  inheritedColumns.includes(field) || (after === null && of.inherits.includes(field) && !hasOwnValue(before, field))

/** 409 for a change that only followed from the record before. */
export function refuseInheritedOnly({ nets }: UndoRun): void {
  for (const { of, changedColumns, inheritedColumns, ownFieldChanges } of nets.values())
    if (
      inheritedColumns.length > 0 &&
      changedColumns.every((name) => inheritedColumns.includes(name)) &&
      ownFieldChanges.added.length === 0
    )
      throw onlyInherited(of)
}

/** Restores which fields of the records have own values. */
export async function restoreOwnFields({ db, nets, rows }: UndoRun): Promise<void> {
  const changed = [...nets.values()].filter(
    ({ ownFieldChanges: { added, removed } }) => added.length + removed.length > 0,
  )
  for (const [of, ofResource] of byResource(changed)) {
    const changes = ofResource.flatMap((net) => {
      const { added, removed } = net.ownFieldChanges
      const row = rows.get(keyOf(net))
      const names = ownFieldsIn(row)
      if (!row || !names) return []
      const ownFields = of.inherits.filter(
        (field) => removed.includes(field) || (names.includes(field) && !added.includes(field)),
      )
      return [{ before: completeRow(of, row), changes: { stated: JSON.stringify(ownFields) } }]
    })
    await db.update(tableOf(of), changes)
    applyTo(rows, of, changes)
  }
}
