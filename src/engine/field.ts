import Type, { type TSchema } from 'typebox'
import type { Reader } from '../database/handle.ts'
import { formatDecimal, parseDecimal } from './decimal.ts'
import { cleanHtml } from './html.ts'
import type { Shape } from './resource.ts'

/**
 * One field of a resource: how it may be sent, how it is kept, how it is shown.
 * The functions below are the closed set of field types; T is what a rule sees.
 */
export type Field<T = any> = {
  /** Schema of a sent value; null when bodies cannot set it. */
  readonly input: TSchema | null
  /** Schema of a shown value; null when it is never shown. A function where the schema needs resources declared later. */
  readonly output: TSchema | (() => TSchema) | null
  readonly required: boolean
  /** What the record holds when the field was never given, or was cleared. */
  readonly initial: T
  /** Unique in the account, whatever the case; kept by a `<name>_key` column. */
  readonly unique?: boolean
  /** Kept a second time as it is searched, in a `<name>_key` column. */
  readonly folded?: boolean
  /** A group of fields that can be withheld from a key. */
  readonly group?: string
  /** Left out of an answer when the load brings nothing for a record. */
  readonly sometimes?: boolean
  /** Kept out of the ledger and of every answer. */
  readonly secret?: boolean
  readonly reference?: Reference
  /** The name in answers, when it is not the field's own. */
  readonly as?: string
  /** Computed from columns of the same record. */
  readonly derived?: { from: readonly string[]; compute: (row: any, db: Reader) => unknown }
  /** Computed for all records of an answer at once. */
  readonly loaded?: { load: Load; part: string | null }
  /** Sent → kept in memory. */
  readonly parse: (sent: any) => T
  /** In memory → column and back. */
  readonly write: (value: T) => unknown
  readonly read: (column: any) => T
  /** In memory → answer. */
  readonly show: (value: T) => unknown
  readonly type?: T
}

export type Load = (db: Reader, ids: number[]) => Promise<Map<number, any>>

export type Reference = {
  table: string
  /** Deleting the target deletes this record too. */
  owner: boolean
  /** The name in answers, when the target is shown as an object there. */
  as: string | null
  shape: (() => Shape) | null
}

type Options = {
  required?: boolean
  unique?: boolean
  folded?: boolean
  nullable?: boolean
  default?: unknown
  group?: string
  note?: string
  example?: unknown
}

type Kept<T, O> = O extends { required: true } | { default: T } ? T : T | null

const same = (value: any) => value

/** The plain frame that all column types share. */
function column<T>(schema: any, options: Options, codec: Partial<Field<T>> = {}): Field<T> {
  const initial = (options.default ?? null) as T
  const nullable = !options.required
  const documented = {
    ...schema,
    ...(options.note ? { description: options.note } : {}),
    ...(options.example !== undefined ? { examples: [options.example] } : {}),
  }
  const shownNull = initial === null && !options.required
  if (options.group) documented['x-group'] = options.group
  return {
    input: nullable ? orNull(documented) : documented,
    output: shownNull ? orNull(documented) : documented,
    required: options.required ?? false,
    initial,
    ...(options.unique ? { unique: true } : {}),
    ...(options.folded ? { folded: true } : {}),
    ...(options.group ? { group: options.group } : {}),
    parse: same,
    write: same,
    read: same,
    show: same,
    ...codec,
  }
}

/** `type: [x, null]`, never a union: the serialiser is eight times slower on unions. */
export function orNull(schema: any): TSchema {
  const types = [schema.type].flat()
  if (types.includes('null')) return schema
  return { ...schema, type: [...types, 'null'], ...(schema.enum ? { enum: [...schema.enum, null] } : {}) }
}

/** One line of text: names and titles. */
export const text = <const O extends Options & { max?: number }>(options: O = {} as O) =>
  column<Kept<string, O>>(
    Type.String({ format: 'line', maxLength: options.max ?? 255, ...(options.required ? { minLength: 1 } : {}) }),
    options,
  )

/** Descriptive text of any length; `""` when never given, unless it is declared nullable. */
export const longText = <const O extends Options>(options: O = {} as O) =>
  column<O extends { nullable: true } ? string | null : string>(
    Type.String({ format: 'text', maxLength: 65_535, ...(options.required ? { minLength: 1 } : {}) }),
    options.nullable ? options : { default: '', ...options },
    options.nullable || options.required ? {} : { parse: (value) => value ?? '' },
  )

export const email = <const O extends Options>(options: O = {} as O) =>
  column<Kept<string, O>>(Type.String({ format: 'email', maxLength: 255 }), options)

export const url = <const O extends Options>(options: O = {} as O) =>
  column<Kept<string, O>>(Type.String({ format: 'uri', maxLength: 2048 }), options)

export const currency = <const O extends Options>(options: O = {} as O) =>
  column<Kept<string, O>>(Type.String({ format: 'currency' }), { example: 'EUR', ...options })

export const country = <const O extends Options>(options: O = {} as O) =>
  column<Kept<string, O>>(Type.String({ format: 'country' }), { example: 'DE', ...options })

export const timeZone = <const O extends Options>(options: O = {} as O) =>
  column<Kept<string, O>>(Type.String({ format: 'time-zone' }), { example: 'Europe/Berlin', ...options })

export const date = <const O extends Options>(options: O = {} as O) =>
  column<Kept<string, O>>(Type.String({ format: 'date' }), { example: '2024-01-31', ...options })

/** A year, as text. */
export const year = <const O extends Options>(options: O = {} as O) =>
  column<Kept<string, O>>(Type.String({ format: 'year' }), options)

export const timestamp = <const O extends Options>(options: O = {} as O) =>
  column<Kept<string, O>>(Type.String({ format: 'date-time' }), { example: '2024-01-19T15:42:56.303Z', ...options })

export const integer = <const O extends Options & { min?: number; max?: number }>(options: O = {} as O) =>
  column<Kept<number, O>>(
    Type.Integer({ minimum: options.min ?? -2_147_483_648, maximum: options.max ?? 2_147_483_647 }),
    options,
  )

export const boolean = <const O extends Options>(options: O = {} as O) =>
  column<Kept<boolean, O>>(Type.Boolean(), options, {
    read: (value: unknown) => (value === null ? null : Boolean(value)) as Kept<boolean, O>,
  })

export const choice = <const V extends string, const O extends Options>(values: readonly V[], options: O = {} as O) =>
  column<Kept<V, O>>(Type.Unsafe<V>({ type: 'string', enum: [...values] }), { example: values[0], ...options })

/** An exact decimal, kept as whole ten-thousandths: that is also what a rule sees. */
export function decimal<const O extends Options & { min?: number; max?: number }>(options: O = {} as O) {
  const { min, max } = options
  const given = options.default === undefined ? {} : { default: parseDecimal(String(options.default)) }
  const bounds = min === undefined && max === undefined ? {} : { decimalRange: [min ?? null, max ?? null] }
  return column<Kept<number, O>>(
    Type.String({ format: 'decimal', ...bounds }),
    { example: '8.0', ...options, ...given },
    {
      parse: (sent: string | null) => (sent === null ? null : parseDecimal(sent)) as Kept<number, O>,
      show: (units: number | null) => (units === null ? null : formatDecimal(units)),
    },
  )
}

/** A decimal that is shown as a number: what is no money is read as one. */
export function asNumber<T>(field: Field<T>): Field<T> {
  const isAlways = field.required || field.initial !== null
  const output = Type.Unsafe({ type: isAlways ? 'number' : ['number', 'null'], examples: [1.5] })
  return { ...field, output, show: (units: any) => (units === null ? null : units / 10_000) }
}

/** A short list of texts, kept as one JSON column: for lists that are only ever read whole. */
export const textList = (options: Options & { values?: readonly string[] } = {}) =>
  column<string[]>(
    Type.Array(
      options.values
        ? Type.Unsafe<string>({ type: 'string', enum: [...options.values] })
        : Type.String({ format: 'line', minLength: 1, maxLength: 255 }),
      { maxItems: 100 },
    ),
    { default: [], ...options },
    {
      parse: (sent) => [...new Set<string>(sent ?? [])],
      write: JSON.stringify as any,
      read: (kept) => (typeof kept === 'string' ? JSON.parse(kept) : (kept ?? [])),
    },
  )

/** HTML, cleaned on the way in. */
export const html = (options: Options = {}) => {
  const field = longText(options)
  return { ...field, parse: (sent: string | null) => (sent === null ? '' : cleanHtml(sent)) }
}

/** Any value that code makes, kept as JSON; neither sent nor shown. */
export const json = <T>(initial: T): Field<T> => ({
  ...hidden(column<T>(Type.Unsafe<T>({}), { default: initial })),
  write: (value) => JSON.stringify(value),
  read: (kept) => (typeof kept === 'string' ? JSON.parse(kept) : kept),
})

/** Another record of the account, set by its id. Shown as that id, or as an object of the given shape. */
export function reference<const O extends Options & { owner?: boolean; show?: () => Shape; as?: string }>(
  table: string,
  options: O = {} as O,
): Field<Kept<number, O>> {
  const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, 'x-reference': table })
  const field = column<Kept<number, O>>(id, options)
  return {
    ...field,
    output: options.show ? null : field.output,
    reference: { table, owner: options.owner ?? false, as: options.as ?? null, shape: options.show ?? null },
  }
}

/** Kept but never shown nor logged, set by code only. */
export const secret = (): Field<string> => ({
  ...column<string>(Type.String(), { required: true }),
  input: null,
  output: null,
  secret: true,
})

/** The same field, set by code only. */
export function readOnly<T>(field: Field<T>): Field<T> {
  return { ...field, input: null, required: false }
}

export const derived = <Row = any>(
  output: TSchema,
  from: readonly string[],
  compute: (row: Row, db: Reader) => unknown,
  options: { group?: string; as?: string } = {},
): Field<undefined> => ({
  ...column<undefined>({}, options),
  input: null,
  output,
  derived: { from, compute },
  ...(options.as ? { as: options.as } : {}),
})

/** Shown but kept elsewhere: loaded for all records of an answer at once. */
export const loaded = (
  output: TSchema | (() => TSchema),
  load: Load,
  options: { group?: string; sometimes?: boolean } = {},
): Field<undefined> => ({
  ...column<undefined>({}, options),
  input: null,
  output,
  ...(options.sometimes ? { sometimes: true } : {}),
  loaded: { load, part: null },
})

/** Several fields that one load brings together, each under its name. */
export const loadedTogether = (outputs: Record<string, () => TSchema>, load: Load): Record<string, Field<undefined>> =>
  Object.fromEntries(
    Object.entries(outputs).map(([part, output]) => [part, { ...loaded(output, load), loaded: { load, part } }]),
  )

/** Kept, but neither sent nor shown: set by code. */
export function hidden<T>(field: Field<T>): Field<T> {
  return { ...readOnly(field), output: null }
}

/** Does the field have a column of its own? */
export const isColumn = (field: Field) => !field.derived && !field.loaded
