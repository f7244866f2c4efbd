import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RequestAbandoned } from '../../database/database.ts'
import { call, precheck } from '../../engine/call/call.ts'
import type { Service } from '../../engine/call/service.ts'
import type { Operation } from '../../engine/operation.ts'
import { isSeen, type Outcome, tagOf } from '../../engine/outcome.ts'
import { Problem } from '../../engine/problem.ts'
import type { Caller } from '../../records/caller.ts'
import { limitsOf } from './bodies.ts'
import { setCookies } from './cookies.ts'
import { noteRoute } from './exchanges.ts'
import { acceptsEventStream, FeedFollowers, LONGEST_ANSWER } from './feed-followers.ts'
import { header } from './headers.ts'
import { isDryRun, preferencesOf, refuseUnclearDryRun } from './preferences.ts'
import type { Quota } from './quota.ts'

export const PREFIX = '/api/public/v3'
export const SECOND_PREFIX = '/api/v3'

/** Prefixes of earlier versions, under which programs in use read and create candidates. */
const EARLIER_PREFIX = /^\/api\/public\/v[12](?=\/)/
const CREATES_CANDIDATE = /^\/recruitment\/candidates\/?(?:\?|$)/

/** The path of a request below the one prefix that routes have: other prefixes are aliases of it. */
export function unaliased(method: string, url: string): string {
  if (url.startsWith(`${SECOND_PREFIX}/`)) return PREFIX + url.slice(SECOND_PREFIX.length)
  const [earlier] = EARLIER_PREFIX.exec(url) ?? []
  if (earlier === undefined) return url
  const path = url.slice(earlier.length)
  const isAlias = ['GET', 'HEAD', 'OPTIONS'].includes(method) || (method === 'POST' && CREATES_CANDIDATE.test(path))
  return isAlias ? PREFIX + path : url
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
}

/** Finds out who calls, and whether they may: before the body is read. */
export type Admit = (request: FastifyRequest, operation: Operation) => Promise<Caller>

/** The interpreter that turns operations into routes, and requests into calls. */
export function mount(app: FastifyInstance, service: Service, admit: Admit, quota: Quota): void {
  app.decorateRequest('caller', null)
  const followers = new FeedFollowers(service.ledger.changeNotifier, quota)
  app.addHook('preClose', async () => followers.end())
  for (const operation of service.operations) {
    const limits = limitsOf(operation)
    app.route({
      method: methodsOf(operation),
      url: routePath(operation.path),
      config: {
        limits,
        parameters: Object.keys(operation.query.properties),
        ...(operation.isFeed ? { longestAnswer: LONGEST_ANSWER } : {}),
      },
      bodyLimit: limits.body,
      onRequest: async (request, reply) => {
        // Also with a refusal: then, too, nothing was done.
        if (isDryRun(request, operation)) reply.header('preference-applied', 'dry-run')
        const caller = await admit(request, operation)
        refuseUnclearDryRun(request, operation)
        // Nobody without a key makes us read a body for nothing.
        if (operation.permission === null) await precheck(service, operation, caller, request)
        request.caller = caller
      },
      preHandler: async (request) => refuseUnclearDryRun(request, operation),
      handler: (request, reply) =>
        serve(request, reply, operation, service, admit, followers).catch((error) => {
          // That somebody was told that it took too long, and then it was given up, is no error of its own.
          if (!(reply.sent && error instanceof RequestAbandoned)) throw error
        }),
    })
  }
  refuseOtherMethods(app, service.operations)
}

/**
 * Changes are partial, so that PATCH asks for the same as PUT. HEAD is GET without the body, which node:http leaves out; one
 * route for both takes half as long to make as the second one that Fastify would add.
 */
const methodsOf = ({ method }: Operation) =>
  method === 'PUT' ? ['PUT', 'PATCH'] : method === 'GET' ? ['GET', 'HEAD'] : [method]

/** The whole path of a place: below the prefix, unless it says its own. */
export const wholePath = (path: string) => (path.startsWith('/api/') ? path : PREFIX + path)

const routePath = (path: string) => wholePath(path).replace(/\{(\w+)\}/g, ':$1')

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** The part of a path that may be anything. */
const ANY = ':any'

/** The part by which most paths differ: the first behind a prefix. */
const NAMED = PREFIX.split('/').length

/** Paths of other groups do not match each other: not every path is compared with every other, at each start. */
const groupOf = (parts: readonly string[], part: string | undefined) => `${parts.length} ${part}`

/** A path of the API, split into segments, and the methods it has. */
type RoutePath = { url: string; parts: string[]; methods: Set<string> }

/** A known path with a method it does not have: 405, and which ones it has. */
function refuseOtherMethods(app: FastifyInstance, operations: readonly Operation[]): void {
  const places = placesOf(operations)
  app.decorate('pathsLike', (path: string) => pathsLike(places, path))
  // Most such requests match no route, or only the one of pages. One look there saves a route for each place and method:
  // there were more of them than of all others, and each start had to make them.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404 && request.routeOptions.url !== '/*') return
    const place = placeAt(places, request.url)
    if (!place || !(METHODS as readonly string[]).includes(request.method)) return
    noteRoute(reply.raw, place.url, String(request.id))
    refuseMethod(place, reply)
  })
  // Others would be taken for a request to a more general place: `GET /employees/bulk` for one about an employee.
  const alike = Map.groupBy(places, ({ parts }) => groupOf(parts, parts[NAMED]))
  for (const place of places) {
    const general = [place.parts[NAMED], ANY]
      .flatMap((part) => alike.get(groupOf(place.parts, part)) ?? [])
      .filter((other) => other !== place && isPartOf(place.parts, other.parts))
    const taken = METHODS.filter((one) => !place.methods.has(one) && general.some(({ methods }) => methods.has(one)))
    if (taken.length > 0)
      app.route({
        method: taken,
        url: place.url,
        onRequest: async (_request, reply) => refuseMethod(place, reply),
        handler: async () => undefined,
      })
  }
}

function refuseMethod({ methods }: RoutePath, reply: FastifyReply): never {
  const allow = [...methods].join(', ')
  reply.header('allow', allow)
  throw new Problem(405, 'method_not_allowed', `This URL supports only ${allow}.`)
}

function placesOf(operations: readonly Operation[]): RoutePath[] {
  const places = new Map<string, RoutePath>()
  for (const operation of operations) {
    // Two paths that differ only in the names of their parameters are one place.
    const url = routePath(operation.path).replace(/:\w+/g, ANY)
    const place = places.get(url) ?? { url, parts: url.split('/'), methods: new Set() }
    places.set(url, place)
    for (const method of methodsOf(operation)) place.methods.add(method)
  }
  return [...places.values()]
}

/** Does all that is at one path match another? */
const isPartOf = (parts: readonly string[], general: readonly string[]) =>
  parts.length === general.length && general.every((part, n) => part === ANY || part === parts[n])

/** Paths of operations with as many parts as a path, with the ids that it has; also for one without the prefix. */
function pathsLike(places: readonly RoutePath[], path: string): string[] {
  const prefixed = path.startsWith('/api/') ? path : PREFIX + path
  const parts = decoded(prefixed.replace(/\/$/, '')).split('/')
  return places
    .filter((place) => place.parts.length === parts.length)
    .map((place) => place.parts.map((part, n) => (part === ANY && parts[n] ? parts[n] : part)).join('/'))
}

function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** The place of an address; of several, the one that names more of its first parts. */
function placeAt(places: readonly RoutePath[], url: string): RoutePath | undefined {
  const parts = decoded(url.split('?')[0] ?? '')
    .replace(/\/$/, '')
    .split('/')
  if (parts.slice(1).includes('')) return undefined
  const rank = (place: RoutePath) => place.parts.map((part) => (part === ANY ? 1 : 0)).join('')
  return places
    .filter((place) => isPartOf(parts, place.parts))
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
    .at(0)
}

async function serve(
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation,
  service: Service,
  admit: Admit,
  followers: FeedFollowers,
): Promise<FastifyReply> {
  const ignored = new Set<string>()
  const caller = request.caller as Caller
  if (caller.ledgerNumber !== undefined) reply.header('cadre-ledger', caller.ledgerNumber)
  const query: Record<string, unknown> = {
    ...(operation.method === 'GET' && bodyOfGet(request)),
    ...(request.query as object),
  }
  const isGone = () => request.deadline.isOver || request.raw.socket.destroyed
  const input = {
    params: request.params,
    queryNames: () => [...new URLSearchParams(request.url.split('?')[1]).keys()],
    body: request.body,
    isStrict: preferencesOf(request).get('handling') === 'strict',
    isDryRun: isDryRun(request, operation),
    ifMatch: header(request, 'if-match'),
    retryKey: header(request, 'idempotency-key'),
    // A request that was answered with a time-out while it waited must not be carried out behind the caller's back, and
    // one that is carried out is answered with what came of it.
    isAbandoned: () => {
      const isAbandoned = isGone() || reply.sent
      if (!isAbandoned) request.deadline.lift()
      return isAbandoned
    },
    isGone,
    ignored,
  }
  const ask = async (since?: number) => {
    // Between one time and the next, a key may have been revoked or narrowed.
    const [by, about] =
      since === undefined ? [caller, query] : [await admit(request, operation), { ...query, since, hash: undefined }]
    const outcome = await call(service, operation, by, { ...input, query: about }).catch((error) => {
      if (reply.sent) throw error
      nameIgnored(reply, ignored)
      throw error
    })
    if (!outcome.isReplayed) withoutFailing(request, operation, () => nameIgnored(reply, ignored))
    return outcome
  }
  if (!operation.isFeed) return send(request, reply, operation, await ask())
  if (acceptsEventStream(request, reply)) return followers.stream(request, reply, ask)
  return send(request, reply, operation, await followers.answer(request, secondsOf(query.wait), ask))
}

/** What was done is done: a header that cannot be written makes no failure of it. */
function withoutFailing(request: FastifyRequest, { method }: Operation, step: () => unknown): void {
  try {
    step()
  } catch (error) {
    if (method === 'GET') throw error
    request.log.error(error, 'a response header could not be set, the response is sent without it')
  }
}

/** What is no number at all is refused when it is asked. */
const secondsOf = (wait: unknown) => (typeof wait === 'object' ? 0 : Number(wait))

/** What stands in the body of a GET counts as if it stood in the query. */
function bodyOfGet({ body }: FastifyRequest): object {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
}

function send(request: FastifyRequest, reply: FastifyReply, operation: Operation, outcome: Outcome): FastifyReply {
  // Whoever asked was told that it took too long.
  if (reply.sent) return reply
  reply.status(outcome.status)
  const { ledgerNumber, keep, location, isReplayed, replayOf, omitted } = outcome
  const each = (...steps: (() => unknown)[]) => {
    for (const step of steps) withoutFailing(request, operation, step)
  }
  each(
    () => ledgerNumber !== null && reply.header('cadre-ledger', ledgerNumber),
    () => setCookies(reply, keep, (request.caller as Caller).origin),
    () => location && reply.header('location', request.server.basePath + wholePath(location)),
    () => isReplayed && reply.header('idempotency-replayed', 'true'),
    () => replayOf && reply.header('x-request-id', replayOf),
    () => omitted.length > 0 && reply.header('cadre-omitted', omitted.join(', ')),
  )
  if (outcome.file) {
    const { name, type, content } = outcome.file
    reply.header('content-disposition', `attachment; filename="${name}"`).header('cache-control', 'private, no-store')
    return reply.type(type).send(content())
  }
  if (outcome.cached) request.cached = outcome.cached
  const body = outcome.cached?.bytes ?? outcome.payload
  if (body === null) return reply.send()
  const tag = outcome.cached?.tag ?? tagOf(outcome.payload as string)
  each(
    () => reply.header('cache-control', 'private, no-store'),
    // What a trial shows is not there, so that nothing could be guarded by its tag.
    () => !outcome.isDryRun && reply.header('etag', tag),
  )
  const seen = request.method === 'GET' || request.method === 'HEAD' ? header(request, 'if-none-match') : undefined
  if (isSeen(seen, tag)) return reply.status(304).send()
  each(() => reply.header('content-type', 'application/json; charset=utf-8'))
  return reply.send(body)
}

function nameIgnored(reply: FastifyReply, ignored: Set<string>): void {
  if (ignored.size === 0) return
  const names = [...ignored]
    .slice(0, 20)
    .map((name) => encodeURIComponent(name.slice(0, 100).toWellFormed()).replaceAll('%5B', '[').replaceAll('%5D', ']'))
  reply.header('cadre-ignored', names.join(', '))
}
