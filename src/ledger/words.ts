import type { Database, Sql } from '../database/database.ts'
import { insertRows, placeholders, runStatement } from '../database/write-statements.ts'
import type { JobHandlers } from './after-commit.ts'
import { allDone, chunks } from './chunks.ts'
import type { Columns } from './entries.ts'
import { fold, plainLetters } from './letters.ts'
import type { Table } from './tables.ts'
import { markTablesChanged } from './write-transaction.ts'

/**
 * The words that records are found by, each on its own in `search_words`: so a word is found wherever it stands, by an
 * index that both engines have. They follow from the records, so the ledger does not keep them.
 */

const WORDS = 'search_words'

/** So many different words of a record are kept, those of its first texts first: more than a long article has. */
const MOST_WORDS = 2000
const LONGEST = 100

/** Scripts that are written without spaces: what is looked for may begin at any character. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

/** `Ursula von der Leyen` → ursula, von, der, leyen: whatever the case and the accents. */
export function wordsIn(text: string): string[] {
  return (
    plainLetters(text)
      .match(/[\p{L}\p{N}]+/gu)
      ?.map((word) => word.slice(0, LONGEST)) ?? []
  )
}

/** The words that a record is found by. */
export function keptWords(row: Columns, columns: readonly string[]): Set<string> {
  const kept = new Set<string>()
  for (const name of columns)
    for (const word of typeof row[name] === 'string' ? wordsIn(row[name]) : [])
      for (const one of UNSPACED.test(word) ? endingsOf(word) : [word]) {
        if (kept.size === MOST_WORDS) return kept
        kept.add(one)
      }
  return kept
}

const endingsOf = (word: string) => [...word].map((_, at, letters) => letters.slice(at).join(''))

/** A word, and the record that is found by it. */
type Found = { word: string; record_id: number }

/** Notes the words of new records. */
export async function addWords(sql: Sql, accountId: number, of: Table, rows: readonly Columns[]): Promise<void> {
  if (of.searched.length === 0) return
  const words = rows.flatMap((row) =>
    [...keptWords(row, of.searched)].map((word) => ({ word, record_id: row.id as number })),
  )
  await insertWords(sql, accountId, of, words)
}

/** Notes which words records are found by since they have changed; those that stay are not touched. */
export async function changeWords(
  sql: Sql,
  accountId: number,
  of: Table,
  all: readonly { before: Columns & { id: number }; after: Columns }[],
): Promise<void> {
  const [gone, come]: [Found[], Found[]] = [[], []]
  for (const { before, after } of all) {
    if (of.searched.every((name) => before[name] === after[name])) continue
    const [old, kept] = [keptWords(before, of.searched), keptWords(after, of.searched)]
    for (const word of old) if (!kept.has(word)) gone.push({ word, record_id: before.id })
    for (const word of kept) if (!old.has(word)) come.push({ word, record_id: before.id })
  }
  const dropped = chunks(gone, 5000).map((some) => {
    const ids = [...new Set(some.map(({ record_id }) => record_id))]
    // Neither engine looks for pairs by an index: the few words of these records are found by it, and compared as texts.
    return runStatement(
      sql,
      `delete from ${WORDS} where account_id = ? and resource = ? and record_id in (${placeholders(ids)})
        and cast(record_id as text) || ' ' || word in (${placeholders(some)})`,
      [accountId, of.table, ...ids, ...some.map(({ word, record_id }) => `${record_id} ${word}`)],
      WORDS,
    )
  })
  await allDone<unknown>([...dropped, insertWords(sql, accountId, of, come)])
}

async function insertWords(sql: Sql, account_id: number, of: Table, words: readonly Found[]): Promise<void> {
  const rows = words.map(({ word, record_id }) => ({ account_id, resource: of.table, word, record_id }))
  // Those of records that were there before there were words may not have been noted yet, or be noted at this moment.
  await allDone(chunks(rows, 5000).map((some) => insertRows(sql, WORDS, some, 'on conflict do nothing')))
}

export async function dropWords(sql: Sql, accountId: number, of: Table, ids: readonly number[]): Promise<void> {
  if (of.searched.length === 0) return
  for (const some of chunks(ids, 1000))
    await runStatement(
      sql,
      `delete from ${WORDS} where account_id = ? and resource = ? and record_id in (${placeholders(some)})`,
      [accountId, of.table, ...some],
      WORDS,
    )
}

/** Tables of an account are gone through in pieces; `see` is told of each. */
async function inPieces(
  database: Database,
  accountId: number,
  of: Table,
  columns: readonly string[],
  see: (sql: Sql, rows: Columns[]) => Promise<void>,
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
      await see(sql, rows as Columns[])
      last = (rows.at(-1)?.id as number | undefined) ?? last
      isMore = rows.length === 1000
    })
}

/** Notes the words of all records of an account: of those that were there before there were words. */
export const textJobHandlers = (database: Database, tables: readonly Table[]): JobHandlers => ({
  async index_words(_details, accountId) {
    for (const of of tables) {
      if (of.searched.length === 0) continue
      await inPieces(database, accountId, of, of.searched, async (sql, rows) => {
        const ids = rows.map(({ id }) => id as number)
        await dropWords(sql, accountId, of, ids)
        await addWords(sql, accountId, of, rows)
        await markTablesChanged(sql, accountId, ['search_words'])
      })
    }
  },
  /** Texts that an earlier version has kept in another order: those with letters beyond ASCII. */
  async fold_keys(_details, accountId) {
    for (const of of tables)
      for (const name of of.keyed)
        await inPieces(database, accountId, of, [name, `${name}_key`], async (sql, rows) => {
          const stale = rows.filter((row) => typeof row[name] === 'string' && fold(row[name]) !== row[`${name}_key`])
          for (const row of stale) {
            const key = fold(row[name] as string)
            const own = sql.selectFrom(of.table).select('id').where('account_id', '=', accountId)
            // Somebody may have made one of the same name before its turn came.
            if (of.unique.includes(name) && (await own.where(`${name}_key`, '=', key).executeTakeFirst())) continue
            await sql
              .updateTable(of.table)
              .set({ [`${name}_key`]: key })
              .where('account_id', '=', accountId)
              .where('id', '=', row.id as number)
              .execute()
          }
          if (stale.length > 0) await markTablesChanged(sql, accountId, [of.table])
        })
  },
})
