import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { LruCache } from './lru.ts'

/**
 * How many statements stay prepared for each connection. A statement takes 5 to 15 kB that the garbage collector does not know of,
 * and there are six connections. With 500 instead, a run of 20,000 different requests prepares hardly fewer.
 */
export const MOST_PREPARED = 200

/** Prepares each statement once for a connection, while it is among those that were run last. */
export function preparing<T>(connection: DatabaseSync, make: (statement: StatementSync) => T): (text: string) => T {
  const prepared = new LruCache<{ statement: StatementSync; made: T }>(MOST_PREPARED, ({ statement }) =>
    finalize(statement),
  )
  const prepare = (text: string) => {
    const statement = connection.prepare(text)
    return { statement, made: make(statement) }
  }
  return (text) => prepared.get(text, () => prepare(text)).made
}

/**
 * Frees a statement's memory. The garbage collector would do so too, but thousands of statements pile up before it runs: to it
 * they are small. Older versions of Node have no other way.
 */
function finalize(statement: StatementSync & { close?: () => void }): void {
  statement.close?.()
}

/** A statement with rows of values alone, as they come; as the driver makes objects of them, they take half as long again. */
export function plainly(statement: StatementSync) {
  const bound = (values: readonly unknown[]) =>
    values.map((value) => (typeof value === 'boolean' ? Number(value) : (value as SQLInputValue)))
  const names = statement.columns().map(({ name }) => name)
  if (names.length > 0) statement.setReturnArrays(true)
  return {
    names,
    run: (values: readonly unknown[]) => statement.run(...bound(values)).changes,
    all: (values: readonly unknown[]) => statement.all(...bound(values)) as unknown as unknown[][],
  }
}
