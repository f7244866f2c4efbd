import type { TObject } from 'typebox'
import { CHANGE, OMITTED_KINDS } from '../../domain/audits/change-responses.ts'
import type { Operation } from '../../engine/operation.ts'
import { EVENTS } from '../http/feed-followers.ts'
import type { Json, Schemas } from './schemas.ts'

/** The successful response of an operation, and its errors. */
export function responsesOf(operation: Operation, schemas: Schemas): Json {
  const { answer } = operation
  return {
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
    ...errorsOf(operation),
    ...(operation.conflicts ? { 409: errorResponse(operation.conflicts, schemas) } : {}),
  }
}

const SUCCESSES: Record<number, string> = { 201: 'Created', 204: 'Success; the response has no body' }

/**
 * What a write answers has further, optional members when it was only tried. They stand in the usual response: a second
 * one, of another status, would make the result of every write a union in generated clients.
 */
function answered({ method, guarded, effects }: Operation, answer: TObject, schemas: Schemas): Json {
  const schema = schemas.refer(answer)
  if (method === 'GET' || guarded) return schema
  const members = {
    changes: schemas.refer(DRY_RUN_CHANGES),
    omitted: schemas.refer(DRY_RUN_OMITTED),
    ...(effects ? { effects: schemas.refer(effects.schema) } : {}),
  }
  if (schema.$ref) return { allOf: [schema, { type: 'object', properties: members }] }
  return { ...schema, properties: { ...schema.properties, ...members } }
}

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

const AS_EVENTS = {
  schema: {
    type: 'string',
    description:
      'One `change` event for each item of `data`, with its number as `id`; an `omitted` event that lists the record types left out; and a `problem` event with the error if the stream has to end',
  },
}

function errorsOf(operation: Operation): Json {
  const has = (status: string) => {
    if (status === '401' || status === '403') return operation.permission !== null
    if (status === '404') return operation.path.includes('{')
    if (status === '409') return operation.method !== 'GET'
    if (status === '412') return /^(PUT|DELETE)$/.test(operation.method) && operation.path.endsWith('{id}')
    if (['413', '415', '422'].includes(status)) return operation.body !== null
    return true
  }
  const entries = Object.keys(ERRORS).filter(has)
  return Object.fromEntries(
    entries.map((status) => [status, { $ref: `#/components/responses/${ERROR_NAMES[status]}` }]),
  )
}

const ERRORS: Record<string, string> = {
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

const ERROR_NAMES: Record<string, string> = {
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

/** The error responses that all operations share, by their name in the document. */
export const sharedErrors = (schemas: Schemas): Json =>
  Object.fromEntries(
    Object.entries(ERRORS).map(([status, description]) => [
      ERROR_NAMES[status],
      errorResponse(
        description,
        schemas,
        ['429', '503'].includes(status) ? ['X-Request-ID', 'Retry-After'] : ['X-Request-ID'],
      ),
    ]),
  )

const errorResponse = (description: string, schemas: Schemas, headers = ['X-Request-ID']) => ({
  description,
  headers: referTo(headers),
  content: { 'application/problem+json': { schema: schemas.refer(PROBLEM) } },
})

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

/** The descriptions of the response headers, by name. */
export const sharedHeaders = (): Json =>
  Object.fromEntries(
    Object.entries(HEADERS).map(([name, [description, type]]) => [name, { description, schema: { type } }]),
  )

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
