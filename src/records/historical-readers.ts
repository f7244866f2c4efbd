import { setImmediate as breathe } from 'node:timers/promises'
import type { Compiled } from '../database/compile.ts'
import type { Database, Sql } from '../database/database.ts'
import type { RowReplacement } from '../database/rewrite-query.ts'
import type { Cache } from './cache.ts'
import type { Account, Caller } from './caller.ts'
import { chunks } from './chunks.ts'
import type { Columns } from './entries.ts'
import {
  compiling,
  dateIn,
  like,
  type Moment,
  type Reader,
  statementsOn,
  tableFiltersIn,
  tableNamed,
} from './reader.ts'
import { searchWordsOf } from './search-words.ts'
import type { NamingColumn, PastTable } from './tables.ts'

/**
 * Tables as they were at a number of the ledger: their rows of today, with the changes since then taken back. The same
 * statements run over them; rows that have not changed are found where they are.
 */

/** More changes than this are not taken back for an answer. */
export const MOST_TAKEN_BACK = 200_000

const PAGE = 2000

/** What has become of a table since: the ids of all records that have changed, and how those were that were there. */
type Shadow = {
  readonly ids: string
  /** JSON; null when none of them was there. */
  readonly rows: string | null
  /** The words that they were found by, each with its record. */
  words?: string
}

/** Somebody who pages through a list of the past reads it within this time. Data of people who are erased meanwhile leaves the memory then. */
const MAX_AGE = 60_000

export class HistoricalReaders {
  readonly #database: Database
  readonly #cache: Cache

  constructor(database: Database, cache: Cache) {
    this.#database = database
    this.#cache = cache
  }

  /** A reader of the past beside one of the present, in the same snapshot. */
  async reader(db: Reader, sql: Sql, then: Moment, tables: readonly PastTable[]): Promise<Reader | null> {
    const shadows = await this.#shadows(sql, db.caller, then, tables)
    if (!shadows) return null
    const today = dateIn(await zoneThen(sql, db.account, then), new Date(then.at))
    const executor = sql.getExecutor()
    const overlays = await this.#laidOut(sql, overlaysOf(db.account.id, tables, shadows))
    const known = new Set([WORDS, ...tables.map(({ table }) => table)])
    const overlaying = this.#overlaying(overlays, db, known)
    return like(db, {
      matches: undefined,
      lookUp: undefined,
      tellNow: () => then.at,
      today,
      view: { ...db.view, day: today, knownAt: then.number },
      ...statementsOn(compiling(executor, overlaying), db.account.id, overlaying),
    })
  }

  /** Words only where they are asked for: few statements speak of them, and once. */
  async #laidOut(sql: Sql, overlays: readonly Overlaying[]): Promise<Overlaying[]> {
    const laid: Overlaying[] = []
    for (const one of overlays) {
      const overlay = one.of ? undefined : await this.#database.materialize(sql, one.overlay())
      laid.push(overlay ? { ...one, overlay: () => overlay } : one)
    }
    return laid
  }

  #overlaying(
    overlays: readonly Overlaying[],
    { visibility, account }: Reader,
    known: ReadonlySet<string>,
  ): (statement: Compiled) => Compiled {
    return (statement) => {
      // An answer that is half of then and half of now would be worse than none.
      const present = [...statement.tables].find((name) => !known.has(tableNamed(name, visibility)))
      if (present) throw new Error(`${present} cannot be read in the past: it is not among the declared tables`)
      const seen = visibility ? tableFiltersIn(statement, visibility, account.id) : []
      const concerned = overlays.filter(
        ({ table, of }) =>
          (statement.tables.has(table) && (!of || statement.parameters.includes(of))) ||
          seen.some((filter) => filter.table === table),
      )
      return this.#database.rewriteQuery(
        statement,
        concerned.map(({ overlay }) => overlay()),
        seen,
      )
    }
  }

  /** The tables that have changed since; null in place of a shadow: nothing was there yet. Null: too much has changed. */
  async #shadows(
    sql: Sql,
    { account, version }: Caller,
    { number, last }: Moment,
    tables: readonly PastTable[],
  ): Promise<Map<string, Shadow | null> | null> {
    if (number === 0) return new Map(tables.map(({ table }) => [table, null]))
    const found = new Map<string, Shadow>()
    if (number >= last) return found
    const keyOf = ({ table }: PastTable) => `${number} ${last} ${table}`
    for (const of of tables) {
      const cached = version && this.#cache.find<Shadow>('history', keyOf(of), version)
      if (cached) found.set(of.table, cached)
    }
    const missing = tables.filter(({ table }) => !found.has(table))
    const changed = await changedSince(sql, account.id, number, missing)
    if (!changed) return null
    for (const of of missing) {
      const shadow = changed.has(of.table) ? await rebuild(sql, account.id, number, of) : NOTHING
      found.set(of.table, shadow)
      // Both change numbers are in the key, so the rows never change.
      if (version)
        this.#cache.store('history', keyOf(of), version, shadow, {
          tables: [],
          bytes: 2 * sizeOf(shadow),
          maxAge: MAX_AGE,
        })
    }
    return new Map([...found].filter(([, shadow]) => shadow !== NOTHING))
  }
}

/** Where the account was then: a zone that was left since tells what day it was. */
async function zoneThen(sql: Sql, { id, time_zone }: Account, { number, last }: Moment): Promise<string> {
  if (number >= last) return time_zone
  const changes = await sql
    .selectFrom('ledger')
    .select('before')
    .where('account_id', '=', id)
    .where('resource', '=', 'companies')
    .where('no', '>', number)
    .orderBy('no')
    .execute()
  const told = changes.map(({ before }) => before && JSON.parse(before).time_zone)
  return told.find((zone) => typeof zone === 'string') ?? time_zone
}

/** Nothing has changed. */
const NOTHING: Shadow = { ids: '[]', rows: null }

const sizeOf = ({ ids, rows }: Shadow) => 100 + ids.length + (rows?.length ?? 0)

/** The tables of which there are changes after a number; undefined when there are too many to be taken back. */
async function changedSince(
  sql: Sql,
  accountId: number,
  number: number,
  tables: readonly PastTable[],
): Promise<Set<string> | undefined> {
  if (tables.length === 0) return new Set()
  const names = tables.map(({ table }) => table)
  const changes = sql
    .selectFrom('ledger')
    .select('resource')
    .where('account_id', '=', accountId)
    .where('resource', 'in', names)
    .where('no', '>', number)
    .limit(MOST_TAKEN_BACK + 1)
  const rows = await sql
    .selectFrom(changes.as('changes'))
    .select((eb) => ['resource', eb.fn.countAll().as('n')])
    .groupBy('resource')
    .execute()
  const all = rows.reduce((sum, { n }) => sum + Number(n), 0)
  return all > MOST_TAKEN_BACK ? undefined : new Set(rows.map(({ resource }) => resource as string))
}

/** What the changes after the number say of how a record was before them. */
type Was = {
  isThere: boolean
  columns: Columns
  /** The columns are all there are: it was deleted since. */
  isWhole: boolean
  /** What was known of it has been taken out of the ledger. */
  isErased: boolean
  lasting: Columns
}

async function rebuild(sql: Sql, accountId: number, number: number, of: PastTable): Promise<Shadow> {
  const past = new Map<number, Was>()
  const changes = sql
    .selectFrom('ledger')
    .select(['no', 'record_id', 'action', 'before'])
    .where('account_id', '=', accountId)
    .where('resource', '=', of.table)
    .orderBy('no')
    .limit(PAGE)
  for (let after = number, isMore = true; isMore; ) {
    const page = await changes.where('no', '>', after).execute()
    for (const entry of page) takeBack(past, of, entry as Taken)
    after = page.at(-1)?.no ?? after
    isMore = page.length === PAGE
    // Others are not kept waiting by a long past.
    if (isMore) await breathe()
  }
  const erased = await erasedSince(sql, accountId, number, of)
  const rows: Columns[] = []
  const ids = [...past].flatMap(([id, was]) => (was.isThere ? [id] : []))
  for (const some of chunks(ids, 1000)) {
    const present = await sql
      .selectFrom(of.table)
      .selectAll()
      .where('account_id', '=', accountId)
      .where('id', 'in', some)
      .execute()
    const byId = new Map(present.map((row) => [row.id as number, row as Columns]))
    for (const id of some) {
      const row = rowOf(past.get(id) as Was, byId.get(id), of.lasting)
      if (row) rows.push(plain(of.complete(without(erased, row))))
    }
  }
  return { ids: JSON.stringify([...past.keys()]), rows: rows.length > 0 ? JSON.stringify(rows) : null }
}

type Taken = { record_id: number; action: string; before: string | null }

/** The first change after the number tells how something was at the number; later ones add what it did not say. */
function takeBack(past: Map<number, Was>, of: PastTable, { record_id: id, action, before }: Taken): void {
  const fresh = { isThere: action !== 'create', columns: {}, isWhole: false, isErased: false, lasting: {} }
  const was: Was = past.get(id) ?? fresh
  past.set(id, was)
  if (!was.isThere) return
  if (action === 'erase') was.isErased = true
  if (before === null) return
  const said: Columns = JSON.parse(before)
  if (action === 'delete') was.lasting = only(said, of.lasting)
  if (was.isWhole) return
  was.columns = { ...said, ...was.columns }
  was.isWhole = action === 'delete'
}

/** Of what was erased nothing is known but what is there still. */
function rowOf(was: Was, present: Columns | undefined, lasting: readonly string[]): Columns | undefined {
  if (was.isErased) return present
  const row = was.isWhole ? was.columns : present && { ...present, ...was.columns }
  return row && { ...row, ...(present ? only(present, lasting) : was.lasting) }
}

/** A column, and whether a row names somebody there who was erased. */
type Erased = { column: string; isNamedBy: (row: Columns) => boolean }

/** Which records that these may name were erased since, by the column that names them. */
async function erasedSince(sql: Sql, accountId: number, number: number, of: PastTable): Promise<Erased[]> {
  if (of.names.length === 0) return []
  const rows = await sql
    .selectFrom('ledger')
    .select(['resource', 'record_id'])
    .where('account_id', '=', accountId)
    .where('resource', 'in', [...new Set(of.names.map(({ to }) => to))])
    .where('action', '=', 'erase')
    .where('no', '>', number)
    .execute()
  const byTable = Map.groupBy(rows, ({ resource }) => resource as string)
  const erased: Erased[] = []
  for (const { column, to, where } of of.names) {
    // Some columns name by text.
    const ids = new Set(byTable.get(to)?.map(({ record_id }) => String(record_id)))
    if (ids.size === 0) continue
    const among = where && (await sayingSo(sql, accountId, number, where))
    const isNamedBy = (row: Columns) =>
      ids.has(String(row[column])) && (!where || among?.has(row[where.via] as number) === true)
    erased.push({ column, isNamedBy })
  }
  return erased
}

/** The records by which a text is a name: those that are there, and those that have gone since. */
async function sayingSo(
  sql: Sql,
  accountId: number,
  number: number,
  { of, column, is }: NonNullable<NamingColumn['where']>,
): Promise<Set<number>> {
  const there = await sql
    .selectFrom(of)
    .select('id')
    .where('account_id', '=', accountId)
    .where(column, '=', is)
    .execute()
  const gone = await sql
    .selectFrom('ledger')
    .select(['record_id', 'before'])
    .where('account_id', '=', accountId)
    .where('resource', '=', of)
    .where('action', '=', 'delete')
    .where('no', '>', number)
    .execute()
  const said = gone.filter(({ before }) => before && JSON.parse(before)[column] === is)
  return new Set([...there.map(({ id }) => id as number), ...said.map(({ record_id }) => record_id as number)])
}

/** Who was erased is at no moment known, and nobody else takes their place: what named them named nobody. */
const without = (erased: readonly Erased[], row: Columns) => ({
  ...row,
  ...Object.fromEntries(erased.flatMap(({ column, isNamedBy }) => (isNamedBy(row) ? [[column, null]] : []))),
})

const only = (columns: Columns, names: readonly string[]): Columns =>
  Object.fromEntries(names.filter((name) => name in columns).map((name) => [name, columns[name]]))

const plain = (row: Columns): Columns =>
  Object.fromEntries(Object.entries(row).filter(([name, value]) => name !== 'account_id' && value !== null))

const WORDS = 'search_words'
const WORD_COLUMNS = { account_id: 'bigint', resource: 'text', word: 'text', record_id: 'bigint' }

/** What stands in for a table, made when a statement speaks of it. */
type Overlaying = {
  table: string
  overlay: () => RowReplacement
  /** Of words: the kind of record that they are of. A statement asks for those of one kind, and says which. */
  of?: string
}

/** What stands in for the tables that have changed, and for the words that their records are found by. */
function overlaysOf(
  accountId: number,
  tables: readonly PastTable[],
  shadows: ReadonlyMap<string, Shadow | null>,
): Overlaying[] {
  return tables.flatMap((of) => {
    const shadow = shadows.get(of.table)
    if (shadow === undefined) return []
    const { table, columns } = of
    const hidden = shadow && { column: 'id', values: shadow.ids }
    const own = { table, overlay: () => ({ table, accountId, columns, hidden, rows: shadow?.rows ?? null }) }
    return of.searched.length > 0
      ? [own, { table: WORDS, of: table, overlay: () => wordsOf(accountId, of, shadow) }]
      : [own]
  })
}

function wordsOf(accountId: number, of: PastTable, shadow: Shadow | null): RowReplacement {
  const whole = { table: WORDS, accountId, columns: WORD_COLUMNS }
  if (!shadow) return { ...whole, hidden: null, rows: null }
  const hidden = { column: 'record_id', values: shadow.ids, where: `resource = '${of.table}'` }
  if (shadow.rows === null) return { ...whole, hidden, rows: null }
  const records = JSON.parse(shadow.rows) as Columns[]
  shadow.words ??= JSON.stringify(
    records.flatMap((row) =>
      [...searchWordsOf(row, of.searched)].map((word) => ({ resource: of.table, word, record_id: row.id })),
    ),
  )
  return { ...whole, hidden, rows: shadow.words }
}
