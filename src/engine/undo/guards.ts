import type { Change } from '../../records/entries.ts'
import type { Writer } from '../../records/write.ts'
import type { Files } from '../operation.ts'
import type { Kinds } from '../protection.ts'
import type { UndoneChange } from '../records.ts'

/**
 * What an undo must respect of some tables. An undo bypasses the operations that usually change these tables, so the guard has
 * to enforce what they do beyond the rules of the resource. Rules alone need no guard: `holdTo(resource, rules)` is enough.
 */
export type UndoGuard = {
  readonly tables: readonly string[]
  /**
   * Columns that follow from other records. `check` recomputes them. An undo does not restore them and reports no later change
   * of them.
   */
  readonly derivedColumns?: readonly string[]
  /** Changes of one request to several of these tables can only be undone together. */
  readonly undoneTogether?: boolean
  /** By table, a column that a request changes both in a record and in its parts. These changes can only be undone together. */
  readonly linkedColumns?: Readonly<Record<string, string>>
  /** A request that changed these tables can only be undone as a whole. */
  readonly wholeRequestOnly?: boolean
  /**
   * Runs in the undo's transaction, when all rows are restored and before the response is made.
   * - `changes` are the undo's own changes to `tables`: `create` for a record that it restored, `delete` for one that it
   *   deleted, `update` for columns that it restored.
   * - It repairs what follows from them (ends of dated records, places in an order) with the building blocks of any write.
   * - It throws (`refuse`, `conflict`) what the operations would refuse as well. Then nothing changes.
   *
   * `undone` describes the first change that is undone. What was allowed at that time, such as naming somebody who had already
   * left, is allowed again: refuse only what has become impossible since. `valuesAfter` reads values of that time.
   */
  readonly check?: (db: Writer, changes: readonly Change[], undone: UndoneChange & { files: Files }) => Promise<void>
}

export type UndoOptions = {
  readonly kinds: Kinds
  readonly guards: readonly UndoGuard[]
  readonly files: Files
  /** Undoes all changes of a request. */
  readonly isWhole: boolean
}
