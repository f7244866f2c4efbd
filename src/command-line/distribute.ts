import type { Database } from '../database/database.ts'
import { distribute, undistribute } from '../database/distribute.ts'
import type { Opened } from './open.ts'
import type { Command } from './options.ts'
import { say } from './output.ts'

export async function distributeOrGather({ database }: Opened, { options }: Command): Promise<void> {
  await (options.undo ? gatherTables : distributeTables)(database, options['dry-run'])
}

/** Distributes the accounts over several machines, and prints which tables are where. */
async function distributeTables(database: Database, isDryRun: boolean): Promise<void> {
  const { distributed: tables, skipped } = await distribute(database, { isDryRun, report: say })
  const how =
    tables.length === 0 ? 'are already distributed' : isDryRun ? 'would be distributed' : 'are now distributed'
  say(
    `${tables.length || 'All'} tables ${how}. Tables that stay on the coordinator, because their rows belong to no account: ${skipped.join(', ')}.`,
  )
}

/** Moves all accounts back to one machine. */
async function gatherTables(database: Database, isDryRun: boolean): Promise<void> {
  const tables = await undistribute(database, { isDryRun, report: say })
  say(
    tables.length === 0
      ? 'No tables are distributed.'
      : `${tables.length} tables ${isDryRun ? 'would be moved' : 'moved'} back to one machine.`,
  )
}
