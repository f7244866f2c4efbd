import type { Database, Sql } from '../database/database.ts'
import { insertRows, placeholders, runStatement } from '../database/write-statements.ts'
import type { JobHandlers } from './after-commit.ts'
import { chunks, settleAll } from './chunks.ts'
import type { Columns } from './entries.ts'
import type { Table } from './tables.ts'
import { fold, foldAccents } from './text-folding.ts'
import { markTablesChanged } from './write-transaction.ts'

/**
 * The search index. `search_words` has a row for each word of a record, so both engines find a word by an ordinary index wherever
 * it is in a text. The rows are derived from the records, so they have no ledger entries.
 */

const SEARCH_WORDS = 'search_words'

/** How many different words of a record are indexed: more than a long article has. */
const MAX_WORDS = 2000
const MAX_LENGTH = 100

/** Scripts that are written without spaces: a search may begin at any character. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

/** `Ursula von der Leyen` → ursula, von, der, leyen: in lower case, without accents. */
export function wordsIn(text: string): string[] {
  return (
    foldAccents(text)
      .match(/[\p{L}\p{N}]+/gu)
      ?.map((word) => word.slice(0, MAX_LENGTH)) ?? []
  )
}

/** The words under which a record is found. */
export function searchWordsOf(row: Columns, columns: readonly string[]): Set<string> {
  const words = new Set<string>()
  for (const name of columns)
    for (const word of typeof row[name] === 'string' ? wordsIn(row[name]) : [])
      for (const one of WITHOUT_SPACES.test(word) ? suffixesOf(word) : [word]) {
        if (words.size === MAX_WORDS) return words
        words.add(one)
      }
  return words
}

const suffixesOf = (word: string) => [...word].map((_, at, letters) => letters.slice(at).join(''))

/** A word, and the record that is found by it. */
type IndexedWord = { word: string; record_id: number }

/** Adds the words of new records. */
export async function addSearchWords(sql: Sql, accountId: number, of: Table, rows: readonly Columns[]): Promise<void> {
  if (of.searched.length === 0) return
  const words = rows.flatMap((row) =>
    [...searchWordsOf(row, of.searched)].map((word) => ({ word, record_id: row.id as number })),
  )
  await insertWords(sql, accountId, of, words)
}

/** Adds and deletes the words that differ after records have changed. */
export async function updateSearchWords(
  sql: Sql,
  accountId: number,
  of: Table,
  all: readonly { before: Columns & { id: number }; after: Columns }[],
): Promise<void> {
  const [removed, added]: [IndexedWord[], IndexedWord[]] = [[], []]
  for (const { before, after } of all) {
    if (of.searched.every((name) => before[name] === after[name])) continue
    const [oldWords, newWords] = [searchWordsOf(before, of.searched), searchWordsOf(after, of.searched)]
    for (const word of oldWords) if (!newWords.has(word)) removed.push({ word, record_id: before.id })
    for (const word of newWords) if (!oldWords.has(word)) added.push({ word, record_id: before.id })
  }
  const deletions = chunks(removed, 5000).map((batch) => {
    const ids = [...new Set(batch.map(({ record_id }) => record_id))]
    // Neither engine finds pairs by an index, so it finds the few words of these records and compares them as texts.
    return runStatement(
      sql,
      `delete from ${SEARCH_WORDS} where account_id = ? and resource = ? and record_id in (${placeholders(ids)})
        and cast(record_id as text) || ' ' || word in (${placeholders(batch)})`,
      [accountId, of.table, ...ids, ...batch.map(({ word, record_id }) => `${record_id} ${word}`)],
      SEARCH_WORDS,
    )
  })
  await settleAll<unknown>([...deletions, insertWords(sql, accountId, of, added)])
}

async function insertWords(sql: Sql, account_id: number, of: Table, words: readonly IndexedWord[]): Promise<void> {
  const rows = words.map(({ word, record_id }) => ({ account_id, resource: of.table, word, record_id }))
  // After an upgrade, the job `index_words` may be adding the words of the same records.
  await settleAll(chunks(rows, 5000).map((batch) => insertRows(sql, SEARCH_WORDS, batch, 'on conflict do nothing')))
}

export async function deleteSearchWords(sql: Sql, accountId: number, of: Table, ids: readonly number[]): Promise<void> {
  if (of.searched.length === 0) return
  for (const batch of chunks(ids, 1000))
    await runStatement(
      sql,
      `delete from ${SEARCH_WORDS} where account_id = ? and resource = ? and record_id in (${placeholders(batch)})`,
      [accountId, of.table, ...batch],
      SEARCH_WORDS,
    )
}

/** Calls `handle` for all records of a table, in batches, each in a transaction of its own. */
async function forEachBatch(
  database: Database,
  accountId: number,
  of: Table,
  columns: readonly string[],
  handle: (sql: Sql, rows: Columns[]) => Promise<void>,
): Promise<void> {
  for (let last = 0, isMore = true; isMore; )
    await database.write(async (sql) => {
      const rows = await sql
        .selectFrom(of.table)
        .select(['id', ...columns])
        .where('account_id', '=', accountId)
        .where('id', '>', last)
        .orderBy('id')
        .limit(1000)
        .execute()
      await handle(sql, rows as Columns[])
      last = (rows.at(-1)?.id as number | undefined) ?? last
      isMore = rows.length === 1000
    })
}

/** Jobs that migrations have stored for the accounts of earlier versions. */
export const textJobHandlers = (database: Database, tables: readonly Table[]): JobHandlers => ({
  /** Indexes records that are older than the search index. */
  async index_words(_details, accountId) {
    for (const of of tables) {
      if (of.searched.length === 0) continue
      await forEachBatch(database, accountId, of, of.searched, async (sql, rows) => {
        const ids = rows.map(({ id }) => id as number)
        await deleteSearchWords(sql, accountId, of, ids)
        await addSearchWords(sql, accountId, of, rows)
        await markTablesChanged(sql, accountId, [SEARCH_WORDS])
      })
    }
  },
  /** Replaces sort keys of an earlier version, which ordered letters beyond ASCII differently. */
  async fold_keys(_details, accountId) {
    for (const of of tables)
      for (const name of of.keyed)
        await forEachBatch(database, accountId, of, [name, `${name}_key`], (sql, rows) =>
          foldKeys(sql, accountId, of, name, rows),
        )
  },
})

async function foldKeys(sql: Sql, accountId: number, of: Table, name: string, rows: Columns[]): Promise<void> {
  const stale = rows.filter((row) => typeof row[name] === 'string' && fold(row[name]) !== row[`${name}_key`])
  for (const row of stale) {
    const key = fold(row[name] as string)
    const others = sql.selectFrom(of.table).select('id').where('account_id', '=', accountId)
    // Since the upgrade, somebody may have created another record with the same name.
    if (of.unique.includes(name) && (await others.where(`${name}_key`, '=', key).executeTakeFirst())) continue
    await sql
      .updateTable(of.table)
      .set({ [`${name}_key`]: key })
      .where('account_id', '=', accountId)
      .where('id', '=', row.id as number)
      .execute()
  }
  if (stale.length > 0) await markTablesChanged(sql, accountId, [of.table])
}
