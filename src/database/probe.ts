import { type Database, DatabaseUnavailable } from './database.ts'
import { KNOWN_SCHEMA } from './migrate.ts'

/** Asked more often than this, a probe gives the last answer again: asking must cost the database little. */
const FRESH = 1000
/** Who asks whether it is ready does not wait until it is. */
const PATIENCE = 3000

/** Says whether the database can be read and written, by doing both, whether others could, and whether all else is as it must be. */
export function probe(
  database: Database,
  { also, now = () => performance.now() }: { also?: () => Promise<void>; now?: () => number } = {},
): () => Promise<void> {
  let asked = Number.NEGATIVE_INFINITY
  let answer: Promise<void> = Promise.resolve()
  const ask = async () => {
    // What is written here is so small that it may fit in where nothing else does.
    if (database.isFull()) throw new DatabaseUnavailable('The disk is full', { isFull: true })
    const at = new Date().toISOString()
    // Both at once: whoever reads waits for a turn among callers, and theirs may be stuck.
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
    if (now() - asked > FRESH) {
      asked = now()
      answer = inTime(ask())
    }
    return answer
  }
}

function inTime(asked: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DatabaseUnavailable('The database did not respond in time')), PATIENCE)
  })
  return Promise.race([asked, late]).finally(() => clearTimeout(timer))
}
