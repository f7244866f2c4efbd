import type { ComponentType } from 'react'
import type { Fields } from '../../client/fields.ts'
import type { Permission } from '../../client/operations.ts'

/**
 * Lists of plain records: view, add, change, delete. A kind is declared by its path and the fields of its forms.
 * Everything else comes from what the API says about the fields.
 */

export type SettingsRecord = { id: number; name?: string } & Record<string, unknown>

export type RecordForms = {
  create: Fields
  update: Fields
  /** The fields of the form, in this order. */
  of: readonly string[]
  /** The initial values of a new record. */
  start?: Record<string, unknown>
  /** Is a field needed, given the other values? */
  isShown?: (name: string, values: Record<string, unknown>) => boolean
  /** Headings, by the name of the field below them. */
  headings?: (name: (key: string) => string) => Readonly<Record<string, string>>
  /** Help texts for fields whose names do not explain them. */
  descriptions?: (name: (key: string) => string) => Readonly<Record<string, string>>
  /** Fields that can only be set when the record is created. */
  onlyNew?: readonly string[]
  /** The columns of the list; by default the fields of the form. */
  columns?: readonly string[]
  /** The field with the record's name. */
  title?: string
  /** Changes cannot be undone, for example because the record holds a secret. */
  isFinal?: boolean
  /** Shows below the fields what they mean. */
  preview?: ComponentType<PreviewProps>
}

export type PreviewProps = {
  path: string
  params: Record<string, number | string>
  /** The record that is changed, and its parent. */
  record?: SettingsRecord
  within?: SettingsRecord
  /** The values of a new record, or the changed values of `record`. */
  values: Record<string, unknown>
}

export type RecordKind = RecordForms & {
  /** The path in the API and in the console. */
  path: string
  read: Permission
  write: Permission
  sort?: string
  parts?: readonly ChildKind[]
  /** Names of built-in records, which are translated. */
  builtIn?: readonly string[]
  /** Read-only values to copy, shown with the form. */
  facts?: readonly string[]
  /** Initial values to choose from, instead of `start`. */
  presets?: readonly Preset[]
}

export type Preset = { name: string; start: Record<string, unknown> }

/** Records that belong to a parent record and are edited with it. */
export type ChildKind = RecordForms & {
  /** `/leave_policies/{leave_policy_id}/terms`, or a list of its own that is filtered by `owner`. */
  path: string
  owner: string
  /** The title of their list. */
  name: (
    t: (key: 'options' | 'columns' | 'stages' | 'terms' | 'holidays' | 'eligibleGroups' | 'timeRules') => string,
  ) => string
  /** The parent's field that holds them. Without it they are loaded separately. */
  within?: string
  /** They have an order, stored in `position`. */
  isOrdered?: boolean
  /** Which parents have them. */
  when?: (record: SettingsRecord) => boolean
  parts?: readonly ChildKind[]
}

// The path is only known at run time, so any list stands for all in the types.
export type AnyList = 'GET /departments'
export type AnyOne = 'GET /departments/{id}'
