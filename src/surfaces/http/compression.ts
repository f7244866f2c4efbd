import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { header, preferred, vary } from './headers.ts'

/** Below this an answer fits into one packet either way. */
const WORTH_IT = 1024

/** What is compressed already, or is no text, gains nothing. */
const TEXT = /^(text\/|application\/(json|javascript|problem\+json)|image\/svg\+xml)/

export type Encoding = 'zstd' | 'br' | 'gzip'

const [brotli, zstd, zip] = [promisify(brotliCompress), promisify(zstdCompress), promisify(gzip)]

/** In the order in which we like them: a page of employees takes 0.2, 1.2 and 1.1 ms, with much the same result. */
const ENCODERS: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  zstd: (bytes) => zstd(bytes),
  br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes) => zip(bytes),
}
const ENCODINGS = Object.keys(ENCODERS) as Encoding[]

/** What is always the same is sent as the same buffer, and compressed once. */
const done = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>()

export function compressed(payload: string | Buffer, encoding: Encoding): Promise<Buffer> {
  if (typeof payload === 'string') return ENCODERS[encoding](Buffer.from(payload))
  const known = done.get(payload) ?? new Map<Encoding, Promise<Buffer>>()
  done.set(payload, known)
  const work = known.get(encoding) ?? ENCODERS[encoding](payload)
  known.set(encoding, work)
  work.catch(() => known.delete(encoding))
  return work
}

/** Longer texts are compressed for callers that ask for it. Streams, such as files, go as they are. */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload) =>
    // What was done is done: an answer that cannot be compressed is sent as it is.
    compressedFor(request, reply, payload).catch((error) => {
      request.log.error(error, 'response compression failed')
      return payload
    }),
  )
}

async function compressedFor(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (reply.statusCode !== 304 && !TEXT.test(String(reply.getHeader('content-type') ?? ''))) return payload
  vary(reply, 'Accept-Encoding')
  if (!(typeof payload === 'string' || Buffer.isBuffer(payload)) || Buffer.byteLength(payload) < WORTH_IT)
    return payload
  const encoding = preferred(header(request, 'accept-encoding') ?? '', ENCODINGS, (entry, offer) =>
    entry === offer ? 2 : entry === '*' ? 1 : 0,
  )
  if (!encoding || reply.hasHeader('content-encoding')) return payload
  const bytes = await compressed(payload, encoding)
  // The tag names the content; these are other bytes of the same.
  const tag = reply.getHeader('etag')
  if (typeof tag === 'string' && !tag.startsWith('W/')) reply.header('etag', `W/${tag}`)
  reply.header('content-encoding', encoding).removeHeader('content-length')
  return bytes
}
