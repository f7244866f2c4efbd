import { type Change, type Entry, readEntry } from '../../records/entries.ts'
import type { Writer } from '../../records/write.ts'
import type { Kinds } from '../protection.ts'
import { columnsOf, isColumn } from '../resource.ts'
import type { UndoGuard } from './guards.ts'
import { dataErased, fieldsOutdated, hasSecrets, needsWholeRequest } from './messages.ts'

/** Which changes can be undone at all, and which only together with others of their request. */

/** The operations that undo: one change, all changes of a request, or the caller's own request. */
export const UNDO_OPERATIONS = { change: 'undoChange', request: 'undoRequest', own: 'undoOwnRequest' } as const
export const isUndoOperation = (operation: string) => Object.values<string>(UNDO_OPERATIONS).includes(operation)

/** Does an entry only note that a related record, which the record shows, has changed? */
export const isTouch = ({ action, after }: Pick<Change, 'action' | 'after'>) =>
  action === 'update' && after !== null && Object.keys(after).every((name) => name === 'updated_at')

/** 409 for erased data, for secrets, and for columns that no longer exist. */
export function refusePermanent(kinds: Kinds, entries: readonly Entry[]): void {
  for (const { resource, action, before, after } of entries) {
    const of = kinds.get(resource)
    if (!of || action === 'erase' || (before === null && after === null)) throw dataErased()
    if (columnsOf(of).some(([, { secret }]) => secret)) throw hasSecrets(of)
    for (const name of Object.keys({ ...before, ...after })) if (!isColumn(of, name)) throw fieldsOutdated()
  }
}

/** 409 for a change that guards allow to undo only with other changes of its request. */
export async function refusePartOfRequest(
  db: Writer,
  entries: readonly Entry[],
  guards: readonly UndoGuard[],
): Promise<void> {
  for (const entry of entries) {
    const tables = guards.flatMap((guard) =>
      guard.wholeRequestOnly || (guard.undoneTogether && guard.tables.includes(entry.resource)) ? guard.tables : [],
    )
    const others = tables.filter((table) => table !== entry.resource)
    if (others.length === 0) continue
    const rows = await entriesOfRequest(db, entry, others).select(['action', 'after']).execute()
    if (rows.some(({ action, after }) => !isTouch({ action, after: after && JSON.parse(after) })))
      throw needsWholeRequest()
  }
}

/** 409 for a column that its request changed both in a record and in its parts. */
export async function refuseLinkedColumn(
  db: Writer,
  entries: readonly Entry[],
  guards: readonly UndoGuard[],
): Promise<void> {
  for (const { linkedColumns } of guards) {
    if (!linkedColumns) continue
    const isLinked = ({ resource, action, after }: Change) =>
      action === 'update' && Object.keys(after ?? {}).some((name) => name === linkedColumns[resource])
    const rootOf = ({ record_id, owner, owner_id }: Change) => (owner && owner in linkedColumns ? owner_id : record_id)
    for (const entry of entries.filter(isLinked)) {
      const rows = await entriesOfRequest(db, entry, Object.keys(linkedColumns))
        .selectAll()
        .where('no', '!=', entry.number)
        .execute()
      if (rows.map(readEntry).some((other) => isLinked(other) && rootOf(other) === rootOf(entry)))
        throw needsWholeRequest()
    }
  }
}

/** The ledger's entries of the request that made an entry, for some tables. */
const entriesOfRequest = (db: Writer, { request_id, at, operation }: Entry, tables: readonly string[]) =>
  db
    .from('ledger')
    .where('request_id', '=', request_id)
    .where('at', '=', at)
    .where('operation', '=', operation)
    .where('resource', 'in', tables)
