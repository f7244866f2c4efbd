import type { Worker } from 'node:cluster'
import { lookup } from 'node:dns/promises'
import { type AddressInfo, createServer, isIPv6, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * The port that workers answer at. It is the parent's own from its start to its end, so that nobody is refused, and no other
 * program takes it, while workers die and come: connections wait for one. They are given out in turn, one at a time to each,
 * and stay the parent's until they are taken: what was on its way to a worker that has died is given to another.
 */

/** With this word a worker is given a connection; it answers whether it has taken it. */
export const CONNECTION = 'connection'
/** A worker's answer to an offered connection. */
export type ConnectionReceipt = { taken: boolean }

/** So many connections wait for a worker; more are closed. */
const MOST_WAITING = 10_000

/** As many as the system keeps by itself before they are accepted. */
const BACKLOG = 511

/** How long a connection waits for a worker, in milliseconds, and what it is told then. */
const PATIENCE = 15_000
const NOBODY_HERE =
  'HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'

/** When it closes: so many looks have found that nobody came, and whatever happens, it takes no longer than that. */
const QUIET = 5
const LONGEST_CLOSING = 3_000
/** So long those take at most who are told then that nobody is here. */
const FAREWELL = 250

/** Of all addresses of a machine, one that can be asked. */
const EVERYWHERE = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])

/** Accepts connections and hands each one to a free worker. */
export class ConnectionDispatcher {
  readonly #servers: Server[] = []
  /** The one that has waited longest comes first. */
  readonly #waiting: Socket[] = []
  readonly #free = new Set<Worker>()
  readonly #given = new Map<Worker, Socket>()
  readonly #leaving = new Set<Worker>()
  #isClosing = false
  /** Nobody is given a connection any more. */
  #isClosed = false
  /** So many looks ago somebody came last. */
  #quiet = 0

  /** Opens it, at all addresses of the name, and tells the first. */
  async open(host: string, port: number): Promise<string> {
    const addresses = host === 'localhost' ? (await lookup(host, { all: true })).map(({ address }) => address) : [host]
    for (const address of addresses) {
      const server = createServer({ pauseOnConnect: true }, (socket) => this.#welcome(socket))
      server.maxConnections = MOST_WAITING
      try {
        await listenOn(server, address, this.#port() ?? port)
        this.#servers.push(server)
      } catch (error) {
        // Of a name that stands for several, one is enough: not every machine has all of them.
        if (this.#servers.length === 0 && address === addresses.at(-1)) throw error
      }
    }
    const shown = EVERYWHERE.get(host) ?? host
    return `http://${isIPv6(shown) ? `[${shown}]` : shown}:${this.#port()}`
  }

  /** Closes it once what has come before is with workers, also with those that were told to leave at the same time. */
  async close(): Promise<void> {
    const begun = performance.now()
    const passed = () => performance.now() - begun
    this.#isClosing = true
    this.#quiet = 0
    for (const worker of this.#leaving) if (!this.#given.has(worker)) this.#free.add(worker)
    this.#giveOut()
    while (this.#quiet < QUIET && passed() < LONGEST_CLOSING) {
      await pause(10)
      this.#quiet++
    }
    for (const server of this.#servers) server.close()
    while (this.#waiting.length + this.#given.size > 0 && passed() < LONGEST_CLOSING) await pause(10)
    this.#isClosed = true
    const told = this.#waiting.splice(0).map(sendAway)
    if (told.length > 0) await Promise.race([Promise.all(told), pause(FAREWELL)])
  }

  /** From now on the worker is given connections. */
  admit(worker: Worker): void {
    worker.on('message', (said: ConnectionReceipt) => {
      if (typeof said === 'object' && 'taken' in said) this.#settle(worker, said.taken)
    })
    worker.once('exit', () => this.dismiss(worker, true))
    this.#free.add(worker)
    this.#giveOut()
  }

  /** From now on it is given none any more; what it has not taken when it is gone is another's. */
  dismiss(worker: Worker, isGone = false): void {
    if (isGone || !this.#isClosing) this.#free.delete(worker)
    this.#leaving.add(worker)
    if (!isGone) return
    this.#leaving.delete(worker)
    this.#settle(worker, false)
  }

  #port = () => (this.#servers[0]?.address() as AddressInfo | undefined)?.port

  #welcome(socket: Socket): void {
    socket.on('error', () => undefined)
    this.#waiting.push(socket)
    this.#quiet = 0
    const late = setTimeout(() => this.#sendAway(socket), PATIENCE).unref()
    socket.once('close', () => clearTimeout(late))
    this.#giveOut()
  }

  /** Not while it is on its way to somebody. */
  #sendAway(socket: Socket): void {
    const place = this.#waiting.indexOf(socket)
    if (place < 0) return
    this.#waiting.splice(place, 1)
    sendAway(socket)
  }

  #giveOut(): void {
    for (const worker of this.#free) {
      const socket = this.#waiting.shift()
      if (!socket) return
      this.#free.delete(worker)
      this.#given.set(worker, socket)
      worker.process.send?.(CONNECTION, socket, { keepOpen: true }, (error) => error && this.#settle(worker, false))
    }
  }

  /** Whoever has taken what it was given is the last to be given the next. */
  #settle(worker: Worker, isTaken: boolean): void {
    const socket = this.#given.get(worker)
    this.#given.delete(worker)
    // The connection is the worker's: here it is only let go.
    if (socket && isTaken) socket.destroy()
    else if (socket && this.#isClosed) sendAway(socket)
    else if (socket) this.#waiting.unshift(socket)
    if (isTaken && (this.#isClosing || !this.#leaving.has(worker))) this.#free.add(worker)
    this.#giveOut()
  }
}

/** What was asked is read and thrown away: of a connection that is closed with something unread, the answer may be lost. */
const sendAway = (socket: Socket) =>
  new Promise<void>((resolve) => {
    socket.once('close', () => resolve()).end(NOBODY_HERE, () => resolve())
    socket.resume()
  })

const listenOn = (server: Server, host: string, port: number) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, backlog: BACKLOG }, () => {
      server.off('error', reject)
      resolve()
    })
  })
