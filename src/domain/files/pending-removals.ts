import type { Sql } from '../../database/database.ts'
import type { RecordFile } from '../../engine/file-source.ts'
import { isJobPending, storeJobs } from '../../records/after-commit.ts'
import { FilesUnavailable } from './storage.ts'

/**
 * A store may carry out an order to take a file away when nobody reckons with it any more: its answer got lost, or whoever
 * gave it was killed. Whoever has saved the same bytes in between would be left without them. So it is written down before
 * the order, where all processes see it, and until it is settled nobody comes to rely on that file.
 */

type FileLocation = Pick<RecordFile, 'part' | 'hash'>

/** The kind of after-commit job under which it is stored. */
export const UNSETTLED_FILE = 'unsettled_file'

/** After so many milliseconds nothing is still on its way. */
export const UNSETTLED_FOR = 60_000

/** An order that was held up for longer than this is not given any more. */
export const SOON_ENOUGH = 20_000

export const unsettledAs = ({ part, hash }: FileLocation) => `${UNSETTLED_FILE} ${part}/${hash}`

/** A file with the same content may still be removed. */
export class RemovalPending extends FilesUnavailable {
  readonly hash: string

  constructor({ part, hash }: FileLocation) {
    super(
      `An earlier file with the same content is still being removed (${part}/${hash}). Upload the file again in a minute`,
    )
    this.hash = hash
  }
}

/** Writes it down; one at a time gives the order. Says under what, or nothing when another one has. */
export async function recordPendingRemoval(
  sql: Sql,
  file: FileLocation,
  accountId: number | null,
): Promise<PendingRemoval | undefined> {
  const id = unsettledAs(file)
  if (await isJobPending(sql, id, new Date(Date.now() - UNSETTLED_FOR))) return undefined
  const first = sql.selectFrom('accounts').select('id').orderBy('id').limit(1)
  const of = accountId ?? (await first.executeTakeFirstOrThrow()).id
  const at = new Date().toISOString()
  await storeJobs(sql, [{ id, accountId: of, kind: UNSETTLED_FILE, details: { ...file, at } }], at)
  return { id, accountId: of, at }
}

type PendingRemoval = { id: string; accountId: number; at: string }
