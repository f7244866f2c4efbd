import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { didYouMean } from '../../engine/nearest.ts'
import { Problem, unavailable } from '../../engine/problem.ts'
import { acceptBodies, BODY_LIMIT } from './bodies.ts'
import { compressAnswers } from './compression.ts'
import { admitOrigins } from './cors.ts'
import { answerInTime, giveUp, PATIENCE, type ResponseTimeouts } from './deadline.ts'
import { noteRoute } from './exchanges.ts'
import { isHangUp, logHangUp, logTo, noteOpen, RequestLog } from './log.ts'
import { nestParameters } from './nested-parameters.ts'
import { asProblem, PROBLEM_TYPE, problemDocument } from './problem-document.ts'
import { PREFIX, unaliased, wholePath } from './routes.ts'

/** A year: how long browsers use https alone once they have been here. */
const HSTS_SECONDS = 31_536_000
/** Bytes of a body that is refused for its size that are still read, and thrown away. */
const MOST_DROPPED = 48 * 1024 * 1024

/** An HTTP server that reads every kind of body, writes one line a request into its log, and fails in one form. */
export async function httpServer(settings: {
  logLevel: string
  trustProxy: false | number | string[]
  corsOrigins: '*' | readonly string[]
  basePath?: string
  /** Is the service reached over https? Browsers are told to use nothing else. */
  isHttps?: boolean
  patience?: ResponseTimeouts
}): Promise<FastifyInstance> {
  const { patience = PATIENCE, basePath = '' } = settings
  const hops = settings.trustProxy
  const app = Fastify({
    logger: logTo(settings.logLevel),
    genReqId: () => randomUUID(),
    childLoggerFactory: (logger, bindings, options, raw) => logger.child({ ...bindings, ...namesInLog(raw) }, options),
    logController: new RequestLog({ requestIdLogLabel: 'request_id' }),
    trustProxy: typeof hops === 'number' ? (_address: string, hop: number) => hop < hops : hops,
    // Several prefixes, one set of routes.
    rewriteUrl: ({ method = 'GET', url = '/' }) => unaliased(method, below(basePath, url)),
    routerOptions: {
      querystringParser: (query) => nestParameters(new URLSearchParams(query)),
      maxParamLength: 255,
      ignoreTrailingSlash: true,
    },
    bodyLimit: BODY_LIMIT,
    requestTimeout: 60_000,
    connectionTimeout: patience.silence,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 15_000 },
    forceCloseConnections: 'idle',
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, basePath),
    frameworkErrors: (error, request, reply) => void sendProblem(asProblem(error), request, reply),
  })
  app.decorate('basePath', basePath)
  // Some clients send the parameters of a list in the body of their GET.
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true })
  app.setErrorHandler((error, request, reply) => sendProblem(asProblem(error), request, reply))
  app.setNotFoundHandler((request, reply) =>
    sendProblem(new Problem(404, 'not_found', noSuchEndpoint(app, request)), request, reply),
  )
  answerInTime(app, patience)
  app.addHook('onRequest', async (request, reply) => {
    if (lastSaid.has(request.raw.socket)) return void reply.hijack()
    noteRoute(reply.raw, request.routeOptions.url, String(request.id))
    noteOpen(request, reply)
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    if (settings.isHttps) reply.header('strict-transport-security', `max-age=${HSTS_SECONDS}`)
  })
  admitOrigins(app, settings.corsOrigins)
  compressAnswers(app)
  await acceptBodies(app)
  closeInTime(app)
  return app
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The paths of operations that a wrong path is compared with, each with its ids. */
    pathsLike?: (path: string) => string[]
    /** The path below which the service is reached: empty, or like `/hr`. Addresses in answers begin with it. */
    basePath: string
  }
}

const LONGEST_PATH = 200

/** `No such endpoint: GET /employes. Did you mean /employees?` */
function noSuchEndpoint(app: FastifyInstance, { method, url }: FastifyRequest): string {
  const path = (url.split('?')[0] ?? '').slice(0, LONGEST_PATH)
  const known = app.pathsLike?.(path) ?? []
  const below = (one: string) => (path.startsWith(`${PREFIX}/`) ? one.replace(PREFIX, '') : one)
  // The same path with the prefix that is missing.
  const whole = known.find((one) => one.endsWith(path))
  const meant = whole ? `. Did you mean ${whole}?` : didYouMean(path, known, below)
  return `No such endpoint: ${method} ${below(path)}${meant}`
}

/** Where the service stands below a path, a proxy may take that path away before it passes a request on, or leave it. */
function below(basePath: string, url: string): string {
  if (!basePath || !url.startsWith(basePath)) return url
  const rest = url.slice(basePath.length)
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest.startsWith('/') ? rest : url
}

/** How long a request that is still arriving is waited for when the service stops, and one that is being answered. */
const ARRIVAL_GRACE = 1_000
/** What still arrives is waited for while it does. */
const SILENCE = 1_000
const ANSWER_GRACE = 7_000
/** How long those take who are told then that it was in vain. */
const FAREWELL = 500
/** Ten seconds are promised. */
const LONGEST_STOP = 9_000

/**
 * Stopping takes no longer than this, whatever half-sent requests there are; what was accepted is answered, be it with the
 * word that nothing came of it in time.
 */
function closeInTime(app: FastifyInstance): void {
  const answering = new Set<ServerResponse>()
  inTheMaking.set(app.server, answering)
  app.server.on('request', (_request, response: ServerResponse) => {
    answering.add(response)
    response.once('close', () => {
      answering.delete(response)
      logHangUp(response)
    })
  })
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const bytesRead = () => [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0)
  /** Of a request that is whole, somebody waits for the answer. */
  const isAnswering = () => answering.values().some(({ req }) => req.complete && !req.socket.destroyed)
  app.addHook('preClose', async () => {
    const closing = performance.now()
    const begun = toldToStop.get(app.server) ?? closing
    let [read, heard] = [bytesRead(), closing]
    let over: number | undefined
    const timer = setInterval(() => {
      const passed = performance.now() - begun
      const now = bytesRead()
      if (now > read) heard = performance.now()
      read = now
      const isArriving = performance.now() - heard < SILENCE
      if (performance.now() - closing < ARRIVAL_GRACE || ((isAnswering() || isArriving) && passed < ANSWER_GRACE))
        return
      if (over === undefined)
        for (const response of answering) if (response.req.complete) dismiss(response, app.basePath)
      over ??= performance.now()
      if (isAnswering() && performance.now() - over < FAREWELL) return
      clearInterval(timer)
      app.server.closeAllConnections()
    }, 50)
    app.server.once('close', () => clearInterval(timer))
  })
}

/** Says that there will be no answer. A write may wait for the word that it was committed. */
function dismiss(response: ServerResponse, basePath: string): void {
  const { req } = response
  const problem = unavailable(
    req.method === 'GET' || req.method === 'HEAD'
      ? 'The service is shutting down and could not finish this request. Send it again.'
      : 'The service is shutting down, and it is unknown whether this request was carried out. It is safe to repeat it with the same Idempotency-Key.',
  )
  // Also whom nobody has looked at yet.
  if (response.headersSent || giveUp(response, problem)) return
  const id = randomUUID()
  const body = JSON.stringify(problemDocument(problem, id, basePath))
  const headers = { 'content-type': PROBLEM_TYPE, 'content-length': Buffer.byteLength(body), 'x-request-id': id }
  response.writeHead(problem.status, { ...headers, 'retry-after': String(problem.retryAfter) }).end(body)
}

/**
 * Connections that another process has accepted, at a port that is not this one's. What comes back takes one, until the
 * server closes; that waits for all of them, as it would for its own.
 */
export function takeConnections(app: FastifyInstance): (socket: Socket) => boolean {
  const open = new Set<Socket>()
  let isClosing = false
  // As if it listened: from then on it looks for requests that do not arrive.
  app.addHook('onReady', async () => void app.server.emit('listening'))
  app.addHook('preClose', async () => {
    isClosing = true
    while (open.size > 0) {
      app.server.closeIdleConnections()
      await pause(10)
    }
  })
  return (socket) => {
    if (isClosing) return false
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    socket.setNoDelay(true)
    app.server.emit('connection', socket)
    return true
  }
}

/**
 * So many looks have found nothing: time alone may have passed in other work. Each turn takes one connection, so that
 * with much to do many that have come take seconds; whatever happens, it takes no longer.
 */
const QUIET = 5
const UNREST = 6_000

/**
 * Ends, and answers what has come before it was told to: of a process that has to do, the system takes connections and
 * bytes, and refuses them all when the port is closed. So first it takes what is there.
 */
export async function stop(app: FastifyInstance, told = performance.now()): Promise<void> {
  const begun = performance.now()
  toldToStop.set(app.server, told)
  let quiet = 0
  const note = () => {
    quiet = 0
  }
  app.server.on('connection', note)
  app.server.on('request', note)
  lastOnes(app)
  while (quiet < QUIET && performance.now() - begun < UNREST) {
    await pause(10)
    quiet++
  }
  await closeBy(app, told + LONGEST_STOP)
}

/** A database that is silent, or locked, would be waited for: what was acknowledged it has, and the rest is not known. */
async function closeBy(app: FastifyInstance, moment: number): Promise<void> {
  const late = pause(moment - performance.now(), 'late' as const, { ref: false })
  if ((await Promise.race([app.close(), late])) === 'late')
    app.log.warn('the database connections did not close in time, exiting without waiting for them')
}

/** When each server was told to. */
const toldToStop = new WeakMap<object, number>()

/** The answers of each server that are not sent yet, also those to whom it is not known yet who asks. */
const inTheMaking = new WeakMap<object, Set<ServerResponse>>()

/** Connections of which the last answer is made: what still comes there is not carried out, as nobody would hear of it. */
const lastSaid = new WeakSet<Socket>()

/**
 * Whoever has asked, or still asks, is to connect anew for the next. Of several that were asked at once over a connection,
 * only the last answer says so: with that the connection ends.
 */
function lastOnes(app: FastifyInstance): void {
  const newest = new WeakMap<Socket, ServerResponse>()
  const note = (response: ServerResponse) => {
    const { socket } = response.req
    newest.set(socket, response)
    const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse
    response.writeHead = (...given: unknown[]) => {
      if (newest.get(socket) === response) {
        response.shouldKeepAlive = false
        lastSaid.add(socket)
      }
      return writeHead(...given)
    }
  }
  for (const response of inTheMaking.get(app.server) ?? []) note(response)
  app.server.prependListener('request', (_request, response) => note(response))
}

/** How long a connection may be silent before it is closed by a process that leaves the port to others. */
const SILENT_GRACE = 1_000

/**
 * Ends while others answer at the same port, and nobody is refused: new connections go to them, whoever goes on here is
 * told to connect anew, and only connections that nobody has used for a while are closed. What was accepted is answered.
 */
export async function leave(app: FastifyInstance): Promise<void> {
  const told = performance.now()
  lastOnes(app)
  await pause(SILENT_GRACE)
  await closeBy(app, told + LONGEST_STOP)
}

/** Bytes that are no HTTP at all get a problem document too. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket, basePath: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, problem] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? ([
          '408 Request Timeout',
          new Problem(408, 'malformed', 'The request did not arrive in time. Send it again.'),
        ] as const)
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? ([
            '431 Request Header Fields Too Large',
            new Problem(431, 'malformed', 'The request headers are too large. Send fewer or shorter headers.'),
          ] as const)
        : (['400 Bad Request', new Problem(400, 'malformed', 'This is not a valid HTTP request.')] as const)
  const body = JSON.stringify(problemDocument(problem, randomUUID(), basePath))
  const head = `content-type: ${PROBLEM_TYPE}\r\ncontent-length: ${Buffer.byteLength(body)}`
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\nconnection: close\r\n\r\n${body}`)
}

/** An id that callers give their request, if it is a sensible one. It is not ours: others may give theirs the same. */
export function sentRequestId(request: { headers: Record<string, string | string[] | undefined> }): string | undefined {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) ? given : undefined
}

/** What the log calls a request: by our id, and beside it by the caller's. */
export const namesInLog = (request: Parameters<typeof sentRequestId>[0]) => {
  const sent = sentRequestId(request)
  return sent === undefined ? {} : { client_request_id: sent }
}

/** How to say who is calling. */
const CHALLENGE = 'ApiKey realm="Cadre", header="X-API-KEY", Bearer realm="Cadre"'

/**
 * Reads what is left of a body that is too large, within limits, and throws it away. Closing the connection in the middle
 * of it would make reverse proxies answer 502, and the client would never see why.
 */
function dropRest({ raw, headers }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || !(Number(headers['content-length']) <= MOST_DROPPED)) return
  reply.removeHeader('connection')
  raw.resume()
}

async function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { basePath } = request.server
  if (problem.cause && !isHangUp(problem.cause, request)) request.log.error(problem.cause, problem.message)
  reply.header('x-request-id', request.id)
  if (problem.status === 401) reply.header('www-authenticate', CHALLENGE)
  if (problem.retryAfter !== undefined) reply.header('retry-after', String(problem.retryAfter))
  if (problem.location !== null) reply.header('location', basePath + wholePath(problem.location))
  if (problem.status === 413) dropRest(request, reply)
  const body = JSON.stringify(problemDocument(problem, String(request.id), basePath))
  return reply.status(problem.status).header('content-type', PROBLEM_TYPE).send(body)
}
