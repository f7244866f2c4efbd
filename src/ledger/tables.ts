/** What the ledger knows of the tables whose changes it keeps. */

/** A table as the write path sees it. */
export type Table = {
  readonly table: string
  /** The singular, in words. */
  readonly one: string
  /** Columns that stay out of the ledger: what follows from other columns, and secrets. */
  readonly unledgered: readonly string[]
  /** Texts that are compared and sorted by a column `<name>_key` beside them. */
  readonly keyed: readonly string[]
  /** Those of them that no two records share. */
  readonly unique: readonly string[]
  /** Columns that hold words of people: names, addresses, remarks. */
  readonly texts: readonly string[]
  /** Columns by whose words records are found. */
  readonly searched: readonly string[]
  /** Columns by which it is found which account something is of. */
  readonly tellsAccount: readonly string[]
  readonly references: readonly TableReference[]
  /** The column that names the record which it is a part of. */
  readonly owner: { readonly column: string; readonly to: string } | null
  /** Columns that name records which are gone, and whose place the record took. */
  readonly formers: readonly { readonly column: string; readonly of: string }[]
}

/**
 * What becomes of a record when somebody whom it names is erased: it goes with them; it stays as a figure, in another's
 * name and without its texts; it stays as it is, in another's name; or it stays and names nobody.
 */
export type Fate = 'goes' | 'figure' | 'stays' | 'cleared'

export type TableReference = {
  readonly column: string
  readonly to: string
  /** Deleting the record referred to deletes this one too. */
  readonly owner: boolean
  readonly fate: Fate
  /** Records that hold this value in a column go with them, whatever the fate of the others. */
  readonly goesWhere?: { readonly column: string; readonly is: string }
  /** It names the same person: once one of the two is gone, it is forgotten with the other. */
  readonly same?: true
}

/** Who may refer to a record of a table. */
export type Referrer = TableReference & { readonly from: Table }

/** What refers to what, so that deleting a record can look at all that may name it. */
export function referrersAmong(tables: readonly Table[]): Map<string, Referrer[]> {
  const all = tables.flatMap((from) => from.references.map((reference) => ({ ...reference, from })))
  return Map.groupBy(all, ({ to }) => to)
}

/** Records of which the past is to say nothing any more: nothing at all, or not what these entries told. */
export type Forgotten = { readonly of: Table; readonly ids: readonly number[]; readonly numbers?: readonly number[] }

/** That an entry tells of these columns of a record. */
export type Told = {
  readonly number: number
  readonly resource: string
  readonly record_id: number
  readonly columns: readonly string[]
}

/** That a column names records of a table. */
export type NamingColumn = { readonly column: string } & Naming

export type Naming = {
  readonly to: string
  /** It is a text, and a name only where the record that another column names holds this, which never changes. */
  readonly where?: { readonly via: string; readonly of: string; readonly column: string; readonly is: string }
}

/** A table as whoever takes changes back sees it. */
export type PastTable = {
  readonly table: string
  /** All its columns with their types, as migrations spell them. */
  readonly columns: Readonly<Record<string, string>>
  readonly searched: readonly string[]
  /** Columns that are never taken back: what they say of the record holds for its past, too. */
  readonly lasting: readonly string[]
  /** The columns that name records of other tables. */
  readonly names: readonly NamingColumn[]
  /** A row with what the ledger does not keep of it, and what it did not keep then. */
  readonly complete: (row: Record<string, unknown>) => Record<string, unknown>
}
