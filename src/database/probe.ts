import type { Database } from './database.ts'

/** Asked more often than this, a probe gives the last answer again: asking must cost the database little. */
const FRESH = 1000

/** Says whether the database can be read and written, by doing both. */
export function probe(database: Database, now = () => performance.now()): () => Promise<void> {
  let asked = Number.NEGATIVE_INFINITY
  let answer: Promise<void> = Promise.resolve()
  const ask = async () => {
    await database.read((sql) => sql.selectFrom('heartbeat').select('at').execute())
    const at = new Date().toISOString()
    await database.write((sql) => sql.updateTable('heartbeat').set({ at }).where('id', '=', 1).execute())
  }
  return () => {
    if (now() - asked > FRESH) {
      asked = now()
      answer = ask()
    }
    return answer
  }
}
