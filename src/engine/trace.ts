import type { Columns, Entry } from '../ledger/entries.ts'
import type { Reader } from '../ledger/reader.ts'
import type { Sighting, Watched } from '../ledger/reads.ts'
import type { Field, Resource } from './declaration.ts'
import { permits } from './permission.ts'
import { groupsOf, isGuarded, type Kinds } from './protection.ts'
import { seesAll } from './records.ts'
import { fieldOf, isColumn, toldName } from './resource.ts'

/** Reading the ledger: entries with their values as the interface shows them, and without what a caller may not see. */

/** An entry as a reader sees it, and what was cut out of it: field groups, and kinds of records that it names. */
export type Trace = Omit<Entry, 'before' | 'after'> & {
  before: Columns | null
  after: Columns | null
  /** The names under which values have changed. */
  fields: string[]
  omitted: string[]
  /** The field groups that something is shown of. */
  held: string[]
}

/** Of a kind that the caller may not read, is kept from, or sees in part only, nobody's doings are told. */
export const maySee = (of: Resource, db: Reader): boolean =>
  seesAll(of, db) && permits(db.caller.permissions, of.readWith) && !(of.group && db.caller.withheld.has(of.group))

/** The groups of data that are kept from the caller of some records of a kind at least: of none is their past told. */
export function hiddenOf({ table }: Resource, { caller, visibility, responseReader }: Reader): ReadonlySet<string> {
  const hidden = (visibility ?? responseReader?.visibility)?.hiddenGroupsOf(table)
  return hidden ? new Set([...caller.withheld, ...hidden.withheld, ...hidden.partial]) : caller.withheld
}

/** Is a caller told all that was done to records of a kind? Nothing of them can belong to a group that is withheld from it. */
export const seesWhole = (of: Resource, db: Reader, kinds: Kinds): boolean =>
  maySee(of, db) && !isHeldBackFrom(of, db) && (hiddenOf(of, db).size === 0 || !isGuarded(kinds, of))

/** Is something of these records held back from a caller? */
export const isHeldBackFrom = (of: Resource, db: Reader): boolean =>
  of.heldBack !== null && hiddenOf(of, db).has(of.heldBack.group)

/** The kinds of records whose entries a caller may read, and those whose entries are left out. */
export function kindsSeen(db: Reader, kinds: Kinds): { seen: Resource[]; hidden: Resource[] } {
  const { seen = [], hidden = [] } = Object.groupBy(kinds.values(), (of) => (maySee(of, db) ? 'seen' : 'hidden'))
  return { seen, hidden }
}

/**
 * The kinds of records of which a caller may not be told all. It follows from the caller's rights alone, so that it
 * tells nothing of the records.
 */
export const kindsCut = (db: Reader, kinds: Kinds): Resource[] =>
  [...kinds.values()].filter((of) => !seesWhole(of, db, kinds))

/**
 * Entries as the caller may read them, in their order. Those of kinds that are hidden from it are left out, and so are
 * those of records that are put into a withheld group by what they name.
 */
export async function tracesOf(db: Reader, kinds: Kinds, entries: readonly Entry[]): Promise<Trace[]> {
  const known = entries.filter(({ resource }) => {
    const of = kinds.get(resource)
    return of && maySee(of, db)
  })
  const withheldFrom = new Set<Entry>()
  const givenTo = new Map<Entry, ReadonlySet<string>>()
  for (const [table, own] of Map.groupBy(known, ({ resource }) => resource)) {
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
  const traces = known
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
  db.shown.push((watched) => traces.flatMap((trace) => sightingsIn(trace, watched)))
  return traces
}

/** What only tells that something was planned is not told where plans are held back. */
function tellsMore({ action, resource, fields }: Trace, kinds: Kinds, db: Reader): boolean {
  const of = kinds.get(resource) as Resource
  return action !== 'update' || fields.length > 0 || !isHeldBackFrom(of, db)
}

function sightingsIn(
  { resource, record_id, owner, owner_id, held, before, after }: Trace,
  watched: Watched,
): Sighting[] {
  const kind = (before ?? after) === null ? undefined : watched.kinds.get(resource)
  const whats = [...held.filter((group) => watched.groups.has(group)), ...(kind ? [kind] : [])]
  return whats.map((what) => ({ what, resource, record_id, owner, owner_id }))
}

/** What a record names without showing it is told to those who may read that kind of record. */
function mayName(db: Reader, kinds: Kinds, { reference, input, output }: Field): boolean {
  if (!reference || input !== null || output !== null || reference.shape) return true
  const target = kinds.get(reference.table)
  return target === undefined || maySee(target, db)
}

/**
 * An entry, decoded through the fields of its resource. References are shown by their ids, under the name that bodies
 * send them by, what is neither sent nor shown as it says itself; the groups that are withheld stay out.
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

/** When the day was is not asked: who is kept from what is ahead is told nothing of when it was decided, either. */
const isHeldBack = ({ heldBack }: Resource, name: string, withheld: ReadonlySet<string>): boolean =>
  Boolean(
    heldBack && withheld.has(heldBack.group) && (heldBack.columns?.includes(name) || heldBack.ends?.column === name),
  )

const toldValue = (field: Field, kept: unknown, at: string) => {
  const value = field.read(kept)
  return field.tells && 'as' in field.tells ? field.tells.show(value, at.slice(0, 10)) : field.show(value)
}

const STAMPS = ['id', 'created_at', 'updated_at']
