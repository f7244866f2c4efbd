import { hash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Sql } from '../database/database.ts'
import { queryAllAccounts } from '../database/query-all-accounts.ts'
import { chunks } from './chunks.ts'
import type { Table } from './tables.ts'

/**
 * Each entry has a hash of itself and of the hash before it. Its contents are part of that hash as a salted digest. Erasing deletes
 * the contents and the salt; the digest remains, so the chain stays valid.
 */

/** The columns of an entry except its contents. */
export type EntryHead = {
  account_id: number
  no: number
  at: string
  actor_kind: string
  actor_id: number | null
  person_id: number | null
  address: string | null
  request_id: string
  correlation_id: string
  operation: string
  resource: string
  record_id: number
  action: string
  owner: string | null
  owner_id: number | null
}

/** The contents of an entry, as JSON text. */
export type EntryContents = { before: string | null; after: string | null }

export type ChainLink = { salt: string; digest: string; hash: string }

const sha256 = (values: readonly unknown[]) => hash('sha256', JSON.stringify(values), 'base64url')

/** The hash that the first entry of an account follows. */
export const chainStart = (accountId: number) => sha256(['ledger', accountId])

export const contentsDigest = (salt: string, { before, after }: EntryContents) => sha256([salt, before, after])

export const entryHash = (previous: string, head: EntryHead, digest: string) =>
  sha256([
    previous,
    head.account_id,
    head.no,
    head.at,
    head.actor_kind,
    head.actor_id,
    head.person_id,
    head.address,
    head.request_id,
    head.correlation_id,
    head.operation,
    head.resource,
    head.record_id,
    head.action,
    head.owner,
    head.owner_id,
    digest,
  ])

/** Makes salt, digest and hash of an entry. */
export function chainEntry(previous: string, head: EntryHead, contents: EntryContents): ChainLink {
  const salt = randomBytes(16).toString('base64url')
  const digest = contentsDigest(salt, contents)
  return { salt, digest, hash: entryHash(previous, head, digest) }
}

const PAGE = 2000

/**
 * Adds hashes and owners to entries of versions without a hash chain. If the process is killed, the next start continues. Until it
 * is done, the account cannot write. It runs only once: an entry that loses its hash later has been tampered with.
 */
export async function chainOldEntries(
  database: Database,
  tables: readonly Table[],
  page = PAGE,
): Promise<ChainedAccount[]> {
  const owners = new Map(tables.flatMap(({ table, owner }) => (owner ? [[table, owner] as const] : [])))
  // An account on a node that is down cannot write either; the next start chains it.
  const { rows: accounts } = await queryAllAccounts(database, (db, ids) =>
    db
      .selectFrom('accounts')
      .select('id')
      .where('is_unchained', '=', true)
      .$if(ids !== null, (query) => query.where('id', 'in', ids))
      .orderBy('id')
      .execute(),
  )
  const chained: ChainedAccount[] = []
  for (const { id } of accounts) {
    const progress = { accountId: id, no: 0, lastHash: chainStart(id), entries: 0, ownerIds: new Map<string, number>() }
    while (await database.withMigrationLock((db) => chainPage(db, progress, owners, page)));
    chained.push(progress)
  }
  return chained
}

/** How many entries of an account were chained. */
export type ChainedAccount = { readonly accountId: number; readonly entries: number }

/** The last chained entry of an account, how many were chained, and the owner of each record so far. */
type Progress = { accountId: number; no: number; lastHash: string; entries: number; ownerIds: Map<string, number> }

/** Chains the next page; true if there may be more. */
async function chainPage(
  db: Sql,
  progress: Progress,
  owners: ReadonlyMap<string, NonNullable<Table['owner']>>,
  page: number,
): Promise<boolean> {
  const { accountId, ownerIds } = progress
  const rows = await db
    .selectFrom('ledger')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('no', '>', progress.no)
    .orderBy('no')
    .limit(page)
    .execute()
  const links = rows.flatMap((row) => {
    const owner = owners.get(row.resource)
    const record = `${row.resource} ${row.record_id}`
    const ownerId = owner && (numberIn(row.after, owner.column) ?? numberIn(row.before, owner.column))
    if (ownerId !== undefined) ownerIds.set(record, ownerId)
    const head = {
      ...row,
      owner: ownerIds.has(record) ? (owner?.to ?? null) : null,
      owner_id: ownerIds.get(record) ?? null,
    }
    // Another process, or an earlier start, may have chained it.
    const link =
      row.hash === null ? chainEntry(progress.lastHash, head as EntryHead, row as EntryContents) : (row as ChainLink)
    progress.lastHash = link.hash
    progress.no = row.no
    return row.hash === null ? [[row.no, head.owner, head.owner_id, link.salt, link.digest, link.hash]] : []
  })
  for (const batch of chunks(links, 500)) {
    const values = sql.join(batch.map((link) => sql`(${sql.join(link.map((value) => sql`${value}`))})`))
    await sql`update ledger set owner = cast(v.column2 as text), owner_id = cast(v.column3 as bigint),
      salt = cast(v.column4 as text), digest = cast(v.column5 as text), hash = cast(v.column6 as text)
      from (values ${values}) as v where ledger.account_id = ${accountId} and ledger.no = cast(v.column1 as bigint)`.execute(
      db,
    )
  }
  progress.entries += links.length
  if (rows.length === page) return true
  await db
    .updateTable('accounts')
    .set({ ledger_hash: progress.lastHash, is_unchained: false })
    .where('id', '=', accountId)
    // If another process was faster, the account may already have new entries.
    .where('is_unchained', '=', true)
    .execute()
  return false
}

function numberIn(json: string | null, column: string): number | undefined {
  const value = json === null ? undefined : JSON.parse(json)[column]
  return typeof value === 'number' ? value : undefined
}
