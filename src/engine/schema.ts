import Type, { type TObject, type TSchema } from 'typebox'
import type { Field, Resource, Shape } from './declaration.ts'
import { fieldOf, isShown, pascal, shownName } from './resource.ts'

/** JSON schemas of what is sent and shown, made from declarations. */

const schemas = new WeakMap<Shape, TObject>()

/**
 * The schema of a shape, always the same object, so that documents can refer to it by its title. Its properties are
 * made when they are first asked for: resources may refer to each other.
 */
export function schemaOf(shape: Shape): TObject {
  const known = schemas.get(shape)
  if (known) return known
  let properties: Record<string, TSchema> | undefined
  const schema = {
    type: 'object',
    title: shape.title,
    get properties() {
      properties ??= propertiesOf(shape)
      return properties
    },
    get required() {
      const always = shape.names.filter((name) => isAlwaysThere(fieldOf(shape.resource, name)))
      return always.map((name) => shownName(name, fieldOf(shape.resource, name)))
    },
  } as unknown as TObject
  schemas.set(shape, schema)
  return schema
}

/** The schema of an answer that has what some shapes have, and more. */
export function schemaWith(title: string, shapes: readonly Shape[], more: Record<string, TSchema>): TObject {
  const own = shapes.map(schemaOf)
  const required = [...new Set([...own.flatMap((one) => one.required ?? []), ...Object.keys(more)])]
  const properties = Object.assign({}, ...own.map((one) => one.properties), more)
  return { type: 'object', title, properties, required } as unknown as TObject
}

/** A field that can be withheld is not always there, nor one that says so itself. */
const isAlwaysThere = (field: Field) => isShown(field) && !field.group && !field.sometimes

function propertiesOf(shape: Shape): Record<string, TSchema> {
  const properties: Record<string, TSchema> = {}
  for (const name of shape.names) {
    const field = fieldOf(shape.resource, name)
    if (!isShown(field)) continue
    const nested = field.reference?.shape?.()
    const shown = nested && (field.required ? schemaOf(nested) : nullable(schemaOf(nested)))
    const { output } = field
    properties[shownName(name, field)] = shown ?? (typeof output === 'function' ? output() : (output as TSchema))
  }
  return properties
}

/** The schemas that nullable schemas were made from: documents refer to those. */
export const nullableOf = new WeakMap<object, TSchema>()

/** `schema` or null. */
export function nullable(schema: TObject): TSchema {
  const nullableSchema = {
    type: ['object', 'null'],
    title: (schema as { title?: string }).title,
    get properties() {
      return schema.properties
    },
    get required() {
      return schema.required
    },
  } as unknown as TSchema
  nullableOf.set(nullableSchema, schema)
  return nullableSchema
}

/** The schema of a body: every field that can be sent, the required ones required on create. */
export function bodySchema(
  of: Resource,
  purpose: 'create' | 'update',
  more: Record<string, TSchema> = {},
  optional: readonly string[] = [],
): TObject {
  const properties: Record<string, TSchema> = {}
  for (const [name, field] of Object.entries(of.fields)) {
    if (!field.input || of.parents.includes(name)) continue
    properties[name] =
      purpose === 'create' && field.required && !optional.includes(name) ? field.input : Type.Optional(field.input)
  }
  for (const [name, schema] of Object.entries(more)) properties[name] = Type.Optional(schema)
  return Type.Object(properties, { title: `${pascal(purpose)}${of.title}` }) as TObject
}

/** A parameter that names a record. */
export const recordId = (table: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, 'x-reference': table, examples: [1] })

/** `{data: …}` around a record. */
export const wrapped = (schema: TSchema) => Type.Object({ data: schema }) as TObject

/** `{data: …}`, and the same names beside it: for clients that look in the one place or in the other. */
export const wrappedAndBare = (schema: TObject) =>
  Type.Object({ data: schema, ...(schema.properties as Record<string, TSchema>) }) as TObject

/** `{data: […]}` around records. */
export const wrappedList = (schema: TSchema) => Type.Object({ data: Type.Array(schema) }) as TObject
