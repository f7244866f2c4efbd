import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../config.ts'
import { describeDatabase, sqliteFileOf, waitForDatabase } from '../database/connect.ts'
import type { Database } from '../database/database.ts'
import { schemaOf } from '../database/migrate.ts'
import { filesOfRecords } from '../domain/files/check.ts'
import { awaitFiles } from '../domain/files/copy.ts'
import type { FileStore } from '../domain/files/store.ts'
import { fileSources } from '../operations.ts'
import type { Ledger } from '../records/ledger.ts'
import { bringUpToDate, openService } from '../service.ts'
import type { Command, SchemaUse } from './options.ts'
import { fail, say } from './output.ts'

/** What commands work with. */
export type Opened = {
  config: Config
  database: Database
  ledger: Ledger
  files: FileStore
  /** The file storage belongs to another database. */
  areFilesForeign: boolean
}

/** Waits for the database and the files that a command needs, and prepares the schema. */
export async function open(config: Config, database: Database, command: Command): Promise<Opened> {
  const { ledger, files } = openService({ database, filesAt: config.CADRE_FILES })
  const seconds = command.schema === 'migrates' || command.schema === 'creates' ? config.DATABASE_WAIT : 0
  await waitForDatabase(database, config.DATABASE_URL, { seconds, say })
  // A check that removes nothing also works where nothing can be written.
  const isTrial = command.name === 'files check' && !command.options.remove
  if (command.usesFiles && !isTrial) await awaitFiles(files, { seconds, say })
  await prepareSchema(config, database, command.schema)
  const keysOfRecords = async () => (await filesOfRecords(database, fileSources)).keys()
  const areFilesForeign = command.usesFiles && !(await files.recognise(keysOfRecords, { isTrial }))
  if (areFilesForeign) say(`${files.advice} Uploads are rejected until then.`)
  return { config, database, ledger, files, areFilesForeign }
}

export async function prepareSchema({ DATABASE_URL }: Config, database: Database, use: SchemaUse): Promise<void> {
  if (use === 'any') return
  const found = await schemaOf(database)
  // If this version does not know a migration, the attempt to migrate fails and names it.
  if (use === 'migrates' || found === 'newer' || (use === 'creates' && found === 'none'))
    for (const line of await bringUpToDate(database, describeDatabase(DATABASE_URL))) say(line)
  else if (found === 'none')
    fail('the database is empty. Start the service first, which creates the schema, or check DATABASE_URL')
  else if (found === 'older')
    fail('the database schema is from an older version of Cadre. Start the service or run "migrate" first')
}

/** Refuses to create a database file: it would be empty, and not the database that the operator means. */
export function requireDatabaseFile(address: string): void {
  const file = sqliteFileOf(address)
  if (file !== undefined && !existsSync(file))
    fail(
      `there is no database at ${resolve(file)}. Set DATABASE_URL, or pass the environment file of the service with --env-file`,
    )
}
