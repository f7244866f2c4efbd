import { chunks } from '../records/chunks.ts'
import type { Columns } from '../records/entries.ts'
import { type Reader, startOfDay } from '../records/reader.ts'
import { daysAfter } from './day.ts'

/**
 * The values of columns at the end of a day, read from the ledger: for definitions without dates of their own, such as names.
 * Before a record was created, its first values count.
 */
export type ColumnHistory = {
  /** The records that are there now, and those that were deleted since. */
  readonly ids: ReadonlySet<number>
  on(day: string, id: number): Columns | undefined
}

/** Reads the values of some columns since a day, of these records or of all records of a table. */
export async function columnHistory(
  db: Reader,
  table: string,
  columns: readonly string[],
  { since, ids }: { since: string; ids?: readonly number[] },
): Promise<ColumnHistory> {
  const ends = new Map<string, string>()
  const endOf = (day: string): string => {
    const known = ends.get(day) ?? startOfDay(daysAfter(day, 1), db.account.time_zone).toISOString()
    ends.set(day, known)
    return known
  }
  const now = new Map<number, Columns>()
  const steps = new Map<number, { at: string; before: Columns }[]>()
  for (const some of ids ? chunks([...new Set(ids)], 1000) : [null]) {
    const rows = db.from(table).select(['id', ...columns])
    for (const row of await (some ? rows.where('id', 'in', some) : rows).execute()) now.set(row.id, row)
    if (since >= db.today) continue
    const later = db
      .from('ledger')
      .select(['at', 'record_id', 'before'])
      .where('resource', '=', table)
      .where('at', '>=', endOf(since))
      .where((eb) => eb.or(columns.map((name) => eb('before', 'like', `%"${name}"%`))))
      .orderBy('no', 'desc')
    for (const { at, record_id: id, before } of await (some ? later.where('record_id', 'in', some) : later).execute()) {
      const own = steps.get(id) ?? []
      own.push({ at: new Date(at).toISOString(), before: JSON.parse(before) })
      steps.set(id, own)
    }
  }
  return {
    ids: new Set([...now.keys(), ...steps.keys()]),
    on(day, id) {
      const own = day < db.today ? (steps.get(id) ?? []).filter(({ at }) => at >= endOf(day)) : []
      if (own.length === 0) return now.get(id)
      const held: Columns = Object.assign({}, now.get(id), ...own.map(({ before }) => before))
      return { id, ...Object.fromEntries(columns.map((name) => [name, held[name]])) }
    },
  }
}
