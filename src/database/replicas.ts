import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { NotHere, type ReplicaLoad, type Sql, type Uselessness } from './database.ts'
import { glance, look, postgresAt, type ServerOptions, Servers } from './postgres-servers.ts'

/** How long nobody is sent to a server that is away, and how long to one that is behind. */
const AWAY = 5_000
const BEHIND = 1_000

/** So often in a row a server may lack what is asked for before it counts as behind. */
const OFTEN = 10

/** How long the end of connections is waited for: a server that has fallen silent never answers. */
const FAREWELL = 1_000

/** A server that was of no use for so long is told of; of each so often at most. */
const USELESS = 5_000
const TOLD_AGAIN = 60_000

const WORDS: Record<Uselessness, string> = {
  behind: 'it lags behind',
  other_history: 'it is not a replica of this server',
  away: 'it is unreachable',
  busy: 'all its connections are in use',
}

type Replica = {
  readonly place: string
  readonly servers: Servers
  waitsUntil: number
  isLookedFor: boolean
  /** Why it is left out was told, and when last. */
  isTold: boolean
  toldAt: number
  misses: number
  /** Since when no read was answered that was asked for there. */
  uselessSince: number | undefined
  /** Why it is not read while nobody is sent there. */
  why: Uselessness
  readonly reads: Record<'answered' | Uselessness, number>
}

/** Servers that follow the one that takes writes: reads go there in turn, as far as those have what is asked for. */
export class Replicas {
  readonly #all: readonly Replica[]
  readonly #identity: () => Promise<string>
  #turn = 0

  /** Which cluster the one that takes writes is, its copies are, too. */
  constructor(addresses: readonly string[], options: ServerOptions, identity: () => Promise<string>) {
    this.#identity = identity
    this.#all = addresses.map((address) => ({
      place: postgresAt(address),
      servers: new Servers(address, { ...options, patience: 1_000, mayFollow: true }),
      waitsUntil: 0,
      isLookedFor: false,
      isTold: false,
      toldAt: Number.NEGATIVE_INFINITY,
      misses: 0,
      uselessSince: undefined,
      why: 'behind',
      reads: { answered: 0, behind: 0, other_history: 0, away: 0, busy: 0 },
    }))
  }

  load(): ReplicaLoad[] {
    return this.#all.map(({ servers, reads }) => {
      const { busy, idle } = servers.load()
      return { busy, idle, reads }
    })
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
      Object.assign(one, { misses: 0, isTold: false, uselessSince: undefined, why: 'behind' })
      one.reads.answered++
      return { value }
    } catch (error) {
      if (error instanceof NotHere) {
        if (!hasBegun) this.#miss(one)
      } else if (hasBegun && !isOfServer(error) && !isOutage(error)) throw error
      else if (isBusy(error)) rest(one, 'busy')
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
      one.reads[one.why]++
    }
    return undefined
  }

  /** A server lacks what was asked for. Whether it will ever have it is found out when that goes on. */
  #miss(one: Replica): void {
    const now = Date.now()
    one.uselessSince ??= now
    if (++one.misses % OFTEN !== 0) return void one.reads[one.why === 'other_history' ? one.why : 'behind']++
    rest(one, one.why === 'other_history' ? one.why : 'behind')
    if (now - one.uselessSince < USELESS || one.isTold) return
    this.#isOfAnother(one).then((isOfAnother) => {
      if (one.uselessSince === undefined) return
      if (isOfAnother) one.why = 'other_history'
      tell(one, WORDS[one.why])
    })
  }

  /** Does it follow another server, or none? */
  async #isOfAnother({ servers }: Replica): Promise<boolean> {
    try {
      const own = await glance(await servers.line('hasty'), async (on) => (await FOLLOWING.execute(on)).rows[0])
      return !own?.follows || own.system !== (await this.#identity())
    } catch {
      return false
    }
  }

  /** Nobody waits for a server that is away, or of no use: it is looked for aside, until it answers. */
  #leaveOut(one: Replica, why: unknown): void {
    if (one.waitsUntil === Number.POSITIVE_INFINITY) return
    one.reads.away++
    one.why = 'away'
    one.waitsUntil = Number.MAX_SAFE_INTEGER
    if (one.isLookedFor) return
    one.isLookedFor = true
    one.servers.goOn()
    tell(one, why)
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

/** Says once why a server is left out, until it was read again. */
function tell(one: Replica, why: unknown): void {
  const now = Date.now()
  if (one.isTold || now - one.toldAt < TOLD_AGAIN) return
  Object.assign(one, { isTold: true, toldAt: now })
  process.emitWarning(
    `Reads go to the primary instead of the read replica ${one.place.replace(/,$/, '')}: ${why}`,
    'DatabaseWarning',
  )
}

/** Which cluster a server is of, and whether it follows another server of it. */
export const FOLLOWING = sql<{ follows: boolean; system: string }>`
  select pg_is_in_recovery() as follows, system_identifier::text as system from pg_control_system()`

/** Nobody is sent there for a moment. */
const rest = (one: Replica, why: Uselessness) => {
  one.reads[why]++
  one.why = why
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
