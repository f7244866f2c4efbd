import { sql } from 'kysely'
import Type from 'typebox'
import { settleAll } from '../records/chunks.ts'
import { type BoundQuery, type PreparedQuery, prepared, selectFromSource, Wrapper } from '../records/prepared.ts'
import { like, type Query, type Reader } from '../records/reader.ts'
import type { MonitoredRead, Watched } from '../records/reads.ts'
import { cardTableOf, isSubject } from './access-scope/subjects.ts'
import type { Resource, Shape } from './declaration.ts'
import { loaded } from './field.ts'
import { notFound } from './problem.ts'
import { fieldOf } from './resource.ts'
import { schemaOf } from './schema.ts'
import {
  type Column,
  type FlatRow,
  type LoadedData,
  type Loading,
  type Mark,
  type Plan,
  planOf,
  quoted,
  type Selecting,
  splitName,
} from './shape-plan.ts'
import { Written, writerOf } from './written.ts'

/** Reads records in a shape: one statement, and one more for each load. */

type Options = { order?: string[]; also?: string[] }

/** Which records to read: those of a query on the shape's table, prepared or not, or those with these ids. */
type RecordSource = Query | readonly number[] | BoundQuery

/** Rows with their loaded data, and the plan that makes records of them. */
type RowsWithData = { plan: Plan; rows: FlatRow[]; loadedData: LoadedData }

/**
 * Records as they are shown, sorted by the columns in `order` (`-starts_on`: the latest first). The rows also have the columns in
 * `also`.
 */
export async function fetchShape(
  db: Reader,
  shape: Shape,
  query: RecordSource,
  options: Options = {},
): Promise<{ row: FlatRow; record: FlatRow }[]> {
  const { plan, rows, loadedData } = await loadRows(db, shape, query, options)
  return rows.map((row) => ({ row, record: plan.present(row, db, loadedData) }))
}

/** The records as JSON texts. */
export async function writeShape(
  db: Reader,
  shape: Shape,
  query: RecordSource,
  options: Options = {},
): Promise<string[]> {
  const writing = like(db, { writes: true as const })
  const { plan, rows, loadedData } = await loadRows(writing, shape, query, options)
  return rows.map((row) => plan.write(row, writing, loadedData))
}

async function loadRows(
  db: Reader,
  shape: Shape,
  query: RecordSource,
  { order = ['id'], also = [] }: Options,
): Promise<RowsWithData> {
  const { table } = shape.resource
  const visibility = db.visibility ?? db.responseReader?.visibility
  const isPast = db.view.knownAt !== undefined
  const plan = planOf(shape, db.caller.withheld, visibility, Boolean(db.writes && db.lookUp && !visibility && !isPast))
  // A write may read more than its response may show.
  await db.responseReader?.visibility?.includeCreated?.(db)
  const shown = db.responseReader ? like(db.responseReader, { view: db.view }) : db
  for (const group of plan.omitted) db.omitted.add(group)
  const { group, heldBack } = shape.resource
  if (group && visibility?.hiddenGroupsOf(table).partial.has(group)) db.omitted.add(group)
  if (heldBack && visibility && !visibility.seesHeldBack?.(table)) db.omitted.add(heldBack.group)
  const { byIds, wrapper, wrapped } = selecting(plan, table, isPast, { order, also })
  // If the caller sees all records and their ids are known, load their data at the same time as their rows.
  const parallelLoads: ParallelLoads =
    isIds(query) && !isPast && !visibility ? startLoads(shown, plan, query) : new Map()
  const rowsOfSource: Promise<FlatRow[]> = isIds(query)
    ? query.length === 0
      ? Promise.resolve([])
      : shown.run(byIds, { ids: query })
    : 'params' in query
      ? shown.run(wrapped(query.query), query.params)
      : shown.wrap(wrapper, query.selectAll(table))
  const [rows] = (await settleAll<unknown>([rowsOfSource, ...parallelLoads.values()])) as [FlatRow[]]
  if (isPast) {
    for (const [row, earlier] of await earlierValuesOf(shown, shape, rows)) Object.assign(row, earlier)
    await lookUp(shown, plan, table, rows)
  } else await showEarlierValues(shown, shape, plan, rows, { order, also })
  const loadedData = await loadData(shown, plan, rows, parallelLoads)
  db.shown.push((watched) => plan.marks.flatMap((mark) => monitoredReadsOf(mark, rows, loadedData, watched)))
  return { plan, rows, loadedData }
}

/** The queries that select what a plan shows: for rows with given ids, and for rows that another query finds. */
function selecting(plan: Plan, table: string, isPast: boolean, { order, also }: Required<Options>): Selecting {
  const key = `${isPast} ${order} ${also}`
  const cached = plan.selecting.get(key)
  if (cached) return cached
  const more = also.map((name): Column => ({ alias: table, name, as: name }))
  const columns = [...(isPast ? plan.own : plan.columns), ...more].map(
    ({ alias, name, as }) => `${alias}.${name} as ${as}`,
  )
  const select = (query: Query) => {
    const joined = (isPast ? [] : plan.joins).reduce(
      (sum, { table: target, alias, by }) =>
        sum.leftJoin(`${target} as ${alias}`, (join) =>
          join.onRef(`${alias}.account_id`, '=', `${table}.account_id`).onRef(`${alias}.id`, '=', by),
        ),
      query,
    )
    return orderedBy(joined.select(columns), table, order)
  }
  const wrapper = new Wrapper(table, (source) => select(selectFromSource(source)))
  const wrappedQueries = new WeakMap<PreparedQuery<any>, PreparedQuery<any>>()
  const wrapped = (query: PreparedQuery<any>) => {
    const made =
      wrappedQueries.get(query) ?? wrapper.prepared((from, params) => query.build(from, params).selectAll(table))
    wrappedQueries.set(query, made)
    return made
  }
  const made = {
    byIds: prepared<{ ids: readonly number[] }>((from, { ids }) => select(from(table).where(`${table}.id`, 'in', ids))),
    wrapper,
    wrapped,
  }
  plan.selecting.set(key, made)
  return made
}

const isIds = (source: RecordSource): source is readonly number[] => Array.isArray(source)

/** Loads that run at the same time as the query for the rows. */
type ParallelLoads = ReadonlyMap<Loading, Promise<ReadonlyMap<number, any>>>

const startLoads = (db: Reader, { loads }: Plan, ids: readonly number[]): ParallelLoads =>
  new Map(loads.flatMap((one) => (one.idAt === 'id' ? [[one, loadFor(db, one, [...new Set(ids)])]] : [])))

async function loadFor(db: Reader, { load, mayWrite }: Loading, ids: number[]): Promise<ReadonlyMap<number, any>> {
  if (ids.length === 0) return new Map()
  return load(db.writes && !mayWrite ? like(db, { writes: undefined }) : db, ids)
}

/** Loads the data of the rows: each load runs once per place, and all of them run at the same time. */
async function loadData(
  db: Reader,
  { loads, lookups }: Plan,
  rows: readonly FlatRow[],
  parallelLoads: ParallelLoads,
): Promise<LoadedData> {
  const idsAt = (at: string) => {
    const ids = new Set<number>()
    for (const { [at]: id } of rows) if (id !== null) ids.add(id)
    return [...ids]
  }
  // If one fails, wait for the others: none may run after the transaction.
  return settleAll([
    ...loads.map((one) => parallelLoads.get(one) ?? loadFor(db, one, idsAt(one.idAt))),
    ...lookups.map(({ at, shape }) => textsOf(db, shape, idsAt(at))),
  ])
}

/** The JSON texts of lookup records, from a cache. */
async function textsOf(db: Reader, shape: Shape, ids: number[]): Promise<ReadonlyMap<number, Written>> {
  if (ids.length === 0 || !db.lookUp) return new Map()
  const { permissions, withheld, origin } = db.caller
  const name = JSON.stringify([shape.title, permissions, [...withheld], origin, db.view, db.hour])
  return db.lookUp(name, ids, async (own, missing) => {
    const { table } = shape.resource
    const query = own.from(table).where(`${table}.id`, 'in', missing)
    const records = await fetchShape(like(own, { view: db.view }), shape, query)
    const write = writerOf(schemaOf(shape))
    return new Map(records.map(({ row, record }) => [row.id, new Written(write(record))]))
  })
}

/**
 * Reads the records that the rows refer to by further statements, one per join. A database that joins historical tables scans
 * them entirely, but finds their records by id.
 */
async function lookUp(db: Reader, { joins, columns }: Plan, table: string, rows: FlatRow[]): Promise<void> {
  const named = new Map<string, (FlatRow | undefined)[]>([[table, rows]])
  for (const { table: target, alias, by } of joins) {
    const [from, column] = splitName(by)
    const ids = (named.get(from) ?? []).map((row) => row?.[column] ?? null)
    const wanted = [...new Set(ids)].filter((id) => id !== null)
    const names = columns.filter((one) => one.alias === alias)
    const further = joins.map((one) => splitName(one.by)).flatMap(([one, name]) => (one === alias ? [name] : []))
    const targets = wanted.length
      ? await db
          .from(target)
          .select([...new Set(['id', ...names.map(({ name }) => name), ...further])])
          .where('id', 'in', wanted)
          .execute()
      : []
    const byId = new Map(targets.map((one) => [one.id, one as FlatRow]))
    const joined = ids.map((id) => byId.get(id))
    named.set(alias, joined)
    for (const [index, row] of rows.entries()) for (const { name, as } of names) row[as] = joined[index]?.[name] ?? null
  }
}

/** The values that rows had on the day that the response is about, for those that started later. */
async function earlierValuesOf(
  db: Reader,
  { resource }: Shape,
  rows: readonly FlatRow[],
): Promise<Map<FlatRow, FlatRow>> {
  const { earlierValues } = resource
  const { asOf, day } = db.view
  if (!earlierValues || !asOf || day >= db.today) return new Map()
  const { table, owner, since, columns } = earlierValues
  const late = new Map(rows.flatMap((row) => (row[since] > day ? [[row.id, row]] : [])))
  if (late.size === 0) return new Map()
  const found = await db
    .from(table)
    .select([owner, ...columns])
    .where(owner, 'in', [...late.keys()])
    .where(since, '<=', day)
    .orderBy(since)
    .execute()
  return new Map(
    found.flatMap(({ [owner]: id, ...values }) => (late.has(id) ? [[late.get(id) as FlatRow, values]] : [])),
  )
}

/** Shows rows with the values of that day. What they refer to then is read by further statements. */
async function showEarlierValues(
  db: Reader,
  shape: Shape,
  plan: Plan,
  rows: FlatRow[],
  options: Required<Options>,
): Promise<void> {
  const { table } = shape.resource
  const earlier = await earlierValuesOf(db, shape, rows)
  if (earlier.size === 0) return
  const again = await db.run(selecting(plan, table, true, options).byIds, {
    ids: [...earlier.keys()].map(({ id }) => id),
  })
  const values = new Map([...earlier].map(([{ id }, one]) => [id, one]))
  for (const row of again) Object.assign(row, values.get(row.id))
  await lookUp(db, plan, table, again)
  const byId = new Map(again.map((row) => [row.id, row]))
  for (const [n, row] of rows.entries()) rows[n] = byId.get(row.id) ?? row
}

/** The records that show monitored data. */
function monitoredReadsOf(
  { of, prefix, owner, groups }: Mark,
  rows: readonly FlatRow[],
  loadedData: LoadedData,
  watched: Watched,
): MonitoredRead[] {
  const kind = watched.kinds.get(of.table)
  const whole = of.group && watched.groups.has(of.group) ? of.group : undefined
  const parts = whole ? [] : [...groups].filter(([group]) => watched.groups.has(group))
  if (!kind && !whole && parts.length === 0) return []
  return rows.flatMap((row) => {
    const record_id = row[`${prefix}id`]
    if (record_id === null) return []
    const held = parts.filter(([, values]) => values.some((holds) => holds(row, loadedData))).map(([group]) => group)
    const owner_id = owner ? (row[`${prefix}${owner.column}`] ?? null) : null
    const place = { resource: of.table, record_id, owner: owner_id === null ? null : (owner?.to ?? null), owner_id }
    return [kind, whole, ...held].flatMap((what) => (what ? [{ what, ...place }] : []))
  })
}

/** `-starts_on` → the column and the direction. */
export const directionOf = (column: string) => ({
  name: column.replace(/^-/, ''),
  isDescending: column.startsWith('-'),
})

/** The `order by` term of a column. On both databases, null comes after all values. */
export function ordering(table: string, column: string): string {
  const name = column.replace(/^-/, '')
  const [way, unknown] = column === name ? ['asc', ' nulls last'] : ['desc', ' nulls first']
  // An id is never null, and its index is only used without a clause for nulls.
  return `${quoted(`${table}.${name}`)} ${way}${name === 'id' ? '' : unknown}`
}

export const orderedBy = (query: Query, table: string, columns: readonly string[]) =>
  columns.reduce((sorted, column) => sorted.orderBy(sql.raw(ordering(table, column))), query)

/** Records in the order of the ids; undefined for records that do not exist. */
export async function show(db: Reader, shape: Shape, ids: number[]): Promise<any[]> {
  if (ids.length === 0) return []
  const { table } = shape.resource
  // The name of a subject is visible to every caller who sees a reference to it.
  const isNamed = (db.visibility ?? db.responseReader) && isSubject(shape.resource) && isCard(shape)
  const rows = await fetchShape(
    db,
    shape,
    isNamed ? db.from(`${cardTableOf(table)} as ${table}`).where(`${table}.id`, 'in', ids) : ids,
  )
  const byId = new Map(rows.map(({ row, record }) => [row.id, record]))
  return ids.map((id) => byId.get(id))
}

/** Does a shape only have fields of the record itself that belong to no group? */
const isCard = ({ resource, names }: Shape) =>
  names.every((name) => {
    const { loaded, group } = fieldOf(resource, name)
    return !loaded && !group
  })

/** One record as a response, `{data: …}`; 404 if it does not exist. */
export async function showOne(db: Reader, shape: Shape, id: number): Promise<{ data: any }> {
  const [data] = await show(db, shape, [id])
  if (!data) throw notFound()
  return { data }
}

/** A field that lists the records which belong to a record, sorted by id. */
export const many = (child: () => Resource, via: string, shape: () => Shape, order = 'id') => {
  const belonging = prepared<{ ids: number[] }>((from, { ids }) => {
    const { table } = child()
    return from(table).where(`${table}.${via}`, 'in', ids)
  })
  return loaded(
    () => Type.Array(schemaOf(shape())),
    async (db, ids) => {
      const bound = { query: belonging, params: { ids } }
      const rows = await fetchShape(db, shape(), bound, { order: [order, 'id'], also: [via] })
      return listsFor(
        ids,
        rows.map(({ row, record }) => [row[via], record]),
      )
    },
  )
}

/** A list for each id; it is empty if there are no items. */
export function listsFor<T>(ids: number[], items: Iterable<readonly [number, T]>): Map<number, T[]> {
  const lists = new Map<number, T[]>(ids.map((id) => [id, []]))
  for (const [id, item] of items) lists.get(id)?.push(item)
  return lists
}

/** The tables that a shape's statement reads, without those that loads read. */
export function tablesIn({ resource, names }: Shape): string[] {
  const joined = names.flatMap((name) => {
    const { named, reference } = fieldOf(resource, name)
    return named ? [named.table] : reference?.shape ? tablesIn(reference.shape()) : []
  })
  return [...new Set([resource.table, ...joined])]
}
