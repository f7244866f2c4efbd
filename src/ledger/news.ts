import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import { nodesOfAccounts } from '../database/distribute.ts'

/** How often it is looked for what other processes have written, while somebody waits. */
const LOOK_EVERY = 500

/** How long nobody looks at a node that has not answered. */
const LEFT_ALONE = 5_000

/** For how long it is remembered where accounts lie: they may be moved. */
const LIE_THERE = 60_000

type Waiting = { accountId: number; number: number; tell: (isNews: boolean) => void }

/**
 * Tells those who wait for it that the ledger of an account has gone on: at once what this process has written, and
 * what others have written by one look for all who wait. Whoever waits holds no connection.
 */
export class News {
  readonly #database: Database
  readonly #waiting = new Set<Waiting>()
  /** What was last heard of each account: what came between a read and the wait after it is looked for at once. */
  readonly #heard = new Map<number, number>()
  #timer: NodeJS.Timeout | undefined
  #isOver = false
  /** On which node accounts lie, since when that is known; without nodes all of them are at one place. */
  #lying: { nodes: Map<number, string> | undefined; at: number } | undefined
  /** Nodes that are being asked, or are left alone for a while. */
  readonly #asked = new Set<string>()

  constructor(database: Database) {
    this.#database = database
  }

  /** Nothing is waited for any more. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** The entries of an account up to this number are on disk. */
  tell(accountId: number, number: number): void {
    this.#heard.set(accountId, number)
    for (const one of this.#waiting) if (one.accountId === accountId && one.number < number) one.tell(true)
  }

  /** Waits for entries after a number: true when there are some, false when the time is over or nobody waits any more. */
  after(accountId: number, number: number, milliseconds: number, signal?: AbortSignal): Promise<boolean> {
    if (this.#isOver || signal?.aborted || milliseconds <= 0) return Promise.resolve(false)
    return new Promise((resolve) => {
      const giveUp = () => one.tell(false)
      const timer = setTimeout(giveUp, milliseconds).unref()
      const one: Waiting = {
        accountId,
        number,
        tell: (isNews) => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', giveUp)
          this.#waiting.delete(one)
          resolve(isNews)
        },
      }
      signal?.addEventListener('abort', giveUp)
      this.#waiting.add(one)
      // Heard is not seen: the database may have been put back, and then there is nothing to wake up for.
      this.#lookIn((this.#heard.get(accountId) ?? 0) > number ? 0 : LOOK_EVERY)
    })
  }

  /** Lets all go who wait, and nobody wait any more. */
  end(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    for (const one of this.#waiting) one.tell(false)
  }

  #lookIn(milliseconds: number): void {
    if (this.#timer && milliseconds > 0) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#look(), milliseconds).unref()
  }

  async #look(): Promise<void> {
    this.#timer = undefined
    if (this.#waiting.size === 0) return
    const accounts = [...new Set([...this.#waiting].map(({ accountId }) => accountId))]
    const nodes = await this.#nodesOf(accounts)
    // One that is away, or silent, keeps nobody waiting whose account is on another.
    const asked = [...Map.groupBy(accounts, (id) => nodes?.get(id) ?? '')].map(([node, some]) => this.#ask(node, some))
    if (!nodes) await Promise.all(asked)
    if (this.#waiting.size > 0 && !this.#isOver) this.#lookIn(LOOK_EVERY)
  }

  async #ask(node: string, accounts: readonly number[]): Promise<void> {
    if (this.#asked.has(node)) return
    this.#asked.add(node)
    try {
      const rows = await this.#database.query((sql) =>
        sql.selectFrom('accounts').select(['id', 'ledger_no']).where('id', 'in', accounts).execute(),
      )
      for (const { id, ledger_no } of rows) this.tell(id, ledger_no)
    } catch {
      // What is away has no news; whoever asks it for something is told.
      if (node) await pause(LEFT_ALONE, undefined, { ref: false })
    }
    this.#asked.delete(node)
  }

  async #nodesOf(accounts: readonly number[]): Promise<Map<number, string> | undefined> {
    const { nodes, at } = this.#lying ?? { nodes: undefined, at: Number.NEGATIVE_INFINITY }
    // Accounts are spread while no service runs.
    if (this.#lying && !nodes) return undefined
    if (nodes && performance.now() - at < LIE_THERE && accounts.every((id) => nodes.has(id))) return nodes
    try {
      this.#lying = { nodes: await nodesOfAccounts(this.#database, accounts), at: performance.now() }
    } catch {
      // Then it is known from before, or asked for at the next look.
    }
    return this.#lying?.nodes
  }
}
