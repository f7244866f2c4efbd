import { createHash } from 'node:crypto'

/** The state of an account's data: its version, and the version in which each of its tables last changed. */
export type AccountVersion = {
  readonly accountId: number
  readonly version: number
  /** The number of the last change in the ledger. */
  readonly ledgerNumber: number
  /** The version in which a table last changed, by the code of the table. */
  readonly changed: ReadonlyMap<string, number>
  /** Identifies the server and the connection to it: another server may reach the same version with other changes. */
  readonly generation: string
  /** Hash of the last ledger entry. Databases that have the same version but another history differ in it. */
  readonly head: string | null
  /** `changed` as it is stored. */
  readonly text: string
}

/** Tables that are also written without the write lock of an account, so they have no version: what is read from them cannot be cached. */
export const UNVERSIONED = [
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

/** Changes together with the tables that it counts. A query that reads it also names one of them. */
export const COUNTERS = 'counters'

/** Stands among the changed tables of a write that removed history: the ledger does not list everything that changed. */
export const FORGOTTEN = 'forgotten'

/** All table versions are in one column of `accounts`, which every write updates. Short codes keep it small; two tables with one code would only be invalidated together. */
const CODE_LENGTH = 3
const codes = new Map<string, string>()

export function codeOf(table: string): string {
  const known = codes.get(table) ?? createHash('sha1').update(table).digest('base64url').slice(0, CODE_LENGTH)
  codes.set(table, known)
  return known
}

const parse = (text: string) =>
  new Map(
    text
      .split(',')
      .flatMap((one) => (one ? [[one.slice(0, CODE_LENGTH), Number.parseInt(one.slice(CODE_LENGTH), 36)]] : [])),
  )

/** The stored text after these tables have changed in a version. */
export function textWithChanges(text: string, tables: Iterable<string>, version: number): string {
  let all = `,${text}`
  for (const table of tables) {
    if (table === COUNTERS || UNVERSIONED.includes(table)) continue
    const own = `,${codeOf(table)}`
    const at = all.indexOf(own)
    const next = at < 0 ? -1 : all.indexOf(',', at + 1)
    const before = at < 0 ? (all === ',' ? '' : all) : all.slice(0, at)
    all = before + own + version.toString(36) + (next < 0 ? '' : all.slice(next))
  }
  return all.slice(1)
}

/** Has one of these tables changed after a version? Reads the stored text, without parsing all of it. */
export function hasChangedAfter(text: string, tables: readonly string[], version: number): boolean {
  const all = `,${text}`
  return tables.some((table) => {
    const at = all.indexOf(`,${codeOf(table)}`)
    return at >= 0 && Number.parseInt(all.slice(at + 1 + CODE_LENGTH).split(',', 1)[0] as string, 36) > version
  })
}

/** Columns of `accounts` that `versionIn` needs, besides the start of the server. */
export const VERSION_COLUMNS = ['version', 'ledger_no', 'ledger_hash', 'table_versions'] as const

/** The last version of each account that was read: usually the next one is the same, and need not be parsed. */
const lastRead = new Map<number, AccountVersion>()
const MOST_ACCOUNTS = 1000

/** The version of an account in a row of `accounts`. Returns the same object while nothing has changed. */
export function versionIn(
  accountId: number,
  row: { readonly [column: string]: any },
  /** The generation of the database connection, taken before the row was read. */
  generationBefore: number,
): AccountVersion {
  const { version, ledger_no: ledgerNumber, ledger_hash: head, table_versions: text, here } = row
  const generation = `${generationBefore} ${here}`
  const last = lastRead.get(accountId)
  if (
    last &&
    last.version === version &&
    last.ledgerNumber === ledgerNumber &&
    last.text === text &&
    last.generation === generation &&
    last.head === head
  )
    return last
  if (lastRead.size >= MOST_ACCOUNTS) lastRead.clear()
  const read = { accountId, version, ledgerNumber, changed: parse(text), generation, head, text }
  lastRead.set(accountId, read)
  return read
}
