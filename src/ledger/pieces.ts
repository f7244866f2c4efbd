import { type Database, NotOnReplica, type Sql } from '../database/database.ts'
import { Footing, lettersOf, readVersions, type TableVersions } from './footing.ts'

/** How far an account has come in the state of the data that a transaction sees. */
export type Standing = TableVersions & { readonly number: number }

export async function standingOf(
  on: Sql,
  accountId: number,
  { serverStart }: Database,
  lost: number,
): Promise<Standing> {
  const row = await on
    .selectFrom('accounts')
    .select(['id as account_id', 'version', 'ledger_no', 'ledger_hash', 'table_versions', serverStart.as('here')])
    .where('id', '=', accountId)
    // A copy may not have heard of it yet.
    .executeTakeFirstOrThrow(() => new NotOnReplica('There is no such account'))
  return { ...readVersions(lost, row), number: row.ledger_no }
}

type Kept = { version: number; readonly tables: Set<string>; readonly made: Map<number, unknown> }

/** So many kinds of pieces are kept, and so many of each. */
const MOST_KINDS = 500
const MOST_PIECES = 2000

/**
 * What is made of small records that many others name, by their ids: kept while the tables stand that it was made from. So a
 * page of records needs neither join what they all name nor write it again for each.
 */
export class Pieces {
  readonly #database: Database
  readonly #known: ReadonlySet<string>
  readonly #kept = new Map<string, Kept>()

  constructor(database: Database, tables: Iterable<string>) {
    this.#database = database
    this.#known = new Set(tables)
  }

  /** The pieces of these records, and the tables that they follow from. */
  async of<T>(
    name: string,
    ids: readonly number[],
    standing: Standing,
    make: (footing: Footing, ids: number[]) => Promise<Map<number, T>>,
  ): Promise<{ pieces: ReadonlyMap<number, T>; tables: ReadonlySet<string>; isPassing: boolean }> {
    const kept = this.#standing(`${standing.generation} ${name}`, standing)
    const known = kept.made as Map<number, T>
    const missing = ids.filter((id) => !known.has(id))
    if (missing.length === 0) return { pieces: known, tables: kept.tables, isPassing: false }
    const footing = new Footing(this.#known)
    const made = await make(footing, missing)
    const pieces = new Map([...known, ...made])
    const tables = new Set([...kept.tables, ...footing.tables])
    // Whoever watches statements sees them all. Another call may have gone on meanwhile.
    const isKept = !footing.isPassing && !this.#database.onStatement && kept.version === standing.version
    if (isKept) {
      for (const table of footing.tables) kept.tables.add(table)
      for (const [id, piece] of made) known.set(id, piece)
    }
    return { pieces, tables, isPassing: footing.isPassing }
  }

  /** What is kept under a name and still stands; nothing otherwise. */
  #standing(name: string, { version, changed }: Standing): Kept {
    const nothing = () => ({ version, tables: new Set<string>(), made: new Map<number, unknown>() })
    if (this.#database.onStatement) return nothing()
    const known = this.#kept.get(name)
    // A transaction that began before somebody else's looks at what was then.
    if (known && known.version > version) return nothing()
    const isStanding =
      known &&
      known.made.size < MOST_PIECES &&
      [...known.tables].every((table) => (changed.get(lettersOf(table)) ?? 0) <= known.version)
    if (isStanding) {
      known.version = version
      return known
    }
    if (this.#kept.size >= MOST_KINDS) this.#kept.clear()
    const anew = nothing()
    this.#kept.set(name, anew)
    return anew
  }
}
