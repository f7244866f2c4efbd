import type { Caller } from '../records/caller.ts'
import type { Scopes } from './access-scope/scopes.ts'
import { isSubject, subjectPathsOf } from './access-scope/subjects.ts'
import type { Resource } from './declaration.ts'
import type { Operation } from './operation.ts'
import { isGuarded, type Kinds, protectorOf } from './protection.ts'
import { fieldOf, kindOf } from './resource.ts'

/**
 * The tables that decide what a caller may see of the response of an operation; none for a caller who may see everything.
 * They come from the declarations: the tables of access scopes, the ways from a record to the people it is about, records that only some
 * people may see, and what puts a record into a field group. A stored response is replayed only while these tables are unchanged.
 */
export function visibilityTables(
  { scopes, kinds }: { scopes: Scopes; kinds: Kinds },
  operation: Operation,
  caller: Caller,
): ReadonlySet<string> {
  const params = Object.values(operation.params.properties as Record<string, Record<string, any>>)
  const names = [operation.kind, ...params.map((schema) => schema['x-reference'])]
  const named = names.flatMap((table) => kinds.get(table) ?? [])
  const all = [...kinds.values()]
  const told = operation.multiResource ? all : [...named, ...all.filter(({ area }) => area === operation.area)]
  const tables = new Set<string>()
  const add = (some: Iterable<string>) => {
    for (const table of some) tables.add(table)
  }
  for (const { rowPolicy } of told) if (rowPolicy && !rowPolicy.seesAll(caller)) add(rowPolicy.dependsOn)
  if (caller.grants || caller.withheld.size > 0)
    add([...all.filter(protectorOf), ...named.filter((of) => isGuarded(kinds, of))].map(({ table }) => table))
  if (caller.grants) {
    for (const { scope } of caller.grants) add(scopes[scope.kind]?.dependsOn ?? [])
    for (const of of told) add(waysFrom(of))
    // What is gone is seen by nobody.
    add(named.filter((of) => !isSubject(of)).map(({ table }) => table))
  }
  return tables
}

/** The tables that say which people a record is about: its own table, unless the path names them, and the tables on the way. */
function waysFrom(of: Resource): string[] {
  return (subjectPathsOf(of) ?? []).flatMap((way) => {
    if (way === 'self') return []
    if ('from' in way) return [way.from, ...waysFrom(kindOf(way.from))]
    const target = kindOf(fieldOf(of, way.column).reference?.table as string)
    return [...(of.parents.includes(way.column) ? [] : [of.table]), ...(isSubject(target) ? [] : waysFrom(target))]
  })
}
