import type { Compiled } from './compile.ts'

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
  /** The table in which those rows lie, of the same columns, where they have been laid out. */
  readonly laidIn?: string
}

/** How an engine says it. */
export type OverlayDialect = {
  /** The table itself, where its name means what stands in for it. */
  readonly table: (name: string) => string
  /** A column of the table as it is selected beside rows from JSON. */
  readonly column: (name: string, type: string) => string
  /** A day that a parameter holds. */
  readonly day: (parameter: string) => string
  /** Numbers from the JSON array of a parameter. */
  readonly numbers: (parameter: string) => string
  /** What rows from the JSON array of a parameter are selected from, and each of their columns. */
  readonly rows: (table: string, parameter: string) => string
  readonly field: (name: string, type: string) => string
  /** Parameters are known by their place, or have numbers. */
  readonly numbered: boolean
}

const quoted = (name: string) => `"${name}"`

/** Rows of a table that are meant: all, none, or those of which something holds. */
export type Condition =
  | boolean
  | { readonly column: string; readonly is: string | null }
  | { readonly column: string; readonly isTrue: true }
  /** A day that has come by this one, or comes after it. */
  | { readonly column: string; readonly upTo: string }
  | { readonly column: string; readonly after: string }
  /** One of these numbers, as a JSON array. */
  | { readonly column: string; readonly ids: string }
  | {
      readonly column: string
      readonly among: Selection
      /** A day of this row comes no later than one of the row there. */
      readonly upToTheir?: { readonly column: string; readonly theirs: string }
    }
  | { readonly any: readonly Condition[] }
  | { readonly all: readonly Condition[] }
  | { readonly not: Condition }

/** What a column holds in some rows of a table. */
export type Selection = { readonly table: string; readonly column: string; readonly where: Condition }

/** The visible part of a table: a filter on its rows and masks on its columns. */
export type TableFilter = {
  /** Its name in statements. */
  readonly name: string
  readonly table: string
  readonly accountId: number
  /** Null: all of them. */
  readonly columns: readonly string[] | null
  readonly rows: Condition
  /** Columns that are null in rows where the condition is false. */
  readonly masks: Readonly<Record<string, Condition>>
  /** The day that a masked column holds instead of null. */
  readonly substitutes?: Readonly<Record<string, string>>
  /** Extra columns that tell whether a condition is true. */
  readonly flags: Readonly<Record<string, Condition>>
}

/**
 * The statement with common table expressions in front that bear the names of tables: whatever it joins or asks in
 * subqueries sees those. The engine looks into them, so that rows which are there still are found by their indexes.
 */
export function overlaid<R>(
  dialect: OverlayDialect,
  statement: Compiled<R>,
  overlays: readonly Overlay[],
  filters: readonly TableFilter[] = [],
): Compiled<R> {
  if (overlays.length === 0 && filters.length === 0) return statement
  const [, own, rest] = /^(with (?!recursive))?(.*)$/s.exec(statement.sql) as RegExpExecArray
  if (!own && !rest?.startsWith('select'))
    throw new Error('Only what selects can be asked of other rows than there are')
  const text = new Text(dialect, statement.parameters.length)
  const tables = [
    // Those with names of their own come first: in them, the name of a table means the table itself.
    ...[...filters]
      .sort((a, b) => Number(a.name === a.table) - Number(b.name === b.table))
      .map((one) => {
        const past = overlays.find(({ table }) => table === one.table)
        return text.named(one.name, text.filtered(one, past))
      }),
    ...overlays.flatMap((one) =>
      filters.some(({ name }) => name === one.table) ? [] : text.named(one.table, text.overlay(one)),
    ),
  ]
  return {
    ...statement,
    tables: new Set([...statement.tables, ...filters.flatMap(tablesInFilter)]),
    sql: `with ${[...text.selections, ...tables].join(', ')}${own ? ', ' : ' '}${rest}`,
    parameters: dialect.numbered
      ? [...statement.parameters, ...text.parameters]
      : [...text.parameters, ...statement.parameters],
  }
}

/** The tables that a filter reads: its own, and those in its conditions. */
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

/** Writes the expressions, and gathers their parameters. */
class Text {
  readonly parameters: unknown[] = []
  /** Expressions that others look into; they come first, where the names of tables mean the tables themselves. */
  readonly selections: string[] = []
  readonly #dialect: OverlayDialect
  readonly #before: number

  constructor(dialect: OverlayDialect, before: number) {
    this.#dialect = dialect
    this.#before = before
  }

  named = (name: string, body: string) => `${quoted(name)} as not materialized (${body})`

  #parameter(value: unknown): string {
    this.parameters.push(value)
    // Where they are known by their place, those of the statement itself come after these.
    return this.#dialect.numbered ? `$${this.#before + this.parameters.length}` : `?${this.parameters.length}`
  }

  overlay({ table, accountId, columns, hidden, rows, laidIn }: Overlay): string {
    const dialect = this.#dialect
    const all = Object.entries(columns)
    const plain = all.map(([name]) => quoted(name)).join(', ')
    const kept = laidIn
      ? plain
      : all.map(([name, type]) => `${dialect.column(quoted(name), type)} as ${quoted(name)}`).join(', ')
    const own = `select ${kept} from ${dialect.table(quoted(table))} where account_id = ${this.#parameter(accountId)}`
    if (!hidden) return `${own} and 1 = 0`
    const among = hidden.among ? `${hidden.among} and ` : ''
    const values = dialect.numbers(this.#parameter(hidden.values))
    const seen = `${own} and not (${among}${quoted(hidden.column)} in (${values}))`
    if (rows === null) return seen
    if (laidIn)
      return `${seen} union all select ${plain} from ${laidIn} where account_id = ${this.#parameter(accountId)}`
    const brought = all.map(([name, type]) =>
      name === 'account_id'
        ? `cast(${this.#parameter(accountId)} as bigint) as account_id`
        : `${dialect.field(name, type)} as ${quoted(name)}`,
    )
    return `${seen} union all select ${brought.join(', ')} from ${dialect.rows(quoted(table), this.#parameter(rows))}`
  }

  filtered(
    { table, accountId, columns, rows, masks, substitutes = {}, flags }: TableFilter,
    past: Overlay | undefined,
  ): string {
    const selected = (columns ?? ['*']).map((name) => {
      if (columns === null) return name
      const mask = masks[name]
      if (mask === undefined || mask === true) return quoted(name)
      const condition = this.#condition(mask, accountId)
      const other = substitutes[name] ? ` else ${this.#dialect.day(this.#parameter(substitutes[name]))}` : ''
      return `case when ${condition} then ${quoted(name)}${other} end as ${quoted(name)}`
    })
    const marked = Object.entries(flags).map(
      ([name, condition]) => `case when ${this.#condition(condition, accountId)} then 1 else 0 end as ${quoted(name)}`,
    )
    const from = past ? `(${this.overlay(past)}) as ${quoted(table)}` : this.#dialect.table(quoted(table))
    const where = `account_id = ${this.#parameter(accountId)} and ${this.#condition(rows, accountId)}`
    return `select ${[...selected, ...marked].join(', ')} from ${from} where ${where}`
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
      const there = this.#selection(condition.among, accountId, [theirs])
      const isSame = `${there}.${quoted(condition.among.column)} = ${column}`
      return `(${column} is not null and exists (select 1 from ${there} where ${isSame} and ${quoted(day)} <= ${there}.${quoted(theirs)}))`
    }
    return `(${column} is not null and ${column} in (select ${quoted(condition.among.column)} from ${this.#selection(condition.among, accountId)}))`
  }

  #selection({ table, column, where }: Selection, accountId: number, more: readonly string[] = []): string {
    const rows = `account_id = ${this.#parameter(accountId)} and ${this.#condition(where, accountId)}`
    const name = `$${this.selections.length + 1}`
    this.selections.push(
      this.named(
        name,
        `select ${[column, ...more].map(quoted).join(', ')} from ${this.#dialect.table(quoted(table))} where ${rows}`,
      ),
    )
    return quoted(name)
  }
}
