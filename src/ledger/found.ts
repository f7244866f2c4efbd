import type { Compiled } from '../database/compile.ts'
import type { Database, Sql } from '../database/database.ts'
import { FORGOTTEN, lettersOf } from './footing.ts'
import { IdSet, numbersIn } from './id-set.ts'
import type { Standing } from './pieces.ts'
import type { Query } from './query.ts'
import type { Table } from './tables.ts'

/** What a list asks for, of records of which each is found or not by itself and by what belongs to it. */
export type Question = {
  readonly table: string
  /** Selects the ids of all that are found. */
  readonly all: Query
  /** The same of these records only. */
  readonly among: (ids: number[]) => Promise<Query>
  /** The stretch that is wanted, in the order of ids; null when it comes in another. */
  readonly stretch: { readonly skipped: number; readonly size: number; readonly isDescending: boolean } | null
}

/** How many are found, and the ids of the stretch where they are known. */
export type Answer = { readonly count: number; readonly ids: number[] | null }

/**
 * Which records long lists have, kept in mind from one request to the next: how many they are, and where a page begins,
 * need not be counted anew. The ledger tells which records have changed since, and of those alone it is asked again
 * whether they are found.
 */
export class Found {
  readonly #database: Database
  readonly #tables: ReadonlySet<string>
  /** The tables whose rows belong to records of a table, by that one. */
  readonly #parts: ReadonlyMap<string, readonly Table[]>
  readonly #longFrom: number
  readonly #slowFrom: number
  /** The one that was asked for longest ago comes first. */
  readonly #kept = new Map<string, Kept>()
  #bytes = 0

  constructor(database: Database, tables: readonly Table[], { longFrom = LONG, slowFrom = SLOW }: Lists = {}) {
    this.#database = database
    this.#tables = new Set([...tables.map(({ table }) => table), WORDS])
    this.#parts = Map.groupBy(
      tables.filter(({ owner }) => owner),
      ({ owner }) => owner?.to as string,
    )
    this.#longFrom = longFrom
    this.#slowFrom = slowFrom
  }

  /** Answers in the state of the data that a transaction sees. */
  async answer(on: Sql, accountId: number, look: () => Promise<Standing>, asked: Question): Promise<Answer> {
    // Whoever watches statements sees them all.
    if (this.#database.onStatement) return counted(asked)
    const statement = asked.all.compile() as Compiled
    const name = JSON.stringify([statement.sql, statement.parameters])
    const known = this.#kept.get(name)
    const standing = known && (await look())
    if (standing && known.generation === standing.generation) {
      const kept = await this.#broughtUp(on, accountId, asked, known, standing)
      // A call that began later was faster.
      if (kept && kept.version > standing.version) return counted(asked)
      if (kept) return this.#answerFrom(name, kept, asked)
    }
    const begun = performance.now()
    const ids = numbersIn(await this.#database.selectIds(on, statement))
    const isKept = ids.length >= this.#longFrom || performance.now() - begun >= this.#slowFrom
    const set = isKept ? IdSet.of(ids, MOST_BYTES / 4) : null
    if (!set) return { count: ids.length, ids: stretchIn(ids, asked) }
    const { version, number, generation } = standing ?? (await look())
    const tables = [...statement.tables].filter((one) => this.#tables.has(one))
    const kept = {
      version,
      number,
      generation,
      ids: set,
      size: 0,
      tables: [...new Set([...tables, asked.table, FORGOTTEN])],
    }
    return this.#answerFrom(name, kept, asked)
  }

  #answerFrom(name: string, kept: Kept, { stretch }: Question): Answer {
    this.#keep(name, kept)
    const { ids } = kept
    return {
      count: ids.size,
      ids: stretch && ids.slice(stretch.skipped, stretch.size, stretch.isDescending),
    }
  }

  /** The same set, as it is by now; undefined when it must be made anew. */
  async #broughtUp(
    on: Sql,
    accountId: number,
    asked: Question,
    kept: Kept,
    { version, number, changed }: Standing,
  ): Promise<Kept | undefined> {
    while (kept.version < version) {
      const since = kept.version
      const tables = kept.tables.filter((table) => (changed.get(lettersOf(table)) ?? 0) > since)
      const ids = tables.length === 0 ? [] : await this.#changedIn(on, accountId, asked.table, tables, kept.number)
      if (!ids) return undefined
      const found = ids.length === 0 ? [] : await (await asked.among(ids)).execute()
      // While this one looked, another call may have brought it up to date, or further.
      if (kept.version !== since) continue
      for (const id of ids) kept.ids.delete(id)
      for (const { id } of found) kept.ids.add(id)
      Object.assign(kept, { version, number })
    }
    return kept
  }

  /** The records of a table that may be found now and were not, or the other way round; undefined when that is not known. */
  async #changedIn(
    on: Sql,
    accountId: number,
    table: string,
    changed: readonly string[],
    since: number,
  ): Promise<number[] | undefined> {
    const parts = this.#parts.get(table) ?? []
    const resources = new Set<string>()
    for (const name of changed) {
      // The words that records are found by change with them.
      if (name === table || name === WORDS) resources.add(table)
      else if (parts.some((part) => part.table === name)) resources.add(name)
      else return undefined
    }
    const entries = await on
      .selectFrom('ledger')
      .select(['resource', 'record_id', 'owner_id', 'before'])
      .where('account_id', '=', accountId)
      .where('resource', 'in', [...resources])
      .where('no', '>', since)
      .limit(MOST_CHANGED + 1)
      .execute()
    if (entries.length > MOST_CHANGED) return undefined
    const ids = new Set<number>()
    for (const { resource, record_id, owner_id, before } of entries) {
      if (resource === table) {
        ids.add(record_id)
        continue
      }
      if (owner_id !== null) ids.add(owner_id)
      // It may have belonged to another before.
      const { owner } = parts.find((part) => part.table === resource) as Table
      const former = before && JSON.parse(before)[owner?.column as string]
      if (typeof former === 'number') ids.add(former)
    }
    return [...ids]
  }

  #keep(name: string, kept: Kept): void {
    this.#drop(name)
    kept.size = kept.ids.bytes + name.length * 2 + OVERHEAD
    this.#kept.set(name, kept)
    this.#bytes += kept.size
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MOST_BYTES) break
      this.#drop(oldest)
    }
  }

  #drop(name: string): void {
    const kept = this.#kept.get(name)
    if (!kept) return
    this.#bytes -= kept.size
    this.#kept.delete(name)
  }
}

type Kept = {
  /** The account's version and the ledger's number that it is true at. */
  version: number
  number: number
  /** Of which database. */
  readonly generation: string
  readonly ids: IdSet
  /** What it follows from. */
  readonly tables: readonly string[]
  size: number
}

/** Which lists are kept in mind: those with so many records, and those that take so many milliseconds to find. */
export type Lists = { readonly longFrom?: number | undefined; readonly slowFrom?: number | undefined }

/** What is shorter, and found at once, is asked for each time. */
const LONG = 300
const SLOW = 50
/** A million records take an eighth of a megabyte. */
const MOST_BYTES = 16 * 2 ** 20
/** When more than this has changed, all are asked again. */
const MOST_CHANGED = 1000
/** What a set takes besides its bits, roughly. */
const OVERHEAD = 2000

/** The words that records are found by. */
const WORDS = 'search_words'

export async function counted({ all }: Question): Promise<Answer> {
  const { n } = await all
    .clearSelect()
    .select((eb) => eb.fn.countAll().as('n'))
    .executeTakeFirstOrThrow()
  return { count: Number(n), ids: null }
}

/** The same of a few ids. */
function stretchIn(ids: number[], { stretch }: Question): number[] | null {
  if (!stretch) return null
  const { skipped, size, isDescending } = stretch
  const sorted = ids.sort((a, b) => (isDescending ? b - a : a - b))
  return sorted.slice(skipped, skipped + size)
}
