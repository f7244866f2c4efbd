import { renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { CompiledQuery, type LogEvent, sql } from 'kysely'
import { Abandoned, type Database, DatabaseUnavailable, noteRun, Space, type Sql, textOf, timed } from './database.ts'
import { type Overlay, type OverlayDialect, overlaid } from './overlay.ts'
import { makePrivate } from './privacy.ts'
import { Aside } from './sqlite-aside.ts'
import { kyselyOn, listedIn, SQLITE } from './statements.ts'
import { Together, type Transaction } from './together.ts'

const READERS = 4
/** Processes for reads that may be long; they are there when they are needed. */
const LONG_READERS = 2
/** How long a writer waits while another process holds the file's write lock. */
const LONGEST_WAIT = 10_000

export function openSqlite(file: string): Database {
  try {
    // SQLite gives its log the rights of the database.
    makePrivate(file)
    return opened(file)
  } catch (error) {
    throw new Error(`Cannot open the database ${file}: ${reasonOf(error, file)}`, { cause: error })
  }
}

/** What is in the way, and what to do about it. */
function reasonOf(error: unknown, file: string): string {
  const { code = '' } = error as { code?: string }
  const result = resultOf(error)
  if (code === 'EISDIR') return 'it is a folder. Set DATABASE_URL to a file'
  if (code === 'ENOTDIR' || code === 'EEXIST') return `${dirname(file)} is not a folder`
  if (code === 'ENOENT') return `its folder ${dirname(file)} cannot be created. Set DATABASE_URL to another folder`
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || result === READONLY || result === CANTOPEN)
    return `this user cannot write to it or to its folder ${dirname(file)}. Make this user the owner of both (chown)`
  if (code === 'ENOSPC' || result === FULL) return 'the disk is full'
  if (result === NOTADB) return 'it is not a SQLite database. Set DATABASE_URL to another file, or restore a backup'
  if (result === CORRUPT) return 'it is damaged. Restore a backup'
  if (isLocked(error)) return 'another process has locked it'
  return error instanceof Error ? error.message : String(error)
}

function opened(file: string): Database {
  const connections: DatabaseSync[] = []
  const open = (readOnly: boolean) => {
    // The driver waits by blocking the whole process, so a writer that finds the file locked tries again by itself.
    // Readers are never locked out, but for the moment in which another process opens or closes the log.
    const connection = new DatabaseSync(file, { readOnly, timeout: readOnly ? 50 : 0 })
    connections.push(connection)
    connection.exec('pragma foreign_keys = on')
    // What is deleted is overwritten: the file must not remember whom the records have forgotten.
    if (!readOnly) connection.exec('pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on')
    // The system keeps what is read often; what each connection keeps besides is memory of ours.
    connection.exec('pragma cache_size = -16000; pragma temp_store = memory')
    return connection
  }
  const log = (event: LogEvent) => noteRun(self, event)
  const writerConnection = patiently(() => open(false))
  const writer = kyselyOn(writerConnection, log)
  const space = new Space()
  const queue = new Together({ begin: beginning(writerConnection, writer), sql: writer, outage })
  // Read-only connections can be opened only after the writer made the file.
  const readers = new Readers(Array.from({ length: READERS }, () => kyselyOn(open(true), log)))
  // It never writes itself, so that commits of this process are those of another to it.
  const glancing = open(true)
  const glancer = kyselyOn(glancing, log)
  const aside = Array.from({ length: LONG_READERS }, () => new Aside(file, log))
  const longReaders = new Readers(
    aside.map((one) => one.sql),
    'rollback',
  )
  const versionOfData = glancing.prepare('pragma data_version')

  const self: Database = {
    engine: 'sqlite',
    onRun: undefined,
    onStatement: undefined,
    watchers: new Set(),
    load: () => ({
      most: READERS,
      busy: READERS - readers.idle,
      idle: readers.idle,
      waiting: { read: readers.waiting, long_read: longReaders.waiting, write: queue.waiting },
    }),
    read: (work, { isLong, isAbandoned } = {}) =>
      timed(self, 'read', work, (begun) => (isLong ? longReaders : readers).use(begun, isAbandoned)),
    glance: (work) => work(glancer),
    // Whoever watches statements sees them all.
    mark: () => (self.onStatement ? undefined : (versionOfData.get()?.data_version as number)),
    // Nobody puts another file in the place of one that is in use.
    generation: () => 0,
    here: sql`''`,
    isFull: () => space.isLacking,
    write(work, { isAbandoned, inTurn, isOwn } = {}) {
      const written = timed(self, 'write', work, (begun) => queue.add(begun, isAbandoned, isOwn))
      return inTurn === undefined ? written : space.noting(written)
    },
    exclusively: (work) => queue.add(work),
    laidOut: async (on, overlay) => (aside.some((one) => one.sql === on) ? layOut(on, overlay) : overlay),
    overlaid: (statement, overlays, filters) => overlaid(OVERLAYS, statement, overlays, filters),
    textIn: (column, name) => sql`(${sql.ref(column)} ->> ${sql.lit(name)})`,
    numbers: (all) => listedIn(SQLITE, true, JSON.stringify(all)),
    daysBetween: (from, to) => sql`cast(julianday(${to}) - julianday(${from}) as integer)`,
    idsIn: (on, statement) => textOf(on, 'select group_concat(id) as text', statement),
    // Rows lie in the order of the primary key, so an account's records lie together. Text is always compared as "C".
    ddl(statement) {
      if (/^alter table \w+ alter column \w+ type text collate "C"$/.test(statement)) return 'select 1'
      const plain = statement.replaceAll(' collate "C"', '')
      return plain.startsWith('create table') ? `${plain} without rowid` : plain
    },
    analyse: () => queue.add(async (db) => void (await run(db, 'analyze'))),
    scrub: () =>
      queue.alone(async (db) => {
        await rewrite(db)
        await emptyLog(db)
      }),
    async backup(target) {
      // Whatever happens meanwhile, an earlier copy is there until the new one is whole.
      const draft = `${target}.part`
      rmSync(draft, { force: true })
      makePrivate(draft)
      await backup(writerConnection, draft)
      renameSync(draft, target)
      // A log that lies beside an earlier copy does not belong to this one.
      for (const rest of ['-wal', '-shm']) rmSync(target + rest, { force: true })
    },
    async close() {
      await queue.drained()
      for (const one of aside) one.close()
      // The writer last: the last connection to go takes the write-ahead log with it.
      for (const connection of connections.toReversed()) if (connection.isOpen) connection.close()
    },
  }
  return self
}

const CASTS: Record<string, string> = { text: 'text', bigint: 'integer', integer: 'integer', boolean: 'numeric' }

/**
 * An expression that names itself would be taken for a recursive one. The engine looks into a union only if its columns
 * have the same affinity on both sides: dates have that of numbers, which text from JSON cannot have without becoming
 * one, so on the side of the table they lose theirs, and with it their indexes.
 */
const OVERLAYS: OverlayDialect = {
  table: (name) => `main.${name}`,
  column: (name, type) => (CASTS[type] ? name : `+${name}`),
  day: (parameter) => parameter,
  numbers: (parameter) => `select value from json_each(${parameter})`,
  // Read anew for every row that it is joined to: what is parsed already is gone through ten times as fast.
  rows: (_table, parameter) => `jsonb_each(jsonb(${parameter}))`,
  field(name, type) {
    const value = `value ->> '${name}'`
    return CASTS[type] ? `cast(${value} as ${CASTS[type]})` : value
  },
  numbered: false,
}

/**
 * Rows that stand in for others as a table that only this connection sees, found as the others are: by the same indexes.
 * It goes with the transaction. As JSON all of them would be gone through for each row that they are joined to.
 */
async function layOut(on: Sql, overlay: Overlay): Promise<Overlay> {
  const { table, accountId, columns, rows } = overlay
  if (rows === null) return overlay
  const { rows: described } = await sql<{ name: string; type: string; pk: number }>`
    select name, type, pk from pragma_table_info(${table}) order by cid`.execute(on)
  const { rows: indexes } = await sql<{ sql: string }>`
    select sql from main.sqlite_schema where type = 'index' and tbl_name = ${table} and sql is not null`.execute(on)
  const key = described.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  const parts = described.map(({ name, type }) => `"${name}" ${type}`)
  const identity = `primary key (${key.map(({ name }) => `"${name}"`).join(', ')})`
  await run(on, `create temp table "then_${table}" (${[...parts, identity].join(', ')}) without rowid`)
  const all = Object.entries(columns)
  const values = all.map(([name, type]) => (name === 'account_id' ? '?' : OVERLAYS.field(name, type)))
  await run(
    on,
    `insert into temp."then_${table}" (${all.map(([name]) => `"${name}"`).join(', ')})
     select ${values.join(', ')} from json_each(?)`,
    [accountId, rows],
  )
  for (const index of indexes) await run(on, index.sql.replace(INDEX, `create index temp."then_$1" on "then_${table}"`))
  return { ...overlay, laidIn: `temp."then_${table}"` }
}

const INDEX = /^create (?:unique )?index "?(\w+)"? on "?\w+"?/i

/** The first byte of SQLite's result codes. */
const [BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB] = [5, 6, 8, 10, 11, 13, 14, 26] as const

/** Which of them an error is; the words of an error that is none may say anything. */
const resultOf = (error: unknown) => Number((error as { errcode?: number } | null)?.errcode) & 0xff

const isLocked = (error: unknown) => resultOf(error) === BUSY || resultOf(error) === LOCKED

/** At the start nothing else waits for this process: it may block for a moment while another holds the file. */
function patiently<T>(open: () => T): T {
  const until = Date.now() + LONGEST_WAIT
  for (;;) {
    try {
      return open()
    } catch (error) {
      if (!isLocked(error) || Date.now() > until) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    }
  }
}

/** Connections that read, each for one reader at a time; a reader that fails gives its connection back all the same. */
class Readers {
  readonly #idle: Sql[]
  readonly #end: string
  readonly #waiting: ((reader: Sql) => void)[] = []

  /** With the word that ends what they read: nothing was written, but what was laid out for a reader may have to go. */
  constructor(idle: Sql[], end: 'commit' | 'rollback' = 'commit') {
    this.#idle = idle
    this.#end = end
  }

  get idle(): number {
    return this.#idle.length
  }

  get waiting(): number {
    return this.#waiting.length
  }

  async use<T>(work: (sql: Sql) => Promise<T>, isAbandoned?: () => boolean): Promise<T> {
    const reader = this.#idle.pop() ?? (await new Promise<Sql>((resolve) => this.#waiting.push(resolve)))
    try {
      await others()
      if (isAbandoned?.()) throw new Abandoned()
      await run(reader, 'begin')
      const result = await work(reader)
      await run(reader, this.#end)
      return result
    } catch (error) {
      // Without a transaction this says so, and that is fine.
      await run(reader, 'rollback').catch(() => undefined)
      throw outage(error)
    } finally {
      const next = this.#waiting.shift()
      if (next) next(reader)
      else this.#idle.push(reader)
      goOn()
    }
  }
}

/** For so many milliseconds reads may follow one another before whatever else there is to do has its turn. */
const AT_A_STRETCH = 10

let stretch: number | undefined
const queue: (() => void)[] = []

const isOver = () => stretch !== undefined && performance.now() - stretch > AT_A_STRETCH

/**
 * The driver answers within the same turn, so a work of many reads, with a caller who takes what it brings as fast, would
 * let nobody else in: no other request, no timer, no signal. And of those who come anew a turn accepts only one: with
 * long turns many who come at once wait for each other's answers before they are even heard.
 */
async function others(): Promise<void> {
  if (stretch === undefined) begin()
  else if (queue.length > 0 || isOver()) await new Promise<void>((resolve) => queue.push(resolve))
}

function begin(): void {
  stretch = performance.now()
  setImmediate(() => {
    stretch = undefined
    if (queue.length === 0) return
    begin()
    queue.shift()?.()
  })
}

/** While there is time left in a stretch, whoever is done lets in who waits. */
function goOn(): void {
  if (queue.length > 0 && !isOver()) queue.shift()?.()
}

/** What the file or its disk is to blame for, and what may be over in a moment. */
function outage(error: unknown): unknown {
  const result = resultOf(error)
  const isOutage = ([BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB] as number[]).includes(result)
  return isOutage ? new DatabaseUnavailable(String(error), { cause: error, isFull: result === FULL }) : error
}

const run = (on: Sql, statement: string, values: readonly unknown[] = []) =>
  on.executeQuery(CompiledQuery.raw(statement, [...values]))

/** A file of this size is written anew in a moment; who writes waits for a larger one. */
const SOON_WRITTEN = 64 * 1024 * 1024

/** Rows that moved to another page when theirs was full leave a copy in the gap, which deleting them does not overwrite. */
async function rewrite(db: Sql): Promise<void> {
  const { rows } = await sql<{ size: number }>`
    select page_count * page_size as size from pragma_page_count(), pragma_page_size()`.execute(db)
  if ((rows[0]?.size ?? 0) <= SOON_WRITTEN) await sql`vacuum`.execute(db)
}

/** Writes the log into the file and empties it, as soon as nobody reads from it. */
async function emptyLog(db: Sql): Promise<void> {
  // Writers wait meanwhile; what does not succeed soon is tried again later.
  const until = Date.now() + 300
  for (;;) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db)
    if (rows[0]?.busy === 0) return
    if (Date.now() > until)
      throw new DatabaseUnavailable('The write-ahead log could not be truncated because it is being read')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Transactions of the one connection that writes. */
function beginning(connection: DatabaseSync, writer: Sql): () => Promise<Transaction> {
  const transaction: Transaction = {
    sql: writer,
    mark: () => run(writer, 'savepoint job'),
    async takeBack(error) {
      // A full or broken disk ends the whole transaction: then all of them have failed, and by this.
      if (!connection.isTransaction) throw error
      await run(writer, 'rollback to job')
      await run(writer, 'release job')
    },
    unmark: () => run(writer, 'release job'),
    commit: () => run(writer, 'commit'),
    end: async () => void (connection.isTransaction && (await run(writer, 'rollback'))),
  }
  return async () => {
    // Waits for the write lock without holding up anybody else in this process.
    const until = Date.now() + LONGEST_WAIT
    for (let pause = 1; ; pause = Math.min(50, pause * 2)) {
      try {
        await run(writer, 'begin immediate')
        return transaction
      } catch (error) {
        if (!isLocked(error) || Date.now() > until) throw error
        await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }
  }
}
