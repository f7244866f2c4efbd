import type { Database } from '../../src/database/database.ts'
import { compareTables } from './tables.ts'

/**
 * The statements that tests run, in parts. PostgreSQL runs fewer test files than SQLite: the gate compares the parts that both
 * have run, so that no condition, join or expression is run by SQLite's tests alone. Whole statements would be too many: lists
 * put theirs together from filters, orders and scopes.
 */
const seenStatements = new Set<string>()
const seenParts = new Set<string>()
let fresh: string[] = []

export function watchStatements(database: Database): void {
  const isCompared = database.engine === 'sqlite' && process.env.TEST_TEMPLATE !== undefined
  database.onRun = (statement, _milliseconds, tables) => note(statement, isCompared ? tables : undefined)
}

function note(statement: string, tables: ReadonlySet<string> | undefined): void {
  if (seenStatements.has(statement)) return
  seenStatements.add(statement)
  if (tables && /^(select|with)\b/.test(statement)) compareTables(statement, tables)
  for (const part of partsOf(statement)) {
    if (seenParts.has(part)) continue
    seenParts.add(part)
    fresh.push(part)
  }
}

/** The parts that this process has run for the first time since the last call. */
export function newParts(): string[] {
  const all = fresh
  fresh = []
  return all
}

/** As if what was run since the last call had not been run. */
export function forgetParts(): string[] {
  for (const part of newParts()) seenParts.delete(part)
  seenStatements.clear()
  return []
}

/** What PostgreSQL spells differently, and how SQLite does. */
const SPELLINGS: [postgres: RegExp, sqlite: string][] = [
  [/\$\d+/g, '?'],
  [/\?\d+/g, '?'],
  [
    /\(pg_postmaster_start_time\(\)::text \|\| ' ' \|\| coalesce\(pg_relation_filenode\(a\.tableoid\), 0\)::text\)/g,
    "''",
  ],
  [/string_agg\(id::text, ','\)/g, 'group_concat(id)'],
  [/select value::bigint from json_array_elements_text\(cast\(\? as json\)\)/g, 'select value from json_each(?)'],
  [/::json ->>/g, ' ->>'],
  [/\b\d+\b/g, '0'],
  // Whatever can be compared is compared alike in either direction.
  [/ (?:<=|>=|<|>) /g, ' < '],
  [/\s+/g, ' '],
]

/** Transactions, and what tests do to the database itself. */
const NOT_OURS =
  /^(\/\* of a test|explain|begin|commit|rollback|savepoint|release|pragma|vacuum|create|alter|drop|analyze|checkpoint)\b|\b(sqlite_master|sqlite_schema|information_schema|pragma_\w+|pg_\w+)\b/i

const BETWEEN_PARTS =
  /\b(?:select|distinct|from|where|and|or|order by|group by|having|left join|inner join|join|on conflict|do update|do nothing|on|union all|union|except|intersect|values|set|returning|limit|offset|exists|case|when|then|else|end|with recursive|with|insert into|update|delete|is null|is not null|asc|desc|not|between)\b|[(),]/

/** Values, columns by themselves, and values given to columns: the schema test compares their types with the declarations. */
const PLAIN =
  /^\W*$|^nulls (first|last)$|^("\$\w+" )?as "\w+"$|^"\w+"\."id" < \?$|^[?0]$|^"?[\w$]+"?(\."?[\w$*]+"?)?$|^("\w+"|account_id|id) (= (\?|excluded\."\w+")|in)$/

/** The conditions, joins and expressions of a statement, each with the table that the statement is about. */
export function partsOf(statement: string): string[] {
  let text = statement
  for (const [postgres, sqlite] of SPELLINGS) text = text.replace(postgres, sqlite)
  if (NOT_OURS.test(text)) return []
  text = withoutOverlays(text)
  const table = /\b(?:from|into|update) (?:main\.|public\.)?"?(\w+)"?/.exec(text)?.[1] ?? ''
  const parts = text.split(BETWEEN_PARTS).map((part) =>
    part
      .trim()
      .replace(/\bas "?[\w$]+"?$/, '')
      .trim(),
  )
  const functions = Array.from(text.matchAll(CALLS), ([, name]) => `${name}()`)
  const groups = Array.from(text.matchAll(GROUPS), ([group]) => group.trim())
  const all = [...parts.filter((part) => !PLAIN.test(part)), ...functions, ...groups]
  return all.map((part) => `${table}: ${part}`)
}

/** Functions that are called: each engine has its own. */
const CALLS =
  /(?<![\w".])(?!(?:conflict|in|exists|values|and|or|not|as|on|when|then|else|from|where|over|union|all|materialized|select|with)\b)([a-z_]\w*) ?\(/g

/** Only PostgreSQL wants every column that is selected to be grouped by. */
const GROUPS = /\bgroup by (?:(?! having | order by | limit | union |\)).)+/g

/**
 * A statement without the expressions that stand in for tables, which narrow it to a caller's scope or to the past. One
 * function writes them all, and they are as many as there are scopes.
 */
function withoutOverlays(statement: string): string {
  let rest = statement
  for (;;) {
    const begin = /^(?:with|,) ["$=?\w]+ as (?:not )?materialized \(/.exec(rest)
    if (!begin) return rest.trimStart()
    let depth = 1
    let place = begin[0].length
    for (; depth > 0 && place < rest.length; place++) depth += rest[place] === '(' ? 1 : rest[place] === ')' ? -1 : 0
    rest = rest.slice(place)
  }
}
