import { createHash } from 'node:crypto'
import type { KyselyPlugin, RootOperationNode } from 'kysely'
import { NotHere } from '../database/database.ts'

/** What an answer stands on, so that it can be given again for as long as that stays as it is. */

/** Tables that change outside of turns: what was read from them may be another thing in a moment. */
export const PASSING = [
  'accounts',
  'after_commit',
  'api_key_uses',
  'heartbeat',
  'idempotency',
  'passkey_uses',
  'reads',
  'reset_requests',
  'schema_migrations',
  'secret_hashes',
  'session_uses',
  'sign_in_attempts',
  'spent_tickets',
]

/** Changes with the tables that it counts: whoever reads it names one of those in the statement. */
export const COUNTERS = 'counters'

/** Stands among the tables of a turn after which the ledger does not tell all that has changed. */
export const FORGOTTEN = 'forgotten'

/** What was read for an answer. */
export class Footing {
  readonly tables = new Set<string>()
  /** It tells of the very moment, or of what nobody watches over: it cannot be given again. */
  isPassing = false
  /** It is read from a copy, of which nobody knows how recent it is in what changes outside of turns. */
  isFollowing = false
  readonly #known: ReadonlySet<string>

  constructor(known: ReadonlySet<string>) {
    this.#known = known
  }

  /** A statement is run: the tables that it speaks of count, and whatever else bears their names. */
  note(statement: string): void {
    const names = namesIn(statement)
    const known = names.filter((name) => this.#known.has(name))
    for (const name of known) this.tables.add(name)
    if (names.some((name) => PASSING.includes(name)) || (names.includes(COUNTERS) && known.length === 0)) this.passes()
  }

  /** Something is read that nobody watches over. */
  passes(): void {
    this.isPassing = true
    if (this.isFollowing) throw new NotHere()
  }
}

const MOST_STATEMENTS = 5000
const looked = new Map<string, readonly string[]>()

export function namesIn(statement: string): readonly string[] {
  const known = looked.get(statement)
  if (known) return known
  const names = [...new Set(statement.match(/[a-z_]{4,}/g))]
  if (looked.size >= MOST_STATEMENTS) looked.clear()
  looked.set(statement, names)
  return names
}

const WRITES = /\b(?:insert\s+into|update|delete\s+from)\s+"?([a-z_]+)/gi

/** Notes which tables statements write to. */
export class Touched implements KyselyPlugin {
  readonly tables = new Set<string>()

  transformQuery({ node }: { node: RootOperationNode }): RootOperationNode {
    for (const name of writtenIn(node)) this.tables.add(name)
    return node
  }

  async transformResult<T>({ result }: { result: T }): Promise<T> {
    return result
  }
}

function writtenIn(node: any): string[] {
  switch (node.kind) {
    case 'InsertQueryNode':
      return [nameOf(node.into)]
    case 'UpdateQueryNode':
      return [nameOf(node.table)]
    case 'DeleteQueryNode':
      return node.from.froms.map(nameOf)
    case 'RawNode':
      return writtenBy(node.sqlFragments.join(' '))
    default:
      return []
  }
}

const written = new Map<string, string[]>()

function writtenBy(statement: string): string[] {
  const known = written.get(statement)
  if (known) return known
  const names = [...statement.matchAll(WRITES)].map(([, name]) => name as string)
  if (written.size >= MOST_STATEMENTS) written.clear()
  written.set(statement, names)
  return names
}

const nameOf = (node: any): string =>
  node.kind === 'AliasNode' ? nameOf(node.node) : (node.table.identifier.name as string)

/**
 * When tables last changed, by versions of the account. All of them stand in its row, which every write changes: so they
 * are kept short, by three letters for each. Two tables that share theirs would only be made anew together.
 */
export type TableVersions = {
  readonly version: number
  readonly changed: ReadonlyMap<string, number>
  /** Of which database they are: a server that takes over may come to the same versions by other ways. */
  readonly generation: string
  /** The hash of the last entry of the ledger: it tells by which way. */
  readonly head: string | null
}

const letters = new Map<string, string>()

/** The letters of a table. */
export function lettersOf(table: string): string {
  const known = letters.get(table) ?? createHash('sha1').update(table).digest('base64url').slice(0, 3)
  letters.set(table, known)
  return known
}

const LENGTH = 3

const parsed = (text: string) =>
  new Map(
    text.split(',').flatMap((one) => (one ? [[one.slice(0, LENGTH), Number.parseInt(one.slice(LENGTH), 36)]] : [])),
  )

/** The same after these tables have changed. */
export function versionsWith(text: string, tables: Iterable<string>, version: number): string {
  let all = `,${text}`
  for (const table of tables) {
    if (table === COUNTERS || PASSING.includes(table)) continue
    const own = `,${lettersOf(table)}`
    const at = all.indexOf(own)
    const next = at < 0 ? -1 : all.indexOf(',', at + 1)
    const before = at < 0 ? (all === ',' ? '' : all) : all.slice(0, at)
    all = before + own + version.toString(36) + (next < 0 ? '' : all.slice(next))
  }
  return all.slice(1)
}

/** Has one of these tables changed after a version? */
export function changedSince(text: string, tables: readonly string[], version: number): boolean {
  const all = `,${text}`
  return tables.some((table) => {
    const at = all.indexOf(`,${lettersOf(table)}`)
    return at >= 0 && Number.parseInt(all.slice(at + 1 + LENGTH).split(',', 1)[0] as string, 36) > version
  })
}

/** The last that were read, by their accounts: they are the same far more often than not. */
const lastRead = new Map<number, TableVersions & { text: string }>()

export function readVersions(
  /** As it was known before the row was read. */
  lost: number,
  { account_id, version, table_versions: text, ledger_hash: head, here }: { readonly [column: string]: any },
): TableVersions {
  const known = lastRead.get(account_id)
  const generation = `${lost} ${here}`
  // A database that was set back comes to the same versions by other ways.
  if (
    known &&
    known.version === version &&
    known.text === text &&
    known.generation === generation &&
    known.head === head
  )
    return known
  if (lastRead.size >= 1000) lastRead.clear()
  const read = { version, text, changed: parsed(text), generation, head }
  lastRead.set(account_id, read)
  return read
}
