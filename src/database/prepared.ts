import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

/** Statements are prepared once for a connection. */
export function preparing<T>(connection: DatabaseSync, make: (statement: StatementSync) => T): (text: string) => T {
  const prepared = new Map<string, T>()
  return (text) => {
    let statement = prepared.get(text)
    if (statement === undefined) {
      if (prepared.size > 500) prepared.clear()
      statement = make(connection.prepare(text))
      prepared.set(text, statement)
    }
    return statement
  }
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
