import type { Database } from '../database/database.ts'
import { distribute, gather } from '../database/distribute.ts'
import type { Opened } from './open.ts'
import type { Command } from './options.ts'
import { say } from './output.ts'

export async function distributeOrGather({ database }: Opened, { options }: Command): Promise<void> {
  await (options.undo ? gatherTables : distributeTables)(database, options['dry-run'])
}

/** Distributes the accounts over several machines, and prints which tables are where. */
async function distributeTables(database: Database, isTrial: boolean): Promise<void> {
  const { spread: tables, left } = await distribute(database, { isTrial, tell: say })
  const how = tables.length === 0 ? 'are already distributed' : isTrial ? 'would be distributed' : 'are now distributed'
  say(
    `${tables.length || 'All'} tables ${how}. Tables that stay on the coordinator, because their rows belong to no account: ${left.join(', ')}.`,
  )
}

/** Moves all accounts back to one machine. */
async function gatherTables(database: Database, isTrial: boolean): Promise<void> {
  const tables = await gather(database, { isTrial, tell: say })
  say(
    tables.length === 0
      ? 'No tables are distributed.'
      : `${tables.length} tables ${isTrial ? 'would be moved' : 'moved'} back to one machine.`,
  )
}
