import type { Fields } from '../../client/fields.ts'
import type { Permission } from '../../client/operations.ts'

/**
 * Lists of plain records: view, add, change, delete. A kind is declared by its path and the fields of its forms; all
 * else comes from what the API says of these fields.
 */

export type SettingsRecord = { id: number; name?: string } & Record<string, unknown>

export type RecordForms = {
  create: Fields
  update: Fields
  /** What is entered, in this order. */
  of: readonly string[]
  /** What the form of a new one begins with. */
  start?: Record<string, unknown>
  /** Whether a field is needed, from what is entered so far. */
  isShown?: (name: string, values: Record<string, unknown>) => boolean
  /** Headings, each by the field that it stands before. */
  headings?: (name: (key: string) => string) => Readonly<Record<string, string>>
  /** What is entered only at first. */
  onlyNew?: readonly string[]
  /** What the list shows; otherwise what is entered. */
  columns?: readonly string[]
  /** What names a record. */
  title?: string
  /** Changes cannot be undone: they hold a secret that is not kept, say. */
  isFinal?: boolean
}

export type RecordKind = RecordForms & {
  /** Where the interface has it, and the screen too. */
  path: string
  read: Permission
  write: Permission
  sort?: string
  parts?: readonly ChildKind[]
  /** Names of records that are there from the beginning, which are shown in the person's language. */
  builtIn?: readonly string[]
  /** Shown beside what is entered, to be copied. */
  facts?: readonly string[]
  /** What a new one can begin with instead of `start`: usual ones of the kind. */
  presets?: readonly Preset[]
}

export type Preset = { name: string; start: Record<string, unknown> }

/** Records that belong to another one, and are edited with it. */
export type ChildKind = RecordForms & {
  /** `/leave_policies/{leave_policy_id}/terms`, or an own list that is narrowed by `owner`. */
  path: string
  owner: string
  /** What their list is called. */
  name: (t: (key: 'options' | 'columns' | 'stages' | 'terms' | 'holidays') => string) => string
  /** Where the record that they belong to has them; asked for by themselves where it has not. */
  within?: string
  /** They have an order, which is their `position`. */
  isOrdered?: boolean
  /** Only some have them. */
  when?: (record: SettingsRecord) => boolean
  parts?: readonly ChildKind[]
}

// A kind is one of many: which one, the types of the operations need not know.
export type AnyList = 'GET /departments'
export type AnyOne = 'GET /departments/{id}'
