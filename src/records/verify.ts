import type { Database, Sql } from '../database/database.ts'
import { chainStart, contentsDigest, type EntryContents, type EntryHead, entryHash } from './chain.ts'
import { chunks } from './chunks.ts'

/** Verifies the hash chain of the ledger, entry by entry. */

/** The number and hash of an entry. A copy kept elsewhere proves that nothing up to this entry was changed. */
export type LedgerHead = { number: number; hash: string }

/** The last valid entry of an account, and the first invalid one if there is one. */
export type Verdict = { head: LedgerHead; broken: { number: number; reason: string } | null }

type Row = EntryHead & EntryContents & { salt: string | null; digest: string | null; hash: string | null }

const PAGE = 5000

const COLUMNS = [
  'account_id',
  'no',
  'actor_kind',
  'actor_id',
  'person_id',
  'address',
  'request_id',
  'correlation_id',
  'operation',
  'resource',
  'record_id',
  'action',
  'owner',
  'owner_id',
  'before',
  'after',
  'salt',
  'digest',
  'hash',
] as const

/** Verifies all entries of an account, and compares them with heads that were kept elsewhere. */
export async function verifyLedger(
  database: Database,
  accountId: number,
  kept: readonly LedgerHead[] = [],
): Promise<Verdict> {
  const head: LedgerHead = { number: 0, hash: chainStart(accountId) }
  // Numbers below 1 too: somebody may have inserted entries before the first.
  let since = Number.MIN_SAFE_INTEGER
  const brokenAt = (number: number, reason: string) => ({ head, broken: { number, reason } })
  for (;;) {
    // On one snapshot, so that concurrent writes are in both the account and the entries, or in neither.
    const { account, rows, wrong } = await database.read((sql) => readPage(sql, accountId, since))
    for (const row of rows) {
      if (row.no < 1) return brokenAt(row.no, 'entry numbers start at 1')
      if (row.no !== head.number + 1) return brokenAt(head.number + 1, 'it is missing')
      const reason = row.no > account.ledger_no ? APPENDED : (wrong.get(row.no) ?? faultOf(row, head.hash))
      if (reason) return brokenAt(row.no, reason)
      if (kept.some(({ number, hash }) => number === row.no && hash !== row.hash))
        return brokenAt(row.no, 'its hash differs from the one in --head')
      head.number = since = row.no
      head.hash = row.hash as string
    }
    if (rows.length > 0) continue
    if (account.ledger_no !== head.number)
      return brokenAt(head.number + 1, 'it is missing: the last entries have been removed')
    if (head.number > 0 && account.ledger_hash !== head.hash)
      return brokenAt(head.number, 'its hash differs from the one stored with the account')
    const beyond = kept.find(({ number }) => number > head.number)
    if (beyond) return brokenAt(head.number + 1, `it is missing: --head says that there was an entry ${beyond.number}`)
    return { head, broken: null }
  }
}

const APPENDED = 'it was added after the last entry that the account has recorded'

/** What is wrong with an entry, given the hash of the one before. */
function faultOf(row: Row, previous: string): string | undefined {
  if (row.hash === null || row.digest === null) return 'it has no hash'
  if (row.salt !== null && contentsDigest(row.salt, row) !== row.digest) return 'its data has been changed'
  if (row.salt === null && (row.before !== null || row.after !== null)) return 'it contains data that has been erased'
  if (entryHash(previous, row, row.digest) !== row.hash)
    return 'it has been changed, or does not follow the entry before it'
  return undefined
}

/** The next entries, the account's last number and hash, and the entries that are empty but were not erased. */
async function readPage(sql: Sql, accountId: number, since: number) {
  const account = await sql
    .selectFrom('accounts')
    .select(['ledger_no', 'ledger_hash'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const found = await sql
    .selectFrom('ledger')
    .select(COLUMNS)
    // As text, because a `Date` would drop digits.
    .select((eb) => eb.cast<string>('at', 'text').as('moment'))
    .where('account_id', '=', accountId)
    .where('no', '>', since)
    .orderBy('no')
    .limit(PAGE)
    .execute()
  const rows = found.map(({ moment, ...row }) => ({ ...row, at: isoOf(moment) }) as Row)
  return { account, rows, wrong: await emptied(sql, accountId, rows) }
}

/** Finds entries without a salt that have no later `erase` entry for the same record. */
async function emptied(sql: Sql, accountId: number, rows: readonly Row[]): Promise<Map<number, string>> {
  const wrong = new Map<number, string>()
  const empty = rows.filter(({ salt, hash }) => salt === null && hash !== null)
  for (const [resource, own] of Map.groupBy(empty, (row) => row.resource)) {
    const erased = new Map<number, number>()
    for (const ids of chunks([...new Set(own.map(({ record_id }) => record_id))], 1000)) {
      const marks = await sql
        .selectFrom('ledger')
        .select((eb) => ['record_id', eb.fn.max('no').as('no')])
        .where('account_id', '=', accountId)
        .where('resource', '=', resource)
        .where('record_id', 'in', ids)
        .where('action', '=', 'erase')
        .groupBy('record_id')
        .execute()
      for (const { record_id, no } of marks) erased.set(record_id, Number(no))
    }
    for (const { no, record_id } of own)
      if ((erased.get(record_id) ?? 0) < no) wrong.set(no, 'its data was removed, but the record was never erased')
  }
  return wrong
}

/** `2024-01-19 15:42:56.3+00` → `2024-01-19T15:42:56.300Z`. A text with more digits than Cadre writes stays as it is. */
function isoOf(moment: string): string {
  const parts = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/.exec(moment)
  return parts ? `${parts[1]}T${parts[2]}.${(parts[3] ?? '').padEnd(3, '0')}Z` : moment
}
