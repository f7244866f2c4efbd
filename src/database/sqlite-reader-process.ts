import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { QueryResult } from 'kysely'
import { DatabaseUnavailable, type Sql, TOO_LONG } from './database.ts'
import { kyselyWith, rowFactory, SQLITE, type StatementLog } from './kysely.ts'
import type { ReadyMessage, StatementRequest, StatementResponse } from './sqlite-reader-main.ts'

/** How long a statement may take. */
const STATEMENT_TIMEOUT = 20_000
/** How long a process may take to start. This depends on the machine, so it does not count as time of the statement. */
const START_TIMEOUT = 60_000
/** How long a process without work is kept. */
const IDLE_TIMEOUT = 60_000

const closedError = () => new DatabaseUnavailable('The database is closed')

type PendingRequest = {
  request: StatementRequest
  resolve: (result: QueryResult<any>) => void
  reject: (error: unknown) => void
  timer?: NodeJS.Timeout
}

/**
 * A connection in a process of its own, for reads that may be long: the driver blocks its process while a statement runs. A
 * statement that takes too long is stopped by killing the process; nothing can stop one in a thread.
 */
export class SqliteReaderProcess {
  readonly sql: Sql
  readonly #file: string
  readonly #timeout: number
  readonly #pending = new Map<number, PendingRequest>()
  #child: ChildProcess | undefined
  #isReady = false
  /** The process that has an open transaction. A new process knows nothing of it. */
  #transactionIn: ChildProcess | undefined
  #isClosed = false
  #idleTimer: NodeJS.Timeout | undefined
  #lastId = 0

  constructor(file: string, log: StatementLog, timeout = STATEMENT_TIMEOUT) {
    this.#file = file
    this.#timeout = timeout
    this.sql = kyselyWith(SQLITE, (text, values) => this.#run(text, values), log)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#idleTimer)
    if (this.#child) this.#kill(this.#child, closedError())
  }

  async #run(text: string, values: readonly unknown[]): Promise<QueryResult<any>> {
    if (this.#isClosed) throw closedError()
    if (this.#transactionIn && this.#transactionIn !== this.#child) {
      if (text === 'rollback') this.#transactionIn = undefined
      throw new DatabaseUnavailable('The SQLite reader process has exited')
    }
    const child = this.#childProcess()
    if (text === 'begin') this.#transactionIn = child
    else if (text === 'rollback') this.#transactionIn = undefined
    clearTimeout(this.#idleTimer)
    const request: StatementRequest = { id: ++this.#lastId, text, values }
    return new Promise((resolve, reject) => {
      const pending: PendingRequest = { request, resolve, reject }
      this.#pending.set(request.id, pending)
      if (this.#isReady) this.#startTimer(pending)
      child.send(request)
    })
  }

  #startTimer(pending: PendingRequest): void {
    pending.timer = setTimeout(
      () =>
        this.#child &&
        this.#kill(this.#child, new DatabaseUnavailable('A statement took too long', { publicMessage: TOO_LONG })),
      this.#timeout,
    )
  }

  #childProcess(): ChildProcess {
    if (this.#child) return this.#child
    const child = fork(
      fileURLToPath(new URL('./sqlite-reader-main.ts', import.meta.url)),
      [this.#file, String(process.pid)],
      {
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      },
    )
    const fail = (error: unknown) => this.#kill(child, new DatabaseUnavailable(String(error), { cause: error }))
    const startTimer = setTimeout(fail, START_TIMEOUT, 'A SQLite reader process did not start')
    let isReady = false
    child.on('message', (message: StatementResponse | ReadyMessage) => {
      if ('id' in message) return this.#receive(message)
      isReady = true
      clearTimeout(startTimer)
      if (child === this.#child) this.#becomeReady()
    })
    child.on('error', fail)
    child.on('exit', (_code, signal) => {
      clearTimeout(startTimer)
      if (!isReady && (signal === 'SIGTERM' || signal === 'SIGINT' || signal === 'SIGHUP')) this.#replace(child)
      else fail(new Error('The SQLite reader process has exited'))
    })
    // It does not keep this process alive.
    child.unref()
    child.channel?.unref()
    this.#child = child
    this.#isReady = false
    return child
  }

  #becomeReady(): void {
    this.#isReady = true
    for (const pending of this.#pending.values()) this.#startTimer(pending)
  }

  /** A signal has ended the process before it could ignore signals: a new one gets its requests. */
  #replace(child: ChildProcess): void {
    if (child !== this.#child) return
    this.#child = undefined
    if (this.#pending.size === 0) return
    const next = this.#childProcess()
    if (this.#transactionIn === child) this.#transactionIn = next
    for (const { request } of this.#pending.values()) next.send(request)
  }

  #receive(response: StatementResponse): void {
    const pending = this.#pending.get(response.id)
    if (!pending) return
    this.#pending.delete(response.id)
    clearTimeout(pending.timer)
    if ('error' in response) pending.reject(Object.assign(new Error(response.error.message), response.error))
    else pending.resolve({ rows: response.names.length > 0 ? response.rows.map(rowFactory(response.names)) : [] })
    const child = this.#child
    if (this.#pending.size === 0 && child) this.#idleTimer = setTimeout(() => this.#kill(child), IDLE_TIMEOUT).unref()
  }

  /** Ends the process and fails its pending requests. The next request starts a new process. */
  #kill(child: ChildProcess, reason?: unknown): void {
    if (child !== this.#child) return
    this.#child = undefined
    child.kill('SIGKILL')
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer)
      reject(reason)
    }
    this.#pending.clear()
  }
}
