import cluster, { type Worker } from 'node:cluster'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { WORKER } from './config.ts'
import { CONNECTION, ConnectionDispatcher, type ConnectionReceipt } from './connection-dispatcher.ts'
import { ProcessQuota, type Quota, type QuotaLimit } from './surfaces/http/quota.ts'

/**
 * Several processes at one port. The parent accepts connections and gives them out in turn (connection-dispatcher.ts), starts workers, starts
 * others in the place of those that die, and counts what somebody may do only so often; it answers no request itself.
 */

/** What a worker asks its parent for. The id connects a request with its reply. */
type QuotaRequest = { id: number } & (
  | { within: number; take: readonly QuotaLimit[] }
  | { hold: QuotaLimit }
  | { giveUp: number }
)
/** What a worker reports about itself. */
type WorkerStatus = { ready: true } | { leaves: true } | { failure: string }
type QuotaReply = { id: number; wait: number }
type WorkerCommand = 'begin' | 'leave' | 'ending'

/** A worker that dies sooner than this after its start has died early: the next one waits, each time longer. */
const EARLY = 60_000
const SHORTEST_PAUSE = 100
const LONGEST_PAUSE = 30_000

/** How long a worker may take to stop: longer than it takes to answer what it has accepted. Ten seconds are promised. */
const LONGEST_STOP = 9_250

/** Names of which a worker remembers that they have to wait. */
const MOST_REFUSED = 10_000

/** Variables that a worker gets in addition to those of this process. Undefined ones are removed. */
type WorkerEnvironment = Record<string, string | undefined>

/** One of the worker slots, with the worker that currently fills it. */
type WorkerSlot = { worker: Worker; deaths: number; timer?: NodeJS.Timeout }

export class Workers {
  readonly #places: WorkerSlot[] = []
  readonly #count: number
  readonly #environment: WorkerEnvironment
  readonly #quota = new ProcessQuota()
  readonly #door = new ConnectionDispatcher()
  readonly log: FastifyBaseLogger
  #isStopping = false
  #restarting: Promise<void> | undefined
  #isToRestartAgain = false

  /** The first worker loads what it needs at once, and waits for `listen`. */
  constructor(needs: { count: number; environment: WorkerEnvironment; log: FastifyBaseLogger }) {
    this.#count = needs.count
    this.#environment = needs.environment
    this.log = needs.log
    this.#places.push({ worker: this.#fork(), deaths: 0 })
  }

  /** Opens the port, and tells where; resolves once the first worker answers there. Then the others start. */
  async listen({ host, port }: { host: string; port: number }): Promise<string> {
    const address = await this.#door.open(host, port)
    const [first] = this.#places as [WorkerSlot]
    await this.#begin(first.worker)
    this.#watch(first)
    while (this.#places.length < this.#count) {
      const place = { worker: this.#fork(), deaths: 0 }
      this.#places.push(place)
      this.#watch(place)
      this.#begin(place.worker).catch(ignore)
    }
    return address
  }

  /** Lets a worker answer; resolves when it does. */
  async #begin(worker: Worker): Promise<void> {
    await begin(worker)
    this.#door.admit(worker)
    worker.on('message', (news: WorkerStatus) => {
      if (typeof news === 'object' && 'leaves' in news) this.#door.dismiss(worker)
    })
  }

  /** Puts new workers in the places of all, one after the other: each listens before the one before it leaves. */
  restart(): void {
    this.#isToRestartAgain = this.#restarting !== undefined
    this.#restarting ??= this.#restartAll().finally(() => {
      this.#restarting = undefined
      if (this.#isToRestartAgain && !this.#isStopping) this.restart()
    })
  }

  /** Has all workers answer what has come, and end. Their time runs from now on, though they still are given some. */
  async close(): Promise<void> {
    this.#isStopping = true
    const begun = performance.now()
    const all = () => Object.values(cluster.workers ?? {}) as Worker[]
    for (const worker of all()) order(worker, 'ending')
    await this.#door.close()
    for (const { timer } of this.#places) clearTimeout(timer)
    const left = LONGEST_STOP - (performance.now() - begun)
    await Promise.all(all().map((worker) => ended(worker, () => worker.process.kill('SIGTERM'), left)))
  }

  #fork(): Worker {
    const worker = cluster.fork({ ...this.#environment, [WORKER]: '1' })
    this.#answer(worker)
    return worker
  }

  /** Whoever dies is replaced at once, and later each time if that goes on. */
  #watch(place: WorkerSlot): void {
    const { worker } = place
    const begun = performance.now()
    let reason = ''
    worker.on('message', (news: WorkerStatus) => {
      if ('failure' in news) reason = `: ${news.failure}`
    })
    worker.once('exit', (code, signal) => {
      if (this.#isStopping || place.worker !== worker) return
      place.deaths = performance.now() - begun < EARLY ? place.deaths + 1 : 1
      const pause = place.deaths === 1 ? 0 : Math.min(LONGEST_PAUSE, SHORTEST_PAUSE * 2 ** place.deaths)
      const line = { worker: worker.process.pid, seconds: pause / 1000 }
      this.log.error(line, `worker exited (${signal ?? `code ${code}`}), starting another${reason}`)
      place.timer = setTimeout(() => {
        if (place.worker !== worker) return
        place.worker = this.#fork()
        this.#watch(place)
        this.#begin(place.worker).catch(ignore)
      }, pause)
    })
  }

  async #restartAll(): Promise<void> {
    this.log.info('replacing workers one by one')
    for (const place of this.#places) {
      const next = this.#fork()
      try {
        await this.#begin(next)
      } catch (error) {
        if (!this.#isStopping)
          this.log.error(
            `a new worker failed to start, so the restart was stopped and the remaining old workers keep running: ${(error as Error).message}`,
          )
        return
      }
      if (this.#isStopping) return
      const old = place.worker
      Object.assign(place, { worker: next, deaths: 0 })
      this.#watch(place)
      this.#door.dismiss(old)
      await ended(old, () => order(old, 'leave'))
    }
    this.log.info('all workers replaced')
  }

  /** Counts for a worker. What it holds is given up when it ends. */
  #answer(worker: Worker): void {
    const held = new Map<number, () => void>()
    worker.on('message', async (asked: QuotaRequest) => {
      if ('giveUp' in asked) {
        held.get(asked.giveUp)?.()
        held.delete(asked.giveUp)
      } else if ('take' in asked) reply({ id: asked.id, wait: await this.#quota.take(asked.within, asked.take) })
      else if ('hold' in asked) {
        const giveUp = await this.#quota.hold(asked.hold)
        if (giveUp) held.set(asked.id, giveUp)
        reply({ id: asked.id, wait: giveUp ? 0 : 1 })
      }
    })
    const reply = (answer: QuotaReply) => worker.isConnected() && worker.send(answer, ignore)
    worker.once('exit', () => {
      for (const giveUp of held.values()) giveUp()
    })
  }
}

const ignore = () => undefined

const order = (worker: Worker, what: WorkerCommand) => void (worker.isConnected() && worker.send(what, ignore))

function begin(worker: Worker): Promise<void> {
  order(worker, 'begin')
  return new Promise((resolve, reject) => {
    worker.on('message', (news: WorkerStatus) => {
      if ('ready' in news) resolve()
      else if ('failure' in news) reject(new Error(news.failure))
    })
    worker.once('exit', (code, signal) => reject(new Error(`the worker exited (${signal ?? `code ${code}`})`)))
  })
}

/** Has a worker end, and waits until it has; not for ever. */
function ended(worker: Worker, end: () => void, within = LONGEST_STOP): Promise<void> {
  if (worker.isDead()) return Promise.resolve()
  return new Promise((resolve) => {
    const limit = setTimeout(() => worker.process.kill('SIGKILL'), within)
    worker.once('exit', () => {
      clearTimeout(limit)
      resolve()
    })
    end()
  })
}

/** Is this process one that a parent of ours has started? There are others that start processes this way. */
export const isWorker = () => cluster.isWorker && process.env[WORKER] !== undefined

/** Could this process have workers? */
export const canHaveWorkers = () => cluster.isPrimary

/** A worker's connection to its parent. A worker that loses its parent exits. */
export class ParentProcess implements Quota {
  #last = 0
  readonly #waiting = new Map<number, (wait: number) => void>()
  /** Who has to wait until when, by names: they are refused without being asked about again. */
  readonly #refused = new Map<string, number>()
  readonly #orders = new Map<WorkerCommand, () => void>()
  /** The parent has said that requests may come. */
  readonly begun = new Promise<void>((resolve) => this.#orders.set('begin', resolve))
  /** The parent has said that another one is there. */
  readonly replaced = new Promise<void>((resolve) => this.#orders.set('leave', resolve))
  /** When the parent was told to stop: its workers are told later, and have no more time than it has. */
  told: number | undefined

  /** Takes a connection, or says that it does not. */
  #take: (socket: Socket) => boolean = () => false

  constructor() {
    this.#orders.set('ending', () => {
      this.told = performance.now()
    })
    process.on('message', (said: WorkerCommand | typeof CONNECTION | QuotaReply, socket?: Socket) => {
      if (said === CONNECTION) {
        const taken = socket !== undefined && this.#take(socket)
        // A copy: the parent has its own.
        if (!taken) socket?.destroy()
        return void process.send?.({ taken } satisfies ConnectionReceipt, undefined, undefined, ignore)
      }
      if (typeof said === 'string') return this.#orders.get(said)?.()
      this.#waiting.get(said.id)?.(said.wait)
      this.#waiting.delete(said.id)
    })
  }

  /** Who takes connections from now on. */
  handTo(take: (socket: Socket) => boolean): void {
    this.#take = take
  }

  tell(news: WorkerStatus): Promise<void> {
    return new Promise((resolve) => void process.send?.(news, undefined, undefined, () => resolve()))
  }

  async take(within: number, shares: readonly QuotaLimit[]): Promise<number> {
    const names = shares.map(({ name }) => name).join('\n')
    const left = (this.#refused.get(names) ?? 0) - performance.now()
    if (left > 0) return left
    this.#refused.delete(names)
    const wait = await this.#ask({ within, take: shares }).answer
    if (wait > 0) this.#refused.set(names, performance.now() + wait)
    if (this.#refused.size > MOST_REFUSED) this.#refused.delete(this.#refused.keys().next().value as string)
    return wait
  }

  async hold(share: QuotaLimit): Promise<(() => void) | undefined> {
    const { id, answer } = this.#ask({ hold: share })
    return (await answer) === 0 ? () => void this.#send({ id: ++this.#last, giveUp: id }) : undefined
  }

  #ask(what: { within: number; take: readonly QuotaLimit[] } | { hold: QuotaLimit }): {
    id: number
    answer: Promise<number>
  } {
    const id = ++this.#last
    const answer = new Promise<number>((resolve) => this.#waiting.set(id, resolve))
    this.#send({ id, ...what })
    return { id, answer }
  }

  #send(question: QuotaRequest): void {
    process.send?.(question, undefined, undefined, ignore)
  }
}
