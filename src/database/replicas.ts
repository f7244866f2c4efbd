import { setTimeout as pause } from 'node:timers/promises'
import { NotHere, type Sql } from './database.ts'
import { look, postgresAt, type ServerOptions, Servers } from './postgres-servers.ts'

/** How long nobody is sent to a server that is away, and how long to one that is behind. */
const AWAY = 5_000
const BEHIND = 1_000

/** So often in a row a server may lack what is asked for before it counts as behind. */
const OFTEN = 10

/** How long the end of connections is waited for: a server that has fallen silent never answers. */
const FAREWELL = 1_000

type Replica = {
  readonly place: string
  readonly servers: Servers
  waitsUntil: number
  isLookedFor: boolean
  /** Why it is left out was told. */
  isTold: boolean
  misses: number
}

/** Servers that follow the one that takes writes: reads go there in turn, as far as those have what is asked for. */
export class Replicas {
  readonly #all: readonly Replica[]
  #turn = 0

  constructor(addresses: readonly string[], options: ServerOptions) {
    this.#all = addresses.map((address) => ({
      place: postgresAt(address),
      servers: new Servers(address, { ...options, patience: 1_000, mayFollow: true }),
      waitsUntil: 0,
      isLookedFor: false,
      isTold: false,
      misses: 0,
    }))
  }

  /** What reading at one of them gives; undefined when it must be done at the one that takes writes. */
  async read<T>(
    begin: string,
    isRecent: (sql: Sql) => Promise<boolean>,
    work: (sql: Sql, isFollowing: boolean) => Promise<T>,
    isOutage: (error: unknown) => boolean,
  ): Promise<{ value: T } | undefined> {
    const one = this.#next()
    if (!one) return undefined
    let hasBegun = false
    try {
      // What takes long is read where nobody else would be asked instead.
      const line = await one.servers.line('short')
      const value = await look(line, begin, async (sql) => {
        if (!(await isRecent(line.within('hasty')))) throw new NotHere()
        hasBegun = true
        return work(sql, true)
      })
      one.misses = 0
      one.isTold = false
      return { value }
    } catch (error) {
      if (error instanceof NotHere) {
        if (!hasBegun && ++one.misses % OFTEN === 0) rest(one)
      } else if (hasBegun && !isOfServer(error) && !isOutage(error)) throw error
      else if (isBusy(error)) rest(one)
      else if (!hasBegun || !isOfWork(error)) this.#leaveOut(one, error)
      return undefined
    }
  }

  async close(): Promise<void> {
    for (const one of this.#all) one.waitsUntil = Number.POSITIVE_INFINITY
    const closed = Promise.all(this.#all.map(({ servers }) => servers.close()))
    const waited = new AbortController()
    await Promise.race([closed, pause(FAREWELL, undefined, { signal: waited.signal }).catch(() => undefined)])
    waited.abort()
  }

  #next(): Replica | undefined {
    const now = Date.now()
    for (const _ of this.#all) {
      this.#turn = (this.#turn + 1) % this.#all.length
      const one = this.#all[this.#turn] as Replica
      if (one.waitsUntil <= now) return one
    }
    return undefined
  }

  /** Nobody waits for a server that is away, or of no use: it is looked for aside, until it answers. */
  #leaveOut(one: Replica, why: unknown): void {
    if (one.waitsUntil === Number.POSITIVE_INFINITY) return
    one.waitsUntil = Number.MAX_SAFE_INTEGER
    if (one.isLookedFor) return
    one.isLookedFor = true
    one.servers.goOn()
    if (!one.isTold)
      process.emitWarning(`${one.place} is left out, and the first server is read: ${why}`, 'DatabaseWarning')
    one.isTold = true
    const timer = setInterval(async () => {
      const isThere = await isAnswering(one.servers)
      if (one.waitsUntil !== Number.POSITIVE_INFINITY && !isThere) return
      clearInterval(timer)
      one.isLookedFor = false
      if (one.waitsUntil !== Number.POSITIVE_INFINITY) one.waitsUntil = 0
    }, AWAY)
    timer.unref()
  }
}

async function isAnswering(servers: Servers): Promise<boolean> {
  try {
    const line = await servers.line('hasty')
    const isThere = await line.say('select 1').then(
      () => true,
      () => false,
    )
    line.done(!isThere)
    return isThere
  } catch {
    return false
  }
}

/** Nobody is sent there for a moment. */
const rest = (one: Replica) => {
  one.waitsUntil = Math.max(one.waitsUntil, Date.now() + BEHIND)
}

type Failure = { readonly code?: string; readonly message?: string; readonly severity?: string } | undefined

/** Is it the server that says so? */
const isOfServer = (error: unknown) => (error as Failure)?.severity !== undefined

/** All connections are in use. */
const isBusy = (error: unknown) => (error as Failure)?.message === 'timeout exceeded when trying to connect'

/** Values that do not fit, and work that takes too long, are no fault of the server's. */
const isOfWork = (error: unknown) =>
  /^(22|57014)/.test((error as Failure)?.code ?? '') || (error as Failure)?.message === 'Query read timeout'
