import { renameSync, rmSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import { type LogEvent, sql } from 'kysely'
import { type Database, DiskSpace, reportStatement, reportWait, selectText } from './database.ts'
import { createPrivateFile } from './file-modes.ts'
import { GroupCommit } from './group-commit.ts'
import { jsonList, kyselyOnSqlite, SQLITE, type StatementLog } from './kysely.ts'
import { rewriteQuery } from './rewrite-query.ts'
import { openFailure, sqliteOutage } from './sqlite-errors.ts'
import { SqliteReaderProcess } from './sqlite-reader-process.ts'
import { SqliteReaders } from './sqlite-readers.ts'
import { materialize, SQLITE_REWRITE } from './sqlite-rewrite.ts'
import { openBlocking, runText, scrub, transactionsOn, withBreaks } from './sqlite-writer.ts'

const READERS = 4
/** Processes for long reads. They start when they are needed. */
const READER_PROCESSES = 2

export function openSqlite(file: string): Database {
  try {
    // SQLite gives its log the mode of the database file.
    createPrivateFile(file)
    return openFile(file)
  } catch (error) {
    throw new Error(`Cannot open the database ${file}: ${openFailure(error, file)}`, { cause: error })
  }
}

/** The parts of the database that need no connection of their own. */
const SQLITE_SQL: Pick<
  Database,
  | 'engine'
  | 'generation'
  | 'serverIdentity'
  | 'rewriteQuery'
  | 'jsonText'
  | 'numberList'
  | 'daysBetween'
  | 'selectIds'
  | 'ddl'
> = {
  engine: 'sqlite',
  // An open file cannot be replaced by another one.
  generation: () => 0,
  serverIdentity: sql`''`,
  rewriteQuery: (statement, replacements, filters) => rewriteQuery(SQLITE_REWRITE, statement, replacements, filters),
  jsonText: (column, key) => sql`(${sql.ref(column)} ->> ${sql.lit(key)})`,
  numberList: (numbers) => jsonList(SQLITE, true, JSON.stringify(numbers)),
  daysBetween: (from, to) => sql`cast(julianday(${to}) - julianday(${from}) as integer)`,
  selectIds: (on, statement) => selectText(on, 'select group_concat(id) as text', statement),
  // Tables are ordered by their primary key, which keeps the records of an account together. Text always compares as "C".
  ddl(statement) {
    if (/^alter table \w+ alter column \w+ type text collate "C"$/.test(statement)) return 'select 1'
    const translated = statement.replaceAll(' collate "C"', '')
    return translated.startsWith('create table') ? `${translated} without rowid` : translated
  },
}

/** The connections of this process to a file. */
function openConnections(file: string, log: StatementLog) {
  const opened: DatabaseSync[] = []
  const open = (readOnly: boolean) => {
    // The driver blocks the process while it waits for a lock, so the writer does not let it wait and tries again itself.
    // Readers find the file locked only for the moment in which another process opens or closes the log.
    const connection = new DatabaseSync(file, { readOnly, timeout: readOnly ? 50 : 0 })
    opened.push(connection)
    connection.exec('pragma foreign_keys = on')
    // Deleted data is overwritten, because the file must not contain erased people.
    if (!readOnly) connection.exec('pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on')
    // A small cache: the operating system caches the file too.
    connection.exec('pragma cache_size = -16000; pragma temp_store = memory')
    return connection
  }
  const writerConnection = openBlocking(() => open(false))
  // Read-only connections can be opened only after the writer has created the file.
  const readers = Array.from({ length: READERS }, () => kyselyOnSqlite(open(true), log))
  // Its data version changes with each commit on another connection, and it never writes itself.
  const single = open(true)
  return {
    writerConnection,
    writer: kyselyOnSqlite(writerConnection, log, withBreaks),
    readers: new SqliteReaders(readers),
    single: kyselyOnSqlite(single, log),
    dataVersion: single.prepare('pragma data_version'),
    close() {
      // The writer last: the last connection to close deletes the write-ahead log.
      for (const connection of opened.toReversed()) if (connection.isOpen) connection.close()
    },
  }
}

function openFile(file: string): Database {
  const log = (event: LogEvent) => reportStatement(self, event)
  const connections = openConnections(file, log)
  const { writer, writerConnection, readers } = connections
  const diskSpace = new DiskSpace()
  const queue = new GroupCommit({
    begin: transactionsOn(writerConnection, writer),
    sql: writer,
    outage: sqliteOutage,
  })
  const readerProcesses = Array.from({ length: READER_PROCESSES }, () => new SqliteReaderProcess(file, log))
  const longReaders = new SqliteReaders(
    readerProcesses.map((one) => one.sql),
    'rollback',
  )

  const self: Database = {
    ...SQLITE_SQL,
    onRun: undefined,
    onStatement: undefined,
    observers: new Set(),
    load: () => ({
      max: READERS,
      busy: READERS - readers.idle,
      idle: readers.idle,
      waiting: { read: readers.waiting, long_read: longReaders.waiting, write: queue.waiting },
    }),
    read: (work, { isLong, isAbandoned } = {}) =>
      reportWait(self, 'read', work, (observed) => (isLong ? longReaders : readers).use(observed, isAbandoned)),
    query: (work) => work(connections.single),
    // Undefined turns off caches, so that `onStatement` sees every statement.
    commitMark: () => (self.onStatement ? undefined : (connections.dataVersion.get()?.data_version as number)),
    isDiskFull: () => diskSpace.isFull,
    write(work, { isAbandoned, accountId, hasOwnTransaction } = {}) {
      const written = reportWait(self, 'write', work, (observed) => queue.add(observed, isAbandoned, hasOwnTransaction))
      return accountId === undefined ? written : diskSpace.track(written)
    },
    withMigrationLock: (work) => queue.add(work),
    materialize: async (on, replacement) =>
      readerProcesses.some((one) => one.sql === on) ? materialize(on, replacement) : replacement,
    analyse: () => queue.add(async (db) => void (await runText(db, 'analyze'))),
    scrubDeletedRows: () => queue.runBetween(scrub),
    backup: (target) => backUp(writerConnection, target),
    async close() {
      await queue.untilIdle()
      for (const one of readerProcesses) one.close()
      connections.close()
    },
  }
  return self
}

async function backUp(connection: DatabaseSync, target: string): Promise<void> {
  // An earlier backup stays until the new one is complete.
  const draft = `${target}.part`
  rmSync(draft, { force: true })
  createPrivateFile(draft)
  await backup(connection, draft)
  renameSync(draft, target)
  // The log of an earlier backup does not belong to this one.
  for (const suffix of ['-wal', '-shm']) rmSync(target + suffix, { force: true })
}
