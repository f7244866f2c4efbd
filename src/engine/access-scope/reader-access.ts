import type { Reader } from '../../records/reader.ts'
import { permits } from '../permission.ts'
import { AccessScope } from './access-scope.ts'
import { groupFlagOf } from './table-filters.ts'

/** Questions of handlers about the access of a reader's caller. */

const visibilityOf = ({ visibility, responseReader }: Reader) => visibility ?? responseReader?.visibility

/** The same reader, but what it sees follows from another permission than the operation's. */
export const withPermission = (db: Reader, permission: string): Reader =>
  db.visibility?.forPermission ? db.withVisibility(db.visibility.forPermission(permission)) : db

/** Does the caller hold a permission for a subject? With a group: and see that group of it? */
export const holdsFor = (db: Reader, permission: string, table: string, id: number, group?: string): boolean =>
  visibilityOf(db)?.holds?.(permission, table, id, group) ??
  (permits(db.caller.permissions, permission) && !(group && db.caller.withheld.has(group)))

/** The subjects that a permission covers if it does not cover everybody; otherwise none. */
export function idsCoveredBy(db: Reader, permission: string, table: string): readonly number[] {
  const visibility = visibilityOf(db)
  const covered = visibility instanceof AccessScope ? visibility.coveredIds(table, [permission]) : 'all'
  return covered === 'all' ? [] : [...covered]
}

/**
 * A function that tells whether a field group of a record is hidden from the caller. Code that loads further data of records
 * uses it to leave out the same groups as the fields do.
 */
export async function hiddenGroupPredicate(
  reader: Reader,
  table: string,
  ids: readonly number[],
): Promise<(id: number, group: string | null) => boolean> {
  const db = reader.responseReader ?? reader
  const partial = [...(db.visibility?.hiddenGroupsOf(table).partial ?? [])]
  if (partial.length === 0 || ids.length === 0) return () => false
  const rows = await db
    .from(table)
    .select(['id', ...partial.map(groupFlagOf)])
    .where('id', 'in', [...ids])
    .execute()
  const byId = new Map(rows.map((row) => [row.id as number, row]))
  return (id, group) => {
    const isHidden = group !== null && partial.includes(group) && !byId.get(id)?.[groupFlagOf(group)]
    if (isHidden) reader.omitted.add(group)
    return isHidden
  }
}
