import Type, { type TSchema } from 'typebox'
import { type Query, type Reader, startOfDay } from '../records/reader.ts'
import { wordsIn } from '../records/search-words.ts'
import { daysAfter } from './day.ts'
import type { ColumnName, Resource } from './declaration.ts'
import { fold } from './format.ts'
import { byId } from './join.ts'
import { fieldOf, keyColumn } from './resource.ts'

/** A query parameter of a list: its schema, and how it filters the list. */
export type Filter = {
  readonly schema: TSchema
  /** `all` holds every parameter of the request, for filters that work together. */
  readonly narrow: (query: Query, value: any, db: Reader, all: Record<string, any>) => Query | Promise<Query>
  /** The columns that it uses. Each of them has an index: `books.author_id`. */
  readonly indexedColumns: readonly string[]
  /** Whether a record matches depends only on the record and its parts, so no other change affects it. */
  readonly selfContained?: true
  /** A further permission that the caller needs, because the filter reveals records of another area. */
  readonly permission?: string
  /** The field group that it reveals. Callers who cannot see the group cannot use the filter. */
  readonly group?: string
  /** `narrow` also takes a list of values. Other filters run once per value of a list. */
  readonly takesList?: true
}

/** Accepts `state[]=open&state[]=held` and `state=open,held`, though one value is declared. */
export const several = (schema: TSchema): TSchema => ({ ...schema, 'x-several': true }) as TSchema

/** The query parameter of a filter. Fixed values, ids and whole texts can be sent as lists. */
export function parameterOf({ schema, takesList }: Filter): TSchema {
  const { type, enum: values, format } = schema as { type?: unknown; enum?: unknown; format?: string }
  const isFixed = type !== 'array' && (values !== undefined || type === 'integer' || format === 'currency')
  return isFixed || takesList ? several(schema) : schema
}

/** `author_id = 7`, or `author_id in (7, 8)`. */
const isOrIsIn = (query: Query, column: string, value: unknown) =>
  Array.isArray(value) ? query.where(column, 'in', value) : query.where(column, '=', value)

const ID = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** A filter on one column of the listed records. */
function onColumn<R extends Resource>(
  of: R,
  name: ColumnName<R>,
  schema: TSchema,
  narrow: (query: Query, column: string, value: any, db: Reader) => Query,
  { suffix = '', ...more }: { suffix?: string } & Pick<Filter, 'takesList'> = {},
): Filter {
  const column = `${of.table}.${name}${suffix}`
  const { group } = fieldOf(of, name)
  return {
    schema,
    narrow: (query, value, db) => narrow(query, column, value, db),
    indexedColumns: [column],
    selfContained: true,
    ...(group ? { group } : {}),
    ...more,
  }
}

/** `author_id=7` */
export const isRecord = <R extends Resource>(of: R, name: ColumnName<R>): Filter =>
  onColumn(of, name, ID, isOrIsIn, { takesList: true })

/** `ids[]=1&ids[]=2`, `ids=1&ids=2` or `ids=1,2`. An empty list is refused. */
export const anyRecordOf = <R extends Resource>(of: R, name: ColumnName<R>): Filter =>
  onColumn(of, name, IDS, (query, column, ids) => query.where(column, 'in', ids))

export const IDS = Type.Array(ID, { maxItems: 500 })

/** One of several texts, ignoring case. It uses the folded copy of the column. */
export const anyTextOf = <R extends Resource>(of: R, name: ColumnName<R>): Filter =>
  onColumn(
    of,
    name,
    Type.Array(Type.String({ format: 'line', maxLength: 255 }), { maxItems: 500 }),
    (query, column, texts: string[]) => query.where(column, 'in', texts.map(fold)),
    { suffix: keyColumn('') },
  )

/** `q=ada love`: each word is the beginning of a search word of the record, in any order. */
export const hasWords = (of: Resource, note: string): Filter => ({
  schema: Type.String({ format: 'line', maxLength: 255, description: `${note}. An empty value matches all records` }),
  indexedColumns: ['search_words.word'],
  selfContained: true,
  async narrow(query, text, db) {
    const words = searchWordsIn(text)
    const key = `${of.table}.id`
    // Text without a word matches nothing.
    if (words.length === 0) return text === '' ? query : query.where(key, '=', 0)
    const holding = (word: string) =>
      beginningWith(db.from('search_words').where('resource', '=', of.table), 'word', word)
    // Look up the rarest word, then check its records for the other words.
    const [rarest, ...others] = await rarestFirst(words, holding)
    const matching = having(query, db, key, holding(rarest as string), 'search_words.record_id')
    return others.reduce(
      (rest, word) => having(rest, ON_FEW_RECORDS, key, holding(word), 'search_words.record_id'),
      matching,
    )
  },
})

/** Counts of a word's records stop here when the rarest word is chosen. */
const RARE = 500

async function rarestFirst(words: string[], holding: (word: string) => Query): Promise<string[]> {
  if (words.length < 2) return words
  const counted: { word: string; records: number }[] = []
  for (const word of words) {
    const records = (await holding(word).select('record_id').limit(RARE).execute()).length
    counted.push({ word, records })
    if (records === 0) break
  }
  return counted.sort((a, b) => a.records - b.records || b.word.length - a.word.length).map(({ word }) => word)
}

const ON_FEW_RECORDS = { view: { hasFewRecords: true } }

/** The records with a matching part. If the query covers few records, each of them is checked by itself (`exists`). */
export const having = (
  query: Query,
  { view }: { readonly view: Readonly<Record<string, unknown>> },
  key: string,
  parts: Query,
  via: string,
): Query =>
  view.hasFewRecords
    ? query.where((eb) => eb.exists(parts.select(via).whereRef(via, '=', key)))
    : query.where(key, 'in', parts.select(via))

const MOST_WORDS = 8

const searchWordsIn = (text: string) => [...new Set(wordsIn(text))].slice(0, MOST_WORDS)

const beginningWith = (query: Query, column: string, word: string) =>
  query.where(column, '>=', word).where(column, '<', `${word}\u{10ffff}`)

/**
 * The records of a resource whose search words begin with all words of a text. Each record comes once, joined under its
 * table's name. Records with the longest word itself come first, then those whose words begin with it, in their order.
 * The index has the same order, so the cost depends only on how many records are read. Null if the text has no word.
 */
export function firstByWords(db: Reader, { table }: Resource, text: string): Query | null {
  const [longest, ...others] = searchWordsIn(text).sort((a, b) => b.length - a.length)
  if (longest === undefined) return null
  const same = (word: string) =>
    beginningWith(
      db.from('search_words as v').select('v.word').where('v.resource', '=', table),
      'v.word',
      word,
    ).whereRef('v.record_id', '=', 'w.record_id')
  const first = beginningWith(db.from('search_words as w').where('w.resource', '=', table), 'w.word', longest)
    .innerJoin(table, byId(table, 'w.record_id'))
    .where((eb) => eb.not(eb.exists(same(longest).whereRef('v.word', '<', 'w.word'))))
    .orderBy('w.word')
    .orderBy('w.record_id')
  return others.reduce((query, word) => query.where((eb) => eb.exists(same(word))), first)
}

/** One text, ignoring case. */
export const isText = <R extends Resource>(of: R, name: ColumnName<R>): Filter =>
  onColumn(
    of,
    name,
    Type.String({ maxLength: 255 }),
    (query, column, text: string | string[]) =>
      isOrIsIn(query, column, Array.isArray(text) ? text.map(fold) : fold(text)),
    { suffix: keyColumn(''), takesList: true },
  )

/** The allowed values of a field. */
function valuesOf(of: Resource, name: string): string[] {
  const { input, output } = fieldOf(of, name)
  const { enum: values = [] } = (input ?? output) as { enum?: (string | null)[] }
  return values.filter((value) => value !== null)
}

/** `type=working`: one of the allowed values of the field. */
export const isOne = <R extends Resource>(of: R, name: ColumnName<R>): Filter =>
  onColumn(of, name, Type.Unsafe<string>({ type: 'string', enum: valuesOf(of, name) }), isOrIsIn, { takesList: true })

/** `states[]=open&states[]=held`: some of the allowed values of the field. */
export const isAnyOf = <R extends Resource>(of: R, name: ColumnName<R>, limits = { maxItems: 100 }): Filter =>
  onColumn(
    of,
    name,
    Type.Array(Type.Unsafe<string>({ type: 'string', enum: valuesOf(of, name) }), limits),
    (query, column, values) => query.where(column, 'in', values),
  )

/** `done=true`: records with a value, `false`: records without one, or `all`. */
export const isSet = <R extends Resource>(of: R, name: ColumnName<R>, description: string): Filter =>
  onColumn(
    of,
    name,
    Type.Unsafe<boolean | 'all'>({ type: ['boolean', 'string'], enum: [true, false, 'all'], description }),
    (query, column, wanted) => (wanted === 'all' ? query : query.where(column, wanted ? 'is not' : 'is', null)),
  )

/** The bounds of a range: `[gte]` and `[lte]` are inclusive, `[gt]` and `[lt]` are not. */
type Bounds = { gte?: string; gt?: string; lt?: string; lte?: string }

/** `plain` are the bounds that a plain value sets: `made_on=2024-01-31` means that day only. */
const bounds = (format: string, plain: (keyof Bounds)[] = ['gte', 'lte']) => {
  const bound = Type.Optional(Type.String({ format }))
  return Type.Object({ gte: bound, lte: bound, gt: bound, lt: bound }, { 'x-plain': plain })
}

export const DATE_BOUNDS = bounds('date')

export function withinDates(query: Query, column: string, { gte, gt, lt, lte }: Bounds): Query {
  const from = gte === undefined ? query : query.where(column, '>=', gte)
  const after = gt === undefined ? from : from.where(column, '>', gt)
  const before = lt === undefined ? after : after.where(column, '<', lt)
  return lte === undefined ? before : before.where(column, '<=', lte)
}

/** `made_on[gte]=2024-01-01` */
export const dateRange = <R extends Resource>(of: R, name: ColumnName<R>): Filter =>
  onColumn(of, name, DATE_BOUNDS, withinDates)

/** `starts_on=…`: on that day or later, unless the request has bounds. */
export const from = <R extends Resource>(of: R, name: ColumnName<R>): Filter =>
  onColumn(of, name, datesOf(name, 'gte'), withinDates)

/** `ends_on=…`: on that day or before, unless the request has bounds. */
export const until = <R extends Resource>(of: R, name: ColumnName<R>): Filter =>
  onColumn(of, name, datesOf(name, 'lte'), withinDates)

/** Bounds with descriptions that name the column: the filter may have another name. */
function datesOf(column: string, plain: 'gte' | 'lte') {
  const schema = bounds('date', [plain])
  const said = { gte: 'on or after', lte: 'on or before', gt: 'after', lt: 'before' }
  const properties = Object.entries(schema.properties).map(([part, bound]) => {
    const where = said[part as keyof typeof said]
    const verb = column === 'ends_on' ? 'end' : /^(starts|occurs)_on$/.test(column) ? 'begin' : null
    const which = verb ? `that ${verb} ${where} this date (\`${column}\`)` : `with \`${column}\` ${where} this date`
    return [part, { ...bound, description: `Only records ${which}` }]
  })
  return { ...schema, properties: Object.fromEntries(properties) } as typeof schema
}

export const TIME_BOUNDS = bounds('moment')

/** `created_at[gte]=1683557122`: timestamps, seconds, or whole days. */
export const timeRange = <R extends Resource>(of: R, name: ColumnName<R>): Filter =>
  onColumn(of, name, TIME_BOUNDS, (query, column, sent: Bounds, db) => withinTimes(query, column, sent, db))

export function withinTimes(query: Query, column: string, { gte, gt, lt, lte }: Bounds, db: Reader): Query {
  const zone = db.account.time_zone
  const from = gte === undefined ? query : query.where(column, '>=', firstMomentOf(gte, zone))
  const after = gt === undefined ? from : from.where(column, '>', lastMomentOf(gt, zone))
  const before = lt === undefined ? after : after.where(column, '<', firstMomentOf(lt, zone))
  return lte === undefined ? before : before.where(column, '<=', lastMomentOf(lte, zone))
}

const isDay = (bound: string) => bound.length === 10

const firstMomentOf = (bound: string, zone: string) => (isDay(bound) ? startOfDay(bound, zone).toISOString() : bound)

/** A bound in whole seconds includes the milliseconds of that second, and a day includes all of its hours. */
const lastMomentOf = (bound: string, zone: string) =>
  isDay(bound)
    ? new Date(startOfDay(daysAfter(bound, 1), zone).getTime() - 1).toISOString()
    : bound.replace(/\.000Z$/, '.999Z')

/** The same filter for one record, `shelf_id=7`, and for several, `shelf_ids[]=7&shelf_ids[]=8`. */
export const byOneOrMany = (
  name: string,
  indexedColumns: readonly string[],
  narrow: (query: Query, ids: number[], db: Reader, all: Record<string, any>) => Query,
  rights: Pick<Filter, 'permission' | 'group' | 'selfContained'> = {},
): Record<string, Filter> => ({
  [name]: {
    schema: ID,
    indexedColumns,
    takesList: true,
    narrow: (query, ids, db, all) => narrow(query, [ids].flat(), db, all),
    ...rights,
  },
  [`${name}s`]: { schema: IDS, indexedColumns, narrow, ...rights },
})
