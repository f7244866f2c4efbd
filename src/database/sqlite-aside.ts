import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { QueryResult } from 'kysely'
import { DatabaseUnavailable, type Sql, TOO_LONG } from './database.ts'
import type { Answered, Asked, Ready } from './sqlite-reading.ts'
import { kyselyBy, type Log, rowsNamed, SQLITE } from './statements.ts'

/** How long a statement may take. */
const LONGEST = 20_000
/** How long a process may take to begin: that follows the machine and not what is asked, so it is no part of the above. */
const STARTING = 60_000
/** How long a process without work is kept. */
const IDLE = 60_000

const closed = () => new DatabaseUnavailable('The database is closed')

type Waiting = {
  asked: Asked
  resolve: (result: QueryResult<any>) => void
  reject: (error: unknown) => void
  timer?: NodeJS.Timeout
}

/**
 * A connection in a process of its own, for reads that may be long: the driver runs a statement to its end before it lets
 * anything else happen, and here others go on meanwhile. A statement that takes too long is ended with its process; in a
 * thread nothing could end it.
 */
export class Aside {
  readonly sql: Sql
  readonly #file: string
  readonly #longest: number
  readonly #waiting = new Map<number, Waiting>()
  #reading: ChildProcess | undefined
  #isReady = false
  /** The one in which a transaction was begun: another knows nothing of it. */
  #begunIn: ChildProcess | undefined
  #isClosed = false
  #idle: NodeJS.Timeout | undefined
  #last = 0

  constructor(file: string, log: Log, longest = LONGEST) {
    this.#file = file
    this.#longest = longest
    this.sql = kyselyBy(SQLITE, (text, values) => this.#run(text, values), log)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#idle)
    if (this.#reading) this.#end(this.#reading, closed())
  }

  async #run(text: string, values: readonly unknown[]): Promise<QueryResult<any>> {
    if (this.#isClosed) throw closed()
    if (this.#begunIn && this.#begunIn !== this.#reading) {
      if (text === 'rollback') this.#begunIn = undefined
      throw new DatabaseUnavailable('The SQLite reader process has exited')
    }
    const reading = this.#process()
    if (text === 'begin') this.#begunIn = reading
    else if (text === 'rollback') this.#begunIn = undefined
    clearTimeout(this.#idle)
    const asked: Asked = { id: ++this.#last, text, values }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { asked, resolve, reject }
      this.#waiting.set(asked.id, waiting)
      if (this.#isReady) this.#limit(waiting)
      reading.send(asked)
    })
  }

  #limit(waiting: Waiting): void {
    waiting.timer = setTimeout(
      () =>
        this.#reading &&
        this.#end(this.#reading, new DatabaseUnavailable('A statement took too long', { told: TOO_LONG })),
      this.#longest,
    )
  }

  #process(): ChildProcess {
    if (this.#reading) return this.#reading
    const reading = fork(
      fileURLToPath(new URL('./sqlite-reading.ts', import.meta.url)),
      [this.#file, String(process.pid)],
      {
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      },
    )
    const gone = (error: unknown) => this.#end(reading, new DatabaseUnavailable(String(error), { cause: error }))
    const starting = setTimeout(gone, STARTING, 'A SQLite reader process did not start')
    let isReady = false
    reading.on('message', (answer: Answered | Ready) => {
      if ('id' in answer) return this.#answered(answer)
      isReady = true
      clearTimeout(starting)
      if (reading === this.#reading) this.#begun()
    })
    reading.on('error', gone)
    reading.on('exit', (_code, signal) => {
      clearTimeout(starting)
      if (!isReady && (signal === 'SIGTERM' || signal === 'SIGINT' || signal === 'SIGHUP')) this.#startAgain(reading)
      else gone(new Error('The SQLite reader process has exited'))
    })
    // It holds up nobody who wants to end.
    reading.unref()
    reading.channel?.unref()
    this.#reading = reading
    this.#isReady = false
    return reading
  }

  #begun(): void {
    this.#isReady = true
    for (const waiting of this.#waiting.values()) this.#limit(waiting)
  }

  /** Told to stop before it could say that this is not for it to decide: another one does what it was asked for. */
  #startAgain(reading: ChildProcess): void {
    if (reading !== this.#reading) return
    this.#reading = undefined
    if (this.#waiting.size === 0) return
    const next = this.#process()
    if (this.#begunIn === reading) this.#begunIn = next
    for (const { asked } of this.#waiting.values()) next.send(asked)
  }

  #answered(answer: Answered): void {
    const waiting = this.#waiting.get(answer.id)
    if (!waiting) return
    this.#waiting.delete(answer.id)
    clearTimeout(waiting.timer)
    if ('error' in answer) waiting.reject(Object.assign(new Error(answer.error.message), answer.error))
    else waiting.resolve({ rows: answer.names.length > 0 ? answer.rows.map(rowsNamed(answer.names)) : [] })
    const reading = this.#reading
    if (this.#waiting.size === 0 && reading) this.#idle = setTimeout(() => this.#end(reading), IDLE).unref()
  }

  /** Whoever waits for the process is told; the next one gets another. */
  #end(reading: ChildProcess, reason?: unknown): void {
    if (reading !== this.#reading) return
    this.#reading = undefined
    reading.kill('SIGKILL')
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer)
      reject(reason)
    }
    this.#waiting.clear()
  }
}
