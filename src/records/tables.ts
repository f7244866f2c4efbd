/** Describes tables for the write path, for deleting and erasing, and for reading the past. */

/** A table as the write path sees it. */
export type Table = {
  readonly table: string
  /** Singular name for messages. */
  readonly one: string
  /** Columns without ledger entries: secrets, and values derived from other columns. */
  readonly unledgered: readonly string[]
  /** Texts with a column `<name>_key`, by which they are compared and sorted. */
  readonly keyed: readonly string[]
  /** The keyed columns that must be unique. */
  readonly unique: readonly string[]
  /** Columns with texts that people write, such as names and remarks. */
  readonly texts: readonly string[]
  /** Columns that search covers. */
  readonly searched: readonly string[]
  /** Columns with hashes of secrets. `secret_hashes` says which account each belongs to. */
  readonly secretHashes: readonly string[]
  readonly references: readonly TableReference[]
  /** The column that references the record it is a part of. */
  readonly owner: { readonly column: string; readonly to: string } | null
  /** Columns that reference deleted records which this record replaces. */
  readonly formers: readonly { readonly column: string; readonly of: string }[]
}

/**
 * What happens to a record when a person that it references is erased. `goes`: it is deleted. `figure`: it stays for statistics,
 * references a placeholder and loses its texts. `stays`: it references a placeholder. `cleared`: the reference becomes null.
 */
export type Fate = 'goes' | 'figure' | 'stays' | 'cleared'

export type TableReference = {
  readonly column: string
  readonly to: string
  /** Deleting the referenced record also deletes this one. */
  readonly owner: boolean
  readonly fate: Fate
  /** Records with this value in a column are deleted, whatever the fate of the others. */
  readonly goesWhere?: { readonly column: string; readonly is: string }
  /** Both records are about the same person: erasing the person erases both. */
  readonly same?: true
}

/** A reference and the table that has it. */
export type Referrer = TableReference & { readonly from: Table }

/** All references by the table that they point to. */
export function referrersAmong(tables: readonly Table[]): Map<string, Referrer[]> {
  const all = tables.flatMap((from) => from.references.map((reference) => ({ ...reference, from })))
  return Map.groupBy(all, ({ to }) => to)
}

/** Records whose ledger entries lose their contents: all entries, or those with these change numbers. */
export type LedgerErasure = {
  readonly of: Table
  readonly ids: readonly number[]
  readonly numbers?: readonly number[]
}

/** The columns that a ledger entry contains. */
export type EntryColumns = {
  readonly number: number
  readonly resource: string
  readonly record_id: number
  readonly columns: readonly string[]
}

/** A column that references records of a table. */
export type NamingColumn = { readonly column: string } & Naming

export type Naming = {
  readonly to: string
  /** The column is text. It is a reference only if the record in another column has this value, which never changes. */
  readonly where?: { readonly via: string; readonly of: string; readonly column: string; readonly is: string }
}

/** A table as readers of the past see it. */
export type PastTable = {
  readonly table: string
  /** All its columns with their types, as in the migrations. */
  readonly columns: Readonly<Record<string, string>>
  readonly searched: readonly string[]
  /** Columns whose value of today also applies to the past. */
  readonly lasting: readonly string[]
  /** The columns that reference records of other tables. */
  readonly names: readonly NamingColumn[]
  /** Adds to a row what the ledger does not have, or did not have then. */
  readonly complete: (row: Record<string, unknown>) => Record<string, unknown>
}
