import type { TSchema } from 'typebox'
import type { Condition } from '../database/overlay.ts'
import type { Account, Caller } from '../ledger/caller.ts'
import type { Query, Reader } from '../ledger/reader.ts'
import type { Fate, Naming } from '../ledger/tables.ts'

/**
 * What the service is declared with: fields, the kinds of records they make up, and the ways those are shown.
 * The constructors stand in `field.ts` and `resource.ts`.
 */

/** The types of columns, as migrations spell them. */
export type ColumnType = 'text' | 'bigint' | 'integer' | 'boolean' | 'date' | 'timestamptz'

/**
 * One field of a resource: how it may be sent, how it is kept, how it is shown. T is what a rule sees, and never for
 * what has no column; S is what may be sent. Fields of all types stand together in a resource, hence any.
 */
export type Field<T = any, S = any> = {
  /** Schema of a sent value; null when bodies cannot set it. */
  readonly input: TSchema | null
  /** Schema of a shown value; null when it is never shown. A function where the schema needs resources declared later. */
  readonly output: TSchema | (() => TSchema) | null
  readonly required: boolean
  /** What the record holds when the field was never given, or was cleared. */
  readonly initial: T
  /** The type of its column, and whether that always holds something; null when it has none. */
  readonly column: { type: ColumnType; isNeverNull: boolean } | null
  /** Unique in the account, whatever the case; kept by a `<name>_key` column. */
  readonly unique?: boolean
  /** Kept a second time as it is searched, in a `<name>_key` column. */
  readonly folded?: boolean
  /** Records are found by its words. */
  readonly searched?: boolean
  /** The field by which those are ordered that hold the same of this one. */
  readonly nextBy?: string
  /** A group of fields that can be withheld from a caller. */
  readonly group?: string
  /** Left out of an answer when the load brings nothing for a record. */
  readonly sometimes?: boolean
  /** Kept out of the ledger and of every answer. */
  readonly secret?: boolean
  /** By it, and nothing else, it is found which account it is of: no two accounts have the same. */
  readonly tellsAccount?: boolean
  /** An amount of money, in the currency that its record names. */
  readonly money?: boolean
  /** Its value is the group of data that those records belong to which name this one. */
  readonly protects?: boolean
  /** How changes of it are told, where it is neither sent nor shown, or is shown otherwise than it is kept. */
  readonly tells?: DescribesValue<T>
  readonly reference?: Reference
  /** A text that names records where another record says so: the database knows of no reference. */
  readonly naming?: Naming
  /** The table of the record that it names, which is gone: whoever erases this one has its past forgotten too. */
  readonly former?: string
  /** The name in answers, when it is not the field's own. */
  readonly as?: string
  /** Computed from columns of the same record. */
  readonly derived?: { from: readonly string[]; compute: (row: any, db: Reader) => unknown }
  /** The name of the record that another field of the same record refers to. */
  readonly named?: { via: string; table: string }
  /** Computed for all records of an answer at once. */
  readonly loaded?: {
    load: Load
    part: string | null /** It may tell texts to whoever only writes down. */
    mayWrite: boolean
  }
  // Declared as methods: a field of any type must fit where a field of every type is asked for.
  /** Sent → kept in memory. */
  parse(sent: S): T
  /** In memory → column and back. */
  write(value: T): unknown
  read(column: any): T
  /** In memory → answer. */
  show(value: T): unknown
  /** Only for the compiler. */
  readonly kept?: T
  readonly sent?: S
}

/**
 * Under which name changes of a kept value are told, and as what on the day of the change. A twin of other columns is
 * not told of, and says why.
 */
export type DescribesValue<T = any> =
  | { readonly as: string; show(value: T, day: string): unknown }
  | { readonly twin: string }

export type Fields = Record<string, Field>

export type Load = (db: Reader, ids: number[]) => Promise<Map<number, any>>

export type Reference = {
  table: string
  /** Deleting the target deletes this record too. */
  owner: boolean
  /** What becomes of the record when the target is erased. */
  fate: Fate
  goesWhere?: { column: string; is: string }
  /** The target is the same person: once it is gone, it is forgotten when the record is erased. */
  same?: true
  /** The owner shows this record among its own fields: when it changes, so has the owner. */
  part: boolean
  /** The name in answers, when the target is shown as an object there. */
  as: string | null
  shape: (() => Shape) | null
}

/** A kind of record: its table, its fields, and where it stands in the interface. */
export type Resource<F extends Fields = Fields> = {
  /** The table, and the plural in paths: `old_books`. */
  readonly table: string
  /** The singular in words: `old book`. */
  readonly one: string
  /** The singular in schemas and operation ids: `OldBook`. */
  readonly title: string
  readonly path: string
  readonly area: string
  /** What a caller must hold to read them: `<area>:read`, unless it is said otherwise. */
  readonly readWith: string
  /** The group of data that the whole record belongs to: it can be withheld from a caller. */
  readonly group: string | null
  /** Records with this flag are shown to a scope from which their group is withheld: to whom they are about, say. */
  readonly opens: { readonly to: string; readonly where: string } | null
  /** What of its records belongs to a further group until a day has come. */
  readonly heldBack: HeldBack | null
  /** The fields of dated records that hold on until a later one says them anew (`stated`). */
  readonly inherits: readonly string[]
  /** Which of its records a caller sees; null: whoever may read the area sees all. */
  readonly rowPolicy: RowPolicy | null
  /** Whom or what a record is about, by which scopes reach it; null: what it is a part of, or nothing at all. */
  readonly about: readonly SubjectPath[] | null
  /** The permission by which some of its records are known by name, though not read, and which they are. */
  readonly named: { readonly by: string; readonly which: (query: Query, db: Reader) => Query } | null
  /** There are few of them, they change seldom, and many others name them. */
  readonly isLookup: boolean
  /** The values by which the record is known that takes the place of erased ones; null when there is none. */
  readonly standIn: Readonly<Record<string, string>> | null
  /** The numbers by which its records are known in the interface; null: their ids. */
  readonly numbers: Numbers | null
  /** The fields that were declared, without id and timestamps. */
  readonly fields: F
  /** Fields whose value the path gives: `/shelves/{shelf_id}/books`. */
  readonly parents: readonly string[]
  /** The record as its own operations show it. */
  readonly whole: Shape
}

/** What belongs to a group of data until a day has come: whole records, or some of their columns. */
export type HeldBack = {
  readonly group: string
  /** Once one of these days has come, it is not held back any more. */
  readonly until: readonly string[]
  /** Nor where this holds, on a day; with the column of its first day. */
  readonly unless?: (today: string, first: string) => Condition
  /** The columns that are held back; without them the whole record is. */
  readonly columns?: readonly string[]
  /** Another column that would tell of a record that is held back: until when it is, and what stands there meanwhile. */
  readonly ends?: { readonly column: string; readonly until: readonly string[]; readonly meanwhile: string }
}

/** Numbers in place of ids: each id has one, and each number one id. */
export type Numbers = {
  readonly numberOf: (account: Account, id: number) => number
  readonly idOf: (account: Account, number: number) => number
}

/**
 * A way from a record to what it is about: `'self'`, a column that names it, or the records of another table that name
 * this one by a column. With `orNothing` what names nothing is about nobody, and everybody's. A kind that is about
 * nothing at all is for those who hold its permission for everybody, and for each of us in what is our own.
 */
export type SubjectPath =
  | 'self'
  | { readonly column: string; readonly orNothing?: boolean }
  | { readonly from: string; readonly column: string }

/**
 * Which records of a kind a caller sees, where that depends on who they are. To see them is not to write them: what is
 * done to them must reach what they are about.
 */
export type RowPolicy = {
  readonly seesAll: (caller: Caller) => boolean
  /** Narrows a query on the table to the records that are seen by a caller who does not see all. */
  readonly narrow: (query: Query, db: Reader) => Query
  /** The columns that it looks at, each of which has an index. */
  readonly indexedColumns: readonly string[]
  /** The tables from which it follows who sees what. */
  readonly dependsOn: readonly string[]
}

/** A way to show a record: which of its fields, under which schema name. */
export type Shape = { readonly resource: Resource; readonly names: readonly string[]; readonly title: string }

type Kept<F> = F extends Field<infer T, any> ? T : never
type Sendable<F> = F extends Field<any, infer S> ? S : never

/** The names of the fields that have a column. */
type Columns<F extends Fields> = keyof { [K in keyof F as [Kept<F[K]>] extends [never] ? never : K]: true }

type Stamps = { id: number; created_at: string; updated_at: string }

/** A stored record as rules see it. */
export type Row<R extends Resource> = Stamps & { [K in Columns<R['fields']>]: Kept<R['fields'][K]> }

/** Values that a record may be created from or changed by, as they are sent. */
export type Sent<R extends Resource> = { [K in Columns<R['fields']>]?: Sendable<R['fields'][K]> | null }

/** Values of a record that code has made, as they are kept in memory. */
export type Made<R extends Resource> = { [K in Columns<R['fields']>]?: Kept<R['fields'][K]> }

/** The name of a field that has a column. */
export type ColumnName<R extends Resource> = (Columns<R['fields']> | keyof Stamps) & string

/** A kind of record that has these fields, whatever else it has. */
export type With<N extends string, T> = Resource<Record<N, Field<T>>>
