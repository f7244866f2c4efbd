import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import type { Database, Sql } from './database.ts'
import { distributeNewTable, isDistributed } from './distribute.ts'

const FOLDER = new URL('./migrations/', import.meta.url)

type Migration = { number: number; name: string; checksum: string; statements: string[] }

/** All migrations in order. They are portable SQL; a statement ends with `;` at the end of a line. */
export function readMigrations(): Migration[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sql'))
  return files.sort().map((file) => {
    const text = readFileSync(new URL(file, FOLDER), 'utf8').replaceAll('\r\n', '\n')
    return {
      number: Number.parseInt(file, 10),
      name: file,
      checksum: createHash('sha256').update(text).digest('hex'),
      statements: text
        .replace(/^\s*--.*$/gm, '')
        .split(/;\s*$/m)
        .map((statement) => statement.trim())
        .filter(Boolean),
    }
  })
}

/** The number of the newest migration of this version. */
export const KNOWN_SCHEMA = Math.max(...readMigrations().map(({ number }) => number))

/** Compares the schema of a database with that of this version. */
export async function schemaOf(database: Database): Promise<'none' | 'older' | 'same' | 'newer'> {
  return database.read(async (db) => {
    const tables = await db.introspection.getTables()
    if (!tables.some(({ name }) => name === 'schema_migrations')) return 'none'
    const newest = await db
      .selectFrom('schema_migrations')
      .select((eb) => eb.fn.max('number').as('number'))
      .executeTakeFirst()
    const number = Number(newest?.number ?? 0)
    return number === 0 ? 'none' : number < KNOWN_SCHEMA ? 'older' : number > KNOWN_SCHEMA ? 'newer' : 'same'
  })
}

/** Brings the schema up to date and returns the names of the migrations that ran. */
export function migrate(database: Database, known = readMigrations()): Promise<string[]> {
  return database.withMigrationLock(async (db) => {
    await sql`create table if not exists schema_migrations (
      number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null)`.execute(
      db,
    )
    const applied = await db.selectFrom('schema_migrations').selectAll().orderBy('number').execute()
    for (const row of applied) {
      const match = known.find((migration) => migration.number === row.number)
      if (!match)
        throw new Error(
          `The database was migrated by a newer version of Cadre (migration ${row.name}). Start that version or a later one`,
        )
      if (match.checksum !== row.checksum)
        throw new Error(
          `The migration ${row.name} of this version is not the one that was applied to this database. Start an unmodified release of Cadre`,
        )
    }
    const due = known.filter((migration) => !applied.some((row) => row.number === migration.number))
    const hasNodes = database.engine === 'postgres' && (await isDistributed(db))
    // One connection to each node, so that each statement sees the changes of those before.
    if (hasNodes) await sql`set local citus.multi_shard_modify_mode to 'sequential'`.execute(db)
    for (const { number, name, checksum, statements } of due) {
      for (const statement of statements)
        await runDdl(database.ddl(statement), db, hasNodes).catch((error) => {
          throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : error}`, {
            cause: error,
          })
        })
      await db
        .insertInto('schema_migrations')
        .values({ number, name, checksum, applied_at: new Date().toISOString() })
        .execute()
    }
    return due.map((migration) => migration.name)
  })
}

/** Runs a statement. In a database with nodes, a new table is distributed while it is empty. */
async function runDdl(statement: string, db: Sql, hasNodes: boolean): Promise<void> {
  await sql.raw(statement).execute(db)
  const [, created] = /^create table (\w+)/.exec(statement) ?? []
  if (hasNodes && created) await distributeNewTable(db, created)
}
