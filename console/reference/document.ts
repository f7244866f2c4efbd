/** The parts of the OpenAPI document that the reference shows. */

export type Schema = {
  $ref?: string
  title?: string
  type?: string | string[]
  format?: string
  description?: string
  deprecated?: boolean
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
}

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  examples?: Record<string, { value: unknown }>
  schema: Schema
}

type Content = Record<string, { schema?: Schema; example?: unknown }>
type Header = { description?: string; schema?: Schema }
type Reference = { $ref: string }
export type ApiResponse = { description: string; headers?: Record<string, Header | Reference>; content?: Content }

export type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, ApiResponse | Reference>
  servers?: { url: string }[]
  security?: unknown[]
}

export type ApiDocument = {
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  'x-tagGroups': { name: string; tags: string[] }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

/** An operation with its place in the OpenAPI document. */
export type ListedOperation = { method: string; path: string; chapter: string; operation: Operation }

export class Api {
  readonly document: ApiDocument
  readonly operations: ReadonlyMap<string, ListedOperation>

  constructor(document: ApiDocument) {
    this.document = document
    this.operations = new Map(
      Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]): [string, ListedOperation] => [
          operation.operationId,
          { method: method.toUpperCase(), path, chapter: operation.tags[0] ?? '', operation },
        ]),
      ),
    )
  }

  /** The value itself, or the component that the reference names. */
  resolve<T extends object>(value: T | Reference): T {
    if (!('$ref' in value) || !value.$ref) return value as T
    const [, , kind = '', name = ''] = String(value.$ref).split('/')
    return this.document.components[kind]?.[name] as T
  }

  parametersOf({ parameters = [] }: Operation): Parameter[] {
    return parameters.map((one) => this.resolve<Parameter>(one))
  }

  /** The object schema of a value: itself, a list's items, or the alternative to null. */
  objectIn(schema: Schema | undefined): Schema | undefined {
    if (!schema) return undefined
    const found = this.resolve<Schema>(schema)
    if (found.properties) return found
    if (found.allOf) return this.merged(found.allOf)
    if (found.items) return this.objectIn(found.items)
    for (const one of found.anyOf ?? found.oneOf ?? []) {
      const inside = this.objectIn(one)
      if (inside) return inside
    }
    return undefined
  }

  merged(parts: Schema[]): Schema {
    const all = parts.map((one) => this.resolve<Schema>(one))
    return {
      type: 'object',
      properties: Object.assign({}, ...all.map(({ properties }) => properties)),
      required: all.flatMap(({ required = [] }) => required),
    }
  }
}

/** `Rows of employee tables` as a part of a URL. */
export const slugOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
