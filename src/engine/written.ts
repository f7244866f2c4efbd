import fastJson from 'fast-json-stringify'
import type { TSchema } from 'typebox'

/** JSON text that is there already: it stands for a value, and is not written again. */
export class Written {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type JsonWriter = (value: any) => string

const writers = new WeakMap<object, JsonWriter>()

/** Writes JSON from a schema: what is not declared is not written. */
export function writerOf(schema: TSchema): JsonWriter {
  const known = writers.get(schema) ?? lazily(() => fastJson(schema as object))
  writers.set(schema, known)
  return known
}

const objectWriters = new WeakMap<object, JsonWriter>()

/** The same of an object of which some values may be written already. */
export function objectWriterOf(schema: TSchema): JsonWriter {
  const known = objectWriters.get(schema) ?? lazily(() => objectWriter(schema))
  objectWriters.set(schema, known)
  return known
}

/** Is one of an object's own values written already? */
export const isPartlyWritten = (value: unknown) => Object.values(value as object).some((one) => one instanceof Written)

/** The names of an object's values, in the order in which they are written: what is always there comes first. */
export function namesIn(schema: TSchema): string[] {
  const { properties, required = [] } = schema as unknown as { properties: object; required?: string[] }
  const names = Object.keys(properties)
  return [...names.filter((name) => required.includes(name)), ...names.filter((name) => !required.includes(name))]
}

function objectWriter(schema: TSchema): JsonWriter {
  const { properties } = schema as unknown as { properties: Record<string, TSchema> }
  const parts = namesIn(schema).map((name) => ({
    name,
    head: `${JSON.stringify(name)}:`,
    write: partWriterOf(properties[name] as TSchema),
  }))
  return (value) => {
    let text = ''
    for (const { name, head, write } of parts) {
      const own = value[name]
      if (own === undefined) continue
      text += text === '' ? head : `,${head}`
      text += write(own)
    }
    return `{${text}}`
  }
}

/** Writes a value that may be written already. Plain ones are most of what there is; the rest goes by its schema. */
export function partWriterOf(schema: TSchema): JsonWriter {
  const { type, enum: values, anyOf } = schema as { type?: string | string[]; enum?: unknown[]; anyOf?: unknown }
  const types = anyOf || type === undefined ? [] : [type].flat()
  const mayBeNull = types.includes('null') && (!values || values.includes(null))
  const [isText, isWhole, isTrue] = ['string', 'integer', 'boolean'].map((one) => types.includes(one))
  const write = writerOf(schema)
  return (value) => {
    if (value === null && mayBeNull) return 'null'
    if (isText && typeof value === 'string') return quoted(value)
    if (isWhole && Number.isSafeInteger(value)) return `${value}`
    if (isTrue && typeof value === 'boolean') return value ? 'true' : 'false'
    return value instanceof Written ? value.text : write(value)
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must be escaped
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/

const quoted = (text: string) => (ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`)

/** Resources may refer to each other: writers are made when they are first needed. */
function lazily(make: () => JsonWriter): JsonWriter {
  let made: JsonWriter | undefined
  return (value) => {
    made ??= make()
    return made(value)
  }
}
