import { sql } from 'kysely'
import Type, { type TObject, type TSchema } from 'typebox'
import { withTables } from '../database/compile.ts'
import { counted, type Question } from '../ledger/found.ts'
import { like, type Query, type Reader } from '../ledger/reader.ts'
import type { Resource, Shape } from './declaration.ts'
import { forbidden, malformed, wrong } from './problem.ts'
import { fieldOf, hasKeyColumn, isShown, keyColumn } from './resource.ts'
import { fetchShape, orderedBy, writeShape } from './shape.ts'
import { Written } from './written.ts'

/** Pages of lists, and the order in which they come. */

const USUAL_PAGE = 50
const LARGEST_PAGE = 200

const FIGURES = { page: Type.Integer(), pages: Type.Integer(), count: Type.Integer(), items: Type.Integer() }
export const METADATA = Type.Object({ ...FIGURES, pagination: Type.Object(FIGURES) }, { title: 'Metadata' })

/** The query parameters of every paged list. */
export const PAGING = {
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1, description: 'Page number, starting at 1' }),
  ),
  per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: LARGEST_PAGE, default: USUAL_PAGE, description: 'Records per page' }),
  ),
}

type AskedPage = { page?: number; per_page?: number }

/** The stretch of a list that was asked for. */
export type Page = { page: number; size: number; skipped: number; isWhole?: boolean }

export function pageIn({ page = 1, per_page: size = USUAL_PAGE }: AskedPage): Page {
  return { page, size, skipped: (page - 1) * size }
}

/** How many records may come at once where nobody asks for a page. */
const MOST_AT_ONCE = 5_000

export const wholeUnlessPaged = (asked: AskedPage): Page =>
  asked.page === undefined && asked.per_page === undefined
    ? { page: 1, size: MOST_AT_ONCE, skipped: 0, isWhole: true }
    : pageIn(asked)

/** The answer of a paged list. */
export const pagedAnswer = (record: TSchema) => Type.Object({ data: Type.Array(record), metadata: METADATA }) as TObject

/** Both placements of the four figures, as clients of either expect them. */
export function metadata({ page, size }: Page, count: number, items: number) {
  const pagination = { page, pages: Math.max(1, Math.ceil(count / size)), count, items }
  return { ...pagination, pagination }
}

/** What the records show, and what no two records share. */
export const sortableBy = (of: Resource, sorts: readonly string[]) => [
  ...new Set([
    'id',
    // An order by what is not shown would tell of it.
    ...['created_at', 'updated_at'].filter((name) => of.whole.names.includes(name)),
    ...Object.keys(of.fields).filter((name) => of.fields[name]?.unique && isShown(fieldOf(of, name))),
    ...sorts,
  ]),
]

/** The query parameter that asks for an order. */
export const sortParameter = (sortable: string[], order: string) =>
  Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: sortable.flatMap((name) => [name, `-${name}`]),
      default: order,
      description: 'Sort field; prefix with `-` for descending.',
    }),
  )

/** Texts are sorted as they are compared, whatever the case. */
export const sortColumn = (of: Resource, name: string) =>
  of.fields[name] && hasKeyColumn(fieldOf(of, name)) ? keyColumn(name) : name

/** The columns of an order: that one, what those go by that hold the same, then the id, as an index can be walked. */
export function columnsOf(db: Reader, of: Resource, sort: string): string[] {
  const [, way = '', name = ''] = /^(-?)(.*)$/.exec(sort) as RegExpExecArray
  const group = of.fields[name]?.group
  if (group && db.caller.withheld.has(group))
    throw forbidden(`You cannot sort by ${name}: the field group ${group} is hidden from you.`)
  const next = of.fields[name]?.nextBy
  const names = name === 'id' ? [name] : [name, ...(next ? [next] : []), 'id']
  return names.map((one) => `${way}${sortColumn(of, one)}`)
}

/** Where a list narrows what it finds; `by` is asked instead of the list's own reader. */
type Narrow = (query: Query, by?: Reader) => Query | Promise<Query>

type Listing = {
  shape?: Shape
  order?: string[]
  /** Each record is found or not by itself and by what belongs to it. */
  isSelfContained?: boolean
}

/** One page of the records, narrowed or all. */
export async function pageOf(
  db: Reader,
  of: Resource,
  asked: Page,
  narrow: Narrow,
  { shape = of.whole, order = ['id'], isSelfContained = false }: Listing = {},
) {
  const { table } = of
  const key = `${table}.id`
  const { size, skipped } = asked
  const { count, ids } = await stretchOf(db, of, asked, narrow, order, isSelfContained)
  if (asked.isWhole && count > size)
    throw malformed(
      wrong(
        'page',
        'required',
        `is required: there are ${count} records, too many for one response. Send page and per_page to read them in pages`,
      ),
    )
  if (skipped >= count) return { data: [], metadata: metadata(asked, count, 0) }
  // The page's ids first, then their rows: joins must not run for the rows that are skipped.
  const page =
    Array.isArray(ids) && ids.length <= LARGEST_PAGE ? ids : db.from(table).where(key, 'in', namedBy(db, ids))
  // Most pages are only written down.
  if (db.pieces) {
    const texts = await writeShape(db, shape, page, { order })
    return { data: new Written(`[${texts.join()}]`), metadata: metadata(asked, count, texts.length) }
  }
  const rows = await fetchShape(db, shape, page, { order })
  return { data: rows.map(({ record }) => record), metadata: metadata(asked, count, rows.length) }
}

const namedBy = (db: Reader, ids: number[] | Query) => (Array.isArray(ids) ? db.numbers(ids) : ids)

/** How many records there are, and the rows of a page of them. */
export async function rowsOfPage(
  db: Reader,
  of: Resource,
  asked: Page,
  narrow: Narrow,
  { order = ['id'], isSelfContained = false }: Listing,
): Promise<{ count: number; rows: Query }> {
  const { count, ids } = await stretchOf(db, of, asked, narrow, order, isSelfContained)
  const rows = db.from(of.table).where(`${of.table}.id`, 'in', namedBy(db, ids))
  return { count, rows: orderedBy(rows, of.table, order) }
}

/** How many records there are, and the ids of a page of them. */
async function stretchOf(
  db: Reader,
  { table }: Resource,
  { size, skipped }: Page,
  narrow: Narrow,
  order: string[],
  isOwn: boolean,
): Promise<{ count: number; ids: Query | number[] }> {
  const key = `${table}.id`
  const all = db.from(table)
  const matching = await narrow(all)
  // A page is walked to from the end that is nearer.
  const walked = (count: number) => {
    const behind = count - skipped - size
    return skipped <= Math.max(0, behind)
      ? orderedBy(matching.select(key), table, order).limit(size).offset(skipped)
      : orderedBy(matching.select(key), table, order.map(reversed))
          .limit(Math.max(0, Math.min(size, count - skipped)))
          .offset(Math.max(0, behind))
  }
  const isById = order[0] === 'id' || order[0] === '-id'
  // What is counted up is how many there are now.
  const isFiltered = db.visibility?.tableFilterOf(table) !== undefined
  if (matching === all && db.view.knownAt === undefined && !isFiltered) {
    const counter = await db
      .from('counters')
      .select(['live', 'last_id'])
      .where('resource', '=', withTables([table], sql.lit(table)))
      .executeTakeFirst()
    const { live, last_id } = counter ?? { live: 0, last_id: 0 }
    // Ids are counted up, so while nothing was deleted a page's place is plain arithmetic.
    if (live === last_id && isById) {
      const page = orderedBy(all.select(key), table, order).limit(size)
      return {
        count: live,
        ids: order[0] === 'id' ? page.where(key, '>', skipped) : page.where(key, '<=', last_id - skipped),
      }
    }
    if (!isById || skipped < FEW) return { count: live, ids: walked(live) }
  }
  const question: Question = {
    table,
    all: matching.select(key),
    among: async (ids) =>
      (
        await narrow(db.from(table).where(key, 'in', ids), like(db, { view: { ...db.view, hasFewRecords: true } }))
      ).select(key),
    stretch: isById ? { skipped, size, isDescending: order[0] === '-id' } : null,
  }
  const { count, ids } = await (isOwn && db.found ? db.found(question) : counted(question))
  return { count, ids: ids ?? walked(count) }
}

/** The same order from its other end. */
const reversed = (column: string) => (column.startsWith('-') ? column.slice(1) : `-${column}`)

/** So many rows are walked over in no time. */
const FEW = 1000
