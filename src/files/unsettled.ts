import type { Sql } from '../database/database.ts'
import { isDue, noteDuties } from '../ledger/after-commit.ts'
import { FilesUnavailable } from './place.ts'
import type { KeptFile } from './source.ts'

/**
 * A store may carry out an order to take a file away when nobody reckons with it any more: its answer got lost, or whoever
 * gave it was killed. Whoever has saved the same bytes in between would be left without them. So it is written down before
 * the order, where all processes see it, and until it is settled nobody comes to rely on that file.
 */

type Place = Pick<KeptFile, 'part' | 'hash'>

/** The kind of duty under which it is written down. */
export const UNSETTLED_FILE = 'unsettled_file'

/** After so many milliseconds nothing is still on its way. */
export const UNSETTLED_FOR = 60_000

/** An order that was held up for longer than this is not given any more. */
export const SOON_ENOUGH = 20_000

export const unsettledAs = ({ part, hash }: Place) => `${UNSETTLED_FILE} ${part}/${hash}`

/** The same bytes may still be taken away. */
export class StillGoing extends FilesUnavailable {
  readonly hash: string

  constructor({ part, hash }: Place) {
    super(`${part}/${hash} may still be removed`)
    this.hash = hash
  }
}

/** Writes it down; one at a time gives the order. Says under what, or nothing when another one has. */
export async function noteUnsettled(sql: Sql, file: Place, accountId: number | null): Promise<Settling | undefined> {
  const id = unsettledAs(file)
  if (await isDue(sql, id, new Date(Date.now() - UNSETTLED_FOR))) return undefined
  const first = sql.selectFrom('accounts').select('id').orderBy('id').limit(1)
  const of = accountId ?? (await first.executeTakeFirstOrThrow()).id
  const at = new Date().toISOString()
  await noteDuties(sql, [{ id, accountId: of, kind: UNSETTLED_FILE, details: { ...file, at } }], at)
  return { id, accountId: of, at }
}

type Settling = { id: string; accountId: number; at: string }
