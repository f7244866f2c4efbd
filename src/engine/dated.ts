import type { Query } from '../ledger/reader.ts'
import type { Writer } from '../ledger/write.ts'
import type { Field, Resource, Row } from './declaration.ts'
import { date, hidden, told, twin } from './field.ts'
import { attempt, rowsOf, storeChanges } from './records.ts'

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
    ...date({ required: true, note: 'The first day on which it holds', example: '2024-07-01' }),
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
  announced_on: date({ note: 'The day from which those whom it concerns see it; its first day when it is not sent' }),
  /** The same of the next one, by which this one ends. */
  end_announced_on: hidden(date(), twin('When the next entry is announced')),
}

/** A kind of record that has them. */
export type Dated = Resource<typeof datedFields>

type Announced = { announced_on?: string | null; end_announced_on?: string | null }

/** Narrows a query to what is in force on a day. */
export const inForce = (query: Query, table: string, day: string): Query =>
  query.where(`${table}.effective_from`, '<=', day).where(`${table}.effective_until`, '>', day)

/** Mends the ends of all entries of some owners after entries were added, moved or taken away. */
export async function mendEnds(
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
  const wrong = lines.flatMap((line) =>
    line.flatMap((row, index) => {
      const next = line[index + 1] as (Row<Dated> & Announced) | undefined
      const end: Partial<Row<Dated>> & Announced = { effective_until: next?.effective_from ?? FOREVER }
      if ('end_announced_on' in of.fields) end.end_announced_on = next?.announced_on ?? null
      const isRight = Object.entries(end).every(([name, value]) => (row as Record<string, unknown>)[name] === value)
      return isRight ? [] : [attempt(db, of, row, end)]
    }),
  )
  await storeChanges(db, of, wrong)
}
