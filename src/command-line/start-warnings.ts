import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { type Config, connectionsOf, scarcityOf, unknownSettings } from '../config.ts'
import { sqliteFileOf } from '../database/connect.ts'
import type { Database } from '../database/database.ts'
import { exposedPaths, restrictDatabase, restrictFolder } from '../database/file-modes.ts'
import { folderOf } from '../domain/files/address.ts'
import { isFileFolder } from '../domain/files/folder.ts'

/** Warns about settings that the operator should correct, and restricts the modes of the data files. */
export async function warnAtStart(config: Config, database: Database, log: FastifyBaseLogger): Promise<void> {
  const tooMany = await tooManyConnections(config, database)
  if (tooMany) log.warn(tooMany)
  const tooFew = database.engine === 'postgres' ? scarcityOf(config) : undefined
  if (tooFew) log.warn(tooFew)
  for (const line of unknownSettings(process.env)) log.warn(line)
  for (const path of restrictModes(config))
    log.warn(
      `Other users of this machine can read ${path}. Make the user that runs Cadre its owner (chown), or run chmod go= on it`,
    )
}

/** A warning if the server allows fewer connections than Cadre may open. A pooler accepts more than its server. */
async function tooManyConnections(config: Config, database: Database): Promise<string | undefined> {
  if (database.engine !== 'postgres' || config.DATABASE_POOLER !== 'none') return undefined
  const { rows } = await database.query((on) =>
    sql<{ name: string; value: string }>`
      select name, setting as value from pg_settings
      where name in ('max_connections', 'superuser_reserved_connections', 'reserved_connections')`.execute(on),
  )
  const { max_connections = 0, ...reserved } = Object.fromEntries(rows.map(({ name, value }) => [name, Number(value)]))
  const allowed = Object.values(reserved).reduce((left, some) => left - some, max_connections)
  const needed = connectionsOf(config)
  if (needed <= allowed) return undefined
  return `Cadre may open up to ${needed} database connections, but the server allows only ${allowed}. Lower DATABASE_CONNECTIONS or WORKERS, or raise max_connections of the server`
}

/** Makes the data files readable by their owner only, and returns those that others can still read. */
function restrictModes({ DATABASE_URL, CADRE_FILES }: Config): string[] {
  const [file, folder] = [sqliteFileOf(DATABASE_URL), folderOf(CADRE_FILES)]
  const folders = folder === undefined ? [] : [folder]
  for (const one of folders) restrictFolder(one, isFileFolder)
  if (file !== undefined) restrictDatabase(file, folders)
  return exposedPaths([...folders, ...(file === undefined ? [] : [file])])
}
