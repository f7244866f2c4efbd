import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { QueryResult } from 'kysely'
import { DatabaseUnavailable, type Sql } from './database.ts'
import type { Answered, Asked } from './sqlite-reading.ts'
import { kyselyBy, type Log, rowsNamed, SQLITE } from './statements.ts'

/** How long a statement may take. */
const LONGEST = 20_000
/** How long a process without work is kept. */
const IDLE = 60_000

type Waiting = {
  asked: Asked
  resolve: (result: QueryResult<any>) => void
  reject: (error: unknown) => void
  timer: NodeJS.Timeout
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
  #idle: NodeJS.Timeout | undefined
  #last = 0

  constructor(file: string, log: Log, longest = LONGEST) {
    this.#file = file
    this.#longest = longest
    this.sql = kyselyBy(SQLITE, (text, values) => this.#run(text, values), log)
  }

  close(): void {
    clearTimeout(this.#idle)
    if (this.#reading) this.#end(this.#reading, new DatabaseUnavailable('The database is closed'))
  }

  #run(text: string, values: readonly unknown[]): Promise<QueryResult<any>> {
    const reading = this.#process()
    clearTimeout(this.#idle)
    const asked: Asked = { id: ++this.#last, text, values }
    return new Promise((resolve, reject) => {
      const late = new DatabaseUnavailable('A statement has taken too long')
      const tooLong = () => this.#reading && this.#end(this.#reading, late)
      this.#waiting.set(asked.id, { asked, resolve, reject, timer: setTimeout(tooLong, this.#longest) })
      reading.send(asked)
    })
  }

  #process(): ChildProcess {
    if (this.#reading) return this.#reading
    const reading = fork(fileURLToPath(new URL('./sqlite-reading.ts', import.meta.url)), [this.#file], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const gone = (error: unknown) => this.#end(reading, new DatabaseUnavailable(String(error), { cause: error }))
    let hasAnswered = false
    reading.on('message', (answer: Answered) => {
      hasAnswered = true
      this.#answered(answer)
    })
    reading.on('error', gone)
    reading.on('exit', (_code, signal) => {
      if (!hasAnswered && (signal === 'SIGTERM' || signal === 'SIGINT')) this.#startAgain(reading)
      else gone(new Error('The process that reads has ended'))
    })
    // It holds up nobody who wants to end.
    reading.unref()
    reading.channel?.unref()
    this.#reading = reading
    return reading
  }

  /** Told to stop before it could say that this is not for it to decide: another one does what it was asked for. */
  #startAgain(reading: ChildProcess): void {
    if (reading !== this.#reading) return
    this.#reading = undefined
    if (this.#waiting.size === 0) return
    const next = this.#process()
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
