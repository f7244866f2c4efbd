import { DatabaseUnavailable, TOO_LONG, UnsupportedStatement } from './database.ts'
import { GroupCommit } from './group-commit.ts'
import type { StatementLog } from './kysely.ts'
import { describePostgres } from './postgres-address.ts'
import type { Pooler, ResponseTimeout } from './postgres-driver.ts'
import {
  CANCELLED,
  DISK_FULL,
  isOutage,
  isStalePlan,
  NOT_SUPPORTED,
  READ_ONLY,
  type ServerError,
} from './postgres-errors.ts'
import { type PostgresConnection, PostgresPools } from './postgres-pools.ts'
import { beginStatement, beginTransaction } from './postgres-transactions.ts'

/** The server that takes writes: connections to it, and a queue of writers for each account. */
export class PostgresPrimary {
  readonly pools: PostgresPools
  /** Grows with each sign that the server was unreachable or replaced. */
  generation = 0
  readonly #address: string
  readonly #begin: string
  readonly #queues = new Map<number, GroupCommit>()
  #hasConnected = false

  constructor(
    address: string,
    { connections, pooler, log }: { connections: number; pooler: Pooler; log: StatementLog },
  ) {
    this.#address = address
    this.#begin = beginStatement(pooler, '')
    const onConnectionLost = () => void this.generation++
    this.pools = new PostgresPools(address, { connections, pooler, log, onConnectionLost })
  }

  /** How many writers wait for others of their account. */
  get waitingWriters(): number {
    return [...this.#queues.values()].reduce((sum, queue) => sum + queue.waiting, 0)
  }

  async run<T>(work: (connection: PostgresConnection) => Promise<T>, timeout?: ResponseTimeout): Promise<T> {
    try {
      return await work(await this.#connection(timeout))
    } catch (error) {
      throw this.#outage(error)
    }
  }

  /** The queue of an account's writers, for as long as there are any. */
  queueOf(accountId: number): GroupCommit {
    const known = this.#queues.get(accountId)
    if (known) return known
    const queue = new GroupCommit({
      begin: async () => beginTransaction(await this.#connection(), this.#begin),
      outage: (error) => this.#outage(error),
      whenIdle: () => this.#queues.delete(accountId),
    })
    this.#queues.set(accountId, queue)
    return queue
  }

  async untilIdle(): Promise<void> {
    for (const queue of this.#queues.values()) await queue.untilIdle()
  }

  async #connection(timeout?: ResponseTimeout): Promise<PostgresConnection> {
    try {
      const connection = await this.pools.connection(timeout)
      this.#hasConnected = true
      return connection
    } catch (error) {
      // A server that accepted our password before will do so again.
      if (this.#hasConnected) throw new DatabaseUnavailable(String(error), { cause: error })
      throw error
    }
  }

  /** Turns a failure of the server into `DatabaseUnavailable`, and returns any other error as it is. */
  #outage(error: unknown): unknown {
    if (error instanceof DatabaseUnavailable) return error
    const serverError = (error ?? {}) as ServerError
    const { code } = serverError
    // After a failover this server is a standby; after a migration its connections have stale plans.
    if (code === READ_ONLY || isStalePlan(serverError)) {
      this.pools.discardConnections()
      this.generation++
    }
    if (code === NOT_SUPPORTED && !isStalePlan(serverError)) return new UnsupportedStatement(serverError)
    if (!isOutage(error)) return error
    const message = code === READ_ONLY ? `${describePostgres(this.#address)} is a read-only standby` : String(error)
    return new DatabaseUnavailable(message, {
      cause: error,
      isFull: code === DISK_FULL,
      publicMessage: code === CANCELLED ? TOO_LONG : undefined,
    })
  }
}
