import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/**
 * A request and what came of it, however it was answered: by a route, from memory, or not at all. Whoever counts or
 * traces them looks on here, below the routes, and sees each of them once.
 */
export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** As it is declared, without any value: `/api/public/v3/employees/:id`; undefined where there is none. */
  readonly route: string | undefined
  readonly requestId: string | undefined
  /** What was sent, or would have been: 499 for those who did not wait for it. */
  readonly status: number
  readonly milliseconds: number
}

export type ExchangeObserver = {
  readonly begun?: (request: IncomingMessage, response: ServerResponse) => void
  readonly ended: (exchange: Exchange) => void
}

const ROUTE = Symbol('route')
const ID = Symbol('id')
const BEGUN = Symbol('begun')

type TrackedResponse = ServerResponse & { [ROUTE]?: string | undefined; [ID]?: string; [BEGUN]?: number }

/** Nobody waited for the answer. */
export const GONE = 499

/** Says by which route a request is answered, and what it is called. */
export function noteRoute(response: TrackedResponse, route: string | undefined, requestId: string): void {
  response[ROUTE] = route
  response[ID] = requestId
}

/** The route that was noted, if there is one. */
export const routeOf = (response: TrackedResponse): string | undefined => response[ROUTE]

/** Registers an observer. Call it after all routes exist: observers run before them. */
export function observeExchanges(app: FastifyInstance, { begun, ended }: ExchangeObserver): void {
  function close(this: TrackedResponse): void {
    ended({
      request: this.req,
      response: this,
      route: this[ROUTE],
      requestId: this[ID],
      status: this.headersSent ? this.statusCode : GONE,
      milliseconds: performance.now() - (this[BEGUN] as number),
    })
  }
  app.server.prependListener('request', (request: IncomingMessage, response: TrackedResponse) => {
    response[BEGUN] ??= performance.now()
    response.on('close', close)
    begun?.(request, response)
  })
}
