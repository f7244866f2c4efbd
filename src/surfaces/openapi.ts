import type { TObject } from 'typebox'
import { CHANGE, OMITTED_KINDS } from '../audits/shown.ts'
import type { Operation } from '../engine/operation.ts'
import { nullableOf } from '../engine/schema.ts'
import { CHAPTERS, chapterOf, OTHER } from './chapters.ts'
import { bodyExample, queryExample } from './examples.ts'
import { GLOSSARY } from './glossary.ts'
import { EVENTS } from './http/following.ts'
import { PREFIX } from './http/routes.ts'

type Json = Record<string, any>

/** What is known of a kind of record by those who refer to it. */
export type Kind = { table: string; one: string }

const words = (name: string) => name.replaceAll('_', ' ')

/** What values of a format are, when there is nothing else to say. */
const ABOUT: Record<string, string> = {
  currency: 'A currency, as in ISO 4217',
  country: 'A country, as in ISO 3166-1 alpha-2',
  'time-zone': 'A time zone of the IANA database',
  decimal: 'An exact decimal, as text',
}

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
  404: 'No such record',
  409: 'The state of the records does not allow it',
  412: 'The record has changed since it was read (`If-Match`)',
  413: 'The body is too large',
  415: 'The body is of a type that is not understood',
  422: 'Fields of the body are missing, of the wrong type, or against a rule',
  429: 'Too many requests; `Retry-After` says when to try again',
  503: 'The database is away, took too long, or more is asked than can be answered; `Retry-After` says when to try again',
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
  kinds: readonly Kind[],
  base: string,
  about: { title: string; version: string; description: string },
): Json {
  const schemas = new Schemas(kinds)
  const paths: Json = {}
  for (const operation of operations) {
    paths[operation.path] ??= {}
    paths[operation.path][operation.method.toLowerCase()] = describe(operation, schemas, base)
  }
  const used = new Set(operations.map((operation) => chapterOf(operation).name))
  const chapters = [...CHAPTERS, OTHER].filter(({ name }) => used.has(name))
  return {
    openapi: '3.1.0',
    info: { ...about, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: base + PREFIX }],
    security: [{ key: [] }, { bearer: [] }],
    tags: chapters.map(({ name, about }) => ({ name, description: about })),
    'x-tagGroups': [...Map.groupBy(chapters, ({ part }) => part)].map(([name, inside]) => ({
      name,
      tags: inside.map((chapter) => chapter.name),
    })),
    paths,
    components: {
      securitySchemes: {
        key: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-KEY',
          description: 'Printed at the first start; more of them are made at `/api_keys`',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same key, as `Authorization: Bearer`' },
      },
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, [description, type]]) => [name, { description, schema: { type } }]),
      ),
      parameters: { IdempotencyKey: RETRY_KEY, Prefer: PREFER },
      responses: {
        ...Object.fromEntries(
          Object.entries(FAILURES).map(([status, description]) => [
            PROBLEM_NAMES[status],
            failure(
              description,
              schemas,
              ['429', '503'].includes(status) ? ['X-Request-ID', 'Retry-After'] : ['X-Request-ID'],
            ),
          ]),
        ),
      },
      schemas: schemas.all(),
    },
  }
}

function describe(operation: Operation, schemas: Schemas, base: string): Json {
  const { body, answer } = operation
  const isWrite = operation.method !== 'GET'
  const parameters = [
    ...Object.entries(operation.params.properties as Record<string, any>).map(([name, schema]) => ({
      name,
      in: 'path',
      required: true,
      description: schema.description ?? schemas.identified(schema, name),
      schema: schemas.plain(schema),
    })),
    ...queryParameters(operation, operation.query.properties, schemas),
    ...queryParameters(operation, inQuery(operation), schemas),
    ...(isWrite ? ['IdempotencyKey', 'Prefer'].map((name) => ({ $ref: `#/components/parameters/${name}` })) : []),
    ...(operation.goesOn ? [LAST_EVENT] : []),
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
    tags: [chapterOf(operation).name],
    ...(operation.path.startsWith('/api/') ? { servers: [{ url: base || '/' }] } : {}),
    ...(operation.permission ? {} : { security: [] }),
    ...(parameters.length ? { parameters } : {}),
    ...(body
      ? {
          requestBody: {
            required: Boolean(body.required?.length) && !operation.inQuery,
            content: bodies(operation, body, schemas),
          },
        }
      : {}),
    responses: {
      [operation.status]: {
        description: operation.status === 204 ? 'Done; there is nothing to show' : 'Done',
        headers: referTo(headersOf(operation)),
        ...(answer
          ? {
              content: {
                'application/json': { schema: answered(operation, answer, schemas) },
                ...(operation.goesOn ? { [EVENTS]: AS_EVENTS } : {}),
              },
            }
          : {}),
        ...(operation.attaches
          ? { content: { [operation.attaches]: { schema: { type: 'string', format: 'binary' } } } }
          : {}),
      },
      ...failures(operation),
      ...(operation.conflicts ? { 409: failure(operation.conflicts, schemas) } : {}),
    },
  }
}

/**
 * What a write answers has further, optional members when it was only tried. They stand in the usual response: a second
 * one, of another status, would make the result of every write a union in generated clients.
 */
function answered({ method, guarded }: Operation, answer: TObject, schemas: Schemas): Json {
  const schema = schemas.refer(answer)
  if (method === 'GET' || guarded) return schema
  if (schema.$ref) return { allOf: [schema, { type: 'object', properties: dryRunMembers(schemas) }] }
  return { ...schema, properties: { ...schema.properties, ...dryRunMembers(schemas) } }
}

const dryRunMembers = (schemas: Schemas): Json => ({
  changes: schemas.refer(DRY_RUN_CHANGES),
  omitted: schemas.refer(DRY_RUN_OMITTED),
})

const DRY_RUN_CHANGES = {
  title: 'DryRunChanges',
  type: 'array',
  description: 'Only with `Prefer: dry-run`: what the request would change, as far as the key may read it',
  items: CHANGE,
}
const DRY_RUN_OMITTED = {
  title: 'DryRunOmitted',
  type: 'array',
  description: `Only with \`Prefer: dry-run\`. ${OMITTED_KINDS}`,
  items: { type: 'string' },
}

const PREFER = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    '`dry-run`: nothing is stored; the answer has the status 200 and tells under `changes` what would change. `handling=strict`: names that nothing makes use of are refused',
  schema: { type: 'string', examples: ['dry-run', 'handling=strict, dry-run'] },
}

const RETRY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes retries safe: the same key and body give the first answer again for 24 hours, or 409 `answer_withheld` when you may not see all of it any more',
  schema: { type: 'string', maxLength: 255 },
}

const LAST_EVENT = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'With `Accept: text/event-stream`: the number of the last event that was seen; counts before `since`',
  schema: { type: 'string', pattern: '^\\d*$' },
}

const AS_EVENTS = {
  schema: {
    type: 'string',
    description: 'Events `change` with one of `data` each, and its number as `id`; `omitted`; and at the end `problem`',
  },
}

/**
 * All three kinds of bodies have the same fields. In a form an object is spelled `fields[badge]=1`; lists of objects can
 * be spelled there too, but no client knows how from a document, so that it leaves them to JSON, and names that alone
 * where they are needed.
 */
function bodies(operation: Operation, body: TObject, schemas: Schemas): Json {
  const json = { 'application/json': { schema: schemas.refer(body), example: bodyExample(operation, body) } }
  const all = Object.entries(body.properties as Record<string, any>)
  const lists = all.filter(([, one]) => allows(one.items, 'object')).map(([name]) => name)
  if (lists.some((name) => body.required?.includes(name))) return json

  const fields = all.filter(([name]) => !lists.includes(name))
  const spellable = lists.length > 0 ? formOf(body, fields) : body
  const schema = schemas.refer(spellable)
  const example = bodyExample(operation, spellable)
  const objects = fields.filter(([, one]) => allows(one, 'object') && !one['x-file']).map(([name]) => name)
  const encoding = Object.fromEntries(objects.map((name) => [name, { style: 'deepObject', explode: true }]))
  const spelled = objects.length > 0 ? { encoding } : {}
  return {
    ...json,
    'application/x-www-form-urlencoded': { schema, example, ...spelled },
    'multipart/form-data': fields.some(([, one]) => one['x-file'])
      ? { schema: withFiles(spellable, schemas), ...spelled }
      : { schema, example, ...spelled },
  }
}

const forms = new WeakMap<TObject, TObject>()

/** A body of these fields alone, under a name of its own: always the same object. */
function formOf(body: TObject, fields: [string, any][]): TObject {
  const title = `${(body as Json).title}Form`
  const form = forms.get(body) ?? ({ ...body, title, properties: Object.fromEntries(fields) } as TObject)
  forms.set(body, form)
  return form
}

/** A body as multipart has it: with files that are just files. */
function withFiles(body: TObject, schemas: Schemas): Json {
  const { properties, ...rest } = schemas.plain(body)
  for (const [name, { description, 'x-file': isFile }] of Object.entries(body.properties as Record<string, any>))
    if (isFile) properties[name] = { type: 'string', format: 'binary', description }
  return { ...rest, title: `${rest.title}WithFile`, properties }
}

const allows = (schema: any, type: string) => [schema?.type].flat().includes(type)

/** Fields of the body that may stand in the query instead. */
const inQuery = ({ body, inQuery = [] }: Operation) =>
  Object.fromEntries(
    inQuery.map((name) => [name, { ...body?.properties[name], description: `\`${name}\` of the body, given here` }]),
  )

/** `created_at: {gte, lte}` is sent as `created_at[gte]`; lists are sent as `ids[]`. */
function queryParameters({ id }: Operation, properties: Record<string, any>, schemas: Schemas): Json[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    /** Shows what could be sent; whoever tries it out switches it on. */
    const parameter = (spelled: string, one: any) => ({
      name: spelled,
      in: 'query',
      required: false,
      description: (one.description ?? narrowing(spelled, one.format)) + otherNames(one),
      examples: { example: { value: queryExample(id, spelled, one), 'x-disabled': true } },
      schema: schemas.plain(one),
    })
    if (schema.type === 'object') {
      const [plain, ...more] = schema['x-plain'] ?? []
      return [
        ...(plain && more.length === 0 ? [parameter(name, schema.properties[plain])] : []),
        ...Object.entries(schema.properties).map(([part, inner]) => parameter(`${name}[${part}]`, inner)),
      ]
    }
    return parameter(schema.type === 'array' ? `${name}[]` : name, schema)
  })
}

/** ` (also accepted as …)`, for programs that know a field by another name. */
const otherNames = (schema: any) =>
  schema['x-also']?.length
    ? ` (also accepted as ${schema['x-also'].map((one: string) => `\`${one}\``).join(', ')})`
    : ''

/** What a filter does, by its name, unless it says so itself. */
function narrowing(name: string, format?: string): string {
  const [, stem = '', part] = /^(\w+)(?:\[(\w*)\])?$/.exec(name) as RegExpExecArray
  if (part) return `${sentence(stem)}: ${BOUNDS[part]}${format === 'moment' ? MOMENT : ''}`
  if (BOUNDS[stem]) return BOUNDS[stem]
  const isList = part === ''
  const one = isList ? 'one of these' : 'this'
  if (/^ids?$/.test(stem)) return `Only those with ${one} ids`
  const thing = words(isList ? stem.replace(/(?<!u)s$/, '') : stem)
  return thing.endsWith(' id')
    ? `Only those whose ${thing.slice(0, -3)} has ${isList ? 'one of these ids' : 'this id'}`
    : `Only those whose ${thing} is ${one}`
}

const MOMENT = ' (a timestamp, Unix seconds, or a date for the whole day)'

const BOUNDS: Record<string, string> = {
  gte: 'from then on, included',
  lte: 'up to then, included',
  gt: 'after then',
  lt: 'before then',
  starts_on: 'Only those on this day or later',
  ends_on: 'Only those on this day or before',
  as_of: 'The day it is asked for; today when not sent',
}

const sentence = (name: string) => words(name.charAt(0).toUpperCase() + name.slice(1))

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

/** What answers tell besides their bodies. */
const HEADERS: Record<string, [string, 'string' | 'integer']> = {
  'Cadre-Ledger': ['The number of the ledger that the answer was made at: `since` of `/changes`', 'integer'],
  'Cadre-Omitted': ['The groups of data that were left out, as they are withheld from the key', 'string'],
  'Cadre-Ignored': ['The names in the request that nothing made use of', 'string'],
  ETag: ['Changes when the answer does: for `If-None-Match`, and for `If-Match` of a write', 'string'],
  Location: ['Where the new record is', 'string'],
  'Preference-Applied': ['`dry-run` when a write was only tried', 'string'],
  'Idempotency-Replayed': [
    '`true` when it is the answer to an earlier request with the same `Idempotency-Key`',
    'string',
  ],
  'X-Request-ID': [
    'The id of the request, as the ledger and the log keep it: always a new one. The `X-Request-ID` of a request stands beside it, as `correlation_id` and in the log',
    'string',
  ],
  'Retry-After': ['After how many seconds to try again', 'integer'],
}

const referTo = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** The headers of an operation's usual answer. */
function headersOf({ method, permission, answer, status }: Operation): string[] {
  const isWrite = method !== 'GET'
  return [
    ...(permission ? ['Cadre-Ledger', 'Cadre-Omitted'] : []),
    'Cadre-Ignored',
    ...(answer ? ['ETag'] : []),
    ...(status === 201 ? ['Location'] : []),
    ...(isWrite ? ['Preference-Applied'] : []),
    ...(isWrite ? ['Idempotency-Replayed'] : []),
    'X-Request-ID',
  ]
}

const failure = (description: string, schemas: Schemas, headers = ['X-Request-ID']) => ({
  description,
  headers: referTo(headers),
  content: { 'application/problem+json': { schema: schemas.refer(PROBLEM) } },
})

/** Collects the schemas that have a title, so that each is written once and referred to by name. */
class Schemas {
  readonly #named = new Map<string, { schema: unknown; written: Json }>()
  readonly #kinds: Map<string, string>

  constructor(kinds: readonly Kind[]) {
    this.#kinds = new Map(kinds.map(({ table, one }) => [table, one]))
  }

  /** What a value is that names a record, or records. */
  identified(schema: any, name: string): string | undefined {
    const kind = this.#kinds.get(schema['x-reference'])
    if (kind) return `Id of the ${kind}`
    const kinds = this.#kinds.get(schema.items?.['x-reference'])
    if (kinds) return `Ids of ${words(schema.items['x-reference'])}`
    return /_id$/.test(name) ? `Id of the ${words(name.replace(/_id$/, ''))}` : undefined
  }

  /** A field of an object, with what there is to say about it. */
  #field(name: string, schema: any): Json {
    const written = this.refer(schema)
    const about = GLOSSARY[name] ?? this.identified(schema, name) ?? ABOUT[schema.format]
    const said = written.description ?? (written.$ref || written.anyOf ? undefined : about)
    return said === undefined ? written : { ...written, description: said + otherNames(schema) }
  }

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
    const {
      properties,
      items,
      'x-reference': _target,
      'x-group': _group,
      'x-verbatim': _verbatim,
      'x-unique': _unique,
      'x-plain': _plain,
      'x-several': _several,
      'x-also': _also,
      'x-words': _words,
      ...rest
    } = schema
    // Words stand for some of the values.
    if (_words && !rest.enum) rest.type = [...new Set([rest.type, 'string'].flat())]
    for (const ours of ['decimalRange', 'maxCleaned', 'hasText']) delete rest[ours]
    if (schema['x-file']) return { type: 'string', description: `${schema.description} (here a data URI in base64)` }
    // What only says that it is text, or a number that can be told exactly, says nothing to others.
    if (/^(line|text|moment)$/.test(rest.format)) delete rest.format
    if (rest.maximum === Number.MAX_SAFE_INTEGER) delete rest.maximum
    if (schema.format === 'decimal') Object.assign(rest, { type: rest.type, pattern: '^-?\\d{1,11}(\\.\\d{1,4})?$' })
    return {
      ...rest,
      ...(properties
        ? {
            properties: Object.fromEntries(
              Object.entries(properties).map(([name, one]) => [name, this.#field(name, one)]),
            ),
          }
        : {}),
      ...(items ? { items: this.refer(items) } : {}),
    }
  }

  all(): Json {
    const sorted = [...this.#named].sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(sorted.map(([name, { written }]) => [name, written]))
  }
}
