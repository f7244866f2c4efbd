import type { Columns, Entry } from '../ledger/entries.ts'
import type { Resource } from './declaration.ts'
import { fieldOf, shownName } from './resource.ts'

/** Reading the ledger: entries with their values as the interface shows them. */

/** An entry as a reader sees it, and the field groups that were cut out of it. */
export type Trace = Omit<Entry, 'before' | 'after'> & {
  before: Columns | null
  after: Columns | null
  omitted: string[]
}

/**
 * An entry, decoded through the fields of its resource. References are shown by their ids, under the name that bodies
 * send them by; what is neither sent nor shown stays out, and so do the groups that are withheld.
 */
export function traceOf(of: Resource, entry: Entry, withheld: ReadonlySet<string>): Trace {
  const omitted = new Set<string>()
  const shown = (columns: Columns | null) => {
    if (columns === null) return null
    const values: Columns = {}
    for (const [name, value] of Object.entries(columns)) {
      const field = fieldOf(of, name)
      if (field.input === null && field.output === null && !field.reference) continue
      if (field.group && withheld.has(field.group)) omitted.add(field.group)
      else values[field.reference ? name : shownName(name, field)] = field.show(field.read(value))
    }
    return values
  }
  return { ...entry, before: shown(entry.before), after: shown(entry.after), omitted: [...omitted] }
}
