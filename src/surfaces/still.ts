import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isSeen, tagOf } from '../engine/outcome.ts'
import { header } from './http/headers.ts'

/** What is the same for as long as the service runs: kept as one buffer, so that it is compressed once. */
export type Still = { type: string; body: Buffer; tag: string; cache: string }

/** Asked for anew each time, and not sent when the caller has it already. */
export const still = (type: string, text: string, cache = 'no-cache'): Still => ({
  type,
  body: Buffer.from(text),
  tag: tagOf(text),
  cache,
})

/** Whatever is at an address with this in it never changes. */
export const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 12)

export const FOREVER = 'public, max-age=31536000, immutable'

export function sendStill(request: FastifyRequest, reply: FastifyReply, { type, body, tag, cache }: Still) {
  reply.header('etag', tag).header('cache-control', cache)
  const seen = header(request, 'if-none-match')
  return isSeen(seen, tag) ? reply.status(304).send() : reply.type(type).send(body)
}

/** Made when it is first asked for: most processes never are. */
export function serveStill(app: FastifyInstance, path: string, make: () => Still): void {
  let made: Still | undefined
  app.get(path, (request, reply) => {
    made ??= make()
    return sendStill(request, reply, made)
  })
}
