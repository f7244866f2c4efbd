import type { SelectQueryBuilder } from 'kysely'
import type { Writer } from '../database/write.ts'
import { date, hidden } from './field.ts'
import { attempt, storeChanges } from './records.ts'
import { decode, type Resource } from './resource.ts'

/**
 * Dated records: each holds from its `effective_from` until the next one of the same owner begins. The end is kept
 * beside the beginning, so that what is in force on a day is one comparison of two columns.
 */
export const FOREVER = '9999-12-31'

/** Before any day that matters: what has no beginning. */
export const ALWAYS = '0001-01-01'

type Query = SelectQueryBuilder<any, any, any>

/** The two columns of a dated record. */
export const datedFields = {
  effective_from: date({ required: true, note: 'The first day on which it holds' }),
  effective_until: hidden(date({ required: true, default: FOREVER })),
}

/** Narrows a query to what is in force on a day. */
export const inForce = <Q extends Query>(query: Q, table: string, day: string): Q =>
  query.where(`${table}.effective_from`, '<=', day).where(`${table}.effective_until`, '>', day) as Q

/** Mends the ends of all entries of some owners after entries were added, moved or taken away. */
export async function mendEnds(
  db: Writer,
  of: Resource<any>,
  owner: string,
  ids: number[],
  within: string[] = [],
): Promise<void> {
  if (ids.length === 0) return
  const rows = await db.from(of.table).selectAll().where(owner, 'in', ids).orderBy('effective_from').execute()
  const lines = Map.groupBy(rows, (row) => [owner, ...within].map((column) => row[column]).join())
  const wrong = [...lines.values()].flatMap((line) =>
    line.flatMap((row, index) => {
      const effective_until = line[index + 1]?.effective_from ?? FOREVER
      return row.effective_until === effective_until ? [] : [attempt(db, of, decode(of, row), { effective_until })]
    }),
  )
  await storeChanges(db, of, wrong)
}
