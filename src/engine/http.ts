import { createHash } from 'node:crypto'
import fastJson from 'fast-json-stringify'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { TObject } from 'typebox'
import type { Database } from '../database/database.ts'
import { type Caller, type Reader, readAs, writeAs } from '../database/handle.ts'
import type { RememberedAnswer, Writer } from '../database/write.ts'
import type { FileStore } from '../files/store.ts'
import type { Answer, Call, Operation } from './operation.ts'
import { conflict, malformed, Problem } from './problem.ts'
import { check } from './validate.ts'

export const PREFIX = '/api/public/v3'
export const SECOND_PREFIX = '/api/v3'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

export type Wiring = {
  operations: readonly Operation[]
  database: Database
  clock: () => Date
  files: FileStore
  /** Finds out who calls, and whether they may: before the body is read. */
  admit: (request: FastifyRequest, reply: FastifyReply, operation: Operation) => Promise<Caller>
}

/** What all routes share: the operations that read, by path, and the retry keys of requests that are still running. */
type Routes = { wiring: Wiring; gets: Map<string, Operation>; running: Set<string> }

type Sendable = {
  status: number
  payload: string | null
  location: string | null
  replayed: boolean
  omitted: string[]
}

/** The interpreter that turns operations into routes. */
export function mount(app: FastifyInstance, wiring: Wiring): void {
  const gets = new Map(wiring.operations.filter((one) => one.method === 'GET').map((one) => [one.path, one]))
  const routes: Routes = { wiring, gets, running: new Set() }
  app.decorateRequest('caller', null as unknown as Caller)

  for (const operation of wiring.operations) {
    app.route({
      method: operation.method,
      url: routePath(operation.path),
      config: { operation: operation.id },
      ...(takesFile(operation) ? { bodyLimit: FILE_BODY_LIMIT } : {}),
      onRequest: async (request, reply) => {
        request.caller = await wiring.admit(request, reply, operation)
      },
      handler: (request, reply) => serve(request, reply, operation, routes),
    })
  }
  refuseOtherMethods(app, wiring.operations)
}

/** A file may also come inside JSON, which makes it a third longer. */
const FILE_BODY_LIMIT = 36 * 1024 * 1024

const takesFile = ({ body }: Operation) =>
  Object.values((body?.properties ?? {}) as Record<string, any>).some((schema) => schema['x-file'])

const routePath = (path: string) => PREFIX + path.replace(/\{(\w+)\}/g, ':$1')

/** A known path with a method it does not have: 405, and which ones it has. */
function refuseOtherMethods(app: FastifyInstance, operations: readonly Operation[]): void {
  const methodsOf = new Map<string, Set<string>>()
  for (const { method, path } of operations) {
    // Two paths that differ only in the names of their parameters are one place.
    const place = routePath(path).replace(/:\w+/g, ':any')
    const methods = methodsOf.get(place) ?? new Set()
    methodsOf.set(place, methods.add(method))
    if (method === 'GET') methods.add('HEAD')
  }
  for (const [url, methods] of methodsOf) {
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
      (one) => !methods.has(one),
    ) as HTTPMethods[]
    const allow = [...methods].join(', ')
    app.route({
      method: others,
      url,
      onRequest: async () => {
        throw new Problem(405, 'method_not_allowed', `This address knows only ${allow}`, { headers: { allow } })
      },
      handler: async () => undefined,
    })
  }
}

async function serve(
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation,
  routes: Routes,
): Promise<FastifyReply> {
  const { wiring } = routes
  const params = check(operation.params, request.params)
  const query = check(operation.query, request.query)
  const body = operation.body ? check(operation.body, bodyOf(request.body)) : { values: {}, problems: [], ignored: [] }
  if (params.problems.length > 0) throw malformed(params.problems)
  if (query.problems.length > 0) throw malformed(query.problems)
  refuseWithheld(request.caller, operation, body.values)
  const ignored = new Set([...query.ignored, ...body.ignored])
  const input: Input = {
    params: params.values,
    query: query.values,
    body: body.values,
    problems: body.problems,
    extra: operation.open ? beyond(request.body, body.ignored) : {},
    ignored,
    files: wiring.files,
    settle: () => refuseIgnored(request, ignored),
  }
  // Which names of an open body mean something is known only when its handler is done.
  refuseIgnored(request, operation.open ? new Set(query.ignored) : ignored)
  const run = () =>
    operation.method === 'GET'
      ? readAs(wiring.database, request.caller, wiring.clock(), (db) => answerOf(operation, db, input))
      : write(request, reply, operation, routes, input)
  const answer = await run().catch((error) => {
    nameIgnored(reply, ignored)
    throw error
  })
  if (!answer.replayed) nameIgnored(reply, ignored)
  return send(request, reply, answer)
}

type Input = Omit<Call, 'db'> & {
  /** Called when the handler is done, inside its transaction: what was ignored then can still stop the write. */
  settle: () => void
}

async function answerOf(operation: Operation, db: Reader | Writer, input: Input): Promise<Sendable> {
  const answer = await operation.handle({ db, ...input })
  input.settle()
  return {
    status: operation.status,
    payload: answer.body === undefined || !operation.answer ? null : serialise(operation.answer, answer.body),
    location: answer.location ? PREFIX + answer.location : null,
    replayed: false,
    omitted: [...db.omitted],
    ...(operation.redact ? { kept: serialise(operation.answer as TObject, operation.redact(answer.body)) } : {}),
  }
}

async function write(
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation,
  { wiring, gets, running }: Routes,
  input: Input,
): Promise<Sendable> {
  const ifMatch = header(request, 'if-match')
  const key = header(request, 'idempotency-key')
  if (key !== undefined && (key.length === 0 || key.length > 255))
    throw malformed([
      { field: 'Idempotency-Key', code: 'too_long', message: 'Idempotency-Key must have 1 to 255 characters' },
    ])

  // A request that was answered with a time-out while it waited must not be carried out behind the caller's back.
  const isAbandoned = () => reply.sent || request.raw.socket.destroyed
  const attempt = (db: Writer) => checkedAnswer(db, operation, input, ifMatch, gets)
  const run = (work: (db: Writer) => Promise<Sendable>) =>
    writeAs(wiring.database, request.caller, wiring.clock, work, isAbandoned)
  if (key === undefined) return run(attempt)

  const { account, actor } = request.caller
  const slot = JSON.stringify([account.id, actor, operation.id, key])
  if (running.has(slot))
    throw conflict('The first request with this Idempotency-Key is still running', 'idempotency_in_progress')
  running.add(slot)
  try {
    return await run((db) => onlyOnce(db, operation, key, fingerprint(input), () => attempt(db)))
  } finally {
    running.delete(slot)
  }
}

/** The stored answer if there is one; otherwise the answer is stored in the transaction of the write itself. */
async function onlyOnce(
  db: Writer,
  operation: Operation,
  idempotency_key: string,
  request_hash: string,
  attempt: () => Promise<Sendable & { kept?: string }>,
): Promise<Sendable> {
  const known = await db.recall({ operation: operation.id, idempotency_key })
  if (known) return replay(known, request_hash)
  const answer = await attempt()
  const body = answer.kept ?? answer.payload
  await db.remember({
    operation: operation.id,
    idempotency_key,
    request_hash,
    status: answer.status,
    location: answer.location,
    body,
  })
  return answer
}

function replay(known: RememberedAnswer, hash: string): Sendable {
  if (known.request_hash !== hash)
    throw new Problem(422, 'idempotency_mismatch', 'This Idempotency-Key was used before for another request')
  return { status: known.status, payload: known.body, location: known.location, replayed: true, omitted: [] }
}

/** With `If-Match`, the record must still look as the caller last saw it. */
async function checkedAnswer(
  db: Writer,
  operation: Operation,
  input: Input,
  ifMatch: string | undefined,
  gets: Map<string, Operation>,
) {
  const get = gets.get(operation.path)
  if (ifMatch !== undefined && ifMatch !== '*' && get) {
    const current = await answerOf(get, db, { ...input, query: {}, body: {}, problems: [], settle: () => undefined })
    const wanted = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
    if (!wanted.includes(etagOf(current.payload ?? '')))
      throw new Problem(
        412,
        'precondition_failed',
        'The record has changed since it was read: read it again, then repeat the change',
      )
  }
  return answerOf(operation, db, input)
}

function send(request: FastifyRequest, reply: FastifyReply, answer: Sendable): FastifyReply {
  reply.status(answer.status)
  if (answer.location) reply.header('location', answer.location)
  if (answer.replayed) reply.header('idempotency-replayed', 'true')
  if (answer.omitted.length > 0) reply.header('cadre-omitted', answer.omitted.join(', '))
  if (answer.payload === null) return reply.send()
  const etag = etagOf(answer.payload)
  reply.header('etag', etag).header('cache-control', 'private, no-cache')
  const seen = request.method === 'GET' || request.method === 'HEAD' ? header(request, 'if-none-match') : undefined
  if (seen?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)) return reply.status(304).send()
  return reply.header('content-type', 'application/json; charset=utf-8').send(answer.payload)
}

const etagOf = (payload: string) => `"${createHash('sha1').update(payload).digest('base64url')}"`

/** Bodies come back in the order of the schema, so the same request has the same fingerprint in any form. */
const fingerprint = ({ params, body, problems, extra }: Input) =>
  createHash('sha256')
    .update(JSON.stringify([params, body, problems, extra], hashBytes))
    .digest('hex')

function bodyOf(body: unknown): unknown {
  if (body === undefined || body === null) return {}
  if (typeof body !== 'object' || Array.isArray(body))
    throw new Problem(400, 'malformed', 'The body must be an object of named values')
  return body
}

/** A file counts by its content. */
const hashBytes = (_name: string, value: unknown) =>
  Buffer.isBuffer(value) ? createHash('sha256').update(value).digest('hex') : value

const beyond = (body: unknown, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, (body as any)?.[name]]))

/** What a key may not see it may not set either. */
function refuseWithheld({ withheld }: Caller, operation: Operation, body: Record<string, unknown>): void {
  if (withheld.size === 0 || !operation.body) return
  const { properties } = operation.body as { properties: Record<string, any> }
  const hidden = Object.keys(body).filter((name) => withheld.has(properties[name]['x-group']))
  if (hidden.length > 0) throw new Problem(403, 'forbidden', `This key may not set ${hidden.join(', ')}`)
}

function refuseIgnored(request: FastifyRequest, ignored: Set<string>): void {
  if (ignored.size > 0 && /\bhandling\s*=\s*strict\b/i.test(header(request, 'prefer') ?? ''))
    throw malformed([...ignored].map((field) => ({ field, code: 'unknown', message: `${field} is not known here` })))
}

function nameIgnored(reply: FastifyReply, ignored: Set<string>): void {
  if (ignored.size === 0) return
  const names = [...ignored]
    .slice(0, 20)
    .map((name) => encodeURIComponent(name.slice(0, 100)).replaceAll('%5B', '[').replaceAll('%5D', ']'))
  reply.header('cadre-ignored', names.join(', '))
}

export function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

const serialisers = new WeakMap<object, (value: any) => string>()

/** Answers are written from their declared schema: what is not declared is not sent. */
function serialise(schema: TObject, value: Answer['body']): string {
  let serialiser = serialisers.get(schema)
  if (!serialiser) {
    serialiser = fastJson(schema as any)
    serialisers.set(schema, serialiser)
  }
  return serialiser(value)
}
