import { chunks } from '../../records/chunks.ts'
import type { Resource } from '../declaration.ts'
import { mayKnow } from '../records.ts'
import { columnsOf, knownAs, resourceOf } from '../resource.ts'
import { stillInUse, wouldSplit } from './messages.ts'
import { byResource, type NetChange, recordKey, type UndoRun } from './net-changes.ts'

/** Later records that block an undo, because they refer to a record that it would delete or move. */

/** 409 for records that the undo would delete while others refer to them. This includes parts that a deletion would delete too. */
export async function refuseInUse({ db, nets, options }: UndoRun): Promise<void> {
  const created = [...nets.values()].filter(({ before, after }) => before === null && after !== null)
  for (const [of, ofResource] of byResource(created))
    for (const { from, column } of db.referrersOf(of.table))
      for (const chunk of chunks(ofResource, 1000)) {
        const ids = chunk.map(({ id }) => id)
        const rows = await db.from(from.table).select(['id', column]).where(column, 'in', ids).orderBy('id').execute()
        const user = rows.find((row) => {
          const net = nets.get(recordKey(from.table, row.id))
          return !net || (net.before !== null && !net.changedColumns.includes(column))
        })
        if (!user) continue
        const isKnown = mayKnow(db, from, column)
        const named = isKnown ? { one: from.one, id: knownAs(db, resourceOf(from), user.id), column } : null
        throw stillInUse(of, named, options.isWhole)
      }
}

/** 409 for records that go back to another owner while a later part of them refers to the current owner. */
export async function refuseSplitOwners(run: UndoRun): Promise<void> {
  for (const [of, ofResource] of byResource(run.nets.values()))
    for (const [column, { reference }] of columnsOf(of)) {
      if (!reference?.owner) continue
      const moved = ofResource.filter(
        ({ before, after, changedColumns }) => before && after && changedColumns.includes(column),
      )
      if (moved.length > 0) await refuseSplitParts(run, of, { column, table: reference.table }, moved)
    }
}

async function refuseSplitParts(
  { db, rows, options: { kinds } }: UndoRun,
  of: Resource,
  owner: { column: string; table: string },
  moved: readonly NetChange[],
): Promise<void> {
  for (const { from, column } of db.referrersOf(of.table)) {
    const fields = columnsOf(kinds.get(from.table) as Resource)
    // The column by which a part refers to the owner of the record as well.
    const ownerColumn = fields.find(([, { reference }]) => reference?.owner && reference.table === owner.table)?.[0]
    if (!ownerColumn || ownerColumn === column) continue
    for (const chunk of chunks(moved, 1000)) {
      const ids = chunk.map(({ id }) => id)
      const parts = await db.from(from.table).select(['id', column, ownerColumn]).where(column, 'in', ids).execute()
      const split = parts.find((row) => row[ownerColumn] !== rows.get(recordKey(of.table, row[column]))?.[owner.column])
      if (!split) continue
      throw wouldSplit(
        `${of.one} ${knownAs(db, of, split[column])}`,
        `${from.one} ${knownAs(db, resourceOf(from), split.id)}`,
        kinds.get(owner.table)?.one ?? 'record',
      )
    }
  }
}
