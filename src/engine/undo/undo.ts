import type { Entry } from '../../records/entries.ts'
import type { Writer } from '../../records/write.ts'
import { Problem } from '../problem.ts'
import { refuseInUse, refuseSplitOwners } from './dependents.ts'
import type { UndoOptions } from './guards.ts'
import { refuseInheritedOnly, restoreOwnFields } from './inherited-fields.ts'
import { loadLaterEntries, refuseChangedSince } from './later-changes.ts'
import { nothingToUndo, valueImpossible } from './messages.ts'
import { currentRows, netChangesOf, type UndoRun } from './net-changes.ts'
import { putBack, touchOwnersOf } from './put-back.ts'
import { checkReferencesAndUniqueTexts } from './references.ts'
import { checkRules } from './rules.ts'
import { isTouch, refuseLinkedColumn, refusePartOfRequest, refusePermanent } from './undoable.ts'

/**
 * Undoes the changes of ledger entries by new changes, the last first, all of them or none. It refuses values that somebody has
 * changed since, and applies the rules of any change.
 */
export async function undo(db: Writer, entries: readonly Entry[], options: UndoOptions): Promise<void> {
  try {
    await undoEntries(db, entries, options)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error
    throw valueImpossible(error)
  }
}

async function undoEntries(db: Writer, entries: readonly Entry[], options: UndoOptions): Promise<void> {
  const { kinds, guards, files, isWhole } = options
  refusePermanent(kinds, entries)
  const changes = entries.filter((entry) => !isTouch(entry))
  if (changes.length === 0) throw nothingToUndo()
  if (!isWhole) {
    await refusePartOfRequest(db, changes, guards)
    await refuseLinkedColumn(db, changes, guards)
  }
  const nets = netChangesOf(kinds, guards, changes)
  const run: UndoRun = { db, options, nets, rows: await currentRows(db, nets.values()) }
  await loadLaterEntries(run)
  if (!isWhole) refuseInheritedOnly(run)
  refuseChangedSince(run)
  await refuseInUse(run)
  await checkReferencesAndUniqueTexts(run)

  const rowsBefore = new Map(run.rows)
  const { number, at } = entries[0] as Entry
  const undone = { number, at, last: entries.at(-1)?.number ?? number }
  await putBack(run, changes)
  await restoreOwnFields(run)
  await touchOwnersOf(run, rowsBefore)
  await repeatTouches(db, entries)
  await refuseSplitOwners(run)
  await checkRules(run, rowsBefore, undone)
  for (const { tables, check } of guards) {
    const concerned = db.changes().filter(({ resource }) => tables.includes(resource))
    if (check && concerned.length > 0) await check(db, concerned, { ...undone, files })
  }
}

/** Marks again the records that the undone request had marked as changed. */
async function repeatTouches(db: Writer, entries: readonly Entry[]): Promise<void> {
  for (const [table, touches] of Map.groupBy(entries.filter(isTouch), ({ resource }) => resource))
    await db.touch(
      table,
      touches.map(({ record_id }) => record_id),
    )
}
