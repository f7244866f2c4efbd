import type { SelectQueryBuilder } from 'kysely'
import Type, { type TObject, type TSchema } from 'typebox'
import type { Reader } from '../database/handle.ts'
import { type Field, isColumn, type Load, loaded, readOnly, timestamp } from './field.ts'

export type Fields = Record<string, Field>

/** A kind of record: its table, its fields, and where it stands in the interface. */
export type Resource<F extends Fields = Fields> = {
  /** The table, and the plural in paths: `holiday_policies`. */
  readonly table: string
  /** The singular in words: `holiday policy`. */
  readonly one: string
  /** The singular in schemas and operation ids: `HolidayPolicy`. */
  readonly title: string
  readonly path: string
  readonly area: string
  /** The fields that were declared, without id and timestamps. */
  readonly fields: F
  /** Fields whose value the path gives: `/employees/{employee_id}/salaries`. */
  readonly parents: readonly string[]
  /** The record as its own operations show it. */
  readonly whole: Shape
}

/** A way to show a record: which of its fields, under which schema name. */
export type Shape = { readonly resource: Resource; readonly names: readonly string[]; readonly title: string }

type Kept<F extends Fields> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never }

/** A stored record as rules see it. */
export type Row<R extends Resource<any>> = { id: number; created_at: string; updated_at: string } & Kept<R['fields']>

const ID: Field<number> = {
  ...readOnly(timestamp({ required: true })),
  output: Type.Integer({ description: 'Unique among the records of its kind', examples: [1] }),
} as never

const STAMPS = {
  created_at: readOnly(timestamp({ required: true })),
  updated_at: readOnly(timestamp({ required: true })),
}

export function resource<F extends Fields>(
  where: { table: string; one: string; area: string; path?: string; title?: string },
  fields: F,
): Resource<F> {
  const path = where.path ?? `/${where.table}`
  const title = where.title ?? pascal(where.one)
  const parents = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string).filter((name) => name in fields)
  const made = { ...where, path, title, fields, parents } as any
  made.whole = card(made, title)
  return made
}

export const pascal = (words: string) => words.replace(/(?:^|[ _])(\w)/g, (_, letter: string) => letter.toUpperCase())

/** A shape of the resource with some of its fields; all of them by default. */
export function card(of: Resource<any>, title: string, names?: readonly string[]): Shape {
  const own = Object.keys(of.fields).filter((name) => !of.parents.includes(name))
  return { resource: of, title, names: names ?? ['id', ...own, 'created_at', 'updated_at'] }
}

export function fieldOf(of: Resource<any>, name: string): Field {
  const field = name === 'id' ? ID : (of.fields[name] ?? STAMPS[name as keyof typeof STAMPS])
  if (!field) throw new Error(`${of.table} has no field ${name}`)
  return field
}

/** What a field is called in answers: `team_lead_id` shown as an object is `team_lead`. */
const shownName = (name: string, field: Field) =>
  field.as ?? (field.reference?.shape ? (field.reference.as ?? name.replace(/_id$/, '')) : name)

const isShown = (field: Field) => field.output !== null || Boolean(field.reference?.shape)

const schemas = new WeakMap<Shape, TObject>()

/**
 * The schema of a shape, always the same object, so that documents can refer to it by its title. Its properties are
 * made when they are first asked for: resources may refer to each other in a circle of files.
 */
export function schemaOf(shape: Shape): TObject {
  const known = schemas.get(shape)
  if (known) return known
  let properties: Record<string, TSchema> | undefined
  const schema = {
    type: 'object',
    title: shape.title,
    get properties() {
      properties ??= propertiesOf(shape)
      return properties
    },
    get required() {
      const always = shape.names.filter((name) => isAlwaysThere(fieldOf(shape.resource, name)))
      return always.map((name) => shownName(name, fieldOf(shape.resource, name)))
    },
  } as unknown as TObject
  schemas.set(shape, schema)
  return schema
}

/** A field that can be withheld from a key is not always there, nor one that says so itself. */
const isAlwaysThere = (field: Field) => isShown(field) && !field.group && !field.sometimes

function propertiesOf(shape: Shape): Record<string, TSchema> {
  const properties: Record<string, TSchema> = {}
  for (const name of shape.names) {
    const field = fieldOf(shape.resource, name)
    if (!isShown(field)) continue
    const nested = field.reference?.shape?.()
    const shown = nested && (field.required ? schemaOf(nested) : nullable(schemaOf(nested)))
    const { output } = field
    properties[shownName(name, field)] = shown ?? (typeof output === 'function' ? output() : (output as TSchema))
  }
  return properties
}

/** The schemas that nullable twins were made of: documents refer to those. */
export const nullableOf = new WeakMap<object, TSchema>()

/** `schema` or null. */
export function nullable(schema: TObject): TSchema {
  const twin = {
    type: ['object', 'null'],
    title: (schema as any).title,
    get properties() {
      return schema.properties
    },
    get required() {
      return schema.required
    },
  } as unknown as TSchema
  nullableOf.set(twin, schema)
  return twin
}

/** The schema of a body: every field that can be sent, the required ones required on create. */
export function bodySchema(
  of: Resource<any>,
  purpose: 'create' | 'update',
  more: Record<string, TSchema> = {},
  optional: readonly string[] = [],
): TObject {
  const properties: Record<string, TSchema> = {}
  for (const [name, field] of Object.entries(of.fields as Fields)) {
    if (!field.input || of.parents.includes(name)) continue
    properties[name] =
      purpose === 'create' && field.required && !optional.includes(name) ? field.input : Type.Optional(field.input)
  }
  for (const [name, schema] of Object.entries(more)) properties[name] = Type.Optional(schema)
  return Type.Object(properties, { title: `${pascal(purpose)}${of.title}` }) as TObject
}

/** A list of the records that belong to each record shown, in the order of their ids. */
export const many = (child: () => Resource<any>, via: string, shape: () => Shape, order = 'id') =>
  loaded(
    () => Type.Array(schemaOf(shape())),
    async (db, ids) => {
      const { table } = child()
      const query = db.from(table).where(`${table}.${via}`, 'in', ids)
      const rows = await fetchShape(db, shape(), query, { order: [order, 'id'], also: [via] })
      const lists = new Map<number, unknown[]>(ids.map((id) => [id, []]))
      for (const { row, record } of rows) lists.get(row[via])?.push(record)
      return lists
    },
  )

type Query = SelectQueryBuilder<any, any, any>

/**
 * The records of a query on the shape's table, as they are shown: one statement, and one more for each load. The rows
 * come in the order of the given columns, and also hold the columns that are asked for besides.
 */
export async function fetchShape(
  db: Reader,
  shape: Shape,
  query: Query,
  { order = ['id'], also = [] }: { order?: string[]; also?: string[] } = {},
): Promise<{ row: any; record: any }[]> {
  const { table } = shape.resource
  const visible = shape.names.filter((name) => isVisible(db, fieldOf(shape.resource, name)))
  const plan = planOf({ ...shape, names: visible }, table)
  const more = also.map((name) => `, ${quoted(`${table}.${name}`)} as ${quoted(name)}`).join('')
  const inOrder = order.map((name) => quoted(`${table}.${name}`)).join(', ')
  const rows = await db.around(
    `select ${plan.select}${more} from (`,
    query.selectAll(table),
    `) as ${quoted(table)} ${plan.join} order by ${inOrder}`,
  )
  const brought = new Map<Load, Map<string, Map<number, any>>>()
  for (const { prefix, name, field } of plan.loads) {
    const { load, part } = field.loaded!
    const places = brought.get(load) ?? new Map<string, Map<number, any>>()
    brought.set(load, places)
    const ids = [...new Set<number>(rows.map((row) => row[`${prefix}id`]).filter((id) => id !== null))]
    const found = places.get(prefix) ?? (ids.length ? await load(db, ids) : new Map<number, any>())
    places.set(prefix, found)
    for (const row of rows) {
      const value = found.get(row[`${prefix}id`])
      row[`${prefix}${name}`] = part === null ? value : value?.[part]
    }
  }
  return rows.map((row) => ({ row, record: plan.present(row, db) }))
}

/** Records by id, in that order. */
export async function show(db: Reader, shape: Shape, ids: number[]): Promise<any[]> {
  if (ids.length === 0) return []
  const { table } = shape.resource
  const rows = await fetchShape(db, shape, db.from(table).where(`${table}.id`, 'in', ids))
  const byId = new Map(rows.map(({ row, record }) => [row.id, record]))
  return ids.map((id) => byId.get(id))
}

function isVisible(db: Reader, field: Field): boolean {
  if (!isShown(field)) return false
  if (!field.group || !db.withheld.has(field.group)) return true
  db.omitted.add(field.group)
  return false
}

/** The parts of a shape's statement are the same every time, so they are text, made once: building them anew costs more than running them. */
type Plan = {
  columns: string[]
  joins: { table: string; alias: string; by: string }[]
  select: string
  join: string
  loads: { prefix: string; name: string; field: Field }[]
  present: (row: any, db: Reader) => any
}

const plans = new Map<string, Plan>()

function planOf(shape: Shape, table: string): Plan {
  const key = `${table} ${shape.title} ${shape.names.join()}`
  let plan = plans.get(key)
  if (!plan) {
    plan = makePlan(shape, table, '')
    plan.select = plan.columns.join(', ')
    plan.join = plan.joins
      .map(({ table: target, alias, by }) => {
        const same = `${quoted(`${alias}.account_id`)} = ${quoted(`${table}.account_id`)}`
        return `left join ${quoted(target)} as ${quoted(alias)} on ${same} and ${quoted(`${alias}.id`)} = ${quoted(by)}`
      })
      .join(' ')
    plans.set(key, plan)
  }
  return plan
}

/** `teams.id` → `"teams"."id"`, which both engines understand. All names are our own. */
const quoted = (name: string) =>
  name
    .split('.')
    .map((part) => `"${part}"`)
    .join('.')

/** What to select and join for a shape, and how to turn a flat row into the nested record. */
function makePlan(shape: Shape, alias: string, prefix: string): Plan {
  const column = (name: string) => `${quoted(`${alias}.${name}`)} as ${quoted(`${prefix}${name}`)}`
  const columns = new Set([column('id')])
  const plan: Plan = { columns: [], joins: [], select: '', join: '', loads: [], present: () => null }
  const steps: ((record: any, row: any, db: Reader) => void)[] = []
  const take = (name: string) => columns.add(column(name))

  for (const name of shape.names) {
    const field = fieldOf(shape.resource, name)
    const at = `${prefix}${name}`
    const as = shownName(name, field)
    if (field.derived) {
      const { from, compute } = field.derived
      for (const source of from) take(source)
      const sources = from.map((source) => ({
        source,
        at: `${prefix}${source}`,
        read: fieldOf(shape.resource, source).read,
      }))
      steps.push((record, row, db) => {
        const own: Record<string, unknown> = {}
        for (const { source, at, read } of sources) own[source] = read(row[at])
        record[as] = compute(own, db)
      })
    } else if (field.loaded) {
      plan.loads.push({ prefix, name, field })
      steps.push((record, row) => {
        if (row[at] !== undefined || !field.sometimes) record[as] = row[at] ?? null
      })
    } else if (field.reference?.shape) {
      const target = field.reference.shape()
      const joined = `${prefix}${as}`
      plan.joins.push({ table: target.resource.table, alias: joined, by: `${alias}.${name}` })
      const inner = makePlan(target, joined, `${joined}$`)
      for (const column of inner.columns) columns.add(column)
      plan.joins.push(...inner.joins)
      plan.loads.push(...inner.loads)
      steps.push((record, row, db) => {
        record[as] = row[`${joined}$id`] === null ? null : inner.present(row, db)
      })
    } else {
      take(name)
      const { read, show } = field
      steps.push((record, row) => {
        record[as] = show(read(row[at]))
      })
    }
  }
  plan.columns = [...columns]
  plan.present = (row, db) => {
    const record = {}
    for (const step of steps) step(record, row, db)
    return record
  }
  return plan
}

/** A stored row, decoded as rules see it. */
export function decode(of: Resource<any>, row: any): any {
  const decoded: any = { id: row.id, created_at: row.created_at, updated_at: row.updated_at }
  for (const [name, field] of Object.entries(of.fields as Fields))
    if (isColumn(field)) decoded[name] = field.read(row[name])
  return decoded
}
