import Type from 'typebox'
import type { Eyes, Query, Reader } from '../ledger/reader.ts'
import type { Sighting, Watched } from '../ledger/reads.ts'
import type { Field, Load, Resource, Shape } from './declaration.ts'
import { loaded } from './field.ts'
import { notFound } from './problem.ts'
import { cardOf, isSubject, markOf } from './reach.ts'
import { fieldOf, isShown, kindOf, ownerOf, shownName } from './resource.ts'
import { schemaOf } from './schema.ts'

/** Reading records in a shape: one statement, and one more for each load. */

/** A row as the engines bring it. */
type Flat = Record<string, any>

/**
 * The records of a query on the shape's table, as they are shown. The rows come in the order of the given columns
 * (`-starts_on`: the latest first), and also hold the columns that are asked for besides.
 */
export async function fetchShape(
  db: Reader,
  shape: Shape,
  query: Query,
  { order = ['id'], also = [] }: { order?: string[]; also?: string[] } = {},
): Promise<{ row: Flat; record: Flat }[]> {
  const { table } = shape.resource
  const eyes = db.eyes ?? db.shownTo?.eyes
  const plan = planOf(shape, db.caller.withheld, eyes)
  // Whoever writes looks at more than they may be shown.
  await db.shownTo?.eyes?.meet?.(db)
  const shown = db.shownTo ? { ...db.shownTo, view: db.view } : db
  for (const group of plan.omitted) db.omitted.add(group)
  const { group } = shape.resource
  if (group && eyes?.sightOf(table).partial.has(group)) db.omitted.add(group)
  const isPast = db.view.knownAt !== undefined
  const more = also.map((name) => `, ${quoted(`${table}.${name}`)} as ${quoted(name)}`).join('')
  const inOrder = order.map((column) => ordering(table, column)).join(', ')
  const rows: Flat[] = await shown.around(
    `select ${isPast ? plan.own : plan.select}${more} from (`,
    query.selectAll(table),
    `) as ${quoted(table)} ${isPast ? '' : plan.join} order by ${inOrder}`,
  )
  if (isPast) await lookUp(shown, plan, table, rows)
  const brought = new Map<Load, Map<string, Map<number, any>>>()
  for (const { prefix, name, load, part } of plan.loads) {
    const places = brought.get(load) ?? new Map<string, Map<number, any>>()
    brought.set(load, places)
    const ids = [...new Set<number>(rows.map((row) => row[`${prefix}id`]).filter((id) => id !== null))]
    const found = places.get(prefix) ?? (ids.length ? await load(shown, ids) : new Map<number, any>())
    places.set(prefix, found)
    for (const row of rows) {
      const value = found.get(row[`${prefix}id`])
      row[`${prefix}${name}`] = part === null ? value : value?.[part]
    }
  }
  db.shown.push((watched) => plan.marks.flatMap((mark) => sightingsOf(mark, rows, watched)))
  return rows.map((row) => ({ row, record: plan.present(row, db) }))
}

/**
 * Joins what the rows name by further statements, one for each join: an engine that joins tables of the past goes
 * through them as a whole, but finds their records by ids.
 */
async function lookUp(db: Reader, { joins, columns }: Plan, table: string, rows: Flat[]): Promise<void> {
  const named = new Map<string, (Flat | undefined)[]>([[table, rows]])
  for (const { table: target, alias, by } of joins) {
    const [from, column] = splitName(by)
    const ids = (named.get(from) ?? []).map((row) => row?.[column] ?? null)
    const wanted = [...new Set(ids)].filter((id) => id !== null)
    const names = columns.filter((one) => one.alias === alias)
    const further = joins.map((one) => splitName(one.by)).flatMap(([one, name]) => (one === alias ? [name] : []))
    const found = wanted.length
      ? await db
          .from(target)
          .select([...new Set(['id', ...names.map(({ name }) => name), ...further])])
          .where('id', 'in', wanted)
          .execute()
      : []
    const byId = new Map(found.map((one) => [one.id, one as Flat]))
    const joined = ids.map((id) => byId.get(id))
    named.set(alias, joined)
    for (const [index, row] of rows.entries()) for (const { name, as } of names) row[as] = joined[index]?.[name] ?? null
  }
}

/** `books.author_id` → the part of the statement, and its column. */
function splitName(name: string): [string, string] {
  const at = name.lastIndexOf('.')
  return [name.slice(0, at), name.slice(at + 1)]
}

/** Where records of a kind stand in the rows of a plan, and by which values of theirs each group of data is shown. */
type Mark = { of: Resource; prefix: string; owner: ReturnType<typeof ownerOf>; groups: Map<string, string[]> }

/** The records that show something of what is watched over. */
function sightingsOf({ of, prefix, owner, groups }: Mark, rows: readonly Flat[], watched: Watched): Sighting[] {
  const kind = watched.kinds.get(of.table)
  const whole = of.group && watched.groups.has(of.group) ? of.group : undefined
  const parts = whole ? [] : [...groups].filter(([group]) => watched.groups.has(group))
  if (!kind && !whole && parts.length === 0) return []
  return rows.flatMap((row) => {
    const record_id = row[`${prefix}id`]
    if (record_id === null) return []
    const held = parts.filter(([, values]) => values.some((at) => Boolean(row[at]))).map(([group]) => group)
    const owner_id = owner ? (row[`${prefix}${owner.column}`] ?? null) : null
    const place = { resource: of.table, record_id, owner: owner_id === null ? null : (owner?.to ?? null), owner_id }
    return [kind, whole, ...held].flatMap((what) => (what ? [{ what, ...place }] : []))
  })
}

/** `-starts_on` → the column, and which way it is walked. */
export const directionOf = (column: string) => ({
  name: column.replace(/^-/, ''),
  isDescending: column.startsWith('-'),
})

/** How a statement is put in order by a column: in both engines alike, what is not known comes after all that is. */
export function ordering(table: string, column: string): string {
  const name = column.replace(/^-/, '')
  const [way, unknown] = column === name ? ['asc', ' nulls last'] : ['desc', ' nulls first']
  // An id is always known, and its index is walked only by those who do not ask.
  return `${quoted(`${table}.${name}`)} ${way}${name === 'id' ? '' : unknown}`
}

/** Records by id, in that order; undefined where there is none. */
export async function show(db: Reader, shape: Shape, ids: number[]): Promise<any[]> {
  if (ids.length === 0) return []
  const { table } = shape.resource
  // Those whom records name are known by name, also to those who may read no more of them.
  const isNamed = (db.eyes ?? db.shownTo) && isSubject(shape.resource) && isCard(shape)
  const from = db.from(isNamed ? `${cardOf(table)} as ${table}` : table)
  const rows = await fetchShape(db, shape, from.where(`${table}.id`, 'in', ids))
  const byId = new Map(rows.map(({ row, record }) => [row.id, record]))
  return ids.map((id) => byId.get(id))
}

/** Does a shape hold nothing but what stands in the record itself, and belongs to no group? */
const isCard = ({ resource, names }: Shape) =>
  names.every((name) => {
    const { loaded, group } = fieldOf(resource, name)
    return !loaded && !group
  })

/** One record as an answer shows it, `{data: …}`; 404 when it is not there. */
export async function showOne(db: Reader, shape: Shape, id: number): Promise<{ data: any }> {
  const [data] = await show(db, shape, [id])
  if (!data) throw notFound()
  return { data }
}

/** A list of the records that belong to each record shown, in the order of their ids. */
export const many = (child: () => Resource, via: string, shape: () => Shape, order = 'id') =>
  loaded(
    () => Type.Array(schemaOf(shape())),
    async (db, ids) => {
      const { table } = child()
      const query = db.from(table).where(`${table}.${via}`, 'in', ids)
      const rows = await fetchShape(db, shape(), query, { order: [order, 'id'], also: [via] })
      return listsFor(
        ids,
        rows.map(({ row, record }) => [row[via], record]),
      )
    },
  )

/** A list for each of the ids, empty where there is nothing. */
export function listsFor<T>(ids: number[], items: Iterable<readonly [number, T]>): Map<number, T[]> {
  const lists = new Map<number, T[]>(ids.map((id) => [id, []]))
  for (const [id, item] of items) lists.get(id)?.push(item)
  return lists
}

/** The tables that a shape's statement reads; what is loaded besides is not among them. */
export function tablesIn({ resource, names }: Shape): string[] {
  const joined = names.flatMap((name) => {
    const { named, reference } = fieldOf(resource, name)
    return named ? [named.table] : reference?.shape ? tablesIn(reference.shape()) : []
  })
  return [...new Set([resource.table, ...joined])]
}

/** The parts of a shape's statement are the same every time, so they are text, made once: building them anew costs more than running them. */
type Plan = {
  select: string
  join: string
  /** The same without the joins. */
  own: string
  joins: Join[]
  columns: Column[]
  loads: Loading[]
  /** Groups that the caller would see if they were not withheld. */
  omitted: ReadonlySet<string>
  marks: Mark[]
  present: (row: Flat, db: Reader) => Flat
}

type Join = { table: string; alias: string; by: string }
type Column = { alias: string; name: string; as: string }

type Loading = { prefix: string; name: string; load: Load; part: string | null }

const plans = new WeakMap<Shape, Map<string, Plan>>()

const NONE: ReadonlySet<string> = new Set()

function planOf(shape: Shape, withheld: ReadonlySet<string>, eyes: Eyes | undefined): Plan {
  const known = plans.get(shape) ?? new Map<string, Plan>()
  plans.set(shape, known)
  const key = eyes?.key ?? [...withheld].sort().join()
  let plan = known.get(key)
  if (!plan) {
    const { table } = shape.resource
    const omitted = new Set<string>()
    const sightOf = (of: Resource) => eyes?.sightOf(of.table) ?? { withheld, partial: NONE }
    const made = makePart(shape, table, '', sightOf, omitted, Boolean(eyes))
    const join = made.joins
      .map(({ table: target, alias, by }) => {
        const same = `${quoted(`${alias}.account_id`)} = ${quoted(`${table}.account_id`)}`
        return `left join ${quoted(target)} as ${quoted(alias)} on ${same} and ${quoted(`${alias}.id`)} = ${quoted(by)}`
      })
      .join(' ')
    const select = (columns: Column[]) =>
      columns.map(({ alias, name, as }) => `${quoted(`${alias}.${name}`)} as ${quoted(as)}`).join(', ')
    const keys = made.joins.map(({ by }) => splitName(by)).flatMap(([alias, name]) => ({ alias, name, as: name }))
    const own = [...made.columns, ...keys].filter(({ alias }) => alias === table)
    plan = {
      select: select(made.columns),
      own: select([...new Map(own.map((column) => [column.as, column])).values()]),
      join,
      joins: made.joins,
      columns: made.columns,
      loads: made.loads,
      omitted,
      marks: made.marks,
      present: made.present,
    }
    known.set(key, plan)
  }
  return plan
}

/** `books.id` → `"books"."id"`, which both engines understand. All names are our own. */
const quoted = (name: string) =>
  name
    .split('.')
    .map((part) => `"${part}"`)
    .join('.')

type Part = {
  columns: Column[]
  joins: Join[]
  loads: Loading[]
  marks: Mark[]
  present: Plan['present']
}

type Step = (record: Flat, row: Flat, db: Reader) => void

/**
 * What to select and join for a shape, and how to turn a flat row into the nested record. Fields of a withheld group
 * are neither read nor shown, however deep they lie.
 */
function makePart(
  shape: Shape,
  alias: string,
  prefix: string,
  sightOf: (of: Resource) => ReturnType<Eyes['sightOf']>,
  omitted: Set<string>,
  isNarrowed: boolean,
): Part {
  const { withheld, partial } = sightOf(shape.resource)
  const tableOf = (table: string) => (isNarrowed && isSubject(kindOf(table)) ? cardOf(table) : table)
  const columns = new Map<string, Column>()
  const column = (name: string) => columns.set(`${prefix}${name}`, { alias, name, as: `${prefix}${name}` })
  column('id')
  const owner = ownerOf(shape.resource)
  if (owner) column(owner.column)
  const own: Mark = { of: shape.resource, prefix, owner, groups: new Map() }
  const part: Part = { columns: [], joins: [], loads: [], marks: [own], present: () => ({}) }
  const steps: Step[] = []
  const mark = ({ group }: Field, ...values: string[]) => {
    if (group) own.groups.set(group, [...(own.groups.get(group) ?? []), ...values])
  }

  for (const name of shape.names) {
    const field = fieldOf(shape.resource, name)
    if (!isShown(field)) continue
    if (field.group && withheld.has(field.group)) {
      omitted.add(field.group)
      continue
    }
    const at = `${prefix}${name}`
    const as = shownName(name, field)
    const { group } = field
    if (group && partial.has(group)) column(markOf(group))
    const push = (step: Step) =>
      steps.push(
        group && partial.has(group)
          ? (record, row, db) => {
              if (row[`${prefix}${markOf(group)}`]) step(record, row, db)
              else db.omitted.add(group)
            }
          : step,
      )
    if (field.derived) {
      const { from, compute } = field.derived
      for (const source of from) column(source)
      mark(field, ...from.map((source) => `${prefix}${source}`))
      push(deriving(shape.resource, as, from, prefix, compute))
    } else if (field.named) {
      const { via, table } = field.named
      part.joins.push({ table: tableOf(table), alias: at, by: `${alias}.${via}` })
      columns.set(`${at}$name`, { alias: at, name: 'name', as: `${at}$name` })
      push((record, row) => {
        record[as] = row[`${at}$name`]
      })
    } else if (field.loaded) {
      part.loads.push({ prefix, name, ...field.loaded })
      mark(field, at)
      push((record, row) => {
        if (row[at] !== undefined || !field.sometimes) record[as] = row[at] ?? null
      })
    } else if (field.reference?.shape) {
      const target = field.reference.shape()
      const joined = `${prefix}${as}`
      const inner = makePart(target, joined, `${joined}$`, sightOf, omitted, isNarrowed)
      part.joins.push({ table: tableOf(target.resource.table), alias: joined, by: `${alias}.${name}` }, ...inner.joins)
      part.loads.push(...inner.loads)
      for (const one of inner.columns) columns.set(one.as, one)
      part.marks.push(...inner.marks)
      mark(field, `${joined}$id`)
      push((record, row, db) => {
        record[as] = row[`${joined}$id`] === null ? null : inner.present(row, db)
      })
    } else {
      column(name)
      mark(field, at)
      push((record, row) => {
        record[as] = field.show(field.read(row[at]))
      })
    }
  }
  part.columns = [...columns.values()]
  part.present = (row, db) => {
    const record = {}
    for (const step of steps) step(record, row, db)
    return record
  }
  return part
}

/** Computes a field from the columns that it is derived from. */
function deriving(
  of: Resource,
  as: string,
  from: readonly string[],
  prefix: string,
  compute: NonNullable<Field['derived']>['compute'],
): Step {
  const sources = from.map((source) => ({ source, at: `${prefix}${source}`, field: fieldOf(of, source) }))
  return (record, row, db) => {
    const own: Flat = {}
    for (const { source, at, field } of sources) own[source] = field.read(row[at])
    record[as] = compute(own, db)
  }
}
