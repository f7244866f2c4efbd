import { FORGOTTEN } from './account-version.ts'
import { chunks } from './chunks.ts'
import { type Columns, ledgerColumns } from './entries.ts'
import type { EntryColumns, LedgerErasure, Table } from './tables.ts'
import type { WriteTransaction } from './write-transaction.ts'

/** Texts shorter than this identify nobody. */
const MIN_LENGTH = 3

/** Erases the contents of ledger entries, and stored responses that contain the erased texts. */
export async function eraseFromLedger(transaction: WriteTransaction): Promise<void> {
  if (transaction.erasures.length === 0) return
  transaction.writtenTables.add(FORGOTTEN)
  const texts = new Set<string>()
  const marked = new Set<string>()
  for (const erasure of transaction.erasures) {
    await eraseStored(transaction, erasure, texts)
    eraseOwnChanges(transaction, erasure, texts)
    await markErased(transaction, erasure, marked)
  }
  await eraseResponses(transaction, [...texts])
}

/** Collects the texts of a row that people have written. */
function collectTexts({ texts: columns }: Table, row: Columns | null, texts: Set<string>): void {
  for (const name of columns) for (const text of textsIn(row?.[name])) texts.add(text)
}

/** Erases entries of earlier transactions. */
async function eraseStored(
  { sql, caller }: WriteTransaction,
  { of, ids, numbers }: LedgerErasure,
  texts: Set<string>,
): Promise<void> {
  const [column, values] = numbers ? ['no', numbers] : ['record_id', ids]
  for (const batch of chunks(values, 1000)) {
    const entries = await sql
      .selectFrom('ledger')
      .select(['before', 'after'])
      .where('account_id', '=', caller.account.id)
      .where('resource', '=', of.table)
      .where(column, 'in', batch)
      .execute()
    for (const { before, after } of entries)
      for (const json of [before, after]) collectTexts(of, json && JSON.parse(json), texts)
    await sql
      .updateTable('ledger')
      .set({ before: null, after: null, salt: null })
      .where('account_id', '=', caller.account.id)
      .where('resource', '=', of.table)
      .where(column, 'in', batch)
      .execute()
  }
}

/** Erases changes of this transaction, which have no entries yet. */
function eraseOwnChanges({ changes }: WriteTransaction, { of, ids, numbers }: LedgerErasure, texts: Set<string>): void {
  if (numbers) return
  const erased = new Set(ids)
  for (const change of changes) {
    if (change.resource !== of.table || !erased.has(change.record_id) || change.action === 'erase') continue
    collectTexts(of, change.before, texts)
    collectTexts(of, change.after, texts)
    Object.assign(change, { before: null, after: null })
  }
}

/**
 * Notes the erasure as a change. An empty entry without such a note has been tampered with. The note contains the columns that the
 * record still has, for clients of the change feed.
 */
async function markErased(
  transaction: WriteTransaction,
  { of, ids }: LedgerErasure,
  marked: Set<string>,
): Promise<void> {
  const rows = await remainingRows(transaction, of, ids)
  for (const record_id of new Set(ids)) {
    if (marked.has(`${of.table} ${record_id}`)) continue
    marked.add(`${of.table} ${record_id}`)
    transaction.changes.push({
      resource: of.table,
      record_id,
      action: 'erase',
      before: null,
      after: rows.get(record_id) ?? null,
      owner: null,
      owner_id: null,
    })
  }
}

async function remainingRows(
  { sql, caller }: WriteTransaction,
  of: Table,
  ids: readonly number[],
): Promise<Map<number, Columns>> {
  const rows = new Map<number, Columns>()
  for (const batch of chunks(ids, 1000)) {
    const found = await sql
      .selectFrom(of.table)
      .selectAll()
      .where('account_id', '=', caller.account.id)
      .where('id', 'in', batch)
      .execute()
    for (const row of found) rows.set(row.id, ledgerColumns(of, row))
  }
  return rows
}

/** The texts of a value. Lists of texts are stored as JSON. */
function textsIn(value: unknown): string[] {
  if (typeof value !== 'string') return []
  const texts = value.startsWith('[') || value.startsWith('{') ? textsInJson(value) : [value]
  return texts.filter((text) => text.length >= MIN_LENGTH)
}

function textsInJson(json: string): string[] {
  const texts: string[] = []
  try {
    JSON.parse(json, (_name, value) => {
      if (typeof value === 'string') texts.push(value)
      return value
    })
    return texts
  } catch {
    return [json]
  }
}

/** Erases the body of each stored response that contains one of the texts. A retry still finds that the request was executed. */
async function eraseResponses({ sql, caller }: WriteTransaction, texts: readonly string[]): Promise<void> {
  const inJson = texts.map((text) => JSON.stringify(text).slice(1, -1))
  const rows = await sql
    .selectFrom('idempotency')
    .select(['actor', 'operation', 'idempotency_key', 'body'])
    .where('account_id', '=', caller.account.id)
    .where('body', 'is not', null)
    .execute()
  for (const { body, ...key } of rows) {
    if (!inJson.some((text) => body.includes(text))) continue
    let response = sql.updateTable('idempotency').set({ body: null }).where('account_id', '=', caller.account.id)
    for (const [name, value] of Object.entries(key)) response = response.where(name, '=', value)
    await response.execute()
  }
}

/** The records of a table that ever referenced one of these in a column, from the ledger: it also knows deleted records. */
export async function pastReferrers(
  { sql, caller }: WriteTransaction,
  table: string,
  column: string,
  ids: readonly number[],
): Promise<number[]> {
  const found = new Set<number>()
  for (const batch of chunks(ids, 50)) {
    const patterns = batch.flatMap((id) => [`%"${column}":${id},%`, `%"${column}":${id}}%`])
    const rows = await sql
      .selectFrom('ledger')
      .select('record_id')
      .distinct()
      .where('account_id', '=', caller.account.id)
      .where('resource', '=', table)
      .where((eb) => eb.or(patterns.flatMap((text) => [eb('before', 'like', text), eb('after', 'like', text)])))
      .execute()
    for (const row of rows) found.add(row.record_id)
  }
  return [...found]
}

/** The records that these records of a table ever referenced in a column, unless it was erased. */
export async function pastReferences(
  { sql, caller }: WriteTransaction,
  table: string,
  column: string,
  ids: readonly number[],
): Promise<number[]> {
  const referenced = new Set<number>()
  for (const batch of chunks(ids, 1000)) {
    const rows = await sql
      .selectFrom('ledger')
      .select(['before', 'after'])
      .where('account_id', '=', caller.account.id)
      .where('resource', '=', table)
      .where('record_id', 'in', batch)
      .execute()
    for (const json of rows.flatMap(({ before, after }) => [before, after])) {
      const id = json && JSON.parse(json)[column]
      if (typeof id === 'number') referenced.add(id)
    }
  }
  return [...referenced]
}

/** The entries of all writes that created or deleted one of these records, including entries about other records. */
export async function entriesWrittenWith(
  { sql, caller }: WriteTransaction,
  table: string,
  ids: readonly number[],
): Promise<EntryColumns[]> {
  const ledger = () => sql.selectFrom('ledger').where('account_id', '=', caller.account.id)
  const found: EntryColumns[] = []
  for (const batch of chunks(ids, 1000)) {
    const writes = await ledger()
      .select(['request_id', 'at', 'operation'])
      .distinct()
      .where('resource', '=', table)
      .where('record_id', 'in', batch)
      .where('action', 'in', ['create', 'delete'])
      .execute()
    for (const { request_id, at, operation } of writes) {
      const rows = await ledger()
        .select(['no', 'resource', 'record_id', 'before', 'after'])
        .where('request_id', '=', request_id)
        .where('at', '=', at)
        .where('operation', '=', operation)
        .execute()
      for (const { no, resource, record_id, before, after } of rows) {
        const columns = Object.keys({ ...(before && JSON.parse(before)), ...(after && JSON.parse(after)) })
        found.push({ number: no, resource, record_id, columns })
      }
    }
  }
  return found
}
