import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import { nodesOfAccounts } from '../database/distribute.ts'

/** How often the database is checked for changes by other processes, while anybody waits. */
const CHECK_INTERVAL = 500

/** How long a node that did not respond is left out. */
const SKIP_FOR = 5_000

/** How long the nodes of accounts are cached: accounts can be moved. */
const NODES_CACHED_FOR = 60_000

type Waiter = { accountId: number; number: number; notify: (hasChanged: boolean) => void }

/**
 * Notifies waiting callers of new ledger entries: at once about writes of this process, and about those of other processes by one
 * query for all who wait. Nobody holds a connection while waiting.
 */
export class ChangeNotifier {
  readonly #database: Database
  readonly #waiters = new Set<Waiter>()
  /** The last known change number of each account. */
  readonly #lastNumbers = new Map<number, number>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  /** The node of each account; `nodes` is undefined if there are no nodes. */
  #placement: { nodes: Map<number, string> | undefined; at: number } | undefined
  /** Nodes that are being queried, or are left out for a while. */
  readonly #busyNodes = new Set<string>()

  constructor(database: Database) {
    this.#database = database
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The entries of an account up to this number have been committed. */
  notify(accountId: number, number: number): void {
    this.#lastNumbers.set(accountId, number)
    for (const one of this.#waiters) if (one.accountId === accountId && one.number < number) one.notify(true)
  }

  /** Waits for entries after a number. Resolves to true if there are some, and to false after the time, an abort or `close`. */
  waitForChange(accountId: number, number: number, milliseconds: number, signal?: AbortSignal): Promise<boolean> {
    if (this.#isClosed || signal?.aborted || milliseconds <= 0) return Promise.resolve(false)
    return new Promise((resolve) => {
      const giveUp = () => waiter.notify(false)
      const timer = setTimeout(giveUp, milliseconds).unref()
      const waiter: Waiter = {
        accountId,
        number,
        notify: (hasChanged) => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', giveUp)
          this.#waiters.delete(waiter)
          resolve(hasChanged)
        },
      }
      signal?.addEventListener('abort', giveUp)
      this.#waiters.add(waiter)
      // Between the caller's read and now there may be a change. The database decides, because it may have been restored since.
      this.#checkIn((this.#lastNumbers.get(accountId) ?? 0) > number ? 0 : CHECK_INTERVAL)
    })
  }

  /** Ends all waiting, and lets nobody wait any more. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const one of this.#waiters) one.notify(false)
  }

  #checkIn(milliseconds: number): void {
    if (this.#timer && milliseconds > 0) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#check(), milliseconds).unref()
  }

  async #check(): Promise<void> {
    this.#timer = undefined
    if (this.#waiters.size === 0) return
    const accounts = [...new Set([...this.#waiters].map(({ accountId }) => accountId))]
    const nodes = await this.#nodesOf(accounts)
    const byNode = [...Map.groupBy(accounts, (id) => nodes?.get(id) ?? '')]
    const queries = byNode.map(([node, ids]) => this.#queryNode(node, ids))
    // Accounts on other nodes do not wait for a node that is down.
    if (!nodes) await Promise.all(queries)
    if (this.#waiters.size > 0 && !this.#isClosed) this.#checkIn(CHECK_INTERVAL)
  }

  async #queryNode(node: string, accounts: readonly number[]): Promise<void> {
    if (this.#busyNodes.has(node)) return
    this.#busyNodes.add(node)
    try {
      const rows = await this.#database.query((sql) =>
        sql.selectFrom('accounts').select(['id', 'ledger_no']).where('id', 'in', accounts).execute(),
      )
      for (const { id, ledger_no } of rows) this.notify(id, ledger_no)
    } catch {
      // Requests to a node that is down fail, so nobody needs to be notified of that.
      if (node) await pause(SKIP_FOR, undefined, { ref: false })
    }
    this.#busyNodes.delete(node)
  }

  async #nodesOf(accounts: readonly number[]): Promise<Map<number, string> | undefined> {
    const { nodes, at } = this.#placement ?? { nodes: undefined, at: Number.NEGATIVE_INFINITY }
    // Accounts are distributed only while no service runs.
    if (this.#placement && !nodes) return undefined
    if (nodes && performance.now() - at < NODES_CACHED_FOR && accounts.every((id) => nodes.has(id))) return nodes
    try {
      this.#placement = { nodes: await nodesOfAccounts(this.#database, accounts), at: performance.now() }
    } catch {
      // The earlier result stays; the next check tries again.
    }
    return this.#placement?.nodes
  }
}
