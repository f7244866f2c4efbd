import type { CompiledQuery } from 'kysely'

/** Rows that stand in for those of a table, for one statement and in nobody else's sight. */
export type Overlay = {
  readonly table: string
  readonly accountId: number
  /** All columns of the table with their types, as migrations spell them. */
  readonly columns: Readonly<Record<string, string>>
  /** The rows that are not seen: a column, and the values that it has in them; null: no row of the account is seen. */
  readonly hidden: { readonly column: string; readonly values: string; readonly among?: string } | null
  /** The rows that are seen in their place, as a JSON array of objects; null: none. */
  readonly rows: string | null
}

/** How an engine says it. */
export type OverlayDialect = {
  /** The table itself, where its name means what stands in for it. */
  readonly table: (name: string) => string
  /** A column of the table as it is selected beside rows from JSON. */
  readonly column: (name: string, type: string) => string
  /** Numbers from the JSON array of a parameter. */
  readonly numbers: (parameter: string) => string
  /** What rows from the JSON array of a parameter are selected from, and each of their columns. */
  readonly rows: (table: string, parameter: string) => string
  readonly field: (name: string, type: string) => string
  /** Parameters are known by their place, or have numbers. */
  readonly numbered: boolean
}

const quoted = (name: string) => `"${name}"`

/** The tables that a statement reads from. */
export const tablesOf = (statement: CompiledQuery<any>): string[] =>
  [...statement.sql.matchAll(/\b(?:from|join) "(\w+)"/g)].map(([, table]) => table as string)

/** Is the table spoken of in a statement? Names are quoted in all of ours. */
export const mentions = (statement: CompiledQuery<any>, table: string) => statement.sql.includes(quoted(table))

/**
 * The statement with common table expressions in front that bear the names of tables: whatever it joins or asks in
 * subqueries sees those. The engine looks into them, so that rows which are there still are found by their indexes.
 */
export function overlaid<R>(
  dialect: OverlayDialect,
  statement: CompiledQuery<R>,
  overlays: readonly Overlay[],
): CompiledQuery<R> {
  if (overlays.length === 0) return statement
  if (!statement.sql.startsWith('select')) throw new Error('Only what selects can be asked of the past')
  const own: unknown[] = []
  const parameter = (value: unknown) => {
    own.push(value)
    return dialect.numbered ? `$${statement.parameters.length + own.length}` : '?'
  }
  const tables = overlays.map((one) => `${quoted(one.table)} as not materialized (${bodyOf(dialect, one, parameter)})`)
  return {
    ...statement,
    sql: `with ${tables.join(', ')} ${statement.sql}`,
    parameters: dialect.numbered ? [...statement.parameters, ...own] : [...own, ...statement.parameters],
  }
}

function bodyOf(dialect: OverlayDialect, overlay: Overlay, parameter: (value: unknown) => string): string {
  const { table, accountId, columns, hidden, rows } = overlay
  const all = Object.entries(columns)
  const kept = all.map(([name, type]) => `${dialect.column(quoted(name), type)} as ${quoted(name)}`).join(', ')
  const own = `select ${kept} from ${dialect.table(quoted(table))} where account_id = ${parameter(accountId)}`
  if (!hidden) return `${own} and 1 = 0`
  const among = hidden.among ? `${hidden.among} and ` : ''
  const seen = `${own} and not (${among}${quoted(hidden.column)} in (${dialect.numbers(parameter(hidden.values))}))`
  if (rows === null) return seen
  const brought = all.map(([name, type]) =>
    name === 'account_id'
      ? `cast(${parameter(accountId)} as bigint) as account_id`
      : `${dialect.field(name, type)} as ${quoted(name)}`,
  )
  return `${seen} union all select ${brought.join(', ')} from ${dialect.rows(quoted(table), parameter(rows))}`
}
