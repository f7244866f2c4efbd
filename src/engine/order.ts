import type { Query } from '../records/reader.ts'
import type { Writer } from '../records/write.ts'
import type { With } from './declaration.ts'
import { attempt, rowsOf, storeChanges } from './records.ts'

/** Records that stand in an order: each keeps its place among its siblings, counted from 1 without gaps. */

/** Behind every place that can be asked for. */
export const LAST = 1_000_000

/** The place behind all siblings. */
export async function nextPlace(siblings: Query): Promise<number> {
  const { n } = await siblings.select((eb) => eb.fn.countAll().as('n')).executeTakeFirstOrThrow()
  return Number(n) + 1
}

/** Counts siblings from 1 again, after one of them came, went or is to move. */
export async function renumber(
  db: Writer,
  of: With<'position', number>,
  siblings: Query,
  moved?: { id: number; to: number },
): Promise<void> {
  const rows = await rowsOf(of, siblings, ['position', 'id'])
  const order = rows.filter((row) => row.id !== moved?.id)
  const one = rows.find((row) => row.id === moved?.id)
  if (one && moved) order.splice(Math.max(0, moved.to - 1), 0, one)
  const displaced = order.flatMap((row, index) =>
    row.position === index + 1 ? [] : [attempt(db, of, row, { position: index + 1 })],
  )
  await storeChanges(db, of, displaced)
}
