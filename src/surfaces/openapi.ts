import type { TObject } from 'typebox'
import type { Operation } from '../engine/operation.ts'
import { nullableOf } from '../engine/schema.ts'
import { PREFIX } from './http/routes.ts'

type Json = Record<string, any>

const PROBLEM = {
  title: 'Problem',
  type: 'object',
  description: 'What went wrong, as in RFC 9457.',
  required: ['type', 'title', 'status', 'code', 'detail', 'message', 'success', 'errors', 'request_id'],
  properties: {
    type: { type: 'string', examples: ['/problems/validation_failed'] },
    title: { type: 'string', examples: ['Validation failed'] },
    status: { type: 'integer', examples: [422] },
    code: { type: 'string', examples: ['validation_failed'] },
    detail: { type: 'string', examples: ['name has already been taken'] },
    message: { type: 'string', description: 'The same as `detail`' },
    success: { type: 'boolean', const: false },
    errors: {
      type: 'array',
      description: 'All the fields that are wrong',
      items: {
        type: 'object',
        required: ['field', 'code', 'message'],
        properties: { field: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
      },
    },
    request_id: { type: 'string' },
  },
}

const FAILURES: Record<string, string> = {
  400: 'The request cannot be read, or a path or query parameter is not what it should be',
  401: 'The key is missing, unknown, expired or revoked',
  403: 'The key may not do this',
  404: 'There is no such record',
  409: 'The state of the records does not allow it',
  412: 'The record has changed since it was read (`If-Match`)',
  413: 'The body is too large',
  415: 'The body is of a type that is not understood',
  422: 'Fields of the body are missing, of the wrong type, or against a rule',
  429: 'Too many requests; `Retry-After` says when to try again',
  503: 'The database is away; `Retry-After` says when to try again',
}

const PROBLEM_NAMES: Record<string, string> = {
  400: 'Malformed',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  412: 'Stale',
  413: 'TooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  503: 'Unavailable',
}

/** The interpreter that turns operations into an OpenAPI 3.1 document. */
export function openApi(
  operations: readonly Operation[],
  about: { title: string; version: string; description: string },
): Json {
  const schemas = new Schemas()
  const paths: Json = {}
  for (const operation of operations) {
    paths[operation.path] ??= {}
    paths[operation.path][operation.method.toLowerCase()] = describe(operation, schemas)
  }
  const areas = [...new Set(operations.map((operation) => operation.area))]
  return {
    openapi: '3.1.0',
    info: { ...about, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: PREFIX }],
    security: [{ key: [] }],
    tags: areas.map((name) => ({
      name,
      description: operations.some((one) => one.area === name && one.permission)
        ? `Operations that need the permissions \`${name}:read\` or \`${name}:write\``
        : 'Operations that need no key',
    })),
    paths,
    components: {
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-API-KEY' } },
      responses: Object.fromEntries(
        Object.entries(FAILURES).map(([status, description]) => [PROBLEM_NAMES[status], failure(description, schemas)]),
      ),
      schemas: schemas.all(),
    },
  }
}

function describe(operation: Operation, schemas: Schemas): Json {
  const { body, answer } = operation
  const isWrite = operation.method !== 'GET'
  const parameters = [
    ...Object.entries(operation.params.properties).map(([name, schema]) => ({
      name,
      in: 'path',
      required: true,
      schema: schemas.plain(schema),
    })),
    ...queryParameters(operation.query, schemas),
    ...(isWrite ? [RETRY_KEY] : []),
  ]
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: [
      operation.note,
      operation.permission ? `Needs the permission \`${operation.permission}\`.` : 'Needs no key.',
    ]
      .filter(Boolean)
      .join(' '),
    tags: [operation.area],
    ...(operation.permission ? {} : { security: [] }),
    ...(parameters.length ? { parameters } : {}),
    ...(body
      ? {
          requestBody: {
            required: Boolean(body.required?.length),
            content: bodies(schemas.refer(body), exampleOf(body)),
          },
        }
      : {}),
    responses: {
      [operation.status]: {
        description: operation.status === 204 ? 'Done; there is nothing to show' : 'Done',
        ...(answer ? { content: { 'application/json': { schema: schemas.refer(answer) } } } : {}),
        ...(operation.attaches
          ? { content: { [operation.attaches]: { schema: { type: 'string', format: 'binary' } } } }
          : {}),
      },
      ...failures(operation),
      ...(operation.conflicts ? { 409: failure(operation.conflicts, schemas) } : {}),
    },
  }
}

const RETRY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Makes retries safe: the same key and body give the first answer again for 24 hours',
  schema: { type: 'string', maxLength: 255 },
}

function bodies(schema: Json, example: Json): Json {
  const content = { schema, example }
  return { 'application/x-www-form-urlencoded': content, 'application/json': content, 'multipart/form-data': content }
}

/** What a first try can send: the required fields, and those that have an example of their own. */
function exampleOf(body: TObject): Json {
  const fields = Object.entries(body.properties as Record<string, any>)
  const wanted = fields.filter(
    ([name, schema]) => body.required?.includes(name) || (schema.examples && !schema['x-reference']),
  )
  return Object.fromEntries(
    wanted.map(([name, schema]) => [
      name,
      schema.examples?.[0] ?? (schema.type === 'integer' ? 1 : schema.type === 'array' ? [1] : 'text'),
    ]),
  )
}

/** `created_at: {gte, lte}` is sent as `created_at[gte]`; lists are sent as `ids[]`. */
function queryParameters(query: TObject, schemas: Schemas): Json[] {
  return Object.entries(query.properties as Record<string, any>).flatMap(([name, schema]) => {
    if (schema.type === 'object')
      return Object.entries(schema.properties as Record<string, any>).map(([part, inner]) =>
        parameter(`${name}[${part}]`, inner, schemas),
      )
    return [parameter(schema.type === 'array' ? `${name}[]` : name, schema, schemas)]
  })
}

const parameter = (name: string, schema: any, schemas: Schemas) => ({
  name,
  in: 'query',
  required: false,
  schema: schemas.plain(schema),
})

function failures(operation: Operation): Json {
  const has = (status: string) => {
    if (status === '401' || status === '403') return operation.permission !== null
    if (status === '404') return operation.path.includes('{')
    if (status === '409') return operation.method !== 'GET'
    if (status === '412') return /^(PUT|DELETE)$/.test(operation.method) && operation.path.endsWith('{id}')
    if (['413', '415', '422'].includes(status)) return operation.body !== null
    return true
  }
  const entries = Object.keys(FAILURES).filter(has)
  return Object.fromEntries(
    entries.map((status) => [status, { $ref: `#/components/responses/${PROBLEM_NAMES[status]}` }]),
  )
}

const failure = (description: string, schemas: Schemas) => ({
  description,
  content: { 'application/problem+json': { schema: schemas.refer(PROBLEM) } },
})

/** Collects the schemas that have a title, so that each is written once and referred to by name. */
class Schemas {
  readonly #named = new Map<string, { schema: unknown; written: Json }>()

  refer(schema: any): Json {
    const original = nullableOf.get(schema)
    if (original) return { anyOf: [this.refer(original), { type: 'null' }] }
    if (!schema.title) return this.plain(schema)
    const known = this.#named.get(schema.title)
    if (known && known.schema !== schema) throw new Error(`Two schemas are called ${schema.title}`)
    if (!known) {
      const entry: { schema: unknown; written: Json } = { schema, written: {} }
      this.#named.set(schema.title, entry)
      entry.written = this.plain(schema)
    }
    return { $ref: `#/components/schemas/${schema.title}` }
  }

  /** The schema itself, with those inside it referred to by name. */
  plain(schema: any): Json {
    const { properties, items, 'x-reference': _target, 'x-group': _group, ...rest } = schema
    for (const ours of ['decimalRange', 'maxCleaned', 'hasText']) delete rest[ours]
    if (schema['x-file']) return { type: 'string', description: 'A file, or a data URI in base64' }
    if (schema.format === 'decimal') Object.assign(rest, { type: rest.type, pattern: '^-?\\d{1,11}(\\.\\d{1,4})?$' })
    return {
      ...rest,
      ...(properties
        ? { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, this.refer(one)])) }
        : {}),
      ...(items ? { items: this.refer(items) } : {}),
    }
  }

  all(): Json {
    const sorted = [...this.#named].sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(sorted.map(([name, { written }]) => [name, written]))
  }
}
