import Type, { type Static, type TObject, type TSchema } from 'typebox'
import type { Query, Reader } from '../records/reader.ts'
import type { Writer } from '../records/write.ts'
import type { Resource, Row, Sent, Shape } from './declaration.ts'
import { type Filter, parameterOf } from './filter.ts'
import type { Call, Method, Operation } from './operation.ts'
import {
  columnsOf,
  PAGING,
  pagedAnswer,
  pageIn,
  pageOf,
  sortableBy,
  sortColumn,
  sortParameter,
  wholeUnlessPaged,
} from './page.ts'
import { requirePermission } from './permission.ts'
import { conflict, forbidden, malformed, notFound, wrong } from './problem.ts'
import { amend, create, erase, existing, find, holdTo, nameable, type Rule, seesAll, whereVisible } from './records.ts'
import { pascal } from './resource.ts'
import { bodySchema, recordId, schemaOf, wrapped, wrappedList } from './schema.ts'
import { fetchShape, showOne, writeShape } from './shape.ts'
import { Written } from './written.ts'

/** Functions that return the plain operations of a resource. */

/** A query parameter that changes how records are shown, not which: as of another day, for example. */
export type Lens = {
  schema: TSchema
  look: (db: Reader, value: any) => Reader | Promise<Reader>
  /** Reads with it may take long. */
  takesLong?: true
}

type ReadOptions = {
  /** The default sort order: `-created_at` for newest first. */
  order?: string
  /** Without `page` and `per_page`, the response has all records, as clients expect. A list that is too long for that is refused. */
  comesWhole?: boolean
  /** Further columns that the list can be sorted by. Each of them has an index. */
  sorts?: readonly string[]
  filters?: Record<string, Filter>
  /** They apply one after the other. */
  lenses?: Record<string, Lens>
  /** Default values of filters. */
  standard?: Record<string, unknown>
  /** A filter that always applies, on columns that have an index. */
  always?: { narrow: (query: Query, db: Reader) => Query | Promise<Query>; indexedColumns: readonly string[] }
  /** Queries that find the records together, each with its reader; a record matches if one of them finds it. Only the table itself by default. */
  sources?: (db: Reader, query: Record<string, any>, all: Query) => readonly { db: Reader; all: Query }[]
  /** The shape of the records, if it is not the whole record. */
  shape?: Shape
  /** Makes this a further list of the same records, at another path. */
  as?: { id: string; path: string; summary: string; note?: string }
}

/** `GET /books`: pages of 50, sorted by id, unless the request has another size or order. */
export function list(of: Resource, options: ReadOptions = {}): Operation {
  const { order = 'id', sorts = [], filters = {}, lenses = {}, standard = {}, always, shape = of.whole, as } = options
  const { sources } = options
  const pageFor = options.comesWhole ? wholeUnlessPaged : pageIn
  const sortable = sortableBy(of, sorts)
  return derived(of, 'GET', as?.path ?? of.path, {
    id: as?.id ?? `list${plural(of)}`,
    summary: as?.summary ?? `List ${manyWords(of)}`,
    note:
      as?.note ??
      (options.comesWhole ? 'Returns all records, up to 5,000, unless you send `page` or `per_page`.' : null),
    query: Type.Object({
      ...PAGING,
      sort: sortParameter(sortable, order),
      ...filterParameters(filters, standard),
      ...parameters(lenses),
    }) as TObject,
    answer: pagedAnswer(schemaOf(shape)),
    indexedColumns: indexedColumnsOf(of, filters, always),
    takesLong: longWith(lenses),
    asksBy: Object.keys(of.fields),
    sortsBy: of.parents.length > 0 ? [] : sortable.map((name) => `${of.table}.${sortColumn(of, name)}`),
    async handle({ db: present, params, query: sent }: Call<Reader>) {
      const query = { ...standard, ...sent }
      const db = await withLenses(present, lenses, query)
      await checkParents(db, of, params)
      const narrowOne = async (all: Query, by: Reader) => {
        const base = whereVisible(of, withinParents(of, all, params), by)
        return narrowed(always ? await always.narrow(base, by) : base, of.table, filters, by, query)
      }
      const narrow = (all: Query, by = db) =>
        sources ? anyOf(of.table, all, sources(by, query, all), narrowOne) : narrowOne(all, by)
      const isSelfContained =
        !always &&
        seesAll(of, db) &&
        Object.keys(filters).every((name) => query[name] === undefined || filters[name]?.selfContained)
      const columns = columnsOf(db, of, query.sort ?? order)
      return { body: await pageOf(db, of, pageFor(query), narrow, { shape, order: columns, isSelfContained }) }
    },
  })
}

/** The records that one of several sources finds. */
export async function anyOf(
  table: string,
  all: Query,
  sources: readonly { db: Reader; all: Query }[],
  narrow: (all: Query, db: Reader) => Query | Promise<Query>,
): Promise<Query> {
  const found: Query[] = []
  for (const source of sources) found.push(await narrow(source.all, source.db))
  if (found.length === 1) return found[0] as Query
  const key = `${table}.id`
  return all.where((eb) => eb.or(found.map((one) => eb(key, 'in', one.select(key)))))
}

/** Filters and lenses as parameters of a query. */
export const parameters = (given: Record<string, { schema: TSchema }>, standard: Record<string, unknown> = {}) =>
  Object.fromEntries(
    Object.entries(given).map(([name, { schema }]) => {
      const usual = standard[name]
      const isPlain = usual !== undefined && typeof usual !== 'object'
      return [name, Type.Optional((isPlain ? { ...schema, default: usual } : schema) as TSchema)]
    }),
  )

/** Filters as parameters of a query. A list with `state` also takes `status`, and the reverse: clients use both names. */
export function filterParameters(filters: Record<string, Filter>, standard: Record<string, unknown> = {}) {
  const schemas = Object.fromEntries(
    Object.entries(filters).map(([name, filter]) => {
      const also = Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name]?.filter((one) => !Object.hasOwn(filters, one)) : []
      return [name, { schema: { ...parameterOf(filter), ...(also?.length ? { 'x-also': also } : {}) } as TSchema }]
    }),
  )
  return parameters(schemas, standard)
}

const SYNONYMS: Record<string, readonly string[]> = {
  state: ['status', 'statuses'],
  status: ['state', 'states', 'statuses'],
  states: ['statuses'],
}

const indexedColumnsOf = (of: Resource, filters: Record<string, Filter>, always: ReadOptions['always']) => [
  ...of.parents.map((name) => `${of.table}.${name}`),
  ...Object.values(filters).flatMap((filter) => filter.indexedColumns),
  ...(always?.indexedColumns ?? []),
  ...(of.rowPolicy?.indexedColumns ?? []),
]

/** The query, filtered by the filters of the request. A caller cannot filter by hidden fields. */
export async function narrowed(
  query: Query,
  table: string,
  filters: Record<string, Filter>,
  db: Reader,
  sent: Record<string, unknown>,
): Promise<Query> {
  const sentFilters = Object.entries(filters).filter(([name]) => sent[name] !== undefined)
  for (const [name, { group, permission }] of sentFilters) {
    if (permission) requirePermission(db.caller, permission)
    // An empty list of values may be a mistake: do not return all records then.
    if (Array.isArray(sent[name]) && sent[name].length === 0)
      throw malformed(wrong(name, 'too_few', 'needs at least one value. To get all records, leave it out'))
    if (group && db.caller.withheld.has(group))
      throw forbidden(`You cannot filter by ${name}: the field group ${group} is hidden from you.`)
  }
  const narrowBy = async (from: Query, values: Record<string, unknown>) => {
    let result = from
    for (const [name, { narrow }] of sentFilters) result = await narrow(result, values[name], db, values)
    return result
  }
  const lists = sentFilters.flatMap(([name, { schema, takesList }]) =>
    Array.isArray(sent[name]) && !takesList && (schema as { type?: unknown }).type !== 'array' ? name : [],
  )
  if (lists.length === 0) return narrowBy(query, sent)
  // A list of values finds what requests with each single value would find.
  const key = `${table}.id`
  const each: Query[] = []
  for (const one of combinations(sent, lists)) each.push((await narrowBy(db.from(table), one)).select(key))
  return query.where((eb) => eb.or(each.map((ids) => eb(key, 'in', ids))))
}

const MOST_COMBINATIONS = 50

/** The same parameters with one value for each list, in every combination. */
function combinations(sent: Record<string, unknown>, lists: string[]): Record<string, unknown>[] {
  let all = [sent]
  for (const name of lists) {
    const values = [...new Set(sent[name] as unknown[])]
    if (all.length * values.length > MOST_COMBINATIONS)
      throw malformed(
        wrong(
          name,
          'too_many',
          `has too many values: the values of all lists in one request can form at most ${MOST_COMBINATIONS} combinations. Send fewer values`,
        ),
      )
    all = all.flatMap((one) => values.map((value) => ({ ...one, [name]: value })))
  }
  return all
}

async function withLenses(db: Reader, lenses: Record<string, Lens>, query: Record<string, unknown>): Promise<Reader> {
  let reader = db
  for (const [name, lens] of Object.entries(lenses))
    if (query[name] !== undefined) reader = await lens.look(reader, query[name])
  return reader
}

const longWith = (lenses: Record<string, Lens>) => Object.keys(lenses).filter((name) => lenses[name]?.takesLong)

/** `GET /shelves/{shelf_id}/books`: all of them, without metadata. */
export function listAll(
  of: Resource,
  { filters = {}, lenses = {}, always }: Pick<ReadOptions, 'filters' | 'lenses' | 'always'> = {},
): Operation {
  return derived(of, 'GET', of.path, {
    id: `list${plural(of)}`,
    summary: `List ${manyWords(of)}`,
    query: Type.Object({ ...filterParameters(filters), ...parameters(lenses) }) as TObject,
    answer: wrappedList(schemaOf(of.whole)),
    indexedColumns: indexedColumnsOf(of, filters, always),
    takesLong: longWith(lenses),
    async handle({ db: present, params, query }: Call<Reader>) {
      const db = await withLenses(present, lenses, query)
      await checkParents(db, of, params)
      const base = whereVisible(of, withinParents(of, db.from(of.table), params), db)
      const rows = await narrowed(always ? await always.narrow(base, db) : base, of.table, filters, db, query)
      return { body: { data: (await fetchShape(db, of.whole, rows)).map(({ record }) => record) } }
    },
  })
}

/** `GET /books/{id}` */
export function get(
  of: Resource,
  { lenses = {}, shape = of.whole, always }: Pick<ReadOptions, 'lenses' | 'shape' | 'always'> = {},
): Operation {
  // A plain record is found by its id alone.
  const isPlain = !of.rowPolicy && !always && of.parents.length === 0
  const narrow = always?.narrow ?? ((query: Query) => query)
  return derived(of, 'GET', `${of.path}/{id}`, {
    id: `get${of.title}`,
    summary: `Get ${article(of.one)}`,
    query: Type.Object(parameters(lenses)) as TObject,
    answer: wrapped(schemaOf(shape)),
    takesLong: longWith(lenses),
    async handle({ db: present, params, query }: Call<Reader>) {
      const db = await withLenses(present, lenses, query)
      const rows = isPlain
        ? [params.id]
        : await narrow(
            whereVisible(of, withinParents(of, db.from(of.table), params).where(`${of.table}.id`, '=', params.id), db),
            db,
          )
      const [record] = db.lookUp
        ? (await writeShape(db, shape, rows)).map((text) => new Written(text))
        : (await fetchShape(db, shape, rows)).map(({ record }) => record)
      if (!record) throw notFound()
      return { body: { data: record } }
    },
  })
}

type More = Record<string, TSchema>

/** A valid body: fields of the record, and further parameters of the operation. */
export type Body<R extends Resource, M extends More> = Sent<R> & { [K in keyof M]?: Static<M[K]> }

type Writing<R extends Resource, M extends More> = {
  rules?: readonly Rule<NoInfer<R>>[]
  /** Body parameters beyond the fields of the record. */
  more?: M
  note?: string
  /** The shape of the response, if it is not the whole record. */
  shape?: Shape
  /** Accepts names beyond the schema. `store` reads them from `extra` and removes those that it used from `ignored`. */
  open?: boolean
  conflicts?: string
  inQuery?: readonly string[]
}

type Creating<R extends Resource, M extends More> = Writing<R, M> & {
  /** The most records that an owner may have, if their list has no pages. */
  most?: number
  /** Required fields for which `store` has a default. */
  optional?: string[]
  /** 201, unless existing clients expect another status. */
  status?: 200
  /** Stores the record in its own way, and returns its id. */
  store?: (call: Call<Writer, any, any, Body<R, M>>) => Promise<number>
}

/** `POST /books` */
export function post<R extends Resource, const M extends More = Record<never, TSchema>>(
  of: R,
  options: Creating<R, M> = {},
): Operation {
  const store =
    options.store ?? (({ db, body, problems }) => create(db, of, body as Sent<R>, { ...rulesOf(options), problems }))
  holdTo(of, options.rules)
  return derived(of, 'POST', of.path, {
    id: `create${of.title}`,
    summary: `Create ${article(of.one)}`,
    note: options.note ?? null,
    body: bodySchema(of, 'create', options.more, options.optional),
    status: options.status ?? 201,
    answer: wrapped(schemaOf(options.shape ?? of.whole)),
    open: options.open ?? false,
    ...(options.inQuery ? { inQuery: options.inQuery } : {}),
    conflicts: options.conflicts ?? (options.most ? tooMany(of, options.most) : null),
    async handle(call: Call<Writer>) {
      await checkParents(call.db, of, call.params, nameable)
      if (options.most) await refuseMore(call.db, of, call.params, options.most)
      const id = await store({ ...call, body: { ...call.body, ...parentsIn(of, call.params) } })
      return created(call.db, of, call.params, id, options.shape)
    },
  })
}

type Changing<R extends Resource, M extends More> = Writing<R, M> & {
  /** Stores the change in its own way. */
  store?: (call: Call<Writer, any, any, Body<R, M>>, before: Row<R>) => Promise<void>
}

/** `PUT /books/{id}`: fields that are not sent keep their values. */
export function put<R extends Resource, const M extends More = Record<never, TSchema>>(
  of: R,
  options: Changing<R, M> = {},
): Operation {
  const store =
    options.store ??
    (({ db, body, problems }, before) => amend(db, of, before, body as Sent<R>, { ...rulesOf(options), problems }))
  holdTo(of, options.rules)
  return derived(of, 'PUT', `${of.path}/{id}`, {
    id: `update${of.title}`,
    summary: `Update ${article(of.one)}`,
    note: options.note ?? 'Omitted fields keep their values.',
    body: bodySchema(of, 'update', options.more),
    answer: wrapped(schemaOf(options.shape ?? of.whole)),
    open: options.open ?? false,
    ...(options.inQuery ? { inQuery: options.inQuery } : {}),
    conflicts: options.conflicts ?? null,
    async handle(call: Call<Writer>) {
      await store(call, await find(call.db, of, call.params.id, parentsIn(of, call.params)))
      return { body: await showOne(call.db, options.shape ?? of.whole, call.params.id) }
    },
  })
}

const rulesOf = <R extends Resource>({ rules }: { rules?: readonly Rule<R>[] }) => (rules ? { rules } : {})

/** `DELETE /books/{id}`. With `store`, it deletes the record in its own way. */
export function remove<R extends Resource>(
  of: R,
  options: {
    store?: (call: Call<Writer>, before: Row<R>) => Promise<void>
    note?: string
    conflicts?: string | null
  } = {},
): Operation {
  const store = options.store ?? (({ db }, before) => erase(db, of, before))
  return derived(of, 'DELETE', `${of.path}/{id}`, {
    id: `delete${of.title}`,
    summary: `Delete ${article(of.one)}`,
    note: options.note ?? null,
    status: 204,
    conflicts: options.conflicts === undefined ? `Other records refer to the ${of.one}` : options.conflicts,
    async handle(call: Call<Writer>) {
      await store(call, await find(call.db, of, call.params.id, parentsIn(of, call.params)))
      return {}
    },
  })
}

/** The five plain operations. */
export const plain = <R extends Resource>(
  of: R,
  options: Pick<ReadOptions, 'filters' | 'comesWhole' | 'sorts'> & { rules?: readonly Rule<NoInfer<R>>[] } = {},
) => [list(of, options), get(of), post(of, rulesOf(options)), put(of, rulesOf(options)), remove(of)]

/** The most records in a list without pages. */
export const MOST_OWNED = 500

export async function refuseMore(
  db: Reader,
  of: Resource,
  params: Record<string, unknown>,
  most: number,
): Promise<void> {
  const own = withinParents(of, db.from(of.table), params).select('id').limit(most)
  if ((await own.execute()).length >= most) throw conflict(`${tooMany(of, most)}. Delete one first.`)
}

/** The five plain operations of a resource whose lists are short and have no pages. */
export const plainOwned = <R extends Resource>(
  of: R,
  rules: readonly Rule<NoInfer<R>>[] = [],
  lenses: Record<string, Lens> = {},
) => [
  listAll(of, { lenses }),
  get(of, { lenses }),
  post(of, { rules, most: MOST_OWNED }),
  put(of, { rules }),
  remove(of),
]

/** The response to a create: the new record and its location. */
export async function created(
  db: Writer,
  of: Resource,
  params: Record<string, unknown>,
  id: number,
  shape = of.whole,
): Promise<{ body: { data: any }; location: string }> {
  const place = of.path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
  return { body: await showOne(db, shape, id), location: `${place}/${id}` }
}

const words = (name: string) => name.replaceAll('_', ' ')
/** `an option`, `a key`, `an API key`, `the settings`. */
export const article = (one: string) => {
  if (/[^su]s$/.test(one)) return `the ${one}`
  return `${/^[aeioAEIO]/.test(one) ? 'an' : 'a'} ${one}`
}
/** `API keys`, of the table `api_keys`. */
export const manyWords = (of: Resource) =>
  words(of.table)
    .replace(/^api\b/, 'API')
    .replace(/^kpi\b/, 'KPI')
    .replace(/\bsign ins$/, 'sign-ins')
const plural = (of: Resource) => pascal(of.table)
/** `The shelf already has 500 books, the maximum` */
function tooMany(of: Resource, most: number) {
  const owner = of.parents.at(-1)?.replace(/_id$/, '')
  return `${owner ? `The ${words(owner)} already has` : 'There are already'} ${most} ${manyWords(of)}, the maximum`
}

type Spec = Pick<Operation, 'id' | 'summary' | 'handle'> &
  Partial<
    Pick<
      Operation,
      | 'note'
      | 'query'
      | 'body'
      | 'status'
      | 'answer'
      | 'open'
      | 'conflicts'
      | 'indexedColumns'
      | 'sortsBy'
      | 'asksBy'
      | 'takesLong'
      | 'inQuery'
    >
  >

function derived(of: Resource, method: Method, path: string, spec: Spec): Operation {
  const params: Record<string, TSchema> = {}
  for (const [, name] of path.matchAll(/\{(\w+)\}/g) as Iterable<[string, string]>)
    params[name] = recordId(name === 'id' ? of.table : (of.fields[name]?.reference?.table ?? of.table))
  return {
    method,
    path,
    area: of.area,
    kind: of.table,
    ...(of.group ? { group: of.group } : {}),
    permission: `${of.area}:${method === 'GET' ? 'read' : 'write'}`,
    params: Type.Object(params) as TObject,
    query: Type.Object({}) as TObject,
    body: null,
    status: 200,
    answer: null,
    note: null,
    open: false,
    conflicts: null,
    indexedColumns: [],
    sortsBy: [],
    ...spec,
  }
}

/** The fields of the record that are in the path. */
const parentsIn = <R extends Resource>(of: R, params: Record<string, unknown>) =>
  Object.fromEntries(of.parents.map((name) => [name, params[name]])) as Partial<Row<R>>

const withinParents = (of: Resource, query: Query, params: Record<string, unknown>) =>
  of.parents.reduce((narrowed, name) => narrowed.where(`${of.table}.${name}`, '=', params[name]), query)

/** 404 if a parent record in the path does not exist. */
async function checkParents(db: Reader, of: Resource, params: Record<string, any>, idsIn = existing): Promise<void> {
  for (const name of of.parents) {
    const table = of.fields[name]?.reference?.table as string
    if ((await idsIn(db, table, [params[name]])).size === 0) throw notFound()
  }
}
