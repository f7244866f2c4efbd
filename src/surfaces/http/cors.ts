import type { FastifyInstance } from 'fastify'
import { header, vary } from './headers.ts'

/** What a script may send besides what every script may. */
const SENT = [
  'Authorization',
  'Cadre-Ledger',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'Prefer',
  'Traceparent',
  'X-API-Key',
  'X-Correlation-ID',
  'X-Request-ID',
].join(', ')

/** What a script may read besides what every script may. */
const SHOWN = [
  'Allow',
  'Cadre-Ignored',
  'Cadre-Ledger',
  'Cadre-Omitted',
  'Content-Disposition',
  'ETag',
  'Idempotency-Replayed',
  'Location',
  'Preference-Applied',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-ID',
].join(', ')

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'

/** Longer than this no browser remembers what it was told. */
const REMEMBERED = 7200

/** What needs no key is for pages of every origin: a careers page stands on the company's own site. */
const FOR_EVERYBODY = '/api/careers/'

/**
 * Lets pages of these origins call the service from a browser. Never with credentials: the service has no cookies, and
 * a key is sent by the page itself.
 */
export function admitOrigins(app: FastifyInstance, named: '*' | readonly string[]): void {
  app.addHook('onRequest', async (request, reply) => {
    const origins = request.url.startsWith(FOR_EVERYBODY) ? '*' : named
    if (origins.length === 0) return
    const origin = header(request, 'origin')
    if (origins !== '*') vary(reply, 'Origin')
    if (origin === undefined || !(origins === '*' || origins.includes(origin))) return
    reply.header('access-control-allow-origin', origins === '*' ? '*' : origin)
    if (request.method !== 'OPTIONS' || header(request, 'access-control-request-method') === undefined)
      return void reply.header('access-control-expose-headers', SHOWN)
    return reply
      .header('access-control-allow-methods', METHODS)
      .header('access-control-allow-headers', SENT)
      .header('access-control-max-age', REMEMBERED)
      .status(204)
      .send()
  })
}
