import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hashKey, type KnownKey } from '../../access/keys.ts'
import { isSeen, type Kept } from '../../engine/outcome.ts'
import { compressed, type Encoding } from './compression.ts'
import { noteRoute } from './exchanges.ts'
import { actorInLog } from './log.ts'
import { namesInLog } from './server.ts'

/**
 * The short way of a question that was asked before in the same words: it is looked whether the answer still stands for
 * whoever asks, and the same bytes are sent. Everything else goes the long way, which is also where answers come from.
 */

declare module 'fastify' {
  interface FastifyRequest {
    /** The answer, when it can be given again. */
    kept: Kept | null
  }
}

/** Keys as they are found by their hashes; undefined when there is none, or none any more. */
export type Keys = {
  find: (request: IncomingMessage, hash: string, now: Date) => Promise<KnownKey | undefined>
  noteUse: (key: KnownKey, now: Date) => void
}

type Known = {
  readonly kept: WeakRef<Kept>
  readonly encoding: Encoding | undefined
  readonly headers: Record<string, string>
  readonly hash: string
  readonly origin: string
  readonly route: string
  readonly asked: readonly string[]
  /** It stood for this key in this minute. */
  key: KnownKey | undefined
  minute: number
}

/** So many questions are remembered, and of this length. */
const MOST = 5000
const LONGEST = 2000

/** Headers by which a request asks for more than its address says. */
const SPECIAL = ['prefer', 'origin', 'cookie', 'if-match', 'content-length', 'transfer-encoding', 'expect', 'upgrade']

/** The levels of a log that has a line for each request. */
const LOGGING = ['info', 'debug', 'trace']

/** These are of the request, not of the answer. */
const FRESH = ['x-request-id', 'cadre-ledger', 'content-length', 'date', 'connection', 'keep-alive']

export function answerAgain(
  app: FastifyInstance,
  { keys, clock, counted }: { keys: Keys; clock: () => Date; counted: { found: number } },
): void {
  const known = new Map<string, Known>()
  let isClosing = false
  app.decorateRequest('kept', null)
  app.addHook('preClose', async () => {
    isClosing = true
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const { kept } = request
    const name = kept && reply.statusCode === 200 && Buffer.isBuffer(payload) ? nameOf(request.raw) : undefined
    if (!kept || name === undefined || !request.caller) return payload
    if (known.size >= MOST) known.delete(known.keys().next().value as string)
    known.set(name, {
      kept: new WeakRef(kept),
      encoding: reply.getHeader('content-encoding') as Encoding | undefined,
      headers: headersOf(reply),
      hash: hashKey(sentKey(request.raw) as string),
      origin: request.caller.origin as string,
      ...lineOf(request),
      key: undefined,
      minute: 0,
    })
    return payload
  })

  /** Sends what is known, or says that it is not known. */
  async function send(request: IncomingMessage, response: ServerResponse, name: string, one: Known): Promise<boolean> {
    const begun = performance.now()
    const now = clock()
    const kept = one.kept.deref()
    const key = kept && (await keys.find(request, one.hash, now))
    if (!kept || !key) return false
    // Who knows of more than there is, or sends no number, is told so on the long way.
    const sent = request.headers['cadre-ledger']
    if (sent !== undefined && !(/^\d{1,15}$/.test(String(sent)) && Number(sent) <= (key.ledgerNumber ?? 0)))
      return false
    const minute = minuteOf(now)
    if (key !== one.key || minute !== one.minute) {
      const { id, ...rights } = key
      if (!kept.isFor({ ...rights, actor: { kind: 'key', id }, origin: one.origin }, now)) {
        known.delete(name)
        return false
      }
      one.key = key
      one.minute = minute
    }
    const body = one.encoding ? await compressed(kept.bytes, one.encoding) : kept.bytes
    if (response.destroyed) return true
    keys.noteUse(key, now)
    counted.found++
    const own = { 'x-request-id': randomUUID(), 'cadre-ledger': String(key.ledgerNumber) }
    noteRoute(response, one.route, own['x-request-id'])
    const isNothingNew = isSeen(request.headers['if-none-match'], kept.tag)
    if (isNothingNew) {
      const { 'content-type': _type, 'content-encoding': _encoding, ...rest } = one.headers
      response.writeHead(304, { ...rest, ...own, etag: kept.tag }).end()
    } else response.writeHead(200, { ...one.headers, ...own, 'content-length': body.length }).end(body)
    if (LOGGING.includes(app.log.level))
      app.log
        .child({
          request_id: own['x-request-id'],
          ...namesInLog(request),
          ...actorInLog(key.account.id, { kind: 'key', id: key.id }),
        })
        .info(
          {
            method: request.method,
            route: one.route,
            ...(one.asked.length > 0 ? { query: one.asked } : {}),
            status: isNothingNew ? 304 : 200,
            ms: Math.round(performance.now() - begun),
          },
          'request',
        )
    return true
  }

  const [handle] = app.server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
  const goOn = handle as NonNullable<typeof handle>
  app.server.removeListener('request', goOn)
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const name = isClosing ? undefined : nameOf(request)
    const one = name === undefined ? undefined : known.get(name)
    if (!one) return goOn(request, response)
    send(request, response, name as string, one).then(
      (isSent) => void (isSent || response.headersSent || goOn(request, response)),
      // Whatever is wrong, the long way says it better.
      () => void (response.headersSent || goOn(request, response)),
    )
  })
}

/** A day begins with a minute, and an hour ends with one: the moment between two is by itself. */
const minuteOf = (now: Date) => Math.floor(now.getTime() / 60_000) + Math.ceil(now.getTime() / 60_000)

const sentKey = ({ headers }: IncomingMessage) => {
  const own = headers['x-api-key']
  if (own) return typeof own === 'string' ? own : undefined
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

/** What is the same in two requests that ask the same, in the same words; undefined for those that ask for something special. */
function nameOf({ method, url, headers, socket }: IncomingMessage): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  if (!url) return undefined
  if ((!headers['x-api-key'] && !headers.authorization) || SPECIAL.some((name) => headers[name] !== undefined))
    return undefined
  const { host, authorization = '', 'x-api-key': key = '', 'accept-encoding': encodings = '' } = headers
  // What a proxy says of where it was asked is believed of some, and answers have addresses in them.
  const through = [headers['x-forwarded-host'], headers['x-forwarded-proto']].join(' ')
  const by = through === ' ' ? '' : `${through} ${socket.remoteAddress}`
  const name = `${url}\n${host}\n${key}\n${authorization}\n${encodings}\n${by}`
  return name.length > LONGEST ? undefined : name
}

const headersOf = (reply: FastifyReply): Record<string, string> =>
  Object.fromEntries(
    Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
      FRESH.includes(name) ? [] : [[name, String(value)]],
    ),
  )

/** What the log tells of a request. */
function lineOf({ routeOptions: { url, config }, query }: FastifyRequest): { route: string; asked: string[] } {
  const asked = Object.keys((query ?? {}) as object).filter((name) => config.parameters?.includes(name))
  return { route: url ?? '', asked }
}
