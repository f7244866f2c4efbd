import { hash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Sql } from '../database/database.ts'
import { queryAllAccounts } from '../database/query-all-accounts.ts'
import { chunks } from './chunks.ts'
import type { Table } from './tables.ts'

/**
 * Each entry holds the hash of all that it says and of the entry before it. What a change said of its record goes into
 * that hash as a salted digest: when it is erased, the salt goes too, the digest stays, and the chain is whole.
 */

/** What an entry says besides its contents, as the ledger keeps it. */
export type Head = {
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

/** The contents, as they are kept: JSON text. */
export type Contents = { before: string | null; after: string | null }

export type Link = { salt: string; digest: string; hash: string }

const sha256 = (values: readonly unknown[]) => hash('sha256', JSON.stringify(values), 'base64url')

/** What the first entry of an account follows. */
export const beginningOf = (accountId: number) => sha256(['ledger', accountId])

export const digestOf = (salt: string, { before, after }: Contents) => sha256([salt, before, after])

export const hashOf = (previous: string, head: Head, digest: string) =>
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

/** Ties an entry to the one before it. */
export function linked(previous: string, head: Head, contents: Contents): Link {
  const salt = randomBytes(16).toString('base64url')
  const digest = digestOf(salt, contents)
  return { salt, digest, hash: hashOf(previous, head, digest) }
}

const PAGE = 2000

/**
 * Chains entries that versions before this one have left unchained, and notes whose parts they were about. Killed
 * half-way, it goes on from there at the next start; until it is done nobody can write. Afterwards it is never done again:
 * an entry that loses its hash is a break, and stays one.
 */
export async function chainPast(database: Database, tables: readonly Table[], page = PAGE): Promise<Chained[]> {
  const owners = new Map(tables.flatMap(({ table, owner }) => (owner ? [[table, owner] as const] : [])))
  // An account that cannot be reached writes nothing before it is chained, which the next start does.
  const { rows: accounts } = await queryAllAccounts(database, (db, some) =>
    db
      .selectFrom('accounts')
      .select('id')
      .where('is_unchained', '=', true)
      .$if(some !== null, (query) => query.where('id', 'in', some))
      .orderBy('id')
      .execute(),
  )
  const chained: Chained[] = []
  for (const { id } of accounts) {
    const walk = { accountId: id, no: 0, tip: beginningOf(id), entries: 0, known: new Map<string, number>() }
    while (await database.withMigrationLock((db) => chainSome(db, walk, owners, page)));
    chained.push(walk)
  }
  return chained
}

/** How many entries of an account were chained. */
export type Chained = { readonly accountId: number; readonly entries: number }

/** How far the entries of an account are chained, and whose parts the records are that they were about. */
type Walk = { accountId: number; no: number; tip: string; entries: number; known: Map<string, number> }

/** Chains the next page, and says whether there may be more. */
async function chainSome(
  db: Sql,
  walk: Walk,
  owners: ReadonlyMap<string, NonNullable<Table['owner']>>,
  page: number,
): Promise<boolean> {
  const { accountId, known } = walk
  const rows = await db
    .selectFrom('ledger')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('no', '>', walk.no)
    .orderBy('no')
    .limit(page)
    .execute()
  const links = rows.flatMap((row) => {
    const owner = owners.get(row.resource)
    const record = `${row.resource} ${row.record_id}`
    const said = owner && (valueIn(row.after, owner.column) ?? valueIn(row.before, owner.column))
    if (said !== undefined) known.set(record, said)
    const head = { ...row, owner: known.has(record) ? (owner?.to ?? null) : null, owner_id: known.get(record) ?? null }
    // Another process may have been here, or this one before it was killed.
    const link = row.hash === null ? linked(walk.tip, head as Head, row as Contents) : (row as Link)
    walk.tip = link.hash
    walk.no = row.no
    return row.hash === null ? [[row.no, head.owner, head.owner_id, link.salt, link.digest, link.hash]] : []
  })
  for (const some of chunks(links, 500)) {
    const values = sql.join(some.map((link) => sql`(${sql.join(link.map((value) => sql`${value}`))})`))
    await sql`update ledger set owner = cast(v.column2 as text), owner_id = cast(v.column3 as bigint),
      salt = cast(v.column4 as text), digest = cast(v.column5 as text), hash = cast(v.column6 as text)
      from (values ${values}) as v where ledger.account_id = ${accountId} and ledger.no = cast(v.column1 as bigint)`.execute(
      db,
    )
  }
  walk.entries += links.length
  if (rows.length === page) return true
  await db
    .updateTable('accounts')
    .set({ ledger_hash: walk.tip, is_unchained: false })
    .where('id', '=', accountId)
    // Another process may have been done first: then others write by now.
    .where('is_unchained', '=', true)
    .execute()
  return false
}

function valueIn(json: string | null, column: string): number | undefined {
  const value = json === null ? undefined : JSON.parse(json)[column]
  return typeof value === 'number' ? value : undefined
}
