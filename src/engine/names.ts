import type { Reader } from '../records/reader.ts'
import type { Resource } from './declaration.ts'
import { groupsOf, isGuarded, type Kinds, rowsThatWere } from './protection.ts'
import { columnsOf, fieldOf } from './resource.ts'
import { maySee } from './trace.ts'

/** What records are called, for people who read of them. */

/** The columns that make a name: of these, the first that a kind of record has. */
const NAMES = [['first_name', 'last_name'], ['full_name'], ['name'], ['title']]

const namedBy = (of: Resource): string[] => {
  const columns = new Set(columnsOf(of).map(([name]) => name))
  return NAMES.find((names) => names.every((name) => columns.has(name))) ?? []
}

export const hasName = (of: Resource): boolean => namedBy(of).length > 0

/** The name of a record; undefined where it has none, or the caller may not know it, or nobody knows it any more. */
export type Names = (table: string, id: number) => string | undefined

/** Names of records of any kinds, also of those that are gone: a statement or two for each table. */
export async function namesOf(
  db: Reader,
  kinds: Kinds,
  wanted: Iterable<readonly [string, number]>,
  already: Names = () => undefined,
): Promise<Names> {
  const found = new Map<string, string>()
  const missing = [...wanted].filter(([table, id]) => already(table, id) === undefined)
  for (const [table, some] of Map.groupBy(missing, ([table]) => table)) {
    const of = kinds.get(table)
    if (!of || !maySee(of, db)) continue
    const { withheld } = db.caller
    const names = namedBy(of)
    if (names.length === 0 || names.some((name) => withheld.has(fieldOf(of, name).group ?? ''))) continue
    const ids = [...new Set(some.map(([, id]) => id))]
    const rows = await rowsThatWere(db, of, ids, names)
    const groups = withheld.size > 0 && isGuarded(kinds, of) ? await groupsOf(db, kinds, of, ids) : undefined
    for (const [id, row] of rows) {
      const given = groups ? groups.get(id) : new Set<string>()
      if (given && ![...given].some((group) => withheld.has(group)))
        found.set(`${table} ${id}`, names.map((name) => row[name]).join(' '))
    }
  }
  return (table, id) => found.get(`${table} ${id}`) ?? already(table, id)
}

/** A row that tells of a record, and of the one that it is a part of: `resource`, `record_id`, `owner`, `owner_id`. */
type Part = Record<string, any>

/**
 * What records are called in lists of all kinds: by their own name, by that of the record that they are a part of, or by that
 * of the first record that they name, as a leave request by whose it is.
 */
export async function titlesOf(db: Reader, kinds: Kinds, parts: readonly Part[]): Promise<(of: Part) => string | null> {
  const known = await namesOf(
    db,
    kinds,
    parts.flatMap(({ resource, record_id, owner, owner_id }) => [
      [resource, record_id] as const,
      ...(owner === null ? [] : [[owner, owner_id] as const]),
    ]),
  )
  const titleOf = ({ resource, record_id, owner, owner_id }: Part) =>
    known(resource, record_id) ?? (owner === null ? undefined : known(owner, owner_id))
  const nameless = parts.filter((one) => titleOf(one) === undefined)
  const namedIn = await firstNamed(db, kinds, nameless)
  const further = await namesOf(db, kinds, namedIn.values())
  return (one) => {
    const named = namedIn.get(`${one.resource} ${one.record_id}`)
    return titleOf(one) ?? (named && further(...named)) ?? null
  }
}

/** The first record with a name that each of these names, as far as the caller may know that. */
async function firstNamed(db: Reader, kinds: Kinds, parts: readonly Part[]) {
  const found = new Map<string, readonly [string, number]>()
  const { withheld } = db.caller
  for (const [table, some] of Map.groupBy(parts, ({ resource }) => resource)) {
    const of = kinds.get(table)
    if (!of || !maySee(of, db) || (withheld.size > 0 && isGuarded(kinds, of))) continue
    const references = columnsOf(of).flatMap(([column, { reference, group }]) => {
      const target = reference && kinds.get(reference.table)
      return target && hasName(target) && !withheld.has(group ?? '') ? [{ column, table: target.table }] : []
    })
    if (references.length === 0) continue
    const ids = some.map(({ record_id }) => record_id)
    const columns = references.map(({ column }) => column)
    for (const [id, row] of await rowsThatWere(db, of, ids, columns)) {
      const first = references.find(({ column }) => typeof row[column] === 'number')
      if (first) found.set(`${table} ${id}`, [first.table, row[first.column] as number])
    }
  }
  return found
}
