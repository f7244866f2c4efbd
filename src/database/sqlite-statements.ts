import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { LruCache } from './lru.ts'

/**
 * How many prepared statements each connection keeps. A statement takes 5 to 15 kB outside the heap, and there are six
 * connections. With 500, a run of 20,000 different requests prepared hardly fewer statements.
 */
export const MAX_PREPARED = 200

/** Prepares each statement once per connection, as long as it is among the last ones used. */
export function statementCache<T>(
  connection: DatabaseSync,
  make: (statement: StatementSync) => T,
): (text: string) => T {
  const prepared = new LruCache<{ statement: StatementSync; made: T }>(MAX_PREPARED, ({ statement }) =>
    finalize(statement),
  )
  const prepare = (text: string) => {
    const statement = connection.prepare(text)
    return { statement, made: make(statement) }
  }
  return (text) => prepared.get(text, () => prepare(text)).made
}

/**
 * Frees the memory of a statement. The garbage collector sees only a small object and runs too late: thousands of statements
 * would pile up. Older versions of Node have no `close`.
 */
function finalize(statement: StatementSync & { close?: () => void }): void {
  statement.close?.()
}

/** Runs a statement with rows as arrays: objects made by the driver take half as long again. */
export function withArrayRows(statement: StatementSync) {
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
