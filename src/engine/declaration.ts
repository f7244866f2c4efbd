import type { TSchema } from 'typebox'
import type { Condition } from '../database/rewrite-query.ts'
import type { Account, Caller } from '../records/caller.ts'
import type { Query, Reader } from '../records/reader.ts'
import type { Fate, Naming } from '../records/tables.ts'

/**
 * The types of declarations: fields, resources made of fields, and the shapes in which records are shown.
 * The constructors are in `field.ts` and `resource.ts`.
 */

/** The types of columns, as migrations spell them. */
export type ColumnType = 'text' | 'bigint' | 'integer' | 'boolean' | 'date' | 'timestamptz'

/**
 * One field of a resource: how clients send it, how it is stored, how it is shown. T is the type that rules see (never, if the
 * field has no column). S is the type that clients send. A resource has fields of all types, hence any.
 */
export type Field<T = any, S = any> = {
  /** Schema of a sent value; null if bodies cannot set it. */
  readonly input: TSchema | null
  /** Schema of a shown value; null if it is never shown. A function if the schema needs resources that are declared later. */
  readonly output: TSchema | (() => TSchema) | null
  readonly required: boolean
  /** The value of a field that was never set, or was cleared. */
  readonly initial: T
  /** The type of its column, and whether the column is never null; null if it has no column. */
  readonly column: { type: ColumnType; isNeverNull: boolean } | null
  /** Unique in the account, ignoring case. A `<name>_key` column enforces it. */
  readonly unique?: boolean
  /** Stored a second time in the form in which it is searched, in a `<name>_key` column. */
  readonly folded?: boolean
  /** Its words are in the search index. */
  readonly searched?: boolean
  /** The second sort field: it orders records with the same value of this field. */
  readonly nextBy?: string
  /** The field group: it can be hidden from a caller. */
  readonly group?: string
  /** Left out of a response if the load returns nothing for the record. */
  readonly sometimes?: boolean
  /** Left out of the ledger and of every response. */
  readonly secret?: boolean
  /** A secret that alone identifies its account: no two accounts have the same. */
  readonly identifiesAccount?: boolean
  /** An amount of money, in the currency that its record names. */
  readonly money?: boolean
  /** Its value is the field group of all records that refer to this one. */
  readonly protects?: boolean
  /** How the change feed shows it, if it is neither sent nor shown, or is stored in another form. */
  readonly tells?: DescribesValue<T>
  readonly reference?: Reference
  /** A text that refers to records if another record says so. The database has no foreign key for it. */
  readonly naming?: Naming
  /** The table of a deleted record that it refers to. Erasing this record also erases the history of that one. */
  readonly former?: string
  /** Its name in responses, if it differs from the field's name. */
  readonly as?: string
  /** Computed from columns of the same record. */
  readonly derived?: { from: readonly string[]; compute: (row: any, db: Reader) => unknown }
  /** The name of the record to which another field of the same record refers. */
  readonly named?: { via: string; table: string }
  /** Computed for all records of a response together. */
  readonly loaded?: {
    load: Load
    part: string | null
    /** It can return JSON texts if the response is only written. */
    mayWrite: boolean
  }
  // Methods, not function properties: a field of a specific type must be assignable to a field of any type.
  /** Sent → in memory. */
  parse(sent: S): T
  /** In memory → column and back. */
  write(value: T): unknown
  read(column: any): T
  /** In memory → response. */
  show(value: T): unknown
  /** Only for the compiler. */
  readonly kept?: T
  readonly sent?: S
}

/**
 * The name under which the change feed shows a stored value, and its form on the day of the change. `notInFeed` is
 * the reason why the change feed does not show a column.
 */
export type DescribesValue<T = any> =
  | { readonly as: string; show(value: T, day: string): unknown }
  | { readonly notInFeed: string }

export type Fields = Record<string, Field>

export type Load = (db: Reader, ids: number[]) => Promise<Map<number, any>>

export type Reference = {
  table: string
  /** Deleting the target deletes this record too. */
  owner: boolean
  /** What happens to the record when the target is erased. */
  fate: Fate
  goesWhere?: { column: string; is: string }
  /** The target is the same person: if it is deleted already, erasing the record also erases the target's history. */
  same?: true
  /** The owner shows this record among its own fields, so a change of it also changes the owner's `updated_at`. */
  part: boolean
  /** Its name in responses that show the target as an object. */
  as: string | null
  shape: (() => Shape) | null
}

/** A resource: its table, its fields, and its place in the API. */
export type Resource<F extends Fields = Fields> = {
  /** The table, and the plural in paths: `old_books`. */
  readonly table: string
  /** The singular in words: `old book`. */
  readonly one: string
  /** The singular in schemas and operation ids: `OldBook`. */
  readonly title: string
  readonly path: string
  readonly area: string
  /** The permission that reads its records; `<area>:read` by default. */
  readonly readWith: string
  /** The field group of the whole record: it can be hidden from a caller. */
  readonly group: string | null
  /** Records with the flag `where` are shown to the scope `to`, such as the people they are about, even if their group is hidden. */
  readonly opens: { readonly to: string; readonly where: string } | null
  /** Data of its records that belongs to a further group until its day. */
  readonly heldBack: HeldBack | null
  /** The fields of dated records that later records inherit unless they have a value of their own (`stated`). */
  readonly inherits: readonly string[]
  /** Which of its records a caller sees; null: callers who may read the area see all. */
  readonly rowPolicy: RowPolicy | null
  /** The subjects that a record is about: scopes cover it through them. Null: those of the record that it belongs to, if any. */
  readonly about: readonly SubjectPath[] | null
  /** Records whose name callers with the permission `by` may know without reading the record. */
  readonly named: { readonly by: string; readonly which: (query: Query, db: Reader) => Query } | null
  /** A lookup table: few records that seldom change and that many others refer to. */
  readonly isLookup: boolean
  /** The values that identify the placeholder for erased records; null if there is none. */
  readonly standIn: Readonly<Record<string, string>> | null
  /** The numbers that identify its records in the API; null: their ids. */
  readonly numbers: Numbers | null
  /** Where earlier values of some of its columns are kept; null if nowhere. */
  readonly earlierValues: EarlierValues | null
  /** The declared fields, without id and timestamps. */
  readonly fields: F
  /** Fields whose value is in the path: `/shelves/{shelf_id}/books`. */
  readonly parents: readonly string[]
  /** The shape in which its own operations show a record. */
  readonly whole: Shape
}

/** Data that belongs to a field group until a day: whole records, or some of their columns. */
export type HeldBack = {
  readonly group: string
  /** The columns with the days: from one of these days on, the data is visible to all. */
  readonly until: readonly string[]
  /** A condition under which it is visible earlier. It gets today's date and the column of the first day. */
  readonly unless?: (today: string, first: string) => Condition
  /** The columns that are held back; undefined: the whole record. */
  readonly columns?: readonly string[]
  /** Another column that would reveal a held-back record: the days until which it is hidden, and its value until then. */
  readonly ends?: { readonly column: string; readonly until: readonly string[]; readonly meanwhile: string }
}

/**
 * Columns whose earlier values are rows of another table, with the same names. A record whose date `since` is after the day that a
 * response is about is shown with the values of the last row that started by that day.
 */
export type EarlierValues = {
  readonly table: string
  /** The column of `table` that refers to the record. */
  readonly owner: string
  readonly since: string
  readonly columns: readonly string[]
}

/** Numbers in place of ids: each id has one, and each number one id. */
export type Numbers = {
  readonly numberOf: (account: Account, id: number) => number
  readonly idOf: (account: Account, number: number) => number
}

/**
 * A path from a record to a subject: `'self'`, a column that refers to it, or records of another table that refer to this one.
 * With `orNothing`, a record whose column is empty is about no subject, and every caller may read it. A resource with an empty
 * list of paths needs its permission for everybody, except in operations about the caller's own data.
 */
export type SubjectPath =
  | 'self'
  | { readonly column: string; readonly orNothing?: boolean }
  | { readonly from: string; readonly column: string }

/**
 * Which records of a resource a caller sees, if that depends on who the caller is. It decides reads only: for writes, the
 * caller's scope must cover the subjects of the record.
 */
export type RowPolicy = {
  readonly seesAll: (caller: Caller) => boolean
  /** Filters a query on the table, for a caller who does not see all records. */
  readonly narrow: (query: Query, db: Reader) => Query
  /** The columns that it uses. Each of them has an index. */
  readonly indexedColumns: readonly string[]
  /** The tables that decide who sees what. */
  readonly dependsOn: readonly string[]
}

/** A form in which a record is shown: some of its fields, under a schema name. */
export type Shape = { readonly resource: Resource; readonly names: readonly string[]; readonly title: string }

type Stored<F> = F extends Field<infer T, any> ? T : never
type Sendable<F> = F extends Field<any, infer S> ? S : never

/** The names of the fields that have a column. */
type Columns<F extends Fields> = keyof { [K in keyof F as [Stored<F[K]>] extends [never] ? never : K]: true }

type Stamps = { id: number; created_at: string; updated_at: string }

/** A stored record as rules see it. */
export type Row<R extends Resource> = Stamps & { [K in Columns<R['fields']>]: Stored<R['fields'][K]> }

/** The values of a create or an update, as clients send them. */
export type Sent<R extends Resource> = { [K in Columns<R['fields']>]?: Sendable<R['fields'][K]> | null }

/** The values of a record that code creates, in their form in memory. */
export type Made<R extends Resource> = { [K in Columns<R['fields']>]?: Stored<R['fields'][K]> }

/** The name of a field that has a column. */
export type ColumnName<R extends Resource> = (Columns<R['fields']> | keyof Stamps) & string

/** A resource that has at least this field. */
export type With<N extends string, T> = Resource<Record<N, Field<T>>>
