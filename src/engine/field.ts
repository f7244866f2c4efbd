import Type, { type TSchema } from 'typebox'
import type { Reader } from '../records/reader.ts'
import type { Fate } from '../records/tables.ts'
import { formatDecimal, parseDecimal } from './decimal.ts'
import type { ColumnType, DescribesValue, Field, Load, Reference, Shape } from './declaration.ts'
import { cleanHtml } from './html.ts'

/** The closed set of field types. */

type Options = {
  required?: boolean
  /** Never null: what is not sent, or is cleared, the behaviour supplies. */
  supplied?: boolean
  unique?: boolean
  folded?: boolean
  searched?: boolean
  nextBy?: string
  nullable?: boolean
  default?: unknown
  group?: string
  money?: boolean
  note?: string
  example?: unknown
}

/** The type of a value in memory: null is only possible if nothing supplies a value. */
type FieldValue<T, O> = O extends { required: true } | { supplied: true } | { default: T } ? T : T | null

/** A schema as plain data: keywords are added to it here, which the types of schemas do not know. */
type Json = Record<string, any>

export const same = (value: any) => value

/** The plain frame that all column types share. */
function column<T, S = T>(
  type: ColumnType,
  schema: Json,
  options: Options,
  codec: Partial<Pick<Field<T, S>, 'parse' | 'write' | 'read' | 'show'>> = {},
): Field<T, S> {
  const initial = (options.default ?? null) as T
  const isAlwaysThere = Boolean(options.required) || initial !== null
  const documented = {
    ...schema,
    ...(options.note ? { description: options.note } : {}),
    ...(options.example !== undefined ? { examples: [options.example] } : {}),
    ...(options.group ? { 'x-group': options.group } : {}),
    ...(options.unique ? { 'x-unique': true } : {}),
  } as unknown as TSchema
  return {
    input: options.required ? documented : orNull(documented),
    output: isAlwaysThere ? documented : orNull(documented),
    required: options.required ?? false,
    initial,
    column: { type, isNeverNull: isAlwaysThere || Boolean(options.supplied) },
    ...(options.unique ? { unique: true } : {}),
    ...(options.folded ? { folded: true } : {}),
    ...(options.searched ? { searched: true } : {}),
    ...(options.nextBy ? { nextBy: options.nextBy } : {}),
    ...(options.group ? { group: options.group } : {}),
    ...(options.money ? { money: true } : {}),
    parse: same,
    write: same,
    read: same,
    show: same,
    ...codec,
  }
}

/** `type: [x, null]`, never a union: the serialiser is eight times slower on unions. */
export function orNull(schema: Json): TSchema {
  const types = [schema.type].flat()
  const nullableSchema = types.includes('null')
    ? schema
    : { ...schema, type: [...types, 'null'], ...(schema.enum ? { enum: [...schema.enum, null] } : {}) }
  return nullableSchema as TSchema
}

/** The same field, which bodies may also call by other names. */
export const alsoCalled = <F extends { readonly input: TSchema | null }>(field: F, ...names: string[]): F => ({
  ...field,
  input: field.input && ({ ...field.input, 'x-also': names } as TSchema),
})

/** One line of text: names and titles. */
export const text = <const O extends Options & { max?: number }>(options: O = {} as O) =>
  column<FieldValue<string, O>>(
    'text',
    Type.String({ format: 'line', maxLength: options.max ?? 255, ...(options.required ? { minLength: 1 } : {}) }),
    options,
  )

/** What descriptive text may have. */
export const LONGEST_TEXT = 65_535

/** Descriptive text of any length; `""` when never given, unless it is declared nullable. */
export const longText = <const O extends Options>(options: O = {} as O) =>
  column<O extends { nullable: true } ? string | null : string>(
    'text',
    Type.String({ format: 'text', maxLength: LONGEST_TEXT, ...(options.required ? { minLength: 1 } : {}) }),
    options.nullable ? options : { default: '', ...options },
    options.nullable || options.required ? {} : { parse: (value) => value ?? '' },
  )

export const email = <const O extends Options>(options: O = {} as O) =>
  column<FieldValue<string, O>>('text', Type.String({ format: 'email', maxLength: 255 }), options)

export const url = <const O extends Options>(options: O = {} as O) =>
  column<FieldValue<string, O>>('text', Type.String({ format: 'uri', maxLength: 2048 }), options)

export const currency = <const O extends Options>(options: O = {} as O) =>
  column<FieldValue<string, O>>('text', Type.String({ format: 'currency' }), { example: 'EUR', ...options })

export const country = <const O extends Options>(options: O = {} as O) =>
  column<FieldValue<string, O>>('text', Type.String({ format: 'country' }), { example: 'DE', ...options })

/** A part of a country. */
export const region = <const O extends Options>(options: O = {} as O) =>
  column<FieldValue<string, O>>('text', Type.String({ format: 'region' }), { example: 'DE-BY', ...options })

export const timeZone = <const O extends Options>(options: O = {} as O) =>
  column<FieldValue<string, O>>('text', Type.String({ format: 'time-zone' }), { example: 'Europe/Berlin', ...options })

export const hexColor = <const O extends Options>(options: O = {} as O) =>
  column<FieldValue<string, O>>('text', Type.String({ format: 'hex-color' }), { example: '#2e7d32', ...options })

/** Classes of style sheets: what goes into an attribute of a page must not lead out of it. */
export const classNames = <const O extends Options>(options: O = {} as O) =>
  column<FieldValue<string, O>>('text', Type.String({ format: 'class-names', maxLength: 255 }), options)

export const date = <const O extends Options>(options: O = {} as O) =>
  column<FieldValue<string, O>>('date', Type.String({ format: 'date' }), { example: '2024-01-31', ...options })

/** A year, as text. */
export const year = <const O extends Options>(options: O = {} as O) =>
  column<FieldValue<string, O>>('text', Type.String({ format: 'year' }), options)

export const timestamp = <const O extends Options>(options: O = {} as O) =>
  column<FieldValue<string, O>>('timestamptz', Type.String({ format: 'date-time' }), {
    example: '2024-01-19T15:42:56.303Z',
    ...options,
  })

const LARGEST_INTEGER = 2_147_483_647

export const integer = <const O extends Options & { min?: number; max?: number }>(options: O = {} as O) =>
  column<FieldValue<number, O>>(
    (options.max ?? 0) > LARGEST_INTEGER ? 'bigint' : 'integer',
    Type.Integer({ minimum: options.min ?? -LARGEST_INTEGER - 1, maximum: options.max ?? LARGEST_INTEGER }),
    options,
  )

export const boolean = <const O extends Options>(options: O = {} as O) =>
  column<FieldValue<boolean, O>>('boolean', Type.Boolean(), options, {
    read: (value: unknown) => (value === null ? null : Boolean(value)) as FieldValue<boolean, O>,
  })

export const choice = <const V extends string, const O extends Options>(values: readonly V[], options: O = {} as O) =>
  column<FieldValue<V, O>>('text', Type.Unsafe<V>({ type: 'string', enum: [...values] }), {
    example: values[0],
    ...options,
  })

/** The group of data that a record puts those into which name it: who is not to see that does not see them. */
export const protection = (
  groups: readonly string[],
  note: string,
  example: string | undefined = groups[0],
): Field<string | null> => ({
  ...choice(groups, { note, ...(example ? { example } : {}) }),
  protects: true,
})

/** An exact decimal, sent as text and kept as whole ten-thousandths: that is also what a rule sees. */
export function decimal<const O extends Options & { min?: number; max?: number }>(options: O = {} as O) {
  const { min, max } = options
  const given = options.default === undefined ? {} : { default: parseDecimal(String(options.default)) }
  const bounds = min === undefined && max === undefined ? {} : { decimalRange: [min ?? null, max ?? null] }
  return column<FieldValue<number, O>, string>(
    'bigint',
    Type.String({ format: 'decimal', ...bounds }),
    { example: '8.0', ...options, ...given },
    {
      parse: (sent) => parseDecimal(sent) as FieldValue<number, O>,
      show: (units: number | null) => (units === null ? null : formatDecimal(units)),
    },
  )
}

/** A decimal that is shown as a number: what is no money is read as one. */
export function asNumber<T extends number | null>(field: Field<T, string>): Field<T, string> {
  const { description } = field.output as TSchema & { description?: string }
  const type = field.column?.isNeverNull ? 'number' : ['number', 'null']
  const output = Type.Unsafe({ type, examples: [1.5], ...(description ? { description } : {}) })
  return { ...field, output, show: (units) => (units === null ? null : units / 10_000) }
}

/** A short list of texts, kept as one JSON column: for lists that are only ever read whole. */
export const textList = (options: Options & { values?: readonly string[] } = {}) =>
  column<string[]>(
    'text',
    Type.Array(
      options.values
        ? Type.Unsafe<string>({ type: 'string', enum: [...options.values] })
        : Type.String({ format: 'line', minLength: 1, maxLength: 255 }),
      { maxItems: 100 },
    ),
    { default: [], ...options },
    {
      parse: (sent) => [...new Set(sent)],
      write: (list) => JSON.stringify(list),
      read: (kept) => (typeof kept === 'string' ? JSON.parse(kept) : (kept ?? [])),
    },
  )

/** A short list of objects with these fields, kept as one JSON column: for lists that are only ever read whole. */
export function objectList<T extends object>(
  fields: { [N in keyof T]: Field<T[N], any> },
  { maxItems, ...options }: Options & { maxItems: number },
): Field<T[]> {
  const all = Object.entries(fields) as [string, Field<any, any>][]
  const schema = (side: 'input' | 'output') =>
    Type.Array(Type.Object(Object.fromEntries(all.map(([name, field]) => [name, field[side] as TSchema]))), {
      maxItems,
    })
  const each = (list: any[], change: (field: Field<any, any>, value: any) => unknown) =>
    list.map((one) => Object.fromEntries(all.map(([name, field]) => [name, change(field, one[name])]))) as T[]
  const field = column<T[]>(
    'text',
    schema('input'),
    { default: [], ...options },
    {
      parse: (sent) => each(sent as never, (one, value) => one.parse(value)),
      write: (list) => JSON.stringify(list),
      read: (kept) => (typeof kept === 'string' ? JSON.parse(kept) : (kept ?? [])),
      show: (list: any) => each(list ?? [], (one, value) => one.show(value)),
    },
  )
  const example = options.example as Json[] | undefined
  const shown = example && { examples: [each(example, (one, value) => one.show(one.parse(value)))] }
  return { ...field, output: { ...(field.output as Json), ...schema('output'), ...shown } as unknown as TSchema }
}

/** HTML, cleaned on the way in. What is kept of it must fit, too, and say something where it is required. */
export function html(options: Options = {}): Field<string> {
  const field = longText(options)
  const cleaned = { maxCleaned: LONGEST_TEXT, ...(options.required ? { hasText: LONGEST_TEXT } : {}) }
  return { ...field, input: { ...field.input, ...cleaned } as TSchema, parse: cleanHtml }
}

/** Any value that code makes, kept as JSON; neither sent nor shown. */
export const json = <T>(initial: T, tells: DescribesValue<T>): Field<T> => ({
  ...hidden(column<T>('text', {}, { default: initial }), tells),
  write: (value) => (value === null ? null : JSON.stringify(value)),
  read: (kept) => (typeof kept === 'string' ? JSON.parse(kept) : kept),
})

/** Another record of the account, set by its id. Shown as that id, or as an object of the given shape. */
export function reference<
  const O extends Options & { owner?: boolean; part?: boolean; fate?: Fate; show?: () => Shape; as?: string } & Pick<
      Reference,
      'goesWhere' | 'same'
    >,
>(table: string, options: O = {} as O): Field<FieldValue<number, O>> {
  const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, 'x-reference': table })
  const field = column<FieldValue<number, O>>('bigint', id, options)
  return {
    ...field,
    output: options.show ? null : field.output,
    reference: {
      table,
      owner: options.owner ?? false,
      fate: options.fate ?? (options.required ? 'goes' : 'cleared'),
      part: options.part ?? false,
      ...(options.goesWhere ? { goesWhere: options.goesWhere } : {}),
      ...(options.same ? { same: options.same } : {}),
      as: options.as ?? null,
      shape: options.show ?? null,
    },
  }
}

/** A record of a table that is gone, and of which another one has taken the place: by its id, set by code. */
export const former = (table: string): Field<number> => ({
  ...readOnly(column<number>('bigint', Type.Integer(), { required: true })),
  former: table,
})

/** Kept but never shown nor logged, set by code only. */
export const secret = ({ identifiesAccount = false } = {}): Field<string> => ({
  ...column<string>('text', Type.String(), { required: true }),
  input: null,
  output: null,
  secret: true,
  ...(identifiesAccount ? { identifiesAccount } : {}),
})

/** The same field, set by code only. */
export function readOnly<T, S>(field: Field<T, S>): Field<T, S> {
  return { ...field, input: null, required: false }
}

/** The same field, which has a default and cannot be cleared: an empty value is none of its values. */
export function neverBlank<T, S>(field: Field<T, S>): Field<T, S> {
  return { ...field, input: field.output as TSchema }
}

/** Kept, but neither sent nor shown: set by code. What it means is seen elsewhere, so it says how changes are told. */
export function hidden<T, S>(field: Field<T, S>, tells?: DescribesValue<T>): Field<T, S> {
  return { ...readOnly(field), output: null, ...(tells ? { tells } : {}) }
}

/** Told under a name, as it is kept or as it is shown elsewhere. */
export const told = <T>(as: string, show: (value: T, day: string) => unknown = same): DescribesValue<T> => ({
  as,
  show,
})

/** Told as being there: what it is like says nothing to people, but that it is another one does. */
export const toldAsThere = (as: string): DescribesValue => told(as, (value) => value !== null)

/** The change feed does not show the column, for the reason given: mostly it repeats what other columns say. */
export const notInFeed = (why: string): DescribesValue => ({ notInFeed: why })

/** The frame of what is shown but has no column of its own. */
const computed = (output: Field['output'], group: string | undefined): Field<never> => ({
  ...column<never>('text', {}, group ? { group } : {}),
  column: null,
  input: null,
  output,
})

export const derived = <Row = any>(
  output: TSchema,
  from: readonly string[],
  compute: (row: Row, db: Reader) => unknown,
  options: { group?: string; as?: string } = {},
): Field<never> => ({
  ...computed(output, options.group),
  derived: { from, compute },
  ...(options.as ? { as: options.as } : {}),
})

/** The name of the record that another field refers to: text, beside the record itself. */
export const nameOf = (via: string, table: string): Field<never> => ({
  ...computed(orNull(Type.String()), undefined),
  named: { via, table },
})

/** Shown but kept elsewhere: loaded for all records of an answer at once. */
export const loaded = (
  output: TSchema | (() => TSchema),
  load: Load,
  options: { group?: string; sometimes?: boolean; mayWrite?: boolean } = {},
): Field<never> => ({
  ...computed(output, options.group),
  ...(options.sometimes ? { sometimes: true } : {}),
  loaded: { load, part: null, mayWrite: options.mayWrite ?? false },
})

/** Several fields that one load brings together, each under its name. */
export const loadedTogether = <N extends string>(
  outputs: Record<N, () => TSchema>,
  load: Load,
): Record<N, Field<never>> => {
  const parts = Object.entries<() => TSchema>(outputs).map(([part, output]) => [
    part,
    { ...loaded(output, load), loaded: { load, part, mayWrite: true } },
  ])
  return Object.fromEntries(parts)
}
