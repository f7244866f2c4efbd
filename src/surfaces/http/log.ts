import type { ServerResponse } from 'node:http'
import Fastify, { type FastifyReply, type FastifyRequest, type FastifyServerOptions, LogController } from 'fastify'
import { DatabaseUnavailable, UnsupportedStatement } from '../../database/database.ts'
import { FilesUnavailable } from '../../domain/files/storage.ts'
import type { Actor } from '../../records/caller.ts'
import { GONE, routeOf } from './exchanges.ts'

/**
 * A log is read by more people than the records are: nothing that was sent, and nothing that is kept, gets into it. What
 * passes is what is named here; that holds for the lines of libraries, too.
 */

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Names of the query that the log may hold: others may themselves be what somebody typed. */
    parameters?: readonly string[]
  }
}

const PASSING = new Set([
  ...['method', 'route', 'query', 'status', 'ms'],
  ...['err', 'duty', 'seconds', 'version', 'engine', 'addresses', 'workers', 'worker', 'connections'],
])

export const logTo = (level: string): Exclude<FastifyServerOptions['logger'], boolean | undefined> => ({
  level,
  serializers: { err: describe },
  formatters: {
    level: (name: string) => ({ level: name }),
    log: (line: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(line).filter(([name]) => PASSING.has(name))),
  },
  hooks: {
    logMethod(given, method) {
      const [what, words] = given as unknown[]
      // A line without words of its own would get those of its error. What stands in quotes was not written by us.
      if (typeof what === 'string') return method.apply(this, [unquoted(what)])
      return method.apply(this, [what as object, typeof words === 'string' ? unquoted(words) : 'failed'])
    },
  },
})

/** Who acted, as lines of the log tell it: their kind, and which key of which account; of people no more than that. */
export const actorInLog = (accountId: number, actor: Actor): Record<string, unknown> => ({
  account: accountId,
  actor: actor.kind,
  ...(actor.kind === 'key' ? { key: actor.id } : {}),
})

/** From here on each line about a request says on whose behalf it is. */
export function noteActor(request: FastifyRequest, accountId: number, actor: Actor): void {
  // A request that goes on for long is admitted more than once.
  if (request.caller) return
  ;(request.log as unknown as BindableLog).setBindings(actorInLog(accountId, actor))
}

/** A log for a process without a server. */
export const openLog = (level: string) => Fastify({ logger: logTo(level) }).log

type BindableLog = { setBindings: (bindings: Record<string, unknown>) => void }

const unquoted = (words: string) => words.replace(/"[^"]*"/g, '"…"')

type Description = { type: string; message: string; stack: string; [more: string]: unknown }

/** What of an error is no value: what kind it is, which rule of the database it broke, and where it came from. */
export function describe(error: unknown): Description {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' }
  const { code, errcode, constraint, table, column, syscall } = error as Record<string, any>
  return {
    type: error.name === 'Error' ? error.constructor.name : error.name,
    ...{ code, errcode, constraint, table, column },
    message: isOfTheSystem(error, syscall) || isBrokenRule(error) ? error.message : '',
    stack: framesOf(error),
    ...(error.cause === undefined ? {} : { cause: describe(error.cause) }),
  }
}

/** Errors of files and connections name paths and addresses, which are the operator's own. */
const isOfTheSystem = (error: Error, syscall: unknown) =>
  error instanceof DatabaseUnavailable ||
  error instanceof UnsupportedStatement ||
  error instanceof FilesUnavailable ||
  typeof syscall === 'string'

/** SQLite names the columns of a broken constraint, and no values. */
const isBrokenRule = ({ message }: Error) =>
  /^(UNIQUE|NOT NULL|FOREIGN KEY|PRIMARY KEY) constraint failed(: [\w., ]+)?$/.test(message)

/** The places that a stack names, without the message above them. */
function framesOf({ stack = '', message }: Error): string {
  const below = stack.slice(Math.max(0, stack.indexOf(message)) + message.length)
  const isFrame = (line: string) => /^ {4}at (?:.+ \()?(?:file:|node:|\/|[A-Z]:\\)\S+:\d+\)?$/.test(line)
  return below.split('\n').filter(isFrame).join('\n')
}

const OF_THE_LINE = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED']

/** Has the client closed the connection, and is that all that the error says? */
export const isHangUp = (error: unknown, { raw }: FastifyRequest): boolean =>
  raw.socket.destroyed && (error === raw.errored || OF_THE_LINE.includes((error as { code?: string }).code ?? ''))

/** What is logged of a request that is done; 499 for clients that did not wait for an answer. */
function lineOf(request: FastifyRequest, reply: FastifyReply) {
  const { url, config } = request.routeOptions
  const asked = Object.keys((request.query ?? {}) as object).filter((name) => config.parameters?.includes(name))
  return {
    method: request.method,
    route: routeOf(reply.raw) ?? url ?? null,
    ...(asked.length > 0 ? { query: asked } : {}),
    status: reply.raw.headersSent ? reply.statusCode : GONE,
    ms: Math.round(reply.elapsedTime),
  }
}

const open = new WeakMap<ServerResponse, () => void>()

/** A request that is to have its line also when its client does not wait for the answer. */
export const noteOpen = (request: FastifyRequest, reply: FastifyReply): void =>
  void open.set(reply.raw, () => request.log.info(lineOf(request, reply), 'request'))

/** Logs a request whose client is gone: its answer was never finished, and that is no failure of ours. */
export function logHangUp(response: ServerResponse): void {
  if (!response.writableFinished && !response.errored) open.get(response)?.()
}

/** Logs one line per request, when it is done. */
export class RequestLog extends LogController {
  override incomingRequest(): void {}
  override routeNotFound(): void {}

  override requestCompleted(error: Error | null, request: FastifyRequest, reply: FastifyReply): void {
    const line = lineOf(request, reply)
    if (error && !isHangUp(error, request)) request.log.error({ ...line, err: error }, 'request failed')
    else request.log.info(line, 'request')
  }

  override defaultErrorLog(error: Error, request: FastifyRequest): void {
    request.log.error(error, 'sending an error response failed')
  }

  override writeHeadError(error: Error, request: FastifyRequest): void {
    request.log.warn(error, 'writing response headers failed')
  }
}
