import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import type pg from 'pg'
import type { Load, Sql } from './database.ts'
import { kyselyBy, type Log, POSTGRES, type Run } from './statements.ts'
import type { Transaction } from './together.ts'

/** PostgreSQL servers, and connections to them. */

const load = createRequire(import.meta.url)
let loaded: typeof pg | undefined
/** The driver, loaded with the first address of PostgreSQL: a service on SQLite does without it. */
function driver(): typeof pg {
  loaded ??= load('pg') as typeof pg
  return loaded
}

const BIGINT = 20
const DATE = 1082
const TIMESTAMPTZ = 1184

/** The driver's values as the rest of the code has them: numbers, `YYYY-MM-DD`, ISO 8601. */
const types = {
  getTypeParser(oid: number, format?: any): any {
    if (oid === BIGINT) return Number
    if (oid === DATE) return (value: string) => value
    if (oid === TIMESTAMPTZ) return (value: string) => new Date(value).toISOString()
    return driver().types.getTypeParser(oid, format)
  },
}

/** How long things may take, in milliseconds. */
const LIMITS = { statement_timeout: 15_000, lock_timeout: 10_000, idle_in_transaction_session_timeout: 30_000 }

/**
 * How long the answer to a statement is waited for: a connection that has fallen silent is given up. The server gives up
 * long ones by itself, and earlier.
 */
export type Patience = 'hasty' | 'short' | 'usual' | 'endless'
const PATIENCE: Record<Patience, number> = {
  hasty: 1_500,
  short: 5_000,
  usual: LIMITS.statement_timeout + 5_000,
  endless: 0,
}

export type Pooler = 'none' | 'transaction'

export type ServerOptions = {
  readonly connections: number
  /** What stands between: with `transaction`, each transaction may come to another connection of the server's. */
  readonly pooler: Pooler
  readonly log: Log
  /** How long a connection may take to come about. */
  readonly patience?: number
  /** Servers that take no writes will do. */
  readonly mayFollow?: boolean
  /** A connection was lost. */
  readonly onLoss?: () => void
}

/** A connection for a while. Statements are sent as they come, without waiting for the answers to those before. */
export type Line = {
  readonly sql: Sql
  /** The same, waiting otherwise for answers. */
  within(patience: Patience): Sql
  /** Sends a statement of our own, without parameters. */
  say(statement: string): Promise<{ command: string }>
  /** Gives it back; one that is broken, or of a server that has changed, is not used again. */
  done(isBroken?: boolean): void
}

/** Servers that follow another one, or were told to, take no writes. */
const FOLLOWS = "select current_setting('transaction_read_only') = 'on' as follows"

/** One or several servers of an address, of which one takes writes, or any will do. */
export class Servers {
  readonly #pools: pg.Pool[]
  readonly #places: string[]
  readonly #options: ServerOptions
  /** Statements of one connection. */
  readonly #sqls = new WeakMap<pg.PoolClient, Map<Patience, Sql>>()
  /** When connections came about. */
  readonly #ages = new WeakMap<pg.PoolClient, number>()
  #age = 0
  #current = 0

  constructor(address: string, options: ServerOptions) {
    this.#options = options
    const addresses = hostsIn(address)
    this.#places = addresses.map((one) => placeOf(new (driver().Client)({ connectionString: one })))
    this.#pools = addresses.map((one) => this.#pool(one, addresses.length > 1 && !options.mayFollow))
  }

  /** A connection to the server that takes writes, or to any that will do. */
  async line(patience: Patience = 'usual'): Promise<Line> {
    const client = await this.#connect()
    return {
      sql: this.#sqlOf(client, patience),
      within: (other) => this.#sqlOf(client, other),
      say: (text) => sending(client, { text, ...waiting(patience) }),
      done: (isBroken) => client.release(isBroken),
    }
  }

  /** The server is not what it was: its connections are not used again. */
  hasChanged(): void {
    this.#age++
  }

  /** The server is of no use: where there are several, the next one is tried first. */
  goOn(): void {
    this.hasChanged()
    this.#current = (this.#current + 1) % this.#pools.length
  }

  load(): Load {
    const pool = this.#pools[this.#current] as pg.Pool
    return {
      most: this.#options.connections,
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: { connection: pool.waitingCount },
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.end()))
  }

  async #connect(): Promise<pg.PoolClient> {
    const problems: unknown[] = []
    const begun = this.#current
    for (let tried = 0; tried < this.#pools.length; tried++) {
      const at = (begun + tried) % this.#pools.length
      const pool = this.#pools[at] as pg.Pool
      try {
        for (;;) {
          const client = await pool.connect()
          if (this.#ages.get(client) === this.#age) return client
          client.release(true)
        }
      } catch (error) {
        // A server that is merely busy is the right one.
        if (this.#pools.length === 1 || pool.totalCount >= this.#options.connections) throw error
        problems[at] = error
        // Another one may have gone on to the next meanwhile.
        if (at === this.#current) this.#current = (at + 1) % this.#pools.length
      }
    }
    throw new NoneOfThem(this.#places, problems)
  }

  #pool(connectionString: string, mustTakeWrites: boolean): pg.Pool {
    const { connections, pooler, patience = 5_000, onLoss = () => undefined } = this.#options
    const own = { connectionString, max: connections, types, application_name: 'cadre', keepAlive: true }
    const pool = new (driver().Pool)({
      ...own,
      connectionTimeoutMillis: patience,
      // One stays, by which it is noticed when the server goes away.
      min: 1,
      // A pooler takes none of these when a connection begins.
      ...(pooler === 'none' ? { ...LIMITS, options: '-c timezone=UTC -c datestyle=ISO' } : {}),
      ...({ pipeline: true } satisfies object),
      onConnect: async (client) => {
        // What a pooler knows of: it says so to whichever connection it uses.
        const ask = (text: string) => client.query({ text, query_timeout: patience } as pg.QueryConfig)
        if (pooler !== 'none') await ask("set timezone to 'UTC'; set datestyle to 'ISO'")
        const { rows } = mustTakeWrites ? await ask(FOLLOWS) : { rows: [] }
        if (rows[0]?.follows) throw new Follows('it is read-only (a standby)')
      },
    })
    // Without listeners, a lost connection would end the process. Whoever uses it next is told.
    pool.on('error', onLoss)
    pool.on('connect', (client) => {
      // While there was none, nobody could have told that the server went away.
      if (pool.totalCount <= 1) onLoss()
      client.on('error', onLoss)
      this.#ages.set(client, this.#age)
    })
    return pool
  }

  #sqlOf(client: pg.PoolClient, patience: Patience): Sql {
    const all = this.#sqls.get(client) ?? new Map<Patience, Sql>()
    this.#sqls.set(client, all)
    const known = all.get(patience)
    if (known) return known
    const sql = kyselyBy(POSTGRES, runningOn(client, patience, this.#options.pooler === 'none'), this.#options.log)
    all.set(patience, sql)
    return sql
  }
}

/** A server was asked for that takes writes, and this one follows another. */
export class Follows extends Error {}

/** None of several servers can be used: each has its reason. */
export class NoneOfThem extends Error {
  readonly problems: readonly unknown[]

  constructor(places: readonly string[], problems: readonly unknown[]) {
    super(places.map((place, at) => `${place}: ${wordsOf(problems[at])}`).join('; '), { cause: problems[0] })
    this.problems = problems
  }
}

/** A name with several addresses fails once for each of them. */
export const wordsOf = (error: unknown): string =>
  error instanceof AggregateError ? wordsOf(error.errors[0]) : error instanceof Error ? error.message : String(error)

/** Runs a single statement. */
export async function glance<T>(line: Line, work: (sql: Sql) => Promise<T>): Promise<T> {
  try {
    const result = await work(line.sql)
    line.done()
    return result
  } catch (error) {
    // On one that has not answered, whoever uses it next would wait behind what it still does.
    line.done(isSilence(error))
    throw error
  }
}

const isSilence = (error: unknown) => error instanceof Error && error.message === 'Query read timeout'

/** Runs reads that see one state of the data. Nobody waits for the answers to how they begin and end. */
export async function look<T>(line: Line, begin: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const begun = line.say(begin)
  const end = () =>
    void line.say('rollback').then(
      () => line.done(),
      () => line.done(true),
    )
  begun.catch(() => undefined)
  try {
    const result = await work(line.sql)
    await begun
    return result
  } finally {
    end()
  }
}

/** Begins a transaction that writes. Nobody waits for the answers to what cannot fail by itself. */
export function begun(line: Line, begin: string): Transaction {
  const quietly = async (statement: string) => void line.say(statement).catch(() => undefined)
  const beginning = line.say(begin)
  beginning.catch(() => undefined)
  let isOver = false
  const over = (isBroken = false) => {
    isOver = true
    line.done(isBroken)
  }
  return {
    sql: line.sql,
    mark: () => quietly('savepoint job'),
    takeBack: () => line.say('rollback to savepoint job; release savepoint job'),
    unmark: () => quietly('release savepoint job'),
    async commit() {
      await beginning
      try {
        const { command } = await line.say('commit')
        over()
        // A transaction in which a statement failed cannot be committed, and says so in passing.
        if (command !== 'COMMIT') throw new Error(`Nothing was stored: the transaction ended with ${command}`)
      } catch (error) {
        if (!isOver) over(true)
        throw error
      }
    },
    async end() {
      if (isOver) return
      await line.say('rollback').then(
        () => over(),
        () => over(true),
      )
    },
  }
}

/** Runs writes as one transaction; they are on disk when it resolves. */
export async function store<T>(line: Line, begin: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const transaction = begun(line, begin)
  try {
    const result = await work(transaction.sql)
    await transaction.commit()
    return result
  } catch (error) {
    await transaction.end()
    throw error
  }
}

/** How transactions begin: behind a pooler, each says for itself what a connection would know. */
export const beginning = (pooler: Pooler, how: string, limits: Partial<typeof LIMITS> = {}): string => {
  const own = pooler === 'none' ? limits : { ...LIMITS, ...limits }
  return [`begin ${how}`, ...Object.entries(own).map(([name, value]) => `set local ${name} = ${value}`)].join('; ')
}

/** `postgres://who@one:5432,two:5432/name` → an address for each of the hosts. */
export function hostsIn(address: string, name = 'DATABASE_URL'): string[] {
  const [, before, hosts = '', after] = /^(\w+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s.exec(address) ?? []
  const all = hosts.split(',').map((host) => `${before}${host}${after}`)
  if (!all.every((one) => URL.canParse(one)))
    throw new Error(`${name} must be a URL like postgres://user:password@host:5432/name`)
  return all
}

/** Which database an address means, in words that hold no password. */
export function postgresAt(address: string): string {
  const clients = hostsIn(address).map((one) => new (driver().Client)({ connectionString: one }))
  return `PostgreSQL at ${clients.map(placeOf).join(' or ')}, database ${clients[0]?.database},`
}

const placeOf = ({ host, port }: pg.Client) => `${host.includes(':') ? `[${host}]` : host}:${port}`

const names = new Map<string, string>()

/** Statements get names, so that the server parses and plans each of them once for a connection, not every time. */
function nameOf(text: string): string | undefined {
  if (!names.has(text) && names.size < 2000) names.set(text, `s${names.size}`)
  return names.get(text)
}

/** Sends a statement. Those of one turn of the event loop leave together: to write to a socket costs more than most of them. */
function sending(client: pg.PoolClient, query: pg.QueryConfig): Promise<pg.QueryResult> {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  if (stream.writableCorked === 0) {
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
  return client.query(query)
}

const CHANGING = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

const waiting = (patience: Patience) => (PATIENCE[patience] ? { query_timeout: PATIENCE[patience] } : {})

function runningOn(client: pg.PoolClient, patience: Patience, isPrepared: boolean): Run {
  const limit = waiting(patience)
  return async (text, values) => {
    const name = isPrepared && values.length > 0 ? nameOf(text) : undefined
    const query = { ...(name ? { name } : {}), text, values, ...limit } as pg.QueryConfig
    const { command, rowCount, rows } = await sending(client, query)
    return CHANGING.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
  }
}
