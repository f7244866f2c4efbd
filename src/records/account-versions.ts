import type { CompiledQuery } from 'kysely'
import { type Database, NotOnReplica, type QueryRunner, type Sql } from '../database/database.ts'
import { type AccountVersion, VERSION_COLUMNS, versionIn } from './account-version.ts'

type Versioned = Pick<QueryRunner, 'generation' | 'serverIdentity'>

/** The version of an account in the snapshot of a transaction. Undefined if there is no such account. */
export async function versionOf(
  sql: Sql,
  accountId: number,
  { serverIdentity }: Versioned,
  generationBefore: number,
): Promise<AccountVersion | undefined> {
  let query = versionQueries.get(serverIdentity)
  if (!query) {
    const columns = [...VERSION_COLUMNS, serverIdentity.as('here')]
    query = sql.selectFrom('accounts as a').select(columns).where('id', '=', accountId).compile()
    versionQueries.set(serverIdentity, query)
  }
  const { rows } = await sql.executeQuery<any>({ ...query, parameters: [accountId] })
  return rows[0] && versionIn(accountId, rows[0], generationBefore)
}

/** Compiled once for each engine, as every request reads a version: compiling took longer than reading. */
const versionQueries = new WeakMap<Versioned['serverIdentity'], CompiledQuery<any>>()

/** The same of an account that exists. A replica that does not have the account yet is not read. */
export async function requireVersion(
  sql: Sql,
  accountId: number,
  database: Versioned,
  generationBefore: number,
): Promise<AccountVersion> {
  const version = await versionOf(sql, accountId, database, generationBefore)
  if (!version) throw new NotOnReplica('There is no such account')
  return version
}

type Read = Promise<AccountVersion | undefined>

/** More accounts are not remembered between two commits. */
const MOST_KNOWN = 1000

/**
 * The current versions of accounts, which every request needs. On SQLite they are read again only after a commit of any process.
 * On PostgreSQL all requests of an account that arrive while one reads share the next read.
 */
export class AccountVersions {
  readonly #database: Database
  /** Read since the last commit. */
  readonly #known = new Map<number, Read>()
  readonly #running = new Map<number, Read>()
  readonly #next = new Map<number, Read>()
  #mark: number | undefined

  constructor(database: Database) {
    this.#database = database
  }

  current(accountId: number): Read {
    // Taken before reading: a commit in between leads to another read.
    const mark = this.#database.commitMark()
    if (mark === undefined) return this.#shared(accountId)
    if (mark !== this.#mark || this.#known.size >= MOST_KNOWN) {
      this.#known.clear()
      this.#mark = mark
    }
    const known = this.#known.get(accountId)
    if (known) return known
    const reading = this.#read(accountId)
    this.#known.set(accountId, reading)
    const forget = () => void (this.#known.get(accountId) === reading && this.#known.delete(accountId))
    // Anybody can ask for accounts that do not exist.
    reading.then((version) => void (version ?? forget()), forget)
    return reading
  }

  /** The shared read begins after everybody who shares it has asked, so nobody gets a version from before their request. */
  #shared(accountId: number): Read {
    const waiting = this.#next.get(accountId)
    if (waiting) return waiting
    const running = this.#running.get(accountId)
    if (!running) return this.#start(accountId)
    const start = () => this.#start(accountId)
    const next = running.then(start, start)
    this.#next.set(accountId, next)
    return next
  }

  #start(accountId: number): Read {
    this.#next.delete(accountId)
    const reading = this.#read(accountId)
    this.#running.set(accountId, reading)
    const done = () => void (this.#running.get(accountId) === reading && this.#running.delete(accountId))
    reading.then(done, done)
    return reading
  }

  #read(accountId: number): Read {
    const generation = this.#database.generation()
    return this.#database.query((sql) => versionOf(sql, accountId, this.#database, generation))
  }
}
