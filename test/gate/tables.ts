import { constants, DatabaseSync, type StatementSync } from 'node:sqlite'

/**
 * Compares the tables that a query declares, taken from its syntax tree, with those that SQLite itself says it reads. A table that is
 * missing would be read past access scopes, and a cached response would not notice that it changes.
 */
const wrong: string[] = []
let schema: DatabaseSync | undefined
let read = new Set<string>()

export function compareTables(statement: string, declared: ReadonlySet<string>): void {
  const actual = tablesReadBy(statement)
  if (!actual) return
  const missing = [...actual].filter((table) => !declared.has(table))
  if (missing.length > 0) wrong.push(`A query reads ${missing.join(', ')} without declaring it: ${statement}`)
}

/** What has been found since the last call. */
export const wrongTables = (): string[] => wrong.splice(0)

/** Undefined for a statement on temporary tables, which exist on one connection only. */
function tablesReadBy(statement: string): Set<string> | undefined {
  schema ??= open()
  read = new Set()
  try {
    const prepared: StatementSync & { close?: () => void } = schema.prepare(statement)
    prepared.close?.()
    return read
  } catch (error) {
    if (/no such table: (temp\.)?then_/.test(String(error))) return undefined
    throw error
  }
}

function open(): DatabaseSync {
  const database = new DatabaseSync(process.env.TEST_TEMPLATE as string, { readOnly: true })
  const names = new Set(
    database
      .prepare("select name from sqlite_schema where type = 'table'")
      .all()
      .map(({ name }) => name),
  )
  database.setAuthorizer((action, table) => {
    if (action === constants.SQLITE_READ && names.has(table)) read.add(table as string)
    return constants.SQLITE_OK
  })
  return database
}
