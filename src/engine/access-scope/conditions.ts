import type { Condition } from '../../database/rewrite-query.ts'
import { chunks } from '../../records/chunks.ts'
import type { Reader, Visibility } from '../../records/reader.ts'
import type { Resource } from '../declaration.ts'
import { pastTableOf } from '../resource.ts'
import type { CoveredIds } from './coverage.ts'

export const idsIn = (column: string, covered: CoveredIds): Condition =>
  covered === 'all' ? true : covered.size === 0 ? false : { column, ids: JSON.stringify([...covered]) }

export function anyOf(conditions: readonly Condition[]): Condition {
  if (conditions.includes(true)) return true
  const some = conditions.filter((one) => one !== false)
  return some.length === 0 ? false : some.length === 1 ? (some[0] as Condition) : { any: some }
}

export function allOf(conditions: readonly Condition[]): Condition {
  if (conditions.includes(false)) return false
  const some = conditions.filter((one) => one !== true)
  return some.length === 0 ? true : some.length === 1 ? (some[0] as Condition) : { all: some }
}

const columnNames = new WeakMap<Resource, readonly string[]>()

/** All columns of a resource's table. They are cached, because each filtered request needs those of many tables. */
export function columnNamesOf(of: Resource): readonly string[] {
  const names = columnNames.get(of) ?? Object.keys(pastTableOf(of).columns)
  columnNames.set(of, names)
  return names
}

export const noHiddenGroups: Visibility['hiddenGroupsOf'] = () => ({ withheld: new Set(), partial: new Set() })

/** The visibility of a reader that sees everything. */
export const EVERYTHING: Visibility = {
  tableFilterOf: () => undefined,
  key: '',
  hiddenGroupsOf: noHiddenGroups,
  seesAll: () => true,
}

/** The ids of the records that meet a condition. */
export async function idsWhere(
  db: Reader,
  of: Resource,
  rows: Condition,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (rows === true) return new Set(ids)
  if (rows === false || ids.length === 0) return new Set()
  const { table } = of
  const filter = {
    name: table,
    table,
    accountId: db.account.id,
    columns: columnNamesOf(of),
    rows,
    masks: {},
    flags: {},
  }
  const filtered = db.withVisibility({
    tableFilterOf: (name) => (name === table ? filter : undefined),
    key: '',
    hiddenGroupsOf: noHiddenGroups,
    seesAll: () => false,
  })
  const matching = new Set<number>()
  for (const some of chunks([...new Set(ids)], 1000)) {
    const rows = await filtered.from(table).select('id').where('id', 'in', some).execute()
    for (const { id } of rows) matching.add(id)
  }
  return matching
}
