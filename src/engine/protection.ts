import { chunks } from '../ledger/chunks.ts'
import type { Reader } from '../ledger/reader.ts'
import type { Resource } from './declaration.ts'
import { columnsOf } from './resource.ts'

/**
 * Groups of data that records belong to because of what they name: a value that of its definition, a document that of
 * its folder. Whoever reads the past asks here, for what is gone as well.
 */

export type Kinds = ReadonlyMap<string, Resource>

/** The groups of each record; null where that cannot be told any more. */
type Groups = Map<number, ReadonlySet<string> | null>

type Guard = { column: string; table: string }

const guards = new WeakMap<Kinds, Map<Resource, readonly Guard[]>>()

/**
 * The columns by which records of a kind name something that puts them into a group, directly or through others. Found
 * once for each kind, as every request of somebody who does not see everything asks for those of all kinds.
 */
export function guardsOf(kinds: Kinds, of: Resource): readonly Guard[] {
  const known = guards.get(kinds) ?? new Map<Resource, readonly Guard[]>()
  guards.set(kinds, known)
  const found = known.get(of) ?? findGuards(kinds, of, [])
  known.set(of, found)
  return found
}

function findGuards(kinds: Kinds, of: Resource, above: readonly Resource[]): Guard[] {
  return columnsOf(of).flatMap(([column, { reference }]) => {
    const target = reference && kinds.get(reference.table)
    if (!target || target === of || above.includes(target)) return []
    const isGuard = protectorOf(target) !== undefined || findGuards(kinds, target, [...above, of]).length > 0
    return isGuard ? [{ column, table: target.table }] : []
  })
}

export const protectorOf = (of: Resource) => columnsOf(of).find(([, field]) => field.protects)?.[0]

/** Can records of this kind belong to a group because of what they name? */
export const isGuarded = (kinds: Kinds, of: Resource): boolean => guardsOf(kinds, of).length > 0

/** The groups that records belong to because of what they name. */
export async function groupsOf(db: Reader, kinds: Kinds, of: Resource, ids: readonly number[]): Promise<Groups> {
  const guards = guardsOf(kinds, of)
  const rows = await rowsThatWere(db, of, ids, [...guards.map(({ column }) => column)])
  const found: Map<number, Set<string> | null> = new Map(ids.map((id) => [id, rows.has(id) ? new Set<string>() : null]))
  for (const { column, table } of guards) {
    const target = kinds.get(table) as Resource
    const named = [...new Set([...rows.values()].flatMap((row) => (row[column] as number | null) ?? []))]
    const groups = await groupsGivenBy(db, kinds, target, named)
    for (const [id, row] of rows) {
      if (row[column] === null || row[column] === undefined) continue
      const given = groups.get(row[column] as number)
      if (!given) found.set(id, null)
      else for (const group of given) found.get(id)?.add(group)
    }
  }
  return found
}

/** The groups into which records put those that name them: what they say themselves, and what they belong to. */
export async function groupsGivenBy(db: Reader, kinds: Kinds, of: Resource, ids: readonly number[]): Promise<Groups> {
  const protector = protectorOf(of)
  const groups = await groupsOf(db, kinds, of, ids)
  if (!protector) return groups
  const rows = await rowsThatWere(db, of, ids, [protector])
  return new Map(
    ids.map((id) => {
      const [own, given] = [rows.get(id)?.[protector], groups.get(id)]
      return [id, given && typeof own === 'string' ? new Set([...given, own]) : (given ?? null)]
    }),
  )
}

type ValuesBefore = Map<number, Record<string, unknown>>

/** Columns of records as they stand, or as they stood when they were deleted. */
export async function rowsThatWere(
  db: Reader,
  of: Resource,
  ids: readonly number[],
  columns: string[],
): Promise<ValuesBefore> {
  const rows: ValuesBefore = new Map()
  for (const some of chunks([...new Set(ids)], 1000)) {
    for (const row of await db
      .from(of.table)
      .select(['id', ...columns])
      .where('id', 'in', some)
      .execute())
      rows.set(row.id, row)
    const gone = some.filter((id) => !rows.has(id))
    if (gone.length === 0) continue
    const deletions = db.from('ledger').select(['record_id', 'before']).where('resource', '=', of.table)
    const last = await deletions.where('record_id', 'in', gone).where('action', '=', 'delete').orderBy('no').execute()
    for (const { record_id, before } of last) if (before !== null) rows.set(record_id, JSON.parse(before))
  }
  return rows
}
