import type { AccountVersion } from './account-version.ts'
import type { Cache } from './cache.ts'
import { ReadSet } from './read-set.ts'

type Lookup = { readonly values: Map<number, unknown>; readonly tables: ReadonlySet<string>; readonly bytes: number }

/** More values of one kind are not kept together: the kind starts again. */
const MOST_VALUES = 2000
/** Rough size of a value that is not a text. */
const OBJECT_BYTES = 1000

/**
 * Values made from small records that many others refer to, by id. With them a page of records needs no
 * joins, and no text is written twice. Values under one key depend on the same tables.
 */
export class Lookups {
  readonly #cache: Cache
  readonly #versioned: ReadonlySet<string>

  constructor(cache: Cache, versioned: Iterable<string>) {
    this.#cache = cache
    this.#versioned = new Set(versioned)
  }

  /** The values of these records, and the tables that they were read from. Missing values are made by `make`. */
  async find<T>(
    key: string,
    ids: readonly number[],
    at: AccountVersion,
    make: (readSet: ReadSet, ids: number[]) => Promise<Map<number, T>>,
  ): Promise<{ values: ReadonlyMap<number, T>; tables: ReadonlySet<string>; isUncacheable: boolean }> {
    const known = this.#cache.find<Lookup>('records', key, at)
    const values = (known?.values ?? new Map()) as Map<number, T>
    const missing = ids.filter((id) => !values.has(id))
    if (missing.length === 0) return { values, tables: known?.tables ?? new Set(), isUncacheable: false }
    const readSet = new ReadSet(this.#versioned)
    const made = await make(readSet, missing)
    const { isUncacheable } = readSet
    const all = new Map([...values, ...made])
    const tables = new Set([...(known?.tables ?? []), ...readSet.tables])
    if (!isUncacheable) {
      const isFull = all.size > MOST_VALUES
      const stored = isFull ? made : all
      const bytes = (isFull ? 0 : (known?.bytes ?? 0)) + sizeOf(made)
      this.#cache.store('records', key, at, { values: stored, tables, bytes } satisfies Lookup, { tables, bytes })
    }
    return { values: all, tables, isUncacheable }
  }
}

function sizeOf(made: ReadonlyMap<number, unknown>): number {
  let bytes = 0
  for (const value of made.values()) {
    const text = (value as { text?: unknown } | null)?.text
    bytes += typeof text === 'string' ? text.length * 2 + 100 : OBJECT_BYTES
  }
  return bytes
}
