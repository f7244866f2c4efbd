import { type Database, DatabaseUnavailable } from './database.ts'
import { KNOWN_SCHEMA } from './migrate.ts'

/** For this many milliseconds a result is returned again, so that checks cost the database little. */
const CACHED_FOR = 1000
const TIMEOUT = 3000

/**
 * Returns a check that fails if the service cannot serve requests: it reads and writes in the database, checks that the disk has
 * space and the schema is not newer than this version, and runs `also`.
 */
export function readinessCheck(
  database: Database,
  { also, now = () => performance.now() }: { also?: () => Promise<void>; now?: () => number } = {},
): () => Promise<void> {
  let checkedAt = Number.NEGATIVE_INFINITY
  let result: Promise<void> = Promise.resolve()
  const check = async () => {
    // The write below is so small that it can succeed on a full disk.
    if (database.isDiskFull()) throw new DatabaseUnavailable('The disk is full', { isFull: true })
    const at = new Date().toISOString()
    // Reads inside the write: the read connections may all be in use by slow requests.
    await database.write(async (sql) => {
      const newest = await sql
        .selectFrom('schema_migrations')
        .select((eb) => eb.fn.max('number').as('number'))
        .executeTakeFirst()
      if (Number(newest?.number) > KNOWN_SCHEMA)
        throw new DatabaseUnavailable(
          'A newer version of Cadre has migrated the database schema. Stop this process and start the newer version',
        )
      await sql.updateTable('heartbeat').set({ at }).where('id', '=', 1).execute()
    })
    await also?.()
  }
  return () => {
    if (now() - checkedAt > CACHED_FOR) {
      checkedAt = now()
      result = withTimeout(check())
    }
    return result
  }
}

function withTimeout(check: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DatabaseUnavailable('The database did not respond in time')), TIMEOUT)
  })
  return Promise.race([check, timeout]).finally(() => clearTimeout(timer))
}
