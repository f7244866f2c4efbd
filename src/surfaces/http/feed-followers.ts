import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Outcome } from '../../engine/outcome.ts'
import { malformed, Problem, wrong } from '../../engine/problem.ts'
import { actorRef, type Caller } from '../../records/caller.ts'
import type { ChangeNotifier } from '../../records/change-notifier.ts'
import { header, preferredType, vary } from './headers.ts'
import { asProblem, problemDocument } from './problem-document.ts'
import type { Quota } from './quota.ts'

/** Those who wait for what an operation has not to tell yet: for an answer that is held back, or for events. */

export const EVENTS = 'text/event-stream'

/** How long such an operation may take to answer: as long as anybody may wait, and the time that any other has. */
export const LONGEST_ANSWER = 90_000

/** A stream says at least this often that it is there, and looks whether its key still is. */
const HEARTBEAT = 15_000

/** After how many milliseconds a stream that broke off is to be asked for again. */
const RETRY = 3_000

/** How many requests of one key may wait, or stream, at a time. */
const MOST = 20

/** The response body of a feed operation. */
type FeedPage = { data: { number: number }[]; metadata: { last: number; more: boolean; omitted: string[] } }

const stretchIn = ({ payload }: Outcome) => JSON.parse(payload as string) as FeedPage

/** Calls the operation for the caller: with the sent parameters, or for the changes after a number. */
type ReadFeed = (since?: number) => Promise<Outcome>

export class FeedFollowers {
  readonly #notifier: ChangeNotifier
  readonly #quota: Quota
  readonly #streams = new Set<FastifyReply['raw']>()

  constructor(notifier: ChangeNotifier, quota: Quota) {
    this.#notifier = notifier
    this.#quota = quota
  }

  /** Whoever waits is answered with what there is, and streams end. */
  end(): void {
    this.#notifier.close()
    // Who does not read would not see the end.
    for (const stream of this.#streams) if (stream.writableNeedDrain) stream.destroy()
  }

  /** The answer as soon as it has something to tell, or when the time is over. */
  async answer(request: FastifyRequest, wait: number, ask: ReadFeed): Promise<Outcome> {
    if (!(wait > 0)) return ask()
    return this.#counted(request, async () => {
      const until = performance.now() + wait * 1000
      let outcome = await ask()
      const omitted = new Set(outcome.omitted)
      for (;;) {
        const { data, metadata } = stretchIn(outcome)
        const left = until - performance.now()
        if (data.length > 0 || left <= 0 || request.signal.aborted) break
        if (!metadata.more) await this.#notifier.waitForChange(accountOf(request), metadata.last, left, request.signal)
        if (this.#notifier.isClosed) break
        // Also when nothing came: the key may not be valid any more.
        outcome = await ask(metadata.last)
        for (const group of outcome.omitted) omitted.add(group)
      }
      return { ...outcome, omitted: [...omitted] }
    })
  }

  /** The answer as events, for as long as somebody listens. */
  async stream(request: FastifyRequest, reply: FastifyReply, ask: ReadFeed): Promise<FastifyReply> {
    const { raw } = reply
    const gone = new AbortController()
    raw.once('close', () => gone.abort())
    return this.#counted(request, async () => {
      // What is refused is refused as everywhere else.
      const first = await ask(lastSeen(request))
      if (first.omitted.length > 0) reply.header('cadre-omitted', first.omitted.join(', '))
      reply.header('content-type', `${EVENTS}; charset=utf-8`)
      // Between us and the listener nothing may keep what was sent.
      reply.header('cache-control', 'no-store').header('x-accel-buffering', 'no')
      reply.hijack()
      raw.writeHead(200, reply.getHeaders() as Record<string, string>)
      // `pipeline` adds listeners of its own to those of the server: more than the ten after which Node suspects a leak.
      raw.setMaxListeners(20)
      this.#streams.add(raw)
      // Somebody who hangs up does no wrong.
      await pipeline(Readable.from(this.#events(request, gone.signal, first, ask)), raw).catch(() => undefined)
      this.#streams.delete(raw)
      return reply
    })
  }

  /** Text by text: the next is asked for only when the one before has gone out. */
  async *#events(request: FastifyRequest, gone: AbortSignal, first: Outcome, ask: ReadFeed): AsyncGenerator<string> {
    let [outcome, position, omitted] = [first, -1, '[]']
    yield `retry: ${RETRY}\n\n`
    while (!this.#notifier.isClosed && !gone.aborted) {
      const { data, metadata } = stretchIn(outcome)
      const cut = JSON.stringify(metadata.omitted)
      if (cut !== omitted) yield event('omitted', cut)
      omitted = cut
      if (data.length > 0)
        yield data.map((one) => `id: ${one.number}\n${event('change', JSON.stringify(one))}`).join('')
      // What was cut is behind the listener all the same.
      if ((data.at(-1)?.number ?? position) !== metadata.last) yield `id: ${metadata.last}\n\n`
      position = metadata.last
      if (!metadata.more && !(await this.#notifier.waitForChange(accountOf(request), position, HEARTBEAT, gone))) {
        if (this.#notifier.isClosed || gone.aborted) return
        yield ':\n\n'
      }
      try {
        outcome = await ask(position)
      } catch (error) {
        const problem = asProblem(error)
        if (problem.cause) request.log.error(problem.cause, problem.message)
        return yield event(
          'problem',
          JSON.stringify(problemDocument(problem, String(request.id), request.server.basePath)),
        )
      }
    }
  }

  async #counted<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    const { account, actor } = request.caller as Caller
    const leave = await this.#quota.hold({ name: `followers ${account.id} ${actorRef(actor)}`, most: MOST })
    if (!leave)
      throw new Problem(
        429,
        'too_many_requests',
        `This key already has ${MOST} requests waiting for changes. Close one, or try again later.`,
        { retryAfter: 5 },
      )
    return work().finally(leave)
  }
}

const event = (name: string, json: string) => `event: ${name}\ndata: ${json}\n\n`

const accountOf = (request: FastifyRequest) => (request.caller as Caller).account.id

/** Does the caller like events better than an answer that ends? */
export function acceptsEventStream(request: FastifyRequest, reply: FastifyReply): boolean {
  vary(reply, 'Accept')
  return request.method === 'GET' && preferredType(request, ['application/json', EVENTS]) === EVENTS
}

/** The last event that the listener has seen before it lost us; as it begins, that is none, or an empty text. */
function lastSeen(request: FastifyRequest): number | undefined {
  const sent = header(request, 'last-event-id') || undefined
  if (sent !== undefined && !/^\d{1,15}$/.test(sent))
    throw malformed(wrong('Last-Event-ID', 'wrong_type', 'must be a change number, as sent in the id of an event'))
  return sent === undefined ? undefined : Number(sent)
}
