import type { Database } from './database/database.ts'
import { migrate } from './database/migrate.ts'
import { kindsByTable, showChanges } from './domain/audits/change-responses.ts'
import { storageAt } from './domain/files/address.ts'
import { dropsFiles, FILE_JOBS, fileJobHandlers, hasAnyFile } from './domain/files/remove-unused.ts'
import { FileStore } from './domain/files/store.ts'
import type { Service } from './engine/call/service.ts'
import { tableOf } from './engine/resource.ts'
import { ResponseCache } from './engine/response-cache.ts'
import { kindsCut } from './engine/trace.ts'
import { consequences, fileSources, operations, resources, scopes } from './operations.ts'
import type { AfterCommitJob, JobHandlers } from './records/after-commit.ts'
import { chainOldEntries } from './records/chain.ts'
import { type CacheOptions, LEAST_CACHE_BYTES, openLedger } from './records/ledger.ts'
import { textJobHandlers } from './records/search-words.ts'

export type OpenService = Service & { readonly files: FileStore; readonly responses: ResponseCache }

/** Brings a database that an earlier version has made, or an empty one, to what this version works on; says what it did. */
export async function bringUpToDate(database: Database, place = 'the database'): Promise<string[]> {
  const migrations = await migrate(database)
  const chained = await chainOldEntries(database, resources.map(tableOf))
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
  onFailure: (error: unknown, job: AfterCommitJob) =>
    log.error({ err: error, duty: job.kind }, 'background job failed, trying again every minute; the error is in err'),
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
  onFailure?: (error: unknown, job: AfterCommitJob) => void
  onJump?: (milliseconds: number) => void
  /** Size of the cache in bytes. With 0, responses are not cached. */
  cacheBytes?: number
  caching?: CacheOptions
}): OpenService {
  const { filesAt, cacheBytes = 0, caching, ...rest } = needs
  const isNeeded = () => hasAnyFile(needs.database, fileSources)
  const files = new FileStore(storageAt(filesAt), { isNeeded })
  const tables = resources.map(tableOf)
  const scrubbing: JobHandlers = { scrub: ({ tables }) => needs.database.scrubDeletedRows(tables ?? []) }
  const ledger = openLedger({
    ...rest,
    caching: { ...(cacheBytes > 0 ? { maxBytes: Math.max(cacheBytes, LEAST_CACHE_BYTES) } : {}), ...caching },
    tables,
    consequences: [...consequences, dropsFiles(fileSources)],
    jobHandlers: {
      ...fileJobHandlers(needs.database, files, fileSources),
      ...scrubbing,
      ...textJobHandlers(needs.database, tables),
    },
    deferrableJobs: files.isFar ? FILE_JOBS : [],
  })
  const kinds = kindsByTable(resources)
  return {
    operations,
    ledger,
    files,
    scopes,
    kinds,
    responses: new ResponseCache(
      ledger.cache,
      tables.map(({ table }) => table),
      cacheBytes > 0,
    ),
    showChanges: async (db, entries) => ({
      changes: await showChanges(db, kinds, entries),
      // Whoever has no key sees nothing of anything.
      ...(db.caller.actor.kind === 'anybody' ? {} : { omitted: kindsCut(db, kinds).map(({ table }) => table) }),
    }),
    running: new Set(),
  }
}
