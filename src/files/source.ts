/** A file that a record has: where its bytes lie, and how it is called. */
export type KeptFile = { part: string; hash: string; name: string; type: string }

/** Records that have files: which columns say so, and what they say. */
export type FileSource = {
  readonly table: string
  /** The column that names the bytes; it has an index. */
  readonly named: string
  /** What that column holds for bytes with this hash, when it is not the hash alone. */
  readonly namesFor?: (hash: string) => string[]
  readonly columns: readonly string[]
  /** A row has its account and id besides those columns. */
  readonly fileOf: (row: Record<string, any>) => KeptFile | null
}

export const isSameFile = (one: KeptFile | null, other: Pick<KeptFile, 'part' | 'hash'>) =>
  one !== null && one.part === other.part && one.hash === other.hash
