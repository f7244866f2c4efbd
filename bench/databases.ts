import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { connect } from '../src/database/connect.ts'
import { KNOWN_SCHEMA } from '../src/database/migrate.ts'
import { type Engine, freshDatabase } from '../test/harness.ts'
import { type PostgresServer, postgresServer } from '../test/postgres-server.ts'
import { type Size, seed } from './seed.ts'

/** Where seeded databases come from: made anew, or copied from those that were kept in a folder. */
export type Databases = {
  /** A seeded database of one's own, to read and to change. */
  seeded: (size: Size) => Promise<{ url: string; remove: () => Promise<void> }>
  close: () => Promise<void>
}

export const KEY = 'the-key-of-the-benchmark-0123456789'

export async function openDatabases(engine: Engine, keep: string | undefined): Promise<Databases> {
  const folder = keep === undefined ? undefined : resolve(keep)
  if (folder) mkdirSync(folder, { recursive: true })
  return engine === 'sqlite' ? inFiles(folder) : onServer(folder)
}

/** Changes with all that decides what is in a seeded database. */
function nameOf({ employees, candidates }: Size): string {
  const made = ['seed.ts', 'multiply.ts'].map((file) => readFileSync(join(import.meta.dirname, file)))
  const version = createHash('sha256').update(Buffer.concat(made)).digest('hex').slice(0, 8)
  return `seeded_e${employees}_c${candidates}_s${KNOWN_SCHEMA}_${version}`
}

async function fill(url: string, size: Size): Promise<void> {
  await seed(url, KEY, size)
  // As a database that has been in use for a while: the planner knows its tables.
  if (url.startsWith('postgres')) return administer(url, 'vacuum analyze')
  const database = connect(url)
  await database.analyse()
  await database.close()
}

const inFiles = (folder: string | undefined): Databases => ({
  async seeded(size) {
    const own = await freshDatabase('sqlite')
    const file = own.url.replace('sqlite:', '')
    if (!folder) await fill(own.url, size)
    else {
      const kept = join(folder, `${nameOf(size)}.db`)
      if (!existsSync(kept)) {
        const draft = `${kept}.part`
        for (const rest of ['', '-wal', '-shm']) rmSync(draft + rest, { force: true })
        await fill(`sqlite:${draft}`, size)
        renameSync(draft, kept)
      }
      copyFileSync(kept, file, constants.COPYFILE_FICLONE)
    }
    settle(file)
    return own
  },
  async close() {},
})

/** What was written to make it is on disk, as with a server's checkpoint. */
function settle(file: string): void {
  const descriptor = openSync(file, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

async function onServer(folder: string | undefined): Promise<Databases> {
  const kept = folder ? join(folder, 'postgres') : undefined
  if (kept) mkdirSync(kept, { recursive: true })
  const server = await postgresServer({ isSafe: true, ...(kept ? { kept } : {}) })
  process.env.TEST_POSTGRES_URL = server.url()
  return {
    async seeded(size) {
      const own = await freshDatabase('postgres', kept && (await template(server, size)))
      if (!kept) await fill(own.url, size)
      // What was written to make it is on disk: nobody's requests wait for gigabytes that are not theirs.
      await administer(own.url, 'checkpoint')
      return own
    },
    close: () => server.remove(),
  }
}

/** A seeded database on the server that nobody works on: only copies of it are. */
async function template(server: PostgresServer, size: Size): Promise<string> {
  const name = nameOf(size)
  const { rowCount } = await query(server.url(), `select 1 from pg_database where datname = '${name}'`)
  if (rowCount) return name
  await administer(server.url(), `drop database if exists ${name}_part with (force)`)
  await administer(server.url(), `create database ${name}_part`)
  await fill(server.url(`${name}_part`), size)
  await administer(server.url(), `alter database ${name}_part rename to ${name}`)
  return name
}

const administer = async (url: string, statement: string) => void (await query(url, statement))

async function query(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(statement)
  } finally {
    await client.end()
  }
}
