import type { Reader } from '../ledger/reader.ts'
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
