import { sql } from 'kysely'
import Type, { type TObject, type TSchema } from 'typebox'
import { withTables } from '../database/compile.ts'
import { countMatches, type ListQuery } from '../records/matching-ids.ts'
import { like, type Query, type Reader } from '../records/reader.ts'
import type { Resource, Shape } from './declaration.ts'
import { forbidden, malformed, wrong } from './problem.ts'
import { fieldOf, hasKeyColumn, isShown, keyColumn } from './resource.ts'
import { fetchShape, orderedBy, writeShape } from './shape.ts'
import { Written } from './written.ts'

/** Pages of lists, and their sort order. */

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

type PageParameters = { page?: number; per_page?: number }

/** The requested part of a list. */
export type Page = { page: number; size: number; skipped: number; isWhole?: boolean }

export function pageIn({ page = 1, per_page: size = USUAL_PAGE }: PageParameters): Page {
  return { page, size, skipped: (page - 1) * size }
}

/** The most records of a list that is returned whole. */
const MOST_AT_ONCE = 5_000

export const wholeUnlessPaged = (parameters: PageParameters): Page =>
  parameters.page === undefined && parameters.per_page === undefined
    ? { page: 1, size: MOST_AT_ONCE, skipped: 0, isWhole: true }
    : pageIn(parameters)

/** The response of a paged list. */
export const pagedAnswer = (record: TSchema) => Type.Object({ data: Type.Array(record), metadata: METADATA }) as TObject

/** The four figures in both places where clients expect them. */
export function metadata({ page, size }: Page, count: number, items: number) {
  const pagination = { page, pages: Math.max(1, Math.ceil(count / size)), count, items }
  return { ...pagination, pagination }
}

/** The columns that a list can be sorted by: id, visible timestamps, visible unique fields, and further ones. */
export const sortableBy = (of: Resource, sorts: readonly string[]) => [
  ...new Set([
    'id',
    // Sorting by a hidden field would reveal it.
    ...['created_at', 'updated_at'].filter((name) => of.whole.names.includes(name)),
    ...Object.keys(of.fields).filter((name) => of.fields[name]?.unique && isShown(fieldOf(of, name))),
    ...sorts,
  ]),
]

/** The query parameter for the sort order. */
export const sortParameter = (sortable: string[], order: string) =>
  Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: sortable.flatMap((name) => [name, `-${name}`]),
      default: order,
      description: 'Sort field; prefix with `-` for descending.',
    }),
  )

/** Texts are sorted by their folded copies, ignoring case. */
export const sortColumn = (of: Resource, name: string) =>
  of.fields[name] && hasKeyColumn(fieldOf(of, name)) ? keyColumn(name) : name

/** The columns of a sort order: the given one, its second sort field, then the id. An index has the same order. */
export function columnsOf(db: Reader, of: Resource, sort: string): string[] {
  const [, way = '', name = ''] = /^(-?)(.*)$/.exec(sort) as RegExpExecArray
  const group = of.fields[name]?.group
  if (group && db.caller.withheld.has(group))
    throw forbidden(`You cannot sort by ${name}: the field group ${group} is hidden from you.`)
  const next = of.fields[name]?.nextBy
  const names = name === 'id' ? [name] : [name, ...(next ? [next] : []), 'id']
  return names.map((one) => `${way}${sortColumn(of, one)}`)
}

/** Filters a list. `by` replaces the list's reader. */
type Narrow = (query: Query, by?: Reader) => Query | Promise<Query>

type Listing = {
  shape?: Shape
  order?: string[]
  /** Whether a record is in the list depends only on the record and its parts. */
  isSelfContained?: boolean
}

/** One page of the records. */
export async function pageOf(
  db: Reader,
  of: Resource,
  page: Page,
  narrow: Narrow,
  { shape = of.whole, order = ['id'], isSelfContained = false }: Listing = {},
) {
  const { table } = of
  const key = `${table}.id`
  const { size, skipped } = page
  const { count, ids } = await stretchOf(db, of, page, narrow, order, isSelfContained)
  if (page.isWhole && count > size)
    throw malformed(
      wrong(
        'page',
        'required',
        `is required: there are ${count} records, too many for one response. Send page and per_page to read them in pages`,
      ),
    )
  if (skipped >= count) return { data: [], metadata: metadata(page, count, 0) }
  // Find the ids of the page first: joins must not run for skipped rows.
  const source =
    Array.isArray(ids) && ids.length <= LARGEST_PAGE ? ids : db.from(table).where(key, 'in', namedBy(db, ids))
  // Most pages are only written as JSON.
  if (db.lookUp) {
    const texts = await writeShape(db, shape, source, { order })
    return { data: new Written(`[${texts.join()}]`), metadata: metadata(page, count, texts.length) }
  }
  const rows = await fetchShape(db, shape, source, { order })
  return { data: rows.map(({ record }) => record), metadata: metadata(page, count, rows.length) }
}

const namedBy = (db: Reader, ids: number[] | Query) => (Array.isArray(ids) ? db.numberList(ids) : ids)

/** The number of all records, and the rows of one page. */
export async function rowsOfPage(
  db: Reader,
  of: Resource,
  page: Page,
  narrow: Narrow,
  { order = ['id'], isSelfContained = false }: Listing,
): Promise<{ count: number; rows: Query }> {
  const { count, ids } = await stretchOf(db, of, page, narrow, order, isSelfContained)
  const rows = db.from(of.table).where(`${of.table}.id`, 'in', namedBy(db, ids))
  return { count, rows: orderedBy(rows, of.table, order) }
}

/** The number of all records, and the ids of one page. */
async function stretchOf(
  db: Reader,
  { table }: Resource,
  { size, skipped }: Page,
  narrow: Narrow,
  order: string[],
  isSelfContained: boolean,
): Promise<{ count: number; ids: Query | number[] }> {
  const key = `${table}.id`
  const all = db.from(table)
  const matching = await narrow(all)
  // Skip rows from the nearer end of the list.
  const walked = (count: number) => {
    const behind = count - skipped - size
    return skipped <= Math.max(0, behind)
      ? orderedBy(matching.select(key), table, order).limit(size).offset(skipped)
      : orderedBy(matching.select(key), table, order.map(reversed))
          .limit(Math.max(0, Math.min(size, count - skipped)))
          .offset(Math.max(0, behind))
  }
  const isById = order[0] === 'id' || order[0] === '-id'
  // The counter only knows the current number of all records.
  const isFiltered = db.visibility?.tableFilterOf(table) !== undefined
  if (matching === all && db.view.knownAt === undefined && !isFiltered) {
    const counter = await db
      .from('counters')
      .select(['live', 'last_id'])
      .where('resource', '=', withTables([table], sql.lit(table)))
      .executeTakeFirst()
    const { live, last_id } = counter ?? { live: 0, last_id: 0 }
    // Ids are consecutive until a record is deleted, so the first id of the page can be computed.
    if (live === last_id && isById) {
      const page = orderedBy(all.select(key), table, order).limit(size)
      return {
        count: live,
        ids: order[0] === 'id' ? page.where(key, '>', skipped) : page.where(key, '<=', last_id - skipped),
      }
    }
    if (!isById || skipped < FEW) return { count: live, ids: walked(live) }
  }
  const list: ListQuery = {
    table,
    all: matching.select(key),
    among: async (ids) =>
      (
        await narrow(db.from(table).where(key, 'in', ids), like(db, { view: { ...db.view, hasFewRecords: true } }))
      ).select(key),
    range: isById ? { skipped, size, isDescending: order[0] === '-id' } : null,
  }
  const { count, ids } = await (isSelfContained && db.matches ? db.matches(list) : countMatches(list))
  return { count, ids: ids ?? walked(count) }
}

/** The reverse of a sort order. */
const reversed = (column: string) => (column.startsWith('-') ? column.slice(1) : `-${column}`)

/** Skipping fewer rows than this is cheap. */
const FEW = 1000
