import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Problem, unavailable } from '../../engine/problem.ts'

/**
 * How long is waited, in milliseconds: for an answer to be made, and for the next bytes of one that is on its way. Sending
 * may take as long as it likes. (The time-out of the framework's own counts both together, and none once a body was read.)
 */
export type ResponseTimeouts = { readonly answer: number; readonly silence: number }

export const PATIENCE: ResponseTimeouts = { answer: 30_000, silence: 120_000 }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How long this answer may be in the making, if not as long as others. */
    longestAnswer?: number
  }
  interface FastifyRequest {
    deadline: Deadline
  }
}

/** The time by which an answer has to be made. */
export class Deadline {
  #timer: NodeJS.Timeout | undefined
  isOver = false
  /** There is an answer, which only has to be sent. */
  isMet = false

  set(milliseconds: number, miss: () => void): void {
    this.lift()
    this.#timer = setTimeout(() => {
      this.isOver = true
      miss()
    }, milliseconds)
    // A process that ends does not wait for what nobody waits for.
    this.#timer.unref()
  }

  lift(): void {
    clearTimeout(this.#timer)
  }

  /** It is now. */
  bringForward(): void {
    this.lift()
    this.isOver = true
  }
}

const REPLY = Symbol('reply')

type ResponseWithReply = ServerResponse & { [REPLY]?: FastifyReply }

/** Gives up what is in the making, if that has begun: says whether it had. What is not carried out yet is not any more. */
export function giveUp(response: ResponseWithReply, problem: Problem): boolean {
  const reply = response[REPLY]
  if (!reply) return false
  const { deadline } = reply.request
  if (deadline.isMet || reply.sent || response.headersSent) return true
  deadline.bringForward()
  reply.send(problem)
  return true
}

/** Whoever would wait too long for an answer is told so. How long a request takes to arrive is limited by the server. */
export function answerInTime(app: FastifyInstance, { answer }: ResponseTimeouts): void {
  app.decorateRequest('deadline', null as never)
  const begin = (request: FastifyRequest, reply: FastifyReply) =>
    request.deadline.set(request.routeOptions.config.longestAnswer ?? answer, () => {
      if (!reply.sent && !reply.raw.headersSent)
        reply.send(
          unavailable('The request took too long and was cancelled. Request less data at once, or try again later.'),
        )
    })
  app.addHook('onRequest', async (request, reply) => {
    request.deadline = new Deadline()
    const raw: ResponseWithReply = reply.raw
    raw[REPLY] = reply
    begin(request, reply)
  })
  app.addHook('preParsing', async (request) => request.deadline.lift())
  app.addHook('preValidation', async (request, reply) => begin(request, reply))
  app.addHook('onSend', async (request, _reply, payload) => {
    request.deadline?.lift()
    if (request.deadline) request.deadline.isMet = true
    return payload
  })
}
