import type { TObject } from 'typebox'
import { CHANGE, OMITTED_KINDS } from '../domain/audits/change-responses.ts'
import { article } from '../engine/derive.ts'
import type { Operation } from '../engine/operation.ts'
import { nullableOf } from '../engine/schema.ts'
import { CHAPTERS, chapterOf, OTHER } from './chapters.ts'
import { valuesIn } from './enum-descriptions.ts'
import { bodyExample, queryExample } from './examples.ts'
import { GLOSSARY } from './glossary.ts'
import { EVENTS } from './http/feed-followers.ts'
import { PREFIX } from './http/routes.ts'
import { RECORD_TYPES } from './resource-glossary.ts'

type Json = Record<string, any>

/** What references need to know about a kind of record. */
export type RecordKind = { table: string; one: string; title: string }

const words = (name: string) => name.replaceAll('_', ' ')
const sentenceCase = (text: string) => text.replace(/^\w/, (letter) => letter.toUpperCase())

/** `movement: one move of an application …`, or just `employee`. */
const explained = ({ table, one }: Pick<RecordKind, 'table' | 'one'>) =>
  RECORD_TYPES[table] ? `${one}: ${RECORD_TYPES[table]}` : one

/** What values of a format are, when there is nothing else to say. */
const ABOUT: Record<string, string> = {
  currency: 'Currency code (ISO 4217)',
  country: 'Country code (ISO 3166-1 alpha-2)',
  'time-zone': 'IANA time zone',
  decimal: 'Exact decimal number, as a string',
}

const PROBLEM = {
  title: 'Problem',
  type: 'object',
  description: 'Problem document (RFC 9457).',
  required: ['type', 'title', 'status', 'code', 'detail', 'message', 'success', 'errors', 'request_id'],
  properties: {
    type: {
      type: 'string',
      description: 'Address that explains the error code',
      examples: ['/problems/validation_failed'],
    },
    title: { type: 'string', description: 'What failed, in a few words', examples: ['Validation failed'] },
    status: { type: 'integer', description: 'HTTP status', examples: [422] },
    code: { type: 'string', description: 'Error code, for programs', examples: ['validation_failed'] },
    detail: { type: 'string', description: 'What failed and what to do', examples: ['name has already been taken'] },
    message: { type: 'string', description: 'Same as `detail`' },
    success: { type: 'boolean', description: 'Always false', const: false },
    errors: {
      type: 'array',
      description: 'Every invalid field',
      items: {
        type: 'object',
        required: ['field', 'code', 'message'],
        properties: {
          field: { type: 'string', description: 'Name of the field' },
          code: { type: 'string', description: 'Error code, for programs' },
          message: { type: 'string', description: 'Error message, for people' },
        },
      },
    },
    request_id: { type: 'string', description: 'ID of the request, as in `X-Request-ID`' },
  },
}

const FAILURES: Record<string, string> = {
  400: 'The request cannot be parsed, or a path or query parameter is invalid',
  401: 'The API key is missing, unknown, expired or revoked',
  403: 'Your permissions do not allow this',
  404: 'The record does not exist, or you may not see it',
  409: 'The current state of the records does not allow the operation',
  412: 'The record has changed since you read it (`If-Match`)',
  413: 'The body is too large',
  415: 'The content type of the body is not supported',
  422: 'Fields of the body are missing or invalid',
  429: 'Too many requests; retry after `Retry-After` seconds',
  503: 'The database is unavailable or too slow, or the service is overloaded; retry after `Retry-After` seconds',
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
  kinds: readonly RecordKind[],
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
          description: 'API key. The first one is printed at the first start; create more at `/api_keys`',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same API key, as `Authorization: Bearer`' },
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
    ...(operation.isFeed ? [LAST_EVENT] : []),
  ]
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: [schemas.definition(operation), operation.note, requirement(operation)].filter(Boolean).join(' '),
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
        description: SUCCESSES[operation.status] ?? 'Success',
        headers: referTo(headersOf(operation)),
        ...(answer
          ? {
              content: {
                'application/json': { schema: answered(operation, answer, schemas) },
                ...(operation.isFeed ? { [EVENTS]: AS_EVENTS } : {}),
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

const SUCCESSES: Record<number, string> = { 201: 'Created', 204: 'Success; the response has no body' }

/** What a caller needs, unless the note has said it together with further permissions. */
function requirement({ permission, note }: Operation): string | null {
  if (permission === null) return 'No API key required.'
  const isSaid = note?.split('. ').some((one) => one.startsWith('Requires') && one.includes(`\`${permission}\``))
  return isSaid ? null : `Requires the \`${permission}\` permission.`
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
  description: 'Only with `Prefer: dry-run`: the changes that the request would make, as far as the key may read them',
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
    '`dry-run`: nothing is stored; the response has the status 200 and lists under `changes` what would change. `handling=strict`: unknown parameters and fields are rejected instead of ignored',
  schema: { type: 'string', examples: ['dry-run', 'handling=strict, dry-run'] },
}

const RETRY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes retries safe. Send a new value with each new request, and the same value when you repeat it: within 24 hours, the repeated request changes nothing and returns the first response, or 409 `answer_withheld` if you may no longer see all of that response',
  schema: { type: 'string', maxLength: 255 },
}

const LAST_EVENT = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description:
    'With `Accept: text/event-stream`: the number of the last event you received; takes precedence over `since`',
  schema: { type: 'string', pattern: '^\\d*$' },
}

const AS_EVENTS = {
  schema: {
    type: 'string',
    description:
      'One `change` event for each item of `data`, with its number as `id`; an `omitted` event that lists the record types left out; and a `problem` event with the error if the stream has to end',
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
    inQuery.map((name) => {
      const schema = body?.properties[name] as Json
      const about = schema.description ?? GLOSSARY[name] ?? sentenceCase(name)
      return [name, { ...schema, description: `${about}. You can send it here or in the body` }]
    }),
  )

/** `created_at: {gte, lte}` is sent as `created_at[gte]`; lists are sent as `ids[]`. */
function queryParameters({ id }: Operation, properties: Record<string, any>, schemas: Schemas): Json[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    /** Shows what could be sent; whoever tries it out switches it on. */
    const parameter = (spelled: string, one: any) => ({
      name: spelled,
      in: 'query',
      required: false,
      description: withValues(one.description ?? narrowing(spelled, one.format), one) + otherNames(one),
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

/** A description, and what each of the values means. */
function withValues(description: string, schema: any): string {
  const values = valuesIn(schema)
  return values ? `${description.replace(/\.$/, '')}. ${values}` : description
}

/** ` (also accepted as …)`, for programs that know a field by another name. */
const otherNames = (schema: any) =>
  schema['x-also']?.length
    ? ` (also accepted as ${schema['x-also'].map((one: string) => `\`${one}\``).join(', ')})`
    : ''

/** What a filter does, by its name, unless it says so itself. */
function narrowing(spelled: string, format?: string): string {
  const [, stem = '', part] = /^(\w+)(?:\[(\w*)\])?$/.exec(spelled) as RegExpExecArray
  const bound = part && BOUNDS[part]?.[format === 'moment' ? 1 : 0]
  if (bound)
    return `${RANGES[stem] ?? `Only records with \`${stem}\``} ${bound}${format === 'moment' ? momentNote(part) : ''}`
  if (DAYS[stem]) return DAYS[stem]
  const isList = part === ''
  const about = FILTERS[spelled]
  if (about) return about
  const thing = words(isList ? several(stem) : stem)
    .replace(/\bid(s?)$/, 'ID$1')
    .replace(/^kpi\b/, 'KPI')
  return `Only records with ${isList ? 'one of these' : 'this'} ${thing}`
}

/** `statuses`, of `status` and of `statuses`. */
const several = (name: string) =>
  /[^su]s$/.test(name)
    ? name
    : name.endsWith('y')
      ? `${name.slice(0, -1)}ies`
      : `${name}${name.endsWith('s') ? 'es' : 's'}`

const momentNote = (bound: string) =>
  `: a timestamp, Unix seconds or a date. A date means the moment at which that day ${BOUNDS[bound]?.[2]}`

/** What a bound of a range means for dates, and for moments. */
const BOUNDS: Record<string, readonly [string, string, string]> = {
  gte: ['on or after this date', 'at or after this time', 'begins'],
  lte: ['on or before this date', 'at or before this time', 'ends'],
  gt: ['after this date', 'after this time', 'ends'],
  lt: ['before this date', 'before this time', 'begins'],
}

/** Ranges that are not named after a field. */
const RANGES: Record<string, string> = {
  hired_at: 'Only candidates who were hired',
  joined_on: 'Only employees whose first day of work is',
  left_on: 'Only employees whose first day after employment is',
  taken_on: 'Only requests with a leave day',
  terminated_on: 'Only employees whose first day after employment is',
}

const DAYS: Record<string, string> = {
  starts_on: 'First day of the range to show, included; send it together with `ends_on`',
  ends_on: 'Last day of the range to show, included; send it together with `starts_on`',
  as_of: 'Date for which to show the data; today by default',
}

/** Filters by a record or word whose name does not say enough. */
const FILTERS: Record<string, string> = {
  manager_id: 'Only people who report directly to the manager with this employee ID',
  'manager_ids[]': 'Only people who report directly to one of the managers with these employee IDs',
  user_id: 'Only records that belong to this employee. In this API, a user ID is the ID of an employee',
  'user_ids[]': 'Only records that belong to these employees. In this API, a user ID is the ID of an employee',
  hiring_lead_user_id: 'Only vacancies for which the employee with this ID leads the hiring',
  'applicant_ids[]': 'Only records of the candidates with these IDs',
  stage_id: 'Only applications that are in the pipeline stage with this ID',
  pipeline_stage_id: 'Only applications that are in the pipeline stage with this ID',
  source_id: 'Only records of candidates who came from the source (such as a job board) with this ID',
  owner_id: 'Only records for which the employee with this ID is responsible',
  code: 'Only assets with this inventory code',
  'skills[]': 'Only records with one of these skills, by name',
  'tags[]': 'Only records with one of these tags, by name',
  'tag_ids[]': 'Only records with one of the tags with these IDs',
  employee_field_internal_name: 'Only values of the historical field with this internal name',
}

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
  'Cadre-Ledger': [
    'Number of the latest change that the response includes (change number). Send it as `since` to `/changes` to get later changes',
    'integer',
  ],
  'Cadre-Omitted': [
    'Field groups, such as `compensation`, that were left out because they are hidden from the caller',
    'string',
  ],
  'Cadre-Ignored': ['Names of parameters and fields that were ignored', 'string'],
  ETag: ['Version of the response. Send it as `If-None-Match` with a read or as `If-Match` with a write', 'string'],
  Location: ['Address of the new record', 'string'],
  'Preference-Applied': ['`dry-run` if nothing was stored', 'string'],
  'Idempotency-Replayed': [
    '`true` if this is the stored response to an earlier request with the same `Idempotency-Key`',
    'string',
  ],
  'X-Request-ID': [
    'ID of the request in the change history and the server log, always generated by the server. An `X-Request-ID` that you send is kept as `correlation_id`, unless you also send `X-Correlation-ID`',
    'string',
  ],
  'Retry-After': ['Seconds to wait before retrying', 'integer'],
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

/** What the glossary says of a field: for this schema, for records and bodies of this type, or wherever it occurs. */
function inGlossary(title: string | undefined, name: string, schema: any): string | undefined {
  if (name === 'data') return schema.type === 'array' ? 'The records' : 'The record, or the result of the operation'
  const record = title?.replace(/^(Create|Update)/, '').replace(/(Form|WithFile)$/, '')
  return GLOSSARY[`${title}.${name}`] ?? GLOSSARY[`${record}.${name}`] ?? GLOSSARY[name]
}

/** Collects the schemas that have a title, so that each is written once and referred to by name. */
class Schemas {
  readonly #named = new Map<string, { schema: unknown; written: Json }>()
  readonly #kinds: Map<string, RecordKind>
  readonly #byTitle: Map<string, RecordKind>

  constructor(kinds: readonly RecordKind[]) {
    this.#kinds = new Map(kinds.map((kind) => [kind.table, kind]))
    this.#byTitle = new Map(kinds.map((kind) => [kind.title, kind]))
  }

  /** What a value is that names a record, or records. */
  identified(schema: any, name: string): string | undefined {
    const kind = this.#kinds.get(schema['x-reference'])
    // Where a record can be called by another name than its ID, the parameter is text.
    if (kind) return `${schema.type === 'string' ? 'ID or internal name' : 'ID'} of the ${explained(kind)}`
    const kinds = this.#kinds.get(schema.items?.['x-reference'])
    if (kinds) return `IDs of ${words(kinds.table)}`
    if (!/_id$/.test(name)) return undefined
    const one = words(name.replace(/_id$/, ''))
    return `ID of the ${explained([...this.#kinds.values()].find((other) => other.one === one) ?? { table: '', one })}`
  }

  /** What the records are that an operation reads, writes or shows the history of, unless everybody knows. */
  definition({ id, summary, kind, params }: Operation): string | null {
    const isHistory = /^list\w+History$/.test(id)
    if (!isHistory && !/^(List|Get|Create|Update|Delete) /.test(summary)) return null
    const table = isHistory ? (params.properties as Json).id['x-reference'] : kind
    const record = this.#kinds.get(table)
    const about = RECORD_TYPES[table]
    return record && about ? `${sentenceCase(article(record.one))} is ${about}.` : null
  }

  /** A field of an object, with what there is to say about it. */
  #field(title: string | undefined, name: string, schema: any): Json {
    const written = this.refer(schema)
    const about = inGlossary(title, name, schema) ?? this.identified(schema, name) ?? ABOUT[schema.format]
    const said = written.description ?? (written.$ref || written.anyOf ? undefined : about)
    return said === undefined ? written : { ...written, description: withValues(said, schema) + otherNames(schema) }
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
      const about = RECORD_TYPES[this.#byTitle.get(schema.title)?.table ?? '']
      const written = this.plain(schema)
      entry.written = about ? { description: sentenceCase(about), ...written } : written
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
    if (schema['x-file'])
      return { type: 'string', description: `${schema.description}. Here, in a JSON or form body: a base64 data URI` }
    // What only says that it is text, or a number that can be told exactly, says nothing to others.
    if (/^(line|text|moment)$/.test(rest.format)) delete rest.format
    if (rest.maximum === Number.MAX_SAFE_INTEGER) delete rest.maximum
    if (schema.format === 'decimal') Object.assign(rest, { type: rest.type, pattern: '^-?\\d{1,11}(\\.\\d{1,4})?$' })
    return {
      ...rest,
      ...(properties
        ? {
            properties: Object.fromEntries(
              Object.entries(properties).map(([name, one]) => [name, this.#field(schema.title, name, one)]),
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
