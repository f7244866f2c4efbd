import { NotHere, type Sql } from './database.ts'
import { look, type ServerOptions, Servers } from './postgres-servers.ts'

/** How long nobody is sent to a server that is away, and how long to one that is behind. */
const AWAY = 5_000
const BEHIND = 1_000

/** So often in a row a server may lack what is asked for before it counts as behind. */
const OFTEN = 10

type Replica = { readonly servers: Servers; waitsUntil: number; isLookedFor: boolean; misses: number }

/** Servers that follow the one that takes writes: reads go there in turn, as far as those have what is asked for. */
export class Replicas {
  readonly #all: readonly Replica[]
  #turn = 0

  constructor(addresses: readonly string[], options: ServerOptions) {
    this.#all = addresses.map((address) => ({
      servers: new Servers(address, { ...options, patience: 1_000 }),
      waitsUntil: 0,
      isLookedFor: false,
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
    try {
      const value = await look(await one.servers.line(), begin, async (sql) => {
        if (await isRecent(sql)) return work(sql, true)
        throw new Behind()
      })
      one.misses = 0
      return { value }
    } catch (error) {
      if (error instanceof Behind) {
        one.misses++
        if (one.misses % OFTEN === 0) one.waitsUntil = Date.now() + BEHIND
      } else if (isOutage(error)) this.#leaveOut(one)
      else if (!(error instanceof NotHere)) throw error
      return undefined
    }
  }

  async close(): Promise<void> {
    for (const one of this.#all) one.waitsUntil = Number.POSITIVE_INFINITY
    await Promise.all(this.#all.map(({ servers }) => servers.close()))
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

  /** Nobody waits for a server that is away: it is looked for aside, until it answers. */
  #leaveOut(one: Replica): void {
    if (one.waitsUntil === Number.POSITIVE_INFINITY) return
    one.waitsUntil = Number.MAX_SAFE_INTEGER
    if (one.isLookedFor) return
    one.isLookedFor = true
    const timer = setInterval(async () => {
      const isThere = await one.servers.line().then(
        async (line) => {
          const answer = await line.say('select 1').then(
            () => true,
            () => false,
          )
          line.done(!answer)
          return answer
        },
        () => false,
      )
      if (one.waitsUntil !== Number.POSITIVE_INFINITY && !isThere) return
      clearInterval(timer)
      one.isLookedFor = false
      if (one.waitsUntil !== Number.POSITIVE_INFINITY) one.waitsUntil = 0
    }, AWAY)
    timer.unref()
  }
}

class Behind extends Error {}
