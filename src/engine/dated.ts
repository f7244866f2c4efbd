import type { Query } from '../records/reader.ts'
import type { Writer } from '../records/write.ts'
import type { Field, Resource, Row } from './declaration.ts'
import { date, hidden, json, notInFeed, told } from './field.ts'
import { type Attempt, attempt, rowsOf, storeChanges } from './records.ts'

/**
 * Dated records: each holds from its `effective_from` until the next one of the same owner begins. The end is kept
 * beside the beginning, so that what is in force on a day is one comparison of two columns.
 */
export const FOREVER = '9999-12-31'

/** Before any day that matters: what has no beginning. */
export const ALWAYS = '0001-01-01'

/** The two columns of a dated record. */
export const datedFields = {
  effective_from: {
    ...date({ required: true, note: 'First day on which the entry applies', example: '2024-07-01' }),
    tells: told<string>('effective_from', (day) => (day === ALWAYS ? null : day)),
  } as Field<string, string>,
  /** The first day on which it does not hold any more. */
  effective_until: hidden(
    date({ required: true, default: FOREVER }),
    told('effective_until', (day) => (day === FOREVER ? null : day)),
  ),
}

/** The columns of dated records that may be announced before they hold. */
export const announcedFields = {
  announced_on: date({
    note: 'Date from which people who may not see planned changes, such as the person concerned, can see the entry; by default its first day',
  }),
  /** From when on it is seen: when it is announced, and not before the one that it inherits from. */
  known_on: hidden(date(), notInFeed('When the entry and those before it are announced')),
  /** The same of the next one, by which this one ends. */
  end_announced_on: hidden(date(), notInFeed('When the next entry is announced')),
}

/**
 * The column of dated records that set only some fields: the names of a record's own fields. It inherits the others (of those in
 * `inherits`) from the record before. Null: all are its own. The database and the ledger call it `stated`.
 */
export const ownFieldsColumn = {
  stated: json<readonly string[] | null>(null, notInFeed('Which fields the entry sets itself')),
}

type WithOwnFields = { stated?: readonly string[] | null }
type Values = Record<string, unknown>

/** The same value, also of lists. */
export const isEqual = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other))

/** Is a field the record's own, or inherited from the one before? */
export const hasOwnField = (row: WithOwnFields, name: string): boolean => row.stated?.includes(name) ?? true

/** The own fields of a new record: those that were sent. */
export const ownFieldsSent = (of: Resource, sent: Values): { stated: string[] } => ({
  stated: of.inherits.filter((name) => sent[name] !== undefined),
})

/** The own fields of a record after a change: those that it had, and those with another value now. */
export function ownFieldsAfter(of: Resource, before: Values, changes: Values): { stated?: string[] } {
  if (of.inherits.length === 0 || (before.stated ?? null) === null) return {}
  const isChanged = (name: string) => changes[name] !== undefined && !isEqual(changes[name], before[name])
  return { stated: of.inherits.filter((name) => hasOwnField(before as WithOwnFields, name) || isChanged(name)) }
}

/** The own fields of a record that is made from another: from the same one, or from the one before. */
export function ownFieldsFor<R extends Resource>(of: R, { before, changes }: Attempt<R>, isSame: boolean) {
  if (before && isSame) return ownFieldsAfter(of, before, changes)
  const known: Record<string, unknown> = before ?? {}
  const isOther = ([name, value]: [string, unknown]) => !before || !isEqual(known[name], value)
  return ownFieldsSent(of, Object.fromEntries(Object.entries(changes).filter(isOther)))
}

/** A kind of record that has them. */
export type Dated = Resource<typeof datedFields>

type Announced = { announced_on?: string | null }

/** From when on each entry of a line is known: none shows what it inherits from one that is not. */
function knownDays(line: readonly Row<Dated>[]): string[] {
  const days: string[] = []
  for (const { effective_from, announced_on } of line as (Row<Dated> & Announced)[]) {
    const [own, before] = [announced_on ?? effective_from, days.at(-1) ?? ALWAYS]
    days.push(own > before ? own : before)
  }
  return days
}

/** Narrows a query to what is in force on a day. */
export const inForce = (query: Query, table: string, day: string): Query =>
  query.where(`${table}.effective_from`, '<=', day).where(`${table}.effective_until`, '>', day)

/** The first record has nothing to inherit: its values are its own, so that a new one before it changes nothing. */
function ownFieldsOfFirst(of: Resource, row: Values & WithOwnFields): { stated?: string[] } {
  const own = of.inherits.filter((name) => hasOwnField(row, name) || (row[name] ?? null) !== null)
  return (row.stated ?? null) === null || own.length === row.stated?.length ? {} : { stated: own }
}

/**
 * Mends all entries of some owners after entries were added, changed, moved or taken away: each ends where the next one
 * begins, and inherits what is not its own from the one before. The first one keeps what it has.
 */
export async function mendEntries(
  db: Writer,
  of: Dated,
  owner: string,
  ids: number[],
  within: string[] = [],
): Promise<void> {
  if (ids.length === 0) return
  const rows = await rowsOf(of, db.from(of.table).where(owner, 'in', ids), ['effective_from'])
  const lineOf = (row: Record<string, unknown>) => [owner, ...within].map((column) => row[column]).join()
  const lines = [...Map.groupBy(rows, lineOf).values()]
  const wrong = lines.flatMap((line) => {
    let before: Values | null = null
    const known = knownDays(line)
    return line.flatMap((row, index) => {
      const next = line[index + 1]
      const right: Values = { effective_until: next?.effective_from ?? FOREVER }
      if ('known_on' in of.fields)
        Object.assign(right, { known_on: known[index], end_announced_on: known[index + 1] ?? null })
      for (const name of before ? of.inherits : [])
        if (!hasOwnField(row as WithOwnFields, name)) right[name] = before?.[name]
      if (!before) Object.assign(right, ownFieldsOfFirst(of, row))
      const isRight = Object.entries(right).every(([name, value]) => (row as Values)[name] === value)
      before = { ...row, ...right }
      return isRight ? [] : [{ ...attempt(db, of, row, {}), changes: right }]
    })
  })
  await storeChanges(db, of, wrong)
}
