import type pg from 'pg'
import type { DatabaseLoad, Sql } from './database.ts'
import { kyselyWith, POSTGRES, type StatementLog } from './kysely.ts'
import { hostAndPort, postgresHosts } from './postgres-address.ts'
import {
  driver,
  type Pooler,
  type ResponseTimeout,
  runOn,
  SERVER_TIMEOUTS,
  sendText,
  TYPES,
} from './postgres-driver.ts'
import { NoUsableHost, ReadOnlyServer } from './postgres-errors.ts'

export type PoolOptions = {
  readonly connections: number
  readonly pooler: Pooler
  readonly log: StatementLog
  /** How long a connection may take to open, in milliseconds. */
  readonly connectTimeout?: number
  /** A server that takes no writes is enough. */
  readonly allowsStandby?: boolean
  readonly onConnectionLost?: () => void
}

/** A connection taken from a pool. It sends each statement without waiting for the results of those before. */
export type PostgresConnection = {
  readonly sql: Sql
  withTimeout(timeout: ResponseTimeout): Sql
  /** Sends a statement without parameters. */
  send(statement: string): Promise<{ command: string }>
  /** Returns the connection to its pool, or closes it if it is broken. */
  release(isBroken?: boolean): void
}

const IS_READ_ONLY = "select current_setting('transaction_read_only') = 'on' as is_read_only"

/** A connection pool for each host of an address. Connections go to the host that takes writes, or to any that is reachable. */
export class PostgresPools {
  readonly #pools: pg.Pool[]
  readonly #hosts: string[]
  readonly #options: PoolOptions
  readonly #sqlByClient = new WeakMap<pg.PoolClient, Map<ResponseTimeout, Sql>>()
  /** The value of `#epoch` when each connection was opened. */
  readonly #epochs = new WeakMap<pg.PoolClient, number>()
  /** Connections of an earlier epoch are not used again. */
  #epoch = 0
  #current = 0

  constructor(address: string, options: PoolOptions) {
    this.#options = options
    const addresses = postgresHosts(address)
    this.#hosts = addresses.map(hostAndPort)
    this.#pools = addresses.map((one) => this.#createPool(one, addresses.length > 1 && !options.allowsStandby))
  }

  async connection(timeout: ResponseTimeout = 'normal'): Promise<PostgresConnection> {
    const client = await this.#connect()
    return {
      sql: this.#sqlOf(client, timeout),
      withTimeout: (other) => this.#sqlOf(client, other),
      send: (text) => sendText(client, text, timeout),
      release: (isBroken) => client.release(isBroken),
    }
  }

  /** Stops using the open connections, because the server has changed. */
  discardConnections(): void {
    this.#epoch++
  }

  /** Stops using the current host, and tries the next one first. */
  useNextHost(): void {
    this.discardConnections()
    this.#current = (this.#current + 1) % this.#pools.length
  }

  load(): DatabaseLoad {
    const pool = this.#pools[this.#current] as pg.Pool
    return {
      max: this.#options.connections,
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: { connection: pool.waitingCount },
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.end()))
  }

  async #connect(): Promise<pg.PoolClient> {
    const reasons: unknown[] = []
    const first = this.#current
    for (let tried = 0; tried < this.#pools.length; tried++) {
      const at = (first + tried) % this.#pools.length
      const pool = this.#pools[at] as pg.Pool
      try {
        for (;;) {
          const client = await pool.connect()
          if (this.#epochs.get(client) === this.#epoch) return client
          client.release(true)
        }
      } catch (error) {
        // If all its connections are in use, the host is the right one.
        if (this.#pools.length === 1 || pool.totalCount >= this.#options.connections) throw error
        reasons[at] = error
        // Meanwhile another caller may have moved to the next host.
        if (at === this.#current) this.#current = (at + 1) % this.#pools.length
      }
    }
    throw new NoUsableHost(this.#hosts, reasons)
  }

  #createPool(connectionString: string, mustTakeWrites: boolean): pg.Pool {
    const { connections, pooler, connectTimeout = 5_000, onConnectionLost = () => undefined } = this.#options
    const own = { connectionString, max: connections, types: TYPES, application_name: 'cadre', keepAlive: true }
    const pool = new (driver().Pool)({
      ...own,
      connectionTimeoutMillis: connectTimeout,
      // One connection stays open, so that the loss of the server is noticed.
      min: 1,
      // A pooler accepts none of these when a connection opens.
      ...(pooler === 'none' ? { ...SERVER_TIMEOUTS, options: '-c timezone=UTC -c datestyle=ISO' } : {}),
      ...({ pipeline: true } satisfies object),
      onConnect: async (client) => {
        const query = (text: string) => client.query({ text, query_timeout: connectTimeout } as pg.QueryConfig)
        // A pooler passes these settings on to each connection that it uses.
        if (pooler !== 'none') await query("set timezone to 'UTC'; set datestyle to 'ISO'")
        const { rows } = mustTakeWrites ? await query(IS_READ_ONLY) : { rows: [] }
        if (rows[0]?.is_read_only) throw new ReadOnlyServer('it is read-only (a standby)')
      },
    })
    // Without listeners, a lost connection would end the process. Its next user gets the error.
    pool.on('error', onConnectionLost)
    pool.on('connect', (client) => {
      // Without an open connection, nothing has noticed whether the server was lost.
      if (pool.totalCount <= 1) onConnectionLost()
      client.on('error', onConnectionLost)
      this.#epochs.set(client, this.#epoch)
    })
    return pool
  }

  #sqlOf(client: pg.PoolClient, timeout: ResponseTimeout): Sql {
    const byTimeout = this.#sqlByClient.get(client) ?? new Map<ResponseTimeout, Sql>()
    this.#sqlByClient.set(client, byTimeout)
    const known = byTimeout.get(timeout)
    if (known) return known
    const sql = kyselyWith(POSTGRES, runOn(client, timeout, this.#options.pooler === 'none'), this.#options.log)
    byTimeout.set(timeout, sql)
    return sql
  }
}
