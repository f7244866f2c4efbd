import Type from 'typebox'
import type { Reader } from '../records/reader.ts'
import type { PastTable, Table } from '../records/tables.ts'
import type {
  Field,
  Fields,
  HeldBack,
  Numbers,
  Reference,
  Resource,
  Row,
  RowPolicy,
  Shape,
  SubjectPath,
} from './declaration.ts'
import { readOnly, same, timestamp } from './field.ts'
import { fold } from './format.ts'

const ID: Field<number> = {
  ...(readOnly(timestamp({ required: true })) as unknown as Field<number>),
  column: { type: 'bigint', isNeverNull: true },
  output: Type.Integer({ description: 'Unique ID of the record', examples: [1] }),
}

const STAMPS: Record<string, Field> = {
  id: ID,
  created_at: readOnly(timestamp({ required: true })),
  updated_at: readOnly(timestamp({ required: true })),
}

type Place = {
  table: string
  one: string
  area: string
  readWith?: string
  path?: string
  title?: string
  group?: string
  opens?: { to: string; where: string }
  heldBack?: HeldBack
  inherits?: readonly string[]
  rowPolicy?: RowPolicy
  about?: readonly SubjectPath[]
  named?: Resource['named']
  numbers?: Numbers
  earlierValues?: Resource['earlierValues']
  isLookup?: boolean
}

/** By their tables: references name a table before its kind of record is declared. */
const standIns = new Map<string, NonNullable<Resource['standIn']>>()

const kinds = new Map<string, Resource>()

/** Says what tables hold: several declarations may look at one table, but one of them knows all that is in it. */
export function theKinds<All extends readonly Resource[]>(all: All): All {
  for (const of of all) {
    if (kinds.has(of.table)) throw new Error(`Two resources are declared for the table ${of.table}`)
    kinds.set(of.table, of)
  }
  return all
}

export const isKind = (table: string): boolean => kinds.has(table)

/** What is wrong with a reference to a record that is not there. */
export const existingOf = (table: string) =>
  `must be the id of an existing ${kinds.get(table)?.one ?? `record in ${table}`}`

/** The kind of record that a table holds. */
export function kindOf(table: string): Resource {
  const kind = kinds.get(table)
  if (!kind) throw new Error(`No resource is declared for the table ${table}`)
  return kind
}

/** The values of the record that takes the place of erased ones of a table. */
export const standInOf = (table: string) => standIns.get(table)

export function resource<F extends Fields>(
  where: Place & { standIn?: NonNullable<Resource['standIn']> },
  fields: F,
  /** The names of the whole record, where those are not all fields but the ones that the path gives. */
  names?: readonly (keyof F | 'id' | 'created_at' | 'updated_at')[],
): Resource<F> {
  const {
    table,
    one,
    area,
    readWith = `${area}:read`,
    path = `/${table}`,
    title = pascal(one),
    group = null,
    opens = null,
    heldBack = null,
    inherits = [],
    rowPolicy = null,
    about = null,
    named = null,
    isLookup = false,
    standIn = null,
    numbers = null,
    earlierValues = null,
  } = where
  if (standIn) standIns.set(table, standIn)
  const parents = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string).filter((name) => name in fields)
  // The resource and its whole shape name each other.
  const made: Omit<Resource<F>, 'whole'> = {
    table,
    one,
    area,
    readWith,
    path,
    title,
    group,
    opens,
    heldBack,
    inherits,
    rowPolicy,
    about,
    named,
    isLookup,
    standIn,
    numbers,
    earlierValues,
    fields,
    parents,
  }
  return Object.assign(made, { whole: card(made as Resource<F>, title, names as string[] | undefined) })
}

export const pascal = (words: string) => words.replace(/(?:^|[ _])(\w)/g, (_, letter: string) => letter.toUpperCase())

/** A shape of the resource with some of its fields; all of them by default. */
export function card(of: Resource, title: string, names?: readonly string[]): Shape {
  const own = Object.keys(of.fields).filter((name) => !of.parents.includes(name))
  return { resource: of, title, names: names ?? ['id', ...own, 'created_at', 'updated_at'] }
}

export function fieldOf(of: Resource, name: string): Field {
  const field = of.fields[name] ?? STAMPS[name]
  if (!field) throw new Error(`${of.table} has no field ${name}`)
  return field
}

/** Is it a column of the kind's records? What earlier versions have written may name others. */
export const isColumn = (of: Resource, name: string): boolean => Boolean((of.fields[name] ?? STAMPS[name])?.column)

const columns = new WeakMap<Resource, readonly [string, Field][]>()

/** The fields that have a column, by name. */
export function columnsOf(of: Resource): readonly [string, Field][] {
  let named = columns.get(of)
  if (!named) {
    named = Object.entries(of.fields).filter(([, field]) => field.column !== null)
    columns.set(of, named)
  }
  return named
}

/** What a field is called in answers: `author_id` shown as an object is `author`. */
export const shownName = (name: string, field: Field) =>
  field.as ?? (field.reference?.shape ? (field.reference.as ?? name.replace(/_id$/, '')) : name)

/** What a field is called where changes are told, references as bodies send them; null for what is not told of. */
export function toldName(name: string, field: Field): string | null {
  if (field.reference) return name
  if (field.tells && 'as' in field.tells) return field.tells.as
  return field.input !== null || field.output !== null ? shownName(name, field) : null
}

/** The columns that the change feed does not show. */
export const columnsNotInFeed = (of: Resource): string[] =>
  columnsOf(of).flatMap(([name, { tells }]) => (tells && 'notInFeed' in tells ? [name] : []))

export const isShown = (field: Field) => field.output !== null || Boolean(field.reference?.shape)

/** The column in which a text is kept as it is compared and searched. */
export const keyColumn = (name: string) => `${name}_key`

export const hasKeyColumn = (field: Field) => Boolean(field.unique || field.folded)

const tables = new WeakMap<Resource, Table>()
const resources = new WeakMap<Table, Resource>()

/** Is it for words that people choose? Choices, currencies and the like are the same for everybody. */
export function holdsWords({ column, input, output }: Field): boolean {
  const { enum: values, format } = (input ?? (typeof output === 'object' ? output : null) ?? {}) as Record<string, any>
  return column?.type === 'text' && !values && !['currency', 'country', 'region', 'time-zone', 'year'].includes(format)
}

const referenceOf = ({ table, owner, fate, goesWhere, same }: Reference) => ({
  to: table,
  owner,
  fate,
  ...(goesWhere ? { goesWhere } : {}),
  ...(same ? { same } : {}),
})

/** The reference to the record that it is a part of: the nearest one in its path, or the first that is declared. */
export function ownerOf(of: Resource): Table['owner'] {
  const owners = columnsOf(of).filter(([, { reference }]) => reference?.owner)
  const [column, field] = owners.find(([name]) => name === of.parents.at(-1)) ?? owners[0] ?? []
  return column && field?.reference ? { column, to: field.reference.table } : null
}

/** The table as the write path sees it: key columns of folded texts, and secrets, stay out of the ledger. */
export function tableOf(of: Resource): Table {
  let table = tables.get(of)
  if (!table) {
    const columns = columnsOf(of)
    table = {
      table: of.table,
      one: of.one,
      unledgered: columns.flatMap(([name, field]) => [
        ...(hasKeyColumn(field) ? [keyColumn(name)] : []),
        ...(field.secret ? [name] : []),
      ]),
      keyed: columns.flatMap(([name, field]) => (hasKeyColumn(field) ? [name] : [])),
      unique: columns.flatMap(([name, field]) => (field.unique ? [name] : [])),
      texts: columns.filter(([, field]) => holdsWords(field)).map(([name]) => name),
      searched: columns.filter(([, field]) => field.searched).map(([name]) => name),
      secretHashes: columns.filter(([, field]) => field.identifiesAccount).map(([name]) => name),
      owner: ownerOf(of),
      formers: columns.flatMap(([column, { former }]) => (former ? [{ column, of: former }] : [])),
      references: columns.flatMap(([column, { reference }]) =>
        reference ? [{ column, ...referenceOf(reference) }] : [],
      ),
    }
    tables.set(of, table)
    resources.set(table, of)
  }
  return table
}

/** The table as it was: of the group that a record puts others into, what holds now counts for its past as well. */
export function pastTableOf(of: Resource): PastTable {
  const columns = columnsOf(of)
  const folded = columns.flatMap(([name, field]) => (hasKeyColumn(field) ? [name] : []))
  const types = [...Object.entries(STAMPS), ...columns].map(([name, { column }]) => [name, column?.type as string])
  const initial = columns.map(([name, field]) => [name, field.write(field.initial)])
  return {
    table: of.table,
    columns: Object.fromEntries([
      ['account_id', 'bigint'],
      ...types,
      ...folded.map((name) => [keyColumn(name), 'text']),
    ]),
    searched: tableOf(of).searched,
    lasting: columns.flatMap(([name, field]) => (field.protects ? [name] : [])),
    names: columns.flatMap(([column, { reference, naming }]) => {
      const named = reference ? { to: reference.table } : naming
      return named ? [{ column, ...named }] : []
    }),
    complete(row) {
      const whole = { ...Object.fromEntries(initial), ...row }
      for (const name of folded) whole[keyColumn(name)] = whole[name] === null ? null : fold(String(whole[name]))
      return whole
    },
  }
}

/** The kind of record whose table it is. */
export function resourceOf(table: Table): Resource {
  const of = resources.get(table)
  if (!of) throw new Error(`No resource is declared for the table ${table.table}`)
  return of
}

type Transform = (row: Record<string, any>) => Record<string, any>

/**
 * What makes an object of another, column by column, written out: objects that are filled in a loop are maps to the engine,
 * and copying one costs it more than reading the row. All names are our own.
 */
function writtenOut(of: Resource, value: (field: Field, name: string, at: number) => [string, string][]): Transform {
  const stamps = ['id', 'created_at', 'updated_at'].map((name) => [name, `row.${name}`])
  const parts = columnsOf(of).flatMap(([name, field], at) => value(field, name, at))
  const lines = [...stamps, ...parts].map(([name, code]) => `${JSON.stringify(name)}: ${code}`)
  const fields = columnsOf(of).map(([, field]) => field)
  return new Function('fields', 'fold', `return (row) => ({ ${lines.join(', ')} })`)(fields, fold)
}

function onceFor(make: (of: Resource) => Transform): (of: Resource) => Transform {
  const made = new WeakMap<Resource, Transform>()
  return (of) => {
    const transform = made.get(of) ?? make(of)
    made.set(of, transform)
    return transform
  }
}

const decoder = onceFor((of) =>
  writtenOut(of, ({ read }, name, at) => {
    const value = `row[${JSON.stringify(name)}]`
    return [[name, read === same ? value : `fields[${at}].read(${value})`]]
  }),
)

const encoder = onceFor((of) =>
  writtenOut(of, (field, name, at) => {
    const value = `row[${JSON.stringify(name)}]`
    const keyColumnEntry: [string, string] = [keyColumn(name), `${value} == null ? ${value} : fold(String(${value}))`]
    const own: [string, string] = [name, field.write === same ? value : `fields[${at}].write(${value})`]
    return [own, ...(hasKeyColumn(field) ? [keyColumnEntry] : [])]
  }),
)

/** A stored row, decoded as rules see it. */
export const decode = <R extends Resource>(of: R, row: Record<string, any>): Row<R> => decoder(of)(row) as Row<R>

/** The row that a whole decoded one was made of. */
export const wholeColumns = <R extends Resource>(of: R, row: Row<R>): Record<string, unknown> & { id: number } =>
  encoder(of)(row) as Record<string, unknown> & { id: number }

/** The number by which a record is known in the interface. */
export const knownAs = ({ account }: Pick<Reader, 'account'>, of: Resource | undefined, id: number): number =>
  of?.numbers?.numberOf(account, id) ?? id
