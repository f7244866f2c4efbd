import { sql } from 'kysely'
import Type, { type TObject, type TSchema } from 'typebox'
import type { Query, Reader } from '../ledger/reader.ts'
import type { Resource, Shape } from './declaration.ts'
import { forbidden, malformed, wrong } from './problem.ts'
import { fieldOf, hasKeyColumn, isShown, keyColumn } from './resource.ts'
import { fetchShape, ordering } from './shape.ts'

/** Pages of lists, and the order in which they come. */

const USUAL_PAGE = 50
const LARGEST_PAGE = 200

const FIGURES = { page: Type.Integer(), pages: Type.Integer(), count: Type.Integer(), items: Type.Integer() }
export const METADATA = Type.Object({ ...FIGURES, pagination: Type.Object(FIGURES) }, { title: 'Metadata' })

/** The query parameters of every paged list. */
export const PAGING = {
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1, description: 'The page to show, from 1' }),
  ),
  per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: LARGEST_PAGE, default: USUAL_PAGE, description: 'How many a page shows' }),
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
      description: 'The order: `-` before the name has the last ones first',
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
    throw forbidden(`You may not sort by ${name}: ${group} is withheld from you`)
  const next = of.fields[name]?.nextBy
  const names = name === 'id' ? [name] : [name, ...(next ? [next] : []), 'id']
  return names.map((one) => `${way}${sortColumn(of, one)}`)
}

export const inOrder = (query: Query, table: string, columns: string[]) =>
  columns.reduce((sorted, column) => sorted.orderBy(sql.raw(ordering(table, column))), query)

/** One page of the records, narrowed or all. */
export async function pageOf(
  db: Reader,
  of: Resource,
  asked: Page,
  narrow: (query: Query) => Query | Promise<Query>,
  { shape = of.whole, order = ['id'] }: { shape?: Shape; order?: string[] } = {},
) {
  const { table } = of
  const key = `${table}.id`
  const { size, skipped } = asked
  let ids: Query
  let count: number
  const all = db.from(table)
  const matching = await narrow(all)
  // What is counted up is how many there are now.
  const isNarrowed = db.eyes?.narrowings.some(({ name }) => name === table)
  if (matching !== all || db.view.knownAt !== undefined || isNarrowed) {
    count = Number((await matching.select((eb) => eb.fn.countAll().as('n')).executeTakeFirstOrThrow()).n)
    ids = inOrder(matching.select(key), table, order).limit(size).offset(skipped)
  } else {
    const counter = await db
      .from('counters')
      .select(['live', 'last_id'])
      .where('resource', '=', table)
      .executeTakeFirst()
    count = counter?.live ?? 0
    ids = inOrder(all.select(key), table, order).limit(size)
    // Ids are counted up, so while nothing was deleted a page's place is plain arithmetic.
    const isGapless = counter && counter.live === counter.last_id
    if (isGapless && order[0] === 'id') ids = ids.where(key, '>', skipped)
    else if (isGapless && order[0] === '-id') ids = ids.where(key, '<=', counter.last_id - skipped)
    else ids = ids.offset(skipped)
  }
  if (asked.isWhole && count > size)
    throw malformed(wrong('page', 'required', `is required: there are ${count} of them, too many for one answer`))
  if (skipped >= count) return { data: [], metadata: metadata(asked, count, 0) }
  // The page's ids first, then their rows: joins must not run for the rows that are skipped.
  const rows = await fetchShape(db, shape, db.from(table).where(key, 'in', ids), { order })
  return { data: rows.map(({ record }) => record), metadata: metadata(asked, count, rows.length) }
}
