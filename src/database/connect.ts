import type { Database } from './database.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** `sqlite:<file>` or `postgres://…` → the database there. */
export function connect(address: string, options: { connections?: number } = {}): Database {
  if (address.startsWith('sqlite:')) return openSqlite(address.slice('sqlite:'.length))
  if (/^postgres(ql)?:\/\//.test(address)) return openPostgres(address, options.connections ?? 10)
  throw new Error(`DATABASE_URL must begin with sqlite: or postgres://, not "${address.split(':')[0]}:"`)
}
