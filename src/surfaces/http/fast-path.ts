import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hashKey } from '../../domain/access/keys.ts'
import { type CachedBody, isSeen } from '../../engine/outcome.ts'
import { compressed, type Encoding } from './compression.ts'
import { noteRoute } from './exchanges.ts'
import { type Identities, type Identity, noteIdentity } from './identities.ts'
import { actorInLog } from './log.ts'
import { namesInLog } from './server.ts'

/**
 * Sends a cached response without routing, validation and serialisation when the same request comes again, from the same API key
 * or session. The caller is identified and the response is checked against the table versions as for any other request.
 * Everything else goes to the routes, and so does a request that cannot be answered here.
 */

declare module 'fastify' {
  interface FastifyRequest {
    /** The response, if it can be cached. */
    cached: CachedBody | null
    /** How the fast path finds the caller of this request again. */
    credential: Credential | null
  }
}

/** Hash of an API key, or the token of a session. */
export type Credential = { readonly kind: 'key' | 'session'; readonly value: string }

type CachedResponse = {
  readonly body: WeakRef<CachedBody>
  readonly encoding: Encoding | undefined
  readonly headers: Record<string, string>
  readonly credential: Credential
  readonly origin: string
  readonly route: string
  /** Names of the query parameters, for the log. */
  readonly parameters: readonly string[]
  /** The body was valid for this caller at this version of the data, in this minute. */
  validFor: { readonly permissions: readonly string[]; readonly version: unknown; readonly minute: number } | undefined
}

/** How many responses are remembered, and how long their requests may be. */
const MOST = 5000
const LONGEST = 2000

/** A request with one of these headers is not answered here. */
const SPECIAL = ['prefer', 'origin', 'if-match', 'content-length', 'transfer-encoding', 'expect', 'upgrade']

/** Levels at which the log has a line for each request. */
const LOGGING = ['info', 'debug', 'trace']

/** Headers that are new in every response. */
const FRESH = ['x-request-id', 'cadre-ledger', 'content-length', 'date', 'connection', 'keep-alive']

export function addFastPath(
  app: FastifyInstance,
  { identities, clock, onHit }: { identities: Identities; clock: () => Date; onHit: () => void },
): void {
  const responses = new Map<string, CachedResponse>()
  let isClosing = false
  app.decorateRequest('cached', null)
  app.decorateRequest('credential', null)
  app.addHook('preClose', async () => {
    isClosing = true
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const { cached, credential, caller } = request
    const name = cached && reply.statusCode === 200 && Buffer.isBuffer(payload) ? requestName(request.raw) : undefined
    if (!cached || !credential || !caller || name === undefined) return payload
    if (responses.size >= MOST) responses.delete(responses.keys().next().value as string)
    responses.set(name, {
      body: new WeakRef(cached),
      encoding: reply.getHeader('content-encoding') as Encoding | undefined,
      headers: headersOf(reply),
      credential,
      origin: caller.origin as string,
      ...lineOf(request),
      validFor: undefined,
    })
    return payload
  })

  /** Sends a response, or returns false if the routes have to answer. */
  async function send(
    request: IncomingMessage,
    response: ServerResponse,
    name: string,
    known: CachedResponse,
  ): Promise<boolean> {
    const begun = performance.now()
    const now = clock()
    const body = known.body.deref()
    if (!body) return false
    const { kind, value } = known.credential
    const identity = await (kind === 'key' ? identities.byKey(value, now) : identities.bySession(value, now))
    if (!identity) return false
    const { account, actor, version } = identity
    const leaveToRoutes = () => {
      noteIdentity(request, identity)
      return false
    }
    // The routes explain a number that is wrong or too high.
    const sent = request.headers['cadre-ledger']
    if (sent !== undefined && !(/^\d{1,15}$/.test(String(sent)) && Number(sent) <= version.ledgerNumber))
      return leaveToRoutes()
    if (!isStillValid(known, identity, body, now)) {
      responses.delete(name)
      return leaveToRoutes()
    }
    const bytes = known.encoding ? await compressed(body.bytes, known.encoding) : body.bytes
    if (response.destroyed) return true
    identity.noteUse(now)
    onHit()
    const own = { 'x-request-id': randomUUID(), 'cadre-ledger': String(version.ledgerNumber) }
    noteRoute(response, known.route, own['x-request-id'])
    const isNotModified = isSeen(request.headers['if-none-match'], body.tag)
    if (isNotModified) {
      const { 'content-type': _type, 'content-encoding': _encoding, ...rest } = known.headers
      response.writeHead(304, { ...rest, ...own, etag: body.tag }).end()
    } else response.writeHead(200, { ...known.headers, ...own, 'content-length': bytes.length }).end(bytes)
    if (LOGGING.includes(app.log.level)) {
      const names = { request_id: own['x-request-id'], ...namesInLog(request), ...actorInLog(account.id, actor) }
      const { route, parameters } = known
      const query = parameters.length > 0 ? { query: parameters } : {}
      const status = isNotModified ? 304 : 200
      const ms = Math.round(performance.now() - begun)
      app.log.child(names).info({ method: request.method, route, ...query, status, ms }, 'request')
    }
    return true
  }

  const [handle] = app.server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
  const toRoutes = handle as NonNullable<typeof handle>
  app.server.removeListener('request', toRoutes)
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const name = isClosing ? undefined : requestName(request)
    const known = name === undefined ? undefined : responses.get(name)
    if (!known) return toRoutes(request, response)
    send(request, response, name as string, known).then(
      (isSent) => void (isSent || response.headersSent || toRoutes(request, response)),
      // The routes report an error better.
      () => void (response.headersSent || toRoutes(request, response)),
    )
  })
}

/** Compares the caller with the one of the last request, and asks the response cache only if something differs. */
function isStillValid(known: CachedResponse, identity: Identity, body: CachedBody, now: Date): boolean {
  const minute = minuteOf(now)
  const { permissions, version } = identity
  const { validFor } = known
  if (validFor?.permissions === permissions && validFor.version === version && validFor.minute === minute) return true
  if (!body.isValidFor({ ...identity, origin: known.origin }, now)) return false
  known.validFor = { permissions, version, minute }
  return true
}

/** Days and hours begin with a full minute. The moment between two minutes counts for itself. */
const minuteOf = (now: Date) => Math.floor(now.getTime() / 60_000) + Math.ceil(now.getTime() / 60_000)

/** The API key of a request: the header, or a bearer token. */
export const sentKey = ({ headers }: IncomingMessage): string | undefined => {
  const own = headers['x-api-key']
  if (own) return typeof own === 'string' ? own : undefined
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

export const keyCredential = (key: string): Credential => ({ kind: 'key', value: hashKey(key) })

/** Everything in a request that the response depends on; undefined for requests that are not answered here. */
function requestName({ method, url, headers, socket }: IncomingMessage): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  if (!url || SPECIAL.some((name) => headers[name] !== undefined)) return undefined
  const { host, authorization = '', 'x-api-key': key = '', cookie = '', 'accept-encoding': encodings = '' } = headers
  if (!key && !authorization && !cookie) return undefined
  // The session works on our own pages, and for the user that the page shows.
  const page = cookie ? JSON.stringify([headers['sec-fetch-site'], headers['cadre-user']]) : ''
  // A proxy may say where the request was sent to, and responses contain addresses.
  const forwarded = [headers['x-forwarded-host'], headers['x-forwarded-proto']].join(' ')
  const by = forwarded === ' ' ? '' : `${forwarded} ${socket.remoteAddress}`
  const name = `${url}\n${host}\n${key}\n${authorization}\n${cookie}\n${page}\n${encodings}\n${by}`
  return name.length > LONGEST ? undefined : name
}

const headersOf = (reply: FastifyReply): Record<string, string> =>
  Object.fromEntries(
    Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
      FRESH.includes(name) ? [] : [[name, String(value)]],
    ),
  )

/** What the log says about a request. */
function lineOf({ routeOptions: { url, config }, query }: FastifyRequest): { route: string; parameters: string[] } {
  const parameters = Object.keys((query ?? {}) as object).filter((name) => config.parameters?.includes(name))
  return { route: url ?? '', parameters }
}
