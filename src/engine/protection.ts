import { chunks } from '../records/chunks.ts'
import type { Reader } from '../records/reader.ts'
import type { Resource } from './declaration.ts'
import { columnsOf } from './resource.ts'

/**
 * Field groups that records belong to because of a record that they refer to: a value has the group of its definition, a document
 * that of its folder. The history asks for deleted records, too.
 */

export type Kinds = ReadonlyMap<string, Resource>

/** The groups of each record; null if they are no longer known. */
type Groups = Map<number, ReadonlySet<string> | null>

/** A column that refers to records of a table, which put the record into a group. */
type GroupReference = { column: string; table: string }

const groupReferences = new WeakMap<Kinds, Map<Resource, readonly GroupReference[]>>()

/**
 * The columns by which records of a resource refer to a record that puts them into a group, directly or through others. They are
 * cached, because every request with an access scope needs those of all resources.
 */
export function groupReferencesOf(kinds: Kinds, of: Resource): readonly GroupReference[] {
  const byResource = groupReferences.get(kinds) ?? new Map<Resource, readonly GroupReference[]>()
  groupReferences.set(kinds, byResource)
  const references = byResource.get(of) ?? findGroupReferences(kinds, of, [])
  byResource.set(of, references)
  return references
}

function findGroupReferences(kinds: Kinds, of: Resource, above: readonly Resource[]): GroupReference[] {
  return columnsOf(of).flatMap(([column, { reference }]) => {
    const target = reference && kinds.get(reference.table)
    if (!target || target === of || above.includes(target)) return []
    const isGroupReference =
      protectorOf(target) !== undefined || findGroupReferences(kinds, target, [...above, of]).length > 0
    return isGroupReference ? [{ column, table: target.table }] : []
  })
}

/** The column that holds the group of the records that refer to this one. */
export const protectorOf = (of: Resource) => columnsOf(of).find(([, field]) => field.protects)?.[0]

/** Can records of a resource be in a group because of a record that they refer to? */
export const isGuarded = (kinds: Kinds, of: Resource): boolean => groupReferencesOf(kinds, of).length > 0

/** The groups that records are in because of the records that they refer to. */
export async function groupsOf(db: Reader, kinds: Kinds, of: Resource, ids: readonly number[]): Promise<Groups> {
  const references = groupReferencesOf(kinds, of)
  const rows = await rowsThatWere(db, of, ids, [...references.map(({ column }) => column)])
  const byRecord: Map<number, Set<string> | null> = new Map(
    ids.map((id) => [id, rows.has(id) ? new Set<string>() : null]),
  )
  for (const { column, table } of references) {
    const target = kinds.get(table) as Resource
    const named = [...new Set([...rows.values()].flatMap((row) => (row[column] as number | null) ?? []))]
    const groups = await groupsGivenBy(db, kinds, target, named)
    for (const [id, row] of rows) {
      if (row[column] === null || row[column] === undefined) continue
      const given = groups.get(row[column] as number)
      if (!given) byRecord.set(id, null)
      else for (const group of given) byRecord.get(id)?.add(group)
    }
  }
  return byRecord
}

/** The groups into which records put those that refer to them: the group in their own column, and those that they are in. */
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

/** Columns of records as they are now, or as they were when they were deleted. */
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
