import { sql } from 'kysely'
import Type, { type TObject, type TSchema } from 'typebox'
import { LruCache } from '../database/lru.ts'
import { allDone } from '../ledger/chunks.ts'
import { type BoundQuery, type PreparedQuery, prepared, selectFromSource, Wrapper } from '../ledger/prepared.ts'
import { like, type Query, type Reader, type Visibility } from '../ledger/reader.ts'
import type { Sighting, Watched } from '../ledger/reads.ts'
import { cardTableOf, isSubject } from './access-scope/subjects.ts'
import { groupFlagOf } from './access-scope/table-filters.ts'
import type { Field, Load, Resource, Shape } from './declaration.ts'
import { loaded, same } from './field.ts'
import { notFound } from './problem.ts'
import { fieldOf, isShown, kindOf, ownerOf, shownName } from './resource.ts'
import { schemaOf } from './schema.ts'
import { namesIn, partWriterOf, Written, writerOf } from './written.ts'

/** Reading records in a shape: one statement, and one more for each load. */

/** A row as the engines bring it. */
type Flat = Record<string, any>

type Options = { order?: string[]; also?: string[] }

/** The records of a query on the shape's table, prepared or built anew, or those with these ids. */
type RecordSource = Query | readonly number[] | BoundQuery

/** Rows with all that belongs to them, and what makes records of them. */
type Gathered = { plan: Plan; rows: Flat[]; brought: Brought }

/** What was loaded for rows, load by load and then piece by piece: by the ids of those whom it was loaded for. */
type Brought = readonly ReadonlyMap<number, any>[]

/**
 * The records of a query on the shape's table, as they are shown. The rows come in the order of the given columns
 * (`-starts_on`: the latest first), and also hold the columns that are asked for besides.
 */
export async function fetchShape(
  db: Reader,
  shape: Shape,
  query: RecordSource,
  options: Options = {},
): Promise<{ row: Flat; record: Flat }[]> {
  const { plan, rows, brought } = await gather(db, shape, query, options)
  return rows.map((row) => ({ row, record: plan.present(row, db, brought) }))
}

/** The same as JSON texts. */
export async function writeShape(
  db: Reader,
  shape: Shape,
  query: RecordSource,
  options: Options = {},
): Promise<string[]> {
  const writing = like(db, { writes: true as const })
  const { plan, rows, brought } = await gather(writing, shape, query, options)
  return rows.map((row) => plan.write(row, writing, brought))
}

async function gather(
  db: Reader,
  shape: Shape,
  query: RecordSource,
  { order = ['id'], also = [] }: Options,
): Promise<Gathered> {
  const { table } = shape.resource
  const visibility = db.visibility ?? db.responseReader?.visibility
  const isPast = db.view.knownAt !== undefined
  const plan = planOf(shape, db.caller.withheld, visibility, Boolean(db.writes && db.pieces && !visibility && !isPast))
  // Whoever writes looks at more than they may be shown.
  await db.responseReader?.visibility?.includeCreated?.(db)
  const shown = db.responseReader ? like(db.responseReader, { view: db.view }) : db
  for (const group of plan.omitted) db.omitted.add(group)
  const { group, heldBack } = shape.resource
  if (group && visibility?.hiddenGroupsOf(table).partial.has(group)) db.omitted.add(group)
  if (heldBack && visibility && !visibility.seesHeldBack?.(table)) db.omitted.add(heldBack.group)
  const { byIds, wrapper, wrapped } = selecting(plan, table, isPast, { order, also })
  // To whom all records are shown, what belongs to those whose ids are known is asked for in the same breath.
  const ahead: Ahead = isIds(query) && !isPast && !visibility ? loadsAhead(shown, plan, query) : new Map()
  const asked: Promise<Flat[]> = isIds(query)
    ? query.length === 0
      ? Promise.resolve([])
      : shown.run(byIds, { ids: query })
    : 'params' in query
      ? shown.run(wrapped(query.query), query.params)
      : shown.wrap(wrapper, query.selectAll(table))
  const [rows] = (await allDone<unknown>([asked, ...ahead.values()])) as [Flat[]]
  if (isPast) await lookUp(shown, plan, table, rows)
  const brought = await bring(shown, plan, rows, ahead)
  db.shown.push((watched) => plan.marks.flatMap((mark) => sightingsOf(mark, rows, brought, watched)))
  return { plan, rows, brought }
}

/** The queries that select what a plan shows: of rows that are known by their ids, and of rows that another query finds. */
function selecting(plan: Plan, table: string, isPast: boolean, { order, also }: Required<Options>): Selecting {
  const key = `${isPast} ${order} ${also}`
  const known = plan.selecting.get(key)
  if (known) return known
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

/** Loads for records whose rows have not come yet. */
type Ahead = ReadonlyMap<Loading, Promise<ReadonlyMap<number, any>>>

const loadsAhead = (db: Reader, { loads }: Plan, ids: readonly number[]): Ahead =>
  new Map(loads.flatMap((one) => (one.idAt === 'id' ? [[one, loadFor(db, one, [...new Set(ids)])]] : [])))

async function loadFor(db: Reader, { load, mayWrite }: Loading, ids: number[]): Promise<ReadonlyMap<number, any>> {
  if (ids.length === 0) return new Map()
  return load(db.writes && !mayWrite ? like(db, { writes: undefined }) : db, ids)
}

/** What is loaded for the rows: each load once for each place, all of them at once. */
async function bring(db: Reader, { loads, pieces }: Plan, rows: readonly Flat[], ahead: Ahead): Promise<Brought> {
  const idsAt = (at: string) => {
    const ids = new Set<number>()
    for (const { [at]: id } of rows) if (id !== null) ids.add(id)
    return [...ids]
  }
  // When one fails, the others have come to an end too: none goes on where the reading is over.
  return allDone([
    ...loads.map((one) => ahead.get(one) ?? loadFor(db, one, idsAt(one.idAt))),
    ...pieces.map(({ at, shape }) => textsOf(db, shape, idsAt(at))),
  ])
}

/** The texts of records, kept in mind from one call to the next. */
async function textsOf(db: Reader, shape: Shape, ids: number[]): Promise<ReadonlyMap<number, Written>> {
  if (ids.length === 0 || !db.pieces) return new Map()
  const { permissions, withheld, origin } = db.caller
  const name = JSON.stringify([shape.title, permissions, [...withheld], origin, db.view, db.hour])
  return db.pieces(name, ids, async (own, missing) => {
    const { table } = shape.resource
    const query = own.from(table).where(`${table}.id`, 'in', missing)
    const found = await fetchShape(like(own, { view: db.view }), shape, query)
    const write = writerOf(schemaOf(shape))
    return new Map(found.map(({ row, record }) => [row.id, new Written(write(record))]))
  })
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
type Mark = { of: Resource; prefix: string; owner: ReturnType<typeof ownerOf>; groups: Map<string, Held[]> }

/** Does a row hold anything of it? */
type Held = (row: Flat, brought: Brought) => boolean

/** The records that show something of what is watched over. */
function sightingsOf(
  { of, prefix, owner, groups }: Mark,
  rows: readonly Flat[],
  brought: Brought,
  watched: Watched,
): Sighting[] {
  const kind = watched.kinds.get(of.table)
  const whole = of.group && watched.groups.has(of.group) ? of.group : undefined
  const parts = whole ? [] : [...groups].filter(([group]) => watched.groups.has(group))
  if (!kind && !whole && parts.length === 0) return []
  return rows.flatMap((row) => {
    const record_id = row[`${prefix}id`]
    if (record_id === null) return []
    const held = parts.filter(([, values]) => values.some((holds) => holds(row, brought))).map(([group]) => group)
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

export const orderedBy = (query: Query, table: string, columns: readonly string[]) =>
  columns.reduce((sorted, column) => sorted.orderBy(sql.raw(ordering(table, column))), query)

/** Records by id, in that order; undefined where there is none. */
export async function show(db: Reader, shape: Shape, ids: number[]): Promise<any[]> {
  if (ids.length === 0) return []
  const { table } = shape.resource
  // Those whom records name are known by name, also to those who may read no more of them.
  const isNamed = (db.visibility ?? db.responseReader) && isSubject(shape.resource) && isCard(shape)
  const rows = await fetchShape(
    db,
    shape,
    isNamed ? db.from(`${cardTableOf(table)} as ${table}`).where(`${table}.id`, 'in', ids) : ids,
  )
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

/** What a shape's queries select and how its rows become records. It is made once: building it anew costs more than running it. */
type Plan = {
  /** The columns that need no join. */
  own: Column[]
  joins: Join[]
  columns: Column[]
  loads: Loading[]
  /** Groups that the caller would see if they were not withheld. */
  omitted: ReadonlySet<string>
  marks: Mark[]
  pieces: Piece[]
  /** By the order and the columns that are asked for besides. */
  selecting: Map<string, Selecting>
  present: Present
  write: (row: Flat, db: Reader, brought: Brought) => string
}

type Selecting = {
  readonly byIds: PreparedQuery<{ ids: readonly number[] }>
  readonly wrapper: Wrapper
  readonly wrapped: (query: PreparedQuery<any>) => PreparedQuery<any>
}

type Present = (row: Flat, db: Reader, brought: Brought) => Flat

type Join = { table: string; alias: string; by: string }
type Column = { alias: string; name: string; as: string }

/** A load, and where rows hold the ids that it is for. */
type Loading = { load: Load; idAt: string; mayWrite: boolean }

/** Where rows hold the id of a record that comes as text. */
type Piece = { at: string; shape: Shape }

/** How many plans of a shape are kept: there is one for each set of rights that callers have, and keys may have any. */
const MOST_PLANS = 500
const plans = new WeakMap<Shape, LruCache<Plan>>()

const NONE: ReadonlySet<string> = new Set()

function planOf(
  shape: Shape,
  withheld: ReadonlySet<string>,
  visibility: Visibility | undefined,
  writes: boolean,
): Plan {
  const known = plans.get(shape) ?? new LruCache<Plan>(MOST_PLANS)
  plans.set(shape, known)
  const key = visibility?.key ?? `${writes ? 'written ' : ''}${[...withheld].sort().join()}`
  return known.get(key, () => makePlan(shape, withheld, visibility, writes))
}

function makePlan(
  shape: Shape,
  withheld: ReadonlySet<string>,
  visibility: Visibility | undefined,
  writes: boolean,
): Plan {
  const { table } = shape.resource
  const omitted = new Set<string>()
  const hiddenGroupsOf = (of: Resource) => visibility?.hiddenGroupsOf(of.table) ?? { withheld, partial: NONE }
  const bringing: Bringing = { loads: [], pieces: writes ? [] : null }
  const made = makePart(shape, table, '', { hiddenGroupsOf, omitted, isFiltered: Boolean(visibility), bringing })
  const keys = made.joins.map(({ by }) => splitName(by)).flatMap(([alias, name]) => ({ alias, name, as: name }))
  const own = [...made.columns, ...keys].filter(({ alias }) => alias === table)
  return {
    own: [...new Map(own.map((column) => [column.as, column])).values()],
    joins: made.joins,
    columns: made.columns,
    loads: bringing.loads,
    omitted,
    marks: made.marks,
    pieces: bringing.pieces ?? [],
    selecting: new Map(),
    present: made.present,
    write: writing(schemaOf(shape), made.steps),
  }
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
  marks: Mark[]
  steps: Step[]
  present: Present
}

/** A value of a record: as it stands in a column, or whatever is made of the row; undefined: it is not there. */
type Step = { as: string } & (
  | { at: string; shown: (value: any) => unknown }
  | { make: (row: Flat, db: Reader, brought: Brought) => unknown }
)

/** What a plan brings besides its rows; without pieces nothing comes as text. */
type Bringing = { loads: Loading[]; pieces: Piece[] | null }

type Making = {
  hiddenGroupsOf: (of: Resource) => ReturnType<Visibility['hiddenGroupsOf']>
  omitted: Set<string>
  isFiltered: boolean
  bringing: Bringing
}

/**
 * What to select and join for a shape, and how to turn a flat row into the nested record. Fields of a withheld group
 * are neither read nor shown, however deep they lie.
 */
function makePart(shape: Shape, alias: string, prefix: string, making: Making): Part {
  const { hiddenGroupsOf, omitted, isFiltered, bringing } = making
  const { withheld, partial } = hiddenGroupsOf(shape.resource)
  const tableOf = (table: string) => (isFiltered && isSubject(kindOf(table)) ? cardTableOf(table) : table)
  const columns = new Map<string, Column>()
  const column = (name: string) => columns.set(`${prefix}${name}`, { alias, name, as: `${prefix}${name}` })
  column('id')
  const owner = ownerOf(shape.resource)
  if (owner) column(owner.column)
  const own: Mark = { of: shape.resource, prefix, owner, groups: new Map() }
  const part: Part = { columns: [], joins: [], marks: [own], steps: [], present: () => ({}) }
  const mark = ({ group }: Field, ...held: Held[]) => {
    if (group) own.groups.set(group, [...(own.groups.get(group) ?? []), ...held])
  }
  const isIn = (at: string): Held => {
    return (row) => Boolean(row[at])
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
    if (group && partial.has(group)) column(groupFlagOf(group))
    const push = (step: Step) => part.steps.push(group && partial.has(group) ? onlyMarked(step, prefix, group) : step)
    const nested = field.reference?.shape?.()
    if (field.derived) {
      const { from, compute } = field.derived
      for (const source of from) column(source)
      mark(field, ...from.map((source) => isIn(`${prefix}${source}`)))
      push({ as, make: deriving(shape.resource, from, prefix, compute) })
    } else if (field.named) {
      const { via, table } = field.named
      part.joins.push({ table: tableOf(table), alias: at, by: `${alias}.${via}` })
      columns.set(`${at}$name`, { alias: at, name: 'name', as: `${at}$name` })
      push({ as, at: `${at}$name`, shown: same })
    } else if (field.loaded) {
      const { load, part: piece, mayWrite } = field.loaded
      const idAt = `${prefix}id`
      const known = bringing.loads.findIndex((one) => one.load === load && one.idAt === idAt)
      const index = known < 0 ? bringing.loads.push({ load, idAt, mayWrite }) - 1 : known
      const loadedFor = (row: Flat, brought: Brought) => {
        const value = brought[index]?.get(row[idAt])
        return piece === null ? value : value?.[piece]
      }
      mark(field, (row, brought) => Boolean(loadedFor(row, brought)))
      push({ as, make: (row, _db, brought) => loadedFor(row, brought) ?? (field.sometimes ? undefined : null) })
    } else if (nested && bringing.pieces && isPiece(nested)) {
      column(name)
      mark(field, isIn(at))
      const { pieces, loads } = bringing
      const index = pieces.push({ at, shape: nested }) - 1
      // Pieces come behind the loads, of which there may be more than now.
      push({ as, make: (row, _db, brought) => brought[loads.length + index]?.get(row[at]) ?? null })
    } else if (nested) {
      const joined = `${prefix}${as}`
      const idAt = `${joined}$id`
      const inner = makePart(nested, joined, `${joined}$`, {
        ...making,
        bringing: { loads: bringing.loads, pieces: null },
      })
      part.joins.push({ table: tableOf(nested.resource.table), alias: joined, by: `${alias}.${name}` }, ...inner.joins)
      for (const one of inner.columns) columns.set(one.as, one)
      part.marks.push(...inner.marks)
      mark(field, isIn(idAt))
      push({ as, make: (row, db, brought) => (row[idAt] === null ? null : inner.present(row, db, brought)) })
    } else {
      column(name)
      mark(field, isIn(at))
      const { show, read } = field
      push({ as, at, shown: show === same && read === same ? same : (value) => show(read(value)) })
    }
  }
  part.columns = [...columns.values()]
  part.present = presenting(part.steps)
  return part
}

/** A value that is there only in rows whose mark says so. */
function onlyMarked(step: Step, prefix: string, group: string): Step {
  const markAt = `${prefix}${groupFlagOf(group)}`
  const make = 'make' in step ? step.make : (row: Flat) => step.shown(row[step.at])
  return {
    as: step.as,
    make(row, db, brought) {
      if (row[markAt]) return make(row, db, brought)
      db.omitted.add(group)
      return undefined
    },
  }
}

/** Makes an object of a row. */
function presenting(steps: readonly Step[]): Present {
  const lines = steps.map((step, at) => {
    const name = JSON.stringify(step.as)
    return `value = ${valueIn(step, at)}; if (value !== undefined) record[${name}] = value;`
  })
  return written(steps, ['record = {}', 'value'], lines, 'record')
}

/** Writes a row as JSON: in the order and the form that the schema says. */
function writing(schema: TObject, steps: readonly Step[]): Plan['write'] {
  const names = namesIn(schema)
  const inOrder = steps
    .map((step, at) => ({ step, at }))
    .sort((a, b) => names.indexOf(a.step.as) - names.indexOf(b.step.as))
  const lines = inOrder.map(({ step, at }) => {
    const head = JSON.stringify(`,${JSON.stringify(step.as)}:`)
    return `value = ${valueIn(step, at)}; if (value !== undefined) text += ${head} + write[${at}](value);`
  })
  const writers = steps.map(({ as }) => partWriterOf(schema.properties[as] as TSchema))
  return written(steps, ['text = ""', 'value'], lines, '"{" + text.slice(1) + "}"', writers)
}

/** The value of a step in code that is written out: of a column by its name, so that the engine knows where to look. */
const valueIn = (step: Step, at: number) =>
  'make' in step
    ? `steps[${at}].make(row, db, brought)`
    : step.shown === same
      ? `row[${JSON.stringify(step.at)}]`
      : `steps[${at}].shown(row[${JSON.stringify(step.at)}])`

/** A function of a row, written out step by step: a loop over steps costs several times as much. All names are our own. */
const written = (steps: readonly Step[], variables: string[], lines: string[], result: string, write?: unknown) =>
  new Function(
    'steps',
    'write',
    `return (row, db, brought) => { let ${variables.join(', ')};\n${lines.join('\n')}\nreturn ${result} }`,
  )(steps, write)

/** Can a record be told as a text that is the same for all who name it? */
const isPiece = ({ resource, names }: Shape) =>
  resource.isLookup && !resource.group && names.every((name) => !fieldOf(resource, name).group)

/** Computes a field from the columns that it is derived from. */
function deriving(
  of: Resource,
  from: readonly string[],
  prefix: string,
  compute: NonNullable<Field['derived']>['compute'],
): (row: Flat, db: Reader) => unknown {
  const sources = from.map((source) => ({ source, at: `${prefix}${source}`, field: fieldOf(of, source) }))
  return (row, db) => {
    const own: Flat = {}
    for (const { source, at, field } of sources) own[source] = field.read(row[at])
    return compute(own, db)
  }
}
