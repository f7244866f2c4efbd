import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { gatekeeper } from './access/gatekeeper.ts'
import type { Config } from './config.ts'
import { type Database, DatabaseUnavailable } from './database/database.ts'
import { mount, PREFIX, SECOND_PREFIX } from './engine/http.ts'
import { nest } from './engine/nest.ts'
import { Problem, unavailable } from './engine/problem.ts'
import { serveFiles } from './files/addresses.ts'
import { FileStore } from './files/store.ts'
import { operations, resources } from './operations.ts'
import { pages } from './pages/pages.ts'
import { serveCalendar } from './work/calendar.ts'

const MEBIBYTE = 1024 * 1024

/** The whole service, wired: everything it needs comes in here. */
export async function buildApp(needs: {
  config: Config
  database: Database
  clock?: () => Date
}): Promise<FastifyInstance> {
  const { config, database, clock = () => new Date() } = needs
  const app = Fastify({
    logger: { level: config.LOG_LEVEL, redact: ['req.headers["x-api-key"]'] },
    genReqId: requestId,
    logController: new OneLineEach({ requestIdLogLabel: 'request_id' }),
    trustProxy: config.TRUST_PROXY,
    // Two prefixes, one set of routes.
    rewriteUrl: ({ url = '/' }) =>
      url.startsWith(`${SECOND_PREFIX}/`) ? PREFIX + url.slice(SECOND_PREFIX.length) : url,
    routerOptions: { querystringParser: (query) => nest(new URLSearchParams(query)), maxParamLength: 255 },
    bodyLimit: 2 * MEBIBYTE,
    requestTimeout: 60_000,
    handlerTimeout: 30_000,
    connectionTimeout: 120_000,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 15_000 },
    forceCloseConnections: 'idle',
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => void sendProblem(asProblem(error), request, reply),
  })

  app.setErrorHandler((error, request, reply) => sendProblem(asProblem(error), request, reply))
  app.setNotFoundHandler((request, reply) =>
    sendProblem(new Problem(404, 'not_found', 'There is nothing at this address'), request, reply),
  )
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
  })

  await app.register(rateLimit, { global: false })
  await app.register(multipart, {
    limits: { fileSize: 25 * MEBIBYTE, files: 1, fields: 1000, fieldSize: 35 * MEBIBYTE, parts: 1001 },
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, nest(new URLSearchParams(body as string))),
  )
  app.addHook('preValidation', async (request) => {
    if (request.isMultipart()) request.body = await readMultipart(request)
  })

  const files = new FileStore(config.CADRE_FILES)
  serveFiles(app, { database, files, clock })
  serveCalendar(app, { database, resources, clock })
  mount(app, { operations, database, clock, files, admit: gatekeeper(app, { config, database, clock, resources }) })
  await pages(app, { database })
  app.addHook('onClose', () => database.close())
  return app
}

/** One line in the log for each request, when it is done. */
class OneLineEach extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(error: Error | null, request: FastifyRequest, reply: FastifyReply): void {
    const line = {
      method: request.method,
      url: request.originalUrl,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    }
    if (error) request.log.error({ ...line, err: error }, 'request failed')
    else request.log.info(line, 'request')
  }
}

/** Bytes that are no HTTP at all get a problem document too. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, problem] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? ['408 Request Timeout', new Problem(408, 'malformed', 'The request did not arrive in time')]
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? ['431 Request Header Fields Too Large', new Problem(431, 'malformed', 'The headers are too large')]
        : ['400 Bad Request', new Problem(400, 'malformed', 'This is not a valid HTTP request')]
  const body = JSON.stringify((problem as Problem).document(randomUUID()))
  const head = `content-type: application/problem+json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}`
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\nconnection: close\r\n\r\n${body}`)
}

/** A caller's own id for the request is kept when it is a sensible one. */
function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) ? given : randomUUID()
}

/** Fields and files of a multipart body under their names, spelled as in a form. */
async function readMultipart(request: FastifyRequest): Promise<unknown> {
  const pairs: [string, unknown][] = []
  for await (const part of request.parts()) {
    const value =
      part.type === 'file' ? { filename: part.filename, type: part.mimetype, bytes: await part.toBuffer() } : part.value
    pairs.push([part.fieldname, value])
  }
  return nest(pairs)
}

async function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (problem.cause) request.log.error(problem.cause, problem.message)
  reply.header('x-request-id', request.id).headers(problem.headers)
  const body = JSON.stringify(problem.document(String(request.id)))
  return reply.status(problem.status).header('content-type', 'application/problem+json; charset=utf-8').send(body)
}

/** Every failure as a problem; what is nobody's fault but ours says nothing but that it happened. */
function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof DatabaseUnavailable)
    return because(unavailable('The database is away; try again in a moment'), error)
  const { statusCode = 500, code = '', message } = error as FastifyError
  if (code === 'FST_ERR_HANDLER_TIMEOUT')
    return because(unavailable('The request took too long and was given up'), error)
  if (statusCode === 413) return new Problem(413, 'too_large', 'The body is larger than this operation takes')
  if (statusCode === 415)
    return new Problem(
      415,
      'unsupported_media_type',
      'Send application/x-www-form-urlencoded, application/json or multipart/form-data',
    )
  if (statusCode === 429) return new Problem(429, 'too_many_requests', message)
  if (statusCode >= 400 && statusCode < 500) return new Problem(400, 'malformed', readable(message))
  if (/unexpected end of (form|multipart)|malformed (part|content)|boundary/i.test(String(message)))
    return new Problem(400, 'malformed', 'The multipart body is broken')
  return because(new Problem(500, 'internal_error', 'Something went wrong on our side'), error)
}

function because(problem: Problem, cause: unknown): Problem {
  problem.cause = cause
  return problem
}

const readable = (message: string) => (/json/i.test(message) ? 'The body is not valid JSON' : message)
