/** What the interface says of a field that is sent: forms are made of it, so that no rule is written twice. */
export type Field = {
  readonly type: string
  readonly required?: boolean
  readonly nullable?: boolean
  /** All that it may be. */
  readonly values?: readonly (string | number | boolean)[]
  readonly format?: string
  readonly maxLength?: number
  readonly minLength?: number
  readonly minimum?: number
  readonly maximum?: number
  /** The kind of record that it names by its id. */
  readonly reference?: string
  /** The group of data that it belongs to, which may be withheld from a person. */
  readonly group?: string
  readonly about?: string
  readonly items?: Field
  readonly fields?: Fields
}

export type Fields = { readonly [name: string]: Field }
