import cluster, { type Worker } from 'node:cluster'
import type { FastifyInstance } from 'fastify'
import { type Family, together } from './registry.ts'

/**
 * A parent answers no request, and has no figures but those of its workers, which it asks when it is asked. What they have
 * counted stays counted when they are gone: a figure that falls looks like a service that was started anew.
 */

type MetricsRequest = { figures: number }
type MetricsReply = { figures: number; families: readonly Family[] }

/** One that has not answered by then is busy, or dying: the others are not held up by it. */
const PATIENCE = 2000

/** Gives a parent the figures of this process: when it begins to answer requests, when it is asked, and when it ends. */
export function answerParent(app: FastifyInstance, collect: () => readonly Family[]): void {
  const tell = (figures: number) =>
    new Promise<void>((resolve) => {
      if (!process.connected) return resolve()
      process.send?.({ figures, families: collect() } satisfies MetricsReply, undefined, undefined, () => resolve())
    })
  app.addHook('onReady', async () => {
    process.on('message', (asked: Partial<MetricsRequest> | string) => {
      if (typeof asked === 'object' && asked.figures !== undefined) void tell(asked.figures)
    })
    await tell(0)
  })
  app.addHook('onClose', () => tell(0))
}

/** The metrics of all workers, including what exited workers counted. It must exist before the workers start. */
export class WorkerMetrics {
  #asked = 0
  /** What each of those that are there has told last. */
  readonly #last = new Map<Worker, readonly Family[]>()
  #ofTheGone: readonly Family[] = []
  readonly #waiting = new Map<number, () => void>()

  constructor() {
    cluster.on('message', (worker, said: Partial<MetricsReply>) => {
      if (typeof said !== 'object' || !said.families) return
      this.#last.set(worker, said.families)
      this.#waiting.get(said.figures as number)?.()
    })
    // After the last of its messages.
    cluster.on('disconnect', (worker) => {
      this.#ofTheGone = together([this.#ofTheGone, counted(this.#last.get(worker) ?? [])])
      this.#last.delete(worker)
    })
  }

  gather = async (): Promise<readonly (readonly Family[])[]> => {
    const workers = [...this.#last.keys()]
    const answered = await Promise.all(workers.map((worker) => this.#ask(worker)))
    // Of one that does not answer it is not known how it is, but what it has counted. Who has died meanwhile is with the gone.
    const told = workers.map((worker, at) => {
      const last = this.#last.get(worker) ?? []
      return answered[at] ? last : counted(last)
    })
    return [...told, this.#ofTheGone]
  }

  async #ask(worker: Worker): Promise<boolean> {
    const figures = ++this.#asked
    const answer = new Promise<boolean>((resolve) => {
      const end = () => resolve(false)
      const timer = setTimeout(end, PATIENCE)
      this.#waiting.set(figures, () => {
        clearTimeout(timer)
        resolve(true)
      })
      if (worker.isConnected()) worker.send({ figures } satisfies MetricsRequest, (error) => void (error && end()))
      else end()
    })
    return answer.finally(() => this.#waiting.delete(figures))
  }
}

/** What only ever grows. */
const counted = (families: readonly Family[]) => families.filter(({ type }) => type !== 'gauge')
