import type { Compiled } from '../database/compile.ts'
import type { Database, Sql } from '../database/database.ts'
import { type AccountVersion, codeOf, FORGOTTEN } from './account-version.ts'
import type { Cache } from './cache.ts'
import { IdSet, numbersIn } from './id-set.ts'
import type { Query } from './query.ts'
import type { Table } from './tables.ts'

/** A list of records, each of which matches or not by its own row and the rows that belong to it. */
export type ListQuery = {
  readonly table: string
  /** Selects the ids of all matching records. */
  readonly all: Query
  /** Selects those of these ids that match. */
  readonly among: (ids: number[]) => Promise<Query>
  /** The part of the list that is wanted, if the list is ordered by id. */
  readonly range: { readonly skipped: number; readonly size: number; readonly isDescending: boolean } | null
}

/** The number of matching records, and the ids in the range if they are known. */
export type Matches = { readonly count: number; readonly ids: number[] | null }

/** Which lists are cached: those with so many records, and those that take so many milliseconds to find. */
export type CachedLists = { readonly longFrom?: number | undefined; readonly slowFrom?: number | undefined }

/** Shorter and faster lists are read each time. */
const LONG = 300
const SLOW = 50
/** No set may have more bytes: a million ids take an eighth of a megabyte. */
const MAX_BYTES = 4 * 2 ** 20
/** If more records than this have changed, the whole list is read again. */
const MOST_CHANGED = 1000

/** The words by which records are found in a search. */
const SEARCH_WORDS = 'search_words'

type CachedIds = {
  /** The version and the change number that the set is true at. It is brought up to date in place. */
  version: number
  ledgerNumber: number
  readonly ids: IdSet
  /** Tables on which it depends. */
  readonly tables: readonly string[]
}

/**
 * The ids of the records in long lists, from one request to the next: neither the total nor the place of a page is counted again.
 * The ledger tells which records have changed since, and only those are checked against the filters again.
 */
export class MatchingIds {
  readonly #database: Database
  readonly #cache: Cache
  readonly #tables: ReadonlySet<string>
  /** Tables whose rows belong to records of a table, by that table. */
  readonly #parts: ReadonlyMap<string, readonly Table[]>
  readonly #longFrom: number
  readonly #slowFrom: number

  constructor(
    database: Database,
    cache: Cache,
    tables: readonly Table[],
    { longFrom = LONG, slowFrom = SLOW }: CachedLists = {},
  ) {
    this.#database = database
    this.#cache = cache
    this.#tables = new Set([...tables.map(({ table }) => table), SEARCH_WORDS])
    this.#parts = Map.groupBy(
      tables.filter(({ owner }) => owner),
      ({ owner }) => owner?.to as string,
    )
    this.#longFrom = longFrom
    this.#slowFrom = slowFrom
  }

  /** Finds the matches in the snapshot of a transaction, whose version `readVersion` returns. A list that is not cached does not need it. */
  async find(
    on: Sql,
    admitted: AccountVersion | undefined,
    readVersion: () => Promise<AccountVersion>,
    list: ListQuery,
  ): Promise<Matches> {
    // When statements are recorded, nothing comes from the cache.
    if (this.#database.onStatement) return countMatches(list)
    const statement = list.all.compile() as Compiled
    const key = JSON.stringify([statement.sql, statement.parameters])
    const cached = this.#cache.peek<CachedIds>('ids', key, admitted ?? (await readVersion()))
    if (cached) {
      const at = await readVersion()
      // After a failover since the admission, the set may have changes that this server lacks.
      const isOfThisServer = admitted === undefined || admitted.generation === at.generation
      if (isOfThisServer && (await this.#bringUpToDate(on, list, cached, at))) {
        // Another request has brought it to a newer version than this snapshot.
        if (cached.version > at.version) return countMatches(list)
        this.#cache.counts.ids.hits++
        this.#store(key, at, cached)
        return matchesIn(cached.ids, list)
      }
    }
    const begun = performance.now()
    const ids = numbersIn(await this.#database.selectIds(on, statement))
    const isCached = ids.length >= this.#longFrom || performance.now() - begun >= this.#slowFrom
    const set = isCached ? IdSet.of(ids, MAX_BYTES) : null
    if (!set) return { count: ids.length, ids: rangeOf(ids, list) }
    this.#cache.counts.ids.misses++
    const at = await readVersion()
    const { version, ledgerNumber } = at
    const tables = [...statement.tables].filter((one) => this.#tables.has(one))
    this.#store(key, at, {
      version,
      ledgerNumber,
      ids: set,
      tables: [...new Set([...tables, list.table, FORGOTTEN])],
    })
    return matchesIn(set, list)
  }

  /** It stays in the cache when its tables change, because it can be brought up to date: it declares no tables. */
  #store(key: string, at: AccountVersion, cached: CachedIds): void {
    this.#cache.store('ids', key, at, cached, { tables: [], bytes: cached.ids.bytes })
  }

  /** False if the whole list has to be read again. */
  async #bringUpToDate(on: Sql, list: ListQuery, cached: CachedIds, at: AccountVersion): Promise<boolean> {
    const { version, ledgerNumber, changed } = at
    while (cached.version < version) {
      const since = cached.version
      const tables = cached.tables.filter((table) => (changed.get(codeOf(table)) ?? 0) > since)
      const ids = tables.length === 0 ? [] : await this.#changedIds(on, at.accountId, list.table, tables, cached)
      if (!ids) return false
      const matching = ids.length === 0 ? [] : await (await list.among(ids)).execute()
      // Another request may have brought it up to date meanwhile.
      if (cached.version !== since) continue
      for (const id of ids) cached.ids.delete(id)
      for (const { id } of matching) cached.ids.add(id)
      Object.assign(cached, { version, ledgerNumber })
    }
    return true
  }

  /** Ids of the records that may match now and did not before, or the other way round; undefined if that is not known. */
  async #changedIds(
    on: Sql,
    accountId: number,
    table: string,
    changed: readonly string[],
    { ledgerNumber }: CachedIds,
  ): Promise<number[] | undefined> {
    const parts = this.#parts.get(table) ?? []
    const resources = new Set<string>()
    for (const name of changed) {
      // Search words change together with their record.
      if (name === table || name === SEARCH_WORDS) resources.add(table)
      else if (parts.some((part) => part.table === name)) resources.add(name)
      else return undefined
    }
    const entries = await on
      .selectFrom('ledger')
      .select(['resource', 'record_id', 'owner_id', 'before'])
      .where('account_id', '=', accountId)
      .where('resource', 'in', [...resources])
      .where('no', '>', ledgerNumber)
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
      // The row may have belonged to another record before.
      const { owner } = parts.find((part) => part.table === resource) as Table
      const ownerBefore = before && JSON.parse(before)[owner?.column as string]
      if (typeof ownerBefore === 'number') ids.add(ownerBefore)
    }
    return [...ids]
  }
}

export async function countMatches({ all }: ListQuery): Promise<Matches> {
  const { n } = await all
    .clearSelect()
    .select((eb) => eb.fn.countAll().as('n'))
    .executeTakeFirstOrThrow()
  return { count: Number(n), ids: null }
}

const matchesIn = (ids: IdSet, { range }: ListQuery): Matches => ({
  count: ids.size,
  ids: range && ids.slice(range.skipped, range.size, range.isDescending),
})

/** The same of a few ids. */
function rangeOf(ids: number[], { range }: ListQuery): number[] | null {
  if (!range) return null
  const { skipped, size, isDescending } = range
  const sorted = ids.sort((a, b) => (isDescending ? b - a : a - b))
  return sorted.slice(skipped, skipped + size)
}
