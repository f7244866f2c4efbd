import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, DatabaseUnavailable } from './database.ts'
import { openPostgres, type PostgresOptions } from './postgres.ts'
import { postgresAt, wordsOf } from './postgres-servers.ts'
import { openSqlite } from './sqlite.ts'

/** `sqlite:<file>` or `postgres://…` → the database there. */
export function connect(address: string, options: Partial<PostgresOptions> = {}): Database {
  const file = fileOf(address)
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

/** Which database an address means, in words that hold no password. */
export function databaseAt(address: string): string {
  const file = fileOf(address)
  return file === undefined ? postgresAt(address).replace(/,$/, '') : resolve(file)
}

/** The file of a SQLite database. */
export const fileOf = (address: string): string | undefined => /^sqlite:(.+)$/s.exec(address)?.[1]

const AGAIN = 500

/**
 * Waits for a database that is not there yet: machines and containers start in any order. What waiting cannot mend, a
 * wrong password say, is told at once.
 */
export async function awaitDatabase(
  database: Database,
  address: string,
  { seconds, say }: { seconds: number; say: (line: string) => void },
): Promise<void> {
  if (database.engine === 'sqlite') return
  const place = postgresAt(address)
  const begun = performance.now()
  const passed = () => Math.round((performance.now() - begun) / 1000)
  for (let tries = 0; ; tries++) {
    try {
      await database.glance(async (db) => {
        await sql`begin`.execute(db)
        await sql`rollback`.execute(db)
      })
      if (tries > 0) say(`${place} is reachable after ${passed()} s`)
      return
    } catch (error) {
      const why = wordsOf(error instanceof DatabaseUnavailable ? error.cause : error)
      if (/unsupported startup parameter/.test(why))
        throw new Error(`${place} is behind a connection pooler (${why}). Set DATABASE_POOLER=transaction`, {
          cause: error,
        })
      if (/not allowed in statement pooling/.test(why))
        throw new Error(
          `${place} is behind a connection pooler in statement mode. Set pool_mode = transaction in the pooler`,
          {
            cause: error,
          },
        )
      if (!(error instanceof DatabaseUnavailable))
        throw new Error(`${place} rejected the connection: ${why}`, { cause: error })
      if (passed() >= seconds) throw new Error(`${place} cannot be reached: ${why}`, { cause: error })
      if (tries === 0) say(`Waiting up to ${seconds} s for ${place.replace(/,$/, '')}: ${why}`)
      await pause(AGAIN)
    }
  }
}
