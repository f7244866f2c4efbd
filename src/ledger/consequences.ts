import type { Change } from './entries.ts'
import type { Writer } from './write.ts'

/**
 * What a higher floor has follow from changes of records below it, which know nothing of it. It runs in the turn that
 * made the changes, when its work is done, whichever way that was: what it writes is written with it or not at all.
 */
export type Consequence = {
  /** The tables whose changes it is told of. */
  readonly of: readonly string[]
  readonly follow: (db: Writer, changes: readonly Change[]) => Promise<void>
}

/** In the order of the list and each once: a consequence is also told of what those before it have changed. */
export async function drawConsequences(
  consequences: readonly Consequence[],
  db: Writer,
  changes: readonly Change[],
): Promise<void> {
  for (const { of, follow } of consequences) {
    const concerned = changes.filter(({ resource }) => of.includes(resource))
    if (concerned.length > 0) await follow(db, concerned)
  }
}

/** Does a change make, take away, or alter one of these columns? Of a record that was only touched, nothing is altered. */
export const alters = ({ action, after }: Change, columns: readonly string[]): boolean =>
  action !== 'update' || columns.some((name) => name in (after ?? {}))
