import type { Compiled } from './compile.ts'

/** Rows that one statement reads instead of rows of a table, such as the rows of an earlier day. */
export type RowReplacement = {
  readonly table: string
  readonly accountId: number
  /** All columns of the table with their types, as migrations spell them. */
  readonly columns: Readonly<Record<string, string>>
  /** The rows to hide: those with one of these values (a JSON array) in a column. Null hides all rows of the account. */
  readonly hidden: { readonly column: string; readonly values: string; readonly where?: string } | null
  /** The rows to read instead, as a JSON array of objects; null: none. */
  readonly rows: string | null
  /** The temporary table with the same columns that contains those rows, if they have been materialized. */
  readonly storedIn?: string
}

/** What the engines spell differently. */
export type RewriteDialect = {
  /** The table itself, where its name refers to its replacement. */
  readonly table: (name: string) => string
  /** A column of the table in a union with rows from JSON. */
  readonly column: (name: string, type: string) => string
  /** A date in a parameter. */
  readonly day: (parameter: string) => string
  /** Selects the numbers of a JSON array in a parameter. */
  readonly numbers: (parameter: string) => string
  /** The source of rows from a JSON array in a parameter. */
  readonly rows: (table: string, parameter: string) => string
  /** A column of such a row. */
  readonly field: (name: string, type: string) => string
  /** Parameters are `$1`, `$2`; substitutes `?`, by position. */
  readonly hasNumberedParameters: boolean
}

const quoted = (name: string) => `"${name}"`

/** Selects rows of a table: all, none, or those that meet a condition. */
export type Condition =
  | boolean
  | { readonly column: string; readonly is: string | null }
  | { readonly column: string; readonly isTrue: true }
  /** A date up to this one, or after it. */
  | { readonly column: string; readonly upTo: string }
  | { readonly column: string; readonly after: string }
  /** One of these numbers, as a JSON array. */
  | { readonly column: string; readonly ids: string }
  | {
      readonly column: string
      readonly among: Selection
      /** A date in `column` is no later than the date `theirs` in the selected row. */
      readonly upToTheir?: { readonly column: string; readonly theirs: string }
    }
  | { readonly any: readonly Condition[] }
  | { readonly all: readonly Condition[] }
  | { readonly not: Condition }

/** The values of a column in some rows of a table. */
export type Selection = { readonly table: string; readonly column: string; readonly where: Condition }

/** A table of which only some rows are visible, and some columns only in some of those rows. */
export type TableFilter = {
  /** The name in statements. */
  readonly name: string
  readonly table: string
  readonly accountId: number
  /** Null: all columns. */
  readonly columns: readonly string[] | null
  readonly rows: Condition
  /** Columns that are null unless a condition is true. */
  readonly masks: Readonly<Record<string, Condition>>
  /** The date that a masked column contains instead of null. */
  readonly substitutes?: Readonly<Record<string, string>>
  /** Additional columns: 1 if a condition is true, else 0. */
  readonly flags: Readonly<Record<string, Condition>>
}

/**
 * Puts common table expressions with the names of tables in front of a statement, so that its joins and subqueries read those.
 * They are not materialized: the engine still finds the table's own rows by their indexes.
 */
export function rewriteQuery<R>(
  dialect: RewriteDialect,
  statement: Compiled<R>,
  replacements: readonly RowReplacement[],
  filters: readonly TableFilter[] = [],
): Compiled<R> {
  if (replacements.length === 0 && filters.length === 0) return statement
  const [, own, rest] = /^(with (?!recursive))?(.*)$/s.exec(statement.sql) as RegExpExecArray
  if (!own && !rest?.startsWith('select')) throw new Error('Only select statements can read replaced or narrowed rows')
  const clauses = new ClauseWriter(dialect, statement.parameters.length)
  const tables = [
    // Filters under another name come first: in them, the name of a table refers to the table itself.
    ...[...filters]
      .sort((a, b) => Number(a.name === a.table) - Number(b.name === b.table))
      .map((one) => {
        const replacement = replacements.find(({ table }) => table === one.table)
        return clauses.named(one.name, clauses.filtered(one, replacement))
      }),
    ...replacements.flatMap((one) =>
      filters.some(({ name }) => name === one.table) ? [] : clauses.named(one.table, clauses.replacement(one)),
    ),
  ]
  return {
    ...statement,
    tables: new Set([...statement.tables, ...filters.flatMap(tablesInFilter)]),
    sql: `with ${[...clauses.selections, ...tables].join(', ')}${own ? ', ' : ' '}${rest}`,
    parameters: dialect.hasNumberedParameters
      ? [...statement.parameters, ...clauses.parameters]
      : [...clauses.parameters, ...statement.parameters],
  }
}

/** The tables that a narrowing reads: its own, and those in its conditions. */
const tablesInFilter = ({ table, rows, masks, flags }: TableFilter): string[] => [
  table,
  ...[rows, ...Object.values(masks), ...Object.values(flags)].flatMap(tablesInCondition),
]

function tablesInCondition(condition: Condition): string[] {
  if (typeof condition === 'boolean') return []
  if ('any' in condition) return condition.any.flatMap(tablesInCondition)
  if ('all' in condition) return condition.all.flatMap(tablesInCondition)
  if ('not' in condition) return tablesInCondition(condition.not)
  if ('among' in condition) return [condition.among.table, ...tablesInCondition(condition.among.where)]
  return []
}

/** Writes the common table expressions and collects their parameters. */
class ClauseWriter {
  readonly parameters: unknown[] = []
  /** Expressions that others select from. They come first: in them, names of tables refer to the tables themselves. */
  readonly selections: string[] = []
  readonly #dialect: RewriteDialect
  readonly #before: number

  constructor(dialect: RewriteDialect, before: number) {
    this.#dialect = dialect
    this.#before = before
  }

  named = (name: string, body: string) => `${quoted(name)} as not materialized (${body})`

  #parameter(value: unknown): string {
    this.parameters.push(value)
    // Without numbers, the parameters of the statement come after these.
    return this.#dialect.hasNumberedParameters
      ? `$${this.#before + this.parameters.length}`
      : `?${this.parameters.length}`
  }

  replacement({ table, accountId, columns, hidden, rows, storedIn }: RowReplacement): string {
    const dialect = this.#dialect
    const all = Object.entries(columns)
    const names = all.map(([name]) => quoted(name)).join(', ')
    const selected = storedIn
      ? names
      : all.map(([name, type]) => `${dialect.column(quoted(name), type)} as ${quoted(name)}`).join(', ')
    const own = `select ${selected} from ${dialect.table(quoted(table))} where account_id = ${this.#parameter(accountId)}`
    if (!hidden) return `${own} and 1 = 0`
    const where = hidden.where ? `${hidden.where} and ` : ''
    const values = dialect.numbers(this.#parameter(hidden.values))
    const visible = `${own} and not (${where}${quoted(hidden.column)} in (${values}))`
    if (rows === null) return visible
    if (storedIn)
      return `${visible} union all select ${names} from ${storedIn} where account_id = ${this.#parameter(accountId)}`
    const replaced = all.map(([name, type]) =>
      name === 'account_id'
        ? `cast(${this.#parameter(accountId)} as bigint) as account_id`
        : `${dialect.field(name, type)} as ${quoted(name)}`,
    )
    return `${visible} union all select ${replaced.join(', ')} from ${dialect.rows(quoted(table), this.#parameter(rows))}`
  }

  filtered(
    { table, accountId, columns, rows, masks, substitutes = {}, flags }: TableFilter,
    replacement: RowReplacement | undefined,
  ): string {
    const selected = (columns ?? ['*']).map((name) => {
      if (columns === null) return name
      const mask = masks[name]
      if (mask === undefined || mask === true) return quoted(name)
      const condition = this.#condition(mask, accountId)
      const elseClause = substitutes[name] ? ` else ${this.#dialect.day(this.#parameter(substitutes[name]))}` : ''
      return `case when ${condition} then ${quoted(name)}${elseClause} end as ${quoted(name)}`
    })
    const flagColumns = Object.entries(flags).map(
      ([name, condition]) => `case when ${this.#condition(condition, accountId)} then 1 else 0 end as ${quoted(name)}`,
    )
    const from = replacement
      ? `(${this.replacement(replacement)}) as ${quoted(table)}`
      : this.#dialect.table(quoted(table))
    const where = `account_id = ${this.#parameter(accountId)} and ${this.#condition(rows, accountId)}`
    return `select ${[...selected, ...flagColumns].join(', ')} from ${from} where ${where}`
  }

  #condition(condition: Condition, accountId: number): string {
    if (typeof condition === 'boolean') return condition ? '1 = 1' : '1 = 0'
    const join = (all: readonly Condition[], word: string) =>
      `(${all.map((one) => this.#condition(one, accountId)).join(` ${word} `)})`
    if ('any' in condition) return condition.any.length ? join(condition.any, 'or') : '1 = 0'
    if ('all' in condition) return condition.all.length ? join(condition.all, 'and') : '1 = 1'
    if ('not' in condition) return `not ${join([condition.not], 'and')}`
    const column = quoted(condition.column)
    if ('ids' in condition) return `${column} in (${this.#dialect.numbers(this.#parameter(condition.ids))})`
    if ('isTrue' in condition) return column
    if ('upTo' in condition)
      return `(${column} is not null and ${column} <= ${this.#dialect.day(this.#parameter(condition.upTo))})`
    if ('after' in condition)
      return `(${column} is not null and ${column} > ${this.#dialect.day(this.#parameter(condition.after))})`
    if ('is' in condition)
      return condition.is === null ? `${column} is null` : `${column} = ${this.#parameter(condition.is)}`
    if (condition.upToTheir) {
      const { column: day, theirs } = condition.upToTheir
      const other = this.#selection(condition.among, accountId, [theirs])
      const isSame = `${other}.${quoted(condition.among.column)} = ${column}`
      return `(${column} is not null and exists (select 1 from ${other} where ${isSame} and ${quoted(day)} <= ${other}.${quoted(theirs)}))`
    }
    return `(${column} is not null and ${column} in (select ${quoted(condition.among.column)} from ${this.#selection(condition.among, accountId)}))`
  }

  #selection({ table, column, where }: Selection, accountId: number, moreColumns: readonly string[] = []): string {
    const rows = `account_id = ${this.#parameter(accountId)} and ${this.#condition(where, accountId)}`
    const name = `$${this.selections.length + 1}`
    this.selections.push(
      this.named(
        name,
        `select ${[column, ...moreColumns].map(quoted).join(', ')} from ${this.#dialect.table(quoted(table))} where ${rows}`,
      ),
    )
    return quoted(name)
  }
}
