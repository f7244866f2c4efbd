import type { TObject, TSchema } from 'typebox'
import { LruCache } from '../database/lru.ts'
import type { PreparedQuery, Wrapper } from '../records/prepared.ts'
import type { Reader, Visibility } from '../records/reader.ts'
import { cardTableOf, isSubject } from './access-scope/subjects.ts'
import { groupFlagOf } from './access-scope/table-filters.ts'
import type { Field, Load, Resource, Shape } from './declaration.ts'
import { same } from './field.ts'
import { fieldOf, isShown, kindOf, ownerOf, shownName } from './resource.ts'
import { schemaOf } from './schema.ts'
import { namesIn, partWriterOf } from './written.ts'

/** What is selected for a shape, and how rows become records. */

/** A row as a statement returns it. */
export type FlatRow = Record<string, any>

/** Data that was loaded for rows, by the ids of their records: first for each load, then for each lookup record. */
export type LoadedData = readonly ReadonlyMap<number, any>[]

/** Where the rows of a plan hold records of a resource, and which of their values show each field group. */
export type Mark = { of: Resource; prefix: string; owner: ReturnType<typeof ownerOf>; groups: Map<string, Held[]> }

/** Does a row have such a value? */
export type Held = (row: FlatRow, loadedData: LoadedData) => boolean

/** `books.author_id` → the alias and the column. */
export function splitName(name: string): [string, string] {
  const at = name.lastIndexOf('.')
  return [name.slice(0, at), name.slice(at + 1)]
}

/** What the queries of a shape select, and how rows become records. Plans are cached: building one costs more than running it. */
export type Plan = {
  /** The columns of the record's own table. */
  own: Column[]
  joins: Join[]
  columns: Column[]
  loads: Loading[]
  /** The hidden groups that the shape would show otherwise. */
  omitted: ReadonlySet<string>
  marks: Mark[]
  lookups: TextLookup[]
  /** The queries by sort order and further columns. */
  selecting: Map<string, Selecting>
  present: Present
  write: (row: FlatRow, db: Reader, loadedData: LoadedData) => string
}

export type Selecting = {
  readonly byIds: PreparedQuery<{ ids: readonly number[] }>
  readonly wrapper: Wrapper
  readonly wrapped: (query: PreparedQuery<any>) => PreparedQuery<any>
}

type Present = (row: FlatRow, db: Reader, loadedData: LoadedData) => FlatRow

type Join = { table: string; alias: string; by: string }
export type Column = { alias: string; name: string; as: string }

/** A load, and the column of the rows with the ids to load. */
export type Loading = { load: Load; idAt: string; mayWrite: boolean }

/** The column of the rows with the id of a lookup record that is written as cached text. */
type TextLookup = { at: string; shape: Shape }

/** The most cached plans of a shape. There is one for each set of rights, and API keys can have any set. */
const MOST_PLANS = 500
const plans = new WeakMap<Shape, LruCache<Plan>>()

const NONE: ReadonlySet<string> = new Set()

export function planOf(
  shape: Shape,
  withheld: ReadonlySet<string>,
  visibility: Visibility | undefined,
  writes: boolean,
): Plan {
  const ofShape = plans.get(shape) ?? new LruCache<Plan>(MOST_PLANS)
  plans.set(shape, ofShape)
  const key = visibility?.key ?? `${writes ? 'written ' : ''}${[...withheld].sort().join()}`
  return ofShape.get(key, () => makePlan(shape, withheld, visibility, writes))
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
  const dataLoads: DataLoads = { loads: [], lookups: writes ? [] : null }
  const made = makePart(shape, table, '', { hiddenGroupsOf, omitted, isFiltered: Boolean(visibility), dataLoads })
  const keys = made.joins.map(({ by }) => splitName(by)).flatMap(([alias, name]) => ({ alias, name, as: name }))
  const own = [...made.columns, ...keys].filter(({ alias }) => alias === table)
  return {
    own: [...new Map(own.map((column) => [column.as, column])).values()],
    joins: made.joins,
    columns: made.columns,
    loads: dataLoads.loads,
    omitted,
    marks: made.marks,
    lookups: dataLoads.lookups ?? [],
    selecting: new Map(),
    present: made.present,
    write: writing(schemaOf(shape), made.steps),
  }
}

/** `books.id` → `"books"."id"`, for both databases. No name comes from a client. */
export const quoted = (name: string) =>
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

/** How to get one value of a record: from a column, or computed from the row. An undefined value is left out. */
type Step = { as: string } & (
  | { at: string; shown: (value: any) => unknown }
  | { make: (row: FlatRow, db: Reader, loadedData: LoadedData) => unknown }
)

/** What a plan loads besides its rows. Without `lookups`, no record is written as cached text. */
type DataLoads = { loads: Loading[]; lookups: TextLookup[] | null }

type Making = {
  hiddenGroupsOf: (of: Resource) => ReturnType<Visibility['hiddenGroupsOf']>
  omitted: Set<string>
  isFiltered: boolean
  dataLoads: DataLoads
}

/**
 * What to select and join for a shape, and how to turn a flat row into a nested record. Fields of hidden groups are neither read
 * nor shown, at any depth.
 */
function makePart(shape: Shape, alias: string, prefix: string, making: Making): Part {
  const { hiddenGroupsOf, omitted, isFiltered, dataLoads } = making
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
      const existing = dataLoads.loads.findIndex((one) => one.load === load && one.idAt === idAt)
      const index = existing < 0 ? dataLoads.loads.push({ load, idAt, mayWrite }) - 1 : existing
      const loadedFor = (row: FlatRow, loadedData: LoadedData) => {
        const value = loadedData[index]?.get(row[idAt])
        return piece === null ? value : value?.[piece]
      }
      mark(field, (row, loadedData) => Boolean(loadedFor(row, loadedData)))
      push({ as, make: (row, _db, loadedData) => loadedFor(row, loadedData) ?? (field.sometimes ? undefined : null) })
    } else if (nested && dataLoads.lookups && isLookedUp(nested)) {
      column(name)
      mark(field, isIn(at))
      const { lookups, loads } = dataLoads
      const index = lookups.push({ at, shape: nested }) - 1
      // Lookups come after all loads, and later fields may add loads.
      push({ as, make: (row, _db, loadedData) => loadedData[loads.length + index]?.get(row[at]) ?? null })
    } else if (nested) {
      const joined = `${prefix}${as}`
      const idAt = `${joined}$id`
      const inner = makePart(nested, joined, `${joined}$`, {
        ...making,
        dataLoads: { loads: dataLoads.loads, lookups: null },
      })
      part.joins.push({ table: tableOf(nested.resource.table), alias: joined, by: `${alias}.${name}` }, ...inner.joins)
      for (const one of inner.columns) columns.set(one.as, one)
      part.marks.push(...inner.marks)
      mark(field, isIn(idAt))
      push({ as, make: (row, db, loadedData) => (row[idAt] === null ? null : inner.present(row, db, loadedData)) })
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

/** A value that is only in rows whose flag shows its group. */
function onlyMarked(step: Step, prefix: string, group: string): Step {
  const markAt = `${prefix}${groupFlagOf(group)}`
  const make = 'make' in step ? step.make : (row: FlatRow) => step.shown(row[step.at])
  return {
    as: step.as,
    make(row, db, loadedData) {
      if (row[markAt]) return make(row, db, loadedData)
      db.omitted.add(group)
      return undefined
    },
  }
}

/** Generates a function that makes a record of a row. */
function presenting(steps: readonly Step[]): Present {
  const lines = steps.map((step, at) => {
    const name = JSON.stringify(step.as)
    return `value = ${valueIn(step, at)}; if (value !== undefined) record[${name}] = value;`
  })
  return written(steps, ['record = {}', 'value'], lines, 'record')
}

/** Generates a function that writes a row as JSON, in the order and the form of the schema. */
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

/** The generated code for the value of a step. It has the column's name as a constant, which V8 optimises. */
const valueIn = (step: Step, at: number) =>
  'make' in step
    ? `steps[${at}].make(row, db, loadedData)`
    : step.shown === same
      ? `row[${JSON.stringify(step.at)}]`
      : `steps[${at}].shown(row[${JSON.stringify(step.at)}])`

/** A generated function of a row. A loop over the steps takes several times as long. No name comes from a client. */
const written = (steps: readonly Step[], variables: string[], lines: string[], result: string, write?: unknown) =>
  new Function(
    'steps',
    'write',
    `return (row, db, loadedData) => { let ${variables.join(', ')};\n${lines.join('\n')}\nreturn ${result} }`,
  )(steps, write)

/** Can a record be written as a text that is the same for all callers? */
const isLookedUp = ({ resource, names }: Shape) =>
  resource.isLookup && !resource.group && names.every((name) => !fieldOf(resource, name).group)

/** Computes a field from its source columns. */
function deriving(
  of: Resource,
  from: readonly string[],
  prefix: string,
  compute: NonNullable<Field['derived']>['compute'],
): (row: FlatRow, db: Reader) => unknown {
  const sources = from.map((source) => ({ source, at: `${prefix}${source}`, field: fieldOf(of, source) }))
  return (row, db) => {
    const own: FlatRow = {}
    for (const { source, at, field } of sources) own[source] = field.read(row[at])
    return compute(own, db)
  }
}
