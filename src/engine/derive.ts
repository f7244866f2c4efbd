import type { SelectQueryBuilder } from 'kysely'
import Type, { type TObject, type TSchema } from 'typebox'
import type { Reader } from '../database/handle.ts'
import type { Writer } from '../database/write.ts'
import { type Call, type Method, type Operation, recordId, wrapped } from './operation.ts'
import { notFound } from './problem.ts'
import { amend, create, erase, find, type Rule } from './records.ts'
import { bodySchema, fetchShape, pascal, type Resource, type Row, type Shape, schemaOf, show } from './resource.ts'

export const PAGE_SIZE = 50

type Query = SelectQueryBuilder<any, any, any>

/** A query parameter of a list: what it may hold, and how it narrows the list. */
export type Filter = {
  schema: TSchema
  /** `all` holds every parameter that was sent, for filters that are about the same thing together. */
  narrow: (query: Query, value: any, db: Reader, all: Record<string, any>) => Query
}

const METADATA = Type.Object(
  {
    page: Type.Integer(),
    pages: Type.Integer(),
    count: Type.Integer(),
    items: Type.Integer(),
    pagination: Type.Object({
      page: Type.Integer(),
      pages: Type.Integer(),
      count: Type.Integer(),
      items: Type.Integer(),
    }),
  },
  { title: 'Metadata' },
)

export const PAGE = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1, description: 'The page to show, from 1' }),
)

/** The answer of a paged list. */
export const pagedAnswer = (record: TSchema) => Type.Object({ data: Type.Array(record), metadata: METADATA }) as TObject

/** Both placements of the four figures, as clients of either expect them. */
export function metadata(page: number, count: number, items: number) {
  const pagination = { page, pages: Math.max(1, Math.ceil(count / PAGE_SIZE)), count, items }
  return { ...pagination, pagination }
}

/** A query parameter that changes not which records are shown, but how: as of another day, say. */
export type Lens = { schema: TSchema; look: (db: Reader, value: any) => Reader | Promise<Reader> }

type Reading = {
  filters?: Record<string, Filter>
  lenses?: Record<string, Lens>
  /** What a filter is given when it is not asked for. */
  standard?: Record<string, unknown>
  /** Narrows the list whatever is asked. */
  always?: (query: Query, db: Reader) => Query
  /** The shape of the records, when it is not the whole. */
  shape?: Shape
  /** A further list of the same records, at a path of its own. */
  as?: { id: string; path: string; summary: string; note?: string }
}

/** `GET /teams`: pages of 50 in the order of ids. */
export function list(
  of: Resource<any>,
  { filters = {}, lenses = {}, standard = {}, always, shape = of.whole, as }: Reading = {},
): Operation {
  return derived(of, 'GET', as?.path ?? of.path, {
    id: as?.id ?? `list${plural(of)}`,
    summary: as?.summary ?? `List ${words(of.table)}`,
    note: as?.note ?? null,
    query: Type.Object({ page: PAGE, ...parameters(filters), ...parameters(lenses) }) as TObject,
    answer: pagedAnswer(schemaOf(shape)),
    async handle({ db, params, query: sent }) {
      await checkParents(db, of, params)
      const query = { ...standard, ...sent }
      const seen = await lookThrough(db, lenses, query)
      const asked = Object.entries(filters).filter(([name]) => query[name] !== undefined)
      const narrow = (all: Query) => {
        const base = withinParents(of, all, params)
        const within = always ? always(base, seen) : base
        return asked.reduce((narrowed, [name, filter]) => filter.narrow(narrowed, query[name], seen, query), within)
      }
      const isWhole = asked.length === 0 && of.parents.length === 0 && !always
      return { body: await pageOf(seen, of, query.page ?? 1, isWhole ? null : narrow, shape) }
    },
  })
}

const parameters = (given: Record<string, { schema: TSchema }>) =>
  Object.fromEntries(Object.entries(given).map(([name, { schema }]) => [name, Type.Optional(schema)]))

async function lookThrough(db: Reader, lenses: Record<string, Lens>, query: Record<string, unknown>): Promise<Reader> {
  let seen = db
  for (const [name, lens] of Object.entries(lenses))
    if (query[name] !== undefined) seen = await lens.look(seen, query[name])
  return seen
}

/** One page of the records, narrowed or all. */
export async function pageOf(
  db: Reader,
  of: Resource<any>,
  page: number,
  narrow: ((query: Query) => Query) | null,
  shape = of.whole,
) {
  const { table } = of
  const key = `${table}.id`
  const skipped = (page - 1) * PAGE_SIZE
  let ids: Query
  let count: number
  if (narrow) {
    const matching = narrow(db.from(table))
    count = Number((await matching.select((eb) => eb.fn.countAll().as('n')).executeTakeFirstOrThrow()).n)
    ids = matching.select(key).orderBy(key).limit(PAGE_SIZE).offset(skipped)
  } else {
    const counter = await db
      .from('counters')
      .select(['live', 'last_id'])
      .where('resource', '=', table)
      .executeTakeFirst()
    count = counter?.live ?? 0
    ids = db.from(table).select(key).orderBy(key).limit(PAGE_SIZE)
    // Ids are counted up, so while nothing was deleted a page's place is plain arithmetic.
    ids = counter && counter.live === counter.last_id ? ids.where(key, '>', skipped) : ids.offset(skipped)
  }
  if (skipped >= count) return { data: [], metadata: metadata(page, count, 0) }
  // The page's ids first, then their rows: joins must not run for the rows that are skipped.
  const rows = await fetchShape(db, shape, db.from(table).where(key, 'in', ids))
  return { data: rows.map(({ record }) => record), metadata: metadata(page, count, rows.length) }
}

/** `GET /employees/{employee_id}/educations`: all of them, without metadata. */
export function listAll(
  of: Resource<any>,
  { filters = {}, always }: Pick<Reading, 'filters' | 'always'> = {},
): Operation {
  return derived(of, 'GET', of.path, {
    id: `list${plural(of)}`,
    summary: `List ${words(of.table)}`,
    query: Type.Object(parameters(filters)) as TObject,
    answer: Type.Object({ data: Type.Array(schemaOf(of.whole)) }) as TObject,
    async handle({ db, params, query }) {
      await checkParents(db, of, params)
      let rows = withinParents(of, db.from(of.table), params)
      if (always) rows = always(rows, db)
      for (const [name, filter] of Object.entries(filters))
        if (query[name] !== undefined) rows = filter.narrow(rows, query[name], db, query)
      return { body: { data: (await fetchShape(db, of.whole, rows)).map(({ record }) => record) } }
    },
  })
}

/** `GET /teams/{id}` */
export function get(
  of: Resource<any>,
  { lenses = {}, shape = of.whole }: { lenses?: Record<string, Lens>; shape?: Shape } = {},
): Operation {
  return derived(of, 'GET', `${of.path}/{id}`, {
    id: `get${of.title}`,
    summary: `Show one ${of.one}`,
    query: Type.Object(parameters(lenses)) as TObject,
    answer: wrapped(schemaOf(shape)),
    async handle({ db, params, query }) {
      const rows = withinParents(of, db.from(of.table), params).where(`${of.table}.id`, '=', params.id)
      const [found] = await fetchShape(await lookThrough(db, lenses, query), shape, rows)
      if (!found) throw notFound()
      return { body: { data: found.record } }
    },
  })
}

type Writing<R extends Resource<any>> = {
  rules?: Rule<R>[]
  /** Body parameters beyond the fields of the record. */
  more?: Record<string, TSchema>
  /** Required fields that the behaviour supplies when they are not sent. */
  optional?: string[]
  note?: string
  /** The shape of the answer, when it is not the whole record. */
  shape?: Shape
  /** Takes names beyond the schema: the behaviour reads them from `extra` and says which it used. */
  open?: boolean
}

/** `POST /teams`. With `store`, a behaviour of its own: it stores the record and says its id. */
export function post<R extends Resource<any>>(
  of: R,
  options: Writing<R> & { store?: (call: Call<Writer>) => Promise<number> } = {},
): Operation {
  const store = options.store ?? (({ db, body, problems }) => create(db, of, body, { ...options, problems }))
  return derived(of, 'POST', of.path, {
    id: `create${of.title}`,
    summary: `Create ${article(of.one)}`,
    note: options.note ?? null,
    body: bodySchema(of, 'create', options.more, options.optional),
    status: 201,
    answer: wrapped(schemaOf(options.shape ?? of.whole)),
    open: options.open ?? false,
    async handle(call) {
      await checkParents(call.db, of, call.params)
      const id = await store({ ...call, body: { ...call.body, ...parentsIn(of, call.params) } })
      return created(call.db, of, call.params, id, options.shape)
    },
  })
}

/** `PUT /teams/{id}`: what is not sent stays. With `store`, a behaviour of its own. */
export function put<R extends Resource<any>>(
  of: R,
  options: Writing<R> & { store?: (call: Call<Writer>, before: Row<R>) => Promise<void> } = {},
): Operation {
  const store =
    options.store ?? (({ db, body, problems }, before) => amend(db, of, before, body, { ...options, problems }))
  return derived(of, 'PUT', `${of.path}/{id}`, {
    id: `update${of.title}`,
    summary: `Change ${article(of.one)}`,
    note: options.note ?? 'What is not sent stays.',
    body: bodySchema(of, 'update', options.more),
    answer: wrapped(schemaOf(options.shape ?? of.whole)),
    open: options.open ?? false,
    async handle(call) {
      await store(call, await find(call.db, of, call.params.id, parentsIn(of, call.params)))
      return { body: { data: (await show(call.db, options.shape ?? of.whole, [call.params.id]))[0] } }
    },
  })
}

/** `DELETE /teams/{id}` */
export function remove(of: Resource<any>): Operation {
  return derived(of, 'DELETE', `${of.path}/{id}`, {
    id: `delete${of.title}`,
    summary: `Delete ${article(of.one)}`,
    status: 204,
    conflicts: `The ${of.one} is still in use`,
    async handle({ db, params }) {
      await erase(db, of, await find(db, of, params.id, parentsIn(of, params)))
      return {}
    },
  })
}

/** The five plain operations. */
export const plain = <R extends Resource<any>>(
  of: R,
  options: { filters?: Record<string, Filter>; rules?: Rule<R>[] } = {},
) => [list(of, options), get(of), post(of, options), put(of, options), remove(of)]

/** The answer to a create: the new record and where it is. */
export async function created(
  db: Writer,
  of: Resource<any>,
  params: Record<string, unknown>,
  id: number,
  shape = of.whole,
) {
  const place = of.path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
  return { body: { data: (await show(db, shape, [id]))[0] }, location: `${place}/${id}` }
}

export const words = (name: string) => name.replaceAll('_', ' ')
export const article = (one: string) => `${/^[aeio]/.test(one) ? 'an' : 'a'} ${one}`
const plural = (of: Resource<any>) => pascal(of.table)

type Spec = Pick<Operation, 'id' | 'summary'> &
  Partial<Pick<Operation, 'note' | 'query' | 'body' | 'status' | 'answer' | 'open' | 'conflicts'>> & {
    handle: (call: Call) => ReturnType<Operation['handle']>
  }

function derived(of: Resource<any>, method: Method, path: string, spec: Spec): Operation {
  const params: Record<string, TSchema> = {}
  for (const [, name] of path.matchAll(/\{(\w+)\}/g) as Iterable<[string, string]>)
    params[name] = recordId(name === 'id' ? of.table : (of.fields[name]?.reference?.table ?? of.table))
  return {
    method,
    path,
    area: of.area,
    permission: `${of.area}:${method === 'GET' ? 'read' : 'write'}`,
    params: Type.Object(params) as TObject,
    query: Type.Object({}) as TObject,
    body: null,
    status: 200,
    answer: null,
    note: null,
    open: false,
    conflicts: null,
    ...spec,
  }
}

const parentsIn = (of: Resource<any>, params: Record<string, unknown>) =>
  Object.fromEntries(of.parents.map((name) => [name, params[name]]))

const withinParents = (of: Resource<any>, query: Query, params: Record<string, unknown>) =>
  of.parents.reduce((narrowed, name) => narrowed.where(`${of.table}.${name}`, '=', params[name]), query)

/** The records that the path goes through must exist. */
async function checkParents(db: Reader, of: Resource<any>, params: Record<string, unknown>): Promise<void> {
  for (const name of of.parents) {
    const table = of.fields[name].reference.table
    if (!(await db.from(table).select('id').where('id', '=', params[name]).executeTakeFirst())) throw notFound()
  }
}
