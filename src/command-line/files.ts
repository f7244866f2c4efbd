import type { Config } from '../config.ts'
import { storageAt } from '../domain/files/address.ts'
import { copyTo } from '../domain/files/backup.ts'
import { checkFiles } from '../domain/files/check.ts'
import { FileStore } from '../domain/files/store.ts'
import { fileSources } from '../operations.ts'
import { warnUnreachable } from './accounts.ts'
import type { Opened } from './open.ts'
import type { Command } from './options.ts'
import { fail, say } from './output.ts'

/** Prints files without a record and records without their file, and removes the former if asked to. */
export async function checkAllFiles({ database, files, areFilesForeign }: Opened, { options }: Command): Promise<void> {
  const remove = options.remove ?? false
  const found = await checkFiles(database, files, fileSources, { remove })
  for (const name of found.orphans) say(`${remove ? 'removed' : 'file without a record:'} ${name}`)
  for (const record of found.missing) say(`file missing: the file of ${record}`)
  for (const name of found.drafts) say(`${remove ? 'removed' : 'left over from an unfinished upload:'} ${name}`)
  const orphans = found.away.length > 0 ? 'an unknown number' : found.orphans.length
  say(
    `${found.files} files in the file storage, ${orphans} of them without a record. ${found.missing.length} files of records are missing.`,
  )
  warnUnreachable(found.away)
  if (areFilesForeign || found.missing.length > 0) process.exitCode = 1
}

/** Copies all files to another place, and prints how many. */
export async function copyFiles({ CADRE_FILES }: Config, { argument }: Command): Promise<void> {
  const target = argument || fail('name the destination: files copy <folder or s3://bucket/prefix>')
  if (await new FileStore(storageAt(CADRE_FILES)).isEmpty())
    fail(`${CADRE_FILES} contains no files to copy. Check CADRE_FILES`)
  const { copied, there, more, damaged } = await copyTo(CADRE_FILES, target, say)
  if (damaged.length > 0) process.exitCode = 1
  say(`${copied} files copied, ${there} already there.`)
  if (more > 0)
    say(
      `The destination has ${more} more files that are not in ${CADRE_FILES}. Run "files check" on it to see which are still in use.`,
    )
}
