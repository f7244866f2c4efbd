import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, DatabaseUnavailable } from './database.ts'
import { openPostgres, type PostgresOptions } from './postgres.ts'
import { describePostgres } from './postgres-address.ts'
import { messageOf } from './postgres-errors.ts'
import { openSqlite } from './sqlite.ts'

/** Opens the database of an address: `sqlite:<file>` or `postgres://…`. */
export function connect(address: string, options: Partial<PostgresOptions> = {}): Database {
  const file = sqliteFileOf(address)
  if (file?.startsWith(':'))
    throw new Error('DATABASE_URL must name a file: an in-memory database would be lost when the service stops')
  if (file !== undefined) return openSqlite(file)
  if (/^postgres(ql)?:\/\//.test(address)) {
    const database = openPostgres(address, { connections: 10, ...options })
    if (/^[^/]*\/\/[^/?]*\/?(\?|$)/.test(address) && !process.env.PGDATABASE)
      throw new Error('DATABASE_URL has no database name. Use postgres://user:password@host:5432/database')
    return database
  }
  throw new Error('DATABASE_URL must start with sqlite: or postgres://')
}

/** Describes an address without its password. */
export function describeDatabase(address: string): string {
  const file = sqliteFileOf(address)
  return file === undefined ? describePostgres(address).replace(/,$/, '') : resolve(file)
}

export const sqliteFileOf = (address: string): string | undefined => /^sqlite:(.+)$/s.exec(address)?.[1]

const RETRY_INTERVAL = 500

/**
 * Waits for a database that is still starting: machines and containers start in any order. Fails at once if waiting does not
 * help, as with a wrong password.
 */
export async function waitForDatabase(
  database: Database,
  address: string,
  { seconds, say }: { seconds: number; say: (line: string) => void },
): Promise<void> {
  if (database.engine === 'sqlite') return
  const place = describePostgres(address)
  const started = performance.now()
  const waited = () => Math.round((performance.now() - started) / 1000)
  for (let tries = 0; ; tries++) {
    try {
      await database.query(async (db) => {
        await sql`begin`.execute(db)
        await sql`rollback`.execute(db)
      })
      if (tries > 0) say(`${place} is reachable after ${waited()} s`)
      return
    } catch (error) {
      const why = messageOf(error instanceof DatabaseUnavailable ? error.cause : error)
      refuseWrongPooler(place, why, error)
      if (!(error instanceof DatabaseUnavailable))
        throw new Error(`${place} rejected the connection: ${why}`, { cause: error })
      if (waited() >= seconds) throw new Error(`${place} cannot be reached: ${why}`, { cause: error })
      if (tries === 0) say(`Waiting up to ${seconds} s for ${place.replace(/,$/, '')}: ${why}`)
      await pause(RETRY_INTERVAL)
    }
  }
}

function refuseWrongPooler(place: string, why: string, cause: unknown): void {
  if (/unsupported startup parameter/.test(why))
    throw new Error(`${place} is behind a connection pooler (${why}). Set DATABASE_POOLER=transaction`, { cause })
  if (/not allowed in statement pooling/.test(why))
    throw new Error(
      `${place} is behind a connection pooler in statement mode. Set pool_mode = transaction in the pooler`,
      { cause },
    )
}
