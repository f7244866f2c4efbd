import { CompiledQuery, PostgresAdapter } from 'kysely'
import type { Sql } from './database.ts'

/** Statements whose text is the same every time: building them anew takes longer than running them. */

const MOST = 2000
const texts = new Map<string, string>()

function once(name: string, make: () => string): string {
  const known = texts.get(name)
  if (known !== undefined) return known
  if (texts.size >= MOST) texts.clear()
  const text = make()
  texts.set(name, text)
  return text
}

const isNumbered = (on: Sql) => on.getExecutor().adapter instanceof PostgresAdapter

/** Runs a statement in which `?` stands for each value. */
export async function run<R = any>(on: Sql, statement: string, values: readonly unknown[] = []): Promise<R[]> {
  let number = 0
  const text = isNumbered(on) ? once(statement, () => statement.replace(/\?/g, () => `$${++number}`)) : statement
  const compiled = CompiledQuery.raw(text, values as unknown[])
  // Whoever looks at statements before they are compiled sees these, too.
  for (const plugin of on.getExecutor().plugins)
    plugin.transformQuery({ node: compiled.query, queryId: compiled.queryId })
  return (await on.executeQuery<R>(compiled)).rows
}

type Row = Readonly<Record<string, unknown>>

/** Inserts rows. Those that have other columns are another statement, so that what is not given is what the schema says. */
export async function insertRows<R = any>(on: Sql, table: string, rows: readonly Row[], rest = ''): Promise<R[]> {
  const alike = Map.groupBy(rows, (row) => Object.keys(row).join(' '))
  const answers: R[] = []
  for (const some of alike.values()) answers.push(...(await insertAlike<R>(on, table, some, rest)))
  return answers
}

async function insertAlike<R>(on: Sql, table: string, rows: readonly Row[], rest: string): Promise<R[]> {
  const columns = Object.keys(rows[0] as Row)
  const text = once(`${table} ${rows.length} ${columns} ${rest}`, () => {
    const names = columns.map((name) => `"${name}"`).join(', ')
    const row = `(${columns.map(() => '?').join(', ')})`
    return `insert into "${table}" (${names}) values ${rows.map(() => row).join(', ')} ${rest}`
  })
  return run(
    on,
    text,
    rows.flatMap((row) => columns.map((name) => row[name])),
  )
}
