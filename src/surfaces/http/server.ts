import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Problem } from '../../engine/problem.ts'
import { acceptBodies, BODY_LIMIT } from './bodies.ts'
import { compressAnswers } from './compression.ts'
import { admitOrigins } from './cors.ts'
import { answerInTime, PATIENCE, type Patience } from './deadline.ts'
import { noteRoute } from './exchanges.ts'
import { logTo, OneLineEach } from './log.ts'
import { nest } from './nest.ts'
import { asProblem, PROBLEM_TYPE, problemDocument } from './problem-document.ts'
import { PREFIX, SECOND_PREFIX, wholePath } from './routes.ts'

/** An HTTP server that reads every kind of body, writes one line a request into its log, and fails in one form. */
export async function httpServer(settings: {
  logLevel: string
  trustProxy: false | number | string[]
  corsOrigins: '*' | readonly string[]
  basePath?: string
  patience?: Patience
}): Promise<FastifyInstance> {
  const { patience = PATIENCE } = settings
  const hops = settings.trustProxy
  const app = Fastify({
    logger: logTo(settings.logLevel),
    genReqId: requestId,
    logController: new OneLineEach({ requestIdLogLabel: 'request_id' }),
    trustProxy: typeof hops === 'number' ? (_address: string, hop: number) => hop < hops : hops,
    // Two prefixes, one set of routes.
    rewriteUrl: ({ url = '/' }) => {
      const own = below(settings.basePath ?? '', url)
      return own.startsWith(`${SECOND_PREFIX}/`) ? PREFIX + own.slice(SECOND_PREFIX.length) : own
    },
    routerOptions: {
      querystringParser: (query) => nest(new URLSearchParams(query)),
      maxParamLength: 255,
      ignoreTrailingSlash: true,
    },
    bodyLimit: BODY_LIMIT,
    requestTimeout: 60_000,
    connectionTimeout: patience.silence,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 15_000 },
    forceCloseConnections: 'idle',
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => void sendProblem(asProblem(error), request, reply),
  })
  // Some clients send the parameters of a list in the body of their GET.
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true })
  app.setErrorHandler((error, request, reply) => sendProblem(asProblem(error), request, reply))
  app.setNotFoundHandler((request, reply) =>
    sendProblem(new Problem(404, 'not_found', 'There is nothing at this address'), request, reply),
  )
  answerInTime(app, patience)
  app.addHook('onRequest', async (request, reply) => {
    noteRoute(reply.raw, request.routeOptions.url, String(request.id))
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
  })
  admitOrigins(app, settings.corsOrigins)
  compressAnswers(app)
  await acceptBodies(app)
  closeInTime(app)
  return app
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
const ANSWER_GRACE = 8_000

/** Stopping takes no longer than this, whatever half-sent requests there are; what was accepted is answered. */
function closeInTime(app: FastifyInstance): void {
  const answering = new Set<FastifyRequest>()
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const bytesRead = () => [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0)
  app.addHook('preHandler', async (request) => void answering.add(request))
  app.addHook('onResponse', async (request) => void answering.delete(request))
  app.addHook('onRequestAbort', async (request) => void answering.delete(request))
  app.addHook('preClose', async () => {
    const begun = performance.now()
    let [read, heard] = [bytesRead(), begun]
    const timer = setInterval(() => {
      const passed = performance.now() - begun
      const now = bytesRead()
      if (now > read) heard = performance.now()
      read = now
      const isArriving = performance.now() - heard < SILENCE
      if (passed < ARRIVAL_GRACE || ((answering.size > 0 || isArriving) && passed < ANSWER_GRACE)) return
      clearInterval(timer)
      app.server.closeAllConnections()
    }, 50)
    app.server.once('close', () => clearInterval(timer))
  })
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

/** Nothing has come for so long, and whatever happens, nobody waits longer than that. */
const QUIET = 50
const UNREST = 500

/**
 * Ends, and answers what has come before it was told to: of a process that has to do, the system takes connections and
 * bytes, and refuses them all when the port is closed. So first it takes what is there.
 */
export async function stop(app: FastifyInstance): Promise<void> {
  const begun = performance.now()
  let heard = begun
  const note = () => {
    heard = performance.now()
  }
  app.server.on('connection', note)
  app.server.on('request', note)
  lastOnes(app)
  while (performance.now() - heard < QUIET && performance.now() - begun < UNREST) await pause(10)
  await app.close()
}

/** Whoever sends another request after this one is to connect anew. */
const lastOnes = (app: FastifyInstance) =>
  app.server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })

/** How long a connection may be silent before it is closed by a process that leaves the port to others. */
const SILENT_GRACE = 1_000

/**
 * Ends while others answer at the same port, and nobody is refused: new connections go to them, whoever goes on here is
 * told to connect anew, and only connections that nobody has used for a while are closed. What was accepted is answered.
 */
export async function leave(app: FastifyInstance): Promise<void> {
  lastOnes(app)
  await pause(SILENT_GRACE)
  await app.close()
}

/** Bytes that are no HTTP at all get a problem document too. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, problem] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? (['408 Request Timeout', new Problem(408, 'malformed', 'The request did not arrive in time')] as const)
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? (['431 Request Header Fields Too Large', new Problem(431, 'malformed', 'The headers are too large')] as const)
        : (['400 Bad Request', new Problem(400, 'malformed', 'This is not a valid HTTP request')] as const)
  const body = JSON.stringify(problemDocument(problem, randomUUID()))
  const head = `content-type: ${PROBLEM_TYPE}\r\ncontent-length: ${Buffer.byteLength(body)}`
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\nconnection: close\r\n\r\n${body}`)
}

/** A caller's own id for the request is kept when it is a sensible one. */
export function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) ? given : randomUUID()
}

/** How to say who is calling. */
const CHALLENGE = 'ApiKey realm="Cadre", header="X-API-KEY", Bearer realm="Cadre"'

async function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (problem.cause) request.log.error(problem.cause, problem.message)
  reply.header('x-request-id', request.id)
  if (problem.status === 401) reply.header('www-authenticate', CHALLENGE)
  if (problem.retryAfter !== undefined) reply.header('retry-after', String(problem.retryAfter))
  if (problem.location !== null) reply.header('location', wholePath(problem.location))
  const body = JSON.stringify(problemDocument(problem, String(request.id)))
  return reply.status(problem.status).header('content-type', PROBLEM_TYPE).send(body)
}
