import type { Change } from './entries.ts'
import type { Writer } from './write.ts'

/**
 * What a higher layer changes when records of a lower layer change, which knows nothing of it. It runs at the end of every write
 * transaction with such changes, whichever operation made them, and is stored with them.
 */
export type Consequence = {
  /** The tables whose changes it gets. */
  readonly of: readonly string[]
  readonly follow: (db: Writer, changes: readonly Change[]) => Promise<void>
}

/** Runs each consequence once, in order. It also gets the changes of those before it. */
export async function runConsequences(
  consequences: readonly Consequence[],
  db: Writer,
  changes: readonly Change[],
): Promise<void> {
  for (const { of, follow } of consequences) {
    const relevant = changes.filter(({ resource }) => of.includes(resource))
    if (relevant.length > 0) await follow(db, relevant)
  }
}

/** Does a change create or delete a record, or change one of these columns? */
export const alters = ({ action, after }: Change, columns: readonly string[]): boolean =>
  action !== 'update' || columns.some((name) => name in (after ?? {}))
