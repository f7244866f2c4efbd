/** What the API says about a field of a request. Forms are built from it, so that no rule is written twice. */
export type Field = {
  readonly type: string
  readonly required?: boolean
  readonly nullable?: boolean
  /** All allowed values. */
  readonly values?: readonly (string | number | boolean)[]
  readonly format?: string
  readonly maxLength?: number
  readonly minLength?: number
  readonly minimum?: number
  readonly maximum?: number
  /** The kind of record that its id refers to. */
  readonly reference?: string
  /** The field group, which may be hidden from the user. */
  readonly group?: string
  readonly about?: string
  readonly items?: Field
  readonly fields?: Fields
}

export type Fields = { readonly [name: string]: Field }
