import type { Config } from '../config.ts'
import { backUp, restore } from '../domain/files/backup.ts'
import { fileSources } from '../operations.ts'
import type { Opened } from './open.ts'
import type { Command } from './options.ts'
import { fail, say } from './output.ts'

export async function writeBackup({ config, database, files }: Opened, { argument, options }: Command): Promise<void> {
  const target = argument || fail('name the file to write: backup <file>')
  const { files: folder, force } = options
  const of = { database, files, sources: fileSources }
  if (!(await backUp(config, of, { target, folder, force, say }))) process.exitCode = 1
}

export async function restoreBackup(config: Config, { argument, options }: Command): Promise<void> {
  const copy = argument || fail('name the backup file: restore <file>')
  if (!(await restore(config, fileSources, { copy, folder: options.files, say }))) process.exitCode = 1
}
