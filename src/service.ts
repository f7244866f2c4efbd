import { kindsByTable, showChanges } from './audits/change-responses.ts'
import type { Database } from './database/database.ts'
import { migrate } from './database/migrate.ts'
import type { Service } from './engine/call/service.ts'
import { KeptAnswers } from './engine/kept-answers.ts'
import { tableOf } from './engine/resource.ts'
import { kindsCut } from './engine/trace.ts'
import { storageAt } from './files/address.ts'
import { droppingDuties, dropsFiles, FILE_DUTIES, hasAnyFile } from './files/remove-unused.ts'
import { FileStore } from './files/store.ts'
import type { Dutiful, Duty } from './ledger/after-commit.ts'
import { chainPast } from './ledger/chain.ts'
import { type InMind, openLedger } from './ledger/ledger.ts'
import { wordDuties } from './ledger/words.ts'
import { consequences, fileSources, operations, resources, scopes } from './operations.ts'

export type OpenService = Service & { readonly files: FileStore; readonly answers: KeptAnswers }

/** Brings a database that an earlier version has made, or an empty one, to what this version works on; says what it did. */
export async function bringUpToDate(database: Database, place = 'the database'): Promise<string[]> {
  const migrations = await migrate(database)
  const chained = await chainPast(database, resources.map(tableOf))
  return [
    ...(migrations.length === 0
      ? []
      : /^0001-/.test(migrations[0] ?? '')
        ? [`Created the database schema in ${place}`]
        : [`Migrated the database schema: ${migrations.join(', ')}`]),
    ...chained.map(
      ({ accountId, entries }) =>
        `Added hashes to ${entries} older entries of the change ledger of account ${accountId}`,
    ),
  ]
}

/** Tells a log what goes wrong behind everybody's back. */
export const reportTo = (log: { error: (what: unknown, words: string) => void }) => ({
  onFailure: (error: unknown, duty: Duty) =>
    log.error({ err: error, duty: duty.kind }, 'background job failed, trying again every minute; the error is in err'),
  onJump: (ms: number) =>
    log.error(
      { seconds: ms / 1000 },
      'THE SYSTEM CLOCK HAS JUMPED by the given seconds: correct the clock of this machine, because it sets the times of all changes',
    ),
})

/** The whole service on a database, without any way in: surfaces, the command line and tests go on from here. */
export function openService(needs: {
  database: Database
  /** A folder, or `s3://bucket/prefix`. */
  filesAt: string
  clock?: () => Date
  onFailure?: (error: unknown, duty: Duty) => void
  onJump?: (milliseconds: number) => void
  /** How many bytes of answers are kept. */
  answersKept?: number
  inMind?: InMind
}): OpenService {
  const { filesAt, answersKept = 0, ...rest } = needs
  const isNeeded = () => hasAnyFile(needs.database, fileSources)
  const files = new FileStore(storageAt(filesAt), { isNeeded })
  const tables = resources.map(tableOf)
  const scrubbing: Dutiful = { scrub: ({ tables }) => needs.database.scrub(tables ?? []) }
  const ledger = openLedger({
    ...rest,
    tables,
    consequences: [...consequences, dropsFiles(fileSources)],
    dutiful: {
      ...droppingDuties(needs.database, files, fileSources),
      ...scrubbing,
      ...wordDuties(needs.database, tables),
    },
    unhurried: files.isFar ? FILE_DUTIES : [],
  })
  const kinds = kindsByTable(resources)
  return {
    operations,
    ledger,
    files,
    scopes,
    kinds,
    answers: new KeptAnswers(
      tables.map(({ table }) => table),
      answersKept,
      needs.database,
    ),
    showChanges: async (db, entries) => ({
      changes: await showChanges(db, kinds, entries),
      // Whoever has no key sees nothing of anything.
      ...(db.caller.actor.kind === 'anybody' ? {} : { omitted: kindsCut(db, kinds).map(({ table }) => table) }),
    }),
    running: new Set(),
  }
}
