import { isUtf8 } from 'node:buffer'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Operation } from '../../engine/operation.ts'
import { Problem } from '../../engine/problem.ts'
import { nestParameters } from './nested-parameters.ts'

const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE

/** What a body may have that holds no file. */
export const BODY_LIMIT = 2 * MEBIBYTE
/** What anybody at all may send us as JSON or as a form. */
const PUBLIC_BODY_LIMIT = 256 * KIBIBYTE
const LARGEST_FILE = 25 * MEBIBYTE
/** A file may also come inside JSON, which makes it a third longer. */
const FILE_BODY_LIMIT = 36 * MEBIBYTE
/** What one field of a multipart body may have, unless it is declared to hold more. */
const FIELD_LIMIT = 64 * KIBIBYTE
const MOST_FIELDS = 1000
/** Together they are no larger than what the operation takes. */
const MOST_FILES = 10
const DEEPEST = 64
/** All names of a body together, or pairs of a form: more than twice what the largest body of any operation has. */
export const MOST_NAMES = 10_000

/** Size limits of a route: for JSON and forms, for a whole multipart body, and for each of its fields. */
export type BodyLimits = { body: number; multipart: number; takesFile: boolean; field: (name: string) => number }

export function limitsOf({ body, permission }: Operation): BodyLimits {
  const fields = (body?.properties ?? {}) as Record<string, { 'x-file'?: boolean; maxLength?: number }>
  const takesFile = Object.values(fields).some((schema) => schema['x-file'])
  const whole = takesFile ? FILE_BODY_LIMIT : BODY_LIMIT
  return {
    takesFile,
    body: permission === null ? PUBLIC_BODY_LIMIT : whole,
    multipart:
      permission === null && takesFile ? LARGEST_FILE + MEBIBYTE : permission === null ? PUBLIC_BODY_LIMIT : whole,
    field(name) {
      const schema = fields[name.replace(/\[.*$/s, '')]
      if (schema?.['x-file']) return permission === null ? FIELD_LIMIT : whole
      // A character has four bytes at most.
      return Math.max(FIELD_LIMIT, (schema?.maxLength ?? 0) * 4)
    },
  }
}

type ParserCallback = (error: Error | null, body?: unknown) => void

/** Do the escapes of a form spell UTF-8? A percent sign that escapes nothing is one. */
function isSpelledSoundly(form: string): boolean {
  try {
    decodeURIComponent(form.replace(/%(?![0-9a-f]{2})/gi, '%25'))
    return true
  } catch {
    return false
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    limits?: BodyLimits
  }
}

/** JSON, forms and multipart, and nothing else: the same names spell the same body in all of them. */
export async function acceptBodies(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    limits: {
      fileSize: LARGEST_FILE,
      files: MOST_FILES,
      fields: MOST_FIELDS,
      parts: MOST_FIELDS + MOST_FILES,
      fieldSize: FILE_BODY_LIMIT,
    },
  })
  app.addHook('onRequest', async ({ headers }) => {
    // Nothing is of no type, whatever a client says that it always sends.
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0)
      delete headers['content-type']
  })
  app.removeContentTypeParser(['text/plain', 'application/json'])
  const readJson = app.getDefaultJsonParser('error', 'error')
  // What is not UTF-8 would be stored as something else than was meant.
  const inText = (read: (request: FastifyRequest, text: string, done: ParserCallback) => void) =>
    ((request: FastifyRequest, body: Buffer, done: ParserCallback) => {
      const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
      if (charset && !/^(utf-?8|us-ascii)$/i.test(charset))
        return done(new Problem(415, 'unsupported_media_type', `Text must be encoded in UTF-8, not in ${charset}.`))
      if (!isUtf8(body)) return done(new Problem(400, 'malformed', 'The body is not valid UTF-8.'))
      read(request, body.toString(), done)
    }) as never
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    inText((request, text, done) =>
      text.trim() === '' ? done(null, {}) : (readJson as (...all: unknown[]) => void)(request, text, done),
    ),
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    inText((_request, text, done) => {
      // A parser of forms would put a mark in the place of bytes that mean nothing.
      if (!isSpelledSoundly(text)) return done(new Problem(400, 'malformed', 'The form is not valid UTF-8.'))
      // Before they are taken apart.
      if (countOf('&', text) >= MOST_NAMES) return done(tooManyNames())
      done(null, spelledBy(new URLSearchParams(text)))
    }),
  )
  app.addHook('preValidation', async (request, reply) => {
    if (request.isMultipart()) {
      // Whatever is left of a body that is refused half-way is not waited for.
      reply.header('connection', 'close')
      request.body = await readMultipart(request, request.routeOptions.config.limits)
      reply.removeHeader('connection')
    }
    refuseSprawl(request.body)
  })
}

/** The body that pairs spell. `skills[]=` alone is the empty list, which a form has no other way to spell. */
const spelledBy = (pairs: Iterable<readonly [string, unknown]>) => {
  const body = nestParameters(pairs)
  for (const [name, value] of Object.entries(body))
    if (Array.isArray(value) && value.length === 1 && value[0] === '') body[name] = []
  return body
}

const tooLarge = (what: string) => new Problem(413, 'too_large', what)

const tooManyNames = () => tooLarge(`The body has more than ${MOST_NAMES} fields. Send fewer at once.`)

function countOf(sign: string, text: string): number {
  let count = 0
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) count++
  return count
}

/** Fields and files of a multipart body under their names, spelled as in a form; counted while it is read. */
async function readMultipart(request: FastifyRequest, limits: BodyLimits | undefined): Promise<unknown> {
  const most = limits?.multipart ?? BODY_LIMIT
  const ofFiles = limits?.takesFile ? ' in one request, and files of at most 25 MiB' : ''
  const refusal = () => tooLarge(`The body is too large: this operation accepts at most ${most} bytes${ofFiles}.`)
  if (Number(request.headers['content-length'] ?? 0) > most) throw refusal()

  const parts = request.parts()[Symbol.asyncIterator]()
  // Asking for the first part starts the reading; only then can the bytes be counted without losing any.
  let next = parts.next()
  let read = 0
  const overflow = new Promise<never>((_, reject) =>
    request.raw.on('data', (chunk: Buffer) => {
      read += chunk.length
      if (read <= most) return
      request.raw.unpipe()
      // What still comes is thrown away, so that the sender can read the answer.
      request.raw.resume()
      reject(refusal())
    }),
  )
  overflow.catch(() => undefined)
  const pairs: [string, unknown][] = []
  for (;;) {
    const { done, value: part } = await Promise.race([next, overflow])
    if (done) return spelledBy(pairs)
    if (!part.fieldname)
      throw new Problem(
        400,
        'malformed',
        'A part of the multipart body has no name. Send name="…" in its Content-Disposition.',
      )
    if (part.type === 'file') {
      const bytes = await Promise.race([part.toBuffer(), overflow])
      // A browser sends a part without name and bytes when no file was chosen.
      const isChosen = bytes.length > 0 || Boolean(part.filename)
      pairs.push([part.fieldname, isChosen ? { filename: part.filename, type: part.mimetype, bytes } : ''])
    } else {
      const limit = limits?.field(part.fieldname) ?? FIELD_LIMIT
      if (typeof part.value === 'string' && Buffer.byteLength(part.value) > limit)
        throw tooLarge(`${part.fieldname.slice(0, 100)} is too large: at most ${limit} bytes are allowed.`)
      pairs.push([part.fieldname, part.value])
    }
    next = parts.next()
  }
}

/** Refuses what is nested too deep, or has too many names. Looked at level by level: what is too deep must not be climbed down. */
function refuseSprawl(body: unknown): void {
  let level: unknown[] = [body]
  let names = 0
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) throw new Problem(400, 'malformed', `The body is nested more than ${DEEPEST} levels deep.`)
    const next: unknown[] = []
    for (const one of level) {
      if (one === null || typeof one !== 'object' || Buffer.isBuffer(one)) continue
      const values = Object.values(one)
      if (!Array.isArray(one)) names += values.length
      if (names > MOST_NAMES) throw tooManyNames()
      for (const inner of values) if (inner !== null && typeof inner === 'object') next.push(inner)
    }
    level = next
  }
}
