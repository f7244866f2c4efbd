import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { type Database, DatabaseUnavailable, type Sql } from './database.ts'

const READERS = 4
/** How many waiting writers share one commit at most. */
const SHARED_COMMIT = 32

export function openSqlite(file: string): Database {
  mkdirSync(dirname(file), { recursive: true })
  const open = (readOnly: boolean) => {
    const connection = new DatabaseSync(file, { readOnly, timeout: 10_000 })
    connection.exec('pragma foreign_keys = on')
    if (!readOnly) connection.exec('pragma journal_mode = wal; pragma synchronous = full')
    connection.exec('pragma cache_size = -64000; pragma mmap_size = 268435456; pragma temp_store = memory')
    return connection
  }
  const writerConnection = open(false)
  const log: Log = (statement, parameters) => self.onStatement?.(statement, parameters)
  const writer = kyselyOn(writerConnection, log)
  const queue = new WriteQueue(writer)
  // Read-only connections can be opened only after the writer made the file.
  const idle = Array.from({ length: READERS }, () => kyselyOn(open(true), log))
  const glancer = kyselyOn(open(true), log)
  const readers = [glancer, ...idle]
  const waiting: ((reader: Sql) => void)[] = []

  const self: Database = {
    engine: 'sqlite',
    onStatement: undefined,
    async read(work) {
      const reader = idle.pop() ?? (await new Promise<Sql>((resolve) => waiting.push(resolve)))
      try {
        await run(reader, 'begin')
        return await work(reader)
      } finally {
        await run(reader, 'commit')
        const next = waiting.shift()
        if (next) next(reader)
        else idle.push(reader)
      }
    },
    glance: (work) => work(glancer),
    write: (work, isAbandoned) => queue.add(work, isAbandoned),
    exclusively: (work) => queue.add(work),
    // Rows lie in the order of the primary key, so an account's records lie together. Text is always compared as "C".
    ddl: (statement) =>
      statement.startsWith('create table') ? `${statement.replaceAll(' collate "C"', '')} without rowid` : statement,
    analyse: () => queue.add(async (db) => void (await run(db, 'analyze'))),
    async backup(target) {
      await backup(writerConnection, target)
    },
    async close() {
      await queue.drained()
      for (const reader of readers) await reader.destroy()
      await writer.destroy()
    },
  }
  return self
}

const run = (on: Sql, statement: string) => sql.raw(statement).execute(on)

type Log = NonNullable<Database['onStatement']>

/** Kysely's own SQLite dialect on Node's built-in driver. */
function kyselyOn(connection: DatabaseSync, log: Log): Sql {
  const prepared = new Map<string, ReturnType<typeof adapt>>()
  return new Kysely({
    log: ({ query }) => log(query.sql, query.parameters),
    dialect: new SqliteDialect({
      database: {
        close: () => connection.close(),
        prepare(text) {
          let statement = prepared.get(text)
          if (!statement) {
            if (prepared.size > 500) prepared.clear()
            statement = adapt(connection.prepare(text))
            prepared.set(text, statement)
          }
          return statement
        },
      },
    }),
  })
}

function adapt(statement: StatementSync) {
  const bind = (values: readonly unknown[]) =>
    values.map((value) => (typeof value === 'boolean' ? Number(value) : (value as SQLInputValue)))
  return {
    reader: statement.columns().length > 0,
    all: (values: readonly unknown[]) => statement.all(...bind(values)),
    run: (values: readonly unknown[]) => statement.run(...bind(values)),
    iterate: (values: readonly unknown[]) => statement.iterate(...bind(values)),
  }
}

type Job = {
  work: (sql: Sql) => Promise<unknown>
  isAbandoned?: () => boolean
  resolve: (value: any) => void
  reject: (error: unknown) => void
}

/**
 * One writer at a time. Those that wait together run one after the other in one transaction, each behind its own
 * savepoint, and share the commit; each is answered only after that commit.
 */
class WriteQueue {
  readonly #writer: Sql
  readonly #jobs: Job[] = []
  #running: Promise<void> | undefined

  constructor(writer: Sql) {
    this.#writer = writer
  }

  add<T>(work: (sql: Sql) => Promise<T>, isAbandoned?: () => boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({ work, resolve, reject, ...(isAbandoned ? { isAbandoned } : {}) })
      this.#running ??= this.#run()
    })
  }

  async drained(): Promise<void> {
    while (this.#running) await this.#running
  }

  async #run(): Promise<void> {
    // Writers that arrive in the same turn of the event loop are found waiting together.
    await new Promise(setImmediate)
    while (this.#jobs.length > 0) await this.#commitTogether(this.#jobs.splice(0, SHARED_COMMIT))
    // In the same step as the last look at the queue, or a job added in between would wait for ever.
    this.#running = undefined
  }

  async #commitTogether(jobs: Job[]): Promise<void> {
    const done: (() => void)[] = []
    try {
      await run(this.#writer, 'begin immediate')
      for (const job of jobs) {
        if (job.isAbandoned?.()) {
          job.reject(new DatabaseUnavailable('The request timed out while waiting to write'))
          continue
        }
        await run(this.#writer, 'savepoint job')
        try {
          const value = await job.work(this.#writer)
          done.push(() => job.resolve(value))
        } catch (error) {
          await run(this.#writer, 'rollback to job')
          done.push(() => job.reject(error))
        }
        await run(this.#writer, 'release job')
      }
      await run(this.#writer, 'commit')
      for (const settle of done) settle()
    } catch (error) {
      await run(this.#writer, 'rollback').catch(() => undefined)
      const busy = /locked|busy|full|disk i\/o/i.test(String(error))
      const reason = busy ? new DatabaseUnavailable(String(error)) : error
      for (const job of jobs) job.reject(reason)
    }
  }
}
