import { createHash } from 'node:crypto'
import { NotOnReplica } from '../database/database.ts'

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

/** Changes with the tables that it counts: who reads it declares one of those in the statement. */
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

  /** Notes the tables that a statement reads. */
  note(tables: ReadonlySet<string>): void {
    let isKnown = false
    for (const name of tables)
      if (this.#known.has(name)) {
        this.tables.add(name)
        isKnown = true
      } else if (PASSING.includes(name)) this.passes()
    if (!isKnown && tables.has(COUNTERS)) this.passes()
  }

  /** Something is read that nobody watches over. */
  passes(): void {
    this.isPassing = true
    if (this.isFollowing) throw new NotOnReplica()
  }
}

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
