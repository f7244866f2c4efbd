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

export type Onlooker = {
  readonly begun?: (request: IncomingMessage, response: ServerResponse) => void
  readonly ended: (exchange: Exchange) => void
}

const ROUTE = Symbol('route')
const ID = Symbol('id')
const BEGUN = Symbol('begun')

type Watched = ServerResponse & { [ROUTE]?: string | undefined; [ID]?: string; [BEGUN]?: number }

/** Nobody waited for the answer. */
export const GONE = 499

/** Says by which route a request is answered, and what it is called. */
export function noteRoute(response: Watched, route: string | undefined, requestId: string): void {
  response[ROUTE] = route
  response[ID] = requestId
}

/** The route that was noted, if there is one. */
export const routeOf = (response: Watched): string | undefined => response[ROUTE]

/** Once all routes and ways are there: those who look on come before them. */
export function lookOn(app: FastifyInstance, { begun, ended }: Onlooker): void {
  function close(this: Watched): void {
    ended({
      request: this.req,
      response: this,
      route: this[ROUTE],
      requestId: this[ID],
      status: this.headersSent ? this.statusCode : GONE,
      milliseconds: performance.now() - (this[BEGUN] as number),
    })
  }
  app.server.prependListener('request', (request: IncomingMessage, response: Watched) => {
    response[BEGUN] ??= performance.now()
    response.on('close', close)
    begun?.(request, response)
  })
}
