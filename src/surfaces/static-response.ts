import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isSeen, tagOf } from '../engine/outcome.ts'
import { header } from './http/headers.ts'

/** A response that stays the same while the service runs. It is kept as one buffer, so that it is compressed once. */
export type StaticResponse = { type: string; body: Buffer; tag: string; cache: string }

/** Browsers revalidate it each time and get 304 if they already have it. */
export const staticResponse = (type: string, text: string, cache = 'no-cache'): StaticResponse => ({
  type,
  body: Buffer.from(text),
  tag: tagOf(text),
  cache,
})

/** Whatever is at an address with this in it never changes. */
export const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 12)

export const FOREVER = 'public, max-age=31536000, immutable'

export function sendStatic(request: FastifyRequest, reply: FastifyReply, { type, body, tag, cache }: StaticResponse) {
  reply.header('etag', tag).header('cache-control', cache)
  const seen = header(request, 'if-none-match')
  return isSeen(seen, tag) ? reply.status(304).send() : reply.type(type).send(body)
}

/** Creates the response at the first request; most processes never get one. */
export function serveStatic(app: FastifyInstance, path: string, make: () => StaticResponse): void {
  let made: StaticResponse | undefined
  app.get(path, (request, reply) => {
    made ??= make()
    return sendStatic(request, reply, made)
  })
}
