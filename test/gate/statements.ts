import type { Database } from '../../src/database/database.ts'

/**
 * The statements that tests run. PostgreSQL runs fewer test files than SQLite: the gate compares the statements of both, so
 * that none is run by SQLite's tests alone.
 */
const seen = new Set<string>()
let fresh: string[] = []
const shapes = new Map<string, string>()

export function watchStatements(database: Database): void {
  database.watchers.add({ ran: note, waited: () => undefined })
}

function note(statement: string): void {
  let shape = shapes.get(statement)
  if (shape === undefined) {
    shape = shapeOf(statement)
    shapes.set(statement, shape)
  }
  if (seen.has(shape)) return
  seen.add(shape)
  fresh.push(shape)
}

/** The statements that this process has run for the first time since the last call. */
export function newStatements(): string[] {
  const all = fresh
  fresh = []
  return all
}

/** What the engines spell differently: SQLite's spelling, and PostgreSQL's. `database/sqlite.ts` has the same list. */
const SPELLINGS: [postgres: RegExp, sqlite: string][] = [
  [/\$\d+/g, '?'],
  [/\?\d+/g, '?'],
  [/pg_postmaster_start_time\(\)::text/g, "''"],
  [/string_agg\(id::text, ','\)/g, 'group_concat(id)'],
  [/select value::bigint from json_array_elements_text\(cast\(\? as json\)\)/g, 'select value from json_each(?)'],
  [/::json ->>/g, ' ->>'],
]

/** A statement without what differs between the engines in spelling only, and without the number of its values. */
export function shapeOf(statement: string): string {
  let text = statement
  for (const [postgres, sqlite] of SPELLINGS) text = text.replace(postgres, sqlite)
  return withoutOverlays(text.replace(/\s+/g, ' '))
    .replace(/(\?, )+\?/g, '?')
    .replace(/(\(\?\), )+\(\?\)/g, '(?)')
    .trim()
}

/**
 * A statement without the expressions that stand in for tables, which narrow it to a caller's scope or to the past. There
 * are as many of them as there are roles and scopes, and one function writes them all.
 */
function withoutOverlays(statement: string): string {
  let rest = statement
  while (/^with (?!recursive)|^, /.test(rest)) {
    const begin = /^(?:with|,) "?\w+"? as (?:not )?materialized \(/.exec(rest)
    if (!begin) return rest
    let depth = 1
    let place = begin[0].length
    for (; depth > 0 && place < rest.length; place++) depth += rest[place] === '(' ? 1 : rest[place] === ')' ? -1 : 0
    rest = rest.slice(place)
  }
  return rest.trimStart()
}
