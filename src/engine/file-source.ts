/** A file of a record: where its bytes are stored, and its name and type. */
export type RecordFile = { part: string; hash: string; name: string; type: string }

/** Records that have files: which columns say so, and what they say. */
export type FileSource = {
  readonly table: string
  /** The column that names the bytes; it has an index. */
  readonly named: string
  /** What that column holds for bytes with this hash, when it is not the hash alone. */
  readonly namesFor?: (hash: string) => string[]
  readonly columns: readonly string[]
  /** A row has its account and id besides those columns. */
  readonly fileOf: (row: Record<string, any>) => RecordFile | null
}

export const isSameFile = (one: RecordFile | null, other: Pick<RecordFile, 'part' | 'hash'>) =>
  one !== null && one.part === other.part && one.hash === other.hash
