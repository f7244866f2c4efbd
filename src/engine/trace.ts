import type { Columns, Entry } from '../records/entries.ts'
import type { Reader } from '../records/reader.ts'
import type { MonitoredRead, Watched } from '../records/reads.ts'
import type { Field, Resource } from './declaration.ts'
import { permits } from './permission.ts'
import { groupsOf, isGuarded, type Kinds } from './protection.ts'
import { seesAll } from './records.ts'
import { fieldOf, isColumn, toldName } from './resource.ts'

/** Ledger entries as the API shows them, without data that the caller may not see. */

/** An entry as the caller sees it. `omitted` are the field groups and resources that were removed from it. */
export type Trace = Omit<Entry, 'before' | 'after'> & {
  before: Columns | null
  after: Columns | null
  /** The names of the changed fields. */
  fields: string[]
  omitted: string[]
  /** The field groups of the values that it shows. */
  held: string[]
}

/** May the caller see changes of a resource? Only if the caller may read all of its records. */
export const maySee = (of: Resource, db: Reader): boolean =>
  seesAll(of, db) && permits(db.caller.permissions, of.readWith) && !(of.group && db.caller.withheld.has(of.group))

/** The field groups that are hidden in at least some records of a resource. The history shows them for no record. */
export function hiddenOf({ table }: Resource, { caller, visibility, responseReader }: Reader): ReadonlySet<string> {
  const hidden = (visibility ?? responseReader?.visibility)?.hiddenGroupsOf(table)
  return hidden ? new Set([...caller.withheld, ...hidden.withheld, ...hidden.partial]) : caller.withheld
}

/** Does the caller see all changes of a resource? Then none of its records can be in a hidden group. */
export const seesWhole = (of: Resource, db: Reader, kinds: Kinds): boolean =>
  maySee(of, db) && !isHeldBackFrom(of, db) && (hiddenOf(of, db).size === 0 || !isGuarded(kinds, of))

/** Is data of these records held back from the caller? */
export const isHeldBackFrom = (of: Resource, db: Reader): boolean =>
  of.heldBack !== null && hiddenOf(of, db).has(of.heldBack.group)

/** The resources whose changes the caller may see, and those that are left out. */
export function kindsSeen(db: Reader, kinds: Kinds): { seen: Resource[]; hidden: Resource[] } {
  const { seen = [], hidden = [] } = Object.groupBy(kinds.values(), (of) => (maySee(of, db) ? 'seen' : 'hidden'))
  return { seen, hidden }
}

/**
 * The resources of which the caller may not see all changes. They follow from the caller's rights alone, so they reveal nothing
 * about the records.
 */
export const kindsCut = (db: Reader, kinds: Kinds): Resource[] =>
  [...kinds.values()].filter((of) => !seesWhole(of, db, kinds))

/**
 * Entries as the caller may see them, in their order. Entries of hidden resources are left out, and so are those of records that
 * are in a hidden group because of a record that they refer to.
 */
export async function tracesOf(db: Reader, kinds: Kinds, entries: readonly Entry[]): Promise<Trace[]> {
  const visible = entries.filter(({ resource }) => {
    const of = kinds.get(resource)
    return of && maySee(of, db)
  })
  const withheldFrom = new Set<Entry>()
  const givenTo = new Map<Entry, ReadonlySet<string>>()
  for (const [table, own] of Map.groupBy(visible, ({ resource }) => resource)) {
    const of = kinds.get(table) as Resource
    if (!isGuarded(kinds, of)) continue
    const withheld = hiddenOf(of, db)
    const groups = await groupsOf(
      db,
      kinds,
      of,
      own.map(({ record_id }) => record_id),
    )
    for (const entry of own) {
      const given = groups.get(entry.record_id)
      if (given) givenTo.set(entry, given)
      const hit = given ? [...given].filter((group) => withheld.has(group)) : [...withheld]
      if (hit.length > 0) withheldFrom.add(entry)
      for (const group of hit) db.omitted.add(group)
    }
  }
  const traces = visible
    .filter((entry) => !withheldFrom.has(entry))
    .map((entry) => {
      const of = kinds.get(entry.resource) as Resource
      const withheld = hiddenOf(of, db)
      const trace = traceOf(of, entry, withheld, (field) => mayName(db, kinds, field))
      for (const group of trace.omitted) if (withheld.has(group)) db.omitted.add(group)
      const whole = (entry.before ?? entry.after) === null ? [] : [...(givenTo.get(entry) ?? []), of.group ?? []].flat()
      return { ...trace, held: [...new Set([...trace.held, ...whole])] }
    })
    .filter((trace) => tellsMore(trace, kinds, db))
  db.shown.push((watched) => traces.flatMap((trace) => monitoredReadsIn(trace, watched)))
  return traces
}

/** An update without visible fields is left out if plans are held back: it would reveal that there is one. */
function tellsMore({ action, resource, fields }: Trace, kinds: Kinds, db: Reader): boolean {
  const of = kinds.get(resource) as Resource
  return action !== 'update' || fields.length > 0 || !isHeldBackFrom(of, db)
}

function monitoredReadsIn(
  { resource, record_id, owner, owner_id, held, before, after }: Trace,
  watched: Watched,
): MonitoredRead[] {
  const kind = (before ?? after) === null ? undefined : watched.kinds.get(resource)
  const whats = [...held.filter((group) => watched.groups.has(group)), ...(kind ? [kind] : [])]
  return whats.map((what) => ({ what, resource, record_id, owner, owner_id }))
}

/** May the caller see a reference that responses do not show? Only if the caller may read its target. */
function mayName(db: Reader, kinds: Kinds, { reference, input, output }: Field): boolean {
  if (!reference || input !== null || output !== null || reference.shape) return true
  const target = kinds.get(reference.table)
  return target === undefined || maySee(target, db)
}

/**
 * An entry, decoded by the fields of its resource. It shows references as ids under the names of the body. Fields that are neither
 * sent nor shown declare their own form. Hidden groups are left out.
 */
export function traceOf(
  of: Resource,
  entry: Entry,
  withheld: ReadonlySet<string>,
  mayBeNamed: (field: Field) => boolean = () => true,
): Trace {
  const omitted = new Set<string>()
  const held = new Set<string>()
  const shown = (columns: Columns | null) => {
    if (columns === null) return null
    const values: Columns = {}
    for (const [name, value] of Object.entries(columns)) {
      if (!isColumn(of, name)) continue
      const field = fieldOf(of, name)
      const as = toldName(name, field)
      if (as === null) continue
      if (field.reference && !mayBeNamed(field)) omitted.add(field.reference.table)
      else if (field.group && withheld.has(field.group)) omitted.add(field.group)
      else if (isHeldBack(of, name, withheld)) omitted.add(of.heldBack?.group as string)
      else {
        values[as] = toldValue(field, value, entry.at)
        if (field.group && value) held.add(field.group)
      }
    }
    return values
  }
  const [before, after] = [shown(entry.before), shown(entry.after)]
  const fields = Object.keys({ ...before, ...after }).filter((name) => !STAMPS.includes(name))
  return { ...entry, before, after, fields, omitted: [...omitted], held: [...held] }
}

/** The day does not matter here: callers who may not see plans may not learn when they were made, either. */
const isHeldBack = ({ heldBack }: Resource, name: string, withheld: ReadonlySet<string>): boolean =>
  Boolean(
    heldBack && withheld.has(heldBack.group) && (heldBack.columns?.includes(name) || heldBack.ends?.column === name),
  )

const toldValue = (field: Field, stored: unknown, at: string) => {
  const value = field.read(stored)
  return field.tells && 'as' in field.tells ? field.tells.show(value, at.slice(0, 10)) : field.show(value)
}

const STAMPS = ['id', 'created_at', 'updated_at']
