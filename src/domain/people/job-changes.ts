import { holdsFor } from '../../engine/access-scope/reader-access.ts'
import { type Dated, mendEntries, ownFieldsFor } from '../../engine/dated.ts'
import type { Field, Made, Resource, Row, Sent } from '../../engine/declaration.ts'
import { type FieldProblem, wrong } from '../../engine/problem.ts'
import { type Attempt, attempt, insertAll, rowsOf, storeChanges } from '../../engine/records.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { PLANNED } from '../access/permissions.ts'

/** What a change of an employee makes of the dated entries of their job. */

type JobEntryResource = Dated & Resource<{ employee_id: Field<number> }>

export type EntryPlan<R extends Resource> = {
  /** The first entry, when it moves with the day of hiring. */
  move: Attempt<R> | null
  /** What is to hold from the day of the change on. */
  entry: Attempt<R> | null
  /** Since when the entry holds that this is made from, once the first one has moved. */
  since: string | null
  /** There are no entries yet. */
  isFirst: boolean
}

/** The entries of some people, each one's in the order of their days. */
export async function entriesOf<R extends Resource & JobEntryResource>(
  db: Reader,
  of: R,
  ids: number[],
): Promise<ReadonlyMap<number, Row<R>[]>> {
  if (ids.length === 0) return new Map()
  const rows = await rowsOf(of, db.from(of.table).where('employee_id', 'in', ids), ['effective_from'])
  return Map.groupBy(rows, (row) => (row as Row<JobEntryResource>).employee_id)
}

/** The one of a person's entries that holds on a day. */
export const holdingAmong = <T extends { effective_from: string }>(entries: readonly T[], day: string): T | null =>
  entries.findLast((entry) => entry.effective_from <= day) ?? null

export function planEntry<R extends Resource & JobEntryResource>(
  db: Writer,
  of: R,
  entries: readonly Row<R>[],
  change: {
    from: string
    /** From which day of hiring to which; null when there was none. */
    moved: { from: string | null; to: string } | null
    sent: Record<string, unknown>
    problems: FieldProblem[]
  },
): EntryPlan<R> {
  const { from, moved, sent, problems } = change
  // Entries of a former employment stay where they are.
  const since = moved?.from ?? null
  const [first, second] = (entries as Row<JobEntryResource>[]).filter(
    ({ effective_from }) => since === null || effective_from >= since,
  )
  // What begins with the hiring moves with it, as far as the next entry.
  const begins = first && moved && (moved.from === null || first.effective_from === moved.from)
  const isPassing = begins && second && moved.to >= second.effective_from
  const isMoved = begins && moved.to !== first.effective_from && !isPassing
  const redated = (isMoved ? { effective_from: moved.to } : {}) as Sent<R>
  if (begins && moved.to !== first.effective_from) {
    const after = { ...first, effective_from: moved.to }
    db.responseReader?.visibility?.refuseHeldBack?.(of.table, [
      { before: first, changes: { effective_from: moved.to }, after },
    ])
  }
  const passed = moved && passedBy(db, entries as Row<JobEntryResource>[], moved, Boolean(begins))
  if (passed) {
    const along = begins ? `${of.one} ${first.id}, the first one, would move to that day, but ` : ''
    const why = `${along}${of.one} ${passed.id} starts on ${passed.effective_from}`
    problems.push(
      wrong('hired_on', 'passes_next', `cannot be ${moved.to}: ${why}. Change ${of.one} ${passed.id} first`),
    )
  }
  const move = isMoved ? attempt(db, of, first as Row<R>, redated) : null
  if (Object.keys(sent).length === 0) return { move, entry: null, since: null, isFirst: entries.length === 0 }
  const dated = (entries as Row<JobEntryResource>[]).map((entry) => ({
    effective_from: isMoved && entry === first ? moved.to : entry.effective_from,
    entry: entry as Row<R>,
  }))
  const now = holdingAmong(dated, from)
  const isFirst = isMoved && now?.entry === first && now?.effective_from === from
  const entry = attempt(db, of, now?.entry ?? null, { ...sent, ...(isFirst ? redated : {}) } as Sent<R>, problems)
  const own = ownFieldsFor(of, entry, now?.effective_from === from)
  Object.assign(entry.changes, own)
  Object.assign(entry.after, own)
  return { move: isFirst ? null : move, entry, since: now?.effective_from ?? null, isFirst: entries.length === 0 }
}

/** The entry that would lie before the employment, or that the first one would have to pass, as far as the caller may know of it. */
function passedBy(
  db: Writer,
  entries: readonly Row<JobEntryResource>[],
  { from, to }: { from: string | null; to: string },
  isAlong: boolean,
): Row<JobEntryResource> | undefined {
  if (from === null) return undefined
  // Back in time, entries of a former employment may be in the way.
  const passed =
    to < from
      ? entries.findLast(({ effective_from: day }) => to <= day && day < from)
      : entries.find(({ effective_from: day }) => from < day && (isAlong ? day <= to : day < to))
  const isKnown =
    passed &&
    (passed.effective_from <= db.today || holdsFor(db, 'employees:read', 'employees', passed.employee_id, PLANNED))
  return isKnown ? passed : undefined
}

/** What an entry says for itself, and not for the next one. */
const ITS_OWN = { comment: '', announced_on: null, known_on: null, end_announced_on: null }

/** Writes what changes jobs: into the entries that begin on the day, or as new ones. Tells whose have changed. */
export async function storeEntries<R extends Resource & JobEntryResource>(
  db: Writer,
  of: R,
  all: { employeeId: number; plan: EntryPlan<R>; from: string; announced: string | null }[],
): Promise<number[]> {
  const fresh: Made<R>[] = []
  const changed: Attempt<R>[] = []
  const touched = new Set<number>()
  for (const { employeeId, plan, from, announced } of all) {
    const { move, entry } = plan
    if (move) {
      changed.push(move)
      touched.add(employeeId)
    }
    if (!entry) continue
    const { stated: _, ...values }: Record<string, unknown> = entry.changes
    const before: Record<string, unknown> | null = entry.before
    if (Object.entries(values).every(([name, value]) => (before?.[name] ?? null) === value)) continue
    touched.add(employeeId)
    // One that moves away from this day is no longer the one that begins on it.
    if (before && plan.since === from) changed.push(entry)
    else {
      const its = {
        ...ITS_OWN,
        employee_id: employeeId,
        effective_from: from,
        announced_on: announced,
        known_on: announced ?? from,
      }
      fresh.push({ ...entry.after, ...its } as unknown as Made<R>)
    }
  }
  await storeChanges(db, of, changed)
  await insertAll(db, of, fresh)
  const alone = new Set(all.flatMap(({ employeeId, plan }) => (plan.isFirst ? employeeId : [])))
  await mendEntries(
    db,
    of,
    'employee_id',
    [...touched].filter((id) => !alone.has(id)),
  )
  return [...touched]
}
